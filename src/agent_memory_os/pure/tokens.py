"""An upper estimate of what a text costs a model."""

import re

# One match, one token. Every part of a match is a match too, and the longest comes first, so a
# text never costs more than its parts.
_ASCII = re.compile(
    r" ?[A-Z]?[a-z]{1,6}| ?[A-Z]{1,2}|[0-9]{1,2}| {1,4}|[\n\r]{1,2}|\t{1,2}| ?[!-/:-@\[-`{-~]|[\x00-\x7f]"
)
_OTHER = re.compile("[^\x00-\x7f]+")


def estimate_tokens(text: str) -> int:
    """Return how many tokens *text* costs at most, 0 for the empty text.

    A pair of texts never costs more joined than apart.
    """
    if text.isascii():
        return len(_ASCII.findall(text))
    others = _OTHER.findall(text)
    count = sum(map(len, others))
    octets = sum(len(run.encode("utf-8", "surrogatepass")) for run in others)
    return len(_ASCII.findall(text)) + count + (octets - count) // 2
