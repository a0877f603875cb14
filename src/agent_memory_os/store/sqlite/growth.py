"""How what a reader sees has grown, and how much of it repeats itself or is never used."""

from agent_memory_os.store.sqlite.access import HOLDS_NOW, Gate, state_of
from agent_memory_os.store.sqlite.line import Line

BY_MONTH = """
    SELECT ifnull(strftime('%Y-%m', m.created_ms / 1000, 'unixepoch'), '') AS month, count(*)
    FROM memories m WHERE {where} GROUP BY month ORDER BY month DESC LIMIT :months
"""
SHARES = """
    SELECT count(*), count(m.identity) - count(DISTINCT m.identity), total(m.recalls = 0)
    FROM memories m WHERE {where} AND {state} = 0 AND {now}
"""
MONTHS = 24
_DECIMALS = 4


def by_month(line: Line, passes: Gate) -> dict[str, int]:
    """Return how many memories that pass were written in each of the last months that have any."""
    values = passes.parameters | {"months": MONTHS}
    rows = line.db.execute(BY_MONTH.format(where=passes.sql), values).fetchall()
    return dict(reversed(rows))


def shares(line: Line, passes: Gate) -> tuple[float, float]:
    """Return the shares of active memories that repeat another one, and that were never recalled.

    Events repeat nothing: they are evidence.
    """
    statement = SHARES.format(where=passes.sql, state=state_of(passes), now=HOLDS_NOW)
    count, repeated, unused = line.db.execute(statement, passes.parameters).fetchone()
    if not count:
        return 0.0, 0.0
    return round(repeated / count, _DECIMALS), round(unused / count, _DECIMALS)
