"""Rejecting: what its owner marks as wrong leaves recall, and does not come back."""

from dataclasses import replace

from agent_memory_os.errors import InvalidInput, NotFound
from agent_memory_os.model import Receipt, Visibility
from agent_memory_os.remember.undo import owned
from agent_memory_os.store.contract import Store


def reject(store: Store, memory_id: str, visibility: Visibility) -> Receipt:
    """Mark what a memory says as wrong, in whatever state it is, and say what became of it.

    Raises:
        NotFound: it is absent, deleted or not visible, or has expired.
        NotPermitted: somebody else owns it, or the view is bound to another subject.
        InvalidInput: it is an event.
    """
    with store.write() as tx:
        memory = owned(tx, memory_id, visibility, "reject")
        if memory.state == "deleted":
            raise NotFound(f"there is no memory {memory_id!r}")
        if memory.layer == 0:
            raise InvalidInput(
                f"memory {memory_id!r} is an event: it tells what was said, true or not; reject"
                " what was derived from it, or delete it"
            )
        gone = tx.reject(memory, by=visibility.agent)
    twins = len(gone) - 1
    why = "it was rejected, and is not stored again without override=True"
    if twins:
        why += f"; so were {twins} more that say the same" if twins > 1 else "; so was its twin"
    return Receipt(replace(memory, state="deleted"), "rejected", why)
