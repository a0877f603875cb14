"""What the rules of truth must not fall below, on pairs of our own in English and Chinese."""

from types import ModuleType

import pytest

BENCH = "truth"
NOTICED = {"tune": 0.94, "held": 0.86}
DUPLICATES = {"tune": 0.92, "held": 0.92}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("split", ["tune", "held"])
def test_the_verdicts_are_right_often_enough(bench: ModuleType, split: str, lang: str) -> None:
    pairs = [p for p in bench.read(bench.PAIRS) if (p.split, p.lang) == (split, lang)]

    figures, _ = bench.measure(pairs, bench.by_rules)

    assert figures.merged_precision == 1
    assert figures.wrongly_superseded == 0
    assert figures.duplicates_found >= DUPLICATES[split]
    assert figures.noticed >= NOTICED[split]
    assert figures.noticed_precision >= 0.95


def test_half_of_the_pairs_are_chinese_and_each_kind_is_there(bench: ModuleType) -> None:
    pairs = bench.read(bench.PAIRS)
    chinese = sum(pair.lang == "zh" for pair in pairs)

    assert len({(pair.old, pair.new) for pair in pairs}) == len(pairs) >= 400
    assert 0.45 <= chinese / len(pairs) <= 0.55
    assert {pair.kind for pair in pairs} == {"duplicate", "update", "conflict", "unrelated"}


def test_a_conflict_of_the_pairs_is_noticed_from_either_side(bench: ModuleType) -> None:
    pairs = [p for p in bench.read(bench.PAIRS) if p.kind == "conflict" and p.split == "tune"]
    noticed = [pair for pair in pairs if bench.by_rules(pair) in bench.CONTESTED]
    turned = [bench.Pair(**{**_fields(pair), "old": pair.new, "new": pair.old}) for pair in noticed]

    assert [pair.id for pair in turned if bench.by_rules(pair) not in bench.CONTESTED] == []


def _fields(pair: object) -> dict[str, str]:
    return {name: getattr(pair, name) for name in type(pair).__slots__}
