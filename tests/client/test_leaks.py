"""Nothing leaks: whatever is asked, the answer is as if what is hidden had never been written."""

import ast
import asyncio
import importlib
import logging
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from leak_table import (
    TABLE,
    Ask,
    Noted,
    Taken,
    difference,
    marked,
    parameters,
    taken_apart,
    verbs,
)
from leak_world import LANES, MARKS, PRINCIPALS, Wiki, Worlds, opened

import agent_memory_os
from agent_memory_os import (
    AgentMemory,
    AsyncMemoryClient,
    InvalidInput,
    MemoryClient,
    NotFound,
)
from agent_memory_os.aio import (
    AsyncAgentMemory,
    AsyncClientLayers,
    AsyncClientOffload,
    AsyncLayers,
    AsyncOffload,
)
from agent_memory_os.entities import Entity
from agent_memory_os.graph import Categories, Memories, Relations, Resources
from agent_memory_os.layers import Layers
from agent_memory_os.model import Visibility
from agent_memory_os.nouns import Admin, ClientLayers, ClientOffload, Organisation
from agent_memory_os.offload import Offload
from agent_memory_os.pure.text import analyse_query
from agent_memory_os.store.sqlite import access, orgs, partitions
from agent_memory_os.testing import FakeClock, FakeEmbedder

STORE = Path(agent_memory_os.__file__).parent / "store" / "sqlite"
LATER_HOURS = 24  # when the world is asked; what was to end has ended
LOGGER = logging.getLogger("agent_memory_os")
Surface = Callable[..., AbstractContextManager[Any]]


class Log(logging.Handler):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    def __enter__(self) -> "Log":
        LOGGER.addHandler(self)
        LOGGER.propagate = False
        return self

    def __exit__(self, *_: object) -> None:
        LOGGER.propagate = True
        LOGGER.removeHandler(self)


class Host:
    """What a host hangs into its client: everything that it can."""

    def __init__(self, worlds: Worlds) -> None:
        self.events: list[object] = []
        self.options: dict[str, Any] = {
            "embed": FakeEmbedder(lanes=LANES),
            "providers": [Wiki(worlds.ids)],
            "on_write": self.fail,
            "on_recall": self.fail,
            "redact": lambda text: text,
        }

    def fail(self, event: object) -> None:
        self.events.append(event)
        raise RuntimeError("hooked by zq")


@contextmanager
def a_client(path: Path, clock: FakeClock, _: object, options: Mapping[str, Any]) -> Iterator[Any]:
    with opened(path, clock, **options) as m:
        yield m
        assert m.admin.check() == []


@contextmanager
def a_view(
    path: Path, clock: FakeClock, principal: str, options: Mapping[str, Any]
) -> Iterator[Any]:
    with a_client(path, clock, principal, options) as m:
        yield m.as_agent(**PRINCIPALS[principal])


@contextmanager
def an_async_client(
    path: Path, clock: FakeClock, _: object, options: Mapping[str, Any]
) -> Iterator[Any]:
    m = AsyncMemoryClient(path, clock=clock, entropy=lambda _: 0, stopwatch=lambda: 0.0, **options)
    yield m
    asyncio.run(m.aclose())


@contextmanager
def an_async_view(
    path: Path, clock: FakeClock, principal: str, options: Mapping[str, Any]
) -> Iterator[Any]:
    with an_async_client(path, clock, principal, options) as m:
        yield m.as_agent(**PRINCIPALS[principal])


SURFACES: Mapping[str, Surface] = {
    "view": a_view,
    "client": a_client,
    "async view": an_async_view,
    "async client": an_async_client,
}
KINDS: Mapping[str, type] = {
    "view": AgentMemory,
    "client": MemoryClient,
    "async view": AsyncAgentMemory,
    "async client": AsyncMemoryClient,
}
LAYERS: Mapping[str, type] = {
    "view": Layers,
    "client": ClientLayers,
    "async view": AsyncLayers,
    "async client": AsyncClientLayers,
}
OFFLOAD: Mapping[str, type] = {
    "view": Offload,
    "client": ClientOffload,
    "async view": AsyncOffload,
    "async client": AsyncClientOffload,
}
ASKED = [
    *(("view", principal, False) for principal in PRINCIPALS),
    ("view", "neo", True),
    ("view", "alice", True),
    ("client", "neo", True),
    ("async view", "alice", True),
    ("async client", "neo", False),
]


class Tellings:
    """What each surface tells each principal."""

    def __init__(self, worlds: Worlds) -> None:
        self.worlds = worlds
        self.noted = {surface: Noted() for surface in SURFACES}
        self._known: dict[tuple[object, ...], Taken] = {}

    def __call__(self, surface: str, principal: str, *table: str, host: bool, whole: bool) -> Taken:
        """Return what `ask` returns, asked once."""
        key = surface, principal, table, host, whole
        if key not in self._known:
            self._known[key] = self.ask(surface, principal, *table, host=host, whole=whole)
        return self._known[key]

    def ask(self, surface: str, principal: str, *table: str, host: bool, whole: bool) -> Taken:
        """Ask *surface* all of the table, or these verbs of it, as *principal*.

        In the *whole* world, or in that of what the principal may see; with what a *host* hangs in,
        or without.
        """
        worlds, clock, hung = self.worlds, FakeClock(), Host(self.worlds)
        clock.advance(hours=LATER_HOURS)
        path = worlds.copy(None if whole else principal)
        options = hung.options if host else {}
        with (
            Log() as log,
            asyncio.Runner() as runner,
            SURFACES[surface](path, clock, principal, options) as thing,
        ):
            ask = Ask(
                thing,
                clock,
                worlds.hidden_from(principal),
                worlds.visible_to(principal),
                self.noted[surface],
                by=PRINCIPALS[principal]["agent_id"] if "client" in surface else None,
                runner=runner,
                is_brief="async" in surface,
            )
            for name in table or TABLE:
                if ask.has(name):
                    TABLE[name](ask)
        return taken_apart([*ask.told, ("the hooks", hung.events), ("the log", log.lines)])


@pytest.fixture(scope="module")
def tellings(tmp_path_factory: pytest.TempPathFactory) -> Tellings:
    """Return what each surface tells, of a world that is made once."""
    return Tellings(Worlds(tmp_path_factory.mktemp("leaks")))


# Everything that is told


@pytest.mark.capability("AMOS-016", "AMOS-017", "AMOS-019", "MEMU-73")
@pytest.mark.parametrize(("surface", "principal", "host"), ASKED)
def test_what_is_hidden_is_told_by_nothing(
    tellings: Tellings, surface: str, principal: str, host: bool
) -> None:
    told = tellings(surface, principal, host=host, whole=True)
    expected = tellings(surface, principal, host=host, whole=False)

    hidden = tellings.worlds.hidden_from(principal).values()
    assert difference(told, expected) == ""
    assert marked(told, MARKS[principal], hidden) == ""


# Why what is not in the table need not be there. Who holds one of these holds the client.
OF_THE_HOST: Mapping[str, str] = {
    "as_agent": "makes the views that are asked",
    "close": "ends the client",
    "aclose": "ends the client",
    "capabilities": "is about the file and what the host has chosen",
    "rebuild_indexes": "counts all rows",
    "consolidate": "merges whoever's rows: its report counts them",
}
OF_ADMIN: Mapping[str, str] = {
    "capabilities": "is about the file and what the host has chosen",
    "check": "reads all rows, and names none",
    "stats": "counts all rows",
    "rebuild_indexes": "counts all rows",
    "reembed": "counts all rows",
    "retention": "archives whoever's rows: its report counts them",
    "archive": "archives whoever's rows",
    "unarchive": "brings whoever's rows back",
    "archived": "lists whoever's rows that no other read shows",
    "forget_subject": "erases whoever's rows: its receipt counts them",
    "forget_owner": "erases an agent's rows: its receipt counts them",
    "purge": "says what keeps bytes in the file",
    "backup": "copies the file",
    "restore_backup": "brings a file back",
    "repair": "mends the file",
}
OF_ORGANISATION = {"agents", "teams", "projects", "memberships", "audit"}
OF_ORGANISATION |= {"register_agent", "create_team", "add_team_member", "remove_team_member"}
OF_ORGANISATION |= {"delete_team", "create_project", "add_project_member"}
OF_ORGANISATION |= {"remove_project_member", "delete_project"}


@pytest.mark.parametrize("surface", SURFACES)
def test_every_verb_stands_in_the_table(surface: str) -> None:
    exempt = set() if "view" in surface else OF_THE_HOST.keys()

    assert asked_of(surface).keys() - TABLE.keys() - exempt == set()


def asked_of(surface: str) -> dict[str, Callable[..., Any]]:
    """Return the verbs of a surface by name, those of its layers and its offload included."""
    layers = {f"layers.{name}": verb for name, verb in verbs(LAYERS[surface]).items()}
    offload = {f"offload.{name}": verb for name, verb in verbs(OFFLOAD[surface]).items()}
    return verbs(KINDS[surface]) | layers | offload


def test_every_verb_of_the_nouns_is_the_hosts_for_a_reason() -> None:
    assert verbs(Admin).keys() == OF_ADMIN.keys()
    assert verbs(Organisation).keys() == OF_ORGANISATION


@pytest.mark.parametrize("surface", ["view", "client"])
def test_every_parameter_is_given_something(tellings: Tellings, surface: str) -> None:
    tellings(surface, "neo", host=True, whole=True)

    given = tellings.noted[surface].given
    asked = {
        (name, each)
        for name, verb in asked_of(surface).items()
        if name in TABLE
        for each in parameters(verb)
    }
    assert asked - given == set()


@pytest.mark.parametrize("kind", [Entity, Resources, Memories, Categories, Relations])
def test_every_verb_of_what_a_view_gives_is_tried(tellings: Tellings, kind: type) -> None:
    tellings("view", "neo", host=True, whole=True)

    name = "entity" if kind is Entity else f"graph.{kind.__name__.lower()}"
    asked = {
        (f"{name}.{verb}", each) for verb, call in verbs(kind).items() for each in parameters(call)
    }
    assert asked - tellings.noted["view"].given == set()


def test_every_tool_and_what_it_takes_is_tried(tellings: Tellings) -> None:
    tellings("view", "neo", host=True, whole=True)

    view = MemoryClient(":memory:").as_agent("neo")
    asked = {
        (tool["name"], each)
        for tool in view.tools("anthropic", share=["team:apollo"])
        for each in tool["input_schema"]["properties"]
    }
    assert asked - tellings.noted["view"].given == set()


@pytest.mark.capability("AMOS-016")
def test_the_organisation_names_agents_and_scopes_and_nothing_that_was_remembered(
    tellings: Tellings,
) -> None:
    with opened(tellings.worlds.copy(None), FakeClock()) as m:
        told = [
            *(m.org.agents(), m.org.teams(), m.org.projects(), m.org.memberships("smithzq")),
            m.org.audit(limit=1_000),
        ]

    named = {"smithzq", "spyzq", "hermeszq", "landerzq", "ghostszq", "neonzq"}
    words = {word for word in re.findall(r"\w+", repr(told)) if word.endswith(("zq", "yq", "wq"))}
    assert words <= named


# Each read of the store by itself: what becomes of it when its gate stands open

Where = tuple[str, str]  # module and function
NOTICED_BY: Mapping[Where, tuple[str, str, bool]] = {  # verb, principal, whether a host hangs in
    ("browse", "browse"): ("browse", "shared", False),
    ("browse", "rows"): ("search", "shared", True),
    ("candidates", "matches"): ("search", "alice", False),
    ("candidates", "surroundings"): ("search", "alice", False),
    ("derivation", "evidence"): ("layers.evidence", "alice", False),
    ("documents", "visible"): ("layers.scenes", "alice", False),
    ("entities", "_read"): ("layers.entity", "alice", False),
    ("entities", "called"): ("layers.entity", "alice", False),
    ("entities", "named_so"): ("graph", "neo", False),
    ("links", "fans"): ("search", "alice", False),
    ("links", "steps"): ("neighbors", "alice", False),
    ("memories", "history"): ("history", "alice", False),
    ("memories", "passing"): ("record_recall", "alice", False),
    ("memories", "read"): ("get", "alice", False),
    ("nearest", "_passing"): ("search", "alice", True),
    ("payloads", "read"): ("offload.reload", "alice", False),
    ("probe", "saying"): ("forget", "neo", False),
    ("rivals", "rivals"): ("add", "alice", False),
    ("sessions", "sessions"): ("layers.sessions", "alice", False),
    ("succession", "marks"): ("search", "alice", False),
    ("succession", "told"): ("history", "neo", False),
    ("undistilled", "pending"): ("layers.pipeline", "neo", False),
    ("undistilled", "undistilled"): ("layers.distil", "neo", False),
    ("vocabulary", "_reader"): ("search", "neo", False),
}
BEHIND_ANOTHER: Mapping[Where, str] = {
    ("payloads", "own_handles"): "of the agent's own; what it names is read through `read`",
    ("browse", "documents"): "asks how much the reader sees; what it reads is listed by `rows`",
    ("browse", "stats"): "only client.admin counts; a store by itself is asked below",
    ("sessions", "events"): "asks how the reader sees a column; what it reads is listed by `rows`",
    ("past", "_found"): "what it lists is read through the gate of each read of the past",
    ("succession", "supersede"): "walks up from the writer's own, and refuses a circle",
    ("nearest", "_seen"): "asks how much the reader sees, which decides on the way and not the end",
    ("nearest", "alikeness"): "asked of turns that have passed; a store by itself is asked below",
}
OPENED: Mapping[str, Callable[[str], str]] = {
    "whole": lambda sql: "1",
    "subject": lambda sql: sql.replace(_of_m(access._BOUND_OR_NOBODY), "").replace(
        _of_m(access._BOUND), ""
    ),
}


def _of_m(sql: str) -> str:
    return sql.format(m="m")


BOUND = {where for where, (_, principal, _) in NOTICED_BY.items() if principal != "neo"}
# Turns of other subjects are none of the anchor's session to begin with.
BOUND -= {("candidates", "surroundings")}
BOUND -= {("rivals", "rivals")}  # of one subject, that of the draft
BOUND -= {("entities", "_read"), ("entities", "called")}  # of one subject, that of the view


@pytest.fixture
def open_gate(monkeypatch: pytest.MonkeyPatch) -> Callable[[Where, str], None]:
    """Return what opens a part of the gate of one read, and leaves those of all others."""

    def open_it(where: Where, part: str) -> None:
        module, function = where

        def gate(*args: Any) -> access.Gate:
            passes = access.gate(*args)
            if sys._getframe(1).f_code.co_name != function:
                return passes
            return replace(passes, sql=OPENED[part](passes.sql))

        name = f"agent_memory_os.store.sqlite.{module}"
        monkeypatch.setattr(importlib.import_module(name), "gate", gate)

    return open_it


def gated_reads() -> set[Where]:
    """Return each function of the store that asks for the gate."""
    return {
        (path.stem, function.name)
        for path in STORE.glob("*.py")
        for function in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(function, ast.FunctionDef)
        for call in ast.walk(function)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "gate"
    }


def test_every_read_that_has_a_gate_is_tried_without() -> None:
    assert gated_reads() == NOTICED_BY.keys() | BEHIND_ANOTHER.keys()


@pytest.mark.parametrize(
    ("where", "part"),
    [*((where, "whole") for where in NOTICED_BY), *((where, "subject") for where in sorted(BOUND))],
    ids=lambda it: it if isinstance(it, str) else ".".join(it),
)
def test_a_read_without_its_gate_is_noticed(
    tellings: Tellings, open_gate: Callable[[Where, str], None], where: Where, part: str
) -> None:
    verb, principal, host = NOTICED_BY[where]
    expected = tellings("view", principal, verb, host=host, whole=False)

    open_gate(where, part)

    try:
        told = tellings.ask("view", principal, verb, host=host, whole=True)
    except Exception as error:  # what the next gate holds back was counted on: noticed as well
        told = [(verb, [("raised", repr(error))])]
    assert told != expected


@pytest.mark.parametrize("where", [("browse", "stats"), ("nearest", "alikeness")], ids=".".join)
def test_a_read_that_no_view_has_is_gated_as_well(
    tellings: Tellings, open_gate: Callable[[Where, str], None], where: Where
) -> None:
    def told(principal: str | None) -> object:
        clock = FakeClock()
        clock.advance(hours=LATER_HOURS)
        reader = Visibility("neo", clock.now_ms(), "user:alice")
        path, embed = tellings.worlds.copy(principal), FakeEmbedder(lanes=LANES)
        with opened(path, clock, embed=embed) as m, m._parts.store.read() as snapshot:
            asked, _ = m._parts.vectors.ask(analyse_query("staging deploy"), clock.now_ms())
            ids = list(tellings.worlds.ids.values())
            return snapshot.stats(reader), snapshot.alikeness(asked, ids, reader)

    expected = told("alice")
    assert told(None) == expected
    open_gate(where, "whole")
    assert told(None) != expected


# What else holds something back, by the module where it is called and what it is called there.
HOLDS: Mapping[str, tuple[str, str, Callable[[Any], Any], str, str]] = {
    "the scopes of others": (
        "names",
        "audience_scopes",
        lambda real: lambda db, names, audience, reader: real(db, names, audience, None),
        "get",
        "alice",
    ),
    "the history before the last change of rights": (
        "journal",
        "history",
        lambda real: lambda *args, since, replaced: real(*args, since=0, replaced=replaced),
        "history",
        "alice",
    ),
    "what became of sources": (
        "journal",
        "history",
        lambda real: lambda *args, since, replaced: real(*args, since=since, replaced=False),
        "history",
        "alice",
    ),
    "how many rows there are": (
        "partitions",
        "visible",
        lambda real: lambda db, names, *_: (partitions.everything(db, names), 9.0),
        "search",
        "alice",
    ),
    "whom others gave something": (
        "orgs",
        "takes_part",
        lambda real: orgs.knows,
        "search",
        "stranger",
    ),
}


@pytest.mark.parametrize("held", HOLDS)
def test_what_else_is_held_back_is_noticed_when_it_is_told(
    tellings: Tellings, monkeypatch: pytest.MonkeyPatch, held: str
) -> None:
    module, function, broken, verb, principal = HOLDS[held]
    expected = tellings("view", principal, verb, host=False, whole=False)
    room = importlib.import_module(f"agent_memory_os.store.sqlite.{module}")

    monkeypatch.setattr(room, function, broken(getattr(room, function)))

    assert tellings.ask("view", principal, verb, host=False, whole=True) != expected


# Statements that read memories and have no place for a gate, by module; why they need none.
UNGATED: Mapping[str, Mapping[str, str]] = {
    "access": {"_SUPERSEDED": "a part of the gate"},
    "browse": {
        "PAGE": "reads what its arms list",
        "DOCUMENTS": "reads what `rows` lists",
        "ANY_PINNED": "whether there may be some; each is then read through the gate",
    },
    "candidates": {
        "AROUND": "reads what its sides list",
        "SAMPLE_END": "the rights are part of its MATCH",
        "SAMPLE_END_OF_ALL": "asked for those who see all rows",
        "LAST": "a number, which decides which of a surplus is looked at",
    },
    "captures": {"FIRST": "of the owner's own calls"},
    "debts": {
        "OWE": "writes",
        "OWED": "of the owner's own",
        "PASS_ON": "writes, of the owner's own",
        "SETTLE": "writes",
    },
    "derivation": {
        "PAIRS": "of memories that the caller was shown",
        "SOURCES_OF": "for what is written: what it tells is what the writer could see",
        "DERIVED_OF": "for what is written",
        "STANDING_SOURCES": "for what is written",
        "TAKEN_ALONG": "for what is written",
    },
    "entities": {
        "ENTITIES": "reads what `rows` lists",
        "SUBJECTS": "reads what `rows` lists",
    },
    "sessions": {
        "ABOUT": "numbers of sessions, each of which is then looked at",
        "EVENTS": "reads what `rows` lists",
        "PLACE": "of a memory that the caller was shown",
    },
    "co_recall": {
        "PAIRS": "writes, between memories that the caller was shown",
        "PAGE": "for the host: how far it looks",
        "CLUSTERED": "for the host; and whoever sees one end sees the other",
    },
    "documents": {
        "STANDS": "a part of the statements below",
        "_STANDS": "a part of `STANDS`",
        "_REPLACED": "a part of `STANDS`",
        "_SINCE": "a part of `PARTITIONS`",
        "PARTITIONS": "of the owner's own",
        "UNPLACED": "of the owner's own partition",
        "TELLING": "of the owner's own partition",
        "OF_PARTITION": "of the owner's own partition",
        "MEMBERS": "of the owner's own partition",
        "ANY_DOCUMENT": "whether there may be some; each is then read through the gate",
        "QUOTING": "for what is written: what documents lose with a source",
        "HAS_OTHER": "for what is written",
        "OVERTAKEN": "for what is written: what took the place of a source of a document",
        "IS_THERE": "for what is written: whether what a document came from is there again",
        "SCRUB": "writes",
        "DROP_LAST": "writes",
    },
    "journal": {
        "FIND_RECEIPT": "of the owner's own call",
        "KEEP_RECEIPT": "writes",
    },
    "links": {
        "MINE": "what the gate is asked about: rows of the reader's own, and of its audiences",
        "ABOUT": "what the gate is asked about: rows of the bound subject",
        "BETWEEN": "of two memories that the caller was shown",
        "PUT": "writes, between two memories that the caller was shown",
        "LAST_VERSION": "a stamp, for the next",
        "CUT": "writes",
        "CUT_ONE": "writes",
    },
    "memories": {
        "FIND": "the owner's own receipt",
        "PASSING": "the gate is appended",
        "STANDING_OF": "the gate is appended",
        "ROW": "of a memory that the caller was shown",
        "KEYED": "the owner's own",
    },
    "orgs": {
        "TAKES_PART": "whether the agent itself owns anything",
        "AGENTS": "the host's",
    },
    "payloads": {
        "SAME": "writes, for a memory that was written in the same transaction",
        "NEW": "writes, likewise",
        "HOLD": "writes, likewise",
        "MISLED": "for `check`",
        "MEND": "for the host's repair",
    },
    "past": {
        "ENTRIES": "of what `CHANGED` lists",
        "AS_THEY_WERE": "of what `CHANGED` lists",
        "SAID": "of what `CHANGED` lists",
        "HELD": "of what `CHANGED` lists",
        "FITTING": "of what `CHANGED` lists",
    },
    "probe": {
        "KEPT": "only where no bytes are pending: what it is asked of is nowhere then",
    },
    "undistilled": {
        "WAIT": "how many wait of the agent's own, by which an index is chosen",
        "ALREADY": "of events that the caller was shown",
    },
    "schema": {"BEYOND": "a part of what pages through rows"},
    "vocabulary": {
        "INDEXED": "for `check`",
        "UNHELD": "for an erasure",
    },
    "rejections": {
        "TWINS": "of the owner's own",
        "IN_RECALL": "of the owner's own",
        "TOOK_PLACE_OF": "of the owner's own",
    },
    "revival": {"LAST_DEED": "of a memory that the caller was shown, and owns"},
    "rivals": {
        "ANY_SAME": "whether there may be some; each is then read through the gate",
        "MET": "likewise",
        "LATEST_OF": "likewise",
    },
    "tail": {
        "EVERY": "rows that wait, with their words: what matches is then read through the gate",
        "OF_TAIL": "a part of what reads the tail, which has a place for a gate",
        "WAITING": "for the index: who may see them is asked when it is used",
        "LAST": "a number, in the transaction that writes",
    },
    "succession": {
        "IN_SIGHT": "for the host, who merges whoever's rows",
        "QUOTED_IN": "of the writer's own, whose place is taken",
        "MADE": "of the writer's own",
        "NAMED_ANEW": "of the writer's own, which comes back",
        "ABOVE": "for what is written: what took the place of a memory that changes or goes",
        "BELOW": "for what is written: what that had taken the place of",
        "MAY_RETURN": "for what is written",
    },
    "nearest": {"HASHED": "fills the cache of a process; what it proposes goes through `_passing`"},
    "partitions": {"DURABLE": "for `check` and the making of indexes"},
}
UNGATED_ROOMS = {
    "backup": "copies the file, and counts, for the host",
    "restore": "brings a file back, for the host",
    "mend": "repairs the file, for the host",
    "consolidation": "merges whoever's rows, for the host",
    "erasure": "erases, and names nothing to anybody",
    "retention": "looks for what has aged out, for the host",
    "invariants": "for `check` and the making of indexes",
    "vectors": "writes vectors, and finds memories without one, for the host",
}
READS_MEMORIES = re.compile(r"\b(FROM|JOIN)\s+memories\b")
HAS_A_GATE = re.compile(r"\{(where|gate)\}")


def ungated_statements() -> dict[str, set[str]]:
    """Return the names of statements that read memories without a place for a gate, by module."""
    found: dict[str, set[str]] = {}
    for path in STORE.glob("*.py"):
        if path.stem == "__init__" or path.stem in UNGATED_ROOMS:
            continue
        module = importlib.import_module(f"agent_memory_os.store.sqlite.{path.stem}")
        for name in re.findall(r"^([A-Z_]+)(?:: .+)? = ", path.read_text("utf-8"), re.MULTILINE):
            text = str(getattr(module, name, ""))
            if READS_MEMORIES.search(text) and not HAS_A_GATE.search(text):
                found.setdefault(path.stem, set()).add(name)
    return found


def test_every_statement_that_reads_memories_has_a_gate_or_a_reason() -> None:
    assert ungated_statements() == {module: {*names} for module, names in UNGATED.items()}


# What was found by it


NEXT_YEAR = datetime(2027, 1, 1, tzinfo=UTC)


@pytest.mark.capability("AMOS-016")
def test_what_a_key_named_before_it_was_shared_is_not_in_the_history_of_others(
    m: MemoryClient,
) -> None:
    plan = m.add("the salary is 90k", owner="neo", key="plan").id
    m.add("the plan", owner="neo", key="plan", visibility=["global"])

    assert m.history(plan, requester_agent_id="ada") == []
    assert m.history(plan, requester_agent_id="neo")[0].before["content"] == "the salary is 90k"

    m.add("the new plan", owner="neo", key="plan", visibility=["global"])

    (change,) = m.history(plan, requester_agent_id="ada")
    assert change.before["content"] == "the plan"


@pytest.mark.capability("MEMU-73")
@pytest.mark.parametrize("owner", ["bot", "vet"])
@pytest.mark.parametrize("verb", ["update", "delete", "share", "revoke", "forget"])
def test_a_bound_view_is_not_told_of_what_it_neither_reads_nor_may_change(
    m: MemoryClient, verb: str, owner: str
) -> None:
    later = m.add("a rule", owner=owner, visibility=["global"], valid_from=NEXT_YEAR).id
    alice = m.as_agent("bot", subject="user:alice", shared=True)
    given: dict[str, Any] = {"update": {"content": "x"}, "share": {"scopes": ["agent:a"]}}
    more = given.get(verb) or ({"scopes": ["global"]} if verb == "revoke" else {})

    with pytest.raises(NotFound, match=later):
        getattr(alice, verb)(later, **more)


@pytest.mark.capability("MEMU-73")
def test_of_a_shared_memory_a_bound_view_has_the_history_of_any_other_reader(
    m: MemoryClient,
) -> None:
    rule = m.add("the key is under the mat", owner="bot").id
    m.update(rule, content="ask for the key", requester_agent_id="bot")
    m.share(rule, ["global"], requester_agent_id="bot")
    m.update(rule, content="ask Bob for the key", requester_agent_id="bot")
    alice = m.as_agent("bot", subject="user:alice", shared=True)

    assert [each.before["content"] for each in alice.history(rule)] == ["ask for the key"]
    m.delete(rule, requester_agent_id="bot")
    assert alice.history(rule) == []


@pytest.mark.capability("AMOS-016")
@pytest.mark.parametrize("taken", ["deleted", "revoked", "expired"])
def test_what_was_given_and_taken_back_is_not_hinted_at(taken: str) -> None:
    clock = FakeClock()
    with MemoryClient(":memory:", clock=clock) as m:
        before = m.search("tea", requester_agent_id="ada").report
        tea = m.add("tea", visibility=["agent:ada"], ttl=timedelta(hours=1)).id
        if taken == "deleted":
            m.delete(tea)
        elif taken == "revoked":
            m.revoke(tea, ["agent:ada"])
        clock.advance(hours=1)

        assert m.search("tea", requester_agent_id="ada").report == before
        assert before.notes == ("agent 'ada' is not registered and owns nothing",)


@pytest.mark.capability("AMOS-016")
def test_a_word_is_repaired_the_same_however_much_others_have_written(m: MemoryClient) -> None:
    """Words that many rows have pushed into the vocabulary are looked up by another statement."""
    m.add("hahahahahaha said he", owner="neo")
    before = m.search("haha", requester_agent_id="neo")

    m.add_many({"content": f"rice {number}", "owner": "ada"} for number in range(130))

    assert m.search("haha", requester_agent_id="neo") == before


@pytest.mark.capability("AMOS-016")
def test_that_a_source_was_forgotten_is_for_the_owner_of_what_was_derived(m: MemoryClient) -> None:
    gist, other, source = (
        m.add(text, owner="neo", visibility=["global"], subject="user:alice").id
        for text in ("gist", "other", "source")
    )
    for each in (other, source):
        m.link(gist, each, relation="derived_from", requester_agent_id="neo")

    m.forget(source, requester_agent_id="neo")

    assert [each.kind for each in m.history(gist, requester_agent_id="neo")] == ["source forgotten"]
    assert m.history(gist, requester_agent_id="ada") == []
    assert m.as_agent("neo", subject="user:alice").history(gist) == []


def test_the_text_of_an_error_of_a_counter_is_not_passed_on() -> None:
    def count(text: str) -> int:
        raise ValueError(text)

    with MemoryClient(":memory:", count_tokens=count) as m:
        m.add("the door code is 5521", owner="neo")
        neo = m.as_agent("neo")

        with pytest.raises(InvalidInput) as raised:
            neo.context_pack("door code")
        told = neo.call_tool("memory_context_pack", {"query": "door code"})

    assert "5521" not in str(raised.value)
    assert "5521" not in str(told)
