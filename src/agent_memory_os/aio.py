"""The client for asyncio: the same verbs, awaited."""

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial, wraps
from types import TracebackType
from typing import Any, Concatenate, Generic, Literal, ParamSpec, Self, TypeVar

from agent_memory_os.client import MemoryClient
from agent_memory_os.entities import Entity
from agent_memory_os.errors import ClientClosed, InvalidInput
from agent_memory_os.graph import Categories, Memories, MemoryGraph, Relations, Resources
from agent_memory_os.layers import PATIENCE_S, Layers
from agent_memory_os.model import JSON, Clock, OnRecall, OnWrite, Redact, TokenCounter, ToolFormat
from agent_memory_os.nouns import Admin, ClientLayers, ClientOffload, Organisation
from agent_memory_os.offload import Offload
from agent_memory_os.pipeline import EVERY_TURNS, IDLE_S, Pipeline
from agent_memory_os.providers.deadline import Stopwatch
from agent_memory_os.providers.protocol import Embed, EmbedQuery, Provider
from agent_memory_os.pure import bounds
from agent_memory_os.pure.organised import Writer
from agent_memory_os.pure.turns import Distiller
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Store
from agent_memory_os.view import AgentMemory

Thing = TypeVar("Thing")
Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")
CLOSED = "this client is closed; open another one"
WORKERS = 4  # threads of a client that names no number: reads go side by side, writes take turns


class Workers:
    """The threads in which the calls of one client run: at most so many, made when needed.

    They belong to no event loop, so that a client serves one after another, and to one process:
    after a fork the child makes its own.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._pools: dict[int, ThreadPoolExecutor] = {}  # by process
        self._closed = False

    async def run(self, call: Callable[[], Answer]) -> Answer:
        """Return what *call* returns, called in one of the threads.

        Whoever stops waiting takes back a call that has not begun; one that has is done whole.

        Raises:
            ClientClosed: after `close`.
        """
        if self._closed:
            raise ClientClosed(CLOSED)
        loop = asyncio.get_running_loop()
        within = partial(copy_context().run, call)  # what the caller's context holds, hooks see
        try:
            answer = loop.run_in_executor(self._pool(), within)
        except RuntimeError as error:  # another thread was faster, and closed the pool
            raise ClientClosed(CLOSED) from error
        return await answer

    def _pool(self) -> ThreadPoolExecutor:
        process = os.getpid()
        if process not in self._pools:  # of two threads that come first, setdefault takes one
            made = ThreadPoolExecutor(self._most, thread_name_prefix="agent-memory")
            self._pools.setdefault(process, made)
        return self._pools[process]

    def close(self) -> None:
        """Take no more calls, and return when those that were taken are done; idempotent."""
        self._closed = True
        pool = self._pools.get(os.getpid())
        if pool is not None:
            pool.shutdown()


class Threaded(Generic[Thing]):
    """Something whose verbs are called in other threads, and awaited here."""

    def __init__(self, sync: Thing, workers: Workers) -> None:
        self._sync = sync
        self._workers = workers

    def __repr__(self) -> str:
        return f"Async{self._sync!r}"


def awaited(
    verb: Callable[Concatenate[Thing, Arguments], Answer],
) -> Callable[Concatenate[Threaded[Thing], Arguments], Coroutine[Any, Any, Answer]]:
    """Return *verb* as a coroutine function with the same arguments, answer and errors."""

    @wraps(verb)
    async def call(
        self: Threaded[Thing], /, *args: Arguments.args, **kwargs: Arguments.kwargs
    ) -> Answer:
        return await self._workers.run(partial(verb, self._sync, *args, **kwargs))

    return call


class AsyncEntity(Threaded[Entity]):
    """What is known of one thing by the names of its attributes, for asyncio: awaited."""

    @property
    def name(self) -> str:
        """The name by which it was asked for."""
        return self._sync.name

    @property
    def subject(self) -> str | None:
        """What its values are about, if that was said or the view is bound to it."""
        return self._sync.subject

    get = awaited(Entity.get)
    keys = awaited(Entity.keys)
    attributes = awaited(Entity.attributes)
    history = awaited(Entity.history)
    set = awaited(Entity.set)
    delete = awaited(Entity.delete)


class AsyncPipeline(Threaded[Pipeline]):
    """Distils what was captured when it is time to, for asyncio: `Pipeline`, awaited.

    A run takes one of the client's threads; a worker has one of its own, as without asyncio.
    """

    run_pending = awaited(Pipeline.run_pending)
    status = awaited(Pipeline.status)
    stop = awaited(Pipeline.stop)

    def start(self) -> Self:
        """Let a thread run it from now on; see `Pipeline.start`. Not to be awaited."""
        self._sync.start()
        return self

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await asyncio.to_thread(self._sync.stop)


class AsyncLayers(Threaded[Layers]):
    """Sessions, events in their order, and evidence, for asyncio: ``view.layers``, awaited."""

    sessions = awaited(Layers.sessions)
    end_session = awaited(Layers.end_session)
    distil = awaited(Layers.distil)
    organise = awaited(Layers.organise)
    scenes = awaited(Layers.scenes)
    persona = awaited(Layers.persona)
    timeline = awaited(Layers.timeline)
    evidence = awaited(Layers.evidence)
    entities = awaited(Layers.entities)
    semantic = awaited(Layers.semantic)
    grouped = awaited(Layers.grouped)

    def pipeline(
        self,
        *,
        every_turns: int = EVERY_TURNS,
        idle_s: float = IDLE_S,
        on_session_end: bool = True,
        distiller: Distiller | None = None,
        writer: Writer | None = None,
        timeout_s: float = PATIENCE_S,
        organise: bool = True,
        worker: bool = False,
    ) -> AsyncPipeline:
        """Return what distils when it is time to; see `Layers.pipeline`. Not to be awaited."""
        made = self._sync.pipeline(
            every_turns=every_turns,
            idle_s=idle_s,
            on_session_end=on_session_end,
            distiller=distiller,
            writer=writer,
            timeout_s=timeout_s,
            organise=organise,
            worker=worker,
        )
        return AsyncPipeline(made, self._workers)

    def entity(self, name: str, *, subject: str | None = None) -> AsyncEntity:
        """Return what is known of one thing; see `Layers.entity`. Not to be awaited."""
        return AsyncEntity(self._sync.entity(name, subject=subject), self._workers)


class AsyncOffload(Threaded[Offload]):
    """What is too heavy for a prompt, put away, for asyncio: ``view.offload``, awaited."""

    put = awaited(Offload.put)
    reload = awaited(Offload.reload)
    task_graph = awaited(Offload.task_graph)
    fold = awaited(Offload.fold)
    snapshot_diff = awaited(Offload.snapshot_diff)


class AsyncAgentMemory(Threaded[AgentMemory]):
    """Memory as one agent sees it, for asyncio: `AgentMemory`, each of whose verbs is awaited.

    ``AsyncMemoryClient.as_agent`` makes it. Like the other it can act as nobody else, and is safe
    to hand on.
    """

    @property
    def agent_id(self) -> str:
        """The agent that this view acts as."""
        return self._sync.agent_id

    @property
    def subject(self) -> str | None:
        """The subject that this view is bound to, or None."""
        return self._sync.subject

    @property
    def layers(self) -> AsyncLayers:
        """Sessions, events in their order, and evidence, as the agent sees them."""
        return AsyncLayers(self._sync.layers, self._workers)

    @property
    def offload(self) -> AsyncOffload:
        """What is too heavy for a prompt, put away and had back by its handle."""
        return AsyncOffload(self._sync.offload, self._workers)

    add = awaited(AgentMemory.add)
    add_many = awaited(AgentMemory.add_many)
    capture = awaited(AgentMemory.capture)
    get = awaited(AgentMemory.get)
    get_many = awaited(AgentMemory.get_many)
    browse = awaited(AgentMemory.browse)
    search = awaited(AgentMemory.search)
    context_pack = awaited(AgentMemory.context_pack)
    orchestrate_context = awaited(AgentMemory.orchestrate_context)
    profile_context = awaited(AgentMemory.profile_context)
    explain = awaited(AgentMemory.explain)
    history = awaited(AgentMemory.history)
    update = awaited(AgentMemory.update)
    undo = awaited(AgentMemory.undo)
    reject = awaited(AgentMemory.reject)
    delete = awaited(AgentMemory.delete)
    forget = awaited(AgentMemory.forget)
    share = awaited(AgentMemory.share)
    revoke = awaited(AgentMemory.revoke)
    link = awaited(AgentMemory.link)
    unlink = awaited(AgentMemory.unlink)
    neighbors = awaited(AgentMemory.neighbors)
    record_recall = awaited(AgentMemory.record_recall)
    save_profile = awaited(AgentMemory.save_profile)
    profile = awaited(AgentMemory.profile)
    call_tool = awaited(AgentMemory.call_tool)

    def tools(
        self,
        format: ToolFormat = "openai",  # noqa: A002  # the word that callers know
        *,
        share: Sequence[str] = (),
    ) -> list[dict[str, JSON]]:
        """Return the tools that a model may call; see `AgentMemory.tools`. Not to be awaited."""
        return self._sync.tools(format, share=share)


class AsyncOrganisation(Threaded[Organisation]):
    """Who there is, and who belongs where, for asyncio: ``client.org``, awaited."""

    register_agent = awaited(Organisation.register_agent)
    create_team = awaited(Organisation.create_team)
    add_team_member = awaited(Organisation.add_team_member)
    remove_team_member = awaited(Organisation.remove_team_member)
    delete_team = awaited(Organisation.delete_team)
    create_project = awaited(Organisation.create_project)
    add_project_member = awaited(Organisation.add_project_member)
    remove_project_member = awaited(Organisation.remove_project_member)
    delete_project = awaited(Organisation.delete_project)
    agents = awaited(Organisation.agents)
    teams = awaited(Organisation.teams)
    projects = awaited(Organisation.projects)
    memberships = awaited(Organisation.memberships)
    audit = awaited(Organisation.audit)


class AsyncAdmin(Threaded[Admin]):
    """Maintenance, and reads without a gate, for asyncio: ``client.admin``, awaited."""

    check = awaited(Admin.check)
    capabilities = awaited(Admin.capabilities)
    stats = awaited(Admin.stats)
    forget_subject = awaited(Admin.forget_subject)
    forget_owner = awaited(Admin.forget_owner)
    purge = awaited(Admin.purge)
    repair = awaited(Admin.repair)
    backup = awaited(Admin.backup)
    restore_backup = awaited(Admin.restore_backup)
    rebuild_indexes = awaited(Admin.rebuild_indexes)
    reembed = awaited(Admin.reembed)
    retention = awaited(Admin.retention)
    archive = awaited(Admin.archive)
    unarchive = awaited(Admin.unarchive)
    archived = awaited(Admin.archived)


class AsyncClientLayers(Threaded[ClientLayers]):
    """Sessions, events in their order, and evidence, for asyncio: ``client.layers``, awaited."""

    sessions = awaited(ClientLayers.sessions)
    end_session = awaited(ClientLayers.end_session)
    distil = awaited(ClientLayers.distil)
    organise = awaited(ClientLayers.organise)
    scenes = awaited(ClientLayers.scenes)
    persona = awaited(ClientLayers.persona)
    timeline = awaited(ClientLayers.timeline)
    evidence = awaited(ClientLayers.evidence)
    entities = awaited(ClientLayers.entities)
    semantic = awaited(ClientLayers.semantic)
    grouped = awaited(ClientLayers.grouped)

    def pipeline(
        self,
        *,
        owner: str | None = None,
        every_turns: int = EVERY_TURNS,
        idle_s: float = IDLE_S,
        on_session_end: bool = True,
        distiller: Distiller | None = None,
        writer: Writer | None = None,
        timeout_s: float = PATIENCE_S,
        organise: bool = True,
        worker: bool = False,
    ) -> AsyncPipeline:
        """Return what distils the events of *owner* when it is time to; not to be awaited."""
        made = self._sync.pipeline(
            owner=owner,
            every_turns=every_turns,
            idle_s=idle_s,
            on_session_end=on_session_end,
            distiller=distiller,
            writer=writer,
            timeout_s=timeout_s,
            organise=organise,
            worker=worker,
        )
        return AsyncPipeline(made, self._workers)

    def entity(
        self, name: str, *, requester_agent_id: str | None = None, subject: str | None = None
    ) -> AsyncEntity:
        """Return what an agent knows of one thing; see `Layers.entity`. Not to be awaited."""
        found = self._sync.entity(name, requester_agent_id=requester_agent_id, subject=subject)
        return AsyncEntity(found, self._workers)


class AsyncClientOffload(Threaded[ClientOffload]):
    """What is too heavy for a prompt, put away, for asyncio: ``client.offload``, awaited."""

    put = awaited(ClientOffload.put)
    reload = awaited(ClientOffload.reload)
    task_graph = awaited(ClientOffload.task_graph)
    fold = awaited(ClientOffload.fold)
    snapshot_diff = awaited(ClientOffload.snapshot_diff)


class AsyncMemoryClient(Threaded[MemoryClient]):
    """A memory for a team of agents, for asyncio: `MemoryClient`, each of whose verbs is awaited.

    The verbs take the same arguments, return the same values and raise the same errors. They run
    in threads of the client's own, a few at a time, so that the event loop is never held up. It
    may be used in one event loop after another, from any thread, and after a fork.

    Whoever stops waiting for a write, by a time-out for example, has it written whole or not at
    all, and holds no lock; repeat it with the same ``idempotency_key``.

    >>> async def main():
    ...     async with AsyncMemoryClient(":memory:") as m:
    ...         receipt = await m.add("Alice prefers dark mode", subject="user:alice")
    ...         return [hit.content for hit in await m.search("which mode?")]
    >>> asyncio.run(main())
    ['Alice prefers dark mode']

    Args:
        workers: most threads, 1 or more; they begin with the first calls, and end with `aclose`.

    The other arguments, and what is raised when the file cannot be opened, are those of
    `MemoryClient`. It is opened here and now, which may wait for a writer only when the file is
    new, or of an older version.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        workers: int = WORKERS,
        home: str | os.PathLike[str] | None = None,
        agent_id: str | None = None,
        clock: Clock | None = None,
        settings: Settings | None = None,
        count_tokens: TokenCounter | None = None,
        entropy: Callable[[int], int] | None = None,
        providers: Iterable[str | Provider] | None = None,
        stopwatch: Stopwatch | None = None,
        embed: Embed | None = None,
        embed_query: EmbedQuery | None = None,
        semantic: Literal["auto"] | None = None,
        on_write: OnWrite | None = None,
        on_recall: OnRecall | None = None,
        redact: Redact | None = None,
        judge: Callable[[Any, Sequence[Any]], object] | None = None,
        store: Store | None = None,
    ) -> None:
        most = bounds.whole(workers, "workers", least=1)
        client = MemoryClient(
            path,
            home=home,
            agent_id=agent_id,
            clock=clock,
            settings=settings,
            count_tokens=count_tokens,
            entropy=entropy,
            providers=providers,
            stopwatch=stopwatch,
            embed=embed,
            embed_query=embed_query,
            semantic=semantic,
            on_write=on_write,
            on_recall=on_recall,
            redact=redact,
            judge=judge,
            store=store,
        )
        super().__init__(client, Workers(most))
        self.org = AsyncOrganisation(client.org, self._workers)
        self.admin = AsyncAdmin(client.admin, self._workers)
        self.layers = AsyncClientLayers(client.layers, self._workers)
        self.offload = AsyncClientOffload(client.offload, self._workers)

    @property
    def agent_id(self) -> str:
        """The agent that calls act as when they name none."""
        return self._sync.agent_id

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Let the calls that were made end, then let go of the file; idempotent.

        Any other call afterwards raises ClientClosed.
        """
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        self._workers.close()
        self._sync.close()

    def as_agent(
        self, agent_id: str, *, subject: str | None = None, shared: bool = False
    ) -> AsyncAgentMemory:
        """Return memory as *agent_id* has it; see `MemoryClient.as_agent`. Not to be awaited."""
        view = self._sync.as_agent(agent_id, subject=subject, shared=shared)
        return AsyncAgentMemory(view, self._workers)

    add = awaited(MemoryClient.add)
    add_many = awaited(MemoryClient.add_many)
    capture = awaited(MemoryClient.capture)
    get = awaited(MemoryClient.get)
    get_many = awaited(MemoryClient.get_many)
    browse = awaited(MemoryClient.browse)
    search = awaited(MemoryClient.search)
    context_pack = awaited(MemoryClient.context_pack)
    context_pack_report = awaited(MemoryClient.context_pack_report)
    orchestrate_context = awaited(MemoryClient.orchestrate_context)
    profile_context = awaited(MemoryClient.profile_context)
    explain = awaited(MemoryClient.explain)
    history = awaited(MemoryClient.history)
    update = awaited(MemoryClient.update)
    undo = awaited(MemoryClient.undo)
    reject = awaited(MemoryClient.reject)
    delete = awaited(MemoryClient.delete)
    forget = awaited(MemoryClient.forget)
    share = awaited(MemoryClient.share)
    revoke = awaited(MemoryClient.revoke)
    link = awaited(MemoryClient.link)
    unlink = awaited(MemoryClient.unlink)
    neighbors = awaited(MemoryClient.neighbors)
    record_recall = awaited(MemoryClient.record_recall)
    save_profile = awaited(MemoryClient.save_profile)
    profile = awaited(MemoryClient.profile)
    consolidate = awaited(MemoryClient.consolidate)
    capabilities = awaited(MemoryClient.capabilities)
    rebuild_indexes = awaited(MemoryClient.rebuild_indexes)


class AsyncResources(Threaded[Resources]):
    """Whom and what memories are about, for asyncio: ``graph.resources``, awaited."""

    create = awaited(Resources.create)
    get = awaited(Resources.get)
    search = awaited(Resources.search)
    neighbors = awaited(Resources.neighbors)
    update = awaited(Resources.update)


class AsyncMemories(Threaded[Memories]):
    """What is remembered of resources, for asyncio: ``graph.memories``, awaited."""

    create = awaited(Memories.create)
    get = awaited(Memories.get)
    search = awaited(Memories.search)
    neighbors = awaited(Memories.neighbors)
    update = awaited(Memories.update)
    delete = awaited(Memories.delete)


class AsyncCategories(Threaded[Categories]):
    """The kinds of memories, for asyncio: ``graph.categories``, awaited."""

    create = awaited(Categories.create)
    get = awaited(Categories.get)
    search = awaited(Categories.search)
    neighbors = awaited(Categories.neighbors)
    update = awaited(Categories.update)
    delete = awaited(Categories.delete)


class AsyncRelations(Threaded[Relations]):
    """How memories go with each other, for asyncio: ``graph.relations``, awaited."""

    create = awaited(Relations.create)
    search = awaited(Relations.search)
    neighbors = awaited(Relations.neighbors)
    update = awaited(Relations.update)
    delete = awaited(Relations.delete)


class AsyncMemoryGraph:
    """Memory as a typed graph, for asyncio: `MemoryGraph`, each of whose verbs is awaited.

    Args:
        memory: an `AsyncMemoryClient`, for its own agent, or what its `as_agent` made.
        distiller: makes statements of messages, as for `MemoryGraph`.
    """

    def __init__(
        self, memory: AsyncMemoryClient | AsyncAgentMemory, *, distiller: Distiller | None = None
    ) -> None:
        if not isinstance(memory, AsyncMemoryClient | AsyncAgentMemory):
            raise InvalidInput(f"memory must be an AsyncMemoryClient or a view, not {memory!r}")
        graph, workers = MemoryGraph(memory._sync, distiller=distiller), memory._workers
        self.resources = AsyncResources(graph.resources, workers)
        self.memories = AsyncMemories(graph.memories, workers)
        self.categories = AsyncCategories(graph.categories, workers)
        self.relations = AsyncRelations(graph.relations, workers)
