"""Recall profiles: who may save one, and that it is kept."""

from pathlib import Path

import pytest

from agent_memory_os import InvalidInput, MemoryClient, NotPermitted, RecallProfile

ENGINEER = RecallProfile("neo", type_weights={"procedure": 1.5, "note": 0.7})


@pytest.mark.capability("AMOS-029")
def test_a_saved_profile_is_the_agents_own(m: MemoryClient) -> None:
    m.save_profile(ENGINEER)

    assert m.profile(requester_agent_id="neo") == ENGINEER
    assert m.as_agent("neo").profile() == ENGINEER
    assert m.profile() == RecallProfile("local")


def test_saving_again_replaces_the_whole(m: MemoryClient) -> None:
    m.save_profile(ENGINEER)

    m.save_profile(RecallProfile("neo", agent_weights={"ada": 2.0}))
    assert m.profile(requester_agent_id="neo") == RecallProfile("neo", {}, {"ada": 2.0})
    m.save_profile(RecallProfile("neo"))

    assert m.profile(requester_agent_id="neo") == RecallProfile("neo")


@pytest.mark.capability("AMOS-050")
def test_profiles_are_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        m.save_profile(ENGINEER)
    with MemoryClient(path) as m:
        assert m.profile(requester_agent_id="neo") == ENGINEER
        assert m.admin.check() == []


def test_an_agent_saves_its_own_profile_and_no_other(m: MemoryClient) -> None:
    m.as_agent("neo").save_profile(ENGINEER)

    with pytest.raises(NotPermitted, match="may not save the profile of 'neo'"):
        m.as_agent("ada").save_profile(ENGINEER)
    with pytest.raises(NotPermitted, match="holds for every subject"):
        m.as_agent("neo", subject="user:alice").save_profile(ENGINEER)


@pytest.mark.capability("AMOS-050")
def test_a_profile_shows_nothing_that_was_not_shown_before(m: MemoryClient) -> None:
    m.add("the procedure is secret", owner="ada", type="procedure")
    m.add("the note is shown", owner="ada", visibility=["global"])
    before = m.search("procedure note", requester_agent_id="neo").ids

    m.save_profile(RecallProfile("neo", {"procedure": 3.0, "note": 0.1}, {"ada": 3.0}))

    assert m.search("procedure note", requester_agent_id="neo").ids == before
    assert len(m.browse(requester_agent_id="neo")) == 1


@pytest.mark.parametrize("weight", [0, 5, "1", True])
def test_a_weight_out_of_bounds_is_refused_and_nothing_is_saved(
    m: MemoryClient, weight: object
) -> None:
    with pytest.raises(InvalidInput, match=r"type_weights\['note'\]"):
        m.save_profile(RecallProfile("neo", {"note": weight}))

    assert m.profile(requester_agent_id="neo") == RecallProfile("neo")
    with m._parts.store.read() as snapshot:
        assert not snapshot.knows("neo")
