"""Owns the text of one message as screen readers go through it: by characters, words and lines. Paints nothing.

Qt's own text field speaks to screen readers; ours stands, unseen, where the message that the keyboard is on stands.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPaintEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget


class AccessibleMessage(QPlainTextEdit):
    """A field that cannot be seen, clicked or edited."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.index = -1
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setStyleSheet("background: transparent")

    def speak_of(self, index: int, name: str, text: str, place: QRect) -> None:
        """Takes over message `index`, which is called `name` and stands at `place`."""
        self.index = index
        self.setAccessibleName(name)
        self.setGeometry(place)
        if self.toPlainText() != text:
            self.setPlainText(text)
        self.show()

    def select(self, anchor: int, caret: int) -> None:
        """Where the selection begins and where the caret stands, as positions in the text."""
        length = len(self.toPlainText().encode("utf-16-le", "surrogatepass")) // 2
        cursor = self.textCursor()
        cursor.setPosition(min(anchor, length))
        cursor.setPosition(min(caret, length), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def be_quiet(self) -> None:
        """The keyboard is on no message any more."""
        self.index = -1
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Nothing is painted: the canvas shows the message."""
