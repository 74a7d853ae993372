"""The edges between the panes: a pane's width changes by the pointer, by keys and by screen readers.

With the value that screen readers hear of a part that is painted, such as the gauge.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, Protocol, cast
from weakref import ref

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleInterface,
    QAccessibleValueChangeEvent,
    QAccessibleValueInterface,
    QFocusEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QRegion,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAccessibleWidget, QSplitter, QSplitterHandle, QWidget
from shiboken6 import VoidPtr, getCppPointer

from desktop_app.ui.i18n.language import tr
from desktop_app.ui.theme.theme import GRID, Theme, flood


class SpeaksValue(Protocol):
    """A widget that has its value as a sentence, and makes its interface each time that Qt asks for it."""

    def sentence(self) -> str: ...
    def interface(self) -> QAccessibleInterface: ...


class _Percent(QAccessibleValueInterface):
    """The fill of a bar, in percent."""

    def __init__(
        self, telling: ref[Any], share: Callable[[Any], float], put: Callable[[Any, float], None] | None
    ) -> None:
        super().__init__()
        self._telling = telling
        self._share = share
        self._put = put

    def currentValue(self) -> float:
        return 0.0 if (telling := self._telling()) is None else round(100 * self._share(telling), 1)

    def minimumValue(self) -> float:
        return 0.0

    def maximumValue(self) -> float:
        return 100.0

    def minimumStepSize(self) -> float:
        return 0.1

    def setCurrentValue(self, value: Any) -> None:
        """A bar is told, not set; what has a way to be set takes it."""
        telling = self._telling()
        if self._put is not None and telling is not None:
            self._put(telling, max(0.0, min(1.0, float(value) / 100)))


class ValueInterface(QAccessibleWidget):
    """A figure, as a rule a progress bar; the value is the sentence.

    It is the description as well: the accessibility bus of Linux knows values that are numbers only. It doesn't keep
    its widget.
    """

    def __init__(
        self,
        widget: QWidget,
        telling: SpeaksValue,
        role: QAccessible.Role = QAccessible.Role.ProgressBar,
        share: Callable[[Any], float] | None = None,
        put: Callable[[Any, float], None] | None = None,
    ) -> None:
        """`share` says of `telling` how full a progress bar is, 0 to 1; `put` sets that, where it can be set."""
        super().__init__(widget, role, widget.accessibleName())
        self._telling = ref(telling)
        self._percent = None if share is None else _Percent(self._telling, share, put)

    def interface_cast(self, kind: QAccessible.InterfaceType) -> Any:
        if kind == QAccessible.InterfaceType.ValueInterface and self._percent is not None:
            # C++ wants the address of the other base class, which here is an object of its own
            return VoidPtr(getCppPointer(self._percent)[0])
        found = super().interface_cast(kind)
        return VoidPtr(0) if found is None else found  # a None that is handed to C++ ends the process

    def text(self, kind: QAccessible.Text) -> str:
        telling = self._telling()
        sentence = "" if telling is None else telling.sentence()
        if kind == QAccessible.Text.Value:
            return sentence
        if kind == QAccessible.Text.Description:
            return ". ".join(words for words in (super().text(kind), sentence) if words)
        return super().text(kind)


@cache
def install(kind: type[SpeaksValue]) -> None:
    """Has Qt ask widgets of this class for their interface. The list of factories is the process's own.

    Qt asks again when the widget's meta object has changed, and deletes each interface with the widget: one that was
    given twice would be deleted twice.
    """
    made: list[QAccessibleInterface] = []

    def make(_key: str, thing: QObject) -> QAccessibleInterface | None:
        if not isinstance(thing, kind):
            return None
        made.append(thing.interface())
        return made[-1]

    QAccessible.installFactory(make)


STEP: Final = 2 * GRID
"""Pixels by which an arrow key moves an edge."""
FARTHEST: Final = 100_000
"""Pixels: as far as an edge goes."""
LIST_OVER_BELOW: Final = 80 * GRID
"""Width of the window in pixels, at the usual text size, below which the list lies over the conversation."""


class PaneEdge(QSplitterHandle):
    """The line between the middle and a pane beside it, whose width it is. Tab reaches it.

    Left and Right move it, Home and End as far as it goes.
    """

    def __init__(self, splitter: Splitter) -> None:
        super().__init__(Qt.Orientation.Horizontal, splitter)
        self._splitter = splitter
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        install(PaneEdge)

    @property
    def pane(self) -> QWidget:
        """The pane at the outer side: the first of all, or the one at the right."""
        place = self._splitter.indexOf(self)
        pane = self._splitter.widget(0 if place == 1 else place)
        assert pane is not None, "an edge lies between two panes"
        return pane

    @property
    def widths(self) -> tuple[int, int, int]:
        """The least, the present and the greatest width of the pane in pixels, as the window is now."""
        first, here, last = self._positions()
        width = self.pane.width()
        if self._splitter.indexOf(self) == 1:
            return width - (here - first), width, width + (last - here)
        return width - (last - here), width, width + (here - first)

    def widen(self, pixels: int) -> None:
        """Gives the pane so much more width, or less, as far as it goes."""
        self._move(pixels if self._splitter.indexOf(self) == 1 else -pixels)

    def sentence(self) -> str:
        """The value for screen readers."""
        return tr("{count} pixels wide").format(count=self.widths[1])

    def share(self) -> float:
        """The width between the least and the greatest, 0 to 1."""
        least, width, most = self.widths
        return (width - least) / (most - least) if most > least else 0.0

    def put_share(self, share: float) -> None:
        """Gives the pane the width that is this share of the way from the least to the greatest."""
        least, width, most = self.widths
        self.widen(least + round(share * (most - least)) - width)

    def interface(self) -> ValueInterface:
        """Return a new interface of the edge for screen readers."""
        return ValueInterface(self, self, QAccessible.Role.Splitter, PaneEdge.share, PaneEdge.put_share)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key
        ways = {key.Key_Left: -STEP, key.Key_Right: STEP, key.Key_Home: -FARTHEST, key.Key_End: FARTHEST}
        way = ways.get(key(event.key()))
        if way is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        else:
            self._move(way)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.clearMask()  # of its five pixels of width one is seen, else
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.setMask(QRegion(self.contentsRect()))
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.hasFocus():
            self.clearMask()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._splitter.indexOf(self) > 0:
            words = tr("Width of: {pane}")
            self.setAccessibleName(words.format(pane=self.pane.accessibleName()))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.hasFocus():
            flood(QPainter(self), self.rect().adjusted(1, 0, -1, 0), self._splitter.theme.color("focus"))

    def _positions(self) -> tuple[int, int, int]:
        """The first, the present and the last place of the edge in pixels."""
        place = self._splitter.indexOf(self)
        # PySide's stubs do not know that it answers
        first, last = cast("tuple[int, int]", self._splitter.getRange(place))
        after = self._splitter.widget(place)
        assert after is not None, "an edge lies between two panes"
        return first, after.x() - self._splitter.handleWidth(), last

    def _move(self, pixels: int) -> None:
        first, here, last = self._positions()
        if (wanted := max(first, min(last, here + pixels))) != here:
            self.moveSplitter(wanted)
            if QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleValueChangeEvent(self, round(100 * self.share(), 1)))


class Splitter(QSplitter):
    """The panes beside each other, with edges for the keyboard."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        self.theme = theme
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:
        return PaneEdge(self)

    def edge_of(self, pane: QWidget) -> PaneEdge | None:
        """The edge that gives a pane its width; None while that pane is not seen here."""
        place = self.indexOf(pane)
        edge = self.handle(1 if place == 0 else place) if place >= 0 else None
        return edge if isinstance(edge, PaneEdge) and pane.isVisible() else None
