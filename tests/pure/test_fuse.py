"""Ranks as relevance: the first has 1, each later one less, and nothing but the order counts."""

from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os import Candidate, reciprocal_ranks


def test_the_first_has_all_and_the_62nd_half() -> None:
    ranked = reciprocal_ranks(f"id{number}" for number in range(1, 63))

    assert ranked[0] == Candidate("id1", 1.0)
    assert ranked[61] == Candidate("id62", 0.5)


def test_an_id_that_comes_again_keeps_its_first_place() -> None:
    assert reciprocal_ranks(["a", "b", "a", "c"]) == reciprocal_ranks(["a", "b", "c"])


def test_nothing_has_no_ranks() -> None:
    assert reciprocal_ranks([]) == []


@given(st.lists(st.text(), unique=True))
def test_scores_fall_from_1_and_stay_above_0(ids: list[str]) -> None:
    scores = [each.score for each in reciprocal_ranks(ids)]

    assert scores == sorted(set(scores), reverse=True)
    assert all(0 < score <= 1 for score in scores)
