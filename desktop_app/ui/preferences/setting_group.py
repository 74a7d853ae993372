"""Owns a heading with its rows, and hides both where a search finds none. Knows no value."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout, QWidget

from desktop_app.ui.preferences.setting_list import SettingGroup, found
from desktop_app.ui.preferences.setting_row import SettingRow
from desktop_app.ui.preferences.setting_words import heading_of
from desktop_app.ui.theme.theme import GRID, Theme


class SettingGroupView(QWidget):
    """`value_chosen(dotted key, value)`: None for the default."""

    value_chosen = Signal(str, object)

    def __init__(self, theme: Theme, group: SettingGroup, titles: Mapping[str, str], parent: QWidget) -> None:
        super().__init__(parent)
        self.group = group
        self.heading = QLabel(heading_of(group, titles), self)
        self.heading.setTextFormat(Qt.TextFormat.PlainText)
        self.heading.setWordWrap(True)
        self.heading.setMinimumWidth(1)
        self._rules: dict[str, QFrame] = {}
        self.rows: dict[str, SettingRow] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GRID, 0, GRID)
        column.setSpacing(0)
        column.addWidget(self.heading)
        column.addSpacing(GRID // 2)
        for setting in group.settings:
            rule = QFrame(self)
            rule.setProperty("kind", "rule")
            rule.setFixedHeight(1)
            row = SettingRow(theme, group, setting, titles, self)
            row.value_chosen.connect(self.value_chosen)
            column.addWidget(rule)
            column.addWidget(row)
            self._rules[setting.dotted], self.rows[setting.dotted] = rule, row
        theme.set_font("title", self.heading)

    def narrow_to(self, query: str) -> int:
        """Shows only the rows that the query finds, and says how many these are."""
        shown = 0
        for dotted, row in self.rows.items():
            hit = found(query, *row.searched)
            row.setVisible(hit)
            self._rules[dotted].setVisible(hit)
            shown += hit
        self.setVisible(shown > 0)
        return shown
