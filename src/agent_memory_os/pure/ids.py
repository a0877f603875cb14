"""Stamps and ids: 48 bits of milliseconds and 16 of a counter, as a number or as hexadecimal."""

COUNTER_BITS = 16
RANDOM_BITS = 48  # of an id, besides its stamp


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
    """Return an id of 28 hexadecimal digits: 16 of the stamp, 12 of *entropy* (48 bits)."""
    return f"{value:016x}{entropy & (1 << RANDOM_BITS) - 1:012x}"


def version(value: int, node: str) -> str:
    """Return a stamp as text that sorts by time, ``<ms>-<counter>-<node>`` in hexadecimal."""
    return f"{value >> COUNTER_BITS:012x}-{value & 0xFFFF:04x}-{node}"
