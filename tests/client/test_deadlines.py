"""Deadlines: what is late is left out and named, and what remains is as right as ever."""

from collections.abc import Callable, Iterator
from threading import Event
from typing import Any

import pytest

from agent_memory_os import MemoryClient, ProviderRequest
from agent_memory_os.testing import FakeClock, FakeEntropy

Answer = list[tuple[str, float]]


class Watch:
    """A stopwatch that stands until somebody moves it; in seconds."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Host:
    """A provider that does as it is told."""

    def __init__(self, candidates: Callable[[ProviderRequest], Any], name: str = "wiki") -> None:
        self.name = name
        self.candidates = candidates


@pytest.fixture
def watch() -> Watch:
    """Return a stopwatch that stands at 0."""
    return Watch()


@pytest.fixture
def m(watch: Watch) -> Iterator[MemoryClient]:
    """Yield a memory by *watch*, with a session and a link, sound when the test ends."""
    with MemoryClient(
        ":memory:", clock=FakeClock(), entropy=FakeEntropy(), stopwatch=watch
    ) as client:
        asked = client.add("Which instrument do you play?", session="s1", layer=0).id
        client.add("Since I was six, at school", session="s1", layer=0)
        tripod = client.add("Bring the tripod").id
        client.link(asked, tripod)
        yield client
        assert client.admin.check() == []


def slow(watch: Watch, seconds: float) -> Host:
    """Return a provider that takes so long by *watch*, and proposes nothing."""

    def candidates(_: ProviderRequest) -> Answer:
        watch.seconds += seconds
        return []

    return Host(candidates)


def contents(hits: Any) -> list[str]:
    return [hit.content for hit in hits]


def test_in_time_nothing_is_left_out(m: MemoryClient, watch: Watch) -> None:
    whole = m.search("instrument")

    hits = m.search("instrument", deadline_ms=50_000, providers=[slow(watch, 49)])

    assert list(hits) == list(whole)
    assert hits.report.degraded == ()
    assert len(hits) == 3


@pytest.mark.capability("OOM-053")
def test_words_are_never_cut_and_what_comes_after_them_is_named(
    m: MemoryClient, watch: Watch
) -> None:
    hits = m.search("instrument", deadline_ms=50_000, providers=[slow(watch, 70)])

    assert contents(hits) == ["Which instrument do you play?"]
    assert hits.report.degraded == (
        "neighbours: left out after 70000 ms",
        "resonance: left out after 70000 ms",
    )
    assert "resonance" not in hits.report.candidates


def test_a_provider_whose_turn_comes_too_late_is_not_asked(m: MemoryClient, watch: Watch) -> None:
    asked: list[ProviderRequest] = []
    late = Host(asked.append, "late")

    hits = m.search("tripod", deadline_ms=50_000, providers=[slow(watch, 70), late])

    assert asked == []
    assert hits.report.degraded[0] == "late: left out after 70000 ms"


def test_a_provider_is_told_what_is_left(m: MemoryClient, watch: Watch) -> None:
    left: list[int | None] = []
    last = Host(lambda request: left.append(request.deadline_ms) or [], "last")

    m.search("tripod", deadline_ms=50_000, providers=[slow(watch, 12.5), last])
    m.search("tripod", providers=[last])

    assert left == [37_500, None]


@pytest.mark.parametrize("arm", ["vector", "recent"])
def test_each_arm_but_the_first_is_left_out_when_it_is_late(
    m: MemoryClient, watch: Watch, arm: str
) -> None:
    hits = m.search("tripod", deadline_ms=50_000, providers=["lexical", arm, slow(watch, 70)])

    assert contents(hits) == ["Bring the tripod"]
    assert hits.report.degraded == (f"{arm}: left out after 70000 ms",)


def test_an_arm_that_is_asked_alone_is_not_left_out(m: MemoryClient, watch: Watch) -> None:
    hits = m.search("tripods", deadline_ms=50_000, providers=["vector", slow(watch, 70)])

    assert contents(hits) == ["Bring the tripod"]


def test_the_gate_and_the_filters_hold_when_it_is_late(m: MemoryClient, watch: Watch) -> None:
    m.add("The tripod is in the safe", owner="mizuki")
    m.add("The tripod is mine", type="fact")

    hits = m.search("tripod", deadline_ms=50_000, types=["fact"], providers=[slow(watch, 70)])

    assert contents(hits) == ["The tripod is mine"]


def test_a_pack_has_a_deadline_too(m: MemoryClient, watch: Watch) -> None:
    pack = m.context_pack("instrument", deadline_ms=50_000, providers=[slow(watch, 70)])

    assert [item.memory.content for item in pack.items] == ["Which instrument do you play?"]
    assert "resonance: left out after 70000 ms" in pack.report.search.degraded


def test_one_that_hangs_costs_the_time_that_was_given_and_nothing_else() -> None:
    go_on, asked = Event(), []

    def hang(request: ProviderRequest) -> Answer:
        asked.append(request)
        go_on.wait()
        return []

    with MemoryClient(":memory:") as client:
        tea = client.add("Ada likes tea").id
        first = client.search("tea", deadline_ms=20, providers=[Host(hang)])
        second = client.as_agent("local").search("tea", deadline_ms=20)
        third = client.search("tea", deadline_ms=20, providers=[Host(hang)])
        go_on.set()

    assert (first.ids, second.ids, third.ids) == ((tea,), (tea,), (tea,))
    assert first.report.degraded[0].startswith("wiki: cut after ")
    assert second.report.degraded == ()
    assert third.report.degraded == ("wiki: still busy with an earlier call, and not asked again",)
    assert len(asked) == 1
