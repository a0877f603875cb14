"""What one cannot see changes nothing that one can: no result, order, score, pack or count."""

import shutil
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_memory_os import AgentMemory, MemoryClient
from agent_memory_os.testing import FakeClock, FakeEntropy, memory_client

MANY = 5_000
QUERIES = [
    "deploy port",
    "which port does staging use?",
    "staging deploy lock 8000",
    "部署端口",
    "",
    None,
]
WHERE = {"metadata.env": "prod"}

VISIBLE: list[dict[str, object]] = [
    {"content": "Staging uses port 8000 for the deploy", "tags": ["ops"], "importance": 0.9},
    {"content": "The deploy of staging failed with a database lock", "type": "lesson"},
    {"content": "Port 9000 is taken by the old gateway", "metadata": {"env": "prod"}},
    {"content": "Always snapshot before a deploy", "pinned": True, "type": "procedure"},
    {"content": "部署端口是八千", "tags": ["ops", "zh"]},
    {"content": "Ada likes tea", "actor": "user:ada", "session": "s1"},
    {"content": "port port port", "layer": 0, "session": "s1"},
]


def better(number: int) -> dict[str, object]:
    """Return a memory that matches the queries better than any visible one does."""
    words = ["deploy port", "staging port 8000", "deploy staging lock 8000 port", "部署端口"]
    return {
        "content": f"{words[number % 4]} {number}",
        "importance": 1.0,
        "pinned": number % 500 == 0,
        "tags": ["ops"],
        "metadata": {"env": "prod"},
        "session": "s1",
        "type": "lesson",
    }


def answers(view: AgentMemory, ids: Sequence[str], queries: Sequence[str | None]) -> list[object]:
    """Return all that *view* can be asked, reports included; *ids* may name anything."""
    found: list[object] = []
    for query in queries:
        for hits in (
            view.search(query),
            view.search(query, limit=2, offset=1, min_score=0.2),
            view.search(query, tags=["ops"]),
            view.search(query, where=WHERE),
        ):
            found += [list(hits), hits.report]
        for tokens in (80, 1_200):
            pack = view.context_pack(query, max_tokens=tokens)
            found += [pack, str(pack)]
        found += [view.explain(query, memory_id) for memory_id in ids if view.get(memory_id)]
    found += [view.browse(limit=3, offset=offset) for offset in (0, 3, 6)]
    found += [view.browse(types=["lesson"]), view.browse(tags=["ops"]), view.browse(where=WHERE)]
    found += [view.get_many(ids), *(view.get(memory_id) for memory_id in ids)]
    found += [view.history(memory_id) for memory_id in ids]
    return found


@pytest.fixture
def m() -> Iterator[MemoryClient]:
    """Yield a memory in RAM whose clock stands still, sound when the test ends."""
    with memory_client() as client:
        yield client
        assert client.admin.check() == []


def added(m: MemoryClient, **fields: object) -> list[str]:
    receipts = m.add_many([{**item, **fields} for item in VISIBLE])
    assert {receipt.verdict for receipt in receipts} == {"stored"}
    return [receipt.id for receipt in receipts]


def crowd(m: MemoryClient, **fields: object) -> list[str]:
    receipts = m.add_many([{**better(number), **fields} for number in range(MANY)])
    return [receipt.id for receipt in receipts]


# (a) One among thousands


@pytest.mark.capability("AMOS-016", "AMOS-017")
def test_the_one_visible_memory_among_5000_that_match_better_is_found(m: MemoryClient) -> None:
    crowd(m, owner="trinity")
    one = m.add(
        "After a long meeting on many other things it was agreed that staging keeps its port",
        owner="neo",
    )

    assert m.search("staging port 8000", requester_agent_id="neo", limit=5).ids == (one.id,)
    pack = m.context_pack("staging port 8000", requester_agent_id="neo", max_tokens=200)
    assert [item.id for item in pack.items] == [one.id]


@pytest.mark.capability("AMOS-016", "AMOS-011")
def test_the_one_memory_of_the_team_among_5000_of_another_is_found(m: MemoryClient) -> None:
    for team, agent in [("apollo", "neo"), ("hermes", "zoe"), ("apollo", "ada")]:
        if team not in {each.id for each in m.org.teams()}:
            m.org.create_team(team)
        m.org.add_team_member(team, agent)
    crowd(m, owner="zoe", visibility=["team:hermes"])
    one = m.add("Staging, they say, has a port", owner="ada", visibility=["team:apollo"])

    assert m.search("staging port 8000", requester_agent_id="neo", limit=5).ids == (one.id,)


@pytest.mark.capability("MEMU-73")
def test_the_one_memory_of_a_bound_subject_among_5000_of_another_is_found(
    m: MemoryClient,
) -> None:
    crowd(m, owner="bot", subject="user:bob")
    one = m.add("Alice has asked for a port", owner="bot", subject="user:alice")

    view = m.as_agent("bot", subject="user:alice")

    assert view.search("staging port 8000", limit=5).ids == (one.id,)
    assert m.search("port", requester_agent_id="bot", subject="user:alice", limit=5).ids == (
        one.id,
    )


# (b) to (d) Thousands that change nothing


@pytest.mark.capability("AMOS-016", "AMOS-017")
def test_5000_invisible_memories_change_no_answer(m: MemoryClient) -> None:
    m.org.create_team("apollo")
    m.org.create_team("hermes")
    m.org.add_team_member("apollo", "neo")
    m.org.add_team_member("apollo", "ada")
    m.org.add_team_member("hermes", "zoe")
    ids = [*added(m, owner="neo"), *added(m, owner="ada", visibility=["team:apollo"])]
    neo = m.as_agent("neo")
    before = answers(neo, ids, QUERIES)

    hidden = crowd(m, owner="zoe", visibility=["team:hermes", "agent:trinity"])

    assert answers(neo, ids, QUERIES) == before
    assert answers(neo, hidden[:3], [])[6:] == [[], None, None, None, [], [], []]
    m.rebuild_indexes()
    assert answers(neo, ids, QUERIES) == before


@pytest.mark.capability("MEMU-73")
@pytest.mark.parametrize("shared", [False, True])
def test_5000_memories_of_another_subject_change_no_answer_of_a_bound_view(
    m: MemoryClient, shared: bool
) -> None:
    ids = [*added(m, owner="bot", subject="user:alice"), *added(m, owner="bot")]
    alice = m.as_agent("bot", subject="user:alice", shared=shared)
    before = answers(alice, ids, QUERIES)

    crowd(m, owner="bot", subject="user:bob")

    assert answers(alice, ids, QUERIES) == before


@pytest.mark.capability("AMOS-059")
def test_5000_expired_memories_change_no_answer() -> None:
    clock = FakeClock()
    with MemoryClient(":memory:", clock=clock, entropy=FakeEntropy()) as m:
        ids = added(m, owner="neo")
        neo = m.as_agent("neo")
        clock.advance(hours=1)
        before = answers(neo, ids, QUERIES)
        clock.advance(hours=-1)

        crowd(m, owner="neo", ttl=timedelta(minutes=1))
        clock.advance(hours=1)

        assert answers(neo, ids, QUERIES) == before
        assert m.admin.check() == []


@pytest.mark.capability("AIM-28")
def test_5000_deleted_memories_change_no_answer(m: MemoryClient) -> None:
    ids = added(m, owner="neo")
    neo = m.as_agent("neo")
    before = answers(neo, ids, QUERIES)

    for memory_id in crowd(m, owner="neo"):
        neo.delete(memory_id)

    assert answers(neo, ids, QUERIES) == before
    m.rebuild_indexes()
    assert answers(neo, ids, QUERIES) == before


@pytest.mark.capability("MEMU-73")
def test_what_the_agent_keeps_of_another_subject_is_not_hinted_at_by_an_empty_answer(
    m: MemoryClient,
) -> None:
    m.add("Alice exists", owner="another", subject="user:alice")
    alice = m.as_agent("bot", subject="user:alice")
    before = answers(alice, [], QUERIES)

    m.add("Bob exists", owner="bot", subject="user:bob")

    assert answers(alice, [], QUERIES) == before


# (e) The law


class Written(NamedTuple):
    """One memory of a small world."""

    content: str
    owner: str
    visibility: tuple[str, ...]
    subject: str | None
    fields: dict[str, Any]
    fate: str  # what happens to it after it is written


WORDS = ["port", "deploy", "staging", "lock", "8000", "tea", "部署", "端口"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["note", "lesson"]),
        "tags": st.lists(st.sampled_from(["ops", "port"]), max_size=2),
        "metadata": st.sampled_from([{}, {"env": "prod"}, {"env": 1}]),
        "importance": st.sampled_from([0.0, 0.5, 1.0]),
        "pinned": st.booleans(),
        "layer": st.integers(0, 2),
        "actor": st.sampled_from(["user:port", "agent:tea"]),
        "session": st.sampled_from(["s1", "s2"]),
    },
)
# To neo, who is in team apollo and not in hermes.
SEEN_BY_NEO = st.sampled_from(
    [
        ("neo", ()),
        ("neo", ("team:apollo", "team:hermes")),
        ("ada", ("team:apollo",)),
        ("zoe", ("agent:neo", "team:hermes")),
        ("zoe", ("global",)),
    ]
)
HIDDEN_FROM_NEO = st.sampled_from(
    [
        ("zoe", ()),
        ("zoe", ("team:hermes",)),
        ("ada", ("agent:neon", "agent:zoe")),
        ("smith", ("agent:ne",)),
    ]
)
FATES = st.sampled_from(["kept", "kept", "changed"])


def written(rights: Any, subjects: Any, fates: Any = FATES) -> Any:
    return st.builds(
        lambda content, right, subject, fields, fate: Written(
            content, *right, subject, fields, fate
        ),
        TEXTS,
        rights,
        subjects,
        FIELDS,
        fates,
    )


ANY_SUBJECT = st.sampled_from([None, "user:alice", "user:bob"])
LAST = st.sampled_from(["deleted", "expired"])
HIDDEN = st.one_of(
    written(HIDDEN_FROM_NEO, ANY_SUBJECT),
    written(SEEN_BY_NEO, ANY_SUBJECT, LAST),
)
HIDDEN_FROM_ALICE = st.one_of(
    HIDDEN,
    written(SEEN_BY_NEO, st.just("user:bob")),
)
LAW = settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file in which the teams are, and nothing is remembered."""
    path = tmp_path_factory.mktemp("law") / "empty.db"
    with MemoryClient(path, clock=FakeClock()) as m:
        for team in ("apollo", "hermes"):
            m.org.create_team(team)
        for team, agent in [
            ("apollo", "neo"),
            ("apollo", "ada"),
            ("hermes", "zoe"),
            ("hermes", "neo"),
        ]:
            m.org.add_team_member(team, agent)
    return path


def world(
    empty: Path, name: str, things: Sequence[Written | None]
) -> tuple[MemoryClient, list[str]]:
    """Return a memory in which *things* were written, each at a moment of its own, and its ids.

    None lets the moment pass, so that what is written later has the same id with and without.
    """
    path = empty.with_name(name)
    shutil.copyfile(empty, path)
    clock = FakeClock()
    m = MemoryClient(path, clock=clock, entropy=lambda _: 0)
    ids = []
    for thing in things:
        clock.advance(seconds=60)
        if thing is not None:
            ids.append(write(m, clock, thing))
    m.org.remove_team_member("hermes", "neo")
    clock.advance(hours=24)
    return m, ids


def write(m: MemoryClient, clock: FakeClock, thing: Written) -> str:
    receipt = m.add(
        thing.content,
        owner=thing.owner,
        visibility=thing.visibility,
        subject=thing.subject,
        ttl=timedelta(seconds=30) if thing.fate == "expired" else None,
        on_duplicate="store",
        **thing.fields,
    )
    clock.advance(seconds=1)
    if thing.fate == "changed":
        m.update(receipt.id, requester_agent_id=thing.owner, content=f"{thing.content} lock")
    if thing.fate == "deleted":
        m.delete(receipt.id, requester_agent_id=thing.owner)
    clock.advance(seconds=-1)
    return receipt.id


def both_worlds(
    empty: Path, things: Sequence[tuple[bool, Written]], **bound: Any
) -> tuple[list[object], list[object]]:
    """Return what neo is answered with the hidden ones of *things* never written, and with."""
    without, ids = world(empty, "without.db", [thing if seen else None for seen, thing in things])
    with without:
        expected = answers(without.as_agent("neo", **bound), ids, ["port deploy", "tea", None])
    full, _ = world(empty, "with.db", [thing for _, thing in things])
    with full:
        found = answers(full.as_agent("neo", **bound), ids, ["port deploy", "tea", None])
        assert full.admin.check() == []
    return expected, found


def mixed(seen: Any, hidden: Any) -> Any:
    return st.lists(
        st.one_of(
            st.tuples(st.just(True), seen),
            st.tuples(st.just(False), hidden),
        ),
        max_size=10,
    )


@pytest.mark.capability("AMOS-016", "AMOS-017", "AMOS-019")
@given(things=mixed(written(SEEN_BY_NEO, ANY_SUBJECT), HIDDEN))
@LAW
def test_no_set_of_hidden_memories_changes_any_answer(
    empty: Path, things: list[tuple[bool, Written]]
) -> None:
    expected, found = both_worlds(empty, things)

    assert found == expected


@pytest.mark.capability("MEMU-73", "MEMU-74")
@pytest.mark.parametrize("shared", [False, True])
@given(data=st.data())
@LAW
def test_no_set_of_hidden_memories_changes_any_answer_of_a_bound_view(
    empty: Path, shared: bool, data: st.DataObject
) -> None:
    own = st.sampled_from(["user:alice", None]) if shared else st.just("user:alice")
    things = data.draw(mixed(written(SEEN_BY_NEO, own), HIDDEN_FROM_ALICE))

    expected, found = both_worlds(empty, things, subject="user:alice", shared=shared)

    assert found == expected
