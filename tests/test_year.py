"""A season of a small team, as the bench of a year simulates it."""

import importlib.util
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).with_name("bench") / "year.py"


@pytest.mark.capability("AMOS-061")
def test_what_is_true_stays_findable_and_what_was_corrected_stays_away(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("bench_year", BENCH)
    assert spec is not None
    assert spec.loader is not None
    year = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = year
    spec.loader.exec_module(year)

    figures = year.simulate(tmp_path, days=60, count=4)

    assert figures.facts > 200
    assert figures.asked > 100
    assert figures.recall >= 0.95
    assert figures.stale == 0
    assert figures.changed_by_second == 0
