"""Owns where the thread list stands: beside the conversation, or over it in a narrow window until something is chosen.

Knows nothing of its inside.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QWidget

from desktop_app.ui.theme.theme import GRID, Theme, flood

OVERLAY_BELOW: Final = 80 * GRID
"""Width of the window in pixels, at the usual text size, below which the list lies over the conversation."""
WIDTH: Final = 36 * GRID
"""Pixels that it has there, at the usual text size."""
LEFT_FREE: Final = 6 * GRID
"""Pixels of the window that stay free beside it, to be clicked."""
VEIL: Final = 0.6


class ListSlot(QWidget):
    """What lies over a narrow window while its list is open: the list, and a veil over the rest."""

    shown_changed = Signal(bool)

    def __init__(self, theme: Theme, splitter: QSplitter, threads: QWidget, window: QWidget) -> None:
        """`threads` is the first pane of the splitter."""
        super().__init__(window)
        self._theme, self._splitter, self._threads, self._window = theme, splitter, threads, window
        self._wanted = True  # in a window that is wide enough
        self._stand_in: QWidget | None = None  # where the list was in the splitter, so that its width is kept
        self.hide()
        theme.changed.connect(self.fit)

    @property
    def wanted(self) -> bool:
        """Whether a window that is wide enough shows the list."""
        return self._wanted

    @property
    def over(self) -> bool:
        """Whether the list lies over the conversation now."""
        return self._stand_in is not None

    @property
    def shown(self) -> bool:
        """Whether the list is seen now."""
        return self.over or (self._wanted and not self._is_narrow)

    @property
    def _is_narrow(self) -> bool:
        return self._window.width() < self._theme.pixels(OVERLAY_BELOW)

    def set_shown(self, shown: bool) -> None:
        """Shows or hides the list; in a narrow window only until something is chosen in it."""
        if not self._is_narrow:
            self.want(shown)
        elif shown:
            self._lay_over()
            self.fit()
        else:
            self.leave()

    def want(self, shown: bool) -> None:
        """Whether the list is shown wherever the window is wide enough; a narrow one opens without it."""
        self._wanted = shown
        self.fit()

    def leave(self) -> bool:
        """Takes the list off the conversation; False where it does not lie there."""
        if self._stand_in is None:
            return False
        self._splitter.replaceWidget(0, self._threads)
        self._stand_in.deleteLater()
        self._stand_in = None
        self.hide()
        self.fit()
        return True

    def fit(self) -> None:
        """The window has another width, or the text another size."""
        if self.over and not self._is_narrow:
            self._wanted = True
            self.leave()
            return
        if not self.over:
            self._threads.setVisible(self.shown)
        else:
            self.setGeometry(self._window.rect())
            wide = min(self._theme.pixels(WIDTH), self.width() - LEFT_FREE)
            self._threads.setGeometry(0, 0, wide, self.height())
        self.shown_changed.emit(self.shown)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        """A click beside the list closes it, and does no more."""
        self.leave()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        veil = QColor(self._theme.color("background"))
        veil.setAlphaF(VEIL)
        flood(painter, self.rect(), veil)
        painter.end()

    def _lay_over(self) -> None:
        if self.over:
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
