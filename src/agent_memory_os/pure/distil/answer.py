"""A model's answer to the prompt, read and checked item by item."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from agent_memory_os.errors import InvalidInput
from agent_memory_os.pure import access, bounds
from agent_memory_os.pure.draft import parse_word, unknown_field
from agent_memory_os.pure.turns import ACTIONS, MOST_CHARS, Decision, Turn

MOST_ANSWER = 1_000_000  # characters
_MOST_OPENINGS = 64  # brackets at which JSON is looked for, where prose stands before it
_OPENING = re.compile(r"[\[{]")
_STRING_OR_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])', re.DOTALL)
_DEFAULT_TYPE = "fact"
_FIELDS = (
    "action",
    "content",
    "type",
    "evidence",
    "target",
    "subject",
    "entity",
    "attribute",
    "why",
)


def parse_decisions(text: str, turns: Sequence[Turn]) -> tuple[Decision, ...]:
    """Return the decisions of a model's answer, in order.

    Prose and code fences around the JSON are left out, and so are commas before a closing bracket;
    an object with an array "decisions", or one decision alone, is taken too. Nothing of the text is
    ever run.

    Args:
        text: the answer.
        turns: those that the prompt showed; evidence must be among them.

    Raises:
        InvalidInput: there is no such JSON, or a decision has a field or an action that does not
            exist, evidence that is no turn, a content that is blank or too long, or anything of
            another type; the message names the decision, counted from 1.
    """
    bounds.any_text(text, "the answer")
    if len(text) > MOST_ANSWER:
        raise InvalidInput(f"the answer has {len(text)} characters; at most {MOST_ANSWER} are read")
    ids = frozenset(turn.id for turn in turns)
    return tuple(_decision(item, ids, place) for place, item in enumerate(_items(text), 1))


def read_decisions(
    said: object, turns: Sequence[Turn], known: Iterable[str] = ()
) -> tuple[Decision, ...]:
    """Return what a distiller of the host has *said*, checked as `parse_decisions` checks.

    Args:
        said: the answer of a model as a text, or a list of decisions or of mappings.
        turns: those that it was shown; evidence must be among them.
        known: ids of the memories that it was shown; targets must be among them.

    Raises:
        InvalidInput: it is none of these, or a decision is invalid.
    """
    if isinstance(said, str):
        decisions = parse_decisions(said, turns)
    elif isinstance(said, list | tuple):
        ids = frozenset(turn.id for turn in turns)
        decisions = tuple(_decision(_fields(item), ids, at) for at, item in enumerate(said, 1))
    else:
        raise InvalidInput(f"decisions must be a list or a text, not a {type(said).__name__:.60}")
    targets = {*known, None}
    for place, decision in enumerate(decisions, 1):
        if decision.target not in targets:
            raise InvalidInput(
                f"decision {place}: target {decision.target!r:.80} is no memory that is there"
            )
    return decisions


def _fields(item: object) -> object:
    """Return a decision as a mapping; anything else as it is."""
    return {name: getattr(item, name) for name in _FIELDS} if isinstance(item, Decision) else item


def _items(text: str) -> Sequence[object]:
    """Return the items of the first JSON in *text* that may be decisions."""
    fallback: Sequence[object] | None = None
    end = 0
    for count, opening in enumerate(_OPENING.finditer(text)):
        if count >= _MOST_OPENINGS:
            break
        if opening.start() < end:
            continue
        value, size = _decoded(text[opening.start() :])
        end = opening.start() + size
        items = _listed(value)
        if items and all(isinstance(item, dict) for item in items):
            return items
        fallback = items if fallback is None else fallback
    if fallback is None:
        raise InvalidInput("the answer holds no JSON array of decisions, such as []")
    return fallback


def _decoded(text: str) -> tuple[object, int]:
    """Return the JSON that *text* begins with and its size; None and 0 where there is none."""
    decoder = json.JSONDecoder()
    try:
        return decoder.raw_decode(text)
    except (ValueError, RecursionError):
        pass  # once more without commas that nothing follows, and whatever is left out is passed
    cleaned = _STRING_OR_COMMA.sub(_without_comma, text)
    try:
        value, size = decoder.raw_decode(cleaned)
    except (ValueError, RecursionError):
        return None, 0
    return value, size


def _without_comma(found: re.Match[str]) -> str:
    return "" if found[0] == "," else found[0]


def _listed(value: object) -> Sequence[object] | None:
    if isinstance(value, dict):
        if "decisions" not in value:
            return [value] if "action" in value else None
        value = value["decisions"]
    return value if isinstance(value, list) else None


def _decision(item: object, ids: frozenset[str], place: int) -> Decision:
    try:
        if not isinstance(item, Mapping):
            raise InvalidInput(f"a decision must be an object, not {item!r:.80}")
        return _checked(item, ids)
    except InvalidInput as error:
        raise InvalidInput(f"decision {place}: {error}") from error


def _checked(item: Mapping[str, object], ids: frozenset[str]) -> Decision:
    for name in item:
        if name not in _FIELDS:
            raise unknown_field(name, _FIELDS)
    action = item.get("action")
    if action not in ACTIONS:
        raise InvalidInput(f"action must be one of {', '.join(ACTIONS)}, not {action!r:.80}")
    entity, attribute = _word(item, "entity"), _word(item, "attribute")
    if entity is not None and attribute is None:
        raise InvalidInput(f"entity {entity!r} needs an attribute")
    subject = item.get("subject")
    return Decision(
        action,
        _content(item.get("content"), action == "no change"),
        _word(item, "type") or _DEFAULT_TYPE,
        _evidence(item.get("evidence"), ids),
        subject=None if subject is None else access.parse_kinded(subject, "subject"),
        entity=entity,
        attribute=attribute,
        target=_target(_word(item, "target"), str(action)),
        why=bounds.text("" if item.get("why") is None else item["why"], "why"),
    )


def _content(value: object, may_be_absent: bool) -> str:
    if value is None and may_be_absent:
        return ""
    content = bounds.text(value, "content")
    if not content or content.isspace():
        raise InvalidInput("content must not be blank")
    if len(content) > MOST_CHARS:
        raise InvalidInput(
            f"content has {len(content)} characters; at most {MOST_CHARS} are allowed:"
            f" {content!r:.60}"
        )
    return content


def _evidence(value: object, ids: frozenset[str]) -> tuple[str, ...]:
    named = tuple(dict.fromkeys(bounds.texts([] if value is None else value, "evidence")))
    if not named:
        raise InvalidInput("evidence must name at least one turn")
    for turn_id in named:
        if turn_id not in ids:
            raise InvalidInput(f"evidence {turn_id!r:.80} is no turn of the conversation")
    return named


def _target(value: str | None, action: str) -> str | None:
    if (value is None) is (action == "add"):
        return value
    if value is None:
        raise InvalidInput(f"{action!r} must name the memory that it is about, as target")
    raise InvalidInput(f"'add' has no target, but {value!r}")


def _word(item: Mapping[str, object], name: str) -> str | None:
    value = item.get(name)
    return None if value is None else parse_word(value, name)
