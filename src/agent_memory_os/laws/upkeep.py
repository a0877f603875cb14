"""Upkeep: a store that is checked, mended, copied, restored and closed."""

import os
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from agent_memory_os.errors import AgentMemoryError, ClientClosed
from agent_memory_os.laws.law import OWNER, Bench, allows, differs, law
from agent_memory_os.laws.reads import answers
from agent_memory_os.laws.world import KINDS, World
from agent_memory_os.model import NO_FILTERS, Filters
from agent_memory_os.pure.filters import matches, parse_filters
from agent_memory_os.pure.text import analyse_query

_QUAY = analyse_query("quay")
_SUPPORTS = {"fts5", "words", "json", "vectors", "migration"}


@law(
    "what a sound store is checked for is nothing, and mending it changes nothing",
    "Store.check Store.repair",
)
def sound(bench: Bench) -> Iterator[str]:
    """Of a world with everything in it."""
    world = World(bench, KINDS)
    by = bench.everything()
    before = bench.ask(lambda s: answers(s, world, by))
    yield from differs("what check() finds", bench.store.check(), [])
    for dry_run in (True, False):
        mended = bench.store.repair(dry_run=dry_run)
        told = list(mended.found), list(mended.left), mended.dry_run
        yield from differs(f"what repair(dry_run={dry_run}) tells", told, ([], [], dry_run))
    if bench.ask(lambda s: answers(s, world, by)) != before:
        yield "its answers are others when it was mended"


@law("a store says what it is", "Store.traits")
def traits(bench: Bench) -> Iterator[str]:
    """And whether it can be written."""
    told = bench.store.traits()
    if not told.engine or not told.journal:
        yield "it names no engine, or not how a write is made safe"
    yield from differs("whether it is read-only", told.read_only, False)
    missing = _SUPPORTS - {*told.supports}
    yield from differs("what it does not say whether it supports", missing, set())


@law(
    "a backup is of one moment, and restored whole; what was deleted since stays so",
    "Store.backup Store.restore_backup",
)
def backups(bench: Bench) -> Iterator[str]:
    """A store that holds memories is replaced only by force."""
    kept = bench.add("tea", visibility=("global",))
    deleted, forgotten = bench.add("rice"), bench.add("the code is 5521")
    with tempfile.TemporaryDirectory() as folder:
        backup = bench.store.backup(os.path.join(folder, "copy"), keep=None)
        later = bench.add("milk")
        bench.do(lambda tx: tx.set_state(deleted, "deleted", by=OWNER))
        bench.do(lambda tx: tx.erase([forgotten.id], by=OWNER))
        tame = partial(bench.store.restore_backup, backup.path, force=False, by=OWNER)
        yield from allows("restoring without force", tame, AgentMemoryError)
        yield from differs(
            "what is there when that was refused", bench.read(kept, later), [kept, later]
        )
        restored = bench.store.restore_backup(backup.path, force=True, by=OWNER)
        yield from differs("what was wrong with it", list(restored.findings), [])
        found = bench.ask(lambda s: s.browse(bench.reader(), NO_FILTERS, limit=9))
        yield from differs("what is restored", found, [kept])
        other = bench.another()
        other.store.restore_backup(backup.path, force=False, by=OWNER)
        elsewhere = other.ask(lambda s: s.browse(other.reader(), NO_FILTERS, limit=9))
        wanted = ["the code is 5521", "rice", "tea"]
        yield from differs("what is restored elsewhere", [it.content for it in elsewhere], wanted)


@law(
    "a filter means the same in every read and every store", "read browse passing documents matches"
)
def filters(bench: Bench) -> Iterator[str]:
    """What `pure.filters.matches` says of a condition, and the plain sense of the other fields."""
    world = World(bench, KINDS)
    by = world.reader("the administration")
    with bench.store.read() as snapshot:
        every = snapshot.browse(by, NO_FILTERS, limit=999)
        middle = sorted(memory.created_ms for memory in every)[len(every) // 2]
        for asked, holds in _asked(middle):
            wanted = sorted(memory.id for memory in every if holds(memory))
            read = sorted(it.id for it in snapshot.read(world.ids, by, asked))
            browsed = sorted(it.id for it in snapshot.browse(by, asked, limit=999))
            passing = sorted(snapshot.passing(world.ids, by, asked))
            texts = sorted(it for it, _ in snapshot.documents(by, asked, most=999) or ())
            words = {it.id for it in snapshot.matches(_QUAY, by, asked).found}
            for name, found in (
                ("read", read),
                ("browse", browsed),
                ("passing", passing),
                ("documents", texts),
            ):
                if found != wanted:
                    yield f"{name} takes {asked} otherwise"
            if words != {*wanted} - {*world.scenes.values()}:  # a scene is found by its sources
                yield f"matches takes {asked} otherwise"


def _asked(middle_ms: int) -> Iterator[tuple[Filters, Callable[..., bool]]]:
    """Yield filters, and what each says of a memory."""
    for name, where in {
        "none": {"metadata.none": {"$exists": False}},
        "owner": {"owner": {"$in": ["neo", "eve"]}},
        "any": {"$or": [{"subject": "user:bo"}, {"layer": {"$gte": 2}}]},
        "not": {"$not": {"tags": {"$contains": "port"}}},
        "type": {"type": {"$ne": "note"}},
    }.items():
        asked = parse_filters({"where": where})
        condition = asked.where
        if condition is None:
            raise AssertionError(name)
        yield asked, partial(matches, condition)
    plain = Filters()
    yield replace(plain, subject="user:bo"), lambda memory: memory.subject == "user:bo"
    yield replace(plain, types=("note", "fact")), lambda memory: memory.type in ("note", "fact")
    yield replace(plain, layers=(0, 2)), lambda memory: memory.layer in (0, 2)
    yield replace(plain, owner="neo"), lambda memory: memory.owner == "neo"
    yield replace(plain, tags=("port",)), lambda memory: "port" in memory.tags
    yield replace(plain, tags=("por",)), lambda memory: "por" in memory.tags
    yield replace(plain, min_confidence=1.0), lambda memory: memory.confidence >= 1.0
    window = replace(plain, since_ms=middle_ms, time_field="created_at")
    yield window, lambda memory: memory.created_ms >= middle_ms
    until = replace(plain, until_ms=middle_ms, time_field="created_at")
    yield until, lambda memory: memory.created_ms < middle_ms


@law("closing is done once or more, and what is closed says so", "Store.close")
def closing(bench: Bench) -> Iterator[str]:
    """Every use afterwards raises ClientClosed; none hangs, and none answers with nothing."""
    bench.add("tea")
    bench.close()
    bench.store.close()
    uses: dict[str, Callable[[], object]] = {
        "read": lambda: bench.ask(lambda s: s.teams()),
        "write": lambda: bench.do(lambda tx: tx.now_ms),
        "check": bench.store.check,
        "rebuild_indexes": bench.store.rebuild_indexes,
    }
    for name, use in uses.items():
        yield from allows(f"{name} after close()", use, ClientClosed)
