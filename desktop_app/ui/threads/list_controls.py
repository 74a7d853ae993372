"""The controls that the thread list shows when needed: a row's "…" button, the selection's bar, the archive's head."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt, Signal, SignalInstance
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QGridLayout, QHBoxLayout, QLabel, QToolButton, QWidget

from desktop_app.ui.i18n.language import grouped
from desktop_app.ui.theme.theme import GRID, Theme, set_icon
from desktop_app.ui.threads.thread_rows import SIDE
from desktop_app.ui.widgets.list_parts import EmptyState
from desktop_app.ui.widgets.parts import ElidedButton, button_in, in_column, in_row, label_in, tool_in

LEAVING: Final = (Qt.Key.Key_Escape, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)
"""Keys that go from a button back to the list."""


class RowButton(QToolButton):
    """Opens the menu of the row it stands in; Enter does as well as Space."""

    def __init__(self, theme: Theme, parent: QWidget, focus: Qt.FocusPolicy) -> None:
        super().__init__(parent)
        self.setProperty("kind", "cross")
        self.setFixedSize(SIDE, SIDE)
        self.setFocusPolicy(focus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        set_icon(self, "more", theme)
        self.row = -1
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)


class RowButtons(QObject):
    """Two buttons serve all rows; they are made when a row is first pointed at or the keyboard first comes.

    `pressed(row, place)`: the menu of a row is wished for at a place on the screen. `left`: the keyboard has gone.
    """

    pressed = Signal(int, QPoint)
    left = Signal()

    def __init__(self, view: QAbstractItemView, place_of: Callable[[int], QRect], theme: Theme) -> None:
        """`place_of`: where the button of a row stands in the view; nowhere where it has none."""
        super().__init__(view)
        self._view = view
        self._place_of = place_of
        self._theme = theme
        self._pointer: RowButton | None = None
        self._keyboard: RowButton | None = None
        self._left_backwards = False

    @property
    def rows(self) -> set[int]:
        """The rows that show a button."""
        return {button.row for button in (self._pointer, self._keyboard) if button is not None}

    @property
    def has_keyboard(self) -> bool:
        return self._keyboard is not None and self._keyboard.hasFocus()

    @property
    def stop(self) -> QWidget | None:
        """The button that the Tab key comes to, as soon as it is made."""
        return self._keyboard

    def place(self, pointed: int, current: int) -> None:
        """Puts the buttons into the row under the pointer and the one with the keyboard; -1: there is none."""
        if current >= 0 and self._keyboard is None:
            self._keyboard = self._made(Qt.FocusPolicy.TabFocus)
            self._keyboard.installEventFilter(self)
            QWidget.setTabOrder(self._view, self._keyboard)
        if pointed >= 0 and self._pointer is None:
            self._pointer = self._made(Qt.FocusPolicy.NoFocus)
        before = self.rows
        self._put(self._keyboard, current)
        self._put(self._pointer, pointed if pointed != current else -1)
        for row in before ^ self.rows:
            if row >= 0:
                self._view.update(self._view.model().index(row, 0))

    def take_from_behind(self) -> None:
        """Shift+Tab came to the list: the button of its row comes before it, unless it was just left so."""
        left, self._left_backwards = self._left_backwards, False
        if not left and self._keyboard is not None and self._keyboard.isVisible():
            self._keyboard.setFocus(Qt.FocusReason.BacktabFocusReason)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if isinstance(event, QFocusEvent) and event.lostFocus():
            self._left_backwards = event.reason() == Qt.FocusReason.BacktabFocusReason
            self.left.emit()
        elif isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in LEAVING:
            self._view.setFocus(Qt.FocusReason.ShortcutFocusReason)
            if event.key() != Qt.Key.Key_Escape:
                QCoreApplication.sendEvent(self._view, event)
            return True
        return False

    def _made(self, focus: Qt.FocusPolicy) -> RowButton:
        button = RowButton(self._theme, self._view.viewport(), focus)
        button.clicked.connect(lambda: self._press(button))
        return button

    def _press(self, button: RowButton) -> None:
        self.pressed.emit(button.row, button.mapToGlobal(button.rect().bottomLeft()))

    def _put(self, button: RowButton | None, row: int) -> None:
        if button is None:
            return
        button.row = row
        place = self._place_of(row) if row >= 0 else QRect()
        if place.isNull():
            button.row = -1
            button.hide()
            return
        title = str(self._view.model().index(row, 0).data() or "")
        button.setAccessibleName(self.tr("Actions for {title}").format(title=title))
        button.setToolTip(self.tr("More"))
        button.move(place.topLeft())
        button.show()


class SelectionBar(QWidget):
    """Wishes for the selected threads; `move_requested` with the place on the screen where projects are offered."""

    archive_requested = Signal()
    move_requested = Signal(QPoint)
    export_requested = Signal()
    delete_requested = Signal()
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Selected threads"))
        self._label = QLabel(self)
        self.archive_button = self._button(self.tr("Archive"))
        self.move_button = self._button(self.tr("Move to project"))
        self.export_button = self._button(self.tr("Export"))
        self.delete_button = self._button(self.tr("Delete"))
        self.close_button = self._button(self.tr("Clear the selection"))
        self._icons = (
            (self.archive_button, "archive"),
            (self.move_button, "folder"),
            (self.export_button, "export"),
            (self.delete_button, "trash"),
            (self.close_button, "close"),
        )
        head, acts = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self._label, 1)
        head.addWidget(self.close_button)
        for button, _ in self._icons[:-1]:
            acts.addWidget(button)
        acts.addStretch(1)
        in_column(head, acts, of=self, spacing=0, margins=(2 * GRID, 0, GRID, 0))
        self.archive_button.clicked.connect(self.archive_requested)
        self.move_button.clicked.connect(self._ask_where)
        self.export_button.clicked.connect(self.export_requested)
        self.delete_button.clicked.connect(self.delete_requested)
        self.close_button.clicked.connect(self.closed)
        self.hide()
        theme.set_font("small", self._label)
        for button, name in self._icons:
            set_icon(button, name, theme)

    def follow(self, widget: QWidget) -> None:
        """Tab comes here from this widget."""
        for button, _ in self._icons:
            QWidget.setTabOrder(widget, button)
            widget = button

    def show_count(self, count: int, *, archived: bool) -> None:
        """Says how many are selected; of archived threads it offers to bring them back."""
        words = self.tr("{n} selected").format(n=grouped(count))
        if words != self._label.text() or self.isHidden():
            self._label.setText(words)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))
        self._name(self.archive_button, self.tr("Unarchive") if archived else self.tr("Archive"))
        self.move_button.setVisible(not archived)
        self.show()

    def _ask_where(self) -> None:
        self.move_requested.emit(self.move_button.mapToGlobal(self.move_button.rect().topLeft()))

    def _button(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._name(button, name)
        return button

    def _name(self, button: QToolButton, name: str) -> None:
        button.setAccessibleName(name)
        button.setToolTip(name)


class ArchiveHead(QWidget):
    """`left`: all threads are wished for again."""

    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Archived threads"))
        self.back = tool_in(
            self, self.left, name=self.tr("Back to all threads"), tip=self.tr("Back to all threads (Esc)")
        )
        self.back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.heading = QLabel(self.tr("Archived"), self)
        self.nothing = EmptyState(theme, self)
        self.nothing.say(self.tr("No archived threads"), self.tr("Show all threads"))
        self.nothing.wanted.connect(self.left)
        self.empty = ElidedButton(theme, self)
        self.empty.setText(self.tr("Delete all archived…"))
        self.empty.setProperty("kind", "quiet")
        self.empty.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        grid = QGridLayout(self)
        grid.setContentsMargins(GRID, 0, GRID, 0)
        grid.setHorizontalSpacing(GRID // 2)
        grid.addWidget(self.back, 0, 0)
        grid.addWidget(self.heading, 0, 1)
        grid.addWidget(self.nothing, 1, 1)
        grid.addWidget(self.empty, 1, 0, 1, 2)  # beneath, as a list may be narrow
        grid.setColumnStretch(1, 1)
        theme.set_font("title", self.heading)
        theme.set_font("small", self.empty)
        set_icon(self.empty, "trash", theme)
        set_icon(self.back, "back", theme)

    def show_count(self, count: int) -> None:
        """Show how many threads are archived."""
        self.nothing.setVisible(count == 0)
        self.empty.setVisible(count > 0)


class SyncFoot(QWidget):
    """The line at the list's foot while something is wrong with sync, and the way to its page."""

    def __init__(self, theme: Theme, parent: QWidget, details: SignalInstance) -> None:
        super().__init__(parent)
        self.line = label_in(self, wrap=True, tone="secondary")
        self.line.setMinimumWidth(1)
        button = button_in(self, self.tr("Details"), details, kind="quiet")
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        in_row((self.line, 1), button, of=self, spacing=GRID, margins=(2 * GRID, 0, GRID, 0))
        theme.set_font("small", self.line, button)

    def say(self, words: str) -> None:
        """Shows the problem; "": there is none."""
        self.line.setText(words)
        self.setVisible(bool(words))
