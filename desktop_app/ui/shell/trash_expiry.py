"""Owns when it is looked whether something is in the trash for long enough. Knows no trash."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer

from desktop_app.ui.state.app_state import AppState

if TYPE_CHECKING:
    from desktop_app.ui.shell.main_window import MainWindow
    from desktop_app.ui.state.services import WindowServices

AFTER_START_MS: Final = 60_000
AGAIN_MS: Final = 6 * 3_600_000
"""A window may be open for weeks."""


class TrashExpiry:
    """A minute after the start, and then from time to time."""

    def __init__(self, window: MainWindow, app_state: AppState) -> None:
        self._app_state = app_state
        self.timer = QTimer(window)
        self.timer.setObjectName("trash expiry")
        self.timer.setInterval(AFTER_START_MS)
        self.timer.timeout.connect(self._look)
        app_state.services_arrived.connect(lambda _: self.timer.start())

    def _look(self) -> None:
        self.timer.setInterval(AGAIN_MS)
        services: WindowServices | None = self._app_state.ready
        if services is not None:
            self._app_state.start(services.trash.expire())
