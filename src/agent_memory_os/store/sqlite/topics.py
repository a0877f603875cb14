"""Topics: what short statements are about, so that their rivals are found."""

import json
import sqlite3
from collections.abc import Mapping, Set

from agent_memory_os.model import Draft, Memory
from agent_memory_os.pure import topics

PUT = "INSERT OR IGNORE INTO topics(topic, memory) VALUES (?, ?)"
DROP = "DELETE FROM topics WHERE topic = ? AND memory = ?"
DROP_ALL = "DELETE FROM topics WHERE memory IN (SELECT value FROM json_each(?))"


def note(db: sqlite3.Connection, row: int, found: Set[int]) -> None:
    """Keep what a memory is about."""
    if found:
        db.executemany(PUT, [(topic, row) for topic in sorted(found)])


def drop(db: sqlite3.Connection, found: Mapping[int, Set[int]], kept: int) -> int:
    """Let go of what rows are about, and return how many topics went.

    No index leads from a row to its topics, which are made of what it says once more. Where the
    rules have changed since, fewer go than the rows have, and all topics are read for the others.

    Args:
        db: within a write transaction.
        found: the rows, with what each is about by these rules.
        kept: how many topics they have.
    """
    went = 0
    for row, topics_ in found.items():
        if went < kept and topics_:
            went += db.executemany(DROP, [(topic, row) for topic in sorted(topics_)]).rowcount
    if went < kept:
        went += db.execute(DROP_ALL, (json.dumps([*found]),)).rowcount
    return went


def asserted(
    content: str, layer: int, subject: str | None, entity: str | None, attribute: str | None
) -> Draft:
    """Return what a row says, as `topics_of` takes it."""
    return Draft(content, "", subject=subject, layer=layer, entity=entity, attribute=attribute)


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
