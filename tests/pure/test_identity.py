from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.identity import digest, statement

TRICKY = st.text("aA b`~.!?。\n\t5%km 公里Ａ｀\u0301\u1fefÉß…'-", max_size=30)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice prefers dark mode", "Alice prefers dark mode."),
        ("Alice prefers dark mode", "Alice prefers dark mode!!"),
        ("Deploy target is port 8000.", "deploy target is port 8000"),
        ("  Two   spaces\n and a line ", "Two spaces and a line"),
        ("Été is summer", "été is summer"),
        (normalize("NFD", "Zoë naps"), normalize("NFC", "Zoë naps")),
        ("Port ８０００，ＯＫ！", "port 8000,OK"),
        ("ﾃﾞｰﾀは3つ", "データは3つ"),
        ("端口是8000。", "端口是8000"),
        ("The run is 5 km", "The run is 5 kilometres"),
        ("The run is 5km", "The run is 5 kilometers."),
        ("跑了5公里", "跑了5 km"),
        ("Disk has 20 GB", "Disk has 20 gigabytes"),
        ("CPU was 61.5 %", "CPU was 61.5 percent"),
        ("It took 3 hrs", "It took 3 hours"),
        ("Run `make  all`.", "run `make  all`"),
        ("Config:\n  a: 1\n  b: 2", "Config:  \n  a: 1\n  b: 2"),
    ],
)
def test_the_same_statement_typed_differently(one: str, other: str) -> None:
    assert statement(one) == statement(other)
    assert digest(one) == digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The limit is 5 MB/s", "The limit is 5 Mb/s"),
        ("MB/s is the unit", "mB/s is the unit"),
        ("/Data is mounted", "/data is mounted"),
        ("Data/raw is mounted", "data/raw is mounted"),
        ("userId is the key", "userid is the key"),
        ("It holds 10⁵ rows", "It holds 105 rows"),
        ("Port it to C++", "Port it to C#"),
        ("Port it to C++", "Port it to C"),
        ("It is -5", "It is 5"),
        ("a == b", "a != b"),
        ("a = b", "a == b"),
        ("The port is 8000", "The port is 8001"),
        ("Use v1.2.3", "Use v1.2.4"),
        ("tests ✅", "tests ❌"),
        ("You may deploy", "You may not deploy"),
        ("He went", "He went?"),
        ("I thought so", "I thought so..."),
        ("It is 5", "It is 5!"),
        ("5 km", "5 m"),
        ("5 km", "5 miles"),
        ("5 GB", "5 GiB"),
        ("5 MB", "5 megabits"),
        ("5 minutes", "5 min"),
        ("5 m", "5 metres"),
        ("Nuñez called", "Nunez called"),
        ("x²", "x2"),
        ("½ cup", "1/2 cup"),
        ("Straße 5", "Strasse 5"),
        ("US is a word", "us is a word"),
        ("`a  b`", "`a b`"),
        ("`Deploy` it", "`deploy` it"),
        ("Use `5 kilometres`", "Use `5 km`"),
        ("```\na\n b\n```", "```\na\nb\n```"),
        ("if x:\n    y\nz", "if x:\n    y\n    z"),
        ("a:\n  b: 1\n  c: 2", "a:\n  b: 1\nc: 2"),
        ("run:\n\tx", "run:\n\t\tx"),
        ("Ａ`ｂ`", "A`b`"),
        ("cd ..", "cd ."),
        ("", "."),
    ],
)
def test_these_are_never_the_same_statement(one: str, other: str) -> None:
    assert statement(one) != statement(other)
    assert digest(one) != digest(other)


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("", ""),
        (" \n ", ""),
        ("...", "..."),
        ("Yes", "Yes"),
        ("It's 5 kilograms .", "it's 5 kg ."),
        ("Use `x  y`  and ``a`b`` now.", "use `x  y` and ``a`b`` now"),
        ("Unclosed `code  here.", "unclosed `code  here."),
        ("List:\n  - a  b\nThen  go.", "List:\n  - a  b\nThen go"),
        ("\n\tx  y\n\tz  w", "x y\n\tz  w"),
    ],
)
def test_the_normal_form(text: str, normal: str) -> None:
    assert statement(text) == normal


@given(st.text() | TRICKY)
def test_the_normal_form_is_its_own(text: str) -> None:
    assert statement(statement(text)) == statement(text)


@given(st.text() | TRICKY)
def test_a_digest_is_a_signed_integer_of_64_bits(text: str) -> None:
    assert -(2**63) <= digest(text) < 2**63
    assert digest(text) == digest(statement(text))


def test_a_digest_is_the_same_in_every_process() -> None:
    assert digest("Alice prefers dark mode.") == -4576766861402890994


@pytest.mark.parametrize("text", ["`" * 100_000, "a`" * 100_000, "\n  x" * 100_000, "~`" * 50_000])
def test_a_huge_text_is_normalised_like_any_other(text: str) -> None:
    assert statement(statement(text)) == statement(text)
