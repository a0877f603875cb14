"""What it means that two claims, else the same, differ in one place."""

import re
from collections.abc import Sequence

from agent_memory_os.pure.claims.english_relation import keys_of
from agent_memory_os.pure.claims.figures import TIMES, is_figure
from agent_memory_os.pure.claims.pieces import Claim, Piece
from agent_memory_os.pure.compare.finding import Finding, became, conflict, text_of, update
from agent_memory_os.pure.compare.slots import Slot, end_alike
from agent_memory_os.pure.opposites import PHASES

_PLACES = frozenset("at place work desk host".split())
_MEANS = frozenset("with by in via as through every each per 按".split())
_WITH = frozenset("with via through".split())
_ADDRESS = frozenset("/.@\\")
_BOUNDS = frozenset("minimum maximum least most 最低 最高 至少 最多 最少".split())
_LANGUAGES = frozenset(
    "arabic bengali bulgarian cantonese catalan chinese croatian czech danish dutch english"
    " estonian farsi finnish french german greek hebrew hindi hungarian indonesian irish italian"
    " japanese korean latin latvian lithuanian malay mandarin norwegian persian polish portuguese"
    " punjabi romanian russian serbian slovak slovenian spanish swahili swedish tamil thai turkish"
    " ukrainian urdu vietnamese welsh".split()
)
_TEAMS = ("组", "部", "部门", "团队", "班")
_HABITS = frozenset("drink eat wear take".split())
_HAN_LANGUAGE = re.compile(
    "[英法德日俄韩中汉意西葡阿泰越印荷][语文]|西班牙语|葡萄牙语|阿拉伯语|意大利语|普通话|粤语"
)
_STRONG = ("instead", "改", "换", "转")  # cues that put the one in the place of the other
_PERSON = re.compile("[小阿].\\Z|老[^师板婆公家]\\Z|用户|.*[先女]生\\Z")
_EVERYBODY = frozenset("everyone everybody anyone anybody nobody all".split())
_EVERYBODY |= frozenset("所有人 任何人 大家 人人 没有人 没人".split())


def at_slot(new: Claim, slot: Slot, nature: str) -> Finding | None:
    """Return what it means that *new* and an older claim differ in *slot*, by its *nature*."""
    if any(piece.kind == "sub" for piece in new.pieces[: slot.at]):
        return None  # why, when, or on what terms
    if _is_in_language(new, slot):
        return Finding("update" if new.cue else "conflict", _against(slot))
    if slot.at < new.head or (new.head < 0 and slot.at == 0):
        return _in_topic(new, slot, nature)
    if slot.at < new.value and slot.mine[0].kind != "prep":
        return _at_verb(new, slot, nature)
    terms = [piece for piece in new.pieces[new.value : slot.at] if not is_figure(piece)]
    if nature == "figure":
        return other_figure(new, slot, terms)
    if new.denied and not new.old:
        return None  # two things may both be forbidden
    is_direct = all(piece.kind != "prep" or piece.key == "of" for piece in terms)
    if nature in ("opposite", "scale"):
        return _opposite(new, slot, is_direct=is_direct)
    if new.old:
        is_old = new.old == tuple(piece.key for piece in slot.theirs)
        return update(_became(new, slot)) if is_old else None
    return None if nature == "state" else _other_value(new, slot, nature, is_direct=is_direct)


def is_person(claim: Claim) -> bool:
    """Return whether *claim* may be about a person, who is many things and in many places."""
    first = claim.pieces[0].text
    return not claim.topic_kind and (first.isascii() or _PERSON.match(first) is not None)


def _became(new: Claim, slot: Slot) -> str:
    return became(new, slot.at, slot.theirs, slot.mine)


def _against(slot: Slot) -> str:
    return f"{text_of(slot.theirs)} against {text_of(slot.mine)}"


def _in_topic(new: Claim, slot: Slot, nature: str) -> Finding | None:
    """Two topics are two things, but for a count, a version in use, and who leads."""
    is_whole = slot.at == 0 and slot.end == new.head
    if nature == "figure":
        is_current = new.topic_kind == "version"
        return conflict(_against(slot)) if is_current or _is_count(new, slot) else None
    if new.topic_kind == "heading" and is_whole:
        return Finding("update" if new.cue else "conflict", _against(slot))
    return conflict(_against(slot)) if _is_of_all(slot, nature) else None


def _is_count(new: Claim, slot: Slot) -> bool:
    """Return whether *slot* counts what *new* is about: 3 replicas are running."""
    kind = slot.mine[0].kind
    if slot.at or not kind.startswith("number:") or new.mood == "past" or new.head == 0:
        return False
    follows = new.pieces[1].text if len(new.pieces) > 1 else ""
    return len(slot.mine) == 1 and (follows.isascii() or kind != "number:")  # else a name: 22端口


def _is_of_all(slot: Slot, nature: str) -> bool:
    """Return whether one speaks of everybody, and the other of nobody, or only of some."""
    both = {piece.text.lower() for piece in (*slot.mine[:1], *slot.theirs[:1])}
    return not both.isdisjoint(_EVERYBODY) and (nature == "opposite" or "only" in both)


def _at_verb(new: Claim, slot: Slot, nature: str) -> Finding | None:
    """Two acts may both be done; two states cannot both be."""
    words = {word for piece in (*slot.mine, *slot.theirs) for word in (piece.key, piece.text)}
    is_state = slot.end == len(new.pieces) or new.pieces[new.head].kind == "be"
    if nature != "opposite" or not (is_state or words.isdisjoint(PHASES)):
        return None
    return conflict(f"opposites: {_against(slot)}")


def other_figure(new: Claim, slot: Slot, terms: Sequence[Piece]) -> Finding | None:
    """Return what another figure means, with the *terms* between the relation and it."""
    first = slot.mine[0]
    is_time = first.kind in TIMES
    if new.relation == "time" and first.kind == "weekday" and _PERSON.match(new.pieces[0].text):
        return None  # people do the same on several days
    if new.mood == "past" and not new.topic_kind:
        return None  # what somebody did may have been done twice
    is_bound = any(piece.text.lower() in _BOUNDS for piece in new.pieces[: slot.at])
    if new.relation in ("like", "have", "work") and (is_time or first.kind == "version"):
        return conflict(_against(slot)) if is_bound else None
    if is_time and new.mood == "past" and new.relation == "do":
        return None  # what happened on Monday may happen again on Tuesday
    if is_time and (_is_aside(new, slot) or any(piece.det == "a" for piece in terms)):
        return None  # a meeting at ten, and another
    if first.kind != slot.theirs[0].kind:
        return conflict(_against(slot))
    is_firm = new.mood in ("", "must") and new.relation != "like"
    if is_time and not new.single and new.relation != "be":
        is_firm = bool(new.cue)
    return Finding("update" if is_firm else "conflict", _became(new, slot))


def _is_aside(new: Claim, slot: Slot) -> bool:
    """Return whether a Chinese time only says when something is done: before its verb."""
    is_related = new.single or new.relation in ("be", "change")
    return slot.end + 1 < len(new.pieces) and not slot.mine[0].text.isascii() and not is_related


def _opposite(new: Claim, slot: Slot, *, is_direct: bool) -> Finding | None:
    before = new.pieces[slot.at - 1]
    is_last = slot.end == len(new.pieces) and (before.kind != "prep" or before.key in _MEANS)
    is_joint = slot.mine[0].kind == "prep"  # before, after
    joints = [piece.key for piece in new.pieces[new.value : slot.at] if piece.kind == "prep"]
    is_manner = bool(joints) and joints[-1] in _MEANS  # in ascending order
    is_taste = new.relation == "like" and new.mood != "do"  # hot tea and cold tea
    is_taste &= not new.pieces[-1].text.endswith(
        ("mode", "theme", "tone", "模式", "主题", "语气", "风格")
    )
    if is_taste or not (is_direct or is_joint or is_last or is_manner):
        return None
    if new.relation == "be" and new.topic_kind == "attribute":
        return update(_became(new, slot))
    return Finding("update" if new.cue else "conflict", f"opposites: {_against(slot)}")


def _other_value(new: Claim, slot: Slot, nature: str, *, is_direct: bool) -> Finding | None:
    """Return what another name or word means, by what leads to it."""
    after, is_name = new.pieces[slot.end :], nature == "name"
    contested = Finding("update" if new.cue else "conflict", _against(slot))
    has_purpose = bool(after) or end_alike(slot) or new.relation != "choose"
    if not is_direct:
        is_other = _is_of_means(new, slot) or _leads_to_address(new, slot)
        is_told = is_name and bool(new.cue) and new.relation in ("use", "do", "")
        if is_other:
            return contested
        return conflict(_against(slot)) if is_told else None
    if new.relation == "be":
        return _other_being(new, slot, nature)
    if new.cue.startswith(_STRONG) and has_purpose:
        return update(_became(new, slot))
    if new.single:
        return _other_single(new, slot, is_name=is_name)
    if new.relation == "passive" and nature != "label":
        return contested
    if new.relation == "choose" and (after or end_alike(slot)) and nature != "label":
        return contested  # for one purpose
    if new.verb == "联系" and new.head > 0:
        return contested
    if new.relation == "prefer" and (after or end_alike(slot)):
        return contested
    if new.relation == "prefer" and is_name:
        return conflict(_against(slot))
    if _is_of_means(new, slot) or _leads_to_address(new, slot):
        return contested
    if new.cue and new.verb in _HABITS and after and after[0].kind == "prep":
        return conflict(_against(slot))
    is_act = new.relation in ("choose", "use", "do", "like", "")
    return conflict(_against(slot)) if new.cue and is_name and is_act else None


def _is_of_means(new: Claim, slot: Slot) -> bool:
    """Return whether *slot* names what something is done with."""
    named = all(piece.kind in ("name", "code") for piece in (slot.mine[0], slot.theirs[0]))
    named |= bool(new.cue) and len(slot.mine) == len(slot.theirs) == 1
    return new.relation in ("use", "do") and named and new.pieces[slot.at - 1].key in _WITH


def _is_in_language(new: Claim, slot: Slot) -> bool:
    """Return whether both sides are the language that something is to be in."""
    both = [slot.mine[-1].key, slot.theirs[-1].key]
    is_wish = new.relation in ("want", "prefer", "choose") or new.mood in ("do", "must")
    is_wish |= bool(new.cue) or new.verb in ("answer", "repli", "respond")
    if len(slot.mine) != 1 or len(slot.theirs) != 1:
        return False
    if not both[0].isascii():
        is_use = slot.at > 0 and new.pieces[slot.at - 1].key in ("用", "以") and new.mood != "past"
        return is_use and all(_HAN_LANGUAGE.fullmatch(name) for name in both)
    leads = new.pieces[slot.at - 1].key == "in"
    return is_wish and leads and keys_of(_LANGUAGES).issuperset(both)


def _leads_to_address(new: Claim, slot: Slot) -> bool:
    """Return whether both sides are paths, hosts or the like."""
    both = (*slot.mine, *slot.theirs)
    are = all(piece.kind == "code" and not _ADDRESS.isdisjoint(piece.key) for piece in both)
    return are and len(both) == 2 and new.relation in ("do", "use", "") and new.mood != "past"


def _other_single(new: Claim, slot: Slot, *, is_name: bool) -> Finding | None:
    """Return what another value means where a thing has one."""
    is_firm = is_name or not slot.mine[0].text.isascii()  # no capitals tell a name in Chinese
    after = new.pieces[slot.end :]
    if new.mood == "past" and new.relation in _PLACES and not new.topic_kind:
        return None  # people have been in many places
    if new.relation == "host" and new.pieces[max(new.head - 1, 0)].kind == "version":
        return None  # one version runs in many places
    if new.relation == "time" and not is_name:
        return None if slot.mine[0].text.isascii() else conflict(_against(slot))
    if new.relation in ("at", "desk"):
        if is_name or (after and after[0].kind == "word"):  # in the planning phase
            is_firm = is_name and bool(new.topic_kind)
        elif new.relation == "desk":
            both = (slot.mine[0], slot.theirs[0])
            return conflict(_against(slot)) if both[0].kind == both[1].kind else None
        elif is_person(new):
            return conflict(_against(slot)) if _are_of_a_kind(slot) else None  # a team, and a town
        else:
            is_firm = False
    is_firm = is_firm or bool(new.cue)
    return update(_became(new, slot)) if is_firm else conflict(_against(slot))


def _are_of_a_kind(slot: Slot) -> bool:
    """Return whether both sides are teams or the like, of which somebody is in one."""
    one, other = slot.mine[-1].text, slot.theirs[-1].text
    return one[-1] == other[-1] and one.endswith(_TEAMS) and min(len(one), len(other)) > 1


def _other_being(new: Claim, slot: Slot, nature: str) -> Finding | None:
    """Return what it means that a thing is said to be something else."""
    is_name, kind = nature == "name", new.topic_kind
    are_codes = all(piece.kind == "code" for piece in (*slot.mine, *slot.theirs))
    if kind == "attribute" or (is_name and (kind in ("tool", "thing") or are_codes)):
        return None if kind == "many" else update(_became(new, slot))
    are_nouns = slot.mine[0].det != "" and slot.theirs[0].det != ""
    are_nouns |= not slot.mine[0].text.isascii() and nature == "word"  # Chinese has no articles
    if kind == "tool" or (are_nouns and (kind == "thing" or new.cue)):
        return Finding("update" if new.cue and kind else "conflict", _against(slot))
    return None
