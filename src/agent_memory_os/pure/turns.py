"""What a distiller reads, what it decides, and what became of that."""

from collections.abc import Callable
from typing import Literal

from agent_memory_os.model import Receipt
from agent_memory_os.noun import Noun

MOST_CHARS = 200  # of an atom
Action = Literal["add", "update", "no change", "conflict_with"]
Distiller = Callable[..., object]  # (turns, memories that are there) -> decisions, or an awaitable
ACTIONS: tuple[Action, ...] = ("add", "update", "no change", "conflict_with")


class Turn(Noun):
    """One message of a conversation.

    Attributes:
        id: what evidence names it by.
        content: the words as they were said.
        role: "user", "assistant", "system" or "tool".
        actor: who said it, `kind:name`, or None.
        occurred_ms: when, in UTC milliseconds; None where nobody knows.
    """

    id: str
    content: str
    role: str = "user"
    actor: str | None = None
    occurred_ms: int | None = None


class Decision(Noun):
    """What is to become of something that turns say.

    Attributes:
        action: "add" it, "update" the memory that it takes the place of, "no change" where it is
            known, "conflict_with" a memory that says otherwise.
        content: the statement, which stands alone; at most 200 characters.
        type: "preference", "instruction", "identity", "decision", "environment" or "fact"; of a
            model, any word.
        evidence: ids of the turns that it comes from, at least one.
        subject: whom it is about, `kind:name`, or None.
        entity: what has the attribute, or None.
        attribute: of what it is the value, such as "residence", or None.
        target: id of the memory that the action is about; None for "add".
        why: a few words on what made the distiller decide so.
    """

    action: Action
    content: str
    type: str
    evidence: tuple[str, ...]
    subject: str | None = None
    entity: str | None = None
    attribute: str | None = None
    target: str | None = None
    why: str = ""


class Distillation(Noun):
    """What `layers.distil` made of events; of a dry run, what it would make.

    Attributes:
        by: who decided: the built-in rules, or a distiller of the host.
        events: how many events were dealt with.
        decisions: what was decided, in the order of the events.
        receipts: of what was written, or strengthened, by them.
        skipped: ids of events of which nothing was made, since the distiller failed, or since they
            were changed meanwhile; they are tried again by the next call.
        notes: what went wrong, or was left out, in sentences.
        dry_run: whether nothing was written.
    """

    by: str
    events: int
    decisions: tuple[Decision, ...]
    receipts: tuple[Receipt, ...]
    skipped: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    dry_run: bool = False

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the atoms, each once, in order."""
        return tuple(dict.fromkeys(receipt.id for receipt in self.receipts))


class Wanted(Noun):
    """What is to be distilled, and how.

    Attributes:
        session: only events of this conversation; None for all.
        subject: only events about it; None for all.
        distiller: decides; None for the built-in rules.
        timeout_s: seconds that the distiller has for each attempt.
        most: pairs of an atom and an event that it comes from, of some events at a time; None for
            what the distiller says.
        dry_run: whether nothing is written.
        apart: whether no session is one that events have not, and so of the subject; else None is
            any.
        most_events: events that are dealt with; None for all.
    """

    session: str | None
    subject: str | None
    distiller: Distiller | None
    timeout_s: float
    most: int | None
    dry_run: bool
    apart: bool = False
    most_events: int | None = None
