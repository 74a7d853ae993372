"""Owns how modules are imported beside Qt: in slices, and without reading their sources. Knows only their names."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QTimer

if TYPE_CHECKING:
    from desktop_app.ui.main_window import MainWindow

SLICES = (
    "ssl",
    "concurrent.futures.thread",
    "asyncio.base_events",
    "asyncio.unix_events",
    "asyncio",
    "qasync",
    "PySide6.QtNetwork",
    "tomllib",
    "difflib",
    "desktop_app.core.catalog",
    "desktop_app.core.context.plan",
    "desktop_app.core.events",
    "desktop_app.core.settings",
    "desktop_app.core.context.words",
    "desktop_app.logs",
    "desktop_app.ui.cards.error_card",
    "desktop_app.ui.welcome.pane",
    "desktop_app.ui.presenters.connections",
    "desktop_app.ui.presenters.load",
    "desktop_app.ui.presenters.trouble",
    "desktop_app.ui.wiring",
    "desktop_app.ui.session",
)
"""What the first paint does without. In this order each import takes a few milliseconds: its own came before it."""


def spare_source_reading() -> None:
    """Keeps PySide from reading the source of every module that is imported after it.

    PySide looks there for the word PySide6, to know where its optional `snake_case` names may be switched on, which
    nobody here does. Reading costs about as much as importing (napari/napari#8584).
    """
    feature = sys.modules.get("shibokensupport.feature")
    if hasattr(feature, "_mod_uses_pyside"):
        feature._mod_uses_pyside = _without_features  # type: ignore[union-attr]


def _without_features(_module: object) -> bool:
    return False


class Slices:
    """Imports one module per turn of Qt's event loop, beginning after the window's first paint."""

    def __init__(self, names: Sequence[str], window: MainWindow) -> None:
        self._names = list(names)
        self._window = window
        self._timer = QTimer()
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._import_next)
        window.first_painted.connect(self._timer.start)
        window.close_requested.connect(self._finish)
        self._closing = False

    def run(self, app: QCoreApplication) -> bool:
        """Runs Qt's event loop until all is imported; True if the window was asked to close meanwhile."""
        app.exec()
        self._window.close_requested.disconnect(self._finish)
        return self._closing

    def _import_next(self) -> None:
        if not self._names:
            self._timer.stop()
            QCoreApplication.exit(0)
            return
        name = self._names.pop(0)
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            # Not on this system (asyncio.unix_events on Windows); a missing module of ours is a bug.
            if name.startswith("desktop_app") or error.name != name:
                raise

    def _finish(self) -> None:
        self._closing = True
        self._names.clear()
