"""Writes: all of a transaction or none of it, read back as it was written."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from agent_memory_os.errors import NotFound
from agent_memory_os.laws.law import OWNER, Bench, allows, differs, law
from agent_memory_os.model import NO_FILTERS, Draft, Memory
from agent_memory_os.pure.ids import DIGITS
from agent_memory_os.store.contract import FirstReceipt, Transaction

_WAIT_S = 0.2  # for another thread, which may have to wait for a snapshot to end
_THREADS, _EACH = 4, 10
FULL = Draft(
    "Ärger mit 部署端口 🙂\n\u202eand 'quotes' \"-- \x00 too",
    OWNER,
    subject="user:bo",
    type="lesson",
    layer=2,
    visibility=("agent:neo", "global"),
    tags=("ops", "é"),
    metadata={"a": [1, 2.5, None, True, {"b": "c"}], "n": -(2**63), "": ""},
    actor="user:bo",
    session="s 1",
    key="name",
    entity="server:db1",
    attribute="port",
    occurred_ms=-5,
    valid_from_ms=1,
    valid_to_ms=10**15,
    ttl_ms=3_600_000,
    importance=0.25,
    confidence=0.75,
    pinned=True,
)
_KEPT = (
    *("content", "owner", "subject", "type", "layer", "visibility", "tags", "metadata", "actor"),
    *("session", "key", "entity", "attribute", "occurred_ms", "valid_from_ms", "valid_to_ms"),
    *("importance", "confidence", "pinned"),
)


class _Stop(Exception):
    """Raised in a transaction to end it."""


@law("what is written is read back equal", "insert read Store.read Store.write now_ms")
def read_back(bench: Bench) -> Iterator[str]:
    """Every field, whatever characters are in it, and what the store itself adds."""
    with bench.store.write() as tx:
        now_ms = tx.now_ms
        written = tx.insert(FULL)
    yield from differs("the moment of a transaction", now_ms, bench.clock.now_ms())
    for name in _KEPT:
        yield from differs(name, getattr(written, name), getattr(FULL, name))
    yield from differs("created_ms", written.created_ms, now_ms)
    yield from differs("expires_ms", written.expires_ms, now_ms + 3_600_000)
    yield from differs(
        "the state", (written.state, written.mentions, written.recalls), ("active", 1, 0)
    )
    yield from differs("what is read", bench.read(written), [written])
    bare = bench.add("tea")
    yield from differs("what is read of a bare one", bench.read(bare), [bare])
    yield from differs("when it happened", bare.occurred_ms, bare.created_ms)


@law("what is replaced is read as it is now, and nothing else of it moves", "replace")
def replaced(bench: Bench) -> Iterator[str]:
    """Rights, number and birth of a memory stay; its words and its version do not."""
    first = bench.add("tea at nine", visibility=("global",), tags=("a",))
    bench.clock.advance(minutes=1)
    wanted = replace(first, content="tea at ten", tags=("b",), metadata={"n": 1}, pinned=True)
    answer = bench.do(lambda tx: tx.replace(wanted, by=OWNER, kind="update"))
    yield from differs("what is read", bench.read(first), [answer])
    kept = replace(answer, version="", updated_ms=0)
    yield from differs("what it is", kept, replace(wanted, version="", updated_ms=0))
    yield from differs("updated_ms", answer.updated_ms, bench.clock.now_ms())
    valued = replace(answer, entity="server:db1", attribute="port")
    answer = bench.do(lambda tx: tx.replace(valued, by=OWNER, kind="update"))
    yield from differs("what it is the value of", bench.read(first), [answer])
    yield from differs("its attribute", answer.attribute, "port")


@law("a transaction that raises leaves nothing", "insert Store.write")
def nothing_left(bench: Bench) -> Iterator[str]:
    """Neither the rows nor the names nor the moves of what was there, whatever was raised."""
    kept = bench.add("tea")
    for kind in (_Stop, KeyboardInterrupt):
        try:
            with bench.store.write() as tx:
                _much(tx, kept)
                raise kind
        except kind:
            pass
        yield from _untouched(bench, kept, f"a transaction that raised {kind.__name__}")


@law("a transaction that fails by itself leaves nothing", "insert Store.write")
def nothing_left_of_a_refusal(bench: Bench) -> Iterator[str]:
    """Sharing with a team that is not there is refused, with all that was written before."""
    kept = bench.add("tea")

    def refused() -> None:
        with bench.store.write() as tx:
            _much(tx, kept)
            tx.insert(Draft("milk", OWNER, visibility=("team:none",)))

    yield from allows("sharing with a team that is not there", refused, NotFound)
    yield from _untouched(bench, kept, "a refused transaction")


@law("a dry run tells what it would do, and leaves nothing", "insert Store.write")
def dry_run(bench: Bench) -> Iterator[str]:
    """What is written in it is read in it, and gone with it."""
    kept = bench.add("tea")
    with bench.store.write(dry_run=True) as tx:
        written = _much(tx, kept)
        inside = tx.read([written.id], bench.reader("mia"))
    yield from differs("what is read within it", inside, [written])
    yield from _untouched(bench, kept, "a dry run")


def _much(tx: Transaction, kept: Memory) -> Memory:
    """Write some of everything, move what is *kept*, and return what was written."""
    tx.register_agent("zoe", "bot")
    tx.create_team("apollo")
    tx.replace(replace(kept, content="milk"), by=OWNER, kind="update")
    tx.owe("mia", "debt", kept.id)
    written = tx.insert(Draft("coffee", "mia", session="s1", subject="user:cy"))
    tx.link(written.id, kept.id, relation="about", weight=0.5, by="mia")
    tx.record("mia", "act", "target", {})
    tx.keep_receipt("mia", "call", FirstReceipt("digest", written, "stored", ""))
    return written


def _untouched(bench: Bench, kept: Memory, what: str) -> Iterator[str]:
    with bench.store.read() as snapshot:
        every = snapshot.browse(bench.everything(), NO_FILTERS, limit=10)
        told = snapshot.history(kept.id, bench.reader())
        names = snapshot.knows("mia"), snapshot.knows("zoe"), snapshot.teams(), snapshot.agents()
        rest = snapshot.audit(limit=9), snapshot.owed("mia", "")
    yield from differs(f"what is there after {what}", every, [kept])
    yield from differs(f"the history after {what}", told, [])
    known = [agent.id for agent in names[3]]
    yield from differs(
        f"who is known after {what}", (*names[:3], known), (False, False, [], [OWNER])
    )
    yield from differs(f"what was to be kept after {what}", rest, ([], {}))
    first = bench.do(lambda tx: tx.first_receipt("mia", "call"))
    yield from differs(f"the receipt after {what}", first, None)


@law("ids are unique and grow, whatever the clock does", "insert")
def ids_grow(bench: Bench) -> Iterator[str]:
    """Many in one transaction, many transactions in one moment, and a clock that goes back."""
    ids: list[str] = []
    with bench.store.write(bulk=True) as tx:
        ids += [tx.insert(Draft(f"tea {number}", OWNER)).id for number in range(50)]
    ids += [bench.add(f"milk {number}").id for number in range(10)]
    bench.clock.advance(hours=-1)
    ids += [bench.add(f"rice {number}").id for number in range(10)]
    if any(len(each) != DIGITS or set(each) - set("0123456789abcdef") for each in ids):
        yield f"an id is not of {DIGITS} hexadecimal digits"
    if len(set(ids)) != len(ids):
        yield "an id was given twice"
    if ids != sorted(ids):
        yield "a later memory has an id that sorts before"


@law(
    "versions grow: of the content with each change of it, of the rights with each of these",
    "replace set_visibility",
)
def versions_grow(bench: Bench) -> Iterator[str]:
    """A clock that goes back gives no version that was there before."""
    memory = bench.add("tea")
    for hours in (1, -2, 0):
        bench.clock.advance(hours=hours)
        before = bench.now(memory)
        bench.change(memory)
        after = bench.now(memory)
        if not after.version > before.version:
            yield f"version {after.version!r} came after {before.version!r}"
        yield from differs("access_version", after.access_version, before.access_version)
        bench.share(memory, *(() if after.visibility else ("global",)))
        shared = bench.now(memory)
        if not shared.access_version > after.access_version:
            yield f"access_version {shared.access_version!r} came after {after.access_version!r}"
        yield from differs("version after sharing", shared.version, after.version)


@law(
    "history keeps what was replaced, oldest first",
    "history replace doubt set_visibility set_state",
)
def history(bench: Bench) -> Iterator[str]:
    """Each act with who, when, the version that it made, and the values that were there."""
    memory = bench.add("tea", visibility=("global",))
    yield from differs(
        "the history of what was never changed", bench.history(memory, bench.everything()), []
    )
    acts: list[tuple[str, Callable[[Transaction, Memory], object]]] = [
        ("update", lambda tx, it: tx.replace(replace(it, content="rice"), by=OWNER, kind="update")),
        ("doubt", lambda tx, it: tx.doubt(it, 0.5, by=OWNER)),
        ("revoke", lambda tx, it: tx.set_visibility(it, (), by=OWNER)),
        ("archived", lambda tx, it: tx.set_state(it, "archived", by=OWNER)),
    ]
    whens = []
    for _, act in acts:
        bench.clock.advance(minutes=1)
        whens.append(bench.clock.now_ms())
        with bench.store.write() as tx:
            act(tx, bench.now(memory, tx))
    told = bench.history(memory, bench.everything())
    yield from differs("the kinds", [each.kind for each in told], [kind for kind, _ in acts])
    yield from differs(
        "who and when", [(it.by, it.at_ms) for it in told], [(OWNER, at) for at in whens]
    )
    befores = [
        ("content", "tea"),
        ("confidence", 1.0),
        ("visibility", ["global"]),
        ("state", "active"),
    ]
    for change, (name, value) in zip(told, befores, strict=False):
        yield from differs(f"{name} before {change.kind}", change.before.get(name), value)
    versions = [each.version for each in told]
    yield from differs("the order of versions", versions, sorted(set(versions)))


@law("others see no history from before the rights last changed", "history")
def history_of_others(bench: Bench) -> Iterator[str]:
    """What was edited out before a memory was shared was never theirs."""
    memory = bench.add("the code is 5521")
    bench.change(memory, content="the code")
    bench.share(memory, "global")
    told = bench.history(memory, bench.reader("neo"))
    yield from differs("what another is told", [each.kind for each in told], [])
    bench.change(memory, content="a code")
    told = bench.history(memory, bench.reader("neo"))
    yield from differs(
        "what another is told later", [it.before.get("content") for it in told], ["the code"]
    )


@law("a key names one active memory of an owner and a subject", "keyed")
def keys(bench: Bench) -> Iterator[str]:
    """Of no other owner or subject, and free again when the memory has left."""
    named = bench.add("tea", key="drink", subject="user:bo")

    def found(owner: str, subject: str | None) -> Memory | None:
        return bench.do(lambda tx: tx.keyed(owner, subject, "drink"))

    yield from differs("what has the key", found(OWNER, "user:bo"), named)
    yield from differs("what has it for nobody", found(OWNER, None), None)
    yield from differs("what has it of another owner", found("neo", "user:bo"), None)
    bench.do(lambda tx: tx.set_state(named, "deleted", by=OWNER))
    yield from differs("what has it when that was deleted", found(OWNER, "user:bo"), None)


@law(
    "the first receipt of a call is kept, for its owner alone",
    "first_receipt keep_receipt first_receipts keep_receipts last_key",
)
def receipts(bench: Bench) -> Iterator[str]:
    """With the memory as it is now."""
    memory = bench.add("tea")
    answer = FirstReceipt("digest", memory, "merged", "it was there")
    bench.do(lambda tx: tx.keep_receipt(OWNER, "call-1", answer))
    bench.do(lambda tx: tx.keep_receipts(OWNER, {"call-2": answer, "call-3": answer}))
    with bench.store.write() as tx:
        yield from differs("the receipt", tx.first_receipt(OWNER, "call-1"), answer)
        yield from differs("that of no call", tx.first_receipt(OWNER, "call-9"), None)
        yield from differs("that of another owner", tx.first_receipt("neo", "call-1"), None)
        several = tx.first_receipts(OWNER, ["call-2", "call-9", "call-1"])
        yield from differs("several", several, {"call-1": answer, "call-2": answer})
        yield from differs("the last key", tx.last_key(OWNER, "call-"), "call-3")
        yield from differs("the last key of none", tx.last_key(OWNER, "other-"), None)
    changed = bench.do(
        lambda tx: tx.replace(replace(memory, content="rice"), by=OWNER, kind="update")
    )
    now = bench.do(lambda tx: tx.first_receipt(OWNER, "call-1"))
    yield from differs("the memory in it", now and now.memory, changed)


@law("a snapshot does not see what is written after it opened", "Store.read insert")
def snapshots_stand(bench: Bench) -> Iterator[str]:
    """Another thread writes meanwhile, or waits; what opens afterwards sees it."""
    bench.add("tea")
    writer = threading.Thread(target=bench.add, args=("rice",), daemon=True)

    def seen() -> list[str]:
        return [each.content for each in snapshot.browse(bench.everything(), NO_FILTERS, limit=9)]

    with bench.store.read() as snapshot:
        before = seen()
        writer.start()
        writer.join(_WAIT_S)
        yield from differs("what it sees then", seen(), before)
    writer.join()
    with bench.store.read() as snapshot:
        yield from differs("what the next one sees", seen(), ["rice", "tea"])


@law("threads that write at once lose nothing", "insert Store.write")
def threads_write(bench: Bench) -> Iterator[str]:
    """Every write that was answered is there, each under an id of its own."""

    def work(thread: int) -> list[str]:
        return [bench.add(f"tea {thread}-{number}").id for number in range(_EACH)]

    with ThreadPoolExecutor(_THREADS) as pool:
        ids = [each for found in pool.map(work, range(_THREADS)) for each in found]
    passing = bench.ask(lambda snapshot: snapshot.passing(ids, bench.reader()))
    yield from differs("how many are there", len(passing), _THREADS * _EACH)
