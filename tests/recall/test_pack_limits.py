"""Packs at their limits: no budget, a broken counter, thousands of pinned memories, a huge one."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agent_memory_os import InvalidInput, MemoryClient, Settings
from agent_memory_os.pure.renderers import RENDERERS
from agent_memory_os.pure.tokens import estimate_tokens
from agent_memory_os.testing import FakeEntropy, memory_client

FORMATS = pytest.mark.parametrize("written", RENDERERS)
CJK = "今天的会议推迟到下午三点。打合せは三時からです。회의는 세 시에. การประชุมเริ่มบ่ายสาม 🙂🎉" * 2


def _is_cjk(character: str) -> bool:
    return "\u3040" <= character <= "\u30ff" or "\u4e00" <= character <= "\ud7a3"


@FORMATS
@pytest.mark.capability("AMOS-041")
def test_fc_131_a_pack_of_unspaced_scripts_is_not_counted_too_cheap(written: Any) -> None:
    m = memory_client()
    m.add_many([{"content": f"会议 {n}: {CJK}"[:80]} for n in range(200)])

    pack = m.context_pack("会议", max_tokens=500, format=written)

    assert len(pack.items) > 1
    assert estimate_tokens(str(pack)) == pack.tokens == pack.report.used_tokens <= 500
    assert sum(map(_is_cjk, str(pack))) <= 500


@pytest.mark.parametrize("budget", [0, 1, 2, 5, 15])
@FORMATS
def test_fc_135_a_budget_for_nothing_is_an_empty_pack(written: Any, budget: int) -> None:
    m = memory_client()
    m.add("tea at nine", pinned=True)
    m.add("tea at ten")

    pack = m.context_pack("tea", max_tokens=budget, format=written)

    assert (str(pack), pack.tokens, pack.items, pack.messages) == ("", 0, (), ())
    assert pack.report.decisions
    assert not any(decision.included for decision in pack.report.decisions)


@pytest.mark.parametrize("budget", [-5, -1, "100", 1.5, True])
def test_fc_135_a_budget_that_is_none_is_an_error(budget: Any) -> None:
    with pytest.raises(InvalidInput, match="max_tokens"):
        memory_client().context_pack("tea", max_tokens=budget)


def test_fc_135_no_budget_is_that_of_the_settings_and_a_huge_one_ends_at_the_items() -> None:
    with MemoryClient(":memory:", settings=Settings(pack_tokens=300, pack_items=20)) as m:
        m.add_many([{"content": f"tea number {n}"} for n in range(60)])

        usual, huge = m.context_pack("tea"), m.context_pack("tea", max_tokens=10**9)

    assert usual.report.budget_tokens == 300
    assert 0 < usual.tokens <= 300
    assert len(huge.items) == 20


def raises(text: str) -> int:
    raise KeyError(text[:3])


BROKEN: dict[str, tuple[Callable[[str], Any], str]] = {
    "raises": (raises, "count_tokens raised KeyError"),
    "NaN": (lambda text: float("nan"), "not nan"),
    "infinite": (lambda text: float("inf"), "not inf"),
    "float": (lambda text: len(text) / 4, r"not \d+\.\d+"),
    "whole float": (lambda text: 3.0, r"not 3\.0"),
    "negative": (lambda text: -1, "not -1"),
    "bool": (lambda text: True, "not True"),
    "None": (lambda text: None, "not None"),
    "text": (lambda text: "7", "not '7'"),
    "list": (lambda text: [7], r"not \[7\]"),
}


@pytest.mark.parametrize(("counter", "message"), BROKEN.values(), ids=BROKEN)
def test_a_counter_that_does_not_count_is_an_error_that_says_so(
    counter: Callable[[str], Any], message: str
) -> None:
    with MemoryClient(":memory:", count_tokens=counter) as m:
        m.add("tea at nine")

        with pytest.raises(InvalidInput, match=f"count_tokens.*{message}|{message}"):
            m.context_pack("tea")
        with pytest.raises(InvalidInput, match="count_tokens"):
            m.orchestrate_context("tea")
        assert m.search("tea")  # and the client goes on


def test_the_error_of_a_counter_keeps_its_cause() -> None:
    with MemoryClient(":memory:", count_tokens=raises) as m:
        m.add("tea at nine")

        with pytest.raises(InvalidInput) as caught:
            m.context_pack("tea")

    assert isinstance(caught.value.__cause__, KeyError)


def test_a_counter_may_use_the_client_itself() -> None:
    """Nothing of the host is called while the store is being read."""
    counted: list[str] = []

    def counter(text: str) -> int:
        counted.append(m.add(f"counted {len(counted)}").id)
        return len(text)

    with MemoryClient(":memory:", count_tokens=counter) as m:
        m.add("tea at nine")

        pack = m.context_pack("tea", max_tokens=400)
        orchestrated = m.orchestrate_context("tea", max_tokens=400)

    assert counted
    assert [item.memory.content for item in pack.items] == ["tea at nine"]
    assert pack.ids == orchestrated.ids


def test_a_counter_that_counts_cheaper_than_the_librarys_fills_its_budget() -> None:
    with MemoryClient(":memory:", count_tokens=lambda text: len(text.split())) as m:
        key = "QWxhZGRpbjpvcGVuIHNlc2FtZQ" * 5
        m.add_many({"content": f"tea {n} {key}"} for n in range(40))

        pack = m.context_pack("tea", max_tokens=320)

    assert len(pack.items) == 40


@pytest.fixture(scope="module")
def crowded() -> Iterator[MemoryClient]:
    """Yield a memory of 10,000 pinned rows, the most important of which is an early one."""
    with memory_client() as m:
        m.add_many(
            {"content": f"rule{n} of{n} tea{n}", "pinned": True, "importance": 0.4}
            for n in range(9_000)
        )
        m.add("The first rule of tea", pinned=True, importance=1.0)
        m.add_many(
            {"content": f"rule{n} of{n} tea{n}", "pinned": True, "importance": 0.4}
            for n in range(9_001, 10_000)
        )
        m.add("The cat likes rice")
        yield m


@pytest.mark.capability("AMOS-044")
@FORMATS
def test_ten_thousand_pinned_memories_leave_room_for_what_was_asked(
    crowded: MemoryClient, written: Any
) -> None:
    pack = crowded.context_pack("rice", max_tokens=600, format=written)

    assert pack.items[0].memory.content == "The first rule of tea"
    assert pack.items[-1].memory.content == "The cat likes rice"
    assert pack.tokens <= 600
    core, recall = pack.report.sections
    assert core.included > 1
    assert core.used_tokens <= core.allowed_tokens <= 180
    assert (core.candidates, recall.included) == (2_000, 1)


def test_ten_thousand_pinned_memories_are_bounded_by_the_items(crowded: MemoryClient) -> None:
    pack = crowded.context_pack("rice", max_tokens=10**9)

    assert len(pack.items) == Settings().pack_items


HUGE = {
    "english": (
        "filler words here. " * 20_000,
        "The boiler fuse is behind panel C. ",
        "boiler fuse",
    ),
    "chinese": ("我们在讨论明天的天气。" * 9_000, "备用保险丝在面板后面。", "保险丝"),
    "code": ("x = compute(1, 2)\n" * 12_000, "def spare_fuse():\n    return 7\n", "spare_fuse"),
    "json": ('{"a": [1, 2]}, ' * 12_000, '{"fuse": "panel C"}, ', "fuse"),
}


@pytest.mark.parametrize(("filler", "wanted", "query"), HUGE.values(), ids=HUGE)
@FORMATS
def test_one_enormous_memory_is_an_excerpt_around_the_match(
    written: Any, filler: str, wanted: str, query: str
) -> None:
    m = memory_client()
    m.add(filler + wanted + filler)

    pack = m.context_pack(query, max_tokens=300, format=written)

    (item,) = pack.items
    assert item.excerpt
    assert query.split()[-1] in item.text
    assert 50 < pack.tokens <= 300


@FORMATS
def test_a_memory_longer_than_what_is_left_is_cut_also_after_pinned_ones(written: Any) -> None:
    with MemoryClient(":memory:", settings=Settings(core_share=0.5), entropy=FakeEntropy()) as m:
        m.add("Answer in English.", pinned=True)
        m.add("filler words. " * 13 + "The boiler fuse is behind panel C. " + "More follows. " * 12)
        whole = m.context_pack("boiler fuse", format=written)

        pack = m.context_pack("boiler fuse", max_tokens=whole.tokens - 12, format=written)

    assert [item.excerpt for item in whole.items] == [False, False]
    assert [(i.section, i.excerpt) for i in pack.items] == [("core", False), ("recall", True)]
    assert "boiler fuse" in pack.items[1].text
    assert pack.tokens < whole.tokens - 12


def test_a_provenance_that_fills_the_budget_leaves_the_memory_out() -> None:
    m = memory_client()
    m.add("tea at nine", subject="user:" + "very long name " * 12 + "x")
    m.add("tea at ten")

    pack = m.context_pack("tea", max_tokens=60)

    assert [item.memory.content for item in pack.items] == ["tea at ten"]
    assert any("did not fit" in d.reason for d in pack.report.decisions if not d.included)


def test_a_small_pack_has_what_fits_where_the_best_match_does_not() -> None:
    m = memory_client()
    m.add("tea " * 4 + "https://example.org/" + "x" * 1_500)
    short = m.add("green tea and more of what is drunk").id

    pack = m.context_pack("tea", max_tokens=64)

    assert pack.ids == (short,)
