"""An excerpt is the part of a text around what was asked, cut where a reader would cut it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.excerpt import ELLIPSIS, excerpt
from agent_memory_os.pure.graphemes import boundary, is_boundary
from agent_memory_os.pure.text import analyse_query

# Each is one character to whoever reads it, and several to the computer.
CHARACTERS = {
    "accent": "e\u0301",
    "heap of accents": "a\u0301\u0323\u0302",
    "thai vowel": "\u0e01\u0e33",
    "thai tone": "\u0e19\u0e49\u0e33",
    "voiced kana": "\u304b\u3099",
    "voiced kana of half width": "\uff76\uff9e",
    "variant of a han character": "\u845b\U000e0100",
    "korean, not composed": "\u1112\u1161\u11ab",
    "korean, half composed": "\uac00\u11a8",
    "devanagari conjunct": "\u0915\u094d\u0937\u093f",
    "burmese": "\u1019\u103c",
    "family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "tone of skin": "\U0001f44d\U0001f3fd",
    "heart, as an emoji": "\u2764\ufe0f",
    "flag": "\U0001f1e9\U0001f1ea",
    "flag of england": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "key cap": "1\ufe0f\u20e3",
}
ONE_CHARACTER = pytest.mark.parametrize("character", CHARACTERS.values(), ids=CHARACTERS)
NOTHING = analyse_query("")


def up_to(length: int) -> Callable[[str], bool]:
    return lambda text: len(text) <= length


def core(text: str) -> str:
    return text.removeprefix(ELLIPSIS).removesuffix(ELLIPSIS)


@ONE_CHARACTER
def test_a_character_is_not_cut(character: str) -> None:
    cuts = [at for at in range(1, len(character)) if is_boundary(character, at)]

    assert cuts == []


@ONE_CHARACTER
def test_two_characters_can_be_cut_apart(character: str) -> None:
    assert is_boundary(character * 2, len(character))


@ONE_CHARACTER
@pytest.mark.parametrize("glue", ["", " "])
def test_no_excerpt_cuts_inside_a_character(character: str, glue: str) -> None:
    word = character + glue

    for length in range(60):
        cut = core(excerpt(word * 200, NOTHING, fits=up_to(length)))
        assert cut.replace(character, "").strip() == ""


@given(st.text(min_size=1), st.integers(0, 40), st.text(max_size=10))
def test_an_excerpt_is_a_part_of_the_text_that_fits(text: str, length: int, asked: str) -> None:
    cut = excerpt(text, analyse_query(asked), fits=up_to(length))

    assert len(cut) <= length
    assert cut == text or core(cut) in text
    start = text.find(core(cut))
    assert not core(cut) or is_boundary(text, start)


@given(st.text(min_size=1), st.integers(0, 60))
def test_a_place_to_cut_is_near(text: str, at: int) -> None:
    at = min(at, len(text))

    assert max(at - 32, 0) <= boundary(text, at) <= at


@pytest.mark.parametrize(
    ("content", "query", "expected"),
    [
        ("filler. " * 90 + "The fuse is behind panel C. " + "more. " * 90, "fuse", "The fuse is"),
        (
            "今天天气很好。" * 90 + "备用保险丝在面板后面。" + "明天见。" * 90,
            "保险丝",
            "备用保险丝在面",
        ),
        ("今日は晴れです。" * 90 + "予備のヒューズは棚の中。", "ヒューズ", "予備のヒューズは"),
        (
            "x = 1\n" * 200 + "def spare_fuse():\n    return PANEL_C\n",
            "spare_fuse",
            "def spare_fuse()",
        ),
        (
            '{"a": 1}, ' * 200 + '{"port": 8000}, ' + '{"b": 2}, ' * 200,
            "port 8000",
            '{"port": 8000}',
        ),
        (
            "вчера шёл дождь. " * 90 + "Запасной предохранитель за панелью.",
            "предохранитель",
            "Запасной",
        ),
    ],
    ids=["english", "chinese", "japanese", "code", "json", "russian"],
)
def test_an_excerpt_shows_what_was_asked(content: str, query: str, expected: str) -> None:
    cut = excerpt(content, analyse_query(query), fits=up_to(120))

    assert expected in cut
    assert cut.startswith(ELLIPSIS)
    assert len(cut) > 60


def test_the_match_is_found_wherever_it_stands() -> None:
    """Pieces are looked through in runs, and no run may lose what stands at its end."""
    query = analyse_query("会议")

    for before in range(120, 200):
        content = "天" * before + "会议" + "地" * 200
        assert "会议" in excerpt(content, query, fits=up_to(30))


@pytest.mark.parametrize(
    "content", ["🙂" * 5_000, "QWxhZGRpbjpvcGVuIHNlc2FtZQ" * 400, "\u0301" * 900]
)
def test_a_run_without_a_place_to_cut_still_gives_an_excerpt(content: str) -> None:
    assert len(excerpt(content, NOTHING, fits=up_to(80))) > 20


def test_what_fits_is_whole() -> None:
    assert excerpt("a b", NOTHING, fits=up_to(3)) == "a b"
    assert excerpt("a b", NOTHING, fits=up_to(0)) == ""
