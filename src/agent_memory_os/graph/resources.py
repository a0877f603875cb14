"""Resources of a graph: whom and what memories are about."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent_memory_os.errors import InvalidInput, NotFound
from agent_memory_os.graph.asked import asked, hanging
from agent_memory_os.graph.ways import PAGE, Ways, changes_of, most_of, name_of
from agent_memory_os.model import JSON, Memory
from agent_memory_os.pure import access
from agent_memory_os.pure.draft import parse_content
from agent_memory_os.pure.nodes import RESOURCE, Items, Resource
from agent_memory_os.view import AgentMemory

_KINDS = ("user", "agent", "session", "document", "team", "project")


class Resources:
    """Whom and what memories are about: ``graph.resources``."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways

    def create(
        self,
        *,
        resource_type: str,
        resource_id: str,
        text: str | None = None,
        visibility: Sequence[str] | None = None,
        metadata: Mapping[str, JSON] | None = None,
    ) -> Resource:
        """Say that there is a resource, and return it; said again, what is omitted stays.

        Args:
            resource_type: its kind: "user", "agent", "session", "document", or any word.
            resource_id: its name, such as "alice".
            text: a few words on it; its name when None.
            visibility: who may see that it is there; nobody else by default. What is remembered of
                it has a visibility of its own.
            metadata: JSON of your own.

        Raises:
            InvalidInput: an argument is invalid, or *resource_id* has another kind already.
            NotPermitted: this view is bound to another subject.
        """
        kind = access.parse_name(resource_type, "resource_type")
        name = access.parse_name(resource_id, "resource_id")
        if text is not None:
            parse_content(text, self._ways.view._ground().settings, "text")
        whole = _whole(kind, name, self._kinds() if ":" in name else ())
        view = self._ways.about(access.parse_kinded(whole, "resource_id"))
        old = _standing(view)
        fields: dict[str, Any] = {"type": RESOURCE, "key": RESOURCE, "importance": 0.0}
        fields["visibility"] = _or(visibility, () if old is None else old.visibility)
        fields["metadata"] = _or(metadata, {} if old is None else old.metadata)
        said = _or(text, name_of(whole) if old is None else old.content)
        return _resource(view.add(said, **fields).memory)

    def _kinds(self) -> set[str]:
        """Return the usual kinds, and those of which the agent knows a resource."""
        every = self._ways.view._ground().settings.max_limit
        return {*_KINDS, *(each.resource_type for each in self._ways.subjects(limit=every))}

    def get(self, resource_id: Resource | str) -> Resource | None:
        """Return a resource that the agent sees a memory about, or None.

        Raises:
            InvalidInput: several are called so, or the name is malformed.
            NotPermitted: this view is bound to another subject.
        """
        try:
            view = self._ways.about(resource_id)
        except NotFound:
            return None
        standing = view.browse(types=[RESOURCE], limit=1) or view.browse(limit=1)
        return _resource(standing[0]) if standing else None

    def search(
        self, query: str | None = None, *, resource_type: str | None = None, limit: int = PAGE
    ) -> list[Resource]:
        """Return resources: those that answer *query*, or all that the agent has memories of.

        Args:
            query: words of the text that they were created with; None for all of them.
            resource_type: only those of this kind.
            limit: most resources, 0 or more.

        Raises:
            InvalidInput: an argument is invalid.
        """
        view, most = self._ways.view, most_of(self._ways.view, limit)
        kind = None if resource_type is None else access.parse_name(resource_type, "resource_type")
        every = view._ground().settings.max_limit  # of a kind there may be few
        if query is None:
            made = _by_subject(view.browse(types=[RESOURCE], limit=every))
            found = [made.get(each.id, each) for each in self._ways.subjects(limit=every)]
        else:
            hits = view.search(query, types=[RESOURCE], limit=every)
            found = [*_by_subject([hit.memory for hit in hits]).values()]
        return [each for each in found if kind in (None, each.resource_type)][:most]

    def neighbors(
        self, resource_id: Resource | str, *, category: str | None = None, limit: int = PAGE
    ) -> Items:
        """Return what hangs on a resource: its memories, what matters most first.

        Raises:
            InvalidInput, NotFound, NotPermitted: as for ``memories.search``.
        """
        most = most_of(self._ways.view, limit)
        found = asked(self._ways, resource_id, category=category, top_k=most)
        return hanging(found, "item_of")

    def update(
        self,
        resource_id: Resource | str,
        *,
        text: str | None = None,
        merge_metadata: Mapping[str, JSON] | None = None,
    ) -> Resource:
        """Change what was said of a resource by the agent that created it, and return it.

        Raises:
            NotFound: the agent has created no such resource.
            InvalidInput: an argument is invalid, or there is nothing to change.
        """
        view = self._ways.about(resource_id)
        changes = changes_of(view, text, merge_metadata=merge_metadata)
        old = _standing(view)
        if old is None:
            raise NotFound(f"there is no resource {view.subject!r} that {view.agent_id!r} created")
        return _resource(view.update(old.id, **changes).memory)


def _whole(kind: str, name: str, kinds: Iterable[str]) -> str:
    """Return the subject of a resource, whose name may have its kind already, and none of *kinds*.

    Other colons are of the name, as those of URLs are.
    """
    of_kind, colon, _ = name.partition(":")
    if colon and of_kind == kind:
        return name
    if colon and of_kind in kinds:
        raise InvalidInput(
            f"resource_id {name!r} has the kind {of_kind!r} already, and resource_type is {kind!r}"
        )
    return f"{kind}:{name}"


def _by_subject(memories: Sequence[Memory]) -> dict[str, Resource]:
    """Return each resource that *memories* stand for once, by the first of them."""
    found: dict[str, Resource] = {}
    for each in memories:
        found.setdefault(each.subject or "", _resource(each))
    return found


def _standing(view: AgentMemory) -> Memory | None:
    found = view.browse(types=[RESOURCE], owner=view.agent_id, limit=1)
    return found[0] if found else None


def _resource(memory: Memory) -> Resource:
    if memory.type != RESOURCE:
        return Resource(memory.subject or "", name_of(memory.subject))
    return Resource(memory.subject or "", memory.content, memory)


def _or(given: Any, else_: Any) -> Any:
    return else_ if given is None else given
