"""Candidates: which visible memories share a word with a query."""

import json
from collections.abc import Sequence
from itertools import combinations

from agent_memory_os.model import NO_FILTERS, Filters, Visibility
from agent_memory_os.pure.text import Query, QueryTerm
from agent_memory_os.store.contract import Found, Matches
from agent_memory_os.store.sqlite import filters, partitions, words
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import Gate, gate
from agent_memory_os.store.sqlite.line import Line

_FOUND = """
    {m}.uid, {m}.terms, {m}.actor, {m}.subject, {m}.occurred_ms,
    substr({m}.content, -1) IN ('?', '？'), {m}.session IS NOT NULL
"""
# CROSS JOIN: the words lead, and each row they give is looked up and gated.
MATCH = f"""
    SELECT {_FOUND.format(m="m")} FROM words CROSS JOIN memories m ON m.id = words.rowid
    WHERE words MATCH :match AND {{where}} LIMIT :most
"""
# Explicit bm25() sorts with a bounded heap, and looks only at rows that pass; `rank` does neither.
BEST = f"""
    SELECT {_FOUND.format(m="m")} FROM words CROSS JOIN memories m ON m.id = words.rowid
    WHERE words MATCH :match AND {{where}} ORDER BY bm25(words, 1.0, 0.0) LIMIT :most
"""
# Each side of each anchor walks the index of its session, and stops after :width visible turns.
_SIDE = """
    SELECT id FROM (
        SELECT m.id FROM memories m
        WHERE m.session = anchor.session AND m.id {side} anchor.id AND m.owner = anchor.owner
            AND m.audience = anchor.audience AND m.subject = anchor.subject AND {where}
        ORDER BY m.id {order} LIMIT :width
    )
"""
AROUND = f"""
    SELECT anchor.uid, turn.id, {_FOUND.format(m="turn")}
    FROM json_each(:anchors) wanted CROSS JOIN memories anchor ON anchor.uid = wanted.value
    CROSS JOIN memories turn ON turn.id IN ({{before}} UNION ALL {{after}})
    WHERE anchor.session IS NOT NULL ORDER BY wanted.key, turn.id
"""

# A row of the vocabulary would cost its whole posting list; this stops early.
PROBE = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH :match LIMIT :most)"
_FEW = 500  # matches that are joined one by one as fast as FTS5 would intersect them

NOTHING = Matches((), 0, 0.0, True)


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
        rights = "" if few < _FEW else rights
    where, parameters = passes.sql, passes.parameters | {"match": match + rights}
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
        for expression in _selective(line, query):
            parameters["match"] = expression + rights
            best = line.db.execute(BEST.format(where=where), parameters).fetchall()
            if best:
                rows = best
                break
        else:  # only related words were found
            rows = rows[:budget]
    count, mean = partitions.visible(
        line.db, line.names, _narrowed(line, passes, narrowing), visibility
    )
    return Matches([_found(line, *row) for row in rows], count, mean, complete)


def _found(
    line: Line,
    uid: str,
    terms: str,
    actor: str | None,
    subject: int,
    occurred_ms: int,
    asks: int,
    in_session: int,
) -> Found:
    about = named.subject_name(line.db, line.names, subject)
    return Found(uid, terms, actor, about, occurred_ms, asks == 1, in_session == 1)


def surroundings(
    line: Line, ids: Sequence[str], visibility: Visibility, *, width: int
) -> dict[str, list[Found]]:
    """Return for each of *ids* that is in a session the run of turns around it, in order."""
    passes = gate(line.db, line.names, visibility)
    statement = AROUND.format(
        before=_SIDE.format(side="<", order="DESC", where=passes.sql),
        after=_SIDE.format(side=">=", order="ASC", where=passes.sql),
    )
    # The side that begins with the anchor itself has room for it.
    parameters = passes.parameters | {"anchors": json.dumps(list(ids)), "width": width + 1}
    runs: dict[str, list[Found]] = {}
    for anchor, _, *columns in line.db.execute(statement, parameters):
        runs.setdefault(anchor, []).append(_found(line, *columns))
    return runs


def _match(terms: Sequence[QueryTerm]) -> str:
    """The MATCH expression; every term is quoted, so that none can be read as grammar."""
    return f"terms : ({' OR '.join(map(_word, terms))})"


def _selective(line: Line, query: Query) -> list[str]:
    """The MATCH expressions, to be tried in order, of a query that matches more than can be scored.

    Words that are only related would crowd out those that were asked for, so they leave. Of these
    the rarest stay, as many as their postings allow: what is in most memories tells them apart
    least, and costs most. When even the rarest is common, a memory must hold two of the three
    rarest; if none does, one of them.
    """
    asked = [term for term in query.terms if not term.of]
    most = line.settings.candidate_postings
    counted = [
        (line.db.execute(PROBE, {"match": _match([term]), "most": most + 1}).fetchone()[0], term)
        for term in asked
    ]
    counted.sort(key=lambda pair: pair[0])
    rarest = [term for _, term in counted[:3]]
    if counted and counted[0][0] > most:
        pairs = " OR ".join(f"({_word(a)} AND {_word(b)})" for a, b in combinations(rarest, 2))
        return [*([f"terms : ({pairs})"] if pairs else []), _match(rarest)]
    kept: list[QueryTerm] = []
    postings = 0
    for count, term in counted:
        postings += count
        if kept and postings > most:
            break
        kept.append(term)
    return [_match(kept)] if kept else []


def _word(term: QueryTerm) -> str:
    return words.quoted(term.text) + ("*" if term.prefix else "")


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
