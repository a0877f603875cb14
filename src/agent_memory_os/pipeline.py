"""The pipeline: it decides when captured events become atoms, scenes and personas."""

import os
import threading
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

from agent_memory_os.errors import ClientClosed
from agent_memory_os.model import Visibility
from agent_memory_os.noun import Noun
from agent_memory_os.pure import bounds, due
from agent_memory_os.pure.due import Failure, Pending, Rule
from agent_memory_os.pure.organised import Organised
from agent_memory_os.pure.turns import Distillation
from agent_memory_os.remember.bell import Bell
from agent_memory_os.store.contract import Snapshot, Store

EVERY_TURNS = 5
IDLE_S = 600.0
MOST_EVENTS = 1_000  # that one run deals with
MOST_FAILURES = 3  # of conversations on end, after which a run leaves the rest to the next one
REST_S = 0.25  # of a worker between two looks, however much is captured
LOOK_S = 60.0  # after which a worker looks, though nobody woke it: others capture too
LEFT = "the distiller failed again and again, so the rest was left"
NOTHING = "what waits could not be read"
LEAVE_S = 5.0  # that whoever stops a worker waits for it to end
_LONGEST_S = 10 * 365 * 86_400.0

Distil = Callable[[Pending, int], Distillation]  # what waits, and the most events of it
Organise = Callable[[str | None], Organised]  # about a subject, or about anything


class Crew(Noun):
    """What a pipeline works with, as the view that made it has it.

    Attributes:
        store: where the events are.
        visibility: returns who asks, now.
        bell: rings when something was captured through this client.
        distil: makes atoms of what waits.
        organise: makes scenes and personas of atoms; None where that is not wanted.
        is_written: whether a function of the host writes scenes, which may fail.
    """

    store: Store
    visibility: Callable[[], Visibility]
    bell: Bell
    distil: Distil
    organise: Organise | None
    is_written: bool


class PipelineRun(Noun):
    """What one run of a pipeline did.

    Attributes:
        at_ms: when it began, in UTC milliseconds.
        sessions: conversations that it dealt with.
        events: events of them that were dealt with.
        ids: the atoms that were written or strengthened, each once.
        organised: subjects whose scenes and personas were renewed; None for those of any.
        skipped: events of which nothing was made, since the distiller failed; they still wait.
        notes: what went wrong or was left out, in sentences.
        left: conversations that are due and were left to the next run.
    """

    at_ms: int
    sessions: int = 0
    events: int = 0
    ids: tuple[str, ...] = ()
    organised: tuple[str | None, ...] = ()
    skipped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    left: int = 0


class PipelineStatus(Noun):
    """How a pipeline stands.

    Attributes:
        pending: what waits of the agent's own events, the longest waiting first.
        due: how many of these conversations the next run would distil.
        failing: what could not be distilled, by session and subject, and when it is tried again.
        is_working: whether its worker thread runs.
        runs: how often it ran and found something to do, since it was made.
        skipped: how many events it skipped since then, each time counted.
        last_run: the last run that did something; None before.
        last_error: what went wrong last, in a sentence; "" while nothing did.
    """

    pending: tuple[Pending, ...]
    due: int
    failing: Mapping[tuple[str | None, str | None], Failure]
    is_working: bool
    runs: int
    skipped: int
    last_run: PipelineRun | None
    last_error: str

    @property
    def sessions(self) -> int:
        """How many conversations wait."""
        return len(self.pending)

    @property
    def turns(self) -> int:
        """How many turns wait."""
        return sum(each.turns for each in self.pending)

    @property
    def events(self) -> int:
        """How many events wait."""
        return sum(each.events for each in self.pending)


class Pipeline:
    """Distils what was captured when it is time to, and organises what came of it.

    ``view.layers.pipeline()`` makes one. What waits is read from the memory itself, so that nothing
    is lost or done twice by whoever is killed, and several pipelines may run at once. By default
    it does nothing by itself: call `run_pending` where your program has time, or `start` a thread.

    >>> from agent_memory_os import MemoryClient
    >>> bot = MemoryClient(":memory:").as_agent("bot")
    >>> pipeline = bot.layers.pipeline()
    >>> _ = bot.capture([("user", "I only drink decaf"), ("assistant", "Noted.")], session="s1")
    >>> pipeline.run_pending().events, pipeline.status().turns
    (0, 1)
    >>> _ = bot.layers.end_session("s1")
    >>> pipeline.run_pending().events, pipeline.status().turns
    (2, 0)
    """

    def __init__(self, crew: Crew, rule: Rule) -> None:
        self._crew = crew
        self._rule = rule
        self._failures: dict[tuple[str | None, str | None], Failure] = {}
        self._unpaid: dict[str, Failure] = {}  # debts that could not be paid, by key
        self._runs = 0
        self._skipped = 0
        self._last_run: PipelineRun | None = None
        self._last_error = ""
        self._begin()

    def _begin(self) -> None:
        self._process = os.getpid()
        self._turn = threading.Lock()  # one run at a time
        self._switch = threading.Lock()  # one thread at most
        self._worker: _Worker | None = None

    def _after_fork(self) -> None:
        """Begin anew in another process: the thread is not there, and may have held a lock."""
        if self._process != os.getpid():
            self._begin()

    def __repr__(self) -> str:
        return f"Pipeline({self._crew.visibility().agent!r}, {self._rule!r})"

    def run_pending(self, *, most: int | None = None) -> PipelineRun:
        """Distil what is due, organise what came of it, and return what was done.

        One run at a time: while another thread runs this pipeline, it waits. What a distiller does
        not manage in two attempts is skipped, and tried again after a pause of a minute, which
        doubles with each failure on end, up to an hour; after three conversations on end the rest
        is left to the next run.

        Args:
            most: events that are dealt with, 1 or more; 1,000 when None. What is left is due again.

        Raises:
            InvalidInput: *most* is invalid.
            StoreBusy: another process held the write lock for too long; what was not done yet is
                there for the next run.
            ClientClosed: the client was closed.
        """
        self._after_fork()
        room = MOST_EVENTS if most is None else bounds.whole(most, "most", least=1)
        with self._turn:
            try:
                done = self._run(room)
            except Exception as error:
                self._last_error = f"{type(error).__name__}: {error}"
                raise
            if done.sessions or done.organised or done.skipped:
                self._runs += 1
                self._skipped += len(done.skipped)
                self._last_run = done
            return done

    def status(self) -> PipelineStatus:
        """Return how it stands: what waits, what failed, and what was done last."""
        with self._crew.store.read() as snapshot:
            pending = self._look(snapshot)
        places = {each.place for each in pending}
        failures = {place: it for place, it in tuple(self._failures.items()) if place in places}
        now_ms = self._crew.visibility().now_ms
        worker = self._worker
        return PipelineStatus(
            tuple(pending),
            len(due.due(pending, self._rule, failures, now_ms)),
            failures,
            worker is not None and worker.is_alive(),
            self._runs,
            self._skipped,
            self._last_run,
            self._last_error,
        )

    def start(self) -> Self:
        """Let a thread run it from now on, and return it; started again it does nothing.

        The thread waits until something is captured or ended through this client, something has
        been idle for long enough, or a minute has passed. What it cannot do is seen in `status`.
        It ends with `stop`, when the client is closed, and with the process.
        """
        self._after_fork()
        with self._switch:
            if self._worker is None or not self._worker.is_alive():
                self._worker = _Worker(self._round, self._crew.bell)
                self._worker.start()
        return self

    def stop(self) -> None:
        """End its thread, if there is one; what is under way is done whole or left. Idempotent."""
        self._after_fork()
        with self._switch:
            if self._worker is not None:
                self._worker.stop()
                self._worker = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()

    def _look(self, snapshot: Snapshot) -> list[Pending]:
        visibility = self._crew.visibility()
        return [*snapshot.pending(visibility, subject=visibility.subject)]

    def _run(self, room: int) -> PipelineRun:
        """Do what is due, with no more than so many events."""
        visibility = self._crew.visibility()
        with self._crew.store.read() as snapshot:
            pending = self._look(snapshot)
            owed = self._owed(snapshot, visibility.now_ms)
        places = {each.place for each in pending}
        self._failures = {place: it for place, it in self._failures.items() if place in places}
        wanted = due.due(pending, self._rule, self._failures, visibility.now_ms)
        if not wanted and not owed:
            return PipelineRun(visibility.now_ms)
        round_ = _Round(self._crew, room)
        round_.distil(wanted)
        self._take_in(round_, visibility.now_ms)
        organised = self._organise(visibility.now_ms, round_.notes)
        return PipelineRun(
            visibility.now_ms,
            round_.sessions,
            round_.events,
            tuple(dict.fromkeys(round_.ids)),
            organised,
            tuple(round_.skipped),
            tuple(round_.notes),
            len(wanted) - round_.sessions,
        )

    def _take_in(self, done: "_Round", now_ms: int) -> None:
        """Remember what failed, and when it is tried again."""
        for place in done.done:
            self._failures.pop(place, None)
        for place, why in done.failed.items():
            self._failures[place] = due.failed(self._failures.get(place), why, now_ms)
            self._last_error = why

    def _owed(self, snapshot: Snapshot, now_ms: int) -> dict[str, str]:
        """Return what is to be organised by now: the keys of debts, and what they are owed for."""
        if self._crew.organise is None:
            return {}
        visibility = self._crew.visibility()
        owed = snapshot.owed(visibility.agent, due.OWED)
        own = None if visibility.subject is None else f"{due.OWED}{visibility.subject}"
        return {
            key: each
            for key, each in owed.items()
            if own in (None, key)
            and (key not in self._unpaid or self._unpaid[key].until_ms <= now_ms)
        }

    def _organise(self, now_ms: int, notes: list[str]) -> tuple[str | None, ...]:
        """Renew the scenes and personas of what has new atoms; a debt is struck out once paid."""
        if self._crew.organise is None:
            return ()
        with self._crew.store.read() as snapshot:
            owed = self._owed(snapshot, now_ms)
        by_subject: dict[str | None, dict[str, str]] = {
            key.removeprefix(due.OWED) or None: {key: each} for key, each in owed.items()
        }
        if None in by_subject:  # what has no subject is organised together with all else
            by_subject = {None: owed}
        organised: list[str | None] = []
        for subject, debts in by_subject.items():
            if _is_stopping():
                break
            made = self._crew.organise(subject)
            if made.skipped:
                notes += made.notes
                self._last_error = made.notes[-1] if made.notes else NOTHING
                if self._crew.is_written:
                    self._postpone(debts, self._last_error, now_ms)
                continue
            self._settle(debts)
            organised.append(subject)
        return tuple(organised)

    def _postpone(self, debts: Mapping[str, str], why: str, now_ms: int) -> None:
        for key in debts:
            self._unpaid[key] = due.failed(self._unpaid.get(key), why, now_ms)

    def _settle(self, debts: Mapping[str, str]) -> None:
        with self._crew.store.write() as tx:
            for key, memory_id in debts.items():
                tx.settle(self._crew.visibility().agent, key, memory_id)
                self._unpaid.pop(key, None)

    def _round(self) -> float | None:
        """Run once for the worker; return the seconds until it shall look again, None to end."""
        try:
            self.run_pending()
            with self._crew.store.read() as snapshot:
                pending = self._look(snapshot)
        except ClientClosed:
            return None
        except Exception:  # it stands in the status; no conversation must end by it
            return LOOK_S
        wait_ms = due.wait_ms(pending, self._rule, self._failures, self._crew.visibility().now_ms)
        return LOOK_S if wait_ms is None else min(wait_ms / 1_000, LOOK_S)


class _Round:
    """Distils one conversation after the other."""

    def __init__(self, crew: Crew, room: int) -> None:
        self._crew = crew
        self._room = room
        self.sessions = 0
        self.events = 0
        self.ids: list[str] = []
        self.skipped: list[str] = []
        self.notes: list[str] = []
        self.done: list[tuple[str | None, str | None]] = []
        self.failed: dict[tuple[str | None, str | None], str] = {}

    def distil(self, wanted: list[Pending]) -> None:
        """Make atoms of what waits, while there is room."""
        failures = 0
        for waiting in wanted:
            if self._room <= 0 or _is_stopping():
                return
            if failures < MOST_FAILURES:
                failures = 0 if self._distil(waiting) else failures + 1
            else:
                self.failed[waiting.place] = LEFT
        if failures >= MOST_FAILURES:
            self.notes.append(LEFT)

    def _distil(self, waiting: Pending) -> bool:
        """Return whether the distiller managed it."""
        made = self._crew.distil(waiting, self._room)
        self.sessions += 1
        self.events += made.events
        self._room -= max(made.events, 1)
        self.ids += made.ids
        is_whole = made.events > 0 and not made.skipped
        if not is_whole and self._still_waits(waiting):
            self.skipped += made.skipped
            self.notes += made.notes
            self.failed[waiting.place] = made.notes[-1] if made.notes else NOTHING
            return False
        self.done.append(waiting.place)
        return True

    def _still_waits(self, waiting: Pending) -> bool:
        """Return whether nobody else has distilled it meanwhile."""
        visibility = self._crew.visibility()
        with self._crew.store.read() as snapshot:
            pending = snapshot.pending(visibility, subject=waiting.subject or visibility.subject)
        return any(each.place == waiting.place for each in pending)


def _is_stopping() -> bool:
    """Return whether this is the thread of a worker that was told to end."""
    thread = threading.current_thread()
    return isinstance(thread, _Worker) and thread.is_stopping


class _Worker(threading.Thread):
    """A thread that runs a pipeline whenever the bell rings, and when it is time."""

    def __init__(self, run: Callable[[], float | None], bell: Bell) -> None:
        super().__init__(name="agent-memory-pipeline", daemon=True)
        self._run_once = run
        self._bell = bell
        self._woken = threading.Event()
        self._stopping = threading.Event()

    @property
    def is_stopping(self) -> bool:
        """Whether it was told to end."""
        return self._stopping.is_set()

    def run(self) -> None:
        """Run, wait, rest, until it is stopped."""
        with self._bell.heard(self._woken.set, self.stop):
            while not self._stopping.is_set():
                self._woken.clear()
                wait_s = self._run_once()
                if wait_s is None:
                    return
                if wait_s:
                    self._woken.wait(wait_s)
                self._stopping.wait(REST_S)

    def stop(self) -> None:
        """Tell it to end, and wait for that, but not for a distiller that hangs."""
        self._stopping.set()
        self._woken.set()
        if self is not threading.current_thread():
            self.join(LEAVE_S)


def rule_of(every_turns: object, idle_s: object, on_session_end: object) -> Rule:
    """Return the rule of a host's words.

    Raises:
        InvalidInput: one of them is invalid.
    """
    idle = bounds.weight(idle_s, "idle_s", least=0, most=_LONGEST_S)
    return Rule(
        bounds.whole(every_turns, "every_turns", least=1),
        round(idle * 1_000),
        bounds.flag(on_session_end, "on_session_end"),
    )
