"""The arm of associations: what is found through links, and what can have no say in it."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_memory_os import MemoryClient, Settings
from agent_memory_os.model import NO_FILTERS, Candidate, Filters, Visibility
from agent_memory_os.providers.protocol import Search
from agent_memory_os.providers.resonance import Resonance
from agent_memory_os.pure.text import analyse_query
from agent_memory_os.store.contract import Snapshot
from agent_memory_os.testing import DEFAULT_START_MS, memory_client

SHOWN = ["global"]
ARM = Resonance(Settings())
FAN, LOOKED_AT = Settings().resonance_fan, Settings().resonance_looked_at


@pytest.fixture
def m() -> Iterator[MemoryClient]:
    """Yield a memory in RAM, sound when the test ends."""
    with memory_client() as client:
        yield client
        assert client.admin.check() == []


def search_of(query: str, agent: str = "neo", filters: Filters = NO_FILTERS) -> Search:
    visibility = Visibility(agent, DEFAULT_START_MS)
    return Search(analyse_query(query), visibility, filters, 100)


def candidates(m: MemoryClient, query: str, **asked: Any) -> dict[str, float]:
    """Return what the arm finds when it is asked alone."""
    with m._parts.store.read() as snapshot:
        return dict(ARM.candidates(search_of(query, **asked), snapshot))


def spread(m: MemoryClient, *seeds: str, **asked: Any) -> dict[str, float]:
    """Return what *seeds* of activation 1 activate."""
    with m._parts.store.read() as snapshot:
        wanted = [Candidate(seed, 1.0) for seed in seeds]
        return dict(ARM.spread(wanted, search_of("any", **asked), snapshot))


def chain(m: MemoryClient, *contents: str) -> list[str]:
    """Return new memories of neo's, each linked to the next."""
    ids = [m.add(each, owner="neo").id for each in contents]
    for one, other in pairwise(ids):
        m.link(one, other, requester_agent_id="neo")
    return ids


@pytest.mark.capability("AMOS-034", "AMOS-045")
def test_a_memory_that_shares_no_word_with_the_query_is_found_through_its_link(
    m: MemoryClient,
) -> None:
    seed, linked = chain(m, "the deploy of staging failed", "snapshot before schema changes")
    m.add("lunch is at noon", owner="neo")

    found = candidates(m, "why did staging fail?")

    assert list(found) == [seed, linked]
    assert 0 < found[linked] < found[seed] <= 1


@pytest.mark.capability("AMOS-045")
def test_activation_goes_two_hops_and_no_further(m: MemoryClient) -> None:
    seed, one, two, three = chain(m, "staging", "first", "second", "third")

    found = spread(m, seed)

    assert list(found) == [one, two]
    assert three not in found
    # By degree: the seed has one neighbour, the first two.
    assert found[one] == pytest.approx(0.5)
    assert found[two] == pytest.approx(0.5 * 0.5 / 2**0.5)


@pytest.mark.capability("AMOS-039", "AMOS-046", "AMOS-016")
def test_an_invisible_memory_is_never_walked_through(m: MemoryClient) -> None:
    seed = m.add("staging", owner="neo", visibility=SHOWN).id
    hidden = m.add("between", owner="ada").id
    far = m.add("far away", owner="ada", visibility=SHOWN).id
    m.link(seed, hidden, requester_agent_id="ada")
    m.link(hidden, far, requester_agent_id="ada")

    assert candidates(m, "staging", agent="ada").keys() == {seed, hidden, far}
    assert candidates(m, "staging").keys() == {seed}
    assert spread(m, seed) == {}


@pytest.mark.capability("AMOS-046")
def test_an_invisible_seed_activates_nothing(m: MemoryClient) -> None:
    hidden = m.add("staging", owner="ada").id
    shown = m.add("shown", owner="ada", visibility=SHOWN).id
    m.link(hidden, shown, requester_agent_id="ada")

    assert spread(m, hidden) == {}
    assert spread(m, "no such id") == {}
    assert spread(m) == {}


def test_a_bound_view_walks_over_its_own_subject(m: MemoryClient) -> None:
    seed, other = (
        m.add(f"{who} likes tea", owner="bot", subject=f"user:{who}").id for who in ("ada", "bob")
    )
    shared = m.add("tea is at five", owner="bot").id
    m.link(seed, other, requester_agent_id="bot")
    m.link(other, shared, requester_agent_id="bot")
    bound = Visibility("bot", DEFAULT_START_MS, subject="user:ada", shared=True)

    with m._parts.store.read() as snapshot:
        search = Search(analyse_query("tea"), bound, NO_FILTERS, 100)
        assert ARM.spread([Candidate(seed, 1.0)], search, snapshot) == []


def test_what_is_linked_from_two_seeds_is_more_active_than_from_one(m: MemoryClient) -> None:
    a, b, both, one = (m.add(each, owner="neo").id for each in ("a", "b", "both", "one"))
    for source, target in ((a, both), (b, both), (a, one)):
        m.link(source, target, requester_agent_id="neo")

    found = spread(m, a, b)

    assert found[both] > found[one]


def test_a_heavier_link_carries_more(m: MemoryClient) -> None:
    a, heavy, light = (m.add(each, owner="neo").id for each in ("a", "heavy", "light"))
    m.link(a, light, weight=0.2, requester_agent_id="neo")
    m.link(a, heavy, weight=0.8, requester_agent_id="neo")

    found = spread(m, a)

    assert found[heavy] == pytest.approx(4 * found[light])


def test_seeds_that_are_linked_support_each_other_and_hear_no_echo(m: MemoryClient) -> None:
    a, b = chain(m, "a", "b")
    c, d = chain(m, "c", "d")

    assert spread(m, a, b).keys() == {a, b}
    assert spread(m, c).keys() == {d}


def test_many_links_of_one_pair_are_one_neighbour(m: MemoryClient) -> None:
    a, b, c = (m.add(each, owner="neo", visibility=SHOWN).id for each in "abc")
    m.link(a, c, weight=0.5, requester_agent_id="neo")
    before = spread(m, a)[c]

    for number in range(2 * FAN):
        m.link(a, b, weight=0.9, requester_agent_id=f"agent{number}")

    assert spread(m, a) == {b: pytest.approx(0.45 / 2**0.5), c: pytest.approx(before / 2**0.5)}


def test_filters_narrow_what_is_returned_and_not_what_is_walked(m: MemoryClient) -> None:
    seed, _, far = chain(m, "seed", "between", "far")
    m.update(far, requester_agent_id="neo", tags=["wanted"])

    found = spread(m, seed, filters=Filters(tags=("wanted",)))

    assert found == {far: spread(m, seed)[far]}


@pytest.mark.capability("AMOS-037")
def test_any_provider_can_give_the_seeds(m: MemoryClient) -> None:
    seed, linked = chain(m, "staging", "snapshot")

    class Hostile:
        name = "hostile"

        def candidates(self, search: Search, snapshot: Snapshot) -> Sequence[Candidate]:
            return [Candidate("no such id", 1.0), Candidate(seed, 0.5)]

    with m._parts.store.read() as snapshot:
        found = dict(Resonance(Settings(), Hostile()).candidates(search_of("any"), snapshot))

    assert found[seed] == 0.5
    assert found[linked] == pytest.approx(0.25)


# Hubs


def work_of(m: MemoryClient, act: Callable[[Snapshot], object]) -> tuple[int, int]:
    """Return how many statements *act* ran, and how many thousand steps SQLite took for them."""
    statements: list[str] = []
    thousands = [0]

    def count() -> int:
        thousands[0] += 1
        return 0

    with m._parts.store.read() as snapshot:
        act(snapshot)  # names are known then
        db = snapshot._line.db
        db.set_trace_callback(statements.append)
        db.set_progress_handler(count, 1_000)
        try:
            act(snapshot)
        finally:
            db.set_trace_callback(None)
            db.set_progress_handler(None, 0)
    return len(statements), thousands[0]


def hub(m: MemoryClient, links: int, *, visible: bool) -> str:
    """Return a memory with so many links, a hundred to each of the others."""
    m.add("known", owner="neo")
    centre = m.add("the hub", owner="ada", visibility=SHOWN).id
    others = m.add_many(
        [
            {"content": f"spoke {n}", "visibility": SHOWN if visible else []}
            for n in range(links // 100)
        ],
        owner="ada",
    )
    with m._parts.store.write() as tx:
        numbers = {uid: row for row, uid in tx._pen.db.execute("SELECT id, uid FROM memories")}
        for relation in range(100):
            tx._pen.db.execute("INSERT INTO relations(name) VALUES (?)", (f"r{relation}",))
        tx._pen.db.executemany(
            "INSERT INTO links SELECT ?, ?, ?, owner, ?, 0, 1, NULL FROM memories WHERE id = 2",
            (
                (numbers[centre], numbers[other.id], relation, 1 - relation / 200)
                for other in others
                for relation in range(1, 101)
            ),
        )
    return centre


@pytest.mark.capability("AMOS-045")
@pytest.mark.parametrize("visible", [True, False])
def test_a_hub_with_100000_links_costs_no_more_than_its_heaviest(
    m: MemoryClient, visible: bool
) -> None:
    """Rows are what is counted: each link looked at takes some 45 steps of SQLite."""
    centre = hub(m, 100_000, visible=visible)

    statements, thousands = work_of(
        m, lambda snapshot: ARM.spread([Candidate(centre, 1.0)], search_of("any"), snapshot)
    )

    assert statements <= 4
    assert thousands <= 50 * (LOOKED_AT + Settings().co_recall_looked_at) / 1_000
    assert len(spread(m, centre)) == (FAN if visible else 0)


@pytest.mark.parametrize(
    ("subject", "shared", "reached"),
    [
        (None, False, ["own", "given to all", "of a team", "about alice", "about bob"]),
        ("user:alice", False, ["about alice"]),
        ("user:alice", True, ["own", "given to all", "of a team", "about alice"]),
    ],
)
def test_who_sees_little_of_a_hub_reaches_all_of_that(
    m: MemoryClient, subject: str | None, shared: bool, reached: list[str]
) -> None:
    m.org.create_team("apollo")
    m.org.add_team_member("apollo", "neo")
    m.org.add_team_member("apollo", "ada")
    about = "user:alice" if subject is not None else None
    centre = m.add("the hub", owner="ada", visibility=SHOWN, subject=about).id
    m.add("known", owner="neo", subject=about)
    seen = [
        m.add("own", owner="neo"),
        m.add("given to all", owner="ada", visibility=SHOWN),
        m.add("of a team", owner="ada", visibility=["team:apollo"]),
        m.add("about alice", owner="neo", subject="user:alice"),
        m.add("about bob", owner="neo", subject="user:bob"),
    ]
    hidden = m.add_many({"content": f"spoke {n}", "owner": "ada"} for n in range(4 * FAN))
    for receipts, weight in ((hidden, 0.9), (seen, 0.5)):
        for receipt in receipts:
            owner = receipt.memory.owner
            m.link(centre, receipt.id, weight=weight, requester_agent_id=owner)
    visibility = Visibility("neo", DEFAULT_START_MS, subject=subject, shared=shared)

    with m._parts.store.read() as snapshot:
        fan = snapshot.fans([centre], visibility, most=FAN, looked_at=LOOKED_AT)

    assert {m.get(each, requester_agent_id="neo").content for each in fan[centre]} == {*reached}


def test_the_heaviest_links_of_a_hub_are_kept_and_of_equal_ones_the_newest(
    m: MemoryClient,
) -> None:
    centre, *others = (m.add(f"spoke {n}", owner="neo").id for n in range(2 * FAN + 1))
    for number, other in enumerate(others):
        ends = (centre, other) if number % 2 else (other, centre)
        weight = 0.9 if number < FAN // 2 else 0.5
        m.link(*ends, weight=weight, requester_agent_id="neo")

    kept = spread(m, centre).keys()

    assert kept == {*others[: FAN // 2], *others[-FAN // 2 :]}


def test_fifty_seeds_take_three_statements(m: MemoryClient) -> None:
    seeds = [chain(m, f"seed {n}", f"one {n}", f"two {n}")[0] for n in range(60)]
    wanted = [Candidate(seed, 1.0) for seed in seeds]

    statements, _ = work_of(m, lambda snapshot: ARM.spread(wanted, search_of("any"), snapshot))

    assert statements <= 3


# The law

LAW = settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
PLACES = st.integers(0, 9)
EDGES = st.lists(
    st.tuples(PLACES, PLACES, st.sampled_from([0.2, 0.5, 1.0]), st.sampled_from(["next", "x"])),
    max_size=25,
)


@pytest.mark.capability("AMOS-016", "AMOS-039", "AMOS-046")
@given(hidden=st.sets(PLACES, max_size=5), edges=EDGES, seeds=st.sets(PLACES, max_size=4))
@LAW
def test_invisible_memories_and_their_links_change_no_activation(
    hidden: set[int], edges: list[tuple[int, int, float, str]], seeds: set[int]
) -> None:
    def activation(*, with_hidden: bool) -> dict[int, float]:
        with memory_client() as m:
            ids: dict[int, str] = {}
            for place in range(10):
                if with_hidden or place not in hidden:
                    rights = [] if place in hidden else SHOWN
                    ids[place] = m.add(f"memory {place}", owner="ada", visibility=rights).id
            for source, target, weight, relation in edges:
                if source != target and source in ids and target in ids:
                    m.link(
                        ids[source],
                        ids[target],
                        weight=weight,
                        relation=relation,
                        requester_agent_id="ada",
                    )
            places = {memory_id: place for place, memory_id in ids.items()}
            found = spread(m, *(ids[place] for place in sorted(seeds - hidden)))
            return {places[memory_id]: value for memory_id, value in found.items()}

    assert activation(with_hidden=True) == activation(with_hidden=False)
