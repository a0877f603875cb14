"""Layers: sessions, events in their order, and evidence, as an agent sees them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Literal

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import Draft, Evidence, Filters, Memory, Receipt, Session, Visibility
from agent_memory_os.noun import Noun
from agent_memory_os.providers.protocol import VectorMaker
from agent_memory_os.pure import bounds, when
from agent_memory_os.pure.draft import parse_word
from agent_memory_os.pure.turns import Distillation, Distiller
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Store

Direction = Literal["down", "up"]
PAGE = 50
MOST_DEPTH = 16
PATIENCE_S = 60.0  # that a distiller has for an attempt
_LEAST_S, _MOST_S = 0.001, 86_400.0
_DIRECTIONS = ("down", "up")


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
    """

    store: Store
    settings: Settings
    vectors: VectorMaker | None
    visibility: Callable[[], Visibility]
    narrow: Callable[[Mapping[str, object]], Filters]
    wrote: Callable[[str, Sequence[str], list[Receipt]], list[Receipt]]
    draft: Callable[[object, Mapping[str, object]], Draft]


class Layers:
    """What was said and done, in its order, and what rests on it: ``view.layers``.

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
        from agent_memory_os.remember import distil

        if distiller is not None and not callable(distiller):
            raise InvalidInput(f"distiller must be a function, not {distiller!r}")
        seat = self._seat
        wanted = distil.Wanted(
            None if session is None else parse_word(session, "session"),
            seat.narrow({"subject": subject}).subject,
            distiller,
            bounds.weight(timeout_s, "timeout_s", least=_LEAST_S, most=_MOST_S),
            None if most is None else bounds.whole(most, "most"),
            bounds.flag(dry_run, "dry_run"),
        )
        made = distil.distil(seat.store, wanted, seat.visibility(), seat.draft, seat.vectors)
        if dry_run:
            return made
        return replace(made, receipts=tuple(seat.wrote("distil", made.ids, [*made.receipts])))

    def timeline(
        self,
        session: str | None = None,
        *,
        subject: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        around: str | datetime | None = None,
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
            limit: most events, 0 or more; cut to ``settings.max_limit``.

        Raises:
            NotFound: there is no memory *around* that the agent may see.
            InvalidInput: an argument is invalid.
            NotPermitted: this view is bound to another subject.
        """
        from agent_memory_os.recall import events

        return events.timeline(
            self._seat.store,
            self._seat.visibility(),
            self._seat.narrow({"subject": subject, "since": since, "until": until}),
            session=None if session is None else parse_word(session, "session"),
            around=_around(around),
            limit=self._most(limit),
        )

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

        if direction not in _DIRECTIONS:
            raise InvalidInput(f"direction must be one of {_DIRECTIONS}, not {direction!r}")
        return evidence.evidence(
            self._seat.store,
            bounds.text(memory_id, "memory_id"),
            self._seat.visibility(),
            up=direction == "up",
            depth=bounds.whole(depth, "depth", least=1, most=MOST_DEPTH),
            limit=self._seat.settings.max_limit if limit is None else self._most(limit),
        )

    def _most(self, limit: object) -> int:
        return bounds.whole(limit, "limit", most=self._seat.settings.max_limit)


def _around(value: object) -> str | int | None:
    if isinstance(value, datetime):
        return when.to_ms(value, "around")
    return None if value is None else bounds.text(value, "around")
