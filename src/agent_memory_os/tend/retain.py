"""Retaining: what has aged out leaves recall, and what is kept beside memories stays bounded."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agent_memory_os.errors import InvalidInput, NotFound
from agent_memory_os.model import Archival, RetentionReport, State, Visibility
from agent_memory_os.pure.retention import Ageing, Due, Policy, due
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Store, Transaction

MOST_IDS = 1_000  # that a report lists
_PAGE = 1_000  # memories that are looked at in one snapshot
_BATCH = 100  # memories that are moved in one transaction: others wait some hundredths of a second
_TRIMMED = 2_000  # rows of a kind that go in one transaction

Aged = tuple[Ageing, Due]


@dataclass(slots=True)
class _Tally:
    """What was moved, and what was spared."""

    ids: list[str] = field(default_factory=list)
    states: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)
    layers: Counter[int] = field(default_factory=Counter)
    spared: Counter[str] = field(default_factory=Counter)

    def count(self, aged: Iterable[Aged]) -> None:
        for memory, what in aged:
            if len(self.ids) < MOST_IDS:
                self.ids.append(memory.id)
            self.states[what.state] += 1
            self.reasons[what.reason] += 1
            self.types[memory.type] += 1
            self.layers[memory.layer] += 1

    def report(self, *, dry_run: bool, at_ms: int, trimmed: Mapping[str, int]) -> RetentionReport:
        return RetentionReport(
            dry_run=dry_run,
            at_ms=at_ms,
            archived=self.states["archived"],
            deleted=self.states["deleted"],
            ids=tuple(self.ids),
            by_reason=dict(self.reasons.most_common()),
            by_type=dict(self.types.most_common()),
            by_layer=dict(sorted(self.layers.items())),
            spared=dict(self.spared.most_common()),
            trimmed=dict(trimmed),
        )


def retain(
    store: Store, policy: Policy, everything: Visibility, settings: Settings, *, dry_run: bool
) -> RetentionReport:
    """Move what has aged out by *policy* at the moment of *everything*, and say what that was.

    It walks all memories in short snapshots, and moves them in short transactions; each is looked
    at once more in the transaction, so that one that was used meanwhile stays. Done again at the
    same moment it does nothing.

    Args:
        store: where the memories are.
        policy: after how long which memories leave.
        everything: sees all rows, in every state; its agent is who does it.
        settings: half-lives, and how much is kept beside the memories.
        dry_run: change nothing, and say what would be done.
    """
    tally = _Tally()
    for page in _pages(store):
        aged = _aged(page, everything.now_ms, policy, settings)
        tally.spared.update(what.spared for _, what in aged if what.spared)
        leaving = [each for each in aged if not each[1].spared]
        if dry_run:
            tally.count(leaving)
            continue
        for batch in _batches([memory.id for memory, _ in leaving]):
            with store.write() as tx:
                moved = _move(tx, batch, policy, everything, settings)
            tally.count(moved)
    if dry_run:
        with store.read() as snapshot:
            trimmed = snapshot.surplus()
    else:
        _record(store, everything.agent, "retention", tally.states)
        trimmed = _trim(store)
    return tally.report(dry_run=dry_run, at_ms=everything.now_ms, trimmed=trimmed)


def _pages(store: Store) -> Iterator[list[Ageing]]:
    after = ""
    while True:
        with store.read() as snapshot:
            page = snapshot.ageing(after=after, most=_PAGE)
        if not page:
            return
        yield page
        after = page[-1].id


def _aged(
    memories: Iterable[Ageing], now_ms: int, policy: Policy, settings: Settings
) -> list[Aged]:
    found = ((memory, due(memory, now_ms, policy, settings)) for memory in memories)
    return [(memory, what) for memory, what in found if what is not None]


def _move(
    tx: Transaction,
    memory_ids: Sequence[str],
    policy: Policy,
    everything: Visibility,
    settings: Settings,
) -> list[Aged]:
    """Move those of *memory_ids* that have aged out still, and return them."""
    aged = _aged(tx.ageing_of(memory_ids), everything.now_ms, policy, settings)
    leaving = [each for each in aged if not each[1].spared]
    for memory, what in leaving:
        _set_state(tx, memory.id, what.state, everything)
    return leaving


def _set_state(tx: Transaction, memory_id: str, state: State, everything: Visibility) -> None:
    (found,) = tx.read([memory_id], everything)
    if found.state == "superseded":
        # Its readers may not see what took its place, and must not learn of it by the history.
        found = replace(found, state="active")
    tx.set_state(found, state, by=everything.agent)


def _trim(store: Store) -> dict[str, int]:
    trimmed: Counter[str] = Counter()
    with store.read() as snapshot:
        has_surplus = bool(snapshot.surplus())
    while has_surplus:
        with store.write() as tx:
            went = tx.trim(most=_TRIMMED)
        trimmed.update(went)
        has_surplus = bool(went)
    return dict(trimmed)


def _record(store: Store, by: str, action: str, counts: Mapping[str, int]) -> None:
    """Write into the audit what was done, if anything was."""
    did = {name: count for name, count in sorted(counts.items()) if count}
    if did:
        with store.write() as tx:
            tx.record(by, action, "memories", dict(did))


def archive(store: Store, memory_ids: Sequence[str], everything: Visibility) -> Archival:
    """Take memories out of recall, whoever owns them; what has left it already stays as it is.

    Raises:
        NotFound: there is no such memory; nothing was changed.
    """
    return _shelve(store, memory_ids, everything, back=False)


def unarchive(store: Store, memory_ids: Sequence[str], everything: Visibility) -> Archival:
    """Bring archived memories back, with their links, tags, words and history.

    What is not archived stays as it is, and so does what cannot come back.

    Raises:
        NotFound: there is no such memory; nothing was changed.
    """
    return _shelve(store, memory_ids, everything, back=True)


def _shelve(
    store: Store, memory_ids: Sequence[str], everything: Visibility, *, back: bool
) -> Archival:
    wanted = list(dict.fromkeys(memory_ids))
    _refuse_unknown(store, wanted)
    moved: list[str] = []
    left: dict[str, str] = {}
    for batch in _batches(wanted):
        with store.write() as tx:
            states = {each.id: each.state for each in tx.ageing_of(batch)}
            for memory_id in batch:
                why = _shelve_one(tx, memory_id, states.get(memory_id), everything, back=back)
                if why:
                    left[memory_id] = why
                else:
                    moved.append(memory_id)
    _record(store, everything.agent, "unarchive" if back else "archive", {"moved": len(moved)})
    return Archival(tuple(moved), left)


def _shelve_one(
    tx: Transaction, memory_id: str, state: str | None, everything: Visibility, *, back: bool
) -> str:
    """Move one memory, or return why it stays."""
    if state in (None, "deleted"):
        return "it was deleted"
    if back:
        if state != "archived":
            return "it is not archived"
        try:
            tx.unarchive(memory_id, by=everything.agent)
        except InvalidInput as error:
            return str(error)
        return ""
    if state == "archived":
        return "it is archived already"
    _set_state(tx, memory_id, "archived", everything)
    return ""


def _refuse_unknown(store: Store, memory_ids: Sequence[str]) -> None:
    with store.read() as snapshot:
        for batch in _batches(memory_ids):
            known = {each.id for each in snapshot.ageing_of(batch)}
            for memory_id in batch:
                if memory_id not in known:
                    raise NotFound(f"there is no memory {memory_id!r}")


def _batches(memory_ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(memory_ids), _BATCH):
        yield memory_ids[start : start + _BATCH]
