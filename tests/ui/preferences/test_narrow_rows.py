"""Rows of the preferences give their words the room that there is; the page takes more of it with larger text."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.core.settings import Settings
from desktop_app.ui.preferences.preferences_page import PreferencesPage
from desktop_app.ui.preferences.setting_controls import SwitchControl
from desktop_app.ui.preferences.setting_list import groups_of
from desktop_app.ui.preferences.setting_row import SettingRow
from desktop_app.ui.theme.style import apply_theme
from desktop_app.ui.theme.theme import GRID, WIDEST_COLUMN, load_theme

NARROW, WIDE = 320, 760


@pytest.fixture(autouse=True)
def _usual_look(qapp: QApplication) -> None:
    """What a test before has left is over."""
    apply_theme(qapp, load_theme("light"))


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_reset_of_a_control_across_the_row_stands_above_it_and_moves_it_to_no_side(qtbot: QtBot, width: int) -> None:
    ground = QWidget()
    qtbot.addWidget(ground)
    group, setting = next(
        (group, setting)
        for group in groups_of(Settings(), {}, [])
        for setting in group.settings
        if setting.key.holds == "lines"
    )
    row = SettingRow(load_theme("light"), group, setting, {}, ground)
    row.resize(width, 400)
    ground.resize(width, 400)
    ground.show()
    row.show_value(setting.key.default)
    QApplication.processEvents()
    before = row.control.x(), row.control.width()
    row.show_value("Be short.")
    QApplication.processEvents()
    assert row.default.isVisible()
    assert (row.control.x(), row.control.width()) == before
    assert row.meaning.geometry().bottom() < row.default.y()
    assert row.default.geometry().bottom() < row.control.y()


def switch_row(ground: QWidget) -> SettingRow:
    for group in groups_of(Settings(), {}, []):
        for setting in group.settings:
            if setting.key.rule.kind == "switch" and setting.key.meaning:
                return SettingRow(load_theme("light"), group, setting, {}, ground)
    raise LookupError


@pytest.mark.parametrize("width", [NARROW, WIDE])
def test_words_end_before_the_control_and_reset_takes_none_of_their_room(qtbot: QtBot, width: int) -> None:
    ground = QWidget()
    qtbot.addWidget(ground)
    row = switch_row(ground)
    assert isinstance(row.control, SwitchControl)
    row.resize(width, 200)
    ground.resize(width, 200)
    ground.show()
    default = row.setting.key.default
    row.show_value(default)
    QApplication.processEvents()
    before = row.meaning.width()
    assert row.name.width() == before
    if width == NARROW:
        assert row.control.geometry().left() - row.meaning.geometry().right() <= GRID + GRID // 2
    row.show_value(not default)
    QApplication.processEvents()
    assert row.default.isVisible()
    assert row.meaning.width() == before, "nothing moves across when a value changes"
    inside = row.default.mapTo(row, row.default.rect().topRight())
    assert inside.x() < row.control.geometry().left()
    assert (row.default.y() > row.meaning.y()) == (width == NARROW)


@pytest.mark.parametrize(("points", "width"), [(11, 900), (17, 1170)])
def test_the_sections_stand_beside_the_rows_where_the_page_has_the_room(qtbot: QtBot, points: int, width: int) -> None:
    theme = load_theme("light", points)
    ground = QWidget()
    qtbot.addWidget(ground)
    page = PreferencesPage(theme, ground)
    page.setFont(theme.body_font())
    page.resize(width, 800)
    ground.show()
    QApplication.processEvents()
    assert page.sections.isVisible()
    assert not page.chooser.isVisible()
    assert page.room >= WIDEST_COLUMN
    page.resize(theme.pixels(520), 800)
    QApplication.processEvents()
    assert page.chooser.isVisible()
    assert not page.sections.isVisible()


@pytest.mark.parametrize("width", range(300, 1000, 70))
def test_a_row_comes_to_rest_and_its_words_keep_their_room(qtbot: QtBot, width: int) -> None:
    """Where a control stands changes what it asks for: it must not go to and fro."""
    theme, ground = load_theme("light"), QWidget()
    qtbot.addWidget(ground)
    column = QVBoxLayout(ground)
    rows = [
        SettingRow(theme, group, setting, {}, ground)
        for group in groups_of(Settings(), {}, [])
        for setting in group.settings
    ]
    for row in rows:
        column.addWidget(row)
    ground.resize(width, 100)
    ground.show()
    for _ in range(20):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    places = [(row.size(), row.control.geometry()) for row in rows]
    for _ in range(20):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
    assert places == [(row.size(), row.control.geometry()) for row in rows]
    letters = 18 * rows[0].fontMetrics().averageCharWidth()
    assert all(row.name.width() >= min(letters, width / 2) for row in rows)
