"""Turns of a conversation become statements that stand alone."""

from agent_memory_os.pure.distil.rules import distil
from agent_memory_os.pure.distil.turn import ACTIONS, MOST_CHARS, Action, Decision, Turn

__all__ = ["ACTIONS", "MOST_CHARS", "Action", "Decision", "Turn", "distil"]
