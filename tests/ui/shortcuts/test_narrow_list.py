"""In a narrow page the list of shortcuts gives its room to names and keys."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication

from desktop_app.ui.shortcuts.shortcuts_page import ShortcutsPage
from tests.ui.open_window import OpenWindow


@pytest.mark.parametrize(("width", "points"), [(1000, 11), (480, 11), (480, 17)])
async def test_names_are_read_whole_and_no_column_is_empty(window: OpenWindow, width: int, points: int) -> None:
    await window.services.preferences.set_value("appearance.text_size", points)
    await window.until(lambda: window.session.appearance.theme.text_size == points, "the text size")
    window.window.resize(width, 600)
    window.shortcut("show_shortcuts")
    page = window.presenters.pages.page
    assert isinstance(page, ShortcutsPage)
    await window.settled()
    QApplication.processEvents()
    table, metrics = page.table, page.table.fontMetrics()
    assert sum(table.columnWidth(column) for column in range(2)) <= table.viewport().width()
    for row, line in enumerate(page.lines):
        if not line.words:
            continue  # a heading spans the list
        room = QRect(0, 0, table.columnWidth(0) - 2 * page.theme.pixels(8), 1000)
        needs = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, line.words)
        assert needs.width() <= room.width(), line.words
        assert needs.height() <= table.rowHeight(row), line.words
