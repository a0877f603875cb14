"""Many processes and threads at one file: nothing is lost, nothing is raised, and how fast it is.

    python tests/stress/contention.py

It opens a new file in 16 processes at once; adds in 8 processes, with and without readers, against
one process that adds the same; shares a client among threads; forks with an open client; holds a
snapshot while others write, and looks at the log; and meets a writer that does not let go.
"""

import argparse
import multiprocessing
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import product
from multiprocessing.context import SpawnContext
from pathlib import Path
from typing import NamedTuple

from agent_memory_os import MemoryClient, Settings, StoreBusy

OPENERS, WRITERS, READERS, ADDS, TIMES = 16, 8, 2, 500, 5
LEAST_SHARE, LONGEST_ADD_S = 0.7, 0.5  # of the throughput of one process; of any one add
ANSWER_S = 120  # for what processes have to tell that open a file
WAIT_MS = 300  # for the writer that does not let go


class Run(NamedTuple):
    """What some processes did together.

    Attributes:
        lost: acknowledged adds that are not there.
        raised: what went wrong, in words.
        per_s: adds in a second, over all.
        longest_s: the longest of them.
        reads: searches that readers did meanwhile.
    """

    lost: int
    raised: tuple[str, ...]
    per_s: float
    longest_s: float
    reads: int


@contextmanager
def new_path() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "memory.db"


def write(path: str, agents: range, adds: int, barrier: object, results: object) -> None:
    """Add so many memories of each agent, in turns, beginning with the other writers.

    Tell when, how long, and what was raised.
    """
    raised, longest_s, begun = [], 0.0, 0.0
    try:
        with MemoryClient(path) as m:
            m.add(f"warm up {agents.start}")
            barrier.wait()
            begun = time.perf_counter()
            for n, agent in product(range(adds), agents):
                content = f"finding {n} of agent {agent} in region {n % 13}"
                started = time.perf_counter()
                m.add(content, owner=f"agent{agent}", visibility=["global"])
                longest_s = max(longest_s, time.perf_counter() - started)
    except Exception as error:
        raised.append(f"{type(error).__name__}: {error}")
    results.put((begun, time.perf_counter(), longest_s, raised))


def read(path: str, barrier: object, stop: object, results: object) -> None:
    """Search until told to stop; tell how often, and what was raised."""
    reads, raised = 0, []
    try:
        with MemoryClient(path) as m:
            barrier.wait()
            while not stop.is_set():
                if not m.search("finding region"):
                    time.sleep(0.001)
                reads += 1
    except Exception as error:
        raised.append(f"{type(error).__name__}: {error}")
    results.put((reads, raised))


def together(writers: int, adds: int, readers: int, *, agents: int = 1) -> Run:
    """Return what so many writers do, and readers beside them.

    Each writer makes so many adds of each of so many agents of its own. Whose memories they are
    matters: what others said is held against what one says.
    """
    spawn = multiprocessing.get_context("spawn")
    with new_path() as path:
        with MemoryClient(path):
            pass
        barrier, stop = spawn.Barrier(writers + readers), spawn.Event()
        written, found = spawn.Queue(), spawn.Queue()
        processes = [
            spawn.Process(
                target=write,
                args=(str(path), range(n * agents, (n + 1) * agents), adds, barrier, written),
            )
            for n in range(writers)
        ]
        processes += [
            spawn.Process(target=read, args=(str(path), barrier, stop, found))
            for _ in range(readers)
        ]
        for each in processes:
            each.start()
        wrote = [written.get() for _ in range(writers)]
        stop.set()
        sought = [found.get() for _ in range(readers)]
        for each in processes:
            each.join()
        with MemoryClient(path) as m:
            there = m.admin.stats().memories - writers
            unsound = tuple(str(each) for each in m.admin.check())
    seconds = max(end for _, end, _, _ in wrote) - min(begun for begun, _, _, _ in wrote)
    return Run(
        lost=writers * agents * adds - there,
        raised=(*(each for row in (*wrote, *sought) for each in row[-1]), *unsound),
        per_s=writers * agents * adds / seconds,
        longest_s=max(longest_s for _, _, longest_s, _ in wrote),
        reads=sum(reads for reads, _ in sought),
    )


def open_one(path: str, number: int, barrier: object, results: object) -> None:
    barrier.wait()
    started = time.perf_counter()
    try:
        with MemoryClient(path, agent_id=f"agent{number}") as m:
            m.add(f"first of agent {number}")
        results.put((time.perf_counter() - started, ""))
    except Exception as error:
        results.put((0.0, f"{type(error).__name__}: {error}"))


def opening(openers: int) -> Run:
    """Return what so many processes do that open a new file at once and add a memory each."""
    spawn = multiprocessing.get_context("spawn")
    with new_path() as path:
        barrier, results = spawn.Barrier(openers), spawn.Queue()
        processes = [
            spawn.Process(target=open_one, args=(str(path), number, barrier, results))
            for number in range(openers)
        ]
        for each in processes:
            each.start()
        opened = [results.get() for _ in range(openers)]
        for each in processes:
            each.join()
        with MemoryClient(path) as m:
            there = m.admin.stats().memories
            unsound = tuple(str(each) for each in m.admin.check())
    longest_s = max(seconds for seconds, _ in opened)
    raised = tuple(said for _, said in opened if said)
    return Run(openers - there, (*raised, *unsound), openers / longest_s, longest_s, 0)


def read_one(path: str, barrier: object, results: object) -> None:
    barrier.wait()
    try:
        with MemoryClient(path, settings=Settings(busy_wait_ms=0)) as m:
            results.put("" if m.search("tea") else "found nothing")
    except Exception as error:
        results.put(f"{type(error).__name__}: {error}")


def opened_while_written(openers: int) -> tuple[str, ...]:
    """Return what goes wrong where so many open a file at once that is written all the while.

    They wait for nobody: whoever takes the write lock to open it, or to read, is told at once.

    Raises:
        queue.Empty: one of them has not answered.
    """
    spawn = multiprocessing.get_context("spawn")
    with new_path() as path:
        with MemoryClient(path) as m:
            m.add("tea at nine", visibility=["global"])
        barrier, results = spawn.Barrier(openers), spawn.Queue()
        with closing(sqlite3.connect(path, isolation_level=None)) as writer:
            writer.execute("SELECT count(*) FROM memories").fetchone()
            writer.execute("BEGIN IMMEDIATE")
            processes = [
                spawn.Process(target=read_one, args=(str(path), barrier, results), daemon=True)
                for _ in range(openers)
            ]
            for each in processes:
                each.start()
            said = [results.get(timeout=ANSWER_S) for _ in range(openers)]
            for each in processes:
                each.join()
    return tuple(each for each in said if each)


def threads(number: int, adds: int) -> Run:
    """Return what threads do that share one client; each finds what it has just added."""
    with new_path() as path, MemoryClient(path) as m, ThreadPoolExecutor(number) as pool:

        def work(which: int) -> float:
            longest_s = 0.0
            for n in range(adds):
                started = time.perf_counter()
                added = m.add(f"finding{which}x{n} of a thread")
                longest_s = max(longest_s, time.perf_counter() - started)
                if added.id not in m.search(f"finding{which}x{n}").ids:
                    raise AssertionError(f"finding{which}x{n} is not found")
            return longest_s

        started = time.perf_counter()
        futures = [pool.submit(work, which) for which in range(number)]
        errors = [str(each.exception()) for each in futures if each.exception()]
        seconds = time.perf_counter() - started
        there = m.admin.stats().memories
        unsound = [str(each) for each in m.admin.check()]
        longest_s = max((each.result() for each in futures if not each.exception()), default=0.0)
    lost = number * adds - there
    return Run(lost, (*errors, *unsound), number * adds / seconds, longest_s, number * adds)


def forks(children: int, adds: int) -> Run:
    """Return what forked children do with the client of their parent, which goes on as well."""
    with new_path() as path, MemoryClient(path) as m:
        m.add("before the fork")
        started, waiting = time.perf_counter(), []
        for child in range(children):
            process = os.fork()
            if process == 0:
                code = 1
                try:
                    for n in range(adds):
                        m.add(f"child {child} {n}")
                    code = 0
                finally:
                    os._exit(code)
            waiting.append(process)
            m.add(f"parent {child}")
        codes = [os.waitstatus_to_exitcode(os.waitpid(each, 0)[1]) for each in waiting]
        seconds = time.perf_counter() - started
        there = m.admin.stats().memories
        unsound = tuple(str(each) for each in m.admin.check())
    raised = tuple(f"a child ended with {code}" for code in codes if code)
    total = 1 + children * (adds + 1)
    return Run(total - there, (*raised, *unsound), total / seconds, 0.0, 0)


class Log(NamedTuple):
    """How large the log was, in bytes: beside a reader, after it, and after the last close."""

    held: int
    after: int
    closed: int
    file: int


def long_reader(adds: int) -> Log:
    """Return how the log grows while somebody reads one old state, and how it shrinks after."""

    def size(path: Path) -> int:
        log = Path(f"{path}-wal")
        return log.stat().st_size if log.exists() else 0

    with new_path() as path:
        with MemoryClient(path) as m:
            m.add("before the reader")
            with closing(sqlite3.connect(path, isolation_level=None)) as reader:
                reader.execute("BEGIN")
                before = reader.execute("SELECT count(*) FROM memories").fetchone()
                for n in range(adds):
                    m.add(f"finding {n} while somebody reads")
                held = size(path)
                if reader.execute("SELECT count(*) FROM memories").fetchone() != before:
                    raise AssertionError("the snapshot has moved")
            m._parts.store.connections.truncate_log()
            after = size(path)
        return Log(held, after, size(path), path.stat().st_size)


def hold(path: str, held: object, let_go: object) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        held.set()
        let_go.wait()


def stuck_writer(wait_ms: int) -> tuple[float, str]:
    """Return how many milliseconds an add waits for a writer that does not let go, and says."""
    spawn: SpawnContext = multiprocessing.get_context("spawn")
    with new_path() as path, MemoryClient(path, settings=Settings(busy_wait_ms=wait_ms)) as m:
        m.add("before")
        held, let_go = spawn.Event(), spawn.Event()
        holder = spawn.Process(target=hold, args=(str(path), held, let_go))
        holder.start()
        held.wait()
        started = time.perf_counter()
        try:
            m.add("while it is held")
            said = ""
        except StoreBusy as error:
            said = str(error)
        waited_ms = (time.perf_counter() - started) * 1_000
        if len(m.search("before")) != 1:
            said = ""  # reads wait for nobody
        let_go.set()
        holder.join()
        m.add("after")
    return waited_ms, said


def main() -> None:
    """Run all of it, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=TIMES)
    parser.add_argument("--adds", type=int, default=ADDS)
    asked = parser.parse_args()
    problems: list[str] = []

    def row(name: str, act: Callable[[], Run]) -> Run:
        run = act()
        print(
            f"{name:<34}{run.per_s:>8.0f}/s  longest {run.longest_s * 1_000:>5.0f} ms"
            f"  lost {run.lost}  raised {len(run.raised)}"
            + f"  reads {run.reads}"
            * bool(run.reads),
            flush=True,
        )
        problems.extend(run.raised)
        problems.extend([f"{name}: {run.lost} lost"] * bool(run.lost))
        return run

    row(f"{OPENERS} processes open a new file", lambda: opening(OPENERS))
    shares, longest = [], []
    for _ in range(asked.times):
        one = row("1 process", lambda: together(1, asked.adds, 0, agents=WRITERS))
        many = row(f"{WRITERS} processes", lambda: together(WRITERS, asked.adds, 0))
        shares.append(many.per_s / one.per_s)
        longest.append(many.longest_s)
    row(f"{WRITERS} processes, {READERS} readers", lambda: together(WRITERS, asked.adds, READERS))
    row(f"{WRITERS} threads of one client", lambda: threads(WRITERS, asked.adds // 5))
    if hasattr(os, "fork"):
        row(f"{WRITERS} forked children", lambda: forks(WRITERS, asked.adds // 10))
    log = long_reader(asked.adds)
    print(
        f"the log, in MB: {log.held / 1e6:.1f} beside a reader of {asked.adds} adds,"
        f" {log.after / 1e6:.1f} when it has ended, {log.closed / 1e6:.1f} when all is closed;"
        f" the file {log.file / 1e6:.1f}"
    )
    waited_ms, said = stuck_writer(WAIT_MS)
    print(f"a stuck writer: StoreBusy after {waited_ms:.0f} ms of {WAIT_MS}: {said}")
    problems.extend(["a stuck writer is not told"] * (not said))
    share = statistics.median(shares)
    print(
        f"{WRITERS} processes against one, median of {asked.times}: {share:.2f}"
        f" (bar {LEAST_SHARE}); longest add {max(longest) * 1_000:.0f} ms"
        f" (bar {LONGEST_ADD_S * 1_000:.0f})"
    )
    for each in problems:
        print("PROBLEM:", each)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
