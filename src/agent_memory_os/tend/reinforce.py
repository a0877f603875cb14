"""Reinforcing: what a recall was worth, counted."""

from collections.abc import Sequence

from agent_memory_os.errors import NotFound
from agent_memory_os.model import Visibility
from agent_memory_os.store.contract import Store


def record_recall(
    store: Store,
    memory_ids: Sequence[str],
    visibility: Visibility,
    *,
    helpful: bool,
    is_strict: bool = True,
) -> None:
    """Count a recall of each memory, once however often it is named; all or none.

    Unless *is_strict*, what is gone meanwhile is passed over.

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
        tx.count_recall([each for each in wanted if each in seen], helped=helpful)
