"""Changing what is there: update, share, revoke and delete, by its owner."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from agent_memory_os.errors import InvalidInput, NotFound, NotPermitted, VersionConflict
from agent_memory_os.model import Memory, Receipt, Visibility
from agent_memory_os.providers.protocol import Made, VectorMaker
from agent_memory_os.pure import draft as drafts
from agent_memory_os.pure.draft import check_window
from agent_memory_os.pure.when import MAX_MS
from agent_memory_os.remember.add import (
    check_sharing,
    dry,
    heard,
    keep_vector,
    made_of,
    record_rights,
    within_sources,
)
from agent_memory_os.remember.opinion import Judging, Opinion
from agent_memory_os.store.contract import Snapshot, Store, Transaction


def find(snapshot: Snapshot, memory_id: str, visibility: Visibility) -> Memory:
    """Return the memory if it passes the gate.

    Raises:
        NotFound: it is absent or not visible; the message does not tell which.
    """
    found = snapshot.read([memory_id], visibility)
    if not found:
        raise NotFound(f"there is no memory {memory_id!r}")
    return found[0]


def _owned(tx: Snapshot, memory_id: str, visibility: Visibility, verb: str) -> Memory:
    # What is not valid now can still be changed; what has expired is gone for everybody.
    memory = find(tx, memory_id, dataclasses.replace(visibility, timeless=True))
    if memory.expires_ms is not None and memory.expires_ms <= visibility.now_ms:
        raise NotFound(f"there is no memory {memory_id!r}")
    is_apart = visibility.subject is not None and memory.subject != visibility.subject
    is_foreign = memory.owner != visibility.agent and not visibility.admin
    if is_apart or is_foreign:
        find(tx, memory_id, visibility)  # what one cannot change or read now, one is not told of
    if is_apart:
        raise NotPermitted(
            f"this view is bound to {visibility.subject!r} and changes nothing that is not about it"
        )
    if is_foreign:
        raise NotPermitted(
            f"agent {visibility.agent!r} may not {verb} memory {memory_id!r}: only its owner may"
        )
    return memory


def update(
    store: Store,
    memory_id: str,
    changes: Mapping[str, object],
    visibility: Visibility,
    *,
    if_version: str | None,
    vectors: VectorMaker | None = None,
    judging: Judging | None = None,
    dry_run: bool = False,
) -> Receipt:
    """Change fields of a memory; *changes* come from `parse_changes`.

    What a judge says of the rivals of what it says then decides. With *dry_run* nothing is kept.

    Raises:
        NotFound: it is absent or not visible.
        NotPermitted: somebody else owns it.
        VersionConflict: it has another version than *if_version*; nothing was written.
        InvalidInput: the changes do not fit together.
    """
    content = changes.get("content")
    made: Sequence[Made] = ()
    if vectors is not None and isinstance(content, str) and not dry_run:
        made = made_of(vectors, [content])
    opinion = None
    if judging is not None and content is not None:
        with store.read() as snapshot:
            memory = _owned(snapshot, memory_id, visibility, "update")
        changed = _changed(memory, dict(changes), judging.now_ms)
        if changed.content != memory.content:
            opinion = heard(judging, store, drafts.of(changed), without=memory_id)
    with store.write(dry_run=dry_run) as tx:
        memory = _owned(tx, memory_id, visibility, "update")
        if if_version is not None and if_version != memory.version:
            raise VersionConflict(
                f"memory {memory_id!r} is at version {memory.version}, not {if_version!r};"
                " read it again",
                memory.version,
            )
        changed = within_sources(tx, _changed(memory, dict(changes), tx.now_ms), memory)
        if changed == memory:
            return Receipt(memory, "stored", "it said so already")
        receipt = _replace(tx, memory, changed, visibility, opinion)
        if dry_run:
            return dry(receipt)
        is_written = made and receipt.verdict != "rejected"
        return keep_vector(tx, receipt, changed.content, made[0]) if is_written else receipt


def _replace(
    tx: Transaction,
    memory: Memory,
    changed: Memory,
    visibility: Visibility,
    opinion: Opinion | None,
) -> Receipt:
    """Write *changed* in the place of *memory*; what it says now is held against its rivals."""
    said = drafts.of(changed)
    rivals: list[Memory] = []
    if changed.content != memory.content:
        wrong = tx.rejected(said)
        if wrong is not None:
            why = f"its owner has rejected that, as memory {wrong.id}; add(..., override=True)"
            return Receipt(memory, "rejected", f"{why} stores it all the same")
        seen = tx.rivals(said, Visibility(changed.owner, tx.now_ms))
        rivals = [rival for rival in seen if rival.id != memory.id]
    changed = tx.replace(changed, by=visibility.agent, kind="update")
    if not rivals:
        return Receipt(changed, "stored", "it was updated")
    from agent_memory_os.remember.settle import resettle  # loads the rules

    return resettle(tx, changed, said, rivals, opinion, done="it was updated")


def _changed(memory: Memory, changes: dict[str, Any], now_ms: int) -> Memory:
    if "merge_metadata" in changes:
        changes["metadata"] = {**memory.metadata, **changes.pop("merge_metadata")}
    if "ttl_ms" in changes:
        ttl_ms = changes.pop("ttl_ms")
        changes["expires_ms"] = None if ttl_ms is None else min(now_ms + ttl_ms, MAX_MS)
    if changes.get("occurred_ms", 0) is None:
        changes["occurred_ms"] = memory.created_ms
    changed = dataclasses.replace(memory, **changes)
    check_window(changed.valid_from_ms, changed.valid_to_ms)
    return changed


def delete(store: Store, memory_id: str, visibility: Visibility) -> None:
    """Take a memory out of every read; its history stays.

    Raises:
        NotFound: it is absent or not visible.
        NotPermitted: somebody else owns it.
    """
    with store.write() as tx:
        memory = _owned(tx, memory_id, visibility, "delete")
        tx.set_state(memory, "deleted", by=visibility.agent)


def share(store: Store, memory_id: str, scopes: Sequence[str], visibility: Visibility) -> Memory:
    """Add *scopes* to those that may see a memory, and return it.

    Raises:
        NotFound: it is absent or not visible.
        NotPermitted: somebody else owns it, or its owner may not share into a scope.
    """
    with store.write() as tx:
        memory = _owned(tx, memory_id, visibility, "share")
        added = [scope for scope in scopes if scope not in memory.visibility]
        check_sharing(tx, memory.owner, added)
        return _reset(tx, memory, {*memory.visibility, *scopes}, visibility)


def revoke(store: Store, memory_id: str, scopes: Sequence[str], visibility: Visibility) -> Memory:
    """Take *scopes* away from a memory, and return it; its owner still sees it.

    Raises:
        NotFound: it is absent or not visible.
        NotPermitted: somebody else owns it.
        InvalidInput: a scope was not among those that see it.
    """
    with store.write() as tx:
        memory = _owned(tx, memory_id, visibility, "revoke a share of")
        unknown = sorted(set(scopes) - set(memory.visibility))
        if unknown:
            raise InvalidInput(
                f"memory {memory_id!r} is not shared with {unknown[0]!r};"
                f" it is shared with {list(memory.visibility)!r}"
            )
        return _reset(tx, memory, {*memory.visibility} - {*scopes}, visibility)


def _reset(tx: Transaction, memory: Memory, scopes: set[str], visibility: Visibility) -> Memory:
    """Give *memory* exactly *scopes*, and write it into the audit."""
    if scopes == {*memory.visibility}:
        return memory
    changed = tx.set_visibility(memory, sorted(scopes), by=visibility.agent)
    record_rights(tx, memory.id, old=memory.visibility, new=[*scopes], by=visibility.agent)
    return changed
