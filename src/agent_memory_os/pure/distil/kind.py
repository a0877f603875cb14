"""The kind of statement that a sentence is."""

from typing import NamedTuple


class Kind(NamedTuple):
    """The type of a statement and, where it gives a value of one, the attribute."""

    type: str
    attribute: str | None = None
