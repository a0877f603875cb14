"""Topics: what a short statement is looked up by when another may say otherwise."""

# A statement that differs from another in one place begins or ends as it does. So the first two
# words, the last two, and the first with the last, find almost all that the rules of truth would
# compare; a short one is found by each of its words as well.

import re
from functools import lru_cache
from hashlib import blake2b

from agent_memory_os.pure.plainest import spelled
from agent_memory_os.pure.retold import retold
from agent_memory_os.pure.stem import stem
from agent_memory_os.pure.stopwords import STOP_WORDS

MOST_CLAUSES = 4  # what says more is a document
LONGEST_CLAUSE, LONGEST_HAN = 120, 60  # characters; what is longer is a tale, and no statement
LONGEST = MOST_CLAUSES * LONGEST_CLAUSE
_DIGEST_BYTES = 4  # two topics in one cost a look at what has nothing to do with it, and no more
_FEW = 3  # words, up to which each of them is a topic

_ENDS = ",;:，；：。、!?！？\n"  # of a clause, whatever comes next; a full stop is before a blank
# It begins with a set, and looks back for what was met: so a search passes over letters quickly.
_CLAUSES = re.compile(
    rf"[{_ENDS}. ](?:(?<=[{_ENDS}])[{_ENDS}]*\s*|(?<=\.)[.!?]*(?:\s+|$)|(?<= )(?:and|but|so|then) )"
)
_WORDS = re.compile("[a-z0-9_]+(?:[.:'#+/@-]+[a-z0-9_]+)*[+#]*|[\u3400-\u4dbf\u4e00-\u9fff]")
_HAN = "\u3400"
# What a statement may have more or less of, and still be about the same: that it is so now, or no
# longer. What a figure tells anyhow stays where little else is said.
_UNSAID = STOP_WORDS | frozenset(
    "now current currently already no not never longer anymore any more still new got just only"
    " last recently stopped quit years old scheduled planned happening".split()
)
_IMPLIED = frozenset("price cost costs version fee time date".split())
_UNSAID_HAN = re.compile("现在|目前|如今|已经|不再|没有|[不没了别未是的为改新刚]")

Topic = tuple[str, ...]

_stem = lru_cache(4096)(stem)  # statements are made of the same words again and again


def topics(content: str) -> frozenset[Topic]:
    """Return the topics of *content*, as words in order; none where it is no short statement.

    >>> sorted(topics("The deploy port is 8000"))
    [('deploi',), ('deploi', '8000'), ('deploi', 'port'), ('port',), ('port', '8000')]
    """
    if len(content) > LONGEST or "```" in content:
        return frozenset()
    if len(content) > LONGEST_CLAUSE and not _CLAUSES.search(content, 0, LONGEST_CLAUSE + 2):
        return frozenset()  # the first clause is too long already
    clauses = [clause for clause in _CLAUSES.split(content) if clause]
    if len(clauses) > MOST_CLAUSES or any(len(clause) > LONGEST_CLAUSE for clause in clauses):
        return frozenset()
    return frozenset(topic for clause in clauses for topic in _of_clause(clause))


def _of_clause(clause: str) -> set[Topic]:
    words = _content_words(clause)
    if not words:
        return set()
    found: set[Topic] = set()
    if len(words) <= _FEW:
        found |= {(word,) for word in words if not word[0].isdigit()}
    if len(words) > 1:
        found |= {(words[0], words[1]), (words[-2], words[-1]), (words[0], words[-1])}
    return found


def _content_words(clause: str) -> list[str]:
    plain = retold(spelled(clause)).lower()
    if not plain.isascii():
        plain = _UNSAID_HAN.sub("", plain)
        if len(plain) > LONGEST_HAN and any(char >= _HAN for char in plain):
            return []
    words = [word for word in _WORDS.findall(plain) if word not in _UNSAID]
    if not _IMPLIED.isdisjoint(words):
        told = [word for word in words if word not in _IMPLIED]
        words = told if sum(not word[0].isdigit() for word in told) > 1 else words
    return list(dict.fromkeys([_stem(word) if word < "{" else word for word in words]))


@lru_cache(16)  # an add asks twice
def digests(content: str, subject: str | None) -> frozenset[int]:
    """Return the topics of what is said of *subject*, as signed integers of 32 bits."""
    return frozenset(_digest("\x1f".join((subject or "", *topic))) for topic in topics(content))


def of_attribute(entity: str, attribute: str, subject: str | None) -> int:
    """Return the topic of an attribute of an entity, as `digests` gives them."""
    return _digest("\x1e".join((subject or "", entity, attribute)))


@lru_cache(4096)  # and so are their topics
def _digest(text: str) -> int:
    encoded = text.encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(encoded, digest_size=_DIGEST_BYTES).digest(), "big", signed=True)
