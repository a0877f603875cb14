"""Words of other scripts: what they are made of, and their plainest form."""

import re
from functools import cache
from unicodedata import category, decimal, normalize

# \w lacks the marks that other scripts spell with: vowel signs of the Indic scripts, points of
# Hebrew and Arabic, combining accents.
MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a"
    "\u07a6-\u07b0\u07eb-\u07f3\u0816-\u082d\u0859-\u085b\u0898-\u0963\u0966-\u0dff\u0f18-\u0f39"
    "\u0f3e-\u0fbc\u1712-\u1734\u18a9\u1a17-\u1a7f\u1ab0-\u1aff\u1b00-\u1cff\u1dc0-\u1dff\ua67c"
    "\ua67d\ua6f0\ua6f1\ua802-\ua827\ua880-\ua8ff\ua926-\ua9ff\uaab0-\uaac1\uabe3-\uabed"
    "\ufe20-\ufe2f"
)
_POINTS = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u0640"
_FLAG = "\U0001f1e6-\U0001f1ff"
_LETTERS = str.maketrans(
    dict(
        zip(
            "ßẞæÆœŒøØłŁđĐðÐþÞıħĦςёЁىةکی",
            "ss SS ae AE oe OE o O l L d D d D th Th i h H σ е Е ي ه ك ي".split(),
            strict=True,
        )
    )
)


@cache  # not at import: most memories are ASCII, and classes this wide are slow to compile
def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source)


def folded(chunk: str) -> str:
    """Return *chunk* without diacritics and points, its letters and digits in the plainest form.

    Accents leave Latin and Greek letters only: й and ї are no и and і.
    """
    bare = _pattern("(?<=[A-Za-z\u0370-\u03ff])[\u0300-\u036f]+").sub("", normalize("NFD", chunk))
    if bare.isascii():
        return bare
    bare = normalize("NFC", _pattern(f"[{_POINTS}]+").sub("", bare)).translate(_LETTERS)
    return "".join(str(decimal(letter)) if letter.isdecimal() else letter for letter in bare)


def exact_words(chunk: str) -> list[str]:
    """Return the words of *chunk* that are not ASCII, in lower case, with all their marks."""
    words = _pattern(rf"[\w{MARKS}]+").findall(normalize("NFC", chunk.casefold()))
    return [word for word in words if not word.isascii()]


def pictures(chunk: str) -> list[str]:
    """Return each emoji and other symbol of *chunk*; a flag is one, rules of tables are none."""
    found = _pattern(f"[{_FLAG}]{{2}}|[^\\w\\s\x00-\xa8\u2500-\u259f]").findall(chunk)
    return [sign for sign in found if category(sign[0]) in ("So", "Sc")]
