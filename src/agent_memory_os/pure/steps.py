"""Long work in steps, counted as they are done."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from agent_memory_os.model import Progress

T = TypeVar("T")
_TIMES = 100  # that a long work tells how far it is


def counted(items: Sequence[T], tell: Progress | None) -> Iterable[T]:
    """Return *items* to go through; *tell* is told on the way, about a hundred times.

    It is told how many were dealt with, and how many there are; the last of them it is not told.
    """
    return items if tell is None else _counted(items, tell)


def _counted(items: Sequence[T], tell: Progress) -> Iterator[T]:
    stride = max(1, len(items) // _TIMES)
    for done, item in enumerate(items):
        if done % stride == 0:
            tell(done, len(items))
        yield item
