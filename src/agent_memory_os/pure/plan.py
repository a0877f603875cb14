"""Which combinations of words to look up when the whole query matches more than can be scored."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import prod

from agent_memory_os.noun import Noun

Group = tuple[str, ...]  # terms that a memory must hold all of


class Plan(Noun):
    """Groups of terms, of which a memory must hold one whole.

    Attributes:
        groups: at most three terms each, the rarest first.
        share: which part of the store, the newest, is looked at; 1 unless even the rarest group
            is expected to match more than may be walked.
    """

    groups: tuple[Group, ...]
    share: float


def plans(
    frequency: Mapping[str, float], *, rows: float, matches: int, walked: int
) -> tuple[Plan, ...]:
    """Return what to look up of the terms of a query; each plan for when those before find nothing.

    Rare terms are looked up alone, as many as have at most *matches* together. What is in more
    memories tells them apart less, and costs more: of such terms a memory must hold two at once.
    When these pairs are common too, it must hold the three rarest terms, else two of
    them, else one.

    Args:
        frequency: how many visible memories hold each term; 0 leaves a term out.
        rows: how many memories are visible.
        matches: most that the groups may be expected to match.
        walked: most index entries of the terms in pairs, together.

    Source: the idea of WAND (Broder et al., "Efficient Query Evaluation using a Two-Level
        Retrieval Process", 2003), as far as a fixed expression can have it.
    """
    ranked = sorted((term for term, held in frequency.items() if held), key=frequency.__getitem__)
    alone = list(_while_they_fit([(term,) for term in ranked], frequency, rows, matches))
    left = matches - sum(frequency[term] for (term,) in alone)
    paired = list(_affordable(ranked[len(alone) :], frequency, walked))
    pairs: list[Group] = sorted(
        combinations(paired, 2), key=lambda pair: _expected(pair, frequency, rows)
    )
    groups = alone + list(_while_they_fit(pairs, frequency, rows, left))
    if groups or not ranked:
        return (Plan(tuple(groups), 1.0),)
    ladder: list[list[Group]] = [
        list(combinations(ranked[:3], size)) for size in (3, 2) if size <= len(ranked)
    ]
    ladder.append([(ranked[0],)])
    return tuple(
        Plan(tuple(groups), min(1.0, matches / _all_expected(groups, frequency, rows)))
        for groups in ladder
    )


def _all_expected(groups: list[Group], frequency: Mapping[str, float], rows: float) -> float:
    return sum(_expected(group, frequency, rows) for group in groups)


def _expected(group: Group, frequency: Mapping[str, float], rows: float) -> float:
    """Return how many memories hold all of *group*, if its terms know nothing of each other."""
    return rows * prod(frequency[term] / rows for term in group)


def _while_they_fit(
    groups: list[Group], frequency: Mapping[str, float], rows: float, most: float
) -> Iterator[Group]:
    for group in groups:
        most -= _expected(group, frequency, rows)
        if most < 0:
            return
        yield group


def _affordable(ranked: list[str], frequency: Mapping[str, float], walked: float) -> Iterator[str]:
    for term in ranked:
        walked -= frequency[term]
        if walked < 0:
            return
        yield term
