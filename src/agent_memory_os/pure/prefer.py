"""What a reader would rather have: a soft weight by layer and type."""

from typing import Literal, get_args

from agent_memory_os.model import Memory
from agent_memory_os.pure import bounds
from agent_memory_os.settings import Settings

Prefer = Literal["facts", "preferences", "task", "history"]
PREFERENCES: tuple[Prefer, ...] = get_args(Prefer)

# What each of them is after, by type, and by layer where the type says nothing: 1 is just that.
_TYPES: dict[Prefer, dict[str, float]] = {
    "facts": {
        **dict.fromkeys(("fact", "environment", "identity", "decision", "entity"), 1.0),
        **dict.fromkeys(("concept", "relationship", "event", "tool_call", "tool_result"), 0.0),
    },
    "preferences": {
        **dict.fromkeys(("preference", "instruction", "persona"), 1.0),
        **dict.fromkeys(("identity", "decision"), 0.5),
    },
    "task": {
        **dict.fromkeys(("task", "procedure", "skill", "warning", "lesson", "environment"), 1.0),
        **dict.fromkeys(("decision", "instruction", "experience"), 0.5),
    },
    "history": {
        **dict.fromkeys(("episodic", "experience", "event", "tool_call", "tool_result"), 1.0),
    },
}
_LAYERS: dict[Prefer, tuple[float, float, float, float]] = {  # of events, atoms, scenes, personas
    "facts": (0.0, 0.5, 0.0, 0.0),
    "preferences": (0.0, 0.0, 0.0, 1.0),
    "task": (0.0, 0.0, 0.5, 0.0),
    "history": (1.0, 0.0, 0.5, 0.0),
}


def parse_prefer(value: object) -> Prefer | None:
    """Return *value* if it is one of `PREFERENCES`, or None.

    Raises:
        InvalidInput: it is not; the error names the four.
    """
    return None if value is None else bounds.one_of(value, "prefer", PREFERENCES)


def factor(prefer: Prefer, memory: Memory, settings: Settings) -> float:
    """Return what *prefer* makes of the score of *memory*: 1 - span x (1 - how much it is that).

    A value of an attribute is a fact, whatever its type.

    Returns:
        A number from 1 - ``settings.prefer_span`` to 1.
    """
    is_value = prefer == "facts" and memory.attribute is not None
    layer = _LAYERS[prefer][memory.layer]
    fits = 1.0 if is_value else _TYPES[prefer].get(memory.type, layer)
    return 1 - settings.prefer_span * (1 - fits)
