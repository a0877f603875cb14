"""Connections: opened, lent out, and their errors translated."""

import os
import random
import re
import sqlite3
import time
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from threading import Lock
from types import TracebackType
from typing import Any, TypeVar

from agent_memory_os.errors import (
    ClientClosed,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnsupported,
)
from agent_memory_os.settings import Settings
from agent_memory_os.store.sqlite import birth, place, schema
from agent_memory_os.store.sqlite.names import Names

T = TypeVar("T")
MEMORY = ":memory:"
OLDEST_SQLITE = (3, 38, 0)  # STRICT tables and json_each without a build option
SALVAGE = "restore a backup, or salvage it with the sqlite3 shell's .recover"
_TRY_MS = 0  # SQLite waits this long by itself: its own back-off is unfair
_TRUNCATE_MS = 50  # and this long for readers of the log, before it gives up truncating it
_LONG_WAIT = 0.2  # of the longest: somebody who has waited so long makes use of it
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_LOG_LIMIT = 64 * 1024 * 1024  # bytes that the log keeps after a checkpoint
# What SQLite says when a part of the file is gone, or one of FTS5's own tables.
# The last is all that it says of an index whose tables are gone: our own SQL has no such error.
_LOST_PART = re.compile(
    r"no such (fts5 )?table|no such column|vtable constructor|invalid fts5|SQL logic error"
)
_OF_FTS5 = "constraint failed"  # of its own tables; of ours SQLite says which one
_INDEX_LOST = re.compile(r"\b(words|vocabulary|partitions|fts5|SQL logic)", re.IGNORECASE)
_FIRST_S, _MOST_S, _PATIENT_S = 0.001, 0.04, 0.01  # pauses: the first, the longest, when stuck
_AGEING = 20.0  # in a second of waiting the longest pause is this many times shorter
_STUCK_S = 1.0  # what is locked for so long is not let go within milliseconds


def translate(error: sqlite3.Error, path: str) -> StoreError:
    """Return our error for one of SQLite's, with what to do."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    if primary in _BUSY:
        return StoreBusy(f"{path} is locked by another writer; try again")
    if primary in _CORRUPT:
        return StoreCorrupt(
            f"{path} is damaged or not a memory store ({error}); its bytes were left as they"
            f" are. See client.admin.check() if it opens; else {SALVAGE}"
        )
    if primary == sqlite3.SQLITE_READONLY:
        return StoreReadOnly(f"{path} cannot be written; reads work. Check its permissions")
    if primary == sqlite3.SQLITE_CANTOPEN:
        return StoreError(f"{path} cannot be opened; check that its folder exists and is writable")
    if primary == sqlite3.SQLITE_FULL:
        return StoreFull(f"{path} could not grow: the disk is full; nothing was written. Make room")
    if primary == sqlite3.SQLITE_IOERR:
        return StoreError(f"{path} could not be read or written ({error}): look at the disk")
    return _of_words(str(error), path)


def _of_words(said: str, path: str) -> StoreError:
    """Return our error for one that SQLite tells in words alone."""
    if "no such module: fts5" in said:
        return StoreUnsupported(f"{path}: {schema.NO_FTS5}")
    if said == _OF_FTS5:
        return StoreCorrupt(
            f"{path} has a damaged word index ({said}); call rebuild_indexes() or admin.repair()"
        )
    if "no such index" in said:
        return StoreCorrupt(f"{path} has lost an index ({said}); call client.admin.repair()")
    if _LOST_PART.search(said):
        if _INDEX_LOST.search(said):
            return StoreCorrupt(
                f"{path} has lost its word index ({said}); call rebuild_indexes() or admin.repair()"
            )
        if re.search(r"\b(vectors|embedders)\b", said):
            return StoreCorrupt(f"{path} has lost its vectors ({said}); call rebuild_indexes()")
        return StoreCorrupt(f"{path} is damaged: {said}. See client.admin.check(), or {SALVAGE}")
    return StoreError(f"{path}: {said}")


def is_busy(error: sqlite3.Error) -> bool:
    """Return whether *error* says that somebody else holds a lock."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(code, int) and code & 0xFF in _BUSY


def _pause(waited_s: float) -> None:
    """Sleep before the next try: at first briefly, then up to 40 ms, and less the longer it waits.

    Short pauses of all would have the lock change hands with each write, and each process read anew
    what the others wrote; long pauses of all would have who came first overtaken for ever.
    """
    most_s = _MOST_S / (1 + _AGEING * waited_s) if waited_s < _STUCK_S else _PATIENT_S
    longest_s = min(_FIRST_S + waited_s, most_s)
    time.sleep(random.uniform(0.3 * longest_s, longest_s))


class Connection(sqlite3.Connection):
    """A connection, with what it knows of names."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.names = Names()


class Connections:
    """A pool of connections to one file; each is lent to one operation at a time.

    The last one returned is lent first, so that a single thread keeps its warm cache.
    Before a ``fork`` the idle ones are closed and the writer is waited for, since SQLite keeps the
    state of a file's locks per process: a child that inherited it would write without a lock.
    In memory there is exactly one connection, so operations take turns.

    Args:
        path: the file, or ":memory:".
        settings: the tunable numbers.
        node: names the file in stamps, if it is made.
        steps: make what is in it.
        file_system: of what kind the place of a file is.
        meanwhile: what somebody does who waits long for the write lock, and need then not do while
            holding it; nothing when None.
    """

    def __init__(
        self,
        path: str,
        settings: Settings,
        *,
        node: str,
        steps: Sequence[schema.Step] | None = None,
        file_system: place.FileSystem = place.file_system,
        meanwhile: Callable[[], object] | None = None,
    ) -> None:
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise StoreUnsupported(
                f"SQLite {sqlite3.sqlite_version} is too old; 3.38 or newer is needed"
            )
        place.refuse_url(path)
        self.in_memory = path == MEMORY
        self.path = path if self.in_memory else os.path.abspath(path)  # also from another folder
        self._settings = settings
        self._node = node  # of a new file
        self._steps = schema.STEPS if steps is None else steps
        self._file_system = file_system
        self._meanwhile = meanwhile
        self._idle: list[Connection] = []
        self._abandoned: list[Connection] = []
        self._turn = Lock()  # held for each operation in memory, each write on a file
        self._pid = os.getpid()
        self._closed = False
        self.read_only = False
        self._stamp: object = None  # of a file that is read without its locks
        self._prepare()
        _watch_forks(self)

    def _prepare(self) -> None:
        """Open the first connection, and create or migrate the file if it needs that."""
        try:
            if not self.in_memory:
                self._look_at_the_place()
            connection = self._open()
            try:
                self._bring_up_to_date(connection)
            except BaseException:
                connection.close()
                raise
            self._idle.append(connection)
        except sqlite3.Error as error:
            raise translate(error, self.path) from error

    def _look_at_the_place(self) -> None:
        """Make a file that is not there; refuse one that cannot be what it should, untouched."""
        place.stand_in_folder(self.path)
        place.refuse_lost(self.path)
        self.read_only = not place.is_writable(self.path)
        if not self.read_only:
            place.refuse_network(self.path, self._file_system)
        if place.size(self.path) is None:
            self._make()
        else:
            place.refuse_other_log(self.path)

    def _make(self) -> None:
        mark = f"{os.getpid()}-{id(self):x}"
        try:
            birth.bear(self.path, node=self._node, mark=mark, steps=self._steps, factory=Connection)
        except OSError as error:
            raise StoreError(f"{self.path} cannot be made: {error.strerror}") from error

    def _bring_up_to_date(self, connection: Connection) -> None:
        found = self._retry(lambda: self._readable_version(connection), "to open it")
        if found == len(self._steps):
            return
        if self.read_only:
            raise StoreReadOnly(
                f"{self.path} needs a migration and cannot be written;"
                " open it once where it is writable"
            )
        self._begin_write(connection)
        try:
            birth.fill(connection, self.path, node=self._node, steps=self._steps)
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    def _readable_version(self, connection: Connection) -> int:
        found = schema.refuse_newer(connection, self.path, self._steps)
        schema.refuse_other_steps(connection, self.path, self._steps)
        return found

    def _open(self) -> Connection:
        if self.read_only:
            return self._open_read_only()
        connection = sqlite3.connect(
            self.path,
            timeout=_TRY_MS / 1000,
            isolation_level=None,
            check_same_thread=False,
            factory=Connection,
            cached_statements=256,
        )
        try:
            self._set_up(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _open_read_only(self) -> Connection:
        self._stamp = place.stamp(self.path)
        mode = place.read_only_mode(self.path)
        if mode is None:
            raise StoreReadOnly(
                f"{self.path} is read-only and has a log beside it that cannot be replayed here;"
                " copy both to a writable folder and open the copy"
            )
        connection = sqlite3.connect(
            place.address(self.path, mode),
            uri=True,
            timeout=self._settings.busy_wait_ms / 1000,
            isolation_level=None,
            check_same_thread=False,
            factory=Connection,
        )
        try:
            connection.execute("PRAGMA query_only = ON")
        except BaseException:
            connection.close()
            raise
        return connection

    def _set_up(self, connection: Connection) -> None:
        execute = connection.execute
        if not self.in_memory:
            # Only a new file needs the change, which takes a lock that others may hold.
            self._retry(lambda: self._set_log(connection), "to open it")
        execute(f"PRAGMA synchronous = {self._settings.durability.upper()}")
        execute("PRAGMA foreign_keys = ON")
        execute("PRAGMA secure_delete = ON")
        execute("PRAGMA cache_size = -16000")
        execute(f"PRAGMA journal_size_limit = {_LOG_LIMIT}")

    def _set_log(self, connection: Connection) -> None:
        (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
        if mode != "wal":
            # Before its header is touched.
            version = schema.refuse_newer(connection, self.path, self._steps)
            if version:
                connection.execute(schema.NAME_USED)
            connection.execute("PRAGMA journal_mode = WAL")

    def _retry(
        self, act: Callable[[], T], purpose: str, meanwhile: Callable[[], object] | None = None
    ) -> T:
        """Return what *act* returns once it meets no lock; try for as long as the settings allow.

        What is to be done *meanwhile* takes the place of a pause once a fifth of that has passed:
        it would slow down others who wait for a moment only.

        Raises:
            StoreBusy: it met one each time.
        """
        started = time.monotonic()
        while True:
            try:
                return act()
            except sqlite3.OperationalError as error:
                if not is_busy(error):
                    raise
                waited_s = time.monotonic() - started
                waited_share = waited_s * 1000 / max(self._settings.busy_wait_ms, 1)
                if waited_share >= 1:
                    raise self._busy(int(waited_s * 1000), purpose) from error
                if meanwhile is None or waited_share < _LONG_WAIT:
                    _pause(waited_s)
                else:
                    meanwhile()
                    meanwhile = self._meanwhile = None  # it is done

    def _busy(self, waited_ms: int, purpose: str) -> StoreBusy:
        return StoreBusy(
            f"waited {waited_ms} ms {purpose}: another writer holds the lock of {self.path}."
            f" Find it with `lsof {self.path}`, or allow a longer busy_wait_ms"
        )

    def _begin_write(self, connection: Connection) -> None:
        self._retry(lambda: connection.execute("BEGIN IMMEDIATE"), "to write", self._meanwhile)

    def reading(self, connection: Connection, use: Callable[[Connection], T]) -> T:
        """Return what *use* makes of a connection; wait while somebody keeps everybody out."""
        try:
            return use(connection)
        except sqlite3.OperationalError as error:
            if not is_busy(error):
                raise
        return self._retry(lambda: use(connection), "to read")

    def _after_fork(self) -> None:
        """Start anew in a child process; before any lock is taken."""
        if self._pid == os.getpid():
            return
        # Only what another thread was using at the moment of the fork is left: keep it, unused.
        self._abandoned, self._idle = [*self._abandoned, *self._idle], []
        self._turn, self._pid = Lock(), os.getpid()
        if self.in_memory:
            self._closed = True
            raise ClientClosed("a store in memory does not survive fork; open one in the child")

    def stand_still(self) -> "Lock | None":
        """Wait for the writer, and close what is idle; return the lock that is held, if it is."""
        lock = self._turn
        held = lock.acquire(timeout=self._settings.busy_wait_ms / 1000)
        if not self.in_memory:
            self._close_idle()
        return lock if held else None

    def _close_idle(self) -> None:
        while self._idle:
            self._idle.pop().close()

    def _take(self) -> Connection:
        if self._closed:
            raise ClientClosed("this client is closed; open another one")
        if self.read_only and self._stamp != place.stamp(self.path):
            self._close_idle()  # somebody else writes the file: what they cached is stale
        try:
            return self._idle.pop()
        except IndexError:
            return self._open()

    def _give_back(self, connection: Connection, *, used_up: bool = False) -> None:
        if self._closed or (used_up and not self.in_memory):
            connection.close()
        else:
            self._idle.append(connection)

    def read(self, use: Callable[[Connection], T]) -> AbstractContextManager[T]:
        """Lend a connection in a snapshot: nothing that others write is seen inside.

        What is lent is what *use* makes of the connection.
        """
        return _Reading(self, use)

    def begin_read(self) -> Connection:
        """Take a connection into a snapshot; `end_read` must follow."""
        self._after_fork()
        if self.in_memory:
            self._take_turn()
        try:
            connection = self._take()
            try:
                connection.execute("BEGIN")
            except BaseException:
                self._give_back(connection)
                raise
        except BaseException:
            if self.in_memory:
                self._turn.release()
            raise
        return connection

    def end_read(self, connection: Connection) -> None:
        """End the snapshot, and take the connection back."""
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        finally:
            self._give_back(connection)
            if self.in_memory:
                self._turn.release()

    def begin_write(self) -> Connection:
        """Take the one writer's turn and the write lock; `end_write` must follow.

        Raises:
            StoreBusy: another writer kept the lock longer than the settings allow.
            StoreReadOnly: the file cannot be written.
        """
        self.refuse_read_only()
        self._after_fork()
        self._take_turn()
        try:
            connection = self._take()
            try:
                self._begin_write(connection)
            except BaseException:
                self._give_back(connection)
                raise
        except BaseException:
            self._turn.release()
            raise
        return connection

    def end_write(self, connection: Connection, *, used_up: bool) -> None:
        """Roll back what was not committed, and take the connection back.

        One that is *used up* by a bulk load is closed: FTS5 keeps a table that grew with what was
        written, and each later commit would walk it.
        """
        try:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        finally:
            self._give_back(connection, used_up=used_up)
            self._turn.release()

    def refuse_read_only(self) -> None:
        """Raise StoreReadOnly when the file cannot be written."""
        if self.read_only:
            raise StoreReadOnly(f"{self.path} cannot be written; reads work")

    def _take_turn(self) -> None:
        if not self._turn.acquire(timeout=self._settings.busy_wait_ms / 1000):
            raise self._busy(self._settings.busy_wait_ms, "for a thread of this process")

    @contextmanager
    def alone(self, *, used_up: bool = False) -> Iterator[Connection]:
        """Lend a connection outside of any transaction, while no thread of this process writes."""
        self.refuse_read_only()
        self._after_fork()
        self._take_turn()
        try:
            connection = self._take()
            try:
                yield connection
            finally:
                self._give_back(connection, used_up=used_up)
        finally:
            self._turn.release()

    def truncate_log(self) -> bool:
        """Move all of the log into the file and empty it; False when somebody still needs it."""
        if self.in_memory:
            return True
        with self.alone() as connection:
            connection.execute(f"PRAGMA busy_timeout = {_TRUNCATE_MS}")
            try:
                (is_held, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            finally:
                connection.execute(f"PRAGMA busy_timeout = {_TRY_MS}")
        return not is_held

    def rewrite(self) -> None:
        """Write the whole file anew, so that it holds nothing that is not in use."""
        with self.alone(used_up=True) as connection:
            self._retry(lambda: connection.execute("VACUUM"), "to rewrite the file")

    def wait(self, act: Callable[[], T], purpose: str) -> T:
        """Return what *act* returns once it meets no lock; StoreBusy after the usual time."""
        return self._retry(act, purpose)

    def close(self) -> None:
        """Close every idle connection; those lent out close when they come back. Idempotent."""
        self._closed = True
        if self._pid == os.getpid():
            self._close_idle()


class _Reading(AbstractContextManager[T]):
    """A snapshot as a context manager; written out, since every read passes through it."""

    __slots__ = ("_connection", "_connections", "_use")

    def __init__(self, connections: Connections, use: Callable[[Connection], T]) -> None:
        self._connections, self._use = connections, use

    def __enter__(self) -> T:
        try:
            self._connection = self._connections.begin_read()
            try:
                return self._connections.reading(self._connection, self._use)
            except BaseException:
                self._connections.end_read(self._connection)
                raise
        except sqlite3.Error as error:
            raise translate(error, self._connections.path) from error

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._connections.end_read(self._connection)
        if isinstance(error, sqlite3.Error):
            raise translate(error, self._connections.path) from error


_open: "weakref.WeakSet[Connections]" = weakref.WeakSet()
_held: list[Lock] = []  # between the two sides of a fork


def _watch_forks(connections: Connections) -> None:
    """Have *connections* stand still whenever this process forks, from now on."""
    if not _open and hasattr(os, "register_at_fork") and not _registered:
        os.register_at_fork(
            before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_held.clear
        )
        _registered.append(True)
    _open.add(connections)


_registered: list[bool] = []


def _before_fork() -> None:
    for connections in list(_open):
        lock = connections.stand_still()
        if lock is not None:
            _held.append(lock)


def _after_fork_in_parent() -> None:
    while _held:
        _held.pop().release()
