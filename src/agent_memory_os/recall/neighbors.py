"""Neighbours: what is reached from a memory over links, the nearest first."""

from collections.abc import Iterable, Sequence
from typing import Literal

from agent_memory_os.errors import NotFound
from agent_memory_os.model import Neighbor, Step, Visibility
from agent_memory_os.store.contract import Snapshot, Store

MOST_DEPTH = 5
MOST_STEPS = 2_000  # from one memory, the heaviest that the reader may see


def neighbors(
    store: Store,
    memory_id: str,
    visibility: Visibility,
    *,
    depth: int,
    relations: Sequence[str],
    limit: int,
) -> list[Neighbor]:
    """Return what is at most *depth* links away, nearest first, then heaviest, then newest.

    Raises:
        NotFound: the memory is absent or not visible.
    """
    with store.read() as snapshot:
        if not snapshot.read([memory_id], visibility):
            raise NotFound(f"there is no memory {memory_id!r}")
        ways = _ways(snapshot, memory_id, visibility, depth, relations, limit)
        memories = {each.id: each for each in snapshot.read(list(ways), visibility)}
    return [
        Neighbor(
            memories[steps[0].target],
            distance,
            weight,
            tuple(sorted({step.relation for step in steps})),
            _direction(steps),
            steps[0].source,
        )
        for distance, weight, steps in ways.values()
    ]


Way = tuple[int, float, list[Step]]  # distance, weight, and the steps that are the last one


def _ways(
    snapshot: Snapshot,
    memory_id: str,
    visibility: Visibility,
    depth: int,
    relations: Sequence[str],
    limit: int,
) -> dict[str, Way]:
    """Return the way to each of the *limit* nearest, in order.

    One level after the other: when one is enough, the next need not be walked, and a smaller
    limit always gives the beginning of what a larger one gives.
    """
    reached: dict[str, float] = {memory_id: 1.0}
    front = [memory_id]
    ways: dict[str, Way] = {}
    for distance in range(1, depth + 1):
        if not front or len(ways) >= limit:
            break
        steps = snapshot.steps(front, visibility, relations=relations, most=MOST_STEPS)
        level = _heaviest((step for step in steps if step.target not in reached), reached)
        front = sorted(level, key=lambda each: (level[each][0], each), reverse=True)
        for each in front:
            weight, last = level[each]
            reached[each] = weight
            ways[each] = distance, weight, last
    return dict(list(ways.items())[:limit])


def _heaviest(
    steps: Iterable[Step], reached: dict[str, float]
) -> dict[str, tuple[float, list[Step]]]:
    """Return for each target the weight of its heaviest way, and the steps that it ends with."""
    pairs: dict[tuple[str, str], list[Step]] = {}
    for step in steps:
        pairs.setdefault((step.target, step.source), []).append(step)
    level: dict[str, tuple[float, list[Step]]] = {}
    for (target, source), last in sorted(pairs.items()):
        weight = reached[source] * max(step.weight for step in last)
        if target not in level or weight >= level[target][0]:
            level[target] = weight, last
    return level


def _direction(steps: Sequence[Step]) -> Literal["out", "in", "both"]:
    ways = {step.out for step in steps}
    return "both" if len(ways) == 2 else "out" if True in ways else "in"
