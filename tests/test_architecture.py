"""The floors of the house: which room may import which, and what may stand where."""

import ast
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import agent_memory_os

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "agent_memory_os"
PACKAGE = "agent_memory_os"
TOP_LEVEL = {"src", "tests", "examples", "docs"}
TOP_LEVEL |= {"SPEC.md", "README.md", "LICENSE", "pyproject.toml"}
FLOORS = {"noun": 0, "model": 0, "errors": 0, "settings": 0, "pure": 1, "store": 2, "providers": 3}
FLOORS |= {"remember": 4, "recall": 4, "tend": 4, "share": 4}
FLOORS |= {"hooks": 5, "progress": 5, "tools": 5, "golden": 6}
FLOORS |= {"entities": 5, "graph": 6}
FLOORS |= {"layers": 5, "pipeline": 5, "offload": 5, "view": 5, "nouns": 5, "client": 5}
FLOORS |= {"fakes": 2, "laws": 3, "aio": 6, "testing": 6, "surfaces": 6, "": 7}
FLOORS |= {"version": 0}
VERBS = {room for room, floor in FLOORS.items() if floor == 4}
LOADS_LATER = {"", "view"}  # what these name for types alone is loaded later, which is no cycle
MAY_NAME_SQLITE = {"client", "testing"}
BANNED = {"utils", "helpers", "common", "base", "manager", "service", "data", "info", "handle"}
SQL = re.compile(
    r"\bSELECT\s.*\bFROM\b|\bSELECT\s+\S+\(|\bINSERT\s+(OR\s+\w+\s+)?INTO\b|\bUPDATE\s+\w+\s+SET\b"
    r"|\bDELETE\s+FROM\b|\b(CREATE|DROP|ALTER)\s+(VIRTUAL\s+)?(TABLE|INDEX|VIEW|TRIGGER)\b"
    r"|\bPRAGMA\s+\w|\bBEGIN\s+IMMEDIATE\b",
    re.DOTALL,
)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class Module(NamedTuple):
    """A module by its dotted name below the package ("" for the package itself)."""

    name: str
    source: str
    is_package: bool = False

    @property
    def room(self) -> str:
        return self.name.partition(".")[0]

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.source)


Check = Callable[[Module], list[str]]  # a module's faults, in words


def read(path: Path) -> Module:
    parts = path.relative_to(SOURCES).with_suffix("").parts
    is_package = parts[-1] == "__init__"
    name = ".".join(parts[:-1] if is_package else parts)
    return Module(name, path.read_text("utf-8"), is_package)


MODULES = [read(path) for path in sorted(SOURCES.rglob("*.py"))]


def imported(module: Module, nodes: Iterator[ast.AST] | None = None) -> Iterator[str]:
    """Yield the dotted name of each thing that *module* imports, relative names made absolute."""
    home = [PACKAGE, *filter(None, module.name.split("."))]
    for node in nodes or ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            up = node.level - module.is_package
            start = home[: len(home) - up] if node.level else []
            origin = [*start, *filter(None, [node.module])]
            yield from (".".join([*origin, alias.name]) for alias in node.names)


def rooms_imported(module: Module) -> Iterator[str]:
    """Yield the names below our package that *module* imports, such as ``model.Memory``."""
    for name in imported(module):
        first, _, rest = name.partition(".")
        if first == PACKAGE:
            yield rest


def at_import(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of *tree* that run when it is imported: all but the bodies of functions."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, (*FUNCTIONS, ast.Lambda)):
            yield node
            yield from at_import(node)


def climbs(module: Module) -> list[str]:
    floor = FLOORS.get(module.room)
    if floor is None:
        return [f"{module.name} stands on no floor"]
    above = [name for name in rooms_imported(module) if FLOORS.get(_room(name), 7) > floor]
    return [f"{module.name} imports {name} from above" for name in above]


def crosses(module: Module) -> list[str]:
    return [
        f"{module.name} may not import {name}"
        for name in rooms_imported(module)
        if _is_sibling_verb(module, name) or _is_store_beyond_reach(module, name)
    ]


def _room(name: str) -> str:
    return name.partition(".")[0]


def _is_sibling_verb(module: Module, name: str) -> bool:
    return {module.room, _room(name)} <= VERBS and module.room != _room(name)


def _is_store_beyond_reach(module: Module, name: str) -> bool:
    if _room(name) != "store" or module.room in MAY_NAME_SQLITE:
        return False
    is_its_own = f"{module.name}.".startswith("store.sqlite.")
    return not is_its_own and not f"{name}.".startswith("store.contract.")


def needs_more_than_python(module: Module) -> list[str]:
    known = sys.stdlib_module_names | {PACKAGE}
    names = imported(module, at_import(module.tree))
    return [f"{module.name} imports {n} at once" for n in names if n.partition(".")[0] not in known]


def hides_a_cycle(module: Module) -> list[str]:
    if module.name in LOADS_LATER:
        return []
    return [f"{module.name} says TYPE_CHECKING"] if "TYPE_CHECKING" in module.source else []


def speaks_sql(module: Module) -> list[str]:
    if module.room == "store":
        return []
    faults = [f"{module.name} imports {n}" for n in imported(module) if _room(n) == "sqlite3"]
    tree = module.tree
    prose = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in prose:
            faults += [f"{module.name}:{node.lineno} has SQL"] * bool(SQL.search(node.value))
    return faults


def prints(module: Module) -> list[str]:
    calls = (node.func for node in ast.walk(module.tree) if isinstance(node, ast.Call))
    names = (func for func in calls if isinstance(func, ast.Name) and func.id == "print")
    return [f"{module.name}:{func.lineno} prints" for func in names]


def says_nothing(module: Module) -> list[str]:
    return [
        f"{module.name}.{name} has no docstring"
        for name, node in _public(module.tree)
        if not ast.get_docstring(node)
    ]


def _public(tree: ast.Module | ast.ClassDef, within: str = "") -> Iterator[tuple[str, Definition]]:
    for node in tree.body:
        if not isinstance(node, Definition) or node.name.startswith("_"):
            continue
        marks = {ast.unparse(mark).rpartition(".")[2] for mark in node.decorator_list}
        if marks.isdisjoint({"overload", "setter"}):
            yield within + node.name, node
        if isinstance(node, ast.ClassDef):
            yield from _public(node, f"{within}{node.name}.")


def rambles(module: Module) -> list[str]:
    """A module's docstring is one sentence; below it, a drawing or an example may stand apart."""
    text = ast.get_docstring(module.tree, clean=False) or ""
    first, _, rest = text.strip().partition("\n\n")
    sentences = len(re.findall(r"[.!?。](?=\s|$)", first))
    apart = all(re.match(r"\s|[├└│]|\w+$|$", line) for line in rest.splitlines())
    one = sentences == 1 and first.endswith((".", "!", "?", "。"))
    return [] if one and apart else [f"{module.name} does not begin with one sentence"]


def has_an_empty_name(module: Module) -> list[str]:
    return [f"{module.name} says nothing"] if BANNED & set(module.name.split(".")) else []


CHECKS: dict[Check, list[Module]] = {  # each with modules in which it must find a fault
    climbs: [
        Module("pure.text", "from agent_memory_os.store.contract import Store"),
        Module("pure.text", "from ..client import MemoryClient"),
        Module("errors", "import agent_memory_os.pure.text"),
        Module("recall.pack", "from agent_memory_os import MemoryClient"),
        Module("store.sqlite.rows", "def f():\n    from agent_memory_os.providers import recent"),
        Module("attic.box", ""),
    ],
    crosses: [
        Module("recall.pack", "from agent_memory_os.remember.add import put"),
        Module("recall.pack", "from agent_memory_os.store.sqlite import open_store"),
        Module("recall", "from ..store import sqlite", is_package=True),
        Module("providers.recent", "import agent_memory_os.store.sqlite.rows"),
        Module("surfaces.cli", "from agent_memory_os.store import sqlite"),
        Module("store.contract", "from agent_memory_os.store.sqlite import rows"),
    ],
    needs_more_than_python: [
        Module("pure.text", "import numpy as np"),
        Module(
            "pure.text", "try:\n    from yaml import load\nexcept ImportError:\n    load = None"
        ),
        Module("model", "class Memory:\n    import pydantic"),
    ],
    hides_a_cycle: [Module("model", "from typing import TYPE_CHECKING")],
    speaks_sql: [
        Module("client", "import sqlite3"),
        Module("recall.pack", "from sqlite3 import Connection"),
        Module("recall.pack", "def f(t):\n    return f'SELECT id FROM {t}'"),
        Module("recall.pack", "Q = '''INSERT OR IGNORE\nINTO memories VALUES (1)'''"),
        Module("recall.pack", "run('UPDATE memories SET state = 1')"),
        Module("recall.pack", "run('PRAGMA user_version')"),
    ],
    prints: [Module("client", "def f():\n    print('here')")],
    says_nothing: [
        Module("client", "class MemoryClient:\n    def add(self): ...", False),
        Module("client", "async def add(): ..."),
        Module("client", "class A:\n    'A.'\n    @property\n    def b(self): ..."),
    ],
    rambles: [
        Module("pure.text", ""),
        Module("pure.text", "'''Text. And more.'''"),
        Module("pure.text", "'''Text.\n\nAnd more.'''"),
        Module("pure.text", "'''Text'''"),
    ],
    has_an_empty_name: [Module("pure.utils", ""), Module("store.helpers.rows", "")],
}
SOUND = [
    Module("", "'''Public names.'''\nfrom agent_memory_os.client import MemoryClient", True),
    Module("model", "'''The nouns.'''\nfrom dataclasses import dataclass\nfrom . import errors"),
    Module("errors", "'''One tree of errors.\n\n    AgentMemoryError\n    └── NotFound\n'''"),
    Module("store.contract", "'''What a store does.'''\nfrom ..model import Memory"),
    Module("store.sqlite.rows", "'''Rows.'''\nimport sqlite3\nfrom . import a\nQ = 'PRAGMA a'"),
    Module("recall.pack", "'''Packs.'''\nfrom ..store.contract import S\nfrom . import pipeline"),
    Module("testing", "'''Fakes.'''\ndef f() -> None:\n    'Import late.'\n    import pytest"),
    Module("client", "'''The client.'''\nfrom .store.sqlite import open_store\nE = 'Select one'"),
    Module("aio", "'''The same, awaited.'''\ndef _f():\n    'SELECT a FROM b'\n    self.print()"),
]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_no_module(check: Check) -> None:
    assert [fault for module in MODULES for fault in check(module)] == []


@pytest.mark.parametrize(
    ("check", "module"),
    [(check, module) for check, modules in CHECKS.items() for module in modules],
    ids=lambda value: value.name if isinstance(value, Module) else value.__name__,
)
def test_the_check_finds(check: Check, module: Module) -> None:
    assert check(module) != []


@pytest.mark.parametrize("module", SOUND, ids=lambda module: module.name or "package")
def test_the_checks_pass_a_sound_module(module: Module) -> None:
    assert [fault for check in CHECKS for fault in check(module)] == []


def test_every_module_is_checked() -> None:
    names = {module.name for module in MODULES}

    assert {"", "model", "errors", "client", "store.contract", "pure.text"} <= names


def test_the_public_names_are_sorted() -> None:
    names = agent_memory_os.__all__

    constants_then_classes = sorted(names, key=lambda n: (not n.isupper(), not n[0].isupper(), n))
    assert list(names) == constants_then_classes


def test_the_public_names_exist() -> None:
    assert [name for name in agent_memory_os.__all__ if not hasattr(agent_memory_os, name)] == []


WATCHED_IMPORT = """
import _thread, json, os, sys
acts, before, start = [], set(sys.modules), _thread.start_new_thread
def watch(event, args):
    if event == "open":
        if isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            acts.append(f"open {args[0]}")
    elif event.startswith(("socket.", "sqlite3.", "subprocess.", "os.mkdir")):
        acts.append(event)
def start_watched(*args):
    acts.append("thread")
    return start(*args)
assert "threading" not in before
_thread.start_new_thread = start_watched
sys.addaudithook(watch)
exec(sys.argv[1])
print(json.dumps([acts, sorted(set(sys.modules) - before)]))
"""


def watched(code: str, folder: Path) -> tuple[list[str], set[str]]:
    """Run *code* alone in *folder*; return what it did to the world, and the modules it loaded."""
    command = [sys.executable, "-B", "-c", WATCHED_IMPORT, code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    acts, modules = json.loads(done.stdout)
    return acts, set(modules)


def test_importing_does_nothing_and_loads_no_heavy_module(tmp_path: Path) -> None:
    acts, modules = watched("from agent_memory_os import MemoryClient", tmp_path)

    assert acts == []
    assert modules & {"asyncio", "logging", "socket", "numpy", "turbovec", "pytest"} == set()
    assert list(tmp_path.iterdir()) == []


def test_the_watch_sees_files_threads_and_modules(tmp_path: Path) -> None:
    code = "import asyncio, threading; open('a', 'w').close(); threading.Thread(target=int).start()"
    acts, modules = watched(code, tmp_path)

    assert acts[-2:] == ["open a", "thread"]
    assert modules >= {"asyncio", "logging", "socket"}


def test_the_top_level_of_the_repository_holds_nothing_else() -> None:
    built = {"build", "dist"}
    names = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}

    assert names - built == TOP_LEVEL
