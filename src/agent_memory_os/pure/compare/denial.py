"""What it means that one claim denies what another says with more words."""

from collections.abc import Iterator, Sequence

from agent_memory_os.pure.claims.english_relation import is_participle
from agent_memory_os.pure.claims.figures import TIMES, is_figure
from agent_memory_os.pure.claims.pieces import SPEAKERS, Claim, Piece
from agent_memory_os.pure.compare.finding import NEGATION, Finding, conflict, update
from agent_memory_os.pure.compare.slots import cut_alike

_HAPPENING = frozenset(("happen", "occur"))
# Words that say when or how often, and not what.
_ADVERBS = frozenset(
    "daily weekly monthly nightly often usually regularly always sometimes occasionally frequently"
    " twice once morning mornings evening evenings night nights weekend weekends afternoon"
    " 早上 上午 中午 下午 晚上 夜里 凌晨 傍晚 周末 经常 常常 常 通常 偶尔 有时 平时"
    " 一般 总 早晨".split()
)


def by_denial(new: Claim, old: Claim) -> Finding | None:
    """Return what it means that one of two claims denies what the other says to be so at times.

    "Never drinks coffee" excludes "drinks coffee every morning"; not the other way round.
    """
    if new.denied == old.denied or new.old or old.old:
        return None
    denying, saying = cut_alike(*((new, old) if new.denied else (old, new)))
    mine, theirs = _bare(denying), _bare(saying)
    more = _more_in(theirs, mine) if len(mine) > 1 - (denying.head == 0) else None
    if more is None or not all(map(_says_when, more)):
        return None
    if new.ended:
        return update(f'"{new.cue}": it was so before')
    return conflict(NEGATION)


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
