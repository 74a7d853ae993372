"""The composer in the real window: growing, keys, pasting, undo, the queue, and drafts that outlive a kill."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.core.messages import DocumentPart
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.storage.first_screen import read_first_screen
from desktop_app.ui.composer.composer import SHARE_OF_WINDOW
from desktop_app.ui.widgets.message_field import HUGE_LINE, HUGE_PASTE, LONG_PASTE
from tests.counted_calls import CountedCalls
from tests.fakes.gated_backend import Gate, said
from tests.ui.attaching import attach, written
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


def pasted(window: OpenWindow, *, text: str | None = None, html: str | None = None) -> None:
    """Pastes what a program has put into the clipboard."""
    brought = QMimeData()
    if text is not None:
        brought.setText(text)
    if html is not None:
        brought.setHtml(html)
    QApplication.clipboard().setMimeData(brought)
    window.press(Qt.Key.Key_V, CONTROL)


async def test_it_grows_with_the_text_then_scrolls_and_shrinks_again(window: OpenWindow) -> None:
    one = window.editor.height()
    window.editor.setPlainText("one\ntwo\nthree")
    three = window.editor.height()
    assert three > 2 * one
    window.editor.setPlainText("line\n" * 200)
    window.editor.moveCursor(QTextCursor.MoveOperation.End)
    most = window.editor.height()
    assert three < most <= window.window.height() * SHARE_OF_WINDOW + one
    assert window.editor.verticalScrollBar().value() == window.editor.verticalScrollBar().maximum() > 0
    assert window.editor.viewport().rect().contains(window.editor.cursorRect())
    window.editor.setPlainText("one")
    assert window.editor.height() == one
    # a long word wraps, it is never wider than the field
    window.editor.setPlainText("x" * 2000)
    assert window.editor.height() > three
    assert window.editor.document().firstBlock().layout().lineCount() > 3


async def test_no_key_sends_or_edits_while_something_is_composed(window: OpenWindow) -> None:
    await window.send("earlier")
    QApplication.sendEvent(window.editor, QInputMethodEvent("にほん", []))
    for modifiers in (Qt.KeyboardModifier.NoModifier, SHIFT, CONTROL):
        window.press(Qt.Key.Key_Return, modifiers)
    window.press(Qt.Key.Key_Escape)
    await window.settled()
    assert len(window.backend.plans) == 1
    assert window.editor.composing()
    assert window.composer.text() == ""
    committed = QInputMethodEvent()
    committed.setCommitString("日本")
    QApplication.sendEvent(window.editor, committed)
    assert window.composer.text() == "日本"
    window.editor.undo()
    assert window.composer.text() == ""


async def test_typing_quotes_and_pastes_are_taken_back_and_made_again_in_order(window: OpenWindow) -> None:
    window.type("before ")
    pasted(window, text="pasted")
    window.composer.insert_quote("> quoted")
    window.type("after")
    steps = ["before pasted\n\n> quoted\n\nafter"]
    while window.composer.text():
        window.press(Qt.Key.Key_Z, CONTROL)
        steps.append(window.composer.text())
        assert len(steps) < 9
    assert "before pasted\n\n> quoted\n\n" in steps
    assert "before pasted" in steps
    assert "before " in steps
    for wanted in reversed(steps[:-1]):
        window.press(Qt.Key.Key_Z, CONTROL | SHIFT)
        assert window.composer.text() == wanted


async def test_of_what_has_a_look_the_words_are_pasted(window: OpenWindow) -> None:
    pasted(window, html="<h1>Title</h1><p>Some <b>bold</b> text<br>and <img src='file:///etc/passwd'> more</p>")
    assert window.composer.text().startswith("Title\nSome bold text\nand")
    assert window.composer.text().endswith("more")
    assert not window.editor.document().firstBlock().blockFormat().headingLevel()
    window.editor.clear()
    pasted(window, text="**bold** as its writer has it", html="<b>bold</b>")
    assert window.composer.text() == "**bold** as its writer has it"
    window.editor.clear()
    pasted(window, text="one\r\ntwo\0three")
    assert window.composer.text() == "one\ntwothree"


async def test_a_long_paste_can_become_a_document_and_be_text_again(window: OpenWindow) -> None:
    window.type("see: ")
    pasted(window, text="log line\n" * (LONG_PASTE // 9 + 1))
    offer = window.composer.offer
    assert offer is not None
    assert not window.composer.attachments
    QTest.mouseClick(offer.button, Qt.MouseButton.LeftButton)
    await window.until(lambda: window.composer.attachments, "the document")
    assert window.composer.text() == "see: "
    assert window.composer.offer is None


async def test_a_pasted_text_is_in_the_field_or_a_document_and_never_both_or_neither(window: OpenWindow) -> None:
    text = "log line\n" * (LONG_PASTE // 9 + 1)
    window.type("before ")
    pasted(window, text=text)
    offer = window.composer.offer
    assert offer is not None
    QTest.mouseClick(offer.button, Qt.MouseButton.LeftButton)
    window.press(Qt.Key.Key_Z, CONTROL)  # while it is read
    assert window.composer.text() == f"before {text}"
    await window.settled()
    assert not window.composer.attachments
    window.press(Qt.Key.Key_Z, CONTROL | SHIFT)
    assert window.composer.text() == "before "
    await window.until(lambda: window.composer.attachments, "the document again")
    window.type("after")
    window.press(Qt.Key.Key_Z, CONTROL)
    await window.settled()
    assert (window.composer.text(), len(window.composer.attachments)) == ("before ", 1)
    window.editor.undo()  # as the field's own menu does
    await window.until(lambda: not window.composer.attachments, "no document")
    assert window.composer.text() == f"before {text}"
    await window.settled()
    assert await window.services.attachments.of((await window.thread()).id) == ()
    # another change ends the way back to it
    window.type("x")
    window.press(Qt.Key.Key_Z, CONTROL | SHIFT)
    await window.settled()
    assert (window.composer.text(), window.composer.attachments) == (f"before {text}x", ())


async def test_a_document_that_was_removed_by_hand_does_not_come_back_beside_its_text(window: OpenWindow) -> None:
    text = "log line\n" * (LONG_PASTE // 9 + 1)
    pasted(window, text=text)
    assert window.composer.offer is not None
    QTest.mouseClick(window.composer.offer.button, Qt.MouseButton.LeftButton)
    await window.until(lambda: window.composer.attachments, "the document")
    window.composer.attachment_removed.emit(0)
    window.type("x")
    for _ in range(2):
        window.press(Qt.Key.Key_Z, CONTROL)
    assert window.composer.text() == text
    window.composer.undo_requested.emit()  # Ctrl+Z on the chips
    await window.settled()
    assert window.composer.attachments == ()
    # a text that replaces all, as another thread's draft, is no step back
    window.press(Qt.Key.Key_Z, CONTROL | SHIFT)
    await window.until(lambda: window.composer.attachments, "the document")
    window.composer.set_text("another")
    window.editor.undo()
    await window.settled()
    assert (window.composer.text(), len(window.composer.attachments)) == ("another", 1)


@pytest.mark.parametrize("text", ["log line\n" * (HUGE_PASTE // 9 + 1), "x " * (HUGE_LINE // 2)])
async def test_a_huge_paste_is_a_document_at_once_and_holds_nothing_up(window: OpenWindow, text: str) -> None:
    window.type("see: ")
    brought = QMimeData()
    brought.setText(text)
    window.editor.insertFromMimeData(brought)  # modules and enums that are made once are no work of a paste
    with CountedCalls() as work:
        window.editor.insertFromMimeData(brought)
    assert window.composer.text() == "see: "
    offer = window.composer.offer
    assert offer is not None
    assert not offer.button.isVisible()
    assert work.calls < 1_800
    await window.until(lambda: window.composer.attachments, "the document")
    (document,) = window.composer.attachments
    assert isinstance(document, DocumentPart)
    assert document.text.strip() == text.strip()
    window.type("x")
    assert window.composer.offer is None


async def test_up_edits_only_where_nothing_at_all_is_being_written(window: OpenWindow, tmp_path: Path) -> None:
    await window.send("a question")
    window.type(" ")
    window.press(Qt.Key.Key_Up)
    window.press(Qt.Key.Key_Backspace)
    window.press(Qt.Key.Key_Up, SHIFT)
    assert not window.transcript.editing.message_id
    await attach(window, written(tmp_path, "notes.txt"))
    window.press(Qt.Key.Key_Up)
    await window.settled()
    assert not window.transcript.editing.message_id
    window.composer.attachment_removed.emit(0)
    await window.until(lambda: not window.composer.attachments, "an empty composer")
    window.press(Qt.Key.Key_Up)
    await window.until(lambda: window.transcript.editing.message_id, "the question to be edited")


async def test_queued_messages_are_edited_and_removed_by_their_buttons(window: OpenWindow) -> None:
    gate = Gate()
    window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
    await window.begin("first", gate)
    window.enter("second")
    queue = window.composer.queue
    for text in ("third", "fourth", "fifth"):
        window.enter(text)
    first, second, third = queue.rows
    assert ["second" in first.accessibleName(), "fourth" in third.accessibleName()] == [True, True]
    assert [row.more.isVisible() for row in queue.rows] == [False, False, True]
    assert third.more.text() == "1 more"
    window.press(Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert third.remove_button.hasFocus(), "they stand before the text"
    queue.set_short(True)
    assert [row.isVisible() for row in queue.rows] == [True, False, False]
    assert first.more.text() == "3 more"
    queue.set_short(False)
    QTest.mouseClick(second.edit_button, Qt.MouseButton.LeftButton)
    assert window.composer.text() == "third"
    assert "fourth" in second.accessibleName()
    window.press(Qt.Key.Key_Return)
    for _ in range(4):
        QTest.mouseClick(first.remove_button, Qt.MouseButton.LeftButton)
    assert not queue.isVisible()
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end")
    await window.settled()
    assert len(window.backend.plans) == 1
    assert window.composer.text() == ""


async def test_words_and_lines_are_walked_as_they_run(window: OpenWindow) -> None:
    window.editor.setPlainText("أهلا وسهلا hello")
    assert window.editor.document().firstBlock().textDirection() == Qt.LayoutDirection.RightToLeft
    window.editor.moveCursor(QTextCursor.MoveOperation.Start)
    right_edge = window.editor.viewport().width() - 20
    assert window.editor.cursorRect().x() > right_edge - 40
    places = []
    for _ in range(3):
        # in a text from right to left the left arrow leads on
        window.press(Qt.Key.Key_Left, CONTROL)
        places.append(window.editor.textCursor().position())
    assert places == sorted(places)
    assert places[0] == len("أهلا ")
    window.editor.setPlainText("e\u0301x 👩‍👩‍👧 y")
    window.editor.moveCursor(QTextCursor.MoveOperation.Start)
    window.press(Qt.Key.Key_Right)
    assert window.editor.textCursor().position() == 2  # letter and accent are one step
    for _ in range(3):
        window.press(Qt.Key.Key_Right)
    assert window.editor.textCursor().position() == len("e\u0301x 👩‍👩‍👧".encode("utf-16-le")) // 2


async def test_text_size_and_hint_follow_the_settings(window: OpenWindow) -> None:
    before = window.editor.height()
    await window.services.preferences.set_value("appearance.text_size", 20)
    await window.until(lambda: window.editor.font().pointSize() == 20, "the larger text")
    assert window.editor.height() > before
    assert window.editor.placeholderText() == "Write a message"


@pytest.mark.parametrize("characters", [60])
def test_a_killed_window_loses_at_most_the_last_half_second_of_typing(data_dir: Path, characters: int) -> None:
    command = [sys.executable, "-m", "tests.ui.typing_process", str(data_dir)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            came = [child.stdout.readline().split() for _ in range(characters)]
        finally:
            child.kill()
    times = [float(at) for at, _ in came]
    first = read_first_screen(data_dir / "history.db")
    assert first is not None
    (row,) = first.threads
    shown = read_first_screen(data_dir / "history.db", thread_id=row.thread.id)
    assert shown is not None
    assert shown.thread is not None
    draft = shown.thread.draft
    typed = ("word " * characters)[:characters]
    assert draft
    assert typed.startswith(draft[:characters])
    lost_s = times[-1] - times[min(len(draft), characters) - 1]
    print(f"kept {len(draft)} of {characters} characters, lost {lost_s:.2f} s")
    assert lost_s < 0.5 + 0.3  # the way to the disk on a loaded machine


async def test_a_thread_of_a_killed_windows_draft_goes_on(data_dir: Path) -> None:
    test_a_killed_window_loses_at_most_the_last_half_second_of_typing(data_dir, 40)
    async with OpenWindow.opened(data_dir) as window:
        # the killed window remembered nothing, the thread is in the list
        (row,) = await window.services.library.threads()
        await window.choose_thread(row.thread.id)
        assert window.composer.text().startswith("word word ")
        window.press(Qt.Key.Key_Return)
        await window.until(lambda: window.backend.plans, "the request")
        assert said(window.backend.plans[0])[0][1][0].startswith("word word ")
        await window.until(lambda: not window.composer.streaming, "the end")
