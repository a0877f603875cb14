"""Counts of durable memories by subject, owner and audience, kept as they are written."""

# A memory counts while it is active and has no end: no expiry and no window of validity. So what
# expires changes no statistic when it does.

import sqlite3
from dataclasses import dataclass, field

from agent_memory_os.model import Visibility
from agent_memory_os.pure import stored
from agent_memory_os.store.sqlite.access import Gate
from agent_memory_os.store.sqlite.names import Names

ANY = -1  # in place of a subject: the sum over all of them

ADD = """
    INSERT INTO partitions(subject, owner, audience, memories, terms) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET
        memories = memories + excluded.memories, terms = terms + excluded.terms
"""
VISIBLE = """
    SELECT total(memories), total(terms) FROM partitions
    WHERE subject = :subject
        AND (owner = :me OR audience IN (SELECT value FROM json_each(:audiences)))
"""
VISIBLE_SHARED = VISIBLE.replace("subject = :subject", "subject IN (:subject, 0)")
EVERYTHING = "SELECT total(memories), total(terms) FROM partitions WHERE subject = :subject"
COUNTS = "state < 2 AND expires_ms IS NULL AND valid_from_ms IS NULL AND valid_to_ms IS NULL"
DURABLE = f"SELECT subject, owner, audience, terms FROM memories WHERE {COUNTS}"
KEPT_COUNTS = "SELECT subject, owner, audience, memories, terms FROM partitions WHERE memories <> 0"

Key = tuple[int, int, int]


@dataclass(slots=True)
class Tally:
    """Changes of the counts within one transaction, written once at its end."""

    changes: dict[Key, list[int]] = field(default_factory=dict)  # memories, terms

    def count(self, subject: int, owner: int, audience: int, sign: int, terms: int) -> None:
        """Count one memory of so many *terms* in (+1) or out (-1)."""
        for key in ((subject, owner, audience), (ANY, owner, audience)):
            change = self.changes.setdefault(key, [0, 0])
            change[0] += sign
            change[1] += sign * terms

    def write(self, db: sqlite3.Connection) -> None:
        """Write what was counted, and begin anew."""
        if self.changes:
            db.executemany(ADD, [(*key, *change) for key, change in self.changes.items()])
            self.changes.clear()


def visible(
    db: sqlite3.Connection, names: Names, passes: Gate, reader: Visibility
) -> tuple[int, float]:
    """Return how many durable memories pass the *who* of a gate, and their mean terms."""
    subject = ANY if passes.bound is None else passes.bound
    shared = reader.shared and reader.subject is not None
    statement = EVERYTHING if reader.admin else VISIBLE_SHARED if shared else VISIBLE
    key = statement, reader.agent, subject
    unchanged = db.total_changes == names.mark[1]
    if unchanged and key in names.sums:
        return names.sums[key]
    memories, terms = db.execute(statement, passes.parameters | {"subject": subject}).fetchone()
    found = int(memories), terms / memories if memories else 0.0
    if unchanged:
        names.sums[key] = found
    return found


def everything(db: sqlite3.Connection, names: Names) -> int:
    """Return how many durable memories there are, whoever may see them."""
    if EVERYTHING not in names.sums:
        memories, _ = db.execute(EVERYTHING, {"subject": ANY}).fetchone()
        names.sums[EVERYTHING] = int(memories), 0.0
    return names.sums[EVERYTHING][0]


def true_rows(db: sqlite3.Connection) -> dict[Key, tuple[int, int]]:
    """Return the counts as the memories themselves give them; reads every row."""
    tally = Tally()
    for subject, owner, audience, terms in db.execute(DURABLE):
        tally.count(subject, owner, audience, 1, stored.count_terms(terms))
    return {key: (memories, terms) for key, (memories, terms) in tally.changes.items()}
