"""The desktop's notifications, with the rule for telling that an answer has ended, and the icon in its tray."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import SLOT, QObject, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from desktop_app.core.events import ConsentAsked, TurnEnded, TurnFailed, TurnPaused, TurnStarted
from desktop_app.resources import resource
from desktop_app.ui.i18n.language import public_title
from desktop_app.ui.state.app_state import AppState
from desktop_app.ui.widgets.parts import single_shot

if TYPE_CHECKING or sys.platform.startswith("linux"):
    from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

log = logging.getLogger(__name__)

PORTAL = "org.freedesktop.portal.Desktop"
PORTAL_PATH = "/org/freedesktop/portal/desktop"
PORTAL_NOTICES = "org.freedesktop.portal.Notification"
ICON_STAYS_MS = 15_000
"""Milliseconds that an icon stays that is there only for a notice, so that the notice can be clicked."""


class PortalNotices(QObject):
    """Notices through the desktop portal. `refused` carries what could not be told: key, headline, text."""

    chosen = Signal(str)
    refused = Signal(str, str, str)

    def __init__(self, bus: QDBusConnection, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus
        self._listening = False

    def tell(self, key: str, headline: str, text: str) -> None:
        """Asks for a notice and returns at once; one of the same key replaces the one before it."""
        if not self._bus.isConnected():
            self.refused.emit(key, headline, text)
            return
        if not self._listening:
            slot: Any = SLOT("_invoked(QDBusMessage)")  # a text, whatever PySide's stubs say
            self._listening = self._bus.connect("", PORTAL_PATH, PORTAL_NOTICES, "ActionInvoked", self, slot)
        call = QDBusMessage.createMethodCall(PORTAL, PORTAL_PATH, PORTAL_NOTICES, "AddNotification")
        call.setArguments([key, {"title": headline, "body": text, "default-action": "open"}])
        watcher = QDBusPendingCallWatcher(self._bus.asyncCall(call), self)
        watcher.finished.connect(lambda done: self._answered(done, key, headline, text))

    def _answered(self, watcher: QDBusPendingCallWatcher, key: str, headline: str, text: str) -> None:
        if watcher.isError():
            log.info("the desktop portal takes no notices: %s", watcher.error().name())
            self.refused.emit(key, headline, text)
        watcher.deleteLater()

    @Slot("QDBusMessage")  # a name, which other systems do not import
    def _invoked(self, message: QDBusMessage) -> None:
        if len(arguments := message.arguments()) > 1 and arguments[1] == "open":
            self.chosen.emit(str(arguments[0]))


class TrayNotices(QObject):
    """Notices from the tray's icon, or from one that is there for the notice only. Says nothing without a tray."""

    chosen = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self._lent: QSystemTrayIcon | None = None
        self._own: QSystemTrayIcon | None = None
        self._away = single_shot(self, self._take_away, ICON_STAYS_MS)

    def use(self, icon: QSystemTrayIcon | None) -> None:
        """The icon that stands in the tray anyway."""
        self._lent = icon
        if icon is not None:
            icon.messageClicked.connect(self._clicked)

    def tell(self, key: str, headline: str, text: str) -> None:
        """Shows a notice; only the newest can be chosen."""
        if not QSystemTrayIcon.isSystemTrayAvailable():
            return
        self._key = key
        if (icon := self._lent) is None:
            if self._own is None:
                self._own = QSystemTrayIcon(QIcon(str(resource("icons", "plimsoll-128.png"))), self)
                self._own.messageClicked.connect(self._clicked)
            icon = self._own
            icon.show()
            self._away.start()
        icon.showMessage(headline, text)

    def _clicked(self) -> None:
        self.chosen.emit(self._key)

    def _take_away(self) -> None:
        if self._own is not None:
            self._own.hide()


class Notifications(QObject):
    """The desktop's notices, by whichever way there is. `chosen` carries the key of the one that was clicked."""

    chosen = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tray = TrayNotices(self)
        self.tray.chosen.connect(self.chosen)
        self._portal: PortalNotices | None = None

    def tell(self, key: str, headline: str, text: str) -> None:
        """Asks the desktop to tell something; returns at once."""
        if sys.platform.startswith("linux"):
            if self._portal is None:
                self._portal = PortalNotices(QDBusConnection.sessionBus(), self)
                self._portal.chosen.connect(self.chosen)
                self._portal.refused.connect(self.tray.tell)
            self._portal.tell(key, headline, text)
        else:
            self.tray.tell(key, headline, text)


class EndNotices(QObject):
    """Listens to every answer of this process. `due` carries the thread's id, a headline and the thread's title."""

    due = Signal(str, str, str)

    def __init__(
        self,
        app_state: AppState,
        looking: Callable[[], bool],
        parent: QObject | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`looking`: whether a window of Plimsoll has the keyboard. `clock`: seconds."""
        super().__init__(parent)
        self._app_state = app_state
        self._looking = looking
        self._clock = clock
        self._since: dict[str, float] = {}
        app_state.bridge.subscribe(TurnStarted, self._started)
        app_state.bridge.subscribe(TurnPaused, self._paused)
        app_state.bridge.subscribe(ConsentAsked, self._paused)
        app_state.bridge.subscribe_each((TurnEnded, TurnFailed), self._over)

    def _started(self, started: TurnStarted) -> None:
        # An answer with look-ups has several beginnings and one end.
        self._since.setdefault(started.thread_id, self._clock())

    def _over(self, over: TurnEnded | TurnFailed) -> None:
        since = self._since.pop(over.thread_id, None)
        services = self._app_state.ready
        if since is None or services is None:
            return
        after = services.preferences.settings.window.notify_after_s
        stopped = isinstance(over, TurnEnded) and over.message.stop_reason in ("interrupted", "turn_cap")
        if after and not stopped and self._clock() - since >= after and not self._looking():
            failed = isinstance(over, TurnFailed)
            self._app_state.start(
                self._tell(over.thread_id, self.tr("Answer failed") if failed else self.tr("New answer"))
            )

    def _paused(self, paused: TurnPaused | ConsentAsked) -> None:
        """It waits for the user, however short it took until then."""
        services = self._app_state.ready
        if services is not None and services.preferences.settings.window.notify_after_s and not self._looking():
            at_cap = isinstance(paused, TurnPaused)
            words = self.tr("Paused at the turn cap") if at_cap else self.tr("A tool waits for you")
            self._app_state.start(self._tell(paused.thread_id, words))

    async def _tell(self, thread_id: str, headline: str) -> None:
        services = await self._app_state.services()
        opened = await services.chat.open_thread(thread_id)
        self.due.emit(thread_id, headline, public_title(opened.thread))


def has_tray() -> bool:
    """Return True if the desktop has a place for tray icons now."""
    return QSystemTrayIcon.isSystemTrayAvailable()


class TrayMenu(QMenu):
    """The entries of the tray's menu."""

    new_thread_wanted = Signal()
    quick_wanted = Signal()
    window_wanted = Signal()
    quit_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        for words, wish in (
            (self.tr("New thread"), self.new_thread_wanted),
            (self.tr("Quick question"), self.quick_wanted),
            (self.tr("Show Plimsoll"), self.window_wanted),
        ):
            self.addAction(words, wish.emit)
        self.addSeparator()
        self.addAction(self.tr("Quit"), self.quit_wanted.emit)


class Tray(QObject):
    """The icon; there until `close`. A click on it asks for the window."""

    new_thread_wanted = Signal()
    quick_wanted = Signal()
    window_wanted = Signal()
    quit_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.icon = QSystemTrayIcon(QIcon(str(resource("icons", "plimsoll-128.png"))), self)
        self.icon.setToolTip("Plimsoll")
        self.menu = TrayMenu()
        self.menu.new_thread_wanted.connect(self.new_thread_wanted)
        self.menu.quick_wanted.connect(self.quick_wanted)
        self.menu.window_wanted.connect(self.window_wanted)
        self.menu.quit_wanted.connect(self.quit_wanted)
        self.icon.setContextMenu(self.menu)
        self.icon.activated.connect(self._activated)
        self.icon.show()

    def close(self) -> None:
        """Takes the icon away."""
        self.icon.hide()
        self.menu.deleteLater()
        self.deleteLater()

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason == QSystemTrayIcon.ActivationReason.Trigger:
            self.window_wanted.emit()
