"""What stands beside the memories of a pack: their marks, and what contradicts them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from agent_memory_os.model import Hit, Mark, Memory
from agent_memory_os.noun import Noun
from agent_memory_os.recall.pipeline import Request
from agent_memory_os.store.contract import Snapshot

MOST_BESIDE = 2  # that stand beside one memory because they contradict it
NO_MARKS: tuple[Mark, ...] = ()


class Beside(Noun):
    """What is known of the candidates of a pack besides what they say.

    Attributes:
        marks: the marks of those that have any, by id.
        memories: candidates that have marks, and what may stand beside them, by id.
    """

    marks: Mapping[str, tuple[Mark, ...]] = field(default_factory=dict, hash=False)
    memories: Mapping[str, Memory] = field(default_factory=dict, hash=False)

    def marks_of(self, memory: Memory) -> tuple[Mark, ...]:
        """Return the marks of *memory*."""
        return self.marks.get(memory.id, NO_MARKS)

    def others(self, memory: Memory) -> list[Memory]:
        """Return what contradicts *memory* and may stand beside it, the newest first."""
        marks = self.marks.get(memory.id)
        return [self.memories[each] for each in _others(marks, self.memories)] if marks else []


NOTHING = Beside()


def beside(
    snapshot: Snapshot, request: Request, offered: Sequence[Memory], hits: Iterable[Hit] = ()
) -> Beside:
    """Return what is to be known of what is *offered* to a pack; the marks of *hits* are known.

    What contradicts it is read through the gate, and held to the filters of *request*: where it
    does not pass, the mark stands alone.
    """
    known = {hit.id: hit.marks for hit in hits}
    unknown = [memory.id for memory in offered if memory.id not in known]
    marks = {memory_id: each for memory_id, each in known.items() if each}
    marks |= _marks(snapshot, request, unknown)
    if not marks:
        return NOTHING
    memories = {memory.id: memory for memory in offered}
    wanted = {each: None for told in marks.values() for each in _others(told)}
    missing = [each for each in wanted if each not in memories]
    if missing:
        found = snapshot.read(missing, request.visibility, request.filters)
        memories |= {memory.id: memory for memory in found}
        marks |= _marks(snapshot, request, [memory.id for memory in found])
    return Beside(marks, {each: memories[each] for each in (*marks, *wanted) if each in memories})


def _marks(snapshot: Snapshot, request: Request, ids: Sequence[str]) -> dict[str, tuple[Mark, ...]]:
    found = snapshot.marks(ids, request.visibility) if ids else {}
    return {memory_id: tuple(marks) for memory_id, marks in found.items()}


def _others(marks: Iterable[Mark], among: Mapping[str, Memory] | None = None) -> list[str]:
    """Return the first ids of what contradicts, of those *among* which they are looked for."""
    found = [mark.id for mark in marks if mark.kind == "CONFLICT"]
    return [each for each in found if among is None or each in among][:MOST_BESIDE]
