"""Long work tells how far it is, and whoever looks on can neither hold it up nor break it."""

import logging
import threading
from pathlib import Path

import pytest

from agent_memory_os import InvalidInput, MemoryClient, NotPermitted
from agent_memory_os.testing import memory_client

ITEMS: list[dict[str, object]] = [{"content": f"note {number}"} for number in range(250)]


def test_it_is_told_in_order_and_of_the_end_last(m: MemoryClient) -> None:
    steps: list[tuple[int, int]] = []

    receipts = m.add_many(ITEMS, progress=lambda done, total: steps.append((done, total)))

    assert len(receipts) == 250
    assert steps == sorted(set(steps))
    assert (steps[0], steps[-1]) == ((0, 250), (250, 250))
    assert 50 <= len(steps) <= 126


def test_what_is_written_is_the_same_with_and_without() -> None:
    with memory_client() as plain, memory_client() as followed:
        expected = plain.add_many(ITEMS[:20])

        assert followed.add_many(ITEMS[:20], progress=lambda *step: None) == expected


def test_a_rebuild_tells_how_far_it_is(m: MemoryClient) -> None:
    m.add_many(ITEMS)
    steps: list[tuple[int, int]] = []

    for rebuild in (m.rebuild_indexes, m.admin.rebuild_indexes):
        assert rebuild(progress=lambda done, total: steps.append((done, total))) == 250

    assert steps[-1] == (250, 250)
    assert m.search("note 7")


def test_a_view_tells_too(m: MemoryClient) -> None:
    steps: list[tuple[int, int]] = []
    view = m.as_agent("bot", subject="user:alice")

    view.add_many(ITEMS[:3], progress=lambda done, total: steps.append((done, total)))

    assert steps == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_nothing_to_do_is_not_told(m: MemoryClient) -> None:
    assert m.add_many([], progress=print) == []


def test_it_is_called_where_the_caller_is_and_outside_of_the_write(tmp_path: Path) -> None:
    """It may use the client, and is heard by the caller's own thread."""
    threads: set[int] = set()
    counts: list[int] = []

    def look(done: int, total: int) -> None:
        threads.add(threading.get_ident())
        counts.append(len(m.browse(limit=1_000)))

    with MemoryClient(tmp_path / "m.db") as m:
        m.add_many(ITEMS, progress=look)

    assert threads == {threading.get_ident()}
    assert {*counts} == {0, 250}  # all or none is to be seen
    assert counts[-1] == 250


def test_one_that_raises_breaks_nothing_and_is_not_called_again(
    m: MemoryClient, caplog: pytest.LogCaptureFixture
) -> None:
    calls: list[int] = []

    def break_off(done: int, total: int) -> None:
        calls.append(done)
        raise ValueError("swordfish")

    caplog.set_level(logging.DEBUG)

    assert len(m.add_many(ITEMS, progress=break_off)) == 250
    assert calls == [0]
    assert [line.getMessage() for line in caplog.records] == [
        "progress raised ValueError during long work, which goes on"
    ]


def test_an_interrupt_undoes_the_work(m: MemoryClient) -> None:
    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        m.add_many(ITEMS * 40, progress=stop)

    assert m.browse() == []
    assert m.add("tea").verdict == "stored"


def test_an_error_of_the_work_is_the_callers(m: MemoryClient) -> None:
    told: list[tuple[int, int]] = []

    with pytest.raises(NotPermitted):
        m.add_many(
            [{"content": "tea"}, {"content": "milk", "visibility": ["team:none"]}],
            progress=lambda done, total: told.append((done, total)),
        )

    assert (2, 2) not in told
    assert m.browse() == []


def test_what_cannot_be_called_is_refused_before_anything_is_written(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="progress"):
        m.add_many(ITEMS, progress="bar")

    assert m.browse() == []


def test_no_thread_stays(m: MemoryClient) -> None:
    m.add_many(ITEMS[:3], progress=lambda *step: None)

    assert not [t for t in threading.enumerate() if t.name.startswith("agent-memory-progress")]
