"""Looking at an attachment as a whole: images over the window, documents on a page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.core.messages import DocumentPart, ImagePart, TextPart
from desktop_app.ui.attachments.attachment_viewer import DocumentPage, ImageViewer
from desktop_app.ui.theme.theme import ThemeName
from desktop_app.ui.widgets.picture_cache import PictureCache
from tests.ui.attaching import PROSE, attach, drawn, written
from tests.ui.long_threads import put_thread
from tests.ui.menus import entries_of
from tests.ui.open_window import OpenWindow
from tests.ui.theme.test_contrast import contrast
from tests.ui.transcript.gallery import message
from tests.ui.transcript.items.test_attachments_item import REPORT, question, sky


async def with_pictures(window: OpenWindow) -> ImageViewer:
    """Opens a thread with two pictures and a document; shows the first picture."""
    first = question(sky(name="one.png"), REPORT, TextPart("What is this?"))
    second = replace(message(2, "user", ""), parts=(sky(200, 900, "two.png"),), parent_id="a1")
    path = (
        replace(first, id="q0", thread_id="t" * 32),
        replace(message(1, "assistant", "A sky."), id="a1", parent_id="q0", thread_id="t" * 32),
        replace(second, id="q2", thread_id="t" * 32),
        replace(message(3, "assistant", "A tower."), id="a3", parent_id="q2", thread_id="t" * 32),
    )
    await put_thread(window.session.paths.root, "Pictures", path)
    await window.app_state.open_thread("t" * 32)
    await window.settled()
    window.window.activateWindow()
    window.composer.focus_editor()
    window.transcript.row_actions.attachment_requested.emit("q0", 0)
    zoom = window.presenters.attachment_viewer.zoom
    assert zoom is not None
    return zoom


def pictures_of(zoom: ImageViewer) -> PictureCache:
    """What decodes its pictures."""
    (pictures,) = zoom.findChildren(PictureCache)
    return pictures


async def test_a_picture_is_shown_over_the_whole_window_and_escape_closes_it(window: OpenWindow) -> None:
    zoom = await with_pictures(window)
    assert zoom.isVisible()
    assert zoom.geometry() == window.window.rect()
    assert zoom.hasFocus()
    assert zoom.accessibleName() == "Image one.png"
    await window.until(lambda: not pictures_of(zoom).busy, "the picture")
    QTest.keyClick(zoom, Qt.Key.Key_Escape)
    assert not zoom.isVisible()
    assert window.editor.hasFocus()
    assert window.backend.plans == []


async def test_arrows_go_through_all_pictures_of_the_thread(window: OpenWindow) -> None:
    zoom = await with_pictures(window)
    assert not zoom.previous_button.isEnabled()
    QTest.keyClick(zoom, Qt.Key.Key_Right)
    assert zoom.image is not None
    assert zoom.image.name == "two.png"
    assert not zoom.next_button.isEnabled()
    QTest.keyClick(zoom, Qt.Key.Key_Right)
    assert zoom.image.name == "two.png"
    zoom.previous_button.click()
    assert zoom.image.name == "one.png"
    # the keyboard stays on the picture and its buttons
    for _ in range(5):
        focused = QApplication.focusWidget()
        assert focused is zoom or zoom.isAncestorOf(focused or window.editor)
        QTest.keyClick(focused or zoom, Qt.Key.Key_Tab)
    await window.until(lambda: not pictures_of(zoom).busy, "the pictures")


async def test_a_picture_is_zoomed_and_moved_and_a_click_beside_it_closes(window: OpenWindow) -> None:
    zoom = await with_pictures(window)
    zoom.grab()
    await window.until(lambda: not pictures_of(zoom).busy, "the picture")
    picture = zoom.picture()
    assert picture is not None
    fitting = zoom.place_of(picture)
    QTest.keyClick(zoom, Qt.Key.Key_Plus)
    QTest.keyClick(zoom, Qt.Key.Key_Plus)
    assert zoom.place_of(picture).width() == pytest.approx(fitting.width() * 1.25**2)
    middle = zoom.rect().center()
    QTest.mousePress(zoom, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(zoom, middle + QPoint(40, 0))
    QTest.mouseRelease(zoom, Qt.MouseButton.LeftButton, pos=middle + QPoint(40, 0))
    assert zoom.isVisible()
    before = zoom.place_of(picture)
    QTest.keyClick(zoom, Qt.Key.Key_Right)
    QTest.keyClick(zoom, Qt.Key.Key_Down)
    after = zoom.place_of(picture)
    assert (after.left(), after.top()) != (before.left(), before.top())
    assert after.left() < before.left()
    assert after.top() < before.top()
    assert zoom.image is not None
    assert zoom.image.name == "one.png", "the arrows move what is larger than the room"
    QTest.keyClick(zoom, Qt.Key.Key_0)
    assert zoom.place_of(picture) == fitting
    QTest.keyClick(zoom, Qt.Key.Key_Minus)
    assert zoom.place_of(picture) == fitting
    QTest.keyClick(zoom, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().image().size() == picture.size()
    QTest.mouseClick(zoom, Qt.MouseButton.LeftButton, pos=QPoint(3, zoom.height() - 3))
    await window.until(lambda: not zoom.isVisible(), "the end")


@pytest.mark.parametrize("name", ["light", "dark"])
@pytest.mark.parametrize("ink", ["#000000", "#ffffff", "#808080"])
async def test_buttons_and_caption_are_made_out_over_any_picture(window: OpenWindow, name: ThemeName, ink: str) -> None:
    zoom = await with_pictures(window)
    theme = window.session.appearance.theme
    theme.change(name, theme.text_size)
    zoom.grab()
    await window.until(lambda: not pictures_of(zoom).busy, "the picture")
    QTest.keyClick(zoom, Qt.Key.Key_Right)  # with a way back
    plain = QImage(4_000, 4_000, QImage.Format.Format_RGB32)
    plain.fill(QColor(ink))
    zoom.picture = lambda: plain  # type: ignore[method-assign]
    zoom.zoom(100)
    seen, ratio = zoom.grab().toImage(), zoom.devicePixelRatioF()

    def at(point: QPoint) -> QColor:
        return seen.pixelColor(round(point.x() * ratio), round(point.y() * ratio))

    assert at(QPoint(200, 100)) == QColor(ink), "the picture fills the window"
    raised = theme.color("raised")
    for button in (zoom.close_button, zoom.previous_button):
        place = button.geometry()
        assert at(place.center() + QPoint(0, place.height() // 2 - 4)) == raised
        inside = [at(QPoint(x, place.center().y())) for x in range(place.left(), place.right())]
        assert max(contrast(color, raised) for color in inside) >= 3.0, button.accessibleName()
    line = zoom.height() - 20
    row = [
        at(QPoint(x, y)) for y in range(line - 8, line + 8) for x in range(zoom.width() // 2 - 30, zoom.width() // 2)
    ]
    assert raised in row
    assert max(contrast(color, raised) for color in row) >= 4.5


async def test_another_thread_closes_it(window: OpenWindow) -> None:
    zoom = await with_pictures(window)
    await window.until(lambda: not pictures_of(zoom).busy, "the picture")
    window.shortcut("new_thread")
    assert not zoom.isVisible()


async def test_a_word_that_only_an_attached_document_has_is_shown_in_the_document(window: OpenWindow) -> None:
    """The search led to the message, and left the document unopened."""
    other = replace(REPORT, name="other.txt", text="Nothing of it.")
    lines = [f"Line {number} of the log." for number in range(3_000)]
    lines[2_000] = "The harbour master of Marstal keeps the lamp lit."
    report = replace(REPORT, text="\n".join(lines))
    asked = replace(question(other, report, TextPart("What is this?")), id="q0", thread_id="t" * 32)
    answered = replace(message(1, "assistant", "A log of Ystad."), id="a1", parent_id="q0", thread_id="t" * 32)
    await put_thread(window.session.paths.root, "Logs", (asked, answered))
    await window.app_state.open_thread("t" * 32)
    show = window.presenters.navigation.show_message
    await show("t" * 32, "a1", "Ystad")
    await window.settled()
    assert not isinstance(window.presenters.pages.page, DocumentPage), "the answer says it itself"
    await show("t" * 32, "q0", "marstal lamp")
    await window.until(lambda: isinstance(window.presenters.pages.page, DocumentPage), "the document")
    page = window.presenters.pages.page
    assert isinstance(page, DocumentPage)
    await window.until(lambda: page.view.textCursor().block().text() == lines[2_000], "the place in the document")
    rect = page.view.cursorRect()
    assert page.view.viewport().rect().contains(rect)
    block, ground = page.view.textCursor().block(), window.session.appearance.theme.color("selection")
    marked = [one for one in block.textFormats() if one.format.background().color() == ground]
    assert [block.text()[one.start : one.start + one.length] for one in marked] == ["Marstal", "lamp"]
    QTest.keyClick(page.view, Qt.Key.Key_Escape)
    await window.until(lambda: window.presenters.pages.page is None, "the transcript")
    assert window.app_state.thread_id == "t" * 32


async def test_a_document_of_a_message_is_read_on_a_page(window: OpenWindow) -> None:
    zoom = await with_pictures(window)
    zoom.leave()
    window.transcript.row_actions.attachment_requested.emit("q0", 1)
    page = window.presenters.pages.page
    assert isinstance(page, DocumentPage)
    await window.until(page.view.toPlainText, "the text")
    assert page.heading.text() == "report.pdf"
    assert page.view.toPlainText() == REPORT.text
    assert page.facts.text() == "PDF · 12 pages · 23 characters"
    page.copy.click()
    assert QGuiApplication.clipboard().text() == REPORT.text
    QTest.keyClick(page.view, Qt.Key.Key_Escape)
    await window.until(lambda: window.presenters.pages.page is None, "the transcript")
    assert window.composer.isVisible()


async def test_the_menu_of_a_message_opens_what_is_attached(window: OpenWindow) -> None:
    zoom = await with_pictures(window)
    zoom.leave()
    window.transcript.context_menu.open(0, "", QPoint(100, 100))
    menu = window.transcript.menu
    assert menu is not None
    words = entries_of(menu)
    assert "Open one.png" in words
    assert "Open report.pdf" in words
    words["Open one.png"].trigger()
    assert zoom.isVisible()
    menu.close()


async def test_chips_are_opened_too(window: OpenWindow, tmp_path: Path) -> None:
    await attach(window, drawn(tmp_path, "sky.png"), written(tmp_path, "notes.txt", PROSE))
    chips = window.composer.tray.chips
    chips[0].click()
    zoom = window.presenters.attachment_viewer.zoom
    assert zoom is not None
    assert isinstance(zoom.image, ImagePart)
    zoom.leave()
    chips[1].setFocus()
    window.press(Qt.Key.Key_Return, widget=chips[1])
    page = window.presenters.pages.page
    assert isinstance(page, DocumentPage)
    await window.settled()
    assert isinstance(window.composer.attachments[1], DocumentPart)
    await window.until(lambda: page.view.toPlainText() == PROSE.strip() or page.view.toPlainText() == PROSE, "text")
