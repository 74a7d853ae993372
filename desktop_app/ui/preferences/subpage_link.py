"""Owns a part of the page that leads to another page with settings of its own. Knows no other page."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop_app.ui.preferences.setting_list import found
from desktop_app.ui.theme.theme import GRID


class SubpageLink(QWidget):
    """A heading, a line about it, a button."""

    wanted = Signal()

    def __init__(self, heading: QLabel, about: QLabel, words: str, table: str, parent: QWidget) -> None:
        """`table`: what the table is called in settings.toml, which the search finds as well."""
        super().__init__(parent)
        self._texts = (heading.text(), about.text(), table)
        self.button = QPushButton(words, self)
        self.button.setAccessibleName(f"{heading.text()}: {words}")
        self.button.setAccessibleDescription(about.text())
        self.button.clicked.connect(self.wanted)
        rule = QFrame(self)
        rule.setProperty("kind", "rule")
        rule.setFixedHeight(1)
        row = QHBoxLayout()
        row.setSpacing(2 * GRID)
        row.addWidget(about, 1)
        row.addWidget(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, GRID, 0, GRID)
        column.setSpacing(GRID)
        column.addWidget(heading)
        column.addWidget(rule)
        column.addLayout(row)

    def narrow_to(self, query: str) -> int:
        """Shows itself only where the query finds it; 1 then, else 0."""
        hit = found(query, *self._texts)
        self.setVisible(hit)
        return int(hit)
