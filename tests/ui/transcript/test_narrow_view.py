"""In a narrow view nothing lies on an edge or over a control, and the field of the bar has room for words."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.transcript.items.item import TextStyle
from desktop_app.ui.transcript.items.line_items import NoteItem
from desktop_app.ui.transcript.view import TranscriptView
from tests.ui.transcript.gallery import message

CODE = "Some words before it.\n\n" + "```python\nx = 1\ny = 2\n```\n\n" * 30
FIELD = 20
"""Letters that can be read in the field at least."""


@pytest.mark.parametrize("width", [400, 600, 767, 900])
def test_the_rail_of_what_is_left_out_keeps_off_the_edge(view: TranscriptView, width: int) -> None:
    view.resize(width, 400)
    path = [message(0, "user", "First"), message(1, "assistant", "Answer"), message(2, "user", "Second")]
    view.show_path(path)
    plain = view.viewport().grab().toImage()
    view.decorations.set_load_line("m2", {"m0": "Left out", "m1": "Left out"})
    QApplication.processEvents()
    left_out = view.viewport().grab().toImage()
    placed = next(one for one in view.row_layout.placed if one.message == 1)
    lines = range(placed.top, placed.bottom)
    changed = [x for x in range(view.column.left()) if any(plain.pixel(x, y) != left_out.pixel(x, y) for y in lines)]
    assert changed, "there is a rail"
    assert min(changed) >= 8
    assert len(set(changed)) <= 3


@pytest.mark.parametrize("width", [400, 700])
def test_the_way_to_the_latest_text_never_covers_what_can_be_clicked(view: TranscriptView, width: int) -> None:
    view.resize(width, 500)
    view.show_path([message(0, "user", "Why?"), message(1, "assistant", CODE)])
    moved = 0
    for _ in range(30):
        view.scroll_by(-23)
        button = view.latest_button
        if not button.isVisible():
            continue
        place = button.geometry().translated(-view.viewport().pos())
        lowest = view.viewport().height() - place.height() - 16
        moved += place.top() != lowest
        points = (place.topLeft(), place.center(), place.bottomRight(), place.topRight(), place.bottomLeft())
        assert not any(view.is_control_at(point) for point in points)
    assert moved, "it stood above a word to click at times"


@pytest.mark.parametrize(("width", "points"), [(1200, 11), (480, 11), (480, 17), (480, 22)])
def test_the_find_bar_is_as_wide_as_the_view_and_its_field_has_room(
    view: TranscriptView, width: int, points: int
) -> None:
    view.resize(width, 500)
    view.set_theme(load_theme("light", points))
    view.show_path([message(0, "user", "Why?"), message(1, "assistant", CODE)])
    view.bars.open_find()
    QApplication.processEvents()
    bar = view.find_in_thread.bar
    assert bar.geometry().left() == 0
    assert bar.width() == view.width()
    assert view.verticalScrollBar().mapTo(view, view.verticalScrollBar().rect().topLeft()).y() >= bar.height()
    room = bar.field.width() - bar.field.textMargins().left() - bar.field.textMargins().right()
    assert room >= FIELD * bar.field.fontMetrics().averageCharWidth() * (1 if points < 22 else 0.6)
    assert bar.count.isHidden(), "nothing is looked for"
    bar.activateWindow()
    bar.field.setFocus()
    QTest.keyClick(bar.field, Qt.Key.Key_W, Qt.KeyboardModifier.AltModifier)
    assert bar.words.isChecked(), "its keys count however narrow the bar is"
    assert bar.words.isVisible()
    QTest.keyClick(bar.field, Qt.Key.Key_W, Qt.KeyboardModifier.AltModifier)
    assert not bar.words.isChecked()
    bar.field.setText("x")
    bar.show_count(3, 214, done=True)
    QApplication.processEvents()
    assert bar.count.isVisible()
    assert bar.close_button.geometry().right() < bar.width()
    view.bars.close()
    QApplication.processEvents()
    assert view.verticalScrollBar().mapTo(view, view.verticalScrollBar().rect().topLeft()).y() == 0


@pytest.mark.parametrize("width", [700, 440, 240])
def test_a_note_without_room_goes_on_in_a_second_line_and_is_whole_in_its_hint(qapp: object, width: int) -> None:
    words = "A long document: each later request sends its 26K tokens again"
    note = NoteItem(TextStyle(load_theme("light")), words, (("keep", "Keep as artifact"), ("keep_not", "Not now")))
    one = note.measure(width)
    height = note.lay_out(width)
    assert (height == one) == (width == 700)
    found = {note.button_at(x, y) for x in range(0, width, 4) for y in range(0, height, 4)}
    assert found == {"", "keep", "keep_not"}
    assert note.hint == ""
    note.set_note(words * 9)
    assert note.lay_out(width) == height, "what is said later moves nothing"
    assert note.hint == words * 9
