"""The agent-bound view: memory as one agent has it, and can hand on."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Unpack

from agent_memory_os.errors import InvalidInput, NotFound, NotPermitted
from agent_memory_os.model import (
    JSON,
    NO_FILTERS,
    Captured,
    Change,
    ChangeFields,
    Clock,
    Draft,
    ErasureReceipt,
    Explanation,
    FilterFields,
    Filters,
    Hits,
    Hooks,
    Link,
    Memory,
    MemoryFields,
    Neighbor,
    Pack,
    PackFormat,
    Progress,
    RecallEvent,
    RecallProfile,
    Receipt,
    Strategy,
    TokenCounter,
    ToolFormat,
    Visibility,
    WriteEvent,
)
from agent_memory_os.noun import Noun
from agent_memory_os.providers.deadline import Deadline, Stopwatch
from agent_memory_os.providers.protocol import Provider, VectorMaker
from agent_memory_os.pure import access, bounds
from agent_memory_os.pure.draft import parse_changes, parse_draft, parse_word
from agent_memory_os.pure.prefer import Prefer, parse_prefer
from agent_memory_os.recall import pipeline, views
from agent_memory_os.recall.choice import Panel
from agent_memory_os.recall.pipeline import Request
from agent_memory_os.remember import add, change
from agent_memory_os.remember.bell import Bell
from agent_memory_os.remember.opinion import Judging
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Store

if TYPE_CHECKING:  # what an add or a search does without is loaded when it is first asked for
    from agent_memory_os.entities import Ground
    from agent_memory_os.layers import Layers
    from agent_memory_os.offload import Offload

DEFAULT_LIMIT, DEFAULT_PAGE = 10, 50
DEFAULT_RELATION = "related_to"
_LEAST_WEIGHT = 0.000_001  # of a link, which is kept to six places


class Parts(Noun):
    """What every view of one client shares; notes say what could not be done when it opened."""

    store: Store
    settings: Settings
    clock: Clock
    count_tokens: TokenCounter
    notes: tuple[str, ...] = ()
    panel: Panel = field(default_factory=Panel)
    stopwatch: Stopwatch = time.monotonic
    vectors: VectorMaker | None = None
    hooks: Hooks | None = None
    judge: Callable[[Any, Sequence[Any]], object] | None = None
    bell: Bell = field(default_factory=Bell)


class AgentMemory:
    """Memory as one agent sees it, optionally held to one subject.

    Hand this object to code that acts for the agent: it can ask as nobody else, and it has no
    organisation, maintenance or admin verbs. Bound to a subject, it reads that subject's memories
    (and those without a subject, if *shared*), writes that subject, and can name no other.

    >>> from agent_memory_os import MemoryClient
    >>> client = MemoryClient(":memory:")
    >>> alice = client.as_agent("bot", subject="user:alice")
    >>> _ = alice.add("Alice is allergic to nuts")
    >>> bob = client.as_agent("bot", subject="user:bob")
    >>> len(alice.search("allergic")), len(bob.search("allergic"))
    (1, 0)
    """

    def __init__(
        self,
        parts: Parts,
        agent: str,
        *,
        subject: str | None = None,
        shared: bool = False,
        from_host: bool = False,
    ) -> None:
        self._parts = parts
        self._agent = agent
        self._subject = subject
        self._shared = shared
        self._from_host = from_host  # whether the client itself asks through this view

    @property
    def agent_id(self) -> str:
        """The agent that this view acts as."""
        return self._agent

    @property
    def subject(self) -> str | None:
        """The subject that this view is bound to, or None."""
        return self._subject

    def __repr__(self) -> str:
        bound = "" if self._subject is None else f", subject={self._subject!r}"
        return f"{type(self).__name__}({self._agent!r}{bound})"

    def add(
        self, content: str, *, dry_run: bool = False, **fields: Unpack[MemoryFields]
    ) -> Receipt:
        """Remember *content*, and return a receipt whose ``id`` names it.

        It is searchable by the next call of any process. The same statement of the same owner,
        subject and type is merged into the memory that is there (``on_duplicate="store"`` stores
        it again). What the agent has rejected is not stored, unless ``override=True``: the verdict
        is "rejected".

        Args:
            content: the text.
            dry_run: write nothing, and say what would become of it.
            fields: those of `MemoryFields`.

        Raises:
            InvalidInput: the content or a field is invalid; nothing was written.
            NotPermitted: the agent is not a member of a team or project in ``visibility``, or
                there is none such; or this view is bound to another subject.
            KeyReused: ``idempotency_key`` was used before with other content.
            StoreBusy: another process held the write lock for too long; nothing was written.
        """
        is_dry, draft = bounds.flag(dry_run, "dry_run"), self._draft(content, fields)
        store, vectors = self._parts.store, self._parts.vectors
        receipt = add.add(store, draft, vectors, self._judging(), dry_run=is_dry)
        is_written = not is_dry and receipt.verdict != "rejected"
        return self._wrote("add", [receipt.id] if is_written else [], [receipt])[0]

    def _judging(self) -> Judging | None:
        if self._parts.judge is None:
            return None
        return Judging(self._parts.judge, self._parts.clock.now_ms())

    def add_many(
        self, items: Iterable[Mapping[str, object]], *, progress: Progress | None = None
    ) -> list[Receipt]:
        """Remember many at once: one transaction, one receipt each, in order; all or none.

        Args:
            items: mappings with "content" and the names that `add` takes.
            progress: is told how many were written, and of how many, about a hundred times, and at
                the end once all of them are safe. The writing then goes on in a thread of its own.

        Raises:
            InvalidInput: an item is invalid; the message has its number.
            NotPermitted, KeyReused, StoreBusy: as `add` does.
        """
        return self._add_many(drafts_of(items, self._draft), progress)

    def _add_many(self, drafts: Sequence[Draft], progress: Progress | None) -> list[Receipt]:
        store, vectors, judging = self._parts.store, self._parts.vectors, self._judging()
        if progress is None:
            receipts = add.add_many(store, drafts, vectors, judging=judging)
        else:
            from agent_memory_os.progress import followed

            receipts = followed(
                lambda tell: add.add_many(store, drafts, vectors, tell, judging), progress
            )
        written = [receipt.id for receipt in receipts if receipt.verdict != "rejected"]
        return self._wrote("add_many", written, receipts)

    def capture(
        self,
        messages: Iterable[Mapping[str, object] | tuple[str, str]],
        *,
        session: str,
        turn: int | str | None = None,
        subject: str | None = None,
        visibility: Sequence[str] = (),
    ) -> Captured:
        """Remember what happened in a turn, word for word, and return a receipt for each event.

        They are events (layer 0): evidence, which is never merged, and is found by the next call
        of any process. A call of a tool and its result are events of their own, of the types
        "tool_call" and "tool_result", with one ``metadata["tool_call_id"]``; the others have the
        type "event". ``metadata`` also has "role", "turn" and "tool".

        An event is known by owner, subject, session, turn and its place in the turn: captured
        again it is what is there. What memory itself has put into a message (a pack, the answer of
        a tool of `tools`) is not stored again, and ``why`` says so.

        Args:
            messages: the turn's new messages in order: mappings with "role" (user, assistant,
                system, tool or event) and "content", as the interfaces of models have them, with
                blocks or without; else "name" or "actor", "tool_calls", "tool_call_id",
                "occurred_at" (aware) and "metadata". Or pairs of a role and a text.
            session: the conversation.
            turn: which turn of it, a number from 0 or a word; None for the one after the last
                number, so that the call cannot be repeated.
            subject: whom or what it is about, ``kind:name``; a user is who speaks as "user".
            visibility: the scopes that may see it; empty is private.

        Returns:
            The receipts in order; ``turn`` says which turn it is, ``notes`` what was not kept, such
            as an image.

        Raises:
            InvalidInput: a message is malformed; the error has its number, from 0.
            KeyReused: the turn was captured before with another message in one of these places.
            NotPermitted: the agent is not a member of a team or project in *visibility*, or there
                is none such; or this view is bound to another subject.
            StoreBusy: another process held the write lock for too long; nothing was written.
        """
        from agent_memory_os.pure.messages import parse_messages, parse_turn
        from agent_memory_os.remember import capture

        name, number = parse_word(session, "session"), parse_turn(turn)
        about = self._subject if subject is None else access.parse_kinded(subject, "subject")
        self._hold_to_subject(about)
        told = parse_messages(messages, agent=self._agent, subject=about)
        fields = {"session": name, "subject": about, "visibility": visibility, "layer": 0}
        events = [
            (each.position, self._event(each.position, each.content, {**each.fields, **fields}))
            for each in told.events
        ]
        wanted = capture.Turn(name, number, events, [each.why for each in told.events])
        captured, receipts = capture.capture(self._parts.store, wanted, self._parts.vectors)
        self._parts.bell.ring()
        receipts = self._wrote("capture", [receipt.id for receipt in receipts], receipts)
        return Captured(receipts, name, captured, told.notes)

    def _event(self, position: str, content: str, fields: Mapping[str, object]) -> Draft:
        try:
            return self._draft(content, fields)
        except InvalidInput as error:
            raise InvalidInput(f"message {position}: {error}") from error

    @property
    def layers(self) -> "Layers":
        """Sessions, events in their order, and evidence, as the agent sees them."""
        from agent_memory_os.layers import Layers, Seat

        parts = self._parts
        return Layers(
            Seat(
                parts.store,
                parts.settings,
                parts.vectors,
                self._visibility,
                self._filters,
                self._wrote,
                self._draft,
                parts.bell,
                ground=self._ground(),
                search=self.search,
                request=self._request,
                recalled=self._recalled_hits,
            )
        )

    def _ground(self) -> "Ground":
        from agent_memory_os.entities import Ground

        return Ground(
            self._parts.store,
            self._parts.settings,
            self._subject,
            self._shared,
            self._visibility,
            self._filters,
            self.add,
            self.update,
            self.delete,
        )

    @property
    def offload(self) -> "Offload":
        """What is too heavy for a prompt, put away and had back by its handle."""
        from agent_memory_os.offload import Desk, Offload

        parts = self._parts
        return Offload(
            Desk(
                parts.store,
                parts.settings,
                parts.count_tokens,
                parts.vectors,
                None if parts.hooks is None else parts.hooks.redact,
                self._visibility,
                self._draft,
                self._hold_to_subject,
                self._wrote,
            )
        )

    def _wrote(self, verb: str, ids: Sequence[str], receipts: list[Receipt]) -> list[Receipt]:
        """Tell the host's hook of a write, and return the receipts; they say if it failed."""
        if self._parts.hooks is None or not ids:
            return receipts
        from agent_memory_os import hooks

        event = WriteEvent(verb, self._agent, self._subject, tuple(ids), tuple(receipts))
        return hooks.wrote(self._parts.hooks, event)

    def _recalled_hits(self, query: str | None, hits: Hits) -> Hits:
        """Tell the host's hook of a search, and return the hits; their report says if it failed."""
        if self._parts.hooks is None:
            return hits
        from agent_memory_os import hooks

        event = RecallEvent("search", self._agent, self._subject, query, hits.ids, hits.report)
        return hooks.recalled_hits(self._parts.hooks, event, hits)

    def _recalled_pack(self, verb: str, query: str | None, pack: Pack) -> Pack:
        """Tell the host's hook of a pack, and return it; its report says if the hook failed."""
        if self._parts.hooks is None:
            return pack
        from agent_memory_os import hooks

        told = pack.report.search
        event = RecallEvent(verb, self._agent, self._subject, query, pack.ids, told)
        return hooks.recalled_pack(self._parts.hooks, event, pack)

    def _draft(self, content: object, fields: Mapping[str, object]) -> Draft:
        draft = parse_draft(content, self._agent, fields, self._parts.settings)
        if self._parts.hooks is not None and self._parts.hooks.redact is not None:
            from agent_memory_os import hooks

            draft = hooks.redacted(self._parts.hooks.redact, draft, self._parts.settings)
        if self._subject is None:
            return draft
        self._hold_to_subject(draft.subject)
        key = draft.idempotency_key  # what other subjects' keys are must not show
        return replace(
            draft,
            subject=self._subject,
            bound="shared" if self._shared else "alone",
            idempotency_key=None if key is None else f"{self._subject}\n{key}",
        )

    def _hold_to_subject(self, named: str | None) -> None:
        if self._subject is not None and named not in (None, self._subject):
            raise NotPermitted(f"this view is bound to {self._subject!r} and can name no other")

    def get(
        self, memory_id: str, *, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Memory | None:
        """Return the memory, or None when there is none that the agent may see.

        Args:
            memory_id: the memory.
            as_of: only if it held at this moment; aware; now when None.
            known_at: only if it had been written by this moment, and as it stood then; aware; now
                when None. What it said before the agent could see it stays hidden.
        """
        named = bounds.text(memory_id, "memory_id")
        found = self.get_many([named], as_of=as_of, known_at=known_at)
        return found[0] if found else None

    def get_many(
        self,
        memory_ids: Iterable[str],
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> list[Memory]:
        """Return those of *memory_ids* that the agent may see, in the order they were named.

        *as_of* and *known_at* are those of `get`.
        """
        ids = bounds.texts(memory_ids, "memory_ids")
        past = NO_FILTERS
        if as_of is not None or known_at is not None:
            past = self._filters({"as_of": as_of, "known_at": known_at})
        return views.get_many(self._parts.store, ids, self._visibility(past))

    def browse(
        self, *, limit: int = DEFAULT_PAGE, offset: int = 0, **filters: Unpack[FilterFields]
    ) -> list[Memory]:
        """Return memories, the last written first.

        Args:
            limit: most memories, 0 or more; cut to ``settings.max_limit``.
            offset: memories to skip, 0 or more.
            filters: those of `FilterFields`.

        Raises:
            InvalidInput: an argument is invalid.
        """
        settings = self._parts.settings
        narrowing = self._filters(filters)
        return views.browse(
            self._parts.store,
            self._visibility(narrowing),
            narrowing,
            limit=bounds.whole(limit, "limit", most=settings.max_limit),
            offset=bounds.whole(offset, "offset"),
        )

    def search(
        self,
        query: str | None,
        *,
        limit: int = DEFAULT_LIMIT,
        offset: int = 0,
        min_score: float = 0.0,
        auto_reinforce: bool = False,
        strategy: Strategy = "hybrid",
        providers: Iterable[str | Provider] | None = None,
        deadline_ms: int | None = None,
        prefer: Prefer | None = None,
        **filters: Unpack[FilterFields],
    ) -> Hits:
        """Return the memories that answer *query*, best first, ties by id.

        Args:
            query: any text; it is never read as a query language. None lists what matters most;
                text without words finds nothing.
            limit: most hits, 0 or more; cut to ``settings.max_limit``.
            offset: hits to skip, 0 or more.
            min_score: hits below it are left out, 0 to 1.
            auto_reinforce: True counts the hits as recalled, as `record_recall` does.
            strategy: "hybrid" asks all arms; "keyword", "vector" and "resonance" one alone.
            providers: whom to ask, in place of the client's own choice: names of arms ("lexical",
                "vector", "resonance", "recent") and of the client's providers. When none is an
                arm, those of *strategy* are asked too. A `MemoryClient` also takes objects.
            deadline_ms: milliseconds after which no further arm is asked, 1 or more, and a
                provider of the host is no longer waited for; what was left out is in the report.
                None: no end.
            prefer: "facts", "preferences", "task" or "history": what is rather wanted, which moves
                scores by a little, and leaves nothing out; nothing in particular when None.
            filters: those of `FilterFields`.

        Returns:
            Hits, each with a score from 0 to 1, and a ``report`` that says why when there are
            none. Unless asked to, searching never counts as use.

        Raises:
            InvalidInput: an argument is invalid.
            NotPermitted: this view was handed on, and *providers* holds an object.
            StoreCorrupt: the word index is gone or damaged.
        """
        reinforced = bounds.flag(auto_reinforce, "auto_reinforce")
        request = self._request(
            query, limit, offset, min_score, filters, strategy, providers, deadline_ms, prefer
        )
        hits = pipeline.search(self._parts.store, request, self._parts.settings)
        if reinforced and hits:
            self._reinforce(hits.ids)
        return self._recalled_hits(query, hits)

    def context_pack(
        self,
        query: str | None,
        *,
        max_tokens: int | None = None,
        format: PackFormat = "markdown",  # noqa: A002  # the word that callers know
        min_score: float = 0.0,
        auto_reinforce: bool = False,
        strategy: Strategy = "hybrid",
        providers: Iterable[str | Provider] | None = None,
        deadline_ms: int | None = None,
        prefer: Prefer | None = None,
        **filters: Unpack[FilterFields],
    ) -> Pack:
        """Return what matters for *query* as text for a prompt, within a budget.

        Pinned memories come first, within their share; then hits by score, long ones cut around
        the match; the same statement once. ``str(pack)`` is the text; content cannot close its
        fence, nor break the syntax of its format.

        Args:
            query: as for `search`.
            max_tokens: the most that the text takes by the client's counter, 0 or more;
                ``settings.pack_tokens`` when None.
            format: "markdown", "xml", "json", or "messages": JSON with the stable part in a
                message of its own.
            min_score: hits below it are left out, 0 to 1.
            auto_reinforce: True counts what the pack holds as recalled, as `record_recall` does.
            strategy: as for `search`.
            providers: as for `search`.
            deadline_ms: as for `search`.
            prefer: as for `search`.
            filters: those of `FilterFields`.

        Raises:
            InvalidInput: an argument is invalid, or the counter of the client returned something
                else than a number of tokens.
            NotPermitted: this view was handed on, and *providers* holds an object.
            StoreCorrupt: the word index is gone or damaged.
        """
        # A program that packs nothing does not load it.
        from agent_memory_os.recall import fill, pack

        settings = self._parts.settings
        reinforced = bounds.flag(auto_reinforce, "auto_reinforce")
        request = self._request(
            query,
            settings.pack_items,
            0,
            min_score,
            filters,
            strategy,
            providers,
            deadline_ms,
            prefer,
        )
        packing = fill.parse_packing(max_tokens, format, self._parts.count_tokens, settings)
        packed = pack.context_pack(self._parts.store, request, settings, packing)
        if reinforced and packed.items:
            self._reinforce(packed.ids)
        return self._recalled_pack("context_pack", query, packed)

    def profile_context(self, *, subject: str | None = None, max_tokens: int | None = None) -> str:
        """Return what holds of a subject whatever is asked, for the head of a prompt.

        Short lines: the persona with the titles and ids of its scenes, then what is pinned, and
        preferences and instructions that it does not tell. The same byte for byte while these are
        the same; in the fence of a pack, which content cannot close, and which `capture` leaves
        out. Empty when nothing is known.

        Args:
            subject: whom it is about; None for what is about nobody in particular, and in a bound
                view for its subject.
            max_tokens: the most that it takes by the client's counter, 0 or more;
                ``settings.profile_tokens`` when None.

        Raises:
            InvalidInput: an argument is invalid, or the counter of the client returned something
                else than a number of tokens.
            NotPermitted: this view is bound to another subject.
        """
        from agent_memory_os.recall import fill, profile

        settings = self._parts.settings
        most = settings.profile_tokens if max_tokens is None else max_tokens
        packing = fill.parse_packing(most, "markdown", self._parts.count_tokens, settings)
        request = self._request(None, settings.pack_items, 0, 0.0, {"subject": subject})
        packed = profile.profile_context(self._parts.store, request, settings, packing)
        return self._recalled_pack("profile_context", None, packed).text

    def orchestrate_context(
        self,
        query: str | None,
        *,
        session: str | None = None,
        already: Iterable[str] = (),
        max_tokens: int | None = None,
        format: PackFormat = "markdown",  # noqa: A002  # the word that callers know
        min_score: float = 0.0,
        auto_reinforce: bool = False,
        strategy: Strategy = "hybrid",
        providers: Iterable[str | Provider] | None = None,
        deadline_ms: int | None = None,
        prefer: Prefer | None = None,
        **filters: Unpack[FilterFields],
    ) -> Pack:
        """Return a pack that splits one budget into sections, for a turn of an agent's loop.

        They are: ``bedrock``, what is pinned, and preferences, personas and instructions, which no
        query changes; ``session``, the last turns of the session; ``warnings`` and lessons that
        answer the query; ``procedures``, with skills and environments, that do; and ``task``,
        whatever else answers it. Each has a share of the budget (``settings.bedrock_share`` ...),
        what it leaves is for those after it, and a memory stands in one of them.

        Args:
            query: as for `search`.
            session: the conversation whose last turns are told, in their order; None for none.
            already: ids of memories that the prompt holds, such as the ``ids`` of earlier packs:
                they, and what says the same, are left out. Nothing is kept between two calls.
            max_tokens: as for `context_pack`.
            format: as for `context_pack`.
            min_score: hits below it are left out, 0 to 1.
            auto_reinforce: True counts what the pack holds as recalled, as `record_recall` does.
            strategy: as for `search`.
            providers: as for `search`.
            deadline_ms: as for `search`.
            prefer: as for `search`.
            filters: those of `FilterFields`; they narrow every section.

        Raises:
            InvalidInput: an argument is invalid, or the counter of the client returned something
                else than a number of tokens.
            NotPermitted: this view was handed on, and *providers* holds an object.
            StoreCorrupt: the word index is gone or damaged.
        """
        from agent_memory_os.recall import fill, orchestrate

        settings = self._parts.settings
        reinforced = bounds.flag(auto_reinforce, "auto_reinforce")
        request = self._request(
            query,
            settings.pack_items,
            0,
            min_score,
            filters,
            strategy,
            providers,
            deadline_ms,
            prefer,
        )
        packed = orchestrate.orchestrate_context(
            self._parts.store,
            request,
            settings,
            fill.parse_packing(max_tokens, format, self._parts.count_tokens, settings),
            session=None if session is None else parse_word(session, "session"),
            already=bounds.texts(already, "already"),
        )
        if reinforced and packed.items:
            self._reinforce(packed.ids)
        return self._recalled_pack("orchestrate_context", query, packed)

    def explain(
        self,
        query: str | None,
        memory_id: str,
        *,
        limit: int = DEFAULT_LIMIT,
        min_score: float = 0.0,
        providers: Iterable[str | Provider] | None = None,
        prefer: Prefer | None = None,
        **filters: Unpack[FilterFields],
    ) -> Explanation:
        """Return where a memory stands in the search for *query*, or where it fell out.

        The arguments are those of `search`.

        Raises:
            NotFound: there is no such memory that the agent may see.
            InvalidInput: an argument is invalid.
            NotPermitted: this view was handed on, and *providers* holds an object.
        """
        from agent_memory_os.recall import explain  # for looking into things, seldom needed

        request = self._request(
            query, limit, 0, min_score, filters, providers=providers, prefer=prefer
        )
        memory_id = bounds.text(memory_id, "memory_id")
        return explain.explain(self._parts.store, request, memory_id, self._parts.settings)

    def history(self, memory_id: str) -> list[Change]:
        """Return what was replaced in a memory, oldest first.

        Its owner sees all of it, after a ``delete`` as well. Others see what was replaced since
        the rights last changed. Empty when there is nothing, or nothing that the agent may see.
        """
        memory_id = bounds.text(memory_id, "memory_id")
        return views.history(self._parts.store, memory_id, self._visibility())

    def update(
        self,
        memory_id: str,
        *,
        if_version: str | None = None,
        dry_run: bool = False,
        **changes: Unpack[ChangeFields],
    ) -> Receipt:
        """Change fields of a memory that the agent owns; what it replaces stays in the history.

        Args:
            memory_id: the memory.
            if_version: the ``version`` that the caller read; another one is a conflict.
            dry_run: write nothing, and say what would become of it.
            changes: those of `ChangeFields`; omitted fields stay, None clears.

        Raises:
            NotFound: there is no such memory that the agent may see.
            NotPermitted: somebody else owns it.
            VersionConflict: it has changed since; nothing was written.
            InvalidInput: a change is invalid, or there is none.
        """
        is_dry = bounds.flag(dry_run, "dry_run")
        wanted, masked = self._changes(changes)
        receipt = change.update(
            self._parts.store,
            bounds.text(memory_id, "memory_id"),
            wanted,
            self._visibility(),
            if_version=None if if_version is None else bounds.text(if_version, "if_version"),
            vectors=self._parts.vectors,
            judging=self._judging(),
            dry_run=is_dry,
        )
        if masked:
            receipt = replace(receipt, why=f"{receipt.why}; {masked}")
        is_written = not is_dry and receipt.verdict != "rejected"
        return self._wrote("update", [receipt.id] if is_written else [], [receipt])[0]

    def undo(self, memory_id: str) -> Receipt:
        """Take back the last thing that was done to a memory that the agent owns.

        That is an update, a merge, or a doubt, whose old values come back; that it took the place
        of others, or another one took its place; an archive; a delete or a `reject`, after which
        it is in recall again. ``why`` says what it was. Each call goes one step further back;
        shares stay as they are.

        Args:
            memory_id: the memory, in whatever state; of two that took each other's place, either.

        Raises:
            NotFound: there is no such memory that the agent may see, or it has expired or was
                forgotten.
            NotPermitted: somebody else owns it, or this view is bound to a subject that it is not
                about.
            InvalidInput: there is nothing to undo; or it cannot be, since its key names another
                memory by now, or what it was derived from is gone.
        """
        from agent_memory_os.remember import undo  # seldom needed
        from agent_memory_os.tend import consolidate

        visibility = self._visibility()
        everything = replace(visibility, subject=None, admin=True, states=undo.EVERY_STATE)
        everything = replace(everything, timeless=True)
        receipt = undo.undo(
            self._parts.store,
            bounds.text(memory_id, "memory_id"),
            visibility,
            self._parts.vectors,
            more={
                consolidate.CONSOLIDATE: lambda tx, id_: consolidate.undo(tx, id_, everything),
            },
        )
        return self._wrote("undo", [receipt.id], [receipt])[0]

    def reject(self, memory_id: str) -> Receipt:
        """Mark what a memory of the agent's says as wrong, so that it does not come back.

        It leaves recall, with whatever else of the agent's says the same of the same subject; what
        it had superseded is active again, and what was derived from it alone goes with it. Adding
        it again answers "rejected" and writes nothing, unless ``override=True``; so does a backup
        that is restored. `undo` takes it back; evidence (layer 0) is not rejected.

        Raises:
            NotFound: there is no such memory that the agent may see, or it was deleted.
            NotPermitted: somebody else owns it, or this view is bound to a subject that it is not
                about.
            InvalidInput: it is an event.
        """
        from agent_memory_os.remember import reject  # seldom needed

        memory_id = bounds.text(memory_id, "memory_id")
        receipt = reject.reject(self._parts.store, memory_id, self._visibility())
        return self._wrote("reject", [memory_id], [receipt])[0]

    def _changes(self, fields: Mapping[str, object]) -> tuple[dict[str, object], str]:
        """Return the changes of an update, and what was masked in them, in words."""
        changes = parse_changes(fields, self._parts.settings)
        if self._parts.hooks is None or self._parts.hooks.redact is None:
            return changes, ""
        from agent_memory_os import hooks

        return hooks.redacted_changes(self._parts.hooks.redact, changes, self._parts.settings)

    def delete(self, memory_id: str) -> None:
        """Take a memory that the agent owns out of every read; its history stays.

        Raises:
            NotFound: there is no such memory that the agent may see.
            NotPermitted: somebody else owns it.
        """
        memory_id = bounds.text(memory_id, "memory_id")
        change.delete(self._parts.store, memory_id, self._visibility())
        self._wrote("delete", [memory_id], [])

    def forget(
        self,
        memory_id: str,
        *,
        evidence: bool = True,
        purge: bool = True,
        verify: bool = False,
        remember: bool = False,
    ) -> ErasureReceipt:
        """Erase a memory that the agent owns, in whatever state: nothing of its content is kept.

        With it goes what was derived from it alone (linked ``derived_from`` by its owner), whoever
        owns that. What was derived from something else too stays, and the receipt names it.

        Args:
            memory_id: the memory.
            evidence: also erase the agent's events (layer 0) that served it alone.
            purge: also remove the bytes from the file and its log now, for at most
                ``settings.purge_wait_ms``; what is left is ``pending`` in the receipt.
            verify: look for traces in every way to read, in the word index and in the raw bytes of
                the files; reads all of them.
            remember: keep a digest, by a key in the file, that takes older evidence of the same
                statement out of a backup that is restored. Who tells it again is believed.

        Raises:
            NotFound: there is no such memory that the agent may see; or it was forgotten before.
            NotPermitted: somebody else owns it, or this view is bound to a subject that it is not
                about.
            StoreBusy: another process held the write lock for too long; nothing was erased.
        """
        from agent_memory_os.remember import forget  # seldom needed

        receipt = forget.forget(
            self._parts.store,
            bounds.text(memory_id, "memory_id"),
            self._visibility(),
            forget.parse_wish(
                self._parts.settings,
                evidence=evidence,
                purge=purge,
                verify=verify,
                remember=remember,
            ),
            self._shows,
        )
        self._wrote("forget", receipt.ids, [])
        return receipt

    def _shows(self, gone: Memory) -> dict[str, bool]:
        """Return for each way to read whether it still shows a memory; nobody is told of it."""
        quiet = AgentMemory(
            replace(self._parts, hooks=None), self._agent, subject=self._subject, from_host=True
        )
        near: list[Neighbor] = []
        with suppress(NotFound):
            near = quiet.neighbors(gone.id)
        most, arms = self._parts.settings.max_limit, ("lexical", "vector", "resonance")
        newest = quiet.browse(limit=most, subject=gone.subject)
        return {
            "get": quiet.get(gone.id) is not None,
            "history": quiet.history(gone.id) != [],
            "neighbors": near != [],
            "browse": any(memory.id == gone.id for memory in newest),
            "search": gone.id in quiet.search(gone.content, limit=most, providers=arms).ids,
            "context_pack": gone.id in quiet.context_pack(gone.content, providers=arms).ids,
        }

    def share(self, memory_id: str, scopes: Sequence[str]) -> Memory:
        """Let *scopes* see a memory that the agent owns, and return it.

        Raises:
            NotFound: there is no such memory that the agent may see.
            NotPermitted: somebody else owns it, or the agent is not a member of a scope.
            InvalidInput: a scope is malformed.
        """
        memory_id = bounds.text(memory_id, "memory_id")
        wanted = access.parse_visibility(scopes, "scopes")
        memory = change.share(self._parts.store, memory_id, wanted, self._visibility())
        self._wrote("share", [memory_id], [])
        return memory

    def revoke(self, memory_id: str, scopes: Sequence[str]) -> Memory:
        """Take *scopes* away from a memory that the agent owns, and return it.

        Raises:
            NotFound: there is no such memory that the agent may see.
            NotPermitted: somebody else owns it.
            InvalidInput: a scope is malformed, or was not among those that see it.
        """
        memory_id = bounds.text(memory_id, "memory_id")
        wanted = access.parse_visibility(scopes, "scopes")
        memory = change.revoke(self._parts.store, memory_id, wanted, self._visibility())
        self._wrote("revoke", [memory_id], [])
        return memory

    def link(
        self,
        source_id: str,
        target_id: str,
        *,
        relation: str = DEFAULT_RELATION,
        weight: float = 1.0,
    ) -> Link:
        """Say that one memory goes with another, and return the link, which the agent then owns.

        Recall follows it from either end, for whoever may see both; nobody else learns of it.
        Linking the same again gives the agent's link another weight.

        Args:
            source_id: the memory that the link leads from.
            target_id: the memory that it leads to.
            relation: one word; it reads "source relation target". Well known are related_to,
                caused_by, supersedes, derived_from, co_recalled, contradicts, next, corroborates.
            weight: how strongly, more than 0 to 1; kept to six places.

        Raises:
            NotFound: one of them is absent, or the agent may not see it.
            NotPermitted: this view is bound to a subject that neither of them is about.
            InvalidInput: an argument is invalid, or both are the same memory.
        """
        from agent_memory_os.remember import link  # like every verb below, seldom the first

        ends = self._ends(source_id, target_id)
        if ends[0] == ends[1]:
            raise InvalidInput(f"target_id must be another memory than source_id, {target_id!r}")
        linked = link.link(
            self._parts.store,
            *ends,
            self._visibility(),
            relation=parse_word(relation, "relation"),
            weight=bounds.weight(weight, "weight", least=_LEAST_WEIGHT, most=1),
        )
        self._wrote("link", ends, [])
        return linked

    def unlink(self, source_id: str, target_id: str, *, relation: str | None = None) -> int:
        """Take back links that the agent made from one memory to another.

        Args:
            source_id: the memory that they lead from.
            target_id: the memory that they lead to.
            relation: only those of this relation; of all when None.

        Returns:
            How many there were, 1 or more.

        Raises:
            NotFound: a memory is absent, or the agent may not see it, or there is no such link.
            NotPermitted: only others linked them so; or this view is bound to a subject that
                neither of them is about.
            InvalidInput: an argument is invalid; or it would part a scene or a persona from what it
                was made of.
        """
        from agent_memory_os.remember import link

        ends = self._ends(source_id, target_id)
        count = link.unlink(
            self._parts.store,
            *ends,
            self._visibility(),
            relation=None if relation is None else parse_word(relation, "relation"),
        )
        self._wrote("unlink", ends, [])
        return count

    @staticmethod
    def _ends(source_id: object, target_id: object) -> tuple[str, str]:
        return bounds.text(source_id, "source_id"), bounds.text(target_id, "target_id")

    def neighbors(
        self,
        memory_id: str,
        *,
        depth: int = 1,
        relations: Sequence[str] | None = None,
        limit: int = DEFAULT_PAGE,
    ) -> list[Neighbor]:
        """Return the memories that are linked with one, nearest first, then heaviest, then newest.

        Links are followed along their arrow and against it, and only where the agent may see both
        ends: a memory that it may not see is never walked through.

        Args:
            memory_id: where to begin.
            depth: how many links away, 1 or more; cut to 5.
            relations: only links of these relations; of all when None.
            limit: most neighbours, 0 or more; cut to ``settings.max_limit``.

        Raises:
            NotFound: there is no such memory that the agent may see.
            InvalidInput: an argument is invalid.
        """
        from agent_memory_os.recall import neighbors

        words = [] if relations is None else bounds.texts(relations, "relations")
        return neighbors.neighbors(
            self._parts.store,
            bounds.text(memory_id, "memory_id"),
            self._visibility(),
            depth=bounds.whole(depth, "depth", least=1, most=neighbors.MOST_DEPTH),
            relations=[parse_word(word, "an item of relations") for word in words],
            limit=bounds.whole(limit, "limit", most=self._parts.settings.max_limit),
        )

    def record_recall(
        self, memory_ids: Iterable[str], *, helpful: bool = True, query: str | None = None
    ) -> None:
        """Say of memories that were recalled whether that helped; each counts once.

        It moves their reinforcement, a small part of every later score, for everybody who sees
        them; and it links the first of them with each other ("co_recalled"), more heavily with
        each time, in the name of the agent. Such links fade when they are not used.

        Help never moves confidence. That a memory did not help lowers it, by a step, if the agent
        owns the memory; then its history has what it was.

        Args:
            memory_ids: memories that the agent may see, the most important first.
            helpful: False when they did not help, which takes back what help had given and weakens
                the links among them.
            query: what was asked, for callers who have it at hand; it is not kept.

        Raises:
            NotFound: one of them is absent, or the agent may not see it; nothing was counted.
            InvalidInput: an argument is invalid.
        """
        if query is not None:
            bounds.any_text(query, "query")
        self._feedback(bounds.texts(memory_ids, "memory_ids"), bounds.flag(helpful, "helpful"))

    def save_profile(self, profile: RecallProfile) -> None:
        """Save what the agent leans to when it recalls, in place of what it saved before.

        A profile changes the order of what the agent may see, within bounds, and never what it
        may see. One that names nothing changes nothing.

        Raises:
            NotPermitted: it is the profile of another agent; or this view is bound to a subject,
                and the profile would hold for all of them.
            InvalidInput: a name is malformed, or a weight is not from 0.1 to 3.
        """
        from agent_memory_os.pure.profile import parse_profile

        checked = parse_profile(profile)
        if checked.agent_id != self._agent:
            raise NotPermitted(
                f"agent {self._agent!r} may not save the profile of {checked.agent_id!r}"
            )
        if self._subject is not None:
            raise NotPermitted(
                f"this view is bound to {self._subject!r}, and a profile holds for every subject"
            )
        with self._parts.store.write() as tx:
            tx.save_profile(checked)

    def profile(self) -> RecallProfile:
        """Return what the agent leans to when it recalls; the neutral profile if none was saved."""
        with self._parts.store.read() as snapshot:
            return snapshot.profile(self._agent) or RecallProfile(self._agent)

    def tools(
        self,
        format: ToolFormat = "openai",  # noqa: A002  # the word that callers know
        *,
        share: Sequence[str] = (),
    ) -> list[dict[str, JSON]]:
        """Return the tools that a model may call, as an interface of models takes them.

        They are memory_add, memory_search, memory_get, memory_context_pack, memory_update,
        memory_delete, memory_link and memory_recall_feedback; with *share* also memory_share. None
        of them takes an agent or a subject: the model acts as this view does.

        Args:
            format: "openai", "anthropic" or "mcp".
            share: the scopes into which the model may share; what it remembers is private
                otherwise. Give the same to `call_tool`.

        Raises:
            InvalidInput: an argument is malformed.
        """
        from agent_memory_os import tools

        return tools.tools(format, share, pack_tokens=self._parts.settings.pack_tokens)

    def call_tool(
        self,
        name: str,
        arguments: Mapping[str, object] | str | None,
        *,
        share: Sequence[str] = (),
        format: ToolFormat = "openai",  # noqa: A002  # the word that callers know
        raise_errors: bool = False,
    ) -> dict[str, JSON]:
        """Do what a model asks for, and return what it is told, for a message of *format*.

        What comes from a model is not trusted: a name or an argument that does not exist, a wrong
        type, and what may not be done are told to the model. What it may not see does not exist.

        Args:
            name: the tool.
            arguments: what the model gave, as a mapping or as JSON.
            share: the scopes into which the model may share, as for `tools`; none by default.
            format: as for `tools`.
            raise_errors: True raises what would be told.

        Returns:
            For "openai" ``content``; for "anthropic" also ``is_error``; for "mcp" a list of
            content, and ``isError``. Memories stand in it as JSON, in which no content can close
            what surrounds it, under a notice that they are data; a pack has its own fence.

        Raises:
            InvalidInput: *share* or *format* is malformed.
            StoreError, ClientClosed: what no model can mend is for the host.
        """
        from agent_memory_os import tools

        return tools.call_tool(
            self,
            name,
            arguments,
            format=format,
            share=share,
            pack_tokens=self._parts.settings.pack_tokens,
            feedback=partial(self._feedback, doubts=False),
            raise_errors=bounds.flag(raise_errors, "raise_errors"),
        )

    def _reinforce(self, memory_ids: Sequence[str]) -> None:
        """Count what was just recalled; what has gone since must not cost the caller its answer."""
        self._feedback(memory_ids, helpful=True, is_strict=False)

    def _feedback(
        self,
        memory_ids: Sequence[str],
        helpful: bool,
        *,
        doubts: bool = True,
        is_strict: bool = True,
    ) -> None:
        from agent_memory_os.tend import reinforce

        reinforce.record_recall(
            self._parts.store,
            memory_ids,
            self._visibility(),
            self._parts.settings,
            helpful=helpful,
            doubts=doubts,
            is_strict=is_strict,
        )

    def _visibility(self, filters: Filters = NO_FILTERS) -> Visibility:
        now_ms = self._parts.clock.now_ms()
        return Visibility(
            self._agent,
            now_ms,
            self._subject,
            self._shared,
            as_of_ms=filters.as_of_ms,
            known_ms=filters.known_ms,
        )

    def _filters(self, fields: Mapping[str, object]) -> Filters:
        if not fields:
            return NO_FILTERS
        from agent_memory_os.pure.filters import parse_filters  # its grammar is large

        filters = parse_filters(fields)
        self._hold_to_subject(filters.subject)
        return filters

    def _request(
        self,
        query: object,
        limit: object,
        offset: object,
        min_score: object,
        filters: Mapping[str, object],
        strategy: object = "hybrid",
        providers: object = None,
        deadline_ms: object = None,
        prefer: object = None,
    ) -> Request:
        choice = self._parts.panel.choose(strategy, providers, from_host=self._from_host)
        narrowing = self._filters(filters)
        return Request(
            None if query is None else bounds.any_text(query, "query"),
            self._visibility(narrowing),
            narrowing,
            bounds.whole(limit, "limit", most=self._parts.settings.max_limit),
            bounds.whole(offset, "offset"),
            bounds.share(min_score, "min_score"),
            choice.arms,
            choice.askers,
            filters,
            self._deadline(deadline_ms),
            self._parts.vectors,
            parse_prefer(prefer),
        )

    def _deadline(self, deadline_ms: object) -> Deadline | None:
        if deadline_ms is None:
            return None
        return Deadline(bounds.whole(deadline_ms, "deadline_ms", least=1), self._parts.stopwatch)


def drafts_of(
    items: Iterable[Mapping[str, object]],
    draft: Callable[[object, dict[str, object]], Draft],
) -> list[Draft]:
    """Return the drafts of *items*, each made by ``draft(content, other_fields)``.

    Raises:
        InvalidInput: one is not a mapping that has "content", or is invalid; the message has its
            number, from 0.
    """
    if isinstance(items, Mapping | str) or not isinstance(items, Iterable):
        raise InvalidInput(f"items must be a list of mappings, not {type(items).__name__}")
    drafts = []
    for number, item in enumerate(items):
        if not isinstance(item, Mapping) or "content" not in item:
            given = ", ".join(map(repr, item)) if isinstance(item, Mapping) else type(item).__name__
            raise InvalidInput(f'item {number} must be a mapping with "content", not {given}')
        try:
            fields = dict(**item)  # it refuses other keys, in half the time of a look at each
        except TypeError:
            raise InvalidInput(f"item {number} has a key that is not a string") from None
        try:
            drafts.append(draft(fields.pop("content"), fields))
        except InvalidInput as error:
            raise InvalidInput(f"item {number}: {error}") from error
    return drafts
