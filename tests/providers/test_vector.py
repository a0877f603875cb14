"""The arm of hashed embeddings, alone: other spellings and forms, and only what is seen."""

from collections.abc import Iterator

import pytest

from agent_memory_os import MemoryClient, Settings
from agent_memory_os.model import NO_FILTERS, Filters, Visibility
from agent_memory_os.providers.protocol import Search
from agent_memory_os.providers.vector import Vector
from agent_memory_os.pure.text import analyse_query
from agent_memory_os.testing import DEFAULT_START_MS, memory_client

CONTENTS = [
    "The conference on photography was long",
    "Children went camping by the lighthouse",
    "Tablets help against a head ache",
    "The vegetarian restaurant opens at noon",
    "Собака спит на диване",
    "Die Autoversicherung ist teuer",
    "数据库每天备份一次",
    "部署端口是八千",
    "猫咪喜欢吃鱼",
]


@pytest.fixture
def m() -> Iterator[MemoryClient]:
    """Yield a memory in RAM that neo filled, sound when the test ends."""
    with memory_client(agent_id="neo") as client:
        for content in CONTENTS:
            client.add(content)
        yield client
        assert client.admin.check() == []


def found(
    m: MemoryClient,
    text: str,
    *,
    agent: str = "neo",
    filters: Filters = NO_FILTERS,
    settings: Settings | None = None,
) -> list[str]:
    """Return the contents that the arm proposes, read again through the gate, the best first."""
    visibility = Visibility(agent, DEFAULT_START_MS + 10**9)
    arm = Vector(settings or Settings())
    with m._parts.store.read() as snapshot:
        proposed = arm.candidates(Search(analyse_query(text), visibility, filters, 10), snapshot)
        memories = {each.id: each for each in snapshot.read([it.id for it in proposed], visibility)}
    assert len(memories) == len(proposed)
    return [memories[candidate.id].content for candidate in proposed]


@pytest.mark.capability("AMOS-051")
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("confrence", 0),
        ("photographers", 0),
        ("camping childern", 1),
        ("light house", 1),
        ("headaches", 2),
        ("vegetarianism", 3),
        ("собаками", 4),
        ("Versicherungen", 5),
        ("数据库的备份", 6),
        ("部署瑞口", 7),
        ("猫喜欢的鱼", 8),
    ],
)
def test_misspelt_inflected_and_compound_words_are_found(
    m: MemoryClient, text: str, content: int
) -> None:
    assert found(m, text)[:1] == [CONTENTS[content]]


@pytest.mark.parametrize("text", ["", "zzzzzz qqqqq", "💡", "   "])
def test_what_is_alike_to_nothing_finds_nothing(m: MemoryClient, text: str) -> None:
    assert found(m, text) == []


def test_the_best_comes_first_and_few_are_wanted(m: MemoryClient) -> None:
    for number in range(20):
        m.add(f"The conference room number {number}")

    names = found(m, "conference fotography")

    assert names[0] == CONTENTS[0]
    assert len(names) == 10


def test_the_next_call_sees_what_was_added_changed_and_deleted(m: MemoryClient) -> None:
    added = m.add("A theremin was bought")
    assert found(m, "theermin") == ["A theremin was bought"]

    m.update(added.id, content="A bassoon was bought")
    assert found(m, "theermin") == []
    assert found(m, "basson") == ["A bassoon was bought"]

    m.delete(added.id)
    assert found(m, "basson") == []


def test_another_agent_finds_what_is_shared_with_it_and_nothing_else(m: MemoryClient) -> None:
    shared = m.add("A theremin was bought", visibility=["agent:trinity"])
    assert found(m, "theermin", agent="trinity") == ["A theremin was bought"]
    assert found(m, "confrence", agent="trinity") == []

    m.revoke(shared.id, ["agent:trinity"])
    assert found(m, "theermin", agent="trinity") == []


def test_filters_narrow_it(m: MemoryClient) -> None:
    m.add("A conference for warnings", type="warning")

    assert found(m, "confrence", filters=Filters(types=("warning",))) == [
        "A conference for warnings"
    ]


def test_above_the_number_that_it_looks_at_words_are_repaired_first(m: MemoryClient) -> None:
    few = Settings(vector_documents=3)

    assert found(m, "confrence", settings=few) == [CONTENTS[0]]


def test_hidden_memories_do_not_count_as_many(m: MemoryClient) -> None:
    m.add_many({"content": f"conference {number}", "owner": "smith"} for number in range(50))
    few = Settings(vector_documents=len(CONTENTS))

    assert found(m, "vegetarianism", settings=few) == [CONTENTS[3]]


def test_a_filter_by_subject_leaves_few(m: MemoryClient) -> None:
    m.add("Ada plays the theremin", subject="user:ada")
    few = Settings(vector_documents=1)

    names = found(m, "theremins", filters=Filters(subject="user:ada"), settings=few)

    assert names == ["Ada plays the theremin"]
