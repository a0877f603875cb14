"""What a row of a memory keeps, and what is told from it."""

import sqlite3
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from agent_memory_os import MemoryClient
from agent_memory_os.model import moment
from agent_memory_os.pure import ids
from agent_memory_os.testing import DEFAULT_START_MS, FakeClock

KEPT = "SELECT created, occurred, changed, kind FROM memories"
OTHERS = "UPDATE topics SET topic = topic + 1"  # as other rules might have them
TOPICS = "SELECT topic, memory FROM topics ORDER BY topic"
HOUR_MS = 3_600_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def m(path: Path, clock: FakeClock) -> Iterator[MemoryClient]:
    with MemoryClient(path, clock=clock) as client:
        yield client


def raw(path: Path, statement: str) -> list[tuple[object, ...]]:
    db = sqlite3.connect(path)
    with db:
        found = db.execute(statement).fetchall()
    db.close()
    return found


def test_a_note_that_was_never_written_again_keeps_no_time_but_its_stamp(
    m: MemoryClient, path: Path
) -> None:
    m.add_many([{"content": "tea at nine"}, {"content": "coffee at ten"}])

    assert raw(path, KEPT) == [(None, None, None, None)] * 2


def test_whatever_is_written_again_keeps_when_it_was_made(
    m: MemoryClient, clock: FakeClock
) -> None:
    made = m.add("tea at nine")

    clock.advance(hours=1)
    m.update(made.id, content="tea at ten", type="fact")
    m.share(made.id, ["global"])
    m.admin.archive([made.id])
    m.admin.unarchive([made.id])

    memory = m.get(made.id)
    assert memory is not None
    assert (memory.created_ms, memory.occurred_ms) == (DEFAULT_START_MS, DEFAULT_START_MS)
    assert memory.updated_ms == DEFAULT_START_MS + HOUR_MS
    assert memory.type == "fact"


def test_a_clock_that_goes_back_is_believed_about_when_a_memory_was_made(
    m: MemoryClient, clock: FakeClock
) -> None:
    m.add("tea at nine")
    clock.advance(hours=-1)

    later = m.add("coffee at ten").id
    m.update(later, importance=0.3)

    memory = m.get(later)
    assert memory is not None
    assert (memory.created_ms, memory.occurred_ms) == (DEFAULT_START_MS - HOUR_MS,) * 2
    assert memory.updated_ms == DEFAULT_START_MS
    assert memory.importance == 0.3


def test_an_event_that_happened_when_it_was_made_may_be_moved_and_moved_back(
    m: MemoryClient, path: Path
) -> None:
    made = m.add("tea at nine")

    m.update(made.id, occurred_at=moment(DEFAULT_START_MS - 2 * HOUR_MS))
    moved = m.get(made.id)
    m.update(made.id, occurred_at=None)

    assert moved is not None
    assert moved.occurred_ms == DEFAULT_START_MS - 2 * HOUR_MS
    assert raw(path, "SELECT occurred, occurred_ms FROM memories") == [(None, DEFAULT_START_MS)]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"type": "fact"},
        {"tags": ["deploy"]},
        {"metadata": {"port": 8000, "host": None}},
        {"actor": "user:ada"},
        {"session": "s1"},
        {"key": "port"},
        {"entity": "server:db1", "attribute": "port"},
        {"occurred_at": moment(DEFAULT_START_MS - HOUR_MS)},
        {"valid_from": moment(DEFAULT_START_MS - HOUR_MS)},
        {"valid_to": moment(DEFAULT_START_MS + HOUR_MS)},
        {"ttl": timedelta(hours=1)},
        {"layer": 0},
        {"pinned": True},
    ],
    ids=lambda given: " ".join(given) or "nothing",
)
def test_a_row_keeps_whatever_of_it_is_given(m: MemoryClient, given: dict[str, object]) -> None:
    (receipt,) = m.add_many([{"content": "The port is 8000", **given}])

    assert receipt.memory == m.get(receipt.id)


def test_an_id_of_the_file_is_the_one_that_was_told(m: MemoryClient, path: Path) -> None:
    told = [m.add(f"tea number {number}").id for number in range(3)]

    found = raw(path, "SELECT uid, stamp, chance FROM memories ORDER BY id")

    assert [uid for uid, _, _ in found] == told
    assert [ids.memory_id(int(str(a)), int(str(b))) for _, a, b in found] == told


def test_an_id_that_another_process_has_drawn_is_drawn_again(path: Path, clock: FakeClock) -> None:
    """Clocks that stand still and the same chance: both begin with the very id of the other."""
    with (
        MemoryClient(path, clock=clock, entropy=lambda bits: 7) as one,
        MemoryClient(path, clock=clock, entropy=lambda bits: 7) as other,
    ):
        first = one.add("tea at nine", key="tea")
        more = other.add_many([{"content": "coffee at ten"}, {"content": "lunch at one"}])
        again = one.add("dinner at eight")

        made = [first.id, *(receipt.id for receipt in more), again.id]
        assert len({*made}) == 4
        assert made == sorted(made)
        assert {each.id: each.content for each in other.get_many(made)} == {
            first.id: "tea at nine",
            more[0].id: "coffee at ten",
            more[1].id: "lunch at one",
            again.id: "dinner at eight",
        }
        assert other.admin.check() == []


@pytest.mark.parametrize("verb", ["forget", "delete", "update"])
def test_topics_that_other_rules_made_leave_with_what_was_said(
    m: MemoryClient, path: Path, verb: str
) -> None:
    made = m.add("The deploy port of apollo is 8000")
    raw(path, OTHERS)

    said = {"content": "A tale that goes on and on " * 9} if verb == "update" else {}
    getattr(m, verb)(made.id, **said)

    assert raw(path, TOPICS) == []
    assert m.admin.check() == []


def test_what_comes_back_has_its_topics_again(m: MemoryClient, path: Path) -> None:
    made = m.add("The deploy port of apollo is 8000")
    kept = raw(path, TOPICS)

    m.admin.archive([made.id])
    gone = raw(path, TOPICS)
    m.admin.unarchive([made.id])

    assert gone == []
    assert raw(path, TOPICS) == kept != []
    assert m.add("The deploy port of apollo is 8080").superseded == (made.id,)


def test_the_newest_of_an_owner_are_found_without_sorting(m: MemoryClient, path: Path) -> None:
    m.add_many({"content": f"tea {n}", "layer": n % 2, "owner": "neo"} for n in range(20))
    seen: list[str] = []
    with m._parts.store.connections.read(lambda db: db) as db:  # type: ignore[attr-defined]  # SQLite
        db.set_trace_callback(seen.append)

    found = m.browse(requester_agent_id="neo", limit=3)

    with m._parts.store.connections.read(lambda db: db) as db:  # type: ignore[attr-defined]  # SQLite
        db.set_trace_callback(None)
    (statement,) = [each for each in seen if "FROM memories" in each]
    plan = raw(path, f"EXPLAIN QUERY PLAN {statement}")
    arms = [str(step) for *_, step in plan if "memories_owner" in str(step)]
    assert [each.content for each in found] == ["tea 19", "tea 18", "tea 17"]
    assert ["(owner=? AND waits=?)" in arm for arm in arms] == [True, True]
