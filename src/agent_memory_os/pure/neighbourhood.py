"""Turns of a conversation lend their words to each other."""

from collections.abc import Sequence
from functools import cache

from agent_memory_os.pure.bm25 import Scorer
from agent_memory_os.pure.stored import count_terms

# What a turn takes of the first, second and third before it, and after it. Source: measured on
# conversations (docs/benchmarks.md); a BM25F whose fields are the neighbours.
BEFORE, AFTER = (0.5, 0.315, 0.2), (0.25, 0.16, 0.1)
REACH = len(BEFORE)
WIDTH = 2 * REACH  # a neighbour of a match is a candidate, and needs neighbours of its own


Memo = dict[str, tuple[dict[int, float], int]]  # counts and length, by stored terms


def lent(scorer: Scorer, run: Sequence[str], places: range, memo: Memo) -> list[float]:
    """Return the share of turns of *run* with what their neighbours lend them, 0 to 1.

    Args:
        scorer: of the query.
        run: stored terms of consecutive turns, in order.
        places: which of them are wanted.
        memo: what is known of documents that were met; filled further.

    Returns:
        One share a place. The length of a turn is the weighted sum of lengths, held against that
        of a turn among others, so that one at the beginning or end of a session, which often says
        what all of it is about, is favoured a little. Single characters are not lent: they re-rank.
    """
    known = [memo.get(document) or _measure(scorer, document, memo) for document in run]
    usual = scorer.mean_terms * (1 + sum(BEFORE) + sum(AFTER))
    shares = []
    for at in places:
        own, size = known[at]
        counts, length = dict(own), float(size)
        for place, weight in _neighbours(at, len(run)):
            found, size = known[place]
            length += weight * size
            for part, count in found.items():
                if part < scorer.words:
                    counts[part] = counts.get(part, 0.0) + weight * count
        shares.append(scorer.share_of(counts, length, usual))
    return shares


@cache  # runs are short
def _neighbours(at: int, turns: int) -> tuple[tuple[int, float], ...]:
    """Return the places around *at* in a run of so many *turns*, and what each lends."""
    before = [(at - n, weight) for n, weight in enumerate(BEFORE, 1) if at >= n]
    after = [(at + n, weight) for n, weight in enumerate(AFTER, 1) if at + n < turns]
    return (*before, *after)


def _measure(scorer: Scorer, document: str, memo: Memo) -> tuple[dict[int, float], int]:
    memo[document] = scorer.counts_of(document), count_terms(document)
    return memo[document]
