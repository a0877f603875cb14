"""Drafts: what a caller typed, checked field by field, once, at the door."""

import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import cast
from unicodedata import normalize

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import JSON, Draft, Memory, Visibility
from agent_memory_os.pure import access, bounds, concept, layer, near, when
from agent_memory_os.settings import Settings

LAYERS = (0, 1, 2, 3)
MAX_WORD_CHARS = 200  # of a type, a tag, a key
MAX_LINKED = 100  # memories that one is said to supersede, or to be derived from
_DUPLICATES = {"merge": True, "store": False}
_MAX_DEPTH = 32
_ELSEWHERE: Mapping[str, tuple[str, ...]] = {  # what other memories call it, and what is meant
    "user_id": ("subject",),
    "run_id": ("session",),
    "session_id": ("session",),
    "data": ("content",),
    "text": ("content",),
    "memory": ("content",),
    "filters": ("where",),
    "category": ("type", "types"),
    "categories": ("tags",),
    "timestamp": ("occurred_at",),
    "created_at": ("occurred_at",),
    "expiration_date": ("valid_to",),
}

encode = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True
).encode


def parse_content(value: object, settings: Settings, what: str = "content") -> str:
    """Return *value* if it can be the content of a memory; *what* names it in the error.

    Raises:
        InvalidInput: not a string, blank, longer than the settings allow, or not encodable.
    """
    if not isinstance(value, str):
        hint = ""
        if isinstance(value, list | tuple):
            hint = "; for messages use capture(), for several memories add_many()"
        raise InvalidInput(f"{what} must be a string, not {type(value).__name__}{hint}")
    if not value or value.isspace():
        raise InvalidInput(f"{what} must not be blank")
    if len(value) > settings.max_content_chars:
        raise InvalidInput(
            f"{what} has {len(value)} characters; at most {settings.max_content_chars} are"
            " allowed: split it"
        )
    if not value.isascii():
        bounds.encodable(value, what)
    return value


def parse_word(value: object, what: str) -> str:
    """Return *value* if it is one exact, printable label, such as a type, a tag or a key.

    Raises:
        InvalidInput: it is not such a string of 1 to 200 characters.
    """
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be a string, not {bounds.shown(value)}")
    if not value or value.isspace():
        raise InvalidInput(f"{what} must not be blank: {value!r}")
    if len(value) > MAX_WORD_CHARS:
        raise InvalidInput(
            f"{what} has {len(value)} characters; at most {MAX_WORD_CHARS} are allowed"
        )
    if not value.isprintable():
        raise InvalidInput(f"{what} must be printable: {value!r}")
    return value


def parse_label(value: object, what: str) -> str:
    """Return *value* in normal form C if it is a label as `parse_word` has them.

    Raises:
        InvalidInput: it is not.
    """
    return normalize("NFC", parse_word(value, what))


def _layer(value: object) -> int:
    if type(value) is not int or value not in LAYERS:
        raise InvalidInput(
            f"layer must be 0 (event), 1 (atom), 2 (scene) or 3 (persona), not {value!r}"
        )
    return value


def parse_tags(value: object, settings: Settings) -> tuple[str, ...]:
    """Return the tags of *value* in normal form C, each once, in order.

    Raises:
        InvalidInput: not a list of labels, or more than the settings allow.
    """
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidInput(f'tags must be a list of strings, such as ["deploy"], not {value!r}')
    tags = tuple(dict.fromkeys(parse_label(tag, "a tag") for tag in value))
    if len(tags) > settings.max_tags:
        raise InvalidInput(f"{len(tags)} tags; at most {settings.max_tags} are allowed")
    return tags


def parse_metadata(value: object, settings: Settings) -> dict[str, JSON]:
    """Return *value* if it is a JSON object: string keys, no NaN, at most 32 deep.

    Raises:
        InvalidInput: it is not, or longer than the settings allow.
    """
    if not isinstance(value, Mapping):
        raise InvalidInput(f"metadata must be a mapping, not {value!r}")
    checked = cast("dict[str, JSON]", _json(value, "metadata", 0))
    size = len(encode(checked).encode())
    if size > settings.max_metadata_bytes:
        raise InvalidInput(
            f"metadata takes {size} bytes as JSON; at most {settings.max_metadata_bytes}"
            " are allowed"
        )
    return checked


def _json(value: object, what: str, depth: int) -> JSON:
    if depth > _MAX_DEPTH:
        raise InvalidInput(f"metadata is nested more than {_MAX_DEPTH} deep")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        bounds.encodable(value, what)
        return value
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise InvalidInput(f"{what} is an integer of more than 64 bits: {value!r}")
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise InvalidInput(f"{what} is {value!r}, which JSON cannot hold")
        return value
    if isinstance(value, Mapping):
        result: dict[str, JSON] = {}
        for key, item in value.items():
            if not isinstance(key, str):
                raise InvalidInput(f"a key in {what} must be a string, not {key!r}")
            bounds.encodable(key, f"a key in {what}")
            result[key] = _json(item, f"{what}.{key}", depth + 1)
        return result
    if isinstance(value, list | tuple):
        return [_json(item, f"{what}[{i}]", depth + 1) for i, item in enumerate(value)]
    raise InvalidInput(f"{what} is a {type(value).__name__}, which JSON cannot hold")


def _ids(value: object, what: str) -> tuple[str, ...]:
    found = () if value is None else tuple(dict.fromkeys(bounds.texts(value, what)))
    if len(found) > MAX_LINKED:
        raise InvalidInput(f"{what} names {len(found)} memories; at most {MAX_LINKED} are allowed")
    return found


def _key(value: object) -> str:
    """Return *value* if it is a key that a host may give: not one that the library gives."""
    key = parse_word(value, "key")
    for prefix in (layer.KEY_PREFIX, concept.KEY_PREFIX):
        if key.startswith(prefix):
            raise InvalidInput(
                f"a key must not begin with {prefix!r}, as the library's do: {key!r}"
            )
    return key


def _when(value: object, what: str) -> int | None:
    return None if value is None else when.to_ms(value, what)


Parser = Callable[[object, Settings], object]
# name as typed -> (name in Draft, how it is checked)
_FIELDS: dict[str, tuple[str, Parser]] = {
    "subject": (
        "subject",
        lambda v, _: None if v is None else access.parse_kinded(v, "subject"),
    ),
    "type": ("type", lambda v, _: parse_word(v, "type")),
    "visibility": ("visibility", lambda v, _: access.parse_visibility(v)),
    "tags": ("tags", lambda v, s: () if v is None else parse_tags(v, s)),
    "metadata": ("metadata", lambda v, s: {} if v is None else parse_metadata(v, s)),
    "actor": ("actor", lambda v, _: None if v is None else access.parse_kinded(v, "actor")),
    "session": ("session", lambda v, _: None if v is None else parse_word(v, "session")),
    "key": ("key", lambda v, _: None if v is None else _key(v)),
    "entity": ("entity", lambda v, _: None if v is None else parse_label(v, "entity")),
    "attribute": ("attribute", lambda v, _: None if v is None else parse_label(v, "attribute")),
    "supersedes": ("supersedes", lambda v, _: _ids(v, "supersedes")),
    "evidence": ("evidence", lambda v, _: _ids(v, "evidence")),
    "idempotency_key": (
        "idempotency_key",
        lambda v, _: None if v is None else parse_word(v, "idempotency_key"),
    ),
    "occurred_at": ("occurred_ms", lambda v, _: _when(v, "occurred_at")),
    "valid_from": ("valid_from_ms", lambda v, _: _when(v, "valid_from")),
    "valid_to": ("valid_to_ms", lambda v, _: _when(v, "valid_to")),
    "ttl": ("ttl_ms", lambda v, _: None if v is None else when.duration_ms(v, "ttl")),
    "importance": ("importance", lambda v, _: bounds.share(v, "importance")),
    "confidence": ("confidence", lambda v, _: bounds.share(v, "confidence")),
    "pinned": ("pinned", lambda v, _: bounds.flag(v, "pinned")),
    "layer": ("layer", lambda v, _: _layer(v)),
    "override": ("override", lambda v, _: bounds.flag(v, "override")),
}
_NOT_CHANGED = frozenset({"subject", "visibility", "session", "key", "idempotency_key", "layer"})
_NOT_CHANGED |= {"override", "entity", "attribute", "supersedes", "evidence"}


def parse_draft(
    content: object, owner: str, fields: Mapping[str, object], settings: Settings
) -> Draft:
    """Return the draft of an ``add``.

    Args:
        content: the text.
        owner: a valid agent id.
        fields: the names of `MemoryFields`.
        settings: the limits.

    Raises:
        InvalidInput: a field is unknown or invalid.
    """
    values: dict[str, object] = {}
    for name, value in fields.items():
        known = _FIELDS.get(name)
        if known is not None:
            values[known[0]] = known[1](value, settings)
        elif name == "on_duplicate":
            if not isinstance(value, str) or value not in _DUPLICATES:
                raise InvalidInput(f'on_duplicate must be "merge" or "store", not {value!r}')
            values["merge"] = _DUPLICATES[value]
        else:
            raise unknown_field(name, (*_FIELDS, "on_duplicate"))
    draft = Draft(parse_content(content, settings), owner, **values)  # type: ignore[arg-type]  # checked above
    check_window(draft.valid_from_ms, draft.valid_to_ms)
    if draft.entity is not None and draft.attribute is None:
        raise InvalidInput(f'entity {draft.entity!r} needs an attribute, such as "port"')
    return draft


def parse_changes(fields: Mapping[str, object], settings: Settings) -> dict[str, object]:
    """Return the changes of an ``update``, by field of `Draft`, and ``merge_metadata``.

    Raises:
        InvalidInput: a field is unknown, invalid, or cannot be changed; or there are none.
    """
    changes: dict[str, object] = {}
    for name, value in fields.items():
        if name == "content":
            changes["content"] = parse_content(value, settings)
        elif name == "merge_metadata":
            changes["merge_metadata"] = parse_metadata(value, settings)
        elif name in _FIELDS and name not in _NOT_CHANGED:
            target, parse = _FIELDS[name]
            changes[target] = parse(value, settings)
        elif name in _NOT_CHANGED:
            way = "use share() and revoke()" if name == "visibility" else "add a new memory"
            raise InvalidInput(f"update() cannot change {name}; {way}")
        else:
            allowed = {*_FIELDS} - _NOT_CHANGED | {"content", "merge_metadata", "if_version"}
            raise unknown_field(name, sorted(allowed))
    if not changes:
        raise InvalidInput("update() was given nothing to change")
    if "metadata" in changes and "merge_metadata" in changes:
        raise InvalidInput("give metadata, which replaces, or merge_metadata; not both")
    return changes


def of(memory: Memory) -> Draft:
    """Return what *memory* says as if it were said anew."""
    return Draft(
        memory.content,
        memory.owner,
        subject=memory.subject,
        type=memory.type,
        layer=memory.layer,
        entity=memory.entity,
        attribute=memory.attribute,
        actor=memory.actor,
        occurred_ms=memory.occurred_ms,
        confidence=memory.confidence,
    )


def asserted(memory: Memory) -> tuple[str | int | None, ...]:
    """Return what of a memory is held against its rivals, and what topics are made of."""
    return memory.content, memory.layer, memory.entity, memory.attribute


def reader(draft: Draft, now_ms: int) -> Visibility:
    """Return as whom the writer of *draft* reads what it names: bound, if its view is."""
    bound = draft.subject if draft.bound else None
    return Visibility(draft.owner, now_ms, bound, shared=draft.bound == "shared")


def stays(draft: Draft, memory: Memory) -> str:
    """Return, as the end of a reason, that *memory* stays in another session than the draft names.

    It is empty where the draft names none, or the same.
    """
    if draft.session in (None, memory.session):
        return ""
    where = "outside of any session" if memory.session is None else f"in session {memory.session!r}"
    return f"; it stays {where}, where it was first written"


def check_window(valid_from_ms: int | None, valid_to_ms: int | None) -> None:
    """Raise InvalidInput when a memory would hold at no moment."""
    if valid_from_ms is not None and valid_to_ms is not None and valid_from_ms >= valid_to_ms:
        raise InvalidInput("valid_from must be before valid_to")


def expires_ms(draft: Draft, now_ms: int) -> int | None:
    """Return when *draft*, written at *now_ms*, is gone; None for never."""
    return None if draft.ttl_ms is None else min(now_ms + draft.ttl_ms, when.MAX_MS)


def unknown_field(name: str, known: Iterable[str], what: str = "field") -> InvalidInput:
    """Return the error for a name that does not exist, with the nearest that does."""
    names = list(known)
    meant = [each for each in _ELSEWHERE.get(name, ()) if each in names]
    hint = f"; here it is {meant[0]!r}" if meant else near.hint(name, names)
    all_names = f"; there are {', '.join(sorted(names))}"
    return InvalidInput(f"there is no {what} {name!r}{hint or all_names}")
