"""The formats of packs: one table, by the names that callers type."""

from collections.abc import Callable, Mapping, Sequence

from agent_memory_os.model import PackFormat
from agent_memory_os.noun import Noun
from agent_memory_os.pure import render, render_json, render_xml
from agent_memory_os.pure.notes import Note, Section


class Renderer(Noun):
    """How packs are written in one format; nothing of a memory can end what it stands in.

    Attributes:
        line: writes one memory.
        part: writes sections as the stable part, or as the dynamic one, which has the pack's id.
        fence: joins a stable and a dynamic part; either may be empty, and both are nothing.
        text: the same, as the text of the whole pack.
        added: returns what a line adds to that text, for the counter of tokens.
        is_split: whether the text is made of messages, which then keep the budget together, too.
    """

    line: Callable[[Note], str]
    part: Callable[[Sequence[Section], str | None], str]
    fence: Callable[[str, str], str]
    text: Callable[[str, str], str]
    added: Callable[[str], str]
    is_split: bool = False

    def messages(self, stable: str, dynamic: str) -> tuple[str, ...]:
        """Return what messages for a model hold: the parts that there are, each in its fence."""
        parts = ((stable, ""), ("", dynamic))
        return tuple(self.fence(*pair) for pair in parts if any(pair))


def _messages(stable: str, dynamic: str) -> str:
    contents = RENDERERS["markdown"].messages(stable, dynamic)
    messages = [render_json.encoded({"role": "user", "content": text}) for text in contents]
    return "[" + ",\n".join(messages) + "]" if messages else ""


def _added_to_message(line: str) -> str:
    return render_json.encoded("\n" + line)[1:-1]


RENDERERS: Mapping[PackFormat, Renderer] = {
    "markdown": Renderer(render.line, render.part, render.fenced, render.fenced, render.added),
    "xml": Renderer(
        render_xml.line, render_xml.part, render_xml.fenced, render_xml.fenced, render_xml.added
    ),
    "json": Renderer(
        render_json.line,
        render_json.part,
        render_json.fenced,
        render_json.fenced,
        render_json.added,
    ),
    "messages": Renderer(
        render.line, render.part, render.fenced, _messages, _added_to_message, is_split=True
    ),
}
