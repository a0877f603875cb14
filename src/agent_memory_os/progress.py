"""Long work that somebody follows."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from queue import SimpleQueue
from threading import Event
from typing import TypeVar

from agent_memory_os.errors import InvalidInput
from agent_memory_os.hooks import failed
from agent_memory_os.model import Progress

T = TypeVar("T")
Step = tuple[int, int]


class Abandoned(BaseException):
    """Whoever followed the work was interrupted: it is rolled back."""


def followed(work: Callable[[Progress], T], progress: object) -> T:
    """Return what *work* returns; meanwhile *progress* is told how many are done, of how many.

    The work goes on in a thread of its own, and *progress* is called in the caller's: it never
    stands inside of a transaction, may take its time, and holds no lock. What it raises is logged,
    and it is not called again. An interrupt undoes the work, unless it was done already.

    Args:
        work: is given what it tells of each step.
        progress: takes two whole numbers.

    Raises:
        InvalidInput: *progress* cannot be called; nothing was done.
    """
    if not callable(progress):
        raise InvalidInput(f"progress must be a function of two numbers, not {progress!r}")
    steps: SimpleQueue[Step | None] = SimpleQueue()
    is_abandoned = Event()

    def tell(done: int, total: int) -> None:
        if is_abandoned.is_set():
            raise Abandoned
        steps.put((done, total))

    with ThreadPoolExecutor(1, thread_name_prefix="agent-memory-progress") as threads:
        doing = threads.submit(copy_context().run, work, tell)
        doing.add_done_callback(lambda _: steps.put(None))
        try:
            _follow(steps, doing, progress)
        except BaseException:
            is_abandoned.set()
            raise
        return doing.result()


def _follow(steps: "SimpleQueue[Step | None]", doing: "Future[T]", progress: Progress) -> None:
    """Pass *steps* on until the work has ended, and that all of it is done when it is."""
    total = 0
    try:
        while (step := steps.get()) is not None:
            total = step[1]
            progress(*step)
        if total and doing.exception() is None:
            progress(total, total)
    except Exception as error:  # the work is worth more than what looks on
        failed("progress", error, "long work, which goes on")
