"""Memories of a graph: one statement each, and each of one resource."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict, Unpack, overload

from agent_memory_os.errors import InvalidInput
from agent_memory_os.graph.asked import TOP_K, asked
from agent_memory_os.graph.kinds import known, word_of
from agent_memory_os.graph.relations import reached
from agent_memory_os.graph.ways import PAGE, Ways, changes_of, id_of, is_item
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
        session: str | None = ...,
        visibility: Sequence[str] = ...,
    ) -> Items: ...
    def create(
        self,
        *,
        resource_id: Resource | str,
        text: str | None = None,
        category: str | None = None,
        messages: Iterable[Mapping[str, object] | tuple[str, str]] | None = None,
        session: str | None = None,
        **fields: Unpack[ItemFields],
    ) -> Item | Items:
        """Remember a statement of a resource, or what messages say of it.

        A statement is kept as it is: no model is asked. What was said before and is not so any
        more is superseded, as by `AgentMemory.add`. Messages are captured word for word, and
        distilled by the graph's distiller, or by the built-in rules; the statements rest on them.

        Args:
            resource_id: the resource, its id, or its name.
            text: the statement.
            category: what kind a text is: a preset, or one that is known; "fact" when omitted.
                Messages take none: what distils them finds it.
            messages: what was said, in place of *text*, as `AgentMemory.capture` takes it.
            session: the conversation that the messages belong to; "graph" when omitted. All of it
                that is not distilled yet is distilled with them.
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
        if text is None and messages is None:
            raise InvalidInput("give a text, or messages; there is neither")
        if text is not None and messages is not None:
            raise InvalidInput("give a text, or messages, and not both")
        if messages is None:
            if session is not None:
                raise InvalidInput(
                    "a text is of no session; give messages with it, or leave it out"
                )
            kind = known(self._ways, "fact" if category is None else category, view)
            said = parse_content(text, view._ground().settings, "text")
            return Item(view.add(said, type=kind, **fields).memory)
        visibility = fields.pop("visibility", ())
        if fields:
            raise InvalidInput(f"messages take a visibility, and not {', '.join(sorted(fields))}")
        if category is not None:
            raise InvalidInput(
                f"messages take no category {category!r}: what distils them finds it; give a text,"
                " or update the items that come of them"
            )
        conversation = SESSION if session is None else session
        view.capture(messages, session=conversation, visibility=visibility)
        report = view.layers.distil(conversation, distiller=self._ways.distiller)
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
        """Return a memory of a resource, or None when there is none that the agent may see."""
        memory = self._ways.view.get(id_of(memory_id))
        return Item(memory) if memory is not None and is_item(memory) else None

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
            NotFound: there is no such memory of a resource that the agent may see.
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
        view, memory = self._ways.item(memory_id)
        if category is not None:
            known(self._ways, category, view)
        return Item(view.update(memory.id, **changes).memory)

    def delete(self, memory_id: Item | str) -> None:
        """Take a memory that the agent owns out of every read, with its relations.

        Its history stays; `AgentMemory.forget` erases it.

        Raises:
            NotFound: there is no such memory of a resource that the agent may see.
            NotPermitted: somebody else owns it.
        """
        view, memory = self._ways.item(memory_id)
        view.delete(memory.id)
