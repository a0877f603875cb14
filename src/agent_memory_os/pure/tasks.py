"""Steps: the calls of tools in a session, each with its result, as a task graph tells them."""

import re
from collections.abc import Sequence

from agent_memory_os.model import Memory, TaskStep
from agent_memory_os.pure.handles import is_handle
from agent_memory_os.pure.messages import TOOL_CALL, TOOL_RESULT
from agent_memory_os.pure.summary import one_line

TYPES = (TOOL_CALL, TOOL_RESULT)
_CALL_CHARS, _RESULT_CHARS = 56, 40
_FAILED = re.compile(
    r"\s*(?:\w{0,40}(?:error|exception)\b|failed\b|failure\b|fatal\b|panic\b|traceback\b"
    r"|permission denied|command not found|错误|异常|失败)",
    re.IGNORECASE,
)


def steps_of(events: Sequence[Memory]) -> list[TaskStep]:
    """Return the steps that *events* of one session tell, in order.

    A call and the results with its ``tool_call_id`` are one step; so is whatever has no partner.
    Of several results, as when one was captured and put away as well, the step names the handle.
    """
    pairs: list[tuple[Memory | None, Memory | None]] = []
    open_calls: dict[str, int] = {}
    for event in events:
        said = event.metadata.get("tool_call_id")
        call_id = said if isinstance(said, str) else None
        at = open_calls.get(call_id) if call_id is not None else None
        if event.type == TOOL_CALL or at is None:
            if call_id is not None:
                open_calls[call_id] = len(pairs)
            is_call = event.type == TOOL_CALL
            pairs.append((event, None) if is_call else (None, event))
        elif pairs[at][1] is None or is_handle(event.metadata):
            pairs[at] = (pairs[at][0], event)
    return [_step(number, *pair) for number, pair in enumerate(pairs, 1)]


def _step(number: int, call: Memory | None, result: Memory | None) -> TaskStep:
    first = call or result
    assert first is not None
    tool = _tool(first)
    label = tool if call is None else one_line(call.content, most=_CALL_CHARS)
    if result is not None:
        label = f"{label}: {_outcome(result, tool)}"
    return TaskStep(
        number,
        tool,
        label,
        None if call is None else call.id,
        None if result is None else result.id,
        result is not None and _has_failed(result),
    )


def _tool(event: Memory) -> str:
    said = event.metadata.get("tool")
    if isinstance(said, str) and said:
        return said
    kind, _, name = (event.actor or "").partition(":")
    return name if kind == "tool" else "tool"


def _outcome(result: Memory, tool: str) -> str:
    first = result.content.strip().partition("\n")[0]
    return one_line(first.removeprefix(f"{tool}: "), most=_RESULT_CHARS)


def _has_failed(result: Memory) -> bool:
    if isinstance(said := result.metadata.get("is_error"), bool):
        return said
    return not is_handle(result.metadata) and _FAILED.match(result.content) is not None
