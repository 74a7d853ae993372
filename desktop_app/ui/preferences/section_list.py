"""The list of sections at the side of the page."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QSize, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QFrame,
    QListWidget,
    QListWidgetItem,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop_app.ui.preferences.setting_list import Section
from desktop_app.ui.theme.theme import GRID, Theme

NAME = Qt.ItemDataRole.UserRole
WRONG = Qt.ItemDataRole.UserRole + 1
DOT = 3.0
"""Half the width of the dot that says that something is wrong in a section, in pixels."""
LEAST = 17 * GRID
"""Pixels of the list, however short the names."""
ROW = 4 * GRID
"""Pixels of a row at the usual text size."""


class _SectionDelegate(QStyledItemDelegate):
    """A row, with a dot at its end where something in its section is wrong."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        if not index.data(WRONG):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("danger"))
        rect = option.rect
        painter.drawEllipse(QPointF(rect.right() - GRID - DOT, rect.center().y() + 0.5), DOT, DOT)
        painter.restore()


class SectionList(QListWidget):
    """`section_chosen(name)`: by a click, or by an arrow key."""

    section_chosen = Signal(object)

    def __init__(self, theme: Theme, names: Mapping[Section, str], parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._quiet = False
        self.setProperty("kind", "sections")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(self.tr("Sections"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setItemDelegate(_SectionDelegate(theme, self))
        for section, name in names.items():
            item = QListWidgetItem(name, self)
            item.setData(NAME, section)
        self.currentItemChanged.connect(self._choose)
        self.itemClicked.connect(self._choose)
        theme.follow(self._apply_theme)

    def show_section(self, section: Section | None) -> None:
        """Which one is shown; None: none alone."""
        self._quiet = True
        rows = (row for row in range(self.count()) if self.item(row).data(NAME) == section)
        row = next(rows, -1)
        if row != self.currentRow() or section is None:
            self.setCurrentRow(row)
        self._quiet = False

    def mark(self, wrong: Mapping[Section, str]) -> None:
        """In which sections something is wrong, and in what words."""
        for row in range(self.count()):
            item = self.item(row)
            words = wrong.get(item.data(NAME), "")
            item.setData(WRONG, words)
            item.setToolTip(words)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{item.text()}, {words}" if words else item.text())

    def wanted_width(self) -> int:
        """Pixels that the longest name takes, with the space at its sides."""
        names = (self.item(row).text() for row in range(self.count()))
        longest = max(map(self.fontMetrics().horizontalAdvance, names))
        return max(self._theme.pixels(LEAST), longest + 2 * self._theme.pixels(GRID) + 3 * GRID)

    def wanted_size(self) -> QSize:
        """Pixels of the whole list."""
        return QSize(self.wanted_width(), self.count() * self._theme.pixels(ROW))

    def _apply_theme(self) -> None:
        for row in range(self.count()):
            self.item(row).setSizeHint(QSize(0, self._theme.pixels(ROW)))

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and not self._quiet:
            self.section_chosen.emit(item.data(NAME))
