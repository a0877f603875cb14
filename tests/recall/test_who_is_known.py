"""A question about somebody whom nobody knows is not answered by what others said."""

from datetime import UTC, datetime, timedelta

import pytest

from agent_memory_os import MemoryClient, Settings
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
KITCHEN = TALK[4]
ABOUT_BOB = "Which kitchen did Bob paint red?"
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


@pytest.mark.parametrize(
    "question", [ABOUT_BOB, "Has Bob got a red kitchen?", "Is Bob's kitchen painted red?"]
)
def test_a_question_about_a_stranger_is_not_answered_by_what_others_did(
    talk: MemoryClient, question: str
) -> None:
    about_bob = talk.search(question)

    assert found(talk, question.replace("Bob", "Nate"))[0] == KITCHEN
    assert list(about_bob) == []
    assert about_bob.report.reason == TOO_LITTLE


@pytest.mark.parametrize(
    ("known", "asker"),
    [
        ({"content": "The garden of Bob is wet", "actor": "user:Nate"}, "neo"),
        ({"content": "The garden is wet", "actor": "user:Bob"}, "neo"),
        ({"content": "The garden is wet", "actor": "user:Nate", "subject": "person:Bob"}, "neo"),
        ({"content": "The garden is wet"}, "neo"),
        ({"content": "The garden is wet", "actor": "user:Nate"}, "bob"),
    ],
    ids=["held", "actor", "subject", "nobody's words", "asker"],
)
def test_whoever_is_held_speaks_asks_or_is_spoken_of_is_known(
    known: dict[str, object], asker: str
) -> None:
    question = "What did Bob paint in the garden?"
    m = memory_client()
    m.add("The garden is wet", actor="user:Nate", visibility=["global"])
    before = found(m, question, requester_agent_id="neo")

    m.add_many([{**known, "owner": "zoe", "visibility": ["global"]}])

    assert before == []
    assert found(m, question, requester_agent_id=asker)[0] == known["content"]


def test_within_what_is_about_a_subject_or_filtered_nobody_is_a_stranger() -> None:
    m = memory_client()
    m.add(KITCHEN, actor="user:u123", subject="user:u123", type="fact")

    assert found(m, ABOUT_BOB) == []
    assert found(m, ABOUT_BOB, subject="user:u123") == [KITCHEN]
    assert found(m, ABOUT_BOB, types=["fact"]) == [KITCHEN]
    view = m.as_agent("local", subject="user:u123")
    assert [hit.content for hit in view.search(ABOUT_BOB)] == [KITCHEN]


def test_a_misspelt_name_is_that_of_whom_it_means(talk: MemoryClient) -> None:
    talk.add("Caroline took the last ferry to the island", actor="user:Nate")

    assert found(talk, "Which kitchen did Carolne paint red?")[0] == KITCHEN


def test_what_a_name_is_related_to_knows_it() -> None:
    m = memory_client()
    m.add("Mother went into the garden, where the hedge is", actor="user:Nate")

    assert found(m, "When did Mom cut the tall hedge in front?") != []
    assert found(m, "When did Bob cut the tall hedge in front?") == []


def test_what_holds_most_of_a_question_answers_it_whomever_it_names(talk: MemoryClient) -> None:
    assert found(talk, "Does Bob know how many hours the ferry takes in winter?")[0] == TALK[2]


@pytest.mark.parametrize(
    "prompt",
    [
        "Write a Dockerfile for the kitchen wall",
        "Which kitchen wall is it on GitHub?",
        "Hi Claude, which kitchen wall was it?",
        "What is the TCP port of the kitchen wall?",
        "Did we paint the kitchen wall in Germany?",
        "What's green on the wall?",
    ],
)
def test_a_capital_elsewhere_in_a_question_makes_no_stranger(
    talk: MemoryClient, prompt: str
) -> None:
    assert found(talk, prompt)[0] == KITCHEN


def test_a_name_that_only_what_ends_holds_is_known_among_a_surplus() -> None:
    few = Settings(candidate_budget=3)
    with MemoryClient(":memory:", settings=few) as m:
        m.add_many([{"content": f"{KITCHEN} {n}", "actor": "user:Nate"} for n in range(9)])
        m.add("Bob has a kitchen wall", actor="user:Nate", ttl=timedelta(days=1))

        assert "Bob has a kitchen wall" in found(m, ABOUT_BOB)


def test_that_somebody_is_known_to_others_makes_nobody_known(talk: MemoryClient) -> None:
    talk.add("Bob told me of his kitchen", owner="mizuki", actor="user:Bob")

    assert found(talk, ABOUT_BOB) == []
