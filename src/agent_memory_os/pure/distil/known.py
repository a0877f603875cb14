"""What a new statement does to what is remembered already."""

import dataclasses
from collections.abc import Iterable, Sequence

from agent_memory_os.pure import truth
from agent_memory_os.pure.distil.words import told
from agent_memory_os.pure.turns import Action, Decision, Turn

_ACTIONS: dict[truth.Relation, Action] = {
    "duplicate": "no change",
    "update": "update",
    "conflict": "conflict_with",
}


class Known:
    """The memories that are there, by the words that they tell."""

    def __init__(self, existing: Iterable[truth.Assertion]) -> None:
        self._existing = tuple(existing)
        self._by_word: dict[str, list[int]] = {}
        for place, memory in enumerate(self._existing):
            for word in told(memory.content):
                self._by_word.setdefault(word, []).append(place)

    def settled(self, decision: Decision, turn: Turn) -> Decision:
        """Return *decision*, made of *turn*, with what it does to the memories.

        What says the same comes first, then what it takes the place of, then what it contradicts.
        The memories are of one owner and subject, so these are not compared.
        """
        found: dict[truth.Relation, tuple[str, str]] = {}
        for memory in self._near(decision.content):
            draft = _draft(decision, turn, memory)
            weighing = truth.weigh(draft, memory)
            found.setdefault(weighing.relation, (memory.id, weighing.why))
        for relation, action in _ACTIONS.items():
            if relation in found:
                target, why = found[relation]
                return dataclasses.replace(decision, action=action, target=target, why=why)
        return decision

    def _near(self, content: str) -> Sequence[truth.Assertion]:
        """Return the memories that share a word with *content*, in their order."""
        if not self._existing:
            return ()
        places = {place for word in told(content) for place in self._by_word.get(word, ())}
        return [self._existing[place] for place in sorted(places)]


def _draft(decision: Decision, turn: Turn, memory: truth.Assertion) -> truth.Assertion:
    return truth.Assertion(
        decision.content,
        memory.owner,
        type=memory.type,  # the same in other words of type is the same
        subject=memory.subject,
        entity=decision.entity,
        attribute=decision.attribute,
        actor=turn.actor,
        occurred_ms=turn.occurred_ms,
    )
