"""The bell: it rings when something was captured, for whoever waits for that."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from agent_memory_os.noun import Noun


class _Ear(Noun):
    """Who listens: what wakes it, what ends it, and the process in which it can."""

    wake: Callable[[], object]
    end: Callable[[], object]
    process: int


class Bell:
    """Wakes the threads that the host has asked for; without any it does nothing.

    A fork takes none of them along, and whatever they hold would be held for ever.
    """

    def __init__(self) -> None:
        self._ears: dict[object, _Ear] = {}

    def ring(self) -> None:
        """Wake whoever listens."""
        if self._ears:
            for ear in self._here():
                ear.wake()

    def close(self) -> None:
        """Tell whoever listens that there will be nothing more, and let them end."""
        for ear in self._here():
            ear.end()

    def _here(self) -> list[_Ear]:
        process = os.getpid()
        return [ear for ear in tuple(self._ears.values()) if ear.process == process]

    @contextmanager
    def heard(self, wake: Callable[[], object], end: Callable[[], object]) -> Iterator[None]:
        """Call *wake* with each ring, and *end* when it is closed, as long as the block lasts."""
        key = object()
        self._ears[key] = _Ear(wake, end, os.getpid())
        try:
            yield
        finally:
            del self._ears[key]
