from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.bm25 import K1, B, relevance
from agent_memory_os.pure.text import Query, QueryTerm, analyse_query, index_terms

WORDS = st.sampled_from(["tea", "cup", "green", "pot", "leaf", "milk"])
DOCUMENTS = st.lists(st.lists(WORDS, max_size=12).map(" ".join), max_size=8)
QUERIES = st.lists(WORDS, min_size=1, max_size=5).map(lambda words: analyse_query(" ".join(words)))


def terms(*words: str) -> Query:
    return Query(" ".join(words), tuple(map(QueryTerm, words)), ())


def test_the_share_of_the_most_that_a_query_reaches() -> None:
    scores = relevance(terms("tea"), ["tea cup", "cup"], rows=10, mean_terms=4)

    norm = K1 * (1 - B + B * 2 / 4)
    share = 1 / (1 + norm)
    assert scores == pytest.approx([1.5 * share / (share + 0.5), 0.0])


def test_a_rarer_word_weighs_more_by_its_idf() -> None:
    documents = ["tea", "cup", "cup"]

    tea, cup, _ = relevance(terms("tea", "cup"), documents, rows=1000, mean_terms=1)

    shares = [0.5 * score / (1.5 - score) for score in (tea, cup)]
    assert shares[0] / shares[1] == pytest.approx(log(1 + 999.5 / 1.5) / log(1 + 998.5 / 2.5))


def test_every_word_found_is_near_one_and_one_common_word_of_eight_near_none() -> None:
    query = terms("ada", "moved", "her", "green", "tea", "pot", "to", "oslo")
    filler = ["to x y z p q r s"] * 60
    whole = "ada moved her green tea pot to oslo"

    scores = relevance(query, [whole, *filler], rows=100, mean_terms=8)

    assert scores[0] > 0.75
    assert scores[1] < 0.05


def test_each_place_in_a_small_world_has_a_reason() -> None:
    world = [
        "green tea in a green pot",  # both words, one of them twice
        "tea pot and green grass in the wide field",  # both words, in a longer text
        "tea tea tea cup",  # one of them, often
        "green field",  # the other, rarer one, once
        "tea with a lot of milk and sugar for ever and ever",  # the common word in a long text
        "tea cup",
        "milk",  # none
    ]

    scores = relevance(terms("green", "tea"), world, rows=0, mean_terms=0)

    order = sorted(range(len(world)), key=lambda at: -scores[at])
    assert order == [0, 1, 2, 3, 5, 4, 6]
    assert scores[6] == 0.0


def test_neighbours_count_each() -> None:
    once, twice, apart = relevance(
        terms("tea"), ["tea x x", "tea tea x", "tea x tea"], rows=9, mean_terms=3
    )

    assert once < twice == apart


def test_a_word_inside_another_is_no_match() -> None:
    assert relevance(terms("tea"), ["team steam c++tea"], rows=9, mean_terms=3) == [0.0]


def test_a_prefix_finds_what_begins_with_it() -> None:
    query = Query("猫", (QueryTerm("猫", prefix=True),), ())

    scores = relevance(query, ["猫咪", "x 黑猫", "老虎"], rows=9, mean_terms=3)

    assert [score > 0 for score in scores] == [True, True, False]


def test_a_bigram_is_found_within_the_run_that_is_stored_whole() -> None:
    query = analyse_query("投影仪")

    scores = relevance(query, ["会议室的投影仪", "投 影 仪", "meeting 投影"], rows=9, mean_terms=5)

    assert scores[0] > scores[2] > scores[1]


def test_a_word_asked_twice_weighs_more() -> None:
    documents = ["tea", "cup"]
    query = Query("tea tea cup", (QueryTerm("tea", 2.0), QueryTerm("cup")), ())

    tea, cup = relevance(query, documents, rows=9, mean_terms=1)

    assert tea > cup


def test_characters_decide_between_equals() -> None:
    query = analyse_query("锣鼓经常用")
    documents = [" ".join(index_terms(text)) for text in ("锣鼓好用吗", "锣鼓真好听")]

    with_the_character, without = relevance(query, documents, rows=0, mean_terms=0)

    assert with_the_character > without


def test_a_word_that_nobody_holds_lowers_all() -> None:
    known = relevance(terms("tea"), ["tea"], rows=9, mean_terms=1)
    with_unknown = relevance(terms("tea", "xyzzy"), ["tea"], rows=9, mean_terms=1)

    assert with_unknown[0] < known[0]


@pytest.mark.parametrize("documents", [[], ["", "a"]])
def test_without_documents_or_terms_nothing_is_relevant(documents: list[str]) -> None:
    assert relevance(Query("", (), ()), documents, rows=0, mean_terms=0) == [0.0] * len(documents)


@given(QUERIES, DOCUMENTS, st.integers(0, 50), st.just(0.0) | st.floats(1, 50))
def test_relevance_lies_between_nothing_and_one(
    query: Query, documents: list[str], rows: int, mean_terms: float
) -> None:
    scores = relevance(query, documents, rows=rows, mean_terms=mean_terms)

    asked = {term.text for term in query.terms}
    assert len(scores) == len(documents)
    assert all(0 <= score < 1 for score in scores)
    assert [score > 0 for score in scores] == [
        not asked.isdisjoint(document.split()) for document in documents
    ]


@given(QUERIES, DOCUMENTS)
def test_the_order_of_the_candidates_changes_no_score(query: Query, documents: list[str]) -> None:
    forwards = relevance(query, documents, rows=9, mean_terms=5)
    backwards = relevance(query, documents[::-1], rows=9, mean_terms=5)

    assert forwards == pytest.approx(backwards[::-1])


@given(QUERIES, st.lists(WORDS, min_size=1, max_size=8))
def test_a_query_word_in_place_of_another_never_lowers(query: Query, words: list[str]) -> None:
    asked = query.terms[0].text
    before, after = ["water", *words], [asked, *words]
    others = [term.text for term in query.terms]

    worse, better = relevance(
        query, [" ".join(before), " ".join(after), *others], rows=20, mean_terms=5
    )[:2]

    assert worse < better
