"""The word index: what each memory is found by."""

# What has no end, and so counts in the statistics, has its words in a column of its own: how many
# such memories hold a word is asked of the index alone.

from agent_memory_os.pure import text
from agent_memory_os.store.sqlite.line import Line

ADD = "INSERT INTO words(rowid, terms, brief, rights) VALUES (?, ?, ?, ?)"
REMOVE = "INSERT INTO words(words, rowid, terms, brief, rights) VALUES ('delete', ?, ?, ?, ?)"
PROBE = "SELECT rowid FROM words WHERE words MATCH 'a' LIMIT 1"  # whether the index answers
# Columns of a MATCH: the words of any memory, of those without end, and of those that have one.
HELD, LASTING, ENDING = "{terms brief}", "terms", "brief"


def quoted(term: str) -> str:
    """Return *term* as a string of the MATCH grammar, so that nothing in it is read as grammar."""
    return '"' + term.replace('"', '""') + '"'


def rights(owner: int, audience: int, subject: int) -> str:
    """Return the tokens of a row's rights: who wrote it, who may see it, whom it is about."""
    return f"o{owner} a{audience} s{subject}" if audience else f"o{owner} s{subject}"


def add(line: Line, row: int, terms: str, rights_: str, *, durable: bool) -> None:
    """Index a row, unless it waits in the tail; *durable* says that it has no end."""
    if row <= line.names.indexed:
        line.db.execute(ADD, (row, *columns(terms, durable), rights_))


def remove(line: Line, row: int, terms: str, rights_: str, *, durable: bool) -> None:
    """Take a row out: FTS5 must be given the very tokens that it was given before."""
    if row <= line.names.indexed:
        line.db.execute(REMOVE, (row, *columns(terms, durable), rights_))


def columns(terms: str, durable: bool) -> tuple[str, str]:
    """Return what the first two columns of a row hold: the index terms are in one of them."""
    expanded = text.expand(terms)
    return (expanded, "") if durable else ("", expanded)
