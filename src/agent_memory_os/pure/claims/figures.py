"""Figures: numbers with what they measure, times, dates and versions."""

import re
from decimal import Decimal
from functools import cache

from agent_memory_os.pure.claims.pieces import Piece

TIMES = frozenset(("clock", "weekday", "date", "month"))
_KINDS = TIMES | {"version"}
_DATA = frozenset(("number:size", "number:binary", "number:bits", "number:rate"))
_SPANS = frozenset(("number:time", "number:month"))
_MONTH_MS = 30 * 86_400_000

# Each line: what is measured, then its units, each with how many of the first they are. Months and
# megabits are no fixed number of days and megabytes, so they are measures of their own.
_UNITS = """
time ms 1 millisecond 1 milliseconds 1 毫秒 1 s 1000 sec 1000 seconds 1000 second 1000 秒 1000
time minutes 60000 minute 60000 分钟 60000 hours 3600000 hour 3600000 h 3600000 小时 3600000
time 个小时 3600000 钟头 3600000 days 86400000 day 86400000 天 86400000 weeks 604800000
time week 604800000 周 604800000 个星期 604800000
month months 1 month 1 个月 1 月 1 years 12 year 12 年 12
size B 1 bytes 1 byte 1 字节 1 KB 1000 MB 1000000 GB 1000000000 TB 1000000000000
binary KiB 1 MiB 1024 GiB 1048576 TiB 1073741824
bits kbps 1 Kbps 1 Mbps 1000 Gbps 1000000 Mb/s 1000 Gb/s 1000000
rate KB/s 1 MB/s 1000 GB/s 1000000
length mm 1 cm 10 metres 1000 米 1000 km 1000000 厘米 10
miles miles 1 mile 1 英里 1
weight mg 1 毫克 1 g 1000 克 1000 kg 1000000 吨 1000000000 tonnes 1000000000
volume ml 1 毫升 1 litres 1000 liters 1000 升 1000
frequency Hz 1 kHz 1000 MHz 1000000 GHz 1000000000
percent % 1
dollar $ 1 USD 1 dollars 1 dollar 1 美元 1
euro € 1 EUR 1 euros 1 euro 1 欧元 1
pound £ 1 GBP 1 pounds 1 英镑 1
yuan ¥ 1 ￥ 1 RMB 1 CNY 1 元 1 块 1 块钱 1
times times 1
degree degrees 1 度 1 °C 1 ℃ 1
watt watts 1 watt 1 W 1 瓦 1 kW 1000 千瓦 1000
age 岁 1
"""

_PATTERNS = (
    ("date", re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}月\d{1,2}日")),
    ("clock", re.compile(r"\d{1,2}:\d\d(?::\d\d)?")),
    ("version", re.compile(r"v?\d+(?:\.\d+){2,}(?:[-+.]?\w+)*|v\d+(?:\.\d+)*(?:[-+.]?\w+)*")),
)
_POWER = re.compile("(\\d+)([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_PLAIN_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_NUMBER = re.compile(r"([$€£¥￥])?([-+]?\d+(?:\.\d+)?)(%|[A-Za-z°℃][A-Za-z/°]*)?")


@cache
def units() -> dict[str, tuple[str, int]]:
    """Return by each unit what it measures, and how many of the smallest unit it is."""
    found = {}
    for line in _UNITS.strip().split("\n"):
        measure, *words = line.split()
        for unit, count in zip(words[::2], words[1::2], strict=True):
            found[unit] = (measure, int(count))
    return found


def figure(chunk: str) -> Piece | None:
    """Return *chunk* as a figure, with its kind, or None if it is none: 8000, $5, 30s, v1.2.3."""
    for kind, pattern in _PATTERNS:
        if pattern.fullmatch(chunk):
            return Piece(chunk, kind, chunk)
    power = _POWER.fullmatch(chunk)
    if power is not None:
        exponent = power[2].translate(_PLAIN_DIGITS)
        return Piece(f"{power[1]}^{exponent} ", "number:", chunk)
    match = _NUMBER.fullmatch(chunk)
    if match is None or (match[3] and match[3] not in units()):
        return None
    return measured(match[2], match[3] or match[1] or "", chunk)


def measured(digits: str, unit: str, text: str) -> Piece:
    """Return the number *digits* of *unit*, which may be any word: 60 s is 1 minute.

    Without a unit 3.1 is not 3.10, which may be a version.
    """
    measure, factor = units().get(unit, (unit, 1))
    value = f"{(Decimal(digits) * factor).normalize():f}" if measure else digits
    return Piece(f"{value} {measure}", f"number:{measure}", text)


def is_figure(piece: Piece) -> bool:
    """Return whether *piece* is a figure: two of one kind that differ say different things."""
    return piece.kind in _KINDS or piece.kind.startswith("number:")


def are_alike(one: Piece, other: Piece) -> bool:
    """Return whether two pieces are figures of one kind: 5 MB and 6 MB, but also 5 MB and 5 Mb."""
    if not is_figure(one):
        return False
    kinds = {one.kind, other.kind}
    return len(kinds) == 1 or kinds <= _DATA or (kinds == _SPANS and _differ(one, other))


def _differ(one: Piece, other: Piece) -> bool:
    """Return whether a number of months is clearly more or less than one of days."""
    spans = [
        float(piece.key.split()[0]) * (_MONTH_MS if piece.kind == "number:month" else 1)
        for piece in (one, other)
    ]
    return min(spans) < 0.9 * max(spans)
