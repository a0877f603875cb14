"""Recall profiles: checked at the door, and what one makes of a memory."""

from collections.abc import Mapping

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import Memory, RecallProfile
from agent_memory_os.pure import access, bounds
from agent_memory_os.pure.draft import parse_word
from agent_memory_os.settings import Settings

LEAST_WEIGHT, MOST_WEIGHT = 0.1, 3.0
MOST_WEIGHTS = 1_000  # of one kind


def parse_profile(value: object) -> RecallProfile:
    """Return *value* if it is a profile whose names and weights are valid.

    Raises:
        InvalidInput: it is not.
    """
    if not isinstance(value, RecallProfile):
        raise InvalidInput(f"profile must be a RecallProfile, not {value!r}")
    types = _weights(value.type_weights, "profile.type_weights")
    agents = _weights(value.agent_weights, "profile.agent_weights")
    return RecallProfile(
        access.parse_name(value.agent_id, "profile.agent_id"),
        {parse_word(name, "a type in profile.type_weights"): w for name, w in types.items()},
        {
            access.parse_name(name, "an id in profile.agent_weights"): w
            for name, w in agents.items()
        },
    )


def _weights(value: object, what: str) -> dict[object, float]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{what} must be a mapping from names to weights, not {value!r}")
    if len(value) > MOST_WEIGHTS:
        raise InvalidInput(f"{what} has {len(value)} names; at most {MOST_WEIGHTS} are allowed")
    return {
        name: bounds.weight(weight, f"{what}[{name!r}]", least=LEAST_WEIGHT, most=MOST_WEIGHT)
        for name, weight in value.items()
    }


def factor(profile: RecallProfile, memory: Memory, settings: Settings) -> float:
    """Return what *profile* makes of the score of *memory*: 1 - span x (1 - value).

    The value is the weight of its type times that of its owner, as a share of the most that the
    profile gives to any, so that it is 1 for what the agent leans to most.

    Returns:
        A number from 1 - ``settings.profile_span`` to 1; 1 for everything by a profile that names
        nothing.
    """
    types, agents = profile.type_weights, profile.agent_weights
    weight = types.get(memory.type, 1.0) * agents.get(memory.owner, 1.0)
    most = _most(types) * _most(agents)
    return 1 - settings.profile_span * (1 - weight / most)


def _most(weights: Mapping[str, float]) -> float:
    return max((1.0, *weights.values()))
