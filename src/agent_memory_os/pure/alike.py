"""Words that a misspelt, inflected or compound one may have been meant for."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import chain
from operator import itemgetter

from agent_memory_os.pure.folding import MARKS
from agent_memory_os.pure.stem import stem
from agent_memory_os.pure.stopwords import STOP_WORDS
from agent_memory_os.pure.text import Query, QueryTerm, split_runs

SHORTEST, LONGEST = 4, 24  # letters of a word that is repaired: below, one edit makes any other
# Of four letters none is changed, and of five not the first: "john" is not meant for "join".
LEAST_CLOSE = 0.77
LEAST_ALIKE = 0.7  # below it, words that begin alike are as often strangers as kin
MOST_ALTERNATIVES = 3
CLOSE = 0.04  # an alternative that is this much less alike than the best is not meant
PARTED = 0.8  # likeness of a compound to its two parts

_SWAP, _DOUBLE, _SLIP, _OTHER, _FIRST = 0.8, 0.8, 1.0, 1.2, 0.5
_SHORTEST_PART = 3  # letters of a part of a compound
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_BLOCK = 64  # code points: the small letters of an alphabet stand in one or two such blocks


def is_repairable(word: str) -> bool:
    """Return whether *word* is spelt of letters alone, and is neither short nor endless.

    Numbers and identifiers are never repaired: 8000 is not meant for 8001. Runs of scripts that
    put no spaces between words are not either: their grams overlap, and find what is alike.
    """
    if not SHORTEST <= len(word) <= LONGEST or not word.isalpha():
        return False
    return _is_spaced(word)


def _is_spaced(word: str) -> bool:
    """Return whether *word* is of a script that puts spaces between words."""
    return word.isascii() or split_runs(word) == [("", "", word)]


def is_spelt(term: str) -> bool:
    """Return whether an index term is a word that a misspelt one may have been meant for."""
    return 2 < len(term) <= LONGEST and term.isalpha() and _is_spaced(term)


def spellings(text: str) -> dict[str, str]:
    """Return the words of *text* by the index term that each gives, in lower case, as spelt."""
    words = _words(text).findall(text.casefold())
    return {_term(word): word for word in reversed(words)}


def _words(text: str) -> re.Pattern[str]:
    return _ASCII_WORDS if text.isascii() else _wide_words()


_ASCII_WORDS = re.compile("[a-z]+")


@lru_cache(1)  # not at import: a class this wide is slow to compile
def _wide_words() -> re.Pattern[str]:
    return re.compile(rf"[^\W\d_{MARKS}][^\W\d_]*")


def _term(word: str) -> str:
    return stem(word) if word.isascii() else word


@lru_cache(256)
def corrections(word: str) -> Mapping[str, float]:
    """Return the index terms of the words that one edit makes of *word*, with their likeness.

    An edit swaps two neighbours, drops a letter, adds one, or changes one. Comparing what was
    meant, not its stem, matters: "childreen" is one edit from "children", whose stem is "child".
    A word that only says how a question is asked is never what was meant.

    Source: F. J. Damerau, "A technique for computer detection and correction of spelling errors",
        1964: four of five misspellings are one such edit. That a first letter is seldom wrong:
        J. J. Pollock and A. Zamora, "Automatic spelling correction in scientific and scholarly
        text", 1984.
    """
    spelt = sorted(_edits(word), key=itemgetter(1), reverse=True)  # the dearest way comes first
    costs = {_term(variant): cost for variant, cost in spelt if variant not in STOP_WORDS}
    costs.pop(_term(word), None)
    most = len(word) + 1
    likeness = {term: 1 - cost / most for term, cost in costs.items()}
    return {term: share for term, share in likeness.items() if share >= LEAST_CLOSE}


def _edits(word: str) -> Iterator[tuple[str, float]]:
    """Yield the words that one edit makes of *word*, with what the edit costs."""
    letters = _alphabet(word)
    for at, letter in enumerate(word):
        head, tail = word[:at], word[at + 1 :]
        first = 0.0 if at else _FIRST
        if tail and tail[0] != letter:
            yield head + tail[0] + letter + tail[1:], _SWAP + first
        yield head + tail, (_DOUBLE if tail[:1] == letter else _SLIP) + first
        for other in letters:
            yield head + other + tail, _OTHER + first
            yield head + other + word[at:], (_DOUBLE if other == letter else _SLIP) + first
    for other in letters:
        yield word + other, _DOUBLE if other == word[-1] else _SLIP


def _alphabet(word: str) -> Iterable[str]:
    """Return the small letters of the scripts that *word* is written in."""
    if word.isascii():
        return _LATIN
    found: dict[str, None] = {}
    for letter in dict.fromkeys(word):
        if letter.isascii():
            found |= dict.fromkeys(_LATIN)
        else:
            start = ord(letter) // _BLOCK * _BLOCK
            found |= dict.fromkeys(map(chr, range(start, start + _BLOCK)))
    return [letter for letter in found if letter.isalpha() and letter == letter.casefold()]


def likeness(word: str, other: str) -> float:
    """Return how much two words begin and run alike, from 0 to 1, whatever comes after.

    It is the share of their trigrams that they have in common, those at the beginning counted,
    those at the end not: inflections and compounds differ at the end.

    Source: L. R. Dice, "Measures of the amount of ecologic association between species", 1945.
    """
    mine, theirs = _trigrams(word), _trigrams(other)
    return 2 * len(mine & theirs) / (len(mine) + len(theirs))


@lru_cache(4096)
def _trigrams(word: str) -> frozenset[str]:
    padded = f"\0\0{word}"
    return frozenset(padded[at : at + 3] for at in range(len(word)))


def beginning(word: str) -> str:
    """Return how a word must begin to be worth comparing with *word*."""
    return word[: max(SHORTEST, (len(word) + 1) // 2)]


def partings(word: str) -> list[tuple[str, str]]:
    """Return the index terms of each way to write *word* as two, the most even first."""
    ends = range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1)
    even = sorted(ends, key=lambda at: abs(len(word) - 2 * at))
    return [(_term(word[:at]), _term(word[at:])) for at in even]


def tails(word: str) -> dict[str, float]:
    """Return the index terms of the longer ends of *word*, with their likeness.

    In a compound the last part says what it is: "Versicherung" of "Autoversicherung".
    """
    found: dict[str, float] = {}
    for at in range(1, len(word) - SHORTEST):
        share = 2 * (len(word) - at) / (2 * len(word) - at)
        if share >= LEAST_ALIKE:
            found.setdefault(_term(word[at:]), share)
    return found


def chosen(likeness: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return the terms that are most alike, at most three, none far behind; ties by term."""
    ranked = sorted(likeness.items(), key=lambda pair: (-pair[1], pair[0]))
    return [pair for pair in ranked[:MOST_ALTERNATIVES] if pair[1] >= ranked[0][1] - CLOSE]


def repaired(query: Query, alternatives: Mapping[str, Iterable[tuple[str, float]]]) -> Query:
    """Return *query* with the *alternatives* of its terms in their places.

    Each takes the weight of the term times its likeness. What the best leaves of it stays with
    the term itself, which nothing holds: a repaired match scores below an exact one.
    """
    terms: dict[str, float] = {}
    prefixes = {term.text for term in query.terms if term.prefix}
    for term in query.terms:
        found = list(alternatives.get(term.text, ()))
        best = max((alike for _, alike in found), default=0.0)
        for text, alike in found:
            terms[text] = terms.get(text, 0.0) + term.weight * alike
        if best < 1:
            terms[term.text] = terms.get(term.text, 0.0) + term.weight * (1 - best)
    made = tuple(QueryTerm(text, weight, text in prefixes) for text, weight in terms.items())
    meant = [[text for text, _ in alternatives.get(name, ())] or [name] for name in query.names]
    return Query(query.text, made, query.characters, tuple(chain.from_iterable(meant)))
