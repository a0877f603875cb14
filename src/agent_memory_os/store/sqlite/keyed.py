"""Digests by the key of the file: nobody else can make them, and so no guess can be checked."""

from hashlib import blake2b

from agent_memory_os.pure.draft import encode
from agent_memory_os.store.sqlite.line import Line, Pen

SECRET = "SELECT secret FROM state"
SET_SECRET = "UPDATE state SET secret = :secret"
DIGEST_BYTES = 16
_SECRET_BITS = 256


def secret(line: Line) -> str:
    """Return the key of the file; empty while none was needed."""
    (found,) = line.db.execute(SECRET).fetchone()
    return str(found)


def make_secret(pen: Pen) -> str:
    """Return the key of the file, which is drawn if need be."""
    found = secret(pen)
    if not found:
        found = f"{pen.entropy(_SECRET_BITS):0{_SECRET_BITS // 4}x}"
        set_secret(pen, found)
    return found


def set_secret(pen: Pen, key: str) -> None:
    """Give the file another key; what was made by the one before means nothing any more."""
    pen.db.execute(SET_SECRET, {"secret": key})


def digest(key: str, *said: str | None) -> str:
    """Return the digest of some texts in order by a key."""
    text = encode([*said])
    return blake2b(text.encode(), key=bytes.fromhex(key), digest_size=DIGEST_BYTES).hexdigest()
