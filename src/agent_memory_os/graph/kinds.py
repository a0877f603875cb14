"""Kinds: which categories there are, and whether a word is one."""

from agent_memory_os.errors import InvalidInput
from agent_memory_os.graph.ways import Ways
from agent_memory_os.model import Memory
from agent_memory_os.pure import near
from agent_memory_os.pure.draft import parse_word
from agent_memory_os.pure.nodes import CATEGORY, PRESETS, RESOURCE, Category
from agent_memory_os.view import AgentMemory


def word_of(name: Category | str, what: str = "category") -> str:
    """Return the word of a category that is named by itself, or by its word.

    *what* names it in the error.

    Raises:
        InvalidInput: it is no word.
    """
    return name.name if isinstance(name, Category) else parse_word(name, what)


def key_of(word: str) -> str:
    """Return the key of the memory that stands for a category."""
    return f"{CATEGORY} {word}"


def known(ways: Ways, name: Category | str, view: AgentMemory) -> str:
    """Return the word of a category that is a preset, was created, or has memories in *view*.

    Raises:
        InvalidInput: it is none of these; the error names the nearest.
    """
    word = word_of(name)
    if word in PRESETS or created(ways, word) is not None:
        return word
    if word not in (RESOURCE, CATEGORY) and view.browse(types=[word], limit=1):
        return word
    words = [*PRESETS, *every(ways)]
    hint = near.hint(word, words) or f"; there are {', '.join(words)}"
    raise InvalidInput(f"there is no category {word!r}{hint}")


def every(ways: Ways) -> dict[str, Memory]:
    """Return the memories that stand for the categories that were created, by their words."""
    most = ways.view._ground().settings.max_limit
    made = ways.view.browse(types=[CATEGORY], where=_place(ways), limit=most)
    named = ((each.key or "", each) for each in reversed(made))
    return {key.removeprefix(key_of("")): each for key, each in named}


def created(ways: Ways, word: str, *, owner: str | None = None) -> Memory | None:
    """Return the memory that stands for a category, if somebody created it; *owner* alone."""
    where = {**_place(ways), "key": key_of(word)}
    found = ways.view.browse(types=[CATEGORY], where=where, owner=owner, limit=1)
    return found[0] if found else None


def _place(ways: Ways) -> dict[str, object]:
    return {"subject": ways.view.subject}
