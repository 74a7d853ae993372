"""The sections of the preferences: one at a time, by mouse and keyboard, with a search over all and a way back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from desktop_app.ui.preferences.preferences_page import NAME, WRONG, PreferencesPage, SectionList
from desktop_app.ui.preferences.setting_controls import CUSTOM, PresetControl
from desktop_app.ui.preferences.setting_list import SECTIONS
from desktop_app.ui.preferences.setting_row import SettingRow
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

WIDE, NARROW = 1400, 480


async def preferences_page(window: OpenWindow, width: int = WIDE) -> PreferencesPage:
    window.window.show_list(width >= WIDE)
    window.window.resize(width, 800)
    window.window.activateWindow()
    window.shortcut("preferences")
    page = window.presenters.pages.page
    assert isinstance(page, PreferencesPage)
    await window.until(lambda: page.complete, "the rows")
    await window.settled()
    return page


def shown(page: PreferencesPage) -> set[str]:
    """The sections of which something is seen; that of sync has what leads to its page alone."""
    rows = {row.section for row in page.rows.values() if row.isVisible()}
    return rows | ({"sync"} if page.sync.isVisible() else set())


def click_on(sections: SectionList, place: int) -> None:
    rect = sections.visualItemRect(sections.item(place))
    QTest.mouseClick(sections.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())


def preset(page: PreferencesPage, key: str) -> PresetControl:
    control = page.rows[key].control
    assert isinstance(control, PresetControl)
    return control


def in_file(window: OpenWindow) -> str:
    path = window.services.preferences.path
    return path.read_text() if path.exists() else ""


async def test_every_section_is_shown_alone_by_a_click_and_by_an_arrow_key(window: OpenWindow) -> None:
    page = await preferences_page(window)
    assert page.sections.isVisible()
    assert not page.chooser.isVisible()
    for place, section in enumerate(SECTIONS):
        click_on(page.sections, place)
        assert shown(page) == {section}
        assert page.sections.currentRow() == place
    click_on(page.sections, 0)
    page.search.setFocus()
    window.press(Qt.Key.Key_Tab, widget=page.search)
    assert page.sections.hasFocus()
    for section in SECTIONS[1:]:
        window.press(Qt.Key.Key_Down, widget=page.sections)
        assert shown(page) == {section}
    window.press(Qt.Key.Key_Home, widget=page.sections)
    assert shown(page) == {"general"}
    window.press(Qt.Key.Key_Tab, widget=page.sections)
    focused = QApplication.focusWidget()
    assert focused is not None
    assert page.column.isAncestorOf(focused), "Tab leads from the sections to the rows"


async def test_in_a_narrow_window_the_sections_are_chosen_above(window: OpenWindow) -> None:
    page = await preferences_page(window, NARROW)
    assert not page.sections.isVisible()
    assert page.chooser.text() == "General"
    page.chooser.setFocus()
    window.press(Qt.Key.Key_Down, widget=page.chooser)
    assert shown(page) == {"appearance"}
    assert page.chooser.text() == "Appearance"
    window.press(Qt.Key.Key_Space, widget=page.chooser)
    menu = page.chooser.menu_shown
    assert menu is not None
    assert [action.text() for action in menu.actions() if action.isChecked()] == ["Appearance"]
    menu.actions()[SECTIONS.index("context")].trigger()
    menu.close()
    assert shown(page) == {"context"}


async def test_a_search_looks_in_all_sections_and_a_section_ends_it(window: OpenWindow) -> None:
    page = await preferences_page(window)
    window.type("limit", page.search)
    assert shown(page) >= {"context", "models"}
    assert page.sections.currentRow() == -1
    headings = [made.heading.text() for made in page.groups.values() if made.isVisible()]
    assert "Context" in headings
    assert "Models · Costs" in headings, "each hit stands under the section that it is in"
    click_on(page.sections, SECTIONS.index("privacy"))
    assert page.search.text() == ""
    assert shown(page) == {"privacy"}
    window.type("notify_after", page.search)
    assert [key for key, row in page.rows.items() if row.isVisible()] == ["window.notify_after_s"]
    window.press(Qt.Key.Key_Escape, widget=page.search)
    assert shown(page) == {"privacy"}, "without a search the section is there again"
    window.type("font", page.search)
    assert [key for key, row in page.rows.items() if row.isVisible()] == ["appearance.text_size"]
    window.press(Qt.Key.Key_Escape, widget=page.search)
    window.type("settings.toml", page.search)
    assert page.file.isVisible()


async def test_keys_stand_in_tooltips_alone(window: OpenWindow) -> None:
    page = await preferences_page(window)
    for key, row in page.rows.items():
        assert row.name.toolTip() == row.meaning.toolTip() == key
        assert all(key not in label.text() for label in row.findChildren(QLabel))


async def test_what_differs_from_its_default_has_a_dot_and_reset_by_keyboard(window: OpenWindow) -> None:
    page = await preferences_page(window)
    page.choose_section("context")
    row, control = page.rows["context.max_turns"], preset(page, "context.max_turns")
    assert not row.default.isVisible()
    assert "•" not in row.name.text()
    control.button.setFocus()
    before = control.button.mapTo(page, QPoint(0, 0)).x() + control.button.width()
    window.press(Qt.Key.Key_Down, widget=control.button)
    await window.settled()
    assert "max_turns = 20" in in_file(window)
    assert control.button.text() == "20 turns"
    assert "•" in row.name.text()
    assert row.default.text() == "Reset"
    assert control.button.mapTo(page, QPoint(0, 0)).x() + control.button.width() == before, "nothing moves"
    window.press(Qt.Key.Key_Backtab, widget=control.button)
    assert row.default.hasFocus()
    window.press(Qt.Key.Key_Space, widget=row.default)
    await window.settled()
    assert "max_turns" not in in_file(window)
    assert control.button.text() == "No limit"
    assert "•" not in row.name.text()
    assert control.button.hasFocus(), "the keyboard is not lost with the button"


async def test_reset_by_mouse(window: OpenWindow) -> None:
    window.services.preferences.path.write_text("[composer]\nenter_sends = false\n")
    page = await preferences_page(window)
    page.choose_section("composer")
    row = page.rows["composer.enter_sends"]
    assert "•" in row.name.text()
    QTest.mouseClick(row.default, Qt.MouseButton.LeftButton)
    await window.settled()
    assert "enter_sends" not in in_file(window)
    assert not row.default.isVisible()


async def test_an_exact_number_is_written_after_custom(window: OpenWindow) -> None:
    page = await preferences_page(window)
    page.choose_section("context")
    control = preset(page, "context.soft_limit")
    assert not control.field.isVisible()
    control.button.setFocus()
    window.press(Qt.Key.Key_Space, widget=control.button)
    menu = control.button.menu_shown
    assert menu is not None
    assert [action.text() for action in menu.actions()] == [
        "50K tokens",
        "100K tokens",
        "150K tokens",
        "Custom",
    ]
    menu.actions()[-1].trigger()
    menu.close()
    assert control.field.hasFocus()
    assert control.field.selectedText() == "150,000"
    window.type("90000", control.field)
    window.press(Qt.Key.Key_Return, widget=control.field)
    await window.settled()
    assert "soft_limit = 90000" in in_file(window)
    assert control.button.text() == "Custom"
    control.button.chosen.emit(100_000)
    await window.settled()
    assert "soft_limit = 100000" in in_file(window)
    assert not control.field.isVisible()
    assert control.button.value == 100_000


async def test_a_field_left_with_one_of_the_three_goes(window: OpenWindow) -> None:
    page = await preferences_page(window)
    page.choose_section("context")
    control = preset(page, "context.soft_limit")
    control.button.chosen.emit(CUSTOM)
    window.press(Qt.Key.Key_Tab, widget=control.field)
    assert not control.field.isVisible()
    assert control.button.text() == "150K tokens"


async def test_a_number_of_the_file_that_is_not_offered_stands_in_its_field(window: OpenWindow) -> None:
    window.services.preferences.path.write_text("[appearance]\ntext_size = 12\n")
    page = await preferences_page(window)
    page.choose_section("appearance")
    control = preset(page, "appearance.text_size")
    assert control.field.isVisible()
    assert control.field.text() == "12"


def edges_of(row: SettingRow, page: PreferencesPage) -> list[tuple[str, int, int]]:
    """What stands in a row, from where to where in the column."""
    parts: list[QWidget] = [*row.control.parts, row.name, row.meaning, row.default]
    lefts = [(part, part.mapTo(page.column, QPoint(0, 0)).x()) for part in parts if part.isVisible()]
    return [(type(part).__name__, left, left + part.width()) for part, left in lefts]


@pytest.mark.parametrize("width", [NARROW, 900, WIDE])
@pytest.mark.parametrize("size", [11, 16, 17])
async def test_every_control_ends_on_the_columns_edge(window: OpenWindow, width: int, size: int) -> None:
    await window.services.preferences.set_value("appearance.text_size", size)
    page = await preferences_page(window, width)
    faults = []
    for section in SECTIONS:
        page.choose_section(section)
        await window.settled()
        page.grab()
        edge = page.column.width()
        for key, row in page.rows.items():
            if not row.isVisible():
                continue
            places = edges_of(row, page)
            if (ends := max(right for _, _, right in places)) != edge and not row.control.across:
                faults.append(f"{key} ends at {ends}, not {edge}")
            faults += [
                f"{key}: {name} from {left} to {right} of {edge}" for name, left, right in places if right > edge
            ]
    assert not faults, "\n".join(faults)


async def test_the_sections_stand_beside_the_rows_after_smaller_text_and_a_wider_window(window: OpenWindow) -> None:
    await window.services.preferences.set_value("appearance.text_size", 17)
    page = await preferences_page(window, NARROW)
    page.choose_section("appearance")
    await window.settled()
    await window.services.preferences.set_value("appearance.text_size", 11)
    await window.settled()
    assert window.composer.picker.font().pointSizeF() == page.theme.small_font().pointSizeF()
    window.window.resize(1280, 800)
    await window.settled()
    window.window.show_list(True)
    await window.settled()
    assert page.sections.isVisible()
    row = page.rows["appearance.text_size"]
    assert page.sections.geometry().right() < row.mapTo(page, QPoint(0, 0)).x()
    assert page.sections.x() == page.column.mapTo(page, QPoint(0, 0)).x()


def marked(page: PreferencesPage) -> dict[str, str]:
    items = [page.sections.item(row) for row in range(page.sections.count())]
    return {item.data(NAME): item.toolTip() for item in items if item.data(WRONG)}


async def test_the_section_shown_last_is_shown_again(window: OpenWindow) -> None:
    page = await preferences_page(window)
    assert page.section == "general"
    click_on(page.sections, SECTIONS.index("models"))
    window.press(Qt.Key.Key_Escape, widget=page.sections)
    await window.until(lambda: window.presenters.pages.page is None, "the conversation")
    again = await preferences_page(window)
    assert again is not page
    assert shown(again) == {"models"}
    assert again.sections.currentRow() == SECTIONS.index("models")
    assert "models" not in in_file(window), "remembered with the window, not in the settings"
    again.open_at("a section of another version")
    assert again.section == "models"


async def test_a_problem_of_the_file_is_marked_at_its_section_and_told_there(window: OpenWindow) -> None:
    window.services.preferences.path.write_text(
        '[context]\nmax_turns = 0.5\n[appearance]\ntheme = "pink"\n[nonsense]\n'
    )
    page = await preferences_page(window)
    await window.until(lambda: len(marked(page)) == 2, "the marks")
    assert set(marked(page)) == {"context", "appearance"}
    assert "context.max_turns is 0.5" in marked(page)["context"]
    heard = page.sections.item(SECTIONS.index("context")).data(Qt.ItemDataRole.AccessibleTextRole)
    assert heard.startswith("Context, ")
    assert "context.max_turns is 0.5" in heard
    assert "nonsense" in page.problems.text(), "what no section has stands above each"
    assert "max_turns" not in page.problems.text()
    click_on(page.sections, SECTIONS.index("context"))
    assert page.rows["context.max_turns"].problem.isVisible()
    page.rows["context.max_turns"].default.click()
    await window.until(lambda: set(marked(page)) == {"appearance"}, "one mark less")


async def test_without_the_list_of_sections_the_problems_of_all_are_told(window: OpenWindow) -> None:
    window.services.preferences.path.write_text("[context]\nmax_turns = 0.5\n")
    page = await preferences_page(window, NARROW)
    await window.until(page.problems.isVisible, "the problem of a section that is not shown")
    assert "context.max_turns is 0.5" in page.problems.text()
    page.choose_section("context")
    assert not page.problems.isVisible(), "its row tells it"
    assert page.rows["context.max_turns"].problem.isVisible()
