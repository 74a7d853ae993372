"""Owns the page that lists every action with its keys. Knows nothing of what an action does, and changes none."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from desktop_app.ui.page import Page
from desktop_app.ui.theme import GRID, Theme

WIDTH = 80 * GRID
LOWEST = 30 * GRID


class ShortcutsPage(Page):
    """Actions with keys come first; the others are in the menu and in the command palette."""

    def __init__(self, theme: Theme, actions: Sequence[QAction], parent: QWidget) -> None:
        super().__init__(theme, self.tr("Keyboard shortcuts"), parent, width=WIDTH)
        self.rows = QStandardItemModel(0, 2, self)
        self.rows.setHorizontalHeaderLabels([self.tr("Action"), self.tr("Keys")])
        for action in sorted(actions, key=lambda each: each.shortcut().isEmpty()):
            keys = [key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()]
            self.rows.appendRow([_item(action.text().replace("&&", "&")), _item("  ·  ".join(dict.fromkeys(keys)))])
        self.table = QTableView(self.column)
        self.table.setAccessibleName(self.tr("Keyboard shortcuts"))
        self.table.setModel(self.rows)
        self.table.setProperty("kind", "rows")
        self.table.setShowGrid(False)
        self.table.setMinimumHeight(LOWEST)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.verticalHeader().hide()
        across = self.table.horizontalHeader()
        across.setHighlightSections(False)
        across.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        across.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        across.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.inside.addWidget(self.small(self.tr("Every action is also in the command palette.")))
        self.inside.addWidget(self.table, 1)

    def focus_first(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self.table.setCurrentIndex(self.rows.index(0, 0))


class ShortcutsFlow:
    """The page as long as it is shown: nothing goes on behind it."""

    def __init__(self, page: ShortcutsPage) -> None:
        self.page = page

    def end(self) -> None:
        """Nothing comes later."""


def _item(words: str) -> QStandardItem:
    item = QStandardItem(words)
    item.setEditable(False)
    return item
