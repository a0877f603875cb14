"""Context packs: what matters for a prompt, within a budget, with its ledger."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from agent_memory_os.model import Hits, Memory, Pack
from agent_memory_os.pure import portrait
from agent_memory_os.pure.document import Told
from agent_memory_os.pure.layer import SCENE, is_document
from agent_memory_os.pure.tokens import estimate_tokens
from agent_memory_os.recall import pipeline
from agent_memory_os.recall.beside import beside
from agent_memory_os.recall.fill import NO_QUERY, Offer, Packing, fill, pack_id, scored, unscored
from agent_memory_os.recall.organised import as_seen, personas
from agent_memory_os.recall.pipeline import Prepared, Request
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Snapshot, Store

_MOST_BACKGROUND = 5
_USUAL_LINE = 44  # tokens: how long lines are taken for, until some are read
_USUAL_TOKEN = 5  # characters, of text that has no more than one blank at a place
_FEWEST = 8  # hits are looked at, so that a small pack has others where the best do not fit
_LEAST_FILLED = 0.25  # lines that look shorter than this are the first ones by chance
_PROVENANCE = 12  # tokens: few lines say less of where they are from
_SPARE = 1.15  # of the budget is read, so that what does not fit has others

MOST_PERSONAS = 3  # of a pack: of several owners, or for several audiences
ALWAYS = "Always"
RECALLED = "Recalled"
ABOUT = "What matters most about the subject"
FITS = "fits by score"
MATTERS = "matters most about the subject; no words matched"
NOTHING_ASKED = Prepared(NO_QUERY)


def context_pack(store: Store, request: Request, settings: Settings, packing: Packing) -> Pack:
    """Return the pack for *request*: pinned memories, then hits by score, while they fit.

    Its text never takes more than the budget by the counter of *packing*; when not even one memory
    fits it is empty.

    Raises:
        InvalidInput: the counter raised, or returned something else than a number of tokens.
    """
    prepared = pipeline.prepare(request, settings)
    with store.read() as snapshot:
        pinned = standing(snapshot, request, pinned_memories(snapshot, request, settings))
        hits = recalled(snapshot, request, prepared, settings, packing)
        about = [] if hits else background(snapshot, request, settings)
        offered = [*pinned, *(hit.memory for hit in hits), *about]
        known = beside(snapshot, request, offered, hits)
    name = pack_id(offered, prepared.query, known)
    core, told = unscored(pinned), told_of(pinned)
    offers = [
        Offer("core", ALWAYS, "pinned", core, settings.core_share, is_stable=True, told=told),
        Offer("recall", RECALLED, FITS, scored(hits)),
        Offer("about", ABOUT, MATTERS, unscored(about)),
    ]
    query, report = prepared.query, hits.report
    return fill(name, offers, query, packing, settings, search=report, beside=known)


def pinned_memories(snapshot: Snapshot, request: Request, settings: Settings) -> list[Memory]:
    """Return the pinned memories that pass the filters, the last written ones if there are many."""
    most = settings.candidate_budget
    return snapshot.browse(request.visibility, request.filters, limit=most, pinned=True)


def standing(snapshot: Snapshot, request: Request, pinned: Sequence[Memory]) -> list[Memory]:
    """Return what the stable part of a pack holds: what is *pinned*, then personas.

    Those of what the pack is about: of its subject, or of nobody in particular when it names none;
    of a bound view that has a share in what is about nobody, of both.
    """
    bound = request.visibility.subject
    about = request.filters.subject if bound is None else bound
    subjects = [about, None] if bound is not None and request.visibility.shared else [about]
    found = [
        persona
        for subject in subjects
        for persona in personas(snapshot, request.visibility, request.filters, subject=subject)
    ]
    first = by_importance(memory for memory in pinned if not is_document(memory))
    scenes = [memory for memory in pinned if is_document(memory) and memory.layer == SCENE]
    return first + found[:MOST_PERSONAS] + as_seen(snapshot, scenes, request.visibility)


def told_of(memories: Iterable[Memory]) -> dict[str, list[Told]]:
    """Return the lines of the scenes and personas among *memories*, by id."""
    return {memory.id: portrait.lines(memory) for memory in memories if is_document(memory)}


def by_importance(memories: Iterable[Memory]) -> list[Memory]:
    """Return *memories*, the most important first: an order that no query changes."""
    return sorted(memories, key=lambda memory: (-memory.importance, memory.id))


def recalled(
    snapshot: Snapshot, request: Request, prepared: Prepared, settings: Settings, packing: Packing
) -> Hits:
    """Return as many hits of *request* as the pack may have room for.

    No counter of a host is called while the snapshot is open: only with the one of the library
    few hits are read first.
    """
    if not packing.is_estimated:
        return pipeline.run(snapshot, request, prepared, settings)
    if request.query is not None and not prepared.query.terms:
        return pipeline.run(snapshot, request, prepared, settings)
    found = pipeline.find(snapshot, request, prepared, settings)
    most = max(packing.max_tokens // _USUAL_LINE, _FEWEST)
    while True:
        most = min(request.limit, most)
        hits = pipeline.page(snapshot, replace(request, limit=most), found, settings)
        if len(hits) < most or most == request.limit:
            return hits
        filled = _filled(hits, packing.max_tokens, settings.excerpt_tokens)
        if filled >= 1:
            return hits
        most = max(most + 1, round(most / max(filled, _LEAST_FILLED)))


def _filled(hits: Hits, max_tokens: int, longest: int) -> float:
    """Return what share *hits* fill of a pack, and a little more, at a glance; at most 1."""
    tokens = sum(min(_glanced(hit.content), longest) + _PROVENANCE for hit in hits)
    full = _SPARE * max_tokens
    return min(tokens / full, 1.0) if full else 1.0


def _glanced(content: str) -> int:
    """Return about how many tokens *content* takes."""
    return estimate_tokens(content) if "  " in content else len(content) // _USUAL_TOKEN


def background(snapshot: Snapshot, request: Request, settings: Settings) -> list[Memory]:
    """Return what matters most about the subject of a pack whose words found nothing.

    Whoever asks about somebody is served by what is known of them, under a heading of its own;
    without a subject nothing is relevant, and nothing is said.
    """
    if request.query is None:
        return []
    if request.visibility.subject is None and request.filters.subject is None:
        return []
    everything = replace(request, query=None, limit=_MOST_BACKGROUND)
    return [hit.memory for hit in pipeline.run(snapshot, everything, NOTHING_ASKED, settings)]
