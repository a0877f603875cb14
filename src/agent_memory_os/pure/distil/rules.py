"""The built-in distiller: which turns state something, and the atoms that they become."""

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent_memory_os.pure import truth
from agent_memory_os.pure.distil.compose import Speech, composed
from agent_memory_os.pure.distil.greetings import opening
from agent_memory_os.pure.distil.known import Known
from agent_memory_os.pure.distil.person import is_own, is_somebody, label, speaker_name
from agent_memory_os.pure.distil.sentences import HAN, sentences
from agent_memory_os.pure.distil.words import words_of
from agent_memory_os.pure.distil.worth import Novelty, Said, own_words, read
from agent_memory_os.pure.identity import statement
from agent_memory_os.pure.stem import stem
from agent_memory_os.pure.turns import Decision, Turn

PAIRS_PER_TURN = 0.5  # of an atom and a turn that it comes from
_FEWEST_PAIRS = 4  # that a short batch may have
LEAST_WORTH = 2.0  # of a turn that tells nothing of a known kind; see `worth.Novelty`
_LEAST_WORDS, _LEAST_HAN = 8, 14  # of such a turn: what is shorter is small talk, or an answer
_LEAST_TOLD = 2  # words, of a fact
_LEAST_OWN = 3.0  # words of one's own, of what is told beside a statement of a known kind
_FACT = "fact"
_OF_ANYBODY = frozenset(("decision", "environment", _FACT))  # what an assistant states, too
_OF_ONESELF = frozenset(("preference", "instruction", "identity"))
_READ_ROLES = frozenset(("user", "assistant"))


@dataclass(frozen=True, slots=True)
class _Heard:
    """A turn that was read."""

    turn: Turn
    said: tuple[Said, ...]
    speech: Speech
    is_named: bool  # whether the speaker is somebody known, and not just the user
    is_answer: bool
    worth: float


@dataclass(frozen=True, slots=True)
class _Part:
    """Sentences of a turn that may become one atom of this type."""

    heard: _Heard
    said: tuple[Said, ...]
    type: str


def distil(
    turns: Sequence[Turn],
    existing: Iterable[truth.Assertion] = (),
    *,
    most: int | None = None,
) -> tuple[Decision, ...]:
    """Return what of *turns* is worth remembering, in their order.

    Statements of preference, instruction, identity, decision, environment and of facts with figures
    or dates are known by their form, in English and Chinese. Of other turns those are kept that
    tell most of their speaker and most that is new. Questions and small talk become nothing.

    Args:
        turns: what was said, in order.
        existing: the memories that are there, of one owner and subject.
        most: pairs of an atom and a turn that it comes from; None for half of the turns, at least
            four, and beyond that one for each turn that states something of a known kind.

    Returns:
        Decisions with contents of at most 200 characters; the same for the same arguments.

    >>> [decision] = distil([Turn("t1", "I moved to Kyoto.", actor="user:Alice")])
    >>> decision.content, decision.type, decision.evidence
    ('Alice moved to Kyoto.', 'identity', ('t1',))
    """
    heard = [each for each in _hear(turns) if _is_kept(each)]
    room = max(_FEWEST_PAIRS, int(len(turns) * PAIRS_PER_TURN)) if most is None else most
    kept = _best(heard, room, is_hard=most is not None)
    parts = _parted(kept, room - len(kept))
    known = Known(existing)
    decided: dict[str, tuple[Decision, Turn]] = {}
    for part in parts:
        decision = _decision(part)
        if decision is not None:
            _unite(decided, decision, part.heard.turn)
    return tuple(known.settled(decision, turn) for decision, turn in decided.values())


# Reading.


def _hear(turns: Sequence[Turn]) -> list[_Heard]:
    """Return each turn, read, with its worth beside those before it."""
    called = {(turn.actor or "").partition(":")[2] for turn in turns} - {""}
    greeting = opening(sorted(called))
    names = frozenset(stem(word) for name in called for word in words_of(name))
    novelty = Novelty()
    heard = []
    asker: tuple[str, str | None] | None = None  # who has just asked something
    for turn in turns:
        if turn.role not in _READ_ROLES:
            continue
        labelled, content = label(turn.content) if turn.actor is None else (None, turn.content)
        said = tuple(read(sentences(content), names))
        name = labelled or speaker_name(turn.actor, turn.role, content)
        who = turn.role, turn.actor or labelled
        is_answer = asker is not None and asker != who
        worth = novelty.worth(said, is_answer=is_answer)
        speech = Speech(name, turn.occurred_ms, greeting)
        is_named = is_somebody(turn.actor) or labelled is not None
        heard.append(_Heard(turn, said, speech, is_named, is_answer, worth))
        asker = who if _ends_asking(said) else None
    return heard


def _ends_asking(said: Sequence[Said]) -> bool:
    spoken = [each for each in said if not each.sentence.is_note]
    return bool(spoken) and spoken[-1].sentence.asks


# Choosing.


def _is_kept(heard: _Heard) -> bool:
    if any(_type_of(each, heard.turn) for each in heard.said):
        return True
    if heard.turn.role == "assistant" or heard.worth < LEAST_WORTH:
        return False
    return heard.is_answer or _is_long(heard.said)


def _type_of(said: Said, turn: Turn) -> str | None:
    """Return the type of a sentence that is kept for its form, or None."""
    if said.kind is None:
        return None
    if turn.role == "assistant" and said.kind.type not in _OF_ANYBODY:
        return None
    is_thin = said.kind.type == _FACT and len(said.told) < _LEAST_TOLD
    return None if is_thin else said.kind.type


def _is_long(said: Iterable[Said]) -> bool:
    stated = " ".join(
        each.text for each in said if not (each.sentence.asks or each.sentence.is_note)
    )
    return len(words_of(stated)) >= _LEAST_WORDS or len(HAN.findall(stated)) >= _LEAST_HAN


def _best(heard: Sequence[_Heard], room: int, *, is_hard: bool) -> list[_Heard]:
    """Return the turns that become atoms, in order: the worthiest, and those of a known kind."""
    ranked = sorted(heard, key=lambda each: (-each.worth, each.turn.id))
    best = ranked[: max(room, 0)]
    if not is_hard:
        firm = (each for each in ranked[room:] if any(_type_of(s, each.turn) for s in each.said))
        best += firm
    chosen = {id(each) for each in best}
    return [each for each in heard if id(each) in chosen]


# Atoms.


def _parted(kept: Sequence[_Heard], spare: int) -> list[_Part]:
    """Return the parts of the turns, in order.

    While there are pairs to *spare*, a turn that states things of several types becomes an atom for
    each, the worthiest first; else one of all of it, of the type of its first statement.
    """
    split: dict[int, list[_Part]] = {}
    for each in sorted(kept, key=lambda each: (-each.worth, each.turn.id)):
        parts = _by_type(each)
        if len(parts) > 1 and len(parts) - 1 <= spare:
            spare -= len(parts) - 1
            split[id(each)] = parts
    return [part for each in kept for part in split.get(id(each)) or [_whole(each)]]


def _whole(heard: _Heard) -> _Part:
    types = (_type_of(each, heard.turn) for each in heard.said)
    return _Part(heard, heard.said, next(filter(None, types), _FACT))


def _by_type(heard: _Heard) -> list[_Part]:
    grouped: dict[str, list[Said]] = {}
    rest: list[Said] = []
    for each in heard.said:
        found = _type_of(each, heard.turn)
        (grouped.setdefault(found, []) if found else rest).append(each)
    tells_more = own_words(rest) >= _LEAST_OWN and _is_long(rest)
    if tells_more or not grouped:
        grouped.setdefault(_FACT, []).extend(rest)
    return [_Part(heard, tuple(said), found) for found, said in grouped.items()]


def _decision(part: _Part) -> Decision | None:
    heard, turn = part.heard, part.heard.turn
    content = composed(part.said, heard.speech)
    if not content:
        return None
    stated = [each for each in part.said if each.kind is not None]
    is_of_speaker = part.type in _OF_ONESELF or any(is_own(each.text) for each in part.said)
    attribute = _attribute(part)
    why = (
        f"states {_ARTICLE.get(part.type, 'a')} {part.type}" if stated else "tells much that is new"
    )
    return Decision(
        "add",
        content,
        part.type,
        (turn.id,),
        subject=turn.actor if is_of_speaker else None,
        entity=(turn.actor or heard.speech.name) if attribute else None,
        attribute=attribute,
        why=why,
    )


_ARTICLE = {"instruction": "an", "identity": "an", "environment": "an"}


def _attribute(part: _Part) -> str | None:
    """Return the attribute, where the atom is of one sentence and of somebody known."""
    stated = [each for each in part.said if not each.sentence.asks and each.told]
    kind = stated[0].kind if len(stated) == 1 else None
    return kind.attribute if kind is not None and part.heard.is_named else None


def _unite(decided: dict[str, tuple[Decision, Turn]], decision: Decision, turn: Turn) -> None:
    """Put *decision* among the decided; the same statement again gives it more evidence."""
    said = statement(decision.content)
    if said not in decided:
        decided[said] = decision, turn
        return
    first, first_turn = decided[said]
    evidence = tuple(dict.fromkeys(first.evidence + decision.evidence))
    decided[said] = dataclasses.replace(first, evidence=evidence), first_turn
