"""Owns the pane that lists the ways to a model on this computer, with one button each. Knows no backend."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from desktop_app.resources import resource
from desktop_app.ui.theme import GRID, Theme
from desktop_app.ui.welcome.server_form import ServerForm
from desktop_app.ui.welcome.way_row import Way, WayRow

WIDTH = 70 * GRID
"""Widest column of the pane in pixels."""


class WelcomePane(QScrollArea):
    """Wishes: `way_taken(backend)`, `server_taken(address)`, `key_entered(backend, key)`, and those of `server`."""

    way_taken = Signal(str)
    server_taken = Signal(str)
    key_entered = Signal(str, str)
    closed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("Connections"))
        self._theme = theme
        self.rows: list[WayRow] = []
        page = QWidget()
        page.setObjectName("centre")
        column = QWidget(page)
        column.setMaximumWidth(WIDTH)
        inside = QVBoxLayout(column)
        inside.setContentsMargins(3 * GRID, 6 * GRID, 3 * GRID, 3 * GRID)
        inside.setSpacing(GRID)
        mark = QLabel(column)
        mark.setPixmap(_app_mark(self.devicePixelRatioF()))
        self._heading = QLabel(self.tr("Choose how Plimsoll reaches a model"), column)
        self._heading.setWordWrap(True)
        lead = QLabel(self.tr("Nothing is sent before you send it. You can change this later for each thread."), column)
        lead.setProperty("tone", "secondary")
        lead.setWordWrap(True)
        self.message = QLabel(column)
        self.message.setProperty("tone", "danger")
        self.message.setWordWrap(True)
        self.message.hide()
        self._ways = QVBoxLayout()
        self._ways.setSpacing(GRID)
        self.server = ServerForm(theme, column)
        self.server.hide()
        inside.addWidget(mark)
        inside.addSpacing(GRID)
        inside.addWidget(self._heading)
        inside.addWidget(lead)
        inside.addSpacing(2 * GRID)
        inside.addWidget(self.message)
        inside.addLayout(self._ways)
        inside.addWidget(self.server)
        inside.addStretch(1)
        outside = QHBoxLayout(page)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addStretch(1)
        outside.addWidget(column, 1000)
        outside.addStretch(1)
        self._column = column
        self.setWidget(page)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        font = theme.title_font()
        font.setPointSizeF(theme.points("welcome"))
        self._heading.setFont(font)
        self.server.set_theme(theme)
        for row in self.rows:
            row.set_theme(theme)

    def show_ways(self, ways: Sequence[Way]) -> None:
        """Shows the ways found; the first that can be used gets the accent. Rows that stay keep what was typed."""
        kept = {row.way: row for row in self.rows}
        first = next((way for way in ways if way.button and not way.asks_key), None)
        shown: list[WayRow] = []
        for place, way in enumerate(ways):
            row = kept.pop(way, None)
            if row is not None and (row.button.property("kind") == "primary") != (way == first):
                kept[way], row = row, None  # a style sheet does not look at a kind that changes
            if row is None:
                row = self._made_row(way, primary=way == first)
            self._ways.insertWidget(place, row)
            shown.append(row)
        for row in kept.values():
            self._ways.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = shown
        self._order_tabs()
        self.server.show()

    def show_message(self, words: str) -> None:
        """One sentence above the ways; empty removes it."""
        self.message.setText(words)
        self.message.setVisible(bool(words))

    def row(self, backend: str, address: str = "") -> WayRow | None:
        """The row of a backend; with `address` the one of a server found here."""
        return next((row for row in self.rows if (row.way.backend, row.way.address) == (backend, address)), None)

    def focus_first(self) -> None:
        """Puts the keyboard on the first way that can be taken, if it is nowhere in the pane yet."""
        focused = QApplication.focusWidget()
        if focused is not None and focused is not self and self.isAncestorOf(focused):
            return
        for row in self.rows:
            if row.way.button and row.button.isEnabled():
                row.button.setFocus(Qt.FocusReason.OtherFocusReason)
                return

    def _made_row(self, way: Way, *, primary: bool) -> WayRow:
        row = WayRow(self._theme, way, primary, self._column)
        if way.address:
            row.taken.connect(lambda: self.server_taken.emit(way.address))
        else:
            row.taken.connect(lambda: self.way_taken.emit(way.backend))
        row.key_entered.connect(lambda key: self.key_entered.emit(way.backend, key))
        return row

    def _order_tabs(self) -> None:
        """Tab goes down the pane, though its rows came at different times."""
        form = self.server
        parts = [part for row in self.rows for part in (row.key, row.button)]
        parts += [form.service, form.address, form.key, form.test, form.model, form.model_name, form.use]
        for before, after in pairwise(parts):
            QWidget.setTabOrder(before, after)


def _app_mark(scale: float) -> QPixmap:
    mark = QPixmap(str(resource("icons", "plimsoll-128.png")))
    size = round(48 * scale)
    mark = mark.scaled(size, size, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation)
    mark.setDevicePixelRatio(scale)
    return mark
