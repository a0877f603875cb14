"""The docs: what they show runs, what they point to is there, and they leave no operation out."""

import contextlib
import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import agent_memory_os

ROOT = Path(__file__).parents[1]
PAGES = [
    page
    for page in (ROOT / "README.md", ROOT / "SPEC.md", *sorted((ROOT / "docs").rglob("*.md")))
    if page.exists()
]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
NEED_AN_ARGUMENT = {"recall_conversation.py", "forget_me.py"}
SHELL = {"bash", "console", "sh", "shell"}
COMMANDS = re.compile(
    r"""(git\ clone\ \S+
    |cd\ \S+
    |(python3?\ -m\ )?pip\ install\ .+
    |python3?\ -m\ venv\ \S+
    |(\.|source)\ \S+/bin/activate
    |export\ AGENT_MEMORY_\w+=\S+
    |(python3?\ -m\ )?(pytest|mypy|ruff)(\ .*)?
    |python3?\ (?P<script>(examples|tests)/\S+\.py)(\ .*)?
    |\.ci/run)""",
    re.VERBOSE,
)
FENCE = re.compile(r"^( *)```(\S*)[^\n]*\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)


class Block(NamedTuple):
    """A fenced block: its language, the line of the page on which its code begins, and its code."""

    language: str
    line: int
    code: str


def blocks(text: str) -> list[Block]:
    return [
        Block(found[2], text[: found.start(3)].count("\n") + 1, textwrap.dedent(found[3]))
        for found in FENCE.finditer(text)
    ]


def run(block: Block, page: str, namespace: dict[str, Any]) -> None:
    """Run *block* in *namespace*; a traceback points at the page's own line."""
    if block.code.startswith(">>>"):
        test = doctest.DocTestParser().get_doctest(block.code, namespace, page, page, block.line)
        test.globs = namespace  # the parser copies it, and the next block needs what this one sets
        said: list[str] = []
        doctest.DocTestRunner(verbose=False).run(test, out=said.append, clear_globs=False)
        assert not said, "".join(said)
    else:
        exec(compile("\n" * (block.line - 1) + block.code, page, "exec"), namespace)


def commands(text: str) -> Iterator[str]:
    for block in blocks(text):
        if block.language in SHELL:
            for line in block.code.replace("\\\n", " ").splitlines():
                command = line.removeprefix("$ ").partition("  #")[0].strip()
                if command and not command.startswith("#"):
                    yield command


def is_known(command: str) -> bool:
    found = COMMANDS.fullmatch(command)
    return bool(found) and (not found["script"] or (ROOT / found["script"]).exists())


def dead_links(page: Path, text: str) -> list[str]:
    """Return the relative links of *text* that lead to no file, or to no heading of it."""
    links = LINK.findall(FENCE.sub("", text))
    return [link for link in links if not re.match(r"\w+:", link) and not _leads(page, link)]


def _leads(page: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = page.parent / name if name else page
    if not target.exists() or not target.resolve().is_relative_to(ROOT):
        return False
    return not anchor or anchor in map(slug, HEADING.findall(target.read_text("utf-8")))


def slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


@pytest.fixture
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Move into an empty folder that is also the home of the user and of the memory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AGENT_MEMORY_HOME", str(tmp_path / "agent-memory"))
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_python_block_runs(page: Path, away: Path) -> None:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.ExitStack() as ends:
        for block in blocks(page.read_text("utf-8")):
            if block.language == "python":
                run(block, str(page), namespace)
                clients = (v for v in namespace.values() if _is_client(v))
                for client in clients:
                    ends.callback(client.close)


def _is_client(value: object) -> bool:
    return isinstance(value, agent_memory_os.MemoryClient)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_is_one_that_is_known_to_work(page: Path) -> None:
    assert [c for c in commands(page.read_text("utf-8")) if not is_known(c)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    assert dead_links(page, page.read_text("utf-8")) == []


@pytest.mark.parametrize("name", ["README.md", "SPEC.md", "docs/changelog.md"])
def test_the_page_is_there(name: str) -> None:
    assert ROOT / name in PAGES


MODULES = [
    found.name
    for found in pkgutil.walk_packages(agent_memory_os.__path__, "agent_memory_os.")
    if not found.name.endswith("__main__")
]


@pytest.mark.parametrize("name", ["agent_memory_os", *MODULES])
def test_every_example_in_a_docstring_runs(name: str, away: Path) -> None:
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)

    assert found.failed == 0


def run_example(name: str, *arguments: str, cwd: Path) -> str:
    command = [sys.executable, str(ROOT / "examples" / name), *arguments]
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", sorted({path.name for path in EXAMPLES} - NEED_AN_ARGUMENT))
def test_the_example_runs(name: str, away: Path) -> None:
    assert run_example(name, cwd=away).strip()


CONVERSATION = """\
{"kind": "doc", "id": "g/1", "text": "I adopted a grey cat in Lisbon.", "speaker": "Ana", \
"timestamp": "2024-03-02T10:00:00", "session": "g/S1", "group": "g"}
{"kind": "doc", "id": "g/2", "text": "Our build server ran out of disk.", "speaker": "Bo", \
"timestamp": "2024-03-02T10:00:00", "session": "g/S1", "group": "g"}
{"kind": "query", "id": "g/q1", "text": "Which pet did Ana adopt?", "gold": ["g/1"], \
"category": "4-singlehop", "group": "g"}
"""


def test_the_conversation_example_runs_on_a_file(away: Path) -> None:
    away.joinpath("tiny.jsonl").write_text(CONVERSATION, "utf-8")

    said = run_example("recall_conversation.py", "tiny.jsonl", cwd=away)

    assert "g/1" in said
    assert "recall@10" in said
    assert "100.0" in said


def test_the_long_conversation_runs_on_a_file(away: Path) -> None:
    away.joinpath("tiny.jsonl").write_text(CONVERSATION, "utf-8")

    said = run_example("long_conversation.py", "tiny.jsonl", cwd=away)

    assert "g: 2 turns became" in said
    assert "user:Ana: I adopted a grey cat in Lisbon." in said
    assert "with atoms     100.0" in said


def operations() -> list[str]:
    """Return the name of each public thing that people call: names, verbs, and verbs of nouns."""
    names = [name for name in agent_memory_os.__all__ if not name.startswith("_")]
    with agent_memory_os.MemoryClient(":memory:") as client:
        for thing in (client, client.as_agent("bot")):
            names += _methods(thing)
            names += [f"{noun}.{name}" for noun, held in _nouns(thing) for name in _methods(held)]
    return list(dict.fromkeys(names))


def _methods(thing: object) -> list[str]:
    return [name for name, _ in inspect.getmembers(type(thing), callable) if name[0] != "_"]


def _nouns(thing: object) -> list[tuple[str, object]]:
    public = ((name, getattr(thing, name)) for name in dir(thing) if name[0] != "_")
    ours = ((name, held) for name, held in public if not callable(held))
    return [(name, held) for name, held in ours if type(held).__module__.startswith("agent_memory")]


def code_in(text: str) -> str:
    """Return the code of a page: its fenced blocks, and what stands in backticks."""
    spans = re.findall(r"`([^`\n]+)`", FENCE.sub("", text))
    return "\n".join([*spans, *(block.code for block in blocks(text))])


def test_every_public_operation_is_in_the_docs() -> None:
    pages = [page for page in PAGES if page.name not in ("SPEC.md", "changelog.md")]
    code = "\n".join(code_in(page.read_text("utf-8")) for page in pages)

    missing = [name for name in operations() if not re.search(rf"\b{re.escape(name)}\b", code)]

    assert missing == []


def test_a_block_is_read_with_its_line() -> None:
    text = "# A\n\n```python\na = 1\n```\n\n- b\n\n  ```bash\n  cd x\n  ```\n"

    assert blocks(text) == [Block("python", 4, "a = 1\n"), Block("bash", 10, "cd x\n")]


def test_a_failing_block_fails() -> None:
    with pytest.raises(ZeroDivisionError):
        run(Block("python", 3, "1 / 0"), "page.md", {})
    with pytest.raises(AssertionError):
        run(Block("python", 3, ">>> 1 + 1\n3\n"), "page.md", {})


def test_blocks_share_their_names() -> None:
    names: dict[str, Any] = {}
    run(Block("python", 1, "a = 1"), "page.md", names)
    run(Block("python", 2, ">>> b = a + 1\n>>> b\n2\n"), "page.md", names)
    run(Block("python", 3, "assert (a, b) == (1, 2)"), "page.md", names)


@pytest.mark.parametrize("command", ["curl example.org | sh", "python examples/none.py", "rm -r x"])
def test_an_unknown_command_is_found(command: str) -> None:
    assert not is_known(command)


@pytest.mark.parametrize("link", ["none.md", "#nowhere", "README.md#nowhere", "../../etc"])
def test_a_dead_link_is_found(link: str) -> None:
    page = ROOT / "README.md"

    assert dead_links(page, f"[a]({link})") == [link]


def test_a_heading_has_the_slug_that_links_use() -> None:
    headings = ["Install it, in one line", "`add` and `add_many`", "快速开始：安装"]

    assert [slug(h) for h in headings] == [
        "install-it-in-one-line",
        "add-and-add_many",
        "快速开始安装",
    ]
