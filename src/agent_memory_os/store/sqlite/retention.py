"""Retention: which memories may have aged out, how they come back, and what is kept beside them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent_memory_os.model import Memory
from agent_memory_os.pure import decay, stored
from agent_memory_os.pure.retention import Ageing
from agent_memory_os.store.sqlite import journal, memories, vocabulary
from agent_memory_os.store.sqlite.access import STATE_NAMES
from agent_memory_os.store.sqlite.debts import IS_OWED
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.schema import SUPERSEDES

_MARKS = (decay.AUTHORITY, decay.CLASS, decay.TEMPORARY)
_COLUMNS = f"""
    m.uid, m.type, m.layer, m.state, m.pinned, max(m.created_ms, m.version >> 16),
    max(m.created_ms, m.occurred_ms, m.version >> 16, ifnull(m.last_recalled_ms, 0)), m.expires_ms,
    iif(m.metadata IS NULL, NULL,
        json_extract(m.metadata, {", ".join(f"'$.{mark}'" for mark in _MARKS)}))
"""
PAGE = f"""
    SELECT {_COLUMNS} FROM memories m WHERE m.uid > :after AND m.state < 3
    ORDER BY m.uid LIMIT :most
"""
OF_IDS = f"""
    SELECT {_COLUMNS} FROM json_each(:ids) wanted CROSS JOIN memories m ON m.uid = wanted.value
    WHERE m.state < 4
"""
END_EXPIRY = "UPDATE memories SET expires_ms = NULL WHERE uid = :uid"
# What had been superseded before it was archived is so again: the link says so still.
SUPERSEDED_STILL = f"""
    UPDATE memories AS m SET state = 1 WHERE uid = :uid AND state = 0 AND EXISTS (
        SELECT 1 FROM links l INDEXED BY links_superseded
        WHERE l.dst = m.id AND l.relation = {SUPERSEDES} AND l.weight > 0 AND l.owner = m.owner
    )
"""

# Of each memory with too much history how much that is, in the order of their numbers.
CROWDED = """
    SELECT memory, count(*) - :each AS surplus FROM history GROUP BY memory HAVING surplus > 0
"""
CROWDED_SUM = f"SELECT total(surplus) FROM ({CROWDED})"
CROWDED_SOME = f"{CROWDED} LIMIT :most"
TRIM_CROWDED = """
    DELETE FROM history WHERE id IN (
        SELECT id FROM history WHERE memory = :memory ORDER BY id LIMIT :most
    ) RETURNING before
"""
COUNT_HISTORY = "SELECT count(*) FROM history"
COUNT_AUDIT = "SELECT count(*) FROM audit"
# What is still to be done after a write stands among the receipts, and is no answer to be dropped.
COUNT_RECEIPTS = f"SELECT count(*) FROM receipts WHERE verdict <> '{IS_OWED}'"
TRIM_HISTORY = """
    DELETE FROM history WHERE id IN (SELECT id FROM history ORDER BY id LIMIT :most)
    RETURNING before
"""
TRIM_AUDIT = "DELETE FROM audit WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT :most)"
TRIM_RECEIPTS = f"""
    DELETE FROM receipts WHERE (owner, key) IN (
        SELECT owner, key FROM receipts WHERE verdict <> '{IS_OWED}'
        ORDER BY at_ms, memory, owner, key LIMIT :most
    )
"""


def ageing(line: Line, *, after: str, most: int) -> list[Ageing]:
    """Return the next *most* memories that are not deleted, whoever owns them, by id."""
    return [_ageing(row) for row in line.db.execute(PAGE, {"after": after, "most": most})]


def ageing_of(line: Line, memory_ids: Sequence[str]) -> list[Ageing]:
    """Return those of *memory_ids* that there are, whoever owns them, each once, by id."""
    wanted = json.dumps(sorted(set(memory_ids)))
    return [_ageing(row) for row in line.db.execute(OF_IDS, {"ids": wanted})]


def _ageing(row: Any) -> Ageing:
    uid, kind, layer, state, pinned, changed, used, expires, marks = row
    words = {} if marks is None else dict(zip(_MARKS, json.loads(marks), strict=True))
    return Ageing(uid, kind, layer, STATE_NAMES[state], pinned == 1, changed, used, expires, words)


def unarchive(pen: Pen, memory_id: str, *, by: str) -> Memory:
    """Bring an archived memory back to what it was; an expiry that has passed is taken from it.

    Raises:
        InvalidInput: another memory has taken its key since.
    """
    wanted = {"uid": memory_id}
    archived = memories.noun(pen, None, pen.db.execute(memories.FIND, wanted).fetchone())
    has_expired = archived.expires_ms is not None and archived.expires_ms <= pen.now_ms
    lasting = replace(archived, expires_ms=None) if has_expired else archived
    revived = memories.revive(pen, lasting, by=by)
    if has_expired:
        row = memories.row_of(pen, memory_id)
        pen.db.execute(END_EXPIRY, wanted)
        journal.write(pen, row.id, "update", by, row.version, {"expires_ms": archived.expires_ms})
    pen.db.execute(SUPERSEDED_STILL, wanted)
    return revived


def surplus(line: Line) -> dict[str, int]:
    """Return how many rows beside the memories are more than the settings keep, by what they are.

    What has none is not in the answer. It counts all of them.
    """
    settings = line.settings
    (crowded,) = line.db.execute(CROWDED_SUM, {"each": settings.history_per_memory}).fetchone()
    history = _count(line, COUNT_HISTORY) - int(crowded) - settings.history_rows
    found = {
        "history": int(crowded) + max(history, 0),
        "audit": _count(line, COUNT_AUDIT) - settings.audit_rows,
        "receipts": _count(line, COUNT_RECEIPTS) - settings.receipt_rows,
    }
    return {name: count for name, count in found.items() if count > 0}


def trim(pen: Pen, *, most: int) -> dict[str, int]:
    """Drop the oldest of what `surplus` counts, *most* of each kind; return how many went."""
    settings = pen.settings
    went = {
        "history": _trim_history(pen, most),
        "audit": _trim(pen, TRIM_AUDIT, COUNT_AUDIT, settings.audit_rows, most),
        "receipts": _trim(pen, TRIM_RECEIPTS, COUNT_RECEIPTS, settings.receipt_rows, most),
    }
    return {name: count for name, count in went.items() if count}


def _trim_history(pen: Pen, most: int) -> int:
    """Drop the oldest values that were replaced, and the words that nothing else holds.

    Whoever forgets the memory later finds them no more, and could not look for their words.
    """
    values = {"each": pen.settings.history_per_memory, "most": most}
    went: list[str] = []
    for memory, too_many in pen.db.execute(CROWDED_SOME, values).fetchall():
        if len(went) >= most:
            break
        limit = {"memory": memory, "most": min(too_many, most - len(went))}
        went += [before for (before,) in pen.db.execute(TRIM_CROWDED, limit).fetchall()]
    too_many = _count(pen, COUNT_HISTORY) - pen.settings.history_rows
    if not went and too_many > 0:
        limit = {"most": min(too_many, most)}
        went = [before for (before,) in pen.db.execute(TRIM_HISTORY, limit).fetchall()]
    vocabulary.forget(pen, [_spoken(json.loads(before)) for before in went])
    return len(went)


def _spoken(before: Mapping[str, Any]) -> str:
    """Return, analysed, what a memory was found by, as far as that was replaced."""
    said = before.get("content") or "", before.get("actor"), before.get("tags") or ()
    return stored.analysed(*said)


def _trim(pen: Pen, statement: str, counting: str, kept: int, most: int) -> int:
    too_many = _count(pen, counting) - kept
    return pen.db.execute(statement, {"most": min(too_many, most)}).rowcount if too_many > 0 else 0


def _count(line: Line, statement: str) -> int:
    (n,) = line.db.execute(statement).fetchone()
    return int(n)
