"""Scenes and personas as a reader has them: without what the reader does not see by now."""

from collections.abc import Sequence

from agent_memory_os.model import NO_FILTERS, Candidate, Filters, Memory, Visibility
from agent_memory_os.pure import document, revision
from agent_memory_os.pure.layer import PERSONA, SCENE
from agent_memory_os.pure.organised import Document
from agent_memory_os.pure.stored import analysed, needle
from agent_memory_os.pure.text import Query
from agent_memory_os.store.contract import Snapshot, Store

ARM = "documents"  # what proposes them, in the report of a search that asks for their layers
MOST_SEARCHED = 500  # the last made ones of each layer
_MOST_PERSONAS = 20  # among which those of the reader come first


def scenes(
    store: Store, visibility: Visibility, *, subject: str | None, limit: int
) -> list[Document]:
    """Return the scenes that the reader sees, about *subject* or about anything, the last first."""
    with store.read() as snapshot:
        found = snapshot.organised(
            visibility, layer=SCENE, subject=subject, apart=subject is not None, most=limit
        )
        return [as_document(each) for each in as_seen(snapshot, found, visibility)]


def persona(store: Store, visibility: Visibility, *, subject: str | None) -> Document | None:
    """Return the persona of *subject*, the reader's own before those of others, if there is one."""
    with store.read() as snapshot:
        about = subject if visibility.subject is None else visibility.subject
        found = personas(snapshot, visibility, NO_FILTERS, subject=about)
    return as_document(found[0]) if found else None


def personas(
    snapshot: Snapshot, visibility: Visibility, filters: Filters, *, subject: str | None
) -> list[Memory]:
    """Return the personas of *subject* that pass the filters, as the reader sees them.

    The reader's own first, of these that which the fewest see; None is what is about nobody.
    """
    found = snapshot.organised(
        visibility, layer=PERSONA, subject=subject, apart=True, most=_MOST_PERSONAS
    )
    if found and filters is not NO_FILTERS:
        passing = snapshot.passing([each.id for each in found], visibility, filters)
        found = [each for each in found if each.id in passing]
    ranked = sorted(
        found,
        key=lambda each: (each.owner != visibility.agent, len(each.visibility), each.id),
    )
    return as_seen(snapshot, ranked, visibility)


def as_seen(snapshot: Snapshot, found: Sequence[Memory], visibility: Visibility) -> list[Memory]:
    """Return documents without what they say of memories that the reader does not see now."""
    ids = {each: None for memory in found for each in cited(memory)}
    seen = snapshot.passing([*ids], visibility, NO_FILTERS) if ids else set()
    told = []
    for memory in found:
        hidden = [each for each in cited(memory) if each not in seen]
        if hidden and len(hidden) == len(cited(memory)):
            continue
        told.append(_hiding(memory, hidden) if hidden else memory)
    return told


def _hiding(memory: Memory, hidden: Sequence[str]) -> Memory:
    from agent_memory_os.pure.themes import titled  # its words are many

    return revision.hiding(memory, hidden, titled(memory))


def as_document(memory: Memory) -> Document:
    """Return a scene or a persona as it is told."""
    return Document(
        memory.id,
        memory.layer,
        document.title(memory.content),
        memory.content,
        tuple(document.sources(memory.content, memory.metadata)),
        memory.owner,
        memory.subject,
        memory.visibility,
        memory.updated_ms,
    )


def proposed(
    snapshot: Snapshot, query: Query, visibility: Visibility, filters: Filters
) -> list[Candidate]:
    """Return the documents that hold words of *query*, each by what share of them it holds.

    Only where the filters ask for their layers: what they say is found by their sources.
    """
    asked = [term for term in query.terms if not term.of]
    if not asked:
        return []
    found: list[Candidate] = []
    for layer in {SCENE, PERSONA} & {*filters.layers}:
        held = snapshot.organised(
            visibility,
            layer=layer,
            subject=filters.subject,
            apart=filters.subject is not None,
            most=MOST_SEARCHED,
        )
        for memory in held:
            terms = f" {analysed(memory.content, memory.actor, memory.tags)} "
            count = sum(needle(term) in terms for term in asked)
            if count:
                found.append(Candidate(memory.id, count / len(asked)))
    return found


def cited(memory: Memory) -> list[str]:
    """Return the ids of what a document was made of."""
    return [*document.members(memory.content, memory.metadata)]
