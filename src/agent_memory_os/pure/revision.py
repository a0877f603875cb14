"""Revisions: a document is written anew, or loses what is lost, and keeps what was edited."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from agent_memory_os.model import JSON, Memory
from agent_memory_os.pure.document import (
    BASIS,
    CITED,
    HEADING,
    ITEM,
    Basis,
    Parts,
    Statement,
    Wanted,
    all_numbers_in,
    basis_of,
    digest_of,
    line_of,
    numbers_in,
    parts_of,
    rendered,
    taken_apart,
    to_metadata,
    unciting,
)
from agent_memory_os.pure.stopwords import STOP_WORDS
from agent_memory_os.pure.text import index_terms

_MOST_CHARS, _MOST_LINES = 400, 40  # of a line, and lines, of a writer of the host
_QUOTED_WORDS = 3  # of a source that is lost: a line that has as many, and half of them, quotes it

Titled = Callable[[Sequence[str], Sequence[str]], str]  # of lines, and of notes on their sources
_New = tuple[str, str, tuple[int, ...]]  # a heading, a line, and what it cites


def composed(text: str, name: str, ids: Sequence[str], index: Mapping[str, str]) -> Wanted:
    """Return what a document shall say that a writer wrote of memories.

    Args:
        text: Markdown, whose lines may cite the memories by their place, ``[^1]`` for the first;
            one that cites none comes from all of them. It may begin with a title.
        name: the title if it does not.
        ids: of the memories, in the order in which the writer was given them.
        index: as in `Wanted`.
    """
    parts, heading = parts_of(text), ""
    sections: dict[str, list[Statement]] = {}
    for line in [*parts.body, *parts.tail][:_MOST_LINES]:
        if line.startswith(HEADING):
            heading = _without_cites(line.removeprefix(HEADING))
            continue
        said = _without_cites(line).removeprefix(ITEM)
        if said:
            cited = [ids[place - 1] for place in numbers_in(line) if 0 < place <= len(ids)]
            sections.setdefault(heading, []).append(Statement(said, tuple(cited or ids)))
    made = tuple((each, tuple(lines)) for each, lines in sections.items())
    return Wanted(_without_cites(parts.title) or name, made, index, is_composed=True)


def _without_cites(line: str) -> str:
    return unciting(" ".join(CITED.sub("", line).split())[:_MOST_CHARS]).strip()


def hiding(memory: Memory, hidden: Iterable[str], titled: Titled | None = None) -> Memory:
    """Return a document without the lines that cite one of *hidden*, and with a title without it.

    Args:
        memory: a document.
        hidden: ids.
        titled: as for `cut`.
    """
    lost = dict.fromkeys(hidden, "")
    content, metadata = cut(memory.content, memory.metadata, lost, retitled={}, titled=titled)
    return replace(memory, content=content, metadata=metadata)


def merged(
    content: str | None, metadata: Mapping[str, JSON], wanted: Wanted
) -> tuple[str, dict[str, JSON]]:
    """Return a document that says what is *wanted* beside what somebody edited, and its metadata.

    A line that is as it was written last is renewed, or leaves; one that was changed, or added,
    stays as it is; one that was taken out does not come back. What is new comes at the end of its
    section. The same again changes nothing.

    Args:
        content: what it says now; None for a new one.
        metadata: what it has now, with what was written last.
        wanted: what it shall say.
    """
    basis = basis_of(metadata)
    parts, known = taken_apart(content or "", metadata)
    numbers, last = _numbered(known, basis.last, wanted.index)
    new: list[_New] = [
        (heading, _line(each, numbers), tuple(numbers[source] for source in each.sources))
        for heading, section in wanted.sections
        for each in section
    ]
    cited = all_numbers_in((*parts.body, *parts.tail))
    were_told = {number for cites in basis.lines.values() for number in cites} | basis.removed
    removed = frozenset(were_told - cited) & known.keys()
    headings = [heading for heading, _ in wanted.sections]
    old = [
        line.removeprefix(HEADING).strip()
        for line in parts.body
        if line.startswith(HEADING) and digest_of(line) in basis.lines
    ]
    body, unused, edited = _renewed(parts.body, basis, new, headings, old)
    edited |= all_numbers_in(parts.tail)
    for heading, line, cites in unused:
        if not {*cites} <= edited | removed:
            _insert(body, heading, line, headings)
    is_own_title = content is not None and basis.title != digest_of(parts.title)
    name = parts.title if is_own_title else wanted.title
    kept = all_numbers_in((*body, *parts.tail))
    held = {number: each for each, number in numbers.items() if each in wanted.index}
    held |= {number: each for number, each in known.items() if number in kept | removed}
    index = {number: parts.notes[number] for number in kept & parts.notes.keys()}
    index |= {n: (held[n], wanted.index[held[n]]) for n in kept if held.get(n) in wanted.index}
    written = rendered(Parts(name, _without_empty(body, [*headings, *old]), index, parts.tail))
    lines = {digest_of(line): cites for _, line, cites in new}
    if wanted.is_composed:
        lines |= _under_headings(new)
    kept_basis = Basis(held, lines, removed, digest_of(wanted.title), last)
    return written, {**metadata, BASIS: to_metadata(kept_basis)}


def cut(
    content: str,
    metadata: Mapping[str, JSON],
    lost: Mapping[str, str],
    *,
    retitled: Mapping[str, str],
    titled: Titled | None,
) -> tuple[str, dict[str, JSON]]:
    """Return a document without what it has of sources that are *lost*, and its metadata.

    The lines that cite one leave, whoever wrote them; so does each line that somebody wrote or
    changed and that quotes one: half of its words are in it, and three at least, or all of fewer.

    Args:
        content: what it says.
        metadata: what it has, with what was written last.
        lost: ids, and what they said.
        retitled: ids of other documents that are cited here, and what they are called now.
        titled: makes the title anew, if it is the library's, or quotes what is lost; None where it
            says nothing of the sources.
    """
    basis = basis_of(metadata)
    parts, known = taken_apart(content, metadata)
    gone = {number for number, source in known.items() if source in lost}
    named = {number: retitled[each] for number, each in known.items() if each in retitled}
    said = {each: _words(each) for content in lost.values() for each in (line_of(content), content)}
    lines = {key: cites for key, cites in basis.lines.items() if not gone.intersection(cites)}

    def left(some: Iterable[str]) -> Iterator[str]:
        for line in some:
            cites, is_own = numbers_in(line), digest_of(line) not in basis.lines
            of = {*cites, *basis.lines.get(digest_of(line), ())}
            if gone & of or (is_own and _quotes(line, said)):
                continue
            if not is_own and len(cites) == 1 and cites[0] in named:
                lines.pop(digest_of(line), None)
                line = f"{ITEM}{unciting(named[cites[0]])} [^{cites[0]}]"
                lines[digest_of(line)] = cites
            yield line

    body, tail = list(left(parts.body)), list(left(parts.tail))
    index = {number: each for number, each in parts.notes.items() if number not in gone}
    name, of_title = parts.title, basis.title
    if titled is not None and (of_title == digest_of(name) or _quotes(name, said)):
        written = [
            CITED.sub("", line).strip()
            for line in body
            if digest_of(line) in lines and not line.startswith(HEADING)
        ]
        name = titled([line.removeprefix(ITEM) for line in written], [n for _, n in index.values()])
        of_title = digest_of(name)
    body = _without_empty(body, _headings(parts.body))
    held = {number: source for number, source in known.items() if number not in gone}
    left_basis = Basis(held, lines, basis.removed - gone, of_title, basis.last)
    return rendered(Parts(name, body, index, tail)), {**metadata, BASIS: to_metadata(left_basis)}


def _under_headings(new: Iterable[_New]) -> dict[str, tuple[int, ...]]:
    """Return what stands under the headings of a writer, by their digests."""
    found: dict[str, dict[int, None]] = {}
    for heading, _, cites in new:
        if heading:
            found.setdefault(digest_of(f"{HEADING}{heading}"), {}).update(dict.fromkeys(cites))
    return {digest: tuple(cites) for digest, cites in found.items()}


def _renewed(
    body: Sequence[str],
    basis: Basis,
    new: Sequence[_New],
    headings: Sequence[str],
    old: Sequence[str],
) -> tuple[list[str], list[_New], set[int]]:
    """Return the lines that stay or are renewed, what is new beside, and what edited ones cite."""
    unused = list(new)
    by_line = {each[1]: each for each in new}
    kept: list[str] = []
    edited: set[int] = set()
    above = ""
    for line in body:
        if line.startswith(HEADING):
            above = line.removeprefix(HEADING).strip()
            if above in old:  # it leaves if nothing is left under it
                kept.append(line)
                continue
        cites = numbers_in(line)
        # What is to be written is the library's, also where nothing was kept of what was.
        if digest_of(line) not in basis.lines and line not in by_line:
            edited.update(cites)
            kept.append(line)
            continue
        found = by_line.get(line)
        if found not in unused:
            found = next((each for each in unused if each[2] == cites), None)
        # Where the heading is one of the library's and not its own any more, it is put there anew.
        if found is not None and (found[0] == above or above not in (*headings, *old)):
            unused.remove(found)
            kept.append(found[1])
    return kept, unused, edited


def _insert(body: list[str], heading: str, line: str, headings: Sequence[str]) -> None:
    """Put a line at the end of its section, which is made in the order of *headings* if need be."""
    tops = [place for place, each in enumerate(body) if each.startswith(HEADING)]
    if not heading:
        body.insert(_end(body, tops[0] if tops else len(body)), line)
        return
    names = {body[place].removeprefix(HEADING).strip(): place for place in reversed(tops)}
    if heading in names:
        after = [place for place in tops if place > names[heading]]
        body.insert(_end(body, after[0] if after else len(body)), line)
        return
    later = {*headings[headings.index(heading) + 1 :]}
    place = min((at for name, at in names.items() if name in later), default=len(body))
    body[place:place] = [f"{HEADING}{heading}", line]


def _without_empty(body: Sequence[str], headings: Iterable[str]) -> list[str]:
    """Return *body* without those of *headings* that nothing stands under."""
    kept: list[str] = []
    own = {f"{HEADING}{heading}" for heading in headings}
    for line in reversed(body):
        below = next((each for each in reversed(kept) if each.strip()), HEADING)
        if line.strip() not in own or not below.startswith(HEADING):
            kept.append(line)
    return kept[::-1]


def _headings(body: Sequence[str]) -> list[str]:
    """Return the headings of *body* that something stands under."""
    kept = _without_empty(body, [line.removeprefix(HEADING).strip() for line in body])
    return [line.removeprefix(HEADING).strip() for line in kept if line.startswith(HEADING)]


def _end(body: Sequence[str], end: int) -> int:
    """Return the place behind the last line before *end* that is not blank."""
    while end and not body[end - 1].strip():
        end -= 1
    return end


def _numbered(
    known: Mapping[int, str], last: int, wanted: Iterable[str]
) -> tuple[dict[str, int], int]:
    """Return a number for each of the ids, and the highest; those that are *known* keep theirs."""
    numbers = {source: number for number, source in known.items()}
    last = max([last, *known])
    for source in wanted:
        if source not in numbers:
            numbers[source] = last = last + 1
    return numbers, last


def _line(said: Statement, numbers: Mapping[str, int]) -> str:
    cited = "".join(f"[^{numbers[source]}]" for source in said.sources)
    return f"{ITEM}{said.text} {cited}"


def _words(text: str) -> frozenset[str]:
    return frozenset(
        term
        for word in re.findall(r"\w[\w'-]*", text)
        if word.casefold() not in STOP_WORDS
        for term in index_terms(word)
    )


def _quotes(line: str, said: Mapping[str, frozenset[str]]) -> bool:
    has = _words(line)
    return any(
        len(words & has) >= min(len(words), max(_QUOTED_WORDS, len(words) / 2))
        if words
        else _holds(line, each)
        for each, words in said.items()
    )


def _holds(line: str, said: str) -> bool:
    """Return whether *line* holds what has no words that say something, as it was said."""
    return bool(said) and re.search(rf"(?<!\w){re.escape(said)}(?!\w)", line) is not None
