"""The typed graph: resources, memories, categories and relations over the memories there are."""

from agent_memory_os.client import MemoryClient
from agent_memory_os.errors import InvalidInput
from agent_memory_os.graph.categories import Categories
from agent_memory_os.graph.memories import Memories
from agent_memory_os.graph.relations import Relations
from agent_memory_os.graph.resources import Resources
from agent_memory_os.graph.ways import Ways
from agent_memory_os.pure.nodes import Category, Item, Items, Relation, Resource
from agent_memory_os.pure.turns import Distiller
from agent_memory_os.view import AgentMemory

__all__ = [
    "Categories",
    "Category",
    "Item",
    "Items",
    "Memories",
    "MemoryGraph",
    "Relation",
    "Relations",
    "Resource",
    "Resources",
]


class MemoryGraph:
    """Memory as a typed graph, over the same memories that all else reads and writes.

    Each call is held to one resource by the gate: nothing that it returns is about another one.

    >>> from agent_memory_os import MemoryClient
    >>> graph = MemoryGraph(MemoryClient(":memory:"))
    >>> _ = graph.resources.create(resource_type="user", resource_id="alice")
    >>> _ = graph.memories.create(
    ...     resource_id="alice", category="preference", text="Alice prefers dark mode"
    ... )
    >>> [item.text for item in graph.memories.search(resource_id="alice", query="which mode?")]
    ['Alice prefers dark mode']

    Args:
        memory: a client, for its own agent, or what `as_agent` made.
        distiller: makes statements of messages, as `Layers.distil` takes it; None for the built-in
            rules.
    """

    def __init__(
        self, memory: MemoryClient | AgentMemory, *, distiller: Distiller | None = None
    ) -> None:
        view = memory.as_agent(memory.agent_id) if isinstance(memory, MemoryClient) else memory
        if not isinstance(view, AgentMemory):
            raise InvalidInput(f"memory must be a MemoryClient or a view of one, not {memory!r}")
        if distiller is not None and not callable(distiller):
            raise InvalidInput(f"distiller must be a function, not {distiller!r}")
        ways = Ways(view, distiller)
        self.resources = Resources(ways)
        self.memories = Memories(ways)
        self.categories = Categories(ways)
        self.relations = Relations(ways)
