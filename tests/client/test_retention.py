"""Retention: what leaves recall with age, what stays, how it comes back, and what is bounded."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from agent_memory_os import (
    AgentMemory,
    AsyncMemoryClient,
    InvalidInput,
    MemoryClient,
    NotFound,
    RetentionReport,
    Settings,
    StoreBusy,
)
from agent_memory_os.model import Visibility
from agent_memory_os.pure.retention import policy
from agent_memory_os.settings import DAY_MS
from agent_memory_os.store.contract import Snapshot, Transaction
from agent_memory_os.tend.retain import MOST_IDS, retain
from agent_memory_os.testing import FakeClock, FakeEmbedder, FakeEntropy, memory_client

UNKNOWN_ID = "f" * 25
IDLE_DAYS = 4 * 90  # of a note
EVERYBODY = ["global"]


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


def opened(clock: FakeClock, path: Path | str = ":memory:", **settings: Any) -> MemoryClient:
    return MemoryClient(path, clock=clock, entropy=FakeEntropy(), settings=Settings(**settings))


def states(m: MemoryClient) -> Mapping[str, int]:
    return m.admin.stats().by_state


# What leaves


@pytest.mark.capability("AMOS-059", "AMOS-061", "AIM-58")
def test_what_has_expired_and_what_was_long_not_used_is_archived(
    m: MemoryClient, clock: FakeClock
) -> None:
    expired = m.add("the door code", type="task", ttl=timedelta(days=300)).id
    idle = m.add("lunch was late", layer=2, type="tale").id
    clock.advance(days=719)
    fresh = m.add("a new pump").id
    clock.advance(days=1)

    report = m.admin.retention()

    assert report == RetentionReport(
        dry_run=False,
        at_ms=clock.now_ms(),
        archived=2,
        deleted=0,
        ids=(expired, idle),
        by_reason={"expired": 1, "idle": 1},
        by_type={"task": 1, "tale": 1},
        by_layer={1: 1, 2: 1},
        spared={},
        trimmed={},
    )
    assert [memory.id for memory in m.browse()] == [fresh]
    assert states(m) == {"active": 1, "archived": 2}


def test_a_dry_run_says_the_same_and_changes_nothing(m: MemoryClient, clock: FakeClock) -> None:
    note = m.add("lunch was late").memory
    clock.advance(days=IDLE_DAYS)

    planned = m.admin.retention(dry_run=True)

    assert m.get(note.id) == note
    assert m.history(note.id) == m.org.audit() == []
    done = m.admin.retention()
    assert planned.to_dict() | {"dry_run": False} == done.to_dict()
    assert done.at == note.created_at + timedelta(days=IDLE_DAYS)


@pytest.mark.capability("AMOS-061")
def test_zero_half_lives_archive_what_has_expired_alone(m: MemoryClient, clock: FakeClock) -> None:
    idle = m.add("lunch was late").id
    expired = m.add("the door code", ttl=timedelta(days=1)).id
    clock.advance(days=9_000)

    assert m.admin.retention(half_lives=0).ids == (expired,)
    assert m.admin.retention(half_lives=0.5).ids == (idle,)


@pytest.mark.capability("AMOS-061")
@pytest.mark.parametrize(
    "use",
    [
        lambda m, note: m.record_recall([note]),
        lambda m, note: m.update(note, importance=0.9),
        lambda m, note: m.search("lunch", auto_reinforce=True),
        lambda m, note: m.share(note, EVERYBODY) and m.record_recall([note], helpful=False),
    ],
    ids=["recalled", "updated", "reinforced", "no help"],
)
def test_what_was_used_since_stays(
    m: MemoryClient, clock: FakeClock, use: Callable[[MemoryClient, str], object]
) -> None:
    note = m.add("lunch was late").id
    clock.advance(days=IDLE_DAYS - 1)
    use(m, note)
    clock.advance(days=IDLE_DAYS - 1)

    assert m.admin.retention().archived == 0

    clock.advance(days=1)
    assert m.admin.retention().ids == (note,)


@pytest.mark.capability("AMOS-061")
def test_looking_is_not_using(m: MemoryClient, clock: FakeClock) -> None:
    note = m.add("lunch was late").id
    clock.advance(days=IDLE_DAYS)
    m.search("lunch")
    m.context_pack("lunch")
    m.get(note)

    assert m.admin.retention().ids == (note,)


def test_what_happened_long_ago_counts_from_when_it_was_written(
    m: MemoryClient, clock: FakeClock
) -> None:
    m.add("met in Oslo", occurred_at=m.add("x").memory.created_at - timedelta(days=5_000))

    assert m.admin.retention(dry_run=True).archived == 0


def test_what_has_not_happened_yet_stays(m: MemoryClient, clock: FakeClock) -> None:
    now = m.add("x").memory.created_at
    trip = m.add("the trip to Oslo begins", occurred_at=now + timedelta(days=2 * IDLE_DAYS)).id
    clock.advance(days=2 * IDLE_DAYS)

    assert trip not in m.admin.retention(half_lives=1).ids


@pytest.mark.capability("AMOS-058", "AMOS-063")
def test_what_is_pinned_or_an_authority_stays_for_ever(m: MemoryClient, clock: FakeClock) -> None:
    m.add("be kind", pinned=True)
    m.add("ask before you deploy", metadata={"authority": "ops"})
    m.add("no secrets in logs", type="policy", ttl=timedelta(days=1))
    m.add("dark mode", type="preference")
    clock.advance(days=30_000)

    report = m.admin.retention(half_lives=0.01)

    assert (report.archived, report.spared) == (0, {"authority": 2, "pinned": 1})


@pytest.mark.capability("AIM-55", "AIM-56")
def test_what_is_marked_temporary_is_archived_after_thirty_days(
    m: MemoryClient, clock: FakeClock
) -> None:
    scratch = m.add("scratch: try port 9", metadata={"temporary": True}).id
    m.add("port 9 it is", metadata={"temporary": False})
    clock.advance(days=29)
    assert m.admin.retention().archived == 0
    clock.advance(days=1)

    report = m.admin.retention()

    assert (report.ids, report.by_reason) == ((scratch,), {"temporary": 1})


@pytest.mark.capability("MEMU-15")
def test_a_class_of_decay_goes_before_the_type(m: MemoryClient, clock: FakeClock) -> None:
    short = m.add("the build is red", type="fact", metadata={"decay": "short-term"}).id
    m.add("lunch was late", metadata={"decay": "long-term"})
    clock.advance(days=IDLE_DAYS)

    assert m.admin.retention().ids == (short,)


@pytest.mark.capability("OOM-070", "AIM-55")
def test_each_layer_is_kept_as_long_as_the_settings_say(clock: FakeClock) -> None:
    rules: Mapping[str, Any] = {
        "half_life_days_by_layer": {0: 10, 3: 10},
        "half_life_days_by_type": {},
        "retention_half_lives_by_layer": {0: 1.0, 3: 0.0},
        "delete_archived_days_by_layer": {0: 20},
    }
    with opened(clock, **rules) as m:
        event = m.add("ran the tests", layer=0, type="event").id
        atom = m.add("tests take a minute").id
        m.add("works at night", layer=3)
        clock.advance(days=10)
        assert m.admin.retention().ids == (event,)
        clock.advance(days=IDLE_DAYS - 10)

        report = m.admin.retention()

        assert report.ids == (event, atom)
        assert report.by_reason == {"archived": 1, "idle": 1}
        assert (report.archived, report.deleted, report.by_layer) == (1, 1, {0: 1, 1: 1})
        assert [change.kind for change in m.history(event)] == ["archived", "delete"]
        assert states(m) == {"active": 1, "archived": 1, "deleted": 1}
        assert m.admin.check() == []


def test_only_the_layers_that_are_named_are_dealt_with(m: MemoryClient, clock: FakeClock) -> None:
    event = m.add("ran the tests", layer=0).id
    note = m.add("tests take a minute").id
    clock.advance(days=IDLE_DAYS)

    assert m.admin.retention(layers=[0]).ids == (event,)
    assert m.get(note) is not None


@pytest.mark.parametrize(
    "bad", [{"half_lives": -1}, {"layers": [7]}, {"layers": "0"}, {"dry_run": "yes"}], ids=str
)
def test_what_cannot_be_done_is_refused(m: MemoryClient, bad: Mapping[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        m.admin.retention(**bad)


# Again, in steps, and with others


@pytest.mark.capability("AMOS-061")
def test_done_twice_it_is_done_once(clock: FakeClock) -> None:
    with opened(clock, history_per_memory=2, audit_rows=1) as m:
        busy = m.add("the port is open", pinned=True).id
        for number in range(4):
            m.update(busy, importance=number / 10)
        m.add_many(
            [{"content": f"lunch {number}", "ttl": timedelta(days=1)} for number in range(9)]
        )
        m.share(busy, EVERYBODY)
        clock.advance(days=1)
        m.admin.retention()
        before = (m.browse(), m.admin.archived(), m.admin.stats(), m.org.audit(), m.history(busy))

        again = m.admin.retention()

        assert (again.archived, again.ids, again.trimmed) == (0, (), {})
        after = (m.browse(), m.admin.archived(), m.admin.stats(), m.org.audit(), m.history(busy))
        assert after == before


@pytest.mark.capability("AMOS-057")
def test_fc_079_maintenance_many_times_at_one_instant_equals_once() -> None:
    found = []
    for times in (1, 50):
        clock = FakeClock()
        with memory_client(clock=clock) as m:
            m.add_many([{"content": f"the pump {number} needs oil"} for number in range(5)])
            m.add("the pump room", type="task")
            m.add("the pump code", ttl=timedelta(days=6))
            for _ in range(8):
                clock.advance(days=7)
                for _ in range(times):
                    m.admin.retention()
            found.append((m.search("pump"), m.admin.archived(), states(m)))

    assert found[0] == found[1]
    assert found[0][2] == {"active": 5, "archived": 2}


class Watched:
    """A store of which every write is noted, and something is done before it."""

    def __init__(self, m: MemoryClient, act: Callable[[int], object] = lambda number: None) -> None:
        self._store, self._act = m._parts.store, act
        self.writes = 0

    def read(self) -> AbstractContextManager[Snapshot]:
        return self._store.read()

    def write(self, *, bulk: bool = False) -> AbstractContextManager[Transaction]:
        self.writes += 1
        self._act(self.writes)
        return self._store.write(bulk=bulk)


def retained(store: Watched, clock: FakeClock) -> RetentionReport:
    everything = Visibility(
        "local",
        clock.now_ms(),
        admin=True,
        states=("active", "superseded", "archived", "deleted"),
        timeless=True,
    )
    plan = policy(Settings(), half_lives=None, layers=None)
    return retain(store, plan, everything, Settings(), dry_run=False)  # type: ignore[arg-type]  # as much of a store as it needs


def test_many_are_moved_in_many_short_transactions_and_few_are_listed(
    m: MemoryClient, clock: FakeClock
) -> None:
    expected = m.add_many([{"content": f"{number}"} for number in range(MOST_IDS + 50)])
    clock.advance(days=IDLE_DAYS)
    store = Watched(m)

    report = retained(store, clock)

    assert report.archived == len(expected)
    assert report.ids == tuple(receipt.id for receipt in expected[:MOST_IDS])
    assert store.writes >= len(expected) / 100
    assert m.browse() == []


def test_what_is_used_between_the_look_and_the_move_stays(
    m: MemoryClient, clock: FakeClock
) -> None:
    note = m.add("lunch was late").id
    clock.advance(days=IDLE_DAYS)
    store = Watched(m, lambda number: number == 1 and m.record_recall([note]))

    report = retained(store, clock)

    assert (report.archived, report.ids, report.by_reason) == (0, (), {})
    assert m.get(note) is not None


def test_what_was_done_before_an_error_stays_done_and_the_rest_is_done_later(
    m: MemoryClient, clock: FakeClock
) -> None:
    m.add_many([{"content": f"{number}"} for number in range(250)])
    clock.advance(days=IDLE_DAYS)

    def fail(number: int) -> None:
        if number == 2:
            raise StoreBusy("another process held the lock")

    with pytest.raises(StoreBusy):
        retained(Watched(m, fail), clock)

    assert states(m) == {"active": 150, "archived": 100}
    assert m.admin.retention().archived == 150


def test_what_was_done_stands_in_history_and_audit_without_a_content(
    m: MemoryClient, clock: FakeClock
) -> None:
    note = m.add("lunch was late", owner="neo").id
    clock.advance(days=IDLE_DAYS)
    m.admin.retention()

    (change,) = m.history(note, requester_agent_id="neo")
    (entry,) = m.org.audit()
    assert (change.kind, change.by, change.before) == ("archived", "local", {"state": "active"})
    assert (entry.action, entry.target, entry.detail) == ("retention", "memories", {"archived": 1})


# Archived


READS: Mapping[str, Callable[[AgentMemory, str, str], object]] = {
    "get": lambda v, gone, kept: v.get(gone),
    "get_many": lambda v, gone, kept: v.get_many([gone]),
    "browse": lambda v, gone, kept: [each for each in v.browse() if each.id == gone],
    "search": lambda v, gone, kept: list(v.search("code 5521")),
    "keyword": lambda v, gone, kept: list(v.search("code 5521", strategy="keyword")),
    "vector": lambda v, gone, kept: gone in v.search("code 5521", strategy="vector").ids,
    "resonance": lambda v, gone, kept: gone in v.search("tea", strategy="resonance").ids,
    "what matters": lambda v, gone, kept: gone in v.search(None).ids,
    "links": lambda v, gone, kept: gone in v.search("tea").ids,
    "context_pack": lambda v, gone, kept: "5521" in str(v.context_pack("code tea")),
    "orchestrate_context": lambda v, gone, kept: (
        "5521" in str(v.orchestrate_context("code", session="s"))
    ),
    "neighbors": lambda v, gone, kept: v.neighbors(kept),
    "tool": lambda v, gone, kept: "5521" in str(v.call_tool("memory_search", {"query": "code"})),
}
NAMING: Mapping[str, Callable[[AgentMemory, str, str], object]] = {
    "explain": lambda v, gone, kept: v.explain("code", gone),
    "neighbors": lambda v, gone, kept: v.neighbors(gone),
    "update": lambda v, gone, kept: v.update(gone, content="changed"),
    "delete": lambda v, gone, kept: v.delete(gone),
    "share": lambda v, gone, kept: v.share(gone, EVERYBODY),
    "revoke": lambda v, gone, kept: v.revoke(gone, EVERYBODY),
    "link": lambda v, gone, kept: v.link(gone, kept),
    "link to it": lambda v, gone, kept: v.link(kept, gone),
    "unlink": lambda v, gone, kept: v.unlink(kept, gone),
    "record_recall": lambda v, gone, kept: v.record_recall([gone]),
}
ENDS: Mapping[str, Callable[[MemoryClient, FakeClock, str], object]] = {
    "archived": lambda m, clock, gone: m.admin.archive([gone]),
    "expired": lambda m, clock, gone: clock.advance(days=1),
    "expired and archived": lambda m, clock, gone: (
        clock.advance(days=1),
        m.admin.retention(half_lives=0),
    ),
}


def ended(m: MemoryClient, clock: FakeClock, end: str) -> tuple[str, str]:
    """Return the ids of a memory that has left every read, and of one that is linked with it."""
    fields: Mapping[str, Any] = {"owner": "neo", "visibility": EVERYBODY, "session": "s"}
    gone = m.add("the code is 5521", ttl=timedelta(days=1), **fields).id
    kept = m.add("tea is at nine", **fields).id
    m.link(kept, gone, requester_agent_id="neo")
    ENDS[end](m, clock, gone)
    return gone, kept


@pytest.mark.capability("AMOS-059", "AMOS-062")
@pytest.mark.parametrize("agent", ["neo", "zoe"])
@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("end", ENDS)
def test_fc_077_what_is_archived_or_expired_is_in_no_read(
    m: MemoryClient, clock: FakeClock, end: str, read: str, agent: str
) -> None:
    gone, kept = ended(m, clock, end)

    assert not READS[read](m.as_agent(agent), gone, kept)


@pytest.mark.parametrize("read", READS)
def test_fc_077_each_read_would_have_shown_it(m: MemoryClient, clock: FakeClock, read: str) -> None:
    gone, kept = ended(m, FakeClock(), "expired")

    assert READS[read](m.as_agent("zoe"), gone, kept)


@pytest.mark.capability("AMOS-059", "AMOS-062")
@pytest.mark.parametrize("agent", ["neo", "zoe"])
@pytest.mark.parametrize("verb", NAMING)
@pytest.mark.parametrize("end", ENDS)
def test_fc_077_nobody_can_do_anything_with_what_is_archived_or_expired(
    m: MemoryClient, clock: FakeClock, end: str, verb: str, agent: str
) -> None:
    gone, kept = ended(m, clock, end)

    with pytest.raises(NotFound):
        NAMING[verb](m.as_agent(agent), gone, kept)


@pytest.mark.parametrize("end", ENDS)
def test_what_is_archived_or_expired_is_in_no_count_of_what_is_read(
    m: MemoryClient, clock: FakeClock, end: str
) -> None:
    ended(m, clock, end)

    stats = m.admin.stats()
    with m._parts.store.read() as snapshot:
        seen = snapshot.stats(Visibility("zoe", clock.now_ms()))

    assert stats.memories == seen.memories == 1
    assert seen.by_month == {"2026-01": 1}


@pytest.mark.capability("AMOS-062")
def test_the_owner_alone_has_the_history_of_what_is_archived_and_may_forget_it(
    m: MemoryClient, clock: FakeClock
) -> None:
    gone, _ = ended(m, clock, "archived")

    assert [change.kind for change in m.history(gone, requester_agent_id="neo")] == ["archived"]
    assert m.history(gone, requester_agent_id="zoe") == []
    assert m.forget(gone, requester_agent_id="neo", verify=True).complete
    assert m.admin.archived() == []


@pytest.mark.capability("AMOS-062")
def test_the_host_lists_what_is_archived_by_filters_and_pages(m: MemoryClient) -> None:
    notes = [
        m.add(f"note {number}", owner=owner, type=kind).id
        for number, (owner, kind) in enumerate([("neo", "a"), ("zoe", "a"), ("zoe", "b")])
    ]
    m.add("an active one")
    m.admin.archive(notes)

    listed = m.admin.archived()
    page = m.admin.archived(limit=1, offset=1)
    of_zoe = m.admin.archived(owner="zoe", types=["a"])

    assert [memory.id for memory in listed] == notes[::-1]
    assert {memory.state for memory in listed} == {"archived"}
    assert [memory.id for memory in page] == [memory.id for memory in of_zoe] == [notes[1]]


def test_no_view_can_archive_or_list(m: MemoryClient) -> None:
    view = m.as_agent("neo")

    verbs = ("retention", "archive", "unarchive", "archived", "admin")
    assert [verb for verb in verbs if hasattr(view, verb)] == []


def test_archiving_again_changes_nothing_and_says_so(m: MemoryClient) -> None:
    note, gone = m.add("lunch").id, m.add("dinner").id
    m.delete(gone)
    first = m.admin.archive([note, note])

    again = m.admin.archive([note, gone])

    assert (first.ids, first.left, first.pending) == ((note,), {}, "")
    assert again.ids == ()
    assert again.left == {note: "it is archived already", gone: "it was deleted"}
    assert len(m.history(note)) == 1


@pytest.mark.parametrize("verb", ["archive", "unarchive"])
def test_of_what_is_not_there_nothing_is_moved(m: MemoryClient, verb: str) -> None:
    shelved, shown = m.add("lunch").id, m.add("dinner").id
    m.admin.archive([shelved])

    with pytest.raises(NotFound, match=UNKNOWN_ID):
        getattr(m.admin, verb)([shelved, shown, UNKNOWN_ID])
    with pytest.raises(InvalidInput):
        getattr(m.admin, verb)(shelved)

    assert states(m) == {"active": 1, "archived": 1}


# Back


@pytest.mark.capability("AMOS-062")
def test_what_comes_back_is_as_it_was_for_all_who_saw_it(m: MemoryClient) -> None:
    fields: Mapping[str, Any] = {"tags": ["ops"], "metadata": {"env": "prod"}, "key": "port"}
    before = m.add("the port is 5521", visibility=["agent:zoe"], **fields).memory
    other = m.add("tea is at nine", visibility=["agent:zoe"]).id
    m.link(before.id, other, relation="next", weight=0.4)
    m.update(before.id, importance=0.9)
    answers = [m.search("ops port", requester_agent_id=agent).ids for agent in ("zoe", "neo")]
    linked = m.neighbors(other, requester_agent_id="zoe")[0].weight
    m.admin.archive([before.id])

    done = m.admin.unarchive([before.id])

    after = m.get(before.id)
    assert done.ids == (before.id,)
    assert after is not None
    moved = ("updated_ms", "version", "importance")
    assert [name for name, value in after.to_dict().items() if before.to_dict()[name] != value] == [
        name for name in before.to_dict() if name in moved and name != "updated_ms"
    ]
    assert [m.search("ops port", requester_agent_id=a).ids for a in ("zoe", "neo")] == answers
    assert m.neighbors(other, requester_agent_id="zoe")[0].weight == linked == 0.4
    assert [change.kind for change in m.history(before.id)] == ["update", "archived", "revive"]


@pytest.mark.capability("AMOS-062")
def test_fc_081_links_come_back_where_the_other_end_is_live(m: MemoryClient) -> None:
    a, b, c = (m.add(text).id for text in ("tea", "milk", "sugar"))
    m.link(a, b)
    m.link(b, c)

    m.admin.archive([b])
    alone = m.neighbors(a) + m.neighbors(c)
    m.admin.unarchive([b])
    both = {each.id for each in m.neighbors(b)}
    m.admin.archive([b])
    m.delete(c)
    m.admin.unarchive([b])

    assert alone == []
    assert both == {a, c}
    assert [each.id for each in m.neighbors(b, depth=5)] == [a]


def test_what_came_back_stays_as_long_as_what_was_just_changed(
    m: MemoryClient, clock: FakeClock
) -> None:
    note = m.add("lunch was late", metadata={"temporary": True}).id
    clock.advance(days=IDLE_DAYS)
    m.admin.retention()
    m.admin.unarchive([note])

    assert m.admin.retention().archived == 0


@pytest.mark.capability("AMOS-062")
def test_what_had_expired_comes_back_without_its_expiry(m: MemoryClient, clock: FakeClock) -> None:
    code = m.add("the code is 5521", ttl=timedelta(days=1)).memory
    clock.advance(days=1)
    m.admin.retention()

    m.admin.unarchive([code.id])

    after = m.get(code.id)
    assert after is not None
    assert after.expires_ms is None
    assert m.history(code.id)[-1].before == {"expires_ms": code.expires_ms}
    assert m.search("code").ids == (code.id,)


def test_an_expiry_that_is_still_to_come_stays(m: MemoryClient, clock: FakeClock) -> None:
    code = m.add("the code is 5521", ttl=timedelta(days=9)).memory
    m.admin.archive([code.id])

    m.admin.unarchive([code.id])

    after = m.get(code.id)
    assert after is not None
    assert after.expires_ms == code.expires_ms


def test_one_whose_name_was_given_away_stays_archived_and_the_others_come_back(
    m: MemoryClient, clock: FakeClock
) -> None:
    old = m.add("lunch at one", key="lunch", ttl=timedelta(days=1)).id
    other = m.add("dinner at eight").id
    clock.advance(days=1)
    m.admin.retention(half_lives=0)
    m.admin.archive([other])
    new = m.add("lunch is off", key="lunch").id

    done = m.admin.unarchive([old, other, new])

    assert done.ids == (other,)
    assert "key 'lunch'" in done.left[old]
    assert done.left[new] == "it is not archived"
    assert [memory.expires_ms is None for memory in m.admin.archived()] == [False]


def test_what_was_superseded_comes_back_superseded_and_its_readers_learn_nothing_of_it(
    m: MemoryClient,
) -> None:
    """Zoe sees the old value alone: for her it is active, and nothing has taken its place."""
    old = m.add("the port is 5521", visibility=["agent:zoe"]).id
    new = m.add("the port is 5522", supersedes=[old]).id
    before = m.search("port", requester_agent_id="zoe").ids
    m.admin.archive([old])
    away = m.search("port", requester_agent_id="zoe").ids

    m.admin.unarchive([old])

    assert (before, away) == ((old,), ())
    assert m.search("port").ids == (new,)
    assert m.search("port", requester_agent_id="zoe").ids == (old,)
    told = m.history(old, requester_agent_id="zoe")
    assert [change.before for change in told] == [{"state": "active"}, {"state": "archived"}]


def test_vectors_are_pending_and_said_to_be(clock: FakeClock) -> None:
    with MemoryClient(":memory:", clock=clock, embed=FakeEmbedder([("zib", "wug")])) as m:
        note = m.add("wug at nine").id
        m.admin.archive([note])

        done = m.admin.unarchive([note])

        assert "reembed" in done.pending
        assert m.search("zib").ids == ()
        assert m.admin.reembed().embedded == 1
        assert m.search("zib").ids == (note,)
        assert m.admin.check() == []


def test_archived_memories_survive_new_indexes_and_another_opening(
    clock: FakeClock, tmp_path: Path
) -> None:
    with opened(clock, tmp_path / "m.db") as m:
        note = m.add("the port is 5521").id
        m.admin.archive([note])
        m.rebuild_indexes()
        assert m.search("port").ids == ()
    with opened(clock, tmp_path / "m.db") as m:
        m.admin.unarchive([note])
        found = m.search("port")

        m.rebuild_indexes()

        assert m.search("port") == found
        assert found.ids == (note,)


@pytest.mark.capability("AMOS-062")
def test_archiving_is_awaited_as_well(clock: FakeClock) -> None:
    async def live() -> tuple[object, ...]:
        async with AsyncMemoryClient(":memory:", clock=clock) as m:
            note = (await m.add("lunch")).id
            clock.advance(days=IDLE_DAYS)
            report = await m.admin.retention()
            listed = await m.admin.archived()
            back = await m.admin.unarchive([note])
            again = await m.admin.archive([note])
            return report.ids, tuple(each.id for each in listed), back.ids, again.ids

    assert len(set(asyncio.run(live()))) == 1


# Ranking


@pytest.mark.capability("AMOS-057")
@pytest.mark.parametrize("kind", ["exponential", "linear"])
def test_an_exact_old_note_stays_above_fresh_chatter(clock: FakeClock, kind: str) -> None:
    with opened(clock, decay=kind) as m:
        old = m.add("the staging database password rotates on Mondays").id
        clock.advance(days=3_000)
        m.add_many(
            [
                {
                    "content": f"chatter {number}: staging was slow, the database was busy",
                    "importance": 1.0,
                    "type": "event",
                }
                for number in range(200)
            ]
        )

        hits = m.search("when does the staging database password rotate?", limit=5)

        assert hits.ids[0] == old
        assert hits[0].parts["freshness"] < hits[1].parts["freshness"]


# Bounded


@pytest.mark.capability("AIM-55")
def test_retention_keeps_the_last_changes_of_a_memory_and_reading_drops_none(
    clock: FakeClock,
) -> None:
    with opened(clock, history_per_memory=3) as m:
        note, other = m.add("lunch", importance=0.0).id, m.add("dinner").id
        for number in range(1, 8):
            m.update(note, importance=number / 10)
        m.update(other, importance=0.1)
        assert len(m.history(note)) == 7

        planned, done = m.admin.retention(dry_run=True), m.admin.retention()

        assert planned.trimmed == done.trimmed == {"history": 4}
        assert [change.before["importance"] for change in m.history(note)] == [0.4, 0.5, 0.6]
        assert len(m.history(other)) == 1
        assert m.admin.check() == []


def test_retention_keeps_the_last_changes_of_all(clock: FakeClock) -> None:
    with opened(clock, history_rows=2) as m:
        first, last = m.add("lunch").id, m.add("dinner").id
        for note in (first, first, last):
            m.update(note, importance=0.1 + len(m.history(note)) / 10)

        report = m.admin.retention()

        assert report.trimmed == {"history": 1}
        assert [len(m.history(note)) for note in (first, last)] == [1, 1]


def test_both_bounds_of_the_history_hold_together(clock: FakeClock) -> None:
    with opened(clock, history_per_memory=2, history_rows=3) as m:
        notes = [m.add(text).id for text in ("lunch", "dinner")]
        for number in range(1, 5):
            for note in notes:
                m.update(note, importance=number / 10)

        planned, done = m.admin.retention(dry_run=True), m.admin.retention()

        assert planned.trimmed == done.trimmed == {"history": 5}
        assert sorted(len(m.history(note)) for note in notes) == [1, 2]


def test_retention_keeps_the_last_acts_of_the_audit(clock: FakeClock) -> None:
    with opened(clock, audit_rows=2) as m:
        for team in ("a", "b", "c"):
            m.org.create_team(team)

        assert m.admin.retention().trimmed == {"audit": 1}
        assert [entry.target for entry in m.org.audit()] == ["team:c", "team:b"]


def test_retention_keeps_the_last_first_receipts(clock: FakeClock) -> None:
    with opened(clock, receipt_rows=1) as m:
        first = m.add("lunch was late", idempotency_key="one")
        clock.advance(seconds=1)
        last = m.add("the pump is new", idempotency_key="two")

        assert m.admin.retention().trimmed == {"receipts": 1}

        assert m.add("the pump is new", idempotency_key="two") == last
        assert m.add("lunch was late", idempotency_key="one") != first


def test_retention_drops_nothing_that_a_pipeline_has_still_to_organise(clock: FakeClock) -> None:
    with opened(clock, receipt_rows=1) as m:
        m.capture([("user", "I only drink decaf")], session="s1", subject="user:ada")
        m.layers.distil()
        clock.advance(seconds=1)
        m.add("the pump is new", idempotency_key="one")

        m.admin.retention()

        organised = m.layers.pipeline().run_pending().organised
        assert organised == ("user:ada",)


def test_a_surplus_of_many_steps_is_trimmed_whole(clock: FakeClock) -> None:
    with opened(clock, audit_rows=1) as m:
        with m._parts.store.write() as tx:
            for number in range(4_500):
                tx.record("local", "count", f"{number}", {})

        assert m.admin.retention().trimmed == {"audit": 4_499}
        assert [entry.target for entry in m.org.audit()] == ["4499"]


# Counted


def test_stats_tell_growth_repetition_and_what_nobody_recalled(clock: FakeClock) -> None:
    with memory_client(clock=clock) as m:
        m.add("tea is at nine")
        m.add("tea is at nine", on_duplicate="store", tags=["x"])
        clock.advance(days=31)
        recalled = m.add("the pump is new").id
        shelved = m.add("lunch was late").id
        m.record_recall([recalled])
        m.admin.archive([shelved])

        stats = m.admin.stats()

        assert stats.by_month == {"2026-01": 2, "2026-02": 2}
        assert stats.by_state == {"active": 3, "archived": 1}
        assert stats.duplicate_share == pytest.approx(1 / 3, abs=1e-4)
        assert stats.never_recalled_share == pytest.approx(2 / 3, abs=1e-4)


def test_stats_of_nothing_are_nothing(m: MemoryClient) -> None:
    stats = m.admin.stats()

    assert (stats.by_month, stats.duplicate_share, stats.never_recalled_share) == ({}, 0.0, 0.0)


def test_growth_is_told_of_the_last_two_years(m: MemoryClient, clock: FakeClock) -> None:
    for month in range(30):
        m.add(f"note {month}")
        clock.advance(days=31)

    by_month = m.admin.stats().by_month

    assert len(by_month) == 24
    assert list(by_month) == sorted(by_month)


@pytest.mark.capability("AMOS-016")
def test_stats_of_a_reader_are_of_what_it_sees(m: MemoryClient, clock: FakeClock) -> None:
    m.add("tea is at nine", visibility=EVERYBODY, owner="neo")
    with m._parts.store.read() as snapshot:
        before = snapshot.stats(Visibility("zoe", clock.now_ms()))
    hidden = m.add("tea is at nine", owner="neo", type="secret").id
    m.add("gone tea", owner="zoe", ttl=timedelta(seconds=1))
    m.record_recall([hidden], requester_agent_id="neo")
    clock.advance(seconds=1)

    with m._parts.store.read() as snapshot:
        assert snapshot.stats(Visibility("zoe", clock.now_ms())) == before


def test_a_day_of_the_settings_is_a_day() -> None:
    assert timedelta(milliseconds=DAY_MS) == timedelta(days=1)
