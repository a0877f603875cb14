"""Stamps and ids: 48 bits of milliseconds and 16 of a counter, as a number or as hexadecimal."""

COUNTER_BITS = 16
RANDOM_BITS = 40  # of an id, besides its stamp
MOST_RANDOM = (1 << RANDOM_BITS) - 1
DIGITS = 25  # of an id
ID = f"[0-9a-f]{{{DIGITS}}}"  # a regular expression


def stamp(ms: int, counter: int = 0) -> int:
    """Return the stamp of a moment: ``ms << 16 | counter``; larger is later.

    Source: hybrid logical clocks (Kulkarni et al., 2014), packed into one integer.
    """
    return ms << COUNTER_BITS | counter


def stamp_ms(value: int) -> int:
    """Return the milliseconds of a stamp."""
    return value >> COUNTER_BITS


def later(now_ms: int, last: int) -> int:
    """Return the stamp for *now_ms*, or the next after *last* if the clock has not moved on."""
    return max(stamp(max(now_ms, 0)), last + 1)


def memory_id(value: int, entropy: int) -> str:
    """Return an id of 25 hexadecimal digits: 15 of the stamp, 10 of *entropy* (40 bits).

    Ids sort by time until the year 2527.
    """
    return f"{value:015x}{entropy & MOST_RANDOM:010x}"


def first_version(memory_id: str, node: str) -> str:
    """Return the version, by the file *node*, of the stamp that an id begins with."""
    made = memory_id[: -RANDOM_BITS // 4]
    return f"{made[:-4].zfill(12)}-{made[-4:]}-{node}"


def version(value: int, node: str) -> str:
    """Return a stamp as text that sorts by time, ``<ms>-<counter>-<node>`` in hexadecimal."""
    return f"{value >> COUNTER_BITS:012x}-{value & 0xFFFF:04x}-{node}"
