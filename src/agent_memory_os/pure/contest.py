"""What one text does to another: the same, an update, a conflict, or nothing."""

from dataclasses import dataclass

from agent_memory_os.pure.claims import claims
from agent_memory_os.pure.claims.pieces import Claim
from agent_memory_os.pure.compare import Finding, compare
from agent_memory_os.pure.plainest import plainest
from agent_memory_os.pure.probe import probe


@dataclass(frozen=True, slots=True)
class Terms:
    """What is known of two texts besides their words.

    Attributes:
        has_subject: whether both are kept as said of one subject, so that "she" is known.
        one_speaker: whether one and the same says both, so that "I" is one person.
    """

    has_subject: bool
    one_speaker: bool


def say_the_same(one: str, other: str) -> bool:
    """Return whether two texts are one statement, differently typed."""
    return plainest(one) == plainest(other)


def contest(new: str, old: str, terms: Terms) -> Finding | None:
    """Return what *new* does to *old*, or None where both can stand.

    What stands there and says more than what is updated is contradicted: its place is not taken,
    since the rest of it would be lost.
    """
    olds = claims(old)
    found = [
        finding
        for mine in claims(new)
        for theirs in olds
        if _speak_of_one(mine, theirs, terms)
        and (finding := _settled(mine, theirs, terms)) is not None
    ]
    updates = [finding for finding in found if finding.kind == "update"]
    if updates and len(olds) > 1:
        return Finding("conflict", f"{updates[0].why}; what was there says more than that")
    return next(iter(updates or found), None)


def _speak_of_one(mine: Claim, theirs: Claim, terms: Terms) -> bool:
    """Return whether "I" is the same person in both, and so is "she", as far as is known."""
    whom = {mine.points_to, theirs.points_to}
    if "other" in whom:
        return terms.has_subject or (len(whom) == 1 and terms.one_speaker)
    return "self" not in whom or terms.one_speaker


def _settled(mine: Claim, theirs: Claim, terms: Terms) -> Finding | None:
    """Return what *mine* does to *theirs*; no update where nobody says whose attribute it is."""
    finding = compare(mine, theirs)
    if finding is None or terms.has_subject:
        return finding
    is_unsure = mine.points_to == "other" or (mine.is_bare and theirs.is_bare)
    return finding._replace(kind="conflict") if is_unsure else finding


__all__ = ["Terms", "contest", "probe", "say_the_same"]
