"""What a client says of itself: what works here, what does not, and what would mend it."""

import json
import platform
import sqlite3
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import agent_memory_os
from agent_memory_os import MemoryClient, ProviderRequest
from agent_memory_os.pure.text import ANALYSER_VERSION
from agent_memory_os.store.contract import StoreTraits
from agent_memory_os.tend.capabilities import EXTRAS, capabilities, installed

ROOT = Path(__file__).parents[2]


class Wiki:
    """A provider that proposes nothing."""

    name = "wiki"

    def candidates(self, request: ProviderRequest) -> Sequence[tuple[str, float]]:
        return []


@pytest.mark.capability("OOM-052", "AMOS-129")
def test_a_sound_file_says_what_it_can_do(tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "memory.db") as m:
        can = m.admin.capabilities()

    assert (can.library, can.python) == (agent_memory_os.__version__, platform.python_version())
    assert (can.engine, can.schema >= 1) == (f"SQLite {sqlite3.sqlite_version}", True)
    assert (can.path, can.read_only, can.journal) == (str(tmp_path / "memory.db"), False, "wal")
    assert can.supports["fts5"]
    assert can.supports["words"]
    assert can.supports["json"]
    assert can.supports["hybrid"]
    assert can.supports["migration"]
    assert {"lexical", "vector", "resonance", "recent"} <= {*can.arms}
    assert {"lexical", "resonance"} <= {*can.usual}
    assert (can.analyser, can.tokens, can.embedder) == (ANALYSER_VERSION, "estimate", None)
    assert can.notes == ()


def test_a_memory_in_ram_has_no_path() -> None:
    with MemoryClient(":memory:", providers=[Wiki()], count_tokens=len) as m:
        can = m.capabilities()

    assert (can.path, can.journal, can.tokens) == (None, "memory", "host")
    assert can.usual == ("lexical", "resonance", "wiki")


def test_it_is_ready_for_json() -> None:
    with MemoryClient(":memory:") as m:
        can = m.capabilities()

    values = json.loads(json.dumps(can.to_dict()))
    assert values["arms"] == list(can.arms)
    assert values["extras"] == dict(can.extras)


@pytest.mark.capability("OOM-053")
def test_a_lost_word_index_is_told_with_what_mends_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        m.add("Ada likes tea")
    damaged = sqlite3.connect(path)
    damaged.execute("DROP TABLE words")
    damaged.close()

    with MemoryClient(path) as m:
        lost = m.capabilities()
        m.rebuild_indexes()
        mended = m.capabilities()

    assert not lost.supports["words"]
    assert lost.notes == ("the word index does not answer: call rebuild_indexes()",)
    assert mended.supports["words"]
    assert mended.notes == ()


@pytest.mark.capability("AMOS-129")
def test_what_is_not_installed_is_told_with_how_to_install_it() -> None:
    with MemoryClient(":memory:") as m:
        can = capabilities(
            m._parts.store,
            arms=["lexical"],
            usual=["lexical"],
            counts_by_host=False,
            embedder="mine/3",
            notes=["agents.toml has changed"],
            version_of={"numpy": "2.1.0"}.get,
        )

    assert can.extras == {"numpy": "2.1.0", "turbovec": None}
    assert can.install == {"turbovec": "pip install 'agent-memory-os[semantic]'"}
    assert (can.embedder, can.notes) == ("mine/3", ("agents.toml has changed",))
    assert not can.supports["hybrid"]


class Standing:
    """A store of which only one thing is known: what it is."""

    def __init__(self, **other: Any) -> None:
        supports = {"fts5": True, "words": True}
        values = {"schema": 1, "path": "m.db", "read_only": False, "supports": supports}
        self._traits = StoreTraits(**{"engine": "SQLite 3.38", "journal": "wal", **values, **other})

    def traits(self) -> StoreTraits:
        return self._traits


@pytest.mark.parametrize(
    ("other", "note"),
    [
        ({"read_only": True}, "m.db cannot be written: reads work, and every write is an error"),
        (
            {"supports": {"fts5": False, "words": False}},
            "SQLite 3.38 has no FTS5: searches are errors; use a newer Python",
        ),
    ],
)
@pytest.mark.capability("OOM-053")
def test_what_a_store_lacks_is_told(other: dict[str, Any], note: str) -> None:
    store: Any = Standing(**other)

    can = capabilities(store, arms=[], usual=[], counts_by_host=False, embedder=None, notes=[])

    assert can.notes == (note,)


def test_a_package_is_looked_up_and_not_imported() -> None:
    assert installed("hypothesis") is not None
    assert installed("there_is_no_such_package") is None


def test_the_extras_are_those_of_the_project() -> None:
    project = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]

    for package, extra in EXTRAS.items():
        assert any(it.startswith(package) for it in project["optional-dependencies"][extra])
    assert project["version"] == agent_memory_os.__version__
