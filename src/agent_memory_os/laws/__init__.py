"""The laws of a store: what each must do that takes the place of the one in the library."""

from collections.abc import Iterable, Iterator
from types import ModuleType

from agent_memory_os.laws import (
    erasing,
    gate,
    holdings,
    links,
    merging,
    rights,
    states,
    upkeep,
    writes,
)
from agent_memory_os.laws.law import Bench, Law
from agent_memory_os.laws.reads import READS
from agent_memory_os.store.contract import OpenStore, Snapshot, Store, Transaction

_MOST = 8  # faults that are told of one law
_ROOMS: tuple[ModuleType, ...] = (
    *(gate, writes, states, links, rights, erasing),
    *(holdings, merging, upkeep),
)

LAWS: tuple[Law, ...] = tuple(
    each for room in _ROOMS for each in vars(room).values() if isinstance(each, Law)
)


def faults(open_store: OpenStore, laws: Iterable[Law] = LAWS) -> Iterator[str]:
    """Yield what a store does that breaks one of *laws*, as the law and what is wrong."""
    for each in laws:
        found = list(dict.fromkeys(_broken(each, open_store)))
        yield from (f"{each.says}: {fault}" for fault in found[:_MOST])
        if len(found) > _MOST:
            yield f"{each.says}: and {len(found) - _MOST} more"


def _broken(each: Law, open_store: OpenStore) -> Iterator[str]:
    try:
        bench = Bench(open_store)
    except Exception as error:
        yield f"opening it raises {type(error).__name__}: {error}"
        return
    try:
        yield from each.broken(bench)
    except Exception as error:
        yield f"it raises {type(error).__name__}: {error}"
    try:
        yield from bench.end()
    except Exception as error:
        yield f"closing it raises {type(error).__name__}: {error}"


def contract() -> set[str]:
    """Return the parts of the contract, such as "insert" and "Store.purge"."""
    inner = {name for part in (Snapshot, Transaction) for name in vars(part) if name[0] != "_"}
    return inner | {f"Store.{name}" for name in vars(Store) if name[0] != "_"}


def uncovered() -> list[str]:
    """Return the parts of the contract that no law is about, sorted.

    A read that takes a `Visibility` is covered only by the laws of the gate.
    """
    covered = {part for each in LAWS for part in each.about}
    return sorted((contract() - covered) | (_gated() - {*READS}))


def _gated() -> set[str]:
    return {
        name
        for name, read in vars(Snapshot).items()
        if "visibility" in getattr(read, "__annotations__", ())
    }
