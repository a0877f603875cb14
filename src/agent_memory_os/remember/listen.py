"""Listening: what a function of the host answers, within its time, outside any transaction."""

import inspect
from collections.abc import Awaitable, Callable
from contextvars import copy_context
from threading import Thread

_MOST_KIND = 60  # characters of the class of an error


def heard(ask: Callable[..., object], *given: object, timeout_s: float) -> tuple[object, str]:
    """Return what *ask* answers to *given*, and in words why there is no answer, else "".

    It runs in a thread of its own, and a coroutine in an event loop of its own. One that takes
    longer is not waited for: a coroutine is cancelled, a plain function ends when it does, and
    nobody listens. Nothing is raised, and no word of an error is passed on.
    """
    answers: list[tuple[object, str]] = []
    late = f"took longer than {timeout_s:g} s"

    def run() -> None:
        try:
            answer = ask(*given)
            if inspect.isawaitable(answer):
                answer = _awaited(answer, timeout_s)
            answers.append((answer, ""))
        except TimeoutError:
            answers.append((None, late))
        except Exception as error:  # it is the host's: whatever it raises loses nothing
            answers.append((None, f"raised {type(error).__name__[:_MOST_KIND]}"))

    thread = Thread(target=copy_context().run, args=(run,), name="distiller", daemon=True)
    thread.start()
    thread.join(timeout_s)
    if answers:
        return answers[0]
    return None, late if thread.is_alive() else "ended without an answer"


def _awaited(answer: Awaitable[object], timeout_s: float) -> object:
    import asyncio  # takes longer to load than all of the package

    async def within() -> object:
        return await asyncio.wait_for(answer, timeout_s)

    return asyncio.run(within())
