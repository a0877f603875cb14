"""What a change of the fleet file asks for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.fleet import Declared, Fleet, Plan, digest, parse, plan

NAMES = st.sampled_from(["ada", "bo", "cy"])
TEAMS = st.sets(st.sampled_from(["x", "y", "z"])).map(lambda teams: tuple(sorted(teams)))
DECLARED = st.builds(Declared, kind=st.sampled_from([None, "bot"]), teams=TEAMS)
FLEETS = st.dictionaries(NAMES, DECLARED)
NOTHING = Plan((), (), (), (), ())


def followed(asked: Plan, before: Fleet) -> Fleet:
    """Return the fleet that stands when *asked* was done to *before*."""
    kinds = {agent: said.kind for agent, said in before.items()} | dict(asked.declare)
    given = {(team, agent) for agent, said in before.items() for team in said.teams}
    given = (given - {*asked.leave}) | {*asked.join}
    return {
        agent: Declared(kind, tuple(sorted(team for team, each in given if each == agent)))
        for agent, kind in kinds.items()
        if agent not in asked.withdraw
    }


@given(declared=FLEETS, before=FLEETS)
def test_a_plan_that_is_followed_leads_to_what_is_declared(declared: Fleet, before: Fleet) -> None:
    asked = plan(declared, before, teams=["x", "y"])

    assert followed(asked, before) == declared
    assert {*asked.create} <= {"z"}


@given(fleet=FLEETS)
def test_what_is_declared_already_asks_for_nothing(fleet: Fleet) -> None:
    assert plan(fleet, fleet, teams=["x", "y", "z"]) == NOTHING


def test_a_file_is_read_as_it_is_written() -> None:
    text = '[agents.b]\nteams = ["y", "x", "y"]\n[agents."a.1"]\nkind = "bot"\n'

    assert parse(text.encode(), "agents.toml") == {
        "a.1": Declared("bot", ()),
        "b": Declared(None, ("x", "y")),
    }


@pytest.mark.parametrize(("one", "other"), [(b"a", b"a "), (b"", b"\n"), (b"a\n", b"a\r\n")])
def test_a_digest_tells_one_file_from_another(one: bytes, other: bytes) -> None:
    assert digest(one) != digest(other)
    assert (digest(b""), digest(one)) == ("", digest(one))
