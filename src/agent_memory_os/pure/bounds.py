"""Numbers and lists at the door: how much is asked for, and of what."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from agent_memory_os.errors import InvalidInput
from agent_memory_os.pure import near

Word = TypeVar("Word", bound=str)
MOST = 2**62  # of anything that is counted: more would not fit a database
_MOST_SHOWN = 64  # characters of a value in an error, which may hold what was remembered


def whole(value: object, what: str, *, least: int = 0, most: int | None = None) -> int:
    """Return *value* if it is a whole number of at least *least*; cut to *most*.

    Raises:
        InvalidInput: it is not an int (True is not one), or less than *least*.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{what} must be a whole number, not {value!r}")
    if value < least:
        raise InvalidInput(f"{what} must be {least} or more, not {value!r}")
    return min(value, MOST if most is None else most)


def share(value: object, what: str) -> float:
    """Return *value* if it is a number from 0 to 1.

    Raises:
        InvalidInput: it is not; NaN is not.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput(f"{what} must be a number from 0 to 1, not {value!r}")
    return float(value)


def weight(value: object, what: str, *, least: float, most: float) -> float:
    """Return *value* if it is a number from *least* to *most*, to six places.

    Raises:
        InvalidInput: it is not; NaN is not.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise InvalidInput(f"{what} must be a number from {least:g} to {most:g}, not {value!r}")
    return round(float(value), 6)


def any_text(value: object, what: str) -> str:
    """Return *value* if it is a string, of whatever characters.

    Raises:
        InvalidInput: it is not.
    """
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be a string, not {shown(value)}")
    return value


def shown(value: object) -> str:
    """Return *value* for an error: cut, and of what has an id no more than that.

    >>> shown(5), shown([0] * 1_000)
    ('5', '[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,...')
    """
    named = getattr(value, "id", None)
    if isinstance(named, str):
        return f"{type(value).__name__}; give its id, {named!r}"
    told = repr(value)
    return told if len(told) <= _MOST_SHOWN else f"{told[: _MOST_SHOWN - 3]}..."


def text(value: object, what: str) -> str:
    """Return *value* if it is a string of Unicode text.

    Raises:
        InvalidInput: it is not, or holds half a surrogate pair.
    """
    string = any_text(value, what)
    if not string.isascii():
        encodable(string, what)
    return string


def encodable(value: str, what: str) -> None:
    """Raise InvalidInput if *value* holds half a surrogate pair, which no file can."""
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{what} holds a lone surrogate at character {error.start}, which is not Unicode text"
        ) from None


def one_of(value: object, what: str, known: Iterable[Word]) -> Word:
    """Return the one of *known* that *value* is.

    Raises:
        InvalidInput: it is none of them; the error names them all, and the nearest.
    """
    words = tuple(known)
    for each in words:
        if isinstance(value, str) and value == each:
            return each
    hint = near.hint(value, words) if isinstance(value, str) else ""
    raise InvalidInput(f"{what} must be one of {', '.join(words)}, not {shown(value)}{hint}")


def flag(value: object, what: str) -> bool:
    """Return *value* if it is True or False.

    Raises:
        InvalidInput: it is not.
    """
    if not isinstance(value, bool):
        raise InvalidInput(f"{what} must be True or False, not {value!r}")
    return value


def texts(value: object, what: str) -> list[str]:
    """Return the strings of a list; one string alone is an error, not a list of characters.

    Raises:
        InvalidInput: it is not an iterable of strings.
    """
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidInput(f"{what} must be a list of strings, not {value!r}")
    return [text(item, f"an item of {what}") for item in value]
