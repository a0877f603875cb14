"""The index terms of one chunk of text that has no white space in it."""

import re
from functools import lru_cache
from hashlib import blake2b
from unicodedata import category, decimal, normalize

from agent_memory_os.pure.stem import stem

LONGEST_TERM = 64  # characters; a longer one keeps its head and a hash of the whole
_HEAD = 51

# \w lacks the marks that other scripts spell with: vowel signs of the Indic scripts, points of
# Hebrew and Arabic, combining accents.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a"
    "\u07a6-\u07b0\u07eb-\u07f3\u0816-\u082d\u0859-\u085b\u0898-\u0963\u0966-\u0dff\u0f18-\u0f39"
    "\u0f3e-\u0fbc\u1712-\u1734\u18a9\u1a17-\u1a7f\u1ab0-\u1aff\u1b00-\u1cff\u1dc0-\u1dff\ua67c"
    "\ua67d\ua6f0\ua6f1\ua802-\ua827\ua880-\ua8ff\ua926-\ua9ff\uaab0-\uaac1\uabe3-\uabed\ufe20-\ufe2f"
)
_WORD = re.compile(rf"[\w{_MARKS}]+")
_COMPOUND = re.compile(
    rf"(?:(?<![\w.#@-])(?:[.#@]|-(?=\d)))?"
    rf"[\w{_MARKS}]+(?:(?:://|::|\+\+|[-./\\@:=&#%+'])[\w{_MARKS}]+)*"
    rf"(?:\+\+?|\#|(?<=\d)%)?"
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER = re.compile(r"[-+]?v?(\d+(?:\.\d+)+)%?")
_SEPARATORS = re.compile(r"[/\\@:=&#%+]+")
_JOINTS = re.compile(r"[-._]+")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ACRONYMS = re.compile(r"[A-Z]{2,}s")
_LETTERS_AND_DIGITS = re.compile(r"([a-z]+)(\d+)|(\d+)([a-z]+)")
_RUNS = re.compile(r"[a-z]{3,}|\d{3,}")
_AROUND = '.,;:!?()"'  # what may stand around a plain word and is no part of it
_CLITICS = frozenset(("s", "ll", "re", "ve", "d", "m"))

_LATIN_MARKS = re.compile("(?<=[A-Za-z\u0370-\u03ff])[\u0300-\u036f]+")
_POINTS = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670\u0640]+"
)
_LETTERS = str.maketrans(
    dict(
        zip(
            "ßẞæÆœŒøØłŁđĐðÐþÞıħĦςёЁىةکی",
            "ss SS ae AE oe OE o O l L d D d D th Th i h H σ е Е ي ه ك ي".split(),
            strict=True,
        )
    )
)
_FLAG = "\U0001f1e6-\U0001f1ff"
_PICTURE = re.compile(f"[{_FLAG}]{{2}}|[^\\w\\s\x00-\xa8\u2500-\u259f]")


def fitted(term: str) -> str:
    """Return *term*, or its head and a hash if it is too long to be one."""
    if len(term) <= LONGEST_TERM:
        return term
    return f"{term[:_HEAD]}~{blake2b(term.encode(), digest_size=6).hexdigest()}"


def _chunk_terms(chunk: str) -> tuple[str, ...]:
    if chunk.isascii():
        word = chunk if chunk.isalpha() else chunk.strip(_AROUND)
        if word.isalpha() and (word.islower() or word[1:].islower()):
            return (fitted(stem(word.lower())),)
        return tuple(_plain_terms(chunk))
    plain = _folded(chunk)
    terms = _plain_terms(plain)
    exact = _WORD.findall(normalize("NFC", chunk.casefold()))
    terms += [fitted(word) for word in exact if not word.isascii() and fitted(word) not in terms]
    return (*terms, *_pictures(chunk))


cached_chunk_terms = lru_cache(maxsize=1 << 16)(_chunk_terms)


def chunk_terms(chunk: str) -> tuple[str, ...]:
    """Return the terms of *chunk*, the whole of a compound before its parts.

    A chunk is NFKC text without white space, without invisible characters and without scripts
    that put no spaces between words.
    """
    if len(chunk) > LONGEST_TERM:  # what is this long hardly comes twice
        return _chunk_terms(chunk)
    return cached_chunk_terms(chunk)


def _folded(chunk: str) -> str:
    """Return *chunk* without diacritics and points, its letters and digits in the plainest form."""
    bare = _POINTS.sub("", _LATIN_MARKS.sub("", normalize("NFD", chunk)))
    if bare.isascii():
        return bare
    bare = normalize("NFC", bare).translate(_LETTERS)
    return "".join(str(decimal(c)) if c.isdecimal() else c for c in bare)


def _pictures(chunk: str) -> list[str]:
    """Return each emoji and other symbol of *chunk*."""
    found = _PICTURE.findall(chunk)
    return [sign for sign in found if category(sign[0]) in ("So", "Sc")]


def _plain_terms(chunk: str) -> list[str]:
    if "," in chunk:
        chunk = _THOUSANDS.sub("", chunk)
    terms: list[str] = []
    for compound in _COMPOUND.findall(chunk):
        terms += _compound_terms(compound)
    return terms


def _compound_terms(compound: str) -> list[str]:
    """Return the whole of *compound*, then what stands between its separators, then the words."""
    segments = [segment for segment in _SEPARATORS.split(compound) if segment]
    split = [[part for part in _JOINTS.split(segment) if part] for segment in segments]
    if split == [[compound]]:
        return _part_terms(compound)
    whole = compound.casefold()
    terms = [fitted(whole)]
    number = _NUMBER.fullmatch(whole)
    if number:
        return terms if number[1] == whole else [*terms, fitted(number[1])]
    for segment, parts in zip(segments, split, strict=True):
        if len(parts) > 1 and len(segments) > 1:
            terms.append(fitted(segment.casefold().strip(".-_")))
        if len(parts) > 1 and all(len(part) == 1 for part in parts):  # U.S.A
            terms.append(fitted("".join(parts).casefold()))
            continue
        for part in parts:
            if len(part) > 1 or part.isdigit() or not part.isascii():
                terms += _part_terms(part)
    return terms


def _apostrophe_terms(word: str) -> list[str]:
    """Return "carolin" for "Caroline's", "dont" for "don't", "amour" too for "l'amour"."""
    *bases, ending = word.split("'")
    if ending.lower() in _CLITICS:
        return _part_terms("".join(bases))
    joined = _part_terms("".join((*bases, ending)).lower())
    if ending.lower() == "t":
        return joined
    return joined + [
        term for part in (*bases, ending) if len(part) > 1 for term in _part_terms(part)
    ]


def _part_terms(part: str) -> list[str]:
    """Return the terms of *part*: letters, digits, marks and apostrophes."""
    if "'" in part:
        return _apostrophe_terms(part)
    lower = part.casefold()
    if not part.isascii() or part.isdigit():
        return [fitted(lower)]
    if part.isalpha():
        whole = fitted(stem(lower))
        if part.islower() or part.isupper() or part[1:].islower() or _ACRONYMS.fullmatch(part):
            return [whole]
        return [whole, *(stem(word.lower()) for word in _CAMEL.findall(part) if len(word) > 1)]
    pair = _LETTERS_AND_DIGITS.fullmatch(lower)
    if not pair:
        return [fitted(lower), *map(fitted, _RUNS.findall(lower))]
    letters, digits = pair[1] or pair[4], pair[2] or pair[3]
    terms = [fitted(lower)]
    if len(letters) > 1:
        terms.append(fitted(stem(letters)))
    if pair[3] or len(digits) > 1:
        terms.append(fitted(digits))
    return terms
