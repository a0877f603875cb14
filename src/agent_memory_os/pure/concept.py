"""Concepts: what memories that are recalled together have in common, as a short text."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from agent_memory_os.model import JSON, Memory
from agent_memory_os.noun import Noun
from agent_memory_os.pure.stopwords import STOP_WORDS
from agent_memory_os.pure.text import index_terms

TYPE, LAYER = "concept", 2
KEY_PREFIX = "co-recalled:"  # of the key of a concept that the library made
SCORE, DIGEST = "co_recalled", "digest"  # in its metadata: how strongly, and what was written
_LINE_CHARS = 160  # of a source that is quoted
_TITLE_WORDS = 4
_LOOKED_AT = 2_000  # characters of a source, for the title
_NO_TITLE = "Recalled together"
_WORD = r"[^\W\d_][\w'-]*"
_UNSPACED = "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]"


class Concept(Noun):
    """A concept that is there: its id, what it was made of, and whether all of that is so still."""

    id: str
    sources: tuple[str, ...]
    is_whole: bool


class Plan(Noun):
    """What becomes of concepts: the sources of new ones, of those that grow, and who leaves."""

    make: list[tuple[str, ...]]
    grow: dict[str, tuple[str, ...]]
    withdraw: list[str]


def plan(clusters: Iterable[tuple[str, ...]], known: Iterable[Concept], *, most: int) -> Plan:
    """Return what becomes of concepts, now that these are the *clusters*; done twice, as once.

    A concept of which a source is gone leaves. A cluster that another concept holds half of makes
    that one grow, as far as *most* sources; else it makes a new one.
    """
    found = Plan([], {}, [])
    held: dict[str, tuple[str, ...]] = {}
    of_source: dict[str, list[str]] = {}
    for concept in sorted(known, key=lambda each: each.id):
        if not concept.is_whole:
            found.withdraw.append(concept.id)
            continue
        held[concept.id] = concept.sources
        for source in concept.sources:
            of_source.setdefault(source, []).append(concept.id)
    for cluster in sorted(clusters):
        shared = Counter(concept for each in cluster for concept in of_source.get(each, ()))
        near = min(shared, key=lambda concept: (-shared[concept], concept), default=None)
        if near is None or 2 * shared[near] < len(cluster):
            found.make.append(cluster)
            continue
        union = tuple(sorted({*held[near], *cluster}))
        if len(held[near]) < len(union) <= most:
            found.grow[near] = held[near] = union
    return found


def key_of(sources: Iterable[str]) -> str:
    """Return the key of a concept that is made of *sources*."""
    return KEY_PREFIX + _digest("\n".join(sorted(sources)))


def written(sources: Sequence[Memory], score: float) -> tuple[str, dict[str, JSON]]:
    """Return the content of a concept of *sources*, in their order, and its metadata."""
    from agent_memory_os.pure.summary import one_line  # what a store knows of concepts is less

    contents = [source.content for source in sources]
    lines = [f"- {one_line(content, most=_LINE_CHARS)}" for content in contents]
    content = "\n".join([f"# {title(contents)}", *lines])
    return content, {SCORE: round(score, 2), DIGEST: _digest(content)}


def is_edited(content: str, metadata: Mapping[str, JSON]) -> bool:
    """Return whether somebody changed the *content* of a concept since it was written."""
    return metadata.get(DIGEST) != _digest(content)


def title(contents: Sequence[str]) -> str:
    """Return the words that most of *contents* share, those that more of them have first.

    At least two and half of them have each; stop words and numbers say nothing.

    >>> title(["Staging deploys by night.", "We deploy staging twice.", "Who watches staging?"])
    'Staging, deploys'
    """
    shown: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for content in contents:
        found = terms(content[:_LOOKED_AT])
        counts.update(found.keys())
        for term, word in found.items():
            shown.setdefault(term, word)
    enough = max(2, (len(contents) + 1) // 2)
    order = {term: place for place, term in enumerate(shown)}
    shared = sorted(
        (term for term, count in counts.items() if count >= enough),
        key=lambda term: (-counts[term], order[term]),
    )
    return ", ".join(shown[term] for term in shared[:_TITLE_WORDS]) or _NO_TITLE


def terms(content: str) -> dict[str, str]:
    """Return the terms of *content*, each with a word of it that shows it."""
    shown: dict[str, str] = {}
    for match in re.finditer(_WORD, content):
        word = match[0]
        if word.casefold() in STOP_WORDS:
            continue
        found = index_terms(word)
        if re.search(_UNSPACED, word):
            shown |= {term: term for term in found if len(term) > 1 and term not in shown}
        elif found and len(word) > 1:
            shown.setdefault(found[0], word)
    return shown


def _digest(text: str) -> str:
    from hashlib import blake2b  # loads OpenSSL

    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
