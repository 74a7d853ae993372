"""How high a long thread's messages are is known at the next start, and nowhere once the thread is deleted."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop_app.core.history_records import ImportedThread
from desktop_app.core.messages import Message, TextPart, Thread
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.ui.transcript.canvas import height_files as kept_heights
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

MESSAGES = 120
SECRET = "quokkaesque"


async def made_history(data_dir: Path) -> None:
    """A long thread whose heights nobody guesses, and a short one that was used last."""
    data_dir.mkdir(mode=0o700)
    stamp = "2026-11-01T00:00:00.000Z"
    path = []
    for number in range(MESSAGES):
        role = "assistant" if number % 2 else "user"
        text = "\n".join(f"- {SECRET} {line}" for line in range(1 + number % 9)) if number % 2 else "And now?"
        parent = f"m{number - 1}" if number else None
        path.append(Message(f"m{number}", "long", parent, role, (TextPart(text),), stamp))  # type: ignore[arg-type]
    long = Thread("long", "Long", stamp, stamp, "scripted", "scripted", tip=path[-1].id)
    later = "2026-11-02T00:00:00.000Z"
    only = Message("only", "short", None, "user", (TextPart("Hello"),), later)
    short = Thread("short", "Short", later, later, "scripted", "scripted", tip="only")
    history = await SqliteHistory.open(data_dir / "history.db")
    await history.import_threads([ImportedThread("long", long, tuple(path)), ImportedThread("short", short, (only,))])
    await history.close()


def files(data_dir: Path) -> list[Path]:
    folder = data_dir / "cache" / "heights"
    return list(folder.iterdir()) if folder.exists() else []


def read_through(window: OpenWindow) -> list[int]:
    """Scrolls through the whole thread, which measures it, and returns the heights."""
    view = window.transcript
    view.scroll_by(-view.row_layout.y)
    while view.row_layout.y < view.row_layout.bottom:
        view.scroll_by(view.row_layout.view // 2)
    return list(view.row_layout.heights)[:MESSAGES]


def same(window: OpenWindow, heights: list[int]) -> bool:
    """Whether the view's heights are these, but for a little where the column is not quite as wide; guesses are not."""
    now = list(window.transcript.row_layout.heights)[:MESSAGES]
    return len(now) == len(heights) and all(abs(a - b) <= 2 + b // 20 for a, b in zip(now, heights, strict=True))


async def measured(data_dir: Path) -> list[int]:
    """The heights as they are once a window has read the whole thread."""
    await made_history(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        window.window.resize(760, 600)
        await window.choose_thread("long")
        guessed = list(window.transcript.row_layout.heights)[:MESSAGES]
        heights = read_through(window)
        assert heights != guessed
    return heights


async def test_a_thread_is_as_high_at_the_next_start_as_it_was_measured(data_dir: Path) -> None:
    heights = await measured(data_dir)
    (file,) = files(data_dir)
    assert SECRET.encode() not in file.read_bytes()
    assert file.stat().st_mode & 0o777 == 0o600
    async with OpenWindow.opened(data_dir) as window:  # the long thread was open last: its end is painted first
        assert window.app_state.thread_id == "long"
        await window.until(lambda: not window.transcript.path.missing, "the whole thread")
        assert same(window, heights)
        await window.choose_thread("short")
        window.transcript.row_layout.recent.clear()
        await window.choose_thread("long")
        assert same(window, heights)


async def test_another_layout_is_measured_anew(data_dir: Path) -> None:
    heights = await measured(data_dir)
    async with OpenWindow.opened(data_dir) as window:
        await window.choose_thread("short")
        window.transcript.row_layout.recent.clear()
        window.transcript.wrap_code(not window.transcript.wraps_code)
        await window.choose_thread("long")
        assert not same(window, heights)


async def test_what_is_known_of_a_deleted_thread_goes_with_it(data_dir: Path) -> None:
    await measured(data_dir)
    assert len(files(data_dir)) == 1
    async with OpenWindow.opened(data_dir) as window:
        await window.services.library.delete("long")
        await window.settled()
        assert not files(data_dir)
    assert not files(data_dir), "closing writes nothing of it"


async def test_a_thread_deleted_elsewhere_leaves_no_file(data_dir: Path) -> None:
    await measured(data_dir)
    history = await SqliteHistory.open(data_dir / "history.db")
    await history.delete_thread("long")
    await history.close()
    async with OpenWindow.opened(data_dir) as window:
        window.presenters.height_cache.keep_only_threads()
        await window.settled()
        assert not files(data_dir)


async def test_nothing_of_a_private_thread_is_kept(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_heights, "LEAST_MESSAGES", 1)
    async with OpenWindow.opened(data_dir) as window:
        window.shortcut("new_private_thread")
        await window.send("hello")
        window.presenters.height_cache.save()
        await window.settled()
        window.shortcut("new_thread")
        await window.settled()
        assert not files(data_dir)
        await window.send("in the open")
        window.presenters.height_cache.save()
        await window.settled()
        assert len(files(data_dir)) == 1
