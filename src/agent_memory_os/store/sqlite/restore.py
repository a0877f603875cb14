"""Restoring: a backup takes the place of what a store holds."""

# The backup is made ready beside the store, in a file without a name, and then written over it in
# one transaction of SQLite's own: a kill leaves the old or the new, and whoever has the file open
# sees one or the other. What was deleted or forgotten since the backup stays so: that is read from
# the store before, and looked at once more when its lock is held.

import contextlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple

from agent_memory_os.errors import InvalidInput, StoreBusy, StoreCorrupt, StoreError
from agent_memory_os.model import Finding, Progress
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Tombstones
from agent_memory_os.store.sqlite import (
    backup,
    erasure,
    invariants,
    memories,
    place,
    rejections,
    schema,
)
from agent_memory_os.store.sqlite.connect import Connection, Connections, translate
from agent_memory_os.store.sqlite.line import Line, Pen

DELETED = "SELECT uid, version, deleted_ms FROM tombstones WHERE forgotten = 0"
HOLDS = "SELECT count(*) FROM memories WHERE state <> 4"
FILE = "SELECT file FROM state"
ERASURES = "SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'purges'"
PENDING = "SELECT count(*) FROM purges"
STILL_THERE = f"""
    SELECT {memories.COLUMNS} FROM json_each(:ids) gone
    CROSS JOIN memories m ON m.uid = gone.value WHERE m.state NOT IN (3, 4)
"""
RETIRE = """
    UPDATE memories SET state = 3
    WHERE state IN (1, 2) AND uid IN (SELECT value FROM json_each(:ids))
"""
BURY = "INSERT OR IGNORE INTO tombstones(uid, version, deleted_ms) VALUES (?, ?, ?)"
# No reader anywhere knows such an epoch: whatever it remembers of names is looked up again.
NEW_EPOCH = "UPDATE state SET epoch = abs(random() >> 1)"
KEEP_NAME = "UPDATE state SET file = :file"
PURGE_LATER = "INSERT INTO purges(id, stage) VALUES (:id, 0)"
NOT_NEEDED = "DELETE FROM purges"
_MOST_TRIES = 5  # to hold the lock before anything is deleted or forgotten once more


class Standing(NamedTuple):
    """What a store holds that outlives a restore.

    holds: how many memories, in whatever state.
    file: what the file calls itself.
    deleted: tombstones of what was deleted, as they are.
    forgotten: what was erased, and what was rejected.
    erasures: the number of the last erasure.
    pending: how many of them still have bytes in the file.
    """

    holds: int
    file: str
    deleted: tuple[tuple[str, int, int], ...]
    forgotten: Tombstones
    erasures: int
    pending: int


def standing(line: Line) -> Standing:
    """Return what of a store outlives a restore."""

    def one(statement: str) -> int:
        return int(line.db.execute(statement).fetchone()[0])

    (file,) = line.db.execute(FILE).fetchone()
    deleted = tuple(line.db.execute(DELETED).fetchall())
    forgotten = erasure.tombstones(line)
    return Standing(one(HOLDS), file, deleted, forgotten, one(ERASURES), one(PENDING))


class Stage(NamedTuple):
    """A backup that is made ready; *version* is the one that it had."""

    db: Connection
    version: int


@contextlib.contextmanager
def staged(path: str, store: str | None, steps: Sequence[schema.Step]) -> Iterator[Stage]:
    """Yield the backup at *path* in a file without a name, of the last version, not yet checked.

    Raises:
        InvalidInput: it is the store itself.
        StoreError: there is none, it is no store's, it is damaged, or a newer library wrote it.
    """
    _refuse(path, store)
    db = sqlite3.connect("", isolation_level=None, factory=Connection)
    try:
        try:
            version = _load(path, db, steps)
            _bring_up_to_date(db, path, steps)
        except sqlite3.Error as error:
            raise translate(error, path) from error
        yield Stage(db, version)
    finally:
        db.close()


def _refuse(path: str, store: str | None) -> None:
    if not os.path.isfile(path):
        raise StoreError(f"there is no backup at {path}")
    if store is not None and os.path.exists(store) and os.path.samefile(path, store):
        raise InvalidInput(f"{path} is the store itself; name a backup of it")
    place.refuse_lost(path)
    place.refuse_other_log(path)


def _load(path: str, stage: Connection, steps: Sequence[schema.Step]) -> int:
    """Copy the backup, and return its version."""
    mode = place.read_only_mode(path)
    if mode is None:
        raise StoreError(
            f"{path} has a log beside it that cannot be read here; copy both to a writable folder"
        )
    source = sqlite3.connect(place.address(path, mode), uri=True, isolation_level=None)
    try:
        version = schema.refuse_newer(source, path, steps)
        if version == 0:
            raise StoreError(f"{path} is no memory store: there is nothing in it")
        source.backup(stage)
        return version
    finally:
        source.close()


def _bring_up_to_date(stage: Connection, path: str, steps: Sequence[schema.Step]) -> None:
    stage.execute("PRAGMA foreign_keys = ON")
    stage.execute("PRAGMA secure_delete = ON")
    stage.execute("BEGIN IMMEDIATE")
    schema.migrate(stage, path, steps)
    stage.execute("COMMIT")


def look_through(stage: Connection, path: str, settings: Settings) -> tuple[Finding, ...]:
    """Return what is wrong with the indexes of a backup.

    Raises:
        StoreCorrupt: what it holds is not sound.
    """
    found = invariants.check(Line(stage, stage.names, settings))
    for each in found:
        if not invariants.is_mended_anew(each):
            raise StoreCorrupt(
                f"the backup {path} is not sound: {each.detail}. The store was left as it is;"
                " restore another one"
            )
    return tuple(found)


def _refuse_other_pages(stage: Connection, live: Connection, path: str) -> None:
    """Raise StoreError unless a backup has pages as large as those of the store."""
    (theirs,), (ours,) = (db.execute("PRAGMA page_size").fetchone() for db in (stage, live))
    if theirs != ours:
        raise StoreError(
            f"the backup has pages of {theirs} bytes, and {path} of {ours}; restore it into a new"
            f" store, or give it such pages: PRAGMA page_size = {ours}; VACUUM"
        )


def carry_over(pen: Pen, kept: Standing | None, *, by: str) -> tuple[int, int] | None:
    """Take what outlives a restore into the backup; return how many were deleted, and erased.

    None when the store cannot tell, since it is damaged.
    """
    pen.db.execute(NEW_EPOCH)
    pen.db.execute(schema.NAME_FILE)
    if kept is None:
        return None
    pen.db.execute(KEEP_NAME, {"file": kept.file})
    deleted = _delete(pen, kept, by=by)
    forgotten = erasure.apply_tombstones(pen, kept.forgotten, by=by)
    deleted += len(rejections.take_over(pen, kept.forgotten, by=by))
    # Caches of vectors begin anew at an erasure that they have not heard of.
    last = max(kept.erasures, pen.db.execute(ERASURES).fetchone()[0])
    pen.db.execute(PURGE_LATER, {"id": last + 1})
    if not (forgotten or kept.pending):
        pen.db.execute(NOT_NEEDED)
    return deleted, len(forgotten)


def _delete(pen: Pen, kept: Standing, *, by: str) -> int:
    ids = json.dumps([uid for uid, _, _ in kept.deleted])
    rows = pen.db.execute(STILL_THERE, {"ids": ids}).fetchall()
    for row in rows:
        memory = memories.noun(pen, None, row)
        if memory.state == "active":
            memories.set_state(pen, memory, "deleted", by=by)
    pen.db.execute(RETIRE, {"ids": ids})
    pen.db.executemany(BURY, kept.deleted)
    return len(rows)


def look_at(line: Line, path: str, *, force: bool) -> Standing | None:
    """Return what of the store at *path* outlives a restore; None when it cannot be read.

    Raises:
        InvalidInput: it holds memories, and they are not to be replaced.
        StoreCorrupt: it is damaged, and not to be replaced.
    """
    try:
        found = standing(line)
    except sqlite3.DatabaseError as error:
        if schema.is_stopped(error):
            raise
        if not force:
            raise StoreCorrupt(
                f"{path} is damaged ({error}). restore_backup(..., force=True) replaces it, but"
                " what was deleted or forgotten since the backup is there again"
            ) from error
        return None
    if found.holds and not force:
        raise InvalidInput(
            f"{path} holds {found.holds} memories; restore_backup(..., force=True) replaces them"
        )
    return found


class Wish(NamedTuple):
    """How a restore is wanted: by whom, over what, and who is told how far it is."""

    settings: Settings
    by: str
    force: bool
    tell: Progress | None


def replace(
    connections: Connections,
    stage: Connection,
    writing: Callable[[Connection], AbstractContextManager[Pen]],
    wish: Wish,
) -> tuple[int, int] | None:
    """Write *stage* over the store; return how much of it stays deleted, and forgotten.

    *writing* opens a transaction of the stage. None when the store was too damaged to tell.

    Raises:
        InvalidInput: it holds memories, and they are not to be replaced.
        StoreBusy: somebody kept the lock, or deleted and forgot each time before it was held.
    """
    with connections.alone(used_up=True) as live:
        _refuse_other_pages(stage, live, connections.path)
        kept: tuple[int, int] | None = (0, 0)
        for _ in range(_MOST_TRIES):
            line = Line(live, live.names, wish.settings)
            standing = look_at(line, connections.path, force=wish.force)
            with writing(stage) as pen:
                more = carry_over(pen, standing, by=wish.by)
            kept = (kept[0] + more[0], kept[1] + more[1]) if kept and more else None
            is_copied = backup.copy(
                stage,
                live,
                tell=wish.tell,
                is_still_right=_asking(connections, standing, wish),
                wait_ms=wish.settings.busy_wait_ms,
            )
            if is_copied:
                live.names.forget()
                return kept
    raise StoreBusy(
        f"{connections.path} was changed each time before its lock was held: memories were deleted"
        " or forgotten, or the first were added. Nothing was restored; try again"
    )


def _asking(
    connections: Connections, before: Standing | None, wish: Wish
) -> Callable[[], bool] | None:
    """Return what tells, when the lock is held, whether the store still stands as before."""
    if before is None or connections.in_memory:  # nobody can tell, or nobody else can write
        return None

    def ask() -> bool:
        with connections.read(lambda db: db) as db:
            now = standing(Line(db, db.names, wish.settings))
            return (wish.force or now.holds == before.holds) and now[1:] == before[1:]

    return ask
