"""What a store does, on one page; it says nothing of how."""

# A store hands out snapshots to read from and transactions to write in. Every read for a user
# takes a `Visibility` and returns only what that may see; nothing else decides what is seen. Ids
# are those of the memories: row numbers, SQL and error classes of a store stay inside.

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from agent_memory_os.model import (
    JSON,
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
    Verdict,
    Visibility,
)
from agent_memory_os.noun import Noun
from agent_memory_os.pure.concept import Concept
from agent_memory_os.pure.due import Pending
from agent_memory_os.pure.fleet import Fleet
from agent_memory_os.pure.layer import Partition
from agent_memory_os.pure.packing import Packed
from agent_memory_os.pure.retention import Ageing
from agent_memory_os.pure.text import Query
from agent_memory_os.settings import Settings


class Found(NamedTuple):
    """What is needed of a visible memory to score it.

    terms are its analysed text (`pure.stored`); actor and subject are ``kind:name`` or None; asks
    says that its content ends with a question mark, in_session that it belongs to a session.
    """

    id: str
    terms: str
    actor: str | None
    subject: str | None
    occurred_ms: int
    asks: bool
    in_session: bool


class Matches(Noun):
    """The visible memories that share a term with a query, and what is needed to score them.

    Attributes:
        found: the memories, in no order that means anything.
        rows: how many durable memories the reader sees; those with an end do not count.
        mean_terms: their mean length in terms; 0 when there are none.
        frequencies: how many visible memories hold each term, where there were more matches than
            the budget and the store chose; None when these are all of them.
    """

    found: Sequence[Found]
    rows: int
    mean_terms: float
    frequencies: Mapping[str, float] | None = None


class FirstReceipt(Noun):
    """What was answered to an idempotency key: to which call, and with what."""

    digest: str
    memory: Memory
    verdict: Verdict
    why: str


class Cascade(Noun):
    """What an erasure takes along.

    ids: what was named, what was derived from it alone and, if wanted, the events that served it
        alone; any order.
    bereft: what was derived from it and from something else too, and so stays.
    """

    ids: Sequence[str]
    bereft: Sequence[str]


class Erased(Noun):
    """What was erased.

    Attributes:
        counts: rows that went, by what kept them.
        texts: every text that the store held of it, as it held it.
        terms: the index terms that stood for it.
        marks: bytes that stood for it and for nothing that is left, such as digests.
        order: its number among the erasures whose bytes are removed.
    """

    counts: Mapping[str, int]
    texts: Sequence[str]
    terms: frozenset[str]
    marks: Sequence[bytes]
    order: int


class Tombstone(NamedTuple):
    """A memory that was forgotten, when, and a digest of what it said, if that was wanted."""

    id: str
    forgotten_ms: int
    digest: str | None


class Rejection(Noun):
    """A memory that was rejected, when it left recall, and a digest of what it said."""

    id: str
    rejected_ms: int
    digest: str


class Tombstones(Noun):
    """What one store forgot and *rejected*, for another; the digests are by the *secret*."""

    secret: str
    found: Sequence[Tombstone]
    rejected: Sequence[Rejection] = ()


class CoRecalled(Noun):
    """Memories that are recalled together, and where to go on looking for more.

    pairs: two ids and the weight of their link, 0 to 1, each pair once.
    after: the last id that was looked at; None when there are no more.
    """

    pairs: Sequence[tuple[str, str, float]]
    after: str | None


class StoreTraits(Noun):
    """What a store is, and what it can do where it stands.

    Attributes:
        engine: what keeps the memories, with its version.
        schema: version of the form in which they are kept.
        path: where; None when they are gone with the process.
        read_only: whether nothing can be written.
        journal: how a write is made safe, in the words of the engine.
        supports: fts5 (the engine has a word index), words (the one of this store answers), json
            (conditions on metadata), vectors (it keeps some), migration (an older file could be
            brought forward).
    """

    engine: str
    schema: int
    path: str | None
    read_only: bool
    journal: str
    supports: Mapping[str, bool]


class VectorEngine(Protocol):
    """Vectors of one model in memory, under numbers that a store gives them.

    It proposes which are near, and may err; what they are like is measured on the vectors that the
    store reads.
    """

    @property
    def surplus(self) -> int:
        """Return how many times as many must be proposed as are wanted, for it may err."""
        ...

    def __len__(self) -> int:
        """Return how many vectors it holds."""
        ...

    def __contains__(self, number: object) -> bool:
        """Return whether it holds a vector of that number."""
        ...

    def put(self, numbers: Sequence[int], vectors: Sequence[bytes]) -> None:
        """Take vectors, each in place of one of the same number."""
        ...

    def drop(self, numbers: Iterable[int]) -> None:
        """Let go of those of *numbers* that it holds."""
        ...

    def clear(self) -> None:
        """Let go of all that it holds."""
        ...

    def nearest(self, asked: bytes, most: int, among: Sequence[int] | None = None) -> Sequence[int]:
        """Return the *most* numbers nearest to a vector, or nearly so, the best first.

        Of those *among* which it shall look, all of which it holds; of all when None.
        """
        ...

    def alike(self, asked: bytes, vectors: Sequence[bytes]) -> Sequence[float]:
        """Return how alike a vector is to each of some others, exactly; 1 is the most."""
        ...


@dataclass(slots=True)
class VectorCache:
    """What one process holds of the vectors of a store; filled and asked by the store alone.

    Attributes:
        engine: holds the vectors.
        turn: is held by the one thread that uses it.
        mark: how much of the store is in it, in numbers of the store; zeros when nothing is.
    """

    engine: VectorEngine
    turn: AbstractContextManager[object]
    mark: tuple[int, int, int] = (0, 0, 0)


class Asked(Noun):
    """A query as a vector.

    Attributes:
        model: fingerprint of the model that made it.
        vector: as `pure.embedding` keeps it; of hashed pieces, a signature.
        cache: where vectors are looked up; None when they are made for each search.
    """

    model: str
    vector: bytes
    cache: VectorCache | None


class Near(Noun):
    """A visible memory, how alike it is to a query, and whether it is a turn of a session."""

    id: str
    alike: float
    is_turn: bool


class Nearest(Noun):
    """The visible memories most alike to a query, of those that have a vector of its model.

    Attributes:
        found: the memories, the best first, ties by id.
        sample: how alike it is to the visible memories that were written last.
        sampled: how many those are, with a vector and without.
    """

    found: Sequence[Near]
    sample: Sequence[float]
    sampled: int


class Payload(Noun):
    """What a memory is the handle of.

    Attributes:
        digest: SHA-256 of all of its bytes, hexadecimal.
        size_bytes: how many there are.
        chars: how many characters, if it was put as a text; else None.
        data: those of its bytes that were asked for.
    """

    digest: str
    size_bytes: int
    chars: int | None
    data: bytes


class Unembedded(Noun):
    """A memory without a vector."""

    id: str
    content: str


class Witness(Noun):
    """A model, and the content and vector of one memory, if there is one, that tell what it is."""

    model: str
    content: str | None
    vector: bytes | None


class Place(Noun):
    """Where values of attributes stand: a subject or None, and an entity; None is the subject."""

    subject: str | None
    entity: str | None


class Held(Noun):
    """What a place has: how many attributes or memories, and when the last one changed."""

    place: Place
    holds: int
    updated_ms: int


class Snapshot(Protocol):
    """One unchanging state of the store."""

    def matches(self, query: Query, visibility: Visibility, filters: Filters) -> Matches:
        """Return what shares a term with *query*, up to the budget of the settings."""
        ...

    def alike(
        self, asked: Mapping[str, str], visibility: Visibility, filters: Filters
    ) -> Mapping[str, Sequence[tuple[str, float]]]:
        """Return for each term that no visible memory holds the visible terms most alike.

        *asked* gives for each term the word as it was spelt. Likeness is from 0 to 1, the best
        first; of the filters only the subject narrows. A term that is held is not in the answer.
        """
        ...

    def documents(
        self, visibility: Visibility, filters: Filters, *, most: int
    ) -> Sequence[tuple[str, str]] | None:
        """Return the id and the analysed text of all visible memories that pass the filters.

        None when the reader sees more than *most*, whatever the filters leave of them.
        """
        ...

    def nearest(
        self, asked: Asked, visibility: Visibility, filters: Filters, *, most: int, sample: int
    ) -> Nearest:
        """Return the *most* visible memories that pass the filters most alike to a vector.

        The cache of *asked* is brought to this snapshot first. *sample* says how many of the last
        written are compared as well, whatever the filters say.
        """
        ...

    def alikeness(
        self, asked: Asked, ids: Sequence[str], visibility: Visibility
    ) -> Mapping[str, float]:
        """Return how alike those of *ids* are that pass the gate and have a vector."""
        ...

    def unembedded(
        self, model: str, *, now_ms: int, after: str | None, most: int
    ) -> Sequence[Unembedded]:
        """Return *most* active memories without a vector of *model*, whoever owns them.

        In the order of writing, from the one *after* that id on; what has expired is left out.
        """
        ...

    def embedded(self, model: str, *, now_ms: int) -> tuple[int, int]:
        """Return how many active memories have a vector of *model*, and how many have none."""
        ...

    def witnesses(self, name: str, size: int) -> Sequence[Witness]:
        """Return a witness of each model that had that name, and vectors of that size."""
        ...

    def surroundings(
        self, ids: Sequence[str], visibility: Visibility, *, width: int
    ) -> Mapping[str, Sequence[Found]]:
        """Return for each of *ids* that is in a session the run of turns around it.

        At most *width* before and after it, in order, itself included; visible ones of the same
        session, owner, audience and subject alone.
        """
        ...

    def read(
        self, ids: Sequence[str], visibility: Visibility, filters: Filters = ...
    ) -> list[Memory]:
        """Return those of *ids* that pass the gate and the filters, in no order, each once."""
        ...

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
        ...

    def passing(
        self, ids: Sequence[str], visibility: Visibility, filters: Filters = ...
    ) -> set[str]:
        """Return those of *ids* that `read` would return the memories of."""
        ...

    def steps(
        self,
        ids: Sequence[str],
        visibility: Visibility,
        *,
        relations: Sequence[str] = ...,
        most: int,
    ) -> list[Step]:
        """Return the steps from *ids* over links whose both ends pass the gate.

        Links are walked along their arrow and against it: from each memory the heaviest *most*
        that somebody made, of equal ones those to the newest memories, and as many that recalling
        made. The weights are what is left of them. *relations* narrows, unless it is empty.
        """
        ...

    def fans(
        self,
        ids: Sequence[str],
        visibility: Visibility,
        *,
        most: int,
        looked_at: int,
        recalled: bool = False,
    ) -> Mapping[str, Mapping[str, float]]:
        """Return the neighbours of each of *ids* that has any, and the weight that leads there.

        As `steps`, but over links that recalling made if *recalled*, else over the others; and of
        each memory not all are looked at: first the heaviest as they were written, twice as many
        as are kept, and where the reader may see too few of them *looked_at* more in all.
        """
        ...

    def co_recalled(self, *, now_ms: int, least: float, after: str, most: int) -> CoRecalled:
        """Return memories that are recalled together, of whatever owner, in pairs.

        Both are in sight (see `in_sight`), and of one owner, audience and subject, of which no
        scope was deleted: whoever sees one sees the other.
        Of their links that recalling made the heaviest counts, if *least* or more is left of it.
        The next *most* memories are looked at, by id, from the one *after* that id on; "" is
        before all of them.
        """
        ...

    def repeated(self) -> Sequence[int]:
        """Return what tells apart the statements that more than one memory makes, in any state."""
        ...

    def twins(
        self, statements: Sequence[int], *, now_ms: int, owner: str | None, subject: str | None
    ) -> Sequence[Sequence[str]]:
        """Return groups of active memories that make one of the `repeated` *statements*.

        Those of a group have one owner, audience and subject, one type, layer, entity and
        attribute, and no end; the oldest first. Of an *owner* or a *subject* alone, unless None.
        """
        ...

    def apart(self, memory_id: str, others: Sequence[str]) -> set[str]:
        """Return those of *others* that their owner holds apart from a memory.

        One rests on the other ("derived_from"), or it was said that they are distinct.
        """
        ...

    def concepts(self, *, now_ms: int, owner: str | None, subject: str | None) -> Sequence[Concept]:
        """Return the concepts in recall that were made of what is recalled together, by id.

        Of an *owner* or a *subject* alone, unless None.
        """
        ...

    def was_named(self, source_id: str, key: str) -> bool:
        """Return whether a memory of that name, derived from the source, is active or deleted."""
        ...

    def in_sight(self, ids: Iterable[str], *, now_ms: int) -> set[str]:
        """Return those of *ids* that are in recall for some who see all that goes with them.

        What is superseded is so unless what takes its place has its owner, audience and subject.
        """
        ...

    def links(self, source_id: str, target_id: str) -> list[Link]:
        """Return the links from one memory to another, both of which the caller was shown."""
        ...

    def rivals(self, draft: Draft, visibility: Visibility, *, counted: bool = True) -> list[Memory]:
        """Return visible memories of the same subject that *draft* may have to do with.

        They say the same, are about the same topic, or say what the draft tells to have changed;
        the newest first. Of an event there are none. Without *counted* those may be left out that
        the rules surely find unrelated, being alike but for numbers.
        """
        ...

    def rejected(self, draft: Draft) -> Memory | None:
        """Return what the owner of *draft* rejected that said the same of its subject, if anything.

        It is in the state "deleted". Where it was forgotten since, it has its id and the words of
        the draft. An event was never rejected.
        """
        ...

    def successions(self, memory_id: str, *, by: str) -> list[Link]:
        """Return the links by which *by* says that a memory took the place of its own, in order."""
        ...

    def marks(self, ids: Sequence[str], visibility: Visibility) -> Mapping[str, Sequence[Mark]]:
        """Return the marks of those of *ids* that have any; the caller was shown these."""
        ...

    def evidence(
        self, ids: Sequence[str], visibility: Visibility, *, up: bool, most: int
    ) -> Sequence[tuple[str, Memory]]:
        """Return what each of *ids* rests on, or with *up* what rests on it; at most *most* pairs.

        What passes the gate, beside the one that it was reached from: in the order of these, and of
        each by when it happened. A memory rests on what its own owner says that it was derived
        from, and the caller was shown the *ids*.
        """
        ...

    def derivations(
        self, derived: Sequence[str], sources: Sequence[str]
    ) -> Sequence[tuple[str, str]]:
        """Return which of *derived* was derived from which of *sources*; all were shown."""
        ...

    def sessions(
        self, visibility: Visibility, *, session: str | None, subject: str | None, limit: int
    ) -> Sequence[Session]:
        """Return the sessions that the reader sees an event of, the last written to first.

        Of one *session*, or of those with events about a *subject*, alone.
        """
        ...

    def events(
        self,
        visibility: Visibility,
        filters: Filters,
        *,
        session: str | None,
        around: str | int | None,
        limit: int,
    ) -> list[Memory]:
        """Return visible events that pass the filters in their order: the last *limit* of them.

        Of a *session* that is the order of insertion, else that of time. With *around* as many
        around a memory that the caller was shown, or around a moment. Ends of sessions are none.
        """
        ...

    def partitions(self, owner: str, *, subject: str | None, apart: bool) -> Sequence[Partition]:
        """Return the partitions that an owner has memories in; with *apart* those of one subject.

        Apart, a subject of None is that of what is about nobody; else it is any.
        """
        ...

    def unplaced(
        self, partition: Partition, *, now_ms: int, after: str, most: int
    ) -> Sequence[Memory]:
        """Return the next *most* atoms of a partition that no scene of it was made of, in order.

        Beyond the atom *after* ("" for the first). Not those with an end, nor what was replaced for
        all who see the partition; a scene that was deleted counts as well.
        """
        ...

    def telling(
        self, partition: Partition, *, types: Sequence[str], now_ms: int, most: int
    ) -> Sequence[Memory]:
        """Return the last *most* atoms of *types* that a persona may tell of a partition.

        As in `unplaced`, but for those of which a persona was made that was deleted.
        """
        ...

    def organised_of(self, partition: Partition, *, layer: int, most: int) -> Sequence[Memory]:
        """Return the scenes or personas of a partition, the last made first."""
        ...

    def members(
        self, partition: Partition, ids: Sequence[str], *, now_ms: int
    ) -> Sequence[tuple[str, Memory]]:
        """Return what each of the scenes or personas *ids* was made of, as `unplaced` has it."""
        ...

    def organised(
        self, visibility: Visibility, *, layer: int, subject: str | None, apart: bool, most: int
    ) -> Sequence[Memory]:
        """Return the scenes or personas that a reader sees, the last made first.

        With *apart* those about a subject, or about nobody in particular for None.
        """
        ...

    def values(
        self, place: Place, attribute: str, visibility: Visibility, *, most: int
    ) -> Sequence[Memory]:
        """Return the visible values of an attribute at a place, the last that was told first."""
        ...

    def values_ever(
        self, place: Place, attribute: str, visibility: Visibility, *, most: int
    ) -> Sequence[Memory]:
        """Return the values that hold or have held, whatever took their place, last told first."""
        ...

    def attributes(self, place: Place, visibility: Visibility, *, most: int) -> Sequence[Memory]:
        """Return of each attribute at a place the visible value told last, by attribute."""
        ...

    def called(self, name: str, subject: str | None, visibility: Visibility) -> Sequence[str]:
        """Return the entities ``kind:name`` of that name that have a visible value, sorted."""
        ...

    def entities(
        self, visibility: Visibility, filters: Filters, *, kind: str | None, limit: int
    ) -> Sequence[Held]:
        """Return what has visible values that pass the filters, the last written to first."""
        ...

    def subjects(self, visibility: Visibility, filters: Filters, *, limit: int) -> Sequence[Held]:
        """Return whom the visible memories that pass are about, the last written to first."""
        ...

    def named_so(self, name: str, visibility: Visibility) -> Sequence[str]:
        """Return the subjects ``kind:name`` of that name that a visible memory is about, sorted."""
        ...

    def undistilled(
        self,
        visibility: Visibility,
        *,
        session: str | None,
        subject: str | None,
        apart: bool,
        after: str,
        most: int,
    ) -> Sequence[Memory]:
        """Return the next *most* of the reader's own events that are not distilled yet.

        As they were inserted, beyond the event *after* ("" for the first). With *apart* None is no
        session, and no subject; else it is any. Ends of sessions are none.
        """
        ...

    def pending(self, visibility: Visibility, *, subject: str | None) -> Sequence[Pending]:
        """Return what of the reader's own events is not distilled, the longest waiting first.

        About a *subject*, or about anything. Its cost grows with what waits, and with nothing else.
        """
        ...

    def owed(self, owner: str, prefix: str) -> Mapping[str, str]:
        """Return the debts whose keys begin with *prefix*: for each key a memory's id."""
        ...

    def payload(
        self, memory_id: str, visibility: Visibility, *, start: int = 0, stop: int | None = None
    ) -> Payload | None:
        """Return what a visible memory is the handle of, with its bytes from *start* to *stop*.

        None when it is none, or there is no such memory that passes the gate.

        Raises:
            StoreCorrupt: the bytes are not those that were put.
        """
        ...

    def own_handles(self, digest: str, visibility: Visibility, *, is_text: bool) -> Sequence[str]:
        """Return the visible handles of the reader's own of a payload, by the digest of that."""
        ...

    def profile(self, agent: str) -> RecallProfile | None:
        """Return the recall profile that was last saved for an agent, if any."""
        ...

    def history(self, memory_id: str, visibility: Visibility) -> list[Change]:
        """Return what was replaced in a memory that passes the gate, oldest first."""
        ...

    def stats(self, visibility: Visibility) -> Stats:
        """Return counts of what the reader sees."""
        ...

    def knows(self, agent: str) -> bool:
        """Return whether the agent was ever registered, a member, an owner, or given something."""
        ...

    def takes_part(self, agent: str) -> bool:
        """Return whether the agent is registered, in a team, or an owner.

        That others gave it something does not count: it would tell of what they took back.
        """
        ...

    def holds(self, agent: str, scope: str) -> bool:
        """Return whether the agent is a member of a live team or project."""
        ...

    def agents(self) -> list[Agent]:
        """Return the agents that are registered or own something, by id."""
        ...

    def teams(self) -> list[Team]:
        """Return the teams that exist, by id."""
        ...

    def projects(self) -> list[Project]:
        """Return the projects that exist, by id."""
        ...

    def memberships(self, agent: str) -> list[str]:
        """Return the scopes that an agent holds by membership, sorted."""
        ...

    def every(self, *, subject: str | None = None, owner: str | None = None) -> list[str]:
        """Return the ids of all memories of a subject, or of an owner, in whatever state."""
        ...

    def cascade(self, ids: Sequence[str], *, evidence: bool, anybody: bool) -> Cascade:
        """Return what erasing *ids* takes along.

        A memory is derived from another if its owner linked it so ("derived_from"). *evidence*
        also takes events of the same owner, and with *anybody* those of any.
        """
        ...

    def saying(self, contents: Iterable[str], visibility: Visibility, *, most: int) -> set[str]:
        """Return visible memories that hold every word of one of *contents*, at most so many."""
        ...

    def tombstones(self) -> Tombstones:
        """Return what was forgotten here, and what was rejected."""
        ...

    def fleet(self) -> Fleet:
        """Return what the fleet file gave, as far as it holds still."""
        ...

    def fleet_digest(self) -> str:
        """Return the digest of the fleet file that was applied last; "" when there was none."""
        ...

    def ageing(self, *, after: str, most: int) -> list[Ageing]:
        """Return the next *most* memories that are not deleted, whoever owns them, by id.

        From the one *after* that id on; "" is before all of them.
        """
        ...

    def ageing_of(self, ids: Sequence[str]) -> list[Ageing]:
        """Return those of *ids* that there are, whoever owns them, each once, by id."""
        ...

    def surplus(self) -> Mapping[str, int]:
        """Return how many rows beside the memories are more than the settings keep, by what."""
        ...

    def audit(self, *, limit: int) -> list[AuditEntry]:
        """Return the last acts on rights and organisation, newest first."""
        ...


class Transaction(Snapshot, Protocol):
    """A snapshot that can be changed; all of it commits, or none.

    Attributes:
        now_ms: the one moment at which everything in it happens.
    """

    @property
    def now_ms(self) -> int:
        """Return the moment of the transaction, UTC milliseconds."""
        ...

    def insert(self, draft: Draft) -> Memory:
        """Write a new memory with its rights and index entries; return it as its owner sees it."""
        ...

    def replace(self, memory: Memory, *, by: str, kind: str, other: str | None = None) -> Memory:
        """Write *memory* over the row of its id, keep what it replaced; return it restamped.

        Owner, subject, visibility, session, key and birth stay as they are. *other* is the memory
        that is the reason for it.
        """
        ...

    def set_visibility(self, memory: Memory, scopes: Sequence[str], *, by: str) -> Memory:
        """Give a memory another set of scopes; the content's version does not change.

        What was derived from it loses the scopes that it loses.

        Raises:
            NotPermitted: something that it was derived from is shared with fewer.
        """
        ...

    def set_state(self, memory: Memory, state: State, *, by: str) -> None:
        """Move a memory to another state; leaving "active" takes it out of the index.

        With what is deleted goes what was derived from it alone, unless it was archived before.
        """
        ...

    def link(
        self, source_id: str, target_id: str, *, relation: str, weight: float, by: str
    ) -> Link:
        """Link two memories; the link that *by* has made so already gets the *weight*.

        What *by* owns and says to be "derived_from" another ends when that does.

        Raises:
            NotPermitted: it would be seen by some who do not see what it is derived from.
        """
        ...

    def unlink(self, source_id: str, target_id: str, *, relation: str | None, by: str) -> int:
        """Unlink what *by* linked, of one relation or of all; return how many links that was."""
        ...

    def put_vector(self, memory_id: str, content: str, *, model: str, vector: bytes) -> bool:
        """Write the vector of an active memory; False when it says another thing than *content*.

        A vector of another model gives way; with one of this *model* there is nothing to do, and
        the answer is False as well.
        """
        ...

    def put_payload(self, memory_id: str, packed: Packed) -> None:
        """Make a memory the handle of a payload, unless it is one already.

        Equal bytes of one owner and subject are kept once; they go with the last handle.
        """
        ...

    def erase(self, ids: Sequence[str], *, by: str, remember: bool = False) -> Erased:
        """Erase memories with all that is kept of them; tombstones of their ids remain.

        What was derived from them and stays is told so in its history, as of *by*. *remember* puts
        digests of what they said into the tombstones. Names that nothing else needs go as well.
        """
        ...

    def erase_agent(self, agent: str) -> Erased:
        """Erase the profile and the links of an agent that owns no memory.

        Its name goes as well, unless the organisation or what others own has it.
        """
        ...

    def apply_tombstones(self, tombstones: Tombstones, *, by: str) -> list[str]:
        """Erase what another store forgot, by id and by digest, and return the ids.

        A digest takes only what was written before it was forgotten. The tombstones stay here.
        What that store rejected, and what says the same and was written before, leaves recall.
        """
        ...

    def reject(self, memory: Memory, *, by: str) -> list[str]:
        """Mark what a memory says as wrong; return the ids of all that said so, it first.

        They are deleted, what they had superseded comes back, and `rejected` knows them.
        """
        ...

    def lift(self, draft: Draft) -> bool:
        """Let what *draft* says be added again; False when it was not rejected."""
        ...

    def count_recall(self, ids: Sequence[str], *, helped: bool) -> None:
        """Count that each memory was recalled, and whether it helped; its version stays."""
        ...

    def recall_together(self, pairs: Sequence[tuple[str, str]], *, by: str, helped: bool) -> None:
        """Strengthen the links that recalling made *by* an agent from each source to its target.

        Those that are not there are made; of each target the weakest beyond the settings go.
        Unless it *helped*, those that are there are weakened instead.
        """
        ...

    def doubt(self, memory: Memory, confidence: float, *, by: str) -> None:
        """Give a memory a lesser confidence, and keep what it had; it becomes no fresher by it."""
        ...

    def save_profile(self, profile: RecallProfile) -> None:
        """Save the recall profile of its agent, in place of the one before."""
        ...

    def supersede(self, newer_id: str, older_id: str, *, by: str) -> None:
        """Let one memory take the place of another, which *by* owns.

        It holds for whoever sees the newer one, while it holds; for all others nothing changes.

        Raises:
            InvalidInput: the older one has taken the place of the newer one, as *by* sees it.
        """
        ...

    def absorb(self, united: Memory, other: Memory, *, by: str) -> Memory:
        """Let a memory take in another one; *united* is what it is with that; return it restamped.

        The other one is archived. Its links and the count of its recalls are added to those of the
        memory, the heavier of two links counts. It is derived from what took it in from now on, and
        what rested on it, or it on, is the memory's.
        """
        ...

    def release(self, memory_id: str, other_id: str) -> None:
        """Take from a memory what `absorb` added to it, but for its fields.

        Both are held `apart` from now on; bringing the other one back is `unarchive`.
        """
        ...

    def renew(self, document: Memory, *, by: str) -> Memory:
        """Write a scene or a persona over its row; what it said before is not kept.

        What a document says of a source leaves it with the source, before the transaction ends:
        when that is deleted, erased, archived or replaced, says otherwise, gets an end, or is no
        longer seen by all who see the document. Nor is it left in what the document said before.
        """
        ...

    def follow(self, concept_id: str, *, owner: str) -> None:
        """Let what takes the place of a source of a concept of *owner* take its place too."""
        ...

    def reinstate(self, newer_id: str, older_id: str, *, by: str) -> bool:
        """Take back that one memory took the place of another; False when *by* never said so.

        Raises:
            InvalidInput: the key of the older one names another memory now.
        """
        ...

    def revive(self, memory: Memory, *, by: str) -> Memory:
        """Bring a memory that was deleted or rejected back, and return it restamped.

        With it comes what was deleted because it was derived from it, and what was rejected may be
        added again. It is shared with no more than its sources are.

        Raises:
            InvalidInput: another memory has taken its key since, or what it was derived from was
                deleted.
        """
        ...

    def unarchive(self, memory_id: str, *, by: str) -> Memory:
        """Bring an archived memory back to what it was, and return it.

        An expiry that has passed is taken from it; its vector is pending.

        Raises:
            InvalidInput: another memory has taken its key since.
        """
        ...

    def trim(self, *, most: int) -> Mapping[str, int]:
        """Drop the oldest of the `surplus`, *most* of each kind, and return how many went."""
        ...

    def keyed(self, owner: str, subject: str | None, key: str) -> Memory | None:
        """Return the active memory of that name, if any."""
        ...

    def first_receipt(self, owner: str, idempotency_key: str) -> FirstReceipt | None:
        """Return what was answered to that key, if it was used."""
        ...

    def keep_receipt(self, owner: str, idempotency_key: str, receipt: FirstReceipt) -> None:
        """Remember what was answered to that key."""
        ...

    def first_receipts(self, owner: str, keys: Sequence[str]) -> Mapping[str, FirstReceipt]:
        """Return what was answered to those of *keys* that were used, by key."""
        ...

    def keep_receipts(self, owner: str, receipts: Mapping[str, FirstReceipt]) -> None:
        """Remember what was answered to each key."""
        ...

    def are_distilled(self, memory_ids: Sequence[str]) -> bool:
        """Return whether some of these events were distilled."""
        ...

    def mark_distilled(self, memory_ids: Sequence[str]) -> None:
        """Say of events that they were distilled."""
        ...

    def owe(self, owner: str, key: str, memory_id: str) -> None:
        """Keep that something is still to be done, for the sake of a memory.

        When that is erased, another one of its owner, subject and layer stands in its place; with
        the last of these the debt goes.
        """
        ...

    def settle(self, owner: str, key: str, memory_id: str) -> None:
        """Strike out a debt, unless it is there for the sake of another memory by now."""
        ...

    def last_key(self, owner: str, prefix: str) -> str | None:
        """Return the last of the used keys that begin with *prefix*, in order of characters."""
        ...

    def register_agent(self, agent: str, kind: str | None) -> None:
        """Register an agent, or change its kind."""
        ...

    def create_team(self, team: str) -> None:
        """Create a team that does not exist."""
        ...

    def create_project(self, project: str, team: str) -> None:
        """Create a project that does not exist, of a team that does."""
        ...

    def add_member(self, scope: str, agent: str, *, declared: bool = False) -> bool:
        """Let an agent hold a scope; False when it did already.

        *declared* says that the fleet file gives it; what somebody gives by hand, before or after,
        is by hand.
        """
        ...

    def remove_member(self, scope: str, agent: str) -> bool:
        """Take a scope, and a team's projects with it, from an agent; False when it had none."""
        ...

    def declare_agent(self, agent: str, kind: str | None) -> None:
        """Say that the fleet file lists an agent; while it does, *kind* is the agent's kind."""
        ...

    def withdraw_agent(self, agent: str) -> None:
        """Say that the fleet file lists an agent no more; what was given by hand stays."""
        ...

    def keep_fleet(self, digest: str) -> None:
        """Remember which fleet file was applied."""
        ...

    def delete_scope(self, scope: str) -> None:
        """Delete a team with its projects, or a project, for good; the name may be used again."""
        ...

    def record(self, by: str, action: str, target: str, detail: Mapping[str, JSON]) -> None:
        """Write an entry of the audit."""
        ...


class Store(Protocol):
    """A place where memories are kept."""

    def read(self) -> AbstractContextManager[Snapshot]:
        """Open a snapshot."""
        ...

    def write(
        self, *, bulk: bool = False, dry_run: bool = False
    ) -> AbstractContextManager[Transaction]:
        """Open a transaction; *bulk* says that it will write many memories.

        With *dry_run* nothing of it is kept.
        """
        ...

    def purge(self, erased: Sequence[Erased], *, patience_ms: int) -> str:
        """Remove the bytes of what was *erased*, in short steps between which others write.

        Returns why some are left when *patience_ms* are over or somebody holds them, in a
        sentence; empty when none are.
        """
        ...

    def purge_all(self) -> str:
        """Remove the bytes of all that was erased, by whatever process, and rewrite the store.

        Returns why some are left, in a sentence; empty when none are.
        """
        ...

    def probe(self, erased: Sequence[Erased]) -> Mapping[str, int]:
        """Return how many traces are left of what was erased, by where they were looked for.

        What is held by something that is kept is no trace.
        """
        ...

    def traits(self) -> StoreTraits:
        """Return what the store is, and what it can do; it looks at next to nothing."""
        ...

    def check(self) -> list[Finding]:
        """Return every broken invariant; empty when the store is sound."""
        ...

    def repair(self, *, dry_run: bool) -> Repair:
        """Mend what `check` finds, as far as it can be; with *dry_run* say what would be done."""
        ...

    def backup(self, where: str, *, keep: int | None, tell: Progress | None = None) -> Backup:
        """Copy the store as it is now, and check the copy before it is called a backup.

        *where* is a folder, in which *keep* backups of this store stay, or a file that does not
        exist. Others write meanwhile.
        """
        ...

    def restore_backup(
        self, path: str, *, force: bool, by: str, tell: Progress | None = None
    ) -> Restored:
        """Put a backup in the place of all that the store holds, at once or not at all.

        What was deleted or forgotten since stays so. A store that holds memories is replaced only
        by *force*.
        """
        ...

    def rebuild_indexes(self, tell: Progress | None = None) -> int:
        """Make every disposable index anew, and return how many memories are in it.

        *tell* is told on the way how many were dealt with, and of how many.
        """
        ...

    def close(self) -> None:
        """Let go of the store; idempotent."""
        ...


class OpenStore(Protocol):
    """Opens a store, for the laws that each must keep (`agent_memory_os.laws`)."""

    def __call__(self, *, settings: Settings, clock: Clock) -> Store:
        """Return a fresh, empty store of these settings, which writes at the moments of a clock."""
        ...
