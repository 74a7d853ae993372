"""The connections page: those set up, those that can be added, and the form for a server. Never imports a backend."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from desktop_app.ui.connections.connection_row import ConnectionId, ConnectionRow, ConnectionView
from desktop_app.ui.connections.server_form import ServerForm
from desktop_app.ui.theme.theme import GRID, Theme
from desktop_app.ui.widgets.page import PageFrame


class ConnectionsPage(PageFrame):
    """Wishes carry the id of their connection; those of `server` stand there."""

    connect_requested = Signal(object)
    use_requested = Signal(object)
    test_requested = Signal(object)
    key_entered = Signal(object, str)
    remove_requested = Signal(object)
    file_requested = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, "", parent)
        self.set_title(self.tr("Connections"))
        self.rows: list[ConnectionRow] = []
        self.looking = self.small(self.tr("Looking for connections…"))
        self._further_head = self.subheading(self.tr("Add a connection"))
        self._ready, self._further = QVBoxLayout(), QVBoxLayout()
        for ways in (self._ready, self._further):
            ways.setSpacing(GRID)
        self.server = ServerForm(theme, self.column)
        self.inside.addWidget(self.looking)
        self.inside.addLayout(self._ready)
        self.inside.addSpacing(GRID)
        self.inside.addWidget(self._further_head)
        self.inside.addLayout(self._further)
        self.inside.addWidget(self.server)
        self.inside.addStretch(1)

    def show_connections(self, ready: Sequence[ConnectionView], further: Sequence[ConnectionView]) -> None:
        """Show the connections that are set up, and others found here. A row that stays keeps what was typed in it."""
        self.looking.hide()
        kept = {row.view.id: row for row in self.rows}
        self.rows = []
        for layout, views in ((self._ready, ready), (self._further, further)):
            for place, view in enumerate(views):
                row = kept.pop(view.id, None)
                if row is None:
                    row = self._made_row(view)
                else:
                    row.show_view(view)
                self._ready.removeWidget(row)
                self._further.removeWidget(row)
                layout.insertWidget(place, row)
                self.rows.append(row)
        for row in kept.values():
            focused = QApplication.focusWidget()
            if focused is not None and row.isAncestorOf(focused):
                self.back.setFocus()
            self._ready.removeWidget(row)
            self._further.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._order_tabs()

    def row(self, connection: ConnectionId) -> ConnectionRow | None:
        """The row of a connection."""
        return next((row for row in self.rows if row.view.id == connection), None)

    def bring(self, part: QWidget) -> None:
        """Scrolls a part of the page into view."""
        self.scroller.ensureWidgetVisible(part, 0, 6 * GRID)

    def _made_row(self, view: ConnectionView) -> ConnectionRow:
        row, name = ConnectionRow(self.theme, view, self.column), view.id
        row.connect_requested.connect(lambda: self.connect_requested.emit(name))
        row.use_requested.connect(lambda: self.use_requested.emit(name))
        row.test_requested.connect(lambda: self.test_requested.emit(name))
        row.key_entered.connect(lambda key: self.key_entered.emit(name, key))
        row.remove_requested.connect(lambda: self.remove_requested.emit(name))
        row.file_requested.connect(lambda: self.file_requested.emit(name))
        return row

    def _order_tabs(self) -> None:
        """Tab goes down the page, though its rows came at different times."""
        form = self.server
        parts = [self.back, *(part for row in self.rows for part in row.stops)]
        parts += [form.service, form.address, form.key, form.test, form.model, form.model_name, form.use]
        for before, after in pairwise(parts):
            QWidget.setTabOrder(before, after)
