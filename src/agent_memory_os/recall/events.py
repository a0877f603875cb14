"""Events in their order, and the sessions that they belong to."""

from agent_memory_os.errors import NotFound
from agent_memory_os.model import Filters, Memory, Session, Visibility
from agent_memory_os.store.contract import Store


def sessions(
    store: Store, visibility: Visibility, *, subject: str | None, limit: int
) -> list[Session]:
    """Return the sessions that the reader sees an event of, the last written to first."""
    with store.read() as snapshot:
        return [*snapshot.sessions(visibility, session=None, subject=subject, limit=limit)]


def timeline(
    store: Store,
    visibility: Visibility,
    filters: Filters,
    *,
    session: str | None,
    around: str | int | None,
    limit: int,
) -> list[Memory]:
    """Return events in their order: the last ones, or those around a memory or a moment.

    Raises:
        NotFound: the memory that they shall be *around* is absent or not visible.
    """
    with store.read() as snapshot:
        if isinstance(around, str):
            anchor = snapshot.read([around], visibility)
            if not anchor:
                raise NotFound(f"there is no memory {around!r}")
            session = session or anchor[0].session
        return snapshot.events(visibility, filters, session=session, around=around, limit=limit)
