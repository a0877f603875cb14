"""Engines: whatever is installed, what is near is proposed, and what has left is not."""

import random
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

import pytest

from agent_memory_os.providers.engines import Matrix, Signs
from agent_memory_os.providers.turbovec import Turbovec
from agent_memory_os.pure import embedding, hashed
from agent_memory_os.store.contract import VectorEngine

ENGINES: dict[str, Callable[[], VectorEngine]] = {"signs": Signs}
if find_spec("numpy"):
    ENGINES["matrix"] = lambda: Matrix(import_module("numpy"))
if find_spec("numpy") and find_spec("turbovec"):
    ENGINES["turbovec"] = lambda: Turbovec(import_module("turbovec"), import_module("numpy"))
LANES = 44  # no multiple of 8
MOST = 10


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> VectorEngine:
    """Yield an empty engine of each kind that can be imported here."""
    return ENGINES[request.param]()


CHANCE = random.Random(7)
LEAN = [CHANCE.gauss(0, 2) for _ in range(LANES)]  # the one way that vectors of a model lean
TOPICS = [[CHANCE.gauss(0, 2) for _ in range(LANES)] for _ in range(100)]


def about(topic: int, seed: int) -> bytes:
    """Return a vector about one of a hundred topics; no two are the same."""
    chance = random.Random(seed)
    rows = zip(LEAN, TOPICS[topic], strict=True)
    return embedding.pack([lean + own + chance.gauss(0, 0.5) for lean, own in rows])


def some_vectors(count: int) -> list[bytes]:
    """Return vectors of which the first is about the first topic, and so on."""
    return [about(number % len(TOPICS), number) for number in range(count)]


def nearest(asked: bytes, vectors: dict[int, bytes], most: int) -> list[int]:
    """Return what is nearest by the cosines themselves."""
    sought = embedding.unpack(asked)
    alike = {n: embedding.cosine(sought, embedding.unpack(v)) for n, v in vectors.items()}
    return sorted(alike, key=lambda number: -alike[number])[:most]


@pytest.mark.capability("AMOS-052", "AMOS-055")
def test_the_nearest_are_among_what_is_proposed(engine: VectorEngine) -> None:
    vectors = dict(enumerate(some_vectors(1_500), 1))
    engine.put(list(vectors), list(vectors.values()))

    for asked in (about(topic, seed=9_999) for topic in range(20)):
        proposed = engine.nearest(asked, 30 * engine.surplus)
        assert {*nearest(asked, vectors, MOST)} <= {*proposed}
        assert len(proposed) == len({*proposed}) == 30 * engine.surplus


def test_of_few_the_nearest_are_proposed_too(engine: VectorEngine) -> None:
    vectors = dict(enumerate(some_vectors(5), 1))
    engine.put(list(vectors), list(vectors.values()))

    assert {*engine.nearest(vectors[3], 5)} == {*vectors}
    assert [*engine.nearest(vectors[3], 1)] == [3]
    assert [*engine.nearest(vectors[3], 1, [1, 3])] == [3]


def test_only_those_among_which_to_look_are_proposed(engine: VectorEngine) -> None:
    vectors = dict(enumerate(some_vectors(1_500), 1))
    engine.put(list(vectors), list(vectors.values()))
    among = list(range(1, 1_500, 2))
    allowed = {number: vectors[number] for number in among}
    asked = about(1, seed=9_999)

    proposed = engine.nearest(asked, 30 * engine.surplus, among)

    assert {*proposed} <= {*among}
    assert {*nearest(asked, allowed, MOST)} <= {*proposed}
    assert [*engine.nearest(asked, 3, [5])] == [5]


@pytest.mark.capability("AMOS-053", "AIM-28")
def test_what_was_dropped_is_not_proposed_and_what_was_replaced_is_found_as_it_is(
    engine: VectorEngine,
) -> None:
    vectors = dict(enumerate(some_vectors(1_500), 1))
    engine.put(list(vectors), list(vectors.values()))
    asked = about(1, seed=9_999)
    first, second = nearest(asked, vectors, 2)

    engine.drop([first, 99_999])
    engine.put([700], [asked])

    proposed = engine.nearest(asked, 30 * engine.surplus)
    assert first not in proposed
    assert {700, second} <= {*proposed}
    assert len(engine) == 1_499
    assert (first in engine, 700 in engine, 99_999 in engine) == (False, True, False)


def test_additions_one_by_one_are_found(engine: VectorEngine) -> None:
    vectors = dict(enumerate(some_vectors(800), 1))
    for number, vector in vectors.items():
        engine.put([number], [vector])

    for number in (1, 512, 513, 800):
        assert number in engine.nearest(vectors[number], 5 * engine.surplus)


def test_how_alike_they_are_is_exact(engine: VectorEngine) -> None:
    asked, *vectors = some_vectors(9)
    sought = embedding.unpack(asked)

    expected = [embedding.cosine(sought, embedding.unpack(vector)) for vector in vectors]

    assert engine.alike(asked, vectors) == pytest.approx(expected, abs=1e-6)


def test_an_engine_that_was_emptied_proposes_nothing(engine: VectorEngine) -> None:
    (vector,) = some_vectors(1)
    engine.put([1], [vector])
    engine.drop([1])

    assert len(engine) == 0
    assert [*engine.nearest(vector, 5)] == []


def test_an_engine_that_was_cleared_takes_vectors_again(engine: VectorEngine) -> None:
    vectors = some_vectors(700)
    engine.put(list(range(700)), vectors)
    engine.clear()
    assert (len(engine), [*engine.nearest(vectors[0], 5)]) == (0, [])

    engine.put([5], [vectors[5]])

    assert [*engine.nearest(vectors[0], 5)] == [5]


WORDS = ["deploy", "target", "port", "lighthouse", "camping", "restaurant", "tablet", "autumn"]


if "turbovec" in ENGINES:

    def test_signatures_of_hashed_pieces_are_compared_by_their_likeness() -> None:
        engine = Turbovec(import_module("turbovec"), import_module("numpy"), pieces=True)
        every = [hashed.signature(WORDS[n:] + WORDS[:n][:3]) for n in range(len(WORDS))]
        kept = [each.to_bytes() for each in every]
        engine.put(list(range(len(every))), kept)
        asked = hashed.signature(["restaurants"])

        alike = engine.alike(asked.to_bytes(), kept)

        assert alike == [hashed.likeness(asked, each) for each in every]
        best = sorted(range(len(every)), key=lambda n: (-alike[n], n))[:4]
        assert {*engine.nearest(asked.to_bytes(), 4)} == {*best}
