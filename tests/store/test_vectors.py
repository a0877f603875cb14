"""Vectors in the store: written with the memory, looked up through the gate, and never stale."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import timedelta
from pathlib import Path

import pytest

from agent_memory_os import AgentMemoryError, InvalidInput, MemoryClient, StoreCorrupt
from agent_memory_os.model import NO_FILTERS, Filters, Visibility
from agent_memory_os.pure import embedding
from agent_memory_os.store.contract import Asked, Nearest, VectorCache
from agent_memory_os.testing import DEFAULT_START_MS, FakeClock, FakeEmbedder, memory_client

SHOWN = ["global"]
MODEL = "fake/3"
EAST, NORTH, UP = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]


class Exact:
    """An engine that compares with every vector; it counts what it was given."""

    surplus = 1

    def __init__(self) -> None:
        self.held: dict[int, bytes] = {}
        self.puts = 0

    def __len__(self) -> int:
        return len(self.held)

    def __contains__(self, number: object) -> bool:
        return number in self.held

    def put(self, numbers: Sequence[int], vectors: Sequence[bytes]) -> None:
        self.puts += len(numbers)
        self.held.update(zip(numbers, vectors, strict=True))

    def drop(self, numbers: Iterable[int]) -> None:
        for number in numbers:
            self.held.pop(number, None)

    def clear(self) -> None:
        self.held = {}

    def nearest(self, asked: bytes, most: int, among: Sequence[int] | None = None) -> Sequence[int]:
        numbers = list(self.held) if among is None else among
        alike = dict(zip(numbers, self.alike(asked, [self.held[n] for n in numbers]), strict=True))
        return sorted(numbers, key=lambda number: -alike[number])[:most]

    def alike(self, asked: bytes, vectors: Sequence[bytes]) -> Sequence[float]:
        sought = embedding.unpack(asked)
        return [embedding.cosine(sought, embedding.unpack(vector)) for vector in vectors]


class Clumsy(Exact):
    """An engine that errs: of ten neighbours it takes the order the wrong way round."""

    surplus = 4

    def nearest(self, asked: bytes, most: int, among: Sequence[int] | None = None) -> Sequence[int]:
        exact = super().nearest(asked, len(self.held), among)
        tens = [exact[at : at + 10][::-1] for at in range(0, len(exact), 10)]
        return [number for ten in tens for number in ten][:most]


class Towards:
    """An embedding function that knows the vector of each text by its last word."""

    fingerprint = "fake"

    def __init__(self, known: Mapping[str, Sequence[float]]) -> None:
        self._known = known

    def __call__(self, texts: Sequence[str]) -> list[Sequence[float]]:
        return [self._known[text.split()[-1]] for text in texts]


WAYS = {"east": EAST, "north": NORTH, "up": UP, "northeast": [1.0, 1.0, 0.0]}


def client(path: Path | str = ":memory:", **options: object) -> MemoryClient:
    """Return a client whose vectors point somewhere, and whose clock stands still."""
    options = {"agent_id": "neo", "clock": FakeClock(), "embed": Towards(WAYS)} | options
    return MemoryClient(path, **options)


@pytest.fixture
def m() -> Iterator[MemoryClient]:
    """Yield a memory in RAM with vectors, sound when the test ends."""
    with client() as each:
        yield each
        assert each.admin.check() == []


def ask(
    m: MemoryClient,
    cache: VectorCache | None = None,
    *,
    towards: Sequence[float] = EAST,
    agent: str = "neo",
    filters: Filters = NO_FILTERS,
    most: int = 10,
    model: str = MODEL,
    **who: object,
) -> Nearest:
    """Return what is nearest to a vector, as *agent* sees it."""
    asked = Asked(model, embedding.pack(towards), cache or VectorCache(Exact(), nullcontext()))
    visibility = Visibility(agent, DEFAULT_START_MS, **who)
    with m._parts.store.read() as snapshot:
        return snapshot.nearest(asked, visibility, filters, most=most, sample=5)


def ids(found: Nearest) -> list[str]:
    return [near.id for near in found.found]


def rows(path: Path, statement: str) -> list[tuple[object, ...]]:
    """Run *statement* over a connection of its own, and return its rows."""
    other = sqlite3.connect(path)
    with other:
        found = other.execute(statement).fetchall()
    other.close()
    return found


@pytest.mark.capability("OOM-039", "MEMU-22", "AIM-45")
def test_the_nearest_come_first_with_how_alike_they_are(m: MemoryClient) -> None:
    east, north, between = (m.add(f"go {way}").id for way in ("east", "north", "northeast"))

    found = ask(m).found

    assert [near.id for near in found] == [east, between, north]
    assert [near.alike for near in found] == pytest.approx([1, 0.5**0.5, 0], abs=1e-6)


def test_those_equally_alike_come_by_id(m: MemoryClient) -> None:
    every = [m.add(f"{n} go east").id for n in range(5)]

    assert ids(ask(m)) == sorted(every)


@pytest.mark.capability("AMOS-053", "AIM-28")
def test_a_cache_takes_in_only_what_was_written_since(m: MemoryClient) -> None:
    engine = Exact()
    cache = VectorCache(engine, nullcontext())
    first = m.add("go east").id
    assert ids(ask(m, cache)) == [first]

    second = m.add("go northeast").id
    assert ids(ask(m, cache)) == [first, second]
    m.update(first, content="go north")
    assert ids(ask(m, cache)) == [second, first]
    m.delete(second)
    assert ids(ask(m, cache)) == [first]
    m.share(first, SHOWN)

    assert ids(ask(m, cache, agent="ada")) == [first]
    assert engine.puts == 3
    assert len(engine) == 1


@pytest.mark.capability("AMOS-053")
def test_what_another_client_does_is_seen_by_the_next_search(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    cache = VectorCache(Exact(), nullcontext())
    with client(path) as m, client(path) as other, client(path, embed=None) as plain:
        first, second = (m.add(f"go {way}", visibility=SHOWN).id for way in ("east", "up"))
        assert ids(ask(m, cache, agent="ada")) == [first, second]

        third = other.add("now go northeast", visibility=SHOWN).id
        assert ids(ask(m, cache, agent="ada")) == [first, third, second]
        other.update(second, content="go at once east")
        assert {*ids(ask(m, cache, agent="ada"))[:2]} == {first, second}
        plain.update(third, content="go up")
        assert ids(ask(m, cache, agent="ada")) == [first, second]
        other.revoke(first, SHOWN)
        assert ids(ask(m, cache, agent="ada")) == [second]
        plain.delete(second)
        assert ids(ask(m, cache, agent="ada")) == []
        assert m.admin.check() == []


def test_a_cache_that_is_ahead_of_a_snapshot_shows_nothing_of_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    cache = VectorCache(Exact(), nullcontext())
    asked = Asked(MODEL, embedding.pack(EAST), cache)
    with client(path) as m, client(path) as other:
        first = m.add("go east").id
        with m._parts.store.read() as snapshot:
            snapshot.read([first], Visibility("neo", DEFAULT_START_MS))
            other.add("then go east")
            ask(other, cache)

            visibility = Visibility("neo", DEFAULT_START_MS)
            found = snapshot.nearest(asked, visibility, NO_FILTERS, most=10, sample=0)

        assert ids(found) == [first]


@pytest.mark.capability("AMOS-039", "AMOS-016")
@pytest.mark.parametrize("engine", [Exact, Clumsy])
@pytest.mark.parametrize("hidden", [2_000, 20])
def test_what_others_have_that_is_nearer_hides_nothing(engine: type[Exact], hidden: int) -> None:
    with client() as m:
        m.add_many([{"content": f"{n} go east", "owner": "ada"} for n in range(hidden)])
        shown = [m.add(f"{n} go northeast").id for n in range(7)]
        m.add("go north")
        cache = VectorCache(engine(), nullcontext())

        assert ids(ask(m, cache, most=7)) == sorted(shown)
        assert ids(ask(m, cache, agent="trinity", most=7)) == []


@pytest.mark.parametrize("engine", [Exact, Clumsy])
def test_one_who_sees_most_rows_loses_nothing_to_those_it_does_not(engine: type[Exact]) -> None:
    with client() as m:
        m.add_many([{"content": f"{n} go east", "owner": "ada"} for n in range(300)])
        near = [m.add(f"{n} go northeast").id for n in range(10)]
        m.add_many([{"content": f"{n} go north"} for n in range(600)])

        assert ids(ask(m, VectorCache(engine(), nullcontext()))) == sorted(near)


@pytest.mark.capability("AMOS-039")
def test_a_bound_view_is_shown_its_own_subject_and_nothing_else(m: MemoryClient) -> None:
    for who in ("ada", "bob"):
        m.add(f"{who} goes east", subject=f"user:{who}")
    common = m.add("go east").id
    mine = ask(m, subject="user:ada").found

    assert [m.get(near.id).subject for near in mine] == ["user:ada"]
    assert ids(ask(m, subject="user:ada", shared=True)) == [mine[0].id, common]
    assert ids(ask(m, subject="user:eve")) == []


def test_filters_narrow_before_anything_is_ranked(m: MemoryClient) -> None:
    m.add_many([{"content": f"{n} go east", "type": "note"} for n in range(200)])
    fact = m.add("go northeast", type="fact", tags=["way"]).id

    assert ids(ask(m, filters=Filters(types=("fact",)), most=3)) == [fact]
    assert ids(ask(m, filters=Filters(tags=("way",)), most=3)) == [fact]
    assert ids(ask(m, filters=Filters(types=("task",)), most=3)) == []


def test_the_sample_is_of_what_was_written_last_whatever_the_filters_say(m: MemoryClient) -> None:
    m.add("go up")
    m.add_many([{"content": f"{n} go east"} for n in range(5)])
    m.add("nobody else sees this go up", owner="ada")

    found = ask(m, filters=Filters(types=("fact",)))

    assert found.found == []
    assert found.sample == [1.0] * 5
    assert found.sampled == 5


def test_what_has_expired_is_not_found(m: MemoryClient) -> None:
    kept = m.add("go east").id
    m.add("for an hour go east", ttl=timedelta(hours=1))
    hour_ms = 3_600_000
    asked = Asked(MODEL, embedding.pack(EAST), VectorCache(Exact(), nullcontext()))

    with m._parts.store.read() as snapshot:
        later = Visibility("neo", DEFAULT_START_MS + hour_ms)
        found = snapshot.nearest(asked, later, NO_FILTERS, most=1, sample=5)

    assert ids(found) == [kept]
    assert found.sampled == 1


@pytest.mark.capability("AMOS-055")
def test_vectors_of_different_models_are_never_compared(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with client(path) as m:
        old = m.add("go east").id
    with client(path, embed=FakeEmbedder(lanes=3, fingerprint="other")) as m:
        new = m.add("go east, go east").id

        assert ids(ask(m)) == [old]
        assert ids(ask(m, model="other/3")) == [new]
        assert ids(ask(m, model="third/3")) == []
        found = ask(m)
        assert (len(found.sample), found.sampled) == (1, 2)


@pytest.mark.capability("AMOS-055")
def test_the_vector_is_that_of_the_content_as_float32_of_unit_length(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with client(path) as m:
        m.add("go northeast")

    half = 0.5**0.5
    ((kept, model, lanes),) = rows(
        path, "SELECT vector, fingerprint, lanes FROM vectors JOIN embedders e ON e.id = embedder"
    )
    assert (kept, model, lanes) == (embedding.pack([half, half, 0]), "fake/3", 3)


def test_row_and_vector_are_written_together_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with client(path) as m:
        first = m.add("go up")
        rows(
            path,
            "CREATE TRIGGER full BEFORE INSERT ON vectors"
            " BEGIN SELECT RAISE(ABORT, 'there is no room'); END",
        )

        for act in (
            lambda: m.add("go east"),
            lambda: m.add_many([{"content": "go east"}]),
            lambda: m.update(first.id, content="go east"),
        ):
            with pytest.raises(AgentMemoryError, match="no room"):
                act()

        assert m.browse() == [first.memory]
        assert ids(ask(m)) == [first.id]
        assert m.admin.check() == []


def test_a_client_without_vectors_writes_none_and_asks_nothing_of_them(tmp_path: Path) -> None:
    statements: list[str] = []
    with client(tmp_path / "memory.db", embed=None) as m:
        m.add("warm up")
        connections = m._parts.store.connections
        db = connections.begin_write()
        db.set_trace_callback(statements.append)
        connections.end_write(db, used_up=False)

        m.add("go east")
        m.add_many([{"content": "go north"}])

    assert any("INSERT INTO memories" in each for each in statements)
    assert [each for each in statements if "vectors" in each or "embedders" in each] == []


def test_what_is_forgotten_leaves_the_cache_of_every_process(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    engine = Exact()
    cache = VectorCache(engine, nullcontext())
    with client(path) as m, client(path) as other:
        first, second = (m.add(f"go {way}").id for way in ("east", "north"))
        assert ids(ask(m, cache)) == [first, second]

        other.forget(first)
        third = other.add("go northeast").id

        assert ids(ask(m, cache)) == [third, second]
        assert len(engine) == 2
        assert m.admin.check() == []


def test_a_superseded_or_deleted_memory_has_no_vector(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with client(path) as m:
        gone = m.add("go east")
        m.delete(gone.id)

    assert rows(path, "SELECT count(*) FROM vectors") == [(0,)]


DAMAGE = {
    "a vector of a deleted memory": (
        "INSERT INTO vectors(memory, embedder, vector)"
        " SELECT m.id, 1, zeroblob(12) FROM memories m WHERE state = 3"
    ),
    "a vector that was cut": "UPDATE vectors SET vector = zeroblob(8)",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_check_finds_what_is_wrong_and_a_rebuild_mends_it(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "memory.db"
    with client(path) as m:
        m.add("go east")
        m.delete(m.add("go north").id)
        rows(path, DAMAGE[damage])

        (finding,) = m.admin.check()
        assert (finding.kind, finding.detail.partition(" ")[0]) == ("vectors", "1")
        m.admin.rebuild_indexes()

        assert m.admin.check() == []
        assert m.admin.reembed().remaining == 0


@pytest.mark.capability("AMOS-056")
def test_vectors_can_be_dropped_and_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with client(path) as m:
        first = m.add("go east").id
        rows(path, "DROP TABLE vectors")

        with pytest.raises(StoreCorrupt, match="rebuild_indexes"):
            m.search("east")
        assert [finding.kind for finding in m.admin.check()] == ["vectors"]
        m.admin.rebuild_indexes()
        assert m.get(first).content == "go east"
        assert m.admin.reembed().embedded == 1

        assert ids(ask(m)) == [first]
        assert m.admin.check() == []


@pytest.mark.capability("AMOS-056")
def test_a_rebuild_keeps_the_vectors_that_are_sound(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with client(path) as m:
        first = m.add("go east").id

        m.admin.rebuild_indexes()

        assert ids(ask(m)) == [first]


def test_stats_count_the_vectors_of_each_model_for_the_administration_alone(
    m: MemoryClient,
) -> None:
    m.add("go east")

    assert m.admin.stats().by_model == {"fake/3": 1}
    with m._parts.store.read() as snapshot:
        assert snapshot.stats(Visibility("neo", DEFAULT_START_MS)).by_model == {}


def test_without_embed_there_is_nothing_to_reembed_with() -> None:
    with memory_client() as m, pytest.raises(InvalidInput, match="embed="):
        m.admin.reembed()
