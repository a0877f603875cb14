"""Faults that hosts of memory systems met in the field: retries, secrets, places and imports."""

import logging
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_memory_os import AgentMemoryError, InvalidInput, MemoryClient, StoreUnsupported
from agent_memory_os.store.sqlite import connect
from agent_memory_os.testing import FakeClock, memory_client

MARKER = "SECRET-7b3f"
REPEATS = 5


# idempotency


def test_fc_063_a_retry_after_a_time_out_stores_no_second_copy(m: MemoryClient) -> None:
    first = m.add("Standup is at 09:15", owner="u1", idempotency_key="k1")
    again = m.add("Standup is at 09:15", owner="u1", idempotency_key="k1")
    without = m.add("Standup is at 09:15", owner="u1")

    assert again == first
    assert (without.id, without.verdict) == (first.id, "merged")
    assert len(m.browse(requester_agent_id="u1")) == 1


@pytest.mark.parametrize("name", ["key", "idempotency_key"])
def test_fc_065_a_turn_that_is_run_again_writes_one_row_and_moves_no_time(name: str) -> None:
    clock = FakeClock()
    fields: Any = {name: "task-9-fact-1"}
    with memory_client(clock=clock) as m:
        first = m.add("x", **fields)
        clock.advance(minutes=1)
        again = m.add("x", **fields)

        assert (again.id, again.verdict) == (first.id, "stored")
        assert m.browse() == [first.memory]
        assert m.history(first.id) == []


def test_fc_065_a_name_that_says_something_else_is_updated() -> None:
    clock = FakeClock()
    with memory_client(clock=clock) as m:
        first = m.add("x", key="task-9-fact-1")
        clock.advance(minutes=1)
        changed = m.add("x", key="task-9-fact-1", importance=0.9)

        assert changed.id == first.id
        assert changed.memory.updated_ms > first.memory.updated_ms
        assert [change.kind for change in m.history(first.id)] == ["update"]


# secrets


def test_fc_145_nothing_of_a_memory_is_logged_printed_or_said_in_an_error(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Hooks that fail, verbs that fail: what is said of them holds ids and counts alone."""

    def broken(event: object) -> None:
        raise ValueError(f"cannot tell {event}")

    caplog.set_level(logging.DEBUG)
    text, owner = f"the word is {MARKER}", f"agent-{MARKER}"
    fields: Any = {"tags": [MARKER], "metadata": {"a": MARKER}}
    with MemoryClient(":memory:", on_write=broken, on_recall=broken) as m:
        added = m.add(text, owner=owner, **fields)
        m.search(MARKER, requester_agent_id=owner)
        m.context_pack(MARKER, requester_agent_id=owner)
        m.update(added.id, requester_agent_id=owner, content=text + "!")
        m.add_many([{"content": text, **fields}], progress=lambda *_: broken(text))
        m.delete(added.id, requester_agent_id=owner)
        failing: list[Callable[[], object]] = [
            lambda: m.add(text, type="", **fields),
            lambda: m.add(text, visibility=["team:none"], **fields),
            lambda: m.add(text, importance=2, **fields),
            lambda: m.add(text * 200_000),
            lambda: m.add_many([{"content": text, "layer": 9}]),
            lambda: m.search(text, limit=-1),
            lambda: m.update(added.id, content=text),
            lambda: m.add(text, idempotency_key="k") and m.add(text + "?", idempotency_key="k"),
        ]
        said = [said_by(call) for call in failing]

    assert [line for line in said if MARKER in line] == []
    assert len(caplog.records) >= 6
    assert [line for line in caplog.messages if MARKER in line] == []
    assert capfd.readouterr() == ("", "")


def said_by(call: Callable[[], object]) -> str:
    """Return the words of the error that *call* ends in, and of those behind it."""
    with pytest.raises(AgentMemoryError) as failed:
        call()
    return f"{failed.value} {failed.value.__cause__ or ''}"


# packaging


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a home directory, from within an empty folder."""
    tmp_path.joinpath("work").mkdir()
    tmp_path.joinpath("me").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    yield tmp_path / "me"
    assert [*Path.cwd().iterdir()] == [], "no folder of the name ~ was made"


def test_fc_177_a_tilde_is_the_home_wherever_a_place_is_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.joinpath("m").mkdir()
    monkeypatch.setenv("AGENT_MEMORY_HOME", "~/m")

    with MemoryClient("~/m/memory.db") as by_path:
        by_path.add("tea")
    with MemoryClient(home="~/m") as by_home:
        by_home.add("milk")
    with MemoryClient() as by_environment:
        assert len(by_environment.browse()) == 2

    assert home.joinpath("m", "memory.db").exists()


@pytest.mark.skipif(os.name != "posix", reason="homes of named users are of Unix")
def test_fc_177_a_home_that_nobody_has_is_an_error(home: Path) -> None:
    with pytest.raises(InvalidInput, match="home directory"):
        MemoryClient("~nobody-of-that-name/m.db")


class WithoutWordIndex(connect.Connection):
    """A connection of an SQLite that was built without FTS5."""

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if "fts5" in sql or "words" in sql:
            raise sqlite3.OperationalError("no such module: fts5")
        return super().execute(sql, *parameters)


def test_fc_179_a_python_without_fts5_is_one_clear_error_and_harms_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.db"
    with monkeypatch.context() as patched:
        patched.setattr(connect, "Connection", WithoutWordIndex)
        with pytest.raises(StoreUnsupported, match="has no FTS5; use a Python"):
            MemoryClient(path)

    with MemoryClient(path) as m:
        m.add("tea is hot")
    with monkeypatch.context() as patched:
        patched.setattr(connect, "Connection", WithoutWordIndex)
        with MemoryClient(path) as m:
            kept = [memory.content for memory in m.browse()]
            for call in (lambda m=m: m.add("milk"), lambda m=m: m.search("tea")):
                with pytest.raises(StoreUnsupported, match="has no FTS5"):
                    call()

    with MemoryClient(path) as m:
        assert kept == ["tea is hot"]
        assert m.add("milk is cold").verdict == "stored"
        assert len(m.search("tea hot milk cold")) == 2
        assert m.admin.check() == []


def seconds(code: str) -> float:
    """Return the least time in which *code* is imported by a Python of its own."""
    timed = f"import time; t = time.perf_counter(); {code}; print(time.perf_counter() - t)"
    runs = (
        subprocess.run([sys.executable, "-c", timed], capture_output=True, text=True, check=True)
        for _ in range(REPEATS)
    )
    return min(float(run.stdout) for run in runs)


def test_fc_181_the_package_is_imported_at_once_and_loads_no_server() -> None:
    """Within 150 ms, or on a busy machine four times what it cannot do without."""
    code = "import sys, agent_memory_os; print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    needed = seconds("import sqlite3, json, re, dataclasses, typing")

    heavy = {"asyncio", "logging", "http", "mcp", "fastapi", "socket", "numpy", "turbovec"}
    assert heavy & {*said.stdout.split()} == set()
    assert seconds("import agent_memory_os") < max(0.15, 4 * needed)
