"""A query names times in many ways, and each of them is noticed."""

import pytest

from agent_memory_os.pure import cues
from agent_memory_os.pure.text import analyse_query

NOW_MS = 1_780_000_000_000  # in May 2026


@pytest.mark.parametrize(
    "query",
    [
        "what was decided on 2026-03-05",
        "who came on MARCH 5th",
        "5 sept and what came of it",
        "the plans in october",
        "the plans of May",
        "what we did in 2024",
        "two weeks ago",
        "3 days ago",
        "what failed last week",
        "This Month",
        "yesterday",
        "is it on tonight",
        "who was on call on friday",
        "上个月的计划",
        "3天前",
        "昨天",
        "2026年3月",
    ],
)
def test_a_time_is_noticed_however_it_is_named(query: str) -> None:
    assert len(cues.times(query, NOW_MS)) == 1


@pytest.mark.parametrize(
    "query", ["who likes tea", "port of the database", "maybe they march", "谁喜欢茶", ""]
)
def test_what_names_no_time_names_none(query: str) -> None:
    assert cues.times(query, NOW_MS) == ()


def asked(query: str) -> tuple[list[str], list[str]]:
    """Return the words of *query* that are missed where they are absent, and the others."""
    terms = cues.dated(analyse_query(query), NOW_MS).terms
    missed = [term.text for term in terms if term.is_missed]
    return missed, [term.text for term in terms if not term.is_missed]


@pytest.mark.parametrize(
    ("query", "missed", "others"),
    [
        ("dessert of 9 November, 2022", ["dessert"], ["9", "novemb", "2022"]),
        ("what failed last week", ["fail"], ["last", "week"]),
        ("2026年3月的计划", ["计划"], ["2026", "3"]),
        ("who likes tea", ["like", "tea"], []),
    ],
)
def test_words_that_name_a_time_are_not_missed(
    query: str, missed: list[str], others: list[str]
) -> None:
    assert asked(query) == (missed, others)


def test_where_a_query_has_no_other_words_they_are() -> None:
    assert asked("9 November, 2022") == (["9", "novemb", "2022"], [])
