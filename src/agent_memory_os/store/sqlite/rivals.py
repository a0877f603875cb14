"""Rivals: which memories may say the same as a draft, or otherwise."""

# A popular topic has thousands of memories. Those that share most topics with the draft come first,
# of equal ones the newest, and what shares too few words with it is passed over unread. How much
# that is goes by what the writer sees alone. So there are three steps: rows are ranked by topics
# alone, whoever sees them (`_ranked`); what the writer sees of these is looked at, in this order,
# until enough is found (`_Reading.near`); and only what is then to be weighed is read whole.

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from operator import ne
from typing import Any, NamedTuple

from agent_memory_os.model import Draft, Memory, Visibility
from agent_memory_os.pure import stored
from agent_memory_os.pure.text import QueryTerm
from agent_memory_os.store.sqlite import memories, tail, words
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.access import Gate, gate
from agent_memory_os.store.sqlite.line import Line
from agent_memory_os.store.sqlite.topics import attribute_of, topics_of

# Most drafts have no rival, which is seen without a look at who may see what; long ones are about
# no topic, and are asked of nothing else.
ANY_SAME = "SELECT EXISTS (SELECT 1 FROM memories WHERE identity = ?), 0"
MET = """
    SELECT EXISTS (SELECT 1 FROM memories WHERE identity = ?),
        EXISTS (SELECT 1 FROM topics WHERE topic IN (SELECT value FROM json_each(?)))
"""
SAME = """
    SELECT {columns} FROM memories m
    WHERE m.identity = :identity AND m.subject = :about AND {where} ORDER BY m.id DESC LIMIT :most
"""
SHARING = """
    SELECT json_group_array(memory)
    FROM (SELECT memory FROM topics WHERE topic = ? ORDER BY memory DESC LIMIT ?)
"""
LATEST_OF = f"""
    SELECT m.id, m.terms {tail.OF_TAIL} AND m.subject = :about AND m.state < 2 ORDER BY m.id DESC
"""
TELLING = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT ?"
# A few columns tell of most rows that they have nothing to do with the draft.
LOOK = """
    SELECT near.value, m.content, m.owner, m.actor, m.attribute
    FROM json_each(:rows) near CROSS JOIN memories m ON m.id = near.value
    WHERE m.subject = :about AND m.layer = 1 AND m.identity IS NOT :identity AND {where}
    ORDER BY near.key
"""
READ = """
    SELECT {columns} FROM json_each(:rows) near CROSS JOIN memories m ON m.id = near.value
    WHERE {where}
"""
LOOKED_AT, GATED = 200, 400  # memories of one topic, and of all, whoever sees them
NEWEST = 18  # of one topic, and of all, which mostly are enough to look at
MOST, TOLD = 96, 32  # that the writer sees, and of a change that is told
OF_ONE_KIND = 2  # own rivals, or ones that are only counted, which differ in the same numbers
OF_OWN_KIND = 12  # own ones, behind which all that are older are of that kind, or share less
_IS_SAID = -GATED  # likes of what others say otherwise: each is weighed, however many there are
WEIGHED = 12  # rivals of the writer's own, as many of others, and as many that say the same

Shares = dict[int, int]  # how many topics or changes each row shares, those that come first first


def rivals(
    line: Line, draft: Draft, visibility: Visibility, *, counted: bool = True
) -> list[Memory]:
    """Return visible memories of the same subject that *draft* may have to do with, newest first.

    They say the same, are about the same topic, or say what the draft tells to have changed.
    Without *counted* those are left out that the rules surely find unrelated, being alike but for
    numbers.
    """
    if draft.layer == 0:
        return []
    topics = sorted(topics_of(draft))
    changes = _told(draft) if topics else []
    identity = memories.identity_of(draft)
    asked = (MET, (identity, str(topics))) if topics else (ANY_SAME, (identity,))
    is_same, is_near = line.db.execute(*asked).fetchone()
    if not (is_same or is_near or changes):
        return []
    passes = gate(line.db, line.names, visibility)
    about = named.subject(line.db, line.names, draft.subject)
    values = passes.parameters | {"identity": identity, "about": about, "most": WEIGHED}
    reading = _Reading(line, passes, visibility, values)
    attribute = attribute_of(draft)
    of_attribute = set() if attribute is None else {*_newest_of(line, attribute)}
    found = reading.whole(SAME) if is_same else []
    if is_near or changes:
        others = [topic for topic in topics if topic != attribute]
        ranked = _ranked(line, others, changes, about, of_attribute)
        rows = _to_weigh(reading.near(draft, ranked, of_attribute, counted=counted))
        found += reading.whole(READ, rows) if rows else []
    return sorted(found, key=lambda memory: memory.id, reverse=True)


def _to_weigh(near: Iterable[tuple[int, bool, bool]]) -> list[int]:
    """Return the first rows of the writer's own, and the first of others, as many of each.

    What is surely unrelated takes a place, and is not returned.
    """
    left = {True: WEIGHED, False: WEIGHED}
    rows = []
    for row, is_own, is_unrelated in near:
        if left[is_own]:
            left[is_own] -= 1
            rows += [] if is_unrelated else [row]
        if not any(left.values()):
            break
    return rows


def load_rules() -> None:
    """Load what is needed to weigh rivals, which takes longer than a write."""
    from agent_memory_os.pure import contest, counted, probe, truth  # noqa: F401


def _told(draft: Draft) -> Sequence[Sequence[str]]:
    from agent_memory_os.pure.probe import told  # loads the tables of the rules

    return told(draft.content)


def _telling(line: Line, change: Sequence[str], about: int) -> list[int]:
    """Return the newest rows that hold words which begin so, whoever sees them."""
    begun = [stored.needle(QueryTerm(word, prefix=True)) for word in change]
    latest = tail.rows(line, LATEST_OF, {"about": about})
    found = [row for row, terms in latest if tail.holds_all(terms, begun)]
    held = " AND ".join(f"{words.quoted(word)}*" for word in change)
    match = f'{words.HELD} : ({held}) AND rights : "s{about}"'
    found += [row for (row,) in line.db.execute(TELLING, (match, TOLD))]
    return found[:TOLD]


def _newest_of(line: Line, topic: int) -> Sequence[int]:
    """Return the newest rows of a topic, whoever sees them."""
    return _numbers(_listed(line, topic, LOOKED_AT))


def _listed(line: Line, topic: int, most: int) -> str:
    """Return the newest rows of a topic as JSON: lists that are alike are then read once."""
    (rows,) = line.db.execute(SHARING, (topic, most)).fetchone()
    return str(rows)


_numbers: Callable[[str], Sequence[int]] = json.loads


def _sharing(line: Line, topics: Iterable[int], most: int) -> tuple[Counter[int], list[int]]:
    """Return how many topics each of the newest rows has, and where each list that is cut ends."""
    lists = Counter([_listed(line, topic, most) for topic in topics])
    shared: Counter[int] = Counter()
    ends: list[int] = []
    for text, times in lists.most_common():  # what is alike has the same topics, and the same lists
        rows = _numbers(text)
        ends += [rows[-1]] * times if len(rows) == most else []
        if not shared:
            shared = Counter(dict.fromkeys(rows, times))
        else:
            for _ in range(times):
                shared.update(rows)
    return shared, ends


def _ranked(
    line: Line,
    topics: Sequence[int],
    changes: Sequence[Sequence[str]],
    about: int,
    of_attribute: Set[int],
) -> Iterator[Shares]:
    """Yield rows with how much they share, in batches, those of the attribute first.

    Then those that share most; of equal ones the newest. Mostly the newest of each topic settle it.
    """
    begun = 0  # rows that were yielded of what is known before all is
    if not (changes or of_attribute):
        shared, ends = _sharing(line, topics, NEWEST)
        rows = _surely_first(shared, ends)
        if not ends or len(rows) > OF_OWN_KIND:
            begun = len(rows)
            yield from _batches(rows, shared)
        if not ends:
            return
    shared, _ = _sharing(line, topics, LOOKED_AT)
    for change in changes:
        shared.update(_telling(line, change, about))
    rows = _in_order({*shared, *of_attribute}, shared)
    if of_attribute:
        rows.sort(key=of_attribute.__contains__, reverse=True)
    yield from _batches(rows[:GATED], shared, begun)


def _batches(rows: Sequence[int], shared: Mapping[int, int], start: int = 0) -> Iterator[Shares]:
    """Yield *rows* from the place *start* on, few at first: most drafts are settled by these."""
    for end in (NEWEST, 3 * NEWEST, MOST, GATED):
        if start < len(rows) and end >= start + NEWEST:
            yield {row: shared[row] for row in rows[start:end]}
            start = end


def _surely_first(shared: Counter[int], ends: Sequence[int]) -> list[int]:
    """Return the rows that surely come first, given how much of each list of them is known.

    A list that is cut goes on below its end. What is above all *ends* is known; what is below one
    may share more than is known, but in that list alone.
    """
    rows = _in_order(shared, shared)
    if not ends:
        return rows
    known = max(ends)
    most = len(ends)
    for row in rows:
        if row < known:
            most = max(most, shared[row] + sum(end > row for end in ends))
    return [row for row in rows if row >= known and shared[row] >= most]


def _in_order(rows: Iterable[int], shared: Counter[int]) -> list[int]:
    """Return *rows* by how much they share; of equal ones the newest first."""
    newest = sorted(rows, reverse=True)
    newest.sort(key=shared.__getitem__, reverse=True)
    return newest


def _counting(draft: Draft) -> Callable[[str, bool], int]:
    """Return what tells how many like a text were seen, with itself, of which a few stand for all.

    Its likes differ from the draft in the same numbers, and nothing else. It is asked with whether
    the text is the writer's own. Of what differs in more than numbers it tells 0. What others say
    is only counted where the rules find the first of its kind unrelated; else it tells a number
    below 0.
    """
    from agent_memory_os.pure.counted import parts  # loads the rules
    from agent_memory_os.pure.truth import Assertion, weigh

    frame, mine, _ = parts(draft.content)
    seen: dict[tuple[bool, tuple[bool, ...]], int] = {}

    def count(content: str, is_own: bool) -> int:
        around, numbers, _ = parts(content)
        if around != frame:
            return 0
        kind = is_own, tuple(map(ne, numbers, mine))
        if kind not in seen:
            seen[kind] = 0 if is_own or is_unrelated(content) else _IS_SAID
        seen[kind] += 1
        return seen[kind]

    def is_unrelated(content: str) -> bool:
        weighing = weigh(Assertion(draft.content, ""), Assertion(content, ""))
        return weighing.relation == "unrelated"

    return count


class _Reading(NamedTuple):
    """Reads what may be rivals through the gate of one writer."""

    line: Line
    passes: Gate
    visibility: Visibility
    values: dict[str, object]

    def whole(self, statement: str, rows: Sequence[int] = ()) -> list[Memory]:
        """Return what *statement* reads, of *rows*."""
        reader = None if self.visibility.admin else self.passes.standing
        columns = memories.columns(self.passes, self.visibility)
        found = self._read(_of(statement, columns), rows)
        return [memories.noun(self.line, reader, row) for row in found]

    def near(
        self, draft: Draft, ranked: Iterable[Shares], of_attribute: Set[int], *, counted: bool
    ) -> Iterator[tuple[int, bool, bool]]:
        """Yield of what is *ranked* the rows that are visible and may be rivals, in their order.

        Such share at least half of what any visible one shares, and have an attribute, or the draft
        may have to do with them. Each with whether it is the writer's own, and, unless *counted*,
        whether the rules surely find it unrelated.
        """
        from agent_memory_os.pure.probe import probe  # loads the tables of the rules

        touches, counting = probe(draft.content).touches, _counting(draft)
        agent, most, seen = self.passes.standing.agent, 0, 0
        for shares in ranked:
            for row, content, owner, actor, attribute in self._read(LOOK, [*shares]):
                share = shares[row]
                if not most and row not in of_attribute:
                    most = share
                if 2 * share < most or seen == MOST:
                    return
                seen += 1
                is_own = owner == agent
                count = counting(content, is_own)
                if is_own and count > OF_OWN_KIND:
                    return
                if count <= OF_ONE_KIND and (attribute is not None or touches(content)):
                    only_counts = count > 0 and None in (attribute, draft.attribute)
                    is_unrelated = (
                        not counted
                        and only_counts
                        and self._is_unrelated(draft, content, owner, actor)
                    )
                    yield row, is_own, is_unrelated

    def _is_unrelated(self, draft: Draft, content: str, owner: int, actor: str | None) -> bool:
        """Return whether the rules surely find unrelated what the owner or the actor says."""
        from agent_memory_os.pure.contest import Terms  # loads the rules
        from agent_memory_os.pure.counted import only_count

        names = self.line.names
        by = actor or named.name_of(self.line.db, names.agent_names, named.AGENT_NAME, owner)
        terms = Terms(draft.subject is not None, (draft.actor or draft.owner) == by)
        return only_count(draft.content, content, terms)

    def _read(self, statement: str, rows: Sequence[int]) -> list[Any]:
        values = self.values | {"rows": str(rows)}
        return self.line.db.execute(_gated(statement, self.passes.sql), values).fetchall()


@lru_cache(64)
def _of(statement: str, columns: str) -> str:
    return statement.replace("{columns}", columns)


@lru_cache(64)
def _gated(statement: str, where: str) -> str:
    return statement.replace("{where}", where)
