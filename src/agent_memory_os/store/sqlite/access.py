"""The gate: the one SQL predicate that decides which memories a reader sees."""

# It has two parts. Who: the rows of the agent itself and of the audiences it is part of, held to
# the bound subject if there is one; it has no exception. State: active, not expired and valid now,
# unless the read names other states. The alias of `memories` is `m` in every statement.

import sqlite3

from agent_memory_os.model import State, Visibility
from agent_memory_os.noun import Noun, noun
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.names import Names, Standing

STATES: dict[State, int] = {"active": 0, "superseded": 1, "archived": 2, "deleted": 3}
STATE_NAMES: tuple[State, ...] = tuple(STATES)

_OWN_OR_GRANTED = "(m.owner = :me OR m.audience IN (SELECT value FROM json_each(:audiences)))"
_BOUND = " AND m.subject = :bound"
_BOUND_OR_NOBODY = " AND m.subject IN (:bound, 0)"
_ACTIVE = " AND m.state = 0"
_STATES = " AND m.state IN (SELECT value FROM json_each(:states))"
HOLDS_NOW = (
    "(m.expires_ms IS NULL OR m.expires_ms > :now)"
    " AND (m.valid_from_ms IS NULL OR m.valid_from_ms <= :now)"
    " AND (m.valid_to_ms IS NULL OR m.valid_to_ms > :now)"
)


@noun
class Gate(Noun):
    """The predicate, its parameters, and the standing that it was made of."""

    sql: str
    parameters: dict[str, object]
    standing: Standing
    bound: int | None


def gate(db: sqlite3.Connection, names: Names, visibility: Visibility) -> Gate:
    """Return the predicate for *visibility* in the snapshot of *db*."""
    standing = named.standing(db, names, visibility.agent)
    parameters: dict[str, object] = {"now": visibility.now_ms}
    bound: int | None = None
    if visibility.admin:
        sql = "1"
    else:
        sql = _OWN_OR_GRANTED
        parameters |= {"me": standing.agent, "audiences": standing.audiences_json}
    if visibility.subject is not None:
        bound = named.subject(db, names, visibility.subject)
        sql += _BOUND_OR_NOBODY if visibility.shared else _BOUND
        parameters["bound"] = bound
    if visibility.states == ("active",):
        sql += _ACTIVE
    else:
        sql += _STATES
        parameters["states"] = str([STATES[state] for state in visibility.states])
    if not visibility.timeless:
        sql += f" AND {HOLDS_NOW}"
    return Gate(sql, parameters, standing, bound)
