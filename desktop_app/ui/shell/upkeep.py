"""The work done from time to time for all windows: backups and the card of damage, the trash, a look when idle."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QFileSystemWatcher, QMetaObject, QObject, QTimer, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from desktop_app.core.events import HistoryDamaged, HistoryRepaired, WritingChanged
from desktop_app.core.history_records import HistoryRepair, repair_sentences
from desktop_app.core.messages import Failure
from desktop_app.ui.i18n.language import tr, translated
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.bridge import Bridge

if TYPE_CHECKING:
    from desktop_app.paths import DataPaths
    from desktop_app.ui.state.services import WindowServices


TRASH_AFTER_START_MS: Final = 60_000
TRASH_AGAIN_MS: Final = 6 * 3_600_000
"""A window may be open for weeks."""


class TrashExpiry:
    """A minute after the start, and then from time to time."""

    def __init__(self, parent: QObject, front: Callable[[], AppState]) -> None:
        self._front = front
        self.timer = QTimer(parent)
        self.timer.setObjectName("trash expiry")
        self.timer.setInterval(TRASH_AFTER_START_MS)
        self.timer.timeout.connect(self._look)

    def _look(self) -> None:
        self.timer.setInterval(TRASH_AGAIN_MS)
        front = self._front()
        services: WindowServices | None = front.ready
        if services is not None:
            front.start(services.trash.expire())


UNTOUCHED_MS: Final = 10_000


class IdleWatch(QObject):
    """`idle` from `UNTOUCHED_MS` after the last sign or move of a caret, until the next; `stirred` tells of that."""

    stirred = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.idle = False
        self._blinking = QGuiApplication.styleHints().cursorFlashTime()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(UNTOUCHED_MS)
        self._timer.timeout.connect(self._rest)
        self._timer.start()
        self._followed: list[QMetaObject.Connection] = []
        app.focusChanged.connect(self._follow)
        app.applicationStateChanged.connect(self.stir)
        self._follow(None, app.focusWidget())

    def stir(self, *_: object) -> None:
        """Somebody is there."""
        self._timer.start()
        if self.idle:
            self.idle = False
            QGuiApplication.styleHints().setCursorFlashTime(self._blinking)
            self.stirred.emit()

    def end(self) -> None:
        """Leaves the caret as the system has it."""
        self.stir()
        self._timer.stop()
        self.deleteLater()

    def _rest(self) -> None:
        self.idle = True
        hints = QGuiApplication.styleHints()
        self._blinking = hints.cursorFlashTime()
        hints.setCursorFlashTime(0)

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        for followed in self._followed:
            QObject.disconnect(followed)
        self._followed = [signal.connect(self.stir) for signal in _signals(now)]
        self.stir()


def _signals(field: QWidget | None) -> tuple[SignalInstance, ...]:
    """Return the signals by which a field tells of the one who writes in it."""
    if isinstance(field, QTextEdit | QPlainTextEdit | QLineEdit):
        return field.cursorPositionChanged, field.textChanged
    return ()


def repair_failure(repair: HistoryRepair) -> Failure:
    """Return the failure that the card shows."""
    words = " ".join(map(translated, repair_sentences(repair)))
    return Failure("store", words, "\n".join(repair.details), ("open_data_folder",))


BACKUP_AFTER_START_MS: Final = 30_000
OPEN_LONG_MS: Final = 1_200_000
"""Milliseconds a window must be open for its text to be worth the day's copy, also on the first day."""
AGAIN_MS: Final = 3_600_000
"""A window may be open for weeks; there is one copy a day."""


class BackupKeeping:
    """Half a minute after the start, after 20 minutes, and then every hour."""

    def __init__(
        self, parent: QObject, bridge: Bridge, front: Callable[[], AppState], show: Callable[[Failure], None]
    ) -> None:
        self._front = front
        self._show = show
        self.timer = QTimer(parent)
        self.timer.setObjectName("backup keeping")
        self.timer.setInterval(BACKUP_AFTER_START_MS)
        self.timer.timeout.connect(self._look)
        bridge.subscribe(HistoryDamaged, self._tell)
        bridge.subscribe(HistoryRepaired, self._tell_repair)

    def _tell(self, found: HistoryDamaged) -> None:
        words = tr("The history file is damaged in places. Repair it now; what you typed stays.")
        self._show(Failure("store", words, found.detail, ("repair_history", "open_data_folder")))

    def _tell_repair(self, found: HistoryRepaired) -> None:
        self._show(repair_failure(found.repair))

    def _look(self) -> None:
        open_long = self.timer.interval() != BACKUP_AFTER_START_MS
        self.timer.setInterval(AGAIN_MS if open_long else OPEN_LONG_MS)
        front = self._front()
        services: WindowServices | None = front.ready
        if services is not None:
            front.start(services.backups.keep_up(open_long=open_long))


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
