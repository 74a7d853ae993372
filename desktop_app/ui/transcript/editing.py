"""Owns the place in which a question is written anew: over the question, as high as its text. Sends nothing itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_app.ui.composer.editor import ComposerEdit
from desktop_app.ui.theme import GRID, Theme
from desktop_app.ui.transcript.look import OUTDENT
from desktop_app.ui.transcript.sheet import CARD_INSET
from desktop_app.ui.transcript.typesetter import tr

if TYPE_CHECKING:
    from desktop_app.ui.transcript.view import TranscriptView

#: A question higher than this share of the view stays in sight above what is written; and so high the field may grow.
COVERED_SHARE = 0.6
FIELD_SHARE = 0.5


class EditPanel(QFrame):
    """The field with its two buttons. `sent`, `cancelled`: what was wished."""

    sent = Signal()
    cancelled = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "field")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Edit an earlier message"))
        self.editor = ComposerEdit(self)
        self.editor.setAccessibleName(tr("Edited message"))
        self._kept = QLabel(self)
        self._kept.setProperty("tone", "secondary")
        self._kept.setTextFormat(Qt.TextFormat.PlainText)
        self._problem = QLabel(self)
        self._problem.setProperty("tone", "danger")
        self._problem.setTextFormat(Qt.TextFormat.PlainText)
        self._problem.setWordWrap(True)
        self.cancel = QPushButton(tr("Cancel"), self)
        self.cancel.setProperty("kind", "quiet")
        self.send = QPushButton(tr("Send"), self)
        self.send.setProperty("kind", "primary")
        column = QVBoxLayout(self)
        column.setContentsMargins(OUTDENT, GRID + GRID // 2, GRID, GRID)
        column.setSpacing(GRID)
        column.addWidget(self._kept)
        column.addWidget(self.editor)
        column.addWidget(self._problem)
        row = QHBoxLayout()
        row.setSpacing(GRID)
        row.addStretch(1)
        row.addWidget(self.cancel)
        row.addWidget(self.send)
        column.addLayout(row)
        self._has_more = False
        self.editor.installEventFilter(self)
        self.cancel.clicked.connect(self.cancelled)
        self.send.clicked.connect(self._send)
        self.editor.send_requested.connect(self._send)
        self.editor.textChanged.connect(self._show_state)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.editor.set_theme(theme)
        for label in (self._kept, self._problem):
            label.setFont(theme.small_font())

    def begin(self, text: str, names: Sequence[str]) -> None:
        """Shows the text to be changed and the names of what stays attached."""
        self._has_more = bool(names)
        self._kept.setText(tr("Stays attached: {names}").format(names=", ".join(names)))
        self._kept.setVisible(bool(names))
        self.tell("")
        self.set_sending(False)
        self.editor.setPlainText(text)
        self.editor.moveCursor(self.editor.textCursor().MoveOperation.End)

    @property
    def text(self) -> str:
        """What is to be asked, without the empty lines around it."""
        return self.editor.toPlainText().strip("\n").rstrip()

    def tell(self, words: str) -> None:
        """Says why it could not be sent; no words: nothing."""
        self._problem.setText(words)
        self._problem.setVisible(bool(words))

    def set_sending(self, sending: bool) -> None:
        """While it is on its way nothing can be changed."""
        self.editor.setReadOnly(sending)
        self.setProperty("sending", sending)
        self._show_state()

    @property
    def sending(self) -> bool:
        return bool(self.property("sending"))

    def _show_state(self) -> None:
        self.send.setEnabled(not self.sending and (bool(self.text) or self._has_more))

    def _send(self) -> None:
        if self.send.isEnabled():
            self.sent.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.setProperty("focused", event.type() == QEvent.Type.FocusIn)
            self.style().unpolish(self)
            self.style().polish(self)
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc puts the question back; other keys stay here, the transcript has no part in them."""
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        event.accept()


class Editing(QObject):
    """Keeps the panel over its question while rows move, and the room that it needs."""

    def __init__(self, view: TranscriptView, theme: Theme) -> None:
        super().__init__(view)
        self._view = view
        self.message_id = ""
        self.panel = EditPanel(theme, view.viewport())
        self.panel.hide()
        self.panel.editor.textChanged.connect(self.fit)

    def begin(self, message_id: str, text: str, names: Sequence[str]) -> None:
        """Opens the panel in the place of a question and gives it the keyboard."""
        self.message_id = message_id
        self._view.selection.clear()
        self.panel.editor.set_most_height(max(80, int(self._view.flow.view * FIELD_SHARE)))
        self.panel.begin(text, names)
        self.panel.show()
        self.fit()
        self.focus()

    def focus(self) -> None:
        """Brings the panel into view and gives it the keyboard."""
        self._bring()
        self.panel.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def end(self) -> None:
        """The question stands there again."""
        if self.message_id:
            self.message_id = ""
            self.panel.hide()
            self._view.set_editor_room("", 0)

    @property
    def _index(self) -> int | None:
        return self._view.path.number(self.message_id) if self.message_id else None

    def _body(self, index: int) -> tuple[int, int, bool]:
        """Pixels above the question in its message, its height, and whether the panel covers it."""
        sheet = self._view.flow.message_sheet(index)
        rows = sheet.rows[len(sheet.head) : len(sheet.rows) - len(sheet.foot)]
        above, height = sum(row.height for row in sheet.head), sum(row.height for row in rows)
        covers = height <= self._view.flow.view * COVERED_SHARE
        if covers and not all(row.item.laid_out for row in rows):
            for row in rows:
                sheet.lay_out(row)
            height = sum(row.height for row in rows)
        return above, height, covers

    def fit(self) -> None:
        """Asks for as much room as the text needs."""
        index = self._index
        if index is None:
            return
        wanted = self._height()
        _, body, covers = self._body(index)
        self._view.set_editor_room(self.message_id, max(0, wanted + 2 * CARD_INSET - (body if covers else 0)))

    def _height(self) -> int:
        # the message that says why it was refused may take more lines than one
        width = self._view.column.width() + 2 * OUTDENT
        return max(self.panel.heightForWidth(width), self.panel.minimumSizeHint().height())

    def follow(self) -> None:
        """Rows were placed: the panel goes along, out of view, too, so that it keeps the keyboard."""
        if not self.message_id:
            return
        index, view = self._index, self._view
        left, width, height = view.column.left() - OUTDENT, view.column.width() + 2 * OUTDENT, self._height()
        top = view.viewport().height() + GRID
        if index is not None:
            above, body, covers = self._body(index)
            here = self._top(index)
            if here is not None:
                top = here + above + (CARD_INSET if covers else body)
                height = max(height, body - 2 * CARD_INSET) if covers else height
        self.panel.setGeometry(left, top, width, height)
        self.panel.raise_()

    def _top(self, index: int) -> int | None:
        """Where the question's message begins, in the viewport's pixels; None: it is out of view."""
        flow = self._view.flow
        placed = next((placed for placed in flow.placed if placed.message == index), None)
        if placed is None:
            return None
        top = placed.top
        for row in flow.sheet(index).rows:
            if row is placed.row:
                return top
            top -= row.height
        return None

    def _bring(self) -> None:
        """Brings the panel into view where it is not."""
        index, view = self._index, self._view
        if index is None:
            return
        geometry = self.panel.geometry()
        if geometry.top() < 0 or geometry.bottom() > view.flow.view:
            above, body, covers = self._body(index)
            start = above + (0 if covers else body)
            wanted = max(GRID, min(view.flow.view - geometry.height() - 3 * GRID, geometry.top()))
            view.flow.place_message(index, wanted - start)
            view.refresh()
