"""What host applications use in their own tests: a clock that stands still, ids that repeat.

PYTEST_DONT_REWRITE
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from numbers import Real
from typing import Unpack

from agent_memory_os.client import MemoryClient
from agent_memory_os.errors import InvalidInput
from agent_memory_os.fakes import DEFAULT_START_MS as DEFAULT_START_MS
from agent_memory_os.fakes import FakeClock as FakeClock
from agent_memory_os.fakes import FakeDistiller as FakeDistiller
from agent_memory_os.fakes import FakeEmbedder as FakeEmbedder
from agent_memory_os.fakes import FakeEntropy as FakeEntropy
from agent_memory_os.golden import check_golden as check_golden
from agent_memory_os.golden import write_golden as write_golden
from agent_memory_os.model import FilterFields
from agent_memory_os.providers.protocol import Provider, ProviderRequest
from agent_memory_os.store.contract import OpenStore
from agent_memory_os.view import AgentMemory

ODD_QUERIES = (
    *("", " \t\n", "\x00", "\ud800", "?!", "-", "%", "*", "'; --", "\u202e", "🙂", "部署端口"),
    *('"', "a AND (b OR", "NEAR(a b", "a*", "rights:o1", "{a b}:c", "NOT", "^a", "a " * 5_000),
)
_THREADS = 4
_FIXTURES = "agent_memory_os.testing.fixtures"


def memory_client(
    *,
    start: datetime | None = None,
    agent_id: str = "local",
    clock: FakeClock | None = None,
) -> MemoryClient:
    """Return a client in memory whose clock stands still and whose ids repeat.

    >>> first, second = memory_client(), memory_client()
    >>> first.add("tea").id == second.add("tea").id
    True

    Args:
        start: where its clock stands; the first moment of 2026 in UTC by default.
        agent_id: the agent that calls act as when they name none.
        clock: a clock of yours, to move it on; a new one by default.
    """
    clock = clock or FakeClock(start)
    return MemoryClient(":memory:", agent_id=agent_id, clock=clock, entropy=FakeEntropy())


def assert_recalls(
    memory: MemoryClient | AgentMemory,
    query: str | None,
    expected: str | Iterable[str],
    *,
    at: int = 5,
    **filters: Unpack[FilterFields],
) -> None:
    """Fail unless the search for *query* finds all that is *expected* among its first hits.

    >>> m = memory_client()
    >>> port = m.add("Deploy target is port 8000")
    >>> assert_recalls(m, "deploy port", "port 8000", at=1)
    >>> assert_recalls(m, "deploy port", [port.id])

    Args:
        memory: a client, which asks as its own agent, or the view of an agent.
        query: what is asked.
        expected: a part of a content, exactly, or the id of a memory; or several of these.
        at: among how many hits.
        filters: those of `FilterFields`.

    Raises:
        AssertionError: one is not among them; the message lists what was.
    """
    hits = memory.search(query, limit=at, **filters)
    wanted = [expected] if isinstance(expected, str) else [*expected]
    missing = [
        each for each in wanted if not any(each == hit.id or each in hit.content for hit in hits)
    ]
    if missing:
        found = "\n".join(f"  {hit.score:.3f} {hit.id} {hit.content!r}" for hit in hits)
        found = found or f"  nothing: {hits.report.reason}"
        named = ", ".join(map(repr, missing))
        raise AssertionError(f"{query!r} does not recall {named} among {at} hits:\n{found}")


def assert_never_visible(
    memory: MemoryClient | AgentMemory, content: str, *, queries: Sequence[str] = ()
) -> None:
    """Fail if any read of *memory* shows *content*.

    It searches for the content itself and for *queries*, packs, lists and browses all pages.

    >>> m = memory_client()
    >>> _ = m.add("The safe opens with 7-7-3", owner="mizuki")
    >>> assert_never_visible(m.as_agent("neo"), "7-7-3", queries=["how does the safe open?"])

    Raises:
        AssertionError: a read shows it; the message says which.
        InvalidInput: *content* is empty, which every text contains.
    """
    if not content:
        raise InvalidInput("content must not be empty: every text contains it")
    for query in (content, *queries, None):
        for hit in memory.search(query, limit=1_000):
            if content in hit.content:
                raise AssertionError(f"search({query!r}) shows {content!r} in memory {hit.id}")
        if content in str(memory.context_pack(query, max_tokens=100_000)):
            raise AssertionError(f"context_pack({query!r}) shows {content!r}")
    offset = 0
    while page := memory.browse(limit=500, offset=offset):
        for shown in page:
            if content in shown.content:
                raise AssertionError(f"browse() shows {content!r} in memory {shown.id}")
        offset += len(page)


def pytest_configure(config: object) -> None:
    """Give the tests of a host ``agent_memory`` and ``agent_memory_clock``.

    pytest calls it where a host says ``pytest_plugins = ["agent_memory_os.testing"]``.
    """
    plugins = getattr(config, "pluginmanager")  # noqa: B009  # pytest is not imported here
    if not plugins.has_plugin(_FIXTURES):
        plugins.register(_fixtures(), _FIXTURES)


def _fixtures() -> object:
    import pytest  # only where it runs

    class Fixtures:
        """What a test of a host gets by name."""

        @pytest.fixture
        def agent_memory_clock(self) -> FakeClock:
            """The clock of ``agent_memory``, which moves only when told to."""
            return FakeClock()

        @pytest.fixture
        def agent_memory(self, agent_memory_clock: FakeClock) -> Iterator[MemoryClient]:
            """A memory in RAM, with a clock that stands still and ids that repeat."""
            with memory_client(clock=agent_memory_clock) as client:
                yield client
                broken = client.admin.check()
                assert not broken, broken

    return Fixtures()


def check_provider(provider: Provider, *, queries: Sequence[str] = (), limit: int = 20) -> None:
    """Fail unless *provider* keeps what every provider of a host must.

    It is asked about texts of every kind: each time it answers, without an error, with pairs of an
    id and a finite number from 0 to 1, at most as many as the limit; the same request has the same
    answer, whatever the order of its rows, in every thread; and the request stays as it was.

    >>> class Pinboard:
    ...     name = "pinboard"
    ...     def candidates(self, request):
    ...         return [("00" * 14, 0.5)] if "tea" in request.query else []
    >>> check_provider(Pinboard(), queries=["who likes tea?"])

    Args:
        provider: the object that ``providers=`` is given.
        queries: texts for which it proposes something.
        limit: how many candidates it is asked for at most.

    Raises:
        AssertionError: it does not; the message lists each fault.
    """
    faults = provider_faults(provider, queries=queries, limit=limit)
    if faults:
        raise AssertionError("this is no sound provider:\n" + "\n".join(f"  {it}" for it in faults))


def check_store(open_store: OpenStore) -> None:
    """Fail unless the stores that *open_store* opens do what every store must.

    Each law of the contract (`agent_memory_os.store.contract`) is tried on fresh stores: what is
    written is read back, all of a transaction or none of it, the gate before every read, history,
    keys, links, rights, erasure, upkeep, and a sound store at the end. It takes some ten seconds.

    Args:
        open_store: takes ``settings=`` and ``clock=``, and returns a fresh, empty store, which is
            closed when it is done with. Several are open at once; they share nothing.

    Raises:
        AssertionError: one does not; the message lists each law that is broken, and how.
    """
    faults = store_faults(open_store)
    if faults:
        raise AssertionError("this is no sound store:\n" + "\n".join(f"  {it}" for it in faults))


def store_faults(open_store: OpenStore) -> list[str]:
    """Return what `check_store` finds wrong, in sentences; empty when the store is sound."""
    from agent_memory_os.laws import faults  # tests of most hosts bring no store

    return list(faults(open_store))


def provider_faults(
    provider: Provider, *, queries: Sequence[str] = (), limit: int = 20
) -> list[str]:
    """Return what `check_provider` finds wrong, in sentences; empty when *provider* is sound."""
    from agent_memory_os.providers.foreign import named

    try:
        named(provider)
    except InvalidInput as error:
        return [str(error)]
    faults: dict[str, None] = {}
    for query in (*queries, *ODD_QUERIES):
        faults |= dict.fromkeys(_faults_of_an_answer(provider, query, limit))
    faults |= dict.fromkeys(
        fault for query in queries for fault in _faults_of_an_answer(provider, query, 1)
    )
    if not faults:  # what cannot be asked once cannot be compared
        every = [_request(query, limit) for query in (*queries, *ODD_QUERIES)]
        faults |= dict.fromkeys(_differences(provider, every))
    return list(faults)


def _request(query: str, limit: int) -> ProviderRequest:
    filters = {"types": ("note",)}
    return ProviderRequest(query, "local", None, False, filters, limit, DEFAULT_START_MS)


def _faults_of_an_answer(provider: Provider, query: str, limit: int) -> Iterable[str]:
    request, before = _request(query, limit), _request(query, limit)
    shown = repr(query if len(query) <= 40 else query[:40] + "...")
    try:
        rows = list(islice(provider.candidates(request), limit + 1))
    except Exception as error:
        yield f"it raises {type(error).__name__} when it is asked {shown}: {error}"
        return
    if len(rows) > limit:
        yield f"it proposes more than {limit} for {shown}, which was the limit"
    if request != before:
        yield f"it changes the request {shown}"
    for row in rows:
        if fault := _fault_of_a_row(row):
            yield f"asked {shown} {fault}"


def _fault_of_a_row(row: object) -> str:
    if not isinstance(row, tuple) or len(row) != 2:
        return f"it proposes {row!r}, which is no pair of an id and a score"
    memory_id, score = row
    if not isinstance(memory_id, str):
        return f"it names {memory_id!r}, which is no id"
    if isinstance(score, bool) or not isinstance(score, Real):
        return f"it scores {score!r}, which is no number"
    if not 0 <= float(score) <= 1:  # NaN is not either
        return f"it scores {score!r}, which is not from 0 to 1"
    return ""


def _differences(provider: Provider, requests: Sequence[ProviderRequest]) -> Iterable[str]:
    """Yield what differs when the same is asked again, here and in other threads."""
    from concurrent.futures import ThreadPoolExecutor

    def answers(_: int = 0) -> list[dict[str, float]]:
        return [_best(provider, request) for request in requests]

    first = answers()
    if answers() != first:
        yield "it answers the same request in two ways"
        return
    try:
        with ThreadPoolExecutor(_THREADS) as threads:
            elsewhere = list(threads.map(answers, range(_THREADS)))
    except Exception as error:
        yield f"it raises {type(error).__name__} in another thread: {error}"
        return
    if any(answer != first for answer in elsewhere):
        yield "it answers in another thread what it does not answer here"


def _best(provider: Provider, request: ProviderRequest) -> dict[str, float]:
    """Return the best score of each id, which is all of an answer that counts."""
    best: dict[str, float] = {}
    for memory_id, score in provider.candidates(request):
        best[memory_id] = max(score, best.get(memory_id, 0.0))
    return best
