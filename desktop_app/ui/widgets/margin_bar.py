"""A scroll bar that takes no room from its rows: in a page's margin, or over the rows' own."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar, QWidget

from desktop_app.ui.theme.theme import space

MOVES = frozenset({QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide})


class MarginBar(QScrollBar):
    """Stands for the vertical bar of `area`, to the right of it; there only while there is something to scroll.

    `column` is the page's, in which the area stands at any depth, with room beside it. `within`: it lies over the
    area's own edge, where its rows leave room.
    """

    def __init__(self, area: QAbstractScrollArea, column: QWidget, *, within: bool = False) -> None:
        beside = column.parentWidget() or column
        super().__init__(Qt.Orientation.Vertical, beside)
        self._area, self._own, self._beside, self._within = area, area.verticalScrollBar(), beside, within
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._own.rangeChanged.connect(self._follow)
        self._own.valueChanged.connect(self.setValue)
        self.valueChanged.connect(self._own.setValue)
        part: QWidget | None = area.viewport()
        while part is not None and part is not beside:
            part.installEventFilter(self)
            part = part.parentWidget()
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in MOVES:
            self._follow()
        return False

    def _follow(self) -> None:
        """The range, the steps and the height of the area's own bar."""
        own, view, beside = self._own, self._area.viewport(), self._beside
        self.setRange(own.minimum(), own.maximum())
        self.setPageStep(own.pageStep())
        self.setSingleStep(own.singleStep())
        self.setValue(own.value())
        corner = view.mapTo(beside, QPoint(view.width(), 0))
        left = corner.x() - space("scroll") if self._within else corner.x()
        self.setGeometry(left, corner.y(), space("scroll"), view.height())
        self.setVisible(own.maximum() > own.minimum() and self._area.isVisibleTo(beside))
        self.raise_()
