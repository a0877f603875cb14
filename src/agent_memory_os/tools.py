"""Tools: what a model calls, done with the verbs of one view."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, cast

from agent_memory_os.errors import InvalidInput, NotFound, NotPermitted, VersionConflict
from agent_memory_os.model import (
    JSON,
    ChangeFields,
    FilterFields,
    Hit,
    Memory,
    MemoryFields,
    moment,
)
from agent_memory_os.pure import access
from agent_memory_os.pure.excerpt import excerpt
from agent_memory_os.pure.graphemes import boundary
from agent_memory_os.pure.notes import MOST_MARKS, NOTICE
from agent_memory_os.pure.render_json import mark_values
from agent_memory_os.pure.schemas import fault, shown
from agent_memory_os.pure.text import Query, analyse_query
from agent_memory_os.pure.toolbox import USUAL_HITS, Tool, answered, declared, parse_format, toolbox
from agent_memory_os.view import AgentMemory  # which loads this module only when it is used

HIT_CHARS = 800  # of a memory, among others
PART_CHARS = 8_000  # of a memory by itself
_FIELDS = ("type", "tags", "importance")
_TOLD = (InvalidInput, NotFound, NotPermitted, VersionConflict)  # what a model can mend
_MOST_CHARS = 2_000_000  # of arguments as JSON


class Call(NamedTuple):
    """A call that passed the schema of its tool.

    memory: as whom it is made.
    given: the arguments.
    share: the scopes that the host lists.
    feedback: says whether recalling memories helped; what a model says of it moves no confidence.
    """

    memory: AgentMemory
    given: Mapping[str, object]
    share: Sequence[str]
    feedback: Callable[[Sequence[str], bool], None]

    def text(self, name: str) -> str:
        """Return an argument that is a string."""
        return cast("str", self.given[name])


def tools(format: object, share: object, *, pack_tokens: int) -> list[dict[str, JSON]]:  # noqa: A002  # the word that callers know
    """Return the tools as *format* declares them to a model.

    Raises:
        InvalidInput: *format* or *share* is malformed.
    """
    form = parse_format(format)
    listed = access.parse_visibility(share, "share")
    return [declared(tool, form) for tool in toolbox(listed, pack_tokens=pack_tokens).values()]


def call_tool(
    memory: AgentMemory,
    name: object,
    arguments: object,
    *,
    format: object,  # noqa: A002  # the word that callers know
    share: object,
    pack_tokens: int,
    feedback: Callable[[Sequence[str], bool], None],
    raise_errors: bool,
) -> dict[str, JSON]:
    """Do what a model asks for, as the agent of *memory*; return what it is told.

    Raises:
        InvalidInput: *format* or *share* is malformed, which is the host's doing.
        StoreError, ClientClosed: what a model cannot mend, and must not read.
    """
    form = parse_format(format)
    listed = access.parse_visibility(share, "share")
    known = toolbox(listed, pack_tokens=pack_tokens)
    try:
        tool = _tool(name, known)
        given = _arguments(arguments, tool)
        call = Call(memory, given, listed, feedback)
        return answered(_DOES[tool.name](call), form, is_error=False)
    except _TOLD as error:
        if raise_errors:
            raise
        told: JSON = {"error": str(error), "kind": type(error).__name__}
        return answered(told, form, is_error=True)


def _tool(name: object, known: Mapping[str, Tool]) -> Tool:
    tool = known.get(name) if isinstance(name, str) else None
    if tool is None:
        raise InvalidInput(f"there is no tool named {shown(name)}; there are {', '.join(known)}")
    return tool


def _arguments(arguments: object, tool: Tool) -> Mapping[str, object]:
    """Return *arguments*, which may be JSON as text, if they are as the schema of *tool* says."""
    if isinstance(arguments, str | bytes):
        arguments = _read(arguments, tool.name) if arguments.strip() else {}
    given = {} if arguments is None else arguments
    if problem := fault(given, tool.schema, "they"):
        raise InvalidInput(f"the arguments of {tool.name} do not fit: {problem}")
    return cast("Mapping[str, object]", given)


def _read(text: str | bytes, name: str) -> object:
    if len(text) > _MOST_CHARS:
        raise InvalidInput(f"the arguments of {name} have more than {_MOST_CHARS} characters")
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        where = f" at character {error.pos}" if isinstance(error, json.JSONDecodeError) else ""
        raise InvalidInput(f"the arguments of {name} are no JSON{where}") from None


def _add(call: Call) -> JSON:
    fields = {name: call.given[name] for name in _FIELDS if name in call.given}
    fields["visibility"] = call.given.get("share", ())
    receipt = call.memory.add(call.text("content"), **cast("MemoryFields", fields))
    return {"id": receipt.id, "verdict": receipt.verdict, "why": receipt.why}


def _search(call: Call) -> JSON:
    filters = {name: call.given[name] for name in ("types", "tags") if name in call.given}
    for name in ("since", "until"):
        if name in call.given:
            filters[name] = _moment(call.text(name), name)
    query = call.text("query")
    limit = cast("int", call.given.get("limit", USUAL_HITS))
    hits = call.memory.search(query, limit=limit, **cast("FilterFields", filters))
    asked = analyse_query(query) if any(len(hit.content) > HIT_CHARS for hit in hits) else None
    found: list[JSON] = [
        {**_told(hit.memory, call.memory, asked), "score": round(hit.score, 3), **_marks(hit)}
        for hit in hits
    ]
    answer: dict[str, JSON] = {"notice": NOTICE, "memories": found}
    if not found:
        answer = {"memories": [], "reason": hits.report.reason}
    return {**answer, "degraded": [*hits.report.degraded]} if hits.report.degraded else answer


def _marks(hit: Hit) -> dict[str, JSON]:
    """Return what contradicts a hit, if anything does."""
    marks = [mark_values(mark) for mark in hit.marks[:MOST_MARKS]]
    return {"marks": cast("JSON", marks)} if marks else {}


def _moment(text: str, what: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        example = "2026-01-31T00:00:00Z"
        raise InvalidInput(f"{what} must be a moment like {example}, not {shown(text)}") from None


def _context_pack(call: Call) -> JSON:
    most = cast("int | None", call.given.get("max_tokens"))
    pack = call.memory.context_pack(call.text("query"), max_tokens=most)
    return pack.text or {"memories": [], "reason": pack.report.search.reason}


def _get(call: Call) -> JSON:
    memory = _seen(call, call.text("id"))
    start = cast("int", call.given.get("offset", 0))
    end = min(start + PART_CHARS, len(memory.content))
    end = end if end >= len(memory.content) else boundary(memory.content, end)
    told = {**_told(memory, call.memory), "content": memory.content[start:end]}
    if end < len(memory.content):
        told["next_offset"] = end
    return {"notice": NOTICE, "memory": told}


def _update(call: Call) -> JSON:
    _hold_to_share(call)
    changes = {name: call.given[name] for name in ("content", *_FIELDS) if name in call.given}
    receipt = call.memory.update(call.text("id"), **cast("ChangeFields", changes))
    return {"id": receipt.id, "why": receipt.why}


def _delete(call: Call) -> JSON:
    _hold_to_share(call)
    call.memory.delete(call.text("id"))
    return {"id": call.text("id"), "deleted": True}


def _link(call: Call) -> JSON:
    ends = call.text("source_id"), call.text("target_id")
    relation = cast("str", call.given.get("relation", "related_to"))
    link = call.memory.link(*ends, relation=relation)
    return {"source_id": ends[0], "target_id": ends[1], "relation": link.relation}


def _recall_feedback(call: Call) -> JSON:
    ids = cast("Sequence[str]", call.given["ids"])
    call.feedback(ids, cast("bool", call.given["helpful"]))
    return {"counted": len({*ids})}


def _share(call: Call) -> JSON:
    memory = call.memory.share(call.text("id"), cast("Sequence[str]", call.given["share"]))
    return {"id": memory.id, "shared_with": [*memory.visibility]}


_DOES: Mapping[str, Callable[[Call], JSON]] = {
    "memory_add": _add,
    "memory_search": _search,
    "memory_context_pack": _context_pack,
    "memory_get": _get,
    "memory_update": _update,
    "memory_delete": _delete,
    "memory_link": _link,
    "memory_recall_feedback": _recall_feedback,
    "memory_share": _share,
}


def _seen(call: Call, memory_id: str) -> Memory:
    memory = call.memory.get(memory_id)
    if memory is None:
        raise NotFound(f"there is no memory {shown(memory_id)}")
    return memory


def _hold_to_share(call: Call) -> None:
    """Raise unless the memory that is changed is private, or shared as the host lists.

    Else a model could tell everybody what it was told here, by writing it into what they see.
    """
    memory = _seen(call, call.text("id"))
    if memory.owner == call.memory.agent_id and not {*memory.visibility} <= {*call.share}:
        raise NotPermitted(
            f"memory {memory.id!r} is shared with others than this conversation may share with:"
            " it cannot be changed here; remember something new instead"
        )


def _told(memory: Memory, view: AgentMemory, asked: Query | None = None) -> dict[str, JSON]:
    """Return a memory as a model is told it; of a long one the part around what was asked."""
    content = memory.content
    if asked is not None and len(content) > HIT_CHARS:
        content = excerpt(content, asked, fits=lambda text: len(text) <= HIT_CHARS)
    told: dict[str, JSON] = {
        "id": memory.id,
        "content": content,
        "type": memory.type,
        "when": moment(memory.occurred_ms).isoformat(timespec="seconds"),
        "by": memory.actor or memory.owner,
    }
    if content != memory.content:
        told["excerpt"] = True
    if memory.subject is not None and memory.subject != view.subject:
        told["about"] = memory.subject
    if memory.tags:
        told["tags"] = [*memory.tags]
    if memory.visibility:
        told["shared_with"] = [*memory.visibility]
    return told
