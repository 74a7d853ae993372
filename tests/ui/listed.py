"""Owns how a test makes and finds threads in the window's list. Knows no test."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.ui.open_window import OpenWindow


async def threads_of(window: OpenWindow, *questions: str) -> list[str]:
    """A thread for each question, answered; the ids in the same order. The last one is open."""
    ids: list[str] = []
    for question in questions:
        window.shortcut("new_thread")
        await window.send(question)
        assert window.desk.thread_id is not None
        ids.append(window.desk.thread_id)
    return ids


def shown_rows(window: OpenWindow) -> list[str]:
    """Every row as it is called, headings and threads."""
    model = window.threads.model
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def place_of(window: OpenWindow, thread_id: str) -> QPoint:
    """The middle of a thread's row."""
    view = window.threads.view
    index = window.threads.model.index_of(thread_id)
    assert index.isValid()
    return view.visualRect(index).center()


def click(window: OpenWindow, thread_id: str, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.mouseClick(window.threads.view.viewport(), Qt.MouseButton.LeftButton, keys, place_of(window, thread_id))
