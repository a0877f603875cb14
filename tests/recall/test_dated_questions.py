"""A question that names a time is answered by what was said then, in whatever words."""

from datetime import UTC, datetime

import pytest

from agent_memory_os import MemoryClient
from agent_memory_os.pure.bm25 import TIMELESS
from agent_memory_os.testing import FakeClock, memory_client

DESSERT = "Look at this homemade ice cream with sprinkles on it"
RENT = "My landlord raised the rent again, so I am looking for a flat"
SPOKEN = datetime(2022, 11, 9, 18, tzinfo=UTC)


@pytest.fixture
def m() -> MemoryClient:
    client = MemoryClient(":memory:", clock=FakeClock())
    client.add_many({"content": text, "occurred_at": SPOKEN} for text in (DESSERT, RENT))
    return client


def found(m: MemoryClient, query: str) -> list[str]:
    return [hit.content for hit in m.search(query)]


@pytest.mark.capability("OOM-025")
@pytest.mark.parametrize(
    "when", ["on 9 November, 2022", "in November 2022", "on 2022-11-09", "on November 9"]
)
def test_the_words_of_a_date_that_nobody_said_take_little_from_what_was_said_then(
    m: MemoryClient, when: str
) -> None:
    question = "Which homemade dessert did the tall man bring along"

    undated, dated = m.search(f"{question}?")[0], m.search(f"{question} {when}?")[0]

    assert undated.content == dated.content == DESSERT
    whole = undated.parts["relevance"]
    assert TIMELESS * whole < dated.parts["relevance"] < whole


def test_what_names_the_time_comes_before_what_does_not(m: MemoryClient) -> None:
    m.add("The rent was paid late")
    m.add("The rent of March 2024 was paid late")

    assert found(m, "rent of March 2024")[0] == "The rent of March 2024 was paid late"


def test_a_time_alone_is_looked_for_as_words(m: MemoryClient) -> None:
    m.add("The rent of 2024-03-02 was never paid")

    assert found(m, "2024-03-02") == ["The rent of 2024-03-02 was never paid"]


def test_what_shares_the_time_alone_answers_nothing(m: MemoryClient) -> None:
    m.add("The 2025 budget is 55k")

    assert found(m, "What was the pineapple forecast of the farm in 2025?") == []


def test_a_word_that_a_time_shares_with_the_rest_is_missed_as_any(m: MemoryClient) -> None:
    m.add("Build 12 was slow")
    m.add("Build 11 was slow")

    assert found(m, "how slow was build 11 on 2022-11-09")[0] == "Build 11 was slow"


@pytest.mark.parametrize("whose", ["Monday's", "March's", "Christmas's"])
def test_a_day_or_a_month_is_no_stranger(whose: str) -> None:
    m = memory_client()
    m.add(DESSERT, actor="user:Nate", occurred_at=SPOKEN)

    assert found(m, f"Which was {whose} homemade dessert with nuts?") == [DESSERT]
