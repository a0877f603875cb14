"""Who is who: what is a valid id stays what it is, however often it was met."""

from enum import StrEnum

import pytest

from agent_memory_os.errors import InvalidInput
from agent_memory_os.pure import access


class Agent(StrEnum):
    OPS = "ops"


def test_a_name_comes_back_as_it_was_given_whoever_gave_it_before() -> None:
    first = access.parse_name(Agent.OPS, "owner")
    second = access.parse_name("ops", "owner")

    assert first is Agent.OPS
    assert type(second) is str


@pytest.mark.parametrize("value", ["", " a", "a*", "a\n", 7, None])
def test_what_was_refused_once_is_refused_again(value: object) -> None:
    for _ in range(2):
        with pytest.raises(InvalidInput):
            access.parse_name(value, "owner")
        with pytest.raises(InvalidInput):
            access.parse_scope(value)
        with pytest.raises(InvalidInput):
            access.parse_kinded(value, "subject")
