"""What the pipeline costs: a capture while it is on, and a look when there is nothing to do.

``python tests/bench/pipeline.py --n 100000`` prints how long a capture takes, by call and by
message, without a pipeline, with one that the caller runs, and with a worker thread, beside a bare
row and FTS5 commit measured in turns with it; then what a run with nothing to do takes in a store
of so many events. The floor is ``../shared/bench/floor.py``, or the file that ``--floor`` names.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from statistics import fmean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
import speed

from agent_memory_os import AgentMemory, MemoryClient, Pipeline

CALLS, WARMUP = 400, 40  # captures of each kind; how many of them are not counted
LOOKS = 200
TURNS = 20  # of a session
HABITS = ("no pipeline", "run by the caller", "a worker")
MESSAGES = (1, 2, 4)  # of a turn


def turn_of(rows: Iterator[Any], messages: int) -> list[tuple[str, str]]:
    """Return the messages of a turn, the user's and the assistant's in turns."""
    roles = ("user", "assistant")
    return [(roles[at % 2], row.content) for at, row in enumerate(islice(rows, messages))]


def measure_capture(tool: Any, rows: Sequence[Any], folder: Path) -> None:
    """Print how long captures take, beside the floor."""
    print(f"{'capture':40}{'p50 ms':>9}{'p95 ms':>9}{'floor':>9}{'ratio':>8}{'per message':>13}")
    for habit in HABITS:
        for messages in MESSAGES:
            name = f"{habit}, {messages} of a turn"
            fresh = iter(rows)
            floor = tool.Floor(str(folder / f"{name}.floor"))
            with ExitStack() as stack:
                client = stack.enter_context(MemoryClient(folder / f"{name}.db"))
                bot = client.as_agent("bot", subject="user:alice")
                pipeline = bot.layers.pipeline(worker=habit == "a worker")
                stack.enter_context(pipeline)
                mine, floors = timed(bot, pipeline, floor, fresh, messages, habit)
            floor.db.close()
            ratio = median(mine) / median(floors)
            print(
                f"{name:40}{median(mine):9.3f}{sorted(mine)[int(0.95 * len(mine))]:9.3f}"
                f"{median(floors):9.3f}{ratio:8.2f}{ratio / messages:13.2f}",
                flush=True,
            )


def timed(
    bot: AgentMemory,
    pipeline: Pipeline,
    floor: Any,
    rows: Iterator[Any],
    messages: int,
    habit: str,
) -> tuple[list[float], list[float]]:
    """Return the milliseconds of captures, and of bare commits in between."""
    mine, floors = [], []
    for number in range(CALLS + WARMUP):
        row, said = next(rows), turn_of(rows, messages)
        start = time.perf_counter()
        floor.add(row)
        between = time.perf_counter()
        bot.capture(said, session=f"s{number // TURNS}")
        end = time.perf_counter()
        floors.append(1e3 * (between - start))
        mine.append(1e3 * (end - between))
        if habit == "run by the caller":
            pipeline.run_pending()
    return mine[WARMUP:], floors[WARMUP:]


def measure_look(rows: Sequence[Any], folder: Path) -> None:
    """Print what a run takes that has nothing to do, of so many events that are distilled."""
    with MemoryClient(folder / "look.db") as client:
        bot = client.as_agent("bot", subject="user:alice")
        pipeline = bot.layers.pipeline(idle_s=0, distiller=lambda turns, known: [])
        for at in range(0, len(rows), 10_000):
            bot.add_many(
                {"content": row.content, "layer": 0, "session": f"s{(at + n) // 2 // TURNS}"}
                for n, row in enumerate(rows[at : at + 10_000])
            )
        while pipeline.run_pending(most=10_000).events:
            pass
        waiting = bot.layers.pipeline()
        for number, name in ((0, "nothing waits"), (400, "400 events of 100 sessions wait")):
            for each in range(number // 4):
                bot.capture(turn_of(iter(rows), 4), session=f"waits {each}")
            for verb in (waiting.run_pending, waiting.status):
                took = []
                for _ in range(LOOKS):
                    start = time.perf_counter()
                    verb()
                    took.append(1e3 * (time.perf_counter() - start))
                what = f"{verb.__name__}, {name}"
                print(f"{what:46}p50 {median(took):7.3f} ms   mean {fmean(took):7.3f} ms")


def main() -> None:
    """Print all of it."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--n", type=int, default=10_000, help="events that were distilled")
    parser.add_argument("--floor", type=Path, default=speed.FLOOR, help="the file of the floor")
    asked = parser.parse_args()
    if not asked.floor.is_file():
        parser.error(f"there is no floor at {asked.floor}; name its file with --floor")
    tool = speed.read_floor(asked.floor)
    needed = (CALLS + WARMUP) * (1 + max(MESSAGES))
    rows = list(tool.corpus(max(asked.n, needed)))
    with tempfile.TemporaryDirectory() as folder:
        measure_capture(tool, rows, Path(folder))
        print(f"\n{asked.n} events that were distilled")
        measure_look(rows[: asked.n], Path(folder))


if __name__ == "__main__":
    main()
