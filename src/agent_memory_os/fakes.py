"""Fakes for tests: clock, chance, embedding and distilling, the same in every run."""

import random
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from threading import Condition
from typing import Protocol

from agent_memory_os.errors import InvalidInput
from agent_memory_os.pure.turns import Turn
from agent_memory_os.pure.when import to_ms

DEFAULT_START_MS = 1_767_225_600_000  # 2026-01-01T00:00:00Z


class FakeClock:
    """A clock that moves only when told to.

    >>> from agent_memory_os import MemoryClient
    >>> clock = FakeClock()
    >>> m = MemoryClient(":memory:", clock=clock)
    >>> _ = m.add("The door code is 5521", ttl=timedelta(hours=1))
    >>> len(m.search("door code"))
    1
    >>> clock.advance(hours=1)
    >>> len(m.search("door code"))
    0

    Args:
        start: an aware datetime; the first moment of 2026 in UTC by default.
    """

    def __init__(self, start: datetime | None = None) -> None:
        self._now_ms = DEFAULT_START_MS if start is None else to_ms(start, "start")
        self._moved = Condition()

    def now_ms(self) -> int:
        """Return the moment at which the clock stands, UTC milliseconds."""
        return self._now_ms

    def advance(
        self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> None:
        """Move the clock on; negative numbers move it back."""
        moved = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        with self._moved:
            self._now_ms += moved // timedelta(milliseconds=1)
            self._moved.notify_all()

    def wait_until(self, moment_ms: int) -> None:
        """Return when the clock stands at *moment_ms* or later: another thread must move it on."""
        with self._moved:
            self._moved.wait_for(lambda: self._now_ms >= moment_ms)


class FakeEntropy:
    """Random bits that are the same in every run; with a `FakeClock`, so are all ids."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def __call__(self, bits: int) -> int:
        """Return the next *bits* of the sequence."""
        return self._random.getrandbits(bits)


class FakeEmbedder:
    """An embedding function for ``embed=``, the same in every run, to which synonyms are one word.

    Texts are as alike as the words are that they share.

    >>> from agent_memory_os import MemoryClient
    >>> m = MemoryClient(":memory:", embed=FakeEmbedder([("car", "automobile")]))
    >>> _ = m.add("Trinity bought an automobile")
    >>> _ = m.add("Neo drinks his coffee black")
    >>> [hit.content for hit in m.search("car")]
    ['Trinity bought an automobile']

    Args:
        meanings: words that mean the same, in lower case; each in one of the groups at most.
        lanes: numbers in a vector, 1 or more.
        fingerprint: names the model.

    Attributes:
        calls: the texts of each call.
        error: raised by every call while it is set.
    """

    def __init__(
        self,
        meanings: Iterable[Sequence[str]] = (),
        *,
        lanes: int = 256,
        fingerprint: str = "fake",
    ) -> None:
        self.fingerprint = fingerprint
        self.calls: list[list[str]] = []
        self.error: Exception | None = None
        self._lanes = lanes
        self._heads = {word: group[0] for group in meanings for word in group}

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each of *texts*.

        Raises:
            Exception: the ``error`` that was set.
        """
        self.calls.append(list(texts))
        if self.error is not None:
            raise self.error
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self._lanes
        for word in re.findall(r"\w+", text.lower()):
            seed = zlib.crc32(f"{self.fingerprint} {self._heads.get(word, word)}".encode())
            vector[seed % self._lanes] += 1.0
        return vector if any(vector) else [1.0] * self._lanes


class _Known(Protocol):
    """A memory that is there, as a distiller is shown it."""

    @property
    def id(self) -> str: ...

    @property
    def content(self) -> str: ...


class FakeDistiller:
    """A distiller for ``layers.distil`` that decides what a script says, the same in every run.

    >>> from agent_memory_os.testing import memory_client
    >>> m = memory_client()
    >>> _ = m.capture([("user", "No more coffee for me, just tea.")], session="s1")
    >>> fake = FakeDistiller({"just tea": "The user drinks tea.", "milk": "The user likes milk."})
    >>> [each.content for each in m.layers.distil(distiller=fake).decisions]
    ['The user drinks tea.']
    >>> fake.calls
    [['No more coffee for me, just tea.']]

    Args:
        script: what to decide, by a part of what is said, exactly: a statement to add, or the
            fields of a decision, of which "evidence" is always the turns that hold that part.
            "target" is a part of a memory that is there; where none that was shown holds it, the
            statement is added.
        fails: how many calls raise, the first ones. A distiller that fails is asked once more.
        error: what they raise; a RuntimeError by default.
        clock: the clock by which a call takes time.
        takes: how much; the call ends when another thread has moved the clock on so far.

    Attributes:
        calls: what was said in the turns of each call.
        known: what the memories say that each call was shown.

    Raises:
        InvalidInput: *takes* is given without a clock.
    """

    def __init__(
        self,
        script: Mapping[str, str | Mapping[str, object]] | None = None,
        *,
        fails: int = 0,
        error: Exception | None = None,
        clock: FakeClock | None = None,
        takes: timedelta = timedelta(0),
    ) -> None:
        if takes and clock is None:
            raise InvalidInput("takes= needs a clock=, by which the time goes by")
        self.calls: list[list[str]] = []
        self.known: list[list[str]] = []
        self._script = dict(script or {})
        self._fails = fails
        self._error = error or RuntimeError("the fake distiller was told to fail")
        self._clock, self._takes = clock, takes

    def __call__(self, turns: Sequence[Turn], known: Sequence[_Known]) -> list[dict[str, object]]:
        """Return the decisions of the script on *turns*, in its order.

        Raises:
            Exception: the ``error``, while there are calls that shall fail.
        """
        self.calls.append([turn.content for turn in turns])
        self.known.append([memory.content for memory in known])
        ordinal = len(self.calls)
        if self._clock is not None:
            took_ms = self._takes // timedelta(milliseconds=1)
            self._clock.wait_until(self._clock.now_ms() + took_ms)
        if ordinal <= self._fails:
            raise self._error
        decided = []
        for part, said in self._script.items():
            evidence = [turn.id for turn in turns if part in turn.content]
            if evidence:
                fields = {"content": said} if isinstance(said, str) else said
                decided.append(_aimed({"action": "add", **fields, "evidence": evidence}, known))
        return decided


def _aimed(fields: dict[str, object], known: Sequence[_Known]) -> dict[str, object]:
    """Return a decision with the id of the memory that its target is a part of."""
    part = fields.pop("target", None)
    if part is None:
        return fields
    found = [memory.id for memory in known if str(part) in memory.content]
    return {**fields, "target": found[0]} if found else {**fields, "action": "add"}
