"""Rejecting: what is marked as wrong leaves recall, and stays away."""

from pathlib import Path

import pytest

from agent_memory_os import InvalidInput, MemoryClient, NotFound, NotPermitted
from agent_memory_os.testing import FakeClock, memory_client

WRONG = "The deploy port of staging is 8080"


def test_what_was_rejected_leaves_recall_and_is_not_stored_again(m: MemoryClient) -> None:
    wrong = m.add(WRONG)

    receipt = m.reject(wrong.id)
    again = m.add("the deploy port of staging is 8080.")

    assert (receipt.verdict, receipt.memory.state) == ("rejected", "deleted")
    assert (again.verdict, again.id, again.memory.state) == ("rejected", wrong.id, "deleted")
    assert again.memory.content == WRONG
    assert m.browse() == []
    assert m.search("deploy port").ids == ()
    assert [change.kind for change in m.history(wrong.id)] == ["reject"]


@pytest.mark.capability("OOM-033")
def test_what_it_had_superseded_comes_back(m: MemoryClient) -> None:
    right = m.add("The deploy port of staging is 8000", subject="server:db1").id
    wrong = m.add(f"{WRONG} now", subject="server:db1", supersedes=[right]).id
    assert m.get(right) is None

    m.reject(wrong)

    assert [memory.id for memory in m.browse()] == [right]
    assert m.search("deploy port")[0].marks == ()


def test_what_contradicts_it_is_marked_no_more(m: MemoryClient) -> None:
    right = m.add("The deploy port of staging is 8000", owner="neo", visibility=["global"]).id
    wrong = m.add(WRONG, owner="trinity", visibility=["global"])
    assert wrong.conflicts == (right,)

    m.reject(wrong.id, requester_agent_id="trinity")

    assert m.search("deploy port of staging")[0].marks == ()
    assert m.neighbors(right, requester_agent_id="neo") == []


def test_override_stores_it_and_lifts_the_rejection(m: MemoryClient) -> None:
    m.reject(m.add(WRONG).id)

    stored = m.add(WRONG, override=True)
    again = m.add(WRONG)

    assert (stored.verdict, again.verdict) == ("stored", "merged")
    assert again.id == stored.id


def test_a_rejection_binds_its_owner_and_subject_alone(m: MemoryClient) -> None:
    m.reject(m.add(WRONG, owner="neo", subject="server:db1").id, requester_agent_id="neo")

    others = [
        m.add(WRONG, owner="neo"),
        m.add(WRONG, owner="neo", subject="server:db2"),
        m.add(WRONG, owner="trinity", subject="server:db1"),
        m.add(f"{WRONG}0", owner="neo", subject="server:db1"),
    ]

    assert [receipt.verdict for receipt in others] == ["stored"] * 4


def test_add_many_and_keys_and_updates_do_not_bring_it_back(m: MemoryClient) -> None:
    m.reject(m.add(WRONG).id)
    other = m.add("Lunch is at noon").id

    many = m.add_many([{"content": WRONG}, {"content": "Tea at four"}])
    keyed = m.add(WRONG, key="port")
    named = m.add("The port is unknown", key="port")
    rewritten = m.add(WRONG, key="port")
    updated = m.update(other, content=WRONG)

    assert [receipt.verdict for receipt in many] == ["rejected", "stored"]
    assert [receipt.verdict for receipt in (keyed, named, rewritten, updated)] == [
        *("rejected", "stored", "rejected", "rejected")
    ]
    assert updated.memory.content == "Lunch is at noon"
    assert {memory.content for memory in m.browse()} == {
        *("Lunch is at noon", "Tea at four", "The port is unknown")
    }


def test_events_are_evidence_and_are_neither_rejected_nor_refused(m: MemoryClient) -> None:
    m.reject(m.add(WRONG).id)

    event = m.add(WRONG, layer=0)

    assert event.verdict == "stored"
    with pytest.raises(InvalidInput, match="is an event"):
        m.reject(event.id)


def test_a_call_with_an_idempotency_key_may_be_repeated_after_a_rejection(
    m: MemoryClient,
) -> None:
    m.reject(m.add(WRONG).id)

    verdicts = [m.add(WRONG, idempotency_key="call-1").verdict for _ in range(2)]
    stored = m.add(WRONG, idempotency_key="call-1", override=True)

    assert verdicts == ["rejected", "rejected"]
    assert stored.verdict == "stored"


def test_all_that_says_the_same_is_rejected_with_it(m: MemoryClient) -> None:
    wrong = m.add(WRONG).id
    twin = m.add(WRONG, on_duplicate="store", type="fact").id
    kept = m.add(WRONG, on_duplicate="store", subject="server:db2").id

    receipt = m.reject(wrong)

    assert [memory.id for memory in m.browse()] == [kept]
    assert "twin" in receipt.why
    assert [change.kind for change in m.history(twin)] == ["reject"]


def test_undoing_a_rejection_brings_all_of_it_back(m: MemoryClient) -> None:
    old = m.add("The deploy port of staging is 8000").id
    wrong = m.add(WRONG, supersedes=[old]).id
    m.reject(wrong)
    assert m.get(old) is not None

    m.undo(wrong)

    assert [memory.id for memory in m.browse()] == [wrong]
    assert m.add(WRONG).verdict == "merged"


def test_readers_learn_no_ids_of_what_it_superseded_for_its_owner(m: MemoryClient) -> None:
    old = m.add("The deploy port of staging is 8000", owner="neo").id
    wrong = m.add(WRONG, supersedes=[old], owner="neo", visibility=["global"]).id
    m.reject(wrong, requester_agent_id="neo")
    m.undo(wrong, requester_agent_id="neo")

    told = m.history(wrong, requester_agent_id="trinity")

    assert old not in repr(told)
    assert old in repr(m.history(wrong, requester_agent_id="neo"))


def test_a_rejection_outlives_its_memory(m: MemoryClient) -> None:
    wrong = m.add(WRONG).id
    m.reject(wrong)

    forgotten = m.forget(wrong, verify=True)
    again = m.add(WRONG, tags=["x"])

    assert forgotten.complete
    assert (again.verdict, again.id, again.memory.content) == ("rejected", wrong, WRONG)
    assert m.get(wrong) is None


@pytest.mark.capability("OOM-033")
def test_a_restored_backup_does_not_bring_it_back(tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "memory.db") as m:
        wrong = m.add(WRONG).id
        copy = m.admin.backup(tmp_path / "copy.db").path
        m.reject(wrong)

        m.admin.restore_backup(copy, force=True)

        assert m.browse() == []
        assert m.add(WRONG).verdict == "rejected"
        assert m.admin.check() == []


def test_a_backup_of_another_store_does_not_bring_it_back(tmp_path: Path) -> None:
    clock = FakeClock()
    with MemoryClient(tmp_path / "other.db", clock=clock) as other:
        other.add(WRONG)
        other.reject(other.add("The lead is Bob").id)
        kept = other.add("Lunch is at noon").id
        copy = other.admin.backup(tmp_path / "copy.db").path
    with MemoryClient(tmp_path / "memory.db", clock=clock) as m:
        clock.advance(hours=1)
        m.reject(m.add(WRONG).id)

        m.admin.restore_backup(copy, force=True)

        assert [memory.id for memory in m.browse()] == [kept]
        verdicts = [m.add(each).verdict for each in (WRONG, "The lead is Bob")]
        assert verdicts == ["rejected", "rejected"]
        assert m.admin.check() == []


def test_what_an_owner_says_again_after_it_was_rejected_is_restored(tmp_path: Path) -> None:
    clock = FakeClock()
    with MemoryClient(tmp_path / "memory.db", clock=clock) as m:
        m.reject(m.add(WRONG).id)
        clock.advance(hours=1)
        again = m.add(WRONG, override=True).id
        copy = m.admin.backup(tmp_path / "copy.db").path

        m.admin.restore_backup(copy, force=True)

        assert [memory.id for memory in m.browse()] == [again]


def test_others_reject_nothing_and_learn_nothing(m: MemoryClient) -> None:
    private = m.add("one", owner="neo").id
    shared = m.add("two", owner="neo", visibility=["global"]).id

    with pytest.raises(NotFound):
        m.reject(private, requester_agent_id="trinity")
    with pytest.raises(NotPermitted):
        m.reject(shared, requester_agent_id="trinity")
    with pytest.raises(NotFound):
        m.as_agent("neo", subject="user:ada").reject(private)

    assert len(m.browse(requester_agent_id="neo")) == 2


def test_rejecting_what_was_deleted_is_not_found(m: MemoryClient) -> None:
    wrong = m.add(WRONG).id
    m.reject(wrong)

    with pytest.raises(NotFound):
        m.reject(wrong)


def test_what_was_derived_from_it_alone_goes_with_it(m: MemoryClient) -> None:
    wrong = m.add(WRONG).id
    derived = m.add("In short: 8080", evidence=[wrong]).id

    m.reject(wrong)
    assert m.get(derived) is None
    m.undo(wrong)

    assert m.get(derived) is not None


def test_hooks_hear_of_a_rejection_and_not_of_what_was_refused() -> None:
    heard: list[str] = []
    with MemoryClient(":memory:", on_write=lambda event: heard.append(event.verb)) as m:
        m.reject(m.add(WRONG).id)
        m.add(WRONG)
        m.add("tea", dry_run=True)

    assert heard == ["add", "reject"]


def test_undoing_one_of_several_lets_it_be_said_again(m: MemoryClient) -> None:
    wrong = m.add(WRONG).id
    twin = m.add(WRONG, on_duplicate="store").id
    m.reject(wrong)

    m.undo(twin)

    assert (m.add(WRONG).verdict, m.add(WRONG).id) == ("merged", twin)
    assert m.get(wrong) is None


def test_undoing_a_delete_brings_back_nothing_that_was_rejected_since() -> None:
    with memory_client() as m:
        older = m.add(WRONG).id
        m.delete(older)
        m.reject(m.add(WRONG).id)

        with pytest.raises(InvalidInput, match="what it says was rejected"):
            m.undo(older)

        assert m.add(WRONG).verdict == "rejected"
        assert m.browse() == []


def test_what_comes_back_brings_nothing_along_that_was_rejected_since() -> None:
    with memory_client() as m:
        told = m.add("Bo: I think it is that port", layer=0).id
        m.add(WRONG, evidence=[told])
        m.delete(told)
        m.reject(m.add(WRONG).id)

        m.undo(told)

        assert [memory.id for memory in m.browse()] == [told]
        assert m.add(WRONG).verdict == "rejected"


def test_a_rejection_is_taken_back_by_any_of_what_it_took_along() -> None:
    with memory_client() as m:
        ids = [m.add(WRONG).id, m.add(WRONG, on_duplicate="store").id]
        m.reject(ids[0])

        m.undo(ids[1])

        assert [memory.id for memory in m.browse()] == [ids[1]]
        assert m.add(WRONG).verdict == "merged"


def test_what_is_wrong_is_rejected_though_the_key_of_what_it_superseded_names_another() -> None:
    """Nothing has two memories by one name: the older one stays out of sight."""
    with memory_client() as m:
        old = m.add("8000", attribute="port", key="port").id
        wrong = m.add("9000", attribute="port").id
        other = m.add("8001", key="port").id

        m.reject(wrong)
        rejected = [memory.id for memory in m.browse()]
        m.undo(wrong)

        assert rejected == [other]
        assert {memory.id for memory in m.browse()} == {other, wrong}
        assert m.get(old) is None
        assert m.admin.check() == []
