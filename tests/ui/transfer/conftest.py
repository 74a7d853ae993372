from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.ui.open_window import OpenWindow


@pytest_asyncio.fixture
async def talk(window: OpenWindow) -> AsyncIterator[OpenWindow]:
    """A window with a thread open."""
    await window.send("a question of mine")
    window.window.activateWindow()
    yield window
