"""How strength fades, computed at read time from stored facts."""

from agent_memory_os.errors import InvalidInput


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
