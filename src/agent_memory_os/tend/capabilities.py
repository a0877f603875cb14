"""What a client can do where it stands, and what it lacks."""

from collections.abc import Callable, Sequence

from agent_memory_os.model import Capabilities
from agent_memory_os.pure.text import ANALYSER_VERSION
from agent_memory_os.store.contract import Store, StoreTraits
from agent_memory_os.version import VERSION

EXTRAS = {"numpy": "semantic", "turbovec": "semantic"}  # optional package -> the extra that adds it

Versions = Callable[[str], str | None]


def installed(package: str) -> str | None:
    """Return the version of a *package* that can be imported, or None; it is not imported."""
    from importlib import metadata, util

    if util.find_spec(package) is None:
        return None
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown"  # it lies somewhere on the path, and nobody installed it


def capabilities(
    store: Store,
    *,
    arms: Sequence[str],
    usual: Sequence[str],
    counts_by_host: bool,
    embedder: str | None,
    notes: Sequence[str],
    version_of: Versions = installed,
) -> Capabilities:
    """Return what a client of *store* can do.

    Args:
        store: where the memories are.
        arms: what a search may ask by name.
        usual: whom it asks when it does not say.
        counts_by_host: whether the host counts the tokens.
        embedder: fingerprint of the embedding function in use, if any.
        notes: what could not be done when the client opened.
        version_of: returns the version of a package that is installed, else None.
    """
    import platform

    traits = store.traits()
    extras = {package: version_of(package) for package in EXTRAS}
    return Capabilities(
        library=VERSION,
        python=platform.python_version(),
        engine=traits.engine,
        schema=traits.schema,
        path=traits.path,
        read_only=traits.read_only,
        journal=traits.journal,
        supports={**traits.supports, "hybrid": len(arms) > 1},
        arms=tuple(arms),
        usual=tuple(usual),
        extras=extras,
        install={
            package: f"pip install 'agent-memory-os[{EXTRAS[package]}]'"
            for package, version in extras.items()
            if version is None
        },
        embedder=embedder,
        analyser=ANALYSER_VERSION,
        tokens="host" if counts_by_host else "estimate",
        notes=(*notes, *_lacks(traits)),
    )


def _lacks(traits: StoreTraits) -> list[str]:
    """Return what does not work as it should in a store that is open, in sentences."""
    lacks = []
    if traits.read_only:
        lacks.append(f"{traits.path} cannot be written: reads work, and every write is an error")
    if not traits.supports["fts5"]:
        lacks.append(f"{traits.engine} has no FTS5: searches are errors; use a newer Python")
    elif not traits.supports["words"]:
        lacks.append("the word index does not answer: call rebuild_indexes()")
    return lacks
