"""What a draft does to what was there: merged, superseded, conflict or stored."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.truth import Assertion, Judgement, arbitrate, weigh

PORT = Assertion("The deploy port is 8000", "neo", id="a")
NEW_PORT = Assertion("The deploy port is 8080", "neo")
TEXTS = st.text() | st.text("The port is 8000. 端口是", max_size=20)


def relation(new: str, old: str) -> str:
    return weigh(Assertion(new, "neo"), Assertion(old, "neo")).relation


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Port it to C++", "Port it to C#"),
        ("The offset is -5", "The offset is 5"),
        ("Compare them with ==", "Compare them with !="),
        ("The port is 8000", "The port is 8001"),
        ("v1.2.3 is deployed", "v1.2.4 is deployed"),
        ("You may deploy", "You may not deploy"),
        ("The build is ✅", "The build is ❌"),
        ("It holds 10⁵ rows", "It holds 105 rows"),
        ("The link has 100 MB/s", "The link has 100 Mb/s"),
        ("It is mounted at /Data", "It is mounted at /data"),
        ("All tests pass", "Some tests pass"),
        ("Rest before the run", "Rest after the run"),
        ("Meet Alice on Monday", "Meet Alice on Tuesday"),
        ("Meet Alice on Monday", "Meet Bob on Monday"),
        ("The release is on May 3", "The release is on May 4"),
        ("It works", "Does it work?"),
        ("端口是8000", "端口是8001"),
        ("可以发布", "不可以发布"),
        ("周一开会", "周二开会"),
    ],
)
@pytest.mark.capability("MEMU-78")
def test_these_are_never_duplicates(one: str, other: str) -> None:
    assert relation(one, other) != "duplicate"
    assert relation(other, one) != "duplicate"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("API listens on port 8000", "API listens on port 8001"),
        ("rent is 950", "rent is 9500"),
        ("v1.2.3 deployed", "v1.2.4 deployed"),
    ],
)
def test_fc_111_another_number_is_noticed_and_never_merged(old: str, new: str) -> None:
    assert relation(new, old) in ("update", "conflict")


def test_fc_113_a_negation_alone_contradicts_nothing() -> None:
    notes = [
        "Use the blue key for the archive room",
        "You cannot close the archive room without the blue key",
        "Heron not seen in the dry pond",
        "Heron not seen on the east bank",
    ]

    assert {relation(one, other) for one in notes for other in notes if one != other} == {
        "unrelated"
    }


def test_fc_115_another_fact_about_the_same_person_invalidates_nothing() -> None:
    facts = [
        "Rui is head nurse at Elm Clinic",
        "Rui manages the Elm Clinic newsletter",
        "Rui asked for an audit",
    ]

    assert {relation(one, other) for one in facts for other in facts if one != other} == {
        "unrelated"
    }


def test_fc_117_two_decisions_of_one_pattern_are_two_decisions() -> None:
    cache = "We picked Redis over Memcached for the session cache"
    office = "We picked Oslo over Bergen for the summer office"

    assert relation(cache, office) == relation(office, cache) == "unrelated"


def test_another_writer_s_new_value_is_a_conflict() -> None:
    weighing = weigh(replace(NEW_PORT, owner="trinity"), PORT)

    assert weighing.relation == "conflict"
    assert weighing.why == "deploy port: 8000 became 8080; another writer said otherwise"


@pytest.mark.parametrize(
    ("draft", "rival", "doubt"),
    [
        ({"actor": "user:ann"}, {"actor": "user:bo"}, "another speaker said otherwise"),
        ({"occurred_ms": 1}, {"occurred_ms": 2}, "it tells of an earlier time"),
        ({"confidence": 0.4}, {}, "it is doubted, and what was there is not"),
    ],
)
def test_what_is_in_doubt_takes_no_place(
    draft: dict[str, object], rival: dict[str, object], doubt: str
) -> None:
    weighing = weigh(replace(NEW_PORT, **draft), replace(PORT, **rival))

    assert weighing.relation == "conflict"
    assert weighing.why.endswith(doubt)


@pytest.mark.parametrize(
    ("draft", "rival"),
    [
        ({"actor": "user:ann"}, {}),
        ({"occurred_ms": 2}, {"occurred_ms": 1}),
        ({"occurred_ms": 1}, {}),
        ({"confidence": 0.4}, {"confidence": 0.3}),
        ({"type": "fact"}, {"type": "environment"}),
    ],
)
def test_what_is_not_in_doubt_takes_the_place(
    draft: dict[str, object], rival: dict[str, object]
) -> None:
    assert weigh(replace(NEW_PORT, **draft), replace(PORT, **rival)).relation == "update"


def test_the_place_of_what_says_more_is_not_taken() -> None:
    old = Assertion("Alice lives in Paris and works at Acme", "neo")
    new = Assertion("Alice lives in Rome", "neo")

    assert weigh(new, old).relation == "conflict"
    assert weigh(old, new).relation == "update"


def test_an_attribute_of_nobody_takes_no_place_without_a_subject() -> None:
    old, new = Assertion("The port is 8000", "neo"), Assertion("The port is 8080", "neo")
    subject = "server:db1"

    assert weigh(new, old).relation == "conflict"
    assert weigh(replace(new, subject=subject), replace(old, subject=subject)).relation == "update"


def test_i_is_another_person_for_another_speaker() -> None:
    old, new = Assertion("I live in Paris", "neo"), Assertion("I live in Rome", "neo")

    assert weigh(new, old).relation == "update"
    assert weigh(replace(new, owner="trinity"), old).relation == "unrelated"


def test_she_is_replaced_only_where_a_subject_says_who_she_is() -> None:
    old, new = Assertion("She lives in Paris", "neo"), Assertion("She lives in Rome", "neo")
    subject = "user:ada"

    assert weigh(new, old).relation == "conflict"
    assert weigh(replace(new, owner="trinity"), old).relation == "unrelated"
    assert weigh(replace(new, subject=subject), replace(old, subject=subject)).relation == "update"


def test_another_subject_is_unrelated() -> None:
    assert weigh(replace(NEW_PORT, subject="server:db1"), PORT).relation == "unrelated"


@pytest.mark.parametrize("layer", [0, 2, 3])
def test_only_atoms_update_and_contradict(layer: int) -> None:
    assert weigh(replace(NEW_PORT, layer=layer), replace(PORT, layer=layer)).relation == "unrelated"


def test_events_are_no_duplicates_and_scenes_may_be() -> None:
    for layer, expected in ((0, "unrelated"), (1, "duplicate"), (2, "duplicate")):
        event = replace(PORT, layer=layer)
        assert weigh(event, event).relation == expected


def test_another_type_is_no_duplicate() -> None:
    assert weigh(replace(PORT, type="fact"), PORT).relation == "unrelated"


# Attributes.

PLAN = Assertion("basic", "neo", entity="user:ada", attribute="plan")


def test_a_new_value_of_an_attribute_takes_the_place() -> None:
    weighing = weigh(replace(PLAN, content="pro"), PLAN)

    assert weighing.relation == "update"
    assert weighing.why == "another value of 'plan' of 'user:ada'"


def test_another_owner_s_value_of_an_attribute_is_a_conflict() -> None:
    assert weigh(replace(PLAN, content="pro", owner="trinity"), PLAN).relation == "conflict"


@pytest.mark.parametrize("change", [{"attribute": "city"}, {"entity": "user:bo"}])
def test_another_attribute_or_entity_is_unrelated(change: dict[str, str]) -> None:
    assert weigh(replace(PLAN, content="pro", **change), PLAN).relation == "unrelated"


def test_the_entity_is_the_subject_where_none_is_named() -> None:
    by_subject = Assertion("basic", "neo", subject="user:ada", attribute="plan")
    named = replace(by_subject, content="pro", entity="user:ada")

    assert weigh(named, by_subject).relation == "update"


def test_the_same_value_of_an_attribute_is_a_duplicate() -> None:
    assert weigh(replace(PLAN, content="Basic."), replace(PLAN, content="Basic")).relation == (
        "duplicate"
    )


# The whole draft.


def test_nothing_like_it_is_stored() -> None:
    assert arbitrate(NEW_PORT, []) == Judgement("stored", "nothing like it was there")


def test_the_same_is_merged_whatever_else_there_is() -> None:
    twin, other = replace(NEW_PORT, id="b"), replace(NEW_PORT, id="c", owner="trinity")

    decision = arbitrate(NEW_PORT, [PORT, twin, other])

    assert (decision.verdict, decision.merged, decision.corroborates) == ("merged", ("b",), ("c",))
    assert decision.superseded == ()


def test_an_update_is_superseded_and_names_the_conflicts_too() -> None:
    other = replace(PORT, id="b", owner="trinity")

    decision = arbitrate(NEW_PORT, [other, PORT])

    assert (decision.verdict, decision.superseded, decision.conflicts) == (
        "superseded",
        ("a",),
        ("b",),
    )
    assert decision.why == "deploy port: 8000 became 8080"


def test_a_contradiction_is_a_conflict() -> None:
    decision = arbitrate(
        Assertion("The cache is disabled", "neo"),
        [Assertion("The cache is enabled", "neo", id="a")],
    )

    assert decision == Judgement(
        "conflict", "opposites: enabled against disabled", (), (), ("a",), ()
    )


def test_the_same_of_another_owner_is_stored_beside_it() -> None:
    decision = arbitrate(NEW_PORT, [replace(NEW_PORT, id="b", owner="trinity")])

    assert decision == Judgement("stored", "another owner says the same", corroborates=("b",))


# Laws.


@given(TEXTS, TEXTS)
def test_weighing_is_deterministic(one: str, other: str) -> None:
    draft, rival = Assertion(one, "neo"), Assertion(other, "neo")

    assert weigh(draft, rival) == weigh(draft, rival)


def test_a_huge_text_is_weighed_like_any_other() -> None:
    huge = "port 8000 端口 " * 60_000

    assert relation(huge, huge) == "duplicate"
    assert relation(huge, f"{huge}x") == "unrelated"
    assert relation("The deploy port is 8000", huge) == "unrelated"


@given(TEXTS, TEXTS)
def test_being_the_same_is_mutual(one: str, other: str) -> None:
    assert (relation(one, other) == "duplicate") == (relation(other, one) == "duplicate")


@given(st.text("abcdefgh ", min_size=1, max_size=60), st.text("ijklmnop ", min_size=1, max_size=60))
def test_texts_that_share_no_word_are_unrelated(one: str, other: str) -> None:
    assert relation(f"x{one}", f"y{other}") == "unrelated"


@given(st.text(max_size=60), st.text(max_size=60))
def test_random_texts_never_update_each_other(one: str, other: str) -> None:
    assert relation(one, other) != "update" or any(map(str.isdigit, one))


@given(TEXTS.filter(str.strip))
def test_a_statement_is_a_duplicate_of_itself(text: str) -> None:
    assert relation(text, text) == "duplicate"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Logs are public", "Logs are private"),
        ("Guests may print", "Guests may not print"),
        ("Use Redis for caching", "Use Valkey for caching"),
        ("We ship before noon", "We ship after noon"),
        ("访问日志是公开的", "访问日志是保密的"),
        ("小任吃肉", "小任不吃肉"),
    ],
)
def test_a_conflict_is_one_from_either_side(one: str, other: str) -> None:
    assert relation(one, other) == relation(other, one) == "conflict"
