"""The vocabulary: which words there are, to find the most alike to one that nobody holds."""

# A list of its own, since FTS5's view of its vocabulary reads every posting of each term that it
# names. It takes the words of rows in when the index does. A word stays in it when the last memory
# that held it leaves, but not when that one is forgotten: whether a word is held is asked of the
# index and of the tail, through the gate.

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace

from agent_memory_os.model import Filters, Visibility
from agent_memory_os.noun import Noun
from agent_memory_os.pure import alike as alikes
from agent_memory_os.pure import text
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite import partitions, tail, words
from agent_memory_os.store.sqlite.access import Gate, gate
from agent_memory_os.store.sqlite.line import Line, Pen

LEARN = "INSERT OR IGNORE INTO vocabulary SELECT value FROM json_each(:terms)"
INDEXED = """
    SELECT terms FROM memories WHERE state < 2 AND id <= (SELECT indexed FROM state)
"""
EVERY_TERM = "SELECT term FROM vocabulary"
KNOWN = "SELECT value FROM json_each(:terms) WHERE value IN (SELECT term FROM vocabulary)"
BEGINNING = """
    SELECT term FROM vocabulary
    WHERE term >= :start AND term < :start || char(1114111) AND length(term) <= :most
"""
# Whether the first rows of a word decide that a visible memory holds it: 2 yes, 0 no, 1 neither.
GLANCE = """
    SELECT wanted.key, iif(
        EXISTS (
            SELECT 1 FROM (
                SELECT {where} AS passes FROM words CROSS JOIN memories m ON m.id = words.rowid
                WHERE words MATCH wanted.value LIMIT 32
            ) WHERE passes
        ),
        2,
        32 = (SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH wanted.value LIMIT 32))
    ) FROM json_each(:matches) wanted
"""
HELD = """
    SELECT wanted.key, EXISTS (
        SELECT 1 FROM words CROSS JOIN memories m ON m.id = words.rowid
        WHERE words MATCH wanted.value AND {where}
    ) FROM json_each(:matches) wanted
"""
# Which words no active memory holds, whatever the index says of rows that are gone.
UNHELD = """
    SELECT wanted.key FROM json_each(:matches) wanted WHERE NOT EXISTS (
        SELECT 1 FROM words CROSS JOIN memories m ON m.id = words.rowid
        WHERE words MATCH wanted.value AND m.state < 2
    )
"""
DROP = "DELETE FROM vocabulary WHERE term IN (SELECT value FROM json_each(:terms))"
_NARROW = 0.02  # share of all rows, up to which a reader's own are drawn from at once
_MOST_WORDS = 4  # of one query, that are looked for
_CHUNK = 8  # words that are asked of the index at first; then twice as many, and so on
_MOST_KIN = 48  # words that only begin alike, that are asked of the index

Alike = list[tuple[str, float]]


def learn(db: sqlite3.Connection, terms: Iterable[str]) -> None:
    """Take in those of some index terms that are words."""
    spelt = sorted(filter(alikes.is_spelt, terms))  # in the order in which they stand in the file
    if spelt:
        joined = '","'.join(spelt)  # JSON need not escape letters, and they are nothing else
        db.execute(LEARN, {"terms": f'["{joined}"]'})


def forget(pen: Pen, rows: Sequence[str]) -> int:
    """Drop the words of analysed *rows* that no indexed memory holds; return how many went."""
    coming = pen.new_words.intersection(_spelt(rows))  # they would be learnt before the commit
    pen.new_words.difference_update(unheld(pen.db, sorted(coming)))
    return pen.db.execute(DROP, {"terms": json.dumps(left(pen.db, rows))}).rowcount


def left(db: sqlite3.Connection, rows: Iterable[str]) -> list[str]:
    """Return the words of analysed *rows* that are in the list, and that no active memory holds."""
    listed = db.execute(KNOWN, {"terms": json.dumps(list(_spelt(rows)))})
    return unheld(db, [term for (term,) in listed])


def unheld(db: sqlite3.Connection, terms: Sequence[str]) -> list[str]:
    """Return those of *terms* that no active memory holds, whoever may see it."""
    matches = json.dumps([f"{words.HELD} : {words.quoted(term)}" for term in terms])
    return [terms[at] for (at,) in db.execute(UNHELD, {"matches": matches})]


def lost(db: sqlite3.Connection) -> int:
    """Return how many words of indexed rows are not in the list; reads every row."""
    held = _spelt(terms for (terms,) in db.execute(INDEXED))
    return len(held.difference(term for (term,) in db.execute(EVERY_TERM)))


def _spelt(rows: Iterable[str]) -> set[str]:
    """Return the words of analysed *rows* that a misspelt one may have been meant for."""
    return {word for terms in rows for word in text.words_of(terms) if alikes.is_spelt(word)}


class _Reader(Noun):
    """Asks the word index, and the tail, what one reader may see."""

    line: Line
    passes: Gate
    subject: str  # the part of a MATCH that draws from a subject
    rights: str  # the part that draws from what may be seen; empty when that is too much to say
    is_narrow: bool  # so little may be seen that it is drawn from at once
    latest: Set[str] = frozenset()  # words of visible rows that are not in the index yet
    latest_joined: str = ""  # the same, each behind a space

    def held(self, terms: Sequence[str]) -> list[str]:
        """Return those of *terms* that a visible memory holds."""
        waiting = [term for term in terms if term in self.latest]
        return waiting + self._indexed([term for term in terms if term not in self.latest])

    def _indexed(self, terms: Sequence[str]) -> list[str]:
        found: list[str] = []
        if not self.is_narrow:
            answers = self._answers(GLANCE, terms, self.subject)
            found = [term for term, answer in answers.items() if answer == 2]
            terms = [term for term, answer in answers.items() if answer == 1]
        return [*found, *self._answers(HELD, terms, self.subject + self.rights)]

    def _answers(self, statement: str, terms: Sequence[str], drawn: str) -> dict[str, int]:
        """Return what *statement* says of each of *terms*, but for 0."""
        if not terms:
            return {}
        matches = json.dumps([f"{words.HELD} : {words.quoted(term)}{drawn}" for term in terms])
        parameters = self.passes.parameters | {"matches": matches}
        rows = self.line.db.execute(statement.format(where=self.passes.sql), parameters)
        return {terms[at]: answer for at, answer in rows if answer}

    def best(self, likeness: Mapping[str, float]) -> Alike:
        """Return the visible ones of some terms that are most alike."""
        waiting = sorted(likeness, key=lambda term: (-likeness[term], term))
        found: dict[str, float] = {}
        size = _CHUNK
        while waiting:
            chunk, waiting = waiting[:size], waiting[size:]
            if found and likeness[chunk[0]] < max(found.values()) - alikes.CLOSE:
                break  # whatever is seen of these was not meant
            found |= {term: likeness[term] for term in self.held(chunk)}
            size *= 2
        return alikes.chosen(found)


def alike(
    line: Line, asked: Mapping[str, str], visibility: Visibility, narrowing: Filters
) -> dict[str, Alike]:
    """Return for each of the *asked* terms that no visible memory holds the words most alike.

    Only what the reader may see has a say: words of hidden memories are asked of the index, through
    the gate, and fall out.
    """
    reader = _reader(line, visibility, narrowing)
    held = reader.held(list(asked))
    missing = [term for term in asked if term not in held]
    if not missing:
        return {}
    latest = _latest(line, reader.passes, narrowing)
    reader = replace(reader, latest=latest, latest_joined=" ".join(("", *latest)))
    missing = [term for term in missing if term not in latest][:_MOST_WORDS]
    return {term: _meant(reader, asked[term]) for term in missing}


def _meant(reader: _Reader, word: str) -> Alike:
    """Return what *word* may have been meant for: one edit away, its parts, else its kin."""
    close = alikes.corrections(word)
    known = _known(reader, [*close])
    return (
        reader.best({term: close[term] for term in known})
        or _parts(reader, word)
        or _kin(reader, word)
    )


def _parts(reader: _Reader, word: str) -> Alike:
    """Return the two visible words that *word* is made of, if it is."""
    partings = alikes.partings(word)
    parts = list(dict.fromkeys(part for pair in partings for part in pair))
    held = reader.held(_known(reader, parts))
    pair = next((pair for pair in partings if all(part in held for part in pair)), ())
    return [(part, alikes.PARTED) for part in pair]


def _kin(reader: _Reader, word: str) -> Alike:
    """Return the visible words that begin as *word* does, or that it ends with."""
    kin = alikes.tails(word)
    kin = {term: kin[term] for term in _known(reader, [*kin])}
    start = alikes.beginning(word)
    most = 2 * len(word)
    begun = {term for (term,) in reader.line.db.execute(BEGINNING, {"start": start, "most": most})}
    if f" {start}" in reader.latest_joined:  # few have one, and to look at each takes long
        latest = (term for term in reader.latest if term.startswith(start) and len(term) <= most)
        begun |= {term for term in latest if alikes.is_spelt(term)}
    kin |= {term: share for term in begun if (share := alikes.likeness(word, term)) > 0}
    kin = {term: share for term, share in kin.items() if share >= alikes.LEAST_ALIKE}
    ranked = sorted(kin, key=lambda term: (-kin[term], term))[:_MOST_KIN]
    return reader.best({term: kin[term] for term in ranked})


def _known(reader: _Reader, terms: Sequence[str]) -> list[str]:
    """Return those of *terms* that are words of the vocabulary or of the latest rows."""
    rows = reader.line.db.execute(KNOWN, {"terms": json.dumps(terms)})
    return list(dict.fromkeys([*(term for (term,) in rows), *reader.latest & {*terms}]))


def _reader(line: Line, visibility: Visibility, narrowing: Filters) -> _Reader:
    passes = gate(line.db, line.names, visibility)
    subjects: list[str] = []
    if passes.bound is not None:
        subjects = [f"s{passes.bound}", *["s0"] * visibility.shared]
    elif narrowing.subject is not None:
        subjects = [f"s{named.subject(line.db, line.names, narrowing.subject)}"]
    audiences = passes.standing.audiences
    if visibility.admin or len(audiences) >= line.settings.narrow_scopes:
        return _Reader(line, passes, _drawn(subjects), "", is_narrow=False)
    held = [f"o{passes.standing.agent}", *(f"a{number}" for number in audiences)]
    seen, _ = partitions.visible(line.db, line.names, passes, visibility)
    is_narrow = seen <= _NARROW * partitions.everything(line.db, line.names)
    return _Reader(line, passes, _drawn(subjects), _drawn(held), is_narrow)


def _latest(line: Line, passes: Gate, narrowing: Filters) -> set[str]:
    """Return the words of visible rows that the index does not have yet."""
    where, parameters = passes.sql, passes.parameters
    if passes.bound is None and narrowing.subject is not None:
        about = named.subject(line.db, line.names, narrowing.subject)
        where, parameters = f"{where} AND m.subject = :about", parameters | {"about": about}
    rows = tail.held(line, where, parameters)
    return {word for terms in rows for word in text.words_of(terms)}


def _drawn(rights: Sequence[str]) -> str:
    """The part of a MATCH that asks for any of the tokens of *rights*."""
    return f" AND rights : ({' OR '.join(map(words.quoted, rights))})" if rights else ""
