"""Profiles: what holds of a subject whatever is asked, for the head of a prompt."""

from agent_memory_os.model import Pack, SearchReport
from agent_memory_os.pure.layer import PERSONA
from agent_memory_os.recall import orchestrate, pack
from agent_memory_os.recall.beside import beside
from agent_memory_os.recall.fill import NO_QUERY, Offer, Packing, fill, pack_id, unscored
from agent_memory_os.recall.pipeline import Request
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Store


def profile_context(store: Store, request: Request, settings: Settings, packing: Packing) -> Pack:
    """Return a pack of a stable part alone: personas first, then what stands besides.

    Args:
        store: where it is read, in one snapshot.
        request: who asks, and about whom; what is about nobody in particular when it names none.
        settings: the limits.
        packing: the budget, the counter and the format.

    Raises:
        InvalidInput: the counter raised, or returned something else than a number of tokens.
    """
    with store.read() as snapshot:
        standing = orchestrate.standing(snapshot, request, settings)
        known = beside(snapshot, request, standing)
    about = request.filters.subject
    if about is None and request.visibility.subject is None:
        standing = [memory for memory in standing if memory.subject is None]
    held = sorted(standing, key=lambda memory: memory.layer != PERSONA)  # in their order besides
    offer = Offer(
        "core", pack.ALWAYS, "stands", unscored(held), is_stable=True, told=pack.told_of(held)
    )
    name = pack_id(held, NO_QUERY, known)
    return fill(name, [offer], NO_QUERY, packing, settings, search=SearchReport(), beside=known)
