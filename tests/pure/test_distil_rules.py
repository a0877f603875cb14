"""What the built-in distiller keeps of turns, under which type, and what that does to memories."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.distil import MOST_CHARS, Decision, Turn, distil
from agent_memory_os.pure.truth import Assertion

ALICE = "user:Alice"
MAY_8 = 1_683_504_000_000  # 2023-05-08, in UTC milliseconds


def said(*contents: str, actor: str | None = ALICE, role: str = "user") -> list[Turn]:
    """Return a turn of Alice's for each of *contents*, with ids t0, t1 ..., on 8 May 2023."""
    return [Turn(f"t{at}", text, role, actor, MAY_8) for at, text in enumerate(contents)]


@pytest.mark.capability("OOM-017", "MEMU-12")
def test_a_statement_of_oneself_names_who_says_it() -> None:
    [decision] = distil(said("I moved to Kyoto."))

    assert decision == Decision(
        "add",
        "Alice moved to Kyoto.",
        "identity",
        ("t0",),
        subject=ALICE,
        entity=ALICE,
        attribute="residence",
        why="states an identity",
    )


@pytest.mark.parametrize(
    ("text", "type_", "content"),
    [
        ("I prefer dark mode.", "preference", "Alice prefers dark mode."),
        ("Always reply in English.", "instruction", "Always reply in English."),
        ("I'm a nurse.", "identity", "Alice is a nurse."),
        ("We decided to use Postgres.", "decision", "Alice: We decided to use Postgres."),
        ("The deploy target is port 8000.", "environment", "The deploy target is port 8000."),
        ("The rent is 900 euros a month.", "fact", "The rent is 900 euros a month."),
        ("我喜欢喝绿茶。", "preference", "Alice喜欢喝绿茶。"),
        ("请始终用中文回答。", "instruction", "请始终用中文回答。"),
        ("我是一名护士。", "identity", "Alice是一名护士。"),
        ("我们决定使用Postgres。", "decision", "Alice：我们决定使用Postgres。"),
        ("服务器的端口是8000。", "environment", "服务器的端口是8000。"),
    ],
)
def test_the_form_of_a_statement_tells_its_type(text: str, type_: str, content: str) -> None:
    [decision] = distil(said(text))

    assert (decision.type, decision.content) == (type_, content)


@pytest.mark.parametrize(
    "text", ["What do you prefer?", "Thanks a lot!", "你住在哪里？", "哈哈，好的。", ""]
)
def test_questions_and_small_talk_become_nothing(text: str) -> None:
    assert distil(said(text)) == ()


def test_what_is_asked_or_not_decided_yet_is_no_decision() -> None:
    texts = [
        "Should we use Postgres?",
        "We haven't decided on Postgres.",
        "我们还没决定用哪个数据库。",
    ]

    assert [each.type for each in distil(said(*texts)) if each.type == "decision"] == []


def test_greetings_around_a_statement_are_left_out() -> None:
    [decision] = distil(said("Hey! Thanks, good to see you. I prefer tea. How are you?"))

    assert decision.content == "Alice prefers tea."


def test_relative_dates_are_resolved_by_when_the_turn_was_said() -> None:
    [decision] = distil(said("I adopted a grey cat yesterday."))

    assert decision.content == "Alice adopted a grey cat on 7 May 2023."


def test_a_turn_that_states_several_things_becomes_an_atom_for_each_type() -> None:
    decided = distil(said("My name is Ada. I prefer short answers. Always reply in German."))

    assert [(each.type, each.content) for each in decided] == [
        ("identity", "Alice's name is Ada."),
        ("preference", "Alice prefers short answers."),
        ("instruction", "Always reply in German."),
    ]


def test_a_name_before_the_words_is_who_says_them() -> None:
    [decision] = distil(said("Bob: I work as a baker in Lyon.", actor=None))

    assert decision.content == "Bob works as a baker in Lyon."
    assert decision.subject is None


def test_a_heading_is_nobody() -> None:
    [decision] = distil(said("Decision: We use Postgres from May on.", actor=None))

    assert decision.content == "Decision: We use Postgres from May on."


@pytest.mark.parametrize("actor", [None, "user:user"])
def test_who_is_known_only_as_the_user_is_called_so_and_gets_no_attribute(
    actor: str | None,
) -> None:
    [decision] = distil(said("I live in Oslo with my cat.", actor=actor))

    assert decision.content == "The user lives in Oslo with their cat."
    assert decision.attribute is None


def test_an_assistant_states_decisions_and_facts_and_nothing_of_itself() -> None:
    texts = ["I prefer to help you.", "I'm a language model.", "We decided to use Postgres."]

    assert [each.type for each in distil(said(*texts, role="assistant"))] == ["decision"]


@pytest.mark.parametrize("role", ["tool", "system", "event"])
def test_what_tools_and_systems_say_is_not_read(role: str) -> None:
    assert distil(said("I prefer dark mode.", role=role)) == ()


def test_code_in_fences_states_nothing() -> None:
    assert distil(said("```\nAlways reply in English.\n```")) == ()


def test_the_turns_that_tell_most_of_their_speaker_come_first() -> None:
    tales = [
        "I spent the summer restoring an old wooden sailing boat with my brother near Bergen.",
        "Your cottage above that harbour has copper gutters, blue shutters, slate tiles, plums,"
        " a walled garden, two chimneys, oak beams and a cellar full of cider.",
        "I painted its hull green and sewed two canvas sails on my grandmother's machine.",
        "You are amazing, and your kind words make everybody around you feel so much better!",
    ]

    decided = distil(said(*tales), most=2)

    assert [each.evidence for each in decided] == [("t0",), ("t2",)]


def test_no_more_pairs_than_asked_for() -> None:
    texts = [f"I moved to city number {n} in the year {1990 + n}." for n in range(20)]

    assert sum(len(each.evidence) for each in distil(said(*texts), most=7)) == 7
    assert distil(said(*texts), most=0) == ()


def test_statements_of_a_known_kind_are_kept_however_many_there_are() -> None:
    texts = [f"I prefer colour number {n} for my walls." for n in range(40)]

    assert len(distil(said(*texts))) == 40


def test_the_same_statement_twice_is_one_atom_with_both_turns() -> None:
    [decision] = distil(said("I prefer tea.", "Really?", "I prefer tea!"))

    assert decision.evidence == ("t0", "t2")


@pytest.mark.capability("MEMU-67")
def test_what_is_known_is_no_change() -> None:
    known = Assertion("Alice prefers dark mode", "neo", id="m1", type="preference", subject=ALICE)

    [decision] = distil(said("I prefer dark mode."), [known])

    assert (decision.action, decision.target) == ("no change", "m1")


def test_a_new_value_takes_the_place_of_the_old() -> None:
    known = Assertion("The deploy port is 8000", "neo", id="m1", subject="project:apollo")

    [decision] = distil(said("The deploy port is 8080."), [known])

    assert (decision.action, decision.target) == ("update", "m1")


@pytest.mark.capability("MEMU-78")
def test_what_says_otherwise_is_in_conflict() -> None:
    known = Assertion("The deploy port is 8000", "neo", id="m1", actor="user:bob")

    [decision] = distil(said("The deploy port is 8080."), [known])

    assert (decision.action, decision.target) == ("conflict_with", "m1")


def test_memories_of_something_else_change_nothing() -> None:
    known = [
        Assertion(f"The budget of project {n} is {n} euros", "neo", id=f"m{n}") for n in range(9)
    ]

    [decision] = distil(said("I prefer dark mode."), known)

    assert (decision.action, decision.target) == ("add", None)


@given(st.lists(st.text(max_size=400), max_size=8), st.sampled_from([None, ALICE, "user:李雷"]))
def test_any_text_gives_short_contents_with_evidence_and_always_the_same(
    texts: list[str], actor: str | None
) -> None:
    turns = said(*texts, actor=actor)

    decided = distil(turns)

    assert decided == distil(turns)
    for each in decided:
        assert 0 < len(each.content) <= MOST_CHARS
        assert each.content.strip()
        assert each.evidence
        assert set(each.evidence) <= {turn.id for turn in turns}


@pytest.mark.parametrize(
    "text",
    ["I " * 50_000, "我" * 50_000, "[" * 50_000, "yes, " * 20_000, '"' * 50_000, "比起我" * 9_000],
)
def test_a_huge_turn_takes_no_huge_time(text: str) -> None:
    assert all(len(each.content) <= MOST_CHARS for each in distil(said(text)))
