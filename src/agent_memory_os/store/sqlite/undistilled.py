"""Events that their owner has not distilled yet: read, counted, and marked when they are."""

# There is an index of these events alone, so that what was distilled costs no read anything. It is
# used where a statement says `WAITING` word for word.

import json
from collections.abc import Sequence

from agent_memory_os.model import Memory, Visibility
from agent_memory_os.pure.due import Pending
from agent_memory_os.pure.messages import SESSION_END
from agent_memory_os.store.sqlite import memories
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import gate
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.schema import BEYOND

WAITING = f"""m.owner = :by AND m.layer = 0 AND m.distilled = 0 AND m.state < 2
        AND m.type <> '{SESSION_END}'"""
ABOUT = "m.subject = :about"
OF_SESSION = "ifnull(m.session, 0) = (SELECT s.id FROM sessions s WHERE s.name = :session)"
OF_NONE = "ifnull(m.session, 0) = 0"
# In the order of the reader's own rows: numbers of subjects and sessions tell of what others wrote.
EVENTS = f"""
    SELECT {{columns}} FROM (
        SELECT m.id FROM memories m INDEXED BY memories_undistilled
        WHERE {WAITING} AND {{narrowed}} AND {BEYOND} AND {{where}} ORDER BY m.id LIMIT :most
    ) page CROSS JOIN memories m ON m.id = page.id ORDER BY page.id
"""
# Turns are told apart by the number that `capture` gave them; what has none is a turn by itself.
# A session has ended for its reader while its own last event that the reader sees is an end.
PENDING = f"""
    SELECT n.name, u.name, g.events, g.turns, g.last_ms, g.session IS NOT NULL AND (
        SELECT m.type FROM memories m INDEXED BY memories_session
        WHERE m.session = g.session AND m.owner = :by AND m.layer = 0 AND {{where}}
        ORDER BY m.id DESC LIMIT 1
    ) = '{SESSION_END}' FROM (
        SELECT m.session, m.subject, count(*) AS events, min(m.id) AS first,
            count(DISTINCT ifnull(json_extract(m.metadata, '$.turn'), -m.id)) AS turns,
            max(m.created_ms) AS last_ms
        FROM memories m INDEXED BY memories_undistilled
        WHERE {WAITING} AND {{narrowed}} AND {{where}}
        GROUP BY m.subject, ifnull(m.session, 0)
    ) g LEFT JOIN sessions n ON n.id = g.session JOIN subjects u ON u.id = g.subject
    ORDER BY g.first
"""
ALREADY = """
    SELECT count(*) FROM json_each(:uids) named JOIN memories m ON m.uid = named.value
    WHERE m.distilled = 1
"""
MARK = "UPDATE memories SET distilled = 1 WHERE uid IN (SELECT value FROM json_each(:uids))"


def undistilled(
    line: Line,
    visibility: Visibility,
    *,
    session: str | None,
    subject: str | None,
    apart: bool,
    after: str,
    most: int,
) -> list[Memory]:
    """Return the next of the reader's own events that are not distilled yet.

    In the order of insertion, and beyond the event *after*. With *apart* no session is one without
    a name, and not any; and so of the subject.
    """
    passes = gate(line.db, line.names, visibility)
    narrowed = [ABOUT] * (apart or subject is not None)
    if session is not None:
        narrowed.append(OF_SESSION)
    elif apart:
        narrowed.append(OF_NONE)
    statement = EVENTS.format(
        columns=memories.columns(passes, visibility),
        narrowed=" AND ".join(narrowed) or "1",
        where=passes.sql,
    )
    values = _values(line, visibility, subject) | {"session": session, "after": after, "most": most}
    found = line.db.execute(statement, passes.parameters | values)
    return [memories.noun(line, passes.standing, row) for row in found]


def pending(line: Line, visibility: Visibility, *, subject: str | None) -> list[Pending]:
    """Return what waits of the reader's own events, by session and subject, the oldest first."""
    passes = gate(line.db, line.names, visibility)
    narrowed = "1" if subject is None else ABOUT
    statement = PENDING.format(narrowed=narrowed, where=passes.sql)
    values = _values(line, visibility, subject)
    return [
        Pending(session, about or None, events, turns, last_ms, ended == 1)
        for session, about, events, turns, last_ms, ended in line.db.execute(
            statement, passes.parameters | values
        )
    ]


def _values(line: Line, visibility: Visibility, subject: str | None) -> dict[str, object]:
    return {
        "by": named.agent(line.db, line.names, visibility.agent),
        "about": named.subject(line.db, line.names, subject),
    }


def are_distilled(pen: Pen, memory_ids: Sequence[str]) -> bool:
    """Return whether some of these events were distilled."""
    (count,) = pen.db.execute(ALREADY, {"uids": json.dumps(list(memory_ids))}).fetchone()
    return bool(count)


def mark(pen: Pen, memory_ids: Sequence[str]) -> None:
    """Say of events that they were distilled."""
    pen.db.execute(MARK, {"uids": json.dumps(list(memory_ids))})
