"""Capturing: what happened in a turn, word for word, once."""

import dataclasses
from collections.abc import Sequence
from hashlib import blake2b

from agent_memory_os.errors import KeyReused, NotFound
from agent_memory_os.model import (
    All,
    Compare,
    Draft,
    Field,
    Filters,
    Memory,
    Receipt,
    Session,
    Visibility,
)
from agent_memory_os.noun import Noun
from agent_memory_os.providers.protocol import VectorMaker
from agent_memory_os.pure import access
from agent_memory_os.pure import draft as drafts
from agent_memory_os.pure.messages import SESSION_END
from agent_memory_os.remember.add import check_sharing, keep_vector, made_of
from agent_memory_os.store.contract import FirstReceipt, Store, Transaction

_BULK = 500  # events in one call from which the store is told that there are many
_STORED = "it was captured"
_ENDED = "The session ended."
_DIGITS = 20  # of a turn's number, so that keys sort as numbers do


class Turn(Noun):
    """What is captured in one go.

    Attributes:
        session: the conversation.
        turn: which turn of it, by number or name; None for the next.
        events: the events in order, with the place of each in the turn. They have one owner, one
            subject and one visibility.
        whys: what was left out of each, in words.
    """

    session: str
    turn: int | str | None
    events: Sequence[tuple[str, Draft]]
    whys: Sequence[str]


def capture(
    store: Store, turn: Turn, vectors: VectorMaker | None = None
) -> tuple[int | str, list[Receipt]]:
    """Write the events of *turn* that are not there yet; return which turn it is, and receipts.

    Raises:
        KeyReused: an event of that place of that turn is there, and says otherwise.
        NotPermitted: their owner may not share into a team or project, or there is none such.
    """
    events = [draft for _, draft in turn.events]
    made = () if vectors is None else made_of(vectors, [draft.content for draft in events])
    with store.write(bulk=len(events) >= _BULK) as tx:
        named = _next(tx, turn) if turn.turn is None else turn.turn
        receipts = _put(tx, turn, named)
        if made:
            receipts = [
                keep_vector(tx, receipt, draft.content, each)
                for receipt, draft, each in zip(receipts, events, made, strict=True)
            ]
    told = zip(receipts, turn.whys, [draft.masked for draft in events], strict=True)
    return named, [_explained(receipt, *whys) for receipt, *whys in told]


def _explained(receipt: Receipt, *whys: str) -> Receipt:
    why = "; ".join(filter(None, (receipt.why, *whys)))
    return receipt if why == receipt.why else dataclasses.replace(receipt, why=why)


def _put(tx: Transaction, turn: Turn, named: int | str) -> list[Receipt]:
    """Write what is new, all of it or none."""
    if not turn.events:
        return []
    owner, visibility = turn.events[0][1].owner, turn.events[0][1].visibility
    prefix = _prefix(turn) + _turn_key(named)
    keys = [f"{prefix}\n{position}" for position, _ in turn.events]
    digests = [_digest(draft) for _, draft in turn.events]
    known = {} if turn.turn is None else tx.first_receipts(owner, keys)
    if len(known) < len(keys):
        check_sharing(tx, owner, visibility)
    new: dict[str, FirstReceipt] = {}
    receipts = []
    for key, digest, (position, draft) in zip(keys, digests, turn.events, strict=True):
        first = known.get(key)
        if first is None:
            metadata = {**draft.metadata, "turn": named}
            memory = tx.insert(dataclasses.replace(draft, metadata=metadata))
            first = new[key] = FirstReceipt(digest, memory, "stored", _STORED)
        elif first.digest != digest:
            raise KeyReused(
                f"turn {named!r} of session {turn.session!r} has another message at {position};"
                " turn=None captures the next turn"
            )
        receipts.append(Receipt(first.memory, first.verdict, first.why))
    if new:
        tx.keep_receipts(owner, new)
    return receipts


def _prefix(turn: Turn) -> str:
    """Return how all keys of the session begin: as none does that somebody types."""
    subject = turn.events[0][1].subject if turn.events else None
    return f"\ncapture\n{subject or ''}\n{turn.session}\n"


def _turn_key(named: int | str) -> str:
    return f"#{named:0{_DIGITS}}" if isinstance(named, int) else f"={named}"


def _next(tx: Transaction, turn: Turn) -> int:
    if not turn.events:
        return 1
    numbers = f"{_prefix(turn)}#"
    last = tx.last_key(turn.events[0][1].owner, numbers)
    return 1 if last is None else int(last[len(numbers) :].partition("\n")[0]) + 1


def _digest(draft: Draft) -> str:
    """A digest of what happened, the same in every process; of its turn the key tells."""
    said = (
        draft.content,
        draft.type,
        draft.actor,
        draft.occurred_ms,
        draft.visibility,
        draft.metadata,
    )
    return blake2b(drafts.encode(said).encode(), digest_size=16).hexdigest()


def end_session(
    store: Store, session: str, visibility: Visibility, vectors: VectorMaker | None = None
) -> tuple[Session, str | None]:
    """Say that a session ended, unless that was the last thing said in it.

    It is an event like the others: of the owner, subject and visibility of the last of the agent's
    own, and what is captured later reopens the session.

    Returns:
        The session, and the id of the event, if there is a new one.

    Raises:
        NotFound: the agent has captured nothing in it.
    """
    made = () if vectors is None else made_of(vectors, [_ENDED])
    with store.write() as tx:
        last = _last(tx, session, visibility)
        receipt = None
        if last.type != SESSION_END:
            receipt = Receipt(tx.insert(_end(tx, last)), "stored", _STORED)
            if made:
                keep_vector(tx, receipt, _ENDED, made[0])
        found = tx.sessions(visibility, session=session, subject=None, limit=1)
        if not found:  # of all that was said only its end is left
            raise _nothing_captured(session, visibility)
    return found[0], None if receipt is None else receipt.id


def _last(tx: Transaction, session: str, visibility: Visibility) -> Memory:
    of_session = All((Compare(Field("session"), "eq", session),))
    own = Filters(layers=(0,), owner=visibility.agent, where=of_session)
    last = tx.browse(visibility, own, limit=1)
    if not last:
        raise _nothing_captured(session, visibility)
    return last[0]


def _nothing_captured(session: str, visibility: Visibility) -> NotFound:
    return NotFound(f"agent {visibility.agent!r} has captured nothing in session {session!r}")


def _end(tx: Transaction, last: Memory) -> Draft:
    """Return the event of an end; where the agent may share no more, it does not."""
    shared = [
        scope
        for scope in last.visibility
        if not scope.startswith(access.CLOSED) or tx.holds(last.owner, scope)
    ]
    return Draft(
        _ENDED,
        last.owner,
        subject=last.subject,
        type=SESSION_END,
        layer=0,
        visibility=tuple(shared),
        metadata={"role": "event"},
        session=last.session,
        merge=False,
    )
