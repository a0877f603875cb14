"""What the built-in distiller must not fall below, on lines of our own in English and Chinese."""

from types import ModuleType

import pytest

BENCH = "distil"
FLOOR = 0.8  # of statements; measured: 1.00 of those to tune by, 0.90 and 0.88 of those held out


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("split", ["tune", "held"])
def test_plain_statements_are_kept_with_their_type(
    bench: ModuleType, split: str, lang: str
) -> None:
    lines = [ln for ln in bench.read_lines() if (ln.split, ln.lang) == (split, lang)]

    right, stated, _, _ = bench.line_figures(lines)

    assert stated >= 40
    assert right / stated >= FLOOR


def test_nothing_is_kept_of_small_talk(bench: ModuleType) -> None:
    idle = [line for line in bench.read_lines() if line.type == "none"]

    assert len(idle) >= 80
    assert [line.text for line in idle if bench.kept_as(line) != "none"] == []


def test_each_type_is_there_in_both_languages_and_no_line_twice(bench: ModuleType) -> None:
    lines = bench.read_lines()
    types = {"preference", "instruction", "identity", "decision", "none"}

    assert len({line.text for line in lines}) == len(lines)
    assert {(line.lang, line.type) for line in lines if line.split == "held"} == {
        (lang, type_) for lang in ("en", "zh") for type_ in types
    }
