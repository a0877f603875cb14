import subprocess
import sys
from collections import Counter
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.stopwords import STOP_WORDS
from agent_memory_os.pure.synonyms import CHINESE, ENGLISH
from agent_memory_os.pure.text import index_terms
from agent_memory_os.pure.thesaurus import MOST_RELATED, WEIGHTS, related

LINES = [line.split() for line in f"{ENGLISH}{CHINESE}".splitlines() if line[:1] in ("=", "~", ">")]
SYNONYMS = [words for mark, *words in LINES if mark == "="]
ONE_WAY = [
    (mark, first, word)
    for mark, firsts, *words in LINES
    if mark != "="
    for first, word in product(firsts.split("/"), words)
]
ONE_WAY_PAIRS = [(first, word) for _, first, word in ONE_WAY]
WORDS = sorted({word for words in (*SYNONYMS, *ONE_WAY_PAIRS) for word in words})


def term(word: str) -> str:
    return index_terms(word)[0]


def terms(word: str) -> list[str]:
    return [found for found, _ in related(term(word))]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("hurt", "injury"),
        ("injured", "hurt"),
        ("job", "profession"),
        ("buy", "purchased"),
        ("bought", "purchase"),
        ("movie", "films"),
        ("decide", "choice"),
        ("marry", "wedding"),
        ("die", "death"),
        ("strong", "strength"),
        ("sale", "sold"),
        ("succeed", "success"),
        ("live", "lives"),
        ("france", "french"),
        ("dad", "father"),
        ("sick", "ill"),
        ("deploy", "release"),
        ("outage", "incident"),
        ("bug", "defect"),
        ("db", "database"),
        ("k8s", "kubernetes"),
        ("pet", "kitten"),
        ("book", "novel"),
        ("country", "japan"),
        ("instrument", "violin"),
        ("gift", "present"),
        ("autumn", "fall"),
        ("宠物", "小狗"),
        ("工作", "职业"),
        ("部署", "上线"),
    ],
)
def test_a_question_reaches_what_was_told_in_another_word(asked: str, told: str) -> None:
    assert term(told) in terms(asked)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("kitten", "pet"),
        ("present", "gift"),
        ("fall", "autumn"),
        ("polish", "poland"),
        ("小狗", "宠物"),
    ],
)
def test_a_word_does_not_reach_what_it_rarely_means(asked: str, told: str) -> None:
    assert term(told) not in terms(asked)


def test_synonyms_come_before_kinds() -> None:
    assert related("vehicle")[:3] == (("car", 0.5), ("automobil", 0.5), ("truck", 0.3))


def test_synonyms_reach_each_other() -> None:
    weight = WEIGHTS["="]
    pairs = [pair for words in SYNONYMS for pair in permutations(map(term, words), 2)]

    assert [(one, other) for one, other in pairs if (other, weight) not in related(one)] == []


def test_a_first_word_reaches_its_line() -> None:
    assert [pair for pair in ONE_WAY_PAIRS if term(pair[1]) not in terms(pair[0])] == []


def test_no_kind_reaches_its_general_word() -> None:
    kinds = {(term(first), term(word)) for mark, first, word in ONE_WAY if mark == ">"}

    assert {(word, first) for first, word in kinds} & kinds == set()


def test_the_same_relation_is_not_stated_twice() -> None:
    near = {(term(a), term(b)) for words in SYNONYMS for a, b in permutations(words, 2)}
    stated = Counter((term(first), term(word)) for first, word in ONE_WAY_PAIRS)
    repeated = [pair for pair, times in stated.items() if times > 1 or pair in near]

    assert repeated == []


def test_no_line_relates_two_forms_of_one_word() -> None:
    assert [words for words in SYNONYMS if len({*map(term, words)}) < len(words)] == []
    assert [pair for pair in ONE_WAY_PAIRS if term(pair[0]) == term(pair[1])] == []


def test_every_word_has_a_term_that_texts_are_indexed_by() -> None:
    known = {term(word) for word in WORDS}

    assert {found for word in WORDS for found in terms(word)} <= known


def test_no_word_leaves_the_query_before_it_is_asked() -> None:
    assert [word for word in WORDS if word in STOP_WORDS] == []


def test_an_english_word_is_in_lower_case_and_a_chinese_one_is_a_pair() -> None:
    assert [word for word in WORDS if not word.isascii() and len(word) != 2] == []
    assert [word for word in WORDS if word != word.lower()] == []


def test_no_word_has_more_relatives_than_the_cap() -> None:
    reach: dict[str, set[str]] = {}
    for one, other in [*(p for words in SYNONYMS for p in permutations(words, 2)), *ONE_WAY_PAIRS]:
        reach.setdefault(term(one), set()).add(term(other))

    assert {word: len(found) for word, found in reach.items() if len(found) > MOST_RELATED} == {}


def test_what_is_related_is_distinct_and_heaviest_first() -> None:
    for word in WORDS:
        found = related(term(word))
        weights = [weight for _, weight in found]

        assert len({*terms(word)}) == len(found)
        assert weights == sorted(weights, reverse=True)
        assert all(0 < weight <= 1 for weight in weights)
        assert term(word) not in terms(word)


def test_a_plain_word_reaches_what_its_stem_does() -> None:
    """But "recover", which is also the stem of "recovery", is taken as that."""
    stems = {term(word) for word in WORDS}
    plain = [word for word in WORDS if word not in stems]

    assert [word for word in plain if related(word) != related(term(word))] == []


@given(st.text() | st.sampled_from(WORDS))
def test_any_text_may_be_asked(text: str) -> None:
    assert related(text) == related(text)


@pytest.mark.parametrize("word", ["", "a", "what", "zyzzyva", "猫"])
def test_an_unknown_word_has_no_relatives(word: str) -> None:
    assert related(word) == ()


def test_nothing_is_read_at_import() -> None:
    script = (
        "from agent_memory_os.pure import thesaurus as t;"
        "print(t._lines.cache_info().currsize, t._groups.cache_info().currsize)"
    )

    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert run.stdout.split() == ["0", "0"]
