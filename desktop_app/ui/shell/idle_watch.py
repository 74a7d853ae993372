"""Notices when nobody has touched the app for a while; the caret blinks until then, as each blink wakes the process."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QMetaObject, QObject, QTimer, Signal, SignalInstance
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

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
