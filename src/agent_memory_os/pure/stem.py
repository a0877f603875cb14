"""English stems, so that "went", "going" and "goes" meet in one term."""

from agent_memory_os.pure.irregular import APART, IRREGULAR

_LONGEST = 32  # letters; what is longer is no English word
_SHAPE = str.maketrans(
    {letter: "v" if letter in "aeiou" else "c" for letter in "abcdefghijklmnopqrstuvwxyz"}
)

# Suffix, replacement: the first whose suffix fits decides, also when its condition then fails.
_STEP_2 = (
    ("ational", "ate"),
    ("ization", "ize"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("iveness", "ive"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("entli", "ent"),
    ("ousli", "ous"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("abli", "able"),
    ("alli", "al"),
    ("ator", "ate"),
    ("logi", "log"),
    ("eli", "e"),
)
_STEP_3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ness", ""),
    ("ful", ""),
)
_BRITISH = ("ise", "iser", "isation")
_STEP_4 = (
    *("ement", "ance", "ence", "able", "ible", "ment"),
    *("ant", "ent", "ion", "ism", "ate", "iti", "ous", "ive", "ize"),
    *("al", "er", "ic", "ou"),
)

# What the steps below look for at the end of a word, besides a single e, i or y.
_ENDINGS = frozenset(
    {"ed", "ng", "ll"}
    | {suffix[-2:] for suffix, _ in (*_STEP_2, *_STEP_3)}
    | {suffix[-2:] for suffix in (*_STEP_4, *_BRITISH)}
)

Rules = dict[str, list[tuple[str, str]]]


def _by_ending(rules: tuple[tuple[str, str], ...]) -> Rules:
    """Return the rules that can fit a word, by its last two letters: most words meet none."""
    found: Rules = {}
    for suffix, replacement in rules:
        found.setdefault(suffix[-2:], []).append((suffix, replacement))
    return found


_SPECIAL = APART.keys() | IRREGULAR.keys()
_SECOND, _THIRD = _by_ending(_STEP_2), _by_ending(_STEP_3)
_FOURTH = _by_ending(tuple((suffix, "") for suffix in _STEP_4))


def stem(word: str) -> str:
    """Return the stem of *word*, a word in lower-case ASCII letters.

    Irregular forms go to their base first, then suffixes leave. British "-ise" and American
    "-ize" meet, and so do "injury" and "injured". A stem is a code, not a word: "organisation"
    and "organize" give "organ".

    Source: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980; "-ly" after
        certain letters as in his later English stemmer (snowballstem.org).
    """
    if word in _SPECIAL:
        if word in APART:
            return APART[word]
        word = IRREGULAR[word]
    if not 2 < len(word) <= _LONGEST:
        return word
    if word[-1] == "s":
        word = _without_plural(word)
    if word[-2:] not in _ENDINGS and word[-1] not in "eyi":
        return word  # most words: no step below fits them
    if word[-1] in "dg":
        word = _without_ending(word)
    if word[-1] == "y" and "v" in _shape(word[:-1]):
        word = word[:-1] + "i"
    if word[-2:] in _ENDINGS:
        word = _without_suffixes(word)
    return _without_final_i(_without_final_e(word))


def _without_suffixes(word: str) -> str:
    """Return *word* without what the middle steps take off, such as "-ization" and "-ly"."""
    if word[-1] == "i":
        word = _without_li(word)
    if word[-1] in "ern":
        word = _americanised(word)
    return _without_suffix(_replaced(_replaced(word, _SECOND), _THIRD))


def _shape(word: str) -> str:
    """Return *word* with v for each vowel and c for each consonant; y after a consonant is v."""
    shape = word.translate(_SHAPE)
    at = word.find("y", 1)
    while at > 0:
        if shape[at - 1] == "c":
            shape = f"{shape[:at]}v{shape[at + 1 :]}"
        at = word.find("y", at + 1)
    return shape


def _measure(word: str) -> int:
    """Return how often a vowel is followed by a consonant in *word*."""
    return _shape(word).count("vc")


def _is_short_syllable(word: str) -> bool:
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _without_plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-2]
    return word if word.endswith("ss") else word[:-1]


def _without_ending(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    if word.endswith("ed"):
        base = word[:-2]
    elif word.endswith("ing"):
        base = word[:-3]
    else:
        return word
    if "v" not in _shape(base):
        return word
    if base.endswith(("at", "bl", "iz")) or (base.endswith("is") and _measure(base) > 1):
        return base + "e"
    if len(base) > 1 and base[-1] == base[-2] and base[-1] not in "aeioulsz":
        return base[:-1]
    if _measure(base) == 1 and _is_short_syllable(base):
        return base + "e"
    return base


def _without_li(word: str) -> str:
    """Return "quick" for "quickli", which was "quickly"; "early" is too short to be meant."""
    is_adverb = word.endswith("li") and len(word) > 5 and word[-3] in "cdghkmnrt"
    return word[:-2] if is_adverb and not word.endswith("entli") else word


def _americanised(word: str) -> str:
    """Return *word* with "-ize" for "-ise"; "rise" and "wise" are too short to be meant."""
    if not word.endswith(_BRITISH):
        return word
    suffix = next(suffix for suffix in _BRITISH if word.endswith(suffix))
    base = word[: -len(suffix)]
    return f"{base}iz{suffix[2:]}" if _measure(base + "is") > 1 else word


def _replaced(word: str, rules: Rules) -> str:
    for suffix, replacement in rules.get(word[-2:], ()):
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            return base + replacement if _measure(base) else word
    return word


def _without_suffix(word: str) -> str:
    for suffix, _ in _FOURTH.get(word[-2:], ()):
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            if _measure(base) < 2 or (suffix == "ion" and base[-1] not in "st"):
                return word
            return base
    return word


def _without_final_i(word: str) -> str:
    """Return "injur" for "injuri", as "injured" gives; "-tory" stays apart from "-tor"."""
    is_long = len(word) > 5 and word[-1] == "i" and word[-2] not in "aeiou"
    return word[:-1] if is_long and not word.endswith("tori") else word


def _without_final_e(word: str) -> str:
    if word[-1] == "e":
        base = word[:-1]
        count = _measure(base)
        if count > 1 or (count == 1 and not _is_short_syllable(base)):
            word = base
    if word.endswith("ll") and _measure(word) > 1:
        return word[:-1]
    return word
