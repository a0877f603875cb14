"""Memories as rows: written, replaced and read."""

import dataclasses
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from agent_memory_os.errors import InvalidInput, NotFound
from agent_memory_os.model import (
    JSON,
    NO_FILTERS,
    Change,
    Draft,
    Filters,
    Memory,
    State,
    Visibility,
)
from agent_memory_os.pure import draft as drafts
from agent_memory_os.pure import ids, plainest, stored, text
from agent_memory_os.pure.layer import is_document
from agent_memory_os.store.contract import FirstReceipt
from agent_memory_os.store.sqlite import (
    journal,
    links,
    past,
    succession,
    tail,
    topics,
    vectors,
    vocabulary,
    words,
)
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import (
    HOLDS_NOW,
    IN_RECALL,
    STATE_NAMES,
    STATES,
    Gate,
    gate,
    state_of,
)
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.names import Standing

# Of the columns that may be empty it names those that are not: sqlite3 takes long over a None.
INSERT = """
    INSERT INTO memories(
        stamp, chance, owner, audience, subject, state, layer, content, doubled, confidence,
        pinned, mentions, analyser, terms, topics{names}
    ) VALUES (?, ?, ?, ?, ?, 0, ?, ?, 2 * ?, ?, ?, 1, ?, ?, ?{marks})
"""
TAKEN = "memories.uid"  # in what SQLite says of an id that is there
COLUMNS_AS = """
    m.uid, m.content, m.type, m.layer, m.owner, m.subject, m.audience, m.tags, m.metadata, m.actor,
    m.session, m.key, m.occurred_ms, m.valid_from_ms, m.valid_to_ms, m.expires_ms, m.importance,
    m.confidence, m.pinned, m.mentions, m.created_ms, m.version, m.version_node, m.access,
    m.access_node, {state}, m.recalls, m.helped, m.last_recalled_ms, m.entity, m.attribute
"""
COLUMNS = COLUMNS_AS.format(state="m.state")
_ACTIVE_COLUMNS = COLUMNS_AS.format(state="0")
READ = """
    SELECT {columns} FROM json_each(:ids) wanted CROSS JOIN memories m ON m.uid = wanted.value
    WHERE {where}
"""
READ_ONE = "SELECT {columns} FROM memories m WHERE m.uid = :uid AND {where}"
FIND = f"SELECT {COLUMNS} FROM memories m WHERE m.uid = :uid"
PASSING = "SELECT m.uid FROM json_each(:ids) wanted CROSS JOIN memories m ON m.uid = wanted.value"
STANDING_OF = f"""
    SELECT m.id, m.owner, m.subject, m.access, {{state}} = 0 AND {HOLDS_NOW}
    FROM memories m WHERE m.uid = :uid
"""
ROW = """
    SELECT id, owner, audience, subject, state, terms, version,
        expires_ms IS NULL AND valid_from_ms IS NULL AND valid_to_ms IS NULL, topics
    FROM memories WHERE uid = :uid
"""
KEYED = f"""
    SELECT {COLUMNS} FROM memories m
    WHERE m.owner = :owner AND m.subject = :subject AND m.key = :key AND m.state = 0
"""
REPLACE = """
    UPDATE memories SET
        kind = nullif(:type, 'note'), layer = :layer, content = :content, tags = :tags,
        metadata = :metadata, actor = :actor, entity = :entity, attribute = :attribute,
        occurred = nullif(:occurred_ms, created_ms), valid_from_ms = :valid_from_ms,
        valid_to_ms = :valid_to_ms, expires_ms = :expires_ms, doubled = 2 * :importance,
        confidence = :confidence, pinned = :pinned, mentions = :mentions, identity = :identity,
        changed = :version, version_node = NULL, analyser = :analyser, terms = :terms,
        topics = :topics
    WHERE id = :id
"""
SET_AUDIENCE = """
    UPDATE memories SET audience = :audience, access = :access,
        access_node = NULL
    WHERE id = :id
"""
SET_STATE = """
    UPDATE memories SET state = :state, changed = :version, version_node = NULL WHERE id = :id
"""
LEAVE = """
    UPDATE memories SET state = :state, changed = :version, version_node = NULL, terms = '',
        topics = 0
    WHERE id = :id
"""
SET_TERMS = """
    UPDATE memories SET terms = :terms, analyser = :analyser, topics = :topics WHERE id = :id
"""


RECALLED = """
    UPDATE memories SET
        recalls = min(recalls + 1, :most), helped = min(helped + :helped, :most),
        last_recalled_ms = max(ifnull(last_recalled_ms, :now), :now)
    WHERE uid IN (SELECT value FROM json_each(:uids))
"""
# The next version within the same moment: what is doubted becomes no fresher by it.
DOUBT = """
    UPDATE memories SET confidence = :confidence, changed = version + 1, version_node = NULL
    WHERE uid = :uid RETURNING id, version
"""

MOST_RECALLS = 1_000_000  # that are counted of one memory
NOTHING_ELSE: Mapping[str, JSON] = {}


@dataclass(frozen=True, slots=True)
class Row:
    """What the store keeps beside a memory: its number, its rights, its place in the index."""

    id: int
    owner: int
    audience: int
    subject: int
    state: int
    terms: str
    version: int
    durable: int  # 1 when it has no end, and so counts in the statistics
    topics: int  # how many it has

    @property
    def rights(self) -> str:
        """The tokens of its rights, as they are indexed."""
        return words.rights(self.owner, self.audience, self.subject)


def row_of(line: Line, memory_id: str) -> Row:
    """Return the row of a memory that the caller was shown.

    Raises:
        NotFound: it is gone since.
    """
    values = line.db.execute(ROW, {"uid": memory_id}).fetchone()
    if values is None:
        raise NotFound(f"there is no memory {memory_id!r}")
    return Row(*values)


def noun(line: Line, reader: Standing | None, row: Any) -> Memory:
    """Return the memory of a row of ``COLUMNS``, as *reader* may see it; None sees all of it."""
    (
        uid, content, kind, layer, owner, subject, audience, tags, metadata, actor, session, key,
        occurred, valid_from, valid_to, expires, importance, confidence, pinned, mentions, created,
        version, version_node, rights_version, rights_node, state, recalls, helped, last_recalled,
        entity, attribute,
    ) = row  # fmt: skip
    db, names = line.db, line.names
    scopes: tuple[str, ...] = ()
    if audience:
        # Others than the owner learn of no scope that they do not hold.
        is_whole = reader is None or reader.agent == owner
        scopes = named.audience_scopes(db, names, audience, None if is_whole else reader)
    stamp = ids.version(version, version_node or names.node)
    if rights_version is None:  # as created
        rights_stamp = ids.first_version(uid, names.node)
    else:
        rights_stamp = ids.version(rights_version, rights_node or names.node)
    return Memory(
        uid,
        content,
        kind,
        layer,
        named.name_of(db, names.agent_names, named.AGENT_NAME, owner),
        named.subject_name(db, names, subject),
        scopes,
        () if tags is None else tuple(json.loads(tags)),
        {} if metadata is None else json.loads(metadata),
        actor,
        None
        if session is None
        else named.name_of(db, names.session_names, named.SESSION_NAME, session),
        key,
        occurred,
        valid_from,
        valid_to,
        expires,
        importance,
        confidence,
        pinned == 1,
        mentions,
        created,
        ids.stamp_ms(version),
        stamp,
        rights_stamp,
        STATE_NAMES[state],
        recalls,
        helped,
        last_recalled,
        entity,
        attribute,
    )


def read(
    line: Line, memory_ids: Sequence[str], visibility: Visibility, narrowing: Filters
) -> list[Memory]:
    """Return those of *memory_ids* that pass the gate and the filters, in no order, each once."""
    passes = gate(line.db, line.names, visibility)
    where, parameters = passes.sql, passes.parameters
    if narrowing is not NO_FILTERS:
        sql, values = past.where_sql(line.db, line.names, visibility, narrowing)
        where, parameters = f"{where} AND {sql}", parameters | values
    if len(memory_ids) == 1:
        statement = READ_ONE
        parameters["uid"] = memory_ids[0]
    else:
        statement = READ
        parameters["ids"] = json.dumps(list(dict.fromkeys(memory_ids)))
    reader = None if visibility.admin else passes.standing
    statement = statement.format(columns=columns(passes, visibility), where=where)
    found = [noun(line, reader, row) for row in line.db.execute(statement, parameters)]
    return as_they_were(line, found, visibility)


def as_they_were(line: Line, found: list[Memory], visibility: Visibility) -> list[Memory]:
    """Return memories as they were at the moment of *visibility*, if that is one of the past."""
    if visibility.known_ms is None:
        return found
    return [past.as_it_was(line.db, line.names, visibility, memory) for memory in found]


def columns(passes: Gate, visibility: Visibility) -> str:
    """Return the columns of a memory as a reader may see it.

    Whoever reads what is active has each as active, also what is superseded for others.
    """
    is_now = visibility.as_of_ms is None and visibility.known_ms is None
    if is_now and visibility.states == ("active",):
        return _ACTIVE_COLUMNS
    return COLUMNS_AS.format(state=state_of(passes))


def passing(
    line: Line, memory_ids: Sequence[str], visibility: Visibility, narrowing: Filters
) -> set[str]:
    """Return those of *memory_ids* that `read` would return the memories of."""
    passes = gate(line.db, line.names, visibility)
    sql, values = past.where_sql(line.db, line.names, visibility, narrowing)
    parameters = passes.parameters | values | {"ids": json.dumps(list(memory_ids))}
    rows = line.db.execute(f"{PASSING} WHERE {passes.sql} AND {sql}", parameters)
    return {uid for (uid,) in rows}


def history(line: Line, memory_id: str, visibility: Visibility) -> list[Change]:
    """Return what was replaced in a memory that passes the gate, oldest first.

    The owner and an admin see all of it, in any state; in a view that is bound to a subject the
    owner is one of the others, unless the memory is about it. Others see, while they can read the
    memory, what was replaced since the rights last changed: what was edited out before it was
    shared was never theirs. Nor do they, or a bound view, learn what became of the memories that it
    was derived from.
    """
    passes = gate(line.db, line.names, visibility)
    parameters = passes.parameters | {"uid": memory_id}
    statement = STANDING_OF.format(state=state_of(passes))
    found = line.db.execute(f"{statement} AND {passes.sql}", parameters).fetchone()
    if found is None:
        return []
    row, owner, subject, rights_version, is_read = found
    is_own = owner == passes.standing.agent and passes.bound in (None, subject)
    everything = visibility.admin or is_own
    if not is_read and not everything:
        return []
    since = 0 if everything else rights_version or 0
    replaced = not everything or passes.bound is not None
    changes = journal.history(line, row, memory_id, since=since, replaced=replaced)
    if not everything:
        changes = [_without_others(change) for change in changes]
    changes += succession.told(line, row, memory_id, visibility)
    return sorted(changes, key=lambda change: change.version)


def _without_others(change: Change) -> Change:
    """Return a change without the ids of other memories, which a reader need not see."""
    if "supersedes" not in change.before:
        return change
    kept = {name: value for name, value in change.before.items() if name != "supersedes"}
    return dataclasses.replace(change, before=kept)


def first_receipt(pen: Pen, owner: str, key: str) -> FirstReceipt | None:
    """Return what was answered to an idempotency key, if it was used."""
    number = named.agent(pen.db, pen.names, owner)
    found = None if number is None else journal.find_receipt(pen, number, key)
    if found is None:
        return None
    digest, memory_id, verdict, why = found
    row = pen.db.execute(FIND, {"uid": memory_id}).fetchone()
    return FirstReceipt(digest, noun(pen, None, row), verdict, why)


def insert(pen: Pen, draft: Draft) -> Memory:
    """Write a new memory with its rights and index entries; return it as its owner sees it."""
    db, names, now_ms = pen.db, pen.names, pen.now_ms
    owner = named.make_agent(db, names, draft.owner, now_ms)
    subject = named.make_subject(db, names, draft.subject)
    audience = audience_of(pen, draft.visibility)
    stamp = pen.tick()
    chance = pen.entropy(ids.RANDOM_BITS) & ids.MOST_RANDOM
    uid = ids.memory_id(stamp, chance)
    session = None if draft.session is None else named.make_session(db, names, draft.session)
    memory = Memory(
        uid,
        draft.content,
        draft.type,
        draft.layer,
        draft.owner,
        draft.subject,
        draft.visibility,
        draft.tags,
        draft.metadata,
        draft.actor,
        draft.session,
        draft.key,
        now_ms if draft.occurred_ms is None else draft.occurred_ms,
        draft.valid_from_ms,
        draft.valid_to_ms,
        drafts.expires_ms(draft, now_ms),
        draft.importance,
        draft.confidence,
        draft.pinned,
        1,
        now_ms,
        ids.stamp_ms(stamp),
        version := ids.version(stamp, names.node),
        version,
        "active",
        entity=draft.entity,
        attribute=draft.attribute,
    )
    terms = stored.searchable(memory)
    about = topics.topics_of(memory)
    values = (
        stamp,
        chance,
        owner,
        audience,
        subject,
        draft.layer,
        draft.content,
        draft.importance,
        draft.confidence,
        int(draft.pinned),
        text.ANALYSER_VERSION,
        terms,
        len(about),
    )
    given = _given(memory, session)
    try:
        row = db.execute(_insert(tuple(given)), (*values, *given.values())).lastrowid or 0
    except sqlite3.IntegrityError as error:
        if TAKEN not in str(error):
            raise
        return insert(pen, draft)  # another process drew the same id: draw another one
    topics.note(db, row, about)
    tail.append(pen, row)
    if is_durable(memory):
        pen.tally.count(subject, owner, audience, 1, stored.count_terms(terms))
    return memory


def _given(memory: Memory, session: int | None) -> dict[str, object]:
    """Return what a new row has in those of its columns that may be empty."""
    columns: dict[str, object] = {
        "kind": None if memory.type == "note" else memory.type,
        "tags": drafts.encode(memory.tags) if memory.tags else None,
        "metadata": drafts.encode(memory.metadata) if memory.metadata else None,
        "actor": memory.actor,
        "session": session,
        "key": memory.key,
        "entity": memory.entity,
        "attribute": memory.attribute,
        "created": None if memory.created_ms == memory.updated_ms else memory.created_ms,
        "occurred": None if memory.occurred_ms == memory.created_ms else memory.occurred_ms,
        "valid_from_ms": memory.valid_from_ms,
        "valid_to_ms": memory.valid_to_ms,
        "expires_ms": memory.expires_ms,
        "identity": identity_of(memory),
    }
    return {name: value for name, value in columns.items() if value is not None}


@lru_cache(maxsize=256)
def _insert(names: tuple[str, ...]) -> str:
    """Return the statement that writes a row with *names* of the columns that may be empty."""
    return INSERT.format(names="".join(f", {name}" for name in names), marks=", ?" * len(names))


def identity_of(said: Memory | Draft) -> int | None:
    """Return the digest that twins share; events are evidence, and have none."""
    return _digest(said.content) if said.layer > 0 else None


_digest = lru_cache(maxsize=16)(plainest.digest)  # an add asks twice


def audience_of(pen: Pen, scopes: Sequence[str]) -> int:
    """Return the number of a set of scopes that exist, or of agents, which need not exist yet.

    Raises:
        NotFound: a team or project does not exist.
    """
    known = pen.names.shares.get(tuple(scopes))
    if known is not None:
        return known
    numbers = []
    for scope in scopes:
        number = named.scope(pen.db, pen.names, scope)
        if number is None:
            kind, _, name = scope.partition(":")
            if kind != "agent":
                raise NotFound(f"there is no {kind} {name!r}; create it with client.org")
            number = named.make_agent(pen.db, pen.names, name, pen.now_ms)
        numbers.append(number)
    made = named.make_audience(pen.db, pen.names, tuple(sorted(numbers)))
    return named.remember(pen.names.shares, tuple(scopes), made)


def is_durable(memory: Memory) -> bool:
    """Return whether *memory* has no end, and so counts in the statistics."""
    return memory.expires_ms is memory.valid_from_ms is memory.valid_to_ms is None


def keyed(pen: Pen, owner: str, subject: str | None, key: str) -> Memory | None:
    """Return the active memory of that name, if any."""
    parameters = {
        "owner": named.agent(pen.db, pen.names, owner),
        "subject": named.subject(pen.db, pen.names, subject),
        "key": key,
    }
    row = pen.db.execute(KEYED, parameters).fetchone()
    return None if row is None else noun(pen, None, row)


def replace(pen: Pen, memory: Memory, *, by: str, kind: str, other: str | None = None) -> Memory:
    """Write *memory* over the row of its id; what it replaced goes into the history.

    *other* is the memory that is the reason for it.
    """
    old = row_of(pen, memory.id)
    before = noun(pen, None, pen.db.execute(FIND, {"uid": memory.id}).fetchone())
    stamp = pen.tick(after=old.version)
    memory = dataclasses.replace(
        memory,
        updated_ms=ids.stamp_ms(stamp),
        version=ids.version(stamp, pen.names.node),
        state="active",
    )
    is_indexed = old.state < IN_RECALL  # what is derived from another one ends with it anywhere
    terms = stored.searchable(memory) if is_indexed else ""
    journal.write(pen, old.id, kind, by, stamp, journal.difference(before, memory), other=other)
    if memory.content != before.content:
        vectors.drop(pen, old.id)
    if memory.content != before.content or _ends(memory) != _ends(before):
        is_changed = memory.content != before.content and not is_document(memory)
        pen.touch(memory.id, before.content, is_changed=is_changed)
    kept = old.topics
    if is_indexed and drafts.asserted(memory) != drafts.asserted(before):
        topics.drop(pen.db, {old.id: topics.topics_of(before)}, kept)
        about = topics.topics_of(memory)
        topics.note(pen.db, old.id, about)
        kept = len(about)
        links.settle(pen, old.id, stamp)
    durable = is_durable(memory)
    if is_indexed and (terms != old.terms or durable != old.durable):
        words.remove(pen, old.id, old.terms, old.rights, durable=old.durable == 1)
        words.add(pen, old.id, terms, old.rights, durable=durable)
        vocabulary.learn(pen.db, text.expand(terms).split())
    partition = old.subject, old.owner, old.audience
    if is_indexed and old.durable:
        pen.tally.count(*partition, -1, stored.count_terms(old.terms))
    if is_indexed and durable:
        pen.tally.count(*partition, 1, stored.count_terms(terms))
    pen.db.execute(
        REPLACE,
        {
            "id": old.id,
            "type": memory.type,
            "layer": memory.layer,
            "content": memory.content,
            "tags": drafts.encode(memory.tags) if memory.tags else None,
            "metadata": drafts.encode(memory.metadata) if memory.metadata else None,
            "actor": memory.actor,
            "entity": memory.entity,
            "attribute": memory.attribute,
            "occurred_ms": memory.occurred_ms,
            "valid_from_ms": memory.valid_from_ms,
            "valid_to_ms": memory.valid_to_ms,
            "expires_ms": memory.expires_ms,
            "importance": memory.importance,
            "confidence": memory.confidence,
            "pinned": memory.pinned,
            "mentions": memory.mentions,
            "identity": identity_of(memory),
            "version": stamp,
            "analyser": text.ANALYSER_VERSION,
            "terms": terms,
            "topics": kept,
        },
    )
    return memory


def _ends(memory: Memory) -> tuple[int | None, ...]:
    return memory.expires_ms, memory.valid_from_ms, memory.valid_to_ms


def set_visibility(pen: Pen, memory: Memory, scopes: Sequence[str], *, by: str) -> Memory:
    """Give a memory another set of scopes; only the clock of its rights moves."""
    old = row_of(pen, memory.id)
    audience = audience_of(pen, scopes)
    rights = words.rights(old.owner, audience, old.subject)
    stamp = pen.tick(after=old.version)
    is_indexed = old.state < IN_RECALL  # what is derived from another one is narrowed anywhere
    if is_indexed:
        words.remove(pen, old.id, old.terms, old.rights, durable=old.durable == 1)
        words.add(pen, old.id, old.terms, rights, durable=old.durable == 1)
    if is_indexed and old.durable:
        terms = stored.count_terms(old.terms)
        pen.tally.count(old.subject, old.owner, old.audience, -1, terms)
        pen.tally.count(old.subject, old.owner, audience, 1, terms)
    pen.db.execute(SET_AUDIENCE, {"id": old.id, "audience": audience, "access": stamp})
    pen.touch(memory.id, memory.content)
    kind = "share" if set(scopes) - set(memory.visibility) else "revoke"
    journal.write(pen, old.id, kind, by, stamp, {"visibility": list(memory.visibility)})
    return dataclasses.replace(
        memory,
        visibility=tuple(sorted(scopes)),
        access_version=ids.version(stamp, pen.names.node),
    )


def count_recall(pen: Pen, memory_ids: Sequence[str], *, helped: bool) -> None:
    """Count a recall of each memory; neither its content nor its rights move."""
    pen.db.execute(
        RECALLED,
        {
            "uids": json.dumps(memory_ids),
            "helped": helped,
            "now": pen.now_ms,
            "most": MOST_RECALLS,
        },
    )


def doubt(pen: Pen, memory: Memory, confidence: float, *, by: str) -> None:
    """Give a memory a lesser confidence; what it had goes into the history."""
    values = {"uid": memory.id, "confidence": confidence}
    row, version = pen.db.execute(DOUBT, values).fetchone()
    journal.write(pen, row, "doubt", by, version, {"confidence": memory.confidence})


def set_state(
    pen: Pen,
    memory: Memory,
    state: State,
    *,
    by: str,
    kind: str | None = None,
    other: str | None = None,
    before: Mapping[str, JSON] = NOTHING_ELSE,
) -> None:
    """Move an active memory to another state, which is the *kind* of it in the history, if None.

    *before* is what else was replaced.
    What is archived or deleted leaves the indexes and the statistics. What is superseded stays in
    them: it is active for whoever does not see what took its place.
    """
    old = row_of(pen, memory.id)
    stamp = pen.tick(after=old.version)
    leaves = old.state < IN_RECALL <= STATES[state]
    if leaves:
        _unindex(pen, old, memory)
    values = {"id": old.id, "state": STATES[state], "version": stamp}
    pen.db.execute(LEAVE if leaves else SET_STATE, values)
    pen.touch(memory.id, memory.content)
    kind = kind or ("delete" if state == "deleted" else state)
    replaced = {"state": memory.state, **before}
    journal.write(pen, old.id, kind, by, stamp, replaced, other=other)
    if state == "deleted":
        journal.bury(pen, memory.id, stamp)


def _unindex(pen: Pen, old: Row, memory: Memory) -> None:
    words.remove(pen, old.id, old.terms, old.rights, durable=old.durable == 1)
    if old.durable:
        pen.tally.count(old.subject, old.owner, old.audience, -1, stored.count_terms(old.terms))
    topics.drop(pen.db, {old.id: topics.topics_of(memory)}, old.topics)
    vectors.drop(pen, old.id)


def named_anew(pen: Pen, memory: Memory) -> str:
    """Return, in words, that the key of a memory that left names another one now; "" if not."""
    if memory.key is None or keyed(pen, memory.owner, memory.subject, memory.key) is None:
        return ""
    return f"its key {memory.key!r} names another one now"


def revive(pen: Pen, memory: Memory, *, by: str) -> Memory:
    """Bring a memory that was superseded or archived back to active; its vector is pending.

    Raises:
        InvalidInput: another memory has taken its key since.
    """
    problem = named_anew(pen, memory)
    if problem:
        raise InvalidInput(f"memory {memory.id!r} cannot come back: {problem}")
    old = row_of(pen, memory.id)
    stamp = pen.tick(after=old.version)
    active = dataclasses.replace(
        memory,
        updated_ms=ids.stamp_ms(stamp),
        version=ids.version(stamp, pen.names.node),
        state="active",
    )
    values = {"id": old.id, "state": STATES["active"], "version": stamp}
    pen.db.execute(SET_STATE, values)
    if old.state >= IN_RECALL:
        _index(pen, old, active)
    journal.write(pen, old.id, "revive", by, stamp, {"state": STATE_NAMES[old.state]})
    return active


def _index(pen: Pen, old: Row, memory: Memory) -> None:
    terms, durable = stored.searchable(memory), is_durable(memory)
    words.add(pen, old.id, terms, old.rights, durable=durable)
    vocabulary.learn(pen.db, text.expand(terms).split())
    about = topics.topics_of(memory)
    topics.note(pen.db, old.id, about)
    if durable:
        pen.tally.count(old.subject, old.owner, old.audience, 1, stored.count_terms(terms))
    values = {"terms": terms, "analyser": text.ANALYSER_VERSION, "topics": len(about)}
    pen.db.execute(SET_TERMS, {"id": old.id, **values})
