"""Repair: what check found is mended, as far as nothing is invented for it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from agent_memory_os.model import Finding
from agent_memory_os.store.sqlite import invariants, payloads, schema
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.invariants import Torn
from agent_memory_os.store.sqlite.line import Pen

KEYS = "PRAGMA foreign_key_list('{table}')"
IS_GONE = "{column} IS NOT NULL AND {column} NOT IN (SELECT {key} FROM {table})"
DELETE = "DELETE FROM {table} WHERE {is_gone}"
# Who cannot see a memory any more may be given it again; the other way round would be a leak.
LOST_AUDIENCES = """
    UPDATE memories SET audience = 0 WHERE audience NOT IN (SELECT id FROM audiences)
"""
LOST_SESSIONS = """
    UPDATE memories SET session = NULL
    WHERE session IS NOT NULL AND session NOT IN (SELECT id FROM sessions)
"""
# What an audience is stands in it whole; grants say it once more, for those who look by scope.
GRANTS = (
    "DELETE FROM grants",
    """INSERT INTO grants(scope, audience)
        SELECT s.id, a.id FROM audiences a
        CROSS JOIN json_each(iif(json_valid(a.scopes), a.scopes, '[]')) e
        JOIN scopes s ON s.id = e.value""",
)
# A membership that should not be lets somebody see what is not theirs: it ends.
MEMBERS = (
    """DELETE FROM members WHERE scope IN (SELECT id FROM scopes WHERE deleted_ms IS NOT NULL)""",
    """DELETE FROM members WHERE declared = 1
        AND agent IN (SELECT id FROM scopes WHERE declared IS NULL)""",
    """DELETE FROM members WHERE EXISTS (
        SELECT 1 FROM scopes s WHERE s.id = members.scope AND s.team IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM members t WHERE t.agent = members.agent AND t.scope = s.team))""",
)
TOMBSTONES = """
    INSERT INTO tombstones(uid, version, deleted_ms)
    SELECT uid, version, :now FROM memories
    WHERE state = 3 AND uid NOT IN (SELECT uid FROM tombstones)
"""


class Mend(NamedTuple):
    """One kind of repair: for findings of these kinds, what it does in words, and how.

    It is done in a transaction of its own; and once more, with what is to be torn out, when it met
    damage.
    """

    kinds: frozenset[str]
    says: str
    act: Callable[[Pen, Torn | None], object]


def _mend_indexes(pen: Pen, torn: Torn | None) -> None:
    schema.renew_indexes(pen.db, torn=torn is not None)


def _mend_references(pen: Pen, _: Torn | None) -> None:
    for table in invariants.DEPENDENT:
        for _, _, parent, column, key, *_ in pen.db.execute(KEYS.format(table=table)).fetchall():
            is_gone = IS_GONE.format(column=column, key=key or "id", table=parent)
            pen.db.execute(DELETE.format(table=table, is_gone=is_gone))
    pen.db.execute(LOST_AUDIENCES)
    pen.db.execute(LOST_SESSIONS)
    named.bump(pen.db, pen.names)


def _mend_grants(pen: Pen, _: Torn | None) -> None:
    for statement in GRANTS:
        pen.db.execute(statement)
    named.bump(pen.db, pen.names)


def _mend_members(pen: Pen, _: Torn | None) -> None:
    for statement in MEMBERS:
        pen.db.execute(statement)
    named.bump(pen.db, pen.names)


def _mend_tombstones(pen: Pen, _: Torn | None) -> None:
    pen.db.execute(TOMBSTONES, {"now": pen.now_ms})


def _mend_payloads(pen: Pen, _: Torn | None) -> None:
    payloads.mend(pen)


def _rebuild(pen: Pen, torn: Torn | None) -> None:
    invariants.rebuild(pen, torn=torn)


MENDS = (
    Mend(frozenset({"index"}), "make the indexes of the tables anew", _mend_indexes),
    Mend(
        frozenset({"reference"}),
        "delete links, history, receipts, rights, vectors and profiles that name what is gone;"
        " memories whose rights are gone become private",
        _mend_references,
    ),
    Mend(frozenset({"grants"}), "make the grants of audiences anew", _mend_grants),
    Mend(frozenset({"members"}), "end memberships that should not be", _mend_members),
    Mend(frozenset({"tombstones"}), "write the tombstones that are missing", _mend_tombstones),
    Mend(
        frozenset({"payloads", "reference"}),
        "drop payloads that no memory is a handle of, and handles of what is another's",
        _mend_payloads,
    ),
    Mend(
        frozenset({"word-index", "counts", "vectors", "reference"}),
        "make the word index, the vocabulary and the counts anew, and drop unsound vectors",
        _rebuild,
    ),
)
REWRITE = "write the file anew, without pages that have no use"


def plan(found: Sequence[Finding]) -> list[Mend]:
    """Return what is to be done about what was *found*, in order."""
    kinds = {each.kind for each in found if is_mendable(each)}
    return [mend for mend in MENDS if mend.kinds & kinds]


def has_waste(found: Sequence[Finding]) -> bool:
    """Return whether nothing but pages without a use is wrong, which writing anew takes away."""
    return any(each.kind == "pages" for each in found)


def is_mendable(finding: Finding) -> bool:
    """Return whether repair can do something about a finding."""
    return finding.repair != invariants.RESTORE


def given_up(left: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return what is left after a repair; what it could not mend, though it should, says so."""
    return tuple(replace(each, repair=invariants.RESTORE) for each in left)
