"""A thread that is open here and goes on at another device, too: the window stays on its own branch."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from desktop_app.controller.history_sync import Sync
from desktop_app.core.messages import TextPart
from desktop_app.storage import sync_places
from desktop_app.storage.sqlite_history import SqliteHistory
from tests.fakes.memory_secrets import MemorySecrets
from tests.storage.conftest import Talk
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

PASSPHRASE = "the tide comes in twice"


class Laptop:
    """Another device with a history of its own; every act is followed by an exchange."""

    def __init__(self, history: SqliteHistory, sync: Sync) -> None:
        self.history, self.sync = history, sync

    async def goes_on(self, thread_id: str, after: str | None, name: str) -> str:
        """One more turn, wherever the thread is here; the answer's id."""
        here = (await self.history.thread(thread_id)).tip
        if after != here:
            await self.history.move_tip(thread_id, after or "", expected=here)
        talk = Talk(self.history, thread_id, tip=after)
        await talk.end(await talk.begin(f"{name} asks", name=name), *_text(f"{name} answers"))
        await self.sync.now()
        return f"a{name}"


def _text(text: str) -> tuple[TextPart]:
    return (TextPart(text),)


@asynccontextmanager
async def both(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[OpenWindow, Laptop]]:
    """A window whose thread of one turn is on the laptop, too."""
    mark = hashlib.sha256(PASSPHRASE.encode()).digest()
    monkeypatch.setattr(sync_places, "sealed_by_passphrase", lambda data, _: mark + data)
    monkeypatch.setattr(sync_places, "opened_by_passphrase", lambda sealed, _: sealed[32:])
    (folder / "place").mkdir()
    async with OpenWindow.opened(folder / "desk") as window:
        await window.send("first")
        await window.services.sync.setup(str(folder / "place"), PASSPHRASE, "Desk")
        await window.services.sync.now()
        history = await SqliteHistory.open(folder / "laptop" / "history.db")
        sync = Sync(folder / "laptop" / "history.db", MemorySecrets())
        try:
            await sync.setup(str(folder / "place"), PASSPHRASE, "Laptop")
            await sync.now()
            yield window, Laptop(history, sync)
        finally:
            await sync.close()
            await history.close()


def said(window: OpenWindow) -> list[str]:
    return [message.text for message in window.transcript.messages]


async def exchanged(window: OpenWindow) -> None:
    await window.services.sync.now()
    await window.settled()


async def test_a_branch_of_another_device_is_offered_and_the_window_stays_on_its_own(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with both(tmp_path, monkeypatch) as (window, laptop):
        thread = await window.thread()
        fork = thread.tip
        await window.send("desk goes on")
        await laptop.goes_on(thread.id, fork, "laptop")
        here = said(window)
        assert here[2] == "desk goes on"
        await exchanged(window)
        assert said(window) == here
        words, actions = window.transcript.footer.notice or ("", ())
        assert (words, [text for _, text in actions]) == ("Continued on Laptop", ["Show that branch"])
        assert (await window.thread()).tip == (await window.opened_thread()).path[-1].id
        await window.send("desk again")
        assert said(window)[:4] == here
        await exchanged(window)
        assert window.transcript.footer.notice is None, "it was left alone"

        await laptop.sync.now()
        await laptop.goes_on(thread.id, "alaptop", "again")
        await exchanged(window)
        assert said(window)[4] == "desk again"
        words, ((action, _),) = window.transcript.footer.notice or ("", (("", ""),))
        assert words == "Continued on Laptop"
        window.transcript.row_actions.action_requested.emit("", action)
        await window.until(lambda: "again answers" in said(window), "the other branch")
        assert "desk goes on" not in said(window)
        assert window.transcript.footer.notice is None
        await exchanged(window)
        assert window.transcript.footer.notice is None


async def test_an_open_thread_grows_with_what_was_said_elsewhere(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with both(tmp_path, monkeypatch) as (window, laptop):
        thread = await window.thread()
        await laptop.goes_on(thread.id, thread.tip, "laptop")
        await exchanged(window)
        await window.until(lambda: "laptop answers" in said(window), "what was said there")
        assert window.transcript.footer.notice is None


async def test_what_is_looked_at_elsewhere_moves_nothing_here(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with both(tmp_path, monkeypatch) as (window, laptop):
        thread = await window.thread()
        left = await laptop.goes_on(thread.id, thread.tip, "left")
        right = await laptop.goes_on(thread.id, thread.tip, "right")
        await exchanged(window)
        shown = said(window)
        for end in (left, right, left):
            here = (await laptop.history.thread(thread.id)).tip
            await laptop.history.move_tip(thread.id, end, expected=here)
            await laptop.sync.now()
            await exchanged(window)
            assert said(window) == shown


async def test_the_line_is_there_when_the_thread_is_opened_later_and_in_another_window(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with both(tmp_path, monkeypatch) as (window, laptop):
        thread = await window.thread()
        await window.send("desk goes on")
        window.app_state.close_thread()
        await laptop.goes_on(thread.id, thread.tip, "laptop")
        await exchanged(window)
        await window.app_state.open_thread(thread.id)
        assert said(window)[2] == "desk goes on"
        assert (window.transcript.footer.notice or ("",))[0] == "Continued on Laptop"
        window.session.open_window(thread.id, window.one)
        await window.until(lambda: len(window.session.windows) == 2, "another window")
        other = window.another()
        await window.until(lambda: other.app_state.is_open(thread.id), "the thread there")
        await window.until(lambda: other.transcript.footer.notice is not None, "the line there")
        assert (other.transcript.footer.notice or ("",))[0] == "Continued on Laptop"


async def test_a_new_branch_by_who_knew_this_one_is_shown_where_the_thread_is_not_open(
    tmp_path: Path, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with both(tmp_path, monkeypatch) as (window, laptop):
        thread = await window.thread()
        fork = thread.tip
        await window.send("desk goes on")
        await exchanged(window)
        await laptop.sync.now()
        window.app_state.close_thread()
        await laptop.goes_on(thread.id, fork, "laptop")
        await exchanged(window)
        await window.app_state.open_thread(thread.id)
        assert said(window)[-1] == "laptop answers"
        assert window.transcript.footer.notice is None
