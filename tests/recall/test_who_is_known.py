"""A question that names a time is answered by what was said then; one about a stranger is not."""

from datetime import UTC, datetime

import pytest

from agent_memory_os import MemoryClient
from agent_memory_os.recall.pipeline import TOO_LITTLE
from agent_memory_os.testing import memory_client

TALK = (
    "Look at this homemade ice cream with sprinkles on it",
    "My landlord raised the rent again, so I am looking for a flat",
    "The ferry to the island takes about two hours in winter",
    "I read a long book about the history of the potato",
    "We painted the kitchen wall in a light green",
    "Training for the marathon goes on in any weather",
)
SPOKEN = datetime(2022, 11, 9, 18, tzinfo=UTC)


@pytest.fixture
def talk() -> MemoryClient:
    """Return what Nate said in a conversation of the ninth of November."""
    m = memory_client()
    m.add_many(
        {"content": text, "layer": 0, "actor": "user:Nate", "session": "s", "occurred_at": SPOKEN}
        for text in TALK
    )
    return m


def found(m: MemoryClient, query: str, **more: object) -> list[str]:
    return [hit.content for hit in m.search(query, **more)]  # type: ignore[arg-type]


@pytest.mark.capability("OOM-025")
@pytest.mark.parametrize(
    "query",
    [
        "Which homemade dessert did Nate show on 9 November, 2022?",
        "Which homemade dessert did Nate show in November 2022?",
        "which homemade dessert did nate show on 2022-11-09",
    ],
)
def test_the_words_of_a_date_that_nobody_said_take_nothing_from_what_was_said_then(
    talk: MemoryClient, query: str
) -> None:
    dated = talk.search(query)
    plain = talk.search("Which homemade dessert did Nate show?")

    assert dated[0].content == plain[0].content == TALK[0]
    assert dated[0].parts["relevance"] == plain[0].parts["relevance"]


def test_a_date_that_a_memory_names_still_finds_it(talk: MemoryClient) -> None:
    talk.add("The rent of 2024-03-02 was never paid")

    assert found(talk, "rent of 2024-03-02")[0] == "The rent of 2024-03-02 was never paid"
    assert found(talk, "2024-03-02") == ["The rent of 2024-03-02 was never paid"]


def test_a_question_about_a_stranger_is_not_answered_by_what_others_did(
    talk: MemoryClient,
) -> None:
    about_nate = talk.search("Which kitchen did Nate paint red?")
    about_bob = talk.search("Which kitchen did Bob paint red?")

    assert about_nate[0].content == TALK[4]
    assert list(about_bob) == []
    assert about_bob.report.reason == TOO_LITTLE


@pytest.mark.parametrize(
    ("known", "asker"),
    [
        ({"content": "The garden of Bob is wet"}, "neo"),
        ({"content": "The garden is wet", "actor": "user:Bob"}, "neo"),
        ({"content": "The garden is wet", "subject": "person:Bob"}, "neo"),
        ({"content": "The garden is wet"}, "bob"),
    ],
    ids=["held", "actor", "subject", "asker"],
)
def test_whoever_is_held_speaks_asks_or_is_spoken_of_is_known(
    known: dict[str, object], asker: str
) -> None:
    question = "What did Bob paint in the garden?"
    m = memory_client()
    m.add("The garden is wet", visibility=["global"])
    before = found(m, question, requester_agent_id="neo")

    m.add_many([{**known, "owner": "zoe", "visibility": ["global"]}])

    assert before == []
    assert found(m, question, requester_agent_id=asker)[0] == known["content"]


def test_a_misspelt_name_is_that_of_whom_it_means(talk: MemoryClient) -> None:
    talk.add("Caroline took the last ferry to the island")

    assert found(talk, "Which kitchen did Carolne paint red?")[0] == TALK[4]


def test_what_holds_most_of_a_question_answers_it_whomever_it_names(talk: MemoryClient) -> None:
    assert found(talk, "How many hours does the ferry to Capri take in winter?")[0] == TALK[2]


def test_that_somebody_is_known_to_others_makes_nobody_known(talk: MemoryClient) -> None:
    before = talk.search("Which kitchen did Bob paint red?")

    talk.add("Bob told me of his kitchen", owner="mizuki", actor="user:Bob")

    assert talk.search("Which kitchen did Bob paint red?") == before
