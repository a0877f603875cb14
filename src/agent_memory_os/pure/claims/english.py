"""What an English text says, clause by clause, each word in its place."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise

from agent_memory_os.pure.claims import english_words as table
from agent_memory_os.pure.claims.english_change import changed
from agent_memory_os.pure.claims.english_relation import (
    Verbal,
    claim_of,
    head_of,
    is_participle,
    is_verb,
    key_of,
    keys_of,
)
from agent_memory_os.pure.claims.figures import figure, measured, units
from agent_memory_os.pure.claims.pieces import JOINTS, Claim, Piece
from agent_memory_os.pure.spellings import DAYS, MONTHS, ORDINALS

_SENTENCE = re.compile(r"(?<=[.!?])[\"')]*\s+(?=\S)|;\s+|\n+|\s+[-–—]\s+")
_BEFORE, _AFTER = "([{\"'", ".,;:!?)]}\"'"
_HYPHENATED = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th)")
_ORDINALS = frozenset(ORDINALS.values())
_INSTEAD = (("instead", "of"), ("rather", "than"))
_HOURS = 12  # of a clock
_PERIODS = frozenset("hour minute second day week month year".split())
_SPECIAL = frozenset(("old", "only", "yet"))
_OLDEST = 120  # years
_REASONS = frozenset(("because", "since", "now"))
_WHO = frozenset("we i they he she it you the our my".split())
_ADVERBS = frozenset(("now", "filler", "also", "not"))


@dataclass(slots=True)
class _Clause:
    """A clause while it is read."""

    words: Sequence[str]
    at: int = 0  # of the next word
    det: str = ""
    is_subordinate: bool = False
    pieces: list[Piece] = field(default_factory=list)
    verb: Verbal = field(default_factory=Verbal)
    denied: bool = False
    mood: str = ""
    cue: str = ""
    ended: bool = False
    old: tuple[str, ...] = ()
    also: bool = False
    times: tuple[str, ...] = ()

    def follows(self) -> str:
        """Return the next word, in small letters; empty at the end."""
        return self.unit().lower()

    def unit(self) -> str:
        """Return the next word as it is typed, without marks."""
        return self.words[self.at].rstrip(_AFTER) if self.at < len(self.words) else ""

    def expect_verb(self) -> None:
        """Note that the next piece is a verb, whatever it looks like."""
        self.verb.at = len(self.pieces)


def english(text: str) -> tuple[Claim, ...]:
    """Return the claims of *text*, in its plainest spelling, in order."""
    claims: list[Claim] = []
    for sentence in _SENTENCE.split(text):
        claims += _sentence(sentence)
    return tuple(claims)


def _sentence(sentence: str) -> list[Claim]:
    times: tuple[str, ...] = ()
    words = sentence.split()
    if not table.TIME_OPENERS.isdisjoint(words):
        times = tuple(relative_time().findall(sentence.lower()))
        words = relative_time().sub(" ", sentence).split() if times else words
    claims: list[Claim] = []
    for part in _parts(words):
        clause = _read(part)
        clause.times = times
        clause.mood = "ask" if sentence.endswith("?") else clause.mood
        _add(claims, clause)
    return claims


@cache
def relative_time() -> re.Pattern[str]:
    """Return what finds "last week" and the like."""
    return re.compile(table.RELATIVE_TIMES, re.IGNORECASE)


def _parts(words: Sequence[str]) -> list[list[str]]:
    """Return the clauses of a sentence: cut at commas, "but", and "and" before a verb."""
    parts: list[list[str]] = [[]]
    for at, word in enumerate(words):
        if word == "but" or (word == "and" and _opens_with_verb(words[at + 1 : at + 3])):
            parts.append([])
            continue
        parts[-1].append(word)
        if word[-1] == ",":
            parts.append([])
    return [part for part in parts if part]


def _opens_with_verb(words: Sequence[str]) -> bool:
    """Return whether *words* open a clause: with a verb, or an adverb and a verb."""
    roles = [table.ROLES.get(word.lower()) for word in words]
    if len(words) > 1 and roles[0] in _ADVERBS:
        return roles[0] == "now" or is_verb(words[1].lower())
    return bool(words) and is_verb(words[0].lower())


# Words.


def _read(words: Sequence[str]) -> _Clause:
    """Return what *words* say, each in its place."""
    clause = _Clause(words)
    while clause.at < len(words):
        word = words[clause.at]
        clause.at += 1
        bare = word.lstrip(_BEFORE).rstrip(_AFTER) or word
        low = bare.lower()
        role = table.ROLES.get(low, "")
        if low in _REASONS and clause.pieces and _gives_a_reason(low, clause.follows()):
            break
        if bare in MONTHS and (clause.follows().isdigit() or _is_led_to(clause)):
            role = ""  # May 3, in May
        if clause.is_subordinate and role in ("not", "must", "may"):
            clause.pieces.append(Piece(low, "word", bare))
        else:
            _TAKE.get(role, _take_word)(clause, bare, low)
        is_heading = word[-1] == ":" and clause.at < len(words) and not role
        if is_heading and not _has_verb(words[clause.at :]):
            clause.pieces.append(Piece("be", "be", ":"))
    return clause


def _is_led_to(clause: _Clause) -> bool:
    """Return whether a preposition stands before the next piece."""
    return bool(clause.pieces) and clause.pieces[-1].kind == "prep"


def _gives_a_reason(low: str, follows: str) -> bool:
    """Return whether *low* opens why it is so, which is no part of what is so."""
    if low == "since":
        return follows in _WHO
    return low == "because" or (low == "now" and follows == "that")


def _has_verb(words: Sequence[str]) -> bool:
    """Return whether *words* after a colon say something whole: "Alice: the port is 8000"."""
    low = [word.lower().strip(_BEFORE + _AFTER) for word in words]
    return any(table.ROLES.get(word) == "be" or is_verb(word) for word in low[1:])


def _take_the(clause: _Clause, bare: str, low: str) -> None:
    clause.det = "the"


def _take_a(clause: _Clause, bare: str, low: str) -> None:
    clause.det = "a"


def _take_owner(clause: _Clause, bare: str, low: str) -> None:
    clause.pieces.append(Piece(low, "word", bare, "the"))
    clause.det = "the"


def _take_preposition(clause: _Clause, bare: str, low: str) -> None:
    clause.pieces.append(Piece(low, "prep", bare))
    clause.det = ""


def _take_subordinator(clause: _Clause, bare: str, low: str) -> None:
    clause.pieces.append(Piece(low, "sub", bare))
    clause.is_subordinate = True


def _take_relative(clause: _Clause, bare: str, low: str) -> None:
    if clause.pieces:
        _take_subordinator(clause, bare, low)
    else:
        clause.pieces.append(Piece(low, "sub", bare))


def _take_nothing(clause: _Clause, bare: str, low: str) -> None:
    """Leave out a word that changes nothing of what is said."""


def _take_be(clause: _Clause, bare: str, low: str) -> None:
    clause.verb.is_past |= low in ("was", "were")
    if low not in ("been", "being"):
        clause.pieces.append(Piece("be", "be", low))


def _take_not(clause: _Clause, bare: str, low: str) -> None:
    follows = clause.follows()
    if low == "no" and follows == "longer":
        clause.at += 1
        clause.denied, clause.ended, clause.cue = True, True, "no longer"
        clause.expect_verb()
    elif low == "not" and follows in ("only", "just"):
        clause.also = True
    else:
        clause.denied = not clause.denied
    if low == "cannot":
        clause.mood = clause.mood or "may"
        clause.expect_verb()


def _take_also(clause: _Clause, bare: str, low: str) -> None:
    if clause.follows() == "than":
        _take_word(clause, bare, low)
    else:
        clause.also = True


def _take_maybe(clause: _Clause, bare: str, low: str) -> None:
    clause.mood = "maybe"
    clause.expect_verb()


def _take_modal(clause: _Clause, bare: str, low: str) -> None:
    if table.ROLES[low] != "will":
        clause.mood = clause.mood or table.ROLES[low]
    clause.expect_verb()


def _take_plan(clause: _Clause, bare: str, low: str) -> None:
    if clause.follows() not in ("to", "on") and not clause.follows().endswith("ing"):
        _take_word(clause, bare, low)
        return
    clause.at += clause.follows() in ("to", "on")
    clause.mood = "plan"
    clause.expect_verb()


def _take_decision(clause: _Clause, bare: str, low: str) -> None:
    if clause.follows() != "to":
        _take_word(clause, bare, low)
        return
    clause.at += 1
    clause.expect_verb()


def _take_now(clause: _Clause, bare: str, low: str) -> None:
    clause.cue = clause.cue or low


def _take_instead(clause: _Clause, bare: str, low: str) -> None:
    if clause.follows() == "of":
        _take_word(clause, bare, low)
    else:
        clause.cue = low


def _take_need(clause: _Clause, bare: str, low: str) -> None:
    if clause.follows() != "not":
        _take_word(clause, bare, low)
        return
    clause.at += 1
    clause.mood, clause.denied = clause.mood or "may", not clause.denied
    clause.expect_verb()


def _take_do(clause: _Clause, bare: str, low: str) -> None:
    is_denial = clause.follows() in ("not", "never")
    if not is_denial and clause.pieces:
        clause.pieces.append(Piece("do", "word", low))
        return
    clause.expect_verb()
    clause.verb.is_past |= low == "did"
    if not is_denial:
        clause.mood = clause.mood or "ask"


def _take_get(clause: _Clause, bare: str, low: str) -> None:
    """Take "got postponed" as "is postponed", which it was not before."""
    follows = clause.follows()
    if not clause.pieces or not is_participle(follows) or key_of(follows) == "us":
        _take_word(clause, bare, low)
        return
    clause.pieces.append(Piece("be", "be", low))
    clause.cue = clause.cue or (low if low.startswith("got") else "")


def _take_have(clause: _Clause, bare: str, low: str) -> None:
    if clause.follows() == "to":
        clause.at += 1
        clause.mood = clause.mood or "must"
        clause.expect_verb()
        return
    rest = (word.lower().rstrip(_AFTER) for word in clause.words[clause.at :])
    after = next((word for word in rest if table.ROLES.get(word) not in _ADVERBS), "")
    if after == "been":
        clause.pieces.append(Piece("be", "be", "is"))
    elif is_participle(after) or clause.follows() == "not":
        clause.expect_verb()
    else:
        clause.pieces.append(Piece("have", "word", low))


def _take_special(clause: _Clause, low: str) -> bool:
    """Return whether *low* only belongs to what is around it, and take it so."""
    if low == "old" and clause.pieces and clause.pieces[-1].text.endswith((" years", " year")):
        years = clause.pieces.pop().text
        clause.pieces.append(Piece(f"{years.split()[0]} age", "number:age", f"{years} old"))
        return True
    if low == "only":
        return any(word[:1].isdigit() for word in clause.words[clause.at :][:2])
    return low == "yet" and clause.denied


def _take_word(clause: _Clause, bare: str, low: str) -> None:
    """Take a word that says what it is about."""
    if low in _SPECIAL and _take_special(clause, low):
        return
    if low in ("any", "anymore") and (low == "anymore" or clause.follows() in ("more", "longer")):
        clause.at += low == "any"
        if clause.denied:
            clause.ended, clause.cue = True, "not any more"
        return
    det, clause.det = clause.det, ""
    if _is_day(clause, bare, low, det):
        clause.pieces.append(Piece(low, "date", bare))
    elif bare.isascii() and bare.isalpha():
        clause.pieces.append(_word(clause, bare, low, det))
    elif bare.endswith(("'s", "s'")):
        clause.pieces.append(_genitive(bare, det))
        clause.det = "the"
    elif _HYPHENATED.fullmatch(bare):
        clause.pieces.append(Piece(low, "word", bare, det))
    else:
        clause.pieces.append(_figure(clause, bare, det))


def _is_day(clause: _Clause, bare: str, low: str, det: str) -> bool:
    """Return whether *bare* is a day of the month: on the first, by the 15th."""
    if det != "the" or not clause.pieces or clause.pieces[-1].key not in ("on", "by"):
        return False
    is_ordinal = low in _ORDINALS or _ORDINAL.fullmatch(low) is not None
    is_last = not clause.follows() or clause.follows() in ("of", "every", "each")
    return is_ordinal and is_last


def _word(clause: _Clause, bare: str, low: str, det: str) -> Piece:
    if low in _PERIODS and _is_led_to(clause) and clause.pieces[-1].key in ("every", "each"):
        return measured("1", low, bare)  # as in "every 15 minutes"
    name = bare.capitalize()
    if name.removesuffix("s") in DAYS:
        return Piece(name.removesuffix("s"), "weekday", bare, det)
    is_first = clause.at == 1
    if name in MONTHS and clause.follows().isdigit():
        text = f"{name} {clause.follows()}"
        clause.at += 1
        return Piece(text, "date", text)
    if bare in MONTHS and not is_first:
        return Piece(bare, "month", bare, det)
    is_name = bare[0].isupper() and not (is_first and bare[1:].islower())
    return Piece(key_of(low), "name" if is_name else "word", bare, det)


def _genitive(bare: str, det: str) -> Piece:
    base = bare[:-2] if bare.endswith("'s") else bare[:-1]
    low = base.lower()
    key = key_of(low) if base.isascii() and base.isalpha() else low
    return Piece(key, "name" if base[:1].isupper() else "word", base, det)


def _figure(clause: _Clause, bare: str, det: str) -> Piece:
    """Return a number with its unit, another figure, or else a piece of code."""
    found = figure(bare)
    if found is None:
        is_label = bare[0] == "#" and bare[1:].isdigit()
        return Piece(bare, "label" if is_label else "code", bare, det)
    if found.kind != "number:":
        return found._replace(det=det)
    before = clause.pieces[-1] if clause.pieces else Piece("", "", "")
    unit = clause.unit()
    if before.key == "at" and not unit and bare.isdigit() and int(bare) <= _HOURS:
        return Piece(f"{bare}:00", "clock", bare, det)
    is_year = before.kind == "prep" and before.key != "to" and _YEAR.fullmatch(bare)
    is_release = before.kind == "name" and "." in bare  # Node 20.10
    if (before.key in keys_of(table.NUMBERED) and not is_release) or is_year:
        return Piece(found.key, "label", bare, det)
    if unit in units():
        clause.at += 1
        return measured(bare, unit, f"{bare} {unit}") if bare.isdecimal() else found
    return (
        Piece(found.key, "version", bare, det) if before.kind == "name" else found._replace(det=det)
    )


_TAKE: dict[str, Callable[[_Clause, str, str], None]] = {
    "the": _take_the,
    "a": _take_a,
    "owner": _take_owner,
    "prep": _take_preposition,
    "sub": _take_subordinator,
    "relative": _take_relative,
    "filler": _take_nothing,
    "always": _take_nothing,
    "be": _take_be,
    "=": _take_be,
    "not": _take_not,
    "also": _take_also,
    "maybe": _take_maybe,
    "must": _take_modal,
    "may": _take_modal,
    "will": _take_modal,
    "plan": _take_plan,
    "decide": _take_decision,
    "now": _take_now,
    "instead": _take_instead,
    "need": _take_need,
    "do": _take_do,
    "have": _take_have,
    "get": _take_get,
}


# Clauses.


def _add(claims: list[Claim], clause: _Clause) -> None:
    """Add what *clause* claims to *claims*; what has no relation of its own continues the last."""
    _take_old(clause)
    _take_ending(clause)
    pieces = clause.pieces
    if not claims:
        claims.append(_claim(clause, head_of(pieces, clause.verb)))
        return
    last = claims[-1]
    head = head_of(pieces, clause.verb, may_begin=True)
    if pieces and pieces[0].kind == "sub":
        if pieces[0].key not in ("who", "which") or head <= 0 or not last.pieces:
            return  # why, when, or on what terms
        pieces[0] = last.pieces[-1]
    elif last.head < 0:  # "In 2023, the revenue was ..."
        claims.pop()
        clause.verb.at += len(last.pieces) if clause.verb.at >= 0 else 0
        pieces[:0] = last.pieces
        head = head_of(pieces, clause.verb)
    elif head < 0:
        claims[-1] = _continued(last, clause)
        return
    elif head == 0:  # "... and lives in Turin"
        clause.verb.at += last.head if clause.verb.at >= 0 else 0
        pieces[:0] = last.pieces[: last.head]
        head += last.head
    claims.append(_claim(clause, head))


def _continued(last: Claim, clause: _Clause) -> Claim:
    """Return *last* with more of what it says, or with what it says in the place of what."""
    if not (clause.denied or clause.cue):
        return replace(last, pieces=(*last.pieces, *clause.pieces))
    if clause.denied and not clause.ended and not last.old:  # "X, not Y"
        return replace(last, old=tuple(piece.key for piece in clause.pieces))
    return last


def _take_old(clause: _Clause) -> None:
    """Take "instead of X" and "rather than X" out of *clause*."""
    pieces = clause.pieces
    openers = (n for n in range(len(pieces) - 1) if (pieces[n].key, pieces[n + 1].key) in _INSTEAD)
    at = next(openers, len(pieces))
    end = at + 2
    while end < len(pieces) and pieces[end].kind not in JOINTS:
        end += 1
    if at + 2 < end <= len(pieces):
        clause.old = tuple(each.key for each in pieces[at + 2 : end])
        clause.cue = clause.cue or "instead of"
        del pieces[at:end]


def _take_ending(clause: _Clause) -> None:
    """Read "stopped smoking" and "used to smoke" as smoking that has ended."""
    pieces = clause.pieces
    for at, (piece, after) in enumerate(pairwise(pieces)):
        if piece.key in keys_of(table.ENDINGS) and after.text.endswith("ing"):
            clause.cue = f"{piece.text} {after.text}"
            del pieces[at]
        elif piece.text == "used" and after.key == "to" and not _is_be(pieces, at - 1):
            clause.cue = "used to"
            del pieces[at : at + 2]
        else:
            continue
        clause.ended, clause.denied = True, True
        clause.verb = Verbal(at)
        return


def _is_be(pieces: Sequence[Piece], at: int) -> bool:
    return at >= 0 and pieces[at].kind == "be"


def _claim(clause: _Clause, head: int) -> Claim:
    claim = claim_of(tuple(clause.pieces), head, clause.verb, mood=clause.mood, cue=clause.cue)
    claim, is_new = _of_the_newest(_aged(claim))
    return changed(
        replace(
            claim,
            denied=clause.denied,
            cue=clause.cue or is_new,
            ended=clause.ended,
            old=clause.old,
            also=clause.also,
            times=clause.times,
        )
    )


def _aged(claim: Claim) -> Claim:
    """Return "Max is 8" as "Max is 8 years old"."""
    said = claim.said
    if claim.relation != "be" or claim.topic_kind not in ("", "thing") or len(said) != 1:
        return claim
    if claim.topic_kind and table.ROLES.get(claim.pieces[0].text.lower()) != "owner":
        return claim
    if said[0].kind != "number:" or not said[0].text.isdigit() or int(said[0].text) > _OLDEST:
        return claim
    age = Piece(f"{said[0].text} age", "number:age", said[0].text)
    return replace(claim, pieces=(*claim.pieces[:-1], age))


def _of_the_newest(claim: Claim) -> tuple[Claim, str]:
    """Return "the new CEO is Tom" as "the CEO is Tom", and what says that it was otherwise.

    What a former one is, or was, is of the past.
    """
    topic = claim.pieces[: max(claim.head, 0)]
    news = keys_of(table.NEWER | table.FORMER)
    at = next((n for n, piece in enumerate(topic) if piece.key in news), -1)
    noun = next((n for n, piece in enumerate(topic) if piece.kind == "prep"), len(topic)) - 1
    if not 0 <= at < noun or claim.relation not in ("be", "at"):
        return claim, ""
    is_one = claim.topic_kind in ("attribute", "tool") and claim.relation == "be"
    if not (is_one or topic[noun].key in keys_of(table.REPLACED)):
        return claim, ""
    if topic[at].key in keys_of(table.FORMER):
        return replace(claim, mood=claim.mood or "past"), ""
    pieces = [*claim.pieces]
    is_new = pieces.pop(at)
    pieces[at] = pieces[at]._replace(det=pieces[at].det or is_new.det)
    shorter = replace(claim, pieces=tuple(pieces), head=claim.head - 1, value=claim.value - 1)
    return shorter, is_new.text
