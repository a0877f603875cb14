"""Two agents know Alice, in a store of 100,000 memories; she is forgotten, and no byte is left."""

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

from agent_memory_os import MemoryClient

ALICE = "user:alice"
TRACES = ("alice", "quillfeather", "peanut")  # of which no file may hold one afterwards


def others(count: int) -> Iterator[dict[str, object]]:
    """Yield memories about other people."""
    for number in range(count):
        yield {
            "content": f"Guest {number} likes room {number % 977} and table {number % 89}.",
            "subject": f"user:guest{number % 5000}",
            "owner": ("neo", "trinity")[number % 2],
        }


def traces(folder: Path) -> list[str]:
    """Return which words are left in which file of *folder*, looking at the bytes."""
    return [
        f"{word} in {file.name}"
        for file in sorted(folder.iterdir())
        for word in TRACES
        if word.encode() in file.read_bytes().lower()
    ]


def main(count: int, folder: Path, elsewhere: Path) -> None:
    path = folder / "memory.db"
    with MemoryClient(path) as client:
        client.add_many(others(count))
        said = client.add("I am Alice Quillfeather.", owner="neo", layer=0, session="alice-1")
        name = client.add("Her name is Alice Quillfeather.", owner="neo", subject=ALICE)
        client.link(name.id, said.id, relation="derived_from", requester_agent_id="neo")
        allergy = client.add("Alice must not eat peanuts.", owner="trinity", subject=ALICE)
        client.update(
            allergy.id, content="Alice carries a peanut kit.", requester_agent_id="trinity"
        )
        backup = client.admin.backup(elsewhere)
    print(f"{count + 3} memories; before: {traces(folder)}")
    assert traces(folder)

    with MemoryClient(path) as client:
        receipt = client.admin.forget_subject(ALICE, verify=True)
        for name_of_field, value in receipt.to_dict().items():
            print(f"  {name_of_field}: {value}")
        assert receipt.complete
    print(f"after: {traces(folder)}")
    assert traces(folder) == []

    with MemoryClient(path) as client:
        restored = client.admin.restore_backup(backup.path, force=True)
        assert restored.kept_forgotten == len(receipt.ids) + (receipt.hidden or 0)
        assert restored.pending == ""
    print(f"after a backup was restored, which holds her: {traces(folder)}")
    assert traces(folder) == []

    with MemoryClient(path) as client:
        client.add("Alice is back, and likes tea.", owner="neo", subject=ALICE)
        told = client.search("what does Alice like?", requester_agent_id="neo", subject=ALICE)
        print(f"told again, and believed: {told[0].content}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=100_000, help="how many other memories there are")
    with tempfile.TemporaryDirectory() as store, tempfile.TemporaryDirectory() as backups:
        main(parser.parse_args().n, Path(store), Path(backups))
