"""Turns of a conversation lend their words to each other."""

from collections.abc import Sequence

from agent_memory_os.pure.bm25 import Scorer
from agent_memory_os.pure.stored import count_terms

# What a turn takes of the first, second and third before it, and after it. Source: measured on
# conversations (docs/benchmarks.md); a BM25F whose fields are the neighbours.
BEFORE, AFTER = (0.5, 0.315, 0.2), (0.25, 0.16, 0.1)
REACH = len(BEFORE)
WIDTH = 2 * REACH  # a neighbour of a match is a candidate, and needs neighbours of its own


def lent(scorer: Scorer, run: Sequence[str], memo: dict[str, tuple[list[int], int]]) -> list[float]:
    """Return the share of each turn of *run* with what its neighbours lend it, 0 to 1.

    Args:
        scorer: of the query.
        run: stored terms of consecutive turns, in order.
        memo: counts and lengths of documents that were met; filled further.

    Returns:
        One share a turn. Its length is the weighted sum of lengths, held against that of a turn
        among others, so that one at the beginning or end of a session, which often says what all
        of it is about, is favoured a little. Single characters are not lent: they re-rank.
    """
    usual = scorer.mean_terms * (1 + sum(BEFORE) + sum(AFTER))
    known = [memo.get(document) or _measure(scorer, document, memo) for document in run]
    shares = []
    for at in range(len(run)):
        weighted = [(at - n, w) for n, w in enumerate(BEFORE, 1) if at >= n]
        weighted += [(at + n, w) for n, w in enumerate(AFTER, 1) if at + n < len(run)]
        counts = [float(count) for count in known[at][0]]
        length = float(known[at][1])
        for place, weight in weighted:
            found, size = known[place]
            length += weight * size
            for part, count in enumerate(found[: scorer.words]):
                if count:
                    counts[part] += weight * count
        shares.append(scorer.share_of(counts, length, usual) if any(counts) else 0.0)
    return shares


def _measure(
    scorer: Scorer, document: str, memo: dict[str, tuple[list[int], int]]
) -> tuple[list[int], int]:
    memo[document] = scorer.counts_of(document), count_terms(document)
    return memo[document]
