"""Rivals: which memories may say the same as a draft, or otherwise."""

# A popular topic has thousands of memories. Those that share most topics with the draft come first,
# of equal ones the newest, and what shares too few words with it is passed over unread. How much
# that is goes by what the writer sees alone.

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Any, NamedTuple

from agent_memory_os.model import Draft, Memory, Visibility
from agent_memory_os.store.sqlite import memories, words
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import Gate, gate
from agent_memory_os.store.sqlite.line import Line
from agent_memory_os.store.sqlite.topics import attribute_of, topics_of

# Most drafts have no rival, which is seen without a look at who may see what.
ANY_SAME = "SELECT 1 FROM memories WHERE identity = ? LIMIT 1"
ANY_NEAR = "SELECT 1 FROM topics WHERE topic IN (SELECT value FROM json_each(?)) LIMIT 1"
SAME = """
    SELECT {columns} FROM memories m
    WHERE m.identity = :identity AND m.subject = :about AND {where} ORDER BY m.id DESC LIMIT :most
"""
SHARING = "SELECT memory FROM topics WHERE topic = ? ORDER BY memory DESC LIMIT ?"
TELLING = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?"
READ = """
    SELECT {columns}, near.value
    FROM json_each(:rows) near CROSS JOIN memories m ON m.id = near.value
    WHERE m.subject = :about AND m.layer = 1 AND m.identity IS NOT :identity AND {where}
    ORDER BY near.key
"""
LOOKED_AT, GATED = 200, 400  # memories of one topic, and of all, whoever sees them
READ_AT_ONCE, MOST, TOLD = 12, 96, 32  # that the writer sees, and of a change that is told
OF_ONE_KIND = 2  # own rivals, or ones that are only counted, which differ in the same numbers
WEIGHED = 12  # rivals of the writer's own, as many of others, and as many that say the same


def rivals(line: Line, draft: Draft, visibility: Visibility) -> list[Memory]:
    """Return visible memories of the same subject that *draft* may have to do with, newest first.

    They say the same, are about the same topic, or say what the draft tells to have changed.
    """
    if draft.layer == 0:
        return []
    topics = sorted(topics_of(draft))
    changes = _told(draft) if topics else []
    identity = memories.identity_of(draft)
    if not changes and not _is_met(line, identity, topics):
        return []
    passes = gate(line.db, line.names, visibility)
    about = named.subject(line.db, line.names, draft.subject)
    values = passes.parameters | {"identity": identity, "about": about, "most": WEIGHED}
    reading = _Reading(line, passes, visibility, values)
    found = {memory.id: memory for memory in reading.same()}
    attribute = attribute_of(draft)
    of_attribute = set() if attribute is None else {*_about(line, attribute)}
    shared = _shared(line, [topic for topic in topics if topic != attribute], changes, about)
    left = {True: WEIGHED, False: WEIGHED}
    for memory in reading.near(draft, shared, of_attribute) if shared or of_attribute else ():
        is_own = memory.owner == draft.owner
        if left[is_own]:
            found[memory.id] = memory
            left[is_own] -= 1
        if not any(left.values()):
            break
    return sorted(found.values(), key=lambda memory: memory.id, reverse=True)


def _is_met(line: Line, identity: int | None, topics: Sequence[int]) -> bool:
    """Return whether any memory, whoever sees it, has that digest or one of the topics."""
    if line.db.execute(ANY_SAME, (identity,)).fetchone() is not None:
        return True
    return bool(topics) and line.db.execute(ANY_NEAR, (json.dumps(topics),)).fetchone() is not None


def _told(draft: Draft) -> Sequence[Sequence[str]]:
    from agent_memory_os.pure.probe import told  # loads the tables of the rules

    return told(draft.content)


def _shared(
    line: Line, topics: Iterable[int], changes: Iterable[Sequence[str]], about: int
) -> Counter[int]:
    """Return how much each row shares with the draft, whoever sees it."""
    shared: Counter[int] = Counter()
    for topic in topics:
        shared.update(_about(line, topic))
    for change in changes:
        held = " AND ".join(f"{words.quoted(word)}*" for word in change)
        match = f'{words.HELD} : ({held}) AND rights : "s{about}"'
        shared.update(row for (row,) in line.db.execute(TELLING, (match, TOLD)))
    return shared


def _about(line: Line, topic: int) -> list[int]:
    """Return the newest rows of a topic, whoever sees them."""
    return [row for (row,) in line.db.execute(SHARING, (topic, LOOKED_AT)).fetchall()]


def _is_counted(content: str, other: str) -> bool:
    """Return whether two that differ in numbers alone have nothing to do with each other."""
    from agent_memory_os.pure.truth import Assertion, weigh  # loads the rules

    return weigh(Assertion(content, ""), Assertion(other, "")).relation == "unrelated"


class _Reading(NamedTuple):
    """Reads what may be rivals through the gate of one writer."""

    line: Line
    passes: Gate
    visibility: Visibility
    values: dict[str, object]

    def same(self) -> list[Memory]:
        """Return what says the same."""
        return [self._noun(row) for row in self._rows(SAME)]

    def near(self, draft: Draft, shared: Counter[int], of_attribute: Set[int]) -> Iterator[Memory]:
        """Yield what has the draft's attribute, then what shares most with it.

        Of these what shares at least half of what any visible one shares, if it has an attribute,
        or if the draft may have to do with it.
        """
        from agent_memory_os.pure.probe import other_numbers, probe  # as above

        touches, others = probe(draft.content).touches, other_numbers(draft.content)
        kinds: Counter[tuple[bool, tuple[int, ...]]] = Counter()
        counted: dict[tuple[int, ...], bool] = {}
        every = {*shared, *of_attribute}
        ranked = sorted(((row in of_attribute, shared[row], row) for row in every), reverse=True)
        rows = [row for *_, row in ranked[:GATED]]
        most = count = 0
        for start in range(0, len(rows), READ_AT_ONCE):
            some = json.dumps(rows[start : start + READ_AT_ONCE])
            for *columns, row in self._rows(READ, some):
                if row not in of_attribute:
                    most = most or shared[row]
                if 2 * shared[row] < most or count == MOST:
                    return
                count += 1
                is_own = columns[_OWNER] == self.passes.standing.agent
                places = others(columns[_CONTENT])
                if places is not None and not is_own:
                    if places not in counted:
                        counted[places] = _is_counted(draft.content, columns[_CONTENT])
                    places = places if counted[places] else None
                if places is not None:
                    kinds[is_own, places] += 1
                    if is_own and kinds[is_own, places] > READ_AT_ONCE:
                        return  # what is still older is of this kind, or shares less
                    if kinds[is_own, places] > OF_ONE_KIND:
                        continue
                if columns[_ATTRIBUTE] is not None or touches(columns[_CONTENT]):
                    yield self._noun(columns)

    def _rows(self, statement: str, rows: str = "[]") -> list[Any]:
        columns = memories.columns(self.passes, self.visibility)
        sql = statement.format(columns=columns, where=self.passes.sql)
        return self.line.db.execute(sql, self.values | {"rows": rows}).fetchall()

    def _noun(self, row: Any) -> Memory:
        reader = None if self.visibility.admin else self.passes.standing
        return memories.noun(self.line, reader, row)


_CONTENT, _OWNER, _ATTRIBUTE = 1, 4, -1  # columns of a memory
