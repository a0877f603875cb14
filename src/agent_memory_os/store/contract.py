"""What a store does, on one page; it says nothing of how."""

# A store hands out snapshots to read from and transactions to write in. Every read for a user
# takes a `Visibility` and returns only what that may see; nothing else decides what is seen. Ids
# are those of the memories: row numbers, SQL and error classes of a store stay inside.

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from agent_memory_os.model import (
    JSON,
    Agent,
    AuditEntry,
    Change,
    Draft,
    Filters,
    Finding,
    Link,
    Memory,
    Project,
    RecallProfile,
    State,
    Stats,
    Step,
    Team,
    Verdict,
    Visibility,
)
from agent_memory_os.pure.text import Query


class Found(NamedTuple):
    """What is needed of a visible memory to score it.

    terms are its analysed text (`pure.stored`); actor and subject are ``kind:name`` or None; asks
    says that its content ends with a question mark, in_session that it belongs to a session.
    """

    id: str
    terms: str
    actor: str | None
    subject: str | None
    occurred_ms: int
    asks: bool
    in_session: bool


@dataclass(frozen=True, slots=True)
class Matches:
    """The visible memories that share a term with a query, and what is needed to score them.

    Attributes:
        found: the memories, in no order that means anything.
        rows: how many durable memories the reader sees; those with an end do not count.
        mean_terms: their mean length in terms; 0 when there are none.
        frequencies: how many visible memories hold each term, where there were more matches than
            the budget and the store chose; None when these are all of them.
    """

    found: Sequence[Found]
    rows: int
    mean_terms: float
    frequencies: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True)
class FirstReceipt:
    """What was answered to an idempotency key: to which call, and with what."""

    digest: str
    memory: Memory
    verdict: Verdict
    why: str


class Snapshot(Protocol):
    """One unchanging state of the store."""

    def matches(self, query: Query, visibility: Visibility, filters: Filters) -> Matches:
        """Return what shares a term with *query*, up to the budget of the settings."""
        ...

    def alike(
        self, asked: Mapping[str, str], visibility: Visibility, filters: Filters
    ) -> Mapping[str, Sequence[tuple[str, float]]]:
        """Return for each term that no visible memory holds the visible terms most alike.

        *asked* gives for each term the word as it was spelt. Likeness is from 0 to 1, the best
        first; of the filters only the subject narrows. A term that is held is not in the answer.
        """
        ...

    def documents(
        self, visibility: Visibility, filters: Filters, *, most: int
    ) -> Sequence[tuple[str, str]] | None:
        """Return the id and the analysed text of all visible memories that pass the filters.

        None when the reader sees more than *most*, whatever the filters leave of them.
        """
        ...

    def surroundings(
        self, ids: Sequence[str], visibility: Visibility, *, width: int
    ) -> Mapping[str, Sequence[Found]]:
        """Return for each of *ids* that is in a session the run of turns around it.

        At most *width* before and after it, in order, itself included; visible ones of the same
        session, owner, audience and subject alone.
        """
        ...

    def read(
        self, ids: Sequence[str], visibility: Visibility, filters: Filters = ...
    ) -> list[Memory]:
        """Return those of *ids* that pass the gate and the filters, in no order, each once."""
        ...

    def browse(
        self,
        visibility: Visibility,
        filters: Filters,
        *,
        limit: int,
        offset: int = 0,
        pinned: bool = False,
    ) -> list[Memory]:
        """Return visible memories, the last written first; with *pinned* only those."""
        ...

    def passing(
        self, ids: Sequence[str], visibility: Visibility, filters: Filters = ...
    ) -> set[str]:
        """Return those of *ids* that `read` would return the memories of."""
        ...

    def steps(
        self,
        ids: Sequence[str],
        visibility: Visibility,
        *,
        relations: Sequence[str] = ...,
        most: int,
    ) -> list[Step]:
        """Return the steps from *ids* over links whose both ends pass the gate.

        Links are walked along their arrow and against it: from each memory the heaviest *most*,
        of equal ones those to the newest memories. *relations* narrows, unless it is empty.
        """
        ...

    def fans(
        self, ids: Sequence[str], visibility: Visibility, *, most: int, looked_at: int
    ) -> Mapping[str, Mapping[str, float]]:
        """Return the neighbours of each of *ids* that has any, and the weight that leads there.

        As `steps`, but of each memory not all links are looked at: first the heaviest, twice as
        many as are kept, and where the reader may see too few of them *looked_at* more in all.
        """
        ...

    def links(self, source_id: str, target_id: str) -> list[Link]:
        """Return the links from one memory to another, both of which the caller was shown."""
        ...

    def profile(self, agent: str) -> RecallProfile | None:
        """Return the recall profile that was last saved for an agent, if any."""
        ...

    def history(self, memory_id: str, visibility: Visibility) -> list[Change]:
        """Return what was replaced in a memory that passes the gate, oldest first."""
        ...

    def stats(self, visibility: Visibility) -> Stats:
        """Return counts of what the reader sees."""
        ...

    def knows(self, agent: str) -> bool:
        """Return whether the agent was ever registered, a member, an owner, or given something."""
        ...

    def holds(self, agent: str, scope: str) -> bool:
        """Return whether the agent is a member of a live team or project."""
        ...

    def agents(self) -> list[Agent]:
        """Return the agents that are registered or own something, by id."""
        ...

    def teams(self) -> list[Team]:
        """Return the teams that exist, by id."""
        ...

    def projects(self) -> list[Project]:
        """Return the projects that exist, by id."""
        ...

    def memberships(self, agent: str) -> list[str]:
        """Return the scopes that an agent holds by membership, sorted."""
        ...

    def audit(self, *, limit: int) -> list[AuditEntry]:
        """Return the last acts on rights and organisation, newest first."""
        ...


class Transaction(Snapshot, Protocol):
    """A snapshot that can be changed; all of it commits, or none.

    Attributes:
        now_ms: the one moment at which everything in it happens.
    """

    @property
    def now_ms(self) -> int:
        """Return the moment of the transaction, UTC milliseconds."""
        ...

    def insert(self, draft: Draft) -> Memory:
        """Write a new memory with its rights and index entries; return it as its owner sees it."""
        ...

    def replace(self, memory: Memory, *, by: str, kind: str) -> Memory:
        """Write *memory* over the row of its id, keep what it replaced; return it restamped."""
        ...

    def set_visibility(self, memory: Memory, scopes: Sequence[str], *, by: str) -> Memory:
        """Give a memory another set of scopes; the content's version does not change."""
        ...

    def set_state(self, memory: Memory, state: State, *, by: str) -> None:
        """Move a memory to another state; leaving "active" takes it out of the index."""
        ...

    def link(
        self, source_id: str, target_id: str, *, relation: str, weight: float, by: str
    ) -> Link:
        """Link two memories; the link that *by* has made so already gets the *weight*."""
        ...

    def unlink(self, source_id: str, target_id: str, *, relation: str | None, by: str) -> int:
        """Unlink what *by* linked, of one relation or of all; return how many links that was."""
        ...

    def count_recall(self, ids: Sequence[str], *, helped: bool) -> None:
        """Count that each memory was recalled, and whether it helped; its version stays."""
        ...

    def save_profile(self, profile: RecallProfile) -> None:
        """Save the recall profile of its agent, in place of the one before."""
        ...

    def twins(self, draft: Draft) -> list[Memory]:
        """Return the active memories of the same owner, subject, type, layer and normal form.

        The oldest first.
        """
        ...

    def keyed(self, owner: str, subject: str | None, key: str) -> Memory | None:
        """Return the active memory of that name, if any."""
        ...

    def first_receipt(self, owner: str, idempotency_key: str) -> FirstReceipt | None:
        """Return what was answered to that key, if it was used."""
        ...

    def keep_receipt(self, owner: str, idempotency_key: str, receipt: FirstReceipt) -> None:
        """Remember what was answered to that key."""
        ...

    def register_agent(self, agent: str, kind: str | None) -> None:
        """Register an agent, or change its kind."""
        ...

    def create_team(self, team: str) -> None:
        """Create a team that does not exist."""
        ...

    def create_project(self, project: str, team: str) -> None:
        """Create a project that does not exist, of a team that does."""
        ...

    def add_member(self, scope: str, agent: str) -> bool:
        """Let an agent hold a scope; False when it did already."""
        ...

    def remove_member(self, scope: str, agent: str) -> bool:
        """Take a scope, and a team's projects with it, from an agent; False when it had none."""
        ...

    def delete_scope(self, scope: str) -> None:
        """Delete a team with its projects, or a project, for good; the name may be used again."""
        ...

    def record(self, by: str, action: str, target: str, detail: Mapping[str, JSON]) -> None:
        """Write an entry of the audit."""
        ...


class Store(Protocol):
    """A place where memories are kept."""

    def read(self) -> AbstractContextManager[Snapshot]:
        """Open a snapshot."""
        ...

    def write(self, *, bulk: bool = False) -> AbstractContextManager[Transaction]:
        """Open a transaction; *bulk* says that it will write many memories."""
        ...

    def check(self) -> list[Finding]:
        """Return every broken invariant; empty when the store is sound."""
        ...

    def rebuild_indexes(self) -> int:
        """Make every disposable index anew, and return how many memories are in it."""
        ...

    def close(self) -> None:
        """Let go of the store; idempotent."""
        ...
