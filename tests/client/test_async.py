"""The client for asyncio: every verb, the same answers and errors, and nothing half done."""

import asyncio
import contextvars
import inspect
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from agent_memory_os import (
    AgentMemory,
    AsyncAgentMemory,
    AsyncMemoryClient,
    AsyncMemoryGraph,
    ClientClosed,
    InvalidInput,
    MemoryClient,
    MemoryGraph,
    NotFound,
    NotPermitted,
    Settings,
)
from agent_memory_os.testing import FakeClock, FakeEntropy, memory_client

T = TypeVar("T")
RENAMED = {"close": "aclose"}
AT_ONCE = {"as_agent", "tools", "pipeline", "entity"}  # what does nothing that one would wait for


def done(work: Coroutine[Any, Any, T]) -> T:
    """Return what *work* returns, in an event loop of its own."""
    return asyncio.run(work)


class GatedClock(FakeClock):
    """A clock that is looked at within a write, and holds it up there while it is shut."""

    def __init__(self) -> None:
        super().__init__()
        self.open, self.reached = threading.Event(), threading.Event()
        self.open.set()

    def now_ms(self) -> int:
        self.reached.set()
        assert self.open.wait(30)
        return super().now_ms()

    def shut(self) -> None:
        self.open.clear()
        self.reached.clear()


async def until(event: threading.Event) -> None:
    await asyncio.to_thread(event.wait, 30)


def threads_of_clients() -> list[str]:
    return [t.name for t in threading.enumerate() if t.name.startswith("agent-memory")]


# Every verb


def pairs() -> Iterator[tuple[str, object, object]]:
    """Yield each object that has verbs, as it is and as it is awaited."""
    plain, awaited = MemoryClient(":memory:"), AsyncMemoryClient(":memory:")
    yield "client", plain, awaited
    yield "view", plain.as_agent("neo"), awaited.as_agent("neo")
    for name, noun in vars(plain).items():
        if not name.startswith("_"):
            yield name, noun, getattr(awaited, name)
    yield "layers of a view", plain.as_agent("neo").layers, awaited.as_agent("neo").layers
    yield "entity", plain.layers.entity("db1"), awaited.layers.entity("db1")
    graph, graph_awaited = MemoryGraph(plain), AsyncMemoryGraph(awaited)
    for name, part in vars(graph).items():
        yield f"graph.{name}", part, getattr(graph_awaited, name)


PAIRS = {name: (plain, awaited) for name, plain, awaited in pairs()}
VERBS = [
    (where, name)
    for where, (plain, _) in PAIRS.items()
    for name, _ in inspect.getmembers(type(plain), inspect.isfunction)
    if not name.startswith("_")
]


def twin(where: str, name: str) -> Callable[..., object]:
    return getattr(type(PAIRS[where][1]), RENAMED.get(name, name))


def test_there_are_verbs_to_compare() -> None:
    assert {where for where, _ in VERBS} >= {"client", "view", "org", "admin"}
    assert len(VERBS) > 60


@pytest.mark.parametrize(("where", "name"), VERBS)
def test_every_verb_can_be_awaited(where: str, name: str) -> None:
    verb = twin(where, name)

    assert inspect.iscoroutinefunction(verb) == (name not in AT_ONCE)


@pytest.mark.parametrize(("where", "name"), VERBS)
def test_every_verb_takes_the_same_arguments(where: str, name: str) -> None:
    here = inspect.signature(getattr(type(PAIRS[where][0]), name)).parameters
    there = inspect.signature(twin(where, name)).parameters

    assert [str(each) for each in there.values()] == [str(each) for each in here.values()]


@pytest.mark.parametrize("where", PAIRS)
def test_there_is_no_verb_besides(where: str) -> None:
    plain, awaited = (type(each) for each in PAIRS[where])
    known = {RENAMED.get(name, name) for name in dir(plain)}

    assert {name for name in dir(awaited) if name[0] != "_"} <= known


def test_it_is_opened_with_the_same_arguments_and_a_number_of_threads() -> None:
    here = inspect.signature(MemoryClient.__init__).parameters
    there = inspect.signature(AsyncMemoryClient.__init__).parameters

    assert {*there} - {*here} == {"workers"}
    assert [str(there[name]) for name in here] == [str(each) for each in here.values()]


# The same answers and errors


@pytest.mark.capability("AIM-44")
def test_what_is_saved_in_one_loop_is_recalled_in_it() -> None:
    async def main() -> list[str]:
        async with AsyncMemoryClient(":memory:") as m:
            await m.add("Alice prefers dark mode", subject="user:alice")
            alice = m.as_agent("local", subject="user:alice")
            return [hit.content for hit in await alice.search("which mode?")]

    assert done(main()) == ["Alice prefers dark mode"]


def test_the_nouns_are_awaited() -> None:
    async def main() -> tuple[list[str], list[object], int]:
        async with AsyncMemoryClient(":memory:") as m:
            await m.org.create_team("ops")
            await m.org.add_team_member("ops", "neo")
            await m.add("tea", owner="neo", visibility=["team:ops"])
            memberships = await m.org.memberships("neo")
            return memberships, [*await m.admin.check()], await m.rebuild_indexes()

    assert done(main()) == (["team:ops"], [], 1)


def test_it_answers_what_the_client_answers() -> None:
    async def main() -> tuple[object, ...]:
        async with AsyncMemoryClient(":memory:", clock=FakeClock(), entropy=FakeEntropy()) as m:
            added = await m.add("Deploy target is port 8000", tags=["ops"])
            return added, await m.search("port"), await m.get(added.id), await m.browse()

    with memory_client() as plain:
        receipt = plain.add("Deploy target is port 8000", tags=["ops"])
        expected = receipt, plain.search("port"), plain.get(receipt.id), plain.browse()

    assert done(main()) == expected


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda m: m.add(""), InvalidInput),
        (lambda m: m.search("tea", nonsense=1), InvalidInput),
        (lambda m: m.delete("f" * 25), NotFound),
        (lambda m: m.add("tea", visibility=["team:none"]), NotPermitted),
        (lambda m: m.as_agent("a", subject="user:a").search("x", subject="user:b"), NotPermitted),
        (lambda m: m.add(), TypeError),
    ],
)
def test_it_raises_what_the_client_raises(
    call: Callable[[AsyncMemoryClient], Awaitable[object]], error: type[Exception]
) -> None:
    async def main() -> None:
        async with AsyncMemoryClient(":memory:") as m:
            await call(m)

    with pytest.raises(error):
        done(main())


@pytest.mark.capability("AIM-44", "MEMU-47")
def test_a_graph_is_awaited() -> None:
    async def run() -> list[str]:
        async with AsyncMemoryClient(":memory:") as m:
            for graph in (AsyncMemoryGraph(m), AsyncMemoryGraph(m.as_agent("local"))):
                await graph.resources.create(resource_type="user", resource_id="alice")
                await graph.memories.create(resource_id="alice", text="Alice likes tea")
            found = await graph.memories.search(resource_id="alice", query="tea")
            return [item.text for item in found]

    assert done(run()) == ["Alice likes tea"]


def test_an_awaited_graph_is_of_an_awaited_client() -> None:
    with MemoryClient(":memory:") as m, pytest.raises(InvalidInput):
        AsyncMemoryGraph(m)


def test_a_view_is_made_and_refused_at_once() -> None:
    m = AsyncMemoryClient(":memory:")

    view = m.as_agent("bot", subject="user:alice")

    assert isinstance(view, AsyncAgentMemory)
    assert (view.agent_id, view.subject) == ("bot", "user:alice")
    with pytest.raises(InvalidInput):
        m.as_agent("*")
    done(m.aclose())


@pytest.mark.parametrize("workers", [0, -1, True, 1.5, "4", None])
def test_a_number_of_threads_that_is_none_is_refused(workers: Any) -> None:
    with pytest.raises(InvalidInput, match="workers"):
        AsyncMemoryClient(":memory:", workers=workers)


def test_what_the_caller_holds_in_its_context_is_seen_by_its_hooks() -> None:
    trace = contextvars.ContextVar("trace", default="")
    seen: list[str] = []

    async def main() -> None:
        hook = lambda event: seen.append(trace.get())  # noqa: E731  # one that sees
        async with AsyncMemoryClient(":memory:", on_write=hook) as m:
            trace.set("request 7")
            await m.add("tea")

    done(main())

    assert seen == ["request 7"]


# Threads


def test_no_thread_is_made_before_the_first_call_and_none_stays_after_the_last() -> None:
    counts: list[int] = []

    async def main() -> None:
        async with AsyncMemoryClient(":memory:") as m:
            counts.append(len(threads_of_clients()))
            await m.add("tea")
            counts.append(len(threads_of_clients()))

    before = len(threads_of_clients())
    done(main())

    assert [count - before for count in counts] == [0, 1]
    assert len(threads_of_clients()) == before


def test_fifty_calls_at_once_share_two_threads(tmp_path: Path) -> None:
    used: set[int] = set()

    async def main() -> int:
        hook = lambda event: used.add(threading.get_ident())  # noqa: E731
        async with AsyncMemoryClient(tmp_path / "m.db", workers=2, on_write=hook) as m:
            await asyncio.gather(*(m.add(f"note {n}") for n in range(50)))
            return len(await m.browse(limit=100))

    assert done(main()) == 50
    assert 1 <= len(used) <= 2


@pytest.mark.capability("MEMU-48")
def test_fc_041_one_client_serves_threads_pools_and_a_loop(tmp_path: Path) -> None:
    """Eight threads, `to_thread` and the awaited client, all on one file."""

    def work(m: MemoryClient, who: int) -> None:
        for n in range(50):
            added = m.add(f"worker {who} wrote {n}")
            assert m.get(added.id) is not None
        m.update(added.id, importance=0.9)
        m.delete(added.id)

    async def main(m: MemoryClient) -> int:
        async with AsyncMemoryClient(tmp_path / "m.db") as awaited:
            await asyncio.gather(*(asyncio.to_thread(work, m, who) for who in range(8)))
            return len(await awaited.browse(limit=1_000))

    with MemoryClient(tmp_path / "m.db") as m:
        assert done(main(m)) == 8 * 49
        assert m.admin.check() == []


def test_a_write_that_waits_for_another_process_holds_up_no_reader(tmp_path: Path) -> None:
    path = tmp_path / "m.db"

    async def main(other: MemoryClient) -> tuple[int, int]:
        async with AsyncMemoryClient(path) as m:
            await m.add("tea")
            with other._parts.store.write():
                waiting = asyncio.create_task(m.add("milk"))
                while_it_waits = len(await m.browse())
                assert not waiting.done()
            await waiting
            return while_it_waits, len(await m.browse())

    with MemoryClient(path) as other:
        assert done(main(other)) == (1, 2)


# Whoever stops waiting


@pytest.mark.parametrize("path", [":memory:", "m.db"])
def test_a_write_that_is_cancelled_half_way_is_written_whole(path: str, tmp_path: Path) -> None:
    clock = GatedClock()
    path = path if path == ":memory:" else str(tmp_path / path)

    async def main() -> tuple[list[str], list[object]]:
        async with AsyncMemoryClient(path, clock=clock) as m:
            clock.shut()
            task = asyncio.create_task(m.add("tea", tags=["hot"]))
            await until(clock.reached)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            clock.open.set()
            await m.add("milk")
            found = [memory.content for memory in await m.browse(tags=["hot"])]
            return found, [*await m.admin.check()]

    assert done(main()) == (["tea"], [])


def test_a_write_that_is_cancelled_before_its_turn_is_not_written(tmp_path: Path) -> None:
    clock = GatedClock()

    async def main() -> list[str]:
        async with AsyncMemoryClient(tmp_path / "m.db", clock=clock, workers=1) as m:
            clock.shut()
            first = asyncio.create_task(m.add("tea"))
            await until(clock.reached)
            second = asyncio.create_task(m.add("milk"))
            await asyncio.sleep(0)
            second.cancel()
            with pytest.raises(asyncio.CancelledError):
                await second
            clock.open.set()
            await first
            return [memory.content for memory in await m.browse()]

    assert done(main()) == ["tea"]


def test_a_write_that_timed_out_can_be_repeated_under_its_key(tmp_path: Path) -> None:
    clock = GatedClock()

    async def main() -> tuple[int, int]:
        async with AsyncMemoryClient(tmp_path / "m.db", clock=clock) as m:
            clock.shut()
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(m.add("tea", idempotency_key="turn-1"), 0.01)
            clock.open.set()
            again = await m.add("tea", idempotency_key="turn-1")
            return again.memory.mentions, len(await m.browse())

    assert done(main()) == (1, 1)


# Loops, closing, forks


def test_one_client_serves_one_loop_after_another(tmp_path: Path) -> None:
    m = AsyncMemoryClient(tmp_path / "m.db")

    done(m.add("tea"))
    done(m.add("milk"))
    found = done(m.browse())
    done(m.aclose())

    assert [memory.content for memory in found] == ["milk", "tea"]


def test_loops_of_two_threads_share_one_client(tmp_path: Path) -> None:
    m = AsyncMemoryClient(tmp_path / "m.db", workers=1)

    async def fill(who: int) -> None:
        await asyncio.gather(*(m.add(f"{who} wrote {n}") for n in range(20)))

    threads = [threading.Thread(target=done, args=(fill(who),)) for who in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(done(m.browse())) == 40
    done(m.aclose())


def test_calls_that_were_made_end_before_it_closes(tmp_path: Path) -> None:
    clock = GatedClock()

    async def main() -> str:
        m = AsyncMemoryClient(tmp_path / "m.db", clock=clock)
        clock.shut()
        task = asyncio.create_task(m.add("tea"))
        await until(clock.reached)
        closing = asyncio.create_task(m.aclose())
        await asyncio.sleep(0)
        clock.open.set()
        await closing
        return (await task).verdict

    assert done(main()) == "stored"


def test_a_closed_client_says_so_and_can_be_closed_again() -> None:
    async def main() -> None:
        m = AsyncMemoryClient(":memory:")
        view = m.as_agent("neo")
        await m.aclose()
        await m.aclose()
        for call in (m.add("tea"), view.search("tea"), m.org.teams(), m.admin.check()):
            with pytest.raises(ClientClosed):
                await call

    done(main())


def _write_in_child(m: AsyncMemoryClient) -> None:
    async def main() -> None:
        await m.add("from the child")
        await m.aclose()

    asyncio.run(main())


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")  # that is what is tried here
@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_after_a_fork_parent_and_child_have_threads_of_their_own(tmp_path: Path) -> None:
    m = AsyncMemoryClient(tmp_path / "m.db")
    done(m.add("from the parent"))

    child = multiprocessing.get_context("fork").Process(target=_write_in_child, args=(m,))
    child.start()
    child.join(60)
    done(m.add("from the parent, afterwards"))

    assert child.exitcode == 0
    assert len(done(m.browse())) == 3
    done(m.aclose())


def test_the_package_loads_asyncio_only_with_the_awaited_client() -> None:
    code = (
        "import sys, agent_memory_os as a; m = a.MemoryClient(':memory:'); m.add('tea');"
        "m.search('tea'); m.close(); before = {*sys.modules}; a.AsyncMemoryClient;"
        "print(*before); print('asyncio' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, after = said.stdout.splitlines()

    seldom = {"aio", "tools", "hooks", "progress", "testing", "golden", "pure.toolbox"}
    assert {"asyncio", "logging", *(f"agent_memory_os.{name}" for name in seldom)} & {
        *before.split()
    } == set()
    assert after == "True"


def test_a_busy_store_is_busy_for_who_awaits_too(tmp_path: Path) -> None:
    path = tmp_path / "m.db"

    async def main(other: MemoryClient) -> None:
        async with AsyncMemoryClient(path, settings=Settings(busy_wait_ms=10)) as m:
            with other._parts.store.write(), pytest.raises(TimeoutError, match="waited"):
                await m.add("tea")
            assert (await m.add("tea")).verdict == "stored"

    with MemoryClient(path) as other:
        done(main(other))


def test_the_view_is_the_view_of_the_client() -> None:
    assert {name for where, name in VERBS if where == "view"} == {
        name for name, _ in inspect.getmembers(AgentMemory, inspect.isfunction) if name[0] != "_"
    }
