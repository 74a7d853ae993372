"""The prompt library on the real window: written, offered behind a slash, filled in, sent; deleted and brought back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit, QWidget

from desktop_app.core.prompts import TEXT_LIMIT, Prompt
from desktop_app.ui.prompts.prompt_form import ChoiceField, LineField, LongField, PromptForm
from desktop_app.ui.prompts.prompt_lists import PromptCompletion, PromptRow
from desktop_app.ui.prompts.prompt_pages import PromptEditor, PromptsPage
from tests.fakes.gated_backend import said
from tests.ui.access_walk import all_faults
from tests.ui.editing import answer, undo
from tests.ui.menus import entries_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

CONTROL = Qt.KeyboardModifier.ControlModifier
TRANSLATE = "Translate into {{language=English}}:\n{{text:long}}"


async def added(window: OpenWindow, *prompts: tuple[str, str]) -> None:
    """Prompts in the library, which the window has noticed."""
    for title, text in prompts:
        await window.services.prompts.add(title, text)
    await window.until(lambda: len(window.presenters.prompts.prompts) >= len(prompts), "the prompts in the window")


def offered(window: OpenWindow) -> list[str] | None:
    """The titles of the library in the list above the composer, None where it is closed."""
    if (completion := window.presenters.prompts.completion) is None or not completion.isVisible():
        return None
    shown = [row.prompt for row in completion.rows.rows if isinstance(row, PromptRow)]
    return [prompt.title for prompt in shown if not prompt.id.startswith("starter-")]


def completion_of(window: OpenWindow) -> PromptCompletion:
    completion = window.presenters.prompts.completion
    assert completion is not None
    return completion


def form_of(window: OpenWindow) -> PromptForm:
    form = window.presenters.prompts.form
    assert form is not None
    assert form.isVisible()
    return form


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def begin(window: OpenWindow) -> None:
    window.window.activateWindow()
    window.composer.focus_editor()


async def library_page(window: OpenWindow) -> PromptsPage:
    window.shortcut("show_prompts")
    await window.settled()
    page = window.presenters.pages.page
    assert isinstance(page, PromptsPage)
    return page


async def editor_page(window: OpenWindow) -> PromptEditor:
    await window.until(lambda: isinstance(window.presenters.pages.page, PromptEditor), "the editor")
    page = window.presenters.pages.page
    assert isinstance(page, PromptEditor)
    return page


# --- the way through: write, insert, fill in, send


async def test_a_prompt_is_written_offered_filled_in_and_sent(window: OpenWindow, data_dir: Path) -> None:
    begin(window)
    page = await library_page(window)
    page.new_button.click()
    editor = await editor_page(window)
    assert editor.title is not None
    assert focused() is editor.title
    assert not editor.save_button.isEnabled()
    window.type("Translate", editor.title)
    editor.field.insertPlainText(TRANSLATE)
    assert editor.tokens.text() == "Asks for: language, text"
    assert all_faults() == []
    window.press(Qt.Key.Key_S, CONTROL, widget=editor.field)
    await window.until(lambda: isinstance(window.presenters.pages.page, PromptsPage), "the library again")
    await window.settled()
    window.press(Qt.Key.Key_Escape, widget=focused())
    await window.until(lambda: window.presenters.pages.page is None, "the transcript")
    await window.settled()
    begin(window)
    window.type("/tr")
    assert offered(window) == ["Translate"]
    window.press(Qt.Key.Key_Return)
    form = form_of(window)
    assert offered(window) is None
    assert list(form.fields) == ["language", "text"]
    language = form.fields["language"]
    assert isinstance(language, LineField)
    assert focused() is language
    assert language.selectedText() == "English"
    window.type("German", language)
    window.press(Qt.Key.Key_Tab, widget=language)
    assert isinstance(form.fields["text"], LongField)
    window.type("Good", focused())
    window.press(Qt.Key.Key_Return, widget=focused())
    window.type("morning", focused())
    assert form.preview.toPlainText() == "Translate into German:\nGood\nmorning"
    assert window.editor.toPlainText() == "/tr", "nothing is inserted yet"
    window.press(Qt.Key.Key_Return, CONTROL, widget=focused())
    assert window.presenters.prompts.form is None
    assert focused() is window.editor
    assert window.editor.toPlainText() == "Translate into German:\nGood\nmorning"
    window.press(Qt.Key.Key_Return)
    await window.until(window.composer.is_empty, "the question in the history")
    await window.until(lambda: not window.composer.streaming, "the answer")
    assert said(window.backend.plans[-1])[-1][1] == ("Translate into German:\nGood\nmorning",)


async def test_the_library_is_there_after_a_restart(data_dir: Path, qapp: QApplication) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await added(window, ("Translate", TRANSLATE))
    async with OpenWindow.opened(data_dir) as window:
        await window.until(lambda: window.presenters.prompts.prompts, "the prompts")
        begin(window)
        window.type("/")
        assert offered(window) == ["Translate"]


# --- the list above the composer


async def test_the_list_narrows_moves_and_closes(window: OpenWindow) -> None:
    await added(window, ("Alpha one", "a"), ("Alpha two", "b"), ("Beta", "c"))
    begin(window)
    window.type("/")
    assert offered(window) == ["Alpha one", "Alpha two", "Beta"]
    window.type("al")
    assert offered(window) == ["Alpha one", "Alpha two"]
    window.press(Qt.Key.Key_Up)
    current = completion_of(window).current
    assert isinstance(current, PromptRow)
    assert current.prompt.title == "Alpha two"
    window.press(Qt.Key.Key_Tab)
    assert window.editor.toPlainText() == "b"
    assert focused() is window.editor
    window.press(Qt.Key.Key_Z, CONTROL)
    assert window.editor.toPlainText() == "/al", "one step takes the insertion back"
    assert offered(window) is None


async def test_a_slash_that_was_only_typed_to_see_the_prompts_is_no_draft(window: OpenWindow) -> None:
    await added(window, ("Etc", "text"))
    begin(window)
    window.type("/")
    assert offered(window) is not None
    window.press(Qt.Key.Key_Escape)
    assert offered(window) is None
    assert window.editor.toPlainText() == ""
    window.press(Qt.Key.Key_Z, CONTROL)
    assert window.editor.toPlainText() == "/", "undo brings it back"


async def test_esc_leaves_the_slash_and_the_message_can_be_sent(window: OpenWindow) -> None:
    await added(window, ("Etc", "text"))
    begin(window)
    window.type("/e")
    assert offered(window) == ["Etc"]
    window.press(Qt.Key.Key_Escape)
    assert offered(window) is None
    assert window.editor.toPlainText() == "/e"
    window.type("tc")
    assert offered(window) is None, "it stays closed"
    await window.send("/hosts, what is it?")
    assert said(window.backend.plans[-1])[-1][1] == ("/etc/hosts, what is it?",)
    window.type("/")
    assert offered(window) == ["Etc"]


async def test_what_no_prompt_is_called_is_a_message(window: OpenWindow) -> None:
    await added(window, ("Beta", "text"), ("Every time count", "text"))
    begin(window)
    window.type("/etc")
    assert offered(window) == ["Every time count"]
    window.type("/")
    assert offered(window) is None, "a path has a second slash"
    window.press(Qt.Key.Key_Backspace)
    assert offered(window) is None
    window.editor.replace_text("")
    window.enter("/zzz")
    assert completion_of(window).rows.rows == ["Manage prompts…"], "the next Enter sends it"
    window.press(Qt.Key.Key_Return)
    await window.until(window.composer.is_empty, "the question in the history")
    assert said(window.backend.plans[-1])[-1][1] == ("/zzz",)


async def test_a_slash_later_in_a_text_or_in_a_draft_opens_nothing(window: OpenWindow) -> None:
    await added(window, ("Beta", "text"))
    begin(window)
    window.type("a /")
    assert offered(window) is None
    window.composer.set_text("")
    window.composer.set_text("/")
    assert offered(window) is None, "a draft that came back was not typed"


async def test_an_input_method_is_left_alone(window: OpenWindow) -> None:
    await added(window, ("翻译", "译"), ("总结", "结"))
    begin(window)
    window.type("/")
    assert offered(window) == ["总结", "翻译"]
    QApplication.sendEvent(window.editor, QInputMethodEvent("fan", []))
    for key in (Qt.Key.Key_Return, Qt.Key.Key_Down, Qt.Key.Key_Escape):
        window.press(key)
    assert offered(window) == ["总结", "翻译"]
    assert window.presenters.prompts.form is None
    commit = QInputMethodEvent("", [])
    commit.setCommitString("翻")
    QApplication.sendEvent(window.editor, commit)
    assert offered(window) == ["翻译"]
    window.press(Qt.Key.Key_Return)
    assert window.editor.toPlainText() == "译"


async def test_the_slash_of_chinese_keyboards_opens_the_list(window: OpenWindow) -> None:
    await added(window, ("翻译", "译"))
    begin(window)
    for sign in ("、", "／"):
        window.editor.replace_text("")
        commit = QInputMethodEvent("", [])
        commit.setCommitString(sign)
        QApplication.sendEvent(window.editor, commit)
        assert offered(window) == ["翻译"]


async def test_without_prompts_the_slash_leads_to_the_library(window: OpenWindow) -> None:
    begin(window)
    window.type("/")
    assert offered(window) == []
    *starters, last = completion_of(window).rows.rows
    assert (len(starters), last) == (4, "Add prompts…"), "what the thread shows, and the way on"
    window.type("q")
    assert offered(window) is None
    window.press(Qt.Key.Key_Backspace)
    window.press(Qt.Key.Key_Up)
    window.press(Qt.Key.Key_Return)
    await window.settled()
    assert isinstance(window.presenters.pages.page, PromptsPage)
    assert window.composer.text() == ""


async def test_the_name_of_no_prompt_is_sent_only_when_enter_comes_again(window: OpenWindow) -> None:
    begin(window)
    window.type("/tra")
    assert offered(window) is None
    window.press(Qt.Key.Key_Return)
    await window.settled()
    assert window.composer.text() == "/tra", "not sent at once"
    completion = completion_of(window)
    assert [one if isinstance(one, str) else one.prompt.title for one in completion.rows.rows] == [
        "Translate",
        "Add prompts…",
    ]
    assert completion.hint.text() == "An example, none of your prompts     Enter  send /tra     Esc  close"
    window.press(Qt.Key.Key_Return)
    await window.until(window.composer.is_empty, "the question in the history")
    await window.settled()
    assert not completion.isVisible()
    assert (await window.opened_thread()).path[0].text == "/tra"
    window.enter("/tra")
    window.press(Qt.Key.Key_Up)
    assert completion.hint.text().startswith("Enter  open")
    window.press(Qt.Key.Key_Down)
    assert completion.hint.text().startswith("Enter  insert"), "what Enter does now"
    window.press(Qt.Key.Key_Return)
    assert window.presenters.prompts.form is not None, "an example is inserted as a prompt is"


@pytest.mark.parametrize("text", ["/etc/hosts", "/tra la", "tra", "/"])
async def test_what_is_no_name_is_sent_at_once(window: OpenWindow, text: str) -> None:
    window.editor.replace_text(text)
    assert not window.presenters.prompts.holds_back()


async def test_a_row_is_taken_with_the_mouse_and_another_thread_closes_the_list(window: OpenWindow) -> None:
    await added(window, ("Alpha", "a"), ("Beta", "b"))
    begin(window)
    window.type("/")
    view = completion_of(window).view
    place = view.visualRect(view.model().index(1, 0)).center()
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)
    assert window.editor.toPlainText() == "b"
    window.editor.replace_text("")
    window.type("/")
    assert offered(window) == ["Alpha", "Beta"]
    await window.settled()
    window.shortcut("new_thread")
    await window.settled()
    assert offered(window) is None


async def test_the_list_stays_above_the_composer_within_the_window(window: OpenWindow) -> None:
    await added(window, *((f"Prompt {number}", "text\nof it") for number in range(30)))
    begin(window)
    window.type("/")
    for size in ((900, 700), (480, 400)):
        window.window.resize(*size)
        await window.settled()
        completion, field = completion_of(window), window.composer.field
        assert completion.geometry().top() >= 0
        below = field.mapTo(window.window.centre, field.rect().topLeft()).y()
        assert completion.geometry().bottom() < below
        assert completion.width() == field.width()


# --- the form


async def test_esc_in_the_form_leaves_the_draft_as_it_was(window: OpenWindow) -> None:
    await added(window, ("Translate", TRANSLATE))
    begin(window)
    window.enter("/t")
    form = form_of(window)
    assert all_faults() == []
    window.type("x", focused())
    window.press(Qt.Key.Key_Escape, widget=focused())
    assert window.presenters.prompts.form is None
    assert not form.isVisible()
    assert window.editor.toPlainText() == "/t"
    assert focused() is window.editor


async def test_tab_goes_round_in_the_form_and_never_out_of_it(window: OpenWindow) -> None:
    await added(window, ("All", "{{a}} {{b:long}} {{c:x|y}}"))
    begin(window)
    window.enter("/all")
    form = form_of(window)
    reached = []
    for _ in range(6):
        reached.append(focused())
        window.press(Qt.Key.Key_Tab, widget=focused())
    choice = form.fields["c"]
    assert isinstance(choice, ChoiceField)
    assert reached[2:] == [choice.buttons[0], form.preview, form.insert_button, form.cancel_button]
    assert focused() is reached[0]
    window.press(Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier, widget=focused())
    assert focused() is form.cancel_button


async def test_choices_defaults_and_empty_values(window: OpenWindow) -> None:
    await added(window, ("All", "{{tone:dry|warm=warm}}/{{a=1}}/{{b}}/\\{{c}}"))
    begin(window)
    window.enter("/all")
    form = form_of(window)
    assert form.preview.toPlainText() == "warm/1/b/{{c}}"
    assert "left out" in form.hint.text()
    tone = form.fields["tone"]
    assert isinstance(tone, ChoiceField)
    tone.buttons[0].click()
    assert form.preview.toPlainText() == "dry/1/b/{{c}}"
    window.press(Qt.Key.Key_Return, widget=tone.buttons[0])
    assert window.editor.toPlainText() == "dry/1//{{c}}"


async def test_values_are_not_read_as_templates(window: OpenWindow) -> None:
    QGuiApplication.clipboard().setText("{{a}} {{date}}")
    await added(window, ("All", "{{a}} {{clipboard}}"))
    begin(window)
    window.enter("/all")
    window.type("{{clipboard}}", focused())
    window.press(Qt.Key.Key_Return, widget=focused())
    assert window.editor.toPlainText() == "{{clipboard}} {{a}} {{date}}"


async def test_an_input_method_in_the_form_is_left_alone(window: OpenWindow) -> None:
    await added(window, ("One", "{{a}}"))
    begin(window)
    window.enter("/one")
    field = focused()
    QApplication.sendEvent(field, QInputMethodEvent("fan", []))
    window.press(Qt.Key.Key_Return, widget=field)
    window.press(Qt.Key.Key_Escape, widget=field)
    assert form_of(window).isVisible()
    QApplication.sendEvent(field, QInputMethodEvent("", []))
    window.press(Qt.Key.Key_Escape, widget=field)
    assert window.presenters.prompts.form is None


async def test_clipboard_selection_and_date_fill_themselves_in(window: OpenWindow) -> None:
    await window.send("hello there")
    window.transcript.selection.select_all()
    QGuiApplication.clipboard().setText("from the clipboard")
    await added(window, ("All", "{{clipboard}}|{{selection}}|{{date}}"))
    begin(window)
    window.enter("/all")
    clipboard, selection, date = window.editor.toPlainText().split("|")
    assert clipboard == "from the clipboard"
    assert "hello there" in selection
    assert len(date) == 10
    assert date[4] == "-"


async def test_what_has_nothing_to_fill_in_is_asked_for(window: OpenWindow) -> None:
    QGuiApplication.clipboard().clear()
    await added(window, ("All", "{{clipboard}}|{{selection=nothing}}"))
    begin(window)
    window.enter("/all")
    form = form_of(window)
    assert list(form.fields) == ["clipboard"]
    assert isinstance(form.fields["clipboard"], LongField)
    assert form.preview.toPlainText() == "clipboard|nothing"


async def test_another_thread_takes_the_form_away(window: OpenWindow) -> None:
    await window.send("hello")
    await added(window, ("One", "{{a}}"))
    begin(window)
    window.enter("/one")
    form_of(window)
    window.shortcut("new_thread")
    await window.settled()
    assert window.presenters.prompts.form is None


# --- from palette and page, into a draft


async def test_the_palette_inserts_a_prompt_into_the_draft(window: OpenWindow) -> None:
    await added(window, ("Shorter", "Say it in fewer words."))
    begin(window)
    window.type("A long text.")
    window.shortcut("command_palette")
    presenter = window.presenters.palette
    await window.until(lambda: presenter.complete, "everything on offer")
    palette = presenter.palette
    assert palette is not None
    window.type("/", palette.field)
    assert palette.rows.rows[0].entry.name == "Shorter"
    window.press(Qt.Key.Key_Return, widget=palette.field)
    assert window.editor.toPlainText() == "A long text.\n\nSay it in fewer words."
    window.press(Qt.Key.Key_Z, CONTROL)
    assert window.editor.toPlainText() == "A long text."


async def test_the_palette_inserts_also_while_a_page_is_shown(window: OpenWindow) -> None:
    await added(window, ("Shorter", "Say it in fewer words."))
    window.shortcut("show_usage")
    await window.settled()
    window.presenters.palette.prompt_chosen.emit(window.presenters.prompts.prompts[0].id)
    await window.settled()
    assert window.presenters.pages.page is None
    assert window.editor.toPlainText() == "Say it in fewer words."


@pytest.mark.parametrize(
    ("written", "at", "expected"),
    [
        ("", 0, "P"),
        ("before ", 7, "before P"),
        ("before", 6, "before\n\nP"),
        ("after", 0, "P\n\nafter"),
        ("\nafter", 0, "P\nafter"),
        ("😀 one two", 2, "😀\n\nP\n\n one two"),
    ],
)
async def test_a_prompt_stands_apart_from_what_is_written(
    window: OpenWindow, written: str, at: int, expected: str
) -> None:
    await added(window, ("One", "P"))
    window.editor.replace_text(written)
    cursor = window.editor.textCursor()
    cursor.setPosition(at)
    window.editor.setTextCursor(cursor)
    window.presenters.prompts.insert(window.presenters.prompts.prompts[0])
    assert window.editor.toPlainText() == expected
    window.type("x")
    assert window.editor.toPlainText() == expected.replace("P", "Px")


async def test_a_prompt_is_chosen_on_the_page_with_the_keyboard_alone(window: OpenWindow) -> None:
    await added(window, ("Alpha", "a {{x}}"), ("Beta", "b"), ("Gamma", "alphabet"))
    begin(window)
    page = await library_page(window)
    assert focused() is page.search
    assert all_faults() == []
    window.type("alpha", page.search)
    assert [one.title for one in page.rows.prompts] == ["Alpha", "Gamma"]
    window.press(Qt.Key.Key_Down, widget=page.search)
    assert page.title.words == "Gamma"
    window.press(Qt.Key.Key_Return, widget=page.search)
    await window.settled()
    assert window.presenters.pages.page is None
    assert window.editor.toPlainText() == "alphabet"
    assert focused() is window.editor


# --- the page


async def test_an_empty_library_offers_examples_which_a_click_adds(window: OpenWindow) -> None:
    begin(window)
    page = await library_page(window)
    examples = page.examples
    assert examples is not None
    assert len(examples.buttons) >= 4
    assert all_faults() == []
    first, second, *_ = examples.buttons.values()
    assert focused() is first
    window.press(Qt.Key.Key_Return, widget=first)
    await window.settled()
    assert first.text() == "Added"
    assert not first.isEnabled()
    second.click()
    await window.settled()
    assert len(await window.services.prompts.all()) == 2
    examples.done_button.click()
    assert len(page.rows.prompts) == 2
    assert page.text.toPlainText()


async def test_a_deletion_can_be_undone(window: OpenWindow) -> None:
    await added(window, ("Alpha", "a"), ("Beta", "b"), ("Gamma", "c"))
    begin(window)
    page = await library_page(window)
    before = await window.services.prompts.all()
    page.view.setCurrentIndex(page.rows.index(1))
    window.press(Qt.Key.Key_Delete, widget=page.view)
    await window.settled()
    assert [one.title for one in page.rows.prompts] == ["Alpha", "Gamma"]
    assert page.current is not None
    assert page.current.title == "Gamma"
    await undo(window, "Prompt deleted")
    assert await window.services.prompts.all() == before
    assert [one.title for one in page.rows.prompts] == ["Alpha", "Beta", "Gamma"]


async def test_a_prompt_is_copied_and_changed(window: OpenWindow) -> None:
    await added(window, ("Alpha", "a"), ("Beta", "b"))
    begin(window)
    page = await library_page(window)
    page.duplicate_button.click()
    await window.settled()
    assert page.current is not None
    assert page.current.title == "Alpha 2"
    page.edit_button.click()
    editor = await editor_page(window)
    assert editor.text() == "Alpha 2\na"
    assert focused() is editor.field
    editor.field.replace_text("changed")
    window.press(Qt.Key.Key_S, CONTROL, widget=editor.field)
    await window.until(lambda: isinstance(window.presenters.pages.page, PromptsPage), "the library")
    assert [one.text for one in await window.services.prompts.all()] == ["a", "changed", "b"]


async def test_what_was_not_saved_is_asked_about_and_kept(window: OpenWindow) -> None:
    await added(window, ("Alpha", "a"))
    begin(window)
    page = await library_page(window)
    page.edit_button.click()
    editor = await editor_page(window)
    editor.field.replace_text("half a thought")
    editor.back.click()
    await answer(window, "Keep editing")
    assert await editor_page(window) is editor
    window.shortcut("new_thread")
    await window.settled()
    assert window.presenters.pages.page is None
    assert window.presenters.pages.has_unsaved()
    window.window.toast.button.click()
    editor = await editor_page(window)
    assert editor.text() == "Alpha\nhalf a thought"
    editor.back.click()
    await answer(window, "Save")
    (prompt,) = await window.services.prompts.all()
    assert prompt.text == "half a thought"


async def test_what_other_processes_do_is_shown(window: OpenWindow, data_dir: Path) -> None:
    from desktop_app.storage.sqlite_history import SqliteHistory

    await added(window, ("Alpha", "a"))
    begin(window)
    page = await library_page(window)
    elsewhere = await SqliteHistory.open(data_dir / "history.db", quiet_s=None)
    try:
        await elsewhere.save_prompts([Prompt("other", "Other", "o", "2026", "2026")])
    finally:
        await elsewhere.close()
    await window.until(lambda: len(page.rows.prompts) == 2, "the prompt of the other process")
    assert page.current is not None
    assert page.current.title == "Alpha"
    assert len(window.presenters.prompts.prompts) == 2


# --- beginning a prompt with what was said


async def test_the_composers_text_becomes_a_prompt(window: OpenWindow) -> None:
    begin(window)
    window.editor.replace_text("Explain {{subject}} to a child.\nBriefly.")
    window.shortcut("save_as_prompt")
    editor = await editor_page(window)
    assert editor.text() == "Explain {{subject}} to a child.\nExplain {{subject}} to a child.\nBriefly."
    editor.save_button.click()
    await window.until(lambda: window.presenters.pages.page is None, "the transcript")
    await window.settled()
    (prompt,) = await window.services.prompts.all()
    assert prompt.text == "Explain {{subject}} to a child.\nBriefly."
    assert window.composer.text() == prompt.text, "the draft stays"


async def test_a_message_becomes_a_prompt_that_says_the_same_again(window: OpenWindow) -> None:
    await window.send("Fill in {{name}} here")
    question = window.transcript.row_layout.messages[0]
    window.presenters.prompts.save_message(question.id)
    editor = await editor_page(window)
    editor.save_button.click()
    await window.until(lambda: window.presenters.pages.page is None, "the transcript")
    await window.until(lambda: window.presenters.prompts.prompts, "the prompt")
    await window.settled()
    window.presenters.prompts.insert(window.presenters.prompts.prompts[0])
    assert window.editor.toPlainText() == "Fill in {{name}} here"


async def test_an_empty_composer_is_no_prompt(window: OpenWindow) -> None:
    window.shortcut("save_as_prompt")
    await window.settled()
    assert window.presenters.pages.page is None
    assert "Write a message first" in window.window.toast.words


async def test_the_menu_of_a_message_begins_a_prompt(window: OpenWindow) -> None:
    await window.send("Say it shorter")
    view = window.transcript
    view.keyboard.focus_message(0)
    corner = view.message_corner(0)
    reason = QContextMenuEvent.Reason.Keyboard
    QApplication.sendEvent(view.viewport(), QContextMenuEvent(reason, corner, view.viewport().mapToGlobal(corner)))
    entries_of(view.menu)["Save as a prompt…"].trigger()
    editor = await editor_page(window)
    assert editor.text() == "Say it shorter\nSay it shorter"
    editor.back.click()
    await answer(window, "Discard")
    assert await window.services.prompts.all() == ()


# --- files


async def chosen_file(window: OpenWindow, path: Path) -> None:
    """Waits for the dialog and takes a file in it."""
    await window.until(lambda: window.window.findChild(QFileDialog), "the dialog")
    dialog = window.window.findChild(QFileDialog)
    assert dialog is not None
    dialog.selectFile(str(path))
    line = dialog.findChild(QLineEdit)
    assert line is not None
    line.setText(str(path))
    dialog.accept()
    await window.settled()


async def test_prompts_are_handed_on_as_a_file(window: OpenWindow, tmp_path: Path) -> None:
    await added(window, ("Alpha", "a"), ("Beta", "{{b}}"))
    page = await library_page(window)
    before = await window.services.prompts.all()
    file = tmp_path / "handed.json"
    page.export_requested.emit()
    await chosen_file(window, file)
    assert window.window.toast.words == "2 prompts written to handed.json"
    for one in before:
        await window.services.prompts.delete(one.id)
    await window.settled()
    assert page.rows.prompts == []
    page.import_requested.emit()
    await chosen_file(window, file)
    assert window.window.toast.words == "2 prompts added"
    assert page.rows.prompts == list(before)


async def test_a_bad_file_is_named_and_changes_nothing(window: OpenWindow, tmp_path: Path) -> None:
    await added(window, ("Alpha", "a"))
    page = await library_page(window)
    file = tmp_path / "bad.json"
    file.write_text('[{"title": "Fine", "text": "x"}, {"title": "No text"}]')
    page.import_requested.emit()
    await chosen_file(window, file)
    assert window.window.toast.words.startswith("bad.json can't be imported: [1]: expected one of text")
    assert [one.title for one in page.rows.prompts] == ["Alpha"]


async def test_what_can_not_be_saved_is_said_on_the_page(window: OpenWindow) -> None:
    page = await library_page(window)
    page.new_button.click()
    editor = await editor_page(window)
    assert editor.title is not None
    editor.title.setText("Much too much")
    editor.field.setPlainText("x" * (TEXT_LIMIT + 1))
    editor.save_button.click()
    await window.settled()
    assert "100,001 characters" in editor.problem.text()
    assert window.presenters.pages.page is editor
    assert await window.services.prompts.all() == ()
    editor.back.click()
    await answer(window, "Discard")
