"""Feedback: what a recall was worth is counted, and what others say moves reinforcement alone."""

from collections.abc import Iterator

import pytest

from agent_memory_os import Memory, MemoryClient, NotFound
from agent_memory_os.pure.score import reinforcement
from agent_memory_os.store.sqlite.memories import MOST_RECALLS
from agent_memory_os.testing import FakeClock, FakeEntropy

UNKNOWN_ID = "f" * 25


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that stands still."""
    return FakeClock()


@pytest.fixture
def m(clock: FakeClock) -> Iterator[MemoryClient]:
    """Yield a memory in RAM, sound when the test ends."""
    with MemoryClient(":memory:", clock=clock, entropy=FakeEntropy()) as client:
        yield client
        assert client.admin.check() == []


def read(m: MemoryClient, memory_id: str, agent: str | None = None) -> Memory:
    found = m.get(memory_id, requester_agent_id=agent)
    assert found is not None
    return found


@pytest.mark.capability("AMOS-028")
def test_a_helpful_recall_is_counted_and_reinforces(m: MemoryClient, clock: FakeClock) -> None:
    added = m.add("tea").memory
    assert (added.recalls, added.helped, added.last_recalled_ms) == (0, 0, None)
    clock.advance(hours=1)

    m.record_recall([added.id], query="what to drink?")

    after = read(m, added.id)
    assert (after.recalls, after.helped, after.last_recalled_ms) == (1, 1, clock.now_ms())
    assert after.last_recalled_at is not None
    assert reinforcement(after) > reinforcement(added) == 0


@pytest.mark.capability("AMOS-028")
def test_what_helped_rises_above_what_is_otherwise_its_equal(m: MemoryClient) -> None:
    one = m.add("the green tea is in the cupboard").id
    other = m.add("the black tea is in the cupboard").id
    assert m.search("tea cupboard").ids == (one, other)

    m.record_recall([other])

    assert m.search("tea cupboard").ids == (other, one)


def test_what_did_not_help_takes_back_and_never_goes_below_nothing(m: MemoryClient) -> None:
    memory_id = m.add("tea").id
    m.record_recall([memory_id])
    best = reinforcement(read(m, memory_id))

    m.record_recall([memory_id], helpful=False)
    lower = reinforcement(read(m, memory_id))
    for _ in range(5):
        m.record_recall([memory_id], helpful=False)

    after = read(m, memory_id)
    assert best > lower == reinforcement(after) == 0
    assert (after.recalls, after.helped) == (7, 1)


def test_each_memory_counts_once_in_a_call(m: MemoryClient) -> None:
    a, b = m.add("tea").id, m.add("milk").id

    m.record_recall(iter([a, b, a, a]))
    m.record_recall([])

    assert [read(m, each).recalls for each in (a, b)] == [1, 1]


def test_counts_are_bounded(m: MemoryClient) -> None:
    memory_id = m.add("tea").id
    with m._parts.store.write() as tx:
        tx._pen.db.execute(f"UPDATE memories SET recalls = {MOST_RECALLS}, helped = 3")

    m.record_recall([memory_id])

    after = read(m, memory_id)
    assert (after.recalls, after.helped) == (MOST_RECALLS, 4)
    assert 0 <= reinforcement(after) < 1


def test_a_clock_that_goes_back_recalls_nothing_earlier(m: MemoryClient, clock: FakeClock) -> None:
    memory_id = m.add("tea").id
    m.record_recall([memory_id])
    last = read(m, memory_id).last_recalled_ms

    clock.advance(hours=-1)
    m.record_recall([memory_id])

    assert read(m, memory_id).last_recalled_ms == last


@pytest.mark.capability("AMOS-016", "AMOS-028")
def test_an_invisible_memory_is_not_found_and_nothing_is_counted(m: MemoryClient) -> None:
    shown = m.add("tea", owner="ada", visibility=["global"]).id
    hidden = m.add("milk", owner="ada").id

    def message(other: str) -> str:
        with pytest.raises(NotFound) as error:
            m.record_recall([shown, other], requester_agent_id="neo")
        return str(error.value).replace(other, "x")

    assert message(hidden) == message(UNKNOWN_ID)
    assert [read(m, each, "ada").recalls for each in (shown, hidden)] == [0, 0]


@pytest.mark.capability("AMOS-028")
@pytest.mark.parametrize("helpful", [True, False])
def test_feedback_of_others_moves_reinforcement_and_nothing_else(
    m: MemoryClient, clock: FakeClock, helpful: bool
) -> None:
    before = m.add("tea", owner="ada", visibility=["global"], confidence=0.7).memory
    clock.advance(days=1)

    for _ in range(10):
        m.record_recall([before.id], helpful=helpful, requester_agent_id="neo")

    after = read(m, before.id, "ada").to_dict()
    counted = {"recalls": 10, "helped": 10 * helpful, "last_recalled_ms": clock.now_ms()}
    assert after == before.to_dict() | counted
    assert m.history(before.id, requester_agent_id="ada") == []


def test_counts_outlive_a_change_and_are_no_part_of_it(m: MemoryClient) -> None:
    memory_id = m.add("tea").id
    m.record_recall([memory_id])

    m.update(memory_id, content="green tea")
    m.share(memory_id, ["global"])
    again = m.add("green tea")

    assert again.verdict == "merged"
    assert (again.memory.recalls, again.memory.helped) == (1, 1)
    assert [sorted(change.before) for change in m.history(memory_id)] == [
        ["content"],
        ["visibility"],
        ["mentions"],
    ]


def test_a_bound_view_speaks_of_what_it_sees(m: MemoryClient) -> None:
    alice = m.add("Alice likes tea", owner="bot", subject="user:alice").id
    bob = m.add("Bob likes tea", owner="bot", subject="user:bob").id
    view = m.as_agent("bot", subject="user:alice")

    view.record_recall([alice])

    with pytest.raises(NotFound):
        view.record_recall([bob])
    assert read(m, alice, "bot").recalls == 1


@pytest.mark.capability("AMOS-028")
def test_recalling_counts_nothing_by_itself(m: MemoryClient) -> None:
    memory_id = m.add("tea").id

    m.search("tea")
    m.context_pack("tea")
    m.explain("tea", memory_id)
    m.neighbors(memory_id)
    m.get(memory_id)

    assert read(m, memory_id).recalls == 0
