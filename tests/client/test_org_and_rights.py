"""Who may do what: owners and viewers, teams and projects, bound views, and what they learn."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from agent_memory_os import AgentMemory, InvalidInput, MemoryClient, NotFound, NotPermitted
from agent_memory_os.errors import VersionConflict
from agent_memory_os.testing import FakeClock, assert_never_visible

UNKNOWN_ID = "f" * 25
CHANGES: dict[str, Callable[[AgentMemory, str], Any]] = {
    "update": lambda view, memory_id: view.update(memory_id, content="changed"),
    "update with a version": lambda view, memory_id: view.update(
        memory_id, if_version="stale", content="changed"
    ),
    "share": lambda view, memory_id: view.share(memory_id, ["global"]),
    "share into what is not there": lambda view, memory_id: view.share(memory_id, ["team:nope"]),
    "revoke": lambda view, memory_id: view.revoke(memory_id, ["team:apollo"]),
    "revoke what was not given": lambda view, memory_id: view.revoke(memory_id, ["agent:zoe"]),
    "delete": lambda view, memory_id: view.delete(memory_id),
}
READS: dict[str, Callable[[AgentMemory, str], Any]] = {
    "explain": lambda view, memory_id: view.explain("plan", memory_id),
    **CHANGES,
}


@pytest.fixture
def apollo(m: MemoryClient) -> MemoryClient:
    """Return a memory with teams apollo (neo, ada) and hermes (zoe), and project lander (neo)."""
    m.org.create_team("apollo")
    m.org.create_team("hermes")
    m.org.create_project("lander", team="apollo")
    for team, agent in [("apollo", "neo"), ("apollo", "ada"), ("hermes", "zoe")]:
        m.org.add_team_member(team, agent)
    m.org.add_project_member("lander", "neo")
    return m


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[tuple[MemoryClient, MemoryClient]]:
    """Yield two clients on one file."""
    path = tmp_path / "memory.db"
    with MemoryClient(path) as a, MemoryClient(path) as b:
        yield a, b
        assert a.admin.check() == []


def contents(found: Any) -> list[str]:
    return [each.content for each in found]


# Owners and viewers


@pytest.mark.capability("AMOS-017")
def test_the_owner_may_update_share_revoke_and_delete(apollo: MemoryClient) -> None:
    neo = apollo.as_agent("neo")
    added = neo.add("the plan")

    assert neo.share(added.id, ["team:apollo", "agent:zoe"]).visibility == (
        "agent:zoe",
        "team:apollo",
    )
    assert neo.update(added.id, content="the new plan").memory.content == "the new plan"
    assert neo.revoke(added.id, ["agent:zoe"]).visibility == ("team:apollo",)
    neo.delete(added.id)

    assert neo.get(added.id) is None
    assert [change.kind for change in neo.history(added.id)] == [
        "share",
        "update",
        "revoke",
        "delete",
    ]


@pytest.mark.parametrize("act", CHANGES)
def test_a_viewer_may_change_nothing(apollo: MemoryClient, act: str) -> None:
    added = apollo.add("the plan", owner="neo", visibility=["team:apollo"])

    with pytest.raises(NotPermitted, match="only its owner"):
        CHANGES[act](apollo.as_agent("ada"), added.id)

    assert apollo.get(added.id, requester_agent_id="neo") == added.memory
    assert apollo.history(added.id, requester_agent_id="neo") == []


@pytest.mark.capability("AMOS-016", "AMOS-019")
@pytest.mark.parametrize("act", READS)
def test_what_is_not_visible_is_as_absent_as_what_is_not_there(
    apollo: MemoryClient, act: str
) -> None:
    hidden = apollo.add("the plan", owner="neo", visibility=["team:apollo"]).id
    zoe = apollo.as_agent("zoe")

    with pytest.raises(NotFound) as of_hidden:
        READS[act](zoe, hidden)
    with pytest.raises(NotFound) as of_absent:
        READS[act](zoe, UNKNOWN_ID)

    assert str(of_hidden.value).replace(hidden, UNKNOWN_ID) == str(of_absent.value)


def test_the_host_acting_for_nobody_in_particular_is_no_admin(apollo: MemoryClient) -> None:
    added = apollo.add("the plan", owner="neo")

    assert apollo.agent_id == "local"
    assert apollo.get(added.id) is None
    assert apollo.browse() == []
    with pytest.raises(NotFound):
        apollo.delete(added.id)


def test_a_stale_version_changes_nothing(apollo: MemoryClient) -> None:
    neo = apollo.as_agent("neo")
    first = neo.add("the plan")
    second = neo.update(first.id, content="the new plan")

    with pytest.raises(VersionConflict) as conflict:
        neo.update(first.id, if_version=first.memory.version, content="mine")

    assert conflict.value.found == second.memory.version
    assert neo.get(first.id) == second.memory


def test_anyone_may_give_to_an_agent_and_to_everybody(m: MemoryClient) -> None:
    given = m.add("for zoe", owner="stranger", visibility=["agent:zoe"])
    told = m.add("for all", owner="stranger", visibility=["global"])

    assert {memory.id for memory in m.browse(requester_agent_id="zoe")} == {given.id, told.id}
    assert contents(m.browse(requester_agent_id="nobody")) == ["for all"]


# Sharing into teams and projects


@pytest.mark.capability("AMOS-012")
@pytest.mark.parametrize(
    ("agent", "scope"),
    [
        ("zoe", "team:apollo"),
        ("zoe", "project:lander"),
        ("ada", "project:lander"),
        ("stranger", "team:apollo"),
        ("neo", "team:nope"),
        ("neo", "project:nope"),
    ],
)
def test_only_members_share_into_a_team_or_project(
    apollo: MemoryClient, agent: str, scope: str
) -> None:
    view = apollo.as_agent(agent)
    own = view.add("mine alone")

    with pytest.raises((NotPermitted, NotFound)):
        view.add("pushed in", visibility=[scope])
    with pytest.raises((NotPermitted, NotFound)):
        view.add_many([{"content": "fine"}, {"content": "pushed in", "visibility": [scope]}])
    with pytest.raises((NotPermitted, NotFound)):
        view.share(own.id, [scope])
    with pytest.raises((NotPermitted, NotFound)):
        view.add("by name", key="k", visibility=[scope])

    assert view.browse() == [own.memory]
    assert apollo.admin.stats().memories == 1


@pytest.mark.capability("AMOS-016")
def test_a_team_that_one_is_not_in_looks_like_one_that_is_not_there(apollo: MemoryClient) -> None:
    own = apollo.add("mine", owner="zoe").id

    def refusal(scope: str, act: Callable[[str], object]) -> tuple[type, str]:
        with pytest.raises((NotPermitted, NotFound)) as refused:
            act(scope)
        return type(refused.value), str(refused.value).replace(scope, "")

    zoe = apollo.as_agent("zoe")
    for act in (
        lambda scope: zoe.add("pushed in", visibility=[scope]),
        lambda scope: zoe.share(own, [scope]),
    ):
        assert refusal("team:apollo", act) == refusal("team:nope", act)
        assert refusal("project:lander", act) == refusal("project:nope", act)


def test_writing_a_key_again_cannot_widen_into_a_foreign_team(apollo: MemoryClient) -> None:
    apollo.add("v1", owner="zoe", key="k")

    with pytest.raises(NotPermitted):
        apollo.add("v2", owner="zoe", key="k", visibility=["team:apollo"])

    assert contents(apollo.browse(requester_agent_id="zoe")) == ["v1"]


@pytest.mark.capability("AMOS-014")
def test_leaving_a_team_takes_back_nothing_that_was_shared(apollo: MemoryClient) -> None:
    shared = apollo.add("the plan", owner="neo", visibility=["team:apollo"])

    apollo.org.remove_team_member("apollo", "neo")

    assert apollo.get(shared.id, requester_agent_id="ada").content == "the plan"
    assert apollo.get(shared.id, requester_agent_id="neo").visibility == ("team:apollo",)
    neo = apollo.as_agent("neo")
    assert neo.update(shared.id, content="the last plan").memory.content == "the last plan"
    assert apollo.get(shared.id, requester_agent_id="ada").content == "the last plan"
    assert neo.share(shared.id, ["agent:zoe"]).visibility == ("agent:zoe", "team:apollo")
    assert neo.revoke(shared.id, ["team:apollo"]).visibility == ("agent:zoe",)
    with pytest.raises(NotPermitted):
        neo.share(shared.id, ["team:apollo"])


@pytest.mark.capability("AMOS-014")
def test_an_agent_that_was_removed_sees_nothing_more_of_the_team(apollo: MemoryClient) -> None:
    apollo.add("the plan", owner="neo", visibility=["team:apollo"])
    apollo.add("the lander", owner="neo", visibility=["project:lander"])
    apollo.org.add_project_member("lander", "ada")
    ada = apollo.as_agent("ada")
    assert len(ada.browse()) == 2

    apollo.org.remove_team_member("apollo", "ada")

    assert ada.browse() == []
    assert_never_visible(ada, "the", queries=["plan", "lander"])
    assert apollo.org.memberships("ada") == []


@pytest.mark.capability("AMOS-014", "AMOS-010")
def test_coming_back_to_a_team_does_not_bring_back_its_projects(apollo: MemoryClient) -> None:
    apollo.add("the lander", owner="neo", visibility=["project:lander"])
    apollo.org.add_project_member("lander", "ada")
    apollo.org.remove_team_member("apollo", "ada")

    apollo.org.add_team_member("apollo", "ada")

    assert apollo.org.memberships("ada") == ["team:apollo"]
    assert apollo.browse(requester_agent_id="ada") == []


@pytest.mark.capability("AMOS-010")
def test_only_members_of_the_team_join_its_project(apollo: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="add it to the team first"):
        apollo.org.add_project_member("lander", "zoe")
    with pytest.raises(InvalidInput, match="add it to the team first"):
        apollo.org.add_project_member("lander", "never heard of")

    assert [project.members for project in apollo.org.projects()] == [("neo",)]
    assert "never heard of" not in {agent.id for agent in apollo.org.agents()}


@pytest.mark.capability("AMOS-011")
def test_a_project_reaches_its_members_and_not_its_team(apollo: MemoryClient) -> None:
    shared = apollo.add("the lander", owner="neo", visibility=["project:lander"])

    assert apollo.get(shared.id, requester_agent_id="ada") is None
    apollo.org.add_project_member("lander", "ada")
    assert apollo.get(shared.id, requester_agent_id="ada").content == "the lander"
    apollo.org.remove_project_member("lander", "ada")
    assert apollo.get(shared.id, requester_agent_id="ada") is None
    assert apollo.org.memberships("ada") == ["team:apollo"]


# Deleting teams and projects


@pytest.mark.capability("AMOS-015")
def test_deleting_a_team_revokes_for_everybody_but_the_owner(apollo: MemoryClient) -> None:
    plan = apollo.add("the plan", owner="neo", visibility=["team:apollo"])
    lander = apollo.add("the lander", owner="neo", visibility=["project:lander"])

    apollo.org.delete_team("apollo")

    assert apollo.browse(requester_agent_id="ada") == []
    assert_never_visible(apollo.as_agent("ada"), "the", queries=["plan", "lander"])
    assert apollo.get(plan.id, requester_agent_id="neo").visibility == ()
    assert apollo.get(lander.id, requester_agent_id="neo").visibility == ()
    assert [team.id for team in apollo.org.teams()] == ["hermes"]
    assert apollo.org.projects() == []
    assert apollo.org.memberships("neo") == []


@pytest.mark.capability("AMOS-015", "AMOS-016")
@pytest.mark.parametrize("rebuilt", [False, True], ids=["as it is", "with new indexes"])
def test_a_team_that_was_created_again_sees_nothing_of_the_old(
    apollo: MemoryClient, rebuilt: bool
) -> None:
    apollo.add("the old plan", owner="neo", visibility=["team:apollo"])
    apollo.add("the old lander", owner="neo", visibility=["project:lander"])
    apollo.org.delete_team("apollo")

    apollo.org.create_team("apollo")
    apollo.org.create_project("lander", team="apollo")
    for agent in ("neo", "ada", "zoe"):
        apollo.org.add_team_member("apollo", agent)
        apollo.org.add_project_member("lander", agent)
    fresh = apollo.add("a fresh plan", owner="neo", visibility=["team:apollo", "project:lander"])
    if rebuilt:
        apollo.rebuild_indexes()

    for agent in ("ada", "zoe"):
        assert apollo.browse(requester_agent_id=agent) == [
            apollo.get(fresh.id, requester_agent_id=agent)
        ]
        assert_never_visible(apollo.as_agent(agent), "the old", queries=["plan", "lander"])
    assert len(apollo.browse(requester_agent_id="neo")) == 3


@pytest.mark.capability("AMOS-015")
def test_a_project_that_was_created_again_sees_nothing_of_the_old(apollo: MemoryClient) -> None:
    apollo.add("the old lander", owner="neo", visibility=["project:lander"])
    apollo.org.add_project_member("lander", "ada")
    apollo.org.delete_project("lander")
    assert apollo.browse(requester_agent_id="ada") == []

    apollo.org.create_project("lander", team="apollo")
    apollo.org.add_project_member("lander", "ada")

    assert apollo.browse(requester_agent_id="ada") == []
    with pytest.raises(NotPermitted):
        apollo.add("a new one", owner="neo", visibility=["project:lander"])


def test_sharing_into_the_new_team_does_not_revive_the_old_share(apollo: MemoryClient) -> None:
    plan = apollo.add("the plan", owner="neo", visibility=["team:apollo"])
    apollo.org.delete_team("apollo")
    apollo.org.create_team("apollo")
    apollo.org.add_team_member("apollo", "neo")
    apollo.org.add_team_member("apollo", "zoe")

    with pytest.raises(InvalidInput, match="is not shared with"):
        apollo.revoke(plan.id, ["team:apollo"], requester_agent_id="neo")
    assert apollo.get(plan.id, requester_agent_id="zoe") is None
    shared = apollo.share(plan.id, ["team:apollo"], requester_agent_id="neo")

    assert shared.visibility == ("team:apollo",)
    assert apollo.get(plan.id, requester_agent_id="zoe").content == "the plan"
    assert apollo.get(plan.id, requester_agent_id="ada") is None


@pytest.mark.parametrize(
    "act",
    [
        lambda org: org.delete_team("nope"),
        lambda org: org.delete_project("nope"),
        lambda org: org.add_team_member("nope", "neo"),
        lambda org: org.remove_team_member("nope", "neo"),
        lambda org: org.add_project_member("nope", "neo"),
        lambda org: org.remove_project_member("nope", "neo"),
        lambda org: org.create_project("new", team="nope"),
        lambda org: org.register_agent("newcomer", teams=["apollo", "nope"]),
    ],
)
def test_what_is_not_there_is_not_found_and_nothing_is_written(
    apollo: MemoryClient, act: Callable[[Any], object]
) -> None:
    before = apollo.org.agents(), apollo.org.teams(), apollo.org.projects(), apollo.org.audit()

    with pytest.raises(NotFound, match="nope"):
        act(apollo.org)

    after = apollo.org.agents(), apollo.org.teams(), apollo.org.projects(), apollo.org.audit()
    assert after == before


# Two clients on one file


@pytest.mark.capability("AMOS-014")
def test_rights_that_one_client_changes_hold_at_once_in_another(
    pair: tuple[MemoryClient, MemoryClient],
) -> None:
    a, b = pair
    ada = b.as_agent("ada")
    assert ada.search("plan") == []

    a.org.create_team("apollo")
    a.org.register_agent("neo", teams=["apollo"])
    plan = a.add("the plan", owner="neo", visibility=["team:apollo"])
    assert ada.search("plan") == []
    a.org.add_team_member("apollo", "ada")
    assert ada.search("plan").ids == (plan.id,)
    a.org.remove_team_member("apollo", "ada")
    assert ada.search("plan") == []
    a.share(plan.id, ["agent:ada"], requester_agent_id="neo")
    assert ada.search("plan").ids == (plan.id,)
    a.revoke(plan.id, ["agent:ada"], requester_agent_id="neo")
    assert ada.search("plan") == []
    a.org.add_team_member("apollo", "ada")
    assert ada.get(plan.id).content == "the plan"
    a.org.delete_team("apollo")
    assert ada.get(plan.id) is None


@pytest.mark.capability("AMOS-014")
def test_a_member_that_another_client_removed_shares_into_the_team_no_more(
    pair: tuple[MemoryClient, MemoryClient],
) -> None:
    a, b = pair
    a.org.create_team("apollo")
    a.org.add_team_member("apollo", "neo")
    b.add("first", owner="neo", visibility=["team:apollo"])

    a.org.remove_team_member("apollo", "neo")

    with pytest.raises(NotPermitted):
        b.add("second", owner="neo", visibility=["team:apollo"])


# The audit


def test_every_act_on_rights_and_organisation_is_in_the_audit(m: MemoryClient) -> None:
    m.org.create_team("apollo")
    m.org.register_agent("neo", kind="coder", teams=["apollo"])
    m.org.create_project("lander", team="apollo")
    m.org.add_project_member("lander", "neo")
    plan = m.add("the plan", owner="neo")
    m.share(plan.id, ["team:apollo"], requester_agent_id="neo")
    m.revoke(plan.id, ["team:apollo"], requester_agent_id="neo")
    m.org.remove_project_member("lander", "neo")
    m.org.remove_team_member("apollo", "neo")
    m.org.delete_project("lander")
    m.org.delete_team("apollo")

    acts = [(entry.by, entry.action, entry.target, entry.detail) for entry in m.org.audit()]

    assert acts == [
        ("local", "delete team", "team:apollo", {}),
        ("local", "delete project", "project:lander", {}),
        ("local", "remove member", "team:apollo", {"agent": "neo"}),
        ("local", "remove member", "project:lander", {"agent": "neo"}),
        ("neo", "revoke", plan.id, {"scopes": ["team:apollo"]}),
        ("neo", "share", plan.id, {"scopes": ["team:apollo"]}),
        ("local", "add member", "project:lander", {"agent": "neo"}),
        ("local", "create project", "project:lander", {"team": "apollo"}),
        ("local", "add member", "team:apollo", {"agent": "neo"}),
        ("local", "register agent", "neo", {"kind": "coder"}),
        ("local", "create team", "team:apollo", {}),
    ]
    assert m.org.audit(limit=1)[0].action == "delete team"
    assert m.org.audit(limit=0) == []


def test_an_act_that_changes_nothing_or_fails_is_not_in_the_audit(apollo: MemoryClient) -> None:
    plan = apollo.add("the plan", owner="neo", visibility=["team:apollo"])
    before = apollo.org.audit()

    apollo.org.add_team_member("apollo", "neo")
    apollo.org.remove_team_member("hermes", "neo")
    apollo.share(plan.id, ["team:apollo"], requester_agent_id="neo")
    with pytest.raises(NotPermitted):
        apollo.share(plan.id, ["global"], requester_agent_id="ada")

    assert apollo.org.audit() == before


def test_rights_that_a_key_changed_are_in_the_audit(apollo: MemoryClient) -> None:
    plan = apollo.add("v1", owner="neo", key="plan")

    apollo.add("v2", owner="neo", key="plan", visibility=["team:apollo"])

    entry = apollo.org.audit(limit=1)[0]
    assert (entry.by, entry.action, entry.target) == ("neo", "share", plan.id)
    assert entry.detail == {"scopes": ["team:apollo"]}


# What others learn


@pytest.mark.capability("AMOS-016")
def test_others_learn_of_no_scope_that_they_do_not_hold(apollo: MemoryClient) -> None:
    scopes = ["agent:zoe", "project:lander", "team:apollo"]
    plan = apollo.add("the plan", owner="neo", visibility=scopes)

    seen = {
        agent: apollo.get(plan.id, requester_agent_id=agent).visibility
        for agent in ("neo", "ada", "zoe")
    }

    assert seen == {"neo": tuple(scopes), "ada": ("team:apollo",), "zoe": ("agent:zoe",)}
    for read in (
        apollo.browse(requester_agent_id="zoe")[0],
        apollo.search("plan", requester_agent_id="zoe")[0].memory,
        apollo.context_pack("plan", requester_agent_id="zoe").items[0].memory,
        apollo.get_many([plan.id], requester_agent_id="zoe")[0],
    ):
        assert read.visibility == ("agent:zoe",)


@pytest.mark.capability("AMOS-016")
def test_others_learn_nothing_of_what_was_edited_out_before_it_was_shared(
    apollo: MemoryClient,
) -> None:
    neo, ada = apollo.as_agent("neo"), apollo.as_agent("ada")
    plan = neo.add("draft with the salary", tags=["secret"])
    neo.update(plan.id, content="clean draft", tags=["open"])
    neo.share(plan.id, ["team:apollo"])

    assert ada.history(plan.id) == []
    neo.update(plan.id, content="final text")

    assert [dict(change.before) for change in ada.history(plan.id)] == [{"content": "clean draft"}]
    assert [change.kind for change in neo.history(plan.id)] == ["update", "share", "update"]
    assert_never_visible(ada, "salary", queries=["draft", "secret"])


@pytest.mark.capability("AMOS-016")
def test_whom_else_it_was_shared_with_is_no_part_of_what_others_read(apollo: MemoryClient) -> None:
    neo, ada = apollo.as_agent("neo"), apollo.as_agent("ada")
    plan = neo.add("the plan", visibility=["team:apollo"])
    neo.share(plan.id, ["agent:zoe"])
    neo.revoke(plan.id, ["agent:zoe"])

    assert "zoe" not in repr(ada.history(plan.id))
    assert "zoe" not in repr(ada.get(plan.id))


@pytest.mark.capability("AMOS-014")
def test_whom_a_memory_is_taken_from_loses_its_history_as_well(apollo: MemoryClient) -> None:
    neo, ada = apollo.as_agent("neo"), apollo.as_agent("ada")
    plan = neo.add("v1", visibility=["team:apollo"])
    neo.update(plan.id, content="v2")
    assert len(ada.history(plan.id)) == 1

    neo.revoke(plan.id, ["team:apollo"])

    assert ada.history(plan.id) == []


def test_writing_what_another_owns_makes_a_memory_of_ones_own(apollo: MemoryClient) -> None:
    private = apollo.add("the code is 7731", owner="neo")

    receipt = apollo.add("the code is 7731", owner="ada")

    assert receipt.verdict == "stored"
    assert receipt.id != private.id
    assert receipt.memory.mentions == 1


def test_a_key_of_another_owner_is_not_in_the_way(apollo: MemoryClient) -> None:
    apollo.add("neo's", owner="neo", key="k", idempotency_key="call-1")

    receipt = apollo.add("ada's", owner="ada", key="k", idempotency_key="call-1")

    assert receipt.verdict == "stored"
    assert contents(apollo.browse(requester_agent_id="neo")) == ["neo's"]


# Bound views


@pytest.fixture
def bot(m: MemoryClient) -> MemoryClient:
    """Return a memory in which the bot knows of Alice, of Bob, and a rule without a subject."""
    m.add("Alice is allergic to nuts", owner="bot", subject="user:alice", tags=["health"])
    m.add("Bob is allergic to milk", owner="bot", subject="user:bob", tags=["health"])
    m.add("Ask before you order food for the allergic", owner="bot")
    m.add("Alice, said another, is allergic to cats", owner="vet", subject="user:alice")
    return m


ALICE = ["Alice is allergic to nuts"]
RULE = ["Ask before you order food for the allergic"]


@pytest.mark.capability("MEMU-73", "MEMU-74", "AIM-66")
def test_a_bound_view_reads_its_subject_and_nothing_else(bot: MemoryClient) -> None:
    alice = bot.as_agent("bot", subject="user:alice")
    others = [memory.id for memory in bot.browse(requester_agent_id="bot")]

    assert contents(alice.browse()) == ALICE
    assert contents(alice.search("allergic")) == ALICE
    assert contents(alice.search(None)) == ALICE
    assert [item.memory.content for item in alice.context_pack("allergic").items] == ALICE
    assert contents(alice.get_many(others)) == ALICE
    assert contents(alice.browse(tags=["health"])) == ALICE
    assert contents(alice.browse(subject="user:alice")) == ALICE
    assert_never_visible(alice, "Bob", queries=["milk", "allergic"])


@pytest.mark.capability("MEMU-73")
def test_a_bound_view_with_shared_reads_what_has_no_subject_as_well(bot: MemoryClient) -> None:
    alice = bot.as_agent("bot", subject="user:alice", shared=True)

    assert contents(alice.browse()) == [*RULE, *ALICE]
    assert sorted(contents(alice.search("allergic"))) == sorted([*RULE, *ALICE])
    assert_never_visible(alice, "Bob", queries=["milk", "allergic"])


@pytest.mark.capability("MEMU-73")
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("act", READS)
def test_to_a_bound_view_another_subject_is_not_there(
    bot: MemoryClient, act: str, shared: bool
) -> None:
    bob = next(
        memory.id for memory in bot.browse(requester_agent_id="bot") if memory.subject == "user:bob"
    )
    alice = bot.as_agent("bot", subject="user:alice", shared=shared)

    with pytest.raises(NotFound):
        READS[act](alice, bob)

    assert alice.get(bob) is None
    assert alice.history(bob) == []


@pytest.mark.capability("MEMU-73", "MEMU-74")
@pytest.mark.parametrize(
    "act",
    [
        lambda view: view.add("x", subject="user:bob"),
        lambda view: view.add_many([{"content": "x"}, {"content": "y", "subject": "user:bob"}]),
        lambda view: view.browse(subject="user:bob"),
        lambda view: view.search("allergic", subject="user:bob"),
        lambda view: view.context_pack("allergic", subject="user:bob"),
        lambda view: view.explain("allergic", UNKNOWN_ID, subject="user:bob"),
    ],
    ids=["add", "add_many", "browse", "search", "context_pack", "explain"],
)
def test_a_bound_view_names_no_other_subject(
    bot: MemoryClient, act: Callable[[AgentMemory], object]
) -> None:
    before = bot.admin.stats()

    with pytest.raises(NotPermitted, match="bound to 'user:alice'"):
        act(bot.as_agent("bot", subject="user:alice"))

    assert bot.admin.stats() == before


@pytest.mark.capability("MEMU-73")
@pytest.mark.parametrize(
    "where",
    [
        {"subject": "user:bob"},
        {"subject": {"$in": ["user:alice", "user:bob"]}},
        {"subject": {"$ne": "user:alice"}},
        {"$or": [{"subject": "user:bob"}, {"subject": "user:alice"}]},
        {"$not": {"subject": "user:alice"}},
        {"content": {"$contains": "Bob"}},
    ],
    ids=str,
)
def test_no_condition_of_a_bound_view_reaches_another_subject(
    bot: MemoryClient, where: dict[str, object]
) -> None:
    alice = bot.as_agent("bot", subject="user:alice")

    found = [
        *alice.browse(where=where),
        *alice.search("allergic", where=where),
        *alice.search(None, where=where),
        *alice.context_pack("allergic", where=where).items,
    ]

    assert [each for each in found if "Bob" in repr(each)] == []


@pytest.mark.capability("MEMU-73", "MEMU-74")
@pytest.mark.parametrize("shared", [False, True])
def test_a_bound_view_writes_its_subject_whatever_it_omits(bot: MemoryClient, shared: bool) -> None:
    alice = bot.as_agent("bot", subject="user:alice", shared=shared)

    one = alice.add("Alice likes tea")
    two = alice.add("Alice likes jazz", subject=None)
    (three,) = alice.add_many([{"content": "Alice likes rain"}])

    assert {r.memory.subject for r in (one, two, three)} == {"user:alice"}
    assert {r.memory.owner for r in (one, two, three)} == {"bot"}


@pytest.mark.capability("MEMU-73")
@pytest.mark.parametrize("act", CHANGES)
def test_a_bound_view_changes_nothing_that_has_no_subject(bot: MemoryClient, act: str) -> None:
    """What it shares with all the other users of the bot is theirs as well: it only reads it."""
    alice = bot.as_agent("bot", subject="user:alice", shared=True)
    (rule,) = (memory for memory in alice.browse() if memory.subject is None)

    with pytest.raises(NotPermitted):
        CHANGES[act](alice, rule.id)

    assert bot.get(rule.id, requester_agent_id="bot") == rule


@pytest.mark.capability("MEMU-73")
def test_a_key_in_a_bound_view_is_a_key_of_its_subject(bot: MemoryClient) -> None:
    alice = bot.as_agent("bot", subject="user:alice", shared=True)
    bob = bot.as_agent("bot", subject="user:bob")
    rule = bot.add("the rule", owner="bot", key="k")
    of_bob = bob.add("Bob's", key="k")

    of_alice = alice.add("Alice's", key="k")

    assert len({rule.id, of_bob.id, of_alice.id}) == 3
    assert bob.get(of_bob.id) == of_bob.memory
    assert bot.get(rule.id, requester_agent_id="bot") == rule.memory


@pytest.mark.capability("MEMU-73")
def test_an_idempotency_key_in_a_bound_view_is_one_of_its_subject(bot: MemoryClient) -> None:
    """Or one user's call would fail, and tell of another's, for using the same number."""
    bot.as_agent("bot", subject="user:bob").add("Bob's", idempotency_key="call-1")
    alice = bot.as_agent("bot", subject="user:alice")

    first = alice.add("Alice's", idempotency_key="call-1")
    again = alice.add("Alice's", idempotency_key="call-1")

    assert first.memory.content == "Alice's"
    assert again.id == first.id


@pytest.mark.capability("MEMU-73")
def test_a_view_that_is_bound_to_somebody_new_is_empty_and_works(bot: MemoryClient) -> None:
    carol = bot.as_agent("bot", subject="user:carol")

    assert carol.browse() == []
    assert carol.search("allergic") == []
    assert str(carol.context_pack("allergic")) == ""
    added = carol.add("Carol is allergic to dust")
    assert carol.search("allergic").ids == (added.id,)


@pytest.mark.parametrize("agent", ["stranger", "local"])
def test_an_agent_that_nobody_has_heard_of_finds_what_is_global(
    bot: MemoryClient, agent: str
) -> None:
    told = bot.add("Everybody may know of the allergic cat", owner="vet", visibility=["global"])
    view = bot.as_agent(agent)

    assert view.search("allergic").ids == (told.id,)
    assert view.browse() == [view.get(told.id)]
    assert view.search("nuts") == []


def test_the_first_search_of_a_new_memory_is_empty_and_works(m: MemoryClient) -> None:
    hits = m.search("anything")

    assert hits == []
    assert hits.report.abstained
    assert hits.report.notes == ("agent 'local' is not registered and owns nothing",)


@pytest.mark.capability("AMOS-019", "MEMU-74")
def test_a_view_has_no_way_to_another_agent_or_to_the_host(bot: MemoryClient) -> None:
    view = bot.as_agent("bot", subject="user:alice")
    host = {"org", "admin", "as_agent", "close", "rebuild_indexes", "context_pack_report"}

    assert host.isdisjoint(name for name in dir(view) if not name.startswith("_"))
    with pytest.raises(InvalidInput, match="owner"):
        view.add("x", owner="vet")
    with pytest.raises(InvalidInput, match="requester_agent_id"):
        view.search("x", requester_agent_id="vet")
    with pytest.raises(TypeError, match="requester_agent_id"):
        view.get(UNKNOWN_ID, requester_agent_id="vet")
    for name in ("agent_id", "subject"):
        with pytest.raises(AttributeError):
            setattr(view, name, "user:bob")


@pytest.mark.capability("AMOS-059", "AIM-58")
def test_what_has_expired_is_gone_from_every_read_of_everybody() -> None:
    clock = FakeClock()
    with MemoryClient(":memory:", clock=clock) as m:
        code = m.add("the code is 5521", owner="neo", visibility=["global"], ttl=timedelta(hours=1))
        assert m.search("code").ids == (code.id,)

        clock.advance(hours=1)

        assert m.get(code.id) is None
        assert m.get(code.id, requester_agent_id="neo") is None
        assert_never_visible(m.as_agent("neo"), "5521", queries=["code"])
        with pytest.raises(NotFound):
            m.update(code.id, requester_agent_id="neo", ttl=None)
        assert m.admin.check() == []
