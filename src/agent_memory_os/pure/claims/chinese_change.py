"""Chinese clauses that tell of a change, as what is so now."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from agent_memory_os.pure.claims import chinese_words as table
from agent_memory_os.pure.claims.chinese_relation import BE
from agent_memory_os.pure.claims.figures import is_figure
from agent_memory_os.pure.claims.pieces import SILENT, Claim, Piece

_FROM, _TAKING, _USING = ("从", "由", "自"), ("把", "将"), ("用", "以", "由")
_CUE_ROLES = ("now", "contrast", "no more")


def changed(claim: Claim) -> Claim:
    """Return *claim* as what is so now, if it tells of a change, else as it is.

    例会从周二改到周四 claims that the meeting is on Thursday, and was on Tuesday before.
    小郭离开华为 claims that what there was between the two has ended.
    """
    pieces = claim.pieces
    at = next((n for n, piece in enumerate(pieces) if piece.det in ("change", "leave")), -1)
    if at < 0 or claim.denied or claim.mood in SILENT:
        return claim
    verb, after = pieces[at], pieces[at + 1 :]
    topic, old = _parted(pieces[:at], _FROM)
    if verb.det == "leave":
        return _left(claim, verb, topic, old or after)
    if verb.key in table.REPLACING:
        _, using = _parted(pieces[:at], _USING)
        topic, old, after = (), after, using or pieces[:at]
    elif not old:
        topic, old = _parted(pieces[:at], _TAKING)
        topic = (*topic, *old)  # 把X改为Y: X may be the thing, or what was there before
    if len(after) > 1 and after[0].det == "verb" and is_figure(after[1]):
        after = after[1:]  # 改为需要三人审批
    if not after:
        return claim
    topic = tuple(piece for piece in topic if piece.key not in _TAKING)
    return replace(
        _as_now(claim, topic, after, verb),
        relation="change",
        single=True,
        old=tuple(piece.key for piece in old),
        replaces=table.CHANGES[verb.key],
    )


def _as_now(claim: Claim, thing: Sequence[Piece], said: Sequence[Piece], verb: Piece) -> Claim:
    """Return *claim* as "*thing* is *said*"."""
    return replace(
        claim,
        pieces=(*thing, BE, *said),
        head=len(thing),
        value=len(thing) + 1,
        mood="",
        cue=verb.text,
    )


def _parted(
    pieces: Sequence[Piece], openers: Sequence[str]
) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Return what stands before the first of *openers*, and what after it."""
    at = next((n for n, piece in enumerate(pieces) if piece.key in openers), len(pieces))
    return tuple(pieces[:at]), tuple(pieces[at + 1 :])


def _left(claim: Claim, verb: Piece, topic: Sequence[Piece], named: Sequence[Piece]) -> Claim:
    """Return 离开华为 as the end of what held between the two."""
    if not named:
        return claim  # 旧网关已停用: how it is
    return replace(
        _as_now(claim, topic, named, verb),
        relation="leave",
        denied=True,
        ended=True,
        old=tuple(piece.key for piece in named),
        replaces=tuple(table.LEAVING[verb.key].split()),
    )


@cache
def change_signs() -> re.Pattern[str]:
    """Return what finds a word of which one stands in each statement that tells of a change."""
    cues = {word for word, role in table.ROLES.items() if role in _CUE_ROLES}
    words = {*table.CHANGES, *table.LEAVING, *table.NEW_USES, *cues}
    return re.compile("|".join(sorted(words)) + "|不.*了$")
