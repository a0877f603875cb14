"""What a client knows of teams and audiences from its last calls is never older than the file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_memory_os import MemoryClient, NotPermitted

TEAM = ["team:apollo"]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture
def neo(path: Path) -> Iterator[MemoryClient]:
    """Return a client of a member of a team, who has shared into it before."""
    with MemoryClient(path, agent_id="neo") as client:
        client.org.create_team("apollo")
        client.org.add_team_member("apollo", "neo")
        client.add("The launch is on Monday", visibility=TEAM)
        yield client


@pytest.fixture
def host(neo: MemoryClient, path: Path) -> Iterator[MemoryClient]:
    with MemoryClient(path) as client:
        yield client


def test_who_was_removed_by_another_client_shares_nothing_more(
    neo: MemoryClient, host: MemoryClient
) -> None:
    host.org.remove_team_member("apollo", "neo")

    with pytest.raises(NotPermitted):
        neo.add_many([{"content": "The rocket is blue", "visibility": TEAM}])


def test_nobody_shares_into_a_team_that_another_client_has_deleted(
    neo: MemoryClient, host: MemoryClient
) -> None:
    host.org.delete_team("apollo")

    with pytest.raises(NotPermitted):
        neo.add("The rocket is blue", visibility=TEAM)


def test_a_team_of_the_same_name_is_another_one(neo: MemoryClient, host: MemoryClient) -> None:
    host.org.delete_team("apollo")
    host.org.create_team("apollo")
    host.org.add_team_member("apollo", "neo")
    host.org.add_team_member("apollo", "trinity")

    new = neo.add("The rocket is blue", visibility=TEAM)

    seen = host.browse(requester_agent_id="trinity")
    assert [memory.id for memory in seen] == [new.id]


def test_who_may_share_is_asked_of_each_agent(neo: MemoryClient) -> None:
    items = [{"content": "The rocket is blue", "visibility": TEAM, "owner": name} for name in "ab"]

    with pytest.raises(NotPermitted):
        neo.add_many(items)


def test_an_audience_that_was_rolled_back_is_made_again(neo: MemoryClient) -> None:
    good = {"content": "The rocket is blue", "visibility": ["agent:zed"]}
    with pytest.raises(NotPermitted):
        neo.add_many([good, {"content": "Tea", "visibility": ["team:none"]}])

    kept = neo.add("The rocket is blue", visibility=["agent:zed"])

    seen = neo.browse(requester_agent_id="zed")
    assert [memory.id for memory in seen] == [kept.id]
    assert neo.admin.check() == []
