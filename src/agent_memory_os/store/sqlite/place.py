"""Where a store's file lies, and what can be told of it before it is opened."""

# The file itself is never read here by other means than SQLite: closing any descriptor of it would
# take all locks from it that this process has (POSIX).

import os
import re
import sqlite3
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from agent_memory_os.errors import InvalidInput, StoreCorrupt, StoreError, StoreUnsupported
from agent_memory_os.store.sqlite.schema import BACKUP

LOG, INDEX_OF_LOG = "-wal", "-shm"  # beside the file, while it is open
IMMUTABLE = "mode=ro&immutable=1"  # the log is not looked at, and no lock is taken
READ_ONLY = "mode=ro"

FILE_NAME = "SELECT file FROM state"
PROBE = "SELECT count(*) FROM sqlite_schema"

_MOUNTS = "/proc/self/mounts"
_NETWORK = frozenset(
    ("nfs", "nfs4", "cifs", "smb2", "smb3", "smbfs", "ncpfs", "afs", "fuse.sshfs", "fuse.davfs2")
)
_CANNOT_TELL = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN}
_CANNOT_TELL |= {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR}
_BEING_MADE_S = 0.25  # how long a file may be empty that another process is making
_PATIENCE_S = 0.1  # with whoever holds a lock that keeps everybody out
_URL = re.compile(r"(?i:file|sqlite[\w+.-]*):|[\w+.-]{2,}://")
_NAME = re.compile(rf"({BACKUP})?[0-9a-f]{{16}}")
_BETWEEN_LOOKS_S = 0.05
_LOOKS = 3  # at a file whose log seems to be another's: a checkpoint may be under way

FileSystem = Callable[[str], str | None]


def size(path: str) -> int | None:
    """Return how many bytes a file has; None when there is none."""
    try:
        return os.stat(path).st_size
    except (FileNotFoundError, NotADirectoryError):
        return None


def has_log(path: str) -> bool:
    """Return whether there is a log beside the file at *path* that may hold what it does not."""
    return bool(size(path + LOG))


def address(path: str, mode: str) -> str:
    """Return the URI by which SQLite opens the file at *path* in a *mode*."""
    return f"{Path(path).absolute().as_uri()}?{mode}"


def is_writable(path: str) -> bool:
    """Return whether the file at *path*, and the log that SQLite keeps beside it, can be written.

    A file that is not there counts as one.
    """
    if not os.path.exists(path):
        return True
    if not os.access(path, os.W_OK):
        return False
    beside = (path + LOG, path + INDEX_OF_LOG)
    folder = os.path.dirname(os.path.abspath(path))
    return os.access(folder, os.W_OK) or all(os.access(each, os.W_OK) for each in beside)


def file_system(path: str) -> str | None:
    """Return the kind of file system that *path* is on, such as "ext4"; None if nobody tells."""
    try:
        with open(_MOUNTS, encoding="utf-8", errors="surrogateescape") as mounts:
            return kind_of(os.path.realpath(path), mounts)
    except OSError:
        return None


def kind_of(path: str, mounts: Iterable[str]) -> str | None:
    """Return the kind of the innermost of *mounts* that *path* is in.

    Args:
        path: absolute, without links.
        mounts: lines of what is mounted, where, and of what kind, with blanks written in octal.
    """
    found: tuple[int, str | None] = (0, None)
    for line in mounts:
        _, point, kind, *_ = line.split(" ")
        point = point.replace(r"\040", " ").rstrip("/")
        if path.startswith(f"{point}/") and len(point) >= found[0]:
            found = len(point), kind
    return found[1]


def refuse_network(path: str, of: FileSystem) -> None:
    """Raise StoreUnsupported when *path* is on a network file system, by what *of* says."""
    kind = of(path)
    if kind in _NETWORK:
        raise StoreUnsupported(
            f"{path} is on a network file system ({kind}), where SQLite's log is not safe and locks"
            " do not hold; nothing was touched. Keep the file on a local disk, and move backups"
        )


def refuse_lost(path: str) -> None:
    """Raise StoreCorrupt when what was at *path* is gone, so that it is not begun anew.

    A store's file comes into being whole (`birth.py`), so an empty one has lost what it held.
    """
    has_log_alone = has_log(path) and size(path) is None
    if has_log_alone:
        raise StoreCorrupt(
            f"{path} is gone, and its log {path}{LOG} is still there; nothing was touched. Restore"
            " a backup, or move the log away to begin anew"
        )
    waited_s = 0.0
    while size(path) == 0:
        if waited_s >= _BEING_MADE_S:
            raise StoreCorrupt(
                f"{path} is empty, which the file of a store never is: it was cut off, or something"
                " else made it; nothing was touched. Restore a backup, or delete it to begin anew"
            )
        time.sleep(0.01)
        waited_s += 0.01


def refuse_other_log(path: str) -> None:
    """Raise StoreCorrupt when the log beside the file at *path* is not its own.

    SQLite would take it for its own, and write it over the file. A log of its own, if it names the
    file, does so as the file itself; and a backup that nobody has used has none.
    """
    for look in range(_LOOKS):
        time.sleep(_BETWEEN_LOOKS_S * bool(look))
        if not has_log(path):
            return
        own = _name(path, IMMUTABLE)
        if own is None or not _NAME.fullmatch(own):
            return  # as while a checkpoint writes the file, which only its log makes whole
        if not own.startswith(BACKUP) and _name(path, READ_ONLY) in (own, None):
            return
    raise StoreCorrupt(
        f"{path}{LOG} is the log of another file than {path}; nothing was touched. Move it away,"
        " and open again: a file that was copied here has all that it needs"
    )


def _name(path: str, mode: str) -> str | None:
    """Return what the file calls itself; "" when it is no store, None when it cannot be told."""
    try:
        connection = sqlite3.connect(address(path, mode), uri=True, timeout=_PATIENCE_S)
        try:
            return str(connection.execute(FILE_NAME).fetchone()[0])
        finally:
            connection.close()
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None) or 0
        cannot_tell = mode == IMMUTABLE or code & 0xFF in _CANNOT_TELL
        return None if cannot_tell else ""
    except TypeError:  # the one row is gone
        return None if mode == IMMUTABLE else ""


def refuse_url(path: str) -> None:
    """Raise InvalidInput when *path* is a URL; it is to be asked before the path is made absolute.

    A file that is called like one is had by "./" before its name.
    """
    if _URL.match(path):
        raise InvalidInput(f"{path} is a URL; give the path of a file, such as './memory.db'")


def stand_in_folder(path: str) -> None:
    """Raise StoreError when the folder of *path* does not exist, or *path* is one itself."""
    if os.path.isdir(path):
        raise StoreError(f"{path} is a folder; name a file in it, or give it as home=")
    folder = os.path.dirname(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise StoreError(f"the folder of {path} does not exist; make it first")


def read_only_mode(path: str) -> str | None:
    """Return the mode in which a file that cannot be written can be read; None if it cannot be.

    Without a log nothing but the file is needed, and nobody else needs to know of the reader. With
    one SQLite must find, or be able to make, the index of the log.
    """
    if not has_log(path):
        return IMMUTABLE
    try:
        connection = sqlite3.connect(address(path, READ_ONLY), uri=True, timeout=_PATIENCE_S)
        try:
            connection.execute(PROBE).fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None) or 0
        if code & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
            return None
    return READ_ONLY


def stamp(path: str) -> tuple[int, int, int]:
    """Return what changes when somebody writes the file at *path*, or a log beside it."""
    there = os.stat(path)
    return there.st_mtime_ns, there.st_size, size(path + LOG) or 0
