"""Connections: opened, lent out, and their errors translated."""

import os
import random
import sqlite3
import time
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Any, TypeVar

from agent_memory_os.errors import (
    ClientClosed,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreReadOnly,
    StoreUnsupported,
)
from agent_memory_os.settings import Settings
from agent_memory_os.store.sqlite import schema
from agent_memory_os.store.sqlite.names import Names

T = TypeVar("T")
MEMORY = ":memory:"
OLDEST_SQLITE = (3, 38, 0)  # STRICT tables and json_each without a build option
_TRY_MS = 50  # SQLite waits this long by itself; its own longer back-off is unfair
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_CORRUPT = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_LOG_LIMIT = 64 * 1024 * 1024  # bytes that the log keeps after a checkpoint


def translate(error: sqlite3.Error, path: str) -> StoreError:
    """Return our error for one of SQLite's, with what to do."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    if primary in _BUSY:
        return StoreBusy(f"{path} is locked by another writer; try again")
    if primary in _CORRUPT:
        return StoreCorrupt(
            f"{path} is damaged or not a memory store ({error}); its bytes were left as they"
            " are. Restore a backup, or salvage it with the sqlite3 shell's .recover"
        )
    if primary == sqlite3.SQLITE_READONLY:
        return StoreReadOnly(f"{path} cannot be written; reads work. Check its permissions")
    if primary == sqlite3.SQLITE_CANTOPEN:
        return StoreError(f"{path} cannot be opened; check that its folder exists and is writable")
    if primary == sqlite3.SQLITE_FULL:
        return StoreError(f"{path} could not grow: the disk is full; nothing was written")
    if "no such table: words" in str(error):
        return StoreCorrupt(f"{path} has lost its word index; call rebuild_indexes()")
    return StoreError(f"{path}: {error}")


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
    """

    def __init__(self, path: str, settings: Settings, *, node: str) -> None:
        if sqlite3.sqlite_version_info < OLDEST_SQLITE:
            raise StoreUnsupported(
                f"SQLite {sqlite3.sqlite_version} is too old; 3.38 or newer is needed"
            )
        self.path = path
        self.in_memory = path == MEMORY
        self._settings = settings
        self._node = node  # of a new file
        self._idle: list[Connection] = []
        self._abandoned: list[Connection] = []
        self._turn = Lock()  # held for each operation in memory, each write on a file
        self._pid = os.getpid()
        self._closed = False
        self.read_only = False
        self._prepare()
        _watch_forks(self)

    def _prepare(self) -> None:
        """Open the first connection, and create or migrate the file if it needs that."""
        try:
            connection = self._open()
            try:
                self._bring_up_to_date(connection)
            except BaseException:
                connection.close()
                raise
            self._idle.append(connection)
        except sqlite3.Error as error:
            raise translate(error, self.path) from error

    def _bring_up_to_date(self, connection: Connection) -> None:
        found = schema.refuse_newer(connection, self.path)
        if found == len(schema.STEPS):
            return
        if self.read_only:
            raise StoreReadOnly(
                f"{self.path} needs a migration and cannot be written;"
                " open it once where it is writable"
            )
        self._begin_write(connection)
        try:
            if schema.migrate(connection, self.path) == 0:
                connection.execute(schema.SET_NODE, {"node": self._node})
            connection.execute("COMMIT")
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    def _open(self) -> Connection:
        if not self.in_memory:
            file = Path(self.path)
            if file.exists() and not os.access(file, os.W_OK):
                self.read_only = True
            elif not file.exists() and not file.parent.is_dir():
                raise StoreError(f"the folder of {self.path} does not exist; make it first")
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
        log = Path(self.path + "-wal")
        live_log = log.exists() and log.stat().st_size > 0
        if live_log and not os.access(Path(self.path).parent, os.W_OK):
            raise StoreReadOnly(
                f"{self.path} is read-only and has a log beside it that cannot be replayed here;"
                " copy both to a writable folder and open the copy"
            )
        mode = "mode=ro" if live_log else "mode=ro&immutable=1"
        connection = sqlite3.connect(
            f"{Path(self.path).absolute().as_uri()}?{mode}",
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            factory=Connection,
        )
        connection.execute("PRAGMA query_only = ON")
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
            schema.refuse_newer(connection, self.path)  # before its header is touched
            connection.execute("PRAGMA journal_mode = WAL")

    def _retry(self, act: Callable[[], object], purpose: str) -> None:
        """Call *act* until it meets no lock, for as long as the settings allow."""
        started = time.monotonic()
        while True:
            try:
                act()
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF not in _BUSY:
                    raise
                waited_ms = int((time.monotonic() - started) * 1000)
                if waited_ms >= self._settings.busy_wait_ms:
                    raise self._busy(waited_ms, purpose) from error
                time.sleep(random.uniform(0.0005, 0.005))
            else:
                return

    def _busy(self, waited_ms: int, purpose: str) -> StoreBusy:
        return StoreBusy(
            f"waited {waited_ms} ms {purpose}: another writer holds the lock of {self.path}."
            f" Find it with `lsof {self.path}`, or allow a longer busy_wait_ms"
        )

    def _begin_write(self, connection: Connection) -> None:
        self._retry(lambda: connection.execute("BEGIN IMMEDIATE"), "to write")

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
            while self._idle:
                self._idle.pop().close()
        return lock if held else None

    def _take(self) -> Connection:
        if self._closed:
            raise ClientClosed("this client is closed; open another one")
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
        if self.read_only:
            raise StoreReadOnly(f"{self.path} cannot be written; reads work")
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

    def _take_turn(self) -> None:
        if not self._turn.acquire(timeout=self._settings.busy_wait_ms / 1000):
            raise self._busy(self._settings.busy_wait_ms, "for a thread of this process")

    def close(self) -> None:
        """Close every idle connection; those lent out close when they come back. Idempotent."""
        self._closed = True
        if self._pid == os.getpid():
            while self._idle:
                self._idle.pop().close()


class _Reading(AbstractContextManager[T]):
    """A snapshot as a context manager; written out, since every read passes through it."""

    __slots__ = ("_connection", "_connections", "_use")

    def __init__(self, connections: Connections, use: Callable[[Connection], T]) -> None:
        self._connections, self._use = connections, use

    def __enter__(self) -> T:
        try:
            self._connection = self._connections.begin_read()
            try:
                return self._use(self._connection)
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
