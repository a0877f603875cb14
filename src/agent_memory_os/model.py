"""The nouns: every value that goes in or comes out, frozen."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, fields
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple, Protocol, TypeAlias, TypedDict, overload

from agent_memory_os.noun import Noun

JSON: TypeAlias = "None | bool | int | float | str | list[JSON] | dict[str, JSON]"
Verdict = Literal["stored", "merged", "superseded", "conflict", "rejected"]
MarkKind = Literal["CONFLICT", "SUPERSEDED"]
State = Literal["active", "superseded", "archived", "deleted"]
Strategy = Literal["hybrid", "keyword", "vector", "resonance"]
TimeField = Literal["occurred_at", "created_at", "updated_at"]
PackFormat = Literal["markdown", "xml", "json", "messages"]
ToolFormat = Literal["openai", "anthropic", "mcp"]
PackSection = Literal[
    "core", "recall", "about", "bedrock", "session", "warnings", "procedures", "task"
]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def moment(ms: int) -> datetime:
    """Return the aware UTC datetime of *ms* milliseconds since 1970."""
    return _EPOCH + timedelta(milliseconds=ms)


def _optional_moment(ms: int | None) -> datetime | None:
    return None if ms is None else moment(ms)


class Clock(Protocol):
    """What time it is; ``testing.FakeClock`` is one that stands still."""

    def now_ms(self) -> int:
        """Return UTC milliseconds since 1970."""
        ...


TokenCounter = Callable[[str], int]
"""Returns how many tokens a text takes; never fewer than the model will count."""


class MemoryFields(TypedDict, total=False):
    """What ``add`` takes besides the content, and the keys of an item of ``add_many``.

    subject: whom or what it is about, ``kind:name``; None for nobody in particular.
    type: one open word, such as fact, preference, procedure; "note" by default.
    visibility: the scopes that may see it; empty (the default) is private to the owner.
    tags: exact labels; they are matched by searches too.
    metadata: JSON of your own, to filter by.
    actor: who said or did it, ``kind:name``; the name is searchable.
    session: the conversation it belongs to; order within it is the order of insertion.
    occurred_at: when it happened; aware; now by default.
    valid_from, valid_to: when it holds, half-open; aware.
    ttl: a timedelta after which it is gone from every read.
    importance: 0 to 1, 0.5 by default.
    confidence: 0 to 1, 1.0 by default.
    pinned: True keeps it in every context pack and from fading.
    layer: 0 event, 1 atom (the default), 2 scene, 3 persona.
    key: a name within owner and subject; writing it again updates in place.
    entity, attribute: what the content is the value of, such as "db1" and "port"; the entity is
        the subject when None. Another value by the same owner takes the place of the one before.
    supersedes: ids of the agent's own memories whose place it takes.
    evidence: ids of memories that it was derived from.
    idempotency_key: the same call again returns the first receipt.
    on_duplicate: "merge" (the default) or "store".
    override: True stores what the agent has rejected before, and lifts the rejection.
    """

    subject: str | None
    type: str
    visibility: Sequence[str]
    tags: Sequence[str]
    metadata: Mapping[str, JSON]
    actor: str | None
    session: str | None
    occurred_at: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    ttl: timedelta | None
    importance: float
    confidence: float
    pinned: bool
    layer: int
    key: str | None
    entity: str | None
    attribute: str | None
    supersedes: Sequence[str]
    evidence: Sequence[str]
    idempotency_key: str | None
    on_duplicate: Literal["merge", "store"]
    override: bool


class ChangeFields(TypedDict, total=False):
    """What ``update`` can change; an omitted field stays, and None clears those that may be empty.

    The names mean what they mean in `MemoryFields`. ``merge_metadata`` sets the named keys and
    keeps the others; with ``metadata`` all of it is replaced.
    """

    content: str
    type: str
    tags: Sequence[str] | None
    metadata: Mapping[str, JSON] | None
    merge_metadata: Mapping[str, JSON]
    actor: str | None
    occurred_at: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    ttl: timedelta | None
    importance: float
    confidence: float
    pinned: bool


class FilterFields(TypedDict, total=False):
    """What narrows ``search``, ``browse`` and ``context_pack``, before anything is ranked.

    subject: only memories about it, ``kind:name``.
    types, layers: any of these.
    owner: only memories that this agent wrote.
    tags: all of these, exactly.
    where: conditions on fields and metadata, ``{"metadata.env": "prod"}`` (docs/guide.md).
    since, until: a half-open window of aware datetimes over ``time_field``.
    time_field: "occurred_at" (the default), "created_at" or "updated_at".
    min_confidence: 0 to 1.
    as_of: what held at this moment, what was superseded since included; now when None.
    known_at: what had been told by this moment; now when None.
    """

    subject: str | None
    types: Sequence[str] | None
    layers: Sequence[int] | None
    owner: str | None
    tags: Sequence[str] | None
    where: Mapping[str, object] | None
    since: datetime | None
    until: datetime | None
    time_field: TimeField
    min_confidence: float | None
    as_of: datetime | None
    known_at: datetime | None


class PayloadFields(TypedDict, total=False):
    """What ``offload.put`` takes of the fields of a memory: those of the handle.

    They mean what they mean in `MemoryFields`. The actor is ``tool:name`` when it is the result of
    a tool with a name.
    """

    subject: str | None
    session: str | None
    visibility: Sequence[str]
    tags: Sequence[str]
    metadata: Mapping[str, JSON]
    actor: str | None
    occurred_at: datetime | None
    ttl: timedelta | None
    importance: float
    idempotency_key: str | None


class Draft(Noun):
    """A memory that passed validation and is not yet written; times in UTC milliseconds."""

    content: str
    owner: str
    subject: str | None = None
    type: str = "note"
    layer: int = 1
    visibility: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, JSON] = field(default_factory=dict, hash=False)
    actor: str | None = None
    session: str | None = None
    key: str | None = None
    entity: str | None = None
    attribute: str | None = None
    supersedes: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    idempotency_key: str | None = None
    occurred_ms: int | None = None
    valid_from_ms: int | None = None
    valid_to_ms: int | None = None
    ttl_ms: int | None = None
    importance: float = 0.5
    confidence: float = 1.0
    pinned: bool = False
    merge: bool = True
    override: bool = False  # stored though its owner has rejected it before
    bound: Literal["", "alone", "shared"] = ""  # to its subject, by the view; with what has none
    masked: str = ""  # what was masked in it, in words; for the receipt alone


class Memory(Noun):
    """One thing remembered, as the caller may see it.

    Attributes:
        id: 25 hexadecimal digits; sorts by the time of writing.
        content: the text, exactly as it was given.
        type: an open word, such as "fact".
        layer: 0 event, 1 atom, 2 scene, 3 persona.
        owner: the agent that wrote it.
        subject: whom or what it is about, ``kind:name``, or None.
        visibility: to the owner, every scope that may see it, sorted; to others, those through
            which they see it.
        tags: exact labels, in the order given.
        metadata: JSON of the host's own.
        actor: who said or did it, ``kind:name``, or None.
        session: the conversation it belongs to, or None.
        key: its name within owner and subject, or None.
        occurred_ms: when it happened; when written, if nobody said.
        valid_from_ms: when it begins to hold; None: always.
        valid_to_ms: when it ceases to hold, exclusive; None: never.
        expires_ms: when it is gone from every read; None: never.
        importance: 0 to 1.
        confidence: 0 to 1.
        pinned: stays in packs, and does not fade.
        mentions: how often the same statement was written, 1 or more.
        created_ms: when it was written.
        updated_ms: when its content or fields last changed.
        version: stamp of the content; changes with every update.
        access_version: stamp of the rights; changes with every share and revoke.
        state: "active" unless a read asked for other states.
        recalls: how often somebody said what recalling it was worth (``record_recall``).
        helped: how often of these it helped.
        last_recalled_ms: when that was said last; None: never.
        entity: what has the attribute; None: the subject.
        attribute: of what the content is the value, or None.
    """

    id: str
    content: str
    type: str
    layer: int
    owner: str
    subject: str | None
    visibility: tuple[str, ...]
    tags: tuple[str, ...]
    metadata: Mapping[str, JSON] = field(hash=False)
    actor: str | None
    session: str | None
    key: str | None
    occurred_ms: int
    valid_from_ms: int | None
    valid_to_ms: int | None
    expires_ms: int | None
    importance: float
    confidence: float
    pinned: bool
    mentions: int
    created_ms: int
    updated_ms: int
    version: str
    access_version: str
    state: State
    recalls: int = 0
    helped: int = 0
    last_recalled_ms: int | None = None
    entity: str | None = None
    attribute: str | None = None

    @property
    def text(self) -> str:
        """The content, under the name that other libraries use."""
        return self.content

    @property
    def occurred_at(self) -> datetime:
        """When it happened, aware, in UTC."""
        return moment(self.occurred_ms)

    @property
    def created_at(self) -> datetime:
        """When it was written, aware, in UTC."""
        return moment(self.created_ms)

    @property
    def updated_at(self) -> datetime:
        """When its content or fields last changed, aware, in UTC."""
        return moment(self.updated_ms)

    @property
    def valid_from(self) -> datetime | None:
        """When it begins to hold, aware, in UTC; None: always."""
        return _optional_moment(self.valid_from_ms)

    @property
    def valid_to(self) -> datetime | None:
        """When it ceases to hold, aware, in UTC; None: never."""
        return _optional_moment(self.valid_to_ms)

    @property
    def expires_at(self) -> datetime | None:
        """When it is gone from every read, aware, in UTC; None: never."""
        return _optional_moment(self.expires_ms)

    @property
    def last_recalled_at(self) -> datetime | None:
        """When somebody last said what its recall was worth, aware, in UTC; None: never."""
        return _optional_moment(self.last_recalled_ms)

    def to_dict(self) -> dict[str, JSON]:
        """Return it as JSON-ready values: lists for tuples, milliseconds for times."""
        values: dict[str, JSON] = {name: getattr(self, name) for name in _MEMORY_FIELDS}
        values.update(
            visibility=list(self.visibility), tags=list(self.tags), metadata=dict(self.metadata)
        )
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, JSON]) -> "Memory":
        """Return the memory that ``to_dict`` made *values* of; KeyError when a field is absent."""
        kept = {name: values[name] for name in _MEMORY_FIELDS}
        for name in ("visibility", "tags"):
            kept[name] = tuple(kept[name] or ())  # type: ignore[arg-type,assignment]  # lists of str
        return cls(**kept)  # type: ignore[arg-type]  # the shape is that of to_dict


_MEMORY_FIELDS = Memory.__match_args__


class Receipt(Noun):
    """What a write did.

    Attributes:
        memory: the memory as it stands after the write; of what an `add` would not store since it
            was rejected, what was, in the state "deleted".
        verdict: stored, merged, superseded, conflict or rejected (SPEC.md, "Truth").
        why: one sentence on the verdict.
        superseded: ids whose place it took.
        conflicts: ids that say otherwise.
        dry_run: whether nothing was written; a memory that would be stored will have another id.
    """

    memory: Memory
    verdict: Verdict
    why: str
    superseded: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def id(self) -> str:
        """The id of the memory."""
        return self.memory.id


class Captured(Sequence[Receipt]):
    """The receipts of a turn, one for each event in order; equal to a list of the same receipts.

    Attributes:
        session: the session.
        turn: the turn, as it was named, or its number.
        notes: what was not kept of the messages, in sentences.
    """

    __slots__ = ("_receipts", "notes", "session", "turn")

    def __init__(
        self, receipts: Sequence[Receipt], session: str, turn: int | str, notes: Sequence[str] = ()
    ) -> None:
        self._receipts = tuple(receipts)
        self.session = session
        self.turn = turn
        self.notes = tuple(notes)

    @overload
    def __getitem__(self, index: int) -> Receipt: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Receipt, ...]: ...
    def __getitem__(self, index: int | slice) -> Receipt | tuple[Receipt, ...]:
        return self._receipts[index]

    def __len__(self) -> int:
        return len(self._receipts)

    def __iter__(self) -> Iterator[Receipt]:
        return iter(self._receipts)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Captured | list | tuple):
            return self._receipts == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._receipts)

    def __repr__(self) -> str:
        return f"Captured({list(self._receipts)!r}, {self.session!r}, {self.turn!r})"

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the events, in order."""
        return tuple(receipt.id for receipt in self._receipts)


class Session(Noun):
    """A conversation, as far as the reader sees it.

    Attributes:
        id: its name.
        events: how many events of it the reader sees.
        first_ms: when the first of them happened, in their order; UTC milliseconds.
        last_ms: when the last of them happened, in their order.
        ended: whether somebody said that it ended, and nothing came after.
    """

    id: str
    events: int
    first_ms: int
    last_ms: int
    ended: bool = False

    @property
    def first_at(self) -> datetime:
        """When its first event happened, aware, in UTC."""
        return moment(self.first_ms)

    @property
    def last_at(self) -> datetime:
        """When its last event happened, aware, in UTC."""
        return moment(self.last_ms)


class Evidence(Noun):
    """A memory that another one rests on, or that rests on it.

    Attributes:
        memory: the memory.
        depth: how many steps of derivation it is away, 1 or more.
        via: the memory that it was reached from; at depth 1 the one that was asked about.
    """

    memory: Memory
    depth: int
    via: str

    @property
    def id(self) -> str:
        """The id of the memory."""
        return self.memory.id

    @property
    def content(self) -> str:
        """The content of the memory."""
        return self.memory.content


class Handle(Noun):
    """What stands in a prompt in place of something heavy; ``str(handle)`` is its text.

    Attributes:
        memory: the memory that it is: an event (layer 0), whose content is the summary.
        text: the id and the summary, in a few lines.
        tokens: what the text takes, by the counter of the client.
        digest: SHA-256 of the bytes that it stands for, hexadecimal.
        size_bytes: how many bytes they are.
        why: what is to be known of the write, such as what was masked.
    """

    memory: Memory
    text: str
    tokens: int
    digest: str
    size_bytes: int
    why: str = ""

    @property
    def id(self) -> str:
        """The id of the memory, by which the payload is had back."""
        return self.memory.id

    @property
    def summary(self) -> str:
        """What the payload is, and what in it tells most."""
        return self.memory.content

    def __str__(self) -> str:
        return self.text


class TaskStep(Noun):
    """A step of a session: a call of a tool with its result, or one of them alone.

    Attributes:
        number: its place among the steps that the reader sees, from 1.
        tool: the tool.
        label: what was called and what came of it, in a line.
        call: the id of the memory of the call, or None.
        result: the id of the memory of the result, or None.
        has_failed: whether the result tells of an error.
    """

    number: int
    tool: str
    label: str
    call: str | None
    result: str | None
    has_failed: bool = False


class TaskGraph(Noun):
    """The steps of a session as a Mermaid flowchart; ``str(graph)`` is its text.

    Attributes:
        text: the flowchart; empty when there are no steps, or not even one node fits.
        tokens: what the text takes, by the counter of the client.
        steps: all steps, also those that share a node.
        nodes: by the id of each node the memories that it stands for, results before calls.
    """

    text: str
    tokens: int
    steps: tuple[TaskStep, ...]
    nodes: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)

    def __str__(self) -> str:
        return self.text


class Folded(Noun):
    """Messages in which handles stand in place of what was heavy.

    Attributes:
        messages: the messages, in a new list; those that nothing was taken from are the same.
        level: "none", "mild" or "aggressive".
        handles: the handles, in the order in which they stand there.
        before_tokens: what the messages took, by the counter of the client.
        after_tokens: what they take now.
    """

    messages: list[object] = field(hash=False)
    level: Literal["none", "mild", "aggressive"]
    handles: tuple[Handle, ...]
    before_tokens: int
    after_tokens: int

    @property
    def saved_tokens(self) -> int:
        """How many tokens were saved."""
        return self.before_tokens - self.after_tokens


class Visibility(Noun):
    """Who reads, and which rows they want: everything that the gate needs besides memberships.

    Memberships are looked up by the store in the snapshot that is read, never carried along.

    Attributes:
        agent: id of the agent that asks.
        now_ms: the moment of the read, UTC milliseconds.
        subject: the subject that the view is bound to, or None.
        shared: with a bound subject, whether rows without a subject are seen as well.
        admin: True reads every owner's rows; only ``client.admin`` makes one.
        states: the states that are wanted.
        timeless: True also reads rows that have expired, or are not valid now.
        as_of_ms: reads what held at this moment; None: what holds now.
        known_ms: reads what had been told by this moment; None: by now.
    """

    agent: str
    now_ms: int
    subject: str | None = None
    shared: bool = False
    admin: bool = False
    states: tuple[State, ...] = ("active",)
    timeless: bool = False
    as_of_ms: int | None = None
    known_ms: int | None = None


class Field(Noun):
    """A column, or a path into the metadata: ``Field("metadata", ("env",))``."""

    name: str
    path: tuple[str, ...] = ()


class Compare(Noun):
    """One condition: *operator* is eq, ne, gt, gte, lt, lte, in, nin, contains or exists."""

    field: Field
    operator: str
    value: "JSON"


class All(Noun):
    """Every one of the *conditions* holds."""

    conditions: "tuple[Condition, ...]"


class AnyOf(Noun):
    """At least one of the *conditions* holds."""

    conditions: "tuple[Condition, ...]"


class Not(Noun):
    """The *condition* does not hold."""

    condition: "Condition"


Condition: TypeAlias = Compare | All | AnyOf | Not


class Filters(Noun):
    """The narrowing of a read, validated; None and () mean no narrowing."""

    subject: str | None = None
    types: tuple[str, ...] = ()
    layers: tuple[int, ...] = ()
    owner: str | None = None
    tags: tuple[str, ...] = ()
    where: Condition | None = None
    since_ms: int | None = None
    until_ms: int | None = None
    time_field: TimeField = "occurred_at"
    min_confidence: float | None = None
    as_of_ms: int | None = None
    known_ms: int | None = None


NO_FILTERS = Filters()


class Candidate(NamedTuple):
    """What a provider proposes: an id and a relevance from 0 to 1, nothing more."""

    id: str
    score: float


class Step(NamedTuple):
    """A link as it is walked: from the memory *source* to *target*, against its arrow if not *out*.

    weight: of the link, more than 0 to 1.
    relation: the word of the link.
    """

    source: str
    target: str
    weight: float
    relation: str
    out: bool


class Link(Noun):
    """What one agent says of two memories: that the source goes with the target, and how.

    Attributes:
        source_id: the memory that the link leads from.
        target_id: the memory that it leads to.
        relation: one open word; well known are related_to, caused_by, supersedes, derived_from,
            co_recalled, contradicts, next and corroborates. It reads "source relation target".
        weight: how strongly, more than 0 to 1.
        owner: the agent that linked them, and may unlink them.
        created_ms: when they were first linked so, UTC milliseconds.
        version: stamp of the weight; changes with every link and unlink.
    """

    source_id: str
    target_id: str
    relation: str
    weight: float
    owner: str
    created_ms: int
    version: str

    @property
    def created_at(self) -> datetime:
        """When they were first linked so, aware, in UTC."""
        return moment(self.created_ms)


class Neighbor(Noun):
    """A memory that is reached over links.

    Attributes:
        memory: the memory.
        distance: how many links away it is, 1 or more.
        weight: the product of the weights on the heaviest of the shortest ways, more than 0 to 1.
        relations: the relations of the last step of that way, sorted.
        direction: "out" when the last step follows its links, "in" when it goes against them,
            "both" when there are some of each.
        via: the memory before it on that way; at distance 1 the one that was asked about.
    """

    memory: Memory
    distance: int
    weight: float
    relations: tuple[str, ...]
    direction: Literal["out", "in", "both"]
    via: str

    @property
    def id(self) -> str:
        """The id of the memory."""
        return self.memory.id

    @property
    def content(self) -> str:
        """The content of the memory."""
        return self.memory.content


class RecallProfile(Noun):
    """What an agent leans to when it recalls: weights from 0.1 to 3; what is not named has 1.

    They change the order of what it may see, within bounds, and never what it may see.

    >>> RecallProfile("neo", type_weights={"procedure": 1.5, "note": 0.7}).type_weights["note"]
    0.7

    Attributes:
        agent_id: the agent that recalls.
        type_weights: by the type of a memory.
        agent_weights: by the owner of a memory.
    """

    agent_id: str
    type_weights: Mapping[str, float] = field(default_factory=dict, hash=False)
    agent_weights: Mapping[str, float] = field(default_factory=dict, hash=False)

    def to_dict(self) -> dict[str, JSON]:
        """Return it as JSON-ready values."""
        return {
            "agent_id": self.agent_id,
            "type_weights": dict(self.type_weights),
            "agent_weights": dict(self.agent_weights),
        }

    @classmethod
    def from_dict(cls, values: "Mapping[str, JSON]") -> "RecallProfile":
        """Return the profile that ``to_dict`` made *values* of; KeyError when a field is absent."""
        kept = {name: values[name] for name in ("agent_id", "type_weights", "agent_weights")}
        return cls(**kept)  # type: ignore[arg-type]  # the shape is that of to_dict


class Mark(Noun):
    """What is to be known of a memory wherever it is shown.

    Attributes:
        kind: "CONFLICT": another memory says otherwise; "SUPERSEDED": another took its place.
        id: the other memory.
        owner: the agent that wrote it.
        actor: who said it, or None.
        occurred_ms: when, UTC milliseconds.
        confidence: of the other memory, 0 to 1.
    """

    kind: MarkKind
    id: str
    owner: str
    actor: str | None
    occurred_ms: int
    confidence: float

    @property
    def occurred_at(self) -> datetime:
        """When it was said, aware, in UTC."""
        return moment(self.occurred_ms)


class Hit(Noun):
    """A memory that passed the gate, with its score.

    Attributes:
        memory: the memory.
        score: 0 to 1, higher is better.
        parts: the factors of the score, by name; their product is the score.
        arms: how relevant each arm or provider that proposed it says it is, by name, 0 to 1.
        marks: what contradicts it, and what took its place, as far as the reader sees it.
        evidence: ids of events that were found as well and that it was derived from; they have no
            place of their own.
    """

    memory: Memory
    score: float
    parts: Mapping[str, float] = field(hash=False)
    arms: Mapping[str, float] = field(default_factory=dict, hash=False)
    marks: tuple[Mark, ...] = ()
    evidence: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id of the memory."""
        return self.memory.id

    @property
    def content(self) -> str:
        """The content of the memory."""
        return self.memory.content

    @property
    def text(self) -> str:
        """The content of the memory, under the name that other libraries use."""
        return self.memory.content


class SearchReport(Noun):
    """What a search has to tell besides its hits.

    Attributes:
        candidates: how many memories each arm proposed, by its name; of a provider of the host
            those that the reader may see and the filters let through.
        gated: how many proposals of arms did not pass the gate or the filters.
        abstained: True when nothing relevant was found.
        reason: why there are no hits, in a sentence; empty when there are.
        below_threshold: hits that ``min_score`` took out.
        notes: what the caller should know, such as an unregistered agent.
        degraded: what did not work as it should, in sentences.
        folded: how many events became the evidence of what was derived from them.
    """

    candidates: Mapping[str, int] = field(default_factory=dict, hash=False)
    gated: int = 0
    abstained: bool = False
    reason: str = ""
    below_threshold: int = 0
    notes: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()
    folded: int = 0


class Hits(Sequence[Hit]):
    """The hits of a search, best first, with its ``report``; equal to a list of the same hits."""

    __slots__ = ("_hits", "report")

    def __init__(self, hits: Sequence[Hit], report: SearchReport) -> None:
        self._hits = tuple(hits)
        self.report = report

    @overload
    def __getitem__(self, index: int) -> Hit: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Hit, ...]: ...
    def __getitem__(self, index: int | slice) -> Hit | tuple[Hit, ...]:
        return self._hits[index]

    def __len__(self) -> int:
        return len(self._hits)

    def __iter__(self) -> Iterator[Hit]:
        return iter(self._hits)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Hits | list | tuple):
            return self._hits == tuple(other)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self._hits)

    def __repr__(self) -> str:
        return f"Hits({list(self._hits)!r})"

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the hits, best first."""
        return tuple(hit.id for hit in self._hits)


class PackItem(Noun):
    """One memory in a pack.

    Attributes:
        memory: the memory.
        section: "core" for pinned memories, "recall" for hits, "about" for what matters most
            about the subject when no words matched; in an orchestrated pack "bedrock",
            "session", "warnings", "procedures" or "task".
        score: the score of the hit; 0 where none was searched for.
        text: the line as the pack's format writes it.
        tokens: what the line costs, by the pack's counter.
        excerpt: True when the content was cut around the match.
        marks: what contradicts it, and what took its place, as far as the reader sees it.
    """

    memory: Memory
    section: PackSection
    score: float
    text: str
    tokens: int
    excerpt: bool
    marks: tuple[Mark, ...] = ()

    @property
    def id(self) -> str:
        """The id of the memory."""
        return self.memory.id


class Decision(Noun):
    """What a pack did with one candidate: *included* or not, and the *reason* in a sentence.

    section is the one that it stands in, or was offered to last.
    """

    id: str
    included: bool
    reason: str
    score: float
    tokens: int
    section: str = ""


class SectionReport(Noun):
    """What one section of a pack was allowed, and what it took.

    Attributes:
        name: as in `PackItem`.
        allowed_tokens: what its items could take: its share, and what sections before it left.
        used_tokens: what they take.
        candidates: how many memories were offered to it, those included that stand elsewhere.
        included: how many stand in it: of these, and of what contradicts them.
    """

    name: PackSection
    allowed_tokens: int
    used_tokens: int
    candidates: int
    included: int


class PackReport(Noun):
    """The ledger of a pack: every candidate and every token.

    Attributes:
        decisions: one for each candidate, in the order they were considered last.
        budget_tokens: what was allowed.
        used_tokens: what the whole text takes, by the same counter.
        frame_tokens: what the fence and headings take of that.
        search: the report of the search behind it.
        sections: one for each section that had candidates, in the order they were filled.
    """

    decisions: tuple[Decision, ...]
    budget_tokens: int
    used_tokens: int
    frame_tokens: int
    search: SearchReport
    sections: tuple[SectionReport, ...] = ()


class Message(TypedDict):
    """A message as the interfaces of models take it: a role, and a content.

    The role is always "user": what was stored must not speak with the voice of the system.
    """

    role: Literal["user"]
    content: str


class Pack(Noun):
    """Memories rendered for a prompt within a budget; ``str(pack)`` is the text.

    Attributes:
        id: names this pack, so that what it injected can be recognised.
        text: the rendered text; empty when there is nothing to say, in every format.
        items: what it holds, in order.
        tokens: what the text takes, by the counter of the client.
        stable: the part that only changes with its sources (core, bedrock), without the fence.
        dynamic: the part that depends on the query, without the fence.
        report: the ledger.
        format: how it is written: "markdown", "xml", "json" or "messages".
        fenced: the stable and the dynamic part as far as they are there, each in its own fence.
    """

    id: str
    text: str
    items: tuple[PackItem, ...]
    tokens: int
    stable: str
    dynamic: str
    report: PackReport
    format: PackFormat = "markdown"
    fenced: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of what it holds, in order; what a later call takes as ``already=``."""
        return tuple(item.id for item in self.items)

    @property
    def messages(self) -> tuple[Message, ...]:
        """The pack as messages for a model, the stable part first, in a message of its own.

        Together they take one more fence than the text; format="messages" keeps them within the
        budget as well.
        """
        return tuple(Message(role="user", content=text) for text in self.fenced)


class Change(Noun):
    """One replacement in the history of a memory.

    Attributes:
        id: the memory.
        kind: "update", "merge", "doubt", "superseded", "share", "revoke", "archived", "revive",
            "consolidate", "undo", "reject" or "delete"; or "source deleted" and "source forgotten":
            something that it was derived from was deleted, or erased, and it may still hold its
            words.
        by: the agent that did it.
        at_ms: when, UTC milliseconds.
        version: the version that it made.
        before: the values that were replaced, by field.
        other: of "superseded", the memory that took its place; of "consolidate" and "undo" the one
            that it was merged with; else None.
    """

    id: str
    kind: str
    by: str
    at_ms: int
    version: str
    before: Mapping[str, JSON] = field(hash=False)
    other: str | None = None

    @property
    def at(self) -> datetime:
        """When it was done, aware, in UTC."""
        return moment(self.at_ms)


class Explanation(Noun):
    """Where a memory stands in a search, or where it fell out.

    Attributes:
        id: the memory.
        found: whether it is among the hits at this limit.
        rank: its place, from 1, when it was scored at all; else None.
        score: its score; 0 when it was not scored.
        parts: the factors of the score.
        stage: "hit", "folded", "below limit", "below min_score", "filtered", "abstained",
            "superseded" or "no match".
        reason: the stage in a sentence.
        matched: the query's terms that it holds.
        missing: the query's terms that it lacks.
        arms: how relevant each arm or provider that proposed it says it is; empty when not scored.
    """

    id: str
    found: bool
    rank: int | None
    score: float
    parts: Mapping[str, float] = field(hash=False)
    stage: str
    reason: str
    matched: tuple[str, ...]
    missing: tuple[str, ...]
    arms: Mapping[str, float] = field(default_factory=dict, hash=False)


class Agent(Noun):
    """An agent that is registered, or owns something."""

    id: str
    kind: str | None
    registered: bool
    created_ms: int


class Team(Noun):
    """A team and the agents in it, sorted."""

    id: str
    members: tuple[str, ...]
    created_ms: int


class Project(Noun):
    """A project, the team it belongs to, and the agents in it, sorted."""

    id: str
    team: str
    members: tuple[str, ...]
    created_ms: int


class AuditEntry(Noun):
    """One act on rights or organisation: who did what to which scope or memory, and when."""

    at_ms: int
    by: str
    action: str
    target: str
    detail: Mapping[str, JSON] = field(hash=False)


class Finding(Noun):
    """One thing that ``check`` found wrong.

    Attributes:
        kind: a word for the invariant, such as "word-index".
        detail: what is wrong, in a sentence.
        repair: what would mend it.
    """

    kind: str
    detail: str
    repair: str


class Repair(Noun):
    """What `repair` found, did, and could not do.

    Attributes:
        found: what `check` found before.
        done: what was done, in sentences; of a dry run, what would be.
        left: what `check` finds now; of a dry run, what repair could not mend.
        dry_run: whether nothing was changed.
    """

    found: tuple[Finding, ...]
    done: tuple[str, ...]
    left: tuple[Finding, ...]
    dry_run: bool


class Backup(Noun):
    """A backup that was opened and checked.

    Attributes:
        path: where it is.
        bytes: its size.
        memories: how many active memories it holds.
        schema: version of the form in which they are kept.
        findings: what is wrong with its indexes, as it is with those of the store; restoring makes
            them anew. Empty when nothing is.
        removed: older backups of the same series that made room, oldest first.
    """

    path: str
    bytes: int
    memories: int
    schema: int
    findings: tuple[Finding, ...] = ()
    removed: tuple[str, ...] = ()


class Restored(Noun):
    """What a store holds after a backup took its place.

    Attributes:
        path: the backup.
        memories: how many active memories there are now.
        schema: version that the backup had; an older one was brought forward.
        kept_deleted: memories of the backup that had been deleted since, and stay so; None when
            the store was too damaged to tell.
        kept_forgotten: the same of what had been forgotten.
        findings: what was wrong with its indexes, which were made anew.
        pending: why bytes of what was forgotten are not all gone yet; empty when they are.
    """

    path: str
    memories: int
    schema: int
    kept_deleted: int | None
    kept_forgotten: int | None
    findings: tuple[Finding, ...] = ()
    pending: str = ""


class ErasureReceipt(Noun):
    """What was forgotten, and what is left of it.

    Attributes:
        ids: the memories that were erased and that the caller could see, sorted.
        hidden: how many more were erased, whom it may not know; only to an admin, else None.
        counts: erased rows by table: to an admin of all tables, else those of the caller's own
            memories alone.
        pending: why the bytes are not all gone yet, in a sentence; empty when they are.
        probes: how many traces were found, by where they were looked for; empty when nobody looked.
            The files are not looked into while their bytes are pending.
        still_said: memories that the caller can see and that still hold the words, or were derived
            from what was forgotten and from something else too; sorted.
        still_hidden: how many more there are, whom it may not know; only to an admin, else None.
        elsewhere: what this erasure cannot reach, in sentences.
    """

    ids: tuple[str, ...]
    hidden: int | None
    counts: Mapping[str, int] = field(hash=False)
    pending: str
    probes: Mapping[str, int] = field(hash=False)
    still_said: tuple[str, ...]
    still_hidden: int | None
    elsewhere: str

    @property
    def complete(self) -> bool:
        """Whether nothing is pending, and nothing was found by those who looked."""
        return not self.pending and not any(self.probes.values())

    def to_dict(self) -> dict[str, JSON]:
        """Return it as JSON-ready values, with ``complete``: lists for tuples."""
        values = {each.name: _as_json(getattr(self, each.name)) for each in fields(self)}
        return values | {"complete": self.complete}


class Reembedded(Noun):
    """What `reembed` did.

    Attributes:
        embedded: how many memories were given a vector.
        failed: how many were tried in vain.
        remaining: how many have no vector of the model in use now.
        why: why it ended early, in a sentence; empty when it did not.
    """

    embedded: int
    failed: int
    remaining: int
    why: str = ""


class RetentionReport(Noun):
    """What `retention` did; of a dry run, what it would do.

    Attributes:
        dry_run: whether nothing was changed.
        at_ms: the moment by which it went, UTC milliseconds.
        archived: how many memories were archived.
        deleted: how many that had been archived long ago were deleted.
        ids: the first thousand of both, in the order of writing.
        by_reason: both by why: "expired", "temporary", "idle", "archived" (for too long).
        by_type: the same by type.
        by_layer: the same by layer.
        spared: how many stay that would be among them, by what keeps them: "pinned", "authority".
        trimmed: rows beside the memories that went, the oldest: "history", "audit", "receipts".
    """

    dry_run: bool
    at_ms: int
    archived: int
    deleted: int
    ids: tuple[str, ...]
    by_reason: Mapping[str, int] = field(hash=False)
    by_type: Mapping[str, int] = field(hash=False)
    by_layer: Mapping[int, int] = field(hash=False)
    spared: Mapping[str, int] = field(hash=False)
    trimmed: Mapping[str, int] = field(hash=False)

    @property
    def at(self) -> datetime:
        """The moment by which it went, aware, in UTC."""
        return moment(self.at_ms)

    def to_dict(self) -> dict[str, JSON]:
        """Return it as JSON-ready values: lists for tuples."""
        return {each.name: _as_json(getattr(self, each.name)) for each in fields(self)}


class Consolidation(Noun):
    """What `consolidate` did; of a dry run, what it would do.

    Attributes:
        dry_run: whether nothing was changed.
        at_ms: the moment by which it went, UTC milliseconds.
        looked_at: how many memories were compared with one like them, or are recalled together.
        merged: how many memories others took in.
        groups: who took in whom, the one that stays first; of the first thousand that were merged.
        concepts_made: how many concepts were made.
        concepts_updated: how many say something else now.
        concepts_withdrawn: how many were archived, since something that they quote is gone.
        concepts: the first thousand of these; without those that a dry run would make.
        clusters: what each concept that was made or updated is made of, of the first thousand.
        pending: what has to be done for concepts to be found by their vectors, in a sentence; empty
            when nothing has.
    """

    dry_run: bool
    at_ms: int
    looked_at: int
    merged: int
    groups: tuple[tuple[str, ...], ...]
    concepts_made: int
    concepts_updated: int
    concepts_withdrawn: int
    concepts: tuple[str, ...]
    clusters: tuple[tuple[str, ...], ...]
    pending: str = ""

    @property
    def at(self) -> datetime:
        """The moment by which it went, aware, in UTC."""
        return moment(self.at_ms)

    def to_dict(self) -> dict[str, JSON]:
        """Return it as JSON-ready values: lists for tuples."""
        return {each.name: _as_json(getattr(self, each.name)) for each in fields(self)}


class Archival(Noun):
    """What `archive` took out of recall, or `unarchive` brought back.

    Attributes:
        ids: the memories that moved, in the order they were named.
        left: why the others stay where they are, in a sentence, by id.
        pending: what has to be done for them to be found by their vectors, in a sentence; empty
            when nothing has.
    """

    ids: tuple[str, ...]
    left: Mapping[str, str] = field(hash=False)
    pending: str = ""


class Capabilities(Noun):
    """What a client can do where it stands, and what it cannot, with the way out.

    Attributes:
        library: version of this library.
        python: version of Python.
        engine: what keeps the memories, with its version.
        schema: version of the form in which they are kept.
        path: the file; None in memory.
        read_only: whether nothing can be written.
        journal: how a write is made safe, in the words of the engine.
        supports: what works, by name: fts5 (the engine has a word index), words (the index of this
            store answers), json (conditions on metadata), hybrid (several arms together), vectors
            (some are kept), migration (an older file could be brought forward).
        arms: what a search may ask by name.
        usual: whom a search asks that does not say: arms, and providers of the host.
        extras: each optional package that the library knows, with its version; None when missing.
        install: for each that is missing, the command that adds it.
        embedder: fingerprint of the embedding function in use; None without one.
        analyser: version of the analyser that makes words of texts.
        tokens: what counts tokens: "estimate", or "host" for a counter of the host.
        notes: what does not work as it should, in sentences; empty when all is well.
    """

    library: str
    python: str
    engine: str
    schema: int
    path: str | None
    read_only: bool
    journal: str
    supports: Mapping[str, bool] = field(hash=False)
    arms: tuple[str, ...]
    usual: tuple[str, ...]
    extras: Mapping[str, str | None] = field(hash=False)
    install: Mapping[str, str] = field(hash=False)
    embedder: str | None
    analyser: int
    tokens: Literal["estimate", "host"]
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, JSON]:
        """Return it as JSON-ready values: lists for tuples."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: _as_json(value) for name, value in values.items()}


def _as_json(value: object) -> JSON:
    if isinstance(value, tuple):
        return [_as_json(each) for each in value]
    return dict(value) if isinstance(value, Mapping) else value  # type: ignore[return-value]  # JSON


class Stats(Noun):
    """How much there is, as the reader may see it.

    Attributes:
        memories: rows that a read would return now.
        by_type: the same, by type.
        by_layer: the same, by layer.
        by_state: rows in every state; only to an admin, else active alone.
        file_bytes: size of the store, 0 in memory; only to an admin, else 0.
        by_model: vectors that are kept, by the fingerprint of the model; only to an admin, else
            empty.
        by_month: how many were written, by month ("2026-01"), of the last 24 that have any, the
            oldest first; to an admin in whatever state.
        duplicate_share: share of *memories* that say what another one of them says, 0 to 1.
        never_recalled_share: share of *memories* of which nobody said what recalling was worth.
    """

    memories: int
    by_type: Mapping[str, int] = field(hash=False)
    by_layer: Mapping[int, int] = field(hash=False)
    by_state: Mapping[str, int] = field(hash=False)
    file_bytes: int
    by_model: Mapping[str, int] = field(default_factory=dict, hash=False)
    by_month: Mapping[str, int] = field(default_factory=dict, hash=False)
    duplicate_share: float = 0.0
    never_recalled_share: float = 0.0


class WriteEvent(NamedTuple):
    """What was written, as ``on_write`` is told of it, once it is safe in the store.

    verb: what was called: add, add_many, capture, update, delete, forget, share, revoke, link,
        unlink.
    agent_id: the agent that it acted as.
    subject: the subject that the view is bound to, or None.
    ids: the memories that were written or changed, in order; of links, both ends.
    receipts: what the caller gets, for add, add_many, capture and update; empty for the others.
    """

    verb: str
    agent_id: str
    subject: str | None
    ids: tuple[str, ...]
    receipts: tuple[Receipt, ...] = ()


class RecallEvent(NamedTuple):
    """What was recalled, as ``on_recall`` is told of it.

    verb: what was called: search, context_pack, orchestrate_context.
    agent_id: the agent that it acted as.
    subject: the subject that the view is bound to, or None.
    query: what was asked.
    ids: the memories that came back, in order.
    report: the report of the search.
    """

    verb: str
    agent_id: str
    subject: str | None
    query: str | None
    ids: tuple[str, ...]
    report: SearchReport


class Redaction(NamedTuple):
    """A text without what must not be stored.

    text: what is left, with a mark wherever something was taken out.
    masked: how much of what kind was taken out, such as ``{"API key": 2}``.
    """

    text: str
    masked: Mapping[str, int]


OnWrite = Callable[[WriteEvent], object]
OnRecall = Callable[[RecallEvent], object]
Redact = Callable[[str], "str | Redaction"]
Progress = Callable[[int, int], object]
"""Is told how many are done, and of how many."""


class Hooks(NamedTuple):
    """What a host has hung into its client.

    on_write, on_recall: are told of each write and each recall.
    redact: masks what is written, before it is.
    telling: the threads that are inside of a hook, of which nothing more is told.
    """

    on_write: OnWrite | None
    on_recall: OnRecall | None
    redact: Redact | None
    telling: set[int]
