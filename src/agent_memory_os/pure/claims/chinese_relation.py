"""What relates the two sides of a Chinese clause, and what that leads to."""

from collections.abc import Sequence
from typing import NamedTuple

from agent_memory_os.pure.claims import chinese_words as table
from agent_memory_os.pure.claims.figures import TIMES
from agent_memory_os.pure.claims.pieces import Claim, Piece

BE = Piece("是", "be", "是")
_AT = ("在", "于")
_CHIEFS = frozenset("CEO CTO CFO COO".split())
_DAYS = (*TIMES, "number:日", "number:号")
_TURNS = frozenset("开启 启用 打开 关闭 禁用 停用 保留 删除".split())  # also what is an act: 限流


class _Relation(NamedTuple):
    """Where a relation stands, where its value begins, its class, whether it has one value."""

    head: int
    value: int
    name: str
    single: bool


def head_of(pieces: Sequence[Piece]) -> int:
    """Return where the relation stands, or -1: 是 before any verb, a verb before a preposition."""
    verb, joint = -1, -1
    for at, piece in enumerate(pieces):
        if piece.kind == "be":
            is_cleft = at + 1 < len(pieces) and pieces[at + 1].det == "verb"  # 是用Go写的
            return at + is_cleft
        if piece.det in ("change", "leave"):
            return at
        if piece.det == "verb":
            is_modal = verb == at - 1 and table.VERBS.get(pieces[verb].key) == "do"
            is_modal &= pieces[verb].key not in _TURNS
            verb = at if verb <= 0 or is_modal else verb
        elif piece.kind == "prep" and joint < 0 and at and piece.key != "每":
            joint = at
    return verb if verb >= 0 else joint


def claim_of(pieces: tuple[Piece, ...], *, mood: str, cue: str) -> Claim:
    """Return the claim of *pieces*."""
    head, value, name, single = _around(pieces) or _relation(pieces, head_of(pieces))
    if name == "be" and _is_role(pieces, head):
        pieces = (
            *pieces[head + 1 :],
            BE,
            *pieces[:head],
        )  # 老李是负责人: the one in charge is 老李
        head = len(pieces) - head - 1
        value = head + 1
    if not mood and head == 0 and pieces[0].det == "verb" and not cue:
        mood = "do"
    return Claim(
        pieces,
        head=head,
        value=value,
        relation=name,
        single=single,
        mood=mood,
        topic_kind=_topic_kind(pieces, head),
    )


def _relation(pieces: Sequence[Piece], head: int) -> _Relation:
    if head < 0:
        return _Relation(-1, 0, "", False)
    piece = pieces[head]
    if piece.kind == "be":
        return _Relation(head, head + 1, "be", False)
    if piece.kind == "prep":
        is_at = piece.key in _AT
        return _Relation(head, head + 1, "at" if is_at else "", is_at)
    after = pieces[head + 1] if head + 1 < len(pieces) else BE
    if after.kind == "prep":
        name = table.SINGLE.get((piece.key, after.key))
        then = pieces[head + 2] if head + 2 < len(pieces) else BE
        is_noun = then.kind in TIMES and not head  # 部署在周五进行
        if name and not is_noun:
            return _Relation(head, head + 2, name, True)
        if after.key in _AT and (head or is_noun):  # 每日同步在9:30: the verb is a noun
            return _Relation(head + 1, head + 2, "at", True)
    name = table.SINGLE.get((piece.key, "-"))
    if name:
        return _Relation(head, head + 1, name, True)
    return _Relation(head, head + 1, table.VERBS.get(piece.key, ""), False)


def _around(pieces: Sequence[Piece]) -> _Relation | None:
    """Return the relation of 在X工作 and 由X负责, and of a time before its verb: 九点开始."""
    for at in range(1, len(pieces)):
        piece = pieces[at]
        if piece.kind == "prep":
            verbs = (verb.text for verb in pieces[at + 2 : at + 5])
            names = (table.AROUND.get((piece.key, verb)) for verb in verbs)
            name = next(filter(None, names), None)
            if name:
                return _Relation(at, at + 1, name, True)
        elif piece.kind in _DAYS and _runs_to_verb(pieces, at):
            has_joint = at > 1 and pieces[at - 1].kind == "prep"
            return _Relation(at - has_joint, at, "time", True)
    return None


def _runs_to_verb(pieces: Sequence[Piece], at: int) -> bool:
    """Return whether after *at* there are only times, up to a verb that has a time."""
    end = at + 1
    while end < len(pieces) and pieces[end].kind in (*TIMES, "prep"):
        end += 1
    if end >= len(pieces):
        return False
    is_last_verb = end == len(pieces) - 1 and table.VERBS.get(pieces[end].key) == "do"
    return pieces[end].key in table.TIMED or is_last_verb


def _is_role(pieces: Sequence[Piece], head: int) -> bool:
    """Return whether what follows 是 is the one of its kind, and what stands before is named."""
    if not 0 < head <= 2 or len(pieces) != head + 2 or pieces[-1].kind not in ("word", "name"):
        return False
    role = pieces[-1].text
    if pieces[-1].kind == "name":
        return role.upper() in _CHIEFS and not pieces[head - 1].text.isascii()
    ending = max((end for end in table.ATTRIBUTES if role.endswith(end)), key=len, default=role)
    is_of = pieces[-1].det == "the" or len(role) - len(ending) > 2  # else a trade: 产品经理
    is_one = (is_of and ending != role) or role.startswith(table.ONE)
    return is_one and not pieces[head - 1].text.endswith((*table.ATTRIBUTES, *table.TOOLS))


def _topic_kind(pieces: Sequence[Piece], head: int) -> str:
    """Return what kind of thing a clause is about; see `Claim`."""
    topic = [piece for piece in pieces[: max(head, 0)] if piece.kind != "prep" and piece.text]
    if not topic:
        is_version = len(pieces) > 1 and pieces[0].kind == "version"
        return "version" if is_version and pieces[-1].key in table.CURRENT else ""
    noun, verb = topic[-1], pieces[head]
    if verb.key in table.HEADING:
        return "heading"
    if noun.kind == "version":
        return "version" if verb.key in table.CURRENT else ""
    if noun.text.endswith(table.MANY) and not noun.text.endswith(("男朋友", "女朋友")):
        return "many"
    is_entry = verb.text in (":", "=") and (len(topic) > 1 or len(noun.text) > 3)
    is_one = any(one in noun.text for one in table.ONE)
    if noun.text.endswith(table.ATTRIBUTES) or is_one or is_entry:
        return "attribute"
    if noun.text.endswith(table.TOOLS):
        return "tool"
    return "thing" if noun.det == "the" else ""
