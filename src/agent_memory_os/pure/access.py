"""Who is who: the ids of agents, scopes and subjects, and what makes one valid."""

import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache

from agent_memory_os.errors import InvalidInput

GLOBAL = "global"
SCOPE_KINDS = ("agent", "team", "project")
CLOSED = ("team:", "project:")  # what scopes begin with into which only members share
MAX_ID_CHARS = 200
MAX_SCOPES = 64  # of one memory
_WILDCARDS = frozenset("*%?")


def parse_name(value: object, what: str) -> str:
    """Return *value* if it is a valid id; *what* names it in the error.

    An id is compared whole and byte for byte, so whatever could make two ids look alike, or one
    id mean many, is refused: blanks at an end, control characters, wildcards, other than NFC.

    Raises:
        InvalidInput: it is not such a string of 1 to 200 characters.
    """
    if not isinstance(value, str):
        raise InvalidInput(f"{what} must be a string, not {value!r}")
    _check_name(value, what)
    return value


@lru_cache(4096)  # the same few names come with every call
def _check_name(value: str, what: str) -> None:
    if not value or value != value.strip():
        raise InvalidInput(f"{what} must not be blank, nor begin or end with a blank: {value!r}")
    if len(value) > MAX_ID_CHARS:
        raise InvalidInput(
            f"{what} has {len(value)} characters; at most {MAX_ID_CHARS} are allowed"
        )
    if value.isascii():
        if not value.isprintable():
            raise InvalidInput(f"{what} must not hold control characters: {value!r}")
    elif not value.isprintable() or unicodedata.normalize("NFC", value) != value:
        raise InvalidInput(f"{what} must be printable and in normal form C: {value!r}")
    if not _WILDCARDS.isdisjoint(value):
        raise InvalidInput(f"{what} must not hold a wildcard (* % ?): {value!r}")


def parse_kinded(value: object, what: str) -> str:
    """Return *value* if it is ``kind:name``, as subjects and actors are.

    Raises:
        InvalidInput: it is not.
    """
    text = parse_name(value, what)
    _check_kinded(text, what)
    return text


@lru_cache(4096)
def _check_kinded(text: str, what: str) -> None:
    kind, colon, name = text.partition(":")
    if not colon or not kind.strip() or kind != kind.strip():
        raise InvalidInput(f'{what} must be "kind:name", such as "user:alice", not {text!r}')
    parse_name(name, f"the name in {what} {text!r}")


def parse_scope(value: object) -> str:
    """Return *value* if it is ``agent:<id>``, ``team:<id>``, ``project:<id>`` or ``global``.

    Raises:
        InvalidInput: it is none of these.
    """
    if value == GLOBAL:
        return GLOBAL
    text = parse_name(value, "a scope")
    _check_scope(text)
    return text


@lru_cache(4096)
def _check_scope(text: str) -> None:
    kind, colon, name = text.partition(":")
    if not colon or kind not in SCOPE_KINDS:
        raise InvalidInput(
            f'a scope is "agent:<id>", "team:<id>", "project:<id>" or "global", not {text!r};'
            " for a private memory leave visibility empty"
        )
    parse_name(name, f"the name in scope {text!r}")


def parse_visibility(value: object, what: str = "visibility") -> tuple[str, ...]:
    """Return the scopes of *value*, each once, sorted.

    Raises:
        InvalidInput: it is not a list of scopes, or has more than 64.
    """
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise InvalidInput(
            f'{what} must be a list of scopes, such as ["team:apollo"], not {value!r}'
        )
    scopes = sorted({parse_scope(scope) for scope in value})
    if len(scopes) > MAX_SCOPES:
        raise InvalidInput(
            f"{what} has {len(scopes)} scopes; at most {MAX_SCOPES} are allowed: make a team"
        )
    return tuple(scopes)


def within(scopes: Iterable[str], shared: Iterable[str]) -> tuple[str, ...]:
    """Return those of *scopes* that something which is *shared* so is shared with as well.

    >>> within(("agent:neo", "team:apollo"), ("team:apollo",))
    ('team:apollo',)
    >>> within(("agent:neo",), ("global",))
    ('agent:neo',)
    """
    held = frozenset(shared)
    return tuple(scope for scope in scopes if GLOBAL in held or scope in held)
