"""What a claim that tells of a change does to an older one."""

import re
from collections.abc import Iterable, Sequence

from agent_memory_os.pure.claims.figures import TIMES, are_alike, is_figure
from agent_memory_os.pure.claims.pieces import SPEAKERS, Claim, Piece, keys
from agent_memory_os.pure.compare.finding import Finding, became, text_of, update
from agent_memory_os.pure.compare.values import is_person

_IMPLIED = frozenset(
    "version price cost fee time date schedul 版本 价格 费用 时间 日期 售价".split()
)
_IMPLIED_END = re.compile("(?<=.)(?:版本|价格|费用|时间|日期|售价)\\Z")
_FORM = 5  # characters that the forms of a long word begin with alike
_PLAIN = frozenset(("do", "change", ""))  # relations that say little of their own


def by_change(new: Claim, old: Claim) -> Finding | None:
    """Return what *new*, which tells of a change, does to *old*, or None.

    It is an update where *old* says what there was before, of the same thing.
    """
    thing = keys(new.pieces[: new.head]) - SPEAKERS
    said, terms = value_of(new)
    if old.denied or old.mood == "past" or not terms <= keys(old.pieces):
        return None
    if new.old:
        return _of_the_old(new, old, thing, said)
    if not thing and said and said[-1].kind == "version":
        return _of_version(new, old, said)
    theirs, _ = value_of(old)
    if len(said) == 1 and theirs and keys(theirs[:-1]) == thing and _is_version_of(theirs, said[0]):
        is_ours = old.relation in new.replaces and not _about(old) - {"在"}
        return update(became(new, new.value, theirs[-1:], said)) if is_ours else None
    is_of_purpose = bool(terms) and terms == value_of(old)[1]  # "we switched to X for chat"
    is_of_purpose |= _counts_the_same(said, old)
    if not said or not (thing or is_of_purpose) or not _is_about(thing, said, old):
        return None
    theirs = _replaced(said, old)
    if not theirs or not (is_figure(said[0]) or _may_replace(new, old)):
        return None
    return update(became(new, new.value, theirs, said))


def _of_version(new: Claim, old: Claim, said: tuple[Piece, ...]) -> Finding | None:
    """Compare "we upgraded to React 18" with who uses another version of it."""
    theirs, _ = value_of(old)
    is_same = [piece.key for piece in theirs[:-1]] == [piece.key for piece in said[:-1]] != []
    if not is_same or theirs[-1].kind != "version" or theirs[-1].key == said[-1].key:
        return None
    is_ours = old.relation in new.replaces and not _about(old) - {"在"}
    return update(became(new, new.value, theirs, said)) if is_ours else None


def _is_version_of(theirs: tuple[Piece, ...], said: Piece) -> bool:
    """Return whether *theirs* is a thing in a version, and *said* another one: React 17 and 18."""
    is_one = said.kind in ("version", "number:") and theirs[-1].kind == "version"
    return is_one and theirs[-1].text != said.text


def value_of(claim: Claim) -> tuple[tuple[Piece, ...], frozenset[str]]:
    """Return the value that *claim* leads to, and the keys of the terms after it."""
    said = claim.said
    ends = (
        n for n, piece in enumerate(said) if piece.kind in ("prep", "sub") or piece.det == "verb"
    )
    end = next(ends, len(said))
    return said[:end], keys([piece for piece in said[end:] if not is_figure(piece)])


def differ_in_implied(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether two topics differ only in what a figure tells anyhow: a version, a price."""
    return _without_implied(one) == _without_implied(other) != ""


def _without_implied(found: Iterable[str]) -> str:
    return _IMPLIED_END.sub("", " ".join(sorted(key for key in found if key not in _IMPLIED)))


def _is_about(thing: frozenset[str], said: tuple[Piece, ...], old: Claim) -> bool:
    about = _about(old)
    if not is_figure(said[0]):
        release = thing | keys(said[:-1]), thing
        is_version = said[-1].kind == "version"
        is_version &= any(differ_in_implied(each, about) for each in release)
        return thing == about or is_version
    about -= {piece.key for piece in old.pieces if is_figure(piece)}
    is_had = thing == _had(old) and (len(thing) > 1 or said[0].kind not in TIMES)
    return thing == about or is_had or differ_in_implied(thing, about)


def _about(claim: Claim) -> frozenset[str]:
    """Return keys of what *claim* is about, also where no relation is known."""
    if claim.head >= 0:
        return claim.about - SPEAKERS
    figures = (at for at, piece in enumerate(claim.pieces) if is_figure(piece))
    return keys(claim.pieces[: next(figures, 0)]) - SPEAKERS


def _counts_the_same(said: Sequence[Piece], old: Claim) -> bool:
    """Return whether *old* counts what *said* counts: 6 engineers and 9 engineers."""
    at = next((at for at, piece in enumerate(old.pieces) if is_figure(piece)), -1)
    noun = [piece.key for piece in said[1:]]
    return bool(noun) and is_figure(said[0]) and noun == [p.key for p in old.pieces[at + 1 :]]


def _had(claim: Claim) -> frozenset[str]:
    """Return of what *claim* says a figure: somebody has a meeting with Bob at 10:00."""
    if claim.head < 0 or claim.relation == "be":
        return frozenset()
    said = claim.said
    figures = (at for at, piece in enumerate(said) if is_figure(piece))
    return keys(said[: next(figures, 0)])


def _may_replace(new: Claim, old: Claim) -> bool:
    if old.relation == "change":
        return new.replaces == old.replaces
    if old.relation in ("at", "be") and is_person(old):
        return False
    return old.relation in new.replaces


def _replaced(said: Sequence[Piece], old: Claim) -> tuple[Piece, ...]:
    """Return what *old* has in the place of *said*: a figure for a figure, words for words."""
    if is_figure(said[0]):
        found = next((piece for piece in old.pieces if are_alike(said[0], piece)), said[0])
        return (found,) if found.key != said[0].key else ()
    theirs, _ = value_of(old)
    is_release = bool(theirs) and "version" in (said[-1].kind, theirs[-1].kind) and len(theirs) > 1
    if is_release and len(said) > 1 and said[0].key != theirs[0].key:
        return ()  # the version of something else
    is_no_place = bool(theirs) and (is_figure(theirs[0]) or theirs[0].kind == "state")
    return () if not theirs or is_no_place or keys(theirs) <= keys(tuple(said)) else theirs


def _of_the_old(
    new: Claim, old: Claim, thing: frozenset[str], said: Sequence[Piece]
) -> Finding | None:
    """Compare a change that names what was before: "from A to B", "left A"."""
    was = f'"{new.cue}": it was so before'
    is_role = old.relation == "be" and bool(thing) and thing == keys(old.said)  # the lead is Bob
    if is_role and keys(old.pieces[: old.head]) == frozenset(new.old) - {"of"}:
        return update(was)
    at = _place_of(new.old, old.pieces, max(old.head + 1, 1))
    if at < 0 or not _all_in(thing, keys(old.pieces)) or not _is_led_to(old, at):
        return None
    if old.relation not in new.replaces and old.relation not in _PLAIN:
        return None
    is_theirs = bool(thing) or old.mood == "do" or not _about(old)
    before = text_of(old.pieces[at : at + len(new.old)])
    why = was if new.ended else f'"{new.cue}": {before} became {text_of(said)}'
    return Finding("update" if is_theirs else "conflict", why)


def _all_in(thing: frozenset[str], found: frozenset[str]) -> bool:
    """Return whether *found* has all of *thing*, if as another form: deployment and deploy."""
    beginnings = {key[:_FORM] for key in found if len(key) >= _FORM}
    return all(key in found or (key[:_FORM] in beginnings) for key in thing)


def _place_of(wanted: Sequence[str], pieces: Sequence[Piece], start: int) -> int:
    """Return where *wanted* stand together in *pieces* from *start* on, or -1."""
    size = len(wanted)
    places = range(start, len(pieces) - size + 1)
    found = (
        at
        for at in places
        if all(p.key == key for p, key in zip(pieces[at : at + size], wanted, strict=True))
    )
    return next(found, -1)


def _is_led_to(claim: Claim, at: int) -> bool:
    """Return whether the relation, or a preposition, leads to what stands at *at*."""
    before = claim.pieces[at - 1]
    is_apposed = before.kind == "name" and at - 1 == claim.value  # AWS us-east-1
    return at == claim.value or is_apposed or (before.kind == "prep" and before.key != "of")
