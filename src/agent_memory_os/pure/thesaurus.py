"""The words that may stand for a word, for a memory that says it otherwise than the question."""

from functools import cache

from agent_memory_os.pure.irregular import IRREGULAR
from agent_memory_os.pure.stem import stem
from agent_memory_os.pure.synonyms import CHINESE, ENGLISH

MOST_RELATED = 16
# What a match of another word is worth, of a match of the word itself, by the mark of their line.
WEIGHTS = {"=": 0.5, "~": 0.4, ">": 0.3}
_START = 2  # letters that a word and its stem have in common

Line = tuple[str, list[str]]  # a mark, and the words that a first word reaches
Group = tuple[float, list[str]]  # what each is worth, and their terms


def related(word: str) -> tuple[tuple[str, float], ...]:
    """Return the index terms that may stand for *word*, each with its weight.

    Synonyms are related both ways. A general word is related to its kinds, and none of them to it.

    Args:
        word: the stem of an English word, or the word in lower case; what may be either, as
            "recover" may be the stem of "recovery", is taken as a stem. Or a Chinese word of two
            characters.

    Returns:
        At most 16 pairs, the heaviest first, then as the table has them; weights are in (0, 1].
        The term of *word* is not among them. Empty for a word that the table does not have.

    >>> related("purchase")[0]
    ('bui', 0.5)
    >>> related("parent")[0]
    ('mother', 0.3)
    """
    own, groups = word, _reached(word)
    if not groups:
        own = _term(word)
        groups = _reached(own)
    if not groups:
        return ()
    weights: dict[str, float] = {}
    for weight, terms in groups:
        for term in terms:
            weights[term] = max(weight, weights.get(term, 0.0))
    weights.pop(own, None)
    heaviest = sorted(weights.items(), key=lambda pair: -pair[1])
    return tuple(heaviest[:MOST_RELATED])


def _reached(term: str) -> list[Group]:
    start = term[:_START]
    return _groups(start).get(term, []) if start in _lines() else []


@cache  # by the start, since to stem every word of the table takes 20 ms
def _groups(start: str) -> dict[str, list[Group]]:
    """Return by their terms what the first words that begin with *start* reach."""
    found: dict[str, list[Group]] = {}
    for first, (mark, words) in _lines()[start]:
        found.setdefault(_term(first), []).append((WEIGHTS[mark], [*map(_term, words)]))
    return found


@cache  # not at import: a program that never asks does not pay for it
def _lines() -> dict[str, list[tuple[str, Line]]]:
    """Return each first word with its line, by the letters that its term begins with."""
    found: dict[str, list[tuple[str, Line]]] = {}
    for text in f"{ENGLISH}{CHINESE}".split("\n"):
        mark, *words = text.split() or ("",)
        if mark not in WEIGHTS:
            continue
        firsts = words if mark == "=" else words.pop(0).split("/")
        for first in firsts:
            start = IRREGULAR.get(first, first)[:_START]
            found.setdefault(start, []).append((first, (mark, words)))
    return found


def _term(word: str) -> str:
    """Return the term of *word*, a plain one or a compound, without the cost of the analyser."""
    return stem(word) if word.isascii() and word.isalpha() else word
