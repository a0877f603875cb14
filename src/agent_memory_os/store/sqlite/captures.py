"""First receipts of whole turns: looked up, kept and counted on in one go."""

import json
from collections.abc import Mapping, Sequence

from agent_memory_os.store.contract import FirstReceipt
from agent_memory_os.store.sqlite import journal
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.line import Pen
from agent_memory_os.store.sqlite.memories import COLUMNS, noun

FIRST = f"""
    SELECT r.key, r.digest, r.verdict, r.why, {COLUMNS}
    FROM json_each(:keys) wanted CROSS JOIN receipts r ON r.owner = :owner AND r.key = wanted.value
    CROSS JOIN memories m ON m.id = r.memory
"""
LAST = """
    SELECT key FROM receipts
    WHERE owner = :owner AND key > :prefix AND key < :prefix || char(0x10FFFF)
    ORDER BY key DESC LIMIT 1
"""


def first_receipts(pen: Pen, owner: str, keys: Sequence[str]) -> dict[str, FirstReceipt]:
    """Return what was answered to those of *keys* that were used, by key."""
    number = named.agent(pen.db, pen.names, owner)
    rows = pen.db.execute(FIRST, {"owner": number, "keys": json.dumps(list(keys))}).fetchall()
    return {
        key: FirstReceipt(digest, noun(pen, None, columns), verdict, why)
        for key, digest, verdict, why, *columns in rows
    }


def keep_receipts(pen: Pen, owner: str, receipts: Mapping[str, FirstReceipt]) -> None:
    """Remember what was answered to each key."""
    number = named.make_agent(pen.db, pen.names, owner, pen.now_ms)
    values = [journal.receipt_values(pen, number, *each) for each in receipts.items()]
    pen.db.executemany(journal.KEEP_RECEIPT, values)


def last_key(pen: Pen, owner: str, prefix: str) -> str | None:
    """Return the last of the keys that begin with *prefix*, in the order of their characters."""
    number = named.agent(pen.db, pen.names, owner)
    row = pen.db.execute(LAST, {"owner": number, "prefix": prefix}).fetchone()
    return None if row is None else str(row[0])
