"""What a claim does to an older one, and why."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from agent_memory_os.pure.claims.pieces import Claim, Piece

NEGATION = "negation: one says that it is so, the other that it is not"


class Finding(NamedTuple):
    """What a claim does to an older one, and why, in words for the one who wrote it."""

    kind: Literal["update", "conflict"]
    why: str


def conflict(why: str) -> Finding:
    """Return that both cannot be true, and nothing says which is."""
    return Finding("conflict", why)


def update(why: str) -> Finding:
    """Return that the newer one takes the place of the older."""
    return Finding("update", why)


def text_of(pieces: Iterable[Piece]) -> str:
    """Return *pieces* as they were typed."""
    return " ".join(piece.text for piece in pieces)


def became(claim: Claim, at: int, old: Iterable[Piece], new: Iterable[Piece]) -> str:
    """Return that in *claim*, at *at*, *old* became *new*: "port: 8000 became 8080"."""
    about = text_of(piece for piece in claim.pieces[:at] if piece.kind != "be" and piece.text)
    change = f"{text_of(old)} became {text_of(new)}"
    return f"{about}: {change}" if about else change
