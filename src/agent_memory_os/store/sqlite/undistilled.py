"""Events that their owner has not distilled yet."""

from agent_memory_os.model import Memory, Visibility
from agent_memory_os.pure.messages import SESSION_END
from agent_memory_os.store.sqlite import memories
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import gate
from agent_memory_os.store.sqlite.line import Line

# What was distilled is remembered by a receipt of the event, so that it goes with the event.
EVENTS = f"""
    SELECT {{columns}} FROM memories m INDEXED BY {{index}}
    WHERE {{narrowed}} AND m.owner = :by AND m.layer = 0 AND m.type <> '{SESSION_END}'
        AND m.id > ifnull((SELECT a.id FROM memories a WHERE a.uid = :after), 0) AND {{where}}
        AND NOT EXISTS (
            SELECT 1 FROM receipts r WHERE r.owner = m.owner AND r.key = :prefix || m.uid
        )
    ORDER BY m.id LIMIT :most
"""
OF_SESSION = "m.session = (SELECT s.id FROM sessions s WHERE s.name = :session)"
ABOUT = "m.subject = :about AND m.subject <> 0"


def undistilled(
    line: Line,
    visibility: Visibility,
    *,
    prefix: str,
    session: str | None,
    subject: str | None,
    after: str,
    most: int,
) -> list[Memory]:
    """Return the next of the reader's own events without a receipt for *prefix* and their id.

    In the order of insertion, and beyond the event *after*; of a session, or about a subject.
    """
    passes = gate(line.db, line.names, visibility)
    narrowed = [*([OF_SESSION] if session is not None else []), *([ABOUT] if subject else [])]
    index = "memories_owner"
    if narrowed:
        index = "memories_session" if session is not None else "memories_subject"
    statement = EVENTS.format(
        columns=memories.columns(passes, visibility),
        index=index,
        narrowed=" AND ".join(narrowed) or "1",
        where=passes.sql,
    )
    values = {
        "by": named.agent(line.db, line.names, visibility.agent),
        "about": None if subject is None else named.subject(line.db, line.names, subject),
        "session": session,
        "prefix": prefix,
        "after": after,
        "most": most,
    }
    found = line.db.execute(statement, passes.parameters | values)
    return [memories.noun(line, passes.standing, row) for row in found]
