"""The turns of a session are found by their index, whatever else a condition says."""

from collections.abc import Iterator
from typing import Any

import pytest

from agent_memory_os import MemoryClient
from agent_memory_os.model import Compare, Field, Filters, Visibility
from agent_memory_os.testing import DEFAULT_START_MS, memory_client


@pytest.fixture(scope="module")
def m() -> Iterator[MemoryClient]:
    """Yield a memory in which neo and ada talk in two sessions, among many other rows."""
    with memory_client() as client:
        for owner in ("neo", "ada"):
            for session in ("s1", "s2"):
                client.add_many(
                    {
                        "content": f"{owner} in {session}: {n}",
                        "owner": owner,
                        "session": session,
                        "subject": f"user:{n % 2}",
                        "visibility": ["global"] if n < 4 else [],
                        "layer": n % 2,
                    }
                    for n in range(8)
                )
        client.add_many({"content": f"note{n}", "owner": "neo"} for n in range(5_000))
        yield client


CONDITIONS: dict[str, dict[str, Any]] = {
    "one": {"session": "s1"},
    "with another field": {"session": "s1", "layer": 0},
    "among others": {"$and": [{"layer": {"$gte": 0}}, {"session": "s1"}]},
    "either of two": {"$or": [{"session": "s1"}, {"session": "s2"}]},
    "not it": {"$not": {"session": "s1"}, "content": {"$contains": " in "}},
    "two at once": {"$and": [{"session": "s1"}, {"session": "s2"}]},
    "in a list": {"session": {"$in": ["s1"]}},
    "unknown": {"session": "s3"},
    "empty": {"session": ""},
    "of the metadata": {"metadata.session": "s1"},
}


def _holds(where: dict[str, Any], session: str | None, layer: int) -> bool:
    """Return what *where* says of a row, spelt out."""
    is_first, is_second = session == "s1", session == "s2"
    return {
        "one": is_first,
        "with another field": is_first and layer == 0,
        "among others": is_first,
        "either of two": is_first or is_second,
        "not it": is_second,
        "in a list": is_first,
    }.get(next(name for name, known in CONDITIONS.items() if known is where), False)


@pytest.mark.parametrize("where", CONDITIONS.values(), ids=CONDITIONS)
@pytest.mark.parametrize("agent", ["neo", "ada", "bo"])
def test_a_condition_on_the_session_means_what_it_says(
    m: MemoryClient, agent: str, where: dict[str, Any]
) -> None:
    seen = m.browse(requester_agent_id=agent, limit=1_000, where={"content": {"$contains": " in "}})

    found = m.browse(requester_agent_id=agent, limit=1_000, where=where)

    assert found == [row for row in seen if _holds(where, row.session, row.layer)]


def test_a_bound_view_finds_the_turns_of_its_subject(m: MemoryClient) -> None:
    view = m.as_agent("neo", subject="user:0")

    found = view.browse(where={"session": "s1"}, limit=100)

    assert {row.subject for row in found} == {"user:0"}
    assert {row.owner for row in found} == {"neo", "ada"}
    assert len(found) == 4 + 2


def test_few_turns_are_found_without_a_walk_through_the_store(m: MemoryClient) -> None:
    """SQLite takes far fewer steps than there are rows."""
    thousands: list[int] = []
    of_s1 = Filters(where=Compare(Field("session"), "eq", "s1"))

    with m._parts.store.read() as snapshot:
        db = snapshot._line.db  # type: ignore[attr-defined]  # of the one store that there is
        db.set_progress_handler(lambda: thousands.append(1), 1_000)
        try:
            found = snapshot.browse(Visibility("neo", DEFAULT_START_MS), of_s1, limit=100)
        finally:
            db.set_progress_handler(None, 0)

    assert len(found) == 8 + 4
    assert len(thousands) < 10
