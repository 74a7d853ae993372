"""A screen reader goes through the text of the message that the keyboard is on; the selection's end is its caret."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

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
    view.focus_message(1)
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
    view.focus_message(0)
    assert interface.child(1).textInterface() is None
    assert interface.child(0).textInterface().text(0, 8) == "Question"
    QApplication.sendEvent(view, QFocusEvent(QEvent.Type.FocusOut))
    assert interface.child(0).textInterface() is None


@pytest.mark.usefixtures("reader")
def test_nothing_of_it_is_seen_or_in_the_way(view: TranscriptView) -> None:
    view.show_path([message(0, "user", "Question"), message(1, "assistant", "Answer")])
    view.setFocus()
    view.flow.focused = 1
    view.flow.place_again()
    view.repaint_all()
    before = view.grab().toImage()
    view.focus_message(1)
    assert view.spoken_message() is not None
    assert view.grab().toImage() == before
    place = next(p for p in view.flow.placed if p.message == 1)
    at = view.viewport().rect().topLeft()
    at.setX(view.column.left() + 20)
    at.setY(place.item_top + 8)
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert view.selected_text() == "Answer"


def test_without_a_reader_there_is_no_such_field(view: TranscriptView) -> None:
    view.show_path([message(0, "user", "Question")])
    view.setFocus()
    view.focus_message(0)
    assert view.spoken_message() is None
