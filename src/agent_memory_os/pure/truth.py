"""Arbitration: what a draft does to what was said before."""

import dataclasses
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

from agent_memory_os.model import Draft, Memory, Verdict
from agent_memory_os.noun import Noun

Relation = Literal["duplicate", "update", "conflict", "unrelated"]

DOUBTED = 0.5  # a statement of less confidence takes no place of one that is believed
_SAME = "the same statement of the same owner, subject and type was there already"
SAME_OF_ANOTHER = "another owner says the same"
_NOTHING = "nothing like it was there"


class Assertion(Noun):
    """What somebody asserts: the part of a draft or a memory that arbitration looks at.

    Attributes:
        content: the text.
        owner: the agent that wrote it.
        id: of the memory; empty for a draft.
        type: an open word, such as "fact".
        layer: 0 event, 1 atom, 2 scene, 3 persona.
        subject: whom or what it is about, or None.
        entity: what has the attribute; the subject, if None.
        attribute: of what it is the value, or None.
        actor: who said it, or None.
        occurred_ms: when it happened; None for now.
        confidence: 0 to 1.
    """

    content: str
    owner: str
    id: str = ""
    type: str = "note"
    layer: int = 1
    subject: str | None = None
    entity: str | None = None
    attribute: str | None = None
    actor: str | None = None
    occurred_ms: int | None = None
    confidence: float = 1.0


class Weighing(Noun):
    """What a draft is to one rival, and why, in words for the one who wrote it."""

    relation: Relation
    why: str


class Judgement(Noun):
    """What is to become of a draft, as the rules or a `Judge` decide.

    Attributes:
        verdict: "merged", "superseded", "conflict" or "stored".
        why: one sentence on the verdict.
        merged: ids of what says the same, and may be strengthened instead; in the order given.
        superseded: ids whose place it takes.
        conflicts: ids that say otherwise, and stay.
        corroborates: ids of other owners' that say the same.
    """

    verdict: Verdict
    why: str
    merged: tuple[str, ...] = ()
    superseded: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    corroborates: tuple[str, ...] = ()


class Judge(Protocol):
    """Who decides in place of the rules, such as a model that the host asks.

    It is asked outside of every lock and transaction, when a statement is written and something
    that its writer sees may have to do with it; it may take its time, and may be called from
    several threads. What it raises, or returns that does not hold, breaks no write: the rules
    decide then, and the receipt says so.

    >>> def judge(draft: Assertion, rivals: Sequence[Assertion]) -> Judgement:
    ...     older = tuple(rival.id for rival in rivals if rival.owner == draft.owner)
    ...     return Judgement("superseded", "the last word counts", superseded=older)
    """

    def __call__(self, draft: Assertion, rivals: Sequence[Assertion], /) -> Judgement:
        """Return what is to become of *draft*, given the *rivals*, the newest first.

        Both are about the same subject. What it names must be ids of the rivals, each once:
        ``superseded`` those of the same owner; ``merged`` those of the same owner that say the very
        same by the rules too, since what is merged keeps one wording; ``corroborates`` those of
        other owners. The verdict must fit what it names.
        """
        ...


UNRELATED = Weighing("unrelated", _NOTHING)


def arbitrate(draft: Assertion, rivals: Iterable[Assertion]) -> Judgement:
    """Return what is to become of *draft*, given the *rivals* that its writer may see.

    A statement that is there already is merged, whatever else there is. Else what it updates is
    superseded, and what it contradicts stays beside it. In doubt it is stored. Who is ready to
    strengthen what was there asks `strengthened`; where none of it takes the draft in, the draft
    is arbitrated again without these.
    """
    found: dict[Relation, list[Assertion]] = {}
    why: dict[Relation, str] = {}
    for rival in rivals:
        weighing = weigh(draft, rival)
        found.setdefault(weighing.relation, []).append(rival)
        why.setdefault(weighing.relation, weighing.why)
    same = found.get("duplicate", [])
    merged = tuple(rival.id for rival in same if rival.owner == draft.owner)
    corroborates = tuple(rival.id for rival in same if rival.owner != draft.owner)
    if merged:
        return Judgement("merged", _SAME, merged=merged, corroborates=corroborates)
    superseded = tuple(rival.id for rival in found.get("update", ()))
    conflicts = tuple(rival.id for rival in found.get("conflict", ()))
    if superseded:
        return Judgement("superseded", why["update"], (), superseded, conflicts, corroborates)
    if conflicts:
        return Judgement("conflict", why["conflict"], (), (), conflicts, corroborates)
    return Judgement("stored", SAME_OF_ANOTHER if same else _NOTHING, corroborates=corroborates)


def weigh(draft: Assertion, rival: Assertion) -> Weighing:
    """Return what *draft* is to *rival*: a duplicate, an update, a conflict, or unrelated.

    Both are about the same subject, or unrelated. Events are evidence, and touch nothing.

    >>> old, new = Assertion("The deploy port is 8000", "neo"), "The deploy port is 8080"
    >>> weigh(Assertion(new, "neo"), old)
    Weighing(relation='update', why='deploy port: 8000 became 8080')
    >>> weigh(Assertion(new, "trinity"), old).relation
    'conflict'
    """
    if draft.subject != rival.subject or not (draft.layer and rival.layer):
        return UNRELATED
    if draft.attribute is not None and rival.attribute is not None:
        return _of_attributes(draft, rival)
    from agent_memory_os.pure import contest, counted  # load tables: only for who has rivals

    if not contest.probe(draft.content).touches(rival.content):
        return UNRELATED
    one_speaker = (draft.actor or draft.owner) == (rival.actor or rival.owner)
    terms = contest.Terms(draft.subject is not None, one_speaker)
    if counted.only_count(draft.content, rival.content, terms):
        return UNRELATED
    kind = (draft.type, draft.layer, draft.attribute)
    is_of_a_kind = kind == (rival.type, rival.layer, rival.attribute)
    if is_of_a_kind and contest.say_the_same(draft.content, rival.content):
        return Weighing("duplicate", _SAME)
    if draft.layer != 1 or rival.layer != 1:
        return UNRELATED
    finding = contest.contest(draft.content, rival.content, terms)
    if finding is None:
        return UNRELATED
    return (
        _settled(finding.why, draft, rival)
        if finding.kind == "update"
        else _contradicted(finding.why)
    )


def _of_attributes(draft: Assertion, rival: Assertion) -> Weighing:
    """Weigh two values of attributes: of the same one, the newer takes the older's place."""
    entity = draft.entity or draft.subject
    if (entity, draft.attribute) != (rival.entity or rival.subject, rival.attribute):
        return UNRELATED
    from agent_memory_os.pure import contest  # see `weigh`

    if contest.say_the_same(draft.content, rival.content):
        return Weighing("duplicate", _SAME)
    return _settled(f"another value of {draft.attribute!r} of {entity!r}", draft, rival)


def _contradicted(why: str) -> Weighing:
    return Weighing("conflict", why)


def _settled(why: str, draft: Assertion, rival: Assertion) -> Weighing:
    """Return an update, or a conflict where the ground between these two is not firm."""
    doubt = _doubt(draft, rival)
    return _contradicted(f"{why}; {doubt}") if doubt else Weighing("update", why)


def _doubt(draft: Assertion, rival: Assertion) -> str:
    """Return why *draft* may not take the place of *rival*, or an empty text if it may."""
    if draft.owner != rival.owner:
        return "another writer said otherwise"
    if draft.actor is not None and rival.actor is not None and draft.actor != rival.actor:
        return "another speaker said otherwise"
    times = (draft.occurred_ms, rival.occurred_ms)
    if times[0] is not None and times[1] is not None and times[0] < times[1]:
        return "it tells of an earlier time"
    if draft.confidence < DOUBTED <= rival.confidence:
        return "it is doubted, and what was there is not"
    return ""


def strengthened(memory: Memory, draft: Draft) -> Memory | None:
    """Return *memory* with what *draft* adds to it, or None when both must stand.

    The caller has found that owner, subject, type, layer and normal form are the same. Tags are
    united, importance and confidence take the larger, the mention is counted. Whatever else the
    draft says and the memory does not (metadata, actor, a moment, a window, an end, a key) makes
    it another memory, and so does a visibility that the memory lacks: merging never widens. Nor
    does it show a new tag to whom the draft would not be shown.
    """
    differs = (
        not set(draft.visibility) <= set(memory.visibility)
        or (set(draft.visibility) != set(memory.visibility) and not _has_tags(memory, draft))
        or (draft.metadata and draft.metadata != memory.metadata)
        or (draft.actor is not None and draft.actor != memory.actor)
        or (draft.occurred_ms is not None and draft.occurred_ms != memory.occurred_ms)
        or draft.valid_from_ms != memory.valid_from_ms
        or draft.valid_to_ms != memory.valid_to_ms
        or draft.ttl_ms is not None
        or memory.expires_ms is not None
        or (draft.key is not None and draft.key != memory.key)
    )
    if differs:
        return None
    return dataclasses.replace(
        memory,
        tags=tuple(dict.fromkeys((*memory.tags, *draft.tags))),
        importance=max(memory.importance, draft.importance),
        confidence=max(memory.confidence, draft.confidence),
        pinned=memory.pinned or draft.pinned,
        mentions=memory.mentions + 1,
    )


def _has_tags(memory: Memory, draft: Draft) -> bool:
    return set(draft.tags) <= set(memory.tags)
