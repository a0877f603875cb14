"""Links between memories: written by who says so, and walked through the gate."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from agent_memory_os.model import Link, Step, Visibility
from agent_memory_os.pure import association, ids
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import Gate, gate
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.schema import CO_RECALLED, CONTRADICTS
from agent_memory_os.store.sqlite.upper import IS_DOCUMENT

# A link is there only for who sees both ends, so both pass the gate: the memories that are walked
# from, once, and those that are reached, one by one, the heaviest first. The innermost SELECT
# merges two indexes in order; CROSS JOIN keeps it outermost, so that it stops at what is wanted.
# What somebody said and what recalling made are walked each by itself.
WALK = """
    WITH near AS MATERIALIZED (
        SELECT m.id, m.uid FROM json_each(:ids) wanted CROSS JOIN memories m ON m.uid = wanted.value
        WHERE {gate}
    )
    SELECT near.uid, (
        SELECT json_group_array(json_array({each})) FROM (
            SELECT m.uid AS far, l.* FROM (
                SELECT {ends} FROM links WHERE src = near.id AND {kind} {relations}
                {union}
                SELECT {starts} FROM links WHERE dst = near.id AND {kind} {relations}
                ORDER BY weight DESC, end DESC LIMIT :looked_at
            ) l CROSS JOIN memories m ON m.id = l.end WHERE {among} {gate} LIMIT :most
        ) step
    ) {more} FROM near
"""
KINDS = {
    recalled: f"(relation = {CO_RECALLED}) = {recalled:d} AND weight > 0"
    for recalled in (False, True)
}
STEPS = {
    "each": "far, weight, {stamp}, relation, out",
    "union": "UNION ALL",
    "ends": "dst AS end, weight, relation, owner, 1 AS out",
    "starts": "src, weight, relation, owner, 0",
    "among": "",
    "more": "",
}
_MORE = """, :looked_at < (
    SELECT count(*) FROM (
        SELECT 1 FROM links WHERE src = near.id AND {kind} LIMIT :looked_at + 1
    )
) + (
    SELECT count(*) FROM (
        SELECT 1 FROM links WHERE dst = near.id AND {kind} LIMIT :looked_at + 1
    )
)"""
# Links of equal weight to the same memory are one: many agents may have said the same.
FANS = {
    "each": "far, weight, NULL",
    "union": "UNION",
    "ends": "dst AS end, weight",
    "starts": "src, weight",
    "among": "",
    "more": _MORE,
}
# What fades needs the moment of its weight, which is in no index: it is read of what is kept alone.
FADING_FANS = STEPS | {"each": "far, weight, {stamp}", "more": _MORE}
STAMP = """(
    SELECT v.version FROM links v
    WHERE v.src = iif(step.out, near.id, step.end) AND v.dst = iif(step.out, step.end, near.id)
        AND v.relation = step.relation AND v.owner = step.owner
)"""
# Who may see few memories at all has them listed by indexes alone: what a hub leads to is then read
# only if it is among them. The gate decides all the same.
MINE = """
    SELECT id FROM memories WHERE owner = :me
    UNION ALL
    SELECT id FROM memories
    WHERE audience <> 0 AND audience IN (SELECT value FROM json_each(:audiences))
"""
ABOUT = "SELECT id FROM memories WHERE subject <> 0 AND subject = :bound"
AMONG = """(
    :few < (SELECT count(*) FROM (SELECT 1 FROM ({listed}) LIMIT :few + 1))
    OR l.end IN ({listed})
) AND"""
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
SETTLE = f"""
    UPDATE links SET weight = 0, version = max(version + 1, :version), version_node = NULL
    WHERE relation = {CONTRADICTS} AND weight > 0 AND (src, dst) IN (
        SELECT src, dst FROM links INDEXED BY links_contradicting
        WHERE src = :row AND relation = {CONTRADICTS}
        UNION SELECT src, dst FROM links INDEXED BY links_contradicted
        WHERE dst = :row AND relation = {CONTRADICTS}
    )
"""
CUT_ONE = f"{CUT} AND relation = (SELECT id FROM relations WHERE name = :relation)"
FIND_RELATION = "SELECT id FROM relations WHERE name = :name"
NEW_RELATION = "INSERT INTO relations(name) VALUES (:name) RETURNING id"
RELATION_NAME = "SELECT name FROM relations WHERE id = :id"

ANY = "SELECT 1 FROM links LIMIT 1"
ANY_RECALLED = f"""
    SELECT 1 FROM links INDEXED BY links_recalled WHERE relation = {CO_RECALLED} LIMIT 1
"""

EVERY = -1  # in place of a limit
# Two that one scene tells of are not linked by that.
NOT_UPPER = f" AND NOT {IS_DOCUMENT.format(m='m')}"
_FEW = 10_000  # memories that are listed in less time than the links of hubs are looked at
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

    From each memory the heaviest *most* that somebody made, of equal ones those to the newest
    memories, and as many that recalling made.
    """
    passes = gate(line.db, line.names, visibility)
    parameters = passes.parameters | _walk(memory_ids, most, EVERY)
    if relations:
        parameters["relations"] = json.dumps(list(relations))
    words = line.names.relation_names
    found = []
    for recalled in (False, True):
        half_life = half_life_days(line, recalled=recalled)
        statement = _statement(STEPS, passes, recalled, half_life, OF_RELATIONS * bool(relations))
        for uid, links in line.db.execute(statement, parameters):
            for far, weight, version, relation, out in json.loads(links):
                word = words.get(relation) or _word(line, relation)
                left = _left(weight, version, visibility.now_ms, half_life)
                if left:
                    found.append(Step(uid, far, left, word, out == 1))
    return found


def fans(
    line: Line,
    memory_ids: Sequence[str],
    visibility: Visibility,
    *,
    most: int,
    looked_at: int,
    recalled: bool,
) -> dict[str, dict[str, float]]:
    """Return the weights of the heaviest links to the neighbours of each memory that has any.

    Both ends pass the gate. Links that recalling made, if *recalled*, else those that somebody
    made; for each memory the heaviest *most*, of equal ones those to the newest memories. First
    twice as many of its links are looked at; hubs whose neighbours the reader may hardly see then
    share *looked_at*. Which are the heaviest goes by the weights as they were written; what is
    returned is what is left of them.
    """
    if not named.has_any(line.db, line.names, ANY_RECALLED if recalled else ANY):
        return {}
    passes = gate(line.db, line.names, visibility)
    walk = _Walk(line, passes, visibility.now_ms, most, recalled)
    found, hubs = _fans(walk, memory_ids, _AT_FIRST * most)
    share = looked_at // len(hubs) if hubs else 0
    if share > _AT_FIRST * most:
        found |= _fans(walk._replace(among=_among(passes, visibility)), hubs, share)[0]
    return {memory_id: found[memory_id] for memory_id in memory_ids if found.get(memory_id)}


class _Walk(NamedTuple):
    line: Line
    passes: Gate
    now_ms: int
    most: int
    recalled: bool
    among: str = ""


def _among(passes: Gate, visibility: Visibility) -> str:
    """Return the SQL that holds the ends of links to what the reader may see, if that is little."""
    if visibility.admin:
        return ""
    is_bound = passes.bound is not None and not visibility.shared
    return AMONG.format(listed=ABOUT if is_bound else MINE)


def _fans(
    walk: _Walk, memory_ids: Sequence[str], looked_at: int
) -> tuple[dict[str, dict[str, float]], list[str]]:
    """Return the fans, and which memories have more links to look at."""
    half_life = half_life_days(walk.line, recalled=walk.recalled)
    plan = (FANS if half_life is None else FADING_FANS) | {"among": walk.among}
    statement = _statement(plan, walk.passes, walk.recalled, half_life, "", NOT_UPPER)
    parameters = walk.passes.parameters | _walk(memory_ids, walk.most, looked_at)
    found: dict[str, dict[str, float]] = {}
    hubs = []
    for uid, links, more in walk.line.db.execute(statement, parameters):
        fan: dict[str, float] = {}
        for far, weight, version in reversed(json.loads(links)):
            left = _left(weight, version, walk.now_ms, half_life)
            fan[far] = max(left, fan.get(far, 0.0))
        if more and len(fan) < walk.most:
            hubs.append(uid)
        found[uid] = {far: weight for far, weight in fan.items() if weight}
    return found, hubs


def half_life_days(line: Line, *, recalled: bool) -> float | None:
    """Return in how many days links that recalling made, or all others, fade by half."""
    settings = line.settings
    return settings.co_recall_half_life_days if recalled else settings.link_half_life_days


@cache
def _plan(kind: str, stamp: str, relations: str, parts: tuple[tuple[str, str], ...]) -> str:
    """Return a walk without its gate."""
    named_parts = {name: part.format(kind=kind, stamp=stamp) for name, part in parts}
    return WALK.format(gate="{gate}", kind=kind, relations=relations, **named_parts)


def _statement(
    parts: Mapping[str, str],
    passes: Gate,
    recalled: bool,
    half_life: float | None,
    relations: str,
    narrowing: str = "",
) -> str:
    stamp = "NULL" if half_life is None else STAMP
    plan = _plan(KINDS[recalled], stamp, relations, tuple(parts.items()))
    return plan.replace("{gate}", passes.sql + narrowing)


def _left(weight: float, version: int | None, now_ms: int, half_life: float | None) -> float:
    """Return what is left of a weight by now; 0 when the link is faint."""
    if version is None:
        return weight
    age_ms = now_ms - ids.stamp_ms(version)
    return association.faded(weight, age_ms, half_life_days=half_life)


def _walk(memory_ids: Sequence[str], most: int, looked_at: int) -> dict[str, object]:
    wanted = json.dumps(list(dict.fromkeys(memory_ids)))
    return {"ids": wanted, "most": most, "looked_at": looked_at, "few": _FEW}


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


def settle(pen: Pen, row: int, version: int) -> None:
    """Take back that a memory contradicts others, now that it says another thing."""
    pen.db.execute(SETTLE, {"row": row, "version": version})


def _tick(pen: Pen, ends: dict[str, str], owner: int) -> int:
    (last,) = pen.db.execute(LAST_VERSION, ends | {"owner": owner}).fetchone()
    return pen.tick(after=last)
