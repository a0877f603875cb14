"""Reinforcement: what is recalled together is linked, and what is popular is not what is true."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as law
from hypothesis import strategies as st

from agent_memory_os import AgentMemory, Memory, MemoryClient, NotFound, Settings
from agent_memory_os.store.contract import CoRecalled
from agent_memory_os.testing import FakeClock, memory_client

SETTINGS = Settings()
FIRST, KEPT = SETTINGS.co_recall_first, SETTINGS.co_recall_kept
RATE, CEILING = SETTINGS.co_recall_rate, SETTINGS.co_recall_ceiling
FLOOR, STEP = SETTINGS.doubt_floor, SETTINGS.doubt_step
SHOWN = ["global"]
MORE = 0.11  # that a memory may gain in relevance by being recalled, over another


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that stands still."""
    return FakeClock()


@pytest.fixture
def m(clock: FakeClock) -> Iterator[MemoryClient]:
    """Yield a memory in RAM, sound when the test ends."""
    with memory_client(clock=clock) as client:
        yield client
        assert client.admin.check() == []


def added(m: MemoryClient, *contents: str, **fields: object) -> list[str]:
    return [m.add(content, **fields).id for content in contents]


def read(m: MemoryClient, memory_id: str, agent: str | None = None) -> Memory:
    found = m.get(memory_id, requester_agent_id=agent)
    assert found is not None
    return found


def weights(m: MemoryClient | AgentMemory, memory_id: str, **asked: str) -> dict[str, float]:
    """Return the weights of the links that recalling made, by the memory at the other end."""
    found = m.neighbors(memory_id, relations=["co_recalled"], limit=1_000, **asked)
    return {each.id: each.weight for each in found}


def links(m: MemoryClient) -> int:
    with m._parts.store.read() as snapshot:
        (n,) = snapshot._line.db.execute("SELECT count(*) FROM links").fetchone()
    return int(n)


# Growing


@pytest.mark.capability("AMOS-047")
def test_memories_that_are_recalled_together_are_linked_more_with_each_time(
    m: MemoryClient,
) -> None:
    a, b, c = added(m, "tea", "milk", "sugar")

    m.record_recall([b, a])
    once = weights(m, a)
    m.record_recall([a, b])
    twice = weights(m, a)
    for _ in range(20):
        m.record_recall([a, b])

    assert (once, twice) == ({b: RATE}, {b: 0.36})
    assert (weights(m, a), weights(m, b)) == ({b: CEILING}, {a: CEILING})
    assert weights(m, c) == {}


@pytest.mark.capability("AMOS-047")
def test_a_memory_without_a_word_of_the_query_comes_with_what_it_was_recalled_with(
    m: MemoryClient,
) -> None:
    failed, rule = added(m, "the deploy of staging failed", "snapshot before schema changes")
    assert m.search("staging deploy").ids == (failed,)

    m.record_recall([failed, rule])

    hits = m.search("staging deploy")
    assert hits.ids == (failed, rule)
    assert hits[1].score < 0.5 * SETTINGS.co_recall_reach


@pytest.mark.capability("AMOS-047")
@pytest.mark.parametrize("verb", ["search", "context_pack", "orchestrate_context"])
def test_a_recall_that_asks_for_it_links_what_it_returns(m: MemoryClient, verb: str) -> None:
    a, b = added(m, "green tea in the cupboard", "black tea in the cupboard")

    getattr(m, verb)("tea cupboard")
    assert weights(m, a) == {}
    getattr(m, verb)("tea cupboard", auto_reinforce=True)

    assert weights(m, a) == {b: RATE}


@pytest.mark.capability("AMOS-047")
def test_only_the_first_of_a_recall_are_linked_and_all_are_counted(m: MemoryClient) -> None:
    ids = added(m, *(f"note {number}" for number in range(FIRST + 3)))

    m.record_recall(ids)

    assert links(m) == FIRST * (FIRST - 1) // 2
    assert weights(m, ids[FIRST]) == {}
    assert {read(m, each).helped for each in ids} == {1}


def test_what_somebody_linked_stays_as_it_was(m: MemoryClient) -> None:
    a, b = added(m, "tea", "milk")
    m.link(a, b, relation="next", weight=0.9)

    m.record_recall([a, b])
    m.record_recall([a, b], helpful=False)

    assert [each.weight for each in m.neighbors(a, relations=["next"])] == [0.9]


# Weakening


@pytest.mark.capability("AMOS-048")
def test_what_did_not_help_weakens_the_links_and_makes_none(m: MemoryClient) -> None:
    a, b, c = added(m, "tea", "milk", "sugar")
    m.record_recall([a, b])

    m.record_recall([a, b, c], helpful=False)

    assert weights(m, a) == {b: pytest.approx(RATE * (1 - RATE))}
    assert weights(m, c) == {}
    assert links(m) == 1


@pytest.mark.capability("AMOS-048")
def test_what_never_helps_is_linked_no_more_and_can_be_again(m: MemoryClient) -> None:
    a, b = added(m, "tea", "milk")
    m.record_recall([a, b])
    for _ in range(20):
        m.record_recall([a, b], helpful=False)
    assert weights(m, a) == {}

    m.record_recall([a, b])

    assert weights(m, a) == {b: RATE}


def test_nobody_weakens_the_link_of_another(m: MemoryClient) -> None:
    a, b = added(m, "tea", "milk", visibility=SHOWN)
    m.record_recall([a, b], requester_agent_id="ada")

    m.record_recall([a, b], requester_agent_id="neo", helpful=False)

    assert weights(m, a, requester_agent_id="neo") == {b: RATE}


@pytest.mark.capability("AMOS-048")
def test_the_owners_word_lowers_confidence_by_steps_down_to_a_floor(m: MemoryClient) -> None:
    tea = m.add("tea", owner="ada", visibility=SHOWN).id

    m.record_recall([tea], requester_agent_id="ada", helpful=False)
    assert read(m, tea).confidence == 1 - STEP
    for _ in range(20):
        m.record_recall([tea], requester_agent_id="ada", helpful=False)

    assert read(m, tea).confidence == FLOOR
    history = m.history(tea, requester_agent_id="ada")
    assert [(each.kind, each.by) for each in history] == [("doubt", "ada")] * 8
    assert history[0].before == {"confidence": 1.0}
    assert history[-1].version == read(m, tea).version


@pytest.mark.capability("AMOS-048")
def test_what_is_below_the_floor_already_stays(m: MemoryClient) -> None:
    tea = m.add("tea", confidence=FLOOR / 2).id

    m.record_recall([tea], helpful=False)

    assert read(m, tea).confidence == FLOOR / 2
    assert m.history(tea) == []


@pytest.mark.capability("AMOS-048")
def test_doubt_makes_nothing_fresher_and_never_raises_a_score(
    m: MemoryClient, clock: FakeClock
) -> None:
    tea = m.add("the tea is in the cupboard").id
    clock.advance(days=300)

    scores, moments = [], []
    for _ in range(12):
        scores.append(m.search("tea cupboard")[0].score)
        moments.append(read(m, tea).updated_ms)
        m.record_recall([tea], helpful=False)

    assert scores == sorted(scores, reverse=True)
    assert scores[0] > scores[-1]
    assert len({*moments}) == 1


def test_a_doubted_memory_has_another_version(m: MemoryClient) -> None:
    before = m.add("tea").memory

    m.record_recall([before.id], helpful=False)
    after = read(m, before.id)
    m.update(before.id, content="green tea", if_version=after.version)

    assert after.version > before.version
    assert read(m, before.id).version > after.version


# Fading


@pytest.mark.capability("AMOS-038")
def test_links_that_recalling_made_fade_when_they_are_not_used(
    m: MemoryClient, clock: FakeClock
) -> None:
    a, b = added(m, "tea", "milk")
    m.record_recall([a, b])

    clock.advance(days=60)
    assert weights(m, a) == {b: RATE / 2}
    m.record_recall([a, b])
    assert weights(m, a) == {b: pytest.approx(0.28)}
    clock.advance(days=600)

    assert weights(m, a) == {}


@pytest.mark.capability("AMOS-038")
def test_what_somebody_linked_holds_until_it_is_taken_back(
    m: MemoryClient, clock: FakeClock
) -> None:
    a, b = added(m, "tea", "milk")
    m.link(a, b, weight=0.5)

    clock.advance(days=3_650)

    assert [each.weight for each in m.neighbors(a)] == [0.5]


@pytest.mark.capability("AMOS-038")
def test_links_that_somebody_made_fade_where_the_host_says_so(clock: FakeClock) -> None:
    faded = Settings(link_half_life_days=30, co_recall_half_life_days=None)
    with MemoryClient(":memory:", clock=clock, settings=faded) as m:
        a, b, c = added(m, "the tea", "milk", "sugar")
        m.link(a, b)
        m.record_recall([a, c])

        clock.advance(days=30)

        assert {each.id: each.weight for each in m.neighbors(a)} == {b: 0.5, c: RATE}
        relevance = {hit.id: hit.parts["relevance"] for hit in m.search("tea")}
        assert relevance[b] == pytest.approx(0.5 * 0.5 * 0.5 * relevance[a], abs=1e-3)


def test_reading_writes_nothing_of_what_has_faded(m: MemoryClient, clock: FakeClock) -> None:
    a, b = added(m, "the tea", "milk")
    m.record_recall([a, b])
    stored = "SELECT weight, version FROM links"

    def kept() -> list[tuple[object, ...]]:
        with m._parts.store.read() as snapshot:
            return snapshot._line.db.execute(stored).fetchall()

    before = kept()
    clock.advance(days=100)
    m.search("tea")
    m.neighbors(a)

    assert kept() == before


def test_a_clock_that_goes_back_fades_and_strengthens_nothing(
    m: MemoryClient, clock: FakeClock
) -> None:
    a, b = added(m, "tea", "milk")
    m.record_recall([a, b])

    clock.advance(days=-100)

    assert weights(m, a) == {b: RATE}
    m.record_recall([a, b])
    assert weights(m, a) == {b: 0.36}


# Bounds


@pytest.mark.capability("AMOS-047")
def test_to_one_memory_lead_as_many_links_as_are_kept_and_the_weakest_go(
    m: MemoryClient,
) -> None:
    others = added(m, *(f"note {number}" for number in range(3 * KEPT)))
    (newest,) = added(m, "tea")
    for other in others[:5]:
        m.record_recall([other, newest])
        m.record_recall([other, newest])

    for other in others:
        m.record_recall([other, newest])

    assert links(m) == KEPT
    assert {*others[:5]} <= weights(m, newest).keys()
    assert len(weights(m, newest)) == KEPT


@pytest.mark.capability("AMOS-047")
def test_years_of_recalling_leave_a_bounded_number_of_links(
    m: MemoryClient, clock: FakeClock
) -> None:
    ids = added(m, *(f"note {number}" for number in range(120)))

    for number in range(600):
        clock.advance(days=2)
        m.record_recall([ids[(number * step) % len(ids)] for step in range(1, FIRST + 1)])

    assert links(m) <= KEPT * len(ids)


def test_what_others_recall_takes_none_of_ones_own_links(m: MemoryClient) -> None:
    others = added(m, *(f"note {number}" for number in range(2 * KEPT)), visibility=SHOWN)
    (newest,) = added(m, "tea", visibility=SHOWN)
    m.record_recall([others[0], newest], requester_agent_id="neo")

    for other in others[1:]:
        m.record_recall([other, newest], requester_agent_id="ada")
        m.record_recall([other, newest], requester_agent_id="ada")

    assert others[0] in weights(m, newest, requester_agent_id="neo")


@pytest.mark.capability("AMOS-047")
def test_a_recall_takes_the_same_number_of_statements_however_many_memories_there_are(
    m: MemoryClient,
) -> None:
    ids = added(m, *(f"note {number}" for number in range(300)))

    def statements(wanted: Sequence[str]) -> int:
        ran: list[str] = []
        with m._parts.store.write() as tx:
            db = tx._pen.db  # the one connection of a store in RAM
        db.set_trace_callback(ran.append)
        m.record_recall(wanted)
        db.set_trace_callback(None)
        return len(ran)

    first = statements(ids[:FIRST])
    m.record_recall(ids)

    assert statements(ids[-FIRST:]) <= first
    assert statements(ids) <= first


# The gate


@pytest.mark.capability("AMOS-016", "AMOS-039")
def test_a_link_is_there_for_those_who_see_both_ends_alone(m: MemoryClient) -> None:
    (shown,) = added(m, "shown", owner="ada", visibility=SHOWN)
    (mine,) = added(m, "mine", owner="ada")

    m.record_recall([shown, mine], requester_agent_id="ada")

    assert weights(m, shown, requester_agent_id="ada") == {mine: RATE}
    assert weights(m, shown, requester_agent_id="neo") == {}


@pytest.mark.capability("AMOS-016")
def test_nothing_is_linked_when_one_of_them_is_not_visible(m: MemoryClient) -> None:
    shown = added(m, "tea", "milk", owner="ada", visibility=SHOWN)
    hidden = added(m, "sugar", owner="ada")

    with pytest.raises(NotFound):
        m.record_recall(shown + hidden, requester_agent_id="neo")

    assert links(m) == 0


@pytest.mark.capability("AMOS-016", "AMOS-039")
def test_what_one_recalls_in_private_moves_no_answer_of_others(m: MemoryClient) -> None:
    seen = added(m, "the tea is green", "the milk is cold", owner="ada", visibility=SHOWN)
    m.record_recall(seen, requester_agent_id="neo")
    private = added(m, *(f"private {number}" for number in range(2 * KEPT)), owner="ada")
    before = m.search("tea", requester_agent_id="neo"), weights(m, seen[0])

    with m._parts.store.write() as tx:
        for other in private:
            pairs = [(min(end, other), max(end, other)) for end in seen]
            tx.recall_together(pairs, by="ada", helped=True)

    assert (m.search("tea", requester_agent_id="neo"), weights(m, seen[0])) == before


@pytest.mark.capability("MEMU-73")
def test_a_bound_view_links_nothing_but_what_is_about_its_subject(m: MemoryClient) -> None:
    one, other = added(m, "rule one", "rule two", owner="bot")
    (alice,) = added(m, "Alice likes tea", owner="bot", subject="user:alice")
    view = m.as_agent("bot", subject="user:alice", shared=True)

    view.record_recall([one, other, alice])

    assert weights(m, one, requester_agent_id="bot") == {alice: RATE}
    assert weights(view, alice) == {one: RATE, other: RATE}
    assert [read(m, each, "bot").helped for each in (one, other, alice)] == [1, 1, 1]


@pytest.mark.capability("MEMU-73")
def test_a_bound_view_weakens_and_doubts_nothing_but_what_is_about_its_subject(
    m: MemoryClient,
) -> None:
    one, other = added(m, "rule one", "rule two", owner="bot")
    (alice,) = added(m, "Alice likes tea", owner="bot", subject="user:alice")
    m.record_recall([one, other, alice], requester_agent_id="bot")
    view = m.as_agent("bot", subject="user:alice", shared=True)

    view.record_recall([one, other, alice], helpful=False)

    assert weights(m, one, requester_agent_id="bot") == {
        other: RATE,
        alice: pytest.approx(RATE * (1 - RATE)),
    }
    assert [read(m, each, "bot").confidence for each in (one, other, alice)] == [1, 1, 1 - STEP]


@pytest.mark.capability("MEMU-73")
def test_what_other_users_recall_costs_a_user_no_link_with_what_is_shared(
    m: MemoryClient,
) -> None:
    """The rule is the newest: its links count for what they lead to, which is about somebody."""
    (alice,) = added(m, "Alice likes tea", owner="bot", subject="user:alice")
    bobs = added(
        m, *(f"Bob has item {n}" for n in range(2 * KEPT)), owner="bot", subject="user:bob"
    )
    (rule,) = added(m, "tea is at five", owner="bot")
    m.as_agent("bot", subject="user:alice", shared=True).record_recall([alice, rule])

    bob = m.as_agent("bot", subject="user:bob", shared=True)
    for each in bobs:
        bob.record_recall([each, rule])
        bob.record_recall([each, rule])

    view = m.as_agent("bot", subject="user:alice", shared=True)
    assert weights(view, alice) == {rule: RATE}
    assert weights(view, rule) == {alice: RATE}


def test_a_model_that_says_so_lowers_no_confidence(m: MemoryClient) -> None:
    tea = m.add("tea", owner="neo", visibility=SHOWN).id
    arguments = {"ids": [tea], "helpful": False}

    m.as_agent("neo").call_tool("memory_recall_feedback", arguments, raise_errors=True)

    after = read(m, tea)
    assert (after.confidence, after.recalls, after.helped) == (1, 1, 0)


def test_a_link_that_recalling_made_can_be_taken_back_by_whose_it_is(m: MemoryClient) -> None:
    a, b = added(m, "tea", "milk")
    m.record_recall([b, a])

    assert m.unlink(a, b, relation="co_recalled") == 1

    assert weights(m, a) == {}


def test_links_survive_a_rebuild_and_a_second_opening(tmp_path: Path, clock: FakeClock) -> None:
    with MemoryClient(tmp_path / "m.db", clock=clock) as m:
        a, b = added(m, "tea", "milk")
        m.record_recall([a, b])
        m.rebuild_indexes()
    with MemoryClient(tmp_path / "m.db", clock=clock) as m:
        assert weights(m, a) == {b: RATE}
        m.forget(b)
        assert links(m) == 0
        assert m.admin.check() == []


# Popularity is not truth


class World(NamedTuple):
    """How much of the query two memories say, and to whom which of five were of help."""

    likeness: tuple[int, int]
    recalls: list[tuple[str, set[int]]]


RECALLS = st.tuples(st.sampled_from(["ada", "neo"]), st.sets(st.integers(0, 4), min_size=1))
LIKENESS = st.tuples(st.integers(0, 5), st.integers(0, 5))
WORLDS = st.builds(World, LIKENESS, st.lists(RECALLS, max_size=30))
WORDS = ["staging", "deploy", "port", "gateway", "lock"]
LAW = law(max_examples=40, suppress_health_check=[HealthCheck.too_slow], deadline=None)


@pytest.mark.capability("AMOS-047")
@given(WORLDS)
@LAW
def test_no_help_moves_confidence_nor_anything_past_what_is_much_more_relevant(
    world: World,
) -> None:
    with memory_client() as m:
        contents = [" ".join(["note", *WORDS[:count]]) for count in world.likeness]
        contents += ["staging deploy", "gateway lock", "green tea"]
        fields = {"owner": "ada", "visibility": SHOWN, "confidence": 0.7}
        ids = [m.add(text, on_duplicate="store", **fields).id for text in contents]
        query = " ".join(WORDS)
        before = {hit.id: hit.parts["relevance"] for hit in m.search(query, limit=10)}

        for agent, recalled in world.recalls:
            m.record_recall([ids[each] for each in recalled], requester_agent_id=agent)

        places = {hit.id: place for place, hit in enumerate(m.search(query, limit=10))}
        for one, other in combinations(before, 2):
            if abs(before[one] - before[other]) > MORE:
                better, worse = sorted((one, other), key=lambda each: -before[each])
                assert places[better] < places[worse]
        for each in ids:
            assert each in places or each not in before
            assert read(m, each).confidence == 0.7
            assert m.history(each, requester_agent_id="ada") == []


@pytest.mark.capability("AMOS-047")
def test_a_crowd_that_recalls_together_brings_in_no_more_than_its_share(m: MemoryClient) -> None:
    (popular,) = added(m, "green tea", visibility=SHOWN)
    matching = added(m, *(f"the staging deploy {n}" for n in range(40)), visibility=SHOWN)
    before = m.search("staging deploy", limit=50)

    for agent in ("ada", "neo", "zoe"):
        for other in matching * 5:
            m.record_recall([other, popular], requester_agent_id=agent)

    after = {hit.id: hit for hit in m.search("staging deploy", limit=50)}
    assert after[popular].parts["relevance"] <= 0.5 * SETTINGS.co_recall_reach
    for hit in before:
        assert after[hit.id].parts["relevance"] >= hit.parts["relevance"]


@pytest.mark.capability("AMOS-047")
def test_what_is_recalled_takes_no_place_of_what_was_linked(m: MemoryClient) -> None:
    """Neither among the links that are looked at, nor a share of what is passed on."""
    seed, linked, *others = added(m, "staging", "linked", *(f"note {n}" for n in range(100)))
    m.link(seed, linked, weight=0.3)
    before = {hit.id: hit.parts["relevance"] for hit in m.search("staging")}

    for agent in ("ada", "neo", "local"):
        with m._parts.store.write() as tx:
            for _ in range(9):
                tx.recall_together([(seed, each) for each in others], by=agent, helped=True)

    after = {hit.id: hit.parts["relevance"] for hit in m.search("staging", limit=200)}
    assert after[seed] >= before[seed]
    assert after[linked] >= before[linked] > 0


# Clusters


def co_recalled(
    m: MemoryClient, least: float = 0.1, after: str = "", most: int = 100
) -> CoRecalled:
    with m._parts.store.read() as snapshot:
        now_ms = m._parts.clock.now_ms()
        return snapshot.co_recalled(now_ms=now_ms, least=least, after=after, most=most)


def test_pairs_that_are_recalled_together_are_told_with_what_is_left_of_their_links(
    m: MemoryClient, clock: FakeClock
) -> None:
    a, b, c = added(m, "tea", "milk", "sugar", visibility=SHOWN)
    m.record_recall([a, b, c])
    clock.advance(days=60)
    m.record_recall([a, b], requester_agent_id="neo")

    assert co_recalled(m).pairs == [(a, b, RATE), (a, c, RATE / 2), (b, c, RATE / 2)]
    assert co_recalled(m, least=0.15).pairs == [(a, b, RATE)]


def test_a_pair_of_two_owners_audiences_or_subjects_is_in_no_cluster(m: MemoryClient) -> None:
    (mine,) = added(m, "mine", owner="neo", visibility=SHOWN)
    (private,) = added(m, "private", owner="neo")
    (theirs,) = added(m, "theirs", owner="ada", visibility=SHOWN)
    (about,) = added(m, "about", owner="neo", visibility=SHOWN, subject="user:alice")

    m.record_recall([mine, private, theirs, about], requester_agent_id="neo")

    assert links(m) == 6
    assert co_recalled(m).pairs == []


def test_what_has_left_recall_is_in_no_cluster(m: MemoryClient, clock: FakeClock) -> None:
    kept, gone, ended, archived = (
        m.add(text, ttl=ttl).id
        for text, ttl in (("a", None), ("b", None), ("c", timedelta(days=1)), ("d", None))
    )
    m.record_recall([kept, gone, ended, archived])
    m.delete(gone)
    m.admin.archive([archived])
    clock.advance(days=1)

    assert co_recalled(m).pairs == []


def test_pages_of_clusters_are_together_the_whole(m: MemoryClient) -> None:
    ids = added(m, *(f"note {number}" for number in range(7)))
    m.record_recall(ids)

    found, after, pages = [], "", 0
    while after is not None:
        page = co_recalled(m, after=after, most=3)
        found += page.pairs
        after = page.after
        pages += 1

    assert sorted(found) == list(co_recalled(m).pairs)
    assert (len(found), pages) == (21, 3)
