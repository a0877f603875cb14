"""Browsing: visible memories, the last written first or all of few, and counts of them."""

from collections import Counter
from dataclasses import replace

from agent_memory_os.model import (
    NO_FILTERS,
    All,
    Compare,
    Condition,
    Filters,
    Memory,
    Stats,
    Visibility,
)
from agent_memory_os.store.sqlite import growth, partitions, past
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import HOLDS_NOW, STATE_NAMES, Gate, gate, state_of
from agent_memory_os.store.sqlite.line import Line
from agent_memory_os.store.sqlite.memories import as_they_were, columns, noun

# Each arm walks one index backwards and stops at what is wanted: no arm sorts, whatever the size.
ARM = """
    SELECT id FROM (
        SELECT m.id FROM memories m {index} WHERE {arm} AND {where} ORDER BY m.id DESC LIMIT :most
    )
"""
PAGE = """
    SELECT {columns} FROM ({arms} ORDER BY id DESC LIMIT :limit OFFSET :offset) page
    CROSS JOIN memories m ON m.id = page.id ORDER BY m.id DESC
"""
DOCUMENTS = """
    SELECT m.uid, m.terms FROM ({rows} LIMIT :most) page CROSS JOIN memories m ON m.id = page.id
"""
COUNTS = """
    SELECT m.type, m.layer, {state} AS stands, count(*), sum({now}) FROM memories m WHERE {where}
    GROUP BY m.type, m.layer, stands
"""
ANY_PINNED = "SELECT 1 FROM memories INDEXED BY memories_pinned WHERE pinned = 1 LIMIT 1"
FIND_SESSION = "SELECT id FROM sessions WHERE name = :in_session"
MODELS = """
    SELECT e.fingerprint, count(*) FROM vectors v JOIN embedders e ON e.id = v.embedder
    GROUP BY e.id ORDER BY e.fingerprint
"""
FILE_BYTES = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"

_MOST_ARMS = 100  # of a compound SELECT; more audiences than that are walked with the gate alone


def browse(
    line: Line,
    visibility: Visibility,
    narrowing: Filters,
    *,
    limit: int,
    offset: int,
    pinned: bool,
) -> list[Memory]:
    """Return visible memories, the last written first; with *pinned* only those."""
    if pinned and not named.has_any(line.db, line.names, ANY_PINNED):
        return []
    passes = gate(line.db, line.names, visibility)
    where, parameters = passes.sql, dict(passes.parameters)
    if narrowing is not NO_FILTERS:
        sql, values = past.where_sql(line.db, line.names, visibility, narrowing)
        where, parameters = f"{where} AND {sql}", parameters | values
    arms = _pinned() if pinned else _arms(line, passes, visibility, narrowing, parameters)
    parameters |= {"limit": limit, "offset": offset, "most": limit + offset}
    statement = PAGE.format(
        columns=columns(passes, visibility),
        arms=" UNION ".join(ARM.format(index=index, arm=arm, where=where) for index, arm in arms),
    )
    reader = None if visibility.admin else passes.standing
    found = [noun(line, reader, row) for row in line.db.execute(statement, parameters)]
    return as_they_were(line, found, visibility)


def documents(
    line: Line, visibility: Visibility, narrowing: Filters, *, most: int
) -> list[tuple[str, str]] | None:
    """Return the ids and terms of all visible memories; None when the reader sees more."""
    passes = gate(line.db, line.names, visibility)
    about = passes.bound
    if about is None and narrowing.subject is not None:
        about = named.subject(line.db, line.names, narrowing.subject)
    counted = replace(passes, bound=about)
    seen, _ = partitions.visible(line.db, line.names, counted, visibility)
    if seen > most:
        return None  # before any row is read: a filter would have to walk all of them
    rows_sql, parameters = rows(line, visibility, narrowing)
    found = line.db.execute(
        DOCUMENTS.format(rows=rows_sql), parameters | {"most": most + 1}
    ).fetchall()
    if len(found) > most:
        return None
    terms = past.past(line.db, line.names, visibility).terms
    return [(uid, terms.get(uid, held)) for uid, held in found] if terms else found


def rows(
    line: Line, visibility: Visibility, narrowing: Filters = NO_FILTERS
) -> tuple[str, dict[str, object]]:
    """Return the SQL of the numbers of visible memories that pass the filters, and parameters.

    Its column is ``id``. Each of its arms gives the last written ``:most``, which the caller adds
    to the parameters, and with it what it does beyond that.
    """
    passes = gate(line.db, line.names, visibility)
    where, parameters = passes.sql, dict(passes.parameters)
    if narrowing is not NO_FILTERS:
        sql, values = past.where_sql(line.db, line.names, visibility, narrowing)
        where, parameters = f"{where} AND {sql}", parameters | values
    arms = _arms(line, passes, visibility, narrowing, parameters)
    union = " UNION ".join(ARM.format(index=index, arm=arm, where=where) for index, arm in arms)
    return union, parameters


def _pinned() -> list[tuple[str, str]]:
    return [("INDEXED BY memories_pinned", "m.pinned = 1")]


def _arms(
    line: Line,
    passes: Gate,
    visibility: Visibility,
    narrowing: Filters,
    parameters: dict[str, object],
) -> list[tuple[str, str]]:
    """Return which indexes to walk, as (hint, condition); adds their *parameters*."""
    session = _session(narrowing.where)
    if session is not None:  # few rows, wherever they were written
        parameters["in_session"] = session
        return [("INDEXED BY memories_session", f"m.session = ({FIND_SESSION})")]
    about = passes.bound
    if about is None and narrowing.subject is not None:
        about = named.subject(line.db, line.names, narrowing.subject)
    if about is not None:
        parameters["about"] = about
        subject_arm = ("", "m.subject = :about AND m.subject <> 0")
        if passes.bound is None or not visibility.shared:
            return [subject_arm]
    if visibility.admin or len(passes.standing.audiences) >= _MOST_ARMS:
        return [("NOT INDEXED", "1")]
    # Both halves of the index, each in the order of the rows.
    arms = [("INDEXED BY memories_owner", f"m.owner = :me AND m.waits = {n}") for n in (0, 1)]
    for audience in passes.standing.audiences:
        name = f"audience{len(arms)}"
        parameters[name] = audience
        arms.append(("INDEXED BY memories_audience", f"m.audience = :{name} AND m.audience <> 0"))
    return arms


def _session(where: Condition | None) -> str | None:
    """Return the session that every row must be of by *where*, if it names one."""
    if isinstance(where, All):
        return next(filter(None, map(_session, where.conditions)), None)
    if not isinstance(where, Compare) or (where.field.name, where.operator) != ("session", "eq"):
        return None
    return where.value if isinstance(where.value, str) else None


def stats(line: Line, visibility: Visibility) -> Stats:
    """Return counts of what the reader sees; reads every row of it."""
    passes = gate(line.db, line.names, visibility)
    types: Counter[str] = Counter()
    layers: Counter[int] = Counter()
    states: Counter[str] = Counter()
    statement = COUNTS.format(where=passes.sql, now=HOLDS_NOW, state=state_of(passes))
    for kind, layer, state, n, holding in line.db.execute(statement, passes.parameters):
        if state == 0:
            types[kind] += holding
            layers[layer] += holding
        states[STATE_NAMES[state]] += n
    (size,) = line.db.execute(FILE_BYTES).fetchone()
    duplicates, unused = growth.shares(line, passes)
    return Stats(
        memories=sum(layers.values()),
        by_type=dict(types.most_common()),
        by_layer=dict(sorted(layers.items())),
        by_state=dict(states),
        file_bytes=size if visibility.admin else 0,
        by_model=dict(line.db.execute(MODELS).fetchall()) if visibility.admin else {},
        by_month=growth.by_month(line, passes),
        duplicate_share=duplicates,
        never_recalled_share=unused,
    )
