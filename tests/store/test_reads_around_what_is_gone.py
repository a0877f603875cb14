"""Reads that are asked around a memory: the moment of the reader counts, and not that of it."""

from datetime import timedelta

import pytest

from agent_memory_os import MemoryClient
from agent_memory_os.model import NO_FILTERS, Visibility
from agent_memory_os.testing import FakeClock, FakeEntropy


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that moves only when told to."""
    return FakeClock()


@pytest.mark.parametrize("session", ["s1", None])
def test_events_around_one_are_those_that_hold_now(clock: FakeClock, session: str | None) -> None:
    with MemoryClient(":memory:", clock=clock, entropy=FakeEntropy()) as m:
        event = {"layer": 0, "session": "s1"}
        anchor = m.add("tea?", **event)
        end = anchor.memory.created_at + timedelta(hours=1)
        m.add("while it lasts", valid_to=end, **event)
        clock.advance(hours=2)
        m.add("rice?", **event)

        told = m.layers.timeline(session, around=anchor.id)

    assert [each.content for each in told] == ["tea?", "rice?"]


@pytest.mark.capability("AMOS-016")
@pytest.mark.parametrize("end", ["expired", "deleted"])
def test_what_is_gone_has_no_surroundings(clock: FakeClock, end: str) -> None:
    with MemoryClient(":memory:", clock=clock, entropy=FakeEntropy()) as m:
        rest = {"layer": 0, "session": "s1", "visibility": ["global"]}
        m.add("tea?", **rest)
        gone = m.add("At noon.", ttl=timedelta(hours=1), **rest).id
        if end == "deleted":
            m.delete(gone)
        clock.advance(hours=2 if end == "expired" else 0)

        with m._parts.store.read() as snapshot:
            by = Visibility("neo", clock.now_ms())
            runs = snapshot.surroundings([gone], by, width=3)
            seen = snapshot.browse(by, NO_FILTERS, limit=9)

    assert runs == {}
    assert [each.content for each in seen] == ["tea?"]
