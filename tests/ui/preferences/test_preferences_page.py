"""The page of preferences in the real window: a change counts at once, stands in the file, and can be taken back."""

from __future__ import annotations

import subprocess
import sys
from typing import cast

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from desktop_app.ui.i18n.language import speak
from desktop_app.ui.preferences.preferences_page import PreferencesPage
from desktop_app.ui.preferences.setting_controls import (
    CUSTOM,
    ChoiceControl,
    FieldControl,
    PresetControl,
    SpellingLanguagesControl,
    SwitchControl,
    TextControl,
)
from desktop_app.ui.theme.theme import GRID, WIDEST_COLUMN
from tests.patience import PATIENCE_S
from tests.ui.access_walk import faults
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

CONTROL = Qt.KeyboardModifier.ControlModifier
COMMENTED = "# mine\n[context]\nsoft_limit = 90000  # enough\n"


async def preferences_page(window: OpenWindow) -> PreferencesPage:
    window.shortcut("preferences")
    page = window.presenters.pages.page
    assert isinstance(page, PreferencesPage)
    await window.until(lambda: page.complete, "the rows")
    await window.settled()
    return page


def in_file(window: OpenWindow) -> str:
    path = window.services.preferences.path
    return path.read_text() if path.exists() else ""


def field_of(page: PreferencesPage, key: str) -> QLineEdit:
    control = page.rows[key].control
    assert isinstance(control, FieldControl | PresetControl)
    return control.field


async def write(window: OpenWindow, page: PreferencesPage, key: str, text: str) -> None:
    """Writes in a field as a user does, and takes it with Enter."""
    field = field_of(page, key)
    page.reveal(key)
    if isinstance(control := page.rows[key].control, PresetControl) and not field.isVisible():
        control.button.chosen.emit(CUSTOM)
    assert field.hasFocus() or not window.window.isActiveWindow()
    window.type(text, field)
    window.press(Qt.Key.Key_Return, widget=field)
    await window.settled()


async def undo(window: OpenWindow) -> None:
    focused = QApplication.focusWidget()
    assert focused is not None
    window.press(Qt.Key.Key_Z, CONTROL, focused)
    await window.settled()


@pytest.mark.parametrize("before", ["export", "usage", "trash"])
async def test_opened_from_another_page_it_is_laid_out_as_from_a_thread(window: OpenWindow, before: str) -> None:
    window.window.resize(1280, 800)
    await window.settled()
    for other in ("", before):
        if other:
            window.presenters.pages.show(other)
            await window.settled()
        page = await preferences_page(window)
        page.choose_section("context")
        await window.settled()
        corner = page.column.mapTo(page, QPoint(0, 0))
        assert page.sections.isVisible()
        assert page.sections.pos() == corner
        assert page.search.mapTo(page, QPoint(0, 0)).x() == corner.x()
        window.press(Qt.Key.Key_Escape, widget=page.search)
        await window.settled()


async def test_the_keys_open_the_page_and_escape_goes_back(window: OpenWindow) -> None:
    window.window.activateWindow()
    window.press(Qt.Key.Key_Comma, CONTROL)
    page = window.presenters.pages.page
    assert isinstance(page, PreferencesPage)
    await window.until(lambda: page.rows, "the rows")
    assert page.search.hasFocus()
    window.type("theme", page.search)
    window.press(Qt.Key.Key_Escape, widget=page.search)
    assert page.search.text() == ""
    assert window.presenters.pages.page is page
    window.press(Qt.Key.Key_Escape, widget=page.search)
    await window.settled()
    assert window.window.stage.reading
    assert window.editor.hasFocus()


class Watch(QObject):
    """What is cut in a row whenever the page is painted, from its first painting on."""

    def __init__(self, page: PreferencesPage) -> None:
        super().__init__(page)
        self.page = page
        self.paintings = 0
        self.cut: list[str] = []
        page.column.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Paint:
            self.paintings += 1
            for dotted, row in self.page.rows.items():
                for label in (row.name, row.meaning):
                    if row.isVisible() and label.height() < label.heightForWidth(label.width()):
                        self.cut.append(f"{dotted}, {len(self.page.groups)} groups")
        return False


async def test_no_row_is_painted_before_it_has_its_height(window: OpenWindow) -> None:
    window.shortcut("preferences")
    page = window.presenters.pages.page
    assert isinstance(page, PreferencesPage)
    watch = Watch(page)
    await window.until(lambda: page.complete, "the rows")
    control = page.rows["composer.spell_languages"].control
    assert isinstance(control, SpellingLanguagesControl)
    await window.until(lambda: control.buttons, "the dictionaries")
    await window.settled()
    page.column.repaint()
    assert watch.paintings > 1
    assert not watch.cut


async def test_a_theme_and_a_text_size_count_at_once_and_stand_in_the_file(window: OpenWindow) -> None:
    page = await preferences_page(window)
    colours = page.rows["appearance.theme"].control
    assert isinstance(colours, ChoiceControl)
    colours.buttons["dark"].click()
    await window.settled()
    assert page.theme.name == "dark"
    assert 'theme = "dark"' in in_file(window)
    await write(window, page, "appearance.text_size", "15")
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    assert page.theme.text_size == 15
    assert app.font().pointSizeF() == 15
    assert "text_size = 15" in in_file(window)
    assert page.rows["appearance.text_size"].default.isVisible()
    control = page.rows["appearance.text_size"].control
    assert isinstance(control, PresetControl)
    assert control.button.text() == "Custom"
    page.rows["appearance.text_size"].default.click()
    await window.settled()
    assert page.theme.text_size == 11
    assert "text_size" not in in_file(window)
    assert not page.rows["appearance.text_size"].default.isVisible()
    assert control.button.text() == "Medium"
    assert not control.field.isVisible()


async def test_another_text_size_leaves_a_heading_its_room_in_a_section_that_was_never_shown(
    window: OpenWindow,
) -> None:
    window.window.resize(1280, 860)
    page = await preferences_page(window)
    page.choose_section("appearance")
    window.presenters.pages.leave()
    await window.settled()
    page = await preferences_page(window)
    assert page.section == "appearance"
    widths = []
    for text_size in (14, 17, 11):
        window.session.appearance.theme.change("light", text_size)
        await window.settled()
        widths.append(page.column.width())
    assert min(widths[:2]) > WIDEST_COLUMN + 100, "larger text has more room, also without the sections beside it"
    page.choose_section("general")
    await window.settled()
    (group,) = (made for place, made in page.groups.items() if place[1] == "backups")
    first = next(iter(group.rows.values()))
    words = group.heading.contentsRect().translated(group.heading.pos())
    assert words.top() == 2 * GRID
    assert first.y() - words.bottom() > GRID
    plain = next(made for place, made in page.groups.items() if place[:2] == ("general", "plain"))
    assert next(iter(plain.rows.values())).y() == 0, "a group without a heading has no room for one"


async def test_a_click_beside_a_switch_changes_nothing(window: OpenWindow) -> None:
    window.window.resize(1200, 800)
    page = await preferences_page(window)
    page.choose_section("composer")
    await window.settled()
    control = page.rows["composer.spell_check"].control
    assert isinstance(control, SwitchControl)
    row = page.rows["composer.spell_check"]
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(row.width() - 2, row.height() - 2))
    assert not control.switch.isChecked()
    QTest.mouseClick(control.switch, Qt.MouseButton.LeftButton)
    assert control.switch.isChecked()
    await window.settled()


async def test_a_switch_counts_at_once(window: OpenWindow) -> None:
    page = await preferences_page(window)
    control = page.rows["composer.enter_sends"].control
    assert isinstance(control, SwitchControl)
    control.focus()
    window.press(Qt.Key.Key_Space, widget=control.switch)
    await window.settled()
    assert not window.editor.enter_sends
    assert "enter_sends = false" in in_file(window)
    window.press(Qt.Key.Key_Return, widget=control.switch)
    await window.settled()
    assert window.editor.enter_sends


async def test_instructions_of_many_lines_count_when_writing_rests_or_the_keyboard_leaves(window: OpenWindow) -> None:
    page = await preferences_page(window)
    control = page.rows["context.instructions"].control
    assert isinstance(control, TextControl)
    control.focus()
    window.type("I sail.", control.field)
    window.press(Qt.Key.Key_Return, widget=control.field)
    window.type("Be brief.", control.field)
    assert in_file(window) == ""
    await window.until(lambda: "I sail." in in_file(window), "the text is stored")
    await window.settled()
    assert window.services.preferences.settings.context.instructions == "I sail.\nBe brief."
    window.type(" Now.", control.field)
    window.press(Qt.Key.Key_Tab, widget=control.field)
    await window.settled()
    assert window.services.preferences.settings.context.instructions == "I sail.\nBe brief. Now."
    control.focus()
    control.field.selectAll()
    window.press(Qt.Key.Key_Delete, widget=control.field)
    window.press(Qt.Key.Key_Tab, widget=control.field)
    await window.settled()
    assert window.services.preferences.settings.context.instructions is None


async def test_a_wrong_value_is_told_in_its_row_and_not_written(window: OpenWindow) -> None:
    page = await preferences_page(window)
    row = page.rows["context.soft_limit"]
    await write(window, page, "context.soft_limit", "many")
    assert "“many” is not valid" in row.problem.text()
    assert "1,000 to 10,000,000" in row.problem.text()
    assert row.problem.isVisible()
    assert in_file(window) == ""
    field = field_of(page, "context.soft_limit")
    reader = QAccessible.queryAccessibleInterface(field)
    assert reader is not None
    assert "is not valid" in reader.text(QAccessible.Text.Description)
    window.press(Qt.Key.Key_Escape, widget=field)
    assert field.text() == "150,000"
    assert not row.problem.isVisible()
    assert window.presenters.pages.page is page
    await write(window, page, "context.soft_limit", "90 000")
    assert "soft_limit = 90000" in in_file(window)
    assert field.text() == "90,000"


async def test_changes_are_taken_back_in_order_and_made_again(window: OpenWindow) -> None:
    window.services.preferences.path.write_text(COMMENTED)
    window.window.activateWindow()
    page = await preferences_page(window)
    await write(window, page, "context.soft_limit", "70000")
    await write(window, page, "context.max_turns", "9")
    await undo(window)
    assert "max_turns" not in in_file(window)
    assert field_of(page, "context.max_turns").text() == "0"
    assert field_of(page, "context.max_turns").hasFocus()
    await undo(window)
    assert in_file(window).startswith(COMMENTED)
    assert field_of(page, "context.soft_limit").text() == "90,000"
    await undo(window)
    focused = QApplication.focusWidget()
    assert focused is not None
    window.press(Qt.Key.Key_Z, CONTROL | Qt.KeyboardModifier.ShiftModifier, focused)
    await window.settled()
    assert "soft_limit = 70000  # enough" in in_file(window)


async def test_what_is_being_written_is_taken_back_by_itself(window: OpenWindow) -> None:
    window.window.activateWindow()
    page = await preferences_page(window)
    await write(window, page, "context.max_turns", "9")
    field = field_of(page, "context.max_turns")
    window.type("9", field)
    await undo(window)
    assert field.text() == "9"
    assert "max_turns = 9" in in_file(window)


async def test_a_file_changed_elsewhere_is_shown(window: OpenWindow) -> None:
    page = await preferences_page(window)
    window.services.preferences.path.write_text(COMMENTED)
    await window.until(lambda: field_of(page, "context.soft_limit").text() == "90,000", "the new value")
    # in place, as some editors write
    with window.services.preferences.path.open("a") as file:
        file.write("max_turns = 0.5\n[nonsense]\n")
    await window.until(lambda: "nonsense" in page.problems.text(), "the problems")
    row = page.rows["context.max_turns"]
    page.reveal("context.max_turns")
    assert "context.max_turns is 0.5" in row.problem.text()
    assert row.problem.isVisible()
    row.default.click()
    await window.settled()
    assert "max_turns" not in in_file(window)
    assert not row.problem.isVisible()


async def test_a_limit_above_the_models_is_told_where_it_is_set(window: OpenWindow) -> None:
    page = await preferences_page(window)
    await write(window, page, "context.soft_limit", "190000")
    words = "context.soft_limit is 190,000, but big takes at most 150,000; 150,000 is used."
    problem = page.rows["context.soft_limit"].problem
    await window.until(problem.isVisible, "the problem")
    assert problem.text() == words
    assert not page.problems.isVisible(), "it is told once"
    await write(window, page, "context.soft_limit", "120000")
    await window.until(lambda: not problem.isVisible(), "a value that it takes")


async def test_a_beginning_that_does_not_fit_under_a_cap_is_told(window: OpenWindow) -> None:
    page = await preferences_page(window)
    await window.services.preferences.set_values({"context.max_messages": 10, "context.preserve_first_n": 6})
    await window.until(page.problems.isVisible, "the problem")
    assert "context.preserve_first_n (6) and context.preserve_last_n (20)" in page.problems.text()


async def test_a_file_with_a_broken_line_is_left_as_it_is(window: OpenWindow) -> None:
    window.services.preferences.path.write_text("[context\n")
    page = await preferences_page(window)
    assert "line 1" in page.problems.text()
    colours = page.rows["appearance.theme"].control
    assert isinstance(colours, ChoiceControl)
    colours.buttons["dark"].click()
    await window.settled()
    assert in_file(window) == "[context\n"
    assert "was not changed" in page.rows["appearance.theme"].problem.text()
    assert colours.buttons["system"].isChecked()
    window.services.preferences.path.write_text("[context]\n")
    await window.until(lambda: not page.problems.isVisible(), "the mended file")
    assert not page.rows["appearance.theme"].problem.isVisible()


async def test_a_search_narrows_by_name_meaning_and_key(window: OpenWindow) -> None:
    page = await preferences_page(window)

    def shown() -> set[str]:
        return {key for key, row in page.rows.items() if row.isVisible()}

    first = shown()
    assert first == {key for key, row in page.rows.items() if row.section == "general"}
    for query, wanted in (
        ("text SIZE", "appearance.text_size"),
        ("older messages are left out", "context.soft_limit"),
        ("preserve_last", "context.preserve_last_n"),
        ("composer Sends", "composer.enter_sends"),
        ("dark", "appearance.theme"),
    ):
        page.search.setText(query)
        assert shown() == {wanted}, query
        assert page.hits.text().startswith("1 ")
    page.search.setText("zebra")
    assert shown() == set()
    assert "No setting" in page.hits.text()
    page.search.clear()
    assert shown() == first
    assert not page.hits.isVisible()


async def test_tab_leads_from_a_search_to_its_first_result(window: OpenWindow) -> None:
    window.window.resize(1280, 800)
    page = await preferences_page(window)
    while not page.complete:
        await window.settled()
    page.search.setFocus()
    window.type("spend", page.search)
    shown = [row for row in page.rows.values() if row.isVisible()]
    assert shown
    window.press(Qt.Key.Key_Tab, widget=page.search)
    focused = QApplication.focusWidget()
    assert page.search.text() == "spend"
    assert focused is not None
    assert any(row.isAncestorOf(focused) for row in shown), focused
    page.search.clear()
    page.search.setFocus()
    window.press(Qt.Key.Key_Tab, widget=page.search)
    assert page.sections.hasFocus(), "without a search the sections come first"


async def test_a_model_is_added_and_said_something_of(window: OpenWindow) -> None:
    page = await preferences_page(window)
    page.choose_section("advanced")
    window.type('my"model', page.model)
    window.press(Qt.Key.Key_Return, widget=page.model)
    assert page.model_problem.isVisible()
    page.model.clear()
    window.type("qwen3:8b", page.model)
    window.press(Qt.Key.Key_Return, widget=page.model)
    assert not page.model_problem.isVisible()
    key = 'models."qwen3:8b".window'
    assert field_of(page, key).hasFocus()
    assert in_file(window) == ""
    await write(window, page, key, "40,960")
    assert window.services.preferences.settings.models["qwen3:8b"].window == 40_960


async def test_every_control_has_a_name_and_tab_goes_through_in_order(window: OpenWindow) -> None:
    window.window.activateWindow()
    page = await preferences_page(window)
    assert faults(page) == []
    names = [row.control.parts[0].accessibleName() for row in page.rows.values()]
    assert len(names) == len(set(names))
    page.search.setFocus()
    heights = []
    for _ in range(10):
        focused = QApplication.focusWidget()
        assert focused is not None
        if page.column.isAncestorOf(focused):
            heights.append(focused.mapTo(page.column, focused.rect().topLeft()).y())
            top = focused.mapTo(page.scroller, focused.rect().topLeft()).y()
            assert 0 <= top <= page.scroller.height(), focused.accessibleName()
        window.press(Qt.Key.Key_Tab, widget=focused)
    assert len(heights) >= 6
    assert heights == sorted(heights)
    switch = cast("SwitchControl", page.rows["titles.by_model"].control).switch
    reader = QAccessible.queryAccessibleInterface(switch)
    assert reader is not None
    assert reader.role() == QAccessible.Role.CheckBox


def test_the_page_is_loaded_when_it_is_asked_for() -> None:
    code = (
        "import sys, desktop_app.app, desktop_app.ui.shell.wiring;"
        "print([name for name in sys.modules if 'ui.preferences' in name or name.endswith('presenters.preferences')])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=PATIENCE_S)
    assert out.stdout.strip() == "[]"


async def test_a_wrong_value_of_the_file_is_told_in_its_row_in_every_language(window: OpenWindow) -> None:
    page = await preferences_page(window)
    speak("de")
    try:
        window.services.preferences.path.write_text("[context]\nmax_turns = 0.5\n")
        row = page.rows["context.max_turns"]
        await window.until(lambda: "ist 0.5, erwartet" in row.problem.text(), "the problem")
    finally:
        speak("en")


async def test_a_change_that_counts_from_the_next_start_offers_one(window: OpenWindow) -> None:
    page = await preferences_page(window)
    row = page.rows["appearance.language"]
    assert row.restart.isHidden()
    await window.services.preferences.set_value("appearance.language", "de")
    await window.settled()
    assert not row.restart.isHidden()
    await window.until(lambda: row.restart.y() > row.meaning.geometry().bottom() + GRID // 2, "room above the button")
    assert page.rows["appearance.theme"].restart.isHidden()
    wanted: list[bool] = []
    window.presenters.pages.restart_wanted.disconnect()
    window.presenters.pages.restart_wanted.connect(lambda: wanted.append(True))
    QTest.mouseClick(row.restart, Qt.MouseButton.LeftButton)
    assert wanted == [True]
    await window.services.preferences.set_value("appearance.language", None)
    await window.settled()
    assert row.restart.isHidden(), "what counts now is chosen again"
