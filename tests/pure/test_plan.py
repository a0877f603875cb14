"""What is looked up of a query that matches too much: bounds, and what comes first."""

from itertools import pairwise
from math import prod

from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.plan import Plan, plans

FREQUENCIES = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 100_000), max_size=8)


def test_rare_terms_are_looked_up_alone_and_common_ones_in_pairs() -> None:
    frequency = {"a": 10, "b": 20, "c": 900, "d": 1_000, "e": 90_000}

    (plan,) = plans(frequency, rows=100_000, matches=50, walked=5_000)

    assert plan == Plan((("a",), ("b",), ("c", "d")), 1.0)


def test_when_even_pairs_are_common_a_memory_must_hold_the_three_rarest_else_fewer() -> None:
    frequency = {"a": 50_000, "b": 60_000, "c": 70_000, "d": 90_000}

    three, two, one = plans(frequency, rows=100_000, matches=100, walked=5_000)

    assert three.groups == (("a", "b", "c"),)
    assert two.groups == (("a", "b"), ("a", "c"), ("b", "c"))
    assert one == Plan((("a",),), 100 / 50_000)


def test_what_no_memory_holds_is_not_looked_up() -> None:
    (plan,) = plans({"a": 0, "b": 3}, rows=10, matches=5, walked=5)

    assert plan.groups == (("b",),)


@given(FREQUENCIES)
def test_no_plan_is_expected_to_match_more_than_it_may(frequency: dict[str, int]) -> None:
    for plan in plans(frequency, rows=100_000, matches=1_000, walked=20_000):
        expected = sum(
            100_000 * prod(frequency[term] / 100_000 for term in group) for group in plan.groups
        )
        assert expected * plan.share <= 1_000 * 1.000_001


@given(FREQUENCIES)
def test_a_rarer_term_is_never_left_out_for_a_more_common_one(frequency: dict[str, int]) -> None:
    for plan in plans(frequency, rows=100_000, matches=1_000, walked=20_000)[:1]:
        alone = [frequency[group[0]] for group in plan.groups if len(group) == 1]
        others = sorted(held for held in frequency.values() if held)[: len(alone)]
        assert sorted(alone) == others
        assert all(rarer <= more for rarer, more in pairwise(alone))
