"""The icon in the desktop's tray and its menu. Only reports what the user wishes, and uses no window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from desktop_app.resources import resource


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
