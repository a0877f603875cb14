"""Providers of the host: asked one at a time before anything is read, and trusted in nothing."""

from collections.abc import Coroutine, Generator, Iterable
from itertools import islice
from math import isfinite
from numbers import Real
from threading import Thread

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import Candidate
from agent_memory_os.providers.deadline import Deadline
from agent_memory_os.providers.protocol import Busy, Provider, ProviderRequest, Told
from agent_memory_os.pure import access

MOST_ID_CHARS = 200
MOST_NAME_CHARS = 60  # of a class of the host's
_END = object()


def named(provider: object) -> str:
    """Return the name of *provider*, if it has what a provider needs.

    Raises:
        InvalidInput: it has no valid name, or nothing that can be asked.
    """
    if isinstance(provider, type):
        raise InvalidInput(f"providers takes objects, and {provider.__name__} is a class")
    try:
        name = getattr(provider, "name", None)
        is_askable = callable(getattr(provider, "candidates", None))
    except Exception as error:
        raise InvalidInput(f"a provider has no name: {_kind(error)} was raised") from error
    if not is_askable:
        raise InvalidInput(f"a provider must have candidates(request), and {provider!r} has none")
    return access.parse_name(name, "the name of a provider")


class Foreign:
    """One provider of the host, as it is asked.

    Args:
        provider: the host's object.
        name: what it is called, checked.
        busy: the threads of this client that were cut; shared by all of its providers.
    """

    def __init__(self, provider: Provider, name: str, busy: Busy) -> None:
        self.provider = provider
        self.name = name
        self._busy = busy

    def ask(self, request: ProviderRequest, deadline: Deadline | None) -> Told:
        """Return what the provider says, cleaned; whatever it does but stop the program.

        With a *deadline* it is asked in a thread of its own, and cut when the time is over. One
        that has not come back from an earlier call is not asked again until it has.
        """
        if deadline is None:
            return _asked(self.name, self.provider, request)
        if not deadline.allows(self.name):
            return Told(self.name)  # the deadline has kept why
        if self._is_busy():
            return self._failed("still busy with an earlier call, and not asked again")
        return self._cut(request, deadline)

    def _is_busy(self) -> bool:
        for thread in [each for each in list(self._busy) if not each.is_alive()]:
            self._busy.pop(thread, None)
        return self.name in list(self._busy.values())

    def _cut(self, request: ProviderRequest, deadline: Deadline) -> Told:
        from contextvars import copy_context  # the host's context goes along into the thread

        answers: list[Told | BaseException] = []

        def work() -> None:
            try:
                answers.append(_asked(self.name, self.provider, request))
            except BaseException as error:
                answers.append(error)  # the caller's thread raises it

        left_ms = deadline.left_ms()
        thread = Thread(target=copy_context().run, args=(work,), daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the process has as many as it may, or is about to end
            return self._failed("no thread could be started for it")
        try:
            thread.join(left_ms / 1_000)
        finally:
            if not answers:
                self._busy[thread] = self.name
        if not answers:
            return self._failed(f"cut after {deadline.spent_ms()} ms")
        answer = answers[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _failed(self, why: str) -> Told:
        return Told(self.name, degraded=(f"{self.name}: {why}",))


def _asked(name: str, provider: Provider, request: ProviderRequest) -> Told:
    """Return what *provider* says; when it raises, what it said before counts for nothing."""
    try:
        answer = provider.candidates(request)
        try:
            return _read(name, answer, request.limit)
        finally:
            if isinstance(answer, Generator | Coroutine):
                answer.close()
    except Exception as error:
        return Told(name, degraded=(f"{name}: it raised {_kind(error)}, and proposes nothing",))


def _read(name: str, answer: object, most: int) -> Told:
    """Return the candidates among the first *most* rows of *answer*; no more are looked at."""
    if not isinstance(answer, Iterable):
        return Told(name, degraded=(f"{name}: it returned {_kind(answer)}, not candidates",))
    rows = iter(answer)
    best: dict[str, float] = {}
    dropped = 0
    for row in islice(rows, most):
        candidate = _candidate(row)
        if candidate is None:
            dropped += 1
        elif candidate.score > best.get(candidate.id, 0.0):
            best[candidate.id] = candidate.score
    degraded = []
    if dropped:
        degraded.append(f"{name}: {dropped} of its rows were no candidates, and were dropped")
    if next(rows, _END) is not _END:
        degraded.append(f"{name}: it has more than {most} rows, and the rest was not read")
    return Told(name, tuple(Candidate(*pair) for pair in best.items()), tuple(degraded))


def _candidate(row: object) -> Candidate | None:
    """Return *row* as a candidate whose score is cut to 0 to 1; None when it is none."""
    if not isinstance(row, tuple | list) or len(row) != 2:
        return None
    memory_id, score = row
    if not isinstance(memory_id, str) or isinstance(score, bool) or not isinstance(score, Real):
        return None
    try:
        number = float(score)
        memory_id = str.__str__(memory_id)  # not what a subclass makes of it
        memory_id.encode()
    except (OverflowError, TypeError, ValueError):
        return None
    if not isfinite(number) or len(memory_id) > MOST_ID_CHARS:
        return None
    return Candidate(memory_id, min(max(number, 0.0), 1.0))


def _kind(value: object) -> str:
    """Return the name of the class of *value*, if it can be nothing but a name."""
    name = type(value).__name__
    return name if name.isidentifier() and len(name) <= MOST_NAME_CHARS else "something"
