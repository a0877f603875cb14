"""Task graphs: the steps of a session, drawn within a budget, and found again by their nodes."""

import re
from collections.abc import Mapping, Sequence

from agent_memory_os.errors import InvalidInput, NotFound
from agent_memory_os.model import Filters, TaskGraph, TaskStep, TokenCounter, Visibility
from agent_memory_os.pure import mermaid
from agent_memory_os.pure.tasks import TYPES, steps_of
from agent_memory_os.store.contract import Snapshot, Store

RELATIONS = ("next", "caused_by", "derived_from")
_MOST_LINKS = 32  # of one memory
_NODE = re.compile(r"t([1-9][0-9]{0,8})(?:_([1-9][0-9]{0,8}))?")


def task_graph(
    store: Store,
    session: str,
    visibility: Visibility,
    *,
    max_tokens: int,
    most_events: int,
    count: TokenCounter,
) -> TaskGraph:
    """Return the steps of a session as a flowchart of at most *max_tokens* by *count*."""
    with store.read() as snapshot:
        steps = _steps(snapshot, session, visibility, most_events)
        ties = _ties(snapshot, steps, visibility)
    acts = [mermaid.Act(each.number, each.tool, each.label, each.has_failed) for each in steps]
    drawing = mermaid.draw(acts, ties, fits=lambda text: count(text) <= max_tokens)
    nodes = {
        node: tuple(_named(steps[number - 1]) for number in numbers)
        for node, numbers in drawing.nodes.items()
    }
    tokens = count(drawing.text) if drawing.text else 0
    return TaskGraph(drawing.text, tokens, tuple(steps), nodes)


def is_node(ref: str) -> bool:
    """Return whether *ref* is the id of a node, and not that of a memory."""
    return _NODE.fullmatch(ref) is not None


def memory_of(
    store: Store, session: str, node: str, visibility: Visibility, *, most_events: int
) -> str:
    """Return the memory that a node of the task graph of a session stands for.

    Raises:
        NotFound: there is no such step that the agent may see.
        InvalidInput: the node stands for several steps.
    """
    found = _NODE.fullmatch(node)
    if found is None or found[2] is not None:
        raise InvalidInput(f"{node!r} stands for several steps: name one of them, such as t{1}")
    with store.read() as snapshot:
        steps = _steps(snapshot, session, visibility, most_events)
    number = int(found[1])
    if number > len(steps):
        raise NotFound(f"there is no step {node!r} in session {session!r}")
    return _named(steps[number - 1])


def _named(step: TaskStep) -> str:
    return step.result or step.call or ""


def _steps(
    snapshot: Snapshot, session: str, visibility: Visibility, most_events: int
) -> list[TaskStep]:
    wanted = Filters(types=TYPES)
    return steps_of(
        snapshot.events(visibility, wanted, session=session, around=None, limit=most_events)
    )


def _ties(
    snapshot: Snapshot, steps: Sequence[TaskStep], visibility: Visibility
) -> list[mermaid.Tie]:
    """Return the links between the memories of different steps, each once."""
    home: Mapping[str, int] = {
        memory_id: step.number
        for step in steps
        for memory_id in (step.call, step.result)
        if memory_id
    }
    walked = snapshot.steps(list(home), visibility, relations=RELATIONS, most=_MOST_LINKS)
    ties = {
        mermaid.Tie(home[each.source], home[each.target], each.relation)
        for each in walked
        if each.out and each.target in home and home[each.source] != home[each.target]
    }
    return sorted(ties)
