"""Themes: which atoms belong together, by the words that few others have."""

# A theme is what atoms of one partition share: a tag, an entity, or a word that says something and
# that neither one of them alone has nor too many.

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from heapq import heapify, heappop, heappush

from agent_memory_os.model import Memory
from agent_memory_os.noun import Noun
from agent_memory_os.pure.concept import terms
from agent_memory_os.pure.layer import SCENE
from agent_memory_os.pure.revision import Titled
from agent_memory_os.pure.text import index_terms

LEAST = 3  # atoms of a theme
_RARE_SHARE = 0.04  # of the atoms that are looked at: a word that more of them have says little
_TITLE_WORDS = 3
_LOOKED_AT = 1_000  # characters of an atom
_NAMED = "#"  # begins what somebody named: a tag, or an entity
_MONTHS = "January February March April May June July August September October November December"
_OWNING = re.compile(r"['’]s\b")
_DAY = re.compile(r"(\d{4})-(\d{2})-\d{2}")
# Words of every subject.
_COMMON = """
    able add ago appreciate area ask aspect attend aware base basis beautiful become begin believe
    best better big bit bring build busy buy calm care catch cause challenge chance change chat
    check choose close come complete confident connect consider continue cool couple course create
    current currently curious daily day deal decide decided decision definitely describe determine
    determined develop different difficult difference discover discuss discussed doubt dream early
    easy effort emphasize encourage end enjoy enjoyed enjoying enough enthusiastic especially event
    ever every excellent excite excited experience explain explore express face fact fan favorite
    favourite feel feeling felt find fine first follow forward found free fresh full fun future gain
    gave get give glad goal good got grateful great group grow guy hand happen happy hard haven't
    hear heard help helped helpful high hold honest hope hoping huge idea imagine impact important
    impressive improve include incredible inspire inspired inspiring instead interest interested
    interesting involve involved issue item job join journey joy keep kind know last late lately
    later lead learn learned left let level life like likely little live lives living local long
    look looking lot love loved loves low made main make manage many matter maybe mean meaningful
    meet member memory mention mentioned mind miss moment month months more morning motivate move
    much name near necessary need new news nice night normal note number offer often okay old one
    open opportunity option order overall own part particular particularly passion passionate past
    path pay people perfect person personal place plan planning plans plenty point positive
    possible powerful prefer prefers present pretty process progress proud provide pursue pursuing
    push put quick quite reach ready real realize really reason recent recently recommend reflect
    regular relate relax remember remind reminder remove request require result reward right role
    room run said saw say search second see seem self sense sent serve set several share shared
    shares sharing she show side sign similar simple simply single situation skill small someone
    something sometimes soon sort sound space special specific spend spent spread staff stand start
    started state stay step stick still stop story strong struggle stuff success successful suggest
    support supportive sure surprise take takes taking talk team tell thank thankful thing things
    think thinks third thought thrill time today together told tomorrow tonight took top total touch
    tough trip true trust try trying turn two type understand unique update use used useful user
    uses using usual usually value various view visit wait walk want wants watch way week weekend
    weeks well willing wish wonder wonderful word work worked working works world worry worth year
    years yesterday
    用户 我们 他们 她们 自己 喜欢 现在 今天 昨天 明天 以后 一个 这个 那个 什么 时候
    可以 没有 不要 需要 觉得 知道 每天 已经 因为 所以
"""


class Group(Noun):
    """Atoms that belong together.

    Attributes:
        ids: of them, in the order of their moments.
        into: the id of a scene that they join; None for a new one.
    """

    ids: tuple[str, ...]
    into: str | None = None


class Theme(Noun):
    """A scene that others may join.

    Attributes:
        id: of the scene.
        room: how many more it may hold.
        lines: what it says.
    """

    id: str
    room: int
    lines: tuple[str, ...]


def grouped(
    atoms: Sequence[Memory], scenes: Sequence[Theme], *, most: int
) -> tuple[list[Group], list[Memory]]:
    """Return which of *atoms* belong together, each in one group, and those that share nothing.

    First they join *scenes* with which they share what at least half of the lines share. Of the
    others the largest number that share a theme become a scene, at most *most* of them and at least
    three, then the next, until nothing is shared; of equal ones that whose word comes first in the
    alphabet.
    """
    names = _names(*(each for atom in atoms for each in (atom.subject, atom.actor, atom.owner)))
    words = {atom.id: _keys(atom, names) for atom in atoms}
    found, left = _joined(atoms, words, scenes)
    while True:
        themes = _themes(left, words, most=most)
        if not themes:
            break
        found += themes
        placed = {each for theme in themes for each in theme.ids}
        left = [atom for atom in left if atom.id not in placed]
    return found, left


def _keys(atom: Memory, names: frozenset[str]) -> frozenset[str]:
    """Return what an atom may share with others: tags, its entity, and words that say something.

    None of *names*: who it is that speaks is no theme.
    """
    named = [*atom.tags, *([atom.entity] if atom.entity not in (None, atom.subject) else [])]
    return frozenset(
        {f"{_NAMED}{name}" for name in named}
        | {term for term in _telling(atom.content) if term not in names}
    )


def title(lines: Sequence[str], notes: Sequence[str], *, names: Sequence[str] = ()) -> str:
    """Return the words that at least half of *lines* share, else the month that *notes* tell of.

    Not those of *names*, nor of the *notes*: of whom and by whom they are, goes without saying.

    >>> title(["Ana fires pots.", "Her class for pots.", "Pots sell well."], [])
    'Pots'
    """
    counts: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for line in lines:
        words = _telling(line)
        counts.update(words.keys())
        for term, word in words.items():
            shown.setdefault(term, word)
    order = {term: place for place, term in enumerate(shown)}
    enough = max(2, (len(lines) + 1) // 2)
    known = _names(*names, *(note.partition(", ")[2] for note in notes))
    shared = [term for term in counts if counts[term] >= enough and term not in known]
    shared.sort(key=lambda term: (-counts[term], order[term]))
    words_ = ", ".join(shown[term] for term in shared[:_TITLE_WORDS])
    return words_[:1].upper() + words_[1:] if words_ else _of_month(notes)


def titled(scene: Memory) -> Titled | None:
    """Return what makes the title of a scene of its lines; None for a persona, which has a name."""
    if scene.layer != SCENE:
        return None
    return partial(title, names=(scene.subject or "", scene.owner))


def _of_month(notes: Iterable[str]) -> str:
    months = sorted(found.groups() for note in notes for found in [_DAY.match(note)] if found)
    if not months:
        return "Notes"
    first, last = months[0], months[-1]
    names = _MONTHS.split()
    begun, ended = (f"{names[int(month) - 1]} {year}" for year, month in (first, last))
    return f"Notes of {begun}" if begun == ended else f"Notes of {begun} to {ended}"


def _joined(
    atoms: Sequence[Memory], words: Mapping[str, frozenset[str]], scenes: Sequence[Theme]
) -> tuple[list[Group], list[Memory]]:
    """Return which atoms join which scene, and those that join none."""
    leads: dict[str, list[tuple[int, int]]] = {}  # of a word: how many lines have it, in which
    for place, scene in enumerate(scenes):
        for term, count in _leads(scene.lines).items():
            leads.setdefault(term, []).append((count, place))
    rooms = [scene.room for scene in scenes]
    joining: dict[int, list[str]] = {}
    left = []
    for atom in atoms:
        shared: Counter[int] = Counter()
        for term in words[atom.id]:
            for count, place in leads.get(term.removeprefix(_NAMED), ()):
                shared[place] += count
        open_ = [place for place in shared if rooms[place] > 0]
        if not open_:
            left.append(atom)
            continue
        best = max(open_, key=lambda place: (shared[place], scenes[place].id))
        rooms[best] -= 1
        joining.setdefault(best, []).append(atom.id)
    return [Group(tuple(ids), into=scenes[place].id) for place, ids in joining.items()], left


def _leads(lines: Sequence[str]) -> dict[str, int]:
    """Return what at least half of *lines* share, and two of them."""
    counts = Counter(term for line in lines for term in _telling(line))
    enough = max(2, (len(lines) + 1) // 2)
    return {term: count for term, count in counts.items() if count >= enough}


def _themes(
    atoms: Sequence[Memory], words: Mapping[str, frozenset[str]], *, most: int
) -> list[Group]:
    holders: dict[str, list[Memory]] = {}
    for atom in atoms:
        for term in words[atom.id]:
            holders.setdefault(term, []).append(atom)
    rare = max(2 * most, int(_RARE_SHARE * len(atoms)))
    heap = [
        (not term.startswith(_NAMED), -len(held), term)
        for term, held in holders.items()
        if len(held) >= LEAST and (len(held) <= rare or term.startswith(_NAMED))
    ]
    heapify(heap)
    placed: set[str] = set()
    found = []
    while heap:
        rank, count, term = heappop(heap)
        left = [atom for atom in holders[term] if atom.id not in placed]
        if len(left) < LEAST:
            continue
        if len(left) < -count:
            heappush(heap, (rank, -len(left), term))
            continue
        # Two scenes of like size rather than one that is full and one of what is left.
        pieces = -(-len(left) // most)
        ids = tuple(atom.id for atom in left[: -(-len(left) // pieces)])
        placed.update(ids)
        found.append(Group(ids))
        if pieces > 1:
            heappush(heap, (rank, len(ids) - len(left), term))
    return found


def _telling(content: str) -> dict[str, str]:
    """Return the words of *content* that say something, as they are found, and as they are shown.

    Of what is not written with blanks these are pairs of characters.
    """
    common = _common()
    found: dict[str, str] = {}
    for term, word in terms(_OWNING.sub("", content[:_LOOKED_AT])).items():
        is_long = len(term) > 2 or not term.isascii()
        if is_long and term not in common and word.casefold() not in common:
            found[term] = word
    return found


@cache
def _common() -> frozenset[str]:
    words = _COMMON.split()
    return frozenset(words) | {term for word in words for term in index_terms(word)}


def _names(*of: str | None) -> frozenset[str]:
    return frozenset(
        term
        for each in of
        if each is not None
        for term in index_terms(each.partition(":")[2] or each)
    )
