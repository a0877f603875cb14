"""What a candidate provider is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agent_memory_os.model import Candidate, Filters, Visibility
from agent_memory_os.pure.text import Query
from agent_memory_os.store.contract import Snapshot


@dataclass(frozen=True, slots=True)
class Search:
    """What is looked for: the query, who asks, what narrows it, and how many are wanted."""

    query: Query
    visibility: Visibility
    filters: Filters
    wanted: int


class Provider(Protocol):
    """Proposes candidates; its ids are read again through the gate, whatever it says."""

    @property
    def name(self) -> str:
        """Return the name under which the report counts its candidates."""
        ...

    def candidates(self, search: Search, snapshot: Snapshot) -> Sequence[Candidate]:
        """Return at most ``search.wanted`` candidates, the best first, scores from 0 to 1."""
        ...
