"""Whom a call asks: arms by their names, and providers of the host."""

from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from agent_memory_os.errors import InvalidInput, NotPermitted
from agent_memory_os.noun import Noun
from agent_memory_os.providers.protocol import Asker, Busy, Provider
from agent_memory_os.pure import bounds
from agent_memory_os.pure.draft import unknown_field
from agent_memory_os.recall.arms import BUILT_IN, STRATEGIES, USUAL, WITH_VECTORS


class Choice(Noun):
    """The arms that are asked about words, at least one, and the providers of the host besides."""

    arms: tuple[str, ...]
    askers: tuple[Asker, ...] = ()


class Panel:
    """Whom the calls of one client may ask, and whom they ask when they do not say.

    Args:
        providers: names of arms and objects of the host, as a call takes them.
        vectors: whether the client has vectors, which are then asked with the words.

    Raises:
        InvalidInput: one of them is neither, or two have one name.
    """

    def __init__(self, providers: object = None, *, vectors: bool = False) -> None:
        self._busy: Busy = {}
        self._hybrid = WITH_VECTORS if vectors else USUAL
        self._usual = Choice(self._hybrid)
        if providers is not None:
            self._usual = self._named(providers, self._hybrid)

    @property
    def usual(self) -> tuple[str, ...]:
        """The names of those who are asked by default: arms, and providers of the host."""
        return (*self._usual.arms, *(asker.name for asker in self._usual.askers))

    def choose(self, strategy: object, providers: object, *, from_host: bool) -> Choice:
        """Return whom a call asks.

        Args:
            strategy: one of `Strategy`; any but "hybrid" asks its arm, and of the host's providers
                only those that the call names.
            providers: None asks whom the client asks by default; otherwise names of arms, names of
                the client's providers, and, only *from_host*, other objects.
            from_host: whether the `MemoryClient` is called, not a view that was handed on.

        Raises:
            InvalidInput: an argument is malformed, or both name arms.
            NotPermitted: a view names an object.
        """
        arms = STRATEGIES[bounds.one_of(strategy, "strategy", STRATEGIES)]
        is_usual = strategy == "hybrid"
        if providers is None:
            return self._usual if is_usual else Choice(arms)
        choice = self._named(providers, (), from_host=from_host)
        if choice.arms and not is_usual:
            raise InvalidInput(f"give a strategy or names of arms, not {strategy!r} and both")
        return replace(choice, arms=choice.arms or (self._hybrid if is_usual else arms))

    def _named(
        self, providers: object, otherwise: tuple[str, ...], *, from_host: bool = True
    ) -> Choice:
        """Return the choice that *providers* names; *otherwise* are its arms if it names none."""
        if isinstance(providers, str) or not isinstance(providers, Iterable):
            raise InvalidInput(
                f"providers must be a list of names and providers, not {providers!r}"
            )
        known = {asker.name: asker for asker in self._usual.askers}
        arms: list[str] = []
        askers: dict[str, Asker] = {}
        for each in providers:
            if isinstance(each, str) and each in BUILT_IN:
                arms.append(each)
                continue
            asker = known.get(each) if isinstance(each, str) else self._asker(each, from_host)
            if asker is None:
                raise unknown_field(str(each), [*BUILT_IN, *known], "provider")
            if askers.setdefault(asker.name, asker) is not asker:
                raise InvalidInput(f"two providers are named {asker.name!r}")
        return Choice(tuple(arms) or otherwise, tuple(askers.values()))

    def _asker(self, provider: object, from_host: bool) -> Asker:
        """Return *provider* as it is asked, if it is one."""
        from agent_memory_os.providers.foreign import Foreign, named  # few programs bring one

        name = named(provider)
        if name in BUILT_IN:
            raise InvalidInput(f"a provider must not be named like an arm of the library: {name!r}")
        if not from_host:
            raise NotPermitted("a view takes names of providers; give objects to the MemoryClient")
        return Foreign(cast("Provider", provider), name, self._busy)
