"""What a host has hung in: it is told of writes and recalls, and masks what is written."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import get_ident
from typing import TypeVar, cast

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import (
    JSON,
    Draft,
    Hits,
    Hooks,
    Pack,
    RecallEvent,
    Receipt,
    Redact,
    Redaction,
    SearchReport,
    WriteEvent,
)
from agent_memory_os.pure import bounds
from agent_memory_os.pure.draft import parse_content, parse_metadata, parse_tags
from agent_memory_os.settings import Settings

Event = TypeVar("Event", WriteEvent, RecallEvent)
LOGGER = "agent_memory_os"
_MOST_IDS = 10  # that a line of the log names
_MOST_KIND_CHARS = 60


def wrote(hooks: Hooks, event: WriteEvent) -> list[Receipt]:
    """Tell the host what was written, and return the receipts; they say so if it raised."""
    problem = _told(hooks, hooks.on_write, event, "on_write")
    if not problem:
        return [*event.receipts]
    return [replace(receipt, why=f"{receipt.why}; {problem}") for receipt in event.receipts]


def recalled_hits(hooks: Hooks, event: RecallEvent, hits: Hits) -> Hits:
    """Tell the host what was recalled, and return *hits*; their report says so if it raised."""
    problem = _told(hooks, hooks.on_recall, event, "on_recall")
    return Hits(hits, _noted(hits.report, problem)) if problem else hits


def recalled_pack(hooks: Hooks, event: RecallEvent, pack: Pack) -> Pack:
    """Tell the host what was recalled, and return *pack*; its report says so if it raised."""
    problem = _told(hooks, hooks.on_recall, event, "on_recall")
    if not problem:
        return pack
    return replace(pack, report=replace(pack.report, search=_noted(pack.report.search, problem)))


def _noted(report: SearchReport, problem: str) -> SearchReport:
    return replace(report, degraded=(*report.degraded, problem))


def _told(hooks: Hooks, hook: Callable[[Event], object] | None, event: Event, name: str) -> str:
    """Tell *hook* of *event*; return what went wrong, in words, or nothing.

    What a hook writes or recalls itself is not told: it would never come to an end.
    """
    thread = get_ident()
    if hook is None or thread in hooks.telling:
        return ""
    hooks.telling.add(thread)
    try:
        hook(event)
    except Exception as error:  # it is the host's: what was done is done, whatever it raises
        return failed(name, error, event.verb, event.ids)
    finally:
        hooks.telling.discard(thread)
    return ""


def failed(name: str, error: Exception, doing: str, ids: Sequence[str] = ()) -> str:
    """Log that what a host has hung in raised, and return it in words.

    The words hold its name and the class of the error, and the log the ids besides: a message may
    hold what was to be remembered.
    """
    import logging  # a host that logs has loaded it; others need it now, if ever

    logger = logging.getLogger(LOGGER)
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())  # else Python prints it for who asked for nothing
    problem = f"{name} raised {type(error).__name__[:_MOST_KIND_CHARS]}"
    more = f" and {len(ids) - _MOST_IDS} more" if len(ids) > _MOST_IDS else ""
    whose = f" of {', '.join(ids[:_MOST_IDS])}{more}" if ids else ""
    logger.warning("%s during %s%s", problem, doing, whose)
    return problem


def redacted(redact: Redact, draft: Draft, settings: Settings) -> Draft:
    """Return *draft* as *redact* leaves its content, its tags and the texts in its metadata.

    Raises:
        InvalidInput: *redact* raises, or leaves what cannot be stored; nothing was written.
    """
    mask = _Mask(redact)
    return replace(
        draft,
        content=parse_content(mask.text(draft.content), settings),
        tags=parse_tags(map(mask.text, draft.tags), settings),
        metadata=parse_metadata(mask.json(cast("JSON", draft.metadata)), settings),
        masked=mask.why,
    )


def redacted_changes(
    redact: Redact, changes: Mapping[str, object], settings: Settings
) -> tuple[dict[str, object], str]:
    """Return the *changes* of an update as *redact* leaves them, and what it masked, in words.

    Raises:
        InvalidInput: *redact* raises, or leaves what cannot be stored; nothing was written.
    """
    mask = _Mask(redact)
    left = dict(changes)
    if "content" in left:
        left["content"] = parse_content(mask.text(cast("str", left["content"])), settings)
    if "tags" in left:
        left["tags"] = parse_tags(map(mask.text, cast("Sequence[str]", left["tags"])), settings)
    for name in ("metadata", "merge_metadata"):
        if name in left:
            left[name] = parse_metadata(mask.json(cast("JSON", left[name])), settings)
    return left, mask.why


def redacted_payload(redact: Redact, payload: str | bytes) -> tuple[str | bytes, str]:
    """Return *payload* as *redact* leaves it, and what it masked, in words.

    Raises:
        InvalidInput: *redact* raises, or the payload is no text, which nobody can look into.
    """
    mask = _Mask(redact)
    if isinstance(payload, str):
        return bounds.text(mask.text(payload), "what redact returned"), mask.why
    try:
        text = payload.decode()
    except UnicodeDecodeError:
        raise InvalidInput(
            "redact can look into no bytes that are not UTF-8 text; nothing was written"
        ) from None
    return bounds.text(mask.text(text), "what redact returned").encode(), mask.why


class _Mask:
    """A host's function at work on the texts of one memory, and what it has masked so far."""

    def __init__(self, redact: Redact) -> None:
        self._redact = redact
        self._masked: dict[str, int] = {}

    @property
    def why(self) -> str:
        """What was masked, by kind and number; empty when nothing was."""
        if not self._masked:
            return ""
        kinds = ", ".join(f"{kind} ({count})" for kind, count in sorted(self._masked.items()))
        return f"redact masked {kinds}"

    def text(self, text: str) -> str:
        """Return what is left of *text*."""
        try:
            said = self._redact(text)
        except Exception as error:  # it fails closed: what cannot be looked at is not stored
            kind = type(error).__name__[:_MOST_KIND_CHARS]
            raise InvalidInput(f"redact raised {kind}; nothing was written") from None
        if isinstance(said, str):
            said = Redaction(said, {} if said == text else {"text": 1})
        if not isinstance(said, Redaction) or not isinstance(said.text, str):
            kind = type(said).__name__[:_MOST_KIND_CHARS]
            raise InvalidInput(f"redact must return a string or a Redaction, not a {kind}")
        for kind, count in said.masked.items():
            self._masked[kind] = self._masked.get(kind, 0) + count
        return said.text

    def json(self, value: JSON) -> JSON:
        """Return what is left of *value*: of every text in it, but for the keys."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {key: self.json(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.json(item) for item in value]
        return value
