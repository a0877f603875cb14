"""What vectors of a model add to words: the same questions, asked without them and with them.

``python tests/bench/embedding.py --embed MODULE:NAME [--query MODULE:NAME] FILE [FILE...]`` takes
any embedding function that can be imported, and the files of ``recall.py``. The library never
needs a model; a package that ships one is installed for the measurement alone.
"""

import argparse
import functools
import json
import pickle
import statistics
import tempfile
import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import recall
from agent_memory_os import MemoryClient, Settings

DEPTH = max(recall.DEPTHS)
Embed = Callable[[Sequence[str]], Sequence[Any]]


class Remembered:
    """An embedding function that is asked once for each text; what it said stays in a file."""

    def __init__(self, embed: Embed, path: Path | None, name: str) -> None:
        self.fingerprint = name
        self._embed = embed
        self._path = path
        self._known: dict[str, bytes] = {}
        if path is not None and path.exists():
            self._known = pickle.loads(path.read_bytes())

    def __call__(self, texts: Sequence[str]) -> list["array[float]"]:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            rows = (array("f", map(float, row)).tobytes() for row in self._embed(new))
            self._known.update(zip(new, rows, strict=True))
        return [array("f", self._known[text]) for text in texts]

    def save(self) -> None:
        """Write what is known to the file, if there is one."""
        if self._path is not None:
            self._path.write_bytes(pickle.dumps(self._known))


def named(name: str) -> Any:
    """Return what ``module:name`` names."""
    module, _, path = name.partition(":")
    return functools.reduce(getattr, path.split("."), import_module(module))


def ask(
    client: MemoryClient, question: recall.Question, memory_of: Mapping[str, str], strategy: Any
) -> recall.Answer:
    """Return what *client* answers to *question*, timed."""
    start = time.perf_counter()
    hits = client.search(question.text, limit=DEPTH, strategy=strategy)
    took_ms = 1e3 * (time.perf_counter() - start)
    gold = tuple(memory_of[doc] for doc in question.gold)
    return recall.Answer(question, gold, hits.ids, hits.report.abstained, took_ms, {})


def measure(
    groups: Sequence[recall.Group], folder: Path, strategy: str, options: Mapping[str, Any]
) -> dict[str, float]:
    """Return the figures of *groups*, each in a store of its own, over what counts."""
    answers: list[recall.Answer] = []
    foreign: list[bool] = []
    for place, group in enumerate(groups):
        with MemoryClient(folder / f"{place}-{time.monotonic_ns()}.db", **options) as client:
            memory_of = recall.load(client, group)
            client.search("warm up")
            counted = [question for question in group.questions if question.counts]
            answers += (ask(client, question, memory_of, strategy) for question in counted)
            following = groups[(place + 1) % len(groups)]
            if following is not group and strategy == "hybrid":
                foreign += recall.abstentions(client, following.questions)
    own = statistics.fmean(answer.abstained for answer in answers)
    return {
        **recall.ranking_figures(answers),
        **recall.time_figures(answers),
        "own": 100 * own,
        "foreign": 100 * statistics.fmean(foreign) if foreign else 0.0,
    }


def line(name: str, figures: Mapping[str, float]) -> str:
    """Return *figures* as a line to read."""
    return f"{name:24}" + "".join(f" {key} {value:.1f} " for key, value in figures.items())


def main() -> None:
    """Measure each file without vectors, with them, and by vectors alone."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--embed", required=True, metavar="MODULE:NAME")
    parser.add_argument("--query", metavar="MODULE:NAME", help="the function for queries")
    parser.add_argument("--semantic", choices=["auto"], help="use turbovec")
    parser.add_argument("--weights", type=float, nargs="*", help="of vectors beside words")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep vectors there")
    parser.add_argument("--json", action="store_true", help="a line of JSON at the end")
    options = parser.parse_args()
    out: dict[str, dict[str, dict[str, float]]] = {}
    for path in options.files:
        out[path.name] = {}
        for name, figures in figures_of(path, options):
            out[path.name][name] = figures
            print(line(name, figures), flush=True)
    if options.json:
        print(json.dumps(out))


def figures_of(path: Path, options: argparse.Namespace) -> Any:
    """Yield a name and figures for each way to ask the questions of the file at *path*."""
    groups = recall.read(path)
    files = {"docs": None, "queries": None}
    if options.cache is not None:
        files = {kind: options.cache / f"{path.name}.{kind}.pickle" for kind in files}
    embed = Remembered(named(options.embed), files["docs"], options.embed)
    asked = named(options.query) if options.query else named(options.embed)
    query = Remembered(asked, files["queries"], options.query or options.embed)
    ask_one = functools.partial(_first, query)
    vectors = {"embed": embed, "embed_query": ask_one, "semantic": options.semantic}
    for group in groups:  # the model's own time is no part of what is measured
        embed([str(doc["text"]) for doc in group.docs])
        query([question.text for question in group.questions])
    embed.save()
    query.save()
    weights = options.weights or [Settings().vector_weight]
    ways = [("words", "hybrid", {})] if not options.weights else []
    ways += [
        (
            f"with vectors, {weight}",
            "hybrid",
            vectors | {"settings": Settings(vector_weight=weight)},
        )
        for weight in weights
    ]
    ways += [("vectors alone", "vector", vectors)] if not options.weights else []
    for name, strategy, how in ways:
        with tempfile.TemporaryDirectory() as folder:
            yield (
                f"{path.name.partition('.')[0]}, {name}",
                measure(groups, Path(folder), strategy, how),
            )


def _first(embed: Embed, query: str) -> Any:
    return embed([query])[0]


if __name__ == "__main__":
    main()
