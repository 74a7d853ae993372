"""The parts of Plimsoll beside its windows: quick line, tray, notices, backups, the trash, the cards they show."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Final

from PySide6.QtCore import QFileSystemWatcher, QMetaObject, QObject, Qt, QTimer, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import HistoryDamaged, HistoryRepaired, SettingsChanged, WritingChanged
from desktop_app.core.history_records import HistoryRepair, repair_sentences
from desktop_app.core.messages import Failure
from desktop_app.paths import DataPaths
from desktop_app.ui.desktop.notifications import EndNotices, Notifications, Tray, has_tray
from desktop_app.ui.i18n.language import tr, translated
from desktop_app.ui.quick.quick_presenter import QuickQuestions
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.bridge import Bridge, Tasks
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.state.window_state import WindowState
from desktop_app.ui.theme.style import Appearance


class BackgroundPresence(QObject):
    """Lives as long as the process has services, with an `AppState` of its own.

    `window_wanted` carries what the main window is to do: "", "new_thread", or the action of a card's button.
    """

    thread_wanted = Signal(str)
    window_wanted = Signal(str)
    quit_wanted = Signal()
    told = Signal(str)  # a line for the main window

    def __init__(
        self, loop: asyncio.AbstractEventLoop, tasks: Tasks, appearance: Appearance, state: WindowState
    ) -> None:
        super().__init__()
        self._appearance = appearance
        self._state = state
        self.app_state = AppState(loop, tasks, Bridge(self), self)
        self.quick = QuickQuestions(self.app_state, appearance, state, self)
        self.quick.thread_wanted.connect(self.thread_wanted)
        self.quick.window_wanted.connect(self.window_wanted)
        self.notices = EndNotices(self.app_state, self.looking, self)
        self.notices.due.connect(self.tell)
        self.tray: Tray | None = None
        self._notifications: Notifications | None = None
        self._told_no_tray = False
        self.app_state.bridge.subscribe(SettingsChanged, self._take_settings)

    def supply(self, services: WindowServices) -> None:
        """The services are there; a second call with the same ones changes nothing."""
        if self.app_state.ready is not services:
            self.app_state.supply(services)
            self._take_settings()

    @property
    def stays(self) -> bool:
        """True where Plimsoll goes on without a window: there is an icon to bring it back from."""
        return self.tray is not None

    def looking(self) -> bool:
        """Return True if a window of Plimsoll has the keyboard."""
        return QApplication.activeWindow() is not None

    def tell(self, key: str, headline: str, text: str) -> None:
        """Has the desktop tell something; a click on it asks for the thread that `key` names."""
        self._told_by().tell(key, headline, text)

    def told_of_tray(self) -> None:
        """The window was closed and Plimsoll goes on in the tray, which is said once."""
        if not self._state.told_of_tray:
            self._state.told_of_tray = True
            self.tell("", self.tr("Plimsoll is still running in the tray"), self.tr("The tray menu has Show and Quit."))

    async def close(self) -> None:
        """The orderly end, while the services are still there."""
        self._drop_tray()
        if self.app_state.ready is not None:
            await self.quick.close()
        else:
            self.quick.keep_draft()

    async def destroy(self) -> None:
        """Destroys the quick line here and now, as any thread could do it later, and the rest with it."""
        if (window := self.quick.window) is not None:
            gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            window.destroyed.connect(lambda: gone.set_result(None))
            window.close_now()
            window.deleteLater()
            self.quick.window = None
            await gone
        self.deleteLater()

    def _take_settings(self, _fact: object = None) -> None:
        if (services := self.app_state.ready) is None:
            return
        settings = services.preferences.settings
        self._appearance.take(settings.appearance)
        if settings.window.tray and self.tray is None:
            self._make_tray()
        elif not settings.window.tray:
            self._drop_tray()

    def _make_tray(self) -> None:

        if not has_tray():
            if not self._told_no_tray:
                self._told_no_tray = True
                self.told.emit(self.tr("This desktop has no tray. Closing the window ends Plimsoll."))
            return
        tray = self.tray = Tray(self)
        tray.new_thread_wanted.connect(lambda: self.window_wanted.emit("new_thread"))
        tray.window_wanted.connect(lambda: self.window_wanted.emit(""))
        tray.quick_wanted.connect(self.quick.open)
        tray.quit_wanted.connect(self.quit_wanted)
        self._told_by().tray.use(tray.icon)

    def _drop_tray(self) -> None:
        if self.tray is not None:
            self._told_by().tray.use(None)
            self.tray.close()
            self.tray = None

    def _told_by(self) -> Notifications:
        if self._notifications is None:
            self._notifications = Notifications(self)
            self._notifications.chosen.connect(self._chosen)
        return self._notifications

    def _chosen(self, key: str) -> None:
        if key:
            self.app_state.start(self._open(key))
        else:
            self.window_wanted.emit("")

    async def _open(self, thread_id: str) -> None:
        services = await self.app_state.services()
        try:
            thread = await services.library.find(thread_id)
        except PlimsollError:
            # It has been deleted since: the window says nothing about what is not there.
            self.window_wanted.emit("")
            return
        self.thread_wanted.emit(thread.id)


TRASH_AFTER_START_MS: Final = 60_000
TRASH_AGAIN_MS: Final = 6 * 3_600_000
"""A window may be open for weeks."""


class TrashExpiry:
    """A minute after the start, and then from time to time."""

    def __init__(self, parent: QObject, front: Callable[[], AppState]) -> None:
        self._front = front
        self.timer = QTimer(parent, interval=TRASH_AFTER_START_MS)
        self.timer.setObjectName("trash expiry")
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
        self._timer = QTimer(self, singleShot=True, interval=UNTOUCHED_MS)
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
        self.timer = QTimer(parent, interval=BACKUP_AFTER_START_MS)
        self.timer.setObjectName("backup keeping")
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
        self._look = QTimer(self, interval=LOOK_ON_DISK_MS)
        self._look.timeout.connect(self._look_or_rest)
        self._file = QFileSystemWatcher(self)
        self._file.fileChanged.connect(self._wake)
        self._file.directoryChanged.connect(self._wake)
        idle.stirred.connect(self._wake)
        if isinstance(app := QGuiApplication.instance(), QGuiApplication):
            app.applicationStateChanged.connect(self._tell_focus)
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
        if (services := self._front().ready) is not None:
            services.sync.start()
        self._tell_focus()
        self._wake()
        self._look_on_disk()

    def _wake(self, _fact: object = None) -> None:
        """Something happens: the file is looked at until it is quiet again."""
        self._heard = monotonic()
        if not self._look.isActive() and self._front().ready is not None:
            self._look.start()

    def _tell_focus(self, _state: object = None) -> None:
        """Other devices' changes are looked for sooner while somebody is there."""
        if (services := self._front().ready) is not None:
            services.sync.set_focus(QGuiApplication.applicationState() == Qt.ApplicationState.ApplicationActive)

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
        if (front := self._front()).ready is not None:
            front.start(front.ready.chat.watch.look())
