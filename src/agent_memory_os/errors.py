"""The one tree of errors: what went wrong, with the bad value and the way out.

AgentMemoryError
├── InvalidInput (ValueError)         the caller's argument is wrong
│   └── KeyReused                     an idempotency key came back with other content
├── NotFound (LookupError)            absent, or not visible: the same answer
├── NotPermitted (PermissionError)    visible, but not yours to change
├── VersionConflict (RuntimeError)    somebody changed it since you read it
├── ClientClosed (RuntimeError)       used after close()
├── ExtraMissing (ImportError)        an optional part is not installed
└── StoreError (RuntimeError)         the file, not the call
    ├── StoreBusy (TimeoutError)      another writer held the lock for too long
    ├── StoreCorrupt                  the file or an index in it is damaged
    ├── StoreTooNew                   written by a newer library; nothing was touched
    ├── StoreReadOnly                 the file can be read, and not written
    ├── StoreFull                     there is no room to write; nothing was written
    └── StoreUnsupported              this SQLite or file system lacks what is needed
"""


class AgentMemoryError(Exception):
    """Whatever this library raises on purpose."""


class InvalidInput(AgentMemoryError, ValueError):
    """An argument has the wrong type, shape or range; nothing was written."""


class KeyReused(InvalidInput):
    """An idempotency key was used before, with other content; nothing was written."""


class NotFound(AgentMemoryError, LookupError):
    """There is no such thing, or none that the caller may see."""


class NotPermitted(AgentMemoryError, PermissionError):
    """The caller sees it, and has no right to do this with it."""


class VersionConflict(AgentMemoryError, RuntimeError):
    """The memory changed since the version that the caller named.

    Attributes:
        found: the version that it has now.
    """

    def __init__(self, message: str, found: str) -> None:
        super().__init__(message)
        self.found = found

    def __reduce__(self) -> tuple[type["VersionConflict"], tuple[str, str]]:
        return type(self), (str(self), self.found)


class ClientClosed(AgentMemoryError, RuntimeError):
    """The client was used after ``close()``."""


class ExtraMissing(AgentMemoryError, ImportError):
    """An optional dependency is not installed; the message says how to install it."""


class StoreError(AgentMemoryError, RuntimeError):
    """The store could not do its work; the call itself was fine."""


class StoreBusy(StoreError, TimeoutError):
    """Another process kept the write lock; nothing was written, and a retry is safe."""


class StoreCorrupt(StoreError):
    """The file, or an index in it, is damaged."""


class StoreTooNew(StoreError):
    """A newer library wrote the file; it was not touched."""


class StoreReadOnly(StoreError):
    """The file cannot be written; reads work."""


class StoreFull(StoreError):
    """There is no room for what was to be written; nothing was, and reads work."""


class StoreUnsupported(StoreError):
    """SQLite or the file system lacks something that the store needs."""
