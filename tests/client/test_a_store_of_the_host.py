"""A store that the host hands in: all verbs go to it, and nothing is opened beside it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from agent_memory_os import AsyncMemoryClient, ClientClosed, InvalidInput, MemoryClient, Settings
from agent_memory_os.store.sqlite import SqliteStore
from agent_memory_os.testing import FakeClock, FakeEmbedder


@pytest.fixture
def clock() -> FakeClock:
    """Return a clock that moves only when told to."""
    return FakeClock()


@pytest.fixture
def store(clock: FakeClock) -> SqliteStore:
    """Return a store as a host would bring one."""
    return SqliteStore(":memory:", settings=Settings(), clock=clock)


@pytest.mark.capability("OOM-009")
def test_what_is_written_is_in_the_store_that_was_handed_in(
    store: SqliteStore, clock: FakeClock
) -> None:
    with MemoryClient(store=store, clock=clock, embed=FakeEmbedder()) as m:
        tea = m.add("Ada likes tea", owner="ada", visibility=["global"])
        m.layers.distil(session="none")
        hits = m.search("tea", requester_agent_id="neo")
        with store.read() as snapshot:
            owned = snapshot.every(owner="ada")

        assert hits.ids == (tea.id,)
        assert owned == [tea.id]
        assert tea.memory.created_ms == clock.now_ms()
        assert m.admin.check() == []


def test_it_is_closed_with_the_client(store: SqliteStore) -> None:
    MemoryClient(store=store).close()

    with pytest.raises(ClientClosed), store.read():
        pass


def test_no_file_is_touched_for_it(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    monkeypatch.setenv("AGENT_MEMORY_HOME", str(home))

    with MemoryClient(store=store) as m:
        m.add("tea")

        assert m.capabilities().path is None
        assert "store=<" in repr(m)
    assert not home.exists()


@pytest.mark.parametrize(
    "more", [{"path": "memory.db"}, {"home": "~"}, {"entropy": lambda bits: 0}]
)
def test_what_says_where_memories_are_is_refused_beside_it(
    store: SqliteStore, more: dict[str, Any]
) -> None:
    with pytest.raises(InvalidInput, match="give a store or a"):
        MemoryClient(store=store, **more)


@pytest.mark.parametrize("wrong", ["memory.db", object(), Path("memory.db"), SqliteStore])
def test_what_is_no_store_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidInput, match="store cannot be a"):
        MemoryClient(store=wrong)


def test_the_client_for_asyncio_takes_one_as_well(store: SqliteStore, clock: FakeClock) -> None:
    async def main() -> tuple[str, ...]:
        async with AsyncMemoryClient(store=store, clock=clock) as m:
            await m.add("Ada likes tea")
            return tuple(hit.content for hit in await m.search("tea"))

    assert asyncio.run(main()) == ("Ada likes tea",)
