"""One connection at work: what every room of this store is handed."""

import sqlite3
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from agent_memory_os.pure import ids
from agent_memory_os.settings import Settings
from agent_memory_os.store.sqlite.names import Names
from agent_memory_os.store.sqlite.partitions import Tally


class Stamper:
    """Gives stamps that only grow, to all threads of a process."""

    def __init__(self) -> None:
        self._last = 0
        self._turn = threading.Lock()

    def tick(self, now_ms: int, after: int = 0) -> int:
        """Return a stamp for *now_ms* that is later than *after* and than every one before."""
        with self._turn:
            self._last = ids.later(now_ms, max(self._last, after))
            return self._last


@dataclass(slots=True)
class Line:
    """A connection within a snapshot, and what it knows of names."""

    db: sqlite3.Connection
    names: Names
    settings: Settings


@dataclass(slots=True)
class Pen(Line):
    """A connection within a write transaction."""

    now_ms: int
    stamper: Stamper
    entropy: Callable[[int], int]
    tally: Tally = field(default_factory=Tally)
    # What said something, or was in sight, and perhaps is not: its content before, and whether that
    # was changed. What quotes it is looked after before the end.
    touched: dict[str, tuple[str, bool]] = field(default_factory=dict)
    has_taken_in: bool = False  # rows of the tail were taken into the index
    new_words: set[str] = field(default_factory=set)  # of these rows

    def tick(self, *, after: int = 0) -> int:
        """Return the next stamp."""
        return self.stamper.tick(self.now_ms, after)

    def touch(self, memory_id: str, content: str, *, is_changed: bool = False) -> None:
        """Note what a memory said, which may be out of sight now; or says otherwise, if changed."""
        said, was_changed = self.touched.get(memory_id, (content, False))
        self.touched[memory_id] = said, was_changed or is_changed
