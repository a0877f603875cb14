"""How fast activation goes over links: two hops from fifty seeds, with hubs among them.

``speed.py`` runs it. There is a tenth as many memories as links, and each hub is linked with all of
them; half of the links are those of the hubs, and the others join memories at random.
"""

import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from agent_memory_os import MemoryClient, Settings
from agent_memory_os.model import NO_FILTERS, Candidate, Visibility
from agent_memory_os.providers.protocol import Search
from agent_memory_os.providers.resonance import Resonance
from agent_memory_os.pure.text import analyse_query

LINKS_PER_MEMORY, HUBS = 10, 5
SEEDS, HUBS_AMONG_SEEDS = 50, 2
CALLS, WARMUP = 43, 3
RELATIONS = ("related_to", "caused_by", "next", "co_recalled")
ALL, FEW, FEW_IN = "reader_all", "reader_few", 1_000  # one in so many is seen by the second
Line = dict[str, float]


class Bond(NamedTuple):
    """What is linked with what."""

    source: str
    target: str
    relation: str
    weight: float


@dataclass(frozen=True, slots=True)
class Web:
    """A store of linked memories: its hubs, and the others that each reader sees."""

    client: MemoryClient
    hubs: Sequence[str]
    seen: dict[str, Sequence[str]]


def measure(contents: Sequence[str], links: int) -> dict[str, Line]:
    """Return the times of building a store with so many *links*, and of activation in it."""
    with tempfile.TemporaryDirectory() as folder:
        web, built = build(contents[: links // LINKS_PER_MEMORY], links, Path(folder))
        with web.client:
            lines = {f"resonance, sees {name}": spread(web, name) for name in (ALL, FEW)}
    return {"links": built, **lines}


def build(contents: Sequence[str], links: int, folder: Path) -> tuple[Web, Line]:
    """Store *contents* and the hubs, link them, and open the file anew."""
    path = folder / "links.db"
    with MemoryClient(path, agent_id="writer") as client:
        for team, readers in {"all": (ALL, "writer"), "few": (ALL, FEW, "writer")}.items():
            client.org.create_team(team)
            for reader in readers:
                client.org.add_team_member(team, reader)
        teams = ["all"] * (FEW_IN - 1) + ["few"]
        items = [
            {"content": content, "visibility": [f"team:{teams[place % FEW_IN]}"]}
            for place, content in enumerate(contents)
        ]
        items += [{"content": f"Hub {n}", "visibility": ["global"]} for n in range(HUBS)]
        ids = [receipt.id for receipt in client.add_many(items)]
        others, hubs = ids[:-HUBS], ids[-HUBS:]
        start = time.perf_counter()
        # There is no verb for many links at once, and a transaction for each would take minutes.
        with client._parts.store.write(bulk=True) as tx:
            for source, target, relation, weight in bonds(others, hubs, links):
                tx.link(source, target, relation=relation, weight=weight, by="writer")
        built = {"rows/s": links / (time.perf_counter() - start)}
    few = others[FEW_IN - 1 :: FEW_IN]
    return Web(MemoryClient(path), hubs, {ALL: others, FEW: few}), built


def bonds(others: Sequence[str], hubs: Sequence[str], count: int) -> Iterator[Bond]:
    """Yield *count* links: of each hub with all *others*, and of others at random."""
    rng = random.Random(count)

    def bond(source: str, target: str) -> Bond:
        return Bond(source, target, rng.choice(RELATIONS), round(rng.uniform(0.1, 1.0), 6))

    for number, hub in enumerate(hubs):
        for other in others:
            yield bond(hub, other) if number % 2 else bond(other, hub)
    for _ in range(count - len(hubs) * len(others)):
        source, target = rng.sample(range(len(others)), 2)
        yield bond(others[source], others[target])


def spread(web: Web, reader: str) -> Line:
    """Return how long two hops take from fifty memories that *reader* sees."""
    arm, rng, took, found = Resonance(Settings()), random.Random(reader), [], []
    visibility = Visibility(reader, time.time_ns() // 1_000_000)
    for _ in range(CALLS):
        others = web.seen[reader]
        drawn = rng.sample(others, min(SEEDS - HUBS_AMONG_SEEDS, len(others)))
        drawn += rng.sample(web.hubs, HUBS_AMONG_SEEDS)
        rng.shuffle(drawn)
        seeds = [Candidate(each, 1 - place / SEEDS) for place, each in enumerate(drawn)]
        search = Search(analyse_query("any"), visibility, NO_FILTERS, 2_000, seeds=seeds)
        with web.client._parts.store.read() as snapshot:
            start = time.perf_counter()
            found.append(len(arm.candidates(search, snapshot)))
            took.append(1e3 * (time.perf_counter() - start))
    took = sorted(took[WARMUP:])
    return {
        "p50_ms": statistics.median(took),
        "p95_ms": took[int(0.95 * len(took))],
        "mean_ms": statistics.fmean(took),
        "found": statistics.fmean(found),
    }
