"""A chat that recalls before it answers and captures afterwards; a pipeline keeps what matters."""

from agent_memory_os import AgentMemory, MemoryClient, Pipeline

MONDAY = [
    ("Hello! I live in Lisbon.", "Welcome, Ada."),
    ("I prefer trains to planes.", "Trains it is."),
    ("Always answer me in short sentences.", "I will."),
    ("We decided to meet in Porto in June.", "Noted."),
    ("Thanks, bye!", "Bye!"),
]
FRIDAY = [("How shall I travel to Porto?", "By train, as you prefer."), ("Thanks!", "Bye!")]


class ScriptedModel:
    """A model that answers from a script, and keeps the prompts that it was given."""

    def __init__(self, script: list[tuple[str, str]]) -> None:
        self._script = dict(script)
        self.prompts: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.prompts.append(prompt)
        return self._script[prompt.rpartition("User: ")[2]]


def answer(memory: AgentMemory, model: ScriptedModel, said: str, session: str) -> str:
    """Recall before, write back after: that is all a turn does, and all that its user waits for."""
    notes = memory.context_pack(said, max_tokens=400)
    reply = model(f"{notes}\n\nUser: {said}")
    memory.capture([("user", said), ("assistant", reply)], session=session)
    return reply


def chat(
    memory: AgentMemory, pipeline: Pipeline, script: list[tuple[str, str]], session: str
) -> ScriptedModel:
    """Hold one conversation, and let the pipeline run in its pauses."""
    model = ScriptedModel(script)
    print(f"--- {session}")
    for said, _ in script:
        print(f"Ada: {said}\nBot: {answer(memory, model, said, session)}")
        done = pipeline.run_pending()  # after the reply; most of the time there is nothing to do
        if done.events:
            print(f"     ({done.events} events became {len(done.ids)} atoms)")
    memory.layers.end_session(session)
    pipeline.run_pending()
    return model


def main() -> None:
    with MemoryClient(":memory:") as client:
        memory = client.as_agent("bot", subject="user:ada")
        pipeline = memory.layers.pipeline(every_turns=3)

        chat(memory, pipeline, MONDAY, "monday")
        print("--- what it keeps")
        for atom in memory.browse(layers=[1])[::-1]:
            print(f"{atom.type}: {atom.content}")
        model = chat(memory, pipeline, FRIDAY, "friday")

        assert "prefers trains to planes" in model.prompts[0], "it is recalled in another session"
        assert pipeline.status().events == 0, "nothing waits when all sessions have ended"


if __name__ == "__main__":
    main()
