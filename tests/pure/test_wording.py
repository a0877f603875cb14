"""Several wordings of one statement, and what only looks like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.plainest import plainest, spelled

WORDS = st.sampled_from(
    "the user The likes enjoys lives resides in Paris is called named 5 dollars $5 60 minutes 14"
    " days every each Monday name of now 使用 用 现在 住在 北京 端口 : 为 是 8080 元 块 的".split()
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("User prefers dark mode", "The user prefers dark mode"),
        ("Deadline is 2026-04-01", "The deadline is April 1, 2026"),
        ("Alice lives in Paris", "Alice resides in Paris"),
        ("Alice works for IBM", "Alice works at IBM"),
        ("The budget is $5,000", "The budget is 5000 dollars"),
        ("The rent is 900 EUR", "The rent is €900"),
        ("The cache expires after 1 hour", "The cache expires after 60 minutes"),
        ("The retention is 2 weeks", "The retention is 14 days"),
        ("Backups run nightly at 01:00", "Backups run every night at 01:00"),
        ("We meet every Monday", "We meet on Mondays"),
        ("My dog's name is Biscuit", "My dog is called Biscuit"),
        ("The CEO of Acme is Jane", "Acme's CEO is Jane"),
        ("Jane is the CEO of Acme", "The CEO of Acme is Jane"),
        ("User does not like olives", "User dislikes olives"),
        ("User has a peanut allergy", "User is allergic to peanuts"),
        ("User currently lives in Oslo", "User lives in Oslo"),
        ("Timeout: 30 seconds", "The timeout is 30 seconds"),
        ("Maximum file size is 5 MB", "Max file size is 5 MB"),
        ("Tests have to pass", "Tests must pass"),
        ("Ben likes cats and dogs", "Ben likes dogs and cats"),
        ("We meet on Mondays and Fridays", "We meet on Fridays and Mondays"),
        ("The timeout is set to 30 seconds", "The timeout is 30s"),
        ("We use Redis as our cache", "Our cache is Redis"),
        ("I live in Bern with my parents", "I live with my parents in Bern"),
        ("Uploads are not allowed", "Uploads are forbidden"),
        ("I have 3 dogs", "I've got three dogs"),
        ("小艾精通日语和韩语", "小艾精通韩语和日语"),
        ("我和父母住在成都", "我跟父母住在成都"),
        ("我们用Redis做缓存", "我们使用Redis作为缓存"),
        ("账单由小段负责", "小段负责账单"),
        ("我住在北京", "我现在住在北京"),
        ("他在京东工作", "他在京东上班"),
        ("预算是5000元", "预算是5000块"),
        ("票价是20欧元", "票价为€20"),
        ("儿子叫小宝", "儿子的名字叫小宝"),
        ("每周五部署", "每个星期五部署"),
        ("缓存60分钟后过期", "缓存一小时后过期"),
        ("数据库的密码存在Vault里", "数据库密码存在Vault里"),
        ("缩进使用4个空格", "缩进用4个空格"),
        ("公司位于深圳", "公司在深圳"),
        ("王敏是公司的负责人", "公司的负责人是王敏"),
        ("端口：8080", "端口是8080"),
    ],
)
def test_one_statement_in_other_words_is_one(one: str, other: str) -> None:
    assert plainest(one) == plainest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The water is safe", "Water is safe"),
        ("User likes tea", "User loves tea"),
        ("Alice works for free", "Alice works at free"),
        ("She is using my laptop", "She uses my laptop"),
        ("Eat once a day", "Eat every day"),
        ("You do not have to test", "You must not test"),
        ("It takes 5 min", "It takes 5 minimum"),
        ("It weighs 20 pounds", "It weighs £20"),
        ("Deploy now", "Deploy"),
        ("The class is Foo", "The class is foo"),
        ("Keep it 24 hours", "Keep it 25 hours"),
        ("The budget is $5,000", "The budget is €5,000"),
        ("用户名叫root", "用户叫root"),
        ("不用缓存", "不使用缓存"),
        ("我爱的人", "我爱人"),
        ("他喜欢茶", "他讨厌茶"),
        ("第7天", "第1周"),
        ("超时调整为30秒", "超时调整是30秒"),
        ("现在部署", "部署"),
    ],
)
def test_what_is_not_the_same_keeps_its_words(one: str, other: str) -> None:
    assert plainest(one) != plainest(other)


def test_the_spelling_keeps_the_words() -> None:
    assert spelled("The user resides in Oslo.") == "the user resides in Oslo"


def test_code_keeps_its_words() -> None:
    assert plainest("Run `the user resides`") != plainest("Run `user lives`")


@given(st.lists(WORDS, max_size=8).map(" ".join))
def test_a_final_stop_changes_no_wording(text: str) -> None:
    assert plainest(text + " x.") == plainest(text + " x")
