"""One spelling for what people type in several: contractions, numbers, dates, times, marks."""

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache, lru_cache
from hashlib import blake2b

from agent_memory_os.pure.identity import has_digit, statement
from agent_memory_os.pure.spellings import (
    ABBREVIATED_DAYS,
    ABBREVIATED_MONTHS,
    AMERICAN,
    CHINESE_DIGITS,
    CHINESE_POWERS,
    CONTRACTED,
    CURRENCIES,
    DAYS,
    MEASURE_WORDS,
    MONTHS,
    NOT_POLITE,
    NUMBER_WORDS,
    ORDINALS,
    POWERS,
    SHOUTED,
    TENS,
)
from agent_memory_os.pure.wording import worded

Pattern = re.Pattern[str]
Match = re.Match[str]

_MOST = 2000  # characters; what is longer is no single statement that somebody types twice
MOST_DIGESTED = 120  # characters, up to which it is looked up by its plainest form
_OPEN, _CLOSE = "\ue000", "\ue001"  # around the number of a piece of code that was set aside
_CODE = re.compile(r"(`+|~{3,}).*?\1|[!-~]*[/\\][!-~]*", re.DOTALL)
_SET_ASIDE = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_CODE_LINES = re.compile(r"\n(?:\t|  )")
_QUOTES = str.maketrans("’‘“”「」", '\'\'""""')

_DECORATION = re.compile(
    r"\s*(?:(?:[-*]\s+|[•·]\s*)(?=[^\W\d_]))?"
    r"(?:(?:note|nb|fyi|reminder|heads[ -]up|备注|注意|提醒)\s?[:：]\s*)?"
    rf"(?:please,?\s+(?=[a-z])|请(?![{NOT_POLITE}])您?(?=\w))?",
    re.IGNORECASE,
)
_PLEASE_AT_END = re.compile(r",? please(?=[.!]?\s*\Z)")

_LATIN = re.compile("[A-Za-z]")
_APART = r"(?![\w@/\\]|[-.:]\w)"  # what comes after a word of prose, and not of an identifier
_LETTERS = re.compile("[A-Za-z]+(?:'[a-z]+)?")
_WORD = re.compile(rf"(?<![\w@#./\\:-])[A-Za-z]+(?:'[a-z]+)?{_APART}")
_PRONOUN_IS = re.compile(
    r"\b([Ii]t|[Tt]hat|[Tt]here|[Hh]ere|[Ww]hat|[Ww]here|[Ww]ho|[Hh]e|[Ss]he)'s"
    r"(?= (?:a|an|the|in|on|at|no|my|your|our|his|her|their|very|too|important|necessary"
    r"|possible|impossible|safe|unsafe|easy|hard|true|false|[a-z]+ing)\b"
    r"| not (?!been\b|got\b|had\b|\w+e[dn]\b))"
)
_CAN_NOT = re.compile(r"\b([Cc])an not\b(?! only| just)")
_TITLE = re.compile(r"(?<=\bMr)\.(?= )|(?<=\b[MD]rs)\.(?= )|(?<=\bDr|\bMs|\bSt)\.(?= )")
_E_MAIL = re.compile(r"(?<![\w-])([Ee])-mail(?=s?\b)")
_SERIAL_COMMA = re.compile(r"(, [^,.;:]{1,40}), (and|or) ")
_BLANK_BEFORE_COMMA = re.compile(r" +,")
_AND = re.compile(r" & ")
_DASH = re.compile(r" [–—] ")

_MONTH = "|".join((*MONTHS, *ABBREVIATED_MONTHS, *(m.lower() for m in MONTHS if len(m) > 5)))
_MONTH_NAMES = {*MONTHS, *(month.lower() for month in MONTHS), *ABBREVIATED_MONTHS}
_DAY_OF_MONTH = r"(\d{1,2})(?:st|nd|rd|th)?"
_DAY_FIRST = re.compile(rf"\b(?:the )?{_DAY_OF_MONTH} (?:of )?({_MONTH})\b\.?(?:,? (\d{{4}})\b)?")
_MONTH_FIRST = re.compile(
    rf"(\b(?:{_MONTH})|\A(?:may|march))\.? (?:the )?{_DAY_OF_MONTH}\b"
    r"(?![:.]\d| ?[ap]\.?m)(?:,? (\d{4})\b)?"
)
_YEAR_FIRST = re.compile(r"(?<![\w./-])(\d{4})([-/])(\d{1,2})\2(\d{1,2})(?![\w/-]|\.\d)")
_CLOCK = re.compile(
    r"\b(\d{1,2})(?:(?:[:.](\d\d))? ?([ap])(?:\.m\.?|m\b)(?![a-z])| o'clock\b)", re.IGNORECASE
)
_NOON = re.compile(r"\b(?<=at )noon\b|\b12 noon\b")
_WEEKDAY = re.compile(rf"\b(?:{'|'.join(day.lower() for day in DAYS)})\b")
_SHORT_WEEKDAY = re.compile(rf"(?<=on |by )({'|'.join(ABBREVIATED_DAYS)})\b\.?")
_SMALL = f"(?:{'|'.join((*NUMBER_WORDS, *TENS, *POWERS))})"
_SPELT = NUMBER_WORDS.keys() | TENS.keys()
_NUMBER = re.compile(
    rf"(?<![\w@#./\\:-])(?!(?:{'|'.join(POWERS)})\b){_SMALL}(?:[ -](?:and )?{_SMALL})*{_APART}"
)
_NOT_A_NUMBER = re.compile(r"\b(?:no|any|every|some|each|the|that|this|which|either|another) \Z")
_THOUSANDS = re.compile(r"(?<![\d.,])(?<![Pp]ort )(?<![Pp]orts )\d{1,3}(?:,\d{3})+(?![\d,]|\.\d*,)")
_SCALED = re.compile(r"(?<![\w.,])(\d+(?:\.\d+)?) (thousand|million|billion)\b")
_SCALED_MONEY = re.compile(rf"([{CURRENCIES}]) ?(\d+(?:\.\d+)?) ?([kKmM])\b")
_ORDINAL_ENDS = frozenset(ordinal.lstrip("0123456789") for ordinal in ORDINALS)
_ORDINAL = re.compile(rf"\b(?:{'|'.join(ORDINALS)})\b")

_HAN = "[\u3400-\u4dbf\u4e00-\u9fff]"
_HAS_HAN = re.compile(_HAN)
_HAN_NUMBER = f"[{''.join(CHINESE_DIGITS)}{''.join(CHINESE_POWERS)}]+"
_HAN_DIGITS = frozenset(CHINESE_DIGITS) | {"十"}
_HAN_BLANK = re.compile(rf"(?<={_HAN}) +| +(?={_HAN})|(?<={_HAN}[,:;!?]) +")
_HAN_WEEKDAY = re.compile("(?:星期|礼拜|禮拜)([一二三四五六日天])")
_HAN_WEEKLY = re.compile("每周([一二三四五六])(?=[次遍回])")  # once a week, and no Monday
_HAN_PERCENT = re.compile(rf"百分之({_HAN_NUMBER})(?:点([{''.join(CHINESE_DIGITS)}]+))?")
_AFTERNOON, _MORNING = "下午|傍晚|晚上|晚间", "凌晨|清晨|早上|早晨|上午"
_HAN_CLOCK = re.compile(
    rf"({_AFTERNOON}|{_MORNING}|中午)?(\d{{1,2}}|{_HAN_NUMBER})"
    rf"(?:(?:点|时)(?:(半)|(\d{{1,2}}|{_HAN_NUMBER})分?|整|钟)?(?![要建原意理注])|:(\d\d)(?!\d))"
)
_HAN_DATE = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(\d{1,2})[日号]")
_HAN_SCALED = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)(万|亿)")
_HAN_COUNT = re.compile(
    rf"(?<![周{''.join(CHINESE_POWERS)}])([十{''.join(CHINESE_DIGITS)}]"
    rf"(?:{_HAN_NUMBER})?)(?={'|'.join(sorted(MEASURE_WORDS, key=len, reverse=True))})"
)


def plainest(text: str) -> str:
    """Return the statement of *text* in its plainest spelling.

    Two texts with the same one say the same, whatever they are about: "don't" is "do not", 8 pm is
    20:00, "five" is 5, 三月五日 is 3月5日, and a blank between Chinese and Latin letters says
    nothing. What might mean something else stays: see SPEC.md, "Truth". Code in backticks, in
    fences and in indented lines stays as it is, and so do addresses and paths.

    >>> plainest("They don't open until 8 pm.") == plainest("they do not open until 20:00")
    True
    """
    return _plainest(text) if _is_prose(text) else statement(text)


def spelled(text: str) -> str:
    """Return the statement of *text* in its plainest spelling, but in its own words."""
    return _spelled(text)[0] if _is_prose(text) else statement(text)


def _is_prose(text: str) -> bool:
    return len(text) <= _MOST and _OPEN not in text and _CODE_LINES.search(text) is None


def said(text: str) -> str:
    """Return what tells apart who says the same.

    What is too long to be one statement is taken as it stands: see `identity.statement`.
    """
    return plainest(text) if len(text) <= MOST_DIGESTED else statement(text)


def digest(text: str) -> int:
    """Return what `said` tells, as a signed integer of 64 bits."""
    encoded = said(text).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(encoded, digest_size=8).digest(), "big", signed=True)


@lru_cache(1024)  # a draft is looked at by the index and by each comparison
def _plainest(text: str) -> str:
    spelled_so, prose, kept = _spelled(text)
    plain = worded(prose)
    return spelled_so if plain == prose else _with_code(statement(plain), kept)


@lru_cache(1024)
def _spelled(text: str) -> tuple[str, str, tuple[str, ...]]:
    """Return *text* as it is plainly spelled, the same without its code, and the code."""
    bare = statement(_undecorated(text))
    kept: list[str] = []

    def set_aside(match: Match) -> str:
        kept.append(match[0])
        return f"{_OPEN}{len(kept) - 1}{_CLOSE}"

    has_code = "`" in bare or "/" in bare or "\\" in bare or "~~~" in bare
    prose = _CODE.sub(set_aside, bare) if has_code else bare
    plain = _plain(prose)
    if plain != prose:
        plain = statement(plain)
    return _with_code(plain, kept), plain, tuple(kept)


def _with_code(prose: str, kept: Sequence[str]) -> str:
    return _SET_ASIDE.sub(lambda match: kept[int(match[1])], prose) if kept else prose


def _undecorated(text: str) -> str:
    """Return *text* without a bullet, a label such as "Note:", and "please"."""
    start = _DECORATION.match(text)
    bare = text[start.end() :] if start else text
    if "please" in bare:
        bare = _PLEASE_AT_END.sub("", bare)
    return bare or text


def _plain(text: str) -> str:
    if not text.isascii():
        text = _DASH.sub(" - ", text.translate(_QUOTES))
        if _HAS_HAN.search(text):
            text = _plain_chinese(text)
            if not _LATIN.search(text):
                return _THOUSANDS.sub(_closed, text) if "," in text else text
    return _plain_english(text)


def _plain_english(text: str) -> str:
    if "'" in text:
        text = _PRONOUN_IS.sub(r"\1 is", text)
    words = set(_LETTERS.findall(text))
    if not _words().keys().isdisjoint(words):
        text = _WORD.sub(_plain_word, text)
    if not words.isdisjoint(_SPELT):
        text = _NUMBER.sub(_spelt_number, text)
    if has_digit(text):
        has_month = not words.isdisjoint(_MONTH_NAMES)
        text = _plain_figures(text, has_month=has_month)
        if "'" in text or not words.isdisjoint(_ORDINAL_ENDS):  # the 1st's
            text = _ORDINAL.sub(lambda match: ORDINALS[match[0]], text)
    if "," in text:
        text = _SERIAL_COMMA.sub(r"\1 \2 ", _BLANK_BEFORE_COMMA.sub(",", text))
    if ". " in text:
        text = _TITLE.sub("", text)
    if "an not" in text:
        text = _CAN_NOT.sub(r"\1annot", text)
    if "-mail" in text:
        text = _E_MAIL.sub(r"\1mail", text)
    if " & " in text:
        text = _AND.sub(" and ", text)
    if "noon" in text:
        text = _NOON.sub("12:00", text)
    if "at midnight" in text:
        text = text.replace("at midnight", "at 00:00")
    if words.isdisjoint(ABBREVIATED_DAYS):
        return text
    return _SHORT_WEEKDAY.sub(lambda match: ABBREVIATED_DAYS[match[1]], text)


def _plain_word(match: Match) -> str:
    word = match[0]
    plain = _words().get(word)
    return word if plain is None else plain


@cache
def _words() -> dict[str, str]:
    """Return what stands for a word, whatever is around it."""
    words = AMERICAN | {word: word.lower() for word in SHOUTED} | {"OK": "ok", "Okay": "ok"}
    words |= {day.lower(): day for day in DAYS}
    for typed, stands in CONTRACTED.items():
        words[typed] = stands
        words[typed.capitalize()] = stands.capitalize()
    return words


def _plain_figures(text: str, *, has_month: bool) -> str:
    """Return *text* with its dates, times and large numbers in one form."""
    if "," in text:
        text = _THOUSANDS.sub(_closed, text)
    if "illion" in text or "thousand" in text:
        text = _SCALED.sub(lambda m: _integer(Decimal(m[1]) * POWERS[m[2]]), text)
    text = _SCALED_MONEY.sub(
        lambda m: m[1] + _integer(Decimal(m[2]) * (1000 if m[3] in "kK" else 1_000_000)), text
    )
    low = text.lower()
    if "am" in low or "pm" in low or ".m" in low or "o'clock" in low:
        text = _CLOCK.sub(_clock, text)
    if "-" in text or "/" in text:
        text = _YEAR_FIRST.sub(lambda m: _date(m[1], int(m[3]), m[4]) or m[0], text)
    if has_month:
        text = _DAY_FIRST.sub(lambda m: _date(m[3], _month(m[2]), m[1]) or m[0], text)
        text = _MONTH_FIRST.sub(lambda m: _date(m[3], _month(m[1]), m[2]) or m[0], text)
    return text


def _closed(match: Match) -> str:
    return match[0].replace(",", "")


def _month(name: str) -> int:
    return MONTHS.index(ABBREVIATED_MONTHS.get(name, name.capitalize())) + 1


def _date(year: str | None, month: int, day: str) -> str:
    """Return a date as 2026-03-05, or as "March 5" without a year; empty if it is none."""
    if not (1 <= month <= 12 and 1 <= int(day) <= 31):
        return ""
    return f"{year}-{month:02}-{int(day):02}" if year else f"{MONTHS[month - 1]} {int(day)}"


def _clock(match: Match) -> str:
    hour, minutes = int(match[1]), match[2] or "00"
    if match[3] is None:
        return f"{hour}:00"
    if not 1 <= hour <= 12 or int(minutes) > 59:
        return match[0]
    return f"{hour % 12 + 12 * (match[3] in 'pP'):02}:{minutes}"


def _integer(value: Decimal) -> str:
    return f"{value.normalize():f}"


def _spelt_number(match: Match) -> str:
    is_pronoun = match[0] == "one"
    if is_pronoun and _NOT_A_NUMBER.search(match.string, max(0, match.start() - 9), match.start()):
        return match[0]
    value = _value(match[0].replace("-", " ").split())
    return match[0] if value is None else str(value)


def _value(words: list[str]) -> int | None:
    """Return the number that *words* spell, or None where they are several or none."""
    total, part, last = 0, 0, 0  # last: what the word before may be followed by, exclusive
    for word in words:
        if word == "and":
            continue
        if word in POWERS:
            power = POWERS[word]
            if not part or (power > 100 and total and total < power):
                return None
            part, last = part * power, 100
            if power > 100:
                total, part, last = total + part, 0, power
            continue
        value = NUMBER_WORDS.get(word, TENS.get(word, 0))
        if part and value >= last:
            return None
        part += value
        last = 10 if word in TENS else 1
        if value >= 10 and word not in TENS:
            last = 1
    return total + part


def _plain_chinese(text: str) -> str:
    text = _HAN_BLANK.sub("", text)
    text = _HAN_WEEKDAY.sub(lambda m: "周" + m[1].replace("天", "日"), text)
    text = _HAN_PERCENT.sub(_han_percent, text)
    if "点" in text or "时" in text or ":" in text:
        text = _HAN_CLOCK.sub(_han_clock, text)
    if "每周" in text:
        text = _HAN_WEEKLY.sub(lambda m: f"每周{CHINESE_DIGITS[m[1]]}", text)
    if not _HAN_DIGITS.isdisjoint(text):
        text = _HAN_COUNT.sub(_han_count, text)
    if "万" in text or "亿" in text:
        text = _HAN_SCALED.sub(lambda m: _integer(Decimal(m[1]) * CHINESE_POWERS[m[2]]), text)
    return _HAN_DATE.sub(_han_date, text)


def _han_percent(match: Match) -> str:
    whole = _han_value(match[1])
    decimals = "".join(str(CHINESE_DIGITS[char]) for char in match[2] or "")
    return match[0] if whole is None else f"{whole}{'.' if decimals else ''}{decimals}%"


def _han_clock(match: Match) -> str:
    period, typed, half, past, colon = match.groups()
    hour = int(typed) if typed.isdecimal() else _han_value(typed)
    minutes = 30 if half else int(colon or 0) if not past else _number(past)
    is_vague = typed == "一" and not (period or half or past)  # 一点 is mostly "a bit"
    if hour is None or minutes is None or hour > 24 or minutes > 59 or is_vague:
        return match[0]
    if period is None:
        return match[0] if colon else f"{hour}:{minutes:02}"
    if hour > 12 or (hour == 12 and period != "中午"):
        return match[0]
    is_late = period in _AFTERNOON or (period == "中午" and hour < 11)
    return f"{hour + 12 * is_late:02}:{minutes:02}"


def _number(typed: str) -> int | None:
    return int(typed) if typed.isdecimal() else _han_value(typed)


def _han_count(match: Match) -> str:
    value = _han_value(match[1])
    return match[0] if value is None else str(value)


def _han_date(match: Match) -> str:
    year, month, day = match.groups()
    if not year:
        return f"{int(month)}月{int(day)}日"
    return _date(year, int(month), day) or match[0]


def _han_value(text: str) -> int | None:
    """Return the number that *text* spells, or None where it is none: 二十五, 三千零二, 五十万."""
    total, part, digit = 0, 0, None
    for char in text:
        if char in CHINESE_DIGITS:
            if digit:
                return None  # 一二 is a list
            digit = CHINESE_DIGITS[char]
        elif char in "万亿":
            total = (total + part + (digit or 0)) * CHINESE_POWERS[char]
            part, digit = 0, None
        else:
            part += (1 if digit is None and not part else digit or 0) * CHINESE_POWERS[char]
            digit = None
    return total + part + (digit or 0)
