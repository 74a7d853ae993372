"""A made-up secret of every format that is known, none of which opens anything; and texts that hold none."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import uuid
from collections.abc import Iterator
from pathlib import Path
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

ALNUM = ascii_letters + digits
ROOT = Path(__file__).parents[2]
MESSAGE = 2_000
"""Characters of a message that a long text is cut into."""


def secrets_of_formats(chance: Random) -> list[tuple[str, tuple[str, ...]]]:
    """Each with the parts of it of which nothing may leave: all but names of settings and the words around a block."""

    def one(start: str, count: int, signs: str = ALNUM) -> tuple[str, tuple[str, ...]]:
        rest = "".join(chance.choices(signs, k=count - 1)) + chance.choice("234567")
        return start + rest, (start + rest,)

    word = ALNUM + "-_"
    made = [
        *(one(start, 95, word) for start in ("sk-ant-api03-", "sk-ant-oat01-")),
        *(one(start, 120, word) for start in ("sk-proj-", "sk-svcacct-", "sk-admin-")),
        *(one(start, 48) for start in ("sk-", "gsk_", "pplx-")),
        one("sk-or-v1-", 64, "0123456789abcdef"),
        one("AIza", 35, word),
        *(one(start, 60, word) for start in ("ya29.", "GOCSPX-", "nvapi-")),
        one("xai-", 80),
        *(one(start, 16, ascii_uppercase + "234567") for start in ("AKIA", "ASIA")),
        *(one(start, 36) for start in ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "npm_")),
        one("github_pat_", 82, ALNUM + "_"),
        *(one(start, 20, word) for start in ("glpat-", "gldt-", "glrt-", "glptt-", "glcbt-")),
        *(
            one(start, 50, ALNUM + "-")
            for start in ("xoxb-", "xoxp-", "xoxa-", "xoxo-", "xoxr-", "xoxs-", "xoxe-", "xapp-")
        ),
        *(one(start, 24) for start in ("sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_")),
        one("pypi-AgEIcHlwaS5vcmc", 120, word),
        one("hf_", 34, ascii_letters),
    ]
    key = f"AKIA{''.join(chance.choices(ascii_uppercase, k=16))}"
    secret = "".join(chance.choices(ALNUM + "/+", k=39)) + "a"
    for text in (
        f"aws_access_key_id = {key}\naws_secret_access_key = {secret}",
        f'{{"AccessKeyId": "{key}", "SecretAccessKey": "{secret}"}}',
        f"AWS_SECRET_ACCESS_KEY={secret}\nAWS_ACCESS_KEY_ID={key}",
    ):
        made.append((text, (key, secret)))
    for name in ("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "):
        lines = [base64.b64encode(chance.randbytes(48)).decode() for _ in range(chance.randrange(2, 30))]
        last = base64.b64encode(chance.randbytes(chance.randrange(20, 47))).decode()
        for end in ("\n", "\r\n", "\\n"):
            ends = f"-----BEGIN {name}PRIVATE KEY-----", f"-----END {name}PRIVATE KEY-----"
            made.append((end.join([ends[0], *lines, last, ends[1]]), (*lines, last)))
    return made


def text_of_repository() -> Iterator[str]:
    """The repository's own text, cut into messages; tests of keys and of their removal hold some on purpose."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    kinds = (".py", ".md", ".toml", ".json", ".ts", ".yml", ".txt", ".svg", ".qss")
    for name in listed.split("\0"):
        if name.endswith(kinds) and not name.startswith("tests/"):
            text = (ROOT / name).read_text()
            yield from (text[at : at + MESSAGE] for at in range(0, len(text), MESSAGE))


def identifiers(chance: Random, rounds: int = 2_000) -> Iterator[str]:
    """Random identifiers of every kind that is no secret's format."""
    for _ in range(rounds):
        data = chance.randbytes(chance.randrange(20, 400))
        yield f"id {uuid.UUID(bytes=chance.randbytes(16))}"
        yield f"{hashlib.sha1(data).hexdigest()} {hashlib.sha256(data).hexdigest()}"
        yield base64.b64encode(data).decode()
        yield base64.urlsafe_b64encode(data).decode()
        yield "".join(chance.choices(ALNUM, k=chance.randrange(8, 80)))
        yield "-".join("".join(chance.choices(ascii_lowercase, k=5)) for _ in range(8))
        yield f"sk-{'-'.join(chance.choices(['label', 'id', '12', 'toggleable', 'content'], k=4))}"
