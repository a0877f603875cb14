"""What a sentence opens with and could do without: "Yeah, thanks, Mel!"."""

import re
from collections.abc import Iterable

_CALLS = (
    r"yeah|yep|yes|yup|nope|no|oh|ooh|wow|whoa|hey|hi|hello|well|so|ok|okay|thanks|thank you|thx"
    r"|aw+|haha|lol|hmm|sure|absolutely|definitely|totally|exactly|cool|great|nice|awesome|amazing"
    r"|anyway|btw|by the way|on another note|congrats|good|right|true|agreed|of course|no problem"
    r"|no worries|good question|good point"
)
_AFTER = r"(?: (?:so much|a lot|again|there|for sure|yeah|thing|man|buddy|everyone|all))?"
_HAN = re.compile(
    "(?:嗯+|哦|噢|好的|是的|对了?|哈+|谢谢(?:你|您)?|你好|您好|嗨|其实|那个|话说)[，,！!。 ]+"
)
_HANGS_ON = re.compile(r"(?:for|to|that|of|on|about)\b")  # "Thanks, Mel, for coming"


def opening(names: Iterable[str]) -> re.Pattern[str]:
    """Return a pattern of what may be left out before a sentence, *names* of those present too."""
    called = "".join(f"|{re.escape(name.lower())}" for name in names if name)
    named = f"(?:,? (?:{called[1:]}))?" if called else ""
    english = rf"(?:(?:{_CALLS}{called}){_AFTER}{named}\s*[,!.~-]+\s*)+(?:(?:and|but|so) )?"
    return re.compile(f"(?:{english}|(?:{_HAN.pattern})+)", re.IGNORECASE)


def without_opening(text: str, pattern: re.Pattern[str]) -> str:
    """Return *text* without what *pattern* matches at its beginning, in a capital."""
    found = pattern.match(text)
    if found is None:
        return text
    rest = text[found.end() :]
    if _HANGS_ON.match(rest):
        return text
    return rest[:1].upper() + rest[1:]
