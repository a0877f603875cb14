"""Hearing: what a judge of the host says of a draft, asked while nothing is locked."""

import inspect
from collections.abc import Sequence
from typing import Any

from agent_memory_os.model import Draft, Memory, Verdict, Visibility
from agent_memory_os.pure import draft as drafts
from agent_memory_os.pure import truth
from agent_memory_os.pure.truth import Assertion, Judgement
from agent_memory_os.remember.opinion import Ids, Judging, Opinion, shown
from agent_memory_os.store.contract import Snapshot, Store

Said = tuple[Verdict, str, Ids, Ids, Ids, Ids]

CHANGED = "what the judge was shown changed meanwhile, so the rules decided"
_MOST_WHY = 500  # characters of what a judge says


def hear(judging: Judging, store: Store, draft: Draft, *, without: str = "") -> Opinion:
    """Return what a judge says of *draft*, given what its owner sees at that moment.

    It is asked only if there are rivals, besides the memory *without* and what its key names, and
    if they have a say: what was rejected is not weighed, nor what its key says already. If the
    rivals change meanwhile, it is asked once more. Nothing is raised.
    """
    opinion = _heard(judging, store, draft, without)
    if opinion.said is None:
        return opinion
    with store.read() as snapshot:
        rivals = rivals_of(snapshot, draft, judging.now_ms, without=without)
    return opinion if opinion.stands(rivals) else _heard(judging, store, draft, without)


def _heard(judging: Judging, store: Store, draft: Draft, without: str) -> Opinion:
    with store.read() as snapshot:
        if not draft.override and snapshot.rejected(draft) is not None:
            return Opinion(())
        found = snapshot.rivals(draft, Visibility(draft.owner, judging.now_ms))
    rivals = _others(found, draft, without)
    if not rivals or any(_is_said_by_its_key(each, draft) for each in found):
        return Opinion(())
    said, others = of_draft(draft), [of_memory(rival) for rival in rivals]
    try:
        answer = judging.judge(said, others)
    except Exception as error:  # it is the host's: whatever it raises breaks no write
        return Opinion(shown(rivals), None, f"raised {_kind(error)}")
    return Opinion(shown(rivals), *_checked(answer, said, others))


def rivals_of(
    snapshot: Snapshot, draft: Draft, now_ms: int, *, without: str = ""
) -> Sequence[Memory]:
    """Return the rivals of *draft* that its owner sees, but for the memory *without*.

    Nor is what its key names a rival: the draft takes the place of that.
    """
    return _others(snapshot.rivals(draft, Visibility(draft.owner, now_ms)), draft, without)


def _others(found: Sequence[Memory], draft: Draft, without: str) -> Sequence[Memory]:
    return [each for each in found if each.id != without and not _is_named(each, draft)]


def _is_said_by_its_key(rival: Memory, draft: Draft) -> bool:
    """Return whether *rival* has the key of *draft*, and asserts the same: nothing is decided."""
    asserts = (draft.content, draft.layer, draft.entity, draft.attribute)
    return _is_named(rival, draft) and drafts.asserted(rival) == asserts


def _is_named(rival: Memory, draft: Draft) -> bool:
    named = (draft.owner, draft.key)
    return draft.key is not None and (rival.owner, rival.key) == named


def _checked(
    answer: object, draft: Assertion, rivals: Sequence[Assertion]
) -> tuple[Said | None, str]:
    """Return what *answer* says, or why it says nothing."""
    if inspect.iscoroutine(answer):
        answer.close()
        return None, "returned a coroutine, and must be a plain function"
    if not isinstance(answer, Judgement):
        return None, f"returned a {type(answer).__name__[:60]}, and no Judgement"
    parts = (answer.merged, answer.superseded, answer.conflicts, answer.corroborates)
    if not all(isinstance(part, tuple | list) for part in parts):
        return None, "named rivals by something else than a tuple"
    merged, superseded, conflicts, corroborates = (tuple(part) for part in parts)
    problem = _fault(answer, (merged, superseded, conflicts, corroborates), draft, rivals)
    if problem:
        return None, problem
    why = " ".join(answer.why.split())[:_MOST_WHY].encode(errors="replace").decode()
    why = f"the judge decided: {why}" if why else "the judge decided so"
    return (answer.verdict, why, merged, superseded, conflicts, corroborates), ""


def _fault(
    answer: Judgement,
    parts: Sequence[tuple[Any, ...]],
    draft: Assertion,
    rivals: Sequence[Assertion],
) -> str:
    merged, superseded, conflicts, corroborates = parts
    if not isinstance(answer.why, str):
        return "gave no reason in words"
    named = [each for part in parts for each in part]
    by_id = {rival.id: rival for rival in rivals}
    if not all(isinstance(each, str) and each in by_id for each in named):
        return "named what is no rival"
    if len(set(named)) < len(named):
        return "named a rival twice"
    fits = {
        "merged": bool(merged) and not superseded and not conflicts,
        "superseded": bool(superseded) and not merged,
        "conflict": bool(conflicts) and not merged and not superseded,
        "stored": not (merged or superseded or conflicts),
    }
    if not isinstance(answer.verdict, str) or not fits.get(answer.verdict, False):
        return "gave a verdict that does not fit what it named"
    if any(by_id[each].owner != draft.owner for each in (*superseded, *merged)):
        return "let one owner's word take the place of another's"
    if any(by_id[each].owner == draft.owner for each in corroborates):
        return "let an owner corroborate itself"
    if not all(truth.weigh(draft, by_id[each]).relation == "duplicate" for each in merged):
        return "merged what does not say the same"
    return ""


def _kind(error: Exception) -> str:
    """Return the class of *error*, and none of its words, which may hold what was said."""
    return type(error).__name__[:60]


def of_draft(draft: Draft) -> Assertion:
    """Return what *draft* asserts."""
    return Assertion(
        draft.content,
        draft.owner,
        "",
        draft.type,
        draft.layer,
        draft.subject,
        draft.entity,
        draft.attribute,
        draft.actor,
        draft.occurred_ms,
        draft.confidence,
    )


def of_memory(memory: Memory) -> Assertion:
    """Return what *memory* asserts."""
    return Assertion(
        memory.content,
        memory.owner,
        memory.id,
        memory.type,
        memory.layer,
        memory.subject,
        memory.entity,
        memory.attribute,
        memory.actor,
        memory.occurred_ms,
        memory.confidence,
    )
