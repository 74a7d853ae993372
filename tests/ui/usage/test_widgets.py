"""Plot, table and cap fields by themselves: keys, pointer, clipboard, screen reader."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.usage.figure_table import FigureRows, FigureTable, TableLine
from desktop_app.ui.usage.plot import Chart, ChartBar, Plot, Series
from tests.counted_calls import CountedCalls

LAYERS = (Series("Fresh", "accent", "solid"), Series("Read", "syntax-type", "diagonal"))
CHART = Chart(LAYERS, tuple(ChartBar(f"{day} Nov", f"{day} November", (day * 10.0, 5.0)) for day in range(1, 8)))


@pytest.fixture
def room(qtbot: QtBot) -> QWidget:
    room = QWidget()
    room.resize(700, 500)
    qtbot.addWidget(room)
    room.show()
    return room


@pytest.fixture
def plot(room: QWidget, qtbot: QtBot) -> Plot:
    plot = Plot(load_theme("light"), room)
    plot.resize(700, plot.heightForWidth(700))
    plot.show_chart(CHART, "Tokens by day")
    plot.show()
    room.activateWindow()
    plot.setFocus()
    qtbot.waitUntil(plot.hasFocus)
    return plot


def test_arrows_go_from_bar_to_bar_and_each_tells_its_figures(plot: Plot) -> None:
    shown: list[int] = []
    plot.bar_shown.connect(shown.append)
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert plot.told(plot.current) == "6 November: Fresh 60 · Read 5 · 65 in total"
    QTest.keyClick(plot, Qt.Key.Key_Home)
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert plot.current == 0
    QTest.keyClick(plot, Qt.Key.Key_End)
    assert plot.current == 6
    assert shown[-1] == 6


def test_the_pointer_goes_before_the_keyboard_and_gives_back(plot: Plot) -> None:
    QTest.mouseMove(plot, plot.column_rect(2).center().toPoint())
    assert plot.current == 2
    QTest.mouseMove(plot, QPoint(2, 2))
    assert plot.current == 6
    plot.clearFocus()
    assert plot.current == -1


def test_a_screen_reader_finds_a_chart_whose_value_is_the_bar_that_is_meant(plot: Plot) -> None:
    found = QAccessible.queryAccessibleInterface(plot)
    assert found is not None
    assert found.role() == QAccessible.Role.Chart
    assert found.text(QAccessible.Text.Name) == "Tokens by day"
    assert found.text(QAccessible.Text.Value).startswith("7 November: Fresh 70")


def test_figures_are_copied_as_a_table(plot: Plot) -> None:
    QTest.keyClick(plot, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "\tFresh\tRead"
    assert lines[1] == "1 November\t10\t5"
    assert len(lines) == 8


def test_layers_differ_without_their_colours(plot: Plot) -> None:
    """In grey: a solid layer has one shade, a striped one at least two."""
    picture = plot.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    column = plot.column_rect(6)
    scale = picture.width() / plot.width()

    def shades(y: float) -> int:
        line = range(int((column.center().x() - 8) * scale), int((column.center().x() + 8) * scale))
        return len({picture.pixelColor(x, int((y + step) * scale)).lightness() for x in line for step in range(3)})

    base = column.bottom()
    unit = column.height() / 80  # the axis ends at 80
    assert shades(base - 35 * unit) == 1
    assert shades(base - 73.5 * unit) > 1


def test_an_empty_plot_has_no_bar(plot: Plot) -> None:
    plot.show_chart(Chart(LAYERS, ()), "Nothing")
    QTest.keyClick(plot, Qt.Key.Key_Left)
    assert plot.current == -1
    assert plot.bar_at(QPointF(300, 100)) == -1
    assert not plot.grab().isNull()


HEADS = ("Thread", "Calls", "Output")


def lines(count: int) -> list[TableLine]:
    return [
        TableLine(f"k{n}", f"Name {n:05d}", (float(n % 97), float(-n)), (f"{n % 97}", f"{-n}")) for n in range(count)
    ]


@pytest.fixture
def table(room: QWidget) -> FigureTable:
    table = FigureTable(load_theme("dark"), room)
    table.resize(700, 300)
    table.show_table(FigureRows.of(HEADS, lines(5)))
    table.show()
    return table


def names(table: FigureTable) -> list[str]:
    return [line.name[-1] for line in table.lines.lines]


def test_a_table_is_sorted_by_a_head_or_by_the_column_that_has_the_keyboard(table: FigureTable) -> None:
    assert names(table) == ["4", "3", "2", "1", "0"]
    table.setCurrentIndex(table.lines.index(0, 2))
    QTest.keyClick(table, Qt.Key.Key_S)
    assert names(table) == ["0", "1", "2", "3", "4"]
    QTest.keyClick(table, Qt.Key.Key_S)
    assert names(table) == ["4", "3", "2", "1", "0"]
    table.setCurrentIndex(table.lines.index(0, 0))
    QTest.keyClick(table, Qt.Key.Key_S)
    assert names(table) == ["0", "1", "2", "3", "4"]
    assert table.lines.headerData(0, Qt.Orientation.Horizontal) == "Thread ↑"


def test_a_table_is_copied_whole_or_by_its_selected_lines_without_hidden_columns(table: FigureTable) -> None:
    table.show_table(FigureRows.of(HEADS, lines(3), hidden=[2]))
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Thread\tCalls\nName 00002\t2\nName 00001\t1\nName 00000\t0"
    table.selectRow(1)
    assert table.copied() == "Thread\tCalls\nName 00001\t1"


def test_a_line_is_opened_with_enter(table: FigureTable, qtbot: QtBot) -> None:
    with qtbot.waitSignal(table.opened) as opened:
        QTest.keyClick(table, Qt.Key.Key_Return)
    assert opened.args == ["k4"]


def test_a_cell_that_is_heard_alone_says_what_it_is(table: FigureTable) -> None:
    heard = table.lines.data(table.lines.index(0, 1), Qt.ItemDataRole.AccessibleTextRole)
    assert heard == "Name 00004, Calls: 4"


def test_ten_thousand_lines_are_shown_and_sorted_within_a_frame_or_two(table: FigureTable) -> None:
    many = FigureRows.of(HEADS, lines(10_000))
    with CountedCalls() as work:
        table.show_table(many)
        table.sortByColumn(2, Qt.SortOrder.AscendingOrder)
        table.grab()
    assert work.calls < 165_000
