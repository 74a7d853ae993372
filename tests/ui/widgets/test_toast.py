"""The toast stands at one place, and its button with it."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect

from desktop_app.core.stream_events import Ended, TextDelta
from tests.ui.open_window import OpenWindow


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
