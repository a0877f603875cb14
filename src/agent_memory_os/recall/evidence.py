"""Evidence: what a memory rests on, down to the words as they were said, and what rests on it."""

from collections.abc import Sequence
from dataclasses import replace

from agent_memory_os.errors import NotFound
from agent_memory_os.model import Evidence, Memory, Visibility
from agent_memory_os.pure.layer import SCENE
from agent_memory_os.store.contract import Snapshot, Store

_MOST_STEPS = 10_000  # of one depth


def evidence(
    store: Store, memory_id: str, visibility: Visibility, *, up: bool, depth: int, limit: int
) -> list[Evidence]:
    """Return what a memory rests on, or with *up* what rests on it, each followed by its own.

    So it reads as a tree; what several rest on stands once, with the first. Sources that were
    superseded or archived still bear witness.

    Raises:
        NotFound: the memory is absent or not visible.
    """
    wide = replace(visibility, states=("active", "superseded", "archived"))
    with store.read() as snapshot:
        if not snapshot.read([memory_id], wide):
            raise NotFound(f"there is no memory {memory_id!r}")
        below = _below(snapshot, memory_id, wide, up=up, depth=depth, limit=limit)
    found: list[Evidence] = []
    waiting = [(each, 1, memory_id) for each in reversed(below[memory_id])]
    while waiting:
        memory, distance, via = waiting.pop()
        found.append(Evidence(memory, distance, via))
        nearer = reversed(below.get(memory.id, ()))
        waiting += [(each, distance + 1, memory.id) for each in nearer]
    return found


def _by_scenes(
    snapshot: Snapshot, found: Sequence[tuple[str, Memory]], *, up: bool
) -> list[tuple[str, Memory]]:
    """Leave out what a persona and a scene of it both rest on: it is reached over the scene."""
    scenes = [memory.id for _, memory in found if memory.layer == SCENE]
    if up:
        beyond = [memory.id for _, memory in found if memory.layer > SCENE]
        over = {persona for persona, _ in snapshot.derivations(beyond, scenes)} if scenes else set()
    else:
        beyond = [memory.id for _, memory in found if memory.layer < SCENE]
        over = {atom for _, atom in snapshot.derivations(scenes, beyond)} if scenes else set()
    return [(via, memory) for via, memory in found if memory.id not in over]


def _below(
    snapshot: Snapshot, memory_id: str, visibility: Visibility, *, up: bool, depth: int, limit: int
) -> dict[str, list[Memory]]:
    """Return what each of the *limit* nearest is followed by; each stands once."""
    below: dict[str, list[Memory]] = {memory_id: []}
    front = [memory_id]
    for _ in range(depth):
        if not front:
            break
        reached: list[str] = []
        found = snapshot.evidence(front, visibility, up=up, most=_MOST_STEPS)
        for via, memory in _by_scenes(snapshot, found, up=up):
            if memory.id not in below and len(below) <= limit:
                below[memory.id] = []
                below[via].append(memory)
                reached.append(memory.id)
        front = reached
    return below
