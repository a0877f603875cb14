"""What every test may use: the marks, the settings of hypothesis, and a memory to write to."""

import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import hypothesis
import pytest

from agent_memory_os import MemoryClient, Settings

PROMISES = frozenset(Path(__file__).with_name("capabilities.txt").read_text("utf-8").split())

hypothesis.settings.register_profile("here", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, max_examples=60)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "capability(*ids): the promises that the test keeps")
    config.addinivalue_line("markers", "slow: runs with -m slow, or if its file or folder is named")
    for name in ("AGENT_MEMORY_HOME", "AGENT_MEMORY_AGENT_ID"):
        os.environ.pop(name, None)  # what the host has set is no part of a test


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _refuse_unknown_promises(items)
    if "slow" in config.option.markexpr:
        return
    everything = {config.rootpath, *(config.rootpath / path for path in config.getini("testpaths"))}
    here = config.invocation_params.dir
    named = {(here / arg.partition("::")[0]).resolve() for arg in config.args} - everything
    skipped = [
        item
        for item in items
        if item.get_closest_marker("slow") and named.isdisjoint({item.path, *item.path.parents})
    ]
    if skipped:
        config.hook.pytest_deselected(items=skipped)
        left_out = set(skipped)
        items[:] = [item for item in items if item not in left_out]


def _refuse_unknown_promises(items: list[pytest.Item]) -> None:
    for item in items:
        for mark in item.iter_markers("capability"):
            if unknown := [promise for promise in mark.args if promise not in PROMISES]:
                raise pytest.UsageError(f"{item.nodeid}: no such capability: {unknown}")


@pytest.fixture(scope="module")
def bench(request: pytest.FixtureRequest) -> ModuleType:
    """Return the bench that the test module names in ``BENCH``, such as "truth"."""
    name = request.module.BENCH
    path = Path(__file__).with_name("bench") / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"bench_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=["file", "memory"])
def m(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryClient]:
    """Yield an empty memory, in a file and in RAM, that must be sound when the test ends.

    That in RAM takes each row into the word index at once.
    """
    path: str | Path = tmp_path / "memory.db"
    settings = Settings()
    if request.param == "memory":
        path, settings = ":memory:", Settings(index_every=1)
    with MemoryClient(path, settings=settings) as client:
        yield client
        assert client.admin.check() == []
