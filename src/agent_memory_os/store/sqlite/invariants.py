"""Checking: every invariant of the file, walked; and the index, made anew."""

import sqlite3

from agent_memory_os.model import Finding
from agent_memory_os.pure import stored, text
from agent_memory_os.store.sqlite import memories, partitions, schema, vocabulary, words
from agent_memory_os.store.sqlite.line import Line, Pen

REBUILD = "call rebuild_indexes()"
RESTORE = "restore a backup, or salvage the file with the sqlite3 shell's .recover"

INTEGRITY = "PRAGMA integrity_check"
FOREIGN_KEYS = "PRAGMA foreign_key_check"
INDEXED = """
    SELECT id, owner, audience, subject, terms,
        expires_ms IS NULL AND valid_from_ms IS NULL AND valid_to_ms IS NULL
    FROM memories WHERE state = 0 ORDER BY id
"""
WORD_TABLES = "SELECT count(*) FROM sqlite_schema WHERE name IN ('words', 'vocabulary')"
GHOSTS = """
    SELECT count(DISTINCT p.doc) FROM words_places p
    WHERE p.col = 'rights' AND p.doc NOT IN (SELECT id FROM memories WHERE state = 0)
"""
LEFT_BEHIND = "SELECT count(*) FROM memories WHERE state <> 0 AND terms <> ''"
STALE = "SELECT count(*) FROM memories WHERE state = 0 AND analyser <> :analyser"
BAD_AUDIENCES = """
    SELECT count(*) FROM audiences a WHERE a.scopes <> (
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
ACTIVE = f"""
    SELECT m.id, m.owner, m.audience, m.subject, {memories.COLUMNS}
    FROM memories m WHERE m.state = 0 ORDER BY m.id
"""
SET_TERMS = "UPDATE memories SET terms = ?, analyser = ? WHERE id = ?"
CLEAR_LEFT = "UPDATE memories SET terms = '' WHERE state <> 0"
CLEAR_COUNTS = "DELETE FROM partitions"


def check(line: Line) -> list[Finding]:
    """Return every broken invariant of the file; reads all of it."""
    found = [
        Finding("file", f"SQLite's integrity check says: {row[0]}", RESTORE)
        for row in line.db.execute(INTEGRITY)
        if row[0] != "ok"
    ]
    found += [
        Finding("reference", f"a row of {row[0]} names a row of {row[2]} that is gone", RESTORE)
        for row in line.db.execute(FOREIGN_KEYS)
    ]
    return found + _check_words(line) + _check_counts(line) + _check_rows(line)


def _count(line: Line, statement: str, **parameters: object) -> int:
    (n,) = line.db.execute(statement, parameters).fetchone()
    return int(n)


def _check_words(line: Line) -> list[Finding]:
    if _count(line, WORD_TABLES) < 2:
        return [Finding("word-index", "the word index is gone", REBUILD)]
    found = []
    try:
        rows = line.db.execute(INDEXED).fetchall()
        ghosts = _count(line, GHOSTS)
        if ghosts:
            detail = f"{ghosts} memories are in the word index and should not be"
            found.append(Finding("word-index", detail, REBUILD))
        lost = sum(
            not _is_indexed(line.db, row, words.rights(*parts), terms, durable == 1)
            for row, *parts, terms, durable in rows
        )
        if lost:
            detail = f"{lost} memories are not in the word index as they should be"
            found.append(Finding("word-index", detail, REBUILD))
    except sqlite3.DatabaseError as error:
        found.append(Finding("word-index", f"the word index is damaged: {error}", REBUILD))
    lost_words = vocabulary.lost(line.db)
    if lost_words:
        detail = f"{lost_words} words of memories are not in the vocabulary"
        found.append(Finding("word-index", detail, REBUILD))
    left = _count(line, LEFT_BEHIND)
    if left:
        detail = f"{left} memories that left recall still have index terms"
        found.append(Finding("word-index", detail, REBUILD))
    stale = _count(line, STALE, analyser=text.ANALYSER_VERSION)
    if stale:
        detail = f"{stale} memories were analysed by another version of the analyser"
        found.append(Finding("word-index", detail, REBUILD))
    return found


HAS_TOKENS = "SELECT 1 FROM words WHERE words MATCH :match AND rowid = :row"


def _is_indexed(db: sqlite3.Connection, row: int, rights: str, terms: str, durable: bool) -> bool:
    """Whether the row is found by its rights and by its first and last term."""
    wanted = [f'rights : "{token}"' for token in rights.split()]
    every = text.expand(terms).split()
    for term in {every[0], every[-1]} if every else ():
        column = words.LASTING if durable else "brief"
        wanted.append(f"{column} : {words.quoted(term)}")
    match = " AND ".join(wanted)
    return db.execute(HAS_TOKENS, {"match": match, "row": row}).fetchone() is not None


def _check_counts(line: Line) -> list[Finding]:
    kept = {tuple(row[:3]): tuple(row[3:]) for row in line.db.execute(partitions.KEPT_COUNTS)}
    true = partitions.true_rows(line.db)
    if kept == true:
        return []
    wrong = sum(kept.get(key) != true.get(key) for key in kept.keys() | true.keys())
    return [Finding("counts", f"{wrong} counts of memories are wrong", REBUILD)]


def _check_rows(line: Line) -> list[Finding]:
    checks = (
        (BAD_AUDIENCES, "grants", "audiences whose grants are not their scopes"),
        (OUTSIDE_TEAM, "members", "members of a project who are not in its team"),
        (DEAD_MEMBERS, "members", "members of a deleted team or project"),
        (UNBURIED, "tombstones", "deleted memories without a tombstone"),
    )
    return [
        Finding(kind, f"{n} {what}", RESTORE)
        for statement, kind, what in checks
        if (n := _count(line, statement))
    ]


def rebuild(pen: Pen) -> int:
    """Make the word index and the counts anew from the memories; return how many are indexed."""
    for statement in (*schema.DROP_INDEX, *schema.INDEX):
        pen.db.execute(statement)
    pen.db.execute(CLEAR_LEFT)
    pen.db.execute(CLEAR_COUNTS)
    pen.tally.changes.clear()
    rows = pen.db.execute(ACTIVE).fetchall()
    for row, owner, audience, subject, *columns in rows:
        memory = memories.noun(pen, None, columns)
        terms, rights = stored.searchable(memory), words.rights(owner, audience, subject)
        durable = memories.is_durable(memory)
        words.add(pen.db, row, terms, rights, durable=durable)
        pen.db.execute(SET_TERMS, (terms, text.ANALYSER_VERSION, row))
        if durable:
            pen.tally.count(subject, owner, audience, 1, stored.count_terms(terms))
    vocabulary.rebuild(pen.db)
    return len(rows)
