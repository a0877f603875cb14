"""Differences between two texts, line by line, as far as they fit."""

import difflib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from agent_memory_os.pure.excerpt import ELLIPSIS
from agent_memory_os.pure.graphemes import boundary

_CONTEXT = 3  # lines around what differs
_MOST_COMPARED = 4_000  # lines of both that are put in order; of more it is told which are new
_LINE_CHARS = 400


def difference(before: str, after: str, *, fits: Callable[[str], bool]) -> str:
    """Return how *after* differs from *before*, as a unified diff; empty when it does not.

    Long lines are cut. What does not fit is left out, and the last line says how much that is.
    Where much differs, lines that are in one of both alone are told, without their places.
    """
    old, new = before.splitlines(), after.splitlines()
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    ours, theirs = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(ours) + len(theirs) > _MOST_COMPARED:
        lines = list(_without_order(ours, theirs))
    else:
        lines = list(_in_order(old, new, head, tail))
    return _filled([_cut(line) for line in lines], fits)


def _alike(old: Sequence[str], new: Sequence[str]) -> int:
    """Return with how many equal lines both begin."""
    pairs = zip(old, new, strict=False)
    shorter = min(len(old), len(new))
    return next((at for at, (one, other) in enumerate(pairs) if one != other), shorter)


def _in_order(old: list[str], new: list[str], head: int, tail: int) -> Iterator[str]:
    """Yield a unified diff of what is between the equal beginnings and ends."""
    skipped, left = max(0, head - _CONTEXT), max(0, tail - _CONTEXT)
    old, new = (lines[skipped : len(lines) - left] for lines in (old, new))
    matcher = difflib.SequenceMatcher(None, old, new)  # quick where lines repeat
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        first, last = group[0], group[-1]
        spans = [(first[1], last[2]), (first[3], last[4])]
        ranges = [f"{start + skipped + 1},{end - start}" for start, end in spans]
        yield f"@@ -{ranges[0]} +{ranges[1]} @@"
        for kind, low, high, new_low, new_high in group:
            if kind == "equal":
                yield from (f" {line}" for line in old[low:high])
                continue
            yield from (f"-{line}" for line in old[low:high])
            yield from (f"+{line}" for line in new[new_low:new_high])


def _without_order(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    gone, come = Counter(old) - Counter(new), Counter(new) - Counter(old)
    yield f"@@ {gone.total():,} lines went, {come.total():,} came; their places are not told @@"
    pairs = ((f"-{line}", f"+{other}") for line, other in _side_by_side(gone, come))
    yield from (line for pair in pairs for line in pair if len(line) > 1)


def _side_by_side(gone: Counter[str], come: Counter[str]) -> Iterator[tuple[str, str]]:
    """Yield lines that went and lines that came in turn, so that a cut leaves some of both."""
    left, right = list(gone.elements()), list(come.elements())
    for at in range(max(len(left), len(right))):
        yield left[at] if at < len(left) else "", right[at] if at < len(right) else ""


def _cut(line: str) -> str:
    if len(line) <= _LINE_CHARS:
        return line
    return line[: boundary(line, _LINE_CHARS)] + ELLIPSIS


def _filled(lines: list[str], fits: Callable[[str], bool]) -> str:
    """Return as many of the first lines as fit."""
    whole = "\n".join(lines)
    if not lines or fits(whole):
        return whole

    def shown(most: int) -> str:
        return "\n".join([*lines[:most], f"{ELLIPSIS} {len(lines) - most:,} more lines"])

    low, high, best = 0, len(lines) - 1, ""
    while low <= high:
        middle = (low + high) // 2
        text = shown(middle)
        if fits(text):
            best, low = text, middle + 1
        else:
            high = middle - 1
    return best
