"""What organising makes of atoms, how it is read, and what became of that."""

from collections.abc import Callable, Sequence
from datetime import datetime

from agent_memory_os.model import Memory, moment
from agent_memory_os.noun import Noun

Writer = Callable[[str, Sequence[Memory]], object]  # (title, atoms) -> Markdown, or None


class Source(Noun):
    """What lines of a document come from: an entry of its index.

    Attributes:
        number: by which lines cite it, as ``[^3]``.
        id: of the memory.
        note: the day of it, and who said it.
    """

    number: int
    id: str
    note: str


class Document(Noun):
    """A scene, or a persona, as a reader has it.

    Attributes:
        id: of its memory.
        layer: 2 for a scene, 3 for a persona.
        title: in one line.
        markdown: all of it, without the lines of what the reader does not see, or not any more.
        sources: what its lines cite, by number; `get` resolves each id.
        owner: whose it is, who alone may edit it.
        subject: whom or what it is about, or None.
        visibility: who sees it besides, as far as the reader knows these scopes.
        updated_ms: when it was written last, in UTC milliseconds.
    """

    id: str
    layer: int
    title: str
    markdown: str
    sources: tuple[Source, ...]
    owner: str
    subject: str | None
    visibility: tuple[str, ...]
    updated_ms: int

    @property
    def updated_at(self) -> datetime:
        """The moment of `updated_ms`, aware, in UTC."""
        return moment(self.updated_ms)

    def __str__(self) -> str:
        """Return the Markdown."""
        return self.markdown


class Organised(Noun):
    """What `layers.organise` made of atoms; of a dry run, what it would make.

    Attributes:
        by: who wrote: the built-in rules, or a writer of the host.
        atoms: how many atoms found their place, or another one.
        scenes: ids of the scenes that were made, or written anew; of a dry run only of those that
            there are.
        personas: ids of the personas, likewise.
        made: how many scenes and personas are new.
        renewed: how many were written anew, without those that left.
        withdrawn: how many left, since another scene has their atoms now.
        markdown: what was written, in the order of writing; the first hundred.
        skipped: ids of atoms that found no place, since the writer failed, or since they were
            changed meanwhile; they are tried again by the next call.
        notes: what went wrong, or was left out, in sentences.
        dry_run: whether nothing was written.
    """

    by: str
    atoms: int
    scenes: tuple[str, ...]
    personas: tuple[str, ...]
    made: int
    renewed: int
    withdrawn: int
    markdown: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the scenes and the personas."""
        return self.scenes + self.personas
