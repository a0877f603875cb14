"""Tables of rules that put one wording in the place of others."""

# Most rules have nothing to do with most texts. So each names the words, or for a script without
# blanks the sign, without which it cannot apply; a text is searched for these alone, and a pattern
# is compiled when it is first needed.

import re
from collections.abc import Callable, Sequence, Set
from functools import cache

Match = re.Match[str]
# The words of which one must be there, or the sign; what is said; and what for it, as a template
# of `re.sub` or as a function.
Rule = tuple[str, str, str | Callable[[Match], str]]

compiled = cache(re.compile)


class Wordings:
    """Rules for a language whose words stand apart, applied in the order of the table."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules
        self._by_word: dict[str, list[int]] = {}
        for at, (words, _, _) in enumerate(rules):
            for word in words.split():
                self._by_word.setdefault(word, []).append(at)

    def applied(self, text: str, words: Set[str]) -> str:
        """Return *text*, which is made of *words*, as the rules would have it."""
        hit = self._by_word.keys() & words
        for at in sorted({at for word in hit for at in self._by_word[word]}):
            _, pattern, stands = self._rules[at]
            text = compiled(pattern).sub(stands, text)
        return text


def applied_by_sign(rules: Sequence[Rule], text: str) -> str:
    """Return *text* as *rules* with signs would have it, each applied to what the others left."""
    for sign, pattern, stands in rules:
        if sign in text:
            text = compiled(pattern).sub(stands, text)
    return text
