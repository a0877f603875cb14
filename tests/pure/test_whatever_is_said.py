"""The rules are made of words, and must say something of any words in any order."""

import json
import random
import re
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from agent_memory_os.pure import plainest
from agent_memory_os.pure.probe import probe, told
from agent_memory_os.pure.topics import topics
from agent_memory_os.pure.truth import Assertion, Relation, weigh

RELATIONS = get_args(Relation)
PAIRS = Path(__file__).parents[1] / "bench" / "truth.jsonl"
WORDS = re.compile(r"[A-Za-z']+|[\d.:,$%]+|[\u4e00-\u9fff]{1,3}|[^\sA-Za-z\d]")


@cache
def words() -> list[str]:
    """Return all words of the pairs that the rules are measured by."""
    pairs = map(json.loads, PAIRS.read_text("utf-8").splitlines())
    said = (text for pair in pairs for text in (pair["old"], pair["new"]))
    return sorted({word for text in said for word in WORDS.findall(text)})


@pytest.mark.parametrize("seed", range(4))
def test_of_any_two_texts_the_rules_say_something(seed: int) -> None:
    """Two whole sentences seldom are "Never" and "Never the meeting"."""
    chance = random.Random(seed)
    for _ in range(1_000):
        old = chance.choices(words(), k=chance.randint(1, 5))
        new = chance.sample(old, chance.randint(0, len(old))) + chance.choices(words(), k=1)
        between = chance.choice(("", " ", " "))
        one, other = between.join(old), between.join(new)

        assert weigh(Assertion(one, "neo"), Assertion(other, "neo")).relation in RELATIONS
        assert weigh(Assertion(other, "neo"), Assertion(one, "neo")).relation in RELATIONS
        assert isinstance(plainest.digest(one), int)
        assert all(topic for topic in topics(one))
        assert all(begun for change in told(one) for begun in change)
        assert probe(one).touches(other) in (True, False)
