"""What a statement claims, in English or Chinese."""

import re
from functools import lru_cache

from agent_memory_os.pure.claims.chinese import chinese
from agent_memory_os.pure.claims.chinese_change import change_signs
from agent_memory_os.pure.claims.english import english
from agent_memory_os.pure.claims.english_change import change_words
from agent_memory_os.pure.claims.pieces import SPEAKERS, Claim
from agent_memory_os.pure.plainest import spelled
from agent_memory_os.pure.retold import retold

MOST_CLAIMS = 4  # of one text; what says more is a document, and no statement
LONGEST, LONGEST_HAN = 400, 120  # characters
# What a statement may leave out of what it is about.
_UNSAID = SPEAKERS | frozenset("version price cost fee time date schedul".split())
_LETTERS = re.compile("[a-z]+")
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")


@lru_cache(2048)  # a rival of one draft is often one of the next
def claims(text: str) -> tuple[Claim, ...]:
    """Return the claims of *text*, in order; none where it is too long to be a statement.

    >>> [claim] = claims("The gateway timeout is 30 seconds.")
    >>> [piece.text for piece in claim.said]
    ['30 seconds']
    """
    if len(text) > LONGEST or "```" in text:
        return ()
    plain = retold(spelled(text))
    if not _HAN.search(plain):
        found = english(plain)
    else:
        found = chinese(plain) if len(plain) <= LONGEST_HAN else ()
    return found if len(found) <= MOST_CLAIMS else ()


def changes(text: str) -> list[list[str]]:
    """Return of each change that *text* tells of the words that what was before must hold.

    These are the words of what was there before, else those of the thing that has changed.
    """
    if not _may_tell_of_change(text):
        return []
    found = []
    for claim in filter(_replaces, claims(text)):
        old = [key.lower() for key in claim.old if " " not in key]  # a figure has its measure
        thing = [p.text.lower() for p in claim.pieces[: claim.head] if p.key not in _UNSAID]
        found.append(old or thing or [piece.text.lower() for piece in claim.said[1:]])
    return found


def _replaces(claim: Claim) -> bool:
    return claim.replaces != ()


def _may_tell_of_change(text: str) -> bool:
    """Return whether *text* has a word that a change is told with, which is cheap to see."""
    if _HAN.search(text):
        return change_signs().search(text) is not None
    return not change_words().isdisjoint(_LETTERS.findall(text.lower()))
