"""Word repair: misspelt words of a query find what they were meant for, and only what is seen."""

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_memory_os import InvalidInput, MemoryClient, Settings
from agent_memory_os.model import NO_FILTERS, Filters, Strategy, Visibility
from agent_memory_os.providers.repair import repair
from agent_memory_os.pure.text import Query, analyse_query
from agent_memory_os.testing import DEFAULT_START_MS, memory_client

EXTENT = Settings().index_every
CONTENTS = [
    "Caroline went to the support group for her research",
    "The children enjoyed camping near the lighthouse",
    "The keeper of the light house has two dogs",
    "Собака спит на диване",
    "Die Versicherung für das Auto ist teuer",
    "部署端口是八千",
    "Error E1234 at port 8000",
]


@pytest.fixture
def m() -> Iterator[MemoryClient]:
    """Yield a memory in RAM that neo filled, sound when the test ends."""
    with memory_client(agent_id="neo") as client:
        for content in CONTENTS:
            client.add(content)
        yield client
        assert client.admin.check() == []


def asked(
    m: MemoryClient,
    text: str,
    *,
    agent: str = "neo",
    subject: str | None = None,
    filters: Filters = NO_FILTERS,
) -> Query:
    """Return the query of *text* as it is repaired for *agent*."""
    visibility = Visibility(agent, DEFAULT_START_MS + 10**9, subject=subject)
    with m._parts.store.read() as snapshot:
        return repair(snapshot, analyse_query(text), visibility, filters)


def words(query: Query) -> list[str]:
    return [term.text for term in query.terms if term.weight > 0.5]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("suppport", "support"),
        ("reserch", "research"),
        ("childreen", "child"),
        ("capming", "camp"),
        ("enjoyinng", "enjoi"),
        ("Собкаа", "собака"),
        ("собаками", "собака"),
        ("Autoversicherung", "auto versicherung"),
        ("Versicherungen", "versicherung"),
        ("housekeeper", "hous keeper"),
    ],
)
def test_a_word_that_nothing_holds_gives_way_to_the_most_alike(
    m: MemoryClient, text: str, meant: str
) -> None:
    assert words(asked(m, text)) == meant.split()


@pytest.mark.parametrize(
    "text", ["support group", "E1235", "8001", "部署端囗", "", "xylophone", "cat", "!!!"]
)
def test_other_queries_come_back_as_they_are(m: MemoryClient, text: str) -> None:
    query = analyse_query(text)
    with m._parts.store.read() as snapshot:
        visibility = Visibility("neo", DEFAULT_START_MS)
        assert repair(snapshot, query, visibility) is query


@pytest.mark.parametrize("strategy", ["hybrid", "keyword"])
def test_who_wants_no_repair_finds_the_words_as_they_were_typed(strategy: Strategy) -> None:
    with MemoryClient(":memory:", settings=Settings(word_repair=False)) as m:
        m.add(CONTENTS[0])

        assert m.search("suport", strategy=strategy).ids == ()
        assert len(m.search("support", strategy=strategy)) == 1


@pytest.mark.parametrize("wish", ["no", 0, None])
def test_a_wish_that_is_neither_yes_nor_no_is_an_error(wish: object) -> None:
    with pytest.raises(InvalidInput, match="word_repair must be True or False"):
        Settings(word_repair=wish)  # type: ignore[arg-type]  # what is tested


def test_words_that_are_held_stay_beside_those_that_are_repaired(m: MemoryClient) -> None:
    assert words(asked(m, "suport for Caroline")) == ["support", "carolin"]


def test_the_newest_memory_lends_its_words_at_once_and_after_it_was_taken_in(
    m: MemoryClient,
) -> None:
    m.add("A theremin was bought")
    assert words(asked(m, "theermin")) == ["theremin"]

    for number in range(EXTENT):
        m.add(f"number {number}")

    assert words(asked(m, "theermin")) == ["theremin"]


def test_an_update_lends_its_words_and_takes_the_old_ones_away(m: MemoryClient) -> None:
    bought = m.add("A theremin was bought")
    for number in range(EXTENT):
        m.add(f"number {number}")

    m.update(bought.id, content="A bassoon was bought")

    assert words(asked(m, "basson")) == ["bassoon"]
    assert words(asked(m, "theermin")) == ["theermin"]


def test_what_is_deleted_lends_no_word(m: MemoryClient) -> None:
    m.delete(m.add("A theremin was bought").id)

    assert words(asked(m, "theermin")) == ["theermin"]


def test_many_at_once_lend_their_words_too(tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "memory.db") as m:
        m.add_many({"content": f"number {number}"} for number in range(EXTENT))
        m.add_many({"content": f"{CONTENTS[number % 5]} {number}"} for number in range(5 * EXTENT))

        assert words(asked(m, "suppport childreen", agent="local")) == ["support", "child"]
        assert m.admin.check() == []


@pytest.mark.capability("AMOS-051")
def test_hidden_words_repair_nothing_and_hide_nothing(m: MemoryClient) -> None:
    for number in range(300):
        m.add(f"suppert suppart reseerch secret {number}", owner="smith")

    assert words(asked(m, "suppprt reserch")) == ["support", "research"]
    assert words(asked(m, "secrat")) == ["secrat"]


def test_a_word_that_only_hidden_memories_hold_is_repaired(m: MemoryClient) -> None:
    m.add("reserch", owner="smith")

    assert words(asked(m, "reserch")) == ["research"]


def test_a_bound_view_learns_nothing_of_other_subjects(m: MemoryClient) -> None:
    m.add("Ada plays the theremin", subject="user:ada")
    m.add("Bob likes tea", subject="user:bob")

    assert words(asked(m, "theermin", subject="user:bob")) == ["theermin"]
    assert words(asked(m, "theermin", subject="user:ada")) == ["theremin"]


def test_a_filter_by_subject_narrows_what_is_alike(m: MemoryClient) -> None:
    m.add("Ada plays the theremin", subject="user:ada")
    m.add("Bob likes the teremin", subject="user:bob")

    found = asked(m, "theremin", filters=Filters(subject="user:bob"))

    assert words(found) == ["teremin"]


HIDDEN = st.lists(
    st.text("adeorstuph ", min_size=3, max_size=30).filter(str.strip), min_size=1, max_size=30
)


@given(HIDDEN, st.integers(0, 2**32))
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_is_hidden_every_repair_is_the_same(hidden: list[str], seed: int) -> None:
    chance = random.Random(seed)
    spelt = [
        "".join(letter for letter in word if chance.random() > 0.15)
        for content in CONTENTS
        for word in content.split()
    ]
    with memory_client(agent_id="neo") as alone, memory_client(agent_id="neo") as crowded:
        crowded.add_many(
            {"content": f"{text} {word}", "owner": "smith"}
            for text in hidden
            for word in (*spelt, "support")
        )
        for content in CONTENTS:
            alone.add(content)
            crowded.add(content)

        for word in spelt:
            assert asked(alone, word) == asked(crowded, word)


def test_the_vocabulary_can_be_dropped_and_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        for content in CONTENTS:
            m.add(content)
        before = asked(m, "suppport childreen", agent="local")
    with sqlite3.connect(path) as db:
        db.execute("DROP TABLE vocabulary")
    db.close()

    with MemoryClient(path) as m:
        assert [finding.kind for finding in m.admin.check()] == ["word-index"]
        m.rebuild_indexes()
        assert m.admin.check() == []
        assert asked(m, "suppport childreen", agent="local") == before


def test_check_finds_a_word_that_the_vocabulary_lost(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        m.add_many({"content": f"{CONTENTS[0]} {number}"} for number in range(EXTENT + 1))
    with sqlite3.connect(path) as db:
        db.execute("DELETE FROM vocabulary WHERE term = 'support'")
    db.close()

    with MemoryClient(path) as m:
        assert [finding.kind for finding in m.admin.check()] == ["word-index"]
