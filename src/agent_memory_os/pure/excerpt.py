"""Excerpts: the part of a long text around what was asked."""

import re
from collections.abc import Callable

from agent_memory_os.pure.text import Query, index_terms

ELLIPSIS = "…"
# A word with the blanks behind it; scripts that put none between words go by the character.
_PIECES = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\ud7af]\s*|[^\s\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\ud7af]+\s*|\s+"
)
_WINDOW = 40  # pieces in which matches are counted together
_LONGEST_PIECE = 200  # characters; a longer one is cut


def excerpt(content: str, query: Query, *, fits: Callable[[str], bool]) -> str:
    """Return the longest part of *content* around the query's words that *fits*.

    The whole content when it fits. What is cut off is marked with an ellipsis on that side; the
    cut is between words, or between characters where a script has no spaces. Empty when not even
    one piece fits.
    """
    if fits(content):
        return content
    pieces = [
        piece[at : at + _LONGEST_PIECE]
        for piece in _PIECES.findall(content)
        for at in range(0, len(piece), _LONGEST_PIECE)
    ]
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


def _around(pieces: list[str], centre: int, radius: int) -> str:
    start, end = max(0, centre - radius), min(len(pieces), centre + radius + 1)
    head = ELLIPSIS if start else ""
    tail = ELLIPSIS if end < len(pieces) else ""
    return head + "".join(pieces[start:end]).strip() + tail


def _centre(pieces: list[str], query: Query) -> int:
    """Return the middle of the window that holds the most different words of the query."""
    wanted = {term.text for term in query.terms}
    found: list[tuple[int, str]] = []
    for at, piece in enumerate(pieces):
        pair = piece.rstrip() + pieces[at + 1].rstrip() if at + 1 < len(pieces) else piece
        terms = index_terms(piece) if piece.isascii() else index_terms(pair)
        found += [(at, term) for term in wanted.intersection(terms)]
    best, centre, start = 0, 0, 0
    for end in range(len(found)):
        while found[end][0] - found[start][0] > _WINDOW:
            start += 1
        distinct = len({term for _, term in found[start : end + 1]})
        if distinct > best:
            best, centre = distinct, (found[start][0] + found[end][0]) // 2
    return centre
