"""Shapes of texts and bytes: JSON, tables, logs, pictures, and what they are made of."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from agent_memory_os.noun import Noun

_JSON_CHARS = 8_000_000  # of a JSON that is read
_LOG_CHARS = 4_000_000  # of a log in which levels are counted
_SAMPLE = 20  # lines by which a table is known, or JSON by the line
_SHARE = 10  # a log has a level in one of so many lines
_NAME_CHARS = 40
_PARTS = (12, 6, 3)  # that are named: as many as fit

_LEVEL = re.compile(
    r"""^.{0,120}?(?:\b(TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|SEVERE)\b"""
    r"""|\b(?:level|severity|lvl)["']?\s*[=:]\s*["']?([A-Za-z]{3,9})\b)""",
    re.MULTILINE,
)
_ORDER = ("TRACE", "DEBUG", "INFO", "NOTICE", "WARN", "ERROR", "SEVERE", "CRITICAL", "FATAL")
_DELIMITERS = ("\t", ",", ";", "|")
_COLUMN = re.compile(r"[^\W\d][\w .()/%#-]{0,60}")
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "PNG image"),
    (b"\xff\xd8\xff", "JPEG image"),
    (b"GIF8", "GIF image"),
    (b"RIFF", "RIFF media"),
    (b"%PDF-", "PDF document"),
    (b"PK\x03\x04", "zip archive"),
    (b"\x1f\x8b", "gzip data"),
    (b"SQLite format 3\x00", "SQLite database"),
    (b"\x7fELF", "ELF binary"),
)


class Shape(Noun):
    """What a text is made of.

    Attributes:
        kind: in a word or two, such as "log".
        label: what the parts are, such as "levels".
        parts: the same list of parts in several lengths, the longest first; or nothing.
        is_structured: whether its first and last line tell little by themselves.
    """

    kind: str
    label: str = ""
    parts: tuple[str, ...] = ()
    is_structured: bool = False


def size_of(payload: str | bytes) -> int:
    """Return how many bytes *payload* takes, in UTF-8 if it is a text."""
    if isinstance(payload, str):
        return len(payload) if payload.isascii() else len(payload.encode())
    return len(payload)


def kind_of_bytes(payload: bytes) -> str:
    """Return what bytes are that are no text, by how they begin."""
    return next((kind for start, kind in _MAGIC if payload.startswith(start)), "binary")


def shape(text: str, lines: int) -> Shape:
    """Return what *text*, of so many *lines*, is made of."""
    begins = text[:100].lstrip()[:1]
    found = _json(text) if begins in ("{", "[") else None
    if found is None and begins == "{":
        found = _json_lines(text, lines)
    return found or _log(text, lines) or _table(text, lines) or Shape("text")


def _json(text: str) -> Shape | None:
    if len(text) > _JSON_CHARS:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, list):
        keys = [_cut(key) for key in value[0]] if value and isinstance(value[0], dict) else []
        kind = f"JSON list of {len(value):,}"
        return Shape(kind, "the first with", _listed(keys), is_structured=bool(keys))
    return Shape("JSON object", "keys", _listed(_pairs(value)), is_structured=True)


def _pairs(value: Mapping[str, object]) -> list[str]:
    return [f"{_cut(key)}{_sized(item)}" for key, item in value.items()]


def _sized(value: object) -> str:
    if isinstance(value, list | dict):
        return f" ({len(value):,})"
    if isinstance(value, str):
        return f" {json.dumps(value, ensure_ascii=False)}" if len(value) <= _NAME_CHARS else ""
    return f" {json.dumps(value)}"


def _json_lines(text: str, lines: int) -> Shape | None:
    first = [line for line in text[:_LOG_CHARS].split("\n", _SAMPLE + 1)[:_SAMPLE] if line.strip()]
    if lines < 2 or not first:
        return None
    keys: dict[str, None] = {}
    for line in first:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            return None
        if not isinstance(value, dict):
            return None
        keys |= dict.fromkeys(_cut(key) for key in value)
    levels = _log(text, lines)
    if levels is not None:
        return Shape("JSON log", levels.label, levels.parts)
    return Shape("JSON lines", "keys", _listed([*keys]), is_structured=True)


def _log(text: str, lines: int) -> Shape | None:
    counts: Counter[str] = Counter()
    for found in _LEVEL.finditer(text, 0, _LOG_CHARS):
        level = (found[1] or found[2]).upper()
        counts["WARN" if level == "WARNING" else level] += 1
    looked_at = lines if len(text) <= _LOG_CHARS else text.count("\n", 0, _LOG_CHARS)
    known = [(level, counts[level]) for level in _ORDER if counts[level]]
    total = sum(count for _, count in known)
    if total < 3 or total * _SHARE < looked_at:
        return None
    said = ", ".join(f"{level} {count:,}" for level, count in known)
    return Shape("log", "levels" if looked_at == lines else "levels at first", (said,))


def _table(text: str, lines: int) -> Shape | None:
    first = [line.rstrip("\r") for line in text[:_LOG_CHARS].split("\n", _SAMPLE + 1)[:_SAMPLE]]
    first = [line for line in first if line.strip()]
    if len(first) < 3:
        return None
    for delimiter in _DELIMITERS:
        widths = {line.count(delimiter) for line in first}
        names = [name.strip().strip('"') for name in first[0].split(delimiter)]
        if widths != {0} and len(widths) == 1 and all(map(_COLUMN.fullmatch, names)):
            rows = f"{lines - 1:,} rows; columns"
            return Shape("table", rows, _listed([_cut(name) for name in names]), is_structured=True)
    return None


def _listed(names: Sequence[str]) -> tuple[str, ...]:
    """Return *names* as lists of several lengths, the longest first; each says what is left out."""
    found = []
    for most in _PARTS:
        left = len(names) - most
        more = f" and {left:,} more" if left > 0 else ""
        found.append(", ".join(names[:most]) + more)
    return tuple(dict.fromkeys(filter(None, found)))


def _cut(name: str) -> str:
    name = " ".join(name.split())
    return name if len(name) <= _NAME_CHARS else f"{name[:_NAME_CHARS]}…"
