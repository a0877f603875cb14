"""What surely says nothing of another, being alike but for numbers, is never wrong about it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.contest import Terms, contest, say_the_same
from agent_memory_os.pure.counted import only_count, parts

MINE = Terms(has_subject=False, one_speaker=True)
FRAMES = """
finding {} of agent {} in region {}
ticket {} was closed by agent {}
user:ann{} logged in at {}:{}
worker {} row {}
The port of service-{} is {}
job {} took {} ms
user {} is {} years old
user {} is {}
standup {} is at {}
release {} is on 2026-{}-{}
plan {} costs ${}.{}0
in {} the revenue of unit {} was {} dollars
it lasts {} minutes or {} seconds
Bob met {} people on May {}
step {} comes before step {}
build {} is not done, build {} is
the quota of user {} is now {} GB
v{} runs on host-{}
the shop opens at {} pm and closes at {} pm
likes {} and {}
工单{}已由{}号客服关闭
会议{}定在下午{}点{}分
服务{}的端口是{}
小佩{}月{}日出生
第{}组用方案{}
"""
NUMBERS = st.one_of(
    st.integers(0, 130),
    st.integers(0, 10_000),
    st.sampled_from((59, 60, 61, 999, 1000, 1899, 1900, 2026, 2099, 2100, 8080, 10**9)),
)
TYPED = st.builds(
    lambda number, zeros: "0" * zeros + str(number), NUMBERS, st.sampled_from((0, 0, 0, 1))
)


@given(st.sampled_from(FRAMES.strip().split("\n")), st.data())
def test_what_is_sure_of_a_pair_is_what_the_rules_say_of_it(
    frame: str, data: st.DataObject
) -> None:
    count = frame.count("{}")
    few = data.draw(st.lists(TYPED, min_size=1, max_size=2 * count))
    new, old = (
        frame.format(*data.draw(st.tuples(*[st.sampled_from(few)] * count))) for _ in range(2)
    )
    terms = Terms(data.draw(st.booleans()), data.draw(st.booleans()))

    related = say_the_same(new, old) or contest(new, old, terms) is not None

    assert not (only_count(new, old, terms) and related)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("finding 7 of agent 3 in region 11", "finding 8 of agent 2 in region 11"),
        ("ticket 4711 was closed by agent 5", "ticket 12 was closed by agent 5"),
        ("user:ann logged in at 10:42", "user:ann logged in at 09:05"),
        ("job 12 took 350 ms", "job 13 took 20 ms"),
        ("工单17已由8号客服关闭", "工单18已由9号客服关闭"),
    ],
)
def test_rows_that_a_program_writes_are_sure(new: str, old: str) -> None:
    assert only_count(new, old, MINE)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The deploy port is 8000", "The deploy port is 8080"),
        ("worker 3 row 17", "worker 3 row 17"),
        ("worker 3 row 17", "worker 3 line 17"),
        ("rows without a number", "rows without a number"),
        ("Max likes 5 and 7", "Max likes 7 and 5"),
        ("Leo is on vacation until 97 May", "Leo is on vacation until 989 May"),
        ("row 3 has 1.5 kg", "row 4 has 2.5 kg"),
        ("小佩5月42日出生", "小佩308月5日出生"),
        ("row " + "9" * 30, "row " + "8" * 30),
    ],
)
def test_values_and_what_is_not_plainly_counted_are_weighed(new: str, old: str) -> None:
    assert not only_count(new, old, MINE)


def test_a_year_stands_for_years_and_an_age_for_ages() -> None:
    """What stands for a number lies in its span, or "in 2025" would be taken for a count."""
    assert only_count("In 2024 the budget was 5", "In 2025 the budget was 5", MINE)
    assert not only_count("Max is 8", "Max is 7", MINE)


def test_which_numbers_are_equal_is_kept() -> None:
    assert only_count("run 3 before 4", "run 5 before 6", MINE)
    assert not only_count("run 3 before 4", "run 4 before 3", MINE)


@given(st.text(max_size=60))
def test_parts_make_up_the_text(text: str) -> None:
    around, numbers, _ = parts(text)

    pairs = zip(around, (*numbers, ""), strict=True)
    assert "".join(before + number for before, number in pairs) == text
