"""Derivation: what rests on what, and how it follows when a source is narrowed, ends or goes."""

# A memory is derived from another in the words of its own owner alone: else others could take it
# out of sight with what is theirs. Rights, ends and deletions follow here, below every verb, so
# that no way to change a source forgets what was made of it.

import dataclasses
import json
from collections.abc import Iterable, Sequence

from agent_memory_os.errors import NotFound, NotPermitted
from agent_memory_os.model import Link, Memory, Visibility
from agent_memory_os.pure import access
from agent_memory_os.pure.layer import is_document
from agent_memory_os.store.sqlite import journal, links, memories
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import gate
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.succession import IS_CONCEPT

DERIVED_FROM = "derived_from"
SOURCE_DELETED = "source deleted"  # in the history of what was derived from it and stays

_DERIVED = "(SELECT id FROM relations WHERE name = 'derived_from')"
SOURCES = f"""
    SELECT d.uid, {{columns}} FROM json_each(:ids) wanted
    CROSS JOIN memories d ON d.uid = wanted.value
    CROSS JOIN links l ON l.src = d.id AND l.weight > 0
    CROSS JOIN memories m ON m.id = l.dst
    WHERE l.relation = {_DERIVED} AND l.owner = d.owner AND {{where}}
    ORDER BY wanted.key, m.occurred_ms, m.id LIMIT :most
"""
DERIVATIVES = f"""
    SELECT s.uid, {{columns}} FROM json_each(:ids) wanted
    CROSS JOIN memories s ON s.uid = wanted.value
    CROSS JOIN links l ON l.dst = s.id AND l.weight > 0
    CROSS JOIN memories m ON m.id = l.src
    WHERE l.relation = {_DERIVED} AND l.owner = m.owner AND {{where}}
    ORDER BY wanted.key, m.occurred_ms, m.id LIMIT :most
"""
# Each pair is one look at the key of the links: how many others there are does not matter.
PAIRS = f"""
    WITH derived AS MATERIALIZED (
        SELECT m.id, m.uid, m.owner FROM json_each(:derived) wanted
        CROSS JOIN memories m ON m.uid = wanted.value
    )
    SELECT derived.uid, s.uid FROM json_each(:sources) wanted
    CROSS JOIN memories s ON s.uid = wanted.value CROSS JOIN derived
    CROSS JOIN links l ON l.src = derived.id AND l.dst = s.id
    WHERE l.relation = {_DERIVED} AND l.owner = derived.owner AND l.weight > 0
"""
SOURCES_OF = f"""
    SELECT s.uid, s.owner, s.audience FROM memories d
    CROSS JOIN links l ON l.src = d.id AND l.weight > 0 CROSS JOIN memories s ON s.id = l.dst
    WHERE d.uid = :uid AND l.relation = {_DERIVED} AND l.owner = d.owner
"""
STANDING_SOURCES = f"""
    SELECT s.uid, s.content, s.owner, s.audience, s.expires_ms, s.state < 3,
        ifnull({IS_CONCEPT.format(m="d")}, 0)
    FROM memories d
    CROSS JOIN links l ON l.src = d.id AND l.weight > 0 CROSS JOIN memories s ON s.id = l.dst
    WHERE d.uid = :uid AND l.relation = {_DERIVED} AND l.owner = d.owner
"""
TAKEN_ALONG = f"""
    SELECT {memories.COLUMNS} FROM memories s
    CROSS JOIN links l ON l.dst = s.id AND l.weight > 0 CROSS JOIN memories m ON m.id = l.src
    WHERE s.uid = :uid AND l.relation = {_DERIVED} AND l.owner = m.owner AND m.state = 3 AND (
        SELECT h.kind = 'delete' AND h.at_ms = :at_ms FROM history h WHERE h.memory = m.id
        ORDER BY h.id DESC LIMIT 1
    )
"""
# The first column says whether something else that it was derived from is still there, and may
# bear it alone: a concept quotes all that it was made of, so it goes with any of that.
DERIVED_OF = f"""
    SELECT EXISTS (
        SELECT 1 FROM links o CROSS JOIN memories e ON e.id = o.dst
        WHERE o.src = m.id AND o.weight > 0 AND o.relation = l.relation AND o.owner = m.owner
            AND e.id <> s.id AND e.state < 3
    ) AND NOT ifnull({IS_CONCEPT.format(m="m")}, 0), {memories.COLUMNS} FROM memories s
    CROSS JOIN links l ON l.dst = s.id AND l.weight > 0 CROSS JOIN memories m ON m.id = l.src
    WHERE s.uid = :uid AND l.relation = {_DERIVED} AND l.owner = m.owner AND m.state < 3
"""


def evidence(
    line: Line, ids: Sequence[str], visibility: Visibility, *, up: bool, most: int
) -> list[tuple[str, Memory]]:
    """Return what each of *ids* rests on, or with *up* what rests on it, as the reader sees it.

    The caller was shown the *ids*. In their order, and of each by when it happened.
    """
    passes = gate(line.db, line.names, visibility)
    statement = (DERIVATIVES if up else SOURCES).format(
        columns=memories.columns(passes, visibility), where=passes.sql
    )
    parameters = passes.parameters | {"ids": json.dumps(list(ids)), "most": most}
    reader = None if visibility.admin else passes.standing
    return [
        (via, memories.as_they_were(line, [memories.noun(line, reader, row)], visibility)[0])
        for via, *row in line.db.execute(statement, parameters)
    ]


def derivations(
    line: Line, derived: Sequence[str], sources: Sequence[str]
) -> list[tuple[str, str]]:
    """Return which of *derived* was derived from which of *sources*; the caller was shown all."""
    if not named.has_any(line.db, line.names, links.ANY):
        return []
    values = {"derived": json.dumps(list(derived)), "sources": json.dumps(list(sources))}
    return line.db.execute(PAIRS, values).fetchall()


def hold(pen: Pen, memory: Memory, scopes: Iterable[str]) -> None:
    """Raise if a memory may not be shared with *scopes*, for what it was derived from.

    Raises:
        NotPermitted: a source is not shared with one of them, as far as its owner can know.
    """
    added = sorted(set(scopes) - set(memory.visibility))
    if not added:
        return
    for uid, owner, audience in pen.db.execute(SOURCES_OF, {"uid": memory.id}).fetchall():
        _refuse_wider(memory.id, added, uid, _scopes(pen, memory.owner, owner, audience))


def link(pen: Pen, derived_id: str, source_id: str, *, weight: float, by: str) -> Link:
    """Let *by* say that one memory was derived from another; its own then ends when that does.

    The word of somebody else than the owner of what is derived has no consequences.

    Raises:
        NotPermitted: more people would see it than see the source, or it is not about the source's
            subject.
    """
    derived, source = (_found(pen, each) for each in (derived_id, source_id))
    if derived.owner == by:
        _check(pen, derived, source)
    made = links.put(pen, derived_id, source_id, relation=DERIVED_FROM, weight=weight, by=by)
    if derived.owner == by:
        _end(pen, derived, source.expires_ms, by=by)
    return made


def _check(pen: Pen, derived: Memory, source: Memory) -> None:
    if source.subject not in (None, derived.subject):
        raise NotPermitted(
            f"memory {derived.id!r} is not about {source.subject!r}, and what is derived from"
            f" {source.id!r} must be"
        )
    row = memories.row_of(pen, source.id)
    shared = _scopes(pen, derived.owner, row.owner, row.audience)
    _refuse_wider(derived.id, derived.visibility, source.id, shared)


def _found(pen: Pen, memory_id: str) -> Memory:
    row = pen.db.execute(memories.FIND, {"uid": memory_id}).fetchone()
    if row is None:
        raise NotFound(f"there is no memory {memory_id!r}")
    return memories.noun(pen, None, row)


def _scopes(pen: Pen, reader: str, owner: int, audience: int) -> tuple[str, ...]:
    """Return the scopes of an audience: all of them to the owner, else those that one holds."""
    standing = named.standing(pen.db, pen.names, reader)
    whole = None if standing.agent == owner else standing
    return named.audience_scopes(pen.db, pen.names, audience, whole) if audience else ()


def _refuse_wider(derived: str, scopes: Iterable[str], source: str, shared: Sequence[str]) -> None:
    beyond = sorted({*scopes} - {*access.within(scopes, shared)})
    if beyond:
        raise NotPermitted(
            f"memory {derived!r} was derived from {source!r}, which is not shared with"
            f" {beyond[0]!r}: share that too, or do not say that it was derived from it"
        )


def narrow(pen: Pen, source: Memory, *, by: str) -> None:
    """Take from what was derived from *source* the scopes that it is not shared with."""
    for _, derived in _derived(pen, source.id):
        if _is_settled(derived, source):
            continue
        kept = access.within(derived.visibility, source.visibility)
        if kept == derived.visibility:
            continue
        narrowed = memories.set_visibility(pen, derived, kept, by=by)
        lost: list[str] = sorted({*derived.visibility} - {*kept})
        journal.record(pen, by, "revoke", derived.id, {"scopes": [*lost]})
        narrow(pen, narrowed, by=by)


def end(pen: Pen, source: Memory, *, by: str) -> None:
    """Let what was derived from *source* end when it does, or before."""
    if source.expires_ms is not None:
        for _, derived in _derived(pen, source.id):
            if _is_settled(derived, source):
                continue
            _end(pen, derived, source.expires_ms, by=by)


def _is_settled(derived: Memory, source: Memory) -> bool:
    """Return whether a document will lose what it has of a source, and nothing else of it."""
    return is_document(derived) and derived.owner == source.owner


def _end(pen: Pen, derived: Memory, expires_ms: int | None, *, by: str) -> None:
    if expires_ms is None:
        return
    if derived.expires_ms is None or derived.expires_ms > expires_ms:
        ending = dataclasses.replace(derived, expires_ms=expires_ms)
        end(pen, memories.replace(pen, ending, by=by, kind="update"), by=by)


def remove(pen: Pen, source: Memory, *, by: str) -> None:
    """Delete what was derived from *source*, which was deleted, and from nothing that is left.

    What rests on something else too stays, and its history says that it has lost a source.
    """
    for has_other, derived in _derived(pen, source.id):
        if has_other:
            row = memories.row_of(pen, derived.id)
            journal.write(pen, row.id, SOURCE_DELETED, by, pen.tick(after=row.version), {})
            continue
        memories.set_state(pen, derived, "deleted", by=by)
        remove(pen, derived, by=by)


def taken_along(pen: Pen, source_id: str, at_ms: int) -> list[Memory]:
    """Return what was deleted with a memory at that moment, and not touched since."""
    rows = pen.db.execute(TAKEN_ALONG, {"uid": source_id, "at_ms": at_ms}).fetchall()
    return [memories.noun(pen, None, row) for row in rows]


def refused(pen: Pen, memory: Memory) -> str:
    """Return why a memory that was deleted cannot come back for what it was made of; "" if it can.

    Of a concept all sources must be there, of a document one, and it must say something.
    """
    sources = pen.db.execute(STANDING_SOURCES, {"uid": memory.id}).fetchall()
    is_whole = any(is_concept for *_, is_concept in sources)
    needed = len(sources) if is_whole else 1 if is_document(memory) else min(1, len(sources))
    if sum(stands for *_, stands, _ in sources) < needed:
        if is_document(memory):
            return "nothing of what it was made of is left"
        return "what it was derived from was deleted"
    if is_document(memory) and not _says_something(memory):
        return "nothing of what it said is left"
    return ""


def _says_something(memory: Memory) -> bool:
    from agent_memory_os.pure import document  # few programs make documents

    return document.says_something(memory.content, memory.metadata)


def held(pen: Pen, memory: Memory, *, by: str) -> Memory:
    """Hold a memory that came back to what it was derived from: to its rights, and its end.

    A document loses what it has of sources that are not there.
    """
    sources = pen.db.execute(STANDING_SOURCES, {"uid": memory.id}).fetchall()
    if is_document(memory):
        for uid, content, *_, stands, _ in sources:
            if not stands:
                pen.touch(uid, content)
    living = [each for each in sources if each[-2]]
    kept = memory.visibility
    for _, _, owner, audience, *_ in living:
        kept = access.within(kept, _scopes(pen, memory.owner, owner, audience))
    if kept != memory.visibility:
        lost: list[str] = sorted({*memory.visibility} - {*kept})
        memory = memories.set_visibility(pen, memory, kept, by=by)
        journal.record(pen, by, "revoke", memory.id, {"scopes": [*lost]})
    ends = [each[4] for each in living if each[4] is not None]
    if ends and (memory.expires_ms is None or memory.expires_ms > min(ends)):
        ending = dataclasses.replace(memory, expires_ms=min(ends))
        memory = memories.replace(pen, ending, by=by, kind="update")
    return memory


def _derived(pen: Pen, source_id: str) -> list[tuple[bool, Memory]]:
    """Return what was derived from a memory, and whether from something that is left, too."""
    rows = pen.db.execute(DERIVED_OF, {"uid": source_id}).fetchall()
    return [(has_other == 1, memories.noun(pen, None, row)) for has_other, *row in rows]
