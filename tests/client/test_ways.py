"""The ways of remembering beside each other: timeline, semantic, entity; what is preferred."""

from datetime import UTC, datetime

import pytest

from agent_memory_os import Hits, InvalidInput, MemoryClient, NotPermitted
from agent_memory_os.settings import Settings
from agent_memory_os.testing import FakeClock

DAY = datetime(2026, 3, 1, tzinfo=UTC)


def contents(found: object) -> list[str]:
    return [each.content for each in found]


@pytest.fixture
def told(m: MemoryClient) -> MemoryClient:
    """Return a memory of Apollo: an event, two statements and two values."""
    m.add("Apollo was deployed at noon", layer=0, type="deploy", occurred_at=DAY)
    m.add("Apollo failed a health check", layer=0, type="alert", occurred_at=DAY)
    m.add("Apollo should be deployed on Mondays", tags=["deploy"], metadata={"team": "core"})
    m.add("Apollo likes short release notes", tags=["style"], metadata={"team": "docs"})
    m.layers.entity("apollo").set("deploy port", "8000", metadata={"team": "core"})
    m.layers.entity("apollo").set("owner", "Ada")
    return m


# Semantic


@pytest.mark.capability("AIM-08", "AIM-15")
def test_semantic_finds_statements_and_no_event_or_value(told: MemoryClient) -> None:
    found = told.layers.semantic("apollo")

    assert isinstance(found, Hits)
    assert sorted(contents(found)) == [
        "Apollo likes short release notes",
        "Apollo should be deployed on Mondays",
    ]


@pytest.mark.capability("AIM-17")
def test_an_anchor_takes_part_in_the_search(m: MemoryClient) -> None:
    kept = m.add("Nothing on Fridays", tags=["holiday"])

    assert m.layers.semantic("holiday").ids == (kept.id,)


@pytest.mark.capability("AIM-34")
@pytest.mark.parametrize(("anchors", "found"), [(["style"], 1), (["styl"], 0), (["STYLE"], 0)])
def test_an_anchor_filter_is_exact(told: MemoryClient, anchors: list[str], found: int) -> None:
    assert len(told.layers.semantic("apollo", anchors=anchors)) == found


@pytest.mark.capability("AIM-33")
@pytest.mark.parametrize(
    ("metadata", "found"),
    [({"team": "docs"}, 1), ({"team": "doc"}, 0), ({"team": None}, 0), ({"a.b": 1}, 0), ({}, 2)],
)
def test_a_metadata_filter_is_exact(told: MemoryClient, metadata: dict, found: int) -> None:
    assert len(told.layers.semantic("apollo", metadata=metadata)) == found


@pytest.mark.parametrize("key", ["a.b", 'a"b', "$in", "a b"])
def test_any_key_of_metadata_is_that_key(m: MemoryClient, key: str) -> None:
    kept = m.add("Apollo is here", metadata={key: {"x": 1}})
    m.add("Apollo is there", metadata={"a": {"b": {"x": 1}}})

    assert m.layers.semantic("apollo", metadata={key: {"x": 1}}).ids == (kept.id,)


@pytest.mark.capability("AIM-22", "AIM-24")
def test_an_update_of_a_statement_changes_what_it_names_alone(told: MemoryClient) -> None:
    (hit,) = told.layers.semantic("apollo", anchors=["style"])

    told.update(hit.id, tags=["tone"])

    assert told.layers.semantic("apollo", anchors=["tone"]).ids == (hit.id,)
    assert told.get(hit.id).metadata == {"team": "docs"}
    assert told.layers.semantic("apollo", anchors=["style"]) == []


# Grouped


@pytest.mark.capability("AIM-31", "AIM-37", "AIM-42")
def test_statements_and_values_are_asked_unless_said_otherwise(told: MemoryClient) -> None:
    found = told.layers.grouped("apollo")

    assert [way for way, _ in found] == ["semantic", "entity"]
    assert len(found.semantic) == 2
    assert sorted(contents(found.entity)) == ["8000", "Ada"]
    assert found.timeline == []


@pytest.mark.capability("AIM-07", "AIM-11", "AIM-30", "AIM-38")
@pytest.mark.parametrize(
    ("ways", "asked"),
    [
        (["timeline"], ["timeline"]),
        (["entity", "timeline"], ["timeline", "entity"]),
        (["timeline", "semantic", "entity"], ["timeline", "semantic", "entity"]),
        (["entity", "entity"], ["entity"]),
    ],
)
def test_any_of_the_ways_are_asked_in_one_call(
    told: MemoryClient, ways: list[str], asked: list[str]
) -> None:
    found = told.layers.grouped("apollo deploy", ways=ways)

    assert [way for way, hits in found if hits] == asked


def test_no_memory_stands_in_two_ways(told: MemoryClient) -> None:
    found = told.layers.grouped("apollo", ways=["timeline", "semantic", "entity"])

    ids = [each for _, hits in found for each in hits.ids]
    assert len(ids) == len(set(ids)) == 6


@pytest.mark.capability("AIM-32")
def test_the_limit_is_of_each_way(m: MemoryClient) -> None:
    for n in range(12):
        m.add(f"Apollo statement {n}")
        m.layers.entity("apollo").set(f"attribute {n}", f"v{n}")

    found, few = m.layers.grouped("apollo"), m.layers.grouped("apollo", limit=1)

    assert (len(found.semantic), len(found.entity)) == (10, 10)
    assert (len(few.semantic), len(few.entity)) == (1, 1)


def test_what_narrows_narrows_each_way(told: MemoryClient) -> None:
    found = told.layers.grouped("apollo", metadata={"team": "core"})

    assert contents(found.semantic) == ["Apollo should be deployed on Mondays"]
    assert contents(found.entity) == ["8000"]


def test_without_a_query_each_way_tells_what_matters_most(told: MemoryClient) -> None:
    found = told.layers.grouped(None, ways=["timeline", "entity"])

    assert (len(found.timeline), len(found.entity)) == (2, 2)


@pytest.mark.parametrize("ways", [[], ["sematic"], "semantic", None, [1]])
def test_a_way_that_is_none_is_an_error(told: MemoryClient, ways: object) -> None:
    with pytest.raises(InvalidInput):
        told.layers.grouped("apollo", ways=ways)


def test_a_misspelt_way_names_the_nearest(told: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="did you mean 'semantic'"):
        told.layers.grouped("apollo", ways=["sematic"])


@pytest.mark.parametrize("verb", ["semantic", "grouped"])
@pytest.mark.parametrize("given", [{"metadata": 7}, {"anchors": "a"}, {"layer": [0]}, {"tags": []}])
def test_what_no_way_is_narrowed_by_is_an_error(told: MemoryClient, verb: str, given: dict) -> None:
    with pytest.raises(InvalidInput):
        getattr(told.layers, verb)("apollo", **given)


@pytest.mark.capability("MEMU-73")
def test_a_bound_view_groups_what_is_about_its_subject(told: MemoryClient) -> None:
    told.add("Alice waits for Apollo", subject="user:alice")
    alice = told.as_agent("local", subject="user:alice")

    found = alice.layers.grouped("apollo", ways=["timeline", "semantic", "entity"])

    assert [contents(hits) for _, hits in found] == [[], ["Alice waits for Apollo"], []]
    with pytest.raises(NotPermitted):
        alice.layers.grouped("apollo", subject="user:bob")


def test_each_way_is_told_to_the_hook() -> None:
    events = []
    with MemoryClient(":memory:", on_recall=events.append) as m:
        m.layers.grouped("apollo")

    assert [(event.verb, event.query) for event in events] == [("search", "apollo")] * 2


# Timeline


@pytest.mark.capability("AIM-14")
def test_a_timeline_is_narrowed_to_a_type_of_event(told: MemoryClient) -> None:
    (event,) = told.layers.timeline(event_type="deploy")

    assert (event.type, event.content) == ("deploy", "Apollo was deployed at noon")
    assert event.occurred_at == DAY
    assert told.layers.timeline(event_type="nothing") == []


@pytest.mark.capability("AIM-27", "AIM-28")
def test_an_event_can_be_deleted_and_is_in_no_read_any_more(told: MemoryClient) -> None:
    (event,) = told.layers.timeline(event_type="deploy")

    told.delete(event.id)

    assert told.layers.timeline(event_type="deploy") == []
    assert told.layers.grouped("deployed noon", ways=["timeline"]).timeline == []


@pytest.mark.capability("AIM-21", "AIM-24")
def test_an_event_that_was_added_is_corrected_with_its_moment(told: MemoryClient) -> None:
    (event,) = told.layers.timeline(event_type="alert")
    later = datetime(2026, 3, 2, tzinfo=UTC)

    told.update(event.id, occurred_at=later, merge_metadata={"seen": True})

    (found,) = told.layers.timeline(event_type="alert")
    assert (found.occurred_at, found.metadata) == (later, {"seen": True})
    assert found.content == "Apollo failed a health check"


def test_an_event_that_was_captured_and_corrected_is_still_known_by_what_was_captured(
    m: MemoryClient,
) -> None:
    turn = [("user", "I only drink decaf")]
    first = m.capture(turn, session="s1", turn=1)

    m.update(first[0].id, content="I only drink decaf, on Mondays")

    assert m.capture(turn, session="s1", turn=1).ids == first.ids
    assert contents(m.layers.timeline("s1")) == ["I only drink decaf, on Mondays"]
    assert m.history(first[0].id)[-1].before["content"] == "I only drink decaf"


# What is preferred


@pytest.fixture
def mixed(m: MemoryClient) -> MemoryClient:
    """Return a memory of equal words in different kinds."""
    m.add("tea is served at four", type="fact")
    m.add("tea is liked at four", type="preference")
    m.add("tea is brewed at four", type="procedure")
    m.add("tea was drunk at four", layer=0, type="event")
    return m


@pytest.mark.capability("AIM-38", "AIM-68")
@pytest.mark.parametrize(
    ("prefer", "first"),
    [("facts", "fact"), ("preferences", "preference"), ("task", "procedure"), ("history", "event")],
)
def test_what_is_preferred_comes_first_and_nothing_is_left_out(
    mixed: MemoryClient, prefer: str, first: str
) -> None:
    hits = mixed.search("tea at four", prefer=prefer)

    assert hits[0].memory.type == first
    assert len(hits) == 4


@pytest.mark.parametrize("prefer", ["facts", "preferences", "task", "history"])
def test_a_preference_moves_a_score_by_its_span_at_most(prefer: str) -> None:
    with MemoryClient(":memory:", settings=Settings(prefer_span=0.2), clock=FakeClock()) as m:
        m.add("tea at four")
        m.add("tea at four o'clock is what Ada drinks", type="preference")

        plain = {hit.id: hit.score for hit in m.search("tea at four")}
        leaning = {hit.id: hit.score for hit in m.search("tea at four", prefer=prefer)}

    assert all(0.8 <= round(leaning[each] / plain[each], 4) <= 1 for each in plain)


def test_an_exact_match_is_not_buried_by_what_is_preferred(m: MemoryClient) -> None:
    exact = m.add("The spare boiler fuse is taped behind panel C", type="note")
    for n in range(30):
        m.add(f"Ada likes the spare chair number {n}", type="preference")

    assert m.search("spare boiler fuse", prefer="preferences")[0].id == exact.id


def test_a_page_is_the_same_part_of_the_order_whatever_its_size(mixed: MemoryClient) -> None:
    whole = mixed.search("tea at four", prefer="task").ids

    pages = [mixed.search("tea at four", prefer="task", limit=1, offset=n).ids for n in range(4)]
    assert tuple(each for page in pages for each in page) == whole


def test_without_a_query_what_is_preferred_leads(mixed: MemoryClient) -> None:
    for n in range(30):
        mixed.add(f"note {n} on coffee", importance=0.55)

    assert mixed.search(None, prefer="task", limit=1)[0].memory.type == "procedure"


def test_a_value_of_an_attribute_is_a_fact(m: MemoryClient) -> None:
    m.add("port of apollo is told")
    value = m.add("8000 port", entity="apollo", attribute="port", type="note")

    assert m.search("port apollo", prefer="facts")[0].id == value.id


@pytest.mark.parametrize("verb", ["search", "context_pack", "orchestrate_context"])
@pytest.mark.parametrize("prefer", ["fact", "", "FACTS", 7, ["facts"]])
def test_an_unknown_preference_is_an_error_that_names_the_four(
    m: MemoryClient, verb: str, prefer: object
) -> None:
    with pytest.raises(InvalidInput, match="facts, preferences, task, history"):
        getattr(m, verb)("tea", prefer=prefer)


def test_packs_and_explanations_go_by_what_is_preferred(mixed: MemoryClient) -> None:
    pack = mixed.context_pack("tea at four", prefer="task", max_tokens=64)
    turn = mixed.orchestrate_context("tea at four", prefer="preferences")
    id_ = mixed.search("brewed")[0].id
    told = mixed.explain("tea at four", id_, prefer="task")

    assert [item.memory.type for item in pack.items] == ["procedure"]
    assert turn.items
    assert told.rank == 1


def test_who_prefers_history_gets_the_words_themselves(m: MemoryClient) -> None:
    said = m.capture([("user", "I only drink decaf coffee")], session="s1")
    m.add("The user drinks decaf coffee", evidence=[said[0].id])

    assert said[0].id not in m.search("decaf coffee").ids
    assert m.search("decaf coffee", prefer="history").ids[0] == said[0].id
