"""Erasing in the file: every table, every byte, and whoever goes on where somebody stopped."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest

from agent_memory_os import MemoryClient, Settings
from agent_memory_os.model import Draft
from agent_memory_os.store.contract import Tombstones
from agent_memory_os.store.sqlite import erasure, pages, structure
from agent_memory_os.testing import FakeClock

SECRET = "Zanzibarrow"
FILES = ("", "-wal", "-shm")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def m(path: Path) -> Iterator[MemoryClient]:
    """Yield a memory in a file, all in the word index, that must be sound when the test ends."""
    with MemoryClient(path, settings=Settings(index_every=1)) as client:
        yield client
    with MemoryClient(path) as again:
        assert again.admin.check() == []


def raw(path: Path, *statements: str) -> None:
    """Run *statements* over a connection of its own that minds no foreign key."""
    with closing(sqlite3.connect(path)) as other, other:
        for statement in statements:
            other.execute(statement)


def read(path: Path, statement: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as other:
        return other.execute(statement).fetchall()


def everywhere(m: MemoryClient) -> str:
    """Write the secret into every field that there is, and return the id of the memory."""
    other = m.add("tea").id
    name = SECRET.lower()
    memory_id = m.add(
        f"The word is {SECRET}",
        subject=f"user:{name}",
        tags=[SECRET],
        metadata={SECRET: SECRET},
        actor=f"user:{name}",
        session=SECRET,
        key=SECRET,
        idempotency_key=SECRET,
        visibility=[f"agent:{name}"],
    ).id
    m.link(memory_id, other, relation=name)
    m.update(memory_id, content=f"The word was {SECRET}", tags=[f"{SECRET}s"])
    m.rebuild_indexes()  # the vocabulary takes the words in
    return memory_id


def tables(path: Path) -> set[str]:
    """Return the names of the tables, but for SQLite's own and for what keeps the word index."""
    rows = read(path, "SELECT name FROM sqlite_schema WHERE type = 'table'")
    names = {str(name) for (name,) in rows}
    shadows = {f"words_{each}" for each in ("data", "idx", "content", "docsize", "config")}
    return {name for name in names - shadows if not name.startswith("sqlite_")}


def holding(path: Path, word: str) -> set[str]:
    """Return the tables of which a row has *word* in a column."""
    return {
        table
        for table in tables(path) - {"words"}
        if any(word.lower() in str(row).lower() for row in read(path, f"SELECT * FROM {table}"))
    }


def stands_in(path: Path, word: str) -> list[str]:
    """Return the files of which the bytes hold *word*."""
    files = (path.with_name(path.name + ending) for ending in FILES)
    return [
        file.name
        for file in files
        if file.exists() and word.lower().encode() in file.read_bytes().lower()
    ]


def test_every_table_has_an_entry_in_the_registry(m: MemoryClient, path: Path) -> None:
    assert set(erasure.REGISTRY) == tables(path)


def test_an_entry_erases_or_says_why_it_need_not() -> None:
    assert all(callable(entry) or len(str(entry)) > 4 for entry in erasure.REGISTRY.values())


@pytest.mark.capability("MEMU-49")
def test_fc_083_no_table_holds_anything_of_what_was_forgotten(m: MemoryClient, path: Path) -> None:
    memory_id = everywhere(m)
    before = holding(path, SECRET)

    m.forget(memory_id)

    assert before >= {"memories", "subjects", "sessions", "relations", "history", "receipts"}
    assert before >= {"vocabulary", "words_vocabulary", "scopes"}
    # The agent that it was given to is one of the organisation.
    assert holding(path, SECRET) == {"scopes"}


def test_fc_083_no_byte_of_any_file_holds_it(m: MemoryClient, path: Path) -> None:
    memory_id = everywhere(m)
    assert stands_in(path, f"was {SECRET}") != []

    receipt = m.forget(memory_id)

    assert receipt.pending == ""
    m.close()
    assert stands_in(path, f"word was {SECRET}") == stands_in(path, f"word is {SECRET}") == []
    assert SECRET.lower() not in set(structure.spelt(index_pages(path)))


def index_pages(path: Path) -> Iterator[tuple[int, bytes]]:
    with closing(sqlite3.connect(path)) as other:
        yield from other.execute("SELECT id, block FROM words_data")


def test_what_was_deleted_before_is_forgotten_with_its_history(m: MemoryClient, path: Path) -> None:
    memory_id = everywhere(m)
    m.delete(memory_id)
    assert m.history(memory_id) != []

    m.forget(memory_id)

    assert m.history(memory_id) == []
    assert holding(path, SECRET) == {"scopes"}


def test_names_that_others_need_stay(m: MemoryClient) -> None:
    fields = {"subject": "user:alice", "session": "s1", "visibility": ["agent:neo"]}
    gone = m.add("Alice likes tea", **fields)  # type: ignore[arg-type]  # the fields of a memory
    kept = m.add("Alice likes milk", **fields)  # type: ignore[arg-type]  # as above

    m.forget(gone.id)

    assert m.get(kept.id) == kept.memory
    assert m.get(kept.id, requester_agent_id="neo") is not None


def test_a_name_that_was_forgotten_is_another_when_it_comes_back(path: Path) -> None:
    with MemoryClient(path) as here, MemoryClient(path) as there:
        there.add("Alice likes tea", subject="user:alice", session="s1")  # it knows the names now
        here.admin.forget_subject("user:alice")

        again = there.add("Alice likes milk", subject="user:alice", session="s1")

        assert [hit.id for hit in here.search("likes", subject="user:alice")] == [again.id]
        assert again.memory == here.get(again.id)
        assert here.admin.check() == []


def test_the_number_of_a_row_is_never_used_again(m: MemoryClient, path: Path) -> None:
    m.add("one")
    m.forget(m.add("two").id)
    m.forget(m.add("three").id)
    m.add("four")

    m.forget(m.add("five").id)

    rows = read(path, "SELECT id, content FROM memories ORDER BY id")
    assert rows == [(1, "one"), (4, "four"), (5, "")]


def test_words_that_come_after_a_forgotten_row_can_be_repaired(m: MemoryClient) -> None:
    for number in range(127):
        m.add(f"filler {number}")
    m.forget(m.add("the row that the vocabulary ended with").id)

    m.add("Zanzibar is an island")

    assert len(m.search("zanzibra")) == 1


@pytest.mark.parametrize("every", [1, 64])
def test_fc_083_words_that_were_trimmed_from_the_history_are_gone_too(
    path: Path, every: int
) -> None:
    few = Settings(index_every=every, history_per_memory=1)
    with MemoryClient(path, settings=few) as m:
        gone = m.add(f"The word is {SECRET}").id
        for content in (f"It was {SECRET}er", "It was changed", "It was changed again"):
            m.update(gone, content=content)
        m.admin.retention()

        assert m.forget(gone).complete

    files = [Path(f"{path}{end}") for end in FILES]
    held = b"".join(file.read_bytes() for file in files if file.exists())
    assert SECRET.lower().encode() not in held.lower()


def test_what_is_indexed_and_erased_in_one_transaction_leaves_no_word(
    m: MemoryClient, path: Path
) -> None:
    with m._parts.store.write() as tx:
        gone = tx.insert(Draft(f"The word is {SECRET}", "neo", layer=1))
        tx.insert(Draft("The word is out", "neo", layer=1))
        tx.erase([gone.id], by="neo")

    held = {str(term) for (term,) in read(path, "SELECT term FROM vocabulary")}
    assert "word" in held
    assert SECRET.lower() not in held


def test_the_words_of_others_stay_in_the_vocabulary(m: MemoryClient) -> None:
    m.add("Zanzibar is an island")
    gone = m.add("Zanzibar was a sultanate")
    m.rebuild_indexes()

    m.forget(gone.id)

    assert len(m.search("zanzibra")) == 1


# Removing the bytes


def test_without_a_purge_the_bytes_stay_and_the_receipt_says_so(
    m: MemoryClient, path: Path
) -> None:
    memory_id = m.add(f"The word is {SECRET}").id

    receipt = m.forget(memory_id, purge=False)

    assert "purge=False" in receipt.pending
    assert not receipt.complete
    assert stands_in(path, SECRET) != []


def test_another_process_ends_a_purge_that_was_not_done(m: MemoryClient, path: Path) -> None:
    m.forget(m.add(f"The word is {SECRET}").id, purge=False)

    with MemoryClient(path) as other:
        assert other.admin.purge() == ""

    assert read(path, "SELECT * FROM purges") == []
    m.close()
    assert stands_in(path, SECRET) == []


def test_a_purge_that_was_interrupted_goes_on_where_it_was(path: Path) -> None:
    impatient = Settings(purge_wait_ms=0)
    with MemoryClient(path, settings=impatient) as first:
        first.add_many({"content": f"filler {number} {number**5}"} for number in range(3_000))
        receipt = first.forget(first.add(f"The word is {SECRET}").id)
        raw(path, "INSERT INTO words(words, rank) VALUES ('merge', -1)")  # as far as it came
        raw(path, "UPDATE purges SET stage = 1")

    with MemoryClient(path) as second:
        pending = second.admin.purge()

        assert "index" in receipt.pending
        assert (pending, second.admin.purge()) == ("", "")
        assert second.admin.check() == []
    assert stands_in(path, SECRET) == []


def test_a_reader_that_holds_the_log_is_named_and_then_purged(m: MemoryClient, path: Path) -> None:
    memory_id = m.add(f"The word is {SECRET}").id
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM memories").fetchone() == (1,)

        receipt = m.forget(memory_id)

        assert "log" in receipt.pending
        assert m.get(memory_id) is None
        assert "log" in m.admin.purge()
    assert m.admin.purge() == ""
    m.close()
    assert stands_in(path, SECRET) == []


def test_a_purge_with_nothing_to_do_needs_no_write_lock(m: MemoryClient, path: Path) -> None:
    m.add("tea")
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")

        assert m.admin.purge() == ""


def test_a_word_in_the_gap_of_a_page_has_the_file_rewritten(m: MemoryClient, path: Path) -> None:
    memory_id = m.add(f"The word is {SECRET}").id
    m.admin.stats()
    m.close()
    plant_in_a_gap(path, SECRET.encode())

    with MemoryClient(path) as again:
        receipt = again.forget(memory_id, verify=True)

    assert receipt.complete
    assert stands_in(path, SECRET) == []


def plant_in_a_gap(path: Path, word: bytes) -> None:
    """Put *word* where no cell is, in the page of the table of the last words."""
    (root,) = read(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'audit'")[0]
    with path.open("r+b") as file:
        file.seek((int(str(root)) - 1) * 4096 + 100)
        file.write(word)


def test_a_page_that_holds_no_word_of_it_needs_no_rewriting(m: MemoryClient, path: Path) -> None:
    m.add(f"The word is {SECRET}")

    assert not pages.keep(pages.blocks(sqlite3.connect(path), str(path)), [SECRET], [])


def test_levels_of_the_index_stay_few_however_often_one_forgets(
    m: MemoryClient, path: Path
) -> None:
    m.add_many({"content": f"filler {number} {number**5}"} for number in range(1_000))
    most = 0
    for number in range(40):
        m.add(f"kept {number}")
        m.forget(m.add(f"forgotten {number}").id)
        (block,) = read(path, "SELECT block FROM words_data WHERE id = 10")[0]
        most = max(most, structure.varint(bytes(block), 4)[0])  # type: ignore[arg-type]  # a blob

    assert most < 60
    assert len(m.search("kept", limit=100)) == 40


def test_the_structure_of_a_newer_sqlite_is_left_alone() -> None:
    assert structure.lowered(b"\0\0\0\1" + b"\xff\0\0\1" + bytes([100]) + b"\0" * 500) is None


def test_every_term_of_the_index_is_read(m: MemoryClient, path: Path) -> None:
    m.add_many({"content": f"filler{number:05} 茶{number} common"} for number in range(2_000))
    m.close()

    spelt = set(structure.spelt(index_pages(path)))

    assert spelt == {str(term) for (term,) in read(path, "SELECT term FROM words_vocabulary")}


LOCKED = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
try:
    other.execute("BEGIN IMMEDIATE")
except sqlite3.OperationalError as error:
    print(error)
"""


def test_reading_the_bytes_drops_no_lock(m: MemoryClient, path: Path) -> None:
    m.add("tea")
    files = [str(path), f"{path}-shm", f"{path}-wal"]
    with m._parts.store.write():
        assert len(list(chain.from_iterable(pages.read(file) for file in files))) >= 3

        command = [sys.executable, "-c", LOCKED, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)

    assert "locked" in done.stdout


# Looking for what is left


def planted(path: Path, *statements: str) -> dict[str, int]:
    """Return what a probe finds when *statements* have put the secret back behind its back."""
    with MemoryClient(path) as m:
        m.add("tea")
        memory_id = m.add(f"The word is {SECRET}", subject=f"user:{SECRET}").id
        with m._parts.store.write() as tx:
            erased = tx.erase([memory_id], by="local")
        m._parts.store.purge([erased], patience_ms=10_000)
        raw(path, *statements)
        return dict(m._parts.store.probe([erased]))


def test_nothing_is_found_where_nothing_is_left(path: Path) -> None:
    assert planted(path) == {"vocabulary": 0, "word index": 0, "bytes": 0}


def test_a_row_left_in_the_history_is_found(path: Path) -> None:
    row = f"(99, 'update', 2, 0, 0, '{{\"content\":\"The word is {SECRET}\"}}')"

    found = planted(
        path, f"INSERT INTO history(memory, kind, by, at_ms, version, before) VALUES {row}"
    )

    assert found["bytes"] > 0


def test_a_term_left_in_the_index_is_found(path: Path) -> None:
    found = planted(
        path,
        f"INSERT INTO words(rowid, terms, brief, rights) VALUES (99, '{SECRET.lower()}', '', '')",
    )

    assert found["word index"] == 1


def test_a_word_left_in_the_vocabulary_is_found(path: Path) -> None:
    found = planted(path, f"INSERT INTO vocabulary VALUES ('{SECRET.lower()}')")

    assert found["vocabulary"] == 1


def test_a_name_that_nothing_needs_is_found(path: Path) -> None:
    found = planted(path, f"INSERT INTO subjects(name) VALUES ('user:{SECRET}')")

    assert found["bytes"] > 0


def test_what_others_still_say_is_no_trace(m: MemoryClient) -> None:
    m.add(f"The word is {SECRET}", owner="neo")

    receipt = m.forget(m.add(f"The word is {SECRET}").id, verify=True)

    assert receipt.complete


# What is told to another store


@pytest.fixture
def copy(path: Path, tmp_path: Path) -> Path:
    """Return a file with memories about Alice, as it was before some were forgotten in *path*."""
    with MemoryClient(path) as m:
        m.add("Alice likes tea", subject="user:alice")
        m.add("Alice likes milk", subject="user:alice")
        m.add("Bob likes tea", subject="user:bob")
    older = tmp_path / "older.db"
    older.write_bytes(path.read_bytes())
    return older


def brought_back(older: Path, found: Tombstones) -> tuple[list[str], list[str]]:
    """Return the ids that *found* erase in a file, and the contents that are left."""
    with MemoryClient(older) as m:
        with m._parts.store.write() as tx:
            ids = tx.apply_tombstones(found, by="local")
        assert m._parts.store.purge_all() == ""
        assert m.admin.check() == []
        return ids, sorted(memory.content for memory in m.browse())


@pytest.mark.capability("AMOS-068")
def test_an_older_file_forgets_what_was_forgotten_since(path: Path, copy: Path) -> None:
    with MemoryClient(path) as m:
        gone = m.admin.forget_subject("user:alice").ids
        with m._parts.store.read() as snapshot:
            found = snapshot.tombstones()

    ids, left = brought_back(copy, found)

    assert (tuple(ids), left) == (gone, ["Bob likes tea"])
    assert holding(copy, "alice") == set()
    assert stands_in(copy, "alice") == []


def test_an_older_file_keeps_the_tombstones_for_the_next(path: Path, copy: Path) -> None:
    with MemoryClient(path) as m:
        m.admin.forget_subject("user:alice", remember=True)
        with m._parts.store.read() as snapshot:
            found = snapshot.tombstones()

    brought_back(copy, found)

    with MemoryClient(copy) as again, again._parts.store.read() as snapshot:
        assert snapshot.tombstones() == found


def test_a_deletion_is_no_tombstone_of_what_was_forgotten(m: MemoryClient) -> None:
    m.delete(m.add("tea").id)

    with m._parts.store.read() as snapshot:
        assert snapshot.tombstones().found == []


def test_a_digest_takes_the_same_statement_under_another_id(path: Path, copy: Path) -> None:
    clock = FakeClock()
    with MemoryClient(copy, clock=clock) as older:
        older.add("alice likes tea", subject="user:alice", on_duplicate="store")
    clock.advance(hours=1)
    with MemoryClient(path, clock=clock) as m:
        (tea,) = m.search("tea", subject="user:alice").ids
        m.forget(tea, remember=True)
        with m._parts.store.read() as snapshot:
            found = snapshot.tombstones()

    _, left = brought_back(copy, found)

    assert left == ["Alice likes milk", "Bob likes tea"]


def test_a_digest_takes_nothing_that_was_told_later(path: Path, copy: Path) -> None:
    clock = FakeClock()
    with MemoryClient(path, clock=clock) as m:
        m.admin.forget_subject("user:alice", remember=True)
        with m._parts.store.read() as snapshot:
            found = snapshot.tombstones()
    clock.advance(hours=1)
    with MemoryClient(copy, clock=clock) as other:
        other.add("Alice likes tea", subject="user:alice", on_duplicate="store")

    _, left = brought_back(copy, found)

    assert left == ["Alice likes tea", "Bob likes tea"]


def test_without_remember_there_is_no_digest(path: Path, copy: Path) -> None:
    with MemoryClient(path) as m:
        m.admin.forget_subject("user:alice")
        with m._parts.store.read() as snapshot:
            found = snapshot.tombstones()

    assert found.secret == ""
    assert {tombstone.digest for tombstone in found.found} == {None}


def test_two_files_make_two_digests_of_one_statement(path: Path, tmp_path: Path) -> None:
    digests = set()
    for place in (path, tmp_path / "other.db"):
        with MemoryClient(place) as m:
            m.forget(m.add("Alice likes tea").id, remember=True)
            with m._parts.store.read() as snapshot:
                digests |= {tombstone.digest for tombstone in snapshot.tombstones().found}

    assert len(digests) == 2
