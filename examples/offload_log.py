"""An agent's tool returns 2 MB of log; its prompt holds a handle, and the log comes back whole."""

import json
import random

from agent_memory_os import MemoryClient


def journalctl() -> str:
    """Return what a tool might: 2 MB of log, in which one line matters."""
    chance = random.Random(1)
    lines = [
        f"12:{n // 1600 % 60:02}:{n % 60:02} INFO worker-{chance.randrange(8)} served request {n}"
        for n in range(46_000)
    ]
    lines[31_337] = "12:20:17 ERROR [db] connection refused: too many clients already"
    return "\n".join(lines) + "\n"


def main() -> None:
    log = journalctl()
    call = {"id": "c1", "function": {"name": "journalctl", "arguments": '{"unit": "api"}'}}
    messages = [
        {"role": "user", "content": "Why was the API slow at noon?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": log},
        {"role": "assistant", "content": "One connection was refused; I look at the lines around."},
    ]
    with MemoryClient(":memory:", agent_id="sre") as memory:
        memory.capture(messages[:2], session="noon")
        folded = memory.offload.fold(messages, max_tokens=128_000, session="noon")
        (handle,) = folded.handles
        print(f"{len(log):,} characters became {handle.tokens} tokens ({folded.level}):\n")
        print(json.dumps(folded.messages[2], indent=2, ensure_ascii=False).replace("\\n", "\n    "))

        print("\nThe lines that it asks for:")
        print(memory.offload.reload(handle, lines=(31_337, 31_339)))
        assert memory.offload.reload(handle) == log

        print("What was done so far, for the next prompt:\n")
        print(memory.offload.task_graph("noon"))


if __name__ == "__main__":
    main()
