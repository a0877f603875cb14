"""Activation: how much of it a memory passes on over its links."""

from collections.abc import Mapping
from math import sqrt


def spread(
    active: Mapping[str, float], fans: Mapping[str, Mapping[str, float]], *, decay: float
) -> dict[str, float]:
    """Return the activation that memories receive when *active* ones pass theirs on, once.

    A memory gives each neighbour activation x decay x weight / sqrt(degree). What a memory
    receives from several adds up as 1 - (1 - a)(1 - b), so that it grows with each and stays
    below 1.

    Args:
        active: activation by memory, 0 to 1.
        fans: for each memory its neighbours, with the weight of the heaviest link to each; their
            number is its degree.
        decay: what is left after one link, 0 to 1.

    Returns:
        What was received, by memory, 0 to 1; who gives keeps nothing of it.

    Source: spreading activation (Collins and Loftus, "A spreading-activation theory of semantic
        processing", 1975), with the fan effect (Anderson, "A spreading activation theory of
        memory", 1983): the more neighbours, the less for each. Divided by the whole degree a hub
        would be silent, undivided it would drown all else; the root is between.
    """
    received: dict[str, float] = {}
    for source, fan in fans.items():
        share = active.get(source, 0.0) * decay / sqrt(len(fan) or 1)
        for target, weight in fan.items():
            received[target] = either(received.get(target, 0.0), share * weight)
    return received


def either(one: float, other: float) -> float:
    """Return the activation of a memory that has *one* and *other* from two sides."""
    return one + other - one * other
