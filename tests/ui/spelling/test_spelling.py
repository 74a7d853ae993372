"""The spell check in the real window, with the real checker in its own process."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QPoint, QProcess, Qt, QTimer
from PySide6.QtGui import QAction, QContextMenuEvent, QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from desktop_app.ui.preferences.preferences_page import PreferencesPage
from desktop_app.ui.preferences.setting_controls import SpellingLanguagesControl
from desktop_app.ui.prompts.prompt_pages import SystemPromptEditor
from desktop_app.ui.spelling.field_spelling import FieldSpelling, wave_areas
from desktop_app.ui.widgets.message_field import CheckedEdit
from tests.counted_calls import CountedCalls
from tests.patience import PATIENCE_S
from tests.ui.open_window import OpenWindow

pytest.importorskip("hunspell")

pytestmark = pytest.mark.slow


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """With the switch on, and a German dictionary of a few words of the user's own."""
    folder = tmp_path / "data"
    (folder / "dictionaries").mkdir(parents=True)
    (folder / "settings.toml").write_text('[composer]\nspell_check = true\nspell_languages = "en_US, de_DE"\n')
    (folder / "dictionaries" / "de_DE.aff").write_text("SET UTF-8\nTRY esijanrtolcdugmphbyfvkwäöüß\n")
    (folder / "dictionaries" / "de_DE.dic").write_text("3\nStraße\nund\nHaus\n")
    return folder


def spelling_of(field: CheckedEdit) -> FieldSpelling:
    assert isinstance(field.marks, FieldSpelling)
    return field.marks


def marked(field: CheckedEdit) -> list[str]:
    return [word.text for _, word in spelling_of(field).marked()]


async def marked_as(window: OpenWindow, words: list[str], field: CheckedEdit | None = None) -> None:
    checked = field or window.editor
    await window.until(lambda: checked.marks is not None and marked(checked) == words, f"marks under {words}")


async def menu_at(window: OpenWindow, position: int, *, by_key: bool = False) -> QMenu:
    """The menu of the word at a place of the text."""
    editor = window.editor
    cursor = editor.textCursor()
    place = QPoint(1, 1)
    cursor.setPosition(position)
    if by_key:
        editor.setTextCursor(cursor)
    else:
        place = editor.cursorRect(cursor).center() + QPoint(1, 0)
    reason = QContextMenuEvent.Reason.Keyboard if by_key else QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, place, editor.viewport().mapToGlobal(place))
    QApplication.sendEvent(editor.viewport(), event)
    await window.until(lambda: editor.findChildren(QMenu), "the menu")
    return editor.findChildren(QMenu)[0]


def entries(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions()]


def action(menu: QMenu, words: str) -> QAction:
    return next(action for action in menu.actions() if action.text().startswith(words))


async def suggestion(window: OpenWindow, menu: QMenu, words: str) -> QAction:
    """Suggestions may come into the open menu."""
    await window.until(lambda: words in entries(menu), f"the suggestion {words}")
    return action(menu, words)


async def test_wrong_words_are_marked_and_the_text_is_not_touched(window: OpenWindow) -> None:
    window.type("I recieve mail und gehe zur Straße ")
    # two languages, each word right in one of them; "gehe" and "zur" are in neither of these
    await marked_as(window, ["recieve", "gehe", "zur"])
    assert window.composer.text() == "I recieve mail und gehe zur Straße "
    assert not window.editor.document().firstBlock().layout().formats()
    window.editor.undo()
    assert window.composer.is_empty()


async def test_the_word_that_is_being_typed_is_left_alone(window: OpenWindow) -> None:
    window.type("a recieve")
    await marked_as(window, [])
    window.editor.moveCursor(QTextCursor.MoveOperation.Start)
    await marked_as(window, ["recieve"])


async def test_code_and_what_is_composed_are_left_alone(window: OpenWindow) -> None:
    window.editor.setPlainText("teh\n```\nteh\n```\nsee `teh` teh")
    await marked_as(window, ["teh", "teh"])
    before = [block.blockNumber() for block, _ in spelling_of(window.editor).marked()]
    assert before == [0, 4]
    # an input method shows text of its own in front of a wrong word
    cursor = window.editor.textCursor()
    cursor.setPosition(0)
    window.editor.setTextCursor(cursor)
    QApplication.sendEvent(window.editor, QInputMethodEvent("nihao", []))
    window.editor.viewport().repaint()
    assert window.composer.text().startswith("teh\n")
    assert window.editor.composing()
    QApplication.sendEvent(window.editor, QInputMethodEvent())


@pytest.mark.parametrize("by_key", [False, True])
async def test_a_suggestion_replaces_the_word_in_one_step(window: OpenWindow, by_key: bool) -> None:
    window.type("I recieve mail ")
    await marked_as(window, ["recieve"])
    menu = await menu_at(window, 5, by_key=by_key)
    (await suggestion(window, menu, "receive")).trigger()
    assert window.composer.text() == "I receive mail "
    menu.close()
    window.editor.undo()
    assert window.composer.text() == "I recieve mail "
    window.editor.moveCursor(QTextCursor.MoveOperation.End)
    await marked_as(window, ["recieve"])


async def test_shift_f10_opens_the_menu_of_the_word_at_the_cursor(window: OpenWindow) -> None:
    window.type("I recieve mail ")
    await marked_as(window, ["recieve"])
    cursor = window.editor.textCursor()
    cursor.setPosition(5)
    window.editor.setTextCursor(cursor)
    window.press(Qt.Key.Key_F10, Qt.KeyboardModifier.ShiftModifier)
    await window.until(lambda: window.editor.findChildren(QMenu), "the menu")
    (menu,) = window.editor.findChildren(QMenu)
    assert (await suggestion(window, menu, "receive")).isEnabled()
    menu.close()


async def test_suggestions_come_into_the_open_menu_and_nothing_moves_under_the_pointer(window: OpenWindow) -> None:
    window.type("I recieve mail ")
    await marked_as(window, ["recieve"])
    speller = window.presenters.spelling.speller
    # as it is with a word that was not looked ahead for; the process that would tell stands still
    await window.until(lambda: speller.suggestions("recieve"), "what is looked for ahead")
    speller.known_suggestions.clear()
    process = psutil.Process(speller.pid)
    process.suspend()
    menu = await menu_at(window, 5)
    assert not action(menu, "Looking for suggestions").isEnabled()
    assert "No suggestions" not in entries(menu)
    ignore = action(menu, "Ignore")
    before = menu.mapToGlobal(menu.actionGeometry(ignore).topLeft())
    process.resume()
    await suggestion(window, menu, "receive")
    assert not any("suggestions" in entry for entry in entries(menu))
    assert menu.mapToGlobal(menu.actionGeometry(ignore).topLeft()) == before
    menu.close()


async def test_no_suggestions_are_told_only_where_there_are_none(window: OpenWindow) -> None:
    window.type("xqzvkqzvkxqzvkqzvkxqzvkqzvkxqzvkqzvk ")
    await marked_as(window, ["xqzvkqzvkxqzvkqzvkxqzvkqzvkxqzvkqzvk"])
    menu = await menu_at(window, 2)
    await window.until(lambda: "No suggestions" in entries(menu), "that there are none")
    assert not action(menu, "No suggestions").isEnabled()
    menu.close()


async def test_a_process_that_ends_over_suggestions_does_not_say_that_there_are_none(window: OpenWindow) -> None:
    window.type("I recieve mail ")
    await marked_as(window, ["recieve"])
    speller = window.presenters.spelling.speller
    await window.until(lambda: speller.suggestions("recieve"), "what is looked for ahead")
    speller.known_suggestions.clear()
    process = psutil.Process(speller.pid)
    process.suspend()
    menu = await menu_at(window, 5)
    process.kill()
    await window.until(lambda: "Suggestions could not be looked up" in entries(menu), "what became of them")
    menu.close()


async def test_a_word_is_added_to_a_file_of_the_users_own(window: OpenWindow, data_dir: Path) -> None:
    window.type("ask Plimsolly now, Plimsolly ")
    await marked_as(window, ["Plimsolly", "Plimsolly"])
    menu = await menu_at(window, 6)
    action(menu, "Add “Plimsolly”").trigger()
    menu.close()
    await marked_as(window, [])
    words = data_dir / "words.txt"
    await window.until(words.exists, "the file of words")
    assert words.read_text("utf-8") == "Plimsolly\n"
    assert stat.S_IMODE(words.stat().st_mode) == 0o600
    window.type("plimsolly Plimsolli ")
    await marked_as(window, ["plimsolly", "Plimsolli"])


async def test_an_ignored_word_is_in_no_file(window: OpenWindow, data_dir: Path) -> None:
    window.type("xyzzyx ")
    await marked_as(window, ["xyzzyx"])
    menu = await menu_at(window, 2)
    action(menu, "Ignore").trigger()
    menu.close()
    await marked_as(window, [])
    assert not (data_dir / "words.txt").exists()


async def test_a_right_word_has_the_usual_menu(window: OpenWindow) -> None:
    window.type("mail teh ")
    await marked_as(window, ["teh"])
    menu = await menu_at(window, 2)
    assert "Ignore" not in "".join(each.text() for each in menu.actions())
    menu.close()


async def test_the_switch_counts_at_once_and_leaves_no_process(window: OpenWindow) -> None:
    window.type("teh ")
    await marked_as(window, ["teh"])
    speller = window.presenters.spelling.speller
    process = psutil.Process(speller.pid)
    await window.services.preferences.set_value("composer.spell_check", False)
    assert window.editor.marks is None
    await window.until(lambda: not process.is_running() or process.status() == psutil.STATUS_ZOMBIE, "its end")
    await window.services.preferences.set_value("composer.spell_check", True)
    await marked_as(window, ["teh"])


async def test_a_switch_that_is_turned_on_over_the_field_counts_when_it_is_shown_again(window: OpenWindow) -> None:
    await window.services.preferences.set_value("composer.spell_check", False)
    window.type("teh ")
    window.shortcut("preferences")
    await window.until(lambda: isinstance(window.presenters.pages.page, PreferencesPage), "the page")
    known: list[bool] = []
    window.presenters.spelling.speller.dictionaries_changed.connect(lambda _: known.append(True))
    await window.services.preferences.set_value("composer.spell_check", True)
    await window.until(lambda: known and window.editor.marks is not None, "the dictionaries")
    rest = spelling_of(window.editor).findChild(QTimer)
    assert rest is not None
    await window.until(lambda: not rest.isActive(), "the look at a field that is not shown")
    window.presenters.pages.leave()
    await marked_as(window, ["teh"])


async def test_a_process_that_dies_is_started_again(window: OpenWindow) -> None:
    window.type("teh ")
    await marked_as(window, ["teh"])
    speller = window.presenters.spelling.speller
    before = speller.pid
    psutil.Process(before).kill()
    await window.until(lambda: speller.pid not in (0, before), "another process")
    window.type("wrogn ")
    await marked_as(window, ["teh", "wrogn"])


async def test_preferences_offer_what_is_there_and_say_where_more_comes_from(
    window: OpenWindow, data_dir: Path
) -> None:
    window.shortcut("preferences")
    await window.until(lambda: isinstance(window.presenters.pages.page, PreferencesPage), "the page")
    page = window.presenters.pages.page
    assert isinstance(page, PreferencesPage)
    await window.until(lambda: page.complete and "composer.spell_languages" in page.rows, "its rows")
    control = page.rows["composer.spell_languages"].control
    assert isinstance(control, SpellingLanguagesControl)
    await window.until(lambda: {"de_DE", "en_US"} <= set(control.buttons), "the languages")
    assert control.buttons["de_DE"].text() == "Deutsch (Deutschland)"
    assert control.buttons["de_DE"].isChecked()
    assert not control.automatic.isChecked()
    assert str(data_dir / "dictionaries") in control.note.text()
    assert str(data_dir / "words.txt") in control.note.text()
    QTest.mouseClick(control.buttons["de_DE"], Qt.MouseButton.LeftButton)
    await window.until(lambda: 'spell_languages = "en_US"' in (data_dir / "settings.toml").read_text(), "the file")
    await window.settled()
    QTest.mouseClick(control.automatic, Qt.MouseButton.LeftButton)
    await window.until(lambda: "spell_languages" not in (data_dir / "settings.toml").read_text(), "the file")
    await window.settled()


async def test_the_field_of_the_system_prompt_and_of_an_edited_question_are_checked(window: OpenWindow) -> None:
    await window.send("teh question")
    window.shortcut("edit_question")
    await window.until(lambda: window.transcript.editing.message_id, "the panel")
    panel = window.transcript.editing.panel
    panel.editor.setFocus()
    await marked_as(window, ["teh"], panel.editor)


async def test_waves_stand_under_their_words_also_while_something_is_composed_before_them(window: OpenWindow) -> None:
    window.editor.setPlainText("😀 teh wrogn")
    await marked_as(window, ["teh", "wrogn"])
    (block, teh), (_, wrogn) = spelling_of(window.editor).marked()
    cursor = QTextCursor(block)
    for word, start in ((teh, 3), (wrogn, 7)):  # the picture has two units
        (area,) = wave_areas(block, word)
        cursor.setPosition(start)
        assert area.left() == pytest.approx(window.editor.cursorRect(cursor).left(), abs=1.5)
        cursor.setPosition(start + word.length)
        assert area.right() == pytest.approx(window.editor.cursorRect(cursor).left(), abs=1.5)
    (before,) = wave_areas(block, teh)
    (after,) = wave_areas(block, wrogn)
    cursor.setPosition(6)
    window.editor.setTextCursor(cursor)
    QApplication.sendEvent(window.editor, QInputMethodEvent("composed ", []))
    assert next(iter(wave_areas(block, teh))) == before
    moved = next(iter(wave_areas(block, wrogn)))
    assert moved.left() > after.left() + 20
    assert moved.width() == pytest.approx(after.width(), abs=1)
    QApplication.sendEvent(window.editor, QInputMethodEvent())


async def test_waves_stand_under_words_that_run_from_right_to_left(window: OpenWindow, data_dir: Path) -> None:
    folder = data_dir / "dictionaries"
    (folder / "ar.aff").write_text("SET UTF-8\n", "utf-8")
    (folder / "ar.dic").write_text("2\nأهلا\nوسهلا\n", "utf-8")
    await window.services.preferences.set_value("composer.spell_languages", "ar")
    window.editor.setPlainText("أهلا وسسهلا hello")
    await marked_as(window, ["وسسهلا"])
    ((block, word),) = spelling_of(window.editor).marked()
    (area,) = wave_areas(block, word)
    cursor = QTextCursor(block)
    cursor.setPosition(5)
    assert area.right() == pytest.approx(window.editor.cursorRect(cursor).left(), abs=1.5)
    assert area.width() > 20


async def test_the_system_prompt_is_checked_too(window: OpenWindow) -> None:
    window.shortcut("edit_system")
    await window.until(lambda: isinstance(window.presenters.pages.page, SystemPromptEditor), "the editor")
    page = window.presenters.pages.page
    assert isinstance(page, SystemPromptEditor)
    page.field.replace_text("Anser briefly. ")
    await marked_as(window, ["Anser"], page.field)
    page.field.replace_text("")


async def test_typing_in_a_long_draft_costs_next_to_nothing_more(window: OpenWindow) -> None:
    window.editor.setPlainText("A sentence with a mispelled word in it, and antoher one, as people write them. " * 60)
    spelling = spelling_of(window.editor)
    await window.until(lambda: len(spelling.marked()) > 20, "many marks")
    window.editor.moveCursor(QTextCursor.MoveOperation.End)
    with CountedCalls() as work:
        for _ in range(20):
            window.editor.insertPlainText("x")
            assert spelling.marked()
        # finding what is marked in all of the view, the line of 5,000 characters anew each time; a key has 4 ms in all
    assert work.calls / 20 < 13_000


async def test_nothing_is_started_behind_the_end(window: OpenWindow) -> None:
    """What a closing window still shows or asks for must leave no process that Qt would destroy while it runs."""
    window.type("sentense is ")
    await marked_as(window, ["sentense"])
    spelling = window.session.presenters.spelling
    spelling.close()
    assert spelling.speller.pid == 0
    window.session.presenters.pages.show("preferences")
    spelling.speller.suggest("sentense")
    spelling.page_changed(window.window.findChild(PreferencesPage))
    assert spelling.speller.pid == 0
    assert {each.state() for each in spelling.findChildren(QProcess)} <= {QProcess.ProcessState.NotRunning}


def test_nothing_of_it_is_loaded_while_it_is_off() -> None:
    code = "import sys, desktop_app.ui.shell.wiring; print(*sorted(n for n in sys.modules if 'spell' in n))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    assert done.stdout.split() == ["desktop_app.ui.spelling", "desktop_app.ui.spelling.spelling_presenter"]
