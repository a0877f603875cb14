"""The fleet: the agents that a file declares, and what a change of the file asks for."""

from collections.abc import Collection, Mapping

from agent_memory_os.errors import InvalidInput
from agent_memory_os.noun import Noun
from agent_memory_os.pure import access, bounds
from agent_memory_os.pure.draft import unknown_field

_KEYS, _AGENT_KEYS = ("agents",), ("kind", "teams")


class Declared(Noun):
    """What the file says of one agent: its kind, if any, and its teams, sorted."""

    kind: str | None
    teams: tuple[str, ...]


Fleet = Mapping[str, Declared]
"""The agents that the file declares, by id."""


class Plan(Noun):
    """What brings the organisation from one fleet to another, each part sorted.

    Attributes:
        create: teams that do not exist yet.
        leave: (team, agent) of memberships that the file gave, and gives no more.
        withdraw: agents that it declared, and declares no more.
        declare: (agent, kind) of agents that it declares anew, or with another kind.
        join: (team, agent) of memberships that it gives, and that it had not given.
    """

    create: tuple[str, ...]
    leave: tuple[tuple[str, str], ...]
    withdraw: tuple[str, ...]
    declare: tuple[tuple[str, str | None], ...]
    join: tuple[tuple[str, str], ...]


def digest(content: bytes) -> str:
    """Return what tells *content* from any other; "" for no content."""
    from hashlib import blake2b  # loads OpenSSL

    return blake2b(content, digest_size=16).hexdigest() if content else ""


def parse(content: bytes, path: str) -> Fleet:
    """Return the fleet that *content*, the bytes of the file at *path*, declares.

    Raises:
        InvalidInput: it is not TOML, or says of an agent what nothing can; the message has the
            path and the key.
    """
    document = _toml(content, path)
    _refuse_unknown(document, _KEYS, path)
    agents = _table(document.get("agents", {}), f"{path}: agents")
    return {agent: _declared(agent, said, path) for agent, said in sorted(agents.items())}


def _toml(content: bytes, path: str) -> Mapping[str, object]:
    import tomllib  # only a file that changed is read

    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is not UTF-8 at byte {error.start}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{path} is not TOML: {error}") from error


def _declared(agent: str, said: object, path: str) -> Declared:
    access.parse_name(agent, f"{path}: the id of an agent")
    where = f"{path}: agents.{agent}"
    table = _table(said, where)
    _refuse_unknown(table, _AGENT_KEYS, where)
    kind = access.parse_name(table["kind"], f"{where}.kind") if "kind" in table else None
    teams = bounds.texts(table.get("teams", []), f"{where}.teams")
    named = {access.parse_name(team, f"a team in {where}.teams") for team in teams}
    return Declared(kind, tuple(sorted(named)))


def _table(value: object, where: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise InvalidInput(f"{where} must be a table, not {value!r}")
    return value


def _refuse_unknown(table: Mapping[str, object], known: Collection[str], where: str) -> None:
    for key in table:
        if key not in known:
            raise InvalidInput(f"{where}: {unknown_field(key, known, 'key')}")


def plan(declared: Fleet, before: Fleet, *, teams: Collection[str]) -> Plan:
    """Return what brings the organisation from the fleet *before* to *declared*.

    Args:
        declared: what the file says now.
        before: what it said when it was applied last, as far as it holds still: a membership that
            was taken away by hand is not in it, and is given again.
        teams: the teams that exist.
    """
    wanted, given = _memberships(declared), _memberships(before)
    return Plan(
        create=tuple(sorted({team for team, _ in wanted}.difference(teams))),
        leave=tuple(sorted(given - wanted)),
        withdraw=tuple(sorted(before.keys() - declared.keys())),
        declare=tuple(
            (agent, said.kind)
            for agent, said in sorted(declared.items())
            if agent not in before or before[agent].kind != said.kind
        ),
        join=tuple(sorted(wanted - given)),
    )


def _memberships(fleet: Fleet) -> set[tuple[str, str]]:
    return {(team, agent) for agent, said in fleet.items() for team in said.teams}
