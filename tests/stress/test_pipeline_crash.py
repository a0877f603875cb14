"""A small size of `pipeline.py`, and that it notices what it is there to notice."""

import importlib.util
import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from agent_memory_os import KeyReused, MemoryClient


def _loaded() -> ModuleType:
    """Return the harness; a bench has the same name, so it is loaded by its place."""
    path = Path(__file__).with_name("pipeline.py")
    spec = importlib.util.spec_from_file_location("stress_pipeline", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


stress = _loaded()


@pytest.mark.capability("OOM-091", "OOM-090", "MEMU-48")
def test_six_kills_of_a_pipeline_lose_and_double_nothing() -> None:
    figures = stress.run(6, seed=1)

    assert figures.problems == []
    assert figures.rounds == {"by itself": 2, "a worker": 2, "by rules": 2}
    assert figures.atoms > 0


@pytest.mark.slow
@pytest.mark.capability("OOM-091")
def test_a_hundred_kills_of_a_pipeline_lose_and_double_nothing() -> None:
    figures = stress.run(100, seed=2)

    assert figures.problems == []
    assert figures.waited > 0


SAID = [["user", "I like the kettle of one."], ["assistant", "Noted, one."]]


@pytest.fixture
def trial(tmp_path: Path) -> "stress.Trial":
    """Return a trial of a store in which one turn was captured and distilled."""
    made = stress.Trial(tmp_path, random.Random(0), stress.Figures())
    with MemoryClient(made.path) as client:
        bot = stress.agent(client)
        captured = bot.capture([(role, text) for role, text in SAID], session="one", turn="1")
        bot.layers.pipeline(every_turns=1, distiller=stress.quote).run_pending()
    made.take([receipt.id for receipt in captured], SAID, "by itself")
    return made


def problems(trial: "stress.Trial") -> str:
    """Return what is found after a child that told nothing, and at the end."""
    trial.after([], "by itself")
    trial.whole()
    return "\n".join(trial.figures.problems)


def test_a_store_that_is_whole_has_no_problem(trial: "stress.Trial") -> None:
    assert problems(trial) == ""


def test_a_lost_event_is_noticed(trial: "stress.Trial") -> None:
    trial.expected["f" * 25] = "I like the orbit of two."

    assert "lost ffff" in problems(trial)


def test_a_doubled_event_is_noticed(trial: "stress.Trial") -> None:
    with MemoryClient(trial.path) as client:
        stress.agent(client).capture([("user", SAID[0][1])], session="one", turn="2")

    assert "event is there twice" in problems(trial)


def test_an_atom_that_was_told_twice_is_noticed(trial: "stress.Trial") -> None:
    with MemoryClient(trial.path) as client:
        (atom,) = stress.everything(stress.agent(client), layer=1)
        stress.agent(client).add(atom.content, type=atom.type)

    found = problems(trial)
    assert "told 2 times" in found or "atom is there twice" in found


def test_an_event_that_never_became_an_atom_is_noticed(trial: "stress.Trial") -> None:
    trial.quoted.add("I like the orbit of two.")

    assert "no atom was made of: I like the orbit" in problems(trial)


def test_half_of_a_turn_is_noticed(trial: "stress.Trial") -> None:
    other = {"session": "one", "turn": "1", "said": [SAID[0], ["assistant", "Noted, two."]]}
    with MemoryClient(trial.path) as client:
        bot = stress.agent(client)
        with pytest.raises(KeyReused):
            trial.settle(bot, other, "by itself")

    assert "half of a turn is there" in trial.figures.problems[0]
