"""Categories of a graph: the kinds of its memories."""

from collections.abc import Sequence

from agent_memory_os.errors import InvalidInput, NotFound
from agent_memory_os.graph.asked import asked, hanging
from agent_memory_os.graph.kinds import created, every, key_of, word_of
from agent_memory_os.graph.ways import PAGE, Ways, most_of
from agent_memory_os.model import Memory
from agent_memory_os.pure import bounds
from agent_memory_os.pure.draft import parse_content, parse_word
from agent_memory_os.pure.nodes import CATEGORY, PRESETS, RESOURCE, Category, Items, Resource


class Categories:
    """The kinds of memories: ``graph.categories``; there are five to begin with."""

    def __init__(self, ways: Ways) -> None:
        self._ways = ways

    def create(
        self, name: str, *, text: str | None = None, visibility: Sequence[str] | None = None
    ) -> Category:
        """Make a category, and return it; made again, what is omitted stays.

        In a view that is bound to a subject it is one of that subject.

        Args:
            name: one word, which becomes the ``type`` of its memories.
            text: what it is for.
            visibility: who may see it besides the agent; nobody by default.

        Raises:
            InvalidInput: the name is malformed, or that of a preset.
        """
        word = parse_word(name, "name")
        if text is not None:
            parse_content(text, self._ways.view._ground().settings, "text")
        if word in PRESETS or word in (RESOURCE, CATEGORY):
            raise InvalidInput(f"there is a category {word!r} already")
        old = created(self._ways, word, owner=self._ways.view.agent_id)
        said, shared = (word, ()) if old is None else (old.content, old.visibility)
        said = said if text is None else text
        seen: Sequence[str] = shared if visibility is None else visibility
        made = self._ways.view.add(
            said, type=CATEGORY, key=key_of(word), visibility=seen, importance=0.0
        )
        return Category(word, said, made.memory)

    def get(self, name: Category | str) -> Category | None:
        """Return a category that is a preset, or was created, or None."""
        word = word_of(name, "name")
        if word in PRESETS:
            return Category(word, PRESETS[word])
        memory = created(self._ways, word)
        return None if memory is None else Category(word, memory.content, memory)

    def search(self, query: str | None = None, *, limit: int = PAGE) -> list[Category]:
        """Return categories: those whose name or text has a word of *query*; all when None."""
        most = most_of(self._ways.view, limit)
        if query is not None:
            bounds.any_text(query, "query")
        made = every(self._ways)
        presets = [Category(word, text) for word, text in PRESETS.items()]
        found = [*presets, *(Category(word, each.content, each) for word, each in made.items())]
        if query is not None:
            hits = self._ways.view.search(query, types=[CATEGORY], limit=len(made)) if made else ()
            ids = {hit.id for hit in hits}
            words = set(query.casefold().split())
            found = [each for each in found if _is_asked(each, words, ids)]
        return found[:most]

    def neighbors(
        self, name: Category | str, *, resource_id: Resource | str, limit: int = PAGE
    ) -> Items:
        """Return the memories of a resource that are in a category, what matters most first.

        Raises:
            InvalidInput, NotFound, NotPermitted: as for ``memories.search``.
        """
        word, most = word_of(name, "name"), most_of(self._ways.view, limit)
        found = asked(self._ways, resource_id, category=word, top_k=most)
        return hanging(found, "in_category")

    def update(self, name: Category | str, *, text: str) -> Category:
        """Change what a category of the agent's is for, and return it.

        Raises:
            NotFound: the agent has created no such category.
            InvalidInput: an argument is invalid.
        """
        word = word_of(name, "name")
        parse_content(text, self._ways.view._ground().settings, "text")
        old = self._own(word)
        return Category(word, text, self._ways.view.update(old.id, content=text).memory)

    def delete(self, name: Category | str) -> None:
        """Take back a category of the agent's; its memories keep their type.

        Raises:
            NotFound: the agent has created no such category.
        """
        self._ways.view.delete(self._own(word_of(name, "name")).id)

    def _own(self, word: str) -> Memory:
        agent = self._ways.view.agent_id
        memory = created(self._ways, word, owner=agent)
        if memory is None:
            raise NotFound(f"there is no category {word!r} that {agent!r} created")
        return memory


def _is_asked(category: Category, words: set[str], ids: set[str]) -> bool:
    if category.memory is not None:
        return category.memory.id in ids or category.name.casefold() in words
    told = {category.name, *category.text.replace(",", " ").split()}
    return bool(words & told)
