"""Each read of the store by itself: whatever ids it is handed, it shows what the gate lets pass."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from agent_memory_os import MemoryClient
from agent_memory_os.model import NO_FILTERS, Visibility
from agent_memory_os.pure.text import analyse_query
from agent_memory_os.testing import DEFAULT_START_MS, FakeClock, FakeEntropy

NEO = Visibility("neo", DEFAULT_START_MS)
GLOBAL = ["global"]


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that moves only when told to."""
    return FakeClock()


@pytest.fixture
def m(clock: FakeClock) -> Iterator[MemoryClient]:
    """Yield a memory in RAM on that clock, sound when the test ends."""
    with MemoryClient(":memory:", clock=clock, entropy=FakeEntropy()) as client:
        yield client
        assert client.admin.check() == []


def runs(m: MemoryClient, *anchors: str, reader: Visibility = NEO) -> dict[str, list[str]]:
    """Return the ids of the turns around each of *anchors*."""
    with m._parts.store.read() as snapshot:
        found = snapshot.surroundings(anchors, reader, width=3)
        return {anchor: [turn.id for turn in run] for anchor, run in found.items()}


def walked(m: MemoryClient, start: str, reader: Visibility = NEO) -> list[str]:
    """Return the ids that one step from *start* leads to."""
    with m._parts.store.read() as snapshot:
        return [step.target for step in snapshot.steps([start], reader, most=9)]


@pytest.mark.capability("AMOS-016")
def test_matches_by_themselves_name_only_what_passes(m: MemoryClient) -> None:
    m.add("tea of Ada", owner="ada")
    m.add("tea of a moment", owner="neo", valid_to=m.add("x").memory.created_at)
    shown = m.add("tea of all", owner="ada", visibility=GLOBAL).id

    with m._parts.store.read() as snapshot:
        found = snapshot.matches(analyse_query("tea"), NEO, NO_FILTERS)

    assert [each.id for each in found.found] == [shown]


@pytest.mark.capability("AMOS-016")
def test_an_invisible_turn_has_no_surroundings(m: MemoryClient) -> None:
    m.add("tea?", owner="ada", session="s", layer=0)
    hidden = m.add("At noon.", owner="ada", session="s", layer=0).id

    assert runs(m, hidden) == {}


def test_a_turn_that_is_not_there_now_stands_around_nothing(
    m: MemoryClient, clock: FakeClock
) -> None:
    expired, deleted, anchor = (
        m.add(text, owner="neo", session="s", layer=0, ttl=ttl).id
        for text, ttl in [("tea?", timedelta(hours=1)), ("rice?", None), ("At noon.", None)]
    )
    m.delete(deleted, requester_agent_id="neo")
    clock.advance(hours=1)

    now = Visibility("neo", clock.now_ms())

    assert runs(m, anchor, reader=now) == {anchor: [anchor]}
    assert expired not in m.search("tea", requester_agent_id="neo").ids


def test_a_turn_lends_only_to_turns_of_the_same_owner_audience_and_subject(
    m: MemoryClient,
) -> None:
    rest = {"session": "s", "layer": 0}
    mine = {"owner": "neo", "subject": "user:ada", **rest}
    m.add_many(
        [
            {"content": "of another owner", **mine, "owner": "ada", "visibility": GLOBAL},
            {"content": "of another audience", **mine},
            {"content": "of another subject", **mine, "visibility": GLOBAL, "subject": "user:bo"},
        ]
    )
    anchor, follower = (
        receipt.id
        for receipt in m.add_many(
            {"content": text, **mine, "visibility": GLOBAL} for text in ("said", "answered")
        )
    )

    assert runs(m, anchor) == {anchor: [anchor, follower]}


@pytest.mark.capability("AMOS-039")
def test_no_step_leads_from_an_invisible_memory_or_to_one(m: MemoryClient) -> None:
    hidden = m.add("tea", owner="ada").id
    shown = m.add("rice", owner="ada", visibility=GLOBAL).id
    m.link(hidden, shown, requester_agent_id="ada")

    assert walked(m, hidden) == []
    assert walked(m, shown) == []
    assert walked(m, hidden, Visibility("ada", DEFAULT_START_MS)) == [shown]


@pytest.mark.capability("AMOS-016")
def test_whatever_ids_are_read_only_what_passes_comes_back(m: MemoryClient) -> None:
    hidden = [m.add(f"tea {number}", owner="ada").id for number in range(2)]
    shown = m.add("rice", owner="ada", visibility=GLOBAL).id

    with m._parts.store.read() as snapshot:
        several = snapshot.read([*hidden, shown], NEO)
        alone = snapshot.read(hidden[:1], NEO)
        passing = snapshot.passing([*hidden, shown], NEO)

    assert [each.id for each in several] == [shown]
    assert alone == []
    assert passing == {shown}


@pytest.mark.capability("AMOS-016")
def test_an_agent_of_more_audiences_than_are_walked_browses_only_what_it_may_see(
    m: MemoryClient,
) -> None:
    m.add_many(
        {"content": f"tea {number}", "owner": "ada", "visibility": ["agent:neo", f"agent:{number}"]}
        for number in range(100)
    )
    m.add("the key is under the mat", owner="ada")
    m.add("a pin of Ada", owner="ada", pinned=True)

    browsed = m.browse(requester_agent_id="neo", limit=500)

    assert {memory.content.split()[0] for memory in browsed} == {"tea"}
    assert len(browsed) == 100
    assert "pin" not in str(m.context_pack("pin", requester_agent_id="neo"))


@pytest.mark.capability("AMOS-016")
def test_documents_and_counts_are_of_what_passes(m: MemoryClient) -> None:
    m.add("tea of Ada", owner="ada", subject="user:bo")
    shown = m.add("tea of all", owner="ada", visibility=GLOBAL, subject="user:bo").id
    about_bo = replace(NO_FILTERS, subject="user:bo")

    with m._parts.store.read() as snapshot:
        every = snapshot.documents(NEO, NO_FILTERS, most=9)
        of_bo = snapshot.documents(NEO, about_bo, most=9)
        stats = snapshot.stats(NEO)

    assert every == of_bo == [(shown, "tea of all")]
    assert (stats.memories, stats.by_state, stats.file_bytes) == (1, {"active": 1}, 0)


@pytest.mark.capability("AMOS-014")
@pytest.mark.parametrize("end", ["deleted", "expired"])
def test_who_can_read_a_memory_no_more_has_no_history_of_it(
    m: MemoryClient, clock: FakeClock, end: str
) -> None:
    tea = m.add("tea at nine", visibility=GLOBAL, ttl=timedelta(hours=1)).id
    m.update(tea, content="tea at ten")
    before = m.history(tea, requester_agent_id="neo")

    if end == "deleted":
        m.delete(tea)
    else:
        clock.advance(hours=1)

    assert len(before) == 1
    assert m.history(tea, requester_agent_id="neo") == []
    assert m.history(tea)[0] == before[0]


@pytest.mark.capability("AMOS-016")
def test_a_memory_that_was_never_shared_has_no_history_for_others(m: MemoryClient) -> None:
    tea = m.add("the code is 5521", owner="ada").id
    m.update(tea, content="the code is gone", requester_agent_id="ada")

    assert len(m.history(tea, requester_agent_id="ada")) == 1
    assert m.history(tea, requester_agent_id="neo") == []


def test_a_word_that_only_an_expired_memory_holds_is_repaired(
    m: MemoryClient, clock: FakeClock
) -> None:
    """Neo sees so little of the store that each word is asked of what neo may see alone."""
    m.add_many({"content": f"rice {number}", "owner": "ada"} for number in range(200))
    m.add("the conferance", owner="neo", ttl=timedelta(hours=1))
    kept = m.add("the conference", owner="neo").id
    clock.advance(hours=1)

    assert m.search("conferance", requester_agent_id="neo").ids == (kept,)
