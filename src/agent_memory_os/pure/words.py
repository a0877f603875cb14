"""The index terms of one chunk of text that has no white space in it."""

import re
from collections.abc import Sequence
from functools import cache

from agent_memory_os.pure.folding import MARKS, exact_words, folded, pictures
from agent_memory_os.pure.stem import stem

LONGEST_TERM = 64  # characters; a longer one keeps its head and a hash of the whole
_HEAD = 51
_MOST_CHUNKS = 1 << 17  # some 20 MB

# One of [.#@] or a minus before words that separators join, then [+#%]: .NET, a/b.c, C++, 61.5%.
_SHAPE = (
    r"(?:(?<![\w.#@-])(?:[.#@]|-(?=\d)))?"
    r"[{word}]+(?:(?:://|::|\+\+|[-./\\@:=&#%+'])[{word}]+)*"
    r"(?:\+\+?|\#|(?<=\d)%)?"
)
_ASCII_COMPOUND = re.compile(_SHAPE.replace("{word}", "A-Za-z0-9_"))
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMBER = re.compile(r"[-+]?v?(\d+(?:\.\d+)+)%?")
_SEPARATORS = re.compile(r"[/\\@:=&#%+]+")
_JOINTS = re.compile(r"[-._]+")
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])+\.?")  # U.S.A
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ACRONYMS = re.compile(r"[A-Z]{2,}s")
_LETTERS_AND_DIGITS = re.compile(r"([a-z]+)(\d+)|(\d+)([a-z]+)")
_RUNS = re.compile(r"[a-z]{3,}|\d{3,}")
_BEFORE, _AFTER = '("', '.,;:!?)"'  # what may stand around a plain word and is no part of it
_CLITICS = frozenset(("s", "ll", "re", "ve", "d", "m"))


def fitted(term: str) -> str:
    """Return *term*, or its head and a hash if it is too long to be one."""
    if len(term) <= LONGEST_TERM:
        return term
    from hashlib import blake2b  # loads OpenSSL, and few terms are that long

    return f"{term[:_HEAD]}~{blake2b(term.encode(), digest_size=6).hexdigest()}"


class _Analysed(dict[str, str]):
    """Chunks that were met, with their terms joined by spaces; a full one starts anew.

    A plain dictionary, since this is most of what an add does outside of SQLite: a word that was
    met costs a lookup and no call.
    """

    def __missing__(self, chunk: str) -> str:
        terms = _word_term(chunk) or " ".join(_chunk_terms(chunk))
        if len(chunk) <= LONGEST_TERM:  # what is longer hardly comes twice
            if len(self) >= _MOST_CHUNKS:
                self.clear()
            self[chunk] = terms
        return terms


ANALYSED = _Analysed()


def chunk_terms(chunk: str) -> list[str]:
    """Return the terms of *chunk*, the whole of a compound before its parts.

    A chunk is NFKC text without white space, without invisible characters and without scripts
    that put no spaces between words.
    """
    return ANALYSED[chunk].split(" ") if ANALYSED[chunk] else []


def _word_term(chunk: str) -> str:
    """Return the one term of a plain English word, as most chunks are; empty for all others."""
    if not chunk.isascii():
        return ""
    word = chunk if chunk.isalpha() else chunk.lstrip(_BEFORE).rstrip(_AFTER)
    if not word.isalpha():
        return ""
    if word.islower():
        return fitted(stem(word))
    return fitted(stem(word.lower())) if word[1:].islower() else ""


def _chunk_terms(chunk: str) -> Sequence[str]:
    if chunk.isascii():
        return _plain_terms(chunk)
    terms = _plain_terms(folded(chunk))
    known = set(terms)
    exact = [word for word in map(fitted, exact_words(chunk)) if word not in known]
    return (*terms, *exact, *pictures(chunk))


@cache  # not at import: a class this wide is slow to compile
def _compound() -> re.Pattern[str]:
    return re.compile(_SHAPE.replace("{word}", rf"\w{MARKS}"))


def _plain_terms(chunk: str) -> list[str]:
    if "," in chunk:
        chunk = _THOUSANDS.sub("", chunk)
    compounds = _ASCII_COMPOUND if chunk.isascii() else _compound()
    terms: list[str] = []
    for compound in compounds.findall(chunk):
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
        if _INITIALS.fullmatch(segment):
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
