"""Distilling: events become atoms, each with the events that it comes from."""

import dataclasses
import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from agent_memory_os.errors import InvalidInput, NotPermitted
from agent_memory_os.model import Draft, Filters, Memory, Receipt, Visibility, moment
from agent_memory_os.providers.protocol import VectorMaker
from agent_memory_os.pure import access
from agent_memory_os.pure.distil import distil as by_rules
from agent_memory_os.pure.distil import read_decisions
from agent_memory_os.pure.due import OWED
from agent_memory_os.pure.messages import EVENT
from agent_memory_os.pure.truth import Assertion
from agent_memory_os.pure.turns import Decision, Distillation, Turn, Wanted
from agent_memory_os.remember.add import dry, keep_vector, made_of, put
from agent_memory_os.remember.judge import of_memory
from agent_memory_os.remember.listen import heard
from agent_memory_os.store.contract import Store, Transaction

RULES = "built-in rules for English and Chinese, no model"
_PAGE = 1_000  # events that are read in one snapshot
_MOST_TURNS = 100  # that are distilled at a time, and so may be the evidence of one atom
_MOST_KNOWN = 100  # memories that a distiller is shown
_MOST_READ = 500  # memories among which these are looked for
_MOST_FAILURES = 3  # of a distiller on end, after which it is not asked any more
_ATTEMPTS = 2
_CHANGED = "events of {where} were changed or distilled meanwhile, so nothing was made of them here"
_ROLES = {"user": "user", "assistant": "assistant", "tool": "tool"}
_KINDS = {"user": "user", "agent": "assistant", "tool": "tool", "": "user"}  # of an actor
_WRITES = ("stored", "conflict")  # verdicts after which there is a new memory

Drafting = Callable[[object, Mapping[str, object]], Draft]
_Made = tuple[Decision, Draft | None]  # None, where there is nothing to write


class _Tally:
    """What was dealt with so far."""

    def __init__(self) -> None:
        self.events = 0
        self.decisions: list[Decision] = []
        self.receipts: list[Receipt] = []
        self.skipped: list[str] = []
        self.notes: list[str] = []
        self.failures = 0  # on end

    def skip(self, events: Sequence[Memory], note: str) -> None:
        self.skipped += [event.id for event in events]
        self.notes.append(note)

    def report(self, wanted: Wanted) -> Distillation:
        name = getattr(wanted.distiller, "__name__", type(wanted.distiller).__name__)
        return Distillation(
            by=RULES if wanted.distiller is None else f"{name}, a distiller of the host",
            events=self.events,
            decisions=tuple(self.decisions),
            receipts=tuple(self.receipts),
            skipped=tuple(self.skipped),
            notes=tuple(self.notes),
            dry_run=wanted.dry_run,
        )


def distil(
    store: Store,
    wanted: Wanted,
    visibility: Visibility,
    draft: Drafting,
    vectors: VectorMaker | None = None,
) -> Distillation:
    """Make atoms of the reader's own events that are not distilled yet, and say which.

    Events of one session, subject and visibility are distilled together, and the atoms get these.
    A distiller is asked while nothing is locked; what it makes of some events is written in one
    transaction, with the mark that they are distilled.

    Args:
        store: where the events are.
        wanted: which, and how.
        visibility: who asks: the owner of the events, and of the atoms.
        draft: returns the draft of an atom, checked, of a content and fields.
        vectors: what makes vectors, where there is some.
    """
    tally = _Tally()
    run = _Run(store, wanted, visibility, draft, vectors, tally)
    for events in _read(store, wanted, visibility):
        if tally.failures >= _MOST_FAILURES:
            tally.notes.append("the distiller failed again and again, so the rest was left")
            break
        run.distil(events)
    return tally.report(wanted)


def _read(store: Store, wanted: Wanted, visibility: Visibility) -> Iterator[list[Memory]]:
    """Yield the events that are not distilled yet, those together that belong together."""
    after, left = "", math.inf if wanted.most_events is None else wanted.most_events
    while left > 0:
        most = int(min(left, _PAGE))
        with store.read() as snapshot:
            page = snapshot.undistilled(
                visibility,
                session=wanted.session,
                subject=visibility.subject if wanted.subject is None else wanted.subject,
                apart=wanted.apart,
                after=after,
                most=most,
            )
        parts: dict[object, list[Memory]] = {}
        for event in page:
            part = event.session, event.subject, event.visibility
            parts.setdefault(part, []).append(event)
        for events in parts.values():
            for at in range(0, len(events), _MOST_TURNS):
                yield events[at : at + _MOST_TURNS]
        if len(page) < most:
            return
        after, left = page[-1].id, left - most


class _Run:
    """Distils some events after the other."""

    def __init__(
        self,
        store: Store,
        wanted: Wanted,
        visibility: Visibility,
        draft: Drafting,
        vectors: VectorMaker | None,
        tally: _Tally,
    ) -> None:
        self._store = store
        self._wanted = wanted
        self._visibility = visibility
        self._draft = draft
        self._vectors = vectors
        self._tally = tally

    def distil(self, events: Sequence[Memory]) -> None:
        """Make atoms of *events*, which are of one session, subject and visibility."""
        self._tally.events += len(events)
        turns = [as_turn(event) for event in events]
        decisions = self._decided(events, turns)
        if decisions is None:
            return
        by_id = {event.id: event for event in events}
        try:
            made = [(each, self._drafted(each, by_id[each.evidence[0]])) for each in decisions]
        except InvalidInput as error:
            self._tally.skip(events, f"nothing was made of {_where(events)}: {error}")
            return
        receipts = self._written(events, made)
        if receipts is None:
            self._tally.skip(events, _CHANGED.format(where=_where(events)))
            return
        self._tally.decisions += decisions
        self._tally.receipts += receipts

    def _decided(self, events: Sequence[Memory], turns: list[Turn]) -> Sequence[Decision] | None:
        """Return what is to become of the events; None where the distiller failed."""
        known = self._known(events[0])
        distiller, most = self._wanted.distiller, self._wanted.most
        if distiller is None:
            return by_rules(turns, known, most=most)
        ids, problem = [each.id for each in known], ""
        for _ in range(_ATTEMPTS):
            said, problem = heard(distiller, turns, known, timeout_s=self._wanted.timeout_s)
            if problem:
                continue
            try:
                decisions = read_decisions(said, turns, ids)
            except InvalidInput as error:
                problem = f"gave what is invalid: {error}"
                continue
            self._tally.failures = 0
            return self._bounded(decisions, events)
        self._tally.failures += 1
        self._tally.skip(
            events, f"nothing was made of {_where(events)}: the distiller {problem}, twice"
        )
        return None

    def _bounded(self, decisions: Sequence[Decision], events: Sequence[Memory]) -> list[Decision]:
        """Return the first decisions, with no more pairs than are wanted."""
        kept: list[Decision] = []
        room = self._wanted.most
        for decision in decisions:
            if room is not None and room < len(decision.evidence):
                left = len(decisions) - len(kept)
                self._tally.notes.append(f"{left} decisions on {_where(events)} were over the most")
                break
            room = None if room is None else room - len(decision.evidence)
            kept.append(decision)
        return kept

    def _known(self, event: Memory) -> list[Assertion]:
        """Return the newest of the atoms that are there, of the same partition alone."""
        own = Filters(subject=event.subject, owner=event.owner, layers=(1,))
        with self._store.read() as snapshot:
            found = snapshot.browse(self._visibility, own, limit=_MOST_READ)
        alike = [of_memory(each) for each in found if _partition(each) == _partition(event)]
        return alike[:_MOST_KNOWN]

    def _drafted(self, decision: Decision, event: Memory) -> Draft | None:
        """Return the draft of an atom, of whom and when *event* is, its first."""
        if not decision.content:
            return None
        fields: dict[str, object] = {
            "type": decision.type,
            "subject": event.subject,
            "visibility": list(event.visibility),
            "actor": event.actor,
            "session": event.session,
            "occurred_at": moment(event.occurred_ms),
            "entity": decision.entity,
            "attribute": decision.attribute,
            "evidence": list(decision.evidence),
        }
        return self._draft(decision.content, fields)

    def _written(self, events: Sequence[Memory], made: Sequence[_Made]) -> list[Receipt] | None:
        """Write what was made of *events*; None where they are not as they were."""
        try:
            return self._write(events, made)
        except NotPermitted:
            # One says what a memory says that more people see: it must stand beside that.
            apart = [
                (each, None if draft is None else dataclasses.replace(draft, merge=False))
                for each, draft in made
            ]
            return self._write(events, apart)

    def _write(self, events: Sequence[Memory], made: Sequence[_Made]) -> list[Receipt] | None:
        dry_run, vectors = self._wanted.dry_run, self._vectors
        contents = [draft.content for _, draft in made if draft is not None]
        vectors_made = () if vectors is None or dry_run else made_of(vectors, contents)
        vector_of = dict(zip(contents, vectors_made, strict=True)) if vectors_made else {}
        owner, ids = events[0].owner, [event.id for event in events]
        with self._store.write(dry_run=dry_run) as tx:
            if not self._stand(tx, events) or tx.are_distilled(ids):
                return None
            receipts = []
            for decision, draft in made:
                receipt = self._put(tx, decision, _shared(tx, draft), events[0])
                if receipt is None:
                    continue
                if dry_run:
                    receipt = dry(receipt)
                elif draft is not None and draft.content in vector_of:
                    receipt = keep_vector(tx, receipt, draft.content, vector_of[draft.content])
                receipts.append(receipt)
            tx.mark_distilled(ids)
            kept = [receipt.id for receipt in receipts if receipt.verdict != "rejected"]
            if kept:
                tx.owe(owner, f"{OWED}{events[0].subject or ''}", kept[-1])
        return receipts

    def _stand(self, tx: Transaction, events: Sequence[Memory]) -> bool:
        """Return whether all events are there as they were read, and seen by as many."""
        found = {each.id: each for each in tx.read([event.id for event in events], self._now(tx))}
        return all(
            event.id in found
            and found[event.id].content == event.content
            and _partition(found[event.id]) == _partition(event)
            for event in events
        )

    def _now(self, tx: Transaction) -> Visibility:
        return dataclasses.replace(self._visibility, now_ms=tx.now_ms)

    def _put(
        self, tx: Transaction, decision: Decision, draft: Draft | None, event: Memory
    ) -> Receipt | None:
        """Do what was decided, unless what there is by now says otherwise."""
        target = self._target(tx, decision, event)
        if decision.action == "no change" and target is not None:
            return self._rests_too(tx, target, decision)
        if draft is None:
            return None
        if decision.action == "update" and target is not None and self._wanted.distiller:
            # The rules weigh once more, what there is now; a distiller's word is all there is.
            draft = dataclasses.replace(draft, supersedes=(target.id,))
        receipt = put(tx, draft)
        if decision.action != "conflict_with" or target is None or target.id in receipt.conflicts:
            return receipt
        is_said = self._wanted.distiller is not None and receipt.verdict == "superseded"
        if not is_said and receipt.verdict not in _WRITES:
            return receipt
        return _contradicting(tx, receipt, target.id, decision)

    def _target(self, tx: Transaction, decision: Decision, event: Memory) -> Memory | None:
        """Return the memory that is meant, if it is still of the same partition."""
        if decision.target is None:
            return None
        found = tx.read([decision.target], self._now(tx))
        return found[0] if found and _partition(found[0]) == _partition(event) else None

    def _rests_too(self, tx: Transaction, target: Memory, decision: Decision) -> Receipt:
        """Let what was derived already rest on more events; what somebody said stands by itself."""
        if tx.evidence([target.id], self._now(tx), up=False, most=1):
            for each in decision.evidence:
                tx.link(target.id, each, relation="derived_from", weight=1.0, by=target.owner)
        return Receipt(target, "merged", decision.why or "it was known already")


def _contradicting(
    tx: Transaction, receipt: Receipt, target_id: str, decision: Decision
) -> Receipt:
    """Let what was written contradict a memory, and stand beside it, as was decided."""
    by = receipt.memory.owner
    if target_id in receipt.superseded:
        tx.reinstate(receipt.id, target_id, by=by)
    tx.link(receipt.id, target_id, relation="contradicts", weight=1.0, by=by)
    superseded = tuple(each for each in receipt.superseded if each != target_id)
    why = f"the distiller decided: {decision.why}" if decision.why else "the distiller said so"
    return dataclasses.replace(
        receipt,
        verdict="superseded" if superseded else "conflict",
        why=why,
        superseded=superseded,
        conflicts=(*receipt.conflicts, target_id),
    )


def as_turn(event: Memory) -> Turn:
    """Return *event* as a distiller reads it."""
    kind = (event.actor or "").partition(":")[0]
    said = event.metadata.get("role")
    role = _KINDS.get(kind, "system") if said is None else _ROLES.get(str(said), "system")
    if said is not None and event.type != EVENT:
        role = "tool"  # a call of a tool is no word of the assistant's
    return Turn(event.id, event.content, role, event.actor, event.occurred_ms)


def _partition(memory: Memory) -> tuple[object, ...]:
    return memory.owner, memory.visibility, memory.subject


def _shared(tx: Transaction, draft: Draft | None) -> Draft | None:
    """Return *draft*, shared only where its owner still may share."""
    if draft is None:
        return None
    held = tuple(
        scope
        for scope in draft.visibility
        if not scope.startswith(access.CLOSED) or tx.holds(draft.owner, scope)
    )
    return draft if held == draft.visibility else dataclasses.replace(draft, visibility=held)


def _where(events: Sequence[Memory]) -> str:
    of = "no session" if events[0].session is None else f"session {events[0].session!r}"
    return f"{len(events)} events of {of}"
