"""What is taken away is gone: no later read of any client, thread or process shows it."""

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from leak_table import TABLE, Ask, Noted, marked, taken_apart

from agent_memory_os import AsyncMemoryClient, MemoryClient, ProviderRequest
from agent_memory_os.testing import FakeClock, FakeEmbedder

READS = ("get", "get_many", "browse", "history", "search", "context_pack", "explain")
TAKEN: Mapping[str, Callable[[MemoryClient, str], object]] = {
    "revoke": lambda m, it: m.revoke(it, ["team:apollo", "project:lander"]),
    "remove_team_member": lambda m, _: m.org.remove_team_member("apollo", "neo"),
    "delete_team": lambda m, _: m.org.delete_team("apollo"),
    "delete": lambda m, it: m.delete(it),
    "forget": lambda m, it: m.forget(it),
    "key written again": lambda m, it: m.add("nothing", key="code"),
}
PROJECT_ALONE: Mapping[str, Callable[[MemoryClient], object]] = {
    "remove_project_member": lambda m: m.org.remove_project_member("lander", "neo"),
    "delete_project": lambda m: m.org.delete_project("lander"),
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a file in which neo sees a code of the team, and of its project."""
    path = tmp_path / "memory.db"
    with MemoryClient(path, embed=FakeEmbedder()) as m:
        m.org.create_team("apollo")
        m.org.create_project("lander", team="apollo")
        m.org.add_team_member("apollo", "neo")
        m.org.add_team_member("apollo", "local")
        for agent in ("neo", "local"):
            m.org.add_project_member("lander", agent)
    return path


def shown(m: MemoryClient, *scopes: str, **more: str) -> str:
    """Return the id of a new memory of the client's own agent, linked with one of neo's."""
    code = m.add("The deploy code of staging is 5521zq", visibility=scopes, **more).id
    mine = m.add("The deploy of neo", owner="neo", visibility=["global"]).id
    m.link(code, mine)
    return code


def reads(m: MemoryClient, code: str) -> str:
    """Return where a read of neo tells the code, in words; nothing when none does."""
    ask = Ask(m.as_agent("neo"), FakeClock(), {"code": code}, {}, Noted(), is_brief=True)
    for name in READS:
        TABLE[name](ask)
    for memory in m.browse(requester_agent_id="neo"):
        ask("neighbors", memory.id)
    return marked(taken_apart(ask.told), ["zq"], [])


@pytest.mark.capability("AMOS-014", "AMOS-015", "AMOS-016")
@pytest.mark.parametrize("act", TAKEN)
def test_no_later_read_of_a_client_that_was_open_shows_it(path: Path, act: str) -> None:
    with MemoryClient(path) as a, MemoryClient(path, embed=FakeEmbedder()) as b:
        code = shown(a, "team:apollo", "project:lander", key="code")
        before = reads(b, code)

        TAKEN[act](a, code)

        assert "5521zq" in before
        assert reads(b, code) == ""
        assert reads(a, code) == ""


@pytest.mark.capability("AMOS-014", "AMOS-015")
@pytest.mark.parametrize("act", PROJECT_ALONE)
def test_a_project_that_is_taken_away_shows_nothing_more(path: Path, act: str) -> None:
    with MemoryClient(path) as a, MemoryClient(path, embed=FakeEmbedder()) as b:
        code = shown(a, "project:lander")
        before = reads(b, code)

        PROJECT_ALONE[act](a)

        assert "5521zq" in before
        assert reads(b, code) == ""


CHILD = """
import json, sys
from agent_memory_os import MemoryClient
with MemoryClient(sys.argv[1]) as m:
    neo = m.as_agent("neo")
    for line in sys.stdin:
        code = json.loads(line)
        told = [neo.get(code), neo.browse(), list(neo.search("deploy code")), neo.history(code)]
        told.append(str(neo.context_pack("deploy code")))
        print("5521zq" in repr(told), flush=True)
"""


@pytest.fixture
def child(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Yield another process that says for each id that it is given whether neo reads the code."""
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    process.communicate(timeout=30)


@pytest.mark.capability("AMOS-014")
def test_no_later_read_of_another_process_shows_it(
    path: Path, child: subprocess.Popen[str]
) -> None:
    def says(code: str) -> str:
        print(json.dumps(code), file=child.stdin, flush=True)
        return child.stdout.readline().strip()

    with MemoryClient(path) as m:
        codes = [shown(m, "team:apollo", type=kind) for kind in ("note", "fact")]
        before = says(codes[0])
        m.revoke(codes[0], ["team:apollo"])
        between = says(codes[0])
        m.org.remove_team_member("apollo", "neo")

        assert (before, between, says(codes[1])) == ("True", "True", "False")


@pytest.mark.capability("AMOS-014")
def test_no_read_that_begins_after_it_shows_it_in_any_thread(path: Path) -> None:
    taken, rounds, late = threading.Event(), threading.Barrier(5), []

    def read(m: MemoryClient) -> None:
        rounds.wait()
        for _ in range(40):
            is_late = taken.is_set()
            hits = m.search("deploy code", requester_agent_id="neo")
            if is_late:
                late.append("5521zq" in repr(list(hits)))

    with MemoryClient(path) as a, MemoryClient(path) as b:
        code = shown(a, "team:apollo")
        threads = [threading.Thread(target=read, args=(m,)) for m in (a, a, b, b)]
        for thread in threads:
            thread.start()
        rounds.wait()
        a.revoke(code, ["team:apollo"])
        taken.set()
        for thread in threads:
            thread.join()
        late.append("5521zq" in repr(list(b.search("deploy code", requester_agent_id="neo"))))

    assert not any(late)


class Taker:
    """A provider of the host that names a memory, and has it taken away before it answers."""

    name = "taker"

    def __init__(self) -> None:
        self.take: Callable[[], object] = list
        self.named = ""

    def candidates(self, request: ProviderRequest) -> list[tuple[str, float]]:
        self.take()
        return [(self.named, 1.0)]


@pytest.mark.capability("AMOS-014", "AMOS-018")
def test_what_is_taken_away_while_a_provider_answers_is_not_shown(path: Path) -> None:
    taker = Taker()
    with MemoryClient(path) as a, MemoryClient(path, providers=[taker]) as b:
        taker.named = shown(a, "team:apollo")
        neo = b.as_agent("neo")
        before = neo.search("deploy code").ids

        taker.take = lambda: a.org.remove_team_member("apollo", "neo")

        assert taker.named in before
        assert taker.named not in neo.search("deploy code").ids
        assert "5521zq" not in str(neo.context_pack("deploy code"))


def test_what_is_taken_away_while_a_pack_is_filled_is_not_counted_as_recalled(path: Path) -> None:
    with MemoryClient(path) as a:

        def count(text: str) -> int:
            a.revoke(code, ["team:apollo"]) if a.get(code).visibility else None
            return len(text)

        code = shown(a, "team:apollo")
        with MemoryClient(path, count_tokens=count) as b:
            pack = b.as_agent("neo").context_pack("deploy code", auto_reinforce=True)

        assert code in pack.ids
        assert a.get(code).recalls == 0


@pytest.mark.capability("AMOS-014")
def test_a_view_that_was_handed_out_before_shows_nothing_more(path: Path) -> None:
    async def told() -> tuple[object, object]:
        async with AsyncMemoryClient(path) as b:
            neo = b.as_agent("neo")
            before = await neo.get(code)
            a.revoke(code, ["team:apollo"])
            return before, await neo.get(code)

    with MemoryClient(path) as a:
        code = shown(a, "team:apollo")

        before, after = asyncio.run(told())

    assert before is not None
    assert after is None


@pytest.mark.capability("AMOS-014")
def test_what_the_fleet_file_gives_no_more_is_gone_for_a_client_that_was_open(
    tmp_path: Path,
) -> None:
    fleet = tmp_path / "agents.toml"
    fleet.write_text('[agents.neo]\nteams = ["apollo"]\n[agents.local]\nteams = ["apollo"]\n')
    with MemoryClient(home=tmp_path) as b:
        code = b.add("The deploy code is 5521zq", visibility=["team:apollo"]).id
        before = b.get(code, requester_agent_id="neo")

        fleet.write_text('[agents.local]\nteams = ["apollo"]\n')
        MemoryClient(home=tmp_path).close()

        assert before is not None
        assert b.get(code, requester_agent_id="neo") is None
        assert b.search("deploy code", requester_agent_id="neo") == []
