"""Rejections: what an owner has marked as wrong leaves recall, and does not come back."""

# What was rejected is known by a keyed digest of owner, subject and plainest statement, in the
# tombstone of each memory that said it. It outlives the memory, and whatever file it came with.

from dataclasses import fields, replace
from typing import Any

from agent_memory_os.model import Draft, Memory
from agent_memory_os.pure import draft as drafts
from agent_memory_os.pure import identity, ids, plainest
from agent_memory_os.store.contract import Rejection, Tombstones
from agent_memory_os.store.sqlite import derivation, keyed, memories, succession
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.line import Line, Pen
from agent_memory_os.store.sqlite.schema import SUPERSEDES

REJECTED = "rejected"
KIND = "reject"  # in the history
# Most files have none, which an add sees at the root of an index.
ANY = "SELECT 1 FROM tombstones INDEXED BY tombstones_rejected WHERE rejected IS NOT NULL LIMIT 1"
FIND = """
    SELECT uid, deleted_ms, version FROM tombstones INDEXED BY tombstones_rejected
    WHERE rejected = :digest ORDER BY version DESC LIMIT 1
"""
EVERY = "SELECT uid, deleted_ms, rejected FROM tombstones WHERE rejected IS NOT NULL ORDER BY uid"
IS_REJECTED = "SELECT 1 FROM tombstones WHERE uid = :uid AND rejected IS NOT NULL"
MARK = "UPDATE tombstones SET rejected = :digest WHERE uid = :uid"
LIFT = "UPDATE tombstones SET rejected = NULL WHERE rejected = :digest"
TAKE_OVER = """
    INSERT INTO tombstones(uid, version, deleted_ms, rejected)
    VALUES (:uid, :version, :at_ms, :digest)
    ON CONFLICT DO UPDATE SET rejected = excluded.rejected
"""
TWINS = f"""
    SELECT {memories.COLUMNS} FROM memories m
    WHERE m.identity = :identity AND m.owner = :owner AND m.subject = :subject AND m.state < 3
        AND m.layer > 0 ORDER BY m.id
"""
IN_RECALL = f"""
    SELECT {memories.COLUMNS} FROM memories m
    WHERE m.state < 3 AND m.layer > 0 AND m.created_ms <= :until
"""
TOOK_PLACE_OF = f"""
    SELECT o.uid, a.name FROM links l CROSS JOIN memories o ON o.id = l.dst
    JOIN scopes a ON a.id = l.owner
    WHERE l.src = :row AND l.relation = {SUPERSEDES} AND l.weight > 0 AND l.owner = o.owner
    ORDER BY l.version
"""


def reject(pen: Pen, memory: Memory, *, by: str) -> list[str]:
    """Mark what *memory* says as wrong; return the ids of all that said so, it first.

    They leave recall with what was derived from them alone, what they had superseded comes back,
    and the statement is remembered by a digest.
    """
    digest = _digest(keyed.make_secret(pen), memory)
    gone = []
    for each in (memory, *_twins(pen, memory)):
        _leave(pen, each, digest, by=by)
        gone.append(each.id)
    return gone


def _twins(pen: Pen, memory: Memory) -> list[Memory]:
    """Return what else of its owner and subject says the same, whatever its type."""
    values = {
        "identity": memories.identity_of(memory),
        "owner": named.agent(pen.db, pen.names, memory.owner),
        "subject": named.subject(pen.db, pen.names, memory.subject),
    }
    found = [memories.noun(pen, None, row) for row in pen.db.execute(TWINS, values)]
    said = _plain(memory.content)
    return [each for each in found if each.id != memory.id and _plain(each.content) == said]


def _leave(pen: Pen, memory: Memory, digest: str, *, by: str) -> None:
    own = []
    rows = pen.db.execute(TOOK_PLACE_OF, {"row": memories.row_of(pen, memory.id).id}).fetchall()
    for older, owner in rows:
        if succession.named_anew(pen, memory.id, older):
            continue  # it stays out of sight, as behind what is deleted
        succession.reinstate(pen, memory.id, older, by=owner)
        if owner == memory.owner:
            own.append(older)
    more = {"supersedes": own} if own else {}
    memories.set_state(pen, memory, "deleted", by=by, kind=KIND, before=more)
    pen.db.execute(MARK, {"uid": memory.id, "digest": digest})
    if memory.state != "archived":
        derivation.remove(pen, memory, by=by)


def rejected(line: Line, draft: Draft) -> Memory | None:
    """Return what the owner of *draft* rejected that said so, if anything, in the state "deleted".

    Where it was forgotten since, the draft itself stands in its place, under its id.
    """
    if draft.layer == 0 or line.db.execute(ANY).fetchone() is None:
        return None
    digest = _digest(keyed.secret(line), draft)
    found = line.db.execute(FIND, {"digest": digest}).fetchone()
    if found is None:
        return None
    uid, at_ms, version = found
    row = line.db.execute(memories.FIND, {"uid": uid}).fetchone()
    if row is not None:
        return replace(memories.noun(line, None, row), state="deleted")
    return _as_memory(draft, uid, at_ms, ids.version(version, line.names.node))


def _as_memory(draft: Draft, uid: str, at_ms: int, version: str) -> Memory:
    said: dict[str, Any] = {each.name: getattr(draft, each.name) for each in fields(draft)}
    kept = {each.name: said[each.name] for each in fields(Memory) if each.name in said}
    kept |= {
        "id": uid,
        "occurred_ms": at_ms if draft.occurred_ms is None else draft.occurred_ms,
        "expires_ms": drafts.expires_ms(draft, at_ms),
        "mentions": 1,
        "created_ms": at_ms,
        "updated_ms": at_ms,
        "version": version,
        "access_version": version,
        "state": "deleted",
    }
    return Memory(**kept)


def refused(pen: Pen, memory: Memory) -> str:
    """Return why a memory may not come back for what it says; "" if it may.

    What was rejected itself may: that takes the rejection back.
    """
    if pen.db.execute(IS_REJECTED, {"uid": memory.id}).fetchone() is not None:
        return ""
    wrong = rejected(pen, drafts.of(memory))
    return "" if wrong is None else f"what it says was rejected, as memory {wrong.id!r}"


def lift(pen: Pen, said: Draft | Memory) -> bool:
    """Let what somebody says be added again; False when it was not rejected."""
    if pen.db.execute(ANY).fetchone() is None:
        return False
    digest = _digest(keyed.secret(pen), said)
    return pen.db.execute(LIFT, {"digest": digest}).rowcount > 0


def every(line: Line) -> list[Rejection]:
    """Return what was rejected here."""
    return [Rejection(*row) for row in line.db.execute(EVERY)]


def take_over(pen: Pen, found: Tombstones, *, by: str) -> list[str]:
    """Reject what another store rejected; return the ids of what said so, and left recall.

    What was written after it was rejected stays. The digests are by the key that the file has now.
    """
    until: dict[str, int] = {}
    for each in found.rejected:
        until[each.digest] = max(each.rejected_ms, until.get(each.digest, 0))
    gone = _in_recall(pen, until)
    for memory in gone:
        _leave(pen, memory, _digest(found.secret, memory), by=by)
    for each in found.rejected:
        values = {"uid": each.id, "at_ms": each.rejected_ms, "digest": each.digest}
        pen.db.execute(TAKE_OVER, values | {"version": pen.tick()})
    return [memory.id for memory in gone]


def _in_recall(pen: Pen, until: dict[str, int]) -> list[Memory]:
    if not until:
        return []
    secret = keyed.secret(pen)
    rows = pen.db.execute(IN_RECALL, {"until": max(until.values())}).fetchall()
    found = (memories.noun(pen, None, row) for row in rows)
    return [each for each in found if each.created_ms <= until.get(_digest(secret, each), -1)]


def renew(pen: Pen) -> None:
    """Make the digests by the new key of the file, of what can still be read."""
    secret = keyed.secret(pen)
    for rejection in every(pen):
        row = pen.db.execute(memories.FIND, {"uid": rejection.id}).fetchone()
        digest = None if row is None else _digest(secret, memories.noun(pen, None, row))
        pen.db.execute(MARK, {"uid": rejection.id, "digest": digest})


def _digest(secret: str, said: Draft | Memory) -> str:
    return keyed.digest(secret, REJECTED, said.owner, said.subject, _plain(said.content))


def _plain(content: str) -> str:
    """Return what all that says the same has in common, as `plainest.digest` takes it."""
    if len(content) > plainest.MOST_DIGESTED:
        return identity.statement(content)
    return plainest.plainest(content)
