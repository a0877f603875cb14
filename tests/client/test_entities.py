"""Entities: values of attributes by name, their history, and who sees them."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent_memory_os import AsyncMemoryClient, InvalidInput, MemoryClient, NotFound, NotPermitted
from agent_memory_os.testing import FakeClock, memory_client


@pytest.fixture
def fixed() -> Iterator[tuple[MemoryClient, FakeClock]]:
    """Yield a memory in RAM and the clock that it goes by."""
    clock = FakeClock()
    with memory_client(clock=clock) as client:
        yield client, clock
        assert client.admin.check() == []


def contents(values: list) -> list[str]:
    return [each.content for each in values]


# Reading and setting


@pytest.mark.capability("AIM-05", "AIM-09", "AIM-36")
def test_a_value_is_had_by_the_names_of_entity_and_attribute(m: MemoryClient) -> None:
    m.add("ops@example.org", entity="db1", attribute="contact")
    m.add("The contact of db2 is nobody@example.org")

    assert m.layers.entity("db1").get("contact").content == "ops@example.org"
    assert m.layers.entity("db1")["contact"].entity == "db1"


def test_what_is_not_there_is_none(m: MemoryClient) -> None:
    assert m.layers.entity("db1").get("port") is None
    assert m.layers.entity("db1").attributes() == {}
    assert m.layers.entity("db1").history("port") == []


@pytest.mark.capability("AIM-09", "MEMU-76")
def test_another_value_takes_the_place_of_the_one_before_which_stays_in_the_history(
    m: MemoryClient,
) -> None:
    db1 = m.layers.entity("db1")
    first = db1.set("port", "5432")

    second = db1.set("port", "6432")

    assert (second.verdict, second.superseded) == ("superseded", (first.id,))
    assert db1.get("port").id == second.id
    assert [(each.content, each.state) for each in db1.history("port")] == [
        ("5432", "superseded"),
        ("6432", "active"),
    ]


@pytest.mark.capability("AIM-16", "AIM-23", "AIM-24")
def test_what_is_omitted_stays_as_it_was(m: MemoryClient) -> None:
    db1 = m.layers.entity("db1")
    db1.set("port", "5432", tags=["ops"], metadata={"env": "prod"}, importance=0.9, pinned=True)

    db1.set("port", "6432", merge_metadata={"by": "neo"})

    value = db1["port"]
    assert (value.tags, value.importance, value.pinned) == (("ops",), 0.9, True)
    assert value.metadata == {"env": "prod", "by": "neo"}


def test_the_same_value_again_changes_the_fields_that_are_named(m: MemoryClient) -> None:
    db1 = m.layers.entity("db1")
    first = db1.set("port", "5432", tags=["ops"])

    again = db1.set("port", "5432", metadata={"env": "prod"})

    assert again.id == first.id
    assert (db1["port"].metadata, db1["port"].tags) == ({"env": "prod"}, ("ops",))
    assert contents(db1.history("port")) == ["5432"]


def test_the_same_value_for_others_is_a_value_of_its_own(m: MemoryClient) -> None:
    db1 = m.layers.entity("db1")
    db1.set("port", "5432")

    db1.set("port", "5432", visibility=["global"])

    assert db1["port"].visibility == ("global",)
    assert [each.state for each in db1.history("port")] == ["superseded", "active"]


def test_a_value_that_somebody_else_said_before_is_taken_over_whoever_speaks(
    m: MemoryClient,
) -> None:
    db1 = m.layers.entity("db1")
    db1.set("port", "5432", actor="user:alice")

    db1.set("port", "6432")

    assert db1["port"].content == "6432"
    assert m.browse() == [db1["port"]]


@pytest.mark.capability("AIM-25", "AIM-29")
def test_a_value_that_was_deleted_is_gone_and_no_older_one_comes_back(m: MemoryClient) -> None:
    db1 = m.layers.entity("db1")
    db1.set("port", "5432")
    db1.set("port", "6432")

    db1.delete("port")

    assert db1.get("port") is None
    assert m.search("port of db1") == []
    with pytest.raises(NotFound):
        db1.delete("port")


def test_the_attributes_of_an_entity_are_its_values_that_hold(m: MemoryClient) -> None:
    db1 = m.layers.entity("db1")
    for name, value in (("port", "5432"), ("engine", "Postgres"), ("port", "6432")):
        db1.set(name, value)
    m.layers.entity("db2").set("disk", "2 TB")

    held = {name: value.content for name, value in db1.attributes().items()}

    assert held == {"engine": "Postgres", "port": "6432"}


def test_a_value_of_before_is_had_as_of_then(fixed: tuple[MemoryClient, FakeClock]) -> None:
    m, clock = fixed
    db1 = m.layers.entity("db1")
    db1.set("port", "5432")
    then = datetime.fromtimestamp(clock.now_ms() / 1000, UTC)
    clock.advance(days=30)
    db1.set("port", "6432")

    assert db1.get("port", as_of=then + timedelta(days=1)).content == "5432"
    assert db1.attributes(as_of=then)["port"].content == "5432"
    assert db1.get("port").content == "6432"


def test_a_value_that_begins_later_holds_from_then_on(
    fixed: tuple[MemoryClient, FakeClock],
) -> None:
    m, clock = fixed
    db1 = m.layers.entity("db1")
    db1.set("port", "5432")
    later = datetime.fromtimestamp(clock.now_ms() / 1000, UTC) + timedelta(days=2)
    db1.set("port", "6432", valid_from=later)

    before, told = db1["port"].content, contents(db1.history("port"))
    clock.advance(days=3)

    assert (before, told) == ("5432", ["5432"])
    assert db1["port"].content == "6432"
    assert contents(db1.history("port")) == ["5432", "6432"]


def test_the_last_values_of_a_long_history_are_told(m: MemoryClient) -> None:
    db1 = m.layers.entity("db1")
    for port in range(5000, 5005):
        db1.set("port", str(port))

    assert contents(db1.history("port", limit=2)) == ["5003", "5004"]
    assert db1.history("port", limit=0) == []


def test_many_who_set_it_at_once_leave_one_value_and_all_of_the_history(tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "memory.db") as m:
        db1 = m.layers.entity("db1")

        def run(writer: int) -> None:
            for n in range(10):
                db1.set("port", f"{writer}-{n}", actor=f"user:{writer}")

        with ThreadPoolExecutor(6) as pool:
            list(pool.map(run, range(6)))

        told = db1.history("port", limit=100)
        assert len(told) == 60
        assert [each.state for each in told].count("active") == 1
        assert m.admin.check() == []


# Names


def test_a_misspelt_attribute_is_none_and_as_an_item_names_the_nearest(m: MemoryClient) -> None:
    db1 = m.layers.entity("db1")
    db1.set("port", "5432")

    assert db1.get("prot") is None
    with pytest.raises(NotFound, match="did you mean 'port'"):
        db1["prot"]


def test_what_only_others_have_set_is_not_deleted_and_the_error_says_whose_it_is(
    m: MemoryClient,
) -> None:
    m.layers.entity("db1", requester_agent_id="neo").set("port", "5432", visibility=["global"])

    with pytest.raises(NotFound, match="is by 'neo'"):
        m.layers.entity("db1", requester_agent_id="ada").delete("port")


def test_a_misspelt_entity_names_the_nearest(m: MemoryClient) -> None:
    m.layers.entity("billing-db").set("port", "5432")

    with pytest.raises(NotFound, match="did you mean 'billing-db'"):
        m.layers.entity("biling-db")["port"]


def test_names_are_compared_in_one_form_of_unicode_and_by_case(m: MemoryClient) -> None:
    m.layers.entity("Café").set("größe", "12")

    assert m.layers.entity("Cafe\u0301").get("gro\u0308ße").content == "12"
    assert m.layers.entity("café").get("größe") is None


@pytest.mark.capability("AIM-10", "MEMU-66")
@pytest.mark.parametrize("kind", ["user", "project", "server", "contact", "spaceship"])
def test_a_kind_is_any_word_and_the_name_alone_finds_it(m: MemoryClient, kind: str) -> None:
    m.layers.entity(f"{kind}:apollo").set("state", "ready")

    assert m.layers.entity("apollo")["state"].content == "ready"
    assert [(each.name, each.kind) for each in m.layers.entities(kind=kind)] == [
        (f"{kind}:apollo", kind)
    ]
    assert m.layers.entities(kind="other") == []


def test_what_is_set_by_the_name_alone_is_set_of_the_one_that_is_there(m: MemoryClient) -> None:
    m.layers.entity("user:alice").set("city", "Porto")

    m.layers.entity("alice").set("city", "Oslo")

    assert m.layers.entity("user:alice")["city"].content == "Oslo"
    assert [each.name for each in m.layers.entities()] == ["user:alice"]


def test_a_name_of_several_is_an_error_that_names_them(m: MemoryClient) -> None:
    m.layers.entity("user:apollo").set("city", "Oslo")
    m.layers.entity("project:apollo").set("state", "ready")

    with pytest.raises(InvalidInput, match="'project:apollo' or 'user:apollo'"):
        m.layers.entity("apollo").get("state")


def test_the_attributes_of_a_subject_are_those_of_the_entity_of_its_name(m: MemoryClient) -> None:
    m.add("Oslo", subject="user:alice", attribute="city")
    m.add("tea", subject="user:alice", entity="user:alice", attribute="drink")
    m.add("blue", entity="user:alice", attribute="colour")

    assert sorted(m.layers.entity("user:alice").attributes()) == ["city", "colour", "drink"]
    m.layers.entity("user:alice").set("colour", "red")
    assert contents(m.layers.entity("user:alice").history("colour")) == ["blue", "red"]


def test_an_entity_of_one_subject_is_not_that_of_another(m: MemoryClient) -> None:
    m.layers.entity("dog", subject="user:alice").set("name", "Rex")
    m.layers.entity("dog", subject="user:bob").set("name", "Fido")

    assert m.layers.entity("dog", subject="user:alice")["name"].content == "Rex"
    assert m.layers.entity("dog").get("name") is None
    assert {each.subject for each in m.layers.entities()} == {"user:alice", "user:bob"}
    assert len(m.layers.entities(subject="user:bob")) == 1


def test_the_entity_written_last_is_listed_first(fixed: tuple[MemoryClient, FakeClock]) -> None:
    m, clock = fixed
    for name in ("db1", "db2", "db1"):
        clock.advance(seconds=1)
        m.layers.entity(name).set(f"at {clock.now_ms()}", "x")

    assert [(each.name, each.attributes) for each in m.layers.entities()] == [
        ("db1", 2),
        ("db2", 1),
    ]
    assert len(m.layers.entities(limit=1)) == 1
    assert m.layers.entities()[0].updated_at.timestamp() * 1000 == clock.now_ms()


@pytest.mark.parametrize("name", ["", " ", "a\nb", 7, None])
def test_a_malformed_name_is_refused(m: MemoryClient, name: object) -> None:
    with pytest.raises(InvalidInput):
        m.layers.entity(name)
    with pytest.raises(InvalidInput):
        m.layers.entity("db1").get(name)


# Who sees what


@pytest.mark.capability("AMOS-016", "MEMU-73")
def test_a_bound_view_knows_the_entities_of_its_subject_alone(m: MemoryClient) -> None:
    m.layers.entity("dog", subject="user:bob").set("name", "Fido")
    m.layers.entity("dog").set("name", "Laika")
    alice = m.as_agent("local", subject="user:alice")

    assert alice.layers.entity("dog").get("name") is None
    alice.layers.entity("dog").set("name", "Rex")
    alice.layers.entity("alice").set("city", "Oslo")
    assert {(each.name, each.subject) for each in alice.layers.entities()} == {
        ("dog", "user:alice"),
        ("user:alice", "user:alice"),
    }
    assert alice.layers.entity("user:bob").attributes() == {}
    with pytest.raises(NotPermitted):
        alice.layers.entity("dog", subject="user:bob")


def test_a_shared_bound_view_reads_what_has_no_subject_and_writes_its_own(
    m: MemoryClient,
) -> None:
    m.layers.entity("office").set("city", "Oslo")
    alice = m.as_agent("local", subject="user:alice", shared=True)

    assert alice.layers.entity("office")["city"].content == "Oslo"
    alice.layers.entity("office").set("city", "Porto")
    assert m.layers.entity("office")["city"].content == "Oslo"
    with pytest.raises(NotFound):
        alice.layers.entity("office").delete("state")


@pytest.mark.capability("AMOS-016", "AMOS-019")
def test_what_others_keep_to_themselves_changes_no_answer(m: MemoryClient) -> None:
    m.layers.entity("db1", requester_agent_id="neo").set("port", "5432", visibility=["global"])
    m.layers.entity("db1", requester_agent_id="spy").set("port", "6666")
    m.layers.entity("server:db2", requester_agent_id="spy").set("port", "7777")

    of_neo = m.layers.entity("db1", requester_agent_id="neo")
    assert contents(of_neo.history("port")) == ["5432"]
    assert of_neo["port"].content == "5432"
    assert m.layers.entity("db2", requester_agent_id="neo").get("port") is None
    with pytest.raises(NotFound) as raised:
        m.layers.entity("db3", requester_agent_id="neo")["port"]
    assert "db2" not in str(raised.value)


def test_of_values_of_several_owners_the_one_that_began_last_is_had(
    fixed: tuple[MemoryClient, FakeClock],
) -> None:
    m, clock = fixed
    m.layers.entity("db1", requester_agent_id="ada").set("port", "5432", visibility=["global"])
    clock.advance(days=1)

    other = m.layers.entity("db1", requester_agent_id="neo").set("port", "6432")

    assert other.verdict == "conflict"
    assert m.layers.entity("db1", requester_agent_id="neo")["port"].content == "6432"
    assert m.layers.entity("db1", requester_agent_id="ada")["port"].content == "5432"


@pytest.mark.capability("AIM-58")
def test_what_has_expired_is_in_no_read_of_an_entity(
    fixed: tuple[MemoryClient, FakeClock],
) -> None:
    m, clock = fixed
    m.add("5521", entity="door", attribute="code", ttl=timedelta(seconds=30))
    clock.advance(minutes=1)

    door = m.layers.entity("door")
    assert (door.get("code"), door.attributes(), door.history("code")) == (None, {}, [])
    assert m.layers.entities() == []


# Beside the other ways


def test_a_value_is_found_by_the_names_of_what_it_is_of(m: MemoryClient) -> None:
    value = m.add("6432", entity="server:billing", attribute="listen port")

    assert m.search("which port does billing listen on?").ids == (value.id,)
    assert "listen port of server:billing] 6432" in str(m.context_pack("billing port"))


def test_equal_values_of_different_things_all_stand_in_a_pack(m: MemoryClient) -> None:
    for name in ("db1", "db2"):
        m.layers.entity(name).set("port", "5432")

    text = str(m.context_pack("which port has db1 or db2?"))

    assert "port of db1] 5432" in text
    assert "port of db2] 5432" in text


def test_a_value_that_names_what_it_is_of_is_told_without(m: MemoryClient) -> None:
    m.add("Ana lives in Lisbon", entity="user:Ana", attribute="residence")

    assert "residence of" not in str(m.context_pack("where does Ana live?"))


@pytest.mark.capability("AIM-33")
def test_values_are_filtered_by_what_they_are_of(m: MemoryClient) -> None:
    value = m.add("6432", entity="db1", attribute="port")
    m.add("The port is open")

    assert m.search("port", where={"attribute": {"$exists": True}}).ids == (value.id,)
    assert m.search("port", where={"entity": "db1"}).ids == (value.id,)


def test_what_is_forgotten_leaves_nothing_of_its_names(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        server = m.layers.entity("zanzibar-server")
        for port in ("5432", "6432"):
            server.set("secretport", port)
        receipts = [m.forget(each.id, verify=True) for each in server.history("secretport")]

    assert [receipt.complete for receipt in receipts] == [True, True]
    left = path.read_bytes()
    assert b"zanzibar" not in left
    assert b"secretport" not in left


@pytest.mark.capability("AIM-44")
def test_an_entity_is_awaited() -> None:
    async def run() -> tuple[str, list[str], dict]:
        async with AsyncMemoryClient(":memory:") as m:
            db1 = m.layers.entity("db1")
            await db1.set("port", "5432")
            await m.as_agent("local").layers.entity("db1").set("port", "6432")
            found = await db1.get("port")
            told = [each.content for each in await db1.history("port")]
            await db1.delete("port")
            return found.content, told, await db1.attributes()

    assert asyncio.run(run()) == ("6432", ["5432", "6432"], {})


# As a mapping


def test_an_entity_is_read_as_a_mapping_of_its_attributes(m: MemoryClient) -> None:
    db1 = m.layers.entity("db1")
    db1.set("port", "5432")
    db1.set("owner", "ops")

    assert "port" in db1
    assert "prot" not in db1
    assert 0 not in db1
    assert "" not in db1
    assert (list(db1), len(db1)) == (["owner", "port"], 2)
    assert dict(db1) == db1.attributes()


def test_get_returns_the_default_where_there_is_no_value(m: MemoryClient) -> None:
    db1 = m.layers.entity("db1")
    db1.set("port", "5432")

    assert db1.get("owner", "nobody") == "nobody"
    assert db1.get("port", "nobody").content == "5432"
