"""When the end of a thread counts as read, over a view that only says whether its end is in sight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import pytest
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from desktop_app.core.messages import Message
from desktop_app.ui.conversation.navigation import ReadProgress
from desktop_app.ui.transcript.view import TranscriptView
from tests.ui.state.fake_services import StateOfWindow
from tests.ui.tool_scenes import message

pytestmark = pytest.mark.usefixtures("qapp")

TALK = [message(0, "user", "one"), message(1, "assistant", "two")]


class FakeView(QWidget):
    latest_visible_changed = Signal(bool)


class Reading:
    def __init__(self) -> None:
        self.state, self.view = StateOfWindow(), FakeView()
        self.progress = ReadProgress(self.state.app_state, cast("TranscriptView", self.view))
        self.state.app_state.thread_opened.connect(self.progress.look)

    async def opened(self, messages: Sequence[Message] = TALK) -> list[tuple[str, str]]:
        await self.state.opened(messages)
        return await self.noted()

    async def noted(self) -> list[tuple[str, str]]:
        await self.state.at_rest()
        return self.state.chat.marks.read


async def test_an_end_in_sight_is_read_once() -> None:
    reading = Reading()
    reading.view.show()
    assert await reading.opened() == [("t", "t1")]
    reading.progress.look()
    assert await reading.noted() == [("t", "t1")]


async def test_an_end_out_of_sight_is_read_when_it_comes_into_view() -> None:
    reading = Reading()
    reading.view.show()
    reading.view.latest_visible_changed.emit(True)
    assert await reading.opened() == []
    reading.view.latest_visible_changed.emit(False)
    assert await reading.noted() == [("t", "t1")]


async def test_a_hidden_window_reads_nothing() -> None:
    reading = Reading()
    assert await reading.opened() == []
    reading.view.show()
    assert await reading.noted() == [("t", "t1")]


async def test_an_answer_that_is_still_coming_is_not_read() -> None:
    reading = Reading()
    reading.view.show()
    reading.state.chat.answering.add("t")
    assert await reading.opened() == []
    reading = Reading()
    reading.view.show()
    half = message(1, "assistant", "tw", state="partial")
    assert await reading.opened([TALK[0], half]) == [], "another process writes it"
