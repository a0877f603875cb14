"""What a host hangs in: it is told of all, breaks nothing, and masks what must not be stored."""

import contextlib
import logging
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_memory_os import (
    AgentMemory,
    InvalidInput,
    KeyReused,
    MemoryClient,
    RecallEvent,
    Redaction,
    WriteEvent,
    redact_secrets,
)

SECRET = "AKIAIOSFODNN7EXAMPLE"


class Told:
    """A hook that keeps what it is told."""

    def __init__(self) -> None:
        self.events: list[Any] = []

    def __call__(self, event: Any) -> None:
        self.events.append(event)


def broken(event: object) -> None:
    raise ValueError(f"no {event}")


@pytest.fixture
def written() -> Told:
    return Told()


@pytest.fixture
def recalled() -> Told:
    return Told()


@pytest.fixture
def m(written: Told, recalled: Told) -> Iterator[MemoryClient]:
    with MemoryClient(":memory:", on_write=written, on_recall=recalled) as client:
        yield client
        assert client.admin.check() == []


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.DEBUG)
    return caplog


# Being told


def test_an_add_is_told_with_its_receipt_once_it_is_safe(m: MemoryClient, written: Told) -> None:
    receipt = m.add("tea", owner="neo")

    assert written.events == [WriteEvent("add", "neo", None, (receipt.id,), (receipt,))]


def test_what_a_hook_is_told_of_can_be_read_by_it(tmp_path: Path) -> None:
    seen: list[object] = []

    def look(event: WriteEvent) -> None:
        with sqlite3.connect(tmp_path / "m.db") as db:  # as another process would
            seen.append(db.execute("SELECT content FROM memories").fetchall())
        db.close()

    with MemoryClient(tmp_path / "m.db", on_write=look) as m:
        m.add("tea")

    assert seen == [[("tea",)]]


def test_many_are_told_at_once(m: MemoryClient, written: Told) -> None:
    receipts = m.add_many([{"content": "tea"}, {"content": "milk"}])
    m.add_many([])

    assert [(event.verb, event.receipts) for event in written.events] == [
        ("add_many", tuple(receipts))
    ]


CHANGES: dict[str, Callable[[AgentMemory, str, str], object]] = {
    "update": lambda view, a, b: view.update(a, importance=0.9),
    "delete": lambda view, a, b: view.delete(a),
    "forget": lambda view, a, b: view.forget(a),
    "share": lambda view, a, b: view.share(a, ["global"]),
    "revoke": lambda view, a, b: (view.share(a, ["global"]), view.revoke(a, ["global"])),
    "link": lambda view, a, b: view.link(a, b),
    "unlink": lambda view, a, b: (view.link(a, b), view.unlink(a, b)),
}


@pytest.mark.parametrize("verb", CHANGES)
def test_every_change_is_told_with_who_did_it_and_to_what(
    m: MemoryClient, written: Told, verb: str
) -> None:
    alice = m.as_agent("bot", subject="user:alice")
    ids = alice.add("tea").id, alice.add("milk").id

    CHANGES[verb](alice, *ids)

    told = written.events[-1]
    assert (told.verb, told.agent_id, told.subject) == (verb, "bot", "user:alice")
    assert told.ids == (ids if "link" in verb else ids[:1])


@pytest.mark.parametrize(
    "call", [lambda m: m.add(""), lambda m: m.delete("f" * 25), lambda m: m.get("f" * 25)]
)
def test_what_was_not_written_is_not_told(
    m: MemoryClient, written: Told, call: Callable[[MemoryClient], object]
) -> None:
    with contextlib.suppress(ValueError, LookupError):
        call(m)

    assert written.events == []


@pytest.mark.parametrize("verb", ["search", "context_pack", "orchestrate_context"])
def test_a_recall_is_told_with_what_came_back(m: MemoryClient, recalled: Told, verb: str) -> None:
    added = m.add("tea is hot", owner="neo")

    getattr(m, verb)("tea", requester_agent_id="neo")

    (event,) = recalled.events
    assert isinstance(event, RecallEvent)
    assert (event.verb, event.agent_id, event.query) == (verb, "neo", "tea")
    assert event.ids == (added.id,)


def test_a_recall_of_nothing_is_told_with_its_reason(m: MemoryClient, recalled: Told) -> None:
    m.search("pineapple")

    assert recalled.events[0].ids == ()
    assert recalled.events[0].report.reason


def test_looking_is_no_recall(m: MemoryClient, recalled: Told) -> None:
    added = m.add("tea")

    m.get(added.id)
    m.browse()
    m.explain("tea", added.id)
    m.history(added.id)
    m.neighbors(added.id)

    assert recalled.events == []


def test_what_a_hook_writes_itself_is_not_told() -> None:
    told: list[str] = []

    def diary(event: WriteEvent) -> None:
        told.append(event.verb)
        m.add(f"somebody wrote {len(event.ids)}", owner="diary")

    with MemoryClient(":memory:", on_write=diary) as m:
        m.add("tea")
        m.add("milk")

        assert told == ["add", "add"]
        assert len(m.browse(requester_agent_id="diary")) == 1


@pytest.mark.parametrize("name", ["on_write", "on_recall", "redact"])
def test_what_cannot_be_called_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match=name):
        MemoryClient(":memory:", **{name: "print"})


# Breaking nothing


def test_a_hook_that_raises_breaks_no_write_and_the_receipt_says_so(
    lines: pytest.LogCaptureFixture,
) -> None:
    with MemoryClient(":memory:", on_write=broken) as m:
        receipt = m.add("the word is swordfish")
        m.share(receipt.id, ["global"])
        m.delete(receipt.id)

    assert receipt.verdict == "stored"
    assert receipt.why.endswith("; on_write raised ValueError")
    assert [line.getMessage() for line in lines.records] == [
        f"on_write raised ValueError during {verb} of {receipt.id}"
        for verb in ("add", "share", "delete")
    ]


def test_a_hook_that_raises_breaks_no_recall_and_the_report_says_so() -> None:
    with MemoryClient(":memory:", on_recall=broken) as m:
        added = m.add("tea is hot")

        hits, pack = m.search("tea"), m.context_pack("tea")

        assert hits.ids == pack.ids == (added.id,)
        assert hits.report.degraded == ("on_recall raised ValueError",)
        assert pack.report.search.degraded == ("on_recall raised ValueError",)


def test_an_interrupt_within_a_hook_goes_through_and_the_write_stands() -> None:
    def stop(event: object) -> None:
        raise KeyboardInterrupt

    with MemoryClient(":memory:", on_write=stop) as m:
        with pytest.raises(KeyboardInterrupt):
            m.add("tea")

        assert len(m.browse()) == 1


def test_who_configured_no_log_is_shown_nothing() -> None:
    code = (
        "from agent_memory_os import MemoryClient; m = MemoryClient(':memory:', on_write=int);"
        "print(m.add('tea').why); m.close()"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert said.stdout.endswith("; on_write raised TypeError\n")
    assert said.stderr == ""


# Masking


@pytest.fixture
def masked() -> Iterator[MemoryClient]:
    with MemoryClient(":memory:", redact=redact_secrets) as client:
        yield client
        assert client.admin.check() == []


def test_nothing_is_masked_unless_the_host_asks() -> None:
    with MemoryClient(":memory:") as m:
        assert m.add(f"key {SECRET}").memory.content == f"key {SECRET}"


def test_what_is_masked_is_told_by_kind_and_number_and_is_nowhere(tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "m.db", redact=redact_secrets) as m:
        receipt = m.add(
            f"The key is {SECRET}, the other {SECRET[:-1]}F",
            tags=["aws", SECRET],
            metadata={"env": {"AWS": [SECRET]}},
        )

        assert receipt.memory.content == "The key is [API key], the other [API key]"
        assert receipt.memory.tags == ("aws", "[API key]")
        assert receipt.memory.metadata == {"env": {"AWS": ["[API key]"]}}
        assert receipt.why == "nothing like it was there; redact masked API key (4)"
    assert all(SECRET[:-1].encode() not in file.read_bytes() for file in tmp_path.iterdir())


def test_an_update_is_masked_too(masked: MemoryClient) -> None:
    kept = masked.add("tea", metadata={"a": 1})

    receipt = masked.update(
        kept.id, content=f"tea {SECRET}", merge_metadata={"b": SECRET}, tags=[SECRET]
    )

    assert receipt.memory.content == "tea [API key]"
    assert receipt.memory.metadata == {"a": 1, "b": "[API key]"}
    assert receipt.why == "it was updated; redact masked API key (3)"


def test_many_and_those_of_a_bound_view_are_masked_too(masked: MemoryClient) -> None:
    view = masked.as_agent("bot", subject="user:alice")

    receipts = view.add_many([{"content": f"key {SECRET}"}, {"content": "tea"}])

    assert [receipt.memory.content for receipt in receipts] == ["key [API key]", "tea"]
    assert ["masked" in receipt.why for receipt in receipts] == [True, False]


def test_two_statements_that_differ_in_what_is_masked_are_one(masked: MemoryClient) -> None:
    masked.add(f"key {SECRET}")

    assert masked.add(f"key {SECRET[:-1]}F").verdict == "merged"


def test_a_retry_gets_the_first_receipt_though_a_secret_is_in_it(masked: MemoryClient) -> None:
    first = masked.add(f"key {SECRET}", idempotency_key="k")
    again = masked.add(f"key {SECRET}", idempotency_key="k")

    assert again == first
    with pytest.raises(KeyReused):
        masked.add("tea", idempotency_key="k")


def test_a_function_from_text_to_text_will_do() -> None:
    with MemoryClient(":memory:", redact=lambda text: text.replace("Ada", "[name]")) as m:
        receipt = m.add("Ada likes tea, Ada says")

    assert receipt.memory.content == "[name] likes tea, [name] says"
    assert receipt.why.endswith("; redact masked text (1)")


def fails(text: str) -> str:
    raise RuntimeError(f"cannot look at {text}")


@pytest.mark.parametrize(
    "redact",
    [fails, lambda text: None, lambda text: 7, lambda text: "", lambda text: Redaction(b"", {})],
)
def test_what_cannot_be_masked_is_refused_and_not_shown(redact: Any) -> None:
    """It fails closed, and the error holds nothing of the text."""
    with MemoryClient(":memory:", redact=redact) as m:
        with pytest.raises(InvalidInput) as refused:
            m.add("the word is swordfish")

        assert "swordfish" not in str(refused.value)
        assert refused.value.__cause__ is None
        assert m.browse() == []
