"""Orchestrated packs: one budget for standing rules, the session, warnings, procedures, a task."""

from collections.abc import Sequence
from dataclasses import replace

from agent_memory_os.model import (
    All,
    AnyOf,
    Compare,
    Condition,
    Field,
    Filters,
    Hits,
    Memory,
    Pack,
    SearchReport,
)
from agent_memory_os.noun import Noun
from agent_memory_os.pure.layer import is_document
from agent_memory_os.recall import pack, pipeline
from agent_memory_os.recall.beside import beside
from agent_memory_os.recall.fill import LEAST_LINE, Offer, Packing, fill, pack_id, scored, unscored
from agent_memory_os.recall.organised import cited
from agent_memory_os.recall.pipeline import Prepared, Request
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Snapshot, Store

BEDROCK_TYPES = ("preference", "persona", "instruction")
WARNING_TYPES = ("warning", "lesson")
PROCEDURE_TYPES = ("procedure", "skill", "environment")

# Whatever its type, a profile of the third layer is one.
_STANDING = AnyOf(
    (
        Compare(Field("type"), "in", list(BEDROCK_TYPES)),
        Compare(Field("layer"), "eq", 3),
    )
)
_NONE_FOUND = Hits((), SearchReport())


def orchestrate_context(
    store: Store,
    request: Request,
    settings: Settings,
    packing: Packing,
    *,
    session: str | None,
    already: Sequence[str],
) -> Pack:
    """Return a pack of five sections, each within its share of the budget.

    They are filled in this order, and what one leaves of its share is for those after it: bedrock
    (what is pinned, preferences, personas and instructions), the last turns of *session*, warnings
    and procedures that answer the query, and for the task whatever else answers it. Bedrock is the
    stable part.

    Args:
        store: where it is read, in one snapshot.
        request: the query, who asks, and what narrows every section.
        settings: the shares.
        packing: the budget, the counter and the format.
        session: the conversation whose last turns are told, or None.
        already: ids of memories that the caller has, which are not repeated.

    Raises:
        InvalidInput: the counter raised, or returned something else than a number of tokens.
    """
    prepared = pipeline.prepare(request, settings)
    with store.read() as snapshot:
        reading = _Reading(snapshot, request, prepared, settings, packing)
        given = snapshot.read(already, request.visibility) if already else []
        bedrock, turns = standing(snapshot, request, settings), reading.turns(session)
        warnings, procedures = reading.typed(WARNING_TYPES), reading.typed(PROCEDURE_TYPES)
        hits = pack.recalled(snapshot, request, prepared, settings, packing)
        about = [] if hits else pack.background(snapshot, request, settings)
        found = [*warnings, *procedures, *hits]
        offered = [*bedrock, *turns, *(hit.memory for hit in found), *about]
        known = beside(snapshot, request, offered, found)
    task = (pack.RECALLED, pack.FITS, scored(hits))
    if about:
        task = (pack.ABOUT, pack.MATTERS, unscored(about))
    offers = [
        _bedrock(bedrock, settings),
        _session(turns, settings),
        Offer("warnings", "Warnings", pack.FITS, scored(warnings), settings.warnings_share),
        Offer("procedures", "How to", pack.FITS, scored(procedures), settings.procedures_share),
        Offer("task", *task),
    ]
    query, report = prepared.query, hits.report
    name = pack_id([*offered, *given], query, known)
    return fill(name, offers, query, packing, settings, search=report, given=given, beside=known)


def standing(snapshot: Snapshot, request: Request, settings: Settings) -> list[Memory]:
    """Return what holds whatever is asked: what is pinned, personas, the rest by importance.

    What a persona tells is not told again.
    """
    pinned = pack.pinned_memories(snapshot, request, settings)
    always = pack.standing(snapshot, request, pinned)
    held = {memory.id for memory in always}
    held |= {each for memory in always if is_document(memory) for each in cited(memory)}
    most = settings.candidate_budget
    filters = _also(request.filters, _STANDING)
    others = snapshot.browse(request.visibility, filters, limit=most)
    others = [each for each in others if each.id not in held and not is_document(each)]
    return always + pack.by_importance(others)


def _bedrock(always: Sequence[Memory], settings: Settings) -> Offer:
    share = settings.bedrock_share
    told, held = pack.told_of(always), unscored(always)
    return Offer("bedrock", pack.ALWAYS, "stands", held, share, is_stable=True, told=told)


def _session(turns: Sequence[Memory], settings: Settings) -> Offer:
    """Return the offer of *turns*, the latest first, which are told in their order."""
    reason, share = "a late turn of the session", settings.session_share
    return Offer("session", "This session", reason, unscored(turns), share, is_reversed=True)


class _Reading(Noun):
    """What is read for one pack, in one snapshot."""

    snapshot: Snapshot
    request: Request
    prepared: Prepared
    settings: Settings
    packing: Packing

    def turns(self, session: str | None) -> list[Memory]:
        """Return the last turns of *session*, the latest first."""
        most = min(self.settings.pack_items, self.packing.max_tokens // LEAST_LINE)
        if session is None or not most:
            return []
        filters = _also(self.request.filters, Compare(Field("session"), "eq", session))
        return self.snapshot.browse(self.request.visibility, filters, limit=most)

    def typed(self, types: Sequence[str]) -> Hits:
        """Return what answers the query among memories of *types*."""
        allowed = self.request.filters.types
        wanted = tuple(name for name in types if not allowed or name in allowed)
        if not wanted:
            return _NONE_FOUND
        filters = replace(self.request.filters, types=wanted)
        request = replace(self.request, filters=filters)
        return pack.recalled(self.snapshot, request, self.prepared, self.settings, self.packing)


def _also(filters: Filters, condition: Condition) -> Filters:
    """Return *filters* narrowed by one more condition."""
    where = condition if filters.where is None else All((filters.where, condition))
    return replace(filters, where=where)
