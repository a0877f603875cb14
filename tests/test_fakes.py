"""The fakes that hosts are given for functions of theirs: each says what it was told to say."""

from collections.abc import Iterator
from datetime import timedelta
from threading import Event, Thread

import pytest

from agent_memory_os import InvalidInput, MemoryClient
from agent_memory_os.testing import FakeClock, FakeDistiller, memory_client

TEA = ("user", "No more coffee for me, just tea.")
PORT = ("user", "The port is 8001 by now.")


@pytest.fixture
def m() -> Iterator[MemoryClient]:
    """Yield a memory in RAM, sound when the test ends."""
    with memory_client() as client:
        yield client
        assert client.admin.check() == []


def test_it_adds_what_the_script_says_of_what_was_said(m: MemoryClient) -> None:
    events = m.capture([TEA, PORT], session="s1").ids
    fake = FakeDistiller(
        {"tea": "Ada drinks tea.", "milk": "x", "port": {"content": "Port 8001.", "type": "fact"}}
    )

    report = m.layers.distil(distiller=fake)

    told = [(each.content, each.type, each.evidence) for each in report.decisions]
    assert told == [
        ("Ada drinks tea.", "fact", (events[0],)),
        ("Port 8001.", "fact", (events[1],)),
    ]
    assert report.by == "FakeDistiller, a distiller of the host"
    assert fake.calls == [[TEA[1], PORT[1]]]
    assert fake.known == [[]]


def test_a_target_is_a_memory_that_is_there_and_else_the_statement_is_added(
    m: MemoryClient,
) -> None:
    old = m.add("The port is 8000.").id
    m.capture([PORT, TEA], session="s1")
    update = {"action": "update", "target": "8000", "content": "The port is 8001."}
    fake = FakeDistiller({"8001": update, "tea": {**update, "target": "9000", "content": "Tea."}})

    report = m.layers.distil(distiller=fake)

    assert [(it.action, it.target) for it in report.decisions] == [("update", old), ("add", None)]
    assert fake.known == [["The port is 8000."]]
    assert m.get(old) is None


@pytest.mark.parametrize(("fails", "calls", "made"), [(1, 2, 1), (2, 2, 0)])
def test_it_fails_as_often_as_it_was_told(
    m: MemoryClient, fails: int, calls: int, made: int
) -> None:
    m.capture([TEA], session="s1")
    fake = FakeDistiller({"tea": "Ada drinks tea."}, fails=fails, error=ValueError("no model"))

    report = m.layers.distil(distiller=fake)

    assert len(fake.calls) == calls
    assert len(report.decisions) == made
    assert len(report.skipped) == 1 - made


def test_what_failed_is_distilled_by_the_next_call(m: MemoryClient) -> None:
    m.capture([TEA], session="s1")
    fake = FakeDistiller({"tea": "Ada drinks tea."}, fails=2)

    reports = [m.layers.distil(distiller=fake) for _ in range(3)]

    assert [len(report.ids) for report in reports] == [0, 1, 0]
    assert len(fake.calls) == 3


def test_one_that_hangs_is_not_waited_for_and_ends_with_the_clock() -> None:
    clock = FakeClock()
    fake = FakeDistiller({"tea": "Tea."}, clock=clock, takes=timedelta(minutes=1))
    with memory_client(clock=clock) as m:
        m.capture([TEA], session="s1")

        report = m.layers.distil(distiller=fake, timeout_s=0.01)

    assert "took longer than 0.01 s" in report.notes[0]
    assert len(report.skipped) == 1
    clock.advance(minutes=1)


def test_a_call_that_takes_time_answers_when_the_clock_has_moved_on() -> None:
    clock, begun, answers = FakeClock(), Event(), []

    class Begun(FakeClock):
        def wait_until(self, moment_ms: int) -> None:
            begun.set()
            clock.wait_until(moment_ms)

    fake = FakeDistiller(clock=Begun(), takes=timedelta(minutes=1))
    thread = Thread(target=lambda: answers.append(fake([], [])))
    thread.start()
    begun.wait()
    clock.advance(seconds=59)
    assert answers == []

    clock.advance(seconds=1)
    thread.join()

    assert answers == [[]]


def test_time_needs_a_clock() -> None:
    with pytest.raises(InvalidInput, match="clock="):
        FakeDistiller(takes=timedelta(seconds=1))


@pytest.mark.parametrize("back", [timedelta(0), timedelta(hours=1)])
def test_nobody_waits_for_a_moment_that_is_over(back: timedelta) -> None:
    clock = FakeClock()

    clock.wait_until(clock.now_ms() - back // timedelta(milliseconds=1))
