"""Exact relevance of candidates to a query, by the statistics of what the asker may see."""

from collections.abc import Sequence
from math import log

from agent_memory_os.pure.stored import count_terms, needle
from agent_memory_os.pure.text import Query

K1 = 0.9  # how soon repetition stops counting
B = 0.4  # how much a long text is held to account, 0 to 1
CHARACTER_WEIGHT = 0.7
_BEND = 0.5
_FEWEST_ROWS = 100  # fewer say too little of how rare a word is


class Scorer:
    """BM25 of one query over its candidates; weights are fixed by what the asker sees of them.

    Args:
        query: what was asked.
        documents: stored terms of each candidate (`pure.stored`); all that share a term with
            the query, or the best of them.
        rows: rows that the asker may see; fewer than the candidates counts as the candidates.
        mean_terms: terms per visible row; 0 takes the mean of the candidates.

    Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond",
        2009, with idf = log(1 + (N - df + 0.5) / (df + 0.5)).
    """

    def __init__(
        self, query: Query, documents: Sequence[str], *, rows: int, mean_terms: float
    ) -> None:
        self.documents = documents
        self.lengths = [count_terms(document) for document in documents]
        self.mean_terms = mean_terms or sum(self.lengths) / (len(self.lengths) or 1) or 1.0
        self.words = len(query.terms)  # of the parts; the rest are single characters
        self._query = query
        self._total = max(rows, len(documents), _FEWEST_ROWS)
        self.parts = _counts(query, [f" {document} " for document in documents])
        self.weights = [self._idf(weight, counts) for weight, counts in self.parts]
        asked = [not term.of for term in query.terms] + [True] * len(query.characters)
        # What is only related adds to a score, and is not missed where it is absent.
        self.most = sum(w for w, is_asked in zip(self.weights, asked, strict=True) if is_asked)

    def _idf(self, weight: float, counts: Sequence[int]) -> float:
        found = len(counts) - counts.count(0)
        return weight * log(1 + (self._total - found + 0.5) / (found + 0.5))

    def shares(self) -> list[float]:
        """Return BM25 of each document as a share of the most that the query can reach, 0 to 1.

        A word that no candidate holds still counts in what could be reached.
        """
        norms = [K1 * (1 - B + B * length / self.mean_terms) for length in self.lengths]
        scores = [0.0] * len(self.documents)
        for (_, counts), idf in zip(self.parts, self.weights, strict=True):
            for at, count in enumerate(counts):
                if count:
                    scores[at] += idf * count / (count + norms[at])
        return [score / self.most for score in scores] if self.most else scores

    def counts_of(self, document: str) -> list[int]:
        """Return how often a document, of the candidates or not, holds each part of the query."""
        return [counts[0] for _, counts in _counts(self._query, [f" {document} "])]

    def share_of(self, counts: Sequence[float], length: float, usual_length: float) -> float:
        """Return the share of a document whose *counts* are weighted sums over several fields."""
        norm = K1 * (1 - B + B * length / usual_length)
        score = sum(
            idf * count / (count + norm)
            for idf, count in zip(self.weights, counts, strict=True)
            if count
        )
        return score / self.most if self.most else 0.0


def bounded(share: float) -> float:
    """Return 1.5 s / (s + 0.5) of a *share* s: 0.75 for a half, and never so flat as to tie."""
    return min((1 + _BEND) * share / (share + _BEND), 1.0)


def relevance(
    query: Query, documents: Sequence[str], *, rows: int, mean_terms: float
) -> list[float]:
    """Return how well each of *documents* answers *query*, a number in [0, 1].

    Arguments as for `Scorer`. The order is that of BM25; a text of mean length that holds every
    word once reaches 0.77.
    """
    scorer = Scorer(query, documents, rows=rows, mean_terms=mean_terms)
    return [bounded(share) for share in scorer.shares()]


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
