"""Topics: what short statements are about, so that their rivals are found."""

import sqlite3

from agent_memory_os.model import Draft, Memory
from agent_memory_os.pure import topics

PUT = "INSERT INTO topics(topic, memory) VALUES (?, ?)"
DROP = "DELETE FROM topics WHERE memory = ?"


def note(db: sqlite3.Connection, row: int, memory: Memory) -> None:
    """Keep what a new memory is about."""
    found = topics_of(memory)
    if found:
        db.executemany(PUT, [(topic, row) for topic in sorted(found)])


def drop(db: sqlite3.Connection, row: int) -> None:
    """Let go of what a memory was about."""
    db.execute(DROP, (row,))


def topics_of(said: Memory | Draft) -> frozenset[int]:
    """Return the topics of an atom; events are evidence, and scenes and personas are documents."""
    found = topics.digests(said.content, said.subject) if said.layer == 1 else frozenset()
    if said.attribute is None or said.layer == 0:
        return found
    entity = said.entity or said.subject or ""
    return found | {topics.of_attribute(entity, said.attribute, said.subject)}
