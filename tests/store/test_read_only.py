"""What cannot be written can be read; and where there is no room, nothing is half written."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from agent_memory_os import MemoryClient, Settings, StoreBusy, StoreError, StoreFull, StoreReadOnly
from agent_memory_os.store.sqlite import SqliteStore, schema
from agent_memory_os.testing import FakeClock

NOBODY = 65_534
NEEDS_FORK = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
IMPATIENT = Settings(busy_wait_ms=0)


def as_nobody(act: Callable[[], object]) -> str:
    """Return what goes wrong when *act* runs in a child without root's rights; "" when nothing."""
    told, tell = os.pipe()
    child = os.fork()
    if child == 0:
        said = "it did not end"
        with contextlib.suppress(BaseException):
            try:
                if os.geteuid() == 0:
                    os.setgid(NOBODY)
                    os.setuid(NOBODY)
                act()
                said = ""
            except BaseException:
                said = traceback.format_exc()
        os.write(tell, said.encode())
        os._exit(0)
    os.close(tell)
    with open(told, encoding="utf-8") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


@pytest.fixture
def folder() -> Iterator[Path]:
    """Yield a folder that everybody may look into; that of pytest is its owner's alone."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name)
        os.chmod(name, 0o755)


@pytest.fixture
def path(folder: Path) -> Path:
    """Return the path of a closed store with three memories in a folder that nobody may write."""
    store = folder / "memory.db"
    with MemoryClient(store) as m:
        m.add_many([{"content": f"tea number {n}", "visibility": ["global"]} for n in range(3)])
        m.search("tea")  # so that a child needs to load nothing more
    store.chmod(0o444)
    folder.chmod(0o555)
    return store


def look(path: Path) -> None:
    """Read what there is, and fail to write."""
    with MemoryClient(path) as m:
        assert len(m.search("tea")) == 3
        assert len(m.browse()) == 3
        assert m.context_pack("tea").items
        assert m.admin.check() == []
        assert m.capabilities().read_only
        with pytest.raises(StoreReadOnly):
            m.add("coffee")
        assert len(m.browse()) == 3


@NEEDS_FORK
def test_fc_053_a_read_only_file_in_a_read_only_folder_is_read(path: Path) -> None:
    before = {each.name: each.read_bytes() for each in path.parent.iterdir()}

    assert as_nobody(lambda: look(path)) == ""

    assert {each.name: each.read_bytes() for each in path.parent.iterdir()} == before


@NEEDS_FORK
@pytest.mark.parametrize(
    ("file", "folder_mode"), [(0o444, 0o777), (0o666, 0o555)], ids=["file", "folder"]
)
def test_either_of_them_is_enough_to_be_read_only(
    path: Path, folder: Path, file: int, folder_mode: int
) -> None:
    path.chmod(file)
    folder.chmod(folder_mode)

    assert as_nobody(lambda: look(path)) == ""


@NEEDS_FORK
def test_every_write_of_a_read_only_store_says_so(path: Path) -> None:
    def write() -> None:
        with MemoryClient(path) as m:
            memory_id = m.browse()[0].id
            for act in (
                lambda: m.add("coffee"),
                lambda: m.add_many([{"content": "coffee"}]),
                lambda: m.update(memory_id, content="coffee"),
                lambda: m.delete(memory_id),
                lambda: m.share(memory_id, ["agent:neo"]),
                lambda: m.record_recall([memory_id]),
                lambda: m.org.create_team("apollo"),
                lambda: m.rebuild_indexes(),
                lambda: m.forget(memory_id),
                lambda: m.admin.restore_backup(path.with_name("none.db")),
            ):
                with pytest.raises(StoreReadOnly, match="cannot be written"):
                    act()

    assert as_nobody(write) == ""


@NEEDS_FORK
def test_a_log_that_cannot_be_replayed_is_an_error_and_not_hidden(path: Path, folder: Path) -> None:
    """Without its log the file would be an older state, and nobody would know."""
    with MemoryClient(path) as m:
        m.add("what only the log holds")
        folder.chmod(0o755)
        copy = folder / "copy"
        copy.mkdir()
        shutil.copy(path, copy / "memory.db")
        shutil.copy(f"{path}-wal", copy / "memory.db-wal")
    (copy / "memory.db").chmod(0o444)
    copy.chmod(0o555)

    def open_it() -> None:
        with pytest.raises(StoreReadOnly, match=r"log.*copy both"):
            MemoryClient(copy / "memory.db")

    assert as_nobody(open_it) == ""


@NEEDS_FORK
def test_a_log_that_can_be_read_is_read(path: Path, folder: Path) -> None:
    """Whoever may write has the store open, and whoever may not sees what is written."""
    folder.chmod(0o755)
    with MemoryClient(path) as m:
        m.add("tea that only the log holds", visibility=["global"])
        for end in ("-wal", "-shm"):
            os.chmod(f"{path}{end}", 0o444)

        def read() -> None:
            with MemoryClient(path) as reader:
                assert len(reader.search("tea")) == 4

        assert as_nobody(read) == ""


@NEEDS_FORK
def test_what_others_write_meanwhile_is_seen(path: Path, folder: Path) -> None:
    """A file without a log is read without its locks, until somebody else writes it."""
    folder.chmod(0o755)
    go, going = os.pipe()
    done, doing = os.pipe()

    def read() -> None:
        with MemoryClient(path) as reader:
            assert len(reader.search("tea")) == 3
            os.write(doing, b"x")
            os.read(go, 1)
            assert len(reader.search("tea", limit=100)) == 13
            assert reader.admin.check() == []

    writer = os.fork()
    if writer == 0:
        os.read(done, 1)
        with MemoryClient(path) as m:
            m.add_many([{"content": f"more tea {n}", "visibility": ["global"]} for n in range(10)])
        os.write(going, b"x")
        os._exit(0)

    assert as_nobody(read) == ""
    os.waitpid(writer, 0)


def add_mood(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE memories ADD COLUMN mood TEXT")


@NEEDS_FORK
def test_an_older_file_that_cannot_be_written_says_what_to_do(path: Path) -> None:
    def open_it() -> None:
        with pytest.raises(StoreReadOnly, match="needs a migration"):
            SqliteStore(
                str(path),
                settings=IMPATIENT,
                clock=FakeClock(),
                steps=(*schema.STEPS, add_mood),
            )

    assert as_nobody(open_it) == ""


@NEEDS_FORK
def test_a_read_only_store_is_backed_up(path: Path, folder: Path) -> None:
    folder.chmod(0o755)
    goal = folder / "backups"
    goal.mkdir()
    goal.chmod(0o777)
    folder.chmod(0o555)

    def back_up() -> None:
        with MemoryClient(path) as m:
            assert m.admin.backup(goal).memories == 3

    assert as_nobody(back_up) == ""


@NEEDS_FORK
def test_a_backup_into_a_folder_that_cannot_be_written_is_an_error(path: Path) -> None:
    def back_up() -> None:
        with MemoryClient(path) as m, pytest.raises(StoreError, match="no backup can be made"):
            m.admin.backup(path.parent / "copy.db")

    assert as_nobody(back_up) == ""


# Locks


@pytest.mark.parametrize("lock", ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
def test_opening_and_reading_takes_no_write_lock(tmp_path: Path, lock: str) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        m.add("tea")
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("SELECT count(*) FROM memories").fetchone()
        writer.execute(lock)

        with MemoryClient(path, settings=IMPATIENT) as m:
            assert len(m.search("tea")) == 1
            assert len(m.browse()) == 1
            assert m.admin.check() == []
            assert m.admin.backup(tmp_path / "copy.db").memories == 1
            with pytest.raises(StoreBusy):
                m.add("coffee")


WAITING = """
import sqlite3, sys
from agent_memory_os import MemoryClient, Settings, StoreBusy

def has_rules():
    return "agent_memory_os.pure.truth" in sys.modules

with MemoryClient(sys.argv[1], settings=Settings(busy_wait_ms=1_000)) as m:
    m.add("tea")
    before = has_rules()
    other = sqlite3.connect(sys.argv[1], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        m.add("coffee")
    except StoreBusy as error:
        print(before, has_rules(), error)
"""


def test_who_waits_for_the_write_lock_loads_the_rules_meanwhile(tmp_path: Path) -> None:
    """Else the first writes of many processes would do that one by one, with the lock in hand."""
    asked = [sys.executable, "-c", WAITING, str(tmp_path / "memory.db")]

    said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout

    assert said.startswith("False True waited ")


@NEEDS_FORK
def test_a_read_only_copy_is_read_while_a_writer_holds_the_original(folder: Path) -> None:
    original, copy = folder / "original.db", folder / "copy.db"
    with MemoryClient(original) as m:
        m.add("tea", visibility=["global"])
    shutil.copy(original, copy)
    copy.chmod(0o444)
    folder.chmod(0o555)
    with closing(sqlite3.connect(original, isolation_level=None)) as writer:
        writer.execute("BEGIN EXCLUSIVE")

        def read() -> None:
            with MemoryClient(copy, settings=IMPATIENT) as m:
                assert len(m.search("tea")) == 1

        assert as_nobody(read) == ""


def test_who_keeps_everybody_out_is_waited_for_and_named(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        m.add("tea")
    with closing(sqlite3.connect(path, isolation_level=None)) as alone:
        alone.execute("PRAGMA locking_mode = EXCLUSIVE")
        alone.execute("UPDATE state SET indexed = indexed")

        with pytest.raises(StoreBusy, match=r"waited \d+ ms.*lsof"):
            MemoryClient(path, settings=Settings(busy_wait_ms=50))


# No room


@contextlib.contextmanager
def no_room(m: MemoryClient, spare_pages: int) -> Iterator[None]:
    """Let the file of a client grow by so many pages, and no more, whatever it opens meanwhile."""
    store = m._parts.store
    with store.connections.read(lambda db: db) as db:
        (pages,) = db.execute("PRAGMA page_count").fetchone()
        db.execute(f"PRAGMA max_page_count = {pages + spare_pages}")
    yield
    with store.connections.read(lambda db: db) as db:
        db.execute("PRAGMA max_page_count = 1000000")


WRITES: dict[str, Callable[[MemoryClient, str], object]] = {
    "add": lambda m, _: m.add("x" * 100_000),
    "add_many": lambda m, _: m.add_many({"content": f"note {n} {'x' * 500}"} for n in range(500)),
    "update": lambda m, first: m.update(first, content="y" * 100_000),
}


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("spare_pages", [0, 5])
def test_without_room_nothing_is_half_written(
    m: MemoryClient, write: str, spare_pages: int
) -> None:
    first = m.add("tea at four")
    before = m.browse()

    with no_room(m, spare_pages), pytest.raises(StoreFull, match="nothing was written"):
        WRITES[write](m, first.id)

    assert m.browse() == before
    assert m.search("tea").ids == (first.id,)
    assert m.admin.check() == []
    WRITES[write](m, first.id)
    m.add("life goes on")
    assert m.admin.check() == []


def test_without_room_for_a_log_reads_work_and_writes_say_so(tmp_path: Path) -> None:
    """The operating system lets no file of the process grow: the log cannot, nor the file."""
    code = """
import resource, sys
from agent_memory_os import MemoryClient, StoreError
with MemoryClient(sys.argv[1]) as m:
    m.add("tea")
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
    said = set()
    for n in range(300):
        try:
            m.add(f"note {n} " + "x" * 5_000)
        except StoreError as error:
            said.add(type(error).__name__)
    assert said <= {"StoreFull", "StoreError"} and said, said
    assert len(m.search("tea")) == 1
"""
    path = tmp_path / "memory.db"
    with MemoryClient(path):
        pass

    subprocess.run([sys.executable, "-c", code, path], check=True)

    with MemoryClient(path) as m:
        m.add("life goes on")
        assert m.admin.check() == []
