"""What is told to have happened, as what is so since."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.retold import retold

WORDS = st.sampled_from(
    "Alice I has got a new job at Bosch was hired by turned 8 is down to 5 = 岁 新 是 了 在 工作"
    " 跳槽到阿里 离职 phone: x".split()
)


@pytest.mark.parametrize(
    ("told", "since"),
    [
        ("Alice got a new job at Bosch", "Alice now works at Bosch"),
        ("Alice was hired by Bosch", "Alice now works at Bosch"),
        ("Alice was laid off from Bosch", "Alice left Bosch"),
        ("Alice retired", "Alice no longer works"),
        ("Bob was elected president of the club", "the president of the club is now Bob"),
        ("Max turned 8", "Max is now 8 years old"),
        ("My weight is down to 78 kg", "My weight is now 78 kg"),
        ("User has a new phone: 555-0178", "User's new phone is 555-0178"),
        ("The flag has been turned on", "The flag is now on"),
        ("LOG_LEVEL=debug", "LOG_LEVEL is debug"),
        ("Bo got rid of his van", "Bo no longer have van"),
        ("Ann took over as treasurer from Ben", "the treasurer is now Ann"),
        ("Ann has moved to Zed as her editor", "Ann's editor is now Zed"),
        ("Ann's sick leave was extended until Friday", "Ann is now on sick leave until Friday"),
        ("The page has been made public", "The page is now public"),
        ("The fair was called off", "The fair is no longer"),
        ("Kim got engaged in May", "Kim is now engaged"),
        ("Metrics are kept for 30 days", "Metric retention is 30 days"),
        ("小李戒咖啡了", "小李不再喝咖啡"),
        ("小李把车卖了", "小李不再有车"),
        ("小李和男友分手了", "小李不再和男友在一起"),
        ("限流已经打开", "限流现在是打开"),
        ("搜索改由孙工负责", "孙工现在负责搜索"),
        ("小王跳槽去了阿里", "小王现在在阿里工作"),
        ("小王被腾讯裁员了", "小王离开了腾讯"),
        ("小王离职了", "小王不再工作"),
        ("儿子刚满7岁", "儿子是7岁"),
        ("新手机号是123", "手机号现在是123"),
        ("老王戒烟了", "老王不再抽烟"),
    ],
)
def test_an_event_is_retold_as_what_holds_since(told: str, since: str) -> None:
    assert retold(told) == since


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Alice turned 8 pages",
        "Alice took a photo at Bosch",
        "The new printer is red",
        "The discount is up to 50%",
        "x == y",
        "入职指南放在Confluence上",
        "小王从腾讯离职了",
        "新员工是小王",
    ],
)
def test_what_says_no_such_thing_stays_as_it_is(text: str) -> None:
    assert retold(text) == text


@given(st.lists(WORDS, max_size=8).map(" ".join) | st.text())
def test_what_is_retold_says_nothing_more_to_retell(text: str) -> None:
    once = retold(text)

    assert isinstance(retold(once), str)
