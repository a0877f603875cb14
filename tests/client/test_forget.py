"""Forgetting: who may, what goes along, what the receipt tells, and that nothing comes back."""

import json
import pickle
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from agent_memory_os import (
    AgentMemory,
    InvalidInput,
    MemoryClient,
    NotFound,
    NotPermitted,
    RecallProfile,
)
from agent_memory_os.model import WriteEvent, moment
from agent_memory_os.testing import FakeClock, FakeEmbedder, assert_never_visible

EXAMPLE = Path(__file__).parents[2] / "examples" / "forget_me.py"
UNKNOWN_ID = "f" * 25
SHOWN = ["global"]
DERIVED = "derived_from"


# Who may


@pytest.mark.capability("MEMU-49", "AIM-28", "AIM-29")
def test_a_forgotten_memory_is_in_no_read(m: MemoryClient) -> None:
    kept = m.add("Alice likes tea", subject="user:alice")
    gone = m.add("Alice likes coffee", subject="user:alice", pinned=True)
    m.link(kept.id, gone.id)

    receipt = m.forget(gone.id)

    assert receipt.ids == (gone.id,)
    assert receipt.complete
    assert m.get(gone.id) is None
    assert m.history(gone.id) == []
    assert m.neighbors(kept.id) == []
    assert m.search("likes", subject="user:alice").ids == (kept.id,)
    assert gone.id not in m.search("likes coffee", strategy="vector").ids
    assert_never_visible(m, "coffee")


@pytest.mark.capability("AIM-28")
def test_the_vector_index_returns_what_came_after_and_nothing_of_before() -> None:
    with MemoryClient(":memory:", embed=FakeEmbedder([("car", "automobile")])) as m:
        m.add("Neo drinks his coffee black")
        gone = m.add("Trinity bought an automobile").id
        assert m.search("car", strategy="vector").ids[:1] == (gone,)

        m.forget(gone, verify=True)
        later = m.add("Morpheus sold an automobile").id

        assert m.search("car", strategy="vector").ids[:1] == (later,)
        assert m.admin.stats().by_model == {"fake/256": 2}


def test_the_owner_forgets_what_others_see(m: MemoryClient) -> None:
    memory_id = m.add("Billing listens on port 8000", owner="neo", visibility=SHOWN).id

    with pytest.raises(NotPermitted):
        m.forget(memory_id, requester_agent_id="trinity")
    m.forget(memory_id, requester_agent_id="neo")

    assert m.get(memory_id, requester_agent_id="trinity") is None


def test_what_one_does_not_see_is_not_found(m: MemoryClient) -> None:
    memory_id = m.add("The door code is 5521", owner="neo").id

    with pytest.raises(NotFound) as hidden:
        m.forget(memory_id, requester_agent_id="trinity")
    with pytest.raises(NotFound) as absent:
        m.forget(UNKNOWN_ID, requester_agent_id="trinity")

    assert str(hidden.value).replace(memory_id, UNKNOWN_ID) == str(absent.value)
    assert m.get(memory_id, requester_agent_id="neo") is not None


def test_forgetting_twice_is_not_found_and_changes_nothing(m: MemoryClient) -> None:
    kept = m.add("tea").memory
    memory_id = m.add("coffee").id
    m.forget(memory_id)

    with pytest.raises(NotFound):
        m.forget(memory_id)

    assert m.browse() == [kept]


@pytest.mark.parametrize("state", ["deleted", "expired", "not valid"])
def test_the_owner_forgets_what_left_recall(state: str) -> None:
    clock = FakeClock()
    with MemoryClient(":memory:", clock=clock) as timed:
        ttl = timedelta(hours=1) if state == "expired" else None
        until = moment(clock.now_ms() + 1) if state == "not valid" else None
        memory_id = timed.add("coffee", ttl=ttl, valid_to=until).id
        if state == "deleted":
            timed.delete(memory_id)
        clock.advance(hours=2)

        receipt = timed.forget(memory_id)

        assert receipt.ids == (memory_id,)
        assert timed.history(memory_id) == []
        assert timed.admin.check() == []


@pytest.fixture
def alice(m: MemoryClient) -> AgentMemory:
    """Return memory that is bound to Alice, and also reads what has no subject."""
    return m.as_agent("bot", subject="user:alice", shared=True)


def test_a_bound_view_forgets_what_is_about_its_subject(
    m: MemoryClient, alice: AgentMemory
) -> None:
    memory_id = alice.add("Alice is allergic to nuts").id

    assert alice.forget(memory_id, verify=True).complete

    assert m.as_agent("bot").browse() == []


def test_a_bound_view_forgets_nothing_else(m: MemoryClient, alice: AgentMemory) -> None:
    rule = m.add("Be kind", owner="bot").id
    about_bob = m.add("Bob likes tea", owner="bot", subject="user:bob").id
    others = m.add("Alice is tall", owner="neo", subject="user:alice", visibility=SHOWN).id

    with pytest.raises(NotPermitted):
        alice.forget(rule)
    with pytest.raises(NotFound):
        alice.forget(about_bob)
    with pytest.raises(NotPermitted):
        alice.forget(others)

    assert len(m.browse(requester_agent_id="bot")) == 3


# What goes along


def derived(m: MemoryClient, content: str, *sources: str, owner: str = "local") -> str:
    """Return the id of a new memory that its owner says to be derived from *sources*."""
    memory_id = m.add(content, owner=owner, layer=2, visibility=SHOWN).id
    for source in sources:
        m.link(memory_id, source, relation=DERIVED, requester_agent_id=owner)
    return memory_id


def test_what_was_derived_from_it_alone_goes_along(m: MemoryClient) -> None:
    atom = m.add("Alice likes tea", visibility=SHOWN).id
    scene = derived(m, "Tea comes up often", atom)
    persona = derived(m, "A tea person", scene)

    receipt = m.forget(atom)

    assert set(receipt.ids) == {atom, scene, persona}
    assert m.browse() == []


def test_erasure_follows_derivation_across_owners(m: MemoryClient) -> None:
    atom = m.add("Alice likes tea", visibility=SHOWN).id
    hidden = m.add("Alice drinks tea", owner="neo", layer=2).id
    m.link(hidden, atom, relation=DERIVED, requester_agent_id="neo")

    receipt = m.forget(atom)

    assert (receipt.ids, receipt.hidden) == ((atom,), None)
    assert m.get(hidden, requester_agent_id="neo") is None


def test_nobody_has_what_others_own_erased_by_linking_it(m: MemoryClient) -> None:
    others = m.add("Deploy on Fridays is forbidden", owner="neo", visibility=SHOWN).id
    own = m.add("bait").id
    m.link(others, own, relation=DERIVED)
    event = m.add("Said in public", owner="neo", layer=0, visibility=SHOWN).id
    m.link(own, event, relation=DERIVED)

    m.forget(own)

    assert {memory.id for memory in m.browse(requester_agent_id="neo")} == {others, event}


def test_what_was_derived_from_others_too_stays_and_is_named(m: MemoryClient) -> None:
    tea, milk = (m.add(f"Alice likes {it}", visibility=SHOWN).id for it in ("tea", "milk"))
    both = derived(m, "Alice likes tea with milk", tea, milk)

    receipt = m.forget(tea)

    assert receipt.ids == (tea,)
    assert receipt.still_said == (both,)
    assert [change.kind for change in m.history(both)] == ["source forgotten"]
    assert [each.id for each in m.neighbors(both)] == [milk]


def test_what_has_lost_its_last_source_goes_with_it(m: MemoryClient) -> None:
    tea, milk = (m.add(f"Alice likes {it}", visibility=SHOWN).id for it in ("tea", "milk"))
    both = derived(m, "Alice likes tea with milk", tea, milk)
    m.forget(tea)

    receipt = m.forget(milk)

    assert set(receipt.ids) == {milk, both}


def event_of(m: MemoryClient, *atoms: str) -> str:
    """Return the id of a new event that *atoms* were derived from."""
    memory_id = m.add("alice: I like tea", layer=0, actor="user:alice").id
    for atom in atoms:
        m.link(atom, memory_id, relation=DERIVED)
    return memory_id


def test_the_events_that_served_it_alone_go_along(m: MemoryClient) -> None:
    tea, milk = m.add("Alice likes tea").id, m.add("Alice likes milk").id
    alone, shared = event_of(m, tea), event_of(m, tea, milk)

    receipt = m.forget(tea)

    assert set(receipt.ids) == {tea, alone}
    assert m.get(shared) is not None


def test_without_evidence_the_events_stay(m: MemoryClient) -> None:
    tea = m.add("Alice likes tea").id
    event = event_of(m, tea)

    receipt = m.forget(tea, evidence=False)

    assert receipt.ids == (tea,)
    assert m.get(event) is not None


# What the receipt tells


def test_the_receipt_counts_what_went_of_ones_own(m: MemoryClient) -> None:
    memory_id = m.add("Alice likes tea", idempotency_key="k").id
    m.update(memory_id, content="Alice likes black tea")

    receipt = m.forget(memory_id)

    assert receipt.counts == {"memories": 1, "history": 1, "receipts": 1}


def test_a_receipt_tells_nothing_of_what_is_hidden(m: MemoryClient) -> None:
    def forgotten(hidden: bool) -> dict[str, object]:
        memory_id = m.add("Alice likes zanzibarrow", visibility=SHOWN).id
        if hidden:
            fields = {"owner": "neo", "subject": "user:alice", "session": "s"}
            m.add("Alice likes zanzibarrow", **fields)  # type: ignore[arg-type]  # of a memory
            note = m.add("hidden", owner="neo", layer=2).id
            m.link(note, memory_id, relation=DERIVED, requester_agent_id="neo")
        m.rebuild_indexes()
        values = m.forget(memory_id, verify=True).to_dict()
        return {name: value for name, value in values.items() if name != "ids"}

    assert forgotten(hidden=False) == forgotten(hidden=True)


def test_memories_that_still_hold_the_words_are_named_if_one_sees_them(m: MemoryClient) -> None:
    memory_id = m.add("Alice likes green tea").id
    same = m.add("Green is the tea that Alice likes", owner="neo", visibility=SHOWN).id
    m.add("Alice likes tea", owner="neo", visibility=SHOWN)
    m.add("Alice likes green tea", owner="neo")

    receipt = m.forget(memory_id)

    assert (receipt.still_said, receipt.still_hidden) == ((same,), None)


def test_the_receipt_says_what_it_cannot_reach(m: MemoryClient) -> None:
    assert "Backups" in m.forget(m.add("tea").id).elsewhere


@pytest.mark.capability("MEMU-50")
def test_every_way_to_read_is_asked_when_it_shall_be_verified(m: MemoryClient) -> None:
    receipt = m.forget(m.add("Alice likes tea").id, verify=True)

    ways = {"get", "browse", "search", "neighbors", "history", "context_pack"}
    assert receipt.probes == dict.fromkeys([*ways, "vocabulary", "word index", "bytes"], 0)
    assert receipt.complete


def test_a_receipt_is_json_and_can_be_sent(m: MemoryClient) -> None:
    receipt = m.forget(m.add("tea").id, verify=True)

    assert json.loads(json.dumps(receipt.to_dict()))["complete"] is True
    assert pickle.loads(pickle.dumps(receipt)) == receipt


def test_it_is_written_into_the_audit_without_its_words(m: MemoryClient) -> None:
    memory_id = m.add("Alice likes tea", subject="user:alice").id
    m.forget(memory_id)
    m.add("Alice likes milk", subject="user:alice")
    m.admin.forget_subject("user:alice")

    subject, one = m.org.audit(limit=2)

    assert (one.action, one.target, one.detail) == ("forget", memory_id, {"memories": 1})
    assert (subject.action, subject.target, subject.detail) == (
        "forget subject",
        "",
        {"memories": 1},
    )


def test_a_hook_is_told_the_ids_alone() -> None:
    told: list[object] = []
    with MemoryClient(":memory:", on_write=told.append, on_recall=told.append) as m:
        memory_id = m.add("Alice likes tea").id

        m.forget(memory_id, verify=True)

    assert told[1:] == [WriteEvent("forget", "local", None, (memory_id,))]


def test_the_vector_of_what_another_said_as_well_is_no_trace() -> None:
    with MemoryClient(":memory:", embed=FakeEmbedder()) as m:
        m.add("Alice likes tea", owner="neo", layer=0)
        memory_id = m.add("Alice likes tea", layer=0).id

        assert m.forget(memory_id, verify=True).complete


# Everybody's


@pytest.fixture
def team(m: MemoryClient) -> Iterator[MemoryClient]:
    """Yield a memory in which two agents know Alice."""
    m.add("Alice likes tea", owner="neo", subject="user:alice")
    m.add("Alice likes milk", owner="trinity", subject="user:alice", visibility=SHOWN)
    m.add("Bob likes tea", owner="neo", subject="user:bob", visibility=SHOWN)
    yield m
    assert m.admin.check() == []


@pytest.mark.capability("MEMU-50")
def test_a_subject_is_forgotten_for_everybody(team: MemoryClient) -> None:
    receipt = team.admin.forget_subject("user:alice", verify=True)

    assert (len(receipt.ids), receipt.hidden) == (1, 1)
    assert receipt.counts["memories"] == 2
    assert receipt.counts["subjects"] == 1
    assert receipt.complete
    for agent in ("neo", "trinity", "local"):
        assert_never_visible(team.as_agent(agent), "Alice")


def test_an_admin_is_told_how_much_it_may_not_know_still_says_it(team: MemoryClient) -> None:
    seen = team.add("Ask alice", owner="neo", visibility=SHOWN).id
    team.add("I met alice", owner="neo")

    receipt = team.admin.forget_subject("user:alice")

    assert (receipt.still_said, receipt.still_hidden) == ((seen,), 1)


@pytest.mark.parametrize("subject", ["user:carol", "user:alic"])
def test_a_subject_that_nothing_is_about_is_not_found(team: MemoryClient, subject: str) -> None:
    with pytest.raises(NotFound):
        team.admin.forget_subject(subject)


def test_a_subject_that_was_forgotten_is_not_found(team: MemoryClient) -> None:
    team.admin.forget_subject("user:alice")

    with pytest.raises(NotFound):
        team.admin.forget_subject("user:alice")


@pytest.mark.parametrize("bad", ["", "alice", "user:*", " user:alice"])
def test_a_malformed_name_is_refused(team: MemoryClient, bad: str) -> None:
    with pytest.raises(InvalidInput):
        team.admin.forget_subject(bad)
    with pytest.raises(InvalidInput):
        team.admin.forget_owner(bad.replace("alice", ""))


def test_events_of_any_agent_about_a_subject_go_along(team: MemoryClient) -> None:
    event = team.add("alice: no sugar", owner="neo", layer=0, visibility=SHOWN).id
    atom = team.add("Alice takes no sugar", owner="trinity", subject="user:alice").id
    team.link(atom, event, relation=DERIVED, requester_agent_id="trinity")

    team.admin.forget_subject("user:alice")

    assert team.get(event, requester_agent_id="neo") is None


@pytest.mark.capability("AMOS-122")
def test_an_owner_is_forgotten_with_its_links_and_its_profile(team: MemoryClient) -> None:
    (milk, bob) = (memory.id for memory in team.browse())
    team.link(milk, bob, requester_agent_id="neo")
    team.save_profile(RecallProfile("neo", type_weights={"note": 2}))

    receipt = team.admin.forget_owner("neo", verify=True)

    assert receipt.counts["memories"] == 2
    assert (receipt.counts["profiles"], receipt.counts["scopes"]) == (1, 1)
    assert receipt.complete
    assert [memory.owner for memory in team.browse()] == ["trinity"]
    assert [agent.id for agent in team.org.agents()] == ["trinity"]
    assert "neo" not in receipt.elsewhere


def test_an_owner_that_the_organisation_needs_keeps_its_name(team: MemoryClient) -> None:
    team.org.create_team("platform")
    team.org.add_team_member("platform", "neo")

    receipt = team.admin.forget_owner("neo")

    assert "'neo'" in receipt.elsewhere
    assert team.org.memberships("neo") == ["team:platform"]


def test_an_owner_that_was_forgotten_is_not_found(team: MemoryClient) -> None:
    team.admin.forget_owner("neo")

    with pytest.raises(NotFound):
        team.admin.forget_owner("neo")


# Told again


def test_whoever_tells_it_again_is_believed(m: MemoryClient) -> None:
    content, fields = "Alice likes tea", {"idempotency_key": "k", "key": "drink"}
    m.forget(m.add(content, **fields).id, remember=True)  # type: ignore[arg-type]  # of a memory

    again = m.add(content, **fields)  # type: ignore[arg-type]  # as above

    assert again.verdict == "stored"
    assert m.search("tea").ids == (again.id,)


def test_a_restored_backup_stays_forgotten(tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "memory.db") as m:
        kept = m.add("Bob likes tea", subject="user:bob").id
        gone = m.add("Alice likes tea", subject="user:alice").id
        backup = m.admin.backup(tmp_path / "backup.db")
        m.admin.forget_subject("user:alice")

        restored = m.admin.restore_backup(backup.path, force=True)

        assert (restored.kept_forgotten, restored.pending) == (1, "")
        assert (m.get(gone), [memory.id for memory in m.browse()]) == (None, [kept])
        assert m.admin.check() == []


def test_the_example_forgets_one_whom_two_agents_know(tmp_path: Path) -> None:
    command = [sys.executable, str(EXAMPLE), "--n", "300"]

    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "complete" in done.stdout
