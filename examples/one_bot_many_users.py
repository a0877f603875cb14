"""One bot serves many users: each user's view reads and writes the memories of that user alone."""

from agent_memory_os import AgentMemory, MemoryClient

SAID = {
    "alice": ["I prefer dark mode.", "My flight to Oslo leaves on Friday."],
    "bob": ["I prefer light mode.", "My flight to Rome leaves on Sunday."],
}


def chat(memory: AgentMemory, user: str) -> None:
    """Remember what *user* says, then build the prompt for the next question."""
    for line in SAID[user]:
        memory.add(line, actor=f"user:{user}")
    print(f"--- prompt for {user}")
    print(memory.context_pack("Which mode do I prefer, and when is my flight?", max_tokens=300))


def main() -> None:
    with MemoryClient(":memory:") as client:
        for user in SAID:
            chat(client.as_agent("bot", subject=f"user:{user}"), user)

        alice = client.as_agent("bot", subject="user:alice")
        found = [hit.content for hit in alice.search("flight mode rome light bob")]
        assert found, "what alice said is found"
        assert set(found) <= set(SAID["alice"]), "and nothing of what bob said"

        of_bob = client.as_agent("bot", subject="user:bob").search("Rome")[0]
        assert alice.get(of_bob.id) is None, "not even by its id"
        print("--- alice's view finds", found)


if __name__ == "__main__":
    main()
