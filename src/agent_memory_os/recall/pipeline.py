"""The recall pipeline: providers, the gate, scores, hits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite

from agent_memory_os.model import (
    Candidate,
    Filters,
    Hit,
    Hits,
    Memory,
    RecallProfile,
    SearchReport,
    Strategy,
    Visibility,
)
from agent_memory_os.providers.lexical import Lexical
from agent_memory_os.providers.protocol import Provider, Search
from agent_memory_os.providers.recent import Recent
from agent_memory_os.providers.repair import repair
from agent_memory_os.providers.resonance import Resonance
from agent_memory_os.providers.vector import Vector
from agent_memory_os.pure import score
from agent_memory_os.pure.activation import either
from agent_memory_os.pure.profile import factor
from agent_memory_os.pure.text import Query, analyse_query
from agent_memory_os.pure.widen import widened
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Snapshot, Store

LEXICAL = Lexical()
_SHORT_QUERY, _LONG_QUERY = 2, 16  # terms
LINKED = 0.5  # what activation over links is worth beside words

NO_WORDS = "the query has no words to look for; query=None lists what matters most"
NO_MATCH = "nothing that you may see shares a word with the query"
TOO_LITTLE = "what you may see shares too little with the query to be an answer"
NO_ROWS = "nothing that you may see passes the filters"
TOO_LOW = "nothing scored at least min_score"
PAST_END = "there are no hits past this offset"
NO_PAGE = "limit is 0"


@dataclass(frozen=True, slots=True)
class Request:
    """A search, validated.

    Attributes:
        query: the words, or None for what matters most.
        visibility: who asks.
        filters: what narrows it.
        limit: most hits, 0 or more.
        offset: hits to skip, 0 or more.
        min_score: hits below it are left out, 0 to 1.
        strategy: which arms are asked.
    """

    query: str | None
    visibility: Visibility
    filters: Filters
    limit: int
    offset: int
    min_score: float
    strategy: Strategy = "hybrid"


def search(store: Store, request: Request, settings: Settings) -> Hits:
    """Return the hits of *request*, best first, ties by id, with the report of the search."""
    query = analysed(request, settings)
    with store.read() as snapshot:
        return run(snapshot, request, query, settings)


def analysed(request: Request, settings: Settings) -> Query:
    """Return the query of *request* as terms; None has none."""
    return analyse_query((request.query or "")[: settings.max_query_chars])


def run(snapshot: Snapshot, request: Request, query: Query, settings: Settings) -> Hits:
    """Return the hits of *request* in *snapshot*; see `search`."""
    if request.query is not None and not query.terms:
        return Hits((), SearchReport(abstained=True, reason=NO_WORDS))
    if request.query is not None:
        query = widened(repair(snapshot, query, request.visibility, request.filters))
    search = Search(query, request.visibility, request.filters, settings.candidate_budget)
    proposed, arms = _propose(snapshot, request, search, settings)
    if request.limit == 0:
        return Hits((), SearchReport(candidates=arms, reason=NO_PAGE))
    ranked, gated = gate_and_score(snapshot, request, proposed, settings)
    kept = [hit for hit in ranked if hit.score >= request.min_score]
    hits = kept[request.offset : request.offset + request.limit]
    report = SearchReport(
        candidates=arms,
        gated=gated,
        abstained=not kept,
        reason="" if hits else _reason(request, arms, bool(ranked), bool(kept)),
        below_threshold=len(ranked) - len(kept),
        notes=() if hits else _notes(snapshot, request),
    )
    return Hits(hits, report)


def _propose(
    snapshot: Snapshot, request: Request, search: Search, settings: Settings
) -> tuple[Sequence[Candidate], dict[str, int]]:
    """Return what the arms propose, fused, and how much each did.

    Words lead; what is linked to the best matches adds to what it has by itself. With a strategy
    that names one arm, that arm stands alone.
    """
    if request.query is None:
        valued = Recent(settings).candidates(search, snapshot)
        return valued, {Recent.name: len(valued)}
    if request.strategy != "hybrid":
        arm = _alone(request.strategy, settings)
        proposed = arm.candidates(search, snapshot)
        return proposed, {arm.name: len(proposed)}
    matched = LEXICAL.candidates(search, snapshot)
    if _is_beside_the_point(matched, search.query, settings):
        return (), {LEXICAL.name: len(matched)}
    if not matched:
        return (), {LEXICAL.name: 0}
    linked = Resonance(settings, LEXICAL).spread(matched, search, snapshot)
    arms = {LEXICAL.name: len(matched), Resonance.name: len(linked)}
    if not linked:
        return matched, arms
    scores = dict(matched)
    for memory_id, received in linked:
        scores[memory_id] = either(scores.get(memory_id, 0.0), LINKED * received)
    return [Candidate(*pair) for pair in scores.items()], arms


def _alone(strategy: Strategy, settings: Settings) -> Provider:
    if strategy == "vector":
        return Vector(settings)
    return Resonance(settings, LEXICAL) if strategy == "resonance" else LEXICAL


def _is_beside_the_point(matched: Sequence[Candidate], query: Query, settings: Settings) -> bool:
    """Whether even the best match holds so little of the query that it answers something else.

    A long query, such as a pasted page, is never held to that: no memory holds most of it. Nor are
    one or two words, which a memory holds or not.
    """
    asked = sum(not term.of for term in query.terms)
    if not matched or not _SHORT_QUERY < asked <= _LONG_QUERY:
        return False
    return matched[0].score < settings.abstain_below


def _reason(request: Request, arms: Mapping[str, int], is_any: bool, is_enough: bool) -> str:
    if is_enough:
        return PAST_END
    if is_any:
        return TOO_LOW
    if request.query is None:
        return NO_ROWS
    return TOO_LITTLE if any(arms.values()) else NO_MATCH


def gate_and_score(
    snapshot: Snapshot, request: Request, proposed: Sequence[Candidate], settings: Settings
) -> tuple[list[Hit], int]:
    """Read what was *proposed* again through the gate, and score it.

    Only what could reach the page is read: no factor takes more than its span, so a candidate far
    enough behind the last one of the page cannot overtake it. What the gate holds back makes room
    for more.

    Returns:
        The hits, best first and ties by id, and how many proposals did not pass.
    """
    # A score that is no number cannot be compared, and would be waited for without end.
    relevance = {
        candidate.id: min(max(candidate.score, 0.0), 1.0)
        for candidate in proposed
        if isfinite(candidate.score)
    }
    waiting = sorted(relevance, key=lambda memory_id: (-relevance[memory_id], memory_id))
    wanted = request.limit + request.offset
    profile = snapshot.profile(request.visibility.agent) if waiting else None
    slack = score.least_factor(settings) * (1.0 if profile is None else 1 - settings.profile_span)
    hits: list[Hit] = []
    gated = 0
    while waiting and len(hits) < wanted:
        last = relevance[waiting[min(wanted - len(hits), len(waiting)) - 1]]
        # Without a query a candidate's score is its value already, and nothing reorders it.
        least = last if request.query is None else last * slack
        ids = [memory_id for memory_id in waiting if relevance[memory_id] >= least]
        waiting = waiting[len(ids) :]
        memories = snapshot.read(ids, request.visibility, request.filters)
        hits += [_hit(m, relevance[m.id], request, settings, profile) for m in memories]
        gated += len(ids) - len(memories)
    hits.sort(key=lambda hit: (-hit.score, hit.memory.id))
    return hits, gated


def _hit(
    memory: Memory,
    relevance: float,
    request: Request,
    settings: Settings,
    profile: RecallProfile | None,
) -> Hit:
    now_ms = request.visibility.now_ms
    if request.query is None:
        parts = score.value_without_query(memory, now_ms, settings)
    else:
        parts = score.factors(memory, relevance, now_ms, settings)
        if profile is not None:
            parts["profile"] = factor(profile, memory, settings)
    return Hit(memory, score.total(parts), parts)


def _notes(snapshot: Snapshot, request: Request) -> tuple[str, ...]:
    agent = request.visibility.agent
    # A bound view learns nothing of what its agent keeps of others.
    bound = request.visibility.subject is not None
    if bound or request.visibility.admin or snapshot.knows(agent):
        return ()
    return (f"agent {agent!r} is not registered and owns nothing",)
