"""Views of the past: what held at a moment, and what had been told by one."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest

from agent_memory_os import InvalidInput, MemoryClient, NotFound
from agent_memory_os.testing import FakeClock, FakeEmbedder

START = datetime(2026, 1, 1, tzinfo=UTC)


class Told(NamedTuple):
    """A memory, its clock, and how to let time pass."""

    m: MemoryClient
    clock: FakeClock

    @property
    def now(self) -> datetime:
        return datetime.fromtimestamp(self.clock.now_ms() / 1_000, UTC)

    def later(self) -> datetime:
        """Let a day pass, and return the moment before it did."""
        before = self.now
        self.clock.advance(days=1)
        return before


@pytest.fixture
def told() -> Iterator[Told]:
    clock = FakeClock()
    with MemoryClient(":memory:", clock=clock, embed=FakeEmbedder()) as m:
        yield Told(m, clock)
        assert m.admin.check() == []


def contents(memories: Any) -> list[str]:
    return sorted(memory.content for memory in memories)


# By every arm, and every way to read.

READS: dict[str, Callable[..., Any]] = {
    "browse": lambda m, **past: [memory.content for memory in m.browse(**past)],
    "without words": lambda m, **past: [hit.content for hit in m.search(None, **past)],
    "pack": lambda m, **past: [
        item.memory.content for item in m.context_pack("lead apollo", **past).items
    ],
    **{
        arm: lambda m, arm=arm, **past: [
            hit.content for hit in m.search("lead of apollo", providers=[arm], **past)
        ]
        for arm in ("lexical", "vector", "recent", "resonance")
    },
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_what_held_then_is_read_and_what_took_its_place_is_not(
    told: Told, read: Callable[..., Any]
) -> None:
    fields = {"entity": "apollo", "attribute": "lead", "subject": "project:apollo"}
    told.m.add("The lead of apollo is Ada", **fields)
    first = told.later()
    told.m.add("The lead of apollo is Bob", **fields)
    second = told.later()

    now = read(told.m)
    then = [read(told.m, as_of=moment) for moment in (first, second)]
    known = [read(told.m, known_at=moment) for moment in (first, second)]

    assert now == ["The lead of apollo is Bob"]
    assert then == [["The lead of apollo is Ada"], ["The lead of apollo is Bob"]]
    assert known == then


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_before_anything_was_told_nothing_was_known(told: Told, read: Callable[..., Any]) -> None:
    told.m.add("The lead of apollo is Ada", occurred_at=START - timedelta(days=900))

    assert read(told.m, known_at=START - timedelta(days=1)) == []
    assert read(told.m, as_of=START - timedelta(days=901)) == []
    assert read(told.m, as_of=START - timedelta(days=1)) == ["The lead of apollo is Ada"]


def test_what_was_told_late_held_before_and_was_not_known_then(told: Told) -> None:
    told.clock.advance(days=10)
    day3 = START + timedelta(days=3)
    late = told.m.add("The lead is Ada", valid_from=START + timedelta(days=2)).id

    assert told.m.get(late, as_of=day3).id == late
    assert told.m.get(late, as_of=START + timedelta(days=1)) is None
    assert told.m.get(late, known_at=day3) is None
    assert told.m.get(late, as_of=day3, known_at=told.now).id == late


def test_get_many_keeps_its_order_in_a_view_of_the_past(told: Told) -> None:
    ids = [told.m.add(f"note {n}").id for n in range(3)]
    before = told.later()
    new = told.m.add("note 3").id

    found = told.m.get_many([new, ids[2], ids[0]], known_at=before)

    assert [memory.id for memory in found] == [ids[2], ids[0]]


@pytest.mark.parametrize("name", ["as_of", "known_at"])
def test_a_moment_without_a_time_zone_is_refused(told: Told, name: str) -> None:
    added = told.m.add("tea").id

    with pytest.raises(InvalidInput, match=name):
        told.m.get(added, **{name: datetime(2026, 1, 1)})  # type: ignore[arg-type]


# What it said then.


def test_a_memory_is_shown_as_it_stood_then(told: Told) -> None:
    added = told.m.add("The door is blue", tags=["door"], metadata={"n": 1}, importance=0.2).id
    before = told.later()
    told.m.update(added, content="The gate is red", tags=["gate"], metadata={"n": 2}, importance=1)
    between = told.later()
    told.m.update(added, content="The wall is white")

    first, second = (told.m.get(added, known_at=moment) for moment in (before, between))

    assert (first.content, first.tags, first.metadata, first.importance) == (
        *("The door is blue", ("door",), {"n": 1}, 0.2),
    )
    assert (second.content, second.tags) == ("The gate is red", ("gate",))
    assert told.m.get(added).content == "The wall is white"
    assert told.m.get(added, as_of=before).content == "The wall is white"


@pytest.mark.parametrize("arm", ["lexical", "resonance"])
def test_it_is_found_by_its_words_of_then_and_not_by_those_of_now(told: Told, arm: str) -> None:
    added = told.m.add("The door is blue").id
    told.m.add("Lunch is at noon")
    before = told.later()
    told.m.update(added, content="The gate is red")

    def found(query: str, **past: Any) -> tuple[str, ...]:
        return told.m.search(query, providers=[arm], **past).ids

    assert found("blue door", known_at=before) == (added,)
    assert found("red gate", known_at=before) == ()
    assert (found("blue door"), found("red gate")) == ((), (added,))
    assert told.m.search("blue door", known_at=before)[0].content == "The door is blue"


def test_its_vector_of_now_does_not_find_it_then(told: Told) -> None:
    added = told.m.add("The door is blue").id
    kept = told.m.add("The gate is red").id
    before = told.later()
    told.m.update(added, content="A red gate there is")

    hits = told.m.search("The gate is red", strategy="vector", known_at=before)

    assert hits.ids == (kept,)


def test_hashed_pieces_compare_what_was_said_then() -> None:
    clock = FakeClock()
    with MemoryClient(":memory:", clock=clock) as m:
        added = m.add("The blue door of the archive").id
        before = datetime.fromtimestamp(clock.now_ms() / 1_000, UTC)
        clock.advance(days=1)
        m.update(added, content="Nothing of the kind")

        hits = m.search("blue doors of archives", strategy="vector", known_at=before)

        assert hits.ids == (added,)


def test_filters_go_by_what_was_said_then(told: Told) -> None:
    added = told.m.add("The door", tags=["old"], type="fact", metadata={"env": "prod"}).id
    before = told.later()
    told.m.update(added, tags=["new"], type="note", metadata={"env": "dev"}, confidence=0.1)

    def found(**filters: Any) -> list[str]:
        browsed = [memory.id for memory in told.m.browse(known_at=before, **filters)]
        assert list(told.m.search("door", known_at=before, **filters).ids) == browsed
        return browsed

    for filters in (
        {"tags": ["old"]},
        {"types": ["fact"]},
        {"where": {"metadata.env": "prod"}},
        {"where": {"content": {"$contains": "door"}, "tags": {"$contains": "old"}}},
        {"min_confidence": 0.9},
    ):
        assert found(**filters) == [added]
    for filters in ({"tags": ["new"]}, {"types": ["note"]}, {"where": {"metadata.env": "dev"}}):
        assert found(**filters) == []


def test_a_window_that_was_told_later_does_not_hide_what_was_believed(told: Told) -> None:
    added = told.m.add("The lead is Ada").id
    before = told.later()
    told.m.update(added, valid_to=START)

    assert told.m.get(added) is None
    assert told.m.get(added, known_at=before).valid_to is None
    assert told.m.get(added, as_of=before) is None
    assert told.m.get(added, as_of=before, known_at=before) is not None


def test_turns_are_read_as_they_stood(told: Told) -> None:
    question = told.m.add("Which port does staging use?", session="s1", layer=0).id
    answer = told.m.add("Eight thousand, as ever.", session="s1", layer=0).id
    before = told.later()
    told.m.update(question, content="Something else was asked")

    assert answer in told.m.search("staging port", known_at=before).ids
    assert answer not in told.m.search("staging port").ids


def test_what_was_superseded_and_reinstated_since_was_superseded_then(told: Told) -> None:
    old = told.m.add("The lead is Ada").id
    new = told.m.add("The lead is Bob", supersedes=[old]).id
    before = told.later()
    told.m.undo(new)

    assert {memory.id for memory in told.m.browse()} == {old, new}
    assert [memory.id for memory in told.m.browse(known_at=before)] == [new]


def test_what_was_superseded_later_was_in_force_then(told: Told) -> None:
    old = told.m.add("The lead is Ada").id
    before = told.later()
    told.m.add("The lead is Bob", supersedes=[old])

    hit = told.m.search("lead", known_at=before)[0]

    assert (hit.id, hit.memory.state) == (old, "active")


# What never comes back, and what nobody learns.


def test_what_was_deleted_rejected_forgotten_or_archived_is_in_no_view_of_the_past(
    told: Told,
) -> None:
    ids = [told.m.add(f"The lead is number {n}", on_duplicate="store").id for n in range(4)]
    kept = told.m.add("The lead is Ada").id
    before = told.later()
    told.m.delete(ids[0])
    told.m.reject(ids[1])
    told.m.forget(ids[2])
    told.m.admin.archive([ids[3]])

    for past in ({"as_of": before}, {"known_at": before}):
        assert [memory.id for memory in told.m.browse(**past)] == [kept]
        assert told.m.search("lead", **past).ids == (kept,)
        assert told.m.get_many([*ids, kept], **past) == [told.m.get(kept)]


def test_what_a_rejected_memory_had_superseded_is_not_hidden_in_the_past(told: Told) -> None:
    right = told.m.add("The lead is Ada").id
    wrong = told.m.add("The lead is Bob", supersedes=[right]).id
    before = told.later()
    told.m.reject(wrong)

    assert [memory.id for memory in told.m.browse(known_at=before)] == [right]


def test_what_has_expired_is_in_no_view_of_the_past(told: Told) -> None:
    brief = told.m.add("The code is 5521", ttl=timedelta(hours=1)).id
    before = told.later()

    assert told.m.get(brief, as_of=before) is None
    assert told.m.get(brief, known_at=before) is None


def test_a_view_of_the_past_has_the_rights_of_today(told: Told) -> None:
    m = told.m
    given = m.add("The lead is Ada", owner="neo", visibility=["agent:trinity"]).id
    kept = m.add("The lead is Bob", owner="neo").id
    before = told.later()
    m.revoke(given, ["agent:trinity"], requester_agent_id="neo")
    m.share(kept, ["agent:trinity"], requester_agent_id="neo")

    found = m.browse(requester_agent_id="trinity", known_at=before)

    assert [memory.id for memory in found] == [kept]


def test_what_was_edited_out_before_it_was_shared_is_in_no_view_of_the_readers(told: Told) -> None:
    m = told.m
    added = m.add("The salary of Ada is 9000", owner="neo").id
    before = told.later()
    m.update(added, content="A clean note", requester_agent_id="neo")
    told.later()
    m.share(added, ["global"], requester_agent_id="neo")
    shared = told.later()
    m.update(added, content="A cleaner note", requester_agent_id="neo")

    def read(**past: Any) -> list[str]:
        return contents(m.browse(requester_agent_id="trinity", **past))

    assert read(known_at=before) == ["A clean note"]
    assert read(known_at=shared) == ["A clean note"]
    assert read() == ["A cleaner note"]
    assert m.search("salary", requester_agent_id="trinity", known_at=before).ids == ()
    own = m.search("salary", requester_agent_id="neo", known_at=before)
    assert [hit.content for hit in own] == ["The salary of Ada is 9000"]


def test_a_bound_view_looks_back_at_its_subject_alone(told: Told) -> None:
    alice = told.m.as_agent("bot", subject="user:alice")
    own = alice.add("Alice likes tea").id
    told.m.add("Bob likes tea", owner="bot", subject="user:bob")
    before = told.later()
    alice.update(own, content="Alice likes coffee")

    assert contents(alice.browse(known_at=before)) == ["Alice likes tea"]


def test_the_history_is_of_now_in_every_view(told: Told) -> None:
    added = told.m.add("one").id
    told.later()
    told.m.update(added, content="two")

    assert [change.before["content"] for change in told.m.history(added)] == ["one"]


# Explaining what left recall.


def test_explain_says_what_took_the_place_of_a_memory_to_those_who_see_both(told: Told) -> None:
    m = told.m
    old = m.add("The lead is Ada", owner="neo", visibility=["global"]).id
    new = m.add("The lead is Bob", owner="neo", supersedes=[old]).id

    told_to_neo = m.explain("lead", old, requester_agent_id="neo")
    told_to_trinity = m.explain("lead", old, requester_agent_id="trinity")

    assert (told_to_neo.stage, told_to_neo.found) == ("superseded", False)
    assert new in told_to_neo.reason
    assert told_to_neo.matched == ("lead",)
    assert told_to_trinity.stage == "hit"
    assert new not in told_to_trinity.reason


def test_explain_tells_nothing_of_what_was_deleted_or_is_hidden(told: Told) -> None:
    gone = told.m.add("The lead is Ada").id
    told.m.delete(gone)
    hidden = told.m.add("The lead is Bob", owner="trinity").id

    for memory_id in (gone, hidden):
        with pytest.raises(NotFound):
            told.m.explain("lead", memory_id)


def test_the_turns_of_a_session_are_told_in_a_pack_as_they_stood(told: Told) -> None:
    added = told.m.add("The door is blue", session="s1", layer=0).id
    before = told.later()
    told.m.update(added, content="The door is red")

    then, now = (
        told.m.orchestrate_context("any news", session="s1", **past)
        for past in ({"known_at": before}, {})
    )

    assert [item.memory.content for item in then.items] == ["The door is blue"]
    assert [item.memory.content for item in now.items] == ["The door is red"]
