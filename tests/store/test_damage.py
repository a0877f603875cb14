"""Damage is found, named and mended where it can be; it is never an empty answer."""

import contextlib
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent_memory_os import MemoryClient, StoreCorrupt, StoreError
from agent_memory_os.testing import FakeClock

PAGE = 4096
Damage = Callable[[Path], None]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a closed store in one file, with something of everything in it."""
    path = tmp_path_factory.mktemp("sound") / "memory.db"
    with MemoryClient(path) as m:
        m.org.create_team("apollo")
        m.org.register_agent("neo", teams=["apollo"])
        m.org.create_project("moon", team="apollo")
        m.org.add_project_member("moon", "neo")
        receipts = m.add_many(
            {
                "content": f"walnut note {n} about the harbour, number {n % 7}",
                "subject": f"user:u{n % 5}",
                "session": f"s{n % 9}",
                "visibility": ["global"],
            }
            for n in range(1_200)
        )
        first, second = receipts[0].id, receipts[1].id
        m.add("shared with a team", owner="neo", visibility=["team:apollo"])
        m.add("a thing done once", idempotency_key="once")
        m.link(first, second)
        m.update(first, content="walnut note 0, changed")
        m.delete(m.add("to be deleted").id)
    return path


@pytest.fixture
def path(sound: Path, tmp_path: Path) -> Path:
    """Return a copy of the sound store, to be damaged."""
    return Path(shutil.copy(sound, tmp_path / "memory.db"))


def raw(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        for statement in statements:
            db.execute(statement)


def pages_of(path: Path, *names: str) -> list[int]:
    """Return the numbers of the pages of tables and indexes; of the root only where it is alone."""
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT name, pageno, path FROM dbstat ORDER BY pageno").fetchall()
    branched = {name for name, _, where in rows if where != "/"}
    return [
        number
        for name, number, where in rows
        if name in names and (where != "/" or name not in branched)
    ]


def overwrite(path: Path, at: int, content: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(content)


def zeroed(*names: str) -> Damage:
    def damage(path: Path) -> None:
        for number in pages_of(path, *names):
            overwrite(path, (number - 1) * PAGE, bytes(PAGE))

    return damage


def executed(*statements: str) -> Damage:
    return lambda path: raw(path, *statements)


# What cannot be opened


def another_log(path: Path) -> None:
    other = path.with_name("other.db")
    m = MemoryClient(other)
    m.add("banana")
    shutil.copy(f"{other}-wal", f"{path}-wal")
    m.close()


UNOPENABLE: dict[str, Damage] = {
    "a text": lambda path: path.write_text("these are my notes\n" * 500) and None,
    "nothing in it": lambda path: path.write_bytes(b"") and None,
    "cut in the middle": lambda path: path.write_bytes(path.read_bytes()[: PAGE * 20]) and None,
    "cut to its first page": lambda path: path.write_bytes(path.read_bytes()[:PAGE]) and None,
    "cut within its header": lambda path: path.write_bytes(path.read_bytes()[:50]) and None,
    "no magic": lambda path: overwrite(path, 0, b"QSLite"),
    "no page size": lambda path: overwrite(path, 16, b"\xff\xff"),
    "no version": lambda path: overwrite(path, 60, bytes(4)),
    "no first page": lambda path: overwrite(path, 100, bytes(PAGE - 100)),
    "no pages of the schema": zeroed("sqlite_schema"),
    "the log of another file": another_log,
}


def bytes_in(folder: Path) -> dict[str, bytes]:
    """Return what the files of a folder hold, but for the index of a log, which holds nothing."""
    files = (each for each in folder.iterdir() if not each.name.endswith("-shm"))
    return {each.name: each.read_bytes() for each in files}


@pytest.mark.parametrize("damage", UNOPENABLE)
def test_what_cannot_be_opened_is_named_and_left_as_it_is(path: Path, damage: str) -> None:
    """FC-055."""
    UNOPENABLE[damage](path)
    before = bytes_in(path.parent)

    with pytest.raises(StoreCorrupt, match=r"memory\.db"):
        MemoryClient(path)

    assert bytes_in(path.parent) == before


def test_a_log_without_its_file_is_not_begun_anew(path: Path) -> None:
    another_log(path)
    path.unlink()
    before = bytes_in(path.parent)

    with pytest.raises(StoreCorrupt, match="is gone, and its log"):
        MemoryClient(path)

    assert bytes_in(path.parent) == before


def test_a_file_of_another_application_is_not_taken_for_one_without_a_log(path: Path) -> None:
    overwrite(path, 68, b"THEM")

    with pytest.raises(StoreError, match="another application"):
        MemoryClient(path)


def test_a_log_of_ones_own_is_taken_in(path: Path, tmp_path: Path) -> None:
    with MemoryClient(path) as m:
        kept = m.add("what only the log holds").id
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", f"{tmp_path / 'copy.db'}{end}")

    with MemoryClient(tmp_path / "copy.db") as copy:
        assert copy.get(kept) is not None
        assert copy.admin.check() == []


def test_a_copy_without_its_log_is_what_it_was_before(path: Path, tmp_path: Path) -> None:
    with MemoryClient(path) as m:
        m.add("what only the log holds")
        shutil.copy(path, tmp_path / "copy.db")
        held = m.admin.stats().memories - 1

    with MemoryClient(tmp_path / "copy.db") as copy:
        assert copy.admin.stats().memories == held
        assert copy.admin.check() == []


def test_a_copy_of_a_new_store_without_its_log_is_a_store(tmp_path: Path) -> None:
    """A store's file is whole before it has its name: nothing of its form is in the log alone."""
    with MemoryClient(tmp_path / "memory.db") as m:
        m.add("what only the log holds")
        shutil.copy(tmp_path / "memory.db", tmp_path / "copy.db")

    with closing(sqlite3.connect(tmp_path / "copy.db")) as db:
        assert db.execute("SELECT count(*) FROM state").fetchone() == (1,)
    with MemoryClient(tmp_path / "copy.db") as copy:
        assert copy.browse() == []
        assert copy.admin.check() == []


# What can be opened

DAMAGED: dict[str, Damage] = {
    "pages of memories": zeroed("memories"),
    "pages of an index of memories": zeroed("memories_uid", "memories_subject"),
    "pages of subjects and sessions": zeroed("subjects", "sqlite_autoindex_subjects_1"),
    "pages of the word index": zeroed("words_data"),
    "pages of the word index's pages": zeroed("words_idx", "words_data"),
    "pages of the vocabulary": zeroed("vocabulary"),
    "pages of the counts": zeroed("partitions"),
    "pages of all that is large": lambda path: zeroed(*large(path))(path),
    "no memories": executed("DROP TABLE memories"),
    "no links": executed("DROP TABLE links"),
    "no history": executed("DROP TABLE history"),
    "no scopes": executed("DROP TABLE scopes"),
    "no members": executed("DROP TABLE members"),
    "no counts": executed("DROP TABLE partitions"),
    "no vocabulary": executed("DROP TABLE vocabulary"),
    "no state": executed("DELETE FROM state"),
    "no word index": executed("DROP TABLE words"),
    "no data of the word index": executed("DROP TABLE words_data"),
    "no pages of the word index": executed("DROP TABLE words_idx"),
    "no version of the word index": executed("DELETE FROM words_config"),
    "no form of the word index": executed("DROP TABLE words_config"),
    "no structure of the word index": executed("DELETE FROM words_data WHERE id = 10"),
    "no entries of the word index": executed("DELETE FROM words_data WHERE id > 10"),
}


def large(path: Path) -> set[str]:
    with closing(sqlite3.connect(path)) as db:
        rows = db.execute("SELECT name FROM dbstat WHERE path <> '/' AND name <> 'sqlite_schema'")
        return {name for (name,) in rows}


READS: dict[str, Callable[[MemoryClient], object]] = {
    "search": lambda m: m.search("walnut harbour").ids,
    "search for a word that one memory has": lambda m: m.search("changed").ids,
    "search misspelt": lambda m: m.search("walnutt").ids,
    "search without words": lambda m: m.search(None).ids,
    "search of one subject": lambda m: m.search("walnut", subject="user:u3").ids,
    "context_pack": lambda m: [item.id for item in m.context_pack("walnut harbour").items],
    "get": lambda m: m.get(FIRST[0]),
    "get_many": lambda m: m.get_many(FIRST),
    "browse": lambda m: [memory.content for memory in m.browse(limit=300)],
    "browse of one subject": lambda m: [each.id for each in m.browse(subject="user:u1")],
    "explain": lambda m: m.explain("walnut", FIRST[1]).stage,
    "history": lambda m: [change.before for change in m.history(FIRST[0])],
    "neighbors": lambda m: [each.memory.id for each in m.neighbors(FIRST[0])],
    "agents": lambda m: m.org.agents(),
    "teams": lambda m: m.org.teams(),
    "memberships": lambda m: m.org.memberships("neo"),
    "audit": lambda m: m.org.audit(),
    "stats": lambda m: m.admin.stats().memories,
}
FIRST: list[str] = []
# One moment for all reads: what is almost as fresh changes places as time goes by.
LATER = FakeClock(datetime(2100, 1, 1, tzinfo=UTC))


@pytest.fixture(scope="module")
def expected(sound: Path) -> Iterator[dict[str, object]]:
    with MemoryClient(sound, clock=LATER) as m:
        FIRST[:] = [memory.id for memory in m.browse(limit=1_000, offset=202)][:-3:-1]
        yield {name: read(m) for name, read in READS.items()}


def test_the_reads_of_a_sound_store_find_something(expected: dict[str, object]) -> None:
    assert [name for name, found in expected.items() if not found] == []


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_read_is_right_or_an_error_and_never_empty(
    path: Path, damage: str, expected: dict[str, object]
) -> None:
    DAMAGED[damage](path)
    wrong: dict[str, object] = {}
    errors = 0

    with MemoryClient(path, clock=LATER) as m:
        for name, read in READS.items():
            try:
                found = read(m)
            except StoreCorrupt:
                errors += 1
            else:
                wrong |= {name: found} if found != expected[name] else {}
        findings = m.admin.check()

    assert wrong == {}
    assert findings != []
    assert errors > 0 or damage in UNSEEN


WRITES: dict[str, Callable[[MemoryClient], object]] = {
    "add": lambda m: m.add("walnut again", visibility=["global"]),
    "add_many": lambda m: m.add_many([{"content": "walnut"}, {"content": "pecan"}]),
    "update": lambda m: m.update(FIRST[1], content="rewritten"),
    "share": lambda m: m.share(FIRST[1], ["agent:neo"]),
    "link": lambda m: m.link(FIRST[0], FIRST[1], relation="next"),
    "record_recall": lambda m: m.record_recall(FIRST),
    "delete": lambda m: m.delete(FIRST[1]),
    "create_team": lambda m: m.org.create_team("hermes"),
}


@pytest.mark.parametrize("damage", DAMAGED)
@pytest.mark.usefixtures("expected")
def test_a_write_is_whole_or_an_error(path: Path, damage: str) -> None:
    """Whatever is damaged, no write fails with an error of SQLite's, or leaves a transaction."""
    DAMAGED[damage](path)

    with MemoryClient(path) as m:
        for write in WRITES.values():
            with contextlib.suppress(StoreCorrupt):
                write(m)
        with contextlib.suppress(StoreCorrupt), m._parts.store.connections.alone() as db:
            assert not db.in_transaction


# No read needs them: what they say is asked in another way, or of their roots.
UNSEEN = {"pages of an index of memories"}


# Repair

MENDABLE: dict[str, tuple[Damage, str]] = {
    **{
        name: (DAMAGED[name], "word-index")
        for name in (
            "pages of the word index",
            "pages of the word index's pages",
            "pages of the vocabulary",
            "no vocabulary",
            "no word index",
            "no data of the word index",
            "no pages of the word index",
            "no version of the word index",
            "no form of the word index",
            "no structure of the word index",
            "no entries of the word index",
        )
    },
    "pages of the counts": (DAMAGED["pages of the counts"], "counts"),
    "no counts": (DAMAGED["no counts"], "counts"),
    "wrong counts": (executed("UPDATE partitions SET memories = memories + 1"), "counts"),
    "words that the vocabulary lacks": (executed("DELETE FROM vocabulary"), "word-index"),
    "other terms than the text has": (
        executed("UPDATE memories SET content = 'rewritten by hand' WHERE rowid = 7"),
        "word-index",
    ),
    "a row that is not indexed": (
        executed("INSERT INTO words(words) VALUES ('delete-all')"),
        "word-index",
    ),
    "a ghost in the index": (
        executed("INSERT INTO words(rowid, terms, rights) VALUES (999999, 'ghost', 'o1')"),
        "word-index",
    ),
    "terms of what left recall": (
        executed("UPDATE memories SET terms = 'left' WHERE state = 3"),
        "word-index",
    ),
    "no index of a table": (executed("DROP INDEX memories_subject"), "index"),
    "pages of an index": (zeroed("memories_uid", "memories_subject"), "index"),
    "links that lead nowhere": (
        executed("INSERT INTO links SELECT 1, 999999, relation, owner, 1, 0, 0, NULL FROM links"),
        "reference",
    ),
    "history of nothing": (
        executed("UPDATE history SET memory = 999999"),
        "reference",
    ),
    "receipts of nothing": (executed("UPDATE receipts SET memory = 999999"), "reference"),
    "grants to nobody": (
        executed("UPDATE grants SET scope = 999 WHERE audience = 2"),
        "reference",
    ),
    "a session without a name": (executed("DELETE FROM sessions WHERE id = 3"), "reference"),
    "grants that are not their audience": (
        executed("DELETE FROM grants WHERE audience = 2"),
        "grants",
    ),
    "a member of a project outside of its team": (
        executed("DELETE FROM members WHERE scope = (SELECT id FROM scopes WHERE name='apollo')"),
        "members",
    ),
    "a member of what was deleted": (
        executed("UPDATE scopes SET deleted_ms = 1 WHERE kind = 'team'"),
        "members",
    ),
    "a deletion without a tombstone": (executed("DELETE FROM tombstones"), "tombstones"),
}


@pytest.mark.capability("AMOS-064")
@pytest.mark.parametrize("damage", MENDABLE)
def test_what_can_be_mended_is_found_said_and_mended(path: Path, damage: str) -> None:
    act, kind = MENDABLE[damage]
    act(path)

    with MemoryClient(path) as m:
        found = m.admin.check()
        told = m.admin.repair(dry_run=True)
        still = m.admin.check()
        repaired = m.admin.repair()

        assert kind in {each.kind for each in found}
        assert still == found
        assert told.found == repaired.found == tuple(found)
        assert told.done
        assert (told.left, repaired.left) == ((), ())
        assert m.admin.check() == []
        assert len(m.search("walnut harbour")) == 10
    with MemoryClient(path) as m:
        assert m.admin.check() == []


@pytest.mark.parametrize(
    "damage", [name for name, (_, kind) in MENDABLE.items() if kind in ("word-index", "counts")]
)
def test_rebuild_indexes_works_whatever_is_left_of_them(path: Path, damage: str) -> None:
    MENDABLE[damage][0](path)

    with MemoryClient(path) as m:
        assert m.rebuild_indexes() == 1_202
        assert {each.kind for each in m.admin.check()} <= {"pages"}
        assert len(m.search("walnut harbour")) == 10


def test_what_others_have_open_is_mended_under_them(path: Path) -> None:
    with MemoryClient(path) as m, MemoryClient(path) as other:
        before = other.search("walnut harbour").ids
        raw(path, "DROP TABLE words_data")
        with pytest.raises(StoreCorrupt):
            other.search("walnut harbour")

        m.admin.repair()

        assert other.search("walnut harbour").ids == before
        assert other.admin.check() == []


def test_lost_rights_make_a_memory_private_and_never_public(path: Path) -> None:
    with MemoryClient(path) as m:
        (shared,) = m.search("shared with a team", requester_agent_id="neo").ids
        raw(
            path,
            "DELETE FROM grants WHERE audience <> 1",
            "DELETE FROM audiences WHERE id NOT IN (0, 1)",
        )

        m.admin.repair()

        assert m.admin.check() == []
        assert m.get(shared) is None
        assert m.get(shared, requester_agent_id="neo").visibility == ()


@pytest.mark.capability("AMOS-064")
@pytest.mark.parametrize(
    "damage", ["pages of memories", "no links", "no memories", "pages of subjects and sessions"]
)
def test_what_cannot_be_mended_says_what_to_do(path: Path, damage: str) -> None:
    DAMAGED[damage](path)

    with MemoryClient(path) as m:
        repaired = m.admin.repair()

        assert repaired.left != ()
        assert [each.repair for each in repaired.left if each.kind == "file"] == [
            "restore a backup, or salvage the file with the sqlite3 shell's .recover"
        ] * len([each for each in repaired.left if each.kind == "file"])
        assert "file" in {each.kind for each in repaired.left}


def test_what_can_be_mended_is_beside_what_cannot(path: Path) -> None:
    raw(path, "DELETE FROM tombstones", "DROP TABLE profiles")

    with MemoryClient(path) as m:
        repaired = m.admin.repair()

        assert {each.kind for each in repaired.found} >= {"file", "tombstones"}
        assert {each.kind for each in repaired.left} == {"file"}


def test_repair_of_a_sound_store_does_nothing(m: MemoryClient) -> None:
    m.add("tea")

    repaired = m.admin.repair()

    assert (repaired.found, repaired.done, repaired.left) == ((), (), ())


def test_a_lost_index_of_a_table_is_named_with_the_way_out(path: Path) -> None:
    """So it is with a file that was made before there was such an index."""
    with MemoryClient(path) as m:
        before = m.layers.organise(dry_run=True).atoms
    raw(path, "DROP INDEX memories_since")

    with MemoryClient(path) as m:
        with pytest.raises(StoreCorrupt, match=r"memories_since.*client\.admin\.repair"):
            m.layers.organise()
        m.admin.repair()

        assert m.layers.organise(dry_run=True).atoms == before > 0
        assert m.admin.check() == []
