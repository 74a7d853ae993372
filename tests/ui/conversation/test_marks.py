"""Ratings and notes on messages: by button, menu and keys, in their line and field, with undo; never sent."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest

from desktop_app.core.messages import NO_MARK, MessageMark
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.conversation.message_actions import DetailsPopover
from desktop_app.ui.threads.results_pane import SearchFilter, who
from desktop_app.ui.transcript.message.tool_rows import AnnotationItem
from desktop_app.ui.widgets.list_parts import ROW_ROLE
from tests.fakes.gated_backend import Gate
from tests.ui.conversation.test_branches import entries, hover, press
from tests.ui.editing import undo
from tests.ui.inspector.inspecting import Inspecting, talked
from tests.ui.open_window import OpenWindow
from tests.ui.threads.test_message_search import found, search

Key, Modifier = Qt.Key, Qt.KeyboardModifier


def line(window: OpenWindow, index: int) -> str | None:
    """The line beneath a message that tells of its mark."""
    rows = window.transcript.row_layout.message_layout(index).rows
    return next((row.item.note for row in rows if isinstance(row.item, AnnotationItem)), None)


def note_rows(window: OpenWindow, index: int) -> list[str]:
    rows = window.transcript.row_layout.message_layout(index).rows
    return [row.item.reading for row in rows if row.decoration == "own-note"]


async def mark_of(window: OpenWindow, index: int) -> MessageMark:
    await window.settled()
    assert window.app_state.thread_id is not None
    marks = await window.services.chat.marks.of(window.app_state.thread_id)
    return marks.get(window.transcript.row_layout.messages[index].id, NO_MARK)


async def write(window: OpenWindow, text: str) -> None:
    """Writes in the open field of a note and keeps it."""
    panel = window.transcript.editing.note
    assert panel.isVisible()
    assert panel.editor.hasFocus()
    window.type(text, panel.editor)
    window.press(Key.Key_Return, Modifier.ControlModifier, widget=panel.editor)
    await window.settled()
    assert not panel.isVisible()


async def test_a_rating_by_its_button_is_seen_without_colour_and_taken_back(window: OpenWindow) -> None:
    await window.send("one")
    press(window, 1, "rate_up")
    assert await mark_of(window, 1) == MessageMark("up")
    assert line(window, 1) == "Rated up"
    assert window.transcript.accessible.name(1) == "Assistant, Rated up"
    hover(window, 1)
    bar = window.transcript.actions_bar
    assert bar.buttons["rate_up"].isChecked()
    assert not bar.buttons["rate_down"].isChecked()
    press(window, 1, "rate_down")
    assert await mark_of(window, 1) == MessageMark("down")
    assert line(window, 1) == "Rated down"
    press(window, 1, "rate_down")
    assert await mark_of(window, 1) == NO_MARK
    assert line(window, 1) is None
    await undo(window, "Rating removed")
    assert await mark_of(window, 1) == MessageMark("down")


async def test_a_note_is_written_beneath_its_message_kept_and_shown(window: OpenWindow, data_dir: Path) -> None:
    await window.send("one")
    await window.send("two")
    window.type("a draft")
    press(window, 1, "note")
    view, panel = window.transcript, window.transcript.editing.note
    text = next(p for p in view.row_layout.placed if p.message == 1 and p.last)
    assert panel.geometry().top() >= text.item_top + text.row.item.height, "the message stays in sight"
    following = next(p for p in view.row_layout.placed if p.message == 2 and p.first)
    assert panel.geometry().bottom() < following.item_top, "the text around makes room"
    await write(window, "not what I meant")
    assert await mark_of(window, 1) == MessageMark("", "not what I meant")
    assert line(window, 1) == "Your note: not what I meant"
    assert window.editor.hasFocus()
    assert window.composer.text() == "a draft"
    press(window, 1, "rate_down")
    await window.settled()
    assert line(window, 1) == "Rated down · Your note: not what I meant"
    press(window, 0, "note")
    await write(window, "on a question, too")
    assert line(window, 0) == "Your note: on a question, too"
    assert "rate_up" not in view.actions_bar.buttons


async def test_esc_leaves_the_note_as_it_was_and_empty_it_goes(window: OpenWindow) -> None:
    await window.send("one")
    press(window, 1, "note")
    await write(window, "first")
    press(window, 1, "note")
    panel = window.transcript.editing.note
    assert panel.text == "first"
    window.type(" and more", panel.editor)
    window.press(Key.Key_Return, widget=panel.editor)
    assert panel.editor.toPlainText() == "first and more\n", "Enter is a new line"
    window.press(Key.Key_Escape, widget=panel.editor)
    assert await mark_of(window, 1) == MessageMark("", "first")
    press(window, 1, "note")
    panel.editor.selectAll()
    window.press(Key.Key_Delete, widget=panel.editor)
    panel.yes.click()
    assert await mark_of(window, 1) == NO_MARK
    await undo(window, "Note removed")
    assert await mark_of(window, 1) == MessageMark("", "first")


async def test_the_way_to_the_latest_text_stands_aside_where_something_is_written(window: OpenWindow) -> None:
    window.backend.text = "\n\n".join(f"paragraph {number}" for number in range(60))
    await window.send("one")
    await window.send("two")
    view, told = window.transcript, list[bool]()
    assert view.latest_button.isVisible()
    view.keyboard.focus_message(1)
    view.navigation.scroll_to_message(view.row_layout.messages[2].id, 0.6)
    window.shortcut("note")
    view.latest_visible_changed.connect(told.append)
    panel, button = view.editing.note, view.latest_button.geometry().translated(-view.viewport().pos())
    view.scroll_by(panel.geometry().center().y() - button.center().y())
    assert panel.geometry().contains(button)
    assert view.latest_button.isHidden()
    view.scroll_by(2 * panel.height())
    assert view.latest_button.isVisible(), "it lies elsewhere"
    view.scroll_by(-2 * panel.height())
    assert view.latest_button.isHidden()
    window.press(Key.Key_Escape, widget=panel.editor)
    assert view.latest_button.isVisible()
    assert told == [], "the end was out of view all the time"


async def test_a_long_note_unfolds(window: OpenWindow) -> None:
    await window.send("one")
    press(window, 1, "note")
    panel = window.transcript.editing.note
    panel.editor.setPlainText("The first line.\n\nAnd a second one, which is long enough for a line of its own.")
    panel.yes.click()
    await window.settled()
    view = window.transcript

    def act(button: str) -> None:
        placed = next(p for p in view.row_layout.placed if isinstance(p.row.item, AnnotationItem))
        view.row_actions.press(placed, button)

    assert note_rows(window, 1) == []
    act("fold_note")
    assert note_rows(window, 1) == [
        "The first line.",
        "And a second one, which is long enough for a line of its own.",
    ]
    assert line(window, 1) == "Your note"
    act("fold_note")
    assert note_rows(window, 1) == []
    act("note")
    assert panel.isVisible()


async def test_by_keys_alone(window: OpenWindow) -> None:
    await window.send("one")
    await window.send("two")
    window.shortcut("rate_up")
    assert await mark_of(window, 3) == MessageMark("up"), "the last answer, while the keyboard is in the composer"
    view = window.transcript
    view.setFocus(Qt.FocusReason.ShortcutFocusReason)  # as F6 does
    view.keyboard.focus_message(1)
    QTest.keyClick(view, Key.Key_D, Modifier.ControlModifier | Modifier.ShiftModifier)
    assert await mark_of(window, 1) == MessageMark("down")
    view.keyboard.focus_message(0)
    window.shortcut("rate_up")
    assert await mark_of(window, 0) == NO_MARK, "a question is not rated"
    window.shortcut("note")
    await write(window, "mine")
    assert await mark_of(window, 0) == MessageMark("", "mine")
    assert view.hasFocus()
    assert view.row_layout.focused == 0
    found: dict[str, QAction] = entries(window, 1)
    assert found["Rate down"].isChecked()
    found["Rate up"].trigger()
    assert await mark_of(window, 1) == MessageMark("up")
    assert "Edit the note" in entries(window, 0)


async def test_the_field_opens_beneath_a_long_answer_that_is_known_by_its_end_and_nothing_moves_after_it(
    data_dir: Path,
) -> None:
    lines = "\n\n".join(
        f"Paragraph {number}. " + "Words that fill more than one line of it. " * 9 for number in range(60)
    )
    async with OpenWindow.opened(data_dir) as window:
        window.backend.reply(TextDelta(lines), Ended("end_turn"))
        await window.send("one")
    async with OpenWindow.opened(data_dir) as window:
        view = window.transcript
        await window.until(lambda: view.row_layout.placed, "the thread")
        view.setFocus(Qt.FocusReason.ShortcutFocusReason)
        window.press(Key.Key_End, Modifier.ControlModifier, widget=view)
        await window.settled()
        window.shortcut("note")
        await window.settled()
        panel = view.editing.note
        assert view.viewport().rect().contains(panel.geometry())
        assert view.row_layout.placed[0].top <= 0
        assert view.row_layout.placed[-1].bottom > panel.geometry().bottom()
        before = [
            (placed.message, placed.row) for placed in view.row_layout.placed if placed.bottom < panel.geometry().top()
        ]
        await write(window, "mine")
        shown = [(placed.message, placed.row) for placed in view.row_layout.placed]
        assert before[-1] in shown


async def test_details_tell_of_the_mark(window: OpenWindow) -> None:
    await window.send("one")
    press(window, 1, "rate_up")
    await window.settled()
    press(window, 1, "details")
    popover = window.transcript.findChild(DetailsPopover)
    assert isinstance(popover, DetailsPopover)
    assert "Your rating: Up" in popover.accessibleDescription()
    popover.close()


async def test_details_and_past_say_why_an_answer_cost_much_more(window: OpenWindow) -> None:
    what = "the system prompt changed"
    await talked(window, 2)
    await window.services.chat.set_system(window.app_state.thread_id or "", "Be brief. " * 4_000)
    await window.send("And now?")
    window.presenters.branches.act(window.transcript.row_layout.messages[5].id, "details")
    await window.until(lambda: window.transcript.findChild(DetailsPopover) is not None, "the details")
    popover = window.transcript.findChild(DetailsPopover)
    assert isinstance(popover, DetailsPopover)
    assert re.search(rf"Why more: \$0\.\d\d instead of <\$0\.01: {what}", popover.accessibleDescription())
    popover.close()
    inspecting = Inspecting(window)
    await inspecting.open("past")
    past = inspecting.pane.past
    await window.until(lambda: past.request.note.words.endswith(what), "the sentence")
    told = [str(past.model.data(past.model.index(row))) for row in range(3)]
    assert [what in one for one in told] == [True, False, False]


async def test_marks_are_there_again_after_another_thread_and_a_restart(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await window.send("one")
        thread = window.app_state.thread_id
        press(window, 1, "rate_up")
        await window.settled()
        window.shortcut("new_thread")
        await window.send("another")
        assert line(window, 1) is None
        assert thread is not None
        await window.choose_thread(thread)
        await window.until(lambda: line(window, 1) == "Rated up", "the rating")
    async with OpenWindow.opened(data_dir) as window:
        await window.until(lambda: line(window, 1) == "Rated up", "the rating after a restart")


async def test_an_unfinished_note_waits_and_only_one_field_is_open(window: OpenWindow) -> None:
    await window.send("one")
    await window.send("two")
    press(window, 1, "note")
    window.type("half a no", window.transcript.editing.note.editor)
    window.presenters.branches.edit(window.transcript.row_layout.messages[2].id)
    assert not window.transcript.editing.note.isVisible()
    assert window.transcript.editing.panel.isVisible()
    window.type(", changed", window.transcript.editing.panel.editor)
    press(window, 1, "note")
    assert not window.transcript.editing.panel.isVisible()
    assert window.transcript.editing.note.text == "half a no"
    window.press(Key.Key_Escape, widget=window.transcript.editing.note.editor)
    window.presenters.branches.edit(window.transcript.row_layout.messages[2].id)
    assert window.transcript.editing.panel.text == "two, changed"


async def test_what_is_still_coming_is_not_marked(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("half"), gate, Ended("end_turn"))
    window.type("one")
    window.press(Key.Key_Return)
    await gate.arrive()
    window.shortcut("rate_up")
    window.shortcut("note")
    assert await mark_of(window, 1) == NO_MARK
    assert window.transcript.edited == ""
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end")
    await window.settled()


async def test_the_search_finds_notes_and_narrows_by_marks(window: OpenWindow) -> None:
    window.backend.reply(TextDelta("The locker is aft."), Ended("end_turn"))
    await window.send("where is the locker")
    window.backend.reply(TextDelta("No locker there."), Ended("end_turn"))
    await window.send("and the other locker")
    press(window, 1, "rate_up")
    await window.settled()
    press(window, 3, "note")
    await write(window, "ask the quartermaster")
    results = await search(window, "quartermaster")
    (hit,) = [results.hits.index(row).data(ROW_ROLE) for row in range(results.hits.rowCount())]
    assert (hit.message_id, who(hit)) == (window.transcript.row_layout.messages[3].id, "Your note")
    results = await search(window, "locker")
    await window.until(lambda: results.hits.rowCount() == 4, "all of them")
    window.presenters.message_search.shown = None
    results.set_filter(SearchFilter(marked="up"))
    await window.until(lambda: window.presenters.message_search.shown is not None, "the narrowed search")
    assert found(results) == ["The locker is aft."]
    assert results.mark_chip.isChecked()
    assert results.mark_chip.accessibleName() == "Rated up"
    window.presenters.message_search.shown = None
    results.set_filter(SearchFilter(marked="note"))
    await window.until(lambda: window.presenters.message_search.shown is not None, "the narrowed search")
    assert found(results) == ["No locker there."]
    window.threads.leave_search()
    await window.settled()
