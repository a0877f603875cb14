"""The upper layers: which rows are documents that the library makes of others."""

from agent_memory_os.pure.layer import ATOM, KEY_PREFIX

IS_DOCUMENT = f"({{m}}.layer > {ATOM} AND ifnull({{m}}.key, '') GLOB '{KEY_PREFIX}*')"
