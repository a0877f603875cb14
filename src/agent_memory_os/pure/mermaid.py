"""Task graphs: the steps of a session as a Mermaid flowchart that fits a budget."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from agent_memory_os.noun import Noun

HEAD = "flowchart TD"
FOLLOWS = "next"
_LABELS = {"caused_by": "caused by", "derived_from": "derived from"}
_MOST_TOOLS = 4  # that a folded node names
_LATER = 3  # of what is kept so many parts are the last steps, and one the first ones

# In a quoted label these could end it, name an entity, or begin markup, a directive or a formula.
_SPECIAL = re.compile(r"[#<>&%`$\\]")
_UNFIT = re.compile(
    "[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


class Act(Noun):
    """A step as it is drawn.

    Attributes:
        number: its place among the steps of the session, from 1.
        tool: the tool that was called.
        label: what is told of it, in one line.
        has_failed: whether its result tells of an error.
    """

    number: int
    tool: str
    label: str
    has_failed: bool = False


class Tie(NamedTuple):
    """A link between two steps, by their numbers: it reads "source relation target"."""

    source: int
    target: int
    relation: str


class Drawing(Noun):
    """A task graph as text.

    Attributes:
        text: the flowchart; empty when not even the shortest fits.
        nodes: by the id of each node the numbers of the steps that it stands for, in order.
    """

    text: str
    nodes: Mapping[str, tuple[int, ...]]


class _Node(NamedTuple):
    """One step, or several that follow on one another."""

    id: str
    label: str
    acts: tuple[Act, ...]


def draw(acts: Sequence[Act], ties: Sequence[Tie], *, fits: Callable[[str], bool]) -> Drawing:
    """Return the flowchart of *acts*, as much of it as *fits*; the same for the same steps.

    A step follows the one before it, unless links say what it follows. When not all of them fit,
    steps in a row with one tool become one node; then the middle becomes one, and of what is left
    three quarters are the last steps. Links to what became one lead to that.

    Args:
        acts: in order, with numbers that grow.
        ties: links between them; "next" decides what follows what.
        fits: whether a text so long will do.
    """
    if not acts:
        return Drawing("", {})
    whole = _drawn([_single(act) for act in acts], ties)
    if fits(whole.text):
        return whole
    runs = [_folded(tuple(run)) for _, run in groupby(acts, key=lambda act: act.tool)]
    in_runs = _drawn(runs, ties)
    if fits(in_runs.text):
        return in_runs
    best = Drawing("", {})
    low, high = 0, len(runs) - 2
    while low <= high:  # how many nodes stay beside the one in the middle
        kept = (low + high) // 2
        elided = _drawn(_elided(runs, kept), ties)
        if fits(elided.text):
            best, low = elided, kept + 1
        else:
            high = kept - 1
    return best


def quoted(label: str) -> str:
    """Return *label* so that it can stand between the quotes of a node, whatever it holds.

    >>> quoted('say "hi" <b>')
    "say 'hi' #lt;b#gt;"
    """
    named = {"<": "#lt;", ">": "#gt;", "&": "#amp;"}
    text = _UNFIT.sub(" ", label).replace('"', "'")
    return _SPECIAL.sub(lambda found: named.get(found[0], f"#{ord(found[0])};"), text)


def _single(act: Act) -> _Node:
    return _Node(f"t{act.number}", act.label, (act,))


def _folded(acts: tuple[Act, ...]) -> _Node:
    """Return steps in a row as one node: how many, with which tools, and how many failed."""
    if len(acts) == 1:
        return _single(acts[0])
    failed = sum(act.has_failed for act in acts)
    label = _tools(acts) + (f"; {failed:,} failed" if failed else "")
    return _Node(f"t{acts[0].number}_{acts[-1].number}", label, acts)


def _tools(acts: Sequence[Act]) -> str:
    tools = Counter(act.tool for act in acts).most_common()
    if len(tools) == 1:
        return f"{len(acts):,} × {tools[0][0]}"
    named = ", ".join(f"{count:,} {tool}" for tool, count in tools[:_MOST_TOOLS])
    left = sum(count for _, count in tools[_MOST_TOOLS:])
    return f"{len(acts):,} steps: {named}" + (f", {left:,} others" if left else "")


def _elided(nodes: Sequence[_Node], kept: int) -> list[_Node]:
    """Return *nodes* with all but *kept* of them in one, which stands nearer to the beginning."""
    first = kept // (_LATER + 1)
    last = len(nodes) - (kept - first)
    middle = tuple(act for node in nodes[first:last] for act in node.acts)
    return [*nodes[:first], _folded(middle), *nodes[last:]]


def _drawn(nodes: Sequence[_Node], ties: Sequence[Tie]) -> Drawing:
    home = {act.number: node.id for node in nodes for act in node.acts}
    labels = {node.id: f'["{quoted(node.label)}"]' for node in nodes}
    lines = [HEAD]
    told: set[str] = set()

    def end(node: str) -> str:
        """Return how a node is written: with its label where it comes first."""
        if node in told:
            return node
        told.add(node)
        return node + labels[node]

    for source, target in _order(nodes, ties, home):
        lines.append(f"{end(source)} --> {end(target)}")
    lines += [end(node.id) for node in nodes if node.id not in told]
    for source, relation, target in _others(ties, home):
        lines.append(f'{source} -. "{relation}" .-> {target}')
    return Drawing(
        "\n".join(lines), {node.id: tuple(act.number for act in node.acts) for node in nodes}
    )


def _order(
    nodes: Sequence[_Node], ties: Sequence[Tie], home: Mapping[int, str]
) -> Iterator[tuple[str, str]]:
    """Yield which node follows which: as links say, else the one before; each pair once."""
    said: dict[str, list[str]] = {node.id: [] for node in nodes}
    for tie in sorted(ties):
        if tie.relation == FOLLOWS and home[tie.source] != home[tie.target]:
            said[home[tie.target]].append(home[tie.source])
    for before, node in zip([None, *nodes], nodes, strict=False):
        sources = said[node.id] or ([before.id] if before is not None else [])
        yield from ((source, node.id) for source in dict.fromkeys(sources))


def _others(ties: Sequence[Tie], home: Mapping[int, str]) -> Iterator[tuple[str, str, str]]:
    """Yield the links that are drawn besides the order, each once."""
    drawn = (
        (home[tie.source], _LABELS[tie.relation], home[tie.target])
        for tie in sorted(ties)
        if tie.relation in _LABELS and home[tie.source] != home[tie.target]
    )
    yield from dict.fromkeys(drawn)
