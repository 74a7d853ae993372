"""Owns a screen of the X window system for tests, with nobody else on it. Knows no window."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.patience import PATIENCE_S


@contextmanager
def x_screen(size: str = "1280x1024x24") -> Iterator[str]:
    """The name of a display, which ends with the block; `Xvfb` picks a free number itself."""
    heard, said = os.pipe()
    command = ["Xvfb", "-displayfd", str(said), "-screen", "0", size, "-noreset", "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[said], stderr=subprocess.DEVNULL)
    os.close(said)
    try:
        with os.fdopen(heard) as told:
            yield f":{told.readline().strip()}"
    finally:
        server.terminate()
        server.wait(timeout=PATIENCE_S)
