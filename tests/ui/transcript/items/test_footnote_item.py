"""Footnotes lead to their note and back, by mouse and keyboard, and never move what is painted."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.items.item import BACK, NOTE
from desktop_app.ui.transcript.items.paragraph_items import FootnoteItem
from desktop_app.ui.transcript.reading.reader import END
from desktop_app.ui.transcript.view import TranscriptView
from tests.ui.transcript.gallery import message

NOTES = "[^1]: The first *note*.\n[^b]: The second note."
TEXT = "Words[^1] and others[^b].\n\n" + "\n\n".join(f"Paragraph {n}." for n in range(60)) + "\n\n" + NOTES


def show(view: TranscriptView, text: str = TEXT) -> None:
    view.show_path([message(0, "user", "Why?"), message(1, "assistant", text)])


def placed_with(view: TranscriptView, button: str) -> PlacedRow:
    return next(p for p in view.row_layout.placed if any(b == button for b, _ in p.row.item.buttons()))


def spot_of(view: TranscriptView, placed: PlacedRow, position: int) -> QPoint:
    rect = placed.row.item.caret_rect(position)
    return QPoint(view.column.left() + placed.row.left + rect.x() + 2, placed.item_top + rect.center().y())


def click(view: TranscriptView, at: QPoint) -> None:
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_a_click_leads_to_the_note_and_back(view: TranscriptView) -> None:
    show(view)
    view.scroll_by(-100_000)
    reference = placed_with(view, NOTE + "1")
    click(view, spot_of(view, reference, reference.row.item.place_of(NOTE + "1")))
    note = placed_with(view, BACK + "1")
    assert isinstance(note.row.item, FootnoteItem)
    assert 0 <= note.item_top < view.row_layout.view
    assert note.row.item.reading == "The first note."
    arrow = spot_of(view, note, note.row.item.length) + QPoint(8, 0)
    assert view.viewport().cursor() is not None
    click(view, arrow)
    assert any(p.row is reference.row for p in view.row_layout.placed)
    click(view, spot_of(view, placed_with(view, NOTE + "1"), 5))
    note = placed_with(view, BACK + "1")
    click(view, QPoint(view.column.left() + note.row.left - 8, note.item_top + 6))
    assert any(p.row is reference.row for p in view.row_layout.placed), "the label leads back, too"


def test_the_keyboard_goes_there_and_back(view: TranscriptView) -> None:
    show(view)
    view.scroll_by(-100_000)
    view.setFocus()
    view.keyboard.focus_message(1)
    QTest.keyClick(view, Qt.Key.Key_Tab)
    QTest.keyClick(view, Qt.Key.Key_Tab)
    QTest.keyClick(view, Qt.Key.Key_Return)
    note = placed_with(view, BACK + "b")
    assert note.item_top < view.row_layout.view
    focused = view.viewport().grab().toImage()
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert any(p.row.item.reading.startswith("Words") for p in view.row_layout.placed)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert view.viewport().grab().toImage() == focused, "Enter goes to the note again, which is marked as before"
    words = dict(note.row.item.buttons())[BACK + "b"]
    assert "2" in words


def test_a_reference_without_a_note_is_text(view: TranscriptView) -> None:
    show(view, "Words[^1] and others.")
    assert next(p.row.item.reading for p in view.row_layout.placed if p.message == 1) == "Words[^1] and others."
    assert not [b for p in view.row_layout.placed for b, _ in p.row.item.buttons()]


def test_copying_gives_the_source_back(view: TranscriptView) -> None:
    show(view, "Words[^1] and others[^b].\n\n" + NOTES)
    view.selection.select_all()
    assert view.copying.selected_markdown() == "Why?\n\nWords[^1] and others[^b].\n\n" + NOTES
    assert view.copying.selected_text() == "Why?\n\nWords¹ and others².\n\n¹ The first note.\n\n² The second note."
    reference, note = placed_with(view, NOTE + "1"), placed_with(view, BACK + "1")
    view.selection.anchor = (1, reference.row.slot, 2)
    view.selection.caret = (1, note.row.slot, 9)
    assert view.copying.selected_markdown() == "rds[^1] and others[^b].\n\n[^1]: The first"


def test_notes_that_come_later_move_nothing(view: TranscriptView) -> None:
    view.stream.add_message(message(0, "user", "Why?"))
    view.stream.begin_answer(message(1, "assistant"))
    text = "Words[^1] that go on and others[^2], to the end.\n\nA second paragraph[^1].\n\n"
    view.stream.grow_answer("m1", "text", text)
    view.stream.show_now()
    painted, bottom = picture(view), view.row_layout.placed[-2].bottom
    for letter in "[^1]: The first note.\n[^2]: The second.\n":
        view.stream.grow_answer("m1", "text", letter)
        view.stream.show_now()
        now = picture(view)
        assert samples(now, bottom) == samples(painted, bottom)
    whole = text + "[^1]: The first note.\n[^2]: The second.\n"
    grown = picture(view)
    view.stream.finish_answer(message(1, "assistant", whole))
    assert samples(picture(view), bottom) == samples(grown, bottom)
    rows = [row.item.reading for row in view.path.layout_of("m1").rows if row.slot >= 0]
    view.stream.replace_message(message(1, "assistant", whole))
    assert [row.item.reading for row in view.path.layout_of("m1").rows if row.slot >= 0] == rows


SCATTERED = """[^early]: A note before anything refers to it.

Words[^late] and[^3] more, `not [^4]` here.

- an item[^early]

| a[^4] | b |
|---|---|
| c | d[^late] |

[^late]: Late.
[^3]: Three.
[^4]: Four.
"""


def signs(view: TranscriptView) -> dict[str, str]:
    """What stands before each note of the second message."""
    items = [row.item for row in view.row_layout.message_layout(1).rows]
    return {item.label: item.sign for item in items if isinstance(item, FootnoteItem)}


def test_notes_are_numbered_in_the_order_of_their_first_references(view: TranscriptView) -> None:
    show(view, SCATTERED)
    assert signs(view) == {"early": "³", "late": "¹", "3": "²", "4": "⁴"}
    readings = [p.row.item.reading for p in view.row_layout.placed if p.message == 1]
    assert "Words¹ and² more, not [^4] here." in readings
    assert "an item³" in readings
    assert "a⁴\tb\nc\td¹" in readings
    view.selection.select_all()
    text = view.copying.selected_text()
    view.row_layout.forget_rows()
    assert view.copying.selected_text() == text, "read without rows the numbers are the same"
    assert view.copying.selected_markdown().endswith(SCATTERED), "copied as it was written"
    show(view, "Only a note.\n\n[^x]: Nothing refers to it.")
    assert signs(view) == {"x": "[x]"}


def test_a_note_that_came_first_takes_its_number_without_moving_anything(view: TranscriptView) -> None:
    view.stream.add_message(message(0, "user", "Why?"))
    view.stream.begin_answer(message(1, "assistant"))
    view.stream.grow_answer("m1", "text", "[^src]: A note that came first.\n\nText that")
    view.stream.show_now()
    assert signs(view) == {"src": "[src]"}
    before, column = picture(view), view.column.left()
    note = next(p for p in view.row_layout.placed if isinstance(p.row.item, FootnoteItem))
    left, top, bottom = column + note.row.left, note.item_top, note.bottom
    view.stream.grow_answer("m1", "text", " refers[^src] to it.\n\nA")
    view.stream.show_now()
    assert signs(view) == {"src": "¹"}
    after = picture(view)
    inside = [(x, y) for y in range(top, bottom) for x in range(left, left + 400)]
    assert [before.pixel(x, y) for x, y in inside] == [after.pixel(x, y) for x, y in inside]
    margin = [(x, y) for y in range(top, bottom) for x in range(left - 60, left)]
    assert [before.pixel(x, y) for x, y in margin] != [after.pixel(x, y) for x, y in margin], "its sign is another"


def test_a_name_that_was_shown_as_text_stays_text_while_the_answer_grows(view: TranscriptView) -> None:
    view.stream.add_message(message(0, "user", "Why?"))
    view.stream.begin_answer(message(1, "assistant"))
    text = "Words[^1] that go on[^src], and on[^2].\n"
    view.stream.grow_answer("m1", "text", text)
    view.stream.show_now()
    words = next(p for p in view.row_layout.placed if p.row.item.reading.startswith("Words"))
    bottom = words.item_top + words.row.item.height
    painted = picture(view)
    for letter in "\n[^src]: A note.\n\nMore[^src] of[^7] it.\n\n":
        view.stream.grow_answer("m1", "text", letter)
        view.stream.show_now()
        assert samples(picture(view), bottom) == samples(painted, bottom), letter
    whole = text + "\n[^src]: A note.\n\nMore[^src] of[^7] it.\n\n"
    readings = [row.item.reading for row in view.path.layout_of("m1").rows if row.slot >= 0]
    assert readings == ["Words¹ that go on[^src], and on².", "A note.", "More[^src] of³ it."]
    view.stream.finish_answer(message(1, "assistant", whole))
    readings = [row.item.reading for row in view.path.layout_of("m1").rows if row.slot >= 0]
    assert readings == ["Words[^1] that go on¹, and on[^2].", "A note.", "More¹ of[^7] it."]
    show(view, whole)
    readings = [row.item.reading for row in view.row_layout.message_layout(1).rows if row.slot >= 0]
    assert readings == ["Words[^1] that go on¹, and on[^2].", "A note.", "More¹ of[^7] it."]


def test_the_way_back_leads_to_the_reference_that_was_followed(view: TranscriptView) -> None:
    paragraphs = [f"Paragraph {n}[^1]." for n in range(60)]
    show(view, "\n\n".join([*paragraphs, "[^1]: The note."]))
    view.navigation.scroll_to_message("m1")
    view.scroll_by(900)
    reference = next(p for p in view.row_layout.placed if p.top > 100)
    click(view, spot_of(view, reference, reference.row.item.place_of(NOTE + "1")))
    note = placed_with(view, BACK + "1")
    click(view, spot_of(view, note, note.row.item.length) + QPoint(8, 0))
    assert view.keyboard.stop == (1, NOTE + "1")
    assert any(p.row is reference.row for p in view.row_layout.placed)
    note.row.item.set_focus("")
    view.row_actions.press(note, BACK + "1")
    assert any(p.row.item.reading == "Paragraph 0¹." for p in view.row_layout.placed), "else to the first"


def test_screen_readers_are_told_the_number(view: TranscriptView) -> None:
    show(view, "Words[^b].\n\n[^b]: The note.")
    assert dict(placed_with(view, NOTE + "b").row.item.buttons()) == {NOTE + "b": "Note 1"}
    assert dict(placed_with(view, BACK + "b").row.item.buttons()) == {BACK + "b": "Back to the text from note 1"}
    assert "¹ The note." in view.copying.reader.text(((1, 0, 0), (1, END, END)))


def picture(view: TranscriptView) -> QImage:
    return view.viewport().grab().toImage()


def samples(image: QImage, bottom: int) -> list[int]:
    """Pixels from all over the picture down to a line."""
    return [image.pixel(x, y) for y in range(0, bottom, 2) for x in range(0, image.width(), 7)]
