"""A page's title, the words of its choices and its rows have the room there is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop_app.ui.preferences.preferences_page import SectionList
from desktop_app.ui.preferences.setting_list import SECTIONS
from desktop_app.ui.projects.project_page import NameField
from desktop_app.ui.theme.style import apply_theme, style_sheet
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.transfer.transfer_pages import ExportPage
from desktop_app.ui.transfer.transfer_state import ExportScope
from desktop_app.ui.widgets.page import PageFrame

LONG = "Zusammenfassung der ganzen Unterhaltung"


@pytest.fixture(autouse=True)
def _usual_look(qapp: QApplication) -> None:
    """What a test before has left is over."""
    apply_theme(qapp, load_theme("light"))


@pytest.mark.parametrize("width", [360, 480, 700])
def test_a_title_stands_beside_back_in_one_line_or_beneath_it(qtbot: QtBot, width: int) -> None:
    ground = QWidget()
    qtbot.addWidget(ground)
    page = PageFrame(load_theme("light"), LONG, ground)
    page.resize(width, 600)
    ground.show()
    QApplication.processEvents()
    heading, top = page.heading, page.top
    if heading.parentWidget() is top and heading.y() < top.height():
        assert heading.width() >= heading.fontMetrics().horizontalAdvance(LONG)
    else:
        assert heading.y() >= top.geometry().bottom()
        assert width < 700


@pytest.mark.parametrize("points", [11, 17])
def test_choices_of_an_export_are_whole_as_soon_as_there_is_room(qtbot: QtBot, points: int) -> None:
    theme = load_theme("light", points)
    ground = QWidget()
    qtbot.addWidget(ground)
    ground.setStyleSheet(style_sheet(theme))
    page = ExportPage(theme, [ExportScope(LONG, None), ExportScope("Everything", None, everything=True)], ground)
    page.resize(180, 300)
    page.show()
    ground.show()
    QApplication.processEvents()
    page.resize(900, 700)
    QApplication.processEvents()
    for button in (*page.scope_buttons, *page.format_buttons):
        assert button.text() == button.accessibleName(), "nothing is cut where there is room"
        assert not button.toolTip()
    page.resize(260, 300)
    QApplication.processEvents()
    cut = page.scope_buttons[0]
    assert cut.text().endswith("…")
    assert cut.toolTip() == LONG


def test_a_projects_name_without_room_ends_in_an_ellipsis(qtbot: QtBot) -> None:
    """Whole letters end before the field does; while it is written over, it scrolls as any field."""
    ground = QWidget()
    qtbot.addWidget(ground)
    theme = load_theme("light")
    ground.setStyleSheet(style_sheet(theme))
    field = NameField(theme, ground)
    field.setGeometry(0, 0, 200, 40)
    ground.show()
    field.clearFocus()
    field.show_name("m" * 60)
    cut = ground.grab(field.geometry()).toImage()
    field.show_name("m" * 200)
    assert ground.grab(field.geometry()).toImage() == cut
    last = cut.width() - 1
    letters = [x for x in range(cut.width()) if any(cut.pixelColor(x, y).lightness() < 128 for y in range(5, 35))]
    assert letters[-1] < last - 3
    # three dots, low in the line
    assert not any(cut.pixelColor(letters[-1], y).lightness() < 128 for y in range(5, 20))


@pytest.mark.parametrize("points", [9, 11, 17, 22])
def test_the_list_of_sections_is_as_wide_as_its_longest_word(qtbot: QtBot, points: int) -> None:
    theme = load_theme("light", points)
    ground = QWidget()
    qtbot.addWidget(ground)
    ground.setStyleSheet(style_sheet(theme))
    names = dict.fromkeys(SECTIONS, "Kontext") | {SECTIONS[2]: "Benachrichtigungseinstellungen"}
    sections = SectionList(theme, names, ground)
    sections.setFont(theme.body_font())
    sections.resize(sections.wanted_size())
    ground.show()
    longest = sections.item(2)
    longest.setSizeHint(QSize())  # its own is what the words need, with padding and frame
    needs = sections.sizeHintForIndex(sections.indexFromItem(longest)).width()
    assert sections.viewport().width() >= needs
