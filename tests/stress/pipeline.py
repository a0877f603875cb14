"""Kills a process that captures and runs the pipeline, and looks at what it leaves.

    python tests/stress/pipeline.py --rounds 100

A child captures turns, ends sessions, and lets the pipeline run, by itself or in a worker thread;
it tells each turn before it is captured and when that was acknowledged. It is killed with SIGKILL
at a random moment. Then the file must check clean and hold every acknowledged event word for word;
what was under way is captured again; and the pipeline goes on, until each event has been distilled
once, and nothing is told twice.
"""

import argparse
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent_memory_os import AgentMemory, MemoryClient

ROUNDS = 20
SHARED = 10  # rounds of one store
CHILD = "--child"
MOST_TURNS = 30  # that are acknowledged before the kill
MOST_RUNS = 20  # after which nothing may be left
MOST_DELAY_S = 0.04  # of the kill after that
WAYS = ("by itself", "a worker", "by rules")  # how a child runs its pipeline, in turns
SESSIONS = ("one", "two", "three")
SUBJECT = "user:alice"
THINGS = "harbour walnut staging theme invoice snapshot kettle orbit ledger garden".split()


def quote(turns: Sequence[Any], known: Sequence[Any]) -> list[dict[str, object]]:
    """Decide to keep each turn of the user as it is."""
    return [
        {"action": "add", "content": turn.content, "type": "fact", "evidence": [turn.id]}
        for turn in turns
        if turn.role == "user"
    ]


def agent(client: MemoryClient) -> AgentMemory:
    """Return whose pipeline it is."""
    return client.as_agent("bot", subject=SUBJECT)


# The child


def tell(**told: object) -> None:
    print(json.dumps(told), flush=True)


def work(path: Path, way: str, chance: random.Random) -> None:
    """Capture for ever; tell each turn before and after."""
    with MemoryClient(path) as client:
        bot = agent(client)
        distiller = None if way == "by rules" else quote
        pipeline = bot.layers.pipeline(every_turns=2, distiller=distiller, worker=way == "a worker")
        for number in range(1_000_000):
            name = f"{chance.randrange(10**12)}-{number}"
            session = chance.choice(SESSIONS)
            said = [
                ("user", f"I like the {chance.choice(THINGS)} of {name}."),
                ("assistant", f"Noted, {name}."),
            ]
            tell(act="capture", session=session, turn=name, said=said)
            captured = bot.capture(said, session=session, turn=name)
            tell(done="capture", ids=[receipt.id for receipt in captured], said=said)
            if chance.random() < 0.1:
                bot.layers.end_session(session)
                tell(done="end")
            if way != "a worker":
                ran = pipeline.run_pending()
                tell(done="run") if ran.events else None


# The parent


@dataclass
class Figures:
    """What all rounds came to."""

    rounds: Counter[str] = field(default_factory=Counter)
    acknowledged: Counter[str] = field(default_factory=Counter)
    under_way: Counter[str] = field(default_factory=Counter)  # at the kill: whole, or absent
    waited: int = 0  # events that were not distilled yet when a child was killed
    distilled: int = 0  # by the children
    atoms: int = 0
    scenes: int = 0
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def text(self) -> str:
        """Return the figures as lines."""
        rows = [
            ("rounds", self.rounds),
            ("acknowledged", self.acknowledged),
            ("under way", self.under_way),
        ]
        lines = [
            f"{name:<14}{sum(counts.values()):>7}   "
            + "  ".join(f"{key} {n}" for key, n in sorted(counts.items()))
            for name, counts in rows
        ]
        lines += [
            f"{'events':<14}{self.waited + self.distilled:>7}   "
            f"distilled by the killed {self.distilled}  left to others {self.waited}",
            f"{'atoms':<14}{self.atoms:>7}   scenes and personas {self.scenes}",
            f"{'lost, doubled':<14}{len(self.problems):>7}",
        ]
        return "\n".join([*lines, *self.problems])


def killed(path: Path, way: str, chance: random.Random) -> list[dict[str, Any]]:
    """Run a child, kill it at a random moment, and return what it told."""
    command = [sys.executable, __file__, CHILD, str(path), way, str(chance.randrange(10**9))]
    turns = chance.randrange(1, MOST_TURNS)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        lines: list[str] = []
        while sum('"done": "capture"' in line for line in lines) < turns:
            line = child.stdout.readline()
            if not line:
                break
            lines.append(line)
        time.sleep(chance.random() * MOST_DELAY_S)
        child.send_signal(signal.SIGKILL)
        lines += child.stdout.readlines()
    return [json.loads(line) for line in lines if line.endswith("\n")]


class Trial:
    """One store in which a pipeline is killed again and again."""

    def __init__(self, folder: Path, chance: random.Random, figures: Figures) -> None:
        self.path = folder / "memory.db"
        self.chance, self.figures = chance, figures
        self.expected: dict[str, str] = {}  # events by id
        self.quoted: set[str] = set()  # what must be atoms in the end, word for word

    def round(self, way: str) -> None:
        """Kill one child, and look at what it left."""
        told = killed(self.path, way, self.chance)
        self.figures.rounds[way] += 1
        self.figures.acknowledged.update(str(each["done"]) for each in told if "done" in each)
        try:
            self.after(told, way)
        except Exception as error:
            self.figures.problems.append(f"{way}: {type(error).__name__}: {error}")

    def after(self, told: list[dict[str, Any]], way: str) -> None:
        """Compare, go on, and compare again."""
        new = 0
        for each in told:
            if each.get("done") == "capture":
                new += len(each["ids"])
                self.take(each["ids"], each["said"], way)
        with MemoryClient(self.path) as client:
            bot = agent(client)
            self.sound(client)
            self.compare(bot)
            waiting = bot.layers.pipeline().status().events
            self.figures.waited += waiting
            self.figures.distilled += max(new - waiting, 0)
            if told and told[-1].get("act") == "capture":
                self.settle(bot, told[-1], way)
            self.go_on(bot, way)
            self.compare(bot)
            self.sound(client)

    def take(self, ids: Sequence[str], said: Sequence[Sequence[str]], way: str) -> None:
        """Take in what was acknowledged."""
        self.expected |= {each: text for each, (_, text) in zip(ids, said, strict=True)}
        if way != "by rules":
            self.quoted |= {text for role, text in said if role == "user"}

    def settle(self, bot: AgentMemory, last: dict[str, Any], way: str) -> None:
        """Capture again what was under way: it is there already, or written now; never twice."""
        texts = {each.content for each in bot.layers.timeline(last["session"], limit=1_000)}
        there = [text for _, text in last["said"] if text in texts]
        if there and len(there) < len(last["said"]):
            self.figures.problems.append(f"half of a turn is there: {there}")
        self.figures.under_way["whole" if there else "absent"] += 1
        said = [(role, text) for role, text in last["said"]]
        captured = bot.capture(said, session=last["session"], turn=last["turn"])
        self.take([receipt.id for receipt in captured], said, way)

    def go_on(self, bot: AgentMemory, way: str) -> None:
        """Let another pipeline do what is left."""
        distiller = None if way == "by rules" else quote
        pipeline = bot.layers.pipeline(idle_s=0, distiller=distiller)
        for _ in range(MOST_RUNS):
            done = pipeline.run_pending()
            if not done.events and not done.organised and not done.notes:
                break
        else:
            self.figures.problems.append(f"it never ends: {done}")
        if (left := pipeline.status()).events:
            self.figures.problems.append(f"it does not go on: {left}")

    def compare(self, bot: AgentMemory) -> None:
        """Look for what was lost, and for what is there twice."""
        found = {each.id: each.content for each in bot.get_many([*self.expected])}
        for event, content in self.expected.items():
            if found.get(event) != content:
                self.figures.problems.append(f"lost {event}: {content}")
        events = Counter(a.content for a in everything(bot, layer=0) if a.type != "session_end")
        atoms = everything(bot, layer=1)
        for name, counted in (("event", events), ("atom", Counter(a.content for a in atoms))):
            doubled = [content for content, count in counted.items() if count > 1]
            self.figures.problems += [f"{name} is there twice: {each}" for each in doubled]
        for each in atoms:
            if each.mentions != 1:
                self.figures.problems.append(f"told {each.mentions} times: {each.content}")

    def whole(self) -> None:
        """Look at the end whether all that was to become an atom did, with its evidence."""
        with MemoryClient(self.path) as client:
            bot = agent(client)
            atoms = {each.content: each.id for each in everything(bot, layer=1)}
            for content in self.quoted - atoms.keys():
                self.figures.problems.append(f"no atom was made of: {content}")
            for content in sorted(self.quoted & atoms.keys())[:50]:
                rests = [each.memory.content for each in bot.layers.evidence(atoms[content])]
                if rests != [content]:
                    self.figures.problems.append(f"{content} rests on {rests}")
            self.figures.atoms += len(atoms)
            self.figures.scenes += len(everything(bot, layer=2)) + len(everything(bot, layer=3))
            if (again := bot.layers.organise()).made:
                self.figures.problems.append(f"organised twice it makes {again.made} more")

    def sound(self, client: MemoryClient) -> None:
        if findings := client.admin.check():
            self.figures.problems.append(f"not sound: {findings[:3]}")


def everything(bot: AgentMemory, *, layer: int) -> list[Any]:
    """Return all memories of a layer."""
    found: list[Any] = []
    while page := bot.browse(layers=[layer], limit=1_000, offset=len(found)):
        found += page
    return found


def run(rounds: int, *, seed: int = 0, shared: int = SHARED) -> Figures:
    """Return the figures of so many rounds; each *shared* of them share a store."""
    chance, figures, started = random.Random(seed), Figures(), time.monotonic()
    for first in range(0, rounds, shared):
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(Path(folder), chance, figures)
            for number in range(first, min(first + shared, rounds)):
                trial.round(WAYS[number % len(WAYS)])
            trial.whole()
    figures.seconds = time.monotonic() - started
    return figures


def main() -> None:
    """Run it by name."""
    if CHILD in sys.argv:
        path, way, seed = sys.argv[2:]
        work(Path(path), way, random.Random(int(seed)))
        return
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    figures = run(asked.rounds, seed=asked.seed)
    print(figures.text())
    print(f"{asked.rounds} rounds, seed {asked.seed}, {figures.seconds:.0f} s")
    sys.exit(bool(figures.problems))


if __name__ == "__main__":
    main()
