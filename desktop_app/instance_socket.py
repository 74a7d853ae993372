"""Names the socket of the window that serves a data folder."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

MAX_MESSAGE: Final = 1_000_000
"""Bytes; longer messages are not ours."""
LONGEST_PATH: Final = 100
"""The kernel takes 107 bytes of a socket's path."""


def socket_name(data_dir: Path) -> str:
    """The socket's path in the data folder; a short name made from it where paths are too long or not possible."""
    path = str(data_dir.resolve() / "instance.sock")
    if sys.platform != "win32" and len(path.encode()) <= LONGEST_PATH:
        return path
    import hashlib  # loads OpenSSL, which few starts need before the first paint

    return "plimsoll-" + hashlib.sha256(path.encode()).hexdigest()[:24]
