"""A list of many rows of one height, as a table of one column. Uses no model's rows.

A `QListView` lays all its rows out anew whenever one of them changes, and asks the model for each: 20 ms for ten
thousand. A table's rows are sections of a header, which Qt moves by itself.
"""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from desktop_app.ui.theme.theme import GRID

Key = Qt.Key


class RowTable(QTableView):
    """Home and End go to the first and the last row; letters do nothing."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        # rows are painted by their delegate, the selected ones too
        self.setProperty("kind", "rows")
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().hide()
        self.verticalScrollBar().setSingleStep(2 * GRID)

    def set_row_height(self, pixels: int) -> None:
        """Every row has this height."""
        self.verticalHeader().setMinimumSectionSize(pixels)
        self.verticalHeader().setDefaultSectionSize(pixels)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Key.Key_Home, Key.Key_End) and self.model().rowCount():
            row = 0 if event.key() == Key.Key_Home else self.model().rowCount() - 1
            flags = QItemSelectionModel.SelectionFlag
            shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            taken = flags.SelectCurrent if shifted else flags.ClearAndSelect
            self.selectionModel().setCurrentIndex(self.model().index(row, 0), taken | flags.Rows)
        elif _is_letter(event):
            # Qt would look for a row that begins with it
            event.ignore()
        else:
            super().keyPressEvent(event)


def _is_letter(event: QKeyEvent) -> bool:
    plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
    return plain and bool(event.text()) and event.text().isprintable()
