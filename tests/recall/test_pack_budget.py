"""A pack is held to its budget to the token, whatever its counter makes of the whole."""

from collections.abc import Callable

import pytest

from agent_memory_os import MemoryClient

COUNTERS: dict[str, Callable[[str], int]] = {
    "characters": len,
    "whole costs more than parts": lambda text: len(text) + len(text) ** 2 // 500,
    "each line costs one more": lambda text: len(text.split()) + text.count("\n- ") ** 2,
}


@pytest.mark.capability("AMOS-041")
@pytest.mark.parametrize("counter", COUNTERS.values(), ids=COUNTERS)
def test_no_budget_is_exceeded_by_a_single_token(counter: Callable[[str], int]) -> None:
    with MemoryClient(":memory:", count_tokens=counter) as m:
        m.add_many({"content": f"tea {'leaf ' * n}", "pinned": n == 2} for n in range(1, 9))

        exceeded = [
            budget
            for budget in range(700)
            if counter(str(m.context_pack("tea", max_tokens=budget))) > budget
        ]

    assert exceeded == []
