"""One operation, one transaction: what cannot be written whole is not written at all."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_memory_os import AgentMemoryError, MemoryClient

# What each verb writes last, or beside the row: where it fails, the row must not stay.
ACTS: dict[str, tuple[str, Callable[[MemoryClient, str], object]]] = {
    "add": ("partitions", lambda m, _: m.add("rice")),
    "add_many": ("partitions", lambda m, _: m.add_many([{"content": "rice"}])),
    "add again": ("history", lambda m, _: m.add("tea.")),
    "update": ("history", lambda m, memory_id: m.update(memory_id, content="rice")),
    "share": ("audit", lambda m, memory_id: m.share(memory_id, ["global"])),
    "share, counted": ("partitions", lambda m, memory_id: m.share(memory_id, ["global"])),
    "delete": ("tombstones", lambda m, memory_id: m.delete(memory_id)),
    "delete, counted": ("partitions", lambda m, memory_id: m.delete(memory_id)),
    "forget": ("purges", lambda m, memory_id: m.forget(memory_id)),
    "forget, told": ("audit", lambda m, memory_id: m.forget(memory_id)),
}


def run(path: Path, statement: str) -> None:
    """Run *statement* over a connection of its own."""
    other = sqlite3.connect(path)
    with other:
        other.execute(statement)
    other.close()


@pytest.mark.parametrize("act", ACTS)
def test_what_cannot_be_written_whole_leaves_nothing(tmp_path: Path, act: str) -> None:
    table, verb = ACTS[act]
    path = tmp_path / "memory.db"
    with MemoryClient(path) as m:
        tea = m.add("tea")
        run(
            path,
            f"CREATE TRIGGER full BEFORE INSERT ON {table}"
            " BEGIN SELECT RAISE(ABORT, 'there is no room'); END",
        )

        with pytest.raises(AgentMemoryError, match="no room"):
            verb(m, tea.id)

        run(path, "DROP TRIGGER full")
        assert m.browse() == [tea.memory]
        assert m.search("tea").ids == (tea.id,)
        assert m.search("rice").ids == ()
        assert m.history(tea.id) == []
        assert m.admin.check() == []
