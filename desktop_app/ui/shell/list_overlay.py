"""The thread list over the conversation of a narrow window, and the veil over the rest."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QWidget

from desktop_app.ui.theme.theme import GRID, Theme, flood

WIDTH: Final = 36 * GRID
"""Pixels that the list has, at the usual text size."""
LEFT_FREE: Final = 6 * GRID
"""Pixels of the window that stay free beside it, to be clicked."""
VEIL: Final = 0.6


class ListOverlay(QWidget):
    """Holds the list while it lies over the window; a click beside it or Esc ends that."""

    left = Signal()

    def __init__(self, theme: Theme, splitter: QSplitter, threads: QWidget, window: QWidget) -> None:
        """`threads` is the first pane of the splitter."""
        super().__init__(window)
        self._theme, self._splitter, self._threads, self._window = theme, splitter, threads, window
        self._stand_in: QWidget | None = None  # where the list was in the splitter, so that its width is kept
        self.hide()

    @property
    def holds_list(self) -> bool:
        """True where the list is here, and not in the splitter."""
        return self._stand_in is not None

    def take_list(self) -> None:
        """Takes the list out of the splitter, over everything."""
        if self.holds_list:
            return
        self._stand_in = QWidget()
        self._stand_in.hide()
        self._threads.hide()
        self._splitter.replaceWidget(0, self._stand_in)
        self._stand_in.hide()
        self._threads.setParent(self)
        self._threads.show()
        self.show()
        self.raise_()

    def give_back(self) -> bool:
        """Puts the list back into the splitter; False where it is there."""
        if self._stand_in is None:
            return False
        self._splitter.replaceWidget(0, self._threads)
        self._stand_in.deleteLater()
        self._stand_in = None
        self.hide()
        return True

    def fit(self) -> None:
        """Takes the size of the window."""
        self.setGeometry(self._window.rect())
        wide = min(self._theme.pixels(WIDTH), self.width() - LEFT_FREE)
        self._threads.setGeometry(0, 0, wide, self.height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        """A click beside the list closes it, and does no more."""
        self.left.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        veil = QColor(self._theme.color("background"))
        veil.setAlphaF(VEIL)
        flood(painter, self.rect(), veil)
        painter.end()
