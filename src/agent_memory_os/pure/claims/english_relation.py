"""What relates the two sides of an English clause: its verb, and what that leads to."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from agent_memory_os.pure.claims import english_words as table
from agent_memory_os.pure.claims.pieces import Claim, Piece
from agent_memory_os.pure.irregular import IRREGULAR
from agent_memory_os.pure.stem import stem
from agent_memory_os.pure.words import ANALYSED

_NOTHING = Piece("", "", "")
_CHANGING = frozenset(table.CHANGES)
_TOWARDS = frozenset(("to", "from", "with"))
_MANY_KEPT = 4096  # words whose forms are remembered


@dataclass(slots=True)
class Verbal:
    """What the words around a verb say of it.

    *at* is where a verb must stand; -1: nothing says it. *is_past* is whether it was.
    """

    at: int = -1
    is_past: bool = False


def key_of(low: str) -> str:
    """Return the key of *low*, a word in small ASCII letters: its index term."""
    return table.LOOKALIKES.get(low) or ANALYSED[low]


@cache
def keys_of(words: frozenset[str]) -> frozenset[str]:
    """Return the keys of the words of a table."""
    return frozenset(map(stem, words))


@cache
def classes() -> dict[str, str]:
    """Return the class of each verb by its key."""
    return {stem(verb): name for verb, name in table.VERBS.items()}


@cache
def _single() -> dict[tuple[str, str], str]:
    return {(stem(verb), joint): name for (verb, joint), name in table.SINGLE.items()}


def is_verb(low: str) -> bool:
    """Return whether *low* is a verb that has a form of its own: is, lives, moved, wrote."""
    if table.ROLES.get(low) in ("be", "must", "may", "will"):
        return True
    return _has_ending(low) and key_of(low) in classes() if low.isascii() else False


def is_participle(low: str) -> bool:
    """Return whether *low* ends as a past or a participle does; "need" and "speed" do not."""
    if low.endswith("ed"):
        return not stem(low).endswith("ed")
    return IRREGULAR.get(low, low) != low and not low.endswith(("s", "ing"))


def _has_ending(low: str) -> bool:
    return (low.endswith("s") and not low.endswith(("ss", "als"))) or is_participle(
        low
    )  # approvals


def head_of(pieces: Sequence[Piece], verb: Verbal, *, may_begin: bool = False) -> int:
    """Return where the verb of a clause stands, or -1.

    "is", a verb after a modal, and a verb with an ending of its own are sure; a bare form is taken
    for the verb where there is none of these: "use tabs", "backups run daily". Only a later clause
    *may_begin* with an ending.
    """
    weak = -1
    for at, piece in enumerate(pieces):
        if piece.kind == "sub":
            break
        if piece.kind == "be" or at == verb.at or piece.key == "have":
            return at
        if piece.det or piece.key not in classes() or (at and pieces[at - 1].kind == "prep"):
            continue
        low = piece.text.lower()
        if not _has_ending(low):
            weak = at if weak < 0 and not low.endswith("ing") else weak
        elif (at or may_begin or _is_of_change(pieces)) and not _is_plural(pieces, at, verb):
            return at
    return weak


def _is_of_change(pieces: Sequence[Piece]) -> bool:
    """Return whether *pieces* begin as "upgraded Python to 3.12" does."""
    is_told = pieces[0].key in keys_of(_CHANGING) and is_participle(pieces[0].text.lower())
    leads_on = any(piece.kind == "prep" and piece.key in _TOWARDS for piece in pieces[1:])
    return is_told and leads_on and len(pieces) > 2 and pieces[1].kind not in ("be", "prep")


def _is_plural(pieces: Sequence[Piece], at: int, verb: Verbal) -> bool:
    """Return whether the ending is a noun's, since what follows is a verb, or "of"."""
    after = pieces[at + 1] if at + 1 < len(pieces) else _NOTHING
    is_of = after.key == "of" and pieces[at].key != "consist"
    if after.kind == "be" or is_of or at + 1 == verb.at:
        return True
    is_past = not after.det and after.key in classes() and is_participle(after.text.lower())
    return is_past and pieces[at].text.endswith("s")


def claim_of(pieces: tuple[Piece, ...], head: int, verb: Verbal, *, mood: str, cue: str) -> Claim:
    """Return the claim of *pieces*, whose verb stands at *head*."""
    if _is_progressive(pieces, head):
        pieces = (*pieces[:head], *pieces[head + 1 :])
    name, single, value = _relation(pieces, head)
    if name == "be" and _is_role(pieces, head):
        who = (pieces[0]._replace(kind="name"), *pieces[1:head])
        pieces = (*pieces[value:], pieces[head], *who)  # "Bob is the lead": the lead is Bob
        head = len(pieces) - head - 1
        value = head + 1
    if not mood:
        is_order = head == 0 and pieces[0].kind == "word" and not cue
        mood = "do" if is_order else "past" if _is_past(pieces, head, verb) else ""
    return Claim(
        _judged(pieces, head) if name == "be" else pieces,
        head=head,
        value=value,
        relation=name,
        single=single,
        mood=mood,
        topic_kind=_topic_kind(pieces, head),
    )


def _is_progressive(pieces: Sequence[Piece], head: int) -> bool:
    """Return whether "is" only opens a form in -ing: "is learning" says what "learns" says."""
    if head < 0 or pieces[head].kind != "be" or head + 1 >= len(pieces):
        return False
    after = pieces[head + 1]
    return after.text.endswith("ing") and not after.det and after.key in classes()


def _is_role(pieces: Sequence[Piece], head: int) -> bool:
    """Return whether what follows "is" is the one of its kind, and what stands before is named."""
    after = pieces[head + 1 : head + 2]
    named = all(piece.det != "the" and piece.kind != "prep" for piece in pieces[:head])
    return 0 < head <= 3 and named and len(after) > 0 and after[0].det == "the"


def _is_past(pieces: Sequence[Piece], head: int, verb: Verbal) -> bool:
    """Return whether it tells of what was, or of what somebody has done."""
    if verb.is_past or head < 0 or pieces[head].kind == "be":
        return verb.is_past
    return is_participle(pieces[head].text.lower())


def _judged(pieces: tuple[Piece, ...], head: int) -> tuple[Piece, ...]:
    """Return *pieces* with what only says how something is, after "is", marked as a state."""
    after = pieces[head + 1] if head + 1 < len(pieces) else _NOTHING
    is_form = after.text.isalpha() and (is_participle(after.text) or after.text.endswith("ing"))
    is_state = is_form or after.key in keys_of(table.JUDGING)
    if after.kind != "word" or after.det or not is_state:
        return pieces
    return (*pieces[: head + 1], after._replace(kind="state"), *pieces[head + 2 :])


def _topic_kind(pieces: Sequence[Piece], head: int) -> str:
    """Return what kind of thing a clause is about; see `Claim`."""
    topic = pieces[: max(head, 0)]
    first = next((at for at, piece in enumerate(topic) if piece.kind == "prep"), len(topic))
    if not first:
        return ""
    verb, noun = pieces[head], topic[first - 1]
    if verb.key in table.HEADING:
        return "heading"
    if topic[-1].kind == "version":
        said = pieces[head + 1 : head + 2] if verb.kind == "be" else (verb,)
        return "version" if said and said[0].key in keys_of(table.CURRENT) else ""
    if noun.key in keys_of(table.MANY):
        return "many"
    if noun.kind == "code" and "_" in noun.text:
        return "attribute"  # a setting
    is_tool = noun.key in keys_of(table.TOOLS)
    is_entry = verb.text in (":", "=") and (len(topic) > 1 or is_tool)
    is_one = not keys_of(table.ONE).isdisjoint(piece.key for piece in topic)
    if noun.key in keys_of(table.ATTRIBUTES) or is_entry or is_one:
        return "attribute"
    if is_tool:
        return "tool"
    if noun.key in keys_of(table.PERSONS):
        return ""
    is_of = first < len(topic) and topic[first].key == "of"
    return "thing" if is_of or any(piece.det == "the" for piece in topic) else ""


def _relation(pieces: Sequence[Piece], head: int) -> tuple[str, bool, int]:
    """Return the class of the relation at *head*, whether it has one value, and where that is."""
    if head < 0:
        return "", False, 0
    if pieces[head].kind != "be":
        return _of_verb(pieces, head)
    after = pieces[head + 1] if head + 1 < len(pieces) else _NOTHING
    if after.kind == "prep" and after.key not in ("every", "each"):
        return "at", after.key in ("in", "at", "on", "near"), head + 2
    low = after.text.lower()
    is_passive = is_participle(low) or low in table.UNCHANGED
    if after.det or not (is_passive or low == "due"):
        return "be", False, head + 1
    name, single, value = _of_verb(pieces, head + 1)
    if single:
        return name, single, value
    follows = pieces[head + 2].kind if head + 2 < len(pieces) else ""
    if follows == "prep" and after.key not in keys_of(table.SHARED):
        return "passive", False, head + 3
    return "be", False, head + 1


def _of_verb(pieces: Sequence[Piece], at: int) -> tuple[str, bool, int]:
    verb, single = pieces[at].key, _single()
    for place in range(at + 1, len(pieces)):
        if pieces[place].kind == "sub":
            break
        name = single.get((verb, pieces[place].key)) if pieces[place].kind == "prep" else None
        if name:
            return name, True, place + 1
    name = single.get((verb, "-"))
    return (name, True, at + 1) if name else (classes().get(verb, ""), False, at + 1)
