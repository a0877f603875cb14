"""Reads that rank nothing: by id, in order, and what was replaced."""

from collections.abc import Sequence
from dataclasses import replace

from agent_memory_os.model import Change, Filters, Memory, Visibility
from agent_memory_os.store.contract import Store


def get_many(store: Store, memory_ids: Sequence[str], visibility: Visibility) -> list[Memory]:
    """Return those of *memory_ids* that pass the gate, in the order they were named."""
    if not memory_ids:
        return []
    with store.read() as snapshot:
        found = snapshot.read(memory_ids, visibility)
    if len(found) < 2:
        return found
    by_id = {memory.id: memory for memory in found}
    return [by_id[memory_id] for memory_id in dict.fromkeys(memory_ids) if memory_id in by_id]


def browse(
    store: Store, visibility: Visibility, filters: Filters, *, limit: int, offset: int
) -> list[Memory]:
    """Return visible memories, the last written first."""
    if limit == 0:
        return []
    with store.read() as snapshot:
        return snapshot.browse(visibility, filters, limit=limit, offset=offset)


def history(store: Store, memory_id: str, visibility: Visibility) -> list[Change]:
    """Return what was replaced in a memory, oldest first; in any state, by today's rights."""
    past = replace(
        visibility, states=("active", "superseded", "archived", "deleted"), timeless=True
    )
    with store.read() as snapshot:
        return snapshot.history(memory_id, past)
