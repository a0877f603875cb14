"""Linking: one agent says of two memories that it sees that they belong together."""

from dataclasses import replace

from agent_memory_os.errors import InvalidInput, NotFound, NotPermitted
from agent_memory_os.model import Link, Memory, Visibility
from agent_memory_os.pure.layer import is_document
from agent_memory_os.remember.change import find
from agent_memory_os.store.contract import Store, Transaction

DERIVED_FROM = "derived_from"  # by the owner of the source it follows what becomes of the target
SUPERSEDES = "supersedes"  # by the owner of the target it takes the target out of recall


def link(
    store: Store,
    source_id: str,
    target_id: str,
    visibility: Visibility,
    *,
    relation: str,
    weight: float,
) -> Link:
    """Link two memories; the link that the agent has made so already gets the *weight*.

    Raises:
        NotFound: one of them is absent or not visible.
        NotPermitted: the view is bound to a subject that neither is about.
    """
    with store.write() as tx:
        _, target = _find_ends(tx, source_id, target_id, visibility)
        if relation == SUPERSEDES and target.owner == visibility.agent:
            tx.supersede(source_id, target_id, by=visibility.agent)
        return tx.link(source_id, target_id, relation=relation, weight=weight, by=visibility.agent)


def unlink(
    store: Store, source_id: str, target_id: str, visibility: Visibility, *, relation: str | None
) -> int:
    """Unlink what the agent linked, of one relation or of all; return how many links that was.

    What a link took the place of, which nobody sees who sees the other end, is back with it.

    Raises:
        NotFound: a memory is absent or not visible, or there is no such link.
        NotPermitted: others linked them, and the agent did not; or the view is bound to a subject
            that neither is about.
        InvalidInput: a scene or a persona was made of the other, and loses its lines by that.
    """
    with store.write() as tx:
        wide = replace(visibility, states=("active", "superseded"))
        source, target = _find_ends(tx, source_id, target_id, wide)
        links = [
            each
            for each in tx.links(source_id, target_id)
            if relation is None or each.relation == relation
        ]
        so = "" if relation is None else f" of relation {relation!r}"
        if not links:
            raise NotFound(f"there is no link{so} from {source_id!r} to {target_id!r}")
        if all(each.owner != visibility.agent for each in links):
            raise NotPermitted(
                f"agent {visibility.agent!r} may not unlink {source_id!r} and {target_id!r}:"
                " only who linked them may"
            )
        if is_document(source) and any(_is_ground(each, source) for each in links):
            raise InvalidInput(
                f"memory {source_id!r} was made of {target_id!r}, and loses what it says of that"
                " with it: take the lines out by update(), and they do not come back"
            )
        count = tx.unlink(source_id, target_id, relation=relation, by=visibility.agent)
        if target.owner == visibility.agent and SUPERSEDES in {each.relation for each in links}:
            tx.reinstate(source_id, target_id, by=visibility.agent)
        return count


def _is_ground(each: Link, source: Memory) -> bool:
    return each.relation == DERIVED_FROM and each.owner == source.owner


def _find_ends(
    tx: Transaction, source_id: str, target_id: str, visibility: Visibility
) -> list[Memory]:
    ends = [find(tx, memory_id, visibility) for memory_id in (source_id, target_id)]
    bound = visibility.subject
    if bound is not None and all(end.subject != bound for end in ends):
        raise NotPermitted(f"this view is bound to {bound!r}: one end of a link must be about it")
    return ends
