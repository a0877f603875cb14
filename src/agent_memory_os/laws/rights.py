"""Rights and organisation: who holds what, from the next snapshot on."""

from collections.abc import Callable, Iterator
from functools import partial

from agent_memory_os.errors import AgentMemoryError, InvalidInput, NotFound
from agent_memory_os.laws.law import OWNER, Bench, allows, differs, law
from agent_memory_os.model import Memory
from agent_memory_os.store.contract import Transaction

TEAM, PROJECT = "team:apollo", "project:lander"


def _organise(tx: Transaction) -> None:
    tx.create_team("apollo")
    tx.create_project("lander", "apollo")


def _settle(tx: Transaction) -> None:
    _organise(tx)
    for scope in (TEAM, PROJECT):
        tx.add_member(scope, "neo")


def _sees(bench: Bench, agent: str, memory: Memory) -> bool:
    return bool(bench.read(memory, by=bench.reader(agent)))


@law(
    "what rights change holds for the next snapshot",
    "set_visibility add_member remove_member holds memberships create_team create_project",
)
def rights_at_once(bench: Bench) -> Iterator[str]:
    """Sharing, joining and leaving; a project leaves with its team."""
    bench.do(_organise)
    memory = bench.add("tea")
    told = [_sees(bench, "neo", memory)]
    bench.share(memory, PROJECT)
    told.append(_sees(bench, "neo", memory))
    with bench.store.write() as tx:
        joined = [tx.add_member(scope, "neo") for scope in (TEAM, PROJECT, TEAM)]
    told.append(_sees(bench, "neo", memory))
    with bench.store.read() as snapshot:
        held = [snapshot.holds("neo", scope) for scope in (TEAM, PROJECT, "team:none")]
        scopes = snapshot.memberships("neo")
    with bench.store.write() as tx:
        left = [tx.remove_member(TEAM, "neo") for _ in range(2)]
    told.append(_sees(bench, "neo", memory))
    bench.share(memory, "agent:neo")
    told.append(_sees(bench, "neo", memory))
    bench.share(memory)
    told.append(_sees(bench, "neo", memory))
    when = "private, in a project, in it too, out of its team, given, taken back"
    wanted = [False, False, True, False, True, False]
    yield from differs(f"whether another sees it ({when})", told, wanted)
    yield from differs("what joining answers", joined, [True, True, False])
    yield from differs("what it holds", held, [True, True, False])
    yield from differs("its memberships", scopes, [PROJECT, TEAM])
    yield from differs("what leaving answers", left, [True, False])
    rest = bench.ask(lambda s: s.memberships("neo"))
    yield from differs("its memberships afterwards", rest, [])


@law(
    "a scope that was deleted is dead for good",
    "delete_scope create_team create_project teams projects",
)
def dead_for_good(bench: Bench) -> Iterator[str]:
    """Another of the same name is another one, and sees nothing of the old."""
    bench.do(_settle)
    memory = bench.add("tea", visibility=(TEAM, PROJECT))
    before = _sees(bench, "neo", memory)
    bench.do(lambda tx: tx.delete_scope(TEAM))
    after = _sees(bench, "neo", memory)
    gone = bench.ask(lambda s: (s.teams(), s.projects(), s.memberships("neo")))
    bench.do(_settle)
    again = _sees(bench, "neo", memory)
    yield from differs(
        "whether a member sees it, before, after and in the new one",
        (before, after, again),
        (True, False, False),
    )
    yield from differs("what is left of the old one", gone, ([], [], []))
    with bench.store.read() as snapshot:
        teams = [(each.id, each.members) for each in snapshot.teams()]
        projects = [(each.id, each.team, each.members) for each in snapshot.projects()]
    yield from differs("the teams", teams, [("apollo", ("neo",))])
    yield from differs("the projects", projects, [("lander", "apollo", ("neo",))])


@law(
    "what an organisation cannot do is refused",
    "create_team create_project add_member remove_member delete_scope",
)
def refused(bench: Bench) -> Iterator[str]:
    """A name that is taken, a team that is not there, a project without its team."""
    bench.do(_organise)
    refusals: list[tuple[str, Callable[[Transaction], object], type[AgentMemoryError]]] = [
        ("creating a team that is there", lambda tx: tx.create_team("apollo"), InvalidInput),
        (
            "creating a project that is there",
            lambda tx: tx.create_project("lander", "apollo"),
            InvalidInput,
        ),
        ("creating a project of no team", lambda tx: tx.create_project("rover", "none"), NotFound),
        ("joining no team", lambda tx: tx.add_member("team:none", "neo"), NotFound),
        (
            "joining a project from outside of its team",
            lambda tx: tx.add_member(PROJECT, "neo"),
            InvalidInput,
        ),
        ("leaving no team", lambda tx: tx.remove_member("team:none", "neo"), NotFound),
        ("deleting no team", lambda tx: tx.delete_scope("team:none"), NotFound),
    ]
    for what, act, error in refusals:
        yield from allows(what, partial(bench.do, act), error)


@law("others learn of no scope that they do not hold", "read")
def foreign_scopes(bench: Bench) -> Iterator[str]:
    """Of the scopes of a memory they are told those through which they see it."""
    bench.do(_organise)
    bench.do(lambda tx: tx.add_member(TEAM, "neo"))
    memory = bench.add("tea", visibility=("agent:eve", PROJECT, TEAM))
    for agent, wanted in ((OWNER, memory.visibility), ("neo", (TEAM,)), ("eve", ("agent:eve",))):
        (found,) = bench.read(memory, by=bench.reader(agent))
        yield from differs(f"what {agent} is told of its scopes", found.visibility, wanted)


@law(
    "agents are known by what they did, and told by name", "register_agent agents knows takes_part"
)
def agents(bench: Bench) -> Iterator[str]:
    """Who was registered, is a member, or owns something; to be given something is less."""
    bench.do(lambda tx: tx.register_agent("zoe", None))
    bench.do(lambda tx: tx.register_agent("zoe", "bot"))
    bench.add("tea", visibility=("agent:neo",))
    bench.do(lambda tx: tx.create_team("apollo"))
    bench.do(lambda tx: tx.add_member(TEAM, "kim"))
    names = ("zoe", OWNER, "kim", "neo", "mia")
    with bench.store.read() as snapshot:
        told = [(each.id, each.kind, each.registered) for each in snapshot.agents()]
        known = [snapshot.knows(agent) for agent in names]
        part = [snapshot.takes_part(agent) for agent in names]
    listed = [(OWNER, None, False), ("kim", None, False), ("zoe", "bot", True)]
    yield from differs("the agents", told, listed)
    yield from differs("who is known", known, [True, True, True, True, False])
    yield from differs("who takes part", part, [True, True, True, False, False])


@law(
    "what the fleet file gave leaves with it, and what was given by hand stays",
    "declare_agent withdraw_agent keep_fleet fleet fleet_digest add_member",
)
def fleet(bench: Bench) -> Iterator[str]:
    """The kind by hand holds again; what both gave stays."""
    yield from differs("the digest of no file", bench.ask(lambda s: s.fleet_digest()), "")
    with bench.store.write() as tx:
        tx.create_team("apollo")
        tx.create_team("zeus")
        tx.register_agent("neo", "by hand")
        tx.declare_agent("neo", "by file")
        tx.add_member(TEAM, "neo", declared=True)
        tx.add_member("team:zeus", "neo")
        tx.add_member("team:zeus", "neo", declared=True)
        tx.keep_fleet("digest")
    with bench.store.read() as snapshot:
        given = {name: (it.kind, tuple(it.teams)) for name, it in snapshot.fleet().items()}
        kinds = [each.kind for each in snapshot.agents()]
        digest = snapshot.fleet_digest()
    yield from differs("what the file gave", given, {"neo": ("by file", ("apollo",))})
    yield from differs("its kind then, and the digest", (kinds, digest), (["by file"], "digest"))
    with bench.store.write() as tx:
        tx.remove_member(TEAM, "neo")
        tx.withdraw_agent("neo")
    with bench.store.read() as snapshot:
        yield from differs("what it gave when it is gone", dict(snapshot.fleet()), {})
        yield from differs("the kind then", [each.kind for each in snapshot.agents()], ["by hand"])
        yield from differs("whether the other team stays", snapshot.holds("neo", "team:zeus"), True)


@law("acts are told newest first, no more than are wanted", "record audit")
def audit(bench: Bench) -> Iterator[str]:
    """With who, when, on what, and the details."""
    for number in range(3):
        bench.clock.advance(minutes=1)
        with bench.store.write() as tx:
            tx.record(OWNER, f"act {number}", "team:apollo", {"n": number})
    told = bench.ask(lambda s: s.audit(limit=2))
    found = [(it.by, it.action, it.target, dict(it.detail)) for it in told]
    wanted = [(OWNER, f"act {number}", "team:apollo", {"n": number}) for number in (2, 1)]
    yield from differs("the last two acts", found, wanted)
    yield from differs("when the last was", [it.at_ms for it in told][:1], [bench.clock.now_ms()])
