"""What this store is, and what it can do here."""

import sqlite3

from agent_memory_os.store.contract import StoreTraits
from agent_memory_os.store.sqlite import words

HAS_FTS5 = "SELECT count(*) FROM pragma_module_list WHERE name = 'fts5'"
JOURNAL = "PRAGMA journal_mode"
SCHEMA = "PRAGMA user_version"
SOME_VECTORS = "SELECT EXISTS (SELECT 1 FROM vectors)"
PROBE_JSON = "SELECT json_valid('{}')"


def traits(db: sqlite3.Connection, *, path: str | None, read_only: bool) -> StoreTraits:
    """Return what the store behind *db* is; *path* is None when it is in memory."""
    (has_fts5,) = db.execute(HAS_FTS5).fetchone()
    (journal,) = db.execute(JOURNAL).fetchone()
    (schema,) = db.execute(SCHEMA).fetchone()
    return StoreTraits(
        engine=f"SQLite {sqlite3.sqlite_version}",
        schema=schema,
        path=path,
        read_only=read_only,
        journal=journal,
        supports={
            "fts5": bool(has_fts5),
            "words": _answers(db, words.PROBE),
            "json": _answers(db, PROBE_JSON),
            "vectors": _answers(db, SOME_VECTORS) and bool(db.execute(SOME_VECTORS).fetchone()[0]),
            "migration": not read_only,
        },
    )


def _answers(db: sqlite3.Connection, probe: str) -> bool:
    try:
        db.execute(probe).fetchone()
    except sqlite3.Error:
        return False
    return True
