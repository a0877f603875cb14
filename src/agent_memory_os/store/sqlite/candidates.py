"""Candidates: which visible memories share a word with a query."""

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from agent_memory_os.model import NO_FILTERS, Filters, Visibility
from agent_memory_os.noun import Noun
from agent_memory_os.pure import plan, stored, text
from agent_memory_os.pure.text import Query, QueryTerm
from agent_memory_os.store.contract import Found, Matches
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite import partitions, past, tail, words
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
    WHERE words MATCH :match AND words.rowid >= :oldest AND {{where}}
    ORDER BY bm25(words, 1.0, 1.0, 0.0) LIMIT :most
"""
# The same without the gate, which looks up each match; only what is chosen then goes through it.
BEST_ROWS = """
    SELECT rowid FROM words WHERE words MATCH :match AND rowid >= :oldest
    ORDER BY bm25(words, 1.0, 1.0, 0.0) LIMIT :most
"""
GATED = f"""
    SELECT {_FOUND.format(m="m")} FROM json_each(:rows) wanted
    CROSS JOIN memories m ON m.id = wanted.value WHERE {{where}}
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

# The matches themselves, as `GATED` takes them: to look them up costs less than to match once more.
DRAWN = """
    SELECT count(*), json_group_array(rowid) FROM (
        SELECT rowid FROM words WHERE words MATCH :match LIMIT :most
    )
"""
# A row of the vocabulary would cost its whole posting list; these stop early.
PROBE = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH :match LIMIT :most)"
VISIBLE = """
    SELECT count(*) FROM (
        SELECT 1 FROM words CROSS JOIN memories m ON m.id = words.rowid
        WHERE words MATCH :match AND {where} LIMIT :most
    )
"""
SAMPLE_END = f"""
    SELECT m.id FROM words CROSS JOIN memories m ON m.id = words.rowid
    WHERE words MATCH :rights AND {partitions.COUNTS} LIMIT 1 OFFSET :sample
"""
SAMPLE_END_OF_ALL = f"SELECT id FROM memories WHERE {partitions.COUNTS} LIMIT 1 OFFSET :sample"
SAMPLED = "SELECT count(*) FROM words WHERE words MATCH :match AND rowid < :end"
LAST = "SELECT ifnull(max(id), 0) FROM memories"
_FEW = 500  # matches that are joined one by one as fast as FTS5 would intersect them
_COUNTED = 10_000  # rows that hold a term, that are counted, whether or not some are hidden
_SAMPLE = 8_192  # visible rows that stand for all of them

NOTHING = Matches((), 0, 0.0)


def matches(line: Line, query: Query, visibility: Visibility, narrowing: Filters) -> Matches:
    """Return the visible memories that share a term with *query*, up to the budget.

    While they fit the budget all of them are returned, and nothing that the reader cannot see has
    a say. Beyond it FTS5's bm25, whose statistics are of all rows, chooses which are looked at of
    those that are indexed.
    """
    if not query.terms:
        return NOTHING
    passes = gate(line.db, line.names, visibility)
    reach = _reach(line, passes, visibility, query.terms)
    where, parameters = passes.sql, dict(passes.parameters)
    if narrowing is not NO_FILTERS:
        sql, values = past.where_sql(line.db, line.names, visibility, narrowing)
        where, parameters = f"{where} AND {sql}", parameters | values
    looked_up = _Lookup(line, query, reach, where, parameters, narrowing is not NO_FILTERS)
    frequencies = None
    latest, budget = looked_up.latest(query.terms), line.settings.candidate_budget
    matched, listed = looked_up.drawn(budget + 1)
    if matched + len(latest) > budget:
        seen, _ = partitions.visible(line.db, line.names, passes, visibility)
        lasting = tail.lasting(line, passes)
        frequencies = looked_up.of_surplus(budget, len(latest), seen, lasting)
    if frequencies is not None:
        found = looked_up.best(frequencies, seen)
        found += looked_up.latest([term for term in query.terms if not term.of])
        found = found or looked_up.all(budget) + latest
    elif matched > budget:  # most of them are not to be seen
        found = looked_up.all() + latest
    else:
        found = (looked_up.gated(listed) if matched else []) + latest
    found = _as_they_were(line, query, visibility, found, where, parameters)
    if not found:
        return NOTHING
    counted = partitions.visible(
        line.db, line.names, _narrowed(line, passes, narrowing), visibility
    )
    return Matches(_found(line, found), *counted, frequencies)


def _as_they_were(
    line: Line,
    query: Query,
    visibility: Visibility,
    found: list[Any],
    where: str,
    parameters: dict[str, object],
) -> list[Any]:
    """Return what was *found* in a view of the past by the words that memories had then."""
    then = past.past(line.db, line.names, visibility)
    if not then.was:
        return found
    kept = [row for row in found if row[0] not in then.was]
    terms = [(term.text, term.prefix) for term in query.terms]
    listed = parameters | {"rows": then.rows}
    rows = line.db.execute(GATED.format(where=where), listed).fetchall()
    for row in rows:
        if past.found_by(terms, text.expand(then.terms[row[0]])):
            kept.append(_as_it_was(row, then))
    return kept


def _as_it_was(row: Any, then: past.Past) -> Any:
    uid, _, actor, subject, occurred_ms, asks, in_session = row
    was = then.was[uid]
    content = was.get("content")
    asks = asks if content is None else content[-1:] in ("?", "？")
    actor, occurred_ms = was.get("actor", actor), was.get("occurred_ms", occurred_ms)
    return uid, then.terms[uid], actor, subject, occurred_ms, asks, in_session


class _Reach(Noun):
    """How to say in a MATCH what a reader may see; empty where there is nothing to say.

    Attributes:
        drawn: what candidates are drawn by; empty to leave it to the join. Both give the same
            rows, only the time differs.
        counted: what holds a count to visible rows.
    """

    drawn: str
    counted: str


class _Lookup(Noun):
    """One query as one reader asks it."""

    line: Line
    query: Query
    reach: _Reach
    where: str
    parameters: dict[str, object]
    is_filtered: bool

    def all(self, most: int = -1) -> list[Any]:
        """Return the visible memories that hold any of the terms."""
        matched = {"match": _any(self.query.terms) + self.reach.drawn, "most": most}
        statement = MATCH.format(where=self.where)
        return self.line.db.execute(statement, self.parameters | matched).fetchall()

    def drawn(self, most: int) -> tuple[int, str]:
        """Return how many rows hold any of the terms, up to *most*, and these rows, as JSON."""
        match = {"match": _any(self.query.terms) + self.reach.drawn, "most": most}
        count, listed = self.line.db.execute(DRAWN, match).fetchone()
        return count, listed

    def latest(self, terms: Iterable[QueryTerm]) -> list[Any]:
        """Return those of the tail that hold any of *terms*."""
        if not tail.every(self.line):
            return []
        rows = tail.holding(self.line, [stored.needle(term) for term in terms])
        return self.gated(json.dumps(rows)) if rows else []

    def of_surplus(
        self, budget: int, waiting: int, rows: int, latest: Sequence[str]
    ) -> dict[str, float] | None:
        """Return the `frequencies` of a surplus; None where what matches fits the budget.

        Args:
            budget: how many visible memories are looked at.
            waiting: how many that match wait to be indexed.
            rows: how many the reader sees without end.
            latest: the terms of those of them that wait.
        """
        if self.is_filtered:
            return self.frequencies(rows, latest) if self._is_more(budget - waiting) else None
        frequencies = self.frequencies(rows, latest)
        # They say so for most queries; those that are estimates are of more than were counted.
        if budget < _COUNTED and max(frequencies.values(), default=0) > budget:
            return frequencies
        return frequencies if self._is_more(budget - waiting) else None

    def _is_more(self, most: int) -> bool:
        """Whether more visible memories that are indexed match than so many."""
        if not self.is_filtered:  # those without end are counted by the index alone
            lasting = _any(self.query.terms, words.LASTING) + self.reach.counted
            if self.count(lasting, most + 1) > most:
                return True
        statement = VISIBLE.format(where=self.where)
        matched = {"match": _any(self.query.terms) + self.reach.drawn, "most": most + 1}
        (count,) = self.line.db.execute(statement, self.parameters | matched).fetchone()
        return bool(count > most)

    def count(self, match: str, most: int) -> int:
        """Return how many rows match, up to *most*."""
        (count,) = self.line.db.execute(PROBE, {"match": match, "most": most}).fetchone()
        return int(count)

    def frequencies(self, rows: int, latest: Sequence[str]) -> dict[str, float]:
        """Return how many of the *rows* that the reader sees without end hold each term asked for.

        Few are counted; for more, the oldest visible rows stand for all. The *latest* of them are
        in no index yet.
        """
        counted = self.reach.counted
        found: dict[str, float] = {}
        for term in self.query.terms:
            if not term.of:
                match = _any([term], words.LASTING) + counted
                needle = [stored.needle(term)]
                waiting = sum(tail.holds_any(terms, needle) for terms in latest)
                held = self.count(match, _COUNTED) + waiting
                is_more = held >= _COUNTED
                found[term.text] = max(held, self._sampled(match, rows)) if is_more else held
        return found

    def _sampled(self, match: str, rows: int) -> float:
        db, sums = self.line.db, self.line.names.sums
        key = SAMPLE_END, self.reach.counted
        if key not in sums:
            statement = SAMPLE_END if self.reach.counted else SAMPLE_END_OF_ALL
            rights = self.reach.counted.removeprefix(" AND ")
            end = db.execute(statement, {"rights": rights, "sample": _SAMPLE}).fetchone()
            sums[key] = (end or (sys.maxsize,))[0], 0.0
        (held,) = db.execute(SAMPLED, {"match": match, "end": sums[key][0]}).fetchone()
        return float(held * max(rows / _SAMPLE, 1.0))

    def best(self, frequencies: Mapping[str, float], rows: int) -> list[Any]:
        """Return the best of a surplus.

        Words that are only related would crowd out those that were asked for, and are not looked
        up, unless nothing holds any of the others.
        """
        settings = self.line.settings
        (last,) = self.line.db.execute(LAST).fetchone()
        held = self._with_ending(frequencies)
        for each in plan.plans(
            held,
            rows=max(rows, *held.values(), 1),
            matches=settings.candidate_postings,
            walked=settings.walked_postings,
        ):
            if not each.groups:
                break  # what is asked for waits to be indexed, or is not to be seen
            chosen = {
                "match": self._groups(each.groups) + self.reach.drawn,
                "oldest": last * (1 - each.share),
                "most": settings.ranked_candidates,
            }
            found = self._best(chosen)
            if found:
                return found
        return []

    def _with_ending(self, frequencies: Mapping[str, float]) -> dict[str, float]:
        """Return how many memories hold each term, those that have an end included.

        These count in no score, and are found all the same. Of a common term they change little,
        and to count them would be to walk all that hold it.
        """
        held = dict(frequencies)
        for term in self.query.terms:
            if held.get(term.text, _COUNTED) < _COUNTED:
                match = _any([term], words.ENDING) + self.reach.counted
                held[term.text] += self.count(match, _COUNTED)
        return held

    def _best(self, chosen: dict[str, object]) -> list[Any]:
        db, most = self.line.db, self.line.settings.ranked_candidates
        if not self.is_filtered:
            best = [row for (row,) in db.execute(BEST_ROWS, chosen)]
            found = self.gated(json.dumps(best))
            if len(best) < most or len(found) > most / 2:
                return found
        statement = BEST.format(where=self.where)
        return db.execute(statement, self.parameters | chosen).fetchall()

    def gated(self, listed: str) -> list[Any]:
        """Return those of the rows *listed* as JSON that the reader may see."""
        values = self.parameters | {"rows": listed}
        return self.line.db.execute(GATED.format(where=self.where), values).fetchall()

    def _groups(self, groups: Sequence[plan.Group]) -> str:
        """The MATCH expression of groups; pairs that share their rarer term are looked up once."""
        word = {term.text: _word(term) for term in self.query.terms}
        ends: dict[plan.Group, list[str]] = {}
        for *head, last in groups:
            ends.setdefault(tuple(head), []).append(word[last])
        parts = [
            " AND ".join([*(word[text] for text in head), f"({' OR '.join(lasts)})"])
            for head, lasts in ends.items()
        ]
        return f"{words.HELD} : ({' OR '.join(f'({part})' for part in parts)})"


def _found(line: Line, rows: Sequence[Any]) -> list[Found]:
    known = line.names.subject_names
    about = {
        subject: known.get(subject) or named.subject_name(line.db, line.names, subject)
        for subject in {row[3] for row in rows}
    }
    return [
        Found(uid, terms, actor, about[subject], occurred_ms, asks == 1, in_session == 1)
        for uid, terms, actor, subject, occurred_ms, asks, in_session in rows
    ]


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
    then = past.past(line.db, line.names, visibility)
    rows = line.db.execute(statement, parameters).fetchall()
    turns = [_as_it_was(row[2:], then) if row[2] in then.was else row[2:] for row in rows]
    runs: dict[str, list[Found]] = {}
    for row, found in zip(rows, _found(line, turns), strict=True):
        runs.setdefault(row[0], []).append(found)
    return {anchor: run for anchor, run in runs.items() if any(it.id == anchor for it in run)}


def _any(terms: Sequence[QueryTerm], column: str = words.HELD) -> str:
    """The MATCH expression; every term is quoted, so that none can be read as grammar."""
    return f"{column} : ({' OR '.join(map(_word, terms))})"


def _word(term: QueryTerm) -> str:
    return words.quoted(term.text) + ("*" if term.prefix else "")


def _reach(line: Line, passes: Gate, visibility: Visibility, terms: Sequence[QueryTerm]) -> _Reach:
    """Return how a reader's rights come into a MATCH.

    A reader of few rows draws by rights, or the one row among thousands that match better would be
    far down the list; a reader of most rows would only make FTS5 walk one more long list, and so
    would everybody for whom a few matches are joined as fast.
    """
    if visibility.admin:
        return _Reach("", "")
    audiences = passes.standing.audiences
    held = [f'"o{passes.standing.agent}"', *(f'"a{n}"' for n in audiences)]
    own, only = f" AND rights : ({' OR '.join(held)})", ""
    if passes.bound is not None:
        subjects = [f'"s{passes.bound}"'] + ['"s0"'] * visibility.shared
        only = f" AND rights : ({' OR '.join(subjects)})"
    seen, _ = partitions.visible(line.db, line.names, passes, visibility)
    every = partitions.everything(line.db, line.names)
    if passes.bound is None and seen > line.settings.narrow_share * every:
        return _Reach("", "" if seen == every else own)
    (few,) = line.db.execute(PROBE, {"match": _any(terms), "most": _FEW}).fetchone()
    if few < _FEW:
        return _Reach("", only + own)
    return _Reach(only if len(audiences) >= line.settings.narrow_scopes else only + own, only + own)


def _narrowed(line: Line, passes: Gate, narrowing: Filters) -> Gate:
    """The gate whose statistics count: a subject in the filters narrows as a bound one does."""
    if narrowing.subject is None or passes.bound is not None:
        return passes
    number = named.subject(line.db, line.names, narrowing.subject)
    return replace(passes, bound=number)
