"""Consolidating: twins become one, and what is recalled together gets a concept."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent_memory_os.errors import InvalidInput, NotFound
from agent_memory_os.model import JSON, Change, Consolidation, Draft, Memory, Progress, Visibility
from agent_memory_os.pure import cluster, concept
from agent_memory_os.pure.twins import united
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Snapshot, Store, Transaction

CONSOLIDATE = "consolidate"  # in the history of both
MOST_IDS = 1_000  # that a report lists, of each kind
MOST_SURVIVORS = 64  # that are asked whether they take in one more twin
_TAGS = "shared_tags"  # in the metadata of a concept: which of its tags it has of its sources
_PAGE = 500  # statements, or memories, that are looked at in one snapshot
_BATCH = 25  # twins that are merged in one transaction: others wait some hundredths of a second
_CONCEPTS = 10  # concepts that are written in one transaction

Merger = tuple[str, str]  # who takes in, and whom


@dataclass(frozen=True, slots=True)
class _Scope:
    """Whose memories, about what; None is everybody's, and everything."""

    owner: str | None
    subject: str | None
    everything: Visibility

    def holds(self, memory: Memory) -> bool:
        is_owned = self.owner in (None, memory.owner)
        return is_owned and self.subject in (None, memory.subject)


@dataclass(slots=True)
class _Tally:
    """What was looked at, and what was done."""

    dry_run: bool
    looked_at: int = 0
    merged: int = 0
    listed: int = 0
    groups: dict[str, list[str]] = field(default_factory=dict)
    taken_in: dict[str, str] = field(default_factory=dict)  # of a dry run, for what comes after
    concepts: list[str] = field(default_factory=list)
    clusters: list[tuple[str, ...]] = field(default_factory=list)
    made: int = 0
    updated: int = 0
    withdrawn: int = 0

    def count(self, merger: Merger) -> None:
        self.merged += 1
        if self.dry_run:
            self.taken_in[merger[1]] = merger[0]
        if self.listed < MOST_IDS:
            self.listed += 1
            self.groups.setdefault(merger[0], []).append(merger[1])

    def note(self, concept_id: str | None, sources: tuple[str, ...] = ()) -> None:
        if concept_id is not None and len(self.concepts) < MOST_IDS:
            self.concepts.append(concept_id)
        if sources and len(self.clusters) < MOST_IDS:
            self.clusters.append(sources)

    def report(self, at_ms: int, pending: str) -> Consolidation:
        return Consolidation(
            dry_run=self.dry_run,
            at_ms=at_ms,
            looked_at=self.looked_at,
            merged=self.merged,
            groups=tuple((memory, *others) for memory, others in self.groups.items()),
            concepts_made=self.made,
            concepts_updated=self.updated,
            concepts_withdrawn=self.withdrawn,
            concepts=tuple(self.concepts),
            clusters=tuple(self.clusters),
            pending=pending if self.made and not self.dry_run else "",
        )


def consolidate(
    store: Store,
    everything: Visibility,
    settings: Settings,
    tell: Progress | None = None,
    *,
    owner: str | None,
    subject: str | None,
    dry_run: bool,
    pending: str = "",
) -> Consolidation:
    """Merge twins, bring concepts up to date, and say what that was.

    It looks in short snapshots and writes in short transactions, in which each is looked at once
    more; whoever breaks it off has done a part, and calls again. Done again it does nothing.

    Args:
        store: where the memories are.
        everything: sees all rows, in every state; its agent is who does it.
        settings: what is often recalled together.
        tell: is told how many statements were dealt with, and of how many.
        owner: whose memories; None for everybody's.
        subject: about whom or what; None for all.
        dry_run: change nothing, and say what would be done.
        pending: what has to be done for new concepts, in a sentence; for the report.
    """
    scope, tally = _Scope(owner, subject, everything), _Tally(dry_run)
    _merge_twins(store, scope, tally, tell)
    _tend_concepts(store, scope, settings, tally)
    did = {
        "merged": tally.merged,
        "concepts made": tally.made,
        "concepts updated": tally.updated,
        "concepts withdrawn": tally.withdrawn,
    }
    if any(did.values()) and not dry_run:
        detail: dict[str, JSON] = {name: count for name, count in did.items() if count}
        with store.write() as tx:
            tx.record(everything.agent, CONSOLIDATE, "memories", detail)
    return tally.report(everything.now_ms, pending)


def _merge_twins(store: Store, scope: _Scope, tally: _Tally, tell: Progress | None) -> None:
    with store.read() as snapshot:
        statements = snapshot.repeated()
    for start in range(0, len(statements), _PAGE):
        if tell is not None:
            tell(start, len(statements))
        with store.read() as snapshot:
            groups = snapshot.twins(
                statements[start : start + _PAGE],
                now_ms=scope.everything.now_ms,
                owner=scope.owner,
                subject=scope.subject,
            )
            mergers = [each for group in groups for each in _mergers(snapshot, group, scope)]
        tally.looked_at += sum(map(len, groups))
        if tally.dry_run:
            for merger in mergers:
                tally.count(merger)
            continue
        for at in range(0, len(mergers), _BATCH):
            with store.write() as tx:
                done = [each for each in mergers[at : at + _BATCH] if _merge(tx, each, scope)]
            for merger in done:
                tally.count(merger)


def _mergers(snapshot: Snapshot, group: Sequence[str], scope: _Scope) -> Iterator[Merger]:
    """Yield who of a *group* of twins takes in whom: of those that can the oldest."""
    survivors: list[Memory] = []
    found: dict[str, list[str]] = {}
    for start in range(0, len(group), _PAGE):
        twins = snapshot.read(group[start : start + _PAGE], scope.everything)
        for twin in sorted(twins, key=lambda memory: memory.id):
            takers = (each.id for each in survivors[:MOST_SURVIVORS] if united(each, twin))
            taker = next(takers, None)
            if taker is None:
                survivors.append(twin)
            else:
                found.setdefault(taker, []).append(twin.id)
    for taker, twins_ in sorted(found.items()):
        apart = snapshot.apart(taker, twins_)
        yield from ((taker, twin) for twin in twins_ if twin not in apart)


def _merge(tx: Transaction, merger: Merger, scope: _Scope) -> bool:
    """Let one memory take in the other, if both are as they were; return whether it did."""
    memory_id, twin_id = merger
    active = replace(scope.everything, states=("active",), timeless=False)
    found = {memory.id: memory for memory in tx.read(merger, active)}
    if len(found) < 2 or any(memory.state != "active" for memory in found.values()):
        return False
    both = united(found[memory_id], found[twin_id])
    if both is None or tx.apart(memory_id, [twin_id]):
        return False
    tx.absorb(both, found[twin_id], by=scope.everything.agent)
    return True


def _tend_concepts(store: Store, scope: _Scope, settings: Settings, tally: _Tally) -> None:
    weights = _recalled_together(store, scope, settings, tally.taken_in)
    clusters = cluster.clusters(
        weights,
        least=settings.concept_least,
        most=settings.concept_most,
        threshold=settings.concept_link / 2,
    )
    tally.looked_at += sum(map(len, clusters))
    with store.read() as snapshot:
        known = snapshot.concepts(
            now_ms=scope.everything.now_ms, owner=scope.owner, subject=scope.subject
        )
    plan = concept.plan(clusters, known, most=settings.concept_most)
    writing = _Writing(scope, weights, tally)
    held = {each.id: each for each in known if each.is_whole}
    todo: list[tuple[str | None, tuple[str, ...]]] = [
        *((memory_id, ()) for memory_id in plan.withdraw),
        *((each, plan.grow.get(each, held[each].sources)) for each in held),
        *((None, sources) for sources in plan.make),
    ]
    for at in range(0, len(todo), _CONCEPTS):
        batch = todo[at : at + _CONCEPTS]
        with store.read() as snapshot:  # most concepts are as they should be, and need no lock
            due = [each for each in batch if writing.is_due(snapshot, *each)]
        if tally.dry_run:
            for memory_id, sources in due:
                writing.count(memory_id, memory_id, sources)
        elif due:
            with store.write() as tx:
                done = [(each, writing.write(tx, *each)) for each in due]
            for (memory_id, sources), written in done:
                if written is not None:
                    writing.count(memory_id, written, sources)


def _recalled_together(
    store: Store, scope: _Scope, settings: Settings, taken_in: Mapping[str, str]
) -> dict[cluster.Pair, float]:
    """Return how strongly events and atoms without an end are recalled together, in pairs."""
    weights: dict[cluster.Pair, float] = {}
    after: str | None = ""
    while after is not None:
        with store.read() as snapshot:
            page = snapshot.co_recalled(
                now_ms=scope.everything.now_ms, least=settings.concept_link, after=after, most=_PAGE
            )
            fit = _fit(snapshot, {each for pair in page.pairs for each in pair[:2]}, scope)
        for one, other, weight in page.pairs:
            if one in fit and other in fit:
                ends = sorted((taken_in.get(one, one), taken_in.get(other, other)))
                if ends[0] != ends[1]:
                    pair = ends[0], ends[1]
                    weights[pair] = max(weight, weights.get(pair, 0.0))
        after = page.after
    return weights


def _fit(snapshot: Snapshot, memory_ids: Iterable[str], scope: _Scope) -> set[str]:
    """Return of which memories concepts are made: not of scenes, nor of what ends."""
    fit: set[str] = set()
    wanted = sorted(memory_ids)
    for start in range(0, len(wanted), _PAGE):
        for memory in snapshot.read(wanted[start : start + _PAGE], scope.everything):
            is_lasting = memory.expires_ms is memory.valid_to_ms is None
            if memory.layer < concept.LAYER and is_lasting and scope.holds(memory):
                fit.add(memory.id)
    return fit


@dataclass(frozen=True, slots=True)
class _Writing:
    """How concepts are written: for whom, and of what weights."""

    scope: _Scope
    weights: Mapping[cluster.Pair, float]
    tally: _Tally

    def is_due(self, snapshot: Snapshot, memory_id: str | None, sources: tuple[str, ...]) -> bool:
        """Return whether there is something to do: a concept is new, leaves, or says otherwise."""
        if memory_id is None:
            return self._is_wanted(snapshot, sources)
        if not sources:
            return True
        found = self._read(snapshot, memory_id)
        return found is not None and self._updated(snapshot, found, sources) is not None

    def count(self, memory_id: str | None, written: str | None, sources: tuple[str, ...]) -> None:
        """Count what was done: nothing was there before, nothing is there now, or another text."""
        self.tally.note(written, sources)
        self.tally.made += memory_id is None
        self.tally.withdrawn += not sources
        self.tally.updated += memory_id is not None and bool(sources)

    def write(self, tx: Transaction, memory_id: str | None, sources: tuple[str, ...]) -> str | None:
        """Make, update or withdraw a concept; return its id, or None if nothing was to be done."""
        by = self.scope.everything.agent
        if memory_id is None:
            return self._make(tx, sources)
        found = self._read(tx, memory_id)
        if found is None:
            return None
        if not sources:
            tx.set_state(replace(found, state="active"), "archived", by=by)
            return memory_id
        changed = self._updated(tx, found, sources)
        if changed is None:
            return None
        tx.replace(changed, by=by, kind="update")
        self._link(tx, found, sources)
        return memory_id

    def _make(self, tx: Transaction, sources: tuple[str, ...]) -> str | None:
        if not self._is_wanted(tx, sources):
            return None
        members, key = self._members(tx, sources), concept.key_of(sources)
        first = members[0]
        if tx.keyed(first.owner, first.subject, key) is not None:
            return None  # somebody has given the name to something else
        content, metadata = concept.written(members, self._score(sources))
        shared = _shared_tags(members)
        draft = Draft(
            content,
            first.owner,
            subject=first.subject,
            type=concept.TYPE,
            layer=concept.LAYER,
            visibility=first.visibility,
            tags=shared,
            metadata=metadata | {_TAGS: [*shared]},
            key=key,
            importance=max(each.importance for each in members),
            confidence=min(each.confidence for each in members),
        )
        made = tx.insert(draft)
        self._link(tx, made, sources)
        return made.id

    def _is_wanted(self, snapshot: Snapshot, sources: tuple[str, ...]) -> bool:
        """Return whether a concept of *sources* can be, and is not, and nobody deleted it."""
        key = concept.key_of(sources)
        return bool(self._members(snapshot, sources)) and not snapshot.was_named(sources[0], key)

    def _link(self, tx: Transaction, made: Memory, sources: tuple[str, ...]) -> None:
        known = {source for _, source in tx.derivations([made.id], sources)}
        for source, strength in cluster.cohesion(sources, self.weights).items():
            if source not in known:
                weight = strength or 1.0
                tx.link(made.id, source, relation="derived_from", weight=weight, by=made.owner)
        tx.follow(made.id, owner=made.owner)

    def _updated(
        self, snapshot: Snapshot, found: Memory, sources: tuple[str, ...]
    ) -> Memory | None:
        """Return a concept as its *sources* have it now; None when it need not be changed."""
        if concept.is_edited(found.content, found.metadata):
            return None
        members = self._members(snapshot, sources)
        if not members:
            return None
        content, metadata = concept.written(members, self._score(sources))
        if content == found.content:
            return None
        own = _own_tags(found, members)
        shared = [tag for tag in _shared_tags(members) if tag not in own]
        noted: dict[str, JSON] = {_TAGS: [*shared]}
        return replace(
            found,
            content=content,
            tags=(*shared, *own),
            metadata={**found.metadata, **metadata, **noted},
            importance=max(each.importance for each in members),
            confidence=min(each.confidence for each in members),
        )

    def _read(self, snapshot: Snapshot, memory_id: str) -> Memory | None:
        found = snapshot.read([memory_id], self.scope.everything)
        return found[0] if found and found[0].state in ("active", "superseded") else None

    def _members(self, snapshot: Snapshot, sources: tuple[str, ...]) -> list[Memory]:
        """Return the sources, the oldest first; none unless all of one partition are in sight."""
        everything = self.scope.everything
        if {*sources} - snapshot.in_sight(sources, now_ms=everything.now_ms):
            return []
        members = snapshot.read(sources, everything)
        partitions = {(each.owner, each.subject, each.visibility) for each in members}
        return sorted(members, key=lambda each: each.id) if len(partitions) == 1 else []

    def _score(self, sources: tuple[str, ...]) -> float:
        strengths = cluster.cohesion(sources, self.weights).values()
        return sum(strengths) / len(strengths)


def _own_tags(found: Memory, members: Sequence[Memory]) -> list[str]:
    """Return the tags of the concept *found* that it does not have of its sources.

    An older concept does not say which it has of them: those that one of its *members* has.
    """
    given = found.metadata.get(_TAGS)
    known = given if isinstance(given, list) else [tag for each in members for tag in each.tags]
    return [tag for tag in found.tags if tag not in known]


def _shared_tags(members: Sequence[Memory]) -> tuple[str, ...]:
    first, *others = members
    return tuple(tag for tag in first.tags if all(tag in each.tags for each in others))


def undo(tx: Transaction, memory_id: str, everything: Visibility) -> Memory:
    """Take back the last merger of a memory, and return the one that was taken in.

    It is active again, with its links; what it gave to the other one is taken from that, as far as
    nobody changed it since. They are not merged again.

    Args:
        tx: the transaction in which it is done.
        memory_id: either of both: what took another one in, or what was taken in.
        everything: sees all rows, in every state; its agent is who does it.

    Raises:
        NotFound: there is no such memory.
        InvalidInput: it was never merged, or what it was merged with is gone since.
    """
    named = _find(tx, memory_id, everything)
    other_id = _merged_last(tx.history(memory_id, everything))
    if other_id is None:
        raise InvalidInput(f"memory {memory_id!r} was not merged with another one")
    other = _find(tx, other_id, everything)
    memory, twin = (other, named) if named.state == "archived" else (named, other)
    if memory.state not in ("active", "superseded") or twin.state != "archived":
        raise InvalidInput(
            f"memory {twin.id!r} cannot come back: it or {memory.id!r}, which took it in, has"
            " moved on since; take that back first"
        )
    tx.unarchive(twin.id, by=everything.agent)
    tx.release(memory.id, twin.id)
    restored = _restored(memory, twin, tx.history(memory.id, everything))
    tx.replace(restored, by=everything.agent, kind="undo", other=twin.id)
    return _find(tx, twin.id, everything)


def _find(tx: Transaction, memory_id: str, everything: Visibility) -> Memory:
    found = tx.read([memory_id], everything)
    if not found:
        raise NotFound(f"there is no memory {memory_id!r}")
    return found[0]


def _merged_last(changes: Iterable[Change]) -> str | None:
    """Return the other memory of the last merger that was not taken back."""
    others: list[str] = []
    for change in changes:
        if change.kind == CONSOLIDATE and change.other is not None:
            others.append(change.other)
        elif change.kind == "undo" and change.other in others:
            others.remove(change.other)
    return others[-1] if others else None


def _restored(memory: Memory, twin: Memory, changes: Sequence[Change]) -> Memory:
    """Return *memory* without what it has of *twin*, where it has that still."""
    places = [
        place
        for place, change in enumerate(changes)
        if change.kind == CONSOLIDATE and change.other == twin.id
    ]
    merger, later = changes[places[-1]], changes[places[-1] + 1 :]
    now = memory.to_dict()
    values: dict[str, Any] = {}
    for name, before in merger.before.items():
        became = next((each.before[name] for each in later if name in each.before), now[name])
        if became == now[name]:
            values[name] = tuple(before) if isinstance(before, list) else before
    values["mentions"] = max(1, memory.mentions - twin.mentions)
    return replace(memory, **values)
