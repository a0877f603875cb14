"""Rendering: memories as lines of a prompt, inside a fence that content cannot close."""

import re
from collections.abc import Sequence

from agent_memory_os.model import Mark
from agent_memory_os.pure.notes import NOTICE, Note, Section, day_of, who

OPEN, CLOSE = "<memory>", "</memory>"

# Anything that could be read as a tag; "a < b" and "List<int>" stay as they are.
TAG = re.compile(r"<(?=\s*/|\s*memory|[!?])|(?<!\w)<(?=[A-Za-z])", re.IGNORECASE)
# Nor anything that could be read as a mark: those stand in brackets of their own.
_MARK = re.compile(r"\[(?=\W*(?:conflict|superseded)\b)", re.IGNORECASE)
_BREAK = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_UNFIT = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def quoted(content: str) -> str:
    """Return *content* so that it can stand in a pack: no tag, no mark, no line of its own.

    A tag's ``<`` becomes ``&lt;``, a mark's ``[`` becomes ``&#91;``; lines after the first are
    indented, so that none begins where a heading, a fence or a list item could; control characters
    are replaced by U+FFFD.
    """
    if "<" not in content and "[" not in content and content.isprintable():
        return content.strip()
    text = _UNFIT.sub("\ufffd", content.strip())
    text = _MARK.sub("&#91;", TAG.sub("&lt;", text))
    return _BREAK.sub("\n  ", text)


def provenance(note: Note) -> str:
    """Return when it happened, who said it, whom it is about, what it is of, how it is shared.

    Who owns it is said beside an actor that is somebody else; what has no scope is private. An
    excerpt names the id by which the rest is fetched. No name ends the brackets around it.
    """
    memory = note.memory
    parts = [note.day, who(memory.owner, memory.actor)]
    if memory.subject is not None and memory.subject != memory.actor:
        parts.append(f"about {memory.subject}")
    if note.value_of is not None:
        parts.append(note.value_of)
    if memory.visibility:
        parts.append(note.scope)
    if note.excerpt:
        parts.append(f"excerpt of {memory.id}")
    return _bracketed(", ".join(parts))


def _bracketed(text: str) -> str:
    return quoted(text).replace("]", "&#93;")


def marks(note: Note) -> str:
    """Return the marks of a memory, each in brackets: who says otherwise, when and how surely."""
    if not note.marks:
        return ""
    told = "".join(f" [{mark.kind} {_bracketed(_of(mark))}]" for mark in note.told)
    return f"{told} [and {note.untold} more]" if note.untold else told


def _of(mark: Mark) -> str:
    by_whom = who(mark.owner, mark.actor)
    of_what = f"with {by_whom}" if mark.kind == "CONFLICT" else f"by {mark.id} of {by_whom}"
    return f"{of_what}, {day_of(mark)}, confidence {mark.confidence:g}"


def line(note: Note) -> str:
    """Return the line of one memory: where it comes from, in brackets, its marks, its content."""
    return f"- [{provenance(note)}]{marks(note)} {quoted(note.content)}"


def part(sections: Sequence[Section], pack_id: str | None) -> str:
    """Return *sections* under their headings; the first of them names the pack, if it has an id."""
    texts = []
    for number, section in enumerate(sections):
        name = f" (pack {pack_id})" if pack_id is not None and number == 0 else ""
        texts.append("\n".join([f"{section.title}{name}:", *section.lines]))
    return "\n".join(texts)


def fenced(stable: str, dynamic: str) -> str:
    """Return the pack: the stable part first, so that it can be cached; empty without parts."""
    parts = [text for text in (stable, dynamic) if text]
    return "\n".join([OPEN, NOTICE, *parts, CLOSE]) if parts else ""


def added(line: str) -> str:
    """Return what *line* adds to the text."""
    return "\n" + line
