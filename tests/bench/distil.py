"""How much the built-in distiller keeps of conversations, and what it makes of plain statements.

``python tests/bench/distil.py [TURNS ATOMS]`` reads a file of turns and one of atoms that people
distilled from them, each with the turns that it comes from as ``evidence`` and with questions; both
are as `recall.py` reads them. It prints what the distiller covers of that evidence with at most
half a pair of atom and turn for each turn, beside turns chosen at random and by length; and what
questions find of the evidence in its atoms alone, beside raw turns and people's atoms alone. Then,
from ``distil.jsonl``, how many statements it keeps with their type, and how much of small talk; the
lines that are ``held`` were written when the rules stood.

Without files it takes those of a folder ``shared/data`` beside the repository, if there is one.
``--groups 1`` takes the first conversation only, ``--whole`` distils a conversation at once, not
session by session, ``--wrong`` lists what is wrong among the lines that are not held, and
``--show 5`` prints some atoms.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from agent_memory_os import MemoryClient
from agent_memory_os.pure.distil import MOST_CHARS, Decision, Turn, distil

sys.path.insert(0, str(Path(__file__).parent))
import recall

LINES = Path(__file__).with_suffix(".jsonl")
FOLDER = Path(__file__).parents[3] / "shared" / "data"
FILES = (FOLDER / "conversations-en.jsonl.gz", FOLDER / "atoms-en.jsonl.gz")
DEPTH = 10
DRAWS = 20  # of a random half
TARGETS = ("<= 0.500", "<= 200", ">= 78.0", "", "", "", "", "", ">= 85.0", "<= 200")
HEADER = (
    *("pairs/turn", "longest", "covered", "random", "by length"),
    *("raw@10", "people's@10", "ours@10", "of people's", "us/turn"),
)
Doc = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Line:
    """A statement with the type that is right, or small talk, of the type "none"."""

    id: str
    lang: str
    split: str
    type: str
    text: str


@dataclass(frozen=True, slots=True)
class Conversation:
    """Turns, what people distilled from them, and the questions on that."""

    turns: Sequence[Doc]
    atoms: Sequence[Doc]
    questions: Sequence[recall.Question]

    @property
    def evidence(self) -> set[str]:
        """Ids of the turns that people's atoms come from."""
        return {turn for atom in self.atoms for turn in sources(atom)}


@dataclass(frozen=True, slots=True)
class Found:
    """Evidence of each question that was found: the shares, for each way of remembering."""

    raw: list[float]
    people: list[float]
    ours: list[float]


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of some conversations."""

    turns: int
    pairs: int
    longest: int
    evidence: int
    covered: int
    at_random: float
    by_length: int
    found: Found
    took_us: float

    def cells(self) -> list[object]:
        """Return the cells of the table, in the order of the header."""
        shares = (self.found.raw, self.found.people, self.found.ours)
        raw, people, ours = (100 * statistics.fmean(share) for share in shares)
        covered = (self.covered, self.at_random, self.by_length)
        of_evidence = (100 * count / self.evidence for count in covered)
        measured = (*of_evidence, raw, people, ours, 100 * ours / people)
        rounded = (f"{cell:.1f}" for cell in measured)
        per_turn = f"{self.pairs / self.turns:.3f}"
        return [per_turn, self.longest, *rounded, f"{self.took_us / self.turns:.0f}"]


# Conversations.


def read(turns: Path, atoms: Path) -> dict[str, Conversation]:
    """Return the conversations of two files, by group."""
    said = {group.name: group.docs for group in recall.read(turns)}
    return {
        group.name: Conversation(said[group.name], group.docs, group.questions)
        for group in recall.read(atoms)
    }


def sources(atom: Doc) -> tuple[str, ...]:
    """Return the ids of the turns that *atom* comes from."""
    named = atom.get("evidence")
    return tuple(map(str, named)) if isinstance(named, list | tuple) else ()


def as_turn(doc: Doc) -> Turn:
    """Return *doc* as the distiller reads it."""
    at = datetime.fromisoformat(str(doc["timestamp"])).replace(tzinfo=UTC)
    occurred_ms = int(at.timestamp() * 1000)
    return Turn(str(doc["id"]), str(doc["text"]), "user", f"user:{doc['speaker']}", occurred_ms)


def distilled(turns: Sequence[Doc], *, is_whole: bool) -> list[Decision]:
    """Return what the distiller makes of *turns*, session by session, or of all of them at once.

    Never more pairs than half of the turns so far.
    """
    sessions = [list(part) for _, part in groupby(turns, key=lambda doc: doc["session"])]
    found: list[Decision] = []
    heard = pairs = 0
    for session in [list(turns)] if is_whole else sessions:
        heard += len(session)
        decided = distil([as_turn(doc) for doc in session], most=heard // 2 - pairs)
        pairs += pairs_of(decided)
        found += decided
    return found


def pairs_of(decided: Iterable[Decision]) -> int:
    """Return how many pairs of an atom and a turn there are."""
    return sum(len(decision.evidence) for decision in decided)


def as_atom(decision: Decision, docs: Mapping[str, Doc]) -> Doc:
    """Return *decision* as a document: of the speaker, session and time of its first turn."""
    first = docs[decision.evidence[0]]
    kept = {"text": decision.content, "type": decision.type, "evidence": decision.evidence}
    return {**first, **kept}


def shares_found(docs: Sequence[Doc], talk: Conversation) -> list[float]:
    """Return of each question that counts the share of its evidence among the first ten.

    *docs* alone are remembered; what is found counts for the turns that it comes from, and a turn
    for itself.
    """
    wanted = {str(atom["id"]): sources(atom) for atom in talk.atoms}
    shares = []
    with tempfile.TemporaryDirectory() as folder, MemoryClient(Path(folder) / "m.db") as client:
        receipts = client.add_many(map(recall.as_item, docs))
        comes_from: dict[str, set[str]] = {}
        for doc, receipt in zip(docs, receipts, strict=True):
            comes_from.setdefault(receipt.id, set()).update(sources(doc) or (str(doc["id"]),))
        for question in talk.questions:
            if not question.counts:
                continue
            gold = {turn for atom in question.gold for turn in wanted[atom]}
            hits = client.search(question.text, limit=DEPTH)
            found = set().union(*(comes_from[hit.id] for hit in hits))
            shares.append(len(gold & found) / len(gold))
    return shares


def measure(talk: Conversation, *, is_whole: bool) -> tuple[Figures, list[Decision]]:
    """Return the figures of a conversation, and what the distiller made of it."""
    distil([Turn("warm", "I warm up.")])  # compiles the patterns, once in a process
    start = time.process_time()
    decided = distilled(talk.turns, is_whole=is_whole)
    took_us = (time.process_time() - start) * 1e6
    docs = {str(doc["id"]): doc for doc in talk.turns}
    evidence = talk.evidence
    half = len(docs) // 2
    chance = random.Random(0)
    draws = [len(evidence.intersection(chance.sample(list(docs), half))) for _ in range(DRAWS)]
    longest = sorted(docs, key=lambda turn: -len(str(docs[turn]["text"])))[:half]
    kept = {turn for decision in decided for turn in decision.evidence}
    found = Found(
        shares_found(talk.turns, talk),
        shares_found(talk.atoms, talk),
        shares_found([as_atom(decision, docs) for decision in decided], talk),
    )
    figures = Figures(
        turns=len(docs),
        pairs=pairs_of(decided),
        longest=max((len(decision.content) for decision in decided), default=0),
        evidence=len(evidence),
        covered=len(evidence & kept),
        at_random=statistics.fmean(draws),
        by_length=len(evidence.intersection(longest)),
        found=found,
        took_us=took_us,
    )
    return figures, decided


def together(parts: Sequence[Figures]) -> Figures:
    """Return the figures of all conversations; each question counts once."""
    return Figures(
        turns=sum(part.turns for part in parts),
        pairs=sum(part.pairs for part in parts),
        longest=max(part.longest for part in parts),
        evidence=sum(part.evidence for part in parts),
        covered=sum(part.covered for part in parts),
        at_random=sum(part.at_random for part in parts),
        by_length=sum(part.by_length for part in parts),
        found=Found(
            [share for part in parts for share in part.found.raw],
            [share for part in parts for share in part.found.people],
            [share for part in parts for share in part.found.ours],
        ),
        took_us=sum(part.took_us for part in parts),
    )


# Statements.


def read_lines(path: Path = LINES) -> list[Line]:
    """Return the lines of the file at *path*, in its order."""
    return [Line(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def kept_as(line: Line) -> str:
    """Return the type under which *line* alone is kept, or "none"."""
    decided = distil([Turn(line.id, line.text)])
    return decided[0].type if decided else "none"


def line_figures(lines: Sequence[Line]) -> tuple[int, int, int, int]:
    """Return how many statements are kept with the right type, of how many, and small talk so."""
    stated = [line for line in lines if line.type != "none"]
    idle = [line for line in lines if line.type == "none"]
    right = sum(kept_as(line) == line.type for line in stated)
    return right, len(stated), sum(kept_as(line) != "none" for line in idle), len(idle)


# Printing.


def row(name: str, cells: Iterable[object]) -> str:
    """Return a line of the table."""
    return f"{name:<10}" + "".join(f"{cell!s:>13}" for cell in cells)


def report_conversations(talks: Mapping[str, Conversation], *, is_whole: bool, show: int) -> None:
    """Print the table of conversations, and *show* atoms of each."""
    print(row("", HEADER))
    print(row("target", TARGETS))
    parts, shown = [], []
    for name, talk in talks.items():
        figures, decided = measure(talk, is_whole=is_whole)
        parts.append(figures)
        print(row(name, figures.cells()), flush=True)
        some = random.Random(name).sample(decided, min(show, len(decided)))
        shown += [f"{each.type}: {each.content}" for each in some]
    print(row("all", together(parts).cells()))
    print(f"pairs: of an atom of at most {MOST_CHARS} characters and a turn that it comes from\n")
    print("".join(f"{line}\n" for line in shown))


def report_lines(lines: Sequence[Line], *, wrong: bool) -> None:
    """Print what became of the statements and the small talk, by half and language."""
    for split in ("tune", "held"):
        for lang in ("en", "zh"):
            part = [line for line in lines if (line.split, line.lang) == (split, lang)]
            right, stated, kept, idle = line_figures(part)
            counts = f"{right}/{stated} statements right, {kept}/{idle} of small talk kept"
            print(f"{split} {lang}: {counts}")
    if wrong:
        for line in lines:
            if line.split == "tune" and kept_as(line) != line.type:
                print(f"{line.id} is {line.type}, kept as {kept_as(line)}: {line.text}")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="turns, then atoms")
    parser.add_argument("--groups", type=int, help="only so many conversations")
    parser.add_argument("--whole", action="store_true", help="a conversation at once")
    parser.add_argument("--wrong", action="store_true", help="list what is wrong, none held")
    parser.add_argument("--show", type=int, default=0, help="so many atoms of each conversation")
    options = parser.parse_args()
    files = options.files or [path for path in FILES if path.exists()]
    if len(files) == len(FILES):
        talks = dict(list(read(*files).items())[: options.groups])
        report_conversations(talks, is_whole=options.whole, show=options.show)
    elif options.files:
        parser.error("give a file of turns and one of atoms, or none")
    report_lines(read_lines(), wrong=options.wrong)


if __name__ == "__main__":
    main()
