"""One question to several kinds of memory, and an answer from each."""

from collections.abc import Mapping

from agent_memory_os.model import Hits
from agent_memory_os.recall import pipeline
from agent_memory_os.recall.pipeline import Request
from agent_memory_os.settings import Settings
from agent_memory_os.store.contract import Store


def grouped(store: Store, requests: Mapping[str, Request], settings: Settings) -> dict[str, Hits]:
    """Return the hits of each of *requests*, which ask the same, in one snapshot."""
    prepared = {name: pipeline.prepare(each, settings) for name, each in requests.items()}
    with store.read() as snapshot:
        return {
            name: pipeline.run(snapshot, each, prepared[name], settings)
            for name, each in requests.items()
        }
