"""How a sentence is made to stand alone: its speaker by name, its days by date, its length."""

import pytest

from agent_memory_os.pure.distil.compose import fitted
from agent_memory_os.pure.distil.dates import dated
from agent_memory_os.pure.distil.greetings import opening, without_opening
from agent_memory_os.pure.distil.person import label, speaker_name, standing_alone
from agent_memory_os.pure.distil.sentences import Sentence, sentences

MAY_8 = 1_683_504_000_000  # Monday, 2023-05-08, in UTC milliseconds


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I like tea", "Alice likes tea"),
        ("I really try hard", "Alice really tries hard"),
        ("I watch birds and I've seen two", "Alice watches birds and Alice has seen two"),
        ("I'm glad that I went", "Alice is glad that Alice went"),
        ("I don't know, I can't go", "Alice doesn't know, Alice can't go"),
        ("I'd been there, I'd go again", "Alice had been there, Alice would go again"),
        ("I lost my keys", "Alice lost their keys"),
        ("My son hid my keys from me", "Alice's son hid Alice's keys from Alice"),
        ("We like tea", "Alice: We like tea"),
        ('They said "I quit" to me', 'Alice: They said "I quit" to me'),
        ("The port is 8000", "The port is 8000"),
        ("我喜欢我的猫", "Alice喜欢Alice的猫"),
        ("我们喜欢猫", "Alice：我们喜欢猫"),
        ("自我介绍很难", "自我介绍很难"),
    ],
)
def test_the_speaker_is_called_by_name(text: str, told: str) -> None:
    assert standing_alone(text, "Alice") == told


def test_without_a_name_the_words_stay() -> None:
    assert standing_alone("I like tea", None) == "I like tea"


def test_what_the_user_says_for_several_stays() -> None:
    assert standing_alone("We like tea", "The user") == "We like tea"


def test_the_user_begins_in_capitals_only_at_the_beginning() -> None:
    assert standing_alone("I think I do", "The user") == "The user thinks the user does"


@pytest.mark.parametrize(
    ("actor", "role", "text", "name"),
    [
        ("user:alice", "user", "", "Alice"),
        ("user:u_42", "user", "", "u_42"),
        (None, "user", "I like tea", "The user"),
        ("user:user", "user", "我喜欢茶", "用户"),
        (None, "assistant", "", None),
    ],
)
def test_a_speaker_has_the_name_of_the_actor(
    actor: str | None, role: str, text: str, name: str | None
) -> None:
    assert speaker_name(actor, role, text) == name


@pytest.mark.parametrize(
    ("content", "name", "rest"),
    [
        ("Alice: I moved", "Alice", "I moved"),
        ("李雷：我搬家了", "李雷", "我搬家了"),
        ("Note: I moved", None, "Note: I moved"),
        ("Alice: hello", None, "Alice: hello"),
    ],
)
def test_a_label_is_a_name_before_the_first_person(
    content: str, name: str | None, rest: str
) -> None:
    assert label(content) == (name, rest)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It broke yesterday.", "It broke on 7 May 2023."),
        ("It broke last night.", "It broke on the night of 7 May 2023."),
        ("It broke last Friday.", "It broke on 5 May 2023."),
        ("It broke last week.", "It broke in the week of 1 May 2023."),
        ("It broke last weekend.", "It broke on the weekend of 6 May 2023."),
        ("It broke last month.", "It broke in April 2023."),
        ("It broke last year.", "It broke in 2022."),
        ("It broke two weeks ago.", "It broke around 24 April 2023."),
        ("It broke 3 years ago.", "It broke around 2020."),
        ("We go next month.", "We go in June 2023."),
        ("We go next Tuesday.", "We go on 16 May 2023."),
        ("We wait until tomorrow.", "We wait until 9 May 2023."),
        ("The day before yesterday", "The day before 7 May 2023"),
        ("Yesterday's news", "Yesterday's news"),
        ("昨天搬了家", "2023年5月7日搬了家"),
        ("上个月搬了家", "2023年4月搬了家"),
        ("明年搬家", "2024年搬家"),
    ],
)
def test_relative_days_are_told_by_their_date(text: str, told: str) -> None:
    assert dated(text, MAY_8) == told


def test_without_a_moment_relative_days_stay() -> None:
    assert dated("It broke yesterday.", None) == "It broke yesterday."


@pytest.mark.parametrize("moment_ms", [-62_135_596_800_000, 253_402_300_799_999])
def test_at_the_ends_of_time_relative_days_stay(moment_ms: int) -> None:
    text = "yesterday, last year, 900 years ago, tomorrow, next month, next year, 昨天, 明年"

    assert isinstance(dated(text, moment_ms), str)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Yeah, thanks so much, Mel! It works", "It works"),
        ("Hey Mel! I moved", "I moved"),
        ("Well, I moved", "I moved"),
        ("So far it works", "So far it works"),
        ("Thanks, Mel, for coming", "Thanks, Mel, for coming"),
        ("好的，我明白", "我明白"),
    ],
)
def test_what_a_sentence_opens_with_is_left_out(text: str, bare: str) -> None:
    assert without_opening(text, opening(["Mel"])) == bare


def test_sentences_end_at_marks_and_not_after_a_title() -> None:
    found = sentences("I met Dr. Wu. Did you? 我搬家了。真好！ - e.g. here [a photo of a cat]")

    assert found == [
        Sentence("I met Dr. Wu."),
        Sentence("Did you?", asks=True),
        Sentence("我搬家了。"),
        Sentence("真好！"),
        Sentence("- e.g. here"),
        Sentence("a photo of a cat", is_note=True),
    ]


@pytest.mark.parametrize(
    ("text", "room", "cut"),
    [
        ("short", 5, "short"),
        ("one two three, four five", 18, "one two three…"),
        ("abcdefghij", 4, "abc…"),
        ("ne\u0301e\u0301", 3, "n…"),
        ("text", 1, ""),
    ],
)
def test_what_does_not_fit_ends_at_a_joint_and_never_inside_a_character(
    text: str, room: int, cut: str
) -> None:
    assert fitted(text, room) == cut
