"""Rivals are found by what they are about, among all others, and their index can be made anew."""

from collections.abc import Iterator
from types import ModuleType

import pytest

from agent_memory_os import MemoryClient
from agent_memory_os.model import Draft, Memory, Visibility
from agent_memory_os.testing import DEFAULT_START_MS, FakeClock, FakeEntropy, memory_client

BENCH = "truth"
PORT = "The deploy port of apollo is {}"
# Two clauses in reverse order, of which neither begins nor ends as the other does; and "I moved",
# which tells nothing of what was before but who it was: it is looked up among the newest alone. Two
# that have no words in common: "an only child", "brothers". And those of which a dozen newer ones
# share as much with what is written, which are the more the more pairs there are.
MISSED = frozenset(
    "tune-zh-070 tune-en-236 tune-zh-230 held-zh-136 held-zh-210"
    " tune-zh-360 tune-en-054 tune-en-275 tune-en-335 tune-en-798 tune-zh-336 tune-zh-539"
    " held-en-142".split()
)


def rivals(m: MemoryClient, content: str, owner: str = "neo", **fields: object) -> list[Memory]:
    """Return what the store finds that *content* may have to do with."""
    draft = Draft(content, owner, **fields)  # type: ignore[arg-type]  # fields of a draft
    with m._parts.store.write() as tx:
        return tx.rivals(draft, Visibility(owner, tx.now_ms))


@pytest.fixture
def m() -> Iterator[MemoryClient]:
    """Yield a memory in RAM whose clock stands still, sound when the test ends."""
    with memory_client() as client:
        yield client
        assert client.admin.check() == []


@pytest.mark.capability("AMOS-045")
def test_whatever_the_rules_find_related_is_found_among_all_others(bench: ModuleType) -> None:
    """Each old statement is there but once; each new one is looked up among all of them."""
    pairs = bench.read(bench.PAIRS)
    with MemoryClient(":memory:", clock=FakeClock(), entropy=FakeEntropy()) as m:
        olds = list(dict.fromkeys(pair.old for pair in pairs))
        m.add_many({"content": old, "owner": "neo", "on_duplicate": "store"} for old in olds)
        # What is superseded by another pair is there still, for who does not see what did it.
        with m._parts.store.write() as tx:
            tx._pen.db.execute("UPDATE memories SET state = 0")  # type: ignore[attr-defined]  # SQLite
        related = [pair for pair in pairs if bench.by_rules(pair) != "unrelated"]
        missed = {
            pair.id
            for pair in related
            if pair.old not in {memory.content for memory in rivals(m, pair.new)}
        }

    assert len(related) > 800
    assert missed <= MISSED


def test_a_rival_is_found_however_many_say_so_or_otherwise_hidden_from_the_writer(
    m: MemoryClient,
) -> None:
    mine = m.add(PORT.format(8000), owner="neo").id
    for number in range(40):
        m.add("The deploy port of apollo is now 8080", owner=f"zoe{number}")
        m.add("The deploy port of apollo is not 8080", owner=f"ada{number}")

    found = rivals(m, "The deploy port of apollo is now 8080")

    assert [each.id for each in found] == [mine]


def test_the_writers_own_is_found_among_many_that_say_so_or_otherwise(m: MemoryClient) -> None:
    mine = m.add(PORT.format(8000), owner="neo").id
    for number in range(20):
        m.add(PORT.format(8080), owner=f"zoe{number}", visibility=["global"])
        m.add(PORT.format(8081), owner=f"ada{number}", visibility=["global"])

    receipt = m.add(PORT.format(8080), owner="neo")

    assert receipt.superseded == (mine,)
    assert receipt.conflicts


def test_a_subject_by_itself_is_no_topic(m: MemoryClient) -> None:
    m.add(PORT.format(8000), owner="neo", subject="project:apollo")

    assert rivals(m, PORT.format(8080)) == []
    assert len(rivals(m, PORT.format(8080), subject="project:apollo")) == 1


def test_events_scenes_and_what_is_long_have_no_topic(m: MemoryClient) -> None:
    long = "A tale of the deploy port that goes on and on " * 9
    m.add(PORT.format(8000), owner="neo", layer=0)
    m.add(PORT.format(8000), owner="neo", layer=2)
    m.add(long, owner="neo")

    assert rivals(m, PORT.format(8080)) == []
    assert rivals(m, long + "still") == []


# An index as any other


DAMAGE = {
    "topics": "DELETE FROM topics",
    "one topic": "DELETE FROM topics WHERE topic = (SELECT min(topic) FROM topics)",
    "a topic too many": "INSERT INTO topics SELECT 7, max(id) FROM memories",
    "a count of topics": "UPDATE memories SET topics = topics + 1 WHERE id = 1",
    "identities": "UPDATE memories SET identity = NULL",
    "another identity": "UPDATE memories SET identity = 7 WHERE layer = 1",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_topics_and_identities_can_be_lost_and_made_anew(damage: str) -> None:
    with memory_client() as m:
        old = m.add(PORT.format(8000), owner="neo").id
        twin = m.add("Tea at nine", owner="neo").id
        with m._parts.store.write() as tx:
            tx._pen.db.execute(DAMAGE[damage])  # type: ignore[attr-defined]  # of SQLite

        found = m.admin.check()
        m.rebuild_indexes()

        assert [each.kind for each in found] == ["topics"]
        assert m.admin.check() == []
        assert m.add("tea at nine.", owner="neo").id == twin
        assert m.add(PORT.format(8080), owner="neo").superseded == (old,)


@pytest.mark.parametrize("end", ["archive", "delete", "forget"])
def test_what_leaves_recall_leaves_the_topics(m: MemoryClient, end: str) -> None:
    gone = m.add(PORT.format(8000), owner="neo").id

    if end == "archive":
        m.admin.archive([gone])
    elif end == "delete":
        m.delete(gone, requester_agent_id="neo")
    else:
        m.forget(gone, requester_agent_id="neo")

    assert rivals(m, PORT.format(8080)) == []


def test_what_comes_back_is_about_the_same_again(m: MemoryClient) -> None:
    back = m.add(PORT.format(8000), owner="neo").id
    m.admin.archive([back])

    m.admin.unarchive([back])

    assert [each.id for each in rivals(m, PORT.format(8080))] == [back]


def test_what_is_changed_is_about_what_it_says_now(m: MemoryClient) -> None:
    changed = m.add(PORT.format(8000), owner="neo").id

    m.update(changed, content="The sky is blue", requester_agent_id="neo")

    assert rivals(m, PORT.format(8080)) == []
    assert [each.id for each in rivals(m, "The sky is not blue")] == [changed]


def test_the_moment_decides_who_is_a_rival(m: MemoryClient) -> None:
    m.add(PORT.format(8000), owner="neo", valid_to=m.add("x", owner="neo").memory.created_at)

    assert rivals(m, PORT.format(8080)) == []
    assert m._parts.clock.now_ms() == DEFAULT_START_MS


def test_of_those_that_differ_in_the_same_number_alone_two_stand_for_all(m: MemoryClient) -> None:
    """Or each of many lines that are only counted would be weighed against dozens before it."""
    m.add_many({"content": f"row {n} of 500"} for n in range(40))
    other = m.add("row one of the table is empty")

    with m._parts.store.write() as tx:
        draft = Draft("row 77 of 500", "local")
        found = tx.rivals(draft, Visibility("local", tx.now_ms))

    counted = [memory.content for memory in found if memory.id != other.id]
    assert counted == ["row 39 of 500", "row 38 of 500"]


def test_a_value_that_stands_behind_many_of_other_things_is_still_found(m: MemoryClient) -> None:
    old = m.add("The port of service-7 is 4000")
    m.add_many({"content": f"The port of service-{n} is {5000 + n}"} for n in range(8, 80))

    assert m.add("The port of service-7 is 4001").superseded == (old.id,)


def test_a_value_of_the_attribute_does_not_hide_what_is_said_without_one(m: MemoryClient) -> None:
    """It weighs more than all words, and those would else share too little beside it."""
    own = m.add("the deploy port of staging is 8000")
    m.add("8000 is the port", attribute="port", owner="zoe", visibility=["global"])

    said = m.add("the deploy port of staging is 9000", attribute="port")

    assert own.id in (*said.superseded, *said.conflicts)


def test_of_what_others_only_count_two_stand_for_all_and_of_their_values_each(
    m: MemoryClient,
) -> None:
    """A port is not counted: whoever says another one contradicts each of those who said one."""
    for n in range(8):
        m.add(f"row {n} of 500", owner=f"agent{n}", visibility=["global"])
        m.add(f"The port of apollo is {8000 + n}", owner=f"agent{n}", visibility=["global"])

    assert len(rivals(m, "row 77 of 500")) == 2
    assert len(rivals(m, "The port of apollo is 9000")) == 8
