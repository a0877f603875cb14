"""Relief: which texts of a list of messages are moved out of it, and the list without them."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, cast

from agent_memory_os.errors import InvalidInput
from agent_memory_os.pure import bounds
from agent_memory_os.settings import Settings

Level = Literal["none", "mild", "aggressive"]
Path = tuple[int | str, ...]
LEVELS = ("auto", "mild", "aggressive")
_RESULT_ROLES = frozenset({"tool", "function", "tool_result"})
_RESULT_BLOCKS = frozenset({"tool_result", "function_call_output"})
_TEXT_BLOCKS = frozenset({"text", "input_text", "output_text"})


class Heavy(NamedTuple):
    """A text that is moved out: where it stands, and whose it is.

    path: the number of the message, then keys and numbers down to the text.
    text: the text.
    tool: the tool whose result it is, as far as the messages tell.
    call_id: the id of the call.
    is_result: whether it is the result of a tool; else somebody said it.
    """

    path: Path
    text: str
    tool: str | None
    call_id: str | None
    is_result: bool


class Limits(NamedTuple):
    """What of a list is moved out.

    keep_turns: the last turns that stay as they are.
    result_tokens: longest result of a tool that stays.
    text_tokens: longest text of the assistant that stays; None: all stay.
    """

    keep_turns: int
    result_tokens: int
    text_tokens: int | None


def parse_chat(messages: object) -> list[object]:
    """Return the messages of a list, pairs as mappings; the others are looked at as far as known.

    Raises:
        InvalidInput: it is no list, or one of them is no message; the error has its number, from 0.
    """
    if not isinstance(messages, Sequence) or isinstance(messages, str | bytes):
        raise InvalidInput(f"messages must be a list of messages, not a {type(messages).__name__}")
    return [_message(number, each) for number, each in enumerate(messages)]


def _message(number: int, message: object) -> object:
    if isinstance(message, tuple | list) and len(message) == 2 and isinstance(message[0], str):
        return {"role": message[0], "content": message[1]}
    if all(_field(message, name) is None for name in ("role", "type", "content")):
        raise InvalidInput(
            f'message {number}: it must be a mapping with "role" and "content", or a pair of'
            f" these, not {bounds.shown(message)}"
        )
    return message


def chosen(level: str, used_tokens: int, max_tokens: int, settings: Settings) -> Level:
    """Return how much is moved out: what was asked for, or as full as the context is."""
    if level != "auto":
        return cast("Level", level)
    if used_tokens >= settings.offload_aggressive_ratio * max_tokens:
        return "aggressive"
    return "mild" if used_tokens >= settings.offload_mild_ratio * max_tokens else "none"


def limits(level: Level, settings: Settings) -> Limits | None:
    """Return what a level moves out; None for nothing."""
    if level == "none":
        return None
    if level == "mild":
        return Limits(settings.offload_keep_turns, settings.offload_result_tokens, None)
    return Limits(1, settings.handle_tokens, settings.offload_text_tokens)


def tokens_of(messages: Sequence[object], count: Callable[[str], int]) -> int:
    """Return what the texts, the calls and the results of *messages* take by *count*."""
    return sum(count(text) for message in messages for text in _all_texts(message))


def heavy(
    messages: Sequence[object], limits: Limits | None, count: Callable[[str], int]
) -> list[Heavy]:
    """Return what is moved out of *messages*, in order; what a user has said never is.

    A turn is a message of the assistant with what follows it, so that what the assistant has not
    answered yet belongs to the last one.
    """
    if limits is None:
        return []
    end = _end_of_old(messages, limits.keep_turns)
    calls = dict(_calls(messages))
    found = []
    for number, message in enumerate(messages[:end]):
        for each in _movable(number, message, calls):
            most = limits.result_tokens if each.is_result else limits.text_tokens
            if most is not None and len(each.text) > most and count(each.text) > most:
                found.append(each)
    return found


def replaced(messages: Sequence[object], texts: Mapping[Path, str]) -> list[object]:
    """Return *messages* with other texts at some places; what holds none is the same object."""
    new = list(messages)
    for path, text in texts.items():
        new[cast("int", path[0])] = _replaced(new[cast("int", path[0])], path[1:], text)
    return new


def _replaced(value: object, path: Path, text: str) -> object:
    if not path:
        return text
    key = path[0]
    if isinstance(key, int):
        items = list(cast("Sequence[object]", value))
        items[key] = _replaced(items[key], path[1:], text)
        return items
    fields = dict(cast("Mapping[str, object]", value))
    fields[key] = _replaced(fields[key], path[1:], text)
    return fields


def _end_of_old(messages: Sequence[object], keep_turns: int) -> int:
    """Return the number of the message with which the last turns begin; 0 if all are of them."""
    begins = [number for number, each in enumerate(messages) if _is_of_assistant(each)]
    return begins[-keep_turns] if len(begins) >= keep_turns else 0


def _is_of_assistant(message: object) -> bool:
    return _field(message, "role") == "assistant" or _field(message, "type") == "function_call"


def _movable(number: int, message: object, calls: Mapping[str, str]) -> Iterator[Heavy]:
    """Yield the results of tools and the texts of the assistant in a message."""
    if not isinstance(message, Mapping):
        return  # an object of some library, which cannot be made anew without it
    role = message.get("role")
    if role in _RESULT_ROLES or message.get("type") in _RESULT_BLOCKS:
        yield from _of_result((number,), message, calls)
    elif role == "assistant":
        for path, text in _texts((number, "content"), message.get("content")):
            yield Heavy(path, text, None, None, is_result=False)
    content = message.get("content")
    if role not in _RESULT_ROLES and isinstance(content, list | tuple):
        for at, block in enumerate(content):
            if isinstance(block, Mapping) and block.get("type") in _RESULT_BLOCKS:
                yield from _of_result((number, "content", at), block, calls)


def _of_result(
    path: Path, result: Mapping[str, object], calls: Mapping[str, str]
) -> Iterator[Heavy]:
    ids = (result.get(name) for name in ("tool_call_id", "tool_use_id", "call_id"))
    call_id = next((each for each in ids if isinstance(each, str) and each), None)
    name = result.get("name")
    tool = name if isinstance(name, str) and name else calls.get(call_id or "")
    for key in ("content", "output"):
        for place, text in _texts((*path, key), result.get(key)):
            yield Heavy(place, text, tool, call_id, is_result=True)


def _texts(path: Path, content: object) -> Iterator[tuple[Path, str]]:
    """Yield the texts of a content, which may be in blocks."""
    if isinstance(content, str):
        yield path, content
    elif isinstance(content, list | tuple):
        for at, block in enumerate(content):
            if isinstance(block, Mapping) and block.get("type") in _TEXT_BLOCKS:
                text = block.get("text")
                if isinstance(text, str):
                    yield (*path, at, "text"), text


def _calls(messages: Sequence[object]) -> Iterator[tuple[str, str]]:
    """Yield the id and the tool of each call that the messages tell of."""
    for message in messages:
        content = _field(message, "content")
        blocks = content if isinstance(content, list | tuple) else ()
        calls = _field(message, "tool_calls")
        for call in (message, *blocks, *(calls if isinstance(calls, list | tuple) else ())):
            name = _field(call, "name") or _field(_field(call, "function"), "name")
            for key in ("id", "call_id"):
                said = _field(call, key)
                if isinstance(said, str) and isinstance(name, str):
                    yield said, name


def _all_texts(message: object) -> Iterator[str]:
    content = _field(message, "content")
    yield from (text for _, text in _texts((), content))
    if isinstance(content, list | tuple):
        for block in content:
            yield from (text for _, text in _texts((), _field(block, "content")))
            yield from _arguments(block)
    yield from (text for _, text in _texts((), _field(message, "output")))
    calls = _field(message, "tool_calls")
    for call in (message, *(calls if isinstance(calls, list | tuple) else ())):
        yield from _arguments(call)


def _arguments(call: object) -> Iterator[str]:
    """Yield the name and the arguments of a call of a tool."""
    told = _field(call, "function") or call
    name = _field(told, "name")
    if isinstance(name, str):
        yield name
    for key in ("arguments", "input"):
        given = _field(told, key)
        if given is not None:
            yield given if isinstance(given, str) else json.dumps(given, default=str)


def _field(value: object, name: str) -> object:
    """Return a field of a message, which may be a mapping or an object of some library."""
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
