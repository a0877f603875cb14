"""The segments of the word index, as FTS5 writes them down."""

# Read only to erase: to see which terms the index spells, though no memory holds them, and to keep
# what erasing does to it within bounds. Source: the comments of SQLite's fts5_index.c, which have
# described the format since 2015.

from collections.abc import Iterable, Iterator

_HEADER = 4  # bytes: of the cookie of the structure, and of the two offsets of a leaf
_NEWER = b"\xff\x00\x00\x01"  # after the cookie: a form of SQLite 3.43, which bounds levels itself
_MOST_LEVELS, _LEVELS = 48, 16
_LEAF_BITS, _SEGMENT_BITS = 31, 37  # of the number of a page: its place, its height, its segment


def varint(block: bytes, at: int) -> tuple[int, int]:
    """Return the number that is written at *at*, and where it ends."""
    value = 0
    for count in range(9):
        byte = block[at + count]
        if count == 8:
            return value << 8 | byte, at + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + count + 1
    raise AssertionError("a number has at most nine bytes")


def _written(value: int) -> bytes:
    """Return *value*, of at most 56 bits, as `varint` reads it."""
    parts = [value & 0x7F]
    while value := value >> 7:
        parts.append(value & 0x7F | 0x80)
    return bytes(reversed(parts))


def lowered(block: bytes) -> bytes | None:
    """Return the structure *block* without most of its empty levels; None when it has few.

    SQLite before 3.43 adds two levels whenever all segments are merged, and has no room for more
    than 2,000: the index would be full after a thousand erasures. The order of the segments, which
    says what is newer, stays; a merge that has begun writes to the level after its own, and no
    empty one is between those.
    """
    if block[_HEADER : 2 * _HEADER] == _NEWER:
        return None
    count, at = varint(block, _HEADER)
    if count <= _MOST_LEVELS:
        return None
    segments, at = varint(block, at)
    writes, at = varint(block, at)
    levels = []
    for _ in range(count):
        begin = at
        _, at = varint(block, at)  # how many are being merged
        size, at = varint(block, at)
        for _ in range(3 * size):  # a segment: its number, its first and its last leaf
            _, at = varint(block, at)
        levels.append((size, block[begin:at]))
    kept: list[bytes] = []
    surplus = count - _LEVELS
    for size, level in reversed(levels):
        if size or not surplus:
            kept.append(level)
        else:
            surplus -= 1
    head = block[:_HEADER] + _written(len(kept)) + _written(segments) + _written(writes)
    return head + b"".join(reversed(kept))


def spelt(pages: Iterable[tuple[int, bytes]]) -> Iterator[str]:
    """Yield the terms that the *pages* of an index spell; each is (number, block)."""
    for number, block in pages:
        is_leaf = number >> _SEGMENT_BITS and not number >> _LEAF_BITS & 0x3F
        if is_leaf:
            yield from _terms(block)


def _terms(leaf: bytes) -> Iterator[str]:
    """Yield the terms of one leaf; each spells only what the one before it does not begin with."""
    end = int.from_bytes(leaf[2:4], "big")
    at, begin, term = end, 0, b""
    while at < len(leaf):
        step, at = varint(leaf, at)
        shared, place = 0, begin + step
        if begin:
            shared, place = varint(leaf, place)
        begin += step
        size, place = varint(leaf, place)
        term = term[:shared] + leaf[place : place + size]
        yield term[1:].decode("utf-8", "replace")  # the first byte says of which index it is
