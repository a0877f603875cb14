"""Asking a graph: the memories of one resource that answer, and no others."""

from collections.abc import Mapping

from agent_memory_os.graph.kinds import known
from agent_memory_os.graph.ways import Ways
from agent_memory_os.model import JSON
from agent_memory_os.pure import bounds
from agent_memory_os.pure.nodes import CATEGORY, RESOURCE, Category, Item, Items, Resource
from agent_memory_os.pure.ways import equal

TOP_K = 10
_ATOMS = (1,)
_IS_ITEM: dict[str, object] = {"type": {"$nin": [RESOURCE, CATEGORY]}}


def asked(
    ways: Ways,
    resource_id: Resource | str,
    *,
    query: str | None = None,
    top_k: int = TOP_K,
    category: Category | str | None = None,
    min_score: float = 0.0,
    metadata: Mapping[str, JSON] | None = None,
) -> Items:
    """Return the items of a resource that answer *query*; see `Memories.search`."""
    view = ways.about(resource_id)
    most = bounds.whole(top_k, "top_k", most=view._ground().settings.max_limit)
    types = None if category is None else [known(ways, category, view)]
    hits = view.search(
        query,
        limit=most,
        min_score=min_score,
        types=types,
        layers=_ATOMS,
        where={"$and": [_IS_ITEM, *equal(metadata)]},
    )
    return Items([Item(hit.memory, hit.score) for hit in hits], hits.report)


def hanging(found: Items, relation: str) -> Items:
    """Return items as what hangs on a resource or a category by *relation*."""
    return Items([Item(each.memory, each.score, 1, (relation,)) for each in found], found.report)
