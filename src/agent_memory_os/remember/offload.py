"""Offloading: what is too heavy for a prompt is put away, and a memory is its handle."""

from collections.abc import Sequence
from dataclasses import replace

from agent_memory_os.model import Draft, Memory, Receipt, Visibility
from agent_memory_os.providers.protocol import VectorMaker
from agent_memory_os.pure.packing import Parcel
from agent_memory_os.remember import add
from agent_memory_os.store.contract import Store, Transaction

KNOWN = "it was put away before"


def put(store: Store, parcel: Parcel, vectors: VectorMaker | None = None) -> Receipt:
    """Put a payload away, and return the receipt of its handle.

    Raises:
        KeyReused, NotPermitted: as `add` does.
    """
    return _put_all(store, [parcel], vectors, None)[0]


def put_once(
    store: Store, parcels: Sequence[Parcel], visibility: Visibility, vectors: VectorMaker | None
) -> list[Receipt]:
    """Put payloads away in one transaction; what has such a handle already gets that.

    Raises:
        NotPermitted: as `add` does; nothing was written.
    """
    return _put_all(store, parcels, vectors, visibility) if parcels else []


def _put_all(
    store: Store,
    parcels: Sequence[Parcel],
    vectors: VectorMaker | None,
    visibility: Visibility | None,
) -> list[Receipt]:
    contents = [parcel.handle.content for parcel in parcels]
    made = () if vectors is None else add.made_of(vectors, contents)
    receipts = []
    with store.write() as tx:
        for number, parcel in enumerate(parcels):
            known = None if visibility is None else _known(tx, parcel, visibility)
            if known is not None:
                receipts.append(Receipt(known, "stored", KNOWN))
                continue
            receipt = add.put(tx, parcel.handle)
            tx.put_payload(receipt.id, parcel.packed)
            if made:
                receipt = add.keep_vector(tx, receipt, contents[number], made[number])
            receipts.append(_explained(receipt, parcel.why))
    return receipts


def _explained(receipt: Receipt, why: str) -> Receipt:
    return replace(receipt, why=f"{receipt.why}; {why}") if why else receipt


def _known(tx: Transaction, parcel: Parcel, visibility: Visibility) -> Memory | None:
    """Return the first handle that says of the payload what the parcel's would say, if any."""
    is_text = parcel.packed.chars is not None
    ids = tx.own_handles(parcel.packed.digest, visibility, is_text=is_text)
    wanted = _said(parcel.handle)
    found = (memory for memory in tx.read(ids, visibility) if _said(memory) == wanted)
    return min(found, key=lambda memory: memory.id, default=None)


def _said(of: Draft | Memory) -> tuple[object, ...]:
    said = (of.content, of.type, of.subject, of.session, of.visibility, of.actor)
    return (*said, dict(of.metadata))
