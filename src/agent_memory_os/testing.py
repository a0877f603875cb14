"""What host applications use in their own tests: a clock that stands still, ids that repeat."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from agent_memory_os.client import MemoryClient
from agent_memory_os.errors import InvalidInput
from agent_memory_os.pure.when import to_ms
from agent_memory_os.view import AgentMemory

DEFAULT_START_MS = 1_767_225_600_000  # 2026-01-01T00:00:00Z


class FakeClock:
    """A clock that moves only when told to.

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

    def now_ms(self) -> int:
        """Return the moment at which the clock stands, UTC milliseconds."""
        return self._now_ms

    def advance(
        self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0
    ) -> None:
        """Move the clock on; negative numbers move it back."""
        moved = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        self._now_ms += moved // timedelta(milliseconds=1)


class FakeEntropy:
    """Random bits that are the same in every run; with a `FakeClock`, so are all ids."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)

    def __call__(self, bits: int) -> int:
        """Return the next *bits* of the sequence."""
        return self._random.getrandbits(bits)


def memory_client(*, start: datetime | None = None, agent_id: str = "local") -> MemoryClient:
    """Return a client in memory whose clock stands still and whose ids repeat.

    >>> first, second = memory_client(), memory_client()
    >>> first.add("tea").id == second.add("tea").id
    True
    """
    return MemoryClient(
        ":memory:", agent_id=agent_id, clock=FakeClock(start), entropy=FakeEntropy()
    )


def assert_recalls(
    memory: MemoryClient | AgentMemory, query: str, content: str, *, limit: int = 5
) -> None:
    """Fail unless the search for *query* has a memory that contains *content*.

    >>> m = memory_client()
    >>> _ = m.add("Deploy target is port 8000")
    >>> assert_recalls(m, "deploy port", "port 8000")

    Args:
        memory: a client, which asks as its own agent, or the view of an agent.
        query: what is asked.
        content: a part of what must come back, exactly.
        limit: among how many hits.

    Raises:
        AssertionError: it is not among them; the message lists what was.
    """
    hits = memory.search(query, limit=limit)
    if not any(content in hit.content for hit in hits):
        found = "\n".join(f"  {hit.score:.3f} {hit.content!r}" for hit in hits)
        found = found or f"  nothing: {hits.report.reason}"
        raise AssertionError(f"{query!r} does not recall {content!r} among {limit} hits:\n{found}")


def assert_never_visible(
    memory: MemoryClient | AgentMemory, content: str, *, queries: Sequence[str] = ()
) -> None:
    """Fail if any read of *memory* shows *content*.

    It searches for the content itself and for *queries*, packs, lists and browses all pages.

    >>> m = memory_client()
    >>> _ = m.add("The safe opens with 7-7-3", owner="mizuki")
    >>> assert_never_visible(m.as_agent("neo"), "7-7-3", queries=["how does the safe open?"])

    Raises:
        AssertionError: a read shows it; the message says which.
        InvalidInput: *content* is empty, which every text contains.
    """
    if not content:
        raise InvalidInput("content must not be empty: every text contains it")
    for query in (content, *queries, None):
        for hit in memory.search(query, limit=1_000):
            if content in hit.content:
                raise AssertionError(f"search({query!r}) shows {content!r} in memory {hit.id}")
        if content in str(memory.context_pack(query, max_tokens=100_000)):
            raise AssertionError(f"context_pack({query!r}) shows {content!r}")
    offset = 0
    while page := memory.browse(limit=500, offset=offset):
        for shown in page:
            if content in shown.content:
                raise AssertionError(f"browse() shows {content!r} in memory {shown.id}")
        offset += len(page)
