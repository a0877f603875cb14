"""Ways of remembering: what of the memories is a timeline, what is semantic, what are entities."""

from collections.abc import Iterator, Mapping
from typing import Literal, cast, get_args

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import JSON, Hits, SearchReport
from agent_memory_os.noun import Noun
from agent_memory_os.pure import bounds, near
from agent_memory_os.pure.draft import parse_label, unknown_field

Way = Literal["timeline", "semantic", "entity"]
WAYS: tuple[Way, ...] = get_args(Way)
ALSO = ("subject", "owner", "types", "since", "until")  # what else narrows them
NO_HITS = Hits((), SearchReport())


class Grouped(Noun):
    """What a question found of each way that was asked; the others are empty.

    Attributes:
        timeline: what happened: events (layer 0).
        semantic: what is known in words: statements (layer 1) that are no value of an attribute.
        entity: what is known by name: values of attributes.
        asked: the ways that were asked.
    """

    timeline: Hits = NO_HITS
    semantic: Hits = NO_HITS
    entity: Hits = NO_HITS
    asked: tuple[Way, ...] = WAYS

    def __iter__(self) -> Iterator[tuple[Way, Hits]]:
        """Yield each way that was asked, with its hits."""
        return iter([(way, getattr(self, way)) for way in self.asked])


def parse_ways(value: object) -> tuple[Way, ...]:
    """Return the ways that *value* lists, each once, in the order of `WAYS`.

    Raises:
        InvalidInput: it is no list of them, or is empty.
    """
    named = bounds.texts(value, "ways")
    for each in named:
        if each not in WAYS:
            hint = near.hint(each, WAYS) or f"; there are {', '.join(WAYS)}"
            raise InvalidInput(f"there is no way {each!r}{hint}")
    if not named:
        raise InvalidInput(f"ways must name one or more of {', '.join(WAYS)}")
    return tuple(way for way in WAYS if way in named)


def narrowing(
    way: Way, *, anchors: object, metadata: object, filters: Mapping[str, object]
) -> dict[str, object]:
    """Return the filters, by the names of `FilterFields`, of what *way* is.

    Args:
        way: which.
        anchors: tags, all of which it must have exactly.
        metadata: values that it must have under these keys exactly.
        filters: what else narrows it.

    Raises:
        InvalidInput: *anchors* is no list of labels, *metadata* no mapping, or there is no such
            filter.
    """
    for each in bounds.texts(anchors, "anchors"):
        parse_label(each, "an item of anchors")
    for name in filters:
        if name not in ALSO:
            raise unknown_field(name, (*ALSO, "anchors", "metadata"), "filter")
    where: list[dict[str, object]] = [] if way == "timeline" else [_has_attribute(way == "entity")]
    where += equal(metadata)
    given = {name: value for name, value in filters.items() if value is not None}
    narrowed: dict[str, object] = {"layers": [0 if way == "timeline" else 1], "tags": anchors}
    return {**given, **narrowed, "where": {"$and": where} if where else None}


def _has_attribute(has: bool) -> dict[str, object]:
    return {"attribute": {"$exists": has}}


def equal(metadata: object) -> list[dict[str, object]]:
    """Return conditions that hold for what has the values of *metadata* under its keys exactly.

    Raises:
        InvalidInput: it is no mapping from keys to values, nor None.
    """
    if metadata is None:
        return []
    if not isinstance(metadata, Mapping) or not all(isinstance(key, str) for key in metadata):
        raise InvalidInput(f"metadata must be a mapping from keys to values, not {metadata!r}")
    values = cast("Mapping[str, JSON]", metadata)
    return [{_path(key): {"$eq": value}} for key, value in values.items()]


def _path(key: str) -> str:
    quoted = key.replace('"', '""')
    return f'metadata."{quoted}"'
