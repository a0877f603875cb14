"""Filters: what a caller typed to narrow a read, checked once at the door, and what it means.

Conditions
    $eq, or a value  it is the same JSON value: 2 is 2.0; True is not 1, "7" is not 7; a list or
                     an object is compared whole, as canonical JSON: key order is irrelevant, and
                     inside of it 1 is not 1.0
    $eq None         metadata: the key is there and holds null; a field: the memory has none
    $in              it is the same as one of the list
    $ne, $nin        $eq, $in do not hold; so they hold where the key is absent
    $gt $gte         both are numbers, or both are strings (by code point); a time is compared
    $lt $lte         with an aware datetime; anything else, a boolean too, never holds
    $contains        a list has the same value as an element (tags: the exact tag); a string has
                     it as a literal part, case and all, with no wildcards
    $exists          metadata: the key is there, even if it holds null; a field: not None, not ()
    $and $or $not    all of a list of mappings; at least one; not the mapping. Several entries of
                     one mapping must all hold

Paths
    metadata.a.b     the key "b" of the object under the key "a"; never an element of a list
    metadata."a.b"   the key "a.b"; inside the quotes, "" is one quote

Numbers
    A store may take two that differ after the 15th digit as equal; SQLite keeps no more.
"""

import math
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, TypeGuard
from unicodedata import normalize

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import JSON, All, AnyOf, Compare, Condition, Field, Filters, Memory, Not
from agent_memory_os.pure import bounds
from agent_memory_os.pure.access import parse_kinded, parse_name
from agent_memory_os.pure.draft import LAYERS, encode, unknown_field
from agent_memory_os.pure.when import to_ms

MAX_DEPTH = 16  # of groups in one another; a mapping of several entries is one, like $and
MAX_CONDITIONS = 256
MAX_VALUES = 10_000  # in all the lists of $in and $nin together; SQLite binds 32,766 at most
MAX_NESTING = 32  # of a path, and of a value compared with; metadata is no deeper

_TIMES = {
    "created_at": "created_ms",
    "updated_at": "updated_ms",
    "occurred_at": "occurred_ms",
    "valid_from": "valid_from_ms",
    "valid_to": "valid_to_ms",
    "expires_at": "expires_ms",
}
_KINDS = {
    **dict.fromkeys(("id", "type", "owner", "subject", "actor", "session", "key"), "string"),
    **dict.fromkeys(("content", "entity", "attribute"), "string"),
    **dict.fromkeys(("layer", "importance", "confidence", "mentions"), "number"),
    **dict.fromkeys(_TIMES, "time"),
    "pinned": "flag",
    "tags": "tags",
}
MAY_BE_NONE = frozenset(
    {"subject", "actor", "session", "key", "valid_from", "valid_to", "expires_at"}
    | {"entity", "attribute"}
)
_ORDERS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}
_LISTS = ("in", "nin")
_OPERATORS = ("$eq", "$ne", *(f"${name}" for name in _ORDERS), "$in", "$nin", "$contains")
_OPERATORS += ("$exists", "$not")
_GROUPS = ("$and", "$or", "$not")
_ORDERED = {"json", "string", "number", "time"}
_HOLDS_PARTS = {"json", "string", "tags"}
_SEGMENT = re.compile(r'"(?:[^"]|"")*"|[^."]+')
_PATH = re.compile(rf"(?:{_SEGMENT.pattern})(?:\.(?:{_SEGMENT.pattern}))*")
_ABSENT: Final = object()


def parse_filters(fields: Mapping[str, object]) -> Filters:
    """Return the filters of a read.

    Args:
        fields: the names of `FilterFields`; None and an empty list narrow nothing. A window
            whose end is not after its beginning is legal, and holds nothing.

    Raises:
        InvalidInput: a filter is unknown or invalid.
    """
    values: dict[str, object] = {}
    for name, value in fields.items():
        if name not in _FILTERS:
            raise unknown_field(name, _FILTERS, "filter")
        target, parse = _FILTERS[name]
        if value is not None:
            values[target] = parse(value)
    return Filters(**values)  # type: ignore[arg-type]  # checked above


def _items(value: object, what: str, example: str) -> list[object]:
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidInput(f"{what} must be a list, such as {example}, not {value!r}")
    return list(value)


def _labels(value: object, what: str, example: str) -> tuple[str, ...]:
    labels: dict[str, None] = {}
    for item in _items(value, what, example):
        if not isinstance(item, str) or not item.strip() or not item.isprintable():
            raise InvalidInput(f"{what} must hold printable strings, not blank, and not {item!r}")
        labels[item] = None
    return tuple(labels)


def _composed(tags: tuple[str, ...]) -> tuple[str, ...]:
    """Return *tags* in normal form C, as they are kept."""
    return tuple(dict.fromkeys(normalize("NFC", tag) for tag in tags))


def _layers(value: object) -> tuple[int, ...]:
    layers: dict[int, None] = {}
    for item in _items(value, "layers", "[0, 1]"):
        if isinstance(item, bool) or not isinstance(item, int) or item not in LAYERS:
            raise InvalidInput(
                f"layers must hold 0 (event), 1 (atom), 2 (scene) or 3 (persona), and not {item!r}"
            )
        layers[item] = None
    return tuple(layers)


def _time_field(value: object) -> str:
    allowed = ("occurred_at", "created_at", "updated_at")
    return bounds.one_of(value, "time_field", allowed)


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"min_confidence must be a number from 0 to 1, not {value!r}")
    return float(value)


def _where(value: object) -> Condition | None:
    return parse_where(value) if value != {} else None


def parse_where(where: object) -> Condition:
    """Return the condition that *where* spells; an empty mapping is one that always holds.

    Args:
        where: a mapping from fields, paths and groups to values and operators, such as
            ``{"metadata.env": "prod", "importance": {"$gte": 0.5}}``.

    Raises:
        InvalidInput: a field or an operator is unknown, a value does not fit, or *where* is
            too deep or too long.
    """
    condition = _conditions(where, "where", 0)
    found = list(_comparisons(condition))
    if len(found) > MAX_CONDITIONS:
        raise InvalidInput(
            f"where has {len(found)} conditions; at most {MAX_CONDITIONS} are allowed:"
            " for many values of one field use $in"
        )
    values = sum(len(c.value) for c in found if c.operator in _LISTS and isinstance(c.value, list))
    if values > MAX_VALUES:
        raise InvalidInput(f"$in and $nin list {values} values; at most {MAX_VALUES} are allowed")
    return condition


def _comparisons(condition: Condition) -> Iterator[Compare]:
    if isinstance(condition, Compare):
        yield condition
    elif isinstance(condition, Not):
        yield from _comparisons(condition.condition)
    else:
        for part in condition.conditions:
            yield from _comparisons(part)


def _conditions(where: object, what: str, depth: int) -> Condition:
    """Every entry of a mapping; *depth* counts the groups around it."""
    if not isinstance(where, Mapping):
        raise InvalidInput(
            f'{what} must be a mapping, such as {{"metadata.env": "prod"}}, not {where!r}'
        )
    depth = _deeper(where, depth)
    return _all(_entry(name, value, depth) for name, value in where.items())


def _deeper(entries: Mapping[Any, object], depth: int) -> int:
    """The depth inside of *entries*, which are a group when they are several."""
    inside = depth + (len(entries) > 1)
    if inside > MAX_DEPTH:
        raise InvalidInput(f"where is nested more than {MAX_DEPTH} deep")
    return inside


def _all(conditions: Iterable[Condition]) -> Condition:
    parts = tuple(conditions)
    return parts[0] if len(parts) == 1 else All(parts)


def _entry(name: object, value: object, depth: int) -> Condition:
    if not isinstance(name, str):
        raise InvalidInput(f"a field in where must be a string, not {name!r}")
    if name == "$not":
        return Not(_conditions(value, name, depth + 1))
    if name in _GROUPS:
        if not isinstance(value, list | tuple) or not value:
            raise InvalidInput(f"{name} must be a list of one mapping or more, not {value!r}")
        parts = tuple(_conditions(part, f"each part of {name}", depth + 1) for part in value)
        return All(parts) if name == "$and" else AnyOf(parts)
    if name in _OPERATORS:
        raise InvalidInput(
            f'{name} needs a field before it, such as {{"layer": {{"{name}": ...}}}}'
        )
    if name.startswith("$"):
        raise unknown_field(name, (*_GROUPS, *_OPERATORS), "operator")
    field = parse_field(name)
    if _has_operators(value, name):
        return _operations(field, name, value, depth)
    return Compare(field, "eq", _operand(field, name, value))


def parse_field(name: str) -> Field:
    """Return the field or the path into the metadata that *name* spells.

    Raises:
        InvalidInput: there is no such field, or the path is malformed.
    """
    first, _, rest = name.partition(".")
    if first != "metadata":
        if name in _KINDS:
            return Field(name)
        error = unknown_field(name, _KINDS, "field")
        raise InvalidInput(f'{error}; a key of the metadata is written "metadata.<key>"')
    if not _PATH.fullmatch(rest):
        raise InvalidInput(
            f"{name!r} is no path: write metadata.<key> or metadata.<key>.<key>, with a key that"
            ' holds a dot or a quote in double quotes, as in metadata."a.b"'
        )
    path = tuple(_key(segment) for segment in _SEGMENT.findall(rest))
    if len(path) > MAX_NESTING:
        raise InvalidInput(f"{name!r} names {len(path)} keys; metadata is {MAX_NESTING} deep")
    _encodable(name, "a path")
    return Field("metadata", path)


def _key(segment: str) -> str:
    return segment[1:-1].replace('""', '"') if segment.startswith('"') else segment


def _has_operators(value: object, name: str) -> TypeGuard[Mapping[str, object]]:
    """Whether *value* is a mapping of operators, and no value to be equal to."""
    if not isinstance(value, Mapping):
        return False
    marked = sum(isinstance(key, str) and key.startswith("$") for key in value)
    if marked not in (0, len(value)):
        raise InvalidInput(
            f"{name} mixes operators with keys: {list(value)!r}; to compare with a whole object"
            ' write {"$eq": {...}}'
        )
    return marked > 0


def _operations(field: Field, name: str, operations: Mapping[str, object], depth: int) -> Condition:
    depth = _deeper(operations, depth)
    found: list[Condition] = []
    for sign, value in operations.items():
        if sign not in _OPERATORS:
            raise unknown_field(sign, _OPERATORS, "operator")
        if sign != "$not":
            found.append(_comparison(field, name, sign, value))
        elif _has_operators(value, name):
            found.append(Not(_operations(field, name, value, depth + 1)))
        else:
            raise InvalidInput(f"{name} $not must be a mapping of operators, not {value!r}")
    return _all(found)


def _comparison(field: Field, name: str, sign: str, value: object) -> Compare:
    kind, what = _KINDS.get(field.name, "json"), f"{name} {sign}"
    word = sign[1:]
    able = _ORDERED if word in _ORDERS else _HOLDS_PARTS if word == "contains" else {kind}
    if kind not in able:
        raise InvalidInput(f"{name} cannot be compared by {sign}")
    operand: JSON
    if word == "exists":
        if not isinstance(value, bool):
            raise InvalidInput(f"{what} must be True or False, not {value!r}")
        operand = value
    elif word in _LISTS:
        if not isinstance(value, list | tuple):
            raise InvalidInput(f"{what} must be a list, not {value!r}")
        operand = [_operand(field, what, item) for item in value]
    elif word == "contains":
        operand = _json(value, what) if kind == "json" else _string(value, what)
    else:
        operand = _operand(field, what, value)
        if word in _ORDERS and _kind(operand) not in ("number", "string"):
            raise InvalidInput(f"{what} must be a number or a string, not {value!r}")
    return Compare(field, word, operand)


def _operand(field: Field, what: str, value: object) -> JSON:
    """What *field* can be equal to, checked; a datetime as UTC milliseconds."""
    kind = _KINDS.get(field.name, "json")
    if kind == "json":
        return _json(value, what)
    if value is None and field.name in MAY_BE_NONE:
        return None
    if kind == "time":
        return to_ms(value, what)
    if kind == "string":
        return _string(value, what)
    if kind == "flag":
        if not isinstance(value, bool):
            raise InvalidInput(f"{what} must be True or False, not {value!r}")
        return value
    if kind == "number":
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InvalidInput(f"{what} must be a number, not {value!r}")
        return _json(value, what)
    if not isinstance(value, list | tuple):
        raise InvalidInput(
            f'{what} must be a list of all the tags, not {value!r}; for one of them write {{"tags":'
            ' {"$contains": ...}}'
        )
    return [_string(tag, what) for tag in value]


def _string(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be a string, not {value!r}")
    _encodable(value, what)
    return value


def _encodable(value: str, what: str) -> None:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidInput(f"{what} holds a lone surrogate: {value!r}") from None


def _json(value: object, what: str, depth: int = 0) -> JSON:
    """A copy of *value* if metadata could hold it, with lists for tuples."""
    if depth > MAX_NESTING:
        raise InvalidInput(f"{what} is nested more than {MAX_NESTING} deep")
    if isinstance(value, str):
        return _string(value, what)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and -(2**63) <= value < 2**63:
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    if isinstance(value, list | tuple):
        return [_json(item, what, depth + 1) for item in value]
    if isinstance(value, Mapping):
        return {
            _string(key, f"a key of {what}"): _json(item, what, depth + 1)
            for key, item in value.items()
        }
    raise InvalidInput(
        f"{what} must be JSON, with finite numbers and integers of at most 64 bits, not {value!r}"
    )


def matches(condition: Condition, memory: Memory) -> bool:
    """Return whether *condition* holds for *memory*; every store means the same by it."""
    if isinstance(condition, All):
        return all(matches(part, memory) for part in condition.conditions)
    if isinstance(condition, AnyOf):
        return any(matches(part, memory) for part in condition.conditions)
    if isinstance(condition, Not):
        return not matches(condition.condition, memory)
    found = _found(condition.field, memory)
    if condition.operator == "exists":
        is_there = found is not _ABSENT and (condition.field.path != () or found not in (None, []))
        return is_there == condition.value
    return _holds(condition.operator, found, condition.value)


def _found(field: Field, memory: Memory) -> object:
    if field.name != "metadata":
        value = getattr(memory, _TIMES.get(field.name, field.name))
        return list(value) if field.name == "tags" else value
    found: object = memory.metadata
    for key in field.path:
        if not isinstance(found, Mapping) or key not in found:
            return _ABSENT
        found = found[key]
    return found


def _holds(word: str, found: object, value: JSON) -> bool:
    if word in ("ne", "nin"):
        return not _holds("eq" if word == "ne" else "in", found, value)
    if word == "eq":
        return _is_same(found, value)
    if word == "in":
        return isinstance(value, list) and any(_is_same(found, item) for item in value)
    if word == "contains":
        if isinstance(found, list | tuple):
            return any(_is_same(item, value) for item in found)
        return isinstance(found, str) and isinstance(value, str) and value in found
    return (
        _kind(found) == _kind(value)
        and _kind(value) in ("number", "string")
        and _ORDERS[word](found, value)
    )


def _is_same(found: object, value: object) -> bool:
    if _kind(found) != _kind(value):
        return False
    return encode(found) == encode(value) if _kind(value) == "whole" else found == value


def _kind(value: object) -> str:
    """What a value can be compared with: others of its kind."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "absent" if value is _ABSENT else "whole"


# name as typed -> (name in Filters, how it is checked)
_FILTERS: dict[str, tuple[str, Callable[[object], object]]] = {
    "subject": ("subject", lambda v: parse_kinded(v, "subject")),
    "types": ("types", lambda v: _labels(v, "types", '["fact"]')),
    "layers": ("layers", _layers),
    "owner": ("owner", lambda v: parse_name(v, "owner")),
    "tags": ("tags", lambda v: _composed(_labels(v, "tags", '["deploy"]'))),
    "where": ("where", _where),
    "since": ("since_ms", lambda v: to_ms(v, "since")),
    "until": ("until_ms", lambda v: to_ms(v, "until")),
    "time_field": ("time_field", _time_field),
    "min_confidence": ("min_confidence", _share),
    "as_of": ("as_of_ms", lambda v: to_ms(v, "as_of")),
    "known_at": ("known_ms", lambda v: to_ms(v, "known_at")),
}
