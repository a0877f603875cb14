"""How fast a plain client is, each figure beside raw SQLite measured in the same run.

``python tests/bench/speed.py --n 10000 100000`` prints a table and the bars of each size, how the
ratios grow from the smallest size to the largest, and a line of JSON. The floor (corpus, queries
and raw SQLite) is ``../shared/bench/floor.py``, or the file that ``--floor`` names.
"""

import argparse
import importlib
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from agent_memory_os import Hits, MemoryClient, Settings

sys.path.insert(0, str(Path(__file__).parent))
import speed_links

FLOOR = Path(__file__).parents[3] / "shared" / "bench" / "floor.py"
READERS = {"0.1%": "reader1", "10%": "reader100", "100%": "reader1000"}  # agents, by what they see
ALL = READERS["100%"]
CHUNK = 10_000  # rows of one add_many
WRITES, UPDATES, READS, QUERIES = 1_000, 400, 400, 43  # calls of each, less the warm-up
QUESTIONS = 83  # the same of queries with several words, whose p95 has a bar
EXACT_S = 60  # how long every match may be scored for one figure
SESSION, SUBJECTS = 20, 10_000
FEW_MATCHES = ("rare", "no_match")
SEVERAL_WORDS = ("three_words", "question")  # kinds of queries with 3 to 8 words
WITH_COMMON = "question"  # the kind that has common words among them
IMPORTS = {  # name -> what a fresh interpreter does
    "bare": "pass",
    "floor": "import sqlite3, json, re, dataclasses, typing",
    "ours": "from agent_memory_os import MemoryClient",
}
Call = Callable[[Any], object]
Line = dict[str, float]
Lines = dict[str, Line]
Bar = tuple[str, float, str, float]  # what, its value, <= or >=, the bound


@dataclass(slots=True)
class World:
    """The same rows in both stores, and what the measurements need to know of them."""

    tool: Any  # the module of the floor
    rows: Sequence[Any]
    fresh: Sequence[Any]  # rows that are in neither store yet
    floor: Any
    client: MemoryClient
    path: Path
    ids: list[str]
    loaded: Lines


def read_floor(path: Path) -> Any:
    """Return the module at *path*."""
    sys.path.insert(0, str(path.parent))
    return importlib.import_module(path.stem)


def as_items(rows: Iterable[Any], now: datetime) -> Iterator[dict[str, Any]]:
    """Yield what ``add_many`` takes for each row.

    Of each scope, every other 20 rows are the events of one session about one of 10,000 subjects.
    """
    seen: Counter[str] = Counter()
    sessions: dict[str, int] = {}
    for row in rows:
        item = {"content": row.content, "owner": row.owner, "visibility": [f"team:{row.scope}"]}
        item["occurred_at"] = datetime.fromtimestamp(row.created_ms / 1000, UTC)
        if row.expires_ms:
            item["ttl"] = datetime.fromtimestamp(row.expires_ms / 1000, UTC) - now
        run, seen[row.scope] = seen[row.scope] // SESSION, seen[row.scope] + 1
        if run % 2 == 0:
            number = sessions.setdefault(f"{row.scope}/{run}", len(sessions))
            item |= {"layer": 0, "session": f"s{number}", "subject": f"user:u{number % SUBJECTS}"}
        yield item


def register(client: MemoryClient, tool: Any, rows: Iterable[Any]) -> None:
    """Make a team of each scope, the owners its members, and an agent for each principal."""
    for scope in tool.SCOPES:
        client.org.create_team(scope)
    shared = [scope for scope in tool.SCOPES if scope != "solo"]
    for owner in sorted({row.owner for row in rows}):
        client.org.register_agent(owner, teams=["solo"] if owner == "solo" else shared)
    for principal, scopes in tool.PRINCIPALS.items():
        client.org.register_agent(READERS[principal], teams=list(scopes))


def build(tool: Any, n: int, folder: Path) -> World:
    """Load *n* rows into both stores, chunk by chunk in turns, and open both anew."""
    every = list(tool.corpus(n + 2 * WRITES + UPDATES))
    rows, path, ids = every[:n], folder / "memory.db", []
    floor, client = tool.Floor(str(folder / "floor.db")), MemoryClient(path)
    register(client, tool, every)
    items = as_items(rows, datetime.now(UTC))
    line = in_turns(
        lambda chunk: ids.extend(receipt.id for receipt in client.add_many(chunk[1])),
        lambda chunk: floor.add_many(chunk[0]),
        ((rows[at : at + CHUNK], [*islice(items, CHUNK)]) for at in range(0, n, CHUNK)),
    )
    line["rows/s"] = min(n, CHUNK) / line["mean_ms"] * 1e3
    client.close()
    size = path.stat().st_size
    loaded = {"add_many": line, "file": {"bytes/row": size / n, "ratio": size / floor.file_bytes()}}
    floor.db.close()
    floor.connect()
    return World(tool, rows, every[n:], floor, MemoryClient(path), path, ids, loaded)


def in_turns(ours: Call, theirs: Call, calls: Iterable[Any], warmup: int = 0) -> Line:
    """Call both with each of *calls*, each first every other time; return times and ratios."""
    took: tuple[list[float], list[float]] = ([], [])
    for turn, call in enumerate(calls):
        for side in ((0, 1), (1, 0))[turn % 2]:
            start = time.perf_counter()
            (ours, theirs)[side](call)
            took[side].append(1e3 * (time.perf_counter() - start))
    mine, floors = took[0][warmup:], took[1][warmup:]
    p50, floor_p50 = statistics.median(mine), statistics.median(floors)
    return {
        "p50_ms": p50,
        "p95_ms": sorted(mine)[int(0.95 * len(mine))],
        "mean_ms": statistics.fmean(mine),
        "floor_p50_ms": floor_p50,
        "ratio": p50 / floor_p50,
        "mean_ratio": statistics.fmean(mine) / statistics.fmean(floors),
    }


def measure_search(world: World) -> Lines:
    """Time every kind of query for every principal, and look at the ten best.

    "recall" is their share of the ten best of a client that scores every match, however many;
    "as bm25" that of plain BM25, which knows neither neighbours nor stop words nor related words.
    """
    tool, out = world.tool, {}
    uid_of = {row.content: row.uid for row in world.rows}
    stats = tool.stats_of(world.rows)
    with MemoryClient(world.path, settings=Settings(candidate_budget=10**9)) as thorough:
        for principal, scopes in tool.PRINCIPALS.items():
            visible = [row for row in world.rows if row.scope in scopes]
            seen, reader = tool.stats_of(visible), READERS[principal]

            def search(query: Any, reader: str = reader) -> Hits:
                return world.client.search(query.text, requester_agent_id=reader, limit=10)

            def floor_search(query: Any, scopes: Sequence[str] = scopes) -> object:
                return world.floor.search(query.terms, scopes)

            for kind in tool.KINDS:
                count = QUESTIONS if kind in SEVERAL_WORDS else QUERIES
                asked = tool.queries(visible, kind, count, 1, stats)
                if len(asked) < 10:
                    continue  # this principal sees too few rows to ask much
                line = in_turns(search, floor_search, asked, warmup=3)
                line |= _recall(
                    (search(q), thorough.search(q.text, requester_agent_id=reader)) for q in asked
                )
                few = asked[: 5 if len(visible) > 50_000 else 20]
                line["as bm25"] = statistics.fmean(
                    tool.recall(_uids(search(q), uid_of), tool.exact_top_k(q, visible, 10, seen))
                    for q in few
                )
                out[f"{kind}, sees {principal}"] = line
        return out | _measure_unrepaired(world) | _measure_bound_search(world, uid_of, thorough)


def _measure_unrepaired(world: World) -> Lines:
    """Time what finds little, for who sees all, by a client that repairs no words."""
    tool, out = world.tool, {}
    with MemoryClient(world.path, settings=Settings(word_repair=False)) as plain:
        for kind in FEW_MATCHES:
            out[f"{kind}, word repair off"] = in_turns(
                lambda q: plain.search(q.text, requester_agent_id=ALL),
                lambda q: world.floor.search(q.terms, tool.SCOPES),
                tool.queries(world.rows, kind, QUERIES, 1),
                warmup=3,
            )
    return out


def _measure_bound_search(world: World, uid_of: dict[str, str], thorough: MemoryClient) -> Lines:
    """Time questions through views that are bound to one subject each."""
    tool, by_subject, calls = world.tool, {}, []
    for row, item in zip(world.rows, as_items(world.rows, datetime.now(UTC)), strict=True):
        by_subject.setdefault(item.get("subject"), []).append(row)
    by_subject.pop(None)
    for subject, rows in islice(by_subject.items(), QUERIES):
        views = [client.as_agent(ALL, subject=subject) for client in (world.client, thorough)]
        calls += [(*views, rows, query) for query in tool.queries(rows, "question", 1, 1)]
    line = in_turns(
        lambda call: call[0].search(call[3].text),
        lambda call: world.floor.search(call[3].terms, tool.SCOPES),
        calls,
        warmup=3,
    )
    line |= _recall(
        (view.search(query.text), exact.search(query.text)) for view, exact, _, query in calls
    )
    line["as bm25"] = statistics.fmean(
        tool.recall(_uids(view.search(query.text), uid_of), tool.exact_top_k(query, rows))
        for view, _, rows, query in calls
    )
    return {"question, one subject": line}


def _recall(answers: Iterable[tuple[Hits, Hits]]) -> Line:
    """Return the mean share of exact hits in what was found, of as many answers as time allows."""
    shares: list[float] = []
    start = time.perf_counter()
    for found, exact in answers:
        shares.append(_shared(found, exact))
        if time.perf_counter() - start > EXACT_S:
            break
    return {"recall": statistics.fmean(shares), "asked": len(shares)}


def _shared(found: Hits, exact: Hits) -> float:
    """Return how much of *exact* is in *found*, 0 to 1."""
    return len(set(found.ids) & set(exact.ids)) / len(exact) if exact else 1.0


def _uids(hits: Iterable[Any], uid_of: dict[str, str]) -> list[str]:
    return [uid_of[hit.content] for hit in hits]


def measure_pack(world: World) -> Lines:
    """Time packs beside the searches of the same queries; here the floor is our own search."""
    search, pack, out = world.client.search, world.client.context_pack, {}
    for kind in SEVERAL_WORDS:
        out[f"context_pack / search, {kind}"] = in_turns(
            lambda q: pack(q.text, requester_agent_id=ALL, max_tokens=1200),
            lambda q: search(q.text, requester_agent_id=ALL),
            world.tool.queries(world.rows, kind, QUERIES, 2),
            warmup=3,
        )
    return out


def measure_get(world: World) -> Lines:
    """Time reads by id."""
    rows, floor, get = world.rows, world.floor, world.client.get
    line = in_turns(
        lambda at: get(world.ids[at], requester_agent_id=ALL),
        lambda at: floor.get(rows[at].uid),
        spread(world, READS, 0),
        warmup=20,
    )
    return {"get": line}


def measure_browse(world: World) -> Lines:
    """Time the newest 50."""
    newest = "SELECT * FROM m ORDER BY id DESC LIMIT 50"
    line = in_turns(
        lambda _: world.client.browse(requester_agent_id=ALL, limit=50),
        lambda _: world.floor.db.execute(newest).fetchall(),
        range(100),
        warmup=10,
    )
    return {"browse": line}


def measure_add(world: World) -> Lines:
    """Time single writes, private ones and shared ones."""
    private, shared = world.fresh[:WRITES], world.fresh[WRITES : 2 * WRITES]

    def add(row: Any) -> None:
        world.client.add(row.content, owner=row.owner)

    def add_shared(row: Any) -> None:
        more = {"visibility": [f"team:{row.scope}"], "tags": ["deploy", "weekly"]}
        world.client.add(row.content, owner=row.owner, **more)

    return {
        "add, private": in_turns(add, world.floor.add, private, warmup=50),
        "add, a team and two tags": in_turns(add_shared, world.floor.add, shared, warmup=50),
    }


def measure_update(world: World) -> Lines:
    """Time new contents by the owners."""
    rows, floor, update = world.rows, world.floor, world.client.update
    contents = [row.content for row in world.fresh[-UPDATES:]]
    line = in_turns(
        lambda c: update(world.ids[c[0]], requester_agent_id=rows[c[0]].owner, content=c[1]),
        lambda c: floor.update(rows[c[0]].uid, c[1]),
        zip(spread(world, UPDATES, 1), contents, strict=True),
        warmup=20,
    )
    return {"update": line}


def measure_record_recall(world: World) -> Lines:
    """Time feedback beside a plain change of a row by its id."""
    change = "UPDATE m SET created_ms = created_ms + 1 WHERE uid = ?"
    line = in_turns(
        lambda at: world.client.record_recall([world.ids[at]], requester_agent_id=ALL),
        lambda at: world.floor.db.execute(change, (world.rows[at].uid,)),
        spread(world, UPDATES, 3),
        warmup=20,
    )
    return {"record_recall": line}


def measure_resonance(world: World) -> Lines:
    """Time activation over as many links as there are rows, in a store of its own."""
    return speed_links.measure([row.content for row in world.rows], len(world.rows))


def measure_delete(world: World) -> Lines:
    """Time deletes by the owners."""
    rows, floor, delete = world.rows, world.floor, world.client.delete
    line = in_turns(
        lambda at: delete(world.ids[at], requester_agent_id=rows[at].owner),
        lambda at: floor.delete(rows[at].uid),
        spread(world, UPDATES, 2),
        warmup=20,
    )
    return {"delete": line}


def spread(world: World, count: int, offset: int) -> list[int]:
    """Return *count* places of rows, scattered over all; other offsets give other places."""
    return [(3 * k + offset) * 6_700_417 % len(world.rows) for k in range(count)]


def measure_import() -> Line:
    """Return how long the import takes, net of a bare interpreter, best of 15, beside the floor."""
    best = dict.fromkeys(IMPORTS, math.inf)
    compiles = os.environ | {"PYTHONDONTWRITEBYTECODE": ""}  # as installing a package does
    for _ in range(15):
        for name, code in IMPORTS.items():
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, env=compiles)
            best[name] = min(best[name], 1e3 * (time.perf_counter() - start))
    ours, floor = (best[name] - best["bare"] for name in ("ours", "floor"))
    return {"p50_ms": ours, "floor_p50_ms": floor, "ratio": ours / floor}


SECTIONS: dict[str, Callable[[World], Lines]] = {  # reads first: they meet what was loaded
    "add_many": lambda world: world.loaded,
    "search": measure_search,
    "pack": measure_pack,
    "get": measure_get,
    "browse": measure_browse,
    "resonance": measure_resonance,
    "add": measure_add,
    "record_recall": measure_record_recall,
    "update": measure_update,
    "delete": measure_delete,
}


def bars(n: int, lines: Lines) -> Iterator[Bar]:
    """Yield each bar that applies to *lines*, measured at *n* rows."""
    for name, line in lines.items():
        if name == "add_many":
            yield "add_many / executemany", line["mean_ratio"], "<=", 4.0
            yield "add_many, rows/s", line["rows/s"], ">=", 8_000
        elif name.startswith("add"):
            yield f"{name}: p50 ratio", line["ratio"], "<=", 2.5 if "private" in name else 3.5
            yield f"{name}: mean ratio", line["mean_ratio"], "<=", 2.5
        elif name.startswith("context_pack"):
            yield name, line["ratio"], "<=", 1.5
        elif name.startswith("resonance"):
            yield f"{name}: p50 ms", line["p50_ms"], "<=", 10.0
            yield f"{name}: p95 ms", line["p95_ms"], "<=", 10.0
        elif name == "import":
            yield "import, net", line["ratio"], "<=", 2.0
        elif name == "file" and n == 100_000:
            yield "file size", line["ratio"], "<=", 1.6
        elif name.endswith("repair off"):
            yield f"{name}: ratio", line["ratio"], "<=", 2.0
        elif name.startswith(FEW_MATCHES):
            yield f"{name}: ms", line["p50_ms"], "<=", 5.0
        elif name.startswith(SEVERAL_WORDS) and name.endswith("100%"):
            yield f"{name}: recall@10 of exact", line["recall"], ">=", 0.9
            if n >= 1_000_000 and name.startswith(WITH_COMMON):
                yield f"{name}: ratio", line["ratio"], "<=", 0.05
                yield f"{name}: p95 / p50", line["p95_ms"] / line["p50_ms"], "<=", 2.0
        elif name.startswith(SEVERAL_WORDS) and n >= 1_000_000 and not name.endswith(" 10%"):
            yield f"{name}: recall@10 of exact", line["recall"], ">=", 1.0
            if name.startswith(WITH_COMMON):
                yield f"{name}: ratio", line["ratio"], "<=", 0.06


def growth(sizes: dict[int, Lines]) -> tuple[Lines, list[Bar]]:
    """Return how each time and ratio grows from the smallest size to the largest, and the bars."""
    small, large = min(sizes), max(sizes)
    lines, found = {}, []
    for name, before in sizes[small].items():
        after = sizes[large][name]
        if "p95_ms" not in before:
            continue
        lines[name] = {"exponent": math.log(after["p50_ms"] / before["p50_ms"], large / small)}
        if "ratio" in before:
            lines[name]["ratio growth"] = after["ratio"] / before["ratio"]
        if name in ("get", "update", "delete", "record_recall", "browse"):
            found.append((f"{name}: ratio growth", lines[name]["ratio growth"], "<=", 1.5))
    return lines, found


def table(title: str, lines: Lines) -> str:
    """Return *lines* as text, a column for each figure."""
    columns = list(dict.fromkeys(column for line in lines.values() for column in line))
    rows = [title.ljust(34) + "".join(f"{column:>14}" for column in columns)]
    for name, line in lines.items():
        cells = (f"{line[c]:14.3f}" if c in line else " " * 14 for c in columns)
        rows.append(f"{name:34}" + "".join(cells))
    return "\n".join(rows) + "\n"


def verdicts(found: Iterable[Bar]) -> str:
    """Return a line for each bar, with OK or MISS."""
    rows = []
    for what, value, sign, bound in found:
        met = "OK" if (value <= bound if sign == "<=" else value >= bound) else "MISS"
        rows.append(f"{met:6}{what:52}{value:12.3f} {sign} {bound:g}")
    return "\n".join(rows) + "\n"


def measure(tool: Any, n: int, wanted: Sequence[str]) -> Lines:
    """Return the figures of the *wanted* sections at *n* rows."""
    lines: Lines = {"import": measure_import()} if "import" in wanted else {}
    if set(wanted) != {"import"}:
        with tempfile.TemporaryDirectory() as folder:
            world = build(tool, n, Path(folder))
            for section in (SECTIONS[name] for name in SECTIONS if name in wanted):
                lines |= section(world)
            world.client.close()
            world.floor.db.close()
    return {name: {key: round(v, 4) for key, v in line.items()} for name, line in lines.items()}


def main() -> None:
    """Measure each size; print tables, bars, growth and a line of JSON."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--n", type=int, nargs="+", default=[10_000], help="memories")
    parser.add_argument("--floor", type=Path, default=FLOOR, help="the file of the floor")
    names = [*SECTIONS, "import"]
    parser.add_argument("--only", default=",".join(names), help=f"of {', '.join(names)}")
    options = parser.parse_args()
    wanted = options.only.split(",")
    if not set(wanted) <= set(names):
        parser.error(f"--only takes some of {','.join(names)}")
    if not options.floor.is_file():
        parser.error(f"there is no floor at {options.floor}; name its file with --floor")
    tool, sizes = read_floor(options.floor), {}
    for n in options.n:
        sizes[n] = measure(tool, n, wanted)
        print(table(f"{n} memories", sizes[n]))
        print(verdicts(bars(n, sizes[n])), flush=True)
    if len(sizes) > 1:
        grown, found = growth(sizes)
        print(table(f"{min(sizes)} to {max(sizes)}", grown))
        print(verdicts(found))
    print(json.dumps(sizes))


if __name__ == "__main__":
    main()
