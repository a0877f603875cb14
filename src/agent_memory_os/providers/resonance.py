"""The arm of associations: memories that are linked to what matches, whatever their words."""

from collections.abc import Sequence

from agent_memory_os.model import NO_FILTERS, Candidate
from agent_memory_os.providers.lexical import Lexical
from agent_memory_os.providers.protocol import Arm, Search
from agent_memory_os.pure import activation
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Snapshot


class Resonance:
    """Spreads activation from the best matches over links, through the gate at every hop.

    It goes two hops: what is three links away has little to do with the query.

    Args:
        settings: the numbers that begin with ``resonance_``.
        source: the arm whose candidates are the seeds when it is asked alone; the word arm by
            default.
    """

    name = "resonance"
    degraded: Sequence[str] = ()

    def __init__(self, settings: Settings, source: Arm | None = None) -> None:
        self._settings = settings
        self._source = source or Lexical()

    def candidates(self, search: Search, snapshot: Snapshot) -> Sequence[Candidate]:
        """Return what the seeds of the search activate, the best first, ties by id.

        Asked alone it finds seeds by itself, and they are part of what it returns.
        """
        if search.seeds is not None:
            return self.spread(search.seeds, search, snapshot)
        seeds = self._source.candidates(search, snapshot)
        active = {seed.id: seed.score for seed in seeds}
        for memory_id, received in self.spread(seeds, search, snapshot):
            active[memory_id] = activation.either(active.get(memory_id, 0.0), received)
        return _ranked(active)[: search.wanted]

    def spread(
        self, seeds: Sequence[Candidate], search: Search, snapshot: Snapshot
    ) -> list[Candidate]:
        """Return what *seeds* activate, the best first, ties by id; at most `search.wanted`.

        Args:
            seeds: candidates, the best first, of which ``resonance_seeds`` are used; they need not
                have passed the gate.
            search: who asks, and what narrows the result; a memory that the filters leave out is
                not returned, and is walked through all the same.
            snapshot: where the links are.

        Returns:
            Candidates whose score is the activation that they received, 0 to 1. A seed is among
            them only when another seed is linked with it: what comes back over two links is an
            echo, and counts for nothing. Over links that recalling made comes a bounded share of
            it, from the best seeds alone.
        """
        settings = self._settings
        active = {seed.id: seed.score for seed in seeds[: settings.resonance_seeds]}
        received = self._pass_on(active, search, snapshot)
        fresh = _ranked({key: each for key, each in received.items() if key not in active})
        front = {
            each.id: each.score
            for each in fresh[: settings.resonance_front]
            if each.score >= settings.resonance_threshold
        }
        for memory_id, more in self._pass_on(front, search, snapshot).items():
            if memory_id not in active:
                received[memory_id] = activation.either(received.get(memory_id, 0.0), more)
        best = {seed.id: seed.score for seed in seeds[: settings.co_recall_seeds]}
        for memory_id, more in self._recalled_with(best, search, snapshot).items():
            received[memory_id] = activation.either(received.get(memory_id, 0.0), more)
        return _ranked(_passing(received, search, snapshot))[: search.wanted]

    def _pass_on(
        self, active: dict[str, float], search: Search, snapshot: Snapshot
    ) -> dict[str, float]:
        """Return what the memories one link away from *active* ones receive."""
        if not active:
            return {}
        fans = snapshot.fans(
            list(active),
            search.visibility,
            most=self._settings.resonance_fan,
            looked_at=self._settings.resonance_looked_at,
        )
        return activation.spread(active, fans, decay=self._settings.resonance_decay)

    def _recalled_with(
        self, active: dict[str, float], search: Search, snapshot: Snapshot
    ) -> dict[str, float]:
        """Return what memories receive that were recalled with *active* ones.

        It takes nothing from what somebody linked, neither places nor shares, and is bounded: what
        is popular is not what is sought.
        """
        if not active:
            return {}
        settings = self._settings
        fans = snapshot.fans(
            list(active),
            search.visibility,
            most=settings.resonance_fan,
            looked_at=settings.co_recall_looked_at,
            recalled=True,
        )
        received = activation.spread(active, fans, decay=settings.resonance_decay)
        return {
            memory_id: min(more, settings.co_recall_reach)
            for memory_id, more in received.items()
            if more >= settings.resonance_threshold
        }


def _ranked(active: dict[str, float]) -> list[Candidate]:
    ranked = [Candidate(*pair) for pair in active.items() if pair[1] > 0]
    ranked.sort(key=lambda candidate: (-candidate.score, candidate.id))
    return ranked


def _passing(active: dict[str, float], search: Search, snapshot: Snapshot) -> dict[str, float]:
    """Return those of *active* that pass the filters; the gate they have passed."""
    if search.filters is NO_FILTERS or not active:
        return active
    kept = snapshot.passing(list(active), search.visibility, search.filters)
    return {memory_id: value for memory_id, value in active.items() if memory_id in kept}
