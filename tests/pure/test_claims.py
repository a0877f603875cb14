import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.pure.claims import changes, claims
from agent_memory_os.pure.claims.figures import are_alike, figure, measured


def said(text: str) -> tuple[str, ...]:
    """Return what the one claim of *text* leads to, as typed."""
    [claim] = claims(text)
    return tuple(piece.text for piece in claim.said)


def relation(text: str) -> tuple[str, bool]:
    [claim] = claims(text)
    return claim.relation, claim.single


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The deploy port is 8000", ("8000",)),
        ("Alice lives in Paris", ("Paris",)),
        ("The uploads bucket is in us-east-1", ("us-east-1",)),
        ("Formatter for the Python code: black", ("black",)),
        ("The search service is written in Go", ("Go",)),
        ("Bob is the lead of Apollo", ("bob",)),
        ("The user is learning Rust", ("Rust",)),
        ("We host the forum on Heroku", ("Heroku",)),
        ("The sync moved from 9:00 to 10:00", ("10:00",)),
        ("部署端口是8000", ("8000",)),
        ("小王住在上海", ("上海",)),
        ("小刘在腾讯工作", ("腾讯", "工作")),
        ("早会九点开始", ("9:00", "开始")),
        ("搜索服务是用Go写的", ("Go", "写")),
        ("小郝是搜索组组长", ("小郝",)),
        ("例会从周二改到周四", ("周四",)),
    ],
)
def test_the_value_is_what_the_relation_leads_to(text: str, value: tuple[str, ...]) -> None:
    assert said(text) == value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Alice lives in Paris", ("place", True)),
        ("Alice likes tea", ("like", False)),
        ("We use Redis for caching", ("choose", False)),
        ("The server runs nginx", ("use", False)),
        ("The review is scheduled for Monday", ("time", True)),
        ("小王住在上海", ("place", True)),
        ("小夏喜欢喝茶", ("like", False)),
        ("我们用Redis做缓存", ("choose", False)),
        ("定价模块由小方维护", ("person", True)),
    ],
)
def test_a_relation_has_a_class_and_perhaps_one_value(
    text: str, expected: tuple[str, bool]
) -> None:
    assert relation(text) == expected


@pytest.mark.parametrize(
    ("text", "mood", "denied"),
    [
        ("You may deploy", "may", False),
        ("You must not deploy", "must", True),
        ("Never deploy on Fridays", "do", True),
        ("Is the port 8000?", "ask", False),
        ("We might switch to Kafka", "maybe", False),
        ("Olaf plans to move to Norway", "plan", False),
        ("Bella met Carlos", "past", False),
        ("Deployments need two approvals", "", False),
        ("成员可以居家办公", "may", False),
        ("不要在周五发布", "", True),
        ("指标端口是9090吗", "ask", False),
        ("小欧打算搬到青岛", "plan", False),
        ("小汤以前住在天津", "past", False),
    ],
)
def test_a_claim_says_how_it_is_meant(text: str, mood: str, denied: bool) -> None:
    [claim] = claims(text)

    assert (claim.mood, claim.denied) == (mood, denied)


@pytest.mark.parametrize(
    ("text", "cue", "ended"),
    [
        ("Chen no longer drinks coffee", "no longer", True),
        ("Ines doesn't smoke anymore", "not any more", True),
        ("Paul stopped commuting by car", "stopped commuting", True),
        ("Gina used to live in Boston", "used to", True),
        ("The timeout is now 45 seconds", "now", False),
        ("Use pnpm instead of yarn", "instead of", False),
        ("Chen drinks coffee", "", False),
        ("老高不抽烟了", "不…了", True),
        ("报销流程不再走钉钉", "不再", True),
        ("前端依赖改用pnpm安装", "改用", False),
        ("老高抽烟", "", False),
    ],
)
def test_a_cue_of_change_is_heard(text: str, cue: str, ended: bool) -> None:
    [claim] = claims(text)

    assert (claim.cue, claim.ended) == (cue, ended)


@pytest.mark.parametrize(
    ("text", "old"),
    [
        ("We switched from Jenkins to Buildkite", ("jenkin",)),
        ("We replaced QuickBooks with Xero", ("quickbook",)),
        ("Use pnpm instead of yarn", ("yarn",)),
        ("Jonas left Siemens", ("siemen",)),
        ("我们把Jenkins换成了Buildkite", ("jenkins",)),
        ("小郭离开华为", ("华为",)),
        ("我们选了Redis而不是Memcached", ("memcached",)),
    ],
)
def test_what_was_there_before_is_named(text: str, old: tuple[str, ...]) -> None:
    assert claims(text)[0].old == old


def test_a_clause_without_a_topic_speaks_of_the_one_before() -> None:
    [left, lives] = claims("Lucia has moved out and lives in Turin")

    assert [piece.text for piece in lives.pieces] == ["lucia", "lives", "in", "Turin"]
    assert left.head == lives.head == 1


def test_a_condition_is_no_claim() -> None:
    assert [claim.mood for claim in claims("如果队列满，丢弃任务")] == ["maybe"]


@pytest.mark.parametrize("text", ["", "x" * 401, "港" * 121, "```\nx = 1\n```", "A. B. C. D. E."])
def test_a_document_is_no_statement(text: str) -> None:
    assert claims(text) == () or len(claims(text)[0].pieces) == 0


def test_a_change_tells_what_to_look_for() -> None:
    assert changes("We switched from Jenkins to Buildkite") == [["jenkin"]]
    assert changes("The standup moved to 10:00") == [["standup"]]
    assert changes("The standup is at 10:00") == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("60s", "1min"), ("1000ms", "1s"), ("5.0%", "5%"), ("1000g", "1kg")],
)
def test_one_measure_in_two_units_is_one_figure(one: str, other: str) -> None:
    units = {"1min": ("1", "minute"), "1kg": ("1", "kg"), "1000g": ("1000", "g")}
    made = [
        measured(*units[text], text) if text in units else figure(text) for text in (one, other)
    ]

    assert made[0] is not None
    assert made[1] is not None
    assert made[0].key == made[1].key


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("8000", "number:"),
        ("10⁵", "number:"),
        ("$5", "number:dollar"),
        ("30s", "number:time"),
        ("5GB", "number:size"),
        ("20:00", "clock"),
        ("2026-03-05", "date"),
        ("v1.2.3", "version"),
        ("1.2.3", "version"),
    ],
)
def test_a_figure_is_of_a_kind(text: str, kind: str) -> None:
    found = figure(text)

    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize("text", ["port", "us-east-1", "3x", "C++", "", "1.2.3.", "/srv"])
def test_what_is_no_figure_is_none(text: str) -> None:
    assert figure(text) is None


def test_megabytes_and_megabits_can_be_compared_and_weeks_and_prices_cannot() -> None:
    megabytes, megabits = measured("5", "MB/s", "5 MB/s"), measured("5", "Mb/s", "5 Mb/s")

    assert are_alike(megabytes, megabits)
    assert megabytes.key != megabits.key
    assert not are_alike(measured("2", "weeks", "2 weeks"), measured("2", "euros", "2 euros"))


@given(st.text() | st.text("the port is now not from to 8000 是不在改为从了，。5点号", max_size=60))
def test_any_text_has_claims_whose_places_are_in_it(text: str) -> None:
    for claim in claims(text):
        assert -1 <= claim.head <= len(claim.pieces)
        assert 0 <= claim.value <= len(claim.pieces) + 1
        assert isinstance(claim.about, frozenset)
        assert claim.points_to in ("", "self", "other")
