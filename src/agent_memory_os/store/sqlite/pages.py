"""The bytes of the file as they are, also those that SQLite does not use."""

# What SQLite frees it overwrites (secure_delete), but for one case: when it lays out a page of a
# B-tree anew, bytes of what stood there stay in the gap between the page's pointers and its cells.
# Where there is a whole word in a gap, only a rewrite of the file (VACUUM) takes it away.

import os
import re
import sqlite3
from collections.abc import Iterable, Iterator

SIDE_FILES = ("-wal", "-journal", "-shm")  # beside the file; the last holds numbers of pages alone

_CHUNK = 1 << 24  # bytes that are read at once; a multiple of every size of a page
_BTREE = {2: 12, 5: 12, 10: 8, 13: 8}  # by the first byte of a page: bytes of its header
_FIRST_HEADER = 100  # bytes before the header of the first page
_CONTENT = re.compile(rb"[\x20-\xff]{3,}")  # no pointer has three such bytes in a row
_WORD = re.compile(r"\w+")
_LEAST_BYTES = 4  # of a word


def blocks(db: sqlite3.Connection, path: str | None) -> Iterator[bytes]:
    """Yield the bytes of the database, in order; *path* is None in memory."""
    if path is not None:
        yield from read(path)
    elif hasattr(db, "serialize"):  # SQLite can be built without it
        yield db.serialize()


def read(path: str) -> Iterator[bytes]:
    """Yield the bytes of a file that SQLite may have open.

    They are read by SQLite's own descriptor: closing another one, whoever opened it, would take all
    locks from the file that this process has (POSIX), and others would write in between.
    """
    descriptor = _descriptor(path)
    if descriptor is None:
        with open(path, "rb") as file:
            while chunk := file.read(_CHUNK):
                yield chunk
        return
    at = 0
    while chunk := os.pread(descriptor, _CHUNK, at):
        yield chunk
        at += len(chunk)


def _descriptor(path: str) -> int | None:
    """Return a descriptor by which this process has a file open; None when it has none."""
    if not hasattr(os, "pread"):
        return None  # on Windows, where closing one drops no lock of another
    wanted = os.stat(path)
    numbers = map(int, os.listdir("/dev/fd")) if os.path.isdir("/dev/fd") else range(3, 4096)
    for number in numbers:
        try:
            if os.path.samestat(os.fstat(number), wanted):
                os.pread(number, 1, 0)
                return number
        except OSError:  # closed meanwhile, or open for writing alone
            continue
    return None


def keep(pieces: Iterable[bytes], texts: Iterable[str], marks: Iterable[bytes]) -> bool:
    """Return whether a gap of a page holds a word of erased *texts*, or one of *marks*."""
    left = b"\n".join(_gaps(pieces))
    begins = {left[at : at + _LEAST_BYTES] for at in range(len(left))}
    words = {word.encode() for text in texts for word in _WORD.findall(text)}
    return any(
        part[:_LEAST_BYTES] in begins and part in left
        for part in (*words, *marks)
        if len(part) >= _LEAST_BYTES
    )


def _gaps(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield what stands in the gaps of the pages of B-trees, where that is more than pointers."""
    size, header = 0, _FIRST_HEADER
    for piece in pieces:
        size = size or int.from_bytes(piece[16:18], "big")
        size = 1 << 16 if size == 1 else size
        for start in range(0, len(piece), size):
            gap = _gap(piece[start : start + size], header)
            header = 0
            if _CONTENT.search(gap):
                yield gap.strip(b"\0")


def _gap(page: bytes, at: int) -> bytes:
    """Return the unused bytes between the pointers and the cells of a page; *at* is its header."""
    length = _BTREE.get(page[at])
    if length is None:
        return b""
    cells = int.from_bytes(page[at + 3 : at + 5], "big")
    content = int.from_bytes(page[at + 5 : at + 7], "big") or len(page)
    return page[at + length + 2 * cells : content]
