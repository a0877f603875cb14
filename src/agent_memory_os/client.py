"""The client: the trusted host's way to a store, acting as any agent it names."""

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from types import TracebackType
from typing import Any, Literal, Self, TypeVar, Unpack

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import (
    Capabilities,
    Captured,
    Change,
    ChangeFields,
    Clock,
    Consolidation,
    Draft,
    ErasureReceipt,
    Explanation,
    FilterFields,
    Hits,
    Hooks,
    Link,
    Memory,
    MemoryFields,
    Neighbor,
    OnRecall,
    OnWrite,
    Pack,
    PackFormat,
    PackReport,
    Progress,
    RecallProfile,
    Receipt,
    Redact,
    Strategy,
    TokenCounter,
)
from agent_memory_os.providers.deadline import Stopwatch
from agent_memory_os.providers.protocol import Embed, EmbedQuery, Provider
from agent_memory_os.pure import access, bounds
from agent_memory_os.pure.prefer import Prefer
from agent_memory_os.pure.tokens import estimate_tokens
from agent_memory_os.recall.choice import Panel
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Store
from agent_memory_os.view import (
    DEFAULT_LIMIT,
    DEFAULT_PAGE,
    DEFAULT_RELATION,
    AgentMemory,
    Parts,
    drafts_of,
)

T = TypeVar("T")
DEFAULT_AGENT = "local"
FILE_NAME = "memory.db"
MEMORY = ":memory:"
_STORES = ("read", "write", "check", "close")  # by which a store is known from a path
_PENDING = "new concepts have no vectors yet: call admin.reembed()"


class SystemClock:
    """The clock of this machine."""

    def now_ms(self) -> int:
        """Return UTC milliseconds since 1970."""
        return time.time_ns() // 1_000_000


class MemoryClient:
    """A memory for a team of agents, in one file.

    It is the trusted host's object: each call acts as the agent it names, else as the client's
    own. Hand agents `as_agent`, which can act as nobody else. It may be used from any thread,
    and after a fork; close it, or use it as a context manager.

    >>> with MemoryClient(":memory:") as m:
    ...     receipt = m.add("Alice prefers dark mode", subject="user:alice")
    ...     [hit.content for hit in m.search("which mode?", subject="user:alice")]
    ['Alice prefers dark mode']

    Args:
        path: the file, or ":memory:"; its folder must exist, and "~" is your home.
        home: a folder, made if need be, in which the file is ``memory.db``; the environment's
            AGENT_MEMORY_HOME when neither is given. What its ``agents.toml`` declares is applied,
            if the file has changed.
        agent_id: the agent that calls act as when they name none; the environment's
            AGENT_MEMORY_AGENT_ID, else "local".
        clock: what time it is; the machine's by default.
        settings: the tunable numbers.
        count_tokens: what a text costs; a careful estimate by default.
        entropy: returns so many random bits, for ids; the system's by default.
        providers: whom searches ask that do not say: `Provider` objects of yours, and names of arms
            in place of the usual ones.
        stopwatch: returns seconds that only grow, for deadlines; ``time.monotonic`` by default.
        embed: makes vectors of texts: a list of texts in, as many lists of numbers out. What is
            written is kept with its vector, and what means the same is found by other words too.
        embed_query: makes the vector of a query; *embed* does when None.
        semantic: "auto" asks for turbovec, and without *embed* for the hashed pieces of words as
            the model; what is not installed is said in the reports.
        on_write: is told of each write, a `WriteEvent`, once it is safe. What it raises breaks
            nothing: it is logged, and said in the receipt.
        on_recall: is told of each search and pack, a `RecallEvent`. What it raises breaks nothing:
            it is logged, and said in the report.
        redact: masks each content, tag and text of metadata before it is written, and returns the
            text that is left, or a `Redaction`; `redact_secrets` is one. What it raises refuses
            the write.
        judge: decides in place of the rules what a statement does to what was said before: a
            `Judge`. It is asked while nothing is locked, and only if there is something to judge.
            What it raises, or returns that does not hold, breaks nothing: the rules decide then,
            and the receipt says so.
        store: the store to use in place of a file, which keeps `store.contract.Store`
            (`testing.check_store` tells); it writes by a clock and settings of its own, so give it
            the same. `close` closes it. No file declares a fleet for it.

    Raises:
        InvalidInput: no place was named, or two; or ``agents.toml`` is malformed.
        StoreTooNew: a newer library wrote the file; it was not touched.
        StoreCorrupt: the file is damaged, or not a database.
        StoreError: the file cannot be opened.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        home: str | os.PathLike[str] | None = None,
        agent_id: str | None = None,
        clock: Clock | None = None,
        settings: Settings | None = None,
        count_tokens: TokenCounter | None = None,
        entropy: Callable[[int], int] | None = None,
        providers: Iterable[str | Provider] | None = None,
        stopwatch: Stopwatch | None = None,
        embed: Embed | None = None,
        embed_query: EmbedQuery | None = None,
        semantic: Literal["auto"] | None = None,
        on_write: OnWrite | None = None,
        on_recall: OnRecall | None = None,
        redact: Redact | None = None,
        judge: Callable[[Any, Sequence[Any]], object] | None = None,
        store: Store | None = None,
    ) -> None:
        named = os.environ.get("AGENT_MEMORY_AGENT_ID") or DEFAULT_AGENT
        named = named if agent_id is None else agent_id
        self._agent = access.parse_name(named, "agent_id")
        _checked(store, "store", _is_store)
        self._path = _place(path, home) if store is None else _no_place(path, home, entropy)
        settings = _checked(settings, "settings", lambda it: isinstance(it, Settings)) or Settings()
        clock = _checked(clock, "clock", lambda it: callable(getattr(it, "now_ms", None)))
        clock = clock or SystemClock()
        count_tokens = _checked(count_tokens, "count_tokens", callable) or estimate_tokens
        entropy = _checked(entropy, "entropy", callable)
        stopwatch = _checked(stopwatch, "stopwatch", callable) or time.monotonic
        has_vectors = _has_vectors(embed, embed_query, semantic)
        hooks = _hooks(on_write, on_recall, redact)
        _checked(judge, "judge", callable)
        panel = Panel(providers, vectors=has_vectors)
        # Loaded with the first client, not with the package: SQLite is a third of the import.
        from agent_memory_os.nouns import Admin, ClientLayers, ClientOffload, Organisation

        notes: tuple[str, ...] = ()
        if store is None:
            from agent_memory_os.store.sqlite import SqliteStore

            store = SqliteStore(self._path, settings=settings, clock=clock, entropy=entropy)
            notes = () if path is not None else _declared(store, os.path.dirname(self._path))
        vectors = None
        if has_vectors:
            from agent_memory_os.providers.embedding import Vectors

            vectors = Vectors(store, settings, embed, embed_query, is_auto=semantic == "auto")
        self._parts = Parts(
            store, settings, clock, count_tokens, notes, panel, stopwatch, vectors, hooks, judge
        )
        self.org = Organisation(self._parts, self._agent)
        self.admin = Admin(self._parts, self._agent)
        self.layers = ClientLayers(self._parts, self._agent)
        self.offload = ClientOffload(self._parts, self._agent)

    @property
    def agent_id(self) -> str:
        """The agent that calls act as when they name none."""
        return self._agent

    def __repr__(self) -> str:
        where = repr(self._path) if self._path else f"store={self._parts.store!r}"
        return f"MemoryClient({where}, agent_id={self._agent!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file or the store; idempotent. Any other call then raises ClientClosed."""
        self._parts.bell.close()
        self._parts.store.close()

    def as_agent(
        self, agent_id: str, *, subject: str | None = None, shared: bool = False
    ) -> AgentMemory:
        """Return memory as *agent_id* has it: the object to hand on.

        Args:
            agent_id: the agent to act as.
            subject: bind it to one subject, "kind:name": it reads and writes nothing else.
            shared: with a subject, also read memories that have no subject.

        Raises:
            InvalidInput: an id is malformed, or *shared* is given without a subject.
        """
        agent = access.parse_name(agent_id, "agent_id")
        if subject is not None:
            subject = access.parse_kinded(subject, "subject")
        if bounds.flag(shared, "shared") and subject is None:
            raise InvalidInput("shared=True needs a subject: without one all is read anyway")
        return AgentMemory(self._parts, agent, subject=subject, shared=shared)

    def _as(self, agent_id: object, what: str = "requester_agent_id") -> AgentMemory:
        agent = self._agent if agent_id is None else access.parse_name(agent_id, what)
        return AgentMemory(self._parts, agent, from_host=True)

    def add(
        self,
        content: str,
        *,
        owner: str | None = None,
        dry_run: bool = False,
        **fields: Unpack[MemoryFields],
    ) -> Receipt:
        """Remember *content* as *owner*; see `AgentMemory.add`."""
        return self._as(owner, "owner").add(content, dry_run=dry_run, **fields)

    def add_many(
        self,
        items: Iterable[Mapping[str, object]],
        *,
        owner: str | None = None,
        progress: Progress | None = None,
    ) -> list[Receipt]:
        """Remember many at once, each as its own "owner" or as *owner*.

        See `AgentMemory.add_many`.
        """
        views: dict[object, AgentMemory] = {}

        def draft(content: object, fields: dict[str, object]) -> Draft:
            name = fields.pop("owner", None)
            name = owner if name is None else name
            if name is not None and not isinstance(name, str):
                raise InvalidInput(f"owner must be a string, not {name!r}")
            if name not in views:
                views[name] = self._as(name, "owner")
            return views[name]._draft(content, fields)

        return self._as(owner, "owner")._add_many(drafts_of(items, draft), progress)

    def capture(
        self,
        messages: Iterable[Mapping[str, object] | tuple[str, str]],
        *,
        session: str,
        turn: int | str | None = None,
        subject: str | None = None,
        owner: str | None = None,
        visibility: Sequence[str] = (),
    ) -> Captured:
        """Remember what happened in a turn as *owner*, word for word; see `AgentMemory.capture`."""
        return self._as(owner, "owner").capture(
            messages, session=session, turn=turn, subject=subject, visibility=visibility
        )

    def get(
        self,
        memory_id: str,
        *,
        requester_agent_id: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Memory | None:
        """Return a memory or None; see `AgentMemory.get`."""
        return self._as(requester_agent_id).get(memory_id, as_of=as_of, known_at=known_at)

    def get_many(
        self,
        memory_ids: Iterable[str],
        *,
        requester_agent_id: str | None = None,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> list[Memory]:
        """Return memories by id; see `AgentMemory.get_many`."""
        return self._as(requester_agent_id).get_many(memory_ids, as_of=as_of, known_at=known_at)

    def browse(
        self,
        *,
        requester_agent_id: str | None = None,
        limit: int = DEFAULT_PAGE,
        offset: int = 0,
        **filters: Unpack[FilterFields],
    ) -> list[Memory]:
        """Return memories, the last written first; see `AgentMemory.browse`."""
        return self._as(requester_agent_id).browse(limit=limit, offset=offset, **filters)

    def search(
        self,
        query: str | None,
        *,
        requester_agent_id: str | None = None,
        limit: int = DEFAULT_LIMIT,
        offset: int = 0,
        min_score: float = 0.0,
        auto_reinforce: bool = False,
        strategy: Strategy = "hybrid",
        providers: Iterable[str | Provider] | None = None,
        deadline_ms: int | None = None,
        prefer: Prefer | None = None,
        **filters: Unpack[FilterFields],
    ) -> Hits:
        """Return the memories that answer *query*, best first; see `AgentMemory.search`."""
        return self._as(requester_agent_id).search(
            query,
            limit=limit,
            offset=offset,
            min_score=min_score,
            auto_reinforce=auto_reinforce,
            strategy=strategy,
            providers=providers,
            deadline_ms=deadline_ms,
            prefer=prefer,
            **filters,
        )

    def context_pack(
        self,
        query: str | None,
        *,
        requester_agent_id: str | None = None,
        max_tokens: int | None = None,
        format: PackFormat = "markdown",  # noqa: A002  # the word that callers know
        min_score: float = 0.0,
        auto_reinforce: bool = False,
        strategy: Strategy = "hybrid",
        providers: Iterable[str | Provider] | None = None,
        deadline_ms: int | None = None,
        prefer: Prefer | None = None,
        **filters: Unpack[FilterFields],
    ) -> Pack:
        """Return what matters for *query* as text; see `AgentMemory.context_pack`."""
        return self._as(requester_agent_id).context_pack(
            query,
            max_tokens=max_tokens,
            format=format,
            min_score=min_score,
            auto_reinforce=auto_reinforce,
            strategy=strategy,
            providers=providers,
            deadline_ms=deadline_ms,
            prefer=prefer,
            **filters,
        )

    def context_pack_report(
        self,
        query: str | None,
        *,
        requester_agent_id: str | None = None,
        max_tokens: int | None = None,
        format: PackFormat = "markdown",  # noqa: A002  # the word that callers know
        min_score: float = 0.0,
        auto_reinforce: bool = False,
        strategy: Strategy = "hybrid",
        providers: Iterable[str | Provider] | None = None,
        deadline_ms: int | None = None,
        prefer: Prefer | None = None,
        **filters: Unpack[FilterFields],
    ) -> PackReport:
        """Return the ledger of the pack that `context_pack` makes of the same arguments."""
        pack = self.context_pack(
            query,
            requester_agent_id=requester_agent_id,
            max_tokens=max_tokens,
            format=format,
            min_score=min_score,
            auto_reinforce=auto_reinforce,
            strategy=strategy,
            providers=providers,
            deadline_ms=deadline_ms,
            prefer=prefer,
            **filters,
        )
        return pack.report

    def profile_context(
        self,
        *,
        requester_agent_id: str | None = None,
        subject: str | None = None,
        max_tokens: int | None = None,
    ) -> str:
        """Return what holds of a subject whatever is asked; see `AgentMemory.profile_context`."""
        return self._as(requester_agent_id).profile_context(subject=subject, max_tokens=max_tokens)

    def orchestrate_context(
        self,
        query: str | None,
        *,
        requester_agent_id: str | None = None,
        session: str | None = None,
        already: Iterable[str] = (),
        max_tokens: int | None = None,
        format: PackFormat = "markdown",  # noqa: A002  # the word that callers know
        min_score: float = 0.0,
        auto_reinforce: bool = False,
        strategy: Strategy = "hybrid",
        providers: Iterable[str | Provider] | None = None,
        deadline_ms: int | None = None,
        prefer: Prefer | None = None,
        **filters: Unpack[FilterFields],
    ) -> Pack:
        """Return a pack of sections for a turn; see `AgentMemory.orchestrate_context`."""
        return self._as(requester_agent_id).orchestrate_context(
            query,
            session=session,
            already=already,
            max_tokens=max_tokens,
            format=format,
            min_score=min_score,
            auto_reinforce=auto_reinforce,
            strategy=strategy,
            providers=providers,
            deadline_ms=deadline_ms,
            prefer=prefer,
            **filters,
        )

    def explain(
        self,
        query: str | None,
        memory_id: str,
        *,
        requester_agent_id: str | None = None,
        limit: int = DEFAULT_LIMIT,
        min_score: float = 0.0,
        providers: Iterable[str | Provider] | None = None,
        prefer: Prefer | None = None,
        **filters: Unpack[FilterFields],
    ) -> Explanation:
        """Return where a memory stands in a search; see `AgentMemory.explain`."""
        return self._as(requester_agent_id).explain(
            query,
            memory_id,
            limit=limit,
            min_score=min_score,
            providers=providers,
            prefer=prefer,
            **filters,
        )

    def history(self, memory_id: str, *, requester_agent_id: str | None = None) -> list[Change]:
        """Return what was replaced in a memory; see `AgentMemory.history`."""
        return self._as(requester_agent_id).history(memory_id)

    def update(
        self,
        memory_id: str,
        *,
        requester_agent_id: str | None = None,
        if_version: str | None = None,
        dry_run: bool = False,
        **changes: Unpack[ChangeFields],
    ) -> Receipt:
        """Change fields of a memory; see `AgentMemory.update`."""
        return self._as(requester_agent_id).update(
            memory_id, if_version=if_version, dry_run=dry_run, **changes
        )

    def undo(self, memory_id: str, *, requester_agent_id: str | None = None) -> Receipt:
        """Take back the last thing that was done to a memory; see `AgentMemory.undo`."""
        return self._as(requester_agent_id).undo(memory_id)

    def reject(self, memory_id: str, *, requester_agent_id: str | None = None) -> Receipt:
        """Mark what a memory says as wrong; see `AgentMemory.reject`."""
        return self._as(requester_agent_id).reject(memory_id)

    def delete(self, memory_id: str, *, requester_agent_id: str | None = None) -> None:
        """Take a memory out of every read; see `AgentMemory.delete`."""
        self._as(requester_agent_id).delete(memory_id)

    def forget(
        self,
        memory_id: str,
        *,
        requester_agent_id: str | None = None,
        evidence: bool = True,
        purge: bool = True,
        verify: bool = False,
        remember: bool = False,
    ) -> ErasureReceipt:
        """Erase a memory, so that nothing of its content is kept; see `AgentMemory.forget`."""
        return self._as(requester_agent_id).forget(
            memory_id, evidence=evidence, purge=purge, verify=verify, remember=remember
        )

    def share(
        self, memory_id: str, scopes: Sequence[str], *, requester_agent_id: str | None = None
    ) -> Memory:
        """Let *scopes* see a memory; see `AgentMemory.share`."""
        return self._as(requester_agent_id).share(memory_id, scopes)

    def revoke(
        self, memory_id: str, scopes: Sequence[str], *, requester_agent_id: str | None = None
    ) -> Memory:
        """Take *scopes* away from a memory; see `AgentMemory.revoke`."""
        return self._as(requester_agent_id).revoke(memory_id, scopes)

    def link(
        self,
        source_id: str,
        target_id: str,
        *,
        requester_agent_id: str | None = None,
        relation: str = DEFAULT_RELATION,
        weight: float = 1.0,
    ) -> Link:
        """Say that one memory goes with another; see `AgentMemory.link`."""
        return self._as(requester_agent_id).link(
            source_id, target_id, relation=relation, weight=weight
        )

    def unlink(
        self,
        source_id: str,
        target_id: str,
        *,
        requester_agent_id: str | None = None,
        relation: str | None = None,
    ) -> int:
        """Take back links from one memory to another; see `AgentMemory.unlink`."""
        return self._as(requester_agent_id).unlink(source_id, target_id, relation=relation)

    def neighbors(
        self,
        memory_id: str,
        *,
        requester_agent_id: str | None = None,
        depth: int = 1,
        relations: Sequence[str] | None = None,
        limit: int = DEFAULT_PAGE,
    ) -> list[Neighbor]:
        """Return the memories that are linked with one; see `AgentMemory.neighbors`."""
        return self._as(requester_agent_id).neighbors(
            memory_id, depth=depth, relations=relations, limit=limit
        )

    def record_recall(
        self,
        memory_ids: Iterable[str],
        *,
        requester_agent_id: str | None = None,
        helpful: bool = True,
        query: str | None = None,
    ) -> None:
        """Say whether recalling memories helped; see `AgentMemory.record_recall`."""
        self._as(requester_agent_id).record_recall(memory_ids, helpful=helpful, query=query)

    def save_profile(self, profile: RecallProfile) -> None:
        """Save what the agent of *profile* leans to; see `AgentMemory.save_profile`."""
        from agent_memory_os.pure.profile import parse_profile

        checked = parse_profile(profile)
        self._as(checked.agent_id).save_profile(checked)

    def profile(self, *, requester_agent_id: str | None = None) -> RecallProfile:
        """Return what an agent leans to when it recalls; see `AgentMemory.profile`."""
        return self._as(requester_agent_id).profile()

    def consolidate(
        self,
        *,
        subject: str | None = None,
        owner: str | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> Consolidation:
        """Merge memories that say the same, and make concepts of what is recalled together.

        Of active memories of one owner, visibility and subject that make one statement the oldest
        stays, with the tags, evidence, links and counts of all of them; the others are archived.
        What is recalled together often gets a memory of the type "concept", which rests on it.
        Nothing is erased. It goes on in short steps, between which others write; done again at the
        same moment it does nothing.

        Args:
            subject: deal with what is about it alone, "kind:name"; None for all.
            owner: deal with what this agent owns alone; None for all owners.
            dry_run: change nothing, and say what would be done.
            progress: is told how many statements were dealt with, and of how many. The work then
                goes on in a thread of its own; an interrupt leaves what was done.

        Raises:
            InvalidInput: an argument is invalid.
            StoreBusy: another process held the write lock for too long; what was done stays done.
        """
        from agent_memory_os.tend.consolidate import consolidate

        vectors = self._parts.vectors
        has_vectors = vectors is not None and vectors.stores
        work = partial(
            consolidate,
            self._parts.store,
            self.admin._everything(),
            self._parts.settings,
            subject=None if subject is None else access.parse_kinded(subject, "subject"),
            owner=None if owner is None else access.parse_name(owner, "owner"),
            dry_run=bounds.flag(dry_run, "dry_run"),
            pending=_PENDING if has_vectors else "",
        )
        if progress is None:
            return work()
        from agent_memory_os.progress import followed

        return followed(work, progress)

    def capabilities(self) -> Capabilities:
        """Return what works here and what does not; the same as ``admin.capabilities()``."""
        return self.admin.capabilities()

    def rebuild_indexes(self, *, progress: Progress | None = None) -> int:
        """Make every index anew; the same as ``admin.rebuild_indexes()``."""
        return self.admin.rebuild_indexes(progress=progress)


def _checked(value: T | None, what: str, is_fit: Callable[[T], bool]) -> T | None:
    """Return *value* if it is None or fit for its part; InvalidInput otherwise."""
    if value is not None and not is_fit(value):
        raise InvalidInput(f"{what} cannot be a {type(value).__name__}: {value!r}")
    return value


def _hooks(
    on_write: OnWrite | None, on_recall: OnRecall | None, redact: Redact | None
) -> Hooks | None:
    """Return what the host hangs in, or None."""
    _checked(on_write, "on_write", callable)
    _checked(on_recall, "on_recall", callable)
    _checked(redact, "redact", callable)
    if on_write is None and on_recall is None and redact is None:
        return None
    return Hooks(on_write, on_recall, redact, set())


def _has_vectors(embed: object, embed_query: object, semantic: object) -> bool:
    """Return whether a client with these arguments has vectors; InvalidInput if they are wrong."""
    if semantic not in (None, "auto"):
        raise InvalidInput(f'semantic must be None or "auto", not {semantic!r}')
    _checked(embed, "embed", callable)
    _checked(embed_query, "embed_query", callable)
    if embed is None and embed_query is not None:
        raise InvalidInput("embed_query needs embed, whose vectors it is compared with")
    named = getattr(embed, "fingerprint", None)
    if named is not None:
        access.parse_name(named, "embed.fingerprint")
    return embed is not None or semantic is not None


def _place(path: str | os.PathLike[str] | None, home: str | os.PathLike[str] | None) -> str:
    """Return the path of the file that the arguments or the environment name."""
    from agent_memory_os.nouns import expanded

    if path is not None and home is not None:
        raise InvalidInput("give a path or a home, not both")
    if path is not None:
        return MEMORY if path == MEMORY else expanded(path, "path")
    home = home or os.environ.get("AGENT_MEMORY_HOME")
    if not home:
        raise InvalidInput(
            'name a place: MemoryClient("memory.db"), MemoryClient(":memory:"),'
            " MemoryClient(home=...), or the environment variable AGENT_MEMORY_HOME"
        )
    folder = expanded(home, "home")
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, FILE_NAME)


def _is_store(it: object) -> bool:
    return not isinstance(it, type) and all(callable(getattr(it, do, None)) for do in _STORES)


def _no_place(path: object, home: object, entropy: object) -> str:
    """Return the path of a client that was given a store: there is none, and nothing names one.

    Raises:
        InvalidInput: an argument says where the memories are, or how their ids are made.
    """
    given = {"path": path, "home": home, "entropy": entropy}
    named = [name for name, value in given.items() if value is not None]
    if named:
        raise InvalidInput(f"give a store or a {named[0]}, not both: the store sees to that itself")
    return ""


def _declared(store: Store, home: str) -> tuple[str, ...]:
    """Apply the fleet file of *home*, and return notes; a store that it cannot be is closed."""
    from agent_memory_os.nouns import FLEET_FILE, apply_fleet

    try:
        return apply_fleet(store, os.path.join(home, FLEET_FILE))
    except BaseException:
        store.close()
        raise
