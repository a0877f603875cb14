"""How much a turn tells that is worth an atom."""

import re
from collections import Counter, deque
from collections.abc import Sequence
from math import log1p
from typing import NamedTuple

from agent_memory_os.pure.claims import LONGEST, LONGEST_HAN
from agent_memory_os.pure.distil import chinese, english
from agent_memory_os.pure.distil.kind import Kind
from agent_memory_os.pure.distil.sentences import HAN, Sentence
from agent_memory_os.pure.distil.words import FIRST, SECOND, told, words_of

# What a word counts for, by the person of its sentence. Source: measured on conversations, see
# SPEC.md, "Distilling": people tell facts in the first person, and say kind things in the second.
OWN, OWN_TO_YOU, YOURS_TO_ME, DROPPED, OTHER, ASKED = 1.0, 0.8, 0.2, 0.3, 0.0, 0.2
_ANSWERS, _TIMES = 1.0, 0.5
WINDOW = 24  # turns, within which a word that comes again is no news

_DROPPED = re.compile(  # sentences that leave "I" out
    r"(?:and |but |so |just |also |even |still |then |yeah,? |yep,? |yes,? |no,? |well,? |oh,? )*"
    r"(?:been|went|got|had|gonna|going|took|tried|found|started|made|saw|met|can't|couldn't|bought"
    r"|used|spent|\w{2,}ing)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|since|recently"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august"
    r"|september|october|november|december|morning|summer|winter|spring|fall)\b"
    "|[昨今明前后]天|[上下这]个?[周月]|[去今明]年|\\d年|月|星期|周[一二三四五六日末]"
)
_HAN_FIRST = re.compile("我|咱")
_HAN_SECOND = re.compile("[你您]")


class Said(NamedTuple):
    """A sentence of a turn, with what it tells and how much a word of it counts for."""

    sentence: Sentence
    kind: Kind | None
    told: frozenset[str]
    share: float

    @property
    def text(self) -> str:
        """The words as they were said."""
        return self.sentence.text


def read(sentences: Sequence[Sentence], names: frozenset[str] = frozenset()) -> list[Said]:
    """Return each of the *sentences* of a turn with its kind and what it tells.

    *names*, as stems, are of those who speak with each other: to call somebody tells nothing.
    """
    return [_read(sentence, names) for sentence in sentences]


def _read(sentence: Sentence, names: frozenset[str]) -> Said:
    text = sentence.text
    is_han = not text.isascii() and HAN.search(text) is not None
    words = words_of(text)
    kind = None
    is_statement = not (sentence.asks or sentence.is_note)
    if is_statement and len(text) <= (LONGEST_HAN if is_han else LONGEST):
        kind = chinese.kind_of(text) if is_han else english.kind_of(text)
    share = ASKED if sentence.asks else OTHER if sentence.is_note else _share(text, words, is_han)
    return Said(sentence, kind, frozenset(told(text, words)) - names, share)


def _share(text: str, words: Sequence[str], is_han: bool) -> float:
    """Return what a word of a statement counts for."""
    if is_han:
        own, yours = _first_place(_HAN_FIRST, text), _first_place(_HAN_SECOND, text)
    else:
        own = next((at for at, word in enumerate(words) if word in FIRST), None)
        yours = next((at for at, word in enumerate(words) if word in SECOND), None)
    if own is None:
        return DROPPED if yours is None and _DROPPED.match(text) else OTHER
    if yours is None:
        return OWN
    return OWN_TO_YOU if own < yours else YOURS_TO_ME


def _first_place(pattern: re.Pattern[str], text: str) -> int | None:
    found = pattern.search(text)
    return found.start() if found else None


def own_words(said: Sequence[Said]) -> float:
    """Return how many distinct words the speaker tells, each by the person of its sentence."""
    shares: dict[str, float] = {}
    for each in said:
        if each.share:
            for word in each.told:
                shares[word] = max(each.share, shares.get(word, 0.0))
    return sum(shares.values())


class Novelty:
    """What was told within the last turns, so that what is told again counts for less."""

    def __init__(self) -> None:
        self._recent: deque[set[str]] = deque()
        self._seen: Counter[str] = Counter()

    def worth(self, said: Sequence[Said], *, is_answer: bool) -> float:
        """Return what the next turn is worth, and remember its words.

        The logarithms of how much of its own it tells and of how much of what it states is new,
        and a little for an answer and for each word of time.
        """
        stated = [each for each in said if not each.sentence.asks and not each.sentence.is_note]
        new = {word for each in stated for word in each.told if not self._seen[word]}
        dates = sum(len(_TIME.findall(each.text.lower())) for each in stated)
        worth = (
            log1p(own_words(said)) + log1p(len(new)) + _ANSWERS * is_answer + _TIMES * log1p(dates)
        )
        self._remember({word for each in said for word in each.told if not each.sentence.is_note})
        return worth

    def _remember(self, words: set[str]) -> None:
        self._recent.append(words)
        self._seen.update(words)
        if len(self._recent) > WINDOW:
            self._seen.subtract(self._recent.popleft())
