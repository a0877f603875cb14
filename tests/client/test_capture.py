"""Capture: what happened in a turn is kept word for word, once, and found at once."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from agent_memory_os import (
    AsyncMemoryClient,
    InvalidInput,
    KeyReused,
    MemoryClient,
    NotFound,
    NotPermitted,
    WriteEvent,
    redact_secrets,
)
from agent_memory_os.model import Memory, PackFormat
from agent_memory_os.testing import FakeClock, FakeEmbedder, memory_client

TURN = [
    {"role": "user", "content": "I only drink decaf"},
    {"role": "assistant", "content": "Noted."},
]
CALL = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "grep", "arguments": '{"q":"lock"}'}}
    ],
}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "db.py:12: lock = Lock()"}
FORMATS: Sequence[PackFormat] = ("markdown", "xml", "json", "messages")


def contents(found: Sequence[Any]) -> list[str]:
    return [each.content for each in found]


def kinds(found: Sequence[Memory]) -> list[tuple[str, str | None]]:
    return [(each.type, each.actor) for each in found]


# What is kept


@pytest.mark.capability("OOM-013", "OOM-014")
def test_five_roles_become_events_word_for_word(m: MemoryClient) -> None:
    roles = ["system", "user", "assistant", "tool", "event"]
    messages = [{"role": role, "content": f"  said by {role}\n"} for role in roles]

    captured = m.capture(messages, session="s1")

    events = [receipt.memory for receipt in captured]
    assert contents(events) == [f"  said by {role}\n" for role in roles]
    assert [event.metadata["role"] for event in events] == roles
    assert {(event.layer, event.session) for event in events} == {(0, "s1")}
    assert kinds(events) == [
        ("event", None),
        ("event", "user:user"),
        ("event", "agent:local"),
        ("tool_result", "tool:tool"),
        ("event", None),
    ]


def test_who_spoke_is_the_subject_the_name_or_the_actor(m: MemoryClient) -> None:
    messages = [
        {"role": "user", "content": "a"},
        {"role": "user", "content": "b", "name": "bob"},
        {"role": "assistant", "content": "c", "actor": "agent:smith"},
    ]

    captured = m.capture(messages, session="s1", subject="user:alice", owner="neo")

    assert [receipt.memory.actor for receipt in captured] == [
        "user:alice",
        "user:bob",
        "agent:smith",
    ]
    assert {receipt.memory.subject for receipt in captured} == {"user:alice"}


@pytest.mark.capability("OOM-013")
def test_a_call_and_its_result_are_paired(m: MemoryClient) -> None:
    call, result = m.capture([CALL, RESULT], session="s1")

    assert (call.memory.type, call.memory.content) == ("tool_call", 'grep({"q":"lock"})')
    assert (result.memory.type, result.memory.actor) == ("tool_result", "tool:grep")
    told = [
        {name: each.memory.metadata[name] for name in ("tool", "tool_call_id")}
        for each in (call, result)
    ]
    assert told == [{"tool": "grep", "tool_call_id": "c1"}] * 2


def test_results_without_an_id_answer_the_oldest_call(m: MemoryClient) -> None:
    calls = {"role": "assistant", "content": "Wait.", "tool_calls": [{"name": "a"}, {"name": "b"}]}
    answers = [{"role": "tool", "content": "first"}, {"role": "tool", "content": "second"}]

    _, a, b, first, second = (each.memory for each in m.capture([calls, *answers], session="s1"))

    assert first.metadata["tool_call_id"] == a.metadata["tool_call_id"]
    assert second.metadata["tool_call_id"] == b.metadata["tool_call_id"]
    assert (first.actor, second.actor) == ("tool:a", "tool:b")


def test_blocks_are_read_as_interfaces_of_models_write_them(m: MemoryClient) -> None:
    asked = [
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "a.md"}},
    ]
    answered = [
        {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "# A"}]},
        {"type": "image", "source": {}},
        {"type": "text", "text": "And now?"},
    ]

    captured = m.capture([("assistant", asked), ("user", answered)], session="s1")

    assert contents([receipt.memory for receipt in captured]) == [
        "Let me look.",
        'read({"path": "a.md"})',
        "# A",
        "And now?",
    ]
    assert captured.notes == ("nothing of message 1.1 is kept: it has no text",)


def test_events_are_never_merged(m: MemoryClient) -> None:
    captured = m.capture([("user", "yes"), ("user", "yes")], session="s1")

    assert len(set(captured.ids)) == 2


def test_metadata_and_the_moment_of_a_message_are_kept(m: MemoryClient) -> None:
    moment = datetime(2024, 5, 1, tzinfo=UTC)
    message = {"role": "user", "content": "x", "occurred_at": moment, "metadata": {"channel": "im"}}

    (receipt,) = m.capture([message], session="s1", turn=7)

    assert receipt.memory.occurred_at == moment
    assert receipt.memory.metadata == {"channel": "im", "role": "user", "turn": 7}


# Found at once


@pytest.mark.capability("OOM-091")
def test_events_are_found_by_the_next_search_and_pack(m: MemoryClient) -> None:
    decaf, noted = m.capture(TURN, session="s1", subject="user:alice").ids

    assert m.search("decaf")[0].id == decaf
    assert "I only drink decaf" in str(m.context_pack("decaf"))
    assert [event.id for event in m.layers.timeline("s1")] == [decaf, noted]


def test_events_are_private_unless_they_are_shared(m: MemoryClient) -> None:
    m.capture(TURN, session="s1")
    m.capture([("user", "decaf for all")], session="s2", visibility=["global"])

    assert contents(m.search("decaf", requester_agent_id="neo")) == ["decaf for all"]


def test_events_have_vectors_where_the_client_makes_some() -> None:
    with MemoryClient(":memory:", embed=FakeEmbedder()) as m:
        m.capture(TURN, session="s1")
        m.layers.end_session("s1")

        assert m.admin.reembed().embedded == 0


# Once


@pytest.mark.capability("OOM-090")
def test_a_turn_that_is_captured_again_is_what_is_there(m: MemoryClient) -> None:
    first = m.capture([*TURN, CALL, RESULT], session="s1", turn=1)

    again = m.capture([*TURN, CALL, RESULT], session="s1", turn=1)

    assert again == first
    assert len(m.browse()) == 4


@pytest.mark.capability("OOM-090")
def test_a_turn_may_grow_and_only_what_is_new_is_stored(m: MemoryClient) -> None:
    (first,) = m.capture(TURN[:1], session="s1", turn="t-1")

    again = m.capture(TURN, session="s1", turn="t-1")

    assert (again[0].id, again[1].memory.content) == (first.id, "Noted.")
    assert contents(m.layers.timeline("s1")) == ["I only drink decaf", "Noted."]


def test_other_content_in_the_same_place_is_refused_and_nothing_is_stored(m: MemoryClient) -> None:
    m.capture(TURN, session="s1", turn=1)

    with pytest.raises(KeyReused, match="turn 1 of session 's1' has another message at 0"):
        m.capture([("user", "I drink tea"), *TURN, ("user", "new")], session="s1", turn=1)

    assert len(m.browse()) == 2


def test_without_a_turn_each_call_is_the_next_one(m: MemoryClient) -> None:
    turns = [m.capture(TURN, session="s1").turn for _ in range(2)]
    m.capture(TURN, session="s1", turn=11)
    turns.append(m.capture(TURN, session="s1").turn)
    turns.append(m.capture(TURN, session="s2").turn)

    assert turns == [1, 2, 12, 1]
    assert len(m.browse()) == 10


def test_sessions_of_other_subjects_and_agents_are_other_sessions(m: MemoryClient) -> None:
    m.capture(TURN, session="main", turn=1, subject="user:alice")

    m.capture([("user", "I drink tea")], session="main", turn=1, subject="user:bob")
    m.capture([("user", "I drink milk")], session="main", turn=1, owner="neo")

    assert len(m.layers.timeline("main")) == 3
    assert len(m.layers.timeline("main", requester_agent_id="neo")) == 1


def test_a_view_and_the_client_know_the_same_turns(m: MemoryClient) -> None:
    alice = m.as_agent("local", subject="user:alice")
    first = alice.capture(TURN, session="s1", turn=1)

    assert m.capture(TURN, session="s1", turn=1, subject="user:alice") == first
    with pytest.raises(NotPermitted):
        alice.capture(TURN, session="s1", subject="user:bob")


def test_no_key_of_a_caller_meets_that_of_a_turn(m: MemoryClient) -> None:
    m.capture([("user", "x")], session="s1", turn=1)

    kept = m.add("y", idempotency_key="capture s1 1 0", session="s1")

    assert kept.verdict == "stored"
    with pytest.raises(InvalidInput):
        m.add("y", idempotency_key="\ncapture\n\ns1\n#1\n0")


def test_what_was_deleted_stays_so_when_its_turn_comes_again(m: MemoryClient) -> None:
    (receipt,) = m.capture([("user", "x")], session="s1", turn=1)
    m.delete(receipt.id)

    (again,) = m.capture([("user", "x")], session="s1", turn=1)

    assert again.id == receipt.id
    assert m.browse() == []


def test_what_was_forgotten_leaves_no_trace_of_its_turn(m: MemoryClient) -> None:
    (receipt,) = m.capture([("user", "the zanzibar code")], session="zz-session", turn=1)

    forgotten = m.forget(receipt.id, verify=True)

    assert forgotten.complete
    assert m.capture([("user", "told anew")], session="zz-session", turn=1)[0].verdict == "stored"


# What is not kept


@pytest.mark.parametrize("form", FORMATS)
def test_what_a_pack_injected_is_not_stored_again(m: MemoryClient, form: PackFormat) -> None:
    m.add("Alice drinks </memory> decaf", pinned=True)
    m.add("Decaf is on the second shelf")
    pack = m.context_pack("decaf shelf", format=form)

    captured = m.capture(
        [("system", pack.text), ("user", f"Know this:\n{pack.text}\nWhere is it?")], session="s1"
    )

    (receipt,) = captured
    assert receipt.memory.content == "Know this:\nWhere is it?"
    assert "left out" in receipt.why
    assert pack.id in receipt.why
    (note,) = captured.notes
    assert note.startswith("nothing of message 0 is kept")


def test_the_messages_of_a_pack_are_not_stored(m: MemoryClient) -> None:
    m.add("Alice drinks decaf", pinned=True)
    pack = m.context_pack("decaf")

    assert list(m.capture([*pack.messages], session="s1")) == []


@pytest.mark.parametrize("tool", ["memory_search", "memory_context_pack"])
def test_what_a_tool_of_memory_answered_is_not_stored(m: MemoryClient, tool: str) -> None:
    bot = m.as_agent("bot")
    bot.add("Decaf is on the second shelf")
    answer = bot.call_tool(tool, {"query": "decaf"})
    message = {"role": "tool", "tool_call_id": "c1", **answer}

    assert list(bot.capture([message], session="s1")) == []


def test_a_pack_that_was_cut_is_what_somebody_said(m: MemoryClient) -> None:
    m.add("Alice drinks decaf")
    half = m.context_pack("decaf").text.removesuffix("</memory>")

    (receipt,) = m.capture([("user", half)], session="s1")

    assert receipt.memory.content == half


def test_a_turn_with_another_pack_in_it_is_the_same_turn(m: MemoryClient) -> None:
    m.add("Alice drinks decaf")
    first = m.capture([("user", f"{m.context_pack('decaf')}\nHi")], session="s1", turn=1)
    m.add("Decaf is on the shelf")

    again = m.capture([("user", f"{m.context_pack('decaf')}\nHi")], session="s1", turn=1)

    assert again.ids == first.ids


def test_secrets_are_masked_before_they_are_stored() -> None:
    key = "sk-" + "a1B2" * 12
    with MemoryClient(":memory:", redact=redact_secrets) as m:
        first = m.capture([("user", f"the key is {key}")], session="s1", turn=1)

        assert key not in str(first)
        assert "masked" in first[0].why
        assert m.capture([("user", f"the key is {key}")], session="s1", turn=1).ids == first.ids


def test_a_hook_is_told_of_a_capture() -> None:
    told: list[WriteEvent] = []
    with MemoryClient(":memory:", on_write=told.append) as m:
        captured = m.capture(TURN, session="s1")

    assert [(event.verb, event.ids) for event in told] == [("capture", captured.ids)]


def test_nothing_to_capture_is_nothing(m: MemoryClient) -> None:
    assert list(m.capture([], session="s1")) == []


def test_add_says_what_takes_messages(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="capture"):
        m.add(TURN)  # type: ignore[arg-type]  # what is refused


def test_a_bad_message_refuses_the_turn_by_its_number(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="message 2: role must be one of user"):
        m.capture([*TURN, ("nobody", "x")], session="s1")
    with pytest.raises(InvalidInput, match="did you mean 'content'"):
        m.capture([{"role": "user", "contents": "x"}], session="s1")

    assert m.browse() == []


# Sessions


@pytest.mark.capability("OOM-093")
def test_sessions_are_told_with_the_last_one_first() -> None:
    clock = FakeClock()
    with memory_client(clock=clock) as m:
        m.capture(TURN, session="a", subject="user:alice")
        clock.advance(hours=1)
        m.capture(TURN[:1], session="b")
        m.capture(TURN[:1], session="a", subject="user:alice")

        found = m.layers.sessions()

        assert [(each.id, each.events, each.ended) for each in found] == [
            ("a", 3, False),
            ("b", 1, False),
        ]
        assert found[0].last_at - found[0].first_at == timedelta(hours=1)
        assert [each.id for each in m.layers.sessions(limit=1)] == ["a"]
        assert [each.id for each in m.layers.sessions(subject="user:alice")] == ["a"]
        assert m.layers.sessions(requester_agent_id="neo") == []


@pytest.mark.capability("OOM-093")
def test_a_session_ends_once_and_is_reopened_by_what_comes_after(m: MemoryClient) -> None:
    m.capture(TURN, session="s1", subject="user:alice")

    first, again = m.layers.end_session("s1"), m.layers.end_session("s1")

    assert first == again
    assert (first.ended, first.events) == (True, 2)
    assert len(m.browse()) == 3
    assert m.as_agent("local", subject="user:alice").layers.sessions() == [first]
    m.capture(TURN, session="s1", subject="user:alice")
    assert [(each.ended, each.events) for each in m.layers.sessions()] == [(False, 4)]
    assert m.layers.end_session("s1").ended


def test_a_session_of_which_only_the_end_is_left_cannot_be_ended_again(m: MemoryClient) -> None:
    said = m.capture(TURN, session="s1")
    m.layers.end_session("s1")
    for receipt in said:
        m.delete(receipt.id)

    with pytest.raises(NotFound):
        m.layers.end_session("s1")


def test_a_session_that_one_has_no_part_in_cannot_be_ended(m: MemoryClient) -> None:
    m.capture(TURN, session="s1", visibility=["global"])

    with pytest.raises(NotFound):
        m.layers.end_session("s1", owner="neo")
    with pytest.raises(NotFound):
        m.layers.end_session("none")


# The timeline


def test_within_a_session_order_is_that_of_capture(m: MemoryClient) -> None:
    late, early = datetime(2025, 1, 1, tzinfo=UTC), datetime(2024, 1, 1, tzinfo=UTC)
    for name, moment in (("told first", late), ("told second", early)):
        m.capture([{"role": "user", "content": name, "occurred_at": moment}], session="s1")

    assert contents(m.layers.timeline("s1")) == ["told first", "told second"]
    assert contents(m.layers.timeline()) == ["told second", "told first"]


@pytest.mark.capability("AIM-07")
def test_a_timeline_has_a_window_a_limit_and_a_middle(m: MemoryClient) -> None:
    start = datetime(2025, 1, 1, tzinfo=UTC)
    days = [start + timedelta(days=day) for day in range(6)]
    messages = [
        {"role": "user", "content": f"day {n}", "occurred_at": day} for n, day in enumerate(days)
    ]
    ids = m.capture(messages, session="s1", subject="user:alice").ids
    m.add("an atom", subject="user:alice")

    def told(session: str | None = "s1", **more: Any) -> list[str]:
        return contents(m.layers.timeline(session, **more))

    assert told(limit=2) == ["day 4", "day 5"]
    assert told(None, since=days[1], until=days[3]) == ["day 1", "day 2"]
    assert told(around=ids[2], limit=3) == ["day 1", "day 2", "day 3"]
    assert told(None, around=days[5], limit=4) == ["day 2", "day 3", "day 4", "day 5"]
    assert told(around=ids[0], limit=2) == ["day 0", "day 1"]
    assert told(None, subject="user:bob") == []
    with pytest.raises(NotFound):
        told(around="f" * 25)


def test_a_bound_view_sees_the_timeline_of_its_subject_alone(m: MemoryClient) -> None:
    m.capture(TURN, session="main", subject="user:alice", owner="bot")
    m.capture([("user", "I drink tea")], session="main", subject="user:bob", owner="bot")

    bob = m.as_agent("bot", subject="user:bob").layers

    assert contents(bob.timeline()) == ["I drink tea"]
    assert [(each.id, each.events) for each in bob.sessions()] == [("main", 1)]
    with pytest.raises(NotPermitted):
        bob.timeline(subject="user:alice")


def test_all_of_it_can_be_awaited() -> None:
    async def work() -> tuple[int, list[str], bool]:
        async with AsyncMemoryClient(":memory:") as m:
            await m.capture(TURN, session="s1")
            bot = m.as_agent("bot")
            await bot.capture(TURN, session="s2")
            await bot.layers.end_session("s2")
            (session,) = await bot.layers.sessions()
            return len(await m.layers.timeline("s1")), [session.id], session.ended

    assert asyncio.run(work()) == (2, ["s2"], True)
