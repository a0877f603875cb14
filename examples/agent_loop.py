"""The loop of an agent: recall, prompt, reply, remember; its model is a script, and offline."""

from agent_memory_os import AgentMemory, MemoryClient

FIRST = [
    ("Hello, I am Ada. I am allergic to nuts.", "Welcome, Ada. No nuts, then."),
    ("My usual order is a black coffee.", "Noted: a black coffee."),
]
LATER = [
    ("What is my usual order?", "A black coffee, as always."),
    ("Which cake can I eat with my allergy?", "The lemon cake: it has no nuts."),
]


class ScriptedModel:
    """A model that answers from a script, and keeps the prompts that it was given."""

    def __init__(self, script: list[tuple[str, str]]) -> None:
        self._script = dict(script)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self._script[prompt.rpartition("User: ")[2]]


def turn(memory: AgentMemory, model: ScriptedModel, said: str, session: str) -> str:
    """Answer what the user *said*, with what is remembered, and remember the turn."""
    notes = memory.context_pack(said, max_tokens=300)
    reply = model(f"{notes}\n\nUser: {said}")
    memory.add(said, layer=0, actor="user:ada", session=session)
    memory.add(reply, layer=0, actor="agent:waiter", session=session)
    return reply


def talk(client: MemoryClient, script: list[tuple[str, str]], session: str) -> ScriptedModel:
    """Hold one conversation, as a process of its own would, and print it."""
    memory = client.as_agent("waiter", subject="user:ada")
    model = ScriptedModel(script)
    print(f"--- {session}")
    for said, _ in script:
        print(f"Ada:    {said}")
        print(f"Waiter: {turn(memory, model, said, session)}")
    return model


def main() -> None:
    with MemoryClient(":memory:") as client:
        talk(client, FIRST, "monday")
        model = talk(client, LATER, "friday")

    assert "My usual order is a black coffee." in model.prompts[0], "what was said is recalled"
    assert "allergic to nuts" in model.prompts[1], "and so is what matters for the question"
    print("--- the last prompt")
    print(model.prompts[-1])


if __name__ == "__main__":
    main()
