"""Capture conversations, distil and organise them, ask, and drill down to the words as they fell.

``python examples/long_conversation.py [FILE]``: JSON lines, gzipped or not, as
`recall_conversation.py` reads them: turns first, then questions, whose ``gold`` are the ids of the
turns that answer them. Without a file it takes a few turns of its own. No model is needed.
"""

import gzip
import json
import statistics
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agent_memory_os import MemoryClient

DEPTH = 10
Record = dict[str, Any]
SAID = (
    ("t1", "Ana", "2024-03-02T10:00", "I adopted a grey cat last week. She is called Miso!"),
    ("t2", "Bo", "2024-03-02T10:01", "Oh, how lovely!"),
    ("t3", "Bo", "2024-03-02T10:02", "We decided to move the build server to Lisbon in May."),
    ("t4", "Ana", "2024-03-02T10:03", "Good. I prefer to deploy on Tuesdays, never on Fridays."),
)
ASKED = (("Which pet did Ana adopt?", "t1"), ("When does Ana deploy?", "t4"))


def built_in() -> dict[str, tuple[list[Record], list[Record]]]:
    """Return a short conversation, and questions on it."""
    names = ("id", "speaker", "timestamp", "text")
    turns = [dict(zip(names, said, strict=True), session="spring") for said in SAID]
    asked = [{"text": text, "gold": [gold], "category": "1"} for text, gold in ASKED]
    return {"built in": (turns, asked)}


def read(path: Path) -> dict[str, tuple[list[Record], list[Record]]]:
    """Return the turns and the questions of each conversation."""
    opener = gzip.open if path.suffix == ".gz" else open
    talks: dict[str, tuple[list[Record], list[Record]]] = {}
    with opener(path, "rt", encoding="utf-8") as lines:
        for record in map(json.loads, lines):
            turns, questions = talks.setdefault(record["group"], ([], []))
            if record["kind"] == "doc":
                turns.append(record)
            elif not record["category"].startswith("5"):  # these ask for what nobody said
                questions.append(record)
    return talks


def capture(memory: MemoryClient, turns: list[Record]) -> dict[str, str]:
    """Capture each turn as it comes; return which turn of the file each event is."""
    turn_of = {}
    for turn in turns:
        told = datetime.fromisoformat(turn["timestamp"])
        message = {
            "role": "user",
            "name": turn["speaker"],
            "content": turn["text"],
            "occurred_at": told if told.tzinfo else told.replace(tzinfo=UTC),
        }
        captured = memory.capture([message], session=turn["session"])
        turn_of |= dict.fromkeys(captured.ids, turn["id"])
    return turn_of


def recall(memory: MemoryClient, questions: list[Record], turn_of: dict[str, str]) -> list[float]:
    """Return of each question which share of its turns the first ten hits come from."""
    shares = []
    for question in questions:
        found: set[str] = set()
        for hit in memory.search(question["text"], limit=DEPTH):
            below = [each.memory.id for each in memory.layers.evidence(hit.id)]
            found |= {turn_of[each] for each in (hit.id, *hit.evidence, *below) if each in turn_of}
        shares.append(statistics.fmean(turn in found for turn in question["gold"]))
    return shares


def drill(memory: MemoryClient, questions: list[Record]) -> None:
    """Print the first question whose best hit was distilled, and the words that it rests on."""
    for question in questions:
        hits = memory.search(question["text"], limit=1)
        if hits and hits[0].memory.layer == 1:
            print(f"\n? {question['text']}\n  {hits[0].memory.type}: {hits[0].content}")
            for source in memory.layers.evidence(hits[0].id):
                said = source.memory
                print(f"    {said.occurred_at:%Y-%m-%d} {said.actor}: {said.content}")
            return


def portray(memory: MemoryClient) -> None:
    """Print a scene, and follow one line of the persona down to the words that it rests on."""
    scenes, persona = memory.layers.scenes(limit=1_000), memory.layers.persona()
    if persona is None:
        return
    told = max(scenes, key=lambda scene: len(scene.sources))
    print(f"  {len(scenes)} scenes, the largest of them:\n")
    print("\n".join(f"    {line}" for line in told.markdown.splitlines()[:5]))
    print(f"\n  {persona.title}, from the top to the words:")
    for source in memory.layers.evidence(persona.id):
        said = source.memory
        first = said.content.splitlines()[0]
        print(f"  {'  ' * source.depth}layer {said.layer}, {said.occurred_at:%Y-%m-%d}: {first}")
        if said.layer == 0:  # one drill, down to what somebody said
            return


def main() -> None:
    talks = read(Path(sys.argv[1])) if len(sys.argv) > 1 else built_in()
    raw: list[float] = []
    layered: list[float] = []
    organised: list[float] = []
    for name, (turns, questions) in talks.items():
        with MemoryClient(":memory:") as memory:
            turn_of = capture(memory, turns)
            raw += recall(memory, questions, turn_of)
            for session in {turn["session"]: None for turn in turns}:
                memory.layers.end_session(session)
            report = memory.layers.distil()
            layered += recall(memory, questions, turn_of)
            print(f"\n=== {name}: {len(turns)} turns became {len(report.ids)} atoms ({report.by})")
            drill(memory, questions)
            memory.layers.organise()
            organised += recall(memory, questions, turn_of)
            portray(memory)
    print(f"\nShare of the evidence that is found, in percent, over {len(raw)} questions:")
    print(f"  recall@{DEPTH} of raw turns  {100 * statistics.fmean(raw):6.1f}")
    print(f"  recall@{DEPTH} with atoms    {100 * statistics.fmean(layered):6.1f}")
    print(f"  recall@{DEPTH} with scenes   {100 * statistics.fmean(organised):6.1f}")


if __name__ == "__main__":
    main()
