"""Providers of the host beside the arms: what they find, what they are told, who names them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from agent_memory_os import (
    InvalidInput,
    MemoryClient,
    NotPermitted,
    ProviderRequest,
    Settings,
)
from agent_memory_os.testing import FakeClock, FakeEntropy, memory_client

Answer = Callable[[ProviderRequest], Any]


class Host:
    """A provider that keeps what it was asked, and answers as it is told."""

    def __init__(self, answer: Answer | Iterable[Any] = (), name: str = "wiki") -> None:
        self.name = name
        self.asked: list[ProviderRequest] = []
        self._answer = answer

    def candidates(self, request: ProviderRequest) -> Any:
        self.asked.append(request)
        return self._answer(request) if callable(self._answer) else self._answer


@pytest.fixture
def m() -> Iterator[MemoryClient]:
    """Yield a memory in RAM whose clock stands still, sound when the test ends."""
    with memory_client() as client:
        yield client
        assert client.admin.check() == []


def ids_of(m: MemoryClient) -> dict[str, str]:
    """Write a small world, and return its ids by a word."""
    return {
        "deploy": m.add("The deploy of staging failed").id,
        "van": m.add("The grey Transit needs new tyres").id,
        "tea": m.add("Ada likes tea").id,
    }


@pytest.mark.capability("AMOS-034", "AMOS-037")
def test_what_no_word_finds_is_found_through_a_provider(m: MemoryClient) -> None:
    ids = ids_of(m)

    hits = m.search("how is old Betsy?", providers=[Host([(ids["van"], 0.9)])])

    assert hits.ids == (ids["van"],)
    assert hits[0].arms == {"wiki": 0.9}
    assert hits[0].parts["relevance"] == 0.45
    assert hits.report.candidates == {"lexical": 0, "wiki": 1}
    assert hits.report.degraded == ()


def test_words_and_a_provider_together_are_worth_more_than_either(m: MemoryClient) -> None:
    ids = ids_of(m)

    alone = m.search("staging deploy")[0]
    both = m.search("staging deploy", providers=[Host([(ids["deploy"], 0.4)])])[0]

    words = alone.parts["relevance"]
    assert both.parts["relevance"] == pytest.approx(words + 0.2 - words * 0.2)
    assert both.arms == {"lexical": words, "wiki": 0.4}


def test_the_weight_of_providers_is_a_setting() -> None:
    for weight, expected in ((1.0, [0.9]), (0.0, [])):
        with MemoryClient(":memory:", settings=Settings(foreign_weight=weight)) as m:
            van = ids_of(m)["van"]
            hits = m.search("Betsy", providers=[Host([(van, 0.9)])])

            assert [hit.parts["relevance"] for hit in hits] == expected


def test_two_providers_add_up_in_any_order(m: MemoryClient) -> None:
    ids = ids_of(m)
    one, two = Host([(ids["van"], 0.6)], "one"), Host([(ids["van"], 0.8)], "two")

    hits = m.search("Betsy", providers=[one, two])

    assert hits[0].parts["relevance"] == pytest.approx(0.3 + 0.4 - 0.3 * 0.4)
    assert list(m.search("Betsy", providers=[two, one])) == list(hits)


@pytest.mark.parametrize(
    ("names", "candidates"),
    [
        (["lexical"], {"lexical": 1}),
        (["vector"], {"vector": 1}),
        (["resonance"], {"resonance": 2}),
        (["recent"], {"recent": 4}),
        (["resonance", "lexical"], {"lexical": 1, "resonance": 1}),
        (["vector", "resonance"], {"vector": 1, "resonance": 1}),
        ([], {"lexical": 1, "resonance": 1}),
    ],
    ids=str,
)
@pytest.mark.capability("OOM-057")
def test_names_say_which_arms_are_asked(
    m: MemoryClient, names: list[str], candidates: dict[str, int]
) -> None:
    ids = ids_of(m)
    m.link(ids["deploy"], m.add("Bring the tripod").id)

    assert m.search("staging deploy failed", providers=names).report.candidates == candidates


def test_names_of_arms_mean_what_the_plain_words_mean(m: MemoryClient) -> None:
    ids = ids_of(m)
    m.link(ids["deploy"], ids["tea"])

    for strategy, names in (
        ("hybrid", ["lexical", "resonance"]),
        ("keyword", ["lexical"]),
        ("vector", ["vector"]),
        ("resonance", ["resonance"]),
    ):
        assert m.search("deploy failed", strategy=strategy) == list(  # type: ignore[arg-type]
            m.search("deploy failed", providers=names)
        )


def test_what_is_recent_stands_behind_what_matches(m: MemoryClient) -> None:
    ids = ids_of(m)

    hits = m.search("staging deploy", providers=["lexical", "recent"])

    assert hits.ids[0] == ids["deploy"]
    assert len(hits) == 3


def test_a_strategy_and_names_of_arms_are_two_answers_to_one_question(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="strategy"):
        m.search("tea", strategy="keyword", providers=["vector"])


def test_an_object_joins_the_arm_of_a_strategy(m: MemoryClient) -> None:
    ids = ids_of(m)

    hits = m.search("tea", strategy="keyword", providers=[Host([(ids["van"], 1)])])

    assert hits.report.candidates == {"lexical": 1, "wiki": 1}


def test_it_is_told_plain_values_and_nothing_of_the_store() -> None:
    clock = FakeClock()
    settings = Settings(foreign_candidates=7, max_query_chars=6)
    client = MemoryClient(":memory:", clock=clock, entropy=FakeEntropy(), settings=settings)
    wiki = Host()

    client.search(
        "old Betsy",
        requester_agent_id="neo",
        limit=3,
        providers=[wiki],
        subject="user:alice",
        types=["note"],
        where={"metadata.env": {"$in": ["prod"]}},
        owner=None,
    )

    filters = {"types": ("note",), "where": {"metadata.env": {"$in": ("prod",)}}}
    expected = ProviderRequest("old Be", "neo", "user:alice", False, filters, 7, clock.now_ms())
    assert wiki.asked == [expected]
    client.close()


def test_a_view_that_is_bound_says_so_to_the_provider() -> None:
    wiki = Host()
    with MemoryClient(":memory:", providers=[wiki]) as client:
        client.as_agent("bot", subject="user:alice", shared=True).search("theme")

    assert [(it.agent, it.subject, it.shared) for it in wiki.asked] == [("bot", "user:alice", True)]


def test_what_a_provider_does_to_its_request_changes_nothing(m: MemoryClient) -> None:
    ids_of(m)
    where = {"importance": {"$in": [0.5]}}

    def meddle(request: ProviderRequest) -> list[Any]:
        request.filters["where"]["importance"].clear()  # type: ignore[index]
        request.filters["types"] = ["other"]  # type: ignore[index]
        return []

    second = Host(name="second")
    hits = m.search("tea", providers=[Host(meddle), second], where=where)

    assert len(hits) == 1
    assert where == {"importance": {"$in": [0.5]}}
    assert second.asked[0].filters == {"where": {"importance": {"$in": (0.5,)}}}


@pytest.mark.parametrize("query", [None, "", "?!"])
def test_nobody_is_asked_where_there_are_no_words(m: MemoryClient, query: str | None) -> None:
    wiki = Host()

    m.search(query, providers=[wiki])
    m.context_pack(query, providers=[wiki])

    assert wiki.asked == []


def test_it_is_asked_before_the_store_is_read_and_may_use_the_client(m: MemoryClient) -> None:
    def remember(request: ProviderRequest) -> list[tuple[str, float]]:
        return [(m.add(f"somebody asked: {request.query}").id, 0.8)]

    hits = m.search("Betsy", providers=[Host(remember)])

    assert [hit.content for hit in hits] == ["somebody asked: Betsy"]


def test_filters_hold_for_what_a_provider_proposes(m: MemoryClient) -> None:
    ids = ids_of(m)
    wiki = Host([(each, 0.9) for each in ids.values()])

    hits = m.search("Betsy", providers=[wiki], types=["fact"])

    assert hits.ids == ()
    assert (hits.report.candidates["wiki"], hits.report.gated) == (0, 0)


def test_words_that_are_too_little_fall_out_and_what_a_provider_says_stands(
    m: MemoryClient,
) -> None:
    query = "Which gifted sculptor carved marble weather vanes near Florence cathedral?"
    weather = [m.add(f"The weather report of station {number} came late").id for number in range(9)]
    michelangelo = m.add("Michelangelo made the David").id
    wiki = Host([(michelangelo, 0.9)])

    hits = m.search(query, providers=[wiki])
    left_out = m.explain(query, weather[0], providers=[wiki])

    assert hits.ids == (michelangelo,)
    assert hits.report.candidates["lexical"] == 9
    assert (left_out.stage, left_out.rank) == ("abstained", None)


def test_explaining_says_who_proposed_it(m: MemoryClient) -> None:
    ids = ids_of(m)

    why = m.explain("staging deploy", ids["deploy"], providers=[Host([(ids["deploy"], 0.4)])])

    assert why.stage == "hit"
    assert set(why.arms) == {"lexical", "wiki"}


def test_a_pack_holds_what_a_provider_found_and_asks_it_once(m: MemoryClient) -> None:
    ids = ids_of(m)
    wiki = Host([(ids["van"], 0.9)])

    pack = m.context_pack("how is old Betsy?", providers=[wiki])

    assert "Transit" in str(pack)
    assert len(wiki.asked) == 1
    assert pack.report.search.candidates["wiki"] == 1


def test_pages_are_parts_of_one_answer(m: MemoryClient) -> None:
    ids = [m.add(f"thing {number}").id for number in range(10)]
    wiki = Host([(each, 1 - at / 100) for at, each in enumerate(ids)])

    pages = [
        memory_id
        for offset in range(0, 10, 3)
        for memory_id in m.search("Betsy", limit=3, offset=offset, providers=[wiki]).ids
    ]

    assert pages == ids


@pytest.fixture
def fleet() -> Iterator[tuple[MemoryClient, Host]]:
    """Yield a memory whose searches ask a provider, and that provider."""
    wiki = Host()
    with MemoryClient(":memory:", providers=[wiki]) as client:
        yield client, wiki


def test_the_providers_of_the_client_are_asked_by_every_call_and_view(
    fleet: tuple[MemoryClient, Host],
) -> None:
    client, wiki = fleet
    tea = client.add("Ada likes tea").id

    client.search("tea")
    client.context_pack("tea")
    client.explain("tea", tea)
    client.as_agent("neo").search("tea")
    client.as_agent("bot", subject="user:ada").context_pack("tea")

    assert len(wiki.asked) == 5


def test_a_call_chooses_in_place_of_the_client(fleet: tuple[MemoryClient, Host]) -> None:
    client, wiki = fleet
    other = Host(name="other")

    client.search("tea", providers=[])
    client.search("tea", providers=[other])
    client.search("tea", providers=["lexical"])
    client.search("tea", strategy="keyword")
    assert wiki.asked == []

    client.search("tea", providers=["wiki", other])
    client.search("tea", providers=["lexical", "wiki"])
    assert (len(wiki.asked), len(other.asked)) == (2, 2)


def test_the_client_may_choose_other_arms_for_all_calls() -> None:
    with MemoryClient(":memory:", providers=["lexical", "vector"]) as client:
        client.add("Ada likes tea")

        assert set(client.search("tea").report.candidates) == {"lexical", "vector"}
        assert set(client.as_agent("neo").search("tea").report.candidates) == {"lexical", "vector"}
        assert set(client.search("tea", strategy="keyword").report.candidates) == {"lexical"}


@pytest.mark.parametrize("subject", [None, "user:ada"])
def test_a_view_names_providers_of_the_client_and_brings_none(
    fleet: tuple[MemoryClient, Host], subject: str | None
) -> None:
    client, wiki = fleet
    view = client.as_agent("bot", subject=subject)

    view.search("tea", providers=["wiki"])
    with pytest.raises(NotPermitted, match="names"):
        view.search("tea", providers=[Host(name="mine")])
    with pytest.raises(NotPermitted, match="names"):
        view.context_pack("tea", providers=[wiki])

    assert len(wiki.asked) == 1


@pytest.mark.parametrize(
    "providers",
    [[Host(), Host()], [Host(name="lexical")], [Host], ["wiki"], Host(), "lexical", [7]],
    ids=str,
)
def test_providers_that_cannot_be_told_apart_or_asked_are_refused_when_the_client_opens(
    providers: Any,
) -> None:
    with pytest.raises(InvalidInput, match="provider"):
        MemoryClient(":memory:", providers=providers)


def test_a_name_that_is_not_there_is_refused_with_the_nearest(
    fleet: tuple[MemoryClient, Host],
) -> None:
    with pytest.raises(InvalidInput, match="did you mean 'wiki'"):
        fleet[0].search("tea", providers=["wikki"])
