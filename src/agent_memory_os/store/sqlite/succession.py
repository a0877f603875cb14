"""What takes the place of what, and what contradicts it, as a reader sees it."""

# A supersession is a link by the owner of the older memory, and nothing else of that memory moves:
# neither its version nor its history, or those who do not see the newer one would learn of it.

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from agent_memory_os.model import Change, Mark, MarkKind, State, Visibility
from agent_memory_os.pure import ids
from agent_memory_os.store.sqlite import links
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import gate
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.schema import CONTRADICTS, SUPERSEDES

MARK_SUPERSEDED = "UPDATE memories SET state = 1 WHERE uid = :uid AND state = 0"
MARK_ACTIVE = f"""
    UPDATE memories AS m SET state = 0 WHERE uid = :uid AND state = 1 AND NOT EXISTS (
        SELECT 1 FROM links l INDEXED BY links_superseded
        WHERE l.dst = m.id AND l.relation = {SUPERSEDES} AND l.weight > 0 AND l.owner = m.owner
    )
"""
NEWER = f"""
    SELECT src AS far FROM links INDEXED BY links_superseded
    WHERE dst = x.id AND relation = {SUPERSEDES} AND weight > 0 AND owner = x.owner
    LIMIT :looked_at
"""
OTHERWISE = f"""
    SELECT dst AS far FROM links INDEXED BY links_contradicting
    WHERE src = x.id AND relation = {CONTRADICTS} AND weight > 0 UNION
    SELECT src FROM links INDEXED BY links_contradicted
    WHERE dst = x.id AND relation = {CONTRADICTS} AND weight > 0 LIMIT :looked_at
"""
FAR = """
    SELECT x.uid, (
        SELECT json_group_array(json_array(uid, owner, actor, occurred_ms, confidence)) FROM (
            SELECT m.* FROM ({links}) l CROSS JOIN memories m ON m.id = l.far
            WHERE {gate} ORDER BY m.id DESC LIMIT :most
        )
    ) FROM json_each(:ids) wanted CROSS JOIN memories x ON x.uid = wanted.value
"""
TOLD = f"""
    SELECT m.uid, a.name, l.created_ms, l.version, l.version_node
    FROM links l INDEXED BY links_superseded
    CROSS JOIN memories m ON m.id = l.src CROSS JOIN scopes a ON a.id = l.owner
    WHERE l.dst = :row AND l.relation = {SUPERSEDES} AND l.weight > 0 AND {{gate}}
    ORDER BY l.created_ms
"""
EVER: tuple[State, ...] = ("active", "superseded", "archived")
MOST, LOOKED_AT = 8, 64  # marks of one memory, and links that are looked at for them


def supersede(pen: Pen, newer_id: str, older_id: str, *, by: str) -> None:
    """Let one memory take the place of another, which *by* owns; both are there."""
    links.put(pen, newer_id, older_id, relation="supersedes", weight=1.0, by=by)
    pen.db.execute(MARK_SUPERSEDED, {"uid": older_id})


def reinstate(pen: Pen, newer_id: str, older_id: str, *, by: str) -> bool:
    """Take back that one memory took the place of another; False when *by* never said so."""
    count = links.cut(pen, newer_id, older_id, relation="supersedes", by=by)
    pen.db.execute(MARK_ACTIVE, {"uid": older_id})
    return count > 0


def marks(line: Line, memory_ids: Sequence[str], visibility: Visibility) -> dict[str, list[Mark]]:
    """Return the marks of those of *memory_ids* that have any; the caller was shown these.

    What took the place of a memory may have left recall since; what contradicts it must be active
    for the reader. Of each kind the newest few.
    """
    found: dict[str, list[Mark]] = {}
    ever = replace(visibility, states=EVER, timeless=True)
    for kind, sql, reader in (("SUPERSEDED", NEWER, ever), ("CONFLICT", OTHERWISE, visibility)):
        passes = gate(line.db, line.names, reader)
        values = {"ids": json.dumps(list(memory_ids)), "most": MOST, "looked_at": LOOKED_AT}
        statement = FAR.format(links=sql, gate=passes.sql)
        for uid, others in line.db.execute(statement, passes.parameters | values):
            for each in json.loads(others):
                found.setdefault(uid, []).append(_mark(line, cast("MarkKind", kind), *each))
    return found


def _mark(
    line: Line,
    kind: MarkKind,
    uid: str,
    owner: int,
    actor: str | None,
    occurred_ms: int,
    confidence: float,
) -> Mark:
    who = named.name_of(line.db, line.names.agent_names, named.AGENT_NAME, owner)
    return Mark(kind, uid, who, actor, occurred_ms, confidence)


def told(line: Line, row: int, memory_id: str, visibility: Visibility) -> list[Change]:
    """Return when something took the place of a memory, as far as the reader sees what did."""
    passes = gate(line.db, line.names, replace(visibility, states=EVER, timeless=True))
    values = passes.parameters | {"row": row}
    return [
        Change(
            memory_id,
            "superseded",
            by,
            at_ms,
            ids.version(version, node or line.names.node),
            {"state": "active"},
            newer,
        )
        for newer, by, at_ms, version, node in line.db.execute(TOLD.format(gate=passes.sql), values)
    ]
