"""Evidence: what rests on what, how a search folds it, and how it follows its sources."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agent_memory_os import InvalidInput, MemoryClient, NotFound, NotPermitted, Settings
from agent_memory_os.testing import FakeClock, memory_client

SHOWN = ["global"]
YEAR = datetime(2025, 1, 1, tzinfo=UTC)


def derived(m: MemoryClient, content: str, *sources: str, **fields: Any) -> str:
    """Return the id of a new memory that rests on *sources*."""
    return m.add(content, evidence=sources, **fields).id


def event(m: MemoryClient, content: str, **fields: Any) -> str:
    return m.add(content, layer=0, type="event", **fields).id


def tree(m: MemoryClient, memory_id: str, **more: Any) -> list[tuple[int, str]]:
    return [(each.depth, each.content) for each in m.layers.evidence(memory_id, **more)]


def contents(m: MemoryClient, agent: str) -> list[str]:
    return sorted(memory.content for memory in m.browse(requester_agent_id=agent))


# Drilling down, and up


@pytest.fixture
def layered(m: MemoryClient) -> dict[str, str]:
    """Return the ids of a persona, two scenes, three atoms and four events, by name."""
    ids = {
        name: event(m, name, occurred_at=YEAR + timedelta(days=day))
        for name, day in (("e2", 2), ("e1", 1), ("e3", 3), ("e4", 4))
    }
    for name, sources in (("a1", ["e2", "e1"]), ("a2", ["e3"]), ("a3", ["e3", "e4"])):
        ids[name] = derived(m, name, *(ids[each] for each in sources))
    ids["s1"] = derived(m, "s1", ids["a1"], ids["a2"], layer=2)
    ids["s2"] = derived(m, "s2", ids["a3"], layer=2)
    ids["p"] = derived(m, "p", ids["s1"], ids["s2"], layer=3)
    return ids


@pytest.mark.capability("OOM-023", "OOM-028", "OOM-031", "OOM-034")
def test_a_persona_is_drilled_down_to_the_words_in_the_order_of_time(
    m: MemoryClient, layered: dict[str, str]
) -> None:
    assert tree(m, layered["p"]) == [
        *[(1, "s1"), (2, "a1"), (3, "e1"), (3, "e2"), (2, "a2"), (3, "e3")],
        *[(1, "s2"), (2, "a3"), (3, "e4")],
    ]
    vias = {each.content: each.via for each in m.layers.evidence(layered["p"])}
    assert (vias["s1"], vias["e1"]) == (layered["p"], layered["a1"])


@pytest.mark.capability("OOM-033")
def test_an_event_is_followed_up_to_what_was_made_of_it(
    m: MemoryClient, layered: dict[str, str]
) -> None:
    assert tree(m, layered["e4"], direction="up") == [(1, "a3"), (2, "s2"), (3, "p")]


def test_depth_and_limit_cut_it(m: MemoryClient, layered: dict[str, str]) -> None:
    assert tree(m, layered["p"], depth=1) == [(1, "s1"), (1, "s2")]
    assert tree(m, layered["p"], limit=3) == [(1, "s1"), (2, "a1"), (1, "s2")]
    assert tree(m, layered["p"], limit=0) == []


def test_what_rests_on_itself_comes_to_an_end(m: MemoryClient) -> None:
    a = m.add("a").id
    b = derived(m, "b", a)
    m.link(a, b, relation="derived_from")

    assert tree(m, a) == [(1, "b")]


def test_only_its_own_owner_says_what_a_memory_rests_on(m: MemoryClient) -> None:
    atom = m.add("Deploys are frozen", owner="neo", visibility=SHOWN).id
    rumour = m.add("Somebody said so", visibility=SHOWN).id
    m.link(atom, rumour, relation="derived_from")

    assert tree(m, atom) == []
    assert tree(m, rumour, direction="up") == []


def test_what_may_not_be_seen_is_not_there_and_leads_nowhere(m: MemoryClient) -> None:
    ground = event(m, "said", visibility=SHOWN)
    hidden = derived(m, "hidden", ground)
    shown = derived(m, "shown", ground, visibility=SHOWN)
    derived(m, "above", hidden)

    assert tree(m, ground, direction="up", requester_agent_id="neo") == [(1, "shown")]
    assert tree(m, shown, requester_agent_id="neo") == [(1, "said")]
    with pytest.raises(NotFound):
        m.layers.evidence(hidden, requester_agent_id="neo")


def test_what_was_archived_or_superseded_still_bears_witness(m: MemoryClient) -> None:
    said = event(m, "port 8000")
    old = m.add("The port is 8000", entity="db1", attribute="port").id
    atom = derived(m, "Ports change", said, old)
    m.admin.archive([said])
    m.add("The port is 8080", entity="db1", attribute="port")

    assert [content for _, content in tree(m, atom)] == ["port 8000", "The port is 8000"]


def test_a_deleted_source_bears_no_witness(m: MemoryClient) -> None:
    tea, milk = event(m, "tea"), event(m, "milk")
    atom = derived(m, "tea with milk", tea, milk)
    m.delete(tea)

    assert tree(m, atom) == [(1, "milk")]


def test_a_direction_is_down_or_up(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="direction"):
        m.layers.evidence(m.add("a").id, direction="out")  # type: ignore[arg-type]  # refused


# Folding


@pytest.mark.capability("OOM-025")
def test_an_event_that_is_found_with_its_atom_is_its_evidence(m: MemoryClient) -> None:
    said, other = m.capture(
        [("user", "I prefer dark mode in every editor"), ("user", "dark mode in the terminal")],
        session="s1",
    ).ids
    atom = derived(m, "Alice prefers dark mode", said)

    hits = m.search("dark mode")

    assert (hits.ids, hits[0].evidence, hits[1].evidence) == ((atom, other), (said,), ())
    assert hits.report.folded == 1


def test_what_was_derived_stands_as_high_as_its_evidence(m: MemoryClient) -> None:
    said = event(m, "the blue kayak has a leak near the stern")
    rival = m.add("The kayak has a leak somewhere in its hull").id
    atom = derived(m, "The kayak leaks; fix it in the coming weeks before the trip", said)

    hits = m.search("kayak leak near the stern")

    assert hits.ids == (atom, rival)
    assert hits[0].evidence == (said,)
    assert hits[0].parts["evidence"] > 1


def test_an_event_that_says_far_more_of_what_was_asked_keeps_its_place(m: MemoryClient) -> None:
    said = event(m, "the invoice number of the blue kayak is 4711 and it came on Monday")
    atom = derived(m, "There is a kayak that somebody has bought from a shop in town", said)

    assert set(m.search("invoice number 4711 Monday kayak").ids) == {said, atom}


def test_folding_makes_room_for_others_on_the_page(m: MemoryClient) -> None:
    for n in range(6):
        derived(m, f"Alice likes tea of kind {n}", event(m, f"I like tea of kind {n}"))

    first, second = m.search("tea kind", limit=4), m.search("tea kind", limit=4, offset=4)

    assert [hit.memory.layer for hit in (*first, *second)] == [1] * 6
    assert len({*first.ids, *second.ids}) == 6
    assert all(len(hit.evidence) == 1 for hit in (*first, *second))


def test_a_page_is_filled_up_with_what_is_far_behind(m: MemoryClient) -> None:
    said = [event(m, f"the blue kayak leaks near the stern, {word}") for word in ("yes", "so")]
    atom = derived(m, "The blue kayak leaks near the stern", *said)
    weak = m.add("Somebody painted a fence in blue, and then all of the others as well").id

    hits = m.search("blue kayak leaks near the stern", limit=2)

    assert (hits.ids, set(hits[0].evidence)) == ((atom, weak), {*said})


def test_a_pack_tells_the_atom_alone(m: MemoryClient) -> None:
    derived(m, "Alice prefers dark mode", event(m, "I prefer dark mode"))

    assert [item.memory.layer for item in m.context_pack("dark mode").items] == [1]


def test_explaining_says_where_an_event_was_folded(m: MemoryClient) -> None:
    said = event(m, "I prefer dark mode")
    atom = derived(m, "Alice prefers dark mode", said)

    explained = m.explain("dark mode", said)

    assert (explained.stage, explained.found) == ("folded", False)
    assert atom in explained.reason


def test_what_others_derived_folds_nothing(m: MemoryClient) -> None:
    said = event(m, "I prefer dark mode", visibility=SHOWN)
    hidden = derived(m, "Alice prefers dark mode", said)

    assert m.search("dark mode", requester_agent_id="neo").ids == (said,)
    assert m.search("dark mode").ids == (hidden,)


def test_folding_can_be_held_to_better_matches() -> None:
    with MemoryClient(":memory:", settings=Settings(fold_share=1.0)) as m:
        said = event(m, "dark mode")
        atom = derived(m, "Alice prefers dark mode whenever she can choose", said)

        assert m.search("dark mode").ids == (said, atom)


# Following the source


@pytest.mark.capability("MEMU-49")
def test_what_rested_on_a_deleted_memory_alone_goes_with_it(m: MemoryClient) -> None:
    said = event(m, "I drink tea")
    scene = derived(m, "A tea person", derived(m, "Alice drinks tea", said), layer=2)

    m.delete(said)

    assert m.browse() == []
    assert [change.kind for change in m.history(scene)] == ["delete"]


def test_what_rests_on_others_too_stays_and_its_history_says_so(m: MemoryClient) -> None:
    tea, milk = event(m, "tea"), event(m, "milk")
    both = derived(m, "tea with milk", tea, milk)

    m.delete(tea)

    assert m.get(both) is not None
    assert [change.kind for change in m.history(both)] == ["source deleted"]
    m.delete(milk)
    assert m.get(both) is None


def test_what_was_archived_takes_nothing_along(m: MemoryClient) -> None:
    said = event(m, "I drink tea")
    atom = derived(m, "Alice drinks tea", said)

    m.admin.archive([said])

    assert m.get(atom) is not None


def test_what_is_revoked_is_revoked_from_all_that_was_made_of_it(m: MemoryClient) -> None:
    scopes = ["agent:neo", "agent:ada"]
    said = event(m, "I drink tea", visibility=scopes)
    atom = derived(m, "Alice drinks tea", said, visibility=scopes)
    derived(m, "A tea person", atom, layer=2, visibility=["agent:neo"])

    m.revoke(said, ["agent:neo"])

    assert contents(m, "neo") == []
    assert contents(m, "ada") == ["Alice drinks tea", "I drink tea"]
    assert contents(m, "local") == ["A tea person", "Alice drinks tea", "I drink tea"]
    assert [entry.action for entry in m.org.audit() if entry.target == atom] == ["revoke"]
    assert m.search("tea", requester_agent_id="neo") == []


def test_revoking_reaches_what_other_owners_made_of_it(m: MemoryClient) -> None:
    said = event(m, "I drink tea", visibility=SHOWN)
    m.add("Alice drinks tea", owner="neo", evidence=[said], visibility=SHOWN)

    m.revoke(said, SHOWN)

    assert contents(m, "ada") == []
    assert contents(m, "neo") == ["Alice drinks tea"]


def test_a_key_written_again_for_fewer_narrows_what_was_made_of_it(m: MemoryClient) -> None:
    plan = m.add("the plan", key="plan", visibility=SHOWN).id
    derived(m, "in short", plan, visibility=SHOWN)

    m.add("the new plan", key="plan")

    assert contents(m, "neo") == []


def test_what_was_made_of_a_memory_ends_when_it_does() -> None:
    clock = FakeClock()
    with memory_client(clock=clock) as m:
        said = event(m, "The door code is 5521", ttl=timedelta(hours=1))
        scene = derived(m, "Doors", derived(m, "Code: 5521", said), layer=2)
        clock.advance(hours=1)

        assert m.get(scene) is None
        assert m.browse() == []


def test_an_end_that_is_set_later_follows_as_well() -> None:
    clock = FakeClock()
    with memory_client(clock=clock) as m:
        said = event(m, "The door code is 5521")
        derived(m, "Doors", derived(m, "Code: 5521", said), layer=2)

        m.update(said, ttl=timedelta(hours=1))

        clock.advance(hours=1)
        assert m.browse() == []


def test_what_was_made_of_it_may_not_be_seen_by_more(m: MemoryClient) -> None:
    said = event(m, "I drink tea", visibility=["agent:neo"])

    with pytest.raises(NotPermitted, match=f"{said}.*not shared with 'global'"):
        m.add("Alice drinks tea", evidence=[said], visibility=SHOWN)
    assert contents(m, "local") == ["I drink tea"]

    atom = derived(m, "Alice drinks tea", said, visibility=["agent:neo"])
    with pytest.raises(NotPermitted):
        m.share(atom, ["agent:ada"])
    m.share(said, ["agent:ada"])
    assert m.share(atom, ["agent:ada"]).visibility == ("agent:ada", "agent:neo")


def test_it_may_be_shared_again_once_it_is_not_said_to_rest_on_it(m: MemoryClient) -> None:
    said = event(m, "I drink tea")
    atom = derived(m, "Alice drinks tea", said)

    m.unlink(atom, said, relation="derived_from")

    assert m.share(atom, SHOWN).visibility == ("global",)


def test_what_was_made_of_words_about_somebody_is_about_them(m: MemoryClient) -> None:
    said = event(m, "I drink tea", subject="user:alice")

    for subject in (None, "user:bob"):
        with pytest.raises(NotPermitted, match="is not about 'user:alice'"):
            m.add("Alice drinks tea", evidence=[said], subject=subject)
    general = event(m, "Tea is served at four")
    assert m.add("Alice has tea at four", evidence=[said, general], subject="user:alice").id


def test_of_what_others_own_one_may_pass_on_only_what_one_sees(m: MemoryClient) -> None:
    said = event(m, "I drink tea", owner="ada", visibility=["agent:neo", "agent:zoe"])

    with pytest.raises(NotPermitted):
        m.add("Ada drinks tea", owner="neo", evidence=[said], visibility=["agent:zoe"])


def test_the_word_of_others_narrows_and_deletes_nothing(m: MemoryClient) -> None:
    plan = m.add("The plan", owner="neo", visibility=SHOWN).id
    bait = m.add("bait", visibility=["agent:local"]).id
    m.link(plan, bait, relation="derived_from")

    m.delete(bait)

    assert contents(m, "ada") == ["The plan"]


@pytest.mark.capability("OOM-030")
def test_forgetting_an_event_takes_what_rested_on_it_alone(m: MemoryClient) -> None:
    tea, milk = event(m, "tea"), event(m, "milk")
    atom, both = derived(m, "likes tea", tea), derived(m, "tea with milk", tea, milk)

    receipt = m.forget(tea)

    assert set(receipt.ids) == {tea, atom}
    assert receipt.still_said == (both,)


def test_a_direction_that_is_not_there_is_answered_with_the_nearest(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="one of down, up, not 'dwn'; did you mean 'down'"):
        m.layers.evidence("x", direction="dwn")  # type: ignore[arg-type]  # what callers type
