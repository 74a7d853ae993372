"""The desktop tells the end of a long answer that nobody is looking at."""

from __future__ import annotations

import pytest

from desktop_app.core.errors import TransientError
from desktop_app.core.stream_events import Ended, StreamEvent, TextDelta
from desktop_app.ui.desktop.notifications import EndNotices
from tests.fakes.gated_backend import Gate
from tests.ui.open_window import OpenWindow


class Told:
    """A window nobody looks at, a clock that the test turns, and what was told."""

    def __init__(self, window: OpenWindow) -> None:
        self.window = window
        self.now = 100.0
        self.looking = False
        self.told: list[tuple[str, str, str]] = []
        # the desk of the presence hears every answer of the process
        presence = window.session.presence
        self.notices = EndNotices(presence.app_state, lambda: self.looking, presence, clock=lambda: self.now)
        self.notices.due.connect(lambda *notice: self.told.append(notice))
        presence.notices.due.disconnect(presence.tell)

    async def answer(self, seconds: float, last: StreamEvent | Exception = Ended("end_turn")) -> str:  # noqa: B008
        gate = Gate()
        self.window.backend.reply(TextDelta("so far"), gate, last)
        self.window.type("How long")
        self.window.composer.send_requested.emit()
        await gate.arrive()
        self.now += seconds
        gate.open()
        await self.window.until(lambda: not self.window.composer.streaming, "the end")
        await self.window.settled()
        return self.window.app_state.thread_id or ""


async def test_a_long_answer_is_told_by_its_title_only(window: OpenWindow) -> None:
    told = Told(window)
    thread_id = await told.answer(20)
    assert told.told == [(thread_id, "New answer", "How long")]


async def test_one_of_a_private_thread_is_told_without_a_word_of_it(window: OpenWindow) -> None:
    window.shortcut("new_private_thread")
    told = Told(window)
    thread_id = await told.answer(20)
    assert told.told == [(thread_id, "New answer", "Private thread")]


async def test_a_short_one_and_one_that_is_seen_are_not(window: OpenWindow) -> None:
    told = Told(window)
    await told.answer(19.9)
    told.looking = True
    await told.answer(100)
    assert told.told == []


async def test_a_failed_one_is_told_as_that(window: OpenWindow) -> None:
    told = Told(window)
    thread_id = await told.answer(30, TransientError("network", "The connection was lost."))
    assert told.told == [(thread_id, "Answer failed", "How long")]


async def test_one_that_the_user_stopped_is_not(window: OpenWindow) -> None:
    told = Told(window)
    gate = Gate()
    window.backend.reply(TextDelta("so far"), gate, Ended("end_turn"))
    window.type("How long")
    window.composer.send_requested.emit()
    await gate.arrive()
    told.now += 60
    window.composer.stop_requested.emit()
    await window.until(lambda: not window.composer.streaming, "the end")
    await window.settled()
    assert told.told == []


@pytest.mark.parametrize(("after", "expected"), [(0, 0), (5, 1)])
async def test_the_setting_says_how_long_or_never(window: OpenWindow, after: int, expected: int) -> None:
    told = Told(window)
    await window.services.preferences.set_value("window.notify_after_s", after)
    await told.answer(6)
    assert len(told.told) == expected


async def test_a_click_opens_the_thread(window: OpenWindow) -> None:
    told = Told(window)
    thread_id = await told.answer(30)
    window.shortcut("new_thread")
    window.window.hide()
    presence = window.session.presence
    presence.app_state.start(presence._open(thread_id))
    await window.until(lambda: window.app_state.is_open(thread_id), "the thread")
    assert window.window.isVisible()
