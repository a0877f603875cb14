"""Clusters and concepts: what belongs together, and what is made of it."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.cluster import clusters, cohesion
from agent_memory_os.pure.concept import Concept, Plan, plan, title

Weights = dict[tuple[str, str], float]
PAIRS = st.tuples(st.sampled_from("abcdefghij"), st.sampled_from("abcdefghij"))
WEIGHTS = st.dictionaries(
    PAIRS.filter(lambda pair: pair[0] < pair[1]), st.floats(0.01, 1.0), max_size=30
)


def clique(members: str, weight: float = 0.5) -> Weights:
    return dict.fromkeys(combinations(members, 2), weight)


def found(weights: Mapping[tuple[str, str], float], most: int = 12) -> list[str]:
    groups = clusters(weights, least=3, most=most, threshold=0.15)
    return ["".join(group) for group in groups]


def test_what_is_linked_all_with_all_is_one_cluster() -> None:
    assert found(clique("abc") | clique("xyz")) == ["abc", "xyz"]


def test_a_bridge_does_not_join_two_cliques() -> None:
    assert found(clique("abc") | clique("def") | {("c", "d"): 0.5}) == ["abc", "def"]


def test_two_are_no_cluster() -> None:
    assert found({("a", "b"): 1.0, ("c", "d"): 1.0}) == []


def test_a_cluster_has_no_more_than_the_most() -> None:
    assert found(clique("abcdef"), most=4) == ["abcd"]


def test_the_heaviest_links_decide_who_is_together() -> None:
    weights = clique("abcd", 0.3) | clique("cde", 0.8)

    assert found(weights, most=3) == ["cde"]


@given(WEIGHTS, st.randoms(use_true_random=False))
def test_the_order_of_links_does_not_matter(weights: Weights, chance: object) -> None:
    pairs = list(weights.items())
    chance.shuffle(pairs)  # type: ignore[attr-defined]  # a Random

    assert found(dict(pairs)) == found(weights)


@given(WEIGHTS)
def test_each_is_in_one_cluster_at_most_and_sizes_hold(weights: Weights) -> None:
    groups = found(weights, most=5)

    members = [each for group in groups for each in group]
    assert len(members) == len(set(members))
    assert all(3 <= len(group) <= 5 for group in groups)


@given(WEIGHTS)
def test_what_is_not_connected_has_no_say(weights: Weights) -> None:
    far = {(one.upper(), other.upper()): weight for (one, other), weight in weights.items()}

    groups = found(weights | clique("xyz", 0.9) | far)
    assert [group for group in groups if group.islower() and group != "xyz"] == found(weights)


def test_cohesion_is_the_mean_weight_of_links_within() -> None:
    weights = {("a", "b"): 0.2, ("b", "c"): 0.6, ("c", "x"): 1.0}

    assert cohesion("abc", weights) == {"a": 0.2, "b": 0.4, "c": 0.6}


# What becomes of concepts

ABC, BCD = ("a", "b", "c"), ("b", "c", "d")


@pytest.mark.parametrize(
    ("cluster", "known", "expected"),
    [
        (ABC, [], Plan([ABC], {}, [])),
        (ABC, [Concept("1", ABC, True)], Plan([], {}, [])),
        (ABC, [Concept("1", (*ABC, "d"), True)], Plan([], {}, [])),
        ((*ABC, "d"), [Concept("1", ABC, True)], Plan([], {"1": (*ABC, "d")}, [])),
        (BCD, [Concept("1", ABC, True)], Plan([], {"1": (*ABC, "d")}, [])),
        (BCD, [Concept("1", ABC, False)], Plan([BCD], {}, ["1"])),
        (("c", "d", "e"), [Concept("1", ABC, True)], Plan([("c", "d", "e")], {}, [])),
    ],
    ids=["new", "told", "within", "grown", "moved on", "lost a source", "other"],
)
def test_a_cluster_is_told_once(
    cluster: tuple[str, ...], known: list[Concept], expected: Plan
) -> None:
    assert plan([cluster], known, most=12) == expected


def test_a_concept_grows_to_the_most_and_no_farther() -> None:
    known = [Concept("1", ABC, True)]

    assert plan([(*ABC, "d")], known, most=3) == Plan([], {}, [])


SETS = st.lists(
    st.frozensets(st.sampled_from("abcdefgh"), min_size=3, max_size=6).map(
        lambda members: tuple(sorted(members))
    ),
    max_size=5,
)


@given(SETS, SETS, st.lists(st.booleans(), min_size=5, max_size=5))
def test_done_twice_is_done_once(
    groups: list[tuple[str, ...]], told: list[tuple[str, ...]], whole: list[bool]
) -> None:
    known = [Concept(str(at), each, whole[at]) for at, each in enumerate(told)]

    first = plan(groups, known, most=12)
    after = [
        *(replace(each, sources=first.grow.get(each.id, each.sources)) for each in known),
        *(Concept(f"new {at}", each, True) for at, each in enumerate(first.make)),
    ]
    second = plan(groups, [each for each in after if each.is_whole], most=12)

    assert second == Plan([], {}, [])


# Titles


def test_a_title_has_the_words_that_most_share() -> None:
    contents = [
        "The staging deploy is at night",
        "Staging needs a token",
        "Deploy by hand, staging",
    ]

    assert title(contents) == "staging, deploy"


def test_a_chinese_title_has_the_pairs_that_most_share() -> None:
    assert title(["部署端口是八千", "夜里部署", "部署前备份"]) == "部署"


def test_what_shares_no_word_has_a_title_all_the_same() -> None:
    assert title(["tea", "12 34", "coffee"]) == "Recalled together"
