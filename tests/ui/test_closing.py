"""The window closes in order whatever it is doing: nothing typed is lost, no fault is logged, it ends soon."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from desktop_app.controller.private_history import PrivateHistory
from desktop_app.core.context.plan import ContextPlan
from desktop_app.core.events import TurnEnded
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.core.text_diff import queued
from desktop_app.storage.sqlite_history import SqliteHistory
from desktop_app.ui.state.bridge import WITHIN_MS
from desktop_app.ui.widgets.floating import confirmed
from tests.fakes.gated_backend import Gate, GatedBackend
from tests.patience import PATIENCE_MS, PATIENCE_S
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

SLOW_S = 0.4
"""The disk answers nothing for so long after the window was closed."""


def hold_disk(window: OpenWindow, release: threading.Event) -> None:
    """Has the history's thread do nothing until it is released."""
    history = cast("PrivateHistory", cast("object", window.services.chat.history))
    file = cast("SqliteHistory", cast("object", history.file))
    window.app_state.start(file.database.run(lambda _: release.wait(PATIENCE_S)))


def look_at_list(window: OpenWindow) -> None:
    window.presenters.thread_list.reload()


def look_at_gauge(window: OpenWindow) -> None:
    window.services.chat.open_threads.forget_all()
    window.presenters.gauge.refresh()


def look_for_words(window: OpenWindow) -> None:
    window.threads.search.setText("tide")
    window.presenters.message_search.search_now()


def look_on_disk(window: OpenWindow) -> None:
    window.services.chat.open_threads.forget_all()
    window.app_state.start(window.app_state.reopen())


def make_ready(window: OpenWindow) -> None:
    window.services.chat.open_threads.forget_all()
    assert window.app_state.thread_id is not None
    window.app_state.start(window.services.chat.prepare_backend(window.app_state.thread_id))


LOOKS: tuple[Callable[[OpenWindow], None], ...] = (
    look_at_list,
    look_at_gauge,
    look_for_words,
    look_on_disk,
    make_ready,
)


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.__name__)
async def test_a_look_over_a_slow_disk_is_no_fault_when_the_window_closes(
    data_dir: Path, look: Callable[[OpenWindow], None], caplog: pytest.LogCaptureFixture
) -> None:
    release = threading.Event()
    with caplog.at_level(logging.WARNING):
        async with OpenWindow.opened(data_dir) as window:
            await window.send("high tide")
            hold_disk(window, release)
            look(window)
            await asyncio.sleep(0)
            threading.Timer(SLOW_S, release.set).start()
    assert not caplog.records


def nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a window that waits for a wish waits longer than a test does."""
    monkeypatch.setattr("desktop_app.ui.state.bridge.WITHIN_MS", 10 * PATIENCE_MS)


async def test_a_backend_that_never_gets_ready_is_not_waited_for(
    data_dir: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = asyncio.Event()
    cancelled: list[bool] = []

    async def never(plan: ContextPlan | None = None) -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.append(True)

    with caplog.at_level(logging.WARNING):
        async with OpenWindow.opened(data_dir) as window:
            await window.send("one")
            window.backend.prepare = never  # type: ignore[method-assign]
            window.type("t")
            await asyncio.wait_for(begun.wait(), PATIENCE_S)
            nothing_is_given_up(monkeypatch)
    assert cancelled
    assert not caplog.records


async def test_a_wish_that_never_ends_holds_the_end_up_for_a_moment_only(data_dir: Path) -> None:
    given_up: list[bool] = []

    async def never() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            given_up.append(True)

    async with OpenWindow.opened(data_dir) as window:
        window.app_state.start(never())
        await asyncio.sleep(0)
    assert given_up
    assert WITHIN_MS <= 2_000


async def test_an_open_question_of_the_window_is_answered_by_its_end(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers: list[bool] = []

    async def ask(window: OpenWindow) -> None:
        answers.append(await confirmed(window.window, "Delete for good", "Delete it?", "Delete for good"))

    async with OpenWindow.opened(data_dir) as window:
        window.app_state.start(ask(window))
        await asyncio.sleep(0)
        nothing_is_given_up(monkeypatch)
        window.session.end(143)
    assert answers == [False]


async def test_a_title_in_the_making_is_no_fault_when_the_window_closes(
    data_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    release = threading.Event()
    model = GatedBackend("local")
    asked = Gate()
    with caplog.at_level(logging.WARNING):
        async with OpenWindow.opened(data_dir, backend="local", local=model) as window:
            model.reply(TextDelta("an answer"), Ended("end_turn"))
            model.reply(asked, TextDelta("A name"), Ended("end_turn"))
            await window.send("high tide")
            await asked.arrive()
            hold_disk(window, release)
            asked.open()
            threading.Timer(SLOW_S, release.set).start()
    assert not caplog.records


async def test_what_is_typed_and_queued_anywhere_is_kept_over_a_slow_disk(
    data_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    release = threading.Event()
    with caplog.at_level(logging.WARNING):
        async with OpenWindow.opened(data_dir) as window:
            gate = Gate()
            window.backend.reply(TextDelta("the beginning"), gate, Ended("end_turn"))
            await window.begin("first", gate)
            first = window.app_state.thread_id
            assert first is not None
            window.enter("queued in the first")
            window.shortcut("new_thread")
            await window.until(lambda: window.app_state.thread_id is None, "the new thread")
            window.type("s")
            await window.until(lambda: window.app_state.thread_id is not None, "the second thread")
            hold_disk(window, release)
            look_at_list(window)
            look_for_words(window)
            window.type("econd, not sent")
            window.presenters.thread_list.rename(first, "Named at the end")
            threading.Timer(SLOW_S, release.set).start()
    assert not caplog.records
    async with OpenWindow.opened(data_dir) as window:
        assert window.composer.text() == "second, not sent"
        thread = await window.services.chat.open_thread(first)
        assert thread.thread.title == "Named at the end"
        assert thread.thread.draft == queued("queued in the first", 0)
        assert (thread.path[-1].text, thread.path[-1].state) == ("the beginning", "partial")


async def test_a_queued_message_that_is_about_to_go_is_a_draft_when_the_window_closes(
    data_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        async with OpenWindow.opened(data_dir) as window:
            gate = Gate()
            window.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
            await window.begin("first", gate)
            window.enter("queued")
            window.type("and more")
            window.app_state.bridge.subscribe(TurnEnded, lambda _: window.session.end(0))
            gate.open()
            await window.until(window.window.isHidden, "the end")
    assert not caplog.records
    async with OpenWindow.opened(data_dir) as window:
        kept = [message.text for message in (await window.opened_thread()).path if message.role == "user"]
        draft = window.composer.text()
        assert "queued" in (*kept, *draft.splitlines())
        assert "and more" in draft
