"""The arms of a search: which there are, and what they propose together."""

# An arm joins by a line in BUILT_IN, whose order is the order in which they are asked, and one in
# BESIDE; a line in USUAL lets it answer every search that does not choose. The first of those
# asked leads: its scores are the relevance, and what it finds are the seeds of the others.

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from agent_memory_os.model import Candidate, Strategy
from agent_memory_os.noun import Noun
from agent_memory_os.providers.embedded import Embedded
from agent_memory_os.providers.lexical import Lexical
from agent_memory_os.providers.protocol import Arm, Search
from agent_memory_os.providers.recent import Recent
from agent_memory_os.providers.resonance import Resonance
from agent_memory_os.pure.activation import either
from agent_memory_os.pure.text import Query
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Snapshot

LEXICAL, VECTOR = Lexical(), Embedded.name
BUILT_IN: dict[str, Callable[[Settings], Arm]] = {
    "lexical": lambda _: LEXICAL,
    VECTOR: Embedded,
    "resonance": Resonance,
    "recent": Recent,
}
BESIDE: dict[str, Callable[[Settings], float]] = {  # what each is worth when another leads
    VECTOR: lambda settings: settings.vector_weight,
    "resonance": lambda _: 0.5,
    "recent": lambda _: 0.1,
}
SEEDED = {"resonance"}  # what they find depends on what the leader found
USUAL = ("lexical", "resonance")
WITH_VECTORS = ("lexical", VECTOR, "resonance")  # of a client that has vectors
WITHOUT_QUERY = ("recent",)
STRATEGIES: dict[Strategy, tuple[str, ...]] = {
    "hybrid": USUAL,
    "keyword": ("lexical",),
    "vector": (VECTOR,),
    "resonance": ("resonance",),
}
_SHORT_QUERY, _LONG_QUERY = 2, 16  # terms

Proposal = tuple[str, Sequence[Candidate]]  # by which arm


class Proposed(Noun):
    """What the arms propose.

    Attributes:
        together: the candidates of all arms, with their relevance, in no order.
        by_arm: the candidates of each arm, as it said them.
        counts: how many each has proposed, those included that are too little of an answer.
        degraded: what was not as it should be, in sentences.
    """

    together: Sequence[Candidate]
    by_arm: Mapping[str, Sequence[Candidate]]
    counts: Mapping[str, int]
    degraded: tuple[str, ...] = ()


def propose(
    names: Sequence[str],
    outside: Sequence[Proposal],
    search: Search,
    snapshot: Snapshot,
    settings: Settings,
) -> Proposed:
    """Return what the arms of *names* propose, and what was proposed from *outside*, fused.

    Args:
        names: arms of `BUILT_IN`, at least one.
        outside: what providers of the host proposed, as far as the reader may see it.
        search: what is looked for.
        snapshot: where the arms read.
        settings: the numbers.
    """
    leader, *others = (BUILT_IN[name](settings) for name in BUILT_IN if name in names)
    led = leader.candidates(search, snapshot)
    counts = {leader.name: len(led)}
    if others and leader is LEXICAL and is_beside_the_point(led, search.query, settings):
        led = ()
    proposals: list[tuple[str, Sequence[Candidate], float]] = [(leader.name, led, 1.0)]
    for arm in others:
        worth = BESIDE[arm.name](settings)
        is_of_use = worth > 0 and (led or arm.name not in SEEDED)
        if is_of_use and search.has_time_for(arm.name):
            found = arm.candidates(replace(search, seeds=led), snapshot)
            proposals.append((arm.name, found, worth))
    if settings.foreign_weight > 0:
        proposals += [(name, proposed, settings.foreign_weight) for name, proposed in outside]
    counts.update((name, len(proposed)) for name, proposed, _ in proposals[1:])
    by_arm = {name: proposed for name, proposed, _ in proposals if proposed}
    degraded = tuple(why for arm in (leader, *others) for why in arm.degraded)
    return Proposed(_together(proposals), by_arm, counts, degraded)


def _together(proposals: Sequence[tuple[str, Sequence[Candidate], float]]) -> Sequence[Candidate]:
    """Return the candidates of all, each with what the arms make of it together.

    What has two scores has more than either, and less than their sum; so an arm that says nothing
    of a memory takes nothing from it.
    """
    _, led, _ = proposals[0]
    if not any(proposed for _, proposed, _ in proposals[1:]):
        return led
    relevance = dict(led)
    for _, proposed, weight in proposals[1:]:
        for memory_id, score in proposed:
            relevance[memory_id] = either(relevance.get(memory_id, 0.0), weight * score)
    return [Candidate(*pair) for pair in relevance.items()]


def is_beside_the_point(matched: Sequence[Candidate], query: Query, settings: Settings) -> bool:
    """Whether even the best match holds so little of the query that it answers something else.

    A long query, such as a pasted page, is never held to that: no memory holds most of it. Nor are
    one or two words, which a memory holds or not. Words that name a time are not counted.
    """
    if not matched or matched[0].score >= settings.abstain_below:
        return False
    return _SHORT_QUERY < sum(term.is_missed for term in query.terms) <= _LONG_QUERY
