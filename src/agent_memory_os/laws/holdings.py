"""What stands beside memories: vectors, payloads, what was distilled, and what is owed."""

from collections.abc import Iterator

from agent_memory_os.laws.law import OWNER, Bench, differs, law
from agent_memory_os.laws.reads import MOST, asked
from agent_memory_os.laws.world import BO, MODEL
from agent_memory_os.model import NO_FILTERS
from agent_memory_os.pure import embedding, packing

VECTOR = embedding.pack([1.0, 0.0, 0.5, 0.1])
OTHER = embedding.pack([0.0, 1.0, 0.0, 0.0])
LOG = "the log, part by part, ü " * 40_000  # more than one piece


@law(
    "a vector is of what a memory says now, and of one model",
    "put_vector embedded unembedded witnesses nearest alikeness",
)
def vectors(bench: Bench) -> Iterator[str]:
    """It is lost with the words that it was made of, and gives way to another model's."""
    first, second = bench.add("tea"), bench.add("rice", owner="neo")

    def put(content: str, model: str, vector: bytes) -> bool:
        return bench.do(lambda tx: tx.put_vector(first.id, content, model=model, vector=vector))

    def counts(model: str) -> tuple[int, int]:
        return bench.ask(lambda s: s.embedded(model, now_ms=bench.clock.now_ms()))

    def without(after: str | None = None) -> list[str]:
        now_ms = bench.clock.now_ms()
        return [
            it.id
            for it in bench.ask(lambda s: s.unembedded(MODEL, now_ms=now_ms, after=after, most=9))
        ]

    yield from differs("what has none", without(), [first.id, second.id])
    answers = [put("coffee", MODEL, VECTOR), put("tea", MODEL, VECTOR), put("tea", MODEL, OTHER)]
    yield from differs(
        "what putting other words', its own, and once more answers", answers, [False, True, False]
    )
    yield from differs("how many have one, and have none", counts(MODEL), (1, 1))
    yield from differs("what has none then", without(), [second.id])
    yield from differs("what has none after it", without(second.id), [])
    with bench.store.read() as snapshot:
        near = snapshot.nearest(asked(), bench.reader(), NO_FILTERS, most=MOST, sample=0)
        alike = snapshot.alikeness(asked(), [first.id, second.id], bench.reader())
        seen = [(it.model, it.content, it.vector) for it in snapshot.witnesses("law", 4)]
        none = snapshot.witnesses("law", 5)
    cosine = embedding.cosine(embedding.unpack(asked().vector), embedding.unpack(VECTOR))
    yield from differs(
        "what is near",
        [(it.id, round(it.alike, 5)) for it in near.found],
        [(first.id, round(cosine, 5))],
    )
    yield from differs(
        "how alike", {at: round(it, 5) for at, it in alike.items()}, {first.id: round(cosine, 5)}
    )
    yield from differs("the witnesses", (seen, list(none)), ([(MODEL, "tea", VECTOR)], []))
    yield from differs("what putting another model's answers", put("tea", "law/4#2", OTHER), True)
    yield from differs("what the first model has then", counts(MODEL)[0], 0)
    bench.change(first, content="milk")
    yield from differs("what the other has when it says otherwise", counts("law/4#2")[0], 0)


@law(
    "a payload comes back byte for byte, and goes with its last handle",
    "put_payload payload own_handles erase",
)
def payloads(bench: Bench) -> Iterator[str]:
    """All of it or a part, to whoever sees the handle."""
    handle, twin = bench.add("a log", visibility=("agent:neo",)), bench.add("the same log")
    plain = bench.add("no log")
    packed, data = packing.pack(LOG), LOG.encode()
    with bench.store.write() as tx:
        for each in (handle, twin):
            tx.put_payload(each.id, packed)
    for agent, start, stop in (
        (OWNER, 0, None),
        ("neo", 0, None),
        (OWNER, 3, 9),
        (OWNER, len(data) - 2, len(data) + 9),
    ):
        by = bench.reader(agent)
        with bench.store.read() as snapshot:
            found = snapshot.payload(handle.id, by, start=start, stop=stop)
        got = found and (found.data, found.size_bytes, found.digest, found.chars)
        wanted = data[start:stop], len(data), packed.digest, len(LOG)
        if got != wanted:
            yield f"{agent} gets other bytes from {start} to {stop}"
    with bench.store.read() as snapshot:
        hidden = snapshot.payload(handle.id, bench.reader("eve"))
        absent = snapshot.payload(plain.id, bench.reader())
        own = snapshot.own_handles(packed.digest, bench.reader(), is_text=True)
        others = snapshot.own_handles(packed.digest, bench.reader("neo"), is_text=True)
        as_bytes = snapshot.own_handles(packed.digest, bench.reader(), is_text=False)
    yield from differs("what others get, and what no handle has", (hidden, absent), (None, None))
    yield from differs("the own handles of it", sorted(own), sorted([handle.id, twin.id]))
    yield from differs(
        "those of others, and of the same bytes", (list(others), list(as_bytes)), ([], [])
    )
    bench.do(lambda tx: tx.erase([handle.id], by=OWNER))
    left = bench.ask(lambda s: s.payload(twin.id, bench.reader()))
    if left is None or left.data != data:
        yield "erasing one handle takes the bytes of another"


@law(
    "an event is distilled once, and waits until then",
    "undistilled pending are_distilled mark_distilled",
)
def distilled(bench: Bench) -> Iterator[str]:
    """In the order of insertion; what has ended, and what others said, waits for nobody."""
    said = [
        bench.add(f"tea {n}", layer=0, session=session, subject=BO)
        for n, session in enumerate("sst")
    ]
    bench.add("rice", layer=0, owner="neo", session="s")
    bench.add("an atom")

    def waiting(after: str = "", most: int = 9, **wanted: object) -> list[str]:
        asked_for = {"session": None, "subject": None, "apart": False, **wanted}
        found = bench.ask(
            lambda s: s.undistilled(bench.reader(), after=after, most=most, **asked_for)  # type: ignore[arg-type]  # its arguments
        )
        return [memory.id for memory in found]

    ids = [memory.id for memory in said]
    yield from differs("what waits", waiting(), ids)
    yield from differs("what waits of a session", waiting(session="s"), ids[:2])
    yield from differs("what waits of no session", waiting(apart=True, subject=BO), [])
    yield from differs("what waits beyond the first", waiting(ids[0], 1), ids[1:2])
    told = bench.ask(lambda s: s.pending(bench.reader(), subject=None))
    places = [(it.session, it.subject, it.events, it.has_ended) for it in told]
    yield from differs("what is pending", places, [("s", BO, 2, False), ("t", BO, 1, False)])
    with bench.store.write() as tx:
        before = tx.are_distilled(ids)
        tx.mark_distilled(ids[:2])
        after = tx.are_distilled(ids), tx.are_distilled(ids[2:])
    yield from differs("whether some were distilled", (before, *after), (False, True, False))
    yield from differs("what waits then", waiting(), ids[2:])


@law("a debt is owed until it is settled, or nothing is there for it", "owe owed settle erase")
def debts(bench: Bench) -> Iterator[str]:
    """For the sake of the memory that was named last, or of another one of its subject."""
    first, second = bench.add("tea"), bench.add("rice")
    bench.add("beer", subject=BO)  # which answers for nothing of theirs

    def owed() -> dict[str, str]:
        return dict(bench.ask(lambda s: s.owed(OWNER, "scenes ")))

    for key, memory in (
        ("scenes a", first),
        ("scenes b", first),
        ("other", first),
        ("scenes a", second),
    ):
        with bench.store.write() as tx:
            tx.owe(OWNER, key, memory.id)
    yield from differs("what is owed", owed(), {"scenes a": second.id, "scenes b": first.id})
    bench.do(lambda tx: tx.settle(OWNER, "scenes a", first.id))
    yield from differs(
        "what is owed when another one was settled", owed().get("scenes a"), second.id
    )
    bench.do(lambda tx: tx.settle(OWNER, "scenes a", second.id))
    yield from differs("what is owed then", owed(), {"scenes b": first.id})
    bench.do(lambda tx: tx.erase([first.id], by=OWNER))
    yield from differs("what is owed for what is gone", owed(), {"scenes b": second.id})
    bench.do(lambda tx: tx.erase([second.id], by=OWNER))
    yield from differs("what is owed when all of it is gone", owed(), {})
