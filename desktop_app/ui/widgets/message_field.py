"""The text field in which a message is written: line distance, marks under its words, and which keys send."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QMimeData, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QTextBlock,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QPlainTextDocumentLayout, QPlainTextEdit, QSizePolicy, QWidget

from desktop_app.ui.theme.theme import GRID, MeasuredFont, Theme, scale

if TYPE_CHECKING:
    from PySide6.QtGui import QContextMenuEvent, QDragEnterEvent, QDragMoveEvent, QDropEvent, QPaintEvent, QShowEvent


class LineSpacingLayout(QPlainTextDocumentLayout):
    """Puts the lines as far apart as it is told: Qt's own layout of plain text knows no line height."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._pitch = 0

    def set_pitch(self, pixels: int) -> None:
        """From the top of one line to that of the next; less than a line's own height counts as that."""
        if pixels != self._pitch:
            self._pitch = pixels
            self.requestUpdate()

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        rect = super().blockBoundingRect(block)
        layout = block.layout()
        if not (count := layout.lineCount()) or not self._pitch or not block.isVisible():
            return rect
        # the room is below each line, so that a placeholder, which Qt paints at the top, stands where the text will
        pitch = max(float(self._pitch), layout.lineAt(0).height())
        if count > 1 and abs(layout.lineAt(1).y() - pitch) > 0.01:
            for number in range(count):
                line = layout.lineAt(number)
                line.setPosition(QPointF(line.x(), number * pitch))
        return QRectF(rect.x(), rect.y(), rect.width(), count * pitch)


class WordMarks(Protocol):
    """The marks that a field is given while its words are checked."""

    def paint(self, event: QPaintEvent) -> None:
        """The field has painted itself."""

    def open_menu(self, event: QContextMenuEvent) -> bool:
        """The field's menu was asked for; True where it comes from here."""

    def come_into_view(self) -> None:
        """The field is shown (again)."""


class CheckedEdit(QPlainTextEdit):
    """A plain text field whose words may be checked while `marks` are there."""

    marks: WordMarks | None = None

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.marks is not None:
            self.marks.paint(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.marks is not None:
            self.marks.come_into_view()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self.marks is None or not self.marks.open_menu(event):
            super().contextMenuEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Shift+F10 opens the menu at the cursor, as the menu key does: without Windows Qt knows only that one."""
        shift_f10 = event.key() == Qt.Key.Key_F10 and event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        if sys.platform != "win32" and shift_f10:
            from PySide6.QtGui import QContextMenuEvent

            place = self.cursorRect().center()
            at = self.viewport().mapToGlobal(place)
            self.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, place, at))
        else:
            super().keyPressEvent(event)

    def shown_blocks(self) -> list[tuple[QTextBlock, QRectF]]:
        """The lines of text that are in view, each with its place in the viewport."""
        found: list[tuple[QTextBlock, QRectF]] = []
        block, offset, bottom = self.firstVisibleBlock(), self.contentOffset(), self.viewport().height()
        while block.isValid():
            area = self.blockBoundingGeometry(block).translated(offset)
            if area.top() > bottom:
                break
            if block.isVisible():
                found.append((block, area))
            block = block.next()
        return found


LOOKED_AT = 20
"""Lines among which the first with a letter decides; the side is one for the whole text."""


def align_as_it_runs(field: QPlainTextEdit) -> None:
    """Puts the field's text to the side on which it begins."""
    document = field.document()
    block, left = document.firstBlock(), LOOKED_AT
    while block.isValid() and not block.length() > 1 and left:
        block, left = block.next(), left - 1
    to_right = block.isValid() and block.textDirection() == Qt.LayoutDirection.RightToLeft
    wanted = Qt.AlignmentFlag.AlignRight if to_right else Qt.AlignmentFlag.AlignLeft
    option = document.defaultTextOption()
    if option.alignment() != wanted:
        option.setAlignment(wanted)
        document.setDefaultTextOption(option)


LONG_PASTE = 10_000
"""Characters of a pasted text from which on it may be better off as a document: some 2,500 tokens, four screens."""

HUGE_PASTE = 400_000
"""Characters of a pasted text that would hold up the field: Qt needs 40 ms for them, and 960 ms for ten million."""
HUGE_LINE = 50_000
"""The same for one line, which Qt lays out as a whole with every key: 11 ms for fifty thousand, 21 for a hundred."""


class MessageField(CheckedEdit):
    """Grows with its text up to a height that the composer sets; sends on Enter but never while text is composed."""

    send_requested = Signal()
    edit_last_requested = Signal()
    attached = Signal(object)  # Incoming: files or a picture were pasted
    long_pasted = Signal(object)  # QTextCursor over a long text that was pasted
    # str, as an object: Qt's own strings would be a copy of megabytes
    huge_pasted = Signal(object)  # a text that is not put into the field, where `takes_documents`

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Message"))
        self.setPlaceholderText(self.tr("Write a message"))
        document = QTextDocument(self)
        self._lines = LineSpacingLayout(document)
        document.setDocumentLayout(self._lines)
        self.setDocument(document)
        document.setDocumentMargin(0)
        self.enter_sends = True
        self.takes_documents = False
        """True where whoever has this field makes a document of a huge text."""
        self.undo_first: list[Callable[[], bool]] = []
        """Each takes back what was done beside the text since it last changed; False if there is nothing."""
        self.delete_first: Callable[[], bool] = lambda: False
        """Takes Del where it would delete no text."""
        self._theme = theme
        self._preedit = False
        self._pitch = 0
        self._most = 30 * GRID
        self.textChanged.connect(self._follow_text)
        theme.set_font("body", self)
        theme.follow(self._apply_theme)

    def _apply_theme(self) -> None:
        font = self._theme.body_font()
        if self._pitch:
            # The placeholder is painted in it. At first it has the application's; asked for then, PySide would load
            # every kind of widget there is.
            self.viewport().setFont(font)
        self._pitch = MeasuredFont.of(font, scale("line")).pitch
        self._lines.set_pitch(self._pitch)
        self._follow_text()

    def set_most_height(self, pixels: int) -> None:
        """Set how high the field may grow."""
        if pixels != self._most:
            self._most = pixels
            self._follow_text()

    @property
    def pitch(self) -> int:
        """From one line to the next, in pixels."""
        return self._pitch

    def composing(self) -> bool:
        """True while an input method shows text that is not yet part of the message."""
        return self._preedit

    def commit_composed(self) -> None:
        """Makes what an input method shows a part of the text, which is about to go elsewhere."""
        if self._preedit:
            QGuiApplication.inputMethod().commit()
            event = QInputMethodEvent()  # not every input method has done it
            event.setCommitString(self.textCursor().block().layout().preeditAreaText())
            self.inputMethodEvent(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        super().inputMethodEvent(event)
        self._preedit = bool(event.preeditString())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        composed = self._preedit and (enter or event.key() == Qt.Key.Key_Escape)
        if composed or (event.matches(QKeySequence.StandardKey.Undo) and any(undo() for undo in self.undo_first)):
            event.accept()
        elif enter and self._sends(event.modifiers()):
            self.send_requested.emit()
        elif enter:
            self.textCursor().insertText("\n")
            self.ensureCursorVisible()
        elif event.key() == Qt.Key.Key_Up and _is_plain(event) and self.document().isEmpty():
            self.edit_last_requested.emit()
        elif event.key() == Qt.Key.Key_Delete and _is_plain(event) and self._deletes_nothing and self.delete_first():
            event.accept()
        elif self._has_no_part_in(event):
            event.ignore()
        else:
            super().keyPressEvent(event)

    @property
    def _deletes_nothing(self) -> bool:
        return self.textCursor().atEnd() and not self.textCursor().hasSelection()

    def _has_no_part_in(self, event: QKeyEvent) -> bool:
        """A key that copies where nothing is selected, or moves about where there is nothing beyond what is in view."""
        if event.matches(QKeySequence.StandardKey.Copy):
            return not self.textCursor().hasSelection()
        if event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End) and self.document().isEmpty():
            return not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        turning = event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
        return turning and _is_plain(event) and self.verticalScrollBar().maximum() == 0

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() or source.hasHtml() or _brings(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Pastes text only, as it is, and of what has a look only its words; what is no text is `attached`."""
        from desktop_app.ui.widgets.dragging import incoming, plain_text

        if (brought := incoming(source)) is not None:
            self.attached.emit(brought)
        elif (text := plain_text(source)) and self.takes_documents and _is_huge(text):
            self.huge_pasted.emit(text)
        elif text:
            cursor = self.textCursor()
            start = cursor.selectionStart()
            self.insert_apart(cursor, text)
            self.ensureCursorVisible()
            if len(text) >= LONG_PASTE:
                end = cursor.position()
                cursor.setPosition(start)
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                self.long_pasted.emit(cursor)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Leave a drag that is no text to the whole pane, where it is dropped."""
        if _brings(event.mimeData()):
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if _brings(event.mimeData()):
            event.ignore()
        else:
            super().dragMoveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        if _brings(event.mimeData()):
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

    def insert_apart(self, cursor: QTextCursor, text: str) -> None:
        """Inserts a text as one step of undo of its own: what is typed before or after it is none of it."""
        cursor.beginEditBlock()
        # Qt joins insertions that follow each other; not where something was removed in between
        cursor.insertText(text + " ")
        cursor.deletePreviousChar()
        cursor.endEditBlock()

    @property
    def _whole_lines(self) -> int:
        """The height that the field may grow to without cutting a line; of a single line it cuts rather than hides."""
        lines = self._most // self._pitch if self._pitch else 0
        return lines * self._pitch if lines > 1 else self._most

    def _follow_text(self) -> None:
        align_as_it_runs(self)
        height, block = 0.0, self.document().firstBlock()
        # Only as many lines are measured as can show: a pasted book costs no more than a page.
        most = self._whole_lines
        while block.isValid() and height <= most:
            height += self.blockBoundingRect(block).height()
            block = block.next()
        wanted = int(max(self._pitch, min(height, most))) + GRID // 2
        longer = height > most
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if longer else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        # nothing of the next line is seen
        self.setViewportMargins(0, 0, 0, GRID // 4 if longer else 0)
        if wanted != self.height():
            self.setFixedHeight(wanted)


def _is_plain(event: QKeyEvent) -> bool:
    """Return True if no key is held down beside this one; arrows of the number pad count as arrows."""
    return not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier


def _is_huge(text: str) -> bool:
    return len(text) >= HUGE_PASTE or (len(text) >= HUGE_LINE and max(map(len, text.split("\n"))) >= HUGE_LINE)


def _brings(data: QMimeData) -> bool:
    """Return True if files or a picture are in it. The code that reads them is loaded at the first paste or drag."""
    from desktop_app.ui.widgets.dragging import has_incoming

    return has_incoming(data)
