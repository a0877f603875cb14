"""Sessions, and events in their order, as a reader sees them."""

from dataclasses import replace

from agent_memory_os.model import (
    All,
    Compare,
    Condition,
    Field,
    Filters,
    Memory,
    Session,
    Visibility,
)
from agent_memory_os.pure.messages import SESSION_END
from agent_memory_os.store.sqlite import browse, memories
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import gate
from agent_memory_os.store.sqlite.line import Line

# Which sessions there are is looked up by the newest event of each that the reader sees, mostly one
# step in an index; only those that are told are read whole.
EVERY = "SELECT id AS session FROM sessions"
ONE = "SELECT id AS session FROM sessions WHERE name = :session"
ABOUT = """
    SELECT DISTINCT session FROM memories
    WHERE subject = :about AND subject <> 0 AND session IS NOT NULL
"""
LATEST = """
    SELECT s.session, (
        SELECT m.id FROM memories m INDEXED BY memories_session
        WHERE m.session = s.session AND m.layer = 0 AND {where} ORDER BY m.id DESC LIMIT 1
    ) AS latest FROM ({sessions}) s WHERE latest IS NOT NULL ORDER BY latest DESC LIMIT :limit
"""
SESSIONS = f"""
    SELECT n.name, g.events, f.occurred_ms, l.occurred_ms, e.type = '{SESSION_END}' FROM (
        SELECT page.session, page.latest, count(*) AS events, min(m.id) AS first, max(m.id) AS last
        FROM ({LATEST}) page CROSS JOIN memories m INDEXED BY memories_session
            ON m.session = page.session
        WHERE m.layer = 0 AND m.type <> '{SESSION_END}' AND {{where}} GROUP BY page.session
    ) g CROSS JOIN sessions n ON n.id = g.session CROSS JOIN memories f ON f.id = g.first
    CROSS JOIN memories l ON l.id = g.last CROSS JOIN memories e ON e.id = g.latest
    ORDER BY g.latest DESC
"""
EVENTS = """
    SELECT {columns} FROM ({rows}) page CROSS JOIN memories m ON m.id = page.id
    WHERE {side} ORDER BY {order} LIMIT :limit
"""
PLACE = "SELECT m.id, m.occurred_ms FROM memories m WHERE m.uid = :uid"

_ALL = -1  # in place of a limit
_IS_EVENT = Compare(Field("type"), "ne", SESSION_END)


def sessions(
    line: Line, visibility: Visibility, *, session: str | None, subject: str | None, limit: int
) -> list[Session]:
    """Return the sessions that the reader sees an event of, the last written to first.

    Of one *session*, or of those with events about a *subject*, alone.
    """
    passes = gate(line.db, line.names, visibility)
    about = passes.bound if passes.bound is not None and not visibility.shared else None
    where, parameters = passes.sql, passes.parameters | {"session": session, "limit": limit}
    if subject is not None:
        about = named.subject(line.db, line.names, subject)
        where += " AND m.subject = :about"
    parameters["about"] = about
    source = ONE if session is not None else EVERY if about is None else ABOUT
    statement = SESSIONS.format(where=where, sessions=source)
    return [
        Session(name, events, first, last, ended == 1)
        for name, events, first, last, ended in line.db.execute(statement, parameters)
    ]


def events(
    line: Line,
    visibility: Visibility,
    narrowing: Filters,
    *,
    session: str | None,
    around: str | int | None,
    limit: int,
) -> list[Memory]:
    """Return visible events in their order: of a *session* that of insertion, else that of time.

    The last *limit* of them; or as many *around* a memory that the caller was shown, or a moment.
    """
    passes = gate(line.db, line.names, visibility)
    wanted = replace(narrowing, layers=(0,), where=_also(narrowing.where, session))
    rows, parameters = browse.rows(line, visibility, wanted)
    parameters |= {"most": _ALL, "limit": limit}
    columns = memories.columns(passes, visibility)
    reader = None if visibility.admin else passes.standing
    key = "m.id" if session is not None else "m.occurred_ms, m.id"

    def side(where: str, way: str) -> list[Memory]:
        order = ", ".join(f"{each} {way}" for each in key.split(", "))
        statement = EVENTS.format(columns=columns, rows=rows, side=where, order=order)
        found = line.db.execute(statement, parameters)
        seen = [memories.noun(line, reader, row) for row in found]
        return memories.as_they_were(line, seen, visibility)

    if around is None:
        return side("1", "DESC")[::-1]
    at, values = _place(line, around, key)
    parameters |= values
    before, after = side(f"{at[0]} < {at[1]}", "DESC"), side(f"{at[0]} >= {at[1]}", "ASC")
    ahead = min(len(before), max(limit // 2, limit - len(after)))
    return before[:ahead][::-1] + after[: limit - ahead]


def _place(line: Line, around: str | int, key: str) -> tuple[tuple[str, str], dict[str, object]]:
    """Return what of an event is compared with what, in SQL, and the values of that.

    The gate has a moment of its own, ":at".
    """
    if isinstance(around, int):
        return ("m.occurred_ms", ":around"), {"around": around}
    row, occurred_ms = line.db.execute(PLACE, {"uid": around}).fetchone()
    values = {"place": row, "around": occurred_ms}
    return (f"({key})", "(:place)" if key == "m.id" else "(:around, :place)"), values


def _also(where: Condition | None, session: str | None) -> Condition:
    """Return a condition on events that are told, besides *where*."""
    conditions: list[Condition] = [] if where is None else [where]
    if session is not None:
        conditions.append(Compare(Field("session"), "eq", session))
    return All((*conditions, _IS_EVENT))
