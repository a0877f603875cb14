"""The sentences of a turn."""

import re
from functools import cache
from typing import NamedTuple

HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_FENCES = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
_PLAIN_QUOTES = str.maketrans("’‘“”", "''\"\"")
_BULLET = re.compile(r"(?m)^\s*(?:[-*•·>#]+|\d{1,2}[.)、])\s+")
_NOTE = re.compile(r"\[[^\[\]\n]{1,300}\]")
_SPACES = re.compile(r"\s+")
_LONGEST = 8_000  # characters of a turn that are read; what is longer is a document
_ASKS = re.compile(r"[?？][\"'”’)\]]*\Z|[吗嗎][。.!！]*\Z")
_ASKING_WORD = re.compile(
    r"(?:and |but |so |oh,? |hey,? |well,? )*(?:(?:what|who|where|when|why|how|which)(?:'s|'re| )"
    r"|(?:do|does|did|are|is|can|could|would|will|have|has|should) (?:you|we|i|they|it|there)\b)",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    """A sentence as it was said; *asks* for a question, *is_note* for a remark in brackets."""

    text: str
    asks: bool = False
    is_note: bool = False


def sentences(content: str) -> list[Sentence]:
    """Return the sentences of *content*, in order, those in brackets last.

    Code in fences is left out: it shows and does not state.
    """
    text = content[:_LONGEST].translate(_PLAIN_QUOTES)
    if "```" in text or "~~~" in text:
        text = _FENCES.sub(" ", text)
    notes: list[str] = []
    if "[" in text:
        notes = _NOTE.findall(text)
        text = _NOTE.sub(" ", text)
    if "\n" in text:
        text = _BULLET.sub("", text)
    parts = (_SPACES.sub(" ", part).strip() for part in _ends().split(text))
    said = [Sentence(part, asks(part)) for part in parts if any(map(str.isalnum, part))]
    return said + [Sentence(note[1:-1].strip(), False, True) for note in notes]


def asks(sentence: str) -> bool:
    """Return whether *sentence* is a question, by its end or how it begins."""
    if _ASKS.search(sentence) is not None:
        return True
    return not sentence.endswith(("!", ".")) and _ASKING_WORD.match(sentence) is not None


@cache
def _ends() -> re.Pattern[str]:
    """Return where sentences end: after a mark and before a blank, but not after "Dr."."""
    short = ("Dr", "Mr", "Mrs", "Ms", "St", "vs", "e.g", "i.e", "etc", "No", "Prof", "Jr", "Sr")
    behind = "".join(rf"(?<!\b{word.replace('.', chr(92) + '.')}\.)" for word in short)
    initial = r"(?<!\b[A-Z]\.)"
    return re.compile(
        rf"(?<=[.!?…]){behind}{initial}[\"')]*\s+(?=\S)|(?<=[。！？；])[”’）\"]*\s*|\n+"
    )
