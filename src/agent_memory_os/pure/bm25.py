"""Exact relevance of candidates to a query, by the statistics of what the asker may see."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain
from math import log

from agent_memory_os.pure.stored import count_terms, needle
from agent_memory_os.pure.text import Query

K1 = 0.9  # how soon repetition stops counting
B = 0.4  # how much a long text is held to account, 0 to 1
CHARACTER_WEIGHT = 0.7
TIMELESS = 0.9  # of the share of what does not name the time that the query names
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
        frequencies: how many visible rows hold a term, where the candidates are only the best;
            for what is not in it, their share of the candidates stands for that of all.

    Attributes:
        held: the terms that a candidate holds, or another visible row.

    Source: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond",
        2009, with idf = log(1 + (N - df + 0.5) / (df + 0.5)).
    """

    def __init__(
        self,
        query: Query,
        documents: Sequence[str],
        *,
        rows: int,
        mean_terms: float,
        frequencies: Mapping[str, float] | None = None,
    ) -> None:
        self.words = len(query.terms)  # of the parts; the rest are single characters
        self._index = {term.text: part for part, term in enumerate(query.terms)}
        needles = [(part, needle(term)) for part, term in enumerate(query.terms)]
        self._inside = [(part, sought) for part, sought in needles if not sought.endswith(" ")]
        self._characters = list(enumerate(query.characters, self.words))
        self.counts = [self.counts_of(document) for document in documents]
        self.lengths = [count_terms(document) for document in documents]
        self.mean_terms = mean_terms or sum(self.lengths) / (len(self.lengths) or 1) or 1.0
        total = max(rows, len(documents), _FEWEST_ROWS)
        found: Mapping[int, float] = Counter(chain.from_iterable(self.counts))
        self.held = {text for text, part in self._index.items() if found[part]}
        if frequencies is not None:
            self.held.update(text for text, rows_ in frequencies.items() if rows_)
            found = self._among_all(found, frequencies, total)
        weights = [
            *(term.weight for term in query.terms),
            *[CHARACTER_WEIGHT] * len(query.characters),
        ]
        self.weights = [
            weight * log(1 + (total - found[part] + 0.5) / (found[part] + 0.5))
            for part, weight in enumerate(weights)
        ]
        # What is only related adds to a score, and is not missed where it is absent.
        weighed = [*zip(self.weights, query.terms, strict=False)]
        self.most = sum(self.weights) - sum(weight for weight, term in weighed if term.of)
        self._times = {part for part, term in enumerate(query.terms) if term.says_when}
        self._timeless = self.most - sum(weight for weight, term in weighed if term.says_when)

    def _among_all(
        self, found: Mapping[int, float], frequencies: Mapping[str, float], total: int
    ) -> Mapping[int, float]:
        """Return how many of all rows hold each part, of which only the best are candidates."""
        scale = total / (len(self.counts) or 1)
        among = defaultdict(float, {part: scale * held for part, held in found.items()})
        for text in frequencies.keys() & self._index.keys():
            among[self._index[text]] = min(frequencies[text], total)
        return among

    def counts_of(self, document: str) -> dict[int, float]:
        """Return how often a document, of the candidates or not, holds each part of the query.

        Parts are the terms, then the characters; those that it does not hold are left out.
        """
        counts: dict[int, float] = {}
        for word in filter(self._index.__contains__, document.split(" ")):
            part = self._index[word]
            counts[part] = counts.get(part, 0) + 1
        if self._inside:
            padded = f" {document} "
            for part, sought in self._inside:
                count = padded.count(sought)
                if count:
                    counts[part] = count
        for part, character in self._characters:
            # Present or not: how often would count the bigrams it stands in, and ranks worse.
            if character in document:
                counts[part] = 1
        return counts

    def shares(self) -> list[float]:
        """Return BM25 of each document as a share of the most that the query can reach.

        A word that no candidate holds still counts in what could be reached; see `share_of`.
        """
        return [
            self.share_of(counts, length, self.mean_terms)
            for counts, length in zip(self.counts, self.lengths, strict=True)
        ]

    def share_of(self, counts: Mapping[int, float], length: float, usual_length: float) -> float:
        """Return the share of a document whose *counts* may be weighted sums over several.

        Words that name a time are hardly missed: it counts with them, or as if the query had none,
        whichever gives more.
        """
        if not counts or not self.most:
            return 0.0
        norm = K1 * (1 - B + B * length / usual_length)
        score = times = 0.0
        for part, count in counts.items():
            worth = self.weights[part] * count / (count + norm)
            score += worth
            if part in self._times:
                times += worth
        if not self._times:
            return score / self.most
        return max(score / self.most, TIMELESS * (score - times) / self._timeless)


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
