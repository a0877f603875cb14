"""The tail: the last rows, whose words are not in the word index yet."""

# FTS5 makes a segment of each commit and merges the many small ones later, which is half of what an
# add would take. So new rows wait, and are indexed together by the transaction that writes a row
# whose number is a multiple of `settings.index_every`. Until then whoever asks the index looks
# through them as well, in the same snapshot and through the same gate: no answer depends on how far
# the index goes.

from collections.abc import Iterable, Iterator, Mapping

from agent_memory_os.store.sqlite import names as named
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
ANY = "SELECT 1 FROM memories WHERE id > (SELECT indexed FROM state) LIMIT 1"
HELD = f"SELECT m.terms {OF_TAIL} AND {{where}}"
LASTING = f"SELECT m.terms {OF_TAIL} AND {COUNTS} AND {{where}}"


def append(pen: Pen, row: int) -> None:
    """Let a new row wait, or take all that wait into the index."""
    if not pen.names.has_index:
        pen.db.execute(words.PROBE)  # what could not be indexed later is refused at once
        pen.names.has_index = True
    if row % pen.settings.index_every == 0:
        fold(pen)


def fold(pen: Pen) -> None:
    """Take the rows of the tail into the word index; `mark` must follow."""
    waiting = pen.db.execute(WAITING, {"indexed": pen.names.indexed})
    pen.db.executemany(words.ADD, _entries(waiting, pen.new_terms))
    (pen.names.indexed,) = pen.db.execute(LAST).fetchone()
    pen.has_folded = True


def mark(pen: Pen) -> None:
    """Write down how far the index goes.

    Once in a transaction, since such a statement has FTS5 write out what it holds.
    """
    pen.db.execute(SET_END, {"row": pen.names.indexed})


def _entries(
    rows: Iterable[tuple[int, str, int, int, int, int]], held: set[str]
) -> Iterator[tuple[int, str, str, str]]:
    """Yield what the index holds of *rows*, and add their terms to *held*."""
    for row, terms, owner, audience, subject, durable in rows:
        columns = words.columns(terms, durable == 1)
        held.update((columns[0] or columns[1]).split())
        yield row, *columns, words.rights(owner, audience, subject)


def start(pen: Pen) -> None:
    """Let all rows wait, for an index that is empty."""
    pen.names.indexed = 0
    mark(pen)


def is_empty(line: Line) -> bool:
    """Return whether every row is in the index."""
    return not named.has_any(line.db, line.names, ANY)


def held(line: Line, where: str, parameters: Mapping[str, object]) -> list[str]:
    """Return the terms of the rows of the tail that pass *where*."""
    return _terms(line, HELD.format(where=where), parameters)


def lasting(line: Line, passes: Gate) -> list[str]:
    """Return the terms of those that count in the statistics of a reader."""
    return _terms(line, LASTING.format(where=passes.who), passes.parameters)


def _terms(line: Line, statement: str, parameters: Mapping[str, object]) -> list[str]:
    if is_empty(line):
        return []
    values = {**parameters, "indexed": line.names.indexed}
    return [terms for (terms,) in line.db.execute(statement, values)]


def holds(terms: str, asked: Iterable[str]) -> bool:
    """Return whether an analysed row holds any of some needles, as `stored.needle` makes them."""
    return any(map(f" {terms} ".__contains__, asked))
