"""The agent-bound view: memory as one agent has it, and can hand on."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Unpack, cast, get_args

from agent_memory_os.errors import InvalidInput, NotPermitted
from agent_memory_os.model import (
    NO_FILTERS,
    Change,
    ChangeFields,
    Clock,
    Draft,
    Explanation,
    FilterFields,
    Filters,
    Hits,
    Link,
    Memory,
    MemoryFields,
    Neighbor,
    Pack,
    RecallProfile,
    Receipt,
    Strategy,
    TokenCounter,
    Visibility,
)
from agent_memory_os.pure import access, bounds
from agent_memory_os.pure.draft import parse_changes, parse_draft, parse_word
from agent_memory_os.recall import pipeline, views
from agent_memory_os.recall.pipeline import Request
from agent_memory_os.remember import add, change
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Store

DEFAULT_LIMIT, DEFAULT_PAGE = 10, 50
STRATEGIES = get_args(Strategy)
DEFAULT_RELATION = "related_to"
_LEAST_WEIGHT = 0.000_001  # of a link, which is kept to six places


@dataclass(frozen=True, slots=True)
class Parts:
    """What every view of one client shares."""

    store: Store
    settings: Settings
    clock: Clock
    count_tokens: TokenCounter


class AgentMemory:
    """Memory as one agent sees it, optionally held to one subject.

    Hand this object to code that acts for the agent: it can ask as nobody else, and it has no
    organisation, maintenance or admin verbs. Bound to a subject, it reads that subject's memories
    (and those without a subject, if *shared*), writes that subject, and can name no other.

    >>> from agent_memory_os import MemoryClient
    >>> client = MemoryClient(":memory:")
    >>> alice = client.as_agent("bot", subject="user:alice")
    >>> _ = alice.add("Alice is allergic to nuts")
    >>> bob = client.as_agent("bot", subject="user:bob")
    >>> len(alice.search("allergic")), len(bob.search("allergic"))
    (1, 0)
    """

    def __init__(
        self, parts: Parts, agent: str, *, subject: str | None = None, shared: bool = False
    ) -> None:
        self._parts = parts
        self._agent = agent
        self._subject = subject
        self._shared = shared

    @property
    def agent_id(self) -> str:
        """The agent that this view acts as."""
        return self._agent

    @property
    def subject(self) -> str | None:
        """The subject that this view is bound to, or None."""
        return self._subject

    def __repr__(self) -> str:
        bound = "" if self._subject is None else f", subject={self._subject!r}"
        return f"{type(self).__name__}({self._agent!r}{bound})"

    def add(self, content: str, **fields: Unpack[MemoryFields]) -> Receipt:
        """Remember *content*, and return a receipt whose ``id`` names it.

        It is searchable by the next call of any process. The same statement of the same owner,
        subject and type is merged into the memory that is there (``on_duplicate="store"`` stores
        it again). The fields are those of `MemoryFields`.

        Raises:
            InvalidInput: the content or a field is invalid; nothing was written.
            NotPermitted: the agent is not a member of a team or project in ``visibility``, or
                there is none such; or this view is bound to another subject.
            KeyReused: ``idempotency_key`` was used before with other content.
            StoreBusy: another process held the write lock for too long; nothing was written.
        """
        return add.add(self._parts.store, self._draft(content, fields))

    def add_many(self, items: Iterable[Mapping[str, object]]) -> list[Receipt]:
        """Remember many at once: one transaction, one receipt each, in order; all or none.

        Args:
            items: mappings with "content" and the names that `add` takes.

        Raises:
            InvalidInput: an item is invalid; the message has its number.
            NotPermitted, KeyReused, StoreBusy: as `add` does.
        """
        return add.add_many(self._parts.store, drafts_of(items, self._draft))

    def _draft(self, content: object, fields: Mapping[str, object]) -> Draft:
        draft = parse_draft(content, self._agent, fields, self._parts.settings)
        if self._subject is None:
            return draft
        self._hold_to_subject(draft.subject)
        key = draft.idempotency_key  # what other subjects' keys are must not show
        return replace(
            draft,
            subject=self._subject,
            idempotency_key=None if key is None else f"{self._subject}\n{key}",
        )

    def _hold_to_subject(self, named: str | None) -> None:
        if self._subject is not None and named not in (None, self._subject):
            raise NotPermitted(f"this view is bound to {self._subject!r} and can name no other")

    def get(self, memory_id: str) -> Memory | None:
        """Return the memory, or None when there is none that the agent may see."""
        found = self.get_many([memory_id])
        return found[0] if found else None

    def get_many(self, memory_ids: Iterable[str]) -> list[Memory]:
        """Return those of *memory_ids* that the agent may see, in the order they were named."""
        ids = bounds.texts(memory_ids, "memory_ids")
        return views.get_many(self._parts.store, ids, self._visibility())

    def browse(
        self, *, limit: int = DEFAULT_PAGE, offset: int = 0, **filters: Unpack[FilterFields]
    ) -> list[Memory]:
        """Return memories, the last written first.

        Args:
            limit: most memories, 0 or more; cut to ``settings.max_limit``.
            offset: memories to skip, 0 or more.
            filters: those of `FilterFields`.

        Raises:
            InvalidInput: an argument is invalid.
        """
        settings = self._parts.settings
        return views.browse(
            self._parts.store,
            self._visibility(),
            self._filters(filters),
            limit=bounds.whole(limit, "limit", most=settings.max_limit),
            offset=bounds.whole(offset, "offset"),
        )

    def search(
        self,
        query: str | None,
        *,
        limit: int = DEFAULT_LIMIT,
        offset: int = 0,
        min_score: float = 0.0,
        auto_reinforce: bool = False,
        strategy: Strategy = "hybrid",
        **filters: Unpack[FilterFields],
    ) -> Hits:
        """Return the memories that answer *query*, best first, ties by id.

        Args:
            query: any text; it is never read as a query language. None lists what matters most;
                text without words finds nothing.
            limit: most hits, 0 or more; cut to ``settings.max_limit``.
            offset: hits to skip, 0 or more.
            min_score: hits below it are left out, 0 to 1.
            auto_reinforce: True counts the hits as recalled, as `record_recall` does.
            strategy: "hybrid" asks all arms; "keyword", "vector" and "resonance" one alone.
            filters: those of `FilterFields`.

        Returns:
            Hits, each with a score from 0 to 1, and a ``report`` that says why when there are
            none. Unless asked to, searching never counts as use.

        Raises:
            InvalidInput: an argument is invalid.
            StoreCorrupt: the word index is gone or damaged.
        """
        reinforced = bounds.flag(auto_reinforce, "auto_reinforce")
        request = self._request(query, limit, offset, min_score, filters, strategy)
        hits = pipeline.search(self._parts.store, request, self._parts.settings)
        if reinforced and hits:
            self._reinforce(hits.ids)
        return hits

    def context_pack(
        self,
        query: str | None,
        *,
        max_tokens: int | None = None,
        min_score: float = 0.0,
        auto_reinforce: bool = False,
        strategy: Strategy = "hybrid",
        **filters: Unpack[FilterFields],
    ) -> Pack:
        """Return what matters for *query* as text for a prompt, within a budget.

        Pinned memories come first, within their share; then hits by score, long ones cut around
        the match; the same statement once. ``str(pack)`` is the text; content cannot close its
        fence.

        Args:
            query: as for `search`.
            max_tokens: the most that the text takes by the client's counter, 0 or more;
                ``settings.pack_tokens`` when None.
            min_score: hits below it are left out, 0 to 1.
            auto_reinforce: True counts what the pack holds as recalled, as `record_recall` does.
            strategy: as for `search`.
            filters: those of `FilterFields`.

        Raises:
            InvalidInput: an argument is invalid.
            StoreCorrupt: the word index is gone or damaged.
        """
        from agent_memory_os.recall import pack  # a program that packs nothing does not load it

        settings = self._parts.settings
        budget = settings.pack_tokens if max_tokens is None else max_tokens
        reinforced = bounds.flag(auto_reinforce, "auto_reinforce")
        packed = pack.context_pack(
            self._parts.store,
            self._request(query, settings.pack_items, 0, min_score, filters, strategy),
            settings,
            max_tokens=bounds.whole(budget, "max_tokens"),
            count_tokens=self._parts.count_tokens,
        )
        if reinforced and packed.items:
            self._reinforce([item.id for item in packed.items])
        return packed

    def explain(
        self,
        query: str | None,
        memory_id: str,
        *,
        limit: int = DEFAULT_LIMIT,
        min_score: float = 0.0,
        **filters: Unpack[FilterFields],
    ) -> Explanation:
        """Return where a memory stands in the search for *query*, or where it fell out.

        Raises:
            NotFound: there is no such memory that the agent may see.
            InvalidInput: an argument is invalid.
        """
        from agent_memory_os.recall import explain  # for looking into things, seldom needed

        request = self._request(query, limit, 0, min_score, filters)
        memory_id = bounds.text(memory_id, "memory_id")
        return explain.explain(self._parts.store, request, memory_id, self._parts.settings)

    def history(self, memory_id: str) -> list[Change]:
        """Return what was replaced in a memory, oldest first.

        Its owner sees all of it, after a ``delete`` as well. Others see what was replaced since
        the rights last changed. Empty when there is nothing, or nothing that the agent may see.
        """
        memory_id = bounds.text(memory_id, "memory_id")
        return views.history(self._parts.store, memory_id, self._visibility())

    def update(
        self, memory_id: str, *, if_version: str | None = None, **changes: Unpack[ChangeFields]
    ) -> Receipt:
        """Change fields of a memory that the agent owns; what it replaces stays in the history.

        Args:
            memory_id: the memory.
            if_version: the ``version`` that the caller read; another one is a conflict.
            changes: those of `ChangeFields`; omitted fields stay, None clears.

        Raises:
            NotFound: there is no such memory that the agent may see.
            NotPermitted: somebody else owns it.
            VersionConflict: it has changed since; nothing was written.
            InvalidInput: a change is invalid, or there is none.
        """
        return change.update(
            self._parts.store,
            bounds.text(memory_id, "memory_id"),
            parse_changes(changes, self._parts.settings),
            self._visibility(),
            if_version=None if if_version is None else bounds.text(if_version, "if_version"),
        )

    def delete(self, memory_id: str) -> None:
        """Take a memory that the agent owns out of every read; its history stays.

        Raises:
            NotFound: there is no such memory that the agent may see.
            NotPermitted: somebody else owns it.
        """
        memory_id = bounds.text(memory_id, "memory_id")
        change.delete(self._parts.store, memory_id, self._visibility())

    def share(self, memory_id: str, scopes: Sequence[str]) -> Memory:
        """Let *scopes* see a memory that the agent owns, and return it.

        Raises:
            NotFound: there is no such memory that the agent may see.
            NotPermitted: somebody else owns it, or the agent is not a member of a scope.
            InvalidInput: a scope is malformed.
        """
        memory_id = bounds.text(memory_id, "memory_id")
        wanted = access.parse_visibility(scopes, "scopes")
        return change.share(self._parts.store, memory_id, wanted, self._visibility())

    def revoke(self, memory_id: str, scopes: Sequence[str]) -> Memory:
        """Take *scopes* away from a memory that the agent owns, and return it.

        Raises:
            NotFound: there is no such memory that the agent may see.
            NotPermitted: somebody else owns it.
            InvalidInput: a scope is malformed, or was not among those that see it.
        """
        memory_id = bounds.text(memory_id, "memory_id")
        wanted = access.parse_visibility(scopes, "scopes")
        return change.revoke(self._parts.store, memory_id, wanted, self._visibility())

    def link(
        self,
        source_id: str,
        target_id: str,
        *,
        relation: str = DEFAULT_RELATION,
        weight: float = 1.0,
    ) -> Link:
        """Say that one memory goes with another, and return the link, which the agent then owns.

        Recall follows it from either end, for whoever may see both; nobody else learns of it.
        Linking the same again gives the agent's link another weight.

        Args:
            source_id: the memory that the link leads from.
            target_id: the memory that it leads to.
            relation: one word; it reads "source relation target". Well known are related_to,
                caused_by, supersedes, derived_from, co_recalled, contradicts, next, corroborates.
            weight: how strongly, more than 0 to 1; kept to six places.

        Raises:
            NotFound: one of them is absent, or the agent may not see it.
            NotPermitted: this view is bound to a subject that neither of them is about.
            InvalidInput: an argument is invalid, or both are the same memory.
        """
        from agent_memory_os.remember import link  # like every verb below, seldom the first

        ends = self._ends(source_id, target_id)
        if ends[0] == ends[1]:
            raise InvalidInput(f"target_id must be another memory than source_id, {target_id!r}")
        return link.link(
            self._parts.store,
            *ends,
            self._visibility(),
            relation=parse_word(relation, "relation"),
            weight=bounds.weight(weight, "weight", least=_LEAST_WEIGHT, most=1),
        )

    def unlink(self, source_id: str, target_id: str, *, relation: str | None = None) -> int:
        """Take back links that the agent made from one memory to another.

        Args:
            source_id: the memory that they lead from.
            target_id: the memory that they lead to.
            relation: only those of this relation; of all when None.

        Returns:
            How many there were, 1 or more.

        Raises:
            NotFound: a memory is absent, or the agent may not see it, or there is no such link.
            NotPermitted: only others linked them so; or this view is bound to a subject that
                neither of them is about.
            InvalidInput: an argument is invalid.
        """
        from agent_memory_os.remember import link

        return link.unlink(
            self._parts.store,
            *self._ends(source_id, target_id),
            self._visibility(),
            relation=None if relation is None else parse_word(relation, "relation"),
        )

    @staticmethod
    def _ends(source_id: object, target_id: object) -> tuple[str, str]:
        return bounds.text(source_id, "source_id"), bounds.text(target_id, "target_id")

    def neighbors(
        self,
        memory_id: str,
        *,
        depth: int = 1,
        relations: Sequence[str] | None = None,
        limit: int = DEFAULT_PAGE,
    ) -> list[Neighbor]:
        """Return the memories that are linked with one, nearest first, then heaviest, then newest.

        Links are followed along their arrow and against it, and only where the agent may see both
        ends: a memory that it may not see is never walked through.

        Args:
            memory_id: where to begin.
            depth: how many links away, 1 or more; cut to 5.
            relations: only links of these relations; of all when None.
            limit: most neighbours, 0 or more; cut to ``settings.max_limit``.

        Raises:
            NotFound: there is no such memory that the agent may see.
            InvalidInput: an argument is invalid.
        """
        from agent_memory_os.recall import neighbors

        words = [] if relations is None else bounds.texts(relations, "relations")
        return neighbors.neighbors(
            self._parts.store,
            bounds.text(memory_id, "memory_id"),
            self._visibility(),
            depth=bounds.whole(depth, "depth", least=1, most=neighbors.MOST_DEPTH),
            relations=[parse_word(word, "an item of relations") for word in words],
            limit=bounds.whole(limit, "limit", most=self._parts.settings.max_limit),
        )

    def record_recall(
        self, memory_ids: Iterable[str], *, helpful: bool = True, query: str | None = None
    ) -> None:
        """Say of memories that were recalled whether that helped; each counts once.

        It moves their reinforcement, a small part of every later score, for everybody who sees
        them. It never moves their confidence, their content or their version.

        Args:
            memory_ids: memories that the agent may see.
            helpful: False when they did not help, which takes back what help had given.
            query: what was asked, for callers who have it at hand; it is not kept.

        Raises:
            NotFound: one of them is absent, or the agent may not see it; nothing was counted.
            InvalidInput: an argument is invalid.
        """
        from agent_memory_os.tend import reinforce

        if query is not None:
            bounds.any_text(query, "query")
        reinforce.record_recall(
            self._parts.store,
            bounds.texts(memory_ids, "memory_ids"),
            self._visibility(),
            helpful=bounds.flag(helpful, "helpful"),
        )

    def save_profile(self, profile: RecallProfile) -> None:
        """Save what the agent leans to when it recalls, in place of what it saved before.

        A profile changes the order of what the agent may see, within bounds, and never what it
        may see. One that names nothing changes nothing.

        Raises:
            NotPermitted: it is the profile of another agent; or this view is bound to a subject,
                and the profile would hold for all of them.
            InvalidInput: a name is malformed, or a weight is not from 0.1 to 3.
        """
        from agent_memory_os.pure.profile import parse_profile

        checked = parse_profile(profile)
        if checked.agent_id != self._agent:
            raise NotPermitted(
                f"agent {self._agent!r} may not save the profile of {checked.agent_id!r}"
            )
        if self._subject is not None:
            raise NotPermitted(
                f"this view is bound to {self._subject!r}, and a profile holds for every subject"
            )
        with self._parts.store.write() as tx:
            tx.save_profile(checked)

    def profile(self) -> RecallProfile:
        """Return what the agent leans to when it recalls; the neutral profile if none was saved."""
        with self._parts.store.read() as snapshot:
            return snapshot.profile(self._agent) or RecallProfile(self._agent)

    def _reinforce(self, memory_ids: Sequence[str]) -> None:
        """Count what was just recalled; what has gone since must not cost the caller its answer."""
        from agent_memory_os.tend import reinforce

        reinforce.record_recall(
            self._parts.store, memory_ids, self._visibility(), helpful=True, is_strict=False
        )

    def _visibility(self) -> Visibility:
        now_ms = self._parts.clock.now_ms()
        return Visibility(self._agent, now_ms, self._subject, self._shared)

    def _filters(self, fields: Mapping[str, object]) -> Filters:
        if not fields:
            return NO_FILTERS
        from agent_memory_os.pure.filters import parse_filters  # its grammar is large

        filters = parse_filters(fields)
        self._hold_to_subject(filters.subject)
        return filters

    def _request(
        self,
        query: object,
        limit: object,
        offset: object,
        min_score: object,
        filters: Mapping[str, object],
        strategy: object = "hybrid",
    ) -> Request:
        if not isinstance(strategy, str) or strategy not in STRATEGIES:
            raise InvalidInput(f"strategy must be one of {STRATEGIES}, not {strategy!r}")
        return Request(
            None if query is None else bounds.any_text(query, "query"),
            self._visibility(),
            self._filters(filters),
            bounds.whole(limit, "limit", most=self._parts.settings.max_limit),
            bounds.whole(offset, "offset"),
            bounds.share(min_score, "min_score"),
            cast("Strategy", strategy),
        )


def drafts_of(
    items: Iterable[Mapping[str, object]],
    draft: Callable[[object, dict[str, object]], Draft],
) -> list[Draft]:
    """Return the drafts of *items*, each made by ``draft(content, other_fields)``.

    Raises:
        InvalidInput: one is not a mapping that has "content", or is invalid; the message has its
            number, from 0.
    """
    if isinstance(items, Mapping | str) or not isinstance(items, Iterable):
        raise InvalidInput(f"items must be a list of mappings, not {type(items).__name__}")
    drafts = []
    for number, item in enumerate(items):
        if not isinstance(item, Mapping) or "content" not in item:
            raise InvalidInput(f'item {number} must be a mapping with "content"')
        fields = dict(item)
        if not all(isinstance(name, str) for name in fields):
            raise InvalidInput(f"item {number} has a key that is not a string")
        try:
            drafts.append(draft(fields.pop("content"), fields))
        except InvalidInput as error:
            raise InvalidInput(f"item {number}: {error}") from error
    return drafts
