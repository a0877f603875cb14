"""Turns of a conversation become statements that stand alone."""

from agent_memory_os.pure.distil.answer import parse_decisions, read_decisions
from agent_memory_os.pure.distil.prompt import distil_prompt
from agent_memory_os.pure.distil.rules import distil
from agent_memory_os.pure.turns import ACTIONS, MOST_CHARS, Action, Decision, Turn

__all__ = [
    "ACTIONS",
    "MOST_CHARS",
    "Action",
    "Decision",
    "Turn",
    "distil",
    "distil_prompt",
    "parse_decisions",
    "read_decisions",
]
