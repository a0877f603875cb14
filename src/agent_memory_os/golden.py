"""Golden files: what queries must recall, kept beside the tests of a host."""

import difflib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from agent_memory_os.client import MemoryClient
from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import FilterFields, Hits
from agent_memory_os.pure import bounds
from agent_memory_os.view import AgentMemory

Place = str | os.PathLike[str]
USUAL_AT = 5
_SHOWN_CHARS = 90
_NAMES = {"query", "at", "filters", "contents"}


class Expectation(NamedTuple):
    """What one query must recall.

    query: what is asked; None asks for what matters most.
    at: among how many hits.
    filters: those of a search, as far as JSON can hold them.
    contents: what must come back, in this order; nothing at all must when it is empty.
    """

    query: str | None
    at: int
    filters: Mapping[str, object]
    contents: tuple[str, ...]


def write_golden(
    memory: MemoryClient | AgentMemory,
    path: Place,
    queries: Iterable[str | Mapping[str, object]] | None = None,
    *,
    at: int = USUAL_AT,
) -> None:
    """Write what *queries* recall today into a file that `check_golden` compares with.

    Read what it holds before you keep it: one line of JSON for each query, from which you may
    take contents that do not matter.

    Args:
        memory: a client, which asks as its own agent, or the view of an agent.
        path: the file; its folder must exist.
        queries: what is asked: texts, or mappings with "query" and, if need be, "at" and
            "filters". None asks again what the file holds, after a change that was meant.
        at: among how many hits, 1 or more.

    Raises:
        InvalidInput: a query is malformed; or *queries* were given, and the file is there.
    """
    if queries is None:
        asked = _read(path)
    elif os.path.exists(path):
        raise InvalidInput(f"{os.fspath(path)} is there: leave out the queries to write it anew")
    else:
        asked = [_parsed(_as_mapping(query, at), f"query {query!r}") for query in queries]
    lines = [_line(each._replace(contents=_contents(_hits(memory, each)))) for each in asked]
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write("".join(f"{line}\n" for line in lines))


def check_golden(memory: MemoryClient | AgentMemory, path: Place) -> None:
    """Fail unless each query of a golden file still recalls what the file says.

    All of its contents must come back among its first hits, in their order; others may stand
    between them. Of a query without contents nothing may come back.

    Args:
        memory: a client, which asks as its own agent, or the view of an agent.
        path: the file, which `write_golden` has written; one line of JSON for each query.

    Raises:
        AssertionError: a query recalls something else; the message has a diff for each.
        InvalidInput: there is no such file, or a line of it is malformed.
    """
    expected = _read(path)
    diffs = [diff for each in expected if (diff := _diff(each, _hits(memory, each)))]
    if diffs:
        count = f"{len(diffs)} of {len(expected)} queries of {os.fspath(path)}"
        raise AssertionError(f"{count} recall something else:\n\n" + "\n\n".join(diffs))


def _hits(memory: MemoryClient | AgentMemory, asked: Expectation) -> Hits:
    filters = cast("FilterFields", dict(asked.filters))
    return memory.search(asked.query, limit=asked.at, **filters)


def _contents(hits: Hits) -> tuple[str, ...]:
    return tuple(hit.content for hit in hits)


def _diff(expected: Expectation, hits: Hits) -> str:
    """Return what differs, in lines: "-" is missing, "+" has come instead; empty when none is."""
    found = _contents(hits)
    if expected.contents and _is_within(expected.contents, found):
        return ""
    if not expected.contents and not found:
        return ""
    lines = difflib.ndiff([*map(_short, expected.contents)], [*map(_short, found)])
    shown = [f"  {line}" for line in lines if not line.startswith("?")]
    reason = [f"  nothing was found: {hits.report.reason}"] if not found else []
    return "\n".join([f"{expected.query!r} at {expected.at}:", *shown, *reason])


def _is_within(wanted: Sequence[str], found: Sequence[str]) -> bool:
    """Return whether *wanted* stand in *found* in their order."""
    left = iter(found)
    return all(content in left for content in wanted)


def _short(content: str) -> str:
    text = " ".join(content.split())
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}..."


def _read(path: Place) -> list[Expectation]:
    try:
        with open(path, encoding="utf-8") as file:
            return [*_expectations(file, os.fspath(path))]
    except FileNotFoundError as error:
        raise InvalidInput(
            f"there is no golden file {os.fspath(path)}; write it once with"
            " write_golden(memory, path, queries), and read what it holds"
        ) from error


def _expectations(lines: Iterable[str], path: str) -> Iterator[Expectation]:
    for number, line in enumerate(lines, 1):
        if line.strip():
            where = f"{path}, line {number}"
            try:
                values = json.loads(line)
            except ValueError as error:
                raise InvalidInput(f"{where}: it is no JSON") from error
            yield _parsed(values, where)


def _as_mapping(query: str | Mapping[str, object], at: int) -> Mapping[str, object]:
    return {"at": at, **query} if isinstance(query, Mapping) else {"query": query, "at": at}


def _parsed(values: object, where: str) -> Expectation:
    if not isinstance(values, Mapping) or "query" not in values or not {*values} <= _NAMES:
        raise InvalidInput(f"{where}: it must be an object of {', '.join(sorted(_NAMES))}")
    query, filters = values["query"], values.get("filters", {})
    if not isinstance(filters, Mapping):
        raise InvalidInput(f"{where}: filters must be an object, not {filters!r}")
    return Expectation(
        None if query is None else bounds.any_text(query, f"{where}: query"),
        bounds.whole(values.get("at", USUAL_AT), f"{where}: at", least=1),
        filters,
        tuple(bounds.texts(values.get("contents", ()), f"{where}: contents")),
    )


def _line(kept: Expectation) -> str:
    values: dict[str, object] = {"query": kept.query, "at": kept.at}
    if kept.filters:
        values["filters"] = kept.filters
    return json.dumps({**values, "contents": kept.contents}, ensure_ascii=False)
