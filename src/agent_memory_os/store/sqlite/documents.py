"""Documents: what scenes and personas are made of, and how they lose what a source has lost."""

# A document quotes each of its sources in lines that cite it. Whatever takes a source out of sight
# takes these lines along, in the same transaction, whoever wrote them; and the values that the
# document had before, of which nobody may read a line either. See `settle`, which `end` calls.

import dataclasses
import json
from collections.abc import Mapping, Sequence

from agent_memory_os.model import Memory, Visibility
from agent_memory_os.pure import document, revision
from agent_memory_os.pure.layer import ATOM, KEY_PREFIX, PERSONA, SCENE, Partition
from agent_memory_os.store.sqlite import links, memories
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import BEGUN, gate
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.partitions import ANY
from agent_memory_os.store.sqlite.schema import BEYOND, GLOBAL_SCOPE, SUPERSEDES
from agent_memory_os.store.sqlite.upper import IS_DOCUMENT

DERIVED_FROM = "derived_from"
_DERIVED = f"(SELECT id FROM relations WHERE name = '{DERIVED_FROM}')"
_HERE = "(SELECT value FROM json_each(:audiences))"
# Every scope of the audience of one is a scope of the other, or that is for everybody.
_WITHIN = f"""(
    {{one}}.audience = {{other}}.audience
    OR EXISTS (
        SELECT 1 FROM grants WHERE audience = {{other}}.audience AND scope = {GLOBAL_SCOPE}
    )
    OR NOT EXISTS (
        SELECT 1 FROM grants g WHERE g.audience = {{one}}.audience AND g.scope NOT IN (
            SELECT scope FROM grants WHERE audience = {{other}}.audience
        )
    )
)"""
# What took the place of a memory is seen by all who see the partition, and holds.
_REPLACED = f"""EXISTS (
    SELECT 1 FROM links t INDEXED BY links_superseded CROSS JOIN memories n ON n.id = t.src
    WHERE t.dst = m.id AND t.relation = {SUPERSEDES} AND t.weight > 0 AND t.owner = m.owner
        AND n.owner = m.owner AND n.subject IN (m.subject, 0)
        AND (n.expires_ms IS NULL OR n.expires_ms > :now)
        AND {BEGUN.format(now=":now")}
        AND (n.valid_to_ms IS NULL OR n.valid_to_ms > :now)
        AND {_WITHIN.format(one="{whose}", other="n")}
)"""
# For all of its partition it is in recall, and has no end: what ends is told by no document.
_STANDS = f"""(
    (m.state = 0 OR m.state = 1 AND NOT {_REPLACED})
    AND m.expires_ms IS NULL AND m.valid_to_ms IS NULL AND ifnull(m.valid_from_ms, 0) <= :now
)"""
STANDS = _STANDS.format(whose="m")  # of a memory of the partition
# What holds from a moment on is in no count: from one subject and audience of it to the next.
_SINCE = f"""FROM memories m INDEXED BY memories_since
    WHERE m.layer = {ATOM} AND m.state < 2 AND m.valid_from_ms IS NOT NULL AND m.owner = :owner"""
PARTITIONS = f"""
    WITH RECURSIVE about(subject) AS (
        SELECT iif(:apart, :subject, (SELECT min(m.subject) {_SINCE}))
        UNION ALL
        SELECT (SELECT min(m.subject) {_SINCE} AND m.subject > about.subject)
        FROM about WHERE about.subject IS NOT NULL AND NOT :apart
    ), since(subject, audience) AS (
        SELECT subject, (SELECT min(m.audience) {_SINCE} AND m.subject = about.subject)
        FROM about
        UNION ALL
        SELECT subject, (
            SELECT min(m.audience) {_SINCE}
                AND m.subject = since.subject AND m.audience > since.audience
        ) FROM since WHERE audience IS NOT NULL
    )
    SELECT subject, audience FROM partitions
    WHERE owner = :owner AND subject <> {ANY} AND memories > 0
        AND (subject = :subject OR NOT :apart)
    UNION SELECT subject, audience FROM since WHERE audience IS NOT NULL
    ORDER BY subject, audience
"""
UNPLACED = f"""
    SELECT {memories.COLUMNS} FROM memories m INDEXED BY {{index}}
    WHERE m.owner = :owner AND {{about}} AND m.audience IN {_HERE} AND m.layer = {ATOM}
        AND {BEYOND} AND {STANDS}
        AND NOT EXISTS (
            SELECT 1 FROM links l CROSS JOIN memories d ON d.id = l.src
            WHERE l.dst = m.id AND l.relation = {_DERIVED} AND l.weight > 0 AND l.owner = m.owner
                AND d.layer = {SCENE} AND d.audience IN {_HERE}
                AND {IS_DOCUMENT.format(m="d")}
        )
    ORDER BY m.id LIMIT :most
"""
TELLING = f"""
    SELECT {memories.COLUMNS} FROM memories m INDEXED BY {{index}}
    WHERE m.owner = :owner AND {{about}} AND m.audience IN {_HERE} AND m.layer = {ATOM}
        AND m.type IN (SELECT value FROM json_each(:types)) AND {STANDS}
        AND NOT EXISTS (
            SELECT 1 FROM links l CROSS JOIN memories d ON d.id = l.src
            WHERE l.dst = m.id AND l.relation = {_DERIVED} AND l.weight > 0 AND l.owner = m.owner
                AND d.layer = {PERSONA} AND d.state > 0 AND {IS_DOCUMENT.format(m="d")}
        )
    ORDER BY m.id DESC LIMIT :most
"""
OF_PARTITION = f"""
    SELECT {memories.COLUMNS} FROM memories m INDEXED BY memories_key
    WHERE m.owner = :owner AND m.subject = :subject AND m.key IS NOT NULL AND m.state = 0
        AND m.key >= '{KEY_PREFIX}' AND m.key < '{KEY_PREFIX[:-1]};'
        AND m.audience IN {_HERE} AND m.layer = :layer
    ORDER BY m.id DESC LIMIT :most
"""
MEMBERS = f"""
    SELECT d.uid, {memories.COLUMNS} FROM json_each(:ids) wanted
    CROSS JOIN memories d ON d.uid = wanted.value CROSS JOIN links l ON l.src = d.id
    CROSS JOIN memories m ON m.id = l.dst
    WHERE l.relation = {_DERIVED} AND l.owner = d.owner AND l.weight > 0 AND m.owner = d.owner
        AND m.subject = d.subject AND m.audience IN {_HERE} AND {STANDS}
    ORDER BY wanted.key, m.occurred_ms, m.id
"""
VISIBLE = f"""
    SELECT {{columns}} FROM memories m INDEXED BY memories_upper
    WHERE {{about}} AND m.layer = :layer AND m.layer > 1
        AND {IS_DOCUMENT.format(m="m")} AND {{where}}
    ORDER BY m.id DESC LIMIT :most
"""
# Of each document which of its touched sources it may go on telling of.
QUOTING = f"""
    SELECT d.uid, m.uid, m.owner <> d.owner OR (
        m.subject IN (d.subject, 0) AND {_WITHIN.format(one="d", other="m")}
        AND {_STANDS.format(whose="d")}
    ) FROM json_each(:ids) wanted CROSS JOIN memories m ON m.uid = wanted.value
    CROSS JOIN links l ON l.dst = m.id CROSS JOIN memories d ON d.id = l.src
    WHERE l.relation = {_DERIVED} AND l.weight > 0 AND l.owner = d.owner AND d.state < 4
        AND {IS_DOCUMENT.format(m="d")}
    ORDER BY d.id
"""
HAS_OTHER = f"""
    SELECT 1 FROM memories d
    CROSS JOIN links l ON l.src = d.id CROSS JOIN memories m ON m.id = l.dst
    WHERE d.uid = :uid AND l.relation = {_DERIVED} AND l.weight > 0 AND l.owner = d.owner
        AND m.state < 3 AND m.uid NOT IN (SELECT value FROM json_each(:lost)) LIMIT 1
"""
IS_THERE = """
    SELECT 1 FROM json_each(:lost) gone CROSS JOIN memories m ON m.uid = gone.value
    WHERE m.state < 3 LIMIT 1
"""
OVERTAKEN = f"""
    SELECT m.uid, m.content FROM json_each(:ids) newer CROSS JOIN memories n ON n.uid = newer.value
    CROSS JOIN links l ON l.src = n.id CROSS JOIN memories m ON m.id = l.dst
    WHERE l.relation = {SUPERSEDES} AND l.weight > 0
"""
ANY_DOCUMENT = "SELECT 1 FROM memories INDEXED BY memories_upper WHERE layer > 1 LIMIT 1"
# What a document said before holds lines of sources that are lost since.
SCRUB = """
    UPDATE history SET before = json_remove(before, '$.content', '$.metadata')
    WHERE memory = (SELECT id FROM memories WHERE uid = :uid)
        AND json_type(before, '$.content') IS NOT NULL
"""
DROP_LAST = """
    DELETE FROM history WHERE id = (
        SELECT max(id) FROM history WHERE memory = (SELECT id FROM memories WHERE uid = :uid)
    )
"""


def partitions(line: Line, owner: str, *, subject: str | None, apart: bool) -> list[Partition]:
    """Return the partitions that an owner has memories in; with *apart* those of one subject."""
    number = named.agent(line.db, line.names, owner)
    about = named.subject(line.db, line.names, subject)
    values = {"owner": number, "subject": about, "apart": apart}
    found = {
        Partition(owner, named.subject_name(line.db, line.names, about_), _scopes(line, audience))
        for about_, audience in line.db.execute(PARTITIONS, values).fetchall()
    }
    return sorted(found, key=lambda each: (each.subject or "", each.visibility))


def unplaced(
    line: Line, partition: Partition, *, now_ms: int, after: str, most: int
) -> list[Memory]:
    """Return the next atoms of a partition that no scene of it was made of, in their order."""
    values = _values(line, partition) | {"now": now_ms, "after": after, "most": most}
    return _atoms(line, UNPLACED, values)


def telling(
    line: Line, partition: Partition, *, types: Sequence[str], now_ms: int, most: int
) -> list[Memory]:
    """Return the atoms of *types* that a persona may tell of, the last written first."""
    types_ = json.dumps(list(types))
    values = _values(line, partition) | {"types": types_, "now": now_ms, "most": most}
    return _atoms(line, TELLING, values)


def _atoms(line: Line, statement: str, values: dict[str, object]) -> list[Memory]:
    if values["subject"]:
        index, about = "memories_subject", "m.subject = :subject AND m.subject <> 0"
    else:
        index, about = "memories_owner", "m.subject = 0 AND m.waits = 0"
    statement = statement.format(index=index, about=about)
    return [memories.noun(line, None, row) for row in line.db.execute(statement, values).fetchall()]


def of_partition(line: Line, partition: Partition, *, layer: int, most: int) -> list[Memory]:
    """Return the documents of a partition, the last made first."""
    values = _values(line, partition) | {"layer": layer, "most": most}
    rows = line.db.execute(OF_PARTITION, values).fetchall()
    return [memories.noun(line, None, row) for row in rows]


def members(
    line: Line, partition: Partition, ids: Sequence[str], *, now_ms: int
) -> list[tuple[str, Memory]]:
    """Return what each of the documents *ids* of a partition was made of, as far as it stands."""
    values = _values(line, partition) | {"ids": json.dumps(list(ids)), "now": now_ms}
    rows = line.db.execute(MEMBERS, values).fetchall()
    return [(uid, memories.noun(line, None, row)) for uid, *row in rows]


def visible(
    line: Line, visibility: Visibility, *, layer: int, subject: str | None, apart: bool, most: int
) -> list[Memory]:
    """Return the documents that a reader sees, the last made first; *apart* about a subject."""
    if not named.has_any(line.db, line.names, ANY_DOCUMENT):
        return []
    passes = gate(line.db, line.names, visibility)
    about = "m.subject = :about" if apart else "1"
    statement = VISIBLE.format(
        columns=memories.columns(passes, visibility), about=about, where=passes.sql
    )
    values = {"layer": layer, "about": named.subject(line.db, line.names, subject), "most": most}
    rows = line.db.execute(statement, passes.parameters | values).fetchall()
    reader = None if visibility.admin else passes.standing
    found = [memories.noun(line, reader, row) for row in rows]
    return memories.as_they_were(line, found, visibility)


def _values(line: Line, partition: Partition) -> dict[str, object]:
    """Return the numbers of a partition; of audiences all that have its scopes by now."""
    number = named.agent(line.db, line.names, partition.owner)
    about = named.subject(line.db, line.names, partition.subject)
    values: dict[str, object] = {"owner": number, "subject": about, "apart": True}
    audiences = {
        audience
        for _, audience in line.db.execute(PARTITIONS, values).fetchall()
        if _scopes(line, audience) == partition.visibility
    }
    values["audiences"] = json.dumps(sorted(audiences))
    return values


def _scopes(line: Line, audience: int) -> tuple[str, ...]:
    return named.audience_scopes(line.db, line.names, audience, None) if audience else ()


def renew(pen: Pen, changed: Memory, *, by: str) -> Memory:
    """Write a document anew; what it said before is not kept."""
    renewed = memories.replace(pen, changed, by=by, kind="update")
    pen.db.execute(DROP_LAST, {"uid": changed.id})
    return renewed


def settle(pen: Pen) -> None:
    """Take out of documents what they have of sources that changed, or that went out of sight."""
    if not pen.touched or pen.db.execute(ANY_DOCUMENT).fetchone() is None:
        return
    # What takes the place of something may be seen by others now, or hold at another time.
    for uid, content in pen.db.execute(OVERTAKEN, {"ids": json.dumps([*pen.touched])}).fetchall():
        pen.touch(uid, content)
    while pen.touched:
        touched, pen.touched = pen.touched, {}
        lost: dict[str, dict[str, str]] = {}
        values = {"ids": json.dumps([*touched]), "now": pen.now_ms}
        for uid, source, stands in pen.db.execute(QUOTING, values).fetchall():
            before, is_other = touched[source]
            if not stands or is_other:
                lost.setdefault(uid, {})[source] = before
        for uid, sources in lost.items():
            _lose(pen, uid, sources)


def forsake(pen: Pen, doomed: Mapping[str, str]) -> None:
    """Take out of documents what they have of memories that are erased: by id, what they say."""
    values = {"ids": json.dumps([*doomed]), "now": pen.now_ms}
    lost: dict[str, dict[str, str]] = {}
    for uid, source, _ in pen.db.execute(QUOTING, values).fetchall():
        if uid not in doomed:
            lost.setdefault(uid, {})[source] = doomed[source]
    for uid, sources in lost.items():
        _lose(pen, uid, sources, for_good=True)


def _lose(pen: Pen, document_id: str, lost: Mapping[str, str], *, for_good: bool = False) -> None:
    """Take what is lost out of a document, *for_good* where it is erased.

    It leaves with its last source, and with its last line.
    """
    found = _found(pen, document_id)
    wanted = {"uid": document_id, "lost": json.dumps([*lost])}
    is_left = pen.db.execute(HAS_OTHER, wanted).fetchone() is not None
    is_kept = found.state == "deleted" and not is_left and not for_good
    if is_kept and pen.db.execute(IS_THERE, wanted).fetchone() is None:
        return  # it was deleted with its last source, and comes back with that
    changed = _cut(pen, found, lost, {})
    for source in lost:
        links.cut(pen, document_id, source, relation=DERIVED_FROM, by=found.owner)
    if found.state == "deleted":
        return
    if not is_left or not document.says_something(changed.content, changed.metadata):
        memories.set_state(pen, changed, "deleted", by=found.owner)
    elif found.layer == SCENE:
        retitled = {found.id: document.title(changed.content)}
        for uid in _leading_to(pen, found.id):
            _cut(pen, _found(pen, uid), lost, retitled)


def _cut(pen: Pen, found: Memory, lost: Mapping[str, str], retitled: Mapping[str, str]) -> Memory:
    """Write a document without what is lost; nothing of what it said before is kept."""
    from agent_memory_os.pure import themes  # its words are many

    content, metadata = revision.cut(
        found.content, found.metadata, lost, retitled=retitled, titled=themes.titled(found)
    )
    changed = dataclasses.replace(found, content=content, metadata=metadata)
    renew(pen, changed, by=found.owner)
    pen.db.execute(SCRUB, {"uid": found.id})
    return changed


def _leading_to(pen: Pen, scene_id: str) -> list[str]:
    values = {"ids": json.dumps([scene_id]), "now": pen.now_ms}
    return [uid for uid, *_ in pen.db.execute(QUOTING, values).fetchall()]


def _found(pen: Pen, memory_id: str) -> Memory:
    row = pen.db.execute(memories.FIND, {"uid": memory_id}).fetchone()
    return memories.noun(pen, None, row)
