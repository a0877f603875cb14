"""Links between memories: written by who says so, and walked through the gate."""

import json
from collections.abc import Sequence

from agent_memory_os.model import Link, Step, Visibility
from agent_memory_os.pure import ids
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import Gate, gate
from agent_memory_os.store.sqlite.line import Line, Pen

# A link is there only for who sees both ends, so both pass the gate: the memories that are walked
# from, once, and those that are reached, one by one, the heaviest first. The innermost SELECT
# merges two indexes in order; CROSS JOIN keeps it outermost, so that it stops at what is wanted.
WALK = """
    WITH near AS MATERIALIZED (
        SELECT m.id, m.uid FROM json_each(:ids) wanted CROSS JOIN memories m ON m.uid = wanted.value
        WHERE {gate}
    )
    SELECT near.uid, (
        SELECT json_group_array(json_array({each})) FROM (
            SELECT {distinct} m.uid AS far, l.* FROM (
                SELECT {ends} FROM links WHERE src = near.id AND weight > 0 {relations}
                UNION ALL
                SELECT {starts} FROM links WHERE dst = near.id AND weight > 0 {relations}
                ORDER BY weight DESC, end DESC LIMIT :looked_at
            ) l CROSS JOIN memories m ON m.id = l.end WHERE {gate} LIMIT :most
        )
    ) {more} FROM near
"""
STEPS = {
    "each": "far, weight, relation, out",
    "distinct": "",
    "ends": "dst AS end, weight, relation, 1 AS out",
    "starts": "src, weight, relation, 0",
    "more": "",
}
# Links of equal weight to the same memory are one: many agents may have said the same.
FANS = {
    "each": "far, weight",
    "distinct": "DISTINCT",
    "ends": "dst AS end, weight",
    "starts": "src, weight",
    "relations": "",
    "more": """, :looked_at < (
        SELECT count(*) FROM (
            SELECT 1 FROM links WHERE src = near.id AND weight > 0 LIMIT :looked_at + 1
        )
    ) + (
        SELECT count(*) FROM (
            SELECT 1 FROM links WHERE dst = near.id AND weight > 0 LIMIT :looked_at + 1
        )
    )""",
}
OF_RELATIONS = """
    AND relation IN (
        SELECT id FROM relations WHERE name IN (SELECT value FROM json_each(:relations))
    )
"""
BETWEEN = """
    SELECT r.name, l.weight, a.name, l.created_ms, l.version, l.version_node
    FROM memories s JOIN memories t JOIN links l ON l.src = s.id AND l.dst = t.id
    JOIN relations r ON r.id = l.relation JOIN scopes a ON a.id = l.owner
    WHERE s.uid = :source AND t.uid = :target AND l.weight > 0
    ORDER BY l.weight DESC, r.name, a.name
"""
PUT = """
    INSERT INTO links(src, dst, relation, owner, weight, created_ms, version)
    SELECT s.id, t.id, :relation, :owner, :weight, :now, :version
    FROM memories s JOIN memories t WHERE s.uid = :source AND t.uid = :target
    ON CONFLICT DO UPDATE SET
        weight = excluded.weight, version = excluded.version, version_node = NULL,
        created_ms = iif(weight > 0, created_ms, excluded.created_ms)
    RETURNING created_ms
"""
LAST_VERSION = """
    SELECT ifnull(max(l.version), 0)
    FROM memories s JOIN memories t JOIN links l ON l.src = s.id AND l.dst = t.id
    WHERE s.uid = :source AND t.uid = :target AND l.owner = :owner
"""
CUT = """
    UPDATE links SET weight = 0, version = :version, version_node = NULL
    WHERE src = (SELECT id FROM memories WHERE uid = :source)
        AND dst = (SELECT id FROM memories WHERE uid = :target)
        AND owner = :owner AND weight > 0
"""
CUT_ONE = f"{CUT} AND relation = (SELECT id FROM relations WHERE name = :relation)"
FIND_RELATION = "SELECT id FROM relations WHERE name = :name"
NEW_RELATION = "INSERT INTO relations(name) VALUES (:name) RETURNING id"
RELATION_NAME = "SELECT name FROM relations WHERE id = :id"

EVERY = -1  # in place of a limit
_AT_FIRST = 2  # times as many links as are kept are looked at, of each memory


def steps(
    line: Line,
    memory_ids: Sequence[str],
    visibility: Visibility,
    *,
    relations: Sequence[str],
    most: int,
) -> list[Step]:
    """Return the steps from *memory_ids* over links whose both ends pass the gate.

    From each memory the heaviest *most*, of equal ones those to the newest memories.
    """
    passes = gate(line.db, line.names, visibility)
    parameters = passes.parameters | _walk(memory_ids, most, EVERY)
    if relations:
        parameters["relations"] = json.dumps(list(relations))
    statement = WALK.format(gate=passes.sql, relations=OF_RELATIONS if relations else "", **STEPS)
    words = line.names.relation_names
    return [
        Step(uid, far, weight, words.get(relation) or _word(line, relation), out == 1)
        for uid, found in line.db.execute(statement, parameters)
        for far, weight, relation, out in json.loads(found)
    ]


def fans(
    line: Line, memory_ids: Sequence[str], visibility: Visibility, *, most: int, looked_at: int
) -> dict[str, dict[str, float]]:
    """Return the weights of the heaviest links to the neighbours of each memory that has any.

    Both ends pass the gate. For each memory the heaviest *most*, of equal ones those to the
    newest memories. First twice as many of its links are looked at; hubs whose neighbours the
    reader may hardly see then share *looked_at*.
    """
    passes = gate(line.db, line.names, visibility)
    found, hubs = _fans(line, passes, memory_ids, most, _AT_FIRST * most)
    share = looked_at // len(hubs) if hubs else 0
    if share > _AT_FIRST * most:
        found |= _fans(line, passes, hubs, most, share)[0]
    return {memory_id: found[memory_id] for memory_id in memory_ids if memory_id in found}


def _fans(
    line: Line, passes: Gate, memory_ids: Sequence[str], most: int, looked_at: int
) -> tuple[dict[str, dict[str, float]], list[str]]:
    """Return the fans that are not empty, and which memories have more links to look at."""
    parameters = passes.parameters | _walk(memory_ids, most, looked_at)
    found: dict[str, dict[str, float]] = {}
    hubs = []
    for uid, links, more in line.db.execute(WALK.format(gate=passes.sql, **FANS), parameters):
        fan = dict(reversed(json.loads(links)))  # the heaviest link to a neighbour comes last
        if fan:
            found[uid] = fan
        if more and len(fan) < most:
            hubs.append(uid)
    return found, hubs


def _walk(memory_ids: Sequence[str], most: int, looked_at: int) -> dict[str, object]:
    wanted = json.dumps(list(dict.fromkeys(memory_ids)))
    return {"ids": wanted, "most": most, "looked_at": looked_at}


def _word(line: Line, relation: int) -> str:
    return named.name_of(line.db, line.names.relation_names, RELATION_NAME, relation)


def between(line: Line, source_id: str, target_id: str) -> list[Link]:
    """Return the links from one memory to another; the caller has passed both through the gate."""
    rows = line.db.execute(BETWEEN, {"source": source_id, "target": target_id})
    return [
        Link(
            source_id,
            target_id,
            relation,
            weight,
            owner,
            created_ms,
            ids.version(version, node or line.names.node),
        )
        for relation, weight, owner, created_ms, version, node in rows
    ]


def put(pen: Pen, source_id: str, target_id: str, *, relation: str, weight: float, by: str) -> Link:
    """Link two memories that are there; again gives the link of the same agent another weight."""
    ends = {"source": source_id, "target": target_id}
    owner = named.make_agent(pen.db, pen.names, by, pen.now_ms)
    row = pen.db.execute(FIND_RELATION, {"name": relation}).fetchone()
    if row is None:
        row = pen.db.execute(NEW_RELATION, {"name": relation}).fetchone()
    values = ends | {"relation": row[0], "owner": owner, "weight": weight, "now": pen.now_ms}
    values["version"] = version = _tick(pen, ends, owner)
    (created_ms,) = pen.db.execute(PUT, values).fetchone()
    stamp = ids.version(version, pen.names.node)
    return Link(source_id, target_id, relation, weight, by, created_ms, stamp)


def cut(pen: Pen, source_id: str, target_id: str, *, relation: str | None, by: str) -> int:
    """Unlink what *by* linked, of one relation or of all; return how many links that was."""
    owner = named.agent(pen.db, pen.names, by)
    if owner is None:
        return 0
    ends = {"source": source_id, "target": target_id}
    values = ends | {"owner": owner, "version": _tick(pen, ends, owner), "relation": relation}
    return pen.db.execute(CUT if relation is None else CUT_ONE, values).rowcount


def _tick(pen: Pen, ends: dict[str, str], owner: int) -> int:
    (last,) = pen.db.execute(LAST_VERSION, ends | {"owner": owner}).fetchone()
    return pen.tick(after=last)
