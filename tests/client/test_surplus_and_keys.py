"""Too many matches, and keys that are written again."""

from datetime import timedelta
from pathlib import Path

import pytest

from agent_memory_os import InvalidInput, MemoryClient, Settings
from agent_memory_os.testing import FakeClock, memory_client

FEW = Settings(candidate_budget=20, candidate_postings=10, ranked_candidates=5)


def test_of_too_many_matches_one_with_most_of_the_words_is_looked_at() -> None:
    """The two rarest words never meet: what is looked at must not be the oldest rows."""
    m = MemoryClient(":memory:", settings=FEW)
    for word, times in [("alpha", 60), ("beta", 61), ("gamma", 62), ("delta", 180)]:
        m.add_many({"content": f"{word} note {number}"} for number in range(times))
    best = m.add("beta gamma").id

    assert m.search("alpha beta gamma").ids[0] == best


def test_single_characters_find_what_begins_with_them_among_too_many_matches() -> None:
    m = MemoryClient(":memory:", settings=FEW)
    for word in ("茶叶", "水果", "咖啡", "糖果", "面包"):
        m.add_many({"content": f"{word} note {number}"} for number in range(60))
    best = m.add("茶杯 茶馆 水壶 水杯").id

    assert best in m.search("茶 水", limit=50).ids


def test_what_stands_behind_more_hidden_matches_than_are_looked_at_is_found() -> None:
    with MemoryClient(":memory:", settings=Settings(candidate_budget=3, index_every=1)) as m:
        m.add_many({"content": f"mural {number}", "owner": "zoe"} for number in range(10))
        m.add("mural of the lake", owner="neo")

        assert [hit.content for hit in m.search("mural", requester_agent_id="neo")] == [
            "mural of the lake"
        ]


def test_a_key_that_is_written_again_to_fewer_is_a_revoke_in_the_audit() -> None:
    m = memory_client()
    m.add("v1", key="plan", visibility=["global"])

    m.add("v2", key="plan")

    entry = m.org.audit(limit=1)[0]
    assert (entry.action, entry.detail) == ("revoke", {"scopes": ["global"]})


def test_what_had_expired_under_a_key_is_shown_to_nobody_again() -> None:
    clock = FakeClock()
    m = MemoryClient(":memory:", clock=clock)
    m.add("the old code is 5521", key="code", ttl=timedelta(hours=1), visibility=["global"])
    clock.advance(hours=1)

    new = m.add("the code is on the wall", key="code", visibility=["global"])

    assert m.history(new.id, requester_agent_id="zoe") == []


def best(m: MemoryClient, query: str) -> tuple[str, float]:
    hit = m.search(query)[0]
    return hit.id, hit.parts["relevance"]


def test_what_ends_changes_no_score_among_a_surplus() -> None:
    clock = FakeClock()
    m = MemoryClient(":memory:", settings=FEW, clock=clock)
    m.add_many({"content": f"deploy step {number % 9}"} for number in range(60))
    m.add("deploy freeze step 4")
    before = best(m, "deploy freeze step")
    m.add_many(
        {"content": f"deploy freeze {number}", "ttl": timedelta(hours=1)} for number in range(60)
    )
    clock.advance(hours=1)

    assert best(m, "deploy freeze step") == before


def test_hidden_rows_change_no_score_of_what_is_looked_at_among_a_surplus() -> None:
    m = MemoryClient(":memory:", settings=FEW)
    m.add_many({"content": f"deploy step {number % 9}"} for number in range(60))
    m.add("deploy freeze step 4")
    before = best(m, "deploy freeze step")
    m.add_many({"content": "freeze the lab", "owner": "zoe"} for _ in range(15))

    assert best(m, "deploy freeze step") == before


def test_what_is_chosen_of_a_surplus_is_drawn_again_when_most_of_it_is_hidden() -> None:
    """A third of all rows is visible: too much to draw by rights, and none among the best."""
    m = MemoryClient(":memory:", settings=FEW)
    m.add_many({"content": "freeze freeze deploy", "owner": "zoe"} for _ in range(60))
    m.add_many({"content": f"deploy step {number % 9}"} for number in range(30))
    wanted = m.add("deploy freeze step 4").id

    assert m.search("deploy freeze step").ids[0] == wanted


@pytest.mark.parametrize("key", ["organised:mine", "co-recalled:mine"])
def test_a_key_of_the_library_is_not_for_a_host_to_give(key: str) -> None:
    with MemoryClient(":memory:") as m:
        with pytest.raises(InvalidInput, match="a key must not begin with"):
            m.add("# Mine", layer=2, key=key)
        with pytest.raises(InvalidInput, match="a key must not begin with"):
            m.add_many([{"content": "# Mine", "layer": 2, "key": key}])

        assert m.browse() == []


@pytest.mark.parametrize(
    "path", ["sqlite:///./a.db", "SQLite:a.db", "file:a.db", "postgres://host/a", "s3://bucket/a"]
)
def test_a_url_is_no_path(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    with pytest.raises(InvalidInput, match="is a URL; give the path of a file"):
        MemoryClient(path)
    with MemoryClient(":memory:") as m, pytest.raises(InvalidInput, match="is a URL"):
        m.admin.backup(path)

    assert list(tmp_path.iterdir()) == []


def test_a_colon_in_the_name_of_a_file_is_no_url(tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "notes: 1.db") as m:
        assert m.browse() == []
