"""The short message with one button that floats over a pane, such as the undo of a deletion."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QHideEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget
from shiboken6 import isValid

from desktop_app.ui.i18n.language import translated
from desktop_app.ui.theme.theme import GRID, motion
from desktop_app.ui.widgets.floating import Floating

WIDTH = 56 * GRID
"""Pixels of every toast; less where the column is narrower."""
SCROLL_BAR = 10
"""Pixels that the transcript's column leaves free at its right."""


class Toast(QFrame):
    """Shows one message at a time at the lower edge of its parent, as wide as any; a new one replaces the old.

    It goes with the next click anywhere else in the window, with what is done by keys, and after a while.

    Centered on the column, so that its button stands at the same place each time; at the upper edge where it would else
    lie over the end of a text, which nobody could scroll away from under it.
    """

    def __init__(self, parent: QWidget, *, text_end: Callable[[], int | None] = lambda: None) -> None:
        """`text_end`: where in the parent its text ends, in pixels from the top; None: there is none in view."""
        super().__init__(parent)
        self._text_end = text_end
        self.setProperty("kind", "popover")
        Floating(self)
        self.setAccessibleName(self.tr("Message"))
        self._room = parent
        self._words = QLabel(self)
        self._words.setWordWrap(True)
        self._button = QPushButton(self)
        self._button.setProperty("kind", "quiet")
        self._button.setAccessibleName(self.tr("Undo"))
        self._button.clicked.connect(self._take)
        self._action: Callable[[], None] | None = None
        self.typed_since = False
        """True where something was written since it came: the newest act is no longer the one that it tells of."""
        row = self._row = QHBoxLayout(self)
        row.setSpacing(8)
        row.addWidget(self._words, 1)
        row.addWidget(self._button)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        parent.installEventFilter(self)
        self.hide()

    def show_message(self, words: str, button: str = "", action: Callable[[], None] | None = None) -> None:
        """Shows `words`; with a button, `action` runs when it is taken, and the toast goes."""
        words = translated(words)
        self._words.setText(words)
        self._button.setText(button)
        self._button.setAccessibleName(button)
        self._button.setVisible(bool(button))
        # a quiet button brings room of its own
        self._row.setContentsMargins(*((16, 4, 8, 4) if button else (16, 8, 16, 8)))
        self._action = action
        self.typed_since = False
        self.setAccessibleDescription(words)
        self._place()
        self.show()
        self.raise_()
        frame = self.window().windowHandle()
        if frame is not None:
            frame.installEventFilter(self)
        self._timer.start(motion("toast"))

    @property
    def words(self) -> str:
        return self._words.text()

    @property
    def button(self) -> QPushButton:
        return self._button

    def stay_above(self) -> None:
        """Something else is shown in its parent, and was put over all that is there."""
        if self.isVisible():
            self._place()
            self.raise_()

    def note_typing(self) -> None:
        """Something is written elsewhere."""
        self.typed_since = True

    def offers_undo(self) -> bool:
        """Return True if its button takes something back now."""
        return self.isVisible() and self._button.text() == self.tr("Undo")

    def undo(self) -> bool:
        """Takes back what it offers to; False while it offers nothing of the kind."""
        offered = self.offers_undo()
        if offered:
            self._take()
        return offered

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self.isVisible():
            return False
        if watched is self._room and event.type() == QEvent.Type.Resize:
            self._place()
        elif isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonPress and self._is_beside(event):
            self.hide()
        return False

    def _is_beside(self, event: QMouseEvent) -> bool:
        return not self.rect().contains(self.mapFromGlobal(event.globalPosition().toPoint()))

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        frame = self.window().windowHandle()
        if frame is not None and isValid(frame):  # with its window it goes before the toast
            frame.removeEventFilter(self)  # clicks are looked at only as long as there is something to close

    def _take(self) -> None:
        self.hide()
        if self._action is not None:
            self._action()

    def _place(self) -> None:
        room = self._room.width() - SCROLL_BAR
        width = min(WIDTH, room - 2 * GRID)
        height = max(self._row.sizeHint().height(), self._row.heightForWidth(width))
        top, end = self._room.height() - height - GRID, self._text_end()
        if end is not None and top < end <= self._room.height():
            top = GRID
        self.setGeometry((room - width) // 2, top, width, height)
