"""The "…" buttons of the thread list: one in the row under the pointer, one in the row that has the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QToolButton, QWidget

from desktop_app.ui.theme.icons import set_icon
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.threads.thread_delegate import SIDE

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
