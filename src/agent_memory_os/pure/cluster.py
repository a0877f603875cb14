"""Clusters: which memories belong together, by the weights of the links between them."""

import heapq
from collections.abc import Iterable, Mapping

Pair = tuple[str, str]
# Weights are added up as whole hundredths: the order of adding does not matter, nor that one has
# faded for an hour longer.
_SCALE = 100


def clusters(
    weights: Mapping[Pair, float], *, least: int, most: int, threshold: float
) -> list[tuple[str, ...]]:
    """Return groups of *least* to *most* ids that are linked with each other, each id once.

    The two groups that are linked the most, on average over all pairs of their members, are joined
    first, then the next, as long as that average is *threshold* or more and both fit into one; of
    equal ones those with the smallest ids. So a clique stays together, and one link between two
    cliques does not join them. What is not connected has no say in it.

    Args:
        weights: of each pair that is linked, 0 to 1; a pair has one order.
        least: the fewest members of a group that is returned.
        most: the most.
        threshold: 0 to 1.

    Returns:
        Groups, sorted, their ids sorted.

    Source: agglomerative clustering with average linkage (Sokal and Michener, 1958).
    """
    groups: dict[str, tuple[str, ...]] = {each: (each,) for pair in weights for each in pair}
    between: dict[str, dict[str, int]] = {each: {} for each in groups}
    for (one, other), weight in weights.items():
        if one != other:
            between[one][other] = between[other][one] = round(weight * _SCALE)
    queue: list[tuple[float, str, str, int, int]] = [
        (-total, one, other, total, 2)
        for one, near in between.items()
        for other, total in near.items()
        if one < other
    ]
    heapq.heapify(queue)
    while queue:
        average, one, other, total, size = heapq.heappop(queue)
        if -average < threshold * _SCALE:
            break
        is_stale = one not in groups or other not in groups or between[one].get(other) != total
        if is_stale or size != len(groups[one]) + len(groups[other]) or size > most:
            continue
        _join(groups, between, one, other)
        for far, sum_ in between[one].items():
            pairs = len(groups[one]) * len(groups[far])
            sizes = len(groups[one]) + len(groups[far])
            heapq.heappush(queue, (-sum_ / pairs, min(one, far), max(one, far), sum_, sizes))
    return sorted(tuple(sorted(group)) for group in groups.values() if len(group) >= least)


def _join(
    groups: dict[str, tuple[str, ...]], between: dict[str, dict[str, int]], one: str, other: str
) -> None:
    """Let the group named *one* take in the group named *other*."""
    groups[one] += groups.pop(other)
    del between[one][other]
    for far, total in between.pop(other).items():
        if far != one:
            del between[far][other]
            joined = between[one].get(far, 0) + total
            between[one][far] = between[far][one] = joined


def cohesion(members: Iterable[str], weights: Mapping[Pair, float]) -> dict[str, float]:
    """Return of each of *members* the mean weight of its links to the others, 0 to 1."""
    inside = frozenset(members)
    found: dict[str, list[float]] = {each: [] for each in sorted(inside)}
    for one, other in sorted(weights):
        if one in inside and other in inside:
            found[one].append(weights[one, other])
            found[other].append(weights[one, other])
    return {each: round(sum(all_) / len(all_), 6) if all_ else 0.0 for each, all_ in found.items()}
