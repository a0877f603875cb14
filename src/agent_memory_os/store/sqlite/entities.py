"""Values of attributes by the names of what has them, and who or what has some."""

from collections.abc import Iterator
from dataclasses import replace

from agent_memory_os.model import All, Compare, Condition, Field, Filters, Memory, Visibility
from agent_memory_os.store.contract import Held, Place
from agent_memory_os.store.sqlite import browse, memories
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import gate
from agent_memory_os.store.sqlite.line import Line

_PLACE = "m.subject = :about AND m.entity IS :entity AND m.layer > 0"
_HAS_BEGUN = """(m.expires_ms IS NULL OR m.expires_ms > :now)
        AND (m.valid_from_ms IS NULL OR m.valid_from_ms <= :now)"""
VALUES = f"""
    SELECT {{columns}} FROM memories m INDEXED BY memories_entity
    WHERE {_PLACE} AND m.attribute = :attribute AND {{where}} ORDER BY m.id DESC LIMIT :most
"""
VALUES_EVER = VALUES.replace("{where}", f"{{where}} AND {_HAS_BEGUN}")
# From one attribute to the next one, whatever was said of each before; of each the last value.
ATTRIBUTES = f"""
    WITH RECURSIVE walk(attribute) AS (
        SELECT min(m.attribute) FROM memories m INDEXED BY memories_entity
        WHERE {_PLACE} AND m.attribute IS NOT NULL
        UNION ALL
        SELECT (
            SELECT min(m.attribute) FROM memories m INDEXED BY memories_entity
            WHERE {_PLACE} AND m.attribute > walk.attribute
        ) FROM walk WHERE walk.attribute IS NOT NULL
    )
    SELECT {{columns}} FROM (
        SELECT (
            SELECT m.id FROM memories m INDEXED BY memories_entity
            WHERE {_PLACE} AND m.attribute = walk.attribute AND {{where}}
            ORDER BY m.id DESC LIMIT 1
        ) AS id FROM walk WHERE walk.attribute IS NOT NULL
    ) last CROSS JOIN memories m ON m.id = last.id LIMIT :most
"""
_SHORT = "substr(m.entity, instr(m.entity, ':') + 1) = :short"
_KINDED = "m.attribute IS NOT NULL AND m.layer > 0 AND instr(m.entity, ':') > 0"
CALLED = f"""
    SELECT e.entity FROM (
        SELECT DISTINCT m.entity FROM memories m INDEXED BY memories_entity_short
        WHERE m.subject = :about AND {_SHORT} AND {_KINDED}
    ) e WHERE EXISTS (
        SELECT 1 FROM memories m INDEXED BY memories_entity
        WHERE m.subject = :about AND m.entity = e.entity AND m.attribute IS NOT NULL
            AND m.layer > 0 AND {{where}}
    ) ORDER BY e.entity
"""
ENTITIES = """
    SELECT s.name, ifnull(m.entity, s.name) AS called, count(DISTINCT m.attribute),
        max(m.version >> 16)
    FROM ({rows}) page CROSS JOIN memories m ON m.id = page.id
    LEFT JOIN subjects s ON s.id = nullif(m.subject, 0)
    WHERE :kind IS NULL OR substr(called, 1, length(:kind) + 1) = :kind || ':'
    GROUP BY m.subject, called ORDER BY max(m.id) DESC LIMIT :limit
"""
SUBJECTS = """
    SELECT s.name, count(*), max(m.version >> 16)
    FROM ({rows}) page CROSS JOIN memories m ON m.id = page.id
    CROSS JOIN subjects s ON s.id = m.subject WHERE m.subject <> 0
    GROUP BY m.subject ORDER BY max(m.id) DESC LIMIT :limit
"""
NAMED = """
    SELECT s.name FROM subjects s
    WHERE substr(s.name, instr(s.name, ':') + 1) = :short AND s.id <> 0 AND EXISTS (
        SELECT 1 FROM memories m WHERE m.subject = s.id AND m.subject <> 0 AND {where}
    ) ORDER BY s.name
"""

_ALL = -1  # in place of a limit
_IS_VALUE = All((Compare(Field("attribute"), "exists", True), Compare(Field("layer"), "gt", 0)))


def values(
    line: Line, place: Place, attribute: str, visibility: Visibility, *, most: int
) -> list[Memory]:
    """Return the visible values of an attribute, the last that was told first."""
    asked = {"attribute": attribute, "most": most}
    return [*_read(line, VALUES, place, visibility, asked)]


def values_ever(
    line: Line, place: Place, attribute: str, visibility: Visibility, *, most: int
) -> list[Memory]:
    """Return the values that hold or have held, for all that took their place, last told first."""
    ever = replace(visibility, states=("active", "superseded"), timeless=True)
    asked = {"attribute": attribute, "most": most}
    return [*_read(line, VALUES_EVER, place, ever, asked)]


def attributes(line: Line, place: Place, visibility: Visibility, *, most: int) -> list[Memory]:
    """Return of each attribute the visible value that was told last, by attribute."""
    return [*_read(line, ATTRIBUTES, place, visibility, {"most": most})]


def _read(
    line: Line, statement: str, place: Place, visibility: Visibility, asked: dict[str, object]
) -> Iterator[Memory]:
    passes = gate(line.db, line.names, visibility)
    about = named.subject(line.db, line.names, place.subject)
    found = line.db.execute(
        statement.format(columns=memories.columns(passes, visibility), where=passes.sql),
        passes.parameters | asked | {"about": about, "entity": place.entity},
    )
    reader = None if visibility.admin else passes.standing
    return (memories.noun(line, reader, row) for row in found)


def called(line: Line, name: str, subject: str | None, visibility: Visibility) -> list[str]:
    """Return the entities ``kind:name`` of that name that have a visible value, sorted."""
    passes = gate(line.db, line.names, visibility)
    asked = {"about": named.subject(line.db, line.names, subject), "short": name}
    found = line.db.execute(CALLED.format(where=passes.sql), passes.parameters | asked)
    return [entity for (entity,) in found]


def entities(
    line: Line, visibility: Visibility, narrowing: Filters, *, kind: str | None, limit: int
) -> list[Held]:
    """Return what has visible values that pass the filters, the last written to first.

    Of those ``kind:name`` of a *kind* alone, unless None.
    """
    where: Condition = _IS_VALUE
    if narrowing.where is not None:
        where = All((narrowing.where, _IS_VALUE))
    rows, parameters = browse.rows(line, visibility, replace(narrowing, where=where))
    asked = {"most": _ALL, "limit": limit, "kind": kind}
    found = line.db.execute(ENTITIES.format(rows=rows), parameters | asked)
    return [Held(Place(about, name), count, at_ms) for about, name, count, at_ms in found]


def subjects(line: Line, visibility: Visibility, narrowing: Filters, *, limit: int) -> list[Held]:
    """Return whom the visible memories that pass the filters are about, the last written first."""
    rows, parameters = browse.rows(line, visibility, narrowing)
    found = line.db.execute(SUBJECTS.format(rows=rows), parameters | {"most": _ALL, "limit": limit})
    return [Held(Place(name, None), count, at_ms) for name, count, at_ms in found]


def named_so(line: Line, name: str, visibility: Visibility) -> list[str]:
    """Return the subjects ``kind:name`` of that name that a visible memory is about, sorted."""
    passes = gate(line.db, line.names, visibility)
    found = line.db.execute(NAMED.format(where=passes.sql), passes.parameters | {"short": name})
    return [subject for (subject,) in found]
