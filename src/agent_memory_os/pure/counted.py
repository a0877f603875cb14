"""Counting: texts that differ in numbers alone, and so have nothing to do with each other."""

# Rows that a program writes are the same but for their numbers, and each new one would be weighed
# against its likes. What the rules say of two of them depends on how the numbers are typed, on the
# spans they lie in, and on which of them are equal, and on no more. So each number of a pair is
# replaced by one that stands for all that are alike in these; the pairs that come of it are few,
# and what is said of one of them is kept. Where a rule might reckon with a number, or look at a
# part of it, none stands for another.

import re
from bisect import bisect
from functools import lru_cache
from typing import NamedTuple

from agent_memory_os.pure.claims import LONGEST, claims
from agent_memory_os.pure.claims.figures import is_figure
from agent_memory_os.pure.claims.pieces import Piece
from agent_memory_os.pure.contest import Terms, contest, say_the_same
from agent_memory_os.pure.plainest import spelled
from agent_memory_os.pure.retold import retold

_NUMBER = re.compile(r"(\d+)")
_DECIMAL = re.compile(r"\d[.,]\d")
_HAN_PARTED = re.compile(r"\d{3}[月点时:]|[点时:]\d{3}|\d{5}年")  # a date or a time in more digits
_MOST_NUMBERS, _MOST_DIGITS = 12, 18  # in a text, and in one of them
# Where the rules tell numbers apart: none, one, hours, days, minutes, ages, years.
_SPANS = (0, 1, 2, 13, 25, 32, 60, 100, 121, 1000, 1900, 2100)


class Parts(NamedTuple):
    """What stands *around* the *numbers* of a text, and whether these can be stood for."""

    around: tuple[str, ...]
    numbers: tuple[str, ...]
    is_plain: bool


class _Example(NamedTuple):
    """A *text* that stands for others.

    Attributes:
        stands_for: of each number of these others the one that stands for it.
        taken: how many numbers stand for others, by the least of their span.
    """

    text: str
    stands_for: dict[int, int]
    taken: dict[int, int]


def parts(text: str) -> Parts:
    """Return the numbers of *text*, as they are typed, and what stands around them.

    >>> parts("row 7 of 500")[:2]
    (('row ', ' of ', ''), ('7', '500'))
    """
    return _kept_parts(text) if len(text) <= LONGEST else _parts(text)


@lru_cache(2048)  # a rival of one draft is often one of the next
def _kept_parts(text: str) -> Parts:
    return _parts(text)


def _parts(text: str) -> Parts:
    found = _NUMBER.split(text)
    around, numbers = tuple(found[::2]), tuple(found[1::2])
    is_plain = 0 < len(numbers) <= _MOST_NUMBERS and all(map(_is_plain, numbers))
    return Parts(around, numbers, is_plain)


def _is_plain(digits: str) -> bool:
    return len(digits) <= _MOST_DIGITS and digits.isascii()


def only_count(new: str, old: str, terms: Terms) -> bool:
    """Return whether two texts surely say nothing of each other, being alike but for numbers.

    What is not sure must be weighed. Nothing is sure of texts that are the same.

    >>> only_count("row 7 of 500 is done", "row 8 of 500 is done", Terms(False, True))
    True
    >>> only_count("the port is 8000", "the port is 8080", Terms(False, True))
    False
    """
    if len(new) > LONGEST or len(old) > LONGEST:
        return False
    around, mine, is_plain = parts(new)
    frame, theirs, is_theirs_plain = parts(old)
    if around != frame or mine == theirs or not (is_plain and is_theirs_plain):
        return False
    example = _example(new)
    other = _renumbered(frame, theirs, dict(example.stands_for), dict(example.taken))
    return _say_nothing(example.text, other, terms)


@lru_cache(64)  # a draft is held against each of its rivals
def _example(text: str) -> _Example:
    stands_for: dict[int, int] = {}
    taken: dict[int, int] = {}
    around, numbers, _ = parts(text)
    return _Example(_renumbered(around, numbers, stands_for, taken), stands_for, taken)


def _renumbered(
    around: tuple[str, ...],
    numbers: tuple[str, ...],
    stands_for: dict[int, int],
    taken: dict[int, int],
) -> str:
    """Return a text with other numbers, which are typed alike and lie in the same spans.

    Where two are equal these are, and else they are not. *stands_for* and *taken*, as an example
    has them, are added to.
    """
    pieces = [around[0]]
    for digits, after in zip(numbers, around[1:], strict=True):
        value = int(digits)
        other = stands_for.get(value)
        if other is None:
            least = _least(value)
            count = taken.get(least, 0)
            stands_for[value] = other = least + count
            taken[least] = count + 1
        pieces += (str(other).zfill(len(digits)), after)
    return "".join(pieces)


@lru_cache(4096)
def _least(value: int) -> int:
    """Return the least number of as many digits as *value* that lies in the same span."""
    return max(_SPANS[bisect(_SPANS, value) - 1], 10 ** (len(str(value)) - 1) if value else 0)


@lru_cache(2048)
def _say_nothing(new: str, old: str, terms: Terms) -> bool:
    """Return whether two texts, and all that they stand for, say nothing of each other."""
    return (
        _is_unreckoned(new)
        and _is_unreckoned(old)
        and not say_the_same(new, old)
        and contest(new, old, terms) is None
    )


@lru_cache(1024)
def _is_unreckoned(text: str) -> bool:
    """Return whether each number of *text* is only held against others, and that as it is typed.

    What tells of a change is held against words of any form.
    """
    if _DECIMAL.search(text) or (not text.isascii() and _HAN_PARTED.search(text)):
        return False
    if parts(retold(spelled(text))).numbers != parts(text).numbers:
        return False
    found = claims(text)
    pieces = [piece for claim in found for piece in claim.pieces]
    measured = {piece for piece in pieces if piece.kind.startswith("number:") and piece.kind[7:]}
    is_told = any(claim.replaces for claim in found)
    return len(measured) <= 1 and not is_told and all(map(_is_whole, pieces))


def _is_whole(piece: Piece) -> bool:
    """Return whether no rule looks at the end of *piece*, as it does at that of a Chinese word."""
    return piece.text.isascii() or is_figure(piece) or _NUMBER.search(piece.text) is None
