"""The quick line: asked, answered, left, made a thread; beside a window and without one."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from desktop_app.backends.backend_protocol import Availability, Backend
from desktop_app.composition import compose
from desktop_app.core.errors import TransientError
from desktop_app.core.messages import TextPart
from desktop_app.core.stream_events import Ended, TextDelta
from desktop_app.paths import DataPaths
from desktop_app.storage.file_format import APPLICATION_ID, NEWEST
from desktop_app.ui.quick.quick_window import QuickOpening, QuickWindow
from desktop_app.ui.shell.quick_session import QuickSession
from desktop_app.ui.state.services import WindowServices
from desktop_app.ui.state.window_state import WindowState
from tests.fakes.gated_backend import Gate, GatedBackend
from tests.fakes.memory_secrets import MemorySecrets
from tests.patience import PATIENCE_S, until, wait_until
from tests.ui.open_window import OpenWindow

pytestmark = pytest.mark.slow

CONTROL = Qt.KeyboardModifier.ControlModifier


def line_of(window: OpenWindow) -> QuickWindow:
    """The quick line, opened as a second start would."""
    window.session.take_arguments({"quick": True, "open_thread": None})
    line = window.session.presence.quick.window
    assert line is not None
    return line


def enter(line: QuickWindow, text: str) -> None:
    QTest.keyClicks(line.field, text)
    QTest.keyClick(line.field, Qt.Key.Key_Return)


def said_in(line: QuickWindow) -> list[str]:
    """What the line's answer view shows, message by message."""
    return [message.text for message in line.view.row_layout.messages] if line.view is not None else []


def has_card(window: OpenWindow) -> bool:
    return window.session.presence.quick.card is not None


def titles(window: OpenWindow) -> list[str]:
    return [summary.thread.title for summary in window.threads.model.threads()]


async def test_a_question_is_answered_beneath_the_line(window: OpenWindow) -> None:
    line = line_of(window)
    gate = Gate()
    window.backend.reply(TextDelta("forty"), gate, TextDelta("-two"), Ended("end_turn"))
    enter(line, "what is it")
    await gate.arrive()
    await window.until(lambda: said_in(line)[:1] == ["what is it"], "the question in the view")
    assert line.text() == ""
    gate.open()
    await window.until(lambda: said_in(line) == ["what is it", "forty-two"], "the answer in the view")
    assert line.isVisible()
    assert window.app_state.current is None
    assert window.threads.model.marked("unread") == frozenset()


async def test_the_next_question_goes_on_in_the_same_thread(window: OpenWindow) -> None:
    line = line_of(window)
    enter(line, "one")
    await window.until(lambda: said_in(line) == ["one", "answer 1"], "the first answer")
    enter(line, "two")
    await window.until(lambda: said_in(line) == ["one", "answer 1", "two", "answer 2"], "the second answer")
    assert len(titles(window)) == 1


async def test_while_an_answer_comes_a_question_waits_in_the_field(window: OpenWindow) -> None:
    line = line_of(window)
    gate = Gate()
    window.backend.reply(TextDelta("a"), gate, Ended("end_turn"))
    enter(line, "one")
    await gate.arrive()
    enter(line, "two")
    assert line.text() == "two"
    assert "still coming" in line.hint.text()
    gate.open()
    await window.settled()
    assert len(window.backend.plans) == 1


async def test_escape_leaves_the_answer_to_go_on_and_marks_it_unread(window: OpenWindow) -> None:
    line = line_of(window)
    gate = Gate()
    window.backend.reply(TextDelta("so far"), gate, TextDelta(" and on"), Ended("end_turn"))
    enter(line, "a long one")
    await gate.arrive()
    QTest.keyClick(line.field, Qt.Key.Key_Escape)
    await window.until(lambda: not line.isVisible(), "the closed line")
    gate.open()
    await window.until(lambda: window.threads.model.marked("unread"), "the unread mark")
    (thread_id,) = window.threads.model.marked("unread")
    opened = await window.services.chat.open_thread(thread_id)
    assert [message.text for message in opened.path] == ["a long one", "so far and on"]
    again = line_of(window)
    assert again.view is not None
    assert again.view.isHidden()
    assert said_in(again) == []


async def test_ctrl_enter_opens_the_thread_in_the_main_window(window: OpenWindow) -> None:
    line = line_of(window)
    enter(line, "one")
    await window.until(lambda: said_in(line) == ["one", "answer 1"], "the answer")
    QTest.keyClicks(line.field, "not sent yet")
    QTest.keyClick(line.field, Qt.Key.Key_Return, CONTROL)
    await window.until(lambda: window.app_state.current is not None, "the thread in the main window")
    await window.settled()
    opened = await window.opened_thread()
    assert [message.text for message in opened.path] == ["one", "answer 1"]
    assert window.composer.text() == "not sent yet"
    assert not line.isVisible()
    assert line.text() == ""


async def test_an_empty_close_leaves_no_thread(window: OpenWindow) -> None:
    line = line_of(window)
    QTest.keyClick(line.field, Qt.Key.Key_Escape)
    await window.settled()
    assert titles(window) == []
    assert window.session.tasks.running == 0


async def test_the_draft_is_there_again(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        line = line_of(window)
        QTest.keyClicks(line.field, "half a th")
        QTest.keyClick(line.field, Qt.Key.Key_Escape)
        await window.settled()
        assert line_of(window).text() == "half a th"
        QTest.keyClicks(line.field, "ought")
    async with OpenWindow.opened(data_dir) as window:
        assert line_of(window).text() == "half a thought"
        assert titles(window) == []


async def test_a_refusal_stands_in_the_line_and_leaves_no_thread(window: OpenWindow) -> None:
    window.backend.available = Availability(False, "It is switched off. Switch it on.")
    line = line_of(window)
    enter(line, "anybody there")
    quick = window.session.presence.quick
    await window.until(lambda: has_card(window), "the card")
    assert quick.card is not None
    assert "switched off" in quick.card.content.heading + quick.card.content.sentence
    assert line.text() == "anybody there"
    QTest.keyClick(line.field, Qt.Key.Key_Escape)
    await window.settled()
    assert titles(window) == []
    assert line.text() == "anybody there"


async def test_a_failed_answer_can_be_asked_again(window: OpenWindow) -> None:
    line = line_of(window)
    window.backend.reply(TransientError("network", "The service had an error.", actions=("retry",)))
    enter(line, "again")
    quick = window.session.presence.quick
    await window.until(lambda: has_card(window), "the card")
    assert quick.card is not None
    button = quick.card.button("retry")
    assert button is not None
    button.click()
    await window.until(lambda: "answer 2" in said_in(line), "the second attempt")
    assert not has_card(window)
    assert len(window.backend.plans) == 2


@pytest.mark.parametrize("action", ["keep_trimming", "raise_limit"])
async def test_the_first_crossing_is_asked_about_in_the_line(window: OpenWindow, action: str) -> None:
    line, quick = line_of(window), window.session.presence.quick
    window.backend.window = 1_000_000
    await window.services.preferences.set_value("context.soft_limit", 20_000)
    asked = 0
    while not has_card(window):
        asked += 1
        line.set_text(f"{asked}" + " word" * 6_000)
        QTest.keyClick(line.field, Qt.Key.Key_Return)
        await window.until(lambda: "Enter asks" in line.hint.text(), "the answer or the question")
    assert len(window.backend.plans) == asked - 1, "nothing was sent"
    assert line.text().startswith(f"{asked} word")
    assert quick.card is not None
    button = quick.card.button(action)
    assert button is not None
    button.click()
    await window.until(lambda: len(said_in(line)) == 2 * asked, "the answer")
    assert not has_card(window)
    assert line.text() == ""
    assert window.backend.plans[-1].decision == ("trim" if action == "keep_trimming" else "ok")


async def test_the_model_is_named(window: OpenWindow) -> None:
    line = line_of(window)
    await window.until(line.model.text, "the model's name")
    assert line.model.text() == "Gated · big"


async def test_the_field_grows_to_six_lines_and_no_further(window: OpenWindow) -> None:
    line = line_of(window)
    one = line.field.height()
    heights = []
    for _ in range(9):
        QTest.keyClick(line.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        heights.append(line.field.height())
    assert heights[0] > one
    assert heights[4] > heights[3]
    assert heights[5] - heights[4] <= 4
    assert heights[8] == heights[6]


async def test_a_long_answer_is_scrolled(window: OpenWindow) -> None:
    line = line_of(window)
    window.backend.text = "\n\nA line of an answer." * 80
    enter(line, "much")
    await window.until(lambda: said_in(line)[1:], "the answer")
    screen = line.screen().availableGeometry()
    await window.until(lambda: line.view is not None and line.view.height() == round(screen.height() * 0.5), "the room")
    assert screen.contains(line.geometry())


# --- without a main window


class Alone:
    """A process that was started with the quick line only, here in this one."""

    def __init__(self, session: QuickSession, backend: GatedBackend, line: QuickWindow) -> None:
        self.session = session
        self.backend = backend
        self.line = line
        self.running: asyncio.Task[int] | None = None
        self.services: WindowServices | None = None

    async def until(self, condition: Callable[[], object], what: str) -> None:
        await until(condition, what)


def application() -> QApplication:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    return app


@asynccontextmanager
async def alone(data_dir: Path) -> AsyncIterator[Alone]:
    paths = DataPaths(data_dir).make()
    gated = GatedBackend("scripted")
    app = application()

    async def composed() -> WindowServices:
        around = {"HOME": str(data_dir.parent), "PATH": ""}
        services = await compose(
            paths, environ=around, default_backend="scripted", interactive=True, secrets=MemorySecrets()
        )
        cast("dict[str, Backend]", services.backends)["scripted"] = gated
        services.connections.look_at = ()
        found.services = services
        return services

    opening = QuickOpening(app, paths)
    session = QuickSession(app, opening, paths, composed)
    found = Alone(session, gated, opening.window)
    found.running = asyncio.create_task(session.run())
    try:
        yield found
    finally:
        if session.main is not None:
            session.main.end(0)
        elif not found.running.done():
            session.presence.quit_wanted.emit()
        await asyncio.wait_for(found.running, PATIENCE_S)


async def texts_in(data_dir: Path) -> list[list[str]]:
    async with OpenWindow.opened(data_dir) as window:
        found = []
        for summary in window.threads.model.threads():
            opened = await window.services.chat.open_thread(summary.thread.id)
            found.append([message.text for message in opened.path])
        return found


async def test_alone_the_line_ends_with_escape(data_dir: Path) -> None:
    async with alone(data_dir) as started:
        await started.until(lambda: started.services, "the services")
        QTest.keyClick(started.line.field, Qt.Key.Key_Escape)
        assert started.running is not None
        assert await asyncio.wait_for(started.running, PATIENCE_S) == 0
        assert started.session.main is None
    assert await texts_in(data_dir) == []


async def test_alone_a_running_answer_ends_before_the_process_does(data_dir: Path) -> None:
    async with alone(data_dir) as started:
        gate = Gate()
        started.backend.reply(TextDelta("whole"), gate, TextDelta(" answer"), Ended("end_turn"))
        # Before the services are there: it waits for them.
        enter(started.line, "early question")
        await gate.arrive()
        QTest.keyClick(started.line.field, Qt.Key.Key_Escape)
        await started.until(lambda: not started.line.isVisible(), "the closed line")
        assert started.running is not None
        assert not started.running.done()
        gate.open()
        assert await asyncio.wait_for(started.running, PATIENCE_S) == 0
    assert await texts_in(data_dir) == [["early question", "whole answer"]]


async def test_alone_the_main_window_is_made_when_it_is_asked_for(data_dir: Path) -> None:
    async with alone(data_dir) as started:
        gate = Gate()
        started.backend.reply(TextDelta("first"), gate, TextDelta(" half"), Ended("end_turn"))
        enter(started.line, "grow")
        await gate.arrive()
        QTest.keyClick(started.line.field, Qt.Key.Key_Return, CONTROL)
        await started.until(lambda: started.session.main is not None, "the main window")
        main = started.session.main
        assert main is not None
        await started.until(lambda: main.app_state.current is not None and main.app_state.ready, "the thread")
        gate.open()
        shown = main.window.stage.transcript
        await started.until(
            lambda: [message.text for message in shown.row_layout.messages] == ["grow", "first half"],
            "the answer in it",
        )
        assert main.window.isVisible()
        assert not started.line.isVisible()
        # the line goes on with the main window's process
        started.session.take_arguments({"quick": True, "open_thread": None})
        await started.until(started.line.isVisible, "the line again")


async def test_alone_a_later_start_for_the_window_makes_it(data_dir: Path) -> None:
    async with alone(data_dir) as started:
        await started.until(lambda: started.services, "the services")
        started.session.take_arguments({"quick": False, "open_thread": None})
        await started.until(lambda: started.session.main is not None, "the main window")


async def test_alone_it_goes_on_with_the_connection_of_the_thread_open_last(data_dir: Path) -> None:
    async with OpenWindow.opened(data_dir) as window:
        window.composer.picker.model_chosen.emit("scripted", "small")
        await window.settled()
        await window.send("hello")
    async with alone(data_dir) as started:
        await started.until(lambda: started.line.model.text() == "Gated · small", "the model's name")
        enter(started.line, "and now")
        await started.until(lambda: started.backend.plans, "the request")
        assert started.backend.plans[0].model.id == "small"
        assert said_to(started.backend) == ["and now"]


def said_to(backend: GatedBackend) -> list[str]:
    return [
        block.text
        for message in backend.plans[0].request.messages
        for block in message.blocks
        if isinstance(block, TextPart)
    ]


async def test_alone_what_ended_unseen_is_marked_in_the_window(data_dir: Path) -> None:
    async with alone(data_dir) as started:
        gate, other = Gate(), Gate()
        started.backend.reply(TextDelta("one"), gate, Ended("end_turn"))
        started.backend.reply(TextDelta("two"), other, Ended("end_turn"))
        enter(started.line, "first")
        await gate.arrive()
        QTest.keyClick(started.line.field, Qt.Key.Key_Escape)
        await started.until(lambda: not started.line.isVisible(), "the closed line")
        started.session.take_arguments({"quick": True, "open_thread": None})
        enter(started.line, "second")
        await other.arrive()
        gate.open()
        await started.until(lambda: started.session.presence.quick.unseen, "the end of the first")
        QTest.keyClick(started.line.field, Qt.Key.Key_Return, CONTROL)
        await started.until(lambda: started.session.main is not None, "the main window")
        main = started.session.main
        assert main is not None
        await started.until(lambda: main.app_state.current is not None and main.app_state.ready, "the thread")
        marked = main.window.threads.model.marked("unread")
        assert marked == frozenset(started.session.presence.quick.unseen)
        assert len(marked) == 1
        other.open()
        await started.until(lambda: not started.session.presence.quick.in_use, "the end of the second")


async def test_alone_a_history_that_can_not_be_used_is_said_and_escape_still_ends_it(data_dir: Path) -> None:
    with closing(sqlite3.connect(DataPaths(data_dir).make().history)) as newer:
        newer.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        newer.execute(f"PRAGMA user_version = {NEWEST + 1}")
    async with alone(data_dir) as started:
        enter(started.line, "early question")
        await started.until(lambda: started.session.presence.quick.card, "the card")
        QTest.keyClick(started.line.field, Qt.Key.Key_Return)
        assert started.line.text() == "early question"
        QTest.keyClick(started.line.field, Qt.Key.Key_Escape)
        assert started.running is not None
        assert await asyncio.wait_for(started.running, PATIENCE_S) == 0
    assert WindowState(DataPaths(data_dir).window).quick_draft == "early question"


# --- real processes


def start(data_dir: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "desktop_app", "--data-dir", str(data_dir), "--backend", "scripted", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


async def test_a_second_quick_start_hands_over_to_the_first(data_dir: Path) -> None:
    first = start(data_dir, "--quick")

    await asyncio.to_thread(wait_until, (data_dir / "instance.sock").exists, "the socket")
    for arguments in (("--quick",), ()):
        later = start(data_dir, *arguments)
        _, errors = await asyncio.to_thread(later.communicate, timeout=PATIENCE_S)
        assert (later.returncode, errors) == (0, "")
    assert first.poll() is None
    first.terminate()
    _, errors = await asyncio.to_thread(first.communicate, timeout=PATIENCE_S)
    assert first.returncode == 143
    assert [line for line in errors.splitlines() if "does not support raise" not in line] == []


async def test_alone_a_look_over_a_slow_disk_is_no_fault_at_the_end(
    data_dir: Path, caplog: pytest.LogCaptureFixture
) -> None:
    release = threading.Event()
    seen: list[int] = []
    with caplog.at_level(logging.WARNING):
        async with alone(data_dir) as started:
            await started.until(lambda: started.services, "the services")
            services = started.services
            assert services is not None
            file = cast("Any", services).history.file
            started.session.presence.app_state.start(file.database.run(lambda _: release.wait(PATIENCE_S)))

            async def look_twice() -> None:
                for _ in range(2):
                    seen.append(len(await services.library.threads()))

            started.session.presence.app_state.start(look_twice())
            await asyncio.sleep(0)
            threading.Timer(0.4, release.set).start()
    assert not caplog.records
    assert seen == [0, 0]
