"""JSON schemas: the first thing that is wrong, in words; what is declared is what is checked."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.schemas import fault, shown
from agent_memory_os.pure.toolbox import toolbox

TOOLS = toolbox(["global"], pack_tokens=900)
KNOWN = {"type", "description", "enum", "minimum", "maximum", "minLength", "maxItems", "items"}
KNOWN |= {"properties", "required", "additionalProperties"}
COUNT = {"type": "integer", "minimum": 1, "maximum": 9}
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
)


def parts(schema: Any) -> Iterator[dict[str, Any]]:
    yield schema
    for part in (*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])):
        yield from parts(part)


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_declares_nothing_that_is_not_checked(name: str) -> None:
    for schema in parts(TOOLS[name].schema):
        assert {*schema} <= KNOWN
        assert {"minimum", "maximum"} <= {*schema} or schema["type"] not in ("integer", "number")
        assert "maxItems" in schema or schema["type"] != "array"


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_says_what_it_and_each_argument_is(name: str) -> None:
    tool = TOOLS[name]

    assert tool.description.endswith(".")
    assert all("description" in part for part in tool.schema["properties"].values())


@pytest.mark.parametrize("value", [1, 9])
def test_what_fits_has_no_fault(value: int) -> None:
    assert fault(value, COUNT, "limit") == ""


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (0, "limit must be from 1 to 9, not 0"),
        (10, "limit must be from 1 to 9, not 10"),
        (True, "limit must be a whole number, not true"),
        (5.0, "limit must be a whole number, not 5.0"),
        ("5", "limit must be a whole number, not '5'"),
        (None, "limit must be a whole number, not null"),
        ([5], "limit must be a whole number, not a list"),
        ({}, "limit must be a whole number, not an object"),
        (b"5", "limit must be a whole number, not a bytes"),
    ],
)
def test_what_does_not_fit_is_said(value: object, problem: str) -> None:
    assert fault(value, COUNT, "limit") == problem


@given(ANYTHING)
def test_any_value_is_refused_or_not_and_never_raises(value: object) -> None:
    for tool in TOOLS.values():
        assert isinstance(fault(value, tool.schema, "they"), str)


@given(ANYTHING)
def test_what_is_shown_is_short(value: object) -> None:
    assert len(shown(value)) <= 64 * 10 + 5  # a character that is escaped takes up to ten
