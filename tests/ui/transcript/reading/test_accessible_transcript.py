"""A screen reader goes through the text of the message that the keyboard is on; the selection's end is its caret."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.core.messages import DocumentPart, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop_app.ui.transcript.message.decorations import StepLine, SummaryLine
from desktop_app.ui.transcript.view import TranscriptView
from tests.ui.transcript.gallery import message

SHIFT = Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def reader() -> Iterator[None]:
    """A screen reader is running."""
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.mark.usefixtures("reader")
def test_the_focused_message_has_text_caret_and_selection(view: TranscriptView) -> None:
    view.show_path([message(0, "user", "Question"), message(1, "assistant", "An **answer** 🚀 here.\n\n- one\n- two")])
    view.setFocus()
    view.keyboard.focus_message(1)
    interface = QAccessible.queryAccessibleInterface(view)
    assert interface.childCount() == 2
    child = interface.child(1)
    assert child.text(QAccessible.Text.Name) == "Assistant"
    assert child.state().readOnly
    assert interface.indexOfChild(child) == 1
    assert not child.rect().isEmpty()
    text = child.textInterface()
    assert text.text(0, text.characterCount()) == "An answer 🚀 here.\n\n• one\n• two"
    assert text.cursorPosition() == 0
    for _ in range(9):
        QTest.keyClick(view, Qt.Key.Key_Right, SHIFT)
    assert text.cursorPosition() == 9
    assert text.selectionCount() == 1
    QTest.keyClick(view, Qt.Key.Key_End, SHIFT)
    assert text.cursorPosition() == len("An answer 🚀 here.") + 1, "in UTF-16 units"
    view.keyboard.focus_message(0)
    other = interface.child(1).textInterface()
    assert other.selectionCount() == 0
    assert other.characterCount() > 20, "a message is read without the keyboard on it, too"
    assert interface.child(0).textInterface().text(0, 8) == "Question"
    QApplication.sendEvent(view, QFocusEvent(QEvent.Type.FocusOut))
    assert interface.child(0).textInterface().cursorPosition() == 0, "the caret is gone"


@pytest.mark.usefixtures("reader")
def test_nothing_of_it_is_seen_or_in_the_way(view: TranscriptView) -> None:
    view.show_path([message(0, "user", "Question"), message(1, "assistant", "Answer")])
    view.setFocus()
    view.row_layout.focused = 1
    view.row_layout.place_again()
    view.repaint_all()
    before = view.grab().toImage()
    view.keyboard.focus_message(1)
    assert view.accessible.spoken() is not None
    assert view.grab().toImage() == before
    place = next(p for p in view.row_layout.placed if p.message == 1)
    at = view.viewport().rect().topLeft()
    at.setX(view.column.left() + 20)
    at.setY(place.item_top + 8)
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert view.copying.selected_text() == "Answer"


def test_without_a_reader_there_is_no_such_field(view: TranscriptView) -> None:
    view.show_path([message(0, "user", "Question")])
    view.setFocus()
    view.keyboard.focus_message(0)
    assert view.accessible.spoken() is None


def read(view: TranscriptView, place: int) -> tuple[str, str]:
    """Name and text of a message as a screen reader gets them."""
    child = QAccessible.queryAccessibleInterface(view).child(place)
    text = child.textInterface()
    whole: str = text.text(0, text.characterCount())
    assert whole == child.text(QAccessible.Text.Description)
    return child.text(QAccessible.Text.Name), whole


@pytest.mark.usefixtures("reader")
def test_every_kind_of_part_is_read(view: TranscriptView) -> None:
    parts = (
        ThinkingPart("It asks for the tide."),
        TextPart("See $a^2$ and `code`.[^1]\n\n```python\nx = 1\n```\n\n$$\n\\int x\n$$\n\n[^1]: A footnote."),
        ToolCallPart("c1", "tide_table", {"place": "Cuxhaven"}),
        ToolResultPart("c1", "High water at 12:04."),
    )
    attached = DocumentPart("report.pdf", "A report", "1" * 64, "application/pdf")
    question = replace(message(0, "user", "What of it?"), parts=(TextPart("What of it?"), attached))
    view.show_path([question, replace(message(1, "assistant", ""), parts=parts)])
    assert "report.pdf" in read(view, 0)[1]
    told = read(view, 1)[1]
    for said in ("Thought: It asks for the tide.", "$a^2$", "x = 1", "\\int x", "A footnote.", "tide_table"):
        assert said in told, said


@pytest.mark.usefixtures("reader")
def test_the_lines_around_a_message_are_read_with_it(view: TranscriptView) -> None:
    stopped = replace(message(3, "assistant", "Half an"), state="partial")
    view.show_path([message(0, "user", "One"), message(1, "assistant", "Two"), message(2, "user", "Three"), stopped])
    view.decorations.set_load_line("m2", {"m0": "Left out: older", "m1": "Left out: older"}, {})
    view.decorations.set_steps(StepLine("m2", "38 older messages left out", [("undo", "Undo")]))
    view.decorations.set_summaries({"m2": SummaryLine("Summary of 2 messages", [])})
    names = [read(view, place)[0] for place in range(4)]
    assert "Left out: older" in names[0]
    for said in ("The model reads from here", "Summary of 2 messages", "38 older messages left out"):
        assert said in names[2], said
    assert "Stopped. The text so far is saved" in names[3]
