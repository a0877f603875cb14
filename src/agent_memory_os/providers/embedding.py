"""Embeddings: what asks a host's function for vectors, and what keeps them at hand."""

import os
from collections.abc import Callable, Coroutine, Sequence
from importlib import import_module
from threading import Lock, Thread
from typing import Any

from agent_memory_os.providers.deadline import Deadline
from agent_memory_os.providers.engines import Matrix, Signs
from agent_memory_os.providers.protocol import Embed, EmbedQuery, Made
from agent_memory_os.pure import embedding, hashed
from agent_memory_os.pure.text import Query
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Asked, Store, VectorCache, VectorEngine

MEGABYTE = 1 << 20
NO_TURBOVEC = (
    "vector: turbovec is not installed, and the library answers without it:"
    " pip install 'agent-memory-os[semantic]'"
)
IS_ASYNC = "is async, and nobody awaits it here"
_MOST_KIND_CHARS = 60


class Embedder:
    """A host's embedding function; it is called outside of transactions, and trusted in nothing.

    Args:
        embed: makes vectors of texts. Its ``fingerprint`` names the model, if it has one; else it
            is named by where it is defined, and whether it is the same as before is tried out.
        embed_query: makes the vector of a query; *embed* when None.
    """

    def __init__(self, embed: Embed, embed_query: EmbedQuery | None = None) -> None:
        self._embed = embed
        self._embed_query = embed_query
        named = getattr(embed, "fingerprint", None)
        self._is_named = named is not None
        self.name = str(named) if self._is_named else embedding.name_of(embed)
        self._size: int | None = None  # of its vectors, once it has made one
        self._model: str | None = None  # its fingerprint, once it is sure

    def embed(self, texts: Sequence[str]) -> list[Made]:
        """Return what becomes of each of *texts*, all of which the function is given at once."""
        try:
            answer = self._embed(list(texts))
            if isinstance(answer, Coroutine):
                answer.close()
                return [Made(None, problem=IS_ASYNC)] * len(texts)
            rows = list(answer)
        except Exception as error:  # it is the host's: whatever it raises, nothing is lost by it
            return [Made(None, problem=f"raised {_kind(error)}")] * len(texts)
        if len(rows) != len(texts):
            problem = f"returned {len(rows)} vectors for {len(texts)} texts"
            return [Made(None, problem=problem)] * len(texts)
        return [self._sized(_packed(row)) for row in rows]

    def ask(self, query: str, store: Store) -> Made:
        """Return what becomes of a query, with the model by which it is known in *store*."""
        made = self._asked(query)
        if made.vector is None:
            return made
        return made._replace(model=self.model(store, made.vector))

    def _asked(self, query: str) -> Made:
        if self._embed_query is None:
            return self.embed([query])[0]
        try:
            row = self._embed_query(query)
        except Exception as error:
            return Made(None, problem=f"raised {_kind(error)}")
        return self._sized(_packed(row), is_first=False)

    def model(self, store: Store, vector: bytes) -> str:
        """Return the fingerprint under which *vector*, which the function made, is kept.

        A function that does not name its model is given the content of a memory whose vector is in
        the store: when it makes another vector of it, it is another model.
        """
        size = embedding.lanes(vector)
        if self._is_named:
            return embedding.fingerprint(self.name, size)
        if self._model is not None:
            return self._model
        model, is_sure = self._tried(store, size)
        self._model = model if is_sure else None
        return model

    @property
    def fingerprint(self) -> str:
        """The fingerprint of its model, or its name as long as it has made no vector."""
        if self._model is not None or self._size is None:
            return self._model or self.name
        return embedding.fingerprint(self.name, self._size)

    def _tried(self, store: Store, size: int) -> tuple[str, bool]:
        """Return the fingerprint of the model, and whether that is sure."""
        with store.read() as snapshot:
            witnesses = snapshot.witnesses(self.name, size)
        free = embedding.fingerprint(self.name, size, len(witnesses) + 1)
        for witness in witnesses:
            if witness.content is None or witness.vector is None:
                free = witness.model  # no vector is of it any more
                continue
            made = self.embed([witness.content])[0]
            if made.vector is None:
                return witness.model, False  # taken at its word
            if embedding.is_same(made.vector, witness.vector):
                return witness.model, True
        return free, True

    def _sized(self, made: Made, *, is_first: bool = True) -> Made:
        """Return *made* if it has as many numbers as all before it."""
        if made.vector is None:
            return made
        size = embedding.lanes(made.vector)
        if self._size is None and is_first:
            self._size = size
        if self._size not in (None, size):
            problem = f"returned {size} numbers where it returned {self._size} before"
            return Made(None, problem=problem)
        return made


class Vectors:
    """What one client has to do with vectors: who makes them, and where they are looked up.

    Args:
        store: where they are kept.
        settings: the numbers that begin with ``vector_``.
        embed: the host's function; without one the library's own hashed pieces are the model.
        embed_query: the host's function for queries.
        is_auto: whether turbovec is wanted.
        load: imports a module; `importlib.import_module` by default.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        embed: Embed | None = None,
        embed_query: EmbedQuery | None = None,
        *,
        is_auto: bool,
        load: Callable[[str], Any] = import_module,
    ) -> None:
        self.embedder = None if embed is None else Embedder(embed, embed_query)
        self._store = store
        self._settings = settings
        self._is_auto = is_auto
        self._load = load
        self._caches: dict[str, VectorCache | None] = {}  # one: that of the model in use
        self._late: Thread | None = None  # one that was cut, and may not have come back
        self._pid = os.getpid()
        self._degraded: tuple[str, ...] = ()

    @property
    def stores(self) -> bool:
        """Whether memories get vectors that are kept: those of the host's function."""
        return self.embedder is not None

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the model, or its name as long as no vector was made."""
        return hashed.FINGERPRINT if self.embedder is None else self.embedder.fingerprint

    def lacks(self) -> tuple[str, ...]:
        """Return what was asked for and is not installed, in sentences."""
        is_there = self._module("numpy") is not None and self._module("turbovec") is not None
        return (NO_TURBOVEC,) if self._is_auto and not is_there else ()

    def make(self, contents: Sequence[str]) -> list[Made]:
        """Return what becomes of each of some contents, asked for all at once."""
        if self.embedder is None or not contents:
            return []
        every = self.embedder.embed(contents)
        vector = next((made.vector for made in every if made.vector is not None), None)
        model = "" if vector is None else self.embedder.model(self._store, vector)
        return [made._replace(model=model) for made in every]

    def ask(
        self, query: Query, now_ms: int, deadline: Deadline | None = None
    ) -> tuple[Asked | None, tuple[str, ...]]:
        """Return *query* as a vector, and what is not as it should be; None when there is none.

        With a *deadline* the host's function works in a thread, and is cut when the time is over.
        """
        if self.embedder is None:
            signature = hashed.signature(term.text for term in query.terms)
            made = Made(signature.to_bytes(), hashed.FINGERPRINT)
        else:
            made = self._in_time(self.embedder, query.text, deadline)
        if made.vector is None:
            return None, (f"vector: the embedding function {made.problem}",)
        cache = self._cache(made.model, embedding.lanes(made.vector), now_ms)
        return Asked(made.model, made.vector, cache), self._degraded

    def _in_time(self, embedder: Embedder, query: str, deadline: Deadline | None) -> Made:
        if deadline is None:
            return embedder.ask(query, self._store)
        if self._late is not None and self._late.is_alive():
            return Made(None, problem="is still busy with an earlier call")
        answers: list[Made] = []
        thread = Thread(
            target=lambda: answers.append(embedder.ask(query, self._store)), daemon=True
        )
        thread.start()
        thread.join(deadline.left_ms() / 1_000)
        if answers:
            return answers[0]
        self._late = thread
        return Made(None, problem=f"was cut after {deadline.spent_ms()} ms")

    def _cache(self, model: str, size: int, now_ms: int) -> VectorCache | None:
        if self._pid != os.getpid():  # its lock may be held by a thread that is not here
            self._caches, self._pid = {}, os.getpid()
        if model not in self._caches:
            engine = self._engine(model, size, now_ms)
            cache = None if engine is None else VectorCache(engine, Lock())
            self._caches = {model: cache}
        return self._caches[model]

    def _engine(self, model: str, size: int, now_ms: int) -> VectorEngine | None:
        """Return the best engine there is; None where vectors are made for each search."""
        numpy = self._module("numpy")
        pieces = self.embedder is None
        if self._is_auto:
            turbovec = None if numpy is None else self._module("turbovec")
            if turbovec is not None:
                from agent_memory_os.providers.turbovec import Turbovec

                return Turbovec(turbovec, numpy, pieces=pieces)
            self._degraded = (NO_TURBOVEC,)
        if pieces:
            return None
        if numpy is None or self._is_too_large(model, size, now_ms):
            return Signs()
        return Matrix(numpy)

    def _module(self, name: str) -> Any:
        try:
            return self._load(name)
        except ImportError:
            return None

    def _is_too_large(self, model: str, size: int, now_ms: int) -> bool:
        with self._store.read() as snapshot:
            count, _ = snapshot.embedded(model, now_ms=now_ms)
        room = self._settings.vector_cache_mb * MEGABYTE
        return count * size * embedding.FLOAT_BYTES > room


def _packed(row: object) -> Made:
    try:
        return Made(embedding.pack(row))
    except ValueError as error:
        return Made(None, problem=str(error))


def _kind(error: Exception) -> str:
    """Return the name of the class of *error*, if it can be nothing but a name."""
    name = type(error).__name__
    return name if name.isidentifier() and len(name) <= _MOST_KIND_CHARS else "an error"
