"""What a window does when it goes to a thread that it showed before: as much for a long one as for a short one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter

from desktop_app.core.context.context_choices import ContextChoices, Deletion
from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, Part, TextPart, Thread, ToolCallPart, ToolResultPart
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.ui.threads.thread_rows import ThreadDelegate
from desktop_app.ui.transcript.canvas.canvas import Canvas
from tests.counted_calls import CountedCalls
from tests.ui.open_window import OpenWindow

SHORT, LONG = 400, 2_000
STAMP = "2026-12-01T00:00:00.000Z"


def said(_number: int) -> tuple[Part, ...]:
    return (TextPart("Some words."),)


def looked_up(number: int) -> tuple[Part, ...]:
    """Each question and answer is a round of tools: the question its results, but for every tenth."""
    if number % 2:
        return (TextPart("I look."), ToolCallPart(f"c{number}", "search", {}))
    if number % 20 == 0:
        return (TextPart("A question."),)
    return (ToolResultPart(f"c{number - 1}", "found", extra={"passage_ids": [], "places": []}),)


def imported(thread_id: str, count: int, parts: Callable[[int], tuple[Part, ...]], deleted: bool) -> ImportedThread:
    ids = [f"{thread_id}-{number:08x}" for number in range(count)]
    path = tuple(
        Message(one, thread_id, ids[n - 1] if n else None, "assistant" if n % 2 else "user", parts(n), STAMP)
        for n, one in enumerate(ids)
    )
    gone = frozenset({Deletion(ids[4], ids[4])}) if deleted else frozenset()
    thread = Thread(
        thread_id,
        thread_id,
        STAMP,
        STAMP,
        "scripted",
        "scripted",
        tip=ids[-1],
        choices=ContextChoices(deleted=gone),
    )
    return ImportedThread(f"test/{thread_id}", thread, path)


@pytest.mark.parametrize(
    ("parts", "deleted"), [(said, False), (said, True), (looked_up, False)], ids=["words", "one deleted", "tools"]
)
async def test_a_switch_costs_the_same_however_long_the_thread(
    tmp_path: Path, parts: Callable[[int], tuple[Part, ...]], deleted: bool
) -> None:
    history = await SqliteHistory.open(tmp_path / "history.db")
    await history.import_threads(
        [imported(name, count, parts, deleted) for name, count in (("short", SHORT), ("long", LONG))]
    )
    await history.close()
    async with OpenWindow.opened(tmp_path) as window:
        calls = {}
        for name in ("short", "long", "short", "long", "short", "long"):
            await window.settled()
            with CountedCalls() as work:
                await window.app_state.open_thread(name)
                window.window.repaint()
            calls[name] = work.calls
    assert abs(calls["long"] - calls["short"]) < (LONG - SHORT) // 8, calls


async def test_a_switch_places_its_rows_once_and_paints_the_two_rows_of_the_list_that_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = await SqliteHistory.open(tmp_path / "history.db")
    await history.import_threads([imported(f"t{number}", 6, said, deleted=False) for number in range(6)])
    await history.close()
    painted: list[str] = []
    shown: list[None] = []
    paint_row, repaint_all = ThreadDelegate._paint_row, Canvas.repaint_all

    def counted(self: ThreadDelegate, painter: QPainter, rect: QRect, thread: Thread, *others: object) -> None:
        painted.append(thread.id)
        paint_row(self, painter, rect, thread, *others)  # type: ignore[arg-type]

    def placed(self: Canvas) -> None:
        shown.append(None)
        repaint_all(self)

    monkeypatch.setattr(ThreadDelegate, "_paint_row", counted)
    monkeypatch.setattr(Canvas, "repaint_all", placed)
    async with OpenWindow.opened(tmp_path) as window:
        for name in ("t1", "t2", "t1"):
            await window.app_state.open_thread(name)
            await window.settled()
        assert len(set(painted)) == 6
        painted.clear()
        shown.clear()
        await window.app_state.open_thread("t2")
        await window.settled()
    assert set(painted) == {"t1", "t2"}
    assert len(shown) == 1
