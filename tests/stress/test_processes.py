"""Many processes and threads on one file, forks, kills, and files of other versions."""

import contextlib
import multiprocessing
import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from agent_memory_os import MemoryClient, Settings
from agent_memory_os.errors import ClientClosed, StoreError, StoreTooNew
from agent_memory_os.store.sqlite import schema

PROCESSES = 8
PATIENT = Settings(busy_wait_ms=60_000)
NEEDS_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
FORK_WITH_THREADS = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


# Processes


def write_many(path: str, number: int, adds: int, barrier: object) -> None:
    """Open the file at the same moment as the others do, and add *adds* memories."""
    barrier.wait()
    with MemoryClient(path, agent_id=f"agent{number}", settings=PATIENT) as m:
        for n in range(adds):
            m.add(f"finding{number}x{n} of agent {number}", visibility=["global"])


def run_together(path: Path, adds: int) -> list[int | None]:
    """Return the exit codes of 8 processes that opened *path* and added to it at once."""
    spawn = multiprocessing.get_context("spawn")
    barrier = spawn.Barrier(PROCESSES)
    workers = [
        spawn.Process(target=write_many, args=(str(path), number, adds, barrier))
        for number in range(PROCESSES)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return [worker.exitcode for worker in workers]


@pytest.mark.capability("AIM-53", "MEMU-63")
@pytest.mark.parametrize("adds", [100, pytest.param(500, marks=pytest.mark.slow)])
def test_8_processes_open_a_new_file_at_once_and_lose_nothing(tmp_path: Path, adds: int) -> None:
    path = tmp_path / "memory.db"

    assert run_together(path, adds) == [0] * PROCESSES

    with MemoryClient(path) as m:
        assert m.admin.stats().memories == PROCESSES * adds
        for number in range(PROCESSES):
            for n in (0, adds // 2, adds - 1):
                hit = m.search(f"finding{number}x{n}")[0]
                assert hit.content == f"finding{number}x{n} of agent {number}"
                assert hit.memory.owner == f"agent{number}"
        assert len(m.org.agents()) == PROCESSES
        assert m.admin.check() == []


# Threads


@pytest.mark.capability("AIM-63")
@pytest.mark.parametrize("place", ["file", "memory"])
def test_8_threads_share_one_client(tmp_path: Path, place: str) -> None:
    path = ":memory:" if place == "memory" else tmp_path / "memory.db"
    with MemoryClient(path, settings=PATIENT) as m, ThreadPoolExecutor(8) as pool:

        def work(number: int) -> list[str]:
            ids = []
            for n in range(40):
                ids.append(m.add(f"finding{number}x{n}", owner=f"agent{number}").id)
                hits = m.search(f"finding{number}x{n}", requester_agent_id=f"agent{number}")
                assert hits[0].id == ids[-1]
            return ids

        ids = [memory_id for found in pool.map(work, range(8)) for memory_id in found]

        assert len({*ids}) == 320
        assert m.admin.stats().memories == 320
        assert [len(m.browse(requester_agent_id=f"agent{n}")) for n in range(8)] == [40] * 8
        assert m.admin.check() == []


def test_ids_of_one_thread_only_grow(tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "memory.db") as m:
        ids = [m.add(f"note {n}").id for n in range(50)]

        assert ids == sorted({*ids})


@pytest.mark.parametrize("place", ["file", "memory"])
def test_a_closed_client_says_so_and_closing_again_is_nothing(tmp_path: Path, place: str) -> None:
    m = MemoryClient(":memory:" if place == "memory" else tmp_path / "memory.db")
    view = m.as_agent("neo")
    memory_id = m.add("tea").id

    m.close()
    m.close()

    for act in (
        lambda: m.add("milk"),
        lambda: m.get(memory_id),
        lambda: m.search("tea"),
        lambda: m.browse(),
        lambda: m.context_pack("tea"),
        lambda: m.history(memory_id),
        lambda: m.delete(memory_id),
        lambda: m.org.agents(),
        lambda: m.org.create_team("apollo"),
        lambda: m.admin.check(),
        lambda: m.admin.stats(),
        lambda: m.rebuild_indexes(),
        lambda: view.search("tea"),
    ):
        with pytest.raises(ClientClosed):
            act()


# Fork


def in_child(act: Callable[[], object]) -> Callable[[], int]:
    """Fork, *act* in the child, and return what waits for the child and gives its exit code."""
    child = os.fork()
    if child == 0:
        signal.alarm(10)  # a child that waits for ever is a child that fails
        code = 1
        with contextlib.suppress(BaseException):
            act()
            code = 0
        os._exit(code)
    return lambda: os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


class Signal:
    """A flag that one process raises and another waits for."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()

    def give(self) -> None:
        os.write(self._write, b"x")

    def wait(self) -> None:
        assert os.read(self._read, 1) == b"x"


@NEEDS_FORK
def test_fc_043_child_and_parent_both_add_after_a_fork(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        m.add("before the fork")

        def child() -> None:
            for n in range(30):
                m.add(f"child {n}")
                assert m.search(f"child {n}") != []

        wait = in_child(child)
        for n in range(30):
            m.add(f"parent {n}")

        assert wait() == 0
        assert m.admin.stats().memories == 61
        assert m.admin.check() == []
    with MemoryClient(path) as m:
        assert m.admin.stats().memories == 61
        assert m.admin.check() == []


@NEEDS_FORK
def test_fc_043_what_a_child_wrote_stays_though_its_parent_closed(tmp_path: Path) -> None:
    """The parent is the last that it knows of to close the file: it must not take the log away."""
    path = tmp_path / "memory.db"
    m = MemoryClient(path)
    m.add("before the fork")
    opened, closed = Signal(), Signal()

    def child() -> None:
        m.add("child, while the parent is open")
        opened.give()
        closed.wait()
        added = m.add("child, when the parent has closed")
        assert m.get(added.id) is not None

    wait = in_child(child)
    opened.wait()
    m.close()
    closed.give()

    assert wait() == 0
    with MemoryClient(path) as again:
        assert [memory.content for memory in again.browse()] == [
            "child, when the parent has closed",
            "child, while the parent is open",
            "before the fork",
        ]
        assert again.admin.check() == []


@NEEDS_FORK
@FORK_WITH_THREADS
def test_fc_043_children_write_while_a_thread_of_their_parent_is_writing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    stop, written = threading.Event(), []
    with MemoryClient(path, settings=Settings(busy_wait_ms=2_000)) as m:

        def keep_writing() -> None:
            while not stop.is_set():
                written.append(m.add(f"parent {len(written)}").id)

        with ThreadPoolExecutor(1) as pool:
            writing = pool.submit(keep_writing)
            codes = [in_child(lambda n=n: m.add(f"child {n}"))() for n in range(8)]
            stop.set()
            writing.result()

        assert codes == [0] * 8
        assert m.admin.stats().memories == len(written) + 8
        assert m.admin.check() == []


@NEEDS_FORK
def test_fc_043_a_memory_in_ram_says_that_it_is_not_the_childs(tmp_path: Path) -> None:
    with MemoryClient(":memory:") as m:
        m.add("before the fork")

        def child() -> None:
            with pytest.raises(ClientClosed, match="fork"):
                m.search("fork")

        assert in_child(child)() == 0
        assert len(m.search("fork")) == 1


# Kill

WRITER = """
import sys
from agent_memory_os import MemoryClient

m = MemoryClient(sys.argv[1])
n = 0
while True:
    if n % 7 == 6:
        m.add_many([{"content": f"batch {n} of {i}"} for i in range(20)])
    else:
        receipt = m.add(f"note {n}", tags=[f"tag{n}"], visibility=["global"])
        if n % 5 == 4:
            m.update(receipt.id, content=f"changed {n}")
    print(n, flush=True)
    n += 1
"""


@pytest.mark.capability("AMOS-002")
@pytest.mark.parametrize("acknowledged", [1, 23, 60])
def test_a_killed_writer_loses_nothing_that_it_acknowledged(
    tmp_path: Path, acknowledged: int
) -> None:
    path = tmp_path / "memory.db"
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    with writer.stdout as told:
        for _ in range(acknowledged):
            last = int(told.readline())
        writer.send_signal(signal.SIGKILL)
        last = max([last, *(int(line) for line in told.read().split()[:-1])])
    writer.wait()

    with MemoryClient(path) as m:
        assert m.admin.check() == []
        expected = {f"{'changed' if n % 5 == 4 else 'note'} {n}" for n in range(last) if n % 7 != 6}
        expected |= {f"batch {n} of {i}" for n in range(6, last, 7) for i in range(20)}
        found: set[str] = set()
        while page := m.browse(limit=1_000, offset=len(found)):
            found |= {memory.content for memory in page}
        assert expected - found == set()
        assert m.search("tag0")[0].content == "note 0"
        m.add("life goes on")
        assert m.admin.check() == []


# Files of other versions


def raw(path: Path, *statements: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


@pytest.mark.capability("AMOS-065")
@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
def test_a_newer_file_is_refused_and_its_bytes_are_untouched(tmp_path: Path, journal: str) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        m.add("tea")
    raw(path, "PRAGMA user_version = 999", f"PRAGMA journal_mode = {journal}")
    before = path.read_bytes()

    with pytest.raises(StoreTooNew, match=r"version 999.*Upgrade"):
        MemoryClient(path)

    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["memory.db"]


@pytest.mark.parametrize("journal", ["WAL", "DELETE"])
@pytest.mark.parametrize("application", [0, 77])
def test_the_file_of_another_application_is_refused_and_untouched(
    tmp_path: Path, application: int, journal: str
) -> None:
    path = tmp_path / "other.db"
    raw(
        path,
        f"PRAGMA journal_mode = {journal}",
        f"PRAGMA application_id = {application}",
        "CREATE TABLE theirs(a)",
    )
    before = path.read_bytes()

    with pytest.raises(StoreError, match="another application"):
        MemoryClient(path)

    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["other.db"]


def test_what_is_no_database_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("these are my notes, and no database\n" * 50)

    with pytest.raises(StoreError, match=r"notes\.txt"):
        MemoryClient(path)

    assert path.read_text() == "these are my notes, and no database\n" * 50
    assert [each.name for each in tmp_path.iterdir()] == ["notes.txt"]


# Migrations, with steps of their own


def make_shelf(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE shelf(book TEXT)")
    db.execute("INSERT INTO shelf VALUES ('Emma')")


def add_author(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE shelf ADD COLUMN author TEXT")
    db.execute("UPDATE shelf SET author = 'Austen'")


def break_half_way(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE shelf ADD COLUMN isbn TEXT")
    db.execute("DELETE FROM shelf")
    raise KeyboardInterrupt


STEPS = (make_shelf, add_author)


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    """Yield a file that has seen the first step alone."""
    path = tmp_path / "shelf.db"
    migrated(path, STEPS[:1])
    return path


def migrated(path: Path, steps: tuple[schema.Step, ...], wait_s: float = 5.0) -> None:
    """Open *path* as the store does, and bring it up to the last of *steps*."""
    with contextlib.closing(sqlite3.connect(path, timeout=wait_s, isolation_level=None)) as db:
        db.execute("BEGIN IMMEDIATE")
        try:
            schema.migrate(db, str(path), steps=steps)
            db.execute("COMMIT")
        finally:
            if db.in_transaction:
                db.execute("ROLLBACK")


def read(path: Path, statement: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(path)) as db:
        return db.execute(statement).fetchall()


@pytest.mark.capability("AMOS-065")
def test_a_new_file_sees_every_step_and_is_marked_as_ours(tmp_path: Path) -> None:
    migrated(tmp_path / "new.db", STEPS)

    assert read(tmp_path / "new.db", "SELECT * FROM shelf") == [("Emma", "Austen")]
    assert read(tmp_path / "new.db", "PRAGMA user_version") == [(2,)]
    assert read(tmp_path / "new.db", "PRAGMA application_id") == [(schema.APPLICATION_ID,)]


@pytest.mark.capability("AMOS-065")
def test_an_older_file_sees_only_the_steps_that_it_lacks_and_once(shelf: Path) -> None:
    seen: list[str] = []

    def count(db: sqlite3.Connection) -> None:
        seen.append("step 2")
        add_author(db)

    migrated(shelf, (make_shelf, count))
    migrated(shelf, (make_shelf, count))

    assert seen == ["step 2"]
    assert read(shelf, "SELECT * FROM shelf") == [("Emma", "Austen")]
    assert read(shelf, "PRAGMA user_version") == [(2,)]


@pytest.mark.capability("AMOS-065")
def test_a_migration_that_is_interrupted_leaves_the_old_version_whole(shelf: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        migrated(shelf, (make_shelf, add_author, break_half_way))

    assert read(shelf, "PRAGMA user_version") == [(1,)]
    assert read(shelf, "SELECT * FROM shelf") == [("Emma",)]
    migrated(shelf, STEPS)
    assert read(shelf, "SELECT * FROM shelf") == [("Emma", "Austen")]


@pytest.mark.capability("AMOS-065")
def test_two_openers_at_once_migrate_once(shelf: Path) -> None:
    seen: list[str] = []
    together = threading.Barrier(2)

    def count(db: sqlite3.Connection) -> None:
        seen.append("step 2")
        add_author(db)

    def open_it() -> None:
        together.wait()
        migrated(shelf, (make_shelf, count), wait_s=30.0)

    with ThreadPoolExecutor(2) as pool:
        both = [pool.submit(open_it) for _ in range(2)]

    assert [each.result() for each in both] == [None, None]
    assert seen == ["step 2"]
    assert read(shelf, "SELECT * FROM shelf") == [("Emma", "Austen")]
    assert read(shelf, "PRAGMA user_version") == [(2,)]


@pytest.mark.capability("AMOS-065")
def test_a_file_that_has_seen_more_steps_is_refused(shelf: Path) -> None:
    migrated(shelf, STEPS)

    with pytest.raises(StoreTooNew, match=r"version 2.*up to 1"):
        migrated(shelf, STEPS[:1])

    assert read(shelf, "SELECT * FROM shelf") == [("Emma", "Austen")]


@pytest.mark.capability("AMOS-065")
def test_a_client_migrates_an_older_file_once_and_keeps_what_it_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        added = m.add("tea")
    seen: list[int] = []

    def add_table(db: sqlite3.Connection) -> None:
        seen.append(schema.version_of(db))
        db.execute("CREATE TABLE extra(a TEXT) STRICT")

    steps = (*schema.STEPS, add_table)
    monkeypatch.setattr(schema, "STEPS", steps)
    monkeypatch.setattr(schema.refuse_newer, "__defaults__", (steps,))
    monkeypatch.setattr(schema.migrate, "__defaults__", (steps,))
    for _ in range(2):
        with MemoryClient(path) as m:
            assert m.search("tea").ids == (added.id,)

    assert seen == [1]
    assert read(path, "PRAGMA user_version") == [(2,)]
