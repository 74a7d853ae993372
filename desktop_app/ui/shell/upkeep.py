"""The work done from time to time for all windows: backups, the trash, a look at the writes of other processes."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer
from PySide6.QtGui import QGuiApplication

from desktop_app.core.events import WritingChanged
from desktop_app.core.messages import Failure
from desktop_app.ui.shell.backup_keeping import BackupKeeping
from desktop_app.ui.shell.idle_watch import IdleWatch
from desktop_app.ui.shell.trash_expiry import TrashExpiry
from desktop_app.ui.state.app_state import AppState

if TYPE_CHECKING:
    from desktop_app.paths import DataPaths

LOOK_ON_DISK_MS = 2000
"""Milliseconds between two looks whether a command in another process wrote to the history: one number is read."""
QUIET_S: Final = 5.0
"""When nothing was announced for so long, and nobody touched the app, it is looked only where the system tells of the
file, or where it can't tell."""


class Upkeep(QObject):
    """Begins with the services. `front` is the window's state that starts it all, whichever window is there by then."""

    def __init__(
        self,
        app_state: AppState,
        front: Callable[[], AppState],
        show: Callable[[Failure], None],
        *,
        paths: DataPaths,
        idle: IdleWatch,
    ) -> None:
        """`app_state`: tells when there are services and what is announced; it is there as long as the process."""
        super().__init__(app_state)
        self._idle = idle
        self._paths = [str(paths.root), str(paths.history), f"{paths.history}-wal"]
        self._problem: Failure | None = None
        self._heard = 0.0
        self._front = front
        self.trash = TrashExpiry(self, front)
        self.backups = BackupKeeping(self, app_state.bridge, front, show)
        self._look = QTimer(self)
        self._look.setInterval(LOOK_ON_DISK_MS)
        self._look.timeout.connect(self._look_or_rest)
        self._file = QFileSystemWatcher(self)
        self._file.fileChanged.connect(self._wake)
        self._file.directoryChanged.connect(self._wake)
        idle.stirred.connect(self._wake)
        app_state.bridge.subscribe(WritingChanged, self._note_problem)
        app_state.bridge.announced.connect(self._wake)
        app_state.services_arrived.connect(self.begin)
        if app_state.ready is not None:
            self.begin()

    @property
    def looks(self) -> bool:
        """True where the file is looked at from time to time."""
        return self._look.isActive()

    def begin(self, _services: object = None) -> None:
        """The services are there."""
        for timer in (self.trash.timer, self.backups.timer, self._look):
            timer.start()
        self._wake()
        self._look_on_disk()

    def _wake(self, _fact: object = None) -> None:
        """Something happens: the file is looked at until it is quiet again."""
        self._heard = monotonic()
        if not self._look.isActive() and self._front().ready is not None:
            self._look.start()

    def _note_problem(self, changed: WritingChanged) -> None:
        self._problem = changed.problem

    def _look_or_rest(self) -> None:
        self._look_on_disk()
        watched = {*self._file.files(), *self._file.directories()}
        missing = [one for one in self._paths if one not in watched]
        untold = self._file.addPaths(missing) if missing else []
        if not self._idle.idle or self._problem is not None or monotonic() - self._heard < QUIET_S:
            return
        if self._paths[1] not in untold or QGuiApplication.focusWindow() is None:
            self._look.stop()

    def _look_on_disk(self) -> None:
        front = self._front()
        if front.ready is not None:
            front.start(front.ready.chat.refresh_from_disk())
