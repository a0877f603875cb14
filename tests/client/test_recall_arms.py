"""What a search finds besides memories that hold its words."""

from datetime import UTC, datetime, timedelta

import pytest

from agent_memory_os import InvalidInput, MemoryClient, RecallProfile
from agent_memory_os.testing import FakeClock, memory_client

MAY = datetime(2023, 5, 25, 9, tzinfo=UTC)


def found(client: MemoryClient, query: str, **filters: object) -> list[str]:
    return [hit.content for hit in client.search(query, **filters)]  # type: ignore[arg-type]


@pytest.mark.capability("AMOS-045", "MEMU-19")
def test_a_memory_without_the_words_is_found_through_its_link(m: MemoryClient) -> None:
    failed = m.add("Staging deploy failed with a database lock")
    lesson = m.add("Always snapshot first")
    m.add("The cat sleeps")
    m.link(failed.id, lesson.id, relation="caused_by", weight=0.8)

    assert m.search("why did the deploy fail?").ids == (failed.id, lesson.id)


@pytest.mark.capability("AMOS-039", "AMOS-046")
def test_a_memory_is_not_found_through_one_that_is_invisible(m: MemoryClient) -> None:
    m.add("Staging deploy failed", owner="neo", visibility=["global"])
    seed = m.browse(requester_agent_id="neo")[0].id
    hidden = m.add("The key is under the mat", owner="neo").id
    lesson = m.add("Always snapshot first", owner="neo", visibility=["global"]).id
    m.link(seed, hidden, requester_agent_id="neo")
    m.link(hidden, lesson, requester_agent_id="neo")

    assert m.search("deploy failed", requester_agent_id="ada").ids == (seed,)
    assert m.search("deploy failed", requester_agent_id="neo").ids == (seed, hidden, lesson)


@pytest.mark.capability("AMOS-049", "AMOS-050")
def test_a_profile_leans_the_order_and_opens_nothing(m: MemoryClient) -> None:
    m.add("Deploys: note on the pipeline", type="note", visibility=["global"])
    m.add("Deploys: steps of the pipeline", type="procedure", visibility=["global"])
    m.add("Deploys: secret of the pipeline", type="procedure", owner="mizuki")
    before = found(m, "deploys pipeline", requester_agent_id="neo")
    m.save_profile(RecallProfile("neo", type_weights={"procedure": 0.5, "note": 1.5}))

    after = found(m, "deploys pipeline", requester_agent_id="neo")

    assert after[0] == "Deploys: note on the pipeline"
    assert sorted(after) == sorted(before)


@pytest.mark.capability("AMOS-025", "AMOS-028")
def test_only_a_recall_that_asks_for_it_counts(m: MemoryClient) -> None:
    tea = m.add("Ada likes tea").id

    m.search("tea")
    m.context_pack("tea")
    untouched = m.get(tea)
    m.context_pack("tea", auto_reinforce=True)
    m.search("tea", auto_reinforce=True)

    counted = m.get(tea)
    assert untouched is not None
    assert counted is not None
    assert (untouched.recalls, counted.recalls) == (0, 2)
    assert counted.version == untouched.version


def test_an_answer_is_found_by_the_question_before_it() -> None:
    m = memory_client()
    m.add("Which instrument do you play?", session="s1", layer=0, actor="user:ada")
    m.add("The cello, since I was six.", session="s1", layer=0, actor="user:bo")
    m.add("An instrument of torture is on show.", session="s2", layer=0, actor="user:cy")

    assert found(m, "What instrument does Bo play?")[0] == "The cello, since I was six."


def test_a_neighbour_of_another_owner_lends_nothing() -> None:
    m = memory_client()
    m.add("Which instrument do you play?", session="s1", layer=0, owner="neo")
    m.add("Since I was six.", session="s1", layer=0, visibility=["global"])

    assert found(m, "instrument", requester_agent_id="neo") == ["Which instrument do you play?"]


def test_who_is_named_is_favoured() -> None:
    m = memory_client()
    m.add("I painted a sunrise", actor="user:caroline")
    m.add("I painted a sunset", actor="user:melanie")

    assert found(m, "What did Melanie paint?")[0] == "I painted a sunset"
    assert found(m, "What did Caroline paint?")[0] == "I painted a sunrise"


def test_somebody_named_is_found_when_no_other_word_is() -> None:
    m = memory_client()
    m.add("Alice prefers dark mode", subject="user:alice")
    m.add("Bob likes tea", subject="user:bob")

    assert found(m, "Which theme does Alice use?") == ["Alice prefers dark mode"]


@pytest.mark.parametrize(
    "query",
    [
        "the trip on May 25, 2023",
        "the trip on 25 May",
        "the trip in May 2023",
        "the trip on 2023-05-25",
    ],
)
def test_a_date_in_the_query_favours_what_was_told_then(query: str) -> None:
    m = memory_client()
    m.add("Back from a trip to the lake", occurred_at=MAY - timedelta(days=200))
    m.add("Back from a trip to the hills", occurred_at=MAY + timedelta(days=1))

    assert found(m, query)[0] == "Back from a trip to the hills"


def test_last_week_counts_from_now() -> None:
    clock = FakeClock(datetime(2026, 3, 12, tzinfo=UTC))
    m = MemoryClient(":memory:", clock=clock)
    m.add("我去爬山了", occurred_at=datetime(2026, 1, 5, tzinfo=UTC))
    m.add("我去爬山看日出", occurred_at=datetime(2026, 3, 4, tzinfo=UTC))
    m.add("A walk in the hills", occurred_at=datetime(2026, 1, 5, tzinfo=UTC))
    m.add("A walk in the old hills", occurred_at=datetime(2026, 3, 4, tzinfo=UTC))

    assert found(m, "上周爬山")[0] == "我去爬山看日出"
    assert found(m, "the walk last week")[0] == "A walk in the old hills"


def test_words_that_mean_the_same_are_found() -> None:
    m = memory_client()
    m.add("She had an injury and rests")
    m.add("The train is late")

    assert found(m, "When did she get hurt?") == ["She had an injury and rests"]


def test_a_misspelt_word_is_read_as_what_was_meant() -> None:
    m = memory_client()
    m.add("The conference on photography was long")
    m.add("The train is late")

    assert found(m, "photografy conferance") == ["The conference on photography was long"]


@pytest.mark.capability("AMOS-006")
def test_what_shares_next_to_nothing_with_the_query_is_no_answer() -> None:
    m = memory_client()
    for number in range(40):
        m.add(f"The weather report of station {number} came late")

    hits = m.search("Which gifted sculptor carved marble weather vanes near Florence cathedral?")

    assert list(hits) == []
    assert hits.report.abstained
    assert "too little" in hits.report.reason


@pytest.mark.capability("OOM-057")
def test_each_arm_can_be_asked_alone() -> None:
    m = memory_client()
    talk = m.add("The conference on photography was long").id
    linked = m.add("Bring the tripod").id
    m.add("The train is late")
    m.link(talk, linked)

    by_words = m.search("photography", strategy="keyword")
    by_pieces = m.search("fotographi", strategy="vector")
    by_links = m.search("photography", strategy="resonance")

    assert (by_words.ids, by_words.report.candidates) == ((talk,), {"lexical": 1})
    assert (by_pieces.ids, by_pieces.report.candidates) == ((talk,), {"vector": 1})
    assert (by_links.ids, by_links.report.candidates) == ((talk, linked), {"resonance": 2})


def test_a_strategy_that_is_not_there_is_answered_with_the_nearest() -> None:
    with MemoryClient(":memory:") as m, pytest.raises(InvalidInput, match="mean 'keyword'"):
        m.search("tea", strategy="keywords")  # type: ignore[arg-type]  # what callers type
