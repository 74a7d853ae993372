"""Owns a scroll bar that lies over what it scrolls, whose rows keep the whole width. Knows no rows."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar

from desktop_app.ui.theme.theme import space


class OverlayBar(QScrollBar):
    """Stands for the vertical bar of `area`, at its right edge: there only while there is something to scroll."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(Qt.Orientation.Vertical, area)
        self._area, self._own = area, area.verticalScrollBar()
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._own.rangeChanged.connect(self._follow)
        self._own.valueChanged.connect(self.setValue)
        self.valueChanged.connect(self._own.setValue)
        area.viewport().installEventFilter(self)
        self._follow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._follow()
        return False

    def _follow(self) -> None:
        """The range, the steps and the place of the area's own bar, beside whose rows it would have stood."""
        own, view = self._own, self._area.viewport().geometry()
        self.setRange(own.minimum(), own.maximum())
        self.setPageStep(own.pageStep())
        self.setSingleStep(own.singleStep())
        self.setValue(own.value())
        width = space("scroll")
        self.setGeometry(view.right() + 1 - width, view.top(), width, view.height())
        self.setVisible(own.maximum() > own.minimum())
        self.raise_()
