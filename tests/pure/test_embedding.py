"""Vectors: one form for all, compared as they are, and named so that none is taken for another."""

import math
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure import embedding

NUMBERS = st.floats(-1e6, 1e6).filter(lambda number: abs(number) > 1e-6)
ROWS = st.lists(NUMBERS, min_size=1, max_size=24)


def test_a_vector_is_kept_as_little_endian_float32_of_unit_length() -> None:
    assert embedding.pack([3.0, 4.0]).hex() == "9a99193f" + "cdcc4c3f"  # 0.6 and 0.8


@pytest.mark.parametrize("row", [(3, 4), array("d", [3, 4]), array("f", [3, 4]), range(3, 5)])
def test_any_sequence_of_numbers_is_a_vector(row: object) -> None:
    assert embedding.pack(row) == embedding.pack([3.0, 4.0])


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ([], "0 numbers"),
        ([0.0, 0.0], "zeros"),
        ([1.0, math.nan], "not finite"),
        ([1.0, math.inf], "not finite"),
        (["a"], "does not consist of numbers"),
        ([[1.0]], "does not consist of numbers"),
        ("0.1", "a str in place of a vector"),
        (None, "a NoneType in place of a vector"),
        (0.5, "a float in place of a vector"),
        ([0.1] * (embedding.MOST_LANES + 1), "65537 numbers"),
    ],
    ids=str,
)
def test_what_is_no_vector_is_refused_with_the_reason(row: object, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        embedding.pack(row)


@given(ROWS)
def test_a_vector_is_all_alike_to_itself(row: list[float]) -> None:
    kept = embedding.unpack(embedding.pack(row))

    assert embedding.cosine(kept, kept) == pytest.approx(1.0, abs=1e-5)


@given(
    st.integers(1, 24).flatmap(
        lambda n: st.tuples(*[st.lists(NUMBERS, min_size=n, max_size=n)] * 2)
    )
)
def test_a_cosine_is_the_same_from_both_sides_and_within_bounds(
    rows: tuple[list[float], list[float]],
) -> None:
    one, other = (embedding.unpack(embedding.pack(row)) for row in rows)

    assert embedding.cosine(one, other) == pytest.approx(embedding.cosine(other, one), abs=1e-6)
    assert abs(embedding.cosine(one, other)) <= 1 + 1e-5


def test_signs_say_which_numbers_are_above_the_centre() -> None:
    vector, centre = array("f", [0.5, 0.1, 0.4, -0.2]), array("f", [0.2, 0.2, 0.2, -0.3])

    assert embedding.signs(vector, centre) == 0b1011


def test_the_usual_cosine_of_few_is_drawn_to_zero() -> None:
    assert embedding.usual([]) == 0.0
    assert embedding.usual([0.8] * 5) < 0.05
    assert embedding.usual([0.8] * 24) == pytest.approx(0.4)
    assert embedding.usual([0.8] * 256) == pytest.approx(0.8, abs=0.01)


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_a_relevance_is_from_zero_to_one_and_nothing_at_the_base(alike: float, base: float) -> None:
    assert 0 <= embedding.relevance(alike, base) <= 1
    assert embedding.relevance(base, base) == 0


def test_a_relevance_grows_with_the_cosine() -> None:
    assert embedding.relevance(0.9, 0.8) == pytest.approx(0.5)
    assert embedding.relevance(0.55, 0.1) == pytest.approx(0.5)
    assert embedding.relevance(1.0, 0.8) == 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=9), st.data())
def test_what_is_lent_lies_within_what_there_is(run: list[float], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(run) - 1))

    assert min(run) - 1e-9 <= embedding.lent(run, at) <= max(run) + 1e-9


def test_a_turn_before_lends_more_than_one_after() -> None:
    assert embedding.lent([1, 0, 0], 1) > embedding.lent([0, 0, 1], 1) > 0
    assert embedding.lent([0.5], 0) == 0.5
    assert embedding.unlent(0.5) < 0.5


def test_a_model_is_named_by_name_size_and_variant() -> None:
    assert embedding.fingerprint("mini", 384) == "mini/384"
    assert embedding.fingerprint("mini", 384, 2) == "mini/384#2"


class Asked:
    def __call__(self) -> None: ...


def test_a_function_is_called_by_where_it_is_defined() -> None:
    here = __name__

    assert embedding.name_of(test_signs_say_which_numbers_are_above_the_centre).startswith(here)
    assert embedding.name_of(Asked()) == f"{here}.Asked"
    assert embedding.name_of(Asked().__call__) == f"{here}.Asked.__call__"


def test_vectors_of_one_text_by_one_model_are_the_same_but_for_rounding() -> None:
    one = embedding.pack([0.5, 0.25, -0.125])

    assert embedding.is_same(one, embedding.pack([0.5001, 0.2499, -0.125]))
    assert not embedding.is_same(one, embedding.pack([0.25, 0.5, -0.125]))
    assert not embedding.is_same(one, embedding.pack([0.5, 0.25]))
