"""Filling a pack: what is offered to its sections, while it fits, and the ledger of it."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from agent_memory_os.model import (
    Decision,
    Hit,
    Memory,
    Pack,
    PackFormat,
    PackItem,
    PackReport,
    PackSection,
    SearchReport,
    SectionReport,
    TokenCounter,
)
from agent_memory_os.noun import Noun
from agent_memory_os.pure import bounds, document, portrait
from agent_memory_os.pure.document import Told
from agent_memory_os.pure.excerpt import ELLIPSIS, excerpt
from agent_memory_os.pure.layer import is_document
from agent_memory_os.pure.notes import Note, Section, value_of
from agent_memory_os.pure.plainest import said
from agent_memory_os.pure.renderers import RENDERERS, Renderer
from agent_memory_os.pure.text import Query, analyse_query
from agent_memory_os.pure.tokens import checked, estimate_tokens, least_tokens
from agent_memory_os.recall.beside import NOTHING, Beside
from agent_memory_os.settings import Settings

_ID_CHARS = 12
BESIDE = "stands beside what it contradicts"
LEAST_LINE = 16  # tokens: no line with its provenance takes fewer
_SPEAKER = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours)\b|[我俺咱]", re.IGNORECASE)

NO_QUERY = analyse_query("")


class Packing(Noun):
    """How a pack is made.

    Attributes:
        max_tokens: the most that its text takes, 0 or more.
        count_tokens: by which counter.
        format: how it is written.
    """

    max_tokens: int
    count_tokens: TokenCounter
    format: PackFormat = "markdown"

    @property
    def is_estimated(self) -> bool:
        """Whether the counter is that of the library, and no code of a host."""
        return self.count_tokens is estimate_tokens


def parse_packing(
    max_tokens: object, written: object, count_tokens: TokenCounter, settings: Settings
) -> Packing:
    """Return what a caller asked of a pack, checked; a budget of None is that of *settings*.

    Raises:
        InvalidInput: the budget is no whole number, or there is no format *written*.
    """
    form = bounds.one_of(written, "format", RENDERERS)
    budget = settings.pack_tokens if max_tokens is None else max_tokens
    return Packing(bounds.whole(budget, "max_tokens"), count_tokens, form)


class Offer(Noun):
    """A section, and what is offered to it.

    Attributes:
        section: its name.
        title: its heading.
        reason: why what fits is in it.
        candidates: memories with their scores, in the order in which they are tried.
        share: of the budget, 0 to 1; what earlier sections leave of theirs is added.
        is_stable: whether it belongs to the stable part, which no query changes.
        is_reversed: whether it is shown in the reverse of that order.
        told: by id, the lines of a scene or a persona, of which as many are told as fit.
    """

    section: PackSection
    title: str
    reason: str
    candidates: Sequence[tuple[Memory, float]]
    share: float = 1.0
    is_stable: bool = False
    is_reversed: bool = False
    told: Mapping[str, Sequence[Told]] = field(default_factory=dict, hash=False)


def unscored(memories: Iterable[Memory]) -> list[tuple[Memory, float]]:
    """Return *memories* as candidates that nothing was searched for."""
    return [(memory, 0.0) for memory in memories]


def scored(hits: Iterable[Hit]) -> list[tuple[Memory, float]]:
    """Return *hits* as candidates."""
    return [(hit.memory, hit.score) for hit in hits]


def pack_id(memories: Iterable[Memory], query: Query, beside: Beside = NOTHING) -> str:
    """Name a pack by what it is made from, so that the same recall has the same text."""
    digest = hashlib.blake2b(digest_size=_ID_CHARS // 2)
    made_from = [f"{each.id} {each.version}\n" for each in (*memories, *beside.memories.values())]
    made_from += map(repr, beside.marks.values())
    digest.update("".join(made_from).encode("utf-8", "backslashreplace"))
    digest.update(query.text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def fill(
    name: str,
    offers: Sequence[Offer],
    query: Query,
    packing: Packing,
    settings: Settings,
    *,
    search: SearchReport,
    given: Sequence[Memory] = (),
    beside: Beside = NOTHING,
) -> Pack:
    """Return the pack of *offers*: each section in turn takes what fits its share.

    A memory stands in one section, and a statement once; one that did not fit a section may be
    offered to a later one. What contradicts a memory stands beside it if it fits, the newest
    first. The last section may take whatever is left.

    Args:
        name: the id of the pack.
        offers: the sections, stable ones first; of those without candidates only the share counts.
        query: around whose words long memories are cut; stable ones are cut at their end.
        packing: the budget, the counter and the format.
        settings: the limits.
        search: the report of the search behind it.
        given: memories that the caller has already, which are not repeated.
        beside: the marks of what is offered, and what may stand beside it.

    Raises:
        InvalidInput: the counter raised, or returned something else than a number of tokens.
    """
    filler = _Filler(name, offers, query, packing, settings, beside)
    filler.leave_out_given(given)
    filler.fill()
    return filler.close(search)


class _Words(NamedTuple):
    """What a memory says, plainly; of a document its id, since it says what no other does."""

    text: str
    is_id: bool


def _words(memory: Memory) -> _Words:
    is_id = is_document(memory)
    return _Words(memory.id if is_id else said(memory.content), is_id)


def _of_what(memory: Memory, words: _Words) -> tuple[str | None, ...]:
    """Return of what a memory says its *words*: of two things it says two, whoever owns it.

    Who speaks of himself says another thing than the next one who does, in whatever same words; and
    so do the values of two attributes.
    """
    speaker = memory.actor or memory.owner if _SPEAKER.search(words.text) else None
    return memory.subject, speaker, value_of(memory)


@dataclass(slots=True)
class _Filler:
    """Fills one pack."""

    name: str
    offers: Sequence[Offer]
    query: Query
    packing: Packing
    settings: Settings
    beside: Beside
    renderer: Renderer = field(init=False)
    count: TokenCounter = field(init=False)
    items: list[PackItem] = field(default_factory=list)
    decisions: dict[str, Decision] = field(default_factory=dict)
    allowed: dict[PackSection, int] = field(default_factory=dict)
    given: dict[str, str] = field(default_factory=dict)  # id -> why it is not repeated
    said: dict[_Words, list[tuple[Memory, str]]] = field(default_factory=dict)  # by whom
    frame_tokens: int = 0
    left: int = 0

    def __post_init__(self) -> None:
        self.renderer = RENDERERS[self.packing.format]
        count = self.packing.count_tokens
        self.count = count if self.packing.is_estimated else checked(count)

    def leave_out_given(self, given: Sequence[Memory]) -> None:
        """Hold *given*, and what says the same, to have been said."""
        for memory in given:
            self.given[memory.id] = "it was given already"
            self._say(memory, _words(memory), f"{memory.id}, which was given already")

    def fill(self) -> None:
        """Offer to each section, within what the sections up to it may take together.

        The stable part comes first, and has its share of what its own frame leaves: so it is the
        same whatever else the pack has to say.
        """
        budget = self.packing.max_tokens
        offers = [offer for offer in self.offers if offer.candidates]
        stable = [offer for offer in offers if offer.is_stable]
        self.frame_tokens = self.count(self._frame(offers))
        shared = budget - (self.count(self._frame(stable)) if stable else self.frame_tokens)
        room = budget - self.frame_tokens
        share, used = 0.0, 0
        for offer in self.offers:
            share = min(share + offer.share, 1.0)
            if not offer.candidates:
                continue  # all of its share is for those after it
            most = int(max(shared, 0) * share)
            self.left = (most if offer.is_stable else min(most, room)) - used
            self.allowed[offer.section] = max(self.left, 0)
            for memory, score in offer.candidates:
                self._offer_with_others(memory, score, offer)
            self._fit_one(offer)
            used = sum(item.tokens for item in self.items)

    def _frame(self, offers: Sequence[Offer]) -> str:
        return self._written({offer.section: [] for offer in offers})[0]

    def _offer_with_others(self, memory: Memory, score: float, offer: Offer) -> None:
        """Offer a memory, and with it what contradicts it, so that they stand side by side.

        The turns of a session keep their order, and are marked alone.
        """
        start = len(self.items)
        self._offer(memory, score, offer)
        if len(self.items) == start or offer.is_reversed:
            return
        others = self.beside.others(memory)
        if others:
            scores = {each.id: score for each, score in offer.candidates}
            aside = replace(offer, reason=BESIDE)
            for other in others:
                self._offer(other, scores.get(other.id, 0.0), aside)
            self.items[start:] = sorted(self.items[start:], key=lambda it: it.id, reverse=True)

    def _offer(self, memory: Memory, score: float, offer: Offer) -> None:
        decided = self.decisions.get(memory.id)
        if decided is not None and decided.included:
            return  # in this section, or in an earlier one
        if memory.id in self.given:
            self._leave_out(memory, score, self.given[memory.id], offer.section)
        elif self.left < LEAST_LINE:
            self._leave_out(memory, score, "the budget was used up", offer.section)
        elif len(self.items) >= self.settings.pack_items:
            reason = "the pack has as many items as the settings allow"
            self._leave_out(memory, score, reason, offer.section)
        elif (who := self._who_says(memory, words := _words(memory))) is not None:
            reason = f"says the same as {who}"
            self._leave_out(memory, score, reason, offer.section)
        elif self._fits(memory, score, offer, most=max(self.left // 2, LEAST_LINE)):
            self._say(memory, words, memory.id)

    def _say(self, memory: Memory, words: _Words, who: str) -> None:
        self.said.setdefault(words, []).append((memory, who))

    def _who_says(self, memory: Memory, words: _Words) -> str | None:
        """Return who says the same of the same, the last one who did."""
        sayers = self.said.get(words)
        if not sayers:
            return None  # the usual case, and the cheap one
        of_what = _of_what(memory, words)
        same = (who for other, who in reversed(sayers) if _of_what(other, words) == of_what)
        return next(same, None)

    def _fit_one(self, offer: Offer) -> None:
        """Give the first of a section that nothing fitted all that is left, as an excerpt."""
        if self._items_of(offer):
            return
        for memory, score in offer.candidates:
            decision = self.decisions[memory.id]
            if not decision.included and decision.tokens > self.left:
                if self._fits(memory, score, offer, most=self.left):
                    self._say(memory, _words(memory), memory.id)
                return

    def _fits(self, memory: Memory, score: float, offer: Offer, *, most: int) -> bool:
        """Take a memory in if it fits, a long one as an excerpt of at most *most* tokens."""
        if memory.id in offer.told:
            return self._tells(memory, score, offer)
        marks = self.beside.marks_of(memory)
        line = self.renderer.line(Note(memory, memory.content, marks=marks))
        tokens = self._cost(line)
        longest = self.settings.excerpt_tokens
        is_cut = tokens > longest or (tokens > self.left and not self._items_of(offer))
        if is_cut:  # a long one must not crowd out the others, nor the best one be left out
            query = NO_QUERY if offer.is_stable else self.query
            line = self._excerpt(memory, query, min(longest, most))
            tokens = self._cost(line) if line else tokens
        if tokens > self.left or not line:
            reason = f"its {tokens} tokens did not fit"
            self._leave_out(memory, score, reason, offer.section, tokens)
            return False
        self.left -= tokens
        self.items.append(PackItem(memory, offer.section, score, line, tokens, is_cut, marks))
        reason = f"{offer.reason}, cut to an excerpt" if is_cut else offer.reason
        self._decide(Decision(memory.id, True, reason, score, tokens, offer.section))
        return True

    def _tells(self, memory: Memory, score: float, offer: Offer) -> bool:
        """Take as many of the first lines of a scene or a persona in as fit."""
        lines, most, marks = offer.told[memory.id], self.left, self.beside.marks_of(memory)

        def line_of(text: str) -> str:
            return self.renderer.line(Note(memory, text, marks=marks))

        text, shown = portrait.prompt(
            document.title(memory.content), lines, fits=lambda it: self._cost(line_of(it)) <= most
        )
        if not shown:
            self._leave_out(memory, score, "none of its lines fits", offer.section)
            return False
        line, is_cut = line_of(text), len(shown) < len(lines)
        tokens = self._cost(line)
        self.left -= tokens
        self.items.append(PackItem(memory, offer.section, score, line, tokens, is_cut, marks))
        reason = f"stands, {len(shown)} of {len(lines)} lines" if is_cut else "stands"
        self._decide(Decision(memory.id, True, reason, score, tokens, offer.section))
        return True

    def _excerpt(self, memory: Memory, query: Query, allowed: int) -> str:
        """Return the line of an excerpt that takes at most *allowed* tokens; empty for none."""

        def line_of(text: str) -> str:
            marks = self.beside.marks_of(memory)
            return self.renderer.line(Note(memory, text, excerpt=True, marks=marks))

        def fits(text: str) -> bool:
            if self.packing.is_estimated and least_tokens(text) > allowed:
                return False  # most of what is too long is told at a glance
            return self._cost(line_of(text)) <= allowed

        if not fits(ELLIPSIS):  # the provenance alone is too long: nothing of it can be told
            return ""
        text = excerpt(memory.content, query, fits=fits)
        return line_of(text) if text else ""

    def _items_of(self, offer: Offer) -> list[PackItem]:
        return [item for item in self.items if item.section == offer.section]

    def _cost(self, line: str) -> int:
        return self.count(self.renderer.added(line))

    def _leave_out(
        self, memory: Memory, score: float, reason: str, section: PackSection, tokens: int = 0
    ) -> None:
        self._decide(Decision(memory.id, False, reason, score, tokens, section))

    def _decide(self, decision: Decision) -> None:
        """Write *decision* into the ledger, in place of an earlier one."""
        self.decisions.pop(decision.id, None)
        self.decisions[decision.id] = decision

    def close(self, search: SearchReport) -> Pack:
        """Return the pack; what a counter makes dearer as a whole gives way from the end."""
        while True:
            shown = self._shown()
            lines = {section: [item.text for item in items] for section, items in shown.items()}
            text, stable, dynamic = self._written(lines)
            fenced = self.renderer.messages(stable, dynamic)
            tokens = self.count(text) if text else 0
            whole = sum(map(self.count, fenced)) if self.renderer.is_split else 0
            if max(tokens, whole) <= self.packing.max_tokens:
                break
            last = self.items.pop()
            reason = "the whole did not fit with it"
            self._leave_out(last.memory, last.score, reason, last.section, last.tokens)
        items = tuple(item for section in shown.values() for item in section)
        report = self._report(search, tokens)
        packing = self.packing
        return Pack(self.name, text, items, tokens, stable, dynamic, report, packing.format, fenced)

    def _shown(self) -> dict[PackSection, list[PackItem]]:
        """Return the items of each section that has any, in the order in which they stand."""
        shown = {}
        for offer in self.offers:
            items = self._items_of(offer)
            if items:
                shown[offer.section] = items[::-1] if offer.is_reversed else items
        return shown

    def _written(self, lines: dict[PackSection, list[str]]) -> tuple[str, str, str]:
        """Return the text of sections with these *lines*, and its stable and dynamic part."""
        parts = []
        for is_stable in (True, False):
            sections = [
                Section(offer.section, offer.title, tuple(lines[offer.section]))
                for offer in self.offers
                if offer.is_stable == is_stable and offer.section in lines
            ]
            name = None if is_stable else self.name
            parts.append(self.renderer.part(sections, name) if sections else "")
        stable, dynamic = parts
        return self.renderer.text(stable, dynamic), stable, dynamic

    def _report(self, search: SearchReport, tokens: int) -> PackReport:
        sections = []
        for offer in self.offers:
            if not offer.candidates:
                continue
            items = self._items_of(offer)
            used = sum(item.tokens for item in items)
            allowed = self.allowed[offer.section]
            candidates = len(offer.candidates)
            sections.append(SectionReport(offer.section, allowed, used, candidates, len(items)))
        return PackReport(
            decisions=tuple(self.decisions.values()),
            budget_tokens=self.packing.max_tokens,
            used_tokens=tokens,
            frame_tokens=self.frame_tokens if self.items else 0,
            search=search,
            sections=tuple(sections),
        )
