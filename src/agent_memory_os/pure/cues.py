"""Who and when: what a query says of people and of time, besides its words."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, timedelta
from functools import cache

from agent_memory_os.model import moment
from agent_memory_os.noun import Noun
from agent_memory_os.pure.text import Query, analyse_query

NEAR_BEFORE, NEAR_AFTER = timedelta(days=1), timedelta(days=8)  # people tell of a day for a week
_NEXT_MONTH_DAYS = 10  # and of a month in the first days of the next
_NEXT_MONTH = 0.3
_YEAR = 0.5  # a year alone says less than a month or a day

_MONTHS = (
    "january february march april may june july august september october november december"
).split()
_MONTH = {name: number for number, name in enumerate(_MONTHS, 1)}
_MONTH |= {name[:3]: number for name, number in _MONTH.items()} | {"sept": 9}
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBER = {
    **{word: n for n, word in enumerate("one two three four five six seven".split(), 1)},
    **{"a": 1, "an": 1, "couple": 2, "few": 3},
}
_HINTS = ("day", "ago", "last", "this", "tonight", *(name[:3] for name in _MONTHS))
_DIGIT = re.compile(r"\d")
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "year": 365, "天": 1, "周": 7, "月": 30, "年": 365}


class When(Noun):
    """A day, a month or a year that a query names; a part that is not named is None."""

    year: int | None = None
    month: int | None = None
    day: int | None = None

    def nearness(self, occurred_ms: int) -> float:
        """Return how well something told at *occurred_ms* fits, from 0 for not at all to 1."""
        told = moment(occurred_ms).date()
        if self.day is not None and self.month is not None:
            return float(self._is_near_day(told))
        if self.month is None:
            return _YEAR * (told.year == self.year)
        if told.month == self.month and self.year in (None, told.year):
            return 1.0
        months = (told.year - (self.year or told.year)) * 12 + told.month - self.month
        is_just_after = self.year is not None and months == 1 and told.day <= _NEXT_MONTH_DAYS
        return _NEXT_MONTH * is_just_after

    def _is_near_day(self, told: date) -> bool:
        try:
            named = date(self.year or told.year, self.month or 1, self.day or 1)
        except ValueError:
            return False
        return -NEAR_BEFORE <= told - named <= NEAR_AFTER


class Span(Noun):
    """A stretch of days, as "last week" names one; both ends belong to it."""

    first: date
    last: date

    def nearness(self, occurred_ms: int) -> float:
        """Return 1 for something told within the stretch or the day after it, else 0."""
        told = moment(occurred_ms).date()
        return float(self.first <= told <= self.last + NEAR_BEFORE)


Time = When | Span


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    month = "|".join(sorted(_MONTH, key=len, reverse=True))
    number = "|".join(_NUMBER)
    return tuple(
        re.compile(pattern, re.IGNORECASE)
        for pattern in (
            r"\b(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})\b",
            r"(?P<year>\d{4})年(?:(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?)?",
            r"(?P<month>\d{1,2})月(?:(?P<day>\d{1,2})[日号])?",
            rf"\b(?P<name>{month})\.?\s+(?P<day>\d{{1,2}})(?:st|nd|rd|th)?"
            r"(?:,?\s+(?P<year>\d{4}))?\b",
            rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<name>{month})\b\.?"
            r"(?:,?\s+(?P<year>\d{4})\b)?",
            rf"\b(?P<name>{month})\.?,?\s+(?:of\s+)?(?P<year>\d{{4}})\b",
            # Without a day or a year only where it cannot be "may" or "march" of another kind.
            rf"\b(?:in|during|since|of|by|last|this|early|late|mid)[\s-]+(?P<name>{month})\b",
            r"\b(?:in|during|since|of)\s+(?P<year>(?:19|20)\d\d)\b",
            rf"\b(?P<count>\d+|{number})\s+(?:of\s+)?(?P<unit>day|week|month|year)s?\s+ago\b",
            r"(?P<count>\d+)\s*个?(?P<unit>天|周|月|年)前",
            r"\b(?P<which>last|this)\s+(?P<unit>week|month|year|weekend)\b",
            r"(?P<which>上个?|这个?|去|今)(?P<unit>周|月|年)",
            r"\b(?P<relative>yesterday|today|tonight)\b|(?P<chinese>昨天|今天|前天)",
            rf"\b(?:on|last)\s+(?P<weekday>{'|'.join(_WEEKDAYS)})\b",
        )
    )


def times(query: str, now_ms: int) -> tuple[Time, ...]:
    """Return the days, months, years and stretches that *query* names, in English or Chinese.

    Relative ones ("yesterday", "last week", "two weeks ago", "上个月") count from *now_ms*. What
    is no date ("February 30") is none.
    """
    named, _, _ = _named_times(query, now_ms)
    return tuple(named)


def dated(query: Query, now_ms: int) -> Query:
    """Return *query* with the words marked by which it names times, unless it has no others.

    A word that stands elsewhere in it as well is not marked.
    """
    _, said, rest = _named_times(query.text, now_ms)
    if not said:
        return query
    marked = {term.text for term in analyse_query(" ".join(said)).terms}
    marked -= {term.text for term in analyse_query(rest).terms}
    if all(term.text in marked for term in query.terms):
        return query
    terms = [replace(term, says_when=True) if term.text in marked else term for term in query.terms]
    return replace(query, terms=tuple(terms))


def _named_times(query: str, now_ms: int) -> tuple[list[Time], list[str], str]:
    """Return the times that *query* names, the words that name them, and what is left of it."""
    found: list[Time] = []
    said: list[str] = []
    rest = query
    if not _may_name_a_time(query):
        return found, said, rest
    today = moment(now_ms).astimezone(UTC).date()
    for pattern in _patterns():
        for match in pattern.finditer(rest):
            named = _time(match.groupdict(), today)
            if named is not None:
                found.append(named)
                said.append(match[0])
                rest = rest.replace(match[0], " ", 1)  # a date is read once
    return found, said, rest


def _may_name_a_time(query: str) -> bool:
    """Whether *query* holds something that every time has; most queries have nothing of it."""
    lower = query.lower()
    return (
        not query.isascii()
        or any(hint in lower for hint in _HINTS)
        or _DIGIT.search(query) is not None
    )


def _time(parts: dict[str, str | None], today: date) -> Time | None:
    try:
        if parts.get("unit") or parts.get("weekday"):
            return _stretch(parts, today)
        relative = parts.get("relative") or parts.get("chinese")
        if relative:
            back = {"yesterday": 1, "昨天": 1, "前天": 2}.get(relative.lower(), 0)
            return Span(today - timedelta(days=back), today - timedelta(days=back))
        return _named(parts)
    except (OverflowError, ValueError):
        return None


def _named(parts: dict[str, str | None]) -> When | None:
    name, year, month, day = (parts.get(part) for part in ("name", "year", "month", "day"))
    number = _MONTH[name.lower()] if name else int(month) if month else None
    if number is not None and not 1 <= number <= 12:
        return None
    if day is not None and not 1 <= int(day) <= 31:
        return None
    return When(int(year) if year else None, number, int(day) if day else None)


def _stretch(parts: dict[str, str | None], today: date) -> Span:
    count, unit, which = parts.get("count"), parts.get("unit"), parts.get("which")
    weekday = parts.get("weekday")
    if weekday:
        back = (today.weekday() - _WEEKDAYS.index(weekday.lower())) % 7 or 7
        return Span(today - timedelta(days=back), today - timedelta(days=back))
    unit = (unit or "day").lower()
    if count:
        number = int(count) if count.isdigit() else _NUMBER[count.lower()]
        days = number * _UNIT_DAYS[unit]
        slack = {1: 0, 7: 3, 30: 10, 365: 90}[_UNIT_DAYS[unit]]
        middle = today - timedelta(days=days)
        return Span(middle - timedelta(days=slack), middle + timedelta(days=slack))
    is_last = which in ("上", "上个", "去") or (which or "").lower() == "last"
    return _calendar(unit, is_last, today)


def _calendar(unit: str, is_last: bool, today: date) -> Span:
    """Return this or the last week, weekend, month or year of the calendar."""
    if unit in ("week", "周", "weekend"):
        monday = today - timedelta(days=today.weekday() + 7 * is_last)
        first = monday + timedelta(days=5) if unit == "weekend" else monday
        return Span(first, monday + timedelta(days=6))
    if unit in ("month", "月"):
        first = today.replace(day=1)
        if is_last:
            first = (first - timedelta(days=1)).replace(day=1)
        following = (first + timedelta(days=31)).replace(day=1)
        return Span(first, following - timedelta(days=1))
    year = today.year - is_last
    return Span(date(year, 1, 1), date(year, 12, 31))


def nearness(named: Iterable[Time], occurred_ms: int) -> float:
    """Return how well *occurred_ms* fits the best of the *named* times, 0 to 1."""
    return max((time.nearness(occurred_ms) for time in named), default=0.0)


_WHEN = re.compile(
    r"\bwhen\b|\bwhat (?:day|date|month|year|time)\b|何时|什么时候|哪天|几月", re.IGNORECASE
)
_WORDS = re.compile(r"\w+")
_TELLS_TIME = (
    r"(?:^| )(?:yesterdai|todai|tonight|tomorrow|week|weekend|month|year|ago|last|next|recent"
    r"|mondai|tuesdai|wednesdai|thursdai|fridai|saturdai|sundai"
    r"|januar|februar|march|april|june|juli|august|septemb|octob|novemb|decemb"
    r"|morn|evening|night|summer|winter|spring|\d{4})(?: |$)|[昨今明前]天|[上下这]周|月|年"
)


def asks_when(query: str) -> bool:
    """Return whether *query* wants to know a time."""
    return _WHEN.search(query) is not None


def tells_time(stored: str) -> bool:
    """Return whether a memory of these stored terms (`pure.stored`) says when something was."""
    return _tells_time().search(stored) is not None


@cache
def _tells_time() -> re.Pattern[str]:
    return re.compile(_TELLS_TIME)  # which takes as long as three imports


def words_of(query: str) -> frozenset[str]:
    """Return the words of *query*, in lower case, among which `is_named` looks for a name."""
    return frozenset(_WORDS.findall(query))


def is_named(name: str, query: str, words: frozenset[str]) -> bool:
    """Return whether *query*, in lower case, names somebody called *name*: every word of it.

    *words* are those of the query. In a script without spaces, and where a name holds marks such
    as a hyphen, the name is looked for as it stands.
    """
    parts = name.lower().split()
    return bool(parts) and all(
        part in words if part.isascii() and part.isalnum() else _stands_in(part, query)
        for part in parts
    )


def _stands_in(part: str, query: str) -> bool:
    if part not in query or not part.isascii():
        return part in query
    return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", query) is not None
