"""A year of a team's memory by a clock that is set: the true stays findable, the file small.

``python tests/bench/year.py [--days 365] [--agents 20]``: each day each agent states facts,
corrects some, repeats chatter, notes what holds for a month, and asks; each week retention and
consolidation run. At the end every fact that is still true is asked for, every answer is looked
through for values that were corrected, and maintenance is run twice at one moment.
"""

import argparse
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from agent_memory_os import MemoryClient
from agent_memory_os.testing import FakeClock, FakeEntropy

NOUNS = "port timeout owner region quota version budget replica count".split()[:7]
LEADS = "alpha bravo cedar delta ember fjord gamma harbor iris juno".split()
CHATTER = (
    "Lunch was good today",
    "The standup took a while",
    "Good morning everyone",
    "Looking into the build again",
    "Waiting for the review",
)
SEEN_AT_ONCE = 5  # hits within which a fact must be
WEEK, MONTH = 7, 30


@dataclass(slots=True)
class Fact:
    """Something of which one value is true: the query that asks for it, and all its values."""

    query: str
    values: list[str] = field(default_factory=list)

    @property
    def now(self) -> str:
        """The value that is true."""
        return self.values[-1]


@dataclass(slots=True)
class Agent:
    """One agent, and what it knows to be true."""

    name: str
    facts: dict[str, Fact] = field(default_factory=dict)


@dataclass(slots=True)
class Figures:
    """What came of a year; shares are from 0 to 1."""

    facts: int
    recall: float
    asked: int
    stale: int
    sizes: list[tuple[int, int, int]]  # day, memories that are active, bytes of the file
    changed_by_second: int


def value_of(noun: str, rng: random.Random) -> str:
    """Return a value of an attribute."""
    if noun == "owner":
        return rng.choice(["Ana", "Ben", "Cleo", "Dov", "Eli", "Fay", "Gus", "Hana", "Ivo"])
    if noun == "region":
        return rng.choice(["Oslo", "Bergen", "Riga", "Turin", "Porto", "Lyon", "Graz"])
    return str(rng.randint(1_000, 9_999))


def live(client: MemoryClient, agent: Agent, rng: random.Random) -> None:
    """One day of one agent."""
    for _ in range(2):
        noun, lead = rng.choice(NOUNS), rng.choice(LEADS)
        topic = f"{noun} of {lead}-{agent.name}"
        fact = agent.facts.setdefault(topic, Fact(f"What is the {topic}?"))
        value = value_of(noun, rng)
        if not fact.values or value not in fact.values:  # nobody goes back to an old value here
            fact.values.append(value)
            said = f"The {topic} is {value}"
            client.add(said, owner=agent.name, type="fact", visibility=["global"])
    client.add(rng.choice(CHATTER), owner=agent.name)
    client.add(
        f"Ticket {rng.randint(1, 10**6)} waits for {rng.choice(LEADS)}",
        owner=agent.name,
        ttl=timedelta(days=MONTH),
    )
    asked = rng.choice([*agent.facts.values()])
    client.search(asked.query, requester_agent_id=agent.name, limit=2, auto_reinforce=True)


def maintain(client: MemoryClient) -> int:
    """Run retention and consolidation; return how many memories were changed."""
    kept = client.admin.retention()
    merged = client.consolidate()
    concepts = merged.concepts_made + merged.concepts_updated + merged.concepts_withdrawn
    return kept.archived + kept.deleted + merged.merged + concepts


def stale_in(client: MemoryClient, agents: list[Agent]) -> Iterator[tuple[Agent, Fact, bool, int]]:
    """Yield for each fact whether it was found, and how many corrected values were shown."""
    for agent in agents:
        for fact in agent.facts.values():
            hits = client.search(fact.query, requester_agent_id=agent.name, limit=SEEN_AT_ONCE)
            topic = fact.query.removeprefix("What is the ").rstrip("?")
            said = [hit.content for hit in hits if topic in hit.content]
            pack = str(client.context_pack(fact.query, requester_agent_id=agent.name))
            old = [f"The {topic} is {value}" for value in fact.values[:-1]]
            shown = sum(each in said for each in old)
            shown += sum(f"{each}\n" in pack for each in old)
            yield agent, fact, f"The {topic} is {fact.now}" in said, shown


def simulate(folder: Path, days: int, count: int, seed: int = 1) -> Figures:
    """Return what came of so many days of so many agents."""
    rng, clock = random.Random(seed), FakeClock()
    path = folder / "year.db"
    agents = [Agent(f"agent{n}") for n in range(count)]
    sizes = []
    with MemoryClient(path, clock=clock, entropy=FakeEntropy()) as client:
        for day in range(1, days + 1):
            for agent in agents:
                live(client, agent, rng)
                clock.advance(minutes=1)
            clock.advance(days=1)
            if day % WEEK == 0:
                maintain(client)
            if day % max(1, days // 4) == 0:
                stats = client.admin.stats()
                sizes.append((day, stats.memories, stats.file_bytes))
        found = list(stale_in(client, agents))
        maintain(client)
        second = maintain(client)
    return Figures(
        facts=len(found),
        recall=sum(is_found for _, _, is_found, _ in found) / max(1, len(found)),
        asked=sum(len(fact.values) - 1 for _, fact, _, _ in found),
        stale=sum(shown for *_, shown in found),
        sizes=sizes,
        changed_by_second=second,
    )


def main() -> None:
    """Print what came of the year; exit with 1 where it falls short."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--agents", type=int, default=20)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = simulate(Path(folder), args.days, args.agents)
    print(f"facts that are still true   {figures.facts}")
    print(f"found among {SEEN_AT_ONCE} hits          {figures.recall:.3f}  (>= 0.95)")
    print(f"corrected values            {figures.asked}")
    print(f"of these shown as true      {figures.stale}  (0)")
    print(f"changed by maintenance, run again at one moment: {figures.changed_by_second}  (0)")
    for day, memories, size in figures.sizes:
        print(f"day {day:>4}: {memories:>7} memories, {size / 1_000_000:6.1f} MB")
    if figures.recall < 0.95 or figures.stale or figures.changed_by_second:
        sys.exit(1)


if __name__ == "__main__":
    main()
