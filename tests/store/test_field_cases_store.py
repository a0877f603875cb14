"""Faults that users of memory systems met in the field, in what keeps the memories."""

import asyncio
import multiprocessing
import os
import resource
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent_memory_os import (
    AgentMemoryError,
    MemoryClient,
    Settings,
    StoreError,
    StoreUnsupported,
)
from agent_memory_os.store.sqlite import SqliteStore, place
from agent_memory_os.testing import FakeClock, FakeEmbedder


def raw(path: Path, *statements: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        return [row for statement in statements for row in db.execute(statement).fetchall()]


# concurrency


def maintain(path: str, started: object, stop: object) -> None:
    """Make the indexes anew, check and repair, until told to stop."""
    with MemoryClient(path, settings=Settings(busy_wait_ms=60_000)) as m:
        while not stop.is_set():
            m.rebuild_indexes()
            started.set()
            m.admin.check()
            m.admin.repair()


@pytest.mark.parametrize("memories", [1_500, pytest.param(20_000, marks=pytest.mark.slow)])
def test_fc_039_writes_go_on_while_maintenance_runs(tmp_path: Path, memories: int) -> None:
    path = tmp_path / "memory.db"
    spawn = multiprocessing.get_context("spawn")
    started, stop = spawn.Event(), spawn.Event()
    with MemoryClient(path) as m:
        m.add_many({"content": f"note {n} about the harbour"} for n in range(memories))
        maintenance = spawn.Process(target=maintain, args=(str(path), started, stop))
        maintenance.start()
        started.wait()

        ids = [m.add(f"finding {n}").id for n in range(100)]

        stop.set()
        maintenance.join()
        assert maintenance.exitcode == 0
        assert len(m.get_many(ids)) == 100
        assert m.admin.check() == []


@pytest.mark.parametrize("place_", ["file", "memory"])
def test_fc_041_a_client_that_one_thread_made_is_used_by_others(
    tmp_path: Path, place_: str
) -> None:
    def work(m: MemoryClient, number: int) -> None:
        for n in range(10):
            added = m.add(f"finding {number} {n}")
            m.search(f"finding {number}")
            m.update(added.id, content=f"changed {number} {n}")
            if n % 2:
                m.delete(added.id)

    async def by_tasks(m: MemoryClient) -> None:
        await asyncio.gather(*(asyncio.to_thread(work, m, number) for number in range(8, 12)))

    with MemoryClient(":memory:" if place_ == "memory" else tmp_path / "memory.db") as m:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: work(m, number), range(8)))
        asyncio.run(by_tasks(m))

        assert m.admin.stats().by_state == {"active": 60, "deleted": 60}
        assert m.admin.check() == []


# storage-durability


@pytest.mark.capability("AMOS-127")
@pytest.mark.parametrize("is_new", [True, False], ids=["new", "there already"])
def test_fc_047_a_network_file_system_is_refused_and_nothing_is_touched(
    tmp_path: Path, is_new: bool
) -> None:
    path = tmp_path / "memory.db"
    if not is_new:
        MemoryClient(path).close()
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}

    with pytest.raises(StoreUnsupported, match=r"network file system \(nfs4\).*local disk"):
        SqliteStore(
            str(path), settings=Settings(), clock=FakeClock(), file_system=lambda path: "nfs4"
        )

    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


def test_fc_047_the_file_system_is_that_of_the_innermost_mount() -> None:
    mounts = """\
/dev/a / ext4 rw 0 0
server:/export /srv/share nfs4 rw 0 0
/dev/b /srv/share/local\\040disk xfs rw 0 0
"""
    kinds = {
        where: place.kind_of(where, mounts.splitlines())
        for where in (
            "/home/memory.db",
            "/srv/shared/memory.db",
            "/srv/share/memory.db",
            "/srv/share/local disk/memory.db",
        )
    }

    assert list(kinds.values()) == ["ext4", "ext4", "nfs4", "xfs"]


def test_fc_047_where_nobody_tells_the_file_system_it_is_taken_as_local(tmp_path: Path) -> None:
    SqliteStore(
        str(tmp_path / "memory.db"),
        settings=Settings(),
        clock=FakeClock(),
        file_system=lambda path: None,
    ).close()


# index-consistency


def test_fc_067_a_corrected_memory_is_found_by_its_new_words_alone(tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "memory.db", embed=FakeEmbedder()) as m:
        added = m.add("Ines works at Larch Ltd")

        m.update(added.id, content="Ines works at Fjord GmbH")

        assert m.search("Fjord").ids == (added.id,)
        assert m.search("Larch", strategy="keyword").ids == ()
        assert [hit.content for hit in m.search("Ines employer")] == ["Ines works at Fjord GmbH"]
        assert m.search("Ines works at Fjord GmbH", strategy="vector").ids == (added.id,)
        assert m.admin.check() == []


LEAVE: dict[str, Callable[[MemoryClient, str], object]] = {
    "deleted": lambda m, memory_id: m.delete(memory_id, requester_agent_id="bob"),
    "forgotten": lambda m, memory_id: m.forget(memory_id, requester_agent_id="bob"),
    "forgotten with its subject": lambda m, _: m.admin.forget_subject("user:b"),
    "forgotten with its owner": lambda m, _: m.admin.forget_owner("bob"),
}


@pytest.mark.parametrize("leave", LEAVE)
def test_fc_069_what_left_has_no_links_and_no_index_entries(m: MemoryClient, leave: str) -> None:
    a = m.add("first of a chain", owner="ann", visibility=["global"])
    b = m.add("second of a chain", owner="bob", subject="user:b", visibility=["global"])
    c = m.add("third of a chain", owner="ann", visibility=["global"])
    m.link(a.id, b.id, requester_agent_id="ann")
    m.link(b.id, c.id, requester_agent_id="ann")

    LEAVE[leave](m, b.id)

    assert m.neighbors(a.id, depth=5) == []
    assert b.id not in m.search("second chain").ids
    assert b.id not in m.search("chain", strategy="resonance").ids
    assert m.admin.check() == []


def test_fc_069_what_has_expired_has_no_links_in_any_read() -> None:
    clock = FakeClock()
    with MemoryClient(":memory:", clock=clock) as m:
        a, b = m.add("first of a chain"), m.add("second of a chain", ttl=timedelta(hours=1))
        m.link(a.id, b.id)

        clock.advance(hours=2)

        assert m.neighbors(a.id) == []
        assert m.search("chain").ids == (a.id,)
        assert m.admin.check() == []


def test_fc_071_what_is_written_again_by_its_name_is_found_by_its_new_words_alone(
    m: MemoryClient,
) -> None:
    for word in ("walnut", "pecan"):
        m.add_many({"content": f"{word} number {n}", "key": f"k{n}"} for n in range(20))

    assert m.search("walnut", strategy="keyword").ids == ()
    assert len(m.search("pecan", limit=100)) == 20
    assert m.admin.stats().memories == 20
    assert m.admin.check() == []


def test_fc_073_a_row_that_was_written_behind_the_index_is_found_after_a_rebuild(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        m.add("the harbour opens at six")
        columns = ", ".join(
            str(row[1]) for row in raw(path, "PRAGMA table_info(memories)") if row[1] != "id"
        )
        values = columns.replace("stamp", "7").replace("content", "'a walnut tree'")
        raw(path, f"INSERT INTO memories({columns}) SELECT {values} FROM memories")
        assert m.search("walnut").ids == ()
        assert m.admin.check() != []

        assert m.rebuild_indexes() == 2

        assert [hit.content for hit in m.search("walnut")] == ["a walnut tree"]
        assert m.admin.check() == []


def test_fc_075_an_update_touches_what_it_names_and_nothing_else() -> None:
    clock = FakeClock()
    with MemoryClient(":memory:", clock=clock) as m:
        m.org.create_team("p")
        m.org.add_team_member("p", "u1")
        before = m.add(
            "x",
            owner="u1",
            subject="user:ines",
            visibility=["team:p"],
            tags=["t"],
            metadata={"k": 1},
            actor="user:ines",
            session="s",
            key="name",
            importance=0.9,
            confidence=0.7,
            valid_from=datetime(2020, 1, 1, tzinfo=UTC),
            ttl=timedelta(days=9),
        ).memory
        clock.advance(hours=1)

        after = m.update(before.id, content="y", requester_agent_id="u1").memory

        changed = {
            name for name, value in before.to_dict().items() if after.to_dict()[name] != value
        }
        assert changed == {"content", "version", "updated_ms"}
        assert after.updated_ms > before.updated_ms
        assert m.get(before.id, requester_agent_id="u1") == after


# scale


@pytest.mark.slow
def test_fc_169_a_search_of_100_000_memories_is_bounded_in_time_and_memory(tmp_path: Path) -> None:
    words = [f"w{n:05}" for n in range(20_000)]
    with MemoryClient(tmp_path / "memory.db") as m:
        for batch in range(20):
            m.add_many(
                {
                    "content": " ".join(
                        words[(n * 37 + batch * 7 + k * k) % 20_000] for k in range(9)
                    ),
                    "subject": f"user:u{n % 100}",
                    "visibility": ["global"],
                }
                for n in range(5_000)
            )
        m.search("w00001 w00002")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        took = []
        for n in range(50):
            started = time.perf_counter()
            m.search(f"{words[n * 101]} {words[n * 7]}", subject=f"user:u{n}")
            m.search(f"{words[n * 101]} {words[n * 7]}")
            took.append((time.perf_counter() - started) / 2)
        grown_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before

    assert sorted(took)[47] < 0.3
    assert grown_kb < 200_000


@pytest.mark.parametrize(
    ("narrowed", "index"),
    [({"subject": "user:u3"}, "memories_subject"), ({"owner": "bot3"}, "memories_owner")],
)
def test_fc_169_a_filter_by_owner_or_subject_uses_its_index(
    tmp_path: Path, narrowed: dict[str, str], index: str
) -> None:
    seen: list[str] = []
    with MemoryClient(tmp_path / "memory.db") as m:
        m.add_many(
            {"content": f"note {n}", "subject": f"user:u{n % 50}", "owner": f"bot{n % 50}"}
            for n in range(200)
        )
        with m._parts.store.connections.read(lambda db: db) as db:
            db.set_trace_callback(seen.append)
        m.browse(requester_agent_id="bot3", **narrowed)
        with m._parts.store.connections.read(lambda db: db) as db:
            db.set_trace_callback(None)
            (statement,) = [each for each in seen if "FROM memories" in each]
            plan = " ".join(str(row[3]) for row in db.execute(f"EXPLAIN QUERY PLAN {statement}"))

    assert index in plan


def test_fc_171_recalling_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        added = m.add_many({"content": f"note {n} about the harbour"} for n in range(50))
        before = {end: Path(f"{path}{end}").read_bytes() for end in ("", "-wal")}

        for n in range(300):
            m.search(f"harbour note {n}")
            m.context_pack("harbour")
            m.get(added[n % 50].id)

        assert {end: Path(f"{path}{end}").read_bytes() for end in before} == before
        tables = raw(path, "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
        counted = {str(name): raw(path, f"SELECT count(*) FROM {name}") for (name,) in tables}
        for _ in range(100):
            m.record_recall([added[0].id])
        assert {str(name): raw(path, f"SELECT count(*) FROM {name}") for (name,) in tables} == (
            counted
        )


# windows-platform


def descriptors(folder: Path) -> list[str]:
    """Return the files of a folder that this process has open."""
    found = []
    for each in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            target = os.readlink(each)
            found += [target] if target.startswith(f"{folder}/") else []
    return found


def use(folder: Path) -> None:
    m = MemoryClient(folder / "memory.db")
    m.add("tea")
    m.search("tea")
    m.close()


def use_as_a_context(folder: Path) -> None:
    with MemoryClient(folder / "memory.db") as m, suppress(AgentMemoryError):
        m.add("")


def fail_to_open(folder: Path) -> None:
    MemoryClient(folder / "memory.db").close()
    for damage in ("PRAGMA user_version = 99", "PRAGMA application_id = 7"):
        raw(folder / "memory.db", damage)
        with pytest.raises(StoreError):
            MemoryClient(folder / "memory.db")
    for content in (b"a text" * 1_000, b""):
        (folder / "memory.db").write_bytes(content)
        with pytest.raises(StoreError):
            MemoryClient(folder / "memory.db")


def administer(folder: Path) -> None:
    with MemoryClient(folder / "memory.db") as m:
        m.add("tea")
        made = m.admin.backup(folder / "copy.db")
        m.admin.restore_backup(made.path, force=True)
        m.admin.check()
        m.admin.repair()
        m.rebuild_indexes()
        m.forget(m.add("coffee").id, verify=True)
    (folder / "copy.db").write_text("notes")
    with MemoryClient(folder / "memory.db") as m, pytest.raises(StoreError):
        m.admin.restore_backup(folder / "copy.db", force=True)


def fail_in_a_fleet_file(folder: Path) -> None:
    (folder / "agents.toml").write_text("[agents", encoding="utf-8")
    with pytest.raises(AgentMemoryError):
        MemoryClient(home=folder)


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="nobody tells what is open here")
@pytest.mark.parametrize(
    "act", [use, use_as_a_context, fail_to_open, administer, fail_in_a_fleet_file]
)
def test_fc_173_no_descriptor_stays_open(tmp_path: Path, act: Callable[[Path], None]) -> None:
    act(tmp_path)

    assert descriptors(tmp_path) == []
    for each in tmp_path.iterdir():  # so that each can be deleted and replaced
        assert not each.name.endswith(("-wal", "-shm", "-journal"))


UTF_8 = """
import sys
from agent_memory_os import MemoryClient
from agent_memory_os.testing import memory_client
home = sys.argv[1]
open(home + "/agents.toml", "w", encoding="utf-8").write('[agents.bot]\\nkind = "größe"\\n')
with MemoryClient(home=home) as m:
    m.add("größe 部署", tags=["größe"])
    m.search("部署")
    m.context_pack("größe", format="json")
    m.admin.backup(home + "/copy.db")
    m.admin.restore_backup(home + "/copy.db", force=True)
    m.admin.check()
    m.forget(m.add("größe").id, verify=True)
    m.capabilities()
"""


def test_fc_175_no_file_is_opened_in_the_encoding_of_the_machine(tmp_path: Path) -> None:
    options = ["-X", "warn_default_encoding", "-W", "error::EncodingWarning"]

    done = subprocess.run(
        [sys.executable, *options, "-c", UTF_8, str(tmp_path)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )

    assert done.stderr == ""
