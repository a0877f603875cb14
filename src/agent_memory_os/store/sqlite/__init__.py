"""The store in one SQLite file, or in memory."""

import random
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import TypeVar, cast

from agent_memory_os.model import (
    JSON,
    NO_FILTERS,
    Agent,
    AuditEntry,
    Change,
    Clock,
    Draft,
    Filters,
    Finding,
    Link,
    Memory,
    Project,
    RecallProfile,
    State,
    Stats,
    Step,
    Team,
    Visibility,
)
from agent_memory_os.pure.text import Query
from agent_memory_os.settings import Settings
from agent_memory_os.store import contract
from agent_memory_os.store.contract import FirstReceipt, Found, Matches
from agent_memory_os.store.sqlite import (
    browse,
    candidates,
    invariants,
    journal,
    links,
    memories,
    orgs,
    profiles,
    vocabulary,
)
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.connect import Connection, Connections, translate
from agent_memory_os.store.sqlite.line import Line, Pen, Stamper

T = TypeVar("T")


class SqliteSnapshot:
    """One unchanging state of the file."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def matches(self, query: Query, visibility: Visibility, filters: Filters) -> Matches:
        """Return what shares a term with *query*, up to the budget of the settings."""
        return candidates.matches(self._line, query, visibility, filters)

    def alike(
        self, asked: Mapping[str, str], visibility: Visibility, filters: Filters
    ) -> Mapping[str, Sequence[tuple[str, float]]]:
        """Return for each term that no visible memory holds the visible terms most alike."""
        return vocabulary.alike(self._line, asked, visibility, filters)

    def documents(
        self, visibility: Visibility, filters: Filters, *, most: int
    ) -> Sequence[tuple[str, str]] | None:
        """Return the id and the analysed text of all visible memories, unless they are many."""
        return browse.documents(self._line, visibility, filters, most=most)

    def surroundings(
        self, ids: Sequence[str], visibility: Visibility, *, width: int
    ) -> Mapping[str, Sequence[Found]]:
        """Return for each of *ids* that is in a session the run of turns around it, in order."""
        return candidates.surroundings(self._line, ids, visibility, width=width)

    def read(
        self,
        ids: Sequence[str],
        visibility: Visibility,
        filters: Filters = NO_FILTERS,
    ) -> list[Memory]:
        """Return those of *ids* that pass the gate and the filters, in no order, each once."""
        return memories.read(self._line, ids, visibility, filters)

    def browse(
        self,
        visibility: Visibility,
        filters: Filters,
        *,
        limit: int,
        offset: int = 0,
        pinned: bool = False,
    ) -> list[Memory]:
        """Return visible memories, the last written first; with *pinned* only those."""
        return browse.browse(
            self._line, visibility, filters, limit=limit, offset=offset, pinned=pinned
        )

    def passing(
        self, ids: Sequence[str], visibility: Visibility, filters: Filters = NO_FILTERS
    ) -> set[str]:
        """Return those of *ids* that `read` would return the memories of."""
        return memories.passing(self._line, ids, visibility, filters)

    def steps(
        self,
        ids: Sequence[str],
        visibility: Visibility,
        *,
        relations: Sequence[str] = (),
        most: int,
    ) -> list[Step]:
        """Return the steps from *ids* over links whose both ends pass the gate."""
        return links.steps(self._line, ids, visibility, relations=relations, most=most)

    def fans(
        self, ids: Sequence[str], visibility: Visibility, *, most: int, looked_at: int
    ) -> dict[str, dict[str, float]]:
        """Return the neighbours of each of *ids* that has any, and the weight that leads there."""
        return links.fans(self._line, ids, visibility, most=most, looked_at=looked_at)

    def links(self, source_id: str, target_id: str) -> list[Link]:
        """Return the links from one memory to another, both of which the caller was shown."""
        return links.between(self._line, source_id, target_id)

    def profile(self, agent: str) -> RecallProfile | None:
        """Return the recall profile that was last saved for an agent, if any."""
        return profiles.find(self._line, agent)

    def history(self, memory_id: str, visibility: Visibility) -> list[Change]:
        """Return what was replaced in a memory that passes the gate, oldest first."""
        return memories.history(self._line, memory_id, visibility)

    def stats(self, visibility: Visibility) -> Stats:
        """Return counts of what the reader sees."""
        return browse.stats(self._line, visibility)

    def knows(self, agent: str) -> bool:
        """Return whether the agent was ever registered, a member, an owner, or given something."""
        return orgs.knows(self._line, agent)

    def holds(self, agent: str, scope: str) -> bool:
        """Return whether the agent is a member of a live team or project."""
        return orgs.holds(self._line, agent, scope)

    def agents(self) -> list[Agent]:
        """Return the agents that are registered or own something, by id."""
        return orgs.agents(self._line)

    def teams(self) -> list[Team]:
        """Return the teams that exist, by id."""
        return orgs.teams(self._line)

    def projects(self) -> list[Project]:
        """Return the projects that exist, by id."""
        return orgs.projects(self._line)

    def memberships(self, agent: str) -> list[str]:
        """Return the scopes that an agent holds by membership, sorted."""
        return orgs.memberships(self._line, agent)

    def audit(self, *, limit: int) -> list[AuditEntry]:
        """Return the last acts on rights and organisation, newest first."""
        return journal.audit(self._line, limit=limit)


class SqliteTransaction(SqliteSnapshot):
    """A snapshot that can be changed; all of it commits, or none."""

    _line: Pen

    def __init__(self, pen: Pen) -> None:
        super().__init__(pen)
        self._pen = pen

    @property
    def now_ms(self) -> int:
        """Return the moment of the transaction, UTC milliseconds."""
        return self._pen.now_ms

    def insert(self, draft: Draft) -> Memory:
        """Write a new memory with its rights and index entries; return it as its owner sees it."""
        return memories.insert(self._pen, draft)

    def replace(self, memory: Memory, *, by: str, kind: str) -> Memory:
        """Write *memory* over the row of its id, keep what it replaced; return it restamped."""
        return memories.replace(self._pen, memory, by=by, kind=kind)

    def set_visibility(self, memory: Memory, scopes: Sequence[str], *, by: str) -> Memory:
        """Give a memory another set of scopes; the content's version does not change."""
        return memories.set_visibility(self._pen, memory, scopes, by=by)

    def set_state(self, memory: Memory, state: State, *, by: str) -> None:
        """Move a memory to another state; leaving "active" takes it out of the index."""
        memories.set_state(self._pen, memory, state, by=by)

    def link(
        self, source_id: str, target_id: str, *, relation: str, weight: float, by: str
    ) -> Link:
        """Link two memories; the link that *by* has made so already gets the *weight*."""
        return links.put(self._pen, source_id, target_id, relation=relation, weight=weight, by=by)

    def unlink(self, source_id: str, target_id: str, *, relation: str | None, by: str) -> int:
        """Unlink what *by* linked, of one relation or of all; return how many links that was."""
        return links.cut(self._pen, source_id, target_id, relation=relation, by=by)

    def count_recall(self, ids: Sequence[str], *, helped: bool) -> None:
        """Count that each memory was recalled, and whether it helped; its version stays."""
        memories.count_recall(self._pen, ids, helped=helped)

    def save_profile(self, profile: RecallProfile) -> None:
        """Save the recall profile of its agent, in place of the one before."""
        profiles.put(self._pen, profile)

    def twins(self, draft: Draft) -> list[Memory]:
        """Return the active memories of the same owner, subject, type, layer and normal form."""
        return memories.twins(self._pen, draft)

    def keyed(self, owner: str, subject: str | None, key: str) -> Memory | None:
        """Return the active memory of that name, if any."""
        return memories.keyed(self._pen, owner, subject, key)

    def first_receipt(self, owner: str, idempotency_key: str) -> FirstReceipt | None:
        """Return what was answered to that key, if it was used."""
        return memories.first_receipt(self._pen, owner, idempotency_key)

    def keep_receipt(self, owner: str, idempotency_key: str, receipt: FirstReceipt) -> None:
        """Remember what was answered to that key."""
        journal.keep_receipt(self._pen, owner, idempotency_key, receipt)

    def register_agent(self, agent: str, kind: str | None) -> None:
        """Register an agent, or change its kind."""
        orgs.register_agent(self._pen, agent, kind)

    def create_team(self, team: str) -> None:
        """Create a team that does not exist."""
        orgs.create_team(self._pen, team)

    def create_project(self, project: str, team: str) -> None:
        """Create a project that does not exist, of a team that does."""
        orgs.create_project(self._pen, project, team)

    def add_member(self, scope: str, agent: str) -> bool:
        """Let an agent hold a scope; False when it did already."""
        return orgs.add_member(self._pen, scope, agent)

    def remove_member(self, scope: str, agent: str) -> bool:
        """Take a scope, and a team's projects with it, from an agent; False when it had none."""
        return orgs.remove_member(self._pen, scope, agent)

    def delete_scope(self, scope: str) -> None:
        """Delete a team with its projects, or a project, for good; the name may be used again."""
        orgs.delete_scope(self._pen, scope)

    def record(self, by: str, action: str, target: str, detail: Mapping[str, JSON]) -> None:
        """Write an entry of the audit."""
        journal.record(self._pen, by, action, target, detail)


class SqliteStore:
    """A store at *path*, or in memory for ``":memory:"``; created or migrated when opened."""

    def __init__(
        self,
        path: str,
        *,
        settings: Settings,
        clock: Clock,
        entropy: Callable[[int], int] | None = None,
    ) -> None:
        self.path = path
        self._settings = settings
        self._clock = clock
        # Our own generator: a host that seeds `random` must not make our ids repeat.
        self._entropy = entropy or random.SystemRandom().getrandbits
        self._stamper = Stamper()
        self.connections = Connections(path, settings, node=f"{self._entropy(32):08x}")

    def read(self) -> AbstractContextManager[contract.Snapshot]:
        """Open a snapshot."""
        return self.connections.read(self._snapshot)

    def _snapshot(self, db: Connection) -> SqliteSnapshot:
        return SqliteSnapshot(self._line(db))

    def _line(self, db: Connection) -> Line:
        named.refresh(db, db.names)
        return Line(db, db.names, self._settings)

    def write(self, *, bulk: bool = False) -> AbstractContextManager[contract.Transaction]:
        """Open a transaction; *bulk* says that it will write many memories."""
        return _Writing(self, SqliteTransaction, bulk=bulk)

    def begin(self) -> Pen:
        """Begin a write transaction; `end` must follow."""
        db = self.connections.begin_write()
        try:
            named.refresh(db, db.names)
            now_ms = self._clock.now_ms()
            return Pen(db, db.names, self._settings, now_ms, self._stamper, self._entropy)
        except BaseException:
            self.connections.end_write(db, used_up=False)
            raise

    def end(self, pen: Pen, *, commit: bool, used_up: bool) -> None:
        """Commit all of it, or none."""
        db = cast("Connection", pen.db)
        committed = False
        try:
            if commit:
                pen.tally.write(db)
                if pen.is_word_rich:
                    vocabulary.extend(db)
                db.execute("COMMIT")
                committed = True
        finally:
            if committed:
                named.keep(db, pen.names)
            else:
                pen.names.forget()  # it may know names that are rolled back
            self.connections.end_write(db, used_up=used_up)

    def check(self) -> list[Finding]:
        """Return every broken invariant; empty when the store is sound."""
        with self.connections.read(self._line) as line:
            return invariants.check(line)

    def rebuild_indexes(self) -> int:
        """Make every disposable index anew, and return how many memories are in it."""
        with _Writing(self, lambda pen: pen, bulk=True) as pen:
            return invariants.rebuild(pen)

    def close(self) -> None:
        """Let go of the store; idempotent."""
        self.connections.close()


class _Writing(AbstractContextManager[T]):
    """A write transaction as a context manager; written out, since every add passes through it."""

    __slots__ = ("_bulk", "_pen", "_store", "_use")

    def __init__(self, store: SqliteStore, use: Callable[[Pen], T], *, bulk: bool) -> None:
        self._store, self._use, self._bulk = store, use, bulk

    def __enter__(self) -> T:
        try:
            self._pen = self._store.begin()
        except sqlite3.Error as error:
            raise translate(error, self._store.path) from error
        return self._use(self._pen)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self._store.end(self._pen, commit=error is None, used_up=self._bulk)
        except sqlite3.Error as failed:
            raise translate(failed, self._store.path) from failed
        if isinstance(error, sqlite3.Error):
            raise translate(error, self._store.path) from error
