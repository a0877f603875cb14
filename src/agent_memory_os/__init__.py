"""Long-term memory for teams of AI agents, in one SQLite file."""

from agent_memory_os.client import MemoryClient
from agent_memory_os.errors import (
    AgentMemoryError,
    ClientClosed,
    ExtraMissing,
    InvalidInput,
    KeyReused,
    NotFound,
    NotPermitted,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreReadOnly,
    StoreTooNew,
    StoreUnsupported,
    VersionConflict,
)
from agent_memory_os.model import (
    Change,
    Decision,
    Explanation,
    Finding,
    Hit,
    Hits,
    Memory,
    Pack,
    PackItem,
    PackReport,
    Receipt,
    SearchReport,
    Stats,
)
from agent_memory_os.settings import Settings
from agent_memory_os.view import AgentMemory

__version__ = "0.1.0"

__all__ = [
    "AgentMemory",
    "AgentMemoryError",
    "Change",
    "ClientClosed",
    "Decision",
    "Explanation",
    "ExtraMissing",
    "Finding",
    "Hit",
    "Hits",
    "InvalidInput",
    "KeyReused",
    "Memory",
    "MemoryClient",
    "NotFound",
    "NotPermitted",
    "Pack",
    "PackItem",
    "PackReport",
    "Receipt",
    "SearchReport",
    "Settings",
    "Stats",
    "StoreBusy",
    "StoreCorrupt",
    "StoreError",
    "StoreReadOnly",
    "StoreTooNew",
    "StoreUnsupported",
    "VersionConflict",
    "__version__",
]
