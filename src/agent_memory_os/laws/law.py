"""A law: something that every store must do, and what finds out whether one does."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from agent_memory_os.errors import AgentMemoryError
from agent_memory_os.fakes import FakeClock
from agent_memory_os.model import Change, Draft, Memory, State, Visibility
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import OpenStore, Snapshot, Transaction

T = TypeVar("T")
OWNER = "ada"  # of what laws write
EVERY_STATE: tuple[State, ...] = ("active", "superseded", "archived", "deleted")
_MOST_SHOWN = 300  # characters of a value that is not as it should be


class Bench:
    """A fresh store with its clock, and what laws do with it again and again."""

    def __init__(self, open_store: OpenStore, settings: Settings | None = None) -> None:
        self._open = open_store
        self._others: list[Bench] = []
        self._is_closed = False
        self.clock = FakeClock()
        self.store = open_store(settings=settings or Settings(), clock=self.clock)

    def another(self, settings: Settings | None = None) -> "Bench":
        """Return a bench of another store, which ends with this one."""
        self._others.append(Bench(self._open, settings))
        return self._others[-1]

    def reader(self, agent: str = OWNER, **wanted: Any) -> Visibility:
        """Return who reads now, as that agent, with the fields of `Visibility`."""
        return Visibility(agent, self.clock.now_ms(), **wanted)

    def everything(self) -> Visibility:
        """Return who reads all that there is, in whatever state."""
        return self.reader("root", admin=True, states=EVERY_STATE, timeless=True)

    def ask(self, read: Callable[[Snapshot], T]) -> T:
        """Return what *read* finds in a snapshot of its own."""
        with self.store.read() as snapshot:
            return read(snapshot)

    def do(self, act: Callable[[Transaction], T]) -> T:
        """Return what *act* does in a transaction of its own."""
        with self.store.write() as tx:
            return act(tx)

    def add(self, content: str, *, owner: str = OWNER, **fields: Any) -> Memory:
        """Write a memory, with the fields of `Draft`."""
        return self.do(lambda tx: tx.insert(Draft(content, owner, **fields)))

    def read(self, *memories: Memory, by: Visibility | None = None) -> list[Memory]:
        """Return what a reader, or else the owner, reads of memories by now, in their order."""
        wanted = [memory.id for memory in memories]
        found = self.ask(lambda snapshot: snapshot.read(wanted, by or self.reader()))
        return sorted(found, key=lambda memory: wanted.index(memory.id))

    def now(self, memory: Memory, within: Snapshot | None = None) -> Memory:
        """Return a memory as it is by now, in whatever state; *within* a transaction."""
        if within is not None:
            (found,) = within.read([memory.id], self.everything())
        else:
            (found,) = self.read(memory, by=self.everything())
        return found

    def change(self, memory: Memory, *, by: str = OWNER, **fields: Any) -> Memory:
        """Replace fields of a memory as it is by now."""
        with self.store.write() as tx:
            changed = replace(self.now(memory, tx), **fields)
            return tx.replace(changed, by=by, kind="update")

    def share(self, memory: Memory, *scopes: str) -> Memory:
        """Give a memory of the owner another visibility."""
        with self.store.write() as tx:
            return tx.set_visibility(self.now(memory, tx), scopes, by=OWNER)

    def move(self, memory: Memory, state: State, *, by: str = OWNER) -> None:
        """Move a memory to another state."""
        with self.store.write() as tx:
            tx.set_state(self.now(memory, tx), state, by=by)

    def link(self, source: Memory, target: Memory, relation: str, *, by: str = OWNER) -> None:
        """Link two memories."""
        with self.store.write() as tx:
            tx.link(source.id, target.id, relation=relation, weight=0.5, by=by)

    def history(self, memory: Memory, by: Visibility | None = None) -> list[Change]:
        """Return what a reader, or else the owner, is told of what was replaced in a memory."""
        with self.store.read() as snapshot:
            return list(snapshot.history(memory.id, by or self.reader()))

    def close(self) -> None:
        """Close the store, so that its end is not looked at."""
        self._is_closed = True
        self.store.close()

    def end(self) -> Iterator[str]:
        """Yield what `check` finds wrong in the stores that are open, and close them."""
        for bench in (self, *self._others):
            if bench._is_closed:
                continue
            try:
                for finding in bench.store.check():
                    yield f"check() finds afterwards that {finding.detail}"
            finally:
                bench.close()


class Law(NamedTuple):
    """Something that every store must do.

    says: what, as a sentence.
    about: the parts of the contract that it is about, such as "insert" and "Store.purge".
    broken: yields what a store does otherwise, in words that go on from a colon.
    """

    says: str
    about: frozenset[str]
    broken: Callable[[Bench], Iterable[str]]


def law(says: str, about: str) -> Callable[[Callable[[Bench], Iterable[str]]], Law]:
    """Return what makes a law of a function; *about* names parts of the contract, with blanks."""
    return lambda broken: Law(says, frozenset(about.split()), broken)


def differs(what: str, found: object, wanted: object) -> Iterator[str]:
    """Yield that *what* is not as it should be, if it is not."""
    if found != wanted:
        yield f"{what} is {_short(found)}, and should be {_short(wanted)}"


def allows(what: str, act: Callable[[], object], error: type[AgentMemoryError]) -> Iterator[str]:
    """Yield that *act* raises no *error*, though it should."""
    try:
        act()
    except error:
        return
    except Exception as other:
        yield f"{what} raises {type(other).__name__} in place of {error.__name__}: {other}"
        return
    yield f"{what} raises no {error.__name__}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}..."
