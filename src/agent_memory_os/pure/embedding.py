"""Vectors of embedding functions: brought to one form, compared, and named."""

# A vector is kept as float32 in little-endian order, of unit length, so that a product is a cosine.

import math
import sys
from array import array
from collections.abc import Iterable, Sequence
from operator import gt, mul
from typing import SupportsFloat, cast

from agent_memory_os.pure.neighbourhood import AFTER, BEFORE

FLOAT_BYTES = 4
MOST_LANES = 65_536
SAMPLE = 256  # visible memories, the last written, that tell what is usual
_DOUBT = 24  # memories in a sample of which half is believed: few may all be what is asked for
_LENT = 0.5  # of what a neighbour's words lend: a vector says more by itself than its words do
_SAME = 0.98  # cosine of two vectors that one model makes of one text; rounding takes little
_IS_BIG_ENDIAN = sys.byteorder == "big"
_ZEROS_AND_ONES = bytes.maketrans(b"\x00\x01", b"01")
_dot = getattr(math, "sumprod", None)  # from Python 3.12 on, five times as fast


def pack(vector: object) -> bytes:
    """Return *vector* as it is kept.

    Args:
        vector: numbers, in any sequence: a list, an ``array``, a row of numpy.

    Raises:
        ValueError: it is no sequence of numbers, has none or too many, is all zero, or one of them
            is not finite. The message completes "the embedding function ...".
    """
    if isinstance(vector, str | bytes) or not isinstance(vector, Iterable):
        raise ValueError(f"returned a {type(vector).__name__} in place of a vector")
    try:
        numbers = [float(each) for each in cast("Iterable[SupportsFloat]", vector)]
    except (TypeError, ValueError, OverflowError):
        raise ValueError("returned a vector that does not consist of numbers") from None
    if not 0 < len(numbers) <= MOST_LANES:
        raise ValueError(f"returned a vector of {len(numbers)} numbers")
    length = math.hypot(*numbers)
    if not math.isfinite(length):
        raise ValueError("returned a vector with a number that is not finite")
    if not length:
        raise ValueError("returned a vector of zeros, which is like nothing")
    return to_bytes(array("f", [number / length for number in numbers]))


def to_bytes(vector: "array[float]") -> bytes:
    """Return float32 numbers in little-endian order, the same on every machine."""
    if _IS_BIG_ENDIAN:
        vector = vector[:]
        vector.byteswap()
    return vector.tobytes()


def unpack(kept: bytes) -> "array[float]":
    """Return the numbers of a vector as it is kept."""
    vector = array("f", kept)
    if _IS_BIG_ENDIAN:
        vector.byteswap()
    return vector


def lanes(kept: bytes) -> int:
    """Return of how many numbers a vector consists."""
    return len(kept) // FLOAT_BYTES


def cosine(one: "array[float]", other: "array[float]") -> float:
    """Return how alike two vectors of unit length are, -1 to 1."""
    if _dot is not None:
        return float(_dot(one, other))
    return float(sum(map(mul, one, other)))


def mean(vectors: Sequence[bytes]) -> "array[float]":
    """Return the mean of vectors of the same model, at least one."""
    share = 1 / len(vectors)
    return array("f", [sum(lane) * share for lane in zip(*map(unpack, vectors), strict=True)])


def signs(vector: "array[float]", centre: "array[float]") -> int:
    """Return one bit for each number: whether it is above the same one of *centre*.

    Vectors of most models all lean one way; measured from their centre, few bits suffice to tell
    which are near (docs/benchmarks.md).
    """
    return int(bytes(map(gt, vector, centre)).translate(_ZEROS_AND_ONES), 2)


def usual(cosines: Sequence[float]) -> float:
    """Return how alike the query is to what has nothing to do with it.

    Args:
        cosines: the query's with a sample of what the reader sees.

    Returns:
        Their mean, as far as a sample of that size is believed; 0 when there is none.
    """
    count = len(cosines)
    return sum(cosines) * count / (count * count + _DOUBT * _DOUBT)


def relevance(alike: float, base: float) -> float:
    """Return how far a cosine *alike* is above the usual one *base*, 0 to 1.

    Of some models any two texts have a cosine of 0.8, of others of 0.1: only the distance tells.
    """
    return min(1.0, max(0.0, (alike - base) / (1 - base))) if base < 1 else 0.0


def lent(run: Sequence[float], at: int) -> float:
    """Return the relevance of the turn *at* of a run with what its neighbours lend, 0 to 1.

    Args:
        run: relevance of consecutive turns of a session, in order.
        at: the place of the turn.

    Returns:
        The mean of its own and its neighbours', which count for half of what their words do.
    """
    total, weights = run[at], 1.0
    for step, shares in ((-1, BEFORE), (1, AFTER)):
        for distance, share in enumerate(shares, 1):
            place = at + step * distance
            if 0 <= place < len(run):
                total += _LENT * share * run[place]
                weights += _LENT * share
    return total / weights


def unlent(own: float) -> float:
    """Return the relevance of a turn whose neighbours were not looked at, as if it was none's."""
    return own / (1 + _LENT * (sum(BEFORE) + sum(AFTER)))


def is_same(one: bytes, other: bytes) -> bool:
    """Return whether two vectors of one text can be of the same model."""
    return len(one) == len(other) and cosine(unpack(one), unpack(other)) >= _SAME


def fingerprint(name: str, size: int, variant: int = 1) -> str:
    """Return the name of a model in the file: vectors of two fingerprints are never compared.

    Args:
        name: what the embedding function calls itself.
        size: how many numbers its vectors have.
        variant: which of the models that had the same name and size.
    """
    return f"{name}/{size}" if variant == 1 else f"{name}/{size}#{variant}"


def name_of(function: object) -> str:
    """Return what an embedding function is called if it does not say: module and name."""
    named = function if hasattr(function, "__qualname__") else type(function)
    return f"{named.__module__}.{getattr(named, '__qualname__', 'embed')}"
