"""What waits to be distilled is the same by whichever index it is looked for."""

from collections.abc import Iterator
from typing import Any

import pytest

from agent_memory_os import MemoryClient
from agent_memory_os.model import Visibility
from agent_memory_os.store.sqlite.undistilled import FEW
from agent_memory_os.testing import DEFAULT_START_MS, memory_client

SUBJECTS = (None, "user:ada", "user:bo")
SESSIONS = ("s", "t", None)
NEO = Visibility("neo", DEFAULT_START_MS)


@pytest.fixture(params=[18, FEW + 8], ids=["few wait", "many wait"])
def m(request: pytest.FixtureRequest) -> Iterator[MemoryClient]:
    """Yield a memory in which neo and zoe wrote events, and the first two of neo are distilled.

    Event n is about subject n, and each three are of another session.
    """
    events: list[dict[str, Any]] = [
        {"layer": 0, "subject": SUBJECTS[n % 3], "session": SESSIONS[n // 3 % 3]}
        for n in range(request.param)
    ]
    with memory_client() as client:
        ids = [
            receipt.id
            for owner in ("zoe", "neo")
            for receipt in client.add_many(
                {"content": f"{n}", "owner": owner, **event} for n, event in enumerate(events)
            )
        ]
        with client._parts.store.write() as tx:
            tx.mark_distilled(ids[request.param :][:2])
        yield client
        assert client.admin.check() == []


def waiting(m: MemoryClient, *, after: str = "", most: int = 6, **wanted: Any) -> list[int]:
    asked: dict[str, Any] = {"session": None, "subject": None, "apart": False, **wanted}
    with m._parts.store.read() as snapshot:
        found = snapshot.undistilled(NEO, after=after, most=most, **asked)
    return [int(memory.content) for memory in found]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, [2, 3, 4, 5, 6, 7]),
        ({"session": "s"}, [2, 9, 10, 11]),
        ({"subject": "user:bo"}, [2, 5, 8, 11, 14, 17]),
        ({"session": "t", "subject": "user:ada"}, [4, 13]),
        ({"session": "t", "apart": True}, [3, 12]),
        ({"apart": True, "subject": "user:ada"}, [7, 16]),
        ({"apart": True}, [6, 15]),
    ],
    ids=str,
)
def test_what_waits_is_the_same_by_any_index(
    m: MemoryClient, wanted: dict[str, Any], found: list[int]
) -> None:
    assert waiting(m, most=len(found), **wanted) == found


def test_what_waits_of_a_subject_is_counted_by_session(m: MemoryClient) -> None:
    with m._parts.store.read() as snapshot:
        every = snapshot.pending(NEO, subject=None)
        told = snapshot.pending(NEO, subject="user:bo")

    assert told == [each for each in every if each.subject == "user:bo"]
    assert [each.session for each in told] == ["s", "t", None]


def test_where_many_wait_those_of_a_session_are_looked_for_among_its_own_rows(
    m: MemoryClient, request: pytest.FixtureRequest
) -> None:
    seen: list[str] = []
    with m._parts.store.read() as snapshot:
        db = snapshot._line.db  # type: ignore[attr-defined]
        db.set_trace_callback(seen.append)
        snapshot.undistilled(NEO, session="s", subject=None, apart=False, after="", most=6)
        snapshot.undistilled(NEO, session=None, subject=None, apart=False, after="", most=6)
        db.set_trace_callback(None)

    used = [each.partition("INDEXED BY ")[2].split()[0] for each in seen if "INDEXED BY" in each]
    of_session = "memories_session" if "[many wait]" in request.node.name else "memories_owner"
    assert used == [of_session, "memories_owner"]
