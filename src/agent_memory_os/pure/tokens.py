"""An upper estimate of what a text costs a model."""

import re
from functools import cache, lru_cache

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import TokenCounter

# One match, one token. The longest match comes first, and what is cut off one costs at least as
# much, so that a text never costs more than its parts. Each way begins with one character, by
# which it is passed over quickly.
_ASCII = re.compile(
    r" [a-z]{1,6}+|[a-z]{1,4}+|[!-/:-@\[-`{-~]|[0-9]{1,2}+| [A-Z][a-z]{1,6}+|[A-Z][a-z]{1,4}+"
    r"| [A-Z]{1,2}+|[A-Z]{1,2}+| {1,8}+|[\n\r]{1,2}+|\t{1,4}+|[\x00-\x7f]"
)
# Keys, hashes and base64 have no words that a vocabulary could know.
_LONG = 32
_LONGEST_KEPT = 2_000  # characters of a line whose tokens are kept for the next time
_RUN = re.compile(rf"[A-Za-z0-9+/=_-]{{{_LONG},}}")
_MAY_HOLD_RUN = re.compile(rf"(?:[^ ]{{0,{_LONG - 1}}}+ )*+[^ ]{{{_LONG}}}")
_DIGIT = re.compile("[0-9]")
_CAPITAL = re.compile("[A-Z]")

_OTHER = re.compile("[^\x00-\x7f]+")
_OTHER_COSTS = (  # characters, and how many tokens how many of them cost
    # Latin letters with marks: they also break the word that they stand in.
    ("\u00c0-\u024f", 2, 1),
    # Greek, Cyrillic, Hebrew, Arabic, Thai.
    ("\u0080-\u00bf\u0250-\u07ff\u0e00-\u0e7f", 9, 8),
    # Chinese, Japanese, Korean, Devanagari, Khmer ...
    (
        "\u0900-\u0bff\u1100-\u11ff\u1780-\u17ff\u1c00-\u2027\u2c00-\ufdff\ufe10-\uffff",
        *(5, 3),
    ),
    # Emoji, symbols and scripts that are rare on the web: nearly a token for each octet.
    (
        "\u0800-\u08ff\u0c00-\u0dff\u0e80-\u10ff\u1200-\u177f\u1800-\u1bff\u2028-\u2bff"
        "\ufe00-\ufe0f\U00010000-\U0010ffff",
        *(3, 1),
    ),
)


@cache  # not at import: most memories are ASCII, and classes this wide are slow to compile
def _other_costs() -> list[tuple[re.Pattern[str], int, int]]:
    return [(re.compile(f"[{letters}]+"), cost, size) for letters, cost, size in _OTHER_COSTS]


def estimate_tokens(text: str) -> int:
    """Return how many tokens *text* costs at most, 0 for the empty text.

    Joined at white space, two texts never cost more than apart. Made to stay above the
    vocabularies cl100k and o200k on prose, code, JSON, base64, numbers, Chinese, Japanese,
    Korean, Thai and emoji; English prose comes out 1.2 to 1.35 times as dear as it is.
    """
    if not text:
        return 0
    if text.isascii():
        return 1 + _ascii_tokens(text)
    others = _OTHER.findall(text)
    # The mark that stands for each run of others is a match of its own.
    tokens = 1 + _ascii_tokens(_OTHER.sub("\0", text)) - len(others)
    joined = "".join(others)
    for characters, cost, size in _other_costs():
        tokens += -(-cost * sum(map(len, characters.findall(joined))) // size)
    return tokens


def least_tokens(text: str) -> int:
    """Return how many tokens `estimate_tokens` finds in *text* at least, at a glance.

    Each blank begins one, unless several stand together.

    >>> least_tokens("words are tokens or more"), estimate_tokens("words are tokens or more")
    (4, 7)
    """
    return 0 if "  " in text else text.count(" ")


def _ascii_tokens(text: str) -> int:
    if "\n\n" in text or "\r" in text:  # breaks that stand together are one match
        return _matched(text)
    tokens = text.count("\n")
    for line in text.split("\n"):  # no other match goes on over the end of a line
        tokens += _of_line(line) if len(line) <= _LONGEST_KEPT else _matched(line)
    return tokens


def _matched(text: str) -> int:
    _, tokens = _ASCII.subn("", text)  # the matches by themselves are of no use
    if _MAY_HOLD_RUN.match(text):
        tokens += sum(map(_surcharge, _RUN.findall(text)))
    return tokens


@lru_cache(256)  # the lines of a pack are counted one by one, and then together
def _of_line(line: str) -> int:
    return _matched(line)


def _surcharge(run: str) -> int:
    """Return what *run* costs beyond its pieces: five tokens for six characters if opaque."""
    if not (_DIGIT.search(run) and _CAPITAL.search(run)):
        return 0
    return max(0, -(-5 * len(run) // 6) - len(_ASCII.findall(run)))


def checked(count_tokens: TokenCounter) -> TokenCounter:
    """Return *count_tokens*, held to what a counter of tokens returns."""

    def count(text: str) -> int:
        try:
            tokens: object = count_tokens(text)
        except Exception as error:
            raise InvalidInput(f"count_tokens raised {type(error).__name__}") from error
        if not isinstance(tokens, int) or isinstance(tokens, bool) or tokens < 0:
            raise InvalidInput(
                f"count_tokens must return a whole number of tokens, 0 or more, not {tokens!r}"
            )
        return tokens

    return count
