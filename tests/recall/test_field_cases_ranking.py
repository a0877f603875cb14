"""Orders that users of memory systems got wrong in the field, each with the right one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory_os import MemoryClient
from agent_memory_os.testing import FakeClock

SEARCH = """
import json, sys
from agent_memory_os import MemoryClient
with MemoryClient(sys.argv[1]) as client:
    print(json.dumps(client.search(sys.argv[2]).ids))
"""


def search_elsewhere(path: Path, query: str) -> tuple[str, ...]:
    """Return the ids that a new process finds."""
    command = [sys.executable, "-c", SEARCH, str(path), query]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    return tuple(json.loads(done.stdout))


@pytest.mark.parametrize(
    "note",
    ["Note {} of the day: the lift is slow", "Note {} of the day: the boiler needs a spare valve"],
    ids=["unrelated", "half related"],
)
def test_fc_121_an_old_exact_match_stays_above_dozens_of_new_and_important_notes(note: str) -> None:
    clock = FakeClock()
    with MemoryClient(":memory:", clock=clock) as m:
        exact = m.add("The spare boiler fuse is taped behind panel C", importance=0.5).id
        clock.advance(days=200)
        m.add_many([{"content": note.format(n), "importance": 0.9} for n in range(30)])

        assert m.search("spare boiler fuse").ids[0] == exact


def test_fc_123_a_session_that_holds_all_the_evidence_is_returned_whole(m: MemoryClient) -> None:
    facts = [
        "The Apollo launch is on the ninth of May",
        "Mara runs the Apollo launch party",
        "The Apollo launch costs forty thousand euros",
        "Press hears of the Apollo launch a week before",
        "The Apollo launch was late twice",
        "Rain moves the Apollo launch indoors",
    ]
    added = m.add_many([{"content": fact, "session": "planning", "layer": 0} for fact in facts])

    hits = m.search("Apollo launch", limit=6)

    assert {*hits.ids} == {receipt.id for receipt in added}


def test_fc_125_a_status_is_below_its_correction_in_every_search_and_process(
    tmp_path: Path,
) -> None:
    clock, path = FakeClock(), tmp_path / "memory.db"
    with MemoryClient(path, clock=clock) as m:
        stale = m.add("The roof repair is under way").id
        clock.advance(days=1)
        new = m.add("The roof repair is finished").id
        here = {m.search("roof repair").ids for _ in range(10)}

    assert here == {(new, stale)}
    assert search_elsewhere(path, "roof repair") == (new, stale)


def test_fc_125_of_equally_long_statements_the_newer_is_first() -> None:
    clock = FakeClock()
    with MemoryClient(":memory:", clock=clock) as m:
        stale = m.add("The roof repair is planned").id
        clock.advance(days=1)
        new = m.add("The roof repair is finished").id

        assert m.search("roof repair").ids == (new, stale)


def test_fc_125_equal_scores_stand_by_id_in_every_search_and_process(tmp_path: Path) -> None:
    clock, path = FakeClock(), tmp_path / "memory.db"
    with MemoryClient(path, clock=clock) as m:
        ids = sorted(m.add(f"The roof repair is step {word}").id for word in ("ape", "bee", "cow"))
        here = {m.search("roof repair").ids for _ in range(10)}

    assert here == {tuple(ids)}
    assert search_elsewhere(path, "roof repair") == tuple(ids)
