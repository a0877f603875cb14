"""Revival: what was deleted or rejected comes back, with what went with it."""

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import Memory
from agent_memory_os.store.sqlite import derivation, memories, rejections, retention
from agent_memory_os.store.sqlite.line import Pen

UNBURY = "DELETE FROM tombstones WHERE uid = :uid"
LAST_DEED = """
    SELECT h.at_ms FROM history h JOIN memories m ON m.id = h.memory WHERE m.uid = :uid
    ORDER BY h.id DESC LIMIT 1
"""


def revive(pen: Pen, memory: Memory, *, by: str) -> Memory:
    """Bring a memory that was deleted or rejected back to active, and what went with it.

    What it says may be added again. It is shared with no more than its sources are by now, and
    what had taken its place does so still. What went with it and cannot come back stays away.

    Raises:
        InvalidInput: another memory has taken its key since, what it says was rejected as another
            one, or too little is left of what it was derived from.
    """
    problem = _refused(pen, memory)
    if problem:
        raise InvalidInput(f"memory {memory.id!r} cannot come back: {problem}")
    (at_ms,) = pen.db.execute(LAST_DEED, {"uid": memory.id}).fetchone() or (0,)
    rejections.lift(pen, memory)
    pen.db.execute(UNBURY, {"uid": memory.id})
    revived = derivation.held(pen, memories.revive(pen, memory, by=by), by=by)
    pen.db.execute(retention.SUPERSEDED_STILL, {"uid": memory.id})
    for each in derivation.taken_along(pen, memory.id, at_ms):
        if not _refused(pen, each):
            revive(pen, each, by=by)
    return revived


def _refused(pen: Pen, memory: Memory) -> str:
    """Return why a memory cannot come back; "" if it can."""
    return (
        memories.named_anew(pen, memory)
        or rejections.refused(pen, memory)
        or derivation.refused(pen, memory)
    )
