"""Erasing: what each table keeps of a memory, and how it leaves."""

# Every table stands in `REGISTRY`, with what is done in it or with why nothing needs to be; a test
# compares it with the file. Names that nothing needs any more are blanked, not deleted: deleting
# one would have SQLite look through all memories for whoever names it, and its number must never
# come to mean somebody else.

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from agent_memory_os.noun import Noun
from agent_memory_os.pure import identity, plainest, stored, text
from agent_memory_os.store.contract import Cascade, Erased, Tombstone, Tombstones
from agent_memory_os.store.sqlite import (
    debts,
    journal,
    keyed,
    payloads,
    purge,
    rejections,
    topics,
    vocabulary,
    words,
)
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import IN_RECALL
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.memories import Row
from agent_memory_os.store.sqlite.schema import GLOBAL_SCOPE
from agent_memory_os.store.sqlite.succession import IS_CONCEPT
from agent_memory_os.store.sqlite.upper import IS_DOCUMENT

DERIVED_FROM = "derived_from"
WELL_KNOWN = (
    *("related_to", "caused_by", "supersedes", "derived_from"),
    *("co_recalled", "contradicts", "next", "corroborates"),
)
SOURCE_FORGOTTEN = "source forgotten"  # in the history of what was derived from it and stays
_DIGEST_BYTES = keyed.DIGEST_BYTES

FIND_RELATION = "SELECT id FROM relations WHERE name = :name"
NUMBERS = """
    SELECT m.id FROM json_each(:ids) wanted CROSS JOIN memories m ON m.uid = wanted.value
    WHERE m.state <> 4
"""
UIDS = "SELECT m.uid FROM json_each(:rows) wanted CROSS JOIN memories m ON m.id = wanted.value"
KEEPING = f"""{UIDS} WHERE NOT {IS_DOCUMENT.format(m="m")}"""
ABOUT = "SELECT uid FROM memories WHERE subject = :number AND subject <> 0"
OWNED = "SELECT uid FROM memories WHERE owner = :number AND state <> 4"
# Derived is what its owner has linked so: others could else have it erased with what is theirs.
# The last column says whether it was derived from something else too, which may bear it alone; a
# concept quotes all that it was made of.
DERIVED = f"""
    SELECT DISTINCT d.id, EXISTS (
        SELECT 1 FROM links o
        WHERE o.src = d.id AND o.weight > 0 AND o.relation = :derived AND o.owner = d.owner
            AND o.dst NOT IN (SELECT value FROM json_each(:rows))
    ) AND NOT ifnull({IS_CONCEPT.format(m="d")}, 0)
    FROM json_each(:rows) source
    CROSS JOIN links l ON l.dst = source.value CROSS JOIN memories d ON d.id = l.src
    WHERE l.weight > 0 AND l.relation = :derived AND l.owner = d.owner
        AND d.id NOT IN (SELECT value FROM json_each(:rows))
"""
SERVED_ALONE = """
    SELECT DISTINCT e.id
    FROM json_each(:rows) derived CROSS JOIN memories d ON d.id = derived.value
    CROSS JOIN links l ON l.src = d.id CROSS JOIN memories e ON e.id = l.dst
    WHERE l.weight > 0 AND l.relation = :derived AND l.owner = d.owner
        AND e.layer = 0 AND (e.owner = d.owner OR :anybody)
        AND e.id NOT IN (SELECT value FROM json_each(:rows))
        AND NOT EXISTS (
            SELECT 1 FROM links o CROSS JOIN memories s ON s.id = o.src
            WHERE o.dst = e.id AND o.weight > 0 AND o.relation = :derived AND o.owner = s.owner
                AND o.src NOT IN (SELECT value FROM json_each(:rows))
        )
"""
DOOMED = """
    SELECT m.id, m.owner, m.audience, m.subject, m.state, m.terms, m.version,
        m.expires_ms IS NULL AND m.valid_from_ms IS NULL AND m.valid_to_ms IS NULL,
        m.topics, m.uid, m.session, m.layer, m.content, m.actor, m.tags, m.metadata, m.key,
        m.entity, m.attribute
    FROM json_each(:ids) wanted CROSS JOIN memories m ON m.uid = wanted.value WHERE m.state <> 4
"""
VECTORS = "SELECT vector FROM vectors WHERE memory IN (SELECT value FROM json_each(:rows))"
REPLACED = "SELECT before FROM history WHERE memory IN (SELECT value FROM json_each(:rows))"
KEYS = "SELECT key FROM receipts WHERE memory IN (SELECT value FROM json_each(:rows))"
RELATIONS = """
    SELECT relation FROM links WHERE src IN (SELECT value FROM json_each(:rows))
    UNION SELECT relation FROM links WHERE dst IN (SELECT value FROM json_each(:rows))
"""
DELETE_VECTORS = "DELETE FROM vectors WHERE memory IN (SELECT value FROM json_each(:rows))"
DELETE_LINKS = """
    DELETE FROM links WHERE src IN (SELECT value FROM json_each(:rows))
        OR dst IN (SELECT value FROM json_each(:rows))
"""
DELETE_HISTORY = "DELETE FROM history WHERE memory IN (SELECT value FROM json_each(:rows))"
DELETE_RECEIPTS = "DELETE FROM receipts WHERE memory IN (SELECT value FROM json_each(:rows))"
DELETE_COUNTS = """
    DELETE FROM partitions WHERE subject = ? AND owner = ? AND audience = ? AND memories = 0
"""
LAST_ROW = "SELECT ifnull(max(id), 0) FROM memories"
DELETE_HUSK = "DELETE FROM memories WHERE uid = '' AND id < :last"
DELETE_ROWS = """
    DELETE FROM memories WHERE id IN (SELECT value FROM json_each(:rows)) AND id < :last
"""
# The last row stays, as a husk that no read knows of, until it is the last no more: the number of
# a row is never used again, which the vocabulary and whoever caches by it rely on.
EMPTY_LAST_ROW = f"""
    UPDATE memories SET
        stamp = 0, chance = 0, owner = {GLOBAL_SCOPE}, audience = 0, subject = 0, state = 4,
        layer = 0, kind = '', recalls = 0, helped = 0, last_recalled_ms = NULL, content = '',
        tags = NULL, metadata = NULL, actor = NULL, session = NULL, key = NULL, entity = NULL,
        attribute = NULL, created = NULL, occurred = NULL, valid_from_ms = NULL,
        valid_to_ms = NULL, expires_ms = NULL, doubled = 0, confidence = 0, pinned = 0,
        mentions = 0, identity = NULL, changed = NULL, topics = 0,
        version_node = NULL, access = NULL, access_node = NULL, analyser = 0, terms = ''
    WHERE id = :last AND id IN (SELECT value FROM json_each(:rows))
"""
BURY = """
    INSERT INTO tombstones(uid, version, deleted_ms, forgotten, digest)
    VALUES (:uid, :version, :at_ms, 1, :digest)
    ON CONFLICT DO UPDATE SET
        version = excluded.version, deleted_ms = excluded.deleted_ms, forgotten = 1,
        digest = ifnull(excluded.digest, digest)
"""
FORGOTTEN = "SELECT uid, deleted_ms, digest FROM tombstones WHERE forgotten = 1 ORDER BY uid"
DROP_DIGESTS = "UPDATE tombstones SET digest = NULL"
BLANK = "name = char(1) || id WHERE id IN (SELECT value FROM json_each(:numbers))"
BLANK_SUBJECTS = f"""
    UPDATE subjects SET {BLANK} AND id <> 0
        AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.subject = subjects.id AND m.subject <> 0)
"""
BLANK_SESSIONS = f"""
    UPDATE sessions SET {BLANK}
        AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.session = sessions.id)
"""
BLANK_RELATIONS = f"""
    UPDATE relations SET {BLANK} AND name NOT IN (SELECT value FROM json_each(:known))
        AND NOT EXISTS (SELECT 1 FROM links l WHERE l.relation = relations.id)
"""
UNUSED_AUDIENCES = """
    SELECT value FROM json_each(:numbers) a WHERE a.value <> 0
        AND NOT EXISTS (SELECT 1 FROM memories m WHERE m.audience = a.value AND m.audience <> 0)
"""
DELETE_GRANTS = f"DELETE FROM grants WHERE audience IN ({UNUSED_AUDIENCES})"
BLANK_AUDIENCES = f"""
    UPDATE audiences SET scopes = char(1) || id WHERE id IN ({UNUSED_AUDIENCES})
"""
DELETE_PROFILE = "DELETE FROM profiles WHERE agent = :agent"
RELATIONS_OF = "SELECT DISTINCT relation FROM links WHERE owner = :agent"
DELETE_LINKS_OF = "DELETE FROM links WHERE owner = :agent"
BLANK_AGENT = """
    UPDATE scopes SET name = '', agent_kind = NULL, deleted_ms = :now
    WHERE id = :agent AND registered = 0 AND declared IS NULL
        AND NOT EXISTS (SELECT 1 FROM members WHERE agent = :agent)
        AND NOT EXISTS (SELECT 1 FROM grants WHERE scope = :agent)
        AND NOT EXISTS (SELECT 1 FROM memories WHERE owner = :agent)
        AND NOT EXISTS (SELECT 1 FROM history WHERE by = :agent)
"""
HAS_TWIN = "SELECT 1 FROM memories WHERE identity = ? LIMIT 1"
IS_SAID = """
    SELECT 1 FROM memories WHERE content IN (SELECT value FROM json_each(:contents)) LIMIT 1
"""
STATEMENTS = "SELECT uid, content, owner, subject, created_ms FROM memories WHERE state <> 4"


class Said(NamedTuple):
    """What a row says, as it is kept."""

    uid: str
    session: int | None
    layer: int
    content: str
    actor: str | None
    tags: str | None
    metadata: str | None
    key: str | None
    entity: str | None
    attribute: str | None


class Doomed(Noun):
    """The memories that are erased in one go, what was kept of them, and what they name."""

    rows: Sequence[Row]
    said: Sequence[Said]  # by the rows
    numbers: str  # of the rows, as JSON
    texts: Sequence[str]  # as they were kept
    spoken: Sequence[str]  # analysed: what they are, and were, found by
    sessions: str  # numbers, as JSON
    relations: str  # numbers, as JSON
    contents: Sequence[str]  # what they say, and said
    vectors: Sequence[bytes]
    payloads: str  # numbers of those that nothing else is a handle of, as JSON
    marks: Sequence[bytes]  # that stand for these
    digests: Mapping[str, str]  # by id; empty unless they shall be remembered


Erase = Callable[[Pen, Doomed], int]  # returns how many rows went


def _each(statement: str) -> Erase:
    return lambda pen, doomed: pen.db.execute(statement, {"rows": doomed.numbers}).rowcount


def _words(pen: Pen, doomed: Doomed) -> int:
    indexed = [row for row in doomed.rows if row.state < IN_RECALL]
    for row in indexed:
        words.remove(pen, row.id, row.terms, row.rights, durable=row.durable == 1)
    return len(indexed)


def _vocabulary(pen: Pen, doomed: Doomed) -> int:
    return vocabulary.forget(pen, doomed.spoken)


def _topics(pen: Pen, doomed: Doomed) -> int:
    found = {}
    for row, said in zip(doomed.rows, doomed.said, strict=True):
        if row.topics:
            subject = named.subject_name(pen.db, pen.names, row.subject)
            names = subject, said.entity, said.attribute
            found[row.id] = topics.topics_of(topics.asserted(said.content, said.layer, *names))
    return topics.drop(pen.db, found, sum(row.topics for row in doomed.rows))


def _receipts(pen: Pen, doomed: Doomed) -> int:
    debts.pass_on(pen, doomed.numbers)
    return pen.db.execute(DELETE_RECEIPTS, {"rows": doomed.numbers}).rowcount


def _partitions(pen: Pen, doomed: Doomed) -> int:
    for row in doomed.rows:
        if row.state < IN_RECALL and row.durable:
            terms = stored.count_terms(row.terms)
            pen.tally.count(row.subject, row.owner, row.audience, -1, terms)
    keys = [*pen.tally.changes]
    pen.tally.write(pen.db)
    return pen.db.executemany(DELETE_COUNTS, keys).rowcount if keys else 0


def _memories(pen: Pen, doomed: Doomed) -> int:
    (last,) = pen.db.execute(LAST_ROW).fetchone()
    values = {"rows": doomed.numbers, "last": last}
    pen.db.execute(DELETE_HUSK, values)
    pen.db.execute(DELETE_ROWS, values)
    pen.db.execute(EMPTY_LAST_ROW, values)
    return len(doomed.rows)


def _tombstones(pen: Pen, doomed: Doomed) -> int:
    for said in doomed.said:
        _bury(pen, Tombstone(said.uid, pen.now_ms, doomed.digests.get(said.uid)))
    return 0


def _names(statement: str, numbers: Callable[[Doomed], str]) -> Erase:
    def blank(pen: Pen, doomed: Doomed) -> int:
        values = {"numbers": numbers(doomed), "known": json.dumps(WELL_KNOWN)}
        return pen.db.execute(statement, values).rowcount

    return blank


def _subjects(doomed: Doomed) -> str:
    return json.dumps(sorted({row.subject for row in doomed.rows}))


def _audiences(doomed: Doomed) -> str:
    return json.dumps(sorted({row.audience for row in doomed.rows}))


REGISTRY: Mapping[str, Erase | str] = {  # in this order: what refers to a row leaves before it
    "words": _words,
    "words_vocabulary": "a view of `words`",
    "words_places": "a view of `words`",
    "vocabulary": _vocabulary,
    "topics": _topics,
    "vectors": _each(DELETE_VECTORS),
    "embedders": "names of models, which say nothing of a memory",
    "handles": _each(payloads.DROP_HANDLES),
    "chunks": _names(payloads.DROP_PIECES, lambda doomed: doomed.payloads),
    "payloads": _names(payloads.DROP_PAYLOADS, lambda doomed: doomed.payloads),
    "links": _each(DELETE_LINKS),
    "relations": _names(BLANK_RELATIONS, lambda doomed: doomed.relations),
    "history": _each(DELETE_HISTORY),
    "receipts": _receipts,
    "partitions": _partitions,
    "memories": _memories,
    "tombstones": _tombstones,
    "subjects": _names(BLANK_SUBJECTS, _subjects),
    "sessions": _names(BLANK_SESSIONS, lambda doomed: doomed.sessions),
    "grants": _names(DELETE_GRANTS, _audiences),
    "audiences": _names(BLANK_AUDIENCES, _audiences),
    "scopes": "agents, teams and projects: `erase_agent` takes an agent that nothing needs",
    "members": "the organisation, which is no memory",
    "profiles": "of an agent: `erase_agent` takes it",
    "audit": "acts on rights, with ids and names of agents and scopes, and no content",
    "state": "numbers, and the key of digests",
    "purges": "numbers",
    "steps": "which steps the schema has seen",
}


def every(line: Line, *, subject: str | None, owner: str | None) -> list[str]:
    """Return the ids of all memories of a subject, or of an owner, in whatever state."""
    if subject is not None:
        statement, number = ABOUT, named.subject(line.db, line.names, subject)
    else:
        statement, number = OWNED, named.agent(line.db, line.names, owner or "") or named.UNKNOWN
    return [uid for (uid,) in line.db.execute(statement, {"number": number})]


def cascade(line: Line, ids: Sequence[str], *, evidence: bool, anybody: bool) -> Cascade:
    """Return what erasing *ids* takes along, and what was derived from it and stays."""
    rows = {row for (row,) in line.db.execute(NUMBERS, {"ids": json.dumps(list(ids))})}
    while True:
        derived = _derived(line, rows)
        more = {row for row, has_other in derived.items() if not has_other}
        if evidence:
            values = _values(line, rows) | {"anybody": anybody}
            more |= {row for (row,) in line.db.execute(SERVED_ALONE, values)}
        if not more:
            return Cascade(_uids(line, rows), _keeping(line, derived))
        rows |= more


def _derived(line: Line, rows: Iterable[int]) -> dict[int, bool]:
    """Return what was derived from *rows* and is none of them; and whether from others too."""
    return dict(line.db.execute(DERIVED, _values(line, rows)).fetchall())


def _values(line: Line, rows: Iterable[int]) -> dict[str, object]:
    relation = line.db.execute(FIND_RELATION, {"name": DERIVED_FROM}).fetchone()
    return {"rows": json.dumps(sorted(rows)), "derived": relation and relation[0]}


def _uids(line: Line, rows: Iterable[int]) -> list[str]:
    return [uid for (uid,) in line.db.execute(UIDS, {"rows": json.dumps(sorted(rows))})]


def _keeping(line: Line, rows: Iterable[int]) -> list[str]:
    """Return the ids of what goes on saying what is erased: not of documents, which lose that."""
    found = line.db.execute(KEEPING, {"rows": json.dumps(sorted(rows))})
    return [uid for (uid,) in found]


def erase(pen: Pen, ids: Sequence[str], *, by: str, remember: bool) -> Erased:
    """Erase memories with all that is kept of them; tombstones of their ids remain."""
    doomed = _doomed(pen, ids, remember=remember)
    if not doomed.rows:
        return Erased({}, (), frozenset(), (), 0)
    from agent_memory_os.store.sqlite import documents  # few programs erase

    documents.forsake(pen, {said.uid: said.content for said in doomed.said})
    for row in _derived(pen, [row.id for row in doomed.rows]):
        journal.write(pen, row, SOURCE_FORGOTTEN, by, pen.tick(), {})
    counts = {
        table: went
        for table, entry in REGISTRY.items()
        if not isinstance(entry, str) and (went := entry(pen, doomed))
    }
    order = pen.db.execute(purge.ASK).lastrowid or 0
    named.bump(pen.db, pen.names)  # names that were blanked are known elsewhere
    terms = frozenset(term for spoken in doomed.spoken for term in text.expand(spoken).split())
    marks = [*doomed.marks, *_marks(pen, doomed)]
    return Erased(counts, doomed.texts, terms, marks, order)


def _marks(pen: Pen, doomed: Doomed) -> list[bytes]:
    """Return the digests that no memory has any more; and if none has one, parts of the vectors."""
    digests = {plainest.digest(content) for content in doomed.contents}
    unheld = [each for each in digests if not pen.db.execute(HAS_TWIN, (each,)).fetchone()]
    marks = [each.to_bytes(_DIGEST_BYTES // 2, "big", signed=True) for each in unheld]
    if doomed.vectors and len(unheld) == len(digests) and not _is_said(pen, doomed.contents):
        marks += [vector[:_DIGEST_BYTES] for vector in doomed.vectors]
        marks += [vector[-_DIGEST_BYTES:] for vector in doomed.vectors]
    return marks


def _is_said(pen: Pen, contents: Sequence[str]) -> bool:
    """Return whether a memory says one of *contents*: of events no digest tells; reads all rows."""
    return pen.db.execute(IS_SAID, {"contents": json.dumps(contents)}).fetchone() is not None


def _doomed(pen: Pen, ids: Sequence[str], *, remember: bool) -> Doomed:
    """Return what there is of *ids*, and all that is kept of it."""
    found = pen.db.execute(DOOMED, {"ids": json.dumps(list(dict.fromkeys(ids)))}).fetchall()
    rows = [Row(*columns[:9]) for columns in found]
    said = [Said(*columns[9:]) for columns in found]
    numbers = json.dumps([row.id for row in rows])
    replaced = [before for (before,) in pen.db.execute(REPLACED, {"rows": numbers})]
    values = [json.loads(before) for before in replaced]
    spoken = _spoken(rows, said, values)
    keys = [key for (key,) in pen.db.execute(KEYS, {"rows": numbers})]
    names = _named(pen, rows, said)
    texts = spoken + [text for before in replaced for text in journal.told(before)] + keys + names
    texts += [kept for each in said for kept in each[3:] if kept]
    relations = [number for (number,) in pen.db.execute(RELATIONS, {"rows": numbers})]
    held = payloads.held_alone(pen, numbers)
    return Doomed(
        rows,
        said,
        numbers,
        list(filter(None, texts)),
        spoken,
        json.dumps(sorted({each.session for each in said if each.session is not None})),
        json.dumps(relations),
        [each.content for each in said] + [old["content"] for old in values if "content" in old],
        [vector for (vector,) in pen.db.execute(VECTORS, {"rows": numbers})],
        json.dumps(held),
        [mark for payload in held for mark in payloads.marks(pen, payload)],
        _digests(pen, rows, said) if remember else {},
    )


def _named(pen: Pen, rows: Sequence[Row], said: Sequence[Said]) -> list[str]:
    """Return the subjects and the sessions of some rows."""
    subjects = {named.subject_name(pen.db, pen.names, row.subject) for row in rows}
    sessions = {
        named.name_of(pen.db, pen.names.session_names, named.SESSION_NAME, each.session)
        for each in said
        if each.session is not None
    }
    return sorted({*filter(None, subjects), *sessions})


def _spoken(
    rows: Sequence[Row], said: Sequence[Said], replaced: Iterable[Mapping[str, Any]]
) -> list[str]:
    """Return, analysed, all that some rows were ever found by."""
    spoken = {row.terms for row in rows}
    for each in said:
        spoken |= _analysed(each.content, each.actor, json.loads(each.tags or "[]"))
        spoken.add(text.analyse(stored.names_of(each.entity, each.attribute)))
    for before in replaced:
        spoken |= _analysed(before.get("content"), before.get("actor"), before.get("tags"))
    return sorted(filter(None, spoken))


def _analysed(content: str | None, actor: str | None, tags: Sequence[str] | None) -> set[str]:
    parts = [content or "", (actor or "").partition(":")[2], " ".join(tags or ())]
    return {text.analyse(part) for part in parts}


def _digests(pen: Pen, rows: Sequence[Row], said: Sequence[Said]) -> dict[str, str]:
    """Return a digest of each by id; the key is made if need be."""
    secret = keyed.make_secret(pen)
    return {
        each.uid: _digest(pen, secret, each.content, row.owner, row.subject)
        for row, each in zip(rows, said, strict=True)
    }


def _digest(line: Line, secret: str, content: str, owner: int, subject: int) -> str:
    """Return the digest of what an owner said of a subject, by a key: no guess can be checked."""
    return keyed.digest(
        secret,
        named.name_of(line.db, line.names.agent_names, named.AGENT_NAME, owner),
        named.subject_name(line.db, line.names, subject),
        identity.statement(content),
    )


def _bury(pen: Pen, tombstone: Tombstone) -> None:
    uid, at_ms, digest = tombstone
    pen.db.execute(BURY, {"uid": uid, "version": pen.tick(), "at_ms": at_ms, "digest": digest})


def erase_agent(pen: Pen, agent: str) -> Erased:
    """Erase the profile and the links of an agent that owns no memory; and its name, if it may."""
    values = {"agent": named.agent(pen.db, pen.names, agent), "now": pen.now_ms}
    relations = [relation for (relation,) in pen.db.execute(RELATIONS_OF, values)]
    unused = {"numbers": json.dumps(relations), "known": json.dumps(WELL_KNOWN)}
    counts = {
        "profiles": pen.db.execute(DELETE_PROFILE, values).rowcount,
        "links": pen.db.execute(DELETE_LINKS_OF, values).rowcount,
        "relations": pen.db.execute(BLANK_RELATIONS, unused).rowcount,
        "scopes": pen.db.execute(BLANK_AGENT, values).rowcount,
    }
    order = pen.db.execute(purge.ASK).lastrowid or 0
    named.bump(pen.db, pen.names)
    went = {table: count for table, count in counts.items() if count}
    return Erased(went, [agent] * counts["scopes"], frozenset(), (), order)


def tombstones(line: Line) -> Tombstones:
    """Return what was forgotten here, and what was rejected."""
    forgotten = [Tombstone(*row) for row in line.db.execute(FORGOTTEN)]
    return Tombstones(keyed.secret(line), forgotten, rejections.every(line))


def apply_tombstones(pen: Pen, found: Tombstones, *, by: str) -> list[str]:
    """Erase what another store forgot, by id and by digest, and return the ids.

    The digests of what it rejected can stand here from then on: see `rejections.take_over`.
    """
    wanted = {tombstone.id for tombstone in found.found}
    rows = [row for (row,) in pen.db.execute(NUMBERS, {"ids": json.dumps(sorted(wanted))})]
    ids = sorted({*_uids(pen, rows), *_told_before(pen, found)})
    if found.secret and found.secret != (own := keyed.secret(pen)):
        if own:  # digests by two keys cannot stand side by side, and theirs is what was in use
            pen.db.execute(DROP_DIGESTS)
        keyed.set_secret(pen, found.secret)
        rejections.renew(pen)
    erase(pen, ids, by=by, remember=False)
    for tombstone in found.found:
        _bury(pen, tombstone)
    return ids


def _told_before(pen: Pen, found: Tombstones) -> set[str]:
    """Return memories whose statement was forgotten after they were written."""
    digests: dict[str, int] = {}
    for _, forgotten_ms, digest in found.found:
        if digest is not None:
            digests[digest] = max(forgotten_ms, digests.get(digest, 0))
    if not digests:
        return set()
    return {
        uid
        for uid, content, owner, subject, created_ms in pen.db.execute(STATEMENTS).fetchall()
        if created_ms <= digests.get(_digest(pen, found.secret, content, owner, subject), -1)
    }
