"""What a write does to what is there: merged, superseded, conflict or stored, and who sees it."""

import dataclasses
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_memory_os import InvalidInput, MemoryClient, NotFound, NotPermitted, Receipt
from agent_memory_os.testing import FakeClock, memory_client

ALL: dict[str, Any] = {"visibility": ["global"]}
PORT = "The deploy port of apollo is {}"


def ids(found: Sequence[Any]) -> list[str]:
    return [each.id for each in found]


def seen(m: MemoryClient, agent: str, query: str | None = "deploy port of apollo") -> set[str]:
    return {*m.search(query, requester_agent_id=agent, limit=50).ids}


def kinds(m: MemoryClient, memory_id: str, agent: str) -> list[tuple[str, str]]:
    """Return the marks that *agent* finds on a memory, and whom they name."""
    hits = m.search(None, requester_agent_id=agent, limit=500)
    (hit,) = [hit for hit in hits if hit.id == memory_id]
    return [(mark.kind, mark.id) for mark in hit.marks]


# Verdicts


@pytest.mark.capability("AMOS-045", "AIM-55")
@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ("Alice prefers dark mode", "alice prefers dark mode.", "merged"),
        ("Don't push to main", "Do not push to main", "merged"),
        (PORT.format(8000), PORT.format(8001), "superseded"),
        (
            "We use Redis for sessions",
            "We now use Valkey instead of Redis for sessions",
            "superseded",
        ),
        ("The rate limit is 100 requests per minute", "There is no rate limit", "stored"),
        ("The cache is enabled", "The cache is not enabled", "conflict"),
        ("Use tabs for indentation", "Use spaces for indentation", "conflict"),
        ("C++ is used in the core", "C# is used in the tools", "stored"),
        ("Alice likes tea", "Alice likes coffee", "stored"),
        ("爱丽丝住在北京", "爱丽丝现在住在上海", "superseded"),
        ("部署端口是8000", "部署端口是8001", "superseded"),
        ("缓存已启用", "缓存未启用", "conflict"),
        ("爱丽丝喜欢茶", "爱丽丝喜欢咖啡", "stored"),
    ],
)
def test_a_write_says_what_it_did_to_what_was_there(
    m: MemoryClient, old: str, new: str, verdict: str
) -> None:
    first = m.add(old)

    second = m.add(new)

    others = {"superseded": second.superseded, "conflict": second.conflicts}
    assert second.verdict == verdict
    assert second.why
    assert others.get(verdict, (first.id,)) == (first.id,)
    assert (second.id == first.id) == (verdict == "merged")


@pytest.mark.capability("AMOS-046")
def test_what_was_superseded_is_in_no_read_and_in_the_history(m: MemoryClient) -> None:
    old = m.add(PORT.format(8000))

    new = m.add(PORT.format(8080))

    assert (new.verdict, new.superseded) == ("superseded", (old.id,))
    assert m.get(old.id) is None
    assert ids(m.browse()) == ids(m.search("deploy port")) == [new.id]
    (change,) = m.history(old.id)
    assert (change.kind, change.other, change.by) == ("superseded", new.id, "local")


@pytest.mark.capability("AMOS-047")
def test_a_contradiction_leaves_both_and_marks_both(m: MemoryClient) -> None:
    one = m.add("The cache is enabled", owner="neo", confidence=0.8, **ALL)
    other = m.add("The cache is not enabled", owner="ada", actor="user:kim", **ALL)

    assert (other.verdict, other.conflicts) == ("conflict", (one.id,))
    assert kinds(m, one.id, "bo") == [("CONFLICT", other.id)]
    assert kinds(m, other.id, "bo") == [("CONFLICT", one.id)]
    hits = m.search("cache enabled", requester_agent_id="bo")
    mark = next(hit.marks[0] for hit in hits if hit.id == one.id)
    assert (mark.owner, mark.actor, mark.confidence) == ("ada", "user:kim", 1.0)
    assert mark.occurred_at == other.memory.occurred_at


@pytest.mark.capability("AMOS-042")
def test_the_same_of_another_owner_is_stored_and_linked(m: MemoryClient) -> None:
    one = m.add("Deploys are frozen on Fridays", owner="neo", **ALL)

    other = m.add("deploys are frozen on Fridays.", owner="ada", **ALL)

    assert (other.verdict, other.why) == ("stored", "another owner says the same")
    (near,) = m.neighbors(other.id, requester_agent_id="bo")
    assert (near.id, near.relations, near.direction) == (one.id, ("corroborates",), "out")


def test_what_differs_in_fields_stands_beside_what_says_the_same(m: MemoryClient) -> None:
    one = m.add("Tea at nine", metadata={"env": "prod"})

    other = m.add("Tea at nine", metadata={"env": "test"})

    assert (other.verdict, m.get(one.id) is None) == ("stored", False)


def test_of_a_draft_that_merges_nowhere_the_rest_is_still_decided(m: MemoryClient) -> None:
    stale = m.add(PORT.format(8000))
    twin = m.add(PORT.format(8080), metadata={"env": "prod"}, on_duplicate="store")
    m.unlink(twin.id, stale.id, relation="supersedes")

    new = m.add(PORT.format(8080), metadata={"env": "test"})

    assert stale.id in new.superseded
    assert twin.id not in new.superseded


# Firm ground, and none


@pytest.mark.capability("AMOS-048", "MEMU-21")
def test_another_value_of_an_attribute_takes_the_place_of_the_one_before(m: MemoryClient) -> None:
    fields: dict[str, Any] = {"entity": "db1", "attribute": "port"}
    old = m.add("5432", **fields)
    m.add("10.0.0.7", entity="db1", attribute="address")
    m.add("5432", entity="db2", attribute="port")

    new = m.add("6432", **fields)

    assert new.superseded == (old.id,)
    assert len(m.browse()) == 3
    assert m.add("6432", **fields).verdict == "merged"


@pytest.mark.capability("AMOS-048")
def test_the_entity_is_the_subject_when_none_is_named(m: MemoryClient) -> None:
    old = m.add("5432", subject="server:db1", attribute="port")
    elsewhere = m.add("5432", subject="server:db2", attribute="port")

    new = m.add("6432", subject="server:db1", entity="server:db1", attribute="port")

    assert new.superseded == (old.id,)
    assert m.get(elsewhere.id) is not None


def test_a_value_of_another_owner_contradicts(m: MemoryClient) -> None:
    fields: dict[str, Any] = {"entity": "db1", "attribute": "port", **ALL}
    old = m.add("5432", owner="neo", **fields)

    new = m.add("6432", owner="ada", **fields)

    assert (new.verdict, new.conflicts) == ("conflict", (old.id,))
    assert seen(m, "bo", None) == {old.id, new.id}


@pytest.mark.capability("AMOS-048")
def test_supersedes_takes_the_place_of_what_it_names(m: MemoryClient) -> None:
    olds = [m.add(content).id for content in ("The plan is to wait", "Nobody works on it")]

    new = m.add("The launch is on", supersedes=olds)

    assert (new.verdict, new.superseded) == ("superseded", tuple(olds))
    assert ids(m.browse()) == [new.id]


def test_nobody_supersedes_what_somebody_else_owns(m: MemoryClient) -> None:
    other = m.add("The plan is to wait", owner="neo", **ALL).id
    hidden = m.add("Nobody works on it", owner="neo").id

    with pytest.raises(NotPermitted, match="only its owner"):
        m.add("The launch is on", owner="ada", supersedes=[other])
    with pytest.raises(NotFound, match=hidden):
        m.add("The launch is on", owner="ada", supersedes=[hidden])

    assert len(m.browse(requester_agent_id="ada")) == 1


def test_nothing_supersedes_what_is_about_something_else(m: MemoryClient) -> None:
    old = m.add("The plan is to wait", subject="project:apollo").id

    with pytest.raises(NotPermitted, match="project:apollo"):
        m.add("The launch is on", supersedes=[old])


def test_a_bound_view_names_nothing_outside_of_its_subject(m: MemoryClient) -> None:
    bobs = m.add("Bob said so", owner="bot", subject="user:bob").id
    nobodys = m.add("A rule", owner="bot").id
    alice = m.as_agent("bot", subject="user:alice")

    for field in ("supersedes", "evidence"):
        for each in (bobs, nobodys):
            with pytest.raises(NotFound, match=each):
                alice.add("Alice said so", **{field: [each]})  # type: ignore[arg-type]  # a field

    assert alice.browse() == []


def test_a_bound_view_may_rest_on_what_is_shared_with_it(m: MemoryClient) -> None:
    rule = m.add("A rule", owner="bot").id
    alice = m.as_agent("bot", subject="user:alice", shared=True)

    found = alice.add("By a rule, Alice asks", evidence=[rule])

    assert found.verdict == "stored"


@pytest.mark.capability("AMOS-054")
def test_evidence_is_linked_by_every_verdict(m: MemoryClient) -> None:
    events = [m.add(f"turn {number}", layer=0).id for number in range(3)]

    stored = m.add(PORT.format(8000), evidence=[events[0]])
    merged = m.add(PORT.format(8000), evidence=[events[1]])
    superseded = m.add(PORT.format(8080), evidence=[events[2]])

    assert [it.verdict for it in (stored, merged, superseded)] == ["stored", "merged", "superseded"]
    rests_on = {each.id for each in m.layers.evidence(superseded.id)}
    assert rests_on == {events[2]}


def test_the_owner_of_a_memory_may_link_what_takes_its_place(m: MemoryClient) -> None:
    mine = m.add("The plan is to wait", owner="neo", **ALL).id
    newer = m.add("The launch is on", owner="ada", **ALL).id

    m.link(newer, mine, relation="supersedes", requester_agent_id="bo")
    assert seen(m, "bo", None) == {mine, newer}  # the word of somebody else
    m.link(newer, mine, relation="supersedes", requester_agent_id="neo")
    assert seen(m, "bo", None) == {newer}

    m.unlink(newer, mine, relation="supersedes", requester_agent_id="neo")
    assert seen(m, "bo", None) == {mine, newer}


@pytest.mark.parametrize(
    "doubtful",
    [
        {"confidence": 0.4},
        {"occurred_at": "earlier"},
        {"actor": "user:bob"},
    ],
)
def test_without_firm_ground_an_update_is_a_conflict(
    m: MemoryClient, doubtful: dict[str, Any]
) -> None:
    old = m.add(PORT.format(8000), actor="user:ada")
    if "occurred_at" in doubtful:
        doubtful = {"occurred_at": old.memory.occurred_at - timedelta(days=1)}

    new = m.add(PORT.format(8080), **doubtful)

    assert (new.verdict, new.conflicts) == ("conflict", (old.id,))
    assert len(m.browse()) == 2


def test_events_are_evidence_and_touch_nothing(m: MemoryClient) -> None:
    for port in (8000, 8080, 8080):
        assert m.add(PORT.format(port), layer=0).verdict == "stored"

    assert m.add(PORT.format(8090)).verdict == "stored"


# Update


@pytest.mark.capability("AMOS-047")
def test_an_update_is_held_against_what_is_there(m: MemoryClient) -> None:
    other = m.add("The cache is enabled", owner="neo", **ALL)
    mine = m.add("The sky is blue", owner="ada", **ALL)

    changed = m.update(mine.id, content="The cache is not enabled", requester_agent_id="ada")

    assert (changed.verdict, changed.conflicts) == ("conflict", (other.id,))
    assert kinds(m, other.id, "bo") == [("CONFLICT", mine.id)]


@pytest.mark.capability("AMOS-047")
def test_the_marks_are_gone_when_one_of_the_two_says_otherwise(m: MemoryClient) -> None:
    other = m.add("The cache is enabled", owner="neo", **ALL)
    mine = m.add("The cache is not enabled", owner="ada", **ALL)

    m.update(mine.id, content="The cache is enabled", requester_agent_id="ada")

    assert kinds(m, other.id, "bo") == kinds(m, mine.id, "bo") == []


def test_the_marks_stay_when_what_is_said_stays(m: MemoryClient) -> None:
    other = m.add("The cache is enabled", owner="neo", **ALL)
    mine = m.add("The cache is not enabled", owner="ada", **ALL)

    m.update(mine.id, importance=0.9, requester_agent_id="ada")

    assert kinds(m, other.id, "bo") == [("CONFLICT", mine.id)]


def test_an_update_may_take_the_place_of_another(m: MemoryClient) -> None:
    old = m.add(PORT.format(8000))
    mine = m.add("The sky is blue")

    changed = m.update(mine.id, content=PORT.format(8080))

    assert (changed.verdict, changed.superseded) == ("superseded", (old.id,))
    assert ids(m.browse()) == [mine.id]


# Whose eyes


@pytest.mark.capability("AMOS-016", "AMOS-049")
def test_a_private_new_value_hides_nothing_from_others() -> None:
    m = memory_client()
    old = m.add(PORT.format(8000), owner="neo", **ALL)
    before = m.search("deploy port", requester_agent_id="bo")

    new = m.add(PORT.format(8080), owner="neo")

    assert new.superseded == (old.id,)
    assert m.search("deploy port", requester_agent_id="bo") == before
    assert m.get(old.id, requester_agent_id="bo") == old.memory
    assert seen(m, "neo") == {new.id}
    assert m.history(old.id, requester_agent_id="bo") == []

    m.share(new.id, ["global"], requester_agent_id="neo")
    assert seen(m, "bo") == {new.id}
    m.revoke(new.id, ["global"], requester_agent_id="neo")
    assert seen(m, "bo") == {old.id}


@pytest.mark.capability("AMOS-049")
def test_what_others_keep_to_themselves_contradicts_nothing(m: MemoryClient) -> None:
    m.add("The cache is enabled", owner="neo")

    mine = m.add("The cache is not enabled", owner="ada", **ALL)

    assert (mine.verdict, mine.conflicts) == ("stored", ())
    assert kinds(m, mine.id, "neo") == []


def test_the_conflict_is_not_noticed_before_both_are_seen(m: MemoryClient) -> None:
    one = m.add("The cache is enabled", owner="neo", visibility=["agent:ada"])
    other = m.add("The cache is not enabled", owner="ada", **ALL)

    assert kinds(m, other.id, "bo") == []
    assert kinds(m, other.id, "neo") == [("CONFLICT", one.id)]


# When the newer one goes


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def replaced(m: MemoryClient, **fields: Any) -> tuple[Receipt, Receipt]:
    """Write a port and another value of it, with *fields*."""
    return m.add(PORT.format(8000)), m.add(PORT.format(8080), **fields)


@pytest.mark.capability("AMOS-050")
def test_deleting_the_newer_one_does_not_revive_the_older(m: MemoryClient) -> None:
    old, new = replaced(m)

    m.delete(new.id)

    assert m.browse() == []
    assert m.get(old.id) is None


@pytest.mark.capability("AMOS-050")
def test_forgetting_the_newer_one_brings_back_the_older(m: MemoryClient) -> None:
    old, new = replaced(m)

    m.forget(new.id)

    assert m.browse() == [old.memory]
    assert ids(m.search("deploy port")) == [old.id]
    assert m.history(old.id) == []


@pytest.mark.capability("AMOS-059")
def test_the_older_one_is_back_when_the_newer_has_expired(clock: FakeClock) -> None:
    m = memory_client(clock=clock)
    old, _ = replaced(m, ttl=timedelta(hours=1))
    assert m.get(old.id) is None

    clock.advance(hours=1)

    assert m.browse() == [old.memory]
    assert kinds(m, old.id, "local") == []


@pytest.mark.capability("AMOS-059")
def test_what_holds_later_takes_the_place_of_nothing_until_then(clock: FakeClock) -> None:
    m = memory_client(clock=clock)
    start = m.add("x").memory.created_at
    old, new = replaced(m, valid_from=start + timedelta(days=1))
    assert new.superseded == (old.id,)
    assert m.get(old.id) == old.memory
    assert kinds(m, old.id, "local") == []

    clock.advance(days=1)

    assert m.get(old.id) is None
    assert m.get(new.id) is not None


def test_a_chain_of_corrections_leaves_the_last(m: MemoryClient) -> None:
    chain = [m.add(PORT.format(port)) for port in (8000, 8001, 8002, 8000)]

    assert ids(m.browse()) == [chain[-1].id]
    assert [each.superseded for each in chain[1:]] == [(each.id,) for each in chain[:-1]]


@pytest.mark.capability("AMOS-049")
def test_a_private_step_between_brings_nothing_back_for_others(m: MemoryClient) -> None:
    m.add(PORT.format(8000), owner="neo", **ALL)
    m.add(PORT.format(8001), owner="neo")

    last = m.add(PORT.format(8002), owner="neo", **ALL)

    assert seen(m, "bo") == seen(m, "neo") == {last.id}


def test_a_step_that_ends_brings_nothing_back(clock: FakeClock) -> None:
    m = memory_client(clock=clock)
    m.add(PORT.format(8000))
    m.add(PORT.format(8001), ttl=timedelta(hours=1))
    last = m.add(PORT.format(8002))

    clock.advance(hours=1)

    assert ids(m.browse()) == [last.id]


@pytest.mark.parametrize("end", ["forgotten", "revoked", "ended"])
def test_what_becomes_of_a_step_brings_nothing_back(clock: FakeClock, end: str) -> None:
    m = memory_client(clock=clock)
    first, step, last = (m.add(PORT.format(port), owner="neo", **ALL) for port in (1, 2, 3))
    assert (step.superseded, last.superseded) == ((first.id,), (step.id,))

    if end == "forgotten":
        m.forget(step.id, requester_agent_id="neo")
    elif end == "revoked":
        with m._parts.store.write() as tx:  # what is superseded is changed by its key alone
            tx.set_visibility(step.memory, [], by="neo")
    else:
        with m._parts.store.write() as tx:
            tx.replace(
                dataclasses.replace(step.memory, expires_ms=clock.now_ms() + 1),
                by="neo",
                kind="update",
            )
        clock.advance(seconds=1)

    assert seen(m, "bo", None) == {last.id}
    assert m.admin.check() == []


def test_a_long_chain_has_few_links(m: MemoryClient) -> None:
    for port in range(60):
        m.add(PORT.format(port), owner="neo", visibility=["global"] if port % 2 else [])

    assert len(successions(m)) < 3 * 60


# Field cases


@pytest.mark.capability("AMOS-045")
def test_fc_111_other_numbers_are_never_duplicates(m: MemoryClient) -> None:
    pairs = [
        ("API listens on port 8000", "API listens on port 8001"),
        ("rent is 950", "rent is 9500"),
        ("v1.2.3 deployed", "v1.2.4 deployed"),
    ]

    found = [(m.add(old), m.add(new)) for old, new in pairs]

    assert len({each.id for pair in found for each in pair}) == 6
    assert [(*new.superseded, *new.conflicts) for old, new in found] == [
        (old.id,) for old, _ in found[:2]
    ] + [found[2][1].superseded + found[2][1].conflicts]
    assert "merged" not in {new.verdict for _, new in found}


def test_fc_113_a_negation_by_itself_contradicts_nothing(m: MemoryClient) -> None:
    said = [
        "Use the blue key for the archive room",
        "You cannot close the archive room without the blue key",
        "Heron not seen in the dry pond",
        "Heron not seen on the east bank",
    ]

    found = [m.add(content) for content in said]

    assert [each.verdict for each in found] == ["stored"] * 4
    assert len(m.search("archive room heron seen")) == 4


def test_fc_115_another_fact_about_the_same_person_takes_no_place(m: MemoryClient) -> None:
    said = [
        "Rui is head nurse at Elm Clinic",
        "Rui manages the Elm Clinic newsletter",
        "Rui asked for an audit",
    ]

    found = [m.add(content, subject="user:rui") for content in said]

    assert [each.verdict for each in found] == ["stored"] * 3
    assert len(m.browse()) == 3


def test_fc_117_the_same_pattern_is_not_the_same_statement(m: MemoryClient) -> None:
    cache = m.add("We picked Redis over Memcached for the session cache")

    office = m.add("We picked Oslo over Bergen for the summer office")

    assert (office.verdict, office.conflicts) == ("stored", ())
    assert {*ids(m.browse())} == {cache.id, office.id}


def test_fc_119_what_was_superseded_is_kept_in_order_and_no_circle_is_made(
    m: MemoryClient,
) -> None:
    a = m.add("The plan is to wait")
    b = m.add("The plan is to go", supersedes=[a.id])
    a2 = m.add("It was decided to wait", supersedes=[b.id])

    with pytest.raises((InvalidInput, NotFound)):
        m.link(b.id, a2.id, relation="supersedes")

    assert ids(m.browse()) == [a2.id]
    assert [change.other for each in (a, b) for change in m.history(each.id)] == [b.id, a2.id]


# Among thousands


@pytest.mark.capability("AMOS-063")
def test_one_true_fact_is_found_among_superseded_and_archived_ones_that_match_better() -> None:
    m = memory_client()
    fact = m.add("After a long talk it was agreed that the port of staging stays", owner="neo").id
    chatter = m.add_many(
        {"content": f"staging port staging port {number}", "owner": "neo", "attribute": "port"}
        for number in range(1_000)
    )
    archived = m.add_many(
        {"content": f"staging port {number} staging", "owner": "neo", "type": "chat"}
        for number in range(1_000)
    )
    m.admin.archive([each.id for each in archived])

    hits = m.search("staging port", requester_agent_id="neo", limit=5)

    assert chatter[-1].superseded == (chatter[-2].id,)
    assert fact in hits.ids
    assert {*hits.ids} == {fact, chatter[-1].id}


@pytest.mark.slow
def test_one_true_fact_is_found_among_5000_superseded_and_archived_ones() -> None:
    m = memory_client()
    fact = m.add("After a long talk it was agreed that the port of staging stays", owner="neo").id
    m.add_many(
        {"content": f"staging port staging port {number}", "owner": "neo", "attribute": "port"}
        for number in range(2_500)
    )
    archived = m.add_many(
        {"content": f"staging port {number} staging", "owner": "neo"} for number in range(2_500)
    )
    m.admin.archive([each.id for each in archived])

    assert fact in m.search("staging port", requester_agent_id="neo", limit=5).ids


@pytest.mark.capability("AMOS-062")
def test_an_exact_old_note_stays_above_fresh_chatter(clock: FakeClock) -> None:
    m = memory_client(clock=clock)
    note = m.add("The boiler fuse is behind panel C").id
    clock.advance(days=700)
    m.add_many({"content": f"The fuse, said {n}, is somewhere"} for n in range(300))
    m.add_many({"content": f"Panel {n} and the boiler"} for n in range(300))

    assert m.search("boiler fuse behind panel C").ids[0] == note


# The law


AGENTS = ("neo", "ada", "zoe")
SAYINGS = [
    *(PORT.format(port) for port in (8000, 8080)),
    "The deploy port of apollo is now 9000",
    "The deploy port of apollo is not 8000",
    "The cache is enabled",
    "The cache is not enabled",
    "部署端口是8000",
    "部署端口现在是9000",
]
SCOPES = st.sampled_from([(), ("global",), ("agent:neo",), ("agent:ada", "agent:zoe")])
WRITES = st.lists(
    st.tuples(
        st.sampled_from(AGENTS),
        st.sampled_from(["add", "add", "add", "update", "delete", "revoke", "value"]),
        st.sampled_from(SAYINGS),
        SCOPES,
        st.integers(0, 9),
    ),
    max_size=14,
)


def done(m: MemoryClient, clock: FakeClock, writes: Sequence[tuple[Any, ...]]) -> None:
    """Do what was drawn; *place* says to which of an agent's memories."""
    for agent, verb, content, scopes, place in writes:
        clock.advance(seconds=1)
        own = m.browse(owner=agent, requester_agent_id=agent, limit=50)
        target = own[place % len(own)].id if own else ""
        if verb == "add" or not own:
            m.add(content, owner=agent, visibility=scopes)
        elif verb == "value":
            m.add(content, owner=agent, visibility=scopes, entity="apollo", attribute="port")
        elif verb == "update":
            m.update(target, content=content, requester_agent_id=agent)
        elif verb == "delete":
            m.delete(target, requester_agent_id=agent)
        elif shared := own[place % len(own)].visibility:
            m.revoke(target, shared[:1], requester_agent_id=agent)


def successions(m: MemoryClient) -> list[tuple[str, str]]:
    """Return what took the place of what, by the word of the owner of the older one."""
    rows = m._parts.store.read()
    with rows as snapshot:
        return snapshot._line.db.execute(  # type: ignore[attr-defined,no-any-return]  # of SQLite
            "SELECT n.uid, o.uid FROM links l JOIN memories n ON n.id = l.src"
            " JOIN memories o ON o.id = l.dst WHERE l.relation = 1 AND l.weight > 0"
            " AND l.owner = o.owner"
        ).fetchall()


@pytest.mark.capability("AMOS-046", "AMOS-049")
@given(writes=WRITES)
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_nobody_is_shown_what_they_see_to_be_superseded(writes: list[tuple[Any, ...]]) -> None:
    clock = FakeClock()
    with MemoryClient(":memory:", clock=clock) as m:
        done(m, clock, writes)
        pairs = successions(m)
        for agent in (*AGENTS, "bo"):
            shown = seen(m, agent, None)
            packs = [m.context_pack(q, requester_agent_id=agent) for q in ("deploy port", None)]
            packs.append(m.orchestrate_context("cache", requester_agent_id=agent))
            told = shown.union(*(pack.ids for pack in packs))

            assert [(new, old) for new, old in pairs if {new, old} <= told] == []
            visible = {memory.id for memory in m.browse(requester_agent_id=agent, limit=100)}
            assert shown == visible
        assert m.admin.check() == []


@pytest.mark.capability("AMOS-049")
@given(writes=WRITES)
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_a_memory_is_hidden_only_by_what_its_reader_sees_or_saw(
    writes: list[tuple[Any, ...]],
) -> None:
    """Whoever sees nothing that took its place still has it, word for word."""
    clock = FakeClock()
    with MemoryClient(":memory:", clock=clock) as m:
        done(m, clock, [each for each in writes if each[1] not in ("delete", "update", "revoke")])
        pairs = successions(m)
        everything = {
            memory.id: memory
            for agent in AGENTS
            for state in [m.browse(requester_agent_id=agent, limit=100)]
            for memory in state
        }
        for agent in AGENTS:
            visible = {memory.id for memory in m.browse(requester_agent_id=agent, limit=100)}
            for old, memory in everything.items():
                is_shared = {"global", f"agent:{agent}"} & {*memory.visibility}
                if memory.owner != agent and not is_shared:
                    continue
                newer = {new for new, each in pairs if each == old}
                assert (old in visible) == newer.isdisjoint(_seen_ever(m, newer, agent))


def _seen_ever(m: MemoryClient, memory_ids: set[str], agent: str) -> set[str]:
    """Return those of *memory_ids* that *agent* sees, or that are superseded themselves."""
    return {each for each in memory_ids if m.history(each, requester_agent_id=agent)} | {
        each for each in memory_ids if m.get(each, requester_agent_id=agent) is not None
    }


def test_evidence_does_not_join_what_was_written_by_hand(m: MemoryClient) -> None:
    """Or deleting the evidence would take along what somebody wrote without it."""
    by_hand = m.add("Ada keeps bees")
    event = m.add("Ada: I keep bees", layer=0)

    derived = m.add("Ada keeps bees", evidence=[event.id])
    m.delete(event.id)

    assert derived.verdict == "stored"
    assert m.get(by_hand.id) is not None
    assert m.get(derived.id) is None
