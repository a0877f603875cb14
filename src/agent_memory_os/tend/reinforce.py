"""Reinforcing: what a recall was worth, to each memory and to what was recalled with it."""

from collections.abc import Sequence

from agent_memory_os.errors import NotFound
from agent_memory_os.model import Memory, Visibility
from agent_memory_os.pure import association
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Store, Transaction


def record_recall(
    store: Store,
    memory_ids: Sequence[str],
    visibility: Visibility,
    settings: Settings,
    *,
    helpful: bool,
    doubts: bool = True,
    is_strict: bool = True,
) -> None:
    """Count a recall of each memory, once however often it is named; all or none.

    The first of them are linked with each other, or their links weakened; and what did not help
    loses confidence if the reader owns it and *doubts* it. Unless *is_strict*, what is gone
    meanwhile is passed over.

    Raises:
        NotFound: one of them is absent or not visible; nothing was written.
    """
    wanted = list(dict.fromkeys(memory_ids))
    if not wanted:
        return
    with store.write() as tx:
        seen = tx.passing(wanted, visibility)
        for memory_id in wanted:
            if memory_id not in seen and is_strict:
                raise NotFound(f"there is no memory {memory_id!r}")
        recalled = [each for each in wanted if each in seen]
        tx.count_recall(recalled, helped=helpful)
        first = recalled[: settings.co_recall_first]
        if len(first) > 1:
            pairs = association.pairs(tx.read(first, visibility), subject=visibility.subject)
            tx.recall_together(pairs, by=visibility.agent, helped=helpful)
        if doubts and not helpful:
            for memory in tx.read(recalled, visibility):
                _doubt(tx, memory, visibility, settings)


def _doubt(tx: Transaction, memory: Memory, visibility: Visibility, settings: Settings) -> None:
    """Lower the confidence of a memory that the reader owns, and that its view may change."""
    if memory.owner != visibility.agent or visibility.subject not in (None, memory.subject):
        return
    left = association.doubted(
        memory.confidence, step=settings.doubt_step, floor=settings.doubt_floor
    )
    if left < memory.confidence:
        tx.doubt(memory, left, by=visibility.agent)
