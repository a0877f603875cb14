"""How links among memories that are recalled together grow, weaken, fade, and which are kept."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os import Memory
from agent_memory_os.pure import association
from agent_memory_os.pure.association import FAINT, Kept
from agent_memory_os.settings import DAY_MS
from agent_memory_os.testing import memory_client

RATE, CEILING = 0.2, 0.8
WEIGHTS = st.floats(0, 1)
SHARES = st.floats(0, 1)
AGES = st.integers(0, 400 * DAY_MS)


def memory(name: str, subject: str | None = None) -> Memory:
    with memory_client() as client:
        return replace(client.add("tea", subject=subject).memory, id=name)


def after(weight: float, recalls: int) -> float:
    for _ in range(recalls):
        weight = association.strengthened(weight, rate=RATE, ceiling=CEILING)
    return weight


@pytest.mark.capability("AMOS-047")
def test_each_recall_adds_less_and_it_ends_at_the_ceiling() -> None:
    assert [after(0, n) for n in (1, 2, 3)] == [0.2, 0.36, 0.488]
    assert after(0, 8) == after(0, 1_000) == CEILING


@pytest.mark.capability("AMOS-047")
@given(weight=WEIGHTS, rate=SHARES, ceiling=SHARES)
def test_help_never_weakens_and_never_passes_the_larger_of_weight_and_ceiling(
    weight: float, rate: float, ceiling: float
) -> None:
    more = association.strengthened(weight, rate=rate, ceiling=ceiling)

    assert weight - 1e-6 <= more <= max(weight, ceiling) + 1e-6


@pytest.mark.capability("AMOS-048")
@given(weight=WEIGHTS, rate=SHARES)
def test_what_did_not_help_never_strengthens(weight: float, rate: float) -> None:
    less = association.weakened(weight, rate=rate)

    assert 0 <= less <= weight + 1e-6
    assert less == 0 or less >= FAINT


@pytest.mark.capability("AMOS-048")
def test_what_never_helps_is_gone_in_the_end() -> None:
    weight = CEILING
    for _ in range(20):
        weight = association.weakened(weight, rate=RATE)

    assert weight == 0


@pytest.mark.capability("AMOS-038")
def test_half_is_left_after_a_half_life_and_nothing_once_it_is_faint() -> None:
    def left(days: float) -> float:
        return association.faded(0.8, days * DAY_MS, half_life_days=60)

    assert [left(0), left(60), left(120)] == [0.8, 0.4, 0.2]
    assert left(365) == pytest.approx(0.8 / 2 ** (365 / 60), abs=1e-6)
    assert left(380) == 0


@pytest.mark.capability("AMOS-038")
def test_what_has_no_half_life_does_not_fade() -> None:
    assert association.faded(0.001, 10**15, half_life_days=None) == 0.001


def test_a_moment_to_come_counts_as_now() -> None:
    assert association.faded(0.5, -DAY_MS, half_life_days=1) == 0.5


@given(weight=st.floats(0.1, 1), one=AGES, other=AGES)
def test_fading_twice_is_fading_once_for_both(weight: float, one: int, other: int) -> None:
    twice = association.faded(
        association.faded(weight, one, half_life_days=400), other, half_life_days=400
    )

    assert twice == pytest.approx(
        association.faded(weight, one + other, half_life_days=400), abs=2e-6
    )


@pytest.mark.capability("AMOS-047")
def test_each_pair_is_linked_once_from_the_older_to_the_newer() -> None:
    a, b, c = map(memory, "abc")

    expected = [("a", "b"), ("a", "c"), ("b", "c")]
    assert association.pairs([a, b, c], subject=None) == expected
    assert association.pairs([c, a, b], subject=None) == expected


def test_a_link_leads_from_what_has_no_subject_to_what_has_one() -> None:
    alice, rule = memory("a", "user:alice"), memory("b")

    assert association.pairs([alice, rule], subject=None) == [("b", "a")]


def test_one_end_of_what_a_bound_view_links_is_about_its_subject() -> None:
    alice, rule, other = memory("a", "user:alice"), memory("b"), memory("c")

    found = association.pairs([alice, rule, other], subject="user:alice")

    assert found == [("b", "a"), ("c", "a")]


@pytest.mark.capability("AMOS-047")
def test_of_too_many_links_to_one_memory_the_weakest_of_now_go() -> None:
    now_ms = 100 * DAY_MS  # two half-lives
    old, fresh, weak = Kept(1, 7, 0.8, 0), Kept(1, 8, 0.5, now_ms), Kept(1, 9, 0.19, now_ms)
    other = Kept(2, 7, 0.1, 0)

    def gone(most: int) -> list[Kept]:
        found = [old, fresh, weak, other]
        return association.surplus(found, now_ms, most=most, half_life_days=50)

    assert [gone(most) for most in (1, 2, 3)] == [[old, weak], [weak], []]


def test_of_equal_ones_the_one_recalled_first_goes_then_that_from_the_oldest_memory() -> None:
    first, older, newer = Kept(1, 9, 0.5, 1), Kept(1, 3, 0.5, 2), Kept(1, 4, 0.5, 2)

    assert association.surplus([first, older, newer], 2, most=2, half_life_days=None) == [first]
    assert association.surplus([older, newer], 2, most=1, half_life_days=None) == [older]


@pytest.mark.capability("AMOS-048")
@given(confidence=WEIGHTS, step=SHARES, floor=SHARES)
def test_doubt_takes_a_step_at_most_and_stops_at_the_floor(
    confidence: float, step: float, floor: float
) -> None:
    less = association.doubted(confidence, step=step, floor=floor)

    assert min(confidence, floor) - 1e-6 <= less <= confidence + 1e-6
    assert confidence - less <= step + 1e-6
