"""Recall profiles: one for each agent that saved one."""

import json

from agent_memory_os.model import RecallProfile
from agent_memory_os.pure.draft import encode
from agent_memory_os.store.sqlite import names as named
from agent_memory_os.store.sqlite.line import Line, Pen

ANY = "SELECT 1 FROM profiles LIMIT 1"
FIND = "SELECT weights, version FROM profiles WHERE agent = :agent"
PUT = """
    INSERT INTO profiles(agent, weights, version) VALUES (:agent, :weights, :version)
    ON CONFLICT DO UPDATE SET
        weights = excluded.weights, version = excluded.version, version_node = NULL
"""


def find(line: Line, agent: str) -> RecallProfile | None:
    """Return the profile that was last saved for an agent, if any."""
    if not named.has_any(line.db, line.names, ANY):
        return None
    number = named.agent(line.db, line.names, agent)
    found = line.db.execute(FIND, {"agent": number}).fetchone()
    return None if found is None else RecallProfile.from_dict(json.loads(found[0]))


def put(pen: Pen, profile: RecallProfile) -> None:
    """Save the profile of its agent, in place of the one before."""
    agent = named.make_agent(pen.db, pen.names, profile.agent_id, pen.now_ms)
    before = pen.db.execute(FIND, {"agent": agent}).fetchone()
    values = {
        "agent": agent,
        "weights": encode(profile.to_dict()),
        "version": pen.tick(after=0 if before is None else before[1]),
    }
    pen.db.execute(PUT, values)
