"""The times to look whether something is in the trash for long enough."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from desktop_app.ui.state.app_state import AppState

if TYPE_CHECKING:
    from desktop_app.ui.state.services import WindowServices

AFTER_START_MS: Final = 60_000
AGAIN_MS: Final = 6 * 3_600_000
"""A window may be open for weeks."""


class TrashExpiry:
    """A minute after the start, and then from time to time."""

    def __init__(self, parent: QObject, front: Callable[[], AppState]) -> None:
        self._front = front
        self.timer = QTimer(parent)
        self.timer.setObjectName("trash expiry")
        self.timer.setInterval(AFTER_START_MS)
        self.timer.timeout.connect(self._look)

    def _look(self) -> None:
        self.timer.setInterval(AGAIN_MS)
        front = self._front()
        services: WindowServices | None = front.ready
        if services is not None:
            front.start(services.trash.expire())
