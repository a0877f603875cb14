"""What happened: replaced values, acts on rights, first receipts, and deletions."""

import json
from collections.abc import Mapping
from dataclasses import fields
from typing import cast

from agent_memory_os.model import JSON, AuditEntry, Change, Memory, Verdict
from agent_memory_os.pure import draft as drafts
from agent_memory_os.pure import ids
from agent_memory_os.store.contract import FirstReceipt
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.line import Line, Pen

WRITE = """
    INSERT INTO history(memory, kind, by, at_ms, version, before)
    VALUES (:memory, :kind, :by, :at_ms, :version, :before)
"""
HISTORY = """
    SELECT h.kind, a.name, h.at_ms, h.version, h.before
    FROM history h JOIN scopes a ON a.id = h.by
    WHERE h.memory = :memory AND h.version > :since AND (h.before <> '{}' OR NOT :replaced)
    ORDER BY h.id
"""
RECORD = """
    INSERT INTO audit(at_ms, by, action, target, detail)
    VALUES (:at_ms, :by, :action, :target, :detail)
"""
AUDIT = "SELECT at_ms, by, action, target, detail FROM audit ORDER BY id DESC LIMIT :limit"
FIND_RECEIPT = """
    SELECT r.digest, m.uid, r.verdict, r.why FROM receipts r JOIN memories m ON m.id = r.memory
    WHERE r.owner = :owner AND r.key = :key
"""
KEEP_RECEIPT = """
    INSERT INTO receipts(owner, key, digest, memory, verdict, why, at_ms) VALUES (
        :owner, :key, :digest, (SELECT id FROM memories WHERE uid = :uid), :verdict, :why, :now
    )
"""
BURY = "INSERT INTO tombstones(uid, version, deleted_ms) VALUES (:uid, :version, :now)"

OTHER = "other"  # beside the replaced values: the memory that was the reason

# Kept by the row itself, or not a value that somebody replaced.
_NOT_KEPT = frozenset({"updated_ms", "version", "access_version", "state"})
_NOT_KEPT |= {"recalls", "helped", "last_recalled_ms"}
_KEPT = tuple(f.name for f in fields(Memory) if f.name not in _NOT_KEPT)


def difference(before: Memory, after: Memory) -> dict[str, JSON]:
    """Return the values of *before* that differ in *after*, by field."""
    old, new = before.to_dict(), after.to_dict()
    return {name: old[name] for name in _KEPT if old[name] != new[name]}


def write(
    pen: Pen,
    row: int,
    kind: str,
    by: str,
    version: int,
    before: Mapping[str, JSON],
    *,
    other: str | None = None,
) -> None:
    """Write what *by* replaced in a memory, and which *other* memory is the reason for it."""
    replaced = before if other is None else {**before, OTHER: other}
    values = {
        "memory": row,
        "kind": kind,
        "by": named.make_agent(pen.db, pen.names, by, pen.now_ms),
        "at_ms": pen.now_ms,
        "version": version,
        "before": drafts.encode(replaced),
    }
    pen.db.execute(WRITE, values)


def told(before: str) -> list[str]:
    """Return the parts of replaced values, as they are kept, that tell what a memory said.

    The id of another memory is no such part: it may be that of a tombstone.
    """
    other = json.loads(before).get(OTHER)
    return [before] if other is None else before.split(f'"{OTHER}":{drafts.encode(other)}')


def history(line: Line, row: int, memory_id: str, *, since: int, replaced: bool) -> list[Change]:
    """Return what was done to a memory after the stamp *since*, oldest first.

    With *replaced* only what replaced a value: what else stands there is about other memories.
    The caller has passed the gate.
    """
    rows = line.db.execute(HISTORY, {"memory": row, "since": since, "replaced": replaced})
    found = []
    for kind, by, at_ms, version, kept in rows:
        before = json.loads(kept)
        other = before.pop(OTHER, None)
        stamp = ids.version(version, line.names.node)
        found.append(Change(memory_id, kind, by, at_ms, stamp, before, other))
    return found


def record(pen: Pen, by: str, action: str, target: str, detail: Mapping[str, JSON]) -> None:
    """Write an entry of the audit."""
    pen.db.execute(
        RECORD,
        {
            "at_ms": pen.now_ms,
            "by": by,
            "action": action,
            "target": target,
            "detail": drafts.encode(detail),
        },
    )


def audit(line: Line, *, limit: int) -> list[AuditEntry]:
    """Return the last acts on rights and organisation, newest first."""
    return [
        AuditEntry(at_ms, by, action, target, cast("dict[str, JSON]", json.loads(detail)))
        for at_ms, by, action, target, detail in line.db.execute(AUDIT, {"limit": limit})
    ]


def find_receipt(line: Line, owner: int, key: str) -> tuple[str, str, Verdict, str] | None:
    """Return digest, memory id, verdict and reason of the first answer to a key, if any."""
    found = line.db.execute(FIND_RECEIPT, {"owner": owner, "key": key}).fetchone()
    return cast("tuple[str, str, Verdict, str] | None", found)


def keep_receipt(pen: Pen, owner: str, key: str, receipt: FirstReceipt) -> None:
    """Remember the first answer to a key."""
    number = named.make_agent(pen.db, pen.names, owner, pen.now_ms)
    pen.db.execute(KEEP_RECEIPT, receipt_values(pen, number, key, receipt))


def receipt_values(pen: Pen, owner: int, key: str, receipt: FirstReceipt) -> dict[str, object]:
    """Return what `KEEP_RECEIPT` writes of the first answer to a key of an agent."""
    return {
        "owner": owner,
        "key": key,
        "digest": receipt.digest,
        "uid": receipt.memory.id,
        "verdict": receipt.verdict,
        "why": receipt.why,
        "now": pen.now_ms,
    }


def bury(pen: Pen, memory_id: str, version: int) -> None:
    """Leave a tombstone: a store that is merged later must not bring the memory back."""
    pen.db.execute(BURY, {"uid": memory_id, "version": version, "now": pen.now_ms})
