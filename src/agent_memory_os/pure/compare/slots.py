"""The places where two claims that are else the same differ."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from agent_memory_os.pure.claims import chinese_words, english_words
from agent_memory_os.pure.claims.english_relation import keys_of
from agent_memory_os.pure.claims.figures import are_alike, is_figure
from agent_memory_os.pure.claims.pieces import JOINTS, Claim, Piece, keys
from agent_memory_os.pure.opposites import are_opposite, on_one_scale

_ACTS = frozenset(("", "do", "use", "prefer", "like"))  # relations that lead to no bare number
_ORDER = frozenset("before after over 再".split())


class Slot(NamedTuple):
    """A place where two claims differ: the pieces of each, and where they begin."""

    mine: tuple[Piece, ...]
    theirs: tuple[Piece, ...]
    at: int

    @property
    def end(self) -> int:
        """Where what follows begins, in the newer claim."""
        return self.at + len(self.mine)


def parted(new: Claim, old: Claim) -> Slot:
    """Return the one place between what two claims begin with and what they end with."""
    mine, theirs = new.pieces, old.pieces
    most = min(len(mine), len(theirs))
    start = end = 0
    while start < most and mine[start].key == theirs[start].key:
        start += 1
    while end < most - start and mine[-1 - end].key == theirs[-1 - end].key:
        end += 1
    return Slot(mine[start : len(mine) - end], theirs[start : len(theirs) - end], start)


def slots_of(slot: Slot) -> list[Slot]:
    """Return the places where the two sides of *slot* differ, piece by piece.

    Where the sides are of different length it is one place.
    """
    if len(slot.mine) != len(slot.theirs):
        return [slot]
    slots: list[Slot] = []
    for at, (mine, theirs) in enumerate(zip(slot.mine, slot.theirs, strict=True), slot.at):
        if mine.key == theirs.key:
            continue
        if slots and slots[-1].end == at:
            last = slots[-1]
            slots[-1] = Slot((*last.mine, mine), (*last.theirs, theirs), last.at)
        else:
            slots.append(Slot((mine,), (theirs,), at))
    return slots


def is_turned_round(slot: Slot) -> bool:
    """Return whether one side says "A before B" and the other "B before A"."""
    mine, theirs = [piece.key for piece in slot.mine], [piece.key for piece in slot.theirs]
    at = next((n for n, key in enumerate(mine) if key in _ORDER), 0)
    return at > 0 and theirs == [*mine[at + 1 :], mine[at], *mine[:at]]


def nature(slot: Slot) -> str:
    """Return in what way the two sides of *slot* differ.

    It is "figure", "opposite", "scale", "name", "label", "state" or "word"; nothing if the sides
    are not of one kind, so that they say nothing about each other.
    """
    mine, theirs = slot.mine, slot.theirs
    if len(mine) == len(theirs) and all(map(are_alike, mine, theirs)):
        return "figure"
    if len(mine) == len(theirs) == 1:
        return _nature_of_words(mine[0], theirs[0])
    if any(piece.kind in JOINTS or piece.det == "verb" for piece in (*mine, *theirs)):
        return "opposite" if _are_opposite_phrases(mine, theirs) else ""
    says_more = len(mine) != len(theirs) and not keys(mine).isdisjoint(keys(theirs))
    if says_more or is_figure(mine[0]) != is_figure(theirs[0]):
        return ""
    return "name" if _has_name(mine) and _has_name(theirs) else "word"


def _are_opposite_phrases(mine: Sequence[Piece], theirs: Sequence[Piece]) -> bool:
    """Return whether two phrases are opposites but for their prepositions: "in parallel"."""
    bare = [piece for piece in mine if piece.kind != "prep"]
    other = [piece for piece in theirs if piece.kind != "prep"]
    return len(bare) == len(other) == 1 and _nature_of_words(bare[0], other[0]) == "opposite"


def _has_name(pieces: Iterable[Piece]) -> bool:
    return any(piece.kind in ("name", "code") for piece in pieces)


def _nature_of_words(mine: Piece, theirs: Piece) -> str:
    one, other = mine.text.lower(), theirs.text.lower()
    pairs = [(one, other)] if one.isascii() else [(one, other), _trimmed(one, other)]
    if any(are_opposite(*pair) for pair in pairs):
        return "opposite"
    if any(on_one_scale(*pair) for pair in pairs):
        return "scale"
    kinds = {mine.kind, theirs.kind}
    if is_figure(mine) or is_figure(theirs) or not kinds.isdisjoint(JOINTS):
        return ""
    if "state" in kinds:
        return "state"
    if "label" in kinds:
        return "label" if len(kinds) == 1 else ""
    return "name" if kinds <= {"name", "code"} else "word"


def _trimmed(one: str, other: str) -> tuple[str, str]:
    """Return two words without what they begin and end with alike: 公制单位 and 英制单位."""
    most = min(len(one), len(other))
    start = end = 0
    while start < most and one[start] == other[start]:
        start += 1
    while end < most - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[start : len(one) - end], other[start : len(other) - end]


def names_a_thing(claim: Claim, slot: Slot) -> bool:
    """Return whether what stands in *slot* only tells one thing from the next: fact 3, row 12.

    A bare number is a value where a relation leads to it ("the rent is 950"), or to the attribute
    before it ("listens on port 8000"). Without a relation only a measure is one ("timeout 30 s"),
    and a word never is.
    """
    if not 0 <= slot.at < len(claim.pieces):
        return False
    mine, is_related = slot.mine[0], claim.head >= 0 or bool(claim.cue)
    if mine.kind != "number:":
        return not is_related and not is_figure(mine) and mine.kind != "state"
    if not is_related:
        return True
    if _is_heading(claim, slot):
        return True
    if slot.at == 0 or slot.at - 1 in (claim.head, claim.value - 1):
        is_last = slot.end == len(claim.pieces)
        return slot.at > 0 and claim.relation in _ACTS and not claim.single and is_last
    before = claim.pieces[slot.at - 1]
    if before.kind == "prep":
        return claim.relation in _ACTS and not claim.single
    if before.kind not in ("word", "name"):
        return False
    leads = claim.pieces[slot.at - 2] if slot.at > 1 else before
    is_led_to = slot.at - 2 in (claim.head, claim.value - 1) and claim.mood != "do"
    is_led_to |= leads.kind in ("prep", "be")
    return not (is_led_to and is_attribute(before))


def _is_heading(claim: Claim, slot: Slot) -> bool:
    """Return whether a colon before *slot* ends a phrase that is no attribute: "from row 1: 3"."""
    before, topic = claim.pieces[slot.at - 1], claim.pieces[: max(claim.head, 0)]
    return before.text in (":", "：") and any(piece.kind == "prep" for piece in topic)


def is_attribute(piece: Piece) -> bool:
    """Return whether *piece* names what a thing has one of: a port, a price."""
    if not piece.text.isascii():
        return piece.text.endswith(chinese_words.ATTRIBUTES)
    return piece.key != "number" and piece.key in keys_of(english_words.ATTRIBUTES)


def end_alike(slot: Slot) -> bool:
    """Return whether two Chinese words end in the same noun: 制表符缩进 and 空格缩进."""
    one, other = slot.mine[-1].text, slot.theirs[-1].text
    return not one.isascii() and one[-2:] == other[-2:] and len(one) > 2 < len(other)


# Chinese has no blanks, so a word may be whole in one statement and a part in the other.


def cut_alike(new: Claim, old: Claim) -> tuple[Claim, Claim]:
    """Return two claims with the Chinese words of each cut where the other's end or begin."""
    mine, theirs = _han_words(new), _han_words(old)
    if mine == theirs:
        return new, old
    return _cut(new, sorted(theirs - mine)), _cut(old, sorted(mine - theirs))


def _han_words(claim: Claim) -> set[str]:
    keys_ = [piece.key for piece in claim.pieces]
    return {key for key in keys_ if not key.isascii() and len(key) > 1}


def _cut(claim: Claim, words: Sequence[str]) -> Claim:
    pieces: list[Piece] = []
    head, value = claim.head, claim.value
    for at, piece in enumerate(claim.pieces):
        parts = _parts(piece, words)
        pieces += parts
        head += (len(parts) - 1) * (at < claim.head)
        value += (len(parts) - 1) * (at < claim.value)
    if len(pieces) == len(claim.pieces):
        return claim
    return replace(claim, pieces=tuple(pieces), head=head, value=value)


def _parts(piece: Piece, words: Sequence[str]) -> list[Piece]:
    key = piece.key
    if piece.kind != "word" or key.isascii():
        return [piece]
    for word in words:
        if len(word) < len(key) and key.endswith(word):
            first, last = key[: -len(word)], word
        elif len(word) < len(key) and key.startswith(word):
            first, last = word, key[len(word) :]
        else:
            continue
        head, end = Piece(first, "word", first, piece.det), Piece(last, "word", last)
        return [*_parts(head, words), *_parts(end, words)]
    return [piece]
