"""What a Chinese text says, clause by clause, each word in its place."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from agent_memory_os.pure.claims import chinese_words as table
from agent_memory_os.pure.claims.chinese_change import changed
from agent_memory_os.pure.claims.chinese_relation import BE, claim_of, head_of
from agent_memory_os.pure.claims.figures import figure, is_figure, measured, units
from agent_memory_os.pure.claims.pieces import Claim, Piece
from agent_memory_os.pure.opposites import is_opposed, is_step
from agent_memory_os.pure.spellings import CURRENCIES, MEASURE_WORDS

_CUT = re.compile("[,;。?\n]|!(?!=)|但是|但|不过(?![敏期关分度夜滤])|而且|因为|由于|所以|因此")
_ASKS = ("?", "吗", "呢")
_ONCE = re.compile("(?<![通超经])过了?\\Z")  # what has been done once
_WEEKDAY = "周[一二三四五六日](?![次回遍])"
_BY_TITLE = re.compile(f"[{table.SURNAMES}][总工哥姐](?=[是在的用住要说会有])")  # 陈总是: no 总是
_NO_WORDS: dict[str, str] = {}

Word = tuple[str, str]  # with what it does; nothing for a word that says what it is about


@dataclass(slots=True)
class _Clause:
    """A clause while it is read."""

    pieces: list[Piece] = field(default_factory=list)
    often: list[Piece] = field(default_factory=list)
    denied: bool = False
    mood: str = ""
    cue: str = ""
    ended: bool = False
    old: tuple[str, ...] = ()
    also: bool = False
    is_about_who: bool = False  # 值班的是小李: the one who is on duty
    is_parted: bool = False  # 用的是Postgres: it uses it
    times: tuple[str, ...] = ()


def chinese(text: str) -> tuple[Claim, ...]:
    """Return the claims of *text*, in its plainest spelling, in order."""
    claims: list[Claim] = []
    for part in filter(str.strip, _CUT.split(text)):
        clause = _read(part)
        if text.endswith(_ASKS):
            clause.mood = "ask"
        if clause.pieces:
            _add(claims, clause)
    return tuple(claims)


# Words.


@cache
def _tokens() -> re.Pattern[str]:
    """Return what finds each figure, each name in other letters, and each run of Han characters."""
    words = {*MEASURE_WORDS, *(unit for unit in units() if unit[0].isalpha())}
    longest_first = sorted(map(re.escape, words), key=len, reverse=True)
    measures = "|".join(("%", "个月", "个小时", "个星期", *longest_first))
    unit = measures.replace("|升|", "|升(?![级到至])|")  # 升级 is to upgrade, and no litre
    sign = r"A-Za-z0-9_./\\@#+~&%*=<>!-"
    return re.compile(
        '"(?P<quoted>[^"]+)"|(?P<title>《[^》]+》)|(?P<code>`[^`]+`)'
        f"|(?P<weekday>每?{_WEEKDAY})"
        r"|(?P<date>\d{4}-\d\d-\d\d|\d{1,2}月\d{1,2}日|\d{1,2}:\d\d)"
        r"|(?P<month>\d{1,2}月)(?!\d)"
        rf"|(?P<ordinal>第\d+(?:{unit})?)"
        r"|(?P<version>v?\d+(?:\.\d+){2,}[-.A-Za-z0-9]*|v\d[A-Za-z0-9.-]*)"
        rf"|(?P<number>(?<![A-Za-z\d.])[-+]?[{CURRENCIES}]?\d+(?:\.\d+)?) ?(?P<unit>{unit})?"
        r"(?![A-Za-z\d]|-\d)"
        rf"|(?P<latin>[{sign}{CURRENCIES}](?:[{sign}:]*[A-Za-z0-9_/+#*%>=-])?)"
        f"|(?P<han>(?:(?!每?{_WEEKDAY})[\u3400-\u4dbf\u4e00-\u9fff])+)|(?P<mark>:)"
        r"|(?P<other>[^\s\w])"
    )


@cache
def _relative_time() -> re.Pattern[str]:
    return re.compile(
        "(?:从|自)?[上下]个?(?:周|月|季度|年)(?![一二三四五六日])(?:起|开始)?"
        "|昨天|明天|最近|去年|明年|前天|后天|本月起|今天起|刚刚"
    )


@cache
def _lexicon() -> dict[str, dict[str, str]]:
    """Return the words of the tables with what they do, by their first character, longest first."""
    roles = dict.fromkeys(table.WHOLE, "whole")
    roles |= dict.fromkeys(table.VERBS, "verb")
    roles |= table.ROLES
    roles |= dict.fromkeys(table.NEW_USES, "new")
    roles |= dict.fromkeys(table.CHANGES, "change")
    roles |= dict.fromkeys(table.LEAVING, "leave")
    roles |= dict.fromkeys((verb + joint for verb, joint in table.SINGLE if joint != "-"), "pair")
    found: dict[str, dict[str, str]] = {}
    for word in sorted(roles, key=len, reverse=True):
        found.setdefault(word[0], {})[word] = roles[word]
    return found


def _words(run: str) -> Iterator[Word]:
    """Yield the words of a run of Han characters, in order."""
    start = 0
    at = 2 if run[0] in "小老阿" or _BY_TITLE.match(run) else 0  # a name may be any character
    while at < len(run):
        known = _lexicon().get(run[at], _NO_WORDS)
        word = next((word for word in known if run.startswith(word, at)), "")
        end = at + max(1, len(word))
        is_noun = known.get(word) == "verb" and run[end : end + 1] in table.NOUN_ENDINGS
        is_noun |= not start and not at and run.startswith(table.COMPOUNDS, end)  # 备份服务器
        is_noun |= word == "为" and at < start + 2  # 华为
        if word and known[word] != "whole" and not is_noun:
            if start < at:
                yield run[start:at], ""
            yield word, known[word]
            start = end
        at = end
    if start < len(run):
        yield run[start:], ""


def _read(text: str) -> _Clause:
    """Return what *text*, one clause, says, each word in its place."""
    clause = _Clause()
    clause.times = tuple(_relative_time().findall(text))
    if clause.times:
        text = _relative_time().sub("", text)
    for match in _tokens().finditer(text):
        if match["han"]:
            words = [*_words(match["han"])]
            for at, (word, role) in enumerate(words):
                rest = words[at + 1 :]
                _take(clause, word, role, rest, before_figure=not rest and match.end() < len(text))
        elif match["mark"]:
            clause.pieces += [BE._replace(text=":")] if clause.pieces else []
        else:
            clause.pieces.append(_typed(match, clause.pieces))
    if clause.denied and not clause.ended and "不" in text and text.endswith("了"):
        clause.ended, clause.cue = True, "不…了"
    if _ONCE.search(text):
        clause.mood = clause.mood or "past"
    _part_state(clause.pieces)
    _put_off(clause)
    return clause


def _typed(match: re.Match[str], pieces: Sequence[Piece]) -> Piece:
    """Return a token that is not Han as a piece."""
    token = match[0].strip()
    if match["number"]:
        return _numbered(match["number"], match["unit"] or "", token, pieces)
    if match["quoted"]:
        return Piece(match["quoted"], "name", token)
    if match["weekday"]:
        return Piece(token[-2:], "weekday", token)
    for kind in ("date", "month", "version"):
        if match[kind]:
            return (
                (figure(token) or Piece(token, kind, token))
                if kind == "date"
                else Piece(token, kind, token)
            )
    if match["ordinal"]:
        return Piece(token, "label", token)
    if match["title"] or (match["latin"] and token.isalpha()):
        return Piece(token.lower(), "name", token)
    return Piece(token, "code", token)


def _numbered(digits: str, unit: str, token: str, pieces: Sequence[Piece]) -> Piece:
    """Return a number as what it measures, or as the name of a thing: 第3步, 工单431, 2023年."""
    before = pieces[-1] if pieces else Piece("", "", "")
    if unit in ("日", "号") and before.kind == "prep":
        return Piece(token, "date", token)  # 6月3日至5日
    if unit in table.ORDINAL_UNITS or (unit == "年" and len(digits) == 4):
        return Piece(token, "label", token)
    if not unit and before.kind == "name":
        return Piece(token, "version", token)
    is_named = before.kind == "word" and not before.det
    if not unit and is_named and not before.key.endswith(table.ATTRIBUTES):
        return Piece(token, "label", token)
    if digits[0] in CURRENCIES:
        return measured(digits[1:], digits[0], token)
    return measured(digits, unit, token)


def _take(
    clause: _Clause, word: str, role: str, rest: Sequence[Word], *, before_figure: bool
) -> None:
    """Take *word* into *clause*, by what it does; *rest* are the words after it."""
    pieces = clause.pieces
    if role in _KEPT:
        pieces += _kept(word, role, rest)
    elif role == "":
        if word not in table.PLACES or not pieces:
            _append(pieces, word)
    elif role == "的":
        _join(clause, rest, before_figure=before_figure)
    elif role == "be":
        pieces += [] if clause.is_parted else [BE._replace(text=word)]
        clause.is_parted = False
    elif role == "how":
        clause.often.append(Piece(word, "word", word))
    elif role == "often":
        clause.often += [Piece("每", "prep", "每"), measured("1", _period(word), word)]
    elif word == "了" and rest and pieces and pieces[-1].det in ("", "verb"):
        clause.mood = clause.mood or "past"  # 见了客户: an act, and done
    elif role in ("must", "may") and pieces and [*rest] == [("的", "的")]:
        pieces.append(Piece(word, "word", word))  # 是必须的
    elif role in ("must", "may") and before_figure:
        pieces.append(Piece("需要", "word", word, "verb"))  # 需要10分钟
    elif role in ("must", "may"):
        clause.mood = clause.mood or role
    elif role in ("maybe", "plan", "past", "ask"):
        clause.mood = role
    elif role == "also":
        clause.also = True
    elif role == "now":
        clause.cue = clause.cue or word
    elif role == "new":
        clause.cue = word
        pieces.append(_new(word))
    elif role == "no more":
        clause.denied, clause.ended, clause.cue = True, True, word
    elif role == "not":
        _deny(clause, word, rest)


def _period(word: str) -> str:
    """Return the unit of time of how often it happens: 天 of 每晚."""
    return {"日": "天", "晚": "天"}.get(word[1:], word[1:])


_KEPT = frozenset("verb change leave pair prep sub contrast".split())


def _kept(word: str, role: str, rest: Sequence[Word]) -> list[Piece]:
    """Return a word that says how the others hang together as pieces."""
    if role == "pair":
        return [Piece(word[:-1], "word", word[:-1], "verb"), Piece(word[-1], "prep", word[-1])]
    if role == "contrast":
        return [Piece("而不是", "sub", word)]
    if role == "sub":
        return [Piece(word, "sub", word)]
    is_act = word == "通过" and (not rest or rest[0][0] == "了")  # else by what something is done
    if role == "prep" and not is_act:
        return [Piece(word, "prep", word)]
    return [Piece(word, "word", word, "verb" if role == "prep" else role)]


def _new(word: str) -> Piece:
    """Return 改用 as 用, which the clause says to be new."""
    bare = table.NEW_USES[word]
    if bare == "为":
        return BE
    is_preposition = table.ROLES.get(bare) == "prep"
    return Piece(bare, "prep" if is_preposition else "word", word, "verb")


def _append(pieces: list[Piece], word: str) -> None:
    """Add *word*, or lengthen the word before it that 的 has joined it to."""
    if pieces and pieces[-1].det == "joins":
        joined = pieces[-1].text + word
        pieces[-1] = Piece(joined, pieces[-1].kind, joined, "the")
    else:
        pieces.append(Piece(word, "word", word))


def _join(clause: _Clause, rest: Sequence[Word], *, before_figure: bool) -> None:
    """Mark the last piece to be joined with the next one: 小王的生日 is one thing."""
    if before_figure and clause.pieces and clause.pieces[-1].text in table.WE:
        del clause.pieces[-1]  # 我们的CEO
    if not clause.pieces or not rest:
        return
    last = clause.pieces[-1]
    if rest[0][1] == "be":
        clause.is_parted = table.VERBS.get(last.key) in ("choose", "prefer", "want")
        clause.is_about_who = not clause.is_parted
    if last.text in table.WE:
        clause.pieces[-1] = Piece("", "word", "", "joins")
    elif last.kind in ("word", "name") and rest[0][1] == "":
        clause.pieces[-1] = last._replace(det="joins")


def _deny(clause: _Clause, word: str, rest: Sequence[Word]) -> None:
    clause.denied = not clause.denied
    if word in table.BE_NOT:
        clause.pieces.append(BE)
    elif word == "没有" and not (rest and rest[0][1] in ("verb", "change", "leave")):
        clause.pieces.append(Piece("有", "word", word, "verb"))
    elif word in table.WAIVED:
        clause.mood = clause.mood or "may"


def _part_state(pieces: list[Piece]) -> None:
    """Read 优先级高 as 优先级 is 高."""
    last = pieces[-1] if pieces else BE
    before = pieces[-2] if len(pieces) > 1 else BE
    if last.kind == before.kind == "word" and not before.det and is_opposed(last.text):
        if not any(piece.kind == "be" or piece.det == "verb" for piece in pieces):
            pieces[-1:] = [BE, last._replace(kind="state")]
        return
    if last.kind != "word" or len(last.text) < 3 or any(piece.kind == "be" for piece in pieces):
        return
    for size in (3, 2, 1):
        thing, state = last.text[:-size], last.text[-size:]
        if thing and (is_opposed(state) or (size > 2 and is_step(state))):
            pieces[-1:] = [Piece(thing, "word", thing), BE, Piece(state, "state", state)]
            return


def _put_off(clause: _Clause) -> None:
    """Put how often it happens at the end: in Chinese it stands before the verb."""
    pieces = clause.pieces
    for at in range(1, len(pieces) - 1):
        if pieces[at - 1].key == "每" and is_figure(pieces[at]):
            clause.often += pieces[at - 1 : at + 1]
            del pieces[at - 1 : at + 1]
            break
    pieces += clause.often


# Clauses.


def _add(claims: list[Claim], clause: _Clause) -> None:
    """Add what *clause* claims to *claims*."""
    pieces = clause.pieces
    last = claims[-1] if claims else None
    if pieces[0].kind == "sub":
        if last is None:
            claims.append(Claim((), mood="maybe"))  # a condition: what follows holds on its terms
        return
    if last is not None and not last.pieces:
        claims.pop()
        clause.mood = clause.mood or last.mood
    elif last is not None and last.head > 0 and _needs_topic(pieces):
        pieces[:0] = last.pieces[: last.head]
    claims.append(_claim(clause))


def _needs_topic(pieces: Sequence[Piece]) -> bool:
    """Return whether a later clause speaks of the topic of the one before: 面积120平方公里."""
    head = head_of(pieces)
    if head < 0:
        head = next((at for at, piece in enumerate(pieces) if is_figure(piece)), 0)
    is_attribute = pieces[0].text.endswith((*table.ATTRIBUTES, *table.TOOLS))
    return head <= 0 or (head == 1 and is_attribute)


def _claim(clause: _Clause) -> Claim:
    pieces = clause.pieces
    at = next((n for n, piece in enumerate(pieces) if piece.key == "而不是"), 0)
    if 0 < at < len(pieces) - 1:
        clause.old = tuple(piece.key for piece in pieces[at + 1 :])
        clause.cue = clause.cue or pieces[at].text
        del pieces[at:]
    claim = claim_of(tuple(pieces), mood=clause.mood, cue=clause.cue)
    return changed(
        replace(
            claim,
            denied=clause.denied,
            cue=clause.cue,
            ended=clause.ended,
            old=clause.old,
            topic_kind="attribute" if clause.is_about_who else claim.topic_kind,
            also=clause.also,
            times=clause.times,
        )
    )
