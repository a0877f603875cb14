"""The word arm: what shares words with the query, by whom and when the query says it was."""

from collections.abc import Sequence, Set

from agent_memory_os.model import NO_FILTERS, Candidate
from agent_memory_os.providers.protocol import Search
from agent_memory_os.pure import cues, neighbourhood
from agent_memory_os.pure.bm25 import Scorer, bounded
from agent_memory_os.store.contract import Found, Matches, Snapshot

POOL = 40  # best matches whose neighbours are read; 60 and 200 find no more (docs/benchmarks.md)
# What fitting a cue multiplies a share by. Source: measured, docs/benchmarks.md.
WHO, WHEN, TELLS_TIME, ASKS = 1.8, 2.0, 1.2, 0.85
STRANGERS = 0.3  # what it is multiplied by where nobody knows whom the query asks about


class Lexical:
    """Scores exactly, by what the asker sees alone, every match within the budget.

    The best matches that are turns of a session are scored again with what their neighbours in
    time lend them, and these neighbours with them.
    """

    name = "lexical"
    degraded: Sequence[str] = ()

    def candidates(self, search: Search, snapshot: Snapshot) -> Sequence[Candidate]:
        """Return the best matches, the best first, ties by id."""
        matches = snapshot.matches(search.query, search.visibility, search.filters)
        if not matches.found:
            return ()
        scorer = Scorer(
            search.query,
            [found.terms for found in matches.found],
            rows=matches.rows,
            mean_terms=matches.mean_terms,
            frequencies=matches.frequencies,
        )
        cue = _Cues(search, matches, scorer.held)
        shares = {
            found.id: share * cue.factor(found)
            for found, share in zip(matches.found, scorer.shares(), strict=True)
            if share
        }
        self._lend(search, snapshot, matches, cue, scorer, shares)
        scores = {memory_id: bounded(share) for memory_id, share in shares.items()}
        ranked = sorted(sorted(scores), key=scores.__getitem__, reverse=True)
        return [Candidate(memory_id, scores[memory_id]) for memory_id in ranked[: search.wanted]]

    def _lend(
        self,
        search: Search,
        snapshot: Snapshot,
        matches: Matches,
        cue: "_Cues",
        scorer: Scorer,
        shares: dict[str, float],
    ) -> None:
        """Let the turns around the best matches lend to them, and become candidates themselves."""
        turns = [found.id for found in matches.found if found.in_session and found.id in shares]
        turns.sort()
        turns.sort(key=shares.__getitem__, reverse=True)
        if not turns or not search.has_time_for("neighbours"):
            return
        runs = snapshot.surroundings(turns[:POOL], search.visibility, width=neighbourhood.WIDTH)
        terms = (found.terms for found in matches.found)
        memo = dict(zip(terms, zip(scorer.counts, scorer.lengths, strict=True), strict=True))
        lent: dict[str, float] = {}
        for anchor, run in runs.items():
            at = next(place for place, found in enumerate(run) if found.id == anchor)
            reach = neighbourhood.REACH
            places = range(max(0, at - reach), min(len(run), at + reach + 1))
            documents = [found.terms for found in run]
            around = neighbourhood.lent(scorer, documents, places, memo)
            for place, share in zip(places, around, strict=True):
                if share:
                    found = run[place]
                    whole = share * cue.factor(found, closely=True)
                    lent[found.id] = max(whole, lent.get(found.id, 0.0))
        shares.update(lent)


class _Cues:
    """What the query says of people and time, held against what was found."""

    def __init__(self, search: Search, matches: Matches, held: Set[str]) -> None:
        text = search.query.text
        self._times = cues.times(text, search.visibility.now_ms)
        self._asks_when = cues.asks_when(text)
        self._named = _named(text.lower(), matches.found)
        self._most = (WHO if self._named else 1.0) * (WHEN if self._times else 1.0)
        strange = not self._named and _is_about_strangers(search, matches.found, held)
        self._whole = STRANGERS if strange else 1.0
        self._says_nothing = not (self._named or self._times or strange)

    def factor(self, found: Found, *, closely: bool = False) -> float:
        """Return what to multiply a share by: for what fits every cue 1, about strangers less.

        Looking *closely* also holds questions back, and favours what tells a time when one is
        asked.
        """
        if self._says_nothing and not closely:
            return 1.0  # of most queries, for every match
        factor = self._whole
        if found.actor in self._named or found.subject in self._named:
            factor *= WHO
        if self._times:
            factor *= 1 + (WHEN - 1) * cues.nearness(self._times, found.occurred_ms)
        factor /= self._most
        if closely and found.asks:
            factor *= ASKS
        if closely and self._asks_when and not cues.tells_time(found.terms):
            factor /= TELLS_TIME
        return factor


def _is_about_strangers(search: Search, found: Sequence[Found], held: Set[str]) -> bool:
    """Return whether the query asks about somebody whom nothing that the reader sees tells of.

    That can be said where all that matches is somebody's words: who neither speaks in it nor is
    named is unknown. Known is what is *held*, also by a word that is related to the name, and
    whoever asks. What is narrowed to a subject or by a filter says too little of who is known.
    """
    query, visibility = search.query, search.visibility
    is_narrowed = visibility.subject is not None or search.filters is not NO_FILTERS
    if not query.names or is_narrowed or not all(each.actor for each in found):
        return False
    meant = {term.of for term in query.terms if term.of and term.text in held}
    if not (held | meant).isdisjoint(query.names):
        return False
    lower = query.text.lower()
    return not cues.is_named(visibility.agent, lower, cues.words_of(lower))


def _bare(name: str) -> str:
    """Return the name of "user:alice", or of an agent, without the kind."""
    return name.partition(":")[2] or name


def _named(query: str, found: Sequence[Found]) -> frozenset[str]:
    """Return the actors and subjects among *found* whom *query*, in lower case, names."""
    who = {name for each in found for name in (each.actor, each.subject) if name is not None}
    words = cues.words_of(query)
    return frozenset(name for name in who if cues.is_named(_bare(name), query, words))
