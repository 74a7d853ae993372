"""Owns the text field in which a message is written. Knows no thread and nothing of sending."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from desktop_app.ui.composer.incoming import has_incoming, incoming
from desktop_app.ui.theme import GRID, Theme

LONG_PASTE = 10_000
"""Characters of a pasted text from which on it may be better off as a document: some 2,500 tokens, four screens."""


class ComposerEdit(QPlainTextEdit):
    """Grows with its text up to a height that the composer sets; sends on Enter but never while text is composed."""

    send_requested = Signal()
    edit_last_requested = Signal()
    attached = Signal(object)  # Incoming: files or a picture were pasted
    long_pasted = Signal(object)  # QTextCursor over a long text that was pasted

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Message"))
        self.setPlaceholderText(self.tr("Write a message"))
        self.document().setDocumentMargin(0)
        self.enter_sends = True
        self.undo_first: Callable[[], bool] = lambda: False
        """Takes back what was done beside the text since it last changed; False if there is nothing."""
        self._preedit = False
        self._most = 30 * GRID
        self.textChanged.connect(self._follow_text)

    def set_theme(self, theme: Theme) -> None:
        self.setFont(theme.body_font())
        self._follow_text()

    def set_most_height(self, pixels: int) -> None:
        """How high the field may grow."""
        if pixels != self._most:
            self._most = pixels
            self._follow_text()

    def composing(self) -> bool:
        """True while an input method shows text that is not yet part of the message."""
        return self._preedit

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        super().inputMethodEvent(event)
        self._preedit = bool(event.preeditString())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        composed = self._preedit and (enter or event.key() == Qt.Key.Key_Escape)
        if composed or (event.matches(QKeySequence.StandardKey.Undo) and self.undo_first()):
            event.accept()
        elif enter and self._sends(event.modifiers()):
            self.send_requested.emit()
        elif enter:
            self.textCursor().insertText("\n")
            self.ensureCursorVisible()
        elif event.key() == Qt.Key.Key_Up and self.document().isEmpty():
            self.edit_last_requested.emit()
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() or has_incoming(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Pastes text only, as it is; what is no text is `attached`."""
        brought = incoming(source)
        if brought is not None:
            self.attached.emit(brought)
        elif source.hasText():
            text = source.text().replace("\0", "")
            cursor = self.textCursor()
            start = cursor.selectionStart()
            cursor.insertText(text)
            self.ensureCursorVisible()
            if len(text) >= LONG_PASTE:
                end = cursor.position()
                cursor.setPosition(start)
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                self.long_pasted.emit(cursor)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """What is no text is dropped on the whole pane."""
        if has_incoming(event.mimeData()):
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if has_incoming(event.mimeData()):
            event.ignore()
        else:
            super().dragMoveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        if has_incoming(event.mimeData()):
            event.ignore()
        else:
            super().dropEvent(event)

    def replace_text(self, text: str) -> None:
        """Replaces everything, undoably, and puts the cursor at the end."""
        cursor = self.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._follow_text()

    def sizeHint(self) -> QSize:
        return QSize(40 * GRID, self.height())

    def _sends(self, modifiers: Qt.KeyboardModifier) -> bool:
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            return True
        return bool(modifiers & Qt.KeyboardModifier.ShiftModifier) != self.enter_sends

    def _follow_text(self) -> None:
        line = self.fontMetrics().lineSpacing()
        height, block = 0.0, self.document().firstBlock()
        # Only as many lines are measured as can show: a pasted book costs no more than a page.
        while block.isValid() and height < self._most:
            height += self.blockBoundingRect(block).height()
            block = block.next()
        wanted = int(max(line, min(height, self._most))) + GRID // 2
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if height >= self._most else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        if wanted != self.height():
            self.setFixedHeight(wanted)
