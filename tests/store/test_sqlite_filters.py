import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import JSON, Condition, Filters, Memory, moment
from agent_memory_os.pure.draft import encode
from agent_memory_os.pure.filters import matches, parse_filters, parse_where
from agent_memory_os.pure.ids import memory_id, stamp
from agent_memory_os.store.sqlite import schema
from agent_memory_os.store.sqlite.filters import where_sql

NOON = datetime(2025, 6, 1, 12, tzinfo=UTC)
NOON_MS = 1_748_779_200_000
HOUR_MS = 3_600_000


def named(letter: str) -> str:
    """Return the id that stands for *letter*."""
    return memory_id(ord(letter), 0)


def letter_of(uid: str) -> str:
    return chr(int(uid[:-10], 16))


MEMORY = Memory(
    id=named("a"),
    content="tea",
    type="note",
    layer=1,
    owner="neo",
    subject=None,
    visibility=(),
    tags=(),
    metadata={},
    actor=None,
    session=None,
    key=None,
    occurred_ms=NOON_MS,
    valid_from_ms=None,
    valid_to_ms=None,
    expires_ms=None,
    importance=0.5,
    confidence=1.0,
    pinned=False,
    mentions=1,
    created_ms=NOON_MS,
    updated_ms=NOON_MS,
    version="",
    access_version="",
    state="active",
)
SCOPE = "INSERT INTO scopes(kind, name, created_ms) SELECT 'agent', :owner, 0 WHERE NOT EXISTS"
SCOPE += " (SELECT 1 FROM scopes WHERE kind = 'agent' AND name = :owner AND deleted_ms IS NULL)"
SUBJECT = "INSERT OR IGNORE INTO subjects(name) SELECT :subject WHERE :subject IS NOT NULL"
SESSION = "INSERT OR IGNORE INTO sessions(name) SELECT :session WHERE :session IS NOT NULL"
# Archived rows: only active ones must have keys of their own.
ROW = """
INSERT INTO memories(
    stamp, chance, owner, audience, subject, state, layer, kind, content, tags, metadata, actor,
    session, key, created, occurred, valid_from_ms, valid_to_ms, expires_ms, doubled, confidence,
    pinned, mentions, changed, analyser, terms, topics
) VALUES (
    :stamp, 0,
    (SELECT id FROM scopes WHERE kind = 'agent' AND name = :owner AND deleted_ms IS NULL), 0,
    coalesce((SELECT id FROM subjects WHERE name = :subject), 0), 2, :layer, :type, :content,
    :tags, :metadata, :actor, (SELECT id FROM sessions WHERE name = :session), :key, :created_ms,
    :occurred_ms, :valid_from_ms, :valid_to_ms, :expires_ms, 2 * :importance, :confidence, :pinned,
    :mentions, :version, 1, '', 0
)
"""
FOUND = "SELECT m.uid FROM memories AS m WHERE {} ORDER BY m.uid"


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    connection = opened()
    yield connection
    connection.close()


def opened() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("PRAGMA foreign_keys = ON")
    schema.migrate(connection, ":memory:")
    return connection


def put(db: sqlite3.Connection, *memories: Memory) -> None:
    for memory in memories:
        row = memory.to_dict() | {
            "tags": encode(memory.tags) if memory.tags else None,
            "metadata": encode(memory.metadata) if memory.metadata else None,
            "stamp": ord(letter_of(memory.id)),
            "version": stamp(memory.updated_ms, 7),
        }
        del row["visibility"]
        for statement in (SCOPE, SUBJECT, SESSION, ROW):
            db.execute(statement, row)


def found(db: sqlite3.Connection, **fields: object) -> list[str]:
    return selected(db, parse_filters(fields))


def selected(db: sqlite3.Connection, filters: Filters) -> list[str]:
    sql, parameters = where_sql(filters)
    return [letter_of(uid) for (uid,) in db.execute(FOUND.format(sql), parameters)]


def with_metadata(**values: JSON) -> list[Memory]:
    return [replace(MEMORY, id=named(uid), metadata={"v": value}) for uid, value in values.items()]


# The filters.


def test_no_filters_are_no_sql() -> None:
    assert where_sql(Filters()) == ("1", {})
    assert where_sql(Filters(where=parse_where({}))) == ("1", {})


def test_each_filter_narrows(db: sqlite3.Connection) -> None:
    put(
        db,
        MEMORY,
        replace(MEMORY, id=named("b"), owner="trin", confidence=0.4),
        replace(MEMORY, id=named("c"), subject="user:ada", type="fact", layer=0),
        replace(MEMORY, id=named("d"), subject="user:adah", tags=("deploy", "art")),
        replace(MEMORY, id=named("e"), session="s", metadata={"env": "prod"}),
    )

    assert found(db, subject="user:ada") == ["c"]
    assert found(db, subject="user:nobody") == []
    assert found(db, owner="trin") == ["b"]
    assert found(db, owner="nobody") == []
    assert found(db, types=["fact", "task"]) == ["c"]
    assert found(db, layers=[0, 3]) == ["c"]
    assert found(db, tags=["art"]) == ["d"]
    assert found(db, tags=["art", "deploy"]) == ["d"]
    assert found(db, tags=["art", "tea"]) == []
    assert found(db, min_confidence=0.4) == ["a", "b", "c", "d", "e"]
    assert found(db, min_confidence=0.41) == ["a", "c", "d", "e"]
    assert found(db, where={"metadata.env": "prod"}) == ["e"]
    assert found(db, types=["note"], owner="neo", where={"session": None}) == ["a", "d"]


@pytest.mark.parametrize("time_field", ["occurred_at", "created_at", "updated_at"])
def test_a_window_is_half_open(db: sqlite3.Connection, time_field: str) -> None:
    column = time_field.replace("_at", "_ms")
    hours = dict(zip("abc", (NOON_MS, NOON_MS + HOUR_MS, NOON_MS + 2 * HOUR_MS), strict=True))
    put(
        db,
        *(
            Memory.from_dict({**MEMORY.to_dict(), "id": named(uid), column: ms})
            for uid, ms in hours.items()
        ),
    )
    later = NOON + timedelta(hours=2)

    assert found(db, since=NOON, until=later, time_field=time_field) == ["a", "b"]
    assert found(db, since=later, time_field=time_field) == ["c"]
    assert found(db, since=NOON, until=NOON, time_field=time_field) == []
    assert found(db, since=later, until=NOON, time_field=time_field) == []


def test_a_deleted_owner_of_the_same_name_is_another(db: sqlite3.Connection) -> None:
    put(db, MEMORY)
    db.execute("UPDATE scopes SET deleted_ms = 1 WHERE name = 'neo'")
    put(db, replace(MEMORY, id=named("b")))

    assert found(db, owner="neo") == ["b"]


def test_a_team_is_no_owner(db: sqlite3.Connection) -> None:
    db.execute("INSERT INTO scopes(kind, name, created_ms) VALUES ('team', 'neo', 0)")
    db.execute("INSERT INTO scopes(kind, name, created_ms) VALUES ('team', 'apollo', 0)")
    put(db, MEMORY)

    assert found(db, owner="neo") == ["a"]
    assert found(db, owner="apollo") == []


def test_a_tag_that_is_stored_twice_counts_once(db: sqlite3.Connection) -> None:
    put(db, replace(MEMORY, tags=("a", "a")), replace(MEMORY, id=named("b"), tags=("b", "b")))

    assert found(db, tags=["a"]) == ["a"]
    assert found(db, tags=["a", "b"]) == []


@pytest.mark.parametrize(
    ("fields", "index"),
    [
        ({"subject": "user:ada"}, "memories_subject"),
        ({"owner": "neo"}, "memories_owner"),
        ({"where": {"id": "a"}}, "memories_uid"),
        ({"where": {"id": {"$in": ["a", "b"]}}}, "memories_uid"),
    ],
)
def test_an_index_is_used(db: sqlite3.Connection, fields: Mapping[str, object], index: str) -> None:
    sql, parameters = where_sql(parse_filters(fields))

    plan = db.execute("EXPLAIN QUERY PLAN " + FOUND.format(sql), parameters).fetchall()

    assert index in str(plan)


def test_fc_093_tags_are_compared_whole(db: sqlite3.Connection) -> None:
    tags = {"a": "art", "b": "smart", "c": "art,deco", "d": "ART", "e": "a%"}
    put(db, *(replace(MEMORY, id=named(uid), tags=(tag,)) for uid, tag in tags.items()))

    assert found(db, tags=["art"]) == ["a"]
    assert found(db, tags=["art,deco"]) == ["c"]
    assert found(db, tags=["a%"]) == ["e"]
    assert found(db, where={"tags": {"$contains": "art"}}) == ["a"]
    assert found(db, where={"tags": {"$contains": ""}}) == []
    assert found(db, where={"tags": ["art,deco"]}) == ["c"]


# The conditions.


HOSTILE = ["x') OR 1=1 --", "a' UNION SELECT 1--", "$.a", 'a"b', "a.b", "", ":f0", "$[0]", "\x00"]


@pytest.mark.parametrize("key", HOSTILE)
def test_fc_097_a_hostile_key_names_itself_alone(db: sqlite3.Connection, key: str) -> None:
    put(db, MEMORY, replace(MEMORY, id=named("b"), metadata={key: 1}))
    put(db, replace(MEMORY, id=named("c"), metadata={"a": {"b": 1}, "f0": 1, "x": 1}))
    path = 'metadata."' + key.replace('"', '""') + '"'

    assert found(db, where={path: 1}) == ["b"]
    assert found(db, where={path: {"$exists": False}}) == ["a", "c"]


@pytest.mark.parametrize("value", HOSTILE)
def test_fc_097_a_hostile_value_is_a_value(db: sqlite3.Connection, value: str) -> None:
    put(db, MEMORY, replace(MEMORY, id=named("b"), content=value or "-", metadata={"v": value}))

    assert found(db, where={"metadata.v": value}) == ["b"]
    assert found(db, where={"metadata.v": {"$in": [value]}}) == ["b"]
    assert found(db, where={"content": value or "-"}) == ["b"]


def test_fc_097_no_value_and_no_key_is_part_of_the_sql() -> None:
    where = {
        "metadata.zebra.zebra": {"$in": ["zebra"], "$contains": "zebra", "$gt": "zebra"},
        "content": {"$contains": "zebra", "$in": ["zebra"], "$gte": "zebra"},
        "tags": {"$contains": "zebra", "$nin": [["zebra"]]},
    }
    fields = {"subject": "zebra:zebra", "owner": "zebra", "types": ["zebra"], "tags": ["zebra"]}

    sql, _ = where_sql(parse_filters({**fields, "where": where}))

    assert "zebra" not in sql


def test_fc_099_a_part_is_literal(db: sqlite3.Connection) -> None:
    texts = {
        "a": "tank is 75% full",
        "b": "tank 7544 is full",
        "c": "see rota_list.txt",
        "d": "see rotaXlist.txt",
    }
    put(
        db,
        *(replace(MEMORY, id=named(uid), content=t, metadata={"v": t}) for uid, t in texts.items()),
    )

    for name in ("content", "metadata.v"):
        assert found(db, where={name: {"$contains": "75%"}}) == ["a"]
        assert found(db, where={name: {"$contains": "rota_list"}}) == ["c"]
        assert found(db, where={name: {"$contains": "TANK"}}) == []


@pytest.mark.parametrize(
    ("value", "ids"),
    [
        (7, ["n"]),
        (7.0, ["n"]),
        ("7", ["s"]),
        (True, ["b"]),
        (1, []),
        (2.25, ["f"]),
        (None, ["z"]),
        (False, []),
        (0, []),
    ],
)
def test_fc_101_values_are_compared_with_their_types(
    db: sqlite3.Connection, value: JSON, ids: list[str]
) -> None:
    put(db, MEMORY, *with_metadata(n=7, b=True, f=2.25, s="7", z=None))

    assert found(db, where={"metadata.v": value}) == ids
    assert found(db, where={"metadata.v": {"$in": [value, "none"]}}) == ids


def test_fc_103_no_row_breaks_the_others(db: sqlite3.Connection) -> None:
    deep: JSON = []
    for _ in range(31):
        deep = [deep]
    put(db, *with_metadata(a=1, b=1e308, c="\x00{", d=deep, e=-(2**63), f="NaN", g=5e-324))

    assert found(db, where={"metadata.v": 1}) == ["a"]
    assert found(db, where={"metadata.v": {"$lt": 1}}) == ["e", "g"]
    assert found(db, where={"metadata.v": {"$gte": 1e308}}) == ["b"]
    assert found(db, where={"metadata.v": deep}) == ["d"]
    with pytest.raises(InvalidInput):
        found(db, where={"metadata.v": float("nan")})


def test_a_string_does_not_end_at_nul(db: sqlite3.Connection) -> None:
    put(db, *with_metadata(a="x", b="x\x00", c="x\x00y", d="x\x01", e="x\\u0000y"))
    put(db, replace(MEMORY, id=named("f"), metadata={"v\x00": "x"}))

    assert found(db, where={"metadata.v": "x"}) == ["a"]
    assert found(db, where={"metadata.v": "x\x00y"}) == ["c"]
    assert found(db, where={"metadata.v": "x\\u0000y"}) == ["e"]
    assert found(db, where={"metadata.v": {"$contains": "\x00"}}) == ["b", "c"]
    assert found(db, where={"metadata.v": {"$contains": "u0000"}}) == ["e"]
    assert found(db, where={"metadata.v": {"$gt": "x\x00", "$lt": "x\x01"}}) == ["c"]
    assert found(db, where={"metadata.v\x00": "x"}) == ["f"]


def test_a_string_that_looks_like_json_is_a_string(db: sqlite3.Connection) -> None:
    put(db, *with_metadata(a='{"k":1}', b="{", c="[1]", d={"k": 1}, e=[1]))

    assert found(db, where={"metadata.v.k": 1}) == ["d"]
    assert found(db, where={"metadata.v": {"$contains": 1}}) == ["e"]
    assert found(db, where={"metadata.v": {"k": 1}}) == ["d"]
    assert found(db, where={"metadata.v": [1]}) == ["e"]


@pytest.mark.parametrize(
    "where",
    [
        {"actor": {"$nin": ["user:ada"]}},
        {"actor": {"$ne": "user:ada"}},
        {"session": {"$not": {"$contains": "s"}}},
        {"subject": {"$not": {"$gte": ""}}},
        {"expires_at": {"$not": {"$gt": NOON}}},
        {"metadata.absent": {"$not": {"$lt": 1}}},
        {"$not": {"$or": [{"key": "k"}, {"valid_from": {"$lt": NOON}}]}},
    ],
)
def test_the_negation_holds_where_there_is_nothing(
    db: sqlite3.Connection, where: Mapping[str, object]
) -> None:
    put(db, MEMORY)

    assert found(db, where=where) == ["a"]
    assert found(db, where={"$not": where}) == []


def test_an_empty_mapping_always_holds(db: sqlite3.Connection) -> None:
    put(db, MEMORY)

    assert found(db, where={"$or": [{"layer": 0}, {}]}) == ["a"]
    assert found(db, where={"$not": {}}) == []


@pytest.mark.parametrize(
    "number",
    [0.1 + 0.2, 1 / 3, 1.7976931348623157e308, 9.478274870593493e-301, 2.2279625684613945e198],
)
def test_a_number_of_17_digits_is_found(db: sqlite3.Connection, number: float) -> None:
    """SQLite 3.51 reads the last two as their neighbours, so it must read both sides."""
    put(db, *with_metadata(a=number, b=[number]), replace(MEMORY, id=named("c"), confidence=number))

    assert found(db, where={"metadata.v": number}) == ["a"]
    assert found(db, where={"metadata.v": {"$gte": number, "$lte": number}}) == ["a"]
    assert found(db, where={"metadata.v": {"$contains": number}}) == ["b"]
    assert found(db, where={"confidence": number}) == ["c"]


def test_large_integers_and_floats_stay_apart(db: sqlite3.Connection) -> None:
    put(db, *with_metadata(a=2**53, b=2**53 + 1, c=float(2**53), d=2**63 - 1, e=-(2**63)))

    assert found(db, where={"metadata.v": 2**53 + 1}) == ["b"]
    assert found(db, where={"metadata.v": float(2**53)}) == ["a", "c"]
    assert found(db, where={"metadata.v": {"$gt": float(2**53)}}) == ["b", "d"]
    assert found(db, where={"metadata.v": {"$lt": float(2**63), "$gte": 2**62}}) == ["d"]
    assert found(db, where={"metadata.v": -(2**63)}) == ["e"]


def test_the_largest_conditions_are_within_what_sqlite_can_do(db: sqlite3.Connection) -> None:
    put(db, MEMORY)
    leaf: dict[str, object] = {"metadata.a.b": {"$contains": "x"}}
    chain = twins = leaf
    for level in range(16):
        chain = {"$and" if level % 2 else "$or": [leaf, chain]}
    for level in range(8):
        twins = {"$and" if level % 2 else "$or": [twins, twins]}
    keys = {"metadata" + ".k" * 32: {"$not": {"$contains": "x"}}}
    several = {"importance": {"$in": [n / 10_000 for n in range(10_000)]}}
    outside = "SELECT 1 FROM memories AS m WHERE m.owner = 2 AND (m.state = 2 OR ({}))"
    nested = f"{outside.format(f'm.id IN ({outside})')}"

    for where in (chain, twins, {"$and": [keys] * 256}, several):
        sql, parameters = where_sql(parse_filters({"where": where}))
        assert db.execute(nested.format(sql), parameters).fetchall() == [(1,)]


# The law: the SQL and `matches` say the same of every memory.

TEXTS = st.text("a%_.\"'\\\0\1\2/u0é\ud7ff\ue000😀", max_size=4)
KEYS = st.sampled_from(["a", "b", "a.b", 'a"b', "", "\0", "\1", "a\0", "\\u0000", "é"])
NUMBERS = st.sampled_from([0, 1, 2, -1, 2**53, 2**53 + 1, 2**63 - 1, -(2**63)]) | st.floats(
    -1e300, 1e300, allow_subnormal=False
).map(lambda number: float(f"{number:.15g}"))  # the digits that SQLite promises to keep
SCALARS = st.none() | st.booleans() | NUMBERS | st.sampled_from([0.0, -0.0, 1.0, 2.0]) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3)
)
WORDS = st.sampled_from(["a", "ab", "b", "é", "😀"])
IDS = st.sampled_from("abc").map(named)
KINDED = st.sampled_from(["user:a", "user:ab", "user:é"])
TIMES = st.integers(-3, 3).map(lambda hours: NOON_MS + hours * HOUR_MS)
SHARES = st.sampled_from([0.0, 0.1, 0.5, 1 / 3, 1.0])
TAGS = st.lists(st.sampled_from(["a", "ab", "a,b", '"', "é"]), max_size=3, unique=True)
MEMORIES = st.builds(
    replace,
    st.just(MEMORY),
    content=TEXTS.filter(bool),
    type=WORDS,
    layer=st.integers(0, 3),
    owner=WORDS,
    subject=st.none() | KINDED,
    tags=TAGS.map(tuple),
    metadata=st.dictionaries(KEYS, VALUES, max_size=3),
    actor=st.none() | KINDED,
    session=st.none() | WORDS,
    key=st.none() | WORDS,
    occurred_ms=TIMES,
    valid_from_ms=st.none() | TIMES,
    valid_to_ms=st.none() | TIMES,
    expires_ms=st.none() | TIMES,
    importance=SHARES,
    confidence=SHARES,
    pinned=st.booleans(),
    mentions=st.integers(1, 3),
    created_ms=TIMES,
    updated_ms=TIMES,
)
ORDERS = ("$gt", "$gte", "$lt", "$lte")


def spelled(path: list[str]) -> str:
    return ".".join(["metadata", *('"' + key.replace('"', '""') + '"' for key in path)])


def compared(
    name: st.SearchStrategy[str],
    equal: st.SearchStrategy[object],
    *,
    ordered: st.SearchStrategy[object] | None = None,
    part: st.SearchStrategy[object] | None = None,
) -> st.SearchStrategy[dict[str, object]]:
    """Conditions on one field, with operands that it may be compared with."""
    tests = [
        st.dictionaries(st.sampled_from(["$eq", "$ne"]), equal, min_size=1),
        st.dictionaries(st.sampled_from(["$in", "$nin"]), st.lists(equal, max_size=4), min_size=1),
        st.fixed_dictionaries({"$exists": st.booleans()}),
    ]
    if ordered is not None:
        tests.append(st.dictionaries(st.sampled_from(ORDERS), ordered, min_size=1, max_size=2))
    if part is not None:
        tests.append(st.fixed_dictionaries({"$contains": part}))
    one = st.one_of(tests)
    return st.builds(lambda name, test: {name: test}, name, one | st.builds(dict, **{"$not": one}))


def on(*names: str) -> st.SearchStrategy[str]:
    return st.sampled_from(names)


MOMENTS = TIMES.map(moment)
FRACTIONS = SHARES | st.integers(0, 3)
CONDITIONS = st.one_of(
    *[
        compared(
            st.lists(KEYS, min_size=1, max_size=3).map(spelled),
            VALUES,
            ordered=NUMBERS | TEXTS,
            part=VALUES,
        )
    ]
    * 3,
    compared(on("type", "owner"), WORDS, ordered=WORDS, part=WORDS),
    compared(on("id"), IDS, ordered=IDS, part=IDS | WORDS),
    compared(on("content"), TEXTS, ordered=TEXTS, part=TEXTS),
    compared(on("subject", "actor"), st.none() | KINDED, ordered=KINDED, part=WORDS),
    compared(on("session", "key"), st.none() | WORDS, ordered=WORDS, part=WORDS),
    compared(on("importance", "confidence", "layer", "mentions"), FRACTIONS, ordered=FRACTIONS),
    compared(on("created_at", "updated_at", "occurred_at"), MOMENTS, ordered=MOMENTS),
    compared(on("valid_from", "valid_to", "expires_at"), st.none() | MOMENTS, ordered=MOMENTS),
    compared(on("pinned"), st.booleans()),
    compared(on("tags"), TAGS, part=st.sampled_from(["a", "ab", "", "a\0"])),
)
WHERES = st.recursive(
    CONDITIONS,
    lambda inner: st.one_of(
        st.builds(lambda a, b: {**a, **b}, inner, inner),
        st.dictionaries(st.sampled_from(["$and", "$or"]), st.lists(inner, min_size=1, max_size=3)),
        st.builds(lambda where: {"$not": where}, inner),
    ),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def shelf() -> Iterator[sqlite3.Connection]:
    connection = opened()
    yield connection
    connection.close()


def selected_of(
    shelf: sqlite3.Connection, memories: list[Memory], condition: Condition
) -> list[str]:
    """The ids that the SQL selects when the *shelf* holds these memories alone."""
    shelf.execute("BEGIN")
    try:
        put(shelf, *memories)
        return selected(shelf, Filters(where=condition))
    finally:
        shelf.execute("ROLLBACK")


def matching(memories: list[Memory], condition: Condition) -> list[str]:
    return [letter_of(memory.id) for memory in memories if matches(condition, memory)]


@given(memories=st.lists(MEMORIES, min_size=1, max_size=4), where=WHERES)
def test_the_sql_selects_exactly_what_matches(
    shelf: sqlite3.Connection, memories: list[Memory], where: Mapping[str, object]
) -> None:
    memories = [
        replace(memory, id=named(uid)) for uid, memory in zip("abcd", memories, strict=False)
    ]
    condition = parse_where(where)

    assert selected_of(shelf, memories, condition) == matching(memories, condition)


@given(stored=st.lists(VALUES, min_size=1, max_size=4), data=st.data())
def test_equality_in_sql_is_that_of_matches(
    shelf: sqlite3.Connection, stored: list[JSON], data: st.DataObject
) -> None:
    value = data.draw(st.sampled_from(stored) | VALUES)
    memories = [
        replace(MEMORY, id=named(uid), metadata={"v": item, "list": [0, item]})
        for uid, item in zip("abcd", stored, strict=False)
    ]

    for name, operator in (("v", "$eq"), ("v", "$contains"), ("list", "$contains")):
        condition = parse_where({f"metadata.{name}": {operator: value}})
        assert selected_of(shelf, memories, condition) == matching(memories, condition)


@given(stored=st.lists(SCALARS, max_size=3), value=NUMBERS | TEXTS)
def test_order_in_sql_is_that_of_matches(
    shelf: sqlite3.Connection, stored: list[JSON], value: float | str
) -> None:
    memories = [
        replace(MEMORY, id=named(uid), metadata={"v": item})
        for uid, item in zip("abcd", [value, *stored], strict=False)
    ]

    for operator in ORDERS:
        condition = parse_where({"metadata.v": {operator: value}})
        assert selected_of(shelf, memories, condition) == matching(memories, condition)
