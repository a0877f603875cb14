"""Rendering packs as JSON, which no content can break."""

import json
import re
from collections.abc import Sequence

from agent_memory_os.model import Mark
from agent_memory_os.pure.notes import NOTICE, Note, Section, day_of
from agent_memory_os.pure.render import TAG

_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
# What a reader would not see, and halves of surrogate pairs, which no file can hold.
_UNSEEN = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def encoded(value: object) -> str:
    """Return *value* as JSON that any file can hold: what cannot be seen is escaped."""
    text = _dumps(value)
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNSEEN.sub(lambda unseen: f"\\u{ord(unseen[0]):04x}", text)


def line(note: Note) -> str:
    """Return the object of one memory: its provenance, its marks, and its content last.

    The content comes back to the character. A ``<`` that could begin a tag is escaped, so that a
    host may put the text between tags of its own.
    """
    values: dict[str, object] = {**note.provenance()}
    if note.excerpt:
        values["excerpt"] = True
    if note.marks:
        values["marks"] = [mark_values(mark) for mark in note.told]
    if note.untold:
        values["more_marks"] = note.untold
    values["content"] = note.content
    return TAG.sub(r"\\u003c", encoded(values))


def mark_values(mark: Mark) -> dict[str, object]:
    """Return what is told of a mark: its kind, and of the other memory id, who, when, how sure."""
    values: dict[str, object] = {"kind": mark.kind, "id": mark.id, "owner": mark.owner}
    if mark.actor is not None:
        values["actor"] = mark.actor
    return {**values, "date": day_of(mark), "confidence": mark.confidence}


def part(sections: Sequence[Section], pack_id: str | None) -> str:
    """Return an object with *sections*, and the id of the pack if it has one."""
    pack = "" if pack_id is None else f'"pack":{encoded(pack_id)},'
    return f'{{{pack}"sections":[{",".join(map(_section, sections))}]}}'


def _section(section: Section) -> str:
    name, title = encoded(section.name), encoded(section.title)
    items = ",\n".join(section.lines)
    return f'{{"name":{name},"title":{title},"items":[\n{items}\n]}}'


def fenced(stable: str, dynamic: str) -> str:
    """Return the pack as one object: the stable part first; empty without parts."""
    parts = [f'"{name}":{t}' for name, t in (("stable", stable), ("dynamic", dynamic)) if t]
    return "{" + ",\n".join([f'"notice":{encoded(NOTICE)}', *parts]) + "}" if parts else ""


def added(line: str) -> str:
    """Return what *line* adds to the text."""
    return ",\n" + line
