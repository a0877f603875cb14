"""The arm of vectors: what means the same as the query, whatever its words."""

# Words lead. A vector adds to what they found, by how far it is above what is usual; what they did
# not find comes in only when it is well above it. When words found nothing, or too little to be an
# answer, vectors answer alone, if the best of them is clearly one (docs/benchmarks.md).

from collections.abc import Sequence

from agent_memory_os.model import Candidate
from agent_memory_os.providers.protocol import Search
from agent_memory_os.providers.vector import LEAST_ALIKE, Vector
from agent_memory_os.pure import embedding, hashed, neighbourhood
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Asked, Near, Nearest, Snapshot

POOL = 30  # best turns whose neighbours are looked at; 60 find no more (docs/benchmarks.md)
CLEARLY_ALIKE = 0.4  # hashed pieces: below it, what no word finds is most likely no answer


class Embedded:
    """Asks the vectors that are stored, or the hashed pieces where no model is.

    Without vectors in the client it is the arm of hashed pieces, made for each search.
    """

    name = "vector"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.degraded: Sequence[str] = ()

    def candidates(self, search: Search, snapshot: Snapshot) -> Sequence[Candidate]:
        """Return the nearest, the best first, ties by id; the score is a relevance from 0 to 1."""
        if search.asked is None:
            return Vector(self._settings).candidates(search, snapshot)
        if search.asked.model == hashed.FINGERPRINT:
            return self._by_pieces(search.asked, search, snapshot)
        ranked = self._by_vectors(search.asked, search, snapshot)
        ranked.sort(key=lambda candidate: (-candidate.score, candidate.id))
        return ranked[: search.wanted]

    def _by_pieces(self, asked: Asked, search: Search, snapshot: Snapshot) -> Sequence[Candidate]:
        """Return what is alike by hashed pieces; beside other arms, only where they found nothing.

        What pieces say of memories that words found, word repair has said already, and better.
        """
        if search.seeds:
            return ()
        if asked.cache is None:
            ranked = Vector(self._settings).candidates(search, snapshot)
        else:
            most = self._settings.vector_candidates
            found = snapshot.nearest(
                asked, search.visibility, search.filters, most=most, sample=0
            ).found
            ranked = [Candidate(near.id, near.alike) for near in found]
        least = LEAST_ALIKE if search.seeds is None else CLEARLY_ALIKE
        return [candidate for candidate in ranked if candidate.score >= least]

    def _by_vectors(self, asked: Asked, search: Search, snapshot: Snapshot) -> list[Candidate]:
        settings = self._settings
        nearest = snapshot.nearest(
            asked,
            search.visibility,
            search.filters,
            most=settings.vector_candidates,
            sample=embedding.SAMPLE,
        )
        self._say_what_is_missing(nearest)
        base = embedding.usual(nearest.sample)
        own = {near.id: embedding.relevance(near.alike, base) for near in nearest.found}
        is_alone = search.seeds is not None and not search.seeds
        if is_alone and max(own.values(), default=0.0) < settings.vector_alone:
            return []
        shares = own | self._lent(asked, search, snapshot, nearest.found, own, base)
        known = {seed.id for seed in search.seeds or ()}
        least = settings.vector_least
        return [
            Candidate(memory_id, share)
            for memory_id, share in shares.items()
            if max(share, own.get(memory_id, 0.0)) >= least or memory_id in known
        ]

    def _lent(
        self,
        asked: Asked,
        search: Search,
        snapshot: Snapshot,
        found: Sequence[Near],
        own: dict[str, float],
        base: float,
    ) -> dict[str, float]:
        """Return the shares of turns, with what the turns around them lend to the best of them."""
        turns = [near.id for near in found if near.is_turn]
        lent = {memory_id: embedding.unlent(own[memory_id]) for memory_id in turns}
        best = turns[:POOL]
        runs = (
            snapshot.surroundings(best, search.visibility, width=neighbourhood.WIDTH)
            if best
            else {}
        )
        around = {turn.id for run in runs.values() for turn in run} - own.keys()
        alike = snapshot.alikeness(asked, list(around), search.visibility) if around else {}
        known = own | {key: embedding.relevance(value, base) for key, value in alike.items()}
        for anchor, run in runs.items():
            shares = [known.get(turn.id, 0.0) for turn in run]
            at = next(place for place, turn in enumerate(run) if turn.id == anchor)
            reach = neighbourhood.REACH
            for place in range(max(0, at - reach), min(len(run), at + reach + 1)):
                lent[run[place].id] = embedding.lent(shares, place)
        return lent

    def _say_what_is_missing(self, nearest: Nearest) -> None:
        missing = nearest.sampled - len(nearest.sample)
        if missing:
            self.degraded = (
                f"vector: {missing} of the last {nearest.sampled} memories that you may see have no"
                " vector of this model, and only words find them; client.admin.reembed() makes"
                " them",
            )
