"""Association: how the links among memories that are recalled together grow, weaken and fade."""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from agent_memory_os.model import Memory
from agent_memory_os.pure import decay

CO_RECALLED = "co_recalled"  # the relation that recalling makes
FAINT = 0.01  # a link of less weight is as if it were not there
DECIMALS = 6  # of a weight


class Kept(NamedTuple):
    """A link to *target* as it is kept: its weight at *at_ms*, when it was last recalled.

    number: of the memory that it leads from; larger is newer.
    """

    target: int
    number: int
    weight: float
    at_ms: int


def strengthened(weight: float, *, rate: float, ceiling: float) -> float:
    """Return the weight of a link after a helpful recall of both its ends.

    It gains *rate* of what it lacks of 1, up to the *ceiling*; what is above that stays. Rising
    with each recall and by less each time, it never passes the larger of the two.

    Args:
        weight: what it is now, 0 to 1; 0 for none.
        rate: 0 to 1.
        ceiling: 0 to 1.

    Source: Hebb, "The Organization of Behavior", 1949, with saturation.
    """
    return round(max(weight, min(ceiling, weight + rate * (1 - weight))), DECIMALS)


def weakened(weight: float, *, rate: float) -> float:
    """Return the weight of a link after a recall that did not help; 0 once it is faint.

    It loses *rate* of itself, 0 to 1.
    """
    return _or_none(weight * (1 - rate))


def faded(weight: float, age_ms: float, *, half_life_days: float | None) -> float:
    """Return what is left of *weight* after *age_ms*; 0 once it is faint.

    Always exponential, so that fading twice is fading once for both times together; a weight that
    does not fade, by a half-life of None, is returned as it is. A negative age counts as zero.
    """
    if half_life_days is None or age_ms <= 0:
        return weight
    return _or_none(weight * decay.fade(age_ms, half_life_days, kind="exponential"))


def _or_none(weight: float) -> float:
    return round(weight, DECIMALS) if weight >= FAINT else 0.0


def pairs(recalled: Sequence[Memory], *, subject: str | None) -> list[tuple[str, str]]:
    """Return which memories a recall links, source and target, each pair once.

    A link leads from what has no subject to what has one, else from the older to the newer: what
    is particular counts its links, and what is general does not. Neither changes, so a pair has
    one link whichever was named first.

    Args:
        recalled: memories that were recalled together.
        subject: what the view is bound to; then one end is about it.
    """
    ordered = sorted(recalled, key=lambda memory: (memory.subject is not None, memory.id))
    return [
        (source.id, target.id)
        for source, target in combinations(ordered, 2)
        if subject is None or subject in (source.subject, target.subject)
    ]


def surplus(
    found: Sequence[Kept], now_ms: int, *, most: int, half_life_days: float | None
) -> list[Kept]:
    """Return what goes of the links *found* so that *most* lead to each target: the weakest.

    The weight is what is left of it at *now_ms*; of equal ones those recalled first go, then those
    from the oldest memories.
    """
    ranked = sorted(
        found,
        key=lambda link: (
            faded(link.weight, now_ms - link.at_ms, half_life_days=half_life_days),
            link.at_ms,
            link.number,
        ),
        reverse=True,
    )
    places: dict[int, int] = {}
    gone = []
    for link in ranked:
        places[link.target] = places.get(link.target, 0) + 1
        if places[link.target] > most:
            gone.append(link)
    return gone


def doubted(confidence: float, *, step: float, floor: float) -> float:
    """Return a confidence after its owner said that a recall did not help.

    It loses *step*, and does not go below *floor*; what is below that stays. All are 0 to 1.
    """
    return round(max(min(confidence, floor), confidence - step), DECIMALS)
