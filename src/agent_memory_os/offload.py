"""Offload: what is too heavy for a prompt is put away, and had back by its handle."""

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple, Unpack

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import (
    JSON,
    Draft,
    Folded,
    Handle,
    PayloadFields,
    Receipt,
    Redact,
    TaskGraph,
    TokenCounter,
    Visibility,
)
from agent_memory_os.noun import Noun
from agent_memory_os.providers.protocol import VectorMaker
from agent_memory_os.pure import access, bounds, packing, relief
from agent_memory_os.pure.draft import parse_content, parse_word, unknown_field
from agent_memory_os.pure.tokens import checked
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Store

FoldLevel = Literal["auto", "mild", "aggressive"]
RESULT, MESSAGE = "tool_result", "message"  # types of handles


class Desk(Noun):
    """Where an agent works: what a view has, and nothing of how it has it.

    Attributes:
        store: where it reads and writes.
        settings: the limits.
        count_tokens: what a text costs.
        vectors: what makes vectors, where the client has some.
        redact: masks what is written, where the client has one.
        visibility: returns who asks, now.
        draft: returns the draft of a memory, held to the view's subject.
        hold: raises when a subject is another than that of the view.
        wrote: tells the host's hook of a write: the verb, ids, and receipts.
    """

    store: Store
    settings: Settings
    count_tokens: TokenCounter
    vectors: VectorMaker | None
    redact: Redact | None
    visibility: Callable[[], Visibility]
    draft: Callable[[object, Mapping[str, object]], Draft]
    hold: Callable[[str | None], None]
    wrote: Callable[[str, Sequence[str], list[Receipt]], list[Receipt]]


class _Put(NamedTuple):
    """What is to be put, and what its handle is to say."""

    payload: object
    summary: object = None
    name: object = None
    kind: object = RESULT
    call_id: object = None


class Offload:
    r"""What is too heavy for a prompt, put away and had back: ``view.offload``.

    >>> from agent_memory_os import MemoryClient
    >>> bot = MemoryClient(":memory:").as_agent("bot")
    >>> log = "ok\n" * 1000 + "ERROR disk full\n"
    >>> handle = bot.offload.put(log, name="build")
    >>> print(handle.summary)
    build: text, 1,001 lines, 3,016 bytes
    begins: ok
    line 1,001: ERROR disk full
    >>> bot.offload.reload(handle) == log
    True
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._count = checked(desk.count_tokens)

    def put(
        self,
        payload: str | bytes,
        *,
        summary: str | None = None,
        name: str | None = None,
        kind: str = RESULT,
        tool_call_id: str | None = None,
        **fields: Unpack[PayloadFields],
    ) -> Handle:
        """Put something heavy away, and return its handle, for a prompt in place of it.

        The handle is a memory of the agent, an event, whose content is the summary: it is found,
        shared and forgotten as any other, and whoever sees it may reload the payload. Equal bytes
        are kept once for an owner and a subject, however many handles there are of them.

        Args:
            payload: text or bytes, up to ``settings.max_payload_bytes``.
            summary: what it says; by rules when None: its shape and size, levels of a log, keys of
                JSON, columns of a table, lines that tell of errors, the first and the last line.
            name: what it is called, such as the tool that returned it.
            kind: the type of the handle.
            tool_call_id: the call that it is the result of, for `task_graph`.
            fields: those of `PayloadFields`.

        Returns:
            The handle; its text takes at most ``settings.handle_tokens``.

        Raises:
            InvalidInput: an argument is invalid, or too large; or ``redact`` cannot look into it.
            NotPermitted: the agent is not a member of a team or project in ``visibility``, or
                there is none such; or this view is bound to another subject.
            KeyReused: ``idempotency_key`` was used before with another payload.
            StoreBusy: another process held the write lock for too long; nothing was written.
        """
        from agent_memory_os.remember import offload  # like every verb below, seldom the first

        wanted = _Put(payload, summary, name, kind, tool_call_id)
        parcel = self._parcel(wanted, fields)
        receipt = offload.put(self._desk.store, parcel, self._desk.vectors)
        (receipt,) = self._desk.wrote("offload.put", [receipt.id], [receipt])
        return self._handle(receipt, parcel)

    def reload(
        self,
        ref: Handle | str,
        *,
        session: str | None = None,
        offset: int = 0,
        length: int | None = None,
        lines: tuple[int, int] | None = None,
        grep: str | None = None,
    ) -> str | bytes:
        """Return what was put away, byte for byte: text as text, bytes as bytes.

        Of a memory that is no handle it returns the content, so that whatever a task graph or a
        fold has shortened comes back the same way.

        Args:
            ref: the handle, its id or its text; or with *session* a node of its task graph.
            session: the conversation of that task graph.
            offset: characters of a text, or bytes, that are skipped, 0 or more.
            length: how many are returned, 0 or more; None for all that follow.
            lines: the first and the last line that are returned, counted from 1.
            grep: only lines that hold this text, each as ``number:line``.

        Raises:
            NotFound: there is no such memory, or no such step, that the agent may see.
            InvalidInput: an argument is invalid, or beyond the end; or lines are wanted of bytes;
                or the node stands for several steps.
            StoreCorrupt: the bytes in the store are not those that were put.
        """
        from agent_memory_os.pure.handles import parse_ref
        from agent_memory_os.recall import reload, tasks

        desk, visibility = self._desk, self._desk.visibility()
        named = ref.id if isinstance(ref, Handle) else parse_ref(ref)
        conversation = None if session is None else parse_word(session, "session")
        part = reload.Part(
            bounds.whole(offset, "offset"),
            None if length is None else bounds.whole(length, "length"),
            _line_range(lines),
            None if grep is None else bounds.any_text(grep, "grep"),
        )
        if part.by_line and (part.offset or part.length is not None):
            raise InvalidInput("give lines or grep, or offset and length; not both")
        if conversation is not None and tasks.is_node(named):
            most = desk.settings.task_graph_events
            named = tasks.memory_of(desk.store, conversation, named, visibility, most_events=most)
        return reload.reload(desk.store, named, visibility, part)

    def task_graph(self, session: str, *, max_tokens: int | None = None) -> TaskGraph:
        """Return the calls of tools in a session as a Mermaid flowchart, within a budget.

        A step is a call with its result. What does not fit is folded: steps in a row with one tool
        first, then the middle. The nodes name what they stand for, and `reload` returns it.

        Args:
            session: the conversation.
            max_tokens: the most that the text takes by the client's counter, 0 or more; when None
                ``settings.task_graph_share`` of ``settings.pack_tokens``.

        Raises:
            InvalidInput: an argument is invalid, or the counter of the client returned something
                else than a number of tokens.
        """
        from agent_memory_os.recall import tasks

        desk, settings = self._desk, self._desk.settings
        usual = int(settings.task_graph_share * settings.pack_tokens)
        return tasks.task_graph(
            desk.store,
            parse_word(session, "session"),
            desk.visibility(),
            max_tokens=usual if max_tokens is None else bounds.whole(max_tokens, "max_tokens"),
            most_events=settings.task_graph_events,
            count=self._count,
        )

    def fold(
        self,
        messages: Sequence[object],
        *,
        max_tokens: int,
        used_tokens: int | None = None,
        level: FoldLevel = "auto",
        session: str | None = None,
        subject: str | None = None,
        visibility: Sequence[str] = (),
    ) -> Folded:
        """Return *messages* with handles in place of what is heavy, and what that saves.

        "mild" moves out results of tools that are long and older than the last few turns;
        "aggressive" those of all turns but the last, and long texts of the assistant. What a user
        has said is never touched, nor what the assistant has not answered yet. Folded again, the
        same text gets the same handle, and the same words.

        Args:
            messages: the host's own list, as interfaces of models have it: mappings with "role"
                and "content", with blocks or without, or objects with these; a pair of a role and
                a content comes back as a mapping. It is not changed.
            max_tokens: the size of the context, 1 or more.
            used_tokens: how much of it is used; when None, what the messages take by the client's
                counter.
            level: "auto" folds nothing up to half of the context, mildly from there, aggressively
                from 85% on (``settings.offload_mild_ratio``, ``offload_aggressive_ratio``).
            session: the conversation that the handles belong to.
            subject: whom or what they are about.
            visibility: the scopes that may see them; empty is private.

        Raises:
            InvalidInput: an argument is invalid.
            NotPermitted: as `put` does.
            StoreBusy: another process held the write lock for too long; nothing was written.
        """
        from agent_memory_os.remember import offload

        desk, settings = self._desk, self._desk.settings
        wanted = bounds.one_of(level, "level", relief.LEVELS)
        chat = relief.parse_chat(messages)
        most = bounds.whole(max_tokens, "max_tokens", least=1)
        before = relief.tokens_of(chat, self._count)
        used = before if used_tokens is None else bounds.whole(used_tokens, "used_tokens")
        chosen = relief.chosen(wanted, used, most, settings)
        fields = self._checked_fields(session, subject, visibility)
        heavy = relief.heavy(chat, relief.limits(chosen, settings), self._count)
        parcels = [self._parcel(_of_message(each), fields) for each in heavy]
        receipts = offload.put_once(desk.store, parcels, desk.visibility(), desk.vectors)
        new = [receipt for receipt in receipts if receipt.why != offload.KNOWN]
        desk.wrote("offload.fold", [receipt.id for receipt in new], new)
        handles = [self._handle(*each) for each in zip(receipts, parcels, strict=True)]
        texts = {each.path: handle.text for each, handle in zip(heavy, handles, strict=True)}
        folded = relief.replaced(chat, texts)
        return Folded(folded, chosen, tuple(handles), before, relief.tokens_of(folded, self._count))

    def _checked_fields(
        self, session: object, subject: object, visibility: object
    ) -> dict[str, object]:
        """Return the fields of handles, checked though there may be none."""
        about = None if subject is None else access.parse_kinded(subject, "subject")
        self._desk.hold(about)
        return {
            "session": None if session is None else parse_word(session, "session"),
            "subject": about,
            "visibility": access.parse_visibility(visibility),
        }

    def snapshot_diff(
        self, before: Handle | str, after: Handle | str, *, max_tokens: int | None = None
    ) -> str:
        """Return how one payload differs from another, line by line, as a unified diff.

        Args:
            before: the handle of a text, its id or its text; or any memory.
            after: the same.
            max_tokens: the most that it takes by the client's counter, 0 or more;
                ``settings.pack_tokens`` when None. What does not fit is counted in the last line.

        Returns:
            The difference; empty when there is none, or not even one line fits.

        Raises:
            NotFound: there is no such memory that the agent may see.
            InvalidInput: an argument is invalid, or one of both is no text.
        """
        from agent_memory_os.pure.differing import difference
        from agent_memory_os.pure.handles import parse_ref

        usual = self._desk.settings.pack_tokens
        most = usual if max_tokens is None else bounds.whole(max_tokens, "max_tokens")
        refs = [
            ref.id if isinstance(ref, Handle) else parse_ref(ref, what)
            for what, ref in {"before": before, "after": after}.items()
        ]
        old, new = map(self.reload, refs)
        if isinstance(old, bytes) or isinstance(new, bytes):
            raise InvalidInput("snapshot_diff compares texts, and bytes were put")
        return difference(old, new, fits=lambda text: self._count(text) <= most)

    def _parcel(self, wanted: _Put, fields: Mapping[str, object]) -> packing.Parcel:
        from agent_memory_os.pure import handles

        desk, settings = self._desk, self._desk.settings
        most = settings.max_payload_bytes
        payload, why = handles.parse_payload(wanted.payload, most_bytes=most), ""
        if desk.redact is not None:
            from agent_memory_os import hooks

            payload, why = hooks.redacted_payload(desk.redact, payload)
        packed = packing.pack(payload)
        name = "" if wanted.name is None else parse_word(wanted.name, "name")
        said = None if wanted.summary is None else _summary(wanted.summary, settings)
        content = handles.content_of(payload, name=name, said=said, fits=self._fits)
        note = handles.note_of(packed, payload)
        draft = desk.draft(content, _fields_of(wanted, name, fields, note))
        return packing.Parcel(draft, packed, why)

    def _fits(self, text: str) -> bool:
        return self._count(text) <= self._desk.settings.handle_tokens

    def _handle(self, receipt: Receipt, parcel: packing.Parcel) -> Handle:
        from agent_memory_os.pure.handles import text_of

        text = text_of(receipt.id, receipt.memory.content, fits=self._fits)
        packed = parcel.packed
        return Handle(
            receipt.memory,
            text,
            self._count(text),
            packed.digest,
            packed.size_bytes,
            receipt.why,
        )


def _of_message(heavy: relief.Heavy) -> _Put:
    kind = RESULT if heavy.is_result else MESSAGE
    return _Put(heavy.text, None, heavy.tool, kind, heavy.call_id)


def _fields_of(
    wanted: _Put, name: str, given: Mapping[str, object], note: dict[str, JSON]
) -> dict[str, object]:
    """Return the fields of a handle, checked as far as those of a memory are not."""
    for each in given:
        if each not in PayloadFields.__annotations__:
            raise unknown_field(each, PayloadFields.__annotations__)
    metadata = {} if given.get("metadata") is None else given["metadata"]
    if not isinstance(metadata, Mapping):
        raise InvalidInput(f"metadata must be a mapping, not {metadata!r}")
    told: dict[str, object] = dict(metadata)
    if name:
        told["tool"] = name
    if wanted.call_id is not None:
        told["tool_call_id"] = parse_word(wanted.call_id, "tool_call_id")
    kind = parse_word(wanted.kind, "kind")
    fields = {**given, "type": kind, "layer": 0, "metadata": {**told, **note}}
    if given.get("actor") is None:
        fields["actor"] = _actor(wanted, name)
    return fields


def _summary(value: object, settings: Settings) -> str:
    try:
        return parse_content(value, settings)
    except InvalidInput as error:
        raise InvalidInput(f"summary: {error}") from None


def _actor(wanted: _Put, name: str) -> str | None:
    """Return the tool as an actor, if its name can be that of one."""
    if wanted.kind != RESULT or not name:
        return None
    try:
        return access.parse_kinded(f"tool:{name}", "actor")
    except InvalidInput:  # names of tools may have what ids may not
        return None


def _line_range(lines: object) -> tuple[int, int] | None:
    if lines is None:
        return None
    if not isinstance(lines, tuple | list) or len(lines) != 2:
        raise InvalidInput(f"lines must be a pair, such as (1, 20), not {lines!r}")
    first, last = (bounds.whole(each, "an item of lines", least=1) for each in lines)
    if last < first:
        raise InvalidInput(
            f"lines must be the first and the last, such as ({last}, {first}), not {lines!r}"
        )
    return first, last
