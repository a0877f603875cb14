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
    attribute = attribute_of(said)
    return found if attribute is None else found | {attribute}


def attribute_of(said: Memory | Draft) -> int | None:
    """Return the topic of the attribute that something is the value of, if it is of one."""
    if said.attribute is None or said.layer == 0:
        return None
    return topics.of_attribute(said.entity or said.subject or "", said.attribute, said.subject)
