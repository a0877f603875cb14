"""Embedding functions of a host: what they find, and that nothing is lost when they fail."""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from agent_memory_os import InvalidInput, MemoryClient, NotPermitted, Settings
from agent_memory_os.providers.embedding import NO_TURBOVEC
from agent_memory_os.testing import FakeClock, FakeEmbedder, assert_never_visible

MEANINGS = [
    ("kayak", "canoe", "dinghy"),
    ("ristretto", "espresso", "brew"),
    ("siesta", "doze", "slumber"),
    ("stipend", "honorarium", "allowance"),
]
SHOWN = ["global"]
# What may be looked up with: with nothing but the standard library, and with what is installed.
ENGINES = ["alone", *(["numpy"] if find_spec("numpy") else []), "auto"]


def nothing_is_installed(name: str) -> Any:
    """Import nothing, as where no extra is installed."""
    raise ImportError(name)


def client(
    path: Path | str = ":memory:",
    *,
    engine: str = "alone",
    embed: Callable[[Sequence[str]], Any] | None = None,
    **options: Any,
) -> MemoryClient:
    """Return a client whose embedding function knows `MEANINGS`, unless another is given."""
    options = {"agent_id": "neo", "clock": FakeClock()} | options
    semantic = "auto" if engine == "auto" else None
    m = MemoryClient(path, embed=embed or FakeEmbedder(MEANINGS), semantic=semantic, **options)
    if engine == "alone":
        m._parts.vectors._load = nothing_is_installed
    return m


@pytest.fixture(params=ENGINES)
def engine(request: pytest.FixtureRequest) -> str:
    """Yield the name of each engine that is installed here."""
    return str(request.param)


@pytest.fixture
def m(engine: str) -> Iterator[MemoryClient]:
    """Yield a memory in RAM with vectors, sound when the test ends."""
    with client(engine=engine) as each:
        yield each
        assert each.admin.check() == []


def contents(hits: Sequence[Any]) -> list[str]:
    return [hit.content for hit in hits]


@pytest.mark.capability("OOM-039", "AMOS-055", "MEMU-22")
def test_what_means_the_same_is_found_though_it_shares_no_word(m: MemoryClient) -> None:
    m.add("Trinity bought a canoe")
    m.add("The kettle stands on the shelf")

    hits = m.search("kayak")

    assert contents(hits) == ["Trinity bought a canoe"]
    assert hits[0].arms.keys() == {"vector"}
    assert hits.report.candidates == {"lexical": 0, "vector": 1}


def test_a_vector_adds_to_what_words_found(m: MemoryClient) -> None:
    m.add("Trinity likes tea")
    slept = m.add("Trinity had a siesta").id

    both = m.search("Trinity doze")[0]

    assert both.id == slept
    assert both.arms.keys() == {"lexical", "vector"}
    assert both.parts["relevance"] > both.arms["lexical"]


def test_what_has_nothing_to_do_with_the_query_is_no_answer(m: MemoryClient) -> None:
    m.add_many([{"content": f"Box {n} holds {n} screws"} for n in range(20)])

    hits = m.search("quarterly pineapple forecast")

    assert hits == []
    assert hits.report.abstained


def test_where_words_found_nothing_vectors_answer_only_if_clearly(m: MemoryClient) -> None:
    m.add("a canoe lies behind the shed under some tarp")

    assert m.search("kayak") == []
    assert len(m.search("kayak", strategy="vector")) == 1
    assert len(m.search("kayak in a shed")) == 1


def test_an_arm_alone_is_asked_by_strategy_and_by_name(m: MemoryClient) -> None:
    m.add("Trinity bought a canoe")
    m.add("a kayak park")

    assert m.search("kayak", strategy="keyword").report.candidates == {"lexical": 1}
    assert len(m.search("kayak", strategy="vector")) == 2
    assert m.search("kayak", providers=["vector"]) == m.search("kayak", strategy="vector")
    assert m.search("kayak", providers=["lexical"]) == m.search("kayak", strategy="keyword")


def test_a_pack_and_an_explanation_ask_the_vectors_too(m: MemoryClient) -> None:
    kayak = m.add("Trinity bought a canoe").id
    m.add("The kettle stands on the shelf")

    assert [item.id for item in m.context_pack("kayak").items] == [kayak]
    why = m.explain("kayak", kayak)
    assert (why.stage, why.rank, [*why.arms]) == ("hit", 1, ["vector"])


@pytest.mark.capability("AMOS-053", "AIM-28")
def test_the_next_search_knows_what_any_client_did(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "memory.db"
    with client(path, engine=engine) as m, client(path, engine=engine) as other:
        assert m.search("kayak") == []
        first = other.add("Trinity bought a canoe").id
        assert m.search("kayak").ids == (first,)
        other.update(first, content="Trinity sips a brew")
        assert (m.search("kayak").ids, m.search("ristretto").ids) == ((), (first,))
        other.share(first, SHOWN)
        assert m.search("ristretto", requester_agent_id="ada").ids == (first,)
        other.revoke(first, SHOWN)
        assert m.search("ristretto", requester_agent_id="ada").ids == ()
        other.delete(first)
        assert m.search("ristretto").ids == ()
        assert m.admin.check() == []


@pytest.mark.capability("AMOS-039", "AMOS-016")
def test_2000_invisible_memories_that_match_better_hide_nothing(engine: str) -> None:
    with client(engine=engine) as m:
        m.add_many([{"content": "the canoe", "owner": "ada", "on_duplicate": "store"}] * 2_000)
        seen = {m.add(f"box {n} for the canoe").id for n in range(5)}

        assert {*m.search("kayak", limit=5).ids} == seen
        assert m.search("kayak", requester_agent_id="trinity").ids == ()


@pytest.mark.capability("AMOS-039")
def test_a_bound_view_finds_its_own_subject_and_nothing_of_others(engine: str) -> None:
    with client(engine=engine) as m:
        alice, bob = (m.as_agent("bot", subject=f"user:{who}") for who in ("alice", "bob"))
        mine = alice.add("her honorarium is 7,000").id
        bob.add("his honorarium is 9,000")

        assert alice.search("stipend").ids == (mine,)
        assert_never_visible(alice, "9,000", queries=["stipend", "allowance"])


@pytest.mark.capability("AMOS-015")
def test_memories_that_one_does_not_see_change_no_answer_and_no_score(engine: str) -> None:
    with client(engine=engine) as m:
        for content in ("Trinity bought a canoe", "a dinghy for the camp", "tea at noon"):
            m.add(content)
        before = m.search("kayak")

        m.add_many([{"content": f"kayak {n}", "owner": "ada"} for n in range(500)])

        assert m.search("kayak") == before


def test_filters_hold_for_what_vectors_find(m: MemoryClient) -> None:
    m.add("Trinity bought a canoe", type="note")
    fact = m.add("a dinghy stands in the yard", type="fact").id

    assert m.search("kayak", types=["fact"]).ids == (fact,)
    assert m.search("kayak", where={"type": "task"}).ids == ()


def test_a_turn_among_others_like_it_comes_before_one_that_stands_alone(engine: str) -> None:
    def turns(session: str, *contents: str) -> list[str]:
        told = [{"content": each, "session": session, "layer": 0} for each in contents]
        return [receipt.id for receipt in m.add_many(told)]

    with client(engine=engine) as m:
        alone = turns("first", "box one", "canoe there", "box two", "box three")[1]
        among = turns("second", "dinghy here", "canoe there", "kayaks and a dinghy", "box")[1]

        ranks = m.search("kayak", strategy="vector").ids

        assert ranks.index(among) < ranks.index(alone)


def test_many_are_embedded_in_one_call() -> None:
    embed = FakeEmbedder(MEANINGS)
    with client(embed=embed) as m:
        m.add_many([{"content": "one"}, {"content": "two"}, {"content": "three"}])

        assert embed.calls == [["one", "two", "three"]]


def test_no_lock_is_held_while_the_function_works(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    embed = FakeEmbedder(MEANINGS)
    hasty = Settings(busy_wait_ms=0)
    with MemoryClient(path, settings=hasty) as other:

        def write_meanwhile(texts: Sequence[str]) -> list[list[float]]:
            other.add(f"written by another, call {len(embed.calls)}")
            return embed(texts)

        with client(path, embed=write_meanwhile, settings=hasty) as m:
            memory = m.add("one")
            m.add_many([{"content": "two"}])
            m.update(memory.id, content="three")
            m.search("four")
            m.context_pack("five")
            m.admin.reembed(limit=1)

        assert len(other.browse()) == len(embed.calls) > 5


def test_only_the_content_is_embedded_and_only_when_it_changes() -> None:
    embed = FakeEmbedder(MEANINGS)
    with client(embed=embed) as m:
        memory = m.add("tea", tags=["hot"], actor="user:ada", metadata={"cup": 1})
        m.update(memory.id, importance=0.9, tags=["cold"])
        m.update(memory.id, content="tea at noon")
        m.add("tea at noon")

    assert embed.calls == [["tea"], ["tea at noon"], ["tea at noon"]]


def test_what_is_written_under_a_key_again_has_the_new_vector(m: MemoryClient) -> None:
    m.add("Trinity bought a canoe", key="news")
    m.add("Trinity sips a brew", key="news")

    assert m.search("kayak").ids == ()
    assert contents(m.search("ristretto")) == ["Trinity sips a brew"]


def test_fc_067_after_a_correction_nothing_finds_the_old_wording(m: MemoryClient) -> None:
    ines = m.add("Ines drives a canoe").id

    m.update(ines, content="Ines has a doze")

    assert m.search("canoe").ids == m.search("dinghy", strategy="vector").ids == ()
    assert m.search("slumber").ids == (ines,)


def test_the_vector_of_a_query_may_come_from_a_function_of_its_own() -> None:
    embed = FakeEmbedder(MEANINGS)
    asked: list[str] = []

    def embed_query(query: str) -> list[float]:
        asked.append(query)
        return embed([f"{query} kayak"])[0]

    with client(embed=embed, embed_query=embed_query) as m:
        m.add("Trinity bought a canoe")

        assert contents(m.search("what?", strategy="vector")) == ["Trinity bought a canoe"]
    assert asked == ["what?"]


# When it fails


def answers(value: Any) -> Callable[[Sequence[str]], Any]:
    """Return an embedding function that answers *value*, whatever it is asked."""
    return lambda texts: value


async def promises(texts: Sequence[str]) -> list[list[float]]:
    return [[1.0]] * len(texts)


def fails(texts: Sequence[str]) -> Any:
    raise TimeoutError("no route to the model")


FAILURES = {
    "raised TimeoutError": fails,
    "returned 0 vectors for 1 texts": answers([]),
    "returned 2 vectors for 1 texts": answers([[1.0], [1.0]]),
    "raised TypeError": answers(None),
    "is async": promises,
    "a number that is not finite": answers([[1.0, math.nan]]),
    "a vector of zeros": answers([[0.0, 0.0]]),
    "a str in place of a vector": answers(["0.1, 0.2"]),
}


@pytest.mark.parametrize("problem", FAILURES)
def test_a_write_stands_when_its_vector_fails_and_the_receipt_says_so(problem: str) -> None:
    with client(embed=FAILURES[problem]) as m:
        receipt = m.add("Trinity bought a canoe")
        (other,) = m.add_many([{"content": "The kettle stands on the shelf"}])
        updated = m.update(other.id, content="The kettle stands on the stove")

        for each in (receipt, other, updated):
            assert each.verdict == "stored"
            assert problem in each.why
            assert "reembed" in each.why
        assert m.admin.stats().by_model == {}
        assert m.admin.check() == []


@pytest.mark.capability("AMOS-054", "MEMU-22")
@pytest.mark.parametrize("problem", FAILURES)
def test_a_search_is_answered_by_words_when_its_vector_fails_and_says_so(problem: str) -> None:
    with client(embed=FAILURES[problem]) as m:
        m.add("Trinity bought a canoe")

        hits = m.search("canoe")

        assert contents(hits) == ["Trinity bought a canoe"]
        assert hits.report.candidates.keys() == {"lexical", "resonance"}
        assert [problem in why for why in hits.report.degraded] == [True]
        alone = m.search("canoes", strategy="vector")
        assert contents(alone) == ["Trinity bought a canoe"]
        assert [problem in why for why in alone.report.degraded] == [True]


def test_one_bad_vector_of_many_costs_no_other_its_own() -> None:
    def embed(texts: Sequence[str]) -> list[list[float]]:
        return [[math.nan] if text == "bad" else [1.0, 2.0] for text in texts]

    with client(embed=embed) as m:
        receipts = m.add_many([{"content": each} for each in ("good", "bad", "fine")])

        assert ["no vector" in receipt.why for receipt in receipts] == [False, True, False]
        assert [*m.admin.stats().by_model.values()] == [2]


def test_a_vector_of_another_length_than_those_before_is_refused() -> None:
    lengths = iter([3, 3, 2, 3])

    def embed(texts: Sequence[str]) -> list[list[float]]:
        length = next(lengths)
        return [[1.0] * length for _ in texts]

    with client(embed=embed) as m:
        m.add("one")
        assert "no vector" not in m.add("two").why
        assert "returned 2 numbers where it returned 3 before" in m.add("three").why
        assert "no vector" not in m.add("four").why


def test_an_error_that_ends_the_program_is_not_swallowed() -> None:
    def embed(texts: Sequence[str]) -> Any:
        raise KeyboardInterrupt

    with client(embed=embed) as m:
        with pytest.raises(KeyboardInterrupt):
            m.add("tea")
        assert m.browse() == []


def test_a_failure_of_one_call_is_over_with_the_next() -> None:
    embed = FakeEmbedder(MEANINGS)
    with client(embed=embed) as m:
        embed.error = TimeoutError()
        pending = m.add("Trinity bought a canoe").id
        embed.error = None
        m.add("The kettle stands on the shelf")

        hits = m.search("kayak")

        assert hits == []
        (why,) = hits.report.degraded
        assert "1 of the last 2 memories" in why
        assert m.admin.reembed().embedded == 1
        assert m.search("kayak").ids == (pending,)


def test_a_deadline_cuts_a_function_that_hangs_and_words_answer() -> None:
    embed = FakeEmbedder(MEANINGS)
    released = Event()

    def hang(query: str) -> list[float]:
        released.wait()
        return embed([query])[0]

    with client(embed=embed, embed_query=hang) as m:
        canoe = m.add("Trinity bought a canoe").id

        first = m.search("canoe", deadline_ms=20)
        second = m.search("canoe", deadline_ms=20)
        released.set()

        assert first.ids == second.ids == (canoe,)
        assert "was cut after" in first.report.degraded[0]
        assert "still busy" in second.report.degraded[0]
        assert m.search("kayak").ids == (canoe,)


# Models, and what has no vector


@pytest.mark.capability("AMOS-055", "AMOS-056")
@pytest.mark.parametrize("lanes", [256, 384])
def test_fc_137_another_model_is_never_compared_with_the_old_and_can_take_over(
    tmp_path: Path, lanes: int, engine: str
) -> None:
    path = tmp_path / "memory.db"
    with client(path, engine=engine) as m:
        old = [m.add(each).id for each in ("a canoe", "a doze", "an espresso")]
        by_old_model = m.search("kayak")
    other = FakeEmbedder(MEANINGS, lanes=lanes, fingerprint="other")
    with client(path, engine=engine, embed=other) as m:
        fresh = m.add("the dinghy is new").id

        hits = m.search("kayak")
        assert hits.ids == (fresh,)
        assert any("3 of the last 4 memories" in why for why in hits.report.degraded)
        assert m.search("canoe").ids[0] == old[0]
        assert m.admin.stats().by_model == {"fake/256": 3, f"other/{lanes}": 1}

        step = m.admin.reembed(limit=2)
        assert (step.embedded, step.failed, step.remaining, step.why) == (2, 0, 1, "")
        assert m.admin.reembed().remaining == 0
        assert m.admin.reembed().embedded == 0

        assert {*m.search("kayak").ids} == {old[0], fresh}
        assert [why for why in m.search("kayak").report.degraded if "memories" in why] == []
        assert m.admin.stats().by_model == {f"other/{lanes}": 4}
        assert m.admin.check() == []
    assert by_old_model.ids == (old[0],)


def make(salt: str) -> Callable[[Sequence[str]], list[list[float]]]:
    """Return an embedding function that does not say which model it is."""
    model = FakeEmbedder(MEANINGS, fingerprint=salt)

    def embed(texts: Sequence[str]) -> list[list[float]]:
        return model(texts)

    return embed


def test_fc_137_models_that_do_not_name_themselves_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    name = f"{__name__}.make.<locals>.embed/256"
    with client(path, embed=make("one")) as m:
        m.add("a canoe")
    with client(path, embed=make("two")) as m:
        assert m.search("kayak").ids == ()
        m.add("a dinghy")
        assert m.admin.stats().by_model == {name: 1, f"{name}#2": 1}
    with client(path, embed=make("one")) as m:
        assert contents(m.search("kayak")) == ["a canoe"]
        m.add("a kayak at last")
        assert m.admin.stats().by_model == {name: 2, f"{name}#2": 1}
    with client(path, embed=make("two")) as m:
        assert contents(m.search("kayak", strategy="vector")) == ["a dinghy"]
        assert m.admin.reembed().embedded == 2
        assert m.admin.stats().by_model == {f"{name}#2": 3}
    with client(path, embed=make("two")) as m:
        assert len(m.search("kayak", strategy="vector")) == 3


def test_a_model_that_names_itself_is_asked_for_nothing_more(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with client(path) as m:
        m.add("a canoe")
    embed = FakeEmbedder(MEANINGS)
    with client(path, embed=embed) as m:
        m.search("kayak")

    assert embed.calls == [["kayak"]]


def test_a_client_without_embed_leaves_its_memories_pending(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with client(path) as m, MemoryClient(path, agent_id="neo", clock=FakeClock()) as plain:
        first = m.add("a canoe").id
        second = plain.add("a dinghy").id
        plain.update(first, content="a kayak park")

        assert m.search("kayak", strategy="vector").ids == ()
        assert (m.admin.reembed().embedded, m.admin.reembed().remaining) == (2, 0)
        assert {*m.search("kayak", strategy="vector").ids} == {first, second}
        assert plain.search("kayak").ids == (first,)


def test_reembedding_skips_a_text_that_fails_and_ends_when_all_do() -> None:
    embed = FakeEmbedder(MEANINGS)

    def picky(texts: Sequence[str]) -> list[list[float]]:
        if "bad" in texts:
            raise ValueError("this text is too long")
        return embed(texts)

    with client(embed=picky) as m:
        embed.error = TimeoutError()
        m.add_many([{"content": each} for each in ("good", "bad", "fine")])
        assert m.admin.reembed().why == "the embedding function raised TimeoutError"

        embed.error = None
        result = m.admin.reembed()

        assert (result.embedded, result.failed, result.remaining) == (2, 1, 1)
        assert m.admin.reembed().embedded == 0


def test_what_changes_while_it_is_reembedded_keeps_no_vector_of_what_it_said(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.db"
    embed = FakeEmbedder(MEANINGS)
    with MemoryClient(path, agent_id="neo", clock=FakeClock()) as plain:
        first = plain.add("a canoe").id

        def meddle(texts: Sequence[str]) -> list[list[float]]:
            if len(embed.calls) == 1:
                plain.update(first, content="a doze")
            return embed(texts)

        with client(path, embed=meddle) as m:
            assert m.admin.reembed().embedded == 0
            assert m.admin.reembed().embedded == 1
            assert m.search("slumber").ids == (first,)
            assert m.search("kayak").ids == ()


# semantic="auto"


@pytest.mark.capability("AMOS-051", "AMOS-054")
def test_auto_without_a_model_finds_other_spellings_and_forms() -> None:
    with MemoryClient(":memory:", semantic="auto") as m:
        m.add("Die Autoversicherung ist teuer")
        m.add("The kettle stands on the shelf")

        assert contents(m.search("Versicherungen")) == ["Die Autoversicherung ist teuer"]
        assert contents(m.search("kettles", strategy="vector")) == [
            "The kettle stands on the shelf"
        ]
        assert m.search("quarterly pineapple forecast") == []


def test_auto_without_a_model_adds_nothing_to_what_words_found() -> None:
    with MemoryClient(":memory:", semantic="auto") as m:
        m.add("Die Autoversicherung ist teuer")
        m.add("Die Versicherung zahlt")

        hits = m.search("Versicherung")

        assert contents(hits) == ["Die Versicherung zahlt"]
        assert hits[0].arms.keys() == {"lexical"}


@pytest.mark.capability("AMOS-052", "AMOS-053", "AMOS-054")
@pytest.mark.parametrize("installed", [False, True])
def test_auto_is_in_step_with_every_change(tmp_path: Path, installed: bool) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path, semantic="auto") as m, MemoryClient(path) as other:
        if not installed:
            m._parts.vectors._load = nothing_is_installed
        first = other.add("Die Autoversicherung ist teuer").id
        second = other.add("Rechnungen liegen im Keller").id
        assert m.search("Versicherungen").ids == (first,)
        other.update(first, content="Die Katze schläft")
        assert m.search("Versicherungen").ids == ()
        assert m.search("Katzen", strategy="vector").ids == (first,)
        other.delete(second)
        assert m.search("Rechnung", strategy="vector").ids == ()
        assert m.admin.stats().by_model == {}


def test_auto_says_what_is_not_installed_and_answers_all_the_same() -> None:
    with MemoryClient(":memory:", semantic="auto") as m:
        m._parts.vectors._load = nothing_is_installed
        m.add("Die Autoversicherung ist teuer")

        hits = m.search("Versicherungen")

        assert len(hits) == 1
        assert hits.report.degraded == (NO_TURBOVEC,)
        assert NO_TURBOVEC in m.admin.capabilities().notes


if find_spec("turbovec") and find_spec("numpy"):

    @pytest.mark.capability("AMOS-052")
    def test_auto_uses_turbovec_where_it_is_installed() -> None:
        with MemoryClient(":memory:", semantic="auto") as m:
            m.add("Die Autoversicherung ist teuer")

            assert m.search("Versicherungen").report.degraded == ()
            (cache,) = m._parts.vectors._caches.values()
            assert len(cache.engine) == 1
            assert type(cache.engine._index) is import_module("turbovec").IdMapIndex

    @pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
    @pytest.mark.parametrize("embed", [None, FakeEmbedder(MEANINGS)])
    def test_a_child_searches_after_a_fork(tmp_path: Path, embed: FakeEmbedder | None) -> None:
        with MemoryClient(tmp_path / "memory.db", embed=embed, semantic="auto") as m:
            m.add("Trinity bought a canoe")
            assert len(m.search("canoe", strategy="vector")) == 1
            child = os.fork()
            if child == 0:
                os._exit(0 if len(m.search("canoe", strategy="vector")) == 1 else 1)

            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# At the door


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"embed": 7}, "embed"),
        ({"embed": FakeEmbedder(), "embed_query": "x"}, "embed_query"),
        ({"embed_query": FakeEmbedder()}, "needs embed"),
        ({"semantic": "yes"}, "semantic"),
        ({"semantic": True}, "semantic"),
        ({"embed": FakeEmbedder(fingerprint=" ")}, "fingerprint"),
        ({"embed": FakeEmbedder(fingerprint="a*b")}, "fingerprint"),
    ],
    ids=str,
)
def test_a_bad_argument_is_refused(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        MemoryClient(":memory:", **options)


def test_a_view_does_not_reembed_and_sees_no_vectors() -> None:
    with client() as m:
        view = m.as_agent("neo")

        assert not hasattr(view, "reembed")
        with pytest.raises(NotPermitted):
            view.search("x", providers=[FakeProvider()])


class FakeProvider:
    name = "fake"

    def candidates(self, request: object) -> list[tuple[str, float]]:
        return []


def test_the_capabilities_name_the_model() -> None:
    with client() as m:
        assert m.admin.capabilities().embedder == "fake"
        m.add("tea")
        assert m.admin.capabilities().embedder == "fake/256"
        assert m.admin.capabilities().supports["vectors"]
        assert "vector" in m.admin.capabilities().usual


def test_a_setting_says_what_vectors_are_worth() -> None:
    silent = Settings(vector_weight=0.0)
    with client(settings=silent) as m:
        m.add("Trinity bought a canoe")

        assert m.search("kayak") == []
