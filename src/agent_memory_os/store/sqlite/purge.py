"""Purging: the bytes of what was erased leave the file, in short steps."""

# What is erased leaves its tables at once, and SQLite overwrites what it frees (secure_delete).
# Three places are left. The word index only notes that its entries are gone: its segments, and the
# note, spell them until all segments are merged into one. The log holds older pages until it is
# truncated, which nobody can do while somebody reads an older state. And, seldom, fragments stay in
# pages (`pages.py`): who erased knows what to look for; whoever else goes on rewrites the file
# instead. `purges` has a row for each erasure that waits, so that any process can go on.

import json
import sqlite3
from collections.abc import Sequence

from agent_memory_os.store.sqlite.structure import lowered

ASK = "INSERT INTO purges(stage) VALUES (0)"
ERASED, MERGING, MERGED = 0, 1, 2
STAGES = "SELECT min(stage), max(stage = 1) FROM purges"
STAGE = "SELECT min(stage) FROM purges WHERE id IN (SELECT value FROM json_each(:ids))"
EVERY = "SELECT id FROM purges"
SET_STAGE = "UPDATE purges SET stage = :to WHERE stage = :of"
DONE = "DELETE FROM purges WHERE id IN (SELECT value FROM json_each(:ids))"
MERGE = "INSERT INTO words(words, rank) VALUES ('merge', ?)"
STRUCTURE = "SELECT block FROM words_data WHERE id = 10"
SET_STRUCTURE = "UPDATE words_data SET block = ? WHERE id = 10"

INDEX_LEFT = (
    "the word index still spells it and is being rewritten: call client.admin.purge(), or the next"
    " forget goes on"
)
LOG_LEFT = (
    "the log of the file still holds it, since somebody reads or writes: end reads that take long,"
    " and call client.admin.purge()"
)
FRAGMENTS_LEFT = (
    "fragments of it are left in the pages of the file, and rewriting it would hold up writers for"
    " long: call client.admin.purge() when they can wait"
)

LOG_WAIT_S = 0.3  # for those who read or write to let go of the log
MOST_REWRITTEN = 1 << 27  # bytes of a file that a forget rewrites: about two seconds
_PAGES = 128  # of the index that one step writes; some 10 ms
_NOTHING_DONE = 2  # changes of a merge below which it found nothing to do (FTS5, "merge")


def every(db: sqlite3.Connection) -> list[int]:
    """Return the erasures that wait."""
    return [number for (number,) in db.execute(EVERY)]


def stage(db: sqlite3.Connection, ids: Sequence[int]) -> int | None:
    """Return how far that of the erasures *ids* is that is least far; None when none waits."""
    found: int | None = db.execute(STAGE, {"ids": json.dumps(ids)}).fetchone()[0]
    return found


def step(db: sqlite3.Connection) -> None:
    """Rewrite a part of the word index, within a write transaction.

    A merge that was begun is ended before another begins: the entries of an erasure are gone after
    a merge that began after it. Only the first step of one is asked for with a negative number,
    which takes in all segments; asked so again, one segment would be merged with itself for ever.
    """
    least, is_merging = db.execute(STAGES).fetchone()
    if is_merging:
        if not _merge(db, _PAGES):
            db.execute(SET_STAGE, {"of": MERGING, "to": MERGED})
            _lower(db)
    elif least == ERASED:
        _merge(db, -_PAGES)
        db.execute(SET_STAGE, {"of": ERASED, "to": MERGING})


def _merge(db: sqlite3.Connection, pages: int) -> bool:
    """Merge segments of the word index; False when there was nothing to merge."""
    before = db.total_changes
    db.execute(MERGE, (pages,))
    return db.total_changes - before >= _NOTHING_DONE


def _lower(db: sqlite3.Connection) -> None:
    """Take empty levels out of the index; right after a merge, when no connection caches them."""
    (block,) = db.execute(STRUCTURE).fetchone()
    lower = lowered(block)
    if lower is not None:
        db.execute(SET_STRUCTURE, (lower,))


def end(db: sqlite3.Connection, ids: Sequence[int]) -> None:
    """Let the erasures *ids* wait for nothing more."""
    db.execute(DONE, {"ids": json.dumps(ids)})
