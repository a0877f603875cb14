"""The arm without words: what was pinned, and what was written last."""

from collections.abc import Sequence

from agent_memory_os.model import Candidate
from agent_memory_os.providers.protocol import Search
from agent_memory_os.store.contract import Snapshot


class Recent:
    """Answers ``query=None``: everything is equally relevant, and value decides."""

    name = "recent"

    def candidates(self, search: Search, snapshot: Snapshot) -> Sequence[Candidate]:
        """Return pinned memories and the last written, at most ``search.wanted`` of each."""
        visibility, filters, wanted = search.visibility, search.filters, search.wanted
        pinned = snapshot.browse(visibility, filters, limit=wanted, pinned=True)
        latest = snapshot.browse(visibility, filters, limit=wanted)
        ids = dict.fromkeys(memory.id for memory in (*pinned, *latest))
        return [Candidate(memory_id, 1.0) for memory_id in ids]
