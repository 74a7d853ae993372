"""The list of prompts that opens above the composer while `/` and some letters are typed. Inserts nothing itself.

The keyboard stays in the text field: what is typed there goes on being text, and an input method is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QLabel, QListView, QVBoxLayout, QWidget

from desktop_app.core.prompts import Prompt
from desktop_app.ui.prompts.prompt_rows import PromptDelegate, PromptRow, PromptRows, spoken
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.floating import Floating
from desktop_app.ui.widgets.message_field import MessageField

SHOWN: Final = 6
"""Rows that are seen at once at most; half a row below them says that there are more."""
_STEPS: Final = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_TAKING: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)


class PromptCompletion(QFrame):
    """Enter or Tab takes the row that is marked, arrows go to others, Esc closes and leaves what was typed."""

    chosen = Signal(object)  # Prompt
    library_requested = Signal()
    dismissed = Signal()  # by Esc

    def __init__(self, theme: Theme, editor: MessageField, anchor: QWidget, room: QWidget) -> None:
        """Stands above `anchor`, as wide as it, within `room`; both are panes of the same window."""
        super().__init__(room)
        self.setProperty("kind", "popover")
        Floating(self)
        self.setAccessibleName(self.tr("Prompts"))
        self._editor = editor
        self._anchor = anchor
        self._room = room
        self.rows = PromptRows(self)
        self.view = QListView(self)
        self.view.setAccessibleName(self.tr("Prompts"))
        self.view.setModel(self.rows)
        self.delegate = PromptDelegate(theme, self.view)
        self.view.setItemDelegate(self.delegate)
        self.view.setUniformItemSizes(True)
        self.view.setMouseTracking(True)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.clicked.connect(self._take)
        self.hint = QLabel(self)
        self.hint.setProperty("tone", "secondary")
        self.hint.setContentsMargins(2 * GRID, 0, 2 * GRID, GRID // 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(GRID // 2, GRID // 2, GRID // 2, GRID // 2)
        column.setSpacing(GRID // 2)
        column.addWidget(self.view, 1)
        column.addWidget(self.hint)
        for watched in (editor, anchor, room):
            watched.installEventFilter(self)
        theme.set_font("small", self.hint)
        theme.follow(self._fit)
        self.hide()

    def show_prompts(self, prompts: Sequence[Prompt], typed: str, further: str = "", missing: str = "") -> None:
        """Shows what was found, the first of it marked; `further`: a last line that leads to the library.

        `missing`: what is written, and is the name of no prompt. Then nothing is marked, and Enter sends it.
        """
        hint = self.tr("No prompt {name}     Enter  send     Esc  close").format(name=missing)
        self.hint.setText(hint if missing else self.tr("Enter  insert     Esc  close"))
        rows: list[PromptRow | str] = [PromptRow(prompt, typed) for prompt in prompts]
        self.rows.show([*rows, further] if further else rows)
        if not self.rows.rows:
            self.hide()
            return
        self._fit()
        self.show()
        self.raise_()
        if missing:
            self.view.setCurrentIndex(QModelIndex())
            if QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._editor, hint))
        else:
            self._go_to(0)

    @property
    def current(self) -> PromptRow | str | None:
        """The row that Enter would take."""
        index = self.view.currentIndex()
        return self.rows.rows[index.row()] if index.isValid() else None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.isVisible():
            return False
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._fit()
        elif watched is self._editor and event.type() == QEvent.Type.FocusOut:
            focused = QApplication.focusWidget()
            if focused is not None and focused.window() is self.window():
                self.hide()
        elif watched is self._editor and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._press(event)
        return False

    def _press(self, event: QKeyEvent) -> bool:
        key, plain = (
            Qt.Key(event.key()),
            event.modifiers()
            in (
                Qt.KeyboardModifier.NoModifier,
                Qt.KeyboardModifier.KeypadModifier,
            ),
        )
        if self._editor.composing() or not plain:
            return False
        current = self.view.currentIndex()
        if key in _TAKING:
            if not current.isValid():
                return False
            self._take(current)
        elif key == Qt.Key.Key_Escape:
            self.hide()
            self.dismissed.emit()
        elif key in _STEPS:
            first = current.row() if current.isValid() or key == Qt.Key.Key_Down else 0
            self._go_to((first + _STEPS[key]) % self.rows.rowCount())
        else:
            return False
        return True

    def _take(self, index: QModelIndex) -> None:
        row = self.rows.rows[index.row()] if index.isValid() else None
        # first, so that what is taken can put the keyboard elsewhere
        self.hide()
        if isinstance(row, PromptRow):
            self.chosen.emit(row.prompt)
        elif row is not None:
            self.library_requested.emit()

    def _go_to(self, row: int) -> None:
        index = self.rows.index(row)
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index)
        # For screen readers: the keyboard stays in the text field, so the row can't be told by its focus.
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._editor, spoken(self.rows.rows[row])))

    def _fit(self) -> None:
        """As high as its rows, within the room above the anchor."""
        count = self.rows.rowCount()
        rows = min(count, SHOWN) * self.delegate.height + (self.delegate.height // 2 if count > SHOWN else 0)
        frame = self.contentsMargins()
        rest = self.hint.sizeHint().height() + 2 * GRID + frame.top() + frame.bottom()
        corner = self._anchor.mapTo(self._room, QPoint(0, 0))
        height = min(rows + rest, corner.y() - GRID)
        self.setGeometry(QRect(corner.x(), corner.y() - height - GRID // 2, self._anchor.width(), height))
