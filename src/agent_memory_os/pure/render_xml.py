"""Rendering packs as XML, which no content can break."""

import re
from collections.abc import Sequence

from agent_memory_os.model import Mark
from agent_memory_os.pure.notes import NOTICE, Note, Section, day_of, who

# XML 1.0 has no way to write these, not even as references.
_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
# These a parser would change, or a reader would not see: they are written as references.
_UNSEEN = re.compile("[\r\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_IN_ATTRIBUTE = {**_MARKUP, '"': "&quot;", "\t": "&#9;", "\n": "&#10;"}


def escaped(text: str) -> str:
    """Return *text* as the text of an element: a parser gives it back to the character.

    Only what XML cannot hold is lost: control characters and lone surrogates become U+FFFD.
    """
    return _escaped(text, _MARKUP)


def _escaped(text: str, marks: dict[str, str]) -> str:
    for character, reference in marks.items():  # "&" comes first
        text = text.replace(character, reference)
    if text.isascii() and text.isprintable():
        return text
    text = _UNFIT.sub("\ufffd", text)
    return _UNSEEN.sub(lambda unseen: f"&#{ord(unseen[0])};", text)


def _attributes(values: dict[str, str]) -> str:
    return "".join(f' {name}="{_escaped(value, _IN_ATTRIBUTE)}"' for name, value in values.items())


def line(note: Note) -> str:
    """Return the element of one memory: provenance and marks as attributes, its content as text.

    Several marks of a kind are numbered: ``conflict``, ``conflict2``.
    """
    values = note.provenance()
    if note.excerpt:
        values["excerpt"] = "true"
    for mark in note.told:
        kind = mark.kind.lower()
        number = sum(name.startswith(kind) for name in values) + 1
        values[kind if number == 1 else f"{kind}{number}"] = _of(mark)
    if note.untold:
        values["more_marks"] = str(note.untold)
    return f"<item{_attributes(values)}>{escaped(note.content)}</item>"


def _of(mark: Mark) -> str:
    by_whom = who(mark.owner, mark.actor)
    return f"{mark.id} of {by_whom}, {day_of(mark)}, confidence {mark.confidence:g}"


def part(sections: Sequence[Section], pack_id: str | None) -> str:
    """Return an element with *sections*: ``stable``, or ``dynamic`` with the id of the pack."""
    name, values = ("stable", {}) if pack_id is None else ("dynamic", {"pack": pack_id})
    return "\n".join([f"<{name}{_attributes(values)}>", *map(_section, sections), f"</{name}>"])


def _section(section: Section) -> str:
    values = {"name": section.name, "title": section.title}
    return "\n".join([f"<section{_attributes(values)}>", *section.lines, "</section>"])


def fenced(stable: str, dynamic: str) -> str:
    """Return the pack as one document: the stable part first; empty without parts."""
    parts = [text for text in (stable, dynamic) if text]
    notice = f"<notice>{NOTICE}</notice>"
    return "\n".join(["<memory>", notice, *parts, "</memory>"]) if parts else ""


def added(line: str) -> str:
    """Return what *line* adds to the text."""
    return "\n" + line
