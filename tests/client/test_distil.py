"""Distilling: events become atoms, once, of one partition; a distiller that fails loses none."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from agent_memory_os import (
    AsyncMemoryClient,
    Distillation,
    InvalidInput,
    MemoryClient,
    NotPermitted,
    WriteEvent,
    distil_prompt,
    redact_secrets,
)
from agent_memory_os.pure.distil import Decision, Turn
from agent_memory_os.pure.truth import Assertion
from agent_memory_os.testing import FakeClock, FakeEmbedder, memory_client

THEN = datetime(2026, 3, 2, 10, tzinfo=UTC)
DARK = ("user", "I prefer dark mode in every editor.")
POSTGRES = ("user", "We decided to use Postgres 16 for the billing service.")
Known = Sequence[Assertion]


def atoms(m: MemoryClient, **filters: Any) -> list[str]:
    """Return the contents of all atoms, the oldest first."""
    return [each.content for each in m.browse(layers=[1], **filters)][::-1]


def quote(turns: Sequence[Turn], known: Known) -> list[dict[str, object]]:
    """Decide to keep each turn as it is."""
    return [
        {"action": "add", "content": turn.content, "type": "fact", "evidence": [turn.id]}
        for turn in turns
    ]


def deciding(action: str, **more: object) -> Callable[[Sequence[Turn], Known], object]:
    """Return a distiller that decides this of the first turn, on the first memory there is."""

    def decide(turns: Sequence[Turn], known: Known) -> object:
        target = known[0].id if known else None
        return [{"action": action, "evidence": [turns[0].id], "target": target, **more}]

    return decide


def failing(turns: Sequence[Turn], known: Known) -> object:
    """Raise, with words in it that are nobody's business."""
    raise RuntimeError("the door code is 5521")


@pytest.fixture
def patience() -> Iterator[Event]:
    """Yield what a slow distiller waits for, and let it end."""
    event = Event()
    yield event
    event.set()


# By rules


@pytest.mark.capability("OOM-016", "OOM-017", "OOM-028")
def test_what_was_said_becomes_atoms_that_rest_on_the_words(m: MemoryClient) -> None:
    captured = m.capture([DARK, ("assistant", "Noted."), POSTGRES], session="s1")

    report = m.layers.distil("s1")

    assert [receipt.memory.type for receipt in report.receipts] == ["preference", "decision"]
    assert atoms(m) == [receipt.memory.content for receipt in report.receipts]
    assert [m.layers.evidence(each)[0].memory.id for each in report.ids] == [
        captured.ids[0],
        captured.ids[2],
    ]
    assert (report.events, report.skipped, report.notes) == (3, (), ())


def test_the_report_says_that_rules_decided(m: MemoryClient) -> None:
    assert m.layers.distil().by == "built-in rules for English and Chinese, no model"


def test_an_atom_has_the_actor_session_and_moment_of_its_first_event(m: MemoryClient) -> None:
    said = {"role": "user", "content": DARK[1], "occurred_at": THEN, "name": "ana"}
    m.capture([said], session="s1", subject="team:ui")

    (receipt,) = m.layers.distil("s1").receipts

    atom = receipt.memory
    assert (atom.actor, atom.session, atom.subject) == ("user:ana", "s1", "team:ui")
    assert (atom.occurred_at, atom.layer) == (THEN, 1)


def test_what_was_distilled_is_not_distilled_again(m: MemoryClient) -> None:
    m.capture([DARK], session="s1")
    m.layers.distil("s1")
    m.capture([POSTGRES], session="s1")

    second, third = m.layers.distil(), m.layers.distil("s1")

    assert (second.events, len(second.ids)) == (1, 1)
    assert third == Distillation(second.by, 0, (), ())
    assert len(atoms(m)) == 2


def test_what_was_said_before_something_that_was_forgotten_is_distilled(m: MemoryClient) -> None:
    m.capture([DARK], session="s1")
    last = m.add("rice at six").id

    m.forget(last)

    assert m.layers.distil().events == 1


def test_an_atom_that_was_deleted_does_not_come_back(m: MemoryClient) -> None:
    m.capture([DARK], session="s1")
    m.delete(m.layers.distil().ids[0])

    m.layers.distil()

    assert atoms(m) == []


def test_another_process_goes_on_where_one_left_off(tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "m.db") as first:
        first.capture([DARK], session="s1")
        first.layers.distil()
    with MemoryClient(tmp_path / "m.db") as second:
        second.capture([POSTGRES], session="s2")

        assert second.layers.distil().events == 1
        assert second.admin.check() == []


def test_a_call_that_is_broken_off_in_its_writing_has_written_and_marked_nothing(
    m: MemoryClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Atoms and the mark that their events are distilled are one transaction."""
    from agent_memory_os.store.sqlite import SqliteTransaction

    def die(*args: object) -> None:
        raise KeyboardInterrupt

    m.capture([DARK, POSTGRES], session="s1")
    with monkeypatch.context() as patched:
        patched.setattr(SqliteTransaction, "mark_distilled", die)
        with pytest.raises(KeyboardInterrupt):
            m.layers.distil()

    assert atoms(m) == []
    assert len(m.layers.distil().ids) == 2


def test_two_that_distil_the_same_double_nothing(m: MemoryClient) -> None:
    m.capture([DARK], session="s1")

    def overtaken(turns: Sequence[Turn], known: Known) -> object:
        m.layers.distil()
        return quote(turns, known)

    report = m.layers.distil(distiller=overtaken)

    assert len(atoms(m)) == 1
    assert (report.receipts, len(report.skipped)) == ((), 1)
    assert "meanwhile" in report.notes[0]


def test_events_that_were_narrowed_meanwhile_are_left_for_the_next_call(m: MemoryClient) -> None:
    (said,) = m.capture([DARK], session="s1", visibility=["global"]).ids

    def slow(turns: Sequence[Turn], known: Known) -> object:
        m.revoke(said, ["global"])
        return quote(turns, known)

    report = m.layers.distil(distiller=slow)

    assert (report.receipts, report.skipped) == ((), (said,))
    assert m.layers.distil().receipts[0].memory.visibility == ()


def test_a_dry_run_shows_the_decisions_and_writes_nothing(m: MemoryClient) -> None:
    m.capture([DARK], session="s1")

    report = m.layers.distil(dry_run=True)

    assert [(each.action, each.type) for each in report.decisions] == [("add", "preference")]
    assert report.dry_run
    assert all(receipt.dry_run for receipt in report.receipts)
    assert atoms(m) == []
    assert m.layers.distil().events == 1


def test_calls_of_tools_and_their_results_are_no_statements(m: MemoryClient) -> None:
    call = {"id": "c1", "function": {"name": "note", "arguments": "We decided to use Postgres 16."}}
    m.capture(
        [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "I prefer dark mode everywhere."},
        ],
        session="s1",
    )

    assert m.layers.distil().decisions == ()


@pytest.mark.capability("MEMU-67")
def test_what_is_said_again_gives_an_atom_more_evidence(m: MemoryClient) -> None:
    first, second = (m.capture([DARK], session=session).ids[0] for session in ("s1", "s2"))
    (atom,) = m.layers.distil("s1").ids

    report = m.layers.distil("s2")

    assert [(each.action, each.target) for each in report.decisions] == [("no change", atom)]
    assert [each.memory.id for each in m.layers.evidence(atom)] == [first, second]
    assert len(atoms(m)) == 1


def test_what_somebody_wrote_does_not_come_to_rest_on_an_event(m: MemoryClient) -> None:
    """Else forgetting the event would take along what was written by hand."""
    (said,) = m.capture([DARK], session="s1", subject="user:alice").ids
    m.add("Alice prefers dark mode in every editor.", subject="user:alice", type="preference")

    m.layers.distil()
    m.delete(said)

    assert atoms(m) == ["Alice prefers dark mode in every editor."]


def test_a_change_of_mind_supersedes_the_atom(m: MemoryClient) -> None:
    for session, city in (("s1", "Kyoto"), ("s2", "Lisbon")):
        m.capture([("user", f"I live in {city}.")], session=session, subject="user:alice")
        m.layers.distil()

    assert atoms(m) == ["Alice lives in Lisbon."]


def test_most_bounds_the_pairs(m: MemoryClient) -> None:
    m.capture([DARK, POSTGRES], session="s1")

    assert len(m.layers.distil(most=1).ids) == 1


def test_an_atom_has_a_vector_at_once() -> None:
    with MemoryClient(":memory:", embed=FakeEmbedder()) as m:
        m.capture([DARK], session="s1")
        (atom,) = m.layers.distil().ids

        assert atom in m.search("which mode?", strategy="vector").ids
        assert m.admin.reembed().embedded == 0


def test_the_host_is_told_of_the_atoms() -> None:
    told: list[WriteEvent] = []
    with MemoryClient(":memory:", on_write=told.append) as m:
        m.capture([DARK], session="s1")
        ids = m.layers.distil().ids

    assert [(event.verb, event.ids) for event in told][1:] == [("distil", ids)]


# One partition


def test_atoms_are_seen_by_who_sees_their_events_and_no_others(m: MemoryClient) -> None:
    m.capture([DARK], session="s1")
    m.capture([POSTGRES], session="s1", visibility=["agent:neo"])

    m.layers.distil("s1")

    assert [m.browse(layers=[1], requester_agent_id=each) == [] for each in ("neo", "ada")] == [
        False,
        True,
    ]
    assert atoms(m, requester_agent_id="neo") == atoms(m)[1:]


def test_a_distiller_is_shown_one_partition_at_a_time(m: MemoryClient) -> None:
    shown: list[tuple[set[str], set[str]]] = []

    def note(turns: Sequence[Turn], known: Known) -> object:
        shown.append(({turn.content for turn in turns}, {each.content for each in known}))
        return []

    m.add("private", subject="user:alice")
    m.add("public", subject="user:alice", visibility=["global"])
    m.add("of Bob", subject="user:bob")
    m.capture([("user", "a")], session="s1", subject="user:alice")
    m.capture([("user", "b")], session="s1", subject="user:alice", visibility=["global"])
    m.capture([("user", "c")], session="s1", subject="user:bob")
    m.capture([("user", "d")], session="s1", owner="neo")

    m.layers.distil(distiller=note)

    assert shown == [({"a"}, {"private"}), ({"b"}, {"public"}), ({"c"}, {"of Bob"})]


def test_only_the_agents_own_events_are_distilled(m: MemoryClient) -> None:
    m.capture([DARK], session="s1", owner="neo", visibility=["global"])

    assert m.layers.distil("s1").events == 0
    assert m.layers.distil("s1", owner="neo").events == 1


def test_a_subject_narrows_to_what_is_about_it(m: MemoryClient) -> None:
    m.capture([DARK], session="s1", subject="user:alice")
    m.capture([DARK], session="s2", subject="user:bob")

    assert m.layers.distil(subject="user:bob").events == 1


def test_a_bound_view_distils_its_subject_alone(m: MemoryClient) -> None:
    m.capture([DARK], session="s1", subject="user:bob")
    m.capture([DARK], session="s1")
    m.capture([DARK], session="s1", subject="user:alice")
    alice = m.as_agent("local", subject="user:alice", shared=True)

    assert [receipt.memory.subject for receipt in alice.layers.distil().receipts] == ["user:alice"]
    with pytest.raises(NotPermitted):
        alice.layers.distil(subject="user:bob")


def test_who_has_left_a_team_shares_no_atoms_with_it(m: MemoryClient) -> None:
    m.org.create_team("ui")
    m.org.add_team_member("ui", "local")
    m.capture([DARK], session="s1", visibility=["team:ui"])
    m.org.remove_team_member("ui", "local")

    assert m.layers.distil().receipts[0].memory.visibility == ()


def test_what_was_distilled_from_a_forgotten_event_alone_goes_with_it(m: MemoryClient) -> None:
    (said,) = m.capture([DARK], session="s1").ids
    m.layers.distil()

    m.forget(said)

    assert atoms(m) == []


def test_atoms_end_with_their_events() -> None:
    clock = FakeClock()
    with memory_client(clock=clock) as m:
        (said,) = m.capture([DARK], session="s1").ids
        m.update(said, ttl=timedelta(hours=1))
        m.layers.distil()
        clock.advance(hours=1)

        assert atoms(m) == []


def test_the_same_words_to_more_and_to_fewer_stand_apart(m: MemoryClient) -> None:
    said = {"role": "user", "content": DARK[1], "occurred_at": THEN}
    m.capture([said], session="s1", visibility=["global"])
    m.layers.distil()
    m.capture([said], session="s1")

    m.layers.distil()

    assert [each.visibility for each in m.browse(layers=[1])] == [(), ("global",)]


# With a distiller


@pytest.mark.capability("MEMU-24", "MEMU-42")
@pytest.mark.parametrize("form", ["mappings", "decisions", "text", "async"])
def test_a_distiller_may_answer_in_any_form(m: MemoryClient, form: str) -> None:
    async def later(turns: Sequence[Turn], known: Known) -> object:
        await asyncio.sleep(0)
        return quote(turns, known)

    ways: dict[str, Callable[[Sequence[Turn], Known], object]] = {
        "mappings": quote,
        "decisions": lambda turns, known: [Decision("add", "tea", "fact", (turns[0].id,))],
        "text": lambda turns, known: (
            f'Here: [{{"action": "add", "content": "tea", "evidence": ["{turns[0].id}"]}}]'
        ),
        "async": later,
    }
    m.capture([("user", "tea")], session="s1")

    report = m.layers.distil(distiller=ways[form])

    assert atoms(m) == ["tea"]
    assert report.by.endswith("a distiller of the host")


def test_a_prompt_can_be_made_of_what_a_distiller_is_given(m: MemoryClient) -> None:
    prompts: list[str] = []

    def model(turns: Sequence[Turn], known: Known) -> str:
        prompts.append(distil_prompt(turns, known))
        return "[]"

    m.add("Alice drinks tea")
    m.capture([("user", "I prefer coffee now")], session="s1")
    m.layers.distil(distiller=model)

    assert "Alice drinks tea" in prompts[0]
    assert "I prefer coffee now" in prompts[0]


def test_a_distiller_may_write_while_it_decides(m: MemoryClient) -> None:
    """Nothing is locked while it is asked."""

    def busy(turns: Sequence[Turn], known: Known) -> object:
        m.add("written meanwhile")
        return quote(turns, known)

    m.capture([("user", "tea")], session="s1")
    m.layers.distil(distiller=busy)

    assert atoms(m) == ["written meanwhile", "tea"]


def test_an_update_takes_the_place_of_its_target(m: MemoryClient) -> None:
    old = m.add("The office is on floor 3").id
    (said,) = m.capture([("user", "we moved upstairs")], session="s1").ids

    report = m.layers.distil(distiller=deciding("update", content="The office is on floor 4"))

    assert report.receipts[0].superseded == (old,)
    assert atoms(m) == ["The office is on floor 4"]
    assert [each.memory.id for each in m.layers.evidence(report.ids[0])] == [said]


def test_a_conflict_keeps_both(m: MemoryClient) -> None:
    old = m.add("The retreat is in June").id
    m.capture([("user", "somebody told me July")], session="s1")

    (receipt,) = m.layers.distil(
        distiller=deciding("conflict_with", content="The retreat may be in July")
    ).receipts

    assert (receipt.verdict, receipt.conflicts) == ("conflict", (old,))
    assert len(atoms(m)) == 2
    assert [each.relations for each in m.neighbors(receipt.id, relations=["contradicts"])]


def test_a_conflict_keeps_both_where_the_rules_would_supersede(m: MemoryClient) -> None:
    old = m.add("The deploy port is 8000").id
    m.capture([("user", "somebody told me it is 9000 now")], session="s1")

    (receipt,) = m.layers.distil(
        distiller=deciding("conflict_with", content="The deploy port is now 9000")
    ).receipts

    assert (receipt.verdict, receipt.superseded, receipt.conflicts) == ("conflict", (), (old,))
    assert len(atoms(m)) == 2
    assert m.neighbors(receipt.id, relations=["supersedes"]) == []


def test_no_change_writes_nothing_new(m: MemoryClient) -> None:
    old = m.add("Alice drinks tea").id
    m.capture([("user", "tea, as ever")], session="s1")

    report = m.layers.distil(distiller=deciding("no change"))

    assert (report.ids, atoms(m)) == ((old,), ["Alice drinks tea"])


def test_what_its_owner_has_rejected_is_not_distilled(m: MemoryClient) -> None:
    m.reject(m.add("tea", type="fact").id)
    m.capture([("user", "tea")], session="s1")

    report = m.layers.distil(distiller=quote)

    assert [receipt.verdict for receipt in report.receipts] == ["rejected"]
    assert atoms(m) == []


@pytest.mark.parametrize(
    "decision",
    [
        7,
        {"action": "explode"},
        {"content": " "},
        {"content": "x" * 201},
        {"evidence": []},
        {"evidence": ["f" * 25]},
        {"action": "update", "target": "f" * 25},
        {"visibility": ["global"]},
        {"type": "a\x00b"},
    ],
)
def test_a_decision_that_is_invalid_makes_nothing(m: MemoryClient, decision: Any) -> None:
    (said,) = m.capture([("user", "tea")], session="s1").ids

    def broken(turns: Sequence[Turn], known: Known) -> object:
        (fine,) = quote(turns, known)
        return [fine, {**fine, **decision} if isinstance(decision, dict) else decision]

    report = m.layers.distil(distiller=broken)

    assert (report.skipped, report.receipts, atoms(m)) == ((said,), (), [])
    assert "decision 2" in report.notes[0]


@pytest.mark.capability("MEMU-68")
def test_a_distiller_that_raises_is_asked_twice_and_loses_nothing(m: MemoryClient) -> None:
    asked = []

    def count(turns: Sequence[Turn], known: Known) -> object:
        asked.append(1)
        return failing(turns, known)

    (said,) = m.capture([DARK], session="s1").ids
    report = m.layers.distil(distiller=count)

    assert (len(asked), report.skipped) == (2, (said,))
    assert "raised RuntimeError, twice" in report.notes[0]
    assert "5521" not in report.notes[0]
    assert len(m.layers.distil().ids) == 1


def test_a_second_answer_counts(m: MemoryClient) -> None:
    answers = [failing, quote]
    m.capture([("user", "tea")], session="s1")

    report = m.layers.distil(distiller=lambda turns, known: answers.pop(0)(turns, known))

    assert (report.skipped, atoms(m)) == ((), ["tea"])


def test_a_slow_distiller_is_not_waited_for(m: MemoryClient, patience: Event) -> None:
    def slow(turns: Sequence[Turn], known: Known) -> object:
        patience.wait()
        return quote(turns, known)

    m.capture([("user", "tea")], session="s1")

    report = m.layers.distil(distiller=slow, timeout_s=0.01)

    assert "took longer than 0.01 s, twice" in report.notes[0]
    assert atoms(m) == []


def test_a_slow_coroutine_is_cancelled(m: MemoryClient) -> None:
    cancelled = Event()

    async def slow(turns: Sequence[Turn], known: Known) -> object:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        return []

    m.capture([("user", "tea")], session="s1")
    report = m.layers.distil(distiller=slow, timeout_s=0.05)

    assert "took longer" in report.notes[0]
    assert cancelled.wait(10)


def test_a_distiller_that_always_fails_is_left_alone(m: MemoryClient) -> None:
    for number in range(5):
        m.capture([("user", "tea")], session=f"s{number}")

    report = m.layers.distil(distiller=failing)

    assert (report.events, len(report.notes)) == (3, 4)
    assert m.layers.distil().events == 5


def test_what_a_distiller_writes_is_redacted() -> None:
    with MemoryClient(":memory:", redact=redact_secrets) as m:
        m.capture([("user", "here is the key")], session="s1")
        m.layers.distil(
            distiller=deciding("add", content="The key is sk-abcdefghijklmnopqrstuvwxyz0123456789")
        )

        assert "sk-abc" not in atoms(m)[0]


def test_a_redaction_that_fails_is_in_the_report() -> None:
    def refuse(text: str) -> str:
        if text == "no":
            raise ValueError(text)
        return text

    with MemoryClient(":memory:", redact=refuse) as m:
        (said,) = m.capture([("user", "yes")], session="s1").ids

        report = m.layers.distil(distiller=deciding("add", content="no"))

        assert (report.skipped, atoms(m)) == ((said,), [])
        assert "redact raised ValueError" in report.notes[0]


def test_most_bounds_a_distiller_too(m: MemoryClient) -> None:
    m.capture([("user", "tea"), ("user", "milk")], session="s1")

    report = m.layers.distil(distiller=quote, most=1)

    assert atoms(m) == ["tea"]
    assert report.notes == ("1 decisions on 2 events of session 's1' were over the most",)


def test_a_distiller_is_a_function(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="distiller"):
        m.layers.distil(distiller="rules")  # type: ignore[arg-type]  # refused


def test_many_events_are_distilled_a_hundred_at_a_time(m: MemoryClient) -> None:
    sizes = []

    def count(turns: Sequence[Turn], known: Known) -> object:
        sizes.append(len(turns))
        return []

    m.capture([("user", f"line {number}") for number in range(1_150)], session="s1")

    assert m.layers.distil(distiller=count).events == 1_150
    assert sizes == [100] * 11 + [50]


def test_it_is_awaited_as_well() -> None:
    async def main() -> Distillation:
        async with AsyncMemoryClient(":memory:") as m:
            await m.capture([DARK], session="s1")
            return await m.layers.distil("s1")

    assert len(asyncio.run(main()).ids) == 1
