"""The SQL of filters: one predicate on a row that means exactly what `pure.filters` says."""

from collections.abc import Iterator

from agent_memory_os.model import JSON, All, Compare, Condition, Field, Filters, Not
from agent_memory_os.pure.draft import encode
from agent_memory_os.pure.filters import MAY_BE_NONE

# In these pieces {} is the place of a parameter or an alias; no value ever comes there.
# Only with the first half may SQLite use the index, which leaves rows without a subject out.
SUBJECT = "m.subject <> 0 AND m.subject = (SELECT id FROM subjects WHERE name = {})"
OWNER = (
    "m.owner = (SELECT id FROM scopes WHERE kind = 'agent' AND name = {} AND deleted_ms IS NULL)"
)
TYPES = "m.type IN (SELECT value FROM json_each({}))"
LAYERS = "m.layer IN (SELECT value FROM json_each({}))"
HAS_TAGS = (
    "(SELECT count(DISTINCT value) FROM json_each(m.tags)"
    " WHERE value IN (SELECT value FROM json_each({}))) = {}"
)
TAGS = "ifnull(m.tags, '[]')"
HAS_TAG = "{} IN (SELECT value FROM json_each(m.tags))"

COLUMNS = {
    "id": "m.uid",
    "type": "m.type",
    "layer": "m.layer",
    "owner": "(SELECT name FROM scopes WHERE id = m.owner)",
    "subject": "(SELECT name FROM subjects WHERE id = nullif(m.subject, 0))",
    "actor": "m.actor",
    "session": "(SELECT name FROM sessions WHERE id = m.session)",
    "key": "m.key",
    "entity": "m.entity",
    "attribute": "m.attribute",
    "content": "m.content",
    "importance": "m.importance",
    "confidence": "m.confidence",
    "pinned": "m.pinned",
    "mentions": "m.mentions",
    "created_at": "m.created_ms",
    "updated_at": "(m.version >> 16)",
    "occurred_at": "m.occurred_ms",
    "valid_from": "m.valid_from_ms",
    "valid_to": "m.valid_to_ms",
    "expires_at": "m.expires_ms",
}
SIGNS = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}

# SQLite cuts a JSON string or key at an escaped NUL: "a" and "a\0b" would be the same. So two
# characters get a tail that no text can hold, a lone surrogate: NUL becomes U+0001 U+DC00, and
# U+0001 becomes U+0001 U+DC01. Equality, order and substrings stay what they were. Backslashes
# come first, since "\\u0000" is not NUL. A string with such a tail must never leave SQL.
RESPELLED = (
    (r"\\", r"\u005c"),
    (r"\u0001", r"\u0001\udc01"),
    (r"\u0000", r"\u0001\udc00"),
)
METADATA = "replace(replace(replace(m.metadata, '{}', '{}'), '{}', '{}'), '{}', '{}')".format(
    *RESPELLED[0], *RESPELLED[1], *RESPELLED[2]
)
# Operands go in as JSON too: SQLite promises 15 digits of a number, so both sides must be read
# by the same reader to be equal.
OPERAND = "json_extract({}, '$')"
KIND = "CASE {0}.type WHEN 'integer' THEN 'real' ELSE {0}.type END"
ONE_OF = (
    f"({KIND}, ifnull({{0}}.value, 0)) IN"
    f" (SELECT {KIND.format('o')}, ifnull(o.value, 0) FROM json_each({{1}}) AS o)"
)
ORDERED = f"({KIND} = '{{1}}' AND {{0}}.value {{2}} {{3}})"
HAS_ELEMENT = (
    "EXISTS (SELECT 1 FROM json_each(CASE {0}.type WHEN 'array' THEN {0}.value END) AS e"
    f" WHERE {ONE_OF.format('e', '{1}')})"
)
HAS_PART = "({0}.type = 'text' AND instr({0}.value, {1}) > 0)"


class _Bound:
    """The parameters of one predicate, named in the order of their coming."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}

    def __call__(self, value: object) -> str:
        """Bind *value* and return its place in the SQL."""
        name = f"f{len(self.values)}"
        self.values[name] = value
        return f":{name}"


def where_sql(filters: Filters) -> tuple[str, dict[str, object]]:
    """Return a predicate on the row ``m`` of ``memories``, true or false, and its parameters.

    Args:
        filters: as `pure.filters` made them.

    Returns:
        SQL to be joined with AND, and parameters named ``f0``, ``f1``, ...; ``"1"`` and none
        when nothing narrows.
    """
    bound = _Bound()
    parts = list(_parts(filters, bound))
    return " AND ".join(parts) or "1", bound.values


def _parts(filters: Filters, bound: _Bound) -> Iterator[str]:
    if filters.subject is not None:
        yield SUBJECT.format(bound(filters.subject))
    if filters.owner is not None:
        yield OWNER.format(bound(filters.owner))
    if filters.types:
        yield TYPES.format(bound(encode(filters.types)))
    if filters.layers:
        yield LAYERS.format(bound(encode(filters.layers)))
    if filters.tags:
        tags = set(filters.tags)
        yield HAS_TAGS.format(bound(encode(sorted(tags))), bound(len(tags)))
    if filters.since_ms is not None:
        yield f"{COLUMNS[filters.time_field]} >= {bound(filters.since_ms)}"
    if filters.until_ms is not None:
        yield f"{COLUMNS[filters.time_field]} < {bound(filters.until_ms)}"
    if filters.min_confidence is not None:
        yield f"m.confidence >= {bound(filters.min_confidence)}"
    if filters.where is not None and filters.where != All(()):
        yield _condition(filters.where, bound)


def _condition(condition: Condition, bound: _Bound) -> str:
    if isinstance(condition, Compare):
        return _comparison(condition, bound)
    if isinstance(condition, Not):
        return f"NOT {_condition(condition.condition, bound)}"
    # Deepest first: SQLite's parser has room for 100 pending symbols, and what stands before
    # the innermost parenthesis is pending.
    parts = sorted(condition.conditions, key=_depth, reverse=True)
    joint, nothing = (" AND ", "1") if isinstance(condition, All) else (" OR ", "0")
    return f"({joint.join(_condition(part, bound) for part in parts) or nothing})"


def _depth(condition: Condition) -> int:
    if isinstance(condition, Compare):
        return 0
    if isinstance(condition, Not):
        return 1 + _depth(condition.condition)
    return 1 + max(map(_depth, condition.conditions), default=0)


def _comparison(compare: Compare, bound: _Bound) -> str:
    """The SQL of one comparison: true or false, and never NULL, so that NOT can stand before it."""
    negated = {"ne": "eq", "nin": "in"}.get(compare.operator)
    if negated is not None:
        return f"NOT {_comparison(Compare(compare.field, negated, compare.value), bound)}"
    on = _on_metadata if compare.field.path else _on_column
    sql = on(compare.field, compare.operator, compare.value, bound)
    return f"NOT {sql}" if compare.operator == "exists" and not compare.value else sql


def _on_metadata(field: Field, operator: str, value: JSON, bound: _Bound) -> str:
    """Walk down the path, one ``json_each`` for each key, and test the node at its end."""
    steps, keys = [f"json_each({METADATA}) AS n0"], []
    for level, key in enumerate(field.path):
        if level:
            above = f"n{level - 1}"
            steps.append(
                f"json_each(CASE {above}.type WHEN 'object' THEN {above}.value END) AS n{level}"
            )
        keys.append(f"n{level}.key = {OPERAND.format(bound(_respelled(key)))}")
    test = _on_node(f"n{len(steps) - 1}", operator, value, bound)
    return f"EXISTS (SELECT 1 FROM {', '.join(steps)} WHERE {' AND '.join([*keys, test])})"


def _on_node(node: str, operator: str, value: JSON, bound: _Bound) -> str:
    if operator == "exists":
        return "1"
    if operator in ("eq", "in"):
        return ONE_OF.format(node, bound(_respelled([value] if operator == "eq" else value)))
    if operator == "contains":
        is_element = HAS_ELEMENT.format(node, bound(_respelled([value])))
        if not isinstance(value, str):
            return is_element
        is_part = HAS_PART.format(node, OPERAND.format(bound(_respelled(value))))
        return f"({is_element} OR {is_part})"
    kind = "text" if isinstance(value, str) else "real"
    return ORDERED.format(node, kind, SIGNS[operator], OPERAND.format(bound(_respelled(value))))


def _respelled(value: JSON) -> str:
    """*value* as JSON in the spelling of METADATA."""
    text = encode(value)
    for plain, spelling in RESPELLED:
        text = text.replace(plain, spelling)
    return text


def _on_column(field: Field, operator: str, value: JSON, bound: _Bound) -> str:
    if field.name == "tags":
        return _on_tags(operator, value, bound)
    column = COLUMNS[field.name]
    if operator == "exists":
        return f"({column} IS NOT NULL)"
    if operator == "eq":
        return f"({column} IS {bound(value)})"
    if isinstance(value, list):
        # One by one, not as JSON: a number in a column was never written as text.
        places = [bound(item) for item in value if item is not None]
        is_listed = _sure(field, f"{column} IN ({', '.join(places)})")
        return f"({is_listed} OR {column} IS NULL)" if None in value else is_listed
    if operator == "contains":
        return _sure(field, f"instr({column}, {bound(value)}) > 0")
    return _sure(field, f"{column} {SIGNS[operator]} {bound(value)}")


def _sure(field: Field, sql: str) -> str:
    """*sql*, false where it was NULL; left alone where it cannot be, so that indexes are used."""
    return f"ifnull({sql}, 0)" if field.name in MAY_BE_NONE else f"({sql})"


def _on_tags(operator: str, value: JSON, bound: _Bound) -> str:
    if operator == "exists":
        return f"({TAGS} <> '[]')"
    if operator == "contains":
        return f"({HAS_TAG.format(bound(value))})"
    lists = value if operator == "in" and isinstance(value, list) else [value]
    return f"({TAGS} IN ({', '.join(bound(encode(tags)) for tags in lists)}))"
