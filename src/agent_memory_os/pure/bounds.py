"""Numbers and lists at the door: how much is asked for, and of what."""

from collections.abc import Iterable, Mapping

from agent_memory_os.errors import InvalidInput

MOST = 2**62  # of anything that is counted: more would not fit a database


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
        raise InvalidInput(f"{what} must be a string, not {value!r}")
    return value


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
