"""An opinion: what a judge of the host said of a draft, and of which rivals."""

from collections.abc import Callable, Sequence
from typing import Any

from agent_memory_os.model import Memory, Verdict
from agent_memory_os.noun import Noun

Ids = tuple[str, ...]


class Judging(Noun):
    """A judge of the host (`pure.truth.Judge`), and the moment at which it is asked."""

    judge: Callable[[Any, Sequence[Any]], object]
    now_ms: int


class Opinion(Noun):
    """What a judge said, and of what; with no class of the rules, which few programs load.

    shown: the rivals that it was shown, each with its version.
    said: the fields of a `pure.truth.Judgement`; None when it was not asked, or was of no use.
    problem: why it was of no use, to complete "the judge ..."; empty when it was not asked.
    """

    shown: tuple[tuple[str, str], ...]
    said: tuple[Verdict, str, Ids, Ids, Ids, Ids] | None = None
    problem: str = ""

    def stands(self, rivals: Sequence[Memory]) -> bool:
        """Return whether these are the rivals that were shown."""
        return self.shown == shown(rivals)


def shown(rivals: Sequence[Memory]) -> tuple[tuple[str, str], ...]:
    """Return what tells whether *rivals* are still what they were."""
    return tuple((rival.id, rival.version) for rival in rivals)
