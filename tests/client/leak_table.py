"""The leak table: how each public verb is asked so that it would tell, if it told anything."""

import asyncio
import inspect
import re
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from operator import attrgetter
from typing import Any

from leak_world import ABSENT, BUILD, CROWD, DELETED, EXPIRED, SECRET_BUILD

from agent_memory_os import Memory, RecallProfile
from agent_memory_os.aio import AsyncAgentMemory, AsyncMemoryGraph, Threaded
from agent_memory_os.graph import MemoryGraph
from agent_memory_os.testing import FakeClock

PACKAGE = "agent_memory_os"
QUERIES: Sequence[str | None] = (
    "deploy port",
    "Which port does staging use?",
    "what did Alice say of the lock?",
    "the snapshto of the lidger",  # words of hidden memories, or next to them; visible ones too
    "vaultzq",
    "部署端口",
    "which port does the queue of hermes have?",
    "",
    None,
)
PROD: Mapping[str, Any] = {"metadata.env": "prod"}
WHERES: Sequence[Mapping[str, Any]] = (
    PROD,
    {"metadata.keyzq.n": {"$exists": True}},
    {"$or": [{"owner": "smithzq"}, {"session": "s1"}]},
    {"$not": {"subject": "user:alice"}},
    {"content": {"$contains": "zq"}},
    {"key": {"$in": ["trip", "note", "oldzq"]}},
)
THEN = datetime(2026, 1, 1, 2, tzinfo=UTC)  # when all was written, and some had yet to end
FILTERS: Sequence[Mapping[str, Any]] = (
    {"subject": "user:alice"},
    {"subject": "user:bobyq"},
    {"subject": "user:malzq"},
    {"types": ["lesson", "dossierzq"]},
    {"layers": [0]},
    {"owner": "smithzq"},
    {"tags": ["ops"]},
    {"tags": ["tagzq"]},
    {"since": datetime(2026, 1, 1, 0, 40, tzinfo=UTC), "time_field": "created_at"},
    {"until": datetime(2026, 1, 1, 0, 40, tzinfo=UTC)},
    {"min_confidence": 0.9},
    {"as_of": THEN},
    {"known_at": THEN},
    *({"where": where} for where in WHERES),
)

TOGETHER: Sequence[Mapping[str, Any]] = (  # the same, for verbs that narrow as a search does
    {"subject": "user:bobyq"},
    {"owner": "smithzq", "types": ["lesson"], "layers": [0, 1], "min_confidence": 0.9},
    {"tags": ["ops"], "where": PROD, **FILTERS[8], **FILTERS[9]},
    {"as_of": THEN, "known_at": THEN},
)


ALONE = {"graph", "graph_writes", "entity_set"}  # what is asked of what a view gives


class Raised(typing.NamedTuple):
    """What was raised instead of an answer."""

    error: BaseException


class Noted:
    """Which parameters of which verbs were given something."""

    def __init__(self) -> None:
        self.given: set[tuple[str, str]] = set()

    def note(self, verb: str, call: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        positional = [
            name
            for name, each in inspect.signature(call).parameters.items()
            if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
        ]
        self.given |= {(verb, name) for name in (*positional[: len(args)], *kwargs)}


class Ask:
    """Asks one surface of one world, each time at a moment of its own, and keeps all it is told.

    Args:
        thing: a client or a view; its coroutines are awaited.
        clock: the clock of the world.
        hidden: ids of what must not be told of, by name.
        visible: ids of what may be.
        noted: keeps which parameters were given something.
        by: the agent that a client is told to act as; None for a view.
        runner: awaits what is to be awaited.
        is_brief: whether little is asked of each verb.
    """

    def __init__(
        self,
        thing: Any,
        clock: FakeClock,
        hidden: Mapping[str, str],
        visible: Mapping[str, str],
        noted: Noted,
        *,
        by: str | None = None,
        runner: asyncio.Runner | None = None,
        is_brief: bool = False,
    ) -> None:
        self.hidden = hidden
        self.visible = visible
        self.queries = QUERIES[:4] if is_brief else QUERIES
        self.filters = FILTERS[:2] if is_brief else FILTERS
        self.told: list[tuple[str, object]] = []
        self._thing = thing
        self._name = ""
        self._clock = clock
        self._noted = noted
        self._by = by
        self._runner = runner

    def within(self, name: str, thing: Any) -> "Ask":
        """Return what asks *thing*, and notes its verbs by that name before them."""
        inner = copy(self)
        inner._thing, inner._name, inner._by = thing, f"{name}.", None
        return inner

    def graph(self) -> "Ask":
        """Return what asks the graph of the view."""
        of_thread = isinstance(self._thing, AsyncAgentMemory)
        kind = AsyncMemoryGraph if of_thread else MemoryGraph
        return self.within("graph", kind(self._thing))

    def has(self, verb: str) -> bool:
        if verb in ALONE:
            return self._by is None  # of a view; a client's graph is that of its own agent
        noun, _, name = verb.rpartition(".")
        return hasattr(getattr(self._thing, noun) if noun else self._thing, name)

    @property
    def ids(self) -> list[str]:
        """The ids of a few that are visible, of what is hidden, and one of nothing."""
        return [*list(self.visible.values())[:3], *self.absent]

    @property
    def absent(self) -> list[str]:
        """The ids of what is hidden, and one of nothing."""
        hidden = [each for name, each in self.hidden.items() if not name.startswith(CROWD)]
        return [*hidden, ABSENT]

    @property
    def foreign(self) -> list[str]:
        """The same without what its owner may still forget, and look up the history of."""
        own = {self.hidden.get(EXPIRED), self.hidden.get(DELETED)}
        return [memory_id for memory_id in self.absent if memory_id not in own]

    def __call__(self, verb: str, *args: Any, **kwargs: Any) -> Any:
        self._clock.advance(seconds=60)
        call = attrgetter(verb)(self._thing)
        if self._by is not None:
            takes = inspect.signature(call).parameters
            name = next((each for each in ("requester_agent_id", "owner") if each in takes), None)
            kwargs |= {name: self._by} if name else {}
        self._noted.note(self._name + verb, call, args, kwargs)
        if verb == "call_tool":
            self._noted.given |= {(args[0], name) for name in args[1]}
        asked = f"{self._name}{verb}{args}{kwargs}"
        return self._keep(asked, partial(call, *args, **kwargs))

    def of(self, thing: Any, verb: str) -> Any:
        """Ask what a verb has returned."""
        self._clock.advance(seconds=60)
        return self._keep(f"{verb} of {type(thing).__name__}", getattr(thing, verb))

    def _keep(self, asked: str, call: Callable[[], Any]) -> object:
        answer: object
        try:
            answer = call()
            if inspect.isawaitable(answer):
                assert self._runner is not None
                answer = self._runner.run(_awaited(answer))
        except Exception as error:
            answer = Raised(error)
        self.told.append((asked, answer))
        return answer


async def _awaited(answer: Any) -> Any:
    return await answer


def heed_nothing(done: int, total: int) -> None:
    """Be told of progress, and do nothing."""


# The table: what only reads first.


MOMENTS = [datetime(2026, 1, 1, 0, minute, tzinfo=UTC) for minute in (12, 26, 40, 58)]


def get(ask: Ask) -> None:
    for memory_id in (*ask.ids, ask.ids[0][:8], "%", "*"):
        ask("get", memory_id)
    for moment in MOMENTS:
        for memory_id in (*ask.visible.values(), *ask.absent):
            ask("get", memory_id, as_of=moment)
            ask("get", memory_id, known_at=moment)


def get_many(ask: Ask) -> None:
    ask("get_many", ask.ids)
    ask("get_many", ask.absent)
    for moment in MOMENTS:
        ask("get_many", [*ask.visible.values(), *ask.absent], known_at=moment)
        ask("get_many", ask.absent, as_of=moment, known_at=moment)


def browse(ask: Ask) -> None:
    for offset in range(0, 24, 3):
        ask("browse", limit=3, offset=offset)
    for filters in ask.filters:
        ask("browse", **filters)


def search(ask: Ask) -> None:
    for query in ask.queries:
        ask("search", query)
        ask("search", query, limit=2, offset=1, min_score=0.1)
        for strategy in ("keyword", "vector", "resonance"):
            ask("search", query, strategy=strategy)
    for filters in ask.filters:
        ask("search", "staging deploy port", **filters)
    for offset in range(0, 15, 3):
        ask("search", "staging deploy port", limit=3, offset=offset)
    ask("search", "staging deploy port", limit=0)
    ask("search", "staging deploy port", min_score=0.9)
    ask("search", "staging deploy port", providers=["recent"], deadline_ms=5_000)
    ask("search", "staging deploy port", providers=[], auto_reinforce=True)
    for prefer in ("facts", "preferences", "task", "history"):
        ask("search", "staging deploy port", prefer=prefer, limit=4)


def _packs(ask: Ask, verb: str, **more: Any) -> None:
    for query in ask.queries:
        ask(verb, query, **more)
    ask(verb, "staging deploy port", max_tokens=90, **more)
    for form in ("xml", "json", "messages"):
        ask(verb, "staging deploy port", format=form, **more)
    for filters in TOGETHER:
        ask(verb, "staging deploy port", **filters, **more)
    ask(verb, "staging deploy port", min_score=0.5, strategy="keyword", **more)
    ask(verb, "staging deploy port", prefer="task", **more)
    ask(verb, "staging deploy port", providers=[], deadline_ms=5_000, auto_reinforce=True, **more)


def context_pack(ask: Ask) -> None:
    _packs(ask, "context_pack")


def context_pack_report(ask: Ask) -> None:
    _packs(ask, "context_pack_report")


def orchestrate_context(ask: Ask) -> None:
    _packs(ask, "orchestrate_context", session="s1")
    ask("orchestrate_context", "deploy port", session="s-zq", already=ask.ids)


def explain(ask: Ask) -> None:
    for memory_id in ask.ids:
        ask("explain", "Which deploy port does staging use?", memory_id)
    for query in ask.queries:
        for memory_id in ask.ids[:2]:
            ask("explain", query, memory_id, limit=2, min_score=0.3, providers=["lexical"])
            ask("explain", query, memory_id, prefer="history")
    for filters in TOGETHER:
        ask("explain", "staging deploy port", ask.ids[0], **filters)


def history(ask: Ask) -> None:
    for memory_id in (*ask.visible.values(), *ask.foreign):
        ask("history", memory_id)


def neighbors(ask: Ask) -> None:
    for memory_id in ask.ids:
        ask("neighbors", memory_id, depth=5)
    for memory_id in ask.visible.values():
        ask("neighbors", memory_id, depth=2, limit=3)
        ask("neighbors", memory_id, relations=["related_to", "next", "betrayszq"])


def sessions(ask: Ask) -> None:
    ask("layers.sessions", limit=50)
    for subject in ("user:alice", "user:bobyq", "user:malzq"):
        ask("layers.sessions", subject=subject)


def timeline(ask: Ask) -> None:
    for session in (None, "s1", "s-zq"):
        ask("layers.timeline", session)
        ask("layers.timeline", session, limit=2)
        for memory_id in ask.ids:
            ask("layers.timeline", session, around=memory_id, limit=4)
    moment = datetime(2026, 1, 1, 0, 40, tzinfo=UTC)
    for event_type in ("note", "event", "dossierzq"):
        ask("layers.timeline", event_type=event_type)
    ask("layers.timeline", around=moment, limit=4)
    ask("layers.timeline", since=moment)
    ask("layers.timeline", until=moment, subject="user:alice")
    ask("layers.timeline", subject="user:bobyq")


NAMES = ("hermes", "server:hermes", "ledger", "server:ledger", "alice", "user:alice", "hermse")
ABOUT = (None, "user:alice", "user:bobyq", "user:malzq")


def entities(ask: Ask) -> None:
    for subject in ABOUT:
        ask("layers.entities", subject=subject)
    for kind in ("server", "user", "robotzq"):
        ask("layers.entities", kind=kind, limit=9)


def entity(ask: Ask) -> None:
    for name in NAMES:
        for subject in ABOUT:
            found = ask("layers.entity", name, subject=subject)
            if not isinstance(found, Raised):
                _entity(ask.within("entity", found))


def _entity(ask: Ask) -> None:
    for attribute in ("queue size", "retries", "pagezq"):
        ask("get", attribute)
        ask("get", attribute, "none")
        for moment in MOMENTS:
            ask("get", attribute, as_of=moment)
        ask("history", attribute)
        ask("history", attribute, limit=1)
    ask("attributes")
    ask("attributes", as_of=MOMENTS[-1])
    if not isinstance(ask._thing, Threaded):
        ask("__getitem__", "retires")


VALUE: Mapping[str, Any] = {
    "type": "dossierzq",
    "visibility": ["team:apollo"],
    "tags": ["ops"],
    "metadata": {"a": 1},
    "actor": "user:alice",
    "session": "s1",
    "occurred_at": datetime(2026, 1, 1, tzinfo=UTC),
    "valid_from": datetime(2025, 1, 1, tzinfo=UTC),
    "valid_to": datetime(2028, 1, 1, tzinfo=UTC),
    "importance": 0.4,
    "confidence": 0.9,
    "pinned": True,
}


def entity_set(ask: Ask) -> None:
    for name in NAMES[:6]:
        for subject in ABOUT[:2]:
            found = ask("layers.entity", name, subject=subject)
            if not isinstance(found, Raised):
                _set(ask.within("entity", found), next(iter(ask.visible.values())))


def _set(ask: Ask, seen: str) -> None:
    ask("set", "queue size", "9000")
    ask("set", "queue size", "9001", **VALUE)
    ask("set", "queue size", "9001", merge_metadata={"b": 2}, pinned=False)
    for memory_id in (seen, *ask.absent[:3]):
        ask("set", "retries", "5", evidence=[memory_id])
    ask("set", "retries", "6", visibility=["team:hermeszq"])
    ask("history", "queue size")
    for attribute in ("retries", "pagezq"):
        ask("delete", attribute)
        ask("get", attribute)


def semantic(ask: Ask) -> None:
    for query in ask.queries:
        ask("layers.semantic", query)
    for metadata in ({"env": "prod"}, {"keyzq": {"n": 1}}):
        ask("layers.semantic", "staging deploy port", metadata=metadata, limit=3)
    for anchors in (["ops"], ["tagzq"]):
        ask("layers.semantic", "staging deploy port", anchors=anchors)
    for subject in ABOUT:
        ask("layers.semantic", "staging deploy port", subject=subject, **ALSO)


ALSO: Mapping[str, Any] = {
    "owner": "smithzq",
    "types": ["lesson", "note"],
    "since": datetime(2026, 1, 1, 0, 10, tzinfo=UTC),
    "until": datetime(2026, 1, 1, 0, 50, tzinfo=UTC),
}


def grouped(ask: Ask) -> None:
    ways = ["timeline", "semantic", "entity"]
    for query in ask.queries:
        ask("layers.grouped", query, ways=ways)
    ask("layers.grouped", "queue size of hermes")
    ask("layers.grouped", "staging port", ways=ways, metadata={"env": "prod"}, limit=2)
    ask("layers.grouped", "staging port", ways=ways, anchors=["ops"])
    for subject in ABOUT:
        ask("layers.grouped", "staging deploy port", ways=ways, subject=subject, **ALSO)


def graph(ask: Ask) -> None:
    inner = ask.graph()
    for name in (*NAMES, "bobyq", "user:bobyq", "malzq", *ask.absent[:3]):
        inner("resources.get", name)
        inner("resources.neighbors", name, category="note", limit=5)
        inner("memories.search", resource_id=name)
        inner("memories.search", resource_id=name, query="staging deploy port", top_k=3)
        inner("categories.neighbors", "preference", resource_id=name, limit=3)
        inner("relations.neighbors", name)
    inner("resources.search")
    inner("resources.search", "staging deploy", resource_type="user", limit=3)
    more = {"category": "lesson", "min_score": 0.2, "metadata": {"env": "prod"}}
    inner("memories.search", resource_id="user:alice", query="deploy", **more)
    for category in ("fact", "dossierzq", "dosier", "lesson"):
        inner("memories.search", resource_id="user:alice", category=category)
        inner("categories.get", category)
    inner("categories.search")
    inner("categories.search", "staging zq", limit=3)
    for memory_id in ask.ids:
        inner("memories.get", memory_id)
        inner("memories.neighbors", memory_id, depth=3, limit=4)
        inner("relations.search", memory_id, relation_type="related_to", limit=4)
        inner("relations.neighbors", memory_id, depth=2, relation_types=["next"], limit=4)


def graph_writes(ask: Ask) -> None:
    inner, seen = ask.graph(), [*ask.visible.values()]
    about = {"resource_type": "user", "text": "Alice", "metadata": {"a": 1}}
    for name in ("alice", "bobyq", "malzq", "hermes"):
        inner("resources.create", resource_id=name, visibility=["team:apollo"], **about)
        inner("resources.update", name, text="of sales", merge_metadata={"b": 2})
    fields = {
        "visibility": ["team:apollo"],
        "tags": ["ops"],
        "metadata": {"a": 1},
        "importance": 0.4,
        "confidence": 0.9,
        "pinned": False,
    }
    for memory_id in (seen[0], *ask.absent[:4]):
        item = {"resource_id": "alice", "evidence": [memory_id], **fields}
        inner("memories.create", text="Alice keeps the lock of staging", category="fact", **item)
        inner("memories.update", memory_id, text="changed", category="fact", tags=["a"])
        inner("memories.update", memory_id, merge_metadata={"c": 3}, importance=0.1)
        ends = {"source_id": seen[0], "target_id": memory_id, "relation_type": "next"}
        inner("relations.create", **ends, weight=0.5)
        inner("relations.update", **ends, weight=0.4)
        inner("relations.delete", **ends)
        inner("memories.delete", memory_id)
    told = [("user", "I prefer the deploy of vaultzq on Mondays.")]
    inner("memories.create", resource_id="alice", messages=told, session="s1")
    for word in ("dossierzq", "allergy"):
        inner("categories.create", word, text="what harms", visibility=["team:apollo"])
        inner("categories.update", word, text="what harms somebody")
        inner("categories.delete", word)
    ask("search", "staging deploy port")


def scenes(ask: Ask) -> None:
    for subject in (None, "user:alice", "user:bobyq", "user:malzq"):
        ask("layers.scenes", subject=subject)
    ask("layers.scenes", limit=1)


def persona(ask: Ask) -> None:
    for subject in (None, "user:alice", "user:bobyq", "user:malzq"):
        ask("layers.persona", subject=subject)


def profile_context(ask: Ask) -> None:
    for subject in (None, "user:alice", "user:bobyq", "user:malzq"):
        ask("profile_context", subject=subject)
        ask("profile_context", subject=subject, max_tokens=90)


def evidence(ask: Ask) -> None:
    for memory_id in (*ask.visible.values(), *ask.absent):
        for direction in ("down", "up"):
            ask("layers.evidence", memory_id, direction=direction)
    ask("layers.evidence", ask.ids[0], depth=1, limit=1)


def profile(ask: Ask) -> None:
    ask("profile")


def tools(ask: Ask) -> None:
    for form in ("openai", "anthropic", "mcp"):
        ask("tools", form, share=["team:apollo", "team:hermeszq"])


CALLS: Sequence[tuple[str, Callable[[str], Mapping[str, Any]]]] = (
    ("memory_get", lambda memory_id: {"id": memory_id, "offset": 0}),
    (
        "memory_update",
        lambda memory_id: {
            "id": memory_id,
            "content": "changed",
            "type": "fact",
            "tags": ["a"],
            "importance": 0.1,
        },
    ),
    ("memory_share", lambda memory_id: {"id": memory_id, "share": ["team:apollo"]}),
    (
        "memory_link",
        lambda memory_id: {"source_id": memory_id, "target_id": ABSENT, "relation": "next"},
    ),
    ("memory_recall_feedback", lambda memory_id: {"ids": [memory_id], "helpful": True}),
    ("memory_delete", lambda memory_id: {"id": memory_id}),
)


def call_tool(ask: Ask) -> None:
    share = ["team:apollo"]
    for query in filter(None, ask.queries):
        ask("call_tool", "memory_search", {"query": query, "limit": 9}, format="mcp")
        ask("call_tool", "memory_context_pack", {"query": query, "max_tokens": 400})
    narrowed = {
        "types": ["lesson"],
        "tags": ["ops"],
        "since": "2026-01-01T00:00:00Z",
        "until": "2027-01-01T00:00:00Z",
    }
    ask("call_tool", "memory_search", {"query": "deploy", **narrowed})
    for name, arguments in CALLS:
        for memory_id in (*ask.absent, ask.visible["told"]):
            ask("call_tool", name, arguments(memory_id), share=share)
        ask("call_tool", name, arguments(ABSENT), share=share, raise_errors=True)
    fields = {"type": "note", "tags": ["ops"], "importance": 0.4, "share": share}
    ask("call_tool", "memory_add", {"content": "The deploy port is 8000", **fields}, share=share)
    ask("call_tool", "memory_nope", {}, share=["team:hermeszq"])


# What writes; each on what the ones before it have left.


def record_recall(ask: Ask) -> None:
    for memory_id in ask.ids:
        ask("record_recall", [memory_id], helpful=False)
    ask("record_recall", ask.ids, query="vaultzq")


def link(ask: Ask) -> None:
    for memory_id in ask.ids:
        ask("link", ask.visible["told"], memory_id, relation="related_to", weight=0.5)
        ask("link", memory_id, ask.visible["edited"], relation="betrayszq")


def unlink(ask: Ask) -> None:
    for memory_id in ask.ids:
        ask("unlink", ask.visible["told"], memory_id)
        ask("unlink", memory_id, ask.visible["told"], relation="betrayszq")


def update(ask: Ask) -> None:
    ask("update", ask.visible["told"], content="rehearsed", dry_run=True)
    changes = {
        "type": "fact",
        "tags": ["x"],
        "metadata": {"a": 1},
        "actor": "user:alice",
        "occurred_at": datetime(2026, 1, 1, tzinfo=UTC),
        "valid_from": datetime(2025, 1, 1, tzinfo=UTC),
        "valid_to": datetime(2028, 1, 1, tzinfo=UTC),
        "ttl": timedelta(days=900),
        "importance": 0.4,
        "confidence": 0.9,
        "pinned": True,
    }
    for memory_id in (*ask.absent, ask.visible["told"]):
        ask("update", memory_id, content="changed", if_version="stale")
        ask("update", memory_id, **changes)
    for name in ("port", "draft"):
        if name in ask.visible:
            ask("update", ask.visible[name], merge_metadata={"b": 2})
            ask("update", ask.visible[name], **changes)


def share(ask: Ask) -> None:
    for memory_id in (*ask.absent, ask.visible["told"]):
        ask("share", memory_id, ["team:apollo"])
    for scope in ("team:apollo", "team:hermeszq", "project:landerzq", "team:ghostszq", "agent:zoe"):
        ask("share", list(ask.visible.values())[1], [scope])


def revoke(ask: Ask) -> None:
    for memory_id in (*ask.absent, ask.visible["told"]):
        ask("revoke", memory_id, ["team:hermeszq"])
    for scope in ("team:apollo", "team:hermeszq"):
        ask("revoke", list(ask.visible.values())[1], [scope])


def undo(ask: Ask) -> None:
    own = [ask.hidden[DELETED]] if DELETED in ask.hidden else []
    for memory_id in [each for each in ask.foreign if each not in own]:
        ask("undo", memory_id)
    for name in ("told", "draft", "port", "named", "open"):
        if name in ask.visible:
            for _ in range(3):
                ask("undo", ask.visible[name])
            ask("history", ask.visible[name])
    ask("search", "staging deploy port")


def reject(ask: Ask) -> None:
    for memory_id in (*ask.foreign, ask.visible["told"]):
        ask("reject", memory_id)
    for name in ("zh", "plan", "open"):
        if name in ask.visible:
            ask("reject", ask.visible[name])
            ask("undo", ask.visible[name])
            ask("reject", ask.visible[name])
    ask("search", "staging deploy port")
    ask("add", "The deploy of neo is open to all", visibility=["global"])
    ask("add", "Alice wants a snapshot before each deploy", subject="user:alice")
    ask("add", "The deploy of neo is open to all", override=True)


def delete(ask: Ask) -> None:
    for memory_id in (*ask.absent, ask.visible["told"]):
        ask("delete", memory_id)
    ask("delete", list(ask.visible.values())[1])


def forget(ask: Ask) -> None:
    for memory_id in (*ask.foreign, ask.visible["told"]):
        ask("forget", memory_id)
    for name in ("open", "answer", "rule"):
        if name in ask.visible:
            ask("forget", ask.visible[name], purge=False, verify=True)
    if "build" in ask.visible:
        ask("forget", ask.visible["build"], verify=True)
    for name in ("named", "port"):
        if name in ask.visible:
            ask("forget", ask.visible[name], evidence=True, remember=True)
    ask("search", "staging deploy port")


RIVALS = (  # what hidden memories say, and how they are named
    {"content": "The deploy port of staging is 8000, opens vaultzq", "tags": ["ops"]},
    {"content": "Alice's deploy port 8000 of staging, vaultzq"},
    {"content": "lodger lodged dockszq", "key": "trip"},
    {"content": "a new note", "key": "note"},
    {"content": "a call", "idempotency_key": "call-1"},
    {"content": "another call", "idempotency_key": "call-2"},
    {"content": "after what was taken back", "key": "oldzq"},
    {"content": "a turn", "session": "s-zq", "layer": 0, "actor": "agent:malzq"},
    {"content": "The queue port of hermes is 7000"},
    {"content": "The queue port of hermes is now 7001"},
    {"content": "9000", "entity": "hermes", "attribute": "queue size"},
)
FIELDS: Mapping[str, Any] = {
    "type": "dossierzq",
    "visibility": ["global"],
    "metadata": {"keyzq": 1},
    "occurred_at": datetime(2026, 1, 1, tzinfo=UTC),
    "valid_from": datetime(2025, 1, 1, tzinfo=UTC),
    "valid_to": datetime(2028, 1, 1, tzinfo=UTC),
    "ttl": timedelta(days=900),
    "importance": 0.4,
    "confidence": 0.9,
    "pinned": True,
    "on_duplicate": "merge",
}


def add(ask: Ask) -> None:
    for fields in RIVALS:
        ask("add", **fields)
        ask("add", **fields, subject="user:alice")
    ask("add", "Alice is named by all", **FIELDS)
    for scope in ("team:hermeszq", "project:landerzq", "team:ghostszq", "team:apollo"):
        ask("add", "shared", visibility=[scope])
    ask("add", "of Bob", subject="user:bobyq")
    ask("add", "staging deploy port 8001", subject="user:alice", dry_run=True)
    for memory_id in ask.ids:
        ask("add", "instead", supersedes=[memory_id], subject="user:alice")
        ask("add", "in short", evidence=[memory_id], subject="user:alice")
    ask("search", "deploy port of staging vaultzq")


def add_many(ask: Ask) -> None:
    ask("add_many", RIVALS)
    ask("add_many", [{"content": "of many"}], progress=heed_nothing)
    ask("add_many", [{"content": "of many"}, {"content": "x", "visibility": ["team:hermeszq"]}])
    ask("browse", limit=5)


TURNS: Sequence[Sequence[Mapping[str, Any]]] = (
    [{"role": "user", "content": "A turn of dockszq"}],
    [{"role": "user", "content": "Another turn"}, {"role": "assistant", "content": "Said so"}],
)


def capture(ask: Ask) -> None:
    for messages in TURNS:  # of a session in which others have captured turns
        for session in ("s1", "s-zq"):
            ask("capture", messages, session=session)
            ask("capture", messages, session=session, turn=1)
            ask("capture", messages, session=session, turn="first", subject="user:alice")
            ask("capture", messages, session=session, turn=1, subject="user:bobyq")
    for scope in ("team:apollo", "team:hermeszq", "project:landerzq"):
        ask("capture", TURNS[0], session="s2", visibility=[scope])
    ask("capture", [{"role": "nobody", "content": "x"}], session="s2")
    ask("search", "a turn of dockszq")


def end_session(ask: Ask) -> None:
    for session in ("s1", "s-zq", "s2", "s1"):
        ask("layers.end_session", session)
    ask("layers.sessions")
    ask("layers.timeline", "s1")


def take_down(turns: Sequence[Any], known: Sequence[Any]) -> list[dict[str, object]]:
    """Decide on all that a distiller is shown, so that it is told again."""
    kept = [
        {"action": "add", "content": turn.content[:150], "type": "fact", "evidence": [turn.id]}
        for turn in turns
    ]
    why = " ".join(memory.content for memory in known)
    again = [
        {"action": "no change", "evidence": [turns[0].id], "target": memory.id, "why": why}
        for memory in known
    ]
    return [*kept, *again]


def distil(ask: Ask) -> None:
    for session in ("s1", "s-zq", None):
        for subject in (None, "user:alice", "user:bobyq", "user:malzq"):
            ask("layers.distil", session, subject=subject, dry_run=True)
            ask("layers.distil", session, subject=subject, distiller=take_down, dry_run=True)
    ask("layers.distil", "s1", most=2, timeout_s=60)
    ask("layers.distil", distiller=take_down)
    ask("layers.distil")
    ask("search", "staging deploy port")


def write_down(title: str, atoms: Sequence[Any]) -> str:
    """Write all that a writer is shown, so that it is told again."""
    return "\n".join([f"# {title}", *(f"{atom.content[:150]} {atom.id}" for atom in atoms)])


def organise(ask: Ask) -> None:
    for subject in (None, "user:alice", "user:bobyq", "user:malzq"):
        ask("layers.organise", subject=subject, dry_run=True)
    ask("layers.organise", subject="user:alice", writer=write_down, timeout_s=60)
    ask("add", "The pots of Alice are read aloud", subject="user:alice")
    ask("layers.organise")
    ask("layers.scenes")
    ask("layers.persona")
    ask("profile_context")
    ask("search", "staging deploy port", layers=[2, 3])


def pipeline(ask: Ask) -> None:
    """Ask before and after each run what waits, what failed and what was done."""
    for options in (
        {"idle_s": 10**8},
        {"every_turns": 1, "distiller": nobody, "writer": nobody, "timeout_s": 60},
        {"on_session_end": False, "organise": False, "worker": False, "distiller": take_down},
        {"idle_s": 0},
    ):
        for session in ("s1", "s-zq"):
            for subject in (None, "user:alice"):
                ask("capture", TURNS[1], session=session, subject=subject)
        made = ask("layers.pipeline", **options)
        for verb in ("status", "run_pending", "status"):
            ask.of(made, verb)
    ask("search", "staging deploy port")


def nobody(*given: object) -> object:
    """Fail, with all that it was given in the error."""
    raise RuntimeError(str(given))


def save_profile(ask: Ask) -> None:
    ask("save_profile", RecallProfile("smithzq", {"lesson": 2.0}))
    ask("save_profile", RecallProfile("neo", {"lesson": 3.0}, {"smithzq": 2.0}))
    ask("search", "staging deploy port")


LOG = "what the deploy said\n" * 60 + "ERROR: the port is taken\n"


def reload(ask: Ask) -> None:
    for memory_id in (*ask.visible.values(), *ask.absent):
        ask("offload.reload", memory_id)
    for name in ("build", "secret build"):
        if memory_id := ask.visible.get(name) or ask.hidden.get(name):
            ask("offload.reload", memory_id, offset=3, length=9)
            ask("offload.reload", memory_id, lines=(2, 3))
            ask("offload.reload", memory_id, grep="zq")
    for session in ("s1", "s-zq"):
        for node in ("t1", "t2", "t9"):
            ask("offload.reload", node, session=session)


def task_graph(ask: Ask) -> None:
    for session in ("s1", "s-zq", "s2"):
        ask("offload.task_graph", session)
        ask("offload.task_graph", session, max_tokens=60)


def snapshot_diff(ask: Ask) -> None:
    build = ask.visible.get("build", ABSENT)
    for memory_id in (*ask.absent, ask.visible["told"], build):
        ask("offload.snapshot_diff", build, memory_id)
        ask("offload.snapshot_diff", memory_id, build, max_tokens=50)


def put(ask: Ask) -> None:
    for payload in (BUILD, SECRET_BUILD, LOG, b"\xff\x00"):
        ask("offload.put", payload, session="s1")
    fields = {
        "tags": ["ops"],
        "metadata": {"a": 1},
        "actor": "user:alice",
        "occurred_at": datetime(2026, 1, 1, tzinfo=UTC),
        "ttl": timedelta(days=9),
        "importance": 0.4,
        "idempotency_key": "call-1",
    }
    ask("offload.put", LOG, summary="s", name="make", kind="log", tool_call_id="c1", **fields)
    for scope in ("team:apollo", "team:hermeszq", "project:landerzq"):
        ask("offload.put", LOG, visibility=[scope], subject="user:alice")
    ask("offload.put", LOG, subject="user:bobyq")
    ask("offload.task_graph", "s1", max_tokens=900)


def fold(ask: Ask) -> None:
    messages = [
        {"role": "assistant", "content": LOG * 9},
        {"role": "tool", "name": "make", "content": BUILD * 40},
        {"role": "tool", "name": "make", "content": SECRET_BUILD * 40},
        {"role": "assistant", "content": "done"},
    ]
    for level in ("mild", "aggressive", "aggressive"):
        ask("offload.fold", messages, max_tokens=900, level=level, session="s1")
    ask("offload.fold", messages, max_tokens=900, used_tokens=1, subject="user:bobyq")
    for scope in ("team:apollo", "team:hermeszq"):
        ask("offload.fold", messages, max_tokens=900, subject="user:alice", visibility=[scope])


LAYERS = (entities, entity, semantic, grouped)
LAYERS += (sessions, timeline, evidence, end_session, distil, organise, pipeline)
LAYERS += (scenes, persona)
OFFLOAD = (reload, task_graph, snapshot_diff, put, fold)
NOUNS = {**dict.fromkeys(LAYERS, "layers."), **dict.fromkeys(OFFLOAD, "offload.")}
TABLE: Mapping[str, Callable[[Ask], None]] = {
    f"{NOUNS.get(each, '')}{each.__name__}": each
    for each in (
        get,
        get_many,
        browse,
        history,
        neighbors,
        sessions,
        timeline,
        entities,
        entity,
        semantic,
        grouped,
        graph,
        evidence,
        scenes,
        persona,
        profile_context,
        reload,
        task_graph,
        snapshot_diff,
        profile,
        explain,
        search,
        context_pack,
        context_pack_report,
        orchestrate_context,
        tools,
        call_tool,
        record_recall,
        link,
        unlink,
        share,
        revoke,
        update,
        add,
        add_many,
        capture,
        end_session,
        distil,
        organise,
        pipeline,
        entity_set,
        graph_writes,
        put,
        fold,
        save_profile,
        undo,
        reject,
        forget,
        delete,
    )
}


# What is told, taken apart.

Leaf = tuple[str, str]  # where, and what
Taken = list[tuple[str, list[Leaf]]]  # each call, and all that it told


def taken_apart(told: Iterable[tuple[str, object]]) -> Taken:
    """Return every text and number that was told, by whatever way one can look at it."""
    return [
        (call, [("repr", repr(answer)), ("str", str(answer)), *leaves(answer)])
        for call, answer in told
    ]


def leaves(value: object, where: str = "") -> Iterator[Leaf]:
    """Yield what *value* holds, down to texts and numbers: items, attributes and properties."""
    if isinstance(value, Raised):
        yield from _of_error(value.error, where)
    elif isinstance(value, Memory):
        yield where, _of_memory(value)
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield f"{where} key", repr(key)
            yield from leaves(item, f"{where}[{key!r}]")
    elif type(value).__module__.partition(".")[0] == PACKAGE:
        for name in _attributes(type(value)):
            yield from _of_attribute(value, name, where)
        if isinstance(value, Sequence):
            yield from _of_items(value, where)
    elif isinstance(value, list | tuple | set | frozenset):
        yield from _of_items(value, where)
    else:
        yield where, repr(value)


@cache
def _attributes(kind: type) -> list[str]:
    public = [name for name in dir(kind) if not name.startswith("_")]
    return [name for name in public if name == "to_dict" or not callable(getattr(kind, name))]


def _of_items(items: Any, where: str) -> Iterator[Leaf]:
    yield f"{where} len", str(len(items))
    for number, item in enumerate(items):
        yield from leaves(item, f"{where}[{number}]")


def _of_attribute(value: object, name: str, where: str) -> Iterator[Leaf]:
    found = getattr(value, name)
    yield from leaves(found() if name == "to_dict" else found, f"{where}.{name}")


def _of_memory(memory: Memory) -> str:
    """Return all that a memory tells; the same one comes back in many answers."""
    fields = str(memory.__getstate__())
    if fields not in _TOLD:
        told = [leaf for name in _attributes(Memory) for leaf in _of_attribute(memory, name, "")]
        _TOLD[fields] = "\n".join(f"{name} {each}" for name, each in told)
    return _TOLD[fields]


_TOLD: dict[str, str] = {}


def _of_error(error: BaseException | None, where: str) -> Iterator[Leaf]:
    while error is not None:
        where = f"{where} {type(error).__name__}"
        yield where, f"{error} {error.args} {vars(error)}"
        error = error.__cause__ or error.__context__


# What there is to ask.


def verbs(kind: type) -> dict[str, Callable[..., Any]]:
    """Return the public methods of *kind*, by name."""
    return {
        name: each
        for name, each in inspect.getmembers(kind, inspect.isfunction)
        if not name.startswith("_")
    }


def parameters(verb: Callable[..., Any]) -> set[str]:
    """Return the names of what *verb* takes, those of its unpacked fields included."""
    names: set[str] = set()
    for name, each in list(inspect.signature(verb).parameters.items())[1:]:
        if each.kind is each.VAR_KEYWORD:
            (fields,) = typing.get_args(each.annotation)
            names |= set(typing.get_type_hints(fields))
        else:
            names.add(name)
    return names


def difference(told: Taken, expected: Taken) -> str:
    """Return where two tellings part, in words; nothing when they are the same."""
    for (call, found), (asked, wanted) in zip(told, expected, strict=True):
        if call != asked:
            return f"{call}\n was asked instead of {asked}"
        for (where, text), (place, other) in zip(found, wanted, strict=False):
            if (where, text) != (place, other):
                return f"{call}\n tells {where} {text}\n instead of {place} {other}"
        if len(found) != len(wanted):
            return f"{call}\n tells {len(found)} things instead of {len(wanted)}"
    return ""


def marked(told: Taken, marks: Sequence[str], ids: Iterable[str]) -> str:
    """Return what tells a hidden word, or one of *ids*, that the caller had not said; else nothing.

    Hidden words are those that end with one of *marks*.
    """
    said = ""
    for call, found in told:
        said += call.lower()  # a title begins with a capital
        all_of_it = "\n".join(text for _, text in found)
        words = {*_marked_words(all_of_it, marks), *(each for each in ids if each in all_of_it)}
        for word in sorted(words):
            if word.lower() not in said:
                where = next(where for where, text in found if word in text)
                return f"{call}\n tells {word} in {where}"
    return ""


def _marked_words(text: str, marks: Sequence[str]) -> Iterator[str]:
    if any(mark in text for mark in marks):
        yield from (word for word in re.findall(r"\w+", text) if word.endswith(tuple(marks)))
