"""Forgetting: what was remembered is erased, and the receipt says what is left of it."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from agent_memory_os.errors import NotFound, NotPermitted, StoreError
from agent_memory_os.model import ErasureReceipt, Memory, State, Visibility
from agent_memory_os.noun import Noun
from agent_memory_os.pure import bounds
from agent_memory_os.remember.change import find
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Cascade, Erased, Snapshot, Store, Transaction

Shows = Callable[[Memory], Mapping[str, bool]]
"""Returns for each way to read whether it still shows a memory."""

EVERY_STATE: tuple[State, ...] = ("active", "superseded", "archived", "deleted")
NOT_ASKED = "purge=False left its bytes in the file: call client.admin.purge()"
ELSEWHERE = (
    "Backups and other copies of the file still hold it; one that restore_backup brings back"
    " forgets it again."
)
_OWN_TABLES = ("history", "receipts", "vectors")  # what they lost tells nothing of others
_MOST_COMPARED = 500  # forgotten memories whose words are looked for in what is left
_MOST_SHOWN = 20  # forgotten memories that each way to read is asked for


class Wish(Noun):
    """How to forget.

    Attributes:
        evidence: also the events that served it alone.
        purge: remove the bytes now.
        verify: look for what is left.
        remember: keep a digest, so that older evidence of it is refused where it comes back.
        patience_ms: how long bytes are removed before the rest is left to others.
        most: how many memories that still say it are listed.
    """

    evidence: bool
    purge: bool
    verify: bool
    remember: bool
    patience_ms: int
    most: int


def parse_wish(
    settings: Settings, *, evidence: object, purge: object, verify: object, remember: object
) -> Wish:
    """Return how to forget, checked.

    Raises:
        InvalidInput: one is neither True nor False.
    """
    return Wish(
        bounds.flag(evidence, "evidence"),
        bounds.flag(purge, "purge"),
        bounds.flag(verify, "verify"),
        bounds.flag(remember, "remember"),
        settings.purge_wait_ms,
        settings.max_limit,
    )


class _Taken(Noun):
    """What was erased: as it was, and what of it the caller may know."""

    cascade: Cascade
    memories: Sequence[Memory]
    ids: frozenset[str]
    erased: Sequence[Erased]  # first what is the caller's own


def forget(
    store: Store, memory_id: str, visibility: Visibility, wish: Wish, shows: Shows
) -> ErasureReceipt:
    """Erase a memory of the agent's own, in whatever state, and what was derived from it alone.

    Raises:
        NotFound: it is absent or not visible.
        NotPermitted: somebody else owns it, or the view is bound to another subject.
    """
    with store.write() as tx:
        _check_own(tx, memory_id, visibility)
        taken = _take(tx, [memory_id], visibility, wish, anybody=False)
        tx.record(visibility.agent, "forget", memory_id, {"memories": len(taken.cascade.ids)})
    counts = {table: taken.erased[0].counts.get(table, 0) for table in _OWN_TABLES}
    counts["memories"] = len(taken.ids)
    said = [memory.content for memory in taken.memories]
    return _receipt(store, taken, visibility, wish, shows, counts, said)


def forget_subject(
    store: Store, subject: str, visibility: Visibility, wish: Wish, shows: Shows
) -> ErasureReceipt:
    """Erase everybody's memories about *subject*, and its name.

    Raises:
        NotFound: there is no memory about it.
    """
    everything = replace(visibility, admin=True)
    with store.write(bulk=True) as tx:
        ids = tx.every(subject=subject)
        if not ids:
            raise NotFound(f"there is no memory about {subject!r}")
        taken = _take(tx, ids, everything, wish, anybody=True)
        tx.record(visibility.agent, "forget subject", "", {"memories": len(taken.cascade.ids)})
    said = [subject.partition(":")[2], *(memory.content for memory in taken.memories)]
    return _receipt(store, taken, everything, wish, shows, _all_counts(taken), said)


def forget_owner(
    store: Store, owner: str, visibility: Visibility, wish: Wish, shows: Shows
) -> ErasureReceipt:
    """Erase everything that *owner* wrote, linked and leans to; and its name, if nothing needs it.

    Raises:
        NotFound: the store has not heard of it.
    """
    everything = replace(visibility, admin=True)
    with store.write(bulk=True) as tx:
        if not tx.knows(owner):
            raise NotFound(f"there is no agent {owner!r}")
        taken = _take(tx, tx.every(owner=owner), everything, wish, anybody=False)
        taken = replace(taken, erased=(*taken.erased, tx.erase_agent(owner)))
        tx.record(visibility.agent, "forget owner", "", {"memories": len(taken.cascade.ids)})
        is_needed = tx.knows(owner)
    said = [memory.content for memory in taken.memories]
    receipt = _receipt(store, taken, everything, wish, shows, _all_counts(taken), said)
    if not is_needed:
        return receipt
    stays = f" The name of agent {owner!r} stays: the organisation, or what others own, has it."
    return replace(receipt, elsewhere=receipt.elsewhere + stays)


def _check_own(tx: Transaction, memory_id: str, visibility: Visibility) -> None:
    """Raise unless the agent owns the memory, in whatever state, and the view is about it."""
    own = tx.read([memory_id], replace(visibility, states=EVERY_STATE, timeless=True))
    memory = own[0] if own and own[0].owner == visibility.agent else None
    if memory is None:
        find(tx, memory_id, visibility)  # what others cannot read now, they are not told of
        raise NotPermitted(
            f"agent {visibility.agent!r} may not forget memory {memory_id!r}: only its owner may"
        )
    if visibility.subject not in (None, memory.subject):
        find(tx, memory_id, visibility)
        raise NotPermitted(
            f"this view is bound to {visibility.subject!r} and forgets nothing that is not about it"
        )


def _take(
    tx: Transaction, ids: Sequence[str], visibility: Visibility, wish: Wish, *, anybody: bool
) -> _Taken:
    """Erase memories with what goes along; what is the caller's own apart from the rest."""
    cascade = tx.cascade(ids, evidence=wish.evidence, anybody=anybody)
    memories = tx.read(cascade.ids, replace(visibility, states=EVERY_STATE, timeless=True))
    seen = tx.passing(cascade.ids, replace(visibility, admin=False))
    own = [memory.id for memory in memories if memory.owner == visibility.agent]
    known = frozenset({*seen, *own})
    if not visibility.admin:
        memories = [memory for memory in memories if memory.id in known]
    rest = sorted({*cascade.ids} - {*own})
    return _Taken(
        cascade,
        memories,
        known,
        [tx.erase(part, by=visibility.agent, remember=wish.remember) for part in (own, rest)],
    )


def _all_counts(taken: _Taken) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for erased in taken.erased:
        counts.update(erased.counts)
    return counts


def _receipt(
    store: Store,
    taken: _Taken,
    visibility: Visibility,
    wish: Wish,
    shows: Shows,
    counts: Mapping[str, int],
    said: Sequence[str],
) -> ErasureReceipt:
    """Remove the bytes, look for what is left, and tell all of it."""
    pending = _purge(store, taken, wish)
    with store.read() as snapshot:
        still, more = _still_said(snapshot, taken, said[:_MOST_COMPARED], visibility, wish.most)
    elsewhere = ELSEWHERE
    if len(said) > _MOST_COMPARED:
        elsewhere += f" Only {_MOST_COMPARED} of them were compared with what is left."
    return ErasureReceipt(
        ids=tuple(sorted(taken.ids)),
        hidden=len(taken.cascade.ids) - len(taken.ids) if visibility.admin else None,
        counts={table: count for table, count in sorted(counts.items()) if count},
        pending=pending,
        probes=_probes(store, taken, shows, pending) if wish.verify else {},
        still_said=tuple(sorted(still)),
        still_hidden=more if visibility.admin else None,
        elsewhere=elsewhere,
    )


def _purge(store: Store, taken: _Taken, wish: Wish) -> str:
    if not wish.purge:
        return NOT_ASKED
    try:
        return store.purge(taken.erased, patience_ms=wish.patience_ms)
    except StoreError as error:  # it is erased, and a retry would not find it
        return f"its bytes are not all gone: {error}; then call client.admin.purge()"


def _still_said(
    snapshot: Snapshot, taken: _Taken, said: Sequence[str], visibility: Visibility, most: int
) -> tuple[set[str], int]:
    """Return what the caller sees that may still say it, and to an admin how much more there is."""
    own = replace(visibility, admin=False)
    bereft = taken.cascade.bereft
    seen = snapshot.saying(said, own, most=most) | snapshot.passing(bereft, own)
    if not visibility.admin:
        return seen, 0
    everything = snapshot.saying(said, visibility, most=most) | {*bereft}
    return seen, len(everything - seen)


def _probes(store: Store, taken: _Taken, shows: Shows, pending: str) -> dict[str, int]:
    """Return how many traces are left, by where they were looked for.

    What is pending is known to be there. To count it would tell which of its words others hold.
    """
    found: Counter[str] = Counter()
    for memory in taken.memories[:_MOST_SHOWN]:
        found.update({way: int(is_shown) for way, is_shown in shows(memory).items()})
    return {**found, **({} if pending else store.probe(taken.erased))}
