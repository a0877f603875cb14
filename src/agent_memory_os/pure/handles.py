"""Handles: what stands in a prompt in place of something heavy, and names it."""

import re
from collections.abc import Callable, Mapping

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import JSON
from agent_memory_os.pure import bounds, ids, summary
from agent_memory_os.pure.excerpt import ELLIPSIS
from agent_memory_os.pure.graphemes import boundary
from agent_memory_os.pure.packing import Packed

NOTE = "offload"  # in the metadata of a handle: digest, bytes and lines of its payload
# As dear as an id can be: digits and letters in turn.
_DEAREST_ID = ("0a" * 13)[: ids.DIGITS]
_NAMED = re.compile(rf"\s*\[offloaded ({ids.ID})\]")


def parse_payload(value: object, *, most_bytes: int) -> str | bytes:
    """Return *value* if it can be put away.

    Raises:
        InvalidInput: it is neither text nor bytes, not Unicode text, or larger than *most_bytes*.
    """
    if isinstance(value, bytearray | memoryview):
        value = bytes(value)
    if not isinstance(value, str | bytes):
        raise InvalidInput(f"payload must be a string or bytes, not {type(value).__name__}")
    if isinstance(value, str):
        bounds.text(value, "payload")
    size = len(value) if isinstance(value, bytes) or value.isascii() else len(value.encode())
    if size > most_bytes:
        raise InvalidInput(
            f"payload has {size:,} bytes; at most {most_bytes:,} are allowed"
            " (Settings.max_payload_bytes): split it, or keep it in a file and put its path"
        )
    return value


def parse_ref(value: object, what: str = "ref") -> str:
    """Return the id that *value* names: an id, or a text that begins as handles do.

    >>> parse_ref("[offloaded 191aabbccddeeff0011223344] grep: text, 2 lines, 9 bytes")
    '191aabbccddeeff0011223344'

    Raises:
        InvalidInput: it is no string.
    """
    text = bounds.text(value, what)
    found = _NAMED.match(text)
    return text if found is None else found[1]


def text_of(memory_id: str, content: str, *, fits: Callable[[str], bool]) -> str:
    """Return the text of a handle: its name and what it says, cut to what *fits*."""
    whole = f"[offloaded {memory_id}] {content}"
    if fits(whole):
        return whole
    low, high = len(whole) - len(content), len(whole)
    while low < high:  # the most characters that fit: more text never takes fewer tokens
        middle = (low + high + 1) // 2
        if fits(_cut(whole, middle)):
            low = middle
        else:
            high = middle - 1
    return _cut(whole, low)


def _cut(text: str, at: int) -> str:
    return text[: boundary(text, at)].rstrip() + ELLIPSIS


def content_of(
    payload: str | bytes, *, name: str, said: str | None, fits: Callable[[str], bool]
) -> str:
    """Return what the handle of *payload* says: what it is, and its summary.

    Args:
        payload: a text or bytes.
        name: what it is called; may be empty.
        said: a summary of the caller's, in place of one by rules.
        fits: whether the text of a handle is short enough.
    """
    if said is not None:
        first = summary.summary(payload, head=name, fits=lambda text: False)
        return f"{first}\n{said}"
    return summary.summary(
        payload, head=name, fits=lambda text: fits(f"[offloaded {_DEAREST_ID}] {text}")
    )


def note_of(packed: Packed, payload: str | bytes) -> dict[str, JSON]:
    """Return what the metadata of a handle say of its payload."""
    note: dict[str, JSON] = {"digest": packed.digest, "bytes": packed.size_bytes}
    if isinstance(payload, str):
        note["lines"] = summary.line_count(payload)
    return {NOTE: note}


def is_handle(metadata: Mapping[str, JSON]) -> bool:
    """Return whether a memory with such metadata says to be a handle."""
    return isinstance(metadata.get(NOTE), dict)
