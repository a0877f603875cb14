from collections.abc import Mapping
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os.errors import InvalidInput
from agent_memory_os.model import All, AnyOf, Compare, Condition, Field, Filters, Memory, Not
from agent_memory_os.pure.filters import matches, parse_field, parse_filters, parse_where

NOON = datetime(2025, 6, 1, 12, tzinfo=UTC)
NOON_MS = 1_748_779_200_000
ENV = Field("metadata", ("env",))
MEMORY = Memory(
    id="0" * 25,
    content="The tank is 75% full: see rota_list.txt",
    type="fact",
    layer=1,
    owner="neo",
    subject="server:db1",
    visibility=("global",),
    tags=("deploy", "art,deco"),
    metadata={
        "n": 7,
        "f": 2.25,
        "one": 1,
        "two": 2.0,
        "b": True,
        "s": "7",
        "z": None,
        "list": [1, "a_b", None, {"k": 1}],
        "object": {"b": [1], "a": {"deep": "x"}},
        "a.b": "dotted",
        'a"b': "quoted",
    },
    actor=None,
    session=None,
    key=None,
    occurred_ms=NOON_MS,
    valid_from_ms=None,
    valid_to_ms=NOON_MS,
    expires_ms=None,
    importance=0.5,
    confidence=0.75,
    pinned=False,
    mentions=2,
    created_ms=NOON_MS,
    updated_ms=NOON_MS,
    version="0",
    access_version="0",
    state="active",
)


def holds(where: Mapping[str, object]) -> bool:
    return matches(parse_where(where), MEMORY)


# The filters.


def test_every_filter_is_checked_and_kept() -> None:
    filters = parse_filters(
        {
            "subject": "user:ada",
            "types": ["fact", "note", "fact"],
            "layers": (0, 3, 0),
            "owner": "neo",
            "tags": ["deploy", "art,deco"],
            "where": {"metadata.env": "prod"},
            "since": NOON,
            "until": NOON,
            "time_field": "created_at",
            "min_confidence": 1,
        }
    )

    assert filters == Filters(
        subject="user:ada",
        types=("fact", "note"),
        layers=(0, 3),
        owner="neo",
        tags=("deploy", "art,deco"),
        where=Compare(ENV, "eq", "prod"),
        since_ms=NOON_MS,
        until_ms=NOON_MS,
        time_field="created_at",
        min_confidence=1.0,
    )


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"types": [], "layers": (), "tags": set(), "where": {}},
        dict.fromkeys(("subject", "types", "layers", "owner", "tags", "where"), None),
        dict.fromkeys(("since", "until", "time_field", "min_confidence"), None),
    ],
)
def test_none_and_nothing_narrow_nothing(fields: Mapping[str, object]) -> None:
    assert parse_filters(fields) == Filters()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"typs": ["fact"]}, "no filter 'typs'; did you mean 'types'?"),
        ({"types": "fact"}, r"types must be a list, such as \[\"fact\"\], not 'fact'"),
        ({"types": {"fact": 1}}, "types must be a list"),
        ({"types": 7}, "types must be a list"),
        ({"types": [7]}, "types must hold printable strings"),
        ({"tags": "deploy"}, "tags must be a list"),
        ({"tags": ["a\x00"]}, "tags must hold printable strings"),
        ({"tags": ["\ud800"]}, "tags must hold printable strings"),
        ({"layers": 1}, r"layers must be a list, such as \[0, 1\], not 1"),
        ({"layers": [True]}, "layers must hold .* not True"),
        ({"layers": [4]}, "layers must hold .* not 4"),
        ({"layers": [1.0]}, "layers must hold .* not 1.0"),
        ({"subject": "ada"}, 'subject must be "kind:name"'),
        ({"owner": "*"}, "owner must not hold a wildcard"),
        ({"since": datetime(2025, 6, 1)}, "since must have a time zone"),
        ({"until": NOON_MS}, "until must be a datetime"),
        ({"time_field": "expires_at"}, "time_field must be one of"),
        ({"time_field": ["created_at"]}, "time_field must be one of"),
        ({"min_confidence": 1.1}, "min_confidence must be a number from 0 to 1, not 1.1"),
        ({"min_confidence": True}, "min_confidence must be a number"),
        ({"min_confidence": float("nan")}, "min_confidence must be a number"),
        ({"min_confidence": "1"}, "min_confidence must be a number"),
        ({"where": "env = prod"}, "where must be a mapping"),
    ],
)
def test_a_wrong_filter_is_an_error(fields: Mapping[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        parse_filters(fields)


@pytest.mark.parametrize("blank", ["", " ", "\t"])
def test_fc_093_a_blank_tag_is_an_error(blank: str) -> None:
    with pytest.raises(InvalidInput, match="tags must hold printable strings, not blank"):
        parse_filters({"tags": [blank]})


# The conditions, as they are spelled.


@pytest.mark.parametrize(
    ("where", "condition"),
    [
        ({}, All(())),
        ({"metadata.env": "prod"}, Compare(ENV, "eq", "prod")),
        ({"metadata.env": {"$ne": "prod"}}, Compare(ENV, "ne", "prod")),
        ({"metadata.env": {"region": "eu"}}, Compare(ENV, "eq", {"region": "eu"})),
        ({"metadata.env": {}}, Compare(ENV, "eq", {})),
        ({"metadata.env": {"$eq": {"$ne": 1}}}, Compare(ENV, "eq", {"$ne": 1})),
        ({"metadata.env": ("a", ("b",))}, Compare(ENV, "eq", ["a", ["b"]])),
        ({"metadata.env": {"$in": ("a", None)}}, Compare(ENV, "in", ["a", None])),
        ({"metadata.env": {"$contains": [1]}}, Compare(ENV, "contains", [1])),
        ({"metadata.env": {"$exists": False}}, Compare(ENV, "exists", False)),
        ({"metadata.env": {"$gt": "a"}}, Compare(ENV, "gt", "a")),
        ({"created_at": {"$gte": NOON}}, Compare(Field("created_at"), "gte", NOON_MS)),
        ({"expires_at": None}, Compare(Field("expires_at"), "eq", None)),
        ({"valid_to": {"$in": [None, NOON]}}, Compare(Field("valid_to"), "in", [None, NOON_MS])),
        ({"tags": ["a", "b"]}, Compare(Field("tags"), "eq", ["a", "b"])),
        ({"pinned": True}, Compare(Field("pinned"), "eq", True)),
        (
            {"type": "fact", "layer": {"$gte": 1, "$lt": 3}},
            All(
                (
                    Compare(Field("type"), "eq", "fact"),
                    All((Compare(Field("layer"), "gte", 1), Compare(Field("layer"), "lt", 3))),
                )
            ),
        ),
        (
            {"$or": [{"type": "fact"}, {"$not": {"owner": "neo"}}]},
            AnyOf(
                (Compare(Field("type"), "eq", "fact"), Not(Compare(Field("owner"), "eq", "neo")))
            ),
        ),
        ({"$and": [{"type": "fact"}]}, All((Compare(Field("type"), "eq", "fact"),))),
        ({"layer": {"$not": {"$gt": 1}}}, Not(Compare(Field("layer"), "gt", 1))),
    ],
)
def test_a_condition_is_spelled_so(where: Mapping[str, object], condition: Condition) -> None:
    assert parse_where(where) == condition


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("metadata.env", ("env",)),
        ("metadata.a.b", ("a", "b")),
        ('metadata."a.b"', ("a.b",)),
        ('metadata.x."a.b".y', ("x", "a.b", "y")),
        ('metadata."a""b"', ('a"b',)),
        ('metadata.""', ("",)),
        ("metadata.$.a", ("$", "a")),
        ("metadata.x') OR 1=1 --", ("x') OR 1=1 --",)),
        ("metadata.0", ("0",)),
        ("metadata.a b\n", ("a b\n",)),
    ],
)
def test_a_path_names_keys(name: str, path: tuple[str, ...]) -> None:
    assert parse_field(name) == Field("metadata", path)


@given(st.lists(st.text(st.characters(codec="utf-8")), min_size=1, max_size=32))
def test_every_key_can_be_named(keys: list[str]) -> None:
    name = ".".join(["metadata", *('"' + key.replace('"', '""') + '"' for key in keys)])

    assert parse_field(name) == Field("metadata", tuple(keys))


@pytest.mark.parametrize(
    "name",
    [
        "metadata",
        "metadata.",
        "metadata..a",
        "metadata.a.",
        'metadata."a',
        'metadata.a"',
        'metadata.a"b',
        'metadata."a"b',
        'metadata."a"."',
    ],
)
def test_fc_097_a_malformed_path_is_an_error(name: str) -> None:
    with pytest.raises(InvalidInput, match="is no path"):
        parse_where({name: 1})


@pytest.mark.parametrize("name", ["x') OR 1=1 --", "a' UNION SELECT 1--", 'a"b', "a.b", "", "$.a"])
def test_fc_097_a_hostile_field_is_an_error(name: str) -> None:
    with pytest.raises(InvalidInput, match=r"there is no (field|operator) "):
        parse_where({name: 1})


@pytest.mark.parametrize(
    ("where", "message"),
    [
        (["metadata.env"], "where must be a mapping"),
        ({7: 1}, "a field in where must be a string, not 7"),
        ({"importanc": 1}, "no field 'importanc'; did you mean 'importance'"),
        ({"env": "prod"}, 'a key of the metadata is written "metadata.<key>"'),
        ({"metadata.env": {"$gtt": 1}}, r"no operator '\$gtt'; did you mean '\$gt"),
        ({"$nor": [{"layer": 1}]}, r"no operator '\$nor'; did you mean '\$(or|not)'"),
        ({"$gte": 1}, r"\$gte needs a field before it"),
        ({"layer": {"$or": [1, 2]}}, r"no operator '\$or'"),
        ({"metadata.env": {"$eq": 1, "x": 2}}, "mixes operators with keys"),
        ({"$and": []}, r"\$and must be a list of one mapping or more"),
        ({"$or": {"layer": 1}}, r"\$or must be a list"),
        ({"$or": [1]}, r"each part of \$or must be a mapping"),
        ({"$not": [{"layer": 1}]}, r"\$not must be a mapping"),
        ({"layer": {"$not": 1}}, r"layer \$not must be a mapping of operators, not 1"),
        ({"layer": {"$in": 1}}, r"layer \$in must be a list, not 1"),
        ({"type": {"$in": "fact"}}, r"type \$in must be a list, not 'fact'"),
        ({"metadata.env": {"$nin": {"a": 1}}}, r"\$nin must be a list"),
        ({"metadata.env": {"$exists": 1}}, r"\$exists must be True or False, not 1"),
        ({"metadata.env": {"$gt": True}}, r"metadata.env \$gt must be a number or a string"),
        ({"metadata.env": {"$lt": None}}, r"\$lt must be a number or a string"),
        ({"metadata.env": {"$lt": [1]}}, r"\$lt must be a number or a string"),
        ({"metadata.when": NOON}, "metadata.when must be JSON"),
        ({"metadata.n": 2**63}, "integers of at most 64 bits"),
        ({"metadata.n": b"x"}, "must be JSON"),
        ({"metadata.n": {"k": {1: 2}}}, "a key of metadata.n must be a string, not 1"),
        ({"metadata.s": "\ud800"}, "holds a lone surrogate"),
        ({"metadata.\udfff": 1}, "a path holds a lone surrogate"),
        ({"importance": "0.5"}, "importance must be a number, not '0.5'"),
        ({"importance": {"$gte": "0.5"}}, r"importance \$gte must be a number"),
        ({"importance": None}, "importance must be a number, not None"),
        ({"layer": True}, "layer must be a number, not True"),
        ({"mentions": {"$in": [1, "2"]}}, r"mentions \$in must be a number, not '2'"),
        ({"importance": {"$contains": 1}}, r"importance cannot be compared by \$contains"),
        ({"pinned": 1}, "pinned must be True or False, not 1"),
        ({"pinned": {"$gt": False}}, r"pinned cannot be compared by \$gt"),
        ({"type": 7}, "type must be a string, not 7"),
        ({"type": None}, "type must be a string, not None"),
        ({"content": {"$contains": 7}}, r"content \$contains must be a string"),
        ({"created_at": NOON_MS}, "created_at must be a datetime"),
        ({"created_at": None}, "created_at must be a datetime"),
        ({"created_at": {"$lt": "2025-06-01"}}, r"created_at \$lt must be a datetime"),
        ({"created_at": datetime(2025, 6, 1)}, "created_at must have a time zone"),
        ({"created_at": {"$contains": NOON}}, "cannot be compared"),
        ({"valid_to": {"$gt": None}}, r"valid_to \$gt must be a number or a string"),
        ({"tags": "deploy"}, r'for one of them write \{"tags": \{"\$contains"'),
        ({"tags": ["a", 1]}, "tags must be a string, not 1"),
        ({"tags": {"$gt": ["a"]}}, r"tags cannot be compared by \$gt"),
    ],
)
def test_a_wrong_condition_is_an_error(where: Mapping[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        parse_where(where)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize(
    "where",
    [
        lambda number: {"metadata.v": number},
        lambda number: {"metadata.v": {"$in": [number]}},
        lambda number: {"metadata.v": {"$contains": {"k": [number]}}},
        lambda number: {"importance": {"$lt": number}},
    ],
)
def test_fc_103_no_condition_holds_what_json_cannot(number: float, where: object) -> None:
    with pytest.raises(InvalidInput, match="must be JSON, with finite numbers"):
        parse_where(where(number))  # type: ignore[operator]  # one of the lambdas above


def nested(groups: int) -> dict[str, object]:
    where: dict[str, object] = {"layer": 1}
    for _ in range(groups):
        where = {"$not": where}
    return where


def listed(depth: int) -> list[object]:
    value: list[object] = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("fits", "exceeds"),
    [
        (nested(16), nested(17)),
        ({"type": "a", **nested(15)}, {"type": "a", **nested(16)}),
        ({"$or": [{"layer": 1}] * 256}, {"$or": [{"layer": 1}] * 257}),
        ({"layer": {"$in": [1] * 10_000}}, {"layer": {"$nin": [1] * 10_001}}),
        ({"metadata" + ".a" * 32: 1}, {"metadata" + ".a" * 33: 1}),
        ({"metadata.a": listed(32)}, {"metadata.a": listed(33)}),
    ],
    ids=["groups", "entries", "conditions", "values", "keys", "nesting"],
)
def test_a_condition_has_limits(fits: dict[str, object], exceeds: dict[str, object]) -> None:
    parse_where(fits)

    with pytest.raises(InvalidInput, match=r"at most|more than|names 33 keys"):
        parse_where(exceeds)


def test_a_condition_without_end_is_an_error() -> None:
    where: dict[str, object] = {}
    where["$not"] = where

    with pytest.raises(InvalidInput, match="more than 16 deep"):
        parse_where(where)


def test_a_condition_keeps_its_own_copy() -> None:
    value = {"k": [1]}
    condition = parse_where({"metadata.env": {"$eq": value}})

    value["k"].append(2)

    assert condition == Compare(ENV, "eq", {"k": [1]})


# What they mean.


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ({"metadata.n": 7}, True),
        ({"metadata.n": "7"}, False),
        ({"metadata.b": True}, True),
        ({"metadata.b": 1}, False),
        ({"metadata.one": True}, False),
        ({"metadata.f": 2.25}, True),
        ({"metadata.s": "7"}, True),
        ({"metadata.s": 7}, False),
        ({"metadata.z": None}, True),
        ({"metadata.absent": None}, False),
        ({"metadata.two": 2}, True),
        ({"metadata.n": 7.0}, True),
    ],
)
def test_fc_101_values_are_compared_with_their_types(
    where: Mapping[str, object], expected: bool
) -> None:
    assert holds(where) is expected


@pytest.mark.parametrize(
    "where",
    [
        {},
        {"metadata.object": {"a": {"deep": "x"}, "b": [1]}},
        {"metadata.object.a.deep": "x"},
        {'metadata."a.b"': "dotted"},
        {'metadata."a""b"': "quoted"},
        {"metadata.z": {"$exists": True}},
        {"metadata.absent": {"$exists": False}},
        {"metadata.n.deeper": {"$exists": False}},
        {"metadata.list.0": {"$exists": False}},
        {"metadata.absent": {"$ne": 1}},
        {"metadata.absent": {"$nin": [None]}},
        {"metadata.n": {"$ne": "7"}},
        {"metadata.n": {"$in": ["7", 7.0]}},
        {"metadata.n": {"$gt": 6.5, "$lte": 7}},
        {"metadata.s": {"$gt": "10"}},
        {"metadata.list": {"$contains": 1.0}},
        {"metadata.list": {"$contains": None}},
        {"metadata.list": {"$contains": {"k": 1}}},
        {"metadata.object.a.deep": {"$contains": ""}},
        {"content": {"$contains": "75%"}},
        {"content": {"$contains": "rota_list"}},
        {"content": {"$gte": "The", "$lt": "Thf"}},
        {"tags": {"$contains": "art,deco"}},
        {"tags": ["deploy", "art,deco"]},
        {"tags": {"$in": [[], ["deploy", "art,deco"]]}},
        {"tags": {"$exists": True}},
        {"actor": None},
        {"actor": {"$exists": False}},
        {"actor": {"$ne": "user:ada"}},
        {"actor": {"$in": ["user:ada", None]}},
        {"subject": {"$contains": "db"}},
        {"valid_to": NOON, "valid_from": None, "expires_at": {"$not": {"$gt": NOON}}},
        {"created_at": {"$lte": NOON}, "updated_at": {"$gte": NOON}, "occurred_at": NOON},
        {"importance": 0.5, "confidence": {"$lt": 1}, "mentions": 2.0, "layer": {"$nin": [0]}},
        {"pinned": False},
        {"pinned": {"$in": [False]}},
        {"$or": [{"layer": 0}, {"layer": 1}], "$and": [{"owner": "neo"}]},
        {"$not": {"layer": 1, "owner": "someone else"}},
    ],
)
def test_a_condition_holds(where: Mapping[str, object]) -> None:
    assert holds(where)


@pytest.mark.parametrize(
    "where",
    [
        {"metadata.z": {"$exists": False}},
        {"metadata.absent": {"$exists": True}},
        {"metadata.absent": {"$lt": 1}},
        {"metadata.z": {"$lte": 0}},
        {"metadata.b": {"$gte": 0}},
        {"metadata.s": {"$gt": 1}},
        {"metadata.n": {"$gt": "1"}},
        {"metadata.list": {"$gt": "a"}},
        {"metadata.n": {"$contains": 7}},
        {"metadata.list": {"$contains": "a"}},
        {"metadata.list": {"$contains": True}},
        {"metadata.object": {"$contains": "a"}},
        {"metadata.list": [1, "a_b", None, {"k": 1.0}]},
        {"metadata.list": []},
        {"metadata.s": {"$in": []}},
        {"metadata.object": {"a": {"deep": "x"}}},
        {"metadata.a.b": "dotted"},
        {"content": {"$contains": "tank"}, "type": "note"},
        {"content": {"$contains": "the tank"}},
        {"content": {"$contains": "7_%"}},
        {"tags": {"$contains": "art"}},
        {"tags": {"$contains": "Deploy"}},
        {"tags": {"$contains": ""}},
        {"tags": ["art,deco", "deploy"]},
        {"actor": {"$gt": ""}},
        {"actor": {"$contains": ""}},
        {"actor": {"$ne": None}},
        {"expires_at": {"$lt": NOON}},
        {"$or": [{"layer": 0}, {"layer": 2}]},
        {"$not": {}},
    ],
)
def test_a_condition_does_not_hold(where: Mapping[str, object]) -> None:
    assert not holds(where)


def test_tags_that_are_absent_do_not_exist() -> None:
    bare = Memory.from_dict({**MEMORY.to_dict(), "tags": []})

    assert matches(parse_where({"tags": {"$exists": False}}), bare)
    assert matches(parse_where({"tags": []}), bare)


VALUES = st.none() | st.booleans() | st.integers(-3, 8) | st.sampled_from(["", "7", "a_b", 2.25])
NAMES = st.sampled_from([f"metadata.{key}" for key in (*"nfbsz", "list", "object", "absent")])


@given(NAMES, VALUES)
def test_ne_is_the_negation_of_eq(name: str, value: object) -> None:
    assert holds({name: {"$ne": value}}) is not holds({name: value})


@given(NAMES, st.lists(VALUES))
def test_in_is_any_eq_and_nin_its_negation(name: str, values: list[object]) -> None:
    any_is_equal = any(holds({name: value}) for value in values)

    assert holds({name: {"$in": values}}) is any_is_equal
    assert holds({name: {"$nin": values}}) is not any_is_equal
