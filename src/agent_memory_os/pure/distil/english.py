"""What kind of statement an English sentence is."""

import re
from functools import cache

from agent_memory_os.pure.distil import english_deeds as deeds
from agent_memory_os.pure.distil import english_self as own
from agent_memory_os.pure.distil.kind import Kind


@cache
def _tables() -> tuple[re.Pattern[str], ...]:
    """Return the patterns of decisions, instructions, preferences and identities.

    What they begin with is looked at first: a pattern of many branches is slow to fail.
    """
    identity = tuple(pattern for pattern, _ in own.IDENTITY)
    return (
        re.compile(f"(?={deeds.DECISION_BEGINS})(?:{'|'.join(deeds.DECISION)})"),
        re.compile("|".join(deeds.INSTRUCTION)),
        re.compile(f"(?={own.PREFERENCE_BEGINS})(?:{'|'.join(own.PREFERENCE)})"),
        re.compile(f"(?={own.IDENTITY_BEGINS})(?:{'|'.join(identity)})"),
    )


@cache
def _attributes() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), name) for pattern, name in own.IDENTITY if name)


def kind_of(sentence: str) -> Kind | None:
    """Return what kind of statement *sentence* is, or None for none that is known.

    A question is for the caller to leave out.
    """
    low = sentence.lower()
    opening = own.OPENING.match(low)
    start = opening.end() if opening else 0
    said = low[start:]
    decision, instruction, preference, identity = _tables()
    words = set(deeds.LETTERS.findall(said))
    if (
        not deeds.DECIDES.isdisjoint(words)
        and decision.search(said)
        and not deeds.UNDECIDED.search(said)
    ):
        return Kind("decision")
    if _is_order(said, instruction, words):
        return Kind("instruction")
    if not own.PREFERS.isdisjoint(words) and (
        preference.search(said) or own.FAVOURITES.search(said)
    ):
        return Kind("preference", _favourite(said))
    own_name = own.OWN_NAME.search(sentence[start:])
    if own_name is not None and own_name["name"].split()[0].lower() not in own.FEELINGS:
        return Kind("identity", "name")
    if not own.OF_ONESELF.isdisjoint(words) and identity.search(said):
        return Kind("identity", _attribute(said))
    return _of_the_world(sentence[start:], said, words)


def _is_order(said: str, instruction: re.Pattern[str], words: set[str]) -> bool:
    first = said.partition(" ")[0]
    if first in deeds.NO_OPENING and not _obliges(first, said, words):
        return False
    bare = said.removeprefix("please ").removeprefix("please, ")
    if deeds.NO_ORDER.match(bare):
        return False
    if instruction.search(said):
        return True
    plain = deeds.PLAIN_ORDER.match(said)
    if plain is None:
        return False
    rest = plain["rest"].split()
    if first not in deeds.UNORDERED:
        return len(rest) > 1
    return (
        len(rest) >= deeds.ORDERED_BY
        and rest[0] not in deeds.NO_OBJECT
        and words.isdisjoint(deeds.WISHES)
    )


def _obliges(first: str, said: str, words: set[str]) -> bool:
    """Return whether what opens as no order may still say what must be, or what "you" are to do."""
    if not deeds.OBLIGES.isdisjoint(words) or "to be " in said:
        return True
    if "me" in words and not deeds.CALLS.isdisjoint(words):
        return True
    return first[0] in "iy" and "you" in words


def _favourite(said: str) -> str | None:
    found = own.FAVOURITE.search(said)
    return f"favourite {found['what']}" if found else None


def _attribute(said: str) -> str | None:
    return next((name for pattern, name in _attributes() if pattern.search(said)), None)


def _of_the_world(sentence: str, said: str, words: set[str]) -> Kind | None:
    is_of_you = "you" in words or "your" in words
    if not is_of_you and not deeds.PLACES.isdisjoint(words) and deeds.ENVIRONMENT.search(sentence):
        return Kind("environment")
    if not words.isdisjoint(own.OF_ONESELF) and deeds.EVENT.search(said):
        return Kind("fact")
    if deeds.FIGURE.search(said) and deeds.STATES.search(said):
        return Kind("fact")
    return None
