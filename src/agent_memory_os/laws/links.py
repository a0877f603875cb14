"""Links: who sees them, who takes them back, and what they make of memories."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from agent_memory_os.errors import InvalidInput, NotPermitted
from agent_memory_os.laws.law import OWNER, Bench, allows, differs, law
from agent_memory_os.model import Link, Memory, Visibility
from agent_memory_os.settings import DAY_MS

GLOBAL = ("global",)
_LONG_AGO = 300  # days, after which a link that recalling made weighs next to nothing


def _reached(bench: Bench, start: Memory, by: Visibility) -> list[str]:
    steps = bench.ask(lambda snapshot: snapshot.steps([start.id], by, most=9))
    return [step.target for step in steps]


@law(
    "a link is one for each agent and relation, and is taken back by who made it",
    "link unlink links",
)
def linking(bench: Bench) -> Iterator[str]:
    """Linking again gives another weight; taking back leaves the links of others."""
    tea, rice = bench.add("tea", visibility=GLOBAL), bench.add("rice", visibility=GLOBAL)
    with bench.store.write() as tx:
        made = tx.link(tea.id, rice.id, relation="goes_with", weight=0.5, by=OWNER)
        again = tx.link(tea.id, rice.id, relation="goes_with", weight=0.25, by=OWNER)
        other = tx.link(tea.id, rice.id, relation="goes_with", weight=1.0, by="neo")
        apart = tx.link(tea.id, rice.id, relation="after", weight=1.0, by=OWNER)
    told = made.source_id, made.target_id, made.relation, made.weight, made.owner
    yield from differs("the link", told, (tea.id, rice.id, "goes_with", 0.5, OWNER))
    found = bench.ask(lambda snapshot: snapshot.links(tea.id, rice.id))
    yield from differs("the links", _unordered(found), _unordered([again, other, apart]))
    backwards = bench.ask(lambda snapshot: snapshot.links(rice.id, tea.id))
    yield from differs("the links against the arrow", backwards, [])
    count = bench.do(lambda tx: tx.unlink(tea.id, rice.id, relation="goes_with", by=OWNER))
    left = bench.ask(lambda snapshot: snapshot.links(tea.id, rice.id))
    yield from differs("how many were taken back", count, 1)
    yield from differs("what is left", _unordered(left), _unordered([other, apart]))
    count = bench.do(lambda tx: tx.unlink(tea.id, rice.id, relation=None, by=OWNER))
    yield from differs("how many of any relation", count, 1)


def _unordered(links: Sequence[Link]) -> list[str]:
    return sorted(map(repr, links))


@law("a link is there for those who see both its ends alone, and is walked both ways", "steps fans")
def both_ends(bench: Bench) -> Iterator[str]:
    """An invisible memory is no bridge, and is not walked from though its id is known."""
    hidden = bench.add("tea")
    shown = bench.add("rice", visibility=GLOBAL)
    far = bench.add("milk", visibility=GLOBAL)
    bench.link(hidden, shown, "goes_with")
    bench.link(far, hidden, "goes_with")
    for start in (hidden, shown, far):
        yield from differs("where another gets", _reached(bench, start, bench.reader("neo")), [])
    yield from differs("where the owner gets", _reached(bench, shown, bench.reader()), [hidden.id])
    around = bench.ask(lambda s: s.fans([hidden.id], bench.reader(), most=9, looked_at=9))
    yield from differs(
        "all around it", {at: set(to) for at, to in around.items()}, {hidden.id: {shown.id, far.id}}
    )
    narrowed = bench.ask(
        lambda s: s.steps([hidden.id], bench.reader(), relations=("other",), most=9)
    )
    yield from differs("the steps of another relation", narrowed, [])
    heaviest = bench.ask(lambda s: s.steps([hidden.id], bench.reader(), most=1))
    yield from differs("how many of the heaviest one", len(heaviest), 1)
    bench.move(far, "deleted")
    yield from differs(
        "where it leads when one end is gone", _reached(bench, hidden, bench.reader()), [shown.id]
    )


@law("what is recalled together is linked, and fades", "recall_together co_recalled fans")
def recalled_together(bench: Bench) -> Iterator[str]:
    """More with each recall that helped, less with one that did not."""
    tea, rice = bench.add("tea"), bench.add("rice")
    pair = [(rice.id, tea.id)]

    def weight() -> float:
        found = bench.ask(
            lambda s: s.fans([tea.id], bench.reader(), most=9, looked_at=9, recalled=True)
        )
        return found.get(tea.id, {}).get(rice.id, 0.0)

    def together(least: float) -> list[frozenset[str]]:
        now_ms = bench.clock.now_ms()
        found = bench.ask(lambda s: s.co_recalled(now_ms=now_ms, least=least, after="", most=9))
        return [frozenset(each[:2]) for each in found.pairs]

    weights = [weight()]
    for helped in (True, True, False):
        with bench.store.write() as tx:
            tx.recall_together(pair, by=OWNER, helped=helped)
        weights.append(weight())
    none, once, twice, less = weights
    if not none == 0 < once < twice or not less < twice:
        yield f"its weight was {weights}, of none, two that helped, and one that did not"
    yield from differs(
        "what is recalled together", together(less / 2), [frozenset((tea.id, rice.id))]
    )
    yield from differs("the same above its weight", together(min(1.0, less * 2)), [])
    bench.clock.advance(days=_LONG_AGO)
    if weight() > less / 10:
        yield f"it still weighs {weight()} after {_LONG_AGO * DAY_MS} ms"


@law(
    "what takes the place of a memory hides it from those who see what does, and from nobody else",
    "supersede reinstate successions marks",
)
def superseding(bench: Bench) -> Iterator[str]:
    """It is taken back by who said so; a circle is refused."""
    older = bench.add("the port is 8000", visibility=GLOBAL)
    bench.clock.advance(minutes=1)
    newer = bench.add("the port is 8001")
    bench.do(lambda tx: tx.supersede(newer.id, older.id, by=OWNER))
    yield from differs("what its owner reads", _ids(bench.read(older, newer)), [newer.id])
    behind = replace(bench.reader(), now_ms=bench.clock.now_ms() - 30_000)
    read = bench.read(older, newer, by=behind)
    yield from differs("what its owner reads by a clock that is behind", _ids(read), [newer.id])
    others = bench.read(older, newer, by=bench.reader("neo"))
    yield from differs(
        "what others read", [(it.id, it.state) for it in others], [(older.id, "active")]
    )
    made = bench.ask(lambda s: s.successions(newer.id, by=OWNER))
    yield from differs("what it took the place of", [it.target_id for it in made], [older.id])
    for agent, wanted in ((OWNER, ["SUPERSEDED"]), ("neo", [])):
        with bench.store.read() as snapshot:
            told = snapshot.marks([older.id], bench.reader(agent))
        kinds = [mark.kind for mark in told.get(older.id, ())]
        yield from differs(f"the marks for {agent}", kinds, wanted)
    circle = partial(bench.do, lambda tx: tx.supersede(older.id, newer.id, by=OWNER))
    yield from allows("a circle", circle, InvalidInput)
    back = bench.do(lambda tx: tx.reinstate(newer.id, older.id, by=OWNER))
    twice = bench.do(lambda tx: tx.reinstate(newer.id, older.id, by="neo"))
    yield from differs("whether it was taken back", (back, twice), (True, False))
    yield from differs(
        "what its owner reads then", _ids(bench.read(older, newer)), [older.id, newer.id]
    )


def _ids(memories: list[Memory]) -> list[str]:
    return [memory.id for memory in memories]


@law("what contradicts is marked where both are seen", "marks")
def conflicts(bench: Bench) -> Iterator[str]:
    """By both ends, and by nobody who sees one of them."""
    tea, rice = bench.add("tea is good", visibility=GLOBAL), bench.add("tea is not good")
    bench.link(rice, tea, "contradicts")
    for agent, wanted in ((OWNER, {tea.id: rice.id, rice.id: tea.id}), ("neo", {})):
        ids = list(wanted) or [tea.id]
        with bench.store.read() as snapshot:
            told = snapshot.marks(ids, bench.reader(agent))
        found = {at: mark.id for at, marks in told.items() for mark in marks}
        yield from differs(f"what is marked for {agent}", found, wanted)


@law(
    "what is derived is seen by no more than see its source, and ends when that does",
    "link set_visibility set_state evidence derivations replace",
)
def deriving(bench: Bench) -> Iterator[str]:
    """Narrowing, ending and deleting a source follow to what rests on it alone."""
    source = bench.add("Ada drinks tea", visibility=GLOBAL)
    private = bench.add("Ada drinks rice")
    derived = bench.add("Ada drinks", visibility=GLOBAL)
    wider = partial(bench.link, derived, private, "derived_from")
    yield from allows("deriving from what fewer see", wider, NotPermitted)
    bench.link(derived, source, "derived_from")
    pairs = bench.ask(lambda s: s.derivations([derived.id], [source.id, private.id]))
    yield from differs(
        "what was derived of what", list(map(tuple, pairs)), [(derived.id, source.id)]
    )
    for up, ids, wanted in ((False, derived, source), (True, source, derived)):
        with bench.store.read() as snapshot:
            told = snapshot.evidence([ids.id], bench.reader(), up=up, most=9)
        found = [(via, memory.id) for via, memory in told]
        yield from differs(f"the evidence, up={up}", found, [(ids.id, wanted.id)])
    bench.share(source, "agent:neo")
    yield from differs("who sees it then", bench.now(derived).visibility, ())
    widen = partial(bench.share, derived, "global")
    yield from allows("sharing it further than its source", widen, NotPermitted)
    end_ms = bench.clock.now_ms() + DAY_MS
    bench.change(source, expires_ms=end_ms)
    yield from differs("when it ends", bench.now(derived).expires_ms, end_ms)
    bench.move(source, "deleted")
    yield from differs("its state then", bench.now(derived).state, "deleted")
