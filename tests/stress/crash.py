"""Kills a process at random moments of its work, and looks at what it leaves.

    python tests/stress/crash.py --rounds 200

A child writes, and tells each act before it begins and when it was acknowledged. It is killed with
SIGKILL at a random moment; then the file must open, check clean, and hold every acknowledged write;
what was under way is whole or absent. So too while it opens a new file, migrates one, backs up,
restores, and makes the indexes anew.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from agent_memory_os import MemoryClient, Settings
from agent_memory_os.store.sqlite import SqliteStore, schema
from agent_memory_os.testing import FakeClock

ROUNDS = 20
SHARED = 20  # rounds of one store
CHILD = "--child"
MOST_ACTS = 40  # that are acknowledged before the kill
MOST_DELAY_S = 0.03  # of the kill after that
WORDS = "harbour walnut deploy staging theme invoice snapshot kettle orbit ledger".split()

# One kind of round each; writing is the most of it.
KINDS = ("write",) * 6 + ("open", "migrate", "backup", "restore", "rebuild")


# The child


def tell(**told: object) -> None:
    print(json.dumps(told), flush=True)


def write(path: Path, chance: random.Random) -> None:
    """Write for ever; tell each act before and after."""
    with MemoryClient(path) as m:
        m.org.create_team("apollo") if not m.org.teams() else None
        m.org.add_team_member("apollo", "local")
        known = [memory.id for memory in m.browse(limit=1_000)]
        for number in range(1_000_000):
            act = chance.choice(ACTS) if known else add
            act(m, chance, known, f"{os.getpid()}-{number}")


def add(m: MemoryClient, chance: random.Random, known: list[str], name: str) -> None:
    content = f"note {name} {' '.join(chance.sample(WORDS, 4))}"
    tell(act="add", content=content)
    known.append(m.add(content, tags=[name], visibility=chance.choice([[], ["global"]])).id)
    tell(done="add", id=known[-1], content=content)


def add_many(m: MemoryClient, chance: random.Random, known: list[str], name: str) -> None:
    contents = [f"batch {name} {n} {chance.choice(WORDS)}" for n in range(5)]
    tell(act="add_many", contents=contents)
    receipts = m.add_many({"content": content} for content in contents)
    known += [receipt.id for receipt in receipts]
    tell(done="add_many", ids=[receipt.id for receipt in receipts], contents=contents)


def update(m: MemoryClient, chance: random.Random, known: list[str], name: str) -> None:
    memory_id, content = chance.choice(known), f"changed {name} {chance.choice(WORDS)}"
    tell(act="update", id=memory_id, content=content)
    m.update(memory_id, content=content)
    tell(done="update", id=memory_id, content=content)


def share(m: MemoryClient, chance: random.Random, known: list[str], name: str) -> None:
    memory_id = chance.choice(known)
    tell(act="share", id=memory_id)
    m.share(memory_id, ["team:apollo"])
    tell(done="share", id=memory_id)


def link(m: MemoryClient, chance: random.Random, known: list[str], name: str) -> None:
    source, target = chance.choice(known), chance.choice(known)
    if source != target:
        tell(act="link", id=source)
        m.link(source, target)
        tell(done="link", id=source, target=target)


def delete(m: MemoryClient, chance: random.Random, known: list[str], name: str) -> None:
    memory_id = known.pop(chance.randrange(len(known)))
    tell(act="delete", id=memory_id)
    m.delete(memory_id)
    tell(done="delete", id=memory_id)


def forget(m: MemoryClient, chance: random.Random, known: list[str], name: str) -> None:
    memory_id = known.pop(chance.randrange(len(known)))
    tell(act="forget", id=memory_id)
    m.forget(memory_id)
    tell(done="forget", id=memory_id)


ACTS = (add, add, add, add_many, update, update, share, link, delete, forget)


def open_new(path: Path, chance: random.Random) -> None:
    """Make new stores for ever, each with one memory."""
    for number in range(1_000_000):
        with MemoryClient(path.with_name(f"new{number}.db")) as m:
            m.add(f"note {number}")
        tell(done="open", number=number)


def add_mood(db: sqlite3.Connection) -> None:
    db.execute("ALTER TABLE memories ADD COLUMN mood TEXT")
    db.execute("UPDATE memories SET mood = 'calm', content = content || ''")
    db.execute("CREATE TABLE moods(name TEXT) STRICT")


def migrate(path: Path, chance: random.Random) -> None:
    """Bring one older copy after another forward."""
    older = path.with_name("older.db")
    shutil.copy(path, older)
    steps = (*schema.STEPS, add_mood)
    for number in range(1_000_000):
        each = shutil.copy(older, path.with_name(f"older{number}.db"))
        tell(done="copy", number=number)
        SqliteStore(str(each), settings=Settings(), clock=FakeClock(), steps=steps).close()
        tell(done="migrate", number=number)


def back_up(path: Path, chance: random.Random) -> None:
    """Back up for ever, and write in between."""
    with MemoryClient(path) as m:
        for number in range(1_000_000):
            m.add(f"before backup {number}")
            tell(done="backup", path=m.admin.backup(path.parent / "backups", keep=3).path)


def restore(path: Path, chance: random.Random) -> None:
    """Put one backup and then the other in the place of the store."""
    with MemoryClient(path) as m:
        for number in range(1_000_000):
            name = ("one.db", "two.db")[number % 2]
            m.admin.restore_backup(path.with_name(name), force=True)
            tell(done="restore", name=name)


def rebuild(path: Path, chance: random.Random) -> None:
    with MemoryClient(path) as m:
        for _ in range(1_000_000):
            m.rebuild_indexes()
            tell(done="rebuild")


CHILDREN: dict[str, Callable[[Path, random.Random], None]] = {
    "write": write,
    "open": open_new,
    "migrate": migrate,
    "backup": back_up,
    "restore": restore,
    "rebuild": rebuild,
}


# The parent


@dataclass
class Figures:
    """What all rounds came to."""

    rounds: Counter[str] = field(default_factory=Counter)
    acknowledged: Counter[str] = field(default_factory=Counter)
    under_way: Counter[str] = field(default_factory=Counter)  # at the kill: whole, or absent
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
        return "\n".join([*lines, f"{'lost or broken':<14}{len(self.problems):>7}", *self.problems])


@dataclass
class Expected:
    """What the store must hold, by what was acknowledged."""

    contents: dict[str, str] = field(default_factory=dict)  # by id
    shared: set[str] = field(default_factory=set)
    links: set[tuple[str, str]] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)

    def take(self, told: dict[str, object]) -> None:
        """Take in what was acknowledged."""
        act, memory_id = told["done"], str(told.get("id"))
        if act in ("add", "update"):
            self.contents[memory_id] = str(told["content"])
        elif act == "add_many":
            self.contents |= dict(zip(told["ids"], told["contents"], strict=True))
        elif act == "share":
            self.shared.add(memory_id)
        elif act == "link":
            self.links.add((memory_id, str(told["target"])))
        else:
            self.contents.pop(memory_id, None)
            self.shared.discard(memory_id)
            self.gone.add(memory_id)
            self.links = {pair for pair in self.links if memory_id not in pair}


def killed(kind: str, path: Path, chance: random.Random) -> list[dict[str, object]]:
    """Run a child, kill it at a random moment, and return what it told."""
    command = [sys.executable, __file__, CHILD, kind, str(path), str(chance.randrange(10**9))]
    acts = chance.randrange(MOST_ACTS) if kind == "write" else chance.randrange(3)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        lines: list[str] = []
        while sum('"done"' in line for line in lines) < acts and (line := child.stdout.readline()):
            lines.append(line)
        if not lines:  # it shall at least have begun
            lines += filter(None, [child.stdout.readline()]) if kind == "write" else []
        delay_s = MOST_DELAY_S if kind == "write" else 0.6
        time.sleep(chance.random() * delay_s)
        child.send_signal(signal.SIGKILL)
        lines += child.stdout.readlines()
    whole = (line for line in lines if line.endswith("\n"))
    return [json.loads(line) for line in whole]


def every(m: MemoryClient) -> Iterator[tuple[str, str, bool]]:
    """Yield id, content, and whether a team sees it, of all memories of a client."""
    offset = 0
    while page := m.browse(limit=1_000, offset=offset):
        yield from ((each.id, each.content, "team:apollo" in each.visibility) for each in page)
        offset += len(page)


class Trial:
    """One store that is killed again and again."""

    def __init__(self, folder: Path, chance: random.Random, figures: Figures) -> None:
        self.path = folder / "memory.db"
        self.chance, self.figures = chance, figures
        self.expected = Expected()

    def round(self, kind: str) -> None:
        """Kill one child, and look at what it left."""
        told = killed(kind, self.path, self.chance)
        self.figures.rounds[kind] += 1
        self.figures.acknowledged.update(str(each["done"]) for each in told if "done" in each)
        try:
            getattr(self, f"after_{kind}")(told)
        except Exception as error:
            self.figures.problems.append(f"{kind}: {type(error).__name__}: {error}")

    def after_write(self, told: list[dict[str, object]]) -> None:
        for each in told:
            if "done" in each:
                self.expected.take(each)
        last = told[-1] if told and "act" in told[-1] else {}
        with MemoryClient(self.path) as m:
            self.check(m)
            found = {memory_id: (content, seen) for memory_id, content, seen in every(m)}
            self.settle(last, found)
            self.compare(m, found)
            m.add(f"life goes on {self.chance.random()}")
        self.expected.contents |= self.now()

    def now(self) -> dict[str, str]:
        with MemoryClient(self.path) as m:
            return {memory_id: content for memory_id, content, _ in every(m)}

    def settle(self, last: dict[str, object], found: dict[str, tuple[str, bool]]) -> None:
        """Take in what was under way, if it is there; half of it is a problem."""
        act, memory_id = last.get("act"), str(last.get("id"))
        if act is None:
            return
        held = {content: each for each, (content, _) in found.items()}
        wanted = [last.get("content"), *last.get("contents", ())]
        is_whole = None
        if act in ("add", "add_many"):
            there = [each for each in wanted if each in held]
            is_whole = len(there) > 0
            if is_whole and len(there) < len([each for each in wanted if each]):
                self.figures.problems.append(f"half of {last} is there")
            self.expected.contents |= {held[each]: each for each in there}
        elif act == "update":
            is_whole = found[memory_id][0] == last["content"]
            if is_whole:
                self.expected.contents[memory_id] = str(last["content"])
        elif act in ("delete", "forget"):
            is_whole = memory_id not in found
            if is_whole:
                self.expected.take({"done": act, "id": memory_id})
        elif act == "share":
            is_whole = found[memory_id][1]
        self.figures.under_way["whole" if is_whole else "absent"] += 1

    def compare(self, m: MemoryClient, found: dict[str, tuple[str, bool]]) -> None:
        expected = self.expected
        for memory_id, content in expected.contents.items():
            if memory_id not in found:
                self.figures.problems.append(f"lost {memory_id}: {content}")
            elif found[memory_id][0] != content:
                self.figures.problems.append(f"{memory_id} is {found[memory_id][0]}, not {content}")
        for memory_id in expected.shared & found.keys():
            if not found[memory_id][1]:
                self.figures.problems.append(f"the sharing of {memory_id} is lost")
        if back := expected.gone & found.keys():
            self.figures.problems.append(f"back again: {sorted(back)}")
        for source, target in sorted(expected.links)[-20:]:
            if target not in {each.memory.id for each in m.neighbors(source, limit=1_000)}:
                self.figures.problems.append(f"the link of {source} and {target} is lost")

    def check(self, m: MemoryClient) -> None:
        if findings := m.admin.check():
            self.figures.problems.append(f"not sound: {findings[:3]}")

    def after_open(self, told: list[dict[str, object]]) -> None:
        for path in sorted(self.path.parent.glob("new*.db")):
            with MemoryClient(path) as m:
                self.check(m)
                number = int(path.stem.removeprefix("new"))
                is_told = {"done": "open", "number": number} in told
                if is_told and len(m.browse()) != 1:
                    self.figures.problems.append(f"{path.name} has lost its memory")
        self.clear("new*")

    def after_migrate(self, told: list[dict[str, object]]) -> None:
        for each in told:
            path = self.path.with_name(f"older{each['number']}.db")
            with closing(sqlite3.connect(path)) as db:
                (version,) = db.execute("PRAGMA user_version").fetchone()
                tables = db.execute("SELECT count(*) FROM sqlite_schema WHERE name = 'moods'")
                is_new = tables.fetchone() == (1,)
                (rows,) = db.execute("SELECT count(*) FROM memories").fetchone()
            if (version == 2) != is_new or (each["done"] == "migrate" and version != 2):
                self.figures.problems.append(f"{path.name} is half a version {version}")
            if rows < len(self.expected.contents):
                self.figures.problems.append(f"{path.name} lost rows")
        self.clear("older*")

    def after_backup(self, told: list[dict[str, object]]) -> None:
        for path in sorted(self.path.parent.glob("backups/*.db")):
            with MemoryClient(path) as m:
                self.check(m)
        shutil.rmtree(self.path.parent / "backups", ignore_errors=True)
        self.sound()

    def after_restore(self, told: list[dict[str, object]]) -> None:
        with MemoryClient(self.path) as m:
            self.check(m)
            names = {content for _, content, _ in every(m) if content.startswith("only in")}
        if names not in ({"only in one"}, {"only in two"}, set()):
            self.figures.problems.append(f"a mixture: {names}")
        self.expected = Expected(contents=self.now())

    def after_rebuild(self, told: list[dict[str, object]]) -> None:
        self.sound()

    def sound(self) -> None:
        with MemoryClient(self.path) as m:
            self.check(m)
            self.compare(m, {each: (content, seen) for each, content, seen in every(m)})
            for memory_id, content in [*self.expected.contents.items()][-3:]:
                if memory_id not in m.search(content, limit=100).ids:
                    self.figures.problems.append(f"{content!r} is not found")
        self.expected.contents = self.now()

    def prepare(self, kind: str) -> None:
        """Give a round what it needs."""
        if kind == "backup":
            (self.path.parent / "backups").mkdir()
        if kind == "restore":
            for name in ("one", "two"):
                goal = self.path.with_name(f"{name}.db")
                goal.unlink(missing_ok=True)
                with MemoryClient(":memory:") as m:
                    m.add_many({"content": f"{n} of {name}"} for n in range(200))
                    m.add(f"only in {name}")
                    m.admin.backup(goal)

    def clear(self, pattern: str) -> None:
        for path in self.path.parent.glob(pattern):
            path.unlink()


def run(rounds: int, *, seed: int = 0, kinds: tuple[str, ...] = KINDS) -> Figures:
    """Return the figures of so many rounds; each twenty of them share a store."""
    chance, figures, started = random.Random(seed), Figures(), time.monotonic()
    for first in range(0, rounds, SHARED):
        with tempfile.TemporaryDirectory() as folder:
            trial = Trial(Path(folder), chance, figures)
            with MemoryClient(trial.path) as m:
                m.add_many({"content": f"old {n} {chance.choice(WORDS)}"} for n in range(100))
            trial.expected.contents = trial.now()
            for number in range(first, min(first + SHARED, rounds)):
                kind = kinds[number % len(kinds)]
                trial.prepare(kind)
                trial.round(kind)
    figures.seconds = time.monotonic() - started
    return figures


def main() -> None:
    """Run it by name."""
    if CHILD in sys.argv:
        kind, path, seed = sys.argv[2:]
        CHILDREN[kind](Path(path), random.Random(int(seed)))
        return
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    figures = run(asked.rounds, seed=asked.seed)
    print(figures.text())
    print(f"{asked.rounds} rounds, seed {asked.seed}, {figures.seconds:.0f} s")
    sys.exit(bool(figures.problems))


if __name__ == "__main__":
    main()
