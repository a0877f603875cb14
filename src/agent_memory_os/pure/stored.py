"""Analysed text as a row keeps it: made of a memory, counted, and searched for a term."""

from collections.abc import Sequence

from agent_memory_os.model import Memory
from agent_memory_os.pure.layer import is_document
from agent_memory_os.pure.text import QueryTerm, analyse, split_runs


def searchable(memory: Memory) -> str:
    """Return the stored terms that *memory* is found by: all that `analysed` takes of it.

    None of a document that the library made: what it says is found by its sources.
    """
    if is_document(memory):
        return ""
    named = memory.entity, memory.attribute
    return analysed(memory.content, memory.actor, memory.tags, *named)


def analysed(
    content: str,
    actor: str | None,
    tags: Sequence[str],
    entity: str | None = None,
    attribute: str | None = None,
) -> str:
    """Return the stored terms of a memory with that content, actor, tags, entity and attribute."""
    whole = content
    if attribute is not None:
        whole += " " + names_of(entity, attribute)
    if actor is not None:
        whole += " " + actor.partition(":")[2]
    if tags:
        whole += " " + " ".join(tags)
    return analyse(whole)


def names_of(entity: str | None, attribute: str | None) -> str:
    """Return the names by which the value of an attribute is found, without their kinds.

    >>> names_of("server:db1", "port")
    'db1 port'
    """
    names = [] if entity is None else [entity.partition(":")[2] or entity]
    return " ".join([*names, attribute or ""]).strip()


def count_terms(stored: str) -> int:
    """Return how many index terms *stored* stands for."""
    words = stored.count(" ") + 1 if stored else 0
    if stored.isascii():
        return words
    # Each character of a run begins one gram, and the run was counted as one word.
    return words + sum(len(han or thai) - 1 for han, thai, word in split_runs(stored) if not word)


def needle(term: QueryTerm) -> str:
    """Return what to count in ``f" {stored} "`` to know how often it holds *term*."""
    ((_, _, word),) = split_runs(term.text) or [("", "", term.text)]
    if not word:
        return term.text
    return f" {term.text}" if term.prefix else f" {term.text} "
