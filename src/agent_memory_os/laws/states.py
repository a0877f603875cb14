"""States: what leaves recall, what is told of it, and how it comes back."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from agent_memory_os.errors import InvalidInput
from agent_memory_os.laws.law import OWNER, Bench, allows, differs, law
from agent_memory_os.model import NO_FILTERS, Draft, Memory, RecallProfile, State
from agent_memory_os.pure.text import analyse_query
from agent_memory_os.settings import DAY_MS, Settings
from agent_memory_os.store.contract import FirstReceipt

GLOBAL = ("global",)


def _found(bench: Bench, words: str) -> list[str]:
    found = bench.ask(lambda s: s.matches(analyse_query(words), bench.reader(), NO_FILTERS))
    return sorted(each.id for each in found.found)


@law(
    "what is archived or deleted is in no read, and comes back as it was",
    "set_state unarchive revive",
)
def coming_back(bench: Bench) -> Iterator[str]:
    """Found by its words again, with its rights and its key."""
    memory = bench.add("tea at nine", key="drink", visibility=GLOBAL)
    states: tuple[State, ...] = ("archived", "deleted")
    for state in states:
        bench.move(memory, state)
        yield from differs(f"what is read of what is {state}", bench.read(memory), [])
        yield from differs(f"what is found of what is {state}", _found(bench, "tea"), [])
        yield from differs("its state", bench.now(memory).state, state)
        back = _brought_back(bench, memory)
        yield from differs(f"what came back of {state}", _bare(back), _bare(memory))
        yield from differs(f"what is read that was {state}", bench.read(memory), [back])
        yield from differs(f"what is found that was {state}", _found(bench, "tea"), [memory.id])


def _brought_back(bench: Bench, memory: Memory) -> Memory:
    with bench.store.write() as tx:
        gone = bench.now(memory, tx)
        if gone.state == "archived":
            return tx.unarchive(gone.id, by=OWNER)
        return tx.revive(gone, by=OWNER)


def _bare(memory: Memory) -> Memory:
    """Return a memory without what its versions tell."""
    return replace(memory, version="", updated_ms=0)


@law("what comes back takes no key from what has it now", "unarchive revive")
def key_taken(bench: Bench) -> Iterator[str]:
    """It is refused, and an expiry that has passed is taken from what is brought back."""
    states: tuple[State, ...] = ("archived", "deleted")
    for state in states:
        gone = bench.add("tea", key=state)
        bench.move(gone, state)
        bench.add("rice", key=state)
        back = partial(_brought_back, bench, gone)
        yield from allows(f"bringing back what was {state}", back, InvalidInput)
    short = bench.add("milk", ttl_ms=1_000)
    bench.clock.advance(hours=1)
    bench.move(short, "archived")
    bench.do(lambda tx: tx.unarchive(short.id, by=OWNER))
    yield from differs("when it expires", [it.expires_ms for it in bench.read(short)], [None])


@law(
    "what ends is gone with its moment, and nothing needs to be done for it", "read browse matches"
)
def moments(bench: Bench) -> Iterator[str]:
    """Expiry and validity are read: half-open, at the moment of the reader."""
    now_ms = bench.clock.now_ms()
    short = bench.add("tea for an hour", ttl_ms=3_600_000)
    window = bench.add("tea in time", valid_from_ms=now_ms + 1_000, valid_to_ms=now_ms + 2_000)
    for later_ms, wanted in (
        (0, [short]),
        (1_000, [short, window]),
        (2_000, [short]),
        (3_600_000, []),
    ):
        by = replace(bench.reader(), now_ms=now_ms + later_ms)
        with bench.store.read() as snapshot:
            read = sorted(it.id for it in snapshot.read([short.id, window.id], by))
            browsed = sorted(it.id for it in snapshot.browse(by, NO_FILTERS, limit=9))
            matched = snapshot.matches(analyse_query("tea"), by, NO_FILTERS)
        ids = sorted(memory.id for memory in wanted)
        yield from differs(f"what is read after {later_ms} ms", read, ids)
        yield from differs(f"what is browsed after {later_ms} ms", browsed, ids)
        yield from differs(
            f"what is found after {later_ms} ms", sorted(it.id for it in matched.found), ids
        )


@law("the past is read as it was, with the rights of now", "read browse")
def past(bench: Bench) -> Iterator[str]:
    """What held at a moment, and what had been told by one."""
    older = bench.add("the port is 8000", visibility=GLOBAL)
    first_ms = bench.clock.now_ms()
    bench.clock.advance(hours=1)
    newer = bench.add("the port is 8001", visibility=GLOBAL)
    bench.do(lambda tx: tx.supersede(newer.id, older.id, by=OWNER))
    bench.clock.advance(hours=1)
    bench.change(newer, content="the port is 8002")
    bench.clock.advance(hours=1)
    second_ms = first_ms + 3_600_000
    for wanted, when, said in (
        ("as_of_ms", first_ms, ["the port is 8000"]),
        ("known_ms", first_ms, ["the port is 8000"]),
        ("known_ms", second_ms, ["the port is 8001"]),
    ):
        by = bench.reader("neo", **{wanted: when})
        read = bench.read(older, newer, by=by)
        with bench.store.read() as snapshot:
            browsed = snapshot.browse(by, NO_FILTERS, limit=9)
        yield from differs(f"what is read by {wanted}", [it.content for it in read], said)
        yield from differs(f"what is browsed by {wanted}", [it.content for it in browsed], said)
    bench.share(older)
    hidden = bench.read(older, by=bench.reader("neo", as_of_ms=first_ms))
    yield from differs("what others read of what was theirs to see", hidden, [])


@law("what was rejected is known by what it says, to its owner alone", "reject rejected lift")
def rejecting(bench: Bench) -> Iterator[str]:
    """All that says so leaves recall; what it had superseded is back; lifting ends it."""
    older = bench.add("the port is 8000")
    wrong = bench.add("the port is 8001")
    bench.do(lambda tx: tx.supersede(wrong.id, older.id, by=OWNER))
    gone = bench.do(lambda tx: tx.reject(wrong, by=OWNER))
    yield from differs("what was rejected", list(gone), [wrong.id])
    yield from differs("what is read", [it.id for it in bench.read(older, wrong)], [older.id])
    with bench.store.read() as snapshot:
        known = snapshot.rejected(Draft("the port is 8001", OWNER))
        of_another = snapshot.rejected(Draft("the port is 8001", "neo"))
        otherwise = snapshot.rejected(Draft("the port is 8002", OWNER))
    yield from differs(
        "what is known of it", known and (known.id, known.state), (wrong.id, "deleted")
    )
    yield from differs(
        "what is known of another's, or otherwise", (of_another, otherwise), (None, None)
    )
    lifted = [bench.do(lambda tx: tx.lift(Draft("the port is 8001", OWNER))) for _ in range(2)]
    yield from differs("whether it was lifted, and once more", lifted, [True, False])
    after = bench.ask(lambda s: s.rejected(Draft("the port is 8001", OWNER)))
    yield from differs("what is known when it was lifted", after, None)


@law(
    "recalls are counted and a doubt is kept, and both leave what they are not about",
    "count_recall doubt",
)
def feedback(bench: Bench) -> Iterator[str]:
    """A count moves no version; a doubt makes nothing fresher."""
    memory = bench.add("tea")
    bench.clock.advance(days=1)
    with bench.store.write() as tx:
        for helped in (True, False):
            tx.count_recall([memory.id], helped=helped)
    now = bench.now(memory)
    told = now.recalls, now.helped, now.last_recalled_ms
    yield from differs("what was counted", told, (2, 1, bench.clock.now_ms()))
    yield from differs("its version then", now.version, memory.version)
    bench.do(lambda tx: tx.doubt(now, 0.5, by=OWNER))
    doubted = bench.now(memory)
    yield from differs("its confidence", doubted.confidence, 0.5)
    yield from differs("when it changed last", doubted.updated_ms, memory.updated_ms)
    if not doubted.version > memory.version:
        yield "a doubt moves no version"


@law("a profile is the last that was saved of its agent", "profile save_profile erase_agent")
def profiles(bench: Bench) -> Iterator[str]:
    """And of nobody else; it goes with the agent."""
    for weight in (1.5, 0.5):
        profile = RecallProfile("neo", {"fact": weight}, {OWNER: 2.0})
        with bench.store.write() as tx:
            tx.save_profile(profile)
    with bench.store.read() as snapshot:
        yield from differs("the profile", snapshot.profile("neo"), profile)
        yield from differs("that of another", snapshot.profile(OWNER), None)
    bench.do(lambda tx: tx.erase_agent("neo"))
    yield from differs("that of whom was erased", bench.ask(lambda s: s.profile("neo")), None)
    yield from differs("whether it is known", bench.ask(lambda s: s.knows("neo")), False)


@law("what ages is told by id, whoever owns it", "ageing ageing_of")
def ageing(bench: Bench) -> Iterator[str]:
    """All that is not deleted, from an id on; a change and a use make it younger."""
    first, second, gone = (bench.add(each, owner=f"a{each}") for each in ("tea", "rice", "milk"))
    bench.clock.advance(days=1)
    bench.move(gone, "deleted", by="amilk")
    bench.do(lambda tx: tx.count_recall([second.id], helped=True))
    page = bench.ask(lambda s: s.ageing(after="", most=9))
    yield from differs("what ages", [it.id for it in page], [first.id, second.id])
    rest = bench.ask(lambda s: s.ageing(after=first.id, most=1))
    yield from differs("what ages after the first", [it.id for it in rest], [second.id])
    now_ms = bench.clock.now_ms()
    times = [(it.changed_ms, it.used_ms) for it in page]
    wanted = [(now_ms - DAY_MS, now_ms - DAY_MS), (now_ms - DAY_MS, now_ms)]
    yield from differs("when they changed, and were used", times, wanted)
    named = bench.ask(lambda s: s.ageing_of([second.id, first.id, second.id, "0" * 25]))
    yield from differs("of some ids", list(named), list(page))


@law("what is beside the memories is bounded by the settings, the oldest first", "surplus trim")
def surplus(bench: Bench) -> Iterator[str]:
    """History, audit and receipts; in steps, and no more than is too much."""
    kept = bench.another(Settings(history_per_memory=2, audit_rows=2, receipt_rows=2))
    memory = kept.add("tea 0")
    for number in range(1, 6):
        kept.clock.advance(minutes=1)
        kept.change(memory, content=f"tea {number}")
        with kept.store.write() as tx:
            tx.record(OWNER, f"act {number}", "target", {})
            tx.keep_receipt(OWNER, f"call {number}", FirstReceipt("digest", memory, "stored", ""))
    too_many = dict.fromkeys(("history", "audit", "receipts"), 3)
    yield from differs("what is too much", dict(kept.ask(lambda s: s.surplus())), too_many)
    for most, went in ((2, 2), (9, 1), (9, 0)):
        with kept.store.write() as tx:
            trimmed = tx.trim(most=most)
        wanted = dict.fromkeys(too_many, went) if went else {}
        yield from differs(f"what went of at most {most}", dict(trimmed), wanted)
    told = kept.history(memory)
    yield from differs(
        "the history that stays", [it.before["content"] for it in told], ["tea 3", "tea 4"]
    )
    acts = kept.ask(lambda s: s.audit(limit=9))
    yield from differs("the acts that stay", [it.action for it in acts], ["act 5", "act 4"])
