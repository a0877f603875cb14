"""Consolidating: true duplicates become one, nothing else does; concepts follow what is there."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agent_memory_os import (
    AsyncMemoryClient,
    Consolidation,
    InvalidInput,
    Memory,
    MemoryClient,
    NotFound,
    StoreBusy,
)
from agent_memory_os.model import Draft
from agent_memory_os.store.contract import Transaction
from agent_memory_os.tend import consolidate
from agent_memory_os.testing import FakeClock, FakeEmbedder, FakeEntropy

SAID = "The deploy port is 8000."
SAID_AGAIN = "the deploy port is 8000"
EVERYBODY = ["global"]
NOTHING = Consolidation(
    dry_run=False,
    at_ms=0,
    looked_at=0,
    merged=0,
    groups=(),
    concepts_made=0,
    concepts_updated=0,
    concepts_withdrawn=0,
    concepts=(),
    clusters=(),
)


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that moves only when told to."""
    return FakeClock()


@pytest.fixture
def m(clock: FakeClock) -> Iterator[MemoryClient]:
    """Yield a memory in RAM on that clock, sound when the test ends."""
    with MemoryClient(":memory:", clock=clock, entropy=FakeEntropy()) as client:
        yield client
        assert client.admin.check() == []


def twins(m: MemoryClient, *fields: Mapping[str, Any]) -> list[str]:
    """Write the same statement once with each of *fields*, and return the ids."""
    found = []
    for each in fields:
        m._parts.clock.advance(seconds=1)
        found.append(m.add(each.get("content", SAID), **_stored(each)).id)
    return found


def _stored(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"on_duplicate": "store", **{k: v for k, v in fields.items() if k != "content"}}


def undo(m: MemoryClient, memory_id: str) -> Memory:
    with m._parts.store.write() as tx:
        return consolidate.undo(tx, memory_id, m.admin._everything())


def rows_of(m: MemoryClient) -> list[tuple[Any, ...]]:
    """Return all that is kept of links, memories and history."""
    with m._parts.store.read() as snapshot:
        db = snapshot._line.db
        tables = ("links", "memories", "history", "audit", "topics", "partitions")
        return [row for table in tables for row in db.execute(f"SELECT * FROM {table}").fetchall()]


# What becomes one


@pytest.mark.capability("AMOS-060")
def test_the_oldest_stays_with_what_all_of_them_have(m: MemoryClient, clock: FakeClock) -> None:
    old, young, youngest = twins(
        m,
        {"tags": ["a"], "importance": 0.4, "confidence": 0.9},
        {"tags": ["b"], "importance": 0.9, "confidence": 0.5, "content": SAID_AGAIN},
        {"tags": ["a", "c"], "pinned": True},
    )

    report = m.consolidate()

    assert (report.merged, report.groups) == (2, ((old, young, youngest),))
    assert [memory.id for memory in m.browse()] == [old]
    memory = m.get(old)
    assert memory.tags == ("a", "b", "c")
    assert (memory.importance, memory.confidence, memory.pinned) == (0.9, 1.0, True)
    assert (memory.content, memory.mentions) == (SAID, 3)
    assert memory.created_ms < clock.now_ms()


@pytest.mark.capability("AMOS-060", "OOM-070")
def test_twice_is_once(m: MemoryClient) -> None:
    twins(m, {"tags": ["a"]}, {"tags": ["b"]})
    remembered_together(m)
    m.consolidate()
    before = rows_of(m)

    again = m.consolidate()

    assert (again.merged, again.concepts_made, again.concepts_updated) == (0, 0, 0)
    assert again.concepts_withdrawn == 0
    assert rows_of(m) == before


@pytest.mark.capability("AMOS-060")
def test_a_dry_run_says_the_same_and_changes_nothing(m: MemoryClient) -> None:
    old, young = twins(m, {"tags": ["a"]}, {"tags": ["b"]})
    others = [m.add(f"Deploys wait for review {word}").id for word in ("one", "two")]
    for _ in range(3):
        m.record_recall([young, *others])
    before = rows_of(m)

    planned = m.consolidate(dry_run=True)

    assert rows_of(m) == before
    done = m.consolidate()
    assert (planned.merged, planned.groups, planned.concepts_made) == (1, ((old, young),), 1)
    assert planned.clusters == done.clusters == (tuple(sorted([old, *others])),)
    assert planned.to_dict() | {"dry_run": False, "concepts": list(done.concepts)} == done.to_dict()


def test_there_is_nothing_to_do_in_an_empty_store(m: MemoryClient, clock: FakeClock) -> None:
    report = m.consolidate()

    assert report.to_dict() == NOTHING.to_dict() | {"at_ms": clock.now_ms()}
    assert report.at == datetime.fromtimestamp(clock.now_ms() / 1000, UTC)
    assert m.org.audit() == []


@pytest.mark.capability("AMOS-060")
def test_the_history_of_both_is_kept_and_names_the_other(m: MemoryClient) -> None:
    old, young = twins(m, {"tags": ["a"]}, {"tags": ["b"]})
    m.update(old, importance=0.9)
    m.update(young, importance=0.1)

    m.consolidate()

    kept, taken = m.history(old), m.history(young)
    assert [(each.kind, each.other) for each in kept] == [("update", None), ("consolidate", young)]
    assert [(each.kind, each.other) for each in taken] == [("update", None), ("consolidate", old)]
    assert kept[1].before == {"tags": ["a"], "mentions": 1}
    assert taken[1].before == {"state": "active"}
    assert [entry.action for entry in m.org.audit()] == ["consolidate"]


@pytest.mark.capability("AMOS-060")
def test_evidence_is_united(m: MemoryClient) -> None:
    events = [m.add(f"said in turn {turn}", layer=0).id for turn in (1, 2)]
    old, young = twins(m, {"evidence": [events[0]]}, {"evidence": [events[1]]})
    scene = m.add("A scene about ports", layer=2, evidence=[young]).id

    m.consolidate()

    assert [each.memory.id for each in m.layers.evidence(old)] == events
    assert [each.memory.id for each in m.layers.evidence(scene, depth=1)] == [old]


def test_links_of_both_directions_are_united_and_the_heaviest_counts(m: MemoryClient) -> None:
    old, young = twins(m, {}, {})
    one, other = m.add("The gateway listens").id, m.add("The balancer forwards").id
    m.link(young, one, relation="caused_by", weight=0.7)
    m.link(other, young, relation="next", weight=0.6)
    m.link(old, other, weight=0.2)
    m.link(young, other, weight=0.9)
    m.link(old, other, relation="heavy", weight=0.8)
    m.link(young, other, relation="heavy", weight=0.3)
    m.link(old, young, relation="see", weight=0.5)

    m.consolidate()

    near = {
        (each.memory.id, relation, each.direction, each.weight)
        for each in m.neighbors(old)
        for relation in each.relations
    }
    assert {(far, relation) for far, relation, *_ in near} == {
        (one, "caused_by"),
        (other, "next"),
        (other, "related_to"),
        (other, "heavy"),
    }
    with m._parts.store.read() as snapshot:
        assert [link.weight for link in snapshot.links(old, other)] == [0.9, 0.8]
        assert [link.weight for link in snapshot.links(other, old)] == [0.6]


def test_what_recalling_linked_keeps_one_direction(m: MemoryClient) -> None:
    """Or the next recall would make a second link between the same two."""
    old, other, young = twins(m, {}, {"content": "between"}, {})
    m.record_recall([other, young])
    m.consolidate()

    m.record_recall([other, old])

    with m._parts.store.read() as snapshot:
        assert [link.weight for link in snapshot.links(old, other)] == [0.36]
        assert snapshot.links(other, old) == []


def test_recalls_are_counted_together(m: MemoryClient, clock: FakeClock) -> None:
    old, young = twins(m, {}, {})
    m.record_recall([old])
    clock.advance(days=1)
    m.record_recall([young])
    m.record_recall([young], helpful=False)

    m.consolidate()

    memory = m.get(old)
    assert (memory.recalls, memory.helped, memory.last_recalled_ms) == (3, 2, clock.now_ms())


@pytest.mark.parametrize("layer", [1, 2, 3])
def test_each_layer_but_that_of_events_is_merged(m: MemoryClient, layer: int) -> None:
    twins(m, {"layer": layer}, {"layer": layer})

    assert m.consolidate().merged == 1


def test_a_long_text_is_merged_when_all_of_it_is_the_same(m: MemoryClient) -> None:
    long = "The runbook of staging. " * 400
    twins(m, {"content": long}, {"content": long}, {"content": long + "But not on Fridays."})

    assert m.consolidate().merged == 1
    assert len(m.browse()) == 2


# What stays

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
OTHERWISE: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "owner": ({}, {"owner": "neo"}),
    "subject": ({"subject": "user:a"}, {"subject": "user:b"}),
    "audience": ({}, {"visibility": EVERYBODY}),
    "type": ({}, {"type": "fact"}),
    "layer": ({}, {"layer": 2}),
    "metadata": ({"metadata": {"env": "prod"}}, {"metadata": {"env": "dev"}}),
    "new metadata": ({}, {"metadata": {"env": "prod"}}),
    "actor": ({"actor": "user:a"}, {"actor": "user:b"}),
    "moment": ({"occurred_at": NOON}, {"occurred_at": NOON + timedelta(days=1)}),
    "window": ({}, {"valid_to": datetime(2030, 1, 1, tzinfo=UTC)}),
    "end of the younger": ({}, {"ttl": timedelta(days=90)}),
    "end of the older": ({"ttl": timedelta(days=90)}, {}),
    "key": ({"key": "one"}, {"key": "two"}),
    "key of the younger": ({}, {"key": "two"}),
    "attribute": (
        {"entity": "server:a", "attribute": "port"},
        {"entity": "server:b", "attribute": "port"},
    ),
    "event": ({"layer": 0}, {"layer": 0}),
}


@pytest.mark.capability("AMOS-060")
@pytest.mark.parametrize("what", OTHERWISE)
def test_what_differs_otherwise_is_not_merged(m: MemoryClient, what: str) -> None:
    ids = twins(m, *OTHERWISE[what])
    before = rows_of(m)

    assert m.consolidate().merged == 0
    assert rows_of(m) == before
    assert len(ids) == len(set(ids))


NEVER = [
    ("She writes C++", "She writes C#"),
    ("The offset is -5", "The offset is 5"),
    ("Compare with ==", "Compare with !="),
    ("The port is 8000", "The port is 8001"),
    ("Pin it to v1.2.3", "Pin it to v1.2.4"),
    ("You may deploy on Fridays", "You may not deploy on Fridays"),
    ("Release ✅", "Release ❌"),
    ("It holds 10⁵ rows", "It holds 105 rows"),
    ("The link does 5 MB/s", "The link does 5 Mb/s"),
    ("Mount it at /Data", "Mount it at /data"),
    ("Alice likes tea", "Alice does not like tea"),
    ("We never restart on Mondays", "We restart on Mondays"),
    ("Retry is enabled", "Retry is disabled"),
    ("他喜欢喝茶", "他不喜欢喝茶"),
    ("端口是8000", "端口是8001"),
    ("可以重启", "不可以重启"),
    ("Run `make -j4`", "Run `make -J4`"),
    ("Set x = 1.0", "Set x = 10"),
    ("Meet at 3/4/2026", "Meet at 4/3/2026"),
]


@pytest.mark.capability("AMOS-042", "AMOS-060")
@pytest.mark.parametrize("pair", NEVER, ids=" | ".join)
def test_what_only_looks_alike_is_never_merged(m: MemoryClient, pair: tuple[str, str]) -> None:
    with m._parts.store.write() as tx:  # past the rules, which tell them apart already
        for content in pair:
            tx.insert(Draft(content, "local"))
    before = [memory.id for memory in m.browse()]
    assert len(before) == 2

    assert m.consolidate().merged == 0

    assert [memory.id for memory in m.browse()] == before


def test_a_shared_digest_is_not_enough(m: MemoryClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is 64 bits: the whole form is compared, here of all that have digest 7."""
    monkeypatch.setattr("agent_memory_os.store.sqlite.memories._digest", lambda content: 7)
    ids = [m.add(content, on_duplicate="store").id for content in ("tea", "coffee", "tea.")]

    report = m.consolidate()

    assert report.groups == ((ids[0], ids[2]),)
    monkeypatch.undo()
    m.rebuild_indexes()


def test_of_those_that_fit_the_oldest_takes_in(m: MemoryClient) -> None:
    prod, dev = {"metadata": {"env": "prod"}}, {"metadata": {"env": "dev"}}
    ids = twins(m, prod, dev, dev, {}, prod)

    report = m.consolidate()

    assert report.groups == ((ids[0], ids[3], ids[4]), (ids[1], ids[2]))


def test_what_was_superseded_is_not_brought_in(m: MemoryClient) -> None:
    """Its twin was told later, and is what holds."""
    old = twins(m, {})[0]
    m.add("The deploy port is 9000 now", supersedes=[old])
    young = twins(m, {"metadata": {"a": 1}})[0]

    assert m.consolidate().merged == 0
    assert m.get(young) is not None


def test_an_owner_or_a_subject_alone_is_dealt_with(m: MemoryClient) -> None:
    for owner in ("neo", "mouse"):
        for subject in ("user:a", "user:b"):
            twins(m, *[{"owner": owner, "subject": subject}] * 2)

    assert m.consolidate(owner="neo", subject="user:a").merged == 1
    assert m.consolidate(owner="mouse").merged == 2
    assert m.consolidate(subject="user:a").merged == 0
    assert m.consolidate(owner="nobody").merged == m.consolidate(subject="user:c").merged == 0
    assert m.consolidate().merged == 1


# What follows the one that stays


def test_forgetting_the_one_forgets_what_it_took_in(m: MemoryClient) -> None:
    said = "the safe opens with swordfish"
    old, young = twins(m, {"content": said}, {"content": f"{said}."})
    m.link(young, m.add("an evidence", layer=0).id, relation="derived_from")
    m.consolidate()

    receipt = m.forget(old, verify=True)

    assert {old, young} <= {*receipt.ids}
    assert receipt.complete
    assert m.admin.archived() == []


def test_what_was_revoked_stays_so_when_the_other_comes_back(m: MemoryClient) -> None:
    old, young = twins(m, {"visibility": EVERYBODY}, {"visibility": EVERYBODY})
    m.consolidate()
    m.revoke(old, EVERYBODY)

    undo(m, old)

    assert m.get(young).visibility == ()
    assert m.browse(requester_agent_id="trinity") == []


def test_an_end_of_the_one_is_that_of_what_it_took_in(m: MemoryClient, clock: FakeClock) -> None:
    old, young = twins(m, {}, {})
    m.consolidate()

    m.update(old, ttl=timedelta(days=1))

    assert m.admin.check() == []
    assert undo(m, old).expires_ms == m.get(old).expires_ms
    clock.advance(days=2)
    assert m.get(young) is None


def test_deleting_the_one_leaves_nothing_to_come_back(m: MemoryClient) -> None:
    old, young = twins(m, {}, {})
    m.consolidate()

    m.delete(old)

    assert m.admin.archived() == []
    with pytest.raises(InvalidInput, match="cannot come back"):
        undo(m, young)


def test_retention_keeps_what_uses_of_both_keep(m: MemoryClient, clock: FakeClock) -> None:
    old, young = twins(m, {}, {})
    clock.advance(days=350)
    m.record_recall([young])
    m.consolidate()
    clock.advance(days=300)

    assert m.admin.retention().archived == 0
    assert m.get(old) is not None


# Undoing


@pytest.mark.capability("AMOS-060")
@pytest.mark.parametrize("named", ["old", "young"])
def test_a_merger_is_taken_back_whole(m: MemoryClient, named: str) -> None:
    event, far = m.add("an event", layer=0).id, m.add("far away").id
    old, young = twins(m, {"tags": ["a"]}, {"tags": ["b"], "importance": 0.9, "evidence": [event]})
    m.link(young, far, weight=0.5)
    m.record_recall([young, far])
    before = [told(m, each) for each in (old, young)]
    m.consolidate()
    assert told(m, old) != before[0]

    back = undo(m, old if named == "old" else young)

    assert back.id == young
    after = [told(m, each) for each in (old, young)]
    assert [after[0][0], after[1][0]] == [before[0][0], before[1][0]]
    assert after[0][1] == {(young, "distinct_from")}
    assert after[1][1] == before[1][1] | {(old, "distinct_from")}


def test_a_link_that_both_had_stays_with_both(m: MemoryClient) -> None:
    far = m.add("far away").id
    old, young = twins(m, {}, {})
    m.link(old, far, weight=0.2)
    m.link(young, far, weight=0.7)
    m.consolidate()

    undo(m, old)

    with m._parts.store.read() as snapshot:
        weights = [[link.weight for link in snapshot.links(each, far)] for each in (old, young)]
    assert weights == [[0.7], [0.7]]


def told(m: MemoryClient, memory_id: str) -> tuple[dict[str, Any], set[tuple[str, str]]]:
    """Return the fields of a memory, and its links as far, relation."""
    fields = m.get(memory_id).to_dict()
    moved = ("version", "updated_ms", "last_recalled_ms")
    links = {(each.memory.id, name) for each in m.neighbors(memory_id) for name in each.relations}
    return {name: value for name, value in fields.items() if name not in moved}, links


def test_what_was_taken_back_is_not_merged_again(m: MemoryClient) -> None:
    old, young = twins(m, {}, {})
    m.consolidate()
    undo(m, old)

    assert m.consolidate().merged == 0
    assert {memory.id for memory in m.browse()} == {old, young}


def test_of_several_mergers_the_last_is_taken_back_first(m: MemoryClient) -> None:
    old, *young = twins(m, {"tags": ["a"]}, {"tags": ["b"]}, {"tags": ["c"]})
    m.consolidate()

    assert undo(m, old).id == young[1]
    assert m.get(old).tags == ("a", "b")
    assert undo(m, old).id == young[0]
    assert (m.get(old).tags, m.get(old).mentions) == (("a",), 1)
    with pytest.raises(InvalidInput, match="not merged"):
        undo(m, old)


def test_what_was_changed_since_stays_changed(m: MemoryClient) -> None:
    old, _ = twins(m, {"tags": ["a"]}, {"tags": ["b"], "importance": 0.9})
    m.consolidate()
    m.update(old, tags=["mine"])

    undo(m, old)

    assert (m.get(old).tags, m.get(old).importance) == (("mine",), 0.5)


@pytest.mark.parametrize("named", [0, 1], ids=["old", "young"])
def test_the_verb_takes_a_merger_back(m: MemoryClient, named: int) -> None:
    ids = twins(m, {"tags": ["a"]}, {"tags": ["b"]})
    m.consolidate()

    m.as_agent("local").undo(ids[named])

    assert [m.get(each).tags for each in ids] == [("a",), ("b",)]


def test_there_must_be_a_merger_to_take_back(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="not merged"):
        undo(m, m.add("tea").id)
    with pytest.raises(NotFound):
        undo(m, "f" * 25)


# Concepts


def remembered_together(
    m: MemoryClient, *contents: str, times: int = 3, **fields: Any
) -> list[str]:
    """Write some memories, say that recalling them together helped, and return their ids."""
    said = contents or (
        "Staging deploys by night.",
        "We deploy staging twice a week.",
        "Who watches staging deploys?",
    )
    ids = [m.add(content, **fields).id for content in said]
    recall(m, ids, times=times)
    return ids


def recall(m: MemoryClient, ids: list[str], *, times: int = 3) -> None:
    for _ in range(times):
        m.record_recall(ids)


def concepts(m: MemoryClient, **asked: Any) -> list[Memory]:
    return m.browse(types=["concept"], **asked)


@pytest.mark.capability("AMOS-060")
def test_what_is_recalled_together_gets_a_concept_that_rests_on_it(m: MemoryClient) -> None:
    ids = remembered_together(m, visibility=EVERYBODY, subject="project:apollo", tags=["ops"])

    report = m.consolidate()

    (made,) = concepts(m)
    assert (report.concepts_made, report.concepts, report.clusters) == (
        1,
        (made.id,),
        (tuple(ids),),
    )
    assert made.content == (
        "# Staging, deploys\n- Staging deploys by night.\n- We deploy staging twice a week.\n"
        "- Who watches staging deploys?"
    )
    assert (made.layer, made.owner, made.subject) == (2, "local", "project:apollo")
    assert (made.visibility, made.tags) == (("global",), ("ops",))
    assert made.metadata["co_recalled"] == 0.49
    assert [each.memory.id for each in m.layers.evidence(made.id)] == ids
    assert concepts(m, requester_agent_id="neo") != []


def test_one_recall_is_not_often(m: MemoryClient) -> None:
    remembered_together(m, times=1)

    assert m.consolidate().concepts_made == 0


def test_what_was_often_recalled_long_ago_gets_none(m: MemoryClient, clock: FakeClock) -> None:
    remembered_together(m)
    clock.advance(days=120)

    assert m.consolidate().concepts_made == 0


@pytest.mark.parametrize("field", ["owner", "subject", "visibility"])
def test_a_concept_is_of_one_partition(m: MemoryClient, field: str) -> None:
    values = {
        "owner": [{"owner": "neo"}, {"owner": "mouse"}, {"owner": "trinity"}],
        "subject": [{"subject": f"user:{name}"} for name in "abc"],
        "visibility": [{"visibility": ["global", f"agent:{name}"]} for name in "abc"],
    }[field]
    ids = [
        m.add(f"Deploys wait for review {at}", **{"visibility": EVERYBODY, **each}).id
        for at, each in enumerate(values)
    ]
    recall(m, ids)

    assert m.consolidate().concepts_made == 0


def test_a_concept_is_made_of_what_holds_from_a_moment_on(m: MemoryClient) -> None:
    ids = remembered_together(m, valid_from=datetime(2020, 1, 1, tzinfo=UTC))

    report = m.consolidate()

    assert (report.concepts_made, report.clusters) == (1, (tuple(ids),))
    assert m.consolidate().concepts_made == 0


def test_a_concept_grows_with_its_cluster(m: MemoryClient) -> None:
    ids = remembered_together(m)
    m.consolidate()
    (made,) = concepts(m)
    ids.append(m.add("Staging deploys need a green build").id)
    recall(m, ids)

    report = m.consolidate()

    assert (report.concepts_updated, report.concepts_made) == (1, 0)
    (grown,) = concepts(m)
    assert grown.id == made.id
    assert grown.content.endswith("\n- Staging deploys need a green build")
    assert [each.memory.id for each in m.layers.evidence(made.id)] == ids


def test_a_concept_that_grows_has_the_tags_that_all_have_and_those_of_its_owner(
    m: MemoryClient,
) -> None:
    ids = remembered_together(m, tags=["ops", "night"])
    m.consolidate()
    (made,) = concepts(m)
    m.update(made.id, tags=["ops", "night", "mine"])
    ids.append(m.add("Staging deploys need a green build", tags=["ops", "build"]).id)
    recall(m, ids)

    m.consolidate()

    assert m.get(made.id).tags == ("ops", "mine")


def test_a_concept_that_grows_loses_a_tag_that_its_sources_have_lost(m: MemoryClient) -> None:
    ids = remembered_together(m, tags=["ops"])
    m.consolidate()
    (made,) = concepts(m)
    m.update(made.id, tags=["ops", "mine"])
    for each in ids:
        m.update(each, tags=[])
    ids.append(m.add("Staging deploys need a green build").id)
    recall(m, ids)

    m.consolidate()

    assert m.get(made.id).tags == ("mine",)


def test_a_tag_of_the_owner_stays_when_the_sources_had_it_for_a_while(m: MemoryClient) -> None:
    ids = remembered_together(m)
    m.consolidate()
    (made,) = concepts(m)
    m.update(made.id, tags=["mine"])
    for tags, content in ((["mine"], "Staging deploys by day."), ([], "Staging deploys at noon.")):
        for each in ids:
            m.update(each, tags=tags)
        m.update(ids[0], content=content)
        m.consolidate()

    assert m.get(made.id).tags == ("mine",)


def test_a_concept_says_what_its_sources_say(m: MemoryClient) -> None:
    ids = remembered_together(m)
    m.consolidate()
    m.update(ids[0], content="Staging deploys by day.")

    assert m.consolidate().concepts_updated == 1
    assert "by night" not in concepts(m)[0].content


def test_what_somebody_wrote_into_a_concept_stays(m: MemoryClient) -> None:
    ids = remembered_together(m)
    m.consolidate()
    m.update(concepts(m)[0].id, content="All about staging")
    m.update(ids[0], content="Staging deploys by day.")

    assert m.consolidate().concepts_updated == 0
    assert concepts(m)[0].content == "All about staging"


LEAVING: Mapping[str, Callable[[MemoryClient, str], object]] = {
    "deleted": lambda m, source: m.delete(source),
    "forgotten": lambda m, source: m.forget(source, purge=False),
    "archived": lambda m, source: m.admin.archive([source]),
    "superseded": lambda m, source: m.add(
        "Staging deploys by day.", supersedes=[source], visibility=EVERYBODY
    ),
    "narrowed": lambda m, source: m.revoke(source, EVERYBODY),
    "ended": lambda m, source: m.update(source, ttl=timedelta(days=30)),
}


@pytest.mark.parametrize("how", LEAVING)
def test_a_concept_whose_source_has_left_leaves(m: MemoryClient, how: str) -> None:
    ids = remembered_together(m, visibility=EVERYBODY)
    m.consolidate()

    LEAVING[how](m, ids[0])
    m.consolidate()

    if how != "ended":  # that one ends with its source
        assert concepts(m) == []
    m._parts.clock.advance(days=31)
    assert concepts(m) == []
    assert m.consolidate().concepts_made == 0


def test_what_is_left_gets_a_concept_of_its_own(m: MemoryClient) -> None:
    contents = [f"Deploys wait for review {word}" for word in ("one", "two", "three", "four")]
    ids = remembered_together(m, *contents)
    m.consolidate()
    m.admin.archive([ids[0]])

    report = m.consolidate()

    assert (report.concepts_withdrawn, report.concepts_made) == (1, 1)
    assert report.clusters == (tuple(ids[1:]),)


@pytest.mark.parametrize("way", ["delete", "forget"])
def test_what_is_gone_is_quoted_no_longer_at_once(m: MemoryClient, way: str) -> None:
    """Not only when somebody consolidates again."""
    contents = [f"Deploys wait for {word}" for word in ("one", "two", "three", "swordfish")]
    ids = remembered_together(m, *contents)
    m.consolidate()

    getattr(m, way)(ids[3])

    assert concepts(m) == []
    assert "swordfish" not in str(m.context_pack("what do deploys wait for?"))


def test_what_was_superseded_is_quoted_to_nobody_who_knows(m: MemoryClient) -> None:
    ids = remembered_together(m, visibility=EVERYBODY)
    m.consolidate()
    m.add("Staging deploys by day now.", supersedes=[ids[0]])  # a private one

    assert concepts(m) == []
    assert len(concepts(m, requester_agent_id="trinity")) == 1
    m.consolidate()
    assert concepts(m) == []
    assert len(concepts(m, requester_agent_id="trinity")) == 1


def test_a_concept_that_was_deleted_does_not_come_back(m: MemoryClient) -> None:
    remembered_together(m)
    m.consolidate()
    m.delete(concepts(m)[0].id)

    assert m.consolidate().concepts_made == 0


def test_concepts_make_no_concepts(m: MemoryClient) -> None:
    ids = remembered_together(m)
    m.consolidate()
    recall(m, [concepts(m)[0].id, *ids])

    report = m.consolidate()

    assert (report.concepts_made, report.concepts_updated) == (0, 0)


def test_new_concepts_have_vectors_when_somebody_makes_them(clock: FakeClock) -> None:
    with MemoryClient(":memory:", clock=clock, embed=FakeEmbedder()) as m:
        remembered_together(m)

        assert m.consolidate().pending == "new concepts have no vectors yet: call admin.reembed()"
        assert m.admin.reembed().embedded == 1
        assert m.consolidate().pending == ""


def test_a_deleted_team_gives_its_name_to_no_concept(m: MemoryClient) -> None:
    m.org.create_team("ops")
    m.org.register_agent("local", teams=["ops"])
    remembered_together(m, visibility=["team:ops"])
    m.org.delete_team("ops")

    assert m.consolidate().concepts_made == 0


# One partition knows nothing of another


def visible_work(m: MemoryClient) -> list[str]:
    """Write what trinity sees, and return its ids."""
    fields = {"owner": "neo", "visibility": EVERYBODY}
    ids = twins(m, {**fields, "tags": ["a"]}, {**fields, "tags": ["b"]})
    ids += [m.add(f"Deploys wait for review {at}", **fields).id for at in range(3)]
    for _ in range(3):
        m.record_recall(ids[2:], requester_agent_id="neo")
    return ids


def hidden_work(m: MemoryClient, ids: list[str]) -> None:
    """Write what trinity does not see, like it and linked with it."""
    hidden = twins(m, *[{"owner": "neo"}] * 3, *[{"owner": "mouse", "subject": "user:x"}] * 2)
    hidden += [m.add(f"Deploys wait for secret review {at}", owner="neo").id for at in range(3)]
    for memory_id in hidden[:3]:
        m.link(ids[0], memory_id, requester_agent_id="neo")
        m.link(memory_id, ids[1], requester_agent_id="neo", weight=0.4)
    for _ in range(5):
        m.record_recall(hidden[5:], requester_agent_id="neo")


def seen_of(m: MemoryClient) -> list[object]:
    def seen(memory: Memory) -> dict[str, Any]:
        moved = (
            "id",
            "key",
            "version",
            "updated_ms",
            "created_ms",
            "occurred_ms",
            "access_version",
        )
        fields = memory.to_dict()
        return {name: value for name, value in fields.items() if name not in moved}

    visible = m.browse(requester_agent_id="trinity", limit=100)
    return [
        (
            seen(memory),
            [(c.kind, dict(c.before)) for c in m.history(memory.id, requester_agent_id="trinity")],
            [
                (seen(near.memory), near.relations)
                for near in m.neighbors(memory.id, requester_agent_id="trinity")
            ],
        )
        for memory in visible
    ]


@pytest.mark.capability("AMOS-016")
def test_what_is_hidden_changes_nothing_of_what_is_not() -> None:
    told = []
    for has_hidden in (False, True):
        with MemoryClient(":memory:", clock=FakeClock(), entropy=FakeEntropy()) as m:
            ids = visible_work(m)
            if has_hidden:
                hidden_work(m, ids)
            report = m.consolidate()
            assert report.merged == (4 if has_hidden else 1)
            told.append(seen_of(m))

    assert told[0] == told[1]


# In steps, and while others work


def test_progress_is_told_in_order_and_of_the_end_last(m: MemoryClient) -> None:
    for at in range(3):
        twins(m, *[{"content": f"note {at}"}] * 2)
    steps: list[tuple[int, int]] = []

    report = m.consolidate(progress=lambda done, total: steps.append((done, total)))

    assert report.merged == 3
    assert steps == [(0, 3), (3, 3)]


def test_whoever_breaks_it_off_goes_on_later(
    m: MemoryClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consolidate, "_BATCH", 2)
    for at in range(5):
        twins(m, *[{"content": f"note {at}"}] * 2)
    store, opened = m._parts.store, []
    write: Callable[..., AbstractContextManager[Transaction]] = store.write

    def breaking(**how: bool) -> AbstractContextManager[Transaction]:
        opened.append(how)
        if len(opened) == 3:
            raise StoreBusy("somebody writes")
        return write(**how)

    monkeypatch.setattr(store, "write", breaking)
    with pytest.raises(StoreBusy):
        m.consolidate()
    monkeypatch.undo()

    assert m.admin.check() == []
    assert len(m.browse()) == 6
    assert m.consolidate().merged == 1
    assert len(m.browse()) == 5


def test_one_that_changed_meanwhile_stays(m: MemoryClient) -> None:
    old, young = twins(m, {}, {})
    store, everything = m._parts.store, m.admin._everything()
    scope = consolidate._Scope(None, None, everything)
    m.update(young, content="The deploy port is 9000.")

    with store.write() as tx:
        assert not consolidate._merge(tx, (old, young), scope)


def test_a_great_many_twins_are_merged_in_pages(
    m: MemoryClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consolidate, "_PAGE", 7)
    m.add_many([{"content": SAID, "on_duplicate": "store"} for _ in range(40)])

    report = m.consolidate()

    assert (report.merged, report.looked_at) == (39, 40)
    assert m.browse()[0].mentions == 40


def test_it_can_be_awaited() -> None:
    async def main() -> int:
        async with AsyncMemoryClient(":memory:") as m:
            for _ in range(2):
                await m.add(SAID, on_duplicate="store")
            return (await m.consolidate()).merged

    assert asyncio.run(main()) == 1


def test_a_view_cannot_consolidate(m: MemoryClient) -> None:
    assert not hasattr(m.as_agent("neo"), "consolidate")
