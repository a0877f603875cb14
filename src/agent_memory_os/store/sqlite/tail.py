"""The tail: the last rows, whose words are not in the word index yet."""

# FTS5 makes a segment of each commit and merges the many small ones later, which would take a good
# part of an add. So new rows wait, and are indexed together by the transaction that writes as many
# as `settings.index_every`. Until then whoever asks the index looks through them as well, in the
# same snapshot and through the same gate: no answer depends on how far the index goes, but that of
# a surplus of candidates those that wait are all looked at.

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agent_memory_os.pure import text
from agent_memory_os.store.sqlite import words
from agent_memory_os.store.sqlite.access import Gate
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.partitions import COUNTS

# NOT INDEXED: the rows are few, and those of an owner, which an index would lead to, may be many.
OF_TAIL = "FROM memories m NOT INDEXED WHERE m.id > :indexed"
WAITING = f"""
    SELECT m.id, m.terms, m.owner, m.audience, m.subject,
        m.expires_ms IS NULL AND m.valid_from_ms IS NULL AND m.valid_to_ms IS NULL
    {OF_TAIL} AND m.state < 2
"""
LAST = "SELECT ifnull(max(id), 0) FROM memories"
SET_END = "UPDATE state SET indexed = :row"
EVERY = f"SELECT m.id, m.terms {OF_TAIL} AND m.state < 2"
HELD = f"SELECT m.terms {OF_TAIL} AND {{where}}"
LASTING = f"SELECT m.terms {OF_TAIL} AND {COUNTS} AND {{where}}"


def append(pen: Pen, row: int) -> None:
    """Let a new row wait, or take all that wait into the index."""
    if not pen.names.has_index:
        pen.db.execute(words.PROBE)  # what could not be indexed later is refused at once
        pen.names.has_index = True
    if row - pen.names.indexed >= pen.settings.index_every:
        take_in(pen)


def take_in(pen: Pen) -> None:
    """Take the rows of the tail into the word index; `note_end` must follow before the commit."""
    waiting = pen.db.execute(WAITING, {"indexed": pen.names.indexed})
    pen.db.executemany(words.ADD, _entries(waiting, pen.new_words))
    (pen.names.indexed,) = pen.db.execute(LAST).fetchone()
    pen.has_taken_in = True


def note_end(pen: Pen) -> None:
    """Write down how far the index goes.

    Once in a transaction, since such a statement has FTS5 write out what it holds.
    """
    pen.db.execute(SET_END, {"row": pen.names.indexed})


def _entries(
    rows: Iterable[tuple[int, str, int, int, int, int]], held: set[str]
) -> Iterator[tuple[int, str, str, str]]:
    """Yield what the index holds of *rows*, and add their words to *held*."""
    for row, terms, owner, audience, subject, durable in rows:
        held.update(text.words_of(terms))
        columns = words.columns(terms, durable == 1)
        yield row, *columns, words.rights(owner, audience, subject)


def start(pen: Pen) -> None:
    """Let all rows wait, for an index that is empty."""
    pen.names.indexed = 0
    note_end(pen)


def every(line: Line) -> list[tuple[int, str]]:
    """Return the rows of the tail with their terms, whoever may see them.

    They are read once for each state of the file, and within a write each time.
    """
    db, names = line.db, line.names
    if db.total_changes != names.mark[1]:
        return db.execute(EVERY, {"indexed": names.indexed}).fetchall()
    if EVERY not in names.pasts:
        names.pasts[EVERY] = db.execute(EVERY, {"indexed": names.indexed}).fetchall()
    found: list[tuple[int, str]] = names.pasts[EVERY]
    return found


def holding(line: Line, needles: Sequence[str]) -> list[int]:
    """Return the rows that hold any of *needles*, whoever may see them."""
    return [row for row, terms in every(line) if holds_any(terms, needles)]


def held(line: Line, where: str, parameters: Mapping[str, object]) -> list[str]:
    """Return the terms of the rows of the tail that pass *where*."""
    return [terms for (terms,) in rows(line, HELD.format(where=where), parameters)]


def lasting(line: Line, passes: Gate) -> list[str]:
    """Return the terms of those that count in the statistics of a reader."""
    found = rows(line, LASTING.format(where=passes.who), passes.parameters)
    return [terms for (terms,) in found]


def rows(line: Line, statement: str, parameters: Mapping[str, object]) -> list[Any]:
    """Return what *statement* reads, which is made of `OF_TAIL`."""
    if not every(line):
        return []
    return line.db.execute(statement, {**parameters, "indexed": line.names.indexed}).fetchall()


def holds_any(terms: str, needles: Iterable[str]) -> bool:
    """Return whether an analysed row holds any of *needles*, as `stored.needle` makes them."""
    return any(map(f" {terms} ".__contains__, needles))


def holds_all(terms: str, needles: Iterable[str]) -> bool:
    """Return whether an analysed row holds all of *needles*."""
    return all(map(f" {terms} ".__contains__, needles))
