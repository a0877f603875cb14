"""Index terms as a row keeps them."""

from agent_memory_os.model import Memory
from agent_memory_os.pure.text import index_terms


def searchable(memory: Memory) -> str:
    """Return the analysed text that *memory* is found by: content, the actor's name, tags."""
    whole = memory.content
    if memory.actor is not None:
        whole += " " + memory.actor.partition(":")[2]
    if memory.tags:
        whole += " " + " ".join(memory.tags)
    return analyse(whole)


def analyse(text: str) -> str:
    """Return the index terms of *text*, joined by single spaces."""
    return " ".join(index_terms(text))


def expand(terms: str) -> str:
    """Return the stored *terms* as FTS5 is given them."""
    return terms


def count_terms(terms: str) -> int:
    """Return how many index terms the stored *terms* are."""
    return terms.count(" ") + 1 if terms else 0
