"""What is made of memories: mergers, concepts, scenes and personas."""

from collections.abc import Iterator
from dataclasses import replace

from agent_memory_os.laws.law import OWNER, Bench, differs, law
from agent_memory_os.pure import concept
from agent_memory_os.pure.layer import KEY_PREFIX, PERSONA, SCENE, Partition

BO = "user:bo"


@law(
    "what says the same is found, taken in, and let go again as it was",
    "repeated twins absorb release apart unarchive",
)
def mergers(bench: Bench) -> Iterator[str]:
    """With links and counts; once let go, they are held apart."""
    first, second = (bench.add("Ada drinks tea") for _ in range(2))
    other = bench.add("Ada drinks tea", subject=BO)
    far = bench.add("rice")
    bench.link(second, far, "about")
    bench.do(lambda tx: tx.count_recall([second.id], helped=True))

    def twins(subject: str | None = None) -> list[list[str]]:
        now_ms = bench.clock.now_ms()
        found = bench.ask(
            lambda s: s.twins(s.repeated(), now_ms=now_ms, owner=None, subject=subject)
        )
        return [list(group) for group in found]

    def leads_to() -> list[str]:
        by = bench.reader()
        steps = bench.ask(lambda s: s.steps([first.id], by, relations=("about",), most=9))
        return [step.target for step in steps]

    yield from differs("the twins", twins(), [[first.id, second.id]])
    yield from differs("those of another subject", twins(BO), [])
    bench.do(lambda tx: tx.absorb(replace(first, mentions=2), bench.now(second, tx), by=OWNER))
    united = bench.now(first)
    yield from differs("what took it in", (united.mentions, united.recalls), (2, 1))
    yield from differs("the state of what was taken in", bench.now(second).state, "archived")
    yield from differs("where it leads then", leads_to(), [far.id])
    yield from differs("the twins then", twins(), [])
    bench.do(lambda tx: tx.release(first.id, second.id))
    bench.do(lambda tx: tx.unarchive(second.id, by=OWNER))
    yield from differs("where it leads when that was taken back", leads_to(), [])
    yield from differs("its recalls then", bench.now(first).recalls, 0)
    held = bench.ask(lambda s: s.apart(first.id, [second.id, other.id, far.id]))
    yield from differs("what is held apart from it", held, {second.id})


@law(
    "a concept rests on all that it was made of, and is replaced when that is",
    "concepts was_named follow in_sight supersede",
)
def concepts(bench: Bench) -> Iterator[str]:
    """Whole while each source is in sight for all who see it."""
    sources = [bench.add(content) for content in ("tea", "rice", "milk")]
    ids = tuple(memory.id for memory in sources)
    key = concept.key_of(ids)
    made = bench.add("Kitchen", type=concept.TYPE, layer=concept.LAYER, key=key)
    for source in sources:
        bench.link(made, source, "derived_from")
    now_ms = bench.clock.now_ms()

    def found(owner: str | None = None) -> list[concept.Concept]:
        return list(bench.ask(lambda s: s.concepts(now_ms=now_ms, owner=owner, subject=None)))

    yield from differs("the concepts", found(), [concept.Concept(made.id, ids, True)])
    yield from differs("those of another owner", found("neo"), [])
    named = bench.ask(lambda s: (s.was_named(ids[0], key), s.was_named(ids[0], "other")))
    yield from differs("whether it was named so", named, (True, False))
    newer = bench.add("green tea")
    bench.do(lambda tx: tx.supersede(newer.id, ids[0], by=OWNER))
    sight = bench.ask(lambda s: s.in_sight([*ids, newer.id], now_ms=now_ms))
    yield from differs("what is in sight when one was replaced", sight, {*ids[1:], newer.id})
    bench.do(lambda tx: tx.follow(made.id, owner=OWNER))
    yield from differs("what is read of it", bench.read(made), [])


@law(
    "a document is made of the atoms of one partition, and each of them is placed once",
    "partitions unplaced organised_of members telling renew",
)
def documents(bench: Bench) -> Iterator[str]:
    """Scenes and personas of an owner, a subject and a visibility; others' are no part of it."""
    atoms = [bench.add(content, subject=BO) for content in ("tea", "rice")]
    bench.add("milk", subject=BO, visibility=("global",))
    bench.add("cake", subject=BO, owner="neo")
    bench.add("an event", subject=BO, layer=0)
    here = Partition(OWNER, BO, ())
    now_ms = bench.clock.now_ms()
    every = bench.ask(lambda s: list(s.partitions(OWNER, subject=None, apart=False)))
    yield from differs("the partitions", every, [here, Partition(OWNER, BO, ("global",))])
    none = bench.ask(lambda s: list(s.partitions(OWNER, subject=None, apart=True)))
    yield from differs("those of no subject", none, [])

    def unplaced(after: str = "") -> list[str]:
        found = bench.ask(lambda s: s.unplaced(here, now_ms=now_ms, after=after, most=9))
        return [memory.id for memory in found]

    ids = [memory.id for memory in atoms]
    yield from differs("what is in no scene", unplaced(), ids)
    yield from differs("the same after the first", unplaced(ids[0]), ids[1:])
    scene = bench.add("# Drinks", subject=BO, layer=SCENE, key=f"{KEY_PREFIX}drinks")
    bench.link(scene, atoms[0], "derived_from")
    yield from differs("what is in no scene then", unplaced(), ids[1:])
    with bench.store.read() as snapshot:
        scenes = [it.id for it in snapshot.organised_of(here, layer=SCENE, most=9)]
        personas = list(snapshot.organised_of(here, layer=PERSONA, most=9))
        made_of = [(at, it.id) for at, it in snapshot.members(here, [scene.id], now_ms=now_ms)]
        told = [it.id for it in snapshot.telling(here, types=["note"], now_ms=now_ms, most=1)]
        other = list(snapshot.telling(here, types=["fact"], now_ms=now_ms, most=9))
    yield from differs("the scenes and personas", (scenes, personas), ([scene.id], []))
    yield from differs("what a scene was made of", made_of, [(scene.id, ids[0])])
    yield from differs("what a persona may tell, and of other types", (told, other), (ids[1:], []))
    bench.do(lambda tx: tx.renew(replace(scene, content="# Drinks\n\nnew"), by=OWNER))
    yield from differs(
        "what it says anew", [it.content for it in bench.read(scene)], ["# Drinks\n\nnew"]
    )
    history = bench.history(scene)
    yield from differs("what is kept of what it said", history, [])
