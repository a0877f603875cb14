import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.claims import claims
from agent_memory_os.pure.compare import Finding, compare

WORDS = st.sampled_from(
    "the port is 8000 8080 not now alice bob likes lives in paris rome on monday at 9:00 never a of"
    " use redis for ci enabled disabled and moved to from must may".split()
)
HAN = st.sampled_from(
    "端口 是 8000 8080 不 现在 小王 小李 喜欢 住在 北京 上海 周一 的 用 Redis 做 缓存 启用 禁用"
    " 改为".split()
)
STATEMENTS = st.lists(WORDS, max_size=9).map(" ".join) | st.lists(HAN, max_size=9).map("".join)


def compared(new: str, old: str) -> Finding | None:
    [mine], [theirs] = claims(new), claims(old)
    return compare(mine, theirs)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("The deploy port is 8000", "The deploy port is 8080", "deploy port: 8000 became 8080"),
        ("Alice lives in Paris", "Alice moved to Rome", "alice: Paris became Rome"),
        (
            "We use Jenkins",
            "We switched from Jenkins to GitLab",
            '"switched": Jenkins became GitLab',
        ),
        ("Chen drinks tea", "Chen no longer drinks tea", '"no longer": it was otherwise before'),
        ("Bob works at Initech", "Bob left Initech", '"left": it was so before'),
        ("部署端口是8000", "部署端口改为8080", "部署端口: 8000 became 8080"),
        ("小王住在北京", "小王搬到上海", "小王: 北京 became 上海"),
    ],
)
def test_an_update_says_what_became_what(old: str, new: str, why: str) -> None:
    assert compared(new, old) == Finding("update", why)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("Logs are public", "Logs are private", "opposites: public against private"),
        (
            "You may deploy",
            "You may not deploy",
            "negation: one says that it is so, the other that it is not",
        ),
        ("Use Redis for caching", "Use Valkey for caching", "Redis against Valkey"),
        ("Eat before you run", "Eat after you run", "opposites: before against after"),
        ("先测试再部署", "先部署再测试", "one says it in the opposite order"),
    ],
)
def test_a_conflict_says_what_stands_against_what(old: str, new: str, why: str) -> None:
    assert compared(new, old) == Finding("conflict", why)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Alice likes tea", "Alice likes coffee"),
        ("The server runs nginx", "The server runs redis"),
        ("The staging port is 8000", "The production port is 8080"),
        ("Alice lives in Paris", "Bob lives in Rome"),
        ("The shop opens at 9:00", "The shop closes at 18:00"),
        ("Step 3 takes 10 minutes", "Step 4 takes 20 minutes"),
        ("Elif has a meeting at 10:00", "Elif has a meeting at 15:00"),
        ("Do not deploy on Fridays", "Do not deploy without approval"),
        ("Alice is a nurse", "Alice is tall"),
        ("We met Bob on Monday", "We met Bob on Friday"),
        ("The timeout is 60 seconds", "The timeout is 1 minute"),
        ("We use Redis for caching", "We use Redis for queues"),
        ("Tina has worked at IBM", "Tina works at Oracle"),
        ("Alice also lives in Rome", "Alice lives in Paris"),
        ("Do not store it in git", "Do not store it in Slack"),
        ("The repo moved to GitLab", "The repo switched to GitFlow"),
        ("用ruff格式化代码", "用black格式化Python代码"),
        ("小夏喜欢茶", "小夏喜欢咖啡"),
        ("测试端口是8000", "生产端口是8080"),
        ("周一部署后端", "周二部署前端"),
        ("超时是60秒", "超时是1分钟"),
    ],
)
def test_what_can_both_hold_is_let_stand_either_way(one: str, other: str) -> None:
    assert compared(one, other) is None
    assert compared(other, one) is None


@given(STATEMENTS, STATEMENTS)
def test_comparing_is_deterministic_and_never_fails(one: str, other: str) -> None:
    for mine in claims(one):
        for theirs in claims(other):
            assert compare(mine, theirs) == compare(mine, theirs)


@given(STATEMENTS)
def test_no_claim_contradicts_itself(text: str) -> None:
    for claim in claims(text):
        if not claim.cue:
            assert compare(claim, claim) is None
