"""The one analyser: index terms of a memory, and of the query that looks for it."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import starmap
from operator import add
from unicodedata import is_normalized, normalize

from agent_memory_os.noun import Noun
from agent_memory_os.pure.stopwords import STOP_WORDS, unspaced_stops
from agent_memory_os.pure.words import ANALYSED, chunk_terms

ANALYSER_VERSION: int = 1
MOST_QUERY_TERMS = 64

# Han, kana, Bopomofo and Hangul; then Thai, Lao, Burmese and Khmer, whose syllables are longer.
_HAN = (
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\u1100-\u11ff\uac00-\ud7af\U00020000-\U0003ffff"
)
_THAI = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u1050-\u109f\u1780-\u17d3"
)
_AROUND = ".,:;!?()[]{}\"'¿¡«»"
_ASKED_ABOUT = re.compile(
    r"\b(?:[Dd]id|[Dd]o(?:es)?|[Hh]a(?:s|d|ve)|[Ii]s|[Aa]re|[Ww]as|[Ww]ere|[Ww]ill|[Ww]ould|[Cc]an"
    r"|[Cc]ould|[Ss]hould|[Mm]ight) ([A-Z][a-z]+)\b(?![A-Z-])|\b([A-Z][a-z]+)'s\b"
)
_NOBODY = STOP_WORDS | frozenset(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june"
    " july august september october november december christmas easter".split()
)
_CLITIC = re.compile("'(?:s|d|ll|ve|re|m)\\Z")
_CHUNK = re.compile(r"()()(\S+)")
_NOTHING = re.compile("(?!)")
_INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u20d0-\u20f0\u3164\ufe00-\ufe0f\ufeff\U0001f3fb-\U0001f3ff\U000e0000-\U000e0fff"
)
# Marks that NFKC changes, or that stand for an ASCII one: replacing them is far cheaper than
# normalising a whole Chinese text for them.
_PLAIN_MARKS = (
    *(("，", ","), ("：", ":"), ("；", ";"), ("？", "?"), ("！", "!"), ("（", "("), ("）", ")")),
    *(("’", "'"), ("‘", "'"), ("“", '"'), ("”", '"'), ("…", "..."), ("—", " "), ("–", "-")),
    ("\u00a0", " "),
)


class QueryTerm(Noun):
    """A term to look for.

    *prefix* also finds what begins with it; *of* is the term of the query that it is only related
    to, and empty when it was asked for itself; *says_when* marks a word by which the query names
    a time.
    """

    text: str
    weight: float = 1.0
    prefix: bool = False
    of: str = ""
    says_when: bool = False

    @property
    def is_missed(self) -> bool:
        """Whether it is among what was asked for, and is missed where a memory lacks it."""
        return not self.of and not self.says_when


class Query(Noun):
    """A query analysed: distinct terms in order of first appearance, at most 64.

    ``characters`` are single ones of Chinese, Japanese and Korean; they re-rank what the terms
    found, at less weight, and find nothing themselves. ``names`` are the terms of whom it asks
    about.
    """

    text: str
    terms: tuple[QueryTerm, ...]
    characters: tuple[str, ...]
    names: tuple[str, ...] = ()


def index_terms(text: str) -> list[str]:
    """Return the index terms of *text*, in order, with duplicates.

    Each is one token to FTS5: not empty, no white space, control character or upper-case ASCII,
    at most 64 characters.
    """
    return expand(analyse(text)).split()


def analyse(text: str) -> str:
    """Return *text* as its terms joined by single spaces, with runs of unspaced scripts whole.

    This is what a row keeps. A run stands for its overlapping grams, which would take three times
    the room, and each of them is found in it as a part.
    """
    if not text.isascii():
        text = _plain(text)
        if not text.isascii():
            words = (han or thai or ANALYSED[chunk] for han, thai, chunk in split_runs(text))
            return " ".join(filter(None, words))
    return " ".join(filter(None, map(ANALYSED.__getitem__, text.split())))


def expand(analysed: str) -> str:
    """Return every index term of what `analyse` returned, joined by single spaces."""
    if analysed.isascii():
        return analysed
    terms: list[str] = []
    for part in split_runs(analysed):
        terms += grams(*part)
    return " ".join(terms)


def words_of(analysed: str) -> list[str]:
    """Return the words of what `analyse` returned, without the runs of unspaced scripts."""
    if analysed.isascii():
        return analysed.split()
    return [word for _, _, word in split_runs(analysed) if word]


def split_runs(text: str) -> list[tuple[str, str, str]]:
    """Return the pieces of *text* as (Han or kana or Hangul, Thai and its kin, another word).

    Exactly one of the three is not empty.
    """
    return _runs().findall(text)


def grams(han: str, thai: str, word: str) -> list[str]:
    """Return the index terms of one piece of `split_runs`.

    A Han run gives its bigrams and its last character, so that each character begins a term; a
    Thai run likewise gives trigrams and the shorter ends. A word is a term.
    """
    if han:
        return [*map(add, han, han[1:]), han[-1]]
    if thai:
        return [thai[at : at + 3] for at in range(len(thai))]
    return [word]


@cache  # not at import: most memories are ASCII, and classes this wide are slow to compile
def _runs() -> re.Pattern[str]:
    return re.compile(f"([{_HAN}]+)|([{_THAI}]+)|([^\\s{_HAN}{_THAI}]+)")


@cache
def _invisible() -> re.Pattern[str]:
    return re.compile(f"[{_INVISIBLE}]+")


def _plain(text: str) -> str:
    for mark, plain in _PLAIN_MARKS:
        if mark in text:
            text = text.replace(mark, plain)
    if not is_normalized("NFKC", text):
        text = normalize("NFKC", text)
    return _invisible().sub("", text)


def analyse_query(text: str) -> Query:
    """Return *text* as terms to look for.

    Stop words leave, unless nothing would be left. A word that comes twice counts twice.
    """
    plain = text if text.isascii() else _plain(text)
    terms, characters = _asked(plain, STOP_WORDS, unspaced_stops())
    if not terms:
        terms, characters = _asked(plain, frozenset(), _NOTHING)
    characters = characters[:MOST_QUERY_TERMS]
    return Query(text, tuple(terms[:MOST_QUERY_TERMS]), tuple(characters), _asked_about(plain))


def _asked_about(text: str) -> tuple[str, ...]:
    """Return the terms of whom *text* asks about: Bob in "did Bob", "is Bob", "Bob's".

    What is written so, with a capital, may be a thing as well. Elsewhere in a sentence a capital
    says too little: most of what is written with one there is a place, a product or a letter word.
    """
    found = (one or other for one, other in _ASKED_ABOUT.findall(text))
    names = [name for name in found if name.lower() not in _NOBODY]
    return tuple(chunk_terms(name)[0] for name in names)


def _asked(
    text: str, stops: frozenset[str], inner_stops: re.Pattern[str]
) -> tuple[list[QueryTerm], list[str]]:
    """Return the terms and the characters of *text*, without *stops*."""
    whole: dict[str, float] = {}
    short: dict[str, float] = {}  # runs too short for a bigram or a trigram
    characters: dict[str, None] = {}
    is_shouted = text.isupper()
    before = "."
    runs = _CHUNK if text.isascii() else _runs()
    for match in runs.finditer(text):
        if len(whole) >= MOST_QUERY_TERMS:
            break
        han, thai, chunk = match.groups()
        if chunk:
            is_name = not is_shouted and _is_name(chunk, before)
            for term in chunk_terms(chunk) if is_name else _kept(chunk, stops):
                _count(whole, term)
        size = 2 if han else 3
        for run in inner_stops.split(han or thai or ""):
            if 0 < len(run) < size:
                _count(short, run)
            for at in range(len(run) - size + 1):
                _count(whole, run[at : at + size])
            if han:
                characters.update(dict.fromkeys(run))
        before = match[0]
    if whole:
        return list(starmap(QueryTerm, whole.items())), list(characters)
    return [QueryTerm(run, weight, prefix=True) for run, weight in short.items()], list(characters)


def _kept(chunk: str, stops: frozenset[str]) -> Sequence[str]:
    """Return the terms of *chunk* without those of *stops*.

    A word is compared as it is written, since stems would take "evening" for "even".
    """
    word = chunk.strip(_AROUND).casefold()
    if word in stops or word.replace("'", "") in stops or _CLITIC.sub("", word) in stops:
        return ()
    terms = chunk_terms(chunk)
    return terms if len(terms) == 1 else [term for term in terms if term not in stops]


def _is_name(chunk: str, before: str) -> bool:
    """Return whether *chunk* after *before* is written as a name is: Will, US, IT."""
    word = chunk.rstrip(".,:;!?")
    if not word[:1].isupper() or word[:2] in ("I", "I'") or word in ("OR", "AND", "NOT"):
        return False
    return len(word) > 1 if word.isupper() else before[-1] not in ".:;!?"


def _count(terms: dict[str, float], term: str) -> None:
    terms[term] = terms.get(term, 0.0) + 1.0
