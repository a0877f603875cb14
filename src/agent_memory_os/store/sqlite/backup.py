"""Backups: a copy of the store as it is at one moment, in a file of its own."""

# The copy is made by SQLite's online backup from a snapshot, so nobody waits and what is written
# meanwhile is not in it. It gets its name only when it was opened and every invariant was walked.

import contextlib
import errno
import os
import re
import sqlite3
import stat
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from agent_memory_os.errors import InvalidInput, StoreBusy, StoreCorrupt, StoreError, StoreFull
from agent_memory_os.model import Backup, Finding, Progress, moment
from agent_memory_os.settings import Settings
from agent_memory_os.store.sqlite import birth, invariants, place, schema
from agent_memory_os.store.sqlite.connect import translate
from agent_memory_os.store.sqlite.line import Line
from agent_memory_os.store.sqlite.names import Names

NODE = "SELECT node FROM state"
ACTIVE = "SELECT count(*) FROM memories WHERE state < 2"
APPLICATION = "PRAGMA application_id"

IN_MEMORY = "in-memory"  # the name of a series, of a store that has no file
_MOMENT = "%Y%m%dT%H%M%SZ"
_DRAFT = ".part"
_ABANDONED_S = 3_600.0  # after which a draft that nobody wrote to belongs to nobody
_PRIVATE = 0o600
_STEPS = 20  # in which a copy is made, at least
_MOST_PAGES = 1_000  # of one step
_RETRY_S = 0.01


class Target(NamedTuple):
    """Where a backup goes: a file, or the next of a series in a folder.

    stem: what the names of a series begin with; None for a file that was named.
    """

    folder: str
    name: str
    stem: str | None


def target(where: str, *, store: str | None, now_ms: int, keep: int | None) -> Target:
    """Return where the backup goes that was asked for.

    Args:
        where: a folder, or a file that does not exist.
        store: path of the store; None when it is in memory.
        now_ms: the moment, of which the name of a series is made.
        keep: how many of the series stay; None for all.
    """
    place.refuse_url(where)
    full = os.path.abspath(where)
    if os.path.isdir(full) or where.endswith((os.sep, "/")):
        os.makedirs(full, exist_ok=True)
        stem = IN_MEMORY if store is None else os.path.splitext(os.path.basename(store))[0]
        return Target(full, f"{stem}-{moment(now_ms):{_MOMENT}}.db", stem)
    if keep is not None:
        raise InvalidInput(f"keep= is about a series of backups: name a folder, not {where!r}")
    if os.path.lexists(full):
        raise InvalidInput(f"{full} exists; name another file, or a folder")
    place.stand_in_folder(full)
    return Target(os.path.dirname(full), os.path.basename(full), None)


@contextlib.contextmanager
def translated(where: str) -> Iterator[None]:
    """Have what the operating system says of *where* told as an error of ours."""
    try:
        yield
    except OSError as error:
        if isinstance(error, StoreError):  # some are timeouts as well
            raise
        kind = StoreFull if error.errno == errno.ENOSPC else StoreError
        raise kind(f"no backup can be made in {where}: {error.strerror}") from error


@contextlib.contextmanager
def drafted(goal: Target, store: str | None) -> Iterator[str]:
    """Yield the path of an empty file to make the backup in; nothing of it stays in the end.

    It can be read by whoever can read the store, and by nobody else.
    """
    draft = os.path.join(goal.folder, f"{goal.name}.{os.getpid()}-{time.monotonic_ns():x}{_DRAFT}")
    mode = _PRIVATE if store is None else stat.S_IMODE(os.stat(store).st_mode) | _PRIVATE
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, mode))
    try:
        yield draft
    finally:
        birth.remove(draft)


def copy(
    source: sqlite3.Connection,
    goal: sqlite3.Connection,
    *,
    tell: Progress | None = None,
    is_still_right: Callable[[], bool] | None = None,
    wait_ms: int,
) -> bool:
    """Copy all of *source* over *goal*, in one transaction of it; False when it is not right now.

    Args:
        source: in a snapshot, so that nothing that others write has it begin anew.
        goal: outside of a transaction.
        tell: is told how many pages were copied, of how many.
        is_still_right: asked once, when the lock of *goal* is held and nothing is written.
        wait_ms: how long to wait for that lock.

    Raises:
        StoreBusy: somebody kept the lock.
    """
    (pages,) = source.execute("PRAGMA page_count").fetchone()
    until = time.monotonic() + wait_ms / 1_000
    is_asked = is_still_right is None

    def look(status: int, remaining: int, total: int) -> None:
        nonlocal is_asked
        if status & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            if time.monotonic() > until:
                raise StoreBusy(f"waited {wait_ms} ms for a writer that holds the lock; try again")
        elif not is_asked and is_still_right is not None:
            is_asked = True
            if not is_still_right():
                raise _Moved
        if tell is not None and remaining:
            tell(total - remaining, total)

    step = max(1, min(_MOST_PAGES, pages // _STEPS))
    try:
        source.backup(goal, pages=step, progress=look, sleep=_RETRY_S)
    except _Moved:
        return False
    return True


class _Moved(Exception):
    """What was prepared is not what is needed any more."""


def fill(source: sqlite3.Connection, draft: str, *, tell: Progress | None, wait_ms: int) -> str:
    """Copy the snapshot of *source* into the empty file *draft*; return the store's own name."""
    (node,) = source.execute(NODE).fetchone()  # from here on the snapshot stands
    goal = sqlite3.connect(draft, isolation_level=None)
    try:
        goal.execute("PRAGMA journal_mode = OFF")
        goal.execute("PRAGMA synchronous = OFF")
        copy(source, goal, tell=tell, wait_ms=wait_ms)
    except sqlite3.Error as error:
        raise translate(error, draft) from error
    finally:
        goal.close()
    return str(node)


class Checked(NamedTuple):
    """What was found in a copy that is sound: what is wrong with its indexes is no harm."""

    memories: int
    version: int
    findings: tuple[Finding, ...]

    def backup(self, path: str, removed: tuple[str, ...]) -> Backup:
        """Return what is said of the copy, now that it has its name."""
        size = os.stat(path).st_size
        return Backup(path, size, self.memories, self.version, self.findings, removed)


def finish(draft: str, store: str, settings: Settings) -> Checked:
    """Make a file of its own of a copy, and check it.

    Raises:
        StoreCorrupt: what the store holds is not sound.
    """
    try:
        _make_its_own(draft)
        connection = sqlite3.connect(place.address(draft, place.READ_ONLY), uri=True)
        try:
            found = invariants.check(Line(connection, Names(), settings))
            for each in found:
                if not invariants.is_mended_anew(each):
                    raise StoreCorrupt(_unsound(store, each.detail))
            (memories,) = connection.execute(ACTIVE).fetchone()
            return Checked(memories, schema.version_of(connection), tuple(found))
        finally:
            connection.close()
    except sqlite3.Error as error:
        if schema.is_stopped(error):
            raise translate(error, draft) from error
        raise StoreCorrupt(_unsound(store, str(error))) from error


def _unsound(store: str, fault: str) -> str:
    return (
        f"{store} is not sound: {fault}. The backup was not kept, and older ones were left alone;"
        " see client.admin.check()"
    )


def _make_its_own(draft: str) -> None:
    """Tell a copy from its original, and have it need no log to be read."""
    connection = sqlite3.connect(draft, isolation_level=None)
    try:
        connection.execute("PRAGMA synchronous = OFF")  # `birth.publish` sees to it, once
        connection.execute(schema.NAME_BACKUP)
        connection.execute("PRAGMA journal_mode = DELETE")
    finally:
        connection.close()


def publish(draft: str, goal: Target) -> str:
    """Give a checked backup its name, and return its path; no other file is replaced."""
    for number in range(1, 1_000):
        stem, end = os.path.splitext(goal.name)
        name = goal.name if number == 1 else f"{stem}-{number}{end}"
        path = os.path.join(goal.folder, name)
        try:
            birth.publish(draft, path)
        except FileExistsError as error:
            if goal.stem is None:
                raise InvalidInput(f"{path} exists; name another file, or a folder") from error
            continue  # the second backup within a second
        except OSError as error:
            if not birth.lacks_links(error):
                raise
            if os.path.lexists(path):
                continue
            os.rename(draft, path)
        return path
    raise StoreError(f"{goal.folder} has a thousand backups of this second")


def rotate(path: str, goal: Target, *, keep: int, node: str, store: str | None) -> tuple[str, ...]:
    """Remove the oldest backups of the series of *path* until *keep* are left; return which.

    Only what has a name of the series and is a copy of this very store, and is not in use, is one
    of the series; *path* itself is never removed.

    Raises:
        StoreError: one cannot be removed; the new backup is good all the same.
    """
    pattern = re.compile(rf"{re.escape(goal.stem or '')}-(\d{{8}}T\d{{6}}Z)(?:-(\d+))?\.db")
    older = []
    for name in os.listdir(goal.folder):
        found, each = pattern.fullmatch(name), os.path.join(goal.folder, name)
        if found and each != path and _is_spare(each, node, store):
            older.append((found[1], int(found[2] or 1), each))
    doomed = [each for _, _, each in sorted(older)][: max(0, len(older) - keep + 1)]
    try:
        for each in doomed:
            os.unlink(each)
    except OSError as error:
        raise StoreError(
            f"{path} is a good backup, but an older one cannot be removed: {error}"
        ) from error
    return tuple(doomed)


def _is_spare(path: str, node: str, store: str | None) -> bool:
    """Return whether a file is a backup of the store that is called *node*, and not in use."""
    if not os.path.isfile(path) or os.path.islink(path):
        return False
    is_live = store is not None and os.path.exists(store) and os.path.samefile(path, store)
    if is_live or any(os.path.exists(path + end) for end in birth.BESIDE if end):
        return False
    try:
        connection = sqlite3.connect(place.address(path, place.IMMUTABLE), uri=True)
        try:
            (application,) = connection.execute(APPLICATION).fetchone()
            (named,) = connection.execute(NODE).fetchone()
        finally:
            connection.close()
    except (sqlite3.Error, TypeError):
        return False
    return bool(application == schema.APPLICATION_ID and named == node)


def sweep(goal: Target) -> None:
    """Remove drafts that killed processes have left in the folder."""
    begins = goal.name if goal.stem is None else f"{goal.stem}-"
    for name in os.listdir(goal.folder):
        path = os.path.join(goal.folder, name)
        if not (name.startswith(begins) and name.endswith(_DRAFT)):
            continue
        with contextlib.suppress(OSError):  # another process may sweep as well
            if time.time() - os.stat(path).st_mtime > _ABANDONED_S:
                birth.remove(path)
