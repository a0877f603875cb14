"""The judge of a host, and writes that are only rehearsed."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from agent_memory_os import Assertion, InvalidInput, Judgement, MemoryClient
from agent_memory_os.testing import FakeEmbedder

OLD, NEW = "The deploy port of staging is 8000", "The deploy port of staging is 8080"


class Court:
    """A judge that says what it was told to, and keeps what it was asked."""

    def __init__(self, rule: Callable[[Assertion, Sequence[Assertion]], object]) -> None:
        self.rule = rule
        self.asked: list[tuple[Assertion, Sequence[Assertion]]] = []

    def __call__(self, draft: Assertion, rivals: Sequence[Assertion]) -> Any:
        self.asked.append((draft, rivals))
        return self.rule(draft, rivals)


def rejecting(*_: object) -> Judgement:
    raise ValueError("no idea what vault 4711 is")


def client(rule: Callable[..., object], **options: Any) -> tuple[MemoryClient, Court]:
    court = Court(rule)
    return MemoryClient(":memory:", judge=court, **options), court


def supersede(draft: Assertion, rivals: Sequence[Assertion]) -> Judgement:
    own = tuple(each.id for each in rivals if each.owner == draft.owner)
    return Judgement("superseded", "the last word counts", superseded=own)


def conflict(draft: Assertion, rivals: Sequence[Assertion]) -> Judgement:
    return Judgement("conflict", "who knows", conflicts=tuple(each.id for each in rivals))


def test_a_judge_decides_in_place_of_the_rules() -> None:
    m, court = client(supersede)
    old = m.add("We deploy with Ansible", subject="team:ops")

    new = m.add("We deploy with Terraform", subject="team:ops")

    assert (new.verdict, new.superseded) == ("superseded", (old.id,))
    assert new.why == "the judge decided: the last word counts"
    assert [memory.id for memory in m.browse()] == [new.id]
    ((draft, rivals),) = court.asked
    assert (draft.content, draft.subject, draft.id) == (
        *("We deploy with Terraform", "team:ops", ""),
    )
    assert [(each.id, each.content) for each in rivals] == [(old.id, "We deploy with Ansible")]


def test_a_judge_is_asked_only_where_there_are_rivals_that_have_a_say() -> None:
    m, court = client(conflict)
    m.add("The tea is green")
    m.add("Lunch is at noon", layer=0)
    m.add("The theme is light", key="theme")
    m.add("The theme is dark", key="theme")
    m.reject(m.add("The lead is Bob").id)
    m.add("The lead is Bob")

    assert court.asked == []


def test_a_judge_has_a_say_in_what_a_key_says_anew() -> None:
    m, court = client(conflict)
    old = m.add(OLD).id
    m.add("Lunch is at noon", key="staging")

    receipt = m.add(NEW, key="staging")
    again = m.add("The deploy port of staging is 8081", key="staging")

    assert (receipt.verdict, receipt.conflicts) == ("conflict", (old,))
    assert again.conflicts == (old,)
    assert [[each.id for each in rivals] for _, rivals in court.asked] == [[old], [old]]


def test_a_judge_is_not_asked_of_what_a_key_says_already() -> None:
    m, court = client(conflict)
    m.add(OLD)
    m.add(NEW, key="staging")
    court.asked.clear()

    m.add(NEW, key="staging")
    m.add(NEW, key="staging", tags=["ops"])

    assert court.asked == []


def test_what_a_judge_merges_a_part_of_is_never_merged_by_an_update() -> None:
    m, _ = client(lambda _, rivals: Judgement("merged", "so", merged=(rivals[0].id,)))
    m.add(OLD)
    m.add(OLD, on_duplicate="store")
    other = m.add("Lunch is at noon").id

    receipt = m.update(other, content=OLD)

    assert (receipt.id, receipt.verdict) == (other, "stored")


def test_what_a_judge_merges_a_part_of_stands_beside_all_of_it() -> None:
    m, _ = client(lambda _, rivals: Judgement("merged", "so", merged=(rivals[0].id,)))
    m.add(OLD)
    m.add(OLD, on_duplicate="store")

    receipt = m.add(OLD, on_duplicate="store")

    assert receipt.verdict == "stored"
    assert len(m.browse()) == 3


def test_a_judge_has_a_say_in_an_update() -> None:
    m, court = client(conflict)
    old = m.add(OLD).id
    other = m.add("Lunch is at noon").id

    receipt = m.update(other, content=NEW)

    assert (receipt.verdict, receipt.conflicts) == ("conflict", (old,))
    assert [each.id for each in court.asked[0][1]] == [old]


def test_a_judge_is_asked_of_each_of_many() -> None:
    m, court = client(supersede)
    old = m.add(OLD).id

    receipts = m.add_many([{"content": NEW}, {"content": "Tea at four"}])

    assert [receipt.verdict for receipt in receipts] == ["superseded", "stored"]
    assert receipts[0].superseded == (old,)
    assert len(court.asked) == 1


def test_a_judge_that_raises_breaks_nothing_and_repeats_nothing() -> None:
    m, court = client(rejecting)
    old = m.add(OLD).id

    receipt = m.add(NEW)

    assert receipt.verdict in ("superseded", "conflict")
    assert {*receipt.superseded, *receipt.conflicts} == {old}
    assert receipt.why.endswith("the judge raised ValueError, so the rules decided")
    assert "4711" not in receipt.why
    assert len(court.asked) == 1


async def later(*_: object) -> Judgement:
    return Judgement("stored", "later")


def of(**parts: Any) -> Callable[..., object]:
    """Return a judge that names all rivals in the parts that are True, and else what is given."""

    def rule(draft: Assertion, rivals: Sequence[Assertion]) -> Judgement:
        named = tuple(each.id for each in rivals)
        said = {name: named if value is True else value for name, value in parts.items()}
        return Judgement(**{"verdict": "stored", "why": "so", **said})

    return rule


RUBBISH = {
    "nothing": lambda *_: None,
    "a word": lambda *_: "superseded",
    "a coroutine": later,
    "an unknown verdict": of(verdict="rejected"),
    "no verdict": of(verdict=["superseded"], superseded=True),
    "no words": of(why=None),
    "an unknown id": of(verdict="superseded", superseded=("f" * 25,)),
    "no id": of(verdict="superseded", superseded=(7,)),
    "no tuple": of(verdict="superseded", superseded="x"),
    "named twice": of(verdict="superseded", superseded=True, conflicts=True),
    "a verdict of nothing": of(verdict="superseded"),
    "more than its verdict": of(verdict="stored", conflicts=True),
    "merged and more": of(verdict="merged", merged=True, conflicts=("x",)),
    "another statement merged": of(verdict="merged", merged=True),
    "itself": of(verdict="stored", corroborates=True),
}


@pytest.mark.parametrize("rule", RUBBISH.values(), ids=RUBBISH)
def test_rubbish_is_no_judgement(rule: Callable[..., object]) -> None:
    m, _ = client(rule)
    plain = MemoryClient(":memory:")
    for each in (m, plain):
        each.add(OLD)

    receipt, by_rules = m.add(NEW), plain.add(NEW)

    assert receipt.verdict == by_rules.verdict
    assert receipt.why.startswith(f"{by_rules.why}; the judge ")
    assert receipt.why.endswith(", so the rules decided")
    assert m.admin.check() == []


def test_a_judge_takes_no_place_of_what_somebody_else_owns() -> None:
    m, _ = client(of(verdict="superseded", superseded=True))
    old = m.add(OLD, owner="trinity", visibility=["global"]).id

    receipt = m.add(NEW, owner="neo")

    assert receipt.superseded == ()
    assert "another's" in receipt.why
    assert m.get(old, requester_agent_id="trinity") is not None


def test_a_judge_sees_only_what_the_writer_sees() -> None:
    m, court = client(conflict)
    m.add(OLD, owner="trinity")

    receipt = m.add(NEW, owner="neo")

    assert receipt.verdict == "stored"
    assert court.asked == []


def test_a_judge_whose_rivals_change_is_asked_once_more_and_then_the_rules_decide() -> None:
    m, court = client(conflict)
    m.add(OLD)
    count = 0

    def meddle(draft: Assertion, rivals: Sequence[Assertion]) -> Judgement:
        nonlocal count
        count += 1
        if count <= changes:
            with m._parts.store.write() as tx:
                memory = tx.read([rivals[0].id], _all(m))[0]
                tx.doubt(memory, 1 - count / 10, by="local")
        return conflict(draft, rivals)

    court.rule = meddle
    changes = 1
    heard = m.add(NEW, dry_run=True)
    asked_once_more, count, changes = len(court.asked), 0, 9
    ignored = m.add(NEW)

    assert asked_once_more == 2
    assert heard.why.startswith("the judge decided: who knows")
    assert len(court.asked) == 4
    assert "changed meanwhile, so the rules decided" in ignored.why


def _all(m: MemoryClient) -> Any:
    return m._as(None)._visibility()


def test_a_judge_may_use_the_client_itself() -> None:
    def reads(draft: Assertion, rivals: Sequence[Assertion]) -> Judgement:
        m.search(draft.content)
        return conflict(draft, rivals)

    m, _ = client(reads)
    m.add(OLD)

    assert m.add(NEW).verdict == "conflict"


def test_why_of_a_judge_is_cut_and_can_be_kept() -> None:
    m, _ = client(of(why="long\n " * 1_000 + "\ud800"))
    m.add(OLD)

    receipt = m.add(NEW, idempotency_key="call-1")

    assert len(receipt.why) < 600
    assert m.add(NEW, idempotency_key="call-1").why == receipt.why


def test_what_cannot_judge_is_refused_when_the_client_is_made() -> None:
    with pytest.raises(InvalidInput, match="judge"):
        MemoryClient(":memory:", judge="the rules")  # type: ignore[arg-type]


# Writes that are only rehearsed.


def test_a_dry_run_says_what_would_become_of_an_add_and_writes_nothing(m: MemoryClient) -> None:
    old = m.add(OLD, tags=["ops"], subject="server:db1")
    before = m.browse(), m.history(old.id), m.admin.stats()

    stored = m.add("Lunch is at noon", dry_run=True)
    merged = m.add(f"{OLD}.", tags=["new"], subject="server:db1", dry_run=True)
    newer = m.add(f"{NEW} now", subject="server:db1", dry_run=True)

    assert [receipt.verdict for receipt in (stored, merged, newer)] == [
        *("stored", "merged", "superseded")
    ]
    assert merged.id == old.id
    assert merged.memory.tags == ("ops", "new")
    assert newer.superseded == (old.id,)
    assert all(receipt.dry_run and "dry run" in receipt.why for receipt in (stored, merged, newer))
    assert (m.browse(), m.history(old.id), m.admin.stats()) == before
    assert m.get(stored.id) is None
    assert m.org.agents() == m.org.agents()


def test_a_dry_run_of_an_update_writes_nothing(m: MemoryClient) -> None:
    old = m.add(OLD, subject="server:db1")
    other = m.add("Lunch is at noon", subject="server:db1")

    receipt = m.update(other.id, content=f"{NEW} now", dry_run=True)

    assert (receipt.memory.content, receipt.superseded) == (f"{NEW} now", (old.id,))
    assert receipt.dry_run
    assert {memory.content for memory in m.browse()} == {OLD, "Lunch is at noon"}
    assert m.history(other.id) == []


def test_a_dry_run_uses_no_key_makes_no_vector_and_knows_no_new_names() -> None:
    embedder = FakeEmbedder()
    heard: list[object] = []
    with MemoryClient(":memory:", embed=embedder, on_write=heard.append) as m:
        m.add("tea", owner="neo", idempotency_key="call-1", key="k", dry_run=True)
        after = m.add("milk", owner="neo", idempotency_key="call-1", key="k")

        assert after.verdict == "stored"
        assert len(heard) == 1
        assert m.admin.check() == []


def test_an_ordinary_receipt_is_of_no_dry_run(m: MemoryClient) -> None:
    assert m.add("tea").dry_run is False
