"""Starts Plimsoll again after its window has ended, as it was started."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Final

RESTART: Final = -1
"""The value that a session ends with instead of an exit status, where Plimsoll is to be started again."""

RESET: Final = {"PYINSTALLER_RESET_ENVIRONMENT": "1"}
"""The frozen app would otherwise take its child for a part of itself."""


def start_again() -> None:
    """Starts this program with the same arguments; the data folder has to be free by now."""
    subprocess.Popen([sys.executable, *sys.orig_argv[1:]], env={**os.environ, **RESET})
