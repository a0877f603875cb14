"""Decay: what is left with age, whose half-life counts, and what never fades."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os import InvalidInput, Memory, MemoryClient, Settings
from agent_memory_os.pure.decay import exponential, fade, half_life_days, is_authority, linear
from agent_memory_os.pure.score import freshness
from agent_memory_os.settings import DAY_MS

AGES = st.integers(-(10**15), 10**15)
HALF_LIVES = st.floats(0.001, 1e6)
KINDS = st.sampled_from(["exponential", "linear"])
SETTINGS = Settings(
    half_life_days=90,
    half_life_days_by_class={"short-term": 7},
    half_life_days_by_type={"task": 14, "creed": None},
    half_life_days_by_layer={0: 30, 3: None},
)


@pytest.fixture
def memory() -> Memory:
    """Return a note, written and said to have happened at one moment."""
    with MemoryClient(":memory:") as m:
        return m.add("the pump needs oil").memory


@pytest.mark.capability("AMOS-057")
@pytest.mark.parametrize(
    ("half_lives", "by_half", "by_line"),
    [(0, 1.0, 1.0), (0.5, 0.5**0.5, 0.75), (1, 0.5, 0.5), (2, 0.25, 0.0), (4, 0.0625, 0.0)],
)
def test_both_kinds_leave_half_after_a_half_life(
    half_lives: float, by_half: float, by_line: float
) -> None:
    age_ms = half_lives * DAY_MS

    assert exponential(1.0, age_ms, half_life_ms=DAY_MS) == pytest.approx(by_half)
    assert linear(1.0, age_ms, half_life_ms=DAY_MS) == pytest.approx(by_line)


@pytest.mark.capability("AMOS-057")
@given(age_ms=AGES, more_ms=st.integers(0, 10**15), days=HALF_LIVES, kind=KINDS)
def test_what_is_left_is_a_share_and_never_rises_with_age(
    age_ms: int, more_ms: int, days: float, kind: str
) -> None:
    now, later = (fade(age, days, kind=kind) for age in (age_ms, age_ms + more_ms))

    assert 0 <= later <= now <= 1


@given(age_ms=st.integers(-(10**15), 0), days=HALF_LIVES, kind=KINDS)
def test_a_moment_in_the_future_is_now(age_ms: int, days: float, kind: str) -> None:
    assert fade(age_ms, days, kind=kind) == 1.0


@given(age_ms=AGES, kind=KINDS)
def test_without_a_half_life_nothing_fades(age_ms: int, kind: str) -> None:
    assert fade(age_ms, None, kind=kind) == 1.0


@pytest.mark.parametrize("half_life_ms", [0, -1, float("nan")])
def test_a_half_life_of_nothing_is_refused(half_life_ms: float) -> None:
    with pytest.raises(InvalidInput, match="half_life_ms"):
        exponential(1.0, 1, half_life_ms=half_life_ms)
    with pytest.raises(InvalidInput, match="half_life_ms"):
        linear(1.0, 1, half_life_ms=half_life_ms)


@pytest.mark.capability("AMOS-057", "MEMU-15")
@pytest.mark.parametrize(
    ("type_", "layer", "marks", "days"),
    [
        ("note", 1, {}, 90),
        ("note", 0, {}, 30),
        ("note", 3, {}, None),
        ("task", 0, {}, 14),
        ("creed", 0, {}, None),
        ("task", 3, {"decay": "short-term"}, 7),
        ("creed", 1, {"decay": "short-term"}, 7),
        ("task", 1, {"decay": "geological"}, 14),
        ("task", 1, {"decay": ["short-term"]}, 14),
    ],
)
def test_the_class_goes_before_the_type_and_the_type_before_the_layer(
    type_: str, layer: int, marks: dict[str, object], days: float | None
) -> None:
    assert half_life_days(type_, layer, marks, SETTINGS) == days


@pytest.mark.capability("AMOS-063")
@pytest.mark.parametrize("mark", [True, 1, "the charter", {"of": "ops"}, []])
def test_what_is_marked_as_an_authority_does_not_fade(mark: object) -> None:
    assert half_life_days("task", 1, {"authority": mark, "decay": "short-term"}, SETTINGS) is None


@pytest.mark.parametrize("mark", [None, False, 0, ""])
def test_a_mark_of_nothing_is_no_mark(mark: object) -> None:
    assert not is_authority("note", mark, SETTINGS)


@pytest.mark.capability("AMOS-063")
@pytest.mark.parametrize("type_", ["authority", "instruction", "permission", "policy", "rule"])
def test_some_types_are_authorities(type_: str) -> None:
    assert half_life_days(type_, 1, {}, Settings()) is None
    assert half_life_days("tale", 1, {}, Settings(authority_types=("tale",))) is None


@pytest.mark.capability("AMOS-057", "AMOS-058")
def test_a_memory_fades_by_the_kind_of_the_settings_and_not_while_it_is_pinned(
    memory: Memory,
) -> None:
    later = memory.created_ms + 135 * DAY_MS

    assert freshness(memory, later, Settings()) == pytest.approx(0.5**1.5)
    assert freshness(memory, later, Settings(decay="linear")) == pytest.approx(0.25)
    pinned = dataclasses.replace(memory, pinned=True)
    assert freshness(pinned, later, Settings()) == 1.0


@pytest.mark.capability("AMOS-063")
def test_a_memory_that_is_an_authority_stays_fresh(memory: Memory) -> None:
    later = memory.created_ms + 900 * DAY_MS
    marked = dataclasses.replace(memory, metadata={"authority": True})

    assert freshness(memory, later, Settings()) < 0.01
    assert freshness(marked, later, Settings()) == 1.0


@pytest.mark.parametrize(
    "numbers",
    [
        {"decay": "none"},
        {"half_life_days": 0},
        {"half_life_days_by_layer": {0: -1.0}},
        {"half_life_days_by_class": {"short-term": 0.0}},
        {"retention_half_lives": -1.0},
        {"retention_half_lives_by_layer": {0: float("nan")}},
        {"temporary_days": 0.0},
        {"delete_archived_days": 0.0},
        {"delete_archived_days_by_layer": {2: -3.0}},
        {"history_per_memory": 0},
        {"receipt_rows": 0},
    ],
    ids=str,
)
def test_settings_refuse_what_is_no_age(numbers: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        Settings(**numbers)  # type: ignore[arg-type]  # what is tested
