"""Owns what is done from time to time for all windows: backups, the trash, a look at what other processes wrote."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer

from desktop_app.core.messages import Failure
from desktop_app.ui.shell.backup_keeping import BackupKeeping
from desktop_app.ui.shell.trash_expiry import TrashExpiry
from desktop_app.ui.state.app_state import AppState

LOOK_ON_DISK_MS = 2000
"""How often it is looked whether a command in another process wrote to the history: one number is read."""


class Upkeep(QObject):
    """Begins with the services. `front` is the window's state that starts it all, whichever window is there by then."""

    def __init__(self, app_state: AppState, front: Callable[[], AppState], show: Callable[[Failure], None]) -> None:
        """`app_state`: tells when there are services and what is announced; it is there as long as the process."""
        super().__init__(app_state)
        self._front = front
        self.trash = TrashExpiry(self, front)
        self.backups = BackupKeeping(self, app_state.bridge, front, show)
        self._look = QTimer(self)
        self._look.setInterval(LOOK_ON_DISK_MS)
        self._look.timeout.connect(self._look_on_disk)
        app_state.services_arrived.connect(self.begin)
        if app_state.ready is not None:
            self.begin()

    def begin(self, _services: object = None) -> None:
        """The services are there."""
        for timer in (self.trash.timer, self.backups.timer, self._look):
            timer.start()
        self._look_on_disk()

    def _look_on_disk(self) -> None:
        front = self._front()
        if front.ready is not None:
            front.start(front.ready.chat.refresh_from_disk())
