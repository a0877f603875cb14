"""When events are to be distilled: after so many turns, after a while without any, at an end."""

from collections.abc import Iterable, Mapping, Sequence

from agent_memory_os.noun import Noun


class Pending(Noun):
    """What of one conversation, about one subject, is not distilled yet.

    Attributes:
        session: the conversation; None for events of no session.
        subject: whom or what the events are about, or None.
        events: how many wait.
        turns: how many turns they are of; an event that no turn was captured with is one itself.
        last_ms: when the last of them was captured, in UTC milliseconds.
        has_ended: whether the end is the last that was said of the conversation.
    """

    session: str | None
    subject: str | None
    events: int
    turns: int
    last_ms: int
    has_ended: bool

    @property
    def place(self) -> tuple[str | None, str | None]:
        """Session and subject, by which it is known."""
        return self.session, self.subject


class Rule(Noun):
    """When a conversation is due; whichever comes first.

    Attributes:
        every_turns: so many turns wait.
        idle_ms: the last of them was captured so many milliseconds ago.
        on_session_end: it has ended.
    """

    every_turns: int
    idle_ms: int
    on_session_end: bool


class Failure(Noun):
    """That a conversation could not be distilled, and what is done about it.

    Attributes:
        times: how often on end.
        until_ms: when it is tried again, in UTC milliseconds.
        why: what went wrong, in a sentence.
    """

    times: int
    until_ms: int
    why: str


OWED = "\norganise\n"  # how the keys begin of what is to be organised, as nobody types one
FIRST_PAUSE_MS = 60_000  # after a failure
LONGEST_PAUSE_MS = 3_600_000
Failures = Mapping[tuple[str | None, str | None], Failure]


def is_due(waiting: Pending, rule: Rule, now_ms: int) -> bool:
    """Return whether *waiting* is to be distilled by now."""
    if waiting.has_ended and rule.on_session_end:
        return True
    return waiting.turns >= rule.every_turns or now_ms - waiting.last_ms >= rule.idle_ms


def due(waiting: Iterable[Pending], rule: Rule, failures: Failures, now_ms: int) -> list[Pending]:
    """Return what is due and does not pause after a failure, in the order of *waiting*."""
    return [
        each
        for each in waiting
        if is_due(each, rule, now_ms)
        and (each.place not in failures or failures[each.place].until_ms <= now_ms)
    ]


def failed(before: Failure | None, why: str, now_ms: int) -> Failure:
    """Return the failure that follows on *before*: pauses double, from a minute up to an hour."""
    times = 1 if before is None else before.times + 1
    pause_ms = min(FIRST_PAUSE_MS << min(times - 1, 30), LONGEST_PAUSE_MS)
    return Failure(times, now_ms + pause_ms, why)


def wait_ms(waiting: Sequence[Pending], rule: Rule, failures: Failures, now_ms: int) -> int | None:
    """Return in how many milliseconds something is due, though nothing more happens; None: never.

    0 when something is due already.
    """
    moments = [
        failures[each.place].until_ms
        if each.place in failures
        else now_ms
        if is_due(each, rule, now_ms)
        else each.last_ms + rule.idle_ms
        for each in waiting
    ]
    return max(min(moments) - now_ms, 0) if moments else None
