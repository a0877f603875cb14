"""How well the rules of truth tell duplicates, updates and conflicts from what is unrelated.

``python tests/bench/truth.py [FILE...]`` reads pairs of statements as JSON lines: ``old`` was there
and ``new`` is written, by the ``same`` owner or by an ``other``; ``kind`` says what is right. Half
of them are ``held``: the rules were made without a look at these. ``--wrong`` lists the pairs that
are decided wrongly, ``--store N`` writes all of them into one store of N memories, interleaved with
others, and asks what became of each pair there; ``--crossed`` also weighs each new statement
against those of all other pairs, ``--speed`` arbitrates each of them with 20 others that share the
most with it.
"""

import argparse
import itertools
import json
import random
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent_memory_os import MemoryClient, Receipt
from agent_memory_os.pure import truth
from agent_memory_os.pure.claims import claims
from agent_memory_os.pure.probe import probe
from agent_memory_os.pure.text import index_terms

PAIRS = Path(__file__).with_suffix(".jsonl")
CONTESTED = ("update", "conflict")
RIVALS = 20
Decide = Callable[["Pair"], str]  # what a pair is: duplicate, update, conflict or unrelated


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements, the owners of both, and what the new one is to the old."""

    id: str
    kind: str
    owner: str
    lang: str
    split: str
    old: str
    new: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of some pairs; shares are from 0 to 1, and 1 of nothing is 1."""

    pairs: int
    merged_precision: float
    duplicates_found: float
    wrongly_superseded: int
    noticed: float
    noticed_precision: float
    exact: float


HEADER = ("pairs", "merged prec.", "dupl. found", "sup. wrongly", "noticed", "precision", "exact")
TARGETS = (">= 400", "1.000", ">= 0.850", "0", ">= 0.850", ">= 0.950", "")


def read(path: Path) -> list[Pair]:
    """Return the pairs of the file at *path*, in its order."""
    return [Pair(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def by_rules(pair: Pair) -> str:
    """Return what the rules decide, with nothing else in the store."""
    owner = "neo" if pair.owner == "same" else "trinity"
    draft, rival = truth.Assertion(pair.new, "neo"), truth.Assertion(pair.old, owner)
    return truth.weigh(draft, rival).relation


def measure(pairs: Sequence[Pair], decide: Decide) -> tuple[Figures, list[tuple[Pair, str]]]:
    """Return the figures of *pairs* under *decide*, and those that are decided wrongly.

    An update and a conflict are both noticed, whichever of the two is decided. By another writer
    nothing is an update.
    """
    decided = [(pair, decide(pair)) for pair in pairs]
    merged = [pair.kind == "duplicate" for pair, found in decided if found == "duplicate"]
    twins = [found == "duplicate" for pair, found in decided if pair.kind == "duplicate"]
    contested = [found in CONTESTED for pair, found in decided if pair.kind in CONTESTED]
    noticed = [pair.kind in CONTESTED for pair, found in decided if found in CONTESTED]
    figures = Figures(
        pairs=len(pairs),
        merged_precision=share(merged),
        duplicates_found=share(twins),
        wrongly_superseded=sum(
            found == "update" and pair.kind not in CONTESTED for pair, found in decided
        ),
        noticed=share(contested),
        noticed_precision=share(noticed),
        exact=share(pair.kind == found for pair, found in decided),
    )
    return figures, [(pair, found) for pair, found in decided if not is_right(pair, found)]


def is_right(pair: Pair, found: str) -> bool:
    """Return whether *found* is right, an update for a conflict and the reverse counted in."""
    return pair.kind == found or (pair.kind in CONTESTED and found in CONTESTED)


FILLED = (
    "port timeout budget owner deadline region quota version limit host",
    "alpha bravo delta gamma kilo lima oscar tango zulu rho",
    "ix on ar us et",
    "east west north south main edge core lab test old",
)


def others(count: int, rng: random.Random) -> list[str]:
    """Return statements that have to do with no pair, and with one another seldom."""
    nouns, *names = (words.split() for words in FILLED)
    found = [
        f"The {noun} of {first}{last} {place} is {rng.randint(1, 99_999)}"
        for noun, first, last, place in itertools.product(nouns, *names)
    ]
    found += [
        f"{first.capitalize()}{last} asks {other} about the {noun} of {place}"
        for noun, first, last, place in itertools.product(nouns, *names)
        for other in ("Ana", "Ben")
    ]
    rng.shuffle(found)
    return found[:count]


def in_store(pairs: Sequence[Pair], size: int) -> tuple[Decide, list[str]]:
    """Return what became of each pair in one store of *size* memories, and what else was hit.

    First what was there is written, in between what has nothing to do with it; then what is new.
    """
    rng = random.Random(7)
    told: list[Pair | str] = [*pairs, *others(max(0, size - 2 * len(pairs)), rng)]
    rng.shuffle(told)
    decided, strays = {}, []
    with MemoryClient(":memory:") as client:
        old = {}
        for each in told:
            if isinstance(each, str):
                client.add(each, owner="morpheus", visibility=["global"])
            else:
                owner = "neo" if each.owner == "same" else "trinity"
                old[each.id] = client.add(each.old, owner=owner, visibility=["global"]).id
        for pair in rng.sample(pairs, len(pairs)):
            receipt = client.add(pair.new, owner="neo", visibility=["global"])
            decided[pair.id] = became(receipt, old[pair.id])
            hit = {*receipt.superseded, *receipt.conflicts} - {old[pair.id]}
            strays += [f"{receipt.verdict}: {pair.new} | {receipt.why}"] if hit else []
    return lambda pair: decided[pair.id], strays


def became(receipt: Receipt, old: str) -> str:
    """Return what a write was to the memory *old*."""
    if old in receipt.superseded:
        return "update"
    if old in receipt.conflicts:
        return "conflict"
    is_merged = receipt.verdict == "merged" and receipt.id == old
    is_same = is_merged or receipt.why == truth.SAME_OF_ANOTHER
    return "duplicate" if is_same else "unrelated"


def share(claims: Iterable[bool]) -> float:
    """Return how many of *claims* are true, as a share of them; 1 of none."""
    found = list(claims)
    return statistics.fmean(found) if found else 1.0


def crossed(pairs: Sequence[Pair]) -> tuple[int, list[str]]:
    """Return how many foreign statements were weighed, and a line for each that was contested."""
    lines, count = [], 0
    for pair in pairs:
        for other in pairs:
            if other is pair or other.lang != pair.lang:
                continue
            for text in (other.old, other.new):
                count += 1
                found = truth.weigh(truth.Assertion(pair.new, "neo"), truth.Assertion(text, "neo"))
                if found.relation != "unrelated":
                    lines.append(f"{found.relation}: {pair.new} | {text} | {found.why}")
    return count, lines


def took_us(pairs: Sequence[Pair]) -> list[float]:
    """Return what arbitrating each new statement with 20 rivals takes, in microseconds, sorted.

    The rivals are the statements of other pairs that have the most words in common with it, and no
    text has been read before.
    """
    terms = {pair.id: frozenset(index_terms(pair.old)) for pair in pairs}
    took = []
    for pair in pairs:
        asked = frozenset(index_terms(pair.new))
        others = (other for other in pairs if other is not pair)
        nearest = sorted(others, key=lambda other: -len(asked & terms[other.id]))[:RIVALS]
        rivals = [truth.Assertion(other.old, "neo", id=other.id) for other in nearest]
        probe.cache_clear()
        claims.cache_clear()
        start = time.perf_counter()
        truth.arbitrate(truth.Assertion(pair.new, "neo"), rivals)
        took.append((time.perf_counter() - start) * 1e6)
    return sorted(took)


def row(name: str, cells: Iterable[object]) -> str:
    """Return a line of the table."""
    shown = (f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in cells)
    return f"{name:<12}" + "".join(f"{cell:>14}" for cell in shown)


def figures_row(name: str, figures: Figures) -> str:
    """Return the line of *figures*, in the order of the header."""
    return row(name, (getattr(figures, field) for field in Figures.__slots__))


def report(pairs: Sequence[Pair], decide: Decide) -> list[tuple[Pair, str]]:
    """Print the figures by split and language; return the pairs that are decided wrongly."""
    print(row("", HEADER))
    print(row("target", TARGETS))
    for split in sorted({pair.split for pair in pairs}):
        for lang in sorted({pair.lang for pair in pairs}):
            part = [pair for pair in pairs if (pair.split, pair.lang) == (split, lang)]
            print(figures_row(f"{split} {lang}", measure(part, decide)[0]))
    figures, wrong = measure(pairs, decide)
    print(figures_row("all", figures))
    return wrong


def main() -> None:
    """Print the table, and what was asked for besides."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("files", nargs="*", type=Path, default=[PAIRS])
    parser.add_argument("--wrong", action="store_true", help="list what is decided wrongly")
    parser.add_argument("--crossed", action="store_true", help="weigh the pairs with one another")
    parser.add_argument("--speed", action="store_true", help="time it with 20 rivals")
    parser.add_argument("--store", type=int, metavar="N", help="decide in a store of N memories")
    parser.add_argument("--split", help="only these pairs: tune or held")
    args = parser.parse_args()
    pairs = [pair for file in args.files for pair in read(file)]
    pairs = [pair for pair in pairs if args.split in (None, pair.split)]
    start = time.perf_counter()
    decide, strays = in_store(pairs, args.store) if args.store else (by_rules, [])
    wrong = report(pairs, decide)
    each_us = (time.perf_counter() - start) / max(1, 2 * len(pairs)) * 1e6
    print(f"\n{len(wrong)} wrong; {each_us:.0f} us for each pair")
    if args.store:
        print(f"{len(strays)} writes touched the statement of another pair")
    if args.wrong:
        print("\n".join(strays))
        for pair, found in wrong:
            print(f"{pair.id} {pair.kind}, decided {found}: {pair.old} | {pair.new} ({pair.note})")
    if args.speed:
        took = took_us(pairs)
        middle, late = took[len(took) // 2], took[len(took) * 95 // 100]
        print(f"\nwith {RIVALS} rivals: p50 {middle:.0f} us, p95 {late:.0f} us")
    if args.crossed:
        count, lines = crossed(pairs)
        print("\n".join([f"\n{count} foreign statements weighed, contested or merged:", *lines]))


if __name__ == "__main__":
    main()
