"""The word index: what each memory is found by."""

import sqlite3

from agent_memory_os.pure import text

ADD = "INSERT INTO words(rowid, terms, rights) VALUES (?, ?, ?)"
REMOVE = "INSERT INTO words(words, rowid, terms, rights) VALUES ('delete', ?, ?, ?)"


def quoted(term: str) -> str:
    """Return *term* as a string of the MATCH grammar, so that nothing in it is read as grammar."""
    return '"' + term.replace('"', '""') + '"'


def rights(owner: int, audience: int, subject: int) -> str:
    """Return the tokens of a row's rights: who wrote it, who may see it, whom it is about."""
    return f"o{owner} a{audience} s{subject}" if audience else f"o{owner} s{subject}"


def add(db: sqlite3.Connection, row: int, terms: str, rights_: str) -> None:
    """Index a row."""
    db.execute(ADD, (row, text.expand(terms), rights_))


def remove(db: sqlite3.Connection, row: int, terms: str, rights_: str) -> None:
    """Take a row out: FTS5 must be given the very tokens that it was given before."""
    db.execute(REMOVE, (row, text.expand(terms), rights_))
