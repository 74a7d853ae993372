"""The composer has the focus unless someone put it elsewhere: after every click, and after whatever closes (WIN-13)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
import pytest_asyncio
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAccessible, QGuiApplication, QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QWidget

from tests.fakes.gated_backend import GatedBackend
from tests.ui.open_window import OpenWindow
from tests.ui.scenes import make_threads
from tests.ui.walking import MOST_STEPS, controls, focused, name_of

pytestmark = pytest.mark.slow

Key, Held, Button = Qt.Key, Qt.KeyboardModifier, Qt.MouseButton

LONG = "\n\n".join(f"Paragraph {number} of an answer that is longer than the window is high." for number in range(60))


@pytest_asyncio.fixture
async def talk(data_dir: Path, qapp: QApplication) -> AsyncIterator[OpenWindow]:
    """A window with threads, the newest of them open and long enough to scroll, the focus in the composer."""
    await make_threads(data_dir)
    async with OpenWindow.opened(data_dir, backend=None, local=GatedBackend("local")) as window:
        window.window.resize(1180, 820)
        await window.choose_thread(f"{0:032x}")
        window.window.activateWindow()
        window.composer.focus_editor()
        await window.until(window.editor.hasFocus, "the focus in the composer")
        yield window


async def by_hand(act: Callable[[], object]) -> None:
    """What comes from the window system has Qt handle events: not within a task, where others could not run."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def run() -> None:
        try:
            act()
        finally:
            done.set_result(None)

    QTimer.singleShot(0, run)
    await done


async def click(
    widget: QWidget,
    place: QPoint | None = None,
    button: Qt.MouseButton = Button.LeftButton,
    held: Qt.KeyboardModifier = Held.NoModifier,
    act: Callable[..., None] = QTest.mouseClick,
) -> None:
    """A click as the window system tells of it: on the window, wherever that leads."""
    top = widget.window()
    at = widget.mapTo(top, place or widget.rect().center())
    await by_hand(lambda: act(top.windowHandle(), button, held, at))


async def key(key: Qt.Key, held: Qt.KeyboardModifier = Held.NoModifier) -> None:
    """A key as the window system tells of it: to the window that is active, or the popup over it."""
    top = QApplication.activePopupWidget() or QApplication.activeWindow()
    assert top is not None
    await by_hand(lambda: QTest.keyClick(top.windowHandle(), key, held))


def row_of(window: OpenWindow, number: int) -> QPoint:
    """The middle of a thread's row in the list."""
    index = window.threads.model.index_of(f"{number:032x}")
    window.threads.view.scrollTo(index)
    return window.threads.view.visualRect(index).center()


async def popup(window: OpenWindow) -> QWidget:
    await window.until(QApplication.activePopupWidget, "the popup")
    found = QApplication.activePopupWidget()
    assert found is not None
    return found


# --- the places


async def transcript(window: OpenWindow) -> None:
    view = window.transcript
    await click(view.viewport(), QPoint(view.column.center().x(), view.viewport().height() // 2))


async def beside_the_text(window: OpenWindow) -> None:
    await click(window.transcript.viewport(), QPoint(4, 40))


async def scroll_bar(window: OpenWindow) -> None:
    await click(window.transcript.verticalScrollBar())


async def latest(window: OpenWindow) -> None:
    window.transcript.scroll_by(-10_000)
    button = window.transcript.latest_button
    await window.until(button.isVisible, "the button")
    await click(button)


async def thread_in_the_list(window: OpenWindow) -> None:
    await click(window.threads.view.viewport(), row_of(window, 6))
    await window.until(lambda: window.app_state.is_open(f"{6:032x}"), "the thread")


async def empty_part_of_the_list(window: OpenWindow) -> None:
    viewport = window.threads.view.viewport()
    await click(viewport, QPoint(viewport.width() // 2, viewport.height() - 3))


async def title(window: OpenWindow) -> None:
    await click(window.window.header)


async def frame_of_the_composer(window: OpenWindow) -> None:
    await click(window.composer.field, QPoint(window.composer.field.width() // 2, window.composer.field.height() - 4))


async def gauge(window: OpenWindow) -> None:
    await click(window.gauge)
    await popup(window)
    await key(Key.Key_Escape)


async def model_menu(window: OpenWindow) -> None:
    await click(window.composer.picker)
    await popup(window)
    await key(Key.Key_Escape)


async def window_menu(window: OpenWindow) -> None:
    await click(window.window.header.menu_button)
    await popup(window)
    await key(Key.Key_Escape)


async def find_bar(window: OpenWindow) -> None:
    await key(Key.Key_F, Held.ControlModifier)
    QTest.keyClicks(focused(), "deque")
    bar = window.transcript.find_in_thread.bar
    assert bar.field.text() == "deque", "the bar has its letters"
    await click(bar.next)
    assert bar.field.hasFocus(), "its own buttons leave it the focus"
    await click(bar.close_button)


async def beside_the_find_bar(window: OpenWindow) -> None:
    await key(Key.Key_F, Held.ControlModifier)
    await transcript(window)


async def page(window: OpenWindow) -> None:
    window.shortcut("preferences")
    await window.until(lambda: window.presenters.pages.page, "the page")
    shown = window.presenters.pages.page
    assert shown is not None
    await click(shown.back)
    await window.until(lambda: window.presenters.pages.page is None, "the transcript again")


async def page_left_for_a_thread(window: OpenWindow) -> None:
    window.shortcut("show_usage")
    await window.until(lambda: window.presenters.pages.page, "the page")
    await thread_in_the_list(window)


async def connections(window: OpenWindow) -> None:
    window.shortcut("connections")
    await window.settled()
    assert not window.composer.isVisible()
    await key(Key.Key_Escape)
    await window.until(window.composer.isVisible, "the composer")


async def inspector_closed(window: OpenWindow) -> None:
    window.shortcut("toggle_inspector")
    await window.settled()
    pane = window.window.inspector.content
    assert pane is not None
    await click(pane.messages.view.viewport(), QPoint(60, 40))  # type: ignore[attr-defined]
    assert not window.editor.hasFocus(), "the inspector keeps its letters"
    await click(pane.close_button)  # type: ignore[attr-defined]


async def toast(window: OpenWindow) -> None:
    window.window.toast.show_message("Deleted", "Undo", lambda: None)
    await click(window.window.toast.button)


async def context_menu(window: OpenWindow) -> None:
    viewport = window.transcript.viewport()
    place = QPoint(window.transcript.column.center().x(), viewport.height() // 2)
    await click(viewport, place, Button.RightButton)
    assert isinstance(await popup(window), QMenu)
    await key(Key.Key_Escape)


async def question_edited(window: OpenWindow) -> None:
    window.shortcut("edit_question")
    await window.settled()
    panel = window.transcript.editing.panel
    assert panel.editor.hasFocus()
    await click(panel)
    assert panel.editor.hasFocus(), "a click beside the words leaves the field its focus"
    await click(panel.cancel)


async def palette(window: OpenWindow) -> None:
    await key(Key.Key_K, Held.ControlModifier)
    shown = window.presenters.palette.palette
    assert shown is not None
    assert shown.field.hasFocus()
    await click(shown, QPoint(5, 5))


async def search_left(window: OpenWindow) -> None:
    await click(window.threads.search)
    QTest.keyClicks(focused(), "sky")
    assert window.threads.search.text() == "sky"
    await window.settled()
    results = window.threads.results
    assert results is not None
    await click(results.heading)
    assert window.threads.search.hasFocus(), "around the chips the search goes on"
    await thread_in_the_list(window)


async def renamed(window: OpenWindow) -> None:
    """The field in the list was opened by F2 in the composer."""
    await key(Key.Key_F2)
    assert isinstance(focused(), QLineEdit)
    await key(Key.Key_Return)


async def list_that_the_keyboard_left(window: OpenWindow) -> None:
    await key(Key.Key_F6, Held.ShiftModifier)
    assert window.threads.view.hasFocus()
    await transcript(window)


async def list_put_away(window: OpenWindow) -> None:
    await key(Key.Key_F6, Held.ShiftModifier)
    assert window.threads.view.hasFocus()
    await key(Key.Key_B, Held.ControlModifier)


async def gone_widget(window: OpenWindow) -> None:
    field = QLineEdit(window.window.stage)
    field.show()
    field.setFocus()
    field.deleteLater()
    await window.until(lambda: QApplication.focusWidget() is not field, "its end")


PLACES = (
    *(transcript, beside_the_text, scroll_bar, latest, thread_in_the_list, empty_part_of_the_list),
    *(title, frame_of_the_composer, gauge, model_menu, window_menu, find_bar),
    *(beside_the_find_bar, page, page_left_for_a_thread, connections, inspector_closed, toast, context_menu),
    *(question_edited, palette, search_left, renamed, list_that_the_keyboard_left, list_put_away, gone_widget),
)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.__name__)
async def test_what_is_typed_after_a_click_lands_in_the_composer(
    talk: OpenWindow, place: Callable[[OpenWindow], Awaitable[None]]
) -> None:
    await place(talk)
    await talk.settled()
    await talk.until(lambda: QApplication.activePopupWidget() is None, "the end of popups")
    talk.window.activateWindow()  # without a window system nobody does when a menu has closed
    await talk.until(QGuiApplication.focusWindow, "the window's turn")
    assert QGuiApplication.focusObject() is talk.editor, name_of(focused())
    await key(Key.Key_X)
    QApplication.sendEvent(QGuiApplication.focusObject(), committed("日本"))
    assert talk.composer.text().lower() == "x日本"


def committed(text: str) -> QInputMethodEvent:
    """What an input method sends to what has the focus when a word is chosen."""
    event = QInputMethodEvent()
    event.setCommitString(text)
    return event


# --- copying


async def test_copy_takes_the_selection_of_the_transcript(talk: OpenWindow) -> None:
    await transcript(talk)
    talk.transcript.selection.select_all()
    await key(Key.Key_C, Held.ControlModifier)
    await talk.settled()
    await talk.until(lambda: "ring buffer" in QGuiApplication.clipboard().text(), "the copied text")
    await key(Key.Key_C, Held.ControlModifier | Held.ShiftModifier)
    await talk.until(lambda: "```python" in QGuiApplication.clipboard().text(), "its source")
    assert talk.editor.hasFocus()


async def test_the_selection_made_last_is_copied(talk: OpenWindow) -> None:
    talk.type("my own words")
    viewport = talk.transcript.viewport()
    await key(Key.Key_A, Held.ControlModifier)
    await key(Key.Key_C, Held.ControlModifier)
    assert QGuiApplication.clipboard().text() == "my own words"
    place = QPoint(talk.transcript.column.left() + 60, viewport.height() - 90)
    await click(viewport, place, act=QTest.mouseDClick)
    await talk.settled()
    word = talk.transcript.copying.selected_text()
    assert word
    await key(Key.Key_C, Held.ControlModifier)
    await talk.until(lambda: QGuiApplication.clipboard().text() == word, "the word of the transcript")
    assert not talk.editor.textCursor().hasSelection()
    await key(Key.Key_A, Held.ControlModifier)
    await key(Key.Key_C, Held.ControlModifier)
    assert QGuiApplication.clipboard().text() == "my own words"


async def test_pages_of_the_transcript_are_turned_from_the_composer(talk: OpenWindow) -> None:
    talk.window.resize(1180, 400)
    await talk.settled()
    before = talk.transcript.row_layout.y
    await key(Key.Key_PageUp)
    assert talk.transcript.row_layout.y < before
    await key(Key.Key_PageDown)
    assert talk.transcript.row_layout.y == before
    await key(Key.Key_Home, Held.ControlModifier)
    assert talk.transcript.row_layout.y == 0
    await key(Key.Key_End)
    assert talk.transcript.row_layout.y == talk.transcript.row_layout.bottom
    await key(Key.Key_Up, Held.ControlModifier)
    await talk.until(talk.transcript.hasFocus, "the keyboard on a message")
    assert talk.transcript.row_layout.focused >= 0
    await key(Key.Key_A)
    await talk.until(talk.editor.hasFocus, "what is typed in the composer")
    seen = talk.transcript.row_layout.y
    await key(Key.Key_Home)
    assert (talk.transcript.row_layout.y, talk.editor.textCursor().atStart()) == (seen, True), "a draft has it itself"
    talk.editor.setPlainText("line\n" * 60)
    talk.editor.moveCursor(QTextCursor.MoveOperation.End)
    await talk.until(lambda: talk.editor.verticalScrollBar().maximum(), "a draft longer than its field")
    await key(Key.Key_PageUp)
    assert not talk.editor.textCursor().atEnd(), "a long draft turns its own"


# --- the list


async def test_the_list_has_its_keys_only_where_the_keyboard_led(talk: OpenWindow) -> None:
    await thread_in_the_list(talk)
    await talk.settled()
    count = talk.threads.model.rowCount()
    talk.type("ab")
    for one in (Key.Key_Left, Key.Key_Delete, Key.Key_Home, Key.Key_End, Key.Key_Down, Key.Key_Up):
        await key(one)
    await talk.settled()
    assert (talk.composer.text(), talk.threads.model.rowCount()) == ("a", count)
    assert talk.app_state.is_open(f"{6:032x}")
    await key(Key.Key_F6, Held.ShiftModifier)
    view = talk.threads.view
    assert view.hasFocus()
    await key(Key.Key_End)
    last = view.current_thread()
    await key(Key.Key_Home)
    await key(Key.Key_Down)
    first = view.current_thread()
    assert first is not None
    assert last is not None
    assert first.id != last.id
    await key(Key.Key_Return)
    await talk.until(lambda: talk.app_state.is_open(first.id), "the thread")
    await talk.settled()
    assert view.hasFocus(), "the keyboard goes on in the list"
    await key(Key.Key_F2)
    QTest.keyClicks(focused(), "Another name")
    await key(Key.Key_Return)
    await talk.settled()
    assert talk.threads.model.thread_of(first.id).title == "Another name"  # type: ignore[union-attr]
    assert view.hasFocus(), "where the keyboard was before it was renamed"


async def test_delete_asks_nothing_and_is_undone(talk: OpenWindow) -> None:
    await key(Key.Key_F6, Held.ShiftModifier)
    gone = talk.threads.view.current_thread()
    assert gone is not None
    await key(Key.Key_Delete)
    await talk.settled()
    assert talk.threads.model.thread_of(gone.id) is None
    assert QApplication.activeModalWidget() is None
    await click(talk.window.toast.button)
    await talk.settled()
    assert talk.threads.model.thread_of(gone.id) is not None
    assert talk.editor.hasFocus()


async def test_del_is_about_the_clicked_row_until_anything_else_is_done(talk: OpenWindow) -> None:
    """A whole thread went to the trash after it was read, rated and a note was written."""
    view, model = talk.threads.view, talk.threads.model

    async def chosen(number: int) -> str:
        await click(view.viewport(), row_of(talk, number))
        await talk.settled()
        return str(talk.app_state.thread_id)

    kept = await chosen(4)
    await click(talk.transcript.viewport())
    await key(Key.Key_Delete)
    await chosen(4)
    await key(Key.Key_PageUp)
    await key(Key.Key_Delete)
    await chosen(4)
    talk.threads.click_counts.timeout.emit()
    await key(Key.Key_Delete)
    await talk.settled()
    assert model.thread_of(kept) is not None
    first = await chosen(4)
    await key(Key.Key_Delete)
    await talk.until(lambda: model.thread_of(first) is None, "its end")


async def test_a_draft_in_the_thread_before_does_not_keep_del_from_the_clicked_row(talk: OpenWindow) -> None:
    """The draft that goes when its thread is left counted as something typed."""
    view, model = talk.threads.view, talk.threads.model
    talk.type("a draft")
    await click(view.viewport(), row_of(talk, 4))
    await talk.settled()
    gone = str(talk.app_state.thread_id)
    assert not talk.composer.text()
    await key(Key.Key_Delete)
    await talk.until(lambda: model.thread_of(gone) is None, "its end")


async def test_a_draft_in_the_clicked_thread_does_not_keep_del_from_its_row(talk: OpenWindow) -> None:
    view, model, drafted = talk.threads.view, talk.threads.model, str(talk.app_state.thread_id)
    talk.type("a draft")
    await click(view.viewport(), row_of(talk, 4))
    await talk.settled()
    await click(view.viewport(), view.visualRect(model.index_of(drafted)).center())
    await talk.settled()
    assert (talk.app_state.thread_id, talk.composer.text()) == (drafted, "a draft")
    talk.editor.selectAll()
    await key(Key.Key_Delete)
    assert not talk.composer.text(), "a selection is what Del is about"
    await click(view.viewport(), row_of(talk, 4))
    await talk.settled()
    talk.type("another draft")
    second = str(talk.app_state.thread_id)
    await click(view.viewport(), view.visualRect(model.index_of(drafted)).center())
    await talk.settled()
    await click(view.viewport(), view.visualRect(model.index_of(second)).center())
    await talk.settled()
    await key(Key.Key_Delete)
    await talk.until(lambda: model.thread_of(second) is None, "its end")


async def test_what_an_input_method_writes_is_what_del_is_about(talk: OpenWindow) -> None:
    view, model = talk.threads.view, talk.threads.model
    await click(view.viewport(), row_of(talk, 4))
    await talk.settled()
    kept = str(talk.app_state.thread_id)
    QApplication.sendEvent(talk.editor, QInputMethodEvent("ni", []))
    QApplication.sendEvent(talk.editor, QInputMethodEvent())
    await key(Key.Key_Delete)
    await talk.settled()
    assert model.thread_of(kept) is not None


async def test_del_deletes_no_thread_where_the_caret_came_back_after_renaming_it(talk: OpenWindow) -> None:
    view, model = talk.threads.view, talk.threads.model
    await click(view.viewport(), row_of(talk, 4))
    await talk.settled()
    kept = str(talk.app_state.thread_id)
    await key(Key.Key_F2)
    QTest.keyClicks(focused(), "Another name")
    await key(Key.Key_Return)
    await talk.settled()
    assert model.thread_of(kept).title == "Another name"  # type: ignore[union-attr]
    await key(Key.Key_Delete)
    await talk.settled()
    assert model.thread_of(kept) is not None


async def test_threads_are_deleted_one_after_the_other_where_the_list_has_the_keyboard(talk: OpenWindow) -> None:
    await thread_in_the_list(talk)
    await key(Key.Key_F6, Held.ShiftModifier)
    view = talk.threads.view

    def is_gone(thread_id: str) -> bool:
        return talk.threads.model.thread_of(thread_id) is None

    for _ in range(3):
        gone = view.current_thread()
        assert gone is not None
        await key(Key.Key_Delete)
        await talk.until(partial(is_gone, gone.id), "its end")
        await talk.settled()
        assert view.hasFocus()


async def test_letters_in_the_list_are_written_in_the_composer(talk: OpenWindow) -> None:
    await key(Key.Key_F6, Held.ShiftModifier)
    assert talk.threads.view.hasFocus()
    for letter in (Key.Key_S, Key.Key_Q):
        await key(letter)
    assert talk.composer.text().lower() == "sq"
    assert talk.editor.hasFocus()


# --- the way everywhere


@pytest.mark.parametrize(
    "step", [(Key.Key_Tab, Held.ShiftModifier), (Key.Key_Tab, Held.NoModifier)], ids=["back", "forth"]
)
async def test_tab_leads_from_the_composer_to_every_stop_and_each_has_a_name(
    talk: OpenWindow, step: tuple[Qt.Key, Qt.KeyboardModifier]
) -> None:
    talk.shortcut("toggle_inspector")
    await talk.settled()
    talk.composer.focus_editor()
    reached: list[QWidget] = []
    for _ in range(MOST_STEPS):
        await key(*step)
        reached.append(focused())
        if talk.editor.hasFocus():
            break
    assert talk.editor.hasFocus(), "it comes round"
    assert {name_of(one) for one in controls(talk.window) - set(reached)} == set()
    unnamed = [name_of(one) for one in reached if not told(one)]
    assert unnamed == []


def told(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    assert interface is not None
    return interface.text(QAccessible.Text.Name)


async def test_f6_leads_through_all_panes_and_back_to_the_composer(talk: OpenWindow) -> None:
    talk.shortcut("toggle_inspector")
    await talk.settled()
    talk.composer.focus_editor()
    window = talk.window
    for modifiers in (Held.NoModifier, Held.ShiftModifier):
        panes = []
        for _ in range(4):
            await key(Key.Key_F6, modifiers)
            panes += [
                pane
                for pane in (window.stage, window.inspector, window.threads, window.composer)
                if pane.isAncestorOf(focused())
            ]
        expected = [window.stage, window.inspector, window.threads]
        assert panes == [*(expected if modifiers == Held.NoModifier else reversed(expected)), window.composer]


@pytest.mark.parametrize("held", [Held.ControlModifier, Held.ShiftModifier], ids=["ctrl", "shift"])
async def test_threads_that_were_picked_are_deleted_and_brought_back_by_the_lists_keys(
    talk: OpenWindow, held: Qt.KeyboardModifier
) -> None:
    talk.type("a draft")
    view = talk.threads.view
    for number in (3, 4):
        await click(view.viewport(), row_of(talk, number), held=held)
    picked = view.selected_ids()
    assert len(picked) > 1
    await talk.settled()
    assert view.hasFocus(), "the keys are about what was picked"
    await key(Key.Key_Delete)
    await talk.settled()
    assert not any(talk.threads.model.thread_of(one) for one in picked)
    await key(Key.Key_Z, Held.ControlModifier)
    await talk.settled()
    assert all(talk.threads.model.thread_of(one) for one in picked)
    assert talk.composer.text() == "a draft"
    await click(view.viewport(), row_of(talk, 0))
    await talk.until(talk.editor.hasFocus, "the focus in the composer after a plain click")
