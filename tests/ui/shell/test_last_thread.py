"""A window that is killed opens the thread again that was open, unless that was a private one."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QRect

from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.paths import DataPaths
from desktop_app.ui.shell.session_window import SAVE_WITHIN_MS
from desktop_app.ui.state.window_state import MOST_LEFT, LeftPlace, ReadingPosition, WindowState
from desktop_app.ui.transcript.items.code_item import CodeItem
from tests.ui.listed import threads_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

SOON_S = SAVE_WITHIN_MS / 1000 + 0.6
"""The way to the disk of a busy computer is in it."""


def killed_once_open(data_dir: Path, *options: str) -> Sequence[str]:
    """Kills a window a moment after a thread was opened; what it said."""
    said: list[str] = []
    command = [sys.executable, "-m", "tests.ui.opening_process", str(data_dir), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            while not said or said[-1] not in ("open", ""):
                said.append(child.stdout.readline().strip())
            # the moment is what is measured: nothing tells from outside that it has been written
            time.sleep(SOON_S)
        finally:
            child.kill()
    return said


async def test_a_killed_window_leads_back_to_the_thread_that_was_open(data_dir: Path) -> None:
    first, told = killed_once_open(data_dir)
    assert told == "open"
    async with OpenWindow.opened(data_dir) as window:
        assert window.app_state.thread_id == first


async def test_a_killed_window_leads_back_to_where_its_thread_was_read(data_dir: Path) -> None:
    _, read, told = killed_once_open(data_dir, "--read")
    assert told == "open"
    async with OpenWindow.opened(data_dir) as window:
        await window.settled()
        assert repr(tuple(window.transcript.navigation.whereabouts or ())) == read


@pytest.mark.parametrize("options", [(), ("--close",)])
async def test_killed_windows_come_back_with_their_threads_and_drafts(data_dir: Path, options: tuple[str, ...]) -> None:
    first, told = killed_once_open(data_dir, "--beside", *options)
    assert told == "open"
    async with OpenWindow.opened(data_dir) as window:
        other = window.another()
        assert len(window.session.windows) == 2
        assert other.app_state.thread_id == first
        assert other.composer.text() == "a draft"
        assert window.app_state.current is not None
        assert window.app_state.current.title == "beta"


async def test_nothing_tells_of_a_private_thread_that_was_open(data_dir: Path) -> None:
    _, private, told = killed_once_open(data_dir, "--private")
    assert told == "open"
    assert WindowState(DataPaths(data_dir).window).open_thread is None
    for path in data_dir.iterdir():
        assert not path.is_file() or private.encode() not in path.read_bytes(), path.name


async def test_who_looks_through_threads_writes_once_and_loses_no_place(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        ids = await threads_of(window, "alpha", "beta", "gamma")
        saved: list[str | None] = []
        state = window.session.state
        write = state.write_open_thread
        await window.until(lambda: window.session.last_thread.written == ids[-1], "the thread that was written in")

        def count(thread_id: str | None, place: ReadingPosition | None) -> None:
            saved.append(thread_id)
            write(thread_id, place)

        state.write_open_thread = count  # type: ignore[method-assign]
        for thread_id in (ids[0], ids[1], ids[0]):
            await window.app_state.open_thread(thread_id)
        await window.until(lambda: saved, "the write")
        await window.settled()
        assert saved == [ids[0]]
        state.reading_place = ReadingPosition("m", 3)
        await window.app_state.open_thread(ids[0])  # read again: another process has written
        await window.until(lambda: not window.session.last_thread.timer.isActive(), "the next look")
        await window.settled()
        assert saved == [ids[0]]
        assert state.reading_place == ReadingPosition("m", 3)


@pytest.mark.parametrize("private", [False, True])
async def test_a_thread_that_was_left_is_read_on_from_there_after_a_restart(data_dir: Path, private: bool) -> None:
    async with OpenWindow.opened(data_dir) as window:
        if private:
            window.shortcut("new_private_thread")
            await window.settled()
        window.backend.reply(TextDelta("A paragraph of an answer.\n\n" * 200), Ended("end_turn"))
        await window.send("a question")
        long_one = window.app_state.thread_id
        assert long_one is not None
        window.transcript.scroll_by(-900)
        await window.settled()
        read = window.transcript.navigation.whereabouts
        window.shortcut("new_thread")
        await window.settled()
        await window.send("another")
    kept = DataPaths(data_dir).window.read_text()
    assert (long_one in kept) is not private
    if private:
        return
    async with OpenWindow.opened(data_dir) as window:
        await window.app_state.open_thread(long_one)
        await window.settled()
        assert window.transcript.navigation.whereabouts == read


def test_where_the_latest_threads_were_left_is_remembered(tmp_path: Path) -> None:
    state = WindowState(tmp_path / "window.ini")
    for number in range(MOST_LEFT + 5):
        state.keep_place(str(number), LeftPlace("m", ReadingPosition("m", number)))
    state.write_open_thread(None, None)
    read = WindowState(tmp_path / "window.ini").left_at
    assert list(read) == [str(number) for number in range(5, MOST_LEFT + 5)]
    assert read["5"] == LeftPlace("m", ReadingPosition("m", 5))


async def test_the_place_is_kept_once_scrolling_rests_and_not_with_each_scroll(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        window.backend.reply(TextDelta("A paragraph of an answer.\n\n" * 200), Ended("end_turn"))
        await window.send("a question")
        last, state, view = window.session.last_thread, window.session.state, window.transcript
        await window.until(lambda: last.written == window.app_state.thread_id, "the thread")
        await window.settled()
        saved: list[ReadingPosition | None] = []
        write = state.write_open_thread

        def count(thread_id: str | None, place: ReadingPosition | None) -> None:
            saved.append(place)
            write(thread_id, place)

        state.write_open_thread = count  # type: ignore[method-assign]
        for _ in range(40):
            view.scroll_by(37)
        assert not saved
        await window.until(lambda: saved, "the write")
        await window.settled()
        assert len(saved) == 1
        assert saved[0] is not None
        assert WindowState(DataPaths(data_dir).window).reading_place == saved[0] == view.navigation.whereabouts
        view.auto_scroll.show_latest()
        await window.until(lambda: len(saved) == 2, "the end")
        assert saved[1] is None
        assert WindowState(DataPaths(data_dir).window).reading_place is None


async def test_after_a_crash_the_last_question_and_the_artifact_beside_it_are_there_again(
    data_dir: Path, tmp_path: Path
) -> None:
    """Nobody scrolled: the question that was sent and the pane that opened moved the view."""
    answer = "```python\nclass Hull: ...\n```\n\n" + "A paragraph of an answer.\n\n" * 60
    async with OpenWindow.opened(data_dir) as window:
        last = window.session.last_thread
        for question in ("one", "two", "three"):
            await window.until(lambda: not (last.timer.isActive() or last.place_timer.isActive()), "the writes")
            window.backend.reply(TextDelta(answer), Ended("end_turn"))
            await window.send(question)
        await window.until(lambda: window.session.state.reading_place == last.place, "the place of the question")
        card = next(i for one in window.transcript.row_layout.placed if isinstance(i := one.row.item, CodeItem))
        window.transcript.row_actions.code_kept.emit(card)
        beside, file, view = window.window.artifacts, DataPaths(data_dir).window, window.transcript
        await window.until(lambda: beside.subject() != "", "the artifact beside the thread")
        await window.settled()
        shown, there = beside.subject(), view.navigation.whereabouts
        assert there is not None
        await window.until(lambda: WindowState(file).artifact == shown, "the artifact in the file")
        await window.until(lambda: (kept := WindowState(file).reading_place) and kept[0] == there[0], "the place")
        killed = shutil.copytree(data_dir, tmp_path / "killed")
    async with OpenWindow.opened(killed) as window:
        await window.until(lambda: window.window.artifacts.subject() == shown, "the artifact")
        await window.settled()
        again = window.transcript.navigation.whereabouts
        assert again is not None
        assert (again.message, again.held and again.held[0]) == (there.message, there.held and there.held[0])


async def test_where_the_window_stands_is_known_without_an_orderly_end(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        for wanted in (QRect(60, 40, 937, 641), QRect(90, 40, 1000, 641)):
            window.window.setGeometry(wanted)
            await window.until(
                lambda: (
                    WindowState(DataPaths(data_dir).window).settings.value("geometry") == window.window.saveGeometry()
                ),
                "the write",
            )
