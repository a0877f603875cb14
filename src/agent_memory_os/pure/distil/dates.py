"""Relative dates of a statement, told as the days that they were."""

import re
from datetime import UTC, date, timedelta
from functools import cache

from agent_memory_os.model import moment
from agent_memory_os.pure.cues import Span, times
from agent_memory_os.pure.distil.sentences import HAN

_MONTHS = "January February March April May June July August September October November December"
_MONTH = dict(enumerate(_MONTHS.split(), 1))
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBER = r"(?:\d{1,3}|an?|one|two|three|four|five|six|seven|a couple of|a few)"


@cache
def _pattern() -> re.Pattern[str]:
    days = "|".join(_DAYS)
    return re.compile(
        r"\b(?<!before )(?<!after )(?:(?P<led>since|until|till|by|for|from|of|over|during|on|in"
        r"|before|after) )?"
        r"(?:(?P<past>(?:yesterday|last (?:week|weekend|month|year))(?!'s)"
        rf"|(?:last|this past) (?:{days})|{_NUMBER} (?:days?|weeks?|months?|years?) ago)"
        r"|(?P<today>today|tonight|this (?:morning|afternoon|evening))|(?P<night>last night)"
        rf"|(?P<tomorrow>tomorrow)|(?P<next>next (?:week|month|year|{days})))\b(?!'s)"
        "|(?P<han>昨天|前天|今天|上个?周(?![一二三四五六日末])|上个?月|去年|\\d+个?[天周月年]前)"
        "|(?P<明天>明天|后天)|(?P<下>下个?月|明年)",
        re.IGNORECASE,
    )


_LEADS = re.compile(r"\A(?:on|in) ")
_TELLS = re.compile(
    r"yesterday|last |past |ago\b|today|tonight|this |tomorrow|next |昨天|前[天]|今天|上个?[周月]"
    r"|去年|[天周月年]前|明[天年]|后天|下个?月",
    re.IGNORECASE,
)


def dated(text: str, occurred_ms: int | None) -> str:
    """Return *text*, said at *occurred_ms*, with days in place of "yesterday" or "last month".

    >>> dated("Alice moved yesterday.", 1_683_504_000_000)
    'Alice moved on 7 May 2023.'
    """
    if occurred_ms is None or _TELLS.search(text) is None:
        return text
    is_han = HAN.search(text) is not None

    def told(match: re.Match[str]) -> str:
        day = _told(match, occurred_ms, is_han) or match[0]
        return f"{match['led']} {_LEADS.sub('', day)}" if match["led"] and day != match[0] else day

    return _pattern().sub(told, text)


def _told(match: re.Match[str], occurred_ms: int, is_han: bool) -> str | None:
    today = moment(occurred_ms).astimezone(UTC).date()
    led = match["led"] or ""
    kind, phrase = str(match.lastgroup), match[0].lower().removeprefix(f"{led.lower()} ")
    try:
        if kind in ("past", "han"):
            phrase = phrase.replace("this past", "last").replace("a couple of", "couple of")
            found = times(phrase.replace("a few", "few"), occurred_ms)
            return _of_span(found[0], phrase, is_han) if found else None
        if kind in ("today", "night"):
            day = today - timedelta(days=kind == "night")
            part = phrase.rpartition(" ")[2] if " " in phrase else ""
            return f"on the {part} of {_day(day)}" if part else f"on {_day(day)}"
        return _ahead(phrase, today)
    except (OverflowError, ValueError):  # before year 1, after year 9999
        return None


def _of_span(span: object, phrase: str, is_han: bool) -> str | None:
    if not isinstance(span, Span):
        return None
    first, last = span.first, span.last
    if first == last:
        return _han_day(first) if is_han else f"on {_day(first)}"
    if "ago" in phrase or phrase.endswith("前"):
        middle = first + (last - first) // 2
        return _around(middle, phrase, is_han)
    if (last - first).days > 300:
        return f"{first.year}年" if is_han else f"in {first.year}"
    if (last - first).days > 20:
        return (
            f"{first.year}年{first.month}月" if is_han else f"in {_MONTH[first.month]} {first.year}"
        )
    if is_han:
        return f"{_han_day(first)}那周"
    return (
        f"on the weekend of {_day(first)}"
        if (last - first).days == 1
        else f"in the week of {_day(first)}"
    )


def _around(middle: date, phrase: str, is_han: bool) -> str:
    if "year" in phrase or phrase.endswith("年前"):
        return f"{middle.year}年左右" if is_han else f"around {middle.year}"
    if "month" in phrase or phrase.endswith("月前"):
        return (
            f"{middle.year}年{middle.month}月左右"
            if is_han
            else f"around {_MONTH[middle.month]} {middle.year}"
        )
    return f"{_han_day(middle)}左右" if is_han else f"around {_day(middle)}"


def _ahead(phrase: str, today: date) -> str | None:
    if phrase in ("tomorrow", "明天", "后天"):
        day = today + timedelta(days=1 + (phrase == "后天"))
        return f"on {_day(day)}" if phrase == "tomorrow" else _han_day(day)
    unit = phrase.rpartition(" ")[2]
    if unit == "year" or phrase == "明年":
        return f"in {today.year + 1}" if unit == "year" else f"{today.year + 1}年"
    if unit == "month" or phrase.startswith("下"):
        following = (today.replace(day=1) + timedelta(days=31)).replace(day=1)
        in_han = f"{following.year}年{following.month}月"
        return f"in {_MONTH[following.month]} {following.year}" if unit == "month" else in_han
    monday = today + timedelta(days=7 - today.weekday())
    if unit == "week":
        return f"in the week of {_day(monday)}"
    return f"on {_day(monday + timedelta(days=_DAYS.index(unit)))}"


def _day(day: date) -> str:
    return f"{day.day} {_MONTH[day.month]} {day.year}"


def _han_day(day: date) -> str:
    return f"{day.year}年{day.month}月{day.day}日"
