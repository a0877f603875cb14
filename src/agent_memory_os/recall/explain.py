"""Explaining: where a memory stands in a search, or where it fell out."""

from dataclasses import replace

from agent_memory_os.errors import NotFound
from agent_memory_os.model import Explanation, Hits, Memory
from agent_memory_os.pure import stored, text
from agent_memory_os.pure.text import Query
from agent_memory_os.recall import pipeline
from agent_memory_os.recall.arms import LEXICAL
from agent_memory_os.recall.pipeline import Request
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Snapshot, Store


def explain(store: Store, request: Request, memory_id: str, settings: Settings) -> Explanation:
    """Return where the memory stands in the search of *request*; explaining is not using.

    Raises:
        NotFound: the memory is absent, or the one who asks may not see it.
    """
    prepared = pipeline.prepare(request, settings)
    everything = replace(request, limit=settings.max_limit, offset=0, min_score=0.0)
    with store.read() as snapshot:
        seen = snapshot.read([memory_id], request.visibility)
        if not seen:
            return _superseded(snapshot, request, memory_id, prepared.query)
        passes = snapshot.read([memory_id], request.visibility, request.filters)
        hits = pipeline.run(snapshot, everything, prepared, settings)
    matched, missing = _words(seen[0], prepared.query)
    rank = next((at for at, hit in enumerate(hits, 1) if hit.id == memory_id), None)
    hit = None if rank is None else hits[rank - 1]
    score = 0.0 if hit is None else hit.score
    stage, reason = _stage(request, rank, score, bool(passes), bool(matched))
    taker = next((each for each in hits if memory_id in each.evidence), None)
    if taker is not None:
        stage, reason = "folded", f"it is evidence of {taker.id}, which was found as well"
    elif hit is None and passes and matched and _are_words_left_out(hits):
        stage, reason = "abstained", pipeline.TOO_LITTLE
    return Explanation(
        memory_id,
        stage == "hit",
        rank,
        score,
        {} if hit is None else hit.parts,
        stage,
        reason,
        matched,
        missing,
        {} if hit is None else hit.arms,
    )


def _superseded(snapshot: Snapshot, request: Request, memory_id: str, query: Query) -> Explanation:
    """Return that another memory took the place of one; who does not see both is told nothing.

    Raises:
        NotFound: that is not why it is not seen.
    """
    before = replace(request.visibility, states=("superseded",))
    seen = snapshot.read([memory_id], before)
    marks = snapshot.marks([memory_id], request.visibility).get(memory_id, ()) if seen else ()
    newer = [mark for mark in marks if mark.kind == "SUPERSEDED"]
    if not newer:
        raise NotFound(f"there is no memory {memory_id!r}")
    matched, missing = _words(seen[0], query)
    reason = f"memory {newer[0].id}, by {newer[0].owner}, took its place"
    return Explanation(memory_id, False, None, 0.0, {}, "superseded", reason, matched, missing)


def _are_words_left_out(hits: Hits) -> bool:
    """Whether words matched, and even the best match was too little of an answer."""
    is_matched = hits.report.candidates.get(LEXICAL.name, 0) > 0
    return is_matched and not any(LEXICAL.name in hit.arms for hit in hits)


def _words(memory: Memory, query: Query) -> tuple[tuple[str, ...], tuple[str, ...]]:
    held = set(text.expand(stored.searchable(memory)).split())
    matched = tuple(term.text for term in query.terms if _holds(held, term.text, term.prefix))
    return matched, tuple(term.text for term in query.terms if term.text not in matched)


def _holds(held: set[str], term: str, prefix: bool) -> bool:
    return any(word.startswith(term) for word in held) if prefix else term in held


def _stage(
    request: Request, rank: int | None, score: float, passes: bool, matched: bool
) -> tuple[str, str]:
    if rank is not None and score < request.min_score:
        return "below min_score", f"its score {score} is below min_score {request.min_score}"
    if rank is not None and request.offset < rank <= request.offset + request.limit:
        return "hit", f"it is hit {rank}"
    if rank is not None:
        return "below limit", f"it is number {rank}, outside the page that was asked for"
    if not passes:
        return "filtered", "it does not pass the filters"
    if not matched and request.query is not None:
        return "no match", "it shares no word with the query"
    return "below limit", "too many others match better to score it"
