"""The laws of a store: ours keeps them, what breaks one is found, and none is missing."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest

from agent_memory_os import InvalidInput
from agent_memory_os.laws import LAWS, faults, gate, uncovered
from agent_memory_os.laws.reads import READS
from agent_memory_os.model import Clock, Finding, Memory, Visibility
from agent_memory_os.settings import Settings
from agent_memory_os.store import contract
from agent_memory_os.store.contract import Erased, OpenStore, Store
from agent_memory_os.store.sqlite import SqliteStore
from agent_memory_os.testing import check_store, store_faults

Twist = Callable[..., Any]  # (method, *arguments): does in place of the method


def in_memory(*, settings: Settings, clock: Clock) -> Store:
    """Open our store in memory."""
    return SqliteStore(":memory:", settings=settings, clock=clock)


class Twisted:
    """Something whose methods do otherwise, where there is a twist for their name."""

    def __init__(self, straight: object, twists: Mapping[str, Twist]) -> None:
        self._straight, self._twists = straight, twists

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._straight, name)
        return partial(self._twists[name], found) if name in self._twists else found


class TwistedStore(Twisted):
    """Our store with a twist in its snapshots and transactions; in itself after "Store."."""

    def __init__(self, store: Store, twists: Mapping[str, Twist]) -> None:
        own = {name.partition(".")[2]: it for name, it in twists.items() if "." in name}
        super().__init__(store, own)
        self._inner = twists

    @contextmanager
    def read(self) -> Iterator[Twisted]:
        with self._straight.read() as snapshot:  # type: ignore[attr-defined]  # it is a store
            yield Twisted(snapshot, self._inner)

    @contextmanager
    def write(self, **how: bool) -> Iterator[Twisted]:
        open_ = self._twists.get("write", lambda write, **how: write(**how))
        with open_(self._straight.write, **how) as tx:  # type: ignore[attr-defined]  # as above
            yield Twisted(tx, self._inner)


def twisted(**twists: Twist) -> OpenStore:
    """Return what opens our store with *twists*; "Store_" begins the name of one of the store."""
    named = {name.replace("Store_", "Store."): twist for name, twist in twists.items()}

    def opened(*, settings: Settings, clock: Clock) -> Store:
        return cast("Store", TwistedStore(in_memory(settings=settings, clock=clock), named))

    return opened


def found(open_store: OpenStore, law: str) -> list[str]:
    """Return what the laws find whose sentence begins with *law*."""
    tried = [each for each in LAWS if each.says.startswith(law)]
    assert tried, law
    return list(faults(open_store, tried))


# Our own store


def test_our_store_in_memory_keeps_every_law() -> None:
    check_store(in_memory)


def test_our_store_in_a_file_keeps_every_law(tmp_path: Path) -> None:
    numbers = count()

    def in_a_file(*, settings: Settings, clock: Clock) -> Store:
        return SqliteStore(str(tmp_path / f"{next(numbers)}.db"), settings=settings, clock=clock)

    assert store_faults(in_a_file) == []


# No law is missing


def test_every_part_of_the_contract_has_a_law() -> None:
    assert uncovered() == []


def test_a_read_that_no_law_knows_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def peek(self: object, visibility: Visibility) -> Memory:
        raise NotImplementedError

    monkeypatch.setattr(contract.Snapshot, "peek", peek, raising=False)
    monkeypatch.setattr(contract.Store, "vacuum", peek, raising=False)

    assert uncovered() == ["Store.vacuum", "peek"]


def test_each_law_asks_what_it_is_about() -> None:
    asked: set[str] = set()

    def heard(name: str, method: Callable[..., object], *args: object, **named: object) -> object:
        asked.add(name)
        return method(*args, **named)

    parts = {part for law in LAWS for part in law.about if part != "now_ms"}
    own = {"Store.read", "Store.write"}  # by which all others are asked
    opened = twisted(**{part.replace(".", "_"): partial(heard, part) for part in parts - own})
    idle = {}
    for law in LAWS:
        asked.clear()
        assert list(faults(opened, [law])) == [], law.says
        idle[law.says] = law.about - asked - own - {"now_ms"}

    assert {says: parts for says, parts in idle.items() if parts} == {}


def test_no_two_laws_say_the_same() -> None:
    says = [law.says for law in LAWS]

    assert sorted(set(says)) == sorted(says)


# The gate of each read


def ungated(method: Callable[..., object], *args: object, **named: object) -> object:
    """Do as a read does that forgets its gate: who asks, in what state, at what moment."""
    wide = {"subject": None, "states": ("active", "superseded", "archived", "deleted")}
    return method(*(_widened(each, **wide, admin=True, timeless=True) for each in args), **named)


def _widened(value: object, **fields: Any) -> object:
    if not isinstance(value, Visibility):
        return value
    if value.admin or value.agent == "root":
        fields["admin"] = True
    return replace(value, **fields)


GATE = (gate.shows_what_passes, gate.hidden_changes_nothing)
UNBOUND_ALREADY = {"stats", "rivals"}  # counts, and what is of the subject of a draft


@pytest.mark.capability("AMOS-016")
@pytest.mark.parametrize("name", [name for name, read in READS.items() if not read.own])
def test_a_read_without_its_gate_is_found(name: str) -> None:
    broken = faults(twisted(**{name: ungated}), GATE)

    assert any(f": {name} " in each for each in broken)


def unbound(method: Callable[..., object], *args: object, **named: object) -> object:
    """Do as a read does that forgets to which subject it is held."""
    return method(*(_widened(each, subject=None) for each in args), **named)


@pytest.mark.parametrize("name", sorted({*READS} - UNBOUND_ALREADY))
def test_a_read_that_forgets_to_whom_it_is_bound_is_found(name: str) -> None:
    broken = faults(twisted(**{name: unbound}), GATE)

    assert any(f": {name} " in each for each in broken)


def counted_for_all(
    matches: Callable[..., contract.Matches], query: object, by: Visibility, filters: object
) -> contract.Matches:
    """Count what nobody may see into the statistics of a reader."""
    every = matches(query, replace(by, admin=True, subject=None), filters)
    return replace(matches(query, by, filters), rows=every.rows)


def test_statistics_of_what_is_hidden_are_found() -> None:
    broken = list(faults(twisted(matches=counted_for_all), [gate.hidden_changes_nothing]))

    assert broken[0].endswith(": matches answers its owner otherwise for what is hidden")


# Stores that do otherwise, each in one thing


@contextmanager
def commits_what_raised(write: Callable[..., Any], **how: bool) -> Iterator[object]:
    error: BaseException | None = None
    with write(**how) as tx:
        try:
            yield tx
        except BaseException as raised:
            error = raised
    if error is not None:
        raise error


def keeps_a_dry_run(write: Callable[..., Any], *, bulk: bool = False, **_: bool) -> object:
    return write(bulk=bulk)


def loses_a_write(insert: Callable[..., Memory], draft: Any) -> Memory:
    memory = insert(draft)
    return replace(memory, id="0" * 25) if draft.content.endswith("3") else memory


def forgets_tags(insert: Callable[..., Memory], draft: Any) -> Memory:
    return insert(replace(draft, tags=()))


def changes_nothing(replace_: Callable[..., Memory], memory: Memory, **_: object) -> Memory:
    return memory


def does_nothing(*_: object, **__: object) -> None:
    return None


def finds_nothing(*_: object, **__: object) -> list[object]:
    return []


def backwards(tell: Callable[..., Sequence[object]], *args: object, **named: object) -> object:
    return [*tell(*args, **named)][::-1]


def any_subject(keyed: Callable[..., object], owner: str, subject: object, key: str) -> object:
    return keyed(owner, subject, key) or keyed(owner, "user:bo", key)


def one_way(steps: Callable[..., Any], *args: object, **named: object) -> object:
    return [step for step in steps(*args, **named) if step.out]


def cuts_all(unlink: Callable[..., int], source: str, target: str, **_: object) -> int:
    return unlink(source, target, relation="goes_with", by="neo") + unlink(
        source, target, relation="goes_with", by="ada"
    )


def stays(remove: Callable[..., object], scope: str, agent: str) -> bool:
    return True


def leaves_a_word(erase: Callable[..., Erased], ids: Sequence[str], **how: Any) -> Erased:
    return erase(ids[1:], **how)


def skips_the_last_byte(payload: Callable[..., Any], *args: object, **named: object) -> object:
    found = payload(*args, **named)
    return found and replace(found, data=found.data[:-1])


def by_force(restore: Callable[..., object], path: str, *, force: bool, by: str) -> object:
    return restore(path, force=True, by=by)


def twice_is_too_much(closed: list[object], close: Callable[[], None]) -> None:
    close()
    closed.append(close)
    if len(closed) > 1:
        raise RuntimeError("it is closed already")


def counts_as_change(count_recall: Callable[..., None], ids: Sequence[str], **how: Any) -> None:
    count_recall(ids, **how)
    count_recall(ids, **how)


@pytest.mark.parametrize(
    ("twists", "law", "fault"),
    [
        ({"Store.write": commits_what_raised}, "a transaction that raises", "what is there after"),
        ({"Store.write": commits_what_raised}, "a transaction that fails", "what is there after"),
        ({"Store.write": keeps_a_dry_run}, "a dry run tells", "what is there after a dry run"),
        ({"insert": loses_a_write}, "ids are unique", "sorts before"),
        ({"insert": loses_a_write}, "threads that write", "how many are there"),
        ({"insert": forgets_tags}, "what is written is read back", "tags is ()"),
        ({"replace": changes_nothing}, "what is replaced is read", "what is read"),
        ({"replace": changes_nothing}, "versions grow", "came after"),
        ({"history": finds_nothing}, "history keeps what was replaced", "the kinds is []"),
        ({"history": backwards}, "history keeps what was replaced", "the order of versions"),
        ({"keyed": any_subject}, "a key names one", "what has it for nobody"),
        ({"keep_receipt": does_nothing}, "the first receipt", "the receipt is None"),
        ({"steps": one_way}, "a link is there for those", "where the owner gets"),
        ({"unlink": cuts_all}, "a link is one for each agent", "how many were taken back"),
        ({"remove_member": stays}, "what rights change holds", "whether another sees it"),
        ({"delete_scope": does_nothing}, "a scope that was deleted", "there is a team"),
        ({"erase": leaves_a_word}, "what is erased is in no read", "read tells of it still"),
        ({"supersede": does_nothing}, "what takes the place", "what its owner reads"),
        ({"count_recall": counts_as_change}, "recalls are counted", "what was counted"),
        ({"put_vector": does_nothing}, "a vector is of", "what putting other words"),
        ({"payload": skips_the_last_byte}, "a payload comes back", "other bytes"),
        ({"mark_distilled": does_nothing}, "an event is distilled once", "whether some"),
        ({"settle": does_nothing}, "a debt is owed", "what is owed then"),
        ({"release": does_nothing}, "what says the same", "where it leads when that was taken"),
        ({"audit": backwards}, "acts are told newest first", "the last two acts"),
        ({"trim": does_nothing}, "what is beside the memories", "it raises TypeError"),
        ({"Store.purge": lambda *_, **__: ""}, "what is erased is in no read", "traces"),
        ({"Store.restore_backup": by_force}, "a backup is of one moment", "raises no"),
        ({"Store.close": does_nothing}, "closing is done once", "raises no ClientClosed"),
        ({"Store.close": partial(twice_is_too_much, [])}, "closing is done", "closed already"),
    ],
)
def test_a_store_that_does_otherwise_is_found(
    twists: Mapping[str, Twist], law: str, fault: str
) -> None:
    broken = found(twisted(**{name.replace(".", "_"): it for name, it in twists.items()}), law)

    assert any(fault in each for each in broken), broken


class Restless:
    """A snapshot that is opened anew for each question."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        def ask(*args: object, **named: object) -> object:
            with self._store.read() as snapshot:
                return getattr(snapshot, name)(*args, **named)

        return ask


def test_a_snapshot_that_does_not_stand_still_is_found() -> None:
    class Store(TwistedStore):
        @contextmanager
        def read(self) -> Iterator[Any]:
            yield Restless(cast("contract.Store", self._straight))

    def opened(*, settings: Settings, clock: Clock) -> contract.Store:
        return cast("contract.Store", Store(in_memory(settings=settings, clock=clock), {}))

    broken = found(opened, "a snapshot does not see")

    assert any("what it sees then is ['rice', 'tea']" in each for each in broken), broken


def test_what_check_finds_at_the_end_is_a_fault() -> None:
    torn = Finding("links", "a link leads nowhere", "repair()")

    (fault,) = found(twisted(Store_check=lambda _: [torn]), "ids are unique")

    assert fault.endswith(": check() finds afterwards that a link leads nowhere")


def test_a_store_that_does_not_open_is_a_fault_of_each_law() -> None:
    def closed(*, settings: Settings, clock: Clock) -> Store:
        raise InvalidInput("no such place")

    broken = store_faults(closed)

    assert len(broken) == len(LAWS)
    assert broken[0].endswith(": opening it raises InvalidInput: no such place")


def test_it_fails_with_each_law_on_a_line() -> None:
    with pytest.raises(AssertionError) as failed:
        check_store(twisted(audit=backwards))

    first, *lines = str(failed.value).splitlines()
    assert first == "this is no sound store:"
    assert any(line.startswith("  acts are told newest first") for line in lines)


def test_many_faults_of_one_law_are_cut_and_counted() -> None:
    broken = list(faults(twisted(browse=finds_nothing), [gate.shows_what_passes]))

    assert len(broken) == 9
    assert ": and " in broken[-1]


def test_the_laws_can_be_asked_without_pytest_and_name_nothing_of_our_store() -> None:
    code = (
        "import sys; sys.modules['pytest'] = None\n"
        "import agent_memory_os.laws, agent_memory_os.testing as testing\n"
        "testing.check_store\n"
        "assert not any(name.startswith('agent_memory_os.store.sqlite') for name in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
