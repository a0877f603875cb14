"""Names and the numbers that stand for them: scopes, subjects, sessions and audiences."""

import json
import sqlite3
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar

from agent_memory_os.errors import StoreCorrupt
from agent_memory_os.noun import Noun
from agent_memory_os.pure import access
from agent_memory_os.store.sqlite.schema import GLOBAL_SCOPE, NOBODY, PRIVATE

K = TypeVar("K")
V = TypeVar("V")
D = TypeVar("D", bound=sqlite3.Connection)
ALL = -1  # in place of a reader: one who sees everything
UNKNOWN = -2  # a number that no row has, in no table

DATA_VERSION = "PRAGMA data_version"
EPOCH = "SELECT epoch, node, indexed FROM state"
BUMP_EPOCH = "UPDATE state SET epoch = epoch + 1"
FIND_SCOPE = """
    SELECT id FROM scopes WHERE kind = :kind AND name = :name AND deleted_ms IS NULL
"""
NEW_AGENT = """
    INSERT INTO scopes(kind, name, created_ms) VALUES ('agent', :name, :now)
"""
SCOPES_HELD = "SELECT scope FROM members WHERE agent = :agent"
AUDIENCES = """
    SELECT DISTINCT audience FROM grants WHERE scope IN (SELECT value FROM json_each(:scopes))
"""
FIND_AUDIENCE = "SELECT id FROM audiences WHERE scopes = :scopes"
NEW_AUDIENCE = "INSERT INTO audiences(scopes) VALUES (:scopes)"
NEW_GRANT = "INSERT INTO grants(scope, audience) VALUES (?, ?)"
AUDIENCE_SCOPES = """
    SELECT s.id, iif(s.kind = 'global', 'global', s.kind || ':' || s.name)
    FROM grants g JOIN scopes s ON s.id = g.scope
    WHERE g.audience = :audience AND s.deleted_ms IS NULL
"""
AGENT_NAME = "SELECT name FROM scopes WHERE id = :id"
SUBJECT_NAME = "SELECT name FROM subjects WHERE id = :id"
SESSION_NAME = "SELECT name FROM sessions WHERE id = :id"
FIND_SUBJECT = "SELECT id FROM subjects WHERE name = :name"
NEW_SUBJECT = "INSERT INTO subjects(name) VALUES (:name)"
FIND_SESSION = "SELECT id FROM sessions WHERE name = :name"
NEW_SESSION = "INSERT INTO sessions(name) VALUES (:name)"

_MOST_CACHED = 10_000  # names of one kind; a full cache starts anew


class Standing(Noun):
    """What an agent holds now: its own scope, all its scopes, and the audiences it is part of."""

    agent: int
    scopes: frozenset[int]
    audiences: tuple[int, ...]
    audiences_json: str


@dataclass(slots=True)
class Names:
    """What a connection knows of names, good for one epoch of the file.

    Numbers are never used again and names are never renamed, so only memberships and audiences
    can go stale; whatever changes them raises the epoch in the same transaction.
    """

    epoch: int = -1
    node: str = ""
    indexed: int = 0  # the last row that is in the word index
    has_index: bool = False  # whether that was looked for, and is there
    mark: tuple[int, int] = (-1, -1)  # of the state of the file that all this was read in
    # What was counted, and of what there is any, good for one mark.
    sums: dict[object, tuple[int, float]] = field(default_factory=dict)
    pasts: dict[object, Any] = field(default_factory=dict)  # likewise; see past.py
    standings: dict[str, Standing] = field(default_factory=dict)
    scopes: dict[tuple[str, str], int] = field(default_factory=dict)
    held: dict[tuple[str, str], int] = field(default_factory=dict)  # agents and their scopes
    audiences: dict[tuple[int, ...], int] = field(default_factory=dict)
    shares: dict[tuple[str, ...], int] = field(default_factory=dict)  # audiences as typed
    audience_scopes: dict[tuple[int, int], tuple[str, ...]] = field(default_factory=dict)
    subjects: dict[str, int] = field(default_factory=dict)
    sessions: dict[str, int] = field(default_factory=dict)
    agent_names: dict[int, str] = field(default_factory=dict)
    subject_names: dict[int, str] = field(default_factory=dict)
    session_names: dict[int, str] = field(default_factory=dict)
    relation_names: dict[int, str] = field(default_factory=dict)

    def forget(self) -> None:
        """Drop all that is known, as after a rollback."""
        self.epoch, self.mark = -1, (-1, -1)
        for cache in (
            self.sums,
            self.pasts,
            self.standings,
            self.scopes,
            self.held,
            self.audiences,
            self.shares,
            self.audience_scopes,
            self.subjects,
            self.sessions,
            self.agent_names,
            self.subject_names,
            self.session_names,
            self.relation_names,
        ):
            cache.clear()


def pin(db: D) -> D:
    """Return a connection whose snapshot stands from now on, with no look at names."""
    db.execute(DATA_VERSION).fetchone()
    return db


def refresh(db: sqlite3.Connection, names: Names) -> None:
    """Drop what is no longer known; first thing in every snapshot.

    SQLite counts what others committed and what this connection changed: while neither has moved
    the file is as it was, and its epoch need not be read.
    """
    (version,) = db.execute(DATA_VERSION).fetchone()
    mark = version, db.total_changes
    if mark == names.mark:
        return
    epoch, names.node, names.indexed = db.execute(EPOCH).fetchone() or _lost()
    if epoch != names.epoch:
        names.forget()
        names.epoch = epoch
    names.mark = mark
    names.sums.clear()
    names.pasts.clear()


def _lost() -> NoReturn:
    raise StoreCorrupt("the file has lost its state; restore a backup, or see client.admin.check()")


def keep(db: sqlite3.Connection, names: Names) -> None:
    """Know that this connection committed, so that its own changes are not news to it."""
    names.sums.clear()
    names.pasts.clear()
    if names.epoch >= 0:
        names.mark = names.mark[0], db.total_changes


def has_any(db: sqlite3.Connection, names: Names, statement: str) -> bool:
    """Return whether *statement*, which has no parameters, may find a row.

    False is sure of this state of the file, which is asked once: where there is nothing of a kind,
    no search looks for it again. True within a write, whatever there is.
    """
    if db.total_changes != names.mark[1]:
        return True  # whoever asks looks for itself
    if statement not in names.sums:
        names.sums[statement] = int(db.execute(statement).fetchone() is not None), 0.0
    return names.sums[statement][0] == 1


def bump(db: sqlite3.Connection, names: Names) -> None:
    """Raise the epoch: scopes, memberships or audiences changed in this transaction."""
    db.execute(BUMP_EPOCH)
    names.forget()


def _room(cache: dict[K, V]) -> dict[K, V]:
    if len(cache) >= _MOST_CACHED:
        cache.clear()
    return cache


def _new(db: sqlite3.Connection, statement: str, values: dict[str, object]) -> int:
    """Return the number of the row that *statement* writes.

    Not by RETURNING: such a statement has FTS5 write out what it holds, 0.4 ms each time.
    """
    return db.execute(statement, values).lastrowid or 0


def remember(cache: dict[K, int], name: K, number: int) -> int:
    """Note in *cache* what stands for a name, and return it."""
    _room(cache)[name] = number
    return number


def scope(db: sqlite3.Connection, names: Names, text: str) -> int | None:
    """Return the number of a live scope such as ``team:apollo``; None when there is none."""
    if text == access.GLOBAL:
        return GLOBAL_SCOPE
    kind, _, name = text.partition(":")
    return _scope(db, names, kind, name)


def agent(db: sqlite3.Connection, names: Names, name: str) -> int | None:
    """Return the number of an agent's own scope; None when the store has not heard of it."""
    return _scope(db, names, "agent", name)


def _scope(db: sqlite3.Connection, names: Names, kind: str, name: str) -> int | None:
    known = names.scopes.get((kind, name))
    if known is not None:
        return known
    row = db.execute(FIND_SCOPE, {"kind": kind, "name": name}).fetchone()
    return None if row is None else remember(names.scopes, (kind, name), row[0])


def make_agent(db: sqlite3.Connection, names: Names, name: str, now_ms: int) -> int:
    """Return the number of an agent's own scope, which is made if need be."""
    known = agent(db, names, name)
    if known is not None:
        return known
    number = _new(db, NEW_AGENT, {"name": name, "now": now_ms})
    return remember(names.scopes, ("agent", name), number)


def standing(db: sqlite3.Connection, names: Names, name: str) -> Standing:
    """Return what an agent holds in this snapshot; one not heard of holds the global scope."""
    known = names.standings.get(name)
    if known is not None:
        return known
    number = agent(db, names, name)
    scopes = {GLOBAL_SCOPE}
    if number is not None:
        scopes |= {number, *(row[0] for row in db.execute(SCOPES_HELD, {"agent": number}))}
    rows = db.execute(AUDIENCES, {"scopes": json.dumps(sorted(scopes))})
    audiences = tuple(sorted(row[0] for row in rows))
    found = Standing(
        UNKNOWN if number is None else number,
        frozenset(scopes),
        audiences,
        json.dumps(audiences),
    )
    if number is not None:  # the first write of an unknown agent does not raise the epoch
        _room(names.standings)[name] = found
    return found


def holds(db: sqlite3.Connection, names: Names, agent: str, text: str) -> bool:
    """Return whether an agent holds a live scope such as ``team:apollo`` in this snapshot."""
    if (agent, text) in names.held:
        return True
    number = scope(db, names, text)
    if number is None or number not in standing(db, names, agent).scopes:
        return False
    remember(names.held, (agent, text), number)
    return True


def make_audience(db: sqlite3.Connection, names: Names, scopes: tuple[int, ...]) -> int:
    """Return the number of a set of scopes, given in ascending order; made if need be."""
    if not scopes:
        return PRIVATE
    known = names.audiences.get(scopes)
    if known is not None:
        return known
    text = json.dumps(scopes, separators=(",", ":"))  # as json_group_array writes it
    row = db.execute(FIND_AUDIENCE, {"scopes": text}).fetchone()
    if row is not None:
        return remember(names.audiences, scopes, row[0])
    number = _new(db, NEW_AUDIENCE, {"scopes": text})
    db.executemany(NEW_GRANT, [(scope, number) for scope in scopes])
    bump(db, names)  # it may be visible to principals whose standing is cached elsewhere
    return int(number)


def audience_scopes(
    db: sqlite3.Connection, names: Names, audience: int, reader: Standing | None
) -> tuple[str, ...]:
    """Return the live scopes of an audience that *reader* holds, sorted; all of them for None."""
    key = audience, ALL if reader is None else reader.agent
    known = names.audience_scopes.get(key)
    if known is None:
        every = db.execute(AUDIENCE_SCOPES, {"audience": audience}).fetchall()
        held = (name for number, name in every if reader is None or number in reader.scopes)
        known = tuple(sorted(held))
        if reader is None or reader.agent != UNKNOWN:
            _room(names.audience_scopes)[key] = known
    return known


def subject(db: sqlite3.Connection, names: Names, name: str | None) -> int:
    """Return the number of a subject, or `UNKNOWN`; None is `NOBODY`."""
    if name is None:
        return NOBODY
    known = names.subjects.get(name)
    if known is not None:
        return known
    row = db.execute(FIND_SUBJECT, {"name": name}).fetchone()
    return UNKNOWN if row is None else remember(names.subjects, name, row[0])


def make_subject(db: sqlite3.Connection, names: Names, name: str | None) -> int:
    """Return the number of a subject, which is made if need be."""
    number = subject(db, names, name)
    if number == UNKNOWN and name is not None:
        number = _new(db, NEW_SUBJECT, {"name": name})
        remember(names.subjects, name, number)
    return number


def make_session(db: sqlite3.Connection, names: Names, name: str) -> int:
    """Return the number of a session, which is made if need be."""
    known = names.sessions.get(name)
    if known is not None:
        return known
    row = db.execute(FIND_SESSION, {"name": name}).fetchone()
    number = _new(db, NEW_SESSION, {"name": name}) if row is None else row[0]
    return remember(names.sessions, name, number)


def subject_name(db: sqlite3.Connection, names: Names, number: int) -> str | None:
    """Return the name of a subject; None for `NOBODY`."""
    if number == NOBODY:
        return None
    return name_of(db, names.subject_names, SUBJECT_NAME, number)


def name_of(db: sqlite3.Connection, known: dict[int, str], statement: str, number: int) -> str:
    """Return the name that a number stands for, by *statement* unless it is *known*."""
    name = known.get(number)
    if name is None:
        (name,) = db.execute(statement, {"id": number}).fetchone()
        _room(known)[number] = name
    return str(name)
