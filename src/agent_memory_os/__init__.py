"""Long-term memory for teams of AI agents, in one SQLite file."""

from typing import TYPE_CHECKING

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
    StoreFull,
    StoreReadOnly,
    StoreTooNew,
    StoreUnsupported,
    VersionConflict,
)
from agent_memory_os.model import (
    Agent,
    Archival,
    AuditEntry,
    Backup,
    Candidate,
    Capabilities,
    Captured,
    Change,
    Clock,
    Consolidation,
    Decision,
    ErasureReceipt,
    Evidence,
    Explanation,
    Finding,
    Folded,
    Handle,
    Hit,
    Hits,
    Link,
    Mark,
    Memory,
    Message,
    Neighbor,
    Pack,
    PackItem,
    PackReport,
    Project,
    RecallEvent,
    RecallProfile,
    Receipt,
    Redaction,
    Reembedded,
    Repair,
    Restored,
    RetentionReport,
    SearchReport,
    SectionReport,
    Session,
    Stats,
    TaskGraph,
    TaskStep,
    Team,
    TokenCounter,
    WriteEvent,
)
from agent_memory_os.providers.protocol import Embed, EmbedQuery, Provider, ProviderRequest
from agent_memory_os.pure.fuse import reciprocal_ranks
from agent_memory_os.settings import Settings
from agent_memory_os.version import VERSION
from agent_memory_os.view import AgentMemory

__version__ = VERSION

if TYPE_CHECKING:
    from agent_memory_os.aio import AsyncAgentMemory, AsyncMemoryClient
    from agent_memory_os.pure.redaction import redact_secrets
    from agent_memory_os.pure.truth import Assertion, Judge, Judgement
    from agent_memory_os.pure.turns import Distillation
else:
    # Loaded with their first use: asyncio alone takes longer than all of the package.
    _LATER = {
        "AsyncAgentMemory": "agent_memory_os.aio",
        "AsyncMemoryClient": "agent_memory_os.aio",
        "Assertion": "agent_memory_os.pure.truth",
        "Distillation": "agent_memory_os.pure.turns",
        "Judge": "agent_memory_os.pure.truth",
        "Judgement": "agent_memory_os.pure.truth",
        "distil_prompt": "agent_memory_os.pure.distil",
        "parse_decisions": "agent_memory_os.pure.distil",
        "redact_secrets": "agent_memory_os.pure.redaction",
    }

    def __getattr__(name: str) -> object:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(_LATER[name]), name)


__all__ = [
    "Agent",
    "AgentMemory",
    "AgentMemoryError",
    "Archival",
    "Assertion",
    "AsyncAgentMemory",
    "AsyncMemoryClient",
    "AuditEntry",
    "Backup",
    "Candidate",
    "Capabilities",
    "Captured",
    "Change",
    "ClientClosed",
    "Clock",
    "Consolidation",
    "Decision",
    "Distillation",
    "Embed",
    "EmbedQuery",
    "ErasureReceipt",
    "Evidence",
    "Explanation",
    "ExtraMissing",
    "Finding",
    "Folded",
    "Handle",
    "Hit",
    "Hits",
    "InvalidInput",
    "Judge",
    "Judgement",
    "KeyReused",
    "Link",
    "Mark",
    "Memory",
    "MemoryClient",
    "Message",
    "Neighbor",
    "NotFound",
    "NotPermitted",
    "Pack",
    "PackItem",
    "PackReport",
    "Project",
    "Provider",
    "ProviderRequest",
    "RecallEvent",
    "RecallProfile",
    "Receipt",
    "Redaction",
    "Reembedded",
    "Repair",
    "Restored",
    "RetentionReport",
    "SearchReport",
    "SectionReport",
    "Session",
    "Settings",
    "Stats",
    "StoreBusy",
    "StoreCorrupt",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "StoreTooNew",
    "StoreUnsupported",
    "TaskGraph",
    "TaskStep",
    "Team",
    "TokenCounter",
    "VersionConflict",
    "WriteEvent",
    "__version__",
    "distil_prompt",
    "parse_decisions",
    "reciprocal_ranks",
    "redact_secrets",
]
