"""Rivals: which memories may say the same as a draft, or otherwise."""

import json
from collections.abc import Iterable, Iterator

from agent_memory_os.model import Draft, Memory, Visibility
from agent_memory_os.pure import topics
from agent_memory_os.store.sqlite import memories, words
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import Gate, gate
from agent_memory_os.store.sqlite.line import Line
from agent_memory_os.store.sqlite.topics import topics_of

# Most drafts have no rival, which is seen without a look at who may see what.
ANY = """
    SELECT 1 FROM memories WHERE identity = :identity UNION ALL
    SELECT 1 FROM topics WHERE topic IN (SELECT value FROM json_each(:topics)) LIMIT 1
"""
SAME = """
    SELECT {columns} FROM memories m
    WHERE m.identity = :identity AND m.subject = :about AND {where} ORDER BY m.id DESC LIMIT :most
"""
SHARING = """
    SELECT {columns} FROM (
        SELECT memory FROM topics WHERE topic = :topic ORDER BY memory DESC LIMIT :looked_at
    ) near CROSS JOIN memories m ON m.id = near.memory
    WHERE m.subject = :about AND {where} LIMIT :most
"""
TELLING = """
    SELECT {columns} FROM (
        SELECT rowid AS memory FROM words WHERE words MATCH :match
        ORDER BY rowid DESC LIMIT :looked_at
    ) near CROSS JOIN memories m ON m.id = near.memory
    WHERE m.subject = :about AND m.layer = 1 AND {where} LIMIT :most
"""
MOST, LOOKED_AT = 32, 2_000  # rivals by one topic, and memories that are looked at for them


def rivals(line: Line, draft: Draft, visibility: Visibility) -> list[Memory]:
    """Return visible memories of the same subject that *draft* may have to do with, newest first.

    They say the same, are about the same topic, or say what the draft tells to have changed.
    """
    if draft.layer == 0:
        return []
    shared = sorted(topics_of(draft))
    told = _told(draft)
    identity = memories.identity_of(draft)
    asked = {"identity": identity, "topics": json.dumps(shared)}
    if not told and line.db.execute(ANY, asked).fetchone() is None:
        return []
    passes = gate(line.db, line.names, visibility)
    about = named.subject(line.db, line.names, draft.subject)
    limits = {"about": about, "most": MOST, "looked_at": LOOKED_AT}
    found: dict[str, Memory] = {}
    for statement, values in _lookups(identity, shared, told, about):
        for memory in _visible(line, passes, visibility, statement, limits | values):
            found.setdefault(memory.id, memory)
    return sorted(found.values(), key=lambda memory: memory.id, reverse=True)


def _lookups(
    identity: int | None, shared: Iterable[int], told: Iterable[str], about: int
) -> Iterator[tuple[str, dict[str, object]]]:
    yield SAME, {"identity": identity}
    for topic in shared:
        yield SHARING, {"topic": topic}
    for match in told:
        yield TELLING, {"match": f'{match} AND rights : "s{about}"'}


def _visible(
    line: Line,
    passes: Gate,
    visibility: Visibility,
    statement: str,
    values: dict[str, object],
) -> Iterator[Memory]:
    columns = memories.columns(passes, visibility)
    reader = None if visibility.admin else passes.standing
    rows = line.db.execute(
        statement.format(columns=columns, where=passes.sql), passes.parameters | values
    )
    return (memories.noun(line, reader, row) for row in rows)


def _told(draft: Draft) -> list[str]:
    """Return what to look up for each change that *draft* tells of, as expressions of a MATCH."""
    if draft.layer != 1 or len(draft.content) > topics.LONGEST:
        return []
    from agent_memory_os.pure.probe import told  # loads the tables of the rules

    return [
        f"{words.HELD} : ({' AND '.join(f'{words.quoted(word)}*' for word in change)})"
        for change in told(draft.content)
    ]
