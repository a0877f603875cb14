"""What memories said at a moment, as far as it was replaced since."""

# A read of what had been told by a moment goes by the rows of today, but for those that said
# something else then: of these the history has the values. They are few, or the last few, and are
# looked for once in a snapshot. Nobody sees more of it than the history would show.

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent_memory_os.model import Filters, Memory, Visibility
from agent_memory_os.noun import Noun
from agent_memory_os.pure import stored
from agent_memory_os.store.sqlite import filters
from agent_memory_os.store.sqlite.access import at_ms, gate
from agent_memory_os.store.sqlite.names import Names
from agent_memory_os.store.sqlite.upper import IS_DOCUMENT

LOOKED_AT = 20_000  # entries of the history, the last ones, whoever may see them
MOST = 1_000  # memories that said something else, those first that changed last
RESTORED = (
    *("content", "type", "layer", "tags", "metadata", "actor", "entity", "attribute"),
    *("occurred_ms", "valid_from_ms", "valid_to_ms", "importance", "confidence"),
    *("pinned", "mentions"),
)
CHANGED = """
    SELECT m.id FROM (SELECT id, memory, at_ms FROM history ORDER BY id DESC LIMIT :looked_at) h
    CROSS JOIN memories m ON m.id = h.memory
    WHERE h.at_ms > :known AND m.created_ms <= :known AND {where}
    GROUP BY m.id ORDER BY max(h.id) DESC LIMIT :most
"""
ENTRIES = """
    SELECT m.id, m.uid, m.owner, m.subject, ifnull(m.access, 0), h.version, h.before
    FROM json_each(:rows) wanted CROSS JOIN memories m ON m.id = wanted.value
    CROSS JOIN history h ON h.memory = m.id WHERE h.at_ms > :known ORDER BY h.id DESC
"""
_THEN = ", ".join(
    f"CASE WHEN json_type(was.value, '$.{name}') IS NULL THEN b.{name}"
    f" ELSE json_extract(was.value, '$.{name}') END AS {name}"
    for name in RESTORED
)
# The rows that said something else, as they were.
AS_THEY_WERE = f"""
    SELECT b.id, b.uid, b.owner, b.subject, b.session, b.key, b.created_ms, b.version, b.expires_ms,
        b.terms, {_THEN}
    FROM json_each(:was) was CROSS JOIN memories b ON b.id = +was.key
"""
# Documents are found by no words.
SAID = f"""
    SELECT {IS_DOCUMENT.format(m="m")}, m.uid, m.content, m.actor, m.tags, m.entity, m.attribute
    FROM ({AS_THEY_WERE}) m
"""
HELD = f"""
    SELECT m.id FROM ({AS_THEY_WERE}) m WHERE ifnull(m.valid_from_ms, m.occurred_ms) <= :began
        AND (m.valid_from_ms IS NULL OR m.valid_from_ms <= :at)
        AND (m.valid_to_ms IS NULL OR m.valid_to_ms > :at)
"""
FITTING = f"SELECT m.id FROM ({AS_THEY_WERE}) m WHERE {{fits}}"
ALTERED = "m.id IN (SELECT value FROM json_each(:altered))"
_FOREVER = 1 << 62


class Past(Noun):
    """The memories that said something else at a moment.

    Attributes:
        was: by id, the values that each had then and has no more.
        terms: by id, what each was found by.
        rows: their numbers, as JSON, and with what they had then, likewise.
        held: the numbers of those that held then, as JSON.
    """

    was: Mapping[str, Mapping[str, Any]]
    terms: Mapping[str, str]
    rows: str
    was_json: str
    held: str


NOTHING = Past({}, {}, "[]", "{}", "[]")


def past(db: sqlite3.Connection, names: Names, visibility: Visibility) -> Past:
    """Return what said something else at the moment of *visibility*, if that is one of the past."""
    known = visibility.known_ms
    if known is None:
        return NOTHING
    at = at_ms(visibility)
    key = visibility.agent, visibility.admin, visibility.subject, visibility.shared, known
    asked = (*key, at, visibility.as_of_ms is None)
    found: Past | None = names.pasts.get(asked)
    if found is None:
        found = names.pasts[asked] = _found(db, names, visibility, known)
    return found


def _found(db: sqlite3.Connection, names: Names, visibility: Visibility, known: int) -> Past:
    now = replace(visibility, known_ms=None, as_of_ms=None, timeless=True)
    passes = gate(db, names, replace(now, states=("active", "superseded")))
    values = passes.parameters | {"known": known, "looked_at": LOOKED_AT, "most": MOST}
    changed = [row for (row,) in db.execute(CHANGED.format(where=passes.sql), values)]
    if not changed:
        return NOTHING
    was: dict[int, dict[str, Any]] = {}
    uids: dict[int, str] = {}
    entries = db.execute(ENTRIES, {"rows": json.dumps(changed), "known": known})
    for row, uid, owner, subject, rights, version, before in entries:
        is_own = owner == passes.standing.agent and passes.bound in (None, subject)
        if visibility.admin or is_own or version > rights:
            kept = json.loads(before)
            then = {name: kept[name] for name in RESTORED if name in kept}
            if then:
                was.setdefault(row, {}).update(then)
                uids[row] = uid
    return _past(db, visibility, was, uids)


def _past(
    db: sqlite3.Connection,
    visibility: Visibility,
    was: Mapping[int, dict[str, Any]],
    uids: Mapping[int, str],
) -> Past:
    text = json.dumps({str(row): then for row, then in was.items()})
    at = at_ms(visibility)
    began = _FOREVER if visibility.as_of_ms is None else at
    held = [row for (row,) in db.execute(HELD, {"was": text, "at": at, "began": began})]
    terms = {
        uid: ""
        if is_document
        else stored.analysed(content, actor, json.loads(tags or "[]"), *named)
        for is_document, uid, content, actor, tags, *named in db.execute(SAID, {"was": text})
    }
    return Past(
        {uids[row]: then for row, then in was.items()},
        terms,
        json.dumps(sorted(was)),
        text,
        json.dumps(held),
    )


def as_it_was(
    db: sqlite3.Connection, names: Names, visibility: Visibility, memory: Memory
) -> Memory:
    """Return *memory* as the reader could have read it then; its versions and rights are of now."""
    then = past(db, names, visibility).was.get(memory.id)
    if then is None:
        return memory
    return Memory.from_dict({**memory.to_dict(), **then})


def where_sql(
    db: sqlite3.Connection, names: Names, visibility: Visibility, narrowing: Filters
) -> tuple[str, dict[str, object]]:
    """Return `filters.where_sql`, by what memories said at the moment of *visibility*."""
    sql, values = filters.where_sql(narrowing)
    found = past(db, names, visibility)
    if not found.was:
        return sql, values
    rows = db.execute(FITTING.format(fits=sql), values | {"was": found.was_json})
    fitting = json.dumps([row for (row,) in rows])
    told = {"altered": found.rows, "fitting": fitting}
    is_fitting = "m.id IN (SELECT value FROM json_each(:fitting))"
    return f"CASE WHEN {ALTERED} THEN {is_fitting} ELSE {sql} END", values | told


def found_by(terms: Sequence[tuple[str, bool]], held: str) -> bool:
    """Return whether any of *terms*, each with whether it is a prefix, is among the *held* ones."""
    words = held.split()
    known = set(words)
    return any(
        any(word.startswith(term) for word in words) if is_prefix else term in known
        for term, is_prefix in terms
    )
