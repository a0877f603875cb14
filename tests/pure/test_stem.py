import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.stem import stem

WORDS = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=40)


@pytest.mark.parametrize(
    "family",
    [
        "go goes going gone went",
        "buy buys buying bought",
        "child children",
        "be is are was were been being",
        "write writes writing wrote written",
        "run runs running ran",
        "die dies dying died",
        "photo photos",
        "bus buses",
        "study studies studied studying",
        "hope hopes hoped hoping",
        "hop hops hopped hopping",
        "agree agreed agrees agreeing",
        "organize organizes organised organisation organizing organization",
        "surprise surprised surprising surprises",
        "raise raised raising raises",
        "praise praised praising",
        "colour color colours colored coloured",
        "theatre theater theaters",
        "travelling traveling travelled traveler",
        "january jan",
        "city cities",
        "connect connected connecting connection connections",
        "relate relates relational",
        "good better best",
        "injury injuries injured injure",
        "identify identifies identified identification",
        "summary summaries summarize",
        "safari safaris",
        "quick quickly",
        "month months monthly",
    ],
)
def test_the_forms_of_a_word_meet(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    "pair",
    [
        "news new",
        "wise wide",
        "rise ride",
        "hope hop",
        "sing sin",
        "bed be",
        "university universe",
        "general generate",
        "experiment experience",
        "important import",
        "station state",
        "factory factor",
        "directory director",
        "county count",
        "party part",
        "sunday sundae",
        "early ear",
        "paint paper",
    ],
)
def test_different_words_stay_apart(pair: str) -> None:
    assert len({stem(word) for word in pair.split()}) == 2


@pytest.mark.parametrize(
    ("word", "code"),
    [
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("cats", "cat"),
        ("plastered", "plaster"),
        ("motoring", "motor"),
        ("conflated", "conflat"),
        ("sized", "size"),
        ("falling", "fall"),
        ("hissing", "hiss"),
        ("failing", "fail"),
        ("happy", "happi"),
        ("conditional", "condit"),
        ("digitizer", "digit"),
        ("radically", "radic"),
        ("hopefulness", "hope"),
        ("formality", "formal"),
        ("electrical", "electr"),
        ("adjustment", "adjust"),
        ("adoption", "adopt"),
        ("effective", "effect"),
        ("probate", "probat"),
        ("controlling", "control"),
        ("roll", "roll"),
        ("sky", "sky"),
        ("by", "by"),
        ("a", "a"),
    ],
)
def test_suffixes_leave_as_porter_published(word: str, code: str) -> None:
    assert stem(word) == code


@given(WORDS)
def test_every_word_has_a_stem_no_longer_than_itself_by_more_than_a_letter(word: str) -> None:
    assert 1 <= len(stem(word)) <= max(len(word), 12)


def test_what_is_longer_than_a_word_stays() -> None:
    assert stem("s" * 33) == "s" * 33
