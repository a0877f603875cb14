"""What is still to be done after a write: kept among the receipts, and struck out when it is."""

from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.line import Line, Pen

IS_OWED = "owed"  # in place of a verdict
OWE = f"""
    INSERT INTO receipts(owner, key, digest, memory, verdict, why, at_ms)
    SELECT :owner, :key, '', m.id, '{IS_OWED}', '', :now FROM memories m WHERE m.uid = :uid
    ON CONFLICT DO UPDATE SET memory = excluded.memory, at_ms = excluded.at_ms
"""
# An owner's other memory of that subject and layer answers for it, while there is one.
PASS_ON = f"""
    UPDATE receipts SET memory = heir.id FROM (
        SELECT gone.value AS old, (
            SELECT m.id FROM memories d CROSS JOIN memories m
            WHERE d.id = gone.value AND m.owner = d.owner AND m.subject = d.subject
                AND m.layer = d.layer AND m.state < 4
                AND m.id NOT IN (SELECT value FROM json_each(:rows))
            ORDER BY m.state, m.id DESC LIMIT 1
        ) AS id FROM json_each(:rows) gone
        WHERE gone.value IN (SELECT memory FROM receipts WHERE verdict = '{IS_OWED}')
    ) heir
    WHERE receipts.memory = heir.old AND receipts.verdict = '{IS_OWED}' AND heir.id IS NOT NULL
"""
OWED = """
    SELECT r.key, m.uid FROM receipts r CROSS JOIN memories m ON m.id = r.memory
    WHERE r.owner = :owner AND r.key >= :prefix AND r.key < :prefix || char(0x10FFFF)
"""
SETTLE = """
    DELETE FROM receipts
    WHERE owner = :owner AND key = :key AND memory = (SELECT id FROM memories WHERE uid = :uid)
"""


def owe(pen: Pen, owner: str, key: str, memory_id: str) -> None:
    """Keep a debt for the sake of a memory, in place of an older one of that key."""
    number = named.make_agent(pen.db, pen.names, owner, pen.now_ms)
    values = {"owner": number, "key": key, "uid": memory_id, "now": pen.now_ms}
    pen.db.execute(OWE, values)


def pass_on(pen: Pen, rows: str) -> None:
    """Keep the debts of memories that are erased, for the sake of others that stay.

    *rows* are the numbers of these, as JSON. Where no other memory of that owner, subject and layer
    stays, nothing is owed any more.
    """
    pen.db.execute(PASS_ON, {"rows": rows})


def owed(line: Line, owner: str, prefix: str) -> dict[str, str]:
    """Return the memory of each debt whose key begins with *prefix*, by key."""
    values = {"owner": named.agent(line.db, line.names, owner), "prefix": prefix}
    return dict(line.db.execute(OWED, values).fetchall())


def settle(pen: Pen, owner: str, key: str, memory_id: str) -> None:
    """Strike out a debt that still is for the sake of that memory."""
    number = named.agent(pen.db, pen.names, owner)
    pen.db.execute(SETTLE, {"owner": number, "key": key, "uid": memory_id})
