"""Undoing: the last thing that was done to a memory is taken back, as its history tells."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from agent_memory_os.errors import InvalidInput, NotFound, NotPermitted
from agent_memory_os.model import Change, Link, Memory, Receipt, State, Visibility, moment
from agent_memory_os.providers.protocol import VectorMaker
from agent_memory_os.pure import access
from agent_memory_os.pure import draft as drafts
from agent_memory_os.remember.add import keep_vector, made_of, record_rights, within_sources
from agent_memory_os.remember.change import find
from agent_memory_os.store.contract import Snapshot, Store, Transaction

EVERY_STATE: tuple[State, ...] = ("active", "superseded", "archived", "deleted")
IN_RECALL = ("active", "superseded")
TAKES_BACK = frozenset({"undo", "revive"})  # what one of these took back is passed over
_FIELDS = frozenset({"update", "merge", "doubt"})  # what replaced fields
_TOLD = frozenset({"content", "tags", "metadata", "actor", "entity", "attribute"})  # of an update

More = Mapping[str, Callable[[Transaction, str], Memory]]  # by kind: what takes it back


class Deed(NamedTuple):
    """What is to be taken back: an entry of the history, or that it took the place of others.

    change: the entry; None when it is the supersession alone.
    links: by which it took the place of others with that.
    takers: of "superseded", what took its place, and what did so for that.
    """

    change: Change | None
    links: Sequence[Link] = ()
    takers: Sequence[str] = ()


def undo(
    store: Store,
    memory_id: str,
    visibility: Visibility,
    vectors: VectorMaker | None = None,
    *,
    more: More,
) -> Receipt:
    """Take back the last thing that was done to a memory by its owner, and say what that was.

    What was taken back already is passed over, so that each call goes one step further back. An
    archive is taken back whoever did it. *more* takes back what other rooms have done.

    Raises:
        NotFound: it is absent or not visible, or has expired.
        NotPermitted: somebody else owns it, or the view is bound to another subject.
        InvalidInput: there is nothing to take back, or it cannot be.
    """
    ever = replace(visibility, states=EVERY_STATE, timeless=True)
    with store.write() as tx:
        memory = owned(tx, memory_id, visibility, "undo what was done to")
        for deed in _deeds(tx, memory, ever):
            receipt = _taken_back(tx, memory, deed, more)
            if receipt is not None:
                break
        else:
            raise InvalidInput(f"there is nothing to undo in memory {memory_id!r}")
    return receipt if vectors is None else _embedded(store, receipt, vectors)


def owned(tx: Snapshot, memory_id: str, visibility: Visibility, verb: str) -> Memory:
    """Return a memory that the agent owns, in whatever state, if the view may change it.

    Raises:
        NotFound: it is absent or not visible, or has expired without being archived.
        NotPermitted: somebody else owns it, or the view is bound to another subject.
    """
    ever = replace(visibility, states=EVERY_STATE, timeless=True)
    own = [each for each in tx.read([memory_id], ever) if each.owner == visibility.agent]
    if not own:
        find(tx, memory_id, visibility)  # what others cannot read now, they are not told of
        raise NotPermitted(
            f"agent {visibility.agent!r} may not {verb} memory {memory_id!r}: only its owner may"
        )
    memory = own[0]
    if visibility.subject not in (None, memory.subject):
        find(tx, memory_id, visibility)
        raise NotPermitted(
            f"this view is bound to {visibility.subject!r} and changes nothing that is not about it"
        )
    has_expired = memory.expires_ms is not None and memory.expires_ms <= visibility.now_ms
    if has_expired and memory.state != "archived":
        raise NotFound(f"there is no memory {memory_id!r}")
    return memory


def _deeds(tx: Transaction, memory: Memory, ever: Visibility) -> list[Deed]:
    """Return what may be taken back, the last first."""
    deeds, taken = [], 0
    changes = sorted(tx.history(memory.id, ever), key=lambda change: change.version, reverse=True)
    takers = _takers(tx, memory, changes)
    for change in changes:
        if change.kind in TAKES_BACK:
            taken += 1
        elif change.kind == "superseded":  # it is in the history while it holds, and no longer
            if change.other in takers:
                deeds.append(Deed(change, takers=takers[change.other]))
        elif _may_be_taken_back(change, memory):
            if taken:
                taken -= 1
            else:
                deeds.append(Deed(change))
    return _with_links(deeds, tx.successions(memory.id, by=memory.owner), tx)


def _takers(
    tx: Transaction, memory: Memory, changes: Sequence[Change]
) -> dict[str | None, list[str]]:
    """Return what took the place of a memory, each with what did so since it took place of that."""
    by = memory.owner
    named = [it.other for it in changes if it.kind == "superseded" and it.by == by and it.other]
    over = {each: {link.target_id for link in tx.successions(each, by=by)} for each in named}
    first = [each for each in named if not over[each].intersection(named)]
    return {each: [each, *(it for it in named if each in over[it])] for each in first}


def _may_be_taken_back(change: Change, memory: Memory) -> bool:
    """Whether an entry can be undone: the owner's own, an archive, or a merger of twins."""
    if change.kind in ("archived", "consolidate"):
        return True
    kinds = _FIELDS | {"delete", "reject"}
    return change.kind in kinds and change.by == memory.owner and change.before != {}


def _with_links(deeds: Sequence[Deed], links: Sequence[Link], tx: Transaction) -> list[Deed]:
    """Return *deeds* with what the memory superseded: as part of an update, or by themselves.

    What it took the place of because something that it superseded had done so goes with that.
    """
    under = {
        link.target_id: {each.target_id for each in tx.successions(link.target_id, by=link.owner)}
        for link in links
    }
    through = set().union(*under.values())
    deeds = _in_order(deeds, [link for link in links if link.target_id not in through])
    return [
        deed._replace(links=[each for each in links if _goes_with(each, deed.links, under)])
        for deed in deeds
    ]


def _goes_with(link: Link, others: Sequence[Link], under: Mapping[str, set[str]]) -> bool:
    return link in others or any(link.target_id in under[each.target_id] for each in others)


def _in_order(deeds: Sequence[Deed], links: Sequence[Link]) -> list[Deed]:
    found: list[Deed] = []
    left = sorted(links, key=lambda link: link.version, reverse=True)
    for deed in deeds:
        change = deed.change
        later = [link for link in left if change is None or link.version > change.version]
        left = left[len(later) :]
        made = [link for link in later if change is not None and link.created_ms == change.at_ms]
        is_part = change is not None and change.kind == "update"
        found += _grouped([link for link in later if not (is_part and link in made)])
        found.append(deed._replace(links=made if is_part else ()))
    return found + _grouped(left)


def _grouped(links: Sequence[Link]) -> list[Deed]:
    """Return one deed for all that was superseded at one moment, the last first."""
    moments = dict.fromkeys(link.created_ms for link in links)
    return [Deed(None, [link for link in links if link.created_ms == at_ms]) for at_ms in moments]


def _taken_back(tx: Transaction, memory: Memory, deed: Deed, more: More) -> Receipt | None:
    """Take back one deed; None when there is nothing in it to take back any more."""
    change = deed.change
    if change is None:
        return _reinstated(tx, memory, deed.links)
    if change.kind == "superseded":
        for each in deed.takers:
            tx.reinstate(each, memory.id, by=memory.owner)
        return Receipt(_now(tx, memory), "stored", f"{change.other} takes its place no more")
    if change.kind == "archived":
        if memory.state != "archived":
            return None
        return _back(tx.unarchive(memory.id, by=memory.owner), change)
    if change.kind in ("delete", "reject"):
        return None if memory.state != "deleted" else _revived(tx, memory, change)
    if change.kind in more:
        more[change.kind](tx, memory.id)
        return _back(_now(tx, memory), change)
    if change.kind not in _FIELDS:
        return None
    if memory.state not in IN_RECALL:
        raise InvalidInput(
            f"memory {memory.id!r} is {memory.state}, by others than its owner or with what it was"
            " derived from: there is nothing to undo"
        )
    return _restored(tx, memory, change, deed.links)


def _now(tx: Transaction, memory: Memory) -> Memory:
    ever = Visibility(memory.owner, tx.now_ms, states=EVERY_STATE, timeless=True)
    return tx.read([memory.id], ever)[0]


def _back(memory: Memory, change: Change) -> Receipt:
    done = "archive" if change.kind == "archived" else change.kind
    at = moment(change.at_ms).isoformat(sep=" ", timespec="seconds")
    return Receipt(memory, "stored", f"the {done} of {at} was taken back")


def _reinstated(tx: Transaction, memory: Memory, links: Sequence[Link]) -> Receipt:
    for link in links:
        tx.reinstate(memory.id, link.target_id, by=memory.owner)
    older = ", ".join(link.target_id for link in links)
    return Receipt(_now(tx, memory), "stored", f"it takes the place of {older} no more")


def _revived(tx: Transaction, memory: Memory, change: Change) -> Receipt:
    revived = tx.revive(memory, by=memory.owner)
    ids = change.before.get("supersedes", ())
    older = [each for each in ids if isinstance(each, str)] if isinstance(ids, list) else []
    ever = Visibility(memory.owner, tx.now_ms, states=EVERY_STATE, timeless=True)
    for each in tx.read(older, ever) if older else ():
        if _may_be_superseded(tx, memory, each):
            tx.supersede(memory.id, each.id, by=memory.owner)
    return _back(revived, change)


def _may_be_superseded(tx: Transaction, memory: Memory, older: Memory) -> bool:
    """Whether *memory* may take the place of *older* again; not if that did so meanwhile."""
    took = tx.successions(older.id, by=memory.owner)
    return older.owner == memory.owner and all(link.target_id != memory.id for link in took)


def _restored(
    tx: Transaction, memory: Memory, change: Change, links: Sequence[Link]
) -> Receipt | None:
    """Put back what an entry replaced, for those who could read it; a passed end stays away."""
    known = memory.to_dict()
    before = {name: value for name, value in change.before.items() if name in known}
    before.pop("visibility", None)
    end = before.get("expires_ms")
    if isinstance(end, int) and end <= tx.now_ms:
        del before["expires_ms"]
    restored = within_sources(tx, Memory.from_dict({**known, **before}), memory)
    if restored == memory and not links:
        return None
    said = drafts.of(restored)
    if restored.content != memory.content:
        wrong = tx.rejected(said)
        if wrong is not None:
            raise InvalidInput(
                f"what memory {memory.id!r} said before was rejected, as memory {wrong.id!r}"
            )
    for link in links:
        tx.reinstate(memory.id, link.target_id, by=memory.owner)
    done = ""
    if change.kind == "update" and not _TOLD.isdisjoint(before):
        shared = _as_shared_then(tx, memory, change)
        if shared != memory.visibility:
            # First, so that nobody who loses it has had a look at what comes back.
            record_rights(tx, memory.id, old=memory.visibility, new=shared, by=memory.owner)
            memory = tx.set_visibility(memory, shared, by=memory.owner)
            restored = replace(restored, visibility=memory.visibility)
            done = "; it is shared with no more than it was then"
    written = tx.replace(restored, by=memory.owner, kind="undo")
    conflicts: tuple[str, ...] = ()
    if drafts.asserted(restored) != drafts.asserted(memory):
        conflicts = _contradicted(tx, written)
    receipt = _back(_now(tx, memory), change)
    return replace(receipt, why=receipt.why + done, conflicts=conflicts)


def _as_shared_then(tx: Transaction, memory: Memory, change: Change) -> tuple[str, ...]:
    """Return the scopes of a memory that it had already when *change* replaced what it said."""
    ever = Visibility(memory.owner, tx.now_ms, states=EVERY_STATE, timeless=True)
    later = [
        each
        for each in tx.history(memory.id, ever)
        if "visibility" in each.before and each.version > change.version
    ]
    if not later:
        return memory.visibility
    then = min(later, key=lambda each: each.version).before["visibility"]
    shared = [each for each in then if isinstance(each, str)] if isinstance(then, list) else []
    now = memory.visibility
    both = {*access.within(now, shared), *access.within(shared, now)}
    return tuple(sorted(both))


def _contradicted(tx: Transaction, memory: Memory) -> tuple[str, ...]:
    """Link a memory with what says otherwise; undoing takes the place of nothing."""
    said = drafts.of(memory)
    seen = tx.rivals(said, Visibility(memory.owner, tx.now_ms))
    rivals = [rival for rival in seen if rival.id != memory.id]
    if not rivals:
        return ()
    from agent_memory_os.remember import settle  # loads the rules

    decision = settle.arbitrate(said, rivals)
    if decision.merged:
        return ()
    conflicts = (*decision.superseded, *decision.conflicts)
    settle.record(tx, memory, replace(decision, superseded=(), conflicts=conflicts))
    return conflicts


def _embedded(store: Store, receipt: Receipt, vectors: VectorMaker) -> Receipt:
    """Give what came back the vector of what it says."""
    content = receipt.memory.content
    made = made_of(vectors, [content])
    if not made:
        return receipt
    with store.write() as tx:
        return keep_vector(tx, receipt, content, made[0])
