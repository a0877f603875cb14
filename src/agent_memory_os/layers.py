"""Layers: what was said, what was made of it, and what is known by name, as an agent sees it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal, TypedDict, Unpack

from agent_memory_os.entities import Entity, EntityEntry, Ground, entities
from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import (
    JSON,
    Draft,
    Evidence,
    Filters,
    Hits,
    Memory,
    Receipt,
    Session,
    Visibility,
)
from agent_memory_os.noun import Noun
from agent_memory_os.pipeline import EVERY_TURNS, IDLE_S, Crew, Pipeline, rule_of
from agent_memory_os.providers.protocol import VectorMaker
from agent_memory_os.pure import bounds, when
from agent_memory_os.pure.draft import parse_word
from agent_memory_os.pure.due import Pending
from agent_memory_os.pure.organised import Document, Organised, Writer
from agent_memory_os.pure.turns import Distillation, Distiller, Wanted
from agent_memory_os.pure.ways import Grouped, Way, narrowing, parse_ways
from agent_memory_os.recall.pipeline import Request
from agent_memory_os.remember.bell import Bell
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Store

Direction = Literal["down", "up"]
PAGE, FEW = 50, 10
USUAL_WAYS: tuple[Way, ...] = ("semantic", "entity")
MOST_DEPTH = 16
PATIENCE_S = 60.0  # that a distiller has for an attempt
_LEAST_S, _MOST_S = 0.001, 86_400.0
_DIRECTIONS = ("down", "up")


class WayFields(TypedDict, total=False):
    """What else narrows ``semantic`` and ``grouped``; the names mean what they mean in `search`."""

    owner: str | None
    types: Sequence[str] | None
    since: datetime | None
    until: datetime | None


class Seat(Noun):
    """Where an agent stands: what a view has, and nothing of how it has it.

    Attributes:
        store: where it reads and writes.
        settings: the limits.
        vectors: what makes vectors, where the client has some.
        visibility: returns who asks, now.
        narrow: returns filters of the names of `FilterFields`, held to the view's subject.
        wrote: tells the host's hook of a write: the verb, ids, and receipts.
        draft: returns the draft of a content and the fields of `MemoryFields`.
        bell: rings when something was captured.
        ground: what entities stand on.
        search: as `AgentMemory.search`.
        request: returns a search, validated, of what `search` takes.
        recalled: tells the host's hook of a search: the query and the hits.
    """

    store: Store
    settings: Settings
    vectors: VectorMaker | None
    visibility: Callable[[], Visibility]
    narrow: Callable[[Mapping[str, object]], Filters]
    wrote: Callable[[str, Sequence[str], list[Receipt]], list[Receipt]]
    draft: Callable[[object, Mapping[str, object]], Draft]
    bell: Bell
    ground: Ground
    search: Callable[..., Hits]
    request: Callable[..., Request]
    recalled: Callable[[str | None, Hits], Hits]


class Layers:
    """What was said and done, what was made of it, and ways to ask for it: ``view.layers``.

    Events: `sessions`, `end_session`, `timeline`. Made of them: `distil`, `organise` and
    `pipeline`, read by `scenes`, `persona` and `evidence`. Ways to ask: `semantic`, `entity`,
    `entities` and `grouped`.

    >>> from agent_memory_os import MemoryClient
    >>> bot = MemoryClient(":memory:").as_agent("bot")
    >>> _ = bot.capture([("user", "I only drink decaf"), ("assistant", "Noted.")], session="s1")
    >>> [event.content for event in bot.layers.timeline("s1")]
    ['I only drink decaf', 'Noted.']
    """

    def __init__(self, seat: Seat) -> None:
        self._seat = seat

    def sessions(self, *, subject: str | None = None, limit: int = PAGE) -> list[Session]:
        """Return the sessions that the agent sees an event of, the last written to first.

        Args:
            subject: only those with events about it, and these events alone.
            limit: most sessions, 0 or more; cut to ``settings.max_limit``.

        Raises:
            InvalidInput: an argument is invalid.
            NotPermitted: this view is bound to another subject.
        """
        from agent_memory_os.recall import events  # like every verb below, seldom the first

        return events.sessions(
            self._seat.store,
            self._seat.visibility(),
            subject=self._seat.narrow({"subject": subject}).subject,
            limit=self._most(limit),
        )

    def end_session(self, session: str) -> Session:
        """Say that a session has ended, and return it; said again it does nothing.

        That is an event of its own, of the agent, and with the subject and the visibility of the
        last event that the agent has captured in it. What is captured later reopens the session.

        Raises:
            NotFound: the agent has captured nothing in it.
            InvalidInput: *session* is malformed.
            StoreBusy: another process held the write lock for too long; nothing was written.
        """
        from agent_memory_os.remember import capture

        seat = self._seat
        name = parse_word(session, "session")
        ended, event = capture.end_session(seat.store, name, seat.visibility(), seat.vectors)
        seat.bell.ring()
        seat.wrote("end_session", [] if event is None else [event], [])
        return ended

    def distil(
        self,
        session: str | None = None,
        *,
        subject: str | None = None,
        distiller: Distiller | None = None,
        dry_run: bool = False,
        timeout_s: float = PATIENCE_S,
        most: int | None = None,
    ) -> Distillation:
        """Make atoms (layer 1) of the agent's own events that are not distilled yet.

        An atom has the session, the subject and the visibility of its events, the actor and the
        moment of the first of them, and is ``derived_from`` all of them. It is settled with what is
        there as by `add`. What was distilled is not distilled again; a call that is broken off, or
        killed, has done some sessions whole, and the next one does the others.

        Args:
            session: only events of this conversation; of all when None.
            subject: only events about it; about anything when None.
            distiller: returns decisions of a list of turns and a list of the memories that are
                there (`distil_prompt` takes both): a list of these, of mappings, or a model's
                answer as `parse_decisions` reads it. It may be a coroutine function. None for the
                built-in rules, which know English and Chinese, and need no model.
            dry_run: write nothing, and return what would be decided.
            timeout_s: seconds that the distiller has for some events of a session, 0.001 to 86,400.
                When it takes longer, raises, or decides what is invalid, it is asked once more;
                then they are skipped, as the report says, and are there for the next call.
            most: pairs of an atom and an event that it comes from, of a hundred events of a session
                at most; None for half as many as there are events, or what the distiller says.

        Raises:
            InvalidInput: an argument is invalid.
            NotPermitted: this view is bound to another subject.
            StoreBusy: another process held the write lock for too long; what was not written yet is
                there for the next call.
        """
        wanted = Wanted(
            None if session is None else parse_word(session, "session"),
            self._seat.narrow({"subject": subject}).subject,
            _callable(distiller, "distiller"),
            _patience(timeout_s),
            None if most is None else bounds.whole(most, "most"),
            bounds.flag(dry_run, "dry_run"),
        )
        return self._distilled(wanted)

    def _distilled(self, wanted: Wanted) -> Distillation:
        from agent_memory_os.remember import distil

        seat = self._seat
        made = distil.distil(seat.store, wanted, seat.visibility(), seat.draft, seat.vectors)
        if made.dry_run:
            return made
        return replace(made, receipts=tuple(seat.wrote("distil", made.ids, [*made.receipts])))

    def pipeline(
        self,
        *,
        every_turns: int = EVERY_TURNS,
        idle_s: float = IDLE_S,
        on_session_end: bool = True,
        distiller: Distiller | None = None,
        writer: Writer | None = None,
        timeout_s: float = PATIENCE_S,
        organise: bool = True,
        worker: bool = False,
    ) -> Pipeline:
        """Return a `Pipeline`, which distils the agent's own events when it is time to.

        A conversation is due when so many turns of it wait, when it was idle for so long, by the
        client's clock, and when it has ended. Capturing does nothing more for it than to write.
        Call its ``run_pending()`` where your program has time, or let a thread do that.

        Args:
            every_turns: turns that wait, 1 or more; 5 by default.
            idle_s: seconds since the last of them was captured, 0 or more; 600 by default.
            on_session_end: whether what has ended is due at once; it is by default.
            distiller: decides, as for `distil`; None for the built-in rules.
            writer: writes scenes, as for `organise`; None for the built-in rules.
            timeout_s: seconds that each of them has for an attempt, as for `distil`.
            organise: whether scenes and personas are renewed from what was made.
            worker: whether a thread runs it from now on, until `Pipeline.stop`.

        Raises:
            InvalidInput: an argument is invalid.
        """
        rule = rule_of(every_turns, idle_s, on_session_end)
        by, writes = _callable(distiller, "distiller"), _callable(writer, "writer")
        patience_s = _patience(timeout_s)

        def of(waiting: Pending, most: int) -> Distillation:
            wanted = Wanted(
                *waiting.place, by, patience_s, None, False, apart=True, most_events=most
            )
            return self._distilled(wanted)

        def renew(subject: str | None) -> Organised:
            return self.organise(subject=subject, writer=writes, timeout_s=patience_s)

        seat, renews = self._seat, renew if bounds.flag(organise, "organise") else None
        crew = Crew(seat.store, seat.visibility, seat.bell, of, renews, writes is not None)
        made = Pipeline(crew, rule)
        return made.start() if bounds.flag(worker, "worker") else made

    def organise(
        self,
        *,
        subject: str | None = None,
        writer: Writer | None = None,
        dry_run: bool = False,
        timeout_s: float = PATIENCE_S,
    ) -> Organised:
        """Make and renew scenes (layer 2) and a persona (layer 3) of the agent's own atoms.

        Each has the subject and the visibility of its atoms, is ``derived_from`` each of them, and
        loses what it says of one with that, at once. Whoever owns it may edit it by `update`: lines
        that were changed or added stay, and those that were taken out do not come back. Done again
        this does nothing.

        Args:
            subject: only what is about it; about anything when None.
            writer: returns the Markdown of a scene, of its title and a list of its atoms; a line
                may cite them by their place, ``[^1]`` for the first, and one that cites none comes
                from all. None when the built-in rules shall write it. It may be a coroutine
                function. Without it the rules write all, and need no model.
            dry_run: write nothing, and return what would be written of the first 2,000 atoms that
                are in no scene.
            timeout_s: seconds that the writer has for each scene, 0.001 to 86,400. When it takes
                longer, raises, or returns what is no text, it is asked once more; then the atoms
                are skipped, as the report says, and find their place with the next call.

        Raises:
            InvalidInput: an argument is invalid.
            NotPermitted: this view is bound to another subject.
            StoreBusy: another process held the write lock for too long; what was not written yet is
                there for the next call.
        """
        from agent_memory_os.remember import organise

        seat = self._seat
        task = organise.Task(
            seat.narrow({"subject": subject}).subject,
            _callable(writer, "writer"),
            _patience(timeout_s),
            bounds.flag(dry_run, "dry_run"),
        )
        made = organise.organise(seat.store, task, seat.visibility(), seat.settings)
        if made.ids and not dry_run:
            seat.wrote("organise", made.ids, [])
        return made

    def scenes(self, *, subject: str | None = None, limit: int = PAGE) -> list[Document]:
        """Return the scenes that the agent sees, the last made first, as they are told to it.

        A scene is Markdown on some atoms that belong together: each line cites what it comes from,
        and the index at the end resolves that. Lines on what the agent does not see, or on what was
        replaced for it, are left out.

        Args:
            subject: only scenes about it; about anything when None.
            limit: most scenes, 0 or more; cut to ``settings.max_limit``.

        Raises:
            InvalidInput: an argument is invalid.
            NotPermitted: this view is bound to another subject.
        """
        from agent_memory_os.recall import organised

        return organised.scenes(
            self._seat.store,
            self._seat.visibility(),
            subject=self._seat.narrow({"subject": subject}).subject,
            limit=self._most(limit),
        )

    def persona(self, *, subject: str | None = None) -> Document | None:
        """Return what is known to last of a subject: who it is, prefers, wants and decided.

        It leads to the scenes, by title and id. Where several were made, for several audiences or
        by several agents, the agent's own comes first, and of these that which the fewest see.

        Args:
            subject: whom it is about; None for the persona of what is about nobody in particular,
                and in a bound view for that of its subject.

        Raises:
            InvalidInput: *subject* is malformed.
            NotPermitted: this view is bound to another subject.
        """
        from agent_memory_os.recall import organised

        return organised.persona(
            self._seat.store,
            self._seat.visibility(),
            subject=self._seat.narrow({"subject": subject}).subject,
        )

    def timeline(
        self,
        session: str | None = None,
        *,
        subject: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        around: str | datetime | None = None,
        event_type: str | None = None,
        limit: int = PAGE,
    ) -> list[Memory]:
        """Return events (layer 0) in their order: the last *limit* of them, the earliest first.

        The order within a session is that in which they were captured; over several sessions it
        is that of ``occurred_at``.

        Args:
            session: only the events of this conversation.
            subject: only events about it.
            since: only events that happened then or later.
            until: only events that happened before.
            around: as many before and after a memory (by its id, and in its session) or after a
                moment, as there are.
            event_type: only events of this type, such as "tool_call" or a word of your own.
            limit: most events, 0 or more; cut to ``settings.max_limit``.

        Raises:
            NotFound: there is no memory *around* that the agent may see.
            InvalidInput: an argument is invalid.
            NotPermitted: this view is bound to another subject.
        """
        from agent_memory_os.recall import events

        types = None if event_type is None else [parse_word(event_type, "event_type")]
        return events.timeline(
            self._seat.store,
            self._seat.visibility(),
            self._seat.narrow({"subject": subject, "since": since, "until": until, "types": types}),
            session=None if session is None else parse_word(session, "session"),
            around=_around(around),
            limit=self._most(limit),
        )

    def entity(self, name: str, *, subject: str | None = None) -> Entity:
        """Return what is known of one thing by the names of its attributes, to read and to set.

        It need not be there: what is not there has no attributes yet.

        Args:
            name: such as "db1"; with its kind, "server:db1", it is the subject of that name.
            subject: whose it is: an entity of that name that this is about, and no other.

        Raises:
            InvalidInput: a name is malformed.
            NotPermitted: this view is bound to another subject.
        """
        return Entity(self._seat.ground, name, subject)

    def entities(
        self, *, subject: str | None = None, kind: str | None = None, limit: int = PAGE
    ) -> list[EntityEntry]:
        """Return the entities that the agent sees a value of, the last written to first.

        It reads all values that the agent sees.

        Args:
            subject: only those whose values are about it.
            kind: only those of this kind, such as "server": what stands before the colon.
            limit: most entities, 0 or more; cut to ``settings.max_limit``.

        Raises:
            InvalidInput: an argument is invalid.
            NotPermitted: this view is bound to another subject.
        """
        return entities(self._seat.ground, subject=subject, kind=kind, limit=self._most(limit))

    def semantic(
        self,
        query: str | None,
        *,
        anchors: Sequence[str] = (),
        metadata: Mapping[str, JSON] | None = None,
        subject: str | None = None,
        limit: int = FEW,
        **filters: Unpack[WayFields],
    ) -> Hits:
        """Return the statements that answer *query*, best first; see `AgentMemory.search`.

        They are what was told in words: layer 1, without values of attributes. Anchors are tags,
        which take part in the search; `add` takes them as ``tags=``, and `update` changes them.

        Args:
            query: any text; None lists what matters most.
            anchors: only what has all of these tags, exactly.
            metadata: only what has these values under these keys, exactly.
            subject: only what is about it.
            limit: most hits, 0 or more; cut to ``settings.max_limit``.
            filters: those of `WayFields`.

        Raises:
            InvalidInput: an argument is invalid.
            NotPermitted: this view is bound to another subject.
        """
        named = {"subject": subject, **filters}
        narrowed = narrowing("semantic", anchors=anchors, metadata=metadata, filters=named)
        return self._seat.search(query, limit=limit, **narrowed)

    def grouped(
        self,
        query: str | None,
        *,
        ways: Sequence[Way] = USUAL_WAYS,
        anchors: Sequence[str] = (),
        metadata: Mapping[str, JSON] | None = None,
        subject: str | None = None,
        limit: int = FEW,
        **filters: Unpack[WayFields],
    ) -> Grouped:
        """Return what answers *query* of each way of remembering, best first: one search of each.

        They are read in one snapshot, and no memory stands in two of them.

        Args:
            query: any text; None lists what matters most.
            ways: any of "timeline" (events), "semantic" (statements) and "entity" (values of
                attributes); the last two by default.
            anchors: as for `semantic`.
            metadata: as for `semantic`.
            subject: only what is about it.
            limit: most hits of each way, 0 or more; cut to ``settings.max_limit``.
            filters: those of `WayFields`.

        Raises:
            InvalidInput: an argument is invalid, or there is no such way.
            NotPermitted: this view is bound to another subject.
        """
        from agent_memory_os.recall import grouped

        asked, named = parse_ways(ways), {"subject": subject, **filters}
        requests: dict[str, Request] = {
            way: self._seat.request(
                query,
                limit,
                0,
                0.0,
                narrowing(way, anchors=anchors, metadata=metadata, filters=named),
            )
            for way in asked
        }
        found = grouped.grouped(self._seat.store, requests, self._seat.settings)
        told = {way: self._seat.recalled(query, hits) for way, hits in found.items()}
        return Grouped(**told, asked=asked)

    def evidence(
        self,
        memory_id: str,
        *,
        direction: Direction = "down",
        depth: int = MOST_DEPTH,
        limit: int | None = None,
    ) -> list[Evidence]:
        """Return what a memory rests on, down to the words as they were said.

        Each is followed by what it rests on in turn, so that the list reads as a tree: a persona's
        scenes, their atoms, their events in the order in which they happened. What several rest on
        stands once. Only what its own owner says to be ``derived_from`` another rests on it, and
        only what the agent may see is there or leads on; what was superseded or archived still
        bears witness.

        Args:
            memory_id: where to begin.
            direction: "down" to what it was derived from; "up" to what was derived from it.
            depth: how many steps, 1 or more; cut to 16.
            limit: most memories, the nearest, 0 or more; cut to ``settings.max_limit``, which is
                the default.

        Raises:
            NotFound: there is no such memory that the agent may see.
            InvalidInput: an argument is invalid.
        """
        from agent_memory_os.recall import evidence

        way = bounds.one_of(direction, "direction", _DIRECTIONS)
        return evidence.evidence(
            self._seat.store,
            bounds.text(memory_id, "memory_id"),
            self._seat.visibility(),
            up=way == "up",
            depth=bounds.whole(depth, "depth", least=1, most=MOST_DEPTH),
            limit=self._seat.settings.max_limit if limit is None else self._most(limit),
        )

    def _most(self, limit: object) -> int:
        return bounds.whole(limit, "limit", most=self._seat.settings.max_limit)


def _callable(value: Callable[..., object] | None, what: str) -> Callable[..., object] | None:
    if value is not None and not callable(value):
        raise InvalidInput(f"{what} must be a function, not {value!r}")
    return value


def _patience(value: object) -> float:
    return bounds.weight(value, "timeout_s", least=_LEAST_S, most=_MOST_S)


def _around(value: object) -> str | int | None:
    if isinstance(value, datetime):
        return when.to_ms(value, "around")
    return None if value is None else bounds.text(value, "around")
