"""How much of the evidence for a question is found, by a plain client and by nothing else.

``python tests/bench/recall.py FILE [FILE...]`` reads JSON lines, gzipped or not: documents
(``kind: doc`` with id, text, speaker, timestamp, session, type, group), links between them (``kind:
link`` with source, relation, target, weight, group), then questions (``kind: query`` with id, text,
gold, category, group). Each group is a store of its own; then all are one store.
"""

import argparse
import gzip
import json
import math
import re
import statistics
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from agent_memory_os import MemoryClient

DEPTHS = (1, 5, 10, 20)
PACKS = (400, 1200)  # tokens
COUNTED = re.compile("[1-4]|all")  # categories that count; 5 asks for what was never said
Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the ids of the documents that answer it, and its category."""

    text: str
    gold: tuple[str, ...]
    category: str

    @property
    def counts(self) -> bool:
        return COUNTED.match(self.category) is not None


class Bond(NamedTuple):
    """A link: the ids of two documents, its relation and its weight."""

    source: str
    relation: str
    target: str
    weight: float


@dataclass(frozen=True, slots=True)
class Group:
    """The documents of one store in order, as they stand in the file, its links and questions."""

    name: str
    docs: tuple[Mapping[str, object], ...]
    bonds: tuple[Bond, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for a question: ids best first, the packs' figures, and the time it took."""

    question: Question
    gold: tuple[str, ...]  # ids of memories, one for each gold document
    found: tuple[str, ...]
    abstained: bool
    took_ms: float
    packs: Mapping[int, tuple[float, int, int]]  # size -> gold share, tokens of gold, of all


def read(path: Path) -> list[Group]:
    """Return the groups of the file at *path*, in the order in which they begin."""
    opener = gzip.open if path.suffix == ".gz" else open
    docs: dict[str, list[Mapping[str, object]]] = {}
    bonds: dict[str, list[Bond]] = {}
    questions: dict[str, list[Question]] = {}
    with opener(path, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            if record["kind"] == "doc":
                docs.setdefault(record["group"], []).append(record)
            elif record["kind"] == "link":
                bond = Bond(*(record[field] for field in Bond._fields))
                bonds.setdefault(record["group"], []).append(bond)
            else:
                asked = Question(record["text"], tuple(record["gold"]), record["category"])
                questions.setdefault(record["group"], []).append(asked)
    return [
        Group(name, tuple(docs[name]), tuple(bonds.get(name, ())), tuple(questions.get(name, ())))
        for name in docs
    ]


def merged(groups: Sequence[Group]) -> Group:
    """Return one group with the documents, links and questions of all of the *groups*."""
    return Group(
        "pooled",
        tuple(doc for group in groups for doc in group.docs),
        tuple(bond for group in groups for bond in group.bonds),
        tuple(asked for group in groups for asked in group.questions),
    )


def as_item(doc: Mapping[str, object]) -> dict[str, object]:
    """Return what ``add_many`` takes for *doc*: turns are events, all else is an atom."""
    item: dict[str, object] = {"content": doc["text"]}
    speaker, told = doc.get("speaker"), doc.get("timestamp")
    is_turn = bool(speaker and told and doc.get("session")) and "evidence" not in doc
    item["layer"] = 0 if is_turn else 1
    if speaker:
        item["actor"] = f"user:{speaker}"
    for field in ("session", "type"):
        if doc.get(field):
            item[field] = doc[field]
    if told:
        at = datetime.fromisoformat(str(told))
        item["occurred_at"] = at if at.tzinfo else at.replace(tzinfo=UTC)
    return item


def load(client: MemoryClient, group: Group) -> dict[str, str]:
    """Store *group* without its questions; return each document's memory.

    Equal statements have the same one.
    """
    receipts = client.add_many(map(as_item, group.docs))
    ids = (str(doc["id"]) for doc in group.docs)
    memory_of = {doc: receipt.id for doc, receipt in zip(ids, receipts, strict=True)}
    for source, relation, target, weight in group.bonds:
        client.link(memory_of[source], memory_of[target], relation=relation, weight=weight)
    return memory_of


def ask(client: MemoryClient, question: Question, memory_of: Mapping[str, str]) -> Answer:
    """Return what *client* answers to *question*: a search, timed, and a pack of each size."""
    start = time.perf_counter()
    hits = client.search(question.text, limit=max(DEPTHS))
    took_ms = 1e3 * (time.perf_counter() - start)
    gold = tuple(memory_of[doc] for doc in question.gold)
    packs = {}
    for size in PACKS:
        pack = client.context_pack(question.text, max_tokens=size)
        tokens = {item.id: item.tokens for item in pack.items}
        share = statistics.fmean(memory in tokens for memory in gold)
        packs[size] = share, sum(tokens.get(memory, 0) for memory in {*gold}), pack.tokens
    found = tuple(hit.id for hit in hits)
    return Answer(question, gold, found, hits.report.abstained, took_ms, packs)


def ranking_figures(answers: Sequence[Answer]) -> Figures:
    """Return recall at each depth, MRR@10 and nDCG@10, in percent, averaged over *answers*."""
    out = {"n": float(len(answers))}
    for depth in DEPTHS:
        shares = (statistics.fmean(g in a.found[:depth] for g in a.gold) for a in answers)
        out[f"recall@{depth}"] = 100 * statistics.fmean(shares)
    out["mrr@10"] = 100 * statistics.fmean(map(reciprocal_rank, answers))
    out["ndcg@10"] = 100 * statistics.fmean(map(discounted_gain, answers))
    return out


def reciprocal_rank(answer: Answer) -> float:
    """Return one over the place of the first gold memory among ten, or 0."""
    places = (place for place, memory in enumerate(answer.found[:10], 1) if memory in answer.gold)
    return 1 / next(places, math.inf)


def discounted_gain(answer: Answer) -> float:
    """Return nDCG@10 with a gain of one for each gold memory."""
    gold = set(answer.gold)
    won = sum(1 / math.log2(p + 1) for p, m in enumerate(answer.found[:10], 1) if m in gold)
    return won / sum(1 / math.log2(place + 1) for place in range(1, min(10, len(gold)) + 1))


def pack_figures(answers: Sequence[Answer]) -> Figures:
    """Return the share of gold in the packs, and of the packs' tokens that are gold, in percent."""
    out = {}
    for size in PACKS:
        shares, gold_tokens, tokens = zip(*(answer.packs[size] for answer in answers), strict=True)
        out[f"pack {size} gold"] = 100 * statistics.fmean(shares)
        out[f"pack {size} precision"] = 100 * sum(gold_tokens) / max(1, sum(tokens))
    return out


def time_figures(answers: Sequence[Answer]) -> Figures:
    """Return how long a search took, in milliseconds."""
    took = sorted(answer.took_ms for answer in answers)
    return {"p50_ms": statistics.median(took), "p95_ms": took[int(0.95 * len(took))]}


def measure(groups: Sequence[Group], folder: Path) -> dict[str, Figures]:
    """Return the figures of *groups*, each in a store of its own, per category and over all."""
    answers: list[Answer] = []
    foreign: list[bool] = []
    for place, group in enumerate(groups):
        with MemoryClient(folder / f"{place}.db") as client:
            memory_of = load(client, group)
            answers += (ask(client, question, memory_of) for question in group.questions)
            following = groups[(place + 1) % len(groups)]
            if following is not group:
                foreign += abstentions(client, following.questions)
    return figures(answers) | ({"foreign": _share_abstained(foreign)} if foreign else {})


def figures(answers: Sequence[Answer]) -> dict[str, Figures]:
    """Return the figures of each category, of those that count, and of packs and time."""
    counted = [answer for answer in answers if answer.question.counts]
    by_category: dict[str, list[Answer]] = {}
    for answer in answers:
        by_category.setdefault(answer.question.category, []).append(answer)
    out = {name: ranking_figures(by_category[name]) for name in sorted(by_category)}
    out["counted"] = ranking_figures(counted)
    out["packs"], out["search"] = pack_figures(counted), time_figures(answers)
    out["own"] = _share_abstained([answer.abstained for answer in counted])
    return out


def abstentions(client: MemoryClient, questions: Iterable[Question]) -> list[bool]:
    """Return for each of another group's *questions* whether the search gave nothing."""
    return [client.search(question.text, limit=20).report.abstained for question in questions]


def _share_abstained(abstained: Sequence[bool]) -> Figures:
    return {"n": float(len(abstained)), "abstained": 100 * statistics.fmean(abstained)}


def table(title: str, result: Mapping[str, Figures]) -> str:
    """Return *result* as lines to read."""
    columns = list(result["counted"])
    lines = [title, " " * 16 + "".join(f"{column:>11}" for column in columns)]
    for name, row in result.items():
        if row.keys() == result["counted"].keys():
            cells = "".join(f"{row[column]:11.1f}" for column in columns[1:])
            lines.append(f"{name:16}{row['n']:11.0f}{cells}")
    apart = {name: result[name] for name in ("packs", "search")}
    for name, row in apart.items():
        lines.append(f"{name}: " + ", ".join(f"{key} {value:.1f}" for key, value in row.items()))
    for name in ("own", "foreign"):
        if name in result:
            share, n = result[name]["abstained"], result[name]["n"]
            lines.append(f"abstained on {name} questions: {share:.1f}% of {n:.0f}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure each file per group and pooled; print tables and, with --json, a line of JSON."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--pooled", action="store_true", help="only all groups in one store")
    parser.add_argument("--json", action="store_true", help="a line of JSON at the end")
    options = parser.parse_args()
    out: dict[str, dict[str, dict[str, Figures]]] = {}
    for path in options.files:
        groups = read(path)
        ways = {} if options.pooled else {"per group": groups}
        if options.pooled or len(groups) > 1:
            ways["pooled"] = [merged(groups)]
        out[path.name] = {}
        for way, stores in ways.items():
            with tempfile.TemporaryDirectory() as folder:
                out[path.name][way] = measure(stores, Path(folder))
            size = sum(len(store.docs) for store in stores)
            title = f"{path.name}, {way}: {size} memories, stores: {len(stores)}"
            print(table(title, out[path.name][way]), flush=True)
    if options.json:
        print(json.dumps(out))


if __name__ == "__main__":
    main()
