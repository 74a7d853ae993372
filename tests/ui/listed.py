"""Owns how a test makes and finds threads in the window's list. Knows no test."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest

from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.core.projects import Project
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.set_time import days_ago
from tests.ui.open_window import OpenWindow


async def threads_of(window: OpenWindow, *questions: str) -> list[str]:
    """A thread for each question, answered; the ids in the same order. The last one is open."""
    ids: list[str] = []
    for question in questions:
        window.shortcut("new_thread")
        await window.send(question)
        assert window.app_state.thread_id is not None
        ids.append(window.app_state.thread_id)
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


async def stored_threads(data_dir: Path, *threads: Thread) -> None:
    """A history file with these threads, each with one question; the first is the last updated one.

    A project that a thread is in has its name as its id.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    history = await SqliteHistory.open(data_dir / "history.db")
    imported = []
    for number, thread in enumerate(threads):
        stamp = days_ago(number / 1_440)
        message = Message(f"m{number}", thread.id, None, "user", (TextPart(f"question {number}"),), stamp)
        stored = replace(thread, created=stamp, updated=stamp, tip=message.id, seen=message.id)
        imported.append(ImportedThread(f"stored/{number}", stored, (message,)))
    for name in dict.fromkeys(thread.project for thread in threads):
        if name is not None:
            await history.projects.save(Project(name, name))
    await history.import_threads(imported)
    await history.close()


def point_at(window: OpenWindow, place: QPoint) -> None:
    """Moves the pointer over the list, as a hand does."""
    viewport = window.threads.view.viewport()
    QCursor.setPos(viewport.mapToGlobal(place))
    QTest.mouseMove(viewport, place)


def in_sight(window: OpenWindow, thread_id: str) -> bool:
    """Whether the whole row of a thread can be seen: in the view, and not under the heading at its edge."""
    view = window.threads.view
    index = window.threads.model.index_of(thread_id)
    if not index.isValid():
        return False
    row, sticky = view.visualRect(index), view.sticky()
    top = sticky[1].bottom() + 1 if sticky is not None else 0
    return row.top() >= top and row.bottom() < view.viewport().height()
