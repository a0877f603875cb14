"""Arbitration: whether a draft is the same statement as one that is there already."""

import dataclasses

from agent_memory_os.model import Draft, Memory


def strengthened(memory: Memory, draft: Draft) -> Memory | None:
    """Return *memory* with what *draft* adds to it, or None when both must stand.

    The caller has found that owner, subject, type, layer and normal form are the same. Tags are
    united, importance and confidence take the larger, the mention is counted. Whatever else the
    draft says and the memory does not (metadata, actor, a moment, a window, an end, a key) makes
    it another memory, and so does a visibility that the memory lacks: merging never widens.
    """
    differs = (
        not set(draft.visibility) <= set(memory.visibility)
        or (draft.metadata and draft.metadata != memory.metadata)
        or (draft.actor is not None and draft.actor != memory.actor)
        or (draft.occurred_ms is not None and draft.occurred_ms != memory.occurred_ms)
        or draft.valid_from_ms != memory.valid_from_ms
        or draft.valid_to_ms != memory.valid_to_ms
        or draft.ttl_ms is not None
        or memory.expires_ms is not None
        or (draft.key is not None and draft.key != memory.key)
    )
    if differs:
        return None
    return dataclasses.replace(
        memory,
        tags=tuple(dict.fromkeys((*memory.tags, *draft.tags))),
        importance=max(memory.importance, draft.importance),
        confidence=max(memory.confidence, draft.confidence),
        pinned=memory.pinned or draft.pinned,
        mentions=memory.mentions + 1,
    )
