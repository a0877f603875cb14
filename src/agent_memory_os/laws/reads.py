"""Every read that takes a `Visibility`, as it is asked about the little world."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from typing import Literal, NamedTuple

from agent_memory_os.laws.world import (
    ATTRIBUTE,
    BO,
    CY,
    KIND,
    KINDS,
    MEMBERS,
    MODEL,
    SESSION,
    Member,
    World,
)
from agent_memory_os.model import NO_FILTERS, Draft, Visibility
from agent_memory_os.noun import Noun
from agent_memory_os.providers.engines import Signs
from agent_memory_os.pure import embedding, packing
from agent_memory_os.pure.layer import SCENE
from agent_memory_os.pure.text import analyse_query, index_terms
from agent_memory_os.store.contract import Asked, Place, Snapshot, VectorCache

MOST = 1_000
_QUAY = analyse_query("quay")
_UNNAMED = frozenset({"version", "access_version", "file_bytes", "by_model"})  # of no reader

Ask = Callable[[Snapshot, Visibility, World], object]


class Read(NamedTuple):
    """A read as it is asked.

    ask: asks it about everything in the world, whoever may see it.
    shows: "all" that the reader sees, or "some" of it.
    own: whether only of what the reader owns; nobody asks so for the administration.
    ever: whether also what has held, and does not any more.
    """

    ask: Ask
    shows: Literal["all", "some"] = "all"
    own: bool = False
    ever: bool = False


def _each(ids: Iterable[str], read: Callable[[str], object]) -> dict[str, object]:
    """Return what *read* finds for each of *ids* for which it finds something."""
    found = ((each, read(each)) for each in ids)
    return {each: answer for each, answer in found if answer}


def _misspelt(harbour: str) -> tuple[str, str]:
    """Return a term that is like the one of a harbour, and how it was spelt."""
    word = f"{harbour[:3]}{harbour[4:]}"
    return index_terms(word)[0], word


def _places() -> list[Place]:
    return [Place(_about(member), f"{KIND}:{member.harbour}") for member in MEMBERS]


def _about(member: Member) -> str | None:
    about = member.fields.get("subject")
    return None if about is None else str(about)


def _matches(snapshot: Snapshot, by: Visibility, _: World) -> object:
    found = snapshot.matches(_QUAY, by, NO_FILTERS)
    return sorted(found.found), found.rows, found.mean_terms, found.frequencies


def _documents(snapshot: Snapshot, by: Visibility, _: World) -> object:
    """Return the analysed texts, and how few are already too many."""
    every = snapshot.documents(by, NO_FILTERS, most=MOST) or ()
    is_exact = snapshot.documents(by, NO_FILTERS, most=len(every)) is not None
    is_bound = not every or snapshot.documents(by, NO_FILTERS, most=len(every) - 1) is None
    return sorted(every), is_exact, is_bound


def asked() -> Asked:
    """Return a query as a vector, with an empty cache."""
    return Asked(MODEL, embedding.pack([1.0, 0.1, 0.5, 0.1]), VectorCache(Signs(), nullcontext()))


def _found(answers: Iterable[object]) -> list[object]:
    """Return those of *answers* that have found something."""
    return [answer for answer in answers if answer]


def _rivals(snapshot: Snapshot, by: Visibility, _: World) -> object:
    drafts = (
        Draft(f"the quay of {member.harbour} is not deep", by.agent, subject=_about(member))
        for member in MEMBERS
    )
    found = (snapshot.rivals(draft, by) for draft in drafts)
    return sorted({memory.id for rivals in found for memory in rivals})


def _called(snapshot: Snapshot, by: Visibility, _: World) -> object:
    return _found(snapshot.called(it.harbour, _about(it), by) for it in MEMBERS)


def _own_handles(snapshot: Snapshot, by: Visibility, world: World) -> object:
    digests = {at: packing.pack(f"the log of {at}").digest for at in world.atoms}
    return sorted(
        each
        for digest in digests.values()
        for each in snapshot.own_handles(digest, by, is_text=True)
    )


def _undistilled(snapshot: Snapshot, by: Visibility, _: World) -> object:
    return [
        snapshot.undistilled(by, session=of, subject=about, apart=False, after="", most=MOST)
        for of in (None, SESSION)
        for about in (None, BO, CY)
    ]


def _sessions(snapshot: Snapshot, by: Visibility, _: World) -> object:
    return [
        snapshot.sessions(by, session=of, subject=about, limit=MOST)
        for of in (None, SESSION)
        for about in (None, BO, CY)
    ]


def _events(snapshot: Snapshot, by: Visibility, world: World) -> object:
    told = [
        snapshot.events(by, NO_FILTERS, session=of, around=around, limit=MOST)
        for of in (None, SESSION)
        for around in (None, world.events["anchorage"], world.now_ms)
    ]
    last = snapshot.events(by, NO_FILTERS, session=SESSION, around=None, limit=2)
    return [*told, last]


READS: Mapping[str, Read] = {
    "matches": Read(_matches),
    "alike": Read(lambda s, by, _: s.alike(dict(map(_misspelt, KINDS)), by, NO_FILTERS), "some"),
    "documents": Read(_documents),
    "nearest": Read(lambda s, by, _: s.nearest(asked(), by, NO_FILTERS, most=MOST, sample=MOST)),
    "alikeness": Read(lambda s, by, world: s.alikeness(asked(), world.ids, by)),
    "surroundings": Read(lambda s, by, world: s.surroundings(world.ids, by, width=3)),
    "read": Read(lambda s, by, world: sorted(s.read(world.ids, by), key=lambda it: it.id)),
    "browse": Read(lambda s, by, _: s.browse(by, NO_FILTERS, limit=MOST)),
    "passing": Read(lambda s, by, world: s.passing(world.ids, by)),
    "steps": Read(lambda s, by, world: sorted(s.steps(world.ids, by, most=MOST))),
    "fans": Read(lambda s, by, world: s.fans(world.ids, by, most=MOST, looked_at=MOST)),
    "rivals": Read(_rivals, "some"),
    "marks": Read(lambda s, by, world: s.marks(world.anchors(by), by), "some"),
    "evidence": Read(lambda s, by, world: s.evidence(world.anchors(by), by, up=True, most=MOST)),
    "sessions": Read(_sessions, "some"),
    "events": Read(_events),
    "organised": Read(
        lambda s, by, _: s.organised(by, layer=SCENE, subject=None, apart=False, most=MOST)
    ),
    "values": Read(
        lambda s, by, _: _found(s.values(at, ATTRIBUTE, by, most=MOST) for at in _places())
    ),
    "values_ever": Read(
        lambda s, by, _: _found(s.values_ever(at, ATTRIBUTE, by, most=MOST) for at in _places()),
        ever=True,
    ),
    "attributes": Read(
        lambda s, by, _: _found(s.attributes(at, by, most=MOST) for at in _places())
    ),
    "called": Read(_called),
    "entities": Read(lambda s, by, _: s.entities(by, NO_FILTERS, kind=None, limit=MOST)),
    "subjects": Read(lambda s, by, _: s.subjects(by, NO_FILTERS, limit=MOST), "some"),
    "named_so": Read(lambda s, by, _: [s.named_so(name, by) for name in ("bo", "cy")], "some"),
    "undistilled": Read(_undistilled, own=True),
    "pending": Read(
        lambda s, by, _: [s.pending(by, subject=it) for it in (None, BO, CY)], "some", own=True
    ),
    "payload": Read(lambda s, by, world: _each(world.ids, lambda it: s.payload(it, by))),
    "own_handles": Read(_own_handles, own=True),
    "history": Read(lambda s, by, world: _each(world.ids, lambda it: s.history(it, by))),
    "stats": Read(lambda s, by, _: s.stats(by), "some"),
    "saying": Read(lambda s, by, _: s.saying(["quay deep"], by, most=MOST)),
}


def answers(snapshot: Snapshot, world: World, by: Visibility) -> dict[str, object]:
    """Return what each read answers, with the names of the world in place of ids."""
    return {
        name: plain(read.ask(snapshot, by, world), world)
        for name, read in READS.items()
        if not (read.own and by.admin)
    }


def told_to(by: Visibility, world: World) -> dict[str, object]:
    """Return what each read answers in a snapshot of its own."""
    with world.bench.store.read() as snapshot:
        return answers(snapshot, world, by)


def plain(value: object, world: World) -> object:
    """Return *value* as dicts, lists and atoms, with the names of the world in place of ids."""
    if isinstance(value, str):
        return world.names.get(value, value)
    if isinstance(value, Noun):
        kept = (name for name in type(value).__match_args__ if name not in _UNNAMED)
        return {name: plain(getattr(value, name), world) for name in kept}
    if isinstance(value, Mapping):
        return {str(plain(key, world)): plain(each, world) for key, each in value.items()}
    if isinstance(value, set | frozenset):
        return sorted(str(plain(each, world)) for each in value)
    if isinstance(value, list | tuple):
        return [plain(each, world) for each in value]
    return round(value, 9) if isinstance(value, float) else value


def shown(answer: object) -> set[str]:
    """Return the harbours of all that a plain *answer* tells of, in whatever place of it."""
    told = " ".join(texts(answer)).casefold()
    return {harbour for harbour in KINDS if harbour in told}


def texts(value: object) -> Iterable[str]:
    """Yield every text in a plain *value*, keys as well."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bytes):
        yield value.decode("utf-8", "replace")
    elif isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each)
