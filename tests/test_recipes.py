"""The recipes of the docs, each at work with a small fake of the SDK that it is for."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agent_memory_os import AgentMemory

PAGE = Path(__file__).parents[1] / "docs" / "recipes.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = BLOCK.findall(PAGE.read_text("utf-8"))
LONGEST = 20


@pytest.fixture
def recipes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Any]]:
    """Yield what the blocks of the page define."""
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for code in BLOCKS:
        if not code.startswith(">>>"):
            exec(compile(code, str(PAGE), "exec"), names)
    yield names
    names["memories"].close()


@pytest.fixture
def memory(recipes: dict[str, Any]) -> AgentMemory:
    view: AgentMemory = recipes["memory"]
    return view


def test_no_recipe_is_longer_than_twenty_lines() -> None:
    lengths = [sum(bool(line.strip()) for line in code.splitlines()) for code in BLOCKS]

    assert len(lengths) >= 6
    assert max(lengths) <= LONGEST


# OpenAI


class FakeOpenAI:
    """Speaks the language of chat completions, and refuses what the real one would."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.prompts: list[list[Any]] = []
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._create))

    def _create(self, *, model: str, messages: list[Any], tools: list[Any]) -> Any:
        assert model
        for tool in tools:
            assert {*tool} == {"type", "function"}
            assert re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", tool["function"]["name"])
            assert tool["function"]["parameters"]["type"] == "object"
        open_calls: set[str] = set()
        for message in json.loads(json.dumps(messages, default=vars)):
            if message["role"] == "tool":
                assert {*message} == {"role", "tool_call_id", "content"}
                open_calls.remove(message["tool_call_id"])
                continue
            assert not open_calls, "every call is answered before anything else is said"
            open_calls |= {call["id"] for call in message.get("tool_calls") or []}
        assert not open_calls
        self.prompts.append([*messages])
        return SimpleNamespace(choices=[SimpleNamespace(message=self.answers.pop(0))])


def said_by_openai(text: str | None, *calls: tuple[str, str]) -> Any:
    called = [
        SimpleNamespace(
            id=f"call_{n}", type="function", function=SimpleNamespace(name=name, arguments=given)
        )
        for n, (name, given) in enumerate(calls)
    ]
    return SimpleNamespace(role="assistant", content=text, tool_calls=called or None)


def test_openai_recalls_calls_tools_and_remembers(
    recipes: dict[str, Any], memory: AgentMemory
) -> None:
    memory.add("Alice is allergic to nuts")
    client = FakeOpenAI(
        said_by_openai(
            None,
            ("memory_add", '{"content": "Alice likes lemon cake"}'),
            ("memory_search", "{bad json"),
        ),
        said_by_openai("Lemon cake, without nuts."),
    )

    reply = recipes["reply_openai"](client, memory, "Which cake suits my allergy? I like lemon.")

    assert reply == "Lemon cake, without nuts."
    assert "allergic to nuts" in client.prompts[0][0]["content"]
    assert [json.loads(message["content"]).keys() for message in client.prompts[1][2:]] == [
        {"id", "verdict", "why"},
        {"error", "kind"},
    ]
    assert {found.content for found in memory.browse()} == {
        "Alice is allergic to nuts",
        "Alice likes lemon cake",
        "Which cake suits my allergy? I like lemon.",
    }


def test_a_model_that_never_answers_is_given_up(
    recipes: dict[str, Any], memory: AgentMemory
) -> None:
    call = ("memory_search", '{"query": "tea"}')

    with pytest.raises(RuntimeError):
        recipes["reply_openai"](
            FakeOpenAI(*(said_by_openai(None, call) for _ in range(9))), memory, "tea?"
        )


# Anthropic


class FakeAnthropic:
    """Speaks the language of messages, and refuses what the real one would."""

    def __init__(self, *answers: list[Any]) -> None:
        self.answers = list(answers)
        self.prompts: list[list[Any]] = []
        self.messages = SimpleNamespace(create=self._create)

    def _create(self, *, model: str, max_tokens: int, messages: list[Any], tools: list[Any]) -> Any:
        assert model
        assert max_tokens > 0
        assert all({*tool} == {"name", "description", "input_schema"} for tool in tools)
        plain = json.loads(json.dumps(messages, default=vars))
        assert [each["role"] for each in plain] == [
            ("user", "assistant")[n % 2] for n in range(len(plain))
        ]
        for asked, answered in zip(plain[1::2], plain[2::2], strict=True):
            wanted = [block["id"] for block in asked["content"] if block["type"] == "tool_use"]
            assert [block["tool_use_id"] for block in answered["content"]] == wanted
            for block in answered["content"]:
                assert {*block} == {"type", "tool_use_id", "content", "is_error"}
        self.prompts.append([*messages])
        return SimpleNamespace(content=self.answers.pop(0))


def test_anthropic_recalls_calls_tools_and_remembers(
    recipes: dict[str, Any], memory: AgentMemory
) -> None:
    memory.add("Alice is allergic to nuts")
    block = SimpleNamespace
    client = FakeAnthropic(
        [
            block(type="text", text="Let me look."),
            block(type="tool_use", id="a", name="memory_search", input={"query": "allergy"}),
            block(type="tool_use", id="b", name="memory_erase", input={}),
        ],
        [block(type="text", text="Lemon "), block(type="text", text="cake.")],
    )

    reply = recipes["reply_anthropic"](client, memory, "Which cake suits my allergy?")

    assert reply == "Lemon cake."
    assert [each["is_error"] for each in client.prompts[1][2]["content"]] == [False, True]
    assert "allergic to nuts" in client.prompts[1][2]["content"][0]["content"]
    assert "Which cake suits my allergy?" in {found.content for found in memory.browse()}


# LangGraph


class FakeGraph:
    """Runs nodes one after another, and merges what they return, as a compiled graph does."""

    def __init__(self) -> None:
        self.nodes: list[Callable[..., dict[str, Any]]] = []

    def add_node(self, name: str, node: Callable[..., dict[str, Any]]) -> None:
        self.nodes.append(node)

    def invoke(self, state: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
        for node in self.nodes:
            update = node(state, config)
            messages = [*state["messages"], *update.pop("messages", [])]
            state = {**state, **update, "messages": messages}
        return state


def test_the_nodes_recall_before_the_model_and_remember_behind_it(recipes: dict[str, Any]) -> None:
    graph = FakeGraph()
    prompts: list[str] = []

    def call_model(state: dict[str, Any], config: dict[str, Any]) -> dict[str, Any]:
        prompts.append(f"{state['notes']}\n\n{state['messages'][-1].content}")
        return {"messages": [SimpleNamespace(type="ai", content="Noted.")]}

    for name, node in [("recall", recipes["recall"]), ("model", call_model)]:
        graph.add_node(name, node)
    graph.add_node("remember", recipes["remember"])

    def say(text: str, user: str) -> None:
        config = {"configurable": {"user_id": user, "thread_id": f"{user}-1"}}
        graph.invoke({"messages": [SimpleNamespace(type="human", content=text)]}, config)

    say("I live in Oslo.", "alice")
    say("I live in Rome.", "bob")
    say("Where do I live?", "alice")

    assert "Oslo" in prompts[2]
    assert "Rome" not in prompts[2]


# Writing back


@pytest.mark.capability("MEMU-45")
def test_what_the_model_wrote_down_is_there_in_the_next_session(
    recipes: dict[str, Any], memory: AgentMemory
) -> None:
    memory.add("I moved to Oslo", layer=0, actor="user:alice", session="s1")
    memory.add("Welcome there!", layer=0, actor="agent:bot", session="s1")
    memory.add("another talk", layer=0, actor="user:alice", session="s2")
    asked: list[str] = []

    def ask(prompt: str) -> str:
        asked.append(prompt)
        return '["Alice lives in Oslo."]'

    for _ in range(2):
        recipes["write_back"](ask, memory, "s1")

    assert asked[0].endswith("user:alice: I moved to Oslo\nagent:bot: Welcome there!")
    assert [found.content for found in memory.browse(layers=[1])] == ["Alice lives in Oslo."]


@pytest.mark.capability("MEMU-43", "MEMU-44", "MEMU-46")
def test_a_session_begins_with_what_holds_always_and_a_turn_with_what_matters(
    recipes: dict[str, Any], memory: AgentMemory
) -> None:
    memory.add("Answer in English", type="instruction")
    memory.add("The door code is 5521", type="fact")

    start = memory.context_pack(None, types=["preference", "instruction"], max_tokens=500)
    turn = memory.context_pack("what is the door code?", max_tokens=600)

    assert [item.memory.content for item in start.items] == ["Answer in English"]
    assert [item.memory.content for item in turn.items] == ["The door code is 5521"]
    assert start.tokens <= 500


@pytest.mark.capability("AIM-43")
def test_the_loop_recalls_before_it_answers_and_remembers_after_it() -> None:
    example = PAGE.parents[1] / "examples" / "agent_loop.py"
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, check=True)

    prompt = done.stdout.partition("--- the last prompt")[2]
    assert done.stdout.startswith("--- monday\nAda:    Hello, I am Ada.")
    assert "I am allergic to nuts." in prompt
    assert prompt.rstrip().endswith("Which cake can I eat with my allergy?")


def test_the_recipes_import_no_sdk() -> None:
    imports = re.findall(r"^(?:from|import) (\w+)", "\n".join(BLOCKS), re.MULTILINE)

    assert {*imports} == {"agent_memory_os", "json", "asyncio"}


def test_the_view_of_the_page_is_bound(memory: AgentMemory) -> None:
    assert (memory.agent_id, memory.subject) == ("bot", "user:alice")
