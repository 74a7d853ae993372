"""The place of a pane at the side: beside the transcript, or over it in a narrow window.

Never over the composer. What it holds is made when it is first shown.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QWidget

from desktop_app.ui.shell.inspector_slot import OVERLAY_BELOW
from desktop_app.ui.theme.theme import GRID

WIDTH = 60 * GRID
NARROWEST, WIDEST = 40 * GRID, 120 * GRID
"""Pixels that the user may give it."""
TEXT_BESIDE = 56 * GRID
"""Pixels that the conversation keeps beside it: in a window with less room it lies over the transcript."""


class SideSlot(QFrame):
    """One pane of those of which one at a time is open at the side."""

    shown_changed = Signal(bool)

    def __init__(
        self,
        splitter: QSplitter,
        threads: QWidget,
        stage: QWidget,
        *,
        name: str,
        make_room: Callable[[QWidget], None],
    ) -> None:
        """`splitter` holds the panes of the window, `threads` among them; `stage` is in the middle.

        `make_room` closes what else is open at the side.
        """
        super().__init__(stage.parentWidget())
        self.setProperty("kind", "side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(name)
        self.setMinimumWidth(NARROWEST)
        self.content: QWidget | None = None
        self._enter: Callable[[], None] = self.setFocus
        self.overlaid = True
        self._splitter, self._threads, self._stage, self._make_room = splitter, threads, stage, make_room
        self._width = WIDTH
        self._open = False
        self._moving = False
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self.hide()
        splitter.window().installEventFilter(self)
        stage.installEventFilter(self)

    @property
    def shown(self) -> bool:
        """True where it is open."""
        return self._open

    def fill(self, content: QWidget, enter: Callable[[], None]) -> None:
        """Puts the inside in; `enter` gives the keyboard to what is shown of it."""
        self.content, self._enter = content, enter
        self._row.addWidget(content, 1)
        content.show()
        self.setFocusProxy(content)

    def enter(self) -> None:
        """Gives the keyboard to what is shown in it."""
        if self.content is not None:
            self._enter()

    def set_shown(self, shown: bool) -> None:
        """Opens or closes it. It takes the place of what is open at the side."""
        if shown == self._open:
            return
        if shown:
            self._make_room(self)
        elif not self.overlaid:
            self._width = self.width()
        self._open = shown
        if shown:
            self._place()
        else:
            self._take_out()
        self.setVisible(shown)
        self.shown_changed.emit(shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # while it goes from one parent to another the panes around it are laid out: only then does it know its place
        if self._open and not self._moving and event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._place()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.set_shown(False)
        else:
            super().keyPressEvent(event)

    def _place(self) -> None:
        beside = self._threads.width() if self._threads.isVisible() else 0
        if self.window().width() < max(OVERLAY_BELOW, beside + TEXT_BESIDE + NARROWEST):
            came = not self.overlaid or not self.isVisible()
            self._take_out()
            self.setGeometry(self._stage.geometry())
            if came:
                # not while Qt goes through the panes, which is when the stage tells of its size
                self.raise_()
        elif self.overlaid:
            self._moving = True
            self.overlaid = False
            self.setMaximumWidth(WIDEST)
            self._splitter.insertWidget(2, self)
            self.setVisible(self._open)
            sizes = self._splitter.sizes()
            both = sizes[1] + sizes[2]
            sizes[2] = max(NARROWEST, min(self._width, both - TEXT_BESIDE))
            sizes[1] = both - sizes[2]
            self._splitter.setSizes(sizes)
            self._moving = False

    def _take_out(self) -> None:
        """Out of the row of panes, to lie over the transcript."""
        if not self.overlaid:
            self._moving = True
            self._width = self.width()
            self.overlaid = True
            self.setParent(self._stage.parentWidget())
            self.setMaximumWidth(100_000)
            self.setVisible(self._open)
            self._moving = False
