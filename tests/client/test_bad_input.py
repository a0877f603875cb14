"""Every parameter of every public verb, given what it cannot mean: an error that names it."""

import inspect
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from typing import Any, NamedTuple

import pytest

from agent_memory_os import AgentMemory, InvalidInput, MemoryClient, RecallProfile, Settings
from agent_memory_os.entities import Entity, ValueFields
from agent_memory_os.graph import Categories, Memories, MemoryGraph, Relations, Resources
from agent_memory_os.graph.memories import ItemFields
from agent_memory_os.layers import Layers
from agent_memory_os.model import ChangeFields, FilterFields, MemoryFields, PayloadFields
from agent_memory_os.nouns import Admin, ClientLayers, ClientOffload, Organisation
from agent_memory_os.offload import Offload
from agent_memory_os.testing import memory_client


class Nameless(NamedTuple):
    """A provider that proposes nothing, by a name that none can have."""

    name: object

    def candidates(self, request: object) -> list[Any]:
        return []


NAIVE = datetime(2026, 1, 1)
SURROGATE = "a\ud800b"
HUGE_TEXT = "x" * (Settings().max_content_chars + 1)
MANY_TAGS = [f"tag{n}" for n in range(100_000)]
DEEP: list[Any] = []
for _ in range(50):
    DEEP = [DEEP]

NOT_TEXT = [None, 7, b"x", ["x"], {"x": 1}, object()]
NOT_TEXT_OR_NONE = NOT_TEXT[1:]
# An id, whole: of an agent, a team, a project, a kind of agent.
BAD_IDS = [
    "",
    "  ",
    "a ",
    " a",
    "a\x00b",
    SURROGATE,
    "%",
    "*",
    "a*b",
    "a%",
    "a?",
    "a\nb",
    "x" * 201,
]
BAD_SUBJECTS = [*BAD_IDS, "alice", "user:", ":alice", "user:a*", "user: a", "user:a\nb", "user :a"]
BAD_SCOPES = [
    *BAD_SUBJECTS,
    "team:",
    "agent:",
    "everyone:all",
    "Global",
    "GLOBAL",
    "team:*",
    None,
    7,
]
BAD_WORDS = ["", "  ", "a\x00b", SURROGATE, "a\nb", "x" * 201]
BAD_MEMORY_IDS = [*NOT_TEXT, SURROGATE]
BAD_COUNTS = [
    -1,
    -(10**30),
    2.0,
    2.5,
    "5",
    b"5",
    True,
    [5],
    {},
    object(),
    float("nan"),
    float("inf"),
]
BAD_SHARES = [-0.1, 1.1, 10**400, "0.5", True, [0.5], float("nan"), float("inf"), object()]
BAD_TIMES = [NAIVE, "2026-01-01", 1_767_225_600, NAIVE.date(), [NAIVE], object(), b"2026"]
BAD_LISTS = ["x", b"x", 7, object(), {"x": 1}, [7], [b"x"], [["x"]], [object()]]
BAD_METADATA = [
    *[
        "x",
        b"x",
        7,
        ["x"],
        object(),
        {7: 1},
        {"v": float("nan")},
        {"v": float("inf")},
        {"v": 2**63},
    ],
    *[{"v": object()}, {"v": b"x"}, {"v": {1, 2}}, {"v": SURROGATE}, {SURROGATE: 1}, {"v": DEEP}],
    {"v": "x" * 70_000},
]
TOO_EARLY = datetime.min.replace(tzinfo=timezone(timedelta(hours=14)))
TOO_LATE = datetime.max.replace(tzinfo=timezone(timedelta(hours=-14)))
UNREAL_TIMES = [TOO_EARLY, TOO_LATE]

BAD_FIELDS: dict[str, list[object]] = {
    "subject": [*NOT_TEXT_OR_NONE, *BAD_SUBJECTS],
    "type": [*NOT_TEXT, *BAD_WORDS],
    "visibility": [*BAD_LISTS, None, "global", {"global": False}, *([s] for s in BAD_SCOPES)],
    "tags": [*BAD_LISTS, [None], MANY_TAGS, *([word] for word in BAD_WORDS)],
    "metadata": BAD_METADATA,
    "actor": [*NOT_TEXT_OR_NONE, *BAD_SUBJECTS],
    "session": [*NOT_TEXT_OR_NONE, *BAD_WORDS],
    "occurred_at": [*BAD_TIMES, *UNREAL_TIMES],
    "valid_from": [*BAD_TIMES, *UNREAL_TIMES],
    "valid_to": [*BAD_TIMES, *UNREAL_TIMES],
    "ttl": [
        60,
        60.0,
        "1h",
        timedelta(0),
        timedelta(seconds=-1),
        timedelta(microseconds=1),
        [],
        NAIVE,
    ],
    "importance": [*BAD_SHARES, None],
    "confidence": [*BAD_SHARES, None],
    "pinned": [None, 0, 1, "yes", [], object()],
    "layer": [None, -1, 4, 1.0, True, "1", b"1", [1], {}, object(), float("nan")],
    "key": [*NOT_TEXT_OR_NONE, *BAD_WORDS],
    "idempotency_key": [*NOT_TEXT_OR_NONE, *BAD_WORDS],
    "on_duplicate": [None, "", "replace", True, 7, ["merge"], {}, object()],
    "override": [None, 0, 1, "yes", [], object()],
    "entity": [*NOT_TEXT_OR_NONE, *BAD_WORDS, "without an attribute"],
    "attribute": [*NOT_TEXT_OR_NONE, *BAD_WORDS],
    **{
        name: [*BAD_LISTS, [None], [SURROGATE], [str(n) for n in range(101)]]
        for name in ("supersedes", "evidence")
    },
}
BAD_CONTENT: list[object] = [
    *[*NOT_TEXT, "", "  ", "\n\t", SURROGATE, HUGE_TEXT, [{"role": "user", "content": "hello"}]]
]
BAD_CHANGES: dict[str, list[object]] = {
    **{name: BAD_FIELDS[name] for name in ChangeFields.__annotations__ if name in BAD_FIELDS},
    "content": BAD_CONTENT,
    "merge_metadata": [*BAD_METADATA, None],
    **{name: ["x"] for name in ("subject", "visibility", "session", "key", "owner", "layer")},
}
BAD_FILTERS: dict[str, list[object]] = {
    "subject": [*NOT_TEXT_OR_NONE, *BAD_SUBJECTS],
    "types": [*BAD_LISTS, [None], [""], [SURROGATE], ["a\x00b"], ["a\nb"]],
    "layers": ["1", b"1", 1, object(), {1: 1}, [None], ["1"], [1.0], [True], [4], [-1], [[1]]],
    "owner": [*NOT_TEXT_OR_NONE, *BAD_IDS],
    "tags": [*BAD_LISTS, [None], [""], [SURROGATE], ["a\x00b"], ["a\nb"]],
    "where": [
        *["x", b"x", 7, ["x"], object(), {7: 1}, {"nonsense": 1}, {"": 1}, {"metadata": 1}],
        *[{"metadata.": 1}, {"metadata.a": object()}, {"metadata.a": float("nan")}],
        *[{"metadata.a": b"x"}, {"metadata.a": SURROGATE}, {f"metadata.{SURROGATE}": 1}],
        *[{"metadata.a": DEEP}, {"metadata.a": 2**63}, {"metadata.a": {"$near": 1}}],
        *[{"$or": []}, {"$or": {"type": "x"}}, {"$not": 1}, {"$nor": []}, {"$gt": 1}],
        *[{"type": 1}, {"importance": "x"}, {"layer": True}, {"created_at": NAIVE}, {"tags": "x"}],
        *[{"type": {"$in": "note"}}, {"type": {"$exists": 1}}, {"pinned": {"$gt": True}}],
        {"$and": [{"type": "x"}] * 300},
    ],
    "since": BAD_TIMES,
    "until": BAD_TIMES,
    "as_of": BAD_TIMES,
    "known_at": BAD_TIMES,
    "time_field": ["", "now", "valid_from", 7, b"created_at", ["created_at"], {}, object()],
    "min_confidence": BAD_SHARES,
}
BAD_LAYERS = BAD_FILTERS["layers"]
BAD_HALF_LIVES = [-1, -0.1, 10**400, "4", True, [4], float("nan"), float("inf"), object()]
BAD_MEMORY_LISTS = [*BAD_LISTS, None, [None], [SURROGATE]]
BAD_AGENTS = [*NOT_TEXT_OR_NONE, *BAD_IDS]
BAD_ITEMS: list[object] = [
    *[None, "x", b"x", 7, object(), {"content": "x"}, ["x"], [None], [{}], [{"text": "x"}]],
    *[[{"content": ""}], [{"content": "x", "nonsense": 1}], [{"content": "x", 7: 1}]],
    [{"content": "fine"}, {"content": "x", "importance": 2}],
]
SAID: dict[str, object] = {"role": "user", "content": "x"}
BAD_MESSAGES: list[object] = [
    *[
        None,
        "x",
        b"x",
        7,
        object(),
        SAID,
        ["x"],
        [None],
        [7],
        [{}],
        [("user",)],
        [("user", "a", 7)],
    ],
    *([{**SAID, "role": role}] for role in [*NOT_TEXT, "", "human", "USER"]),
    *([{**SAID, "content": content}] for content in [None, 7, b"x", {}, object(), [7], [{"a": 1}]]),
    *([{**SAID, "content": content}] for content in [HUGE_TEXT, SURROGATE, [{"type": "text"}]]),
    *([{**SAID, "name": name}] for name in [7, b"x", [], *BAD_IDS]),
    *([{**SAID, "actor": actor}] for actor in [7, b"x", *BAD_SUBJECTS]),
    *([{**SAID, "occurred_at": moment}] for moment in [*BAD_TIMES, *UNREAL_TIMES]),
    *([{**SAID, "metadata": metadata}] for metadata in BAD_METADATA),
    *([{**SAID, "tool_calls": calls}] for calls in ["x", 7, {"a": 1}, [7], [{}], [{"name": ""}]]),
    [{**SAID, "tool_calls": [{"name": "grep", "args": {"a": object()}}]}],
    *([{**SAID, "role": "tool", "tool_call_id": word}] for word in [7, b"x", *BAD_WORDS]),
    [{**SAID, "contents": "x"}],
    [SAID, {**SAID, "role": "nobody"}],
]
BAD_WEIGHTS = [*BAD_SHARES, None, 0, 0.0, 1e-9]
BAD_PROFILES = [
    *[*NOT_TEXT, {"agent_id": "neo"}],
    *(RecallProfile(name) for name in [*NOT_TEXT, *BAD_IDS]),
    *(RecallProfile("neo", {"note": weight}) for weight in [0, 0.09, 3.1, "1", True, None]),
    *(RecallProfile("neo", {word: 1.0}) for word in [*BAD_WORDS, 7, None]),
    *(RecallProfile("neo", {}, {name: 1.0}) for name in [*BAD_IDS, 7, None]),
    *(RecallProfile("neo", weights) for weights in [None, 7, "note", ["note"]]),
]


class Verb(NamedTuple):
    """How a verb is called as it should be, and what each of its parameters cannot be."""

    arguments: dict[str, object]
    bad: dict[str, list[object]]


ANY_ID = "f" * 25
QUERY = {"query": NOT_TEXT_OR_NONE}
PREFERRED = {"prefer": [0, "", "fact", "FACTS", b"task", ["task"], {}, object()]}
MEMORY_ID = {"memory_id": BAD_MEMORY_IDS}
PAST = {"as_of": BAD_TIMES, "known_at": BAD_TIMES}
PAGE = {"limit": [*BAD_COUNTS, None], "offset": [*BAD_COUNTS, None], **BAD_FILTERS}
SCORED = {"min_score": [*BAD_SHARES, None], **BAD_FILTERS}
REINFORCED = {
    "auto_reinforce": [None, 0, 1, "yes", [], object()],
    "strategy": [None, 0, "", "words", ["vector"], object()],
}
BAD_PROVIDERS = [
    *[*BAD_LISTS, "lexical", [None], [""], [SURROGATE], ["lexikal"], [int]],
    *([Nameless(name)] for name in [*NOT_TEXT, *BAD_IDS, "lexical"]),
]
ASKED = {"providers": BAD_PROVIDERS}
TIMED = {**ASKED, "deadline_ms": [*BAD_COUNTS, 0]}
SCOPES = {"scopes": BAD_FIELDS["visibility"]}
BAD_FORMATS = [None, 0, "", "XML", "yaml", b"xml", ["xml"], {}, object()]
PACK = {"max_tokens": BAD_COUNTS, "format": BAD_FORMATS, **QUERY, **SCORED}
PACK |= {**REINFORCED, **TIMED, **PREFERRED}
ORCHESTRATED = {
    "session": BAD_FIELDS["session"],
    "already": [*BAD_LISTS, None, [None], [SURROGATE]],
    **PACK,
}
TWO_IDS = {"source_id": ANY_ID, "target_id": "e" * 25}
ENDS = {"source_id": BAD_MEMORY_IDS, "target_id": BAD_MEMORY_IDS}
FOLLOWED: dict[str, list[object]] = {"progress": [0, "print", [print], {}, object()]}
SHARE = {"share": BAD_FIELDS["visibility"], "format": [*BAD_FORMATS, "markdown"]}
TEAM = {"team_id": [*NOT_TEXT, *BAD_IDS]}
PROJECT = {"project_id": [*NOT_TEXT, *BAD_IDS]}
AGENT = {"agent_id": [*NOT_TEXT, *BAD_IDS]}

CAPTURED = {
    "messages": BAD_MESSAGES,
    "session": [*NOT_TEXT, *BAD_WORDS],
    "turn": [*BAD_COUNTS[:4], *BAD_COUNTS[5:], *BAD_WORDS],
    "subject": BAD_FIELDS["subject"],
    "visibility": BAD_FIELDS["visibility"],
}
BAD_FLAGS = [None, 0, 1, "yes", [], object()]
BAD_VALUES_OF_METADATA = [each for each in BAD_METADATA if not isinstance(each, dict)]
NARROWED = {
    **QUERY,
    "anchors": BAD_FILTERS["tags"],
    "metadata": [*BAD_VALUES_OF_METADATA, {7: 1}, {"a": object()}, {"a": float("nan")}],
    "limit": PAGE["limit"],
    **{name: BAD_FILTERS[name] for name in ("subject", "owner", "types", "since", "until")},
}
NAMED = {"attribute": [*NOT_TEXT, *BAD_WORDS]}
ENTITY = {
    "get": Verb({"attribute": "port"}, {**NAMED, "as_of": BAD_TIMES, "default": []}),
    "keys": Verb({}, {}),
    "attributes": Verb({}, {"as_of": BAD_TIMES}),
    "history": Verb({"attribute": "port"}, {**NAMED, "limit": PAGE["limit"]}),
    "set": Verb(
        {"attribute": "port", "value": "5432"},
        {
            **NAMED,
            **{
                name: BAD_FIELDS[name] for name in ValueFields.__annotations__ if name in BAD_FIELDS
            },
            "value": [each for each in BAD_CONTENT if not isinstance(each, list)],
            "merge_metadata": [*BAD_METADATA, None],
        },
    ),
    "delete": Verb({"attribute": "port"}, NAMED),
}
LAYERS = {
    "sessions": Verb({}, {"subject": BAD_FILTERS["subject"], "limit": PAGE["limit"]}),
    "end_session": Verb({"session": "s1"}, {"session": [*NOT_TEXT, *BAD_WORDS]}),
    "distil": Verb(
        {"session": "s1"},
        {
            "session": BAD_FIELDS["session"],
            "subject": BAD_FILTERS["subject"],
            "distiller": [7, "rules", b"x", [], {}, object()],
            "dry_run": BAD_FLAGS,
            "timeout_s": [None, "4", True, 0, -1, 10**400, float("nan"), float("inf"), object()],
            "most": BAD_COUNTS,
        },
    ),
    "pipeline": Verb(
        {},
        {
            "every_turns": [*BAD_COUNTS, None, 0],
            "idle_s": [None, "4", True, -1, 10**400, float("nan"), float("inf"), object()],
            "distiller": [7, "rules", b"x", [], {}, object()],
            "writer": [7, "rules", b"x", [], {}, object()],
            "timeout_s": [None, "4", True, 0, -1, 10**400, float("nan"), float("inf"), object()],
            **dict.fromkeys(("on_session_end", "organise", "worker"), BAD_FLAGS),
        },
    ),
    "organise": Verb(
        {},
        {
            "subject": BAD_FILTERS["subject"],
            "writer": [7, "rules", b"x", [], {}, object()],
            "dry_run": BAD_FLAGS,
            "timeout_s": [None, "4", True, 0, -1, 10**400, float("nan"), float("inf"), object()],
        },
    ),
    "scenes": Verb({}, {"subject": BAD_FILTERS["subject"], "limit": PAGE["limit"]}),
    "persona": Verb({}, {"subject": BAD_FILTERS["subject"]}),
    "timeline": Verb(
        {},
        {
            "session": BAD_FIELDS["session"],
            **{name: BAD_FILTERS[name] for name in ("subject", "since", "until")},
            "around": [7, b"x", [], {}, object(), NAIVE, SURROGATE],
            "event_type": [*NOT_TEXT_OR_NONE, *BAD_WORDS],
            "limit": PAGE["limit"],
        },
    ),
    "entity": Verb(
        {"name": "db1"},
        {"name": [*NOT_TEXT, *BAD_WORDS], "subject": BAD_FILTERS["subject"]},
    ),
    "entities": Verb(
        {},
        {
            "subject": BAD_FILTERS["subject"],
            "kind": [*NOT_TEXT_OR_NONE, *BAD_IDS],
            "limit": PAGE["limit"],
        },
    ),
    "semantic": Verb({"query": "tea"}, NARROWED),
    "grouped": Verb(
        {"query": "tea"},
        {"ways": [*BAD_LISTS, None, [], [None], [""], ["sematic"], [SURROGATE]], **NARROWED},
    ),
    "evidence": Verb(
        {"memory_id": ANY_ID},
        {
            **MEMORY_ID,
            "direction": [None, 7, "", "out", b"down", [], object()],
            "depth": [*BAD_COUNTS, None, 0],
            "limit": BAD_COUNTS,
        },
    ),
}

OFFLOADED = {
    "payload": [None, 7, ["x"], {"x": 1}, object(), SURROGATE],
    "summary": [*NOT_TEXT_OR_NONE, "", "  ", SURROGATE, HUGE_TEXT],
    "name": [*NOT_TEXT_OR_NONE, *BAD_WORDS],
    "kind": [*NOT_TEXT, *BAD_WORDS],
    "tool_call_id": [*NOT_TEXT_OR_NONE, *BAD_WORDS],
    **{name: BAD_FIELDS[name] for name in PayloadFields.__annotations__},
}
RELOADED = {
    "ref": BAD_MEMORY_IDS,
    "session": BAD_FIELDS["session"],
    "offset": [*BAD_COUNTS, None],
    "length": BAD_COUNTS,
    "lines": [7, "xy", b"xy", (1,), (1, 2, 3), (0, 1), (1.0, 2), (None, None), {}, object()],
    "grep": NOT_TEXT_OR_NONE,
}
FOLDED = {
    "messages": [None, 7, "x", b"x", {}, object()],
    "max_tokens": [*BAD_COUNTS, None, 0],
    "used_tokens": BAD_COUNTS,
    "level": [None, 7, "", "wild", b"mild", ["mild"], object()],
    **{name: BAD_FIELDS[name] for name in ("session", "subject", "visibility")},
}
OFFLOAD = {
    "put": Verb({"payload": "a log"}, OFFLOADED),
    "reload": Verb({"ref": ANY_ID}, RELOADED),
    "task_graph": Verb(
        {"session": "s1"}, {"session": [*NOT_TEXT, *BAD_WORDS], "max_tokens": BAD_COUNTS}
    ),
    "fold": Verb({"messages": [], "max_tokens": 1_000}, FOLDED),
    "snapshot_diff": Verb(
        {"before": ANY_ID, "after": ANY_ID},
        {"before": BAD_MEMORY_IDS, "after": BAD_MEMORY_IDS, "max_tokens": BAD_COUNTS},
    ),
}

ERASING = {
    name: [None, 0, 1, "yes", [], object()] for name in ("evidence", "purge", "verify", "remember")
}

BAD_PLACES = [*NOT_TEXT, "", "  ", "a\x00b", SURROGATE, "~nobody-by-this-name/copy.db"]

# What an agent's view and the client have in common.
SHARED_VERBS = {
    "add": Verb({"content": "tea"}, {"content": BAD_CONTENT, "dry_run": BAD_FLAGS, **BAD_FIELDS}),
    "add_many": Verb({"items": [{"content": "tea"}]}, {"items": BAD_ITEMS, **FOLLOWED}),
    "capture": Verb({"messages": [("user", "tea")], "session": "s1"}, CAPTURED),
    "get": Verb({"memory_id": ANY_ID}, {**MEMORY_ID, **PAST}),
    "get_many": Verb(
        {"memory_ids": [ANY_ID]}, {"memory_ids": [*BAD_LISTS, None, [None], [SURROGATE]], **PAST}
    ),
    "browse": Verb({}, PAGE),
    "search": Verb(
        {"query": "tea"}, {**QUERY, **PAGE, **SCORED, **REINFORCED, **TIMED, **PREFERRED}
    ),
    "context_pack": Verb({"query": "tea"}, PACK),
    "orchestrate_context": Verb({"query": "tea"}, ORCHESTRATED),
    "profile_context": Verb(
        {}, {"subject": BAD_FILTERS["subject"], "max_tokens": PACK["max_tokens"]}
    ),
    "explain": Verb(
        {"query": "tea", "memory_id": ANY_ID},
        {**QUERY, **MEMORY_ID, **SCORED, **ASKED, **PREFERRED, "limit": [*BAD_COUNTS, None]},
    ),
    "history": Verb({"memory_id": ANY_ID}, MEMORY_ID),
    "update": Verb(
        {"memory_id": ANY_ID, "content": "tea"},
        {
            **MEMORY_ID,
            "if_version": [7, b"x", ["x"], {}, object()],
            "dry_run": BAD_FLAGS,
            **BAD_CHANGES,
        },
    ),
    "undo": Verb({"memory_id": ANY_ID}, MEMORY_ID),
    "reject": Verb({"memory_id": ANY_ID}, MEMORY_ID),
    "delete": Verb({"memory_id": ANY_ID}, MEMORY_ID),
    "forget": Verb({"memory_id": ANY_ID}, {**MEMORY_ID, **ERASING}),
    "share": Verb({"memory_id": ANY_ID, "scopes": ["global"]}, {**MEMORY_ID, **SCOPES}),
    "revoke": Verb({"memory_id": ANY_ID, "scopes": ["global"]}, {**MEMORY_ID, **SCOPES}),
    "link": Verb(
        TWO_IDS,
        {
            "source_id": [*BAD_MEMORY_IDS, TWO_IDS["target_id"]],
            "target_id": [*BAD_MEMORY_IDS, TWO_IDS["source_id"]],
            "relation": [*NOT_TEXT, *BAD_WORDS],
            "weight": BAD_WEIGHTS,
        },
    ),
    "unlink": Verb(TWO_IDS, {**ENDS, "relation": [*NOT_TEXT_OR_NONE, *BAD_WORDS]}),
    "neighbors": Verb(
        {"memory_id": ANY_ID},
        {
            **MEMORY_ID,
            "depth": [*BAD_COUNTS, None, 0],
            "relations": [*BAD_LISTS, [None], *([word] for word in BAD_WORDS)],
            "limit": [*BAD_COUNTS, None],
        },
    ),
    "record_recall": Verb(
        {"memory_ids": [ANY_ID]},
        {
            "memory_ids": [*BAD_LISTS, None, [None], [SURROGATE]],
            "helpful": [None, 0, 1, "yes", [], object()],
            **QUERY,
        },
    ),
    "save_profile": Verb({"profile": RecallProfile("neo")}, {"profile": BAD_PROFILES}),
    "profile": Verb({}, {}),
}
ASKED_BY = {"requester_agent_id": BAD_AGENTS}
WRITTEN_BY = {"owner": BAD_AGENTS}


def _named(name: str, verb: Verb) -> Verb:
    """Return the verb of the client, which takes who acts besides."""
    written = ("capture", "end_session", "distil", "organise", "pipeline", "put", "fold")
    is_write = name.startswith("add") or name in written
    who = WRITTEN_BY if is_write else ASKED_BY
    return Verb(verb.arguments, {**verb.bad, **who})


ALICE = {"resource_id": "user:alice"}
OF_RESOURCE = {"resource_id": [*NOT_TEXT, *BAD_IDS, "user:", ":alice"]}
BAD_CATEGORIES = [*NOT_TEXT, *BAD_WORDS, "preferense", "resource"]
BAD_TEXTS = [each for each in BAD_CONTENT if each is not None]
ITEM = {"memory_id": BAD_MEMORY_IDS, "limit": PAGE["limit"]}
BAD_RELATIONS = [*NOT_TEXT, *BAD_WORDS]
MERGED = {"merge_metadata": BAD_METADATA}
KEPT = {"visibility": [each for each in BAD_FIELDS["visibility"] if each is not None]}
GRAPH = {
    "resources": {
        "create": Verb(
            {"resource_type": "user", **ALICE},
            {
                "resource_type": [*NOT_TEXT, *BAD_IDS],
                "resource_id": [*NOT_TEXT, *BAD_IDS],
                "text": BAD_TEXTS,
                "metadata": BAD_METADATA,
                **KEPT,
            },
        ),
        "get": Verb(ALICE, OF_RESOURCE),
        "search": Verb(
            {},
            {
                **QUERY,
                "resource_type": [*NOT_TEXT_OR_NONE, *BAD_IDS],
                "limit": PAGE["limit"],
            },
        ),
        "neighbors": Verb(
            ALICE,
            {**OF_RESOURCE, "category": BAD_CATEGORIES[1:], "limit": PAGE["limit"]},
        ),
        "update": Verb({**ALICE, "text": "x"}, {**OF_RESOURCE, "text": BAD_TEXTS, **MERGED}),
    },
    "memories": {
        "create": Verb(
            {**ALICE, "text": "tea"},
            {
                **OF_RESOURCE,
                "text": BAD_CONTENT,
                "category": BAD_CATEGORIES[1:],
                "messages": [[("user", "tea")]],
                "session": [],
                **{name: BAD_FIELDS[name] for name in ItemFields.__annotations__},
            },
        ),
        "get": Verb({"memory_id": ANY_ID}, MEMORY_ID),
        "search": Verb(
            ALICE,
            {
                **OF_RESOURCE,
                **QUERY,
                "top_k": PAGE["limit"],
                "category": BAD_CATEGORIES[1:],
                "min_score": SCORED["min_score"],
                "metadata": NARROWED["metadata"],
            },
        ),
        "neighbors": Verb({"memory_id": ANY_ID}, {**ITEM, "depth": [*BAD_COUNTS, None, 0]}),
        "update": Verb(
            {"memory_id": ANY_ID, "text": "tea"},
            {
                **MEMORY_ID,
                "text": BAD_TEXTS,
                "category": [*NOT_TEXT_OR_NONE, *BAD_WORDS],
                "tags": [each for each in BAD_FIELDS["tags"] if each is not None],
                "importance": BAD_SHARES,
                **MERGED,
            },
        ),
        "delete": Verb({"memory_id": ANY_ID}, MEMORY_ID),
    },
    "categories": {
        "create": Verb(
            {"name": "allergy"},
            {"name": [*NOT_TEXT, *BAD_WORDS], "text": BAD_TEXTS, **KEPT},
        ),
        "get": Verb({"name": "fact"}, {"name": [*NOT_TEXT, *BAD_WORDS]}),
        "search": Verb({}, {**QUERY, "limit": PAGE["limit"]}),
        "neighbors": Verb(
            {"name": "fact", **ALICE},
            {"name": [*NOT_TEXT, *BAD_WORDS], **OF_RESOURCE, "limit": PAGE["limit"]},
        ),
        "update": Verb(
            {"name": "allergy", "text": "x"},
            {"name": [*NOT_TEXT, *BAD_WORDS], "text": BAD_CONTENT},
        ),
        "delete": Verb({"name": "allergy"}, {"name": [*NOT_TEXT, *BAD_WORDS]}),
    },
    "relations": {
        "create": Verb(TWO_IDS, {**ENDS, "relation_type": BAD_RELATIONS, "weight": BAD_WEIGHTS}),
        "search": Verb({"memory_id": ANY_ID}, {**ITEM, "relation_type": BAD_RELATIONS[1:]}),
        "neighbors": Verb(
            {"memory_id": ANY_ID},
            {
                **ITEM,
                "depth": [*BAD_COUNTS, None, 0],
                "relation_types": [*BAD_LISTS, [None], *([word] for word in BAD_WORDS)],
            },
        ),
        "update": Verb(
            {**TWO_IDS, "weight": 0.5},
            {**ENDS, "relation_type": BAD_RELATIONS, "weight": BAD_WEIGHTS},
        ),
        "delete": Verb(TWO_IDS, {**ENDS, "relation_type": BAD_RELATIONS[1:]}),
    },
}

VERBS: dict[str, dict[str, Verb]] = {
    "view": {
        **SHARED_VERBS,
        "tools": Verb({}, SHARE),
        "call_tool": Verb(
            {"name": "memory_add", "arguments": {"content": "tea"}, "raise_errors": True},
            {
                "name": [*NOT_TEXT, "", "add", "memory_forget", "memory_share", SURROGATE],
                "arguments": [7, "x", b"\xff", "[]", [], object(), {}, {"content": 7}, {7: 7}],
                "raise_errors": [None, 0, 1, "yes", [], object()],
                **SHARE,
            },
        ),
    },
    "client": {
        **{name: _named(name, verb) for name, verb in SHARED_VERBS.items()},
        "save_profile": SHARED_VERBS["save_profile"],  # it says itself whose it is
        "context_pack_report": _named("context_pack_report", Verb({"query": "tea"}, PACK)),
        "as_agent": Verb(
            {"agent_id": "neo", "subject": "user:ada"},
            {
                **AGENT,
                "subject": [*NOT_TEXT_OR_NONE, *BAD_SUBJECTS],
                "shared": [None, 0, 1, "false", [], object()],
            },
        ),
        "rebuild_indexes": Verb({}, FOLLOWED),
        "consolidate": Verb(
            {},
            {
                "subject": [*NOT_TEXT_OR_NONE, *BAD_SUBJECTS],
                "owner": BAD_AGENTS,
                "dry_run": BAD_FLAGS,
                **FOLLOWED,
            },
        ),
        "capabilities": Verb({}, {}),
        "close": Verb({}, {}),
    },
    "entity": ENTITY,
    **{f"graph {name}": verbs for name, verbs in GRAPH.items()},
    "layers": LAYERS,
    "client layers": {name: _named(name, verb) for name, verb in LAYERS.items()},
    "offload": OFFLOAD,
    "client offload": {name: _named(name, verb) for name, verb in OFFLOAD.items()},
    "org": {
        "register_agent": Verb(
            {"agent_id": "neo"},
            {
                **AGENT,
                "kind": [*NOT_TEXT_OR_NONE, *BAD_IDS],
                "teams": [*BAD_LISTS, None, *([name] for name in BAD_IDS)],
            },
        ),
        "create_team": Verb({"team_id": "new"}, {"team_id": [*TEAM["team_id"], "taken"]}),
        "add_team_member": Verb({"team_id": "taken", "agent_id": "neo"}, {**TEAM, **AGENT}),
        "remove_team_member": Verb({"team_id": "taken", "agent_id": "neo"}, {**TEAM, **AGENT}),
        "delete_team": Verb({"team_id": "taken"}, TEAM),
        "create_project": Verb(
            {"project_id": "new", "team": "taken"}, {**PROJECT, "team": [*NOT_TEXT, *BAD_IDS]}
        ),
        "add_project_member": Verb({"project_id": "p", "agent_id": "neo"}, {**PROJECT, **AGENT}),
        "remove_project_member": Verb({"project_id": "p", "agent_id": "neo"}, {**PROJECT, **AGENT}),
        "delete_project": Verb({"project_id": "p"}, PROJECT),
        "agents": Verb({}, {}),
        "teams": Verb({}, {}),
        "projects": Verb({}, {}),
        "memberships": Verb({"agent_id": "neo"}, AGENT),
        "audit": Verb({}, {"limit": [*BAD_COUNTS, None]}),
    },
    "admin": {
        "check": Verb({}, {}),
        "stats": Verb({}, {}),
        "rebuild_indexes": Verb({}, FOLLOWED),
        "capabilities": Verb({}, {}),
        "reembed": Verb({}, {"limit": [*BAD_COUNTS, None]}),
        "forget_subject": Verb(
            {"subject": "user:ada"}, {**ERASING, "subject": [*NOT_TEXT, *BAD_SUBJECTS]}
        ),
        "forget_owner": Verb({"owner": "neo"}, {**ERASING, "owner": [*NOT_TEXT, *BAD_IDS]}),
        "retention": Verb(
            {}, {"half_lives": BAD_HALF_LIVES, "layers": BAD_LAYERS, "dry_run": BAD_FLAGS}
        ),
        "archive": Verb({"memory_ids": [ANY_ID]}, {"memory_ids": BAD_MEMORY_LISTS}),
        "unarchive": Verb({"memory_ids": [ANY_ID]}, {"memory_ids": BAD_MEMORY_LISTS}),
        "archived": Verb({}, PAGE),
        "purge": Verb({}, {}),
        "repair": Verb({}, {"dry_run": BAD_FLAGS}),
        "backup": Verb(
            {"path": "none/copy.db"},
            {"path": BAD_PLACES, "keep": [*BAD_COUNTS, 0, 1], **FOLLOWED},
        ),
        "restore_backup": Verb(
            {"path": "none/copy.db"}, {"path": BAD_PLACES, "force": BAD_FLAGS, **FOLLOWED}
        ),
    },
}
CLASSES = {"view": AgentMemory, "client": MemoryClient, "org": Organisation, "admin": Admin}
CLASSES |= {"entity": Entity, "graph resources": Resources, "graph memories": Memories}
CLASSES |= {"graph categories": Categories, "graph relations": Relations}
CLASSES |= {"layers": Layers, "client layers": ClientLayers}
CLASSES |= {"offload": Offload, "client offload": ClientOffload}
# Not a caller's door: what a view hands to the writing room, and what it tells of itself.
NO_VERBS = {"name", "draft", "agent_id", "subject", "org", "admin", "layers", "offload"}
FIELDS = {MemoryFields: BAD_FIELDS, ChangeFields: BAD_CHANGES, FilterFields: BAD_FILTERS}

CASES = [
    pytest.param(where, name, parameter, id=f"{where}.{name}({parameter})")
    for where, verbs in VERBS.items()
    for name, verb in verbs.items()
    for parameter in verb.bad
]


@pytest.fixture
def little() -> Iterator[MemoryClient]:
    """Yield a memory with one note, one team and one project, which no bad call may change."""
    with memory_client() as client:
        client.org.create_team("taken")
        client.org.create_project("p", team="taken")
        client.add("there before", tags=["old"], metadata={"a": 1})
        yield client


def place_of(client: MemoryClient, where: str) -> Any:
    """Return the object that has the verbs of *where*."""
    places = {
        "client": lambda: client,
        "view": lambda: client.as_agent("neo"),
        "entity": lambda: client.layers.entity("db1"),
        **{f"graph {name}": partial(getattr, MemoryGraph(client), name) for name in GRAPH},
        "layers": lambda: client.as_agent("neo").layers,
        "client layers": lambda: client.layers,
        "offload": lambda: client.as_agent("neo").offload,
        "client offload": lambda: client.offload,
        "org": lambda: client.org,
        "admin": lambda: client.admin,
    }
    return places[where]()


def state_of(client: MemoryClient) -> tuple[object, ...]:
    """Return whatever a stray write would change."""
    with client._parts.store.read() as snapshot:
        scopes = snapshot._line.db.execute("SELECT kind, name FROM scopes ORDER BY id").fetchall()
        relations = snapshot._line.db.execute("SELECT name FROM relations").fetchall()
        profiles = snapshot._line.db.execute("SELECT agent, weights FROM profiles").fetchall()
    return (
        client.admin.stats(),
        client.org.agents(),
        client.org.teams(),
        client.org.projects(),
        client.org.audit(),
        scopes,
        relations,
        profiles,
        client.admin.check(),
    )


def names_of(parameter: str, bad: object) -> set[str]:
    """Return the words by which an error names *parameter*, or the part of it that is *bad*."""
    names = {parameter.removesuffix("s").removesuffix("_id")}
    if parameter in ("visibility", "scopes", "share"):
        names |= {"visibility", "scope"}
    if parameter == "messages":
        names.add("message 1" if isinstance(bad, list) and len(bad) > 1 else "message")
    if parameter == "merge_metadata":
        names.add("metadata")
    if parameter == "where":
        names |= {
            "field",
            "path",
            "operator",
            *(key for key in (bad if isinstance(bad, dict) else ()) if key),
        }
    return {str(name) for name in names}


def outcome(call: Callable[[], object], names: set[str]) -> str:
    """Return how *call* refused, in a word: what is expected is "refused"."""
    try:
        result = call()
    except InvalidInput as error:
        if not isinstance(error, ValueError):
            return "is no ValueError"
        message = str(error)
        named = any(name in message for name in names)
        return "refused" if named else f"does not name it: {message[:200]}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    return f"gave {str(result)[:80]}"


@pytest.mark.parametrize(("where", "name", "parameter"), CASES)
def test_a_bad_argument_is_refused_by_name_and_nothing_is_written(
    little: MemoryClient, where: str, name: str, parameter: str
) -> None:
    verb = VERBS[where][name]
    before = state_of(little)
    call = getattr(place_of(little, where), name)

    outcomes = [
        (
            repr(bad)[:60],
            outcome(
                lambda bad=bad: call(**{**verb.arguments, parameter: bad}),
                names_of(parameter, bad),
            ),
        )
        for bad in verb.bad[parameter]
    ]

    assert [found for found in outcomes if found[1] != "refused"] == []
    assert state_of(little) == before


@pytest.mark.parametrize("where", VERBS)
def test_no_public_verb_is_left_out(where: str) -> None:
    public = {name for name in dir(CLASSES[where]) if not name.startswith("_")} - NO_VERBS

    assert public == {*VERBS[where]}


@pytest.mark.parametrize("where", VERBS)
def test_no_parameter_is_left_out(where: str) -> None:
    left_out = []
    for name, verb in VERBS[where].items():
        known = {*verb.bad}
        for parameter in inspect.signature(getattr(CLASSES[where], name)).parameters.values():
            if parameter.kind is parameter.VAR_KEYWORD:
                (fields,) = parameter.annotation.__args__
                left_out += [f"{name}({each})" for each in {*fields.__annotations__} - known]
            elif parameter.name not in {*known, "self"}:
                left_out.append(f"{name}({parameter.name})")

    assert left_out == []


@pytest.mark.parametrize(
    ("where", "name"),
    [
        (where, name)
        for where in ("client", "view")
        for name in (
            *("add", "browse", "search", "context_pack", "orchestrate_context"),
            *("explain", "update"),
        )
    ],
)
def test_an_unknown_keyword_is_refused_by_name(little: MemoryClient, where: str, name: str) -> None:
    before = state_of(little)

    with pytest.raises(InvalidInput, match="subjekt"):
        getattr(place_of(little, where), name)(**VERBS[where][name].arguments, subjekt="user:a")

    assert state_of(little) == before


def test_an_unknown_keyword_of_an_item_is_refused_by_name_and_number(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match=r"item 1: .*subjekt.*did you mean 'subject'"):
        m.add_many([{"content": "tea"}, {"content": "milk", "subjekt": "user:a"}])

    assert m.browse() == []


def test_an_item_whose_key_is_no_string_is_refused_by_number(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="item 1 has a key that is not a string"):
        m.add_many([{"content": "tea"}, {"content": "milk", 7: "user:a"}])

    assert m.browse() == []


@pytest.mark.parametrize("owner", [7, b"x", ["x"], {"x": 1}, object(), "", " ", "a*b", "a\nb"])
def test_a_bad_owner_of_an_item_is_refused_by_number(m: MemoryClient, owner: object) -> None:
    with pytest.raises(InvalidInput, match=r"item 1: .*owner"):
        m.add_many([{"content": "tea"}, {"content": "milk", "owner": owner}])

    assert m.browse() == []
    assert m.org.agents() == []


def test_an_item_of_a_view_names_no_owner(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="owner"):
        m.as_agent("neo").add_many([{"content": "tea", "owner": "trinity"}])


def test_a_write_that_is_not_permitted_leaves_no_scope_behind(m: MemoryClient) -> None:
    m.org.create_team("ops")

    with pytest.raises(PermissionError):
        m.add("tea", owner="stranger", visibility=["agent:nobody", "team:ops"])

    assert m.org.agents() == []
    assert m.browse(requester_agent_id="stranger") == []


def test_a_view_without_a_subject_shares_nothing(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match="shared=True needs a subject"):
        m.as_agent("neo", shared=True)


def test_a_window_that_never_holds_is_refused(m: MemoryClient) -> None:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    kept = m.add("tea", valid_from=noon)

    with pytest.raises(InvalidInput, match="valid_from must be before valid_to"):
        m.add("milk", valid_from=noon, valid_to=noon)
    with pytest.raises(InvalidInput, match="valid_from must be before valid_to"):
        m.update(kept.id, valid_to=noon)


def test_an_update_of_nothing_is_refused(m: MemoryClient) -> None:
    added = m.add("tea")

    with pytest.raises(InvalidInput, match="nothing to change"):
        m.update(added.id)
    with pytest.raises(InvalidInput, match="not both"):
        m.update(added.id, metadata={}, merge_metadata={})


# What is legal, though it looks odd, has one meaning.


def test_the_longest_content_is_kept_whole(m: MemoryClient) -> None:
    longest = "word " * (Settings().max_content_chars // 5)

    added = m.add(longest)

    assert m.get(added.id).content == longest
    assert m.search("word").ids == (added.id,)


@pytest.mark.parametrize(
    "query", [None, "", "  ", "\x00", SURROGATE, "%", "*", "q" * 10_000, "tea " * 2_500, "tea\x00"]
)
def test_any_text_is_a_query(m: MemoryClient, query: str | None) -> None:
    m.add("tea")

    assert len(m.search(query)) <= 1
    assert len(m.context_pack(query).items) <= 1


@pytest.mark.parametrize("memory_id", ["", " ", "%", "*", "a\x00b", "x" * 100_000, "é", "\n"])
def test_a_text_that_is_no_id_names_no_memory(m: MemoryClient, memory_id: str) -> None:
    m.add("tea")

    assert m.get(memory_id) is None
    assert m.get_many([memory_id]) == []
    assert m.history(memory_id) == []
    with pytest.raises(LookupError):
        m.update(memory_id, content="milk")
    with pytest.raises(LookupError):
        m.delete(memory_id)
    with pytest.raises(LookupError):
        m.share(memory_id, ["global"])
    with pytest.raises(LookupError):
        m.explain("tea", memory_id)


def test_a_hundred_thousand_filters_and_ids_are_no_error(m: MemoryClient) -> None:
    added = m.add("tea", tags=["hot"])

    assert m.browse(tags=MANY_TAGS) == []
    assert m.browse(types=MANY_TAGS) == []
    assert m.browse(types=[*MANY_TAGS, "note"])[0].id == added.id
    assert m.get_many(MANY_TAGS) == []
    assert [memory.id for memory in m.get_many([*MANY_TAGS, added.id])] == [added.id]


@pytest.mark.parametrize(
    "tokens", [0, 1, 10**9, 2**63, 10**400], ids=lambda n: f"{len(str(n))} digits"
)
def test_any_whole_number_is_a_budget(m: MemoryClient, tokens: int) -> None:
    m.add("tea", pinned=True)

    assert m.context_pack("tea", max_tokens=tokens).tokens <= tokens


def test_none_clears_or_omits_where_that_has_a_meaning(m: MemoryClient) -> None:
    may_be_none = {"subject", "actor", "session", "occurred_at", "valid_from", "valid_to", "ttl"}
    may_be_none |= {"key", "idempotency_key"}
    added = m.add("tea", **dict.fromkeys(may_be_none))

    assert m.get(added.id).subject is None
    assert [memory.id for memory in m.browse(**dict.fromkeys(FilterFields.__annotations__))] == [
        added.id
    ]


# The client itself


@pytest.mark.parametrize("agent_id", [7, b"x", ["x"], object(), *BAD_IDS])
def test_a_client_is_no_nameless_agent(agent_id: object) -> None:
    with pytest.raises(InvalidInput, match="agent_id"):
        MemoryClient(":memory:", agent_id=agent_id)


@pytest.mark.parametrize("place", [7, b"x", ["x"], object(), "", "  ", "a\x00b", SURROGATE])
@pytest.mark.parametrize("name", ["path", "home"])
def test_a_place_that_is_none_is_refused(name: str, place: object) -> None:
    with pytest.raises(InvalidInput, match=name):
        MemoryClient(**{name: place})


@pytest.mark.parametrize("name", ["settings", "clock", "count_tokens", "entropy", "judge"])
@pytest.mark.parametrize(
    "part", [7, "x", {}, [], object()], ids=["int", "str", "dict", "list", "object"]
)
def test_a_part_that_cannot_do_its_work_is_refused_when_the_client_is_made(
    name: str, part: object
) -> None:
    with pytest.raises(InvalidInput, match=name):
        MemoryClient(":memory:", **{name: part})


def test_no_place_and_two_places_are_refused(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AGENT_MEMORY_HOME", raising=False)

    with pytest.raises(InvalidInput, match="AGENT_MEMORY_HOME"):
        MemoryClient()
    with pytest.raises(InvalidInput, match="not both"):
        MemoryClient(tmp_path / "memory.db", home=tmp_path)
