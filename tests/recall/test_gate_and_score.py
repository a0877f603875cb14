"""Whatever a provider proposes, only what passes the gate comes back, and always something does."""

from collections.abc import Sequence
from math import inf, nan
from random import Random

import pytest

from agent_memory_os.model import NO_FILTERS, Candidate, Hit, Visibility
from agent_memory_os.recall.pipeline import Request, gate_and_score
from agent_memory_os.settings import Settings
from agent_memory_os.testing import DEFAULT_START_MS, memory_client

NEO = Visibility("neo", DEFAULT_START_MS)


def scored(m: object, proposed: Sequence[Candidate], *, limit: int = 5) -> tuple[list[Hit], int]:
    request = Request("tea", NEO, NO_FILTERS, limit, 0, 0.0)
    with m._parts.store.read() as snapshot:  # type: ignore[attr-defined]
        return gate_and_score(snapshot, request, proposed, Settings())


@pytest.mark.capability("AMOS-018", "AMOS-037")
def test_a_provider_that_names_what_is_hidden_or_gone_shows_nothing() -> None:
    m = memory_client()
    mine = m.add("tea", owner="neo").id
    hidden = m.add("the safe opens with 7-7-3", owner="mizuki").id
    gone = m.add("tea of last year", owner="neo").id
    m.delete(gone, requester_agent_id="neo")
    ids = [hidden, gone, "f" * 25, "", "' OR 1=1 --", hidden, mine]

    hits, gated = scored(m, [Candidate(each, 1.0) for each in ids])

    assert [hit.id for hit in hits] == [mine]
    assert gated == 5


@pytest.mark.parametrize("score", [nan, inf, -inf])
def test_a_score_that_is_no_number_proposes_nothing(score: float) -> None:
    m = memory_client()
    ids = [m.add(f"tea {number}", owner="neo").id for number in range(3)]

    hits, _ = scored(
        m, [Candidate(ids[0], score), Candidate(ids[1], 0.5), Candidate(ids[2], score)]
    )

    assert [hit.id for hit in hits] == [ids[1]]


def test_scores_outside_0_to_1_are_cut_to_it() -> None:
    m = memory_client()
    low, high = (m.add(f"tea {number}", owner="neo").id for number in range(2))

    hits, _ = scored(m, [Candidate(low, -7.0), Candidate(high, 1e9)])

    assert [(hit.id, hit.parts["relevance"]) for hit in hits] == [(high, 1.0), (low, 0.0)]


def test_a_flood_of_hidden_proposals_does_not_push_out_the_one_that_is_visible() -> None:
    m = memory_client()
    mine = m.add("tea", owner="neo").id
    flood = [Candidate(f"{number:025x}", 1.0) for number in range(100_000)]

    hits, gated = scored(m, [*flood, Candidate(mine, 0.001)])

    assert [hit.id for hit in hits] == [mine]
    assert gated == len(flood)


def test_of_many_the_best_are_read_and_the_page_is_as_if_all_were() -> None:
    m = memory_client()
    chance = Random(7)
    ids = [
        m.add(f"tea {number}", owner="neo", importance=chance.random()).id for number in range(200)
    ]
    proposed = [Candidate(each, 1 - number / 500) for number, each in enumerate(ids)]
    read: dict[str, Hit | None] = {}
    request = Request("tea", NEO, NO_FILTERS, 5, 0, 0.0)

    with m._parts.store.read() as snapshot:
        hits, _ = gate_and_score(snapshot, request, proposed, Settings(), read=read)
    every, _ = scored(m, proposed, limit=200)

    assert [hit.id for hit in hits[:5]] == [hit.id for hit in every[:5]]
    assert [hit.id for hit in hits[:5]] != ids[:5]
    assert len(read) < 100


def test_one_that_may_overtake_the_first_that_were_read_is_read_as_well() -> None:
    m = memory_client()
    ids = [m.add(f"tea {number}", owner="neo", importance=0.0).id for number in range(20)]
    best = m.add("tea of all teas", owner="neo", importance=1.0).id
    proposed = [*(Candidate(each, 1.0) for each in ids), Candidate(best, 0.99)]

    hits, _ = scored(m, proposed, limit=1)

    assert hits[0].id == best
