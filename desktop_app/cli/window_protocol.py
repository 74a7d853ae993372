"""The messages that a command and the open window exchange, and the values that they compare before.

One JSON object a line. A command says which protocol it speaks, the window answers with its version and a nonce; the
command asks, the window accepts or declines, the command tells it to go. Then the window sends what is to be printed,
and the exit status last; the command may send the wish to stop.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from desktop_app.instance_socket import socket_name

PROTOCOL: Final = 1

_COMPARED: Final = ("ANTHROPIC_", "OPENAI_", "CLAUDE_", "PLIMSOLL_", "SSL_", "HTTPX_")
"""Beginnings of variables that say who answers, with which key, from which address."""
_ALSO: Final = frozenset(("HOME", "REQUESTS_CA_BUNDLE", "PYTHON_KEYRING_BACKEND"))
_FILES: Final = frozenset(("PLIMSOLL_CLAUDE", "PLIMSOLL_SCRIPT"))
"""Variables that may name a file from the working folder."""


def socket_path(data_dir: Path) -> Path:
    """Return the path of the socket's file; Qt puts a name into the folder for temporary files."""
    return Path(tempfile.gettempdir()) / socket_name(data_dir)


def environment_digest(environ: Mapping[str, str], nonce: str) -> str:
    """A keyed hash of all in the environment that decides who answers, so that two can be compared without showing it.

    The nonce, of one conversation, is the key: nothing can be looked up, nor be compared with another time's.
    """
    found = {
        name: str(Path(value).expanduser().absolute()) if name in _FILES else value
        for name, value in environ.items()
        if value and name != "PLIMSOLL_HOME" and _is_compared(name.upper())
    }
    if "PLIMSOLL_CLAUDE" not in found:
        found["program"] = shutil.which("claude", path=environ.get("PATH")) or ""
    said = json.dumps(sorted(found.items()), ensure_ascii=True).encode()
    return hmac.new(nonce.encode(), said, hashlib.sha256).hexdigest()


def _is_compared(name: str) -> bool:
    return name.startswith(_COMPARED) or name.endswith("_PROXY") or name in _ALSO
