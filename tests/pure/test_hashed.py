"""Hashed embeddings: the same on every machine, and alike where words are."""

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.hashed import FINGERPRINT, LANES, Signature, likeness, signature
from agent_memory_os.pure.text import ANALYSER_VERSION, analyse_query, index_terms

GOLDEN = {  # text -> the lanes that it touches upwards, and downwards
    "Deploy port 8000": (
        "13,157,255,654,657,664,679,746,912,974,998,1005",
        "448,819",
    ),
    "部署端口": ("735,814,879,1015", "342,353,399,886"),
}
PRINT = """
from agent_memory_os.pure.hashed import signature
from agent_memory_os.pure.text import index_terms
for text in {texts!r}:
    print(signature(index_terms(text)).to_bytes().hex())
"""
TEXTS = st.text("abcdeo 猫咪部署ßй", max_size=40)


def of(text: str) -> Signature:
    return signature(index_terms(text))


def asked(query: str, text: str) -> float:
    return likeness(signature(term.text for term in analyse_query(query).terms), of(text))


@pytest.mark.capability("AMOS-051")
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_fc_139_signatures_are_the_same_in_every_process(seed: str, locale: str) -> None:
    command = [sys.executable, "-c", PRINT.format(texts=list(GOLDEN))]
    environment = os.environ | {"PYTHONHASHSEED": seed, "LC_ALL": locale}

    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)

    assert done.stdout.split() == [of(text).to_bytes().hex() for text in GOLDEN]


@pytest.mark.parametrize(("text", "lanes"), GOLDEN.items())
def test_fc_139_signatures_never_change_under_one_fingerprint(
    text: str, lanes: tuple[str, str]
) -> None:
    """Whoever changes them names another model in the fingerprint."""
    found = of(text)

    assert (_bits(found.plus), _bits(found.minus)) == lanes


def _bits(number: int) -> str:
    return ",".join(str(lane) for lane in range(LANES) if number >> lane & 1)


def test_the_fingerprint_names_model_size_and_analyser() -> None:
    assert f"hashed-trigrams-1/1024/analyser-{ANALYSER_VERSION}" == FINGERPRINT


@given(TEXTS)
def test_likeness_to_itself_is_the_most_there_is(text: str) -> None:
    found = of(text)

    touched = (found.plus | found.minus).bit_count()
    both = (found.plus & found.minus).bit_count()
    assert likeness(found, found) == ((touched - both) / touched if touched else 0.0)
    assert len(found.to_bytes()) == LANES // 4


@given(TEXTS, TEXTS)
def test_likeness_is_from_0_to_1(one: str, other: str) -> None:
    assert 0 <= likeness(of(one), of(other)) <= 1


@given(st.permutations(index_terms("one text of several words")))
def test_the_order_of_terms_is_nothing(terms: list[str]) -> None:
    assert signature(terms) == of("one text of several words")


@pytest.mark.parametrize(
    ("query", "text", "stranger"),
    [
        ("confrence", "The conference was long", "The concert was long"),
        ("photographing", "A photographer called", "A phone call"),
        ("headache tablets", "Tablet for a head ache", "A table in a house"),
        ("Versicherungen", "Die Autoversicherung ist teuer", "Die Verwandten sind da"),
        ("собаками", "Собака спит", "Кошка спит"),
        ("部署端囗", "部署端口是八千", "天气很好"),
        ("数据库备份", "每天备份数据", "猫咪喜欢鱼"),
    ],
)
def test_other_spellings_and_forms_are_more_alike_than_strangers(
    query: str, text: str, stranger: str
) -> None:
    assert asked(query, text) > asked(query, stranger)


def test_length_takes_little_from_a_match() -> None:
    long = "The conference was long. " + " ".join(f"word{number}" for number in range(40))

    assert asked("conference", long) > 0.6


def test_nothing_is_alike_to_nothing() -> None:
    assert likeness(of(""), of("tea")) == 0.0
    assert likeness(of("tea"), of("")) == 0.0
