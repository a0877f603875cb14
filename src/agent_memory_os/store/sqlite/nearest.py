"""Nearest: which visible memories are most alike to a vector."""

# A process holds the vectors of a model in a cache, under the numbers of their rows. Each search
# brings it to its snapshot, by what was written since: new vectors are above the last stamp, and
# what changed or left recall has an entry in the history. What is erased leaves no entry, but is
# counted: then the cache is made anew, so that no process holds on to it. The cache proposes, the
# gate decides, and how alike they are is measured on what the snapshot holds.

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from agent_memory_os.model import NO_FILTERS, Filters, Visibility
from agent_memory_os.noun import Noun
from agent_memory_os.pure import hashed, text
from agent_memory_os.store.contract import Asked, Near, Nearest, VectorCache
from agent_memory_os.store.sqlite import browse, partitions, past
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import gate
from agent_memory_os.store.sqlite.line import Line
from agent_memory_os.store.sqlite.vectors import find_embedder

_BATCH = 2_000  # vectors that are read at once
_REACH = 8  # times as many are looked at once more, before all that are visible are listed

PASSING = """
    SELECT m.id, m.uid, m.session IS NOT NULL AND m.layer = 0
    FROM json_each(:numbers) wanted CROSS JOIN memories m ON m.id = wanted.value WHERE {where}
"""
NUMBERS = "SELECT id FROM ({rows}) ORDER BY id DESC LIMIT :most"
OF_IDS = """
    SELECT m.id, m.uid FROM json_each(:ids) wanted CROSS JOIN memories m ON m.uid = wanted.value
    WHERE {where}
"""
ERASURES = "SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'purges'"
EVERYTHING = -1  # as a limit


class _Source(Noun):
    """Where the vectors of a model come from: statements, and what makes a vector of a value."""

    last: str  # up to where new vectors and changes go
    new: str  # (place, number, value) after a place
    changed: str  # (number, value, or None for none) after an event
    values: str  # (number, value) of numbers
    vector: Callable[[object], bytes]


STORED = _Source(
    last="""
        SELECT (SELECT ifnull(max(stamp), 0) FROM vectors),
            (SELECT ifnull(max(id), 0) FROM history)
    """,
    new="""
        SELECT stamp, memory, vector FROM vectors WHERE stamp > :after AND embedder = :embedder
        ORDER BY stamp LIMIT :most
    """,
    changed="""
        SELECT DISTINCT h.memory, NULL FROM history h WHERE h.id > :event AND NOT EXISTS (
            SELECT 1 FROM vectors v WHERE v.memory = h.memory AND v.embedder = :embedder
        )
    """,
    values="""
        SELECT v.memory, v.vector
        FROM json_each(:numbers) wanted CROSS JOIN vectors v ON v.memory = wanted.value
        WHERE v.embedder = :embedder
    """,
    vector=lambda value: bytes(value) if isinstance(value, bytes) else b"",
)
# What hashed pieces make of a memory is made of its terms, and stored nowhere.
HASHED = _Source(
    last="""
        SELECT (SELECT ifnull(max(id), 0) FROM memories), (SELECT ifnull(max(id), 0) FROM history)
    """,
    new="""
        SELECT id, id, terms FROM memories WHERE id > :after AND state < 2 ORDER BY id LIMIT :most
    """,
    changed="""
        SELECT id, CASE WHEN state < 2 THEN terms END FROM memories
        WHERE id IN (SELECT memory FROM history WHERE id > :event)
    """,
    values="""
        SELECT m.id, m.terms
        FROM json_each(:numbers) wanted CROSS JOIN memories m ON m.id = wanted.value
        WHERE m.state < 2
    """,
    vector=lambda terms: hashed.signature(text.expand(str(terms)).split()).to_bytes(),
)


def nearest(
    line: Line,
    asked: Asked,
    visibility: Visibility,
    narrowing: Filters,
    *,
    most: int,
    sample: int,
) -> Nearest:
    """Return the *most* visible memories that pass the filters most alike to a vector."""
    source, embedder = _source(line, asked.model)
    last = _numbers(line, visibility, NO_FILTERS, most=sample) if sample else []
    proposed: list[tuple[int, str, bool]] = []
    if asked.cache is not None:
        with asked.cache.turn:
            _catch_up(line, source, embedder, asked.cache)
            proposed = _proposed(line, asked, asked.cache, visibility, narrowing, most=most)
    wanted = {number for number, _, _ in proposed}.union(last)
    alike = _measured(line, source, embedder, asked, wanted)
    # Vectors are of what is said now: what said something else then is found by its words alone.
    then = past.past(line.db, line.names, visibility).was
    proposed = [each for each in proposed if each[1] not in then]
    found = [Near(uid, alike[n], is_turn) for n, uid, is_turn in proposed if n in alike]
    found.sort(key=lambda near: (-near.alike, near.id))
    compared = [alike[number] for number in last if number in alike]
    return Nearest(found[:most], compared, len(last))


def alikeness(
    line: Line, asked: Asked, ids: Sequence[str], visibility: Visibility
) -> dict[str, float]:
    """Return how alike those of *ids* are that pass the gate and have a vector."""
    source, embedder = _source(line, asked.model)
    passes = gate(line.db, line.names, visibility)
    parameters = passes.parameters | {"ids": json.dumps(list(ids))}
    uids = dict(line.db.execute(OF_IDS.format(where=passes.sql), parameters).fetchall())
    then = past.past(line.db, line.names, visibility).was
    uids = {number: uid for number, uid in uids.items() if uid not in then}
    alike = _measured(line, source, embedder, asked, uids.keys())
    return {uids[number]: share for number, share in alike.items()}


def _source(line: Line, model: str) -> tuple[_Source, int]:
    if model == hashed.FINGERPRINT:
        return HASHED, 0
    return STORED, find_embedder(line, model)


def _catch_up(line: Line, source: _Source, embedder: int, cache: VectorCache) -> None:
    """Bring the cache to this snapshot, unless it has seen a later one."""
    place, event = line.db.execute(source.last).fetchone()
    (erasures,) = line.db.execute(ERASURES).fetchone()
    seen, heard, known = cache.mark
    if erasures > known:
        cache.engine.clear()
        seen = heard = 0
    if event > heard and seen:
        values = {"embedder": embedder, "event": heard}
        changed = line.db.execute(source.changed, values).fetchall()
        cache.engine.drop([number for number, value in changed if value is None])
        _put(source, cache, [(number, value) for number, value in changed if value is not None])
    after = seen
    while after < place:
        values = {"embedder": embedder, "after": after, "most": _BATCH}
        rows = line.db.execute(source.new, values).fetchall()
        _put(source, cache, [(number, value) for _, number, value in rows])
        after = rows[-1][0] if rows else place
    # Only now: what was not finished is done again by the next search.
    cache.mark = max(place, seen), max(event, heard), max(erasures, known)


def _put(source: _Source, cache: VectorCache, rows: Sequence[tuple[int, object]]) -> None:
    if rows:
        numbers = [number for number, _ in rows]
        cache.engine.put(numbers, [source.vector(value) for _, value in rows])


def _proposed(
    line: Line,
    asked: Asked,
    cache: VectorCache,
    visibility: Visibility,
    narrowing: Filters,
    *,
    most: int,
) -> list[tuple[int, str, bool]]:
    """Return number, id and whether it is a turn of what the cache proposes and the gate passes.

    One who sees most rows is served by what is nearest of all, as far as it passes; for one who
    sees few, or whose filters leave few, all that pass are listed first. So nothing is lost to what
    others have that is nearer.
    """
    engine = cache.engine
    wanted = engine.surplus * most
    if not len(engine):
        return []
    if _seen(line, visibility, narrowing) > line.settings.narrow_share * len(engine):
        for reach in (wanted, _REACH * wanted):
            near = engine.nearest(asked.vector, min(reach, len(engine)))
            passing = _passing(line, near, visibility, narrowing)
            if len(passing) >= most or reach >= len(engine):
                return passing[:wanted]
    visible = _numbers(line, visibility, narrowing, most=EVERYTHING)
    listed = [number for number in visible if number in engine]
    if not listed:
        return []
    near = engine.nearest(asked.vector, min(wanted, len(listed)), listed)
    return _passing(line, near, visibility, narrowing)


def _seen(line: Line, visibility: Visibility, narrowing: Filters) -> int:
    """Return how many durable rows the reader sees, of the subject that it is held to."""
    passes = gate(line.db, line.names, visibility)
    if passes.bound is None and narrowing.subject is not None:
        passes = replace(passes, bound=named.subject(line.db, line.names, narrowing.subject))
    return partitions.visible(line.db, line.names, passes, visibility)[0]


def _numbers(line: Line, visibility: Visibility, narrowing: Filters, *, most: int) -> list[int]:
    """Return the numbers of visible memories that pass the filters, the last written first."""
    sql, parameters = browse.rows(line, visibility, narrowing)
    rows = line.db.execute(NUMBERS.format(rows=sql), parameters | {"most": most})
    return [number for (number,) in rows]


def _passing(
    line: Line, numbers: Sequence[int], visibility: Visibility, narrowing: Filters
) -> list[tuple[int, str, bool]]:
    """Return number, id and whether it is a turn of those that pass, in the order given."""
    passes = gate(line.db, line.names, visibility)
    where, parameters = passes.sql, passes.parameters | {"numbers": json.dumps(list(numbers))}
    if narrowing is not NO_FILTERS:
        sql, values = past.where_sql(line.db, line.names, visibility, narrowing)
        where, parameters = f"{where} AND {sql}", parameters | values
    rows = line.db.execute(PASSING.format(where=where), parameters)
    found = {number: (number, uid, is_turn == 1) for number, uid, is_turn in rows}
    return [found[number] for number in numbers if number in found]


def _measured(
    line: Line, source: _Source, embedder: int, asked: Asked, numbers: Collection[int]
) -> dict[int, float]:
    """Return how alike the vectors of these numbers are, as far as there are some."""
    values = {"embedder": embedder, "numbers": json.dumps(sorted(numbers))}
    rows = line.db.execute(source.values, values).fetchall() if numbers else []
    if not rows or asked.cache is None:
        return {}
    vectors = [source.vector(value) for _, value in rows]
    alike = asked.cache.engine.alike(asked.vector, vectors)
    return {number: round(share, 6) for (number, _), share in zip(rows, alike, strict=True)}
