"""A small world with much to hide, and the same world without what a reader may not see."""

# Every act has a moment of its own, whether it is done or left out, so that what a reader may see
# has the same ids, versions and times in both. Words that end with "zq" are hidden from everybody
# who is asked about here; "yq" is what neo keeps of Bob, "wq" what neo keeps of nobody.

import contextlib
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from agent_memory_os import MemoryClient, ProviderRequest, RecallProfile
from agent_memory_os.testing import FakeClock, FakeEmbedder

ABSENT = "f" * 25
EXPIRED, DELETED = "expired", "deleted by neo"  # neo's own: neo may forget them, and has a history
LANES = 16  # of vectors: few, for they are made in Python
CROWD = "crowd"  # what the names of many begin with
ALL = frozenset({"neo", "alice", "shared", "stranger"})
OF_ALICE = ALL - {"stranger"}
OF_NOBODY = frozenset({"neo", "shared"})
OF_BOB = frozenset({"neo"})
HIDDEN: frozenset[str] = frozenset()
PRINCIPALS: Mapping[str, Mapping[str, Any]] = {
    "neo": {"agent_id": "neo"},
    "alice": {"agent_id": "neo", "subject": "user:alice"},
    "shared": {"agent_id": "neo", "subject": "user:alice", "shared": True},
    "stranger": {"agent_id": "stranger"},
}
MARKS: Mapping[str, Sequence[str]] = {
    "neo": ("zq",),
    "alice": ("zq", "yq", "wq"),
    "shared": ("zq", "yq"),
    "stranger": ("zq", "yq", "wq"),
}


class Act(NamedTuple):
    """Something that is done in the world.

    seen: the principals who may see what it does; for all others it is left out.
    do: does it; returns the id of what it made, if anything.
    instead: done instead for those who may not see it, when not all of it is hidden.
    name: what the id is known by.
    """

    seen: frozenset[str]
    do: Callable[["World"], object]
    instead: Callable[["World"], object] | None = None
    name: str = ""


class Wiki:
    """A provider of the host that names whatever there is, visible or not."""

    name = "wiki"

    def __init__(self, ids: Mapping[str, str]) -> None:
        self.ids = ids

    def candidates(self, request: ProviderRequest) -> list[tuple[str, float]]:
        return [(memory_id, 0.9) for memory_id in self.ids.values()]


class World:
    """The world as it is made, and the ids of what is in it by name."""

    def __init__(self, m: MemoryClient, clock: FakeClock) -> None:
        self.m = m
        self.clock = clock
        self.ids: dict[str, str] = {}

    def add(self, content: str, **fields: Any) -> str:
        return self.m.add(content, **{"owner": "neo", "on_duplicate": "store", **fields}).id


def added(seen: frozenset[str], name: str, content: str, **fields: Any) -> Act:
    return Act(seen, lambda world: world.add(content, **fields), name=name)


def linked(seen: frozenset[str], source: str, target: str, relation: str, by: str = "neo") -> Act:
    return Act(
        seen,
        lambda world: world.m.link(
            world.ids[source], world.ids[target], relation=relation, requester_agent_id=by
        ),
    )


def organised(seen: frozenset[str], verb: str, *names: str, **more: Any) -> Act:
    return Act(seen, lambda world: getattr(world.m.org, verb)(*names, **more))


def done(seen: frozenset[str], verb: str, name: str, *more: Any, by: str, **fields: Any) -> Act:
    return Act(
        seen,
        lambda world: getattr(world.m, verb)(
            world.ids[name], *more, requester_agent_id=by, **fields
        ),
    )


def told_otherwise(name: str, secret: str, harmless: str, **fields: Any) -> Act:
    """Return an act that all of alice's see something of, and whose *secret* nobody."""
    return Act(
        HIDDEN,
        lambda world: world.add(secret, **fields),
        lambda world: world.add(harmless, **fields),
        name,
    )


BUILD = "built staging\n" * 30 + "ERROR: the deploy port is taken\n"
SECRET_BUILD = "built staging\n" * 30 + "ERROR: the deploy port is zq\n"
ALICE: dict[str, Any] = {"subject": "user:alice"}
BOB: dict[str, Any] = {"subject": "user:bobyq"}
TURN: dict[str, Any] = {"session": "s1", "layer": 0}
GLOBAL = ["global"]
APOLLO, HERMES = ["team:apollo"], ["team:hermeszq"]
SOON = timedelta(seconds=30)
NEXT_YEAR = datetime(2027, 1, 1, tzinfo=UTC)
BETTER: dict[str, Any] = {  # it matches what is asked better than anything visible does
    "importance": 1.0,
    "pinned": True,
    "tags": ["ops", "tagzq"],
    "metadata": {"env": "prod", "keyzq": {"n": 1}},
    "type": "lesson",
}


SAID: dict[str, Any] = {"owner": "ada", "visibility": GLOBAL}
SIZE: dict[str, Any] = {"entity": "hermes", "attribute": "queue size"}
PAGES: dict[str, Any] = {"attribute": "pagezq"}
PREFERRED: dict[str, Any] = {"type": "preference", "visibility": GLOBAL, **ALICE}


def offloaded(seen: frozenset[str], name: str, payload: str, **fields: Any) -> Act:
    put = {"owner": "neo", "session": "s1", "name": fields.pop("tool", "make"), **fields}
    return Act(seen, lambda world: world.m.offload.put(payload, **put).id, name=name)


def secret(name: str, content: str, **fields: Any) -> Act:
    return added(HIDDEN, name, content, **{"owner": "smithzq", **fields})


def of_subject(world: "World", owner: str, subject: str) -> None:
    """Make scenes and a persona of what *owner* knows of a subject."""
    world.m.layers.organise(owner=owner, subject=subject)


def captured(world: "World", session: str) -> str:
    """Capture a turn that is hidden, and return the id of its last event."""
    turn = [("user", "A turn of dockszq"), ("assistant", "The staging port, said zq")]
    return world.m.capture(turn, session=session, owner="smithzq", subject="user:alice").ids[-1]


def script() -> list[Act]:
    """Return what happens, in order."""
    visible = [
        organised(ALL, "create_team", "apollo"),
        organised(ALL, "add_team_member", "apollo", "neo"),
        organised(ALL, "add_team_member", "apollo", "ada"),
        organised(HIDDEN, "create_team", "hermeszq"),
        organised(HIDDEN, "create_project", "landerzq", team="hermeszq"),
        organised(HIDDEN, "add_team_member", "hermeszq", "smithzq"),
        organised(HIDDEN, "add_team_member", "hermeszq", "ada"),
        organised(HIDDEN, "add_team_member", "hermeszq", "neo"),
        organised(HIDDEN, "add_project_member", "landerzq", "smithzq"),
        organised(HIDDEN, "register_agent", "smithzq", kind="spyzq"),
        # What may be seen.
        added(
            ALL,
            "told",
            "The deploy of staging is told to all",
            owner="ada",
            visibility=GLOBAL,
            **ALICE,
        ),
        added(
            OF_ALICE,
            "port",
            "Alice keeps staging on port 8000 for the deploy",
            tags=["ops"],
            importance=0.9,
            metadata={"env": "prod"},
            **ALICE,
        ),
        Act(  # shared with a team that is hidden as well
            HIDDEN,
            lambda world: world.add(
                "Alice said that the deploy failed with a lock",
                owner="ada",
                visibility=[*APOLLO, *HERMES],
                type="lesson",
                **ALICE,
            ),
            lambda world: world.add(
                "Alice said that the deploy failed with a lock",
                owner="ada",
                visibility=APOLLO,
                type="lesson",
                **ALICE,
            ),
            "failed",
        ),
        added(
            OF_ALICE,
            "question",
            "Which port does staging use?",
            actor="user:alice",
            **TURN,
            **ALICE,
        ),
        added(OF_ALICE, "answer", "Eight thousand, as ever.", actor="agent:neo", **TURN, **ALICE),
        added(
            OF_ALICE,
            "plan",
            "Alice wants a snapshot before each deploy",
            pinned=True,
            type="preference",
            **ALICE,
        ),
        added(OF_ALICE, "persona", "Alice runs staging", layer=3, type="persona", **ALICE),
        added(OF_ALICE, "named", "Alice keeps the ledger of the conference", key="trip", **ALICE),
        added(OF_ALICE, "zh", "部署端口是八千", tags=["zh"], **ALICE),
        added(
            OF_ALICE, "draft", "the deploy window is on Monday", idempotency_key="call-1", **ALICE
        ),
        done(OF_ALICE, "update", "draft", by="neo", content="the deploy window is on Tuesday"),
        added(
            OF_ALICE, "later", "A deploy of Alice's in the next year", valid_from=NEXT_YEAR, **ALICE
        ),
        added(OF_NOBODY, "rule", "Ask before a deploy, said wq", tags=["wq"]),
        added(OF_NOBODY, "bridge", "The staging bridge wq"),
        added(
            OF_BOB,
            "bob",
            "Bob of yq deploys staging on port 9000",
            key="trip",
            tags=["ops", "yq"],
            metadata={"env": "prod", "yq": 1},
            session="s1",
            idempotency_key="call-2",
            importance=1.0,
            pinned=True,
            **BOB,
        ),
        added(OF_BOB, "bob2", "Which staging port of yq?", **TURN, **BOB),
        done(OF_BOB, "update", "bob", by="neo", importance=0.9),
        added(OF_BOB, "old rule", "An old rule of yq on the deploy"),
        done(OF_BOB, "update", "old rule", by="neo", importance=0.9),
        done(OF_BOB, "delete", "old rule", by="neo"),
        added(OF_BOB, "next rule", "The next rule of yq on the deploy", valid_from=NEXT_YEAR),
        linked(OF_ALICE, "port", "failed", "caused_by"),
        linked(OF_ALICE, "told", "failed", "next", by="ada"),
        linked(OF_NOBODY, "port", "rule", "wq"),
        linked(OF_NOBODY, "rule", "bridge", "leads_wq"),
        linked(OF_NOBODY, "plan", "rule", "derived_from"),
        linked(OF_BOB, "port", "bob", "rivals_yq"),
        # What others contradict, and put something in the place of.
        added(ALL, "queue", "The queue port of hermes is 7000", **SAID, **ALICE),
        added(ALL, "size", "9000", **SAID, **SIZE, **ALICE),
        added(ALL, "other", "The queue port of hermes is 7002", **SAID | {"owner": "zoe"}, **ALICE),
        linked(OF_BOB, "bob", "plan", "contradicts"),
        linked(OF_NOBODY, "rule", "named", "contradicts"),
        Act(ALL, lambda world: world.m.save_profile(RecallProfile("neo", {"lesson": 2.0}))),
    ]
    return [*visible, *hidden()]


def hidden() -> list[Act]:
    """Return what nobody who is asked about here may see, or learn of."""
    return [
        secret(
            "private", "The deploy port of staging is 8000, opens vaultzq", session="s1", **BETTER
        ),
        done(HIDDEN, "update", "private", by="smithzq", importance=0.99),
        secret(
            "alices", "Alice's deploy port 8000 of staging, vaultzq", **TURN, **ALICE, pinned=True
        ),
        secret(
            "team", "staging deploy lock port snapshto lodger vaultzq", visibility=HERMES, **BETTER
        ),
        secret(
            "prefix", "staging deploy port 8000 for neonzq", visibility=["agent:neonzq"], **BETTER
        ),
        secret(
            "project", "staging port 8000 of landerzq", visibility=["project:landerzq"], **BETTER
        ),
        secret("rare", "The snapshto of the lodger at noonzq", **ALICE),
        secret(
            "words",
            "lodger lodged dockszq",
            subject="user:malzq",
            actor="agent:malzq",
            session="s-zq",
            key="trip",
            idempotency_key="call-1",
            type="dossierzq",
        ),
        secret("twin", "Alice keeps staging on port 8000 for the deploy", tags=["twinzq"], **ALICE),
        added(
            HIDDEN,
            EXPIRED,
            "Which staging port for the deploy was zq?",
            ttl=SOON,
            pinned=True,
            **TURN,
            **ALICE,
        ),
        added(
            HIDDEN,
            "deleted",
            "staging deploy port zq, taken back",
            owner="ada",
            visibility=GLOBAL,
            **ALICE,
        ),
        done(HIDDEN, "update", "deleted", by="ada", content="staging deploy port zq, again"),
        done(HIDDEN, "delete", "deleted", by="ada"),
        added(HIDDEN, DELETED, "staging deploy port zq, thrown away", key="oldzq", **ALICE),
        done(HIDDEN, "delete", DELETED, by="neo"),
        added(
            HIDDEN,
            "future",
            "staging deploy port 8000 of zq to come",
            owner="ada",
            visibility=GLOBAL,
            valid_from=NEXT_YEAR,
            **TURN,
            **ALICE,
        ),
        added(
            HIDDEN,
            "future rule",
            "staging deploy port 8000, a rule of zq to come",
            owner="ada",
            visibility=GLOBAL,
            valid_from=NEXT_YEAR,
        ),
        added(
            HIDDEN,
            "past",
            "staging deploy port 8000 of zq that was",
            owner="ada",
            visibility=GLOBAL,
            valid_to=datetime(2026, 1, 1, 0, 59, tzinfo=UTC),
            **ALICE,
        ),
        secret(
            "revoked", "staging deploy port 8000, revoked zq", visibility=["agent:neo"], **ALICE
        ),
        done(HIDDEN, "update", "revoked", by="smithzq", content="staging deploy port, again zq"),
        done(HIDDEN, "revoke", "revoked", ["agent:neo"], by="smithzq"),
        secret(
            "left",
            "staging deploy port 8000 of the team that neo left, zq",
            visibility=HERMES,
            **ALICE,
        ),
        organised(HIDDEN, "remove_team_member", "hermeszq", "neo"),
        organised(HIDDEN, "create_team", "ghostszq"),
        organised(HIDDEN, "add_team_member", "ghostszq", "smithzq"),
        organised(HIDDEN, "add_team_member", "ghostszq", "neo"),
        secret("dead", "staging deploy port 8000 of a dead team, zq", visibility=["team:ghostszq"]),
        organised(HIDDEN, "delete_team", "ghostszq"),
        # Edited out before it was shared.
        told_otherwise(
            "edited",
            "The salary zq and the deploy",
            "Some draft and the deploy",
            owner="ada",
            **ALICE,
        ),
        done(ALL, "update", "edited", by="ada", content="A clean note on the deploy"),
        done(ALL, "share", "edited", GLOBAL, by="ada"),
        told_otherwise(
            "rewritten",
            "The salary zq of the deploy",
            "Some draft of the deploy",
            owner="ada",
            key="note",
            **ALICE,
        ),
        Act(
            ALL,
            lambda world: world.add(
                "A written note on the deploy", owner="ada", key="note", visibility=GLOBAL, **ALICE
            ),
        ),
        # Given to the stranger, and gone before it looked.
        secret("given", "deploy port for the stranger zq", visibility=["agent:stranger"]),
        done(HIDDEN, "delete", "given", by="smithzq"),
        # Derived from what is hidden, and what is hidden derived from what is not.
        added(
            ALL, "derived", "In short, the deploy is told", owner="ada", visibility=GLOBAL, **ALICE
        ),
        linked(ALL, "derived", "told", "derived_from", by="ada"),
        # Whoever saw the source may not learn that it was forgotten from what is left of it.
        added(ALL, "source", "A source for the deploy", owner="ada", visibility=GLOBAL, **ALICE),
        linked(ALL, "derived", "source", "derived_from", by="ada"),
        added(ALL, "open", "The deploy of neo is open to all", visibility=GLOBAL, **ALICE),
        secret("gist", "In short, zq, the deploy of neo is open", **ALICE),
        linked(HIDDEN, "gist", "open", "derived_from", by="smithzq"),
        Act(ALL, lambda world: world.m.forget(world.ids["source"], requester_agent_id="ada")),
        # A turn that others captured, and what they made of it.
        Act(HIDDEN, lambda world: captured(world, "s1")),
        Act(HIDDEN, lambda world: captured(world, "s-zq"), name="captured"),
        secret("made", "In short, a turn of dockszq", layer=2, **ALICE),
        linked(HIDDEN, "made", "captured", "derived_from", by="smithzq"),
        linked(HIDDEN, "made", "open", "derived_from", by="smithzq"),
        *succession(),
        # Links, profiles and feedback.
        linked(HIDDEN, "told", "private", "betrayszq", by="smithzq"),
        linked(HIDDEN, "private", "alices", "betrayszq", by="smithzq"),
        linked(HIDDEN, "told", "twin", "betrayszq", by="smithzq"),
        linked(HIDDEN, "twin", "edited", "betrayszq", by="smithzq"),
        linked(HIDDEN, "edited", "rare", "betrayszq", by="smithzq"),
        linked(HIDDEN, "rare", "rewritten", "betrayszq", by="smithzq"),
        Act(
            HIDDEN, lambda world: world.m.save_profile(RecallProfile("smithzq", {"dossierzq": 3.0}))
        ),
        Act(
            HIDDEN,
            lambda world: world.m.record_recall(
                [world.ids["private"], world.ids["twin"]], requester_agent_id="smithzq"
            ),
        ),
        # What was put away: the same by several, and what nobody else may see.
        offloaded(OF_ALICE, "build", BUILD, **ALICE),
        offloaded(HIDDEN, "twin build", BUILD, owner="smithzq", **ALICE),
        offloaded(HIDDEN, "secret build", SECRET_BUILD, owner="smithzq", tool="makezq", **ALICE),
        offloaded(HIDDEN, "soon build", BUILD, **SAID, ttl=SOON, **ALICE),
        offloaded(OF_BOB, "bob build", BUILD + "yq\n", **BOB),
        # Values by name: what neo has set, and what others call by names that are asked for.
        added(OF_ALICE, "retries", "4", entity="hermes", attribute="retries", **ALICE),
        *(
            secret(f"{kind} {name}", "pages of zq", entity=f"{kind}:{name}", **PAGES, **ALICE)
            for kind in ("server", "robotzq")
            for name in ("ledger", "hermes")
        ),
        *(
            secret(f"about {kind}", "about zq", subject=f"{kind}:ledger", attribute="pagezq")
            for kind in ("server", "robotzq")
        ),
        secret("category", "of zq", type="category", key="category dossierzq", visibility=HERMES),
        # Scenes and personas: of what all may see, of what is hidden, and of Bob.
        *(
            added(ALL, f"pots {n}", f"Alice has pots, {n} of them", owner="tess", **PREFERRED)
            for n in range(3)
        ),
        Act(ALL, lambda world: of_subject(world, "tess", "user:alice")),
        *(
            secret(f"jars {n}", f"Alice hides jarszq {n}", type="identity", **ALICE)
            for n in range(3)
        ),
        Act(HIDDEN, lambda world: of_subject(world, "smithzq", "user:alice")),
        Act(OF_BOB, lambda world: of_subject(world, "neo", "user:bobyq")),
        *(secret(f"{CROWD} {n}", f"staging deploy crowd {n} zq") for n in range(8)),
        *(linked(HIDDEN, "told", f"{CROWD} {n}", "related_to", by="smithzq") for n in range(8)),
    ]


def succession() -> list[Act]:
    """Return what takes the place of what may be seen, contradicts it and says the same, hidden."""
    otherwise = "The queue port of hermes is now {}"
    fields: dict[str, Any] = {"owner": "ada", **ALICE}
    return [
        secret("says no", otherwise.format(6000), **ALICE, **BETTER),
        secret("says so", "The queue port of hermes is 7000", **ALICE),
        secret("says more", "6000zq", **SIZE, **ALICE),
        added(HIDDEN, "takes over", otherwise.format(6001), **fields, actor="user:sayzq"),
        added(HIDDEN, "takes size", "6001zq", **SIZE, **fields),
        added(HIDDEN, "takes soon", "6002zq", **SIZE, **fields, visibility=GLOBAL, ttl=SOON),
        added(
            HIDDEN,
            "takes later",
            "6003zq",
            **SIZE,
            **fields,
            visibility=GLOBAL,
            valid_from=NEXT_YEAR,
        ),
        added(HIDDEN, "takes a day", "6004zq", **SIZE, **fields, visibility=["agent:neo"]),
        done(HIDDEN, "revoke", "takes a day", ["agent:neo"], by="ada"),
        added(HIDDEN, "takes first", "6006zq", **SIZE, **fields, visibility=GLOBAL),
        added(HIDDEN, "takes there", "6005zq", **SIZE, **fields, visibility=HERMES),
        Act(
            HIDDEN, lambda world: world.m.forget(world.ids["takes first"], requester_agent_id="ada")
        ),
        linked(HIDDEN, "private", "queue", "contradicts", by="smithzq"),
        linked(HIDDEN, "queue", "says so", "supersedes", by="smithzq"),
        # What is said after it, and would be otherwise if it was looked at.
        added(
            ALL, "again", "The queue port of hermes is now 7000", **SAID | {"owner": "zoe"}, **ALICE
        ),
    ]


class Worlds:
    """The files of the whole world, and of what each principal may see of it.

    ids: of all that is in the whole world, by name.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._copies = 0
        self.ids: dict[str, str] = {}
        self.ids = self._make("everything", None)
        for principal in PRINCIPALS:
            self._make(principal, principal)

    def _make(self, name: str, principal: str | None) -> dict[str, str]:
        """Make the file *name* of what *principal* may see; of everything for None."""
        clock = FakeClock()
        path = self._folder / f"{name}.db"
        with opened(path, clock, embed=FakeEmbedder(lanes=LANES)) as m:
            world = World(m, clock)
            for act in script():
                clock.advance(seconds=60)
                do = act.do if principal is None or principal in act.seen else act.instead
                made = None if do is None else do(world)
                if act.name and isinstance(made, str):
                    world.ids[act.name] = made
            assert m.admin.check() == []
        return world.ids

    def hidden_from(self, principal: str) -> dict[str, str]:
        """Return the ids of what *principal* may not see, by name."""
        seen = {act.name for act in script() if principal in act.seen or act.instead is not None}
        return {name: memory_id for name, memory_id in self.ids.items() if name not in seen}

    def visible_to(self, principal: str) -> dict[str, str]:
        """Return the ids of what *principal* may see, by name."""
        hidden = self.hidden_from(principal)
        return {name: memory_id for name, memory_id in self.ids.items() if name not in hidden}

    def copy(self, principal: str | None) -> Path:
        """Return a file of its own with what *principal* may see; with everything for None."""
        self._copies += 1
        path = self._folder / f"copy{self._copies}.db"
        shutil.copyfile(self._folder / f"{principal or 'everything'}.db", path)
        return path


@contextlib.contextmanager
def opened(path: Path, clock: FakeClock, **options: Any) -> Iterator[MemoryClient]:
    """Open a file so that ids and stamps tell nothing but the moment of an act."""
    with MemoryClient(
        path, clock=clock, entropy=lambda _: 0, stopwatch=lambda: 0.0, **options
    ) as m:
        yield m
