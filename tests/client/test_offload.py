"""Offload: what is heavy is put away, had back whole, drawn, folded, shared and forgotten."""

import asyncio
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from agent_memory_os import (
    AgentMemory,
    AsyncMemoryClient,
    Handle,
    InvalidInput,
    KeyReused,
    MemoryClient,
    NotFound,
    NotPermitted,
    Redaction,
    Settings,
    StoreCorrupt,
)
from agent_memory_os.model import WriteEvent
from agent_memory_os.pure.tokens import estimate_tokens
from agent_memory_os.testing import FakeEmbedder

UNKNOWN_ID = "f" * 25
SHOWN = ["global"]


def a_log(size_bytes: int) -> str:
    """Return a log of a tool, with something that went wrong in the middle."""
    chance = random.Random(7)
    lines, size = [], 0
    while size < size_bytes:
        lines.append(
            f"12:00:{chance.randrange(60):02} INFO worker-{chance.randrange(32)} did {size}"
        )
        size += len(lines[-1]) + 1
    lines[len(lines) // 2] = "12:00:30 ERROR [db] Zanzibarrow refused the connection"
    return "\n".join(lines) + "\n"


# There and back


@pytest.mark.capability("OOM-043", "OOM-047", "OOM-032", "AMOS-100", "AMOS-101")
def test_a_log_of_2_mb_becomes_a_handle_of_200_tokens_and_comes_back_whole(m: MemoryClient) -> None:
    log = a_log(2_000_000)

    handle = m.offload.put(log, name="journalctl", session="s1")

    assert estimate_tokens(handle.text) == handle.tokens <= 200
    assert "ERROR [db] Zanzibarrow refused" in str(handle)
    assert m.offload.reload(handle) == m.offload.reload(handle.id) == log
    assert m.offload.reload(handle.text) == log


PAYLOADS: Sequence[str | bytes] = (
    *("", b"", "a", b"a", "\n", "\r\n\x00\x1b[31m", "größe 🙂\u2028日本", b"\xff\x00\xfe", "𝒳" * 9),
    *("x" * (1 << 18), b"x" * ((1 << 18) + 1), "é" * (1 << 18), a_log(600_000)),
)


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_what_was_put_comes_back_byte_for_byte_and_as_what_it_was(
    m: MemoryClient, payload: str | bytes
) -> None:
    found = m.offload.reload(m.offload.put(payload))

    assert found == payload
    assert type(found) is type(payload)


@pytest.mark.parametrize("payload", [p for p in PAYLOADS if len(p) > 3], ids=lambda p: len(p))
@pytest.mark.parametrize("part", [(0, 3), (2, None), (2, 0), (262_143, 3), (0, 10**9)])
def test_a_part_is_what_a_slice_is(
    m: MemoryClient, payload: str | bytes, part: tuple[int, int | None]
) -> None:
    offset, length = min(part[0], len(payload)), part[1]
    handle = m.offload.put(payload)

    stop = None if length is None else offset + length
    assert m.offload.reload(handle, offset=offset, length=length) == payload[offset:stop]


def test_lines_are_had_by_the_numbers_that_the_summary_tells(m: MemoryClient) -> None:
    handle = m.offload.put("one\ntwo\r\nthree failed\nfour")

    assert "line 3: three failed" in handle.summary
    assert m.offload.reload(handle, lines=(3, 3)) == "three failed\n"
    assert m.offload.reload(handle, lines=(2, 4)) == "two\r\nthree failed\nfour"
    assert m.offload.reload(handle, lines=(4, 9)) == "four"


@pytest.mark.parametrize(
    ("text", "part", "said"),
    [
        ("one\ntwo\n", {"lines": (3, 3)}, "line 3 is beyond the end: the last one is 2"),
        ("one\ntwo", {"lines": (3, 9), "grep": "o"}, "line 3 is beyond the end"),
        ("größe", {"offset": 6}, "offset 6 is beyond the end, which is at 5"),
        (b"bytes", {"offset": 6, "length": 0}, "offset 6 is beyond the end"),
        ("one\ntwo", {"lines": (3, 1)}, r"such as \(1, 3\), not \(3, 1\)"),
    ],
)
def test_a_part_beyond_the_end_or_back_to_front_is_said_to_be_so(
    m: MemoryClient, text: str | bytes, part: dict[str, Any], said: str
) -> None:
    handle = m.offload.put(text)

    with pytest.raises(InvalidInput, match=said):
        m.offload.reload(handle, **part)


def test_of_what_is_no_handle_nothing_is_beyond_the_end_either(m: MemoryClient) -> None:
    memory = m.add("tea")

    assert m.offload.reload(memory.id, offset=3) == ""
    with pytest.raises(InvalidInput, match="beyond the end"):
        m.offload.reload(memory.id, offset=4)


@pytest.mark.parametrize("message", [None, 7, "text", b"text", (1, 2), ("user",), {}, []])
def test_what_is_no_message_is_refused_by_its_number(m: MemoryClient, message: object) -> None:
    with pytest.raises(InvalidInput, match="message 1: it must be a mapping"):
        m.offload.fold([("user", "hi"), message], max_tokens=100)


def test_a_pair_of_a_role_and_a_content_is_folded_as_a_mapping_is(m: MemoryClient) -> None:
    said = [("user", "go"), ("assistant", "on"), ("tool", a_log(9_000)), ("assistant", "done")]

    folded = m.offload.fold(said, max_tokens=100, level="aggressive")

    assert folded.before_tokens > 1_000
    assert folded.messages[0] == {"role": "user", "content": "go"}
    assert folded.messages[2] == {"role": "tool", "content": str(folded.handles[0])}


def test_a_level_that_is_not_there_is_answered_with_the_nearest(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match=r"one of auto, mild, aggressive, .*mean 'mild'"):
        m.offload.fold([], max_tokens=1, level="midl")  # type: ignore[arg-type]  # as typed


def test_lines_that_hold_a_text_come_with_their_numbers(m: MemoryClient) -> None:
    handle = m.offload.put("a.*\nb\na.*\n")

    assert m.offload.reload(handle, grep="a.*") == "1:a.*\n3:a.*\n"
    assert m.offload.reload(handle, grep="a.*", lines=(2, 3)) == "3:a.*\n"
    assert m.offload.reload(handle, grep="A") == ""


def test_what_is_no_handle_is_its_own_original(m: MemoryClient) -> None:
    note = m.add("Alice likes tea").id

    assert m.offload.reload(note) == "Alice likes tea"
    assert m.offload.reload(note, offset=6, length=5) == "likes"


def test_a_handle_is_an_event_that_is_found_by_its_summary(m: MemoryClient) -> None:
    handle = m.offload.put(a_log(9_000), name="journalctl", session="s1", tags=["ops"])

    (hit,) = m.search("Zanzibarrow connection")
    assert hit.memory == handle.memory
    assert (hit.memory.layer, hit.memory.type, hit.memory.actor) == (
        0,
        "tool_result",
        "tool:journalctl",
    )
    note = cast("dict[str, object]", hit.memory.metadata["offload"])
    assert note["digest"] == handle.digest
    assert note["bytes"] == handle.size_bytes == len(a_log(9_000))


def test_the_words_of_the_payload_are_in_no_index(m: MemoryClient) -> None:
    m.offload.put("\n".join(["begin", *["quokka"] * 90, "end"]), summary="animals")

    assert m.search("quokka").ids == ()


def test_a_summary_of_the_callers_takes_the_place_of_the_rules(m: MemoryClient) -> None:
    handle = m.offload.put("a\nb\n", name="ls", summary="Two files, nothing odd.")

    assert handle.summary == "ls: text, 2 lines, 4 bytes\nTwo files, nothing odd."


def test_a_summary_that_is_too_long_is_cut_in_the_handle_alone(m: MemoryClient) -> None:
    handle = m.offload.put("a", summary="word " * 2_000)

    assert handle.tokens <= 200
    assert handle.text.endswith("…")
    assert handle.summary.endswith("word " * 2_000)


def test_the_host_counts_by_its_own_counter() -> None:
    with MemoryClient(":memory:", count_tokens=len, settings=Settings(handle_tokens=120)) as m:
        handle = m.offload.put(a_log(9_000))

    assert len(handle.text) == handle.tokens <= 120


# Once, and apart


def stored(m: MemoryClient) -> tuple[int, int]:
    """Return how many payloads and how many pieces there are, and look at nothing else."""
    with m._parts.store.connections.read(lambda db: db) as db:  # type: ignore[attr-defined]
        return tuple(
            db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("payloads", "chunks")
        )


def test_equal_bytes_of_an_owner_and_a_subject_are_kept_once(m: MemoryClient) -> None:
    first, second = m.offload.put("the same"), m.offload.put(b"the same")

    assert first.id != second.id
    assert stored(m) == (1, 1)
    assert (m.offload.reload(first), m.offload.reload(second)) == ("the same", b"the same")


def test_equal_bytes_of_others_are_kept_apart_and_nobody_takes_them_along(m: MemoryClient) -> None:
    mine = m.offload.put("the same", owner="neo")
    others = m.offload.put("the same", owner="ada")
    about = m.offload.put("the same", owner="neo", subject="user:alice")
    assert stored(m)[0] == 3

    receipts = [m.forget(mine.id, requester_agent_id="neo", verify=True)]

    assert receipts[0].complete
    assert m.offload.reload(others, requester_agent_id="ada") == "the same"
    assert m.offload.reload(about, requester_agent_id="neo") == "the same"


def test_the_last_handle_takes_the_bytes_along_and_no_other(m: MemoryClient) -> None:
    first, second = m.offload.put("the same"), m.offload.put("the same")

    m.forget(first.id)
    assert m.offload.reload(second) == "the same"
    m.forget(second.id)

    assert stored(m) == (0, 0)


def test_a_call_that_is_repeated_with_its_key_returns_the_first_handle(m: MemoryClient) -> None:
    first = m.offload.put("a log", idempotency_key="k")

    assert m.offload.put("a log", idempotency_key="k") == first
    with pytest.raises(KeyReused):
        m.offload.put("another log", idempotency_key="k")


# Who may


@pytest.mark.parametrize("verb", ["reload", "snapshot_diff"])
def test_what_one_may_not_see_is_as_if_it_were_not_there(m: MemoryClient, verb: str) -> None:
    hidden = m.offload.put("the door code is 5521", owner="neo")
    ada = m.as_agent("ada")

    def asked(ref: str) -> str:
        more = [ref] if verb == "snapshot_diff" else []
        with pytest.raises(NotFound) as raised:
            getattr(ada.offload, verb)(ref, *more)
        return str(raised.value).replace(ref, "?")

    assert asked(hidden.id) == asked(UNKNOWN_ID)


def test_whoever_sees_the_handle_has_the_payload_until_it_is_taken_back(m: MemoryClient) -> None:
    handle = m.offload.put("a log", owner="neo", visibility=["agent:ada"])
    ada = m.as_agent("ada")
    assert ada.offload.reload(handle) == "a log"

    m.revoke(handle.id, ["agent:ada"], requester_agent_id="neo")

    with pytest.raises(NotFound):
        ada.offload.reload(handle)


@pytest.fixture
def alice(m: MemoryClient) -> AgentMemory:
    """Return memory that is bound to Alice."""
    return m.as_agent("bot", subject="user:alice")


def test_a_bound_view_puts_and_reloads_what_is_about_its_subject(
    m: MemoryClient, alice: AgentMemory
) -> None:
    handle = alice.offload.put("Alice's log")
    bob = m.as_agent("bot", subject="user:bob")

    assert handle.memory.subject == "user:alice"
    assert alice.offload.reload(handle) == "Alice's log"
    with pytest.raises(NotFound):
        bob.offload.reload(handle)
    with pytest.raises(NotPermitted):
        bob.offload.put("x", subject="user:alice")
    with pytest.raises(NotPermitted):
        bob.offload.fold([], max_tokens=1, subject="user:alice")


def test_nobody_puts_into_a_team_that_is_not_theirs(m: MemoryClient) -> None:
    m.org.create_team("apollo")

    with pytest.raises(NotPermitted):
        m.offload.put("a log", owner="neo", visibility=["team:apollo"])

    assert stored(m) == (0, 0)


def test_what_was_deleted_is_not_reloaded_and_comes_back_with_its_handle(m: MemoryClient) -> None:
    handle = m.offload.put("a log")
    m.admin.archive([handle.id])

    with pytest.raises(NotFound):
        m.offload.reload(handle)
    m.admin.unarchive([handle.id])

    assert m.offload.reload(handle) == "a log"


# Bad input


@pytest.mark.parametrize(
    "call",
    [
        lambda m: m.offload.put(7),
        lambda m: m.offload.put("\ud800"),
        lambda m: m.offload.put("x" * 1_001),
        lambda m: m.offload.put("ü" * 501),
        lambda m: m.offload.put("x", name=""),
        lambda m: m.offload.put("x", summary=" "),
        lambda m: m.offload.put("x", kind=" "),
        lambda m: m.offload.put("x", tool_call_id=7),
        lambda m: m.offload.put("x", metadata=[]),
        lambda m: m.offload.put("x", key="k"),
        lambda m: m.offload.put("x", layer=1),
        lambda m: m.offload.put("x", sesion="s"),
        lambda m: m.offload.reload(7),
        lambda m: m.offload.reload("x", offset=-1),
        lambda m: m.offload.reload("x", length=-1),
        lambda m: m.offload.reload("x", lines=(0, 1)),
        lambda m: m.offload.reload("x", lines=3),
        lambda m: m.offload.reload("x", grep=7),
        lambda m: m.offload.reload("x", grep="a", offset=1),
        lambda m: m.offload.reload("t1_3", session="s"),
        lambda m: m.offload.task_graph(""),
        lambda m: m.offload.task_graph("s", max_tokens=-1),
        lambda m: m.offload.fold("x", max_tokens=1),
        lambda m: m.offload.fold([], max_tokens=0),
        lambda m: m.offload.fold([], max_tokens=1, used_tokens=-1),
        lambda m: m.offload.fold([], max_tokens=1, level="wild"),
    ],
)
def test_a_bad_argument_is_refused_and_nothing_is_written(call: Any) -> None:
    with MemoryClient(":memory:", settings=Settings(max_payload_bytes=1_000)) as m:
        with pytest.raises(InvalidInput):
            call(m)

        assert (m.browse(), stored(m)) == ([], (0, 0))


def test_bytes_have_no_lines_and_no_differences(m: MemoryClient) -> None:
    handle = m.offload.put(b"a\nb")

    with pytest.raises(InvalidInput, match="bytes"):
        m.offload.reload(handle, lines=(1, 1))
    with pytest.raises(InvalidInput, match="bytes"):
        m.offload.snapshot_diff(handle, handle)


# Hooks, models, asyncio


def test_what_redact_masks_is_in_no_payload() -> None:
    def mask(text: str) -> Redaction:
        return Redaction(text.replace("hunter2", "*"), {"password": text.count("hunter2")})

    with MemoryClient(":memory:", redact=mask) as m:
        text, raw = m.offload.put("password: hunter2"), m.offload.put(b"password: hunter2")

        assert m.offload.reload(text) == "password: *"
        assert m.offload.reload(raw) == b"password: *"
        assert "redact masked password (1)" in text.why
        with pytest.raises(InvalidInput, match="redact can look into no bytes"):
            m.offload.put(b"\xff hunter2")


def test_a_hook_is_told_of_what_was_put() -> None:
    told: list[WriteEvent] = []
    with MemoryClient(":memory:", on_write=told.append) as m:
        handle = m.offload.put("a log")
        m.offload.fold([], max_tokens=1)

    assert [(event.verb, event.ids) for event in told] == [("offload.put", (handle.id,))]


def test_a_handle_has_a_vector() -> None:
    with MemoryClient(":memory:", embed=FakeEmbedder([("car", "automobile")])) as m:
        handle = m.offload.put("an automobile was sold")

        assert m.search("car", strategy="vector").ids == (handle.id,)


@pytest.mark.parametrize("as_view", [False, True])
def test_all_of_it_can_be_awaited(as_view: bool) -> None:
    async def main() -> object:
        async with AsyncMemoryClient(":memory:", agent_id="bot") as m:
            thing = m.as_agent("bot") if as_view else m
            handle = await thing.offload.put("a\nb", session="s")
            again = await thing.offload.put("a\nc", session="s")
            return (
                await thing.offload.reload(handle),
                len((await thing.offload.task_graph("s")).steps),
                (await thing.offload.fold([], max_tokens=9)).messages,
                await thing.offload.snapshot_diff(handle, again),
            )

    assert asyncio.run(main()) == ("a\nb", 2, [], "@@ -1,2 +1,2 @@\n a\n-b\n+c")


# Task graphs


def work(m: MemoryClient, calls: int, session: str = "s1") -> list[str]:
    """Capture calls of tools with their results, and return the ids of the results."""
    ids = []
    tools = ("read_file", "grep", "grep", "edit", "bash")
    for number in range(1, calls + 1):
        tool = tools[number % 5]
        captured = m.capture(
            [
                {
                    "role": "assistant",
                    "content": None,
                    "tool_calls": [
                        {
                            "id": f"c{number}",
                            "function": {"name": tool, "arguments": f'{{"n": {number}}}'},
                        }
                    ],
                },
                {"role": "tool", "tool_call_id": f"c{number}", "content": f"result {number}\nmore"},
            ],
            session=session,
        )
        ids.append(captured.ids[-1])
    return ids


@pytest.mark.capability("OOM-045", "OOM-046", "OOM-035")
def test_a_session_of_200_steps_is_drawn_within_its_budget(m: MemoryClient) -> None:
    work(m, 200)

    usual, large = m.offload.task_graph("s1"), m.offload.task_graph("s1", max_tokens=20_000)

    assert usual.tokens == estimate_tokens(str(usual)) <= 240
    assert usual.text.startswith("flowchart TD\n")
    assert (len(usual.steps), len(large.steps), len(large.nodes)) == (200, 200, 200)
    assert sum(map(len, usual.nodes.values())) == 200


@pytest.mark.capability("OOM-026", "OOM-032", "OOM-047")
def test_whatever_a_node_stands_for_is_reloaded_by_its_name(m: MemoryClient) -> None:
    results = work(m, 3)

    graph = m.offload.task_graph("s1")

    assert 't2["grep({' in graph.text
    assert graph.nodes["t2"] == (results[1],)
    assert m.offload.reload("t2", session="s1") == "result 2\nmore"
    with pytest.raises(NotFound):
        m.offload.reload("t4", session="s1")


def test_a_result_that_was_put_away_belongs_to_its_call(m: MemoryClient) -> None:
    call = {"id": "c1", "function": {"name": "grep", "arguments": "{}"}}
    messages = [{"role": "assistant", "content": None, "tool_calls": [call]}]
    m.capture(messages, session="s1")
    log = a_log(9_000)

    m.offload.put(log, name="grep", session="s1", tool_call_id="c1")

    (step,) = m.offload.task_graph("s1").steps
    assert step.label.startswith("grep({}): log, ")
    assert m.offload.reload("t1", session="s1") == log


def test_links_between_steps_are_drawn(m: MemoryClient) -> None:
    results = work(m, 3)
    m.link(results[2], results[0], relation="caused_by")

    assert 't3 -. "caused by" .-> t1' in m.offload.task_graph("s1").text


def test_a_step_that_failed_says_so(m: MemoryClient) -> None:
    for content in ("Error: no such file", "0 errors"):
        m.capture([{"role": "tool", "name": "bash", "content": content}], session="s1")

    assert [step.has_failed for step in m.offload.task_graph("s1").steps] == [True, False]


def test_a_graph_draws_only_what_one_sees(m: MemoryClient) -> None:
    work(m, 2)

    graph = m.offload.task_graph("s1", requester_agent_id="ada")

    assert (graph.text, graph.steps, graph.nodes, graph.tokens) == ("", (), {}, 0)


# Folding messages

LONG = "line of a log that is long enough to count\n" * 400
SAID = "What the user said is long as well. " * 400
THOUGHT = "What the assistant thinks is long. " * 400


def chat() -> list[dict[str, Any]]:
    """Return six turns of an agent's loop, the last of which waits for an answer."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": SAID},
    ]
    for number in range(6):
        call = {
            "id": f"c{number}",
            "type": "function",
            "function": {"name": "grep", "arguments": "{}"},
        }
        messages += [
            {
                "role": "assistant",
                "content": THOUGHT if number == 1 else None,
                "tool_calls": [call],
            },
            {"role": "tool", "tool_call_id": f"c{number}", "content": f"{number} {LONG}"},
        ]
    return messages


def moved(before: Sequence[object], after: Sequence[object]) -> list[int]:
    return [at for at, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]


@pytest.mark.capability("OOM-048")
def test_mild_moves_out_old_results_alone(m: MemoryClient) -> None:
    messages = chat()

    folded = m.offload.fold(messages, max_tokens=100, level="mild", session="s1")

    assert moved(messages, folded.messages) == [3, 5, 7]
    assert messages == chat()
    assert len(folded.handles) == 3
    assert folded.saved_tokens == folded.before_tokens - folded.after_tokens > 5_000
    assert folded.messages[3] == {**messages[3], "content": str(folded.handles[0])}


@pytest.mark.capability("OOM-048")
def test_aggressive_leaves_the_last_turn_and_what_users_said(m: MemoryClient) -> None:
    messages = chat()

    folded = m.offload.fold(messages, max_tokens=100, level="aggressive")

    assert moved(messages, folded.messages) == [3, 4, 5, 7, 9, 11]
    assert folded.messages[4] == {**messages[4], "content": str(folded.handles[1])}


@pytest.mark.capability("OOM-047")
def test_every_text_that_was_moved_out_comes_back_by_what_stands_in_its_place(
    m: MemoryClient,
) -> None:
    messages = chat()

    folded = m.offload.fold(messages, max_tokens=100, level="aggressive")

    for at in moved(messages, folded.messages):
        stands = cast("dict[str, str]", folded.messages[at])["content"]
        assert m.offload.reload(stands) == messages[at]["content"]


@pytest.mark.capability("OOM-065", "OOM-066")
@pytest.mark.parametrize(
    ("used", "level", "count"),
    [(499, "none", 0), (500, "mild", 3), (849, "mild", 3), (850, "aggressive", 6)],
)
def test_how_full_the_context_is_decides(
    m: MemoryClient, used: int, level: str, count: int
) -> None:
    folded = m.offload.fold(chat(), max_tokens=1_000, used_tokens=used)

    assert (folded.level, len(folded.handles)) == (level, count)


def test_what_the_messages_take_is_counted_unless_it_is_said(m: MemoryClient) -> None:
    folded = m.offload.fold(chat(), max_tokens=10_000_000)

    assert folded.level == "none"
    assert folded.messages == chat()
    assert folded.before_tokens == folded.after_tokens > 30_000


def test_folding_again_gives_the_same_words_and_no_more_handles(m: MemoryClient) -> None:
    first = m.offload.fold(chat(), max_tokens=100, level="mild", session="s1")
    again = m.offload.fold(chat(), max_tokens=100, level="mild", session="s1")
    twice = m.offload.fold(first.messages, max_tokens=100, level="mild", session="s1")

    assert again.messages == twice.messages == first.messages
    assert [handle.id for handle in again.handles] == [handle.id for handle in first.handles]
    assert len(m.browse()) == 3


def test_what_was_forgotten_is_put_away_anew(m: MemoryClient) -> None:
    first = m.offload.fold(chat(), max_tokens=100, level="mild")
    m.forget(first.handles[0].id)

    again = m.offload.fold(chat(), max_tokens=100, level="mild")

    assert m.offload.reload(again.handles[0]) == chat()[3]["content"]
    assert again.handles[0].id != first.handles[0].id


def test_results_in_blocks_are_moved_and_the_words_beside_them_stay(m: MemoryClient) -> None:
    use = {"type": "tool_use", "id": "c1", "name": "grep", "input": {}}
    result = {
        "type": "tool_result",
        "tool_use_id": "c1",
        "content": [{"type": "text", "text": LONG}],
    }
    messages = [
        {"role": "assistant", "content": [{"type": "text", "text": "I look."}, use]},
        {"role": "user", "content": [result, {"type": "text", "text": SAID}]},
        {"role": "assistant", "content": "Done."},
    ]

    folded = m.offload.fold(messages, max_tokens=100, level="aggressive", session="s1")

    (handle,) = folded.handles
    assert handle.memory.actor == "tool:grep"
    assert handle.memory.metadata["tool_call_id"] == "c1"
    moved_result = {**result, "content": [{"type": "text", "text": handle.text}]}
    assert folded.messages[1] == {
        "role": "user",
        "content": [moved_result, {"type": "text", "text": SAID}],
    }


def test_items_without_a_role_are_known_by_their_type(m: MemoryClient) -> None:
    messages = [
        {"type": "function_call", "call_id": "c1", "name": "grep", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": LONG},
        {"type": "function_call", "call_id": "c2", "name": "grep", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c2", "output": LONG},
    ]

    folded = m.offload.fold(messages, max_tokens=100, level="aggressive")

    assert moved(messages, folded.messages) == [1]
    assert folded.handles[0].memory.actor == "tool:grep"


class Reply:
    """A message as a library of some model has it."""

    role, content, tool_calls = "assistant", "short", None


def test_objects_of_libraries_stay_as_they_are(m: MemoryClient) -> None:
    reply = Reply()
    messages: list[object] = [
        {"role": "assistant", "content": "a"},
        {"role": "tool", "content": LONG},
        reply,
    ]

    folded = m.offload.fold(messages, max_tokens=100, level="aggressive")

    assert len(folded.handles) == 1
    assert folded.messages[2] is reply


# Differences


@pytest.mark.capability("AMOS-102")
def test_what_changed_between_two_payloads_is_told_line_by_line(m: MemoryClient) -> None:
    before = m.offload.put("".join(f"{n}\n" for n in range(100)))
    after = m.offload.put("".join(f"{n if n != 50 else 'fifty'}\n" for n in range(100)))

    assert m.offload.snapshot_diff(before, after) == (
        "@@ -48,7 +48,7 @@\n 47\n 48\n 49\n-50\n+fifty\n 51\n 52\n 53"
    )
    assert m.offload.snapshot_diff(before, before) == ""


@pytest.mark.parametrize("lines", [1_000, 50_000])
def test_a_difference_keeps_its_budget_and_counts_the_rest(m: MemoryClient, lines: int) -> None:
    before = m.offload.put("".join(f"{n}\n" for n in range(lines)))
    after = m.offload.put("".join(f"new {n}\n" for n in range(lines)))

    shown = m.offload.snapshot_diff(before, after, max_tokens=200)

    assert estimate_tokens(shown) <= 200
    assert shown.endswith("more lines")
    assert m.offload.snapshot_diff(before, after, max_tokens=0) == ""


# Gone, sound, and carried along


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def raw(path: Path) -> bytes:
    files = [path, path.with_name(f"{path.name}-wal")]
    return b"".join(file.read_bytes() for file in files if file.exists())


@pytest.mark.capability("MEMU-49")
@pytest.mark.parametrize("size", [40, 3_000, 700_000])
def test_forgetting_the_handle_erases_the_payload(path: Path, size: int) -> None:
    with MemoryClient(path) as m:
        m.add("something that stays")
        kept = m.offload.put("kept " * 500)
        gone = m.offload.put(a_log(size), name="grep")
        with m._parts.store.connections.read(lambda db: db) as db:  # type: ignore[attr-defined]
            rows = db.execute("SELECT mask FROM payloads UNION ALL SELECT packed FROM chunks")
            secrets = [row[0] for row in rows]
        assert all(secret[:64] in raw(path) for secret in secrets)

        receipt = m.forget(gone.id, verify=True)

        assert receipt.complete
        assert stored(m) == (1, 1)
        with m._parts.store.connections.read(lambda db: db) as db:  # type: ignore[attr-defined]
            rows = db.execute("SELECT mask FROM payloads UNION ALL SELECT packed FROM chunks")
            left = {row[0] for row in rows}
        pieces = [secret for secret in secrets if secret not in left]
        assert len(pieces) >= 2
        bytes_left = raw(path)  # a rest of a few bytes may stand anywhere by chance
        whole = [(piece, at) for piece in pieces for at in range(0, len(piece) - 15, 16)]
        assert not any(piece[at : at + 16] in bytes_left for piece, at in whole)
        assert b"Zanzibarrow" not in raw(path)
        assert m.offload.reload(kept) == "kept " * 500
        assert m.admin.check() == []


@pytest.mark.parametrize("left", ["key", "piece"])
def test_the_probe_finds_what_is_left_of_a_payload(path: Path, left: str) -> None:
    with MemoryClient(path) as m:
        handle = m.offload.put(a_log(9_000))
        with m._parts.store.connections.read(lambda db: db) as db:  # type: ignore[attr-defined]
            (mask,), (packed,) = db.execute(
                "SELECT mask FROM payloads UNION ALL SELECT packed FROM chunks"
            )
        with m._parts.store.write() as tx:
            erased = tx.erase([handle.id], by="local")
        m._parts.store.purge([erased], patience_ms=9_000)
        before = m._parts.store.probe([erased])["bytes"]

        fragment = mask if left == "key" else packed[700:800]
        damaged(m, "CREATE TABLE planted(fragment BLOB)")
        damaged(m, f"INSERT INTO planted VALUES (x'{fragment.hex()}')")

        assert (before, m._parts.store.probe([erased])["bytes"]) == (0, 1)


def test_no_payload_stands_in_the_file_as_it_was_put(path: Path) -> None:
    with MemoryClient(path) as m:
        m.offload.put("Zanzibarrow", summary="a word")

        assert b"Zanzibarrow" not in raw(path)


def test_the_receipt_does_not_tell_whether_another_has_the_same(m: MemoryClient) -> None:
    alone, shared = m.offload.put("alone"), m.offload.put("shared", owner="neo")
    m.offload.put("shared", owner="neo")

    counts = [
        m.forget(handle.id, requester_agent_id=handle.memory.owner).counts
        for handle in (alone, shared)
    ]

    assert counts[0] == counts[1] == {"memories": 1}


def test_a_subject_and_an_owner_are_forgotten_with_their_payloads(m: MemoryClient) -> None:
    m.offload.put("a log of Alice's", subject="user:alice", owner="neo")
    m.offload.put("a log of neo's", owner="neo")

    receipt = m.admin.forget_subject("user:alice", verify=True)
    assert (receipt.complete, receipt.counts["payloads"], stored(m)[0]) == (True, 1, 1)
    receipt = m.admin.forget_owner("neo", verify=True)

    assert (receipt.complete, receipt.counts["payloads"], stored(m)) == (True, 1, (0, 0))


def test_a_backup_has_the_payloads_and_a_restored_one_forgets_what_was_forgotten(
    tmp_path: Path, path: Path
) -> None:
    with MemoryClient(path) as m:
        kept, gone = m.offload.put(a_log(300_000)), m.offload.put("gone")
        backup = m.admin.backup(tmp_path / "backup.db")
        m.forget(gone.id)

        m.admin.restore_backup(backup.path, force=True)

        assert m.offload.reload(kept) == a_log(300_000)
        with pytest.raises(NotFound):
            m.offload.reload(gone)
        assert (stored(m)[0], m.admin.check()) == (1, [])


def damaged(m: MemoryClient, *statements: str) -> None:
    connections = m._parts.store.connections  # type: ignore[attr-defined]
    db = connections.begin_write()
    db.execute("PRAGMA defer_foreign_keys = ON")
    for statement in statements:
        db.execute(statement)
    db.execute("COMMIT")
    connections.end_write(db, used_up=False)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE chunks SET packed = zeroblob(length(packed)) WHERE place = 1",
        "DELETE FROM chunks WHERE place = 1",
        "UPDATE payloads SET mask = zeroblob(16)",
        f"UPDATE payloads SET digest = '{'0' * 64}'",
        "UPDATE payloads SET bytes = bytes + 1",
    ],
)
def test_bytes_that_are_not_those_that_were_put_are_found_and_never_returned(damage: str) -> None:
    with MemoryClient(":memory:") as m:
        handle = m.offload.put(a_log(600_000))

        damaged(m, damage)

        with pytest.raises(StoreCorrupt):
            m.offload.reload(handle)
        (finding,) = m.admin.check()
        assert finding.detail == "1 payloads are not what was put"
        assert "backup" in finding.repair


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        ("DELETE FROM handles", "1 payloads that no memory is a handle of"),
        (
            "UPDATE payloads SET owner = (SELECT id FROM scopes WHERE name = 'ada')",
            "1 handles of a payload of another owner or subject",
        ),
    ],
)
def test_what_belongs_to_nobody_is_found_and_dropped(damage: str, says: str) -> None:
    with MemoryClient(":memory:") as m:
        m.add("tea", owner="ada")
        m.offload.put("a log", owner="neo")

        damaged(m, damage)

        assert [each.detail for each in m.admin.check()] == [says]
        assert m.admin.repair().left == ()
        assert stored(m) == (0, 0)


def test_a_handle_is_json_inside(m: MemoryClient) -> None:
    handle = m.offload.put("a log")

    assert isinstance(handle, Handle)
    assert json.loads(json.dumps(handle.memory.to_dict()))["id"] == handle.id
