"""What hosts are given for their own tests: it finds what it should, and is there only if asked."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from agent_memory_os import InvalidInput, MemoryClient
from agent_memory_os.testing import (
    FakeClock,
    assert_recalls,
    check_golden,
    memory_client,
    write_golden,
)

PAGE = Path(__file__).parents[1] / "docs" / "testing-your-agent.md"
FILE = re.compile(r"^```py\n# (\S+\.py)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run pytest in *folder* as a host does: with our plugin only where it is asked for."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-W", "error", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def m() -> MemoryClient:
    return memory_client()


# The page, as it stands


def test_the_test_file_of_the_page_runs(tmp_path: Path) -> None:
    files = dict(FILE.findall(PAGE.read_text("utf-8")))
    for name, code in files.items():
        tmp_path.joinpath(name).write_text(code, "utf-8")

    done = run(tmp_path)

    assert {*files} == {"support_bot.py", "test_support_bot.py"}
    assert "5 passed" in done.stdout, done.stdout


def test_the_fixtures_are_there_only_where_a_host_asks_for_them(tmp_path: Path) -> None:
    code = "from agent_memory_os.testing import FakeClock\ndef test_it(agent_memory): pass\n"
    tmp_path.joinpath("test_it.py").write_text(code, "utf-8")

    done = run(tmp_path)

    assert "fixture 'agent_memory' not found" in done.stdout


def test_a_memory_that_a_test_leaves_unsound_fails_it(tmp_path: Path) -> None:
    code = (
        "pytest_plugins = ['agent_memory_os.testing']\n"
        "def test_it(agent_memory):\n"
        "    agent_memory.add('tea')\n"
        "    with agent_memory._parts.store.write() as tx:\n"
        "        tx._pen.db.execute('DELETE FROM partitions')\n"
    )
    tmp_path.joinpath("test_it.py").write_text(code, "utf-8")

    done = run(tmp_path)

    assert "1 passed, 1 error" in done.stdout
    assert "counts of memories are wrong" in done.stdout


def test_it_can_be_imported_without_pytest() -> None:
    code = (
        "import sys; sys.modules['pytest'] = None\n"
        "from agent_memory_os.testing import assert_recalls, memory_client\n"
        "m = memory_client(); m.add('tea'); assert_recalls(m, 'tea', 'tea'); m.close()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_no_plugin_is_installed_with_the_package() -> None:
    from importlib.metadata import entry_points

    assert [p for p in entry_points(group="pytest11") if "agent_memory" in p.value] == []


# A memory for tests


def test_a_clock_of_the_host_moves_its_memory() -> None:
    clock = FakeClock()
    with memory_client(clock=clock) as m:
        first = m.add("tea").memory.created_ms
        clock.advance(days=1)

        assert m.add("milk").memory.created_ms - first == 86_400_000


# What must be recalled


def test_a_part_an_id_and_several_of_them_are_recalled(m: MemoryClient) -> None:
    ids = [m.add(text, tags=["ops"]).id for text in ("the port is 8000", "the port is taken")]

    assert_recalls(m, "port", "8000")
    assert_recalls(m, "port", ids, tags=["ops"])
    assert_recalls(m.as_agent("local"), None, ["8000", ids[1]])


def test_what_is_not_recalled_fails_with_what_is(m: MemoryClient) -> None:
    added = m.add("the port is 8000")

    with pytest.raises(AssertionError) as failed:
        assert_recalls(m, "port", ["8000", "8001"], at=3)

    message = str(failed.value)
    assert message.startswith("'port' does not recall '8001' among 3 hits:\n")
    assert f"{added.id} 'the port is 8000'" in message


def test_what_comes_too_late_is_not_recalled(m: MemoryClient) -> None:
    m.add_many([{"content": "port port port"}, {"content": "a port of the old gateway"}])

    with pytest.raises(AssertionError):
        assert_recalls(m, "port", "gateway", at=1)


def test_nothing_fails_with_its_reason(m: MemoryClient) -> None:
    with pytest.raises(AssertionError, match="nothing that you may see"):
        assert_recalls(m, "pineapple", "x")


# Golden files


@pytest.fixture
def golden(m: MemoryClient, tmp_path: Path) -> Path:
    """Return a golden file of a memory of three."""
    for text in ("Deploy target is port 8000", "Deploys are on Wednesdays", "Ada likes tea"):
        m.add(text)
    path = tmp_path / "golden.jsonl"
    write_golden(m, path, ["which port?", {"query": "deploy", "at": 2}, "pineapple"])
    return path


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_what_is_written_is_what_is_recalled_and_checks(m: MemoryClient, golden: Path) -> None:
    check_golden(m, golden)

    assert [(line["query"], line["at"]) for line in lines(golden)] == [
        ("which port?", 5),
        ("deploy", 2),
        ("pineapple", 5),
    ]
    assert [len(line["contents"]) for line in lines(golden)] == [1, 2, 0]


def test_a_change_of_what_is_recalled_fails_with_a_diff(m: MemoryClient, golden: Path) -> None:
    m.update(m.search("port")[0].id, content="Deploy target is port 8001")

    with pytest.raises(AssertionError) as failed:
        check_golden(m, golden)

    assert str(failed.value).startswith("2 of 3 queries of ")
    assert (
        "'which port?' at 5:\n  - Deploy target is port 8000\n  + Deploy target is port 8001"
        in (str(failed.value))
    )


def test_what_was_to_find_nothing_and_finds_something_fails(m: MemoryClient, golden: Path) -> None:
    m.add("Pineapple is not for pizza")

    with pytest.raises(AssertionError, match=r"1 of 3 .*\n\n'pineapple' at 5:\n  . Pine"):
        check_golden(m, golden)


def test_what_finds_nothing_any_more_says_why(m: MemoryClient, golden: Path) -> None:
    m.delete(m.search("port")[0].id)

    with pytest.raises(AssertionError, match="nothing was found: nothing that you may see"):
        check_golden(m, golden)


def test_what_does_not_matter_can_be_taken_out(m: MemoryClient, golden: Path) -> None:
    kept = {"query": "deploy", "contents": ["Deploys are on Wednesdays"]}
    golden.write_text(json.dumps(kept) + "\n\n", "utf-8")

    check_golden(m, golden)


def test_the_order_of_what_is_expected_matters(m: MemoryClient, golden: Path) -> None:
    (line,) = [line for line in lines(golden) if line["query"] == "deploy"]
    golden.write_text(json.dumps({**line, "contents": line["contents"][::-1]}), "utf-8")

    with pytest.raises(AssertionError):
        check_golden(m, golden)


def test_a_change_that_was_meant_is_written_anew(m: MemoryClient, golden: Path) -> None:
    m.update(m.search("port")[0].id, content="Deploy target is port 8001")

    write_golden(m, golden)

    check_golden(m, golden)
    assert lines(golden)[0]["contents"] == ["Deploy target is port 8001"]


def test_filters_are_kept_and_used(m: MemoryClient, tmp_path: Path) -> None:
    m.add("tea is hot", tags=["a"])
    m.add("tea is cold", tags=["b"])
    path = tmp_path / "golden.jsonl"

    write_golden(m, path, [{"query": "tea", "filters": {"tags": ["b"]}}])

    check_golden(m, path)
    assert lines(path)[0]["contents"] == ["tea is cold"]


def test_a_golden_file_is_not_overwritten_by_a_slip(m: MemoryClient, golden: Path) -> None:
    before = golden.read_bytes()

    with pytest.raises(InvalidInput, match="is there"):
        write_golden(m, golden, ["tea"])

    assert golden.read_bytes() == before


def test_a_golden_file_that_is_not_there_says_how_it_is_made(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="write_golden"):
        check_golden(m, "nowhere.jsonl")


@pytest.mark.parametrize(
    "line",
    [
        "{",
        "[]",
        '{"contents": []}',
        '{"query": 7}',
        '{"query": "a", "at": 0}',
        '{"query": "a", "n": 1}',
        '{"query": "a", "filters": []}',
        '{"query": "a", "contents": "tea"}',
    ],
)
def test_a_malformed_line_is_named(m: MemoryClient, tmp_path: Path, line: str) -> None:
    path = tmp_path / "golden.jsonl"
    path.write_text('{"query": "tea"}\n' + line, "utf-8")

    with pytest.raises(InvalidInput, match="line 2"):
        check_golden(m, path)
