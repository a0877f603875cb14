"""A provider may say or do what it likes: it shows nothing, hints at nothing and breaks nothing."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_memory_os import AgentMemory, MemoryClient, ProviderRequest
from agent_memory_os.testing import FakeClock, FakeEntropy

QUERIES = ["staging deploy", "how is old Betsy?", "Which marble weather vanes are in Florence?"]


class Host:
    """A provider that says what stands in `rows`; of a class of errors, it raises it."""

    name = "wiki"

    def __init__(self) -> None:
        self.rows: Any = ()

    def candidates(self, request: ProviderRequest) -> Any:
        if isinstance(self.rows, BaseException):
            raise self.rows
        return self.rows


class World(NamedTuple):
    """A memory whose searches ask *wiki*, with ids that neo sees, sees of ada alone, or not."""

    client: MemoryClient
    wiki: Host
    visible: Sequence[str]
    of_ada: Sequence[str]
    hidden: Sequence[str]


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    """Yield a memory that no test changes, and that is sound when they have ended."""
    clock, wiki = FakeClock(datetime(2026, 1, 1, tzinfo=UTC)), Host()
    with MemoryClient(
        ":memory:", agent_id="neo", clock=clock, entropy=FakeEntropy(), providers=[wiki]
    ) as m:
        failed = m.add("The deploy of staging failed with a lock", session="s1").id
        missing = m.add("A snapshot was missing", session="s1").id
        weather = m.add("The weather report of station 3 came late").id
        tea = m.add("Ada likes tea", subject="user:ada").id
        van = m.add("The grey Transit needs new tyres", subject="user:ada", importance=0.9).id
        m.link(failed, tea, weight=0.9)
        gone = m.add("a deploy of old", subject="user:ada").id
        m.delete(gone)
        expired = m.add("deploy code 5521", ttl=timedelta(hours=1)).id
        later = m.add("deploy in May", valid_from=datetime(2026, 5, 1, tzinfo=UTC)).id
        secret = m.add("staging deploy: the safe opens with 7-7-3", owner="mizuki").id
        clock.advance(hours=2)
        hidden = [gone, expired, later, secret, "f" * 25, "", "%", "' OR 1=1 --", "\x00"]
        yield World(m, wiki, [failed, missing, weather, tea, van], [tea, van], hidden)
        wiki.rows = ()
        assert m.admin.check() == []


def answers(view: AgentMemory, visible: Sequence[str]) -> list[object]:
    """Return all that *view* learns from searches, reports included."""
    found: list[object] = []
    for query in QUERIES:
        for hits in (
            view.search(query),
            view.search(query, limit=2, offset=1, min_score=0.1),
            view.search(query, types=["fact"]),
            view.search(query, limit=0),
            view.search(query, strategy="hybrid", providers=["wiki", "resonance"]),
        ):
            found += [list(hits), hits.report]
        found += [view.context_pack(query), view.context_pack(query, max_tokens=90)]
        found += [view.explain(query, memory_id) for memory_id in visible]
    return found


@pytest.mark.capability("AMOS-018", "AMOS-037", "AMOS-039")
@pytest.mark.parametrize("subject", [None, "user:ada"])
@settings(max_examples=40)
@given(data=st.data())
def test_what_one_may_not_see_is_as_if_no_provider_had_named_it(
    world: World, subject: str | None, data: st.DataObject
) -> None:
    visible = world.visible if subject is None else world.of_ada
    every = st.sampled_from([*world.visible, *world.hidden])
    said = data.draw(st.lists(st.tuples(every, st.floats(-0.5, 1.5)), max_size=30))
    view = world.client.as_agent("neo", subject=subject)

    world.wiki.rows = said
    whole = answers(view, visible)
    world.wiki.rows = [row for row in said if row[0] in visible]
    without = answers(view, visible)

    assert whole == without


@given(
    rows=st.lists(
        st.tuples(st.text(max_size=30), st.floats())
        | st.tuples(st.integers(), st.floats())
        | st.text()
        | st.none()
        | st.binary(max_size=3)
        | st.lists(st.integers() | st.text(), max_size=4),
        max_size=20,
    )
)
def test_no_rubbish_costs_the_other_arms_their_answer(world: World, rows: list[Any]) -> None:
    view = world.client.as_agent("neo")
    without = [list(view.search(query, providers=[])) for query in QUERIES]

    world.wiki.rows = rows

    assert [list(view.search(query)) for query in QUERIES] == without


@pytest.mark.parametrize(
    "error",
    [ValueError("7-7-3"), RecursionError(), MemoryError(), StopIteration(), OSError(28, "7-7-3")],
    ids=repr,
)
@pytest.mark.parametrize("deadline_ms", [None, 60_000])
@pytest.mark.capability("OOM-053")
def test_one_that_raises_is_named_and_the_others_answer(
    world: World, error: Exception, deadline_ms: int | None
) -> None:
    without = list(world.client.search("staging deploy", providers=[]))

    world.wiki.rows = error
    hits = world.client.search("staging deploy", deadline_ms=deadline_ms)

    kind = type(error).__name__
    assert list(hits) == without
    assert hits.report.degraded == (f"wiki: it raised {kind}, and proposes nothing",)


@pytest.mark.parametrize("deadline_ms", [None, 60_000])
def test_an_interrupt_is_the_callers(world: World, deadline_ms: int | None) -> None:
    world.wiki.rows = KeyboardInterrupt()

    with pytest.raises(KeyboardInterrupt):
        world.client.search("staging deploy", deadline_ms=deadline_ms)


def test_an_empty_answer_says_what_did_not_work(world: World) -> None:
    world.wiki.rows = ValueError()

    hits = world.client.search("quarterly pineapple forecast")

    assert list(hits) == []
    assert hits.report.degraded == ("wiki: it raised ValueError, and proposes nothing",)


def test_a_flood_is_cut_and_what_is_seen_of_its_beginning_counts(world: World) -> None:
    flood = [(f"{number:025x}", 1.0) for number in range(10**5)]

    world.wiki.rows = [(world.visible[4], 0.9), *flood]
    hits = world.client.search("how is old Betsy?")

    assert hits.ids == (world.visible[4],)
    assert hits.report.candidates["wiki"] == 1
    assert hits.report.degraded == ("wiki: it has more than 1000 rows, and the rest was not read",)
