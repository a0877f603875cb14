"""Vectors: what embedding functions made of contents, one for each memory at most."""

from agent_memory_os.pure import embedding
from agent_memory_os.store.contract import Unembedded, Witness
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.schema import BEYOND
from agent_memory_os.store.sqlite.upper import IS_DOCUMENT

FIND_EMBEDDER = "SELECT id FROM embedders WHERE fingerprint = ?"
NEW_EMBEDDER = "INSERT INTO embedders(fingerprint, lanes) VALUES (?, ?) RETURNING id"
EMBEDDERS = "SELECT id, fingerprint FROM embedders WHERE lanes = ? ORDER BY id"
# The stamp of a vector that takes another's place is a new one: readers ask for what came after
# the last that they know.
PUT = f"""
    INSERT OR REPLACE INTO vectors(memory, embedder, vector)
    SELECT m.id, :embedder, :vector FROM memories m
    WHERE m.uid = :uid AND m.state < 2 AND m.content = :content AND NOT {IS_DOCUMENT.format(m="m")}
        AND NOT EXISTS (
        SELECT 1 FROM vectors v WHERE v.memory = m.id AND v.embedder = :embedder
    )
"""
DROP = "DELETE FROM vectors WHERE memory = ?"
_ALIVE = f"""m.state < 2 AND (m.expires_ms IS NULL OR m.expires_ms > :now)
        AND NOT {IS_DOCUMENT.format(m="m")}"""
_HAS_NONE = "NOT EXISTS (SELECT 1 FROM vectors v WHERE v.memory = m.id AND v.embedder = :embedder)"
UNEMBEDDED = f"""
    SELECT m.uid, m.content FROM memories m
    WHERE {BEYOND} AND {_ALIVE} AND {_HAS_NONE}
    ORDER BY m.id LIMIT :most
"""
COUNTS = f"SELECT count(*), ifnull(sum({_HAS_NONE}), 0) FROM memories m WHERE {_ALIVE}"
WITNESS = """
    SELECT m.content, v.vector FROM vectors v JOIN memories m ON m.id = v.memory
    WHERE v.embedder = ? ORDER BY v.stamp DESC LIMIT 1
"""
LEFT_BEHIND = """
    SELECT count(*) FROM vectors WHERE memory NOT IN (SELECT id FROM memories WHERE state < 2)
"""
MISSHAPEN = f"""
    SELECT count(*) FROM vectors v LEFT JOIN embedders e ON e.id = v.embedder
    WHERE length(v.vector) IS NOT {embedding.FLOAT_BYTES} * e.lanes
"""
DROP_UNSOUND = f"""
    DELETE FROM vectors WHERE memory NOT IN (SELECT id FROM memories WHERE state < 2)
        OR length(vector) IS NOT (
            SELECT {embedding.FLOAT_BYTES} * lanes FROM embedders e WHERE e.id = embedder
        )
"""

UNKNOWN = 0  # the number of a model that no vector is of


def find_embedder(line: Line, model: str) -> int:
    """Return the number of a model by its fingerprint; `UNKNOWN` when it has none."""
    row = line.db.execute(FIND_EMBEDDER, (model,)).fetchone()
    return UNKNOWN if row is None else int(row[0])


def put(pen: Pen, memory_id: str, content: str, *, model: str, vector: bytes) -> bool:
    """Write the vector of an active memory that still says *content*; False if it does not.

    False as well when it has a vector of the model already.
    """
    embedder = find_embedder(pen, model)
    if embedder == UNKNOWN:
        (embedder,) = pen.db.execute(NEW_EMBEDDER, (model, embedding.lanes(vector))).fetchone()
    values = {"uid": memory_id, "content": content, "embedder": embedder, "vector": vector}
    return pen.db.execute(PUT, values).rowcount > 0


def drop(pen: Pen, row: int) -> None:
    """Drop the vector of a memory whose content has changed, or that left recall."""
    pen.db.execute(DROP, (row,))


def unembedded(
    line: Line, model: str, *, now_ms: int, after: str | None, most: int
) -> list[Unembedded]:
    """Return memories without a vector of *model*, whoever owns them, in the order of writing."""
    values = {"embedder": find_embedder(line, model), "now": now_ms, "after": after, "most": most}
    return [Unembedded(*row) for row in line.db.execute(UNEMBEDDED, values)]


def counts(line: Line, model: str, *, now_ms: int) -> tuple[int, int]:
    """Return how many memories have a vector of *model*, and how many have none; reads all rows."""
    values = {"embedder": find_embedder(line, model), "now": now_ms}
    everything, missing = line.db.execute(COUNTS, values).fetchone()
    return everything - missing, missing


def witnesses(line: Line, name: str, size: int) -> list[Witness]:
    """Return one memory with its vector, if there is any, of each model of that name and size."""
    base = embedding.fingerprint(name, size)
    found = []
    for embedder, model in line.db.execute(EMBEDDERS, (size,)).fetchall():
        if model == base or model.startswith(f"{base}#"):
            row = line.db.execute(WITNESS, (embedder,)).fetchone()
            found.append(Witness(model, *(row or (None, None))))
    return found
