"""The typed graph: resources, memories, categories and relations over the same memories."""

from collections.abc import Callable
from itertools import pairwise

import pytest

from agent_memory_os import InvalidInput, MemoryClient, NotFound, NotPermitted
from agent_memory_os.graph import Item, MemoryGraph
from agent_memory_os.pure.nodes import PRESETS


@pytest.fixture
def graph(m: MemoryClient) -> MemoryGraph:
    """Return the graph of an empty memory with two users in it."""
    graph = MemoryGraph(m)
    graph.resources.create(resource_type="user", resource_id="alice")
    graph.resources.create(resource_type="user", resource_id="bob")
    return graph


def remember(graph: MemoryGraph, *texts: str, of: str = "alice", category: str = "fact") -> list:
    return [graph.memories.create(resource_id=of, category=category, text=text) for text in texts]


def texts(found: object) -> list[str]:
    return [each.text for each in found]


# Resources


@pytest.mark.capability("MEMU-09", "MEMU-10", "MEMU-32")
@pytest.mark.parametrize("kind", ["user", "agent", "session", "document", "spaceship"])
def test_a_resource_is_a_subject_of_any_kind(m: MemoryClient, kind: str) -> None:
    graph = MemoryGraph(m)

    made = graph.resources.create(resource_type=kind, resource_id="x1")

    assert (made.id, made.resource_type, made.resource_id) == (f"{kind}:x1", kind, "x1")
    assert graph.resources.get("x1") == made
    assert [each.id for each in graph.resources.search()] == [f"{kind}:x1"]


def test_a_resource_that_is_created_again_is_the_same_and_keeps_what_is_omitted(
    m: MemoryClient,
) -> None:
    graph = MemoryGraph(m)
    first = graph.resources.create(
        resource_type="user", resource_id="alice", text="Alice of sales", metadata={"a": 1}
    )

    again = graph.resources.create(resource_type="user", resource_id="user:alice")

    assert again == first
    assert (again.text, again.memory.metadata) == ("Alice of sales", {"a": 1})


WAYS: dict[str, Callable[[MemoryGraph], object]] = {
    "name": lambda graph: "alice",
    "id": lambda graph: "user:alice",
    "object": lambda graph: graph.resources.get("alice"),
    "id of the object": lambda graph: graph.resources.get("alice").id,
    "id of its memory": lambda graph: graph.resources.get("alice").memory.id,
}


@pytest.mark.capability("MEMU-66", "MEMU-79")
@pytest.mark.parametrize("read", WAYS)
@pytest.mark.parametrize("written", WAYS)
def test_whatever_names_a_resource_finds_what_was_written_by_whatever_names_it(
    graph: MemoryGraph, written: str, read: str
) -> None:
    item = graph.memories.create(resource_id=WAYS[written](graph), text="Alice likes tea")

    found = graph.memories.search(resource_id=WAYS[read](graph), query="tea")

    assert [each.id for each in found] == [item.id]


@pytest.mark.capability("MEMU-66")
@pytest.mark.parametrize("verb", ["create", "search"])
def test_a_resource_that_nobody_created_is_an_error_that_names_the_nearest(
    graph: MemoryGraph, verb: str
) -> None:
    more = {"text": "x"} if verb == "create" else {}

    with pytest.raises(NotFound, match="did you mean 'user:alice'"):
        getattr(graph.memories, verb)(resource_id="alcie", **more)


def test_a_subject_that_something_was_remembered_of_is_a_resource(m: MemoryClient) -> None:
    m.add("Carol likes tea", subject="user:carol")
    graph = MemoryGraph(m)

    assert texts(graph.memories.search(resource_id="carol", query="tea")) == ["Carol likes tea"]
    assert graph.resources.get("carol").id == "user:carol"


def test_a_name_of_two_resources_is_an_error_that_names_both(graph: MemoryGraph) -> None:
    graph.resources.create(resource_type="agent", resource_id="alice")

    with pytest.raises(InvalidInput, match="'agent:alice' or 'user:alice'"):
        graph.memories.search(resource_id="alice")


def test_resources_are_listed_by_kind_and_by_words(graph: MemoryGraph) -> None:
    graph.resources.create(resource_type="document", resource_id="h1", text="the staff handbook")

    assert [each.id for each in graph.resources.search(resource_type="document")] == ["document:h1"]
    assert [each.id for each in graph.resources.search("handbook")] == ["document:h1"]
    assert len(graph.resources.search(limit=2)) == 2
    assert graph.resources.get("nobody") is None


@pytest.mark.capability("MEMU-50")
def test_the_text_of_a_resource_is_changed_by_who_created_it(graph: MemoryGraph) -> None:
    graph.resources.update("alice", text="Alice of sales", merge_metadata={"a": 1})

    assert graph.resources.get("alice").text == "Alice of sales"
    with pytest.raises(NotFound):
        graph.resources.update("user:carol", text="x")


# Memories


@pytest.mark.capability("MEMU-12", "MEMU-33", "MEMU-34", "MEMU-38")
def test_a_statement_is_kept_as_it_is_and_asks_no_model(m: MemoryClient) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a model was asked")

    graph = MemoryGraph(m, distiller=fail)
    graph.resources.create(resource_type="user", resource_id="alice")

    (item,) = remember(graph, "Alice prefers dark mode", category="preference")
    (found,) = graph.memories.search(resource_id="alice", query="which mode?")

    assert (found.id, found.category, found.text) == (item.id, "preference", item.text)
    assert 0 < found.score <= 1
    assert found.resource_id == "user:alice"


@pytest.mark.capability("MEMU-13", "MEMU-17", "MEMU-33")
def test_messages_are_distilled_and_what_was_made_rests_on_them(
    graph: MemoryGraph, m: MemoryClient
) -> None:
    made = graph.memories.create(
        resource_id="alice",
        messages=[("user", "I prefer dark mode in every app."), ("assistant", "Noted.")],
        session="s1",
    )

    (item,) = [each for each in made if "dark mode" in each.text]
    assert item.resource_id == "user:alice"
    assert [each.memory.layer for each in m.layers.evidence(item.id)] == [0]
    assert made.report.events == 2


def test_the_distiller_of_the_graph_decides_on_messages(m: MemoryClient) -> None:
    def decide(turns: list, known: list) -> list[dict]:
        return [
            {"action": "add", "content": "Alice swims", "type": "skill", "evidence": [turns[0].id]}
        ]

    graph = MemoryGraph(m, distiller=decide)
    graph.resources.create(resource_type="user", resource_id="alice")

    made = graph.memories.create(resource_id="alice", messages=[("user", "I swam a mile")])

    assert [(each.text, each.category) for each in made] == [("Alice swims", "skill")]
    assert texts(graph.memories.search(resource_id="alice", query="swims")) == ["Alice swims"]


@pytest.mark.capability("MEMU-35", "MEMU-73", "AIM-50", "AIM-66")
def test_a_search_never_crosses_resources(graph: MemoryGraph) -> None:
    remember(graph, "Alice likes green tea", of="alice")
    remember(graph, "Bob likes green tea", of="bob")

    assert texts(graph.memories.search(resource_id="bob", query="green tea")) == [
        "Bob likes green tea"
    ]
    assert texts(graph.memories.search(resource_id="bob")) == ["Bob likes green tea"]


@pytest.mark.capability("MEMU-16", "MEMU-20", "MEMU-36", "MEMU-55")
def test_a_category_narrows_before_the_search(graph: MemoryGraph) -> None:
    remember(graph, "Alice likes tea", category="preference")
    remember(graph, "Alice bought tea", category="fact")

    found = graph.memories.search(resource_id="alice", query="tea", category="preference")

    assert texts(found) == ["Alice likes tea"]


@pytest.mark.capability("MEMU-37", "MEMU-43")
def test_without_a_query_the_core_is_returned(graph: MemoryGraph) -> None:
    for n in range(5):
        graph.memories.create(resource_id="alice", text=f"Alice saw ship {n}", importance=0.1 * n)

    core = graph.memories.search(resource_id="alice", top_k=2)

    assert texts(core) == ["Alice saw ship 4", "Alice saw ship 3"]


@pytest.mark.capability("AIM-33")
def test_metadata_narrows_exactly(graph: MemoryGraph) -> None:
    graph.memories.create(resource_id="alice", text="Alice ships apollo", metadata={"p": "a"})
    graph.memories.create(resource_id="alice", text="Alice ships borealis", metadata={"p": "ab"})

    found = graph.memories.search(resource_id="alice", query="ships", metadata={"p": "a"})

    assert texts(found) == ["Alice ships apollo"]


@pytest.mark.capability("MEMU-76", "MEMU-78")
def test_what_is_not_so_any_more_is_superseded_and_stays_in_the_past(
    graph: MemoryGraph, m: MemoryClient
) -> None:
    (old,) = remember(graph, "Alice lives in Paris")

    (new,) = remember(graph, "Alice moved to Oslo")

    assert texts(graph.memories.search(resource_id="alice", query="where does Alice live?")) == [
        "Alice moved to Oslo"
    ]
    assert graph.memories.get(old.id) is None
    assert m.undo(new.id).id == new.id
    assert graph.memories.get(old.id).text == "Alice lives in Paris"


@pytest.mark.capability("MEMU-50", "AIM-24")
def test_a_memory_is_had_changed_and_deleted_by_its_id(graph: MemoryGraph) -> None:
    item = graph.memories.create(resource_id="alice", text="Alice likes tea", tags=["drink"])

    changed = graph.memories.update(item.id, text="Alice likes green tea", category="preference")

    assert graph.memories.get(item) == changed
    assert (changed.text, changed.category) == ("Alice likes green tea", "preference")
    assert changed.memory.tags == ("drink",)
    graph.memories.delete(changed)
    assert graph.memories.get(item.id) is None
    with pytest.raises(NotFound):
        graph.memories.update(item.id, text="x")


@pytest.mark.capability("MEMU-49")
def test_what_is_deleted_takes_its_relations_along(graph: MemoryGraph) -> None:
    first, second = remember(graph, "Alice has a cat", "The cat of Alice is grey")
    graph.relations.create(source_id=first.id, target_id=second.id)

    graph.memories.delete(second.id)

    assert graph.relations.search(first.id) == []
    assert graph.memories.neighbors(first.id, depth=2) == []


@pytest.mark.parametrize(
    "given", [{}, {"text": "x", "messages": []}, {"text": " "}, {"text": 7}, {"messages": "x"}]
)
def test_a_memory_of_neither_or_both_is_refused(graph: MemoryGraph, given: dict) -> None:
    with pytest.raises(InvalidInput):
        graph.memories.create(resource_id="alice", **given)


def test_every_call_names_its_resource(graph: MemoryGraph) -> None:
    with pytest.raises(TypeError):
        graph.memories.search(query="tea")
    with pytest.raises(TypeError):
        graph.memories.create(text="tea")


# Categories


@pytest.mark.capability("MEMU-14", "MEMU-18")
def test_five_categories_are_there_and_more_can_be_made(graph: MemoryGraph) -> None:
    made = graph.categories.create("allergy", text="what harms somebody")

    assert [each.name for each in graph.categories.search()] == [*PRESETS, "allergy"]
    assert graph.categories.get("allergy") == made
    assert graph.categories.get("fact").text == PRESETS["fact"]
    (item,) = remember(graph, "Alice must not eat nuts", category="allergy")
    assert item.category == "allergy"


@pytest.mark.capability("MEMU-66")
@pytest.mark.parametrize("verb", ["create", "search", "update", "neighbors"])
def test_a_misspelt_category_is_an_error_that_names_the_nearest(
    graph: MemoryGraph, verb: str
) -> None:
    (item,) = remember(graph, "Alice likes tea")
    calls: dict[str, Callable[[], object]] = {
        "create": lambda: remember(graph, "x", category="preferense"),
        "search": lambda: graph.memories.search(resource_id="alice", category="Preference"),
        "update": lambda: graph.memories.update(item.id, category="preferences"),
        "neighbors": lambda: graph.categories.neighbors("prefrence", resource_id="alice"),
    }

    with pytest.raises(InvalidInput, match="did you mean 'preference'"):
        calls[verb]()


def test_a_type_that_the_resource_has_memories_of_is_a_category(
    graph: MemoryGraph, m: MemoryClient
) -> None:
    m.add("Never deploy on Fridays", subject="user:alice", type="lesson")

    found = graph.memories.search(resource_id="alice", category="lesson")

    assert texts(found) == ["Never deploy on Fridays"]
    with pytest.raises(InvalidInput):
        graph.memories.search(resource_id="bob", category="lesson")


def test_a_category_is_changed_and_taken_back_and_its_memories_stay(graph: MemoryGraph) -> None:
    graph.categories.create("allergy")
    (item,) = remember(graph, "Alice must not eat nuts", category="allergy")

    graph.categories.update("allergy", text="what harms")
    told = graph.categories.get("allergy").text
    graph.categories.delete("allergy")

    assert told == "what harms"
    assert graph.categories.get("allergy") is None
    assert graph.memories.get(item.id).category == "allergy"
    with pytest.raises(NotFound):
        graph.categories.delete("fact")


def test_a_category_made_again_keeps_what_is_omitted(graph: MemoryGraph) -> None:
    graph.categories.create("allergy", text="what harms", visibility=["global"])

    again = graph.categories.create("allergy")

    assert (again.text, again.memory.visibility) == ("what harms", ("global",))


def test_categories_are_found_by_their_words(graph: MemoryGraph) -> None:
    graph.categories.create("allergy", text="what somebody must not eat")

    assert [each.name for each in graph.categories.search("eat")] == ["allergy"]
    assert [each.name for each in graph.categories.search("skill")] == ["skill"]


@pytest.mark.parametrize("name", ["preference", "resource", "category", "", " ", 7])
def test_a_category_that_is_there_or_malformed_is_refused(graph: MemoryGraph, name: object) -> None:
    with pytest.raises(InvalidInput):
        graph.categories.create(name)


# Relations


@pytest.mark.capability("MEMU-21", "MEMU-39")
def test_a_relation_leads_from_one_memory_to_another(graph: MemoryGraph) -> None:
    first, second = remember(graph, "The deploy of Alice failed", "The disk of Alice was full")

    made = graph.relations.create(
        source_id=first, target_id=second.id, relation_type="caused_by", weight=0.8
    )

    assert graph.relations.search(second.id) == [made]
    assert (made.source_id, made.target_id) == (first.id, second.id)
    assert (made.relation_type, made.weight) == ("caused_by", 0.8)
    assert graph.relations.search(first, relation_type="next") == []


@pytest.mark.capability("MEMU-19", "MEMU-40")
def test_neighbors_are_reached_over_as_many_relations_as_wanted(graph: MemoryGraph) -> None:
    chain = remember(graph, "Alice writes services", "Services are in Go", "Go has channels")
    for source, target in pairwise(chain):
        graph.relations.create(source_id=source.id, target_id=target.id, relation_type="next")

    near, far = (graph.relations.neighbors(chain[0].id, depth=depth) for depth in (1, 2))

    assert texts(near) == ["Services are in Go"]
    assert [(each.text, each.distance) for each in far] == [
        ("Services are in Go", 1),
        ("Go has channels", 2),
    ]
    assert far[0].relation_types == ("next",)
    assert isinstance(far[0], Item)
    assert graph.relations.neighbors(chain[0], relation_types=["caused_by"]) == []


@pytest.mark.capability("MEMU-73")
def test_no_relation_and_no_neighbour_crosses_resources(
    graph: MemoryGraph, m: MemoryClient
) -> None:
    (of_alice,) = remember(graph, "Alice has a cat")
    (of_bob,) = remember(graph, "Bob has a dog", of="bob")
    m.link(of_alice.id, of_bob.id)

    with pytest.raises(NotFound):
        graph.relations.create(source_id=of_alice.id, target_id=of_bob.id)
    assert graph.relations.neighbors(of_alice.id, depth=2) == []
    assert graph.relations.search(of_alice.id) == []


@pytest.mark.capability("MEMU-17", "MEMU-19")
def test_what_hangs_on_a_resource_and_in_a_category_is_reached_from_there(
    graph: MemoryGraph,
) -> None:
    remember(graph, "Alice likes tea", category="preference")
    remember(graph, "Alice lives in Oslo", category="fact")

    on_alice = graph.resources.neighbors("alice")
    liked = graph.categories.neighbors("preference", resource_id="alice")

    assert sorted(texts(on_alice)) == ["Alice likes tea", "Alice lives in Oslo"]
    assert {each.relation_types for each in on_alice} == {("item_of",)}
    assert [(each.text, each.relation_types) for each in liked] == [
        ("Alice likes tea", ("in_category",))
    ]
    assert graph.relations.neighbors("alice") == on_alice
    assert graph.relations.neighbors(graph.resources.get("alice").memory.id) == on_alice


def test_a_relation_is_given_another_weight_and_taken_back(graph: MemoryGraph) -> None:
    first, second = remember(graph, "Alice has a cat", "The cat of Alice is grey")
    graph.relations.create(source_id=first.id, target_id=second.id)

    graph.relations.update(source_id=first.id, target_id=second.id, weight=0.3)

    assert [each.weight for each in graph.relations.search(first.id)] == [0.3]
    assert graph.relations.delete(source_id=first.id, target_id=second.id) == 1
    assert graph.relations.search(first.id) == []
    with pytest.raises(NotFound):
        graph.relations.delete(source_id=first.id, target_id=second.id)


def test_a_memory_of_no_resource_has_no_relations_here(m: MemoryClient) -> None:
    loose, other = m.add("The office is in Oslo"), m.add("Oslo has a harbour")
    m.link(loose.id, other.id)

    with pytest.raises(NotFound):
        MemoryGraph(m).relations.neighbors(loose.id)


# Whose it is


@pytest.mark.capability("MEMU-11", "MEMU-74")
def test_a_graph_of_a_bound_view_knows_one_resource(graph: MemoryGraph, m: MemoryClient) -> None:
    remember(graph, "Alice likes tea")
    remember(graph, "Bob likes tea", of="bob")
    alice = MemoryGraph(m.as_agent("local", subject="user:alice"))

    for name in ("alice", "user:alice"):
        assert texts(alice.memories.search(resource_id=name, query="tea")) == ["Alice likes tea"]
    assert [each.id for each in alice.resources.search()] == ["user:alice"]
    with pytest.raises(NotPermitted):
        alice.memories.search(resource_id="user:bob")
    with pytest.raises(NotFound):
        alice.memories.search(resource_id="bob")
    with pytest.raises(NotPermitted):
        alice.resources.create(resource_type="user", resource_id="bob")


@pytest.mark.capability("AMOS-016")
def test_what_another_agent_keeps_to_itself_is_in_no_graph(
    graph: MemoryGraph, m: MemoryClient
) -> None:
    (item,) = remember(graph, "Alice likes tea")
    graph.categories.create("allergy")
    other = MemoryGraph(m.as_agent("spy"))

    assert other.resources.search() == []
    assert other.resources.get("alice") is None
    assert other.memories.search(resource_id="user:alice", query="tea") == []
    assert other.memories.get(item.id) is None
    assert other.categories.get("allergy") is None
    with pytest.raises(NotFound) as raised:
        other.memories.search(resource_id="alic")
    assert "user:alice" not in str(raised.value)


@pytest.mark.parametrize("memory", [None, "memory.db", 7])
def test_a_graph_is_of_a_client_or_a_view(memory: object) -> None:
    with pytest.raises(InvalidInput):
        MemoryGraph(memory)


# What is no item, no resource, or both


def test_a_resource_that_two_agents_created_is_found_once(m: MemoryClient) -> None:
    for agent in ("neo", "trinity"):
        MemoryGraph(m.as_agent(agent)).resources.create(
            resource_type="user", resource_id="alice", text="Alice of sales", visibility=["global"]
        )

    found = MemoryGraph(m.as_agent("neo")).resources.search("sales")

    assert [each.id for each in found] == ["user:alice"]


def test_a_kind_of_resources_is_looked_for_before_the_limit(m: MemoryClient) -> None:
    graph = MemoryGraph(m)
    kinds = ["document", "user", "session"]
    for kind in kinds:
        graph.resources.create(resource_type=kind, resource_id="x1", text="of sales")

    found = [graph.resources.search("sales", resource_type=kind, limit=1) for kind in kinds]

    assert [[each.resource_type for each in some] for some in found] == [[kind] for kind in kinds]


def test_a_listed_resource_is_the_one_that_get_returns(graph: MemoryGraph, m: MemoryClient) -> None:
    m.add("Carol likes tea", subject="user:carol")

    listed = graph.resources.search()

    assert listed == [graph.resources.get(each.id) for each in listed]
    assert [each.id for each in listed if each.memory is None] == ["user:carol"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"messages": [("user", "I like tea")], "category": "skill"}, "take no category 'skill'"),
        ({"text": "likes tea", "session": "s1"}, "a text is of no session"),
    ],
)
def test_what_would_be_ignored_is_an_error(graph: MemoryGraph, fields: dict, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        graph.memories.create(resource_id="alice", **fields)


def test_neighbors_of_nothing_are_said_to_be_of_neither_memory_nor_resource(
    graph: MemoryGraph,
) -> None:
    with pytest.raises(NotFound, match=r"is no id of a memory, and no resource is called so$"):
        graph.relations.neighbors("no such memory")
    with pytest.raises(NotFound, match="did you mean 'user:alice'"):
        graph.relations.neighbors("alicf")


@pytest.mark.parametrize("kind", ["user", "spaceship"])
def test_a_name_that_has_another_kind_is_no_name(graph: MemoryGraph, kind: str) -> None:
    graph.resources.create(resource_type=kind, resource_id="x1")

    with pytest.raises(InvalidInput, match=f"has the kind '{kind}' already"):
        graph.resources.create(resource_type="agent", resource_id=f"{kind}:x1")


def test_a_name_may_have_its_own_kind_and_colons(graph: MemoryGraph) -> None:
    named = [
        graph.resources.create(resource_type="document", resource_id=name).id
        for name in ("document:h1", "https://example.org")
    ]

    assert named == ["document:h1", "document:https://example.org"]


def test_what_is_of_no_resource_is_no_memory_of_the_graph(
    graph: MemoryGraph, m: MemoryClient
) -> None:
    ids = [m.add("of nobody").id, graph.resources.get("alice").memory.id]

    for each in ids:
        assert graph.memories.get(each) is None
        with pytest.raises(NotFound):
            graph.memories.update(each, text="other")
        with pytest.raises(NotFound):
            graph.memories.delete(each)
    assert [m.get(each).state for each in ids] == ["active", "active"]
