"""The scroll bar in a page's margin, by itself: it follows the list, and the list follows it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.ui.widgets.list_parts import MarginBar
from tests.patience import PATIENCE_MS

MARGIN = 24


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    page = QWidget()
    qtbot.addWidget(page)
    page.resize(400, 300)
    return page


@pytest.fixture
def rows(page: QWidget) -> QListWidget:
    """A list two layouts deep in the page's column."""
    outer = QHBoxLayout(page)
    outer.setContentsMargins(MARGIN, 0, MARGIN, 0)
    column = QWidget(page)
    outer.addWidget(column)
    inside = QVBoxLayout(column)
    inside.setContentsMargins(0, 0, 0, 0)
    part = QWidget(column)
    inside.addWidget(part)
    deep = QVBoxLayout(part)
    deep.setContentsMargins(0, 0, 0, 0)
    rows = QListWidget(part)
    rows.setFrameShape(QListWidget.Shape.NoFrame)
    deep.addWidget(rows)
    rows.addItems([f"row {number}" for number in range(100)])
    MarginBar(rows, column)
    page.show()
    return rows


def bar_of(page: QWidget) -> MarginBar:
    (bar,) = page.findChildren(MarginBar)
    return bar


def test_rows_have_the_whole_column_and_the_bar_stands_beside_it(
    page: QWidget, rows: QListWidget, qtbot: QtBot
) -> None:
    bar = bar_of(page)
    for width in (400, 700):
        page.resize(width, 300)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        assert rows.viewport().width() == width - 2 * MARGIN
        assert bar.isVisible()
        assert bar.x() == width - MARGIN
        assert bar.height() == rows.viewport().height()


def test_list_and_bar_follow_each_other(page: QWidget, rows: QListWidget) -> None:
    bar = bar_of(page)
    rows.scrollToBottom()
    assert bar.value() == bar.maximum() == rows.verticalScrollBar().maximum() > 0
    bar.setValue(0)
    assert rows.verticalScrollBar().value() == 0


def test_without_anything_to_scroll_or_without_its_list_there_is_no_bar(
    page: QWidget, rows: QListWidget, qtbot: QtBot
) -> None:
    bar = bar_of(page)
    rows.hide()
    assert not bar.isVisible()
    rows.show()
    assert bar.isVisible()
    around = rows.parentWidget()
    assert around is not None
    around.hide()
    assert not bar.isVisible()
    around.show()
    rows.clear()
    qtbot.waitUntil(lambda: not bar.isVisible(), timeout=PATIENCE_MS)


def test_a_list_that_moves_takes_its_bar_along(page: QWidget, rows: QListWidget, qtbot: QtBot) -> None:
    bar, inside = bar_of(page), page.findChildren(QVBoxLayout)[0]
    inside.insertSpacing(0, 40)
    qtbot.waitUntil(lambda: bar.y() == 40, timeout=PATIENCE_MS)
    assert bar.y() == rows.mapTo(page, QPoint(0, 0)).y()
