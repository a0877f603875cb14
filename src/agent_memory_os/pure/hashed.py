"""Hashed embeddings: what a text is made of, as signs in a fixed number of lanes."""

# A text is the union of its words, each lane plus, minus, both or neither. Measured on the four
# sets against sums of lanes with one sign bit each: the union finds more (recall@50 of misspelt
# questions 72 against 68 at the same size), since a lane that nothing touches does not vote, and it
# costs two ORs of a word that was met before.

import binascii
from collections.abc import Iterable
from functools import lru_cache

from agent_memory_os.noun import Noun
from agent_memory_os.pure.stem import stem
from agent_memory_os.pure.stopwords import STOP_WORDS
from agent_memory_os.pure.text import ANALYSER_VERSION, split_runs

LANES = 1024  # 512 find 2 points less of misspelt questions at 50, 2048 one more
FINGERPRINT = f"hashed-trigrams-1/{LANES}/analyser-{ANALYSER_VERSION}"
_SCATTER = 2_654_435_761  # Knuth's multiplicative hash: a checksum alone leaves its bits related
_BYTES = LANES // 8


class Signature(Noun):
    """The lanes that a text touches upwards and downwards, one bit each."""

    plus: int
    minus: int

    def to_bytes(self) -> bytes:
        """Return both halves, the same on every machine: 256 bytes."""
        return self.plus.to_bytes(_BYTES, "little") + self.minus.to_bytes(_BYTES, "little")


def signature(terms: Iterable[str]) -> Signature:
    """Return the signature of a text or a query with these index terms; their order is nothing."""
    plus = minus = 0
    for term in terms:
        up, down = _lanes(term)
        plus |= up
        minus |= down
    return Signature(plus, minus)


def from_bytes(kept: bytes) -> Signature:
    """Return the signature that ``to_bytes`` made *kept* of."""
    plus, minus = kept[:_BYTES], kept[_BYTES:]
    return Signature(int.from_bytes(plus, "little"), int.from_bytes(minus, "little"))


def likeness(asked: Signature, other: Signature) -> float:
    """Return how far *other* agrees with the lanes that *asked* touches, from 0 to 1.

    Lanes that a long text touches beside them say nothing, so a short question finds it.
    """
    touched = (asked.plus | asked.minus).bit_count()
    if not touched:
        return 0.0
    agree = (asked.plus & other.plus | asked.minus & other.minus).bit_count()
    differ = (asked.plus & other.minus | asked.minus & other.plus).bit_count()
    return max(0.0, agree - differ) / touched


@lru_cache(1 << 15)  # some 15 MB when it is full
def _lanes(term: str) -> tuple[int, int]:
    plus = minus = 0
    for feature in () if term in _stop_terms() else _features(term):
        hashed = binascii.crc32(feature.encode()) * _SCATTER & 0xFFFF_FFFF
        lane = 1 << (hashed >> 1) % LANES
        if hashed >> 31:
            plus |= lane
        else:
            minus |= lane
    return plus, minus


@lru_cache(1)
def _stop_terms() -> frozenset[str]:
    """The terms of words that say how a text is put: "the" is a piece of too many others."""
    return frozenset(stem(word) if word.isascii() else word for word in STOP_WORDS)


def _features(term: str) -> list[str]:
    """Return the whole of a term and its pieces: trigrams of a word, characters of a gram.

    The beginning of a word is a piece, its end is not: terms are stems, and ends are inflected.
    """
    whole = f"={term}"
    ((_, _, word),) = split_runs(term) or [("", "", term)]
    if not word:
        return [whole, *term]
    begun = f"^{term}"
    return [whole, *(begun[at : at + 3] for at in range(len(begun) - 2))]
