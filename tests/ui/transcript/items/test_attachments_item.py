"""Attachments in a message: their place is right before a picture is there; click, copy, keyboard, screen reader."""

from __future__ import annotations

import base64
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QColor, QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop_app.core.messages import DocumentPart, ImagePart, Message, Part, TextPart
from desktop_app.ui.theme.theme import load_theme
from desktop_app.ui.transcript.canvas.row_layout import PlacedRow
from desktop_app.ui.transcript.items.fold_items import ALONE, CHIP, SMALLEST, AttachmentsItem
from desktop_app.ui.transcript.view import TranscriptView
from tests.ui.attaching import image, png
from tests.ui.transcript.gallery import message


def sky(width: int = 800, height: int = 600, name: str = "sky.png", top: str = "#3a7bd5") -> ImagePart:
    data = base64.b64encode(png(image(width, height, top))).decode()
    return ImagePart(name, "image/png", data, width, height)


REPORT = DocumentPart("report.pdf", "The text of the report.", "a" * 64, "application/pdf", {"pages": 12})


def question(*parts: Part) -> Message:
    return replace(message(0, "user", ""), parts=parts)


def shown(view: TranscriptView, *parts: Part) -> PlacedRow:
    view.show_path([question(*parts), message(1, "assistant", "An answer.")])
    return next(placed for placed in view.row_layout.placed if isinstance(placed.row.item, AttachmentsItem))


def finished(view: TranscriptView, qtbot: QtBot) -> None:
    view.grab()
    qtbot.waitUntil(lambda: not view.pictures.busy)


def point(view: TranscriptView, placed: PlacedRow, x: int, y: int) -> QPoint:
    return QPoint(view.column.left() + x, placed.item_top + y)


def test_a_picture_has_its_place_before_it_is_decoded(view: TranscriptView, qtbot: QtBot) -> None:
    placed = shown(view, sky(), TextPart("What is this?"))
    tops = [(one.message, one.top, one.height) for one in view.row_layout.placed]
    assert placed.row.item.height == ALONE
    finished(view, qtbot)
    assert [(one.message, one.top, one.height) for one in view.row_layout.placed] == tops
    seen = view.viewport().grab().toImage().pixelColor(point(view, placed, 20, 6))
    wanted = QColor("#3a7bd5")
    assert abs(seen.red() - wanted.red()) + abs(seen.blue() - wanted.blue()) < 40


def test_a_picture_is_painted_when_it_arrives(view: TranscriptView, qtbot: QtBot) -> None:
    placed = shown(view, sky())
    item = placed.row.item
    before = item.version
    finished(view, qtbot)
    assert item.version > before


@pytest.mark.parametrize(
    ("size", "room"),
    [
        ((800, 600), (320, 240)),
        ((20, 20), (48, 48)),
        ((4000, 40), (804, 48)),
        ((40, 4000), (48, 240)),
        ((0, 0), (240, 160)),
    ],
)
def test_no_picture_is_larger_than_its_room_or_too_small_to_be_seen(
    view: TranscriptView, size: tuple[int, int], room: tuple[int, int]
) -> None:
    placed = shown(view, replace(sky(16, 16), width=size[0], height=size[1]))
    item = placed.row.item
    assert isinstance(item, AttachmentsItem)
    rect = item.places[0].rect
    assert rect.width() == min(room[0], item.width)
    assert rect.height() == room[1]
    assert min(rect.width(), rect.height()) >= SMALLEST


def test_many_attachments_wrap_and_documents_come_beneath_the_pictures(view: TranscriptView) -> None:
    pictures = [sky(600, 400, f"{n}.png") for n in range(5)]
    placed = shown(view, REPORT, *pictures, TextPart("All of these"))
    item = placed.row.item
    assert isinstance(item, AttachmentsItem)
    rects = [place.rect for place in item.places]
    assert all(rect.right() <= item.width for rect in rects)
    assert len({rect.top() for rect in rects[:5]}) == 2
    assert rects[5].top() > max(rect.bottom() for rect in rects[:5])
    assert rects[5].height() == CHIP
    assert item.height == rects[5].bottom() + 1
    for number, rect in enumerate(rects):
        assert not any(rect.intersects(other) for other in rects[number + 1 :])


def test_a_click_asks_for_the_attachment_by_its_part(view: TranscriptView, qtbot: QtBot) -> None:
    placed = shown(view, sky(), REPORT, TextPart("Look"))
    asked: list[tuple[str, int]] = []
    view.row_actions.attachment_requested.connect(lambda message_id, part: asked.append((message_id, part)))
    for y in (50, ALONE + 20):
        QTest.mouseClick(
            view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point(view, placed, 30, y)
        )
    assert asked == [(view.row_layout.messages[0].id, 0), (view.row_layout.messages[0].id, 1)]
    finished(view, qtbot)


def test_copying_gives_the_names(view: TranscriptView, qtbot: QtBot) -> None:
    shown(view, sky(), REPORT, TextPart("Look"))
    view.selection.select_all()
    view.copying.copy()
    assert QGuiApplication.clipboard().text() == "sky.png\nreport.pdf\n\nLook\n\nAn answer."
    view.show_path([question(sky(), REPORT)])
    view.copying.copy_message(0)
    assert QGuiApplication.clipboard().text() == "sky.png\nreport.pdf"
    finished(view, qtbot)


def test_a_screen_reader_names_them(view: TranscriptView, qtbot: QtBot) -> None:
    shown(view, sky(), REPORT, TextPart("Look"))
    reader = QAccessible.queryAccessibleInterface(view)
    said = reader.child(0).text(QAccessible.Text.Value)
    assert said == "Image sky.png. Document report.pdf.\nLook"
    finished(view, qtbot)


def test_the_whole_name_and_the_pages_are_told_on_hover(view: TranscriptView, qtbot: QtBot) -> None:
    placed = shown(view, replace(REPORT, name="a" * 200 + ".pdf"))
    QTest.mouseMove(view.viewport(), point(view, placed, 30, 10))
    view.pointer.hover(point(view, placed, 30, 10))
    assert view.hint_for(placed) == "a" * 200 + ".pdf\n12 pages"


def test_another_theme_and_width_keep_the_pictures(view: TranscriptView, qtbot: QtBot) -> None:
    shown(view, sky(3000, 1000), REPORT)
    finished(view, qtbot)
    view.resize(500, 700)
    view.set_theme(load_theme("dark"))
    finished(view, qtbot)
    placed = next(one for one in view.row_layout.placed if isinstance(one.row.item, AttachmentsItem))
    item = placed.row.item
    assert isinstance(item, AttachmentsItem)
    assert item.places[0].rect.width() == item.width
    assert item.places[0].rect.height() == round(item.width / 3)


def test_what_is_no_picture_shows_its_name_instead(view: TranscriptView, qtbot: QtBot) -> None:
    placed = shown(view, ImagePart("broken.png", "image/png", "bm8gcGljdHVyZQ==", 300, 200))
    finished(view, qtbot)
    picture = view.viewport().grab(view.viewport().rect()).toImage()
    places = [point(view, placed, x, y) for x in range(100, 200) for y in range(100, 124)]
    lights = [picture.pixelColor(place).lightness() for place in places]
    assert max(lights) - min(lights) > 40  # words


@pytest.mark.parametrize(("lines", "whole"), [(1, True), (60, False)])
def test_a_question_with_a_tall_picture_is_in_view_from_its_top_where_it_fits(
    view: TranscriptView, lines: int, whole: bool
) -> None:
    view.show_path([message(n, "assistant" if n % 2 else "user", "Before.\n\n" * 30) for n in range(4)])
    asked = replace(message(4, "user", ""), parts=(sky(400, 900), TextPart("\n".join(["What is it?"] * lines))))
    view.stream.add_message(asked)
    view.stream.begin_answer(message(5, "assistant"))
    placed = [one for one in view.row_layout.placed if one.message == 4]
    bottom, height = placed[-1].bottom, view.viewport().height()
    if whole:
        assert 0 <= placed[0].top <= 16
        assert placed[-1].bottom - placed[0].top > 0.4 * height, "it is tall"
        assert bottom < 0.8 * height, "an answer can begin beneath it"
    else:
        assert bottom == pytest.approx(0.4 * height, abs=16), "its end, and room for the answer"
