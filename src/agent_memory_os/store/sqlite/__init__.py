"""The store in one SQLite file, or in memory."""

import math
import os
import random
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import TypeVar, cast

from agent_memory_os.errors import StoreBusy, StoreCorrupt
from agent_memory_os.model import (
    JSON,
    NO_FILTERS,
    Agent,
    AuditEntry,
    Backup,
    Change,
    Clock,
    Draft,
    Filters,
    Finding,
    Link,
    Mark,
    Memory,
    Progress,
    Project,
    RecallProfile,
    Repair,
    Restored,
    Session,
    State,
    Stats,
    Step,
    Team,
    Visibility,
)
from agent_memory_os.pure.concept import Concept
from agent_memory_os.pure.due import Pending
from agent_memory_os.pure.fleet import Fleet
from agent_memory_os.pure.layer import Partition
from agent_memory_os.pure.packing import Packed
from agent_memory_os.pure.retention import Ageing
from agent_memory_os.pure.text import Query
from agent_memory_os.settings import Settings
from agent_memory_os.store import contract
from agent_memory_os.store.contract import (
    Asked,
    Cascade,
    CoRecalled,
    Erased,
    FirstReceipt,
    Found,
    Held,
    Matches,
    Nearest,
    Payload,
    Place,
    Tombstones,
    Unembedded,
    Witness,
)
from agent_memory_os.store.sqlite import (
    backup,
    browse,
    candidates,
    captures,
    co_recall,
    consolidation,
    debts,
    derivation,
    entities,
    erasure,
    invariants,
    journal,
    links,
    memories,
    mend,
    nearest,
    orgs,
    pages,
    payloads,
    place,
    probe,
    profiles,
    purge,
    rejections,
    restore,
    retention,
    revival,
    rivals,
    schema,
    sessions,
    succession,
    tail,
    traits,
    undistilled,
    vectors,
    vocabulary,
)
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.connect import Connection, Connections, translate
from agent_memory_os.store.sqlite.line import Line, Pen, Stamper

T = TypeVar("T")


class SqliteSnapshot:
    """One unchanging state of the file."""

    def __init__(self, line: Line) -> None:
        self._line = line

    def matches(self, query: Query, visibility: Visibility, filters: Filters) -> Matches:
        """Return what shares a term with *query*, up to the budget of the settings."""
        return candidates.matches(self._line, query, visibility, filters)

    def alike(
        self, asked: Mapping[str, str], visibility: Visibility, filters: Filters
    ) -> Mapping[str, Sequence[tuple[str, float]]]:
        """Return for each term that no visible memory holds the visible terms most alike."""
        return vocabulary.alike(self._line, asked, visibility, filters)

    def documents(
        self, visibility: Visibility, filters: Filters, *, most: int
    ) -> Sequence[tuple[str, str]] | None:
        """Return the id and the analysed text of all visible memories, unless they are many."""
        return browse.documents(self._line, visibility, filters, most=most)

    def nearest(
        self, asked: Asked, visibility: Visibility, filters: Filters, *, most: int, sample: int
    ) -> Nearest:
        """Return the *most* visible memories that pass the filters most alike to a vector."""
        return nearest.nearest(self._line, asked, visibility, filters, most=most, sample=sample)

    def alikeness(
        self, asked: Asked, ids: Sequence[str], visibility: Visibility
    ) -> dict[str, float]:
        """Return how alike those of *ids* are that pass the gate and have a vector."""
        return nearest.alikeness(self._line, asked, ids, visibility)

    def unembedded(
        self, model: str, *, now_ms: int, after: str | None, most: int
    ) -> list[Unembedded]:
        """Return *most* active memories without a vector of *model*, whoever owns them."""
        return vectors.unembedded(self._line, model, now_ms=now_ms, after=after, most=most)

    def embedded(self, model: str, *, now_ms: int) -> tuple[int, int]:
        """Return how many active memories have a vector of *model*, and how many have none."""
        return vectors.counts(self._line, model, now_ms=now_ms)

    def witnesses(self, name: str, size: int) -> list[Witness]:
        """Return a witness of each model that had that name, and vectors of that size."""
        return vectors.witnesses(self._line, name, size)

    def surroundings(
        self, ids: Sequence[str], visibility: Visibility, *, width: int
    ) -> Mapping[str, Sequence[Found]]:
        """Return for each of *ids* that is in a session the run of turns around it, in order."""
        return candidates.surroundings(self._line, ids, visibility, width=width)

    def read(
        self,
        ids: Sequence[str],
        visibility: Visibility,
        filters: Filters = NO_FILTERS,
    ) -> list[Memory]:
        """Return those of *ids* that pass the gate and the filters, in no order, each once."""
        return memories.read(self._line, ids, visibility, filters)

    def browse(
        self,
        visibility: Visibility,
        filters: Filters,
        *,
        limit: int,
        offset: int = 0,
        pinned: bool = False,
    ) -> list[Memory]:
        """Return visible memories, the last written first; with *pinned* only those."""
        return browse.browse(
            self._line, visibility, filters, limit=limit, offset=offset, pinned=pinned
        )

    def passing(
        self, ids: Sequence[str], visibility: Visibility, filters: Filters = NO_FILTERS
    ) -> set[str]:
        """Return those of *ids* that `read` would return the memories of."""
        return memories.passing(self._line, ids, visibility, filters)

    def steps(
        self,
        ids: Sequence[str],
        visibility: Visibility,
        *,
        relations: Sequence[str] = (),
        most: int,
    ) -> list[Step]:
        """Return the steps from *ids* over links whose both ends pass the gate."""
        return links.steps(self._line, ids, visibility, relations=relations, most=most)

    def fans(
        self,
        ids: Sequence[str],
        visibility: Visibility,
        *,
        most: int,
        looked_at: int,
        recalled: bool = False,
    ) -> dict[str, dict[str, float]]:
        """Return the neighbours of each of *ids* that has any, and the weight that leads there."""
        return links.fans(
            self._line, ids, visibility, most=most, looked_at=looked_at, recalled=recalled
        )

    def co_recalled(self, *, now_ms: int, least: float, after: str, most: int) -> CoRecalled:
        """Return memories that are recalled together, of whatever owner, in pairs."""
        return co_recall.co_recalled(self._line, now_ms=now_ms, least=least, after=after, most=most)

    def repeated(self) -> list[int]:
        """Return what tells apart the statements that more than one memory makes, in any state."""
        return consolidation.repeated(self._line)

    def twins(
        self, statements: Sequence[int], *, now_ms: int, owner: str | None, subject: str | None
    ) -> list[list[str]]:
        """Return groups of active memories that make one of the `repeated` *statements*."""
        return consolidation.twins(
            self._line, statements, now_ms=now_ms, owner=owner, subject=subject
        )

    def apart(self, memory_id: str, others: Sequence[str]) -> set[str]:
        """Return those of *others* that their owner holds apart from a memory."""
        return consolidation.apart(self._line, memory_id, others)

    def concepts(self, *, now_ms: int, owner: str | None, subject: str | None) -> list[Concept]:
        """Return the concepts in recall that were made of what is recalled together, by id."""
        return consolidation.concepts(self._line, now_ms=now_ms, owner=owner, subject=subject)

    def was_named(self, source_id: str, key: str) -> bool:
        """Return whether a memory of that name, derived from the source, is active or deleted."""
        return consolidation.was_named(self._line, source_id, key)

    def in_sight(self, ids: Iterable[str], *, now_ms: int) -> set[str]:
        """Return those of *ids* that are in recall for some who see all that goes with them."""
        return consolidation.in_sight(self._line, ids, now_ms=now_ms)

    def partitions(self, owner: str, *, subject: str | None, apart: bool) -> list[Partition]:
        """Return the partitions that an owner has memories in; *apart* those of one subject."""
        from agent_memory_os.store.sqlite import documents

        return documents.partitions(self._line, owner, subject=subject, apart=apart)

    def unplaced(self, partition: Partition, *, now_ms: int, after: str, most: int) -> list[Memory]:
        """Return the next atoms of a partition that no scene of it was made of, in their order."""
        from agent_memory_os.store.sqlite import documents

        return documents.unplaced(self._line, partition, now_ms=now_ms, after=after, most=most)

    def telling(
        self, partition: Partition, *, types: Sequence[str], now_ms: int, most: int
    ) -> list[Memory]:
        """Return the atoms of *types* that a persona may tell of, the last written first."""
        from agent_memory_os.store.sqlite import documents

        return documents.telling(self._line, partition, types=types, now_ms=now_ms, most=most)

    def organised_of(self, partition: Partition, *, layer: int, most: int) -> list[Memory]:
        """Return the documents of a partition, the last made first."""
        from agent_memory_os.store.sqlite import documents

        return documents.of_partition(self._line, partition, layer=layer, most=most)

    def members(
        self, partition: Partition, ids: Sequence[str], *, now_ms: int
    ) -> list[tuple[str, Memory]]:
        """Return what each of the documents *ids* was made of, as far as it stands."""
        from agent_memory_os.store.sqlite import documents

        return documents.members(self._line, partition, ids, now_ms=now_ms)

    def organised(
        self, visibility: Visibility, *, layer: int, subject: str | None, apart: bool, most: int
    ) -> list[Memory]:
        """Return the documents that a reader sees, the last made first."""
        from agent_memory_os.store.sqlite import documents

        return documents.visible(
            self._line, visibility, layer=layer, subject=subject, apart=apart, most=most
        )

    def links(self, source_id: str, target_id: str) -> list[Link]:
        """Return the links from one memory to another, both of which the caller was shown."""
        return links.between(self._line, source_id, target_id)

    def rivals(self, draft: Draft, visibility: Visibility, *, counted: bool = True) -> list[Memory]:
        """Return visible memories of the same subject that *draft* may have to do with."""
        return rivals.rivals(self._line, draft, visibility, counted=counted)

    def rejected(self, draft: Draft) -> Memory | None:
        """Return what the owner of *draft* rejected that said the same of its subject, if any."""
        return rejections.rejected(self._line, draft)

    def successions(self, memory_id: str, *, by: str) -> list[Link]:
        """Return the links by which *by* says that a memory took the place of its own, in order."""
        return succession.made(self._line, memory_id, by=by)

    def marks(self, ids: Sequence[str], visibility: Visibility) -> dict[str, list[Mark]]:
        """Return the marks of those of *ids* that have any; the caller was shown these."""
        return succession.marks(self._line, ids, visibility)

    def evidence(
        self, ids: Sequence[str], visibility: Visibility, *, up: bool, most: int
    ) -> list[tuple[str, Memory]]:
        """Return what each of *ids* rests on, or with *up* what rests on it."""
        return derivation.evidence(self._line, ids, visibility, up=up, most=most)

    def derivations(self, derived: Sequence[str], sources: Sequence[str]) -> list[tuple[str, str]]:
        """Return which of *derived* was derived from which of *sources*."""
        return derivation.derivations(self._line, derived, sources)

    def sessions(
        self, visibility: Visibility, *, session: str | None, subject: str | None, limit: int
    ) -> list[Session]:
        """Return the sessions that the reader sees an event of, the last written to first."""
        return sessions.sessions(
            self._line, visibility, session=session, subject=subject, limit=limit
        )

    def events(
        self,
        visibility: Visibility,
        filters: Filters,
        *,
        session: str | None,
        around: str | int | None,
        limit: int,
    ) -> list[Memory]:
        """Return visible events in their order: the last ones, or those *around* one."""
        return sessions.events(
            self._line, visibility, filters, session=session, around=around, limit=limit
        )

    def values(
        self, place: Place, attribute: str, visibility: Visibility, *, most: int
    ) -> list[Memory]:
        """Return the visible values of an attribute at a place, the last that was told first."""
        return entities.values(self._line, place, attribute, visibility, most=most)

    def values_ever(
        self, place: Place, attribute: str, visibility: Visibility, *, most: int
    ) -> list[Memory]:
        """Return the values that hold or have held, whatever took their place, last told first."""
        return entities.values_ever(self._line, place, attribute, visibility, most=most)

    def attributes(self, place: Place, visibility: Visibility, *, most: int) -> list[Memory]:
        """Return of each attribute at a place the visible value told last, by attribute."""
        return entities.attributes(self._line, place, visibility, most=most)

    def called(self, name: str, subject: str | None, visibility: Visibility) -> list[str]:
        """Return the entities ``kind:name`` of that name that have a visible value, sorted."""
        return entities.called(self._line, name, subject, visibility)

    def entities(
        self, visibility: Visibility, filters: Filters, *, kind: str | None, limit: int
    ) -> list[Held]:
        """Return what has visible values that pass the filters, the last written to first."""
        return entities.entities(self._line, visibility, filters, kind=kind, limit=limit)

    def subjects(self, visibility: Visibility, filters: Filters, *, limit: int) -> list[Held]:
        """Return whom the visible memories that pass are about, the last written to first."""
        return entities.subjects(self._line, visibility, filters, limit=limit)

    def named_so(self, name: str, visibility: Visibility) -> list[str]:
        """Return the subjects ``kind:name`` of that name that a visible memory is about, sorted."""
        return entities.named_so(self._line, name, visibility)

    def undistilled(
        self,
        visibility: Visibility,
        *,
        session: str | None,
        subject: str | None,
        apart: bool,
        after: str,
        most: int,
    ) -> list[Memory]:
        """Return the next of the reader's own events that are not distilled yet."""
        return undistilled.undistilled(
            self._line,
            visibility,
            session=session,
            subject=subject,
            apart=apart,
            after=after,
            most=most,
        )

    def pending(self, visibility: Visibility, *, subject: str | None) -> list[Pending]:
        """Return what of the reader's own events is not distilled, the longest waiting first."""
        return undistilled.pending(self._line, visibility, subject=subject)

    def owed(self, owner: str, prefix: str) -> dict[str, str]:
        """Return the debts whose keys begin with *prefix*: for each key a memory's id."""
        return debts.owed(self._line, owner, prefix)

    def payload(
        self, memory_id: str, visibility: Visibility, *, start: int = 0, stop: int | None = None
    ) -> Payload | None:
        """Return what a visible memory is the handle of, with its bytes from *start* to *stop*."""
        return payloads.read(self._line, memory_id, visibility, start=start, stop=stop)

    def own_handles(self, digest: str, visibility: Visibility, *, is_text: bool) -> list[str]:
        """Return the visible handles of the reader's own of a payload."""
        return payloads.own_handles(self._line, digest, visibility, is_text=is_text)

    def profile(self, agent: str) -> RecallProfile | None:
        """Return the recall profile that was last saved for an agent, if any."""
        return profiles.find(self._line, agent)

    def history(self, memory_id: str, visibility: Visibility) -> list[Change]:
        """Return what was replaced in a memory that passes the gate, oldest first."""
        return memories.history(self._line, memory_id, visibility)

    def stats(self, visibility: Visibility) -> Stats:
        """Return counts of what the reader sees."""
        return browse.stats(self._line, visibility)

    def knows(self, agent: str) -> bool:
        """Return whether the agent was ever registered, a member, an owner, or given something."""
        return orgs.knows(self._line, agent)

    def takes_part(self, agent: str) -> bool:
        """Return whether the agent is registered, in a team, or an owner."""
        return orgs.takes_part(self._line, agent)

    def holds(self, agent: str, scope: str) -> bool:
        """Return whether the agent is a member of a live team or project."""
        return orgs.holds(self._line, agent, scope)

    def agents(self) -> list[Agent]:
        """Return the agents that are registered or own something, by id."""
        return orgs.agents(self._line)

    def teams(self) -> list[Team]:
        """Return the teams that exist, by id."""
        return orgs.teams(self._line)

    def projects(self) -> list[Project]:
        """Return the projects that exist, by id."""
        return orgs.projects(self._line)

    def memberships(self, agent: str) -> list[str]:
        """Return the scopes that an agent holds by membership, sorted."""
        return orgs.memberships(self._line, agent)

    def every(self, *, subject: str | None = None, owner: str | None = None) -> list[str]:
        """Return the ids of all memories of a subject, or of an owner, in whatever state."""
        return erasure.every(self._line, subject=subject, owner=owner)

    def cascade(self, ids: Sequence[str], *, evidence: bool, anybody: bool) -> Cascade:
        """Return what erasing *ids* takes along, and what was derived from it and stays."""
        return erasure.cascade(self._line, ids, evidence=evidence, anybody=anybody)

    def saying(self, contents: Iterable[str], visibility: Visibility, *, most: int) -> set[str]:
        """Return visible memories that hold every word of one of *contents*, at most so many."""
        return probe.saying(self._line, contents, visibility, most=most)

    def tombstones(self) -> Tombstones:
        """Return what was forgotten here, and what was rejected."""
        return erasure.tombstones(self._line)

    def fleet(self) -> Fleet:
        """Return what the fleet file gave, as far as it holds still."""
        return orgs.fleet(self._line)

    def fleet_digest(self) -> str:
        """Return the digest of the fleet file that was applied last; "" when there was none."""
        return orgs.fleet_digest(self._line)

    def ageing(self, *, after: str, most: int) -> list[Ageing]:
        """Return the next *most* memories that are not deleted, whoever owns them, by id."""
        return retention.ageing(self._line, after=after, most=most)

    def ageing_of(self, ids: Sequence[str]) -> list[Ageing]:
        """Return those of *ids* that there are, whoever owns them, each once, by id."""
        return retention.ageing_of(self._line, ids)

    def surplus(self) -> Mapping[str, int]:
        """Return how many rows beside the memories are more than the settings keep, by what."""
        return retention.surplus(self._line)

    def audit(self, *, limit: int) -> list[AuditEntry]:
        """Return the last acts on rights and organisation, newest first."""
        return journal.audit(self._line, limit=limit)


class SqliteTransaction(SqliteSnapshot):
    """A snapshot that can be changed; all of it commits, or none."""

    _line: Pen

    def __init__(self, pen: Pen) -> None:
        super().__init__(pen)
        self._pen = pen

    @property
    def now_ms(self) -> int:
        """Return the moment of the transaction, UTC milliseconds."""
        return self._pen.now_ms

    def insert(self, draft: Draft) -> Memory:
        """Write a new memory with its rights and index entries; return it as its owner sees it."""
        return memories.insert(self._pen, draft)

    def replace(self, memory: Memory, *, by: str, kind: str, other: str | None = None) -> Memory:
        """Write *memory* over the row of its id, keep what it replaced; return it restamped."""
        replaced = memories.replace(self._pen, memory, by=by, kind=kind, other=other)
        derivation.end(self._pen, replaced, by=by)
        if not memories.is_durable(replaced):
            succession.bridge(self._pen, replaced.id)
        return replaced

    def set_visibility(self, memory: Memory, scopes: Sequence[str], *, by: str) -> Memory:
        """Give a memory another set of scopes; the content's version does not change."""
        derivation.hold(self._pen, memory, scopes)
        changed = memories.set_visibility(self._pen, memory, scopes, by=by)
        succession.bridge(self._pen, memory.id)
        if not {*memory.visibility} <= {*scopes}:
            derivation.narrow(self._pen, changed, by=by)
        return changed

    def set_state(self, memory: Memory, state: State, *, by: str) -> None:
        """Move a memory to another state; leaving "active" takes it out of the index."""
        memories.set_state(self._pen, memory, state, by=by)
        if state == "deleted" and memory.state != "archived":
            derivation.remove(self._pen, memory, by=by)

    def link(
        self, source_id: str, target_id: str, *, relation: str, weight: float, by: str
    ) -> Link:
        """Link two memories; the link that *by* has made so already gets the *weight*."""
        if relation != derivation.DERIVED_FROM:
            return links.put(
                self._pen, source_id, target_id, relation=relation, weight=weight, by=by
            )
        return derivation.link(self._pen, source_id, target_id, weight=weight, by=by)

    def unlink(self, source_id: str, target_id: str, *, relation: str | None, by: str) -> int:
        """Unlink what *by* linked, of one relation or of all; return how many links that was."""
        return links.cut(self._pen, source_id, target_id, relation=relation, by=by)

    def put_vector(self, memory_id: str, content: str, *, model: str, vector: bytes) -> bool:
        """Write the vector of an active memory; False when it says another thing than *content*."""
        return vectors.put(self._pen, memory_id, content, model=model, vector=vector)

    def put_payload(self, memory_id: str, packed: Packed) -> None:
        """Make a memory the handle of a payload, unless it is one already."""
        payloads.put(self._pen, memory_id, packed)

    def erase(self, ids: Sequence[str], *, by: str, remember: bool = False) -> Erased:
        """Erase memories with all that is kept of them; tombstones of their ids remain."""
        for memory_id in ids:
            succession.bridge(self._pen, memory_id)
        return erasure.erase(self._pen, ids, by=by, remember=remember)

    def erase_agent(self, agent: str) -> Erased:
        """Erase the profile and the links of an agent that owns no memory; its name, if it may."""
        return erasure.erase_agent(self._pen, agent)

    def apply_tombstones(self, tombstones: Tombstones, *, by: str) -> list[str]:
        """Erase what another store forgot, by id and by digest, and return the ids."""
        erased = erasure.apply_tombstones(self._pen, tombstones, by=by)
        rejections.take_over(self._pen, tombstones, by=by)
        return erased

    def reject(self, memory: Memory, *, by: str) -> list[str]:
        """Mark what a memory says as wrong; return the ids of all that said so, it first."""
        return rejections.reject(self._pen, memory, by=by)

    def lift(self, draft: Draft) -> bool:
        """Let what *draft* says be added again; False when it was not rejected."""
        return rejections.lift(self._pen, draft)

    def count_recall(self, ids: Sequence[str], *, helped: bool) -> None:
        """Count that each memory was recalled, and whether it helped; its version stays."""
        memories.count_recall(self._pen, ids, helped=helped)

    def recall_together(self, pairs: Sequence[tuple[str, str]], *, by: str, helped: bool) -> None:
        """Strengthen the links that recalling made *by* an agent, or weaken them."""
        co_recall.recall_together(self._pen, pairs, by=by, helped=helped)

    def doubt(self, memory: Memory, confidence: float, *, by: str) -> None:
        """Give a memory a lesser confidence, and keep what it had; it becomes no fresher by it."""
        memories.doubt(self._pen, memory, confidence, by=by)

    def save_profile(self, profile: RecallProfile) -> None:
        """Save the recall profile of its agent, in place of the one before."""
        profiles.put(self._pen, profile)

    def supersede(self, newer_id: str, older_id: str, *, by: str) -> None:
        """Let one memory take the place of another, which *by* owns."""
        succession.supersede(self._pen, newer_id, older_id, by=by)

    def renew(self, document: Memory, *, by: str) -> Memory:
        """Write a scene or a persona over its row; what it said before is not kept."""
        from agent_memory_os.store.sqlite import documents

        return documents.renew(self._pen, document, by=by)

    def absorb(self, united: Memory, other: Memory, *, by: str) -> Memory:
        """Let a memory take in another one; *united* is what it is with that."""
        return consolidation.absorb(self._pen, united, other, by=by)

    def release(self, memory_id: str, other_id: str) -> None:
        """Take from a memory what `absorb` added to it, but for its fields."""
        consolidation.release(self._pen, memory_id, other_id)

    def follow(self, concept_id: str, *, owner: str) -> None:
        """Let what takes the place of a source of a concept of *owner* take its place too."""
        consolidation.follow(self._pen, concept_id, owner=owner)

    def reinstate(self, newer_id: str, older_id: str, *, by: str) -> bool:
        """Take back that one memory took the place of another; False when *by* never said so."""
        return succession.reinstate(self._pen, newer_id, older_id, by=by)

    def revive(self, memory: Memory, *, by: str) -> Memory:
        """Bring a memory that was deleted or rejected back, and return it restamped."""
        return revival.revive(self._pen, memory, by=by)

    def unarchive(self, memory_id: str, *, by: str) -> Memory:
        """Bring an archived memory back to what it was, and return it."""
        return retention.unarchive(self._pen, memory_id, by=by)

    def trim(self, *, most: int) -> Mapping[str, int]:
        """Drop the oldest of the `surplus`, *most* of each kind, and return how many went."""
        return retention.trim(self._pen, most=most)

    def keyed(self, owner: str, subject: str | None, key: str) -> Memory | None:
        """Return the active memory of that name, if any."""
        return memories.keyed(self._pen, owner, subject, key)

    def first_receipt(self, owner: str, idempotency_key: str) -> FirstReceipt | None:
        """Return what was answered to that key, if it was used."""
        return memories.first_receipt(self._pen, owner, idempotency_key)

    def keep_receipt(self, owner: str, idempotency_key: str, receipt: FirstReceipt) -> None:
        """Remember what was answered to that key."""
        journal.keep_receipt(self._pen, owner, idempotency_key, receipt)

    def first_receipts(self, owner: str, keys: Sequence[str]) -> dict[str, FirstReceipt]:
        """Return what was answered to those of *keys* that were used, by key."""
        return captures.first_receipts(self._pen, owner, keys)

    def keep_receipts(self, owner: str, receipts: Mapping[str, FirstReceipt]) -> None:
        """Remember what was answered to each key."""
        captures.keep_receipts(self._pen, owner, receipts)

    def are_distilled(self, memory_ids: Sequence[str]) -> bool:
        """Return whether some of these events were distilled."""
        return undistilled.are_distilled(self._pen, memory_ids)

    def mark_distilled(self, memory_ids: Sequence[str]) -> None:
        """Say of events that they were distilled."""
        undistilled.mark(self._pen, memory_ids)

    def owe(self, owner: str, key: str, memory_id: str) -> None:
        """Keep that something is still to be done, for the sake of a memory."""
        debts.owe(self._pen, owner, key, memory_id)

    def settle(self, owner: str, key: str, memory_id: str) -> None:
        """Strike out a debt, unless it is there for the sake of another memory by now."""
        debts.settle(self._pen, owner, key, memory_id)

    def last_key(self, owner: str, prefix: str) -> str | None:
        """Return the last of the used keys that begin with *prefix*, in order of characters."""
        return captures.last_key(self._pen, owner, prefix)

    def register_agent(self, agent: str, kind: str | None) -> None:
        """Register an agent, or change its kind."""
        orgs.register_agent(self._pen, agent, kind)

    def create_team(self, team: str) -> None:
        """Create a team that does not exist."""
        orgs.create_team(self._pen, team)

    def create_project(self, project: str, team: str) -> None:
        """Create a project that does not exist, of a team that does."""
        orgs.create_project(self._pen, project, team)

    def add_member(self, scope: str, agent: str, *, declared: bool = False) -> bool:
        """Let an agent hold a scope, by hand or as *declared*; False when it did already."""
        return orgs.add_member(self._pen, scope, agent, declared=declared)

    def remove_member(self, scope: str, agent: str) -> bool:
        """Take a scope, and a team's projects with it, from an agent; False when it had none."""
        return orgs.remove_member(self._pen, scope, agent)

    def declare_agent(self, agent: str, kind: str | None) -> None:
        """Say that the fleet file lists an agent, with a *kind* or without."""
        orgs.declare_agent(self._pen, agent, kind)

    def withdraw_agent(self, agent: str) -> None:
        """Say that the fleet file lists an agent no more; what was given by hand stays."""
        orgs.withdraw_agent(self._pen, agent)

    def keep_fleet(self, digest: str) -> None:
        """Remember which fleet file was applied."""
        orgs.keep_fleet(self._pen, digest)

    def delete_scope(self, scope: str) -> None:
        """Delete a team with its projects, or a project, for good; the name may be used again."""
        orgs.delete_scope(self._pen, scope)

    def record(self, by: str, action: str, target: str, detail: Mapping[str, JSON]) -> None:
        """Write an entry of the audit."""
        journal.record(self._pen, by, action, target, detail)


class SqliteStore:
    """A store at *path*, or in memory for ``":memory:"``; created or migrated when opened."""

    def __init__(
        self,
        path: str,
        *,
        settings: Settings,
        clock: Clock,
        entropy: Callable[[int], int] | None = None,
        steps: Sequence[schema.Step] | None = None,
        file_system: place.FileSystem = place.file_system,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._steps = schema.STEPS if steps is None else steps
        # Our own generator: a host that seeds `random` must not make our ids repeat.
        self._entropy = entropy or random.SystemRandom().getrandbits
        self._stamper = Stamper()
        self.connections = Connections(
            path,
            settings,
            node=f"{self._entropy(32):08x}",
            steps=self._steps,
            file_system=file_system,
            meanwhile=rivals.load_rules,
        )
        self.path = self.connections.path

    def read(self) -> AbstractContextManager[contract.Snapshot]:
        """Open a snapshot."""
        return self.connections.read(self._snapshot)

    def _snapshot(self, db: Connection) -> SqliteSnapshot:
        return SqliteSnapshot(self._line(db))

    def _line(self, db: Connection) -> Line:
        named.refresh(db, db.names)
        return Line(db, db.names, self._settings)

    def write(
        self, *, bulk: bool = False, dry_run: bool = False
    ) -> AbstractContextManager[contract.Transaction]:
        """Open a transaction; with *dry_run* nothing of it is kept."""
        return _Writing(self, SqliteTransaction, bulk=bulk, dry_run=dry_run)

    def begin(self) -> Pen:
        """Begin a write transaction; `end` must follow."""
        db = self.connections.begin_write()
        try:
            named.refresh(db, db.names)
            now_ms = self._clock.now_ms()
            return Pen(db, db.names, self._settings, now_ms, self._stamper, self._entropy)
        except BaseException:
            self.connections.end_write(db, used_up=False)
            raise

    def end(self, pen: Pen, *, commit: bool, used_up: bool) -> None:
        """Commit all of it, or none."""
        db = cast("Connection", pen.db)
        committed = False
        try:
            if commit:
                if pen.touched:
                    _settle(pen)
                pen.tally.write(db)
                _index(pen, bulk=used_up)
                db.execute("COMMIT")
                committed = True
        finally:
            if committed:
                named.keep(db, pen.names)
            else:
                pen.names.forget()  # it may know names that are rolled back
            self.connections.end_write(db, used_up=used_up)

    def traits(self) -> contract.StoreTraits:
        """Return what the store is, and what it can do; it looks at next to nothing."""
        path = None if self.connections.in_memory else self.path
        with self.connections.read(lambda db: db) as db:
            return traits.traits(db, path=path, read_only=self.connections.read_only)

    def purge(self, erased: Sequence[Erased], *, patience_ms: int) -> str:
        """Remove the bytes of what was *erased*; return why some are left, if some are."""
        ids = [each.order for each in erased]
        deadline = time.monotonic() + patience_ms / 1_000
        with self._translated():
            if not self._merge(ids, deadline):
                return purge.INDEX_LEFT
            if not self._truncate_log():
                return purge.LOG_LEFT
            if self._keeps_fragments(erased):
                if self._size() > purge.MOST_REWRITTEN:
                    return purge.FRAGMENTS_LEFT
                self.connections.rewrite()
                if not self._truncate_log():
                    return purge.LOG_LEFT
        return self._end_purge(ids)

    def purge_all(self) -> str:
        """Remove the bytes of all that was erased; return why some are left, if some are."""
        with self._translated():
            with self.connections.read(purge.every) as ids:
                pass  # what follows needs the connection out of its snapshot
            if not ids:
                return ""
            self._merge(ids, math.inf)
            self.connections.rewrite()
            if not self._truncate_log():
                return purge.LOG_LEFT
        return self._end_purge(ids)

    def _merge(self, ids: Sequence[int], deadline: float) -> bool:
        """Rewrite the word index until it has no entry of the erasures *ids*; False if too late."""
        while True:
            with self.connections.read(lambda db: purge.stage(db, ids)) as stage:
                pass
            if stage is None or stage == purge.MERGED:
                return True
            if time.monotonic() >= deadline:
                return False
            with _Writing(self, lambda pen: pen, bulk=False) as pen:
                purge.step(pen.db)

    def _truncate_log(self) -> bool:
        """Empty the log; False when others do not let go of it for a while."""
        deadline = time.monotonic() + purge.LOG_WAIT_S
        while not self.connections.truncate_log():
            if time.monotonic() >= deadline:
                return False
            time.sleep(random.uniform(0.001, 0.01))
        return True

    def _keeps_fragments(self, erased: Sequence[Erased]) -> bool:
        texts = [text for each in erased for text in (*each.texts, *each.terms)]
        marks = [mark for each in erased for mark in each.marks]
        with self.connections.read(lambda db: db) as db:
            return pages.keep(pages.blocks(db, self._file()), texts, marks)

    def _end_purge(self, ids: Sequence[int]) -> str:
        with _Writing(self, lambda pen: pen, bulk=False) as pen:
            purge.end(pen.db, ids)
        return ""

    def _file(self) -> str | None:
        return None if self.connections.in_memory else self.path

    def _size(self) -> int:
        return 0 if self.connections.in_memory else os.path.getsize(self.path)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise translate(error, self.path) from error

    def probe(self, erased: Sequence[Erased]) -> dict[str, int]:
        """Return how many traces are left of what was erased, by where they were looked for."""
        with self.connections.read(self._line) as line:
            return probe.probe(line, self._file(), erased)

    def check(self) -> list[Finding]:
        """Return every broken invariant; empty when the store is sound."""
        with self.connections.read(named.pin) as db:
            return invariants.check(Line(db, db.names, self._settings))

    def repair(self, *, dry_run: bool) -> Repair:
        """Mend what `check` finds, as far as it can be; with *dry_run* say what would be done."""
        found = self.check()
        mends = mend.plan(found)
        done = [each.says for each in mends]
        if dry_run:
            left = [each for each in found if not mend.is_mendable(each)]
            done += [mend.REWRITE] * mend.has_waste(found)
            return Repair(tuple(found), tuple(done), tuple(left), dry_run=True)
        done = [each.says for each in mends if self._mended(each.act)]
        left = self.check()
        if mend.has_waste(left):
            with self._translated():
                self.connections.rewrite()
            done.append(mend.REWRITE)
            left = self.check()
        return Repair(tuple(found), tuple(done), mend.given_up(left), dry_run=False)

    def _mended(self, act: Callable[[Pen, invariants.Torn | None], object]) -> bool:
        """Do one thing for the soundness of the file; False when damage is in the way."""
        try:
            self._renewed(act)
        except StoreCorrupt:
            return False
        return True

    def _renewed(self, act: Callable[[Pen, invariants.Torn | None], T]) -> T:
        """Return what *act* does in a transaction; what it cannot drop it tears out in another."""
        try:
            with _Writing(self, lambda pen: pen, bulk=True) as pen:
                return act(pen, None)
        except StoreCorrupt:
            with self.connections.read(invariants.torn) as torn:
                pass
        with _Writing(self, lambda pen: pen, bulk=True) as pen:
            return act(pen, torn)

    def backup(self, where: str, *, keep: int | None, tell: Progress | None = None) -> Backup:
        """Copy the store as it is now into a file of its own, which is checked."""
        store, wait_ms = self._file(), self._settings.busy_wait_ms
        with backup.translated(where):
            goal = backup.target(where, store=store, now_ms=self._clock.now_ms(), keep=keep)
            backup.sweep(goal)
            with backup.drafted(goal, store) as draft:
                with self.connections.read(named.pin) as db:
                    node = backup.fill(db, draft, tell=tell, wait_ms=wait_ms)
                found = backup.finish(draft, self.path, self._settings)
                path = backup.publish(draft, goal)
            removed: tuple[str, ...] = ()
            if keep is not None:
                removed = backup.rotate(path, goal, keep=keep, node=node, store=store)
        return found.backup(path, removed)

    def restore_backup(
        self, path: str, *, force: bool, by: str, tell: Progress | None = None
    ) -> Restored:
        """Put a backup in the place of all that the store holds, at once."""
        path = os.path.abspath(path)
        self.connections.refuse_read_only()
        with restore.staged(path, self._file(), self._steps) as stage, self._translated():
            found = restore.look_through(stage.db, path, self._settings)
            if found:
                self._rebuild_stage(stage.db)
            with self._staging(stage.db) as pen:
                journal.record(pen, by, "restore backup", path, {})
            kept = restore.replace(
                self.connections,
                stage.db,
                self._staging,
                restore.Wish(self._settings, by, force, tell),
            )
            (held,) = stage.db.execute(backup.ACTIVE).fetchone()
            (pending,) = stage.db.execute(restore.PENDING).fetchone()
        # It is done: who is in the way of this hinders nothing but this.
        try:
            left = self.purge_all() if pending else ""
            self.connections.truncate_log()
        except StoreBusy as error:
            left = str(error) if pending else ""
        deleted, forgotten = kept or (None, None)
        return Restored(path, held, stage.version, deleted, forgotten, found, left)

    def _rebuild_stage(self, db: Connection) -> None:
        try:
            with self._staging(db) as pen:
                invariants.rebuild(pen)
        except sqlite3.DatabaseError as error:
            if schema.is_stopped(error):
                raise
            torn = invariants.torn(db)
            with self._staging(db) as pen:
                invariants.rebuild(pen, torn=torn)
            db.execute("VACUUM")

    @contextmanager
    def _staging(self, db: Connection) -> Iterator[Pen]:
        """Write to a database that is not the store's own yet; all of it commits, or none."""
        db.execute("BEGIN IMMEDIATE")
        try:
            named.refresh(db, db.names)
            now_ms = self._clock.now_ms()
            pen = Pen(db, db.names, self._settings, now_ms, self._stamper, self._entropy)
            yield pen
            _settle(pen)
            pen.tally.write(db)
            _index(pen)
            db.execute("COMMIT")
        finally:
            db.names.forget()
            if db.in_transaction:
                db.execute("ROLLBACK")

    def rebuild_indexes(self, tell: Progress | None = None) -> int:
        """Make every disposable index anew, and return how many memories are in it."""
        return self._renewed(lambda pen, torn: invariants.rebuild(pen, tell, torn=torn))

    def close(self) -> None:
        """Let go of the store; idempotent."""
        self.connections.close()


def _settle(pen: Pen) -> None:
    from agent_memory_os.store.sqlite import documents  # most writes change nothing that is told of

    documents.settle(pen)


def _index(pen: Pen, *, bulk: bool = False) -> None:
    """End what was begun in the word index, if it was; a *bulk* load then leaves none to wait."""
    if pen.has_taken_in:
        if bulk:
            tail.take_in(pen)
        vocabulary.learn(pen.db, pen.new_words)
        tail.note_end(pen)


class _Writing(AbstractContextManager[T]):
    """A write transaction as a context manager; written out, since every add passes through it."""

    __slots__ = ("_bulk", "_dry_run", "_pen", "_store", "_use")

    def __init__(
        self, store: SqliteStore, use: Callable[[Pen], T], *, bulk: bool, dry_run: bool = False
    ) -> None:
        self._store, self._use, self._bulk, self._dry_run = store, use, bulk, dry_run

    def __enter__(self) -> T:
        try:
            self._pen = self._store.begin()
        except sqlite3.Error as error:
            raise translate(error, self._store.path) from error
        return self._use(self._pen)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            is_kept = error is None and not self._dry_run
            self._store.end(self._pen, commit=is_kept, used_up=self._bulk)
        except sqlite3.Error as failed:
            raise translate(failed, self._store.path) from failed
        if isinstance(error, sqlite3.Error):
            raise translate(error, self._store.path) from error
