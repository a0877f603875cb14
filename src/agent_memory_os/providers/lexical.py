"""The word arm: memories that share words with the query, scored by BM25."""

from collections.abc import Sequence

from agent_memory_os.model import Candidate
from agent_memory_os.providers.protocol import Search
from agent_memory_os.pure.bm25 import relevance
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
        ranked = [Candidate(*pair) for pair in zip(found.ids, scores, strict=True)]
        ranked.sort(key=lambda candidate: (-candidate.score, candidate.id))
        return ranked[: search.wanted]
