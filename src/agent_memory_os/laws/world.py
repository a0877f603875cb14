"""A small world with much to hide: memories of each kind that some see and others do not."""

# Every member has a harbour of its own, whose name stands in all that is told of it, so that
# whatever is shown of it is known by that. It has an atom, an event and a scene. A member that is
# left out leaves its moment as well, so that what is there has the same times without it.

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from agent_memory_os.laws.law import OWNER, Bench
from agent_memory_os.model import Draft, Memory, State, Visibility
from agent_memory_os.pure import embedding, packing
from agent_memory_os.pure.layer import KEY_PREFIX, SCENE
from agent_memory_os.store.contract import Transaction

HOUR_MS = 3_600_000
MODEL = "law/4"
SESSION, ATTRIBUTE, KIND = "s1", "depth", "harbour"
BO, CY = "user:bo", "user:cy"
READERS: Mapping[str, Mapping[str, object]] = {
    "its owner": {"agent": OWNER},
    "a teammate": {"agent": "neo"},
    "a stranger": {"agent": "eve"},
    "a view bound to a subject": {"agent": OWNER, "subject": BO},
    "a bound view with shared=True": {"agent": OWNER, "subject": BO, "shared": True},
    "the administration": {"agent": "root", "admin": True},
}
_OWNER, _MATE, _STRANGER, _BOUND, _SHARED, _ADMIN = READERS
_UNBOUND = (_OWNER, _MATE, _STRANGER, _SHARED, _ADMIN)  # who see what is global and about nobody
_BOTH = (_OWNER, _MATE, _SHARED, _ADMIN)  # of which the owner and a teammate are
_OWN = (_OWNER, _SHARED, _ADMIN)
_NOBODY = ()


class Member(NamedTuple):
    """What some readers see, and others do not.

    kind: what it is, in words.
    harbour: the word that tells it from all others.
    seen: the readers who see it.
    held: the readers who saw it while it held, and do not any more.
    end: the state that it is moved to at last, if any.
    by: the harbour of what takes its place, or "".
    fields: of its drafts.
    """

    kind: str
    harbour: str
    seen: Sequence[str]
    held: Sequence[str]
    end: State | None
    by: str
    fields: Mapping[str, object]

    @property
    def owner(self) -> str:
        """The agent that wrote it."""
        return str(self.fields.get("owner", OWNER))


def _member(
    kind: str,
    harbour: str,
    seen: Sequence[str],
    *,
    held: Sequence[str] = _NOBODY,
    end: State | None = None,
    by: str = "",
    **fields: object,
) -> Member:
    return Member(kind, harbour, seen, held, end, by, fields)


def _shared(
    kind: str, harbour: str, seen: Sequence[str], scope: str = "global", **more: Any
) -> Member:
    return _member(kind, harbour, seen, visibility=(scope,), **more)


MEMBERS = (
    _shared("global, about the subject", "anchorage", [*READERS], subject=BO),
    _shared("global", "bergen", _UNBOUND),
    _member("private to its owner", "cadiz", _OWN),
    _shared("given to an agent", "dublin", _BOTH, "agent:neo"),
    _shared("of a team", "esbjerg", _BOTH, "team:apollo"),
    _shared("of a project", "fremantle", _BOTH, "project:lander"),
    _shared("of a team of others", "gdansk", _OWN, "team:zeus"),
    _member("private to a teammate", "hamburg", (_MATE, _ADMIN), owner="neo"),
    _member("a teammate's, about the subject", "izmir", (_MATE, _ADMIN), owner="neo", subject=BO),
    _shared("given by a stranger", "jakarta", (*_OWN, _STRANGER), f"agent:{OWNER}", owner="eve"),
    _member("private, about the subject", "kobe", (*_OWN, _BOUND), subject=BO),
    _member("private, about another subject", "lisbon", (_OWNER, _ADMIN), subject=CY),
    _shared("expired", "montevideo", _NOBODY, ttl_ms=HOUR_MS),
    _shared("not valid yet", "naples", _NOBODY, valid_from_ms=10**15),
    _shared("valid no more", "oslo", _NOBODY, held=_UNBOUND, valid_to_ms=1),
    _shared("deleted", "porto", _NOBODY, end="deleted"),
    _shared("archived", "qingdao", _NOBODY, end="archived"),
    _shared("superseded", "rotterdam", _NOBODY, held=_UNBOUND, by="stockholm"),
    _shared("what took the place of another", "stockholm", _UNBOUND),
    _shared("superseded in private", "tallinn", (_MATE, _STRANGER), held=_OWN, by="ushuaia"),
    _member("what took a place in private", "ushuaia", _OWN),
)
KINDS = {member.harbour: member.kind for member in MEMBERS}


class World:
    """The world as it stands in one store.

    Attributes:
        names: what each id is known by: a harbour, and "atom", "event" or "scene".
        atoms, events, scenes: the ids of these, by harbour.
        now_ms: the moment at which it is read.
    """

    def __init__(self, bench: Bench, harbours: Collection[str]) -> None:
        self.bench = bench
        self.atoms: dict[str, str] = {}
        self.events: dict[str, str] = {}
        self.scenes: dict[str, str] = {}
        bench.do(_organise)
        here = [member for member in MEMBERS if member.harbour in harbours]
        for member in MEMBERS:
            bench.clock.advance(minutes=1)
            if member in here:
                self._settle(member)
        for member in here:
            bench.clock.advance(minutes=1)
            self._end(member)
        bench.clock.advance(days=1)
        self.now_ms = bench.clock.now_ms()
        every = (("atom", self.atoms), ("event", self.events), ("scene", self.scenes))
        self.names = {each: f"{at} {what}" for what, ids in every for at, each in ids.items()}

    @property
    def ids(self) -> list[str]:
        """All ids, in the order of writing."""
        return sorted(self.names)

    def anchors(self, visibility: Visibility) -> list[str]:
        """Return the atoms that all is linked with, as far as a reader sees them."""
        is_held = visibility.subject is not None and not visibility.shared
        return [self.atoms["anchorage"], *([] if is_held else [self.atoms["bergen"]])]

    def reader(self, name: str) -> Visibility:
        """Return one of the readers."""
        return replace(Visibility("", self.now_ms), **READERS[name])  # type: ignore[arg-type]  # its fields

    def _settle(self, member: Member) -> None:
        vector = embedding.pack([1.0, MEMBERS.index(member) / 100, 0.5, 0.1])
        with self.bench.store.write() as tx:
            atom = _told(tx, member, vector, layer=1, entity=f"{KIND}:{member.harbour}")
            event = _told(tx, member, vector, layer=0, session=SESSION)
            scene = _told(tx, member, vector, layer=SCENE, key=f"{KEY_PREFIX}{member.harbour}")
            self.scenes[member.harbour] = scene.id
            tx.put_payload(atom.id, packing.pack(f"the log of {member.harbour}"))
            self.atoms[member.harbour], self.events[member.harbour] = atom.id, event.id
            is_first = member.harbour == "anchorage"
            for each in (atom.id, event.id) if not is_first else (event.id,):
                self._link(tx, member, each)

    def _link(self, tx: Transaction, member: Member, memory_id: str) -> None:
        anchor, by = self.atoms["anchorage"], member.owner
        for relation in ("related_to", "contradicts"):
            tx.link(memory_id, anchor, relation=relation, weight=0.5, by=by)
        ground = self.atoms.get("bergen", anchor)
        base = anchor if member.fields.get("subject") == BO else ground
        if base != memory_id and (base != anchor or member.fields.get("subject") == BO):
            tx.link(memory_id, base, relation="derived_from", weight=1.0, by=by)

    def _end(self, member: Member) -> None:
        every = (self.atoms, self.events, self.scenes)
        with self.bench.store.write() as tx:
            for ids in every:
                memory = _found(tx, ids[member.harbour], self.bench)
                if member.end is not None:
                    tx.set_state(memory, member.end, by=member.owner)
                if member.by in ids:
                    tx.supersede(ids[member.by], memory.id, by=member.owner)


def _organise(tx: Transaction) -> None:
    for team in ("apollo", "zeus"):
        tx.create_team(team)
    tx.create_project("lander", "apollo")
    for agent in (OWNER, "neo"):
        tx.add_member("team:apollo", agent)
        tx.add_member("project:lander", agent)
    tx.add_member("team:zeus", "zoe")


def _found(tx: Transaction, memory_id: str, bench: Bench) -> Memory:
    (memory,) = tx.read([memory_id], bench.everything())
    return memory


def _told(tx: Transaction, member: Member, vector: bytes, **more: object) -> Memory:
    """Write a row of a member, change what it says, and give it a vector."""
    fields = {"owner": OWNER, "tags": ("port",), **member.fields, **more}
    if "entity" in more:
        fields["attribute"] = ATTRIBUTE
    draft = Draft(f"a draft of the quay of {member.harbour}", **fields)  # type: ignore[arg-type]  # its fields
    first = tx.insert(draft)
    said = f"the quay of {member.harbour} is deep"
    memory = tx.replace(replace(first, content=said), by=member.owner, kind="update")
    tx.put_vector(memory.id, said, model=MODEL, vector=vector)
    return memory
