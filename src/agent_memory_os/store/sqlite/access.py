"""The gate: the one SQL predicate that decides which memories a reader sees."""

# It has two parts. Who: the rows of the agent itself and of the audiences it is part of, held to
# the bound subject if there is one; it has no exception. State: active, not expired and valid now,
# unless the read names other states, or another moment. What was superseded is active for whoever
# does not see what took its place. The alias of `memories` is `m` in every statement.

import sqlite3
from functools import cache

from agent_memory_os.model import State, Visibility
from agent_memory_os.noun import Noun
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.names import Names, Standing
from agent_memory_os.store.sqlite.schema import SUPERSEDES

STATES: dict[State, int] = {"active": 0, "superseded": 1, "archived": 2, "deleted": 3}
STATE_NAMES: tuple[State, ...] = tuple(STATES)
IN_RECALL = 2  # states below it are in the indexes and the statistics

_OWN_OR_GRANTED = "({m}.owner = :me OR {m}.audience IN (SELECT value FROM json_each(:audiences)))"
_BOUND = " AND {m}.subject = :bound"
_BOUND_OR_NOBODY = " AND {m}.subject IN (:bound, 0)"
_ACTIVE = " AND (m.state = 0 OR m.state = 1 AND NOT {superseded})"
_STATES = " AND m.state IN (SELECT value FROM json_each(:states))"
# In the words of the owner of `m`, something takes its place that the reader sees, and that holds.
# Whether that was itself superseded, archived or deleted since does not matter.
_SUPERSEDED = f"""EXISTS (
    SELECT 1 FROM links s INDEXED BY links_superseded CROSS JOIN memories n ON n.id = s.src
    WHERE s.dst = m.id AND s.relation = {SUPERSEDES} AND {{stands}} AND s.owner = m.owner
        AND {{who}} AND {{holds}} AND {{begun}}{{known}}
)"""
# What had happened when it was written has happened, whatever the clock of the reader says. When
# that was its stamps tell as a distance: they are ahead where a clock in the future wrote before.
_WRITTEN = "n.created_ms + (n.version >> 16) - (n.stamp >> 16)"
BEGUN = f"ifnull(n.valid_from_ms <= {{now}}, n.occurred_ms <= max({{now}}, {_WRITTEN}))"
_HAD_BEGUN = "ifnull(n.valid_from_ms, n.occurred_ms) <= :at"
_HOLDS = (
    "({m}.expires_ms IS NULL OR {m}.expires_ms > :now)"
    " AND ({m}.valid_from_ms IS NULL OR {m}.valid_from_ms <= :at)"
    " AND ({m}.valid_to_ms IS NULL OR {m}.valid_to_ms > :at)"
)
_BEGAN = " AND ifnull(m.valid_from_ms, m.occurred_ms) <= :at"
_WAS_TOLD = " AND m.created_ms <= :known"
_WAS_TOLD_THEN = " AND s.created_ms <= :known AND n.created_ms <= :known"
_STANDS = "s.weight > 0"
# It was taken back since; but what was deleted since is in no view, and so hides nothing there.
_STOOD_THEN = "(s.weight > 0 OR n.state < 3 AND (s.version >> 16) > :known)"
_ACTIVE_THEN = " AND m.state IN (0, 1) AND NOT {superseded}"
# What said something else then (`past.py`) held by what it said.
_HELD_THEN = """ AND (m.expires_ms IS NULL OR m.expires_ms > :now) AND CASE
    WHEN m.id IN (SELECT value FROM json_each(:altered))
    THEN m.id IN (SELECT value FROM json_each(:held)) ELSE 1{holds} END"""
HOLDS_NOW = _HOLDS.format(m="m")


class Gate(Noun):
    """The predicate, its parameters, and the standing that it was made of.

    *superseded* says of a row of `m` whether the reader sees what took its place; *who* is the
    first part of the predicate by itself.
    """

    sql: str
    parameters: dict[str, object]
    standing: Standing
    bound: int | None
    superseded: str
    who: str


def gate(db: sqlite3.Connection, names: Names, visibility: Visibility) -> Gate:
    """Return the predicate for *visibility* in the snapshot of *db*."""
    standing = named.standing(db, names, visibility.agent)
    parameters: dict[str, object] = {"now": visibility.now_ms, "at": at_ms(visibility)}
    bound: int | None = None
    if not visibility.admin:
        parameters |= {"me": standing.agent, "audiences": standing.audiences_json}
    if visibility.subject is not None:
        bound = named.subject(db, names, visibility.subject)
        parameters["bound"] = bound
    if visibility.states != ("active",):
        parameters["states"] = str([STATES[state] for state in visibility.states])
    is_altered = False
    if visibility.known_ms is not None:
        from agent_memory_os.store.sqlite.past import past  # few look back; it needs this gate

        found = past(db, names, visibility)
        is_altered = bool(found.was)
        parameters |= {"known": visibility.known_ms, "altered": found.rows, "held": found.held}
    sql, superseded, who = _predicate(
        is_admin=visibility.admin,
        is_bound=visibility.subject is not None,
        shared=visibility.shared,
        is_active=visibility.states == ("active",),
        timeless=visibility.timeless,
        is_past=visibility.as_of_ms is not None,
        is_known=visibility.known_ms is not None,
        is_altered=is_altered,
    )
    return Gate(sql, parameters, standing, bound, superseded, who)


def state_of(passes: Gate) -> str:
    """Return the SQL of the state in which a row of `m` is for the reader."""
    return f"CASE WHEN m.state = 1 AND NOT {passes.superseded} THEN 0 ELSE m.state END"


def at_ms(visibility: Visibility) -> int:
    """Return the moment at which what is read must hold."""
    if visibility.as_of_ms is not None:
        return visibility.as_of_ms
    return visibility.now_ms if visibility.known_ms is None else visibility.known_ms


@cache
def _predicate(
    *,
    is_admin: bool,
    is_bound: bool,
    shared: bool,
    is_active: bool,
    timeless: bool,
    is_past: bool,
    is_known: bool,
    is_altered: bool,
) -> tuple[str, str, str]:
    """Return the SQL of a gate, of whether the reader sees what took a row's place, and of who."""
    who = "1" if is_admin else _OWN_OR_GRANTED
    if is_bound:
        who += _BOUND_OR_NOBODY if shared else _BOUND
    superseded = _SUPERSEDED.format(
        who=who.format(m="n"),
        holds=_HOLDS.format(m="n"),
        stands=_STOOD_THEN if is_known else _STANDS,
        begun=_HAD_BEGUN if is_past or is_known else BEGUN.format(now=":at"),
        known=_WAS_TOLD_THEN * is_known,
    )
    active = (_ACTIVE_THEN if is_known else _ACTIVE).format(superseded=superseded)
    sql = who.format(m="m") + (active if is_active else _STATES)
    holds = "" if timeless else f" AND {HOLDS_NOW}"
    holds += _BEGAN * is_past
    if is_altered and not timeless:
        holds = _HELD_THEN.format(holds=holds)
    return sql + holds + _WAS_TOLD * is_known, superseded, who.format(m="m")
