"""Looking for what is left of what was forgotten."""

# Raw bytes alone prove little: the word index spells a term only as far as it differs from the one
# before, and what others say may hold the same words. So the index is read as it is written, and
# what is found in the bytes is a trace only if nothing that is kept accounts for it.

import json
import os
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from agent_memory_os.model import Visibility
from agent_memory_os.pure import stored, text
from agent_memory_os.store.contract import Erased
from agent_memory_os.store.sqlite import pages, structure, tail, vocabulary, words
from agent_memory_os.store.sqlite.access import gate
from agent_memory_os.store.sqlite.line import Line

SAYING = """
    SELECT m.uid FROM words CROSS JOIN memories m ON m.id = words.rowid
    WHERE words MATCH :match AND {where} LIMIT :most
"""
LATEST = f"SELECT m.uid, m.terms {tail.OF_TAIL} AND {{where}}"
PAGES = "SELECT id, block FROM words_data"
LISTED = """
    SELECT count(*) FROM vocabulary WHERE term IN (SELECT value FROM json_each(:terms))
"""
KEPT = (
    """SELECT 1 FROM memories WHERE instr(content, :part) OR instr(terms, :part)
        OR instr(tags, :part) OR instr(metadata, :part) OR instr(actor, :part)
        OR instr(key, :part) OR instr(type, :part) OR instr(entity, :part)
        OR instr(attribute, :part) OR instr(uid, :part)""",
    "SELECT 1 FROM tombstones WHERE instr(uid, :part)",  # a document names its sources by these
    """SELECT 1 FROM history h CROSS JOIN memories m ON m.id = h.memory
        WHERE instr(h.before, :part) OR instr(h.kind, :part)""",
    """SELECT 1 FROM receipts r CROSS JOIN memories m ON m.id = r.memory
        WHERE instr(r.key, :part) OR instr(r.why, :part)""",
    """SELECT 1 FROM subjects s WHERE instr(s.name, :part)
        AND EXISTS (SELECT 1 FROM memories m WHERE m.subject = s.id AND m.subject <> 0)""",
    """SELECT 1 FROM sessions s WHERE instr(s.name, :part)
        AND EXISTS (SELECT 1 FROM memories m WHERE m.session = s.id)""",
    "SELECT 1 FROM scopes WHERE instr(name, :part) OR instr(agent_kind, :part)",
    "SELECT 1 FROM relations WHERE instr(name, :part)",
    "SELECT 1 FROM profiles WHERE instr(weights, :part)",
    "SELECT 1 FROM embedders WHERE instr(fingerprint, :part)",
    "SELECT 1 FROM audit WHERE instr(by || action || target || detail, :part)",
    "SELECT 1 FROM sqlite_schema WHERE instr(sql, :part) OR instr(name, :part)",
)

_WORD = re.compile(r"\w+")
_LEAST_BYTES = 6  # of a part that is looked for: shorter ones stand anywhere by chance
_WINDOW = 24  # characters
_MOST_PARTS = 120  # in all; each is looked for in all of the file
_LONGEST_BYTES = 1_000  # of a part


def saying(line: Line, contents: Iterable[str], visibility: Visibility, *, most: int) -> set[str]:
    """Return visible memories that hold every word of one of *contents*, at most so many."""
    passes = gate(line.db, line.names, visibility)
    statement = SAYING.format(where=passes.sql)
    latest = tail.rows(line, LATEST.format(where=passes.sql), passes.parameters)
    found: set[str] = set()
    for content in dict.fromkeys(contents):
        asked = text.analyse_query(content).terms
        wanted = " AND ".join(words.quoted(term.text) + " *" * term.prefix for term in asked)
        if not wanted or len(found) >= most:
            continue
        match = f"{words.HELD} : ({wanted})"
        values = passes.parameters | {"match": match, "most": most - len(found)}
        found.update(uid for (uid,) in line.db.execute(statement, values))
        needles = [stored.needle(term) for term in asked] if latest else []
        waiting = [uid for uid, terms in latest if tail.holds_all(terms, needles)]
        found.update([uid for uid in waiting if uid not in found][: most - len(found)])
    return found


def probe(line: Line, path: str | None, erased: Sequence[Erased]) -> dict[str, int]:
    """Return how many traces are left of what was *erased*, by where they were looked for.

    *path* is the file; None in memory.
    """
    terms = frozenset(term for each in erased for term in each.terms)
    unheld = frozenset(vocabulary.unheld(line.db, sorted(terms)))
    spelt = unheld.intersection(structure.spelt(line.db.execute(PAGES)))
    return {
        "vocabulary": _listed(line, unheld),
        "word index": len(spelt),
        "bytes": len(_in_bytes(line, path, erased)),
    }


def _in_bytes(line: Line, path: str | None, erased: Sequence[Erased]) -> list[bytes]:
    """Return what stands in the bytes of the files and is not held by anything that is kept."""
    parts = {
        part.encode(): part for part in _parts([text for each in erased for text in each.texts])
    }
    marks = [mark for each in erased for mark in each.marks][:_MOST_PARTS]
    found = _standing([*parts, *marks], _files(line.db, path))
    return [part for part in found if part not in parts or not _is_kept(line, parts[part])]


def _listed(line: Line, terms: frozenset[str]) -> int:
    (count,) = line.db.execute(LISTED, {"terms": json.dumps(sorted(terms))}).fetchone()
    return int(count)


def _parts(texts: Sequence[str]) -> list[str]:
    """Return what to look for of *texts*: of each some of its longest words, and some windows."""
    share = max(2, _MOST_PARTS // (2 * max(1, len(texts))))
    parts: dict[str, None] = {}
    for each in texts:
        longest = sorted(set(_WORD.findall(each)), key=lambda word: (-len(word), word))
        middle = max(0, (len(each) - _WINDOW) // 2)
        windows = (each[at : at + _WINDOW] for at in (0, middle, max(0, len(each) - _WINDOW)))
        parts |= dict.fromkeys([*longest[:share], *windows])
    long_enough = (part for part in parts if _LEAST_BYTES <= len(part.encode()) <= _LONGEST_BYTES)
    return [part for part, _ in zip(long_enough, range(_MOST_PARTS), strict=False)]


def _files(db: sqlite3.Connection, path: str | None) -> Iterator[bytes]:
    """Yield the bytes of all files of the store; each piece begins with the end of the last."""
    files = [pages.blocks(db, path)]
    if path is not None:
        files += [pages.read(path + end) for end in pages.SIDE_FILES if os.path.exists(path + end)]
    for blocks in files:
        before = b""
        for block in blocks:
            yield before + block
            before = block[-_LONGEST_BYTES:]


def _standing(parts: Sequence[bytes], pieces: Iterable[bytes]) -> list[bytes]:
    """Return those of *parts* that stand in one of the *pieces*."""
    missing, found = [*parts], []
    for piece in pieces:
        found += [part for part in missing if part in piece]
        missing = [part for part in missing if part not in found]
    return found


def _is_kept(line: Line, part: str) -> bool:
    """Return whether something that is kept, and that is used, holds *part*."""
    return any(
        line.db.execute(f"{statement} LIMIT 1", {"part": part}).fetchone() for statement in KEPT
    )
