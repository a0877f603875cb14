"""Activation: what is passed on, its bounds, and what makes it more or less."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.activation import either, spread

SHARES = st.floats(0, 1)
FANS = st.dictionaries(
    st.sampled_from("abc"), st.dictionaries(st.sampled_from("abcdef"), SHARES, max_size=5)
)
ACTIVE = st.dictionaries(st.sampled_from("abc"), SHARES)


def test_a_neighbour_receives_activation_by_decay_weight_and_root_of_the_degree() -> None:
    fans = {"a": {"b": 0.8, "c": 1.0, "d": 1.0, "e": 1.0}}

    received = spread({"a": 0.9}, fans, decay=0.5)

    assert received["b"] == pytest.approx(0.9 * 0.5 * 0.8 / sqrt(4))
    assert received["c"] == pytest.approx(0.9 * 0.5 / sqrt(4))


def test_what_comes_from_two_sides_is_more_than_either_and_less_than_the_sum() -> None:
    fans = {"a": {"c": 1.0}, "b": {"c": 1.0}}

    received = spread({"a": 0.8, "b": 0.6}, fans, decay=0.5)

    assert received == {"c": pytest.approx(0.4 + 0.3 - 0.4 * 0.3)}


def test_what_is_not_active_gives_nothing() -> None:
    assert spread({"a": 1.0}, {"b": {"c": 1.0}}, decay=0.5) == {"c": 0.0}
    assert spread({}, {}, decay=0.5) == {}


@given(active=ACTIVE, fans=FANS, decay=SHARES)
def test_activation_stays_from_0_to_1(
    active: dict[str, float], fans: dict[str, dict[str, float]], decay: float
) -> None:
    assert all(0 <= value <= 1 for value in spread(active, fans, decay=decay).values())


@given(active=ACTIVE, fans=FANS, decay=SHARES, more=SHARES)
def test_more_activation_never_gives_less(
    active: dict[str, float], fans: dict[str, dict[str, float]], decay: float, more: float
) -> None:
    stronger = {key: max(value, more) for key, value in active.items()}

    before, after = (spread(each, fans, decay=decay) for each in (active, stronger))

    assert all(after[key] >= before[key] - 1e-12 for key in before)


@given(one=SHARES, other=SHARES)
def test_two_sides_are_the_same_either_way_round(one: float, other: float) -> None:
    assert either(one, other) == either(other, one)
    assert max(one, other) - 1e-12 <= either(one, other) <= 1
