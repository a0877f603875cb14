"""The word arm: memories that share words with the query, scored by BM25."""

import heapq
from collections.abc import Sequence

from agent_memory_os.model import Candidate
from agent_memory_os.pure.bm25 import relevance
from agent_memory_os.providers.protocol import Search
from agent_memory_os.store.contract import Snapshot


class Lexical:
    """Scores exactly, by what the asker sees alone, every match within the budget."""

    name = "lexical"

    def candidates(self, search: Search, snapshot: Snapshot) -> Sequence[Candidate]:
        """Return the best matches, the best first, ties by id."""
        found = snapshot.matches(search.query, search.visibility, search.filters)
        if not found.ids:
            return ()
        scores = relevance(
            search.query, found.documents, rows=found.rows, mean_terms=found.mean_terms
        )
        best = heapq.nsmallest(
            search.wanted, zip(scores, found.ids, strict=True), key=lambda pair: (-pair[0], pair[1])
        )
        return [Candidate(memory_id, score) for score, memory_id in best]
