"""A page on which one text is edited: field, token line, problem line, Save. Uses no thread.

What was typed and not saved is told by `unsaved`; the page itself never drops it.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from desktop_app.ui.i18n.text_direction import align_as_it_runs
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.checked_edit import CheckedEdit
from desktop_app.ui.widgets.flow_layout import FlowRow
from desktop_app.ui.widgets.page import PageFrame

REST_MS = 150
"""Tokens are counted when typing has rested this long."""
LEAST_HEIGHT = 30 * GRID
"""Pixels of the field, however little stands in it."""


class TextField(CheckedEdit):
    """A plain text of many lines; Tab goes on to the next control."""

    focus_changed = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.setMinimumHeight(LEAST_HEIGHT)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.focus_changed.emit(False)

    def replace_text(self, text: str) -> None:
        """Sets the text as one step that Ctrl+Z takes back."""
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.select(cursor.SelectionType.Document)
        cursor.insertText(text)
        cursor.endEditBlock()


class EditorPage(PageFrame):
    """Wishes: `save_requested(text)`; `rested(text)`: time to count what stands there. `edited`: it is another text."""

    save_requested = Signal(str)
    rested = Signal(str)
    edited = Signal()

    def __init__(self, theme: Theme, heading: str, parent: QWidget) -> None:
        super().__init__(theme, heading, parent)
        self.lead = self.small()
        self.field = TextField(self.column)
        self.field.setAccessibleName(heading)
        self.frame = QFrame(self.column)
        self.frame.setProperty("kind", "field")
        box = QVBoxLayout(self.frame)
        box.setContentsMargins(2 * GRID, GRID + GRID // 2, GRID, GRID + GRID // 2)
        box.addWidget(self.field)
        self.tokens = self.small()
        self.problem = self.small(tone="danger")
        self.problem.hide()
        self.save_button = QPushButton(self.tr("Save"), self.column)
        self.save_button.setProperty("kind", "primary")
        self.save_button.setToolTip(self.tr("Save (Ctrl+S)"))
        self.buttons = FlowRow(self.save_button, across=GRID, down=GRID)
        self.inside.addWidget(self.lead)
        self.inside.addWidget(self.frame, 1)
        self.inside.addWidget(self.tokens)
        self.inside.addWidget(self.problem)
        self.inside.addLayout(self.buttons)
        self._saved = self._sent = ""
        self._may_be_empty = True
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(lambda: self.rested.emit(self.text()))
        self.field.textChanged.connect(self._follow_text)
        self.field.focus_changed.connect(self._show_focus)
        self.save_button.clicked.connect(self._save)
        theme.set_font("body", self.field)
        self._follow_text()

    def focus_first(self) -> None:
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def text(self) -> str:
        return self.field.toPlainText()

    def show_saved(self, text: str) -> None:
        """Show the text that is stored now. Text typed by the user since stays in the field."""
        before, untouched = self._saved, self.unsaved() is None
        self._saved = text
        if untouched and text != self.text():
            self.field.setPlainText(text)
        elif before and not untouched and text not in (before, self._sent):
            self.show_problem(self.tr("Another window or command changed this meanwhile. Save replaces it."))
        self._follow_text()

    def take_unsaved(self, text: str) -> None:
        """Goes on with a text that was left unsaved."""
        self.field.replace_text(text)

    def unsaved(self) -> str | None:
        """Return the typed text that is not stored; None where the field holds the stored text."""
        return self.text() if self.text() != self._saved else None

    def show_tokens(self, words: str) -> None:
        self.tokens.setText(words)

    def show_problem(self, words: str) -> None:
        """One sentence under the field; empty takes it away."""
        self.problem.setText(words)
        self.problem.setVisible(bool(words))

    def set_busy(self, busy: bool) -> None:
        """Set the field so that it can be read but not changed while the text is being written again."""
        self.field.setReadOnly(busy)
        self._follow_text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Save):
            self._save()
        else:
            super().keyPressEvent(event)

    def _save(self) -> None:
        if self.save_button.isEnabled():
            self._sent = self.text()
            self.save_requested.emit(self._sent)

    def _follow_text(self) -> None:
        align_as_it_runs(self.field)
        fit = self._may_be_empty or bool(self.text().strip())
        self.save_button.setEnabled(self.unsaved() is not None and fit and not self.field.isReadOnly())
        self._rest.start()
        self.edited.emit()

    def _show_focus(self, focused: bool) -> None:
        self.frame.setProperty("focused", focused)
        self.frame.style().unpolish(self.frame)
        self.frame.style().polish(self.frame)
