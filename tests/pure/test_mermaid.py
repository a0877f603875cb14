"""Task graphs: what is drawn is a flowchart, whatever the labels hold, and fits its budget."""

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.mermaid import Act, Tie, draw, quoted
from agent_memory_os.pure.tokens import estimate_tokens

HOSTILE = (
    '"] --> evil["x',
    "]:::red; click t1 href 'javascript:alert(1)'",
    "%%{init: {'securityLevel': 'loose'}}%%",
    "<script>alert(1)</script>",
    "#quot;#35;",
    "two\nlines\r\nend\nsubgraph x",
    "`markdown` $$\\frac{1}{2}$$",
    "\u2028\u202e\x00\ud800",
    "-- end --",
)


class Edge(NamedTuple):
    """An arrow; *word* is what stands on a dotted one."""

    source: str
    target: str
    word: str = ""


class Flowchart(NamedTuple):
    """What a text draws: the labels of nodes by id, and the arrows."""

    nodes: dict[str, str]
    edges: list[Edge]


class Parser:
    """Reads the part of Mermaid that is drawn, and refuses everything else.

    flowchart = "flowchart TD", { newline, statement } ;
    statement = node, [ " --> ", node ] | id, ' -. "', word, '" .-> ', id ;
    node      = id, [ '["', label, '"]' ] ;
    label     = { entity | any character but one that is special } ;
    """

    ID = re.compile(r"t[1-9][0-9]*(_[1-9][0-9]*)?")
    LABEL = re.compile(r"(#(?:quot|lt|gt|amp|[0-9]{2,3});|[^\"#<>&%`$\\\x00-\x1f\x7f-\x9f])*")
    WORD = re.compile(r"caused by|derived from")

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.nodes: dict[str, str] = {}
        self.edges: list[Edge] = []

    def parse(self) -> Flowchart:
        self.take("flowchart TD")
        while self.at < len(self.text):
            self.take("\n")
            self.statement()
        unknown = {end for edge in self.edges for end in edge[:2]} - self.nodes.keys()
        assert not unknown, f"no node {unknown}"
        return Flowchart(self.nodes, self.edges)

    def statement(self) -> None:
        source = self.node()
        if self.has(" --> "):
            self.edges.append(Edge(source, self.node()))
        elif self.has(' -. "'):
            word = self.match(self.WORD)
            self.take('" .-> ')
            self.edges.append(Edge(source, self.match(self.ID), word))

    def node(self) -> str:
        name = self.match(self.ID)
        if self.has('["'):
            assert name not in self.nodes, f"{name} has two labels"
            self.nodes[name] = self.match(self.LABEL)
            self.take('"]')
        return name

    def has(self, token: str) -> bool:
        if not self.text.startswith(token, self.at):
            return False
        self.at += len(token)
        return True

    def take(self, token: str) -> None:
        assert self.has(token), f"{token!r} is missing at {self.text[self.at : self.at + 40]!r}"

    def match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        assert found, f"{pattern.pattern} is missing at {self.text[self.at : self.at + 40]!r}"
        self.at = found.end()
        return found[0]


def parse(text: str) -> Flowchart:
    return Parser(text).parse()


def acts(*tools: str) -> list[Act]:
    return [Act(number, tool, f"{tool}({number})") for number, tool in enumerate(tools, 1)]


def within(budget: int) -> Callable[[str], bool]:
    return lambda text: estimate_tokens(text) <= budget


def always(text: str) -> bool:
    return True


def test_a_step_follows_the_one_before_it() -> None:
    drawing = draw(acts("grep", "read", "edit"), [], fits=always)

    assert drawing.text == ('flowchart TD\nt1["grep(1)"] --> t2["read(2)"]\nt2 --> t3["edit(3)"]')
    assert drawing.nodes == {"t1": (1,), "t2": (2,), "t3": (3,)}


def test_one_step_is_a_graph() -> None:
    assert draw(acts("grep"), [], fits=always).text == 'flowchart TD\nt1["grep(1)"]'


def test_nothing_is_drawn_of_nothing() -> None:
    assert draw([], [], fits=always).text == ""


def test_a_link_says_what_a_step_follows() -> None:
    ties = [Tie(1, 3, "next"), Tie(1, 2, "next")]

    drawing = draw(acts("plan", "grep", "read"), ties, fits=always)

    assert parse(drawing.text).edges == [Edge("t1", "t2"), Edge("t1", "t3")]


def test_other_links_are_drawn_with_their_word_along_their_arrow() -> None:
    ties = [Tie(3, 1, "caused_by"), Tie(2, 1, "derived_from"), Tie(2, 1, "related_to")]

    edges = parse(draw(acts("a", "b", "c"), ties, fits=always).text).edges

    assert edges[2:] == [Edge("t2", "t1", "derived from"), Edge("t3", "t1", "caused by")]


@pytest.mark.parametrize("label", HOSTILE)
def test_no_label_breaks_the_syntax(label: str) -> None:
    drawing = draw([Act(1, label, label), Act(2, label, label)], [], fits=always)

    assert list(parse(drawing.text).nodes) == ["t1", "t2"]


@given(st.text())
def test_whatever_is_quoted_is_a_label(label: str) -> None:
    assert Parser.LABEL.fullmatch(quoted(label))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "graph TD",
        'flowchart TD\nt1["a"',
        'flowchart TD\nt1["a"] --> t2',
        'flowchart TD\nt1["a"b"]',
        'flowchart TD\nt1["a"]\nt1["b"]',
        'flowchart TD\nt1["%%{init}%%"]',
        'flowchart TD\nt1["a"] -. "x" .-> t1',
        'flowchart TD\nend["a"]',
    ],
)
def test_the_parser_refuses(text: str) -> None:
    with pytest.raises(AssertionError):
        parse(text)


# Budgets


def session(count: int) -> list[Act]:
    tools = ("read_file", "grep", "grep", "edit", "bash")
    return [
        Act(n, tools[n % 5], f"{tools[n % 5]}(src/module_{n}.py): {n} lines", n % 40 == 0)
        for n in range(1, count + 1)
    ]


@pytest.mark.capability("OOM-045", "OOM-046")
@pytest.mark.parametrize("budget", [60, 120, 240, 600, 1_200, 4_000, 20_000])
def test_200_steps_fit_whatever_budget_and_stand_for_all_of_them(budget: int) -> None:
    ties = [Tie(5, 3, "caused_by"), Tie(199, 2, "derived_from"), Tie(100, 102, "next")]

    drawing = draw(session(200), ties, fits=within(budget))

    assert estimate_tokens(drawing.text) <= budget
    assert parse(drawing.text).nodes.keys() == drawing.nodes.keys()
    assert [number for each in drawing.nodes.values() for number in each] == [*range(1, 201)]


def test_a_larger_budget_shows_no_fewer_nodes() -> None:
    sizes = [len(draw(session(200), [], fits=within(100 * n)).nodes) for n in range(1, 60)]

    assert sizes == sorted(sizes)


def test_steps_in_a_row_with_one_tool_are_folded_first() -> None:
    whole = draw(acts("grep", "grep", "grep", "edit"), [], fits=always).text

    drawing = draw(acts("grep", "grep", "grep", "edit"), [], fits=lambda text: text != whole)

    assert parse(drawing.text).nodes == {"t1_3": "3 × grep", "t4": "edit(4)"}
    assert drawing.nodes == {"t1_3": (1, 2, 3), "t4": (4,)}


def test_the_middle_is_folded_next_and_says_what_failed_in_it() -> None:
    drawing = draw(session(200), [], fits=within(240))

    labels = parse(drawing.text).nodes
    (middle,) = [name for name in labels if len(drawing.nodes[name]) > 2]
    assert labels[middle].endswith("failed")
    assert re.match(r"1\d\d steps: \d+ grep, ", labels[middle])
    assert "t200" in labels


def test_links_lead_to_what_a_step_became_part_of() -> None:
    drawing = draw(session(200), [Tie(200, 90, "caused_by")], fits=within(240))

    (edge,) = [edge for edge in parse(drawing.text).edges if edge.word]
    assert edge.source == "t200"
    assert 90 in drawing.nodes[edge.target]


def test_a_budget_for_nothing_is_kept() -> None:
    assert draw(session(200), [], fits=within(5)).text == ""


@given(st.integers(1, 60), st.integers(0, 900), st.data())
def test_the_same_steps_give_the_same_valid_graph(
    count: int, budget: int, data: st.DataObject
) -> None:
    texts = st.sampled_from(HOSTILE)
    steps = [Act(n, data.draw(texts), data.draw(texts)) for n in range(1, count + 1)]
    numbers = st.integers(1, count)
    relations = st.sampled_from(["next", "caused_by", "derived_from"])
    ties = data.draw(st.lists(st.builds(Tie, numbers, numbers, relations), max_size=9))

    drawing = draw(steps, ties, fits=within(budget))

    assert drawing == draw(steps, ties[::-1], fits=within(budget))
    if drawing.text:
        parse(drawing.text)
        assert estimate_tokens(drawing.text) <= budget
