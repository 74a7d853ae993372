"""What ended unseen is marked in the list until it is looked at: also after a restart, also what a command wrote."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from desktop_app.core.errors import TransientError
from desktop_app.core.messages import Message, TextPart
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.cli.command import Plimsoll
from tests.fakes.gated_backend import Gate
from tests.storage.conftest import Talk
from tests.ui.listed import threads_of
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow


def marks(window: OpenWindow) -> dict[str, set[str]]:
    return {mark: set(window.threads.model.marked(mark)) for mark in ("unread", "failed", "running")}


NOTHING: dict[str, set[str]] = {"unread": set(), "failed": set(), "running": set()}


async def unseen_answers(window: OpenWindow) -> tuple[str, str]:
    """Two threads whose answers end while another one is open, the second with a failure."""
    one, two, _ = await threads_of(window, "one", "two", "three")
    window.backend.reply(TextDelta("fine"), Ended("end_turn"))
    await window.services.chat.retry(one)
    window.backend.reply(TextDelta("half"), TransientError("network", "Connection lost.", actions=("retry",)))
    await window.services.chat.retry(two)
    await window.settled()
    return one, two


async def test_marks_survive_a_restart_and_go_when_looked_at(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        one, two = await unseen_answers(window)
        assert marks(window) == {"unread": {one}, "failed": {two}, "running": set()}
    async with OpenWindow.opened(data_dir) as window:
        assert marks(window) == {"unread": {one}, "failed": {two}, "running": set()}
        await window.choose_thread(one)
        assert marks(window)["unread"] == set()
        await window.choose_thread(two)
        assert marks(window) == NOTHING
    async with OpenWindow.opened(data_dir) as window:
        assert marks(window) == NOTHING


async def test_what_is_answered_before_the_eyes_is_seen(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        await threads_of(window, "one", "two")
    async with OpenWindow.opened(data_dir) as window:
        assert marks(window) == NOTHING


async def test_what_was_watched_while_it_arrived_is_seen(window: OpenWindow) -> None:
    """The view stays at the question, or where its reader scrolled; the list has no dot then, nor after a restart."""
    window.backend.text = "\n\n".join(f"paragraph {number}" for number in range(60))
    view, gate = window.transcript, Gate()
    await window.send("one")
    await window.settled()
    assert (await window.thread()).seen == view.row_layout.messages[-1].id
    window.backend.reply(gate, TextDelta("and " * 2_000), Ended("end_turn"))
    window.type("two")
    window.composer.send_requested.emit()
    await gate.arrive()
    view.scroll_by(-5_000)
    gate.open()
    await window.until(lambda: not window.composer.streaming, "the end")
    await window.settled()
    thread = await window.thread()
    assert thread.seen == thread.tip == view.row_layout.messages[-1].id
    assert marks(window) == NOTHING


async def test_behind_a_page_and_in_a_hidden_window_nothing_is_seen(window: OpenWindow) -> None:
    await window.send("one")
    assert window.app_state.thread_id is not None
    window.shortcut("show_usage")
    await window.settled()
    await window.services.chat.retry(window.app_state.thread_id)
    await window.settled()
    thread = await window.thread()
    assert thread.seen != thread.tip
    window.presenters.pages.leave()
    await window.settled()
    assert (await window.thread()).seen == thread.tip
    window.window.hide()
    await window.services.chat.retry(window.app_state.thread_id)
    await window.settled()
    assert (await window.thread()).seen == thread.tip
    window.window.show()
    await window.settled()
    assert (await window.thread()).seen == (await window.thread()).tip


async def test_an_answer_that_a_command_wrote_is_new(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        one, two = await threads_of(window, "one", "two")
        words = ("ask", "--thread", one, "--backend", "scripted", "--model", "scripted", "more")
        asked = await asyncio.to_thread(Plimsoll(data_dir), *words)
        assert asked.status == 0, asked.err
        await window.until(lambda: marks(window)["unread"] == {one}, "the mark")
    async with OpenWindow.opened(data_dir) as window:
        assert window.app_state.is_open(two)
        assert marks(window)["unread"] == {one}


async def test_an_answer_that_another_process_writes_is_marked_until_it_has_ended(
    data_dir: Path, window: OpenWindow
) -> None:
    one, _ = await threads_of(window, "one", "two")
    tip = (await window.services.chat.open_thread(one)).thread.tip
    history = await SqliteHistory.open(data_dir / "history.db")
    try:
        talk = Talk(history, one, tip)
        answer: Message = await talk.begin("more", name="elsewhere")
        await window.services.chat.watch.look()
        await window.until(lambda: marks(window)["running"] == {one}, "the mark")
        await talk.end(answer, TextPart("there"))
        window.presenters.thread_list.reload()
        await window.until(lambda: marks(window) == {"unread": {one}, "failed": set(), "running": set()}, "its end")
    finally:
        await history.close()


async def test_private_threads_have_their_marks_too(window: OpenWindow) -> None:
    window.shortcut("new_private_thread")
    await window.send("between us")
    private = window.app_state.thread_id
    assert private is not None
    await threads_of(window, "another")
    await window.services.chat.retry(private)
    window.presenters.thread_list.reload()
    await window.settled()
    assert marks(window)["unread"] == {private}
    await window.choose_thread(private)
    assert marks(window) == NOTHING
    window.presenters.thread_list.reload()
    await window.settled()
    assert marks(window) == NOTHING


async def test_what_the_quick_line_showed_is_seen(window: OpenWindow) -> None:
    one, _ = await unseen_answers(window)
    window.presenters.thread_list.thread_opened(one)
    window.presenters.read_progress.mark_read(one)
    await window.settled()
    window.presenters.thread_list.reload()
    await window.settled()
    assert marks(window)["unread"] == set()
