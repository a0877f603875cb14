"""Ranks as relevance, for those whose scores cannot be compared."""

from collections.abc import Iterable

from agent_memory_os.model import Candidate

RANK_CONSTANT = 60


def reciprocal_ranks(ids: Iterable[str]) -> list[Candidate]:
    """Return candidates for *ids*, the best first, whose relevance says their rank alone.

    For a provider whose own scores mean nothing beside those of others, such as distances without
    a bound. An id that comes again keeps its first place.

    >>> [(each.id, round(each.score, 3)) for each in reciprocal_ranks(["a", "b", "c"])]
    [('a', 1.0), ('b', 0.984), ('c', 0.968)]

    Returns:
        (k + 1) / (k + rank), k = 60: 1 for the first, a half for the 62nd.

    Source: Cormack, Clarke and Büttcher, "Reciprocal rank fusion outperforms Condorcet and
        individual rank learning methods", 2009; scaled so that the first has 1.
    """
    ranked = enumerate(dict.fromkeys(ids), 1)
    return [Candidate(each, (RANK_CONSTANT + 1) / (RANK_CONSTANT + rank)) for rank, each in ranked]
