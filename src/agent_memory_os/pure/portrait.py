"""Portraits: which atoms a persona tells, under which headings, and how a prompt is told of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from agent_memory_os.model import Memory
from agent_memory_os.pure import document
from agent_memory_os.pure.document import Statement, Told, Wanted

IDENTITY, SCENES = "Identity", "Scenes"
SECTIONS: Mapping[str, tuple[str, ...]] = {  # headings in their order, and the types under each
    IDENTITY: ("identity", "persona", "profile"),
    "Preferences": ("preference",),
    "Instructions": ("instruction",),
    "Decisions": ("decision",),
    "Ways of working": ("procedure", "skill", "environment", "lesson", "habit"),
}
TYPES = tuple(kind for kinds in SECTIONS.values() for kind in kinds)
MOST_LINES, MOST_SCENES = 8, 24  # of a section, and that are named


def title(subject: str | None, owner: str) -> str:
    """Return what a persona is called."""
    return f"Persona of {subject or f'agent:{owner}'}"


def chosen(atoms: Iterable[Memory]) -> dict[str, list[Memory]]:
    """Return of each section the atoms that matter most, in the order of their moments."""
    found: dict[str, list[Memory]] = {}
    for atom in atoms:
        heading = heading_of(atom)
        if heading is not None:
            found.setdefault(heading, []).append(atom)
    return {
        heading: sorted(
            sorted(found[heading], key=_worth)[:MOST_LINES],
            key=lambda atom: (atom.occurred_ms, atom.id),
        )
        for heading in SECTIONS
        if heading in found
    }


def heading_of(atom: Memory) -> str | None:
    """Return under which heading an atom stands; None where it is no part of a persona."""
    return next((name for name, kinds in SECTIONS.items() if atom.type in kinds), None)


def _worth(atom: Memory) -> tuple[bool, float, int, int, str]:
    strength = round(atom.importance * atom.confidence, 3)
    return not atom.pinned, -strength, -atom.mentions, -atom.occurred_ms, atom.id


def wanted(
    name: str,
    atoms: Mapping[str, Sequence[Memory]],
    scenes: Sequence[Memory],
    note: Callable[[Memory], str],
) -> Wanted:
    """Return what a persona shall say of *atoms*, by their headings, and which *scenes* there are.

    Args:
        name: its title.
        atoms: by heading.
        scenes: that it leads to.
        note: says in the index what something is.
    """
    sections = [
        (heading, tuple(map(document.statement, atoms.get(heading, ())))) for heading in SECTIONS
    ]
    named = tuple(
        Statement(document.unciting(document.title(each.content)), (each.id,)) for each in scenes
    )
    cited = [*(each for some in atoms.values() for each in some), *scenes]
    index = {each.id: note(each) for each in cited}
    return Wanted(name, (*sections, (SCENES, named)), index)


def lines(persona: Memory) -> list[Told]:
    """Return what a persona tells, in its order, and then the scenes that it leads to by id."""
    told = list(document.told(persona.content, persona.metadata))
    scenes = [
        line._replace(text=f"{line.text} (id {line.sources[0]})" if line.sources else line.text)
        for line in told
        if line.heading == SCENES
    ]
    return [line for line in told if line.heading != SCENES] + scenes


def prompt(
    title_: str, told: Sequence[Told], *, fits: Callable[[str], bool]
) -> tuple[str, list[Told]]:
    """Return as many of the first lines as fit under the title, and which these are.

    A heading stands only with a line under it; nothing is cut inside. Empty when no line fits.

    Args:
        title_: of the persona.
        told: its lines, in the order in which they are left out from the end.
        fits: whether a text is short enough.
    """
    least, most = 0, len(told)
    while least < most:
        half = (least + most + 1) // 2
        if fits(_text(title_, told[:half])):
            least = half
        else:
            most = half - 1
    return (_text(title_, told[:least]), [*told[:least]]) if least else ("", [])


def _text(title_: str, told: Iterable[Told]) -> str:
    written, above = [title_], ""
    for line in told:
        if line.heading != above:
            written.append(f"{line.heading}:")
            above = line.heading
        written.append(f"- {line.text}")
    return "\n".join(written)
