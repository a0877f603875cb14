"""Engines: what holds the vectors of a model in memory, by the means that are installed."""

import heapq
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from agent_memory_os.pure import embedding

_FEW = 512  # vectors of which all are proposed; from these the centre of the others is taken


class Signs:
    """The standard library's: one bit for each number, and the whole vectors of the few first.

    It proposes by bits, which are a thirty-second of a vector; what it proposes is then measured.
    """

    surplus = 4  # of 10,000 vectors, the ten nearest are among the 1,200 to 99 in 100

    def __init__(self) -> None:
        self._bits: dict[int, int] = {}
        self._early: dict[int, bytes] = {}  # until there are enough of them to have a centre
        self._centre: array[float] | None = None

    def __len__(self) -> int:
        return len(self._bits) + len(self._early)

    def __contains__(self, number: object) -> bool:
        return number in self._bits or number in self._early

    def put(self, numbers: Sequence[int], vectors: Sequence[bytes]) -> None:
        """Take vectors, each in place of one of the same number."""
        if self._centre is None:
            self._early.update(zip(numbers, vectors, strict=True))
            if len(self._early) <= _FEW:
                return
            self._centre = embedding.mean(list(self._early.values())[:_FEW])
            numbers, vectors = list(self._early), list(self._early.values())
            self._early = {}
        for number, vector in zip(numbers, vectors, strict=True):
            self._bits[number] = embedding.signs(embedding.unpack(vector), self._centre)

    def drop(self, numbers: Iterable[int]) -> None:
        """Let go of those of *numbers* that it holds."""
        for number in numbers:
            self._bits.pop(number, None)
            self._early.pop(number, None)

    def clear(self) -> None:
        """Let go of all that it holds."""
        self._bits, self._early, self._centre = {}, {}, None

    def nearest(self, asked: bytes, most: int, among: Sequence[int] | None = None) -> Sequence[int]:
        """Return the *most* numbers nearest to a vector, or nearly so, the best first."""
        if among is not None and len(among) <= most:
            return among
        if self._centre is None:
            return self._nearest_of_early(asked, most, among)
        sought = embedding.signs(embedding.unpack(asked), self._centre)
        held = self._bits.items() if among is None else ((n, self._bits[n]) for n in among)
        differing = ((int.bit_count(bits ^ sought), number) for number, bits in held)
        return [number for _, number in heapq.nsmallest(most, differing)]

    def _nearest_of_early(
        self, asked: bytes, most: int, among: Sequence[int] | None
    ) -> Sequence[int]:
        numbers = list(self._early if among is None else among)
        alike = self.alike(asked, [self._early[number] for number in numbers])
        ranked = sorted(zip(alike, numbers, strict=True), reverse=True)
        return [number for _, number in ranked[:most]]

    def alike(self, asked: bytes, vectors: Sequence[bytes]) -> Sequence[float]:
        """Return the cosine of a vector and each of some others."""
        sought = embedding.unpack(asked)
        return [embedding.cosine(sought, embedding.unpack(vector)) for vector in vectors]


class Matrix:
    """That of numpy: all vectors in one matrix, so that the nearest are found exactly."""

    surplus = 1

    def __init__(self, numpy: Any) -> None:
        self._np = numpy
        self._rows: Any = None  # more than are used, so that few additions move them
        self._numbers: Any = None
        self._places: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, number: object) -> bool:
        return number in self._places

    def put(self, numbers: Sequence[int], vectors: Sequence[bytes]) -> None:
        """Take vectors, each in place of one of the same number."""
        fresh = self._matrix(vectors)
        self._make_room(len(vectors), fresh.shape[1])
        for number in numbers:
            self._places.setdefault(number, len(self._places))
        places = [self._places[number] for number in numbers]
        self._rows[places] = fresh
        self._numbers[places] = numbers

    def _make_room(self, more: int, lanes: int) -> None:
        np, used = self._np, len(self)
        if self._rows is None or used + more > len(self._rows):
            room = max(used + more, used + used // 2, _FEW)
            rows = np.empty((room, lanes), dtype="<f4")
            numbers = np.empty(room, dtype="<i8")
            if used:
                rows[:used], numbers[:used] = self._rows[:used], self._numbers[:used]
            self._rows, self._numbers = rows, numbers

    def drop(self, numbers: Iterable[int]) -> None:
        """Let go of those of *numbers* that it holds; the last one takes the place."""
        for number in numbers:
            place = self._places.pop(number, None)
            last = len(self._places)
            if place is not None and place != last:
                moved = int(self._numbers[last])
                self._rows[place], self._numbers[place] = self._rows[last], moved
                self._places[moved] = place

    def clear(self) -> None:
        """Let go of all that it holds."""
        self._rows = self._numbers = None
        self._places = {}

    def nearest(self, asked: bytes, most: int, among: Sequence[int] | None = None) -> Sequence[int]:
        """Return the *most* numbers nearest to a vector, the best first."""
        np = self._np
        if self._rows is None:
            return ()
        sought = np.frombuffer(asked, dtype="<f4")
        if among is None:
            numbers, rows = self._numbers[: len(self)], self._rows[: len(self)]
        else:
            places = [self._places[number] for number in among]
            numbers, rows = self._numbers[places], self._rows[places]
        alike = rows @ sought
        if most < len(alike):
            best = np.argpartition(-alike, most)[:most]
            numbers, alike = numbers[best], alike[best]
        return [int(number) for number in numbers[np.argsort(-alike, kind="stable")]]

    def alike(self, asked: bytes, vectors: Sequence[bytes]) -> Sequence[float]:
        """Return the cosine of a vector and each of some others."""
        sought = self._np.frombuffer(asked, dtype="<f4")
        return [float(share) for share in self._matrix(vectors) @ sought]

    def _matrix(self, vectors: Sequence[bytes]) -> Any:
        flat = self._np.frombuffer(b"".join(vectors), dtype="<f4")
        return flat.reshape(len(vectors), -1)
