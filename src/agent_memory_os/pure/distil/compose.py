"""The text of an atom: what a turn states, whole sentences where they fit."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from agent_memory_os.pure.distil.dates import dated
from agent_memory_os.pure.distil.greetings import without_opening
from agent_memory_os.pure.distil.person import standing_alone
from agent_memory_os.pure.distil.sentences import HAN
from agent_memory_os.pure.distil.worth import Said
from agent_memory_os.pure.graphemes import boundary
from agent_memory_os.pure.turns import MOST_CHARS

# What a word counts for when there is room for some sentences only.
_BASE = 0.7
_KNOWN = 6.0  # more for a sentence of a known kind, which is what the atom is for
_LEAST_VALUE = 0.1
_LEAST_ROOM = 40  # characters, for the beginning of a sentence that does not fit
_JOINTS = (", ", "; ", " - ", " and ", " but ", " because ", "，", "；", "、", " ")


class Speech(NamedTuple):
    """Who speaks, and when: what a sentence needs to stand alone.

    *greeting* matches what a sentence may leave out at its beginning.
    """

    name: str | None
    occurred_ms: int | None
    greeting: re.Pattern[str]


def composed(said: Sequence[Said], speech: Speech) -> str:
    """Return the sentences that tell most, in their order, within 200 characters.

    The speaker is called by name, and days are told by their dates. A sentence that does not fit
    ends where a part of it does. Empty where nothing is told.
    """
    heard: set[str] = set()
    chosen: dict[int, str] = {}
    room = MOST_CHARS
    left = list(range(len(said)))
    while left and room > _LEAST_ROOM // 2:
        best = max(left, key=lambda at: (_value(said[at], heard), -at))
        if _value(said[best], heard) < _LEAST_VALUE:
            break
        left.remove(best)
        whole = standing(said[best], speech)
        text = fitted(whole, room - bool(chosen))
        if text and (text == whole or not chosen or len(text) >= _LEAST_ROOM):
            chosen[best] = text
            room -= len(text) + (len(chosen) > 1)
            heard |= said[best].told
    return _joined([chosen[at] for at in sorted(chosen)])


def _value(each: Said, heard: set[str]) -> float:
    share = 0.0 if each.sentence.asks else _BASE + (1 - _BASE) * each.share
    return share * len(each.told - heard) + _KNOWN * (each.kind is not None)


def standing(each: Said, speech: Speech) -> str:
    """Return a sentence so that it can be read without those around it."""
    if each.sentence.is_note:
        return dated(f"({each.text})", speech.occurred_ms)
    bare = without_opening(each.text, speech.greeting)
    text = dated(standing_alone(bare, speech.name), speech.occurred_ms)
    return text[:1].upper() + text[1:]


def _joined(texts: Sequence[str]) -> str:
    joined = ""
    for text in texts:
        is_apart = joined and not HAN.match(joined[-1]) and joined[-1] not in "。！？；"
        joined += f" {text}" if is_apart else text
    return joined


def fitted(text: str, room: int) -> str:
    """Return *text*, or its beginning up to a joint and "…", in at most *room* characters."""
    if len(text) <= room:
        return text
    if room < 2:
        return ""
    head = text[: room - 1]
    ends = (head.rfind(joint) for joint in _JOINTS)
    end = next((at for at in ends if at > room * 2 // 3), boundary(text, room - 1))
    return f"{head[:end].rstrip()}…"
