"""Backups are checked copies of one moment; a restore is one or the other, and revives nothing."""

import contextlib
import multiprocessing
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from agent_memory_os import (
    Backup,
    InvalidInput,
    MemoryClient,
    Settings,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreTooNew,
)
from agent_memory_os.store.sqlite import Pen, SqliteStore, schema
from agent_memory_os.store.sqlite.connect import Connection
from agent_memory_os.testing import FakeClock, FakeEmbedder


def raw(path: Path | str, *statements: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        return [row for statement in statements for row in db.execute(statement).fetchall()]


def contents(m: MemoryClient) -> set[str]:
    return {memory.content for memory in m.browse(limit=1_000)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return an empty folder for backups."""
    made = tmp_path / "backups"
    made.mkdir()
    return made


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of a store with 20 memories, closed."""
    store = tmp_path / "memory.db"
    with MemoryClient(store) as m:
        m.add_many({"content": f"note {n} about tea"} for n in range(20))
    return store


# Backup


@pytest.mark.capability("AMOS-066")
def test_fc_049_a_backup_holds_what_the_log_holds_and_is_one_file(
    tmp_path: Path, folder: Path
) -> None:
    with MemoryClient(tmp_path / "memory.db") as m:
        m.add_many({"content": f"note {n}"} for n in range(10))

        made = m.admin.backup(folder / "copy.db")

    assert made == Backup(str(folder / "copy.db"), made.bytes, 10, 1)
    assert made.bytes == (folder / "copy.db").stat().st_size
    assert os.listdir(folder) == ["copy.db"]
    assert raw(folder / "copy.db", "PRAGMA integrity_check", "PRAGMA journal_mode") == [
        ("ok",),
        ("delete",),
    ]


@pytest.mark.capability("AMOS-066")
def test_fc_049_another_process_backs_up_what_is_open_here(path: Path, folder: Path) -> None:
    code = "import sys; from agent_memory_os import MemoryClient as M; M(sys.argv[1]).admin.backup"
    with MemoryClient(path) as m:
        m.add("what only the log holds")

        subprocess.run(
            [sys.executable, "-c", f"{code}(sys.argv[2])", str(path), str(folder / "copy.db")],
            check=True,
        )

    with MemoryClient(folder / "copy.db") as copy:
        assert len(copy.browse(limit=100)) == 21
        assert copy.admin.check() == []


def test_a_backup_is_a_store_that_can_be_used(m: MemoryClient, folder: Path) -> None:
    kept = m.add("tea at four", visibility=["global"], tags=["time"])

    made = m.admin.backup(folder)

    with MemoryClient(made.path) as copy:
        assert copy.get(kept.id) == kept.memory
        assert copy.search("tea").ids == (kept.id,)
        copy.add("only in the copy")
        assert copy.admin.check() == []
    assert m.search("only in the copy").ids == ()


@pytest.mark.capability("AMOS-066")
def test_others_write_while_a_backup_is_made_and_it_is_of_one_moment(
    path: Path, folder: Path
) -> None:
    """Each write adds two memories: half of one would be an odd number."""
    stop = threading.Event()
    with MemoryClient(path) as m, MemoryClient(path) as other:

        def write() -> None:
            while not stop.is_set():
                other.add_many([{"content": "one"}, {"content": "two"}])

        writer = threading.Thread(target=write)
        writer.start()
        made = [m.admin.backup(folder) for _ in range(5)]
        stop.set()
        writer.join()

        counts = [each.memories for each in made]
        assert counts == sorted(counts)
        assert [count % 2 for count in counts] == [0] * 5
        assert m.admin.check() == []


def test_a_backup_in_a_folder_is_named_after_the_store_and_the_moment(
    tmp_path: Path, folder: Path
) -> None:
    with MemoryClient(tmp_path / "team.db", clock=FakeClock()) as m:
        names = [Path(m.admin.backup(folder).path).name for _ in range(3)]

    assert names == [
        "team-20260101T000000Z.db",
        "team-20260101T000000Z-2.db",
        "team-20260101T000000Z-3.db",
    ]


def test_a_folder_that_is_named_as_one_is_made(path: Path, tmp_path: Path) -> None:
    with MemoryClient(path) as m:
        made = m.admin.backup(f"{tmp_path}/new/folder/")

    assert Path(made.path).parent == tmp_path / "new" / "folder"


@pytest.mark.capability("AMOS-067")
def test_the_oldest_of_the_series_make_room(tmp_path: Path, folder: Path) -> None:
    clock = FakeClock()
    with MemoryClient(tmp_path / "memory.db", clock=clock) as m:
        made = []
        for _ in range(5):
            clock.advance(days=1)
            made.append(m.admin.backup(folder, keep=2))

    assert [each.removed for each in made] == [(), (), *[(each.path,) for each in made[:3]]]
    assert sorted(os.listdir(folder)) == [
        "memory-20260105T000000Z.db",
        "memory-20260106T000000Z.db",
    ]


@pytest.mark.capability("AMOS-067")
def test_a_clock_that_goes_back_does_not_have_the_new_one_removed(
    tmp_path: Path, folder: Path
) -> None:
    clock = FakeClock()
    with MemoryClient(tmp_path / "memory.db", clock=clock) as m:
        m.admin.backup(folder)
        clock.advance(days=-1)

        made = m.admin.backup(folder, keep=1)

    assert os.listdir(folder) == [Path(made.path).name]


@pytest.mark.capability("AMOS-067")
def test_what_is_no_backup_of_this_store_is_never_removed(tmp_path: Path, folder: Path) -> None:
    live = folder / "memory-20200101T000000Z.db"  # a store that somebody works with, in the folder
    with MemoryClient(live, clock=FakeClock()) as m, MemoryClient(tmp_path / "memory.db") as other:
        stem = "memory-20200101T000000Z"
        others = Path(other.admin.backup(folder / f"{stem}-{stem[7:]}.db").path)
        foreign = folder / f"{stem}-20200102T000000Z.db"
        foreign.write_text("notes of somebody")
        theirs = folder / f"{stem}-20200103T000000Z.db"
        raw(theirs, "CREATE TABLE theirs(a)")
        in_use = Path(m.admin.backup(folder / f"{stem}-20200104T000000Z.db").path)
        another_series = Path(m.admin.backup(folder / "weekly-20200101T000000Z.db").path)
        old = m.admin.backup(folder / f"{stem}-20200105T000000Z.db")
        with MemoryClient(in_use):
            made = m.admin.backup(folder, keep=1)

        assert made.removed == (old.path,)
        for kept in (live, others, foreign, theirs, in_use, another_series):
            assert kept.exists()
        assert foreign.read_text() == "notes of somebody"


def test_what_a_killed_backup_left_is_swept_when_it_is_old(path: Path, folder: Path) -> None:
    old, new = folder / "memory-1.db.1-2.part", folder / "memory-2.db.1-2.part"
    for each in (old, new):
        each.write_bytes(b"half")
    os.utime(old, (0, 0))

    with MemoryClient(path) as m:
        m.admin.backup(folder)

    assert (old.exists(), new.exists()) == (False, True)


REFUSED = {
    "the store itself": ("memory.db", {}),
    "a file that exists": ("notes.txt", {}),
    "a series without a folder": ("copy.db", {"keep": 2}),
    "none to keep": (".", {"keep": 0}),
    "no place": ("", {}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_backup_replaces_nothing(path: Path, tmp_path: Path, case: str) -> None:
    name, options = REFUSED[case]
    (tmp_path / "notes.txt").write_text("notes")
    with MemoryClient(path) as m:
        before = sorted(os.listdir(tmp_path))

        with pytest.raises(InvalidInput):
            m.admin.backup(name and str(tmp_path / name), **options)

        assert sorted(os.listdir(tmp_path)) == before


def test_a_folder_that_is_not_there_is_an_error(path: Path, tmp_path: Path) -> None:
    with MemoryClient(path) as m, pytest.raises(StoreError, match="does not exist"):
        m.admin.backup(tmp_path / "none" / "copy.db")


def test_whoever_cannot_read_the_store_cannot_read_its_backup(path: Path, folder: Path) -> None:
    path.chmod(0o600)

    with MemoryClient(path) as m:
        made = m.admin.backup(folder)

    assert stat.S_IMODE(os.stat(made.path).st_mode) == 0o600


@pytest.mark.capability("AMOS-066")
def test_an_unsound_store_makes_no_backup_and_removes_none(path: Path, folder: Path) -> None:
    with MemoryClient(path) as m:
        good = m.admin.backup(folder, keep=1)
        raw(path, "DROP TABLE history")

        with pytest.raises(StoreCorrupt, match=r"history.*not kept.*check"):
            m.admin.backup(folder, keep=1)

    assert os.listdir(folder) == [Path(good.path).name]


def test_a_store_whose_index_is_lost_is_backed_up_and_says_so(path: Path, folder: Path) -> None:
    with MemoryClient(path) as m:
        raw(path, "DROP TABLE words_data")

        made = m.admin.backup(folder / "copy.db")

        assert {each.kind for each in made.findings} == {"word-index"}
        m.admin.restore_backup(made.path, force=True)
        assert len(m.search("tea")) == 10
        assert m.admin.check() == []


def test_progress_is_told_and_cannot_break_a_backup(m: MemoryClient, folder: Path) -> None:
    m.add_many({"content": f"note {n} {'x' * 500}"} for n in range(300))
    steps: list[tuple[int, int]] = []

    def tell(done: int, total: int) -> None:
        steps.append((done, total))
        if len(steps) == 3:
            raise ValueError

    made = m.admin.backup(folder, progress=lambda *step: steps.append(step))
    assert steps[-1][0] == steps[-1][1]
    assert steps == sorted(steps)
    steps.clear()
    again = m.admin.backup(folder, progress=tell)

    assert len(steps) == 3
    assert again.memories == made.memories == 300


def test_an_interrupted_backup_leaves_nothing(path: Path, folder: Path) -> None:
    store = SqliteStore(str(path), settings=Settings(), clock=FakeClock())

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.backup(str(folder), keep=None, tell=interrupt)

    assert os.listdir(folder) == []
    assert store.check() == []
    store.close()


def test_a_full_disk_makes_no_backup(path: Path, folder: Path) -> None:
    """The limit is of the operating system: no file of the process may be larger."""
    code = """
import resource, sys
from agent_memory_os import MemoryClient, StoreError
with MemoryClient(sys.argv[1]) as m:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    try:
        m.admin.backup(sys.argv[2])
    except StoreError as error:
        print(type(error).__name__)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(path), str(folder)],
        capture_output=True,
        text=True,
        check=True,
    )

    assert done.stdout.strip() in {StoreFull.__name__, StoreError.__name__}
    assert os.listdir(folder) == []


# Restore


@pytest.mark.capability("AMOS-068")
def test_a_restore_brings_back_the_moment_of_the_backup(m: MemoryClient, folder: Path) -> None:
    m.org.create_team("apollo")
    first = m.add("tea at four", subject="user:alice", visibility=["team:apollo", "global"][1:])
    second = m.add("rain at five")
    m.link(first.id, second.id)
    made = m.admin.backup(folder)
    m.update(first.id, content="coffee at four")
    m.add("written since")
    m.org.delete_team("apollo")

    restored = m.admin.restore_backup(made.path, force=True)

    assert (restored.memories, restored.kept_deleted, restored.kept_forgotten) == (2, 0, 0)
    assert contents(m) == {"tea at four", "rain at five"}
    assert m.search("tea").ids[0] == first.id
    assert [team.id for team in m.org.teams()] == ["apollo"]
    assert len(m.neighbors(first.id)) == 1
    assert [entry.action for entry in m.org.audit(limit=2)] == ["restore backup", "create team"]
    assert m.admin.check() == []


@pytest.mark.capability("AMOS-068")
def test_memories_are_replaced_only_by_force(m: MemoryClient, folder: Path) -> None:
    made = m.admin.backup(folder)
    m.add("written since")

    with pytest.raises(InvalidInput, match=r"holds 1 memories.*force=True"):
        m.admin.restore_backup(made.path)

    assert contents(m) == {"written since"}


def test_an_empty_store_needs_no_force(path: Path, tmp_path: Path) -> None:
    with MemoryClient(path) as m:
        made = m.admin.backup(tmp_path / "copy.db")
    with MemoryClient(tmp_path / "new.db") as new:
        assert new.admin.restore_backup(made.path).memories == 20
        assert new.admin.check() == []
        assert len(new.search("tea")) == 10


@pytest.mark.capability("AMOS-068")
def test_what_was_deleted_or_forgotten_since_stays_so(m: MemoryClient, folder: Path) -> None:
    kept = m.add("a kept walnut")
    deleted, forgotten = m.add("a deleted pecan"), m.add("a forgotten hazelnut")
    derived = m.add("derived of a hazelnut")
    m.link(derived.id, forgotten.id, relation="derived_from")
    made = m.admin.backup(folder)
    m.delete(deleted.id)
    m.forget(forgotten.id)

    for _ in range(2):
        restored = m.admin.restore_backup(made.path, force=True)

        assert contents(m) == {"a kept walnut"}
        assert (restored.kept_deleted, restored.kept_forgotten) == (1, 2)
        assert restored.pending == ""
        assert m.search("pecan hazelnut").ids == ()
        assert m.history(deleted.id)[-1].kind == "delete"
        assert m.history(forgotten.id) == []
        assert m.get(kept.id) == kept.memory
        assert m.admin.check() == []


def test_no_byte_of_what_was_forgotten_comes_back(path: Path, folder: Path) -> None:
    with MemoryClient(path) as m:
        forgotten = m.add("the Quetzalcoatl dossier", tags=["xylophone"])
        made = m.admin.backup(folder)
        m.forget(forgotten.id)

        m.admin.restore_backup(made.path, force=True)

        files = [each.read_bytes().lower() for each in path.parent.glob("memory.db*")]
        assert [word for word in (b"quetzalcoatl", b"xylophone") for f in files if word in f] == []


def test_what_was_remembered_as_forgotten_binds_what_the_backup_has_of_it(
    path: Path, tmp_path: Path, folder: Path
) -> None:
    with MemoryClient(path) as m:
        first = m.add("Alice lives in Lisbon", subject="user:alice")
        made = m.admin.backup(folder)
        m.forget(first.id, remember=True)
    with MemoryClient(made.path) as copy:  # told once more, to the copy, before it was forgotten
        copy.forget(first.id)
        raw(made.path, "DELETE FROM tombstones", "DELETE FROM purges")
        copy.add("Alice lives in Lisbon", subject="user:alice")
        raw(made.path, "UPDATE memories SET created = 1 WHERE content LIKE 'Alice%'")
    with MemoryClient(path) as m:
        restored = m.admin.restore_backup(made.path, force=True)

        assert restored.kept_forgotten == 1
        assert m.search("Alice Lisbon").ids == ()
        m.add("Alice lives in Lisbon", subject="user:alice")
        assert len(m.search("Alice Lisbon")) == 1
        assert m.admin.check() == []


def test_fc_051_a_log_that_was_left_is_not_replayed_over_a_backup(
    tmp_path: Path, folder: Path
) -> None:
    with MemoryClient(tmp_path / "b.db") as b:
        b.add_many([{"content": "first of b"}, {"content": "second of b"}])
        made = b.admin.backup(folder)
    killed = """
import os, sys
from agent_memory_os import MemoryClient
m = MemoryClient(sys.argv[1])
for n in range(5):
    m.add(f"note {n} of a")
os._exit(9)
"""
    subprocess.run([sys.executable, "-c", killed, str(tmp_path / "a.db")], check=False)
    assert (tmp_path / "a.db-wal").stat().st_size > 0

    with MemoryClient(tmp_path / "a.db") as a:
        a.admin.restore_backup(made.path, force=True)

    with MemoryClient(tmp_path / "a.db") as a:
        assert contents(a) == {"first of b", "second of b"}
        assert a.admin.check() == []


def test_fc_051_a_backup_that_was_copied_by_hand_beside_a_log_is_refused(
    path: Path, folder: Path
) -> None:
    with MemoryClient(path) as m:
        made = m.admin.backup(folder)
        m.add("what the log holds")
        log = Path(f"{path}-wal").read_bytes()
    shutil.copy(made.path, path)
    Path(f"{path}-wal").write_bytes(log)
    before = path.read_bytes()

    with pytest.raises(StoreCorrupt, match="log of another file"):
        MemoryClient(path)

    assert path.read_bytes() == before
    Path(f"{path}-wal").unlink()
    with MemoryClient(path) as m:
        assert len(contents(m)) == 20


def watch(path: str, ready: object, results: object) -> None:
    """Count the memories again and again, until there are 20."""
    counts, errors = set(), []
    with MemoryClient(path) as m:
        ready.set()
        while not errors and 20 not in counts:
            try:
                counts |= {len(m.browse(limit=1_000)), m.admin.stats().memories}
            except Exception as error:
                errors.append(repr(error))
    results.put((counts, errors))


def test_another_process_sees_the_old_or_the_new(path: Path, folder: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    ready, results = spawn.Event(), spawn.Queue()
    with MemoryClient(path) as m:
        made = m.admin.backup(folder)
        m.add_many({"content": f"written since {n} {'x' * 200}"} for n in range(380))
        watcher = spawn.Process(target=watch, args=(str(path), ready, results))
        watcher.start()
        ready.wait()

        m.admin.restore_backup(made.path, force=True)

        counts, errors = results.get()
        watcher.join()
    assert errors == []
    assert counts in ({20}, {400, 20})


def test_a_reader_keeps_the_state_that_it_reads(path: Path, folder: Path) -> None:
    with MemoryClient(path) as m, closing(sqlite3.connect(path, isolation_level=None)) as reader:
        made = m.admin.backup(folder)
        m.add("written since")
        reader.execute("BEGIN")
        before = reader.execute("SELECT count(*) FROM memories").fetchone()

        restored = m.admin.restore_backup(made.path, force=True)

        assert reader.execute("SELECT count(*) FROM memories").fetchone() == before == (21,)
        assert len(contents(m)) == restored.memories == 20


def fill_with_names(path: Path, names: str) -> None:
    """Make teams, agents, subjects and memories of these names, which get numbers in this order."""
    with MemoryClient(path) as m:
        for name in names:
            m.org.create_team(name)
            m.org.add_team_member(name, f"{name}-bot")
            m.add(f"of {name}", owner=f"{name}-bot", visibility=[f"team:{name}"])
            m.add(f"about {name}", owner=f"{name}-bot", subject=f"user:{name}", session=name)


def test_what_clients_know_of_names_is_looked_up_again(tmp_path: Path, folder: Path) -> None:
    """The numbers that stand for names mean other names in the other store, as old as this one."""
    a, b = tmp_path / "a.db", tmp_path / "b.db"
    fill_with_names(a, "xyz")
    fill_with_names(b, "zxy")
    with MemoryClient(b) as m:
        made = m.admin.backup(folder)

    with MemoryClient(a) as m, MemoryClient(a) as other:
        for name in "xyz":
            other.browse(requester_agent_id=f"{name}-bot")
        assert raw(a, "SELECT epoch FROM state") == raw(b, "SELECT epoch FROM state")

        m.admin.restore_backup(made.path, force=True)

        for name in "xyz":
            found = other.browse(requester_agent_id=f"{name}-bot")
            assert [(e.content, e.owner, e.subject, e.session) for e in found] == [
                (f"about {name}", f"{name}-bot", f"user:{name}", name),
                (f"of {name}", f"{name}-bot", None, None),
            ]


def test_a_store_opens_though_its_log_still_holds_the_restore(path: Path, folder: Path) -> None:
    with MemoryClient(path) as m, closing(sqlite3.connect(path, isolation_level=None)) as reader:
        made = m.admin.backup(folder)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memories").fetchone()
        m.admin.restore_backup(made.path, force=True)

        with MemoryClient(path) as other:
            assert len(contents(other)) == 20


def test_vectors_that_a_client_holds_are_those_of_the_backup(path: Path, folder: Path) -> None:
    """What is held of the memory lies far from the query; all the others lie nearer."""
    embed = FakeEmbedder()
    with MemoryClient(path, embed=embed) as m, MemoryClient(path, embed=embed) as other:
        first = m.add("red bicycle")
        m.add_many({"content": f"red wagon {n}"} for n in range(2_500))
        made = m.admin.backup(folder)
        m.update(first.id, content="a blue train")
        assert other.search("red bicycle", strategy="vector", limit=1).ids != (first.id,)

        m.admin.restore_backup(made.path, force=True)

        for client in (m, other):
            assert client.search("red bicycle", strategy="vector", limit=1).ids == (first.id,)


def test_a_newer_backup_is_refused_and_nothing_is_touched(path: Path, folder: Path) -> None:
    with MemoryClient(path) as m:
        made = m.admin.backup(folder)
        raw(made.path, "PRAGMA user_version = 999")

        with pytest.raises(StoreTooNew, match="999"):
            m.admin.restore_backup(made.path, force=True)

        assert len(contents(m)) == 20


def add_shelf(db: sqlite3.Connection) -> None:
    db.execute("CREATE TABLE shelf(book TEXT)")


@pytest.mark.capability("AMOS-065", "AMOS-068")
def test_an_older_backup_is_brought_forward(path: Path, tmp_path: Path, folder: Path) -> None:
    with MemoryClient(path) as m:
        made = m.admin.backup(folder)
    steps = (*schema.STEPS, add_shelf)
    store = SqliteStore(
        str(tmp_path / "newer.db"), settings=Settings(), clock=FakeClock(), steps=steps
    )

    restored = store.restore_backup(made.path, force=False, by="local")

    store.close()
    assert (restored.schema, restored.memories) == (1, 20)
    assert raw(tmp_path / "newer.db", "PRAGMA user_version", "SELECT count(*) FROM shelf") == [
        (2,),
        (0,),
    ]
    assert raw(made.path, "PRAGMA user_version") == [(1,)]


NO_BACKUP = {
    "there is none": lambda path: path.unlink(),
    "it is a folder": lambda path: (path.unlink(), path.mkdir()),
    "it is a text": lambda path: path.write_text("notes"),
    "it is empty": lambda path: path.write_bytes(b""),
    "it is cut off": lambda path: path.write_bytes(path.read_bytes()[:40_000]),
    "it is of another application": lambda path: raw(path, "PRAGMA application_id = 7"),
    "it lost its memories": lambda path: raw(path, "DROP TABLE memories"),
    "it lost its links": lambda path: raw(path, "DROP TABLE links"),
    "it is a database with nothing in it": lambda path: (
        path.unlink(),
        raw(path, "CREATE TABLE t(a)", "DROP TABLE t"),
    ),
}


@pytest.mark.parametrize("case", NO_BACKUP)
def test_what_is_no_sound_backup_is_refused_and_the_store_is_left(
    path: Path, folder: Path, case: str
) -> None:
    with MemoryClient(path) as m:
        made = Path(m.admin.backup(folder).path)
        NO_BACKUP[case](made)

        with pytest.raises(StoreError, match=made.name):
            m.admin.restore_backup(made, force=True)

        assert len(contents(m)) == 20
        assert m.admin.check() == []


def test_a_store_is_no_backup_of_itself(path: Path) -> None:
    with MemoryClient(path) as m, pytest.raises(InvalidInput, match="the store itself"):
        m.admin.restore_backup(path, force=True)


@pytest.mark.capability("AMOS-068")
def test_a_damaged_store_is_replaced_by_force(path: Path, folder: Path) -> None:
    with MemoryClient(path) as m:
        made = m.admin.backup(folder)
        raw(path, "DROP TABLE tombstones", "DROP TABLE words_data")

        with pytest.raises(StoreCorrupt, match=r"damaged.*force=True"):
            m.admin.restore_backup(made.path)
        restored = m.admin.restore_backup(made.path, force=True)

        assert (restored.memories, restored.kept_deleted, restored.kept_forgotten) == (
            20,
            None,
            None,
        )
        assert len(m.search("tea")) == 10
        assert m.admin.check() == []
    with MemoryClient(path) as m:
        assert m.admin.check() == []


def test_a_backup_with_pages_of_another_size_is_refused(path: Path, folder: Path) -> None:
    with MemoryClient(path) as m:
        made = m.admin.backup(folder)
        raw(made.path, "PRAGMA page_size = 8192", "VACUUM")

        with pytest.raises(StoreError, match="pages of 8192 bytes"):
            m.admin.restore_backup(made.path, force=True)

        assert len(contents(m)) == 20


@pytest.mark.parametrize("after", [1, 3, 10])
def test_a_restore_that_is_given_up_leaves_the_old(path: Path, folder: Path, after: int) -> None:
    with MemoryClient(path) as m:
        made = m.admin.backup(folder)
        m.add("written since")
    store = SqliteStore(str(path), settings=Settings(), clock=FakeClock())
    steps: list[int] = []

    def give_up(done: int, total: int) -> None:
        steps.append(done)
        if len(steps) == after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.restore_backup(made.path, force=True, by="local", tell=give_up)

    assert store.check() == []
    store.close()
    with MemoryClient(path) as m:
        assert len(contents(m)) == 21
        m.add("life goes on")


def test_a_writer_that_does_not_let_go_is_waited_for_and_named(path: Path, folder: Path) -> None:
    settings = Settings(busy_wait_ms=100)
    with (
        MemoryClient(path, settings=settings) as m,
        closing(sqlite3.connect(path, isolation_level=None)) as writer,
    ):
        made = m.admin.backup(folder)
        writer.execute("BEGIN IMMEDIATE")

        with pytest.raises(StoreBusy):
            m.admin.restore_backup(made.path, force=True)

        writer.execute("ROLLBACK")
        assert m.admin.restore_backup(made.path, force=True).memories == 20


class Overtaken(SqliteStore):
    """A store that somebody deletes from, each time after it was looked at for a restore."""

    def __init__(self, path: Path, times: int) -> None:
        super().__init__(str(path), settings=Settings(), clock=FakeClock())
        self.times, self.calls = times, 0

    @contextlib.contextmanager
    def _staging(self, db: Connection) -> Iterator[Pen]:
        with super()._staging(db) as pen:
            yield pen
        self.calls += 1
        if 1 < self.calls <= self.times + 1:  # the first writes to the audit
            with MemoryClient(self.path) as m:
                m.delete(m.browse(limit=1)[0].id)


def test_what_is_deleted_while_a_restore_is_made_ready_stays_deleted(
    path: Path, folder: Path
) -> None:
    with MemoryClient(path) as m:
        made = m.admin.backup(folder)
    store = Overtaken(path, times=2)

    restored = store.restore_backup(made.path, force=True, by="local")

    store.close()
    assert restored.kept_deleted == 2
    with MemoryClient(path) as m:
        assert len(contents(m)) == 18
        assert m.admin.check() == []


def test_a_restore_that_is_overtaken_each_time_gives_up(path: Path, folder: Path) -> None:
    with MemoryClient(path) as m:
        made = m.admin.backup(folder)
    store = Overtaken(path, times=99)

    with pytest.raises(StoreBusy, match="changed each time"):
        store.restore_backup(made.path, force=True, by="local")

    assert store.check() == []
    store.close()
