"""Payloads: bytes that are too heavy for an index, each kept once for an owner and a subject."""

# Memories are the handles of payloads, and the way to them: whoever sees the handle has the bytes.
# Equal bytes of two owners, or of two subjects of one owner, are kept twice, so that nobody learns
# by what it puts, or forgets, what others have.
#
# The pieces are masked by a key that each payload has to itself. What SQLite may leave of a small
# one in the gap of a page says nothing once the row with the key is gone, and no two payloads look
# alike, so that what is left of one can be told from what is kept of another.

from collections.abc import Iterator
from hashlib import blake2b, shake_128

from agent_memory_os.errors import StoreCorrupt
from agent_memory_os.model import Visibility
from agent_memory_os.pure import packing
from agent_memory_os.store.contract import Payload
from agent_memory_os.store.sqlite.access import gate
from agent_memory_os.store.sqlite.line import Line, Pen

FIND = """
    SELECT p.id, p.digest, p.bytes, h.chars, p.mask
    FROM memories m CROSS JOIN handles h ON h.memory = m.id
    CROSS JOIN payloads p ON p.id = h.payload WHERE m.uid = :uid AND {where}
"""
OWN_HANDLES = """
    SELECT m.uid FROM payloads p CROSS JOIN handles h ON h.payload = p.id
    CROSS JOIN memories m ON m.id = h.memory
    WHERE p.owner = :me AND p.digest = :digest AND (h.chars IS NULL) = :is_bytes AND {where}
    ORDER BY m.id
"""
PIECES = """
    SELECT place, packed FROM chunks
    WHERE payload = :payload AND place BETWEEN :first AND :last ORDER BY place
"""
SAME = """
    SELECT p.id FROM memories m
    CROSS JOIN payloads p ON p.owner = m.owner AND p.subject = m.subject AND p.digest = :digest
    WHERE m.uid = :uid
"""
NEW = """
    INSERT INTO payloads(owner, subject, digest, bytes, mask)
    SELECT m.owner, m.subject, :digest, :bytes, :mask FROM memories m WHERE m.uid = :uid
    RETURNING id
"""
NEW_PIECE = "INSERT INTO chunks(payload, place, packed) VALUES (?, ?, ?)"
HOLD = """
    INSERT OR IGNORE INTO handles(memory, payload, chars)
    SELECT m.id, :payload, :chars FROM memories m WHERE m.uid = :uid
"""
HELD_ALONE = """
    SELECT DISTINCT h.payload FROM handles h WHERE h.memory IN (SELECT value FROM json_each(:rows))
        AND NOT EXISTS (
            SELECT 1 FROM handles o WHERE o.payload = h.payload
                AND o.memory NOT IN (SELECT value FROM json_each(:rows))
        )
"""
MASK = "SELECT mask FROM payloads WHERE id = :payload"
DROP_HANDLES = "DELETE FROM handles WHERE memory IN (SELECT value FROM json_each(:rows))"
DROP_PIECES = "DELETE FROM chunks WHERE payload IN (SELECT value FROM json_each(:numbers))"
DROP_PAYLOADS = "DELETE FROM payloads WHERE id IN (SELECT value FROM json_each(:numbers))"
_UNHELD = "NOT EXISTS (SELECT 1 FROM handles h WHERE h.payload = {payload})"
EVERY = "SELECT id, digest, bytes, mask FROM payloads ORDER BY id"
ORPHANS = f"SELECT count(*) FROM payloads WHERE {_UNHELD.format(payload='payloads.id')}"
MISLED = """
    SELECT count(*) FROM handles h JOIN memories m ON m.id = h.memory
    JOIN payloads p ON p.id = h.payload WHERE p.owner <> m.owner OR p.subject <> m.subject
"""
MEND = (
    """DELETE FROM handles WHERE memory IN (
        SELECT h.memory FROM handles h JOIN memories m ON m.id = h.memory
        JOIN payloads p ON p.id = h.payload WHERE p.owner <> m.owner OR p.subject <> m.subject)""",
    f"DELETE FROM chunks WHERE {_UNHELD.format(payload='chunks.payload')}",
    f"DELETE FROM payloads WHERE {_UNHELD.format(payload='payloads.id')}",
)

_KEY_BITS = 128
_LAST = 1 << 40  # a place that no piece has
_MARK_BYTES = 16
_MARKED_EVERY = 256  # bytes of what of a piece may stand beside other rows on a page
_ON_A_PAGE = 1 << 12


def put(pen: Pen, memory_id: str, packed: packing.Packed) -> None:
    """Make a memory the handle of a payload, which is written if its partition has none such."""
    found = pen.db.execute(SAME, {"uid": memory_id, "digest": packed.digest}).fetchone()
    payload = found[0] if found is not None else _write(pen, memory_id, packed)
    values = {"uid": memory_id, "payload": payload, "chars": packed.chars}
    pen.db.execute(HOLD, values)


def _write(pen: Pen, memory_id: str, packed: packing.Packed) -> int:
    # Drawn, and made of what it is for: a host's entropy that repeats must give no two alike.
    seed = f"{pen.entropy(_KEY_BITS):x} {pen.tick()} {packed.digest}"
    mask = blake2b(seed.encode(), digest_size=_KEY_BITS // 8).digest()
    values = {
        "uid": memory_id,
        "digest": packed.digest,
        "bytes": packed.size_bytes,
        "mask": mask,
    }
    (payload,) = pen.db.execute(NEW, values).fetchone()
    pieces = (
        (payload, place, _masked(mask, place, chunk)) for place, chunk in enumerate(packed.chunks)
    )
    pen.db.executemany(NEW_PIECE, pieces)
    return int(payload)


def _masked(mask: bytes, place: int, piece: bytes) -> bytes:
    """Return *piece* masked, or unmasked."""
    size = len(piece)
    stream = shake_128(mask + place.to_bytes(8, "big")).digest(size)
    mixed = int.from_bytes(piece, "big") ^ int.from_bytes(stream, "big")
    return mixed.to_bytes(size, "big")


def read(
    line: Line, memory_id: str, visibility: Visibility, *, start: int, stop: int | None
) -> Payload | None:
    """Return the payload of a visible handle with its bytes from *start* to *stop*.

    None when there is no such handle that passes the gate.

    Raises:
        StoreCorrupt: the bytes are not those that were put.
    """
    passes = gate(line.db, line.names, visibility)
    values = passes.parameters | {"uid": memory_id}
    found = line.db.execute(FIND.format(where=passes.sql), values).fetchone()
    if found is None:
        return None
    payload, digest, size, chars, mask = found
    end = size if stop is None else min(stop, size)
    first, last = start // packing.CHUNK_BYTES, (end - 1) // packing.CHUNK_BYTES
    data = b"".join(_pieces(line, payload, mask, first, last)) if start < end else b""
    at = start - first * packing.CHUNK_BYTES
    is_all = start == 0 and end == size
    if is_all and not packing.is_whole(data, digest):
        raise _damaged(memory_id)
    part = data if is_all else data[at : at + end - start]
    if len(part) != max(0, end - start):
        raise _damaged(memory_id)
    return Payload(digest, size, chars, part)


def _pieces(line: Line, payload: int, mask: bytes, first: int, last: int) -> Iterator[bytes]:
    values = {"payload": payload, "first": first, "last": last}
    for place, packed in line.db.execute(PIECES, values):
        try:
            yield packing.unpack(_masked(mask, place, packed))
        except ValueError as error:
            raise StoreCorrupt(f"a payload cannot be read: {error}. Restore a backup") from error


def _damaged(memory_id: str) -> StoreCorrupt:
    return StoreCorrupt(
        f"the payload of memory {memory_id!r} is not what was put. Restore a backup"
    )


def own_handles(line: Line, digest: str, visibility: Visibility, *, is_text: bool) -> list[str]:
    """Return the reader's own handles of a payload, as far as they pass the gate."""
    passes = gate(line.db, line.names, visibility)
    values = passes.parameters | {"digest": digest, "is_bytes": not is_text}
    statement = OWN_HANDLES.format(where=passes.sql)
    return [uid for (uid,) in line.db.execute(statement, values)]


def held_alone(line: Line, rows: str) -> list[int]:
    """Return the payloads that no other memories are handles of than those *rows*, in JSON."""
    return [payload for (payload,) in line.db.execute(HELD_ALONE, {"rows": rows})]


def marks(line: Line, payload: int) -> list[bytes]:
    """Return bytes that stand for a payload and for nothing else: its key, and parts of pieces."""
    (mask,) = line.db.execute(MASK, {"payload": payload}).fetchone()
    found = [mask]
    everything = {"payload": payload, "first": 0, "last": _LAST}
    for _, packed in line.db.execute(PIECES, everything):
        starts = [*range(0, min(len(packed), _ON_A_PAGE), _MARKED_EVERY), len(packed) - _MARK_BYTES]
        found += [packed[start : start + _MARK_BYTES] for start in starts if start >= 0]
    return [mark for mark in found if len(mark) == _MARK_BYTES]


def damaged(line: Line) -> int:
    """Return how many payloads are not what was put; reads all of them."""
    return sum(
        not _is_sound(line, payload, digest, size, mask)
        for payload, digest, size, mask in line.db.execute(EVERY).fetchall()
    )


def _is_sound(line: Line, payload: int, digest: str, size: int, mask: bytes) -> bool:
    try:
        data = b"".join(_pieces(line, payload, mask, 0, _LAST))
    except StoreCorrupt:
        return False
    return len(data) == size and packing.is_whole(data, digest)


def mend(pen: Pen) -> None:
    """Drop what no memory is a handle of, and handles of what is another owner's or subject's."""
    for statement in MEND:
        pen.db.execute(statement)
