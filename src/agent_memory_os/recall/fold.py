"""Folding: an event found with what was derived from it is its evidence, and no other hit."""

from collections.abc import Sequence
from dataclasses import replace

from agent_memory_os.model import Hit
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Snapshot

_MOST_DERIVED, _MOST_PAIRS = 64, 4_096  # the best of them: each pair is looked up


def folded(snapshot: Snapshot, hits: Sequence[Hit], settings: Settings) -> Sequence[Hit]:
    """Return *hits* without the events that others of them were derived from, best first.

    What was derived names them as its evidence, and stands as high as the best of them. An event
    that says more of what was asked than anything derived from it keeps its own place: nothing
    takes it in that scores less than ``settings.fold_share`` of it.
    """
    events = {hit.id: hit for hit in hits if hit.memory.layer == 0}
    derived = {hit.id: hit for hit in hits if hit.memory.layer > 0}
    if not events or not derived:
        return hits
    takers: dict[str, list[str]] = {}
    takes = [*derived][:_MOST_DERIVED]
    for taker, event in snapshot.derivations(takes, [*events][: _MOST_PAIRS // len(takes)]):
        if derived[taker].score >= settings.fold_share * events[event].score:
            takers.setdefault(event, []).append(taker)
    if not takers:
        return hits
    taken: dict[str, list[Hit]] = {}
    for event in events:  # best first
        for taker in takers.get(event, ()):
            taken.setdefault(taker, []).append(events[event])
    leads = {min(each, key=lambda taker: _rank(derived[taker])) for each in takers.values()}
    left = [hit for hit in hits if hit.id not in takers]
    kept = [_with(hit, taken.get(hit.id, ()), lifts=hit.id in leads) for hit in left]
    return sorted(kept, key=_rank)


def _rank(hit: Hit) -> tuple[float, str]:
    return -hit.score, hit.id


def _with(hit: Hit, events: Sequence[Hit], *, lifts: bool) -> Hit:
    """Return a hit with its evidence, which may lift it to where that would stand."""
    if not events:
        return hit
    ids = tuple(event.id for event in events)
    best = events[0].score
    if not lifts or best <= hit.score or not hit.score:
        return replace(hit, evidence=ids)
    parts = {**hit.parts, "evidence": round(best / hit.score, 6)}
    return replace(hit, evidence=ids, score=best, parts=parts)
