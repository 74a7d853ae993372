"""A shown transcript, and small ways to act on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop_app.ui.theme.theme import load_bundled_fonts, load_theme
from desktop_app.ui.transcript.view import TranscriptView


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[TranscriptView]:
    """An empty transcript of 900 x 700 pixels."""
    load_bundled_fonts()
    made = TranscriptView(load_theme("light"))
    made.resize(900, 700)
    made.show()
    qtbot.waitExposed(made)
    yield made
    # lexers are loaded on a thread: none may be left behind when the view goes
    qtbot.waitUntil(lambda: not made.highlighter.busy)
    made.formula_updates.formulas.close()
    made.close()
    made.deleteLater()


@pytest.fixture
def drag(view: TranscriptView) -> Callable[[QPoint, QPoint], None]:
    """Presses at one point of the viewport, moves to another and releases there."""

    def send(kind: QEvent.Type, at: QPoint, buttons: Qt.MouseButton) -> None:
        button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
        spot = QPointF(at)
        none = Qt.KeyboardModifier.NoModifier
        event = QMouseEvent(kind, spot, view.viewport().mapToGlobal(spot), button, buttons, none)
        QApplication.sendEvent(view.viewport(), event)

    def act(start: QPoint, end: QPoint) -> None:
        send(QEvent.Type.MouseButtonPress, start, Qt.MouseButton.LeftButton)
        send(QEvent.Type.MouseMove, (start + end) / 2, Qt.MouseButton.LeftButton)
        send(QEvent.Type.MouseMove, end, Qt.MouseButton.LeftButton)
        send(QEvent.Type.MouseButtonRelease, end, Qt.MouseButton.NoButton)

    return act
