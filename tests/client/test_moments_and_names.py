"""What holds to the millisecond, and names that begin alike."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from agent_memory_os import MemoryClient, NotFound, NotPermitted
from agent_memory_os.testing import FakeClock, FakeEntropy

MS = timedelta(milliseconds=1)
HOUR = timedelta(hours=1)


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that moves only when told to."""
    return FakeClock()


@pytest.fixture
def m(clock: FakeClock) -> Iterator[MemoryClient]:
    """Yield a memory in RAM on that clock, sound when the test ends."""
    with MemoryClient(":memory:", clock=clock, entropy=FakeEntropy()) as client:
        yield client
        assert client.admin.check() == []


def test_the_moment_of_expiry_is_out(m: MemoryClient, clock: FakeClock) -> None:
    tea = m.add("tea", ttl=HOUR)

    clock.advance(seconds=3599.999)
    before = m.get(tea.id)
    clock.advance(seconds=0.001)

    assert before == tea.memory
    assert m.get(tea.id) is None


def test_a_window_of_validity_begins_with_its_first_moment_and_ends_before_its_last(
    m: MemoryClient, clock: FakeClock
) -> None:
    now = m.add("now").memory.created_at
    tea = m.add("tea", valid_from=now + HOUR, valid_to=now + 2 * HOUR).id

    seen = []
    for step in (HOUR - MS, MS, HOUR - MS, MS):
        clock.advance(seconds=step.total_seconds())
        seen.append(m.search("tea").ids)

    assert seen == [(), (tea,), (tea,), ()]


def test_what_has_expired_strengthens_nothing_and_cannot_be_changed(
    m: MemoryClient, clock: FakeClock
) -> None:
    old = m.add("tea", ttl=HOUR)
    clock.advance(hours=1)

    again = m.add("tea", ttl=HOUR)

    assert (again.verdict, again.id == old.id) == ("stored", False)
    with pytest.raises(NotFound):
        m.update(old.id, content="rice")
    with pytest.raises(NotFound):
        m.delete(old.id)


@pytest.mark.capability("AMOS-011")
@pytest.mark.parametrize("other", ["apoll", "apollo2", "Apollo", "apollo:x"])
def test_a_team_whose_name_begins_alike_is_another(m: MemoryClient, other: str) -> None:
    m.org.create_team("apollo")
    m.org.register_agent("neo", teams=["apollo"])
    tea = m.add("tea of apollo", owner="neo", visibility=["team:apollo"])
    with pytest.raises(NotPermitted):
        m.add("rice", owner="neo", visibility=[f"team:{other}"])
    m.org.create_team(other)
    m.org.register_agent("zoe", teams=[other])

    with pytest.raises(NotPermitted):
        m.share(tea.id, [f"team:{other}"], requester_agent_id="neo")

    assert m.org.memberships("zoe") == [f"team:{other}"]
    assert m.browse(requester_agent_id="zoe") == []


@pytest.mark.capability("AMOS-011")
@pytest.mark.parametrize("other", ["ne", "neo2", "Neo", "neo:x"])
def test_an_agent_whose_name_begins_alike_is_another(m: MemoryClient, other: str) -> None:
    m.add("tea", owner="ada", visibility=["agent:neo"])
    m.add("rice", owner="neo")

    assert m.browse(requester_agent_id=other) == []
    assert m.add("soup", owner="ada", visibility=[f"agent:{other}"]).verdict == "stored"
    assert [each.content for each in m.browse(requester_agent_id="neo")] == ["rice", "tea"]


@pytest.mark.capability("MEMU-73")
@pytest.mark.parametrize("other", ["user:al", "user:alice2", "user:Alice", "user:alice:x"])
def test_a_subject_whose_name_begins_alike_is_another(m: MemoryClient, other: str) -> None:
    m.add("tea", subject="user:alice")

    view = m.as_agent("local", subject=other)

    assert view.browse() == []
    assert view.search("tea").ids == ()
    assert m.browse(subject=other) == []
    assert view.add("tea").memory.subject == other


@pytest.mark.parametrize("other", ["mon", "monday2", "Monday"])
def test_a_session_whose_name_begins_alike_is_another(m: MemoryClient, other: str) -> None:
    m.add("tea?", session="monday", layer=0)

    answer = m.add("At noon.", session=other, layer=0)

    assert answer.memory.session == other
    assert m.get(answer.id) == answer.memory
    assert answer.id not in m.search("tea").ids
