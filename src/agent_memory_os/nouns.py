"""The nouns of a client: its organisation, and its administration."""

from collections.abc import Iterable

from agent_memory_os.model import Agent, AuditEntry, Finding, Project, Stats, Team, Visibility
from agent_memory_os.pure import access, bounds
from agent_memory_os.view import Parts

AUDIT_PAGE = 100


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


class Admin:
    """Maintenance, and reads without a gate: ``client.admin``. Never hand it to an agent."""

    def __init__(self, parts: Parts, by: str) -> None:
        self._parts, self._by = parts, by

    def check(self) -> list[Finding]:
        """Return every broken invariant of the store; empty when it is sound. Reads all of it."""
        return self._parts.store.check()

    def stats(self) -> Stats:
        """Return counts over all owners. Reads every row."""
        everything = Visibility(
            self._by,
            self._parts.clock.now_ms(),
            admin=True,
            states=("active", "superseded", "archived", "deleted"),
            timeless=True,
        )
        with self._parts.store.read() as snapshot:
            return snapshot.stats(everything)

    def rebuild_indexes(self) -> int:
        """Make the word index and the counts anew, and return how many memories are indexed.

        Every answer is the same afterwards. Writers wait while it runs.
        """
        return self._parts.store.rebuild_indexes()
