"""What one claim does to another: an update, a contradiction, or nothing."""

from collections.abc import Sequence

from agent_memory_os.pure.claims.figures import are_alike, is_figure
from agent_memory_os.pure.claims.pieces import SILENT, SPEAKERS, Claim, Piece, keys
from agent_memory_os.pure.compare.change import by_change, differ_in_implied, value_of
from agent_memory_os.pure.compare.denial import by_denial, by_limit, is_done
from agent_memory_os.pure.compare.finding import NEGATION, Finding, conflict, text_of, update
from agent_memory_os.pure.compare.slots import (
    Slot,
    cut_alike,
    is_attribute,
    is_turned_round,
    names_a_thing,
    nature,
    parted,
    slots_of,
)
from agent_memory_os.pure.compare.values import at_slot, other_figure

_ALL = frozenset(
    "all everi ani each both somebod someon anybodi somebodi 所有 全部 任何 每个".split()
)
_KIN = frozenset(
    "be at place work report time start end expire depart".split()
)  # whatever the verb
_AMOUNTS = frozenset(("be", "cost", "change"))


def compare(new: Claim, old: Claim) -> Finding | None:
    """Return what *new* does to *old*, or None where both can stand.

    An update stands on firm ground: a cue of change about the same thing, or another value where a
    thing has one. Whether the writer is one who may replace what *old* says is not asked here.
    """
    if not SILENT.isdisjoint((new.mood, old.mood)) or new.also or old.also:
        return None
    if new.times != old.times and old.times and (new.times or not new.cue):
        return None
    if old.relation == "leave":
        return None
    if new.replaces:
        return by_change(new, old)
    if (new.mood == "past") != (old.mood == "past") and not new.cue:
        return by_denial(new, old) if is_done(new) and is_done(old) else None
    return (
        _word_by_word(new, old) or _by_frame(new, old) or by_denial(new, old) or by_limit(new, old)
    )


def _word_by_word(new: Claim, old: Claim) -> Finding | None:
    """Compare two claims that say the same but for a few places."""
    new, old = cut_alike(new, old)
    slot = parted(new, old)
    if not slot.mine and not slot.theirs:
        return _same_words(new, old)
    if not slot.mine or not slot.theirs:
        return _with_more(new, old, slot)
    if new.denied != old.denied:
        return None
    if is_turned_round(slot):
        return conflict("one says it in the opposite order")
    return _weighed(new, slots_of(slot))


def _same_words(new: Claim, old: Claim) -> Finding | None:
    if new.denied != old.denied:
        is_told = bool(new.cue) and (new.denied or not old.ended)
        return update(f'"{new.cue}": it was otherwise before') if is_told else conflict(NEGATION)
    if {new.mood, old.mood} == {"must", "may"}:
        return conflict("one says that it must be, the other that it may be")
    return None


def _with_more(new: Claim, old: Claim, slot: Slot) -> Finding | None:
    """Compare two claims of which one says more: only what denies all can touch the other."""
    extra = slot.mine or slot.theirs
    if new.denied == old.denied:
        return None
    if len(extra) == 1 and extra[0].text.lower() in _ALL:
        return conflict("negation: one says it of all, the other of none")
    is_on_terms = slot.at >= new.value > 0 and extra[0].kind == "prep"
    denies_all = bool(slot.theirs) == new.denied
    if new.ended and is_on_terms:
        why = f'"{new.cue}": it was so before'
        return update(why) if denies_all else conflict(why)
    return conflict(NEGATION) if denies_all and is_on_terms else None


def _weighed(new: Claim, slots: list[Slot]) -> Finding | None:
    """Return what the differences in *slots* amount to; each of them must mean something."""
    if sorted(piece.key for slot in slots for piece in slot.mine) == sorted(
        piece.key for slot in slots for piece in slot.theirs
    ):
        return None  # the same in another order
    natures = [nature(slot) for slot in slots]
    if "" in natures or (len(slots) > 1 and set(natures) != {"figure"}):
        return None
    if any(
        kind != "opposite" and names_a_thing(new, slot)
        for slot, kind in zip(slots, natures, strict=True)
    ):
        return None
    found = [at_slot(new, slot, kind) for slot, kind in zip(slots, natures, strict=True)]
    findings = [finding for finding in found if finding is not None]
    if len(findings) < len(slots):
        return None
    conflicts = [finding for finding in findings if finding.kind == "conflict"]
    return conflicts[0] if conflicts else findings[0]


def _by_frame(new: Claim, old: Claim) -> Finding | None:
    """Compare two claims that say in other words what a thing has one of."""
    about, other = new.about - SPEAKERS, old.about - SPEAKERS
    if new.denied or old.denied or not about or not (new.single or new.relation == "be"):
        return None
    is_same = about == other and _is_kin(new, old)
    if is_same and new.topic_kind == "attribute" and new.relation == old.relation == "be":
        return _other_attribute(new, old)
    mine, terms = value_of(new)
    theirs, other_terms = value_of(old)
    if not mine or not theirs or keys(mine) == keys(theirs):
        return None
    if _has_one_attribute(mine, theirs) and about == other and terms == other_terms:
        return other_figure(new, Slot(mine[1:2], theirs[1:2], new.value + 1), ())
    if is_same:
        return _weighed(new, [Slot(mine, theirs, new.value)]) if terms == other_terms else None
    are_amounts = {new.relation, old.relation} <= _AMOUNTS and are_alike(mine[0], theirs[0])
    if not are_amounts or mine[0].key == theirs[0].key or not differ_in_implied(about, other):
        return None
    return other_figure(new, Slot(mine[:1], theirs[:1], new.value), ())


def _other_attribute(new: Claim, old: Claim) -> Finding | None:
    """Return what it means that an attribute is said to be something else, in other words."""
    mine, theirs = keys(new.said), keys(old.said)
    says_more = mine <= theirs or theirs <= mine or "state" in (new.said[0].kind, old.said[0].kind)
    figures = [[piece.key for piece in claim.said if is_figure(piece)] for claim in (new, old)]
    if says_more or (figures[0] and figures[0] == figures[1]):
        return None
    return conflict(f"{text_of(old.said)} against {text_of(new.said)}")


def _has_one_attribute(mine: Sequence[Piece], theirs: Sequence[Piece]) -> bool:
    """Return whether both are a number of one attribute: port 80 and port 81."""
    if len(mine) != 2 or len(theirs) != 2 or mine[0].key != theirs[0].key:
        return False
    return is_attribute(mine[0]) and are_alike(mine[1], theirs[1]) and mine[1].key != theirs[1].key


def _is_kin(new: Claim, old: Claim) -> bool:
    """Return whether two relations lead to the same value of a thing."""
    if old.relation == "change":
        is_thing = new.relation != "be" or new.topic_kind in ("attribute", "tool")
        return is_thing and new.relation in old.replaces
    return new.relation == old.relation and (new.relation in _KIN or new.verb == old.verb)


__all__ = ["Finding", "compare"]
