"""Erasing: nothing is left of what was forgotten, and nothing else goes."""

from collections.abc import Iterator

from agent_memory_os.laws.law import OWNER, Bench, differs, law
from agent_memory_os.laws.reads import READS, plain, shown
from agent_memory_os.laws.world import KINDS, World
from agent_memory_os.model import NO_FILTERS

_PATIENCE_MS = 2_000


@law(
    "what is erased is in no read, no history and no trace, and nothing else goes",
    "erase tombstones Store.purge Store.probe",
)
def erased(bench: Bench) -> Iterator[str]:
    """Whoever asks, in whatever state; its bytes go with the purge."""
    world = World(bench, KINDS)
    harbour = "dublin"
    doomed = [ids[harbour] for ids in (world.atoms, world.events, world.scenes)]
    bench.store.rebuild_indexes()  # they may wait to be indexed, and then leave no trace
    gone = bench.do(lambda tx: tx.erase(doomed, by=OWNER))
    left = bench.store.purge([gone], patience_ms=_PATIENCE_MS)
    yield from differs("why bytes are left", left, "")
    traces = {where: count for where, count in bench.store.probe([gone]).items() if count}
    yield from differs("the traces that are left", traces, {})
    every = bench.everything()
    for name, read in READS.items():
        if not read.own:
            with bench.store.read() as snapshot:
                answer = plain(read.ask(snapshot, every, world), world)
            if harbour in shown(answer):
                yield f"{name} tells of it still"
    stones = bench.ask(lambda s: s.tombstones())
    yield from differs(
        "what is said to be forgotten",
        sorted(it.id for it in stones.found if it.id in doomed),
        sorted(doomed),
    )
    rest = sorted(set(world.ids) - set(doomed))
    yield from differs(
        "what is still there", sorted(bench.ask(lambda s: s.passing(rest, every))), rest
    )


@law("erasing follows what was derived from it alone, and tells what stays", "cascade every erase")
def cascades(bench: Bench) -> Iterator[str]:
    """What has another source is bereft, and its history says so."""
    source, other = bench.add("tea", layer=0), bench.add("rice")
    alone, both = bench.add("Ada drinks tea"), bench.add("Ada drinks tea with rice")
    for derived, of in ((alone, source), (both, source), (both, other)):
        bench.link(derived, of, "derived_from")
    found = bench.ask(lambda s: s.cascade([source.id], evidence=False, anybody=False))
    yield from differs("what goes along", set(found.ids), {source.id, alone.id})
    yield from differs("what is bereft", set(found.bereft), {both.id})
    up = bench.ask(lambda s: s.cascade([alone.id], evidence=False, anybody=False))
    yield from differs("what goes without evidence", set(up.ids), {alone.id})
    bench.do(lambda tx: tx.erase(found.ids, by=OWNER))
    told = bench.history(both)
    yield from differs(
        "what the history of it says", [it.kind for it in told], ["source forgotten"]
    )
    left = bench.ask(lambda s: s.every(owner=OWNER))
    yield from differs("what is left of the owner", sorted(left), sorted([other.id, both.id]))


@law(
    "erasing takes along the events that served what is erased alone, if that is wanted", "cascade"
)
def evidence_goes(bench: Bench) -> Iterator[str]:
    """Of the same owner; an event that serves something else stays."""
    mine, shared = bench.add("tea?", layer=0), bench.add("rice?", layer=0)
    atom, other = bench.add("tea"), bench.add("rice")
    for derived, of in ((atom, mine), (atom, shared), (other, shared)):
        bench.link(derived, of, "derived_from")
    for evidence, wanted in ((False, {atom.id}), (True, {atom.id, mine.id})):
        with bench.store.read() as snapshot:
            found = snapshot.cascade([atom.id], evidence=evidence, anybody=False)
        yield from differs(f"what goes with evidence={evidence}", set(found.ids), wanted)


@law("all of a subject and all of an owner is found, in whatever state", "every")
def every(bench: Bench) -> Iterator[str]:
    """Theirs, and nobody else's."""
    mine = bench.add("tea", subject="user:bo")
    gone = bench.add("rice", subject="user:bo", ttl_ms=1)
    other = bench.add("milk", owner="neo", subject="user:bo")
    bench.add("cake", subject="user:cy", owner="neo")
    bench.move(mine, "deleted")
    bench.clock.advance(days=1)
    of_bo = bench.ask(lambda s: s.every(subject="user:bo"))
    yield from differs(
        "what is of the subject", sorted(of_bo), sorted([mine.id, gone.id, other.id])
    )
    yield from differs(
        "what is of the owner",
        sorted(bench.ask(lambda s: s.every(owner=OWNER))),
        sorted([mine.id, gone.id]),
    )


@law(
    "an older store forgets what was forgotten since, and takes nothing that was told later",
    "apply_tombstones tombstones erase reject",
)
def tombstones(bench: Bench) -> Iterator[str]:
    """By id, and by what it said if a digest was wanted."""
    older = bench.another()
    said = older.add("the code is 5521")
    wrong = older.add("the port is 8001")
    for each in (bench, older):
        each.clock.advance(hours=1)
    forgotten = bench.add("the code is 5521")
    rejected = bench.add("the port is 8001")
    bench.do(lambda tx: tx.erase([forgotten.id], by=OWNER, remember=True))
    bench.do(lambda tx: tx.reject(rejected, by=OWNER))
    older.clock.advance(hours=1)
    later = older.add("the code is 5521")
    stones = bench.ask(lambda s: s.tombstones())
    gone = older.do(lambda tx: tx.apply_tombstones(stones, by=OWNER))
    yield from differs("what it forgets", list(gone), [said.id])
    read = older.ask(lambda s: s.passing([said.id, wrong.id, later.id], older.reader()))
    yield from differs("what is left in recall", read, {later.id})


@law("who holds every word of a text is told, of what the reader sees", "saying")
def saying(bench: Bench) -> Iterator[str]:
    """Whatever the order of the words."""
    held = bench.add("the code of the door is 5521")
    bench.add("the door is open")
    found = bench.ask(lambda s: s.saying(["5521 door"], bench.reader(), most=9))
    yield from differs("what holds the words", found, {held.id})
    hidden = bench.ask(lambda s: s.saying(["5521 door"], bench.reader("neo"), most=9))
    yield from differs("what another is told", hidden, set())


@law("the bytes of all that was erased can be removed at once", "Store.purge_all erase browse")
def purge_all(bench: Bench) -> Iterator[str]:
    """Whoever erased it, and nothing else goes."""
    kept, gone = bench.add("tea"), bench.add("the code is 5521")
    bench.store.rebuild_indexes()
    erasure = bench.do(lambda tx: tx.erase([gone.id], by=OWNER))
    yield from differs("why bytes are left", bench.store.purge_all(), "")
    traces = {where: count for where, count in bench.store.probe([erasure]).items() if count}
    yield from differs("the traces that are left", traces, {})
    found = bench.ask(lambda s: s.browse(bench.everything(), NO_FILTERS, limit=9))
    yield from differs("what is there", found, [kept])
