"""Widening: what a query looks for besides its own words."""

import pytest

from agent_memory_os.pure.text import analyse_query
from agent_memory_os.pure.widen import MOST_RELATED, joined, widened
from agent_memory_os.testing import memory_client


@pytest.mark.parametrize(
    ("asked", "content"),
    [
        ("Do we have a white board?", "The whiteboard markers are in the left drawer."),
        ("How long did we roll back?", "The rollback took nine minutes."),
        ("the back end", "Our backend is written in Go."),
    ],
)
def test_two_words_find_what_is_written_as_one(asked: str, content: str) -> None:
    m = memory_client()
    wanted = m.add(content).id
    m.add("The long drawer of the kitchen is empty")

    assert wanted in m.search(asked, strategy="keyword").ids


@pytest.mark.parametrize(
    "text",
    [
        *("a board", "the board", "white, board", "white 7 board", "to go"),
        *("白 板", "数据库iphone", "Größe 数据库", ""),
    ],
)
def test_words_that_no_compound_is_made_of_are_not_joined(text: str) -> None:
    assert [*joined(text)] == []


@pytest.mark.parametrize("text", ["数据库iphone手机壳", "naïve Bayes", "Größe größe", "ﬁle server"])
def test_a_query_of_several_scripts_is_searched(text: str) -> None:
    m = memory_client()
    wanted = m.add(f"About {text} in general").id

    assert m.search(text).ids == (wanted,)


def test_a_compound_takes_nothing_from_the_score_of_what_has_the_words_apart() -> None:
    m = memory_client()
    m.add("Paint the white board")

    (together,) = m.search("white board")
    (apart,) = m.search("board white")

    assert together.score == apart.score


def test_a_long_query_is_widened_by_so_many_words_and_no_more() -> None:
    query = analyse_query(" ".join(f"car{chr(97 + n % 26)}x house" for n in range(200)))

    assert len(widened(query).terms) <= len(query.terms) + MOST_RELATED
