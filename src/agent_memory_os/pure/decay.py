"""How strength fades, computed at read time from stored facts."""

from collections.abc import Mapping

from agent_memory_os.errors import InvalidInput
from agent_memory_os.settings import DAY_MS, Settings

# Words in the metadata of a memory that say how it ages; SPEC.md, "Age".
AUTHORITY, CLASS, TEMPORARY = "authority", "decay", "temporary"


def exponential(initial: float, age_ms: float, *, half_life_ms: float) -> float:
    """Return what is left of *initial* after *age_ms*: half after each half-life.

    Args:
        initial: strength at age 0, 0 to 1.
        age_ms: milliseconds since then; a negative age counts as zero.
        half_life_ms: milliseconds until half is left; more than 0.

    Returns:
        A number in [0, initial]; never rises with age.

    Raises:
        InvalidInput: *half_life_ms* is not positive.

    Source: exponential forgetting; see SPEC.md, "Scores".
    """
    if not half_life_ms > 0:
        raise InvalidInput(f"half_life_ms must be more than 0, not {half_life_ms!r}")
    return float(initial * 0.5 ** (max(age_ms, 0) / half_life_ms))


def linear(initial: float, age_ms: float, *, half_life_ms: float) -> float:
    """Return what is left of *initial* after *age_ms*: half at the half-life, none at twice it.

    Arguments, bounds and errors are those of `exponential`.
    """
    if not half_life_ms > 0:
        raise InvalidInput(f"half_life_ms must be more than 0, not {half_life_ms!r}")
    return float(initial * max(0.0, 1 - max(age_ms, 0) / (2 * half_life_ms)))


def fade(age_ms: float, half_life_days: float | None, *, kind: str) -> float:
    """Return what is left of 1 after *age_ms*, by a *kind* of decay; None never fades.

    Args:
        age_ms: milliseconds; a negative age counts as zero.
        half_life_days: days until half is left, more than 0; or None.
        kind: "exponential" or "linear".
    """
    if half_life_days is None:
        return 1.0
    left = linear if kind == "linear" else exponential
    return left(1.0, age_ms, half_life_ms=half_life_days * DAY_MS)


def half_life_days(
    type_: str, layer: int, marks: Mapping[str, object], settings: Settings
) -> float | None:
    """Return in how many days a memory fades by half; None when it never does.

    What says what holds until it is changed never does; for the rest see `usual_half_life_days`.

    Args:
        type_: of the memory.
        layer: of the memory.
        marks: its metadata, or as much of it as says how it ages.
        settings: the half-lives.
    """
    if is_authority(type_, marks.get(AUTHORITY), settings):
        return None
    return usual_half_life_days(type_, layer, marks, settings)


def usual_half_life_days(
    type_: str, layer: int, marks: Mapping[str, object], settings: Settings
) -> float | None:
    """Return the half-life of memories of that class, else type, else layer, else of all.

    Arguments and answer are those of `half_life_days`.
    """
    word = marks.get(CLASS)
    if isinstance(word, str) and word in settings.half_life_days_by_class:
        return settings.half_life_days_by_class[word]
    if type_ in settings.half_life_days_by_type:
        return settings.half_life_days_by_type[type_]
    return settings.half_life_days_by_layer.get(layer, settings.half_life_days)


def is_authority(type_: str, mark: object, settings: Settings) -> bool:
    """Return whether a memory says what holds until it is changed, by its type or its *mark*.

    The mark is what its metadata has as ``authority``; see `is_set`.
    """
    return type_ in settings.authority_types or is_set(mark)


def is_set(mark: object) -> bool:
    """Return whether a mark in the metadata is there: anything but null, false, 0 and ""."""
    return mark is not None and mark is not False and mark not in (0, "")
