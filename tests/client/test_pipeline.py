"""The pipeline: when events become atoms, what a failing distiller costs, and who sees of it."""

import asyncio
import multiprocessing
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from agent_memory_os import (
    AgentMemory,
    AsyncMemoryClient,
    ClientClosed,
    InvalidInput,
    MemoryClient,
    Pipeline,
    WriteEvent,
)
from agent_memory_os.pure.distil import Turn
from agent_memory_os.pure.truth import Assertion
from agent_memory_os.remember.bell import Bell
from agent_memory_os.testing import FakeClock

PATIENCE_S = 30.0  # that a test waits for another thread, at most
IDLE_S = 600
Known = Sequence[Assertion]


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that moves only when told to."""
    return FakeClock()


@pytest.fixture
def bot(clock: FakeClock, tmp_path: Path) -> Iterator[AgentMemory]:
    """Yield an agent's memory on that clock, in a file that is sound when the test ends."""
    with MemoryClient(tmp_path / "memory.db", clock=clock) as m:
        yield m.as_agent("bot")
        assert m.admin.check() == []


def say(memory: AgentMemory, *texts: str, session: str = "s1", subject: str | None = None) -> None:
    """Capture a turn of each of *texts*, with an answer."""
    for text in texts:
        turn = [("user", text), ("assistant", "Noted.")]
        memory.capture(turn, session=session, subject=subject)


def chat(memory: AgentMemory, turns: int, *, session: str = "s1") -> None:
    """Capture so many turns, each with something to keep."""
    say(memory, *(f"I prefer tea number {number}." for number in range(turns)), session=session)


def atoms(memory: AgentMemory) -> list[str]:
    """Return the contents of all atoms, sorted."""
    return sorted(each.content for each in memory.browse(layers=[1], limit=1_000))


def nothing(turns: Sequence[Turn], known: Known) -> object:
    """Decide nothing."""
    return []


def quote(turns: Sequence[Turn], known: Known) -> object:
    """Decide to keep each turn as it is."""
    return [
        {"action": "add", "content": turn.content, "type": "fact", "evidence": [turn.id]}
        for turn in turns
    ]


class Counted:
    """A distiller that raises so many times, and then decides nothing."""

    def __init__(self, failures: int) -> None:
        self.asked, self._failures = 0, failures

    def __call__(self, turns: Sequence[Turn], known: Known) -> object:
        self.asked += 1
        if self.asked <= self._failures:
            raise RuntimeError("the door code is 5521")
        return []


# When


@pytest.mark.capability("OOM-061", "OOM-093", "MEMU-41")
def test_events_are_distilled_when_five_turns_wait(bot: AgentMemory) -> None:
    pipeline = bot.layers.pipeline()
    chat(bot, 4)
    early = pipeline.run_pending()

    chat(bot, 1)
    done = pipeline.run_pending()

    assert (early.sessions, early.events) == (0, 0)
    assert (done.sessions, done.events) == (1, 10)
    assert set(done.ids) == {each.id for each in bot.browse(layers=[1])}
    assert pipeline.status().pending == ()


@pytest.mark.capability("OOM-093")
def test_a_turn_is_what_was_captured_in_one_go(bot: AgentMemory) -> None:
    bot.capture([("user", "I like tea."), ("assistant", "Noted.")] * 4, session="s1")
    bot.add("I like rice.", layer=0, session="s1")

    (waiting,) = bot.layers.pipeline().status().pending

    assert (waiting.session, waiting.events, waiting.turns) == ("s1", 9, 2)


@pytest.mark.capability("OOM-093")
def test_turns_of_other_sessions_do_not_count(bot: AgentMemory) -> None:
    chat(bot, 3, session="one")
    chat(bot, 3, session="two")

    assert bot.layers.pipeline().run_pending().sessions == 0


@pytest.mark.capability("OOM-062", "OOM-093")
def test_events_are_distilled_when_their_session_was_idle(
    bot: AgentMemory, clock: FakeClock
) -> None:
    pipeline = bot.layers.pipeline()
    chat(bot, 1)
    clock.advance(seconds=IDLE_S - 1)
    early = pipeline.run_pending()

    clock.advance(seconds=1)

    assert early.events == 0
    assert pipeline.run_pending().events == 2


def test_a_clock_that_goes_back_makes_nothing_idle(bot: AgentMemory, clock: FakeClock) -> None:
    chat(bot, 1)

    clock.advance(days=-1)

    assert bot.layers.pipeline().run_pending().events == 0


def test_a_word_later_a_session_is_not_idle(bot: AgentMemory, clock: FakeClock) -> None:
    chat(bot, 1)
    clock.advance(seconds=IDLE_S - 1)
    chat(bot, 1)
    clock.advance(seconds=1)

    assert bot.layers.pipeline().run_pending().events == 0


@pytest.mark.capability("OOM-093", "MEMU-45")
def test_events_are_distilled_when_their_session_has_ended(bot: AgentMemory) -> None:
    chat(bot, 1)
    bot.layers.end_session("s1")

    assert bot.layers.pipeline(on_session_end=False).run_pending().events == 0
    assert bot.layers.pipeline().run_pending().events == 2


def test_what_is_said_after_the_end_reopens_the_session(bot: AgentMemory) -> None:
    chat(bot, 1)
    bot.layers.end_session("s1")
    chat(bot, 1)

    assert bot.layers.pipeline().run_pending().events == 0


def test_events_of_no_session_wait_until_they_are_idle(bot: AgentMemory, clock: FakeClock) -> None:
    pipeline = bot.layers.pipeline()
    bot.add("I prefer tea.", layer=0)
    chat(bot, 1)
    (early, _) = pipeline.status().pending

    clock.advance(seconds=IDLE_S)
    done = pipeline.run_pending()

    assert (early.session, early.turns) == (None, 1)
    assert (done.sessions, done.events) == (2, 3)


def test_a_session_is_distilled_by_what_it_is_about(bot: AgentMemory) -> None:
    pipeline = bot.layers.pipeline(every_turns=2)
    say(bot, "I like tea.", "I like rice.", subject="user:alice")
    say(bot, "I like rain.", subject="user:bob")

    done = pipeline.run_pending()

    assert done.events == 4
    assert [each.subject for each in pipeline.status().pending] == ["user:bob"]


# Never in the way of a conversation


@pytest.mark.capability("OOM-091", "OOM-092", "MEMU-47", "AIM-59")
def test_capturing_distils_nothing(bot: AgentMemory) -> None:
    distiller = Counted(0)
    pipeline = bot.layers.pipeline(distiller=distiller)

    chat(bot, 20)

    assert (distiller.asked, atoms(bot), pipeline.status().turns) == (0, [], 20)


@pytest.mark.capability("MEMU-69")
def test_a_run_does_no_more_than_it_may(bot: AgentMemory) -> None:
    pipeline = bot.layers.pipeline(every_turns=1, distiller=nothing)
    for number in range(3):
        chat(bot, 2, session=f"s{number}")

    first = pipeline.run_pending(most=6)
    second = pipeline.run_pending(most=6)

    assert [(run.sessions, run.events, run.left) for run in (first, second)] == [
        (2, 6, 1),
        (2, 6, 0),
    ]
    assert pipeline.status().events == 0


@pytest.mark.capability("MEMU-68")
def test_a_distiller_that_fails_is_asked_again_once_and_then_after_a_pause(
    bot: AgentMemory, clock: FakeClock
) -> None:
    distiller = Counted(2)
    pipeline = bot.layers.pipeline(every_turns=1, distiller=distiller)
    chat(bot, 1)

    failed, too_early = pipeline.run_pending(), pipeline.run_pending()
    asked = distiller.asked
    clock.advance(seconds=60)
    done = pipeline.run_pending()

    assert (asked, len(failed.skipped), too_early.events) == (2, 2, 0)
    assert failed.notes == (
        "nothing was made of 2 events of session 's1': the distiller raised RuntimeError, twice",
    )
    assert (done.events, done.skipped, pipeline.status().failing) == (2, (), {})


@pytest.mark.capability("MEMU-68", "OOM-094")
def test_pauses_grow_with_each_failure_and_the_status_says_until_when(
    bot: AgentMemory, clock: FakeClock
) -> None:
    pipeline = bot.layers.pipeline(every_turns=1, distiller=Counted(99))
    chat(bot, 1)

    pauses_s = []
    for _ in range(8):
        pipeline.run_pending()
        (failure,) = pipeline.status().failing.values()
        pauses_s.append((failure.until_ms - clock.now_ms()) // 1_000)
        clock.advance(seconds=pauses_s[-1])

    assert pauses_s == [60, 120, 240, 480, 960, 1_920, 3_600, 3_600]
    assert pipeline.status().skipped == 16
    assert "5521" not in repr(pipeline.status())


def test_one_session_that_fails_keeps_no_other_waiting(bot: AgentMemory) -> None:
    def picky(turns: Sequence[Turn], known: Known) -> object:
        if "cursed" in turns[0].content:
            raise RuntimeError
        return []

    say(bot, "a cursed turn", session="first")
    say(bot, "a good turn", session="second")
    pipeline = bot.layers.pipeline(every_turns=1, distiller=picky)

    pipeline.run_pending()

    assert [each.session for each in pipeline.status().pending] == ["first"]


@pytest.mark.capability("MEMU-68", "MEMU-69")
def test_after_three_failures_on_end_nobody_is_asked_any_more(bot: AgentMemory) -> None:
    distiller = Counted(999)
    pipeline = bot.layers.pipeline(every_turns=1, distiller=distiller)
    for number in range(5):
        chat(bot, 1, session=f"s{number}")

    failed, at_once = pipeline.run_pending(), pipeline.run_pending()

    assert (distiller.asked, failed.sessions, failed.left) == (6, 3, 2)
    assert failed.notes[-1] == "the distiller failed again and again, so the rest was left"
    assert (at_once.sessions, pipeline.status().events) == (0, 10)


@pytest.mark.capability("MEMU-68", "OOM-092")
def test_a_distiller_that_hangs_blocks_no_capture(bot: AgentMemory) -> None:
    hangs, may_end = threading.Event(), threading.Event()

    def slow(turns: Sequence[Turn], known: Known) -> object:
        hangs.set()
        may_end.wait(PATIENCE_S)
        return []

    chat(bot, 1)
    with bot.layers.pipeline(every_turns=1, distiller=slow, worker=True) as pipeline:
        assert hangs.wait(PATIENCE_S)
        chat(bot, 3)
        told = pipeline.status()
        may_end.set()

    assert (told.turns, told.is_working) == (4, True)


def test_a_distiller_that_takes_too_long_is_skipped(bot: AgentMemory) -> None:
    may_end = threading.Event()

    def slow(turns: Sequence[Turn], known: Known) -> object:
        may_end.wait(PATIENCE_S)
        return []

    chat(bot, 1)
    pipeline = bot.layers.pipeline(every_turns=1, distiller=slow, timeout_s=0.01)
    done = pipeline.run_pending()
    may_end.set()

    assert len(done.skipped) == 2
    assert "took longer than 0.01 s" in pipeline.status().last_error


# Once, whoever runs it


@pytest.mark.capability("OOM-091")
def test_another_pipeline_goes_on_where_one_has_stopped(clock: FakeClock, tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "memory.db", clock=clock) as m:
        chat(m.as_agent("bot"), 4)
        m.as_agent("bot").layers.pipeline().run_pending()

    with MemoryClient(tmp_path / "memory.db", clock=clock) as m:
        chat(m.as_agent("bot"), 1)

        assert m.as_agent("bot").layers.pipeline().run_pending().events == 10


def test_two_pipelines_at_once_double_nothing(tmp_path: Path) -> None:
    """Both read the events before one of them writes what it decided."""
    meeting = threading.Barrier(2, timeout=PATIENCE_S)

    def meet(turns: Sequence[Turn], known: Known) -> object:
        meeting.wait()
        return quote(turns, known)

    clients = [MemoryClient(tmp_path / "memory.db") for _ in range(2)]
    views = [client.as_agent("bot") for client in clients]
    for text in "abc":
        views[0].capture([("user", text)], session="s1")
    pipelines = [view.layers.pipeline(every_turns=1, distiller=meet) for view in views]
    threads = [threading.Thread(target=each.run_pending) for each in pipelines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)

    made = views[0].browse(layers=[1])
    assert sorted((each.content, each.mentions) for each in made) == [("a", 1), ("b", 1), ("c", 1)]
    assert [each.status().failing for each in pipelines] == [{}, {}]
    assert [each.status().skipped for each in pipelines] == [0, 0]
    for client in clients:
        client.close()


def test_two_threads_that_run_one_pipeline_take_turns(bot: AgentMemory) -> None:
    within, most_within = [0], [0]
    turn = threading.Lock()

    def watched(turns: Sequence[Turn], known: Known) -> object:
        with turn:
            within[0] += 1
            most_within[0] = max(within)
        with turn:
            within[0] -= 1
        return quote(turns, known)

    pipeline = bot.layers.pipeline(every_turns=1, distiller=watched)
    for number in range(6):
        chat(bot, 1, session=f"s{number}")
    threads = [threading.Thread(target=pipeline.run_pending) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)

    assert (most_within, pipeline.status().runs) == ([1], 1)


def test_what_was_distilled_by_hand_waits_no_more(bot: AgentMemory) -> None:
    chat(bot, 9)
    bot.layers.distil("s1")

    assert bot.layers.pipeline().status().pending == ()


def test_what_was_deleted_or_forgotten_waits_no_more(bot: AgentMemory) -> None:
    first, second, _ = bot.capture([("user", text) for text in "abc"], session="s1")

    bot.delete(first.id)
    bot.forget(second.id)

    assert [each.events for each in bot.layers.pipeline().status().pending] == [1]


# What comes of it is organised


def scenes(memory: AgentMemory) -> list[str]:
    """Return the ids of all scenes."""
    return [each.id for each in memory.browse(layers=[2])]


@pytest.mark.capability("OOM-059", "OOM-091")
def test_a_run_renews_the_scenes_of_what_it_is_about(bot: AgentMemory) -> None:
    pipeline = bot.layers.pipeline(every_turns=2)
    say(bot, "I like tea.", "I like rice.", subject="user:alice")

    done = pipeline.run_pending()

    assert done.organised == ("user:alice",)
    assert len(scenes(bot)) == 1
    assert pipeline.run_pending().organised == ()


def test_what_was_distilled_by_hand_is_organised_by_the_next_run(bot: AgentMemory) -> None:
    chat(bot, 1)
    bot.layers.distil()

    done = bot.layers.pipeline().run_pending()

    assert (done.events, done.organised) == (0, (None,))
    assert len(scenes(bot)) == 1


def test_what_was_not_organised_is_organised_after_a_crash(bot: AgentMemory) -> None:
    """As if the process had been killed between the atoms and their scenes."""
    chat(bot, 5)
    bot.layers.pipeline(organise=False).run_pending()
    before = scenes(bot)

    done = bot.layers.pipeline().run_pending()

    assert (before, done.organised, len(scenes(bot))) == ([], (None,), 1)


@pytest.mark.parametrize("gone", [[0], [-1], [0, -1]])
def test_what_is_left_of_a_batch_is_organised_whatever_is_forgotten(
    bot: AgentMemory, gone: list[int]
) -> None:
    say(bot, "I like tea.", "I like rice.", "I like jazz.", subject="user:alice")
    made = [receipt.id for receipt in bot.layers.distil().receipts]
    for at in gone:
        bot.forget(made[at])

    done = bot.layers.pipeline().run_pending()

    assert (done.organised, len(scenes(bot))) == (("user:alice",), 1)


def test_nothing_is_owed_when_all_of_a_subject_is_forgotten(bot: AgentMemory) -> None:
    say(bot, "I like tea.", subject="user:alice")
    (made,) = bot.layers.distil().receipts
    bot.add("Bob likes rice", subject="user:bob")
    bot.forget(made.id)

    assert bot.layers.pipeline().run_pending().organised == ()


def test_a_bound_view_organises_its_subject_alone(bot: AgentMemory) -> None:
    with MemoryClient(":memory:") as m:
        alice, bob = (m.as_agent("bot", subject=f"user:{name}") for name in ("alice", "bob"))
        for view in (alice, bob):
            chat(view, 1)
            view.layers.distil()

        done = alice.layers.pipeline().run_pending()

        assert done.organised == ("user:alice",)
        assert scenes(bob) == []


def test_what_grew_while_it_was_organised_is_organised_again(bot: AgentMemory) -> None:
    def writer(title: str, atoms: Sequence[Known]) -> str | None:
        if len(bot.browse(layers=[1])) == 1:
            say(bot, "I like rice.", subject="user:alice")
            bot.layers.distil()
        return None

    pipeline = bot.layers.pipeline(every_turns=1, writer=writer)
    say(bot, "I like tea.", subject="user:alice")

    pipeline.run_pending()

    assert pipeline.run_pending().organised == ("user:alice",)


def test_scenes_that_a_writer_did_not_manage_wait_for_a_pause(
    bot: AgentMemory, clock: FakeClock
) -> None:
    asked = []

    def writer(title: str, atoms: Sequence[Known]) -> str:
        asked.append(title)
        raise RuntimeError

    pipeline = bot.layers.pipeline(every_turns=1, writer=writer)
    chat(bot, 1)

    failed, too_early = pipeline.run_pending(), pipeline.run_pending()
    first = len(asked)
    clock.advance(seconds=60)
    pipeline.run_pending()

    assert (failed.organised, too_early.organised, first, len(asked)) == ((), (), 2, 4)
    assert "RuntimeError" in pipeline.status().last_error


# A thread, on request


@pytest.fixture
def distilled() -> threading.Event:
    """Return what is set when something was distilled."""
    return threading.Event()


@pytest.fixture
def told_bot(distilled: threading.Event) -> Iterator[AgentMemory]:
    """Yield an agent's memory in RAM that says when something was distilled."""

    def wrote(event: WriteEvent) -> None:
        if event.verb == "distil":
            distilled.set()

    with MemoryClient(":memory:", on_write=wrote) as m:
        yield m.as_agent("bot")


@pytest.mark.capability("OOM-059", "OOM-091", "MEMU-47")
def test_a_worker_distils_when_a_session_ends(
    told_bot: AgentMemory, distilled: threading.Event
) -> None:
    with told_bot.layers.pipeline(worker=True):
        chat(told_bot, 1)
        told_bot.layers.end_session("s1")

        assert distilled.wait(PATIENCE_S)


def test_a_worker_distils_when_enough_was_captured(
    told_bot: AgentMemory, distilled: threading.Event
) -> None:
    with told_bot.layers.pipeline(worker=True):
        chat(told_bot, 5)

        assert distilled.wait(PATIENCE_S)


def test_a_worker_does_at_first_what_waits_already(
    told_bot: AgentMemory, distilled: threading.Event
) -> None:
    chat(told_bot, 5)

    with told_bot.layers.pipeline(worker=True):
        assert distilled.wait(PATIENCE_S)


def test_no_thread_runs_that_nobody_asked_for(bot: AgentMemory) -> None:
    before = threading.active_count()

    pipeline = bot.layers.pipeline()
    pipeline.run_pending()

    assert (threading.active_count(), pipeline.status().is_working) == (before, False)


def workers() -> list[str]:
    """Return the threads of pipelines."""
    named = [thread.name for thread in threading.enumerate()]
    return [name for name in named if name == "agent-memory-pipeline"]


def test_there_is_one_thread_however_often_it_is_started(bot: AgentMemory) -> None:
    pipeline = bot.layers.pipeline(worker=True)

    again = pipeline.start()
    running = workers()
    pipeline.stop()
    pipeline.stop()

    assert (again, len(running)) == (pipeline, 1)
    assert (workers(), pipeline.status().is_working) == ([], False)


def test_a_worker_that_was_stopped_can_be_started_again(
    told_bot: AgentMemory, distilled: threading.Event
) -> None:
    pipeline = told_bot.layers.pipeline(worker=True)
    pipeline.stop()
    chat(told_bot, 5)

    with pipeline.start():
        assert distilled.wait(PATIENCE_S)


def test_a_process_that_was_forked_off_has_no_worker_and_goes_on(tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "memory.db") as m:
        pipeline = m.layers.pipeline(worker=True)
        with pipeline._turn:  # as if the thread was in the middle of a run
            child = multiprocessing.get_context("fork").Process(
                target=_in_a_child, args=[m, pipeline]
            )
            child.start()
        child.join(PATIENCE_S)

    assert child.exitcode == 0


def _in_a_child(m: MemoryClient, pipeline: Pipeline) -> None:
    m.capture([("user", "I like tea.")], session="s1")
    m.layers.end_session("s1")
    assert not pipeline.status().is_working
    assert pipeline.run_pending().events == 1
    m.close()


def test_a_bell_wakes_nobody_of_another_process() -> None:
    """What wakes a thread holds a lock for a moment, which nobody releases after a fork."""
    bell, rung = Bell(), [0]

    def wake() -> None:
        rung[0] += 1

    with bell.heard(wake, wake):
        bell.ring()
        child = multiprocessing.get_context("fork").Process(target=_ring, args=[bell, rung])
        child.start()
        child.join(PATIENCE_S)

    assert (rung, child.exitcode) == ([1], 0)


def _ring(bell: Bell, rung: list[int]) -> None:
    bell.ring()
    bell.close()
    assert rung == [1]


def test_closing_the_client_ends_its_workers(tmp_path: Path) -> None:
    m = MemoryClient(tmp_path / "memory.db")
    pipeline = m.layers.pipeline(worker=True)
    m.capture([("user", "I like tea.")], session="s1")

    m.close()

    assert workers() == []
    with pytest.raises(ClientClosed):
        pipeline.run_pending()


@pytest.mark.capability("OOM-094", "MEMU-68")
def test_what_a_worker_cannot_do_is_seen_in_the_status_alone(bot: AgentMemory) -> None:
    failed = threading.Event()

    class Stopped(Counted):
        def __call__(self, turns: Sequence[Turn], known: Known) -> object:
            if self.asked:
                failed.set()
            return super().__call__(turns, known)

    with bot.layers.pipeline(every_turns=1, distiller=Stopped(99), worker=True) as pipeline:
        chat(bot, 1)
        assert failed.wait(PATIENCE_S)
        chat(bot, 1)

    told = pipeline.status()
    assert "raised RuntimeError, twice" in told.last_error
    assert told.turns == 2


# What is told


@pytest.mark.capability("OOM-094")
def test_the_status_says_what_was_done_last(bot: AgentMemory) -> None:
    pipeline = bot.layers.pipeline()
    before = pipeline.status()
    chat(bot, 5)

    done = pipeline.run_pending()
    pipeline.run_pending()

    assert (before.runs, before.last_run, before.last_error) == (0, None, "")
    assert (pipeline.status().runs, pipeline.status().last_run) == (1, done)


@pytest.mark.capability("OOM-094", "MEMU-73")
def test_a_status_counts_the_agents_own_events_alone() -> None:
    with MemoryClient(":memory:") as m:
        mine, other = m.as_agent("bot"), m.as_agent("other")
        other.capture([("user", "I like tea.")], session="s1", visibility=["global"])
        chat(other, 9, session="s2")

        before = mine.layers.pipeline().status()
        chat(mine, 1)

        assert before.pending == ()
        assert [each.turns for each in mine.layers.pipeline().status().pending] == [1]


def test_the_end_of_anothers_session_ends_none_of_ones_own() -> None:
    with MemoryClient(":memory:") as m:
        mine, other = m.as_agent("bot"), m.as_agent("other")
        chat(mine, 1)
        other.capture([("user", "I like tea.")], session="s1", visibility=["global"])

        other.layers.end_session("s1")

        assert mine.layers.pipeline().run_pending().events == 0


@pytest.mark.capability("MEMU-73")
def test_a_bound_view_distils_and_counts_its_subject_alone(bot: AgentMemory) -> None:
    with MemoryClient(":memory:") as m:
        alice, bob = (m.as_agent("bot", subject=f"user:{name}") for name in ("alice", "bob"))
        chat(alice, 5)
        chat(bob, 5)
        bob.layers.end_session("s1")
        pipeline = alice.layers.pipeline()

        told, done = pipeline.status(), pipeline.run_pending()

        assert [(each.subject, each.turns) for each in told.pending] == [("user:alice", 5)]
        assert (told.pending[0].has_ended, done.events) == (False, 10)
        assert atoms(bob) == []
        assert bob.layers.pipeline().status().turns == 5


BAD = {
    "every_turns": [0, -1, True, "5", None, 2.0],
    "idle_s": [-1, True, "600", None, float("nan"), float("inf")],
    "on_session_end": [None, 1, "yes"],
    "distiller": [7, "rules", []],
    "writer": [7, "rules", []],
    "timeout_s": [0, -1, None, True],
    "organise": [None, 1],
    "worker": [None, 1],
}


@pytest.mark.parametrize(("name", "value"), [(name, each) for name in BAD for each in BAD[name]])
def test_a_bad_argument_is_refused_by_name(bot: AgentMemory, name: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=name):
        bot.layers.pipeline(**{name: value})  # type: ignore[arg-type]  # that is the test

    assert workers() == []


def test_a_run_of_nothing_is_refused(bot: AgentMemory) -> None:
    with pytest.raises(InvalidInput, match="most"):
        bot.layers.pipeline().run_pending(most=0)


def test_a_client_runs_the_pipeline_of_the_agent_that_it_names() -> None:
    with MemoryClient(":memory:") as m:
        chat(m.as_agent("bot"), 5)

        assert m.layers.pipeline().run_pending().events == 0
        assert m.layers.pipeline(owner="bot").run_pending().events == 10


@pytest.mark.capability("AIM-44")
def test_it_is_awaited_with_asyncio() -> None:
    async def main() -> tuple[int, int, bool]:
        async with AsyncMemoryClient(":memory:") as m:
            bot = m.as_agent("bot")
            async with bot.layers.pipeline(every_turns=1) as pipeline:
                await bot.capture([("user", "I like tea.")], session="s1")
                waiting = (await pipeline.status()).turns
                done = await pipeline.run_pending()
                pipeline.start()
                return waiting, done.events, (await pipeline.status()).is_working

    assert asyncio.run(main()) == (1, 1, True)
    assert workers() == []


def test_it_is_what_the_package_exports(bot: AgentMemory) -> None:
    assert type(bot.layers.pipeline()) is Pipeline
