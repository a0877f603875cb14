"""Memories of a graph: one statement each, and each of one resource."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict, Unpack, overload

from agent_memory_os.errors import InvalidInput
from agent_memory_os.graph.asked import TOP_K, asked
from agent_memory_os.graph.kinds import known, word_of
from agent_memory_os.graph.relations import reached
from agent_memory_os.graph.ways import PAGE, Ways, changes_of, id_of
from agent_memory_os.model import JSON
from agent_memory_os.pure.draft import parse_content
from agent_memory_os.pure.nodes import Item, Items, Resource

SESSION = "graph"  # of messages that were given without one


class ItemFields(TypedDict, total=False):
    """What ``memories.create`` takes besides; the names mean what they mean in `add`."""

    visibility: Sequence[str]
    tags: Sequence[str]
    metadata: Mapping[str, JSON]
    importance: float
    confidence: float
    pinned: bool
    evidence: Sequence[str]


class Memories:
    """What is remembered, one statement each, and each of one resource: ``graph.memories``."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways

    @overload
    def create(
        self,
        *,
        resource_id: Resource | str,
        text: str,
        category: str = ...,
        **fields: Unpack[ItemFields],
    ) -> Item: ...
    @overload
    def create(
        self,
        *,
        resource_id: Resource | str,
        messages: Iterable[Mapping[str, object] | tuple[str, str]],
        session: str = ...,
        visibility: Sequence[str] = ...,
    ) -> Items: ...
    def create(
        self,
        *,
        resource_id: Resource | str,
        text: str | None = None,
        category: str = "fact",
        messages: Iterable[Mapping[str, object] | tuple[str, str]] | None = None,
        session: str = SESSION,
        **fields: Unpack[ItemFields],
    ) -> Item | Items:
        """Remember a statement of a resource, or what messages say of it.

        A statement is kept as it is: no model is asked. What was said before and is not so any
        more is superseded, as by `AgentMemory.add`. Messages are captured word for word, and
        distilled by the graph's distiller, or by the built-in rules; the statements rest on them.

        Args:
            resource_id: the resource, its id, or its name.
            text: the statement.
            category: what kind it is; a preset, or one that is known.
            messages: what was said, in place of *text*, as `AgentMemory.capture` takes it.
            session: the conversation that the messages belong to.
            fields: those of `ItemFields`; with messages, the visibility alone.

        Returns:
            The item; for messages the items, with the report of the distiller.

        Raises:
            InvalidInput: an argument is invalid, there is no such category, or there is neither a
                text nor messages, or both.
            NotFound: there is no such resource; the error names the nearest.
            NotPermitted: this view is bound to another subject; or as `add` does.
        """
        view = self._ways.about(resource_id)
        if (text is None) == (messages is None):
            raise InvalidInput("give text, or messages, and not both")
        if messages is None:
            kind = known(self._ways, category, view)
            said = parse_content(text, view._ground().settings, "text")
            return Item(view.add(said, type=kind, **fields).memory)
        visibility = fields.pop("visibility", ())
        if fields:
            raise InvalidInput(f"messages take a visibility, and not {', '.join(sorted(fields))}")
        view.capture(messages, session=session, visibility=visibility)
        report = view.layers.distil(session, distiller=self._ways.distiller)
        return Items([Item(receipt.memory) for receipt in report.receipts], report)

    def search(
        self,
        *,
        resource_id: Resource | str,
        query: str | None = None,
        top_k: int = TOP_K,
        category: str | None = None,
        min_score: float = 0.0,
        metadata: Mapping[str, JSON] | None = None,
    ) -> Items:
        """Return the memories of a resource that answer *query*, best first.

        Args:
            resource_id: the resource, its id, or its name; what is about others is not looked at.
            query: any text; None for the core: what matters most of it.
            top_k: most memories, 0 or more.
            category: only those of it.
            min_score: those below it are left out, 0 to 1.
            metadata: only what has these values under these keys, exactly.

        Raises:
            InvalidInput: an argument is invalid, or there is no such category; the error names the
                nearest.
            NotFound: there is no such resource; the error names the nearest.
            NotPermitted: this view is bound to another subject.
        """
        return asked(
            self._ways,
            resource_id,
            query=query,
            top_k=top_k,
            category=category,
            min_score=min_score,
            metadata=metadata,
        )

    def get(self, memory_id: Item | str) -> Item | None:
        """Return a memory, or None when there is none that the agent may see."""
        memory = self._ways.view.get(id_of(memory_id))
        return None if memory is None else Item(memory)

    def neighbors(self, memory_id: Item | str, *, depth: int = 1, limit: int = PAGE) -> Items:
        """Return what a memory is related to; see ``relations.neighbors``."""
        return reached(self._ways, memory_id, depth=depth, limit=limit)

    def update(
        self,
        memory_id: Item | str,
        *,
        text: str | None = None,
        category: str | None = None,
        tags: Sequence[str] | None = None,
        merge_metadata: Mapping[str, JSON] | None = None,
        importance: float | None = None,
    ) -> Item:
        """Change what is named of a memory that the agent owns, and return it; the rest stays.

        Raises:
            NotFound: there is no such memory that the agent may see.
            NotPermitted: somebody else owns it.
            InvalidInput: an argument is invalid, there is no such category, or nothing to change.
        """
        changes = changes_of(
            self._ways.view,
            text,
            type=None if category is None else word_of(category),
            tags=tags,
            merge_metadata=merge_metadata,
            importance=importance,
        )
        view, memory = self._ways.of(memory_id)
        if category is not None:
            known(self._ways, category, view)
        return Item(view.update(memory.id, **changes).memory)

    def delete(self, memory_id: Item | str) -> None:
        """Take a memory that the agent owns out of every read, with its relations.

        Its history stays; `AgentMemory.forget` erases it.

        Raises:
            NotFound: there is no such memory that the agent may see.
            NotPermitted: somebody else owns it.
        """
        self._ways.view.delete(id_of(memory_id))
