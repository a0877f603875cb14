"""The contract of a host's provider: our own arms keep it, and it finds out who does not."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from math import inf, nan
from random import Random
from threading import get_ident
from typing import Any

import pytest

from agent_memory_os import Candidate, MemoryClient, ProviderRequest, reciprocal_ranks
from agent_memory_os.model import NO_FILTERS, Visibility
from agent_memory_os.providers.protocol import Search
from agent_memory_os.pure.text import analyse_query
from agent_memory_os.recall.arms import BUILT_IN
from agent_memory_os.settings import Settings
from agent_memory_os.testing import check_provider, memory_client, provider_faults

QUERIES = ["deploy of staging", "tea", "部署端口"]


class Arm:
    """An arm of the library, as a provider of a host would stand."""

    def __init__(self, client: MemoryClient, name: str) -> None:
        self.name = f"our {name}"
        self._store = client._parts.store
        self._arm = BUILT_IN[name](Settings())

    def candidates(self, request: ProviderRequest) -> list[Candidate]:
        visibility = Visibility(request.agent, request.now_ms + 10**9)
        search = Search(analyse_query(request.query), visibility, NO_FILTERS, request.limit)
        with self._store.read() as snapshot:
            return list(self._arm.candidates(search, snapshot)) if search.query.terms else []


class Titles:
    """What a host may bring: titles of its own, found by their letters."""

    name = "titles"

    def __init__(self, titles: dict[str, str]) -> None:
        self._titles = titles

    def candidates(self, request: ProviderRequest) -> list[Candidate]:
        wanted = set(request.query.casefold().split())
        found = {each: len(wanted & set(title.split())) for title, each in self._titles.items()}
        ranked = sorted((-count, each) for each, count in found.items() if count)
        return reciprocal_ranks(each for _, each in ranked)[: request.limit]


@pytest.fixture
def m() -> Iterator[MemoryClient]:
    """Yield a memory with a link and a session, sound when the test ends."""
    with memory_client() as client:
        failed = client.add("The deploy of staging failed", session="s1").id
        client.link(failed, client.add("Ada likes tea", pinned=True).id)
        client.add("部署端口是八千", session="s1")
        yield client
        assert client.admin.check() == []


@pytest.mark.capability("AMOS-037")
@pytest.mark.parametrize("name", BUILT_IN)
def test_each_arm_of_the_library_keeps_the_contract(m: MemoryClient, name: str) -> None:
    arm = Arm(m, name)

    check_provider(arm, queries=QUERIES)

    assert any(arm.candidates(_request(query)) for query in QUERIES)


def test_a_provider_of_a_host_keeps_the_contract() -> None:
    titles = Titles({"deploy staging": "00" * 14, "tea": "11" * 14, "iced tea": "22" * 14})

    check_provider(titles, queries=QUERIES)


def _request(query: str) -> ProviderRequest:
    return ProviderRequest(query, "local", None, False, {}, 20, 1_767_225_600_000)


class Bad:
    """A provider with one fault."""

    name = "bad"

    def __init__(self, candidates: Callable[[ProviderRequest], Any]) -> None:
        self.candidates = candidates


def only_text(request: ProviderRequest) -> list[Candidate]:
    request.query.encode()
    return []


def only_words(request: ProviderRequest) -> list[Candidate]:
    return [Candidate(request.query.split()[0], 0.5)]


def grammar(request: ProviderRequest) -> list[Candidate]:
    with closing(sqlite3.connect(":memory:")) as index:
        index.execute("CREATE VIRTUAL TABLE titles USING fts5(title)")
        found = index.execute("SELECT rowid FROM titles WHERE titles MATCH ?", (request.query,))
        return [Candidate(str(row), 0.5) for row in found]


def meddling(request: ProviderRequest) -> list[Candidate]:
    request.filters.clear()  # type: ignore[attr-defined]
    return []


RANDOM = Random(7)
FIRST_THREAD = get_ident()


def of_one_thread(request: ProviderRequest) -> list[Candidate]:
    if get_ident() != FIRST_THREAD:
        raise sqlite3.ProgrammingError("objects created in a thread can only be used in it")
    return []


@pytest.mark.parametrize(
    ("candidates", "fault"),
    [
        (only_text, "raises UnicodeEncodeError"),
        (only_words, "raises IndexError when it is asked ''"),
        (grammar, "raises OperationalError"),
        (lambda _: None, "raises TypeError"),
        (lambda _: ["abc"], "no pair"),
        (lambda _: [("a", 0.5, 1)], "no pair"),
        (lambda _: [(7, 0.5)], "no id"),
        (lambda _: [("a", "0.5")], "no number"),
        (lambda _: [("a", True)], "no number"),
        (lambda _: [("a", nan)], "not from 0 to 1"),
        (lambda _: [("a", inf)], "not from 0 to 1"),
        (lambda _: [("a", 1.5)], "not from 0 to 1"),
        (lambda _: [("a", -0.1)], "not from 0 to 1"),
        (lambda _: [("a", 0.5), ("b", 0.5)], "more than 1"),
        (lambda _: ((str(number), 0.5) for number in range(10**9)), "more than 20"),
        (lambda _: [("a", RANDOM.random())], "two ways"),
        (lambda _: [("a", 0.5 if get_ident() == FIRST_THREAD else 0.4)], "in another thread"),
        (of_one_thread, "raises ProgrammingError in another thread"),
        (meddling, "changes the request"),
    ],
)
def test_a_fault_is_found(candidates: Callable[[ProviderRequest], Any], fault: str) -> None:
    faults = provider_faults(Bad(candidates), queries=QUERIES)

    assert any(fault in each for each in faults), faults


def test_the_order_of_rows_is_no_fault() -> None:
    def shuffled(_: ProviderRequest) -> list[Candidate]:
        rows = [Candidate(str(number), number / 10) for number in range(10)]
        RANDOM.shuffle(rows)
        return rows

    assert provider_faults(Bad(shuffled)) == []


@pytest.mark.parametrize("name", ["", " ", "a*", None, 7])
def test_a_name_that_no_report_could_use_is_a_fault(name: Any) -> None:
    bad = Bad(lambda _: [])
    bad.name = name

    assert "name of a provider" in provider_faults(bad)[0]


def test_it_fails_with_each_fault_on_a_line() -> None:
    with pytest.raises(AssertionError, match=r"no sound provider:\n  asked '' it scores 2"):
        check_provider(Bad(lambda _: [("a", 2)]))
