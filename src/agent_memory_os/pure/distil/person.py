"""Who speaks becomes who is spoken of: "I moved to Kyoto" of Alice is "Alice moved to Kyoto"."""

import re
from functools import cache

from agent_memory_os.pure.distil.sentences import HAN
from agent_memory_os.pure.irregular import IRREGULAR

_USER, _USER_HAN = "The user", "用户"
# What stands before a colon and is nobody.
_HEADING = (
    r"(?!(?:Note|Notes|NB|PS|Decision|Update|Reminder|FYI|Question|Answer|Todo|TODO|Warning|Summary"
    r"|Conclusion|Plan|Result|Today|Correction|Edit|Verdict|Resolution|Also|Quote|Re)\b)"
)
_LABEL = re.compile(
    rf"\s*{_HEADING}(?P<name>[A-Z][\w'-]{{0,30}}(?: [A-Z][\w'-]{{0,30}})?):"
    r"\s+(?=(?:I|My|We|Our|Please)\b)"
    r"|\s*(?!决[定议策]|结论|备注|注意|提醒|问题?|答|总结|计划|更新|说明)(?P<han>[\u4e00-\u9fff]{1,6})"
    r"[：:]\s*(?=我|请)"
)
_CONTRACTED = {"'m": "is", "'ve": "has", "'ll": "will", "'d": "would"}
_AUXILIARY = {"am": "is", "have": "has", "do": "does", "haven't": "hasn't", "don't": "doesn't"}
# What says the same of anybody: past tense, and words that do not change.
_UNCHANGED = frozenset(
    "was wasn't had hadn't did didn't can can't cannot could couldn't will won't would wouldn't"
    " shall should shouldn't might may must mustn't used ought need't better got to and or but not"
    " put cut hit let set read cost hurt quit shut spread beat bet cast split upset".split()
)
_ADVERBS = frozenset(
    "really also just still always never usually generally normally typically often definitely"
    " absolutely totally actually truly personally mostly especially now particularly already"
    " currently finally recently simply strongly much quite so sometimes even honestly both all"
    " rather very kind of only almost hardly rarely probably certainly too first once then soon"
    " mainly highly sure completely fully deeply greatly seriously kinda sorta constantly"
    " basically".split()
)
_ED = frozenset(
    "need feed speed exceed proceed succeed bleed breed heed seed weed embed shed wed".split()
)
_PARTICIPLE = re.compile(r"(?:been|\w+ed|\w+en|better|gone|done|made|had|got)\Z")
_PLURAL = re.compile(r"\b(?:we|us|our|ours|ourselves)\b|我们|咱们|我俩", re.IGNORECASE)
_SINGULAR = re.compile(
    r"\bI\b|\bi'm\b|\bi\b(?!\.)|\b(?:my|me|mine|myself)\b|我(?!们)", re.IGNORECASE
)
_WORD = re.compile(r"[A-Za-z]+(?:'[a-z]+)?|[^A-Za-z]+")
_HAN_SELF = re.compile("(?<!自)我(?![们国校军方司院行厂党省市县区俩])")


def label(content: str) -> tuple[str | None, str]:
    """Return the name that *content* begins with, as in "Alice: I moved", and the rest of it."""
    found = _LABEL.match(content)
    if found is None:
        return None, content
    return found["name"] or found["han"], content[found.end() :]


def speaker_name(actor: str | None, role: str, text: str) -> str | None:
    """Return how to name who says *text*: by the actor, or as the user; None for nobody known.

    >>> speaker_name("user:alice", "user", "I like tea.")
    'Alice'
    """
    name = (actor or "").partition(":")[2]
    if is_somebody(actor):
        return name.capitalize() if name.isalpha() and name.islower() else name
    if role != "user":
        return None
    return _USER_HAN if HAN.search(text) else _USER


def is_somebody(actor: str | None) -> bool:
    """Return whether *actor* tells who it is, which "user:user" does not."""
    return (actor or "").partition(":")[2] not in ("", "user")


def standing_alone(text: str, name: str | None) -> str:
    """Return *text* with its speaker called *name* in place of "I".

    What is said for several ("we"), and what quotes somebody, is told with the name before it.
    """
    if name is None or not is_own(text):
        return text
    is_of_several = _SINGULAR.search(text) is None
    if is_of_several and name in (_USER, _USER_HAN):
        return text  # "we" of nobody in particular
    if is_of_several or '"' in text:
        return _prefixed(text, name)
    if HAN.search(text):
        return _HAN_SELF.sub(name, text)
    return _renamed(text, name)


def is_own(text: str) -> bool:
    """Return whether *text* speaks of the one who says it."""
    return _SINGULAR.search(text) is not None or _PLURAL.search(text) is not None


def _prefixed(text: str, name: str) -> str:
    return f"{name}：{text}" if HAN.search(text) else f"{name}: {text}"


def _renamed(text: str, name: str) -> str:
    parts = _WORD.findall(text)
    out: list[str] = []
    awaits_verb = False
    for at, part in enumerate(parts):
        low = part.lower()
        base, mark, ending = low.partition("'")
        if base == "i" and (not mark or f"'{ending}" in _CONTRACTED):
            out.append(_opening(name, out))
            awaits_verb = not mark
            if mark:
                out.append(f" {_contracted(ending, parts[at + 1 :])}")
        elif low in _POSSESSIVE:
            known = name in out or _USER.lower() in (word.lower() for word in out)
            again = _AGAIN.get(low) if known else None
            out.append(again or _opening(name, out) + _POSSESSIVE[low])
        elif awaits_verb and part[0].isalpha():
            awaits_verb = low in _ADVERBS
            out.append(part if awaits_verb else _agreeing(part))
        else:
            awaits_verb = awaits_verb and part.isspace()
            out.append(part)
    return "".join(out)


_AGAIN = {"my": "their", "mine": "theirs", "myself": "themself"}  # of whom the sentence has named
_POSSESSIVE = {"my": "'s", "mine": "'s", "me": "", "myself": ""}


def _opening(name: str, before: list[str]) -> str:
    """Return *name* as it stands here: "the user" only begins in capitals."""
    begins = not before or before[-1].rstrip()[-1:] in (".", "!", "?")
    return name if begins or name != _USER else "the user"


def _contracted(ending: str, follows: list[str]) -> str:
    """Return what 'm, 've, 'll or 'd is after a name: "'d been" is had."""
    if ending == "d":
        words = [word.lower() for word in follows[:4] if word[0].isalpha()]
        verb = next((word for word in words if word not in _ADVERBS), "")
        return "had" if _PARTICIPLE.match(verb) else "would"
    return _CONTRACTED[f"'{ending}"]


def _agreeing(verb: str) -> str:
    """Return *verb*, said of "I", as it is said of somebody else."""
    low = verb.lower()
    if low in _AUXILIARY:
        return _AUXILIARY[low]
    is_past = (low.endswith("ed") and low not in _ED) or low in _past_forms()
    if low in _UNCHANGED or is_past or low.endswith(("ing", "'t", "s")):
        return verb
    if low.endswith(("ch", "sh", "x", "z", "o")):
        return verb + "es"
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


@cache
def _past_forms() -> frozenset[str]:
    return frozenset(form for form, base in IRREGULAR.items() if form != base)
