"""When two statements are the same one, differently typed."""

import re
from hashlib import blake2b
from unicodedata import is_normalized, normalize

# Full-width ASCII and half-width katakana. Without the grave accent and the tilde, which would
# open code that was none; without superscripts, since 10⁵ is not 105.
_WIDTHS = {
    "\u3000": " ",
    **{chr(0xFEE0 + code): chr(code) for code in range(0x21, 0x7E) if chr(code) != "`"},
    **{chr(code): normalize("NFKC", chr(code)) for code in range(0xFF61, 0xFFA0)},
}
_WIDE = re.compile("[\u3000\uff01-\uff3f\uff41-\uff5d\uff61-\uff9f]")

# Only what holds whatever the text is about: "5 m" may be metres, minutes or millions, "5 min" a
# minimum, "10h" a number in hexadecimal, so they stay as they are.
_UNITS = {
    "km": "kilometre kilometres kilometer kilometers",
    "cm": "centimetre centimetres centimeter centimeters",
    "kg": "kilogram kilograms kilogramme kilogrammes",
    "ms": "millisecond milliseconds",
    "KB": "kilobyte kilobytes",
    "MB": "megabyte megabytes",
    "GB": "gigabyte gigabytes",
    "TB": "terabyte terabytes",
    "kHz": "kilohertz",
    "MHz": "megahertz",
    "GHz": "gigahertz",
    "metres": "metre meter meters",
    "minutes": "minute mins",
    "hours": "hour hr hrs",
    "seconds": "second secs",
    "days": "day",
    "weeks": "week",
}
_SYMBOLS = {word: symbol for symbol, words in _UNITS.items() for word in (symbol, *words.split())}
_HAN_UNITS = {"公里": "km", "千米": "km", "公斤": "kg", "千克": "kg", "厘米": "cm", "毫秒": "ms"}
_END = "(?![A-Za-z0-9_\u00c0-\u024f-])"
_MEASURE = re.compile(
    rf"(\d) ?(?:(%|per ?cent{_END})|"
    rf"({'|'.join(sorted(_SYMBOLS, key=len, reverse=True))}){_END}|"
    rf"({'|'.join(_HAN_UNITS)}))"
)

_DIGIT = re.compile(r"\d")
_ASCII_DIGITS = b"0123456789"
_FENCE = re.compile("(`+|~{3,})")
_SPACES = re.compile(r"\s+")
_INDENTED_LINE = re.compile(r"\n(?: *\t|  )[^\S\n]*\S[^\n]*")
_FIRST_WORD = re.compile(r"[^\W\d_]([^\W\d_]+)(?:'[a-z]+)?[,:;]? ")


def statement(text: str) -> str:
    """Return the normal form of *text*: two texts are one statement if theirs are equal.

    It folds Unicode composition, white space, width forms, a final full stop or exclamation
    mark, the capital of a first word that has no other, and spellings of a unit after a number.
    It keeps everything else: case, signs, digits, accents, a question mark, and all that stands
    in backticks, fences and indented lines.
    """
    if not text.isascii() and not is_normalized("NFC", text):
        text = normalize("NFC", text)
    text = text.lstrip()  # first, or a line of code that it begins with were prose the next time
    if "`" not in text and "~~~" not in text:
        return _first_folded(_final_folded(_prose(text).strip()))
    folded, ends_in_code = _around_code(text)
    if not ends_in_code:
        folded = _final_folded(folded.rstrip())
    return _first_folded(folded.lstrip())


def digest(text: str) -> int:
    """Return the statement of *text* as a signed integer of 64 bits."""
    encoded = statement(text).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(encoded, digest_size=8).digest(), "big", signed=True)


def _around_code(text: str) -> tuple[str, bool]:
    """Return *text* with its prose folded, and whether its end is code that nobody closed."""
    parts = _FENCE.split(text)  # prose, mark, prose, mark, prose ...
    folded = _prose(parts[0])
    at = 1
    while at < len(parts):
        try:
            close = parts.index(parts[at], at + 1)
        except ValueError:
            return folded + "".join(parts[at:]), True
        folded += "".join(parts[at : close + 1]) + _prose(parts[close + 1])
        at = close + 2
    return folded, False


def _prose(text: str) -> str:
    """Return *text* with widths, white space and units folded; indented lines stay."""
    if not text.isascii() and _WIDE.search(text):
        text = normalize("NFC", _WIDE.sub(lambda wide: _WIDTHS[wide[0]], text))
    if "  " in text or not text.isprintable():
        lines = list(_INDENTED_LINE.finditer(text)) if "\n" in text else []
        if lines:
            start, end = lines[0].start(), lines[-1].end()
            head, tail = _prose(text[:start]).rstrip(), _prose(text[end:]).strip()
            return f"{head}{text[start:end]}\n{tail}" if tail else head + text[start:end]
        text = _SPACES.sub(" ", text)
    return _MEASURE.sub(_measure, text) if has_digit(text) else text


def has_digit(text: str) -> bool:
    """Return whether *text* holds a digit, of any script; ASCII is told in a fifth of the time."""
    if text.isascii():
        return len(text.encode().translate(None, _ASCII_DIGITS)) < len(text)
    return _DIGIT.search(text) is not None


def _measure(match: re.Match[str]) -> str:
    digit, percent, unit, han_unit = match.groups()
    if percent:
        return digit + "%"
    return f"{digit} {_SYMBOLS[unit] if unit else _HAN_UNITS[han_unit]}"


def _final_folded(text: str) -> str:
    """Return *text* without a final full stop, or exclamation marks after a letter.

    "..." and "?!" say something of their own, "5!" is 120, and the last line may be code.
    """
    if "\n" in text and text[text.rfind("\n") + 1].isspace():
        return text
    if text.endswith((".", "。")):
        before = text[-2:-1]
        return text if not before or before.isspace() or before in ".!?。…" else text[:-1]
    if text.endswith("!"):
        bare = text.rstrip("!")
        return bare if bare[-1:].isalpha() else text
    return text


def _first_folded(text: str) -> str:
    first = text[:1]
    if not first.isupper():
        return text
    word = _FIRST_WORD.match(text)
    if word is None or not word[1].islower() or first.lower().upper() != first:
        return text
    return first.lower() + text[1:]
