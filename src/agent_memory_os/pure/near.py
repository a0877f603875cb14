"""What somebody may have meant who named something that is not there."""

from collections.abc import Iterable

MOST = 1_000  # names that are compared


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the one of *known* that *name* is most like, whatever its case; None when none is.

    A name ``kind:name`` is also known by what follows the kind.

    >>> nearest("prot", ["port", "owner"])
    'port'
    >>> nearest("DB1", ["server:db1"])
    'server:db1'
    """
    import difflib  # only somebody who mistyped needs it

    spelt: dict[str, str] = {}
    for each in list(known)[:MOST]:
        for form in (each, each.partition(":")[2]):
            spelt.setdefault(form.casefold(), each)
    spelt.pop("", None)
    found = difflib.get_close_matches(name.casefold(), spelt, n=1)
    return spelt[found[0]] if found else None


def hint(name: str, known: Iterable[str]) -> str:
    """Return the end of an error about *name*: which of *known* may have been meant, if any."""
    found = nearest(name, known)
    return "" if found is None else f"; did you mean {found!r}?"
