"""Payloads as they are kept: cut into pieces, each of them made small."""

# What only heavy payloads need is loaded with the first of them: the package names `Packed`.

from agent_memory_os.model import Draft
from agent_memory_os.noun import Noun

CHUNK_BYTES = 1 << 18  # of a piece before it is made small; the last has what is left


class Packed(Noun):
    """A payload, ready to be kept.

    Attributes:
        digest: SHA-256 of its bytes, hexadecimal.
        size_bytes: how many bytes it has.
        chars: how many characters it has, if it is a text; else None.
        chunks: its pieces in order, compressed.
    """

    digest: str
    size_bytes: int
    chars: int | None
    chunks: tuple[bytes, ...]


class Parcel(Noun):
    """Something heavy, and the handle that it is to have.

    Attributes:
        handle: the draft of the handle.
        packed: the payload.
        why: what is to be known of it, such as what was masked in it; may be empty.
    """

    handle: Draft
    packed: Packed
    why: str = ""


def pack(payload: str | bytes) -> Packed:
    """Return *payload* in pieces; the same pieces for the same payload."""
    import zlib

    data = payload.encode() if isinstance(payload, str) else payload
    starts = range(0, len(data), CHUNK_BYTES)
    return Packed(
        _digest(data),
        len(data),
        len(payload) if isinstance(payload, str) else None,
        tuple(zlib.compress(data[start : start + CHUNK_BYTES]) for start in starts),
    )


def unpack(chunk: bytes) -> bytes:
    """Return the bytes of a piece.

    Raises:
        ValueError: they are not those that were packed.
    """
    import zlib

    try:
        return zlib.decompress(chunk)
    except zlib.error as error:
        raise ValueError(f"a piece of a payload is damaged: {error}") from error


def is_whole(data: bytes, digest: str) -> bool:
    """Return whether *data* are the bytes of the payload of that *digest*."""
    return _digest(data) == digest


def _digest(data: bytes) -> str:
    from hashlib import sha256

    return sha256(data).hexdigest()
