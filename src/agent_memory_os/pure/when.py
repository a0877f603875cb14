"""Time at the door: aware datetimes become integers of UTC milliseconds."""

from datetime import UTC, datetime, timedelta

from agent_memory_os.errors import InvalidInput

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
# What a datetime can say in UTC: years 1 to 9999.
MIN_MS, MAX_MS = -62_135_596_800_000, 253_402_300_799_999


def to_ms(value: object, what: str) -> int:
    """Return an aware datetime as UTC milliseconds since 1970, rounded down.

    Raises:
        InvalidInput: *value* is not a datetime, or a naive one, or outside years 1 to 9999 in UTC.
    """
    if not isinstance(value, datetime):
        raise InvalidInput(f"{what} must be a datetime with a time zone, not {value!r}")
    if value.utcoffset() is None:
        raise InvalidInput(
            f"{what} must have a time zone: {value!r}; for UTC use .replace(tzinfo=timezone.utc)"
        )
    milliseconds = (value - _EPOCH) // _MILLISECOND
    if not MIN_MS <= milliseconds <= MAX_MS:
        raise InvalidInput(f"{what} must be from year 1 to 9999 in UTC, not {value!r}")
    return milliseconds


def duration_ms(value: object, what: str) -> int:
    """Return a positive timedelta in milliseconds.

    Raises:
        InvalidInput: *value* is not a timedelta, or shorter than a millisecond.
    """
    if not isinstance(value, timedelta):
        raise InvalidInput(f"{what} must be a timedelta, not {value!r}")
    milliseconds = value // _MILLISECOND
    if milliseconds < 1:
        raise InvalidInput(f"{what} must be longer than nothing, not {value!r}")
    return milliseconds
