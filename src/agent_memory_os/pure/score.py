"""From relevance to score: bounded factors that reorder near-ties and never bury a match."""

from math import prod

from agent_memory_os.model import Memory
from agent_memory_os.pure import decay
from agent_memory_os.settings import Settings

DECIMALS = 6  # what scores are rounded to, so that they compare and print the same everywhere
ROUNDED = 10**-DECIMALS  # more than what rounding adds to a score


def factors(memory: Memory, relevance: float, now_ms: int, settings: Settings) -> dict[str, float]:
    """Return the parts of the score of *memory*, whose product is the score.

    Args:
        memory: what passed the gate.
        relevance: 0 to 1, from the providers.
        now_ms: the moment of the search, UTC milliseconds.
        settings: the spans and half-lives.

    Returns:
        relevance, importance, confidence, freshness and reinforcement; each but the first is
        1 - span x (1 - value), so that none can take more than its span.
    """
    return {
        "relevance": relevance,
        "importance": 1 - settings.importance_span * (1 - memory.importance),
        "confidence": 1 - settings.confidence_span * (1 - memory.confidence),
        "freshness": 1 - settings.freshness_span * (1 - freshness(memory, now_ms, settings)),
        "reinforcement": 1 - settings.reinforcement_span * (1 - reinforcement(memory)),
    }


def least_factor(settings: Settings) -> float:
    """Return the least that the factors besides relevance can make of a score, 0 to 1."""
    return (
        (1 - settings.importance_span)
        * (1 - settings.confidence_span)
        * (1 - settings.freshness_span)
        * (1 - settings.reinforcement_span)
    )


def freshness(memory: Memory, now_ms: int, settings: Settings) -> float:
    """Return what is left of the freshness of *memory*, 0 to 1.

    What is pinned, and what says what holds until it is changed, does not fade.

    Age counts from when it happened or, if it was changed since it was written, from then; a
    moment in the future counts as now.
    """
    days = decay.half_life_days(memory.type, memory.layer, memory.metadata, settings)
    if memory.pinned or days is None:
        return 1.0
    since = memory.occurred_ms
    if memory.updated_ms > memory.created_ms:
        since = max(since, memory.updated_ms)
    return decay.fade(now_ms - since, days, kind=settings.decay)


def reinforcement(memory: Memory) -> float:
    """Return how well it has served: 0 when stated once and never of help, towards 1.

    1 - 1 / (1 + use), where use is how often it was stated again, and helped when recalled, less
    how often it did not help; never below 0.
    """
    was_no_help = memory.recalls - memory.helped
    use = memory.mentions - 1 + memory.helped - was_no_help
    return 1 - 1 / (1 + max(use, 0))


def total(parts: dict[str, float]) -> float:
    """Return the score: the product of the *parts*, rounded, 0 to 1."""
    return round(prod(parts.values()), DECIMALS)


def value_without_query(memory: Memory, now_ms: int, settings: Settings) -> dict[str, float]:
    """Return the parts of the score of a memory when nothing is asked: what matters most.

    Pinned ones lead; then importance, halved at most by age and by doubt.
    """
    return {
        "importance": 1.0 if memory.pinned else memory.importance,
        "confidence": 0.5 + 0.5 * memory.confidence,
        "freshness": 0.5 + 0.5 * freshness(memory, now_ms, settings),
    }
