"""Widening: a query also looks, at less weight, for words that mean much the same."""

from dataclasses import replace

from agent_memory_os.pure.text import Query, QueryTerm
from agent_memory_os.pure.thesaurus import related

WEIGHT = 0.6  # of a related word, times its own in the thesaurus (docs/benchmarks.md)
MOST_RELATED = 64  # of one query


def widened(query: Query) -> Query:
    """Return *query* with the words that `pure.thesaurus` relates to its own behind them.

    A word that was asked for itself stays as it is; of a word that several are related to the
    heaviest counts.
    """
    asked = {term.text for term in query.terms}
    more: dict[str, QueryTerm] = {}
    for term in query.terms:
        if term.prefix:
            continue
        for word, weight in related(term.text):
            added = QueryTerm(word, WEIGHT * weight * term.weight, of=term.text)
            if word not in asked and added.weight > more.get(word, QueryTerm("", 0.0)).weight:
                more[word] = added
    return replace(query, terms=(*query.terms, *list(more.values())[:MOST_RELATED]))
