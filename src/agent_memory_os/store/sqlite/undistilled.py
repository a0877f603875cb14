"""Events that their owner has not distilled yet: read, counted, and marked when they are."""

# An index has those of an owner apart from what was distilled. Where many wait, those of one
# session or subject are looked for among its own rows.

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

WAITING = "m.owner = :by AND m.waits = 1"
ABOUT = "m.subject = :about"
OF_SUBJECT = f"{ABOUT} AND m.subject <> 0"
OF_SESSION = "m.session = (SELECT s.id FROM sessions s WHERE s.name = :session)"
OF_NONE = "m.session IS NULL"
# In the order of the reader's own rows: numbers of subjects and sessions tell of what others wrote.
EVENTS = f"""
    SELECT {{columns}} FROM (
        SELECT m.id FROM memories m INDEXED BY {{index}}
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
        FROM memories m INDEXED BY {{index}}
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
# Index entries of the reader's own, up to one too many.
WAIT = f"SELECT count(*) FROM (SELECT 1 FROM memories m WHERE {WAITING} LIMIT :few + 1)"

FEW = 1_000  # events that wait, all of which are looked through for those of a session or subject


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
    values = _values(line, visibility, subject) | {"session": session, "after": after, "most": most}
    narrowed = [ABOUT if subject is None else OF_SUBJECT] * (apart or subject is not None)
    if session is not None:
        narrowed.append(OF_SESSION)
    elif apart:
        narrowed.append(OF_NONE)
    statement = EVENTS.format(
        columns=memories.columns(passes, visibility),
        index=_index(line, values, session=session, subject=subject),
        narrowed=" AND ".join(narrowed) or "1",
        where=passes.sql,
    )
    found = line.db.execute(statement, passes.parameters | values)
    return [memories.noun(line, passes.standing, row) for row in found]


def pending(line: Line, visibility: Visibility, *, subject: str | None) -> list[Pending]:
    """Return what waits of the reader's own events, by session and subject, the oldest first."""
    passes = gate(line.db, line.names, visibility)
    values = _values(line, visibility, subject)
    statement = PENDING.format(
        index=_index(line, values, session=None, subject=subject),
        narrowed="1" if subject is None else OF_SUBJECT,
        where=passes.sql,
    )
    return [
        Pending(session, about or None, events, turns, last_ms, ended == 1)
        for session, about, events, turns, last_ms, ended in line.db.execute(
            statement, passes.parameters | values
        )
    ]


def _index(
    line: Line, values: dict[str, object], *, session: str | None, subject: str | None
) -> str:
    """Return the index to walk."""
    if session is None and subject is None:
        return "memories_owner"
    (waiting,) = line.db.execute(WAIT, {**values, "few": FEW}).fetchone()
    if waiting <= FEW:
        return "memories_owner"
    return "memories_subject" if session is None else "memories_session"


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
