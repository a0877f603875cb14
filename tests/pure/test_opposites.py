import pytest

from agent_memory_os.pure.opposites import are_opposite, on_one_scale


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("enabled", "disabled"),
        ("likes", "dislikes"),
        ("love", "hates"),
        ("before", "after"),
        ("safe", "unsafe"),
        ("thread-safe", "non-thread-safe"),
        ("reversible", "irreversible"),
        ("✅", "❌"),
        ("==", "!="),
        ("启用", "禁用"),
        ("必须", "可选"),
        ("高", "低"),
    ],
)
def test_opposites_exclude_each_other_either_way(one: str, other: str) -> None:
    assert are_opposite(one, other)
    assert are_opposite(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("left", "right"),
        ("old", "new"),
        ("read", "write"),
        ("tea", "coffee"),
        ("valuable", "invaluable"),
        ("different", "indifferent"),
        ("til", "until"),
        ("port", "import"),
        ("enabled", "enabled"),
        ("左", "右"),
        ("", ""),
    ],
)
def test_words_that_may_both_hold_are_no_opposites(one: str, other: str) -> None:
    assert not are_opposite(one, other)


def test_steps_of_one_scale_exclude_each_other() -> None:
    assert on_one_scale("daily", "weekly")
    assert on_one_scale("红色", "蓝色")
    assert not on_one_scale("daily", "daily")
    assert not on_one_scale("daily", "red")
