"""Secrets in a text: masked by their shape, and nothing that only looks a little like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_memory_os import Redaction
from agent_memory_os.pure.redaction import (
    API_KEY,
    PASSWORD,
    PRIVATE_KEY,
    TOKEN,
    redact_secrets,
)

WORD = "abcdefghij0123456789"
KEY = f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{WORD}+/=\n"
SHAPES = [
    (f"sk-{WORD}", API_KEY),
    (f"sk-ant-api03-{WORD}", API_KEY),
    (f"sk_live_{WORD}", API_KEY),
    ("AKIAIOSFODNN7EXAMPLE", API_KEY),
    (f"AIza{WORD}{WORD[:15]}", API_KEY),
    (f"ghp_{WORD}", TOKEN),
    (f"github_pat_{WORD}", TOKEN),
    (f"glpat-{WORD}", TOKEN),
    (f"xoxb-{WORD}", TOKEN),
    (f"hf_{WORD}", TOKEN),
    (f"npm_{WORD}", TOKEN),
    (f"eyJ{WORD}.eyJ{WORD}.{WORD}", TOKEN),
    (KEY + "-----END RSA PRIVATE KEY-----", PRIVATE_KEY),
    (KEY, PRIVATE_KEY),
]


@pytest.mark.parametrize(("secret", "kind"), SHAPES)
def test_a_secret_is_masked_by_its_kind(secret: str, kind: str) -> None:
    said = redact_secrets(f"use {secret}")

    assert said == Redaction(f"use [{kind}]", {kind: 1})


@pytest.mark.parametrize(
    ("text", "left", "kind"),
    [
        ("Authorization: Bearer abc.def-123456", "Authorization: Bearer [token]", TOKEN),
        ("postgres://ada:p4ss@db/x", "postgres://ada:[password]@db/x", PASSWORD),
        ("DB_PASSWORD=hunter-2", "DB_PASSWORD=[password]", PASSWORD),
        ('{"api_key": "abc123"}', '{"api_key": "[password]"}', PASSWORD),
        ("my password is hunter2 now", "my password is [password] now", PASSWORD),
    ],
)
def test_of_a_named_secret_only_the_secret_is_masked(text: str, left: str, kind: str) -> None:
    assert redact_secrets(text) == Redaction(left, {kind: 1})


@pytest.mark.parametrize(
    "text",
    [
        "Alice prefers dark mode",
        "password: required field",
        "the secret is kindness",
        "a limit of 4096 tokens",
        "sk-learn-and-other-long-names-of-things",
        "commit 3bbaa75ba4f3c0ffee",
        "see https://example.org:8080/a?b=c",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact_secrets(text) == Redaction(text, {})


PIECES = [*(secret for secret, _ in SHAPES), "key:", "password is", "Bearer", "tea", "x://a:b@c"]


@given(st.lists(st.sampled_from(PIECES)).map(" ".join))
def test_masking_again_changes_nothing(text: str) -> None:
    once = redact_secrets(text).text

    assert redact_secrets(once) == Redaction(once, {})


@pytest.mark.parametrize(
    "text", ["-----BEGIN PRIVATE KEY-----", "a-", "eyJ", "://", "sk-", "bearer ", "password=", "-"]
)
def test_no_text_takes_long(text: str) -> None:
    """Each shape looks at a character a bounded number of times; a slip here takes minutes."""
    assert redact_secrets(text * 20_000).text
