"""Deadlines: how long a call may take, and what was left out because of it."""

import time
from collections.abc import Callable

Stopwatch = Callable[[], float]


class Deadline:
    """A deadline of one call, counted from the moment at which this object is made.

    Args:
        limit_ms: how long the call may take, 1 or more.
        stopwatch: returns seconds that only grow.
    """

    def __init__(self, limit_ms: int, stopwatch: Stopwatch = time.monotonic) -> None:
        self._limit_ms = limit_ms
        self._stopwatch = stopwatch
        self._began = stopwatch()
        self._left_out: dict[str, str] = {}

    def spent_ms(self) -> int:
        """Return how many milliseconds have gone by."""
        return int((self._stopwatch() - self._began) * 1_000)

    def left_ms(self) -> int:
        """Return how many milliseconds are left, 0 or more."""
        return max(self._limit_ms - self.spent_ms(), 0)

    def allows(self, arm: str) -> bool:
        """Return whether there is time to ask *arm*; if not, that it was left out is kept."""
        spent_ms = self.spent_ms()
        if spent_ms < self._limit_ms:
            return True
        self._left_out.setdefault(arm, f"{arm}: left out after {spent_ms} ms")
        return False

    @property
    def left_out(self) -> tuple[str, ...]:
        """What was left out until now, a sentence for each arm."""
        return tuple(self._left_out.values())
