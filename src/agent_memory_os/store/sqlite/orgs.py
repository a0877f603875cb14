"""Agents, teams, projects and memberships."""

import json

from agent_memory_os.errors import InvalidInput, NotFound
from agent_memory_os.model import Agent, Project, Team
from agent_memory_os.pure.fleet import Declared, Fleet
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.schema import GLOBAL_SCOPE

REGISTER = """
    UPDATE scopes SET registered = 1, agent_kind = ifnull(:kind, agent_kind) WHERE id = :id
"""
NEW_SCOPE = """
    INSERT INTO scopes(kind, name, team, registered, created_ms)
    VALUES (:kind, :name, :team, 1, :now)
"""
ADD_MEMBER = """
    INSERT INTO members(agent, scope, declared) VALUES (:agent, :scope, :declared)
    ON CONFLICT DO UPDATE SET declared = 0 WHERE declared > excluded.declared
"""
REMOVE_MEMBER = "DELETE FROM members WHERE agent = :agent AND scope = :scope"
REMOVE_FROM_PROJECTS = """
    DELETE FROM members
    WHERE agent = :agent AND scope IN (SELECT id FROM scopes WHERE team = :scope)
"""
IS_MEMBER = "SELECT 1 FROM members WHERE agent = :agent AND scope = :scope"
DELETE_MEMBERS = """
    DELETE FROM members WHERE scope = :scope OR scope IN (SELECT id FROM scopes WHERE team = :scope)
"""
DELETE_SCOPE = """
    UPDATE scopes SET deleted_ms = :now WHERE (id = :scope OR team = :scope) AND deleted_ms IS NULL
"""
TEAM_OF = "SELECT team FROM scopes WHERE id = :scope"
TAKES_PART = """
    SELECT registered OR declared IS NOT NULL
        OR EXISTS (SELECT 1 FROM members WHERE agent = :id)
        OR EXISTS (SELECT 1 FROM memories WHERE owner = :id)
    FROM scopes WHERE id = :id
"""
AGENTS = """
    SELECT a.name, ifnull(nullif(a.declared, ''), a.agent_kind),
        a.registered OR a.declared IS NOT NULL, a.created_ms
    FROM scopes a
    WHERE a.kind = 'agent' AND (
        a.registered = 1
        OR a.declared IS NOT NULL
        OR EXISTS (SELECT 1 FROM members WHERE agent = a.id)
        OR EXISTS (SELECT 1 FROM memories WHERE owner = a.id)
    )
    ORDER BY a.name
"""
LIVE_SCOPES = """
    SELECT s.id, s.name, t.name, s.created_ms FROM scopes s LEFT JOIN scopes t ON t.id = s.team
    WHERE s.kind = :kind AND s.deleted_ms IS NULL ORDER BY s.name
"""
MEMBERS = """
    SELECT a.name FROM members m JOIN scopes a ON a.id = m.agent WHERE m.scope = :scope
    ORDER BY a.name
"""
MEMBERSHIPS = """
    SELECT s.kind || ':' || s.name FROM members m JOIN scopes s ON s.id = m.scope
    WHERE m.agent = :agent ORDER BY 1
"""
DECLARE = "UPDATE scopes SET declared = :declared WHERE id = :id"
DECLARED = """
    SELECT a.name, nullif(a.declared, ''), (
        SELECT json_group_array(name) FROM (
            SELECT t.name FROM members m JOIN scopes t ON t.id = m.scope
            WHERE m.agent = a.id AND m.declared = 1 ORDER BY t.name
        )
    )
    FROM scopes a WHERE a.declared IS NOT NULL ORDER BY a.name
"""
FLEET_DIGEST = "SELECT fleet FROM state"
KEEP_FLEET = "UPDATE state SET fleet = :digest"


def knows(line: Line, agent: str) -> bool:
    """Return whether the agent was ever registered, a member, an owner, or given something."""
    return named.agent(line.db, line.names, agent) is not None


def takes_part(line: Line, agent: str) -> bool:
    """Return whether the agent is registered, in a team, or an owner."""
    number = named.agent(line.db, line.names, agent)
    if named.standing(line.db, line.names, agent).scopes - {GLOBAL_SCOPE, number}:
        return True  # it is a member, which is known already
    found = line.db.execute(TAKES_PART, {"id": number}).fetchone()
    return found is not None and found[0] == 1


def holds(line: Line, agent: str, scope: str) -> bool:
    """Return whether the agent is a member of a live team or project."""
    return named.holds(line.db, line.names, agent, scope)


def agents(line: Line) -> list[Agent]:
    """Return the agents that are registered or own something, by id."""
    return [
        Agent(name, kind, registered == 1, created_ms)
        for name, kind, registered, created_ms in line.db.execute(AGENTS)
    ]


def _members(line: Line, scope: int) -> tuple[str, ...]:
    return tuple(row[0] for row in line.db.execute(MEMBERS, {"scope": scope}))


def teams(line: Line) -> list[Team]:
    """Return the teams that exist, by id."""
    rows = line.db.execute(LIVE_SCOPES, {"kind": "team"}).fetchall()
    return [Team(name, _members(line, scope), created) for scope, name, _, created in rows]


def projects(line: Line) -> list[Project]:
    """Return the projects that exist, by id."""
    rows = line.db.execute(LIVE_SCOPES, {"kind": "project"}).fetchall()
    return [
        Project(name, team, _members(line, scope), created) for scope, name, team, created in rows
    ]


def memberships(line: Line, agent: str) -> list[str]:
    """Return the scopes that an agent holds by membership, sorted."""
    number = named.agent(line.db, line.names, agent)
    return [row[0] for row in line.db.execute(MEMBERSHIPS, {"agent": number})]


def register_agent(pen: Pen, agent: str, kind: str | None) -> None:
    """Register an agent, or change its kind; None keeps the kind it has."""
    number = named.make_agent(pen.db, pen.names, agent, pen.now_ms)
    pen.db.execute(REGISTER, {"id": number, "kind": kind})


def _live(line: Line, scope: str) -> int:
    number = named.scope(line.db, line.names, scope)
    if number is None:
        kind, _, name = scope.partition(":")
        raise NotFound(f"there is no {kind} {name!r}")
    return number


def _create(pen: Pen, kind: str, name: str, team: int | None) -> None:
    if named.scope(pen.db, pen.names, f"{kind}:{name}") is not None:
        raise InvalidInput(f"there is a {kind} {name!r} already")
    values = {"kind": kind, "name": name, "team": team, "now": pen.now_ms}
    pen.db.execute(NEW_SCOPE, values)
    named.bump(pen.db, pen.names)


def create_team(pen: Pen, team: str) -> None:
    """Create a team; InvalidInput when it exists."""
    _create(pen, "team", team, None)


def create_project(pen: Pen, project: str, team: str) -> None:
    """Create a project of a team; NotFound without the team, InvalidInput when it exists."""
    _create(pen, "project", project, _live(pen, f"team:{team}"))


def add_member(pen: Pen, scope: str, agent: str, *, declared: bool) -> bool:
    """Let an agent hold a scope; False when it did already.

    What is both given by hand and *declared* by the file stays when the file gives it no more.

    Raises:
        NotFound: there is no such scope.
        InvalidInput: the scope is a project, and the agent is not in its team.
    """
    number = _live(pen, scope)
    member = named.make_agent(pen.db, pen.names, agent, pen.now_ms)
    (team,) = pen.db.execute(TEAM_OF, {"scope": number}).fetchone()
    values = {"agent": member, "scope": number, "declared": int(declared)}
    if team is not None:
        in_team = pen.db.execute(IS_MEMBER, {"agent": member, "scope": team}).fetchone()
        if in_team is None:
            raise InvalidInput(
                f"agent {agent!r} is not in the team of {scope!r}; add it to the team first"
            )
    added = pen.db.execute(ADD_MEMBER, values).rowcount > 0
    named.bump(pen.db, pen.names)
    return added


def remove_member(pen: Pen, scope: str, agent: str) -> bool:
    """Take a scope, and a team's projects with it, from an agent; False when it had none."""
    number = _live(pen, scope)
    member = named.agent(pen.db, pen.names, agent)
    values = {"agent": member, "scope": number}
    removed = pen.db.execute(REMOVE_MEMBER, values).rowcount > 0
    pen.db.execute(REMOVE_FROM_PROJECTS, values)
    named.bump(pen.db, pen.names)
    return removed


def fleet(line: Line) -> Fleet:
    """Return what the fleet file gave, as far as it holds still."""
    return {
        name: Declared(kind, tuple(json.loads(teams)))
        for name, kind, teams in line.db.execute(DECLARED)
    }


def fleet_digest(line: Line) -> str:
    """Return the digest of the fleet file that was applied last; "" when there was none."""
    (digest,) = line.db.execute(FLEET_DIGEST).fetchone()
    return str(digest)


def declare_agent(pen: Pen, agent: str, kind: str | None) -> None:
    """Say that the fleet file lists an agent, with a *kind* or without."""
    number = named.make_agent(pen.db, pen.names, agent, pen.now_ms)
    pen.db.execute(DECLARE, {"id": number, "declared": kind or ""})


def withdraw_agent(pen: Pen, agent: str) -> None:
    """Say that the fleet file lists an agent no more."""
    number = named.agent(pen.db, pen.names, agent)
    pen.db.execute(DECLARE, {"id": number, "declared": None})


def keep_fleet(pen: Pen, digest: str) -> None:
    """Remember which fleet file was applied."""
    pen.db.execute(KEEP_FLEET, {"digest": digest})


def delete_scope(pen: Pen, scope: str) -> None:
    """Delete a team with its projects, or a project: nobody holds the scope ever again."""
    number = _live(pen, scope)
    pen.db.execute(DELETE_MEMBERS, {"scope": number})
    pen.db.execute(DELETE_SCOPE, {"scope": number, "now": pen.now_ms})
    named.bump(pen.db, pen.names)
