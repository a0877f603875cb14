"""Documents: Markdown whose lines cite what they come from, and which outlives being edited."""

# A document is what the library writes and its owner may edit: a title, lines that end with the
# numbers of what they come from, such as ``[^3]``, and an index of these numbers under `SOURCES`.
# What was written last is kept beside it (`Basis`), so that an edit can be told from it.

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from agent_memory_os.model import JSON, Memory
from agent_memory_os.noun import Noun
from agent_memory_os.pure import ids
from agent_memory_os.pure.organised import Source

BASIS = "organised"  # in its metadata
SOURCES = "## Sources"
_LINE_CHARS = 240  # of a source that is told
CITED = re.compile(r"\[\^(\d{1,9})\]")
_ENTRY = re.compile(rf"\[\^(\d{{1,9}})\]: ({ids.ID})\b(?:, )?(.*)")
# The highest numbers that somebody may give, and that the library may have given: whatever stands
# in the index or in the metadata, the next number is cited by nine digits.
_MOST_OWN, _LAST = 999_999, 99_999_999
_TITLE, HEADING, ITEM = "# ", "## ", "- "


class Statement(Noun):
    """A line of a document: what it says, and the ids that it comes from."""

    text: str
    sources: tuple[str, ...]


class Wanted(Noun):
    """What a document shall say.

    Attributes:
        title: in one line.
        sections: headings, "" for what stands before the first one, each with its lines.
        index: of each id that may be cited a few words on what that is.
        is_composed: whether the headings say what stands under them, and go with any of its
            sources; else they are the same whatever that is.
    """

    title: str
    sections: tuple[tuple[str, tuple[Statement, ...]], ...]
    index: Mapping[str, str]
    is_composed: bool = False


class Told(NamedTuple):
    """A line of a document: the heading above it, what it says, and the ids that it cites."""

    heading: str
    text: str
    sources: tuple[str, ...]


class Basis(NamedTuple):
    """What was written last.

    sources: ids, by the numbers that cite them; lines: what they cite, by their digests, and what
    stands under headings of a writer, by theirs; removed: numbers whose lines somebody took out;
    title: its digest; last: the highest number ever given.
    """

    sources: Mapping[int, str]
    lines: Mapping[str, tuple[int, ...]]
    removed: frozenset[int]
    title: str
    last: int


_NO_BASIS = Basis({}, {}, frozenset(), "", 0)


class Parts(NamedTuple):
    """A document, taken apart: its title, its lines, the notes of its index, and what follows."""

    title: str
    body: list[str]
    notes: dict[int, tuple[str, str]]
    tail: list[str]


def statement(memory: Memory) -> Statement:
    """Return the line that tells what *memory* says."""
    return Statement(line_of(memory.content), (memory.id,))


def line_of(content: str) -> str:
    """Return what a line says of a source that says *content*."""
    from agent_memory_os.pure.summary import one_line  # few programs make documents

    return unciting(one_line(content, most=_LINE_CHARS))


def sources(content: str, metadata: Mapping[str, JSON]) -> list[Source]:
    """Return what the lines of a document cite, by number."""
    parts, known = taken_apart(content, metadata)
    cited = all_numbers_in((*parts.body, *parts.tail))
    return [
        Source(number, known[number], parts.notes.get(number, ("", ""))[1])
        for number in sorted(cited & known.keys())
    ]


def members(content: str, metadata: Mapping[str, JSON]) -> dict[str, int]:
    """Return the ids that a document was made of, told in it or not, with their numbers."""
    known = basis_of(metadata).sources or taken_apart(content, metadata)[1]
    return {source: number for number, source in known.items()}


def is_edited(content: str, metadata: Mapping[str, JSON]) -> bool:
    """Return whether somebody changed a document since it was written."""
    basis, parts = basis_of(metadata), parts_of(content)
    lines = {digest_of(line) for line in (*parts.body, *parts.tail) if line.strip()}
    return basis.title != digest_of(parts.title) or lines != basis.lines.keys()


def title(content: str) -> str:
    """Return the title of a document."""
    return parts_of(content).title


def told(content: str, metadata: Mapping[str, JSON]) -> Iterator[Told]:
    """Yield the lines of a document, without the numbers of what they cite."""
    parts, known = taken_apart(content, metadata)
    heading = ""
    for line in (*parts.body, *parts.tail):
        if line.startswith(HEADING):
            heading = line.removeprefix(HEADING).strip()
        elif line.strip():
            ids = tuple(known[number] for number in numbers_in(line) if number in known)
            yield Told(heading, CITED.sub("", line).strip().removeprefix(ITEM).strip(), ids)


def says_something(content: str, metadata: Mapping[str, JSON]) -> bool:
    """Return whether a document has a line besides its title, headings and index."""
    return next(told(content, metadata), None) is not None


def taken_apart(content: str, metadata: Mapping[str, JSON]) -> tuple[Parts, dict[int, str]]:
    """Return a document, taken apart, and which id each of its numbers stands for.

    What was kept of it counts before what somebody may have written into its index.
    """
    parts = parts_of(content)
    known = {number: source for number, (source, _) in parts.notes.items() if number <= _MOST_OWN}
    return parts, known | dict(basis_of(metadata).sources)


def parts_of(content: str) -> Parts:
    """Return a document, taken apart; what stands where does not matter, nor who wrote it."""
    name = ""
    body: list[str] = []
    tail: list[str] = []
    index: dict[int, tuple[str, str]] = {}
    is_behind = False
    for line in content.splitlines():
        entry = _ENTRY.fullmatch(line.strip()) if is_behind else None
        if line.strip() == SOURCES:
            is_behind = True
        elif entry is not None:
            index[int(entry[1])] = entry[2], entry[3]
        elif is_behind:
            tail.append(line)
        elif not name and not body and line.startswith(_TITLE):
            name = line.removeprefix(_TITLE).strip()
        elif line.strip() or body:
            body.append(line)
    return Parts(name, body, index, tail)


def rendered(parts: Parts) -> str:
    """Return a document: one blank line at most stands between two others."""
    lines = [f"{_TITLE}{parts.title}", ""] if parts.title else []
    for line in parts.body:
        lines += ["", line] if line.startswith(HEADING) else [line]
    if parts.notes:
        lines += ["", SOURCES, ""]
    for number, (source, note) in sorted(parts.notes.items()):
        lines.append(f"[^{number}]: {source}" + f", {note}" * bool(note))
    lines += ["", *parts.tail]
    kept: list[str] = []
    for line in lines:
        if line.strip() or (kept and kept[-1].strip()):
            kept.append(line.rstrip())
    return "\n".join(kept).strip() or _NOTHING


_NOTHING = "# Nothing is left"


def numbers_in(line: str) -> tuple[int, ...]:
    """Return the numbers that a line cites."""
    return tuple(int(number) for number in CITED.findall(line))


def all_numbers_in(lines: Iterable[str]) -> set[int]:
    """Return the numbers that *lines* cite."""
    return {number for line in lines for number in numbers_in(line)}


def unciting(text: str) -> str:
    """Return *text* such that nothing in it passes for a number that is cited."""
    return text.replace("[^", "[ ^")


def digest_of(line: str) -> str:
    """Return what tells whether a line is as it was written."""
    from hashlib import blake2b  # loads OpenSSL

    return blake2b(line.strip().encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def to_metadata(basis: Basis) -> dict[str, JSON]:
    """Return *basis* as `basis_of` reads it."""
    return {
        "sources": {str(number): source for number, source in sorted(basis.sources.items())},
        "lines": {digest: list(cites) for digest, cites in sorted(basis.lines.items())},
        "removed": [*sorted(basis.removed)],
        "title": basis.title,
        "last": basis.last,
    }


def basis_of(metadata: Mapping[str, JSON]) -> Basis:
    """Return what was written last; as far as somebody left it in the metadata."""
    kept: Any = metadata.get(BASIS)
    try:
        basis = Basis(
            {int(number): str(source) for number, source in kept["sources"].items()},
            {str(key): tuple(int(each) for each in cites) for key, cites in kept["lines"].items()},
            frozenset(int(each) for each in kept["removed"]),
            str(kept["title"]),
            int(kept["last"]),
        )
    except (KeyError, TypeError, AttributeError, ValueError, OverflowError):
        return _NO_BASIS
    return basis if max(basis.last, *basis.sources, 0) <= _LAST else _NO_BASIS
