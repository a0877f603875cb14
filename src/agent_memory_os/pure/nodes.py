"""What a typed graph is made of: resources, items of memory, categories and relations."""

from collections.abc import Iterator, Sequence
from typing import overload

from agent_memory_os.model import Memory, SearchReport
from agent_memory_os.noun import Noun
from agent_memory_os.pure.turns import Distillation

RESOURCE, CATEGORY = "resource", "category"  # types of the memories that stand for these
PRESETS = {
    "preference": "what somebody likes, or wants to have done so",
    "fact": "what is so",
    "skill": "what somebody can do",
    "experience": "what somebody went through",
    "task": "what is to be done",
}


class Resource(Noun):
    """Whom or what memories are about.

    Attributes:
        id: its subject, ``kind:name``, such as "user:alice".
        text: what was said of it when it was created; else its name.
        memory: the memory that stands for it; None for one that nobody created.
    """

    id: str
    text: str
    memory: Memory | None = None

    @property
    def resource_type(self) -> str:
        """Its kind, such as "user"."""
        return self.id.partition(":")[0]

    @property
    def resource_id(self) -> str:
        """Its name without the kind, such as "alice"."""
        return self.id.partition(":")[2]


class Item(Noun):
    """One memory of a graph.

    Attributes:
        memory: the memory.
        score: 0 to 1: how well it answers what was asked, or how strongly it is related; 1 where
            it was asked for by its id.
        distance: how many relations away it is; 0 where none was followed.
        relation_types: of the last of these, sorted.
    """

    memory: Memory
    score: float = 1.0
    distance: int = 0
    relation_types: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id of the memory."""
        return self.memory.id

    @property
    def resource_id(self) -> str | None:
        """What it is about, ``kind:name``."""
        return self.memory.subject

    @property
    def category(self) -> str:
        """Its category: the type of the memory."""
        return self.memory.type

    @property
    def text(self) -> str:
        """The statement."""
        return self.memory.content


class Items(Sequence[Item]):
    """Some items, best first, with the ``report`` of how they came; equal to a list of the same."""

    __slots__ = ("_items", "report")

    def __init__(
        self, items: Sequence[Item], report: SearchReport | Distillation | None = None
    ) -> None:
        self._items = tuple(items)
        self.report = report

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Items | list | tuple):
            return self._items == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        return f"Items({list(self._items)!r})"


class Category(Noun):
    """A kind of memories: a preset, or one that somebody created.

    Attributes:
        name: the word, which is the ``type`` of its memories.
        text: what it is for.
        memory: the memory that stands for it; None for a preset.
    """

    name: str
    text: str
    memory: Memory | None = None

    @property
    def id(self) -> str:
        """Its name, by which it is known."""
        return self.name


class Relation(Noun):
    """That one memory goes with another, and how; it reads "source relation_type target".

    Attributes:
        source_id: the memory that it leads from.
        target_id: the memory that it leads to.
        relation_type: one word, such as "caused_by".
        weight: how strongly, more than 0 to 1.
    """

    source_id: str
    target_id: str
    relation_type: str
    weight: float
