"""The usage page in its column: what its table shows and leaves out, where its caps end, room for the plot."""

from __future__ import annotations

from typing import Final

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.ui.i18n.language import speak
from desktop_app.ui.theme.theme import Theme, load_theme
from desktop_app.ui.usage.figure_table import BY_WEIGHT, TOKEN_COLUMNS, FigureRows, FigureTable, TableLine, in_two_lines
from desktop_app.ui.usage.plot import Chart, ChartBar, Plot, Series
from desktop_app.ui.usage.usage_reading import columns
from tests.patience import PATIENCE_MS

COLUMN_WIDTHS: Final = (334, 422, 560, 760)
COUNTS: Final = (12_345, 1_234_567, 987_654, 4_199, 99)


def figure_rows(hidden: tuple[int, ...] = ()) -> FigureRows:
    lines = [
        TableLine(
            str(n),
            f"A thread with a long name, number {n}",
            (float(n), *map(float, COUNTS[:4]), 0.9, 1.5, 0.5),
            (f"{n}", *(f"{count:,}" for count in COUNTS[:4]), "90 %", "$1.50", "$0.50"),
        )
        for n in range(1, 31)
    ]
    return FigureRows.of(("Thread", *columns()), lines, hidden, rounded=TOKEN_COLUMNS, by_weight=BY_WEIGHT)


@pytest.fixture
def room(qtbot: QtBot) -> QWidget:
    room = QWidget()
    room.resize(900, 900)
    qtbot.addWidget(room)
    room.show()
    return room


@pytest.fixture
def theme() -> Theme:
    return load_theme("light")


@pytest.fixture
def table(room: QWidget, theme: Theme) -> FigureTable:
    table = FigureTable(theme, room)
    table.resize(760, 300)
    table.show_table(figure_rows())
    table.show()
    return table


def heads(table: FigureTable) -> list[str]:
    return [head for column, head in enumerate(("Thread", *columns())) if not table.isColumnHidden(column)]


def texts(table: FigureTable, row: int = 0) -> list[str]:
    return [str(table.lines.data(table.lines.index(row, column))) for column in range(9)]


@pytest.mark.parametrize("width", COLUMN_WIDTHS)
def test_the_table_fills_its_column_and_is_not_scrolled_sideways(table: FigureTable, width: int, qtbot: QtBot) -> None:
    table.resize(width, 300)
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0, timeout=PATIENCE_MS)
    assert table.horizontalHeader().length() == table.viewport().width() == width
    metrics = table.fontMetrics()
    for column in range(1, 9):
        if not table.isColumnHidden(column):
            widest = max(map(metrics.horizontalAdvance, texts(table)[column].split()))
            assert table.columnWidth(column) > widest


def test_all_columns_fit_the_widest_column_of_a_page_and_the_money_stays_in_the_narrowest(table: FigureTable) -> None:
    assert heads(table) == ["Thread", *columns()]
    table.resize(334, 300)
    assert heads(table) == ["Thread", "Calls", "Billed", "On a plan"]
    table.resize(280, 300)
    assert heads(table) == ["Thread", "Calls", "Billed"]
    table.resize(760, 300)
    assert heads(table) == ["Thread", *columns()]


@pytest.mark.parametrize("language", ["en", "de"])
def test_all_columns_fit_the_widest_column_of_a_page_with_whole_words(
    room: QWidget, theme: Theme, language: str
) -> None:
    speak(language)
    try:
        table = FigureTable(theme, room)
        table.resize(760, 300)
        table.show_table(figure_rows())
        table.show()
        assert not any(table.isColumnHidden(column) for column in range(9))
        advance, model = table.fontMetrics().horizontalAdvance, table.model()
        for column in range(1, 9):
            head = str(model.headerData(column, Qt.Orientation.Horizontal)).split("\n")
            cells = [str(model.index(row, column).data()) for row in range(model.rowCount())]
            assert table.columnWidth(column) > max(map(advance, (*head, *cells))), head
        assert not table.horizontalHeader().isSortIndicatorShown(), "it would take room from the words beside it"
    finally:
        speak("en")


def test_a_column_that_says_nothing_is_no_column_again_in_a_wide_page(table: FigureTable) -> None:
    table.show_table(figure_rows(hidden=(8,)))
    for width in (334, 760):
        table.resize(width, 300)
        assert "On a plan" not in heads(table)
    assert heads(table)[-1] == "Billed"


def test_tokens_are_rounded_and_the_exact_ones_are_in_the_tool_tip(table: FigureTable) -> None:
    assert texts(table)[2:6] == ["12K", "1.23M", "988K", "4.2K"]
    told = table.lines.data(table.lines.index(0, 3), Qt.ItemDataRole.ToolTipRole)
    assert told.splitlines()[0] == "A thread with a long name, number 30"
    assert "Fresh input: 12,345" in told.splitlines()
    assert "Cache read: 1,234,567" in told.splitlines()
    heard = table.lines.data(table.lines.index(0, 3), Qt.ItemDataRole.AccessibleTextRole)
    assert heard == "A thread with a long name, number 30, Cache read: 1,234,567"


def test_copied_figures_are_exact_and_whole_however_narrow_the_table(table: FigureTable) -> None:
    table.resize(334, 300)
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    first, *lines = QGuiApplication.clipboard().text().splitlines()
    assert first.split("\t") == ["Thread", *columns()]
    read = sum(int(line.split("\t")[3].replace(",", "")) for line in lines)
    assert read == 30 * COUNTS[1]


def test_a_column_without_room_is_heard_with_the_name(table: FigureTable) -> None:
    name = table.lines.index(0, 0)
    assert table.lines.data(name, Qt.ItemDataRole.AccessibleTextRole) == "A thread with a long name, number 30"
    table.resize(334, 300)
    heard = table.lines.data(name, Qt.ItemDataRole.AccessibleTextRole)
    assert "Cache read: 1,234,567" in heard
    assert "Billed" not in heard


@pytest.mark.parametrize(
    ("head", "lines"), [("Calls", "Calls"), ("Cache read", "Cache\nread"), ("On a plan", "On a\nplan"), ("", "")]
)
def test_a_head_of_several_words_stands_in_two_lines(head: str, lines: str) -> None:
    assert in_two_lines(head) == lines


def test_the_plot_has_room_for_the_days_beneath_a_legend_of_two_lines(room: QWidget, theme: Theme) -> None:
    layers = tuple(Series(f"A layer with a name {n}", "accent", "solid") for n in range(4))
    plot = Plot(theme, room)
    plot.show_chart(Chart(layers, (ChartBar("1 Nov", "1 November", (1.0, 2.0, 3.0, 4.0)),)), "Tokens")
    column = QVBoxLayout(room)
    column.addWidget(plot)
    column.addStretch(1)
    for width in (900, 480, 260):
        room.resize(width, 900)
        plot.show()
        QTest.qWait(0)
        assert plot.width() > 100
        assert plot.height() == plot.heightForWidth(plot.width())
