"""The shape of the file, as numbered steps that only go forward."""

import json
import sqlite3
import string
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import NamedTuple

from agent_memory_os.errors import StoreCorrupt, StoreError, StoreTooNew, StoreUnsupported

APPLICATION_ID = 0x414D4F53  # "AMOS", so that `file` and we know the file
GLOBAL_SCOPE, PRIVATE, NOBODY = 1, 0, 0  # fixed rows: scope "global", no audience, no subject
SUPERSEDES, CONTRADICTS = 1, 2  # fixed rows: the relations that decide what is shown, and how
CO_RECALLED = 3  # a fixed row: the relation that recalling makes
# The rows behind a memory in the order of insertion; behind "" all of them. The last row stays,
# with no id, when it is erased, and is not what "" names.
BEYOND = "m.id > ifnull((SELECT a.id FROM memories a WHERE a.uid = nullif(:after, '')), 0)"

# Every term is one token as it stands: what a term is, pure.text has decided already.
_SYMBOLS = string.punctuation.replace("'", "''").replace('"', '""')
_TOKENIZE = f"ascii tokenchars '{_SYMBOLS}'"

_SPINE = f"""
CREATE TABLE state(
    id INTEGER PRIMARY KEY CHECK (id = 1),
    epoch INTEGER NOT NULL,           -- grows when scopes, memberships or audiences change
    node TEXT NOT NULL,               -- names this file in version stamps
    indexed INTEGER NOT NULL DEFAULT 0, -- the last row that is in the word index
    fleet TEXT NOT NULL DEFAULT '',   -- digest of the agents.toml that was applied last
    secret TEXT NOT NULL DEFAULT '',  -- key of the digests in `tombstones`, once there is one
    file TEXT NOT NULL DEFAULT ''     -- tells this file from its backups, and their logs apart
) STRICT;

CREATE TABLE scopes(                  -- whoever may see something; a number is never used again
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('agent', 'team', 'project', 'global')),
    name TEXT NOT NULL,
    team INTEGER REFERENCES scopes(id),   -- of a project
    agent_kind TEXT,
    registered INTEGER NOT NULL DEFAULT 0,
    declared TEXT,                    -- an agent's kind in agents.toml, '' for none; else NULL
    created_ms INTEGER NOT NULL,
    deleted_ms INTEGER
) STRICT;
CREATE UNIQUE INDEX scopes_name ON scopes(kind, name) WHERE deleted_ms IS NULL;

CREATE TABLE members(                 -- which agents hold a team's or project's scope
    agent INTEGER NOT NULL REFERENCES scopes(id),
    scope INTEGER NOT NULL REFERENCES scopes(id),
    declared INTEGER NOT NULL DEFAULT 0,  -- 1: agents.toml gave it, and nobody by hand
    PRIMARY KEY (agent, scope)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_scope ON members(scope);

CREATE TABLE audiences(               -- each distinct set of scopes, once; 0 is the empty set
    id INTEGER PRIMARY KEY,
    scopes TEXT NOT NULL UNIQUE       -- JSON array of scope ids, ascending
) STRICT;
CREATE TABLE grants(                  -- which scopes an audience is made of
    scope INTEGER NOT NULL REFERENCES scopes(id),
    audience INTEGER NOT NULL REFERENCES audiences(id),
    PRIMARY KEY (scope, audience)
) STRICT, WITHOUT ROWID;

CREATE TABLE subjects(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE INDEX subjects_short ON subjects(substr(name, instr(name, ':') + 1));
CREATE TABLE sessions(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE memories(
    id INTEGER PRIMARY KEY,
    stamp INTEGER NOT NULL,           -- when it was written: ms << 16 | counter; 0: a husk
    chance INTEGER NOT NULL,          -- random bits of its id, which begins with the stamp
    owner INTEGER NOT NULL REFERENCES scopes(id),
    audience INTEGER NOT NULL REFERENCES audiences(id),
    subject INTEGER NOT NULL REFERENCES subjects(id),
    state INTEGER NOT NULL,           -- 0 active, 1 for some superseded, 2 archived, 3 deleted,
                                      -- 4 a husk
    layer INTEGER NOT NULL,
    kind TEXT,                        -- its type; NULL: a note
    recalls INTEGER NOT NULL DEFAULT 0,   -- how often somebody said what its recall was worth
    helped INTEGER NOT NULL DEFAULT 0,    -- and how often it helped
    last_recalled_ms INTEGER,
    content TEXT NOT NULL,
    tags TEXT,                        -- JSON array
    metadata TEXT,                    -- JSON object
    actor TEXT,
    session INTEGER REFERENCES sessions(id),  -- within it, the order is that of the ids
    key TEXT,
    entity TEXT,                      -- what has the attribute; NULL: the subject
    attribute TEXT,                   -- of what the content is the value
    created INTEGER,                  -- ms; NULL: as `stamp` says
    occurred INTEGER,                 -- ms; NULL: when created
    valid_from_ms INTEGER,
    valid_to_ms INTEGER,
    expires_ms INTEGER,
    doubled REAL NOT NULL,            -- twice the importance: the usual 0.5 takes no room
    confidence REAL NOT NULL,
    pinned INTEGER NOT NULL,
    mentions INTEGER NOT NULL,
    identity INTEGER,                 -- digest of the normal form; NULL for events
    changed INTEGER,                  -- clock of the content; NULL: as `stamp`
    version_node TEXT,                -- NULL: this file's node
    access INTEGER,                   -- clock of the rights; NULL: as created
    access_node TEXT,
    analyser INTEGER NOT NULL,        -- version of pure.text that made the terms
    terms TEXT NOT NULL,              -- as indexed; empty when the row has left the index
    topics INTEGER NOT NULL,          -- how many it has in the table of these
    distilled INTEGER NOT NULL DEFAULT 0, -- 1: its owner has made atoms of it, if it is an event

    -- What is read: most rows need not keep it.
    uid TEXT AS (iif(stamp, printf('%015x%010x', stamp, chance), '')),
    created_ms INTEGER AS (ifnull(created, stamp >> 16)),
    occurred_ms INTEGER AS (ifnull(occurred, created_ms)),
    version INTEGER AS (ifnull(changed, stamp)),
    importance REAL AS (doubled / 2),
    type TEXT AS (ifnull(kind, 'note')),
    waits INTEGER AS (                -- 1: an event, of which its owner shall make atoms
        layer = 0 AND distilled = 0 AND state < 2 AND type <> 'session_end'
    )
) STRICT;
CREATE UNIQUE INDEX memories_uid ON memories(uid);
CREATE INDEX memories_owner ON memories(owner, waits);
CREATE INDEX memories_audience ON memories(audience) WHERE audience <> 0;
CREATE INDEX memories_subject ON memories(subject) WHERE subject <> 0;
CREATE INDEX memories_session ON memories(session) WHERE session IS NOT NULL;
CREATE UNIQUE INDEX memories_key ON memories(owner, subject, key)
    WHERE key IS NOT NULL AND state = 0;
CREATE INDEX memories_identity ON memories(identity) WHERE identity IS NOT NULL;
CREATE INDEX memories_pinned ON memories(owner) WHERE pinned = 1;
CREATE INDEX memories_upper ON memories(subject, layer) WHERE layer > 1;
-- Atoms that hold from a moment on: no statistic counts them, and scenes are made of them too.
CREATE INDEX memories_since ON memories(owner, subject, audience)
    WHERE layer = 1 AND state < 2 AND valid_from_ms IS NOT NULL;

-- Values of attributes: those of an entity together, and entities by their names without the kind.
CREATE INDEX memories_entity ON memories(subject, entity, attribute) WHERE attribute IS NOT NULL;
CREATE INDEX memories_entity_short ON memories(
    subject, substr(entity, instr(entity, ':') + 1), entity
) WHERE attribute IS NOT NULL AND instr(entity, ':') > 0;

CREATE TABLE relations(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
CREATE TABLE links(                   -- who says that one memory goes with another, and how
    src INTEGER NOT NULL REFERENCES memories(id),
    dst INTEGER NOT NULL REFERENCES memories(id),
    relation INTEGER NOT NULL REFERENCES relations(id),
    owner INTEGER NOT NULL REFERENCES scopes(id),
    weight REAL NOT NULL CHECK (weight BETWEEN 0 AND 1),  -- 0: unlinked, for whoever merges later
    created_ms INTEGER NOT NULL,
    version INTEGER NOT NULL,         -- clock of the weight: ms << 16 | counter
    version_node TEXT,                -- NULL: this file's node
    PRIMARY KEY (src, dst, relation, owner),
    CHECK (src <> dst)
) STRICT, WITHOUT ROWID;
-- From each end the heaviest first, of equal ones the newest: a hub is never read whole. What
-- recalling made stands by itself, so that it takes no place of what somebody said.
CREATE INDEX links_out ON links(src, relation = {CO_RECALLED}, weight, dst);
CREATE INDEX links_in ON links(dst, relation = {CO_RECALLED}, weight, src);
CREATE INDEX links_recalled ON links(dst, owner) WHERE relation = {CO_RECALLED};
CREATE INDEX links_superseded ON links(dst) WHERE relation = {SUPERSEDES};
CREATE INDEX links_contradicting ON links(src) WHERE relation = {CONTRADICTS};
CREATE INDEX links_contradicted ON links(dst) WHERE relation = {CONTRADICTS};

CREATE TABLE topics(                  -- what short statements are about: digests, for their rivals
    topic INTEGER NOT NULL,
    memory INTEGER NOT NULL,          -- its number; REFERENCES would ask for an index by it
    PRIMARY KEY (topic, memory)
) STRICT, WITHOUT ROWID;

CREATE TABLE payloads(                -- bytes that memories are handles of, once for each partition
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    owner INTEGER NOT NULL REFERENCES scopes(id),
    subject INTEGER NOT NULL REFERENCES subjects(id),
    digest TEXT NOT NULL,             -- SHA-256 of the bytes as they were
    bytes INTEGER NOT NULL,           -- how many they were
    mask BLOB NOT NULL                -- key by which the pieces are masked
) STRICT;
CREATE UNIQUE INDEX payloads_digest ON payloads(owner, subject, digest);
CREATE TABLE chunks(                  -- their pieces in order, compressed and masked
    payload INTEGER NOT NULL REFERENCES payloads(id),
    place INTEGER NOT NULL,
    packed BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX chunks_place ON chunks(payload, place);
CREATE TABLE handles(                 -- which memory is the handle of which payload
    memory INTEGER PRIMARY KEY REFERENCES memories(id),
    payload INTEGER NOT NULL REFERENCES payloads(id),
    chars INTEGER                     -- of the text that was put; NULL: bytes were
) STRICT;
CREATE INDEX handles_payload ON handles(payload);

CREATE TABLE profiles(                -- how an agent weighs what it recalls
    agent INTEGER PRIMARY KEY REFERENCES scopes(id),
    weights TEXT NOT NULL,            -- JSON object
    version INTEGER NOT NULL,
    version_node TEXT
) STRICT;

CREATE TABLE partitions(              -- durable rows and their terms, kept as they are written
    subject INTEGER NOT NULL,         -- -1: over all subjects
    owner INTEGER NOT NULL,
    audience INTEGER NOT NULL,
    memories INTEGER NOT NULL,
    terms INTEGER NOT NULL,
    PRIMARY KEY (subject, owner, audience)
) STRICT, WITHOUT ROWID;

CREATE TABLE history(                 -- values that were replaced
    id INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: what is above it is new
    memory INTEGER NOT NULL REFERENCES memories(id),
    kind TEXT NOT NULL,
    by INTEGER NOT NULL REFERENCES scopes(id),
    at_ms INTEGER NOT NULL,
    version INTEGER NOT NULL,
    before TEXT NOT NULL              -- JSON object
) STRICT;
CREATE INDEX history_memory ON history(memory);

CREATE TABLE receipts(                -- first answers to idempotency keys
    owner INTEGER NOT NULL REFERENCES scopes(id),
    key TEXT NOT NULL,
    digest TEXT NOT NULL,             -- of the whole call
    memory INTEGER NOT NULL REFERENCES memories(id),
    verdict TEXT NOT NULL,
    why TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX receipts_memory ON receipts(memory);

CREATE TABLE audit(                   -- acts on rights and organisation
    id INTEGER PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    by TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    detail TEXT NOT NULL              -- JSON object
) STRICT;

CREATE TABLE tombstones(              -- deletions, for whoever merges with this file later
    uid TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    deleted_ms INTEGER NOT NULL,
    forgotten INTEGER NOT NULL DEFAULT 0, -- 1: erased, and to be erased wherever it comes back
    digest TEXT,                      -- of what was forgotten, by the key in `state`; NULL: none
    rejected TEXT                     -- of what was rejected, by the same key; NULL: it was not
) STRICT, WITHOUT ROWID;
CREATE INDEX tombstones_rejected ON tombstones(rejected) WHERE rejected IS NOT NULL;

CREATE TABLE purges(                  -- erasures whose bytes are not all gone from the file yet
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    stage INTEGER NOT NULL            -- 0 erased, 1 the index is being rewritten, 2 it was
) STRICT;

INSERT INTO state(id, epoch, node) VALUES (1, 1, '');
INSERT INTO scopes(id, kind, name, registered, created_ms)
    VALUES ({GLOBAL_SCOPE}, 'global', '', 1, 0);
INSERT INTO audiences(id, scopes) VALUES ({PRIVATE}, '[]');
INSERT INTO subjects(id, name) VALUES ({NOBODY}, '');
INSERT INTO relations(id, name)
    VALUES ({SUPERSEDES}, 'supersedes'), ({CONTRADICTS}, 'contradicts'),
        ({CO_RECALLED}, 'co_recalled');
"""

SET_NODE = "UPDATE state SET node = :node"
# A backup has another name than the store, until it is used as one: no log belongs to it.
BACKUP = "backup-"
NAME_FILE = "UPDATE state SET file = lower(hex(randomblob(8)))"
NAME_BACKUP = f"UPDATE state SET file = '{BACKUP}' || lower(hex(randomblob(8)))"
NAME_USED = f"{NAME_FILE} WHERE file LIKE '{BACKUP}%'"

# The index holds nothing of its own: it is fed with columns of `memories`, and can be dropped.
# Without lengths (columnsize=0) each commit writes a page less; bm25 then takes all rows for
# equally long, which is good enough to choose candidates by. The other two tables are views of it.
INDEX = (
    f"""CREATE VIRTUAL TABLE words USING fts5(
        terms, brief, rights, content='', columnsize=0, tokenize="{_TOKENIZE}"
    )""",
    "CREATE VIRTUAL TABLE words_vocabulary USING fts5vocab(words, 'row')",
    "CREATE VIRTUAL TABLE words_places USING fts5vocab(words, 'instance')",
    "CREATE TABLE vocabulary(term TEXT PRIMARY KEY) STRICT, WITHOUT ROWID",
)
DROP_INDEX = (
    "DROP TABLE IF EXISTS vocabulary",
    "DROP TABLE IF EXISTS words_places",
    "DROP TABLE IF EXISTS words_vocabulary",
    "DROP TABLE IF EXISTS words",
)

# FTS5 keeps the index in tables of its own. When one of them is lost or damaged, the index cannot
# even be dropped.
SHADOWS = tuple(f"words_{each}" for each in ("data", "idx", "content", "docsize", "config"))
TORN_OUT_INDEX = (*SHADOWS, "vocabulary", "words_places", "words_vocabulary", "words")
COUNTS = ("partitions", "topics")
TORN_OUT_VECTORS = ("vectors", "embedders")
DROP_COUNTS = tuple(f"DROP TABLE IF EXISTS {each}" for each in COUNTS)
PRESENT = "SELECT name FROM sqlite_schema"
TEAR_OUT = """
    DELETE FROM sqlite_schema
    WHERE name IN (SELECT value FROM json_each(:names))
        OR tbl_name IN (SELECT value FROM json_each(:names))
"""
PARTS = """
    SELECT name, type, tbl_name, sql FROM sqlite_schema
    WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, rowid
"""

# Which steps a file has seen: two versions of this library must not mean two by one number.
MAKE_RECORD = """
    CREATE TABLE IF NOT EXISTS steps(number INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT
"""
HAS_RECORD = "SELECT 1 FROM sqlite_schema WHERE name = 'steps'"
RECORDED = "SELECT number, name FROM steps ORDER BY number"
RECORD = "INSERT OR REPLACE INTO steps(number, name) VALUES (?, ?)"

# Vectors can be dropped too, but only the host's embedding function makes them anew.
VECTORS = (
    """CREATE TABLE IF NOT EXISTS embedders( -- models that vectors are of
        id INTEGER PRIMARY KEY,
        fingerprint TEXT NOT NULL UNIQUE,
        lanes INTEGER NOT NULL        -- numbers in a vector
    ) STRICT""",
    """CREATE TABLE IF NOT EXISTS vectors( -- what a model made of the content of an active memory
        stamp INTEGER PRIMARY KEY AUTOINCREMENT, -- never used again: what is above it is new
        memory INTEGER NOT NULL UNIQUE REFERENCES memories(id),
        embedder INTEGER NOT NULL REFERENCES embedders(id),
        vector BLOB NOT NULL          -- float32, little-endian, of unit length
    ) STRICT""",
)

_STOPPED = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM}
_STOPPED |= {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_INTERRUPT}

Step = Callable[[sqlite3.Connection], None]
NO_FTS5 = "this SQLite has no FTS5; use a Python whose sqlite3 was built with it"


def _spine(connection: sqlite3.Connection) -> None:
    for statement in statements(_SPINE):
        connection.execute(statement)
    try:
        for statement in (*INDEX, *VECTORS):
            connection.execute(statement)
    except sqlite3.OperationalError as error:
        if "no such module" in str(error):
            raise StoreUnsupported(NO_FTS5) from error
        raise


STEPS: tuple[Step, ...] = (_spine,)


def statements(script: str) -> list[str]:
    """Return the statements of *script*, one by one: `executescript` would commit first."""
    found, rest = [], ""
    for line in script.splitlines():
        rest += line + "\n"
        if sqlite3.complete_statement(rest):
            found.append(rest.strip())
            rest = ""
    return found


def version_of(connection: sqlite3.Connection) -> int:
    """Return the number of the last step that the file has seen; 0 for a new file."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def refuse_newer(connection: sqlite3.Connection, path: str, steps: Sequence[Step] = STEPS) -> int:
    """Return the file's version; read only.

    Raises:
        StoreTooNew: a newer library wrote it.
        StoreError: it is a SQLite file of another application.
    """
    found = version_of(connection)
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    if application not in (0, APPLICATION_ID):
        raise StoreError(f"{path} is a SQLite file of another application; name another path")
    if application == 0:
        (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        if tables:
            raise StoreError(f"{path} is a SQLite file of another application; name another path")
    if application == APPLICATION_ID and found == 0:
        raise StoreCorrupt(f"{path} is damaged: its header names no version. Restore a backup")
    if found > len(steps):
        raise StoreTooNew(
            f"{path} is version {found}; this library reads up to {len(steps)}."
            " Upgrade agent-memory-os."
        )
    return found


def refuse_other_steps(
    connection: sqlite3.Connection, path: str, steps: Sequence[Step] = STEPS
) -> None:
    """Compare the steps that the file has seen, by name, with those of this library; read only.

    Raises:
        StoreError: the file has seen another one under the same number.
    """
    if not connection.execute(HAS_RECORD).fetchone():
        return
    for number, name in connection.execute(RECORDED).fetchall():
        if number > len(steps) or name != _name(steps[number - 1]):
            raise StoreError(
                f"{path} has seen a step {number} named {name!r} that this library does not know;"
                " nothing was touched. Open it with the version of the library that made it"
            )


def _name(step: Step) -> str:
    return step.__name__.strip("_")


def migrate(connection: sqlite3.Connection, path: str, steps: Sequence[Step] = STEPS) -> int:
    """Bring the file up to the last of *steps*, and return the version that it had.

    It runs inside the caller's write transaction.

    All steps and their numbers commit together or not at all; a second process that waited for
    the lock finds nothing left to do.
    """
    found = refuse_newer(connection, path, steps)
    refuse_other_steps(connection, path, steps)
    connection.execute(MAKE_RECORD)
    for number, step in enumerate(steps[found:], found + 1):
        step(connection)
        connection.execute(RECORD, (number, _name(step)))
        connection.execute(f"PRAGMA user_version = {number}")
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    return found


class Part(NamedTuple):
    """A table or an index of the file: its name, "table" or "index", and how it is made."""

    name: str
    kind: str
    table: str
    sql: str


@cache
def parts() -> tuple[Part, ...]:
    """Return what a file of the last step consists of, tables first."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        migrate(connection, "")
        return tuple(Part(*row) for row in connection.execute(PARTS))
    finally:
        connection.close()


def make(connection: sqlite3.Connection, names: Iterable[str]) -> None:
    """Make tables and indexes that are missing."""
    wanted = frozenset(names)
    for part in parts():
        if part.name in wanted:
            connection.execute(part.sql)


# A write transaction that has met a page that it cannot read is lost: SQLite commits nothing of it.
# So whatever must be renewed is first dropped as usual, and, in another transaction, torn out.


def clear_index(connection: sqlite3.Connection, *, torn: bool) -> None:
    """Make the word index and the vocabulary anew, empty.

    *torn*: without a look at what is left of them.
    """
    if torn:
        _tear_out(connection, TORN_OUT_INDEX)
    else:
        for statement in DROP_INDEX:
            connection.execute(statement)
    for statement in INDEX:
        connection.execute(statement)


def clear_counts(connection: sqlite3.Connection, *, torn: bool) -> None:
    """Make the tables of counts and of topics anew, empty; *torn* as in `clear_index`."""
    if torn:
        _tear_out(connection, COUNTS)
    else:
        for statement in DROP_COUNTS:
            connection.execute(statement)
    make(connection, COUNTS)


def clear_vectors(connection: sqlite3.Connection) -> None:
    """Make the tables of vectors anew, empty, without a look at what is left of them."""
    _tear_out(connection, TORN_OUT_VECTORS)
    for statement in VECTORS:
        connection.execute(statement)


def is_stopped(error: sqlite3.Error) -> bool:
    """Return whether *error* is about what is outside of the file: no room, no memory, a lock."""
    code = getattr(error, "sqlite_errorcode", None) or 0
    return code & 0xFF in _STOPPED


def renew_indexes(connection: sqlite3.Connection, *, torn: bool) -> None:
    """Make the indexes of all tables anew, also those that are gone; *torn* as in `clear_index`."""
    indexes = [part for part in parts() if part.kind == "index"]
    if torn:
        _tear_out(connection, [part.name for part in indexes])
    present = {name for (name,) in connection.execute(PRESENT)}
    make(connection, [part.name for part in indexes if part.name not in present])
    if not torn:
        for table in sorted({part.table for part in indexes}):
            connection.execute(f"REINDEX {table}")


def _tear_out(connection: sqlite3.Connection, names: Sequence[str]) -> None:
    """Take tables and indexes out of the schema without reading them.

    Their pages stay in the file without a use, until it is written anew (VACUUM).
    """
    connection.execute("PRAGMA writable_schema = ON")
    try:
        connection.execute(TEAR_OUT, {"names": json.dumps(names)})
        (version,) = connection.execute("PRAGMA schema_version").fetchone()
        connection.execute(f"PRAGMA schema_version = {version + 1}")
    finally:
        connection.execute("PRAGMA writable_schema = RESET")
