"""The gate: who sees what, in every read of the contract."""

from collections.abc import Iterator

from agent_memory_os.laws.law import EVERY_STATE, Bench, law
from agent_memory_os.laws.reads import READS, answers, shown, texts, told_to
from agent_memory_os.laws.world import KINDS, MEMBERS, READERS, Member, World
from agent_memory_os.model import Visibility

GATED = " ".join(READS)
THE_OWNER = next(iter(READERS))


@law("a read shows what its reader may see, and nothing else", GATED)
def shows_what_passes(bench: Bench) -> Iterator[str]:
    """Whatever ids a read is handed: what the gate lets pass is there, and what it stops is not."""
    world = World(bench, KINDS)
    for reader in READERS:
        by = world.reader(reader)
        told = told_to(by, world)
        for name, answer in told.items():
            yield from _misshown(name, reader, by, answer)


def _misshown(name: str, reader: str, by: Visibility, answer: object) -> Iterator[str]:
    read = READS[name]
    seen = {
        member.harbour
        for member in MEMBERS
        if (reader in member.seen or (read.ever and reader in member.held))
        and not (read.own and member.owner != by.agent)
    }
    found = shown(answer)
    for harbour in sorted(found - seen):
        yield f"{name} shows {reader} what is {KINDS[harbour]}"
    if read.shows == "all":
        for harbour in sorted(seen - found):
            yield f"{name} keeps from {reader} what is {KINDS[harbour]}"
    elif reader == THE_OWNER and not any(texts(answer)):
        yield f"{name} shows {reader} nothing"


@law("what a reader may not see changes no answer", GATED)
def hidden_changes_nothing(bench: Bench) -> Iterator[str]:
    """No result, order, score or count: as if it had never been written."""
    whole = World(bench, KINDS)
    for reader in READERS:
        kept = {member.harbour for member in MEMBERS if reader in member.seen}
        kept |= {member.harbour for member in MEMBERS if member.by in kept}  # it is counted still
        alone = World(bench.another(), kept)
        by = whole.reader(reader)
        told, without = told_to(by, whole), told_to(by, alone)
        for name, read in READS.items():
            if not read.ever and told.get(name) != without.get(name):
                yield f"{name} answers {reader} otherwise for what is hidden"


@law("a transaction reads as a snapshot does", GATED)
def transaction_reads_alike(bench: Bench) -> Iterator[str]:
    """A transaction is a snapshot, with the same gate."""
    world = World(bench, KINDS)
    for reader in READERS:
        by = world.reader(reader)
        told = told_to(by, world)
        with bench.store.write() as tx:
            in_write = answers(tx, world, by)
        for name in told:
            if told[name] != in_write[name]:
                yield f"{name} answers {reader} otherwise within a transaction"


@law(
    "indexes are disposable: made anew, every answer is the same", GATED + " Store.rebuild_indexes"
)
def rebuilt_is_the_same(bench: Bench) -> Iterator[str]:
    """Whatever is derived of the memories can be dropped and made again."""
    world = World(bench, KINDS)
    readers = {reader: world.reader(reader) for reader in READERS}

    def told() -> dict[str, dict[str, object]]:
        return {reader: told_to(by, world) for reader, by in readers.items()}

    before = told()
    bench.store.rebuild_indexes()
    after = told()
    for reader in READERS:
        for name in before[reader]:
            if before[reader][name] != after[reader][name]:
                yield f"{name} answers {reader} otherwise after it"


@law("states and moments are read when they are named, and rights hold all the same", "read browse")
def other_states(bench: Bench) -> Iterator[str]:
    """Who names the states reads what is in them, of what is theirs to see."""
    world = World(bench, KINDS)
    every = {"states": EVERY_STATE, "timeless": True}
    for agent, owners in (("neo", {"neo"}), ("eve", {"eve"})):
        by = Visibility(agent, world.now_ms, **every)  # type: ignore[arg-type]  # its fields
        read = told_to(by, world)["read"]
        wanted = {m.harbour for m in MEMBERS if _may_ever_see(m, agent, owners)}
        if shown(read) != wanted:
            yield f"read shows {agent}, in every state, {sorted(shown(read) ^ wanted)} wrongly"
    held = Visibility("neo", world.now_ms, states=("deleted",))
    wanted_deleted = {member.harbour for member in MEMBERS if member.end == "deleted"}
    found = shown(told_to(held, world)["browse"])
    if found != wanted_deleted:
        yield f"browse shows {sorted(found)} as what is deleted"


def _may_ever_see(member: Member, agent: str, owners: set[str]) -> bool:
    """Return whether the rights of a member let an agent see it, whatever has become of it."""
    scopes = {"global", f"agent:{agent}", *_SCOPES.get(agent, ())}
    return member.owner in owners or not scopes.isdisjoint(member.fields.get("visibility", ()))  # type: ignore[arg-type]  # scopes


_SCOPES = {"neo": ("team:apollo", "project:lander")}
