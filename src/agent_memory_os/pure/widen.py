"""Widening: a query also looks for words that mean much the same, and for compounds of its own."""

import re
from collections.abc import Iterator
from itertools import islice, pairwise

from agent_memory_os.pure.stem import stem
from agent_memory_os.pure.stopwords import STOP_WORDS
from agent_memory_os.pure.text import Query, QueryTerm
from agent_memory_os.pure.thesaurus import related

WEIGHT = 0.6  # of a related word, times its own in the thesaurus (docs/benchmarks.md)
JOINED = 1.0  # of two words written as one
MOST_RELATED, MOST_JOINED = 64, 16  # of one query

_PIECES = re.compile("[a-z]+|[^a-z ]+")
_SHORTEST_PART = 3  # letters


def widened(query: Query) -> Query:
    """Return *query* with the words that `pure.thesaurus` relates to its own behind them.

    With them stand its compounds (see `joined`). A word that was asked for itself stays as it is;
    of a word that several are related to the heaviest counts.
    """
    asked = {term.text for term in query.terms}
    compounds = islice((word for word in joined(query.text) if word not in asked), MOST_JOINED)
    more = {word: QueryTerm(word, JOINED, of=word) for word in compounds}
    for term in query.terms:
        if term.prefix or term.says_when:
            continue
        for word, weight in related(term.text):
            added = QueryTerm(word, WEIGHT * weight * term.weight, of=term.text)
            if word not in asked and added.weight > more.get(word, QueryTerm("", 0.0)).weight:
                more[word] = added
    if not more:
        return query
    terms = *query.terms, *list(more.values())[:MOST_RELATED]
    return Query(query.text, terms, query.characters, query.names)


def joined(text: str) -> Iterator[str]:
    """Yield the index terms of neighbouring words of *text* written as one.

    >>> [*joined("Who wrote on the white board?")]
    ['whiteboard']
    """
    for first, second in pairwise(_PIECES.findall(text.lower())):
        if first in STOP_WORDS or min(len(first), len(second)) < _SHORTEST_PART:
            continue
        together = first + second
        if together.isascii() and together.isalpha():
            yield stem(together)
