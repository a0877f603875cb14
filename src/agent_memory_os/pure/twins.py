"""Twins: memories that say the same for the same people, and what one is with the other in it."""

import dataclasses

from agent_memory_os.model import Draft, Memory
from agent_memory_os.pure.plainest import plainest
from agent_memory_os.pure.truth import strengthened


def united(memory: Memory, twin: Memory) -> Memory | None:
    """Return *memory* with what its younger *twin* adds to it, or None when both must stand.

    They are twins if owner, visibility, subject, type, layer, entity and attribute are the same,
    and so is the whole of what they say in its plainest spelling; events are evidence, and have
    none. What else the twin says, and the memory does not, makes it another memory: see
    `strengthened`. The mentions of both are counted.
    """
    if not memory.layer or _kind(memory) != _kind(twin):
        return None
    if twin.expires_ms is not None or plainest(memory.content) != plainest(twin.content):
        return None
    found = strengthened(memory, _said_anew(twin))
    if found is None:
        return None
    return dataclasses.replace(found, mentions=memory.mentions + twin.mentions)


def _kind(memory: Memory) -> tuple[object, ...]:
    return (
        memory.owner,
        memory.visibility,
        memory.subject,
        memory.type,
        memory.layer,
        memory.entity,
        memory.attribute,
    )


def _said_anew(twin: Memory) -> Draft:
    """Return *twin* as it was written; that it happened when it was written nobody has said."""
    return Draft(
        twin.content,
        twin.owner,
        visibility=twin.visibility,
        tags=twin.tags,
        metadata=twin.metadata,
        actor=twin.actor,
        key=twin.key,
        occurred_ms=None if twin.occurred_ms == twin.created_ms else twin.occurred_ms,
        valid_from_ms=twin.valid_from_ms,
        valid_to_ms=twin.valid_to_ms,
        importance=twin.importance,
        confidence=twin.confidence,
        pinned=twin.pinned,
    )
