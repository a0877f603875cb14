"""The arm of hashed embeddings: memories made of the same pieces of words as the query."""

# Nothing is stored for it: a signature is two ORs for each word of a text, so that those of 2,000
# memories are made in the time that reading them takes, while stored ones would cost each add a
# page and each row 256 bytes. What it finds that words do not are other spellings and other forms
# of words; word repair finds those in a store of any size, and so this arm leads nowhere by itself
# but where words find little.

from collections.abc import Iterable, Sequence

from agent_memory_os.model import Candidate
from agent_memory_os.providers.protocol import Search
from agent_memory_os.providers.repair import repair
from agent_memory_os.pure.hashed import likeness, signature
from agent_memory_os.pure.text import analyse_query, expand
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Snapshot

LEAST_ALIKE = 0.25  # below it, what is alike is so by chance as often as not


class Vector:
    """Compares the query with each visible memory, or, of many, with those that share a word."""

    name = "vector"
    degraded: Sequence[str] = ()

    def __init__(self, settings: Settings) -> None:
        self._most = settings.vector_documents
        self._repairs = settings.word_repair

    def candidates(self, search: Search, snapshot: Snapshot) -> Sequence[Candidate]:
        """Return the most alike, the best first, ties by id; the score is the likeness."""
        # As it was typed: what repair and synonyms add to a query are other words' pieces.
        asked = signature(term.text for term in analyse_query(search.query.text).terms)
        ranked = [
            Candidate(memory_id, share)
            for memory_id, terms in self._documents(search, snapshot)
            if (share := likeness(asked, signature(expand(terms).split()))) >= LEAST_ALIKE
        ]
        ranked.sort(key=lambda candidate: (-candidate.score, candidate.id))
        return ranked[: search.wanted]

    def _documents(self, search: Search, snapshot: Snapshot) -> Iterable[tuple[str, str]]:
        visibility, filters = search.visibility, search.filters
        few = snapshot.documents(visibility, filters, most=self._most)
        if few is not None:
            return few
        query = search.query
        if self._repairs:
            query = repair(snapshot, query, visibility, filters)
        found = snapshot.matches(query, visibility, filters).found
        return [(each.id, each.terms) for each in found]
