"""Relations of a graph: how memories of one resource go with each other."""

from collections.abc import Sequence

from agent_memory_os.errors import NotFound
from agent_memory_os.graph.asked import asked, hanging
from agent_memory_os.graph.ways import PAGE, Ways, id_of, is_id, most_of
from agent_memory_os.model import Neighbor
from agent_memory_os.pure import bounds
from agent_memory_os.pure.draft import parse_word
from agent_memory_os.pure.nodes import RESOURCE, Item, Items, Relation, Resource
from agent_memory_os.view import AgentMemory

LEAST_WEIGHT = 0.000_001  # of a link, which is kept to six places


class Relations:
    """How memories go with each other: ``graph.relations``; each within one resource."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways

    def create(
        self,
        *,
        source_id: Item | str,
        target_id: Item | str,
        relation_type: str = "related_to",
        weight: float = 1.0,
    ) -> Relation:
        """Say that one memory goes with another of the same resource, and return the relation.

        Args:
            source_id: the memory that it leads from.
            target_id: the memory that it leads to.
            relation_type: one word, such as caused_by, derived_from, corroborates, contradicts.
            weight: how strongly, more than 0 to 1.

        Raises:
            NotFound: one of them is absent, the agent may not see it, or it is of another resource.
            InvalidInput: an argument is invalid.
        """
        word = parse_word(relation_type, "relation_type")
        heavy = bounds.weight(weight, "weight", least=LEAST_WEIGHT, most=1)
        view, source, target = self._ends(source_id, target_id)
        link = view.link(source, target, relation=word, weight=heavy)
        return Relation(link.source_id, link.target_id, link.relation, link.weight)

    def search(
        self, memory_id: Item | str, *, relation_type: str | None = None, limit: int = PAGE
    ) -> list[Relation]:
        """Return the relations of a memory, to it and from it, heaviest first.

        Raises:
            NotFound: there is no such memory that the agent may see.
            InvalidInput: an argument is invalid.
        """
        wanted = None if relation_type is None else [parse_word(relation_type, "relation_type")]
        most = most_of(self._ways.view, limit)
        view, memory = self._ways.of(memory_id)
        near_by = view.neighbors(memory.id, relations=wanted, limit=most)
        found = [each for other in near_by for each in self._between(view, memory.id, other)]
        return found[:most]

    @staticmethod
    def _between(view: AgentMemory, memory_id: str, other: Neighbor) -> list[Relation]:
        with view._ground().store.read() as snapshot:
            links = [
                *snapshot.links(memory_id, other.id),
                *snapshot.links(other.id, memory_id),
            ]
        told: dict[tuple[str, str, str], float] = {}
        for link in links:
            ends = link.source_id, link.target_id, link.relation
            told[ends] = max(link.weight, told.get(ends, 0.0))
        return [Relation(*ends, told[ends]) for ends in told if ends[2] in other.relations]

    def neighbors(
        self,
        memory_id: Item | Resource | str,
        *,
        depth: int = 1,
        relation_types: Sequence[str] | None = None,
        limit: int = PAGE,
    ) -> Items:
        """Return what is reached from a memory over relations, nearest first, then heaviest.

        No step leaves the resource that it is of. Of a resource it is what hangs on it.

        Args:
            memory_id: where to begin: a memory, or a resource by whatever names it.
            depth: how many relations away, 1 or more; cut to 5.
            relation_types: only relations of these types; of all when None.
            limit: most neighbours, 0 or more.

        Raises:
            NotFound: there is no such memory that the agent may see, and no such resource.
            InvalidInput: an argument is invalid.
        """
        if isinstance(memory_id, Resource) or _is_resource(self._ways, memory_id):
            ref = memory_id if isinstance(memory_id, Resource) else id_of(memory_id)
            most = most_of(self._ways.view, limit)
            return hanging(asked(self._ways, self._named(ref), top_k=most), "item_of")
        return reached(
            self._ways, memory_id, depth=depth, relation_types=relation_types, limit=limit
        )

    def update(
        self,
        *,
        source_id: Item | str,
        target_id: Item | str,
        relation_type: str = "related_to",
        weight: float,
    ) -> Relation:
        """Give a relation of the agent's another weight, and return it; see `create`."""
        return self.create(
            source_id=source_id, target_id=target_id, relation_type=relation_type, weight=weight
        )

    def delete(
        self, *, source_id: Item | str, target_id: Item | str, relation_type: str | None = None
    ) -> int:
        """Take back relations that the agent made from one memory to another; return how many.

        Raises:
            NotFound: a memory is absent, or there is no such relation.
            NotPermitted: only others made them so.
        """
        word = None if relation_type is None else parse_word(relation_type, "relation_type")
        view, source, target = self._ends(source_id, target_id)
        return view.unlink(source, target, relation=word)

    def _named(self, ref: Resource | str) -> Resource | str:
        """Return the subject of a resource; what is none might have been a memory."""
        try:
            return self._ways.subject(ref)
        except NotFound:
            name = ref.id if isinstance(ref, Resource) else ref
            raise NotFound(
                f"{name!r} is no id of a memory, and no resource is called so"
                f"{self._ways.hint(name)}"
            ) from None

    def _ends(self, source_id: Item | str, target_id: Item | str) -> tuple[AgentMemory, str, str]:
        """Return the agent's memory of the resource that both are of, and their ids."""
        target = id_of(target_id, "target_id")
        view, source = self._ways.of(source_id, "source_id")
        found = view.get(target)
        if found is None or found.subject != view.subject:
            raise NotFound(f"there is no memory {target!r} of {view.subject!r}")
        return view, source.id, target


def reached(
    ways: Ways,
    memory_id: Item | str,
    *,
    depth: int,
    limit: int,
    relation_types: Sequence[str] | None = None,
) -> Items:
    """Return what is reached from a memory within its resource; see `Relations.neighbors`."""
    far = bounds.whole(depth, "depth", least=1)
    most = most_of(ways.view, limit)
    words = None if relation_types is None else bounds.texts(relation_types, "relation_types")
    wanted = None if words is None else [parse_word(word, "a relation_type") for word in words]
    view, memory = ways.of(memory_id)
    found = view.neighbors(memory.id, depth=far, relations=wanted, limit=most)
    return Items([Item(each.memory, each.weight, each.distance, each.relations) for each in found])


def _is_resource(ways: Ways, ref: Item | str) -> bool:
    if isinstance(ref, Item) or is_id(id_of(ref)):
        memory = ways.view.get(id_of(ref))
        return memory is not None and memory.type == RESOURCE
    return True
