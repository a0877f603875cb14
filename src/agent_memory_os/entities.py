"""Entities: who and what has attributes, and the values of these, by name."""

from collections.abc import Callable, Iterator, KeysView, Mapping, Sequence
from datetime import datetime
from typing import Any, TypedDict, TypeVar, Unpack, overload

from agent_memory_os.errors import InvalidInput, NotFound
from agent_memory_os.model import JSON, NO_FILTERS, Filters, Memory, Receipt, Visibility, moment
from agent_memory_os.noun import Noun
from agent_memory_os.pure import access, bounds, near
from agent_memory_os.pure.draft import parse_content, parse_label
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Place, Snapshot, Store

Other = TypeVar("Other")
TYPE = "entity"  # of a value that was set by name
HISTORY = 50
_RIVALS = 16  # values of one attribute that hold at once, of several owners
_STAYS = ("type", "visibility", "tags", "metadata", "importance", "pinned")
_IN_PLACE = frozenset({"tags", "metadata", "merge_metadata", "importance", "confidence", "pinned"})
_IN_PLACE |= {"type", "actor", "occurred_at", "valid_from", "valid_to", "ttl"}


class ValueFields(TypedDict, total=False):
    """What ``Entity.set`` takes besides the value; the names mean what they mean in `add`.

    type ("entity" at first), visibility, tags, metadata, importance and pinned stay what they were
    when they are omitted; ``merge_metadata`` sets the named keys and keeps the others.
    """

    type: str
    visibility: Sequence[str]
    tags: Sequence[str]
    metadata: Mapping[str, JSON]
    merge_metadata: Mapping[str, JSON]
    actor: str | None
    session: str | None
    occurred_at: datetime | None
    valid_from: datetime | None
    valid_to: datetime | None
    importance: float
    confidence: float
    pinned: bool
    evidence: Sequence[str]


class EntityEntry(Noun):
    """An entity as a list of them tells it.

    Attributes:
        name: its name, such as "db1", "server:db1", or that of a subject.
        subject: what its values are about, ``kind:name``, or None.
        attributes: how many attributes it has that the agent sees a value of.
        updated_ms: when the last of their values changed, UTC milliseconds.
    """

    name: str
    subject: str | None
    attributes: int
    updated_ms: int

    @property
    def kind(self) -> str | None:
        """Of what kind it is: what stands before the colon of its name, or None."""
        return _kind(self.name)

    @property
    def updated_at(self) -> datetime:
        """When the last of its values changed, aware, in UTC."""
        return moment(self.updated_ms)


class Ground(Noun):
    """What an entity stands on: where its agent reads, and the verbs by which it writes.

    Attributes:
        store: where it reads.
        settings: the limits.
        subject: what the view is bound to, or None.
        shared: whether a bound view also reads what has no subject.
        visibility: returns who asks, now or as of the filters that it is given.
        narrow: returns filters of the names of `FilterFields`, held to the view's subject.
        add: as `AgentMemory.add`.
        update: as `AgentMemory.update`.
        delete: as `AgentMemory.delete`.
    """

    store: Store
    settings: Settings
    subject: str | None
    shared: bool
    visibility: Callable[..., Visibility]
    narrow: Callable[[Mapping[str, object]], Filters]
    add: Callable[..., Receipt]
    update: Callable[..., Receipt]
    delete: Callable[[str], None]


class Entity:
    """What is known of one thing by the names of its attributes: ``view.layers.entity("db1")``.

    Names are compared exactly, in normal form C. "server:db1" is also found as "db1", while there
    is one of that name; and a subject such as "user:alice" as "alice".

    >>> from agent_memory_os import MemoryClient
    >>> db1 = MemoryClient(":memory:").as_agent("bot").layers.entity("db1")
    >>> _ = db1.set("port", "5432", tags=["ops"])
    >>> db1.set("port", "6432").verdict
    'superseded'
    >>> db1["port"].content, db1["port"].tags
    ('6432', ('ops',))
    >>> [value.content for value in db1.history("port")]
    ['5432', '6432']
    """

    def __init__(self, ground: Ground, name: object, subject: object = None) -> None:
        self._ground = ground
        self._name = parse_label(name, "name")
        named = None if subject is None else access.parse_kinded(subject, "subject")
        ground.narrow({"subject": named})  # raises if the view is bound to another one
        self._subject = ground.subject if named is None else named

    @property
    def name(self) -> str:
        """The name by which it was asked for."""
        return self._name

    @property
    def subject(self) -> str | None:
        """What its values are about, if that was said or the view is bound to it."""
        return self._subject

    def __repr__(self) -> str:
        about = "" if self._subject is None else f", subject={self._subject!r}"
        return f"Entity({self._name!r}{about})"

    def __getitem__(self, attribute: str) -> Memory:
        """Return the value that holds, as `get` does.

        Raises:
            NotFound: there is none that the agent may see; the error names the nearest attribute,
                or the nearest entity when this one has no attributes.
            InvalidInput: the name is malformed, or several entities are called so.
        """
        found = self.get(attribute)
        if found is None:
            raise self._absent(attribute)
        return found

    def __contains__(self, attribute: object) -> bool:
        """Return whether the agent sees a value of an attribute; no other key is there.

        Raises:
            InvalidInput: several entities are called so.
        """
        try:
            name = parse_label(attribute, "attribute")
        except InvalidInput:
            return False
        return self.get(name) is not None

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the attributes that the agent sees a value of, sorted."""
        return iter(self.attributes())

    def __len__(self) -> int:
        """Return how many attributes the agent sees a value of."""
        return len(self.attributes())

    def keys(self) -> KeysView[str]:
        """Return the names of the attributes that the agent sees a value of, sorted.

        With it ``dict(entity)`` is what `attributes` returns.

        Raises:
            InvalidInput: several entities are called so.
        """
        return self.attributes().keys()

    @overload
    def get(
        self, attribute: str, default: None = None, *, as_of: datetime | None = None
    ) -> Memory | None: ...
    @overload
    def get(
        self, attribute: str, default: Other, *, as_of: datetime | None = None
    ) -> Memory | Other: ...
    def get(
        self, attribute: str, default: Other | None = None, *, as_of: datetime | None = None
    ) -> Memory | Other | None:
        """Return the value of an attribute that holds, or *default* when the agent sees none.

        Where values of several owners hold, it is the one that began to hold last; `search` and
        packs mark what contradicts it.

        Args:
            attribute: its name.
            default: what is returned when there is none; None when omitted.
            as_of: the value that held at this moment; aware; now when None.

        Raises:
            InvalidInput: an argument is malformed, or several entities are called so.
        """
        attribute = parse_label(attribute, "attribute")
        asks = self._ground.visibility(self._past(as_of))
        with self._ground.store.read() as snapshot:
            found = _latest(self._values(snapshot, attribute, asks))
        return default if found is None else found

    def attributes(self, *, as_of: datetime | None = None) -> dict[str, Memory]:
        """Return the value that holds of each attribute that the agent sees one of, by name.

        Args:
            as_of: what held at this moment; aware; now when None.

        Raises:
            InvalidInput: *as_of* is malformed, or several entities are called so.
        """
        asks = self._ground.visibility(self._past(as_of))
        most = self._ground.settings.max_limit
        held: dict[str, list[Memory]] = {}
        with self._ground.store.read() as snapshot:
            for place in self._places(snapshot, asks):
                for value in snapshot.attributes(place, asks, most=most):
                    held.setdefault(value.attribute or "", []).append(value)
        latest = ((name, _latest(values)) for name, values in sorted(held.items()))
        return {name: value for name, value in latest if value is not None}

    def history(self, attribute: str, *, limit: int = HISTORY) -> list[Memory]:
        """Return the values that an attribute has had, oldest first, those that hold included.

        Each value is a memory of its own: ``state`` says whether another one took its place, and
        `AgentMemory.history` what was changed in it.

        Args:
            attribute: its name.
            limit: most values, the last ones, 0 or more; cut to ``settings.max_limit``.

        Raises:
            InvalidInput: an argument is malformed, or several entities are called so.
        """
        attribute = parse_label(attribute, "attribute")
        most = bounds.whole(limit, "limit", most=self._ground.settings.max_limit)
        asks = self._ground.visibility()
        with self._ground.store.read() as snapshot:
            found = [
                value
                for place in self._places(snapshot, asks)
                for value in snapshot.values_ever(place, attribute, asks, most=most)
            ]
        told = sorted(found, key=lambda each: each.id)
        return told[max(len(told) - most, 0) :]

    def set(self, attribute: str, value: str, **fields: Unpack[ValueFields]) -> Receipt:
        """Say what the value of an attribute is now, and return the receipt.

        It takes the place of the agent's own value of before, which stays in the `history`; what
        another agent has said stays beside it, and contradicts it. The same value again changes
        the fields that are named.

        Args:
            attribute: its name.
            value: the value, as text.
            fields: those of `ValueFields`.

        Raises:
            InvalidInput: an argument is malformed, or several entities are called so.
            NotPermitted, StoreBusy: as `add` does.
        """
        attribute = parse_label(attribute, "attribute")
        parse_content(value, self._ground.settings, "value")
        held, place = self._own(attribute)
        while True:
            try:
                return self._put(held, place, attribute, value, fields)
            except NotFound:
                before = [each.id for each in held]
                held, place = self._own(attribute)
                if [each.id for each in held] == before:
                    raise  # else another call has set it meanwhile: take the place of that

    def delete(self, attribute: str) -> None:
        """Take the agent's own value of an attribute out of every read; no older one comes back.

        Raises:
            NotFound: the agent has none; the error names the nearest attribute.
            InvalidInput: the name is malformed, or several entities are called so.
        """
        attribute = parse_label(attribute, "attribute")
        held, _ = self._own(attribute)
        if not held:
            raise self._absent(attribute)
        for each in held:
            self._ground.delete(each.id)

    def _own(self, attribute: str) -> tuple[list[Memory], Place]:
        """Return the agent's own values that hold, the latest last, and where one is written."""
        asks = self._ground.visibility()
        with self._ground.store.read() as snapshot:
            values = self._values(snapshot, attribute, asks)
            places = self._places(snapshot, asks)
        own = sorted((each for each in values if self._may_change(each, asks)), key=_began)
        return own, Place(own[-1].subject, own[-1].entity) if own else places[0]

    def _put(
        self,
        held: Sequence[Memory],
        place: Place,
        attribute: str,
        value: object,
        fields: Mapping[str, object],
    ) -> Receipt:
        is_same = len(held) == 1 and held[0].content == value
        if is_same and fields and fields.keys() <= _IN_PLACE:
            return self._ground.update(held[0].id, **fields)
        named = {"subject": place.subject, "entity": place.entity, "attribute": attribute}
        carried = _carried(held, fields)
        if is_same and not fields:
            del carried["supersedes"]  # the same again strengthens it
        return self._ground.add(value, **named, **carried)

    def _past(self, as_of: object) -> Filters:
        return NO_FILTERS if as_of is None else self._ground.narrow({"as_of": as_of})

    def _values(self, snapshot: Snapshot, attribute: str, asks: Visibility) -> list[Memory]:
        return [
            value
            for place in self._places(snapshot, asks)
            for value in snapshot.values(place, attribute, asks, most=_RIVALS)
        ]

    def _may_change(self, value: Memory, asks: Visibility) -> bool:
        bound = self._ground.subject
        return value.owner == asks.agent and bound in (None, value.subject)

    def _places(self, snapshot: Snapshot, asks: Visibility) -> list[Place]:
        """Return where the values of it stand, the first where a new one is written.

        Raises:
            InvalidInput: nothing has that name, and several are called so.
        """
        name, about = self._name, self._subject
        if about is None and ":" in name:
            return _of_subject(name)
        if about is not None and name in (about, _short(about)):
            return [*_of_subject(about), Place(about, name)]
        places = [Place(about, name)]
        if self._ground.shared and about == self._ground.subject:
            places.append(Place(None, name))
        if ":" in name or any(snapshot.attributes(each, asks, most=1) for each in places):
            return places
        called = [Place(about, each) for each in snapshot.called(name, about, asks)]
        if about is None:
            called += [Place(each, None) for each in snapshot.named_so(name, asks)]
        names = sorted({each.entity or each.subject or "" for each in called})
        if len(names) > 1:
            raise InvalidInput(f"{name!r} may be {' or '.join(map(repr, names))}: name it whole")
        if not names:
            return places
        return _of_subject(names[0]) if about is None else called

    def _absent(self, attribute: str) -> NotFound:
        known = self.attributes()
        if attribute in known:
            return NotFound(
                f"agent {self._ground.visibility().agent!r} has no {attribute!r} of {self._name!r}"
                f" of its own here; the one that it reads is by {known[attribute].owner!r}"
            )
        if known:
            what = f"{self._name!r} has no attribute {attribute!r} that you may see"
            return NotFound(what + near.hint(attribute, known))
        narrow = self._ground.narrow({"subject": self._subject})
        with self._ground.store.read() as snapshot:
            held = snapshot.entities(self._ground.visibility(), narrow, kind=None, limit=near.MOST)
        names = [each.place.entity or "" for each in held]
        return NotFound(f"there is no entity {self._name!r}{near.hint(self._name, names)}")


def entities(ground: Ground, *, subject: object, kind: object, limit: int) -> list[EntityEntry]:
    """Return the entities that the agent sees a value of, the last written to first."""
    narrowing = ground.narrow({"subject": subject})
    wanted = None if kind is None else access.parse_name(kind, "kind")
    with ground.store.read() as snapshot:
        found = snapshot.entities(ground.visibility(), narrowing, kind=wanted, limit=limit)
    return [
        EntityEntry(each.place.entity or "", each.place.subject, each.holds, each.updated_ms)
        for each in found
    ]


def _of_subject(name: str) -> list[Place]:
    return [Place(name, None), Place(name, name), Place(None, name)]


def _short(name: str) -> str:
    return name.partition(":")[2]


def _kind(name: str) -> str | None:
    return name.partition(":")[0] if ":" in name else None


def _latest(values: Sequence[Memory]) -> Memory | None:
    return max(values, key=_began, default=None)


def _began(value: Memory) -> tuple[int, str]:
    since = value.occurred_ms if value.valid_from_ms is None else value.valid_from_ms
    return since, value.id


def _carried(held: Sequence[Memory], given: Mapping[str, object]) -> dict[str, Any]:
    """Return the fields of a new value: those that are *given*, else those of the last one held."""
    fields = dict(given)
    merged = fields.pop("merge_metadata", {})
    if not isinstance(merged, Mapping):
        raise InvalidInput(f"merge_metadata must be a mapping, not {merged!r}")
    if merged and "metadata" in fields:
        raise InvalidInput("give metadata, which replaces, or merge_metadata; not both")
    kept: dict[str, Any] = {"type": TYPE}
    if held:
        kept = {name: getattr(held[-1], name) for name in _STAYS}
        kept |= {"layer": held[-1].layer, "supersedes": [each.id for each in held]}
    if merged:
        kept["metadata"] = {**kept.get("metadata", {}), **merged}
    return kept | fields
