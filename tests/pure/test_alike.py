"""What a misspelt, inflected or compound word may have been meant for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.alike import (
    CLOSE,
    LONGEST,
    MOST_ALTERNATIVES,
    beginning,
    chosen,
    corrections,
    is_repairable,
    likeness,
    partings,
    repaired,
    spellings,
    tails,
)
from agent_memory_os.pure.text import Query, QueryTerm, analyse_query

LATIN = st.text("abcdefghijklmnopqrstuvwxyz", min_size=4, max_size=12)
WORDS = LATIN | st.text("абвгдежзийклмн", min_size=4, max_size=12)
PAIRS = st.dictionaries(WORDS, st.floats(0.1, 1), max_size=8)


@pytest.mark.parametrize(
    ("spelt", "meant"),
    [
        ("reserch", "research"),  # a letter is missing
        ("suppoort", "support"),  # one too many
        ("statsu", "statu"),  # two swapped: the stem of "status"
        ("suaport", "support"),  # one is another
        ("childreen", "child"),  # four edits from the stem, one from the word
        ("rnuning", "run"),
        ("mmory", "memor"),
        ("собкаа", "собака"),
        ("σκυλς", "σκυλος"),
        ("gruen", "green"),
    ],
)
def test_one_edit_leads_to_the_term_of_what_was_meant(spelt: str, meant: str) -> None:
    assert corrections(spelt)[meant] > 0.7


def test_slips_that_hands_make_are_more_alike_than_others() -> None:
    swapped, doubled, missing, other, first = (
        corrections(word)["lemonad"]
        for word in ("leomnade", "lemmonade", "lmonade", "lexonade", "demonade")
    )

    assert doubled > swapped > missing > other > first


@pytest.mark.parametrize(("word", "stranger"), [("john", "join"), ("debra", "zebra")])
def test_one_edit_of_a_short_word_can_make_a_stranger(word: str, stranger: str) -> None:
    assert stranger not in corrections(word)


def test_a_word_that_only_asks_is_never_what_was_meant() -> None:
    assert "about" not in corrections("abuot")


@given(WORDS)
def test_corrections_are_likenesses_below_one_of_other_words(word: str) -> None:
    found = corrections(word)

    assert all(0 < share < 1 for share in found.values())
    assert all(term not in found for term in analyse_query(word).terms)


@pytest.mark.parametrize(
    "word", ["tea", "8000", "e1234", "snake_case", "猫咪喜欢", "แมว", "개발자"]
)
def test_what_is_short_or_no_word_is_not_repaired(word: str) -> None:
    assert not is_repairable(word)


@pytest.mark.parametrize("word", ["team", "sütlü", "собака", "x" * LONGEST])
def test_words_of_any_alphabet_are_repaired(word: str) -> None:
    assert is_repairable(word)


def test_terms_know_how_they_were_spelt() -> None:
    text = "Whose granmda's Activiteis are lactosse-free, Собаками?"

    found = spellings(text)

    assert {term.text for term in analyse_query(text).terms} - found.keys() == {"lactosse-free"}
    assert found["activitei"] == "activiteis"
    assert found["granmda"] == "granmda"
    assert found["lactoss"] == "lactosse"
    assert found["собаками"] == "собаками"


@given(WORDS, WORDS)
def test_likeness_is_symmetric_and_from_0_to_1(one: str, other: str) -> None:
    assert likeness(one, other) == likeness(other, one)
    assert 0 <= likeness(one, other) <= 1
    assert likeness(one, one) == 1


def test_words_of_one_root_are_more_alike_than_strangers() -> None:
    assert likeness("собаками", "собака") > 0.8
    assert likeness("haustürschlüssel", "haustür") > 0.6
    assert likeness("telephone", "microphone") < 0.6


def test_kin_begin_as_the_word_does() -> None:
    assert beginning("kind") == "kind"
    assert "haustür".startswith(beginning("haustürschlüs"))


def test_a_compound_has_parts_and_a_head() -> None:
    assert partings("lighthouse")[0] == ("light", "hous")
    assert "versicherung" in tails("autoversicherung")
    assert partings("short") == []


@given(PAIRS)
def test_few_are_chosen_and_none_far_behind_the_best(pairs: dict[str, float]) -> None:
    found = chosen(pairs)

    assert len(found) <= MOST_ALTERNATIVES
    assert [pair for pair in found if pair[1] < max(pairs.values()) - CLOSE] == []
    assert bool(found) == bool(pairs)


def test_a_repaired_query_says_less_than_an_exact_one() -> None:
    query = analyse_query("reserch grants")

    found = repaired(query, {"reserch": [("research", 0.75)]})

    assert found.terms == (
        QueryTerm("research", 0.75),
        QueryTerm("reserch", 0.25),
        QueryTerm("grant", 1.0),
    )


def test_a_repair_adds_to_a_word_that_is_there_already() -> None:
    query = analyse_query("research reserch")

    found = repaired(query, {"reserch": [("research", 0.75)]})

    assert found.terms == (QueryTerm("research", 1.75), QueryTerm("reserch", 0.25))


def test_without_alternatives_the_terms_stay() -> None:
    query = Query("", (QueryTerm("猫", prefix=True), QueryTerm("tea", 2.0)), ("猫",))

    assert repaired(query, {}) == query
