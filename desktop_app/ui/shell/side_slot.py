"""The places of inspector and side pane: beside the conversation, or over it in a narrow window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QWidget

from desktop_app.ui.shell.window_places import OVERLAY_BELOW as NARROW
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.parts import in_row
from desktop_app.ui.widgets.splitter import FARTHEST

INSPECTOR_WIDTH = 40 * GRID
NARROWEST_INSPECTOR, WIDEST_INSPECTOR = 35 * GRID, 60 * GRID
"""Pixels that the user may give it at the usual text size (INTERFACE.md); its tabs need more with larger text."""
OVERLAY_BELOW = 1_000
"""Width of the window in pixels below which the inspector lies over the conversation."""


class InspectorSlot(QFrame):
    """The third pane. `wanted` comes when it is shown for the first time: whoever makes the inside fills it then."""

    wanted = Signal()
    shown_changed = Signal(bool)

    def __init__(self, theme: Theme, splitter: QSplitter, stage: QWidget, window: QWidget) -> None:
        """`stage`: what it lies over in a narrow window; what is below that, the composer, stays free."""
        super().__init__(splitter)
        self.setObjectName("inspector")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(self.tr("Context inspector"))
        self.content: QWidget | None = None
        self.overlaid = False
        self._theme, self._splitter, self._stage, self._window = theme, splitter, stage, window
        self._width = INSPECTOR_WIDTH  # that was chosen, which larger text may not allow
        self._open = False
        self._edge = QFrame(self)
        self._edge.setProperty("kind", "rule")
        self._edge.setFixedWidth(1)
        self._edge.hide()
        self._row = in_row(self._edge, of=self, spacing=0, margins=0)
        self.hide()
        window.installEventFilter(self)
        stage.installEventFilter(self)
        theme.follow(self._apply_theme)

    @property
    def shown(self) -> bool:
        """True where the inspector is open."""
        return self._open

    @property
    def pane_width(self) -> int:
        """Its width in pixels, also while it is closed."""
        if self._open and self.isVisible() and not self.overlaid:
            width = self.width()
            self._width = min(self._width, width) if width == self.minimumWidth() else width
        return self._width

    @property
    def overlaid_widths(self) -> tuple[int, int, int]:
        """The least, the present and the greatest width in pixels while it lies over the conversation."""
        return self._least, self._bounded, max(self._least, min(self._most, self._stage.width()))

    def widen_overlaid(self, pixels: int) -> None:
        """Makes it wider or narrower, as far as it goes, while it lies over the conversation."""
        least, width, most = self.overlaid_widths
        self._width = max(least, min(most, width + pixels))
        self._place()

    def fill(self, content: QWidget) -> None:
        """Puts the inside in."""
        self.content = content
        self._row.addWidget(content, 1)
        content.show()
        self.setFocusProxy(content)

    def restore(self, shown: bool, width: int | None) -> None:
        """As it was at the last end. The inside is still to come: whoever makes it looks at `shown`."""
        self._width = self._width if width is None else width
        if shown:
            self._open = True
            self._place()
            self.show()

    def set_shown(self, shown: bool) -> None:
        """Opens or closes the inspector."""
        if shown == self._open:
            return
        if not shown:
            self._width = self.pane_width
        self._open = shown
        if shown and self.content is None:
            self.wanted.emit()
        if shown:
            self._place()
        self.setVisible(shown)
        if shown:
            self._take_width()
        self.shown_changed.emit(shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self._open:
            # the stage hears of it while Qt goes through the panes: none may come, go, or change its order then
            self._place() if watched is self._window else self._lay_over_stage()
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes what lies over the conversation; beside it, Esc is the window's."""
        if event.key() == Qt.Key.Key_Escape and self.overlaid:
            self.set_shown(False)
        else:
            super().keyPressEvent(event)

    @property
    def _least(self) -> int:
        return max(NARROWEST_INSPECTOR, self._theme.pixels(NARROWEST_INSPECTOR))

    @property
    def _most(self) -> int:
        return max(WIDEST_INSPECTOR, self._theme.pixels(WIDEST_INSPECTOR))

    @property
    def _bounded(self) -> int:
        """The chosen width, as far as the text allows it."""
        return max(self._least, min(self._most, self._width))

    def _apply_theme(self) -> None:
        width = self.pane_width
        self.setMinimumWidth(self._least)
        self.setMaximumWidth(FARTHEST if self.overlaid else self._most)
        self._width = width
        if self._open:
            self._place()
            self._take_width()

    def _place(self) -> None:
        over = self._window.width() < OVERLAY_BELOW
        if over != self.overlaid:
            width = self.pane_width
            self.overlaid = over
            self._edge.setVisible(over)
            self.setMaximumWidth(FARTHEST if over else self._most)
            if over:
                self.setParent(self._window)
            else:
                self._splitter.addWidget(self)
            self._width = width
            self.setVisible(self._open)
            if not over:
                self._take_width()
        if over:
            self._lay_over_stage()
            self.raise_()

    def _lay_over_stage(self) -> None:
        if self.overlaid:
            room = QRect(self._stage.mapTo(self._window, QPoint(0, 0)), self._stage.size())
            # in a narrow window what is left of the conversation could not be read
            narrow = self._window.width() < NARROW
            width = room.width() if narrow else min(self._bounded, room.width())
            self.setGeometry(room.right() + 1 - width, room.top(), width, room.height())

    def _take_width(self) -> None:
        """Beside the conversation it takes its own width from that pane."""
        if self.overlaid:
            return
        sizes, here = self._splitter.sizes(), self._splitter.indexOf(self)
        if here > 1:
            sizes[1], sizes[here] = max(0, sizes[1] + sizes[here] - self._bounded), self._bounded
            self._splitter.setSizes(sizes)


SIDE_WIDTH = 60 * GRID
NARROWEST_SIDE, WIDEST_SIDE = 40 * GRID, 120 * GRID
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
        self.setMinimumWidth(NARROWEST_SIDE)
        self.content: QWidget | None = None
        self._enter: Callable[[], None] = self.setFocus
        self.overlaid = True
        self._splitter, self._threads, self._stage, self._make_room = splitter, threads, stage, make_room
        self._width = SIDE_WIDTH
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
        if self.window().width() < max(OVERLAY_BELOW, beside + TEXT_BESIDE + NARROWEST_SIDE):
            came = not self.overlaid or not self.isVisible()
            self._take_out()
            self.setGeometry(self._stage.geometry())
            if came:
                # not while Qt goes through the panes, which is when the stage tells of its size
                self.raise_()
        elif self.overlaid:
            self._moving = True
            self.overlaid = False
            self.setMaximumWidth(WIDEST_SIDE)
            self._splitter.insertWidget(2, self)
            self.setVisible(self._open)
            sizes = self._splitter.sizes()
            both = sizes[1] + sizes[2]
            sizes[2] = max(NARROWEST_SIDE, min(self._width, both - TEXT_BESIDE))
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
