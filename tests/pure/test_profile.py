"""Recall profiles: what is valid, and how far one can move a score."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os import InvalidInput, Memory, RecallProfile, Settings
from agent_memory_os.pure.profile import factor, parse_profile
from agent_memory_os.testing import memory_client

SPAN = Settings().profile_span
WEIGHTS = st.dictionaries(
    st.sampled_from(["note", "procedure", "neo", "ada"]), st.floats(0.1, 3), max_size=4
)


def memory(**fields: object) -> Memory:
    with memory_client() as client:
        return client.add("tea", **fields).memory


NOTE = memory(type="note", owner="neo")
PROCEDURE = memory(type="procedure", owner="ada")


def test_a_profile_that_names_nothing_changes_nothing() -> None:
    assert factor(RecallProfile("neo"), NOTE, Settings()) == 1


def test_what_the_agent_leans_to_most_keeps_its_score() -> None:
    profile = RecallProfile("neo", {"procedure": 1.5, "note": 0.7})

    assert factor(profile, PROCEDURE, Settings()) == 1
    assert factor(profile, NOTE, Settings()) == pytest.approx(1 - SPAN * (1 - 0.7 / 1.5))


def test_weights_of_type_and_owner_are_multiplied() -> None:
    profile = RecallProfile("neo", {"note": 0.5}, {"neo": 0.5})

    assert factor(profile, NOTE, Settings()) == pytest.approx(1 - SPAN * 0.75)
    assert factor(profile, PROCEDURE, Settings()) == 1


@given(types=WEIGHTS, agents=WEIGHTS)
def test_a_profile_never_takes_more_than_its_span(
    types: Mapping[str, float], agents: Mapping[str, float]
) -> None:
    profile = RecallProfile("neo", types, agents)

    for each in (NOTE, PROCEDURE):
        assert 1 - SPAN <= factor(profile, each, Settings()) <= 1


@given(types=WEIGHTS)
def test_a_heavier_type_never_has_the_smaller_factor(types: Mapping[str, float]) -> None:
    profile = RecallProfile("neo", types)
    note, procedure = (factor(profile, each, Settings()) for each in (NOTE, PROCEDURE))

    is_heavier = types.get("procedure", 1.0) >= types.get("note", 1.0)

    assert (procedure >= note) is is_heavier or procedure == pytest.approx(note)


@pytest.mark.parametrize("weight", [0, 0.09, 3.01, -1, True, "1", None, [1], float("nan"), 10**400])
@pytest.mark.parametrize("kind", ["type_weights", "agent_weights"])
def test_a_weight_is_a_number_from_a_tenth_to_three(kind: str, weight: object) -> None:
    profile = RecallProfile("neo", **{kind: {"note": weight}})

    with pytest.raises(InvalidInput, match=kind):
        parse_profile(profile)


@pytest.mark.parametrize(
    "profile",
    [
        RecallProfile("neo", {"": 1.0}),
        RecallProfile("neo", {7: 1.0}),
        RecallProfile("neo", {}, {"a*": 1.0}),
        RecallProfile("neo", {}, {None: 1.0}),
        RecallProfile("", {}),
        RecallProfile(None),
        RecallProfile("neo", [("note", 1.0)]),
        RecallProfile("neo", "note"),
        RecallProfile("neo", {f"t{n}": 1.0 for n in range(1_001)}),
        {"agent_id": "neo"},
        None,
    ],
    ids=repr,
)
def test_a_malformed_profile_is_refused(profile: object) -> None:
    with pytest.raises(InvalidInput, match="profile"):
        parse_profile(profile)


def test_a_profile_goes_through_json_and_back() -> None:
    profile = RecallProfile("neo", {"note": 0.7}, {"ada": 2.0})

    assert RecallProfile.from_dict(profile.to_dict()) == profile
