"""Writing a key, or a statement, again: what becomes of each field, of rivals, and of links."""

from collections.abc import Iterator
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agent_memory_os import MemoryClient
from agent_memory_os.errors import InvalidInput, NotFound, NotPermitted
from agent_memory_os.fakes import FakeClock
from agent_memory_os.model import Draft

NOW = datetime(2026, 5, 4, tzinfo=UTC)
LATER = datetime(2026, 6, 1, tzinfo=UTC)
# What of a draft a key that is written again sets, and how each is typed the second time.
SET: dict[str, tuple[str, object, str, object]] = {
    "content": ("content", "8080", "content", "8080"),
    "type": ("type", "fact", "type", "fact"),
    "layer": ("layer", 2, "layer", 2),
    "visibility": ("visibility", ["global"], "visibility", ("global",)),
    "tags": ("tags", ["ops"], "tags", ("ops",)),
    "metadata": ("metadata", {"env": "prod"}, "metadata", {"env": "prod"}),
    "actor": ("actor", "user:alice", "actor", "user:alice"),
    "entity": ("entity", "server:db1", "entity", "server:db1"),
    "attribute": ("attribute", "port", "attribute", "port"),
    "occurred_ms": ("occurred_at", LATER, "occurred_at", LATER),
    "valid_from_ms": ("valid_from", NOW, "valid_from", NOW),
    "valid_to_ms": ("valid_to", LATER, "valid_to", LATER),
    "ttl_ms": ("ttl", timedelta(hours=1), "expires_at", NOW + timedelta(hours=1)),
    "importance": ("importance", 0.75, "importance", 0.75),
    "confidence": ("confidence", 0.25, "confidence", 0.25),
    "pinned": ("pinned", True, "pinned", True),
}
NAMES_IT = {"owner", "subject", "key"}  # of another one it is another memory
STAYS = {"session"}  # the receipt says so
LINKED = {"supersedes", "evidence"}
OF_THE_CALL = {"idempotency_key", "merge", "override", "bound", "masked"}  # and not of the memory


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock(NOW)


@pytest.fixture
def m(clock: FakeClock) -> Iterator[MemoryClient]:
    with MemoryClient(":memory:", clock=clock) as client:
        yield client
        assert client.admin.check() == []


def test_each_field_of_a_draft_has_a_fate_when_its_key_is_written_again() -> None:
    fates = [*SET, *NAMES_IT, *STAYS, *LINKED, *OF_THE_CALL]

    assert sorted(fates) == sorted(field.name for field in fields(Draft))


@pytest.mark.parametrize("field", SET)
def test_what_is_said_the_second_time_holds_and_the_history_has_the_first(
    m: MemoryClient, field: str
) -> None:
    typed, value, read, wanted = SET[field]
    given: dict[str, Any] = {"content": "8000", "attribute": "host", "key": "k", typed: value}
    first = m.add("8000", attribute="host", key="k")

    second = m.add(**given)

    assert second.id == first.id
    assert getattr(m.get(first.id), read) == wanted
    replaced = {name for change in m.history(first.id) for name in change.before}
    assert replaced == {{"ttl_ms": "expires_ms"}.get(field, field)}


def test_what_is_left_out_the_second_time_goes_back_to_its_default(m: MemoryClient) -> None:
    m.add("8000", key="k", entity="server:db1", attribute="port")

    second = m.add("8000", key="k")

    assert (second.memory.entity, second.memory.attribute) == (None, None)
    assert m.layers.entity("server:db1").attributes() == {}


def test_a_value_is_found_by_what_it_is_of_by_now(m: MemoryClient) -> None:
    first = m.add("8000", key="k", entity="server:london", attribute="port").id

    m.add("8000", key="k", entity="server:paris", attribute="colour")

    assert [hit.id for hit in m.search("colour of paris")] == [first]
    assert list(m.search("port of london")) == []
    assert m.layers.entity("server:paris")["colour"].id == first
    assert m.layers.entity("server:london").get("port") is None


def test_a_view_of_the_past_has_what_it_was_of_then(m: MemoryClient, clock: FakeClock) -> None:
    first = m.add("8000", key="k", entity="server:db1", attribute="port").id
    then = NOW + timedelta(minutes=1)
    clock.advance(hours=1)
    m.add("8000", key="k")

    was = m.get(first, known_at=then)

    assert was is not None
    assert (was.entity, was.attribute) == ("server:db1", "port")
    assert [hit.id for hit in m.search("port of db1", known_at=then)] == [first]


def test_undoing_gives_back_what_it_was_of(m: MemoryClient) -> None:
    first = m.add("8000", key="k", entity="server:db1", attribute="port").id
    m.add("8000", key="k", entity="server:db2", attribute="port")

    m.undo(first)

    assert m.layers.entity("server:db1")["port"].id == first
    assert m.layers.entity("server:db2").get("port") is None


def test_what_it_is_the_value_of_again_is_held_against_what_was_said_meanwhile(
    m: MemoryClient,
) -> None:
    port: dict[str, Any] = {"entity": "server:db1", "attribute": "port"}
    first = m.add("8000", key="k", **port).id
    m.add("8000", key="k")
    other = m.add("9000", **port).id

    undone = m.undo(first)

    assert undone.conflicts == (other,)
    assert {each.id for each in m.browse()} == {first, other}


# Rivals


def test_another_value_of_what_it_is_of_now_is_superseded(m: MemoryClient) -> None:
    older = m.add("9000", entity="server:db1", attribute="port").id
    m.add("8000", key="k")

    second = m.add("8000", key="k", entity="server:db1", attribute="port")

    assert (second.verdict, second.superseded) == ("superseded", (older,))
    assert [each.id for each in m.browse()] == [second.id]


def test_what_another_agent_says_of_it_is_contradicted(m: MemoryClient) -> None:
    port: dict[str, Any] = {"entity": "server:db1", "attribute": "port", "visibility": ["global"]}
    theirs = m.add("9000", owner="neo", **port).id
    m.add("8000", key="k")

    second = m.add("8000", key="k", **port)

    assert (second.verdict, second.conflicts) == ("conflict", (theirs,))


def test_a_key_is_held_against_what_contradicts_it_as_an_update_is(m: MemoryClient) -> None:
    other = m.add("We deploy with Ansible").id
    by_key = m.add("Lunch is at noon", key="k").id
    by_id = m.add("The tea is green").id

    rewritten = m.add("We do not deploy with Ansible", key="k")
    updated = m.update(by_id, content="We never deploy with Ansible")

    assert rewritten.id == by_key
    assert (rewritten.verdict, rewritten.conflicts) == ("conflict", (other,))
    assert (updated.verdict, updated.conflicts) == ("conflict", (other,))
    assert rewritten.why.startswith("its key named a memory, which was updated; ")


def test_what_it_says_the_same_as_hides_no_contradiction(m: MemoryClient) -> None:
    twin = m.add("The deploy port is 8000", owner="neo", visibility=["global"])
    own = m.add("The deploy port is 8000")
    m.add("Lunch is at noon", key="k")

    rewritten = m.add("The deploy port is 8000", key="k")

    assert rewritten.verdict == "stored"
    assert rewritten.why.endswith(f"and says the same as {own.id}")
    linked = m.neighbors(rewritten.id, relations=["corroborates"])
    assert [each.memory.id for each in linked] == [twin.id]


def test_the_values_that_are_there_leave_rivals_alone(m: MemoryClient) -> None:
    m.add("We deploy with Ansible", key="k")
    other = m.add("We do not deploy with Ansible", owner="neo", visibility=["global"]).id

    again = m.add("We deploy with Ansible", key="k")

    assert (again.verdict, again.conflicts, m.history(again.id)) == ("stored", (), [])
    assert m.get(other) is not None


# What it names


def test_the_session_stays_and_the_receipt_says_so(m: MemoryClient) -> None:
    m.add("tea", key="k", session="monday")

    silent = m.add("green tea", key="k")
    told = m.add("black tea", key="k", session="tuesday")

    assert told.memory.session == silent.memory.session == "monday"
    assert told.why.endswith("; it stays in session 'monday', where it was first written")
    assert "session" not in silent.why


def test_one_without_a_session_stays_out_of_any(m: MemoryClient) -> None:
    m.add("tea", key="k")

    told = m.add("tea", key="k", session="tuesday")

    assert told.memory.session is None
    assert told.why.endswith("; it stays outside of any session, where it was first written")


def test_what_it_is_said_to_supersede_is_superseded(m: MemoryClient) -> None:
    older = m.add("Lunch is at noon").id
    m.add("The tea is green", key="k")

    second = m.add("The tea is black", key="k", supersedes=[older])
    again = m.add("The tea is black", key="k", supersedes=[older])

    assert (second.verdict, second.superseded) == ("superseded", (older,))
    assert (again.verdict, again.superseded) == ("stored", ())
    assert [each.id for each in m.browse()] == [second.id]


def test_it_does_not_take_its_own_place(m: MemoryClient) -> None:
    first = m.add("The tea is green", key="k").id

    second = m.add("The tea is black", key="k", supersedes=[first])

    assert (second.id, second.verdict, second.superseded) == (first, "stored", ())


def test_it_rests_on_the_evidence_that_is_named(m: MemoryClient) -> None:
    told = m.add("Alice: tea, please", layer=0).id
    later = m.add("Alice: the green one", layer=0).id
    rewritten = m.add("Alice drinks tea", key="k", evidence=[told]).id

    m.add("Alice drinks green tea", key="k", evidence=[later])
    m.add("Alice drinks green tea", key="k", evidence=[later])

    assert [each.id for each in m.layers.evidence(rewritten)] == [told, later]
    assert len(m.history(rewritten)) == 1


@pytest.mark.parametrize("ttl", [None, timedelta(days=1)])
def test_it_ends_no_later_than_what_it_rests_on(
    m: MemoryClient, clock: FakeClock, ttl: timedelta | None
) -> None:
    told = m.add("Alice: tea, please", layer=0, ttl=timedelta(hours=1))
    first = m.add("Alice drinks tea", key="k", evidence=[told.id])
    was = m.history(first.id)

    again = m.add("Alice drinks tea", key="k", evidence=[told.id], ttl=ttl)
    without = m.add("Alice drinks tea", key="k", ttl=ttl)
    other = m.add("Alice drinks green tea", key="k", ttl=ttl)
    updated = m.update(first.id, ttl=ttl)

    receipts = (first, again, without, other, updated)
    assert {each.memory.expires_at for each in receipts} == {NOW + timedelta(hours=1)}
    assert again.memory.version == without.memory.version == first.memory.version
    assert len(m.history(first.id)) == len(was) + 1
    clock.advance(hours=2)
    assert m.browse() == []


def test_its_end_is_its_own_again_when_what_it_rests_on_is_gone(m: MemoryClient) -> None:
    told = m.add("Alice: tea, please", layer=0, ttl=timedelta(hours=1)).id
    other = m.add("Alice: green tea, please", layer=0).id
    first = m.add("Alice drinks tea", key="k", evidence=[told, other]).id
    m.delete(told)

    m.add("Alice drinks tea", key="k")

    assert m.get(first).expires_at is None


@pytest.mark.parametrize("key", ["k", None])
def test_the_receipt_has_the_end_that_its_evidence_gave_it(
    m: MemoryClient, key: str | None
) -> None:
    told = m.add("Alice: tea, please", layer=0, ttl=timedelta(hours=1)).id
    m.add("Lunch is at noon", key="k")

    receipt = m.add("Alice drinks tea", key=key, evidence=[told])

    assert receipt.memory == m.get(receipt.id)
    assert m.update(receipt.id, pinned=True, if_version=receipt.memory.version).memory.pinned


def test_a_merger_with_evidence_that_ends_is_told_as_it_is(m: MemoryClient) -> None:
    lasting = m.add("Alice: tea, please", layer=0).id
    told = m.add("Alice: tea again", layer=0, ttl=timedelta(hours=1)).id
    first = m.add("Alice drinks tea", evidence=[lasting]).id

    receipt = m.add("Alice drinks tea", evidence=[told])

    assert (receipt.id, receipt.verdict) == (first, "merged")
    assert receipt.memory == m.get(first)


def test_it_was_not_updated_when_only_its_links_are_new(m: MemoryClient) -> None:
    older = m.add("Lunch is at noon").id
    told = m.add("Alice: tea, please", layer=0).id
    m.add("Alice drinks tea", key="k")

    rests = m.add("Alice drinks tea", key="k", evidence=[told])
    supersedes = m.add("Alice drinks tea", key="k", supersedes=[older])

    assert rests.why == "its key named a memory that says so already"
    assert supersedes.why == (
        "its key named a memory that says so already; it was said to take the place of what was"
        " there"
    )


def test_where_it_stays_is_said_last(m: MemoryClient) -> None:
    own = m.add("Alice drinks tea").id
    m.add("Lunch is at noon", key="k", session="monday")

    receipt = m.add("Alice drinks tea", key="k", session="tuesday")

    assert receipt.why == (
        f"its key named a memory, which was updated, and says the same as {own}; it stays in"
        " session 'monday', where it was first written"
    )


def test_what_it_names_must_be_there(m: MemoryClient) -> None:
    m.add("tea", key="k")
    theirs = m.add("coffee", owner="neo", visibility=["global"]).id
    hidden = m.add("milk", owner="neo").id

    with pytest.raises(NotFound):
        m.add("green tea", key="k", evidence=[hidden])
    with pytest.raises(NotPermitted):
        m.add("green tea", key="k", supersedes=[theirs])

    assert [each.content for each in m.browse(owner="local")] == ["tea"]


def test_an_entity_without_an_attribute_is_refused_here_too(m: MemoryClient) -> None:
    m.add("8000", key="k", attribute="port")

    with pytest.raises(InvalidInput, match="needs an attribute"):
        m.add("8000", key="k", entity="server:db1")


# The same statement

UNITED: dict[str, tuple[str, object, object]] = {
    "tags": ("tags", ["ops"], ("ops",)),
    "importance": ("importance", 0.75, 0.75),
    "pinned": ("pinned", True, True),
}
LESSER: dict[str, tuple[str, object, object]] = {  # the larger one, and the wider one, stay
    "confidence": ("confidence", 0.25, 1.0),
    "visibility": ("visibility", [], ("global",)),
}
APART: dict[str, tuple[str, object]] = {
    "subject": ("subject", "user:alice"),
    "type": ("type", "fact"),
    "layer": ("layer", 2),
    "metadata": ("metadata", {"env": "prod"}),
    "actor": ("actor", "user:alice"),
    "key": ("key", "tea"),
    "attribute": ("attribute", "drink"),
    "occurred_ms": ("occurred_at", LATER),
    "valid_from_ms": ("valid_from", NOW),
    "valid_to_ms": ("valid_to", LATER),
    "ttl_ms": ("ttl", timedelta(hours=1)),
    "merge": ("on_duplicate", "store"),
}
ELSEWHERE = {"content", "owner", "entity", "supersedes", "evidence"}  # what it is, or is tested so


def test_each_field_of_a_draft_has_a_fate_when_it_is_said_again() -> None:
    of_the_call = OF_THE_CALL - {"merge"}
    fates = [*UNITED, *LESSER, *APART, *STAYS, *ELSEWHERE, *of_the_call]

    assert sorted(fates) == sorted(field.name for field in fields(Draft))


@pytest.mark.parametrize("field", [*UNITED, *LESSER])
def test_what_is_said_again_strengthens_and_narrows_nothing(m: MemoryClient, field: str) -> None:
    typed, value, wanted = (UNITED | LESSER)[field]
    first = m.add("The tea is green", visibility=["global"])
    given: dict[str, Any] = {"content": "The tea is green", "visibility": ["global"], typed: value}

    again = m.add(**given)

    assert (again.id, again.verdict) == (first.id, "merged")
    assert getattr(m.get(first.id), field) == wanted


@pytest.mark.parametrize("field", APART)
def test_what_it_cannot_take_over_has_it_stand_beside(m: MemoryClient, field: str) -> None:
    typed, value = APART[field]
    first = m.add("The tea is green")

    again = m.add(**{"content": "The tea is green", typed: value})  # type: ignore[arg-type]

    assert again.id != first.id
    assert again.verdict != "merged"


def test_a_statement_stays_in_the_session_where_it_was_first_said(m: MemoryClient) -> None:
    first = m.add("The tea is green", session="monday")

    again = m.add("The tea is green", session="tuesday")
    silent = m.add("The tea is green")

    assert (again.id, again.memory.session) == (first.id, "monday")
    assert again.why.endswith("; it stays in session 'monday', where it was first written")
    assert "session" not in silent.why
