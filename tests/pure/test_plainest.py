import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.identity import statement
from agent_memory_os.pure.plainest import plainest

TEXTS = st.text("aBdon't one5,.:- pm/`号月三五点下午周一请x\n", max_size=24)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("They don't ship", "They do not ship."),
        ("They dont ship", "They don't ship"),
        ("We can't deploy", "We can not deploy"),
        ("It's raining", "It is raining"),
        ("Don’t push", "Do not push"),
        ("Open at 8 pm", "Open at 20:00"),
        ("Open at 8:30 a.m.", "Open at 08:30"),
        ("Open at noon", "Open at 12:00"),
        ("Wait twenty-five days", "Wait 25 days"),
        ("It has two thousand five hundred rows", "It has 2500 rows"),
        ("It costs $50k", "It costs $50,000"),
        ("It has 2 million rows", "It has 2000000 rows"),
        ("Due on March 5th, 2026", "Due on 5 March 2026"),
        ("Due on 2026-03-05", "Due on March 5, 2026"),
        ("Due on the 5th of March", "Due on March 5"),
        ("Meet on friday", "Meet on Friday"),
        ("Meet on Fri.", "Meet on Friday"),
        ("Send an e-mail", "Send an email"),
        ("My favourite colour", "My favorite color"),
        ("Organise the folder", "Organize the folder"),
        ("Please squash commits", "Squash commits"),
        ("Note: squash commits", "Squash commits"),
        ("- Squash commits", "Squash commits"),
        ("NEVER restart it", "Never restart it"),
        ("JSON, YAML, and TOML", "JSON, YAML and TOML"),
        ("Tea & milk", "Tea and milk"),
        ("Say “yes” first", 'Say "yes" first'),
        ("缓存使用 Redis 集群", "缓存使用Redis集群"),
        ("运行 `npm ci` 之前", "运行`npm ci`之前"),
        ("三月五日发布", "3月5号发布"),
        ("2026年4月1日到期", "2026-04-01到期"),
        ("下午6点关门", "18:00关门"),
        ("九点半开会", "9:30开会"),
        ("每星期三开会", "每周三开会"),
        ("需要两个人", "需要2个人"),
        ("预算五十万元", "预算500000元"),
        ("覆盖率百分之八十", "覆盖率80%"),
        ("请先测试", "先测试"),
        ("跑了五公里", "跑了5 km"),
        ("文件上限1,000个", "文件上限1000个"),
    ],
)
def test_what_people_type_twice_has_one_spelling(one: str, other: str) -> None:
    assert plainest(one) == plainest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Port it to C++", "Port it to C#"),
        ("It is -5", "It is 5"),
        ("Use == here", "Use != here"),
        ("The port is 8000", "The port is 8001"),
        ("Use v1.2.3", "Use v1.2.4"),
        ("You may deploy", "You may not deploy"),
        ("Tests ✅", "Tests ❌"),
        ("It holds 10⁵ rows", "It holds 105 rows"),
        ("100 MB/s", "100 Mb/s"),
        ("/Data is mounted", "/data is mounted"),
        ("All tests pass", "Some tests pass"),
        ("Run it before lunch", "Run it after lunch"),
        ("Alice left", "Bob left"),
        ("Due on March 5", "Due on March 6"),
        ("On Monday", "On Tuesday"),
        ("It works", "It works?"),
        ("The water is safe", "Water is safe"),
        ("Open at 8", "Open at 8 pm"),
        ("Open at 8:00", "Open at 08:00"),
        ("Due on 3/4/2026", "Due on 4/3/2026"),
        ("Set colour_id", "Set color_id"),
        ("Open five.txt", "Open 5.txt"),
        ("See colour.com", "See color.com"),
        ("Call o@colour.org", "Call o@color.org"),
        ("-v is verbose", "v is verbose"),
        ("Open ports 80,443", "Open ports 80443"),
        ("Use `five`", "Use `5`"),
        ("Pearl Harbour", "Pearl Harbor"),
        ("It's been", "It is been"),
        ("Version 3.1", "Version 3.10"),
        ("5 minutes", "5 min"),
        ("晚上12点", "中午12点"),
        ("十分重要", "10分重要"),
        ("千万不要", "10000不要"),
        ("周一开会", "周二开会"),
        ("请假三天", "假三天"),
        ("可以发布", "不可以发布"),
    ],
)
def test_what_may_mean_something_else_keeps_its_spelling(one: str, other: str) -> None:
    assert plainest(one) != plainest(other)


@pytest.mark.parametrize(
    "text", ["", " ", "!", "请", "please", "note:", "周", "点", "one", "'s", "号"]
)
def test_scraps_of_what_is_folded_are_texts_like_any_other(text: str) -> None:
    assert plainest(text) == plainest(text + " ")


@given(st.text() | TEXTS)
def test_what_is_one_statement_has_one_spelling(text: str) -> None:
    assert plainest(statement(text)) == plainest(text)


@given(st.text() | TEXTS)
def test_code_lines_and_long_texts_keep_what_their_statement_keeps(text: str) -> None:
    listing = f"{text}:\n  five: 5\n  x"

    assert plainest(listing) == statement(listing)
    assert plainest(text + "x" * 2001) == statement(text + "x" * 2001)
