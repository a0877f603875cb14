"""What takes the place of what, and what contradicts it, as a reader sees it."""

# A supersession is a link by the owner of the older memory, and nothing else of that memory moves:
# neither its version nor its history, or those who do not see the newer one would learn of it.

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import Change, Link, Mark, MarkKind, State, Visibility
from agent_memory_os.pure import concept, ids
from agent_memory_os.store.sqlite import links
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import gate
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.schema import CONTRADICTS, PRIVATE, SUPERSEDES

# Also what is superseded already: what had taken its place may be gone, or seen by fewer.
MARK_SUPERSEDED = """
    UPDATE memories SET state = 1 WHERE uid = :uid AND state < 2 RETURNING content
"""
MARK_ACTIVE = f"""
    UPDATE memories AS m SET state = 0 WHERE uid = :uid AND state = 1 AND NOT EXISTS (
        SELECT 1 FROM links l INDEXED BY links_superseded
        WHERE l.dst = m.id AND l.relation = {SUPERSEDES} AND l.weight > 0 AND l.owner = m.owner
    )
"""
# The key of a memory that only one other keeps out of sight, if by now it names another one.
NAMED_ANEW = f"""
    SELECT o.key FROM memories o CROSS JOIN memories x ON x.uid = :newer
    CROSS JOIN memories n
        ON n.owner = o.owner AND n.subject = o.subject AND n.key = o.key AND n.state = 0
    WHERE o.uid = :older AND o.state = 1 AND NOT EXISTS (
        SELECT 1 FROM links l INDEXED BY links_superseded
        WHERE l.dst = o.id AND l.relation = {SUPERSEDES} AND l.weight > 0 AND l.owner = o.owner
            AND l.src <> x.id
    )
"""
# In recall for some of those who see all of its owner, audience and subject: what takes its place,
# if something does, is none of these, and hidden from some.
IN_SIGHT = f"""(m.state = 0 OR m.state = 1 AND NOT EXISTS (
    SELECT 1 FROM links t INDEXED BY links_superseded CROSS JOIN memories n ON n.id = t.src
    WHERE t.dst = m.id AND t.relation = {SUPERSEDES} AND t.weight > 0 AND t.owner = m.owner
        AND n.owner = m.owner AND n.audience = m.audience AND n.subject = m.subject
))"""
# A concept that `consolidate` made quotes all its sources: what takes the place of one takes its.
IS_CONCEPT = f"""(
    {{m}}.layer = {concept.LAYER} AND {{m}}.type = '{concept.TYPE}'
    AND {{m}}.key GLOB '{concept.KEY_PREFIX}*'
)"""
QUOTED_IN = f"""
    SELECT c.uid FROM memories o CROSS JOIN links l ON l.dst = o.id
    CROSS JOIN memories c ON c.id = l.src
    WHERE o.uid = :uid AND l.weight > 0 AND l.owner = c.owner AND c.owner = o.owner AND c.state < 2
        AND l.relation = (SELECT id FROM relations WHERE name = 'derived_from')
        AND {IS_CONCEPT.format(m="c")}
"""
# What a memory took the place of, in the words of the owner of both; and what took its own place.
BELOW = f"""
    SELECT o.uid, a.name FROM memories x CROSS JOIN links l ON l.src = x.id
    CROSS JOIN memories o ON o.id = l.dst CROSS JOIN scopes a ON a.id = o.owner
    WHERE x.uid = :uid AND l.relation = {SUPERSEDES} AND l.weight > 0 AND l.owner = o.owner
        AND o.owner = x.owner
"""
ABOVE = f"""
    SELECT n.uid FROM memories x CROSS JOIN links l INDEXED BY links_superseded ON l.dst = x.id
    CROSS JOIN memories n ON n.id = l.src
    WHERE x.uid = :uid AND l.relation = {SUPERSEDES} AND l.weight > 0 AND l.owner = x.owner
"""
# Some who see it may not see what took its place, or that ends: by itself that hides it no longer
# from those who see what is newer still.
MAY_RETURN = f"""{BELOW}
    AND NOT (
        o.audience IN (x.audience, {PRIVATE}) AND x.occurred_ms <= :now
        AND x.expires_ms IS NULL AND x.valid_from_ms IS NULL AND x.valid_to_ms IS NULL
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
ANY = {
    "SUPERSEDED": f"""
        SELECT 1 FROM links INDEXED BY links_superseded WHERE relation = {SUPERSEDES} LIMIT 1
    """,
    "CONFLICT": f"""
        SELECT 1 FROM links INDEXED BY links_contradicting WHERE relation = {CONTRADICTS} LIMIT 1
    """,
}
FAR = """
    SELECT x.uid, (
        SELECT json_group_array(json_array(uid, owner, actor, occurred_ms, confidence)) FROM (
            SELECT m.* FROM ({links}) l CROSS JOIN memories m ON m.id = l.far
            WHERE {gate} ORDER BY m.id DESC LIMIT :most
        )
    ) FROM json_each(:ids) wanted CROSS JOIN memories x ON x.uid = wanted.value
"""
MADE = f"""
    SELECT o.uid, l.weight, l.created_ms, l.version, l.version_node FROM memories n
    CROSS JOIN links l ON l.src = n.id CROSS JOIN memories o ON o.id = l.dst
    JOIN scopes a ON a.id = l.owner
    WHERE n.uid = :uid AND l.relation = {SUPERSEDES} AND l.weight > 0 AND a.kind = 'agent'
        AND a.name = :by AND l.owner = o.owner
    ORDER BY l.version
"""
# Up the chain from the newer one, as far as *by* sees it; UNION walks each memory once.
IN_A_CIRCLE = f"""
    WITH RECURSIVE above(id) AS (
        SELECT id FROM memories WHERE uid = :newer UNION
        SELECT m.id FROM above CROSS JOIN memories x ON x.id = above.id
        CROSS JOIN links l INDEXED BY links_superseded
            ON l.dst = x.id AND l.relation = {SUPERSEDES} AND l.weight > 0 AND l.owner = x.owner
        CROSS JOIN memories m ON m.id = l.src WHERE {{gate}}
    )
    SELECT 1 FROM above CROSS JOIN memories o ON o.id = above.id WHERE o.uid = :older
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
    """Let one memory take the place of another, which *by* owns; both are there.

    Raises:
        InvalidInput: the older one has taken the place of the newer one.
    """
    ever = Visibility(by, pen.now_ms, states=EVER, timeless=True)
    passes = gate(pen.db, pen.names, ever)
    ends = {"newer": newer_id, "older": older_id}
    circle = IN_A_CIRCLE.format(gate=passes.sql)
    if pen.db.execute(circle, passes.parameters | ends).fetchone() is not None:
        raise InvalidInput(
            f"memory {newer_id!r} cannot supersede {older_id!r}, which took its place before"
        )
    taken = [older_id, *_quoted_in(pen, older_id)]
    taken += [uid for uid, _ in pen.db.execute(MAY_RETURN, {"uid": older_id, "now": pen.now_ms})]
    for each in dict.fromkeys(taken):
        _take_place(pen, newer_id, each, by=by)


def bridge(pen: Pen, memory_id: str) -> None:
    """Let what took the place of a memory take the place of what that had taken the place of.

    Asked before it is gone, or when others than before see it, or when it may end: what is older
    must not come back to those who see what is newer.
    """
    newer = [uid for (uid,) in pen.db.execute(ABOVE, {"uid": memory_id})]
    older = [*pen.db.execute(BELOW, {"uid": memory_id})] if newer else []
    for uid in newer:
        for each, owner in older:
            _take_place(pen, uid, each, by=owner)


def _take_place(pen: Pen, newer_id: str, older_id: str, *, by: str) -> None:
    links.put(pen, newer_id, older_id, relation="supersedes", weight=1.0, by=by)
    for (content,) in pen.db.execute(MARK_SUPERSEDED, {"uid": older_id}).fetchall():
        pen.touch(older_id, content)


def reinstate(pen: Pen, newer_id: str, older_id: str, *, by: str) -> bool:
    """Take back that one memory took the place of another; False when *by* never said so.

    Raises:
        InvalidInput: the key of the older one names another memory now.
    """
    problem = named_anew(pen, newer_id, older_id)
    if problem:
        raise InvalidInput(problem)
    quoting = [each for each in _quoted_in(pen, older_id) if not named_anew(pen, newer_id, each)]
    count = links.cut(pen, newer_id, older_id, relation="supersedes", by=by)
    for each in quoting:
        links.cut(pen, newer_id, each, relation="supersedes", by=by)
    for each in (older_id, *quoting):
        pen.db.execute(MARK_ACTIVE, {"uid": each})
    return count > 0


def named_anew(pen: Pen, newer_id: str, older_id: str) -> str:
    """Return why one memory cannot come back from behind another; "" if it can."""
    found = pen.db.execute(NAMED_ANEW, {"newer": newer_id, "older": older_id}).fetchone()
    if found is None:
        return ""
    return f"memory {older_id!r} cannot come back: its key {found[0]!r} names another one now"


def _quoted_in(pen: Pen, memory_id: str) -> list[str]:
    return [uid for (uid,) in pen.db.execute(QUOTED_IN, {"uid": memory_id}).fetchall()]


def made(line: Line, memory_id: str, *, by: str) -> list[Link]:
    """Return the links by which *by* says that a memory took the place of its own, in order."""
    return [
        Link(
            memory_id,
            older,
            "supersedes",
            weight,
            by,
            created_ms,
            ids.version(version, node or line.names.node),
        )
        for older, weight, created_ms, version, node in line.db.execute(
            MADE, {"uid": memory_id, "by": by}
        )
    ]


def marks(line: Line, memory_ids: Sequence[str], visibility: Visibility) -> dict[str, list[Mark]]:
    """Return the marks of those of *memory_ids* that have any; the caller was shown these.

    What took the place of a memory may itself be superseded or archived since, and is told of in
    views of the past too, by what is known and holds now; what contradicts it must be in the same
    view. Of each kind the newest few.
    """
    found: dict[str, list[Mark]] = {}
    ever = _ever(visibility)
    for kind, sql, reader in (("SUPERSEDED", NEWER, ever), ("CONFLICT", OTHERWISE, visibility)):
        if not named.has_any(line.db, line.names, ANY[kind]):
            continue
        passes = gate(line.db, line.names, reader)
        values = {"ids": json.dumps(list(memory_ids)), "most": MOST, "looked_at": LOOKED_AT}
        statement = FAR.format(links=sql, gate=passes.sql)
        for uid, others in line.db.execute(statement, passes.parameters | values):
            for each in json.loads(others):
                found.setdefault(uid, []).append(_mark(line, cast("MarkKind", kind), *each))
    return found


def _ever(visibility: Visibility) -> Visibility:
    """Return who sees what took the place of something: what has ended since is as if absent."""
    return replace(visibility, states=EVER, timeless=False, as_of_ms=None, known_ms=None)


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
    passes = gate(line.db, line.names, _ever(visibility))
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
