"""What each part of recall is worth: recall@5 and @10 with one of them taken out at a time.

``python tests/bench/ablate.py FILE [FILE...]`` reads the files of ``recall.py``, and prints a line
for each part. Groups are stores of their own; nothing else differs from a plain client.
"""

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

from agent_memory_os import MemoryClient, Settings
from agent_memory_os.providers import lexical
from agent_memory_os.pure import neighbourhood
from agent_memory_os.recall import pipeline

sys.path.insert(0, str(Path(__file__).parent))
import recall


def _none(*names: str) -> Callable[[], Iterator[None]]:
    """Return a context that sets factors of the word arm to 1."""

    @contextmanager
    def without() -> Iterator[None]:
        with patch.multiple(lexical, **dict.fromkeys(names, 1.0)):
            yield

    return without


@contextmanager
def _whole() -> Iterator[None]:
    yield


@contextmanager
def _no_neighbours() -> Iterator[None]:
    with patch.object(lexical.Lexical, "_lend", lambda *_: None):
        yield


@contextmanager
def _no_related_words() -> Iterator[None]:
    with patch.object(pipeline, "widened", lambda query: query):
        yield


@contextmanager
def _no_repair() -> Iterator[None]:
    with patch.object(pipeline, "repair", lambda _snapshot, query, *_: query):
        yield


@contextmanager
def _lighter_neighbours() -> Iterator[None]:
    halved = {
        name: tuple(w / 2 for w in getattr(neighbourhood, name)) for name in ("BEFORE", "AFTER")
    }
    with patch.multiple(neighbourhood, **halved):
        yield


PARTS: dict[str, Callable[[], object]] = {
    "everything": _whole,
    "without neighbours in time": _no_neighbours,
    "with neighbours at half": _lighter_neighbours,
    "without who is named": _none("WHO"),
    "without dates": _none("WHEN"),
    "without telling a time when asked": _none("TELLS_TIME"),
    "without holding questions back": _none("ASKS"),
    "without related words": _no_related_words,
    "without word repair": _no_repair,
}
ARMS = ("keyword", "vector")


def figures(groups: list[recall.Group], folder: Path, settings: Settings, **search: str) -> str:
    """Return recall@5 and @10 in percent over the questions that count."""
    found: list[tuple[float, float]] = []
    for place, group in enumerate(groups):
        path = folder / f"{place}.db"
        is_new = not path.exists()
        with MemoryClient(path, settings=settings) as client:
            if is_new:
                MEMORIES[place] = recall.load(client, group)
            for question in group.questions:
                if question.category[0] == "5":
                    continue
                hits = client.search(question.text, limit=10, **search)  # type: ignore[arg-type]
                gold = {MEMORIES[place][each] for each in question.gold}
                found.append(tuple(len(gold & {*hits.ids[:k]}) / len(gold) for k in (5, 10)))  # type: ignore[arg-type]
    five, ten = (100 * sum(column) / len(found) for column in zip(*found, strict=True))
    return f"{five:7.1f} {ten:7.1f}"


MEMORIES: dict[int, dict[str, str]] = {}


def main() -> None:
    """Print a table for each file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    for file in parser.parse_args().files:
        groups = recall.read(file)
        print(f"{file.name:40}     @5     @10", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            for name, part in PARTS.items():
                with part():  # type: ignore[attr-defined]
                    print(f"{name:40}{figures(groups, Path(folder), Settings())}", flush=True)
            answering = Settings(abstain_below=0.0)
            print(
                f"{'without abstaining':40}{figures(groups, Path(folder), answering)}", flush=True
            )
            for arm in ARMS:
                line = figures(groups, Path(folder), Settings(), strategy=arm)
                print(f"{f'the {arm} arm alone':40}{line}", flush=True)


if __name__ == "__main__":
    main()
