"""A season of a small team, as the bench of a year simulates it."""

from pathlib import Path
from types import ModuleType

import pytest

BENCH = "year"


@pytest.mark.capability("AMOS-061")
def test_what_is_true_stays_findable_and_what_was_corrected_stays_away(
    bench: ModuleType, tmp_path: Path
) -> None:
    figures = bench.simulate(tmp_path, days=60, count=4)

    assert figures.facts > 200
    assert figures.asked > 100
    assert figures.recall >= 0.95
    assert figures.stale == 0
    assert figures.changed_by_second == 0
