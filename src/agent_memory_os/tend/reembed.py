"""Reembedding: vectors for memories that have none of the model in use."""

from collections.abc import Sequence

from agent_memory_os.model import Reembedded
from agent_memory_os.providers.protocol import Made, VectorMaker
from agent_memory_os.store.contract import Store, Unembedded

_BATCH = 64  # texts that the embedding function is given at once


def reembed(store: Store, vectors: VectorMaker, *, limit: int, now_ms: int) -> Reembedded:
    """Make vectors for at most *limit* memories, in batches; each batch is kept by itself.

    The embedding function is called outside of transactions, and what it makes is kept only while
    the memory still says what it was made of. A memory whose vector fails is passed over; when all
    of a batch fail, it ends.
    """
    model = _model(store, vectors, now_ms)
    done = failed = 0
    after, why = None, model.problem
    while not why and done < limit:
        with store.read() as snapshot:
            most = min(_BATCH, limit - done)
            batch = snapshot.unembedded(model.model, now_ms=now_ms, after=after, most=most)
        if not batch:
            break
        made = _made(vectors, batch)
        if all(each.vector is None for each in made):
            why = made[0].problem
        failed += sum(each.vector is None for each in made)
        done += _keep(store, batch, made)
        after = batch[-1].id
    with store.read() as snapshot:
        _, remaining = snapshot.embedded(model.model, now_ms=now_ms)
    return Reembedded(done, failed, remaining, f"the embedding function {why}" if why else "")


def _model(store: Store, vectors: VectorMaker, now_ms: int) -> Made:
    """Return the model of *vectors*, which is known by what it makes of some content."""
    with store.read() as snapshot:
        some = snapshot.unembedded("", now_ms=now_ms, after=None, most=1)
    return vectors.make([some[0].content])[0] if some else Made(None)


def _made(vectors: VectorMaker, batch: Sequence[Unembedded]) -> Sequence[Made]:
    """Return what becomes of a batch, text by text when all fail together: one may be to blame."""
    made = vectors.make([each.content for each in batch])
    if all(each.vector is None for each in made) and len(batch) > 1:
        first = vectors.make([batch[0].content])
        if first[0].vector is None and vectors.make([batch[-1].content])[0].vector is None:
            return made  # it is not one text: it does not work
        made = [vectors.make([each.content])[0] for each in batch]
    return made


def _keep(store: Store, batch: Sequence[Unembedded], made: Sequence[Made]) -> int:
    """Keep what was *made*, and return how many vectors that were."""
    with store.write() as tx:
        return sum(
            tx.put_vector(each.id, each.content, model=it.model, vector=it.vector)
            for each, it in zip(batch, made, strict=True)
            if it.vector is not None
        )
