"""JSON schemas: what is wrong with a value, in words that a model can act on."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import cast

from agent_memory_os.model import JSON

Schema = Mapping[str, JSON]
_SHOWN_CHARS = 60

_TYPES: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    "object": ("an object", lambda v: isinstance(v, Mapping)),
    "array": ("a list", lambda v: isinstance(v, list | tuple)),
    "string": ("a string", lambda v: isinstance(v, str)),
    "boolean": ("true or false", lambda v: isinstance(v, bool)),
    "integer": ("a whole number", lambda v: isinstance(v, int) and not isinstance(v, bool)),
    "number": ("a number", lambda v: isinstance(v, int | float) and not isinstance(v, bool)),
}


def fault(value: object, schema: Schema, what: str) -> str:
    """Return the first thing that is wrong with *value*, as a sentence about *what*.

    Empty when *value* is as *schema* says. Of JSON Schema it knows what the library's own use:
    type, enum, minimum and maximum, minLength, maxItems, items, properties and required.
    Properties that are not listed are always wrong.
    """
    return next(_faults(value, schema, what), "")


def _faults(value: object, schema: Schema, what: str) -> Iterator[str]:
    kind = str(schema["type"])
    name, fits = _TYPES[kind]
    if not fits(value):
        yield f"{what} must be {name}, not {shown(value)}"
        return
    if "enum" in schema and value not in cast("list[JSON]", schema["enum"]):
        allowed = ", ".join(map(repr, cast("list[JSON]", schema["enum"])))
        yield f"{what} must be one of {allowed}, not {shown(value)}"
    if kind in ("integer", "number"):
        yield from _faults_of_number(cast("float", value), schema, what)
    elif kind == "string" and "minLength" in schema and not cast("str", value).strip():
        yield f"{what} must not be blank"
    elif kind == "array":
        yield from _faults_of_list(cast("list[object]", value), schema, what)
    elif kind == "object":
        yield from _faults_of_object(cast("Mapping[object, object]", value), schema, what)


def _faults_of_number(value: float, schema: Schema, what: str) -> Iterator[str]:
    least, most = cast("float", schema["minimum"]), cast("float", schema["maximum"])
    if not least <= value <= most:  # NaN is not either
        yield f"{what} must be from {least} to {most}, not {shown(value)}"


def _faults_of_list(value: list[object], schema: Schema, what: str) -> Iterator[str]:
    if len(value) > cast("int", schema["maxItems"]):
        yield f"{what} must hold at most {schema['maxItems']} items, not {len(value)}"
    for number, item in enumerate(value):
        yield from _faults(item, cast("Schema", schema["items"]), f"item {number} of {what}")


def _faults_of_object(value: Mapping[object, object], schema: Schema, what: str) -> Iterator[str]:
    properties = cast("Mapping[str, Schema]", schema["properties"])
    for name in value:
        if name not in properties:
            yield f"there is no argument {shown(name)}; there are {', '.join(properties)}"
    for name in cast("list[str]", schema.get("required", [])):
        if name not in value:
            yield f"{name!r} is missing"
    for name, of_it in properties.items():
        if name in value:
            yield from _faults(value[name], of_it, name)


def shown(value: object) -> str:
    """Return *value* as an error shows it: short, and of what holds other values only the kind."""
    if isinstance(value, str):
        return repr(value) if len(value) <= _SHOWN_CHARS else f"{value[:_SHOWN_CHARS]!r}..."
    if value is None or isinstance(value, bool | float):
        return json.dumps(value)
    if isinstance(value, int):
        return str(value) if value.bit_length() <= _SHOWN_CHARS else "a huge number"
    kinds = (name for name, fits in _TYPES.values() if fits(value))
    return next(kinds, f"a {type(value).__name__}")
