"""What proposes candidates: the arms of the library, and the providers of a host."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple, Protocol

from agent_memory_os.model import Candidate, Filters, Visibility
from agent_memory_os.noun import Noun
from agent_memory_os.providers.deadline import Deadline
from agent_memory_os.pure.text import Query
from agent_memory_os.store.contract import Asked, Snapshot


class Search(Noun):
    """What is looked for.

    Attributes:
        query: the words.
        visibility: who asks.
        filters: what narrows it.
        wanted: most candidates of an arm.
        seeds: what the arm that leads has proposed, the best first; None for the one that leads.
        deadline: until when arms are asked, if there is an end.
        asked: the query as a vector, where the client has vectors.
    """

    query: Query
    visibility: Visibility
    filters: Filters
    wanted: int
    seeds: Sequence[Candidate] | None = None
    deadline: Deadline | None = None
    asked: Asked | None = None

    def has_time_for(self, arm: str) -> bool:
        """Return whether *arm* may still be asked; if not, the report of the search says so."""
        return self.deadline is None or self.deadline.allows(arm)


class Arm(Protocol):
    """A way of finding that the library has; it reads in the snapshot of the search.

    What it proposes is read again through the gate, whatever it says.
    """

    @property
    def name(self) -> str:
        """Return the name under which the report counts its candidates."""
        ...

    @property
    def degraded(self) -> Sequence[str]:
        """Return what was not as it should be when it was asked, in sentences."""
        ...

    def candidates(self, search: Search, snapshot: Snapshot) -> Sequence[Candidate]:
        """Return at most ``search.wanted`` candidates, the best first, scores from 0 to 1."""
        ...


Embed = Callable[[Sequence[str]], Sequence[Any]]
"""A host's function from texts to vectors: for each text numbers, always as many."""
EmbedQuery = Callable[[str], Any]
"""A host's function from a query to its vector."""


class Made(NamedTuple):
    """What became of a text: a vector of a *model*, or the *problem* why there is none.

    problem completes "the embedding function ...".
    """

    vector: bytes | None
    model: str = ""
    problem: str = ""


class VectorMaker(Protocol):
    """What a client has to do with vectors; it may call the host, and so never holds a lock."""

    @property
    def stores(self) -> bool:
        """Return whether memories get vectors that are kept."""
        ...

    @property
    def fingerprint(self) -> str:
        """Return the fingerprint of the model, or its name as long as no vector was made."""
        ...

    def lacks(self) -> tuple[str, ...]:
        """Return what was asked for and is not installed, in sentences."""
        ...

    def make(self, contents: Sequence[str]) -> Sequence[Made]:
        """Return what becomes of each of some contents, asked for all at once."""
        ...

    def ask(
        self, query: Query, now_ms: int, deadline: Deadline | None
    ) -> tuple[Asked | None, tuple[str, ...]]:
        """Return a query as a vector, if there is one in time, and what is not as it should be."""
        ...


class ProviderRequest(Noun):
    """What a provider of the host is asked: plain values, and no way into the store.

    Attributes:
        query: the text, as it was asked; never empty of words.
        agent: the agent that asks.
        subject: the subject that the search is held to, ``kind:name``, or None.
        shared: with a subject, whether memories without one are wanted as well.
        filters: the other filters of the call by their names, as they were given; a provider may
            narrow by them, and need not.
        limit: the most candidates that are taken, the first that come.
        now_ms: the moment of the search, UTC milliseconds.
        deadline_ms: milliseconds within which the answer is of use; None: no end.
    """

    query: str
    agent: str
    subject: str | None
    shared: bool
    filters: Mapping[str, object] = field(hash=False)
    limit: int
    now_ms: int
    deadline_ms: int | None = None


class Provider(Protocol):
    """A way of finding that the host brings, such as a vector index of its own.

    It says which memories it means by their ids, and how relevant each is, from 0 to 1. What it
    says opens nothing: a memory that the reader may not see, or that a filter leaves out, is as if
    it had not been named. It is asked before the store is read, and never inside a transaction.

    >>> from agent_memory_os import MemoryClient
    >>> class Nicknames:
    ...     name = "nicknames"
    ...     def __init__(self, known):
    ...         self.known = known
    ...     def candidates(self, request):
    ...         return [(it, 0.9) for word, it in self.known.items() if word in request.query]
    >>> m = MemoryClient(":memory:")
    >>> van = m.add("The grey Transit needs new tyres")
    >>> [hit.id == van.id for hit in m.search("how is old Betsy?", providers=[Nicknames(
    ...     {"Betsy": van.id})])]
    [True]
    """

    @property
    def name(self) -> str:
        """Return the name under which reports know it: one of no other arm, 1 to 200 characters."""
        ...

    def candidates(self, request: ProviderRequest) -> Iterable[Candidate | tuple[str, float]]:
        """Return ids of memories with their relevance from 0 to 1, in any order.

        Of one id the best score counts. What is no pair of an id and a finite number is dropped,
        and the report says so. An exception costs the answer of this provider, and no other.
        """
        ...


class Worker(Protocol):
    """A thread, as far as one must know whether it is still at work."""

    def is_alive(self) -> bool:
        """Return whether it has not come back yet."""
        ...


Busy = dict[Worker, str]  # threads that were cut, and may be at work still, and whose they are


class Told(Noun):
    """What a provider has answered.

    candidates: ids, each once, with scores of more than 0 to 1; no store has seen them yet.
    degraded: what did not work, in sentences that hold nothing of what the provider said.
    """

    name: str
    candidates: tuple[Candidate, ...] = ()
    degraded: tuple[str, ...] = ()


class Asker(Protocol):
    """A provider of the host, as a search asks it: by a name, and with an answer in any case."""

    @property
    def name(self) -> str:
        """Return the name of the provider."""
        ...

    def ask(self, request: ProviderRequest, deadline: Deadline | None) -> Told:
        """Return what the provider says, cleaned, by the *deadline* if there is one."""
        ...
