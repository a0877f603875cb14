"""Load a file of conversations, ask its questions, and show how much of the evidence is found.

``python examples/recall_conversation.py FILE``: JSON lines, gzipped or not. First the documents
(``{"kind": "doc", "id", "text", "speaker", "timestamp", "session", "group"}``), then the questions
(``{"kind": "query", "id", "text", "gold", "category", "group"}``); ``gold`` are the ids of the
documents that answer a question. Each group has a memory of its own.
"""

import gzip
import json
import statistics
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agent_memory_os import MemoryClient

SHOWN = 3  # questions of each group that are printed
DEPTHS = (1, 5, 10, 20)
Record = dict[str, Any]


def read(path: Path) -> dict[str, tuple[list[Record], list[Record]]]:
    """Return the documents and the questions of each group."""
    opener = gzip.open if path.suffix == ".gz" else open
    groups: dict[str, tuple[list[Record], list[Record]]] = {}
    with opener(path, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            docs, questions = groups.setdefault(record["group"], ([], []))
            (docs if record["kind"] == "doc" else questions).append(record)
    return groups


def remember(client: MemoryClient, docs: list[Record]) -> dict[str, str]:
    """Store *docs* in order, what somebody said as events; return the memory of each document."""
    items = []
    for doc in docs:
        item: Record = {"content": doc["text"], "session": doc.get("session") or None, "layer": 1}
        if doc.get("speaker"):
            item["actor"] = f"user:{doc['speaker']}"
        if doc.get("timestamp"):
            told = datetime.fromisoformat(doc["timestamp"])
            item["occurred_at"] = told if told.tzinfo else told.replace(tzinfo=UTC)
        if doc.get("speaker") and "evidence" not in doc:
            item["layer"] = 0
        items.append(item)
    receipts = client.add_many(items)
    return {doc["id"]: receipt.id for doc, receipt in zip(docs, receipts, strict=True)}


def show(client: MemoryClient, question: Record, memory_of: dict[str, str]) -> None:
    """Print the best hits for *question*; a star marks its evidence."""
    doc_of = {memory: doc for doc, memory in memory_of.items()}
    print(f"\n? {question['text']}  (evidence: {', '.join(question['gold'])})")
    for hit in client.search(question["text"], limit=5):
        star = "*" if doc_of[hit.id] in question["gold"] else " "
        who = (hit.memory.actor or "").removeprefix("user:")
        print(f"  {star} {hit.score:.2f} [{doc_of[hit.id]}] {who}: {hit.content[:90]}")


def recall(client: MemoryClient, question: Record, memory_of: dict[str, str]) -> list[float]:
    """Return the share of the evidence among the first hits, at each depth."""
    found = [hit.id for hit in client.search(question["text"], limit=max(DEPTHS))]
    gold = [memory_of[doc] for doc in question["gold"]]
    return [statistics.fmean(memory in found[:depth] for memory in gold) for depth in DEPTHS]


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit("usage: python examples/recall_conversation.py FILE")
    shares: list[list[float]] = []
    for name, (docs, questions) in read(Path(sys.argv[1])).items():
        with MemoryClient(":memory:") as client:
            memory_of = remember(client, docs)
            print(f"\n=== {name}: {len(docs)} memories, {len(questions)} questions")
            for question in questions[:SHOWN]:
                show(client, question, memory_of)
            if questions:
                pack = client.context_pack(questions[0]["text"], max_tokens=400)
                print(f"\nA pack for the first question, {pack.tokens} of 400 tokens:\n\n{pack}")
            answerable = [q for q in questions if not q["category"].startswith("5")]
            shares += (recall(client, question, memory_of) for question in answerable)
    print(f"\nShare of the evidence that is found, in percent, over {len(shares)} questions:")
    for depth, column in zip(DEPTHS, zip(*shares, strict=True), strict=True):
        print(f"  recall@{depth:<3}{100 * statistics.fmean(column):6.1f}")


if __name__ == "__main__":
    main()
