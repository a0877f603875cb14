"""The fleet that agents.toml declares: who it lets in, what leaves with it, and when it is read."""

import multiprocessing
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agent_memory_os import InvalidInput, MemoryClient
from agent_memory_os.errors import StoreBusy, StoreError
from agent_memory_os.nouns import apply_fleet
from agent_memory_os.settings import Settings

FLEET = """\
[agents.cc-main]
kind = "claude-code"
teams = ["apollo", "hermes"]

[agents.codex]
teams = ["apollo"]
"""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """Yield a home whose store must be sound when the test ends."""
    yield tmp_path
    with MemoryClient(tmp_path / "memory.db") as client:
        assert client.admin.check() == []


def declare(home: Path, text: str | bytes) -> None:
    text = text.encode() if isinstance(text, str) else text
    home.joinpath("agents.toml").write_bytes(text)


def acts(client: MemoryClient) -> list[tuple[str, str]]:
    """Return action and target of what the file did, oldest first."""
    entries = reversed(client.org.audit())
    return [(entry.action, entry.target) for entry in entries if entry.by == "agents.toml"]


def teams_of(home: Path, *agents: str) -> list[list[str]]:
    """Open the home, and return what each of *agents* is a member of."""
    with MemoryClient(home=home) as client:
        return [client.org.memberships(agent) for agent in agents]


# What it gives


@pytest.mark.capability("AMOS-085", "AMOS-087")
def test_a_file_registers_its_agents_and_lets_them_into_their_teams(home: Path) -> None:
    declare(home, FLEET)

    with MemoryClient(home=home) as client:
        agents = [(agent.id, agent.kind, agent.registered) for agent in client.org.agents()]
        teams = [(team.id, team.members) for team in client.org.teams()]

    assert agents == [("cc-main", "claude-code", True), ("codex", None, True)]
    assert teams == [("apollo", ("cc-main", "codex")), ("hermes", ("cc-main",))]


@pytest.mark.capability("AMOS-086", "AMOS-088", "AMOS-089")
def test_two_agents_of_one_home_share_with_no_further_wiring(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    declare(home, FLEET)
    monkeypatch.setenv("AGENT_MEMORY_HOME", str(home))

    monkeypatch.setenv("AGENT_MEMORY_AGENT_ID", "cc-main")
    with MemoryClient() as client:
        told = client.add("The staging door code is 5521", visibility=["team:apollo"])
        kept = client.add("My own door code is 7782")
    monkeypatch.setenv("AGENT_MEMORY_AGENT_ID", "codex")
    with MemoryClient() as client:
        found = client.search("door code").ids
        owners = {client.get(told.id).owner}
        hidden = client.get(kept.id)

    assert (found, owners, hidden) == ((told.id,), {"cc-main"}, None)


@pytest.mark.capability("AMOS-085")
def test_every_act_of_the_file_is_in_the_audit(home: Path) -> None:
    declare(home, '[agents.a]\nkind = "bot"\nteams = ["x"]')
    with MemoryClient(home=home):
        pass
    declare(home, "")

    with MemoryClient(home=home) as client:
        found = acts(client)

    assert found == [
        ("create team", "team:x"),
        ("declare agent", "a"),
        ("add member", "team:x"),
        ("remove member", "team:x"),
        ("withdraw agent", "a"),
    ]


def test_a_client_that_names_a_path_reads_no_fleet(tmp_path: Path) -> None:
    declare(tmp_path, "this is no TOML")

    with MemoryClient(tmp_path / "memory.db") as client:
        assert client.org.agents() == []


@pytest.mark.parametrize("text", ["", "\n# nobody yet\n", "[agents]\n", "\ufeff[agents.a]\r\n"])
def test_a_file_may_declare_little(home: Path, text: str) -> None:
    declare(home, text)

    assert teams_of(home, "a") == [[]]


# What leaves with it


@pytest.mark.capability("AMOS-087")
def test_what_is_taken_out_of_the_file_is_taken_from_the_agents(home: Path) -> None:
    declare(home, FLEET)
    before = teams_of(home, "cc-main", "codex")
    declare(home, '[agents.cc-main]\nteams = ["hermes"]')

    after = teams_of(home, "cc-main", "codex")

    assert before == [["team:apollo", "team:hermes"], ["team:apollo"]]
    assert after == [["team:hermes"], []]


@pytest.mark.capability("AMOS-087")
def test_what_was_given_by_hand_stays_when_the_file_takes_its_own_back(home: Path) -> None:
    with MemoryClient(home=home) as client:
        for team in ("apollo", "zeus"):
            client.org.create_team(team)
        client.org.register_agent("codex", kind="codex", teams=["apollo"])
    declare(home, '[agents.codex]\nkind = "other"\nteams = ["apollo", "hermes"]')
    with MemoryClient(home=home) as client:
        client.org.add_team_member("zeus", "codex")
        declared = client.org.agents()[0].kind
    declare(home, "")

    with MemoryClient(home=home) as client:
        (agent,) = client.org.agents()
        kept = client.org.memberships("codex")

    assert (declared, agent.kind, agent.registered) == ("other", "codex", True)
    assert kept == ["team:apollo", "team:zeus"]


def test_a_membership_that_somebody_also_gives_by_hand_is_by_hand(home: Path) -> None:
    declare(home, '[agents.codex]\nteams = ["apollo"]')
    with MemoryClient(home=home) as client:
        client.org.add_team_member("apollo", "codex")
    declare(home, "")

    assert teams_of(home, "codex") == [["team:apollo"]]


@pytest.mark.capability("AMOS-087")
def test_agents_that_the_file_does_not_list_are_untouched(home: Path) -> None:
    with MemoryClient(home=home) as client:
        client.org.create_team("apollo")
        client.org.register_agent("neo", kind="human", teams=["apollo"])
    declare(home, FLEET)
    with MemoryClient(home=home):
        pass
    declare(home, "")

    with MemoryClient(home=home) as client:
        found = [(agent.id, agent.kind) for agent in client.org.agents()]
        teams = client.org.memberships("neo")

    assert (found, teams) == ([("neo", "human")], ["team:apollo"])


def test_a_file_that_is_gone_declares_nobody(home: Path) -> None:
    declare(home, FLEET)
    before = teams_of(home, "codex")
    home.joinpath("agents.toml").unlink()

    after = teams_of(home, "codex")

    assert (before, after) == ([["team:apollo"]], [[]])


def test_a_membership_that_leaves_takes_effect_in_clients_that_are_open(home: Path) -> None:
    declare(home, FLEET)
    with MemoryClient(home=home) as open_client:
        told = open_client.add("the plan", owner="cc-main", visibility=["team:apollo"]).id
        before = open_client.get(told, requester_agent_id="codex")
        declare(home, '[agents.cc-main]\nteams = ["apollo"]')
        with MemoryClient(home=home):
            after = open_client.get(told, requester_agent_id="codex")

    assert before is not None
    assert after is None


def test_a_team_of_the_file_takes_its_projects_along_and_stays(home: Path) -> None:
    declare(home, FLEET)
    with MemoryClient(home=home) as client:
        client.org.create_project("lander", team="apollo")
        client.org.add_project_member("lander", "codex")
    declare(home, "")

    with MemoryClient(home=home) as client:
        assert client.org.memberships("codex") == []
        assert [team.id for team in client.org.teams()] == ["apollo", "hermes"]


def test_what_is_taken_away_by_hand_is_gone_until_the_file_changes(home: Path) -> None:
    declare(home, FLEET)
    with MemoryClient(home=home) as client:
        client.org.remove_team_member("apollo", "codex")

    unchanged = teams_of(home, "codex")
    declare(home, FLEET + "# looked through\n")
    changed = teams_of(home, "codex")

    assert (unchanged, changed) == ([[]], [["team:apollo"]])


# When it is read


@pytest.mark.capability("AMOS-087")
def test_an_unchanged_file_is_opened_while_another_holds_the_write_lock(home: Path) -> None:
    declare(home, FLEET)
    with MemoryClient(home=home) as client:
        before = client.org.audit()

    with closing(sqlite3.connect(home / "memory.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with MemoryClient(home=home, settings=Settings(busy_wait_ms=0)) as client:
            after = client.org.audit()

    assert after == before


def test_a_changed_file_that_meets_the_write_lock_is_busy_and_never_skipped(home: Path) -> None:
    teams_of(home)
    declare(home, FLEET)

    with closing(sqlite3.connect(home / "memory.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            MemoryClient(home=home, settings=Settings(busy_wait_ms=0))

    assert teams_of(home, "codex") == [["team:apollo"]]


def _open(home: Path, start: Any, said: Any) -> None:
    start.wait()
    with MemoryClient(home=home) as client:
        said.put((client.org.memberships("codex"), client.add("hello").verdict))


@pytest.mark.capability("AMOS-087")
def test_of_several_processes_that_open_at_once_one_applies_and_all_work(home: Path) -> None:
    declare(home, FLEET)
    start_method = multiprocessing.get_context("spawn")
    start, said = start_method.Barrier(4), start_method.Queue()
    processes = [start_method.Process(target=_open, args=(home, start, said)) for _ in range(4)]
    for process in processes:
        process.start()

    found = [said.get(timeout=60) for _ in processes]
    for process in processes:
        process.join()

    with MemoryClient(home=home) as client:
        assert [membership for membership, _ in found] == [["team:apollo"]] * 4
        assert sorted(verdict for _, verdict in found) == ["merged"] * 3 + ["stored"]
        assert len(acts(client)) == len(set(acts(client))) + 1  # apollo gains two members


class Slow:
    """A store whose first writer is overtaken by another process, which found a newer file."""

    def __init__(self, store: Any, home: Path, newer: str) -> None:
        self._store, self._home, self._newer = store, home, newer
        self.read = store.read

    def write(self) -> Any:
        if self._newer:
            declare(self._home, self._newer)
            self._newer = ""
            apply_fleet(self._store, str(self._home / "agents.toml"))
        return self._store.write()


def test_a_process_that_is_overtaken_does_not_apply_the_older_file(home: Path) -> None:
    declare(home, FLEET)

    with MemoryClient(home / "memory.db") as client:
        slow = Slow(client._parts.store, home, '[agents.codex]\nteams = ["hermes"]')
        apply_fleet(slow, str(home / "agents.toml"))

        assert [agent.id for agent in client.org.agents()] == ["codex"]
        assert client.org.memberships("codex") == ["team:hermes"]


# What is wrong with it


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[agents.a", "is not TOML"),
        ("x = " + "[" * 5_000, "is not TOML"),
        (b"[agents.caf\xe9]", "is not UTF-8 at byte 11"),
        ("agents = 3", "agents must be a table, not 3"),
        ("[agent.a]", "there is no key 'agent'; did you mean 'agents'?"),
        ("[agents]\na = 1", "agents.a must be a table, not 1"),
        ('[agents.a]\nteam = ["x"]', "agents.a: there is no key 'team'; did you mean 'teams'?"),
        ("[agents.a]\nkind = 1", "agents.a.kind must be a string, not 1"),
        ('[agents.a]\nkind = ""', "agents.a.kind must not be blank"),
        ('[agents.a]\nteams = "x"', "agents.a.teams must be a list of strings, not 'x'"),
        ("[agents.a]\nteams = [1]", "an item of .*agents.a.teams must be a string, not 1"),
        ('[agents.a]\nteams = ["x", "*"]', r"a team in .*agents.a.teams must not hold a wildcard"),
        ('[agents."a "]', "the id of an agent must not be blank, nor begin or end with a blank"),
        ('[agents."a*"]', "the id of an agent must not hold a wildcard"),
    ],
)
def test_a_malformed_file_is_an_error_with_path_and_key_and_changes_nothing(
    home: Path, text: str | bytes, said: str
) -> None:
    declare(home, FLEET)
    teams_of(home)
    declare(home, text)

    with pytest.raises(InvalidInput, match=said) as error:
        MemoryClient(home=home)

    assert str(home / "agents.toml") in str(error.value)
    with MemoryClient(home / "memory.db") as client:
        assert client.org.memberships("codex") == ["team:apollo"]


def test_a_bad_line_keeps_the_good_ones_out(home: Path) -> None:
    declare(home, FLEET + "\n[agents.third]\nkind = 3\n")

    with pytest.raises(InvalidInput, match=r"agents\.third\.kind"):
        MemoryClient(home=home)

    with MemoryClient(home / "memory.db") as client:
        assert (client.org.agents(), client.org.teams(), client.org.audit()) == ([], [], [])


def test_a_file_that_cannot_be_read_is_an_error(home: Path) -> None:
    home.joinpath("agents.toml").mkdir()

    with pytest.raises(StoreError, match=r"agents\.toml cannot be read"):
        MemoryClient(home=home)

    home.joinpath("agents.toml").rmdir()


# A store that cannot be written


@pytest.fixture
def reachable(home: Path) -> Iterator[Path]:
    """Yield the home, which every user may reach while the test runs."""
    closed = [(folder, folder.stat().st_mode) for folder in home.parents]
    closed = [(folder, mode) for folder, mode in closed if not mode & 0o001]
    for folder, mode in closed:
        folder.chmod(mode | 0o011)
    yield home
    for folder, mode in closed:
        folder.chmod(mode)
    home.chmod(0o755)
    home.joinpath("memory.db").chmod(0o644)


def _read_only(home: Path, said: Any) -> None:
    """Open the home as a user who may write nothing there, and say what was seen."""
    home.joinpath("memory.db").chmod(0o444)
    home.chmod(0o555)
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
    with MemoryClient(home=home) as client:
        said.put((client.org.memberships("codex"), client.capabilities().notes))


@pytest.mark.capability("AMOS-087")
@pytest.mark.parametrize("text", ['[agents.codex]\nteams = ["hermes"]', "this is no TOML"])
def test_beside_a_store_that_cannot_be_written_the_applied_fleet_holds_and_it_is_said(
    reachable: Path, text: str
) -> None:
    declare(reachable, FLEET)
    teams_of(reachable)
    declare(reachable, text)
    fork = multiprocessing.get_context("fork")
    said: Any = fork.Queue()
    process = fork.Process(target=_read_only, args=(reachable, said))
    process.start()

    memberships, notes = said.get(timeout=60)
    process.join()

    assert memberships == ["team:apollo"]
    said_of_it = "agents.toml has changed, and this store cannot be written: it was not applied"
    assert f"{reachable}/{said_of_it}" in notes
