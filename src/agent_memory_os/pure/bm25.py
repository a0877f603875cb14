"""Exact relevance of candidates to a query, by the statistics of what the asker may see."""

from collections.abc import Sequence
from math import log

from agent_memory_os.pure.stored import count_terms, needle
from agent_memory_os.pure.text import Query

K1 = 0.9  # how soon repetition stops counting
B = 0.4  # how much a long text is held to account, 0 to 1
CHARACTER_WEIGHT = 0.7
_STEEPNESS = 4


def relevance(
    query: Query, documents: Sequence[str], *, rows: int, mean_terms: float
) -> list[float]:
    """Return how well each of *documents* answers *query*, a number in [0, 1].

    Args:
        query: what was asked.
        documents: stored terms of each candidate (`pure.stored`); all that share a
            term with the query, or the best of them.
        rows: rows that the asker may see; fewer than the candidates counts as the candidates.
        mean_terms: terms per visible row; 0 takes the mean of the candidates.

    Returns:
        BM25 as a share s of the most that the query can reach, as 1 - (1 - s)⁴: nearly linear
        near 0, 0.95 where every word is found once in a text of mean length. The order is that
        of BM25. A word that no candidate holds still counts in what could be reached.

    Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond",
        2009, with idf = log(1 + (N - df + 0.5) / (df + 0.5)).
    """
    if not documents:
        return []
    padded = [f" {document} " for document in documents]
    lengths = [count_terms(document) for document in documents]
    mean = mean_terms or sum(lengths) / len(lengths) or 1.0
    norms = [K1 * (1 - B + B * length / mean) for length in lengths]
    total = max(rows, len(documents))
    scores = [0.0] * len(documents)
    most = 0.0
    for weight, counts in _counts(query, padded):
        found = [(at, count) for at, count in enumerate(counts) if count]
        idf = weight * log(1 + (total - len(found) + 0.5) / (len(found) + 0.5))
        most += idf
        for at, count in found:
            scores[at] += idf * count / (count + norms[at])
    if not most:
        return scores
    return [1 - (1 - score / most) ** _STEEPNESS for score in scores]


def _counts(query: Query, padded: list[str]) -> list[tuple[float, Sequence[int]]]:
    """Return for each part of *query* its weight, and how often each document holds it."""
    parts: list[tuple[float, Sequence[int]]] = []
    for term in query.terms:
        part = needle(term)
        counts = [document.count(part) for document in padded]
        if part.endswith(" "):
            _count_neighbours(term.text, padded, counts)
        parts.append((term.weight, counts))
    for character in query.characters:
        # Present or not: how often would count the bigrams that it stands in, and ranks worse.
        parts.append((CHARACTER_WEIGHT, [character in document for document in padded]))
    return parts


def _count_neighbours(term: str, padded: list[str], counts: list[int]) -> None:
    """Correct *counts* where *term* stands twice in a row: the two share a space."""
    twice = f" {term} {term} "
    for at, count in enumerate(counts):
        if count and twice in padded[at]:
            counts[at] = padded[at].split(" ").count(term)
