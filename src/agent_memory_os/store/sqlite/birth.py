"""A new file: whole before it has its name, so that nobody ever meets half of one."""

import errno
import os
import sqlite3
from collections.abc import Sequence

from agent_memory_os.store.sqlite import schema
from agent_memory_os.store.sqlite.schema import Step

BESIDE = ("", "-journal", "-wal", "-shm")  # a file, and what SQLite may leave beside it
_NO_LINKS = {errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS}
_NO_LINKS |= {errno.EMLINK, errno.EXDEV}


def bear(
    path: str,
    *,
    node: str,
    mark: str,
    steps: Sequence[Step],
    factory: type[sqlite3.Connection] = sqlite3.Connection,
) -> None:
    """Make the file of an empty store at *path*, unless there is a file, or one cannot be made.

    Whoever is killed on the way leaves a file of another name, with nothing in it.

    Args:
        path: where; its folder is there.
        node: names the file in stamps.
        mark: what no other process uses; part of the name that the file has first.
        steps: make what is in it.
        factory: of the connection.
    """
    target = os.path.realpath(path)
    draft = f"{target}-new-{mark}"
    try:
        connection = sqlite3.connect(draft, isolation_level=None, factory=factory)
        try:
            _write(connection, draft, node=node, steps=steps)
        finally:
            connection.close()
        publish(draft, target)
    except FileExistsError:
        return  # another process was faster, and its file is as good
    except OSError as error:
        if not lacks_links(error):
            raise
        # SQLite makes it in place then.
    finally:
        remove(draft)


def remove(path: str) -> None:
    """Remove a file, if there is one, and whatever SQLite left beside it."""
    for end in BESIDE:
        if os.path.exists(path + end):
            os.unlink(path + end)


def lacks_links(error: OSError) -> bool:
    """Return whether *error* says that the file system knows no second names for a file."""
    return error.errno in _NO_LINKS


def _write(connection: sqlite3.Connection, draft: str, *, node: str, steps: Sequence[Step]) -> None:
    connection.execute("PRAGMA journal_mode = MEMORY")
    connection.execute("PRAGMA synchronous = OFF")  # `publish` sees to it, once
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("BEGIN IMMEDIATE")
    fill(connection, draft, node=node, steps=steps)
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode = WAL")


def fill(connection: sqlite3.Connection, path: str, *, node: str, steps: Sequence[Step]) -> None:
    """Bring a file up to the last of *steps*, within a transaction; a new one gets its names."""
    if schema.migrate(connection, path, steps) == 0:
        connection.execute(schema.SET_NODE, {"node": node})
        connection.execute(schema.NAME_FILE)


def publish(draft: str, target: str) -> None:
    """Give *draft* the name *target*, once its bytes are safe; the name that it had may stay.

    Raises:
        FileExistsError: there is such a file.
        OSError: see `lacks_links`, and the operating system.
    """
    descriptor = os.open(draft, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if os.name == "nt":
        os.rename(draft, target)  # there it replaces nothing
    else:
        os.link(draft, target)
        _keep_name(os.path.dirname(target))


def _keep_name(folder: str) -> None:
    """Have the names in a folder survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
