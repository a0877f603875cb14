"""A cheap look at whether two texts may have to do with each other."""

import re
from dataclasses import dataclass
from functools import lru_cache

from agent_memory_os.pure.claims import changes
from agent_memory_os.pure.claims.english import relative_time
from agent_memory_os.pure.claims.english_words import TIME_OPENERS
from agent_memory_os.pure.retold import retold
from agent_memory_os.pure.stem import stem
from agent_memory_os.pure.stopwords import STOP_WORDS

_WORDS = re.compile(r"[a-z0-9_]+(?:\.\d+)*|[\u3400-\u4dbf\u4e00-\u9fff]+")
_CLAUSES = re.compile(r"[,;，；。] ?\S|[.!?] +\S|\n\S| and ")
_NOW = re.compile("现在|如今|目前|已经|不再|[不没了]")
_HAN = "\u3400"
_MOST = 2000  # characters that are looked at, of either
_UNLIKE = 3  # times as long: no rephrasing


@dataclass(frozen=True, slots=True)
class Probe:
    """What a text must hold to have to do with a draft.

    Attributes:
        words: the beginnings of the words of the draft.
        least: how many of them a text that says nearly the same holds.
        size: the length of the draft, in characters.
        changed: of each change that the draft tells of, what a text holds that tells what was
            before: all of it.
    """

    words: tuple[str, ...]
    least: int
    size: int
    changed: tuple[tuple[str, ...], ...] = ()

    def touches(self, content: str) -> bool:
        """Return whether *content* may say the same, or what the draft changes."""
        text = retold(content[:_MOST]).lower()
        if not text.isascii():  # pairs of characters are cut by each word between
            text = _NOW.sub("", text)
        for needles in self.changed:
            if all(needle in text for needle in needles):
                return True
        if not self.size <= _UNLIKE * len(content) <= _UNLIKE**2 * self.size:
            return False
        count = 0
        for word in self.words:
            if word in text:
                count += 1
                if count >= self.least:
                    return True
        return not self.words


@lru_cache(256)  # a draft is held against each of its rivals
def probe(content: str) -> Probe:
    """Return what to look for in the rivals of *content*.

    A statement that is the same but for a value shares half of its words, or a third of its pairs
    of Chinese characters; a single clause shares all but a few, since values are short.
    """
    words: dict[str, None] = {}
    size = len(content)
    since = retold(content[:_MOST])
    if not TIME_OPENERS.isdisjoint(since.split()):
        since = relative_time().sub(" ", since)
    low = since.lower()
    for word in _WORDS.findall(low if low.isascii() else _NOW.sub("", low)):
        if word[0] >= _HAN:
            words |= dict.fromkeys(word[at : at + 2] for at in range(len(word) - 1))
        elif word not in STOP_WORDS:
            words[_beginning(word)] = None
    share, few = (2, 3) if content.isascii() else (3, 9)
    least = len(words) // share
    if _CLAUSES.search(content) is None:
        least = max(least, len(words) - few)
    if since != content:
        least -= 1  # what was told in other words has other words
    size += min(0, len(since) - size) if size <= _MOST else 0
    changed = tuple(tuple(map(_beginning, filter(None, each))) for each in changes(content))
    return Probe(tuple(words), max(1, least), size, changed)


def told(content: str) -> list[tuple[str, ...]]:
    """Return what an analysed text must hold words that begin with, to say what was before.

    One for each change that *content* tells of; all of it must be held.
    """
    found = []
    for needles in changes(content):
        words = [_kept(word) for needle in needles for word in _WORDS.findall(needle)]
        if words:
            found.append(tuple(dict.fromkeys(words)))
    return found


def _kept(word: str) -> str:
    """Return what the stems of *word* and its other forms begin with."""
    beginning, kept = _beginning(word), stem(word) if word.isascii() else word
    return kept if beginning.startswith(kept) else beginning


def _beginning(word: str) -> str:
    """Return what an inflected or a longer form of *word* begins with too."""
    if word[0] >= _HAN:
        return word[:2]
    return word[: max(4, len(word) - 3)] if len(word) > 4 else word.removesuffix("s") or word
