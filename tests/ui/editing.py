"""Owns how a test answers the question about text that is not saved, and takes an undo."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox

from tests.ui.open_window import OpenWindow


async def question(window: OpenWindow) -> QMessageBox:
    """Waits for the question."""

    def box() -> QMessageBox | None:
        return next((box for box in window.window.findChildren(QMessageBox) if box.isVisible()), None)

    await window.until(box, "the question")
    asked = box()
    assert asked is not None
    return asked


async def answer(window: OpenWindow, button: str) -> None:
    """Waits for the question and presses one of its buttons."""
    asked = await question(window)
    next(each for each in asked.buttons() if each.text().replace("&", "") == button).click()
    await window.settled()


async def undo(window: OpenWindow, words: str) -> None:
    """Takes the undo of the toast that says `words`."""
    await window.until(lambda: window.window.toast.words == words, f"the toast {words!r}")
    window.window.toast.button.click()
    await window.settled()
