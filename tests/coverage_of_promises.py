"""Print which promises of capabilities.txt have a test, and which have none."""

import contextlib
import io
import sys
import textwrap
from collections import defaultdict
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


class Collector:
    """A plugin of pytest that notes the tests of each promise, in the order of the files."""

    def __init__(self) -> None:
        self.tests: defaultdict[str, dict[str, None]] = defaultdict(dict)

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            name = item.nodeid.partition("[")[0]
            for mark in item.iter_markers("capability"):
                for promise in mark.args:
                    self.tests[promise][name] = None


def tests_of_promises() -> dict[str, list[str]]:
    """Return the tests of each promise that has any; exit when the tests cannot be collected."""
    collector, said = Collector(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        status = pytest.main(
            ["--collect-only", "-m", "slow or not slow", f"--rootdir={TESTS.parent}", str(TESTS)],
            plugins=[collector],
        )
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit(said.getvalue())
    return {promise: list(names) for promise, names in collector.tests.items()}


def main() -> None:
    promises = TESTS.joinpath("capabilities.txt").read_text("utf-8").split()
    tests = tests_of_promises()
    for promise in promises:
        for place, name in enumerate(tests.get(promise, ())):
            print(f"{'' if place else promise:10}{name}")
    missing = [promise for promise in promises if promise not in tests]
    print(f"\nWithout a test ({len(missing)}):")
    print(textwrap.fill(", ".join(missing), 100))
    print(f"\n{len(promises) - len(missing)} of {len(promises)} promises have a test.")


if __name__ == "__main__":
    sys.exit(main())
