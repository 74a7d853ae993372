"""The list of the messages that a summary stands for. Uses their excerpts, not the messages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QListView, QWidget

from desktop_app.ui.theme.theme import GRID, Theme

ID_ROLE = Qt.ItemDataRole.UserRole + 1
ROWS_SHOWN = 8
_ROOT = QModelIndex()
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class SummarySource:
    """One message: who said it, in a word, and how it begins."""

    id: str
    who: str
    excerpt: str


class SourceModel(QAbstractListModel):
    """One row per message."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._sources: tuple[SummarySource, ...] = ()

    def show_sources(self, sources: Sequence[SummarySource]) -> None:
        self.beginResetModel()
        self._sources = tuple(sources)
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._sources)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        source = self._sources[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{source.who}: {source.excerpt}"
        return source.id if role == ID_ROLE else None


class SourceList(QListView):
    """Arrows move, Enter or a click goes to the message."""

    chosen = Signal(str)  # message id

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.sources = SourceModel(self)
        self.setModel(self.sources)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.tr("Messages that the summary replaces"))
        self.setAccessibleDescription(self.tr("Enter goes to the message."))
        self.setSpacing(GRID // 4)
        self.clicked.connect(lambda index: self.chosen.emit(str(index.data(ID_ROLE))))
        theme.set_font("small", self)
        theme.follow(self._fit)

    def show_sources(self, sources: Sequence[SummarySource]) -> None:
        """Replaces the rows; the keyboard begins at the first."""
        self.sources.show_sources(sources)
        if sources:
            self.setCurrentIndex(self.sources.index(0))
            self.clearSelection()
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.chosen.emit(str(self.currentIndex().data(ID_ROLE)))
        else:
            super().keyPressEvent(event)

    def _fit(self) -> None:
        rows = min(max(1, self.sources.rowCount()), ROWS_SHOWN)
        self.setFixedHeight(rows * (max(self.sizeHintForRow(0), self.fontMetrics().height()) + GRID // 2) + GRID // 2)
