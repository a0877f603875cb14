"""Word repair: a query whose misspelt words stand as what they were most likely meant for."""

# query = repair(snapshot, query, visibility, filters)
#
# It may be called with any query, in the snapshot that is searched, before candidates are drawn:
# words that a visible memory holds stay as they are, and a query without others comes back as the
# same object. Otherwise the answer is a `Query` of the same text whose terms have changed.

from agent_memory_os.model import NO_FILTERS, Filters, Visibility
from agent_memory_os.pure import alike
from agent_memory_os.pure.text import Query
from agent_memory_os.store.contract import Snapshot


def repair(
    snapshot: Snapshot, query: Query, visibility: Visibility, filters: Filters = NO_FILTERS
) -> Query:
    """Return *query* with each word that no visible memory holds replaced by the most alike.

    A typing error, an ending or a compound is so bridged, in any script that puts spaces between
    words. Numbers, identifiers and words of less than four letters are never replaced, and what the
    reader cannot see has no say.
    """
    spelt = alike.spellings(query.text)
    asked = {
        term.text: spelt[term.text]
        for term in query.terms
        if term.text in spelt and alike.is_repairable(spelt[term.text])
    }
    if not asked:
        return query
    found = snapshot.alike(asked, visibility, filters)
    return alike.repaired(query, found) if any(found.values()) else query
