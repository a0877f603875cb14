"""A query names times in many ways, and each of them is noticed."""

import pytest

from agent_memory_os.pure import cues

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
