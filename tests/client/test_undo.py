"""Undoing: what was done last to a memory is taken back, step by step."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from agent_memory_os import InvalidInput, MemoryClient, NotFound, NotPermitted
from agent_memory_os.testing import FakeClock, FakeEmbedder, memory_client


def kinds(m: MemoryClient, memory_id: str) -> list[str]:
    return [change.kind for change in m.history(memory_id)]


def superseded(m: MemoryClient) -> tuple[str, str]:
    """Return a port that another one has taken the place of, and that one."""
    old = m.add("The deploy port of staging is 8000")
    new = m.add("The deploy port of staging is 8080", supersedes=[old.id])
    return old.id, new.id


def test_an_update_is_taken_back_and_the_history_says_so(m: MemoryClient) -> None:
    added = m.add("The door is blue", tags=["door"])
    m.update(added.id, content="The door is red", tags=["red"], importance=0.9)

    receipt = m.undo(added.id)

    memory = m.get(added.id)
    assert (memory.content, memory.tags, memory.importance) == ("The door is blue", ("door",), 0.5)
    assert receipt.memory == memory
    assert "update" in receipt.why
    assert kinds(m, added.id) == ["update", "undo"]
    assert m.search("red").ids == ()


def test_undoing_twice_goes_one_step_further_back(m: MemoryClient) -> None:
    added = m.add("one")
    m.update(added.id, content="two")
    m.update(added.id, content="three")

    said = [m.undo(added.id).memory.content for _ in range(2)]

    assert said == ["two", "one"]
    with pytest.raises(InvalidInput, match="nothing to undo"):
        m.undo(added.id)


def test_what_was_done_after_an_undo_is_undone_first(m: MemoryClient) -> None:
    added = m.add("one")
    m.update(added.id, content="two")
    m.update(added.id, content="three")
    m.undo(added.id)
    m.update(added.id, content="four")

    said = [m.undo(added.id).memory.content for _ in range(2)]

    assert said == ["two", "one"]


def test_a_merge_is_taken_back(m: MemoryClient) -> None:
    added = m.add("The door is blue", importance=0.2)
    merged = m.add("the door is blue.", tags=["door"], importance=0.9)
    assert merged.verdict == "merged"

    memory = m.undo(added.id).memory

    assert (memory.tags, memory.importance, memory.mentions) == ((), 0.2, 1)


@pytest.mark.parametrize("which", [0, 1], ids=["the old", "the new"])
def test_a_supersession_is_taken_back_by_either_id(m: MemoryClient, which: int) -> None:
    pair = superseded(m)
    assert m.get(pair[0]) is None

    receipt = m.undo(pair[which])

    assert {memory.id for memory in m.browse()} == {*pair}
    assert "place" in receipt.why
    assert kinds(m, pair[0]) == []


def test_a_supersession_by_an_update_goes_back_with_it(m: MemoryClient) -> None:
    old = m.add("The deploy port of staging is 8000", subject="server:db1").id
    other = m.add("Lunch is at noon", subject="server:db1").id
    updated = m.update(other, content="The deploy port of staging is now 8080")
    assert updated.superseded == (old,)

    m.undo(other)

    assert m.get(other).content == "Lunch is at noon"
    assert m.get(old) is not None


def test_a_chain_of_supersessions_is_undone_link_by_link(m: MemoryClient) -> None:
    a = m.add("The lead is Ada").id
    b = m.add("The lead is Bob", supersedes=[a]).id
    c = m.add("The lead is Cleo", supersedes=[b]).id

    m.undo(b)
    assert {memory.id for memory in m.browse()} == {b, c}
    m.undo(b)

    assert {memory.id for memory in m.browse()} == {a, b, c}


@pytest.mark.capability("MEMU-78")
def test_superseding_in_a_circle_is_refused_and_the_history_stays_in_order(
    m: MemoryClient,
) -> None:
    """FC-119."""
    a = m.add("The lead is Ada", entity="apollo", attribute="lead").id
    b = m.add("The lead is Bob", entity="apollo", attribute="lead").id
    again = m.add("The lead is Ada", entity="apollo", attribute="lead").id

    for older in (a, b):
        with pytest.raises(NotFound):  # it has left recall, and takes no place any more
            m.link(older, again, relation="supersedes")
        with (
            pytest.raises(InvalidInput, match="took its place before"),
            m._parts.store.write() as tx,
        ):
            tx.supersede(older, again, by="local")

    assert [memory.id for memory in m.browse()] == [again]
    told = {each: m.history(each) for each in (a, b, again)}
    assert [(change.kind, change.other) for change in told[a]] == [("superseded", b)]
    assert [(change.kind, change.other) for change in told[b]] == [("superseded", again)]
    assert told[again] == []


def test_an_archive_is_taken_back(m: MemoryClient) -> None:
    added = m.add("The door is blue")
    m.admin.archive([added.id])

    receipt = m.undo(added.id)

    assert m.search("blue door").ids == (added.id,)
    assert receipt.why.startswith("the archive of ")


def test_a_delete_is_taken_back_with_what_went_with_it(m: MemoryClient) -> None:
    source = m.add("Ada said that the door is blue").id
    derived = m.add("The door is blue", evidence=[source]).id
    m.delete(source)
    assert m.get_many([source, derived]) == []

    m.undo(source)

    assert m.search("blue door").ids
    assert [memory.id for memory in m.get_many([source, derived])] == [source, derived]
    m.delete(source)
    assert m.get(derived) is None


def test_what_comes_back_is_shared_with_no_more_than_its_source(m: MemoryClient) -> None:
    source = m.add("Ada said that the door is blue", visibility=["global"]).id
    derived = m.add("The door is blue", evidence=[source], visibility=["global"]).id
    m.delete(derived)
    m.revoke(source, ["global"])

    receipt = m.undo(derived)

    assert m.get(derived).visibility == ()
    assert m.get(derived, requester_agent_id="trinity") is None
    assert receipt.id == derived


def test_what_comes_back_ends_no_later_than_its_source(m: MemoryClient) -> None:
    source = m.add("Ada said that the door is blue").id
    derived = m.add("The door is blue", evidence=[source]).id
    m.update(derived, content="The door is dark blue")
    end = m.update(source, ttl=timedelta(hours=1)).memory.expires_at

    m.undo(derived)

    assert m.get(derived).expires_at == end


def test_what_rests_on_what_was_deleted_does_not_come_back(m: MemoryClient) -> None:
    source = m.add("Ada said that the door is blue").id
    derived = m.add("The door is blue", evidence=[source]).id
    m.delete(derived)
    m.delete(source)

    with pytest.raises(InvalidInput, match="derived from was deleted"):
        m.undo(derived)

    assert m.get(derived) is None


def test_a_key_that_was_given_away_is_not_taken_back(m: MemoryClient) -> None:
    first = m.add("The theme is light", key="theme").id
    m.delete(first)
    m.add("The theme is dark", key="theme")

    with pytest.raises(InvalidInput, match="names another one"):
        m.undo(first)

    assert m.get(first) is None


def test_a_merger_of_twins_is_taken_back(m: MemoryClient) -> None:
    first = m.add("The door is blue").id
    second = m.add("The door is blue", tags=["door"], on_duplicate="store").id
    m.consolidate()
    assert len(m.browse()) == 1

    m.undo(first)

    assert {memory.id for memory in m.browse()} == {first, second}
    assert m.get(first).tags == ()


def test_undoing_keeps_what_contradicts_in_sight(m: MemoryClient) -> None:
    added = m.add("The deploy port of staging is 8000", subject="server:db1").id
    m.update(added, content="Lunch is at noon")
    other = m.add("The deploy port of staging is 8080", subject="server:db1").id

    receipt = m.undo(added)

    assert receipt.conflicts == (other,)
    assert {memory.id for memory in m.browse()} == {added, other}


def test_others_undo_nothing_and_learn_nothing(m: MemoryClient) -> None:
    private = m.add("one", owner="neo").id
    shared = m.add("two", owner="neo", visibility=["global"]).id
    m.update(private, content="three", requester_agent_id="neo")

    for memory_id in (private, "f" * 25):
        with pytest.raises(NotFound, match="there is no memory"):
            m.undo(memory_id, requester_agent_id="trinity")
    with pytest.raises(NotPermitted, match="only its owner may"):
        m.undo(shared, requester_agent_id="trinity")
    m.delete(shared, requester_agent_id="neo")
    with pytest.raises(NotFound):
        m.undo(shared, requester_agent_id="trinity")


def test_a_bound_view_undoes_what_is_of_its_subject_alone(m: MemoryClient) -> None:
    of_bob = m.add("one", owner="bot", subject="user:bob").id
    m.update(of_bob, content="two", requester_agent_id="bot")

    with pytest.raises(NotFound):
        m.as_agent("bot", subject="user:alice").undo(of_bob)

    assert m.as_agent("bot", subject="user:bob").undo(of_bob).memory.content == "one"


def test_what_has_expired_or_was_forgotten_is_not_undone() -> None:
    clock = FakeClock()
    with memory_client(clock=clock) as m:
        brief = m.add("one", ttl=timedelta(hours=1)).id
        m.update(brief, content="two")
        gone = m.add("three").id
        m.update(gone, content="four")
        m.forget(gone)
        clock.advance(hours=2)

        for memory_id in (brief, gone):
            with pytest.raises(NotFound):
                m.undo(memory_id)


def test_what_comes_back_has_its_vector_again() -> None:
    with MemoryClient(":memory:", embed=FakeEmbedder()) as m:
        added = m.add("one").id
        m.update(added, content="two")
        m.undo(added)
        m.delete(added)
        m.undo(added)

        assert m.admin.reembed().embedded == 0
        assert m.admin.check() == []


def test_an_undone_delete_stays_undone_in_a_backup(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with MemoryClient(tmp_path / "memory.db") as m:
        added = m.add("The door is blue").id
        m.delete(added)
        m.undo(added)
        copy = m.admin.backup(tmp_path / "copy.db")

        m.admin.restore_backup(copy.path, force=True)

        assert m.get(added).content == "The door is blue"
        assert m.admin.check() == []


def test_what_was_superseded_through_another_goes_back_with_it(m: MemoryClient) -> None:
    a = m.add("The lead is Ada", visibility=["global"]).id
    b = m.add("The lead is Bob", supersedes=[a]).id
    c = m.add("The lead is Cleo", supersedes=[b], visibility=["global"]).id
    assert m.get(a, requester_agent_id="trinity") is None

    m.undo(c)
    assert {memory.id for memory in m.browse()} == {b, c}
    assert m.get(a, requester_agent_id="trinity") is not None
    m.undo(a)

    assert {memory.id for memory in m.browse()} == {a, b, c}


def test_a_source_comes_back_though_the_name_of_what_went_with_it_was_given_away(
    m: MemoryClient,
) -> None:
    told = m.add("Alice: tea, please", layer=0).id
    gone = m.add("Alice drinks tea", key="drink", evidence=[told]).id
    m.delete(told)
    new = m.add("Alice drinks coffee", key="drink").id

    m.undo(told)

    assert {memory.id for memory in m.browse()} == {told, new}
    with pytest.raises(InvalidInput, match="names another one now"):
        m.undo(gone)


@pytest.mark.capability("AMOS-016")
@pytest.mark.parametrize("way", ["its key", "its key, for everybody", "update and share"])
def test_what_comes_back_is_shared_with_no_more_than_could_read_it(
    m: MemoryClient, way: str
) -> None:
    """What was private when it was replaced had become everybody's."""
    plan = m.add("the salary is 90k", key="plan", visibility=["agent:ada"]).id
    if way == "its key":
        m.add("the plan", key="plan", visibility=["agent:ada", "agent:bob"])
    elif way == "its key, for everybody":
        m.add("the plan", key="plan", visibility=["global"])
    else:
        m.update(plan, content="the plan")
        m.share(plan, ["agent:bob"])

    undone = m.undo(plan)

    assert undone.memory.content == "the salary is 90k"
    assert undone.memory.visibility == ("agent:ada",)
    assert undone.why.endswith("; it is shared with no more than it was then")
    assert m.get(plan, requester_agent_id="ada") is not None
    assert m.get(plan, requester_agent_id="bob") is None
    assert m.history(plan, requester_agent_id="bob") == []


def test_a_share_outlives_the_undoing_of_what_tells_nobody_anything(m: MemoryClient) -> None:
    plan = m.add("the plan").id
    m.update(plan, importance=0.9)
    m.share(plan, ["agent:bob"])

    undone = m.undo(plan)

    assert (undone.memory.importance, undone.memory.visibility) == (0.5, ("agent:bob",))


@pytest.mark.parametrize("way", ["undo of the newer", "undo of the older", "unlink"])
def test_what_was_superseded_stays_so_once_its_key_names_another(m: MemoryClient, way: str) -> None:
    """It had been an error of SQLite's, about a constraint."""
    old = m.add("8000", attribute="port", key="port").id
    new = m.add("9000", attribute="port").id
    other = m.add("8001", key="port").id

    take_back: dict[str, Callable[[], object]] = {
        "undo of the newer": lambda: m.undo(new),
        "undo of the older": lambda: m.undo(old),
        "unlink": lambda: m.unlink(new, old, relation="supersedes"),
    }

    with pytest.raises(InvalidInput, match="its key 'port' names another one now"):
        take_back[way]()

    assert {memory.id for memory in m.browse()} == {new, other}


def test_a_source_comes_back_though_a_concept_that_went_with_it_lacks_another() -> None:
    with memory_client() as m:
        texts = ["The kiln is hot", "The kiln is red", "The kiln is old"]
        ids = [m.add(text).id for text in texts]
        for _ in range(9):
            m.record_recall(ids)
        (concept,) = m.consolidate().concepts
        m.delete(ids[0])
        m.delete(ids[1])

        m.undo(ids[0])

        assert {memory.id for memory in m.browse()} == {ids[0], ids[2]}
        assert m.get(concept) is None
