"""How long a test waits for what must come: a protection against hanging, far above what a busy machine needs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 120.0
PATIENCE_MS: Final = 120_000


def wait_until(condition: Callable[[], object], what: str) -> None:
    """Waits on this thread for what must come."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, f"never came: {what}"
        time.sleep(0.02)


async def until(condition: Callable[[], object], what: str, patience_s: float = PATIENCE_S) -> None:
    """Waits while the event loop runs."""
    deadline = asyncio.get_running_loop().time() + patience_s
    while not condition():
        assert asyncio.get_running_loop().time() < deadline, f"never came: {what}"
        await asyncio.sleep(0.005)
