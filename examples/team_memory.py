"""Three agents of two teams write what they learn; each recalls what it may see, and no more."""

from agent_memory_os import MemoryClient

QUESTION = "How do we deploy the billing service?"


def main() -> None:
    with MemoryClient(":memory:") as client:
        client.org.create_team("platform")
        client.org.create_team("research")
        client.org.register_agent("neo", teams=["platform"])
        client.org.register_agent("trinity", teams=["platform", "research"])
        client.org.register_agent("mouse", teams=["research"])

        password = client.add(
            "The billing deploy password hint is the name of my cat.",
            owner="neo",  # no visibility: private to its owner
        )
        runbook = client.add(
            "Deploy billing with `make release`, after a snapshot of the database.",
            owner="neo",
            type="procedure",
            visibility=["team:platform"],
        )
        paper = client.add(
            "The paper on billing fraud deploys a graph model.",
            owner="mouse",
            visibility=["team:research"],
        )
        port = client.add("Billing listens on port 8000.", owner="trinity", visibility=["global"])

        may_see = {
            "neo": {password.id, runbook.id, port.id},
            "trinity": {runbook.id, paper.id, port.id},
            "mouse": {paper.id, port.id},
        }
        for agent, ids in may_see.items():
            hits = client.as_agent(agent).search(QUESTION)
            assert {hit.id for hit in hits} == ids, f"{agent} sees what it should not, or misses it"
            print(f"{agent} asks: {QUESTION}")
            for hit in hits:
                print(f"  {hit.score:.2f}  {hit.content}  (from {hit.memory.owner})")

        client.org.remove_team_member("platform", "trinity")
        left = client.as_agent("trinity").search(QUESTION)
        assert {hit.id for hit in left} == {paper.id, port.id}
        print(f"trinity leaves platform, and finds {len(left)} memories at once.")


if __name__ == "__main__":
    main()
