"""Consolidating: twins, how one takes the other in, and what concepts are made of."""

# What was taken in is archived, and derived from what took it in: so it is narrowed, deleted and
# forgotten with that. Its links stay as they are, for the day on which it comes back, but for what
# says what rests on what; they are copied. All links of one such act have the version that the act
# gave to the memory, by which taking it back knows them.

import json
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from agent_memory_os.model import Memory
from agent_memory_os.pure import association, ids
from agent_memory_os.pure.concept import Concept
from agent_memory_os.store.sqlite import links, memories, succession
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import HOLDS_NOW
from agent_memory_os.store.sqlite.derivation import DERIVED_FROM
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.memories import Row
from agent_memory_os.store.sqlite.schema import CO_RECALLED, SUPERSEDES
from agent_memory_os.store.sqlite.succession import IN_SIGHT, IS_CONCEPT
from agent_memory_os.store.sqlite.upper import IS_DOCUMENT

CONSOLIDATE = "consolidate"  # in the history of both
DISTINCT = "distinct_from"  # by their owner: they shall not be merged

_DERIVED = "(SELECT id FROM relations WHERE name = 'derived_from')"
_APART = """l.weight > 0 AND l.owner = x.owner
    AND l.relation IN (SELECT id FROM relations WHERE name IN ('derived_from', 'distinct_from'))
"""
_WHOSE = "{m}.owner = ifnull(:owner, {m}.owner) AND {m}.subject = ifnull(:subject, {m}.subject)"

REPEATED = """
    SELECT identity FROM memories WHERE identity IS NOT NULL
    GROUP BY identity HAVING count(*) > 1 ORDER BY identity
"""
TWINS = f"""
    SELECT m.identity, m.owner, m.audience, m.subject, m.type, m.layer, m.entity, m.attribute, m.uid
    FROM json_each(:statements) s CROSS JOIN memories m ON m.identity = s.value
    WHERE m.state = 0 AND {HOLDS_NOW} AND m.expires_ms IS NULL AND {_WHOSE.format(m="m")}
    ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9
"""
APART = f"""
    SELECT x.uid FROM json_each(:others) wanted CROSS JOIN memories x ON x.uid = wanted.value
    CROSS JOIN memories s ON s.uid = :memory
    WHERE EXISTS (
        SELECT 1 FROM links l WHERE l.src = x.id AND l.dst = s.id AND {_APART} UNION ALL
        SELECT 1 FROM links l WHERE l.src = s.id AND l.dst = x.id AND {_APART}
    )
"""
# What documents say of the other one leaves them, and is told of this one anew.
LINKS = f"""
    SELECT 1 AS out, l.dst AS far, l.relation, l.owner, l.weight, l.version, x.uid, x.subject,
        x.owner
    FROM links l CROSS JOIN memories x ON x.id = l.dst WHERE l.src = :row
    UNION ALL
    SELECT 0, l.src, l.relation, l.owner, l.weight, l.version, x.uid, x.subject, x.owner
    FROM links l CROSS JOIN memories x ON x.id = l.src
    WHERE l.dst = :row AND NOT {IS_DOCUMENT.format(m="x")}
"""
_ONE = "src = :src AND dst = :dst AND relation = :relation AND owner = :owner"
FIND = f"SELECT weight, version FROM links WHERE {_ONE}"
PUT = """
    INSERT INTO links(src, dst, relation, owner, weight, created_ms, version)
    VALUES (:src, :dst, :relation, :owner, :weight, :now, :version)
    ON CONFLICT DO UPDATE SET
        weight = excluded.weight, version = excluded.version, version_node = NULL,
        created_ms = iif(weight > 0, created_ms, excluded.created_ms)
"""
COUNTS = """
    UPDATE memories AS m SET
        recalls = max(0, min(:most, m.recalls + :sign * o.recalls)),
        helped = max(0, min(:most, m.helped + :sign * o.helped)),
        last_recalled_ms = iif(
            :sign > 0 AND ifnull(o.last_recalled_ms, -1) > ifnull(m.last_recalled_ms, -1),
            o.last_recalled_ms, m.last_recalled_ms
        )
    FROM memories o WHERE m.id = :row AND o.id = :other
"""
# When one memory took another in last; the version of it tells the links that came with that.
TAKEN_IN = """
    SELECT version FROM history
    WHERE memory = :row AND kind = 'consolidate' AND json_extract(before, '$.other') = :other
    ORDER BY id DESC LIMIT 1
"""
# Each source of a concept, and whether whoever sees the concept sees the source as it was.
CONCEPTS = f"""
    SELECT c.uid, m.uid, m.owner = c.owner AND m.audience = c.audience AND m.subject = c.subject
        AND {IN_SIGHT} AND {HOLDS_NOW}
    FROM memories c CROSS JOIN links l ON l.src = c.id CROSS JOIN memories m ON m.id = l.dst
    WHERE {IS_CONCEPT.format(m="c")} AND c.state < 2
        AND l.relation = {_DERIVED} AND l.owner = c.owner AND l.weight > 0
        AND {_WHOSE.format(m="c")}
    ORDER BY 1, 2
"""
NAMED = f"""
    SELECT 1 FROM memories s CROSS JOIN links l ON l.dst = s.id
    CROSS JOIN memories c ON c.id = l.src
    WHERE s.uid = :source AND l.relation = {_DERIVED} AND c.key = :key AND c.owner = s.owner
        AND c.state IN (0, 1, 3) LIMIT 1
"""
SEEN = f"""
    SELECT m.uid FROM json_each(:ids) wanted CROSS JOIN memories m ON m.uid = wanted.value
    WHERE {IN_SIGHT} AND {HOLDS_NOW}
"""
TAKES_PLACE = f"""
    SELECT DISTINCT n.uid FROM memories c CROSS JOIN links d ON d.src = c.id
    CROSS JOIN links s INDEXED BY links_superseded ON s.dst = d.dst
    CROSS JOIN memories n ON n.id = s.src
    WHERE c.uid = :concept AND d.relation = {_DERIVED} AND d.owner = c.owner AND d.weight > 0
        AND s.relation = {SUPERSEDES} AND s.owner = c.owner AND s.weight > 0 ORDER BY n.uid
"""


class _Linked(NamedTuple):
    """A link of a memory with another one, *far*; *is_out*: it leads there."""

    is_out: int
    far: int
    relation: int
    owner: int
    weight: float
    version: int
    far_uid: str
    far_subject: int
    far_owner: int


def repeated(line: Line) -> list[int]:
    """Return what tells apart the statements that more than one memory makes, in any state."""
    return [identity for (identity,) in line.db.execute(REPEATED)]


def twins(
    line: Line,
    statements: Sequence[int],
    *,
    now_ms: int,
    owner: str | None,
    subject: str | None,
) -> list[list[str]]:
    """Return groups of active memories of one kind that make one of *statements*, oldest first."""
    values = {"statements": json.dumps(list(statements)), "now": now_ms, "at": now_ms}
    rows = line.db.execute(TWINS, values | _whose(line, owner, subject))
    groups = ([row[8] for row in group] for _, group in groupby(rows, key=lambda row: row[:8]))
    return [group for group in groups if len(group) > 1]


def _whose(line: Line, owner: str | None, subject: str | None) -> dict[str, object]:
    """Return parameters that narrow to an owner and a subject; NULL narrows nothing."""
    agent = None
    if owner is not None:
        agent = named.agent(line.db, line.names, owner) or named.UNKNOWN
    about = None if subject is None else named.subject(line.db, line.names, subject)
    return {"owner": agent, "subject": about}


def apart(line: Line, memory_id: str, others: Sequence[str]) -> set[str]:
    """Return those of *others* that their owner holds apart from a memory: one rests on the other.

    Or it was said that they are distinct, as taking back a merger does.
    """
    values = {"memory": memory_id, "others": json.dumps(list(others))}
    return {uid for (uid,) in line.db.execute(APART, values)}


def absorb(pen: Pen, united: Memory, other: Memory, *, by: str) -> Memory:
    """Let a memory take in another one, which is archived; *united* is what it is with that."""
    memory = memories.replace(pen, united, by=by, kind=CONSOLIDATE, other=other.id)
    row, taken = memories.row_of(pen, united.id), memories.row_of(pen, other.id)
    derived = _derived(pen)
    raised = pen.tick(after=row.version)
    for link in _links(pen, taken.id):
        if link.weight > 0 and link.far != row.id and link.relation != SUPERSEDES:
            _copy(pen, link, row, raised)
            if link.relation == derived and link.owner == _rests(link, taken):
                _put(pen, _ends(link, taken.id), link, 0.0, row.version)
    _put_own(pen, taken, row, derived, row.version)
    _count(pen, row, taken, sign=1)
    memories.set_state(pen, other, "archived", by=by, kind=CONSOLIDATE, other=united.id)
    return memory


def release(pen: Pen, memory_id: str, other_id: str) -> None:
    """Take from a memory the links and recalls that it has of another one, which it took in."""
    row, taken = memories.row_of(pen, memory_id), memories.row_of(pen, other_id)
    found = pen.db.execute(TAKEN_IN, {"row": row.id, "other": other_id}).fetchone()
    came_with = found[0] if found else None
    derived, now = _derived(pen), pen.tick(after=row.version)
    for link in _links(pen, taken.id):
        if link.far == row.id:
            continue
        ends = _reoriented(link, row)
        held = pen.db.execute(FIND, _key(ends, link)).fetchone() or (0.0, None)
        was_moved = link.relation == derived and link.version == came_with and not link.weight
        if was_moved:
            _put(pen, _ends(link, taken.id), link, held[0] or 1.0, now)
        if (link.weight or was_moved) and held[0] and held[1] == came_with:
            _put(pen, ends, link, 0.0, now)
    links.cut(pen, other_id, memory_id, relation=DERIVED_FROM, by=_owner(pen, taken))
    links.put(pen, other_id, memory_id, relation=DISTINCT, weight=1.0, by=_owner(pen, taken))
    _count(pen, row, taken, sign=-1)


def _derived(pen: Pen) -> int:
    """Return the number of the relation of what rests on something, which is made if need be."""
    found = pen.db.execute(links.FIND_RELATION, {"name": DERIVED_FROM}).fetchone()
    if found is None:
        found = pen.db.execute(links.NEW_RELATION, {"name": DERIVED_FROM}).fetchone()
    return int(found[0])


def _links(pen: Pen, row: int) -> list[_Linked]:
    return [_Linked(*each) for each in pen.db.execute(LINKS, {"row": row}).fetchall()]


def _rests(link: _Linked, taken: Row) -> int:
    """Return the owner of what rests on the other end, whose word alone counts."""
    return taken.owner if link.is_out else link.far_owner


def _ends(link: _Linked, row: int) -> tuple[int, int]:
    return (row, link.far) if link.is_out else (link.far, row)


def _reoriented(link: _Linked, row: Row) -> tuple[int, int]:
    """Return the ends of a link that a memory takes over; what recalling makes has one direction.

    See `association.pairs`: from what has no subject to what has one, else from the older one.
    """
    if link.relation != CO_RECALLED:
        return _ends(link, row.id)
    mine, theirs = (row.subject != 0, row.id), (link.far_subject != 0, link.far)
    return (row.id, link.far) if mine < theirs else (link.far, row.id)


def _key(ends: tuple[int, int], link: _Linked) -> dict[str, object]:
    return {"src": ends[0], "dst": ends[1], "relation": link.relation, "owner": link.owner}


def _put(pen: Pen, ends: tuple[int, int], link: _Linked, weight: float, version: int) -> None:
    values = {"weight": weight, "now": pen.now_ms, "version": version}
    pen.db.execute(PUT, _key(ends, link) | values)


def _put_own(pen: Pen, taken: Row, row: Row, relation: int, version: int) -> None:
    """Let what was taken in rest on what took it in."""
    values = {"src": taken.id, "dst": row.id, "relation": relation, "owner": taken.owner}
    pen.db.execute(PUT, values | {"weight": 1.0, "now": pen.now_ms, "version": version})


def _copy(pen: Pen, link: _Linked, row: Row, raised: int) -> None:
    """Give a memory the link of another one, unless it has one that is as heavy.

    A link that it did not have gets the version of the memory, one that becomes heavier another.
    """
    left = _left(pen, link.relation, link.weight, link.version)
    ends = _reoriented(link, row)
    found = pen.db.execute(FIND, _key(ends, link)).fetchone()
    held = _left(pen, link.relation, *found) if found else 0.0
    if left > held:
        _put(pen, ends, link, left, raised if found and found[0] > 0 else row.version)


def _left(pen: Pen, relation: int, weight: float, version: int) -> float:
    """Return what is left of a weight by now."""
    half_life = links.half_life_days(pen, recalled=relation == CO_RECALLED)
    age_ms = pen.now_ms - ids.stamp_ms(version)
    return association.faded(weight, age_ms, half_life_days=half_life)


def _count(pen: Pen, row: Row, other: Row, *, sign: int) -> None:
    values = {"row": row.id, "other": other.id, "sign": sign, "most": memories.MOST_RECALLS}
    pen.db.execute(COUNTS, values)


def _owner(pen: Pen, row: Row) -> str:
    return named.name_of(pen.db, pen.names.agent_names, named.AGENT_NAME, row.owner)


def concepts(line: Line, *, now_ms: int, owner: str | None, subject: str | None) -> list[Concept]:
    """Return the concepts in recall that `consolidate` made, with what they were made of, by id."""
    values = {"now": now_ms, "at": now_ms} | _whose(line, owner, subject)
    rows = line.db.execute(CONCEPTS, values)
    found = []
    for uid, group in groupby(rows, key=lambda row: row[0]):
        sources = [(source, is_seen) for _, source, is_seen in group]
        is_whole = all(is_seen for _, is_seen in sources)
        found.append(Concept(uid, tuple(source for source, _ in sources), is_whole))
    return found


def was_named(line: Line, source_id: str, key: str) -> bool:
    """Return whether a memory of that name, derived from the source, is active or deleted."""
    return line.db.execute(NAMED, {"source": source_id, "key": key}).fetchone() is not None


def in_sight(line: Line, memory_ids: Iterable[str], *, now_ms: int) -> set[str]:
    """Return those of *memory_ids* that are in recall for some who see their whole partition."""
    values = {"ids": json.dumps(list(memory_ids)), "now": now_ms, "at": now_ms}
    return {uid for (uid,) in line.db.execute(SEEN, values)}


def follow(pen: Pen, concept_id: str, *, owner: str) -> None:
    """Let what takes the place of a source of a concept take its place too: it quotes that."""
    for (newer,) in pen.db.execute(TAKES_PLACE, {"concept": concept_id}).fetchall():
        succession.supersede(pen, newer, concept_id, by=owner)
