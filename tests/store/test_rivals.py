"""Which rivals come first, and which of them need not be read."""

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os import MemoryClient
from agent_memory_os.model import Draft, Visibility
from agent_memory_os.pure.truth import Assertion, Judgement
from agent_memory_os.store.sqlite.rivals import _in_order, _surely_first
from agent_memory_os.testing import memory_client

NEWEST = 4
LISTS = st.lists(st.lists(st.integers(1, 30), unique=True, max_size=12), min_size=1, max_size=5)


@pytest.fixture
def m() -> Iterator[MemoryClient]:
    """Yield a memory in RAM, sound when the test ends."""
    with memory_client() as client:
        yield client
        assert client.admin.check() == []


def shared_by(lists: Sequence[Sequence[int]]) -> Counter[int]:
    return Counter(row for rows in lists for row in rows)


@given(LISTS)
def test_what_surely_comes_first_is_what_comes_first_among_all(lists: list[list[int]]) -> None:
    newest_first = [sorted(rows, reverse=True) for rows in lists]
    heads = [rows[:NEWEST] for rows in newest_first]
    ends = [rows[-1] for rows in heads if len(rows) == NEWEST]
    whole = shared_by(newest_first)

    first = _surely_first(shared_by(heads), ends)

    assert first == _in_order(whole, whole)[: len(first)]
    assert ends or len(first) == len(whole)


def test_rows_of_one_topic_need_no_more_than_their_newest() -> None:
    shared, ends = Counter({9: 1, 8: 1, 7: 1}), [7]

    assert _surely_first(shared, ends) == [9, 8, 7]


def test_what_may_share_more_further_down_is_waited_for() -> None:
    """Row 2 is in a list that is whole, and may be in both that are cut as well."""
    shared, ends = Counter({9: 2, 8: 2, 2: 1}), [8, 8]

    assert _surely_first(shared, ends) == []


def rivals(m: MemoryClient, draft: Draft, *, counted: bool) -> list[str]:
    with m._parts.store.write() as tx:
        found = tx.rivals(draft, Visibility(draft.owner, tx.now_ms), counted=counted)
    return [memory.content for memory in found]


def test_what_only_counts_is_left_out_where_nobody_asks_for_it(m: MemoryClient) -> None:
    m.add_many({"content": f"row {n} of 500", "visibility": ["global"]} for n in range(20))
    draft = Draft("row 77 of 500", "local")

    assert rivals(m, draft, counted=True) == ["row 19 of 500", "row 18 of 500"]
    assert rivals(m, draft, counted=False) == []


def test_what_only_counts_takes_its_place_among_those_that_are_weighed(m: MemoryClient) -> None:
    """Or a writer of many rows would be held against more than others are."""
    m.add_many({"content": f"The port of service-{n} is 8000"} for n in range(14))
    draft = Draft("The port of service-3 is 9000", "local")

    kept = rivals(m, draft, counted=False)

    assert kept == ["The port of service-3 is 8000"]
    assert kept[0] in rivals(m, draft, counted=True)


def test_of_an_attribute_all_are_read(m: MemoryClient) -> None:
    old = m.add("row 7 of 500", attribute="row").id

    assert m.add("row 8 of 500", attribute="row").superseded == (old,)


def test_a_judge_is_shown_what_only_counts() -> None:
    shown: list[str] = []

    def judge(draft: Assertion, rivals: Sequence[Assertion]) -> Judgement:
        shown.extend(rival.content for rival in rivals)
        return Judgement("stored", "both")

    with MemoryClient(":memory:", judge=judge) as m:
        m.add("row 7 of 500")
        receipt = m.add("row 8 of 500")

    assert shown == ["row 7 of 500"]
    assert receipt.why == "the judge decided: both"
