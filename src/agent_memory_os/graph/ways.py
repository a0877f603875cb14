"""Ways of a graph: how its parts read and write, as one agent, each time held to one resource."""

import re
from typing import Any

from agent_memory_os.errors import InvalidInput, NotFound, NotPermitted
from agent_memory_os.model import Memory
from agent_memory_os.pure import access, bounds, ids, near
from agent_memory_os.pure.draft import parse_changes, parse_content
from agent_memory_os.pure.nodes import CATEGORY, RESOURCE, Item, Resource
from agent_memory_os.pure.turns import Distiller
from agent_memory_os.view import AgentMemory

PAGE = 50
_ID = re.compile(ids.ID)


class Ways:
    """What the parts of one graph share: whose memory it is, and how it is held to a resource."""

    def __init__(self, view: AgentMemory, distiller: Distiller | None) -> None:
        self.view = view
        self.distiller = distiller

    def about(self, resource_id: Resource | str) -> AgentMemory:
        """Return the agent's memory of one resource, which can name no other."""
        return self._bound(self.subject(resource_id))

    def of(self, item_id: Item | str, what: str = "memory_id") -> tuple[AgentMemory, Memory]:
        """Return the agent's memory of what a memory is about, and the memory.

        *what* names it in the error.

        Raises:
            NotFound: there is no such memory that the agent may see, or it is of no resource.
            InvalidInput: it is no text.
        """
        memory = self.view.get(id_of(item_id, what))
        if memory is None:
            named = id_of(item_id, what)
            hint = "" if is_id(named) else "; that is no id of a memory"
            raise NotFound(f"there is no memory {named!r}{hint}")
        if memory.subject is None:
            raise NotFound(f"memory {memory.id!r} is of no resource")
        return self._bound(memory.subject), memory

    def item(self, item_id: Item | str) -> tuple[AgentMemory, Memory]:
        """Return what `of` does, of a memory that is an item.

        Raises:
            NotFound: as `of`, or it stands for a resource or a category.
            InvalidInput: it is no text.
        """
        view, memory = self.of(item_id)
        if not is_item(memory):
            raise NotFound(f"memory {memory.id!r} is a {memory.type}, and no memory of one")
        return view, memory

    def subject(self, resource_id: Resource | str) -> str:
        """Return the subject that a resource, its id, its name, or its memory's id stands for.

        Raises:
            NotFound: no resource of that name is known to the agent.
            InvalidInput: several are called so, or the name is malformed.
            NotPermitted: the view is bound to another subject.
        """
        name = resource_id.id if isinstance(resource_id, Resource) else resource_id
        name, bound = access.parse_name(name, "resource_id"), self.view.subject
        if bound is not None and name in (bound, bound.partition(":")[2]):
            return bound
        if ":" not in name:
            name = self._called(name)
        if bound not in (None, name):
            raise NotPermitted(f"this view is bound to {bound!r} and can name no other")
        return access.parse_kinded(name, "resource_id")

    def _called(self, name: str) -> str:
        memory = self.view.get(name) if is_id(name) else None
        if memory is not None and memory.type == RESOURCE and memory.subject is not None:
            return memory.subject
        seat = self.view._ground()
        with seat.store.read() as snapshot:
            found = snapshot.named_so(name, seat.visibility())
        if len(found) > 1:
            raise InvalidInput(f"{name!r} may be {' or '.join(map(repr, found))}: name it whole")
        if found:
            return found[0]
        raise NotFound(f"there is no resource {name!r}{self.hint(name) or '; create it first'}")

    def hint(self, name: str) -> str:
        """Return which resource may have been meant by *name*, for the end of an error."""
        return near.hint(name, [each.id for each in self.subjects(limit=near.MOST)])

    def subjects(self, *, limit: int) -> list[Resource]:
        """Return whom the agent's memories are about, the last written to first."""
        seat = self.view._ground()
        with seat.store.read() as snapshot:
            held = snapshot.subjects(seat.visibility(), seat.narrow({}), limit=limit)
        return [Resource(each.place.subject or "", name_of(each.place.subject)) for each in held]

    def _bound(self, subject: str) -> AgentMemory:
        if self.view.subject == subject:
            return self.view
        return AgentMemory(self.view._parts, self.view.agent_id, subject=subject)


def is_id(ref: str) -> bool:
    """Return whether *ref* has the form of the id of a memory."""
    return _ID.fullmatch(ref) is not None


def is_item(memory: Memory) -> bool:
    """Return whether *memory* is of a resource, and stands for none, nor for a category."""
    return memory.subject is not None and memory.type not in (RESOURCE, CATEGORY)


def id_of(ref: Item | str, what: str = "memory_id") -> str:
    """Return the id of a memory that is named by itself, or by its id; *what* is for the error.

    Raises:
        InvalidInput: it is neither.
    """
    return ref.id if isinstance(ref, Item) else bounds.text(ref, what)


def name_of(subject: str | None) -> str:
    """Return the name of a subject without its kind."""
    return (subject or "").partition(":")[2]


def changes_of(view: AgentMemory, text: str | None, **others: object) -> dict[str, Any]:
    """Return what an update is to change, checked: a text, and what else is not None.

    Raises:
        InvalidInput: one of them is invalid, or there are none.
    """
    settings = view._ground().settings
    if text is not None:
        parse_content(text, settings, "text")
    named = {"content": text, **others}
    found = {name: value for name, value in named.items() if value is not None}
    parse_changes(found, settings)
    return found


def most_of(view: AgentMemory, limit: object) -> int:
    """Return *limit*, checked, and cut to the most of one call.

    Raises:
        InvalidInput: it is no whole number of 0 or more.
    """
    return bounds.whole(limit, "limit", most=view._ground().settings.max_limit)
