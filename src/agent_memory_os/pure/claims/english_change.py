"""English clauses that tell of a change, as what is so now."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from agent_memory_os.pure.claims import english_words as table
from agent_memory_os.pure.claims.figures import TIMES, measured
from agent_memory_os.pure.claims.pieces import SILENT, Claim, Piece
from agent_memory_os.pure.stem import stem

_JOBS = frozenset(("job", "posit", "role", "post"))
_BE = Piece("be", "be", "is")
_OBJECT = Piece("", "prep", "")
_OF_THE_VERB = frozenset(("", "to", "into", "from", "by", "with", "up", "down", "over", "out"))

Phrases = dict[Piece, list[Piece]]  # the words after each preposition; under none the object


@cache
def _changes() -> dict[str, tuple[str, ...]]:
    return {stem(verb): classes for verb, classes in table.CHANGES.items()}


@cache
def _leaving() -> dict[str, str]:
    return {stem(verb): name for verb, name in table.LEAVING.items()}


def changed(claim: Claim) -> Claim:
    """Return *claim* as what is so now, if it tells of a change, else as it is.

    "The sync moved from 9:00 to 10:00" claims that the sync is 10:00, and was 9:00 before. "Bob
    left Siemens" claims that what there was between Bob and Siemens has ended.
    """
    pieces, head = claim.pieces, claim.head
    if head < 0 or claim.denied or claim.mood in SILENT:
        return claim
    is_passive = pieces[head].kind == "be"
    verb = head + is_passive
    if verb >= len(pieces):
        return claim
    topic, phrases = [*pieces[:head]], _phrases(pieces[verb + 1 :])
    is_state = is_passive and pieces[head].text in ("is", "are")  # "is deprecated"
    if pieces[verb].key in _leaving() and not is_state:
        return _left(claim, pieces[verb], topic, phrases, is_passive=is_passive)
    classes = _changes().get(pieces[verb].key)
    found = classes and _exchanged(pieces[verb].key, topic, phrases, is_passive=is_passive)
    if not classes or not found:
        return claim
    thing, old, new = found
    terms = [
        piece
        for joint, phrase in phrases.items()
        if joint.key not in _OF_THE_VERB
        for piece in (joint, *phrase)
    ]
    return replace(
        _as_now(claim, thing, [*new, *terms], pieces[verb]),
        relation="change",
        single=True,
        old=tuple(piece.key for piece in _measured_like(old, new)),
        replaces=classes,
    )


def _as_now(claim: Claim, thing: Sequence[Piece], said: Sequence[Piece], verb: Piece) -> Claim:
    """Return *claim* as "*thing* is *said*"."""
    return replace(
        claim,
        pieces=(*thing, _BE, *said),
        head=len(thing),
        value=len(thing) + 1,
        mood="",
        cue=verb.text,
    )


def _phrases(pieces: Sequence[Piece]) -> Phrases:
    found: Phrases = {_OBJECT: []}
    current = found[_OBJECT]
    for piece in pieces:
        if piece.kind == "sub":
            break
        if piece.kind == "prep" and piece.key != "of":
            if piece.key == "to" and found.get(piece):
                break  # "moved to Bristol to be near us"
            current = found.setdefault(piece, [])
        else:
            current.append(piece)
    return found


def _phrase(phrases: Phrases, *joints: str) -> list[Piece]:
    """Return the first words that stand after one of *joints*."""
    found = (phrase for joint, phrase in phrases.items() if joint.key in joints and phrase)
    return next(found, [])


def _exchanged(
    verb: str, topic: list[Piece], phrases: Phrases, *, is_passive: bool
) -> tuple[list[Piece], list[Piece], list[Piece]] | None:
    """Return the thing that changed, what was there before, and what is there now."""
    thing = phrases[_OBJECT]
    if verb in ("replac", "swap"):
        thing = thing[1:] if thing and table.ROLES.get(thing[0].key) == "owner" else thing
        new = _phrase(phrases, "for") if verb == "swap" else _phrase(phrases, "with", "by")
        if is_passive:
            return ([], topic, new) if new else None
        return ([], thing, new or topic) if thing else None
    if verb == "becom":
        return (topic, [], thing) if thing else None
    if verb == "go" and {"up", "down", "from"}.isdisjoint(joint.key for joint in phrases):
        return None  # "went to Spain"
    new = _phrase(phrases, "to", "into") or _time_in(_phrase(phrases, "for"), verb)
    if is_passive or not thing:
        thing = topic
    elif table.ROLES.get(thing[0].key) == "owner":
        thing = [*topic, *thing[1:]]  # "Sara changed her name": the name of Sara
    return (thing, _phrase(phrases, "from"), new) if new else None


def _time_in(phrase: list[Piece], verb: str) -> list[Piece]:
    """Return when it is since, in "rebooked for July 4"; not how long, in "delayed for a week"."""
    is_when = bool(phrase) and phrase[0].kind in TIMES and "time" in _changes()[verb]
    return phrase if is_when else []


def _measured_like(old: list[Piece], new: list[Piece]) -> list[Piece]:
    """Return *old* with the unit of *new* where it has none: "from 14 to 30 days"."""
    if len(old) != 1 or old[0].kind != "number:" or " " not in new[0].text:
        return old
    return [measured(old[0].text, new[0].text.split()[1], old[0].text)]


def _left(
    claim: Claim, verb: Piece, topic: list[Piece], phrases: Phrases, *, is_passive: bool
) -> Claim:
    """Return "left Siemens" as the end of what held between the two."""
    named = phrases[_OBJECT]
    if not named or named[-1].key in _JOBS:
        named = _phrase(phrases, "as", "from", "at") or named
    if named and table.ROLES.get(named[0].key) == "owner":
        named = named[1:]
    if is_passive:
        topic, named = [], topic
    if not named or named[0].det == "a" or named[0].kind in TIMES:
        return claim
    return replace(
        _as_now(claim, topic, named, verb),
        relation="leave",
        denied=True,
        ended=True,
        old=tuple(piece.key for piece in named),
        replaces=tuple(_leaving()[verb.key].split()),
    )


@cache
def change_words() -> frozenset[str]:
    """Return the words of which one stands in each statement that tells of a change."""
    forms = {*table.CUES, *(word for word, role in table.ROLES.items() if role == "now")}
    for verb in (*table.CHANGES, *table.ENDINGS, *table.LEAVING):
        base, doubled = verb.removesuffix("e"), verb + verb[-1]
        forms |= {verb, f"{verb}s", f"{base}es", f"{base}ed", f"{base}ing"}
        forms |= {f"{doubled}ed", f"{doubled}ing"}
    return frozenset(forms | _IRREGULAR_FORMS)


_IRREGULAR_FORMS = frozenset("sold went gone rose risen grew grown brought left became".split())
