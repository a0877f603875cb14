"""The engine of turbovec: vectors in four bits for each number, in memory."""

from collections.abc import Iterable, Sequence
from typing import Any

from agent_memory_os.pure import hashed

BITS = 4  # 2 bits find a quarter less (docs/benchmarks.md)
_ALIGNED = 8  # a vector is filled up with zeros to a multiple of so many numbers


class Turbovec:
    """Proposes by an index of turbovec, which takes additions and removals without a rebuild.

    Args:
        turbovec: the module.
        numpy: the module.
        pieces: whether the vectors are signatures of hashed pieces, not those of a model.
    """

    def __init__(self, turbovec: Any, numpy: Any, *, pieces: bool = False) -> None:
        self._module = turbovec
        self._np = numpy
        self._pieces = pieces
        self.surplus = 1 if pieces else 2  # pieces are few and far apart: it hardly errs
        self._index: Any = None
        self._held: set[int] = set()

    def __len__(self) -> int:
        return len(self._held)

    def __contains__(self, number: object) -> bool:
        return number in self._held

    def put(self, numbers: Sequence[int], vectors: Sequence[bytes]) -> None:
        """Take vectors, each in place of one of the same number."""
        rows = self._rows(vectors)
        if self._index is None:
            self._index = self._module.IdMapIndex(rows.shape[1], BITS)
        self.drop(numbers)
        self._index.add_with_ids(rows, self._ids(numbers))
        self._held.update(numbers)

    def drop(self, numbers: Iterable[int]) -> None:
        """Let go of those of *numbers* that it holds."""
        for number in self._held.intersection(numbers):
            self._index.remove(number)
            self._held.discard(number)

    def clear(self) -> None:
        """Let go of all that it holds."""
        self._index, self._held = None, set()

    def nearest(self, asked: bytes, most: int, among: Sequence[int] | None = None) -> Sequence[int]:
        """Return the *most* numbers nearest to a vector, or nearly so, the best first."""
        if not self._held or (among is not None and len(among) <= most):
            return among or ()
        allowed = None if among is None else self._ids(among)
        _, found = self._index.search(self._rows([asked]), min(most, len(self)), allowlist=allowed)
        return [int(number) for number in found[0]]

    def alike(self, asked: bytes, vectors: Sequence[bytes]) -> Sequence[float]:
        """Return how alike a vector is to each of some others, exactly."""
        if self._pieces:
            sought = hashed.from_bytes(asked)
            return [hashed.likeness(sought, hashed.from_bytes(vector)) for vector in vectors]
        rows = self._rows([*vectors, asked])
        return [float(share) for share in rows[:-1] @ rows[-1]]

    def _ids(self, numbers: Sequence[int]) -> Any:
        return self._np.array(numbers, dtype=self._np.uint64)

    def _rows(self, vectors: Sequence[bytes]) -> Any:
        """Return vectors as the rows of a matrix."""
        np, whole = self._np, b"".join(vectors)
        if self._pieces:
            lanes = np.unpackbits(np.frombuffer(whole, dtype=np.uint8), bitorder="little")
            up_and_down = lanes.reshape(len(vectors), 2, hashed.LANES).astype(np.float32)
            return np.ascontiguousarray(up_and_down[:, 0] - up_and_down[:, 1])
        rows = np.frombuffer(whole, dtype="<f4").reshape(len(vectors), -1)
        lacking = -rows.shape[1] % _ALIGNED
        filled = np.pad(rows, ((0, 0), (0, lacking))) if lacking else rows
        return np.ascontiguousarray(filled, dtype=np.float32)
