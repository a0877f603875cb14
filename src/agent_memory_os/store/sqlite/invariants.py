"""Checking: every invariant of the file, walked."""

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import NamedTuple

from agent_memory_os.model import Finding, Progress
from agent_memory_os.pure import stored, text
from agent_memory_os.pure.steps import counted
from agent_memory_os.store.sqlite import (
    memories,
    partitions,
    payloads,
    schema,
    tail,
    topics,
    vectors,
    vocabulary,
    words,
)
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.upper import IS_DOCUMENT

REBUILD = "call admin.repair() or rebuild_indexes()"
MEND = "call admin.repair()"
RESTORE = "restore a backup, or salvage the file with the sqlite3 shell's .recover"

# What is made anew from the memories, by the kind of what `check` finds wrong with it. Vectors are
# made anew by the host's embedding function alone.
DISPOSABLE = dict.fromkeys(schema.TORN_OUT_INDEX, "word-index")
DISPOSABLE |= {"partitions": "counts", "topics": "topics"}
DISPOSABLE |= dict.fromkeys(schema.TORN_OUT_VECTORS, "vectors")
MENDED = frozenset((*DISPOSABLE.values(), "index", "pages"))  # without a loss, but for vectors
# Rows that are nothing without what they name; of a memory only some of what it names may be gone.
DEPENDENT = (
    *("links", "history", "receipts", "grants", "members", "vectors", "profiles"),
    *("payloads", "chunks", "handles"),
)
SPARE = ("sessions", "audiences")

INTEGRITY = "PRAGMA integrity_check"
INTEGRITY_OF = "PRAGMA integrity_check('{table}')"
TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY rowid"
EVERY_ROW = "SELECT * FROM {table} NOT INDEXED"
FOREIGN_KEYS = "PRAGMA foreign_key_check"
STATES = "SELECT count(*) FROM state"
STATE_LOST = "the file has lost its state"
INDEXED = """
    SELECT id, owner, audience, subject, terms,
        expires_ms IS NULL AND valid_from_ms IS NULL AND valid_to_ms IS NULL
    FROM memories WHERE state < 2 AND id <= (SELECT indexed FROM state) ORDER BY id
"""
POSTINGS = "SELECT term, doc, col, offset FROM words_places"
LEFT_BEHIND = "SELECT count(*) FROM memories WHERE state > 1 AND terms <> ''"
STALE = "SELECT count(*) FROM memories WHERE state < 2 AND analyser <> :analyser"
# Documents are found by no words.
SAID = f"""
    SELECT {IS_DOCUMENT.format(m="m")}, terms, content, actor, tags, entity, attribute
    FROM memories m WHERE state < 2 AND analyser = :analyser
"""
BAD_AUDIENCES = """
    SELECT count(*) FROM audiences a WHERE a.scopes <> char(1) || a.id AND a.scopes <> (
        SELECT json_group_array(scope) FROM (
            SELECT scope FROM grants WHERE audience = a.id ORDER BY scope
        )
    )
"""
UNBURIED = """
    SELECT count(*) FROM memories WHERE state = 3 AND uid NOT IN (SELECT uid FROM tombstones)
"""
OUTSIDE_TEAM = """
    SELECT count(*) FROM members m JOIN scopes s ON s.id = m.scope
    WHERE s.team IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM members t WHERE t.agent = m.agent AND t.scope = s.team)
"""
DEAD_MEMBERS = """
    SELECT count(*) FROM members m JOIN scopes s ON s.id = m.scope WHERE s.deleted_ms IS NOT NULL
"""
UNDECLARED = """
    SELECT count(*) FROM members m JOIN scopes a ON a.id = m.agent
    WHERE m.declared = 1 AND a.declared IS NULL
"""
ACTIVE = f"""
    SELECT m.id, m.owner, m.audience, m.subject, {memories.COLUMNS}
    FROM memories m WHERE m.state < 2 ORDER BY m.id
"""
SET_TERMS = "UPDATE memories SET terms = ?, identity = ?, analyser = ?, topics = ? WHERE id = ?"
TOPICS = "SELECT memory, topic FROM topics"
ASSERTED = """
    SELECT m.id, m.content, m.layer, s.name, m.entity, m.attribute, m.identity, m.topics
    FROM memories m LEFT JOIN subjects s ON s.id = nullif(m.subject, 0) WHERE m.state < 2
"""
CLEAR_LEFT = "UPDATE memories SET terms = '', topics = 0 WHERE state > 1"
_MASK = (1 << 64) - 1


def check(line: Line) -> list[Finding]:
    """Return every broken invariant of the file; reads all of it."""
    found = _check_pages(line.db) + _guarded("file", _check_state, line)
    if any(each.detail == STATE_LOST for each in found):
        return found  # what says how far the rest goes is gone
    for kind, section in SECTIONS:
        if kind not in MENDED or kind not in {each.kind for each in found}:
            found += _guarded(kind, section, line)  # else it is made anew, whatever is in it
    return found


def is_mended_anew(finding: Finding) -> bool:
    """Return whether a finding is about what is made of the memories, and can be made anew."""
    return finding.kind in MENDED


def _guarded(kind: str, section: Callable[[Line], list[Finding]], line: Line) -> list[Finding]:
    """Return what *section* finds; that it cannot read is a finding as well."""
    try:
        return section(line)
    except sqlite3.DatabaseError as error:
        if schema.is_stopped(error):
            raise
        way = REBUILD if kind in MENDED else RESTORE
        return [Finding(kind, f"what belongs to it cannot be read: {error}", way)]


def _check_pages(db: sqlite3.Connection) -> list[Finding]:
    """Return what is wrong with the pages of the file, by table."""
    said = _integrity(db, INTEGRITY)
    if not said:
        return []
    try:
        tables = [table for (table,) in db.execute(TABLES)]
    except sqlite3.DatabaseError as error:
        return [Finding("file", f"the file does not tell what is in it: {error}", RESTORE)]
    found = []
    for table in tables:
        if faults := _integrity(db, INTEGRITY_OF.format(table=table)):
            found.append(_of_table(db, table, faults[0]))
    if found:
        return found
    if all("never used" in each for each in said):
        return [Finding("pages", f"{len(said)} pages have no use", MEND)]
    return [Finding("file", f"SQLite's integrity check says: {said[0]}", RESTORE)]


def _integrity(db: sqlite3.Connection, statement: str) -> list[str]:
    try:
        return [row[0] for row in db.execute(statement) if row[0] != "ok"]
    except sqlite3.DatabaseError as error:
        return [str(error)]


def _of_table(db: sqlite3.Connection, table: str, fault: str) -> Finding:
    if table in DISPOSABLE:
        return Finding(DISPOSABLE[table], f"the table {table} is damaged: {fault}", REBUILD)
    try:
        for _ in db.execute(EVERY_ROW.format(table=table)):
            pass
    except sqlite3.DatabaseError:
        return Finding("file", f"the table {table} is damaged: {fault}", RESTORE)
    return Finding("index", f"an index of the table {table} is damaged: {fault}", MEND)


def _check_parts(line: Line) -> list[Finding]:
    """Return which tables and indexes are gone."""
    present = {name for (name,) in line.db.execute(schema.PRESENT)}
    found = []
    for part in schema.parts():
        if part.name not in present:
            is_index = part.kind == "index"
            kind = "index" if is_index else DISPOSABLE.get(part.name, "file")
            way = MEND if is_index else RESTORE if kind == "file" else REBUILD
            way += ", then reembed()" if kind == "vectors" else ""
            found.append(Finding(kind, f"the {part.kind} {part.name} is gone", way))
    return found


def _check_state(line: Line) -> list[Finding]:
    if _count(line, STATES) == 1:
        return []
    return [Finding("file", STATE_LOST, RESTORE)]


def _check_references(line: Line) -> list[Finding]:
    gone = Counter((row[0], row[2]) for row in line.db.execute(FOREIGN_KEYS))
    return [
        Finding(
            "reference",
            f"{n} rows of {table} name a row of {named} that is gone",
            MEND if table in DEPENDENT or (table == "memories" and named in SPARE) else RESTORE,
        )
        for (table, named), n in gone.items()
    ]


def _count(line: Line, statement: str, **parameters: object) -> int:
    (n,) = line.db.execute(statement, parameters).fetchone()
    return int(n)


def _check_words(line: Line) -> list[Finding]:
    wrong, ghosts = _compared(line.db)
    faults = (
        (wrong, "memories are not in the word index as they should be"),
        (ghosts, "memories are in the word index and should not be"),
        (vocabulary.lost(line.db), "words of memories are not in the vocabulary"),
        (_count(line, LEFT_BEHIND), "memories that left recall still have index terms"),
        (
            _count(line, STALE, analyser=text.ANALYSER_VERSION),
            "memories were analysed by another version of the analyser",
        ),
        (_misread(line.db), "memories have other index terms than they say"),
    )
    return [Finding("word-index", f"{n} {what}", REBUILD) for n, what in faults if n]


def _compared(db: sqlite3.Connection) -> tuple[int, int]:
    """Return how many memories the word index has otherwise than it should, and how many too many.

    All of it is read, once; of each memory the entries are added up, in whatever order they come.
    """
    sums: defaultdict[int, int] = defaultdict(int)
    for term, row, column, at in db.execute(POSTINGS):
        sums[row] ^= hash((column, at, term)) & _MASK
    wrong = 0
    for row, *parts, terms, durable in db.execute(INDEXED):
        wrong += sums.pop(row, 0) != _sum(words.columns(terms, durable == 1), words.rights(*parts))
    return wrong, len(sums)


def _sum(columns: tuple[str, str], rights: str) -> int:
    found = 0
    for name, tokens in zip(("terms", "brief", "rights"), (*columns, rights), strict=True):
        for at, token in enumerate(tokens.split(" ") if tokens else ()):
            found ^= hash((name, at, token)) & _MASK
    return found


def _misread(db: sqlite3.Connection) -> int:
    """Return how many memories are indexed by other terms than their text has."""
    rows = db.execute(SAID, {"analyser": text.ANALYSER_VERSION})
    return sum(
        terms != ("" if is_document else stored.analysed(content, actor, _list(tags), *named))
        for is_document, terms, content, actor, tags, *named in rows
    )


def _list(tags: str | None) -> list[str]:
    return list(json.loads(tags or "[]"))


def _check_counts(line: Line) -> list[Finding]:
    kept = {tuple(row[:3]): tuple(row[3:]) for row in line.db.execute(partitions.KEPT_COUNTS)}
    true = partitions.true_rows(line.db)
    if kept == true:
        return []
    wrong = sum(kept.get(key) != true.get(key) for key in kept.keys() | true.keys())
    return [Finding("counts", f"{wrong} counts of memories are wrong", REBUILD)]


def _check_topics(line: Line) -> list[Finding]:
    kept = {*line.db.execute(TOPICS)}
    wrong = 0
    for row, content, layer, subject, *named, identity, count in line.db.execute(ASSERTED):
        said = topics.asserted(content, layer, subject, *named)
        true = {(row, topic) for topic in topics.topics_of(said)}
        is_kept = true <= kept and count == len(true)
        wrong += not is_kept or identity != memories.identity_of(said)
        kept -= true
    wrong += len({row for row, _ in kept})
    return [Finding("topics", f"{wrong} memories have wrong topics", REBUILD)] if wrong else []


def _check_vectors(line: Line) -> list[Finding]:
    checks = (
        (vectors.LEFT_BEHIND, "vectors of memories that are gone or left recall"),
        (vectors.MISSHAPEN, "vectors of another length than their model's"),
    )
    return [
        Finding("vectors", f"{n} {what}", REBUILD)
        for statement, what in checks
        if (n := _count(line, statement))
    ]


def _check_rows(line: Line) -> list[Finding]:
    checks = (
        (BAD_AUDIENCES, "grants", "audiences whose grants are not their scopes"),
        (OUTSIDE_TEAM, "members", "members of a project who are not in its team"),
        (DEAD_MEMBERS, "members", "members of a deleted team or project"),
        (UNDECLARED, "members", "memberships from agents.toml of agents that it does not list"),
        (UNBURIED, "tombstones", "deleted memories without a tombstone"),
        (payloads.ORPHANS, "payloads", "payloads that no memory is a handle of"),
        (payloads.MISLED, "payloads", "handles of a payload of another owner or subject"),
    )
    return [
        Finding(kind, f"{n} {what}", MEND)
        for statement, kind, what in checks
        if (n := _count(line, statement))
    ]


def _check_payloads(line: Line) -> list[Finding]:
    if not (n := payloads.damaged(line)):
        return []
    return [Finding("file", f"{n} payloads are not what was put", RESTORE)]


# Each with the kind of what it finds when it cannot even read.
SECTIONS: tuple[tuple[str, Callable[[Line], list[Finding]]], ...] = (
    ("parts", _check_parts),
    ("file", _check_references),
    ("word-index", _check_words),
    ("counts", _check_counts),
    ("topics", _check_topics),
    ("vectors", _check_vectors),
    ("file", _check_rows),
    ("file", _check_payloads),
)


class Torn(NamedTuple):
    """What is to be torn out of the file, since it cannot be read: indexes, and perhaps vectors."""

    vectors: bool


def torn(db: sqlite3.Connection) -> Torn:
    """Return what is to be torn out, now that the word index or the counts cannot be dropped."""
    return Torn(not all(_can_be_read(db, table) for table in schema.TORN_OUT_VECTORS))


def _can_be_read(db: sqlite3.Connection, table: str) -> bool:
    return not _integrity(db, INTEGRITY_OF.format(table=table))


def rebuild(pen: Pen, tell: Progress | None = None, *, torn: Torn | None = None) -> int:
    """Make the word index and the counts anew from the memories; return how many are indexed.

    Args:
        pen: of a transaction in which nothing was read that is damaged.
        tell: is told on the way how many were dealt with.
        torn: what is left of them is not looked at.
    """
    db = pen.db
    schema.clear_index(db, torn=torn is not None)
    schema.clear_counts(db, torn=torn is not None)
    if torn is not None and torn.vectors:
        schema.clear_vectors(db)
    for statement in schema.VECTORS:
        db.execute(statement)
    db.execute(vectors.DROP_UNSOUND)
    db.execute(CLEAR_LEFT)
    pen.tally.changes.clear()
    tail.start(pen)
    rows = db.execute(ACTIVE).fetchall()
    for row, owner, audience, subject, *columns in counted(rows, tell):
        memory = memories.noun(pen, None, columns)
        terms = stored.searchable(memory)
        identity = memories.identity_of(memory)
        about = topics.topics_of(memory)
        db.execute(SET_TERMS, (terms, identity, text.ANALYSER_VERSION, len(about), row))
        topics.note(db, row, about)
        if memories.is_durable(memory):
            pen.tally.count(subject, owner, audience, 1, stored.count_terms(terms))
    tail.take_in(pen)
    return len(rows)
