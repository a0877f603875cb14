"""The recall pipeline: providers, the gate, scores, hits."""

from collections.abc import Sequence
from dataclasses import dataclass

from agent_memory_os.model import Candidate, Filters, Hit, Hits, Memory, SearchReport, Visibility
from agent_memory_os.providers.lexical import Lexical
from agent_memory_os.providers.protocol import Provider, Search
from agent_memory_os.providers.recent import Recent
from agent_memory_os.pure import score
from agent_memory_os.pure.text import Query, analyse_query
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Snapshot, Store

LEXICAL, RECENT = Lexical(), Recent()

NO_WORDS = "the query has no words to look for; query=None lists what matters most"
NO_MATCH = "nothing that you may see shares a word with the query"
NO_ROWS = "nothing that you may see passes the filters"
TOO_LOW = "nothing scored at least min_score"


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
    """

    query: str | None
    visibility: Visibility
    filters: Filters
    limit: int
    offset: int
    min_score: float


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
    arm: Provider = RECENT if request.query is None else LEXICAL
    wanted = max(settings.pool, request.limit + request.offset)
    proposed = arm.candidates(Search(query, request.visibility, request.filters, wanted), snapshot)
    ranked, gated = gate_and_score(snapshot, request, proposed, settings)
    kept = [hit for hit in ranked if hit.score >= request.min_score]
    below = len(ranked) - len(kept)
    hits = kept[request.offset : request.offset + request.limit]
    reason = ""
    if not kept:
        reason = TOO_LOW if below else NO_ROWS if request.query is None else NO_MATCH
    report = SearchReport(
        candidates={arm.name: len(proposed)},
        gated=gated,
        abstained=not kept,
        reason=reason,
        below_threshold=below,
        notes=() if hits else _notes(snapshot, request),
    )
    return Hits(hits, report)


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
    relevance = {candidate.id: candidate.score for candidate in proposed}
    waiting = sorted(relevance, key=lambda memory_id: (-relevance[memory_id], memory_id))
    wanted = request.limit + request.offset
    hits: list[Hit] = []
    gated = 0
    while waiting and len(hits) < wanted:
        last = relevance[waiting[min(wanted - len(hits), len(waiting)) - 1]]
        least = last * score.least_factor(settings) if request.query is not None else 0.0
        ids = [memory_id for memory_id in waiting if relevance[memory_id] >= least]
        waiting = waiting[len(ids) :]
        memories = snapshot.read(ids, request.visibility, request.filters)
        hits += [_hit(memory, relevance[memory.id], request, settings) for memory in memories]
        gated += len(ids) - len(memories)
    hits.sort(key=lambda hit: (-hit.score, hit.memory.id))
    return hits, gated


def _hit(memory: Memory, relevance: float, request: Request, settings: Settings) -> Hit:
    now_ms = request.visibility.now_ms
    if request.query is None:
        parts = score.value_without_query(memory, now_ms, settings)
    else:
        parts = score.factors(memory, relevance, now_ms, settings)
    return Hit(memory, score.total(parts), parts)


def _notes(snapshot: Snapshot, request: Request) -> tuple[str, ...]:
    agent = request.visibility.agent
    if request.visibility.admin or snapshot.knows(agent):
        return ()
    return (f"agent {agent!r} is not registered and owns nothing",)
