"""The recall pipeline: providers, the gate, scores, hits."""

# Whatever a host has given to be called is called in `prepare`, before the store is read; what it
# said goes along as a value.

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from itertools import takewhile
from math import isfinite

from agent_memory_os.model import (
    Candidate,
    Filters,
    Hit,
    Hits,
    Memory,
    RecallProfile,
    SearchReport,
    Visibility,
)
from agent_memory_os.noun import Noun
from agent_memory_os.providers.deadline import Deadline
from agent_memory_os.providers.protocol import (
    Asker,
    ProviderRequest,
    Search,
    Told,
    VectorMaker,
)
from agent_memory_os.providers.repair import repair
from agent_memory_os.pure import score
from agent_memory_os.pure.cues import dated
from agent_memory_os.pure.layer import PERSONA, SCENE
from agent_memory_os.pure.prefer import Prefer
from agent_memory_os.pure.prefer import factor as preferred
from agent_memory_os.pure.profile import factor
from agent_memory_os.pure.text import Query, analyse_query
from agent_memory_os.pure.widen import widened
from agent_memory_os.recall.arms import USUAL, VECTOR, WITHOUT_QUERY, Proposal, Proposed, propose
from agent_memory_os.recall.fold import folded
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Asked, Snapshot, Store

NO_WORDS = "the query has no words to look for; query=None lists what matters most"
NO_MATCH = "nothing that you may see shares a word with the query"
TOO_LITTLE = "what you may see shares too little with the query to be an answer"
NO_ROWS = "nothing that you may see passes the filters"
TOO_LOW = "nothing scored at least min_score"
PAST_END = "there are no hits past this offset"
NO_PAGE = "limit is 0"
NO_ARMS: Mapping[str, Sequence[Candidate]] = {}
_AT_FIRST = 5  # times as many candidates as are wanted are read before their scores are looked at


class Request(Noun):
    """A search, validated.

    Attributes:
        query: the words, or None for what matters most.
        visibility: who asks.
        filters: what narrows it.
        limit: most hits, 0 or more.
        offset: hits to skip, 0 or more.
        min_score: hits below it are left out, 0 to 1.
        arms: the arms of the library that are asked about words, at least one.
        askers: the providers of the host that are asked besides.
        fields: the filters by their names, as values that a provider may keep.
        deadline: until when arms are asked, if there is an end.
        vectors: what makes a vector of the query, where the client has vectors.
        prefer: what the reader would rather have, if anything.
    """

    query: str | None
    visibility: Visibility
    filters: Filters
    limit: int
    offset: int
    min_score: float
    arms: tuple[str, ...] = USUAL
    askers: tuple[Asker, ...] = ()
    fields: Mapping[str, object] = field(default_factory=dict, hash=False)
    deadline: Deadline | None = None
    vectors: VectorMaker | None = None
    prefer: Prefer | None = None


class Prepared(Noun):
    """What is known of a request before the store is read.

    Attributes:
        query: its words as terms.
        arms: the arms that can be asked.
        told: what the providers of the host have answered.
        asked: its words as a vector, where the client has vectors.
        degraded: what is not as it should be, in sentences.
    """

    query: Query
    arms: tuple[str, ...] = USUAL
    told: tuple[Told, ...] = ()
    asked: Asked | None = None
    degraded: tuple[str, ...] = ()


def search(store: Store, request: Request, settings: Settings) -> Hits:
    """Return the hits of *request*, best first, ties by id, with the report of the search."""
    prepared = prepare(request, settings)
    with store.read() as snapshot:
        return run(snapshot, request, prepared, settings)


def prepare(request: Request, settings: Settings) -> Prepared:
    """Return *request* analysed, and what the providers of the host say to it, asked in turn.

    Nobody is asked where nothing is: about None, and about text without words.
    """
    text = (request.query or "")[: settings.max_query_chars]
    query = analyse_query(text)
    if not query.terms:
        return Prepared(query, request.arms)
    told = tuple(_asked(asker, request, text, settings) for asker in request.askers)
    if request.vectors is None or VECTOR not in request.arms:
        return Prepared(query, request.arms, told)
    return _with_vector(request, Prepared(query, request.arms, told), request.vectors)


def _with_vector(request: Request, prepared: Prepared, vectors: VectorMaker) -> Prepared:
    """Return *prepared* with the query as a vector; without one its arm answers only alone.

    Alone it then compares hashed pieces of words, and the report says so.
    """
    others = tuple(arm for arm in request.arms if arm != VECTOR)
    if request.deadline is not None and not request.deadline.allows(VECTOR):
        return replace(prepared, arms=others or request.arms)
    asked, degraded = vectors.ask(prepared.query, request.visibility.now_ms, request.deadline)
    arms = request.arms if asked is not None or not others else others
    return replace(prepared, arms=arms, asked=asked, degraded=degraded)


def _asked(asker: Asker, request: Request, text: str, settings: Settings) -> Told:
    visibility, deadline = request.visibility, request.deadline
    asked = ProviderRequest(
        text,
        visibility.agent,
        visibility.subject or request.filters.subject,
        visibility.shared,
        _copied({k: v for k, v in request.fields.items() if v is not None and k != "subject"}),
        settings.foreign_candidates,
        visibility.now_ms,
        None if deadline is None else deadline.left_ms(),
    )
    return asker.ask(asked, deadline)


def _copied(fields: Mapping[str, object]) -> dict[str, object]:
    """Return *fields* with mappings and lists of its own, to be kept or changed."""
    return {str(name): _copy(value) for name, value in fields.items()}


def _copy(value: object) -> object:
    if isinstance(value, Mapping):
        return _copied(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return tuple(_copy(each) for each in value)
    return value


def run(snapshot: Snapshot, request: Request, prepared: Prepared, settings: Settings) -> Hits:
    """Return the hits of *request* in *snapshot*; see `search`."""
    if request.query is not None and not prepared.query.terms:
        return Hits((), SearchReport(abstained=True, reason=NO_WORDS))
    return page(snapshot, request, find(snapshot, request, prepared, settings), settings)


class Found(Noun):
    """What was proposed for a request, whose pages can be read from it; and what was amiss.

    *read* is what its pages have read: the hits by id, None for what did not pass.
    """

    proposed: Proposed
    degraded: tuple[str, ...]
    read: dict[str, Hit | None] = field(default_factory=dict, hash=False)


def find(snapshot: Snapshot, request: Request, prepared: Prepared, settings: Settings) -> Found:
    """Return what the arms propose for *request*, whose query has words if there is one."""
    query, deadline = prepared.query, request.deadline
    if request.query is not None:
        if settings.word_repair:
            query = repair(snapshot, query, request.visibility, request.filters)
        query = widened(dated(query, request.visibility.now_ms))
    names = WITHOUT_QUERY if request.query is None else prepared.arms
    search = Search(
        query,
        request.visibility,
        request.filters,
        settings.candidate_budget,
        deadline=deadline,
        asked=prepared.asked,
    )
    outside = _seen(snapshot, request, prepared.told)
    if request.query is not None and {SCENE, PERSONA} & {*request.filters.layers}:
        outside += _documents(snapshot, request, query)
    proposed = propose(names, outside, search, snapshot, settings)
    degraded = prepared.degraded + proposed.degraded
    degraded += tuple(why for told in prepared.told for why in told.degraded)
    degraded += () if deadline is None else deadline.left_out
    return Found(proposed, degraded)


def page(snapshot: Snapshot, request: Request, found: Found, settings: Settings) -> Hits:
    """Return the hits that *request* wants of what was *found*, with the report of the search."""
    proposed, degraded = found.proposed, found.degraded
    if request.limit == 0:
        report = SearchReport(candidates=proposed.counts, reason=NO_PAGE, degraded=degraded)
        return Hits((), report)
    ranked, gated, gone = _folded(snapshot, request, found, settings)
    kept = [hit for hit in ranked if hit.score >= request.min_score]
    hits = _marked(snapshot, request, kept[request.offset : request.offset + request.limit])
    report = SearchReport(
        candidates=proposed.counts,
        gated=gated,
        abstained=not kept,
        reason="" if hits else _reason(request, proposed.counts, bool(ranked), bool(kept)),
        below_threshold=len(ranked) - len(kept),
        notes=() if hits else _notes(snapshot, request),
        degraded=degraded,
        folded=gone,
    )
    return Hits(hits, report)


def _folded(
    snapshot: Snapshot, request: Request, found: Found, settings: Settings
) -> tuple[Sequence[Hit], int, int]:
    """Return the hits without events that are the evidence of others, enough to fill the page.

    And how many proposals did not pass, and how many hits were folded.
    """
    wanted, looked_at, proposed = request, -1, found.proposed
    while True:
        ranked, gated = gate_and_score(
            snapshot,
            wanted,
            proposed.together,
            settings,
            by_arm=proposed.by_arm,
            read=found.read,
        )
        # Who prefers history wants the words as they were said, beside what was made of them.
        kept = ranked if request.prefer == "history" else folded(snapshot, ranked, settings)
        missing = request.offset + request.limit - len(kept)
        if len(kept) == len(ranked) or missing <= 0 or len(ranked) == looked_at:
            return kept, gated, len(ranked) - len(kept)
        looked_at = len(ranked)  # when looking for more finds no more, these are all
        wanted = replace(request, limit=looked_at - request.offset + missing)


def _marked(snapshot: Snapshot, request: Request, hits: Sequence[Hit]) -> Sequence[Hit]:
    """Return *hits* with what contradicts them, and what took their place."""
    marks = snapshot.marks([hit.id for hit in hits], request.visibility) if hits else {}
    if not marks:
        return hits
    return [replace(hit, marks=tuple(marks.get(hit.id, ()))) for hit in hits]


def _seen(snapshot: Snapshot, request: Request, told: Sequence[Told]) -> list[Proposal]:
    """Return what providers of the host proposed, without what the reader may not see.

    It falls out before anything is counted, fused or ranked: the answer is what it would be if the
    provider had not named it, and the report does not tell that it has.
    """
    ids = {candidate.id for each in told for candidate in each.candidates}
    passing = snapshot.passing(list(ids), request.visibility, request.filters) if ids else ids
    return [(each.name, [it for it in each.candidates if it.id in passing]) for each in told]


def _documents(snapshot: Snapshot, request: Request, query: Query) -> list[Proposal]:
    """Return the scenes and personas that answer a search which asks for their layers."""
    from agent_memory_os.recall import organised  # few searches do

    found = organised.proposed(snapshot, query, request.visibility, request.filters)
    return [(organised.ARM, found)] if found else []


def _reason(request: Request, arms: Mapping[str, int], is_any: bool, is_enough: bool) -> str:
    if is_enough:
        return PAST_END
    if is_any:
        return TOO_LOW
    if request.query is None:
        return NO_ROWS
    return TOO_LITTLE if any(arms.values()) else NO_MATCH


def gate_and_score(
    snapshot: Snapshot,
    request: Request,
    proposed: Sequence[Candidate],
    settings: Settings,
    *,
    by_arm: Mapping[str, Sequence[Candidate]] = NO_ARMS,
    read: dict[str, Hit | None] | None = None,
) -> tuple[list[Hit], int]:
    """Read what was *proposed* again through the gate, and score it.

    Only what could reach the page is read: no factor takes more than its span, so a candidate far
    enough behind the last one of the page cannot overtake it. Of many the best are read first, and
    then those whose relevance is at least the score that is the last on the page by now. What the
    gate holds back makes room for more. What earlier pages have *read* is not read again, and this
    one's is added to it.

    Returns:
        The hits, best first and ties by id, and how many proposals did not pass.
    """
    wanted = request.limit + request.offset
    if not proposed or not wanted:
        return [], 0
    # A score that is no number cannot be compared, and would be waited for without end.
    relevance = {
        memory_id: share if 0.0 <= share <= 1.0 else min(max(share, 0.0), 1.0)
        for memory_id, share in proposed
        if isfinite(share)
    }
    waiting = sorted(sorted(relevance), key=relevance.__getitem__, reverse=True)  # ties by id
    profile = snapshot.profile(request.visibility.agent) if waiting else None
    slack = 1.0 if request.prefer is None else 1 - settings.prefer_span
    if request.query is not None:  # without one a candidate's score is its value already
        slack *= score.least_factor(settings)
        slack *= 1.0 if profile is None else 1 - settings.profile_span
    said = {name: dict(candidates) for name, candidates in by_arm.items()}
    known = {} if read is None else read
    hits: list[Hit] = []
    gated, most = 0, _AT_FIRST * wanted
    while ids := _within_reach(waiting, relevance, hits, wanted, slack)[:most]:
        waiting, most = waiting[len(ids) :], 2 * most
        unread = [memory_id for memory_id in ids if memory_id not in known]
        known |= dict.fromkeys(unread)
        for memory in snapshot.read(unread, request.visibility, request.filters):
            weight = relevance[memory.id]
            known[memory.id] = _hit(memory, weight, request, settings, profile, said)
        passed = [hit for hit in map(known.__getitem__, ids) if hit is not None]
        hits = sorted([*hits, *passed], key=_rank)
        gated += len(ids) - len(passed)
    return hits, gated


def _within_reach(
    waiting: Sequence[str],
    relevance: Mapping[str, float],
    hits: Sequence[Hit],
    wanted: int,
    slack: float,
) -> list[str]:
    """Return those of *waiting*, the best first, that may yet come to be among the *wanted*.

    No factor makes more of a score than its relevance, and all of them leave *slack* of it.
    """
    missing = wanted - len(hits)
    if not waiting:
        return []
    if missing > 0:
        least = relevance[waiting[min(missing, len(waiting)) - 1]] * slack
    else:
        least = hits[wanted - 1].score - score.ROUNDED
    return list(takewhile(lambda memory_id: relevance[memory_id] >= least, waiting))


def _rank(hit: Hit) -> tuple[float, str]:
    return -hit.score, hit.memory.id


def _hit(
    memory: Memory,
    relevance: float,
    request: Request,
    settings: Settings,
    profile: RecallProfile | None,
    said: Mapping[str, Mapping[str, float]],
) -> Hit:
    now_ms = request.visibility.now_ms
    if request.query is None:
        parts = score.value_without_query(memory, now_ms, settings)
    else:
        parts = score.factors(memory, relevance, now_ms, settings)
        if profile is not None:
            parts["profile"] = factor(profile, memory, settings)
    if request.prefer is not None:
        parts["prefer"] = preferred(request.prefer, memory, settings)
    arms = {name: scores[memory.id] for name, scores in said.items() if memory.id in scores}
    return Hit(memory, score.total(parts), parts, arms)


def _notes(snapshot: Snapshot, request: Request) -> tuple[str, ...]:
    agent = request.visibility.agent
    # A bound view learns nothing of what its agent keeps of others.
    bound = request.visibility.subject is not None
    if bound or request.visibility.admin or snapshot.takes_part(agent):
        return ()
    return (f"agent {agent!r} is not registered and owns nothing",)
