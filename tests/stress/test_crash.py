"""A small size of `crash.py`, and that it notices what it is there to notice."""

import random
from pathlib import Path

import crash
import pytest

from agent_memory_os import MemoryClient


@pytest.mark.capability("AMOS-002")
def test_ten_kills_lose_nothing() -> None:
    kinds = (*("write",) * 5, "open", "migrate", "backup", "restore", "rebuild")

    figures = crash.run(10, seed=1, kinds=kinds)

    assert figures.problems == []
    assert sum(figures.rounds.values()) == 10


@pytest.fixture
def trial(tmp_path: Path) -> crash.Trial:
    """Return a trial of a store with two memories."""
    made = crash.Trial(tmp_path, random.Random(0), crash.Figures())
    with MemoryClient(made.path) as m:
        first, second = m.add("first"), m.add("second")
        m.link(first.id, second.id)
    made.expected.contents = made.now()
    return made


NOTICED = {
    "a write that is not there": ({"done": "add", "id": "f" * 25, "content": "lost"}, "lost"),
    "a deletion that is not there": ({"done": "delete", "id": "0"}, "back again"),
    "a change that is not there": ({"done": "update", "id": "0", "content": "other"}, "not other"),
    "a sharing that is not there": ({"done": "share", "id": "0"}, "sharing"),
    "a link that is not there": ({"done": "link", "id": "0", "target": "0"}, "the link"),
    "half of a write": ({"act": "add_many", "contents": ["first", "third"]}, "half of"),
}


@pytest.mark.parametrize("case", NOTICED)
def test_what_was_acknowledged_and_is_not_there_is_noticed(trial: crash.Trial, case: str) -> None:
    told, said = NOTICED[case]
    first = next(iter(trial.expected.contents))
    told = {key: first if value == "0" else value for key, value in told.items()}

    trial.after_write([told])

    assert [problem for problem in trial.figures.problems if said in problem] != []


def test_an_unsound_file_is_noticed(trial: crash.Trial) -> None:
    with MemoryClient(trial.path) as m, m._parts.store.connections.alone() as db:
        db.execute("DELETE FROM partitions")

    trial.after_rebuild([])

    assert "not sound" in trial.figures.problems[0]
