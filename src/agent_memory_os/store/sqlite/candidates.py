"""Candidates: which visible memories share a word with a query."""

from collections.abc import Sequence

from agent_memory_os.model import NO_FILTERS, Filters, Visibility
from agent_memory_os.pure.text import Query, QueryTerm
from agent_memory_os.store.contract import Matches
from agent_memory_os.store.sqlite import filters, partitions
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import Gate, gate
from agent_memory_os.store.sqlite.line import Line

# CROSS JOIN: the words lead, and each row they give is looked up and gated.
MATCH = """
    SELECT m.uid, m.terms FROM words CROSS JOIN memories m ON m.id = words.rowid
    WHERE words MATCH :match AND {where} LIMIT :most
"""
# Explicit bm25() sorts with a bounded heap, and looks only at rows that pass; `rank` does neither.
BEST = """
    SELECT m.uid, m.terms FROM words CROSS JOIN memories m ON m.id = words.rowid
    WHERE words MATCH :match AND {where} ORDER BY bm25(words, 1.0, 0.0) LIMIT :most
"""

# A row of the vocabulary would cost its whole posting list; this stops early.
PROBE = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH :match LIMIT :most)"
_FEW = 500  # matches that are joined one by one as fast as FTS5 would intersect them

NOTHING = Matches((), (), 0, 0.0, True)


def matches(line: Line, query: Query, visibility: Visibility, narrowing: Filters) -> Matches:
    """Return the visible memories that share a term with *query*, up to the budget.

    While they fit the budget all of them are returned, and nothing that the reader cannot see has
    a say. Beyond it FTS5's bm25, whose statistics are of all rows, chooses which are looked at.
    """
    if not query.terms:
        return NOTHING
    passes = gate(line.db, line.names, visibility)
    match = _match(query.terms)
    rights = _rights(line, passes, visibility)
    if rights:
        (few,) = line.db.execute(PROBE, {"match": match, "most": _FEW}).fetchone()
        if not few:
            return NOTHING
        match += "" if few < _FEW else rights
    where, parameters = passes.sql, passes.parameters | {"match": match}
    if narrowing is not NO_FILTERS:
        sql, values = filters.where_sql(narrowing)
        where, parameters = f"{where} AND {sql}", parameters | values
    budget = line.settings.candidate_budget
    parameters["most"] = budget + 1
    rows = line.db.execute(MATCH.format(where=where), parameters).fetchall()
    if not rows:
        return NOTHING
    complete = len(rows) <= budget
    if not complete:
        parameters["most"] = line.settings.ranked_candidates
        rows = line.db.execute(BEST.format(where=where), parameters).fetchall()
    count, mean = partitions.visible(
        line.db, line.names, _narrowed(line, passes, narrowing), visibility
    )
    ids, documents = zip(*rows, strict=True)
    return Matches(ids, documents, count, mean, complete)


def _match(terms: Sequence[QueryTerm]) -> str:
    """The MATCH expression; every term is quoted, so that none can be read as grammar."""
    words = " OR ".join(_quoted(term.text) + ("*" if term.prefix else "") for term in terms)
    return f"terms : ({words})"


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _rights(line: Line, passes: Gate, visibility: Visibility) -> str:
    """The part of the MATCH that draws from what the reader may see; empty to leave it to the join.

    Index and join agree, so this changes what is walked, never what is found. A reader of few rows
    draws by rights, or the one row among thousands that match better would be far down the list; a
    reader of most rows would only make FTS5 walk one more long list.
    """
    if visibility.admin:
        return ""
    held = [f'"o{passes.standing.agent}"', *(f'"a{n}"' for n in passes.standing.audiences)]
    if passes.bound is not None:
        subjects = [f'"s{passes.bound}"'] + ['"s0"'] * visibility.shared
        narrow = f" AND rights : ({' OR '.join(subjects)})"
    else:
        narrow = ""
    if len(held) > line.settings.narrow_scopes:
        return narrow
    if not narrow:
        seen, _ = partitions.visible(line.db, line.names, passes, visibility)
        if seen > line.settings.narrow_share * partitions.everything(line.db, line.names):
            return ""
    return f"{narrow} AND rights : ({' OR '.join(held)})"


def _narrowed(line: Line, passes: Gate, narrowing: Filters) -> Gate:
    """The gate whose statistics count: a subject in the filters narrows as a bound one does."""
    if narrowing.subject is None or passes.bound is not None:
        return passes
    number = named.subject(line.db, line.names, narrowing.subject)
    return Gate(passes.sql, passes.parameters, passes.standing, number)
