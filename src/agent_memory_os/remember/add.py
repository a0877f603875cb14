"""Adding: one draft, one transaction, one receipt."""

import dataclasses
from collections.abc import Iterable, Sequence

from agent_memory_os.errors import KeyReused, NotPermitted
from agent_memory_os.model import Draft, Memory, Progress, Receipt, State, Visibility
from agent_memory_os.providers.protocol import Made, VectorMaker
from agent_memory_os.pure import access
from agent_memory_os.pure import draft as drafts
from agent_memory_os.remember.opinion import Judging, Opinion
from agent_memory_os.store.contract import FirstReceipt, Store, Transaction

_STANDING: tuple[State, ...] = ("active", "superseded", "archived")  # which bear witness still
_SOURCES = 10_000  # of one memory that are looked at, to see when the first of them ends
_BULK = 500  # drafts in one call from which the store is told that there are many
REJECTED = "its owner has rejected it before; override=True stores it all the same"
SAID_SO = "its key named a memory that says so already"
UPDATED = "its key named a memory, which was updated"
DRY_RUN = "dry run: nothing was written, and what is stored will have another id"


def add(
    store: Store,
    draft: Draft,
    vectors: VectorMaker | None = None,
    judging: Judging | None = None,
    *,
    dry_run: bool = False,
) -> Receipt:
    """Write *draft* with its vector, if *vectors* makes some, and return what became of it.

    What a judge says of its rivals decides; if these change before the draft is written, it is
    asked once more. With *dry_run* nothing is kept of it, and no vector is made.

    Raises:
        KeyReused: its idempotency key was used with other content.
        NotPermitted: its owner may not share into a team or project, or there is none such.
    """
    made = () if vectors is None or dry_run else made_of(vectors, [draft.content])
    opinion = None if judging is None else heard(judging, store, draft)
    with store.write(dry_run=dry_run) as tx:
        receipt = put(tx, draft, opinion)
        if dry_run:
            return dry(receipt)
        return receipt if not made else keep_vector(tx, receipt, draft.content, made[0])


def add_many(
    store: Store,
    drafts_: Sequence[Draft],
    vectors: VectorMaker | None = None,
    tell: Progress | None = None,
    judging: Judging | None = None,
) -> list[Receipt]:
    """Write all of *drafts_* in one transaction; one receipt each, in order; all or none.

    *tell* is told on the way how many were written, while the transaction is open. A judge is
    asked of each draft once, before any is written.

    Raises:
        KeyReused, NotPermitted: as `add` does, for the first draft that fails.
    """
    if not drafts_:
        return []
    made = None if vectors is None else made_of(vectors, [draft.content for draft in drafts_])
    opinions: list[Opinion | None] = [None] * len(drafts_)
    if judging is not None:
        opinions = [heard(judging, store, draft) for draft in drafts_]
    todo: Iterable[Draft] = drafts_
    if tell is not None:
        from agent_memory_os.pure.steps import counted  # few follow what they write

        todo = counted(drafts_, tell)
    with store.write(bulk=len(drafts_) >= _BULK) as tx:
        receipts = [put(tx, *each) for each in zip(todo, opinions, strict=True)]
        if not made:
            return receipts
        return [
            keep_vector(tx, receipt, draft.content, each)
            for receipt, draft, each in zip(receipts, drafts_, made, strict=True)
        ]


def heard(judging: Judging, store: Store, draft: Draft, *, without: str = "") -> "Opinion":
    """Return what a judge says of *draft*, whose rival the memory *without* is not."""
    from agent_memory_os.remember.judge import hear  # loads the rules

    return hear(judging, store, draft, without=without)


def dry(receipt: Receipt) -> Receipt:
    """Return the *receipt* of a write that is not kept."""
    return dataclasses.replace(receipt, why=f"{receipt.why}; {DRY_RUN}", dry_run=True)


def made_of(vectors: VectorMaker, contents: Sequence[str]) -> Sequence[Made]:
    """Return what becomes of *contents*; nothing when no vectors are kept. Holds no lock."""
    return vectors.make(contents) if vectors.stores else ()


def keep_vector(tx: Transaction, receipt: Receipt, content: str, made: Made) -> Receipt:
    """Write the vector of *content* to the memory of *receipt*, if that is what it says.

    Without a vector the write stands, and the receipt says why.
    """
    if made.vector is not None:
        tx.put_vector(receipt.id, content, model=made.model, vector=made.vector)
        return receipt
    why = f"{receipt.why}; no vector was made, since the embedding function {made.problem}:"
    return dataclasses.replace(receipt, why=f"{why} client.admin.reembed() makes it")


def put(tx: Transaction, draft: Draft, opinion: Opinion | None = None) -> Receipt:
    """Write *draft* within *tx*; see `add`. The receipt says what was masked in it."""
    receipt = _put_once(tx, draft, opinion)
    if not draft.masked:
        return receipt
    return dataclasses.replace(receipt, why=f"{receipt.why}; {draft.masked}")


def _put_once(tx: Transaction, draft: Draft, opinion: Opinion | None) -> Receipt:
    """Write *draft*, unless its idempotency key was used: then it is what was answered first."""
    if draft.idempotency_key is None:
        return _write(tx, draft, opinion)
    digest = _digest(draft)
    first = tx.first_receipt(draft.owner, draft.idempotency_key)
    if first is None:
        receipt = _write(tx, draft, opinion)
        if receipt.verdict == "rejected":  # nothing was written: the call may be repeated
            return receipt
        kept = FirstReceipt(digest, receipt.memory, receipt.verdict, receipt.why)
        tx.keep_receipt(draft.owner, draft.idempotency_key, kept)
        return receipt
    if first.digest != digest:
        named = draft.idempotency_key.rpartition("\n")[2]  # as the caller typed it
        raise KeyReused(
            f"idempotency_key {named!r} was used before with other content;"
            " use a new key for a new memory"
        )
    return Receipt(first.memory, first.verdict, first.why)


def _digest(draft: Draft) -> str:
    """A digest of everything that the caller gave, the same in every process."""
    from hashlib import blake2b  # loads OpenSSL; most calls have no key

    values = dataclasses.asdict(draft)
    values["metadata"] = dict(draft.metadata)
    del values["masked"]  # words about it, and none of it
    return blake2b(drafts.encode(values).encode(), digest_size=16).hexdigest()


def _write(tx: Transaction, draft: Draft, opinion: Opinion | None) -> Receipt:
    check_sharing(tx, draft.owner, draft.visibility)
    if draft.override:
        tx.lift(draft)
    else:
        wrong = tx.rejected(draft)
        if wrong is not None:
            return Receipt(wrong, "rejected", REJECTED)
    if draft.key is not None:
        named = tx.keyed(draft.owner, draft.subject, draft.key)
        if named is not None and named.expires_ms is not None and named.expires_ms <= tx.now_ms:
            tx.set_state(named, "deleted", by=draft.owner)  # it is gone: the name is free again
        elif named is not None:
            return _rewrite(tx, draft, named, opinion)
    visibility = Visibility(draft.owner, tx.now_ms)
    rivals = tx.rivals(draft, visibility, counted=opinion is not None)
    if not rivals and not draft.supersedes and not draft.evidence:
        return Receipt(tx.insert(draft), "stored", "nothing like it was there")
    from agent_memory_os.remember.settle import settle  # loads the rules

    return settle(tx, draft, rivals, opinion)


def _rewrite(tx: Transaction, draft: Draft, named: Memory, opinion: Opinion | None) -> Receipt:
    """Update in place the memory that has the draft's key, and hold it against its rivals."""
    draft = _with_new_links(tx, draft, named)
    has_links = draft.supersedes or draft.evidence
    memory = within_sources(tx, _rewritten(draft, named, tx.now_ms), named)
    moved = named.occurred_ms if draft.occurred_ms is None else memory.occurred_ms
    same = dataclasses.replace(memory, visibility=draft.visibility, occurred_ms=moved) == named
    stays = drafts.stays(draft, named)
    done = SAID_SO if same else UPDATED
    if same and not has_links:
        return Receipt(named, "stored", f"{done}{stays}")
    rivals: list[Memory] = []
    if drafts.asserted(memory) != drafts.asserted(named):
        reader = Visibility(draft.owner, tx.now_ms)
        seen = tx.rivals(draft, reader, counted=opinion is not None)
        rivals = [rival for rival in seen if rival.id != named.id]
    if not same:
        memory = tx.replace(memory, by=draft.owner, kind="update")
    if draft.visibility != named.visibility:
        # Last, so that what was replaced is older than the new rights: nobody gains it by them.
        memory = tx.set_visibility(memory, draft.visibility, by=draft.owner)
        record_rights(tx, memory.id, old=named.visibility, new=draft.visibility, by=draft.owner)
    if not rivals and not has_links:
        return Receipt(memory, "stored", f"{done}{stays}")
    from agent_memory_os.remember.settle import resettle  # loads the rules

    receipt = resettle(tx, memory, draft, rivals, opinion, done=done)
    return dataclasses.replace(receipt, why=f"{receipt.why}{stays}")


def _rewritten(draft: Draft, named: Memory, now_ms: int) -> Memory:
    """Return *named* with what the draft says of it; its visibility is set apart."""
    return dataclasses.replace(
        named,
        content=draft.content,
        type=draft.type,
        layer=draft.layer,
        tags=draft.tags,
        metadata=draft.metadata,
        actor=draft.actor,
        entity=draft.entity,
        attribute=draft.attribute,
        occurred_ms=now_ms if draft.occurred_ms is None else draft.occurred_ms,
        valid_from_ms=draft.valid_from_ms,
        valid_to_ms=draft.valid_to_ms,
        expires_ms=drafts.expires_ms(draft, now_ms),
        importance=draft.importance,
        confidence=draft.confidence,
        pinned=draft.pinned,
    )


def within_sources(tx: Transaction, memory: Memory, was: Memory) -> Memory:
    """Return *memory*, as which *was* is to be written, with no later end than what it rests on."""
    now = memory.expires_ms
    if was.expires_ms is None or (now is not None and now <= was.expires_ms):
        return memory  # what rests on something that ends has an end itself
    # Those count as well that its owner has lost sight of: it ended with them before.
    ever = Visibility(memory.owner, tx.now_ms, admin=True, states=_STANDING, timeless=True)
    sources = tx.evidence([memory.id], ever, up=False, most=_SOURCES)
    ends = (now, *(source.expires_ms for _, source in sources))
    first = min((end for end in ends if end is not None), default=None)
    return dataclasses.replace(memory, expires_ms=first)


def _with_new_links(tx: Transaction, draft: Draft, named: Memory) -> Draft:
    """Return *draft* without what its key's memory has taken the place of, or rests on, already."""
    if not draft.supersedes and not draft.evidence:
        return draft
    older = {link.target_id for link in tx.successions(named.id, by=draft.owner)} | {named.id}
    seen = tx.passing(draft.evidence, drafts.reader(draft, tx.now_ms))
    sources = {source for _, source in tx.derivations([named.id], draft.evidence)} & seen
    return dataclasses.replace(
        draft,
        supersedes=tuple(each for each in draft.supersedes if each not in older),
        evidence=tuple(each for each in draft.evidence if each not in sources),
    )


def record_rights(
    tx: Transaction, memory_id: str, *, old: Sequence[str], new: Sequence[str], by: str
) -> None:
    """Write into the audit which scopes a memory gained, and which it lost."""
    for action, scopes in (("share", {*new} - {*old}), ("revoke", {*old} - {*new})):
        if scopes:
            tx.record(by, action, memory_id, {"scopes": [*sorted(scopes)]})


def check_sharing(tx: Transaction, agent: str, scopes: Sequence[str]) -> None:
    """Raise unless *agent* may share into all of *scopes*.

    Anyone may give to an agent or to everybody; into a team or project only its members share.

    Raises:
        NotPermitted: it is not a member of one; the message is the same as for one that is gone.
    """
    for scope in scopes:
        if scope.startswith(access.CLOSED) and not tx.holds(agent, scope):
            raise NotPermitted(
                f"agent {agent!r} cannot share into {scope!r}: it is not a member, or there is no"
                " such scope; client.org creates teams and adds members"
            )
