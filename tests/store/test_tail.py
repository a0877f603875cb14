"""The last rows are in no index yet, and are found, told and erased as all others are."""

import random
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from agent_memory_os import KeyReused, MemoryClient, Settings, StoreCorrupt
from agent_memory_os.testing import FakeClock, FakeEntropy, memory_client

EXTENT = Settings().index_every
SAID = (
    "The market place opens at nine, said Ana",
    "部署端口是八千，王伟周一发布了新版本",
    "deploy_port=8000 for C++ builds of v1.2.3, see a/b/config.toml",
    "Ünïcode straße and Müller's café",
    "สวัสดีครับ ตลาดเปิดเก้าโมง",
    "She moved from Berlin to the coast and likes old maps",
    "the release branch is frozen until Friday",
    "喜欢喝咖啡，不吃辣",
    "カタカナとひらがな 그리고 한글",
)
ASKED = (
    *(
        "market",
        "markt place",
        "marketplace",
        "端口",
        "新",
        "发布 版本",
        "C++",
        "v1.2.3",
        "config.toml",
    ),
    *("strasse", "muller", "ตลาด", "ตล", "where did she move", "realease brnch", "コーヒー 咖啡"),
    *("カタカナ", "한글", "number 7", "nothing of the kind", "", "port 8000 nine Friday"),
)


def waiting(path: Path) -> int:
    """Return how many rows of a file the word index does not have yet."""
    with closing(sqlite3.connect(path)) as db:
        (rows,) = db.execute(
            "SELECT max(id) - (SELECT indexed FROM state) FROM memories"
        ).fetchone()
    return int(rows)


def answers(m: MemoryClient, agent: str) -> list[object]:
    found: list[object] = [m.search(query, requester_agent_id=agent, limit=40) for query in ASKED]
    found += [str(m.context_pack(query, requester_agent_id=agent)) for query in ASKED]
    found += [m.search("number", requester_agent_id=agent, tags=["odd"], subject="user:ann")]
    return found


def tail_of(settings: Settings) -> MemoryClient:
    """Return a store of all sorts of memories, none of which is in the word index."""
    chance = random.Random(5)
    m = MemoryClient(":memory:", clock=FakeClock(), entropy=FakeEntropy(), settings=settings)
    for number in range(EXTENT - 1):
        m.add(
            f"{SAID[number % len(SAID)]}; number {number}",
            owner=chance.choice(["neo", "ada"]),
            visibility=chance.choice([[], ["global"], ["agent:neo"]]),
            subject=chance.choice([None, "user:ann"]),
            tags=["odd"] * (number % 2),
            ttl=chance.choice([None, None, timedelta(days=1)]),
        )
    return m


@pytest.mark.capability("AMOS-016")
def test_no_answer_depends_on_how_far_the_index_goes() -> None:
    with tail_of(Settings()) as m:
        before = [answers(m, agent) for agent in ("neo", "ada", "bot")]

        m.rebuild_indexes()

        assert [answers(m, agent) for agent in ("neo", "ada", "bot")] == before


@pytest.mark.capability("AMOS-016")
def test_of_a_surplus_no_score_depends_on_how_far_the_index_goes() -> None:
    """What waits is all looked at; of the rest a choice is."""
    with tail_of(Settings(candidate_budget=3, abstain_below=0)) as m:
        before = [scores(m, query) for query in ASKED]

        m.rebuild_indexes()

        for had, has in zip(before, [scores(m, query) for query in ASKED], strict=True):
            assert has.items() <= had.items()
        assert sum(map(len, before)) > 50


def scores(m: MemoryClient, query: str) -> dict[str, float]:
    hits = m.search(query, requester_agent_id="neo", limit=90)
    return {hit.id: hit.score for hit in hits}


def test_rows_are_indexed_together_once_there_are_enough(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        waited = []
        for number in range(2 * EXTENT + 1):
            m.add(f"number {number}")
            waited.append(waiting(path))
        found = [len(m.search(f"number {number}", limit=1)) for number in (0, EXTENT, 2 * EXTENT)]

        assert waited == [*range(1, EXTENT), *range(EXTENT), 0, 1]
        assert found == [1, 1, 1]
        assert m.admin.check() == []


def test_a_bulk_load_leaves_nothing_to_look_through(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        m.add_many({"content": f"number {number}"} for number in range(700))

    assert waiting(path) == 0


def test_what_one_client_indexes_another_finds_once(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as writer, MemoryClient(path) as reader:
        for number in range(EXTENT - 1):
            writer.add(f"number {number}")
        before = reader.search("number", limit=90)
        writer.add("the last number")

        after = reader.search("number", limit=90)
        reader.add("one more number")

        assert (len(before), len(after)) == (EXTENT - 1, EXTENT)
        assert len(writer.search("number", limit=90)) == EXTENT + 1
        assert writer.admin.check() == []


def test_a_write_that_fails_after_its_rows_were_indexed_leaves_all_as_it_was() -> None:
    with memory_client() as m:
        m.add("the first", idempotency_key="first")
        items = [{"content": f"number {number}"} for number in range(2 * EXTENT)]

        with pytest.raises(KeyReused):
            m.add_many([*items, {"content": "another first", "idempotency_key": "first"}])
        m.add("number one")

        assert [hit.content for hit in m.search("number")] == ["number one"]
        assert m.admin.check() == []


Deed = Callable[[MemoryClient, str], object]
DEEDS: tuple[Deed, ...] = (
    lambda m, memory_id: m.update(memory_id, content="The market place was moved to the coast"),
    lambda m, memory_id: m.update(memory_id, ttl=timedelta(days=1)),
    lambda m, memory_id: m.share(memory_id, ["global"]),
    lambda m, memory_id: m.delete(memory_id),
    lambda m, memory_id: m.forget(memory_id),
    lambda m, memory_id: m.admin.archive([memory_id]),
    lambda m, memory_id: m.reject(memory_id),
)


@pytest.mark.capability("AMOS-064")
@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_done_to_rows_that_wait_the_index_is_sound(seed: int) -> None:
    chance = random.Random(seed)
    with MemoryClient(":memory:", clock=FakeClock(), entropy=FakeEntropy()) as m:
        there: list[str] = []
        for number in range(3 * EXTENT):
            there.append(m.add(f"{chance.choice(SAID)}; number {number}").id)
            if chance.random() < 0.5:
                memory_id = there.pop(chance.randrange(max(0, len(there) - 70), len(there)))
                chance.choice(DEEDS)(m, memory_id)
        assert m.admin.check() == []
        before = answers(m, "local")

        m.rebuild_indexes()

        assert answers(m, "local") == before


@pytest.mark.capability("AMOS-064")
def test_check_finds_an_index_that_goes_less_far_than_the_file_says(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        for number in range(EXTENT + 3):
            m.add(f"number {number}")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE state SET indexed = indexed + 2")

    with MemoryClient(path) as m:
        assert [finding.kind for finding in m.admin.check()] == ["word-index"]
        m.admin.repair()
        assert m.admin.check() == []
        assert len(m.search("number", limit=90)) == EXTENT + 3


@pytest.mark.parametrize("every", [1, 64])
def test_of_a_surplus_a_word_that_only_ending_memories_hold_is_the_rarest(every: int) -> None:
    """How rare a word is goes by what has no end; what is looked up goes by all that is there."""
    settings = Settings(index_every=every, candidate_budget=50, ranked_candidates=10)
    with MemoryClient(":memory:", clock=FakeClock(), settings=settings) as m:
        m.add_many({"content": f"weekly note {number}"} for number in range(100))
        m.add("the harbour is closed: note", ttl=timedelta(days=1))

        assert m.search("harbour note", limit=1)[0].content == "the harbour is closed: note"
        m.rebuild_indexes()
        assert m.search("harbour note", limit=1)[0].content == "the harbour is closed: note"


@pytest.mark.parametrize("every", [1, 64])
def test_a_surplus_of_memories_that_all_end_is_answered(every: int) -> None:
    settings = Settings(index_every=every, candidate_budget=2)
    with MemoryClient(":memory:", clock=FakeClock(), settings=settings) as m:
        for number in range(5):
            m.add(f"harbour {number}", ttl=timedelta(days=1))

        assert len(m.search("harbour")) == 2


def test_clients_that_let_more_rows_wait_do_not_keep_others_from_taking_them_in(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.db"
    patient = Settings(index_every=10_000)
    with MemoryClient(path) as m, MemoryClient(path, settings=patient) as slow:
        for number in range(EXTENT):
            m.add(f"odd {number}")
            slow.add(f"even {number}")

    assert waiting(path) < EXTENT


def test_an_index_that_takes_nothing_in_is_damaged_and_nothing_is_lost(tmp_path: Path) -> None:
    path, settings = tmp_path / "memory.db", Settings(index_every=2)
    with MemoryClient(path, settings=settings) as m:
        for number in range(3):
            m.add(f"number {number}")
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE words_data SET block = zeroblob(length(block)) WHERE id = 10")

    with MemoryClient(path, settings=settings) as m:
        with pytest.raises(StoreCorrupt, match=r"rebuild_indexes\(\) or admin.repair\(\)"):
            m.add("number 3")
        m.admin.repair()
        m.add("number 3")
        assert len(m.search("number")) == 4
