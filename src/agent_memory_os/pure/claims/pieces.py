"""The pieces that a statement is made of, and what one clause of it claims."""

import re
from dataclasses import dataclass
from typing import NamedTuple

from agent_memory_os.pure.stem import stem

JOINTS = frozenset(("prep", "be", "sub"))  # kinds that say how the others hang together
SILENT = frozenset(("ask", "maybe", "plan"))  # moods that claim nothing
# Whoever speaks for a group: of no use to tell what a statement is about.
SPEAKERS = frozenset("我们 团队 咱们 大家".split())
SPEAKERS |= frozenset(map(stem, "we they team company everyone you us".split()))
_SELF = frozenset("i my mine me".split())
_OTHERS = frozenset("he she it they him her his its their them".split())
_POINTING = re.compile("我(?!们)|[他她它其]|本[^地周月年日来次人体身科市省区届季轮期]")


class Piece(NamedTuple):
    """A word, a figure or a mark of a statement.

    *key* is equal where the same is meant. *kind* is "word", "name", "state" (a word that judges),
    "label" (a number that names a thing), "code", "prep", "be", "sub" (opens a clause of its own),
    or the kind of a figure: "clock", "weekday", "month", "date", "version", "number:" and what it
    measures. *text* is what was typed. *det* is what stood before it, "the" or "a", or nothing; of
    a Chinese word of the grammar it is what the word does: "verb", "change", "leave".
    """

    key: str
    kind: str
    text: str
    det: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """What one clause says.

    Attributes:
        pieces: what is said, in order, without what the other fields hold.
        head: where the relation stands in *pieces*; -1: none is known.
        value: where what the relation leads to begins.
        relation: the class of the relation: "be", "place", "use" ...; "" when none is known.
        single: whether a thing has one such value at a time.
        denied: whether it says that it is not so.
        mood: "" for a plain statement of now, else "ask", "maybe", "plan", "past", "must", "may",
            "do" (an instruction).
        cue: the words that say that something has changed; "" without.
        ended: whether the cue says that it no longer holds.
        old: keys of what it says was there before.
        replaces: the classes of relation that a change of this kind puts an end to.
        topic_kind: "attribute" (a thing has one), "tool" (a role that something fills), "many"
            (there are others), "heading" (one who leads), "version" (which one is in use), "thing"
            (one that is known), or "".
        also: whether it says that it adds to something.
        times: relative times ("last week"), apart from *pieces*.
    """

    pieces: tuple[Piece, ...]
    head: int = -1
    value: int = 0
    relation: str = ""
    single: bool = False
    denied: bool = False
    mood: str = ""
    cue: str = ""
    ended: bool = False
    old: tuple[str, ...] = ()
    replaces: tuple[str, ...] = ()
    topic_kind: str = ""
    also: bool = False
    times: tuple[str, ...] = ()

    @property
    def said(self) -> tuple[Piece, ...]:
        """What is said of the topic: the pieces from the value on."""
        return self.pieces[self.value :]

    @property
    def verb(self) -> str:
        """Key of the verb of the relation; of "based" where it is passive."""
        return self.pieces[self._verb_at].key if self.head >= 0 else ""

    @property
    def about(self) -> frozenset[str]:
        """Keys of what it is about: all before the value, without the words of the relation."""
        return frozenset(
            piece.key
            for at, piece in enumerate(self.pieces[: self.value])
            if piece.kind not in ("be", "prep") and at not in (self.head, self._verb_at)
        )

    @property
    def points_to(self) -> str:
        """Whom its topic points to without a name: "self", "other", or nobody."""
        keys = [piece.key for piece in self.pieces[: max(self.value, 1)]]
        if any(key in _SELF or (key[:1] == "我" and _POINTING.match(key)) for key in keys):
            return "self"
        is_other = any(key in _OTHERS or _POINTING.match(key) for key in keys)
        return "other" if is_other else ""

    @property
    def is_bare(self) -> bool:
        """Whether its topic is an attribute of nobody in particular: "the rent"."""
        if self.topic_kind != "attribute" and self.relation:
            return False
        about = [key for key in self.about if not key[:1].isdigit()]
        return not about or (len(about) == 1 and (about[0].isascii() or len(about[0]) <= 3))

    @property
    def _verb_at(self) -> int:
        follows = self.pieces[self.head + 1].kind if self.value > self.head + 1 else "prep"
        is_passive = self.pieces[self.head].kind == "be" and follows != "prep"
        return self.head + is_passive


def keys(pieces: tuple[Piece, ...] | list[Piece]) -> frozenset[str]:
    """Return the keys of *pieces*, without prepositions."""
    return frozenset(piece.key for piece in pieces if piece.kind != "prep")
