"""Secrets in a text, found by their shape."""

import re
from functools import partial

from agent_memory_os.model import Redaction

PRIVATE_KEY, API_KEY, TOKEN, PASSWORD = "private key", "API key", "token", "password"

# Kinds and shapes, tried in this order; what is masked is the group "secret", else all of it.
# Every repetition has a bound, or is of characters that end it: no text takes long to look through.
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        PRIVATE_KEY,
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
            r"(?:[^-]|-(?!----)){0,20000}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?"
        ),
    ),
    (
        PASSWORD,
        re.compile(r"\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@]{1,100}:(?P<secret>[^\s/@]{1,200})@"),
    ),
    (TOKEN, re.compile(r"\beyJ[\w-]{8,2000}\.eyJ[\w-]{8,4000}\.[\w-]{8,2000}")),  # JSON Web Token
    (
        API_KEY,
        re.compile(
            r"\b(?:sk|pk|rk)[-_](?=[\w-]{0,200}\d)[\w-]{20,300}"  # OpenAI, Anthropic, Stripe
            r"|\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b"  # AWS
            r"|\bAIza[\w-]{35}"  # Google
            r"|\bSG\.[\w-]{16,64}\.[\w-]{16,64}"  # SendGrid
            r"|\b(?:AC|SK)[0-9a-f]{32}\b"  # Twilio
        ),
    ),
    (
        TOKEN,
        re.compile(
            r"\bgh[pousr]_[A-Za-z0-9]{20,255}|\bgithub_pat_\w{20,255}"  # GitHub
            r"|\bglpat-[\w-]{16,255}"  # GitLab
            r"|\bxox[abeoprs]-[\w-]{10,255}"  # Slack
            r"|\bhf_[A-Za-z0-9]{20,255}|\bnpm_[A-Za-z0-9]{20,255}"  # Hugging Face, npm
            r"|\bpypi-[\w-]{20,300}|\bdop_v1_[0-9a-f]{32,128}"  # PyPI, DigitalOcean
            r"|\b\d{8,10}:[A-Za-z0-9_-]{35}\b"  # Telegram
        ),
    ),
    (TOKEN, re.compile(r"(?i)\bbearer\s{1,4}(?P<secret>[\w.~+/-]{12,2000}=*)")),
    (
        PASSWORD,
        re.compile(
            r"""(?ix)
            \b(?:[a-z0-9]{1,40}[_-]){0,4}
            (?:password|passwd|passphrase|pwd|secret|api[_-]?key|access[_-]?key|(?:auth[_-]?)?token)
            ["']?\s{0,4}(?:=|:|\bis\b)\s{0,4}["']?
            (?P<secret>(?=[^\s"']{0,200}[\d!@\#$%^&*+/=_~-])[^\s"',;()\[\]]{6,300})
            """
        ),
    ),
)


def redact_secrets(text: str) -> Redaction:
    """Return *text* with the usual secrets masked: keys, tokens, passwords and private keys.

    It knows the shapes of common services, web tokens, ``Bearer ...``, passwords in addresses, and
    what is said to be a password or key, and has more than letters in it. It is a net, not a
    wall: a secret that looks like a word goes through. Its own marks it leaves alone.

    >>> said = redact_secrets("Deploy with AWS key AKIAIOSFODNN7EXAMPLE, please")
    >>> said.text
    'Deploy with AWS key [API key], please'
    >>> said.masked
    {'API key': 1}
    """
    masked: dict[str, int] = {}
    for kind, shape in _SHAPES:
        text, count = shape.subn(partial(_without, kind), text)
        if count:
            masked[kind] = masked.get(kind, 0) + count
    return Redaction(text, masked)


def _without(kind: str, found: re.Match[str]) -> str:
    """Return what was *found* with a mark of its *kind* in place of the secret."""
    if "secret" not in found.re.groupindex:
        return f"[{kind}]"
    start, end = (place - found.start() for place in found.span("secret"))
    return f"{found[0][:start]}[{kind}]{found[0][end:]}"
