"""What was nowhere in a file is found as soon as it is there, whoever wrote it."""

from pathlib import Path

from agent_memory_os import MemoryClient


def test_the_first_link_of_another_client_leads_the_next_search(tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "m.db") as here, MemoryClient(tmp_path / "m.db") as there:
        lock = here.add("The staging deploy failed with a database lock")
        cure = here.add("Take a snapshot before each migration")
        before = here.search("staging deploy lock").ids

        there.link(lock.id, cure.id)

        assert before == (lock.id,)
        assert here.search("staging deploy lock").ids == (lock.id, cure.id)


def test_the_first_supersession_and_contradiction_are_marked_at_once(tmp_path: Path) -> None:
    with MemoryClient(tmp_path / "m.db") as here, MemoryClient(tmp_path / "m.db") as there:
        old = here.add("The build takes 5 minutes", owner="neo", visibility=["global"])
        before = here.search("build minutes", requester_agent_id="neo")

        there.add("The build takes 9 minutes", owner="ada", visibility=["global"])

        after = here.search("build minutes", requester_agent_id="neo")
        marks = {hit.id: hit.marks for hit in after}
        assert before[0].marks == ()
        assert [mark.kind for mark in marks[old.id]] == ["CONFLICT"]
