"""An older file is brought forward once, whole or not at all, whoever opens it and is killed."""

import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from agent_memory_os import MemoryClient, Settings, StoreBusy, StoreError
from agent_memory_os.store.sqlite import SqliteStore, schema
from agent_memory_os.testing import FakeClock

OPENERS = 6


def add_mood(db: sqlite3.Connection) -> None:
    """A later step: a column, and a value in it for each row that there is."""
    db.execute("ALTER TABLE memories ADD COLUMN mood TEXT")
    db.execute("UPDATE memories SET mood = 'calm'")
    db.execute("CREATE TABLE moods(name TEXT) STRICT")
    db.execute("INSERT INTO moods VALUES ('calm')")


def add_weather(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE memories ADD COLUMN weather TEXT")


def fail_on_a_row(db: sqlite3.Connection) -> None:
    """A step that copies what it cannot, as long as a certain row is there."""
    db.execute("CREATE TABLE copies(content TEXT CHECK (content <> 'poison')) STRICT")
    db.execute("INSERT INTO copies SELECT content FROM memories")


def die(db: sqlite3.Connection) -> None:
    add_mood(db)
    os.kill(os.getpid(), signal.SIGKILL)


def opened(path: Path | str, *later: schema.Step, wait_ms: int = 30_000) -> SqliteStore:
    """Open the store as a library with *later* steps does."""
    settings = Settings(busy_wait_ms=wait_ms)
    return SqliteStore(
        str(path), settings=settings, clock=FakeClock(), steps=(*schema.STEPS, *later)
    )


def raw(path: Path, *statements: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        return [row for statement in statements for row in db.execute(statement).fetchall()]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a closed file of the first step, with 50 memories."""
    older = tmp_path / "memory.db"
    with MemoryClient(older) as m:
        m.add_many({"content": f"note {n}"} for n in range(50))
    return older


def open_at_once(path: str, barrier: object) -> None:
    barrier.wait()
    opened(path, add_mood).close()


@pytest.mark.capability("AMOS-065")
@pytest.mark.parametrize("rounds", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_fc_057_several_processes_open_an_older_file_and_one_migrates(
    tmp_path: Path, rounds: int
) -> None:
    spawn = multiprocessing.get_context("spawn")
    for number in range(rounds):
        older = tmp_path / f"memory{number}.db"
        with MemoryClient(older) as m:
            m.add_many({"content": f"note {n}"} for n in range(50))
        barrier = spawn.Barrier(OPENERS)
        openers = [
            spawn.Process(target=open_at_once, args=(str(older), barrier)) for _ in range(OPENERS)
        ]
        for each in openers:
            each.start()
        for each in openers:
            each.join()

        assert [each.exitcode for each in openers] == [0] * OPENERS
        assert raw(older, "PRAGMA user_version", "SELECT count(*) FROM moods") == [(2,), (1,)]
        assert raw(older, "SELECT count(*), count(mood) FROM memories") == [(50, 50)]


@pytest.mark.capability("AMOS-065")
def test_fc_059_a_step_that_fails_marks_nothing_and_is_tried_again(path: Path) -> None:
    with MemoryClient(path) as m:
        m.add("poison")
    before = raw(path, "SELECT * FROM memories", "SELECT name, sql FROM sqlite_schema")

    for _ in range(2):
        with pytest.raises(StoreError, match="CHECK constraint failed"):
            opened(path, add_mood, fail_on_a_row)
        assert raw(path, "PRAGMA user_version") == [(1,)]
        assert raw(path, "SELECT * FROM memories", "SELECT name, sql FROM sqlite_schema") == before

    raw(path, "UPDATE memories SET content = 'mended' WHERE content = 'poison'")
    opened(path, add_mood, fail_on_a_row).close()
    assert raw(path, "PRAGMA user_version", "SELECT count(*) FROM copies") == [(3,), (51,)]


DIE = """
import sys
sys.path.insert(0, sys.argv[2])
import test_migrations as here
here.opened(sys.argv[1], here.die)
"""


@pytest.mark.capability("AMOS-065")
def test_a_process_that_is_killed_half_way_leaves_the_old_version_whole(path: Path) -> None:
    before = raw(path, "SELECT * FROM memories", "SELECT name, sql FROM sqlite_schema")

    killed = subprocess.run(
        [sys.executable, "-c", DIE, str(path), os.path.dirname(__file__)], check=False
    )

    assert killed.returncode == -signal.SIGKILL
    assert raw(path, "PRAGMA user_version") == [(1,)]
    assert raw(path, "SELECT * FROM memories", "SELECT name, sql FROM sqlite_schema") == before
    with MemoryClient(path) as m:
        assert len(m.browse(limit=100)) == 50
        assert m.admin.check() == []
    opened(path, add_mood).close()
    assert raw(path, "SELECT count(mood) FROM memories") == [(50,)]


def test_others_wait_for_who_migrates_and_say_so_when_it_takes_too_long(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as migrating:
        migrating.execute("BEGIN IMMEDIATE")

        with pytest.raises(StoreBusy, match="waited"):
            opened(path, add_mood, wait_ms=50)

        schema.migrate(migrating, str(path), (*schema.STEPS, add_mood))
        migrating.execute("COMMIT")
    opened(path, add_mood, wait_ms=50).close()
    assert raw(path, "SELECT count(*) FROM moods") == [(1,)]


def test_a_file_that_needs_nothing_is_opened_while_somebody_writes(path: Path) -> None:
    opened(path, add_mood).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as writing:
        writing.execute("BEGIN IMMEDIATE")

        opened(path, add_mood, wait_ms=0).close()


@pytest.mark.parametrize("made", [False, True], ids=["later", "under the same number"])
def test_fc_061_a_step_of_another_name_is_refused_and_nothing_is_touched(
    path: Path, made: bool
) -> None:
    """Two branches of the library each added a second step, and a third one has both."""
    opened(path, add_weather).close()
    later = (add_mood, add_weather) if made else (add_mood,)
    before = path.read_bytes()

    with pytest.raises(StoreError, match=r"step 2 named 'add_weather'.*nothing was touched"):
        opened(path, *later)

    assert path.read_bytes() == before
    opened(path, add_weather, add_mood).close()


def test_fc_061_no_two_steps_have_one_name() -> None:
    names = [step.__name__ for step in schema.STEPS]

    assert len({*names}) == len(names)
