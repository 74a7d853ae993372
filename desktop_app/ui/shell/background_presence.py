"""The parts of Plimsoll beside the main window: quick line, tray, notices. Uses no main window.

It says what it wants of one; whoever has a main window, or can make it, listens.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from desktop_app.core.errors import PlimsollError
from desktop_app.core.events import SettingsChanged
from desktop_app.ui.desktop.notifications import EndNotices
from desktop_app.ui.quick.quick_presenter import QuickQuestions
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.state.bridge import Bridge, Tasks

if TYPE_CHECKING:  # loaded when they are first wanted
    from desktop_app.ui.desktop.notifications import Notifications
    from desktop_app.ui.desktop.tray import Tray
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
        window = self.quick.window
        if window is not None:
            gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            window.destroyed.connect(lambda: gone.set_result(None))
            window.close_now()
            window.deleteLater()
            self.quick.window = None
            await gone
        self.deleteLater()

    def _take_settings(self, _fact: object = None) -> None:
        services = self.app_state.ready
        if services is None:
            return
        settings = services.preferences.settings
        self._appearance.take(settings.appearance)
        if settings.window.tray and self.tray is None:
            self._make_tray()
        elif not settings.window.tray:
            self._drop_tray()

    def _make_tray(self) -> None:
        from desktop_app.ui.desktop.tray import Tray, has_tray

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
            from desktop_app.ui.desktop.notifications import Notifications

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
