"""The places of the window that come after its first paint: inspector and side pane, margins of a page,
the list over a narrow window, a thread without messages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPixmap, QRegion
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from desktop_app.core.prompts import Prompt
from desktop_app.resources import resource
from desktop_app.ui.theme.theme import GRID, Theme, column, flood, space
from desktop_app.ui.widgets.fitting import ElidedLabel
from desktop_app.ui.widgets.parts import ElidedButton, Stretch, button_in, fill, in_row, set_look
from desktop_app.ui.widgets.splitter import FARTHEST, LIST_OVER_BELOW

INSPECTOR_WIDTH = 40 * GRID
NARROWEST_INSPECTOR, WIDEST_INSPECTOR = 35 * GRID, 60 * GRID
"""Pixels that the user may give it at the usual text size (INTERFACE.md); its tabs need more with larger text."""
OVERLAY_BELOW = 1_000
"""Width of the window in pixels below which the inspector lies over the conversation."""


def give_first(splitter: QSplitter, wide: int) -> None:
    """Gives the first pane so many pixels, or what the others can spare.

    Qt takes from it where there is less room, and gives nothing back.
    """
    sizes = splitter.sizes()
    for place in range(1, len(sizes)):
        pane = splitter.widget(place)
        spare = 0 if pane is None else max(0, sizes[place] - pane.minimumWidth())
        taken = min(wide - sizes[0], spare)
        sizes[place] -= taken
        sizes[0] += taken
    splitter.setSizes(sizes)


class CoverableSlot(QFrame):
    """A pane that a page closes, and that comes back as the page goes."""

    shown = False
    covered = False
    """A page closed it, or it came to stand beside the thread meanwhile."""

    def set_shown(self, shown: bool) -> None:
        """Opens or closes it; what a page did to it is over with that."""
        raise NotImplementedError

    def cover(self, covered: bool) -> None:
        """Closes it while a page is shown, and opens it again as the page goes."""
        if concerned := self.shown if covered else self.covered:
            self.set_shown(not covered)
        self.covered = concerned and covered


class InspectorSlot(CoverableSlot):
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
        self.pane_width = INSPECTOR_WIDTH
        """Pixels that were chosen: a wish, as the list's is."""
        splitter.splitterMoved.connect(self._note_width)
        self._edge = QFrame(self)
        self._edge.setProperty("kind", "rule")
        self._edge.setFixedWidth(1)
        self._edge.hide()
        self._row = in_row(self._edge, of=self, spacing=0, margins=0)
        self.hide()
        window.installEventFilter(self)
        stage.installEventFilter(self)
        theme.follow(self._apply_theme)

    def _note_width(self, _position: int, edge: int) -> None:
        if edge == self._splitter.indexOf(self):
            self.pane_width = self.width()

    @property
    def overlaid_widths(self) -> tuple[int, int, int]:
        """The least, the present and the greatest width in pixels while it lies over the conversation."""
        return self._least, self._bounded, max(self._least, min(self._most, self._stage.width()))

    def widen_overlaid(self, pixels: int) -> None:
        """Makes it wider or narrower, as far as it goes, while it lies over the conversation."""
        least, width, most = self.overlaid_widths
        self.pane_width = max(least, min(most, width + pixels))
        self._place()

    def fill(self, content: QWidget) -> None:
        """Puts the inside in."""
        self.content = content
        self._row.addWidget(content, 1)
        content.show()
        self.setFocusProxy(content)

    def restore(self, shown: bool, width: int | None) -> None:
        """As it was at the last end. The inside is still to come: whoever makes it looks at `shown`."""
        self.pane_width = self.pane_width if width is None else width
        if shown:
            self.shown = True
            self._place()
            self.show()

    def set_shown(self, shown: bool) -> None:
        """Opens or closes the inspector."""
        self.covered = False
        if shown == self.shown:
            return
        self.shown = shown
        if shown and self.content is None:
            self.wanted.emit()
        if shown:
            self._place()
        self.setVisible(shown)
        if shown:
            self._take_width()
        self.shown_changed.emit(shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and self.shown:
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
        """Its tabs need more with larger text; over the conversation it is no wider than that."""
        least = max(NARROWEST_INSPECTOR, self._theme.pixels(NARROWEST_INSPECTOR))
        return min(least, self._stage.width()) if self.overlaid else least

    @property
    def _most(self) -> int:
        return max(WIDEST_INSPECTOR, self._theme.pixels(WIDEST_INSPECTOR))

    @property
    def _bounded(self) -> int:
        """The chosen width, as far as the text allows it."""
        return max(self._least, min(self._most, self.pane_width))

    def _apply_theme(self) -> None:
        self.setMinimumWidth(self._least)
        self.setMaximumWidth(FARTHEST if self.overlaid else self._most)
        if self.shown:
            self._place()
            self._take_width()

    def _place(self) -> None:
        over = self._window.width() < OVERLAY_BELOW
        came = over != self.overlaid or not self.isVisible()
        if over != self.overlaid:
            self.overlaid = over
            self._edge.setVisible(over)
            self.setMinimumWidth(self._least)
            self.setMaximumWidth(FARTHEST if over else self._most)
            if over:
                self.setParent(self._window)
            else:
                self._splitter.addWidget(self)
            self._theme.give_fonts()
            self.setVisible(self.shown)
            if not over:
                self._take_width()
        if over:
            self._lay_over_stage()
            if came:  # the list may lie over it since
                self.raise_()

    def _lay_over_stage(self) -> None:
        if self.overlaid:
            room = QRect(self._stage.mapTo(self._window, QPoint(0, 0)), self._stage.size())
            # in a narrow window what is left of the conversation could not be read
            narrow = self._window.width() < LIST_OVER_BELOW
            width = room.width() if narrow else min(self._bounded, room.width())
            self.setMinimumWidth(self._least)
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


class SideSlot(CoverableSlot):
    """One pane of those of which one at a time is open at the side."""

    shown_changed = Signal(bool)

    def __init__(
        self,
        theme: Theme,
        splitter: QSplitter,
        list_width: Callable[[], int],
        stage: QWidget,
        *,
        name: str,
        make_room: Callable[[QWidget], None],
    ) -> None:
        """`splitter` holds the panes of the window, with so many pixels for the list; `stage` is in the middle.

        `make_room` closes what else is open at the side.
        """
        super().__init__(stage.parentWidget())
        self.setProperty("kind", "side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(name)
        self.setMinimumWidth(NARROWEST_SIDE)
        self.content: QWidget | None = None
        self.subject: Callable[[], str] = lambda: ""
        """Returns the id of what is shown in it."""
        self._enter: Callable[[], None] = self.setFocus
        self._theme = theme
        self.overlaid = True
        self._splitter, self._list_width, self._stage, self._make_room = splitter, list_width, stage, make_room
        self._width = SIDE_WIDTH  # that was chosen
        splitter.splitterMoved.connect(self._note_width)
        self._moving = False
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self.hide()
        splitter.window().installEventFilter(self)
        stage.installEventFilter(self)

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
        self.covered = False
        if shown == self.shown:
            return
        if shown:
            self._make_room(self)
        self.shown = shown
        if shown:
            self._place()
        else:
            self._take_out()
        self.setVisible(shown)
        self.shown_changed.emit(shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            if watched is not self._stage:
                self.stay()
            elif self.overlaid:  # Qt goes through the panes: none may come or go now
                self.setGeometry(self._stage.geometry())
        return False

    def stay(self) -> None:
        """Beside the conversation or over it, as there is room now."""
        # while it goes from one parent to another the panes around it are laid out: only then does it know its place
        if self.shown and not self._moving:
            self._place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.set_shown(False)
        else:
            super().keyPressEvent(event)

    def _place(self) -> None:
        if self.window().width() < max(OVERLAY_BELOW, self._list_width() + TEXT_BESIDE + NARROWEST_SIDE):
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
            self._theme.give_fonts()
            self.setVisible(self.shown)
            sizes = self._splitter.sizes()
            both = sum(sizes) - self._list_width()
            width = max(NARROWEST_SIDE, min(self._width, both - TEXT_BESIDE))
            self._splitter.setSizes([self._list_width(), both - width, width])
            self._moving = False

    def _note_width(self, _position: int, edge: int) -> None:
        if edge == self._splitter.indexOf(self):
            self._width = self.width()

    def _take_out(self) -> None:
        """Out of the row of panes, to lie over the transcript."""
        if not self.overlaid:
            self._moving = True
            self.overlaid = True
            self.setParent(self._stage.parentWidget())
            self._theme.give_fonts()
            self.setMaximumWidth(100_000)
            self.setVisible(self.shown)
            self._moving = False


QWIDGETSIZE_MAX = (1 << 24) - 1
"""Qt's word for a widget that may be of any width."""


def stand_beside_column(bar: QWidget, row: QHBoxLayout, buttons: Sequence[QToolButton], *, list_shown: bool) -> None:
    """`buttons` for the list, a new thread and the menu: narrower where the margins are.

    What has no room there at all is not shown. Of the bar only they are left.
    """
    for_list, for_new, for_menu = buttons
    left, width = column(bar.width() - space("scroll"))
    right = bar.width() - left - width
    wanted = for_new.sizeHint().width()
    for_list.setVisible(not list_shown and for_list.iconSize().width() <= left)
    for_new.setVisible(not list_shown and GRID + 2 * (wanted + GRID // 2) <= left)
    # its ground keeps off Back, which begins where the margin ends
    _set_slim(for_list, max(for_list.iconSize().width(), left - GRID // 2) if left < wanted else None)
    _set_slim(for_menu, right if right < wanted else None)
    free = [max(0, min(GRID, room - wanted)) for room in (left, right)]
    row.setContentsMargins(free[0], 0, free[1], 0)
    row.activate()
    places = [button.geometry() for button in buttons if not button.isHidden()]
    bar.setMask(reduce(QRegion.united, map(QRegion, places)))


def stand_in_bar(bar: QWidget, row: QHBoxLayout, buttons: Sequence[QToolButton]) -> None:
    """Without a page they are as wide as they want to be, and the whole bar is there."""
    bar.clearMask()
    row.setContentsMargins(GRID, 0, GRID, 0)
    for button in buttons:
        _set_slim(button, None)


def _set_slim(button: QToolButton, width: int | None) -> None:
    """So many pixels wide, which its icon has to itself; None: as wide as it wants to be."""
    button.setMinimumWidth(width or 0)
    button.setMaximumWidth(width or QWIDGETSIZE_MAX)
    if bool(button.property("slim")) != bool(width):
        set_look(button, "slim", bool(width))


MARK: Final = 48
WIDEST: Final = 76 * GRID
"""Pixels of the starters beside each other, at the usual text size."""
MOST_STARTERS: Final = 4
COLUMNS: Final = 2
ABOVE: Final = 0.4
"""Share of the free height that lies above."""

TIP: Final = 300
"""Characters of a prompt's text that its tooltip shows."""


class EmptyThread(QWidget):
    """Lies over the transcript. What has no room in a low window is left away: the mark first, then starters.

    The greeting stands where it stands, whether the starters are there yet or not.
    """

    starter_chosen = Signal(object)  # Prompt
    connect_requested = Signal()

    def __init__(self, theme: Theme, parent: QAbstractScrollArea) -> None:
        super().__init__(parent)
        self._theme = theme
        # The column of the text stands beside the scroll bar: the middle of both is the middle of the viewport.
        self._room = parent.viewport()
        self.buttons: list[ElidedButton] = []
        self._mark = QLabel(self, alignment=Qt.AlignmentFlag.AlignHCenter)
        self._greeting = QLabel(self, alignment=Qt.AlignmentFlag.AlignHCenter, wordWrap=True)
        self.model = ElidedLabel(self)
        self.model.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.model.setProperty("tone", "secondary")
        self._grid = QGridLayout()
        self._grid.setSpacing(GRID)
        starters = in_row(Stretch(), (self._grid, 1000), Stretch())
        self._column = QVBoxLayout(self)
        self._column.setSpacing(GRID)
        for label in (self._mark, self._greeting, self.model):
            self._column.addWidget(label)
        self._column.addSpacing(GRID)
        self.connect_button = button_in(self, self.tr("Connect a model"), self.connect_requested, kind="primary")
        fill(self._column, (self.connect_button, 0, Qt.AlignmentFlag.AlignHCenter), starters, Stretch())
        self._room.installEventFilter(self)
        self._lacks_model = False
        theme.set_font("small", self.model)  # before it is first shown
        self._show_greeting()
        theme.follow(self._apply_theme)

    def show_model(self, words: str) -> None:
        """Names what will answer; "": nothing is chosen."""
        self.model.set_words(words)

    def show_lacks_model(self, lacks: bool) -> None:
        """Show or hide the words that nothing would answer now, with the one thing to do about it."""
        if lacks != self._lacks_model:
            self._lacks_model = lacks
            self._show_greeting()
            self.fill()

    def _show_greeting(self) -> None:
        self._greeting.setText(self.tr("No model connected") if self._lacks_model else self.tr("How can I help?"))
        self.model.setVisible(not self._lacks_model)
        self.connect_button.setVisible(self._lacks_model)

    def show_starters(self, starters: Sequence[Prompt]) -> None:
        """Offers prompts to begin with; a click only writes them into the message."""
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = [self._button(prompt) for prompt in starters[:MOST_STARTERS]]
        self.fill()

    def fill(self) -> None:
        """Takes the room that the text would have."""
        self.setGeometry(self._room.geometry())
        width = min(self.width() - 4 * GRID, self._theme.pixels(WIDEST))
        columns = COLUMNS if width >= self._theme.pixels(WIDEST) * 3 // 4 else 1
        row = self._greeting.fontMetrics().height() + 2 * GRID
        rows = MOST_STARTERS // columns
        left = self.height() - self._greeting.heightForWidth(max(1, width)) - 4 * GRID
        self._greeting.setVisible(left >= 0)
        left -= self.model.sizeHint().height() + 2 * GRID
        self.model.setVisible(left >= 0 and not self._lacks_model)
        shown_rows = max(0, min(rows, left // row))
        left -= shown_rows * row
        self._mark.setVisible(left >= MARK + GRID)
        left -= (MARK + GRID) * (not self._mark.isHidden())
        aside = max(2 * GRID, (self.width() - width) // 2)
        self._column.setContentsMargins(aside, 2 * GRID + max(0, round(left * ABOVE)), aside, 0)
        for place, button in enumerate(self.buttons):
            self._grid.addWidget(button, place // columns, place % columns)
            button.setVisible(place < shown_rows * columns and not self._lacks_model)
        for number in range(COLUMNS):
            self._grid.setColumnStretch(number, int(number < columns))
        self._column.activate()  # at once: no frame is painted with what has gone

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.fill()
        return False

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        """A click beside the starters means nothing; the composer gets the keyboard as after every click."""

    def _button(self, prompt: Prompt) -> ElidedButton:
        button = ElidedButton(self._theme, self)
        button.setText(prompt.title)
        button.setToolTip(prompt.text if len(prompt.text) <= TIP else f"{prompt.text[:TIP]}…")
        button.setAccessibleDescription(self.tr("Insert this prompt"))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setMinimumWidth(1)
        button.clicked.connect(lambda: self.starter_chosen.emit(prompt))
        return button

    def _apply_theme(self) -> None:
        scale = self.devicePixelRatioF()
        drawing = QPixmap(str(resource("icons", "plimsoll-128.png"))).scaledToWidth(
            round(MARK * scale), Qt.TransformationMode.SmoothTransformation
        )
        drawing.setDevicePixelRatio(scale)
        self._mark.setPixmap(drawing)
        font = self._theme.title_font()
        font.setPointSizeF(self._theme.points("page"))
        self._greeting.setFont(font)
        self.fill()


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
        self._theme.give_fonts()
        self._threads.show()
        self.show()
        self.raise_()

    def give_back(self) -> bool:
        """Puts the list back into the splitter; False where it is there."""
        if self._stand_in is None:
            return False
        self._splitter.replaceWidget(0, self._threads)
        self._theme.give_fonts()
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
        with QPainter(self) as painter:
            veil = QColor(self._theme.color("background"))
            veil.setAlphaF(VEIL)
            flood(painter, self.rect(), veil)
