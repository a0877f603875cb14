"""The arm without words: what matters most."""

from collections.abc import Sequence

from agent_memory_os.model import Candidate
from agent_memory_os.providers.protocol import Search
from agent_memory_os.pure import score
from agent_memory_os.pure.layer import is_document
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Snapshot


class Recent:
    """Answers ``query=None``: values the pinned and the last written, as many as are wanted."""

    name = "recent"
    degraded: Sequence[str] = ()

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def candidates(self, search: Search, snapshot: Snapshot) -> Sequence[Candidate]:
        """Return what matters most, the best first, ties by id; the score is the value."""
        visibility, filters, wanted = search.visibility, search.filters, search.wanted
        pinned = snapshot.browse(visibility, filters, limit=wanted, pinned=True)
        latest = snapshot.browse(visibility, filters, limit=wanted)
        values = {
            memory.id: score.total(
                score.value_without_query(memory, visibility.now_ms, self._settings)
            )
            for memory in (*pinned, *latest)
            if filters.layers or not is_document(memory)  # what it says is found by its sources
        }
        ranked = [Candidate(*pair) for pair in values.items()]
        ranked.sort(key=lambda candidate: (-candidate.score, candidate.id))
        return ranked[:wanted]
