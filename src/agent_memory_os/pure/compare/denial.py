"""What it means that one claim denies what another says with more words."""

from collections.abc import Iterator, Sequence

from agent_memory_os.pure.claims.english_relation import is_participle
from agent_memory_os.pure.claims.figures import TIMES, is_figure
from agent_memory_os.pure.claims.pieces import SPEAKERS, Claim, Piece
from agent_memory_os.pure.compare.finding import NEGATION, Finding, conflict, update
from agent_memory_os.pure.compare.slots import cut_alike

_ONLY = frozenset(("onli", "only"))
_HAPPENING = frozenset(("happen", "occur"))
# Words that say when or how often, and not what.
_ADVERBS = frozenset(
    "daily weekly monthly nightly often usually regularly always sometimes occasionally frequently"
    " twice once morning mornings evening evenings night nights weekend weekends afternoon weekday"
    " weekdays planned scheduled due booked start starts begins end ends"
    " 早上 上午 中午 下午 晚上 夜里 凌晨 傍晚 周末 经常 常常 常 通常 偶尔 有时 平时"
    " 一般 总 早晨 定 安排 约".split()
)
# What names a kind, by what is of it: whoever has no sibling has no brother.
_KINDS = {
    "sibl": frozenset("brother sister".split()),
    "pet": frozenset("cat dog hamster rabbit parrot".split()),
    "children": frozenset("son daughter kid child".split()),
    "child": frozenset("son daughter kid children".split()),
    "kid": frozenset("son daughter child children".split()),
    "兄弟姐妹": frozenset("哥哥 弟弟 姐姐 妹妹".split()),
    "孩子": frozenset("儿子 女儿".split()),
    "宠物": frozenset("猫 狗 仓鼠 兔子 鹦鹉".split()),
}
_OBJECTLESS = frozenset("smoke jog run swim hike cycl climb ski danc bike surf gambl vape".split())


def by_denial(new: Claim, old: Claim) -> Finding | None:
    """Return what it means that one of two claims denies what the other says to be so at times.

    "Never drinks coffee" excludes "drinks coffee every morning"; not the other way round.
    """
    if new.denied == old.denied or new.old or old.old:
        return None
    denying, saying = cut_alike(*((new, old) if new.denied else (old, new)))
    mine = _bare(denying)
    if not mine:
        return None  # it says that something is over, and not what
    theirs = _of_kind(_bare(saying), denying)
    least = 1 - (denying.head == 0 or (denying.ended and denying.head < 0))
    if denying.ended and mine[-1].kind == "be" and mine[-1:] != theirs[len(mine) - 1 : len(mine)]:
        mine = mine[:-1]  # what is no longer does not end later
    more = _more_in(theirs, mine) if len(mine) > least else None
    if more is None or not (all(map(_says_when, more)) or _denies_all(denying)):
        return None
    if new.ended:
        return update(f'"{new.cue}": it was so before')
    return conflict(NEGATION)


def by_limit(new: Claim, old: Claim) -> Finding | None:
    """Return what it means that one says "only on weekends" of what the other says of each day."""
    cut = cut_alike(new, old)
    both = [[piece for piece in claim.pieces if piece.key not in _ONLY] for claim in cut]
    are_limited = [len(both[at]) < len(cut[at].pieces) for at in (0, 1)]
    if new.denied != old.denied or are_limited[0] == are_limited[1]:
        return None
    places = enumerate(zip(*both, strict=False))
    size = next((at for at, (one, other) in places if one.key != other.key), 0)
    ends = [pieces[size:] for pieces in both]
    if size < 2 or not all(end and _says_how_often(end) for end in ends):
        return None
    return conflict("one says that it is so only then")


def _says_how_often(run: Sequence[Piece]) -> bool:
    return all(
        is_figure(piece) or piece.text.lower() in _ADVERBS for piece in run if piece.kind != "prep"
    )


def is_done(claim: Claim) -> bool:
    """Return whether *claim* says that something is done, or was: what was paid is paid."""
    follows = claim.pieces[claim.head + 1 :] if claim.head >= 0 else ()
    is_passive = bool(follows) and claim.pieces[claim.head].kind == "be"
    return is_passive and is_participle(follows[0].text.lower())


def _bare(claim: Claim) -> Sequence[Piece]:
    """Return the pieces of *claim* without "we", and without "happen" after an act."""
    pieces = list(claim.pieces)
    if claim.head == 1 and claim.verb in _HAPPENING:
        del pieces[1]
    elif claim.head == 1 and pieces[0].key in SPEAKERS:
        del pieces[0]
    return [
        piece
        for at, piece in enumerate(pieces)
        if piece.kind != "prep" or at + 1 == len(pieces) or pieces[at + 1].kind not in TIMES
    ]


def _of_kind(pieces: Sequence[Piece], denying: Claim) -> Sequence[Piece]:
    """Return *pieces* with the kind that is denied for what is of it: a sibling for a brother."""
    last = denying.pieces[-1].key
    kinds = _KINDS.get(last, frozenset())
    return [piece._replace(key=last) if piece.key in kinds else piece for piece in pieces]


def _denies_all(denying: Claim) -> bool:
    """Return whether nobody does at all what *denying* says to be over: "stopped smoking"."""
    is_last = denying.head == len(denying.pieces) - 1 == 1
    return denying.ended and is_last and denying.verb in _OBJECTLESS


def _more_in(pieces: Sequence[Piece], fewer: Sequence[Piece]) -> list[Sequence[Piece]] | None:
    """Return what stands between *fewer* in *pieces*, run by run; None where some is missing."""
    runs, left = [], list(fewer)
    for run, piece in _runs(pieces, left):
        runs += [run] if run else []
        if piece is not None:
            left.pop(0)
    return None if left else runs


def _runs(
    pieces: Sequence[Piece], left: Sequence[Piece]
) -> Iterator[tuple[Sequence[Piece], Piece | None]]:
    run: list[Piece] = []
    for piece in pieces:
        if left and piece.key == left[0].key:
            yield run, piece
            run = []
        else:
            run.append(piece)
    yield run, None


def _says_when(run: Sequence[Piece]) -> bool:
    """Return whether *run* only says when, how often, how many, or on what terms."""
    first = run[0]
    if first.kind == "prep":
        return True
    return all(
        is_figure(piece) or piece.text.lower() in _ADVERBS for piece in run if piece.kind != "prep"
    )
