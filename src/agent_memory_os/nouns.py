"""The nouns of a client: its organisation, its administration, and its layers."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TypeVar, Unpack

from agent_memory_os.entities import Entity, EntityEntry
from agent_memory_os.errors import InvalidInput, StoreError, StoreReadOnly
from agent_memory_os.layers import (
    FEW,
    MOST_DEPTH,
    PAGE,
    PATIENCE_S,
    USUAL_WAYS,
    Direction,
    Layers,
    WayFields,
)
from agent_memory_os.model import (
    JSON,
    NO_FILTERS,
    Agent,
    Archival,
    AuditEntry,
    Backup,
    Capabilities,
    ErasureReceipt,
    Evidence,
    FilterFields,
    Finding,
    Folded,
    Handle,
    Hits,
    Memory,
    PayloadFields,
    Progress,
    Project,
    Reembedded,
    Repair,
    Restored,
    RetentionReport,
    Session,
    Stats,
    TaskGraph,
    Team,
    Visibility,
)
from agent_memory_os.offload import RESULT, FoldLevel, Offload
from agent_memory_os.pipeline import EVERY_TURNS, IDLE_S, Pipeline
from agent_memory_os.pure import access, bounds, fleet
from agent_memory_os.pure.organised import Document, Organised, Writer
from agent_memory_os.pure.tokens import estimate_tokens
from agent_memory_os.pure.turns import Distillation, Distiller
from agent_memory_os.pure.ways import Grouped, Way
from agent_memory_os.recall.arms import BUILT_IN
from agent_memory_os.store.contract import Store, Transaction
from agent_memory_os.view import AgentMemory, Parts

T = TypeVar("T")
AUDIT_PAGE = 100
REEMBEDDED = 1_000  # memories in one call
ARCHIVED_PAGE = 100
FLEET_FILE = "agents.toml"  # in the client's home; also who acts when it is applied


class Organisation:
    """Who there is, and who belongs where: ``client.org``."""

    def __init__(self, parts: Parts, by: str) -> None:
        self._store, self._by = parts.store, by

    def register_agent(
        self, agent_id: str, *, kind: str | None = None, teams: Iterable[str] = ()
    ) -> None:
        """Register an agent, or change its *kind*, and add it to *teams* that exist.

        Raises:
            InvalidInput: an id is malformed.
            NotFound: a team does not exist; nothing was written.
        """
        agent = access.parse_name(agent_id, "agent_id")
        kind = None if kind is None else access.parse_name(kind, "kind")
        scopes = [self._scope("team", team) for team in bounds.texts(teams, "teams")]
        with self._store.write() as tx:
            tx.register_agent(agent, kind)
            tx.record(self._by, "register agent", agent, {"kind": kind})
            for scope in scopes:
                if tx.add_member(scope, agent):
                    tx.record(self._by, "add member", scope, {"agent": agent})

    def create_team(self, team_id: str) -> None:
        """Create a team; a name that was deleted may be used again, for another team.

        Raises:
            InvalidInput: the id is malformed, or there is such a team.
        """
        team = access.parse_name(team_id, "team_id")
        with self._store.write() as tx:
            tx.create_team(team)
            tx.record(self._by, "create team", f"team:{team}", {})

    def add_team_member(self, team_id: str, agent_id: str) -> None:
        """Let an agent see and share what is the team's; it need not be registered.

        Raises:
            NotFound: there is no such team.
            InvalidInput: an id is malformed.
        """
        self._add_member("team", team_id, agent_id)

    def remove_team_member(self, team_id: str, agent_id: str) -> None:
        """Take a team and its projects from an agent, at once; what it shared stays shared.

        Raises:
            NotFound: there is no such team.
            InvalidInput: an id is malformed.
        """
        self._remove_member("team", team_id, agent_id)

    def delete_team(self, team_id: str) -> None:
        """Delete a team and its projects: nobody ever sees anything through them again.

        Raises:
            NotFound: there is no such team.
            InvalidInput: the id is malformed.
        """
        self._delete("team", team_id)

    def create_project(self, project_id: str, *, team: str) -> None:
        """Create a project of a team.

        Raises:
            NotFound: there is no such team.
            InvalidInput: an id is malformed, or there is such a project.
        """
        project = access.parse_name(project_id, "project_id")
        team = access.parse_name(team, "team")
        with self._store.write() as tx:
            tx.create_project(project, team)
            tx.record(self._by, "create project", f"project:{project}", {"team": team})

    def add_project_member(self, project_id: str, agent_id: str) -> None:
        """Let a member of the project's team see and share what is the project's.

        Raises:
            NotFound: there is no such project.
            InvalidInput: an id is malformed, or the agent is not in the team.
        """
        self._add_member("project", project_id, agent_id)

    def remove_project_member(self, project_id: str, agent_id: str) -> None:
        """Take a project from an agent, at once.

        Raises:
            NotFound: there is no such project.
            InvalidInput: an id is malformed.
        """
        self._remove_member("project", project_id, agent_id)

    def delete_project(self, project_id: str) -> None:
        """Delete a project: nobody ever sees anything through it again.

        Raises:
            NotFound: there is no such project.
            InvalidInput: the id is malformed.
        """
        self._delete("project", project_id)

    def agents(self) -> list[Agent]:
        """Return the agents that are registered, in a team, or own something, by id."""
        with self._store.read() as snapshot:
            return snapshot.agents()

    def teams(self) -> list[Team]:
        """Return the teams, by id."""
        with self._store.read() as snapshot:
            return snapshot.teams()

    def projects(self) -> list[Project]:
        """Return the projects, by id."""
        with self._store.read() as snapshot:
            return snapshot.projects()

    def memberships(self, agent_id: str) -> list[str]:
        """Return the scopes that an agent holds by membership, such as "team:apollo", sorted."""
        agent = access.parse_name(agent_id, "agent_id")
        with self._store.read() as snapshot:
            return snapshot.memberships(agent)

    def audit(self, *, limit: int = AUDIT_PAGE) -> list[AuditEntry]:
        """Return the last acts on rights and organisation, newest first."""
        with self._store.read() as snapshot:
            return snapshot.audit(limit=bounds.whole(limit, "limit"))

    @staticmethod
    def _scope(kind: str, name: str) -> str:
        return f"{kind}:{access.parse_name(name, f'{kind}_id')}"

    def _add_member(self, kind: str, name: str, agent_id: str) -> None:
        scope, agent = self._scope(kind, name), access.parse_name(agent_id, "agent_id")
        with self._store.write() as tx:
            if tx.add_member(scope, agent):
                tx.record(self._by, "add member", scope, {"agent": agent})

    def _remove_member(self, kind: str, name: str, agent_id: str) -> None:
        scope, agent = self._scope(kind, name), access.parse_name(agent_id, "agent_id")
        with self._store.write() as tx:
            if tx.remove_member(scope, agent):
                tx.record(self._by, "remove member", scope, {"agent": agent})

    def _delete(self, kind: str, name: str) -> None:
        scope = self._scope(kind, name)
        with self._store.write() as tx:
            tx.delete_scope(scope)
            tx.record(self._by, f"delete {kind}", scope, {})


def apply_fleet(store: Store, path: str) -> tuple[str, ...]:
    """Give the agents that the file at *path* declares what it says, if it has changed.

    A file that is not there declares nobody. One that was applied already takes no write lock; of
    several processes that meet a change one applies it, whole or not at all.

    Returns:
        Notes: what could not be done, in sentences. Beside a store that cannot be written a changed
        file is not applied.

    Raises:
        InvalidInput: the file is malformed; nothing was changed.
        StoreError: the file cannot be read.
        StoreBusy: another writer kept the lock for too long; nothing was changed.
    """
    while True:
        with store.read() as snapshot:
            applied = snapshot.fleet_digest()
        content = _content(path)
        found = fleet.digest(content)
        if found == applied:
            return ()
        try:
            with store.write() as tx:
                # Else another process was faster, and perhaps with a newer file: look again.
                if tx.fleet_digest() == applied:
                    _declare(tx, fleet.parse(content, path))
                    tx.keep_fleet(found)
                    return ()
        except StoreReadOnly:
            return (f"{path} has changed, and this store cannot be written: it was not applied",)


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}") from error


def _declare(tx: Transaction, declared: fleet.Fleet) -> None:
    """Bring the organisation to what is *declared*, and say so in the audit."""
    plan = fleet.plan(declared, tx.fleet(), teams=[team.id for team in tx.teams()])
    for team in plan.create:
        tx.create_team(team)
        tx.record(FLEET_FILE, "create team", f"team:{team}", {})
    for team, agent in plan.leave:
        tx.remove_member(f"team:{team}", agent)
        tx.record(FLEET_FILE, "remove member", f"team:{team}", {"agent": agent})
    for agent in plan.withdraw:
        tx.withdraw_agent(agent)
        tx.record(FLEET_FILE, "withdraw agent", agent, {})
    for agent, kind in plan.declare:
        tx.declare_agent(agent, kind)
        tx.record(FLEET_FILE, "declare agent", agent, {"kind": kind})
    for team, agent in plan.join:
        if tx.add_member(f"team:{team}", agent, declared=True):
            tx.record(FLEET_FILE, "add member", f"team:{team}", {"agent": agent})


def expanded(place: str | os.PathLike[str], what: str) -> str:
    """Return the place that an argument names, with "~" for the home of the user.

    Raises:
        InvalidInput: it names none.
    """
    text = os.fspath(place) if isinstance(place, str | os.PathLike) else place
    if not isinstance(text, str) or not text.strip() or "\x00" in text:
        raise InvalidInput(f"{what} must name a place, not {text!r}")
    bounds.encodable(text, what)
    found = os.path.expanduser(text)
    if found.startswith("~"):
        raise InvalidInput(f"{what} {text!r} needs a home directory, and there is none")
    return found


def _followed(work: Callable[..., T], progress: Progress) -> T:
    from agent_memory_os.progress import followed  # few follow what they do

    return followed(lambda tell: work(tell=tell), progress)


class Admin:
    """Maintenance, and reads without a gate: ``client.admin``. Never hand it to an agent."""

    def __init__(self, parts: Parts, by: str) -> None:
        self._parts, self._by = parts, by

    def check(self) -> list[Finding]:
        """Return every broken invariant of the store; empty when it is sound. Reads all of it."""
        return self._parts.store.check()

    def capabilities(self) -> Capabilities:
        """Return what works here and what does not: versions, arms, extras and how to add them.

        It looks at next to nothing of the store; `check` looks at all of it.
        """
        from agent_memory_os.tend.capabilities import capabilities  # to look into things

        parts = self._parts
        return capabilities(
            parts.store,
            arms=tuple(BUILT_IN),
            usual=parts.panel.usual,
            counts_by_host=parts.count_tokens is not estimate_tokens,
            embedder=None if parts.vectors is None else parts.vectors.fingerprint,
            notes=(*parts.notes, *(() if parts.vectors is None else parts.vectors.lacks())),
        )

    def stats(self) -> Stats:
        """Return counts over all owners, and how they grew. Reads every row."""
        with self._parts.store.read() as snapshot:
            return snapshot.stats(self._everything())

    def retention(
        self,
        *,
        half_lives: float | None = None,
        layers: Iterable[int] | None = None,
        dry_run: bool = False,
    ) -> RetentionReport:
        """Archive what has expired or was not used for long, of all owners, and say what that was.

        Nothing is erased: `unarchive` brings back what was archived. What is pinned, and what says
        what holds until it is changed (``settings.authority_types``, or ``authority`` in the
        metadata), stays. It goes on in short steps, between which others write; called again at
        the same moment it does nothing. Then the oldest of history, audit and receipts is dropped,
        as far as there is more than the settings keep.

        Args:
            half_lives: after how many half-lives without use; 0 archives what has expired alone.
                None: as the settings say, 4 by default, by layer.
            layers: the layers that are dealt with; None for all.
            dry_run: change nothing, and say what would be done.

        Raises:
            InvalidInput: an argument is invalid.
            StoreBusy: another process held the write lock for too long; what was done stays done.
        """
        from agent_memory_os.pure.retention import policy
        from agent_memory_os.tend.retain import retain

        settings = self._parts.settings
        return retain(
            self._parts.store,
            policy(settings, half_lives=half_lives, layers=layers),
            self._everything(),
            settings,
            dry_run=bounds.flag(dry_run, "dry_run"),
        )

    def archive(self, memory_ids: Iterable[str]) -> Archival:
        """Take memories out of every read, whoever owns them, until `unarchive`.

        Row, links, tags and history stay; the owner may read the history, and `forget` it. What is
        archived or deleted already stays as it is, and the answer says so.

        Raises:
            NotFound: there is no such memory; nothing was changed.
            InvalidInput: *memory_ids* is no list of strings.
        """
        from agent_memory_os.tend.retain import archive

        ids = bounds.texts(memory_ids, "memory_ids")
        return archive(self._parts.store, ids, self._everything())

    def unarchive(self, memory_ids: Iterable[str]) -> Archival:
        """Bring archived memories back, with links, tags and history, for all who saw them.

        An expiry that has passed is taken from them, or they would stay out of sight. What was
        superseded is so again. One whose key names another memory now stays archived, and the
        answer says so.

        Raises:
            NotFound: there is no such memory; nothing was changed.
            InvalidInput: *memory_ids* is no list of strings.
        """
        from agent_memory_os.tend.retain import unarchive

        parts = self._parts
        ids = bounds.texts(memory_ids, "memory_ids")
        done = unarchive(parts.store, ids, self._everything())
        if done.ids and parts.vectors is not None and parts.vectors.stores:
            return replace(done, pending="they have no vectors yet: call admin.reembed()")
        return done

    def archived(
        self, *, limit: int = ARCHIVED_PAGE, offset: int = 0, **filters: Unpack[FilterFields]
    ) -> list[Memory]:
        """Return what is archived, of all owners, the last written first.

        Args:
            limit: most memories, 0 or more; cut to ``settings.max_limit``.
            offset: memories to skip, 0 or more.
            filters: those of `FilterFields`.

        Raises:
            InvalidInput: an argument is invalid.
        """
        from agent_memory_os.pure.filters import parse_filters
        from agent_memory_os.recall import views

        settings = self._parts.settings
        narrowing = parse_filters(filters) if filters else NO_FILTERS
        return views.browse(
            self._parts.store,
            replace(
                self._everything(),
                states=("archived",),
                timeless=narrowing.as_of_ms is None,
                as_of_ms=narrowing.as_of_ms,
                known_ms=narrowing.known_ms,
            ),
            narrowing,
            limit=bounds.whole(limit, "limit", most=settings.max_limit),
            offset=bounds.whole(offset, "offset"),
        )

    def _everything(self) -> Visibility:
        return Visibility(
            self._by,
            self._parts.clock.now_ms(),
            admin=True,
            states=("active", "superseded", "archived", "deleted"),
            timeless=True,
        )

    def forget_subject(
        self,
        subject: str,
        *,
        evidence: bool = True,
        purge: bool = True,
        verify: bool = False,
        remember: bool = False,
    ) -> ErasureReceipt:
        """Erase what everybody remembers about *subject*, and its name.

        The arguments are those of `AgentMemory.forget`; *evidence* takes events of any agent. The
        receipt lists what the client's own agent could see, and counts the rest.

        Args:
            subject: whom or what it is about, ``kind:name``.
            evidence: see above; so are the others.
            purge: see above.
            verify: see above.
            remember: see above.

        Raises:
            NotFound: there is no memory about it.
            InvalidInput: an argument is invalid.
            StoreBusy: another process held the write lock for too long; nothing was erased.
        """
        from agent_memory_os.remember import forget

        settings = self._parts.settings
        return forget.forget_subject(
            self._parts.store,
            access.parse_kinded(subject, "subject"),
            Visibility(self._by, self._parts.clock.now_ms()),
            forget.parse_wish(
                settings, evidence=evidence, purge=purge, verify=verify, remember=remember
            ),
            self._shows,
        )

    def forget_owner(
        self,
        owner: str,
        *,
        evidence: bool = True,
        purge: bool = True,
        verify: bool = False,
        remember: bool = False,
    ) -> ErasureReceipt:
        """Erase all that an agent wrote, linked and leans to.

        Its name goes as well, unless it is registered, in a team, or named by what others own. The
        arguments are those of `AgentMemory.forget`. The receipt lists what the client's own agent
        could see, and counts the rest.

        Args:
            owner: the agent.
            evidence: see above; so are the others.
            purge: see above.
            verify: see above.
            remember: see above.

        Raises:
            NotFound: the store has not heard of it.
            InvalidInput: an argument is invalid.
            StoreBusy: another process held the write lock for too long; nothing was erased.
        """
        from agent_memory_os.remember import forget

        settings = self._parts.settings
        return forget.forget_owner(
            self._parts.store,
            access.parse_name(owner, "owner"),
            Visibility(self._by, self._parts.clock.now_ms()),
            forget.parse_wish(
                settings, evidence=evidence, purge=purge, verify=verify, remember=remember
            ),
            self._shows,
        )

    def _shows(self, gone: Memory) -> dict[str, bool]:
        return AgentMemory(self._parts, gone.owner)._shows(gone)

    def purge(self) -> str:
        """Remove the bytes of all that was forgotten, whoever did, and however long it takes.

        The word index is rewritten in short steps, between which others write; then the whole file
        is, for about a second for 100,000 memories, in which they wait. Any process may call it.

        Returns:
            Why some bytes are left, in a sentence, such as a reader that holds the log; empty when
            none are.

        Raises:
            StoreBusy: another process held the write lock for too long; what was done stays done.
        """
        return self._parts.store.purge_all()

    def repair(self, *, dry_run: bool = False) -> Repair:
        """Mend what `check` finds, as far as nothing has to be invented for it.

        What is made of the memories is made anew; links, rights and the like that name what is gone
        are dropped. What is damaged in the memories themselves it leaves as it is. Writers wait
        while it runs.

        Args:
            dry_run: change nothing, and say what would be done.

        Returns:
            What was found, what was done, and what is left.

        Raises:
            StoreCorrupt: the file is too damaged to begin.
            StoreBusy: another process held the write lock for too long.
        """
        return self._parts.store.repair(dry_run=bounds.flag(dry_run, "dry_run"))

    def backup(
        self,
        path: str | os.PathLike[str],
        *,
        keep: int | None = None,
        progress: Progress | None = None,
    ) -> Backup:
        """Copy the store as it is now into one file that needs nothing beside it.

        Others go on writing. The copy is opened and every invariant is walked before it gets its
        name, so an unsound store makes no backup, and removes none.

        Args:
            path: a folder, in which the file is named after the store and the moment; or a file
                that does not exist.
            keep: with a folder, how many backups of this store stay in it, this one included; the
                oldest are removed. None keeps all.
            progress: is told how many pages were copied, and of how many.

        Raises:
            InvalidInput: the file exists, or *keep* is given for a file.
            StoreCorrupt: the store is not sound; see `check`.
            StoreFull: there is no room for it.
            StoreError: the folder does not exist, or cannot be written.
        """
        where = expanded(path, "path")
        kept = None if keep is None else bounds.whole(keep, "keep", least=1)
        back_up = partial(self._parts.store.backup, where, keep=kept)
        return back_up() if progress is None else _followed(back_up, progress)

    def restore_backup(
        self,
        path: str | os.PathLike[str],
        *,
        force: bool = False,
        progress: Progress | None = None,
    ) -> Restored:
        """Put a backup in the place of all that the store holds.

        The backup is checked first, and brought forward if an older library wrote it. Then it takes
        the place at once: who is killed on the way leaves the old or the new, and everybody who has
        the store open sees one or the other. What was deleted or forgotten since stays so.

        Args:
            path: the backup; it is not changed.
            force: replace a store that holds memories, or that is damaged.
            progress: is told how many pages were written, and of how many.

        Raises:
            InvalidInput: the store holds memories, and *force* was not given.
            StoreCorrupt: the backup is not sound; or the store, and *force* was not given.
            StoreTooNew: a newer library wrote the backup.
            StoreBusy: another process held the write lock for too long; nothing was changed.
            StoreError: there is no backup at *path*.
        """
        where, forced = expanded(path, "path"), bounds.flag(force, "force")
        restore = partial(self._parts.store.restore_backup, where, force=forced, by=self._by)
        return restore() if progress is None else _followed(restore, progress)

    def rebuild_indexes(self, *, progress: Progress | None = None) -> int:
        """Make the word index and the counts anew, and return how many memories are indexed.

        Every answer is the same afterwards. Writers wait while it runs.

        Args:
            progress: is told how many memories were dealt with, and of how many, about a hundred
                times. The work then goes on in a thread of its own.
        """
        if progress is None:
            return self._parts.store.rebuild_indexes()
        from agent_memory_os.progress import followed

        return followed(self._parts.store.rebuild_indexes, progress)

    def reembed(self, *, limit: int = REEMBEDDED) -> Reembedded:
        """Make vectors for memories that have none of the model in use, and say what remains.

        So after another function was given as ``embed=``, after one that failed, and for what
        clients without one have written. Call it again until nothing remains.

        Args:
            limit: most memories, 0 or more.

        Raises:
            InvalidInput: the client has no ``embed=``.
        """
        from agent_memory_os.tend.reembed import reembed

        most = bounds.whole(limit, "limit")
        vectors = self._parts.vectors
        if vectors is None or not vectors.stores:
            raise InvalidInput("reembed needs a client with embed=, which makes the vectors")
        return reembed(self._parts.store, vectors, limit=most, now_ms=self._parts.clock.now_ms())


class ClientLayers:
    """What was said and done, what was made of it, and ways to ask for it: ``client.layers``.

    The verbs are those of `Layers`, each as the agent that the call names, else as the client's.
    """

    def __init__(self, parts: Parts, by: str) -> None:
        self._parts, self._by = parts, by

    def _as(self, agent_id: object, what: str = "requester_agent_id") -> Layers:
        agent = self._by if agent_id is None else access.parse_name(agent_id, what)
        return AgentMemory(self._parts, agent).layers

    def sessions(
        self,
        *,
        requester_agent_id: str | None = None,
        subject: str | None = None,
        limit: int = PAGE,
    ) -> list[Session]:
        """Return the sessions that an agent sees an event of; see `Layers.sessions`."""
        return self._as(requester_agent_id).sessions(subject=subject, limit=limit)

    def end_session(self, session: str, *, owner: str | None = None) -> Session:
        """Say that a session of *owner* has ended, and return it; see `Layers.end_session`."""
        return self._as(owner, "owner").end_session(session)

    def distil(
        self,
        session: str | None = None,
        *,
        owner: str | None = None,
        subject: str | None = None,
        distiller: Distiller | None = None,
        dry_run: bool = False,
        timeout_s: float = PATIENCE_S,
        most: int | None = None,
    ) -> Distillation:
        """Make atoms of the events of *owner* that are not distilled yet; see `Layers.distil`."""
        return self._as(owner, "owner").distil(
            session,
            subject=subject,
            distiller=distiller,
            dry_run=dry_run,
            timeout_s=timeout_s,
            most=most,
        )

    def organise(
        self,
        *,
        owner: str | None = None,
        subject: str | None = None,
        writer: Writer | None = None,
        dry_run: bool = False,
        timeout_s: float = PATIENCE_S,
    ) -> Organised:
        """Make scenes and personas of the atoms of *owner*; see `Layers.organise`."""
        return self._as(owner, "owner").organise(
            subject=subject, writer=writer, dry_run=dry_run, timeout_s=timeout_s
        )

    def scenes(
        self,
        *,
        requester_agent_id: str | None = None,
        subject: str | None = None,
        limit: int = PAGE,
    ) -> list[Document]:
        """Return the scenes that an agent sees; see `Layers.scenes`."""
        return self._as(requester_agent_id).scenes(subject=subject, limit=limit)

    def persona(
        self, *, requester_agent_id: str | None = None, subject: str | None = None
    ) -> Document | None:
        """Return the persona of a subject that an agent sees; see `Layers.persona`."""
        return self._as(requester_agent_id).persona(subject=subject)

    def pipeline(
        self,
        *,
        owner: str | None = None,
        every_turns: int = EVERY_TURNS,
        idle_s: float = IDLE_S,
        on_session_end: bool = True,
        distiller: Distiller | None = None,
        writer: Writer | None = None,
        timeout_s: float = PATIENCE_S,
        organise: bool = True,
        worker: bool = False,
    ) -> Pipeline:
        """Return what distils the events of *owner* when it is time to; see `Layers.pipeline`."""
        return self._as(owner, "owner").pipeline(
            every_turns=every_turns,
            idle_s=idle_s,
            on_session_end=on_session_end,
            distiller=distiller,
            writer=writer,
            timeout_s=timeout_s,
            organise=organise,
            worker=worker,
        )

    def timeline(
        self,
        session: str | None = None,
        *,
        requester_agent_id: str | None = None,
        subject: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        around: str | datetime | None = None,
        event_type: str | None = None,
        limit: int = PAGE,
    ) -> list[Memory]:
        """Return events in their order; see `Layers.timeline`."""
        return self._as(requester_agent_id).timeline(
            session,
            subject=subject,
            since=since,
            until=until,
            around=around,
            event_type=event_type,
            limit=limit,
        )

    def entity(
        self, name: str, *, requester_agent_id: str | None = None, subject: str | None = None
    ) -> Entity:
        """Return what an agent knows of one thing, to read and to set; see `Layers.entity`."""
        return self._as(requester_agent_id).entity(name, subject=subject)

    def entities(
        self,
        *,
        requester_agent_id: str | None = None,
        subject: str | None = None,
        kind: str | None = None,
        limit: int = PAGE,
    ) -> list[EntityEntry]:
        """Return the entities that an agent sees a value of; see `Layers.entities`."""
        return self._as(requester_agent_id).entities(subject=subject, kind=kind, limit=limit)

    def semantic(
        self,
        query: str | None,
        *,
        requester_agent_id: str | None = None,
        anchors: Sequence[str] = (),
        metadata: Mapping[str, JSON] | None = None,
        subject: str | None = None,
        limit: int = FEW,
        **filters: Unpack[WayFields],
    ) -> Hits:
        """Return the statements that answer *query*, best first; see `Layers.semantic`."""
        return self._as(requester_agent_id).semantic(
            query, anchors=anchors, metadata=metadata, subject=subject, limit=limit, **filters
        )

    def grouped(
        self,
        query: str | None,
        *,
        requester_agent_id: str | None = None,
        ways: Sequence[Way] = USUAL_WAYS,
        anchors: Sequence[str] = (),
        metadata: Mapping[str, JSON] | None = None,
        subject: str | None = None,
        limit: int = FEW,
        **filters: Unpack[WayFields],
    ) -> Grouped:
        """Return what answers *query* of each way of remembering; see `Layers.grouped`."""
        return self._as(requester_agent_id).grouped(
            query,
            ways=ways,
            anchors=anchors,
            metadata=metadata,
            subject=subject,
            limit=limit,
            **filters,
        )

    def evidence(
        self,
        memory_id: str,
        *,
        requester_agent_id: str | None = None,
        direction: Direction = "down",
        depth: int = MOST_DEPTH,
        limit: int | None = None,
    ) -> list[Evidence]:
        """Return what a memory rests on; see `Layers.evidence`."""
        return self._as(requester_agent_id).evidence(
            memory_id, direction=direction, depth=depth, limit=limit
        )


class ClientOffload:
    """What is too heavy for a prompt, put away and had back: ``client.offload``.

    The verbs are those of `Offload`, each as the agent that the call names, else as the client's.
    """

    def __init__(self, parts: Parts, by: str) -> None:
        self._parts, self._by = parts, by

    def _as(self, agent_id: object, what: str = "requester_agent_id") -> Offload:
        agent = self._by if agent_id is None else access.parse_name(agent_id, what)
        return AgentMemory(self._parts, agent).offload

    def put(
        self,
        payload: str | bytes,
        *,
        owner: str | None = None,
        summary: str | None = None,
        name: str | None = None,
        kind: str = RESULT,
        tool_call_id: str | None = None,
        **fields: Unpack[PayloadFields],
    ) -> Handle:
        """Put something heavy away as *owner*, and return its handle; see `Offload.put`."""
        return self._as(owner, "owner").put(
            payload, summary=summary, name=name, kind=kind, tool_call_id=tool_call_id, **fields
        )

    def reload(
        self,
        ref: Handle | str,
        *,
        requester_agent_id: str | None = None,
        session: str | None = None,
        offset: int = 0,
        length: int | None = None,
        lines: tuple[int, int] | None = None,
        grep: str | None = None,
    ) -> str | bytes:
        """Return what was put away, byte for byte; see `Offload.reload`."""
        return self._as(requester_agent_id).reload(
            ref, session=session, offset=offset, length=length, lines=lines, grep=grep
        )

    def task_graph(
        self, session: str, *, requester_agent_id: str | None = None, max_tokens: int | None = None
    ) -> TaskGraph:
        """Return the calls of tools in a session as a flowchart; see `Offload.task_graph`."""
        return self._as(requester_agent_id).task_graph(session, max_tokens=max_tokens)

    def fold(
        self,
        messages: Sequence[object],
        *,
        max_tokens: int,
        owner: str | None = None,
        used_tokens: int | None = None,
        level: FoldLevel = "auto",
        session: str | None = None,
        subject: str | None = None,
        visibility: Sequence[str] = (),
    ) -> Folded:
        """Return messages with handles of *owner* in place of what is heavy; see `Offload.fold`."""
        return self._as(owner, "owner").fold(
            messages,
            max_tokens=max_tokens,
            used_tokens=used_tokens,
            level=level,
            session=session,
            subject=subject,
            visibility=visibility,
        )

    def snapshot_diff(
        self,
        before: Handle | str,
        after: Handle | str,
        *,
        requester_agent_id: str | None = None,
        max_tokens: int | None = None,
    ) -> str:
        """Return what differs between two payloads; see `Offload.snapshot_diff`."""
        return self._as(requester_agent_id).snapshot_diff(before, after, max_tokens=max_tokens)
