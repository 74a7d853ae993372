"""The controller's tests run over a real history file; those about tasks under the window's event loop as well."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from desktop_app.backends.backend_protocol import Backend
from desktop_app.controller.private_history import PrivateHistory
from tests.controller.world import WatchedHistory, World, make_world
from tests.fakes.gated_backend import GatedBackend

if TYPE_CHECKING:
    from PySide6.QtCore import QCoreApplication


ROOM = Path(__file__).parent

KEPT_LOOPS: list[asyncio.AbstractEventLoop] = []
"""Closed loops stay: their Qt objects, freed by the collector while the database thread runs, crash the process."""


@functools.cache
def application() -> QCoreApplication:
    """The one application object of the process; Qt does not survive a second one."""
    from PySide6.QtWidgets import QApplication

    return QApplication.instance() or QApplication([])


def window_loop() -> asyncio.AbstractEventLoop:
    """The event loop that the window runs on."""
    app = application()
    from tests.ui.window_loop import WindowLoop

    loop: asyncio.AbstractEventLoop = WindowLoop(app)
    KEPT_LOOPS.append(loop)
    return loop


ON_BOTH_LOOPS = frozenset(
    {
        *("test_sending", "test_stopping", "test_retrying", "test_library"),
        *("test_summaries", "test_step_summary", "test_successor", "test_attachments"),
    }
)
"""Modules about tasks: what starts, waits and is cancelled has to do so under the window's loop too."""


@pytest.hookimpl
def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """The loops that an asynchronous test of this room runs under."""
    plain: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {"asyncio": asyncio.new_event_loop}
    return {**plain, "qasync": window_loop} if item.path.stem in ON_BOTH_LOOPS else plain


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Under the window's loop the inner loop of work runs the module about stopping only; the rest counts as slow."""
    for item in items:
        # With further parameters the loop's name is only a part of the test's.
        if item.path.parent == ROOM and "[qasync" in item.name and item.path.stem != "test_stopping":
            item.add_marker("slow")


@pytest.fixture
def backend() -> GatedBackend:
    return GatedBackend()


@pytest_asyncio.fixture
async def history(tmp_path: Path) -> AsyncIterator[WatchedHistory]:
    opened = await WatchedHistory.open(tmp_path / "history.db")
    yield opened
    await opened.close()


@pytest_asyncio.fixture
async def with_private(history: WatchedHistory) -> AsyncIterator[PrivateHistory]:
    """The history with another one in memory for private threads, as the app has it."""
    both = PrivateHistory(history, WatchedHistory.open_in_memory)
    yield both
    await both.close()


@pytest_asyncio.fixture
async def world(history: WatchedHistory, backend: GatedBackend) -> AsyncIterator[World]:
    """A controller over a real history, with two backends; afterwards no task may be left."""
    backends: dict[str, Backend] = {"gated": backend, "other": GatedBackend("other")}
    before = asyncio.all_tasks()
    made = await make_world(history, backends)
    yield made
    await made.chat.close()
    left = asyncio.all_tasks() - before - {asyncio.current_task()}
    assert not left, f"tasks left running: {left}"
