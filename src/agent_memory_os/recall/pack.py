"""Context packs: what matters for a prompt, within a budget, with its ledger."""

import hashlib
from dataclasses import dataclass, field, replace
from typing import Literal

from agent_memory_os.model import (
    Decision,
    Hits,
    Memory,
    Pack,
    PackItem,
    PackReport,
    TokenCounter,
)
from agent_memory_os.pure import render
from agent_memory_os.pure.excerpt import excerpt
from agent_memory_os.pure.identity import statement
from agent_memory_os.pure.text import Query, analyse_query
from agent_memory_os.recall import pipeline
from agent_memory_os.recall.pipeline import Request
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Snapshot, Store

_ID_CHARS = 12
_MOST_BACKGROUND = 5
_REASONS = {
    "core": "pinned",
    "recall": "fits by score",
    "about": "matters most about the subject; no words matched",
}
_USUAL_LINE = 32  # tokens: few lines take fewer, so that more need not be read
_LEAST_LINE = 16  # tokens: no line with its provenance takes fewer

NO_QUERY = analyse_query("")

Section = Literal["core", "recall", "about"]


def context_pack(
    store: Store,
    request: Request,
    settings: Settings,
    *,
    max_tokens: int,
    count_tokens: TokenCounter,
) -> Pack:
    """Return the pack for *request*: pinned memories, then hits by score, while they fit.

    The text never takes more than *max_tokens* by *count_tokens*; when not even one memory fits
    it is empty.
    """
    query = pipeline.analysed(request, settings)
    with store.read() as snapshot:
        pinned = snapshot.browse(
            request.visibility, request.filters, limit=settings.pack_items, pinned=True
        )
        most = min(request.limit, max_tokens // _USUAL_LINE)
        hits = pipeline.run(snapshot, replace(request, limit=most), query, settings)
        if len(hits) == most and _is_short(hits, max_tokens, count_tokens):
            hits = pipeline.run(snapshot, request, query, settings)
        about = [] if hits or request.query is None else _background(snapshot, request, settings)
    return _Packer(query, max_tokens, count_tokens, settings).pack(pinned, hits, about)


def _is_short(hits: Hits, max_tokens: int, count_tokens: TokenCounter) -> bool:
    """Whether *hits* leave room for more, which only many short memories do."""
    return sum(count_tokens(hit.content) for hit in hits) < max_tokens // 2


def _background(snapshot: Snapshot, request: Request, settings: Settings) -> list[Memory]:
    """Return what matters most about the subject of a pack whose words found nothing.

    Whoever asks about somebody is served by what is known of them, under a heading of its own;
    without a subject nothing is relevant, and nothing is said.
    """
    if request.visibility.subject is None and request.filters.subject is None:
        return []
    everything = replace(request, query=None, limit=_MOST_BACKGROUND)
    return [hit.memory for hit in pipeline.run(snapshot, everything, NO_QUERY, settings)]


@dataclass(slots=True)
class _Packer:
    """Fills one pack."""

    query: Query
    budget: int
    count: TokenCounter
    settings: Settings
    items: list[PackItem] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)
    held: set[str] = field(default_factory=set)  # ids
    said: dict[str, str] = field(default_factory=dict)  # normal form -> id
    left: int = 0

    def pack(self, pinned: list[Memory], hits: Hits, about: list[Memory]) -> Pack:
        """Fill the pack, and account for it."""
        pack_id = self._id([*pinned, *(hit.memory for hit in hits), *about])
        heading = render.ABOUT_HEADING if about else render.RECALL_HEADING
        heading = heading.format(id=pack_id)
        frame = render.fenced(render.CORE_HEADING if pinned else "", heading)
        frame_tokens = self.count(frame)
        self.left = self.budget - frame_tokens
        reserved = int(max(self.left, 0) * self.settings.core_share)
        rest, self.left = self.left - reserved, reserved
        for memory in sorted(pinned, key=lambda memory: (-memory.importance, memory.id)):
            self._offer(memory, "core", 0.0)
        self.left += rest
        for hit in hits:
            self._offer(hit.memory, "recall", hit.score)
        for memory in about:
            self._offer(memory, "about", 0.0)
        return self._close(pack_id, heading, frame_tokens, hits)

    def _offer(self, memory: Memory, section: Section, score: float) -> None:
        if memory.id in self.held:
            return  # pinned, and a hit as well
        normal = statement(memory.content)
        if normal in self.said:
            self._leave_out(memory, score, f"says the same as {self.said[normal]}")
        elif len(self.items) >= self.settings.pack_items:
            self._leave_out(memory, score, "the pack has as many items as the settings allow")
        elif self.left < _LEAST_LINE:
            self._leave_out(memory, score, "the budget was used up")
        elif self._fit(memory, section, score):
            self.held.add(memory.id)
            self.said[normal] = memory.id

    def _fit(self, memory: Memory, section: Section, score: float) -> bool:
        line = render.line(memory, memory.content, excerpt=False)
        tokens = self._cost(line)
        longest = self.settings.excerpt_tokens
        is_cut = tokens > longest or (tokens > self.left and not self.items)
        if is_cut:  # a long one must not crowd out the others, nor the best one be left out
            line = self._excerpt(memory, min(longest, max(self.left // 2, _LEAST_LINE)))
            tokens = self._cost(line) if line else tokens
        if tokens > self.left or not line:
            self._leave_out(memory, score, f"its {tokens} tokens did not fit", tokens)
            return False
        self.left -= tokens
        self.items.append(PackItem(memory, section, score, line, tokens, is_cut))
        reason = _REASONS[section]
        reason = f"{reason}, cut to an excerpt" if is_cut else reason
        self.decisions.append(Decision(memory.id, True, reason, score, tokens))
        return True

    def _excerpt(self, memory: Memory, allowed: int) -> str:
        """Return the line of an excerpt that takes at most *allowed* tokens; empty for none."""

        def line_of(text: str) -> str:
            return render.line(memory, text, excerpt=True)

        def fits(text: str) -> bool:
            return self._cost(line_of(text)) <= allowed

        text = excerpt(memory.content, self.query, fits=fits)
        return line_of(text) if text else ""

    def _cost(self, line: str) -> int:
        return self.count("\n" + line)

    def _leave_out(self, memory: Memory, score: float, reason: str, tokens: int = 0) -> None:
        self.decisions.append(Decision(memory.id, False, reason, score, tokens))

    def _close(self, pack_id: str, heading: str, frame_tokens: int, hits: Hits) -> Pack:
        while True:
            core = [item.text for item in self.items if item.section == "core"]
            recalled = [item.text for item in self.items if item.section != "core"]
            stable = render.part(render.CORE_HEADING, core)
            dynamic = render.part(heading, recalled)
            text = render.fenced(stable, dynamic)
            tokens = self.count(text) if text else 0
            if tokens <= self.budget:
                break
            # A counter that gives more for the whole than for the parts: give way from the end.
            last = self.items.pop()
            self.decisions = [d for d in self.decisions if d.id != last.id]
            self._leave_out(last.memory, last.score, "the whole did not fit with it", last.tokens)
        report = PackReport(
            decisions=tuple(self.decisions),
            budget_tokens=self.budget,
            used_tokens=tokens,
            frame_tokens=frame_tokens if text else 0,
            search=hits.report,
        )
        return Pack(pack_id, text, tuple(self.items), tokens, stable, dynamic, report)

    def _id(self, memories: list[Memory]) -> str:
        """Name the pack by what it was made from, so that the same recall has the same text."""
        digest = hashlib.blake2b(digest_size=_ID_CHARS // 2)
        for memory in memories:
            digest.update(f"{memory.id} {memory.version}\n".encode())
        digest.update(self.query.text.encode("utf-8", "surrogatepass"))
        return digest.hexdigest()
