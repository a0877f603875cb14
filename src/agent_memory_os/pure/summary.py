"""Summaries of what tools return: what it is, how much of it, and the lines that tell most."""

import re
import string
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from agent_memory_os.pure import shape
from agent_memory_os.pure.graphemes import boundary

LOOKED_AT = 4_000_000  # characters from the beginning, and as many from the end
_LINE_CHARS = (120, 80, 40)  # of a line that is quoted: the longest of these that fits
_BEFORE = 40  # characters that are quoted before what was found in a long line
_LOOKED_BACK = 24  # characters, for what says that there is no error
_MOST_KINDS = 3  # of lines that tell of an error
_MOST_FOUND = 10_000  # places of one such word that are looked at

# Words that a line that tells of an error has; found one by one, which is ten times as fast as one
# pattern for all of them. What says that there was none does not count.
_ERRORS = (
    *("error", "exception", "failed", "failure", "fatal", "panic", "traceback", "denied"),
    *(
        "refused",
        "timed out",
        "timeout",
        "critical",
        "killed",
        "错误",
        "异常",
        "失败",
        "超时",
        "拒绝",
    ),
)
_WORD_ENDS = re.compile(r"s?(?![a-z0-9_])")
_NONE_BEFORE = re.compile(r"(?:\b(?:0|no|without|zero)\s+\w*|没有|无)$")
_NONE_AFTER = re.compile(
    r"""s?["']?\s*[:=]\s*(?:null|none|nil|0|false|\[\]|\{\}|""|'')(?![\w.])""",
)
_ASCII_LOWER = {ord(letter): letter.lower() for letter in string.ascii_uppercase}
_NUMBERS = re.compile(r"0x[0-9a-f]+|\b[0-9a-f]{8,}\b|\d+", re.IGNORECASE)
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


class _Told(NamedTuple):
    """A line of a summary; what weighs less comes in first."""

    weight: int
    place: int
    texts: tuple[str, ...]  # forms of it, the longest first


def summary(payload: str | bytes, *, head: str = "", fits: Callable[[str], bool]) -> str:
    """Return what *payload* is in a few lines, the same for the same payload.

    What kind of thing it is and how large; then as much as *fits* of: what it is made of (levels
    of a log, keys of JSON, columns of a table), lines that tell of errors, each kind once with its
    number, the first line and the last one.

    Args:
        payload: a text or bytes.
        head: what it is called, such as the name of a tool; it stands first.
        fits: whether a summary so long will do; it is asked for longer and longer ones. The first
            line comes in whatever it says.
    """
    text = payload if isinstance(payload, str) else _decoded(payload)
    size = f"{shape.size_of(payload):,} bytes"
    named = f"{head}: " if head else ""
    if text is None:
        return f"{named}{shape.kind_of_bytes(bytes(payload))}, {size}"  # type: ignore[arg-type]  # bytes
    lines = line_count(text)
    found = shape.shape(text, lines)
    count = "1 line" if lines == 1 else f"{lines:,} lines"
    return _filled(f"{named}{found.kind}, {count}, {size}", list(_told(text, lines, found)), fits)


def line_count(text: str) -> int:
    """Return how many lines *text* has; one that is not ended counts as well."""
    return text.count("\n") + (not text.endswith("\n") and text != "")


def one_line(text: str, *, most: int, around: int = 0) -> str:
    """Return *text* in one line of at most *most* characters, from a little before *around* on.

    What is cut off is marked, and no cut is inside of what a reader sees as one character.
    """
    start = 0
    if len(text) > most:
        start = boundary(text, max(0, min(around - _BEFORE, len(text) - most)))
    piece = text[start : start + 2 * most]  # what is folded leaves room
    folded = " ".join(_CONTROL.sub(" ", piece).split())
    shown = folded[: boundary(folded, most)].rstrip() if len(folded) > most else folded
    is_cut = shown != folded or start + len(piece) < len(text)
    return "…" * (start > 0) + shown + "…" * is_cut


def _decoded(payload: bytes) -> str | None:
    try:
        text = payload.decode()
    except UnicodeDecodeError:
        return None
    return None if "\x00" in text else text


def _filled(first: str, told: Sequence[_Told], fits: Callable[[str], bool]) -> str:
    """Return *first* with the others in their order: long enough to tell much, short enough to fit.

    The longest forms in which all of them fit; else those in which most do.
    """
    best: list[str] = []
    for form in range(len(_LINE_CHARS)):
        lines = _chosen_lines(first, told, form, fits)
        if len(lines) > len(best):
            best = lines
        if len(lines) == len(told):
            break
    return "\n".join([first, *best])


def _chosen_lines(
    first: str, told: Sequence[_Told], form: int, fits: Callable[[str], bool]
) -> list[str]:
    kept: dict[int, str] = {}
    for each in sorted(told):
        with_it = kept | {each.place: each.texts[min(form, len(each.texts) - 1)]}
        if fits("\n".join([first, *(with_it[place] for place in sorted(with_it))])):
            kept = with_it
    return [kept[place] for place in sorted(kept)]


class _Error(NamedTuple):
    """A line that tells of an error: its number, where it does so, and how many are like it."""

    number: int
    line: str
    around: int
    times: int


def _told(text: str, lines: int, found: shape.Shape) -> Iterator[_Told]:
    if found.parts:
        yield _Told(0, 0, tuple(f"{found.label}: {parts}" for parts in found.parts))
    errors = list(_errors(text, lines))
    for at, error in enumerate(errors):
        some = "or more " if error.times >= _MOST_FOUND else ""
        more = f" (and {error.times - 1:,} {some}like it)" if error.times > 1 else ""
        quoted = _quoted(f"line {error.number:,}", error.line, error.around, more)
        yield _Told(2 + 2 * at, 2 + at, quoted)
    if found.is_structured:
        return
    first, last = _ends(text)
    told = {error.line.strip() for error in errors}
    if last and last not in told | {first}:
        yield _Told(1, 90, _quoted("ends", last))
    if first and first not in told:
        yield _Told(3, 1, _quoted("begins", first))


def _quoted(label: str, line: str, around: int = 0, more: str = "") -> tuple[str, ...]:
    return tuple(
        f"{label}: {one_line(line, most=most, around=around)}{more}" for most in _LINE_CHARS
    )


def _ends(text: str) -> tuple[str, str]:
    """Return the first and the last line that are not blank, or what is seen of them."""
    start, end = text[:LOOKED_AT].lstrip(), text[-LOOKED_AT:].rstrip()
    return start.partition("\n")[0].strip(), end.rpartition("\n")[2].strip()


def _errors(text: str, lines: int) -> Iterator[_Error]:
    """Yield the first lines of their kind that tell of errors, and the last: what it came to."""
    kinds: dict[str, _Error] = {}
    for number, line, around in _error_lines(text, lines):
        near = max(0, around - _BEFORE)
        kind = _NUMBERS.sub("0", line[near : near + _LINE_CHARS[0]])
        known = kinds.get(kind, _Error(number, line, around, 0))
        kinds[kind] = known._replace(times=known.times + 1)
    every = list(kinds.values())
    yield from every[: _MOST_KINDS - 1]
    yield from every[_MOST_KINDS - 1 :][-1:]


def _error_lines(text: str, lines: int) -> Iterator[tuple[int, str, int]]:
    """Yield the number of each line that tells of an error, what it says, and where it does so."""
    for number, part in _looked_at(text, lines):
        counted = 0  # up to where the lines of the part are
        for place in _error_places(part):
            if place < counted:
                continue  # in a line that was told
            start = part.rfind("\n", 0, place) + 1
            number += part.count("\n", counted, start)
            end = part.find("\n", start)
            counted = len(part) if end < 0 else end
            yield number, part[start:counted], place - start


def _error_places(part: str) -> list[int]:
    """Return where a word tells of an error, in order."""
    low = part.lower()
    if len(low) != len(part):  # some letters become two
        low = part.translate(_ASCII_LOWER)
    return sorted(place for word in _ERRORS for place in _places(low, word))


def _places(low: str, word: str) -> Iterator[int]:
    place = low.find(word)
    for _ in range(_MOST_FOUND):
        if place < 0:
            return
        end = place + len(word)
        is_word = not word.isascii() or _WORD_ENDS.match(low, end)
        if is_word and not (
            _NONE_BEFORE.search(low[max(0, place - _LOOKED_BACK) : place])
            or _NONE_AFTER.match(low, end)
        ):
            yield place
        place = low.find(word, end)


def _looked_at(text: str, lines: int) -> list[tuple[int, str]]:
    """Return the parts of a text that are looked at, each with the number of its first line."""
    if len(text) <= 2 * LOOKED_AT:
        return [(1, text)]
    end = text[-LOOKED_AT:]
    end = end[end.find("\n") + 1 :]
    return [(1, text[:LOOKED_AT]), (lines - line_count(end) + 1, end)]
