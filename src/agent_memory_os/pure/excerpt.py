"""Excerpts: the part of a long text around what was asked."""

import re
from collections.abc import Callable, Iterator

from agent_memory_os.pure.graphemes import boundary, is_boundary
from agent_memory_os.pure.text import Query, index_terms

ELLIPSIS = "…"
# A word with the blanks behind it; scripts that put none between words go by the character.
_PIECES = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\ud7af]\s*|[^\s\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\ud7af]+\s*|\s+"
)
_WINDOW = 40  # pieces in which matches are counted together
_RUN = 64  # pieces that are looked through at once
_LONGEST_PIECE = 64  # characters; a longer one is cut
_LONGEST_DEAR_PIECE = 24  # the same where a character costs a token or more, as emoji do


def excerpt(content: str, query: Query, *, fits: Callable[[str], bool]) -> str:
    """Return the longest part of *content* around the query's words that *fits*.

    The whole content when it fits. What is cut off is marked with an ellipsis on that side; the
    cut is between words, or between characters where a script has no spaces, and never inside
    of what a reader sees as one. Empty when not even one piece fits.
    """
    if fits(content):
        return content
    pieces = _pieces(content)
    centre = _centre(pieces, query)
    low, high, best = 0, len(pieces), ""
    while low <= high:  # the largest radius that fits: more text never takes fewer tokens
        radius = (low + high) // 2
        text = _around(pieces, centre, radius)
        if fits(text):
            best, low = text, radius + 1
        else:
            high = radius - 1
    return best


def _pieces(content: str) -> list[str]:
    """Return what *content* may be cut into, in order; together they are the whole of it."""
    if content.isascii():  # nothing is joined over a blank
        found: list[str] = _PIECES.findall(content)
        if max(map(len, found), default=0) <= _LONGEST_PIECE:
            return found
    return list(_whole_pieces(content))


def _whole_pieces(content: str) -> Iterator[str]:
    """Yield the pieces, none of them too long, and none ending inside of a character."""
    start = 0
    for found in _PIECES.finditer(content):
        end = found.end()
        if not is_boundary(content, end):
            continue  # what follows is joined to it
        longest = _LONGEST_PIECE if found[0].isascii() else _LONGEST_DEAR_PIECE
        while end - start > longest:
            cut = boundary(content, start + longest)
            yield content[start:cut]
            start = cut
        yield content[start:end]
        start = end
    if start < len(content):
        yield content[start:]


def _around(pieces: list[str], centre: int, radius: int) -> str:
    start, end = max(0, centre - radius), min(len(pieces), centre + radius + 1)
    head = ELLIPSIS if start else ""
    tail = ELLIPSIS if end < len(pieces) else ""
    return head + "".join(pieces[start:end]).strip() + tail


def _centre(pieces: list[str], query: Query) -> int:
    """Return the middle of the window that holds the most different words of the query."""
    wanted = {term.text for term in query.terms}
    found = [
        (at, term)
        for start in range(0, len(pieces), _RUN)
        if _may_hold("".join(pieces[start : start + _RUN + 1]), wanted)
        for at in range(start, min(start + _RUN, len(pieces)))
        for term in wanted.intersection(_terms(pieces, at))
    ]
    best, centre, start = 0, 0, 0
    for end in range(len(found)):
        while found[end][0] - found[start][0] > _WINDOW:
            start += 1
        distinct = len({term for _, term in found[start : end + 1]})
        if distinct > best:
            best, centre = distinct, (found[start][0] + found[end][0]) // 2
    return centre


def _may_hold(text: str, wanted: set[str]) -> bool:
    """Whether a piece of *text* can have a term of *wanted*: most runs have none, and go fast."""
    single = {term for term in wanted if len(term) == 1}  # of a run of Chinese only the last is one
    return not (wanted.isdisjoint(index_terms(text)) and single.isdisjoint(text))


def _terms(pieces: list[str], at: int) -> list[str]:
    """Return the terms of a piece, and those that it makes with the next."""
    piece = pieces[at]
    if piece.isascii() or at + 1 == len(pieces):
        return index_terms(piece)
    return index_terms(piece + pieces[at + 1])
