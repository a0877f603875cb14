"""Links that recalling makes: strengthened, weakened, kept few, and read for what clusters."""

import json
from collections.abc import Sequence

from agent_memory_os.pure import association, ids
from agent_memory_os.pure.association import Kept
from agent_memory_os.store.contract import CoRecalled
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import HOLDS_NOW
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.schema import CO_RECALLED
from agent_memory_os.store.sqlite.succession import IN_SIGHT

PAIRS = f"""
    SELECT s.id, t.id, ifnull(l.weight, 0), ifnull(l.version, 0)
    FROM json_each(:pairs) pair
    CROSS JOIN memories s ON s.uid = json_extract(pair.value, '$[0]')
    CROSS JOIN memories t ON t.uid = json_extract(pair.value, '$[1]')
    LEFT JOIN links l
        ON l.src = s.id AND l.dst = t.id AND l.relation = {CO_RECALLED} AND l.owner = :owner
"""
PUT = f"""
    INSERT INTO links(src, dst, relation, owner, weight, created_ms, version)
    VALUES (:source, :target, {CO_RECALLED}, :owner, :weight, :now, :version)
    ON CONFLICT DO UPDATE SET
        weight = excluded.weight, version = excluded.version, version_node = NULL,
        created_ms = iif(weight > 0, created_ms, excluded.created_ms)
"""
KEPT = f"""
    SELECT dst, src, weight, version FROM links INDEXED BY links_recalled
    WHERE dst IN (SELECT value FROM json_each(:targets)) AND owner = :owner
        AND relation = {CO_RECALLED}
"""
DROP = f"""
    DELETE FROM links
    WHERE src = :source AND dst = :target AND relation = {CO_RECALLED} AND owner = :owner
"""
PAGE = """
    SELECT count(*), max(uid) FROM (
        SELECT uid FROM memories WHERE uid > :after ORDER BY uid LIMIT :most
    )
"""
# Whoever sees one end sees the other one too. None of an audience of which a scope was deleted:
# what is made of them could not be given the same.
CLUSTERED = f"""
    SELECT s.uid, m.uid, l.weight, l.version
    FROM memories m CROSS JOIN links l INDEXED BY links_recalled ON l.dst = m.id
    CROSS JOIN memories s ON s.id = l.src
    WHERE m.uid > :after AND m.uid <= :last AND {IN_SIGHT} AND {HOLDS_NOW}
        AND l.relation = {CO_RECALLED} AND l.weight >= :least
        AND s.owner = m.owner AND s.audience = m.audience AND s.subject = m.subject
        AND {f"{IN_SIGHT} AND {HOLDS_NOW}".replace("m.", "s.")}
        AND NOT EXISTS (
            SELECT 1 FROM grants g JOIN scopes gone ON gone.id = g.scope
            WHERE g.audience = m.audience AND gone.deleted_ms IS NOT NULL
        )
"""


def recall_together(pen: Pen, pairs: Sequence[tuple[str, str]], *, by: str, helped: bool) -> None:
    """Strengthen the links that *by* has between *pairs*, or weaken those that it has.

    Of what then leads to a memory the weakest go, as a link that is not recalled need not be
    known to whoever merges later: it would fade there as well.
    """
    owner = _owner(pen, by, helped=helped)
    if owner is None or not pairs:
        return
    rows = pen.db.execute(PAIRS, {"pairs": json.dumps(pairs), "owner": owner}).fetchall()
    if not helped:
        rows = [row for row in rows if row[2] > 0]
    if not rows:
        return
    version = pen.tick(after=max(row[3] for row in rows))
    values = [
        {
            "source": source,
            "target": target,
            "owner": owner,
            "weight": _moved(pen, weight, last, helped=helped),
            "now": pen.now_ms,
            "version": version,
        }
        for source, target, weight, last in rows
    ]
    pen.db.executemany(PUT, values)
    _thin(pen, owner, {target for _, target, _, last in rows if not last})


def _owner(pen: Pen, by: str, *, helped: bool) -> int | None:
    """Return the number of an agent; one that linked nothing yet is made to strengthen alone."""
    if helped:
        return named.make_agent(pen.db, pen.names, by, pen.now_ms)
    return named.agent(pen.db, pen.names, by)


def _moved(pen: Pen, weight: float, version: int, *, helped: bool) -> float:
    settings = pen.settings
    left = _left(pen, weight, version, pen.now_ms)
    if helped:
        return association.strengthened(
            left, rate=settings.co_recall_rate, ceiling=settings.co_recall_ceiling
        )
    return association.weakened(left, rate=settings.co_recall_rate)


def _left(line: Line, weight: float, version: int, now_ms: int) -> float:
    half_life = line.settings.co_recall_half_life_days
    age_ms = now_ms - ids.stamp_ms(version)
    return association.faded(weight, age_ms, half_life_days=half_life)


def _thin(pen: Pen, owner: int, targets: set[int]) -> None:
    """Drop of the links of *owner* to each of *targets* those beyond what is kept."""
    if not targets:
        return
    values = {"targets": json.dumps(sorted(targets)), "owner": owner}
    found = [
        Kept(target, source, weight, ids.stamp_ms(version))
        for target, source, weight, version in pen.db.execute(KEPT, values)
    ]
    settings = pen.settings
    gone = association.surplus(
        found,
        pen.now_ms,
        most=settings.co_recall_kept,
        half_life_days=settings.co_recall_half_life_days,
    )
    if gone:
        ends = [{"source": each.number, "target": each.target, "owner": owner} for each in gone]
        pen.db.executemany(DROP, ends)


def co_recalled(line: Line, *, now_ms: int, least: float, after: str, most: int) -> CoRecalled:
    """Return what is recalled together among those who see all of it; see the contract."""
    count, last = line.db.execute(PAGE, {"after": after, "most": most}).fetchone()
    values = {"after": after, "last": last, "least": least, "now": now_ms, "at": now_ms}
    pairs: dict[tuple[str, str], float] = {}
    for source, target, weight, version in line.db.execute(CLUSTERED, values):
        left = _left(line, weight, version, now_ms)
        if left >= least:
            pairs[source, target] = max(left, pairs.get((source, target), 0.0))
    found = [(*pair, weight) for pair, weight in sorted(pairs.items())]
    return CoRecalled(found, last if count == most else None)
