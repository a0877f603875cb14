"""Faults that users of memory systems met in the field, each with the right outcome."""

import json
import math
import sqlite3
import time
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from agent_memory_os import InvalidInput, Memory, MemoryClient, NotFound, Settings
from agent_memory_os.errors import StoreBusy, StoreCorrupt
from agent_memory_os.testing import FakeClock, assert_never_visible, memory_client

NOW = datetime(2026, 1, 1, tzinfo=UTC)
UNKNOWN_ID = "f" * 25


def contents(found: Iterable[object]) -> list[str]:
    return [each.content for each in found]


@pytest.fixture
def fixed() -> Iterator[MemoryClient]:
    """Yield a memory in RAM whose clock stands still."""
    with memory_client() as client:
        yield client
        assert client.admin.check() == []


# fts-syntax


@pytest.mark.capability("OOM-038")
def test_fc_001_a_contraction_is_words_not_grammar(m: MemoryClient) -> None:
    m.add("Don't restart the billing worker on Fridays")

    assert contents(m.search("don't restart")) == ["Don't restart the billing worker on Fridays"]
    assert m.search("o'clock") == []


@pytest.mark.capability("OOM-038")
def test_fc_003_a_kebab_case_name_is_no_column(m: MemoryClient) -> None:
    m.add("mail-to-sheet exporter runs nightly")

    assert contents(m.search("mail-to-sheet")) == ["mail-to-sheet exporter runs nightly"]


@pytest.mark.capability("OOM-038")
@pytest.mark.parametrize("query", ["conf/app.prod.ini", "ops@example.org", "61.5%"])
def test_fc_005_a_path_a_mail_address_and_a_percentage_are_found(
    m: MemoryClient, query: str
) -> None:
    added = m.add("edit conf/app.prod.ini then mail ops@example.org, cpu was 61.5%")

    assert m.search(query).ids == (added.id,)


@pytest.mark.parametrize("query", ["status: blocked", 'retry "wait', "waiting OR"])
def test_fc_007_half_written_grammar_still_finds_its_words(m: MemoryClient, query: str) -> None:
    added = m.add("status: blocked waiting for retry")

    assert m.search(query).ids == (added.id,)


@pytest.mark.parametrize("query", ["NEAR(", "AND", "NOT", "*", "^", "col:x", "{a b}:c"])
def test_fc_007_operators_alone_are_no_error(m: MemoryClient, query: str) -> None:
    m.add("status: blocked waiting for retry")

    assert m.search(query) == []


@pytest.mark.parametrize("query", ["", "   ", "???", "-", '""', "()", "...", "—", "\n\t"])
def test_fc_009_punctuation_finds_nothing_and_says_why(m: MemoryClient, query: str) -> None:
    m.add("alpha")

    hits = m.search(query)

    assert hits == []
    assert hits.report.abstained
    assert hits.report.reason
    assert str(m.context_pack(query)) == ""


@pytest.mark.capability("OOM-053", "AMOS-031")
@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE words",
        "ALTER TABLE words RENAME TO elsewhere",
        "DELETE FROM words_data",
        "DELETE FROM words_data WHERE id > 10",
    ],
)
def test_fc_011_a_lost_word_index_is_an_error_and_can_be_rebuilt(
    damage: str, tmp_path: Path
) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path, settings=Settings(index_every=1)) as m:
        added = m.add("alpha")
        with sqlite3.connect(path) as behind_its_back:
            behind_its_back.execute(damage)
        behind_its_back.close()

        with pytest.raises(StoreCorrupt):
            m.search("alpha")
        with pytest.raises(StoreCorrupt):
            m.context_pack("alpha")
        assert m.admin.check() != []

        m.rebuild_indexes()
        assert m.search("alpha").ids == (added.id,)
        assert m.admin.check() == []


def test_fc_011_a_locked_file_is_busy_and_never_empty(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path, settings=Settings(busy_wait_ms=0)) as m:
        added = m.add("alpha")
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")

        with pytest.raises(StoreBusy):
            m.add("beta")
        assert m.search("alpha").ids == (added.id,)

        holder.execute("ROLLBACK")
        holder.close()
        assert m.search("beta") == []


# query-semantics


@pytest.mark.capability("OOM-037")
def test_fc_013_a_whole_question_is_answered_by_its_content_words(m: MemoryClient) -> None:
    m.add("The kiosk exit is on the left")
    jam = m.add("The kiosk printer jams when the drawer is open")

    assert m.search("why does the kiosk printer keep jamming?")[0].id == jam.id


def test_fc_015_a_question_in_spanish_is_answered(m: MemoryClient) -> None:
    lease = m.add("El contrato del taller vence en marzo")
    m.add_many([{"content": f"La reunión número {n} fue el lunes"} for n in range(71)])

    hits = m.search("¿te acuerdas de cuándo vence lo del taller?")

    assert hits[0].id == lease.id


@pytest.mark.parametrize(
    "query",
    [" ".join(f"word{n}" for n in range(4_000)), "a " * 5_000, "x" * 10_000],
    ids=["4000 words", "5000 times a", "10000 times x"],
)
def test_fc_017_a_long_query_is_cut_and_quick(m: MemoryClient, query: str) -> None:
    started = time.perf_counter()

    assert m.search(query) == []
    added = m.add("word0 is the first word")
    assert m.search(query).ids in ((), (added.id,))

    assert time.perf_counter() - started < 2


# multilingual-search


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("投影仪", "会议室的投影仪需要更换灯泡"),
        ("灯泡", "会议室的投影仪需要更换灯泡"),
        ("歓迎会", "来週の歓迎会は駅前の焼き鳥屋で行います"),
        ("焼き鳥", "来週の歓迎会は駅前の焼き鳥屋で行います"),
        ("회의록", "회의록은 매주 금요일에 공유합니다"),
        ("금요일", "회의록은 매주 금요일에 공유합니다"),
    ],
)
def test_fc_019_words_inside_unspaced_sentences_are_found(
    m: MemoryClient, query: str, sentence: str
) -> None:
    m.add("会议室的投影仪需要更换灯泡")
    m.add("来週の歓迎会は駅前の焼き鳥屋で行います")
    m.add("회의록은 매주 금요일에 공유합니다")

    assert contents(m.search(query)) == [sentence]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("аренды", "Договор аренды истекает в марте"),
        ("المرور", "كلمة المرور تنتهي كل تسعين يوما"),
        ("פגישת", "פגישת צוות נדחתה לרביעי"),
        ("άδεια", "Η άδεια λήγει τον Ιούνιο"),
        ("बैठक", "बैठक सोमवार को है"),
    ],
)
def test_fc_021_other_scripts_are_found(m: MemoryClient, query: str, sentence: str) -> None:
    m.add("Договор аренды истекает в марте")
    m.add("كلمة المرور تنتهي كل تسعين يوما")
    m.add("פגישת צוות נדחתה לרביעי")
    m.add("Η άδεια λήγει τον Ιούνιο")
    m.add("बैठक सोमवार को है")

    assert contents(m.search(query)) == [sentence]


@pytest.mark.parametrize("query", ["วันจันทร์", "ประชุม"])
def test_fc_023_thai_is_found_without_spaces(m: MemoryClient, query: str) -> None:
    added = m.add("ประชุมทีมทุกวันจันทร์เวลาเก้าโมง")

    assert m.search(query).ids == (added.id,)


@pytest.mark.capability("AMOS-031", "AIM-28")
def test_fc_025_two_characters_find_a_phrase_before_and_after_a_rebuild(m: MemoryClient) -> None:
    added = m.add("报销单优先走电子流程")
    assert m.search("报销").ids == (added.id,)

    assert m.rebuild_indexes() == 1
    assert m.search("电子").ids == (added.id,)

    m.delete(added.id)
    assert m.search("报销") == []
    assert m.rebuild_indexes() == 0
    assert m.search("报销") == []


# unicode-text


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_fc_027_composed_and_decomposed_text_find_each_other(m: MemoryClient, form: str) -> None:
    decomposed = unicodedata.normalize("NFD", "Résumé für Zoë")
    a = m.add(decomposed)
    b = m.add(unicodedata.normalize("NFC", "Résumé für Zoë — v2"))

    assert {*m.search(unicodedata.normalize(form, "résumé")).ids} == {a.id, b.id}
    assert m.get(a.id).content == decomposed


def test_fc_027_composed_and_decomposed_text_are_one_statement(m: MemoryClient) -> None:
    m.add(unicodedata.normalize("NFD", "Zoë likes crème"))

    assert m.add(unicodedata.normalize("NFC", "Zoë likes crème")).verdict == "merged"


def test_fc_027_composed_and_decomposed_tags_are_one_tag(m: MemoryClient) -> None:
    a = m.add("written on one machine", tags=[unicodedata.normalize("NFD", "Zoë")])
    b = m.add("written on another", tags=[unicodedata.normalize("NFC", "Zoë")])

    for form in ("NFC", "NFD"):
        found = m.browse(tags=[unicodedata.normalize(form, "Zoë")])
        assert [memory.id for memory in found] == [b.id, a.id]


def test_fc_027_an_id_that_only_looks_alike_is_refused(m: MemoryClient) -> None:
    with pytest.raises(InvalidInput, match=r"owner.*normal form C"):
        m.add("tea", owner=unicodedata.normalize("NFD", "Zoë"))


def test_fc_029_nul_is_kept_and_harms_no_index(m: MemoryClient) -> None:
    long = m.add("before-part " + "\x00" * 10_000 + " after-part")
    short = m.add("a\x00b")
    plain = m.add("plain")

    assert m.search("after-part").ids == (long.id,)
    assert m.search("plain").ids == (plain.id,)
    assert m.search("a\x00b").ids in ((), (short.id,))
    assert m.get(long.id).content == "before-part " + "\x00" * 10_000 + " after-part"
    assert m.get(short.id).content == "a\x00b"
    assert m.browse(where={"content": {"$contains": "after-part"}})[0].id == long.id
    assert m.admin.check() == []


@pytest.mark.parametrize("query", ["Nuñez", "nunez", "crème", "creme", "NUÑEZ"])
def test_fc_031_accents_are_folded_on_both_sides(m: MemoryClient, query: str) -> None:
    added = m.add("Nuñez approves Crème budgets")

    assert m.search(query).ids == (added.id,)


# codes-numbers


@pytest.mark.capability("OOM-038")
@pytest.mark.parametrize(
    ("query", "first"),
    [("C++", "Port the parser to C++"), ("C#", "Port the parser to C#"), (".NET", "Use .NET 8")],
)
def test_fc_033_a_punctuated_name_comes_before_its_letters(
    m: MemoryClient, query: str, first: str
) -> None:
    m.add("Vitamin C in the morning")
    m.add("Port the parser to C++")
    m.add("Port the parser to C#")
    m.add("The net caught 8 fish")
    m.add("Use .NET 8")

    assert m.search(query)[0].content == first


def test_fc_035_a_unit_with_a_slash_is_not_the_unit_without(m: MemoryClient) -> None:
    m.add("the kmh sensor is broken")
    m.add("cart limit is 8 km/h")

    assert m.search("km/h")[0].content == "cart limit is 8 km/h"


# isolation


@pytest.mark.capability("AMOS-017", "MEMU-73", "AIM-50")
def test_fc_085_who_asks_decides_whatever_else_is_filtered(m: MemoryClient) -> None:
    m.add("I live in Oslo, my home", owner="u1")
    m.add("I live in Porto, my home", owner="u2")
    mine = ["I live in Oslo, my home"]

    assert contents(m.search("home where I live", requester_agent_id="u1")) == mine
    assert contents(m.search("home", requester_agent_id="u1", owner="u1")) == mine
    assert m.search("home", requester_agent_id="u1", owner="u2") == []
    assert m.search("home", requester_agent_id="u1", where={"owner": "u2"}) == []


@pytest.mark.capability("AMOS-017")
def test_fc_085_an_unknown_filter_is_an_error(m: MemoryClient) -> None:
    m.add("lives in Porto", owner="u2")

    with pytest.raises(InvalidInput, match="userid"):
        m.search("lives", requester_agent_id="u1", userid="u1")
    with pytest.raises(InvalidInput, match="userid"):
        m.browse(requester_agent_id="u1", where={"userid": "u1"})
    assert m.search("lives", requester_agent_id="u1", where={"metadata.userid": "u1"}) == []


@pytest.mark.capability("AMOS-016", "AMOS-019")
def test_fc_087_every_read_answers_as_if_the_private_memory_were_not_there(
    m: MemoryClient,
) -> None:
    private = m.add("salary of Ada is 90k", owner="u1", tags=["salary"])
    shared = m.add("Ada joined in May", owner="u1", visibility=["global"])
    m.update(private.id, requester_agent_id="u1", content="salary of Ada is 95k")
    u2 = m.as_agent("u2")

    assert u2.get(private.id) is None
    assert u2.get(private.id[:8]) is None
    assert contents(u2.get_many([private.id, shared.id])) == ["Ada joined in May"]
    assert contents(u2.browse()) == ["Ada joined in May"]
    assert u2.browse(tags=["salary"]) == []
    assert u2.browse(where={"id": private.id}) == []
    assert u2.history(private.id) == []
    assert [item.id for item in u2.context_pack("Ada salary").items] == [shared.id]
    assert {d.id for d in u2.context_pack("Ada salary").report.decisions} == {shared.id}
    assert u2.search("salary").report.candidates == {"lexical": 0}
    assert_never_visible(u2, "salary of Ada", queries=["Ada", "salary", "90k", "95k"])


@pytest.mark.capability("AMOS-016", "AMOS-019")
@pytest.mark.parametrize("verb", ["update", "delete", "share", "revoke", "explain"])
def test_fc_087_a_private_memory_and_a_random_id_give_the_same_error(
    m: MemoryClient, verb: str
) -> None:
    private = m.add("salary of Ada is 90k", owner="u1").id
    u2 = m.as_agent("u2")
    acts = {
        "update": lambda memory_id: u2.update(memory_id, content="x"),
        "delete": u2.delete,
        "share": lambda memory_id: u2.share(memory_id, ["global"]),
        "revoke": lambda memory_id: u2.revoke(memory_id, ["global"]),
        "explain": lambda memory_id: u2.explain("salary", memory_id),
    }

    with pytest.raises(NotFound) as hidden:
        acts[verb](private)
    with pytest.raises(NotFound) as absent:
        acts[verb](UNKNOWN_ID)

    assert str(hidden.value).replace(private, UNKNOWN_ID) == str(absent.value)


@pytest.mark.capability("AMOS-007", "AMOS-010", "AMOS-011", "AMOS-012")
def test_fc_089_team_and_project_need_membership(m: MemoryClient) -> None:
    m.org.create_team("t1")
    m.org.create_team("t2")
    m.org.create_project("p", team="t1")
    m.org.add_team_member("t1", "u1")
    m.org.add_team_member("t1", "u3")
    m.org.add_team_member("t2", "u2")
    m.org.add_project_member("p", "u3")
    m.add("plan of the team", owner="u3", visibility=["team:t1"])
    project = m.add("plan of the project", owner="u3", visibility=["project:p"])

    assert contents(m.search("plan", requester_agent_id="u1")) == ["plan of the team"]
    assert m.get(project.id, requester_agent_id="u1") is None
    for outsider in ("u2", "nobody"):
        assert m.search("plan", requester_agent_id=outsider) == []
        assert m.browse(requester_agent_id=outsider) == []
        assert m.get(project.id, requester_agent_id=outsider) is None
    m.org.add_project_member("p", "u1")
    assert len(m.search("plan", requester_agent_id="u1")) == 2


@pytest.mark.capability("AMOS-016", "AIM-51")
def test_fc_091_names_are_compared_whole(m: MemoryClient) -> None:
    for team, agent in [("ab", "u1"), ("abc", "u10"), ("ab-x", "u100")]:
        m.org.create_team(team)
        m.org.create_project(team, team=team)
        m.org.add_team_member(team, agent)
        m.org.add_project_member(team, agent)
        m.add(f"team note of {team}", owner=agent, visibility=[f"team:{team}"])
        m.add(f"project note of {team}", owner=agent, visibility=[f"project:{team}"])
        m.add(f"own note of {agent}", owner=agent, subject=f"user:{agent}")
    m.org.add_team_member("ab", "reader")
    m.org.add_project_member("ab", "reader")

    expected = ["project note of ab", "team note of ab"]
    assert contents(m.browse(requester_agent_id="reader")) == expected
    assert sorted(contents(m.search("note", requester_agent_id="reader"))) == expected
    assert sorted(contents(m.search("note", requester_agent_id="u1"))) == [
        "own note of u1",
        *expected,
    ]
    assert m.browse(requester_agent_id="u100", subject="user:u10") == []


@pytest.mark.capability("AIM-34")
@pytest.mark.parametrize("tag", ["art", "smart", "art,deco", "ART"])
def test_fc_093_a_tag_is_matched_exactly(m: MemoryClient, tag: str) -> None:
    for each in ("art", "smart", "art,deco", "ART"):
        m.add(f"tagged with {each}", tags=[each])

    assert contents(m.browse(tags=[tag])) == [f"tagged with {tag}"]
    assert contents(m.search("tagged", tags=[tag])) == [f"tagged with {tag}"]
    assert contents(m.browse(where={"tags": {"$contains": tag}})) == [f"tagged with {tag}"]


@pytest.mark.parametrize("blank", ["", " "])
def test_fc_093_a_blank_tag_is_an_error_and_no_wildcard(m: MemoryClient, blank: str) -> None:
    with pytest.raises(InvalidInput, match="tag"):
        m.add("x", tags=[blank])
    with pytest.raises(InvalidInput, match="tags"):
        m.browse(tags=[blank])
    with pytest.raises(InvalidInput, match="tags"):
        m.search("x", tags=[blank])
    assert m.browse() == []


@pytest.mark.capability("AMOS-014")
def test_fc_095_a_removed_member_sees_nothing_in_another_open_client(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with MemoryClient(path, agent_id="u2") as a, MemoryClient(path, agent_id="host") as b:
        b.org.create_team("ops")
        b.org.add_team_member("ops", "u1")
        b.org.add_team_member("ops", "u2")
        shared = b.add("rotation of the team", owner="u1", visibility=["team:ops"])
        assert a.search("rotation").ids == (shared.id,)

        b.org.remove_team_member("ops", "u2")

        assert a.search("rotation") == []
        assert a.get(shared.id) is None
        assert a.browse() == []
        assert a.history(shared.id) == []
        assert str(a.context_pack("rotation")) == ""


# sql-injection


@pytest.mark.parametrize(
    "key",
    ["x') OR 1=1 --", "a' UNION SELECT 1--", "$.a", 'a"b', "a.b", "", "metadata.", 'metadata."'],
)
def test_fc_097_a_hostile_filter_key_is_refused(m: MemoryClient, key: str) -> None:
    m.add("secret of u2", owner="u2", metadata={"a": 1})

    with pytest.raises(InvalidInput):
        m.search("secret", requester_agent_id="u1", where={key: 1})
    with pytest.raises(InvalidInput):
        m.browse(requester_agent_id="u1", where={key: 1})


@pytest.mark.parametrize(
    ("key", "path"),
    [
        ("x') OR 1=1 --", "metadata.x') OR 1=1 --"),
        ("a' UNION SELECT 1--", "metadata.a' UNION SELECT 1--"),
        ("$.a", 'metadata."$.a"'),
        ('a"b', 'metadata."a""b"'),
        ("a.b", 'metadata."a.b"'),
        ("[0]", "metadata.[0]"),
    ],
)
def test_fc_097_a_hostile_metadata_key_is_that_key(m: MemoryClient, key: str, path: str) -> None:
    m.add("secret of u2", owner="u2", metadata={key: 1, "a": 1})
    m.add("another of u1", owner="u1", metadata={"a": 1, "b": 1})
    mine = m.add("secret of u1", owner="u1", metadata={key: 1})

    assert m.search("secret", requester_agent_id="u1", where={path: 1}).ids == (mine.id,)
    assert contents(m.browse(requester_agent_id="u1", where={path: 1})) == ["secret of u1"]


@pytest.mark.parametrize(
    ("part", "expected"),
    [("75%", "tank is 75% full"), ("rota_list", "see rota_list.txt")],
)
def test_fc_099_percent_and_underscore_are_no_wildcards(
    m: MemoryClient, part: str, expected: str
) -> None:
    m.add("tank is 75% full")
    m.add("tank 7544 is full")
    m.add("see rota_list.txt")
    m.add("see rotaXlist.txt")

    assert contents(m.browse(where={"content": {"$contains": part}})) == [expected]
    assert m.search(part)[0].content == expected


# metadata-types


@pytest.mark.capability("AIM-33")
@pytest.mark.parametrize(
    ("where", "is_found"),
    [
        ({"metadata.n": 7}, True),
        ({"metadata.n": "7"}, False),
        ({"metadata.n": 7.0}, True),
        ({"metadata.b": True}, True),
        ({"metadata.b": 1}, False),
        ({"metadata.n": {"$gt": 6}}, True),
        ({"metadata.b": {"$gt": 0}}, False),
        ({"metadata.f": 2.25}, True),
        ({"metadata.s": "7"}, True),
        ({"metadata.s": 7}, False),
        ({"metadata.z": None}, True),
        ({"metadata.absent": None}, False),
        ({"metadata.z": {"$exists": True}}, True),
        ({"metadata.absent": {"$exists": False}}, True),
    ],
    ids=str,
)
def test_fc_101_metadata_is_compared_by_type(
    m: MemoryClient, where: dict[str, object], is_found: bool
) -> None:
    m.add("typed", metadata={"n": 7, "b": True, "f": 2.25, "s": "7", "z": None})

    assert contents(m.search("typed", where=where)) == ["typed"] * is_found
    assert contents(m.browse(where=where)) == ["typed"] * is_found


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_fc_103_nan_and_infinity_are_refused_and_break_no_query(
    m: MemoryClient, number: float
) -> None:
    with pytest.raises(ValueError, match=r"metadata\.v"):
        m.add("x", metadata={"v": number})
    with pytest.raises(ValueError, match="metadata"):
        m.add("y", metadata={"deep": {"v": [1, number]}})
    good = m.add("z", metadata={"v": 1})

    assert m.search("z", where={"metadata.v": 1}).ids == (good.id,)
    assert [memory.id for memory in m.browse()] == [good.id]
    assert Memory.from_dict(json.loads(json.dumps(good.memory.to_dict(), allow_nan=False)))


# time


@pytest.mark.parametrize("name", ["occurred_at", "valid_from", "valid_to"])
def test_fc_105_a_naive_time_is_refused_at_the_door(m: MemoryClient, name: str) -> None:
    with pytest.raises(InvalidInput, match=rf"{name}.*time zone"):
        m.add("standup", **{name: datetime(2025, 3, 1, 10)})
    with pytest.raises(InvalidInput, match=r"since.*time zone"):
        m.browse(since=datetime(2025, 3, 1, 10))
    with pytest.raises(InvalidInput, match=name):
        m.add("standup", **{name: "2025-03-01T10:00:00"})
    assert m.browse() == []


def test_fc_105_times_of_different_zones_are_compared_by_instant(m: MemoryClient) -> None:
    tokyo, lisbon = timezone(timedelta(hours=9)), timezone(timedelta(hours=-1))
    m.add("ten in Tokyo", occurred_at=datetime(2025, 3, 1, 10, tzinfo=tokyo))
    m.add("one in London", occurred_at=datetime(2025, 3, 1, 1, tzinfo=UTC))
    m.add("midnight west of it", occurred_at=datetime(2025, 3, 1, 0, tzinfo=lisbon))
    m.add("a second later", occurred_at=datetime(2025, 3, 1, 1, 0, 1, tzinfo=UTC))

    until = datetime(2025, 3, 1, 10, 0, 1, tzinfo=tokyo)
    found = m.browse(since=datetime(2025, 3, 1, 1, tzinfo=UTC), until=until)

    assert contents(found) == ["midnight west of it", "one in London", "ten in Tokyo"]
    assert {memory.occurred_at for memory in found} == {datetime(2025, 3, 1, 1, tzinfo=UTC)}


@pytest.mark.capability("AMOS-057")
def test_fc_107_a_moment_in_the_future_outranks_nothing(fixed: MemoryClient) -> None:
    moments = [
        NOW + timedelta(days=10),
        NOW + timedelta(days=365),
        datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC),
        datetime(1, 1, 1, tzinfo=UTC),
    ]
    for number, moment in enumerate(moments):
        fixed.add(f"the pump needs oil, round {number}", occurred_at=moment)
    better = fixed.add("the pump needs new valves and oil", occurred_at=NOW)

    hits = fixed.search("pump valves")

    assert hits[0].id == better.id
    assert len(hits) == 5
    assert all(0 <= hit.score <= 1 for hit in hits)
    assert all(0 < hit.parts["freshness"] <= 1 for hit in hits)
    assert all(0 <= hit.score <= 1 for hit in fixed.search(None))


@pytest.mark.capability("AMOS-057")
def test_fc_107_a_clock_that_goes_back_changes_nothing() -> None:
    clock = FakeClock(NOW)
    with MemoryClient(":memory:", clock=clock) as m:
        m.add("the pump needs oil")
        before = m.search("pump")

        clock.advance(days=-400)

        assert m.search("pump") == before
        assert m.add("the pump needs valves").id > before[0].id


@pytest.mark.capability("AMOS-057")
@pytest.mark.parametrize("way", ["by the rules", "by name", "by a key"])
def test_fc_107_a_clock_that_goes_back_revives_nothing_that_was_superseded(way: str) -> None:
    """So it is for a process whose clock is behind that of the one that wrote."""
    clock = FakeClock(NOW)
    with MemoryClient(":memory:", clock=clock) as m:
        old = m.add("the pump has oil of 2024", attribute="oil")
        note = m.add("the pump is to be looked at", key="pump")
        clock.advance(days=2)
        if way == "by the rules":
            m.add("the pump has oil of 2026", attribute="oil")
        elif way == "by name":
            m.add("the pump is dry", supersedes=[old.id])
        else:
            m.add("the pump is dry", key="pump", supersedes=[old.id])
        before = m.search("pump").ids

        clock.advance(days=-400)

        assert old.id not in before
        assert {*m.search("pump").ids} == {*before}
        assert m.get(old.id) is None
        assert m.get(note.id) is not None
        assert m.layers.organise().atoms == len(before)


def test_what_happens_later_takes_no_place_before_and_by_a_clock_that_goes_back() -> None:
    clock = FakeClock(NOW)
    with MemoryClient(":memory:", clock=clock) as m:
        old = m.add("the pump has oil of 2024")
        moment = NOW + timedelta(days=10)
        m.add("the pump has oil of 2026", occurred_at=moment, supersedes=[old.id])
        before = m.get(old.id)
        clock.advance(days=10)
        then = m.get(old.id)
        clock.advance(days=-10)

        assert (before is None, then is None, m.get(old.id) is None) == (False, True, False)


def test_what_happens_later_takes_no_place_before_in_a_file_that_is_ahead_of_the_clock() -> None:
    """A clock that was wrong once leaves its stamps in the future, and what is written follows."""
    clock = FakeClock(NOW)
    with MemoryClient(":memory:", clock=clock) as m:
        clock.advance(days=1500)
        m.add("it is 2030")
        clock.advance(days=-1500)
        old = m.add("the pump has oil of 2024")
        moment = NOW + timedelta(days=10)
        m.add("the pump has oil of 2026", occurred_at=moment, supersedes=[old.id])
        before = m.get(old.id)
        clock.advance(days=10)

        assert (before is None, m.get(old.id) is None) == (False, True)


def test_a_view_of_the_past_goes_by_what_happened_then_whatever_the_clock() -> None:
    clock = FakeClock(NOW)
    with MemoryClient(":memory:", clock=clock) as m:
        old = m.add("the pump has oil of 2024")
        clock.advance(days=2)
        new = m.add("the pump has oil of 2026", supersedes=[old.id])
        clock.advance(days=-1)

        for view in ({"as_of": NOW + timedelta(days=1)}, {"known_at": NOW + timedelta(days=1)}):
            assert [each.id for each in m.browse(**view)] == [old.id]  # type: ignore[arg-type]
        assert [each.id for each in m.browse()] == [new.id]


def test_fc_109_what_was_long_ago_keeps_its_time(fixed: MemoryClient) -> None:
    first = fixed.add("moved to Oslo", occurred_at=datetime(2019, 5, 1, tzinfo=UTC))
    second = fixed.add("moved to Porto", occurred_at=datetime(2024, 5, 1, tzinfo=UTC))

    memory = fixed.get(first.id)
    assert memory.occurred_at == datetime(2019, 5, 1, tzinfo=UTC)
    assert memory.created_at == NOW
    before_2020 = fixed.browse(until=datetime(2020, 1, 1, tzinfo=UTC))
    assert [each.id for each in before_2020] == [first.id]
    assert [hit.id for hit in fixed.search("moved")] == [second.id, first.id]
    assert fixed.browse(until=datetime(2020, 1, 1, tzinfo=UTC), time_field="created_at") == []


# limits-paging


@pytest.fixture(scope="module")
def crowd() -> Iterator[MemoryClient]:
    """Yield a memory of 1,200 notes, that tests only read."""
    with MemoryClient(":memory:") as client:
        client.add_many([{"content": f"note number {n}"} for n in range(1_200)])
        yield client


@pytest.mark.parametrize("limit", [-1, 2.5, "5", "abc", None, True, math.inf])
def test_fc_127_a_limit_that_is_no_whole_number_is_refused(
    crowd: MemoryClient, limit: object
) -> None:
    for verb in (
        lambda: crowd.browse(limit=limit),
        lambda: crowd.search("note", limit=limit),
        lambda: crowd.search(None, limit=limit),
        lambda: crowd.explain("note", UNKNOWN_ID, limit=limit),
        lambda: crowd.org.audit(limit=limit),
    ):
        with pytest.raises(InvalidInput, match="limit"):
            verb()


@pytest.mark.parametrize(("limit", "expected"), [(0, 0), (1, 1), (10**9, 1_000), (10**30, 1_000)])
def test_fc_127_a_limit_is_kept_and_a_huge_one_is_cut(
    crowd: MemoryClient, limit: int, expected: int
) -> None:
    assert len(crowd.browse(limit=limit)) == expected
    assert len(crowd.search("note", limit=limit)) == expected
    assert len(crowd.search(None, limit=limit)) == expected


@pytest.mark.parametrize("offset", [1_200, 10**9, 2**63, 10**30])
def test_fc_127_a_page_past_the_end_is_empty(crowd: MemoryClient, offset: int) -> None:
    assert crowd.browse(offset=offset) == []
    assert crowd.search("note", offset=offset) == []
    assert crowd.search(None, offset=offset) == []


def test_fc_129_pages_of_one_moment_miss_and_repeat_nothing(fixed: MemoryClient) -> None:
    receipts = fixed.add_many([{"content": f"note {n}"} for n in range(230)])

    pages = [fixed.browse(limit=50)]
    for offset in (50, 100, 150, 200):
        fixed.update(pages[0][offset // 50].id, content=f"changed before {offset}")
        pages.append(fixed.browse(limit=50, offset=offset))

    seen = [memory.id for page in pages for memory in page]
    assert seen == [receipt.id for receipt in reversed(receipts)]


def test_fc_129_pages_of_a_search_miss_and_repeat_nothing(fixed: MemoryClient) -> None:
    receipts = fixed.add_many([{"content": f"note {n:03}"} for n in range(230)])

    pages = [fixed.search("note", limit=50, offset=offset).ids for offset in range(0, 250, 50)]

    seen = [memory_id for page in pages for memory_id in page]
    assert len(seen) == 230
    assert {*seen} == {receipt.id for receipt in receipts}
    assert seen == list(fixed.search("note", limit=230).ids)
