import base64

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.tokens import estimate_tokens, least_tokens

ANY_TEXT = st.text() | st.text("aBcD 1é你👍ไ\n\t.,-/=\x00", max_size=60)


@pytest.mark.parametrize(
    ("text", "real"),
    [  # the larger count of cl100k_base and o200k_base, taken once with their vocabularies
        ("Alice prefers dark mode and never deploys on a Friday afternoon.", 13),
        (
            "Caroline went to the support group yesterday, and it was so powerful that she wants to"
            " come with her children next month.",
            25,
        ),
        (
            "The staging deploy failed with a database lock, so always take a snapshot before you"
            " change the schema.",
            20,
        ),
    ],
)
def test_english_prose_is_estimated_closely(text: str, real: int) -> None:
    assert real <= estimate_tokens(text) <= 1.35 * real


@pytest.mark.parametrize(
    ("text", "real"),
    [
        ("Bye!", 3),
        ("会议室的投影仪需要更换灯泡", 16),
        ("用户喜欢深色模式，请不要在周五部署。", 20),
        ("来週の歓迎会は駅前の焼き鳥屋で行います", 26),
        ("회의록은 매주 금요일에 공유합니다", 17),
        ("ประชุมทีมทุกวันจันทร์เวลาเก้าโมง", 30),
        ("Договор аренды истекает в марте", 17),
        ("كلمة المرور تنتهي كل تسعين يوما", 23),
        ("बैठक सोमवार को है", 19),
        ("El desarrollador prefiere que las reuniones se celebren por la mañana", 17),
        ("tests ✅ 👍🏽 👨‍👩‍👧 🇫🇷 ❌", 28),
        ("def merge(self, other: 'Memory') -> None:\n        return self._rows[other.id]", 21),
        ('{"id": "m-12", "tags": ["art", "deco"], "score": 0.25, "ok": null}', 31),
        (base64.b64encode(bytes(range(256))).decode(), 254),
        ("0123456789" * 10, 34),
        ("a" + " " * 40 + "b\n\n\n\tc", 5),
        ("3f2b8c1e-9a4d-4e6f-8b7a-0c1d2e3f4a5b", 36),
        ("SELECT uid FROM memories WHERE id = ?;", 9),
    ],
)
def test_an_estimate_is_never_below_what_a_text_costs(text: str, real: int) -> None:
    assert real <= estimate_tokens(text) <= 3 * real


def test_a_chinese_character_is_a_token_at_least() -> None:
    """FC-131."""
    assert 80 <= estimate_tokens("会" * 80) <= 160


def test_nothing_costs_nothing() -> None:
    assert estimate_tokens("") == 0


@given(ANY_TEXT)
def test_a_text_costs_at_least_a_token_and_at_most_its_octets(text: str) -> None:
    octets = len(text.encode("utf-8", "surrogatepass"))

    assert (1 if text else 0) <= estimate_tokens(text) <= 1 + octets


@given(ANY_TEXT, ANY_TEXT)
def test_joined_texts_never_cost_more_than_apart(one: str, other: str) -> None:
    assert estimate_tokens(one + "\n" + other) <= estimate_tokens(one) + estimate_tokens(
        "\n" + other
    )


@given(st.lists(st.text("aBcD 1.,-/=\t", min_size=1, max_size=40), min_size=1, max_size=6))
def test_lines_cost_together_what_they_cost_alone_and_their_breaks(lines: list[str]) -> None:
    alone = [estimate_tokens(line) - 1 for line in lines]

    assert estimate_tokens("\n".join(lines)) == 1 + sum(alone) + len(lines) - 1


def test_two_breaks_that_stand_together_are_one_token() -> None:
    assert estimate_tokens("a\n\nb") == estimate_tokens("a\nb") == 4


@given(st.text("aBcD é你👍ไ\n\t.,-", max_size=30), st.text("aBcD é你👍ไ\n\t.,-", max_size=30))
def test_a_cut_inside_a_word_makes_nothing_cheaper(one: str, other: str) -> None:
    """Without digits: keys and base64 cost more whole, since only then they show what they are."""
    assert estimate_tokens(one + other) <= estimate_tokens(one) + estimate_tokens(other)


@given(ANY_TEXT, ANY_TEXT)
def test_more_text_never_costs_less(one: str, other: str) -> None:
    assert estimate_tokens(one) <= estimate_tokens(one + other)


@given(st.text("aBcD é你👍ไ\n\t.,-  ", max_size=60))
def test_the_least_that_a_text_costs_is_no_more_than_it_is_estimated_at(text: str) -> None:
    assert least_tokens(text) <= estimate_tokens(text)


@pytest.mark.parametrize("before", ["", "some words ", "one line\nand another\n", "a\t"])
def test_a_key_is_dear_wherever_it_stands(before: str) -> None:
    key = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345"

    assert estimate_tokens(before + key) - estimate_tokens(before) >= 5 * len(key) // 6


@pytest.mark.parametrize(
    "text",
    ["x" * 1_000_000, "aA1" * 300_000, "你" * 1_000_000, "a-" * 500_000],
    ids=lambda t: t[:3],
)
def test_a_huge_text_is_counted_like_any_other(text: str) -> None:
    assert estimate_tokens(text) > len(text) // 20
