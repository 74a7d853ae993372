"""Cancels what is held with the mouse on Esc, wherever the keyboard is, and when the window is left."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget


class EscapeWatch(QObject):
    """Looks at the application's events from `start` to `stop`."""

    def __init__(self, widget: QWidget, cancel: Callable[[], None]) -> None:
        super().__init__(widget)
        self._widget, self._cancel = widget, cancel

    def start(self) -> None:
        """Something is held now."""
        app = QGuiApplication.instance()
        if app is not None:
            app.installEventFilter(self)

    def stop(self) -> None:
        """Nothing is held any more."""
        app = QGuiApplication.instance()
        if app is not None:
            app.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in {QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress} and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                event.accept()
                if kind == QEvent.Type.KeyPress:
                    self._cancel()
                return True
        elif kind == QEvent.Type.WindowDeactivate and watched is self._widget.window():
            self._cancel()
        return False
