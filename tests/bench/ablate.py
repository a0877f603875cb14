"""What each arm of recall finds alone, and what each part of it is worth: recall without it.

``python tests/bench/ablate.py FILE [FILE...]`` reads the files of ``recall.py``, and prints a table
for each, ready for docs/benchmarks.md: recall@5 and @10 in percent, over the questions that count.
``--vector`` prints instead, for each group and category, what the vector arm finds alone, down to
the 50th place, beside a plain search; ``--abstain`` what is found, and how many of the next group's
questions are not answered, by how much is held back. Groups are stores of their own; ``--groups 1``
takes the first one. Nothing but what a line names differs from a plain client.
"""

import argparse
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

from agent_memory_os import MemoryClient, Settings
from agent_memory_os.model import Strategy
from agent_memory_os.providers import lexical
from agent_memory_os.pure import neighbourhood, widen
from agent_memory_os.recall import pipeline

sys.path.insert(0, str(Path(__file__).parent))
import recall


@dataclass(frozen=True, slots=True)
class Way:
    """A way to search: what it is without while it searches, its settings, and its arms.

    The arms are those of the strategy, unless they are named.
    """

    without: Callable[[], AbstractContextManager[object]] = nullcontext
    settings: Settings = field(default_factory=Settings)
    strategy: Strategy = "hybrid"
    arms: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Store:
    """A group that is in a file, and the memory of each of its documents."""

    group: recall.Group
    path: Path
    memory_of: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a search gave for a question: shares of its evidence, one for each depth."""

    group: str
    category: str
    shares: tuple[float, ...]


def _factor(name: str) -> Way:
    """Return the way without a factor of the word arm: it is 1 there."""
    return Way(partial(patch.multiple, lexical, **{name: 1.0}))


def _no_neighbours() -> AbstractContextManager[object]:
    return patch.object(lexical.Lexical, "_lend", lambda *_: None)


def _no_related_words() -> AbstractContextManager[object]:
    return patch.object(pipeline, "widened", lambda query: query)


def _no_compounds() -> AbstractContextManager[object]:
    return patch.object(widen, "joined", lambda _text: ())


def _lighter_neighbours() -> AbstractContextManager[object]:
    halved = {
        name: tuple(w / 2 for w in getattr(neighbourhood, name)) for name in ("BEFORE", "AFTER")
    }
    return patch.multiple(neighbourhood, **halved)


def _dates_missed() -> AbstractContextManager[object]:
    return patch.object(pipeline, "dated", lambda query, _now_ms: query)


WAYS: dict[str, Way] = {
    "everything": Way(),
    "words alone (without links)": Way(strategy="keyword"),
    "hashed vectors alone": Way(strategy="vector"),
    "links alone": Way(strategy="resonance"),
    "with hashed vectors as well": Way(arms=("lexical", "vector", "resonance")),
    "without words": Way(arms=("vector", "resonance")),
    "without neighbours in time": Way(_no_neighbours),
    "with neighbours at half": Way(_lighter_neighbours),
    "without who is named": _factor("WHO"),
    "without dates": _factor("WHEN"),
    "with the words of dates missed": Way(_dates_missed),
    "without telling a time when asked": _factor("TELLS_TIME"),
    "without holding questions back": _factor("ASKS"),
    "without related words": Way(_no_related_words),
    "without compounds": Way(_no_compounds),
    "without word repair": Way(settings=Settings(word_repair=False)),
    "without abstaining": Way(settings=Settings(abstain_below=0.0)),
}
VECTOR_WAYS = {"vectors": WAYS["hashed vectors alone"], "plain": WAYS["everything"]}
DEPTHS, VECTOR_DEPTHS = (5, 10), (10, 50)
LEAST = (0.0, 0.15, 0.2, 0.22, 0.25, 0.3, 0.35)  # of `Settings.abstain_below`


def load(groups: Sequence[recall.Group], folder: Path) -> list[Store]:
    """Put each of *groups* into a file of its own in *folder*."""
    stores = []
    for place, group in enumerate(groups):
        path = folder / f"{place}.db"
        with MemoryClient(path) as client:
            stores.append(Store(group, path, recall.load(client, group)))
    return stores


def answers(stores: Iterable[Store], way: Way, depths: Sequence[int]) -> list[Answer]:
    """Return what *way* finds for each question that counts, down to each of *depths*."""
    found = []
    for store in stores:
        with MemoryClient(store.path, settings=way.settings) as client, way.without():
            for question in store.group.questions:
                if question.counts:
                    hits = client.search(
                        question.text,
                        limit=max(depths),
                        strategy=way.strategy,
                        providers=way.arms,
                    )
                    gold = [store.memory_of[doc] for doc in question.gold]
                    shares = (
                        statistics.fmean(each in hits.ids[:depth] for each in gold)
                        for depth in depths
                    )
                    found.append(Answer(store.group.name, question.category, tuple(shares)))
    return found


def percent(found: Iterable[Answer]) -> list[str]:
    """Return the mean share at each depth in percent, as cells of a table."""
    columns = zip(*(answer.shares for answer in found), strict=True)
    return [f"{100 * statistics.fmean(column):.1f}" for column in columns]


def row(cells: Iterable[object]) -> str:
    """Return a line of a Markdown table."""
    return "| " + " | ".join(map(str, cells)) + " |"


def print_parts(name: str, stores: Sequence[Store]) -> None:
    """Print recall of every way as a table, a line as soon as it is measured."""
    print(row([name, *(f"recall@{depth}" for depth in DEPTHS)]))
    print(row(["---"] * (1 + len(DEPTHS))), flush=True)
    for title, way in WAYS.items():
        print(row([title, *percent(answers(stores, way, DEPTHS))]), flush=True)


def print_vectors(name: str, stores: Sequence[Store]) -> None:
    """Print for each group and category what vectors alone and a plain search find."""
    found = [answers(stores, way, VECTOR_DEPTHS) for way in VECTOR_WAYS.values()]
    columns = [f"{way} @{depth}" for way in VECTOR_WAYS for depth in VECTOR_DEPTHS]
    print(row([name, "questions", *columns]))
    print(row(["---"] * (2 + len(columns))))
    for title, is_in in _parts(found[0]).items():
        of_part = [[answer for answer in column if is_in(answer)] for column in found]
        cells = (cell for column in of_part for cell in percent(column))
        print(row([title, len(of_part[0]), *cells]), flush=True)


def print_abstaining(name: str, stores: Sequence[Store]) -> None:
    """Print for each of `LEAST` what is found, and how often strangers' questions are not answered.

    Of one group there are no strangers.
    """
    print(row([f"{name}, abstain_below", "recall@10", "foreign questions not answered, %"]))
    print(row(["---"] * 3))
    for least in LEAST:
        settings = Settings(abstain_below=least)
        (found,) = percent(answers(stores, Way(settings=settings), (10,)))
        print(row([least, found, _not_answered(stores, settings)]), flush=True)


def _not_answered(stores: Sequence[Store], settings: Settings) -> str:
    abstained: list[bool] = []
    for store, following in pairwise([*stores, *stores[:1]]):
        if following is not store:
            with MemoryClient(store.path, settings=settings) as client:
                abstained += recall.abstentions(client, following.group.questions)
    return f"{100 * statistics.fmean(abstained):.1f}" if abstained else "–"


def _parts(found: Iterable[Answer]) -> dict[str, Callable[[Answer], bool]]:
    """Return what belongs to each group, to each category, and to all of them."""
    groups = dict.fromkeys(answer.group for answer in found)
    categories = sorted({answer.category for answer in found})
    return {
        **{group: lambda answer, group=group: answer.group == group for group in groups},
        **{each: lambda answer, each=each: answer.category == each for each in categories},
        "all": lambda _: True,
    }


def main() -> None:
    """Print a table for each file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--vector", action="store_true", help="what the vector arm finds alone")
    parser.add_argument("--abstain", action="store_true", help="what holding back costs and saves")
    parser.add_argument("--groups", type=int, metavar="N", help="the first N groups of each file")
    options = parser.parse_args()
    show = print_vectors if options.vector else print_parts
    show = print_abstaining if options.abstain else show
    for file in options.files:
        groups = recall.read(file)[: options.groups]
        with tempfile.TemporaryDirectory() as folder:
            stores = load(groups, Path(folder))
            show(file.name, stores)
        print()


if __name__ == "__main__":
    main()
