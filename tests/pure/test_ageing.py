"""What has aged out: for which reason, and what spares it."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os import InvalidInput, Settings
from agent_memory_os.pure.retention import Ageing, Due, Policy, due, policy
from agent_memory_os.settings import DAY_MS

SETTINGS = Settings()
EVERY_LAYER = policy(SETTINGS, half_lives=None, layers=None)
NOTE = Ageing("a", "note", 1, "active", False, 0, 0, None, {})  # written at 0, never used since
IDLE_MS = 4 * 90 * DAY_MS


@pytest.mark.capability("AMOS-061")
def test_what_was_not_used_for_four_half_lives_is_archived_and_not_a_millisecond_before() -> None:
    assert due(NOTE, IDLE_MS - 1, EVERY_LAYER, SETTINGS) is None
    assert due(NOTE, IDLE_MS, EVERY_LAYER, SETTINGS) == Due("archived", "idle", "")


@pytest.mark.capability("AMOS-061")
def test_what_has_expired_is_archived_at_that_moment() -> None:
    expiring = replace(NOTE, expires_ms=5)

    assert due(expiring, 4, EVERY_LAYER, SETTINGS) is None
    assert due(expiring, 5, EVERY_LAYER, SETTINGS) == Due("archived", "expired", "")


@pytest.mark.capability("AMOS-061")
def test_zero_half_lives_archive_what_has_expired_alone() -> None:
    expired_alone = policy(SETTINGS, half_lives=0, layers=None)
    temporary = replace(NOTE, marks={"temporary": True})

    assert due(NOTE, 10**15, expired_alone, SETTINGS) is None
    assert due(temporary, 10**15, expired_alone, SETTINGS) is None
    assert due(replace(NOTE, expires_ms=5), 5, expired_alone, SETTINGS) is not None


@pytest.mark.capability("AIM-56")
def test_what_is_marked_temporary_goes_after_thirty_days() -> None:
    temporary = replace(NOTE, marks={"temporary": True}, used_ms=29 * DAY_MS)

    assert due(temporary, 30 * DAY_MS - 1, EVERY_LAYER, SETTINGS) is None
    assert due(temporary, 30 * DAY_MS, EVERY_LAYER, SETTINGS) == Due("archived", "temporary", "")


@pytest.mark.capability("AMOS-063")
@pytest.mark.parametrize(
    ("changes", "spared"),
    [
        ({"pinned": True}, "pinned"),
        ({"marks": {"authority": True}}, "authority"),
        ({"type": "policy"}, "authority"),
    ],
)
@pytest.mark.parametrize("ending", [{}, {"expires_ms": 5}, {"state": "archived"}])
def test_what_is_pinned_or_an_authority_is_never_moved(
    changes: dict[str, Any], spared: str, ending: dict[str, Any]
) -> None:
    memory = replace(NOTE, **changes, **ending)
    strict = Policy({1: 1.0}, {1: 1.0})

    found = due(memory, IDLE_MS, strict, SETTINGS)

    assert found is not None
    assert found.spared == spared


def test_what_never_fades_is_never_idle() -> None:
    assert due(replace(NOTE, type="preference"), 10**15, EVERY_LAYER, SETTINGS) is None


@pytest.mark.capability("OOM-070")
def test_each_layer_has_a_policy_of_its_own() -> None:
    settings = Settings(
        half_life_days=10,
        half_life_days_by_layer={0: 10},
        retention_half_lives_by_layer={0: 1.0, 1: 0.0},
        delete_archived_days=50,
        delete_archived_days_by_layer={0: 5, 3: None},
    )

    plan = policy(settings, half_lives=None, layers=None)

    assert plan == Policy({0: 1.0, 1: 0.0, 2: 4.0, 3: 4.0}, {0: 5, 1: 50, 2: 50, 3: None})
    event = replace(NOTE, layer=0)
    assert due(event, 10 * DAY_MS, plan, settings) == Due("archived", "idle", "")
    assert due(NOTE, 10**15, plan, settings) is None


@pytest.mark.capability("OOM-070")
def test_what_was_archived_long_enough_is_deleted_where_the_policy_says_so() -> None:
    settings = Settings(delete_archived_days_by_layer={0: 30})
    plan = policy(settings, half_lives=None, layers=None)
    atom = replace(NOTE, state="archived")
    event = replace(atom, layer=0)

    assert due(event, 30 * DAY_MS - 1, plan, settings) is None
    assert due(event, 30 * DAY_MS, plan, settings) == Due("deleted", "archived", "")
    assert due(atom, 10**15, plan, settings) is None


def test_a_layer_that_is_not_named_keeps_all_it_has() -> None:
    of_events = policy(SETTINGS, half_lives=1, layers=[0])

    assert due(NOTE, 10**15, of_events, SETTINGS) is None
    assert due(replace(NOTE, layer=0), 10**15, of_events, SETTINGS) is not None


@given(
    now_ms=st.integers(0, 10**13),
    back_ms=st.integers(0, 10**13),
    used_ms=st.integers(0, 10**13),
    expires_ms=st.none() | st.integers(0, 10**13),
)
def test_fc_107_a_clock_that_goes_back_moves_nothing_more(
    now_ms: int, back_ms: int, used_ms: int, expires_ms: int | None
) -> None:
    memory = replace(NOTE, used_ms=used_ms, expires_ms=expires_ms)

    if due(memory, now_ms - back_ms, EVERY_LAYER, SETTINGS):
        assert due(memory, now_ms, EVERY_LAYER, SETTINGS)


@given(used_ms=st.integers(0, 10**13), more=st.floats(0, 9), less=st.floats(0.1, 1))
def test_more_patience_never_moves_more(used_ms: int, more: float, less: float) -> None:
    patient, hasty = (
        policy(SETTINGS, half_lives=less * each, layers=None) for each in (1 + more, 1)
    )
    memory = replace(NOTE, used_ms=used_ms)

    if due(memory, 10**13, patient, SETTINGS):
        assert due(memory, 10**13, hasty, SETTINGS)


@pytest.mark.parametrize("half_lives", [-1, float("nan"), float("inf"), 10**400, True, "4"])
def test_half_lives_that_are_no_number_are_refused(half_lives: object) -> None:
    with pytest.raises(InvalidInput, match="half_lives"):
        policy(SETTINGS, half_lives=half_lives, layers=None)


@pytest.mark.parametrize("layers", [4, "01", [4], [True], [-1], ["1"], [1.0]])
def test_layers_that_are_none_are_refused(layers: object) -> None:
    with pytest.raises(InvalidInput, match="layer"):
        policy(SETTINGS, half_lives=None, layers=layers)
