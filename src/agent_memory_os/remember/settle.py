"""Settling: what becomes of a draft, given what was said before."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from agent_memory_os.errors import NotFound, NotPermitted
from agent_memory_os.model import Draft, Memory, Receipt, Visibility
from agent_memory_os.pure import draft as drafts
from agent_memory_os.pure import truth
from agent_memory_os.pure.truth import Judgement
from agent_memory_os.remember.judge import CHANGED, of_draft, of_memory
from agent_memory_os.remember.opinion import Opinion
from agent_memory_os.store.contract import Transaction

STORED = Judgement("stored", "nothing like it was there")
_MANY = 100  # links that are looked at, to see whether a memory was derived
_NAMED = "it was said to take the place of what was there"


def settle(
    tx: Transaction, draft: Draft, rivals: Sequence[Memory], opinion: Opinion | None = None
) -> Receipt:
    """Write *draft*, or strengthen the one of its *rivals* that says the same; return the receipt.

    The rivals are what the writer sees, and may be none; *opinion* is what a judge says of them.

    Raises:
        NotFound: something that the draft names is absent, or its owner may not see it.
        NotPermitted: it would take the place of a memory that somebody else owns.
    """
    by_id = {memory.id: memory for memory in rivals}
    named = _named(tx, draft)
    decision = decide(draft, rivals, opinion) if rivals else STORED
    if decision.merged and draft.merge and draft.key is None and not named:
        merged = _strengthened(tx, draft, [by_id[each] for each in decision.merged])
        if merged is not None:
            merged = record(tx, merged, STORED, draft.evidence)
            why = f"{decision.why}{drafts.stays(draft, merged)}"
            return Receipt(merged, "merged", why)
    if decision.merged:  # none of them takes it in: it stands beside them
        decision = _beside(draft, rivals)
    if named:
        decision = _taking_place(decision, named)
    memory = record(tx, tx.insert(draft), decision, draft.evidence)
    return Receipt(memory, decision.verdict, decision.why, decision.superseded, decision.conflicts)


def resettle(
    tx: Transaction,
    memory: Memory,
    draft: Draft,
    rivals: Sequence[Memory],
    opinion: Opinion | None = None,
    *,
    done: str,
) -> Receipt:
    """Hold *memory*, which was there and says what *draft* does now, against the *rivals* of that.

    It never merges, and takes the place of what the draft names. *done* is what became of it, in
    words.

    Raises:
        NotFound, NotPermitted: as `settle` does.
    """
    named = _named(tx, draft)
    decision = decide(draft, rivals, opinion) if rivals else STORED
    if decision.merged:
        done = f"{done}, and says the same as {decision.merged[0]}"
        decision = _beside(draft, rivals)
    if named:
        decision = _taking_place(decision, named)
    memory = record(tx, memory, decision, draft.evidence)
    if decision.superseded or decision.conflicts:
        done = f"{done}; {decision.why}"
    return Receipt(memory, decision.verdict, done, decision.superseded, decision.conflicts)


def decide(draft: Draft, rivals: Sequence[Memory], opinion: Opinion | None) -> Judgement:
    """Return what the judge decided of *draft*; what the rules do, where it did not."""
    if opinion is None:
        return arbitrate(draft, rivals)
    if not opinion.stands(rivals):
        return _noted(arbitrate(draft, rivals), CHANGED)
    if opinion.said is not None:
        return Judgement(*opinion.said)
    by_rules = arbitrate(draft, rivals)
    if not opinion.problem:
        return by_rules
    return _noted(by_rules, f"the judge {opinion.problem}, so the rules decided")


def _beside(draft: Draft, rivals: Sequence[Memory]) -> Judgement:
    """Return what the rules decide of *draft* where it stands beside what says the same."""
    same = arbitrate(draft, rivals).merged  # all of it, of which a judge may have named some
    return arbitrate(draft, [each for each in rivals if each.id not in same])


def _taking_place(decision: Judgement, named: Sequence[str]) -> Judgement:
    """Return *decision* with what was named to be superseded."""
    others = tuple(each for each in decision.superseded if each not in named)
    return replace(decision, verdict="superseded", why=_NAMED, superseded=(*named, *others))


def _noted(decision: Judgement, note: str) -> Judgement:
    return replace(decision, why=f"{decision.why}; {note}")


def arbitrate(draft: Draft, rivals: Iterable[Memory]) -> Judgement:
    """Return what the rules decide of *draft*."""
    return truth.arbitrate(of_draft(draft), [of_memory(memory) for memory in rivals])


def record(
    tx: Transaction, memory: Memory, decision: Judgement, evidence: Sequence[str] = ()
) -> Memory:
    """Link *memory*, which was written, with what it supersedes, contradicts and corroborates.

    Return it as it is then: with *evidence* that ends it ends, too.
    """
    by = memory.owner
    for older in decision.superseded:
        tx.supersede(memory.id, older, by=by)
    linked: Mapping[str, Iterable[str]] = {
        "contradicts": decision.conflicts,
        "corroborates": decision.corroborates,
        "derived_from": evidence,
    }
    for relation, others in linked.items():
        for other in others:
            tx.link(memory.id, other, relation=relation, weight=1.0, by=by)
    if not evidence:
        return memory
    (now,) = tx.read([memory.id], Visibility(by, tx.now_ms, timeless=True))
    return now


def _strengthened(tx: Transaction, draft: Draft, twins: Iterable[Memory]) -> Memory | None:
    """Return the oldest of *twins* that takes the draft in, strengthened; None when none does.

    Evidence joins only what was derived already: what was written by hand must not go with it.
    """
    for twin in sorted(twins, key=lambda memory: memory.id):
        merged = truth.strengthened(twin, draft)
        if merged is not None and (not draft.evidence or _is_derived(tx, twin)):
            return tx.replace(merged, by=draft.owner, kind="merge")
    return None


def _is_derived(tx: Transaction, memory: Memory) -> bool:
    steps = tx.steps(
        [memory.id], Visibility(memory.owner, tx.now_ms), relations=["derived_from"], most=_MANY
    )
    return any(step.out for step in steps)


def _named(tx: Transaction, draft: Draft) -> tuple[str, ...]:
    """Return what the draft is said to supersede; and check that its evidence is there."""
    if not draft.supersedes and not draft.evidence:
        return ()
    wanted = [*draft.supersedes, *draft.evidence]
    seen = {each.id: each for each in tx.read(wanted, drafts.reader(draft, tx.now_ms))}
    for each in wanted:
        if each not in seen:
            raise NotFound(f"there is no memory {each!r}")
    for each in draft.supersedes:
        if seen[each].owner != draft.owner:
            raise NotPermitted(
                f"agent {draft.owner!r} may not supersede memory {each!r}: only its owner may"
            )
        if seen[each].subject != draft.subject:
            raise NotPermitted(
                f"memory {each!r} is about {seen[each].subject!r}, and what supersedes it must be"
            )
    return draft.supersedes
