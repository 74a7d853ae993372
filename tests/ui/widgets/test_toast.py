"""The toast stands at one place, and its button with it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QPushButton

from desktop_app.core.events import ProjectDocumentsChanged
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.ui.shell.page_specs import PAGES
from tests.ui.open_window import OpenWindow
from tests.ui.views import needs, resized


async def test_every_toast_has_one_width_and_its_button_one_place(window: OpenWindow) -> None:
    toast, stage = window.window.toast, window.window.stage
    places = set()
    for words in ("Deleted", "“A much longer title of a thread” moved to Ordering portal"):
        toast.show_message(words, "Undo", lambda: None)
        await window.settled()
        places.add(toast.button.mapTo(stage, QPoint(toast.button.width(), 0)).x())
        assert toast.geometry().bottom() < stage.height()
        assert abs(toast.geometry().center().x() - stage.transcript.column.center().x()) <= 1
    assert len(places) == 1


async def test_it_goes_with_the_next_message(window: OpenWindow) -> None:
    toast = window.window.toast
    toast.show_message("Deleted", "Undo", lambda: None)
    assert toast.isVisible()
    await window.send("the next act")
    assert not toast.isVisible()


async def test_the_end_of_the_transcript_stays_readable(window: OpenWindow) -> None:
    stage, toast = window.window.stage, window.window.toast
    window.backend.reply(TextDelta("\n\n".join(f"Line {n}" for n in range(80))), Ended("end_turn"))
    await window.send("Write")
    stage.transcript.auto_scroll.show_latest()
    await window.settled()
    placed = stage.transcript.row_layout.placed[-1]
    toast.show_message("Done")
    assert not toast.geometry().intersects(QRect(0, placed.top, stage.width(), placed.row.height))
    toast.hide()
    stage.transcript.scroll_by(-1_000)
    toast.show_message("Done")
    assert toast.geometry().center().y() > stage.height() // 2, "its usual place"


async def test_it_goes_with_the_next_click_elsewhere_and_stays_for_one_on_itself(window: OpenWindow) -> None:
    toast = window.window.toast
    taken: list[str] = []
    toast.show_message("Moved to trash", "Undo", lambda: taken.append("undone"))
    frame = window.window.windowHandle()
    here = toast.mapTo(window.window, QPoint(20, 10))
    QTest.mouseClick(frame, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, here)
    assert toast.isVisible()
    button = toast.button.mapTo(window.window, toast.button.rect().center())
    QTest.mouseClick(frame, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, button)
    assert taken == ["undone"]
    toast.show_message("Moved to trash", "Undo", lambda: None)
    beside = window.threads.mapTo(window.window, QPoint(20, window.threads.height() - 60))
    QTest.mouseClick(frame, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, beside)
    assert not toast.isVisible()


async def test_it_goes_with_what_is_done_by_keys_unless_that_shows_another(window: OpenWindow) -> None:
    toast = window.window.toast
    toast.show_message("Done")
    window.shortcut("toggle_threads")
    assert not toast.isVisible()
    toast.show_message("Done")
    window.shortcut("rate_up")
    window.shortcut("copy_thread")
    assert toast.isVisible()
    assert toast.words == "There is nothing to copy yet."


async def test_the_room_that_is_held_for_an_answer_is_no_text(window: OpenWindow) -> None:
    """Right after a question was sent it stands beneath it, not over it."""
    stage, toast = window.window.stage, window.window.toast
    window.backend.reply(TextDelta("\n\n".join(f"Line {n}" for n in range(80))), Ended("end_turn"))
    await window.send("Write")
    window.backend.reply(TextDelta("Short"), Ended("end_turn"))
    await window.send("And now?")
    assert stage.transcript.row_layout.hold is not None
    toast.show_message("Done")
    place = toast.geometry()
    words = [p for p in stage.transcript.row_layout.placed if p.message < 4]
    assert place.center().y() > stage.height() // 2
    assert all(p.bottom <= place.top() or p.top >= place.bottom() for p in words)


@pytest.mark.parametrize("name", [name for name in PAGES if not needs(name)])
async def test_it_covers_no_button_of_a_page(window: OpenWindow, name: str) -> None:
    await resized(window, (480, 600))
    window.presenters.pages.show(name)
    await window.settled()
    toast, page = window.window.toast, window.window.stage.currentWidget()
    assert page is not None
    toast.show_message("Project “Übersicht der Donaudampfschifffahrtsgesellschaft” moved to the trash", "Undo", print)
    await window.settled()
    covered = [
        button.text() or button.accessibleName()
        for button in page.findChildren(QAbstractButton)
        if not button.visibleRegion().isEmpty()
        and toast.geometry().intersects(QRect(button.mapTo(window.window.stage, QPoint()), button.size()))
    ]
    assert not covered


async def test_it_makes_way_for_a_button_that_comes_beneath_it_as_documents_are_read(window: OpenWindow) -> None:
    project = await window.services.projects.create("Harbor")
    window.presenters.pages.show("project", project.id)
    await window.settled()
    toast, stage = window.window.toast, window.window.stage
    toast.show_message("5 files added", "Undo", print)
    await window.settled()
    button = QPushButton("Delete project", stage.currentWidget())
    button.setGeometry(toast.geometry().translated(-button.mapTo(stage, QPoint())))
    button.show()
    place = QRect(button.mapTo(stage, QPoint()), button.size())
    assert toast.geometry().intersects(place)
    window.services.announcements.publish(ProjectDocumentsChanged(project.id))
    await window.until(lambda: not toast.geometry().intersects(place), "the button in sight")


async def test_a_long_name_is_shortened_to_one_line_and_a_long_sentence_wraps(window: OpenWindow) -> None:
    toast = window.window.toast
    toast.show_message("Done", "Undo", print)
    line, long = toast.height(), "“A title so long that no line of the window could ever hold it” moved to the trash"
    toast.show_message(long, "Undo", print)
    assert (toast.height(), toast.words) == (line, long)
    assert "…” moved to the trash" in toast.findChildren(QLabel)[0].text()
    toast.show_message("A sentence of this length says what went wrong and what to do, so all of it is shown")
    assert toast.height() > line
