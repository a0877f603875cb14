"""Ids and versions sort as the stamps that they are made of."""

import re
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure import ids

LAST_MS = int(datetime(2527, 1, 1, tzinfo=UTC).timestamp() * 1000)
STAMPS = st.builds(ids.stamp, st.integers(0, LAST_MS), st.integers(0, (1 << 16) - 1))


def test_an_id_begins_with_its_stamp() -> None:
    assert ids.memory_id(ids.stamp(0x1234567890A, 0xBC), 0xDEF) == "1234567890a00bc0000000def"


@given(STAMPS, st.integers(0))
def test_an_id_is_what_its_pattern_says_whatever_the_entropy(stamp: int, entropy: int) -> None:
    made = ids.memory_id(stamp, entropy)

    assert re.fullmatch(ids.ID, made)
    assert len(made) == ids.DIGITS


@given(STAMPS, STAMPS, st.integers(0, ids.MOST_RANDOM), st.integers(0, ids.MOST_RANDOM))
def test_ids_sort_as_their_stamps(one: int, other: int, chance: int, another: int) -> None:
    made = ids.memory_id(one, chance), ids.memory_id(other, another)

    assert (made[0] < made[1]) == ((one, chance) < (other, another))


@given(STAMPS, st.integers(0, ids.MOST_RANDOM))
def test_the_first_version_is_that_of_the_stamp(stamp: int, chance: int) -> None:
    made = ids.memory_id(stamp, chance)

    assert ids.first_version(made, "0badcafe") == ids.version(stamp, "0badcafe")
