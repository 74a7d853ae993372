"""Whatever an answer holds, the window is free again: Esc stops it, the queue goes on, its text is kept."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from PySide6.QtCore import Qt

from desktop_app.backends.backend_protocol import Backend, with_redaction
from desktop_app.core.messages import Message
from desktop_app.core.redaction import Redaction
from desktop_app.core.stream_events import StreamEvent, TextDelta
from desktop_app.core.text_diff import queued
from tests.controller.test_poisoned_answers import POISON
from tests.fakes.gated_backend import Gate
from tests.ui.open_window import OpenWindow

NAMES = [
    "arguments nested 600 deep",
    "a block nested 600 deep",
    "tokens of 2^63",
    "a stop reason that is an object",
    "a cost that is NaN",
    "arguments with half a character",
]


def through_the_door(window: OpenWindow) -> None:
    """As the app puts it together: what a backend reports is checked first."""
    backends = cast("dict[str, Backend]", window.services.backends)
    backends["scripted"] = with_redaction(window.backend, Redaction())


def queue(window: OpenWindow, text: str) -> None:
    window.enter(text)
    assert window.composer.is_empty()
    assert window.presenters.sending.queued_text() == queued(text, 0)


async def begun(window: OpenWindow, gate: Gate) -> None:
    await window.begin("q", gate)
    await window.until(lambda: window.composer.streaming, "the answer")


async def said(window: OpenWindow) -> list[Message]:
    thread = await window.opened_thread()
    window.services.chat.open_threads.forget(thread.thread.id)  # as the file has it
    return list((await window.opened_thread()).path)


@pytest.mark.parametrize("poison", NAMES)
async def test_the_queue_goes_on_behind_it(data_dir: Path, poison: str) -> None:
    async with OpenWindow.opened(data_dir) as window:
        through_the_door(window)
        gate = Gate()
        window.backend.reply(TextDelta("what came"), gate, *POISON[poison])
        await begun(window, gate)
        queue(window, "and now?")
        gate.open()
        await window.until(lambda: len(window.backend.plans) == 2 or not window.composer.is_empty(), "the queue")
        await window.until(lambda: not window.composer.streaming, "the end")
        await window.settled()
        if not window.composer.is_empty():  # the first failed: what waited is a draft again
            assert window.composer.text() == "and now?"
            window.press(Qt.Key.Key_Return)
            await window.until(lambda: len(window.backend.plans) == 2, "the second question")
            await window.until(lambda: not window.composer.streaming, "its end")
            await window.settled()
        path = await said(window)
        assert [message.role for message in path] == ["user", "assistant", "user", "assistant"]
        assert "what came" in path[1].text
        assert (path[2].text, path[3].text) == ("and now?", "answer 2")


@pytest.mark.parametrize("poison", NAMES)
async def test_escape_takes_the_queue_back_and_then_stops_it(data_dir: Path, poison: str) -> None:
    async with OpenWindow.opened(data_dir) as window:
        through_the_door(window)
        gate = Gate()  # never opened: the server does not end its stream
        steps: tuple[StreamEvent, ...] = POISON[poison]
        window.backend.reply(TextDelta("what came"), *steps[:-1], gate, steps[-1])
        await begun(window, gate)
        queue(window, "and now?")
        window.press(Qt.Key.Key_Escape)
        assert window.composer.text() == "and now?"
        assert window.composer.streaming
        window.press(Qt.Key.Key_Escape)
        await window.until(lambda: not window.composer.streaming, "the end")
        await window.settled()
        assert window.backend.open_streams == 0
        question, answer = await said(window)
        assert (question.text, answer.stop_reason) == ("q", "interrupted")
        assert "what came" in answer.text
        assert window.composer.text() == "and now?"
        window.press(Qt.Key.Key_Return)
        await window.until(window.composer.is_empty, "the next question")
        await window.until(lambda: not window.composer.streaming, "its answer")
        await window.settled()
        assert (await said(window))[-1].text == "answer 2"
