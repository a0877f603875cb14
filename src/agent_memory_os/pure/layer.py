"""Layers: which memories are documents that the library makes of others, and of which."""

from agent_memory_os.model import Draft, Memory
from agent_memory_os.noun import Noun

EVENT, ATOM, SCENE, PERSONA = 0, 1, 2, 3
KEY_PREFIX = "organised:"  # of the key of a document that the library made


class Partition(Noun):
    """Whose memories, about whom, and who sees them: what is derived mixes no two of these.

    Attributes:
        owner: agent id.
        subject: `kind:name`, or None for what is about nobody in particular.
        visibility: scopes, sorted.
    """

    owner: str
    subject: str | None
    visibility: tuple[str, ...]


def is_document(said: Memory | Draft) -> bool:
    """Return whether something is a scene or a persona that the library made."""
    return said.layer > ATOM and (said.key or "").startswith(KEY_PREFIX)
