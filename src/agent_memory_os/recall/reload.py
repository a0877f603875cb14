"""Reloading: what a handle stands for, byte for byte, or the part of it that is asked for."""

from collections.abc import Iterator

from agent_memory_os.errors import InvalidInput, NotFound
from agent_memory_os.model import Visibility
from agent_memory_os.noun import Noun
from agent_memory_os.store.contract import Payload, Snapshot, Store


class Part(Noun):
    """Which part of a payload is wanted; all of it unless something else is said.

    Attributes:
        offset: characters of a text, or bytes, that are skipped.
        length: how many are wanted; None: all that follow.
        lines: the first and the last line that are wanted, counted from 1.
        grep: only lines that hold this text, with their numbers.
    """

    offset: int = 0
    length: int | None = None
    lines: tuple[int, int] | None = None
    grep: str | None = None

    @property
    def by_line(self) -> bool:
        """Whether lines are wanted."""
        return self.lines is not None or self.grep is not None


def reload(store: Store, memory_id: str, visibility: Visibility, part: Part) -> str | bytes:
    """Return what a memory is the handle of; of one that is no handle what it says.

    Raises:
        NotFound: there is no such memory that the agent may see.
        InvalidInput: lines are wanted of what was put as bytes, or what is beyond the end.
        StoreCorrupt: the bytes are not those that were put.
    """
    with store.read() as snapshot:
        found = _read(snapshot, memory_id, visibility, part)
    if not part.by_line:
        return found
    if isinstance(found, bytes):
        raise InvalidInput("lines and grep read text, and bytes were put; use offset and length")
    _refuse_beyond(found, part.lines)
    return "".join(_lines(found, part))


def _refuse_beyond(text: str, lines: tuple[int, int] | None) -> None:
    count = text.count("\n") + (text[-1:] not in ("", "\n"))
    if lines is not None and lines[0] > max(count, 1):
        raise InvalidInput(f"line {lines[0]} is beyond the end: the last one is {count}")


def _read(snapshot: Snapshot, memory_id: str, visibility: Visibility, part: Part) -> str | bytes:
    """Return what is wanted of it; the whole of it if that goes by lines."""
    stop = None if part.length is None else part.offset + part.length
    known = snapshot.payload(memory_id, visibility, stop=0)
    if known is None:
        memories = snapshot.read([memory_id], visibility)
        if not memories:
            raise NotFound(f"there is no memory {memory_id!r}")
        _refuse_offset(part.offset, len(memories[0].content))
        return memories[0].content[part.offset : stop]
    _refuse_offset(part.offset, known.size_bytes if known.chars is None else known.chars)
    # Of a text that is all ASCII a part is where its characters are numbered.
    in_place = known.chars is None or known.chars == known.size_bytes
    start, end = (part.offset, stop) if in_place else (0, None)
    payload = snapshot.payload(memory_id, visibility, start=start, stop=end)
    assert payload is not None  # it was there, and a snapshot does not change
    text = _text(payload)
    return text if in_place else text[part.offset : stop]


def _refuse_offset(offset: int, size: int) -> None:
    # The end itself is none beyond it: whoever reads part by part gets there.
    if offset > size:
        raise InvalidInput(f"offset {offset} is beyond the end, which is at {size}")


def _text(payload: Payload) -> str | bytes:
    return payload.data if payload.chars is None else payload.data.decode()


def _lines(text: str, part: Part) -> Iterator[str]:
    """Yield the lines that are wanted, as they stand; those that were looked for with numbers."""
    first, last = part.lines or (1, len(text) + 1)
    every = text.split("\n", last)[:last]
    is_cut = len(every) == last and text.count("\n") >= last
    for number, line in enumerate(every, 1):
        end = "\n" if number < len(every) or is_cut else ""
        if number < first or (number == len(every) and not line and not end):
            continue
        if part.grep is None:
            yield line + end
        elif part.grep in line:
            yield f"{number}:{line}\n"
