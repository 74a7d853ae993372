"""Fixtures for the window: async tests here run under qasync, on the one application of the process."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from PySide6.QtCore import SignalInstance
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from pytestqt.wait_signal import SignalBlocker

from tests.patience import PATIENCE_MS
from tests.ui.window_loop import WindowLoop

if TYPE_CHECKING:
    from tests.ui.open_window import OpenWindow

LEFT = 20_000
"""New objects since the last look."""

# The window of a test speaks English and writes dates as the C locale does, whatever the developer's computer speaks.
os.environ.pop("LANGUAGE", None)
os.environ["LC_ALL"] = "C.UTF-8"


def _application() -> QApplication:
    # Imported late: a test of one widget needs no window.
    from desktop_app.ui.shell.opening import make_application

    app = QApplication.instance()
    return app if isinstance(app, QApplication) else make_application()


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    return {"qasync": lambda: WindowLoop(_application())}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            # Without a screen a popup can neither be raised nor take the keyboard, and there is no tray; Qt says so
            # each time.
            no_screen = ("This plugin does not support", "systemTrayWindowChanged")
            item.add_marker(pytest.mark.qt_log_ignore(*no_screen, extend=True))


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    """pytest-qt's application is Plimsoll's own."""
    return _application()


class PatientQtBot(QtBot):
    """Waits as long as every test does: pytest-qt alone would give up after five seconds."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE_MS) -> None:  # noqa: N802
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(  # noqa: N802
        self, signal: SignalInstance, *, timeout: int = PATIENCE_MS, **options: Any
    ) -> SignalBlocker:
        return super().waitSignal(signal, timeout=timeout, **options)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    return PatientQtBot(request)


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A data folder with a short path: sockets have no room for long ones."""
    return tmp_path / "data"


@pytest.fixture(autouse=True)
def qt_events_only_inside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    """pytest-qt would run Qt's events between a test and its fixtures, where no asyncio loop is running."""
    monkeypatch.setattr("pytestqt.plugin._process_events", lambda: None)


@pytest.fixture(autouse=True)
def garbage_is_collected_on_this_thread() -> None:
    """Python collects on the thread that allocates: a history's would destroy what the last window left, and Qt crash.

    It is looked through here, after windows and where much has come.
    """
    gc.disable()
    young, *older = gc.get_count()
    if young > LEFT or any(older):
        gc.collect()


@pytest.fixture(autouse=True)
def pointer_lies_elsewhere() -> None:
    """Where a test left the pointer, the next one's window would come up beneath it."""
    if QApplication.instance() is not None:
        QCursor.setPos(-1, -1)


@pytest.fixture
def sync_engine() -> Any:
    """Makes what the window syncs with; None: the real engine. A file of tests can have another."""
    return None


@pytest_asyncio.fixture
async def window(data_dir: Path, qapp: QApplication, sync_engine: Any) -> AsyncIterator[OpenWindow]:
    """The real window over a real history, with a backend that the test tells what to do."""
    from tests.ui.open_window import OpenWindow

    async with OpenWindow.opened(data_dir, sync=sync_engine) as opened:
        yield opened
