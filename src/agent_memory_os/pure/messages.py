"""Messages as events: what was said and done in a turn, as the interfaces of models tell it."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, cast

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import JSON
from agent_memory_os.noun import Noun
from agent_memory_os.pure import access, bounds
from agent_memory_os.pure.draft import parse_word, unknown_field
from agent_memory_os.pure.injected import stripped

EVENT, TOOL_CALL, TOOL_RESULT = "event", "tool_call", "tool_result"
SESSION_END = "session_end"
_KEYS = (
    *("role", "content", "name", "actor", "occurred_at", "tool_calls", "tool_call_id", "metadata"),
)
_TEXTS = frozenset({"text", "input_text", "output_text"})
_CALLS = frozenset({"tool_use", "tool_call", "function_call"})
_RESULTS = frozenset({"tool_result", "function_call_output"})


class _Role(NamedTuple):
    """What a role means: the name that is kept, the type of its events, the kind of its actor."""

    name: str
    type: str
    kind: str | None


_ROLES: Mapping[str, _Role] = {
    "user": _Role("user", EVENT, "user"),
    "assistant": _Role("assistant", EVENT, "agent"),
    "system": _Role("system", EVENT, None),
    "developer": _Role("system", EVENT, None),
    "tool": _Role("tool", TOOL_RESULT, "tool"),
    "function": _Role("tool", TOOL_RESULT, "tool"),
    "tool_call": _Role("assistant", TOOL_CALL, "agent"),
    "tool_result": _Role("tool", TOOL_RESULT, "tool"),
    "event": _Role("event", EVENT, None),
}


class Happened(Noun):
    """One event of a turn.

    Attributes:
        position: its place in the turn: the number of its message, from 0, and where a message
            tells of several events, a dot and the number in it from the second on.
        content: what was said or done, word for word.
        type: "event", "tool_call" or "tool_result".
        actor: who said or did it, or None.
        metadata: of its message, with role, tool and tool_call_id.
        occurred_at: when, or None.
        why: what was left out of it, in words; empty when nothing was.
    """

    position: str
    content: str
    type: str
    actor: str | None
    metadata: Mapping[str, JSON]
    occurred_at: datetime | None
    why: str

    @property
    def fields(self) -> Mapping[str, object]:
        """The fields of its memory, by the names of `MemoryFields`."""
        return {
            "type": self.type,
            "actor": self.actor,
            "metadata": self.metadata,
            "occurred_at": self.occurred_at,
            "on_duplicate": "store",
        }


class Told(Noun):
    """What the messages of a turn tell: events, and in sentences what is not kept."""

    events: tuple[Happened, ...]
    notes: tuple[str, ...]


class _Piece(NamedTuple):
    """A part of a message: a text, a call or a result; None as its text says that it is none."""

    type: str
    text: str | None
    tool: str | None = None
    call_id: str | None = None


def parse_messages(messages: object, *, agent: str, subject: str | None) -> Told:
    """Return what *messages* tell, in order.

    Args:
        messages: mappings with "role" and "content", and pairs of these. A content may be a list
            of blocks, as the interfaces of models have them.
        agent: who the assistant is.
        subject: who the user is, if it is a user and the message does not say.

    Raises:
        InvalidInput: one of them is malformed; the error has its number, from 0.
    """
    if isinstance(messages, str | bytes | Mapping) or not isinstance(messages, Iterable):
        raise InvalidInput(
            'messages must be a list, such as [{"role": "user", "content": "..."}],'
            f" not a {type(messages).__name__}"
        )
    reader = _Reader(agent, subject)
    for number, message in enumerate(messages):
        try:
            reader.read(number, _mapping(message))
        except InvalidInput as error:
            raise InvalidInput(f"message {number}: {error}") from error
    return Told(tuple(reader.events), tuple(reader.notes))


def parse_turn(value: object) -> int | str | None:
    """Return *value* if it names a turn: a number from 0, a word, or None for the next one.

    Raises:
        InvalidInput: it does not.
    """
    if value is None or isinstance(value, str):
        return None if value is None else parse_word(value, "turn")
    return bounds.whole(value, "turn")


def _mapping(message: object) -> Mapping[str, object]:
    if isinstance(message, tuple | list) and len(message) == 2:
        return {"role": message[0], "content": message[1]}
    if not isinstance(message, Mapping):
        raise InvalidInput(f'it must be a mapping with "role" and "content", not {message!r:.60}')
    for name, value in message.items():
        # What interfaces add and leave empty tells nothing.
        if name not in _KEYS and value is not None and value != []:
            raise unknown_field(str(name), _KEYS, "key of a message")
    return message


class _Reader:
    """Reads the messages of a turn one after the other; calls wait for their results."""

    def __init__(self, agent: str, subject: str | None) -> None:
        self.events: list[Happened] = []
        self.notes: list[str] = []
        self._agent = agent
        self._subject = subject
        self._open: dict[str, str | None] = {}  # call -> tool

    def read(self, number: int, message: Mapping[str, object]) -> None:
        """Add the events of a message."""
        role = _role(message.get("role"))
        for at, piece in enumerate(_pieces(role, message)):
            position = f"{number}.{at}" if at else f"{number}"
            if piece.text is None:
                continue
            left = stripped(piece.text)
            if left.text and not left.text.isspace():
                piece = self._paired(piece, position)
                self.events.append(self._event(position, role, piece, left.text, left.why, message))
                continue
            why = left.why or "it has no text"
            self.notes.append(f"nothing of message {position} is kept: {why}")

    def _paired(self, piece: _Piece, position: str) -> _Piece:
        """Return a call with an id, or a result with that of its call, and with the tool."""
        if piece.type == TOOL_CALL:
            call = piece.call_id or f"call-{position}"
            self._open[call] = piece.tool
            return piece._replace(call_id=call)
        if piece.type == TOOL_RESULT:
            call_id = piece.call_id or next(iter(self._open), None)
            tool = self._open.pop(call_id, None) if call_id is not None else None
            return piece._replace(call_id=call_id, tool=piece.tool or tool)
        return piece

    def _event(
        self,
        position: str,
        role: _Role,
        piece: _Piece,
        text: str,
        why: str,
        message: Mapping[str, object],
    ) -> Happened:
        metadata = message.get("metadata") or {}
        if not isinstance(metadata, Mapping):
            raise InvalidInput(f"metadata must be a mapping, not {metadata!r}")
        told = dict(cast("Mapping[str, JSON]", metadata), role=role.name)
        if piece.tool is not None:
            told["tool"] = piece.tool
        if piece.call_id is not None:
            told["tool_call_id"] = piece.call_id
        actor = self._actor(role, piece, message)
        occurred_at = cast("datetime | None", message.get("occurred_at"))  # checked with the draft
        return Happened(position, text, piece.type, actor, told, occurred_at, why)

    def _actor(self, role: _Role, piece: _Piece, message: Mapping[str, object]) -> str | None:
        said = message.get("actor")
        if said is not None:
            return access.parse_kinded(said, "actor")
        kind = "tool" if piece.type == TOOL_RESULT else role.kind
        if kind is None:
            return None
        name = message.get("name")
        if name is not None and role.type == EVENT and piece.type != TOOL_RESULT:
            return access.parse_kinded(f"{kind}:{bounds.text(name, 'name')}", "name")
        if kind == "user" and (self._subject or "").startswith("user:"):
            return self._subject
        usual = {"user": "user", "agent": self._agent, "tool": piece.tool or "tool"}[kind]
        actor = f"{kind}:{usual}"
        return actor if len(actor) <= access.MAX_ID_CHARS else None


def _role(value: object) -> _Role:
    return _ROLES[bounds.one_of(value, "role", _ROLES)]


def _pieces(role: _Role, message: Mapping[str, object]) -> list[_Piece]:
    """Return the parts of a message in order; the first is its text, if only that there is none."""
    content = message.get("content")
    named = message.get("name") if role.type != EVENT else None
    tool = None if named is None else _tool(named)
    call_id = _call_id(message.get("tool_call_id"))
    calls = message.get("tool_calls") or ()
    if content is None and not calls:
        raise InvalidInput("content must be a text, or a list of blocks, not None")
    if content is None or isinstance(content, str):
        pieces = [_Piece(role.type, content, tool, call_id)]
    elif isinstance(content, list | tuple) and role.type != EVENT:
        pieces = [_Piece(role.type, _joined(content), tool, call_id)]
    elif isinstance(content, list | tuple):
        pieces = list(_blocks(content))
    else:
        raise InvalidInput(
            f"content must be a text, or a list of blocks, not a {type(content).__name__}"
        )
    if not isinstance(calls, list | tuple):
        raise InvalidInput(f"tool_calls must be a list, not a {type(calls).__name__}")
    return [*pieces, *(_call(call) for call in calls)]


def _blocks(content: Sequence[object]) -> Iterator[_Piece]:
    """Yield the parts of a content; texts that follow on one another are one."""
    texts: list[str] = []
    for block in content:
        kind, value = _block(block)
        if kind in _TEXTS:
            texts.append(bounds.text(value.get("text"), "text"))
            continue
        if texts:
            yield _Piece(EVENT, "\n".join(texts))
            texts = []
        if kind in _CALLS:
            yield _call(value)
        elif kind in _RESULTS:
            called = value.get("tool_use_id") or value.get("call_id") or value.get("tool_call_id")
            result = value.get("content") if "content" in value else value.get("output")
            yield _Piece(TOOL_RESULT, _joined(result), call_id=_call_id(called))
        else:
            yield _Piece(EVENT, "")  # no text: its place stays empty
    if texts:
        yield _Piece(EVENT, "\n".join(texts))


def _block(block: object) -> tuple[str, Mapping[str, object]]:
    if isinstance(block, str):
        return "text", {"text": block}
    kind = block.get("type") if isinstance(block, Mapping) else None
    if not isinstance(block, Mapping) or not isinstance(kind, str):
        raise InvalidInput(f'a block must be a mapping with "type", not {block!r:.60}')
    return kind, block


def _joined(content: object) -> str:
    """Return the text of a result, which may be in blocks."""
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list | tuple):
        blocks = [_block(each) for each in content]
        return "\n".join(
            bounds.text(value.get("text"), "text") for kind, value in blocks if kind in _TEXTS
        )
    raise InvalidInput(f"a result must be a text or a list of blocks, not {content!r:.60}")


def _call(call: object) -> _Piece:
    """Return a call of a tool: its content reads ``name(arguments)``, as they were given."""
    if not isinstance(call, Mapping):
        raise InvalidInput(f"a call must be a mapping, not a {type(call).__name__}")
    function = call.get("function")
    told = function if isinstance(function, Mapping) else call
    tool = _tool(told.get("name"))
    names = [name for name in ("arguments", "args", "input") if told.get(name) is not None]
    given = told[names[0]] if names else ""
    if not isinstance(given, str):
        given = _encoded(given, f"the arguments of {tool!r}")
    return _Piece(TOOL_CALL, f"{tool}({given})", tool, _call_id(call.get("id")))


def _encoded(value: object, what: str) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        raise InvalidInput(f"{what} cannot be written as JSON") from None


def _tool(name: object) -> str:
    return parse_word(name, "the name of a tool")


def _call_id(value: object) -> str | None:
    return None if value is None else parse_word(value, "tool_call_id")
