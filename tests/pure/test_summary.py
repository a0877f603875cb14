"""Summaries: what something heavy is, in the lines that tell most, and no more than fits."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure import shape
from agent_memory_os.pure.summary import line_count, one_line, summary
from agent_memory_os.pure.tokens import estimate_tokens


def all_fit(text: str) -> bool:
    return True


def within(budget: int) -> Callable[[str], bool]:
    return lambda text: estimate_tokens(text) <= budget


def told(payload: str | bytes, head: str = "") -> list[str]:
    return summary(payload, head=head, fits=all_fit).split("\n")


def test_a_short_text_is_told_by_its_ends() -> None:
    assert told("one\ntwo\n\nthree\n", "cat") == [
        "cat: text, 4 lines, 15 bytes",
        "begins: one",
        "ends: three",
    ]


@pytest.mark.parametrize("payload", ["", b""])
def test_nothing_has_a_summary(payload: str | bytes) -> None:
    assert told(payload) == ["text, 0 lines, 0 bytes"]


def test_bytes_that_are_text_are_told_as_text() -> None:
    assert told("größe\n".encode()) == ["text, 1 line, 8 bytes", "begins: größe"]


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\x00", "PNG image, 9 bytes"),
        (b"%PDF-1.7\n\xff", "PDF document, 10 bytes"),
        (b"\x00\x01", "binary, 2 bytes"),
    ],
)
def test_other_bytes_are_told_by_how_they_begin(payload: bytes, kind: str) -> None:
    assert told(payload, "shot") == [f"shot: {kind}"]


def test_a_log_is_told_by_its_levels_and_what_went_wrong() -> None:
    log = (
        "10:00 INFO started\n"
        + "".join(f"10:01 WARNING slow request {n}\n" for n in range(20))
        + "".join(f"10:02 ERROR [db] refused by 10.0.0.{n}\n" for n in range(12))
        + "10:03 INFO stopped\n"
    )

    assert told(log, "journal") == [
        f"journal: log, 34 lines, {len(log):,} bytes",
        "levels: INFO 2, WARN 20, ERROR 12",
        "begins: 10:00 INFO started",
        "line 22: 10:02 ERROR [db] refused by 10.0.0.0 (and 11 like it)",
        "ends: 10:03 INFO stopped",
    ]


def test_of_many_kinds_of_errors_the_first_two_and_the_last_are_told() -> None:
    text = "".join(f"{word} failed\n" for word in ("alpha", "beta", "gamma", "delta"))

    assert told(text)[1:] == ["line 1: alpha failed", "line 2: beta failed", "line 4: delta failed"]


@pytest.mark.parametrize(
    "line",
    [
        "0 errors",
        "no errors found",
        "compiled without errors",
        '"error": null',
        "error=0",
        "errors: []",
        "没有错误",
        "an errand in terror_zone",
    ],
)
def test_what_says_that_nothing_went_wrong_is_no_error(line: str) -> None:
    assert not [each for each in told(f"a\n{line}\nb") if each.startswith("line")]


@pytest.mark.parametrize(
    "line",
    [
        "ValueError: bad",
        "3 failed, 20 passed",
        "Permission denied",
        "Timed out after 30 s",
        "发生错误：磁盘已满",
        "0 warnings, 2 errors",
    ],
)
def test_what_went_wrong_is_told_with_its_line(line: str) -> None:
    assert f"line 2: {line}" in told(f"a\n{line}\nb")


def test_in_a_long_line_the_part_that_tells_is_told() -> None:
    payload = "x" * 5_000 + " fatal: no space left " + "y" * 5_000

    (_, line, *_) = told(payload)

    assert "fatal: no space left" in line
    assert len(line) < 150


def test_json_is_told_by_its_keys() -> None:
    payload = json.dumps({"results": [1, 2, 3], "total": 3, "note": "n" * 99, "ok": True})

    assert told(payload, "api")[0].startswith("api: JSON object, 1 line, ")
    assert told(payload, "api")[1:] == ["keys: results (3), total 3, note, ok true"]


def test_a_list_of_json_is_told_by_its_length_and_first_item() -> None:
    payload = json.dumps([{"id": 1, "name": "a"}] * 1_200)

    first, second = told(payload)
    assert first.startswith("JSON list of 1,200, ")
    assert second == "the first with: id, name"


def test_json_by_the_line_is_told_by_its_keys() -> None:
    payload = "".join(json.dumps({"id": n, "name": "a"}) + "\n" for n in range(30))

    assert told(payload) == [f"JSON lines, 30 lines, {len(payload):,} bytes", "keys: id, name"]


def test_many_keys_are_counted() -> None:
    payload = json.dumps({f"key{n}": n for n in range(40)})

    assert told(payload)[1].endswith("and 28 more")


def test_a_table_is_told_by_its_columns() -> None:
    payload = "id,name,price\n" + "".join(f"{n},widget {n},{n}.5\n" for n in range(500))

    assert told(payload, "sql")[0].startswith("sql: table, 501 lines, ")
    assert told(payload, "sql")[1:] == ["500 rows; columns: id, name, price"]


@pytest.mark.parametrize(
    "payload", ["a, b and c\nd, e and f\ng\nh\n", "1,2\n3,4\n5,6\n", "{x\ny\n"]
)
def test_what_only_looks_like_a_table_or_json_is_text(payload: str) -> None:
    assert told(payload)[0].startswith("text, ")


@pytest.mark.parametrize("depth", [50, 100_000])
def test_json_without_end_is_no_trouble(depth: int) -> None:
    assert told("[" * depth + "]" * depth)[0].split(",")[0] in ("text", "JSON list of 1")


def test_what_does_not_fit_is_left_out_from_what_tells_least() -> None:
    log = "".join(f"step {n} did something that takes many words to tell\n" for n in range(300))
    log += "Traceback: it failed\n" + log

    shown = summary(log, head="run", fits=within(60))

    assert estimate_tokens(shown) <= 60
    assert "line 301: Traceback: it failed" in shown


def test_a_huge_text_is_told_by_its_first_and_last_part() -> None:
    part = "nothing to see here, move along\n" * 200_000
    text = f"begin\nfirst error\n{part}middle error\n{part}last error\nend\n"

    lines = told(text)

    assert lines[0].startswith("text, 400,005 lines")
    assert lines[1:] == [
        "begins: begin",
        "line 2: first error",
        "line 400,004: last error",
        "ends: end",
    ]


@given(st.one_of(st.text(), st.binary()), st.integers(10, 200))
def test_a_summary_is_the_same_each_time_and_fits(payload: str | bytes, budget: int) -> None:
    shown = summary(payload, head="x", fits=within(budget))

    assert shown == summary(payload, head="x", fits=within(budget))
    assert "\n" not in shown or estimate_tokens(shown) <= budget


@given(st.text(), st.integers(1, 50), st.integers(0, 60))
def test_one_line_is_one_line(text: str, most: int, around: int) -> None:
    line = one_line(text, most=most, around=around)

    assert len(line) <= most + 2
    assert len(line.splitlines()) <= 1


@pytest.mark.parametrize(("text", "count"), [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("\n", 1)])
def test_lines_are_counted_as_one_reads_them(text: str, count: int) -> None:
    assert line_count(text) == count


def test_the_size_is_that_in_utf_8() -> None:
    assert (shape.size_of("ü"), shape.size_of("u"), shape.size_of(b"\xff")) == (2, 1, 1)
