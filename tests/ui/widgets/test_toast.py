"""The toast stands at one place, and its button with it."""

from __future__ import annotations

from PySide6.QtCore import QPoint

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
