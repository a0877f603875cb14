"""Links: who may make and see them, and what is reached over them."""

import sqlite3
import threading
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from agent_memory_os import (
    AgentMemory,
    InvalidInput,
    MemoryClient,
    Neighbor,
    NotFound,
    NotPermitted,
)
from agent_memory_os.testing import FakeClock

UNKNOWN_ID = "f" * 25
SHOWN = ["global"]


def added(view: MemoryClient | AgentMemory, *contents: str, **fields: Any) -> list[str]:
    """Return the ids of new memories."""
    return [view.add(content, **fields).id for content in contents]


def ids(found: Sequence[Neighbor]) -> list[str]:
    return [each.id for each in found]


# Making and seeing


@pytest.mark.capability("AMOS-027")
def test_two_memories_are_linked_with_a_relation_and_a_weight(m: MemoryClient) -> None:
    a, b = added(m, "Staging failed with a lock.", "Snapshot before schema changes.")

    link = m.link(a, b, relation="caused_by", weight=0.8)

    assert (link.source_id, link.target_id, link.owner) == (a, b, "local")
    assert (link.relation, link.weight) == ("caused_by", 0.8)
    (neighbor,) = m.neighbors(a)
    assert neighbor == Neighbor(m.get(b), 1, 0.8, ("caused_by",), "out", a)
    (back,) = m.neighbors(b)
    assert back == Neighbor(m.get(a), 1, 0.8, ("caused_by",), "in", b)


def test_a_link_has_a_default_relation_and_the_whole_weight(m: MemoryClient) -> None:
    a, b = added(m, "tea", "milk")

    link = m.link(a, b)

    assert (link.relation, link.weight) == ("related_to", 1.0)


@pytest.mark.parametrize("relation", ["blocks", "hängt ab von", "导致", "next"])
def test_any_word_is_a_relation(m: MemoryClient, relation: str) -> None:
    a, b = added(m, "tea", "milk")

    m.link(a, b, relation=relation)

    assert m.neighbors(a)[0].relations == (relation,)
    assert ids(m.neighbors(a, relations=[relation])) == [b]
    assert m.neighbors(a, relations=["another"]) == []


def test_linking_again_changes_the_weight_of_the_same_link(m: MemoryClient) -> None:
    a, b = added(m, "tea", "milk")
    first = m.link(a, b, weight=0.9)

    second = m.link(a, b, weight=0.2)

    assert second.created_ms == first.created_ms
    assert second.version > first.version
    assert [each.weight for each in m.neighbors(a)] == [0.2]


def test_several_links_of_two_memories_are_one_neighbour(m: MemoryClient) -> None:
    a, b = added(m, "tea", "milk", visibility=SHOWN)
    m.link(a, b, relation="next", weight=0.5)
    m.link(b, a, relation="contradicts", weight=0.7)
    m.link(a, b, relation="next", weight=0.3, requester_agent_id="neo")

    (neighbor,) = m.neighbors(a)

    assert neighbor.relations == ("contradicts", "next")
    assert (neighbor.weight, neighbor.direction) == (0.7, "both")


def test_a_memory_is_not_linked_to_itself(m: MemoryClient) -> None:
    (a,) = added(m, "tea")

    with pytest.raises(InvalidInput, match="another memory"):
        m.link(a, a)


def test_a_weight_is_kept_to_six_places(m: MemoryClient) -> None:
    a, b = added(m, "tea", "milk")

    assert m.link(a, b, weight=0.1 + 0.2).weight == m.neighbors(a)[0].weight == 0.3


@pytest.mark.capability("AMOS-027", "AMOS-017")
@pytest.mark.parametrize("turned", [False, True])
def test_both_ends_must_be_visible_to_who_links_them(m: MemoryClient, turned: bool) -> None:
    (shown,) = added(m, "shown", owner="ada", visibility=SHOWN)
    (hidden,) = added(m, "hidden", owner="ada")

    def try_to_link(other: str) -> str:
        ends = (other, shown) if turned else (shown, other)
        with pytest.raises(NotFound) as error:
            m.link(*ends, requester_agent_id="neo")
        return str(error.value)

    assert try_to_link(hidden).replace(hidden, "x") == try_to_link(UNKNOWN_ID).replace(
        UNKNOWN_ID, "x"
    )
    assert m.neighbors(shown, requester_agent_id="ada") == []


def test_whoever_sees_two_memories_may_link_them(m: MemoryClient) -> None:
    a, b = added(m, "tea", "milk", owner="ada", visibility=SHOWN)

    m.link(a, b, requester_agent_id="neo")

    assert ids(m.neighbors(a, requester_agent_id="zoe")) == [b]


# Unlinking


def test_who_linked_may_unlink_one_relation_or_all(m: MemoryClient) -> None:
    a, b = added(m, "tea", "milk")
    for relation in ("next", "caused_by", "contradicts"):
        m.link(a, b, relation=relation)

    assert m.unlink(a, b, relation="next") == 1
    assert m.neighbors(a)[0].relations == ("caused_by", "contradicts")
    assert m.unlink(a, b) == 2
    assert m.neighbors(a) == []


def test_unlinking_goes_by_the_arrow(m: MemoryClient) -> None:
    a, b = added(m, "tea", "milk")
    m.link(a, b)

    with pytest.raises(NotFound, match="no link"):
        m.unlink(b, a)
    with pytest.raises(NotFound, match="no link of relation 'next'"):
        m.unlink(a, b, relation="next")

    assert ids(m.neighbors(a)) == [b]


def test_only_who_linked_may_unlink(m: MemoryClient) -> None:
    a, b = added(m, "tea", "milk", owner="ada", visibility=SHOWN)
    m.link(a, b, requester_agent_id="neo", weight=0.5)

    with pytest.raises(NotPermitted, match="only who linked"):
        m.unlink(a, b, requester_agent_id="ada")
    m.link(a, b, requester_agent_id="ada", weight=0.9)
    assert m.unlink(a, b, requester_agent_id="ada") == 1

    assert [each.weight for each in m.neighbors(a, requester_agent_id="ada")] == [0.5]


@pytest.mark.capability("AMOS-016")
def test_an_invisible_link_is_as_absent_as_one_that_is_not_there(m: MemoryClient) -> None:
    (shown,) = added(m, "shown", owner="ada", visibility=SHOWN)
    (hidden,) = added(m, "hidden", owner="ada")
    m.link(shown, hidden, requester_agent_id="ada")

    def message(other: str) -> str:
        with pytest.raises(NotFound) as error:
            m.unlink(shown, other, requester_agent_id="neo")
        return str(error.value).replace(other, "x")

    assert message(hidden) == message(UNKNOWN_ID)


def test_what_was_unlinked_may_be_linked_again(m: MemoryClient) -> None:
    a, b = added(m, "tea", "milk")
    first = m.link(a, b)
    m.unlink(a, b)

    with pytest.raises(NotFound):
        m.unlink(a, b)
    again = m.link(a, b, weight=0.4)

    assert again.version > first.version
    assert [each.weight for each in m.neighbors(b)] == [0.4]


# The gate


@pytest.mark.capability("AMOS-039", "AMOS-046", "MEMU-40")
def test_an_invisible_memory_is_no_bridge(m: MemoryClient) -> None:
    a, c = added(m, "first", "last", owner="ada", visibility=SHOWN)
    (b,) = added(m, "between", owner="ada")
    m.link(a, b, requester_agent_id="ada")
    m.link(b, c, requester_agent_id="ada")

    assert ids(m.neighbors(a, depth=2, requester_agent_id="ada")) == [b, c]
    assert m.neighbors(a, depth=5, requester_agent_id="neo") == []


def test_leaving_a_team_takes_its_links_along(m: MemoryClient) -> None:
    m.org.create_team("apollo")
    for agent in ("ada", "neo"):
        m.org.add_team_member("apollo", agent)
    (a,) = added(m, "mine", owner="neo", visibility=["team:apollo"])
    (b,) = added(m, "theirs", owner="ada", visibility=["team:apollo"])
    m.link(a, b, requester_agent_id="ada")
    assert ids(m.neighbors(a, requester_agent_id="neo")) == [b]

    m.org.remove_team_member("apollo", "neo")

    assert m.neighbors(a, requester_agent_id="neo") == []


def test_a_deleted_and_an_expired_memory_have_no_links() -> None:
    clock = FakeClock()
    with MemoryClient(":memory:", clock=clock) as m:
        a, b = added(m, "tea", "milk")
        (c,) = added(m, "sugar", ttl=timedelta(hours=1))
        m.link(a, b)
        m.link(a, c)

        m.delete(b)
        assert ids(m.neighbors(a)) == [c]
        clock.advance(hours=1)

        assert m.neighbors(a) == []
        for gone in (b, c):
            with pytest.raises(NotFound):
                m.neighbors(gone)
            with pytest.raises(NotFound):
                m.link(a, gone)
        assert m.admin.check() == []


@pytest.mark.capability("AMOS-038")
def test_links_survive_a_rebuild_and_a_second_opening(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        a, b = added(m, "tea", "milk")
        m.link(a, b, weight=0.6)
        before = m.neighbors(a)
        m.rebuild_indexes()
    with MemoryClient(path) as m:
        assert m.neighbors(a) == before
        assert m.admin.check() == []


# Bound views


@pytest.fixture
def subjects(m: MemoryClient) -> dict[str, str]:
    """Return a memory about alice, one about bob and one about nobody, all of agent bot."""
    return {
        "alice": m.add("Alice likes tea", owner="bot", subject="user:alice").id,
        "alice again": m.add("Alice rests on Sundays", owner="bot", subject="user:alice").id,
        "bob": m.add("Bob likes tea", owner="bot", subject="user:bob").id,
        "nobody": m.add("Tea is served at five", owner="bot").id,
        "nobody again": m.add("The house has rules", owner="bot").id,
    }


@pytest.mark.capability("MEMU-73")
def test_a_bound_view_walks_over_no_other_subject(
    m: MemoryClient, subjects: dict[str, str]
) -> None:
    for a, b in (("alice", "bob"), ("bob", "nobody"), ("alice", "nobody"), ("bob", "alice again")):
        m.link(subjects[a], subjects[b], requester_agent_id="bot")
    alone = m.as_agent("bot", subject="user:alice")
    shared = m.as_agent("bot", subject="user:alice", shared=True)

    assert alone.neighbors(subjects["alice"], depth=5) == []
    assert ids(shared.neighbors(subjects["alice"], depth=5)) == [subjects["nobody"]]
    assert ids(shared.neighbors(subjects["nobody"])) == [subjects["alice"]]


def test_one_end_of_what_a_bound_view_links_is_about_its_subject(
    m: MemoryClient, subjects: dict[str, str]
) -> None:
    alice = m.as_agent("bot", subject="user:alice", shared=True)

    alice.link(subjects["alice"], subjects["alice again"])
    alice.link(subjects["nobody"], subjects["alice"])

    with pytest.raises(NotPermitted, match="bound to 'user:alice'"):
        alice.link(subjects["nobody"], subjects["nobody again"])
    with pytest.raises(NotFound):
        alice.link(subjects["alice"], subjects["bob"])
    with pytest.raises(NotFound):
        m.as_agent("bot", subject="user:alice").link(subjects["alice"], subjects["nobody"])
    bob = m.as_agent("bot", subject="user:bob", shared=True)
    assert bob.neighbors(subjects["nobody"]) == []


# What is reached


@pytest.mark.capability("MEMU-39", "MEMU-40")
def test_the_nearest_come_first_then_the_heaviest_then_the_newest(m: MemoryClient) -> None:
    a, light, heavy, newer, far = added(m, "a", "light", "heavy", "newer", "far")
    m.link(a, light, weight=0.3)
    m.link(heavy, a, weight=0.9)
    m.link(a, newer, weight=0.3)
    m.link(light, far, weight=0.5)
    m.link(heavy, far, weight=0.6, relation="next")

    found = m.neighbors(a, depth=2)

    assert ids(found) == [heavy, newer, light, far]
    assert [each.distance for each in found] == [1, 1, 1, 2]
    assert found[3].weight == pytest.approx(0.54)
    assert (found[3].via, found[3].relations, found[3].direction) == (heavy, ("next",), "out")
    for limit in range(5):
        assert m.neighbors(a, depth=2, limit=limit) == found[:limit]


def test_a_circle_ends(m: MemoryClient) -> None:
    a, b, c = added(m, "a", "b", "c")
    for one, other in ((a, b), (b, c), (c, a)):
        m.link(one, other)

    assert ids(m.neighbors(a, depth=5)) == [c, b]


def test_relations_are_followed_all_the_way(m: MemoryClient) -> None:
    a, b, c, d = added(m, "a", "b", "c", "d")
    m.link(a, b, relation="next")
    m.link(b, c, relation="next")
    m.link(b, d, relation="contradicts")

    assert ids(m.neighbors(a, depth=3, relations=["next"])) == [b, c]
    assert ids(m.neighbors(a, depth=3, relations=["next", "contradicts"])) == [b, d, c]


def test_5000_invisible_links_change_no_neighbour(m: MemoryClient) -> None:
    a, b, c = added(m, "a", "b", "c", owner="ada", visibility=SHOWN)
    m.link(a, b, weight=0.1, requester_agent_id="ada")
    m.link(b, c, weight=0.1, requester_agent_id="ada")
    before = m.neighbors(a, depth=2, requester_agent_id="neo")

    receipts = m.add_many([{"content": f"hidden {n}"} for n in range(5_000)], owner="ada")
    with m._parts.store.write() as tx:
        for receipt in receipts:
            tx.link(a, receipt.id, relation="next", weight=1.0, by="ada")
            tx.link(receipt.id, b, relation="next", weight=1.0, by="ada")

    assert m.neighbors(a, depth=2, requester_agent_id="neo") == before


# Robust


@pytest.mark.capability("AMOS-027")
def test_fc_037_twenty_threads_lose_no_memory_and_no_link(m: MemoryClient) -> None:
    made: list[str | None] = [None] * 20
    everybody_has_added = threading.Barrier(20)
    failed: list[BaseException] = []

    def work(number: int) -> None:
        try:
            made[number] = m.add(f"memory number {number}").id
            everybody_has_added.wait(30)
            m.link(str(made[number]), str(made[(number + 1) % 20]), relation="next")
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert failed == []
    assert len(m.browse()) == 20
    assert {memory.id for memory in m.browse()} == {*made}
    linked = {
        (memory_id, each.id)
        for memory_id in made
        for each in m.neighbors(str(memory_id))
        if each.direction == "out"
    }
    assert linked == {(made[number], made[(number + 1) % 20]) for number in range(20)}


def test_a_link_of_a_memory_that_is_gone_is_found(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        a, b = added(m, "tea", "milk")
        m.link(a, b)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("UPDATE links SET dst = 99")
    db.close()

    with MemoryClient(path) as m:
        assert [(each.kind, "links" in each.detail) for each in m.admin.check()] == [
            ("reference", True)
        ]


WRITES: dict[str, Callable[[MemoryClient, str, str], Any]] = {
    "link": lambda m, a, b: m.link(a, b, requester_agent_id="stranger"),
    "unlink": lambda m, a, b: m.unlink(a, b, requester_agent_id="stranger"),
}


@pytest.mark.parametrize("verb", WRITES)
def test_what_is_refused_leaves_nothing_behind(m: MemoryClient, verb: str) -> None:
    a, b = added(m, "tea", "milk")

    with pytest.raises(NotFound):
        WRITES[verb](m, a, b)

    with m._parts.store.read() as snapshot:
        assert not snapshot.knows("stranger")
        assert snapshot.links(a, b) == []
