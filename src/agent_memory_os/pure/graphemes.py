"""Where a text may be cut: between what a reader sees as characters, never inside one."""

# After UAX #29, "Unicode Text Segmentation", as far as the tables of the standard library go; where
# they say too little, two characters count as one.

import unicodedata

_MARKS = frozenset({"Mn", "Mc", "Me"})
_JOINER = "\u200d"
# Joined to what stands before them, and no marks by their category: joiners, vowels of Thai and
# Lao, voiced sound marks of half width.
_JOINED = frozenset("\u200c\u200d\u0e33\u0eb3\uff9e\uff9f")
_VIRAMA = 9  # combining class: what follows it is written together with what stands before
_FARTHEST = 32  # code points that are looked back over


def is_boundary(text: str, at: int) -> bool:
    """Return whether *text* may be cut before its code point number *at*.

    >>> is_boundary("ne\u0301e", 2), is_boundary("ne\u0301e", 3)
    (False, True)
    """
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if after < "\u0300":
        return not (before == "\r" and after == "\n")
    if "\u3400" <= after <= "\u9fff":  # most of Chinese, and fast
        return before != _JOINER
    if after in _JOINED or before == _JOINER or unicodedata.category(after) in _MARKS:
        return False
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return False  # a tone of skin, a tag of a flag
    if _is_regional(after):
        return not (_is_regional(before) and _regionals_before(text, at) % 2)
    if unicodedata.combining(before) == _VIRAMA:
        return not unicodedata.category(after).startswith("L")
    return not _are_one_syllable(before, after)


def boundary(text: str, at: int) -> int:
    """Return the last place up to *at* where *text* may be cut; *at* itself if there is none near.

    A heap of marks without end is no character that anybody reads.
    """
    for place in range(at, max(at - _FARTHEST, 0), -1):
        if is_boundary(text, place):
            return place
    return at


def _is_regional(character: str) -> bool:
    """Whether it is one of the letters of which two are a flag."""
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _regionals_before(text: str, at: int) -> int:
    start = at
    while start > 0 and _is_regional(text[start - 1]):
        start -= 1
    return at - start


def _are_one_syllable(before: str, after: str) -> bool:
    """Whether two parts of a Korean syllable that is not composed belong together."""
    first, second = _jamo(before), _jamo(after)
    return (first, second) in {
        *(("L", "L"), ("L", "V"), ("L", "LV"), ("L", "LVT")),
        *(("V", "V"), ("V", "T"), ("LV", "V"), ("LV", "T")),
        *(("LVT", "T"), ("T", "T")),
    }


def _jamo(character: str) -> str:
    if "\uac00" <= character <= "\ud7a3":
        return "LVT" if (ord(character) - 0xAC00) % 28 else "LV"
    if "\u1100" <= character <= "\u115f" or "\ua960" <= character <= "\ua97c":
        return "L"
    if "\u1160" <= character <= "\u11a7" or "\ud7b0" <= character <= "\ud7c6":
        return "V"
    return "T" if "\u11a8" <= character <= "\u11ff" or "\ud7cb" <= character <= "\ud7fb" else ""
